package dev.fairfleet.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.queue.PollPolicy.Facts;
import dev.fairfleet.queue.PollPolicy.Poll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollPolicyTest {
  private static final int LOW_SHARE = 5;
  private static final Duration GATHER = Duration.ofSeconds(1);
  private static final int MANY = 50;

  private final PollPolicy policy = new PollPolicy(LOW_SHARE, GATHER);

  /** A worker with many places, all free, that knows of nothing; each method tells one thing. */
  private record Worker(Facts facts) {
    static Worker idle() {
      return new Worker(
          new Facts(
              MANY, MANY, Duration.ZERO, false, false, false, 0, Duration.ZERO, Duration.ZERO));
    }

    Worker underWay(boolean high, boolean low) {
      return new Worker(
          new Facts(
              facts.free(),
              facts.places(),
              facts.waited(),
              high,
              low,
              facts.highWasFull(),
              facts.highsInARow(),
              facts.highDwell(),
              facts.lowDwell()));
    }

    Worker highs(boolean full, int inARow) {
      return new Worker(
          new Facts(
              facts.free(),
              facts.places(),
              facts.waited(),
              facts.highUnderWay(),
              facts.lowUnderWay(),
              full,
              inARow,
              facts.highDwell(),
              facts.lowDwell()));
    }

    Worker dwell(long highMillis, long lowMillis) {
      return new Worker(
          new Facts(
              facts.free(),
              facts.places(),
              facts.waited(),
              facts.highUnderWay(),
              facts.lowUnderWay(),
              facts.highWasFull(),
              facts.highsInARow(),
              Duration.ofMillis(highMillis),
              Duration.ofMillis(lowMillis)));
    }

    Worker places(int free, int places, long waitedMillis) {
      return new Worker(
          new Facts(
              free,
              places,
              Duration.ofMillis(waitedMillis),
              facts.highUnderWay(),
              facts.lowUnderWay(),
              facts.highWasFull(),
              facts.highsInARow(),
              facts.highDwell(),
              facts.lowDwell()));
    }
  }

  private Optional<Poll> next(Worker worker) {
    return policy.next(worker.facts());
  }

  private static Optional<Poll> high(int max) {
    return Optional.of(new Poll(Priority.HIGH, max));
  }

  private static Optional<Poll> low(int max) {
    return Optional.of(new Poll(Priority.LOW, max));
  }

  @Test
  void next_nothingKnown_asksHighForABatch() {
    assertThat(next(Worker.idle())).isEqualTo(high(10));
  }

  @ParameterizedTest(name = "high under way {0} and full {1}, low under way {2}: {3}")
  @CsvSource({
    "false, false, false, HIGH",
    "false, true, false, HIGH",
    "false, false, true, HIGH",
    "false, true, true, HIGH",
    "true, false, false, LOW",
    "true, true, false,",
    "true, false, true,",
    "true, true, true,",
  })
  void next_underWay_asksHighFirstAndLowWhileHighIsEmpty(
      boolean highUnderWay, boolean highWasFull, boolean lowUnderWay, Priority asked) {
    Worker worker = Worker.idle().highs(highWasFull, 1).underWay(highUnderWay, lowUnderWay);

    assertThat(next(worker).map(Poll::priority)).isEqualTo(Optional.ofNullable(asked));
  }

  /** P86: what was full a moment ago may be empty now, and its receive wait for 20 s. */
  @ParameterizedTest
  @CsvSource({"999, ", "1000, LOW"})
  void next_highWasFullAndDoesNotReturn_asksLow(long waited, Priority asked) {
    Worker worker =
        Worker.idle()
            .highs(true, 1)
            .dwell(30_000, 0)
            .underWay(true, false)
            .places(MANY, MANY, waited);

    assertThat(next(worker).map(Poll::priority)).isEqualTo(Optional.ofNullable(asked));
  }

  @ParameterizedTest(name = "after {0} receives on high, of which one is under way {1}: {2}")
  @CsvSource({
    "3, false, HIGH",
    "4, false, LOW",
    "5, false, LOW",
    "3, true,",
    "4, true, LOW",
  })
  void next_highIsBusy_lowIsAskedOnceInFive(int highs, boolean highUnderWay, Priority asked) {
    Worker worker = Worker.idle().highs(true, highs).underWay(highUnderWay, false);

    assertThat(next(worker).map(Poll::priority)).isEqualTo(Optional.ofNullable(asked));
  }

  @ParameterizedTest(name = "high waits {0} ms, low {1} ms: {2}")
  @CsvSource({
    "0, 0, HIGH",
    "0, 1, LOW",
    "5000, 4999, HIGH",
    "5000, 5000, HIGH",
    "5000, 5001, LOW",
  })
  void next_lowsTasksWaitLonger_asksLowFirst(long highDwell, long lowDwell, Priority asked) {
    Worker worker = Worker.idle().highs(true, 1).dwell(highDwell, lowDwell);

    assertThat(next(worker).map(Poll::priority)).contains(asked);
  }

  /** Then low's turn is under way already. */
  @Test
  void next_lowsTurnAndLowUnderWay_asksHigh() {
    Worker worker = Worker.idle().highs(true, LOW_SHARE).dwell(0, 60_000).underWay(false, true);

    assertThat(next(worker)).isEqualTo(high(10));
  }

  /** P86: for 1,000 tasks of low, no receive of low waits for the long poll of an empty high. */
  @Test
  void next_highIsEmpty_lowIsAskedAgainAndAgain() {
    Worker worker = Worker.idle().highs(false, 1).underWay(true, false);
    for (int i = 0; i < 100; i++) {
      assertThat(next(worker)).isEqualTo(low(10));
    }
  }

  /** P86: while high always has more, one receive in five is low's. */
  @Test
  void next_highIsAlwaysFull_lowHasItsShare() {
    List<Priority> asked = new ArrayList<>();
    int highs = 0;
    for (int i = 0; i < 20; i++) {
      Priority next = next(Worker.idle().highs(true, highs)).orElseThrow().priority();
      asked.add(next);
      highs = next == Priority.HIGH ? highs + 1 : 0;
    }

    assertThat(asked.stream().filter(next -> next == Priority.LOW)).hasSize(4);
    for (int i = LOW_SHARE - 1; i < asked.size(); i += LOW_SHARE) {
      assertThat(asked.get(i)).isEqualTo(Priority.LOW);
    }
  }

  @ParameterizedTest(name = "{0} of {1} places free for {2} ms: {3}")
  @CsvSource({
    "50, 50, 0, 10",
    "10, 50, 0, 10",
    "9, 50, 0, 0",
    "9, 50, 999, 0",
    "9, 50, 1000, 9",
    "1, 50, 1000, 1",
    "0, 50, 60000, 0",
    "-1, 50, 60000, 0",
    "10, 20, 0, 10",
    "9, 20, 0, 0",
  })
  void next_placesFree_waitsForAWholeBatchOfThemButNotForLong(
      int free, int places, long waited, int max) {
    assertThat(next(Worker.idle().places(free, places, waited)))
        .isEqualTo(max == 0 ? Optional.empty() : high(max));
  }

  /** So that both queues can be asked at a time. */
  @ParameterizedTest(name = "{0} of {1} places free for {2} ms: {3}")
  @CsvSource({
    "19, 19, 0, 9",
    "4, 8, 0, 4",
    "3, 8, 0, 0",
    "3, 8, 1000, 3",
    "1, 3, 0, 1",
    "2, 2, 0, 1",
    "1, 1, 0, 1",
    "0, 1, 60000, 0",
  })
  void next_fewPlaces_asksForHalfOfThem(int free, int places, long waited, int max) {
    assertThat(next(Worker.idle().places(free, places, waited)))
        .isEqualTo(max == 0 ? Optional.empty() : high(max));
  }

  @Property
  void next_anyFacts_asksForNoMoreThanThereIsRoomForAndNoQueueTwice(
      @ForAll @IntRange(min = 1, max = 100) int places,
      @ForAll @IntRange(max = 100) int free,
      @ForAll @IntRange(max = 3_000) int waited,
      @ForAll boolean highUnderWay,
      @ForAll boolean lowUnderWay,
      @ForAll boolean highWasFull,
      @ForAll @IntRange(max = 10) int highs,
      @ForAll @IntRange(max = 10_000) int highDwell,
      @ForAll @IntRange(max = 10_000) int lowDwell) {
    Worker worker =
        Worker.idle()
            .places(Math.min(free, places), places, waited)
            .underWay(highUnderWay, lowUnderWay)
            .highs(highWasFull, highs)
            .dwell(highDwell, lowDwell);

    Optional<Poll> next = next(worker);

    next.ifPresent(
        poll -> {
          assertThat(poll.max()).isBetween(1, Math.min(free, TaskQueue.MAX_BATCH));
          assertThat(poll.priority() == Priority.HIGH ? highUnderWay : lowUnderWay).isFalse();
        });
    boolean waitedLong = worker.facts().free() > 0 && waited >= GATHER.toMillis();
    assertThat(next.isPresent() || !waitedLong || (highUnderWay && lowUnderWay))
        .as("free places are used within the time to gather")
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "0, 0", "2, -1"})
  void new_outOfRange_isRefused(int lowShare, long gather) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PollPolicy(lowShare, Duration.ofMillis(gather)));
  }
}
