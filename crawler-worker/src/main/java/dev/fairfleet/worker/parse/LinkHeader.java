package dev.fairfleet.worker.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One link of a {@code Link} header (RFC 8288, section 3).
 *
 * @param target as it was spelled
 * @param rel its relation types, in lower case; empty if there are none
 * @param type media type of the target, in lower case; empty if it was not named
 */
record LinkHeader(String target, List<String> rel, String type) {
  private static final Pattern PARAMETER =
      Pattern.compile(
          "\\s*+;\\s*+([^\\s=;,\"]++)(?:\\s*+=\\s*+(?:\"([^\"]*+)\"?|([^\\s;,\"]*+)))?");
  private static final Pattern TARGET = Pattern.compile("<([^<>]*+)>");

  /** Returns the links in a header value; what is no link is left out. */
  static List<LinkHeader> parse(String value) {
    List<LinkHeader> links = new ArrayList<>();
    Matcher target = TARGET.matcher(value);
    int at = 0;
    while (target.find(at)) {
      String rel = "";
      String type = "";
      at = target.end();
      Matcher parameter = PARAMETER.matcher(value).region(at, value.length());
      while (parameter.lookingAt()) {
        String text = parameter.group(2) == null ? parameter.group(3) : parameter.group(2);
        String lower = text == null ? "" : text.toLowerCase(Locale.ROOT).strip();
        switch (parameter.group(1).toLowerCase(Locale.ROOT)) {
          // Only the first of either counts (sections 3.3 and 3.4.1).
          case "rel" -> rel = rel.isEmpty() ? lower : rel;
          case "type" -> type = type.isEmpty() ? lower : type;
          default -> {}
        }
        at = parameter.end();
        parameter.region(at, value.length());
      }
      links.add(new LinkHeader(target.group(1), List.of(rel.split("\\s+", -1)), type));
    }
    return links;
  }
}
