package dev.fairfleet.local.web;

/** Asks sites for pages without a server. */
final class PageOf {
  static final int PORT = 8080;

  private PageOf() {}

  /** Returns the page at a path, or fails. */
  static FakePage page(FakeSite site, String path) {
    if (site.answer(WebRequest.get(site.host(), PORT, path)) instanceof Answer.Page found) {
      return found.page();
    }
    throw new AssertionError("no page at " + path);
  }

  /** Returns the status of the reply at a path where no page is. */
  static int status(FakeSite site, String path) {
    if (site.answer(WebRequest.get(site.host(), PORT, path)) instanceof Answer.Reply reply) {
      return reply.status();
    }
    throw new AssertionError("no reply at " + path);
  }
}
