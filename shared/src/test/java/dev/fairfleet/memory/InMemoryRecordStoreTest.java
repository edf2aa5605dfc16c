package dev.fairfleet.memory;

import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.RecordStoreContract;

class InMemoryRecordStoreTest extends RecordStoreContract {
  private final RecordStore store = new InMemoryRecordStore();

  @Override
  protected RecordStore store() {
    return store;
  }
}
