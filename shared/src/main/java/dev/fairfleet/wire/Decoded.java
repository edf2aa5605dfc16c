package dev.fairfleet.wire;

import dev.fairfleet.frontier.Task;

/** What a message body turned out to be. */
public sealed interface Decoded {
  /** A task. */
  record Valid(Task task) implements Decoded {}

  /**
   * No task.
   *
   * @param reason what is wrong, on one line, without the body
   */
  record Unreadable(String reason) implements Decoded {}
}
