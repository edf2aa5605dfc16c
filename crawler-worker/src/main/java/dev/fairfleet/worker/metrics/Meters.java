package dev.fairfleet.worker.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.DoubleAdder;

/** The sums of all meters since the last {@link #drain}. Safe for use by many threads. */
public final class Meters {
  private final Map<Meter, DoubleAdder> sums = new EnumMap<>(Meter.class);

  public Meters() {
    for (Meter meter : Meter.values()) {
      sums.put(meter, new DoubleAdder());
    }
  }

  /** Adds one. */
  public void add(Meter meter) {
    add(meter, 1);
  }

  /** Adds an amount in the meter's unit. */
  public void add(Meter meter, double amount) {
    Objects.requireNonNull(sums.get(meter)).add(amount);
  }

  /** Returns what was added since the last call, without the zeros, and begins anew. */
  public Map<Meter, Double> drain() {
    Map<Meter, Double> drained = new EnumMap<>(Meter.class);
    sums.forEach(
        (meter, sum) -> {
          double amount = sum.sumThenReset();
          if (amount != 0) {
            drained.put(meter, amount);
          }
        });
    return drained;
  }
}
