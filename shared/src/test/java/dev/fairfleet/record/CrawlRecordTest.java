package dev.fairfleet.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CrawlRecordTest {
  private static final SiteId SITE = new SiteId("a");
  private static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");

  @Test
  void of_sameThingElsewhere_hasSameIdAndHash() {
    CrawlRecord here = record("http://a.test/1", Map.of("sku", "7", "price", "9"));
    CrawlRecord there = record("http://a.test/2", Map.of("price", "9", "sku", "7"));

    assertThat(here.id()).isEqualTo(there.id());
    assertThat(here.contentHash()).isEqualTo(there.contentHash()).matches("[0-9a-f]{32}");
  }

  @Test
  void of_onlyVolatileFieldDiffers_hasSameHash() {
    CrawlRecord now = record("http://a.test/", Map.of("sku", "7", "seen", "today"));
    CrawlRecord then = record("http://a.test/", Map.of("sku", "7", "seen", "yesterday"));

    assertThat(now.contentHash()).isEqualTo(then.contentHash());
    assertThat(now.fields()).containsEntry("seen", "today");
  }

  @Test
  void of_otherValue_hasOtherHash() {
    assertThat(record("http://a.test/", Map.of("price", "9")).contentHash())
        .isNotEqualTo(record("http://a.test/", Map.of("price", "8")).contentHash());
  }

  @Test
  void of_lettersMovedBetweenFields_hasOtherHash() {
    assertThat(record("http://a.test/", Map.of("a", "b1:c")).contentHash())
        .isNotEqualTo(record("http://a.test/", Map.of("a", "b", "c", "")).contentHash());
    assertThat(record("http://a.test/", Map.of("ab", "c")).contentHash())
        .isNotEqualTo(record("http://a.test/", Map.of("a", "bc")).contentHash());
  }

  @Test
  void recordId_ofOtherSiteOrKey_differs() {
    assertThat(RecordId.of(SITE, "7").value()).matches("[0-9a-f]{32}");
    assertThat(RecordId.of(SITE, "7")).isNotEqualTo(RecordId.of(SITE, "8"));
    assertThat(RecordId.of(SITE, "7")).isNotEqualTo(RecordId.of(new SiteId("b"), "7"));
  }

  private static CrawlRecord record(String url, Map<String, String> fields) {
    return CrawlRecord.of(SITE, CRAWL, "7", CrawlUrl.of(url), fields, Set.of("seen"));
  }
}
