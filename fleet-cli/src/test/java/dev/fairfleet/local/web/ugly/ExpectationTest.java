package dev.fairfleet.local.web.ugly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.local.web.RequestLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExpectationTest {
  private static final String HOST = "x.localhost";
  private static final String URL = "http://x.localhost:80";

  private long now;
  private final RequestLog log = new RequestLog(() -> now);
  private final Map<String, Crawled.Page> pages = new HashMap<>();
  private final Map<String, Map<String, String>> records = new HashMap<>();

  private String fault(Expectation expectation) {
    return expectation.fault(new Crawled(HOST, 80, pages, records, log)).orElse("");
  }

  private void askAt(long millis, String path) {
    now = Duration.ofMillis(millis).toNanos();
    log.add(HOST, path);
  }

  @Test
  void ends_oneOfItsEndsForItsReason_isMet() {
    pages.put(URL + "/a", new Crawled.Page(End.SKIPPED, "robots: Disallow: /a"));
    assertThat(fault(new Expectation.Ends("/a", Set.of(End.SKIPPED, End.DONE), "ROBOTS")))
        .isEmpty();
    assertThat(fault(new Expectation.Ends(URL.replace("80", "{port}") + "/a", End.FINAL, "")))
        .isEmpty();
  }

  @Test
  void ends_anotherEndOrReason_isAFault() {
    pages.put(URL + "/a", new Crawled.Page(End.SKIPPED, "scope"));
    assertThat(fault(new Expectation.Ends("/a", Set.of(End.SKIPPED), "robots")))
        .isEqualTo("/a is SKIPPED \"scope\"");
    assertThat(fault(new Expectation.Ends("/a", Set.of(End.DONE), ""))).isNotEmpty();
    assertThat(fault(new Expectation.Ends("/b", End.FINAL, ""))).isEqualTo("/b is UNKNOWN");
  }

  @Test
  void ends_notKnown_needsNoReason() {
    assertThat(fault(new Expectation.Ends("/b", Set.of(End.UNKNOWN, End.SKIPPED), "address")))
        .isEmpty();
  }

  @Test
  void titled_record_isComparedByItsTitle() {
    records.put(URL + "/a", Map.of("title", "A"));
    assertThat(fault(new Expectation.Titled("/a", "A"))).isEmpty();
    assertThat(fault(new Expectation.Titled("/a", "B"))).isEqualTo("/a is titled \"A\"");
    assertThat(fault(new Expectation.Titled("/b", "B"))).isEqualTo("/b has no record");
  }

  @Test
  void titled_emptyTitle_standsForNoRecord() {
    records.put(URL + "/a", Map.of());
    assertThat(fault(new Expectation.Titled("/a", ""))).isNotEmpty();
    assertThat(fault(new Expectation.Titled("/b", ""))).isEmpty();
  }

  @Test
  void records_count_isExact() {
    records.put(URL + "/a", Map.of());
    assertThat(fault(new Expectation.Records(1))).isEmpty();
    assertThat(fault(new Expectation.Records(2))).isNotEmpty();
  }

  @Test
  void asked_count_isWithinItsBounds() {
    askAt(1, "/a");
    askAt(2, "/a");
    assertThat(fault(new Expectation.Asked("/a", 2, 2))).isEmpty();
    assertThat(fault(new Expectation.Asked("/a", 3, 9))).isEqualTo("/a was asked for 2 times");
    assertThat(fault(new Expectation.Asked("/a", 0, 1))).isNotEmpty();
    assertThat(fault(new Expectation.Asked("/b", 0, 0))).isEmpty();
  }

  @Test
  void hostNeverAsked_oneRequest_isAFault() {
    assertThat(fault(new Expectation.HostNeverAsked(HOST))).isEmpty();
    askAt(1, "/a");
    assertThat(fault(new Expectation.HostNeverAsked(HOST))).isNotEmpty();
  }

  @Test
  void urlsAsked_robotsAndRepeats_doNotCount() {
    askAt(1, "/robots.txt");
    askAt(2, "/a");
    askAt(3, "/a");
    assertThat(fault(new Expectation.UrlsAsked(1, 1))).isEmpty();
    assertThat(fault(new Expectation.UrlsAsked(2, 9))).isNotEmpty();
    assertThat(fault(new Expectation.UrlsAsked(0, 0))).isNotEmpty();
  }

  @Test
  void rests_requestBeforeTheTimeIsOver_isAFault() {
    Expectation rests = new Expectation.Rests("/busy", Duration.ofSeconds(4), true);
    assertThat(fault(rests)).isEqualTo("/busy was never asked for");
    askAt(1_000, "/busy");
    askAt(1_750, "/on-its-way");
    askAt(5_000, "/a");
    assertThat(fault(rests)).isEmpty();
  }

  @Test
  void rests_aMillisecondTooEarly_isAFault() {
    askAt(1_000, "/busy");
    askAt(4_999, "/busy");
    assertThat(fault(new Expectation.Rests("/busy", Duration.ofSeconds(4), true)))
        .isEqualTo("asked again 3999 ms after /busy");
    assertThat(fault(new Expectation.Rests("/busy", Duration.ofSeconds(4), false))).isEmpty();
  }

  @Test
  void rests_anotherPathMeanwhile_isAFaultAtOnce() {
    askAt(1_000, "/robots.txt");
    askAt(1_001, "/a");
    assertThat(fault(new Expectation.Rests("/robots.txt", Duration.ofSeconds(4), false)))
        .isNotEmpty();
  }

  @Test
  void gaps_betweenPages_robotsLeftOut() {
    askAt(1_000, "/robots.txt");
    askAt(1_100, "/a");
    askAt(2_100, "/b");
    assertThat(fault(new Expectation.Gaps(Duration.ofSeconds(1)))).isEmpty();
    assertThat(fault(new Expectation.Gaps(Duration.ofMillis(1_001)))).isEqualTo("a gap of 1000 ms");
  }

  @Test
  void someSkipped_rule_isFoundInAReason() {
    pages.put(URL + "/a", new Crawled.Page(End.SKIPPED, "trap: repeated segments"));
    pages.put(URL + "/b", new Crawled.Page(End.DONE, "calendar"));
    assertThat(fault(new Expectation.SomeSkipped("Trap"))).isEmpty();
    assertThat(fault(new Expectation.SomeSkipped("calendar"))).isNotEmpty();
  }
}
