package dev.fairfleet.worker.parse;

import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.ContentType;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.parse.Sitemap.Kind;
import dev.fairfleet.worker.parse.XmlScanner.Event;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackReader;
import java.io.Reader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jsoup.parser.Parser;

/**
 * Reads sitemaps (sitemaps.org) and feeds: XML, plain text, RSS, RDF and Atom, packed or not.
 *
 * <p>What a file is, its first bytes and its first tag say; its name and content type do not count.
 * A broken entry is lost and counted, and the others are read; no DTD is read, no entity is
 * expanded beyond those of HTML, nothing else is ever asked for. The file is read forwards, so
 * besides the file and its entries only a few kilobytes are held. Immutable, safe for many threads.
 */
public final class SitemapReader {
  private static final int MOST_PACKINGS = 2;
  private static final int BUFFER = 64 * 1024;
  private static final int MOST_BLANKS = 64 * 1024;
  private static final int MOST_STRANGE_LINES = 100;
  private static final Set<String> SITEMAP_ELEMENTS = Set.of("url", "sitemap");
  private static final Set<String> FEED_ELEMENTS = Set.of("item", "entry");
  private static final Set<String> DATES =
      Set.of("lastmod", "pubdate", "date", "updated", "published");
  private static final Pattern UNKNOWN_ENTITY = Pattern.compile("&[A-Za-z][A-Za-z0-9._-]*;");

  private final SitemapLimits limits;

  public SitemapReader(SitemapLimits limits) {
    this.limits = limits;
  }

  /** Returns what is in a file that was fetched. */
  public Sitemap read(Fetched file) {
    Sitemap sitemap = read(file.body().bytes(), file.contentType(), file.url());
    if (file.oddity().isEmpty()) {
      return sitemap;
    }
    String oddity = sitemap.oddity();
    return new Sitemap(
        sitemap.kind(),
        sitemap.children(),
        sitemap.entries(),
        oddity.isEmpty() ? file.oddity() : file.oddity() + "; " + oddity);
  }

  /**
   * Returns what is in a file.
   *
   * @param type only its charset counts
   * @param url where the file is, which relative URLs in it are resolved against
   */
  public Sitemap read(byte[] body, ContentType type, CrawlUrl url) {
    Reading reading = new Reading(url);
    Capped in = new Capped(unpacked(new ByteArrayInputStream(body), 0), limits.bytes());
    try {
      BufferedInputStream ahead = new BufferedInputStream(in, BUFFER);
      ahead.mark(BUFFER);
      byte[] head = ahead.readNBytes(BUFFER);
      ahead.reset();
      PageCharset charset = PageCharset.of(head, type.charset());
      ahead.skipNBytes(charset.markLength());
      reading.read(new InputStreamReader(ahead, charset.charset()));
    } catch (IOException e) {
      // The bytes are in memory: only what they are packed in can break.
      reading.losses.add("its gzip breaks off");
    }
    if (in.cut) {
      reading.losses.add("cut at " + limits.bytes() + " bytes");
    }
    return reading.result();
  }

  /** Undoes gzip, whatever the file is called, and once more if that was packed again. */
  private static InputStream unpacked(InputStream in, int packings) {
    BufferedInputStream ahead = new BufferedInputStream(in);
    try {
      ahead.mark(2);
      boolean gzip = ahead.read() == 0x1f && ahead.read() == 0x8b;
      ahead.reset();
      return gzip && packings < MOST_PACKINGS
          ? unpacked(new GZIPInputStream(ahead), packings + 1)
          : ahead;
    } catch (IOException e) {
      return ahead;
    }
  }

  /** Ends a stream at a number of bytes. */
  private static final class Capped extends FilterInputStream {
    private long left;
    private boolean cut;

    Capped(InputStream in, long most) {
      super(in);
      this.left = most;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      if (left == 0) {
        cut |= super.read() >= 0;
        return -1;
      }
      int read = super.read(buffer, from, (int) Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }
  }

  /** What was gathered of one file so far. */
  private final class Reading {
    private final CrawlUrl file;
    private final List<SitemapEntry> children = new ArrayList<>();
    private final List<SitemapEntry> entries = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();
    private Kind kind = Kind.NONE;
    private String root = "";
    private int broken;
    private boolean full;

    Reading(CrawlUrl file) {
      this.file = file;
    }

    void read(Reader in) throws IOException {
      PushbackReader ahead = new PushbackReader(in);
      int c = ahead.read();
      for (int blanks = 0; c >= 0 && c <= ' ' && blanks < MOST_BLANKS; blanks++) {
        c = ahead.read();
      }
      if (c >= 0) {
        ahead.unread(c);
      }
      if (c == '<') {
        elements(new XmlScanner(ahead));
      } else {
        lines(ahead);
      }
    }

    Sitemap result() {
      if (kind == Kind.NONE) {
        losses.add(root.isEmpty() ? "neither XML nor a list of URLs" : "<" + root + "> is none");
      }
      if (full) {
        losses.add("more than " + limits.entries() + " entries, the rest is not read");
      }
      if (broken > 0) {
        losses.add(broken == 1 ? "1 entry without a URL" : broken + " entries without a URL");
      }
      String oddity = losses.isEmpty() ? "" : "sitemap: " + String.join(", ", losses);
      return new Sitemap(kind, children, entries, oddity);
    }

