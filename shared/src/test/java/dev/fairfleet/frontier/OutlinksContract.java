package dev.fairfleet.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link Outlinks} keeps to. */
public abstract class OutlinksContract {
  private static final AtomicInteger SITES = new AtomicInteger();
  private static final CrawlUrl PAGE = CrawlUrl.of("http://a.test/p");
  private static final List<CrawlUrl> LINKS =
      List.of(CrawlUrl.of("http://a.test/z?q=1"), CrawlUrl.of("https://b.test/%C3%A4"), PAGE);

  private final SiteId site = new SiteId("outlinks-" + SITES.incrementAndGet());

  /** Returns outlinks over the same storage, as another process would have them. */
  protected abstract Outlinks open();

  @Test
  protected void of_unknownPage_isEmpty() {
    assertThat(open().of(site, PAGE)).isEmpty();
  }

  @Test
  protected void keep_links_areReturnedInTheirOrder() {
    assertThat(open().keep(site, PAGE, LINKS)).isTrue();
    assertThat(open().of(site, PAGE)).contains(LINKS);
  }

  @Test
  protected void keep_noLinks_isKnownToHaveNone() {
    assertThat(open().keep(site, PAGE, List.of())).isTrue();
    assertThat(open().of(site, PAGE)).contains(List.of());
  }

  @Test
  protected void keep_again_replacesThoseBefore() {
    open().keep(site, PAGE, LINKS);
    open().keep(site, PAGE, List.of(PAGE));
    assertThat(open().of(site, PAGE)).contains(List.of(PAGE));
  }

  @Test
  protected void of_samePageOfAnotherSite_isEmpty() {
    open().keep(site, PAGE, LINKS);
    assertThat(open().of(new SiteId(site.value() + ".other"), PAGE)).isEmpty();
    assertThat(open().of(site, LINKS.getFirst())).isEmpty();
  }

  @Test
  protected void keep_fiveThousandLinksOfOnePage_areKept() {
    List<CrawlUrl> many =
        IntStream.range(0, 5_000)
            .mapToObj(i -> CrawlUrl.of("http://a.test/category/thing-" + i + ".html"))
            .toList();
    assertThat(open().keep(site, PAGE, many)).isTrue();
    assertThat(open().of(site, PAGE)).contains(many);
  }
}
