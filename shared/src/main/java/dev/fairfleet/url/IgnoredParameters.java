package dev.fairfleet.url;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of parameters that are no part of a URL's identity: a page is the same with and without
 * them.
 *
 * <p>They are session ids and the marks of campaigns and clicks, which a site adds to links for its
 * own statistics. They are taken out of the query ({@code ?utm_source=x}) and out of path segments
 * ({@code /a;jsessionid=7}, RFC 3986, section 3.3). Immutable.
 */
public final class IgnoredParameters {
  private static final Pattern NAME = Pattern.compile("[^\\s&=;?/#*]+\\*?");

  /** Every parameter counts. */
  public static final IgnoredParameters NONE = new IgnoredParameters(Set.of());

  /**
   * What the large statistics, mail and advertisement services and the common servers add. Short
   * names that sites also use for other things ({@code sid}, {@code ref}, {@code s}) are not here.
   */
  public static final IgnoredParameters DEFAULT =
      new IgnoredParameters(
          Set.of(
              // campaigns
              "utm_*",
              "mtm_*",
              "pk_campaign",
              "pk_kwd",
              "hsa_*",
              "_openstat",
              "wt_mc",
              // clicks
              "gclid",
              "gclsrc",
              "dclid",
              "gbraid",
              "wbraid",
              "srsltid",
              "fbclid",
              "msclkid",
              "yclid",
              "ysclid",
              "twclid",
              "ttclid",
              "igshid",
              "igsh",
              "li_fat_id",
              "epik",
              "rdt_cid",
              "irclickid",
              // mail
              "mc_cid",
              "mc_eid",
              "mkt_tok",
              "_hsenc",
              "_hsmi",
              "__hssc",
              "__hstc",
              "__hsfp",
              "hsctatracking",
              "vero_id",
              "oly_anon_id",
              "oly_enc_id",
              // visitors across domains
              "_ga",
              "_gl",
              "_gac",
              // sessions
              "jsessionid",
              "phpsessid",
              "aspsessionid*",
              "cfid",
              "cftoken",
              "sessionid",
              "session_id",
              "oscsid",
              "zenid"));

  private final Set<String> names;
  private final Set<String> exact;
  private final List<String> prefixes;

  /**
   * @param names compared without regard to case; a {@code *} at the end stands for any characters.
   *     Empty means that every parameter counts
   * @throws IllegalArgumentException if a name is empty, holds a character that ends a name, or has
   *     a {@code *} anywhere but at its end
   */
  public IgnoredParameters(Set<String> names) {
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "An ignored parameter is a name like sessionid or utm_*, not \"" + name + "\"");
      }
    }
    this.names =
        names.stream()
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    this.exact =
        this.names.stream()
            .filter(name -> !name.endsWith("*"))
            .collect(Collectors.toUnmodifiableSet());
    this.prefixes =
        this.names.stream()
            .filter(name -> name.endsWith("*"))
            .map(name -> name.substring(0, name.length() - 1))
            .toList();
  }

  /** Returns the names, in lower case. */
  public Set<String> names() {
    return names;
  }

  /** Returns {@code url} without these parameters; {@code url} itself if it has none of them. */
  public CrawlUrl apply(CrawlUrl url) {
    String whole = url.pathAndQuery();
    int query = whole.indexOf('?');
    String path = query < 0 ? whole : whole.substring(0, query);
    String without = withoutPathParameters(path) + withoutQueryParameters(whole, query);
    // Parsed again: what is left of "/a/.;jsessionid=7" is a dot segment.
    return without.length() == whole.length() ? url : url.withPathAndQuery(without).orElse(url);
  }

  private String withoutPathParameters(String path) {
    if (path.indexOf(';') < 0) {
      return path;
    }
    StringBuilder kept = new StringBuilder(path.length());
    int from = 0;
    while (from < path.length()) {
      int to = from + 1;
      while (to < path.length() && path.charAt(to) != ';' && path.charAt(to) != '/') {
        to++;
      }
      if (path.charAt(from) != ';' || !ignores(path, from + 1, to)) {
        kept.append(path, from, to);
      }
      from = to;
    }
    return kept.toString();
  }

  private String withoutQueryParameters(String whole, int query) {
    if (query < 0) {
      return "";
    }
    StringBuilder kept = new StringBuilder(whole.length() - query);
    int from = query + 1;
    boolean dropped = false;
    while (from <= whole.length()) {
      int ampersand = whole.indexOf('&', from);
      int to = ampersand < 0 ? whole.length() : ampersand;
      if (ignores(whole, from, to)) {
        dropped = true;
      } else {
        kept.append(kept.isEmpty() ? '?' : '&').append(whole, from, to);
      }
      from = to + 1;
    }
    return dropped && kept.length() == 1 ? "" : kept.toString();
  }

  /** Tells whether the parameter from {@code from} to {@code to}, with or without value, goes. */
  private boolean ignores(String text, int from, int to) {
    int equals = text.indexOf('=', from);
    int end = equals < 0 || equals > to ? to : equals;
    if (end == from) {
      return false;
    }
    String name = text.substring(from, end).toLowerCase(Locale.ROOT);
    return exact.contains(name) || prefixes.stream().anyMatch(name::startsWith);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IgnoredParameters that && that.names.equals(names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  /** Returns the names in alphabetical order. */
  @Override
  public String toString() {
    return new TreeSet<>(names).toString();
  }
}
