package dev.fairfleet.frontier;

import java.util.List;

/**
 * One step of a walk through the pages that earlier crawls know.
 *
 * @param pages which the crawl has neither claimed nor settled, each as {@link Page#recalled}
 * @param next where the next step begins; empty at the end of the walk
 */
public record Walk(List<Page> pages, String next) {
  public Walk {
    pages = List.copyOf(pages);
  }
}
