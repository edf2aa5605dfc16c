package dev.fairfleet.scope;

/** Whether a URL may be crawled. */
public sealed interface ScopeDecision {
  ScopeDecision ADMITTED = new Admitted();

  /** The URL may be crawled. */
  record Admitted() implements ScopeDecision {}

  /**
   * The URL may not be crawled.
   *
   * @param rule name of the rule, a colon, and what it found
   */
  record Refused(String rule) implements ScopeDecision {}
}
