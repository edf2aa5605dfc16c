package dev.fairfleet.memory;

import dev.fairfleet.record.Changes;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.record.Tombstone;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records in memory, of any size, for tests and simulations. Thread-safe. */
public final class InMemoryRecordStore implements RecordStore {
  private final Map<RecordId, Kept> records = new HashMap<>();

  /** A record, its place in the order of writes, and the crawl that deleted it, if one did. */
  private record Kept(StoredRecord stored, FeedPosition place, Optional<CrawlId> deletedBy) {}

  @Override
  public synchronized Put put(CrawlRecord record, Instant now) {
    @Nullable Kept kept = records.get(record.id());
    if (kept == null) {
      keep(new StoredRecord(record, now, now, 0, Optional.empty(), Optional.empty()), now);
      return Put.CREATED;
    }
    StoredRecord before = kept.stored();
    boolean same = before.record().contentHash().equals(record.contentHash());
    boolean back = before.tombstone().isPresent();
    if (same && !back) {
      return Put.UNCHANGED;
    }
    keep(
        new StoredRecord(
            record,
            before.firstSeen(),
            same ? before.lastChanged() : now,
            same ? before.changes() : before.changes() + 1,
            Optional.empty(),
            back ? Optional.of(now) : before.returned()),
        now);
    return back ? Put.RETURNED : Put.CHANGED;
  }

  private void keep(StoredRecord stored, Instant now) {
    RecordId id = stored.record().id();
    records.put(id, new Kept(stored, FeedPosition.of(id, now), Optional.empty()));
  }

  @Override
  public synchronized boolean delete(RecordId id, CrawlId crawl, String reason, Instant now) {
    @Nullable Kept kept = records.get(id);
    if (kept == null) {
      return false;
    }
    StoredRecord before = kept.stored();
    if (before.tombstone().isPresent()) {
      return kept.deletedBy().equals(Optional.of(crawl));
    }
    if (before.record().crawl().compareTo(crawl) > 0) {
      return false;
    }
    StoredRecord deleted =
        new StoredRecord(
            before.record(),
            before.firstSeen(),
            before.lastChanged(),
            before.changes(),
            Optional.of(new Tombstone(now, reason)),
            before.returned());
    records.put(id, new Kept(deleted, FeedPosition.of(id, now), Optional.of(crawl)));
    return true;
  }

  @Override
  public synchronized Optional<StoredRecord> find(RecordId id) {
    return Optional.ofNullable(records.get(id)).map(Kept::stored);
  }

  @Override
  public synchronized Changes changes(SiteId site, String from, int most) {
    FeedPosition begin = FeedPosition.parse(from);
    List<Kept> later =
        records.values().stream()
            .filter(kept -> isOf(site, kept) && kept.place().compareTo(begin) > 0)
            .sorted(Comparator.comparing(Kept::place))
            .limit(most + 1L)
            .toList();
    List<Kept> step = later.subList(0, Math.min(most, later.size()));
    return new Changes(
        step.stream().map(Kept::stored).toList(),
        (step.isEmpty() ? begin : step.getLast().place()).toString(),
        later.size() <= most);
  }

  @Override
  public void forEach(SiteId site, Consumer<StoredRecord> each) {
    List<StoredRecord> found;
    synchronized (this) {
      found = records.values().stream().filter(k -> isOf(site, k)).map(Kept::stored).toList();
    }
    found.forEach(each);
  }

  @Override
  public synchronized void removeAll(SiteId site) {
    records.values().removeIf(kept -> isOf(site, kept));
  }

  private static boolean isOf(SiteId site, Kept kept) {
    return kept.stored().record().site().equals(site);
  }
}
