package dev.fairfleet.robots;

import crawlercommons.robots.SimpleRobotRules;
import crawlercommons.robots.SimpleRobotRules.RobotRule;
import crawlercommons.robots.SimpleRobotRulesParser;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the robots.txt of one origin says to one crawler (RFC 9309), and how long that may be
 * believed.
 *
 * <p>Groups for one product token are joined, the longest matching rule wins, and {@code Allow}
 * wins a tie. We deviate from the RFC, always towards fetching less: 429 counts as unreachable
 * though it is a 4xx, and a path with several slashes in a row is checked with and without them,
 * because servers serve both alike.
 *
 * <p>Pure, and safe for use by many threads.
 */
public final class RobotsRules {
  /** Bytes of a robots.txt that are parsed; the RFC asks for at least 500 KiB (section 2.5). */
  public static final int MAX_BYTES = 500 * 1024;

  /** How long rules may be believed (section 2.4). */
  public static final Duration FRESH = Duration.ofHours(24);

  /** How long to wait before a robots.txt is asked for again that could not be had. */
  public static final Duration RETRY = Duration.ofSeconds(45);

  private static final Duration LONGEST_DELAY = Duration.ofDays(1);
  private static final Pattern SLASHES = Pattern.compile("/{2,}");
  private static final RobotsRules ALLOW_ALL =
      new RobotsRules(
          Optional.of(new RobotsAnswer.Allowed()), new SimpleRobotRules(), Duration.ZERO, FRESH);

  private final Optional<RobotsAnswer> toAll;
  private final SimpleRobotRules rules;
  private final List<RobotRule> barring;
  private final Duration crawlDelay;
  private final Duration fresh;

  private RobotsRules(
      Optional<RobotsAnswer> toAll, SimpleRobotRules rules, Duration crawlDelay, Duration fresh) {
    this.toAll = toAll;
    this.rules = rules;
    this.barring = rules.getRobotRules().stream().filter(rule -> !rule.isAllow()).toList();
    this.crawlDelay = crawlDelay;
    this.fresh = fresh;
  }

  /** Returns the rules of an origin that bars nothing. */
  public static RobotsRules allowAll() {
    return ALLOW_ALL;
  }

  /**
   * Returns the rules in a robots.txt that was read.
   *
   * @param content its bytes; what is beyond {@link #MAX_BYTES} is ignored
   * @param contentType value of {@code Content-Type}, empty if there was none; an HTML page that
   *     names no user agent is an error page, and bars nothing
   * @param productToken the name by which groups are chosen, in any case, as {@code fairfleet}
   */
  public static RobotsRules parse(byte[] content, String contentType, String productToken) {
    byte[] head = content.length <= MAX_BYTES ? content : Arrays.copyOf(content, MAX_BYTES);
    // By default a delay of over five minutes bars the whole site, in silence.
    SimpleRobotRulesParser parser = new SimpleRobotRulesParser(Long.MAX_VALUE, 0);
    SimpleRobotRules rules =
        parser.parseContent("", head, contentType, Set.of(productToken.toLowerCase(Locale.ROOT)));
    long millis = Math.clamp(rules.getCrawlDelay(), 0, LONGEST_DELAY.toMillis());
    return new RobotsRules(Optional.empty(), rules, Duration.ofMillis(millis), FRESH);
  }

  /**
   * Returns the rules of an origin whose robots.txt was answered with a status other than 2xx, or
   * with one redirect too many.
   *
   * <p>4xx and 3xx mean that there is none (sections 2.3.1.2 and 2.3.1.3); 5xx and 429 that it is
   * {@link #unreachable}.
   *
   * @param retryAfter what the server asked us to wait, if it did
   */
  public static RobotsRules ofStatus(int status, Optional<Duration> retryAfter) {
    if (status == 429 || status >= 500) {
      Duration wait = retryAfter.filter(asked -> asked.compareTo(RETRY) > 0).orElse(RETRY);
      return unreachable("robots.txt was answered with status " + status, wait);
    }
    return ALLOW_ALL;
  }

  /** Returns the rules of an origin of which nothing may be fetched until its robots.txt is had. */
  public static RobotsRules unreachable(String reason, Duration retryAfter) {
    return new RobotsRules(
        Optional.of(new RobotsAnswer.Unreachable(reason, retryAfter)),
        new SimpleRobotRules(),
        Duration.ZERO,
        retryAfter);
  }

  /** Returns the rules of an origin of which nothing may be fetched, for a reason of ours. */
  public static RobotsRules barred(String reason) {
    return new RobotsRules(
        Optional.of(new RobotsAnswer.Barred(reason)), new SimpleRobotRules(), Duration.ZERO, RETRY);
  }

  /** Returns whether {@code url}, which must be of this origin, may be fetched. */
  public RobotsAnswer check(CrawlUrl url) {
    if (toAll.isPresent()) {
      return toAll.get();
    }
    String spelled = url.toString();
    if (!rules.isAllowed(spelled)) {
      return new RobotsAnswer.Barred(ruleAgainst(spelled));
    }
    String path = url.pathAndQuery();
    if (path.contains("//")) {
      int query = path.indexOf('?');
      int pathEnd = query < 0 ? path.length() : query;
      String single =
          spelled.substring(0, spelled.length() - path.length())
              + SLASHES.matcher(path.substring(0, pathEnd)).replaceAll("/")
              + path.substring(pathEnd);
      if (!rules.isAllowed(single)) {
        return new RobotsAnswer.Barred(ruleAgainst(single));
      }
    }
    return new RobotsAnswer.Allowed();
  }

  /**
   * Returns the {@code Crawl-delay} (no part of the RFC) that was asked for, zero if none was; at
   * most a day. A value that is no positive number counts as none.
   */
  public Duration crawlDelay() {
    return crawlDelay;
  }

  /** Returns the sitemaps that were named, as they were spelled if absolute. */
  public List<String> sitemaps() {
    return List.copyOf(rules.getSitemaps());
  }

  /** Returns how long these rules may be believed, from when they were asked for. */
  public Duration fresh() {
    return fresh;
  }

  private String ruleAgainst(String url) {
    for (RobotRule rule : barring) {
      SimpleRobotRules alone = new SimpleRobotRules();
      alone.addRule(rule.getPrefix(), false);
      if (!alone.isAllowed(url)) {
        return "Disallow: " + rule.getPrefix();
      }
    }
    return "Disallow";
  }
}
