package dev.fairfleet.local.web.ugly;

import static dev.fairfleet.local.web.ugly.UglyHost.host;

import dev.fairfleet.local.web.Answer;
import dev.fairfleet.local.web.Answer.Field;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Hosts whose trouble is what their bytes mean: charsets, types, broken HTML, and directives. */
final class UglyText {
  private static final Charset CYRILLIC = Charset.forName("windows-1251");
  private static final Charset SHIFT_JIS = Charset.forName("Shift_JIS");
  private static final String RUSSIAN = "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440";
  private static final String JAPANESE =
      "\u65e5\u672c\u8a9e\u306e\u30da\u30fc\u30b8\u306e\u898b\u51fa\u3057";
  private static final String CHINESE = "\u4e2d\u6587\u7f51\u9875\u6807\u9898";
  private static final String KOREAN = "\ud55c\uad6d\uc5b4 \ud398\uc774\uc9c0";
  private static final String GERMAN = "Gr\u00f6\u00dfe";

  private UglyText() {}

  static List<UglyHost> hosts() {
    List<UglyHost> hosts = new ArrayList<>(charsets());
    hosts.addAll(types());
    hosts.addAll(html());
    hosts.addAll(directives());
    return hosts;
  }

  private static List<UglyHost> charsets() {
    return List.of(
        charset(
            "charset-1251-header",
            "Windows-1251 by header and meta, mostly ASCII (P48).",
            "text/html; charset=windows-1251",
            CYRILLIC,
            "windows-1251",
            RUSSIAN),
        charset(
            "charset-meta",
            "Windows-1251 by meta alone (P48).",
            "text/html",
            CYRILLIC,
            "windows-1251",
            RUSSIAN),
        charset(
            "charset-header-wins",
            "The header says UTF-8, and is right; the meta says windows-1251 (P48).",
            "text/html; charset=utf-8",
            StandardCharsets.UTF_8,
            "windows-1251",
            RUSSIAN),
        charset(
            "charset-bom-conflict",
            "A UTF-8 byte order mark against a header that says ISO 8859-1 (P48).",
            "text/html; charset=iso-8859-1",
            StandardCharsets.UTF_8,
            "iso-8859-1",
            RUSSIAN,
            "\ufeff"),
        charset(
            "charset-utf-16",
            "UTF-16 with a byte order mark, and no other label.",
            "text/html",
            StandardCharsets.UTF_16,
            "",
            RUSSIAN),
        charset(
            "charset-sjis-unlabelled",
            "Shift_JIS without any label (P48).",
            "text/html",
            SHIFT_JIS,
            "",
            JAPANESE),
        charset(
            "charset-1251-unlabelled",
            "Windows-1251 without any label.",
            "text/html",
            CYRILLIC,
            "",
            RUSSIAN),
        charset(
            "charset-unknown-label",
            "A header with a charset that does not exist: the meta is next (P48).",
            "text/html; charset=klingon-1",
            CYRILLIC,
            "windows-1251",
            RUSSIAN),
        charset(
            "charset-latin-1",
            "ISO 8859-1, by which the web means windows-1252: the euro sign.",
            "text/html; charset=iso-8859-1",
            Charset.forName("windows-1252"),
            "",
            "5 \u20ac"),
        charset(
            "charset-gb2312",
            "Labelled gb2312, which means GBK.",
            "text/html; charset=gb2312",
            Charset.forName("GBK"),
            "",
            CHINESE),
        charset(
            "charset-euc-kr",
            "Labelled ks_c_5601-1987, which means EUC-KR.",
            "text/html",
            Charset.forName("EUC-KR"),
            "ks_c_5601-1987",
            KOREAN),
        host(
                "charset-wrong-header",
                "The header says UTF-8, but the bytes are windows-1251: no exception, and its links are followed (P48).")
            .at(
                "/",
                visit ->
                    Replies.encoded(
                        "text/html; charset=utf-8",
                        CYRILLIC,
                        Replies.html(RUSSIAN, Replies.anchors("/a"))))
            .pages("/a")
            .done("/", "/a")
            .build());
  }

