package dev.fairfleet.frontier;

/** Where a URL stands in its crawl: {@code SHELVED → QUEUED → DONE | FAILED | GONE | SKIPPED}. */
public enum PageState {
  /** Claimed, and waiting outside SQS until its site's window has room. */
  SHELVED,
  /** Claimed, and a task for it is, or is about to be, in SQS. */
  QUEUED,
  /** Fetched, its links claimed and sent, its record stored. */
  DONE,
  /** Failed as often as is allowed; the page says why. */
  FAILED,
  /** Answered 404 or 410. */
  GONE,
  /** Not crawled, or not read, by a rule that the page names. */
  SKIPPED;

  /** Tells whether nothing more happens to the URL in this crawl. */
  public boolean isFinal() {
    return switch (this) {
      case SHELVED, QUEUED -> false;
      case DONE, FAILED, GONE, SKIPPED -> true;
    };
  }
}
