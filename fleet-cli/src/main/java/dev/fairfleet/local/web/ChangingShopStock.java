package dev.fairfleet.local.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a {@link ChangingShop} has in one version, computed from what it had in the one before.
 * Immutable.
 *
 * @param onSale products by number
 * @param sold products that were there in an earlier version, as they were then
 * @param lists the version in which each list changed last
 */
record ChangingShopStock(
    int version,
    SortedMap<Integer, Goods> onSale,
    SortedMap<Integer, Goods> sold,
    List<Integer> lists) {
  ChangingShopStock {
    onSale = Collections.unmodifiableSortedMap(onSale);
    sold = Collections.unmodifiableSortedMap(sold);
    lists = List.copyOf(lists);
  }

  /**
   * A product.
   *
   * @param revision how often its price or title changed
   * @param changedIn the version in which they did last
   * @param addresses the versions in which its page got its URLs, the one in use last
   * @param hasPage whether its own page is there
   * @param hasOffer whether a second page shows it
   * @param soldIn the version in which it was removed; of no meaning for what is on sale
   */
  record Goods(
      int number,
      int revision,
      int changedIn,
      List<Integer> addresses,
      boolean hasPage,
      boolean hasOffer,
      int soldIn) {
    Goods {
      addresses = List.copyOf(addresses);
    }

    static Goods first(int number, int version, boolean hasOffer) {
      return new Goods(number, 0, version, List.of(version), true, hasOffer, 0);
    }

    Goods changed(int version) {
      return new Goods(number, revision + 1, version, addresses, hasPage, hasOffer, soldIn);
    }

    Goods moved(int version) {
      List<Integer> more = new ArrayList<>(addresses);
      more.add(version);
      return new Goods(number, revision, changedIn, more, hasPage, hasOffer, soldIn);
    }

    Goods sold(int version) {
      return new Goods(number, revision, changedIn, addresses, hasPage, hasOffer, version);
    }

    /** Returns it with one page instead of two. */
    Goods withOnePage() {
      boolean own = number % 2 == 0;
      return new Goods(number, revision, changedIn, addresses, own, !own, soldIn);
    }

    int address() {
      return addresses.getLast();
    }
  }

  private static final int OFFERS_LOST_OF = 5;

  /** Returns that of version 0. */
  static ChangingShopStock first(ChangingShopPlan plan) {
    SortedMap<Integer, Goods> onSale = new TreeMap<>();
    int offers = plan.share(plan.offers());
    for (int n = 0; n < plan.products(); n++) {
      onSale.put(n, Goods.first(n, 0, n < offers));
    }
    return new ChangingShopStock(
        0, onSale, Collections.emptySortedMap(), Collections.nCopies(plan.lists(), 0));
  }

  /** Returns that of the next version. */
  ChangingShopStock next(ChangingShopPlan plan) {
    Step step = new Step(plan);
    List<Integer> order = new ArrayList<>(onSale.keySet());
    Collections.shuffle(order, step.random);
    step.take(order, plan.share(plan.changed())).forEach(n -> step.change(n));
    step.take(order, plan.share(plan.removed())).forEach(n -> step.remove(n));
    step.take(order, plan.share(plan.moved())).forEach(n -> step.move(n));
    List<Integer> shownTwice = order.stream().filter(step::isShownTwice).toList();
    shownTwice.stream()
        .limit(Math.ceilDiv(shownTwice.size(), OFFERS_LOST_OF))
        .forEach(n -> step.showOnce(n));
    step.bringBack();
    step.add();
    return new ChangingShopStock(step.version, step.onSale, step.sold, step.lists);
  }

  /** The way to the next version. */
  private final class Step {
    private final ChangingShopPlan plan;
    private final int version = ChangingShopStock.this.version + 1;
    private final Random random;
    private final SortedMap<Integer, Goods> onSale = new TreeMap<>(ChangingShopStock.this.onSale);
    private final SortedMap<Integer, Goods> sold = new TreeMap<>(ChangingShopStock.this.sold);
    private final List<Integer> lists = new ArrayList<>(ChangingShopStock.this.lists);

    Step(ChangingShopPlan plan) {
      this.plan = plan;
      this.random = new Random(Hash.mix(plan.seed() ^ Hash.mix(version)));
    }

    /** Takes the first of what is left. */
    List<Integer> take(List<Integer> left, int most) {
      List<Integer> first = left.subList(0, Math.min(most, left.size()));
      List<Integer> taken = List.copyOf(first);
      first.clear();
      return taken;
    }

    private Goods of(int n) {
      return Objects.requireNonNull(onSale.get(n));
    }

    private void put(Goods goods) {
      onSale.put(goods.number(), goods);
    }

    private void changeList(int n) {
      lists.set(n % lists.size(), version);
    }

    void change(int n) {
      put(of(n).changed(version));
    }

    void remove(int n) {
      sold.put(n, of(n).sold(version));
      onSale.remove(n);
      changeList(n);
    }

    void move(int n) {
      put(of(n).moved(version));
      changeList(n);
    }

    boolean isShownTwice(int n) {
      return of(n).hasPage() && of(n).hasOffer();
    }

    void showOnce(int n) {
      put(of(n).withOnePage());
      changeList(n);
    }

    void bringBack() {
      List<Goods> just =
          new ArrayList<>(sold.values().stream().filter(it -> it.soldIn() == version - 1).toList());
      Collections.shuffle(just, random);
      long most = Math.round(plan.returning() * just.size());
      for (int i = 0; i < most; i++) {
        Goods goods = just.get(i);
        sold.remove(goods.number());
        put(i % 2 == 0 ? goods : goods.changed(version));
        changeList(goods.number());
      }
    }

    void add() {
      int added = plan.share(plan.added());
      int first = plan.products() + (version - 1) * added;
      for (int n = first; n < first + added; n++) {
        put(Goods.first(n, version, false));
        changeList(n);
      }
    }
  }

  /** Returns products by the list on which they are. */
  Map<Integer, List<Goods>> byList() {
    Map<Integer, List<Goods>> byList = new HashMap<>();
    for (Goods goods : onSale.values()) {
      byList.computeIfAbsent(goods.number() % lists.size(), list -> new ArrayList<>()).add(goods);
    }
    return byList;
  }
}
