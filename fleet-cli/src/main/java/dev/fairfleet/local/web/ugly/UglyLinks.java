package dev.fairfleet.local.web.ugly;

import static dev.fairfleet.local.web.ugly.UglyHost.host;

import dev.fairfleet.local.web.Answer;
import dev.fairfleet.local.web.Answer.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Hosts whose trouble is their links: how they are spelled, how many, and that they never end. */
final class UglyLinks {
  private static final int REAL_PAGES = 20;
  private static final int MANY_LINKS = 200_000;
  private static final String TRAP = "trap|segment|repeat|calendar|depth|length|query|param|budget";
  private static final List<String> PRIVATE =
      List.of(
          "http://169.254.169.254/",
          "http://10.0.0.1/",
          "http://0.0.0.0/",
          "http://100.64.0.1/",
          "http://[::ffff:10.0.0.1]/",
          "http://[64:ff9b::a00:1]/",
          "http://[2002:a00:1::]/");

  private UglyLinks() {}

  static List<UglyHost> hosts() {
    List<UglyHost> hosts = new ArrayList<>(spellings());
    hosts.addAll(traps());
    hosts.addAll(choices());
    return hosts;
  }

  private static List<UglyHost> spellings() {
    return List.of(
        host("links-space", "Links with a space before the address (P19).")
            .links("/q?id=1")
            .at("/q?id=1", visit -> Replies.links("Question", " " + visit.url("/b"), "\t\n/c "))
            .pages("/b", "/c")
            .done("/q?id=1", "/b", "/c")
            .urlsAsked(4, 4)
            .build(),
        host("links-base", "A base element, against which links are resolved (P21).")
            .links("/d/e/page")
            .at(
                "/d/e/page",
                visit ->
                    Answer.Reply.html(
                        200,
                        "<!doctype html><title>Based</title><base href=\""
                            + visit.url("/")
                            + "\"><a href=\"d/z\">z</a>"))
            .pages("/d/z", "/d/e/d/z")
            .done("/d/z")
            .never("/d/e/d/z")
            .build(),
        host("links-dots", "Links with more .. than there are parents, and dots in between (P23).")
            .links("/w/")
            .at(
                "/w/",
                visit -> Replies.links("Dots", "../../../f/i.html", "./a/./b/../c", "%2e%2e/p"))
            .pages("/f/i.html", "/w/a/c", "/p")
            .done("/f/i.html", "/w/a/c", "/p")
            .urlsAsked(5, 5)
            .build(),
        host("links-percent", "Links with a lone percent sign, which becomes %25 (P25).")
            .links("/90%+of+x", "/100%", "/50%zz", "/a")
            .pages("/90%25+of+x", "/100%25", "/50%25zz", "/a")
            .done("/90%25+of+x", "/100%25", "/50%25zz", "/a")
            .asked("/90%25+of+x", 1)
            .asked("/100%25", 1)
            .build(),
        host(
                "links-pipe",
                "Queries with pipes, spaces, brackets and quotes: all four are fetched (P27).")
            .links("/s?q=a||1|2", "/s?m=two words", "/s?x=[1]{2}^\"", "/s?y=<`>", "/a")
            .under("/s?", visit -> Replies.page("Found", ""))
            .pages("/a")
            .done("/a")
            .urlsAsked(6, 6)
            .records(6)
            .build(),
        host(
                "links-host-spellings",
                "Links to one host in capitals, with a final dot and percent-encoded: one host, one pace (P29).")
            .minDelay(Duration.ofSeconds(1))
            .at(
                "/",
                visit -> {
                  String name = visit.request().host();
                  return Replies.links(
                      "Spellings",
                      visit.url(name.toUpperCase(Locale.ROOT), "/1"),
                      visit.url(name + ".", "/2"),
                      visit.url(name.replace("-", "%2D"), "/3"),
                      visit.url("/4"));
                })
            .pages("/1", "/2", "/3", "/4")
            .done("/1", "/2", "/3", "/4")
            .hostNever("links-host-spellings.localhost.", "links%2dhost%2dspellings.localhost")
            .asked("/robots.txt", 1, 2)
            .gaps(Duration.ofSeconds(1))
            .build(),
        host(
                "xn--links-idn--z5a",
                "An internationalised host name, in Unicode and in punycode: one host (P29).")
            .at(
                "/",
                visit ->
                    Replies.links(
                        "Names",
                        visit.url("links-idn-\u00e4.localhost", "/1"),
                        visit.url("LINKS-IDN-\u00c4.localhost", "/2"),
                        visit.url("/3")))
            .pages("/1", "/2", "/3")
            .done("/1", "/2", "/3")
            .build(),
        host(
                "links-fragments",
                "Links that differ in their fragments only, and a query before one (P31).")
            .links("#", "#a", "/p#b", "/p#c", "/p?page=2#d")
            .pages("/p", "/p?page=2")
            .done("/", "/p", "/p?page=2")
            .asked("/", 1)
            .asked("/p", 1)
            .asked("/p?page=2", 1)
            .urlsAsked(3, 3)
            .build(),
        host(
                "links-double-slash",
                "Links that would slip past Disallow: /barred/ by slashes and dots (P38).")
            .robots("User-agent: *", "Disallow: /barred/")
            .at(
                "/",
                visit ->
                    Replies.links(
                        "Slashes",
                        visit.url("//barred/x"),
                        "/./barred/x",
                        "/y/../barred/x",
                        "/%62arred/x",
                        "/a"))
            .pages("/barred/x", "//barred/x", "/a")
            .done("/a")
            .never("/barred/x", "//barred/x", "/%62arred/x")
            .build(),
        host(
                "links-private",
                "Links to private addresses, some within IPv6 ones, which are even in scope: no connection (P41, P42).")
            .at(
                "/",
                visit -> {
                  List<String> links = new ArrayList<>(PRIVATE);
                  links.add("/a");
                  return Replies.links("Private", links.toArray(String[]::new));
                })
            .alsoInScope(PRIVATE.toArray(String[]::new))
            .pages("/a")
            .done("/", "/a")
            .refused("http://169.254.169.254/", "address")
            .refused("http://10.0.0.1/", "address")
            .refused("http://0.0.0.0/", "address")
            .refused("http://100.64.0.1/", "address")
            .refused("http://[::ffff:a00:1]/", "address")
            .refused("http://[64:ff9b::a00:1]/", "address")
            .refused("http://[2002:a00:1::]/", "address")
            .build(),
        host(
                "links-numeric",
                "Links to this machine in decimal, octal, hexadecimal and IPv6 (P39, P42).")
            .at(
                "/",
                visit ->
                    Replies.links(
                        "Numbers",
                        visit.url("2130706433", "/"),
                        visit.url("0x7f.1", "/"),
                        visit.url("017700000001", "/"),
                        visit.url("127.1", "/"),
                        visit.url("[::1]", "/"),
                        visit.url("[::FFFF:127.0.0.1]", "/"),
                        visit.url("[::1", "/"),
                        "/a"))
            .pages("/a")
            .done("/", "/a")
            .hostNever(
                "127.0.0.1",
                "2130706433",
                "0x7f.1",
                "017700000001",
                "127.1",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "[::ffff:7f00:1]")
            .urlsAsked(2, 2)
            .build(),
        host("links-schemes", "Links that are no pages: mailto, javascript, data, tel, ftp, about.")
            .links(
                "mailto:a@b",
                "javascript:void(0)",
                "data:text/html,<p>x",
                "tel:+1",
                "ftp://x/",
                "about:blank",
                "http://",
                "http://:80/",
                "/a")
            .pages("/a")
            .done("/", "/a")
            .urlsAsked(2, 2)
            .build(),
        host(
                "links-white-space",
                "Links with tabs and line breaks inside, which browsers drop, and backslashes.")
            .links("/a\n\tb", "\\c\\d", "/e f")
            .pages("/ab", "/c/d", "/e%20f")
            .done("/ab", "/c/d", "/e%20f")
            .urlsAsked(4, 4)
            .build(),
        host("links-long-url", "Links of 5,000 and 64,000 characters beside an ordinary one (P94).")
            .links("/long?" + "x".repeat(5_000), "/longer/" + "y".repeat(64_000), "/a")
            .under("/long", visit -> Replies.page("Long", ""))
            .pages("/a")
            .done("/", "/a")
            .urlsAsked(2, 2)
            .build(),
        host(
                "links-huge-count",
                "A page with 200,000 links: they are cut, and the page says so (P63).")
            .maxPages(10)
            .at("/", visit -> Replies.page("Many", manyLinks()))
            .under("/l", visit -> Replies.page("One of many", ""))
            .doneWith("/", "link|cut|truncat")
            .urlsAsked(2, 10)
            .build());
  }

