package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
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
    assertThat(site.scope().hosts()).hasSize(1);
  }

  @Test
  void ofRoots_twoOnOneHost_areTwoSites() {
    assertThat(
            SitesFile.ofRoots(
                List.of("https://a.example/", "https://a.example/shop/?x=1", "http://[::1]:80/"),
                SiteLimits.POLITE))
        .extracting(Site::id)
        .containsExactly(
            new SiteId("a.example"),
            new SiteId("a.example-shop-x-1"),
            new SiteId("[0:0:0:0:0:0:0:1]"));
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
