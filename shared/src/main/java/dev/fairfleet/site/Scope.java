package dev.fairfleet.site;

import crawlercommons.domains.EffectiveTldFinder;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import java.util.List;
import java.util.Set;

/**
 * Which URLs belong to a site.
 *
 * @param hosts every host key whose URLs may be crawled; at least one
 * @param subdomains whether every host of the registrable domains of {@code hosts} belongs to it,
 *     too, on port 80, port 443 or a port of {@code hosts}
 * @param include patterns of which a URL must match one; empty means that every URL does
 * @param exclude patterns of which a URL must match none; stronger than {@code include}
 * @param ignored parameters that are no part of a URL's identity on this site
 */
public record Scope(
    Set<HostKey> hosts,
    boolean subdomains,
    List<UrlPattern> include,
    List<UrlPattern> exclude,
    IgnoredParameters ignored) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /**
   * @throws IllegalArgumentException if there is no host
   */
  public Scope {
    hosts = Set.copyOf(hosts);
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    if (hosts.isEmpty()) {
      throw new IllegalArgumentException("A scope names at least one host");
    }
  }

  /** Every URL of {@code hosts}, known by itself without the usual session and campaign marks. */
  public Scope(Set<HostKey> hosts) {
    this(hosts, false, List.of(), List.of(), IgnoredParameters.DEFAULT);
  }

  /**
   * Tells whether the host belongs to the site.
   *
   * <p>A registrable domain is one label more than a public suffix (publicsuffix.org, its private
   * part included, so that {@code a.github.io} and {@code b.github.io} are two). An address or a
   * bare suffix has none and belongs only if it is named.
   */
  public boolean contains(HostKey host) {
    return hosts.contains(host) || (subdomains && isSubdomain(host));
  }

  private boolean isSubdomain(HostKey host) {
    boolean portFits =
        host.port() == HTTP_PORT
            || host.port() == HTTPS_PORT
            || hosts.stream().anyMatch(named -> named.port() == host.port());
    String domain = portFits ? registrableDomain(host) : "";
    return !domain.isEmpty()
        && hosts.stream().anyMatch(named -> registrableDomain(named).equals(domain));
  }

  /** Returns the empty text if there is none. */
  private static String registrableDomain(HostKey key) {
    String host = key.host();
    String domain = EffectiveTldFinder.getAssignedDomain(host, true, false);
    if (domain != null) {
      return domain;
    }
    // The list's prevailing rule "*", which the library leaves out for names that are on no list.
    boolean unlisted = EffectiveTldFinder.getEffectiveTLD(host, false) == null;
    int lastDot = host.lastIndexOf('.');
    boolean address = host.startsWith("[") || Character.isDigit(host.charAt(lastDot + 1));
    return unlisted && lastDot > 0 && !address
        ? host.substring(host.lastIndexOf('.', lastDot - 1) + 1)
        : "";
  }
}
