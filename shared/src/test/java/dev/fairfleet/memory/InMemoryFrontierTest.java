package dev.fairfleet.memory;

import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.FrontierContract;

class InMemoryFrontierTest extends FrontierContract {
  private final Frontier frontier = new InMemoryFrontier();

  @Override
  protected Frontier open() {
    return frontier;
  }
}
