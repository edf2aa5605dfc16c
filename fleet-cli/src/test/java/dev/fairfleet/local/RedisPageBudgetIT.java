package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.politeness.PageBudgetContract;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisPageBudget;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import io.lettuce.core.RedisException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisPageBudgetIT extends PageBudgetContract {
  private static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);
  private static final SiteId SITE = new SiteId("a");

  @SuppressWarnings("NullAway.Init")
  private static TestRedis redis;

  private final String fleet = TestRedis.newFleet();

  @BeforeAll
  static void connect() {
    redis = new TestRedis();
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @Override
  protected PageBudget budget() {
    return new RedisPageBudget(redis.connection(), fleet);
  }

  @Test
  void admit_anything_isForgottenAfterAWeek() {
    budget().admit(SITE, CRAWL, List.of(CrawlUrl.of("http://a.test/")), 1);

    assertThat(redis.beside().pttl(fleet + ":{a}:pages:" + CRAWL))
        .isBetween(Duration.ofDays(6).toMillis(), Duration.ofDays(7).toMillis());
  }

  @Test
  void admit_redisAway_throwsItsClientsException() {
    try (RedisConnection nowhere =
        new RedisConnection(URI.create("redis://127.0.0.1:1"), false, Duration.ofSeconds(2))) {
      RedisPageBudget budget = new RedisPageBudget(nowhere, fleet);

      assertThatThrownBy(() -> budget.admit(SITE, CRAWL, List.of(CrawlUrl.of("http://a.test/")), 1))
          .isInstanceOf(RedisException.class);
    }
  }
}
