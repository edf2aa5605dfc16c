package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.record.StoredRecord;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordChangeTest {
  private static final StoredRecord FRESH = Stored.fresh("1", Map.of());
  private static final StoredRecord RETURNED = Stored.returned("1", Map.of());
  private static final StoredRecord DELETED = Stored.deleted("1", Map.of(), "404");

  private static RecordChange of(StoredRecord stored, Instant since) {
    return RecordChange.of(stored, FeedPosition.since(since));
  }

  @Test
  void of_firstSeenInThatMillisecond_isAddedIfItComesAfter() {
    FeedPosition place = FeedPosition.of(FRESH.record().id(), Stored.NOON);
    FeedPosition before = new FeedPosition(Stored.NOON, "0");
    assertThat(RecordChange.of(FRESH, before)).isEqualTo(RecordChange.ADDED);
    assertThat(RecordChange.of(FRESH, place)).isEqualTo(RecordChange.CHANGED);
  }

  @Test
  void of_firstSeenAtThatMoment_isAdded() {
    assertThat(of(FRESH, Stored.NOON)).isEqualTo(RecordChange.ADDED);
    assertThat(of(RETURNED, Stored.NOON)).isEqualTo(RecordChange.ADDED);
  }

  @Test
  void of_firstSeenBefore_isChanged() {
    assertThat(of(FRESH, Stored.NOON.plusMillis(1))).isEqualTo(RecordChange.CHANGED);
  }

  @Test
  void of_cameBackSince_isReturned() {
    Instant back = Stored.NOON.plusSeconds(7_200);
    assertThat(of(RETURNED, Stored.NOON.plusMillis(1))).isEqualTo(RecordChange.RETURNED);
    assertThat(of(RETURNED, back)).isEqualTo(RecordChange.RETURNED);
    assertThat(of(RETURNED, back.plusMillis(1))).isEqualTo(RecordChange.CHANGED);
  }

  @Test
  void of_tombstone_isRemoved() {
    assertThat(of(DELETED, Instant.EPOCH)).isEqualTo(RecordChange.REMOVED);
    assertThat(of(DELETED, Stored.NOON.plusSeconds(3_600))).isEqualTo(RecordChange.REMOVED);
  }
}
