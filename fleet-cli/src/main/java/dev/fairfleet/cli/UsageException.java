package dev.fairfleet.cli;

import org.jspecify.annotations.Nullable;

/** Says, in a paragraph, what the user asked for that cannot be, and what to do; exit code 2. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    this(message, null);
  }

  UsageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
