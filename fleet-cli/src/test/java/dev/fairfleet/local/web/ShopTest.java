package dev.fairfleet.local.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopTest {
  private static final Shop SHOP = Shop.of(9);

  @Test
  void paths_walkedByLinks_are25ListsAnd500Products() {
    Walk walk = Walk.over(SHOP);
    assertThat(walk.depths().keySet()).hasSize(525).isEqualTo(Set.copyOf(SHOP.paths().toList()));
    assertThat(walk.outside()).isEmpty();
    assertThat(SHOP.products()).isEqualTo(500);
  }

  @Test
  void answer_listPage_linksToNeighboursAndItsTwentyProducts() {
    Document page = document("/list/2");
    assertThat(page.select("nav a").eachAttr("href")).containsExactly("/", "/", "/list/3");
    assertThat(page.select("ul.products a").eachAttr("href"))
        .hasSize(20)
        .startsWith("/product/21.html")
        .endsWith("/product/40.html");
    assertThat(document("/list/25").select("nav a").eachAttr("href"))
        .containsExactly("/", "/list/24");
  }

  @Test
  void truth_listPage_isNoRecordAndThePageShowsNone() {
    assertThat(SHOP.truth("/")).isEmpty();
    assertThat(document("/").select(".sku, .title, .price")).isEmpty();
  }

  @Test
  void truth_productPage_isWhatThePageShows() {
    Document page = document("/product/500.html");
    assertThat(SHOP.truth("/product/500.html"))
        .isEqualTo(
            Map.of(
                "sku", "SHOP-500",
                "title", page.select("h1.title").text(),
                "price", page.select("span.price").text()));
    assertThat(page.select("span.price").text()).matches("\\d+\\.\\d\\d");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/list/1",
        "/list/26",
        "/list/02",
        "/product/0.html",
        "/product/501.html",
        "/product/1"
      })
  void answer_pathNextToOnes_is404(String path) {
    assertThat(PageOf.status(SHOP, path)).isEqualTo(404);
  }

  private static Document document(String path) {
    return Jsoup.parse(PageOf.page(SHOP, path).html());
  }
}
