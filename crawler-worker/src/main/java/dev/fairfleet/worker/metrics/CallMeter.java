package dev.fairfleet.worker.metrics;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Counts every request to SQS and DynamoDB that is sent, retries included, the capacity units that
 * DynamoDB reports, and writes by table: an item each, whether its condition holds or not, because
 * both cost the same. Safe for use by many threads.
 */
public final class CallMeter implements ExecutionInterceptor {
  /** The meter of each table, by what its name ends with; a prefix is the fleet's. */
  private static final Map<String, Meter> WRITES =
      Map.of(
          "pages", Meter.PAGES_WRITES,
          "records", Meter.RECORDS_WRITES,
          "sites", Meter.SITES_WRITES);

  private final Meters meters;

  public CallMeter(Meters meters) {
    this.meters = meters;
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    meters.add(meter(operation(attributes), context.request().getClass().getPackageName()));
    switch (context.request()) {
      case PutItemRequest put -> written(put.tableName(), 1);
      case UpdateItemRequest update -> written(update.tableName(), 1);
      case DeleteItemRequest delete -> written(delete.tableName(), 1);
      case BatchWriteItemRequest batch ->
          batch.requestItems().forEach((table, items) -> written(table, items.size()));
      default -> {}
    }
  }

  private void written(String table, int items) {
    WRITES.forEach(
        (name, meter) -> {
          if (table.endsWith(name)) {
            meters.add(meter, items);
          }
        });
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    double units = units(context.response());
    if (units > 0) {
      boolean read =
          switch (operation(attributes)) {
            case "GetItem", "BatchGetItem", "Query", "Scan" -> true;
            default -> false;
          };
      meters.add(read ? Meter.DYNAMODB_READ_UNITS : Meter.DYNAMODB_WRITE_UNITS, units);
    }
  }

  private static String operation(ExecutionAttributes attributes) {
    return String.valueOf(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME));
  }

  private static Meter meter(String operation, String requestPackage) {
    if (requestPackage.contains(".dynamodb.")) {
      return Meter.DYNAMODB_REQUESTS;
    }
    return switch (operation) {
      case "ReceiveMessage" -> Meter.SQS_RECEIVE;
      case "SendMessage", "SendMessageBatch" -> Meter.SQS_SEND;
      case "DeleteMessage", "DeleteMessageBatch" -> Meter.SQS_DELETE;
      case "ChangeMessageVisibility", "ChangeMessageVisibilityBatch" -> Meter.SQS_VISIBILITY;
      default -> Meter.SQS_OTHER;
    };
  }

  private static double units(SdkResponse response) {
    return response
        .getValueForField("ConsumedCapacity", Object.class)
        .map(
            consumed ->
                switch (consumed) {
                  case ConsumedCapacity one -> orZero(one);
                  case List<?> many ->
                      many.stream()
                          .filter(ConsumedCapacity.class::isInstance)
                          .mapToDouble(each -> orZero((ConsumedCapacity) each))
                          .sum();
                  default -> 0.0;
                })
        .orElse(0.0);
  }

  private static double orZero(ConsumedCapacity consumed) {
    Double units = consumed.capacityUnits();
    return units == null ? 0 : units;
  }
}
