package dev.fairfleet.url;

import java.util.List;

/**
 * Measures what it costs to resolve a link of a page, in nanoseconds. After {@code mvn -pl shared
 * test-compile}, run its main from an IDE, or with the test class path of shared. Figures stand in
 * {@code docs/decisions/0007-urls.md}.
 */
final class CrawlUrlBenchmark {
  private static final int LINKS = 600_000;
  private static final int ROUNDS = 4;
  private static final CrawlUrl PAGE =
      CrawlUrl.of("https://shop.example.com/en/products/shoes/?page=2&sort=price");

  private CrawlUrlBenchmark() {}

  public static void main(String[] args) {
    for (int round = 1; round <= ROUNDS; round++) {
      measure(
          "absolute, clean",
          List.of(
              "https://shop.example.com/en/products/shoes/red-shoe-4711",
              "https://www.example.org/a/b/c.html?id=7&lang=en",
              "http://a.test/x/y#top"));
      measure(
          "relative, clean",
          List.of(
              "/en/products/shoes/red-shoe-4711",
              "details.html?id=4711",
              "/img/a.png",
              "boots/index.html"));
      measure(
          "odd",
          List.of(
              "?page=3&sort=price",
              "../boots/",
              "https://Shop.Example.com:443/A B",
              "/s?q=a|b",
              "//b.test/x",
              "http://b\u00fccher.test/"));
    }
  }

  private static void measure(String name, List<String> links) {
    for (boolean hashed : new boolean[] {false, true}) {
      long start = System.nanoTime();
      long used = 0;
      for (int i = 0; i < LINKS; i++) {
        CrawlUrl url = PAGE.resolve(links.get(i % links.size())).orElseThrow();
        used += hashed ? url.hash().hashCode() : url.hostKey().port();
      }
      long nanos = (System.nanoTime() - start) / LINKS;
      System.out.printf("%s%s: %d ns (%x)%n", name, hashed ? ", hash" : "", nanos, used);
    }
  }
}
