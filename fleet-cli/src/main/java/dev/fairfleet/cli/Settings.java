package dev.fairfleet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Settings of a YAML or JSON file, each with the place where it was written, so that whatever is
 * wrong with one can be shown there. Keys of an object inside are written {@code object.key}.
 */
final class Settings {
  private static final YAMLFactory YAML = new YAMLFactory();

  private final Map<String, Setting> settings = new LinkedHashMap<>();

  private record Setting(String text, String where) {}

  /**
   * Reads a file.
   *
   * @throws UsageException if it cannot be read, or is no such file
   */
  static Settings ofFile(Path file) {
    try {
      return of(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new UsageException("There is no file " + file + ".", e);
    } catch (IOException e) {
      throw new UsageException("Cannot read " + file + ": " + e, e);
    }
  }

  /** Reads a file that belongs to this command; nothing if there is none of that name. */
  static Optional<Settings> ofResource(String name) {
    try (InputStream in = Settings.class.getResourceAsStream(name)) {
      return in == null
          ? Optional.empty()
          : Optional.of(of(name, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a text.
   *
   * @param file where it comes from, for errors
   * @throws UsageException if it holds anything but keys, and objects of keys, with single values
   */
  static Settings of(String file, String text) {
    Settings settings = new Settings();
    try (YAMLParser parser = YAML.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == JsonToken.START_OBJECT) {
        settings.readObject(file, parser, "");
      } else if (first != null) {
        throw new UsageException(file + " is no list of settings, each \"key: value\".");
      }
    } catch (JsonProcessingException e) {
      throw new UsageException(
          file
              + ", line "
              + e.getLocation().getLineNr()
              + ": this is no YAML: "
              + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return settings;
  }

  private void readObject(String file, YAMLParser parser, String prefix) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = prefix + parser.currentName();
      String where = file + ", line " + parser.currentTokenLocation().getLineNr();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_OBJECT) {
        readObject(file, parser, key + ".");
      } else if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
        throw new UsageException(where + ": \"" + key + "\" needs a single value.");
      } else if (settings.putIfAbsent(key, new Setting(parser.getText(), where)) != null) {
        throw new UsageException(where + ": \"" + key + "\" is there twice.");
      }
    }
  }

  /** Sets a key, whatever it was before. */
  void put(String key, String text, String where) {
    settings.put(key, new Setting(text, where));
  }

  /** Sets a key unless it is set. */
  void putIfAbsent(String key, String text, String where) {
    settings.putIfAbsent(key, new Setting(text, where));
  }

  /** Forgets all keys of an object. */
  void removeObject(String name) {
    settings.keySet().removeIf(key -> key.startsWith(name + "."));
  }

  /**
   * Makes sure that every key has a meaning.
   *
   * @throws UsageException if one has none
   */
  void allowOnly(Set<String> keys) {
    settings.forEach(
        (key, setting) -> {
          if (!keys.contains(key)) {
            throw new UsageException(
                setting.where() + ": \"" + key + "\" is no key here; allowed are " + keys + ".");
          }
        });
  }

  /**
   * Returns the value of a key as {@code read} understands it, or {@code otherwise} if it is not
   * set.
   *
   * @throws UsageException if {@code read} throws an IllegalArgumentException
   */
  <T> T get(String key, Function<String, T> read, T otherwise) {
    Setting setting = settings.get(key);
    if (setting == null) {
      return otherwise;
    }
    try {
      return read.apply(setting.text());
    } catch (NumberFormatException e) {
      throw new UsageException(
          setting.where() + ": \"" + setting.text() + "\" is no number that fits here.", e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(setting.where() + ": " + e.getMessage() + ".", e);
    }
  }

  int integer(String key, int otherwise) {
    return get(key, text -> Integer.valueOf(text.replace("_", "")), otherwise);
  }

  double decimal(String key, double otherwise) {
    return get(key, Double::valueOf, otherwise);
  }

  Duration duration(String key, Duration otherwise) {
    return get(key, SitesFile::duration, otherwise);
  }
}
