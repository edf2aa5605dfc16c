package dev.fairfleet.local.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebPlanTest {
  @ParameterizedTest
  @CsvSource({"1,1", "7,7", "7,8", "10,1000", "300,60000", "1500,1000000", "999,1000"})
  void zipf_anySizes_sumIsExactAndLargestComesFirst(int sites, int pages) {
    WebPlan plan = WebPlan.zipf(1, sites, pages);
    assertThat(plan.pages()).isEqualTo(pages);
    assertThat(plan.sizes())
        .hasSize(sites)
        .allMatch(size -> size >= 1)
        .isSortedAccordingTo(Comparator.reverseOrder());
  }

  @Test
  void zipf_manyPages_followOneOverRank() {
    assertThat(WebPlan.zipf(1, 4, 25_004).sizes()).isEqualTo(List.of(12_001, 6_001, 4_001, 3_001));
  }

  @Test
  void zipf_oneSiteMoreThanPages_isRefused() {
    assertThatThrownBy(() -> WebPlan.zipf(1, 8, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("7 pages cannot make 8 sites");
  }

  @Test
  void sites_hosts_haveOneWidthAndAreLoopbackNames() {
    assertThat(WebPlan.zipf(1, 2, 10).sites())
        .extracting(TreeSite::host)
        .containsExactly("site-001.localhost", "site-002.localhost");
    assertThat(WebPlan.zipf(1, 1000, 1000).sites().getFirst().host())
        .isEqualTo("site-0001.localhost");
  }

  @Test
  void sites_sameSeed_areTheSameWeb() {
    List<String> once = texts(WebPlan.zipf(5, 3, 60));
    assertThat(texts(WebPlan.zipf(5, 3, 60))).isEqualTo(once);
    assertThat(texts(WebPlan.zipf(6, 3, 60))).doesNotContainAnyElementsOf(once);
  }

  private static List<String> texts(WebPlan plan) {
    return plan.sites().stream()
        .flatMap(site -> site.paths().map(path -> PageOf.page(site, path).html()))
        .toList();
  }
}
