package dev.fairfleet.sim;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Visible messages in the order in which SQS delivers them: those of noisy neighbours after those
 * of all others, otherwise by their place.
 *
 * <p>A site, as a message group, is a noisy neighbour if at least 30 of its messages, and more than
 * a tenth of all, are in flight, or if more than a tenth of the processing time of late was its own
 * (SQS Developer Guide, "How Amazon SQS fair queues work"). What "of late" means the guide leaves
 * open; here it is a half-life of a minute.
 */
final class FairLine {
  private static final int NOISY_FROM = 30;
  private static final int NOISY_SHARE = 10;
  private static final double HALF_LIFE = 60 * World.SECOND;

  private final boolean fair;
  private final Map<Integer, Group> groups = new HashMap<>();
  private final TreeSet<Group> quiet = new TreeSet<>(Group.BY_HEAD);
  private final TreeSet<Group> noisy = new TreeSet<>(Group.BY_HEAD);
  private final Decaying worked = new Decaying();
  private int inFlight;

  private static final class Group {
    static final Comparator<SimMessage> BY_PLACE =
        Comparator.comparingLong((SimMessage m) -> m.place).thenComparingLong(m -> m.order);
    static final Comparator<Group> BY_HEAD = Comparator.comparing(Group::head, BY_PLACE);

    final PriorityQueue<SimMessage> line = new PriorityQueue<>(BY_PLACE);
    final Decaying worked = new Decaying();
    int inFlight;

    SimMessage head() {
      SimMessage head = line.peek();
      if (head == null) {
        throw new IllegalStateException("An empty group stands in no line");
      }
      return head;
    }
  }

  /** A sum of times, in which what was added a minute ago counts half. */
  private static final class Decaying {
    private double sum;
    private long at;

    double value(long now) {
      return sum * Math.pow(2, (at - now) / HALF_LIFE);
    }

    void add(long time, long now) {
      sum = value(now) + time;
      at = now;
    }
  }

  /**
   * @param fair whether messages carry their site as message group; if not, all are one's
   */
  FairLine(boolean fair) {
    this.fair = fair;
  }

  private Group group(SimMessage message) {
    return groups.computeIfAbsent(fair ? message.site.index : 0, index -> new Group());
  }

  /** Lets a message join the line. */
  void join(SimMessage message, long now) {
    Group group = group(message);
    leave(group);
    group.line.add(message);
    enter(group, now);
  }

  /** Takes the next message out of the line; null if nobody is in it. */
  @Nullable SimMessage next(long now) {
    while (!noisy.isEmpty() && !isNoisy(noisy.first(), now)) {
      quiet.add(noisy.removeFirst());
    }
    if (quiet.isEmpty() && noisy.isEmpty()) {
      return null;
    }
    Group group = quiet.isEmpty() ? noisy.first() : quiet.first();
    leave(group);
    SimMessage message = group.line.remove();
    enter(group, now);
    return message;
  }

  /** Notes that a message is in flight now. */
  void takeOff(SimMessage message, long now) {
    Group group = group(message);
    leave(group);
    inFlight++;
    group.inFlight++;
    enter(group, now);
  }

  /**
   * Notes that a message is not in flight any more.
   *
   * @param time for which it was, in microseconds
   */
  void land(SimMessage message, long time, long now) {
    Group group = group(message);
    leave(group);
    inFlight--;
    group.inFlight--;
    worked.add(time, now);
    group.worked.add(time, now);
    enter(group, now);
  }

  /** Forgets everything. */
  void clear() {
    groups.clear();
    quiet.clear();
    noisy.clear();
    inFlight = 0;
  }

  private void leave(Group group) {
    if (!group.line.isEmpty() && !quiet.remove(group)) {
      noisy.remove(group);
    }
  }

  private void enter(Group group, long now) {
    if (!group.line.isEmpty()) {
      (isNoisy(group, now) ? noisy : quiet).add(group);
    }
  }

  private boolean isNoisy(Group group, long now) {
    return (group.inFlight >= NOISY_FROM && (long) group.inFlight * NOISY_SHARE > inFlight)
        || group.worked.value(now) * NOISY_SHARE > worked.value(now);
  }
}
