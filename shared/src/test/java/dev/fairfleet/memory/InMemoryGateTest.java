package dev.fairfleet.memory;

import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateContract;
import java.time.InstantSource;

class InMemoryGateTest extends GateContract {
  private final InMemoryGate gate = new InMemoryGate(InstantSource.system());

  @Override
  protected Gate gate() {
    return gate;
  }
}
