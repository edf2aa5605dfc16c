package dev.fairfleet.local.web;

import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A site whose pages form a tree, each page a product.
 *
 * <p>Pages are numbered from 0, the root. With fan-out F the children of page k are the pages kF+1
 * to kF+F, as far as there are so many; so the walk from the root reaches all, in about log_F n
 * steps. A page also links to its parent, to the root, to four pages anywhere in the site, to
 * itself with a fragment, and to another host, which is out of scope: nothing is at that address,
 * and a request for it shows in the {@link RequestLog} as a link followed that should not have
 * been.
 */
public final class TreeSite implements FakeSite {
  private static final int CROSS_LINKS = 4;

  private final String host;
  private final String otherHost;
  private final String skuPrefix;
  private final long seed;
  private final int pages;
  private final int fanOut;
  private final int pageBytes;
  private final Prose prose;

  TreeSite(
      String host,
      String otherHost,
      String skuPrefix,
      long seed,
      int pages,
      int fanOut,
      int pageBytes,
      Prose prose) {
    this.host = host;
    this.otherHost = otherHost;
    this.skuPrefix = skuPrefix;
    this.seed = seed;
    this.pages = pages;
    this.fanOut = fanOut;
    this.pageBytes = pageBytes;
    this.prose = prose;
  }

  @Override
  public String host() {
    return host;
  }

  /** Returns how many pages it has, the root included. */
  public int pages() {
    return pages;
  }

  @Override
  public Stream<String> paths() {
    return IntStream.range(0, pages).mapToObj(this::path);
  }

  @Override
  public Answer answer(WebRequest request) {
    return atPage(
        request.path(),
        k ->
            new Answer.Page(
                new FakePage(
                    Hash.mix(hash(k) ^ request.port()),
                    PageText.lastModified(hash(k)),
                    () -> text(k, request.port()))),
        Answer.Reply.of(404));
  }

  @Override
  public Map<String, String> truth(String path) {
    return atPage(path, k -> product(k).fields(), Map.of());
  }

  private <T> T atPage(String path, IntFunction<T> found, T absent) {
    OptionalInt k = number(path);
    return k.isPresent() ? found.apply(k.getAsInt()) : absent;
  }

  /** Returns the number of the page at a path; empty when there is none. */
  private OptionalInt number(String path) {
    if (path.equals("/")) {
      return OptionalInt.of(0);
    }
    int dash = path.indexOf('-');
    if (!path.startsWith("/p/") || dash < 4 || dash > 12) {
      return OptionalInt.empty();
    }
    int k = 0;
    for (int i = 3; i < dash; i++) {
      int digit = path.charAt(i) - '0';
      if (digit < 0 || digit > 9 || k > pages) {
        return OptionalInt.empty();
      }
      k = 10 * k + digit;
    }
    return k < pages && path.equals(path(k)) ? OptionalInt.of(k) : OptionalInt.empty();
  }

  private String path(int k) {
    if (k == 0) {
      return "/";
    }
    long hash = hash(k);
    return "/p/" + k + "-" + Prose.word(hash >>> 16) + "-" + Prose.word(hash >>> 24) + ".html";
  }

  private long hash(int k) {
    return Hash.mix(seed + k);
  }

  private Product product(int k) {
    return Product.of(skuPrefix + "-" + k, hash(k));
  }

  private byte[] text(int k, int port) {
    long hash = hash(k);
    Product product = product(k);
    PageText text = new PageText(product.title(), pageBytes);
    if (k > 0) {
      text.link(path((k - 1) / fanOut), "Up");
    }
    text.link(path(k) + "#reviews", "Reviews").append("</nav>\n").append(product.html());
    text.append("<ul class=\"more\">\n");
    long firstChild = (long) k * fanOut + 1;
    for (long child = firstChild; child < Math.min(firstChild + fanOut, pages); child++) {
      text.append("<li>").link(path((int) child), Prose.word(hash((int) child)));
    }
    text.append("</ul>\n<aside>See also\n");
    for (int i = 0; i < CROSS_LINKS; i++) {
      text.link(path(Hash.below(pages, hash + i)), "related");
    }
    text.link("http://" + otherHost + ":" + port + "/from/" + host + "/" + k, "a friend")
        .append("</aside>\n");
    return text.fill(prose, pageBytes, hash);
  }
}
