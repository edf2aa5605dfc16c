package dev.fairfleet.local.web.ugly;

import static dev.fairfleet.local.web.ugly.UglyHost.host;

import dev.fairfleet.local.web.Answer;
import dev.fairfleet.local.web.Answer.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Hosts whose trouble is their robots.txt (RFC 9309), for a crawler named fairfleet. */
final class UglyRobots {
  private static final String ROBOTS = "/robots.txt";
  private static final int KIB = 1024;

  private UglyRobots() {}

  static List<UglyHost> hosts() {
    return List.of(
        host(
                "robots-404",
                "Has no robots.txt, which allows everything; it is asked for it once, not once a page (P14).")
            .links("/a", "/b", "/c")
            .pages("/a", "/b", "/c")
            .done("/", "/a", "/b", "/c")
            .asked(ROBOTS, 1, 2)
            .build(),
        host(
                "robots-401",
                "Answers 401 for robots.txt, a 4xx, which allows everything (RFC 9309, 2.3.1.3).")
            .robots(visit -> Replies.status(401))
            .links("/a")
            .pages("/a")
            .done("/", "/a")
            .build(),
        host(
                "robots-503-then-200",
                "Answers 503 for robots.txt for three seconds, then bars /x (P02).")
            .robots(
                visit ->
                    visit.sinceFirst().compareTo(Duration.ofSeconds(3)) < 0
                        ? Replies.status(503)
                        : Replies.text("User-agent: *\nDisallow: /x\n"))
            .links("/x", "/a")
            .pages("/x", "/a")
            .done("/", "/a")
            .skipped("/x", "robots")
            .othersWait(ROBOTS, Duration.ofSeconds(3))
            .never("/x")
            .build(),
        host(
                "robots-503",
                "Answers 503 for robots.txt for ever: nothing else may be asked for (P02).")
            .robots(visit -> Replies.status(503))
            .links("/a")
            .waits("/", "robots")
            .never("/", "/a")
            .asked(ROBOTS, 1, Integer.MAX_VALUE)
            .build(),
        host("robots-reset", "Resets the connection for robots.txt only (P03).")
            .robots(visit -> Replies.reset())
            .links()
            .waits("/", "robots")
            .never("/")
            .asked(ROBOTS, 1, Integer.MAX_VALUE)
            .build(),
        host("robots-silent", "Accepts a request for robots.txt and never answers (P03).")
            .robots(visit -> Replies.silence())
            .links()
            .waits("/", "robots")
            .never("/")
            .asked(ROBOTS, 1, Integer.MAX_VALUE)
            .build(),
        host(
                "robots-429",
                "Answers 429 for robots.txt once and asks for 4 s: no page before (P04).")
            .robots(
                visit ->
                    visit.number() == 1
                        ? Replies.status(429, new Field("Retry-After", "4"))
                        : Replies.text("User-agent: *\nDisallow: /x\n"))
            .links("/x", "/a")
            .pages("/x", "/a")
            .done("/", "/a")
            .skipped("/x", "robots")
            .rests(ROBOTS, Duration.ofSeconds(4))
            .build(),
        host(
                "robots-slow",
                "Sends robots.txt a second and a half after it is asked for; pages wait for it.")
            .robots(
                visit ->
                    new Answer.Takeover(
                        (fromClient, toClient) -> {
                          Pause.of(Duration.ofMillis(1_500));
                          Replies.head(toClient, "text/plain", "Content-Length: 27");
                          Replies.ascii(toClient, "User-agent: *\nDisallow: /x\n");
                        }))
            .links("/x", "/a")
            .pages("/x", "/a")
            .done("/", "/a")
            .skipped("/x", "robots")
            .othersWait(ROBOTS, Duration.ofMillis(1_500))
            .build(),
        host("robots-longest", "The longest rule wins, not the first, and Allow wins a tie (P05).")
            .robots(
                "User-agent: *",
                "Disallow: /w/",
                "Allow: /w/ok.html",
                "Disallow: /tie",
                "Allow: /tie")
            .links("/w/ok.html", "/w/no.html", "/tie")
            .pages("/w/ok.html", "/w/no.html", "/tie")
            .done("/w/ok.html", "/tie")
            .skipped("/w/no.html", "robots")
            .never("/w/no.html")
            .build(),
        host(
                "robots-encoded",
                "Rules with %2F and %2A, which are neither separator nor wildcard (P07).")
            .robots("User-agent: *", "Disallow: /*%2F*", "Disallow: /s-%2A.html")
            .links("/a/b", "/a%2Fb", "/s-*.html", "/s-1.html")
            .pages("/a/b", "/a%2Fb", "/s-*.html", "/s-1.html")
            .done("/a/b", "/s-1.html")
            .skipped("/a%2Fb", "robots")
            .never("/a%2Fb", "/s-*.html")
            .build(),
        host("robots-wildcards", "Rules with * and $ (RFC 9309, 2.2.3).")
            .robots("User-agent: *", "Disallow: /*.php$", "Disallow: /*/private/")
            .links("/a.php", "/a.php5", "/x/private/1", "/private/1")
            .pages("/a.php", "/a.php5", "/x/private/1", "/private/1")
            .done("/a.php5", "/private/1")
            .skipped("/a.php", "robots")
            .skipped("/x/private/1", "robots")
            .build(),
        host(
                "robots-groups",
                "Two groups for one agent, one of them stacked and in capitals, beside one for all (P09).")
            .robots(
                "User-agent: fairfleet",
                "Disallow: /a",
                "",
                "User-agent: *",
                "Disallow: /c",
                "",
                "User-agent: other",
                "User-agent: FAIRFLEET",
                "Disallow: /b")
            .links("/a", "/b", "/c")
            .pages("/a", "/b", "/c")
            .skipped("/a", "robots")
            .skipped("/b", "robots")
            .done("/c")
            .build(),
        host("robots-delay", "Asks for a Crawl-delay of 1 s, more than our own floor (P12).")
            .robots("User-agent: *", "Crawl-delay: 1")
            .links("/a", "/b", "/c")
            .pages("/a", "/b", "/c")
            .done("/", "/a", "/b", "/c")
            .gaps(Duration.ofSeconds(1))
            .build(),
        host(
                "robots-delay-small",
                "Asks for a Crawl-delay of 0.2 s, where our own floor is 1 s (P12).")
            .robots("User-agent: *", "Crawl-delay: 0.2")
            .minDelay(Duration.ofSeconds(1))
            .links("/a", "/b", "/c")
            .pages("/a", "/b", "/c")
            .done("/", "/a", "/b", "/c")
            .gaps(Duration.ofSeconds(1))
            .build(),
        host("robots-delay-nonsense", "Asks for Crawl-delays abc, -1 and nothing at all (P12).")
            .robots(
                "User-agent: *",
                "Crawl-delay: abc",
                "Crawl-delay: -1",
                "Crawl-delay:",
                "Disallow: /x")
            .links("/a", "/x")
            .pages("/a", "/x")
            .done("/", "/a")
            .skipped("/x", "robots")
            .build(),
        host(
                "robots-delay-huge",
                "Asks for a Crawl-delay of ten days: skipped, and the reason is recorded (P11).")
            .robots("User-agent: *", "Crawl-delay: 864000")
            .links("/a")
            .pages("/a")
            .skipped("/", "delay")
            .never("/", "/a")
            .build(),
        redirects(
                "robots-redirects-5",
                "Redirects robots.txt five times, which is followed (RFC 9309, 2.3.1.2).",
                5)
            .skipped("/x", "robots")
            .never("/x")
            .asked("/robots-hop-1", 1, 2)
            .build(),
        redirects(
                "robots-redirects-6",
                "Redirects robots.txt six times, which counts as none at all (RFC 9309, 2.3.1.2).",
                6)
            .done("/x")
            .build(),
        host(
                "robots-redirect-private",
                "Redirects robots.txt to the metadata address of a cloud (P41).")
            .robots(visit -> Replies.redirect("http://169.254.169.254/robots.txt"))
            .links()
            .ends("/", "robots|address", End.SKIPPED, End.WAITS)
            .never("/")
            .build(),
        host(
                "robots-600k",
                "A robots.txt of 600 KiB: a rule at 400 KiB counts, one at 590 KiB does not (P18).")
            .robots(visit -> Replies.text(large()))
            .links("/x", "/late", "/a")
            .pages("/x", "/late", "/a")
            .skipped("/x", "robots")
            .done("/late", "/a")
            .build(),
        host("robots-600k-redirected", "The same behind a redirect (P18).")
            .robots(visit -> Replies.redirect("/elsewhere.txt"))
            .at("/elsewhere.txt", visit -> Replies.text(large()))
            .links("/x", "/a")
            .pages("/x", "/a")
            .skipped("/x", "robots")
            .done("/a")
            .build(),
        host("robots-50m", "A robots.txt of 50 MB, whose first rule counts (P18).")
            .robots(
                visit ->
                    Replies.repeated(
                        "text/plain",
                        ("User-agent: *\nDisallow: /x\n" + "# nothing to see here\n".repeat(4_000))
                            .getBytes(StandardCharsets.US_ASCII),
                        50_000_000))
            .links("/x", "/a")
            .pages("/x", "/a")
            .skipped("/x", "robots")
            .done("/a")
            .build(),
        host("robots-bomb", "A robots.txt of 1 MB that unpacks to 1 GiB of zeros (P52).")
            .robots(visit -> Replies.bomb("text/plain", "Content-Encoding: gzip\r\n"))
            .links("/a")
            .pages("/a")
            .done("/", "/a")
            .build(),
        host(
                "robots-html",
                "Answers every unknown path, robots.txt too, with 200 and an HTML page.")
            .robots(visit -> Replies.page("Not found", "Disallow: / is nothing here."))
            .links("/a")
            .pages("/a")
            .done("/", "/a")
            .build(),
        host("robots-bom", "A robots.txt that begins with a byte order mark (RFC 9309, 2.3).")
            .robots(visit -> Replies.text("\ufeffUser-agent: *\nDisallow: /x\n"))
            .links("/x", "/a")
            .pages("/x", "/a")
            .skipped("/x", "robots")
            .done("/a")
            .build(),
        host("robots-cr", "A robots.txt whose lines end with CR alone (RFC 9309, 2.2).")
            .robots(visit -> Replies.text("User-agent: *\rDisallow: /x\r"))
            .links("/x", "/a")
            .pages("/x", "/a")
            .skipped("/x", "robots")
            .done("/a")
            .build(),
        host("robots-all", "Bars everything: the root itself is skipped, and names its rule.")
            .robots("User-agent: *", "Disallow: /")
            .links("/a")
            .skipped("/", "robots: Disallow: /")
            .never("/", "/a")
            .build());
  }

  private static UglyHost.Builder redirects(String name, String does, int hops) {
    UglyHost.Builder host =
        host(name, does)
            .robots(visit -> Replies.redirect("/robots-hop-1"))
            .links("/x", "/a")
            .pages("/x", "/a")
            .done("/", "/a");
    for (int i = 1; i < hops; i++) {
      String next = "/robots-hop-" + (i + 1);
      host.at("/robots-hop-" + i, visit -> Replies.redirect(301, next));
    }
    return host.at("/robots-hop-" + hops, visit -> Replies.text("User-agent: *\nDisallow: /x\n"));
  }

  private static String large() {
    String comment = "# nothing to see here, this line is here for its length only ........\n";
    StringBuilder text = new StringBuilder("User-agent: *\nDisallow: /first\n");
    appendUntil(text, comment, 400 * KIB);
    text.append("Disallow: /x\n");
    appendUntil(text, comment, 590 * KIB);
    text.append("Disallow: /late\n");
    appendUntil(text, comment, 600 * KIB);
    return text.toString();
  }

  private static void appendUntil(StringBuilder text, String line, int length) {
    while (text.length() < length) {
      text.append(line);
    }
  }
}
