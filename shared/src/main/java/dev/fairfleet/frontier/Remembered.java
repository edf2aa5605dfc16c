package dev.fairfleet.frontier;

import dev.fairfleet.record.RecordId;
import java.util.Optional;
import java.util.Set;

/**
 * What is remembered of a page from whoever read it last, in any crawl.
 *
 * @param validators what to send to learn whether it changed since
 * @param contentHash hash of what was read, without volatile fields; empty if there was no record
 * @param outlinks hash of the links that {@link Outlinks} keeps of it; empty if it keeps none
 * @param rules hash of the site's rules under which its links were followed; empty if they were
 *     followed by a version that did not keep it
 * @param record the thing that it shows
 * @param lost things that it showed before and does not show any more, as long as nobody found out
 *     whether another page shows them
 */
public record Remembered(
    Validators validators,
    String contentHash,
    String outlinks,
    String rules,
    Optional<RecordId> record,
    Set<RecordId> lost) {
  /** Of a page that was never read. */
  public static final Remembered NOTHING =
      new Remembered(Validators.NONE, "", "", "", Optional.empty(), Set.of());

  public Remembered {
    lost = Set.copyOf(lost);
  }

  /** Returns it without what would let a server answer "not modified". */
  public Remembered withoutValidators() {
    return new Remembered(Validators.NONE, contentHash, "", "", record, lost);
  }
}
