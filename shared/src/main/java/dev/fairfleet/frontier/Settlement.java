package dev.fairfleet.frontier;

import java.util.Optional;

/**
 * The end of a URL in one crawl: result and progress in one value, because they are written in one
 * conditional update.
 *
 * @param state a final state
 * @param reason the rule, limit, status or error that decided; empty for an ordinary {@code DONE}
 * @param remembered what the next crawl is to remember of it; nothing if the page was not read:
 *     then everything but validators, links and rules stays as it was
 * @param fetch the exchange that decided, if there was one
 */
public record Settlement(
    PageState state, String reason, Optional<Remembered> remembered, Optional<Fetch> fetch) {
  /**
   * @throws IllegalArgumentException if {@code state} is not final
   */
  public Settlement {
    if (!state.isFinal()) {
      throw new IllegalArgumentException("A page cannot be settled as " + state);
    }
  }

  /** Returns the settlement of a URL that was not read. */
  public static Settlement of(PageState state, String reason, Optional<Fetch> fetch) {
    return new Settlement(state, reason, Optional.empty(), fetch);
  }

  /** Returns the settlement of a URL that was not fetched. */
  public static Settlement skipped(String reason) {
    return of(PageState.SKIPPED, reason, Optional.empty());
  }
}
