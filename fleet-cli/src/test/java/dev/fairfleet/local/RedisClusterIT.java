package dev.fairfleet.local;

import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.fairness.ServedCountsContract;
import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.fairness.SiteWindowContract;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateContract;
import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.politeness.PageBudgetContract;
import dev.fairfleet.redis.RedisGate;
import dev.fairfleet.redis.RedisPageBudget;
import dev.fairfleet.redis.RedisRobotsStore;
import dev.fairfleet.redis.RedisServedCounts;
import dev.fairfleet.redis.RedisSiteHealth;
import dev.fairfleet.redis.RedisSiteWindow;
import dev.fairfleet.retry.SiteHealth;
import dev.fairfleet.retry.SiteHealthContract;
import dev.fairfleet.robots.RobotsStore;
import dev.fairfleet.robots.RobotsStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P99: all that works on one server works on a cluster, which refuses keys of two slots. */
@SuppressWarnings("NullAway.Init")
final class RedisClusterIT {
  private static final long SEED = 7;

  private static RedisClusterNode node;
  private static TestRedis redis;

  private final String fleet = TestRedis.newFleet();

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    node = new RedisClusterNode(folder);
    redis = TestRedis.of(node);
  }

  @AfterAll
  static void stop() {
    redis.close();
    node.close();
  }

  @Test
  void gate_seededHistory_answersAsThePolicyDoes() {
    GateComparison.run(redis.connection(), SEED, 60_000);
  }

  @Test
  void window_seededHistory_answersAsTheOneInMemoryDoes() {
    WindowComparison.run(redis.connection(), SEED, 5_000);
  }

  @Nested
  final class OfGate extends GateContract {
    @Override
    protected Gate gate() {
      return RedisGate.onClock(redis.connection(), fleet, draw, clock);
    }
  }

  @Nested
  final class OfWindow extends SiteWindowContract {
    @Override
    protected SiteWindow window() {
      return RedisSiteWindow.onClock(redis.connection(), fleet, clock);
    }
  }

  @Nested
  final class OfCounts extends ServedCountsContract {
    @Override
    protected ServedCounts empty() {
      return RedisServedCounts.onClock(redis.connection(), fleet, clock);
    }
  }

  @Nested
  final class OfBudget extends PageBudgetContract {
    @Override
    protected PageBudget budget() {
      return new RedisPageBudget(redis.connection(), fleet);
    }
  }

  @Nested
  final class OfHealth extends SiteHealthContract {
    @Override
    protected SiteHealth health() {
      return RedisSiteHealth.onClock(redis.connection(), fleet, clock);
    }
  }

  @Nested
  final class OfRobots extends RobotsStoreContract {
    @Override
    protected RobotsStore store() {
      return RedisRobotsStore.onClock(redis.connection(), fleet, clock);
    }
  }
}
