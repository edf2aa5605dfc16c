package dev.fairfleet.sim;

import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.GateState;
import dev.fairfleet.site.SiteId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A site: its tree of pages, and all that frontier and Redis know of it.
 *
 * <p>Pages are numbered as a breadth-first walk finds them, so the children of a page are a range,
 * and the lower of two numbers is never the deeper page.
 */
final class SimSite {
  static final byte UNKNOWN = 0;
  static final byte SHELVED = 1;
  static final byte QUEUED = 2;
  static final byte DONE = 3;

  private static final int MOST_DEPTH = 100;

  final int index;
  final SiteId id;
  final int pages;
  final GateLimits limits;
  private final int[] firstChild;
  private final byte[] depth;

  // The frontier.
  final byte[] state;
  final int[] generation;
  final BitSet shelf = new BitSet();
  int done;

  // The gate.
  GateState gate = GateState.NEW;
  long throttlesFrom = Long.MAX_VALUE;
  long throttlesUntil;
  boolean saysRetryAfter;

  // The window.
  final Map<Integer, Long> inside = new LinkedHashMap<>();
  int windowSize;
  long fillingUntil;
  long bareUntil;
  long emptySince = -1;

  // What is measured.
  final ArrayDeque<Long> requests = new ArrayDeque<>();
  final Map<Integer, Integer> inWork = new HashMap<>();
  long lastRequest = Long.MIN_VALUE / 2;
  long finishedAt = -1;
  double served;
  long servedAt = Long.MIN_VALUE / 2;
  int inSqs;

  SimSite(int index, int pages, int hourlyLimit, Duration minDelay, RandomGenerator random) {
    this.index = index;
    this.id = new SiteId("site-" + (index + 1));
    this.pages = pages;
    int burst = Math.clamp(hourlyLimit / 10, 1, 10);
    this.limits = new GateLimits(hourlyLimit, burst, minDelay);
    this.firstChild = new int[pages + 1];
    this.depth = new byte[pages];
    this.state = new byte[pages];
    this.generation = new int[pages];
    grow(random);
  }

  /** Root pages link to 10 to 30 new pages; of the others two in five link to 1 to 12. */
  private void grow(RandomGenerator random) {
    int next = 1;
    for (int page = 0; page < pages; page++) {
      firstChild[page] = next;
      int links;
      if (page == 0) {
        links = 10 + random.nextInt(21);
      } else if (next == page + 1) {
        links = 1 + random.nextInt(12);
      } else {
        links = random.nextInt(5) < 2 ? 1 + random.nextInt(12) : 0;
      }
      int until = Math.min(pages, next + links);
      for (int child = next; child < until; child++) {
        depth[child] = (byte) Math.min(MOST_DEPTH, depth[page] + 1);
      }
      next = until;
    }
    firstChild[pages] = pages;
  }

  int firstChild(int page) {
    return firstChild[page];
  }

  int endOfChildren(int page) {
    return firstChild[page + 1];
  }

  int depth(int page) {
    return depth[page];
  }

  boolean isUnfinished(int page) {
    return state[page] == SHELVED || state[page] == QUEUED;
  }

  boolean isFinished() {
    return done == pages;
  }
}
