package dev.fairfleet.local.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.local.web.ChangingShop.Difference;
import dev.fairfleet.local.web.ChangingShopPlan.Sitemap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ChangingShopTest {
  private static final int PAGES = 1_050;
  private static final int LISTS = 50;
  private static final ChangingShopPlan USUAL = ChangingShopPlan.usual(7, PAGES);
  private static final ChangingShopPlan HARD = USUAL.withMoved(0.03).withOffers(0.05);

  private Instant now = Instant.parse("2026-05-01T00:00:00.250Z");

  private ChangingShop shop(ChangingShopPlan plan) {
    return new ChangingShop("changing", plan, () -> now);
  }

  private ChangingShop shopAt(int version, ChangingShopPlan plan) {
    ChangingShop shop = shop(plan);
    if (version > 0) {
      shop.publish(version);
    }
    return shop;
  }

  private static Map<String, String> shown(ChangingShop shop, String path) {
    Document page = Jsoup.parse(PageOf.page(shop, path).html());
    return page.select(".sku").isEmpty()
        ? Map.of()
        : Map.of(
            "sku", page.select(".sku").text(),
            "title", page.select("h1.title").text(),
            "price", page.select(".price").text());
  }

  /** What somebody finds who follows every link. */
  private static Map<String, Map<String, String>> found(ChangingShop shop) {
    Map<String, Map<String, String>> found = new TreeMap<>();
    for (String path : Walk.over(shop).depths().keySet()) {
      Map<String, String> fields = shown(shop, path);
      if (!fields.isEmpty()) {
        String sku = fields.getOrDefault("sku", "");
        Map<String, String> before = found.put(sku, fields);
        assertThat(before == null || before.equals(fields)).as(path).isTrue();
      }
    }
    return found;
  }

  private static String etag(ChangingShop shop, String path) {
    return PageOf.page(shop, path).etag();
  }

  private static Answer.Reply reply(ChangingShop shop, String path) {
    return (Answer.Reply) shop.answer(WebRequest.get(shop.host(), PageOf.PORT, path));
  }

  private static String text(ChangingShop shop, String path) {
    return new String(reply(shop, path).body().get(), StandardCharsets.UTF_8);
  }

  @Test
  void paths_firstVersion_areAsManyPagesAsAskedForAndAllLinked() {
    ChangingShop shop = shop(USUAL);
    assertThat(shop.paths().toList()).hasSize(PAGES).startsWith("/", "/list/1");
    assertThat(Walk.over(shop).depths().keySet())
        .isEqualTo(shop.paths().collect(Collectors.toSet()));
    assertThat(Walk.over(shop).depths().values()).allMatch(depth -> depth <= 4);
    assertThat(shop.truth(0)).hasSize(PAGES - LISTS).isEqualTo(found(shop));
  }

  @Test
  void truth_laterVersions_isWhatTheLinkedPagesShow() {
    ChangingShop shop = shop(HARD);
    for (int version = 1; version <= 3; version++) {
      shop.publish(version);
      assertThat(found(shop)).isEqualTo(shop.truth(version));
      assertThat(Walk.over(shop).depths().keySet())
          .isEqualTo(shop.paths(version))
          .isEqualTo(shop.paths().collect(Collectors.toSet()));
      for (String path : shop.paths(version)) {
        assertThat(shop.truth(path)).as(path).isEqualTo(shown(shop, path));
      }
    }
  }

  @Test
  void difference_nextVersion_hasTheSharesOfThePlan() {
    Difference first = shop(USUAL).difference(0, 1);
    assertThat(first.changed()).hasSize(100);
    assertThat(first.removed()).hasSize(20);
    assertThat(first.added()).hasSize(20);
    assertThat(first.returned()).isEmpty();
    Difference second = shop(USUAL).difference(1, 2);
    assertThat(second.changed()).hasSize(100);
    assertThat(second.removed()).hasSize(20);
    assertThat(second.added()).hasSize(20);
    assertThat(second.returned()).hasSize(10).isSubsetOf(first.removed());
    assertThat(shop(USUAL).difference(0, 0)).isEqualTo(shop(USUAL).difference(1, 1));
  }

  @Test
  void difference_movedAndShownTwice_isNone() {
    ChangingShop shop = shop(USUAL.withChanges(0, 0, 0).withMoved(0.2).withOffers(0.2));
    Difference difference = shop.difference(0, 3);
    assertThat(List.of(difference.added(), difference.changed(), difference.removed()))
        .allMatch(Set::isEmpty);
    assertThat(shop.paths(3)).isNotEqualTo(shop.paths(0));
  }

  @Test
  void truth_returnedProducts_halfAreAsTheyWereAndHalfChanged() {
    ChangingShop shop = shop(USUAL);
    Set<String> back = shop.difference(1, 2).returned();
    assertThat(back)
        .filteredOn(sku -> shop.truth(2).getOrDefault(sku, Map.of()).equals(shop.truth(0).get(sku)))
        .hasSize(5);
  }

  @Test
  void truth_twoShopsOfOneSeed_areEqualHoweverTheyGotThere() {
    assertThat(shop(HARD).truth(4)).isEqualTo(shopAt(3, HARD).truth(4));
    assertThat(shop(ChangingShopPlan.usual(8, PAGES)).truth(1)).isNotEqualTo(shop(USUAL).truth(1));
  }

  @Test
  void answer_unchangedPage_keepsTextTagAndDate() {
    ChangingShop before = shop(HARD);
    ChangingShop after = shopAt(1, HARD);
    int same = 0;
    Set<String> both = new HashSet<>(before.paths(0));
    both.retainAll(after.paths(1));
    for (String path : both) {
      FakePage old = PageOf.page(before, path);
      FakePage young = PageOf.page(after, path);
      boolean unchanged = old.html().equals(young.html());
      assertThat(old.etag().equals(young.etag())).as(path).isEqualTo(unchanged);
      if (unchanged) {
        same++;
        assertThat(young.lastModified()).isEqualTo(old.lastModified());
      } else {
        assertThat(young.lastModified()).isEqualTo(Instant.parse("2026-05-01T00:00:00Z"));
      }
    }
    assertThat(same).isBetween(800, PAGES - 150);
  }

  @Test
  void answer_removedProduct_is404OrInAQuarterOfCases410() {
    ChangingShop shop = shopAt(1, ChangingShopPlan.usual(7, PAGES).withChanges(0, 0.2, 0));
    Set<String> gone = new TreeSet<>(shop.paths(0));
    gone.removeAll(shop.paths(1));
    Map<Integer, Long> statuses =
        gone.stream()
            .collect(
                Collectors.groupingBy(path -> PageOf.status(shop, path), Collectors.counting()));
    assertThat(gone).hasSize(200);
    assertThat(statuses.keySet()).isEqualTo(Set.of(404, 410));
    assertThat(statuses.get(410)).isBetween(25L, 75L);
  }

  @Test
  void answer_movedProduct_redirectsFromEveryOldUrlToTheNewOne() {
    ChangingShop shop = shop(USUAL.withChanges(0, 0, 0).withMoved(0.5));
    shop.publish(1);
    String once = shop.paths().filter(path -> path.endsWith("-v1.html")).findFirst().orElseThrow();
    String first = once.replace("-v1", "");
    assertThat(reply(shop, first).status()).isEqualTo(301);
    assertThat(reply(shop, first).fields()).contains(new Answer.Field("Location", once));
    assertThat(PageOf.status(shop, once.replace("-v1", "-v2"))).isEqualTo(404);

    shop.publish(2);
    String twice =
        shop.paths()
            .filter(path -> path.endsWith("-v2.html"))
            .filter(path -> !shop.paths(1).contains(path.replace("-v2", "")))
            .findFirst()
            .orElseThrow();
    Answer.Field there = new Answer.Field("Location", twice);
    assertThat(reply(shop, twice.replace("-v2", "")).fields()).contains(there);
    assertThat(reply(shop, twice.replace("-v2", "-v1")).fields()).contains(there);
  }

  @Test
  void answer_productShownTwice_losesOneOfItsPagesAndStays() {
    ChangingShop shop = shop(USUAL.withChanges(0, 0, 0).withOffers(0.1));
    Set<String> before = new TreeSet<>(shop.paths(0));
    shop.publish(1);
    before.removeAll(shop.paths(1));
    assertThat(before).hasSize(20).anyMatch(path -> path.startsWith("/offer/"));
    assertThat(before).anyMatch(path -> path.startsWith("/product/"));
    assertThat(before).allMatch(path -> PageOf.status(shop, path) == 404);
    assertThat(shop.truth(1)).isEqualTo(shop.truth(0));
  }

  @Test
  void answer_views_areAnotherNumberEachTimeAndNeverTheSamePage() {
    ChangingShop shop = shop(USUAL.withViews());
    FakePage first = PageOf.page(shop, "/product/1.html");
    FakePage second = PageOf.page(shop, "/product/1.html");
    assertThat(Jsoup.parse(first.html()).select(".views").text()).isEqualTo("1");
    assertThat(Jsoup.parse(second.html()).select(".views").text()).isEqualTo("2");
    assertThat(first.validators()).isEmpty();
    assertThat(shown(shop, "/product/1.html")).isEqualTo(shop.truth("/product/1.html"));
  }

  @ParameterizedTest
  @EnumSource(Validation.class)
  void answer_askedAgain_honoursWhatItSays(Validation validation) {
    ChangingShop shop = shop(USUAL.withValidation(validation));
    FakePage page = PageOf.page(shop, "/product/3.html");
    assertThat(page.validators())
        .extracting(Answer.Field::name)
        .containsExactlyElementsOf(
            switch (validation) {
              case BOTH -> List.of("ETag", "Last-Modified");
              case ETAG -> List.of("ETag");
              case DATE -> List.of("Last-Modified");
              case NONE -> List.of();
            });
    String date = PageOf.page(shop(USUAL), "/product/3.html").validators().getLast().value();
    assertThat(page.isKnownTo(asking(Map.of("if-none-match", page.etag()))))
        .isEqualTo(validation.hasEtag());
    assertThat(page.isKnownTo(asking(Map.of("if-modified-since", date))))
        .isEqualTo(validation.hasDate());
    assertThat(page.isKnownTo(asking(Map.of()))).isFalse();
    assertThat(page.isKnownTo(asking(Map.of("if-modified-since", "yesterday")))).isFalse();
    assertThat(
            page.isKnownTo(asking(Map.of("if-none-match", "\"other\"", "if-modified-since", date))))
        .as("the tag decides where there are tags")
        .isEqualTo(validation == Validation.DATE);
  }

  private static WebRequest asking(Map<String, String> headers) {
    return new WebRequest("GET", "changing.localhost", PageOf.PORT, "/product/3.html", headers);
  }

  @Test
  void answer_changedPageAskedWithItsOldDate_isSentWhole() {
    ChangingShop shop = shop(USUAL.withChanges(1, 0, 0));
    String date = PageOf.page(shop, "/product/3.html").validators().getLast().value();
    shop.publish(1);
    assertThat(
            PageOf.page(shop, "/product/3.html")
                .isKnownTo(asking(Map.of("if-modified-since", date))))
        .isFalse();
  }

  @Test
  void answer_sitemap_namesEveryPageWithItsDate() {
    ChangingShop shop = shopAt(1, USUAL.withSitemap(Sitemap.TRUE_DATES));
    assertThat(text(shop, "/robots.txt"))
        .isEqualTo("Sitemap: http://changing.localhost:8080/sitemap.xml\n");
    assertThat(shop.sitemaps()).isEqualTo(3);
    Map<String, Instant> dates = new TreeMap<>();
    for (String part : Jsoup.parse(text(shop, "/sitemap.xml")).select("loc").eachText()) {
      Jsoup.parse(text(shop, path(part)))
          .select("url")
          .forEach(
              url ->
                  dates.put(
                      path(url.select("loc").text()), Instant.parse(url.select("lastmod").text())));
    }
    assertThat(dates.keySet()).isEqualTo(shop.paths(1));
    assertThat(dates)
        .allSatisfy(
            (path, date) -> assertThat(date).isEqualTo(PageOf.page(shop, path).lastModified()));
    assertThat(PageOf.status(shop, "/sitemap-2.xml")).isEqualTo(404);
  }

  private static String path(String url) {
    return url.replace("http://changing.localhost:8080", "");
  }

  @Test
  void answer_sitemapAlwaysNow_datesEverythingAtTheRequest() {
    ChangingShop shop = shop(USUAL.withSitemap(Sitemap.ALWAYS_NOW));
    now = now.plus(Duration.ofDays(1));
    assertThat(
            new HashSet<>(Jsoup.parse(text(shop, "/sitemap-0.xml")).select("lastmod").eachText()))
        .isEqualTo(Set.of("2026-05-02T00:00:00Z"));
  }

  @Test
  void answer_noSitemap_isNotThere() {
    ChangingShop shop = shop(USUAL);
    assertThat(shop.sitemaps()).isZero();
    assertThat(PageOf.status(shop, "/robots.txt")).isEqualTo(404);
    assertThat(PageOf.status(shop, "/sitemap.xml")).isEqualTo(404);
  }

  @Test
  void fail_mostPages_answer500ButNotTheRootUntilItEnds() {
    ChangingShop shop = shop(USUAL);
    shop.fail(0.8);
    long failed =
        shop.paths(0).stream()
            .filter(
                path ->
                    shop.answer(WebRequest.get(shop.host(), PageOf.PORT, path))
                        instanceof Answer.Reply)
            .count();
    assertThat(failed).isBetween((long) (0.75 * PAGES), (long) (0.85 * PAGES));
    assertThat(PageOf.page(shop, "/").html()).contains("Our goods");
    shop.fail(0);
    assertThat(found(shop)).isEqualTo(shop.truth(0));
  }

  @Test
  void publish_twiceWithinASecond_datesThemApart() {
    ChangingShop shop = shop(USUAL.withChanges(1, 0, 0));
    shop.publish(1);
    Instant first = PageOf.page(shop, "/product/0.html").lastModified();
    String tag = etag(shop, "/product/0.html");
    shop.publish(2);
    assertThat(PageOf.page(shop, "/product/0.html").lastModified()).isEqualTo(first.plusSeconds(1));
    assertThat(etag(shop, "/product/0.html")).isNotEqualTo(tag);
  }

  @Test
  void publish_versionThatIsServedOrEarlier_isRefused() {
    ChangingShop shop = shopAt(2, USUAL);
    assertThatThrownBy(() -> shop.publish(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Version 2 is not later than version 2, which is served.");
  }

  @Test
  void plan_sharesBeyondAll_areRefused() {
    assertThatThrownBy(() -> USUAL.withChanges(0.9, 0.2, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> USUAL.withOffers(-0.1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ChangingShopPlan.usual(1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