  private static UglyHost charset(
      String name, String does, String type, Charset charset, String meta, String title) {
    return charset(name, does, type, charset, meta, title, "");
  }

  private static UglyHost charset(
      String name,
      String does,
      String type,
      Charset charset,
      String meta,
      String title,
      String mark) {
    String html =
        mark
            + "<!doctype html><html><head>"
            + (meta.isEmpty() ? "" : "<meta charset=\"" + meta + "\">")
            + "<title>"
            + title
            + "</title></head><body>"
            + ("<p>" + title + "</p>\n").repeat(20)
            + "</body></html>";
    return host(name, does)
        .at("/", visit -> Replies.encoded(type, charset, html))
        .titled("/", title)
        .build();
  }

  private static List<UglyHost> types() {
    String linked = Replies.html("Typed", Replies.anchors("/a"));
    return List.of(
        typed(
            "type-uppercase",
            "TEXT/HTML;Charset=\"utf-8\" (P61).",
            new Field("Content-Type", "TEXT/HTML;Charset=\"utf-8\"")),
        typed(
            "type-twice",
            "text/html twice, in two lines (P61).",
            new Field("Content-Type", "text/html"),
            new Field("Content-Type", "text/html")),
        typed(
            "no-type",
            "No Content-Type at all: found out from the first bytes (P61).",
            new Field("Content-Type", "")),
        typed(
            "xhtml",
            "XHTML as application/xhtml+xml (P61).",
            new Field("Content-Type", "application/xhtml+xml")),
        host("no-type-binary", "No Content-Type, and a picture.")
            .at("/", visit -> Replies.bytes("", picture()))
            .skipped("/", "type")
            .noRecord("/")
            .build(),
        host("text-plain", "Plain text that looks like HTML: read, but its links are none (P61).")
            .at("/", visit -> Replies.text(linked))
            .pages("/a")
            .done("/")
            .never("/a")
            .build(),
        host("pdf", "A PDF, labelled as one.")
            .at("/", visit -> Replies.bytes("application/pdf", pdf()))
            .skipped("/", "type")
            .build(),
        host("pdf-as-html", "A PDF labelled as HTML: not read as one (P61).")
            .at("/", visit -> Replies.bytes("text/html", pdf()))
            .ends("/", ".", End.SKIPPED, End.DONE)
            .noRecord("/")
            .build());
  }

  private static UglyHost typed(String name, String does, Field... fields) {
    String html = Replies.html(GERMAN, Replies.anchors("/a"));
    return host(name, does)
        .at("/", visit -> new Answer.Reply(200, List.of(fields), () -> Replies.utf8(html)))
        .pages("/a")
        .titled("/", GERMAN)
        .done("/a")
        .build();
  }

  private static List<UglyHost> html() {
    return List.of(
        host("deep-nesting", "A hundred thousand nested elements (P63).")
            .links("/deep", "/a")
            .at("/deep", visit -> Replies.page("Deep", "<span><i>".repeat(50_000) + "bottom"))
            .pages("/a")
            .done("/deep", "/a")
            .asked("/deep", 1)
            .build(),
        host("deep-tables", "Twenty thousand tables, each in the other.")
            .links("/deep", "/a")
            .at("/deep", visit -> Replies.page("Deep", "<table><tr><td>".repeat(20_000) + "bottom"))
            .pages("/a")
            .done("/deep", "/a")
            .build(),
        host("misnested", "Ten thousand formatting elements, none closed in order.")
            .links("/m", "/a")
            .at("/m", visit -> Replies.page("Misnested", "<b><p></b><i></p>".repeat(10_000)))
            .pages("/a")
            .done("/m", "/a")
            .build(),
        host("long-attribute", "One attribute of five megabytes (P63).")
            .links("/long", "/a")
            .at(
                "/long",
                visit -> Replies.page("Long", "<p title=\"" + "x".repeat(5_000_000) + "\">end"))
            .pages("/a")
            .titled("/long", "Long")
            .done("/a")
            .build(),
        host("unclosed-comment", "A comment of ten megabytes that never ends (P63).")
            .links("/c", "/a")
            .at("/c", visit -> Replies.page("Comment", "<!-- " + "x".repeat(10_000_000)))
            .pages("/a")
            .titled("/c", "Comment")
            .done("/a")
            .build(),
        host("nul-bytes", "NULs, lone surrogates as entities, and entities without end.")
            .at(
                "/",
                visit ->
                    Replies.page(
                        "Nul\u0000s",
                        "<p>\u0000&#0;&#xd800;&#x110000;&#99999999999;&amp"
                            + Replies.anchors("/a")))
            .pages("/a")
            .done("/", "/a")
            .build(),
        host("long-title", "A title of a million characters: cut in the record.")
            .at("/", visit -> Replies.page("T".repeat(1_000_000), Replies.anchors("/a")))
            .pages("/a")
            .done("/", "/a")
            .build());
  }

