package dev.fairfleet.memory;

import dev.fairfleet.retry.SiteHealth;
import dev.fairfleet.retry.SiteHealthContract;

class InMemorySiteHealthTest extends SiteHealthContract {
  private final InMemorySiteHealth health = new InMemorySiteHealth(clock);

  @Override
  protected SiteHealth health() {
    return health;
  }
}
