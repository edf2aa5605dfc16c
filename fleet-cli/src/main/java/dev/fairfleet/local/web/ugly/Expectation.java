package dev.fairfleet.local.web.ugly;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One thing that a crawl of an ugly host should come to. Its text is what is expected, in a few
 * words.
 *
 * <p>URLs are absolute, with {@code {port}} for the port of the ugly web, or paths of the host, and
 * always in canonical form. Immutable.
 */
public sealed interface Expectation {
  /** Returns what came instead, in a few words; empty if the crawl came to what is expected. */
  Optional<String> fault(Crawled crawled);

  /**
   * A URL comes to one of some ends, for a reason that a pattern is found in.
   *
   * @param reason a regular expression without case; empty for any reason
   */
  record Ends(String url, Set<End> ends, String reason) implements Expectation {
    public Ends {
      ends = Set.copyOf(ends);
    }

    @Override
    public Optional<String> fault(Crawled crawled) {
      Crawled.Page page = crawled.page(url);
      boolean reasonFits =
          page.end() == End.UNKNOWN
              || Pattern.compile(reason, Pattern.CASE_INSENSITIVE).matcher(page.reason()).find();
      return ends.contains(page.end()) && reasonFits
          ? Optional.empty()
          : Optional.of(url + " is " + page);
    }

    @Override
    public String toString() {
      return url + " " + words() + (reason.isEmpty() ? "" : " (" + reason + ")");
    }

    /** Returns the ends, in words. */
    public String words() {
      return ends.equals(End.FINAL)
          ? "ends"
          : EnumSet.copyOf(ends).stream()
              .map(end -> end == End.UNKNOWN ? "not known" : end.toString())
              .collect(Collectors.joining(" or "));
    }
  }

  /** A page has a record with a title; an empty title stands for no record at all. */
  record Titled(String url, String title) implements Expectation {
    @Override
    public Optional<String> fault(Crawled crawled) {
      Map<String, String> fields = crawled.records().get(crawled.absolute(url));
      String found = fields == null ? "" : fields.getOrDefault("title", "");
      boolean right = title.isEmpty() ? fields == null : title.equals(found);
      return right
          ? Optional.empty()
          : Optional.of(url + (fields == null ? " has no record" : " is titled \"" + found + "\""));
    }

    @Override
    public String toString() {
      return url + (title.isEmpty() ? " has no record" : " is titled \"" + title + "\"");
    }
  }

  /** The host has as many records as that, each under another key. */
  record Records(int count) implements Expectation {
    @Override
    public Optional<String> fault(Crawled crawled) {
      int found = crawled.records().size();
      return found == count
          ? Optional.empty()
          : Optional.of(found + " records, of " + crawled.records().keySet());
    }

    @Override
    public String toString() {
      return count + " records";
    }
  }

  /** A path is asked for as often as that, as its server counted. */
  record Asked(String path, int least, int most) implements Expectation {
    @Override
    public Optional<String> fault(Crawled crawled) {
      int asked = crawled.asked(path);
      return asked >= least && asked <= most
          ? Optional.empty()
          : Optional.of(path + " was asked for " + asked + " times");
    }

    @Override
    public String toString() {
      String times =
          least == most
              ? least + " times"
              : most == Integer.MAX_VALUE
                  ? "at least " + least + " times"
                  : least + " to " + most + " times";
      return path + (most == 0 ? " never asked for" : " asked for " + times);
    }
  }

  /** Nobody asks another host of this server, by any path. */
  record HostNeverAsked(String name) implements Expectation {
    @Override
    public Optional<String> fault(Crawled crawled) {
      int asked = crawled.log().requests(name);
      return asked == 0
          ? Optional.empty()
          : Optional.of(name + " was asked for " + asked + " things");
    }

    @Override
    public String toString() {
      return "host " + name + " never asked";
    }
  }

  /** So many different URLs of the host are asked for, robots.txt left out. */
  record UrlsAsked(int least, int most) implements Expectation {
    @Override
    public Optional<String> fault(Crawled crawled) {
      int asked = crawled.log().pages(crawled.host());
      return asked >= least && asked <= most
          ? Optional.empty()
          : Optional.of(asked + " different URLs were asked for");
    }

    @Override
    public String toString() {
      return (least == most ? least : least + " to " + most) + " URLs asked for";
    }
  }

  /**
   * After the answer to the first request for a path the host is left alone for a time. What was on
   * its way already, within {@value #ON_THE_WAY_MILLIS} ms, does not count.
   *
   * @param itselfToo whether the path itself may not be asked for either
   */
  record Rests(String path, Duration time, boolean itselfToo) implements Expectation {
    private static final long ON_THE_WAY_MILLIS = 750;

    @Override
    public Optional<String> fault(Crawled crawled) {
      long[] own = crawled.log().arrivals(crawled.host(), path);
      if (own.length == 0) {
        return Optional.of(path + " was never asked for");
      }
      long from = own[0] + (itselfToo ? Duration.ofMillis(ON_THE_WAY_MILLIS).toNanos() : 0);
      long[] all =
          itselfToo
              ? crawled.log().arrivals(crawled.host())
              : crawled.log().arrivalsOfOthers(crawled.host(), path);
      for (long arrival : all) {
        if (arrival > from && arrival - own[0] < time.toNanos()) {
          return Optional.of("asked again " + (arrival - own[0]) / 1_000_000 + " ms after " + path);
        }
      }
      return Optional.empty();
    }

    @Override
    public String toString() {
      return (itselfToo ? "no request" : "no other request")
          + " for "
          + words(time)
          + " after "
          + path;
    }
  }

  /** Two requests for pages are never closer than that, as the server saw them. */
  record Gaps(Duration least) implements Expectation {
    @Override
    public Optional<String> fault(Crawled crawled) {
      long[] arrivals = crawled.pageArrivals();
      for (int i = 1; i < arrivals.length; i++) {
        long gap = arrivals[i] - arrivals[i - 1];
        if (gap < least.toNanos()) {
          return Optional.of("a gap of " + gap / 1_000_000 + " ms");
        }
      }
      return Optional.empty();
    }

    @Override
    public String toString() {
      return "gaps of at least " + words(least);
    }
  }

  /** Some page of the host was skipped by a rule that a pattern is found in. */
  record SomeSkipped(String rule) implements Expectation {
    @Override
    public Optional<String> fault(Crawled crawled) {
      Pattern pattern = Pattern.compile(rule, Pattern.CASE_INSENSITIVE);
      return crawled.pages().values().stream()
              .anyMatch(page -> page.end() == End.SKIPPED && pattern.matcher(page.reason()).find())
          ? Optional.empty()
          : Optional.of("no page was skipped by such a rule");
    }

    @Override
    public String toString() {
      return "some page SKIPPED (" + rule + ")";
    }
  }

  private static String words(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }
}
