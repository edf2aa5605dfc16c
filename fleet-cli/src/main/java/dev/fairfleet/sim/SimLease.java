package dev.fairfleet.sim;

/** The right to work on a message, until it is received again. */
final class SimLease {
  final SimMessage message;
  final long receivedAt;
  final int receives;

  SimLease(SimMessage message, long receivedAt) {
    this.message = message;
    this.receivedAt = receivedAt;
    this.receives = message.receives;
  }

  /** Returns whether nobody received the message since. */
  boolean isNewest() {
    return message.receives == receives;
  }

  /** Returns how long ago it could first have been received; zero if it was received before. */
  long dwell() {
    return receives == 1 ? receivedAt - message.firstVisibleAt : 0;
  }
}
