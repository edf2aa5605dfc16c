package dev.fairfleet.frontier;

/**
 * The validators of a conditional GET (RFC 9110, section 8.8), as the server sent them.
 *
 * @param etag value of {@code ETag}; empty if there was none
 * @param lastModified value of {@code Last-Modified}; empty if there was none
 */
public record Validators(String etag, String lastModified) {
  /** A page never fetched, or whose server sends no validators. */
  public static final Validators NONE = new Validators("", "");
}
