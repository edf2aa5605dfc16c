package dev.fairfleet.local;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Lambda would tell a handler, when a handler runs here: it always has fifteen minutes left.
 */
final class LocalContext implements Context {
  private static final Logger log = LoggerFactory.getLogger(LocalContext.class);
  private static final int MOST_MILLIS = 15 * 60 * 1_000;
  private static final int MEMORY_MIB = 512;

  @Override
  public String getAwsRequestId() {
    return "local";
  }

  @Override
  public String getLogGroupName() {
    return "local";
  }

  @Override
  public String getLogStreamName() {
    return "local";
  }

  @Override
  public String getFunctionName() {
    return "seed-lambda";
  }

  @Override
  public String getFunctionVersion() {
    return "local";
  }

  @Override
  public String getInvokedFunctionArn() {
    return "arn:aws:lambda:local:000000000000:function:seed-lambda";
  }

  @Override
  public @Nullable CognitoIdentity getIdentity() {
    return null;
  }

  @Override
  public @Nullable ClientContext getClientContext() {
    return null;
  }

  @Override
  public int getRemainingTimeInMillis() {
    return MOST_MILLIS;
  }

  @Override
  public int getMemoryLimitInMB() {
    return MEMORY_MIB;
  }

  @Override
  public LambdaLogger getLogger() {
    return new LambdaLogger() {
      @Override
      public void log(String message) {
        log.info("{}", message);
      }

      @Override
      public void log(byte[] message) {
        log.info("{}", new String(message, StandardCharsets.UTF_8));
      }
    };
  }
}
