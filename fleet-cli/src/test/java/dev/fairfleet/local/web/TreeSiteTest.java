package dev.fairfleet.local.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeSiteTest {
  private static final TreeSite SITE =
      new WebPlan(3, List.of(500, 1), 20, 15_000).sites().getFirst();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 21, 22, 421, 422})
  void paths_walkedByLinks_areAllReachedAndNothingElse(int pages) {
    TreeSite site = new WebPlan(7, List.of(pages, 1), 20, 2_000).sites().getFirst();
    Walk walk = Walk.over(site);
    assertThat(walk.depths().keySet()).hasSize(pages).isEqualTo(Set.copyOf(site.paths().toList()));
    assertThat(Collections.max(walk.depths().values()))
        .isEqualTo(pages == 1 ? 0 : pages <= 21 ? 1 : pages <= 421 ? 2 : 3);
  }

  @Test
  void answer_everyPage_leadsOutOnceToTheNextSiteWhereNothingIs() {
    Walk walk = Walk.over(SITE);
    assertThat(walk.outside())
        .hasSize(SITE.pages())
        .allMatch(url -> url.startsWith("http://site-002.localhost:8080/from/site-001.localhost/"));
    TreeSite next = new WebPlan(3, List.of(500, 1), 20, 15_000).sites().getLast();
    assertThat(PageOf.status(next, "/from/site-001.localhost/0")).isEqualTo(404);
  }

  @Test
  void answer_onlySiteOfItsPlan_leadsOutToAHostThatIsNotThere() {
    TreeSite only = new WebPlan(3, List.of(1), 20, 2_000).sites().getFirst();
    assertThat(Walk.over(only).outside())
        .containsExactly("http://elsewhere.localhost:8080/from/site-001.localhost/0");
  }

  @Test
  void answer_page_linksToItselfWithAFragment() {
    String path = SITE.paths().skip(7).findFirst().orElseThrow();
    assertThat(document(path).select("a[href=\"" + path + "#reviews\"]")).hasSize(1);
    assertThat(document(path).select("#reviews")).hasSize(1);
  }

  @Test
  void truth_everyPage_isWhatThePageShows() {
    assertThat(SITE.paths().limit(50))
        .allSatisfy(
            path -> {
              Document page = document(path);
              assertThat(SITE.truth(path))
                  .containsOnlyKeys("sku", "title", "price")
                  .containsEntry("sku", page.select("span.sku").text())
                  .containsEntry("title", page.select("h1.title").text())
                  .containsEntry("price", page.select("span.price").text());
            });
  }

  @Test
  void truth_allSitesOfAPlan_haveNoSkuTwice() {
    List<String> skus =
        WebPlan.zipf(1, 12, 300).sites().stream()
            .flatMap(site -> site.paths().map(path -> site.truth(path).getOrDefault("sku", "")))
            .toList();
    assertThat(new HashSet<>(skus)).hasSize(300);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/p/",
        "/p/1",
        "/p/1-.html",
        "/p/500-x.html",
        "/p/99999999999-x.html",
        "/p/-1-x.html",
        "/x",
        "/?"
      })
  void answer_pathNextToOnes_is404(String path) {
    assertThat(PageOf.status(SITE, path)).isEqualTo(404);
    assertThat(SITE.truth(path)).isEmpty();
  }

  @Test
  void answer_rightNumberWithAnotherSlug_is404() {
    String path = SITE.paths().skip(1).findFirst().orElseThrow();
    assertThat(PageOf.status(SITE, path.replace("-", "-x"))).isEqualTo(404);
  }

  @Test
  void html_defaultSize_isNearTheTarget() {
    assertThat(SITE.paths().map(path -> PageOf.page(SITE, path).html().length()))
        .allMatch(length -> 13_500 <= length && length <= 16_500);
  }

  @Test
  void etag_pages_areDistinctAndLastModifiedLiesInThePast() {
    Stream<FakePage> pages = SITE.paths().map(path -> PageOf.page(SITE, path));
    assertThat(pages)
        .allMatch(page -> page.lastModified().isBefore(Instant.parse("2026-01-01T00:00:00Z")))
        .extracting(FakePage::etag)
        .allMatch(tag -> tag.matches("\"[0-9a-f]{1,16}\""))
        .doesNotHaveDuplicates();
  }

  private static Document document(String path) {
    return Jsoup.parse(PageOf.page(SITE, path).html());
  }
}
