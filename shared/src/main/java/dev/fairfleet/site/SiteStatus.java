package dev.fairfleet.site;

import java.util.Optional;

/**
 * A site and where it stands.
 *
 * @param reason why the site is in its state; empty when nobody gave one
 * @param crawl its newest crawl; nothing before the first
 * @param started whether the roots of that crawl are known to be in the queue
 */
public record SiteStatus(
    Site site, SiteState state, String reason, Optional<CrawlId> crawl, boolean started) {}
