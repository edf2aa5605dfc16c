package dev.fairfleet.worker.parse;

import dev.fairfleet.site.ExtractionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;
import org.jsoup.select.QueryParser;
import org.jsoup.select.Selector;

/** The extraction rules of a site, ready to be used on any number of pages. Immutable. */
public final class Selectors {
  private static final Pattern WITH_ATTRIBUTE = Pattern.compile("(.*)@([A-Za-z_][\\w:.-]*)");

  private record Field(String name, Evaluator selector, String attribute) {}

  private final List<Field> fields;

  private Selectors(List<Field> fields) {
    this.fields = fields;
  }

  /**
   * Returns the compiled rules.
   *
   * @throws IllegalArgumentException if a rule is no CSS selector that jsoup knows; the message
   *     names the field
   */
  public static Selectors compile(ExtractionRules rules) {
    List<Field> fields = new ArrayList<>();
    rules
        .fields()
        .forEach(
            (name, rule) -> {
              Matcher attribute = WITH_ATTRIBUTE.matcher(rule);
              boolean has = attribute.matches();
              try {
                fields.add(
                    new Field(
                        name,
                        QueryParser.parse(has ? attribute.group(1) : rule),
                        has ? attribute.group(2) : ""));
              } catch (Selector.SelectorParseException | IllegalArgumentException e) {
                throw new IllegalArgumentException(
                    "Field \"" + name + "\" has no valid CSS selector: " + e.getMessage(), e);
              }
            });
    return new Selectors(List.copyOf(fields));
  }

  /** Returns the fields that are on the page and not blank, each cut to {@code longest} chars. */
  NavigableMap<String, String> extract(Document page, int longest) {
    NavigableMap<String, String> values = new TreeMap<>();
    for (Field field : fields) {
      Element match = page.selectFirst(field.selector());
      if (match != null) {
        String value = field.attribute().isEmpty() ? match.text() : match.attr(field.attribute());
        put(values, field.name(), value, longest);
      }
    }
    return values;
  }

  static void put(NavigableMap<String, String> values, String name, String value, int longest) {
    String text = cut(value.strip(), longest);
    if (!text.isEmpty()) {
      values.put(name, text);
    }
  }

  private static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean inPair = Character.isHighSurrogate(text.charAt(longest - 1));
    return text.substring(0, inPair ? longest - 1 : longest);
  }
}
