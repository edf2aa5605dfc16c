package dev.fairfleet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.RecrawlContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryFrontierTest extends RecrawlContract {
  private final InMemoryOutlinks outlinks = new InMemoryOutlinks();
  private final Frontier frontier = new InMemoryFrontier(outlinks);

  @Override
  protected Frontier open() {
    return frontier;
  }

  @Test
  void removeAll_site_removesWhereItsPagesLead() {
    outlinks.keep(site, A, List.of(B));
    frontier.removeAll(site);
    assertThat(outlinks.of(site, A)).isEmpty();
  }
}
