package dev.fairfleet.queue;

import org.jspecify.annotations.Nullable;

/** Says that some tasks are not in their queue; the page that holds their links is not done. */
public final class SendException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SendException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
