package dev.fairfleet.robots;

import dev.fairfleet.robots.RobotsParser.Delay;
import dev.fairfleet.robots.RobotsParser.Rule;
import dev.fairfleet.url.CrawlUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the robots.txt of one origin says to one crawler (RFC 9309).
 *
 * <p>Groups for one product token are joined, the longest matching rule wins, and {@code Allow}
 * wins a tie. We deviate from the RFC towards fetching less: a path with several slashes in a row
 * is checked with and without them, because servers serve both alike.
 *
 * <p>{@code Crawl-delay} is no part of the RFC. It is kept to, and where it is longer than we are
 * ready to wait, everything is barred, with that line for the reason.
 *
 * <p>Pure, and safe for use by many threads.
 */
public final class RobotsRules {
  /** Bytes of a robots.txt that are parsed; the RFC asks for at least 500 KiB (section 2.5). */
  public static final int MAX_BYTES = 500 * 1024;

  private static final String FILE = "/robots.txt";
  private static final Pattern SLASHES = Pattern.compile("/{2,}");
  private static final Pattern UNIT = Pattern.compile("[HMS]");
  private static final int OVERHEAD = 100;
  private static final RobotsRules ALLOW_ALL = ofAll(new RobotsAnswer.Allowed());

  private final Optional<RobotsAnswer> toAll;
  private final List<Rule> rules;
  private final Duration crawlDelay;
  private final List<String> sitemaps;
  private final int weight;

  private RobotsRules(
      Optional<RobotsAnswer> toAll, List<Rule> rules, Duration crawlDelay, List<String> sitemaps) {
    this.toAll = toAll;
    this.rules = rules;
    this.crawlDelay = crawlDelay;
    this.sitemaps = sitemaps;
    int weight = OVERHEAD;
    for (Rule rule : rules) {
      weight += OVERHEAD + 2 * rule.value().length();
    }
    for (String sitemap : sitemaps) {
      weight += OVERHEAD + sitemap.length();
    }
    this.weight = weight;
  }

  private static RobotsRules ofAll(RobotsAnswer answer) {
    return new RobotsRules(Optional.of(answer), List.of(), Duration.ZERO, List.of());
  }

  /** Returns the rules of an origin that bars nothing. */
  public static RobotsRules allowAll() {
    return ALLOW_ALL;
  }

  /**
   * Returns the rules in a robots.txt that was read.
   *
   * @param content its bytes; of more than {@link #MAX_BYTES} only the whole lines within them
   * @param productToken the name by which groups are chosen, in any case; see {@link #productToken}
   * @param longestDelay the longest {@code Crawl-delay} that is kept to
   */
  public static RobotsRules parse(byte[] content, String productToken, Duration longestDelay) {
    return parse(RobotsFile.Text.of(content, false).octets(), productToken, longestDelay);
  }

  /**
   * Does the same.
   *
   * @param octets the bytes, one a character
   */
  static RobotsRules parse(String octets, String productToken, Duration longestDelay) {
    RobotsParser parser = new RobotsParser(productToken);
    parser.read(octets);
    RobotsParser.Rules found = parser.rules();
    Optional<Delay> tooLong =
        found.delay.filter(delay -> delay.duration().compareTo(longestDelay) > 0);
    return new RobotsRules(
        tooLong.map(
            delay ->
                new RobotsAnswer.Barred(
                    delay
                        + " is longer than "
                        + spelled(longestDelay)
                        + ", the longest this fleet waits")),
        tooLong.isPresent() ? List.of() : List.copyOf(found.rules),
        tooLong.isPresent() ? longestDelay : found.delay.map(Delay::duration).orElse(Duration.ZERO),
        parser.sitemaps());
  }

  /** Returns a duration as {@code 1 h 30 min}. */
  private static String spelled(Duration duration) {
    return UNIT.matcher(duration.toString().substring("PT".length()))
        .replaceAll(" $0 ")
        .replace("H", "h")
        .replace("M", "min")
        .replace("S", "s")
        .strip();
  }

  /** Returns the rules of an origin of which nothing may be fetched until its robots.txt is had. */
  public static RobotsRules unreachable(String reason, Duration retryAfter) {
    return ofAll(new RobotsAnswer.Unreachable(reason, retryAfter));
  }

  /** Returns the rules of an origin of which nothing may be fetched, for a reason of ours. */
  public static RobotsRules barred(String reason) {
    return ofAll(new RobotsAnswer.Barred(reason));
  }

  /**
   * Returns the product token that a user agent begins with: its letters, {@code _} and {@code -}
   * up to the first other character (RFC 9309, section 2.2.1); empty if there are none.
   */
  public static String productToken(String userAgent) {
    int end = 0;
    while (end < userAgent.length() && isTokenCharacter(userAgent.charAt(end))) {
      end++;
    }
    return userAgent.substring(0, end);
  }

  private static boolean isTokenCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  }

  /** Returns whether {@code url}, which must be of this origin, may be fetched. */
  public RobotsAnswer check(CrawlUrl url) {
    return check(url.pathAndQuery());
  }

  /** Does the same for a path and query. */
  RobotsAnswer check(String pathAndQuery) {
    if (pathAndQuery.equals(FILE) && !(toAll.orElse(null) instanceof RobotsAnswer.Unreachable)) {
      return new RobotsAnswer.Allowed();
    }
    if (toAll.isPresent()) {
      return toAll.get();
    }
    RobotsAnswer answer = decide(pathAndQuery);
    String single = withSingleSlashes(pathAndQuery);
    return answer instanceof RobotsAnswer.Allowed
            && !single.equals(pathAndQuery)
            && decide(single) instanceof RobotsAnswer.Barred barred
        ? barred
        : answer;
  }

  private static String withSingleSlashes(String pathAndQuery) {
    int query = pathAndQuery.indexOf('?');
    int end = query < 0 ? pathAndQuery.length() : query;
    int twice = pathAndQuery.indexOf("//");
    return twice < 0 || twice >= end
        ? pathAndQuery
        : SLASHES.matcher(pathAndQuery.substring(0, end)).replaceAll("/")
            + pathAndQuery.substring(end);
  }

  private RobotsAnswer decide(String pathAndQuery) {
    PathPattern.Path path =
        PathPattern.Path.of(
            new String(pathAndQuery.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    Optional<Rule> decisive = Optional.empty();
    int most = 0;
    for (Rule rule : rules) {
      int octets = rule.pattern().octets();
      boolean outranks =
          octets > most
              || (octets == most && rule.allows() && decisive.filter(Rule::allows).isEmpty());
      if (outranks && rule.pattern().matches(path)) {
        decisive = Optional.of(rule);
        most = octets;
      }
    }
    return decisive.filter(rule -> !rule.allows()).isPresent()
        ? new RobotsAnswer.Barred(decisive.get().toString())
        : new RobotsAnswer.Allowed(decisive.map(Rule::toString));
  }

  /**
   * Returns the {@code Crawl-delay} to keep to, zero if none was asked for; the longest of our
   * groups. A value that is no number, or negative, counts as none.
   */
  public Duration crawlDelay() {
    return crawlDelay;
  }

  /** Returns the sitemaps that were named, as they were spelled. */
  public List<String> sitemaps() {
    return sitemaps;
  }

  /** Returns about how many bytes of memory these rules take. */
  public int weight() {
    return weight;
  }
}
