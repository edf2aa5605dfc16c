package dev.fairfleet.site;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/**
 * The name of one run over a site, made from the time for which it was scheduled.
 *
 * <p>A later crawl has a greater id, by character order as well, which is how a conditional write
 * tells a page of an older crawl; and two invocations for one scheduled time make the same id,
 * which is how they start one crawl and not two.
 *
 * @param value the scheduled time in UTC as {@code yyyyMMdd'T'HHmmss.SSS'Z'}
 */
public record CrawlId(String value) implements Comparable<CrawlId> {
  private static final Pattern FORM = Pattern.compile("\\d{8}T\\d{6}\\.\\d{3}Z");
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  /**
   * @throws IllegalArgumentException if {@code value} has another form
   */
  public CrawlId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "A crawl id looks like 20261130T120000.000Z, not \"" + value + "\"");
    }
  }

  /** Returns the id of the crawl scheduled for {@code time}, to the millisecond. */
  public static CrawlId scheduledFor(Instant time) {
    return new CrawlId(FORMAT.format(time));
  }

  /** Returns the time for which the crawl was scheduled. */
  public Instant scheduledTime() {
    return FORMAT.parse(value, Instant::from);
  }

  @Override
  public int compareTo(CrawlId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
