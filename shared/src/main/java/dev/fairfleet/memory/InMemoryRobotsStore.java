package dev.fairfleet.memory;

import dev.fairfleet.robots.Origin;
import dev.fairfleet.robots.RobotsFile;
import dev.fairfleet.robots.RobotsNote;
import dev.fairfleet.robots.RobotsStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What the workers of one process know, on the clock that they are given. Thread-safe. */
public final class InMemoryRobotsStore implements RobotsStore {
  private final InstantSource clock;
  private final Map<Origin, Entry> entries = new HashMap<>();

  private static final class Entry {
    Optional<RobotsFile> file = Optional.empty();
    Instant hadAt = Instant.MIN;
    int failures;
    String failure = "";
    Instant askAgainAt = Instant.MIN;
    long turn;
    Instant turnUntil = Instant.MIN;
  }

  public InMemoryRobotsStore(InstantSource clock) {
    this.clock = clock;
  }

  private Entry entry(Origin origin) {
    return entries.computeIfAbsent(origin, key -> new Entry());
  }

  @Override
  public synchronized RobotsNote find(Origin origin) {
    Entry entry = entry(origin);
    Instant now = clock.instant();
    return new RobotsNote(
        entry.file,
        entry.file.isPresent() ? Duration.between(entry.hadAt, now) : Duration.ZERO,
        entry.failures,
        entry.failure,
        entry.askAgainAt.isAfter(now) ? Duration.between(now, entry.askAgainAt) : Duration.ZERO);
  }

  @Override
  public synchronized OptionalLong begin(Origin origin, Duration lease) {
    Entry entry = entry(origin);
    Instant now = clock.instant();
    if (entry.turnUntil.isAfter(now) || entry.askAgainAt.isAfter(now)) {
      return OptionalLong.empty();
    }
    entry.turnUntil = now.plus(lease);
    return OptionalLong.of(++entry.turn);
  }

  @Override
  public synchronized void had(Origin origin, long turn, RobotsFile file, Duration askAgainIn) {
    Entry entry = entry(origin);
    if (entry.turn == turn) {
      Instant now = clock.instant();
      entry.file = Optional.of(file);
      entry.hadAt = now;
      entry.failures = 0;
      entry.failure = "";
      entry.askAgainAt = now.plus(askAgainIn);
      entry.turnUntil = Instant.MIN;
    }
  }

  @Override
  public synchronized void failed(Origin origin, long turn, String why, Duration askAgainIn) {
    Entry entry = entry(origin);
    if (entry.turn == turn) {
      entry.failures++;
      entry.failure = why;
      entry.askAgainAt = clock.instant().plus(askAgainIn);
      entry.turnUntil = Instant.MIN;
    }
  }

  @Override
  public synchronized void gaveUp(Origin origin, long turn) {
    Entry entry = entry(origin);
    if (entry.turn == turn) {
      entry.turnUntil = Instant.MIN;
    }
  }
}
