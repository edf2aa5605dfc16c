package dev.fairfleet.redis;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.robots.Origin;
import dev.fairfleet.robots.RobotsFile;
import dev.fairfleet.robots.RobotsNote;
import dev.fairfleet.robots.RobotsStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * What a fleet knows of robots.txt files in Redis, on that server's clock.
 *
 * <p>A hash for each origin, {@code fleet:{scheme://host:port}:robots}, forgotten when nothing was
 * asked of it for two days. The text of a file is in it as base64 of gzip.
 */
public final class RedisRobotsStore implements RobotsStore {
  private static final Script<List<String>> SCRIPT = Script.ofTexts("robots.lua");
  private static final String TEXT = "text";
  private static final String NONE = "none";
  private static final String FORBIDDEN = "forbidden";

  private final RedisConnection redis;
  private final String fleet;
  private final ServerClock clock;

  /**
   * Creates a store on the clock of the server.
   *
   * @param fleet first part of every key
   */
  public RedisRobotsStore(RedisConnection redis, String fleet) {
    this(redis, fleet, ServerClock.OWN);
  }

  private RedisRobotsStore(RedisConnection redis, String fleet, ServerClock clock) {
    this.redis = redis;
    this.fleet = fleet;
    this.clock = clock;
  }

  /** Returns a store on a clock that a test sets, whole microseconds. */
  public static RedisRobotsStore onClock(RedisConnection redis, String fleet, InstantSource clock) {
    return new RedisRobotsStore(redis, fleet, ServerClock.set(clock));
  }

  private List<String> run(Origin origin, String step, String... arguments) {
    return SCRIPT.run(
        redis,
        new String[] {fleet + ":{" + origin + "}:robots"},
        Stream.concat(Stream.of(step, clock.argument()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  @Override
  public RobotsNote find(Origin origin) {
    List<String> found = run(origin, "find");
    Optional<RobotsFile> file = file(found);
    if (file.isEmpty() && !found.get(0).isEmpty()) {
      // Nobody could read it until it is asked for again.
      List<String> unused = run(origin, "forget");
      return RobotsNote.UNKNOWN;
    }
    int failures = Integer.parseInt(found.get(5));
    return new RobotsNote(
        file,
        file.isPresent() ? duration(found.get(4)) : Duration.ZERO,
        failures,
        failures == 0 ? "" : found.get(6),
        duration(found.get(7)));
  }

  private static Optional<RobotsFile> file(List<String> found) {
    String body = found.get(1);
    return switch (found.get(0)) {
      case TEXT ->
          unpacked(body)
              .map(
                  octets ->
                      new RobotsFile.Text(octets, new Validators(found.get(2), found.get(3))));
      case NONE -> Optional.of(new RobotsFile.None(body));
      case FORBIDDEN -> Optional.of(new RobotsFile.Forbidden(body));
      default -> Optional.empty();
    };
  }

  private static Duration duration(String micros) {
    return Duration.ofNanos(Long.parseLong(micros) * 1_000);
  }

  private static String micros(Duration duration) {
    return Long.toString(duration.toNanos() / 1_000);
  }

  @Override
  public OptionalLong begin(Origin origin, Duration lease) {
    return run(origin, "begin", micros(lease)).stream().mapToLong(Long::parseLong).findFirst();
  }

  @Override
  public void had(Origin origin, long turn, RobotsFile file, Duration askAgainIn) {
    String number = Long.toString(turn);
    String again = micros(askAgainIn);
    List<String> unused =
        switch (file) {
          case RobotsFile.Text text ->
              run(
                  origin,
                  "had",
                  number,
                  again,
                  TEXT,
                  packed(text.octets()),
                  text.validators().etag(),
                  text.validators().lastModified());
          case RobotsFile.None none -> run(origin, "had", number, again, NONE, none.why(), "", "");
          case RobotsFile.Forbidden forbidden ->
              run(origin, "had", number, again, FORBIDDEN, forbidden.why(), "", "");
        };
  }

  @Override
  public void failed(Origin origin, long turn, String why, Duration askAgainIn) {
    List<String> unused = run(origin, "failed", Long.toString(turn), micros(askAgainIn), why);
  }

  @Override
  public void gaveUp(Origin origin, long turn) {
    List<String> unused = run(origin, "gaveUp", Long.toString(turn));
  }

  private static String packed(String octets) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(octets.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(packed.toByteArray());
  }

  private static Optional<String> unpacked(String body) {
    try (InputStream gzip =
        new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(body)))) {
      return Optional.of(new String(gzip.readAllBytes(), StandardCharsets.ISO_8859_1));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
