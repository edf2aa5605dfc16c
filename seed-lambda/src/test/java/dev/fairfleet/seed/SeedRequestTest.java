package dev.fairfleet.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SeedRequestTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  @Test
  void parse_scheduledTime_winsOverEventTime() {
    Map<String, Object> event =
        Map.of("scheduledTime", "2026-11-30T12:00:00Z", "time", "2026-11-30T12:00:41Z");
    assertThat(SeedRequest.parse(event)).isEqualTo(new SeedRequest(NOON, Optional.empty()));
  }

  @Test
  void parse_fractionAndOffset_areTheSameInstantInUtc() {
    assertThat(SeedRequest.parse(Map.of("scheduledTime", "2026-11-30T13:00:00.000+01:00")))
        .isEqualTo(new SeedRequest(NOON, Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<aws.scheduler.scheduled-time>", "", "2026-11-30", "1796040000"})
  void parse_unreadableScheduledTime_fallsBackToEventTime(String unreadable) {
    Map<String, Object> event = Map.of("scheduledTime", unreadable, "time", "2026-11-30T12:00:00Z");
    assertThat(SeedRequest.parse(event).scheduledTime()).isEqualTo(NOON);
  }

  @Test
  void parse_noTimeAtAll_saysWhatIsThereAndWhatIsWanted() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SeedRequest.parse(Map.of("scheduledTime", 7)))
        .withMessageContaining("\"scheduledTime\" is \"7\"")
        .withMessageContaining("\"time\" is missing")
        .withMessageContaining("<aws.scheduler.scheduled-time>");
  }

  @Test
  void parse_longRubbish_isCutInTheMessage() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SeedRequest.parse(Map.of("time", "x".repeat(10_000))))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(600));
  }

  @Test
  void parse_sites_narrowTheRequest() {
    Map<String, Object> event =
        Map.of("scheduledTime", "2026-11-30T12:00:00Z", "sites", List.of("a", "b"));
    assertThat(SeedRequest.parse(event).only()).contains(Set.of(new SiteId("a"), new SiteId("b")));
  }

  @Test
  void parse_sitesThatAreNoListOfIds_areRefused() {
    for (Object sites : List.of("a", 7, Map.of("a", "b"), List.of("not a site"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  SeedRequest.parse(
                      Map.of("scheduledTime", "2026-11-30T12:00:00Z", "sites", sites)));
    }
  }

  @Test
  void parse_modeAndMost_areRead() {
    SeedRequest request =
        SeedRequest.parse(
            Map.of("scheduledTime", "2026-11-30T12:00:00Z", "mode", "FULL", "most", 7));
    assertThat(request.mode()).contains(CrawlMode.FULL);
    assertThat(request.most()).hasValue(7);
  }

  @Test
  void parse_modeOrMostOfAnotherKind_isRefused() {
    for (Map<String, Object> wrong :
        List.<Map<String, Object>>of(
            Map.of("mode", "full"), Map.of("mode", 1), Map.of("most", "7"), Map.of("most", 0))) {
      Map<String, Object> event = new HashMap<>(wrong);
      event.put("scheduledTime", "2026-11-30T12:00:00Z");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SeedRequest.parse(event))
          .withMessageContaining(wrong.keySet().iterator().next())
          .withMessageContaining("No crawl was started");
    }
  }
}
