package dev.fairfleet.local.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class RequestLogTest {
  private static final String HOST = "site-001.localhost";

  private long now = Duration.ofDays(3).toNanos();
  private final RequestLog log = new RequestLog(() -> now);

  private void addAt(Duration sinceStart, String path) {
    now = Duration.ofDays(3).plus(sinceStart).toNanos();
    log.add(HOST, path);
  }

  @Test
  void arrivals_requests_areRelativeToTheStart() {
    addAt(Duration.ofSeconds(1), "/");
    addAt(Duration.ofSeconds(4), "/a");
    assertThat(log.arrivals(HOST)).containsExactly(1_000_000_000L, 4_000_000_000L);
    assertThat(log.first(HOST)).contains(Duration.ofSeconds(1));
    assertThat(log.last(HOST)).contains(Duration.ofSeconds(4));
    assertThat(log.requests(HOST)).isEqualTo(2);
    assertThat(log.hosts()).containsExactly(HOST);
  }

  @Test
  void arrivals_ofOneUrl_leaveOutTheOthers() {
    addAt(Duration.ofSeconds(1), "/");
    addAt(Duration.ofSeconds(2), "/a");
    addAt(Duration.ofSeconds(3), "/");
    assertThat(log.arrivals(HOST, "/")).containsExactly(1_000_000_000L, 3_000_000_000L);
    assertThat(log.arrivalsOfOthers(HOST, "/")).containsExactly(2_000_000_000L);
    assertThat(log.arrivals("site-002.localhost", "/")).isEmpty();
    assertThat(log.arrivalsOfOthers("site-002.localhost", "/")).isEmpty();
  }

  @Test
  void everything_unknownHost_isEmpty() {
    assertThat(log.arrivals(HOST)).isEmpty();
    assertThat(log.first(HOST)).isEmpty();
    assertThat(log.last(HOST)).isEmpty();
    assertThat(log.smallestGap(HOST)).isEmpty();
    assertThat(log.mostWithin(HOST, Duration.ofHours(1))).isZero();
    assertThat(log.requests(HOST, "/")).isZero();
    assertThat(log.repeatedRequests()).isZero();
  }

  @Test
  void mostWithin_exactlyAnHourApart_areNotWithinOne() {
    addAt(Duration.ZERO, "/1");
    addAt(Duration.ofMinutes(30), "/2");
    addAt(Duration.ofHours(1), "/3");
    assertThat(log.mostWithin(HOST, Duration.ofHours(1))).isEqualTo(2);
    assertThat(log.mostWithin(HOST, Duration.ofHours(1).plusNanos(1))).isEqualTo(3);
    assertThat(log.mostWithin(HOST, Duration.ofMinutes(1))).isEqualTo(1);
  }

  @Test
  void smallestGap_threeRequests_isTheShorterOfTwo() {
    addAt(Duration.ofSeconds(1), "/1");
    assertThat(log.smallestGap(HOST)).isEmpty();
    addAt(Duration.ofSeconds(5), "/2");
    addAt(Duration.ofSeconds(7), "/3");
    assertThat(log.smallestGap(HOST)).contains(Duration.ofSeconds(2));
  }

  @Test
  void repeatedRequests_robotsAndFirstRequests_doNotCount() {
    for (String path : new String[] {"/robots.txt", "/", "/robots.txt", "/a", "/", "/", "/a"}) {
      log.add(HOST, path);
    }
    log.add("site-002.localhost", "/");
    assertThat(log.repeatedRequests()).isEqualTo(3);
    assertThat(log.repeats(HOST)).isEqualTo(Map.of("/", 2, "/a", 1));
    assertThat(log.requests(HOST, "/robots.txt")).isEqualTo(2);
    assertThat(log.requests(HOST, "/")).isEqualTo(3);
  }

  @Test
  void add_manyThreads_losesNothing() {
    int threads = 8;
    int urls = 5_000;
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int thread = 0; thread < threads; thread++) {
        executor.execute(
            () -> {
              for (int i = 0; i < urls; i++) {
                log.add(HOST, "/p/" + i);
              }
            });
      }
    }
    assertThat(log.requests(HOST)).isEqualTo(threads * urls);
    assertThat(log.repeatedRequests()).isEqualTo((threads - 1) * urls);
    assertThat(log.requests(HOST, "/p/0")).isEqualTo(threads);
    assertThat(log.requests(HOST, "/p/" + (urls - 1))).isEqualTo(threads);
    assertThat(log.requests(HOST, "/p/" + urls)).isZero();
    assertThat(log.arrivals(HOST)).isSorted();
  }
}
