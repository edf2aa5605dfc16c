package dev.fairfleet.local;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.local.web.TreeSite;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.AddressGuard;
import dev.fairfleet.worker.fetch.FetchLimits;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.HttpPageFetcher;
import dev.fairfleet.worker.fetch.SystemHostResolver;
import dev.fairfleet.worker.parse.PageParser;
import dev.fairfleet.worker.parse.ParseLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The raw limit: the same pages fetched and parsed by the same client and parser as a worker's, in
 * as many processes, with nothing asked and nothing stored.
 */
public final class RawCrawl {
  /**
   * What the processes did.
   *
   * @param took from the first request of any to the last answer of all
   * @param cpu processor time of all, from their start to their end
   */
  public record Result(int pages, Duration took, Duration cpu) {
    /** Returns pages per second of all processes together. */
    public double pagesPerSecond() {
      return pages * 1e9 / took.toNanos();
    }

    /** Returns processor milliseconds per page. */
    public double cpuMillisPerPage() {
      return cpu.toNanos() / 1e6 / pages;
    }
  }

  private RawCrawl() {}

  /**
   * Fetches every page of a fake web once.
   *
   * @param processes worker processes
   * @param slots pages that each has in hand at once
   * @throws LocalFleetException if a process fails
   */
  public static Result inChildProcesses(
      WebServer server, List<TreeSite> web, int processes, int slots, DataDir dir)
      throws InterruptedException {
    List<List<String>> shares = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      shares.add(new ArrayList<>());
    }
    int pages = 0;
    for (TreeSite site : web) {
      for (String path : site.paths().toList()) {
        shares.get(pages++ % processes).add(server.url(site, path).toString());
      }
    }
    List<ChildProcess> children = new ArrayList<>();
    List<String> lines = new CopyOnWriteArrayList<>();
    for (int i = 0; i < processes; i++) {
      Path urls = dir.run().resolve("raw-" + i + ".urls");
      try {
        Files.write(urls, shares.get(i));
      } catch (IOException e) {
        throw new LocalFleetException("Cannot write " + urls + ": " + e, e);
      }
      List<String> command = WorkerProcess.java(RawCrawl.class.getName());
      command.addAll(List.of(urls.toString(), Integer.toString(slots)));
      children.add(
          ChildProcess.start(
              command, Map.of(), dir.logs().resolve("raw-" + i + ".log"), lines::add));
    }
    for (ChildProcess child : children) {
      if (!child.awaitEnd(Duration.ofMinutes(10)) || child.exitValue().orElse(1) != 0) {
        children.forEach(ChildProcess::kill);
        throw new LocalFleetException("The raw crawl failed:\n" + child.logTail(20), null);
      }
    }
    long first = Long.MAX_VALUE;
    long last = 0;
    long cpu = 0;
    for (String line : lines) {
      List<Long> numbers = List.of(line.split(" ", -1)).stream().map(Long::valueOf).toList();
      first = Math.min(first, numbers.get(0));
      last = Math.max(last, numbers.get(1));
      cpu += numbers.get(2);
    }
    return new Result(pages, Duration.ofMillis(last - first), Duration.ofNanos(cpu));
  }

  /** Fetches and parses the URLs in a file; prints start and end in epoch milliseconds, and CPU. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ConcurrentLinkedQueue<CrawlUrl> urls = new ConcurrentLinkedQueue<>();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      urls.add(CrawlUrl.of(line));
    }
    int slots = Integer.parseInt(arguments[1]);
    PageParser parser = new PageParser(ParseLimits.DEFAULT, "fairfleet", InstantSource.system());
    CrawlId crawl = CrawlId.scheduledFor(Instant.EPOCH);
    AtomicInteger wrong = new AtomicInteger();
    long start = System.currentTimeMillis();
    try (HttpPageFetcher fetcher =
        new HttpPageFetcher(
            "fairfleet",
            FetchLimits.PAGE,
            new SystemHostResolver(),
            new AddressGuard(true),
            InstantSource.system())) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < slots; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (CrawlUrl url = urls.poll(); url != null; url = urls.poll()) {
                        if (fetcher.fetch(url, Validators.NONE)
                            instanceof FetchOutcome.Fetched fetched) {
                          parser.parse(fetched, siteOf(url), crawl);
                        } else {
                          wrong.incrementAndGet();
                        }
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    long end = System.currentTimeMillis();
    long cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    System.out.println(start + " " + end + " " + cpu);
    System.exit(wrong.get() == 0 ? 0 : 1);
  }

  private static Site siteOf(CrawlUrl url) {
    return new Site(
        new SiteId(url.hostKey().host()),
        List.of(url),
        new Scope(Set.of(url.hostKey())),
        SiteLimits.POLITE,
        ExtractionRules.DEFAULT);
  }
}
