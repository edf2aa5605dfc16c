package dev.fairfleet.local.web;

/**
 * The plan of a {@link ChangingShop}: how large it is, and how it changes from one version to the
 * next.
 *
 * <p>Shares are shares of the products of version 0, rounded, so that every version sees as many
 * changes as the one before. What happens to a product in one version is one thing at most.
 *
 * @param seed what pages and changes are drawn from
 * @param pages lists and products of version 0, at least 2
 * @param changed share of products that get another price or title
 * @param removed share that are gone; a quarter of them answer 410, the others 404
 * @param added share that are new
 * @param moved share whose page moves to another URL; the old ones redirect to it
 * @param returning share of what was removed in one version that is back in the next; every second
 *     of it with another price
 * @param offers share of products of version 0 that a second page shows as well; in each version a
 *     fifth of those that are left lose one of their two pages
 * @param views whether products say how often they were viewed, which is another number each time
 * @param validation what is said so that pages can be asked for again
 * @param sitemap whether there is a sitemap, and what it says
 */
public record ChangingShopPlan(
    long seed,
    int pages,
    double changed,
    double removed,
    double added,
    double moved,
    double returning,
    double offers,
    boolean views,
    Validation validation,
    Sitemap sitemap) {
  /** What the sitemap says of when pages changed. */
  public enum Sitemap {
    /** There is none. */
    NONE,
    /** When they did. */
    TRUE_DATES,
    /** That they all changed just now. */
    ALWAYS_NOW
  }

  /**
   * @throws IllegalArgumentException if there is no room for a list and a product, or shares are
   *     negative or more than all
   */
  public ChangingShopPlan {
    double all = changed + removed + moved;
    double least =
        Math.min(
            Math.min(Math.min(changed, removed), Math.min(added, moved)),
            Math.min(returning, offers));
    if (pages < 2 || least < 0 || all > 1 || returning > 1 || offers > 1) {
      throw new IllegalArgumentException(
          "A shop has at least a list and a product, of which at most all change, move or go: "
              + this);
    }
  }

  /** Returns the plan of a shop that never changes. */
  public static ChangingShopPlan unchanging(long seed, int pages) {
    return new ChangingShopPlan(
        seed, pages, 0, 0, 0, 0, 0, 0, false, Validation.BOTH, Sitemap.NONE);
  }

  /**
   * Returns that of a shop where 10 % of the products change from one version to the next, 2 % are
   * removed and 2 % are new, and half of what is removed comes back.
   */
  public static ChangingShopPlan usual(long seed, int pages) {
    return unchanging(seed, pages).withChanges(0.10, 0.02, 0.02).withReturning(0.5);
  }

  /** Returns this plan with other shares of products that are changed, removed and new. */
  public ChangingShopPlan withChanges(double changed, double removed, double added) {
    return new ChangingShopPlan(
        seed, pages, changed, removed, added, moved, returning, offers, views, validation, sitemap);
  }

  /** Returns this plan with another share of products that move. */
  public ChangingShopPlan withMoved(double moved) {
    return new ChangingShopPlan(
        seed, pages, changed, removed, added, moved, returning, offers, views, validation, sitemap);
  }

  /** Returns this plan with another share of removed products that come back. */
  public ChangingShopPlan withReturning(double returning) {
    return new ChangingShopPlan(
        seed, pages, changed, removed, added, moved, returning, offers, views, validation, sitemap);
  }

  /** Returns this plan with another share of products that two pages show. */
  public ChangingShopPlan withOffers(double offers) {
    return new ChangingShopPlan(
        seed, pages, changed, removed, added, moved, returning, offers, views, validation, sitemap);
  }

  /** Returns this plan with products that say how often they were viewed. */
  public ChangingShopPlan withViews() {
    return new ChangingShopPlan(
        seed, pages, changed, removed, added, moved, returning, offers, true, validation, sitemap);
  }

  /** Returns this plan with another way to ask for pages again. */
  public ChangingShopPlan withValidation(Validation validation) {
    return new ChangingShopPlan(
        seed, pages, changed, removed, added, moved, returning, offers, views, validation, sitemap);
  }

  /** Returns this plan with another sitemap. */
  public ChangingShopPlan withSitemap(Sitemap sitemap) {
    return new ChangingShopPlan(
        seed, pages, changed, removed, added, moved, returning, offers, views, validation, sitemap);
  }

  /** Returns the number of list pages, one for about twenty products, in every version. */
  int lists() {
    return Math.ceilDiv(pages, ChangingShop.PER_LIST + 1);
  }

  /** Returns the number of products of version 0. */
  int products() {
    return pages - lists();
  }

  /** Returns a share of the products of version 0. */
  int share(double share) {
    return (int) Math.round(share * products());
  }
}
