package dev.fairfleet.redis;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The windows of a fleet in Redis, on that server's clock.
 *
 * <p>Two keys for each site, in one hash slot: {@code fleet:{site}:window}, a sorted set of the URL
 * hashes inside, which is forgotten when nothing happened for a week longer than any may be inside;
 * and {@code fleet:{site}:fill}, a hash of all the rest, forgotten when nothing happened for a
 * week. One key for the fleet: {@code fleet:{sweep}:begun}, when the last sweep began.
 */
public final class RedisSiteWindow implements SiteWindow {
  private static final Script<List<String>> SCRIPT = Script.ofTexts("window.lua");
  private static final Script<List<Long>> SWEEP = Script.ofNumbers("sweep.lua");

  private final RedisConnection redis;
  private final String fleet;
  private final ServerClock clock;

  /**
   * Creates windows on the clock of the server.
   *
   * @param fleet first part of every key
   */
  public RedisSiteWindow(RedisConnection redis, String fleet) {
    this(redis, fleet, ServerClock.OWN);
  }

  private RedisSiteWindow(RedisConnection redis, String fleet, ServerClock clock) {
    this.redis = redis;
    this.fleet = fleet;
    this.clock = clock;
  }

  /** Returns windows on a clock that a test sets, whole microseconds. */
  public static RedisSiteWindow onClock(RedisConnection redis, String fleet, InstantSource clock) {
    return new RedisSiteWindow(redis, fleet, ServerClock.set(clock));
  }

  /** What the script returns. */
  private record Answer(List<String> texts) {
    View view() {
      return new View(
          Integer.parseInt(texts.get(0)), Integer.parseInt(texts.get(1)), texts.get(2).equals("1"));
    }

    Duration emptyFor() {
      return Duration.ofNanos(Long.parseLong(texts.get(3)) * 1_000);
    }

    String position(CrawlId crawl) {
      String before = crawl.value() + " ";
      return texts.get(4).startsWith(before) ? texts.get(4).substring(before.length()) : "";
    }

    List<String> told() {
      return texts.subList(5, texts.size());
    }

    List<UrlHash> hashes() {
      return told().stream().map(UrlHash::new).toList();
    }
  }

  private Answer run(SiteId site, String step, Stream<String> arguments) {
    String tag = fleet + ":{" + site + "}:";
    return new Answer(
        SCRIPT.run(
            redis,
            new String[] {tag + "window", tag + "fill"},
            Stream.concat(Stream.of(step, clock.argument()), arguments).toArray(String[]::new)));
  }

  private static Stream<String> texts(List<UrlHash> urls) {
    return urls.stream().map(UrlHash::value);
  }

  private static String micros(Duration stay) {
    Duration most = stay.compareTo(LONGEST_STAY) < 0 ? stay : LONGEST_STAY;
    return Long.toString(most.toNanos() / 1_000);
  }

  @Override
  public Set<UrlHash> enter(SiteId site, List<UrlHash> urls, int most, Duration stay) {
    Stream<String> limits = Stream.of(Integer.toString(most), micros(stay));
    return new LinkedHashSet<>(run(site, "enter", Stream.concat(limits, texts(urls))).hashes());
  }

  @Override
  public void stay(SiteId site, List<UrlHash> urls, Duration stay) {
    Answer unused = run(site, "stay", Stream.concat(Stream.of(micros(stay)), texts(urls)));
  }

  @Override
  public View leave(SiteId site, List<UrlHash> urls) {
    return run(site, "leave", texts(urls)).view();
  }

  @Override
  public View shelved(SiteId site, List<UrlHash> urls) {
    return run(site, "shelved", texts(urls)).view();
  }

  @Override
  public boolean beginFill(SiteId site) {
    return !run(site, "beginFill", Stream.of()).told().isEmpty();
  }

  @Override
  public boolean filled(SiteId site, int size, boolean bare) {
    return !run(site, "filled", Stream.of(Integer.toString(size), bare ? "1" : "0"))
        .told()
        .isEmpty();
  }

  @Override
  public Inspection inspect(SiteId site) {
    Answer answer = run(site, "inspect", Stream.of());
    return new Inspection(answer.view(), answer.hashes(), answer.emptyFor());
  }

  @Override
  public boolean beginSweep(Duration every) {
    return SWEEP
            .run(redis, new String[] {fleet + ":{sweep}:begun"}, micros(every), clock.argument())
            .get(0)
        == 1;
  }

  @Override
  public String position(SiteId site, CrawlId crawl) {
    return run(site, "leave", Stream.of()).position(crawl);
  }

  @Override
  public void walkedTo(SiteId site, CrawlId crawl, String position) {
    Answer unused = run(site, "walkedTo", Stream.of(crawl.value() + " " + position));
  }
}
