package dev.fairfleet.local.web.ugly;

import static dev.fairfleet.local.web.ugly.UglyHost.host;

import dev.fairfleet.local.web.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Hosts whose trouble is their sitemaps and feeds, which robots.txt names. */
final class UglySitemaps {
  private static final String XML = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  private static final String SITEMAP = "Sitemap: {site}/sitemap.xml";
  private static final int MANY = 60_000;

  private UglySitemaps() {}

  static List<UglyHost> hosts() {
    List<UglyHost> hosts = new ArrayList<>(shapes());
    hosts.addAll(indexes());
    hosts.addAll(hostile());
    return hosts;
  }

  private static List<UglyHost> shapes() {
    return List.of(
        lone("sitemap", "Pages that only its sitemap names.")
            .at("/sitemap.xml", visit -> Replies.xml(urls(visit, "/1", "/2")))
            .pages("/1", "/2")
            .done("/1", "/2")
            .asked("/sitemap.xml", 1)
            .build(),
        host("sitemap-gz", "A sitemap as a gzip file, with the type of one.")
            .robots("User-agent: *", "Disallow: /x", "Sitemap: {site}/sitemap.xml.gz")
            .links()
            .at(
                "/sitemap.xml.gz",
                visit ->
                    Replies.bytes(
                        "application/gzip", Replies.gzip(Replies.utf8(urls(visit, "/1", "/x")))))
            .pages("/1", "/x")
            .done("/", "/1")
            .never("/x")
            .build(),
        lone("sitemap-text", "A sitemap of plain lines.")
            .at(
                "/sitemap.xml",
                visit ->
                    Replies.text(
                        "\ufeff" + visit.url("/1") + "\r\n" + visit.url("/2") + "\n\nnonsense\n"))
            .pages("/1", "/2")
            .done("/1", "/2")
            .build(),
        host(
                "sitemap-bom",
                "Sitemaps after a blank line, after a byte order mark, and as text/html from a .php (P70).")
            .robots(
                "Sitemap: {site}/blank.xml", "Sitemap: {site}/bom.xml", "Sitemap: {site}/map.php")
            .links()
            .at("/blank.xml", visit -> Replies.xml("\n  " + urls(visit, "/1")))
            .at("/bom.xml", visit -> Replies.xml("\ufeff" + urls(visit, "/2")))
            .at("/map.php", visit -> Answer.Reply.html(200, urls(visit, "/3")))
            .pages("/1", "/2", "/3")
            .done("/", "/1", "/2", "/3")
            .build(),
        lone(
                "sitemap-raw-ampersand",
                "Twenty URLs, one with a raw ampersand, one without an end tag (P73).")
            .at("/sitemap.xml", visit -> Replies.xml(raw(visit)))
            .under("/p", visit -> Replies.page("In the sitemap", ""))
            .done(IntStream.range(0, 9).mapToObj(i -> "/p" + i).toArray(String[]::new))
            .done(IntStream.range(10, 20).mapToObj(i -> "/p" + i).toArray(String[]::new))
            .build(),
        lone("feed-rss", "An RSS feed with an entity that XML does not know (P73).")
            .at(
                "/sitemap.xml",
                visit ->
                    Replies.bytes(
                        "application/rss+xml",
                        Replies.utf8(
                            XML
                                + "<rss version=\"2.0\"><channel><title>Caf&eacute;</title><link>"
                                + visit.url("/")
                                + "</link><item><title>Un caf&eacute;</title><link>"
                                + visit.url("/1")
                                + "</link></item><item><guid>"
                                + visit.url("/2")
                                + "</guid></item></channel></rss>")))
            .pages("/1", "/2")
            .done("/1", "/2")
            .build(),
        lone("feed-atom", "An Atom feed.")
            .at(
                "/sitemap.xml",
                visit ->
                    Replies.bytes(
                        "application/atom+xml",
                        Replies.utf8(
                            XML
                                + "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>News</title><link rel=\"self\" href=\""
                                + visit.url("/sitemap.xml")
                                + "\"/><entry><title>One</title><link href=\""
                                + visit.url("/1")
                                + "\"/></entry><entry><link rel=\"alternate\" type=\"text/html\" href=\""
                                + visit.url("/2")
                                + "\"/></entry></feed>")))
            .pages("/1", "/2")
            .done("/1", "/2")
            .build());
  }

  private static List<UglyHost> indexes() {
    return List.of(
        lone("sitemap-index", "An index of two sitemaps.")
            .at("/sitemap.xml", visit -> Replies.xml(index(visit, "/s1.xml", "/s2.xml")))
            .at("/s1.xml", visit -> Replies.xml(urls(visit, "/1")))
            .at("/s2.xml", visit -> Replies.xml(urls(visit, "/2")))
            .pages("/1", "/2")
            .done("/1", "/2")
            .asked("/s1.xml", 1)
            .asked("/s2.xml", 1)
            .build(),
        host(
                "sitemap-self",
                "An index that lists itself, robots.txt listed as a sitemap, and A lists B lists A (P68).")
            .robots(
                "Sitemap: {site}/sitemap.xml",
                "Sitemap: {site}/robots.txt",
                "Sitemap: {site}/a.xml")
            .links()
            .at("/sitemap.xml", visit -> Replies.xml(index(visit, "/sitemap.xml", "/good.xml")))
            .at("/a.xml", visit -> Replies.xml(index(visit, "/b.xml")))
            .at("/b.xml", visit -> Replies.xml(index(visit, "/a.xml")))
            .at("/good.xml", visit -> Replies.xml(urls(visit, "/1")))
            .pages("/1")
            .done("/", "/1")
            .asked("/sitemap.xml", 1)
            .asked("/a.xml", 1)
            .asked("/b.xml", 0, 1)
            .asked("/robots.txt", 1, 2)
            .build(),
        deepIndex());
  }

