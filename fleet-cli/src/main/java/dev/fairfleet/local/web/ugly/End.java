package dev.fairfleet.local.web.ugly;

import dev.fairfleet.frontier.PageState;
import java.util.EnumSet;
import java.util.Set;

/** Where a URL stands when a crawl has come to rest. */
public enum End {
  DONE,
  GONE,
  SKIPPED,
  FAILED,
  /** Queued or shelved: it will be tried again. */
  WAITS,
  /** The frontier has no page for it. */
  UNKNOWN;

  /** Every end but waiting and not being known. */
  static final Set<End> FINAL = Set.copyOf(EnumSet.range(DONE, FAILED));

  /** Returns the end that a state of the frontier is. */
  public static End of(PageState state) {
    return switch (state) {
      case SHELVED, QUEUED -> WAITS;
      case DONE -> DONE;
      case FAILED -> FAILED;
      case GONE -> GONE;
      case SKIPPED -> SKIPPED;
    };
  }
}
