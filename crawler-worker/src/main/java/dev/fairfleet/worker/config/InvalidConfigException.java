package dev.fairfleet.worker.config;

import java.util.List;

/** Says everything that is wrong with a configuration; the program does not start. */
public final class InvalidConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param problems a sentence each, at least one
   */
  InvalidConfigException(List<String> problems) {
    super(
        "The configuration has "
            + (problems.size() == 1 ? "a problem" : problems.size() + " problems")
            + ":\n  - "
            + String.join("\n  - ", problems));
  }
}
