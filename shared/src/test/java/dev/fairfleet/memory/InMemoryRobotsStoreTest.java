package dev.fairfleet.memory;

import dev.fairfleet.robots.RobotsStore;
import dev.fairfleet.robots.RobotsStoreContract;

class InMemoryRobotsStoreTest extends RobotsStoreContract {
  private final InMemoryRobotsStore store = new InMemoryRobotsStore(clock);

  @Override
  protected RobotsStore store() {
    return store;
  }
}
