package dev.fairfleet.memory;

import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records in memory, of any size, for tests and simulations. Thread-safe. */
public final class InMemoryRecordStore implements RecordStore {
  private final Map<RecordId, StoredRecord> records = new HashMap<>();

  @Override
  public synchronized Put put(CrawlRecord record, Instant now) {
    @Nullable StoredRecord before = records.get(record.id());
    if (before != null && before.record().contentHash().equals(record.contentHash())) {
      return Put.UNCHANGED;
    }
    Instant firstSeen = before == null ? now : before.firstSeen();
    records.put(record.id(), new StoredRecord(record, firstSeen, now));
    return before == null ? Put.CREATED : Put.CHANGED;
  }

  @Override
  public synchronized Optional<StoredRecord> find(RecordId id) {
    return Optional.ofNullable(records.get(id));
  }

  @Override
  public void forEach(SiteId site, Consumer<StoredRecord> each) {
    List<StoredRecord> found;
    synchronized (this) {
      found = records.values().stream().filter(r -> r.record().site().equals(site)).toList();
    }
    found.forEach(each);
  }
}
