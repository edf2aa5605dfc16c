package dev.fairfleet.cli;

import dev.fairfleet.sim.Scenario;
import dev.fairfleet.sim.Scenario.Faults;
import dev.fairfleet.sim.Scenario.Sizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Scenarios to simulate, as they are written down: each key stands for the component of {@link
 * Scenario} or {@link Faults} of that name, and what is left out is as in {@code million-pages}.
 *
 * <pre>{@code
 * sites: 300
 * pages: 60000
 * sizes: zipf              # or equal, one-large
 * hourlyLimit: 1800
 * minDelay: 1s
 * workers: 8
 * slots: 5
 * service: 800ms
 * faults: many             # or none, or single ones:
 * faults: {duplicates: 0.01, killEvery: 10m}
 * }</pre>
 */
final class ScenarioFile {
  /** Those that this command brings along. */
  static final List<String> BUILT_IN =
      List.of("300-sites", "1500-sites", "million-pages", "one-large-site", "idle-fleet");

  private static final Set<String> KEYS =
      new TreeSet<>(
          Set.of(
              "name",
              "sites",
              "pages",
              "sizes",
              "hourlyLimit",
              "minDelay",
              "workers",
              "slots",
              "perServer",
              "service",
              "faults",
              "faults.duplicates",
              "faults.late",
              "faults.killEvery",
              "faults.throttling",
              "faults.skew",
              "faults.purgeAt",
              "faults.inFlightQuota"));

  private ScenarioFile() {}

  /**
   * Returns the settings of a built-in scenario, or of a file.
   *
   * @throws UsageException if there is neither, or the file cannot be read
   */
  static Settings open(String nameOrFile) {
    Optional<Settings> builtIn =
        BUILT_IN.contains(nameOrFile)
            ? Settings.ofResource("scenarios/" + nameOrFile + ".yaml")
            : Optional.empty();
    return builtIn.orElseGet(
        () -> {
          if (Files.notExists(Path.of(nameOrFile))) {
            throw new UsageException(
                "\""
                    + nameOrFile
                    + "\" is neither a file nor one of the scenarios "
                    + String.join(", ", BUILT_IN)
                    + ".");
          }
          Settings settings = Settings.ofFile(Path.of(nameOrFile));
          String name = String.valueOf(Path.of(nameOrFile).getFileName());
          settings.putIfAbsent("name", name.replaceFirst("\\.[a-z]+$", ""), nameOrFile);
          return settings;
        });
  }

  /**
   * Returns a scenario.
   *
   * @throws UsageException if a key has no meaning or a value is out of range
   */
  static Scenario scenario(Settings settings) {
    settings.allowOnly(KEYS);
    try {
      return new Scenario(
          settings.get("name", text -> text, "million-pages"),
          settings.integer("sites", 1_500),
          settings.integer("pages", 1_000_000),
          settings.get("sizes", ScenarioFile::sizes, Sizes.ZIPF),
          settings.integer("hourlyLimit", 3_600),
          settings.duration("minDelay", Duration.ZERO),
          settings.integer("workers", 20),
          settings.integer("slots", 20),
          settings.integer("perServer", 2),
          settings.duration("service", Duration.ofSeconds(1)),
          faults(settings));
    } catch (IllegalArgumentException e) {
      throw new UsageException("This cannot be simulated: " + e.getMessage() + ".", e);
    }
  }

  private static Faults faults(Settings settings) {
    Faults base = settings.get("faults", ScenarioFile::namedFaults, Faults.NONE);
    return new Faults(
        settings.decimal("faults.duplicates", base.duplicates()),
        settings.decimal("faults.late", base.late()),
        settings.duration("faults.killEvery", base.killEvery()),
        settings.decimal("faults.throttling", base.throttling()),
        settings.duration("faults.skew", base.skew()),
        settings.duration("faults.purgeAt", base.purgeAt()),
        settings.integer("faults.inFlightQuota", base.inFlightQuota()));
  }

  private static Faults namedFaults(String text) {
    return switch (text) {
      case "none" -> Faults.NONE;
      case "many" -> Faults.MANY;
      default ->
          throw new IllegalArgumentException("faults are none or many, not \"" + text + "\"");
    };
  }

  private static Sizes sizes(String text) {
    return Arrays.stream(Sizes.values())
        .filter(each -> spelled(each).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "sizes are zipf, equal or one-large, not \"" + text + "\""));
  }

  private static String spelled(Sizes sizes) {
    return sizes.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
