package dev.fairfleet.local.web;

import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A site whose servers are in trouble, until somebody mends them. Any thread may use one. */
public final class DeadSite implements FakeSite {
  /** How a site is dead, in the order in which they take turns. */
  public enum Kind {
    /** Nobody listens at its port. */
    REFUSES,
    /** Its name does not resolve. */
    NAMELESS,
    /** It accepts, and never answers. */
    SILENT,
    /** It answers 500 to everything, robots.txt included. */
    ERRORS,
    /** Its port does not speak TLS, but its address says so. */
    NO_TLS,
    /** It answers some pages, and breaks the connection from then on. */
    DIES
  }

  private static final int NOBODY_LISTENS = 1;

  private final FakeSite alive;
  private final Kind kind;
  private final int pagesBefore;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean mended;

  /**
   * @param alive what it is when it is mended
   * @param pagesBefore answers before it {@link Kind#DIES}
   */
  public DeadSite(FakeSite alive, Kind kind, int pagesBefore) {
    this.alive = alive;
    this.kind = kind;
    this.pagesBefore = pagesBefore;
  }

  /** Returns how it is dead. */
  public Kind kind() {
    return kind;
  }

  /** Lets it answer from now on. */
  public void mend() {
    mended = true;
  }

  /** Returns the address of its root, if it is served on a port. */
  public String root(int port) {
    return switch (kind) {
      case REFUSES -> "http://" + host() + ":" + NOBODY_LISTENS + "/";
      case NAMELESS -> "http://" + host().replace(".localhost", ".invalid") + "/";
      case NO_TLS -> "https://" + host() + ":" + port + "/";
      case SILENT, ERRORS, DIES -> "http://" + host() + ":" + port + "/";
    };
  }

  @Override
  public String host() {
    return alive.host();
  }

  @Override
  public Answer answer(WebRequest request) {
    if (mended) {
      return alive.answer(request);
    }
    return switch (kind) {
      case DIES ->
          request.path().equals("/robots.txt") || asked.incrementAndGet() <= pagesBefore
              ? alive.answer(request)
              : new Answer.Reset(() -> new byte[0]);
      case SILENT ->
          new Answer.Takeover(
              (fromClient, toClient) -> {
                long unused = fromClient.transferTo(OutputStream.nullOutputStream());
              });
      case REFUSES, NAMELESS, ERRORS, NO_TLS -> Answer.Reply.of(500);
    };
  }

  @Override
  public Stream<String> paths() {
    return alive.paths();
  }

  @Override
  public Map<String, String> truth(String path) {
    return alive.truth(path);
  }
}
