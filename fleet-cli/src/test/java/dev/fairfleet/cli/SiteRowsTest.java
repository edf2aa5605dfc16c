package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.UrlPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SiteRowsTest {
  @TempDir private Path folder = Path.of("");

  private SiteRows read(String name, String text) throws IOException {
    return SiteRows.read(Files.writeString(folder.resolve(name), text), SiteLimits.POLITE);
  }

  @Test
  void read_csvOfGoodRows_takesEveryColumn() throws IOException {
    SiteRows rows =
        read(
            "a.csv",
            """
            id,roots,requestsPerHour,minDelay,include,mode,every,lateness
            a,https://a.example/ https://a.example/b,60,2s,/a /b,incremental,12h,30m
            b,https://b.example/,,,,,,
            """);
    assertThat(rows.bad()).isEmpty();
    Site site = rows.good().getFirst();
    assertThat(site.roots()).hasSize(2);
    assertThat(site.limits().requestsPerHour()).isEqualTo(60);
    assertThat(site.limits().minDelay()).isEqualTo(Duration.ofSeconds(2));
    assertThat(site.scope().include()).containsExactly(new UrlPattern("/a"), new UrlPattern("/b"));
    assertThat(site.recrawl())
        .isEqualTo(
            new RecrawlPolicy(
                CrawlMode.INCREMENTAL,
                Duration.ofHours(12),
                RecrawlPolicy.DEFAULT.fullEvery(),
                Duration.ofMinutes(30)));
    assertThat(rows.good().getLast().recrawl()).isEqualTo(RecrawlPolicy.DEFAULT);
  }

  @Test
  void read_csvOfBadRows_namesEachWithItsLine() throws IOException {
    SiteRows rows =
        read(
            "a.csv",
            """
            id,root,maxDepth,every
            a,https://a.example/,3,1d
            b,not a url,,
            "c",https://c.example/,x,

            d,https://d.example/,3,1w
            a,https://e.example/,,
            f,https://f.example/,1,1d,extra
            """);
    assertThat(rows.good()).extracting(Site::id).containsExactly(new SiteId("a"));
    assertThat(rows.bad()).extracting(SiteRows.Bad::line).containsExactly(3L, 4L, 6L, 7L, 8L);
    assertThat(rows.bad())
        .extracting(SiteRows.Bad::reason)
        .contains(
            "maxDepth is a whole number below 2^31, not \"x\"",
            "its id a is taken by line 2; give it another",
            "it has 5 cells, and there are 4 columns");
  }

  @Test
  void read_csvWithoutLastLineBreak_namesTheRightLine() throws IOException {
    assertThat(read("a.csv", "id,root\na,https://a.example/\nb,nothing").bad())
        .extracting(SiteRows.Bad::line)
        .containsExactly(3L);
  }

  @Test
  void read_csvWithUnknownColumn_namesThoseThatAreAllowed() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> read("a.csv", "id,root,speed\na,https://a.example/,7\n"))
        .withMessageContaining("line 1: \"speed\" is no column; allowed are [id, root,");
  }

  @Test
  void read_yamlOfBadSites_namesEachWithItsLine() throws IOException {
    SiteRows rows =
        read(
            "a.yaml",
            """
            sites:
              - root: https://a.example/
                recrawl: {mode: incremental, every: 6h}
              - id: b
                rots: x
              - root: https://c.example/
                limits:
                  maxDepth: -1
            """);
    assertThat(rows.good()).extracting(Site::id).containsExactly(new SiteId("a.example"));
    assertThat(rows.good().getFirst().recrawl().every()).isEqualTo(Duration.ofHours(6));
    assertThat(rows.bad()).extracting(SiteRows.Bad::line).containsExactly(4L, 6L);
    assertThat(rows.bad().getLast().reason()).isEqualTo("maxDepth must be at least 0, not -1");
  }

  @Test
  void read_yamlThatBreaksOff_keepsTheSitesBeforeAndSaysWhere() throws IOException {
    SiteRows rows = read("a.yaml", "sites:\n  - root: https://a.example/\n  - root: [\n");
    assertThat(rows.good()).hasSize(1);
    assertThat(rows.bad()).hasSize(1);
    assertThat(rows.bad().getFirst().reason()).startsWith("the file cannot be read from here on");
  }

  @Test
  void refuse_sitesThatExist_areBad() throws IOException {
    SiteRows rows = read("a.csv", "id,root\na,https://a.example/\nb,https://b.example/\n");
    rows.refuse(Set.of(new SiteId("a"), new SiteId("z")));
    assertThat(rows.good()).extracting(Site::id).containsExactly(new SiteId("b"));
    assertThat(rows.bad())
        .containsExactly(
            new SiteRows.Bad(2, "site a exists already; --replace replaces what it is"));
  }

  @Test
  void node_ofASite_readsBackAsTheSame() throws IOException {
    Site site =
        read(
                "a.yaml",
                """
                sites:
                  - root: https://a.example/x
                    hosts: ["b.example:8080"]
                    subdomains: true
                    exclude: [/no]
                    skipRel: []
                    ignoreParameters: [default, ref]
                    sitemaps: [/map.xml]
                    useRobotsSitemaps: false
                    limits: {minDelay: 1500ms, maxPages: 7, calendarYears: 0}
                    recrawl: {every: 90m, lateness: 0s}
                    fields: {sku: .sku, price: .price}
                    naturalKey: sku
                    volatile: [price]
                """)
            .good()
            .getFirst();
    assertThat(SitesFile.site(SitesFile.node(site), SiteLimits.POLITE)).isEqualTo(site);
  }
}
