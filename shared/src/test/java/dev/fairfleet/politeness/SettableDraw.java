package dev.fairfleet.politeness;

import java.util.random.RandomGenerator;

/** A source of whole numbers that always draws the one that a test set; 0 at first. */
public final class SettableDraw implements RandomGenerator {
  private volatile int next;

  /** Sets what is drawn from now on. */
  public void set(int next) {
    this.next = next;
  }

  @Override
  public int nextInt(int bound) {
    if (next >= bound) {
      throw new AssertionError("Drawn below " + bound + ", but " + next + " was set");
    }
    return next;
  }

  @Override
  public long nextLong() {
    throw new AssertionError("Only numbers below a bound are drawn");
  }
}
