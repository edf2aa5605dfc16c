package dev.fairfleet.local.web;

import dev.fairfleet.local.web.ChangingShopStock.Goods;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A shop that changes from one version to the next: list pages in a tree, each with its own product
 * pages.
 *
 * <p>Version n is the same in every run; {@link #publish} switches to it, and that moment is when
 * its changes are dated. What did not change keeps its text, its entity tag and its date. What is
 * gone is gone from the lists, too, which change with what they link to. {@link #truth(int)} and
 * {@link #difference} say what a crawl should find. Any thread may use it.
 */
public final class ChangingShop implements FakeSite {
  /** About how many products a list has. */
  static final int PER_LIST = 20;

  private static final int LISTS_PER_LIST = 10;
  private static final int URLS_PER_SITEMAP = 1_000;
  private static final int GONE_FOR_EVER_OF = 4;
  private static final Pattern LIST = Pattern.compile("/list/([1-9]\\d{0,6})");
  private static final Pattern PRODUCT =
      Pattern.compile("/product/(0|[1-9]\\d{0,8})(?:-v([1-9]\\d{0,4}))?\\.html");
  private static final Pattern OFFER = Pattern.compile("/offer/(0|[1-9]\\d{0,8})\\.html");
  private static final Pattern SITEMAP = Pattern.compile("/sitemap-(\\d{1,6})\\.xml");

  private final String host;
  private final ChangingShopPlan plan;
  private final InstantSource clock;
  private final Prose prose;
  private final AtomicLong views = new AtomicLong();
  // Stocks of all versions computed so far; guarded by itself.
  private final List<ChangingShopStock> stocks = new ArrayList<>();
  private volatile Published published;
  private volatile double failing;

  /**
   * What is served.
   *
   * @param dates when each version from 1 on was published
   */
  private record Published(
      ChangingShopStock stock,
      Map<Integer, List<Goods>> byList,
      SortedMap<Integer, Instant> dates) {}

  /**
   * What somebody who saw every version up to one of two, and then the other, should have noticed,
   * by SKU.
   *
   * @param added never there before
   * @param changed there in both, with another price or title
   * @param removed there in the first only
   * @param returned there in the second and in one before the first
   */
  public record Difference(
      SortedSet<String> added,
      SortedSet<String> changed,
      SortedSet<String> removed,
      SortedSet<String> returned) {}

  /**
   * Returns the shop in its version 0.
   *
   * @param name its host is this under {@code .localhost}
   * @param clock tells when versions are published, and in sitemaps what time it is
   */
  public ChangingShop(String name, ChangingShopPlan plan, InstantSource clock) {
    this.host = name + ".localhost";
    this.plan = plan;
    this.clock = clock;
    this.prose = new Prose(plan.seed());
    this.published = published(stock(0), new TreeMap<>());
  }

  private static Published published(ChangingShopStock stock, SortedMap<Integer, Instant> dates) {
    return new Published(stock, stock.byList(), dates);
  }

  private ChangingShopStock stock(int version) {
    synchronized (stocks) {
      while (stocks.size() <= version) {
        stocks.add(stocks.isEmpty() ? ChangingShopStock.first(plan) : stocks.getLast().next(plan));
      }
      return stocks.get(version);
    }
  }

  /**
   * Switches to a later version.
   *
   * @throws IllegalArgumentException if it is not later
   */
  public synchronized void publish(int version) {
    int current = published.stock().version();
    if (version <= current) {
      throw new IllegalArgumentException(
          "Version " + version + " is not later than version " + current + ", which is served.");
    }
    SortedMap<Integer, Instant> dates = new TreeMap<>(published.dates());
    // Dates have whole seconds, and two versions must not have one date.
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant earliest =
        dates.values().stream()
            .max(Instant::compareTo)
            .map(last -> last.plusSeconds(1))
            .orElse(now);
    Instant date = now.isAfter(earliest) ? now : earliest;
    for (int each = current + 1; each <= version; each++) {
      dates.put(each, date);
    }
    published = published(stock(version), dates);
  }

  /** Lets a share of all pages, the root left out, answer 500 from now on; 0 for none. */
  public void fail(double share) {
    failing = share;
  }

  /** Returns the version that is served. */
  public int version() {
    return published.stock().version();
  }

  /** Returns its plan. */
  public ChangingShopPlan plan() {
    return plan;
  }

  @Override
  public String host() {
    return host;
  }

  /** Returns the path of every page of the version that is served, sitemaps left out. */
  @Override
  public Stream<String> paths() {
    return pages(published).keySet().stream();
  }

  /** Returns the paths of the pages that a version has, sitemaps left out. */
  public Set<String> paths(int version) {
    return pages(published(stock(version), new TreeMap<>())).keySet();
  }

  /** Returns pages and when they changed last, the root first. */
  private Map<String, Instant> pages(Published now) {
    Map<String, Instant> pages = new LinkedHashMap<>();
    for (int list = 0; list < plan.lists(); list++) {
      pages.put(listPath(list), date(now, now.stock().lists().get(list), listHash(list)));
    }
    for (Goods goods : now.stock().onSale().values()) {
      Instant changed = date(now, goods.changedIn(), hash(goods.number()));
      if (goods.hasPage()) {
        pages.put(productPath(goods), changed);
      }
      if (goods.hasOffer()) {
        pages.put(offerPath(goods), changed);
      }
    }
    return pages;
  }

  /** Returns the number of sitemaps, their index counted, of the version that is served. */
  public int sitemaps() {
    return plan.sitemap() == ChangingShopPlan.Sitemap.NONE
        ? 0
        : 1 + Math.ceilDiv(pages(published).size(), URLS_PER_SITEMAP);
  }

  private static Instant date(Published now, int version, long hash) {
    return version == 0
        ? PageText.lastModified(hash)
        : now.dates().getOrDefault(version, Instant.EPOCH);
  }

  @Override
  public Map<String, String> truth(String path) {
    Matcher product = PRODUCT.matcher(path);
    Matcher offer = OFFER.matcher(path);
    Optional<Goods> goods = Optional.empty();
    if (product.matches()) {
      goods = onSale(product).filter(it -> it.hasPage() && productPath(it).equals(path));
    } else if (offer.matches()) {
      goods = onSale(offer).filter(Goods::hasOffer);
    }
    return goods.map(it -> product(it).fields()).orElse(Map.of());
  }

  private Optional<Goods> onSale(Matcher number) {
    return Optional.ofNullable(published.stock().onSale().get(Integer.valueOf(number.group(1))));
  }

  /**
   * Returns the record of every product of a version, by SKU: {@code sku}, {@code title} and {@code
   * price}.
   */
  public SortedMap<String, Map<String, String>> truth(int version) {
    SortedMap<String, Map<String, String>> truth = new TreeMap<>();
    for (Goods goods : stock(version).onSale().values()) {
      truth.put(product(goods).sku(), product(goods).fields());
    }
    return truth;
  }

  /** Returns what a later version has changed. */
  public Difference difference(int earlier, int later) {
    Map<String, Map<String, String>> before = truth(earlier);
    Map<String, Map<String, String>> after = truth(later);
    Set<String> known = new TreeSet<>();
    for (int version = 0; version < earlier; version++) {
      known.addAll(truth(version).keySet());
    }
    SortedSet<String> added = new TreeSet<>();
    SortedSet<String> changed = new TreeSet<>();
    SortedSet<String> returned = new TreeSet<>();
    after.forEach(
        (sku, fields) -> {
          Map<String, String> old = before.getOrDefault(sku, Map.of());
          if (old.isEmpty()) {
            (known.contains(sku) ? returned : added).add(sku);
          } else if (!old.equals(fields)) {
            changed.add(sku);
          }
        });
    SortedSet<String> removed = new TreeSet<>(before.keySet());
    removed.removeAll(after.keySet());
    return new Difference(added, changed, removed, returned);
  }

  @Override
  public Answer answer(WebRequest request) {
    Published now = published;
    String path = request.path();
    if (fails(path)) {
      return Answer.Reply.of(500);
    }
    if (path.equals("/")) {
      return list(now, 0);
    }
    Matcher list = LIST.matcher(path);
    if (list.matches()) {
      int number = Integer.parseInt(list.group(1));
      return number < plan.lists() ? list(now, number) : Answer.Reply.of(404);
    }
    Matcher product = PRODUCT.matcher(path);
    if (product.matches()) {
      return product(now, product);
    }
    Matcher offer = OFFER.matcher(path);
    if (offer.matches()) {
      Goods goods = now.stock().onSale().get(Integer.valueOf(offer.group(1)));
      return goods != null && goods.hasOffer() ? page(now, goods) : Answer.Reply.of(404);
    }
    return plan.sitemap() == ChangingShopPlan.Sitemap.NONE
        ? Answer.Reply.of(404)
        : sitemap(now, request);
  }

  private boolean fails(String path) {
    return failing > 0
        && !path.equals("/")
        && !path.endsWith(".txt")
        && Hash.below(1_000, Hash.of(path)) < failing * 1_000;
  }

  private Answer list(Published now, int list) {
    int changedIn = now.stock().lists().get(list);
    return page(
        Hash.mix(listHash(list) + changedIn),
        date(now, changedIn, listHash(list)),
        () -> listText(now, list));
  }

  private Answer product(Published now, Matcher path) {
    int number = Integer.parseInt(path.group(1));
    int address = path.group(2) == null ? -1 : Integer.parseInt(path.group(2));
    Goods sold = now.stock().sold().get(number);
    if (sold != null) {
      boolean forEver = Hash.below(GONE_FOR_EVER_OF, hash(number)) == 0;
      return Answer.Reply.of(forEver ? 410 : 404);
    }
    Goods goods = now.stock().onSale().get(number);
    if (goods == null
        || !goods.hasPage()
        || (address >= 0 && goods.addresses().lastIndexOf(address) <= 0)) {
      return Answer.Reply.of(404);
    }
    return productPath(goods).equals(path.group())
        ? page(now, goods)
        : Answer.Reply.html(301, "", new Answer.Field("Location", productPath(goods)));
  }

  private Answer page(Published now, Goods goods) {
    long hash = hash(goods.number());
    if (plan.views()) {
      long view = views.incrementAndGet();
      return new Answer.Page(
          new FakePage(
              Hash.mix(view),
              clock.instant().truncatedTo(ChronoUnit.SECONDS),
              Validation.NONE,
              () -> productText(goods, Optional.of(view))));
    }
    return page(
        Hash.mix(hash + goods.revision()),
        date(now, goods.changedIn(), hash),
        () -> productText(goods, Optional.empty()));
  }

  private Answer page(long version, Instant lastModified, Supplier<byte[]> text) {
    return new Answer.Page(new FakePage(version, lastModified, plan.validation(), text));
  }

  private Answer sitemap(Published now, WebRequest request) {
    String origin = "http://" + host + ":" + request.port();
    if (request.path().equals("/robots.txt")) {
      return reply("text/plain", "Sitemap: " + origin + "/sitemap.xml\n");
    }
    List<Map.Entry<String, Instant>> pages = List.copyOf(pages(now).entrySet());
    int parts = Math.ceilDiv(pages.size(), URLS_PER_SITEMAP);
    if (request.path().equals("/sitemap.xml")) {
      StringBuilder text = new StringBuilder("<sitemapindex>\n");
      for (int part = 0; part < parts; part++) {
        text.append("<sitemap><loc>").append(origin).append("/sitemap-").append(part);
        text.append(".xml</loc></sitemap>\n");
      }
      return reply("application/xml", text.append("</sitemapindex>\n").toString());
    }
    Matcher matcher = SITEMAP.matcher(request.path());
    int part = matcher.matches() ? Integer.parseInt(matcher.group(1)) : parts;
    if (part >= parts) {
      return Answer.Reply.of(404);
    }
    StringBuilder text = new StringBuilder("<urlset>\n");
    Instant asked = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    pages.stream()
        .skip((long) part * URLS_PER_SITEMAP)
        .limit(URLS_PER_SITEMAP)
        .forEach(
            page ->
                text.append("<url><loc>")
                    .append(origin)
                    .append(page.getKey())
                    .append("</loc><lastmod>")
                    .append(
                        plan.sitemap() == ChangingShopPlan.Sitemap.ALWAYS_NOW
                            ? asked
                            : page.getValue())
                    .append("</lastmod></url>\n"));
    return reply("application/xml", text.append("</urlset>\n").toString());
  }

  private static Answer reply(String type, String text) {
    return new Answer.Reply(
        200,
        List.of(new Answer.Field("Content-Type", type + "; charset=utf-8")),
        () -> text.getBytes(StandardCharsets.UTF_8));
  }

  private long hash(int number) {
    return Hash.mix(Hash.mix(plan.seed()) + number);
  }

  private long listHash(int list) {
    return Hash.mix(Hash.mix(plan.seed()) - 1 - list);
  }

  private static String listPath(int list) {
    return list == 0 ? "/" : "/list/" + list;
  }

  private static String productPath(Goods goods) {
    int address = goods.address();
    boolean first = goods.addresses().size() == 1;
    return "/product/" + goods.number() + (first ? "" : "-v" + address) + ".html";
  }

  private static String offerPath(Goods goods) {
    return "/offer/" + goods.number() + ".html";
  }

  /** Returns a product as its pages show it: each revision has another price or another title. */
  private Product product(Goods goods) {
    Product first = Product.of("CHANGING-" + goods.number(), hash(goods.number()));
    int titles = goods.revision() / 2;
    String title = first.title() + (titles == 0 ? "" : " mark " + (titles + 1));
    int prices = goods.revision() - titles;
    int cents = Integer.parseInt(first.price().replace(".", "")) + prices;
    return new Product(
        first.sku(), title, String.format(Locale.ROOT, "%d.%02d", cents / 100, cents % 100));
  }

  private byte[] listText(Published now, int list) {
    String title = "Our goods, part " + (list + 1);
    PageText text = new PageText(title, WebPlan.PAGE_BYTES);
    if (list > 0) {
      text.link(listPath((list - 1) / LISTS_PER_LIST), "Up");
    }
    int first = list * LISTS_PER_LIST + 1;
    IntStream.range(first, Math.min(first + LISTS_PER_LIST, plan.lists()))
        .forEach(child -> text.link(listPath(child), "Part " + (child + 1)));
    text.append("</nav>\n<h1>").append(title).append("</h1>\n<ul class=\"products\">\n");
    for (Goods goods : now.byList().getOrDefault(list, List.of())) {
      if (goods.hasPage()) {
        text.append("<li>").link(productPath(goods), "Item " + goods.number());
      }
      if (goods.hasOffer()) {
        text.append("<li>").link(offerPath(goods), "Offer " + goods.number());
      }
    }
    return text.append("</ul>\n").fill(prose, WebPlan.PAGE_BYTES, listHash(list));
  }

  private byte[] productText(Goods goods, Optional<Long> view) {
    Product product = product(goods);
    PageText text = new PageText(product.title(), WebPlan.PAGE_BYTES);
    text.link(listPath(goods.number() % plan.lists()), "All goods").append("</nav>\n");
    text.append(product.html());
    view.ifPresent(
        times -> text.append("<p>Viewed <span class=\"views\">" + times + "</span> times</p>\n"));
    return text.fill(prose, WebPlan.PAGE_BYTES, hash(goods.number()));
  }
}
