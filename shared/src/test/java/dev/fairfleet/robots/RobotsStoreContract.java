package dev.fairfleet.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What all stores of robots.txt files must do. */
public abstract class RobotsStoreContract {
  private static final Duration MICRO = Duration.ofNanos(1_000);
  private static final Duration LEASE = Duration.ofMinutes(2);
  private static final Duration FRESH = Duration.ofHours(12);
  private static final Duration RETRY = Duration.ofSeconds(45);
  private static final RobotsFile NONE = new RobotsFile.None("status 404");

  /** The clock that {@link #store} must use. */
  protected final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));

  private final String host = "h" + UUID.randomUUID() + ".test";
  private final Origin origin = Origin.of(CrawlUrl.of("https://" + host + "/"));

  /** Returns the store under test; it may hold other origins. */
  protected abstract RobotsStore store();

  private long begin() {
    return store().begin(origin, LEASE).orElseThrow();
  }

  private void had(RobotsFile file) {
    store().had(origin, begin(), file, FRESH);
  }

  @Test
  void find_neverAsked_isUnknown() {
    assertThat(store().find(origin)).isEqualTo(RobotsNote.UNKNOWN);
  }

  @Test
  void had_text_isFoundAsItWas() {
    String everyOctet =
        IntStream.range(0, 256)
            .collect(StringBuilder::new, (s, c) -> s.append((char) c), StringBuilder::append)
            .toString();
    RobotsFile file =
        new RobotsFile.Text(
            everyOctet + "Disallow: /x\r\n".repeat(30_000),
            new Validators("\"\u00E9tag\"", "Mon, 30 Nov 2026 12:00:00 GMT"));
    had(file);

    assertThat(store().find(origin))
        .isEqualTo(new RobotsNote(Optional.of(file), Duration.ZERO, 0, "", FRESH));
  }

  @Test
  void had_emptyText_isNotNothing() {
    RobotsFile file = new RobotsFile.Text("", Validators.NONE);
    had(file);

    assertThat(store().find(origin).file()).contains(file);
  }

  @Test
  void had_noneOrForbidden_isFoundAsItWas() {
    had(NONE);
    assertThat(store().find(origin).file()).contains(NONE);

    clock.advance(FRESH);
    RobotsFile forbidden = new RobotsFile.Forbidden("address: 10.0.0.1 is private");
    had(forbidden);
    assertThat(store().find(origin).file()).contains(forbidden);
  }

  @Test
  void find_timePasses_tellsAgeAndWhenToAsk() {
    had(NONE);
    clock.advance(FRESH.minus(MICRO));
    assertThat(store().find(origin).age()).isEqualTo(FRESH.minus(MICRO));
    assertThat(store().find(origin).askAgainIn()).isEqualTo(MICRO);
    assertThat(store().find(origin).isDue()).isFalse();

    clock.advance(MICRO);
    assertThat(store().find(origin).isDue()).isTrue();
    clock.advance(FRESH);
    assertThat(store().find(origin))
        .isEqualTo(new RobotsNote(Optional.of(NONE), FRESH.multipliedBy(2), 0, "", Duration.ZERO));
  }

  @Test
  void begin_somebodyElseAsks_isRefusedUntilTheLeaseEnds() {
    begin();
    assertThat(store().begin(origin, LEASE)).isEmpty();
    clock.advance(LEASE.minus(MICRO));
    assertThat(store().begin(origin, LEASE)).isEmpty();
    clock.advance(MICRO);

    assertThat(store().begin(origin, LEASE)).isPresent();
    assertThat(store().begin(origin, LEASE)).isEmpty();
  }

  @Test
  void begin_notDue_isRefusedUntilItIs() {
    had(NONE);
    assertThat(store().begin(origin, LEASE)).isEmpty();
    clock.advance(FRESH.minus(MICRO));
    assertThat(store().begin(origin, LEASE)).isEmpty();
    clock.advance(MICRO);

    assertThat(store().begin(origin, LEASE)).isPresent();
  }

  @Test
  void begin_otherSchemeHostOrPort_isAnotherOrigin() {
    begin();

    for (String url :
        List.of("http://" + host + "/", "https://" + host + ":444/", "https://x" + host + "/")) {
      assertThat(store().begin(Origin.of(CrawlUrl.of(url)), LEASE)).as(url).isPresent();
    }
    assertThat(store().begin(Origin.of(CrawlUrl.of("https://" + host + "/x")), LEASE)).isEmpty();
  }

  @Test
  void begin_manyThreadsAtOnce_grantsOne() throws Exception {
    int granted = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<OptionalLong>> asked = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        asked.add(threads.submit(() -> store().begin(origin, LEASE)));
      }
      for (Future<OptionalLong> one : asked) {
        granted += one.get().isPresent() ? 1 : 0;
      }
    }
    assertThat(granted).isEqualTo(1);
  }

  @Test
  void failed_again_countsAndKeepsWhatWasHad() {
    had(NONE);
    clock.advance(FRESH);
    store().failed(origin, begin(), "status 503", RETRY);

    assertThat(store().find(origin))
        .isEqualTo(new RobotsNote(Optional.of(NONE), FRESH, 1, "status 503", RETRY));
    clock.advance(RETRY);
    store().failed(origin, begin(), "status 500", RETRY);
    assertThat(store().find(origin))
        .isEqualTo(new RobotsNote(Optional.of(NONE), FRESH.plus(RETRY), 2, "status 500", RETRY));
  }

  @Test
  void failed_first_isAllThatIsKnown() {
    store().failed(origin, begin(), "status 503", RETRY);

    assertThat(store().find(origin))
        .isEqualTo(new RobotsNote(Optional.empty(), Duration.ZERO, 1, "status 503", RETRY));
    assertThat(store().begin(origin, LEASE)).isEmpty();
    clock.advance(RETRY);
    assertThat(store().begin(origin, LEASE)).isPresent();
  }

  @Test
  void had_afterFailures_forgetsThem() {
    store().failed(origin, begin(), "status 503", RETRY);
    clock.advance(RETRY);
    had(NONE);

    assertThat(store().find(origin))
        .isEqualTo(new RobotsNote(Optional.of(NONE), Duration.ZERO, 0, "", FRESH));
  }

  @Test
  void gaveUp_turn_isFreeAtOnce() {
    store().gaveUp(origin, begin());

    assertThat(store().find(origin)).isEqualTo(RobotsNote.UNKNOWN);
    assertThat(store().begin(origin, LEASE)).isPresent();
  }

  @Test
  void end_ofATurnThatSomebodyElseTookOver_changesNothing() {
    long late = begin();
    clock.advance(LEASE);
    long now = begin();

    store().had(origin, late, new RobotsFile.None("late"), FRESH);
    store().failed(origin, late, "late", RETRY);
    store().gaveUp(origin, late);
    assertThat(store().find(origin)).isEqualTo(RobotsNote.UNKNOWN);
    assertThat(store().begin(origin, LEASE)).isEmpty();

    store().had(origin, now, NONE, FRESH);
    assertThat(store().find(origin).file()).contains(NONE);
  }

  @Test
  void had_lateButNobodyTookOver_counts() {
    long turn = begin();
    clock.advance(LEASE.multipliedBy(2));
    store().had(origin, turn, NONE, FRESH);

    assertThat(store().find(origin).file()).contains(NONE);
  }
}
