package dev.fairfleet.frontier;

import java.util.Optional;

/**
 * The end of a URL in one crawl: result and progress in one value, because they are written in one
 * conditional update.
 *
 * @param state a final state
 * @param reason the rule, limit, status or error that decided; empty for an ordinary {@code DONE}
 * @param validators what to send with the next conditional GET
 * @param contentHash hash of what was read, without volatile fields; empty if nothing was read or
 *     the page did not change
 * @param outlinks hash of the links that {@link Outlinks} keeps of the page; empty if it keeps none
 * @param fetch the exchange that decided, if there was one
 */
public record Settlement(
    PageState state,
    String reason,
    Validators validators,
    String contentHash,
    String outlinks,
    Optional<Fetch> fetch) {
  /**
   * @throws IllegalArgumentException if {@code state} is not final
   */
  public Settlement {
    if (!state.isFinal()) {
      throw new IllegalArgumentException("A page cannot be settled as " + state);
    }
  }

  /** Returns the settlement of a URL of which nothing is to be remembered for the next crawl. */
  public static Settlement of(PageState state, String reason, Optional<Fetch> fetch) {
    return new Settlement(state, reason, Validators.NONE, "", "", fetch);
  }

  /** Returns the settlement of a URL that was not fetched. */
  public static Settlement skipped(String reason) {
    return of(PageState.SKIPPED, reason, Optional.empty());
  }
}