    private void elements(XmlScanner scanner) throws IOException {
      Event event = scanner.next();
      while (event != Event.START && event != Event.EOF) {
        event = scanner.next();
      }
      root = scanner.name();
      kind = kind(root);
      String prefix = scanner.prefix();
      Optional<Element> open = Optional.empty();
      while (event != Event.EOF && kind != Kind.NONE && !full) {
        event = scanner.next();
        switch (event) {
          case START -> {
            boolean begins =
                kind == Kind.FEED
                    ? FEED_ELEMENTS.contains(scanner.name())
                    : SITEMAP_ELEMENTS.contains(scanner.name()) && scanner.prefix().equals(prefix);
            if (begins) {
              // An element that was not closed ends where the next one begins.
              open.ifPresent(this::add);
              open = Optional.of(new Element(scanner));
            } else {
              open.ifPresent(element -> element.start(scanner));
            }
          }
          case END -> {
            if (open.filter(element -> element.isClosedBy(scanner)).isPresent()) {
              add(open.get());
              open = Optional.empty();
            } else {
              open.ifPresent(Element::end);
            }
          }
          case TEXT -> open.ifPresent(element -> element.text(unescaped(scanner.text())));
          case CDATA -> open.ifPresent(element -> element.text(scanner.text()));
          case EOF -> open.ifPresent(this::add);
        }
      }
    }

    private static Kind kind(String root) {
      return switch (root) {
        case "urlset" -> Kind.URLS;
        case "sitemapindex" -> Kind.INDEX;
        case "rss", "rdf", "feed" -> Kind.FEED;
        default -> Kind.NONE;
      };
    }

    private void lines(Reader in) throws IOException {
      StringBuilder line = new StringBuilder();
      int c;
      do {
        c = in.read();
        if (c >= 0 && c != '\n' && c != '\r') {
          if (line.length() < XmlScanner.LONGEST) {
            line.append((char) c);
          }
        } else if (!line.isEmpty()) {
          String text = line.toString().strip();
          line.setLength(0);
          if (!text.isEmpty()) {
            add(CrawlUrl.parse(text), Optional.empty(), entries);
          }
        }
        // A text whose beginning is no list is none.
      } while (c >= 0 && !full && (broken < MOST_STRANGE_LINES || !entries.isEmpty()));
      kind = entries.isEmpty() ? Kind.NONE : Kind.TEXT;
      broken = entries.isEmpty() ? 0 : broken;
    }

    private void add(Element element) {
      Optional<CrawlUrl> url =
          Optional.of(element.url())
              .filter(text -> !text.isBlank() && !UNKNOWN_ENTITY.matcher(text).find())
              .flatMap(file::resolve);
      add(url, element.modified(), element.name.equals("sitemap") ? children : entries);
    }

    private void add(Optional<CrawlUrl> url, Optional<Instant> modified, List<SitemapEntry> list) {
      if (url.isEmpty()) {
        broken++;
      } else if (children.size() + entries.size() == limits.entries()) {
        full = true;
      } else {
        list.add(new SitemapEntry(url.get(), modified));
      }
    }
  }

  private static String unescaped(String text) {
    return text.indexOf('&') < 0 ? text : Parser.unescapeEntities(text, true);
  }

  /** One url, sitemap, item or entry, and what is known of it so far. */
  private static final class Element {
    final String name;
    private final String prefix;
    private final StringBuilder value = new StringBuilder();
    private String field = "";
    private String url;
    private String date = "";

    Element(XmlScanner scanner) {
      name = scanner.name();
      prefix = scanner.prefix();
      url = scanner.attributes().getOrDefault("rdf:about", "");
    }

    boolean isClosedBy(XmlScanner scanner) {
      return scanner.name().equals(name) && scanner.prefix().equals(prefix);
    }

    void start(XmlScanner scanner) {
      end();
      boolean own = scanner.prefix().equals(prefix);
      String child = scanner.name();
      if (DATES.contains(child)) {
        field = child;
      } else if (own && name.equals("entry") && child.equals("link")) {
        String rel = scanner.attributes().getOrDefault("rel", "alternate");
        if (url.isEmpty() && rel.equalsIgnoreCase("alternate")) {
          url = unescaped(scanner.attributes().getOrDefault("href", ""));
        }
      } else if (own && child.equals(name.equals("item") ? "link" : "loc")) {
        field = child;
      } else if (own && child.equals("guid")) {
        field = "false".equals(scanner.attributes().get("ispermalink")) ? "" : child;
      }
    }

    void text(String text) {
      if (!field.isEmpty() && value.length() < XmlScanner.LONGEST) {
        value.append(text);
      }
    }

    /** Ends the child that is open, however that comes. */
    void end() {
      String text = value.toString().strip();
      if (DATES.contains(field)) {
        // When a thing changed matters more than when it first came out.
        date = date.isEmpty() || field.equals("updated") ? text : date;
      } else if (!text.isEmpty() && (!field.equals("guid") || url.isEmpty())) {
        url = text;
      }
      field = "";
      value.setLength(0);
    }

    String url() {
      end();
      return url;
    }

    Optional<Instant> modified() {
      return WebDates.parse(date);
    }
  }
}
