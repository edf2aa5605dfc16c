package dev.fairfleet.cli;

import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of who crawls, how fast, how far, and with how many workers. */
final class CrawlOptions {
  private static final int UNHURRIED = 100_000;

  @Option(
      names = "--contact",
      description =
          "URL or mail address under which the owners of the sites reach you. Needed for anything that is not on this machine.")
  private String contact = "";

  @Option(
      names = "--user-agent",
      description = "Name by which robots.txt addresses this crawler. Default: ${DEFAULT-VALUE}")
  private String userAgent = "fairfleet";

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Requests per hour and site. Default: ${DEFAULT-VALUE}")
  private int requestsPerHour = SiteLimits.POLITE.requestsPerHour();

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description =
          "Least time between two requests to a host, such as 500ms or 2s. Default: ${DEFAULT-VALUE}")
  private String delay = "1s";

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Deepest page, counted in links from a root. Default: ${DEFAULT-VALUE}")
  private int maxDepth = SiteLimits.POLITE.maxDepth();

  @Option(
      names = "--pages",
      paramLabel = "N",
      description = "Most pages of a site. Default: no limit")
  private int maxPages = SiteLimits.UNLIMITED;

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 1;

  @Option(
      names = "--slots",
      description = "Pages that a worker has in hand at once. Default: ${DEFAULT-VALUE}")
  private int slots = 16;

  @Option(
      names = "--per-server",
      paramLabel = "N",
      description =
          "Pages of one host that a worker has in hand at once. Default: ${DEFAULT-VALUE}")
  private int perServer = 2;

  /** Returns the number of worker processes. */
  int workers() {
    return workers;
  }

  /** Tells whether somebody can be reached. */
  boolean hasContact() {
    return !contact.isBlank();
  }

  /**
   * Returns the limits of a site that has none of its own.
   *
   * @throws UsageException if these options cannot be kept
   */
  SiteLimits limits() {
    if (workers < 1 || slots < 1 || perServer < 1) {
      throw new UsageException(
          "A crawl needs at least one worker, one slot, and one page per server.");
    }
    try {
      return new SiteLimits(requestsPerHour, SitesFile.duration(delay), maxDepth, maxPages);
    } catch (IllegalArgumentException e) {
      throw new UsageException("These limits cannot be kept: " + e.getMessage(), e);
    }
  }

  /**
   * Returns whether all sites are on this machine.
   *
   * @throws UsageException if some are and some are not, or nobody can be reached
   */
  boolean requireContact(List<Site> sites) {
    List<SiteId> here = sites.stream().filter(LoopbackHosts::holds).map(Site::id).toList();
    if (here.size() == sites.size()) {
      return true;
    }
    if (!here.isEmpty()) {
      throw new UsageException(
          "Sites on this machine "
              + here
              + " cannot be crawled together with sites elsewhere, because pages from elsewhere must not lead to this machine. Crawl them apart.");
    }
    if (!hasContact()) {
      throw new UsageException(
          "Who crawls other people's servers says who he is: add --contact with a URL or mail address under which their owners reach you.");
    }
    return false;
  }

  /**
   * Returns the environment of a worker.
   *
   * @param local whether all sites are on this machine
   */
  Map<String, String> settings(boolean local) {
    Map<String, String> settings = new HashMap<>();
    settings.put("FAIRFLEET_FETCH_ALLOWLOOPBACK", Boolean.toString(local));
    settings.put("FAIRFLEET_FETCH_CONTACT", contact);
    settings.put("FAIRFLEET_FETCH_USERAGENT", userAgent);
    settings.put("FAIRFLEET_WORKER_SLOTS", Integer.toString(slots));
    settings.put("FAIRFLEET_WORKER_PERSERVER", Integer.toString(perServer));
    if (requestsPerHour > UNHURRIED) {
      // Who allows a page every few milliseconds does not want tasks parked for seconds.
      settings.put("FAIRFLEET_SCHEDULING_PARKSHORTEST", "1s");
      settings.put("FAIRFLEET_SCHEDULING_PARKLONGEST", "2s");
    }
    // Nobody's millions of pages stand in the way of others here: minutes of delay become seconds.
    settings.put("FAIRFLEET_SCHEDULING_DELAYSCALE", "0.01");
    return settings;
  }
}
