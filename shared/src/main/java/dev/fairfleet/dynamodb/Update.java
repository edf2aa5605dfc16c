package dev.fairfleet.dynamodb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * One UpdateItem request in the making; attributes it does not name survive it. It sets the version
 * of the item, and does not touch one of a newer version, see {@link ItemVersion}.
 *
 * <p>Every attribute is written as {@code #name} and every value as {@code :name}, because several
 * of our names are reserved words of DynamoDB. Not thread-safe.
 */
final class Update {
  private static final Pattern NAME = Pattern.compile("#(\\w+)");

  private final String table;
  private final Map<String, AttributeValue> key;
  private final StringJoiner sets = clause("SET ");
  private final StringJoiner removes = clause("REMOVE ");
  private final StringJoiner adds = clause("ADD ");
  private final StringJoiner deletes = clause("DELETE ");
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private String condition = "";
  private @Nullable Map<String, AttributeValue> obstacle;

  Update(String table, Map<String, AttributeValue> key) {
    this.table = table;
    this.key = key;
    set(ItemVersion.ATTRIBUTE, Attributes.value(ItemVersion.CURRENT));
  }

  private static StringJoiner clause(String word) {
    return new StringJoiner(", ", word, " ").setEmptyValue("");
  }

  Update set(String name, AttributeValue value) {
    sets.add(placeholder(name) + " = :" + name);
    return value(name, value);
  }

  Update setIfAbsent(String name, AttributeValue value) {
    sets.add(placeholder(name) + " = if_not_exists(#" + name + ", :" + name + ")");
    return value(name, value);
  }

  /** Sets what another attribute was before this update, or {@code absent} if there was none. */
  Update setFrom(String name, String other, AttributeValue absent) {
    String from = placeholder(other);
    sets.add(placeholder(name) + " = if_not_exists(" + from + ", :" + name + ")");
    return value(name, absent);
  }

  /** Sets a number to the one after that which it has; to 0 if there is none. */
  Update setNext(String name) {
    sets.add(placeholder(name) + " = if_not_exists(#" + name + ", :beforeFirst) + :one");
    value("beforeFirst", Attributes.value(-1));
    return value("one", Attributes.value(1));
  }

  /** Sets a set of texts, or removes the attribute if there are none. */
  Update setOrRemove(String name, Set<String> texts) {
    return texts.isEmpty() ? remove(name) : set(name, AttributeValue.fromSs(List.copyOf(texts)));
  }

  /** Sets a text, or removes the attribute if there is none. */
  Update setOrRemove(String name, String text) {
    return text.isEmpty() ? remove(name) : set(name, Attributes.value(text));
  }

  Update remove(String name) {
    removes.add(placeholder(name));
    return this;
  }

  Update increment(String name) {
    adds.add(placeholder(name) + " :one");
    return value("one", Attributes.value(1));
  }

  /** Takes texts from a set of texts, whose attribute ends with the last of them. */
  Update delete(String name, Set<String> texts) {
    deletes.add(placeholder(name) + " :" + name);
    return value(name, AttributeValue.fromSs(List.copyOf(texts)));
  }

  /** Binds a value that the condition names as {@code :name}. */
  Update value(String name, AttributeValue value) {
    values.put(":" + name, value);
    return this;
  }

  /** Sets the condition; its attributes are written as {@code #name}. */
  Update when(String condition) {
    Matcher name = NAME.matcher(condition);
    while (name.find()) {
      placeholder(name.group(1));
    }
    this.condition = "(" + condition + ") AND ";
    return this;
  }

  private String placeholder(String name) {
    String placeholder = "#" + name;
    names.put(placeholder, name);
    return placeholder;
  }

  /**
   * Sends the request.
   *
   * @return what {@code returned} asks for; empty for {@code NONE}
   * @throws ConditionalCheckFailedException if the condition does not hold; nothing was written by
   *     the attempt that says so, but an earlier one whose reply was lost may have been successful
   * @throws NewerVersionException if a newer version of this program wrote the item; nothing was
   *     written
   */
  Map<String, AttributeValue> send(DynamoDbClient client, ReturnValue returned) {
    obstacle = null;
    try {
      return client
          .updateItem(
              r ->
                  r.tableName(table)
                      .key(key)
                      .updateExpression(sets.toString() + removes + adds + deletes)
                      .conditionExpression(condition + ItemVersion.CONDITION)
                      .returnValuesOnConditionCheckFailure(
                          ReturnValuesOnConditionCheckFailure.ALL_OLD)
                      .expressionAttributeNames(names)
                      .expressionAttributeValues(values)
                      .returnValues(returned)
                      .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
          .attributes();
    } catch (ConditionalCheckFailedException e) {
      ItemVersion.check(table, obstacle(client, e));
      throw e;
    }
  }

  /**
   * Returns the item that made the condition fail; empty if there is none. Servers that do not send
   * it with the failure (dynalite) are asked for it.
   */
  Map<String, AttributeValue> obstacle(
      DynamoDbClient client, ConditionalCheckFailedException failure) {
    if (failure.hasItem() && !failure.item().isEmpty()) {
      return failure.item();
    }
    Map<String, AttributeValue> item = obstacle;
    if (item == null) {
      item =
          client
              .getItem(
                  r ->
                      r.tableName(table)
                          .key(key)
                          .consistentRead(true)
                          .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
              .item();
      obstacle = item;
    }
    return item;
  }
}
