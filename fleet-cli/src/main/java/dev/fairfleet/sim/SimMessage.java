package dev.fairfleet.sim;

/** A task as a message in a {@link SimQueue}, which alone changes what is not final. */
final class SimMessage {
  /** Where a message is. */
  enum State {
    DELAYED,
    VISIBLE,
    IN_FLIGHT,
    GONE
  }

  final SimSite site;
  final int page;
  final int generation;
  final boolean high;

  /** Time from becoming visible to its slot, in microseconds. */
  final long hold;

  State state = State.DELAYED;
  boolean copy;
  int receives;
  long firstVisibleAt;
  long place;
  long order;
  int hides;
  int purges;

  SimMessage(SimSite site, int page, int generation, boolean high, long hold) {
    this.site = site;
    this.page = page;
    this.generation = generation;
    this.high = high;
    this.hold = hold;
  }

  /** Returns the same task as a message of its own. */
  SimMessage again(long otherHold) {
    return new SimMessage(site, page, generation, high, otherHold);
  }
}
