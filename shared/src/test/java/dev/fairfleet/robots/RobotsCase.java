package dev.fairfleet.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.robots.RobotsAnswer.Allowed;
import dev.fairfleet.robots.RobotsAnswer.Barred;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * One row of a table: what a robots.txt lets one crawler fetch, and what not.
 *
 * @param name what the row is about
 * @param robots the file; bytes above 127 that are no UTF-8 cannot be written here
 */
record RobotsCase(
    String name, String robots, String agent, List<String> allowed, List<String> barred) {
  static RobotsCase of(String name, String agent, String... lines) {
    return new RobotsCase(name, String.join("\n", lines) + "\n", agent, List.of(), List.of());
  }

  RobotsCase allows(String... paths) {
    return new RobotsCase(name, robots, agent, List.of(paths), barred);
  }

  RobotsCase bars(String... paths) {
    return new RobotsCase(name, robots, agent, allowed, List.of(paths));
  }

  void check() {
    RobotsRules rules =
        RobotsRules.parse(robots.getBytes(StandardCharsets.UTF_8), agent, Duration.ofHours(1));
    for (String path : allowed) {
      assertThat(rules.check(path)).as("%s, %s: %s", name, agent, path).isInstanceOf(Allowed.class);
    }
    for (String path : barred) {
      assertThat(rules.check(path)).as("%s, %s: %s", name, agent, path).isInstanceOf(Barred.class);
    }
    assertThat(allowed.size() + barred.size()).isPositive();
  }

  @Override
  public String toString() {
    return name + ", " + agent;
  }
}
