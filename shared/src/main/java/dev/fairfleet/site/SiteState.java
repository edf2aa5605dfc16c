package dev.fairfleet.site;

/** Whether a site is crawled. */
public enum SiteState {
  /** Crawled whenever it is due. */
  ACTIVE,
  /** Left alone until somebody resumes it; the site says why. */
  STOPPED
}
