package dev.fairfleet.memory;

import dev.fairfleet.frontier.Outlinks;
import dev.fairfleet.frontier.OutlinksContract;

class InMemoryOutlinksTest extends OutlinksContract {
  private final InMemoryOutlinks outlinks = new InMemoryOutlinks();

  @Override
  protected Outlinks open() {
    return outlinks;
  }
}
