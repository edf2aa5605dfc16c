package dev.fairfleet.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * One UpdateItem request in the making; attributes it does not name survive it.
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
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private final UpdateItemRequest.Builder request = UpdateItemRequest.builder();

  Update(String table, Map<String, AttributeValue> key) {
    this.table = table;
    this.key = key;
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
    request
        .conditionExpression(condition)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
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
   */
  Map<String, AttributeValue> send(DynamoDbClient client, ReturnValue returned) {
    return client
        .updateItem(
            request
                .tableName(table)
                .key(key)
                .updateExpression(sets.toString() + removes + adds)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(returned)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build())
        .attributes();
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
    return client
        .getItem(
            r ->
                r.tableName(table)
                    .key(key)
                    .consistentRead(true)
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
        .item();
  }
}
