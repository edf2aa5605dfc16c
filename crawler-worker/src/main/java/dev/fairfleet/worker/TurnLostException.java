package dev.fairfleet.worker;

import dev.fairfleet.politeness.Admission;

/** Says that a request was not made, because its turn was farther away than it had seemed. */
final class TurnLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Admission admission;

  TurnLostException(Admission admission) {
    super("The request was not made: " + admission);
    this.admission = admission;
  }

  /** Returns what the gate answered. */
  Admission admission() {
    return admission;
  }
}
