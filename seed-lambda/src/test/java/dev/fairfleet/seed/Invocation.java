package dev.fairfleet.seed;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import java.time.Duration;

/** What Lambda tells a handler of an invocation, as far as ours asks. */
record Invocation(Duration remaining) implements Context {
  @Override
  public int getRemainingTimeInMillis() {
    return Math.toIntExact(remaining.toMillis());
  }

  @Override
  public String getAwsRequestId() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getLogGroupName() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getLogStreamName() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getFunctionName() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getFunctionVersion() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getInvokedFunctionArn() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CognitoIdentity getIdentity() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ClientContext getClientContext() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getMemoryLimitInMB() {
    throw new UnsupportedOperationException();
  }

  @Override
  public LambdaLogger getLogger() {
    throw new UnsupportedOperationException();
  }
}
