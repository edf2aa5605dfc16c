package dev.fairfleet.site;

/**
 * Decides what may be concluded from a crawl: that what it did not see is deleted, only if it asked
 * for everything, and nearly everything answered.
 *
 * <p>Pure and immutable: any thread may share it.
 *
 * @param mostUnseen greatest share of pages that may have failed, or be barred by robots.txt though
 *     they were read before
 * @param mostGone greatest share of pages that may be gone, and of records that may go, at once:
 *     whoever misconfigures a server takes all of it away, or sends everybody to one page
 */
public record EndPolicy(double mostUnseen, double mostGone) {
  /** A tenth unseen, half of it gone. */
  public static final EndPolicy DEFAULT = new EndPolicy(0.1, 0.5);

  /**
   * The pages of a crawl, counted at its end.
   *
   * @param done read, or as they were
   * @param gone answered 404 or 410
   * @param failed given up
   * @param skipped kept from being crawled or read by a rule
   * @param barred those of the skipped that robots.txt bars and that showed a record before
   * @param counted those that the site's page limit counts
   */
  public record Tally(long done, long gone, long failed, long skipped, long barred, long counted) {
    /** Returns all of them. */
    public long pages() {
      return done + gone + failed + skipped;
    }
  }

  /**
   * @throws IllegalArgumentException if a share is not between 0 and 1
   */
  public EndPolicy {
    require("mostUnseen", mostUnseen);
    require("mostGone", mostGone);
  }

  private static void require(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(name + " is a share from 0 to 1, not " + share);
    }
  }

  /**
   * What may be concluded.
   *
   * @param trusted whether a page that was gone in two crawls in a row counts as deleted
   * @param complete whether what the crawl did not see counts as deleted, too
   * @param remark why not, for people; empty if it does
   */
  public record Verdict(boolean trusted, boolean complete, String remark) {
    private static Verdict nothing(String remark) {
      return new Verdict(false, false, remark);
    }

    private static Verdict onlyWhatIsGoneTwice(String remark) {
      return new Verdict(true, false, remark);
    }
  }

  /** Returns what may be concluded from a crawl of which every page is in a final state. */
  public Verdict judge(CrawlRun run, SiteLimits limits, Tally tally) {
    if (run.interrupted()) {
      return Verdict.nothing("the site was stopped while it was crawled");
    }
    if (limits.hasPageLimit() && tally.counted() >= limits.maxPages()) {
      return Verdict.nothing("cut at the page limit of " + limits.maxPages());
    }
    if (tally.done() == 0) {
      return Verdict.nothing("no page could be read");
    }
    long unseen = tally.failed() + tally.barred();
    if (unseen > mostUnseen * tally.pages()) {
      return Verdict.nothing(
          unseen + " of " + tally.pages() + " pages failed or are barred by robots.txt now");
    }
    if (run.mode() != CrawlMode.FULL) {
      return Verdict.onlyWhatIsGoneTwice("an incremental crawl does not ask for everything");
    }
    if (tally.gone() > mostGone * tally.pages()) {
      return Verdict.onlyWhatIsGoneTwice(
          tally.gone()
              + " of "
              + tally.pages()
              + " pages are gone, which another crawl must confirm");
    }
    return new Verdict(true, true, "");
  }

  /** Returns what may be concluded if more records would go than may at once. */
  public Verdict tooMany(long withheld) {
    return Verdict.onlyWhatIsGoneTwice(
        withheld + " records would go at once, which only 404 or 410 in two crawls confirms");
  }
}
