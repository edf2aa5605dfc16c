package dev.fairfleet.worker;

import dev.fairfleet.worker.config.InvalidConfigException;
import dev.fairfleet.worker.config.WorkerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program that a worker process runs: works until SIGTERM, then finishes or gives back what it
 * has in hand.
 *
 * <p>Standard output holds lines of metrics, standard error the log. Exit code 2 for a bad
 * configuration, 1 if a service could not be reached at the start.
 */
public final class WorkerMain {
  private static final Logger log = LoggerFactory.getLogger(WorkerMain.class);

  private WorkerMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    WorkerConfig config;
    try {
      config = WorkerConfig.load(System.getenv());
    } catch (InvalidConfigException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    Worker worker;
    try {
      worker = Worker.connect(config);
    } catch (RuntimeException e) {
      log.error(
          "The worker cannot start: {}. Check that queues and tables exist and can be reached with {}.",
          e.toString(),
          config,
          e);
      System.exit(1);
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(worker::stop, "stop"));
    worker.run();
  }
}