  private static List<UglyHost> traps() {
    return List.of(
        withRealPages(
                host(
                        "trap-segments",
                        "A link without a slash before it, and a page at every path: ever longer paths (P34).")
                    .under("/e/1/", visit -> Replies.links("Echo", "www.example.test/x")),
                "/e/1/")
            .urlsAsked(REAL_PAGES + 2, REAL_PAGES + 40)
            .someSkipped(TRAP)
            .build(),
        withRealPages(
                host("trap-calendar", "A calendar whose next year goes on for ever (P35).")
                    .maxDepth(20)
                    .under(
                        "/cal?y=",
                        visit -> {
                          int year = Integer.parseInt(visit.request().path().substring(7));
                          return Replies.links("The year " + year, "/cal?y=" + (year + 1));
                        }),
                "/cal?y=2026")
            .urlsAsked(REAL_PAGES + 2, REAL_PAGES + 22)
            .someSkipped(TRAP)
            .build(),
        withRealPages(
                host(
                        "trap-calendar-paths",
                        "A calendar in the path: /cal/2026/12 links to /cal/2027/1 (P35).")
                    .maxDepth(100)
                    .under(
                        "/cal/",
                        visit -> {
                          String[] parts = visit.request().path().split("/", -1);
                          int month = Integer.parseInt(parts[2]) * 12 + Integer.parseInt(parts[3]);
                          return Replies.links(
                              "Month " + month, "/cal/" + month / 12 + "/" + (month % 12 + 1));
                        }),
                "/cal/2026/1")
            .urlsAsked(REAL_PAGES + 2, REAL_PAGES + 98)
            .someSkipped(TRAP)
            .build(),
        withRealPages(
                host("trap-parameters", "Each page adds one more parameter to the query.")
                    .maxDepth(30)
                    .under(
                        "/p?",
                        visit ->
                            Replies.links(
                                "Filtered",
                                visit.request().path()
                                    + "&f"
                                    + visit.request().path().length()
                                    + "=1")),
                "/p?f=1")
            .urlsAsked(REAL_PAGES + 2, REAL_PAGES + 25)
            .someSkipped(TRAP)
            .build(),
        host(
                "trap-sessions",
                "Every page names its pages by a fresh session id, or a tracking parameter.")
            .at(
                "/",
                visit ->
                    Replies.links(
                        "Sessions",
                        "/p?PHPSESSID=0123456789abcdef0123456789abcd" + (10 + visit.number() % 89),
                        "/p;jsessionid=0123456789ABCDEF0123456789ABCD" + (10 + visit.number() % 89),
                        "/p?utm_source=mail&utm_campaign=x",
                        "/p?fbclid=abc",
                        "/p"))
            .under("/p", visit -> Replies.page("The one page", ""))
            .done("/p")
            .asked("/p", 1)
            .urlsAsked(2, 2)
            .build());
  }

