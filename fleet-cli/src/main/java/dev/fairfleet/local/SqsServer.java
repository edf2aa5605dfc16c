package dev.fairfleet.local;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.BindException;
import java.net.URI;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.ActorSystem;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;

/**
 * An SQS server inside this JVM: ElasticMQ, with the strict limits of Amazon SQS.
 *
 * <p>Queues and messages are in memory and end with it; the frontier repairs a queue that was lost.
 * Queue URLs name 127.0.0.1 and the true port. It has no shutdown hook of its own, so that workers
 * can settle their tasks while the JVM ends. Any thread may use it.
 */
public final class SqsServer implements AutoCloseable {
  private static final Config CONFIG =
      ConfigFactory.parseString(
              """
              pekko {
                loglevel = WARNING
                loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
                logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
                log-dead-letters = off
                log-dead-letters-during-shutdown = off
                coordinated-shutdown.run-by-jvm-shutdown-hook = off
                # A long poll may take 20 s (ElasticMQ's own setting).
                http.server.request-timeout = 21 s
                # The SDK's pool keeps connections for 60 s; the server must not be the first to close one.
                http.server.idle-timeout = 120 s
                # ElasticMQ warns of every SQS Authorization header without this.
                http.server.parsing.illegal-header-warnings = off
              }
              """)
          .withFallback(ConfigFactory.load(SqsServer.class.getClassLoader()));

  private final ActorSystem actors;
  private final SQSRestServer server;
  private final int port;

  private SqsServer(ActorSystem actors, SQSRestServer server) {
    this.actors = actors;
    this.server = server;
    this.port = server.waitUntilStarted().localAddress().getPort();
  }

  /** Starts a server on a free port. */
  public static SqsServer start() {
    return start(0);
  }

  /**
   * Starts a server.
   *
   * @param port the port of 127.0.0.1; 0 for a free one
   * @throws LocalFleetException if the port is taken
   */
  public static SqsServer start(int port) {
    ActorSystem actors = ActorSystem.create("sqs-server", CONFIG, SqsServer.class.getClassLoader());
    try {
      SQSRestServer server =
          SQSRestServerBuilder.withActorSystem(actors)
              .withInterface(Loopback.HOST)
              .withPort(port)
              .withSQSLimits(StrictSQSLimits$.MODULE$)
              .start();
      return new SqsServer(actors, server);
    } catch (Throwable e) { // Scala throws checked exceptions undeclared.
      end(actors);
      if (hasCause(e, BindException.class)) {
        throw Loopback.taken("the SQS server", port, e);
      }
      throw new LocalFleetException("The SQS server cannot start (%s).".formatted(e), e);
    }
  }

  private static boolean hasCause(Throwable error, Class<? extends Throwable> type) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (type.isInstance(e)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the address for an SQS client's endpoint override. */
  public URI endpoint() {
    return URI.create("http://" + Loopback.HOST + ":" + port);
  }

  /** Returns the port it listens on. */
  public int port() {
    return port;
  }

  /** Stops it and forgets all queues. */
  @Override
  public void close() {
    server.stopAndWait();
    end(actors);
  }

  private static void end(ActorSystem actors) {
    try {
      Await.ready(actors.terminate(), Duration.create(10, "s"));
    } catch (TimeoutException e) {
      throw new LocalFleetException("The SQS server has not stopped within 10 s.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
