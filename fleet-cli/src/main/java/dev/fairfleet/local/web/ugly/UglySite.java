package dev.fairfleet.local.web.ugly;

import dev.fairfleet.local.web.Answer;
import dev.fairfleet.local.web.FakeSite;
import dev.fairfleet.local.web.WebRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** An {@link UglyHost} on a server, with its memory of what it was asked for. */
public final class UglySite implements FakeSite {
  private final UglyHost kind;
  private final String host;
  private final InstantSource clock;
  private final Map<String, History> asked = new ConcurrentHashMap<>();

  private record History(Instant first, int count) {
    History next() {
      return new History(first, count + 1);
    }
  }

  UglySite(UglyHost kind, String host, InstantSource clock) {
    this.kind = kind;
    this.host = host;
    this.clock = clock;
  }

  /** Returns what is wrong with it, and what a crawl should make of that. */
  public UglyHost kind() {
    return kind;
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public Answer answer(WebRequest request) {
    Instant now = clock.instant();
    History history =
        asked.merge(request.path(), new History(now, 1), (known, fresh) -> known.next());
    return kind.behaviour(request.path())
        .answer(new Visit(request, history.count(), Duration.between(history.first(), now), now));
  }

  /** Returns the paths it has something for; there may be more below them. */
  @Override
  public Stream<String> paths() {
    return kind.paths();
  }

  /** Returns nothing: its titles are among its expectations. */
  @Override
  public Map<String, String> truth(String path) {
    return Map.of();
  }
}
