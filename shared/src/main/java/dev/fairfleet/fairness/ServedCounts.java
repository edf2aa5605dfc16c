package dev.fairfleet.fairness;

import dev.fairfleet.site.SiteId;
import java.time.Duration;
import java.util.Map;

/**
 * The port to how much each site was served lately, counted by the whole fleet.
 *
 * <p>A page served counts e^(−λ·age), with a half-life of one hour (forward decay: Cormode et al.,
 * "Forward Decay: A Practical Time Decay Model for Streaming Systems", ICDE 2009). Implementations
 * are safe for use by many threads. One that is away forgets what it is told and answers {@link
 * Percentile#LOWEST}: fairness pauses, the crawl goes on.
 */
public interface ServedCounts {
  /** The time after which a page served counts half. */
  Duration HALF_LIFE = Duration.ofHours(1);

  /** The weight, in pages served now, below which a site is no longer active: six half-lives. */
  double LEAST_WEIGHT = 1.0 / 64;

  /** Adds pages served since the last call, by site. */
  void add(Map<SiteId, Integer> served);

  /** Returns which share of the active sites was served less than {@code site}. */
  Percentile percentile(SiteId site);
}