  private static UglyHost deepIndex() {
    UglyHost.Builder host =
        host(
                "sitemap-index-deep",
                "Indexes of indexes, thirty levels deep: followed a few, and then no more (P68).")
            .robots("Sitemap: {site}/level/0")
            .links();
    for (int i = 0; i < 30; i++) {
      String next = "/level/" + (i + 1);
      host.at("/level/" + i, visit -> Replies.xml(index(visit, next)));
    }
    return host.at("/level/30", visit -> Replies.xml(urls(visit, "/1")))
        .pages("/1")
        .done("/")
        .asked("/level/0", 1)
        .never("/level/30")
        .build();
  }

  private static List<UglyHost> hostile() {
    return List.of(
        lone("sitemap-bomb", "A sitemap of 1 MB that unpacks to 1 GiB (P52).")
            .at("/sitemap.xml", visit -> Replies.bomb("application/gzip", ""))
            .asked("/sitemap.xml", 0, 2)
            .build(),
        lone("sitemap-xxe", "External entities that would ask this host and read a file (P71).")
            .at(
                "/sitemap.xml",
                visit ->
                    Replies.xml(
                        XML
                            + "<!-- "
                            + "padding ".repeat(700)
                            + "-->\n<!DOCTYPE urlset [<!ENTITY % remote SYSTEM \""
                            + visit.url("/hit.dtd")
                            + "\"> %remote; <!ENTITY web SYSTEM \""
                            + visit.url("/hit")
                            + "\"><!ENTITY file SYSTEM \"file:///etc/hostname\">]>\n<urlset><url><loc>"
                            + visit.url("/1")
                            + "</loc></url><url><loc>"
                            + visit.url("/&web;")
                            + "</loc></url><url><loc>"
                            + visit.url("/&file;")
                            + "</loc></url></urlset>"))
            .pages("/1", "/hit", "/hit.dtd")
            .never("/hit", "/hit.dtd")
            .urlsAsked(2, 5)
            .build(),
        lone("sitemap-laughs", "Entities of entities, ten levels, which would be gigabytes (P71).")
            .at("/sitemap.xml", visit -> Replies.xml(laughs(visit)))
            .asked("/sitemap.xml", 0, 2)
            .build(),
        lone(
                "sitemap-foreign-hosts",
                "A sitemap that lists other hosts and private addresses (P73, P41).")
            .at(
                "/sitemap.xml",
                visit ->
                    Replies.xml(
                        sitemap(
                            Stream.of(
                                visit.url("beyond-scope.localhost", "/x"),
                                "http://169.254.169.254/",
                                "http://10.0.0.1/",
                                visit.url("/1")))))
            .pages("/1")
            .done("/1")
            .hostNever("beyond-scope.localhost")
            .refused("http://169.254.169.254/", "scope|address")
            .build(),
        lone("sitemap-404", "Names a sitemap that is not there.")
            .at("/sitemap.xml", visit -> Replies.status(404))
            .asked("/sitemap.xml", 1, 2)
            .build(),
        lone("sitemap-many", "A sitemap of 60,000 URLs, for a site that may have ten pages.")
            .maxPages(10)
            .at(
                "/sitemap.xml",
                visit ->
                    Replies.xml(
                        sitemap(IntStream.range(0, MANY).mapToObj(i -> visit.url("/m" + i)))))
            .under("/m", visit -> Replies.page("One of many", ""))
            .urlsAsked(2, 11)
            .build());
  }

  /** Begins a host whose root has no links. */
  private static UglyHost.Builder lone(String name, String does) {
    return host(name, does).robots(SITEMAP).links().done("/");
  }

  private static String urls(Visit visit, String... paths) {
    return sitemap(Stream.of(paths).map(visit::url));
  }

  private static String sitemap(Stream<String> urls) {
    return XML
        + urls.map(url -> "<url><loc>" + url + "</loc></url>\n")
            .collect(
                Collectors.joining(
                    "",
                    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
                    "</urlset>\n"));
  }

  private static String index(Visit visit, String... paths) {
    return XML
        + Stream.of(paths)
            .map(path -> "<sitemap><loc>" + visit.url(path) + "</loc></sitemap>\n")
            .collect(
                Collectors.joining(
                    "",
                    "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
                    "</sitemapindex>\n"));
  }

  private static String raw(Visit visit) {
    return XML
        + IntStream.range(0, 20)
            .mapToObj(
                i -> "<url><loc>" + visit.url(i == 9 ? "/p9?a=1&b=2" : "/p" + i) + "</loc></url>\n")
            .collect(
                Collectors.joining(
                    "", "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n", ""));
  }

  private static String laughs(Visit visit) {
    StringBuilder text = new StringBuilder(XML + "<!DOCTYPE urlset [<!ENTITY l0 \"ha\">");
    for (int i = 1; i <= 10; i++) {
      text.append("<!ENTITY l").append(i).append(" \"");
      text.append(("&l" + (i - 1) + ";").repeat(10)).append("\">");
    }
    return text.append("]>\n<urlset><url><loc>")
        .append(visit.url("/&l10;"))
        .append("</loc></url></urlset>")
        .toString();
  }
}
