package dev.fairfleet.local.web;

import java.util.Map;

/**
 * What a fake page sells: the record that extraction should find on it.
 *
 * @param sku its natural key, unique in the fake web
 * @param title its name
 * @param price with two decimals, such as {@code 12.50}
 */
record Product(String sku, String title, String price) {
  /** Returns the product that belongs to a hash. */
  static Product of(String sku, long hash) {
    String title =
        Prose.capital(Prose.word(hash)) + " " + Prose.capital(Prose.word(hash >>> 8)) + " " + sku;
    int cents = 99 + Hash.below(50_000, hash);
    int rest = cents % 100;
    return new Product(sku, title, cents / 100 + (rest < 10 ? ".0" : ".") + rest);
  }

  Map<String, String> fields() {
    return Map.of("sku", sku, "title", title, "price", price);
  }

  String html() {
    return "<article class=\"product\">\n<h1 class=\"title\">"
        + title
        + "</h1>\n<p>Item <span class=\"sku\">"
        + sku
        + "</span>, <span class=\"price\">"
        + price
        + "</span> each</p>\n</article>\n";
  }
}
