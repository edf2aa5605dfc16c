package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.memory.InMemorySiteWindow;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisSiteWindow;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Feeds one seeded history to the windows in Redis and to those in memory; compares all they say.
 */
final class WindowComparison {
  private static final List<UrlHash> URLS =
      IntStream.range(0, 250).mapToObj(i -> CrawlUrl.of("http://a.test/" + i).hash()).toList();

  private WindowComparison() {}

  static void run(RedisConnection redis, long seed, int steps) {
    Random random = new Random(seed);
    SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
    SiteWindow expected = new InMemorySiteWindow(clock);
    SiteWindow actual = RedisSiteWindow.onClock(redis, TestRedis.newFleet(), clock);
    for (int step = 0; step < steps; step++) {
      Function<SiteWindow, Object> call = call(random);
      assertThat(call.apply(actual))
          .as("step %s of seed %s", step, seed)
          .isEqualTo(call.apply(expected));
      clock.advance(pause(random));
    }
  }

  private static Function<SiteWindow, Object> call(Random random) {
    SiteId site = new SiteId("site" + random.nextInt(2));
    int from = random.nextInt(URLS.size());
    List<UrlHash> urls = URLS.subList(from, from + random.nextInt(URLS.size() - from) / 4);
    Duration stay = Duration.ofSeconds(random.nextInt(200));
    int size = 1 + random.nextInt(60);
    boolean bare = random.nextBoolean();
    CrawlId crawl = CrawlId.scheduledFor(Instant.ofEpochSecond(size % 2));
    return switch (random.nextInt(18)) {
      case 0, 1, 2, 3 -> window -> new ArrayList<>(window.enter(site, urls, size, stay));
      case 4 ->
          window -> {
            window.stay(site, urls, stay);
            return window.leave(site, List.of());
          };
      case 5, 6, 7, 8 -> window -> window.leave(site, urls);
      case 9 -> window -> window.leave(site, URLS);
      case 10 -> window -> window.shelved(site, urls);
      case 11 -> window -> window.beginFill(site);
      case 12 ->
          window -> {
            boolean turnedAway = window.filled(site, size, bare);
            return turnedAway + " " + window.leave(site, List.of());
          };
      case 13 -> window -> window.beginSweep(stay);
      case 14 ->
          window -> {
            window.walkedTo(site, crawl, "at " + from);
            return window.inspect(site);
          };
      case 15 -> window -> window.position(site, crawl);
      default -> window -> window.inspect(site);
    };
  }

  private static Duration pause(Random random) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> Duration.ZERO;
      case 2 -> Duration.ofNanos(1_000);
      case 3 -> Duration.ofMinutes(random.nextInt(20));
      case 4 -> SiteWindow.LONGEST_FILL;
      case 5 -> Duration.ofNanos(random.nextLong(60_000_000) * 1_000);
      default -> Duration.ofSeconds(random.nextInt(20));
    };
  }
}
