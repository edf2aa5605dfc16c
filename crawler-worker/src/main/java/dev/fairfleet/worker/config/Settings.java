package dev.fairfleet.worker.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of every setting, and the list of what is wrong with them.
 *
 * <p>Reading a setting never throws: a bad one is noted and read as its default, so that all
 * problems can be reported together. Not safe for use by many threads.
 */
final class Settings {
  private static final String ENVIRONMENT_PREFIX = "FAIRFLEET_";
  private static final String CONFIG_FILE = ENVIRONMENT_PREFIX + "CONFIG";
  // Variables of the fairfleet command, which a worker that it starts inherits.
  private static final Set<String> OF_THE_COMMAND =
      Set.of(
          ENVIRONMENT_PREFIX + "CACHE",
          ENVIRONMENT_PREFIX + "JAVA_HOME",
          ENVIRONMENT_PREFIX + "MAVEN_ARGS");
  private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h)");
  private static final Pattern SIZE = Pattern.compile("(\\d+)(KiB|MiB)?");

  private final Properties reference;
  private final Properties chosen = new Properties();
  private final List<String> problems = new ArrayList<>();

  private Settings(Properties reference) {
    this.reference = reference;
  }

  /** Returns the defaults, overridden by the file that the environment names, overridden by it. */
  static Settings load(Map<String, String> environment) {
    Settings settings = new Settings(reference());
    Optional.ofNullable(environment.get(CONFIG_FILE))
        .ifPresent(file -> settings.addFile(Path.of(file)));
    settings.addEnvironment(environment);
    return settings;
  }

  /** Returns every key at its default. */
  static Properties reference() {
    try (InputStream in = Settings.class.getResourceAsStream("reference.properties")) {
      if (in == null) {
        throw new IllegalStateException("reference.properties is missing from this program");
      }
      Properties properties = new Properties();
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
      return properties;
    } catch (IOException e) {
      throw new IllegalStateException("reference.properties cannot be read", e);
    }
  }

  /** Returns the environment variable that sets a key: {@code FAIRFLEET_WORKER_SLOTS}. */
  static String variable(String key) {
    return ENVIRONMENT_PREFIX + key.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private void addFile(Path file) {
    Properties read = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      read.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      problems.add(CONFIG_FILE + " names " + file + ", which cannot be read: " + e);
    }
    for (String key : read.stringPropertyNames()) {
      if (reference.containsKey(key)) {
        chosen.setProperty(key, read.getProperty(key));
      } else {
        problems.add(file + " sets " + key + ", which is no setting");
      }
    }
  }

  private void addEnvironment(Map<String, String> environment) {
    for (String key : reference.stringPropertyNames()) {
      Optional.ofNullable(environment.get(variable(key)))
          .ifPresent(value -> chosen.setProperty(key, value));
    }
    for (String name : environment.keySet()) {
      boolean known =
          reference.stringPropertyNames().stream().anyMatch(key -> variable(key).equals(name));
      if (name.startsWith(ENVIRONMENT_PREFIX)
          && !known
          && !name.equals(CONFIG_FILE)
          && !OF_THE_COMMAND.contains(name)) {
        problems.add(name + " is no setting");
      }
    }
  }

  /** Returns what is wrong so far, a sentence each. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Notes a problem that only shows when settings are taken together. */
  void problem(String sentence) {
    problems.add(sentence);
  }

  String text(String key) {
    return read(key, "text", Optional::of);
  }

  int integer(String key, int least, int most) {
    return read(
        key,
        "a whole number from " + least + " to " + most,
        text -> {
          int value = Integer.parseInt(text);
          return value >= least && value <= most ? Optional.of(value) : Optional.empty();
        });
  }

  double factor(String key) {
    return read(
        key,
        "a number that is not negative",
        text -> {
          double value = Double.parseDouble(text);
          return value >= 0 && value < Double.POSITIVE_INFINITY
              ? Optional.of(value)
              : Optional.empty();
        });
  }

  boolean flag(String key) {
    return read(
        key,
        "true or false",
        text ->
            switch (text) {
              case "true" -> Optional.of(true);
              case "false" -> Optional.of(false);
              default -> Optional.empty();
            });
  }

  Duration duration(String key) {
    return read(key, "a duration such as 500ms, 30s, 5m or 12h", Settings::parseDuration);
  }

  int bytes(String key) {
    return read(key, "a size such as 64KiB or 2MiB, below 2 GiB", Settings::parseBytes);
  }

  /** Reads a setting by a parser that throws IllegalArgumentException for what it cannot read. */
  <T> T read(String key, String allowed, Function<String, Optional<T>> parser) {
    String fallback = required(reference.getProperty(key), key).strip();
    String text = chosen.getProperty(key, fallback).strip();
    String why;
    try {
      Optional<T> value = parser.apply(text);
      if (value.isPresent()) {
        return value.get();
      }
      why = "";
    } catch (IllegalArgumentException e) {
      why = " (" + e.getMessage() + ")";
    }
    problems.add(key + " is \"" + text + "\", but must be " + allowed + why);
    return parser
        .apply(fallback)
        .orElseThrow(() -> new IllegalStateException("The default of " + key + " is wrong"));
  }

  private static Optional<Duration> parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofHours(number);
        });
  }

  private static Optional<Integer> parseBytes(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long unit =
        switch (Optional.ofNullable(matcher.group(2)).orElse("")) {
          case "KiB" -> 1L << 10;
          case "MiB" -> 1L << 20;
          default -> 1L;
        };
    long bytes = Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
    return bytes <= Integer.MAX_VALUE ? Optional.of((int) bytes) : Optional.empty();
  }

  private static String required(@Nullable String value, String key) {
    if (value == null) {
      throw new IllegalStateException(key + " is missing from reference.properties");
    }
    return value;
  }
}
