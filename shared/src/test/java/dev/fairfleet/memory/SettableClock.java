package dev.fairfleet.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until a test moves it. Safe for use by many threads. */
public final class SettableClock implements InstantSource {
  private volatile Instant now;

  public SettableClock(Instant now) {
    this.now = now;
  }

  /** Moves the clock, also back. */
  public void advance(Duration by) {
    now = now.plus(by);
  }

  @Override
  public Instant instant() {
    return now;
  }
}
