package dev.fairfleet.local.web.ugly;

import static dev.fairfleet.local.web.ugly.UglyHost.host;

import dev.fairfleet.local.web.Answer.Field;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Hosts that answer once that they want less, and are well afterwards. Their pages must all be done
 * in the end, and the host left alone as long as it asked.
 */
final class UglyThrottles {
  private static final Duration ASKED = Duration.ofSeconds(4);
  private static final String[] PAGES = {"/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"};

  private UglyThrottles() {}

  static List<UglyHost> hosts() {
    return List.of(
        resting("throttle-429-seconds", "Answers 429 with Retry-After: 4 (P58).", 429, now -> "4"),
        resting(
            "throttle-429-date",
            "Answers 429 with the date of five seconds later (P59).",
            429,
            in(5, "EEE, dd MMM yyyy HH:mm:ss 'GMT'")),
        resting(
            "throttle-429-rfc850",
            "The same in the obsolete form of RFC 850 (P59).",
            429,
            in(5, "EEEE, dd-MMM-yy HH:mm:ss 'GMT'")),
        resting(
            "throttle-429-asctime",
            "The same in the obsolete form of asctime (P59).",
            429,
            in(5, "EEE MMM ppd HH:mm:ss yyyy")),
        throttled(
                "throttle-429-skewed",
                "The same by a clock that is an hour fast, which its Date shows (P59).")
            .at(
                "/busy",
                visit -> {
                  Instant theirs = visit.now().plusSeconds(3_600);
                  return visit.number() > 1
                      ? Replies.page("/busy", "")
                      : Replies.status(
                          429,
                          new Field("Date", in(0, "EEE, dd MMM yyyy HH:mm:ss 'GMT'").apply(theirs)),
                          new Field(
                              "Retry-After",
                              in(5, "EEE, dd MMM yyyy HH:mm:ss 'GMT'").apply(theirs)));
                })
            .rests("/busy", ASKED)
            .build(),
        resting("throttle-503", "Answers 503 with Retry-After: 4.", 503, now -> "4"),
        nonsense(
            "throttle-429-nonsense",
            "Answers 429 with Retry-After: abc, which is none (P59).",
            "abc"),
        nonsense(
            "throttle-429-negative",
            "Answers 429 with Retry-After: -5, which switches nothing off (P59).",
            "-5"),
        nonsense(
            "throttle-429-fraction",
            "Answers 429 with Retry-After: 1.5, which is none (P59).",
            "1.5"),
        nonsense(
            "throttle-429-past",
            "Answers 429 with a date of thirty years ago (P59).",
            "Thu, 01 Feb 1996 00:00:00 GMT"),
        throttled("throttle-429-plain", "Answers 429 without a Retry-After.")
            .at(
                "/busy",
                visit -> visit.number() > 1 ? Replies.page("/busy", "") : Replies.status(429))
            .rests("/busy", Duration.ofSeconds(3))
            .build(),
        host(
                "throttle-429-far",
                "Answers 429 with Retry-After: 99999999: capped, but not within this crawl (P59).")
            .at("/", visit -> Replies.status(429, new Field("Retry-After", "99999999")))
            .waits("/", "")
            .asked("/", 1)
            .build());
  }

  private static UglyHost.Builder throttled(String name, String does) {
    String[] links = new String[PAGES.length + 1];
    links[0] = "/busy";
    System.arraycopy(PAGES, 0, links, 1, PAGES.length);
    return host(name, does).links(links).pages(PAGES).done(PAGES).done("/busy").asked("/busy", 2);
  }

  private static UglyHost resting(
      String name, String does, int status, Function<Instant, String> retryAfter) {
    return busyOnce(throttled(name, does), status, retryAfter).rests("/busy", ASKED).build();
  }

  private static UglyHost nonsense(String name, String does, String retryAfter) {
    return busyOnce(throttled(name, does), 429, now -> retryAfter)
        .rests("/busy", Duration.ofSeconds(3))
        .build();
  }

  private static UglyHost.Builder busyOnce(
      UglyHost.Builder host, int status, Function<Instant, String> retryAfter) {
    return host.at(
        "/busy",
        visit ->
            visit.number() > 1
                ? Replies.page("/busy", "")
                : Replies.status(status, new Field("Retry-After", retryAfter.apply(visit.now()))));
  }

  private static Function<Instant, String> in(int seconds, String form) {
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern(form, Locale.US).withZone(ZoneOffset.UTC);
    return now -> format.format(now.plusSeconds(seconds));
  }
}
