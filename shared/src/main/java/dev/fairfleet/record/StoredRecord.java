package dev.fairfleet.record;

import java.time.Instant;

/**
 * A record with its history.
 *
 * @param firstSeen when it was stored first
 * @param lastChanged when its content hash last differed
 */
public record StoredRecord(CrawlRecord record, Instant firstSeen, Instant lastChanged) {}
