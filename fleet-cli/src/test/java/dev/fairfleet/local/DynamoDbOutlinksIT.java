package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.dynamodb.DynamoDbOutlinks;
import dev.fairfleet.frontier.Outlinks;
import dev.fairfleet.frontier.OutlinksContract;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DynamoDbOutlinksIT extends OutlinksContract {
  private static final SiteId SITE = new SiteId("large");
  private static final CrawlUrl PAGE = CrawlUrl.of("http://a.test/");
  private static TestTables tables;

  @BeforeAll
  static void createTables() {
    tables = new TestTables();
  }

  @AfterAll
  static void deleteTables() {
    tables.close();
  }

  @Override
  protected Outlinks open() {
    return new DynamoDbOutlinks(tables.client(), tables.prefix());
  }

  @Test
  void keep_moreThanAnItemShouldHold_keepsNothing() {
    Random random = new Random(1);
    List<CrawlUrl> unlike =
        Stream.generate(() -> CrawlUrl.of("http://a.test/" + Long.toHexString(random.nextLong())))
            .limit(20_000)
            .toList();
    assertThat(open().keep(SITE, PAGE, unlike)).isFalse();
    assertThat(open().of(SITE, PAGE)).isEmpty();
  }

  @Test
  void keep_anyLinks_areNoPagesOfTheFrontier() {
    open().keep(SITE, PAGE, List.of(PAGE));
    List<Page> pages = new ArrayList<>();
    new DynamoDbFrontier(tables.client(), tables.prefix(), 0).forEachPage(SITE, pages::add);
    assertThat(pages).isEmpty();
  }
}
