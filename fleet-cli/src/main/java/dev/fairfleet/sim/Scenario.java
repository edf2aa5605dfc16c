package dev.fairfleet.sim;

import java.time.Duration;
import java.util.List;

/**
 * A fleet, a web and what goes wrong with them: all that a simulation depends on but for the policy
 * and the seed.
 *
 * @param name for tables
 * @param sites how many
 * @param pages of all sites together, at least one per site
 * @param sizes how the pages are spread over the sites
 * @param hourlyLimit requests of a site in an hour
 * @param minDelay least time between two requests to a site's one host
 * @param workers processes
 * @param slots pages that a worker has in work at once
 * @param perServer pages of one host that a worker has in work at once
 * @param service mean time from request to commit; drawn log-normally, with σ = 0.5
 * @param faults what goes wrong
 */
public record Scenario(
    String name,
    int sites,
    int pages,
    Sizes sizes,
    int hourlyLimit,
    Duration minDelay,
    int workers,
    int slots,
    int perServer,
    Duration service,
    Faults faults) {

  /** The most pages of a small site beside {@link Sizes#ONE_LARGE one large one}. */
  static final int MOST_SMALL = 200;

  /** How pages are spread over sites. */
  public enum Sizes {
    /** The size of a site is inversely proportional to its rank. */
    ZIPF,
    /** All sites have the same size. */
    EQUAL,
    /** One site has nearly everything, every other 10 to 200 pages. */
    ONE_LARGE
  }

  /**
   * What goes wrong.
   *
   * @param duplicates share of deliveries that SQS makes twice
   * @param late share of tasks that SQS delivers up to a minute late
   * @param killEvery a worker is killed, and another started 30 s later; zero for never
   * @param throttling share of sites that answer 429 to everything for ten minutes, once; half of
   *     them say for how long
   * @param skew greatest difference of a worker's clock from the true time
   * @param purgeAt when both queues are emptied by somebody; zero for never
   * @param inFlightQuota tasks of a queue in flight at which SQS falls silent
   */
  public record Faults(
      double duplicates,
      double late,
      Duration killEvery,
      double throttling,
      Duration skew,
      Duration purgeAt,
      int inFlightQuota) {
    /** AWS's quota, and a good day. */
    public static final Faults NONE =
        new Faults(0, 0, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO, 120_000);

    /** A bad day. */
    public static final Faults MANY =
        new Faults(
            0.01,
            0.01,
            Duration.ofMinutes(10),
            0.05,
            Duration.ofSeconds(90),
            Duration.ZERO,
            120_000);

    /**
     * @throws IllegalArgumentException if a share, time or quota is out of range
     */
    public Faults {
      for (double share : new double[] {duplicates, late, throttling}) {
        if (!(share >= 0 && share <= 1)) {
          throw new IllegalArgumentException("A share lies between 0 and 1, not " + share);
        }
      }
      for (Duration time : List.of(killEvery, skew, purgeAt)) {
        if (time.isNegative()) {
          throw new IllegalArgumentException("A fault's time is not negative, as " + time + " is");
        }
      }
      if (inFlightQuota < 1) {
        throw new IllegalArgumentException(
            "At least one task may be in flight, not " + inFlightQuota);
      }
    }
  }

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public Scenario {
    if (sites < 1
        || pages < sites
        || hourlyLimit < 1
        || workers < 1
        || slots < 1
        || perServer < 1) {
      throw new IllegalArgumentException(
          "A scenario has at least one site, a page per site, one request an hour, one worker, one slot and one page per server, not "
              + sites
              + ", "
              + pages
              + ", "
              + hourlyLimit
              + ", "
              + workers
              + ", "
              + slots
              + " and "
              + perServer);
    }
    if (sizes == Sizes.ONE_LARGE && pages / sites < MOST_SMALL) {
      throw new IllegalArgumentException(
          "One large site beside small ones needs "
              + MOST_SMALL
              + " pages per site, not "
              + pages
              + " for "
              + sites);
    }
    if (minDelay.isNegative() || service.isZero() || service.isNegative()) {
      throw new IllegalArgumentException(
          "The delay of a site is not negative and the service of a page takes time, not "
              + minDelay
              + " and "
              + service);
    }
  }

  /** Returns the same with other faults. */
  public Scenario with(Faults other) {
    return new Scenario(
        name,
        sites,
        pages,
        sizes,
        hourlyLimit,
        minDelay,
        workers,
        slots,
        perServer,
        service,
        other);
  }

  /** Returns pages that the fleet can serve in a second. */
  public double capacity() {
    return workers * slots / (service.toNanos() / 1e9);
  }

  /** Returns pages of one site that its limits allow in a second. */
  public double pagesPerSecond() {
    double byDelay = minDelay.isZero() ? Double.POSITIVE_INFINITY : 1e9 / minDelay.toNanos();
    return Math.min(hourlyLimit / 3_600.0, byDelay);
  }
}
