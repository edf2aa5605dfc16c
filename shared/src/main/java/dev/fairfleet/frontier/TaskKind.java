package dev.fairfleet.frontier;

/** What there is to be done for a task. */
public enum TaskKind {
  /** Fetch its URL. */
  PAGE,
  /**
   * See whether the crawl has ended, and if so, mark what it found deleted; its URL is the site's
   * first root, of which nothing is fetched.
   */
  END
}
