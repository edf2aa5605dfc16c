package dev.fairfleet.worker.metrics;

import java.util.List;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/**
 * Counts every request to SQS and DynamoDB that is sent, retries included, and the capacity units
 * that DynamoDB reports. Safe for use by many threads.
 */
public final class CallMeter implements ExecutionInterceptor {
  private final Meters meters;

  public CallMeter(Meters meters) {
    this.meters = meters;
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    meters.add(meter(operation(attributes), context.request().getClass().getPackageName()));
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
