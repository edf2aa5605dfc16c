package dev.fairfleet.worker.robots;

import static dev.fairfleet.worker.fetch.TestWeb.page;
import static dev.fairfleet.worker.fetch.TestWeb.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.robots.RobotsAnswer.Barred;
import dev.fairfleet.robots.RobotsAnswer.Unreachable;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.AddressGuard;
import dev.fairfleet.worker.fetch.FetchLimits;
import dev.fairfleet.worker.fetch.HttpPageFetcher;
import dev.fairfleet.worker.fetch.SystemHostResolver;
import dev.fairfleet.worker.fetch.TestWeb;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RobotsCacheTest {
  private static final RobotsAnswer ALLOWED = new RobotsAnswer.Allowed();

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-30T12:00:00Z"));
  private final TestWeb web = new TestWeb();
  private final HttpPageFetcher fetcher =
      new HttpPageFetcher(
          "ourbot/1",
          FetchLimits.PAGE,
          new SystemHostResolver(),
          new AddressGuard(true),
          InstantSource.system());
  private final RobotsCache robots = new RobotsCache(fetcher.forRobots(), "ourbot", now::get);

  @AfterEach
  void close() {
    fetcher.close();
    web.close();
  }

  @Test
  void check_unavailableThenBack_waitsThenObeys_P02() {
    web.on("/robots.txt", status(503, "Content-Type: text/html"));
    assertThat(check("/x"))
        .isEqualTo(new Unreachable("robots.txt was answered with status 503", RobotsRules.RETRY));

    web.on("/robots.txt", text("User-agent: *\nDisallow: /x"));
    later(RobotsRules.RETRY.minusMillis(1));
    assertThat(check("/x")).isInstanceOf(Unreachable.class);
    later(Duration.ofMillis(1));
    assertThat(check("/x")).isEqualTo(new Barred("Disallow: /x"));
    assertThat(check("/y")).isEqualTo(ALLOWED);
    assertThat(web.requests()).hasSize(2);
  }

  @Test
  void check_connectionReset_waits_P03() {
    web.on(
        "/robots.txt",
        (request, out) -> {
          throw new IOException("reset");
        });

    assertThat(check("/"))
        .isInstanceOfSatisfying(
            Unreachable.class,
            answer -> assertThat(answer.reason()).startsWith("robots.txt is unreachable: "));
  }

  @Test
  void check_429_waitsAsLongAsAsked_P04() {
    web.on("/robots.txt", status(429, "Retry-After: 120"));
    assertThat(check("/"))
        .isEqualTo(
            new Unreachable("robots.txt was answered with status 429", Duration.ofMinutes(2)));

    web.on("/robots.txt", status(404));
    later(Duration.ofSeconds(119));
    assertThat(check("/")).isInstanceOf(Unreachable.class);
    later(Duration.ofSeconds(1));
    assertThat(check("/")).isEqualTo(ALLOWED);
  }

  @Test
  void check_longDelay_isToldAndBarsNothing_P11() {
    web.on("/robots.txt", text("User-agent: *\nCrawl-delay: 301"));

    assertThat(check("/")).isEqualTo(ALLOWED);
    assertThat(robots.rulesFor(web.url("/")).crawlDelay()).isEqualTo(Duration.ofSeconds(301));
  }

  @Test
  void check_manyUrlsFromManyThreads_asksOnce_P14() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    web.on(
        "/robots.txt",
        (request, out) -> {
          asked.countDown();
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          status(404).answer(request, out);
        });

    List<Future<RobotsAnswer>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        String path = "/" + i;
        answers.add(threads.submit(() -> check(path)));
      }
      asked.await();
      assertThat(web.requests()).hasSize(1);
      answer.countDown();
      for (Future<RobotsAnswer> one : answers) {
        assertThat(one.get()).isEqualTo(ALLOWED);
      }
    }
    assertThat(web.targets()).containsExactly("/robots.txt");
  }

  @Test
  void check_afterADay_asksAgain_P14() {
    check("/");
    later(RobotsRules.FRESH.minusMillis(1));
    check("/");
    assertThat(web.requests()).hasSize(1);

    later(Duration.ofMillis(1));
    check("/");
    assertThat(web.requests()).hasSize(2);
  }

  @Test
  void check_otherHost_hasItsOwnFile() {
    check("/");
    robots.check(CrawlUrl.of("http://b.localhost:" + web.port() + "/"));

    assertThat(web.requests().stream().map(request -> request.headers().get("host")))
        .containsExactly("a.localhost:" + web.port(), "b.localhost:" + web.port());
  }

  @Test
  void check_fiveRedirects_areFollowed() {
    redirects(5);
    web.on("/r5", text("User-agent: *\nDisallow: /x"));

    assertThat(check("/x")).isEqualTo(new Barred("Disallow: /x"));
    assertThat(web.requests()).hasSize(6);
  }

  @Test
  void check_sixRedirects_countAsNoFile() {
    redirects(6);
    web.on("/r6", text("User-agent: *\nDisallow: /x"));

    assertThat(check("/x")).isEqualTo(ALLOWED);
    assertThat(web.requests()).hasSize(6);
  }

  @Test
  void check_redirectToPrivateAddress_barsAndNeverConnects_P41() {
    web.on("/robots.txt", status(302, "Location: http://169.254.169.254/"));

    assertThat(check("/"))
        .isEqualTo(
            new Barred(
                "http://169.254.169.254/ may not be read: "
                    + "address: 169.254.169.254 is link-local"));
  }

  @Test
  void check_largeFileBehindRedirect_isCutNotRefused_P18() {
    String comments = "# a comment of thirty-two bytes..\n".repeat(400 * 1024 / 34);
    web.on("/robots.txt", status(302, "Location: /big.txt"));
    web.on(
        "/big.txt",
        text("User-agent: *\n" + comments + "Disallow: /x\n" + comments + "Disallow: /y\n"));

    assertThat(check("/x")).isEqualTo(new Barred("Disallow: /x"));
    assertThat(check("/y")).isEqualTo(ALLOWED);
  }

  @Test
  void check_fetcherThrows_wakesEverybodyAndIsNotKept() {
    AtomicBoolean broken = new AtomicBoolean(true);
    RobotsCache cache =
        new RobotsCache(
            (url, validators) -> {
              if (broken.get()) {
                throw new IllegalStateException("boom");
              }
              return fetcher.fetch(url, validators);
            },
            "ourbot",
            now::get);

    assertThatThrownBy(() -> cache.check(web.url("/"))).hasMessage("boom");
    broken.set(false);
    await().untilAsserted(() -> assertThat(cache.check(web.url("/"))).isEqualTo(ALLOWED));
  }

  @Test
  void allowAll_asksNobody() {
    assertThat(Robots.ALLOW_ALL.check(web.url("/"))).isEqualTo(ALLOWED);
    assertThat(web.connections()).isZero();
  }

  private RobotsAnswer check(String path) {
    return robots.check(web.url(path));
  }

  private void later(Duration time) {
    now.updateAndGet(then -> then.plus(time));
  }

  private void redirects(int count) {
    web.on("/robots.txt", status(301, "Location: /r1"));
    for (int i = 1; i < count; i++) {
      web.on("/r" + i, status(307, "Location: /r" + (i + 1)));
    }
  }

  private static TestWeb.Route text(String text) {
    return page("text/plain", text.getBytes(UTF_8));
  }
}
