package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a site that can be written as {@code key=value} or as a column of a CSV file: those
 * of {@link SitesFile}, without the names of the groups {@code limits} and {@code recrawl}. The
 * values of a list are separated by blanks.
 */
final class SiteKeys {
  private enum Kind {
    TEXT,
    LIST,
    NUMBER,
    FLAG
  }

  /**
   * One key.
   *
   * @param group the object that holds it; empty for the site itself
   */
  private record Key(String group, Kind kind) {}

  private static final Map<String, Key> KEYS = keys();

  private SiteKeys() {}

  private static Map<String, Key> keys() {
    Map<String, Key> keys = new LinkedHashMap<>();
    add(keys, "", Kind.TEXT, "id", "root");
    add(keys, "", Kind.LIST, "roots", "hosts", "include", "exclude", "ignoreParameters", "skipRel");
    add(keys, "", Kind.LIST, "sitemaps", "volatile");
    add(keys, "", Kind.FLAG, "subdomains", "useRobotsSitemaps");
    add(keys, "", Kind.TEXT, "naturalKey");
    add(keys, "limits", Kind.NUMBER, "requestsPerHour", "maxDepth", "maxPages", "maxUrlLength");
    add(keys, "limits", Kind.NUMBER, "maxParameters", "maxPathSegments", "maxRepeatedSegments");
    add(keys, "limits", Kind.NUMBER, "calendarYears");
    add(keys, "limits", Kind.TEXT, "minDelay");
    add(keys, "recrawl", Kind.TEXT, "mode", "every", "fullEvery", "lateness");
    return keys;
  }

  private static void add(Map<String, Key> keys, String group, Kind kind, String... names) {
    for (String name : names) {
      keys.put(name, new Key(group, kind));
    }
  }

  /** Returns all keys. */
  static List<String> names() {
    return new ArrayList<>(KEYS.keySet());
  }

  /**
   * Sets a key of a site; a text that is blank stands for the default.
   *
   * @throws IllegalArgumentException if there is no such key, or it holds something else
   */
  static void set(ObjectNode site, String name, String text) {
    @Nullable Key key = KEYS.get(name);
    if (key == null) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is no key of a site; allowed are " + names());
    }
    ObjectNode holder = key.group().isEmpty() ? site : site.withObject("/" + key.group());
    switch (key.kind()) {
      case TEXT -> {
        if (text.isBlank()) {
          holder.remove(name);
        } else {
          holder.put(name, text.strip());
        }
      }
      case LIST -> {
        ArrayNode values = holder.putArray(name);
        Arrays.stream(text.strip().split("\\s+")).filter(it -> !it.isEmpty()).forEach(values::add);
      }
      case NUMBER -> holder.put(name, number(name, text.strip()));
      case FLAG -> holder.put(name, flag(name, text.strip()));
    }
  }

  private static int number(String name, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          name + " is a whole number below 2^31, not \"" + text + "\"", e);
    }
  }

  private static boolean flag(String name, String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(name + " is true or false, not \"" + text + "\"");
    };
  }
}
