package dev.fairfleet.record;

import java.time.Instant;

/**
 * Says that a thing is no longer there.
 *
 * @param at when that was found out
 * @param reason how, for people: a page, and its status or rule, or that it no longer shows the
 *     thing
 */
public record Tombstone(Instant at, String reason) {}
