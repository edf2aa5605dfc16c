package dev.fairfleet.local.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The plan of a fake web: how many sites of which size, and what draws their pages.
 *
 * @param seed what all pages are drawn from
 * @param sizes the number of pages of each site, at least 1; site i (from 1) has the host {@code
 *     site-i.localhost}, filled with zeros to at least three digits and to one width
 * @param fanOut how many children a page links to, at least 1
 * @param pageBytes the target size of a page in bytes; the real one is within a paragraph of it, or
 *     what a page needs for its links
 */
public record WebPlan(long seed, List<Integer> sizes, int fanOut, int pageBytes) {
  /** The default number of children of a page. */
  public static final int FAN_OUT = 20;

  /** The default size of a page, in bytes. */
  public static final int PAGE_BYTES = 15_000;

  public WebPlan {
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty() || Collections.min(sizes) < 1) {
      throw new IllegalArgumentException(
          "A web needs at least one site, and a site at least one page.");
    }
    if (fanOut < 1 || pageBytes < 0) {
      throw new IllegalArgumentException(
          "A fan-out of %d with pages of %d bytes is not a web.".formatted(fanOut, pageBytes));
    }
  }

  /**
   * Returns a plan whose site sizes follow Zipf's law with exponent 1: beside the one page that
   * each has, the i-th site gets a share in proportion to 1/i. Largest first; the sum is exact
   * (largest remainder).
   *
   * @throws IllegalArgumentException if there are fewer pages than sites, or no site
   */
  public static WebPlan zipf(long seed, int sites, int pages) {
    if (sites < 1 || pages < sites) {
      throw new IllegalArgumentException(
          "%d pages cannot make %d sites: each site has at least one page, and there is at least one site."
              .formatted(pages, sites));
    }
    double harmonic = IntStream.rangeClosed(1, sites).mapToDouble(i -> 1.0 / i).sum();
    double[] shares =
        IntStream.rangeClosed(1, sites)
            .mapToDouble(i -> (pages - sites) / (i * harmonic))
            .toArray();
    List<Integer> sizes = new ArrayList<>();
    for (double share : shares) {
      sizes.add(1 + (int) share);
    }
    int left = pages - sizes.stream().mapToInt(Integer::intValue).sum();
    IntStream.range(0, sites)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> Math.floor(shares[i]) - shares[i]))
        .limit(left)
        .forEach(i -> sizes.set(i, sizes.get(i) + 1));
    return new WebPlan(seed, sizes, FAN_OUT, PAGE_BYTES);
  }

  /** Returns this plan with another number of children per page. */
  public WebPlan withFanOut(int fanOut) {
    return new WebPlan(seed, sizes, fanOut, pageBytes);
  }

  /** Returns this plan with another page size. */
  public WebPlan withPageBytes(int pageBytes) {
    return new WebPlan(seed, sizes, fanOut, pageBytes);
  }

  /** Returns the number of pages of all sites. */
  public int pages() {
    return sizes.stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * Returns the sites, in the order of their sizes. The host of each page's way out is the next.
   */
  public List<TreeSite> sites() {
    Prose prose = new Prose(seed);
    return IntStream.range(0, sizes.size())
        .mapToObj(
            i ->
                new TreeSite(
                    host(i),
                    sizes.size() == 1 ? "elsewhere.localhost" : host((i + 1) % sizes.size()),
                    "S" + (i + 1),
                    Hash.mix(seed ^ Hash.mix(i)),
                    sizes.get(i),
                    fanOut,
                    pageBytes,
                    prose))
        .toList();
  }

  private String host(int index) {
    String digits = Integer.toString(index + 1);
    int width = Math.max(3, Integer.toString(sizes.size()).length());
    return "site-" + "0".repeat(width - digits.length()) + digits + ".localhost";
  }
}
