package dev.fairfleet.worker.parse;

import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a page asks of crawlers, in a meta tag or an {@code X-Robots-Tag} header.
 *
 * <p>There is no standard; the grammar is the one that Google documents ("Robots meta tag,
 * data-nosnippet, and X-Robots-Tag specifications"). What is not about following and indexing is
 * ignored, and so is a date that nobody can read. Pure and immutable.
 *
 * @param noindex no record is to be made of the page
 * @param nofollow its links are not to be followed
 */
record RobotsDirectives(boolean noindex, boolean nofollow) {
  /** Asks for nothing. */
  static final RobotsDirectives NONE = new RobotsDirectives(false, false);

  private static final String EXPIRY = "unavailable_after";
  // Directives with a value, so that their names are not taken for those of agents.
  private static final Set<String> VALUED =
      Set.of(EXPIRY, "max-snippet", "max-image-preview", "max-video-preview");
  private static final Pattern SEPARATOR = Pattern.compile("[,;]");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** Returns what the content of a meta tag that is meant for us asks for at {@code now}. */
  static RobotsDirectives ofMeta(String content, Instant now) {
    return parse(content, "", now);
  }

  /**
   * Returns what one {@code X-Robots-Tag} value asks for at {@code now}.
   *
   * <p>An agent's name holds up to the next one, so lines that a proxy has joined by commas read as
   * they did apart; except that what belonged to everybody must come first.
   *
   * @param agent the name we go by, in any case
   */
  static RobotsDirectives ofHeader(String value, String agent, Instant now) {
    return parse(value, agent, now);
  }

  /** Returns what this or {@code other} asks for: the strictest wins. */
  RobotsDirectives and(RobotsDirectives other) {
    return new RobotsDirectives(noindex || other.noindex, nofollow || other.nofollow);
  }

  /** Returns the directives in words: {@code noindex nofollow}; empty for {@link #NONE}. */
  @Override
  public String toString() {
    return (noindex ? "noindex" : "")
        + (noindex && nofollow ? " " : "")
        + (nofollow ? "nofollow" : "");
  }

  /**
   * @param agent whose directives count besides those for everybody; empty if a colon never follows
   *     an agent's name
   */
  private static RobotsDirectives parse(String text, String agent, Instant now) {
    RobotsDirectives found = NONE;
    boolean ours = true;
    String[] items = SEPARATOR.split(text, -1);
    for (int i = 0; i < items.length; i++) {
      String item = items[i].strip();
      int colon = item.indexOf(':');
      String name = name(item, colon);
      if (colon > 0 && !agent.isEmpty() && !VALUED.contains(name)) {
        ours = name.equals("*") || name.equals(agent.toLowerCase(Locale.ROOT));
        item = item.substring(colon + 1).strip();
        colon = item.indexOf(':');
        name = name(item, colon);
      }
      if (colon > 0 && name.equals(EXPIRY)) {
        StringBuilder date = new StringBuilder(item.substring(colon + 1).strip());
        while (i + 1 < items.length && continuesDate(items[i + 1])) {
          date.append(", ").append(items[++i].strip());
        }
        boolean over = WebDates.parse(date.toString()).filter(at -> !at.isAfter(now)).isPresent();
        found = ours ? found.and(new RobotsDirectives(over, false)) : found;
      } else if (ours && colon < 0) {
        found = found.and(words(item));
      }
    }
    return found;
  }

  private static String name(String item, int colon) {
    return colon < 0 ? "" : item.substring(0, colon).strip().toLowerCase(Locale.ROOT);
  }

  /** A date may hold a comma after its weekday and before its year. */
  private static boolean continuesDate(String next) {
    String item = next.strip();
    return !item.isEmpty() && item.charAt(0) >= '0' && item.charAt(0) <= '9';
  }

  private static RobotsDirectives words(String item) {
    RobotsDirectives found = NONE;
    for (String word : SPACE.split(item, -1)) {
      found =
          found.and(
              switch (word.toLowerCase(Locale.ROOT)) {
                case "none" -> new RobotsDirectives(true, true);
                case "noindex" -> new RobotsDirectives(true, false);
                case "nofollow" -> new RobotsDirectives(false, true);
                default -> NONE;
              });
    }
    return found;
  }
}
