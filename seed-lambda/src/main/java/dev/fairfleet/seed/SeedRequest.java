package dev.fairfleet.seed;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one scheduled event asks for: a crawl of every site, or of some.
 *
 * @param scheduledTime when the crawl was due, which may be a while before it is started; every
 *     request for one scheduled time means the same crawl
 * @param only the sites to start; nothing means every site
 */
public record SeedRequest(Instant scheduledTime, Optional<Set<SiteId>> only) {
  private static final int MAX_SHOWN = 100;

  public SeedRequest {
    only = only.map(Set::copyOf);
  }

  /**
   * Reads {@code {"scheduledTime": "2026-11-30T12:00:00Z", "sites": ["a", "b"]}}.
   *
   * <p>{@code scheduledTime} is what EventBridge Scheduler puts in place of {@code
   * <aws.scheduler.scheduled-time>} (EventBridge Scheduler User Guide, "Adding context attributes
   * using Amazon EventBridge Scheduler"). Where it is missing or unreadable, {@code time} counts:
   * the field in which an EventBridge rule tells when its event occurred. {@code sites} may be left
   * out; other fields are ignored.
   *
   * @throws IllegalArgumentException if no time can be read, or {@code sites} is no list of site
   *     ids
   */
  public static SeedRequest parse(Map<String, Object> event) {
    return new SeedRequest(
        instant(event, "scheduledTime")
            .or(() -> instant(event, "time"))
            .orElseThrow(() -> noTime(event)),
        Optional.ofNullable(event.get("sites")).map(SeedRequest::siteIds));
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
