package dev.fairfleet.seed;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one scheduled event asks for: a crawl of every site that is due, or of some sites, due or
 * not.
 *
 * @param scheduledTime when the crawl was due, which may be a while before it is started; every
 *     request for one scheduled time means the same crawl
 * @param only the sites to start; nothing means every site that is due
 * @param mode of the crawls; nothing leaves it to each site's {@code RecrawlPolicy}
 * @param most how many due sites to start at most; nothing leaves it to the function's settings
 */
public record SeedRequest(
    Instant scheduledTime, Optional<Set<SiteId>> only, Optional<CrawlMode> mode, OptionalInt most) {
  private static final int MAX_SHOWN = 100;

  /**
   * @throws IllegalArgumentException if {@code most} is below 1
   */
  public SeedRequest {
    only = only.map(Set::copyOf);
    if (most.isPresent() && most.getAsInt() < 1) {
      throw new IllegalArgumentException(
          "\"most\" is at least 1, not " + most.getAsInt() + ". No crawl was started.");
    }
  }

  /** Asks for crawls of the modes and in the number that the settings of sites and fleet say. */
  public SeedRequest(Instant scheduledTime, Optional<Set<SiteId>> only) {
    this(scheduledTime, only, Optional.empty(), OptionalInt.empty());
  }

  /**
   * Reads {@code {"scheduledTime": "2026-11-30T12:00:00Z", "sites": ["a", "b"], "mode": "FULL",
   * "most": 5000}}.
   *
   * <p>{@code scheduledTime} is what EventBridge Scheduler puts in place of {@code
   * <aws.scheduler.scheduled-time>} (EventBridge Scheduler User Guide, "Adding context attributes
   * using Amazon EventBridge Scheduler"). Where it is missing or unreadable, {@code time} counts:
   * the field in which an EventBridge rule tells when its event occurred. The fields after the time
   * may be left out; other fields are ignored.
   *
   * @throws IllegalArgumentException if no time can be read, or a field holds something else
   */
  public static SeedRequest parse(Map<String, Object> event) {
    return new SeedRequest(
        instant(event, "scheduledTime")
            .or(() -> instant(event, "time"))
            .orElseThrow(() -> noTime(event)),
        Optional.ofNullable(event.get("sites")).map(SeedRequest::siteIds),
        Optional.ofNullable(event.get("mode")).map(SeedRequest::mode),
        event.containsKey("most") ? OptionalInt.of(most(event.get("most"))) : OptionalInt.empty());
  }

  /** Returns the crawl that this request means. */
  public CrawlId crawl() {
    return CrawlId.scheduledFor(scheduledTime);
  }

  private static Optional<Instant> instant(Map<String, Object> event, String field) {
    if (!(event.get(field) instanceof String text)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Set<SiteId> siteIds(Object sites) {
    if (!(sites instanceof Collection<?> names)) {
      throw new IllegalArgumentException(
          "\"sites\" is a list of site ids, not " + shown(sites) + ". No crawl was started.");
    }
    Set<SiteId> ids = new LinkedHashSet<>();
    for (Object name : names) {
      ids.add(new SiteId(String.valueOf(name)));
    }
    return ids;
  }

  private static CrawlMode mode(Object mode) {
    for (CrawlMode each : CrawlMode.values()) {
      if (each.name().equals(mode)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "\"mode\" is one of "
            + List.of(CrawlMode.values())
            + ", not "
            + shown(mode)
            + ". No crawl was started.");
  }

  private static int most(@Nullable Object most) {
    if (most instanceof Integer number) {
      return number;
    }
    throw new IllegalArgumentException(
        "\"most\" is a whole number, not " + shown(most) + ". No crawl was started.");
  }

  private static IllegalArgumentException noTime(Map<String, Object> event) {
    return new IllegalArgumentException(
        "The event tells no scheduled time: \"scheduledTime\" is "
            + shown(event.get("scheduledTime"))
            + " and \"time\" is "
            + shown(event.get("time"))
            + ". One of them must be an instant such as 2026-11-30T12:00:00Z; give the schedule the"
            + " input {\"scheduledTime\": \"<aws.scheduler.scheduled-time>\"}. No crawl was started.");
  }

  private static String shown(@Nullable Object value) {
    if (value == null) {
      return "missing";
    }
    String text = value.toString();
    return '"' + (text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…") + '"';
  }
}
