package dev.fairfleet.seed;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import java.time.Duration;
import java.util.Map;

/** Does what Lambda does with a handler: makes it by its name, and hands it an event. */
final class LambdaProbe {
  private LambdaProbe() {}

  @SuppressWarnings("unchecked")
  public static void main(String[] arguments) throws ReflectiveOperationException {
    RequestHandler<Map<String, Object>, Map<String, Object>> handler =
        Class.forName(arguments[0]).asSubclass(RequestHandler.class).getConstructor().newInstance();
    System.out.println(
        handler.handleRequest(
            Map.of("scheduledTime", arguments[1]), new Invocation(Duration.ofMinutes(1))));
  }
}
