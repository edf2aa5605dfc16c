package dev.fairfleet.worker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairfleet.fairness.DelayTable;
import dev.fairfleet.fairness.WindowPolicy;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.retry.BreakerPolicy;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.robots.RobotsPolicy;
import dev.fairfleet.sqs.QueueSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkerConfigTest {
  private static final Map<String, String> CONTACT =
      Map.of("FAIRFLEET_FETCH_CONTACT", "https://example.org/bot");

  @Test
  void load_onlyContact_hasTheDocumentedDefaults() {
    WorkerConfig config = WorkerConfig.load(CONTACT);
    assertThat(config.id()).isEmpty();
    assertThat(config.slots()).isEqualTo(16);
    assertThat(config.perServer()).isEqualTo(2);
    assertThat(config.grace()).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.queue())
        .isEqualTo(new WorkerConfig.Queue("fairfleet-", Duration.ofSeconds(20), 1, 5));
    assertThat(config.queue().plainIdleWait()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.policy()).isEqualTo(SchedulingPolicy.RESERVED);
    assertThat(config.windows()).isEqualTo(WindowPolicy.DEFAULT);
    assertThat(config.inFlightQuota()).isEqualTo(120_000);
    assertThat(config.tables()).isEqualTo(new WorkerConfig.Tables("fairfleet-", 200_000));
    assertThat(config.redisUrl()).isEqualTo(URI.create("redis://127.0.0.1:6379"));
    assertThat(config.redisCluster()).isFalse();
    assertThat(config.parking())
        .isEqualTo(new ParkingPolicy(Duration.ofSeconds(5), Duration.ofSeconds(10)));
    assertThat(config.delay().table()).isEqualTo(DelayTable.DEFAULT);
    assertThat(config.delay().scale()).isEqualTo(1);
    assertThat(config.sweep()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.breaker()).isEqualTo(BreakerPolicy.DEFAULT);
    assertThat(config.lease()).isEqualTo(new LeasePolicy(Duration.ofMinutes(2), 1_000));
    assertThat(config.retry())
        .isEqualTo(new RetryPolicy(4, Duration.ofSeconds(10), Duration.ofMinutes(10)));
    assertThat(config.fetch())
        .isEqualTo(
            new WorkerConfig.Fetch(
                "fairfleet",
                "https://example.org/bot",
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                2 << 20,
                false));
    assertThat(config.robots()).isEqualTo(RobotsPolicy.DEFAULT);
    assertThat(config.maxLinks()).isEqualTo(5_000);
    assertThat(config.metricsInterval()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void load_leases_agreeWithTheQueuesAsTheyAreDescribed() {
    assertThat(WorkerConfig.load(CONTACT).lease()).isEqualTo(QueueSettings.DEFAULT.leases());
  }

  @Test
  void reference_namesTheVariableOfEveryKey() throws IOException {
    try (var in = WorkerConfig.class.getResourceAsStream("reference.properties")) {
      assertThat(in).isNotNull();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Settings.reference().stringPropertyNames())
          .allSatisfy(key -> assertThat(text).contains(Settings.variable(key)));
    }
  }

  @Test
  void load_noFailures_neverStopsASite() {
    Map<String, String> settings = new HashMap<>(CONTACT);
    settings.put("FAIRFLEET_BREAKER_FAILURES", "0");

    assertThat(WorkerConfig.load(settings).breaker()).isEqualTo(BreakerPolicy.NEVER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "1441m"})
  void load_sweepsTooOftenOrTooSeldom_isRefused(String sweep) {
    Map<String, String> settings = new HashMap<>(CONTACT);
    settings.put("FAIRFLEET_SCHEDULING_SWEEP", sweep);

    assertThatExceptionOfType(InvalidConfigException.class)
        .isThrownBy(() -> WorkerConfig.load(settings))
        .withMessageContaining("scheduling.sweep");
  }

  @Test
  void load_variable_winsOverFile(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("worker.properties"),
            "worker.slots = 3\nworker.perServer = 5\nfetch.contact = a@b.example\n");
    WorkerConfig config =
        WorkerConfig.load(
            Map.of("FAIRFLEET_CONFIG", file.toString(), "FAIRFLEET_WORKER_SLOTS", "4"));
    assertThat(config.slots()).isEqualTo(4);
    assertThat(config.perServer()).isEqualTo(5);
  }

  @Test
  void load_manyProblems_namesThemAll(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("worker.properties"), "worker.slotz = 3\n");
    assertThatExceptionOfType(InvalidConfigException.class)
        .isThrownBy(
            () ->
                WorkerConfig.load(
                    Map.of(
                        "FAIRFLEET_CONFIG",
                        file.toString(),
                        "FAIRFLEET_WORKER_SLOTS",
                        "0",
                        "FAIRFLEET_LEASE_VISIBILITY",
                        "soon",
                        "FAIRFLEET_SCHEDULING_PARKSHORTEST",
                        "20s",
                        "FAIRFLEET_QUEUE_IDLEWAIT",
                        "21s",
                        "FAIRFLEET_TYPO",
                        "x")))
        .withMessageContaining("7 problems")
        .withMessageContaining("worker.slotz, which is no setting")
        .withMessageContaining("FAIRFLEET_TYPO is no setting")
        .withMessageContaining("worker.slots is \"0\", but must be a whole number from 1 to 10000")
        .withMessageContaining("lease.visibility is \"soon\", but must be a duration")
        .withMessageContaining("shortest")
        .withMessageContaining("SQS waits at most 20 s")
        .withMessageContaining("fetch.contact is empty");
  }

  @Test
  void load_policyByName_isThatOne() {
    Map<String, String> environment = new HashMap<>(CONTACT);
    environment.put("FAIRFLEET_SCHEDULING_POLICY", "classic");
    assertThat(WorkerConfig.load(environment).policy()).isEqualTo(SchedulingPolicy.CLASSIC);
    environment.put("FAIRFLEET_SCHEDULING_POLICY", "reserved");
    assertThat(WorkerConfig.load(environment).policy()).isEqualTo(SchedulingPolicy.RESERVED);
  }

  @ParameterizedTest
  @CsvSource({
    "POLICY, fifo, 'scheduling.policy is \"fifo\", but must be reserved or classic'",
    "POLICY, Reserved, 'scheduling.policy is \"Reserved\", but must be reserved or classic'",
    "WINDOWAHEAD, 0s, 1 ≤ least ≤ most",
    "WINDOWLEAST, 301, 1 ≤ least ≤ most",
    "WINDOWMOST, 5, 1 ≤ least ≤ most",
    "WINDOWMOST, 100001, scheduling.windowMost",
    "INFLIGHTQUOTA, 0, scheduling.inFlightQuota",
  })
  void load_badScheduling_isRefused(String setting, String value, String problem) {
    Map<String, String> environment = new HashMap<>(CONTACT);
    environment.put("FAIRFLEET_SCHEDULING_" + setting, value);
    assertThatExceptionOfType(InvalidConfigException.class)
        .isThrownBy(() -> WorkerConfig.load(environment))
        .withMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource({
    "ROBOTS_FRESH, 25h, robots.fresh",
    "ROBOTS_FRESH, 0s, robots.fresh",
    "ROBOTS_RETRY, 31m, robots.retryMost",
    "ROBOTS_RETRYMOST, 25h, robots.retryMost",
    "ROBOTS_LONGESTDELAY, soon, robots.longestDelay",
    "FETCH_USERAGENT, 9bot, must begin with a letter",
  })
  void load_badRobots_isRefused(String setting, String value, String problem) {
    Map<String, String> environment = new HashMap<>(CONTACT);
    environment.put("FAIRFLEET_" + setting, value);
    assertThatExceptionOfType(InvalidConfigException.class)
        .isThrownBy(() -> WorkerConfig.load(environment))
        .withMessageContaining(problem);
  }

  @Test
  void load_loopbackOnly_needsNoContact() {
    assertThat(WorkerConfig.load(Map.of("FAIRFLEET_FETCH_ALLOWLOOPBACK", "true")).fetch().contact())
        .isEmpty();
  }

  @Test
  void toString_redisPassword_isNotShown() {
    WorkerConfig config =
        WorkerConfig.load(
            Map.of(
                "FAIRFLEET_FETCH_CONTACT",
                "a@b.example",
                "FAIRFLEET_REDIS_URL",
                "rediss://user:secret@cache.example:6380"));
    assertThat(config.toString()).contains("cache.example:6380").doesNotContain("secret");
  }
}
