package dev.fairfleet.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fairfleet.dynamodb.TableDefinition.Attribute;
import dev.fairfleet.dynamodb.TableDefinition.Index;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tables of a fleet, as {@code dev/fairfleet/tables.json} describes them: the one description
 * for local fleets and the AWS stack.
 */
final class TableDefinitions {
  private static final String RESOURCE = "/dev/fairfleet/tables.json";

  private TableDefinitions() {}

  /** Returns every table. */
  static List<TableDefinition> all() {
    List<TableDefinition> all = new ArrayList<>();
    for (JsonNode table : read().required("tables")) {
      List<Index> indexes = new ArrayList<>();
      for (JsonNode index : table.path("indexes")) {
        indexes.add(new Index(text(index, "name"), key(index), text(index, "projection")));
      }
      all.add(new TableDefinition(text(table, "name"), key(table), indexes));
    }
    return all;
  }

  private static JsonNode read() {
    try (InputStream json = TableDefinitions.class.getResourceAsStream(RESOURCE)) {
      return new JsonMapper().readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + RESOURCE + " from the class path", e);
    }
  }

  private static TableDefinition.Key key(JsonNode node) {
    return new TableDefinition.Key(
        attribute(node.required("hash")),
        Optional.ofNullable(node.get("sort")).map(TableDefinitions::attribute));
  }

  private static Attribute attribute(JsonNode node) {
    return new Attribute(text(node, "name"), text(node, "type"));
  }

  private static String text(JsonNode node, String field) {
    return node.required(field).asText();
  }
}
