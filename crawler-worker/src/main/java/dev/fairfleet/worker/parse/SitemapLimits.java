package dev.fairfleet.worker.parse;

/**
 * How much is taken from one sitemap.
 *
 * @param entries most children and pages together
 * @param bytes most bytes after unpacking
 */
public record SitemapLimits(int entries, int bytes) {
  /** 50,000 entries and 50 MiB (sitemaps.org, "Sitemap file limits"). */
  public static final SitemapLimits DEFAULT = new SitemapLimits(50_000, 50 * 1024 * 1024);

  /**
   * @throws IllegalArgumentException if a limit is not positive
   */
  public SitemapLimits {
    if (entries < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "Limits must be at least 1, not " + entries + ", " + bytes);
    }
  }
}
