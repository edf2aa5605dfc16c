package dev.fairfleet.worker.fetch;

import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.cookie.Cookie;
import org.apache.hc.client5.http.cookie.CookieOrigin;
import org.apache.hc.client5.http.cookie.CookiePriorityComparator;
import org.apache.hc.client5.http.cookie.CookieSpec;
import org.apache.hc.client5.http.cookie.MalformedCookieException;
import org.apache.hc.client5.http.impl.cookie.RFC6265CookieSpecFactory;
import org.apache.hc.client5.http.impl.cookie.RFC6265CookieSpecFactory.CompatibilityLevel;
import org.apache.hc.client5.http.psl.PublicSuffixMatcherLoader;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.protocol.HttpCoreContext;

/**
 * The cookies of one chain of redirects (RFC 6265, section 5): set by one hop, sent by the next,
 * and forgotten at the end of the chain.
 *
 * <p>A cookie of a public suffix, or of a domain that its sender is no part of, is not taken. At
 * most {@value #MOST} cookies of together {@value #MOST_CHARS} characters are kept; what does not
 * fit is not taken. Not safe for many threads: a chain has one.
 */
public final class Cookies {
  /** No chain: takes no cookie and so sends none. */
  public static final Cookies NONE = new Cookies(0);

  private static final int MOST = 50;
  private static final int MOST_CHARS = 8_192;
  // The level that reads dates by section 5.1.1, as a user agent must.
  private static final CookieSpec SPEC =
      new RFC6265CookieSpecFactory(
              CompatibilityLevel.RELAXED, PublicSuffixMatcherLoader.getDefault())
          .create(HttpCoreContext.create());

  private final int most;
  private final BasicCookieStore store = new BasicCookieStore();
  private int changes;

  private Cookies(int most) {
    this.most = most;
  }

  /** Returns the empty jar of a new chain. */
  public static Cookies ofChain() {
    return new Cookies(MOST);
  }

  /** Returns whether no cookie is in the jar. */
  public boolean isEmpty() {
    return store.getCookies().isEmpty();
  }

  /**
   * Returns how often a cookie was set, changed or removed so far: a redirect to itself that leaves
   * this number as it was leads nowhere.
   */
  public int changes() {
    return changes;
  }

  /** Adds the cookies that {@code url} is to be sent, if there are any. */
  void addTo(HttpRequest request, CrawlUrl url, Instant now) {
    store.clearExpired(now);
    CookieOrigin origin = origin(url);
    List<Cookie> sent = new ArrayList<>();
    for (Cookie cookie : store.getCookies()) {
      if (SPEC.match(cookie, origin)) {
        sent.add(cookie);
      }
    }
    sent.sort(CookiePriorityComparator.INSTANCE);
    if (!sent.isEmpty()) {
      SPEC.formatCookies(sent).forEach(request::addHeader);
    }
  }

  /** Takes what an answer of {@code url} sets. */
  void take(HttpResponse response, CrawlUrl url, Instant now) {
    if (most == 0) {
      return;
    }
    CookieOrigin origin = origin(url);
    for (Header header : response.getHeaders("Set-Cookie")) {
      try {
        for (Cookie cookie : SPEC.parse(header, origin)) {
          SPEC.validate(cookie, origin);
          if (isOfADomain(cookie, origin)) {
            put(cookie, now);
          }
        }
      } catch (MalformedCookieException e) {
        // A cookie that we may not take is one that we do not send.
      }
    }
  }

  /** Returns whether the domain is no public suffix, listed or, as for a fancied one, not. */
  private static boolean isOfADomain(Cookie cookie, CookieOrigin origin) {
    CookieOrigin own = new CookieOrigin(origin.getHost(), origin.getPort(), cookie.getPath(), true);
    boolean single = !cookie.getDomain().contains(".");
    return SPEC.match(cookie, own) && (!single || cookie.getDomain().equals(origin.getHost()));
  }

  private void put(Cookie cookie, Instant now) {
    List<Cookie> before = store.getCookies();
    long chars = size(cookie);
    boolean replaces = false;
    boolean same = false;
    for (Cookie old : before) {
      if (isSameCookie(old, cookie)) {
        replaces = true;
        same = value(old).equals(value(cookie));
      } else {
        chars += size(old);
      }
    }
    // A life of no seconds was counted from a later moment than this one.
    boolean expired = cookie.isExpired(now.plusSeconds(1));
    if (!expired && (chars > MOST_CHARS || (!replaces && before.size() >= most))) {
      return;
    }
    store.addCookie(cookie);
    store.clearExpired(now.plusSeconds(1));
    if (expired ? replaces : !same) {
      changes++;
    }
  }

  private static boolean isSameCookie(Cookie one, Cookie other) {
    return one.getName().equals(other.getName())
        && one.getDomain().equals(other.getDomain())
        && one.getPath().equals(other.getPath());
  }

  private static int size(Cookie cookie) {
    return cookie.getName().length() + value(cookie).length();
  }

  private static String value(Cookie cookie) {
    String value = cookie.getValue();
    return value == null ? "" : value;
  }

  private static CookieOrigin origin(CrawlUrl url) {
    String path = url.pathAndQuery();
    int query = path.indexOf('?');
    return new CookieOrigin(
        url.hostKey().host(),
        url.hostKey().port(),
        query < 0 ? path : path.substring(0, query),
        url.scheme().equals("https"));
  }
}
