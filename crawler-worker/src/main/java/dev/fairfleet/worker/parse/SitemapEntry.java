package dev.fairfleet.worker.parse;

import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.Optional;

/**
 * One URL of a sitemap or feed.
 *
 * @param modified when it changed last, as the file has it; nothing if the file does not say, or
 *     says nonsense. It may lie in the future.
 */
public record SitemapEntry(CrawlUrl url, Optional<Instant> modified) {}
