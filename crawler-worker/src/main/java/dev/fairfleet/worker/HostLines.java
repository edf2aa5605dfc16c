package dev.fairfleet.worker;

import dev.fairfleet.url.HostKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * For each host a line of tasks whose turn comes next, and how many of its pages this worker has at
 * work. Safe for use by many threads; holds only hosts with a task in line or at work.
 */
final class HostLines {
  private final int perServer;
  private final ConcurrentHashMap<HostKey, Line> lines = new ConcurrentHashMap<>();

  private static final class Line {
    final Semaphore head = new Semaphore(1, true);
    final Semaphore pages;
    int visits;
    volatile boolean headWaits;

    Line(int perServer) {
      this.pages = new Semaphore(perServer, true);
    }
  }

  /**
   * @param perServer pages of one host at work at once, at least 1
   */
  HostLines(int perServer) {
    this.perServer = perServer;
  }

  /** Joins the end of a host's line. */
  Visit enter(HostKey host) {
    Line line =
        lines.compute(
            host,
            (key, known) -> {
              Line its = known == null ? new Line(perServer) : known;
              its.visits++;
              return its;
            });
    return new Visit(host, line);
  }

  /** Returns how many hosts there are with a task in line or at work. */
  int hosts() {
    return lines.size();
  }

  /**
   * Returns how many tasks wait for another one of their host, or for their turn, so that a fetch
   * slot would be of no use to them.
   */
  int waiting() {
    int waiting = 0;
    for (Line line : lines.values()) {
      int atWork = perServer - line.pages.availablePermits() - (line.headWaits ? 1 : 0);
      int mayStart = line.headWaits ? 0 : perServer - atWork;
      waiting += Math.max(0, line.visits - atWork - mayStart);
    }
    return waiting;
  }

  /** A task's stay in line and at work; used by one thread. */
  final class Visit implements AutoCloseable {
    private final HostKey host;
    private final Line line;
    private boolean atHead;
    private boolean hasPage;

    private Visit(HostKey host, Line line) {
      this.host = host;
      this.line = line;
    }

    /** Waits until the task is the first in line and there is room for its page. */
    void awaitHead() throws InterruptedException {
      line.head.acquire();
      atHead = true;
      line.pages.acquire();
      hasPage = true;
    }

    /** Says whether the task, first in line, waits for its turn. */
    void waitsForTurn(boolean waits) {
      line.headWaits = waits;
    }

    /** Lets the next in line come forward; the room for the page is kept. */
    void leaveHead() {
      if (atHead) {
        atHead = false;
        line.head.release();
      }
    }

    /** Leaves altogether. */
    @Override
    public void close() {
      leaveHead();
      if (hasPage) {
        hasPage = false;
        line.pages.release();
      }
      lines.computeIfPresent(host, (key, its) -> --its.visits == 0 ? null : its);
    }
  }
}
