package dev.fairfleet.url;

import crawlercommons.filters.basic.BasicURLNormalizer;
import java.net.IDN;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An absolute http or https URL in its one canonical form.
 *
 * <p>Two spellings of one URL are equal: host in lower case and punycode without a trailing dot, no
 * default port, no user, no fragment, dot segments resolved (RFC 3986, section 5.2.4),
 * percent-encoding as crawler-commons' {@code BasicURLNormalizer} writes it (upper-case digits,
 * unreserved characters plain, a lone {@code %} as {@code %25}), query parameters sorted by name,
 * no empty ones. Two slashes in a row stay two. Immutable.
 */
public final class CrawlUrl implements Comparable<CrawlUrl> {
  /** Longest canonical form that is accepted, in characters. */
  public static final int MAX_LENGTH = 4_096;

  // Text that is longer than this is a data URL or an attack; it is not even looked at.
  private static final int MAX_RAW_LENGTH = 8 * MAX_LENGTH;
  private static final int MAX_HOST = 253;
  private static final int MAX_LABEL = 63;
  private static final String HTTP = "http://";
  private static final String HTTPS = "https://";
  private static final String PLAIN_PUNCTUATION = "-._~!$&'()*+,;=:@/?";
  private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-fA-F:.]+]");
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
  private static final boolean[] ALSO_ENCODED = new boolean[128];

  static {
    ALSO_ENCODED['\\'] = true;
  }

  private final String value;
  private final int pathAt;
  private final HostKey hostKey;
  private final UrlHash hash;

  private CrawlUrl(String value, int pathAt, HostKey hostKey) {
    this.value = value;
    this.pathAt = pathAt;
    this.hostKey = hostKey;
    this.hash = UrlHash.of(value);
  }

  /**
   * Returns the URL that {@code text} spells, or nothing if it is no absolute http or https URL,
   * has an impossible host or port, or is longer than {@link #MAX_LENGTH}. Surrounding white space,
   * tabs and line breaks are dropped, and {@code \} is {@code /}, as browsers do (WHATWG URL).
   *
   * <p>An IPv4 address in any form but four decimal numbers (as {@code 2130706433} or {@code
   * 0x7f.1}, which some resolvers take for loopback) is an impossible host.
   */
  public static Optional<CrawlUrl> parse(String text) {
    return text.length() > MAX_RAW_LENGTH ? Optional.empty() : canonical(browserClean(text));
  }

  /**
   * Returns the URL that {@code text} spells.
   *
   * @throws IllegalArgumentException if {@link #parse} would return nothing
   */
  public static CrawlUrl of(String text) {
    return parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\""
                        + abbreviate(text)
                        + "\" is no absolute http or https URL of at most "
                        + MAX_LENGTH
                        + " characters"));
  }

  /**
   * Returns where {@code reference}, found on this page, points (RFC 3986, section 5), or nothing
   * if that is no http or https URL.
   */
  public Optional<CrawlUrl> resolve(String reference) {
    if (reference.length() > MAX_RAW_LENGTH) {
      return Optional.empty();
    }
    String clean = browserClean(reference);
    int colon = schemeEnd(clean);
    if (colon >= 0) {
      boolean ownScheme = clean.substring(0, colon).equalsIgnoreCase(scheme());
      if (!ownScheme || clean.startsWith("//", colon + 1)) {
        return canonical(clean);
      }
      // "http:x" on an http page is relative (WHATWG URL, "special relative or authority state").
      clean = clean.substring(colon + 1);
    }
    if (clean.startsWith("//")) {
      return canonical(scheme() + ":" + clean);
    }
    if (clean.isEmpty() || clean.startsWith("#")) {
      return Optional.of(this);
    }
    if (clean.startsWith("/")) {
      return canonical(value.substring(0, pathAt) + clean);
    }
    int query = value.indexOf('?');
    String path = query < 0 ? value : value.substring(0, query);
    return canonical(
        clean.startsWith("?")
            ? path + clean
            : path.substring(0, path.lastIndexOf('/') + 1) + clean);
  }

  /** Returns what politeness counts requests for this URL by. */
  public HostKey hostKey() {
    return hostKey;
  }

  /** Returns the key of this URL in every store. */
  public UrlHash hash() {
    return hash;
  }

  /** Returns {@code http} or {@code https}. */
  public String scheme() {
    return value.startsWith(HTTPS) ? "https" : "http";
  }

  /** Returns path and query as a request line carries them; begins with a slash. */
  public String pathAndQuery() {
    return value.substring(pathAt);
  }

  /** Returns this URL for a client library. */
  public URI toUri() {
    return URI.create(value);
  }

  private static Optional<CrawlUrl> canonical(String clean) {
    int fragment = clean.indexOf('#');
    String text = fragment < 0 ? clean : clean.substring(0, fragment);
    boolean secure = text.regionMatches(true, 0, HTTPS, 0, HTTPS.length());
    if (!secure && !text.regionMatches(true, 0, HTTP, 0, HTTP.length())) {
      return Optional.empty();
    }
    String scheme = secure ? HTTPS : HTTP;
    int queryAt = text.indexOf('?');
    String beforeQuery = queryAt < 0 ? text : text.substring(0, queryAt);
    int slash = beforeQuery.indexOf('/', scheme.length());
    int authorityEnd = slash < 0 ? beforeQuery.length() : slash;
    String authority = beforeQuery.substring(scheme.length(), authorityEnd);
    authority = authority.substring(authority.lastIndexOf('@') + 1);
    int colon = authority.endsWith("]") ? -1 : authority.lastIndexOf(':');
    String host = canonicalHost(colon < 0 ? authority : authority.substring(0, colon));
    int defaultPort = secure ? 443 : 80;
    int port = colon < 0 ? defaultPort : port(authority.substring(colon + 1), defaultPort);
    if (host.isEmpty() || port < 1 || port > 65_535) {
      return Optional.empty();
    }
    String origin = scheme + host + (port == defaultPort ? "" : ":" + port);
    String path = withoutDotSegments(encode(beforeQuery.substring(authorityEnd)));
    String query = queryAt < 0 ? "" : sorted(encode(text.substring(queryAt + 1)));
    String value = origin + path + query;
    return value.length() > MAX_LENGTH
        ? Optional.empty()
        : Optional.of(new CrawlUrl(value, origin.length(), new HostKey(host, port)));
  }

  /** Returns the canonical host, or an empty string if there can be no such host. */
  private static String canonicalHost(String text) {
    if (IPV6.matcher(text).matches()) {
      return canonicalIpv6(text);
    }
    try {
      String host = text.indexOf('%') < 0 ? text : URLDecoder.decode(text, StandardCharsets.UTF_8);
      host = host.toLowerCase(Locale.ROOT);
      if (!isAscii(host)) {
        host = IDN.toASCII(host, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
      }
      if (host.endsWith(".")) {
        host = host.substring(0, host.length() - 1);
      }
      return isHost(host) ? host : "";
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // Bad percent-encoding; or what java.net.IDN throws on a label it cannot convert.
      return "";
    }
  }

  private static String canonicalIpv6(String literal) {
    try {
      InetAddress address = InetAddress.getByName(literal);
      // An IPv4-mapped address (RFC 4291, section 2.5.5.2) reaches the same server as the IPv4 one.
      return address instanceof Inet4Address
          ? address.getHostAddress()
          : "[" + address.getHostAddress() + "]";
    } catch (UnknownHostException e) {
      return "";
    }
  }

  private static boolean isHost(String host) {
    int label = 0;
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
      if (c == '.' ? label == 0 : !plain || label == MAX_LABEL) {
        return false;
      }
      label = c == '.' ? 0 : label + 1;
    }
    if (label == 0 || host.length() > MAX_HOST) {
      return false;
    }
    String last = host.substring(host.lastIndexOf('.') + 1);
    return !NUMBER.matcher(last).matches() || isIpv4(host);
  }

  private static boolean isIpv4(String host) {
    return IPV4.matcher(host).matches()
        && Arrays.stream(host.split("\\.")).allMatch(part -> Integer.parseInt(part) <= 255);
  }

  /** Returns the port, or 0 if there can be no such port. */
  private static int port(String text, int defaultPort) {
    if (text.isEmpty()) {
      return defaultPort;
    }
    boolean digits = text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits ? Integer.parseInt(text) : 0;
  }

  private static String encode(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!plain && PLAIN_PUNCTUATION.indexOf(c) < 0) {
        return BasicURLNormalizer.unescapePath(BasicURLNormalizer.escapePath(text, ALSO_ENCODED));
      }
    }
    return text;
  }

  private static String withoutDotSegments(String path) {
    if (path.isEmpty()) {
      return "/";
    }
    if (!path.contains("/.")) {
      return path;
    }
    List<String> kept = new ArrayList<>();
    String[] segments = path.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      boolean up = segments[i].equals("..");
      if (up && !kept.isEmpty()) {
        kept.removeLast();
      }
      if (!up && !segments[i].equals(".")) {
        kept.add(segments[i]);
      } else if (i == segments.length - 1) {
        kept.add("");
      }
    }
    return "/" + String.join("/", kept);
  }

  private static String sorted(String query) {
    if (query.isEmpty()) {
      return "";
    }
    if (query.indexOf('&') < 0) {
      return "?" + query;
    }
    String sorted =
        Arrays.stream(query.split("&"))
            .filter(parameter -> !parameter.isEmpty())
            .sorted(Comparator.comparing(CrawlUrl::name))
            .collect(Collectors.joining("&"));
    return sorted.isEmpty() ? "" : "?" + sorted;
  }

  private static String name(String parameter) {
    int equals = parameter.indexOf('=');
    return equals < 0 ? parameter : parameter.substring(0, equals);
  }

  /** Returns where the colon after a scheme is (RFC 3986, section 3.1), or -1. */
  private static int schemeEnd(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (c == ':' && i > 0) {
        return i;
      }
      if (!letter && (!other || i == 0)) {
        return -1;
      }
    }
    return -1;
  }

  private static String browserClean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    boolean inQuery = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      inQuery |= c == '?' || c == '#';
      if (c == '\\' && !inQuery) {
        clean.append('/');
      } else if (Character.isSurrogate(c)) {
        boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
        if (pair) {
          clean.append(c).append(text.charAt(++i));
        } else {
          clean.append('\uFFFD');
        }
      } else if (c != '\t' && c != '\n' && c != '\r') {
        clean.append(c);
      }
    }
    int from = 0;
    int to = clean.length();
    while (from < to && clean.charAt(from) <= ' ') {
      from++;
    }
    while (to > from && clean.charAt(to - 1) <= ' ') {
      to--;
    }
    return clean.substring(from, to);
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 128);
  }

  private static String abbreviate(String text) {
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }

  @Override
  public int compareTo(CrawlUrl other) {
    return value.compareTo(other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CrawlUrl url && url.value.equals(value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  /** Returns the canonical form. */
  @Override
  public String toString() {
    return value;
  }
}
