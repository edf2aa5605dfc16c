package dev.fairfleet.memory;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.fairness.SiteWindowContract;

class InMemorySiteWindowTest extends SiteWindowContract {
  private final InMemorySiteWindow window = new InMemorySiteWindow(clock);

  @Override
  protected SiteWindow window() {
    return window;
  }
}
