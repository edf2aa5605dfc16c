package dev.fairfleet.local;

import org.junit.jupiter.api.Assumptions;

/** Whether this machine has a Node.js that dynalite runs on; tests that need one ask here. */
final class NodePresence {
  private NodePresence() {}

  /** Skips the test, with a printed line, when there is none. */
  static void require() {
    try {
      NodeRuntime.onPath().check();
    } catch (LocalFleetException e) {
      System.out.println("SKIPPED, no dynalite here: " + e.getMessage());
      Assumptions.abort(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
