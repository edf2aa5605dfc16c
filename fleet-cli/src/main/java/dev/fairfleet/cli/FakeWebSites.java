package dev.fairfleet.cli;

import dev.fairfleet.local.web.FakeSite;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.CrawlUrl;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The sites of the fake web, as a fleet knows them. */
final class FakeWebSites {
  /** What the fake web's pages say, by SKU; the fake web knows the truth under the same names. */
  private static final ExtractionRules RULES =
      new ExtractionRules(
          Map.of("sku", ".sku", "title", "h1.title", "price", ".price"),
          Optional.of("sku"),
          Set.of());

  private FakeWebSites() {}

  /** Adds a site for each fake one, and returns their ids in the same order. */
  static <S extends FakeSite> Map<S, SiteId> add(
      SiteStore store, WebServer server, Collection<S> web, SiteLimits limits) {
    Map<S, SiteId> ids = new LinkedHashMap<>();
    for (S fake : web) {
      CrawlUrl root = CrawlUrl.of(server.url(fake, "/").toString());
      SiteId id = new SiteId(fake.host().replace(".localhost", ""));
      store.put(new Site(id, List.of(root), new Scope(Set.of(root.hostKey())), limits, RULES));
      ids.put(fake, id);
    }
    return ids;
  }
}
