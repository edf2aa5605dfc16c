package dev.fairfleet.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

class TableDefinitionsTest {
  private static final TablePrefix PREFIX = new TablePrefix("test-");

  @Test
  void all_tablesOfTheDescription_areNamedAsTheStoresNameThem() {
    assertThat(TableDefinitions.all())
        .extracting(table -> table.creation(PREFIX).tableName())
        .containsExactlyInAnyOrder(PREFIX.sites(), PREFIX.pages(), PREFIX.records());
  }

  @Test
  void creation_pages_hasBothKeysAndTheShelf() {
    CreateTableRequest request =
        TableDefinitions.all().stream()
            .map(table -> table.creation(PREFIX))
            .filter(table -> table.tableName().equals("test-pages"))
            .findFirst()
            .orElseThrow();
    assertThat(request.billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
    assertThat(request.keySchema())
        .extracting(KeySchemaElement::attributeName)
        .containsExactly("sitePartition", "urlHash");
    assertThat(request.globalSecondaryIndexes())
        .singleElement()
        .satisfies(
            index -> {
              assertThat(index.indexName()).isEqualTo("shelf");
              assertThat(index.projection().projectionTypeAsString()).isEqualTo("KEYS_ONLY");
            });
    assertThat(request.attributeDefinitions())
        .extracting(AttributeDefinition::attributeName)
        .containsExactlyInAnyOrder("sitePartition", "urlHash", "shelf", "shelfOrder");
  }
}
