package dev.fairfleet.local.web.ugly;

import dev.fairfleet.site.SiteLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One kind of trouble, by name: what its host does at each path, how it is to be crawled, and what
 * should come of that.
 *
 * <p>Immutable, and without memory: {@link #serve} makes a site of it, as often as one likes.
 */
public final class UglyHost {
  private static final String DOMAIN = ".localhost";
  private static final String ROBOTS = "/robots.txt";
  private static final SiteLimits LIMITS = new SiteLimits(36_000, Duration.ZERO, 100, 300);

  private final String name;
  private final String does;
  private final String root;
  private final int crawls;
  private final SiteLimits limits;
  private final List<String> alsoInScope;
  private final Map<String, Behaviour> pages;
  private final Map<String, Behaviour> prefixes;
  private final List<Expectation> expectations;

  private UglyHost(Builder builder) {
    this.name = builder.name;
    this.does = builder.does;
    this.root = builder.root.orElse("http://" + name + DOMAIN + ":{port}/");
    this.crawls = builder.crawls;
    this.limits = builder.limits;
    this.alsoInScope = List.copyOf(builder.alsoInScope);
    this.pages = new LinkedHashMap<>(builder.pages);
    this.prefixes = new LinkedHashMap<>(builder.prefixes);
    this.expectations = List.copyOf(builder.expectations);
  }

  /**
   * Begins a host.
   *
   * @param name the first label of its host name
   * @param does a sentence, with the number of the field report it comes from, if any
   */
  static Builder host(String name, String does) {
    return new Builder(name, does);
  }

  /** Returns its name, which is the first label of its host name. */
  public String name() {
    return name;
  }

  /** Returns what it does, in a sentence. */
  public String does() {
    return does;
  }

  /** Returns the URL that a crawl begins at. */
  public String root(int port) {
    return root.replace("{port}", Integer.toString(port));
  }

  /** Returns how often it must be crawled before it can be judged: once or twice. */
  public int crawls() {
    return crawls;
  }

  /** Returns the limits it is to be crawled with. */
  public SiteLimits limits() {
    return limits;
  }

  /** Returns URLs whose hosts belong to the site as well. */
  public List<String> alsoInScope(int port) {
    return alsoInScope.stream().map(url -> url.replace("{port}", Integer.toString(port))).toList();
  }

  /** Returns what a crawl should come to. */
  public List<Expectation> expectations() {
    return expectations;
  }

  /** Tells whether some page of it is expected not to end. */
  public boolean waits() {
    return expectations.stream()
        .anyMatch(it -> it instanceof Expectation.Ends ends && ends.ends().contains(End.WAITS));
  }

  /** Tells whether its records are counted, or only asked for by URL. */
  public boolean countsRecords() {
    return expectations.stream().anyMatch(Expectation.Records.class::isInstance);
  }

  /** Returns a site of this kind under its own name, that nobody has asked for anything yet. */
  public UglySite serve(InstantSource clock) {
    return serve(name, clock);
  }

  /** Returns a site of this kind under another name. */
  public UglySite serve(String otherName, InstantSource clock) {
    return new UglySite(this, otherName + DOMAIN, clock);
  }

  Stream<String> paths() {
    return Stream.concat(pages.keySet().stream(), prefixes.keySet().stream());
  }

  Behaviour behaviour(String path) {
    Behaviour exact = pages.get(path);
    if (exact != null) {
      return exact;
    }
    return prefixes.entrySet().stream()
        .filter(entry -> path.startsWith(entry.getKey()))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElse(visit -> Replies.status(404));
  }

  /** Returns its name. */
  @Override
  public String toString() {
    return name;
  }

  /** Collects a host's parts; used by one thread. */
  static final class Builder {
    private final String name;
    private final String does;
    private Optional<String> root = Optional.empty();
    private int crawls = 1;
    private SiteLimits limits = LIMITS;
    private final List<String> alsoInScope = new ArrayList<>();
    private final Map<String, Behaviour> pages = new LinkedHashMap<>();
    private final Map<String, Behaviour> prefixes = new LinkedHashMap<>();
    private final Set<Expectation> expectations = new LinkedHashSet<>();

    private Builder(String name, String does) {
      this.name = name;
      this.does = does;
    }

    /** Does something at a path. */
    Builder at(String path, Behaviour behaviour) {
      pages.put(path, behaviour);
      return this;
    }

    /** Does something at every path that begins so and has nothing of its own. */
    Builder under(String prefix, Behaviour behaviour) {
      prefixes.put(prefix, behaviour);
      return this;
    }

    /** Has a page at {@code /} with some links. */
    Builder links(String... hrefs) {
      return at("/", visit -> Replies.links("Home of " + name, hrefs));
    }

    /** Has ordinary pages without links, whose titles are their paths. */
    Builder pages(String... paths) {
      for (String path : paths) {
        at(path, visit -> Replies.page(path, ""));
      }
      return this;
    }

    /** Has a robots.txt. */
    Builder robots(String... lines) {
      String text = String.join("\n", lines) + "\n";
      return robots(visit -> Replies.text(text.replace("{site}", visit.url(""))));
    }

    /** Does something when asked for robots.txt. */
    Builder robots(Behaviour behaviour) {
      return at(ROBOTS, behaviour);
    }

    /** Is crawled from another URL than the root of its host. */
    Builder root(String url) {
      root = Optional.of(url);
      return this;
    }

    Builder crawledTwice() {
      crawls = 2;
      return this;
    }

    Builder maxPages(int most) {
      limits = new SiteLimits(limits.requestsPerHour(), limits.minDelay(), limits.maxDepth(), most);
      return this;
    }

    Builder maxDepth(int most) {
      limits = new SiteLimits(limits.requestsPerHour(), limits.minDelay(), most, limits.maxPages());
      return this;
    }

    Builder minDelay(Duration least) {
      limits =
          new SiteLimits(limits.requestsPerHour(), least, limits.maxDepth(), limits.maxPages());
      return this;
    }

    /** The hosts of some URLs belong to the site as well. */
    Builder alsoInScope(String... urls) {
      alsoInScope.addAll(List.of(urls));
      return this;
    }

    Builder done(String... urls) {
      for (String url : urls) {
        ends(url, "", End.DONE);
      }
      return this;
    }

    /** The URL is done, and there is something to say about it. */
    Builder doneWith(String url, String reason) {
      return ends(url, reason, End.DONE);
    }

    Builder skipped(String url, String reason) {
      return ends(url, reason, End.SKIPPED);
    }

    Builder failed(String url, String reason) {
      return ends(url, reason, End.FAILED);
    }

    Builder waits(String url, String reason) {
      return ends(url, reason, End.WAITS);
    }

    /** The URL comes to a final state of some kind, with such a reason. */
    Builder settled(String url, String reason) {
      expectations.add(new Expectation.Ends(url, End.FINAL, reason));
      return this;
    }

    /** The URL is either not in the frontier at all, or refused with such a reason. */
    Builder refused(String url, String reason) {
      return ends(url, reason, End.SKIPPED, End.UNKNOWN);
    }

    Builder ends(String url, String reason, End... ends) {
      expectations.add(new Expectation.Ends(url, Set.of(ends), reason));
      return this;
    }

    Builder titled(String url, String title) {
      done(url);
      expectations.add(new Expectation.Titled(url, title));
      return this;
    }

    Builder noRecord(String url) {
      expectations.add(new Expectation.Titled(url, ""));
      return this;
    }

    Builder records(int count) {
      expectations.add(new Expectation.Records(count));
      return this;
    }

    Builder never(String... paths) {
      for (String path : paths) {
        asked(path, 0, 0);
      }
      return this;
    }

    Builder asked(String path, int times) {
      return asked(path, times, times);
    }

    Builder asked(String path, int least, int most) {
      expectations.add(new Expectation.Asked(path, least, most));
      return this;
    }

    Builder urlsAsked(int least, int most) {
      expectations.add(new Expectation.UrlsAsked(least, most));
      return this;
    }

    Builder hostNever(String... hosts) {
      for (String host : hosts) {
        expectations.add(new Expectation.HostNeverAsked(host));
      }
      return this;
    }

    /** Nothing at all is asked for, for a time after the path was. */
    Builder rests(String path, Duration time) {
      expectations.add(new Expectation.Rests(path, time, true));
      return this;
    }

    /** Nothing but the path itself is asked for, for a time after the path was. */
    Builder othersWait(String path, Duration time) {
      expectations.add(new Expectation.Rests(path, time, false));
      return this;
    }

    Builder gaps(Duration least) {
      expectations.add(new Expectation.Gaps(least));
      return this;
    }

    Builder someSkipped(String rule) {
      expectations.add(new Expectation.SomeSkipped(rule));
      return this;
    }

    UglyHost build() {
      return new UglyHost(this);
    }
  }
}
