package dev.fairfleet.local.web;

import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A shop, {@code shop.localhost}: list pages in a row, each with its own product pages.
 *
 * <p>List page 1 is the root; list page i links to the ones before and after it and to its
 * products. Products have a sku, which is their natural key, a title and a price; list pages hold
 * no record.
 */
public final class Shop implements FakeSite {
  private static final String HOST = "shop.localhost";

  private final long seed;
  private final int lists;
  private final int perList;
  private final Prose prose;

  private Shop(long seed, int lists, int perList) {
    this.seed = seed;
    this.lists = lists;
    this.perList = perList;
    this.prose = new Prose(seed);
  }

  /** Returns the shop of the kill drill: 25 list pages and 500 products. */
  public static Shop of(long seed) {
    return of(seed, 25, 20);
  }

  /**
   * Returns a shop.
   *
   * @param lists the number of list pages, at least 1
   * @param perList the number of products of each list page
   */
  public static Shop of(long seed, int lists, int perList) {
    if (lists < 1 || perList < 0) {
      throw new IllegalArgumentException(
          "A shop needs a list page: %d lists of %d products.".formatted(lists, perList));
    }
    return new Shop(seed, lists, perList);
  }

  @Override
  public String host() {
    return HOST;
  }

  /** Returns how many products it has. */
  public int products() {
    return lists * perList;
  }

  @Override
  public Stream<String> paths() {
    return Stream.concat(
        IntStream.rangeClosed(1, lists).mapToObj(Shop::listPath),
        IntStream.rangeClosed(1, products()).mapToObj(Shop::productPath));
  }

  @Override
  public Answer answer(WebRequest request) {
    OptionalInt product = product(request.path());
    if (product.isPresent()) {
      int n = product.getAsInt();
      return page(hash(n), () -> productText(n));
    }
    OptionalInt list = list(request.path());
    if (list.isPresent()) {
      int i = list.getAsInt();
      return page(hash(-i), () -> listText(i));
    }
    return Answer.Reply.of(404);
  }

  private static Answer page(long hash, Supplier<byte[]> text) {
    return new Answer.Page(new FakePage(hash, PageText.lastModified(hash), text));
  }

  @Override
  public Map<String, String> truth(String path) {
    OptionalInt n = product(path);
    return n.isPresent() ? describe(n.getAsInt()).fields() : Map.of();
  }

  private OptionalInt list(String path) {
    return path.equals("/") ? OptionalInt.of(1) : number(path, "/list/", "", 2, lists);
  }

  private OptionalInt product(String path) {
    return number(path, "/product/", ".html", 1, products());
  }

  private static OptionalInt number(String path, String before, String after, int least, int most) {
    if (!path.startsWith(before) || !path.endsWith(after)) {
      return OptionalInt.empty();
    }
    String digits = path.substring(before.length(), path.length() - after.length());
    if (!digits.matches("[1-9]\\d{0,8}")) {
      return OptionalInt.empty();
    }
    int n = Integer.parseInt(digits);
    return least <= n && n <= most ? OptionalInt.of(n) : OptionalInt.empty();
  }

  private static String listPath(int i) {
    return i == 1 ? "/" : "/list/" + i;
  }

  private static String productPath(int n) {
    return "/product/" + n + ".html";
  }

  private long hash(int n) {
    return Hash.mix(Hash.mix(seed) + n);
  }

  private Product describe(int n) {
    return Product.of("SHOP-" + n, hash(n));
  }

  private byte[] listText(int i) {
    String title = "Our goods, page " + i;
    PageText text = new PageText(title, WebPlan.PAGE_BYTES);
    if (i > 1) {
      text.link(listPath(i - 1), "Previous");
    }
    if (i < lists) {
      text.link(listPath(i + 1), "Next");
    }
    text.append("</nav>\n<h1>").append(title).append("</h1>\n<ul class=\"products\">\n");
    for (int n = (i - 1) * perList + 1; n <= i * perList; n++) {
      text.append("<li>").link(productPath(n), describe(n).title());
    }
    return text.append("</ul>\n").fill(prose, WebPlan.PAGE_BYTES, hash(-i));
  }

  private byte[] productText(int n) {
    Product product = describe(n);
    PageText text = new PageText(product.title(), WebPlan.PAGE_BYTES);
    text.link(listPath((n - 1) / perList + 1), "All goods").append("</nav>\n");
    return text.append(product.html()).fill(prose, WebPlan.PAGE_BYTES, hash(n));
  }
}
