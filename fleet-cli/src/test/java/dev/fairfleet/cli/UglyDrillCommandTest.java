package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.local.web.ugly.UglyHost;
import dev.fairfleet.local.web.ugly.UglyWeb;
import org.junit.jupiter.api.Test;

final class UglyDrillCommandTest {
  @Test
  void kinds_eachOnce_areHostsOfTheUglyWeb() {
    assertThat(UglyDrillCommand.KINDS).doesNotHaveDuplicates();
    assertThat(UglyWeb.hosts()).extracting(UglyHost::name).containsAll(UglyDrillCommand.KINDS);
  }
}
