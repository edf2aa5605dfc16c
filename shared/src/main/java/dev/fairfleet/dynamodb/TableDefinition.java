package dev.fairfleet.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;

/**
 * A table: its name without prefix, its key and its indexes. Everything else about an item is the
 * business of whoever writes it.
 */
record TableDefinition(String name, Key key, List<Index> indexes) {
  /** A partition key and, if items share partitions, a sort key. */
  record Key(Attribute hash, Optional<Attribute> sort) {
    Stream<Attribute> attributes() {
      return Stream.concat(Stream.of(hash), sort.stream());
    }

    private List<KeySchemaElement> schema() {
      List<KeySchemaElement> schema = new ArrayList<>();
      schema.add(element(hash, KeyType.HASH));
      sort.ifPresent(attribute -> schema.add(element(attribute, KeyType.RANGE)));
      return schema;
    }

    private static KeySchemaElement element(Attribute attribute, KeyType type) {
      return KeySchemaElement.builder().attributeName(attribute.name()).keyType(type).build();
    }
  }

  /**
   * An attribute that is part of a key.
   *
   * @param type {@code S} or {@code N}
   */
  record Attribute(String name, String type) {
    private AttributeDefinition definition() {
      return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
    }
  }

  /**
   * A global secondary index.
   *
   * @param projection {@code KEYS_ONLY} or {@code ALL}
   */
  record Index(String name, Key key, String projection) {
    private GlobalSecondaryIndex definition() {
      return GlobalSecondaryIndex.builder()
          .indexName(name)
          .keySchema(key.schema())
          .projection(p -> p.projectionType(projection))
          .build();
    }
  }

  TableDefinition {
    indexes = List.copyOf(indexes);
  }

  /** Returns the request that creates the table, billed by request. */
  CreateTableRequest creation(TablePrefix prefix) {
    CreateTableRequest.Builder request =
        CreateTableRequest.builder()
            .tableName(prefix.table(name))
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .keySchema(key.schema())
            .attributeDefinitions(
                Stream.concat(key.attributes(), indexes.stream().flatMap(i -> i.key().attributes()))
                    .map(Attribute::definition)
                    .toList());
    if (!indexes.isEmpty()) {
      request.globalSecondaryIndexes(indexes.stream().map(Index::definition).toList());
    }
    return request.build();
  }
}
