package dev.fairfleet.url;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An absolute http or https URL in its one canonical form.
 *
 * <p>It is what a browser makes of the text (URL Standard, url.spec.whatwg.org), without user and
 * fragment, and then brought to one spelling in ways that no server can tell apart: host without
 * trailing dot, an IPv4-mapped IPv6 address as the IPv4 one, percent-encoding with upper-case
 * digits and only where it is needed (RFC 3986, section 6.2.2), a lone {@code %} as {@code %25}, no
 * {@code ?} without a query. Everything that {@link URI} or a request line cannot carry is encoded.
 *
 * <p>Two slashes in a row stay two, and query parameters keep their order: a server may tell the
 * difference. {@code docs/decisions/0007-urls.md} says why. Immutable.
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
  private static final String HEX = "0123456789ABCDEF";
  private static final boolean[] UNRESERVED = new boolean[128];
  private static final boolean[] KEPT = new boolean[128];

  static {
    for (char c = 0; c < 128; c++) {
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      UNRESERVED[c] = letter || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
      KEPT[c] = UNRESERVED[c] || "!$&'()*+,;=:@/?".indexOf(c) >= 0;
    }
  }

  private final String value;
  private final int pathAt;
  private final HostKey hostKey;
  // Made when first asked for, by two threads twice at worst: most links of a page are never
  // stored.
  private @Nullable UrlHash hash;

  private CrawlUrl(String value, int pathAt, HostKey hostKey) {
    this.value = value;
    this.pathAt = pathAt;
    this.hostKey = hostKey;
  }

  /**
   * Returns the URL that {@code text} spells, or nothing if it is no absolute http or https URL,
   * has a host or port that no server can have, or is longer than {@link #MAX_LENGTH}.
   *
   * <p>A number is a host: {@code http://0x7f.1/} is {@code http://127.0.0.1/}, as in browsers.
   * Whether that address may be asked is decided where the connection is made.
   */
  public static Optional<CrawlUrl> parse(String text) {
    if (text.length() > MAX_RAW_LENGTH) {
      return Optional.empty();
    }
    CrawlUrl clean = cleanAbsolute(text);
    return clean != null ? Optional.of(clean) : canonical(BrowserUrl.parse(text, null));
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
   * Returns where {@code reference}, found on this page, points, or nothing if that is no http or
   * https URL.
   */
  public Optional<CrawlUrl> resolve(String reference) {
    if (reference.length() > MAX_RAW_LENGTH) {
      return Optional.empty();
    }
    if (reference.isEmpty() || reference.charAt(0) == '#') {
      return Optional.of(this);
    }
    CrawlUrl clean = cleanAbsolute(reference);
    if (clean == null) {
      clean = cleanRelative(reference);
    }
    return clean != null ? Optional.of(clean) : canonical(BrowserUrl.parse(reference, split()));
  }

  /** Returns what politeness counts requests for this URL by. */
  public HostKey hostKey() {
    return hostKey;
  }

  /** Returns the key of this URL in every store. */
  public UrlHash hash() {
    UrlHash known = hash;
    if (known == null) {
      known = UrlHash.of(value);
      hash = known;
    }
    return known;
  }

  /** Returns {@code http} or {@code https}. */
  public String scheme() {
    return value.startsWith(HTTPS) ? "https" : "http";
  }

  /** Returns path and query as a request line carries them; begins with a slash. */
  public String pathAndQuery() {
    return value.substring(pathAt);
  }

  /** Returns the URL on this host that has this path and query; two slashes are no host. */
  Optional<CrawlUrl> withPathAndQuery(String pathAndQuery) {
    return parse(value.substring(0, pathAt) + pathAndQuery);
  }

  /** Returns this URL for a client library; never throws. */
  public URI toUri() {
    return URI.create(value);
  }

  /** Returns the canonical form of what a browser read. */
  private static Optional<CrawlUrl> canonical(@Nullable BrowserUrl url) {
    if (url == null) {
      return Optional.empty();
    }
    String host = BrowserHost.unmapped(url.host());
    if (host.endsWith(".")) {
      host = host.substring(0, host.length() - 1);
    }
    int port = url.effectivePort();
    if (port == 0 || !canBeServer(host)) {
      return Optional.empty();
    }
    String origin =
        url.scheme() + "://" + host + (url.port() == BrowserUrl.DEFAULT_PORT ? "" : ":" + port);
    String query = url.query();
    String pathAndQuery = query == null || query.isEmpty() ? url.path() : url.path() + "?" + query;
    String value = origin + encode(pathAndQuery);
    return value.length() > MAX_LENGTH
        ? Optional.empty()
        : Optional.of(new CrawlUrl(value, origin.length(), new HostKey(host, port)));
  }

  /** Tells whether the domain name system, or an address, can lead to a host. */
  private static boolean canBeServer(String host) {
    return host.startsWith("[") || (host.length() <= MAX_HOST && nameEnd(host, 0) == host.length());
  }

  /**
   * Returns where the name that starts at {@code from} ends, or -1 if it is none: labels of 1 to 63
   * lower-case letters, digits, hyphens and underscores (RFC 1035, and what is met on the Web).
   */
  private static int nameEnd(String text, int from) {
    int label = from;
    for (int i = from; ; i++) {
      char c = i < text.length() ? text.charAt(i) : '/';
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
      if (!plain) {
        int length = i - label;
        if (length == 0 || length > MAX_LABEL || c != '.') {
          return length == 0 || length > MAX_LABEL ? -1 : i;
        }
        label = i + 1;
      }
    }
  }

  /**
   * Returns the URL if it is canonical as it stands, but for a fragment; null if that is not sure.
   * Most links are, and the whole way takes several times as long.
   */
  private static @Nullable CrawlUrl cleanAbsolute(String text) {
    boolean secure = text.startsWith(HTTPS);
    if (!secure && !text.startsWith(HTTP)) {
      return null;
    }
    int hostAt = secure ? HTTPS.length() : HTTP.length();
    int pathAt = nameEnd(text, hostAt);
    if (pathAt < 0 || pathAt == text.length() || text.charAt(pathAt) != '/') {
      return null;
    }
    char last = text.charAt(Math.max(hostAt, text.lastIndexOf('.', pathAt) + 1));
    int end = cleanEnd(text, pathAt, false);
    if (end < 0 || end > MAX_LENGTH || pathAt - hostAt > MAX_HOST || isDigit(last)) {
      return null;
    }
    HostKey key = new HostKey(text.substring(hostAt, pathAt), secure ? 443 : 80);
    return new CrawlUrl(text.substring(0, end), pathAt, key);
  }

  /** The same for a path, from the root or from this page's folder. */
  private @Nullable CrawlUrl cleanRelative(String reference) {
    boolean fromRoot = reference.charAt(0) == '/';
    int end = cleanEnd(reference, 0, true);
    if (end < 0 || (fromRoot && reference.startsWith("//")) || reference.charAt(0) == '?') {
      return null;
    }
    int query = value.indexOf('?', pathAt);
    int folderEnd = value.lastIndexOf('/', query < 0 ? value.length() : query) + 1;
    String joined = value.substring(0, fromRoot ? pathAt : folderEnd) + reference.substring(0, end);
    return joined.length() > MAX_LENGTH ? null : new CrawlUrl(joined, pathAt, hostKey);
  }

  /**
   * Returns where the path and query from {@code from} on end, if nothing in them need be changed;
   * else -1.
   */
  private static int cleanEnd(String text, int from, boolean relative) {
    boolean inQuery = false;
    char before = '/';
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '#') {
        return before == '?' ? -1 : i;
      }
      boolean dotSegment = c == '.' && before == '/' && !inQuery;
      boolean schemeColon = c == ':' && relative;
      if (c >= 128 || !KEPT[c] || dotSegment || schemeColon || (c == '\'' && inQuery)) {
        return -1;
      }
      inQuery |= c == '?';
      before = c;
    }
    return before == '?' ? -1 : text.length();
  }

  private BrowserUrl split() {
    int query = value.indexOf('?', pathAt);
    boolean defaultPort = hostKey.port() == (scheme().equals("http") ? 80 : 443);
    return new BrowserUrl(
        scheme(),
        hostKey.host(),
        defaultPort ? BrowserUrl.DEFAULT_PORT : hostKey.port(),
        value.substring(pathAt, query < 0 ? value.length() : query),
        query < 0 ? null : value.substring(query + 1));
  }

  /**
   * Returns path and query with their characters in canonical form: percent-encoded are all but the
   * unreserved and the delimiters of RFC 3986, section 2; what is encoded and unreserved is
   * decoded.
   */
  static String encode(String text) {
    int plain = 0;
    while (plain < text.length() && text.charAt(plain) < 128 && KEPT[text.charAt(plain)]) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    StringBuilder encoded = new StringBuilder(text.length() + 32).append(text, 0, plain);
    byte[] bytes = text.substring(plain).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      char c = (char) (bytes[i] & 0xff);
      int escaped = c == '%' ? escaped(bytes, i) : -1;
      if (escaped >= 0) {
        i += 2;
        c = (char) escaped;
      }
      if (c < 128 && (escaped < 0 ? KEPT[c] : UNRESERVED[c])) {
        encoded.append(c);
      } else {
        appendEncoded(encoded, c);
      }
    }
    return encoded.toString();
  }

  /** Returns the byte that the percent sign at {@code at} and two digits encode, or -1. */
  private static int escaped(byte[] bytes, int at) {
    int high = at + 2 < bytes.length ? Character.digit((char) (bytes[at + 1] & 0xff), 16) : -1;
    int low = at + 2 < bytes.length ? Character.digit((char) (bytes[at + 2] & 0xff), 16) : -1;
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }

  /** Appends a byte as a percent sign and two upper-case digits. */
  static void appendEncoded(StringBuilder to, char octet) {
    to.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
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
