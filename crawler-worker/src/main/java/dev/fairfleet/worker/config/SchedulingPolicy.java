package dev.fairfleet.worker.config;

import java.util.Locale;
import java.util.Optional;

/** How tasks get into SQS, and when their turn is. */
public enum SchedulingPolicy {
  /** Slots reserved when a task is sent, and a window per site. */
  RESERVED,
  /** Every link is sent at once; a throttled task is received again until its turn has come. */
  CLASSIC;

  /** Returns the policy that a setting names, in lower case. */
  static Optional<SchedulingPolicy> named(String text) {
    for (SchedulingPolicy policy : values()) {
      if (policy.name().toLowerCase(Locale.ROOT).equals(text)) {
        return Optional.of(policy);
      }
    }
    return Optional.empty();
  }
}
