package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.redis.RedisGate;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a site's own server sees of its hourly limit, in hours that pass in seconds. */
class HourlyLimitIT {
  private static final int LIMIT = 60;
  private static final SiteId SITE = new SiteId("site");

  /** P102: 60 an hour from hh:59:30 on, asked for greedily by two workers. */
  @Test
  void twoGreedyWorkersOverFiveHours_serverSeesNoTrailingHourAboveTheLimit()
      throws IOException, InterruptedException {
    SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:59:30Z"));
    Instant end = clock.instant().plus(Duration.ofHours(5));
    List<Instant> arrivals = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          arrivals.add(clock.instant());
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    try (TestRedis one = new TestRedis();
        TestRedis two = new TestRedis()) {
      String fleet = TestRedis.newFleet();
      Random random = new Random(1);
      List<Gate> workers =
          List.of(
              RedisGate.onClock(one.connection(), fleet, random, clock),
              RedisGate.onClock(two.connection(), fleet, random, clock));
      crawl(workers, server.getAddress().getPort(), clock, end);
    } finally {
      server.stop(0);
    }

    // The first hour may be filled to the brim; each next one holds what the even pace allows.
    assertThat(within(arrivals, arrivals.getFirst())).isEqualTo(LIMIT);
    assertThat(arrivals).hasSizeGreaterThan(5 * 54);
    for (Instant first : arrivals) {
      assertThat(within(arrivals, first)).as("from %s", first).isLessThanOrEqualTo(LIMIT);
    }
  }

  private static void crawl(List<Gate> workers, int port, SettableClock clock, Instant end)
      throws IOException, InterruptedException {
    GateLimits limits = new GateLimits(LIMIT, 6, Duration.ZERO);
    HostKey host = new HostKey("127.0.0.1", port);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
    for (int turn = 0; clock.instant().isBefore(end); turn++) {
      switch (workers.get(turn % workers.size()).admit(SITE, host, limits)) {
        case Admission.Granted granted -> {
          var unused = client.send(request, HttpResponse.BodyHandlers.discarding());
        }
        case Admission.Deferred deferred -> clock.advance(deferred.after());
        case Admission.Unavailable unavailable -> throw new AssertionError(unavailable.reason());
      }
    }
  }

  /** Counts arrivals in the closed hour that begins with one of them. */
  private static long within(List<Instant> arrivals, Instant first) {
    Instant last = first.plus(Duration.ofHours(1));
    return arrivals.stream().filter(at -> !at.isBefore(first) && !at.isAfter(last)).count();
  }
}
