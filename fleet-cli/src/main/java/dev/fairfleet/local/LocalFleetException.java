package dev.fairfleet.local;

import org.jspecify.annotations.Nullable;

/**
 * Says why a part of the local fleet cannot start or go on, and what its user can do about it.
 *
 * <p>The message is one paragraph for a person; show it without the stack trace.
 */
public final class LocalFleetException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param message what failed, for which file, port or program, and what to do next
   * @param cause the error beneath, or {@code null} when there is none
   */
  public LocalFleetException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
