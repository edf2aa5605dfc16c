package dev.fairfleet.memory;

import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.fairness.ServedCountsContract;

class InMemoryServedCountsTest extends ServedCountsContract {
  @Override
  protected ServedCounts empty() {
    return new InMemoryServedCounts(clock);
  }
}
