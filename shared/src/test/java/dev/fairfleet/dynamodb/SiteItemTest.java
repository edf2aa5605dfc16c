package dev.fairfleet.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class SiteItemTest {
  private static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");

  private static Site site() {
    CrawlUrl root = CrawlUrl.of("http://a.test/");
    return new Site(
        new SiteId("a"),
        List.of(root),
        new Scope(Set.of(root.hostKey())),
        SiteLimits.POLITE,
        ExtractionRules.DEFAULT);
  }

  /** Returns an item as the first version wrote it. */
  private static Map<String, AttributeValue> oldItem() {
    Map<String, AttributeValue> limits = new HashMap<>(SiteItem.limits(site().limits()).m());
    limits.keySet().retainAll(Set.of("requestsPerHour", "minDelay", "maxDepth", "maxPages"));
    Map<String, AttributeValue> item = new HashMap<>(SiteItem.key(site().id()));
    item.put(SiteItem.ROOTS, SiteItem.roots(site()));
    item.put(SiteItem.HOSTS, SiteItem.hosts(site()));
    item.put(SiteItem.LIMITS, AttributeValue.fromM(limits));
    item.put(SiteItem.EXTRACTION, SiteItem.extraction(site().extraction()));
    item.put(SiteItem.STATE, AttributeValue.fromS("ACTIVE"));
    return item;
  }

  @Test
  void status_itemOfAnOlderVersion_getsTheDefaults() {
    SiteStatus status = SiteItem.status(oldItem());
    assertThat(status).isEqualTo(SiteStatus.ofNew(site()));
    assertThat(status.site().recrawl()).isEqualTo(RecrawlPolicy.DEFAULT);
  }

  @Test
  void status_crawlOfAnOlderVersion_isAFullOneThatGoesOn() {
    Map<String, AttributeValue> item = oldItem();
    item.put(SiteItem.CRAWL, AttributeValue.fromS(CRAWL.value()));
    item.put(SiteItem.STARTED, AttributeValue.fromBool(true));

    assertThat(SiteItem.status(item).run())
        .contains(
            new CrawlRun(CRAWL, CrawlMode.FULL, true, Optional.empty(), false, Optional.empty()));
  }

  @Test
  void status_crawlOfAnOlderVersionThatEndedNow_makesTheSiteDueADayLater() {
    Map<String, AttributeValue> item = oldItem();
    item.put(SiteItem.CRAWL, AttributeValue.fromS(CRAWL.value()));
    item.put(SiteItem.STARTED, AttributeValue.fromBool(true));
    Instant nextDay = CRAWL.scheduledTime().plus(Duration.ofDays(1));
    assertThat(isDue(item, nextDay)).isFalse();

    item.put(SiteItem.END, SiteItem.end(new CrawlEnd(nextDay, 1, 2, 3, 4, 5, true, "")));

    assertThat(isDue(item, nextDay)).isTrue();
  }

  private static boolean isDue(Map<String, AttributeValue> item, Instant time) {
    return RecrawlPolicy.DEFAULT.isDue(SiteItem.status(item), time);
  }
}
