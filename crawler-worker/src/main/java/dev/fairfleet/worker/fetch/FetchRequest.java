package dev.fairfleet.worker.fetch;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;

/**
 * What to ask for.
 *
 * @param validators of the copy we have, for a conditional GET; {@link Validators#NONE} if none
 * @param cookies what the chain of redirects has collected so far; the answer's are added to it
 */
public record FetchRequest(CrawlUrl url, Validators validators, Purpose purpose, Cookies cookies) {
  /** Returns a request for a page that nobody was redirected to. */
  public static FetchRequest page(CrawlUrl url, Validators validators) {
    return new FetchRequest(url, validators, Purpose.PAGE, Cookies.NONE);
  }

  /** Returns an unconditional request without cookies. */
  public static FetchRequest of(CrawlUrl url, Purpose purpose) {
    return new FetchRequest(url, Validators.NONE, purpose, Cookies.NONE);
  }

  /** Returns this request with another purpose. */
  public FetchRequest withPurpose(Purpose other) {
    return new FetchRequest(url, validators, other, cookies);
  }
}
