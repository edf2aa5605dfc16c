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

  /**
   * How long after its last page a site counts as active; then it is forgotten. Short, so that
   * sites that are finished do not make those that go on look served too much.
   */
  Duration ACTIVE_FOR = Duration.ofMinutes(5);

  /** Adds pages served since the last call, by site. */
  void add(Map<SiteId, Integer> served);

  /**
   * Returns which share of the active sites was clearly served less than {@code site}; {@link
   * Percentile#LOWEST} if that one is not active.
   */
  Percentile percentile(SiteId site);
}
