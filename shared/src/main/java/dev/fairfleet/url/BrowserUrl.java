package dev.fairfleet.url;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An http or https URL as a browser reads it: the URL parser of the URL Standard
 * (url.spec.whatwg.org, section 4.4), written for these two schemes and without what a request
 * never carries, credentials and fragment.
 *
 * <p>Where the standard asks for the encoding of the page, this takes UTF-8. Pure.
 *
 * @param scheme {@code http} or {@code https}
 * @param host serialised: an ASCII name, a dotted IPv4 address, or an IPv6 address in brackets
 * @param port {@link #DEFAULT_PORT}, or one that is not the scheme's own
 * @param path begins with a slash; percent-encoded, without dot segments
 * @param query percent-encoded; null if there is no question mark, empty if nothing follows it
 */
record BrowserUrl(String scheme, String host, int port, String path, @Nullable String query) {
  /** Says that the port is the scheme's own. */
  static final int DEFAULT_PORT = -1;

  private static final int MAX_PORT = 65_535;
  private static final String PATH_ENCODED = "\"#<>?^`{}";
  private static final String QUERY_ENCODED = "\"#<>'";

  /**
   * Returns the URL that {@code input} spells, or null if it spells none or has another scheme.
   *
   * @param base the URL of the page it stands on; null where only an absolute URL makes sense
   */
  static @Nullable BrowserUrl parse(String input, @Nullable BrowserUrl base) {
    String text = cleaned(input);
    int colon = schemeEnd(text);
    if (colon < 0) {
      return base == null ? null : base.resolve(text);
    }
    String scheme = text.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      return null;
    }
    String rest = text.substring(colon + 1);
    return base != null && base.scheme.equals(scheme) && !startsWithTwoSlashes(rest)
        ? base.resolve(rest)
        : parseAuthority(scheme, rest);
  }

  /** Returns the port to connect to. */
  int effectivePort() {
    return port == DEFAULT_PORT ? defaultPort(scheme) : port;
  }

  /** Returns the serialised URL. */
  String href() {
    return scheme
        + "://"
        + host
        + (port == DEFAULT_PORT ? "" : ":" + port)
        + path
        + (query == null ? "" : "?" + query);
  }

  /** Takes a reference without scheme. */
  private @Nullable BrowserUrl resolve(String text) {
    if (startsWithTwoSlashes(text)) {
      return parseAuthority(scheme, text);
    }
    String reference = withoutFragment(text);
    if (reference.isEmpty()) {
      return this;
    }
    char first = reference.charAt(0);
    if (first == '?') {
      return new BrowserUrl(scheme, host, port, path, encodedQuery(reference));
    }
    String folder = isSlash(first) ? "" : path.substring(0, path.lastIndexOf('/') + 1);
    return withPath(scheme, host, port, folder, reference);
  }

  /** Takes what follows the scheme and its colon; slashes before the host may be missing. */
  private static @Nullable BrowserUrl parseAuthority(String scheme, String text) {
    int from = 0;
    while (from < text.length() && isSlash(text.charAt(from))) {
      from++;
    }
    int to = from;
    while (to < text.length() && !isSlash(text.charAt(to)) && "?#".indexOf(text.charAt(to)) < 0) {
      to++;
    }
    String authority = text.substring(from, to);
    authority = authority.substring(authority.lastIndexOf('@') + 1);
    int colon = portColon(authority);
    String host = BrowserHost.parse(colon < 0 ? authority : authority.substring(0, colon));
    int port = colon < 0 ? DEFAULT_PORT : port(authority.substring(colon + 1), scheme);
    return host == null || port > MAX_PORT
        ? null
        : withPath(scheme, host, port, "", withoutFragment(text.substring(to)));
  }

  /** Returns where the first colon outside brackets is, or -1. */
  private static int portColon(String authority) {
    boolean inBrackets = false;
    for (int i = 0; i < authority.length(); i++) {
      char c = authority.charAt(i);
      inBrackets = c == '[' || (inBrackets && c != ']');
      if (c == ':' && !inBrackets) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the port, {@link #DEFAULT_PORT}, or a number above all ports if there is none such. */
  private static int port(String text, String scheme) {
    int port = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return MAX_PORT + 1;
      }
      port = Math.min(port * 10 + digit, MAX_PORT + 1);
    }
    return text.isEmpty() || port == defaultPort(scheme) ? DEFAULT_PORT : port;
  }

  private static int defaultPort(String scheme) {
    return scheme.equals("http") ? 80 : 443;
  }

  /** Joins a folder that is clean, or empty, with raw path and query. */
  private static BrowserUrl withPath(
      String scheme, String host, int port, String folder, String raw) {
    int question = raw.indexOf('?');
    String rawPath = question < 0 ? raw : raw.substring(0, question);
    String path =
        withoutDotSegments(folder + percentEncoded(rawPath.replace('\\', '/'), PATH_ENCODED));
    String query = question < 0 ? null : encodedQuery(raw.substring(question));
    return new BrowserUrl(scheme, host, port, path, query);
  }

  private static String encodedQuery(String withMark) {
    return percentEncoded(withMark.substring(1), QUERY_ENCODED);
  }

  private static String withoutDotSegments(String path) {
    String absolute = path.startsWith("/") ? path : "/" + path;
    if (!absolute.contains("/.") && !absolute.contains("/%2")) {
      return absolute;
    }
    List<String> kept = new ArrayList<>();
    String[] segments = absolute.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      String dots = segments[i].length() > 6 ? "" : dots(segments[i]);
      boolean up = dots.equals("..");
      if (up && !kept.isEmpty()) {
        kept.removeLast();
      }
      if (!up && !dots.equals(".")) {
        kept.add(segments[i]);
      } else if (i == segments.length - 1) {
        kept.add("");
      }
    }
    return "/" + String.join("/", kept);
  }

  private static String dots(String segment) {
    return segment.replace("%2e", ".").replace("%2E", ".");
  }

  /** Encodes, in UTF-8, {@code set} and all that is no visible ASCII character. */
  private static String percentEncoded(String text, String set) {
    int plain = 0;
    while (plain < text.length() && isPlain(text.charAt(plain), set)) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    StringBuilder encoded = new StringBuilder(text.length() + 32).append(text, 0, plain);
    for (byte b : text.substring(plain).getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (isPlain(c, set)) {
        encoded.append(c);
      } else {
        CrawlUrl.appendEncoded(encoded, c);
      }
    }
    return encoded.toString();
  }

  private static boolean isPlain(char c, String set) {
    return c > ' ' && c < 0x7f && set.indexOf(c) < 0;
  }

  /** Strips spaces and control characters around, tabs and line breaks within, and half pairs. */
  private static String cleaned(String input) {
    int from = 0;
    int to = input.length();
    while (from < to && input.charAt(from) <= ' ') {
      from++;
    }
    while (to > from && input.charAt(to - 1) <= ' ') {
      to--;
    }
    String trimmed = input.substring(from, to);
    if (trimmed.chars().noneMatch(c -> c < ' ' || Character.isSurrogate((char) c))) {
      return trimmed;
    }
    StringBuilder clean = new StringBuilder(trimmed.length());
    trimmed
        .codePoints()
        .filter(c -> c != '\t' && c != '\n' && c != '\r')
        .map(c -> Character.getType(c) == Character.SURROGATE ? 0xFFFD : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static String withoutFragment(String text) {
    int hash = text.indexOf('#');
    return hash < 0 ? text : text.substring(0, hash);
  }

  private static boolean startsWithTwoSlashes(String text) {
    return text.length() > 1 && isSlash(text.charAt(0)) && isSlash(text.charAt(1));
  }

  private static boolean isSlash(char c) {
    return c == '/' || c == '\\';
  }

  /** Returns where the colon after a scheme is, or -1. */
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
}
