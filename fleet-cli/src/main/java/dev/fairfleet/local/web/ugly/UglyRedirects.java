package dev.fairfleet.local.web.ugly;

import static dev.fairfleet.local.web.ugly.UglyHost.host;

import dev.fairfleet.local.web.Answer;
import dev.fairfleet.local.web.Answer.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Hosts whose trouble is where they send us: redirects, refreshes, and addresses not to be asked.
 */
final class UglyRedirects {
  private static final int SOURCES = 50;
  private static final List<String> PRIVATE =
      List.of(
          "http://169.254.169.254/latest/meta-data/",
          "http://169.254.170.2/v2/credentials",
          "http://10.0.0.1/",
          "http://172.16.0.1/",
          "http://192.168.0.1/",
          "http://100.64.0.1/",
          "http://0.0.0.0/",
          "http://224.0.0.1/",
          "http://[fd00:ec2::254]/",
          "http://[fe80::1]/");

  private UglyRedirects() {}

  static List<UglyHost> hosts() {
    return List.of(
        host("redirect-into-barred", "Redirects from an allowed path to a barred one (P16).")
            .robots("User-agent: *", "Disallow: /barred/")
            .links("/ok", "/a")
            .at("/ok", visit -> Replies.redirect("/barred/x"))
            .pages("/barred/x", "/a")
            .settled("/ok", "redirect|robots")
            .refused("/barred/x", "robots")
            .never("/barred/x")
            .done("/a")
            .build(),
        host("redirect-loop", "Two pages redirect to each other, for ever.")
            .links("/loop", "/a")
            .at("/loop", visit -> Replies.redirect("/loop-back"))
            .at("/loop-back", visit -> Replies.redirect("/loop"))
            .pages("/a")
            .settled("/loop", "redirect")
            .asked("/loop", 1, 3)
            .asked("/loop-back", 1, 3)
            .done("/a")
            .build(),
        chain("redirect-chain-10", "Redirects ten times before it comes to a page.", 10)
            .titled("/hop/10", "The end of the chain")
            .asked("/hop/10", 1)
            .build(),
        chain("redirect-chain-30", "Redirects thirty times, more than anybody follows.", 30)
            .never("/hop/30")
            .settled("/hop/0", "redirect")
            .build(),
        host(
                "redirect-self-cookie",
                "Redirects to itself to set a cookie, and shows the page to who sends it back (P40).")
            .links("/c")
            .at(
                "/c",
                visit ->
                    visit.request().header("cookie").orElse("").contains("seen=1")
                        ? Replies.page("Behind the cookie", "")
                        : Replies.status(
                            302,
                            new Field("Location", "/c"),
                            new Field("Set-Cookie", "seen=1; Path=/")))
            .titled("/c", "Behind the cookie")
            .asked("/c", 2, 3)
            .build(),
        host(
                "redirect-self-for-ever",
                "Redirects to itself whatever one sends: bounded, and not taken for a duplicate (P40).")
            .links("/c")
            .at(
                "/c",
                visit ->
                    Replies.status(
                        302,
                        new Field("Location", "/c"),
                        new Field("Set-Cookie", "n=" + visit.number())))
            .settled("/c", "redirect|cookie")
            .asked("/c", 1, 11)
            .build(),
        manyToOne().build(),
        host(
                "redirect-relative",
                "Redirects by relative references, against the URL that was asked for (P44).")
            .links("/d/a", "/d/b", "/d/c", "/d/d")
            .at("/d/a", visit -> Replies.redirect("x"))
            .at("/d/b", visit -> Replies.redirect("?q=1"))
            .at("/d/c", visit -> Replies.redirect("../up"))
            .at("/d/d", visit -> Replies.redirect(visit.url("/abs").substring("http:".length())))
            .pages("/d/x", "/d/b?q=1", "/up", "/abs")
            .done("/d/x", "/d/b?q=1", "/up", "/abs")
            .build(),
        host("redirect-spaces", "Redirects to a path with a space, which is %20 and never + (P44).")
            .links("/s")
            .at("/s", visit -> Replies.redirect("/two words.html"))
            .at("/two%20words.html", visit -> Replies.page("Two words", ""))
            .titled("/two%20words.html", "Two words")
            .asked("/two%20words.html", 1)
            .never("/two+words.html")
            .build(),
        host("redirect-utf8", "Redirects to a path in raw UTF-8.")
            .links("/s")
            .at("/s", visit -> Replies.redirect("/caf\u00e9"))
            .at("/caf%C3%A9", visit -> Replies.page("Coffee", ""))
            .titled("/caf%C3%A9", "Coffee")
            .build(),
        host("redirect-fragment", "Redirects to a fragment, which is never sent.")
            .links("/s")
            .at("/s", visit -> Replies.redirect("/p#part"))
            .pages("/p")
            .done("/p")
            .urlsAsked(3, 3)
            .build(),
        host("redirect-empty", "Redirects with an empty Location, and with none (P44).")
            .links("/empty", "/missing", "/a")
            .at("/empty", visit -> Replies.redirect(""))
            .at("/missing", visit -> Replies.status(302))
            .pages("/a")
            .settled("/empty", "redirect|location")
            .settled("/missing", "redirect|location")
            .asked("/empty", 1)
            .asked("/missing", 1)
            .done("/a")
            .build(),
        host("redirect-two-locations", "Redirects with two Locations that differ (P44).")
            .links("/s")
            .at(
                "/s",
                visit ->
                    Replies.status(
                        302, new Field("Location", "/one"), new Field("Location", "/two")))
            .pages("/one", "/two")
            .settled("/s", "location")
            .asked("/s", 1)
            .build(),
        privateAddresses().build(),
        host(
                "redirect-elsewhere",
                "Redirects to a host that is not ours to crawl: the page says so.")
            .links("/s")
            .at("/s", visit -> Replies.redirect(visit.url("beyond-scope.localhost", "/")))
            .settled("/s", "redirect.*scope|scope")
            .hostNever("beyond-scope.localhost")
            .build(),
        host("redirect-schemes", "Redirects to file:, javascript: and ftp:.")
            .links("/file", "/script", "/ftp", "/a")
            .at("/file", visit -> Replies.redirect("file:///etc/hostname"))
            .at("/script", visit -> Replies.redirect("javascript:alert(1)"))
            .at("/ftp", visit -> Replies.redirect("ftp://" + visit.request().host() + "/x"))
            .pages("/a")
            .settled("/file", "redirect")
            .settled("/script", "redirect")
            .settled("/ftp", "redirect")
            .done("/a")
            .build(),
        host(
                "redirect-3xx",
                "Answers 300, 304 without being asked, 305 and 399, which are no redirects to follow in a loop (P46).")
            .links("/300", "/300-with", "/304", "/305", "/399")
            .at("/300", visit -> Replies.status(300))
            .at("/300-with", visit -> Replies.redirect(300, "/preferred"))
            .at("/304", visit -> Replies.status(304))
            .at("/305", visit -> Replies.redirect(305, visit.url("beyond-scope.localhost", "/")))
            .at("/399", visit -> Replies.redirect(399, "/preferred"))
            .pages("/preferred")
            .ends("/300", "300", End.DONE, End.SKIPPED)
            .ends("/300-with", "", End.DONE, End.SKIPPED)
            .ends("/304", "304|not modified|unchanged", End.DONE, End.SKIPPED)
            .ends("/305", "305", End.DONE, End.SKIPPED)
            .ends("/399", "399", End.DONE, End.SKIPPED)
            .asked("/300", 1)
            .asked("/304", 1)
            .asked("/305", 1)
            .asked("/399", 1)
            .hostNever("beyond-scope.localhost")
            .build(),
        host("redirect-307-308", "Redirects by 301, 303, 307 and 308.")
            .links("/301", "/303", "/307", "/308")
            .at("/301", visit -> Replies.redirect(301, "/to-301"))
            .at("/303", visit -> Replies.redirect(303, "/to-303"))
            .at("/307", visit -> Replies.redirect(307, "/to-307"))
            .at("/308", visit -> Replies.redirect(308, "/to-308"))
            .pages("/to-301", "/to-303", "/to-307", "/to-308")
            .done("/to-301", "/to-303", "/to-307", "/to-308")
            .build(),
        host("meta-refresh", "Sends us on by meta refresh, in several spellings.")
            .links("/1", "/2", "/3")
            .at("/1", visit -> refresh("0; url=/to-1"))
            .at("/2", visit -> refresh("5;URL='/to-2'"))
            .at("/3", visit -> refresh(" 0 , url = /to-3 "))
            .pages("/to-1", "/to-2", "/to-3")
            .done("/to-1", "/to-2", "/to-3")
            .build(),
        host("meta-refresh-self", "A page that reloads itself every second is asked for once.")
            .links("/1", "/2")
            .at("/1", visit -> refresh("1"))
            .at("/2", visit -> refresh("1; url=/2"))
            .settled("/1", "")
            .settled("/2", "")
            .asked("/1", 1)
            .asked("/2", 1)
            .build(),
        host("refresh-header", "Sends us on by a Refresh header.")
            .links("/1")
            .at("/1", visit -> Replies.page("Moved", "", new Field("Refresh", "0; url=/to-1")))
            .pages("/to-1")
            .done("/to-1")
            .build());
  }

