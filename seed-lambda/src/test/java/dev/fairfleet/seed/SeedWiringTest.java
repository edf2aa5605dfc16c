package dev.fairfleet.seed;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SeedWiringTest {
  @Test
  void fromEnvironment_prefixMissing_namesTheVariable() {
    for (String missing : new String[] {"FAIRFLEET_QUEUE_PREFIX", "FAIRFLEET_TABLE_PREFIX"}) {
      Map<String, String> environment =
          missing.equals("FAIRFLEET_QUEUE_PREFIX")
              ? Map.of("FAIRFLEET_TABLE_PREFIX", "t-")
              : Map.of("FAIRFLEET_QUEUE_PREFIX", "t");
      assertThatIllegalStateException()
          .isThrownBy(() -> SeedWiring.fromEnvironment(environment, InstantSource.system()))
          .withMessageContaining(missing);
    }
  }
}
