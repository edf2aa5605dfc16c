package dev.fairfleet.sim;

import dev.fairfleet.sim.Scenario.Faults;
import dev.fairfleet.sim.Scenario.Sizes;
import java.time.Duration;

/** Small scenarios for tests, one difference at a time. */
final class Scenarios {
  private int sites = 20;
  private int pages = 1_000;
  private Sizes sizes = Sizes.ZIPF;
  private int hourlyLimit = 1_200;
  private Duration minDelay = Duration.ZERO;
  private int workers = 3;
  private int slots = 4;
  private double duplicates;
  private double late;
  private Duration killEvery = Duration.ZERO;
  private double throttling;
  private Duration skew = Duration.ZERO;
  private Duration purgeAt = Duration.ZERO;
  private int inFlightQuota = Faults.NONE.inFlightQuota();

  private Scenarios() {}

  /** Twenty sites of a thousand pages, and three workers of four slots. */
  static Scenarios small() {
    return new Scenarios();
  }

  Scenarios sites(int value) {
    sites = value;
    return this;
  }

  Scenarios pages(int value) {
    pages = value;
    return this;
  }

  Scenarios sizes(Sizes value) {
    sizes = value;
    return this;
  }

  Scenarios hourlyLimit(int value) {
    hourlyLimit = value;
    return this;
  }

  Scenarios minDelay(Duration value) {
    minDelay = value;
    return this;
  }

  Scenarios fleet(int ofWorkers, int ofSlots) {
    workers = ofWorkers;
    slots = ofSlots;
    return this;
  }

  Scenarios duplicates(double value) {
    duplicates = value;
    return this;
  }

  Scenarios late(double value) {
    late = value;
    return this;
  }

  Scenarios killEvery(Duration value) {
    killEvery = value;
    return this;
  }

  Scenarios throttling(double value) {
    throttling = value;
    return this;
  }

  Scenarios skew(Duration value) {
    skew = value;
    return this;
  }

  Scenarios purgeAt(Duration value) {
    purgeAt = value;
    return this;
  }

  Scenarios inFlightQuota(int value) {
    inFlightQuota = value;
    return this;
  }

  Scenario build() {
    return new Scenario(
        "small",
        sites,
        pages,
        sizes,
        hourlyLimit,
        minDelay,
        workers,
        slots,
        2,
        Duration.ofSeconds(1),
        new Faults(duplicates, late, killEvery, throttling, skew, purgeAt, inFlightQuota));
  }
}
