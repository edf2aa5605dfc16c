package dev.fairfleet.infra;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.dynamodb.Attribute;
import software.amazon.awscdk.services.dynamodb.AttributeType;
import software.amazon.awscdk.services.dynamodb.BillingMode;
import software.amazon.awscdk.services.dynamodb.GlobalSecondaryIndexProps;
import software.amazon.awscdk.services.dynamodb.PointInTimeRecoverySpecification;
import software.amazon.awscdk.services.dynamodb.ProjectionType;
import software.amazon.awscdk.services.dynamodb.Table;
import software.constructs.Construct;

/**
 * The DynamoDB tables, as {@code tables.json} describes them: the file from which a local fleet
 * creates its tables too. They outlive the stack, because they hold what was crawled.
 */
public final class FrontierTables extends Construct {
  private final Map<String, Table> tables = new LinkedHashMap<>();

  FrontierTables(Construct scope, String id, String prefix) {
    super(scope, id);
    for (JsonNode table : Description.read("tables.json").required("tables")) {
      String name = table.required("name").textValue();
      tables.put(name, create(name, prefix, table));
    }
  }

  /**
   * Returns a table by the name it has in the description, without prefix.
   *
   * @throws IllegalArgumentException if there is no such table
   */
  public Table table(String name) {
    @Nullable Table table = tables.get(name);
    if (table == null) {
      throw new IllegalArgumentException(
          "tables.json describes " + tables.keySet() + ", not \"" + name + "\"");
    }
    return table;
  }

  private Table create(String name, String prefix, JsonNode description) {
    Table.Builder builder =
        Table.Builder.create(this, name)
            .tableName(prefix + "-" + name)
            .partitionKey(attribute(description.required("hash")))
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .pointInTimeRecoverySpecification(
                PointInTimeRecoverySpecification.builder().pointInTimeRecoveryEnabled(true).build())
            .deletionProtection(true)
            .removalPolicy(RemovalPolicy.RETAIN);
    if (description.has("sort")) {
      builder.sortKey(attribute(description.required("sort")));
    }
    Table table = builder.build();
    for (JsonNode index : description.path("indexes")) {
      table.addGlobalSecondaryIndex(index(index));
    }
    return table;
  }

  private static GlobalSecondaryIndexProps index(JsonNode description) {
    GlobalSecondaryIndexProps.Builder index =
        GlobalSecondaryIndexProps.builder()
            .indexName(description.required("name").textValue())
            .partitionKey(attribute(description.required("hash")))
            .projectionType(ProjectionType.valueOf(description.required("projection").textValue()));
    if (description.has("sort")) {
      index.sortKey(attribute(description.required("sort")));
    }
    return index.build();
  }

  private static Attribute attribute(JsonNode key) {
    return Attribute.builder()
        .name(key.required("name").textValue())
        .type(
            switch (key.required("type").textValue()) {
              case "S" -> AttributeType.STRING;
              case "N" -> AttributeType.NUMBER;
              case "B" -> AttributeType.BINARY;
              default ->
                  throw new IllegalArgumentException(
                      "A key in tables.json has a name and type S, N or B, not " + key);
            })
        .build();
  }
}
