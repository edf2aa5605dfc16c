package dev.fairfleet.worker.fetch;

import static dev.fairfleet.worker.fetch.TestWeb.html;
import static dev.fairfleet.worker.fetch.TestWeb.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.junit.jupiter.api.Test;

class CookiesTest extends FetcherFixture {
  private final Instant now = Instant.now();
  private static final CrawlUrl URL = CrawlUrl.of("http://www.a.example/d/page?q=1");

  private final Cookies cookies = Cookies.ofChain();

  @Test
  void fetch_redirectToItselfThatSetsACookie_isSentWithIt_P40() {
    web.on(
        "/c",
        (request, out) -> {
          boolean known = "k=v".equals(request.headers().get("cookie"));
          (known ? html("in") : status(302, "Location: /c", "Set-Cookie: k=v; Path=/"))
              .answer(request, out);
        });
    FetchRequest request = new FetchRequest(web.url("/c"), Validators.NONE, Purpose.PAGE, cookies);

    assertThat(fetcher.fetch(request, () -> {})).isInstanceOf(FetchOutcome.Redirected.class);
    assertThat(cookies.changes()).isEqualTo(1);
    assertThat(fetcher.fetch(request, () -> {})).isInstanceOf(FetchOutcome.Fetched.class);
    assertThat(fetch("/c")).isInstanceOf(FetchOutcome.Redirected.class);
  }

  @Test
  void take_cookieOfTheHost_isSentToItAlone() {
    take(URL, "a=1", "b=2; Path=/d", "c=3; Path=/e", "d=4; Secure", "e=5; Domain=a.example");

    assertThat(sent("http://www.a.example/d/x")).isEqualTo("a=1; b=2; e=5");
    assertThat(sent("http://www.a.example/e/x")).isEqualTo("c=3");
    assertThat(sent("http://b.a.example/d/x")).isEqualTo("e=5");
    assertThat(sent("http://a.example/d/x")).isEqualTo("e=5");
    assertThat(sent("http://b.example/d/x")).isEmpty();
    assertThat(cookies.changes()).isEqualTo(5);
  }

  @Test
  void take_cookieOfAnotherDomainOrAPublicSuffix_isNotTaken() {
    take(URL, "a=1; Domain=b.example", "b=2; Domain=example", "c=3; Domain=x.www.a.example");
    take(CrawlUrl.of("http://shop.com/"), "e=5; Domain=com");
    take(CrawlUrl.of("http://shop.co.uk/"), "d=4; Domain=co.uk");

    assertThat(cookies.isEmpty()).isTrue();
    assertThat(cookies.changes()).isZero();
  }

  @Test
  void take_sameCookieAgain_isNoChange() {
    take(URL, "a=1");
    take(URL, "a=1");
    assertThat(cookies.changes()).isEqualTo(1);

    take(URL, "a=2");
    assertThat(cookies.changes()).isEqualTo(2);
    take(URL, "a=2; Max-Age=0");
    take(URL, "a=2; Expires=Thu, 01-Jan-1970 00:00:00 GMT");

    assertThat(cookies.changes()).isEqualTo(3);
    assertThat(cookies.isEmpty()).isTrue();
  }

  @Test
  void take_nonsense_isNotTaken() {
    take(URL, "", "=", ";", "=x; Path=/", "\0", "; Domain");

    assertThat(sent(URL.toString())).isEmpty();
  }

  @Test
  void take_moreThanFits_isNotTaken() {
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      many.add("c" + i + "=1");
    }
    take(URL, many.toArray(String[]::new));
    assertThat(cookies.changes()).isEqualTo(50);

    Cookies other = Cookies.ofChain();
    take(other, URL, "a=" + "x".repeat(8_000), "b=" + "x".repeat(8_000));
    assertThat(other.changes()).isEqualTo(1);
  }

  @Test
  void none_takesNothing() {
    take(Cookies.NONE, URL, "a=1");

    assertThat(Cookies.NONE.isEmpty()).isTrue();
  }

  private void take(CrawlUrl url, String... values) {
    take(cookies, url, values);
  }

  private void take(Cookies cookies, CrawlUrl url, String... values) {
    BasicClassicHttpResponse response = new BasicClassicHttpResponse(200);
    for (String value : values) {
      response.addHeader("Set-Cookie", value);
    }
    cookies.take(response, url, now);
  }

  private String sent(String url) {
    HttpGet request = new HttpGet(url);
    cookies.addTo(request, CrawlUrl.of(url), now);
    String line =
        String.join(
            "; ", Arrays.stream(request.getHeaders("Cookie")).map(Header::getValue).toList());
    return String.join("; ", Arrays.stream(line.split("; ")).sorted().toList());
  }
}