  private static List<UglyHost> directives() {
    return List.of(
        directed(
                "meta-robots-none",
                "META ROBOTS NONE in capitals: no record, and no link followed (P64).",
                "<META NAME=\"ROBOTS\" CONTENT=\"NONE\">")
            .noRecord("/p")
            .never("/hidden")
            .build(),
        directed(
                "meta-robots-glued",
                "Attributes with no space between them (P64).",
                "<meta name=\"robots\"content=\"noindex,nofollow\">")
            .noRecord("/p")
            .never("/hidden")
            .build(),
        directed(
                "meta-robots-comment",
                "The tag within a comment, which says nothing (P64).",
                "<!-- <meta name=\"robots\" content=\"none\"> -->")
            .titled("/p", "Directed")
            .done("/hidden")
            .build(),
        directed(
                "meta-robots-two",
                "Two tags that disagree: the strictest wins (P64).",
                "<meta name=\"robots\" content=\"index, follow\"><meta name=\"robots\" content=\"noindex, nofollow\">")
            .noRecord("/p")
            .never("/hidden")
            .build(),
        directed(
                "meta-robots-named",
                "A tag for us by name, and one for another.",
                "<meta name=\"fairfleet\" content=\"noindex\"><meta name=\"otherbot\" content=\"nofollow\">")
            .noRecord("/p")
            .done("/hidden")
            .build(),
        tagged(
                "x-robots-tag",
                "X-Robots-Tag twice, once for all and once for us (P65).",
                "nofollow",
                "fairfleet: noindex")
            .noRecord("/p")
            .never("/hidden")
            .build(),
        tagged(
                "x-robots-tag-other",
                "X-Robots-Tag for another agent only (P65).",
                "otherbot: noindex, nofollow")
            .titled("/p", "Tagged")
            .done("/hidden")
            .build(),
        tagged(
                "x-robots-tag-date",
                "unavailable_after, with a date that has colons and commas, far ahead (P65).",
                "unavailable_after: Sat, 01 Jan 2050 00:00:00 GMT")
            .titled("/p", "Tagged")
            .done("/hidden")
            .build());
  }

  private static UglyHost.Builder directed(String name, String does, String head) {
    return host(name, does)
        .links("/p")
        .at(
            "/p",
            visit ->
                Answer.Reply.html(
                    200,
                    "<!doctype html><html><head><title>Directed</title>"
                        + head
                        + "</head><body><a href=\"/hidden\">x</a></body></html>"))
        .pages("/hidden")
        .done("/p");
  }

  private static UglyHost.Builder tagged(String name, String does, String... values) {
    Field[] fields = new Field[values.length];
    for (int i = 0; i < values.length; i++) {
      fields[i] = new Field("X-Robots-Tag", values[i]);
    }
    return host(name, does)
        .links("/p")
        .at("/p", visit -> Replies.page("Tagged", Replies.anchors("/hidden"), fields))
        .pages("/hidden")
        .done("/p");
  }

  private static byte[] pdf() {
    return "%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n\u0000\u0001\u0002"
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] picture() {
    return "\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR".getBytes(StandardCharsets.ISO_8859_1);
  }
}
