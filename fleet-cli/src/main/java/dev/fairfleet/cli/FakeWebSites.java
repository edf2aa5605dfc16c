package dev.fairfleet.cli;

import dev.fairfleet.local.web.ChangingShop;
import dev.fairfleet.local.web.FakeSite;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LinkPolicy;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.site.SitemapPolicy;
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

  /** The same, and how often they were viewed, which says nothing of the thing. */
  private static final ExtractionRules RULES_WITH_VIEWS =
      new ExtractionRules(
          Map.of("sku", ".sku", "title", "h1.title", "price", ".price", "views", ".views"),
          Optional.of("sku"),
          Set.of("views"));

  private FakeWebSites() {}

  /** Adds a shop, or replaces what its site is, and returns its id. */
  static SiteId put(
      SiteStore store,
      WebServer server,
      ChangingShop shop,
      SiteLimits limits,
      RecrawlPolicy recrawl) {
    CrawlUrl root = CrawlUrl.of(server.url(shop, "/").toString());
    SiteId id = new SiteId(shop.host().replace(".localhost", ""));
    store.put(
        new Site(
            id,
            List.of(root),
            new Scope(Set.of(root.hostKey())),
            limits,
            shop.plan().views() ? RULES_WITH_VIEWS : RULES,
            LinkPolicy.DEFAULT,
            SitemapPolicy.DEFAULT,
            recrawl));
    return id;
  }

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
