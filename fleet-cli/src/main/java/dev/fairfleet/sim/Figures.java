package dev.fairfleet.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a simulation counts, and how it went over time. */
final class Figures {
  private static final long SAMPLE = 30 * World.SECOND;
  private static final int MOST_SAMPLES = 1_200;
  private static final double ACTIVE_SHARE = 0.1;

  private final World world;
  private final List<Outcome.Sample> samples = new ArrayList<>();
  private final boolean[] hadPagesLeft;
  private long every = SAMPLE;
  private long sampledAt;
  private double jainSum;
  private int jainCount;
  private long requestsBefore;
  private long throttledBefore;
  private long pagesBefore;
  private int[] dwells = new int[1 << 16];
  private int dwellCount;
  private long mostInFlight;

  long receiveRequests;
  long emptyReceives;
  long sendRequests;
  long deleteRequests;
  long changeRequests;
  long receives;
  long requests;
  long throttled;
  long shelvedAgain;
  long answered429;
  long renewed;
  long healed;
  long kills;

  Figures(World world) {
    this.world = world;
    this.hadPagesLeft = new boolean[world.sites.size()];
    Arrays.fill(hadPagesLeft, true);
  }

  /** Notes how long after its turn a page was asked for. */
  void dwell(long micros) {
    if (dwellCount == dwells.length) {
      dwells = Arrays.copyOf(dwells, dwellCount * 2);
    }
    dwells[dwellCount++] = Math.clamp(micros / 1_000, 0, Integer.MAX_VALUE);
  }

  /** To be called after every event. */
  void tick() {
    mostInFlight = Math.max(mostInFlight, world.inFlight());
    if (world.now() >= sampledAt + every) {
      sample();
    }
  }

  private void sample() {
    double seconds = (world.now() - sampledAt) / (double) World.SECOND;
    samples.add(
        new Outcome.Sample(
            world.now() / (double) World.SECOND,
            world.high.visible() + world.low.visible(),
            world.inFlight(),
            world.high.delayed() + world.low.delayed(),
            (world.pagesDone - pagesBefore) / seconds,
            (throttled - throttledBefore) / seconds,
            (sqsRequests() - requestsBefore) / seconds,
            sampleJain()));
    sampledAt = world.now();
    pagesBefore = world.pagesDone;
    throttledBefore = throttled;
    requestsBefore = sqsRequests();
    if (samples.size() == MOST_SAMPLES) {
      // Every other one is enough for a picture.
      for (int i = 0; i < MOST_SAMPLES / 2; i++) {
        samples.set(i, samples.get(2 * i + 1));
      }
      samples.subList(MOST_SAMPLES / 2, MOST_SAMPLES).clear();
      every *= 2;
    }
  }

  private double sampleJain() {
    int active = 0;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < hadPagesLeft.length; i++) {
      SimSite site = world.sites.get(i);
      if (hadPagesLeft[i] && !site.isFinished()) {
        active++;
        sum += site.done;
        squares += (double) site.done * site.done;
      }
      hadPagesLeft[i] = !site.isFinished();
    }
    if (active < Math.max(2, ACTIVE_SHARE * hadPagesLeft.length) || sum == 0) {
      return Double.NaN;
    }
    double jain = sum * sum / (active * squares);
    jainSum += jain;
    jainCount++;
    return jain;
  }

  private long sqsRequests() {
    return receiveRequests + sendRequests + deleteRequests + changeRequests;
  }

  Outcome.Costs costs() {
    double pages = world.pages();
    return new Outcome.Costs(
        receives / pages,
        receiveRequests / pages,
        sendRequests / pages,
        deleteRequests / pages,
        changeRequests / pages);
  }

  Outcome.Dwell dwell() {
    int[] sorted = Arrays.copyOf(dwells, dwellCount);
    Arrays.sort(sorted);
    return new Outcome.Dwell(
        percentile(sorted, 0.5), percentile(sorted, 0.95), percentile(sorted, 0.99));
  }

  private static double percentile(int[] sorted, double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return rank == 0 ? 0 : sorted[rank - 1] / 1_000.0;
  }

  Outcome.Counts counts() {
    return new Outcome.Counts(
        world.pages(),
        requests,
        throttled,
        shelvedAgain,
        answered429,
        renewed,
        healed,
        world.high.copies() + world.low.copies(),
        world.doubleWork,
        kills,
        emptyReceives);
  }

  /** Returns the mean of the fairness index over all samples that have one; 1 if none has. */
  double jain() {
    return jainCount == 0 ? 1 : jainSum / jainCount;
  }

  long mostInFlight() {
    return mostInFlight;
  }

  List<Outcome.Sample> samples() {
    return List.copyOf(samples);
  }
}
