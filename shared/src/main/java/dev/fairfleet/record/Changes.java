package dev.fairfleet.record;

import java.util.List;

/**
 * One step through a site's records, those written first before those written last.
 *
 * @param records with tombstones, each as it is now; one that was written again meanwhile comes
 *     later
 * @param next where the next step begins, also when there is no more today; the text of a {@link
 *     FeedPosition}, for others an opaque one of printable ASCII without blanks
 * @param end whether there was no more when the step was made
 */
public record Changes(List<StoredRecord> records, String next, boolean end) {
  public Changes {
    records = List.copyOf(records);
  }
}
