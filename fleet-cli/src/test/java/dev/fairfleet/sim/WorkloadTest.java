package dev.fairfleet.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.sim.Scenario.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class WorkloadTest {
  private static List<SimSite> sites(Sizes sizes, int sites, int pages, long seed) {
    return Workload.sites(Scenarios.small().sites(sites).pages(pages).sizes(sizes).build(), seed);
  }

  private static List<Integer> sizes(List<SimSite> sites) {
    return sites.stream().map(site -> site.pages).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "ZIPF,300,60000",
    "ZIPF,300,300",
    "ZIPF,300,301",
    "ZIPF,1,7",
    "EQUAL,300,60001",
    "EQUAL,7,7",
    "ONE_LARGE,10,2000",
    "ONE_LARGE,1,200"
  })
  void sites_ofEveryKind_addUpLargestFirst(Sizes kind, int sites, int pages) {
    List<Integer> sizes = sizes(sites(kind, sites, pages, 1));
    assertThat(sizes).hasSize(sites).allMatch(size -> size >= 1);
    assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(pages);
    assertThat(sizes.getFirst()).isEqualTo(sizes.stream().max(Integer::compare).orElseThrow());
  }

  @Test
  void sites_zipf_secondHasHalfOfTheFirst() {
    List<Integer> sizes = sizes(sites(Sizes.ZIPF, 100, 100_000, 1));
    assertThat(sizes.get(1)).isBetween(sizes.get(0) / 2 - 50, sizes.get(0) / 2 + 1);
    assertThat(sizes.get(9)).isBetween(sizes.get(0) / 10 - 50, sizes.get(0) / 10 + 1);
  }

  @Test
  void sites_oneLarge_othersHaveTenTo200() {
    List<Integer> sizes = sizes(sites(Sizes.ONE_LARGE, 500, 1_000_000, 1));
    assertThat(sizes.getFirst()).isGreaterThan(900_000);
    assertThat(sizes.subList(1, 500)).allMatch(size -> size >= 10 && size <= 200).contains(10, 200);
  }

  @ParameterizedTest
  @EnumSource(Sizes.class)
  void sites_sameSeed_areTheSameTrees(Sizes kind) {
    List<List<Integer>> once = trees(sites(kind, 20, 5_000, 7));
    assertThat(trees(sites(kind, 20, 5_000, 7))).isEqualTo(once);
    assertThat(trees(sites(kind, 20, 5_000, 8))).isNotEqualTo(once);
  }

  private static List<List<Integer>> trees(List<SimSite> sites) {
    return sites.stream()
        .map(site -> IntStream.range(0, site.pages).map(site::endOfChildren).boxed().toList())
        .toList();
  }

  @Test
  void tree_walked_reachesEveryPageOnceOneStepDeeperThanItsParent() {
    for (SimSite site : sites(Sizes.ZIPF, 50, 5_000, 3)) {
      List<Integer> reached = new ArrayList<>(List.of(0));
      for (int i = 0; i < reached.size(); i++) {
        int page = reached.get(i);
        for (int child = site.firstChild(page); child < site.endOfChildren(page); child++) {
          assertThat(site.depth(child)).isEqualTo(site.depth(page) + 1);
          reached.add(child);
        }
      }
      assertThat(reached)
          .containsExactlyElementsOf(IntStream.range(0, site.pages).boxed().toList());
    }
  }
}
