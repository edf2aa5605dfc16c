package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessUsageTest {
  @Test
  void cpuTime_thisProcess_isPositive() {
    assertThat(ProcessUsage.watch(ProcessHandle.current()).cpuTime().orElseThrow()).isPositive();
  }

  @Test
  void peakRssBytes_statusOfLinux_isInBytes() {
    assertThat(ProcessUsage.peakRssBytes("Name:\tjava\nVmHWM:\t   12345 kB\nVmRSS:\t 99 kB\n"))
        .hasValue(12345L * 1024);
  }

  @Test
  void peakRssBytes_zombie_isUnknown() {
    assertThat(ProcessUsage.peakRssBytes("Name:\tjava\nState:\tZ (zombie)\n")).isEmpty();
  }
}
