package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairfleet.site.LinkPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SitemapPolicy;
import dev.fairfleet.site.TrapLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SitesFileTest {
  @TempDir private Path folder = Path.of("");

  private List<Site> read(String yaml) throws IOException {
    return SitesFile.read(Files.writeString(folder.resolve("sites.yaml"), yaml), SiteLimits.POLITE);
  }

  @Test
  void read_everyKey_isUnderstood() throws IOException {
    Site site =
        read("""
                sites:
                  - id: books
                    roots: [https://books.example/, https://books.example/new]
                    hosts: [img.books.example, books.example]
                    limits: {requestsPerHour: 60, minDelay: 1500ms, maxDepth: 3, maxPages: 10}
                    fields: {sku: .sku, image: "img.main@src"}
                    naturalKey: sku
                    volatile: [image]
                """)
            .getFirst();
    assertThat(site.id()).isEqualTo(new SiteId("books"));
    assertThat(site.roots())
        .containsExactly(
            CrawlUrl.of("https://books.example/"), CrawlUrl.of("https://books.example/new"));
    assertThat(site.scope().hosts())
        .extracting(HostKey::host)
        .containsExactlyInAnyOrder("books.example", "img.books.example");
    assertThat(site.limits()).isEqualTo(new SiteLimits(60, Duration.ofMillis(1_500), 3, 10));
    assertThat(site.extraction().naturalKey()).contains("sku");
    assertThat(site.extraction().fields()).containsOnlyKeys("sku", "image");
    assertThat(site.extraction().volatileFields()).isEqualTo(Set.of("image"));
  }

  @Test
  void read_onlyARoot_takesTheDefaults() throws IOException {
    Site site = read("sites:\n  - root: https://books.example/\n").getFirst();
    assertThat(site.id()).isEqualTo(new SiteId("books.example"));
    assertThat(site.limits()).isEqualTo(SiteLimits.POLITE);
    assertThat(site.scope())
        .isEqualTo(
            new Scope(
                Set.of(
                    new HostKey("books.example", 80),
                    new HostKey("books.example", 443),
                    new HostKey("www.books.example", 80),
                    new HostKey("www.books.example", 443))));
    assertThat(site.links()).isEqualTo(LinkPolicy.DEFAULT);
    assertThat(site.sitemaps()).isEqualTo(SitemapPolicy.DEFAULT);
  }

  @Test
  void ofRoots_twoOnOneHost_areTwoSites() {
    assertThat(
            SitesFile.ofRoots(
                List.of("https://a.example/", "https://a.example/shop/?x=1", "http://[::1]:80/"),
                SiteLimits.POLITE))
        .extracting(Site::id)
        .containsExactly(
            new SiteId("a.example"), new SiteId("a.example-shop-x-1"), new SiteId("[::1]"));
  }

  @Test
  void read_oneLimit_keepsTheOtherDefaults() throws IOException {
    Site site =
        read("sites:\n  - root: https://a.example/\n    limits: {maxDepth: 2}\n").getFirst();
    assertThat(site.limits())
        .isEqualTo(new SiteLimits(3_600, Duration.ofSeconds(1), 2, SiteLimits.UNLIMITED));
  }

  @Test
  void read_badSelector_namesTheSite() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> read("sites:\n  - root: https://a.example/\n    fields: {x: \"div[\"}\n"))
        .withMessageContaining("site 1: ");
  }

  @Test
  void read_scopeAndLinkKeys_areUnderstood() throws IOException {
    Site site =
        read("""
                sites:
                  - root: https://books.example/
                    hosts: [books.example]
                    subdomains: true
                    include: [/shop/, "*.pdf$"]
                    exclude: ["*?*sort="]
                    ignoreParameters: [default, ref]
                    skipRel: [ugc, sponsored]
                    sitemaps: [/map.xml, "https://img.books.example/map.xml"]
                    useRobotsSitemaps: false
                    limits:
                      {maxUrlLength: 300, maxParameters: 4, maxPathSegments: 5,
                      maxRepeatedSegments: 2, calendarYears: 0}
                """)
            .getFirst();
    Scope scope = site.scope();
    assertThat(scope.hosts()).containsExactly(new HostKey("books.example", 443));
    assertThat(scope.subdomains()).isTrue();
    assertThat(scope.include()).containsExactly(new UrlPattern("/shop/"), new UrlPattern("*.pdf$"));
    assertThat(scope.exclude()).containsExactly(new UrlPattern("*?*sort="));
    assertThat(scope.ignored().names()).contains("ref", "utm_*").doesNotContain("default");
    assertThat(site.links()).isEqualTo(new LinkPolicy(Set.of("ugc", "sponsored")));
    assertThat(site.sitemaps())
        .isEqualTo(
            new SitemapPolicy(
                false,
                List.of(
                    CrawlUrl.of("https://books.example/map.xml"),
                    CrawlUrl.of("https://img.books.example/map.xml"))));
    assertThat(site.limits().traps()).isEqualTo(new TrapLimits(300, 4, 5, 2, 0));
    assertThat(site.limits().requestsPerHour()).isEqualTo(SiteLimits.POLITE.requestsPerHour());
  }

  @Test
  void read_emptyLists_switchTheDefaultsOff() throws IOException {
    Site site =
        read("""
                sites:
                  - root: https://a.example/
                    ignoreParameters: []
                    skipRel: []
                """)
            .getFirst();
    assertThat(site.scope().ignored()).isEqualTo(IgnoredParameters.NONE);
    assertThat(site.links().skippedRels()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "include: [shop] | begins with / or *; not \"shop\"",
        "exclude: [\"/a b\"] | holds no white space (write %20)",
        "ignoreParameters: [\"a b\"] | is a name like sessionid or utm_*, not \"a b\"",
        "skipRel: [noopener] | skipRel names nofollow, ugc or sponsored, not \"noopener\"",
        "sitemaps: [\"ftp://a.example/\"] | sitemaps names http or https URLs",
        "sitemaps: [\"https://b.example/s.xml\"] | Sitemap https://b.example/s.xml of site",
        "hosts: [\"b.example/x\"] | hosts names a host, with or without port, not \"b.example/x\"",
        "hosts: [\"a b\"] | hosts names a host, with or without port, not \"a b\"",
        "limits: {calendarYears: -1} | calendarYears must be at least 0, not -1"
      })
  void read_wrongValue_saysWhatIsAllowed(String line, String message) {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> read("sites:\n  - root: https://a.example/\n    " + line + "\n"))
        .withMessageContaining("site 1: ")
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.example/, a.example:80 a.example:443 www.a.example:80 www.a.example:443",
    "https://www.a.example/, a.example:80 a.example:443 www.a.example:80 www.a.example:443",
    "http://a.example:8080/, a.example:8080",
    "http://127.0.0.1/, 127.0.0.1:80 127.0.0.1:443",
    "https://[::1]/, [::1]:80 [::1]:443"
  })
  void ofRoots_noHostsNamed_hasWhatTheRootLikelyRedirectsTo(String root, String hosts) {
    Scope scope = SitesFile.ofRoots(List.of(root), SiteLimits.POLITE).getFirst().scope();

    assertThat(scope.hosts())
        .extracting(HostKey::toString)
        .containsExactlyInAnyOrder(hosts.split(" "));
  }

  @Test
  void ofRoots_sameRootTwice_isOneSite() {
    assertThat(
            SitesFile.ofRoots(
                List.of("https://a.example/", "https://a.example/"), SiteLimits.POLITE))
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"500ms,500", "2s,2000", "1m,60000", "0s,0", "' 2s ',2000"})
  void duration_wellFormed_isRead(String text, long millis) {
    assertThat(SitesFile.duration(text)).isEqualTo(Duration.ofMillis(millis));
  }
}
