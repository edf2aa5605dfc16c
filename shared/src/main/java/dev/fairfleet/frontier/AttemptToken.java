package dev.fairfleet.frontier;

/**
 * The mark of one attempt at one write.
 *
 * <p>A conditional write that failed may be our own earlier success whose reply was lost; whoever
 * finds his own token on the item was successful.
 *
 * @param value unique to the attempt, for instance worker id and counter; not empty
 */
public record AttemptToken(String value) {
  /**
   * @throws IllegalArgumentException if {@code value} is empty
   */
  public AttemptToken {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("An attempt token is not empty");
    }
  }
}