  private static Answer refresh(String content) {
    return Answer.Reply.html(
        200,
        "<!doctype html><title>Wait</title><META HTTP-EQUIV=\"Refresh\" CONTENT=\""
            + content
            + "\"><p>Please wait.");
  }

  private static UglyHost.Builder chain(String name, String does, int hops) {
    UglyHost.Builder host = host(name, does).links("/hop/0").settled("/hop/0", "redirect");
    for (int i = 0; i < hops; i++) {
      String next = "/hop/" + (i + 1);
      host.at("/hop/" + i, visit -> Replies.redirect(next));
    }
    return host.at("/hop/" + hops, visit -> Replies.page("The end of the chain", ""));
  }

  private static UglyHost.Builder manyToOne() {
    List<String> links =
        new ArrayList<>(IntStream.range(0, SOURCES).mapToObj(i -> "/from/" + i).toList());
    links.addAll(List.of("/new", "/old"));
    UglyHost.Builder host =
        host(
                "redirect-many-to-one",
                "Fifty pages redirect to one, and an old one to a known one (P47).")
            .links(links.toArray(String[]::new))
            .under("/from/", visit -> Replies.redirect("/home"))
            .at("/old", visit -> Replies.redirect("/new"))
            .pages("/home", "/new")
            .done("/home", "/new")
            .asked("/home", 1)
            .asked("/new", 1)
            .settled("/old", "/new");
    for (int i = 0; i < SOURCES; i++) {
      host.settled("/from/" + i, "/home");
    }
    return host;
  }

  private static UglyHost.Builder privateAddresses() {
    UglyHost.Builder host =
        host(
                "redirect-private",
                "Redirects to private, link-local and metadata addresses, which are even in scope: no connection (P41).")
            .links(
                IntStream.range(0, PRIVATE.size()).mapToObj(i -> "/to/" + i).toArray(String[]::new))
            .alsoInScope(PRIVATE.toArray(String[]::new));
    for (int i = 0; i < PRIVATE.size(); i++) {
      String target = PRIVATE.get(i);
      host.at("/to/" + i, visit -> Replies.redirect(target))
          .settled("/to/" + i, "redirect|address")
          .refused(target, "address");
    }
    return host;
  }
}
