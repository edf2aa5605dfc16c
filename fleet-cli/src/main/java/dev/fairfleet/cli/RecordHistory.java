package dev.fairfleet.cli;

import dev.fairfleet.local.web.ChangingShop;
import dev.fairfleet.local.web.ChangingShop.Difference;
import dev.fairfleet.record.StoredRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the record of a product should say after one crawl of each of some versions of its shop.
 *
 * @param fields of the last version that had it
 * @param firstSeen the version that had it first; likewise the others
 * @param changes how often it changed
 * @param removed nothing while it is there
 * @param returned the last version to which it came back
 */
record RecordHistory(
    Map<String, String> fields,
    int firstSeen,
    int lastChanged,
    int changes,
    Optional<Integer> removed,
    Optional<Integer> returned) {

  /** When a version was crawled. */
  record Period(Instant begin, Instant end) {
    boolean includes(Instant time) {
      return !time.isBefore(begin) && !time.isAfter(end);
    }
  }

  /** Returns that of every product of the versions from 0 to {@code last}, by SKU. */
  static SortedMap<String, RecordHistory> of(ChangingShop shop, int last) {
    SortedMap<String, RecordHistory> histories = new TreeMap<>();
    for (int version = 0; version <= last; version++) {
      Map<String, Map<String, String>> truth = shop.truth(version);
      for (Map.Entry<String, Map<String, String>> entry : truth.entrySet()) {
        RecordHistory before = histories.get(entry.getKey());
        histories.put(
            entry.getKey(),
            before == null
                ? new RecordHistory(
                    entry.getValue(), version, version, 0, Optional.empty(), Optional.empty())
                : before.seen(entry.getValue(), version));
      }
      int now = version;
      histories.replaceAll(
          (sku, history) -> truth.containsKey(sku) ? history : history.notSeen(now));
    }
    return histories;
  }

  private RecordHistory seen(Map<String, String> now, int version) {
    boolean same = fields.equals(now);
    return new RecordHistory(
        now,
        firstSeen,
        same ? lastChanged : version,
        same ? changes : changes + 1,
        Optional.empty(),
        removed.isPresent() ? Optional.of(version) : returned);
  }

  private RecordHistory notSeen(int version) {
    return new RecordHistory(
        fields, firstSeen, lastChanged, changes, Optional.of(removed.orElse(version)), returned);
  }

  /**
   * Returns what is wrong with the records of a shop, a sentence each.
   *
   * @param crawls when each version from 0 on was crawled
   */
  static List<String> faults(
      Map<String, RecordHistory> expected, Map<String, StoredRecord> actual, List<Period> crawls) {
    List<String> faults = new ArrayList<>();
    expected.forEach(
        (sku, history) -> {
          StoredRecord stored = actual.get(sku);
          if (stored == null) {
            faults.add(sku + " has no record");
          } else {
            history.faults(stored, crawls).forEach(fault -> faults.add(sku + " " + fault));
          }
        });
    actual.keySet().stream()
        .filter(sku -> !expected.containsKey(sku))
        .forEach(sku -> faults.add(sku + " has a record, but there never was one"));
    return faults;
  }

  private List<String> faults(StoredRecord stored, List<Period> crawls) {
    List<String> faults = new ArrayList<>();
    if (!stored.record().fields().equals(fields)) {
      faults.add("is " + stored.record().fields() + ", but its page says " + fields);
    }
    check("firstSeen", Optional.of(firstSeen), Optional.of(stored.firstSeen()), crawls, faults);
    check(
        "lastChanged", Optional.of(lastChanged), Optional.of(stored.lastChanged()), crawls, faults);
    if (stored.changes() != changes) {
      faults.add("changed " + changes + " times, but says " + stored.changes());
    }
    check(
        "tombstone", removed, stored.tombstone().map(tombstone -> tombstone.at()), crawls, faults);
    check("returned", returned, stored.returned(), crawls, faults);
    return faults;
  }

  private static void check(
      String what,
      Optional<Integer> version,
      Optional<Instant> actual,
      List<Period> crawls,
      List<String> faults) {
    boolean right =
        version.isPresent() == actual.isPresent()
            && version.map(crawls::get).filter(it -> !it.includes(actual.orElseThrow())).isEmpty();
    if (!right) {
      faults.add(
          what
              + " should be "
              + version.map(it -> "within " + crawls.get(it)).orElse("empty")
              + ", but is "
              + actual.map(Instant::toString).orElse("empty"));
    }
  }

  /**
   * Returns the difference that records tell which were written at a time or later. A record that
   * was written for no reason that it names counts as changed.
   */
  static Difference told(List<StoredRecord> changes, Instant since) {
    SortedSet<String> added = new TreeSet<>();
    SortedSet<String> changed = new TreeSet<>();
    SortedSet<String> removed = new TreeSet<>();
    SortedSet<String> returned = new TreeSet<>();
    for (StoredRecord stored : changes) {
      SortedSet<String> kind;
      if (stored.tombstone().isPresent()) {
        kind = removed;
      } else if (!stored.firstSeen().isBefore(since)) {
        kind = added;
      } else if (stored.returned().filter(at -> !at.isBefore(since)).isPresent()) {
        kind = returned;
      } else {
        kind = changed;
      }
      kind.add(stored.record().naturalKey());
    }
    return new Difference(added, changed, removed, returned);
  }
}
