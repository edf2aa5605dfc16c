package dev.fairfleet.dynamodb;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts attribute values. Times are milliseconds since 1970-01-01T00:00Z. */
final class Attributes {
  private Attributes() {}

  static AttributeValue value(String text) {
    return AttributeValue.fromS(text);
  }

  static AttributeValue value(long number) {
    return AttributeValue.fromN(Long.toString(number));
  }

  static AttributeValue value(Instant time) {
    return value(time.toEpochMilli());
  }

  static AttributeValue value(Collection<String> texts) {
    return AttributeValue.fromL(texts.stream().map(Attributes::value).toList());
  }

  static AttributeValue value(Map<String, String> texts) {
    Map<String, AttributeValue> values = new TreeMap<>();
    texts.forEach((name, text) -> values.put(name, value(text)));
    return AttributeValue.fromM(values);
  }

  /** Returns a text attribute; the empty text if the item has none of that name. */
  static String text(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null || value.s() == null ? "" : value.s();
  }

  /** Returns a number attribute; 0 if the item has none of that name. */
  static long number(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null || value.n() == null ? 0 : Long.parseLong(value.n());
  }

  static int integer(Map<String, AttributeValue> item, String name) {
    return Math.toIntExact(number(item, name));
  }

  static Instant time(Map<String, AttributeValue> item, String name) {
    return Instant.ofEpochMilli(number(item, name));
  }

  /** Returns a list of texts; the empty list if the item has none of that name. */
  static List<String> texts(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? List.of() : value.l().stream().map(AttributeValue::s).toList();
  }

  /** Returns a set of texts; the empty set if the item has none of that name. */
  static Set<String> textSet(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? Set.of() : Set.copyOf(value.ss());
  }

  /** Returns a map; the empty map if the item has none of that name. */
  static Map<String, AttributeValue> map(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? Map.of() : value.m();
  }

  static Map<String, String> textMap(Map<String, AttributeValue> item, String name) {
    Map<String, String> texts = new TreeMap<>();
    map(item, name).forEach((key, value) -> texts.put(key, value.s()));
    return texts;
  }
}