  private static List<UglyHost> choices() {
    return List.of(
        host(
                "nofollow-rels",
                "Links with rel nofollow, ugc and sponsored: by default only nofollow is obeyed.")
            .at(
                "/",
                visit ->
                    Replies.page(
                        "Rels",
                        "<a rel=\"nofollow\" href=\"/n\">n</a> <a rel=\"UGC external\" href=\"/u\">u</a>"
                            + " <a rel=\"sponsored\" href=\"/s\">s</a> <a rel=\"next\" href=\"/a\">a</a>"))
            .pages("/n", "/u", "/s", "/a")
            .done("/a", "/u", "/s")
            .never("/n")
            .build(),
        host(
                "canonical-head",
                "Two spellings of a page name one canonical URL in their heads: one record.")
            .links("/p?ref=1", "/p?ref=2")
            .under(
                "/p",
                visit ->
                    Answer.Reply.html(
                        200,
                        "<!doctype html><title>The page</title><link rel=\"canonical\" href=\""
                            + visit.url("/p")
                            + "\">"))
            .settled("/p?ref=1", "")
            .settled("/p?ref=2", "")
            .records(2)
            .build(),
        host("canonical-header", "The same by a Link header (RFC 6596).")
            .links("/p?ref=1", "/p?ref=2")
            .under(
                "/p",
                visit -> Replies.page("The page", "", new Field("Link", "</p>; rel=\"canonical\"")))
            .settled("/p?ref=1", "")
            .settled("/p?ref=2", "")
            .records(2)
            .build(),
        host("hreflang", "Alternates in other languages on other hosts, which are not followed.")
            .at(
                "/",
                visit ->
                    Answer.Reply.html(
                        200,
                        "<!doctype html><title>Hello</title><link rel=\"alternate\" hreflang=\"fr\" href=\""
                            + visit.url("fr-hreflang.localhost", "/")
                            + "\"><a href=\"/a\">a</a>"))
            .pages("/a")
            .done("/", "/a")
            .hostNever("fr-hreflang.localhost")
            .build());
  }

  private static UglyHost.Builder withRealPages(UglyHost.Builder host, String trap) {
    List<String> real = IntStream.range(0, REAL_PAGES).mapToObj(i -> "/real/" + i).toList();
    List<String> links = new ArrayList<>(real);
    links.addFirst(trap);
    return host.links(links.toArray(String[]::new))
        .pages(real.toArray(String[]::new))
        .done(real.toArray(String[]::new));
  }

  private static String manyLinks() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < MANY_LINKS; i++) {
      text.append("<a href=/l").append(i).append(">x</a>");
    }
    return text.toString();
  }
}
