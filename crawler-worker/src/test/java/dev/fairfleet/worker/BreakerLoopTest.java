package dev.fairfleet.worker;

import static dev.fairfleet.worker.TestFleet.CRAWL;
import static dev.fairfleet.worker.TestFleet.SITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.PageState;
import dev.fairfleet.queue.Requeue;
import dev.fairfleet.retry.BreakerPolicy;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.metrics.Meter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of the tasks of a site that the circuit breaker stops. */
final class BreakerLoopTest {
  private static final String[] PAGES =
      IntStream.range(0, 6).mapToObj(i -> "http://a.test/" + i).toArray(String[]::new);

  private final TestFleet fleet = new TestFleet();

  @BeforeEach
  void add() {
    fleet.add(SITE, SiteLimits.POLITE, "a.test", "b.test");
  }

  @AfterEach
  void stop() {
    fleet.stop();
  }

  private SiteState state() {
    return fleet.sites.find(SITE).orElseThrow().state();
  }

  private void resume() {
    fleet.ahead = fleet.ahead.plus(Duration.ofMinutes(1));
    fleet.sites.setState(SITE, SiteState.ACTIVE, "mended", fleet.clock.instant());
    int unused = new Requeue(fleet.sites, fleet.frontier, fleet.memory()).unfinished(SITE, CRAWL);
  }

  @Test
  void run_deadSite_isStoppedAndItsTasksLeaveTheQueue() {
    fleet.breakerPolicy = BreakerPolicy.DEFAULT;
    fleet.web = (url, validators) -> TestFleet.failure(FailureKind.CONNECT, "connect: refused");
    fleet.seed(PAGES);

    fleet.start();

    await().until(() -> state() == SiteState.STOPPED);
    fleet.awaitEmptyQueues();
    await().until(() -> fleet.count(Meter.TASK_DROPPED) > 0);
    assertThat(fleet.count(Meter.SITE_STOPPED)).isEqualTo(1);
    assertThat(fleet.windows.inspect(SITE).view().inside()).isZero();
  }

  @Test
  void run_siteStoppedBefore_tasksLeaveWithoutARequestAndStayUnfinished() {
    fleet.seed(PAGES);
    fleet.sites.setState(SITE, SiteState.STOPPED, "by hand", fleet.clock.instant());

    fleet.start();
    fleet.awaitEmptyQueues();

    assertThat(fleet.fetched).isEmpty();
    assertThat(fleet.pages(SITE, PageState.QUEUED)).hasSize(PAGES.length);
    assertThat(fleet.count(Meter.TASK_DROPPED)).isEqualTo(PAGES.length);
  }

  @Test
  void run_resumed_finishesEveryPageExactlyOnce() {
    Map<String, Integer> answers = new ConcurrentHashMap<>();
    Map<String, Boolean> asked = new ConcurrentHashMap<>();
    CountDownLatch mended = new CountDownLatch(1);
    fleet.breakerPolicy = new BreakerPolicy(2);
    fleet.web =
        (url, validators) -> {
          if (mended.getCount() > 0 && asked.putIfAbsent(url.toString(), true) == null) {
            return TestFleet.failure(FailureKind.TIMEOUT, "timeout: 10 s");
          }
          answers.merge(url.toString(), 1, Integer::sum);
          return TestFleet.waitingFor(mended).fetch(url, validators);
        };
    fleet.seed(PAGES);
    fleet.start();
    await().until(() -> state() == SiteState.STOPPED);

    mended.countDown();
    resume();

    await().until(() -> fleet.pages(SITE, PageState.DONE).size() == PAGES.length);
    assertThat(answers).hasSize(PAGES.length).allSatisfy((url, times) -> assertThat(times).isOne());
    assertThat(state()).isEqualTo(SiteState.ACTIVE);
  }

  @Test
  void run_oneBrokenPage_failsAloneAndTheSiteGoesOn() {
    fleet.breakerPolicy = new BreakerPolicy(2);
    fleet.web =
        (url, validators) ->
            url.toString().equals(PAGES[0])
                ? TestFleet.failure(FailureKind.BROKEN, "broken: no HTTP")
                : Html.fetched(url, "<title>x</title>");
    fleet.health.answered(SITE, Instant.EPOCH);
    fleet.seed(PAGES);

    fleet.start();

    fleet.awaitState(PAGES[0], PageState.FAILED);
    fleet.awaitEmptyQueues();
    assertThat(state()).isEqualTo(SiteState.ACTIVE);
    assertThat(fleet.pages(SITE, PageState.DONE)).hasSize(PAGES.length - 1);
  }

  /** Links of a page that was at work when its site was stopped wait for a person. */
  @Test
  void run_stoppedWhileAPageIsAtWork_sendsNoneOfItsLinks() {
    CountDownLatch answer = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    fleet.web =
        (url, validators) -> {
          begun.countDown();
          TestFleet.waitingFor(answer).fetch(url, validators);
          return Html.fetched(url, "<title>x</title><a href=/1>1</a><a href=/2>2</a>");
        };
    fleet.seed(PAGES[0]);
    fleet.start();
    await().until(() -> begun.getCount() == 0);
    fleet.sites.setState(SITE, SiteState.STOPPED, "by hand", fleet.clock.instant());
    fleet.ahead = Duration.ofSeconds(11);
    answer.countDown();

    fleet.awaitState(PAGES[0], PageState.DONE);

    assertThat(fleet.pages(SITE, PageState.SHELVED)).hasSize(2);
    fleet.awaitEmptyQueues();
  }
}
