package dev.fairfleet.robots;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the lines of one robots.txt for one crawler (RFC 9309, section 2.2). Used once.
 *
 * <p>Beyond the grammar it understands, as Google's parser does, a byte order mark, a missing
 * colon, common misspellings of what restricts us, and {@code index.html} for its directory.
 */
final class RobotsParser {
  private static final Set<String> USER_AGENT = Set.of("user-agent", "useragent", "user agent");
  private static final Set<String> DISALLOW =
      Set.of("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw");
  private static final Set<String> SITEMAP = Set.of("sitemap", "sitemaps", "site-map");
  private static final Set<String> CRAWL_DELAY = Set.of("crawl-delay", "crawldelay");

  // What Google reads of a line, so that rules cost no more than their sum; the rest is ignored.
  private static final int LONGEST_LINE = 8 * 2_083 - 1;
  private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";
  private static final Pattern SECONDS =
      Pattern.compile("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?");
  private static final double MOST_SECONDS = Duration.ofDays(36_500).toSeconds();

  private final String productToken;
  private final Rules ours = new Rules();
  private final Rules everybodys = new Rules();
  private final Set<String> sitemaps = new LinkedHashSet<>();
  private boolean ourGroupSeen;
  private boolean inOurGroup;
  private boolean inEverybodys;
  private boolean agentsEnded;

  /**
   * One line that allows or bars.
   *
   * @param value as it was written, an octet a character
   * @param line from 1
   */
  record Rule(boolean allows, PathPattern pattern, String value, int line) {
    @Override
    public String toString() {
      return (allows ? "Allow: " : "Disallow: ") + text(value) + " (line " + line + ")";
    }
  }

  /** The longest {@code Crawl-delay} of some groups. */
  record Delay(Duration duration, String value, int line) {
    @Override
    public String toString() {
      return "Crawl-delay: " + text(value) + " (line " + line + ")";
    }
  }

  /** What some groups say, taken together. */
  static final class Rules {
    final List<Rule> rules = new ArrayList<>();
    Optional<Delay> delay = Optional.empty();
  }

  RobotsParser(String productToken) {
    this.productToken = productToken;
  }

  /** Reads all lines; to be called once. */
  void read(String octets) {
    int from = 0;
    while (from < BYTE_ORDER_MARK.length()
        && from < octets.length()
        && octets.charAt(from) == BYTE_ORDER_MARK.charAt(from)) {
      from++;
    }
    int line = 0;
    while (from <= octets.length()) {
      int end = from;
      while (end < octets.length() && octets.charAt(end) != '\n' && octets.charAt(end) != '\r') {
        end++;
      }
      line++;
      readLine(octets.substring(from, Math.min(end, from + LONGEST_LINE)), line);
      boolean both = octets.startsWith("\r\n", end);
      from = end + (both ? 2 : 1);
    }
  }

  /** Returns what the groups of our product token say, or else those of everybody. */
  Rules rules() {
    return ourGroupSeen ? ours : everybodys;
  }

  List<String> sitemaps() {
    return List.copyOf(sitemaps);
  }

  private void readLine(String text, int line) {
    int comment = text.indexOf('#');
    String content = (comment < 0 ? text : text.substring(0, comment)).strip();
    int end = content.indexOf(':');
    if (end < 0) {
      end = onlyGap(content);
    }
    if (end <= 0) {
      return;
    }
    String key = content.substring(0, end).strip().toLowerCase(Locale.ROOT);
    String value = content.substring(end + 1).strip();
    if (USER_AGENT.contains(key)) {
      agent(value);
    } else if (key.equals("allow")) {
      rule(true, value, line);
    } else if (DISALLOW.contains(key)) {
      rule(false, value, line);
    } else if (CRAWL_DELAY.contains(key)) {
      crawlDelay(value, line);
    } else if (SITEMAP.contains(key) && !value.isEmpty()) {
      sitemaps.add(text(value));
    }
  }

  /** Returns where the white space between exactly two words begins, or -1. */
  private static int onlyGap(String content) {
    int gap = 0;
    while (gap < content.length() && !isBlank(content.charAt(gap))) {
      gap++;
    }
    String rest = content.substring(gap).strip();
    boolean two = !rest.isEmpty() && rest.chars().noneMatch(c -> isBlank((char) c));
    return two ? gap : -1;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private void agent(String value) {
    if (agentsEnded) {
      inOurGroup = false;
      inEverybodys = false;
      agentsEnded = false;
    }
    if (value.equals("*") || (value.startsWith("*") && Character.isWhitespace(value.charAt(1)))) {
      inEverybodys = true;
    } else if (!productToken.isEmpty()
        && RobotsRules.productToken(value).equalsIgnoreCase(productToken)) {
      inOurGroup = true;
      ourGroupSeen = true;
    }
  }

  private void rule(boolean allows, String value, int line) {
    agentsEnded = true;
    // An empty path says nothing; that it stands in a group is enough.
    if (value.isEmpty()) {
      return;
    }
    add(new Rule(allows, PathPattern.of(value), value, line));
    int lastSegment = value.lastIndexOf('/') + 1;
    if (allows && lastSegment > 0 && value.startsWith("index.htm", lastSegment)) {
      String directory = value.substring(0, lastSegment) + "$";
      add(new Rule(true, PathPattern.of(directory), value, line));
    }
  }

  private void add(Rule rule) {
    if (inOurGroup) {
      ours.rules.add(rule);
    } else if (inEverybodys) {
      everybodys.rules.add(rule);
    }
  }

  /** Ends no group, for it is none of the RFC's records (section 2.2.4). */
  private void crawlDelay(String value, int line) {
    if (!SECONDS.matcher(value).matches()) {
      return;
    }
    double seconds = Math.min(Double.parseDouble(value), MOST_SECONDS);
    Delay delay = new Delay(Duration.ofNanos((long) (seconds * 1e9)), value, line);
    if (inOurGroup) {
      ours.delay = longer(ours.delay, delay);
    }
    if (inEverybodys) {
      everybodys.delay = longer(everybodys.delay, delay);
    }
  }

  private static Optional<Delay> longer(Optional<Delay> known, Delay delay) {
    boolean kept = known.isPresent() && known.get().duration().compareTo(delay.duration()) >= 0;
    return kept ? known : Optional.of(delay);
  }

  private static String text(String octets) {
    return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
