package dev.fairfleet.memory;

import dev.fairfleet.site.SiteStore;
import dev.fairfleet.site.SiteStoreContract;

class InMemorySiteStoreTest extends SiteStoreContract {
  private final SiteStore store = new InMemorySiteStore();

  @Override
  protected SiteStore store() {
    return store;
  }
}
