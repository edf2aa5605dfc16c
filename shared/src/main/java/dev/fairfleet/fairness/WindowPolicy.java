package dev.fairfleet.fairness;

import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.PolitenessPolicy;
import java.time.Duration;

/**
 * Decides how many tasks of a site may be in SQS at once, its window, and when to fill it up.
 *
 * <p>With W tasks of each of S sites in line a new task waits S·W ÷ capacity. So the more the tasks
 * stand in each other's way, the smaller every window, down to the least, the same for all: that is
 * what makes the fleet serve them alike. In a fleet with time to spare a site has as many as its
 * own limits let it use up in {@code ahead}, and never runs dry.
 *
 * <p>Pure: any thread may share it.
 *
 * @param ahead for how long a window holds tasks
 * @param least tasks of a site under full pressure; links of a page never fill a window further
 * @param most tasks of any site
 */
public record WindowPolicy(Duration ahead, int least, int most) {
  /** Half a minute, 6 to 300 tasks. */
  public static final WindowPolicy DEFAULT = new WindowPolicy(Duration.ofSeconds(30), 6, 300);

  private static final int MOST_FILLED_AT_ONCE = 10;
  private static final double WIDER_UNDER_FULL_PRESSURE = 2;
  private static final double WIDEST_SECONDS = 10;

  /**
   * @throws IllegalArgumentException if the time is not positive or the numbers are out of order
   */
  public WindowPolicy {
    if (ahead.isZero() || ahead.isNegative() || least < 1 || most < least) {
      throw new IllegalArgumentException(
          "A window holds 1 ≤ least ≤ most tasks for a positive time, not "
              + least
              + " to "
              + most
              + " for "
              + ahead);
    }
  }

  /**
   * Returns the window of a site: the more pressure, the nearer to the least, and beyond the least
   * never more than twice what it was, because who comes first to an empty fleet cannot know who
   * else will come.
   *
   * @param before the window when it was last filled up; 0 if it never was
   */
  public int size(GateLimits limits, Pressure fleet, int before) {
    int largest = largest(limits);
    int smallest = Math.min(least, largest);
    // Steep at first: a little pressure already means that others wait.
    double room = Math.pow(1 - fleet.value(), 3);
    int wanted = smallest + (int) Math.round((largest - smallest) * room);
    return (int) Math.min(wanted, Math.max(smallest, 2L * before));
  }

  /**
   * Returns the limits by which slots are given out: under full pressure, they lie twice as far
   * apart as the site's own limits require, but for that no more than 10 s. So the tasks of a site
   * do not come in blocks, and who came later is not a whole round behind; while a site that may be
   * asked less often than every 10 s, and so takes little from the others, gets all it may.
   */
  public GateLimits forSlots(GateLimits limits, Pressure fleet) {
    double wider = fleet.value() * WIDER_UNDER_FULL_PRESSURE / limits.perSecond();
    double seconds = Math.min(wider, WIDEST_SECONDS);
    return limits.withDelayOf(Duration.ofNanos(Math.round(seconds * 1e6) * 1_000));
  }

  /** Never more than {@link #ahead} at the site's own limit, nor slots that SQS cannot wait for. */
  private int largest(GateLimits limits) {
    long farthest = PolitenessPolicy.FARTHEST_SLOT.toNanos() / 1_000;
    long byHour = farthest / limits.intervalMicros() + limits.burst() - 1;
    long byDelay = farthest / Math.max(1, limits.minDelayMicros());
    long reachable = Math.min(byHour, byDelay);
    long wanted = Math.max(least, (long) Math.ceil(limits.perSecond() * ahead.toSeconds()));
    return (int) Math.max(1, Math.min(Math.min(wanted, most), reachable));
  }

  /**
   * Returns how many tasks to add: none until there is room for a batch, or for half of a small
   * window, then all there is room for.
   *
   * @param size the window
   * @param inside tasks in it now
   */
  public int wanted(int size, int inside) {
    int room = size - inside;
    return room >= Math.clamp(size / 2, 1, MOST_FILLED_AT_ONCE) ? room : 0;
  }
}
