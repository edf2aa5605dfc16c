package dev.fairfleet.memory;

import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateContract;

class InMemoryGateTest extends GateContract {
  private final InMemoryGate gate = new InMemoryGate(clock, draw);

  @Override
  protected Gate gate() {
    return gate;
  }
}
