package dev.fairfleet.local.web;

/** What a server says of a page, so that a client can ask later whether it is still the same. */
public enum Validation {
  /** An entity tag and a date; either is honoured. */
  BOTH,
  /** An entity tag only. */
  ETAG,
  /** A date only. */
  DATE,
  /** Neither: who asks again gets all of it again. */
  NONE;

  boolean hasEtag() {
    return this == BOTH || this == ETAG;
  }

  boolean hasDate() {
    return this == BOTH || this == DATE;
  }
}
