package dev.fairfleet.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class SiteItemTest {
  @Test
  void status_itemOfAnOlderVersion_getsTheDefaults() {
    CrawlUrl root = CrawlUrl.of("http://a.test/");
    Site site =
        new Site(
            new SiteId("a"),
            List.of(root),
            new Scope(Set.of(root.hostKey())),
            SiteLimits.POLITE,
            ExtractionRules.DEFAULT);
    Map<String, AttributeValue> limits = new HashMap<>(SiteItem.limits(site.limits()).m());
    limits.keySet().retainAll(Set.of("requestsPerHour", "minDelay", "maxDepth", "maxPages"));
    Map<String, AttributeValue> item = new HashMap<>(SiteItem.key(site.id()));
    item.put(SiteItem.ROOTS, SiteItem.roots(site));
    item.put(SiteItem.HOSTS, SiteItem.hosts(site));
    item.put(SiteItem.LIMITS, AttributeValue.fromM(limits));
    item.put(SiteItem.EXTRACTION, SiteItem.extraction(site.extraction()));
    item.put(SiteItem.STATE, AttributeValue.fromS("ACTIVE"));

    assertThat(SiteItem.status(item).site()).isEqualTo(site);
  }
}
