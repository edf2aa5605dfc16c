package dev.fairfleet.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every gate must do; its clock may be a real one. */
public abstract class GateContract {
  private static final HostKey HOST = new HostKey("a.test", 443);
  private static final HostKey OTHER_HOST = new HostKey("b.test", 443);
  private static final GateLimits HOURLY = new GateLimits(4, 2, Duration.ZERO);
  private static final GateLimits DELAY = new GateLimits(1_000, 100, Duration.ofHours(1));

  private final SiteId site = new SiteId("site-" + UUID.randomUUID());

  /** Returns the gate under test; it may hold other sites. */
  protected abstract Gate gate();

  @Test
  void admit_newSite_isGranted() {
    assertThat(gate().admit(site, HOST, DELAY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_againWithinDelay_isDeferredToItsEnd() {
    gate().admit(site, HOST, DELAY);

    assertDeferred(gate().admit(site, HOST, DELAY), Admission.Limit.DELAY, Duration.ofHours(1));
  }

  @Test
  void admit_otherHostWithinDelay_isGranted() {
    gate().admit(site, HOST, DELAY);

    assertThat(gate().admit(site, OTHER_HOST, DELAY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_burstUsed_isDeferredByOneInterval() {
    gate().admit(site, HOST, HOURLY);
    gate().admit(site, HOST, HOURLY);

    assertDeferred(
        gate().admit(site, HOST, HOURLY),
        Admission.Limit.HOURLY,
        Duration.ofNanos(HOURLY.intervalMicros() * 1_000));
  }

  @Test
  void admit_burstUsedOnOneHost_countsForTheWholeSite() {
    gate().admit(site, HOST, HOURLY);
    gate().admit(site, OTHER_HOST, HOURLY);

    assertThat(gate().admit(site, HOST, HOURLY)).isInstanceOf(Admission.Deferred.class);
    assertThat(gate().admit(site, OTHER_HOST, HOURLY)).isInstanceOf(Admission.Deferred.class);
  }

  @Test
  void admit_burstOfOtherSiteUsed_isGranted() {
    SiteId other = new SiteId("other-" + UUID.randomUUID());
    for (int i = 0; i < 3; i++) {
      gate().admit(other, HOST, HOURLY);
    }

    assertThat(gate().admit(site, HOST, HOURLY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_deferred_isNotCounted() {
    GateLimits limits = new GateLimits(4, 2, Duration.ofHours(1));
    gate().admit(site, HOST, limits);
    for (int i = 0; i < 5; i++) {
      assertDeferred(gate().admit(site, HOST, limits), Admission.Limit.DELAY, Duration.ofHours(1));
    }

    assertThat(gate().admit(site, OTHER_HOST, limits)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_hostWithIpv6Address_isGranted() {
    assertThat(gate().admit(site, new HostKey("[::1]", 8080), DELAY))
        .isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_manyThreadsAtOnce_grantsExactlyTheBurst() throws Exception {
    GateLimits limits = new GateLimits(50, 7, Duration.ZERO);
    assertThat(answersOfManyThreads(limits))
        .containsOnly(true, false)
        .filteredOn(b -> b)
        .hasSize(7);
  }

  private List<Boolean> answersOfManyThreads(GateLimits limits)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> asked = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        asked.add(
            threads.submit(() -> gate().admit(site, HOST, limits) instanceof Admission.Granted));
      }
      List<Boolean> answers = new ArrayList<>();
      for (Future<Boolean> answer : asked) {
        answers.add(answer.get());
      }
      return answers;
    }
  }

  private static void assertDeferred(Admission admission, Admission.Limit limit, Duration most) {
    assertThat(admission)
        .isInstanceOfSatisfying(
            Admission.Deferred.class,
            deferred -> {
              assertThat(deferred.limit()).isEqualTo(limit);
              assertThat(deferred.after()).isPositive().isLessThanOrEqualTo(most);
            });
  }
}
