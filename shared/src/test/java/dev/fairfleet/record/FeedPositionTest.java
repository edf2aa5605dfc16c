package dev.fairfleet.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedPositionTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:05.678Z");
  private static final RecordId ID = RecordId.of(new SiteId("a"), "7");

  @Test
  void toString_anyPlace_isReadBack() {
    for (FeedPosition place :
        List.of(FeedPosition.START, FeedPosition.since(NOW), FeedPosition.of(ID, NOW))) {
      assertThat(FeedPosition.parse(place.toString())).isEqualTo(place);
    }
    assertThat(FeedPosition.of(ID, NOW)).hasToString("001796040005678#" + ID);
    assertThat(FeedPosition.parse("")).isEqualTo(FeedPosition.START);
  }

  @Test
  void compareTo_places_areInTheOrderOfTheirTexts() {
    List<FeedPosition> ordered =
        List.of(
            FeedPosition.START,
            FeedPosition.since(Instant.EPOCH.plusMillis(9)),
            FeedPosition.since(Instant.EPOCH.plusMillis(10)),
            FeedPosition.of(ID, NOW.minusMillis(1)),
            FeedPosition.since(NOW),
            FeedPosition.of(new RecordId("0"), NOW),
            FeedPosition.of(new RecordId("f"), NOW),
            FeedPosition.since(NOW.plusMillis(1)),
            FeedPosition.since(Instant.MAX));
    assertThat(ordered).isSorted();
    assertThat(ordered.stream().map(FeedPosition::toString).toList())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void since_timesThatNoTextHolds_areMovedToTheNearest() {
    assertThat(FeedPosition.since(Instant.MIN)).isEqualTo(FeedPosition.START);
    assertThat(FeedPosition.since(Instant.MAX).toString()).isEqualTo("999999999999999#");
    assertThat(FeedPosition.since(NOW.plusNanos(999_999))).isEqualTo(FeedPosition.since(NOW));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "001796040005678",
        "1796040005678#",
        "001796040005678#xyz",
        "001796040005678#0#0",
        "-01796040005678#",
        "٠٠١٧٩٦٠٤٠٠٠٥٦٧٨#"
      })
  void parse_otherText_isRefused(String text) {
    assertThatThrownBy(() -> FeedPosition.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }

  @Test
  void resumption_placeLongBeforeTheWalkBegan_isThatPlace() {
    FeedPosition place = FeedPosition.of(ID, NOW.minus(FeedPosition.OVERLAP).minusMillis(1));
    assertThat(place.resumption(NOW)).isEqualTo(place);
  }

  @Test
  void resumption_placeShortBeforeTheWalkBegan_liesTheOverlapBefore() {
    FeedPosition safe = FeedPosition.since(NOW.minus(FeedPosition.OVERLAP));
    assertThat(FeedPosition.of(ID, NOW.minus(FeedPosition.OVERLAP)).resumption(NOW))
        .isEqualTo(safe);
    assertThat(FeedPosition.of(ID, NOW).resumption(NOW)).isEqualTo(safe);
    assertThat(FeedPosition.since(Instant.MAX).resumption(NOW)).isEqualTo(safe);
    assertThat(safe.resumption(NOW)).isEqualTo(safe);
  }
}
