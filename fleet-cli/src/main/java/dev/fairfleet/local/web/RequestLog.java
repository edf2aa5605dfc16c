package dev.fairfleet.local.web;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * What a {@link WebServer} saw: which URLs of which host were asked for, how often, and when, and
 * what it answered.
 *
 * <p>It proves from outside what a crawl promises: politeness by {@link #mostWithin} and {@link
 * #smallestGap}, no needless work by {@link #repeatedRequests()}. Every request counts, robots.txt
 * and unknown paths too, from the moment its head was read.
 *
 * <p>URLs are kept as hashes of 64 bits; a request costs about 40 bytes. That two of a million URLs
 * share a hash has a chance below one in ten million. Any thread may use it.
 */
public final class RequestLog {
  private static final String ROBOTS = "/robots.txt";

  private final LongSupplier nanoTime;
  private final long start;
  private final Map<String, HostLog> hosts = new ConcurrentHashMap<>();
  private final Map<String, Traffic> traffic = new ConcurrentHashMap<>();

  /**
   * @param nanoTime a clock that never goes back, in nanoseconds from any origin; now is the log's
   *     zero
   */
  public RequestLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Writes a request down, as arriving now. */
  public void add(String host, String path) {
    hosts.computeIfAbsent(host, name -> new HostLog()).add(path, nanoTime, start);
  }

  /** Writes an answer down, just before it is sent, so that whoever has it finds it here. */
  void answered(String host, int status, long bodyBytes) {
    traffic.merge(
        host, Traffic.NONE.with(status, bodyBytes), (now, one) -> now.with(status, bodyBytes));
  }

  /**
   * Returns what was answered for a host so far; answers that broke the protocol are not counted.
   */
  public Traffic traffic(String host) {
    return traffic.getOrDefault(host, Traffic.NONE);
  }

  /** Returns the hosts that were asked for anything, in alphabetical order. */
  public List<String> hosts() {
    return hosts.keySet().stream().sorted().toList();
  }

  /** Returns the number of requests for a host. */
  public int requests(String host) {
    return arrivals(host).length;
  }

  /** Returns how many URLs of a host were asked for, robots.txt left out. */
  public int pages(String host) {
    HostLog log = hosts.get(host);
    return log == null ? 0 : log.pages();
  }

  /** Returns the time since the log's start. */
  public Duration now() {
    return Duration.ofNanos(nanoTime.getAsLong() - start);
  }

  /** Returns the number of requests for one URL. */
  public int requests(String host, String path) {
    HostLog log = hosts.get(host);
    return log == null ? 0 : log.count(path);
  }

  /** Returns when the first request for a host came, since the log's start; empty without one. */
  public Optional<Duration> first(String host) {
    return Arrays.stream(arrivals(host)).boxed().findFirst().map(Duration::ofNanos);
  }

  /** Returns when the last request for a host came, since the log's start; empty without one. */
  public Optional<Duration> last(String host) {
    long[] all = arrivals(host);
    return all.length == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(all[all.length - 1]));
  }

  /** Returns when each request for a host came, in nanoseconds since the log's start, in order. */
  public long[] arrivals(String host) {
    HostLog log = hosts.get(host);
    return log == null ? new long[0] : log.arrivals();
  }

  /** Returns when each request for one URL came, in nanoseconds since the log's start, in order. */
  public long[] arrivals(String host, String path) {
    HostLog log = hosts.get(host);
    return log == null ? new long[0] : log.arrivals(path, true);
  }

  /** Returns when each request for any other URL of the host came. */
  public long[] arrivalsOfOthers(String host, String path) {
    HostLog log = hosts.get(host);
    return log == null ? new long[0] : log.arrivals(path, false);
  }

  /**
   * Returns the most requests for a host that came within any stretch of the given length. Two that
   * are exactly that far apart are not within one.
   */
  public int mostWithin(String host, Duration stretch) {
    long[] all = arrivals(host);
    int most = 0;
    for (int first = 0, i = 0; i < all.length; i++) {
      while (all[i] - all[first] >= stretch.toNanos() && first < i) {
        first++;
      }
      most = Math.max(most, i - first + 1);
    }
    return most;
  }

  /** Returns the shortest time between two requests for a host; empty when there were fewer. */
  public Optional<Duration> smallestGap(String host) {
    long[] all = arrivals(host);
    long smallest = Long.MAX_VALUE;
    for (int i = 1; i < all.length; i++) {
      smallest = Math.min(smallest, all[i] - all[i - 1]);
    }
    return all.length < 2 ? Optional.empty() : Optional.of(Duration.ofNanos(smallest));
  }

  /**
   * Returns the paths of a host that were asked for more than once, robots.txt left out, each with
   * the number of its requests beyond the first.
   */
  public Map<String, Integer> repeats(String host) {
    HostLog log = hosts.get(host);
    return log == null ? Map.of() : log.repeats();
  }

  /** Returns the number of requests beyond the first of each URL, robots.txt left out. */
  public int repeatedRequests() {
    return hosts.keySet().stream()
        .flatMap(host -> repeats(host).values().stream())
        .mapToInt(Integer::intValue)
        .sum();
  }

  /** The requests for one host: a growing list of arrivals, and an open-addressing hash table. */
  private static final class HostLog {
    private long[] arrivals = new long[16];
    private long[] asked = new long[16]; // the hash of the URL of each arrival
    private int size;
    private long[] urls = new long[32]; // 0 is a free place; the length is a power of two
    private int[] counts = new int[32];
    private int distinct;
    private final Map<String, Integer> repeats = new TreeMap<>();

    synchronized void add(String path, LongSupplier nanoTime, long start) {
      if (size == arrivals.length) {
        arrivals = Arrays.copyOf(arrivals, 2 * size);
        asked = Arrays.copyOf(asked, 2 * size);
      }
      long url = hash(path);
      asked[size] = url;
      arrivals[size++] = nanoTime.getAsLong() - start; // in the lock, so that they are in order
      int place = place(url);
      if (urls[place] == 0) {
        if (3 * (distinct + 1) > 2 * urls.length) {
          grow();
          place = place(url);
        }
        urls[place] = url;
        distinct++;
      } else if (!path.equals(ROBOTS)) {
        repeats.merge(path, 1, Integer::sum);
      }
      counts[place]++;
    }

    private static long hash(String path) {
      long hash = Hash.of(path);
      return hash == 0 ? 1 : hash;
    }

    private int place(long url) {
      int place = (int) url & (urls.length - 1);
      while (urls[place] != 0 && urls[place] != url) {
        place = (place + 1) & (urls.length - 1);
      }
      return place;
    }

    private void grow() {
      long[] oldUrls = urls;
      int[] oldCounts = counts;
      urls = new long[2 * oldUrls.length];
      counts = new int[2 * oldUrls.length];
      for (int i = 0; i < oldUrls.length; i++) {
        if (oldUrls[i] != 0) {
          int place = place(oldUrls[i]);
          urls[place] = oldUrls[i];
          counts[place] = oldCounts[i];
        }
      }
    }

    synchronized int count(String path) {
      return counts[place(hash(path))];
    }

    synchronized int pages() {
      return distinct - (counts[place(hash(ROBOTS))] > 0 ? 1 : 0);
    }

    synchronized long[] arrivals() {
      return Arrays.copyOf(arrivals, size);
    }

    synchronized long[] arrivals(String path, boolean ofPath) {
      long url = hash(path);
      return IntStream.range(0, size)
          .filter(i -> (asked[i] == url) == ofPath)
          .mapToLong(i -> arrivals[i])
          .toArray();
    }

    synchronized Map<String, Integer> repeats() {
      return new TreeMap<>(repeats);
    }
  }
}
