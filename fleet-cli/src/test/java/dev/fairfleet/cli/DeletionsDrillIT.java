package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.web.ChangingShop;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drill, small: what changes between three crawls, in each of which a worker is killed. */
final class DeletionsDrillIT {
  private static final int SLOTS = 8;

  private final ChangingShop shop = DeletionsDrillCommand.shop("shop", 5, 120);
  private final WebServer server =
      WebServer.start(List.of(shop), WebOptions.defaults().withLatency(Duration.ofMillis(10)));

  @TempDir private Path folder = Path.of("");

  private DataDir dir;
  private LocalFleet fleet;
  private ShopCrawls crawls;

  @BeforeEach
  void startFleet() {
    dir = DataDir.open(folder);
    fleet = LocalFleet.start(dir, DeletionsDrillCommand.settings(SLOTS));
    crawls = new ShopCrawls(fleet, server, shop, 1);
  }

  @AfterEach
  void stopFleet() {
    fleet.close();
    dir.close();
    server.close();
  }

  private static void assertAsExpected(DrillReport report) {
    assertThat(report.ok()).as(report.text()).isTrue();
  }

  @Test
  void drill_threeVersionsAndAKillInEachCrawl_tellsTheTrueDifferences()
      throws InterruptedException {
    assertAsExpected(DeletionsDrillCommand.changes(crawls, 1, new Random(7)));
  }
}
