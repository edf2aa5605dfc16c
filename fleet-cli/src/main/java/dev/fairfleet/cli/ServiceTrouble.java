package dev.fairfleet.cli;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Says in a paragraph what SQS or DynamoDB, or the way to them, did not do, and what helps. */
final class ServiceTrouble {
  private ServiceTrouble() {}

  /** Returns the paragraph. */
  static String explain(SdkException trouble) {
    return what(trouble) + " " + remedy(trouble) + " The same command may be given again.";
  }

  private static String what(SdkException trouble) {
    @Nullable AwsErrorDetails details =
        trouble instanceof AwsServiceException answer ? answer.awsErrorDetails() : null;
    return details == null
        ? "The fleet cannot be reached: " + withoutStop(trouble.getMessage()) + "."
        : "%s refused: %s (%s, status %d)."
            .formatted(
                details.serviceName(),
                withoutStop(details.errorMessage()),
                details.errorCode(),
                ((AwsServiceException) trouble).statusCode());
  }

  private static String withoutStop(@Nullable String message) {
    String text = String.valueOf(message).strip();
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
  }

  private static String remedy(SdkException trouble) {
    String message = String.valueOf(trouble.getMessage());
    if (trouble instanceof ResourceNotFoundException) {
      return "Correct --prefix or --region if the fleet has another; if there is none yet, deploy it.";
    }
    if (trouble instanceof AwsServiceException answer) {
      return answer.statusCode() == 400 || answer.statusCode() == 403
          ? "Check --profile, and what its credentials are allowed to do."
          : "Wait a little.";
    }
    if (trouble instanceof ApiCallTimeoutException
        || trouble instanceof ApiCallAttemptTimeoutException) {
      return "Check the network and --endpoint-url.";
    }
    if (message.contains("region")) {
      return "Add --region, or set AWS_REGION.";
    }
    if (message.contains("credentials") || message.contains("rofile")) {
      return "Add --profile, or log in as you do for the AWS CLI.";
    }
    return "Check the network, --region and --endpoint-url.";
  }
}
