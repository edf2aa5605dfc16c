package dev.fairfleet.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteTest {
  private static final Scope SCOPE = new Scope(Set.of(new HostKey("a.test", 80)));

  @Test
  void site_rootOutsideItsHosts_isRefused() {
    assertThatThrownBy(() -> site(List.of(CrawlUrl.of("http://b.test/"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Root http://b.test/ of site a lies outside its hosts [a.test:80]");
  }

  @Test
  void site_sitemapOutsideItsHosts_isRefused() {
    SitemapPolicy sitemaps = new SitemapPolicy(true, List.of(CrawlUrl.of("http://b.test/s.xml")));
    assertThatThrownBy(
            () ->
                new Site(
                    new SiteId("a"),
                    List.of(CrawlUrl.of("http://a.test/")),
                    SCOPE,
                    SiteLimits.POLITE,
                    ExtractionRules.DEFAULT,
                    LinkPolicy.DEFAULT,
                    sitemaps,
                    RecrawlPolicy.DEFAULT))
        .hasMessage("Sitemap http://b.test/s.xml of site a lies outside its hosts [a.test:80]");
  }

  @Test
  void trapLimits_belowLeast_nameTheLimit() {
    assertThat(new TrapLimits(16, 0, 1, 1, 0).yearsAhead()).isZero();
    assertThatThrownBy(() -> new TrapLimits(15, 0, 1, 1, 0))
        .hasMessage("maxUrlLength must be at least 16, not 15");
    assertThatThrownBy(() -> new TrapLimits(16, -1, 1, 1, 0))
        .hasMessage("maxParameters must be at least 0, not -1");
    assertThatThrownBy(() -> new TrapLimits(16, 0, 0, 1, 0))
        .hasMessage("maxPathSegments must be at least 1, not 0");
    assertThatThrownBy(() -> new TrapLimits(16, 0, 1, 0, 0))
        .hasMessage("maxRepeatedSegments must be at least 1, not 0");
    assertThatThrownBy(() -> new TrapLimits(16, 0, 1, 1, -1))
        .hasMessage("calendarYears must be at least 0, not -1");
  }

  @Test
  void linkPolicy_otherRel_isRefused() {
    assertThat(LinkPolicy.DEFAULT.skippedRels()).containsExactly("nofollow");
    assertThatThrownBy(() -> new LinkPolicy(Set.of("noopener")))
        .hasMessage("skipRel names nofollow, ugc or sponsored, not \"noopener\"");
  }

  @Test
  void site_withoutRootOrHost_isRefused() {
    assertThatThrownBy(() -> site(List.of())).hasMessage("Site a has no root");
    assertThatThrownBy(() -> new Scope(Set.of())).hasMessage("A scope names at least one host");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "7", "shop.a.test:8080", "[::1]:80", "a_b-c"})
  void siteId_ofAllowedForm_isAccepted(String value) {
    assertThat(new SiteId(value)).hasToString(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-a", ".a", "a b", "a/b", "ü", "a\n"})
  void siteId_ofOtherForm_isRefused(String value) {
    assertThatThrownBy(() -> new SiteId(value)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void siteId_longestAndOneMore_decidesAt128() {
    assertThat(new SiteId("a".repeat(128)).value()).hasSize(128);
    assertThatThrownBy(() -> new SiteId("a".repeat(129)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void siteLimits_belowLeast_nameTheLimit() {
    assertThatThrownBy(() -> new SiteLimits(0, Duration.ZERO, 0, 1))
        .hasMessage("requestsPerHour must be at least 1, not 0");
    assertThatThrownBy(() -> new SiteLimits(1, Duration.ofNanos(-1), 0, 1))
        .hasMessage("minDelay must be not negative, not PT-0.000000001S");
    assertThatThrownBy(() -> new SiteLimits(1, Duration.ZERO, -1, 1))
        .hasMessage("maxDepth must be at least 0, not -1");
    assertThatThrownBy(() -> new SiteLimits(1, Duration.ZERO, 0, 0))
        .hasMessage("maxPages must be at least 1, not 0");
    assertThat(new SiteLimits(1, Duration.ZERO, 0, 1).hasPageLimit()).isTrue();
    assertThat(SiteLimits.POLITE.hasPageLimit()).isFalse();
  }

  @Test
  void crawlId_ofLaterTime_isGreaterByCharacters() {
    CrawlId early = CrawlId.scheduledFor(Instant.parse("2026-09-30T23:59:59.999Z"));
    CrawlId late = CrawlId.scheduledFor(Instant.parse("2026-10-01T00:00:00Z"));

    assertThat(early).hasToString("20260930T235959.999Z").isLessThan(late);
    assertThat(late).hasToString("20261001T000000.000Z");
    assertThatThrownBy(() -> new CrawlId("2026-10-01"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void extractionRules_namingNoField_areRefused() {
    Map<String, String> fields = Map.of("sku", "#sku");

    assertThatThrownBy(() -> new ExtractionRules(fields, Optional.of("id"), Set.of()))
        .hasMessage("naturalKey names \"id\", which is none of the fields [sku]");
    assertThatThrownBy(() -> new ExtractionRules(fields, Optional.of("sku"), Set.of("price")))
        .hasMessage("volatileFields names \"price\", which is none of the fields [sku]");
    assertThatThrownBy(() -> new ExtractionRules(Map.of("sku", " "), Optional.empty(), Set.of()))
        .hasMessage("A field needs a name and a CSS selector, not \"sku:  \"");
  }

  private static Site site(List<CrawlUrl> roots) {
    return new Site(new SiteId("a"), roots, SCOPE, SiteLimits.POLITE, ExtractionRules.DEFAULT);
  }
}
