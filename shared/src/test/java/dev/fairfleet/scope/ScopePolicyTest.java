package dev.fairfleet.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopePolicyTest {
  private static final Site SITE =
      new Site(
          new SiteId("a"),
          List.of(CrawlUrl.of("http://a.test/")),
          new Scope(Set.of(new HostKey("a.test", 80), new HostKey("www.a.test", 443))),
          new SiteLimits(60, Duration.ZERO, 2, SiteLimits.UNLIMITED),
          ExtractionRules.DEFAULT);

  private final ScopePolicy policy = new ScopePolicy();

  @ParameterizedTest
  @ValueSource(strings = {"http://a.test/x", "http://A.TEST./x", "https://www.a.test/"})
  void decide_hostOfSite_isAdmitted(String url) {
    assertThat(policy.decide(SITE, CrawlUrl.of(url), new CrawlDepth(0)))
        .isEqualTo(ScopeDecision.ADMITTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://b.test/",
        "http://b.a.test/",
        "http://a.test.b.test/",
        "http://a.test:8080/",
        "https://a.test/",
        "http://www.a.test/"
      })
  void decide_otherHostOrPort_isRefused(String text) {
    CrawlUrl url = CrawlUrl.of(text);

    assertThat(policy.decide(SITE, url, new CrawlDepth(0)))
        .isEqualTo(
            new ScopeDecision.Refused("host: " + url.hostKey() + " is none of the site's hosts"));
  }

  @Test
  void decide_deepestAndOneMore_decidesAtLimit() {
    CrawlUrl url = CrawlUrl.of("http://a.test/x");

    assertThat(policy.decide(SITE, url, new CrawlDepth(2))).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(policy.decide(SITE, url, new CrawlDepth(3)))
        .isEqualTo(new ScopeDecision.Refused("depth: 3 is beyond the site's limit of 2"));
  }
}
