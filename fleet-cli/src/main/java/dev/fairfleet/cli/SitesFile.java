package dev.fairfleet.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LinkPolicy;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SitemapPolicy;
import dev.fairfleet.site.TrapLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import dev.fairfleet.worker.parse.Selectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sites that a user names: in a YAML file, or as roots on the command line.
 *
 * <pre>{@code
 * sites:
 *   - root: https://books.example/        # or roots: [...]
 *     id: books                           # default: the root's host and path
 *     hosts: [books.example]              # default: see below
 *     subdomains: false                   # true: every host of the registrable domains, too
 *     include: [/shop/, "*.pdf$"]         # as in robots.txt; default: everything
 *     exclude: ["*?*sort="]
 *     ignoreParameters: [default, ref]    # "default" stands for the usual session and click marks
 *     skipRel: [nofollow]                 # of nofollow, ugc, sponsored
 *     sitemaps: [/sitemap-books.xml]      # besides those that robots.txt names
 *     useRobotsSitemaps: true
 *     limits:
 *       {requestsPerHour: 3600, minDelay: 1s, maxDepth: 10, maxPages: 1000, maxUrlLength: 2048,
 *       maxParameters: 20, maxPathSegments: 20, maxRepeatedSegments: 3, calendarYears: 2}
 *     recrawl: {mode: incremental, every: 1d, fullEvery: 7d, lateness: 6h}
 *     fields: {sku: .sku, price: .price, image: "img.main@src"}
 *     naturalKey: sku
 *     volatile: [price]
 * }</pre>
 *
 * <p>A site that names no hosts has those of its roots. A root on a default port brings its name
 * with and without {@code www.}, on http and on https, because nearly every site redirects from one
 * of these to another.
 */
final class SitesFile {
  private static final int LONGEST_ID = 128;
  private static final String WWW = "www.";
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

  private SitesFile() {}

  private record FileForm(@Nullable List<SiteForm> sites) {}

  private record SiteForm(
      @Nullable String id,
      @Nullable String root,
      @Nullable List<String> roots,
      @Nullable List<String> hosts,
      @Nullable Boolean subdomains,
      @Nullable List<String> include,
      @Nullable List<String> exclude,
      @Nullable List<String> ignoreParameters,
      @Nullable List<String> skipRel,
      @Nullable List<String> sitemaps,
      @Nullable Boolean useRobotsSitemaps,
      @Nullable LimitsForm limits,
      @Nullable Map<String, String> fields,
      @Nullable String naturalKey,
      @JsonProperty("volatile") @Nullable List<String> volatileFields,
      @Nullable RecrawlForm recrawl) {
    static SiteForm ofRoot(String root) {
      return new SiteForm(
          null, root, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null);
    }
  }

  private record LimitsForm(
      @Nullable Integer requestsPerHour,
      @Nullable String minDelay,
      @Nullable Integer maxDepth,
      @Nullable Integer maxPages,
      @Nullable Integer maxUrlLength,
      @Nullable Integer maxParameters,
      @Nullable Integer maxPathSegments,
      @Nullable Integer maxRepeatedSegments,
      @Nullable Integer calendarYears) {}

  private record RecrawlForm(
      @Nullable String mode,
      @Nullable String every,
      @Nullable String fullEvery,
      @Nullable String lateness) {}

  /**
   * Reads one site.
   *
   * @param node as in the file
   * @throws IllegalArgumentException if it is no site; the message says what is allowed
   */
  static Site site(JsonNode node, SiteLimits defaults) {
    try {
      @Nullable SiteForm form = YAML.treeToValue(node, SiteForm.class);
      if (form == null) {
        throw new IllegalArgumentException("it names no root");
      }
      return site(form, defaults);
    } catch (UnrecognizedPropertyException e) {
      throw new IllegalArgumentException(
          "\"" + e.getPropertyName() + "\" is no key here; allowed are " + e.getKnownPropertyIds(),
          e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(firstLine(e.getOriginalMessage()), e);
    }
  }

  /**
   * Hands each site of a YAML file to {@code each}, with its line.
   *
   * @throws IOException if the file is no such YAML from some line on; the sites before were handed
   */
  static void forEachNode(Path file, ObjLongConsumer<JsonNode> each) throws IOException {
    try (JsonParser parser = YAML.createParser(file.toFile())) {
      boolean found = false;
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          if (!parser.currentName().equals("sites")) {
            throw new JsonParseException(
                parser, "\"" + parser.currentName() + "\" is no key here; allowed is sites");
          }
          found = parser.nextToken() == JsonToken.START_ARRAY;
          while (found && parser.nextToken() != JsonToken.END_ARRAY) {
            long line = parser.currentTokenLocation().getLineNr();
            JsonNode node = YAML.readTree(parser);
            each.accept(node, line);
          }
        }
      }
      if (!found) {
        throw new JsonParseException(parser, "it begins with \"sites:\" and a list");
      }
    }
  }

  /** Returns a site as it is written in a file, every value spelled out. */
  static ObjectNode node(Site site) {
    ObjectNode node = YAML.createObjectNode();
    Scope scope = site.scope();
    node.put("id", site.id().value());
    put(node, "roots", site.roots().stream().map(CrawlUrl::toString));
    put(node, "hosts", scope.hosts().stream().map(HostKey::toString).sorted());
    node.put("subdomains", scope.subdomains());
    put(node, "include", scope.include().stream().map(UrlPattern::text));
    put(node, "exclude", scope.exclude().stream().map(UrlPattern::text));
    put(node, "ignoreParameters", scope.ignored().names().stream().sorted());
    put(node, "skipRel", site.links().skippedRels().stream().sorted());
    put(node, "sitemaps", site.sitemaps().listed().stream().map(CrawlUrl::toString));
    node.put("useRobotsSitemaps", site.sitemaps().fromRobots());
    SiteLimits limits = site.limits();
    TrapLimits traps = limits.traps();
    node.putObject("limits")
        .put("requestsPerHour", limits.requestsPerHour())
        .put("minDelay", text(limits.minDelay()))
        .put("maxDepth", limits.maxDepth())
        .put("maxPages", limits.maxPages())
        .put("maxUrlLength", traps.urlLength())
        .put("maxParameters", traps.parameters())
        .put("maxPathSegments", traps.pathSegments())
        .put("maxRepeatedSegments", traps.repeatedSegments())
        .put("calendarYears", traps.yearsAhead());
    RecrawlPolicy recrawl = site.recrawl();
    node.putObject("recrawl")
        .put("mode", recrawl.mode().name().toLowerCase(Locale.ROOT))
        .put("every", text(recrawl.every()))
        .put("fullEvery", text(recrawl.fullEvery()))
        .put("lateness", text(recrawl.lateness()));
    ObjectNode fields = node.putObject("fields");
    site.extraction().fields().forEach(fields::put);
    site.extraction().naturalKey().ifPresent(key -> node.put("naturalKey", key));
    put(node, "volatile", site.extraction().volatileFields().stream().sorted());
    return node;
  }

  private static void put(ObjectNode node, String key, Stream<String> texts) {
    ArrayNode array = node.putArray(key);
    texts.forEach(array::add);
  }

  /** Returns a duration as {@link #duration} reads it. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0s";
    }
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  /**
   * Reads a file of sites.
   *
   * @param defaults limits where a site names none
   * @throws UsageException if the file cannot be read, is no such YAML, or a site is wrong; all
   *     wrong sites are named at once
   */
  static List<Site> read(Path file, SiteLimits defaults) {
    FileForm form;
    try {
      form = YAML.readValue(Files.readString(file), FileForm.class);
    } catch (NoSuchFileException e) {
      throw new UsageException("There is no file " + file + ". Name a YAML file of sites.", e);
    } catch (UnrecognizedPropertyException e) {
      throw new UsageException(
          file
              + placeOfKey(e)
              + ": \""
              + e.getPropertyName()
              + "\" is no key here; allowed are "
              + e.getKnownPropertyIds()
              + ".",
          e);
    } catch (JsonProcessingException e) {
      throw new UsageException(
          file + place(e) + " is no such YAML: " + firstLine(e.getOriginalMessage()), e);
    } catch (IOException e) {
      throw new UsageException("Cannot read " + file + ": " + e, e);
    }
    List<SiteForm> sites = form == null || form.sites() == null ? List.of() : form.sites();
    if (sites.isEmpty()) {
      throw new UsageException(file + " names no site. It begins with \"sites:\" and a list.");
    }
    return checked(file.toString(), sites, defaults);
  }

  /**
   * Returns one site per root.
   *
   * @throws UsageException if a root is no URL; all wrong ones are named at once
   */
  static List<Site> ofRoots(List<String> roots, SiteLimits limits) {
    return checked(
        "The command line", roots.stream().distinct().map(SiteForm::ofRoot).toList(), limits);
  }

  private static List<Site> checked(String where, List<SiteForm> forms, SiteLimits defaults) {
    List<Site> sites = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Set<SiteId> ids = new HashSet<>();
    for (int i = 0; i < forms.size(); i++) {
      try {
        Site site = site(forms.get(i), defaults);
        if (!ids.add(site.id())) {
          throw new IllegalArgumentException(
              "its id " + site.id() + " is taken by a site before it; give it another");
        }
        sites.add(site);
      } catch (IllegalArgumentException e) {
        problems.add("site " + (i + 1) + ": " + e.getMessage());
      }
    }
    if (!problems.isEmpty()) {
      throw new UsageException(
          where + " cannot be crawled as it is:\n  - " + String.join("\n  - ", problems));
    }
    return sites;
  }

  private static Site site(SiteForm form, SiteLimits defaults) {
    List<String> written = new ArrayList<>();
    Optional.ofNullable(form.root()).ifPresent(written::add);
    Optional.ofNullable(form.roots()).ifPresent(written::addAll);
    if (written.isEmpty()) {
      throw new IllegalArgumentException("it names no root");
    }
    List<CrawlUrl> roots = written.stream().map(CrawlUrl::of).distinct().toList();
    ExtractionRules rules =
        new ExtractionRules(
            Optional.ofNullable(form.fields()).orElse(Map.of()),
            Optional.ofNullable(form.naturalKey()),
            Set.copyOf(orNone(form.volatileFields())));
    Selectors.compile(rules);
    return new Site(
        new SiteId(Optional.ofNullable(form.id()).orElseGet(() -> defaultId(roots.getFirst()))),
        roots,
        scope(form, roots),
        limits(form.limits(), defaults),
        rules,
        links(form.skipRel()),
        sitemaps(form, roots.getFirst()),
        recrawl(form.recrawl()));
  }

  private static RecrawlPolicy recrawl(@Nullable RecrawlForm form) {
    RecrawlPolicy defaults = RecrawlPolicy.DEFAULT;
    if (form == null) {
      return defaults;
    }
    return new RecrawlPolicy(
        Optional.ofNullable(form.mode()).map(SitesFile::mode).orElse(defaults.mode()),
        Optional.ofNullable(form.every()).map(SitesFile::duration).orElse(defaults.every()),
        Optional.ofNullable(form.fullEvery()).map(SitesFile::duration).orElse(defaults.fullEvery()),
        Optional.ofNullable(form.lateness()).map(SitesFile::duration).orElse(defaults.lateness()));
  }

  private static CrawlMode mode(String text) {
    for (CrawlMode mode : CrawlMode.values()) {
      if (mode.name().equalsIgnoreCase(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("mode is full or incremental, not \"" + text + "\"");
  }

  private static Scope scope(SiteForm form, List<CrawlUrl> roots) {
    Set<HostKey> hosts = new LinkedHashSet<>();
    for (CrawlUrl root : roots) {
      hosts.add(root.hostKey());
      if (form.hosts() == null) {
        hosts.addAll(alsoAnswering(root));
      }
    }
    for (String host : orNone(form.hosts())) {
      hosts.add(hostKey(host, roots.getFirst()));
    }
    return new Scope(
        hosts,
        Optional.ofNullable(form.subdomains()).orElse(false),
        orNone(form.include()).stream().map(UrlPattern::new).toList(),
        orNone(form.exclude()).stream().map(UrlPattern::new).toList(),
        ignored(form.ignoreParameters()));
  }

  private static HostKey hostKey(String host, CrawlUrl root) {
    return CrawlUrl.parse(root.scheme() + "://" + host + "/")
        .filter(url -> url.pathAndQuery().equals("/"))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "hosts names a host, with or without port, not \"" + host + "\""))
        .hostKey();
  }

  /** Returns the hosts under which a site with this root is likely to answer, too. */
  private static List<HostKey> alsoAnswering(CrawlUrl root) {
    String host = root.hostKey().host();
    if (root.toUri().getPort() >= 0) {
      return List.of();
    }
    boolean address = host.startsWith("[") || Character.isDigit(host.charAt(host.length() - 1));
    boolean bare = !host.startsWith(WWW);
    String other = address ? host : bare ? WWW + host : host.substring(WWW.length());
    return Stream.of(host, other)
        .flatMap(name -> Stream.of(new HostKey(name, 80), new HostKey(name, 443)))
        .toList();
  }

  private static IgnoredParameters ignored(@Nullable List<String> written) {
    if (written == null) {
      return IgnoredParameters.DEFAULT;
    }
    Set<String> names = new LinkedHashSet<>(written);
    if (names.remove("default")) {
      names.addAll(IgnoredParameters.DEFAULT.names());
    }
    return new IgnoredParameters(names);
  }

  private static LinkPolicy links(@Nullable List<String> skipRel) {
    return skipRel == null ? LinkPolicy.DEFAULT : new LinkPolicy(new LinkedHashSet<>(skipRel));
  }

  private static SitemapPolicy sitemaps(SiteForm form, CrawlUrl root) {
    List<CrawlUrl> listed = new ArrayList<>();
    for (String sitemap : orNone(form.sitemaps())) {
      listed.add(
          root.resolve(sitemap)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "sitemaps names http or https URLs, not \"" + sitemap + "\"")));
    }
    return new SitemapPolicy(Optional.ofNullable(form.useRobotsSitemaps()).orElse(true), listed);
  }

  private static List<String> orNone(@Nullable List<String> written) {
    return written == null ? List.of() : written;
  }

  /** Returns the root's host, its port where it has one, and its path where it is not {@code /}. */
  private static String defaultId(CrawlUrl root) {
    int port = root.toUri().getPort();
    String host = port < 0 ? root.hostKey().host() : root.hostKey().toString();
    String path = root.pathAndQuery().replaceAll("[^A-Za-z0-9._-]+", "-");
    String id = path.equals("-") ? host : host + path.replaceAll("-+$", "");
    return id.substring(0, Math.min(id.length(), LONGEST_ID));
  }

  private static SiteLimits limits(@Nullable LimitsForm form, SiteLimits defaults) {
    if (form == null) {
      return defaults;
    }
    return new SiteLimits(
        Optional.ofNullable(form.requestsPerHour()).orElse(defaults.requestsPerHour()),
        Optional.ofNullable(form.minDelay()).map(SitesFile::duration).orElse(defaults.minDelay()),
        Optional.ofNullable(form.maxDepth()).orElse(defaults.maxDepth()),
        Optional.ofNullable(form.maxPages()).orElse(defaults.maxPages()),
        traps(form, defaults.traps()));
  }

  private static TrapLimits traps(LimitsForm form, TrapLimits defaults) {
    return new TrapLimits(
        Optional.ofNullable(form.maxUrlLength()).orElse(defaults.urlLength()),
        Optional.ofNullable(form.maxParameters()).orElse(defaults.parameters()),
        Optional.ofNullable(form.maxPathSegments()).orElse(defaults.pathSegments()),
        Optional.ofNullable(form.maxRepeatedSegments()).orElse(defaults.repeatedSegments()),
        Optional.ofNullable(form.calendarYears()).orElse(defaults.yearsAhead()));
  }

  /**
   * Returns the duration that {@code text} spells.
   *
   * @throws IllegalArgumentException if it is not written 500ms, 2s, 1m, 6h or 1d
   */
  static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a duration is written 500ms, 2s, 1m, 6h or 1d, not \"" + text + "\"");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  /** Names the site: the exception's line is that of whatever follows the key. */
  private static String placeOfKey(UnrecognizedPropertyException e) {
    return e.getPath().stream()
        .filter(step -> step.getIndex() >= 0)
        .map(step -> ", site " + (step.getIndex() + 1))
        .findFirst()
        .orElse("");
  }

  private static String place(JsonProcessingException e) {
    JsonLocation location = e.getLocation();
    return location == null
        ? ""
        : ", line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("it is empty");
  }
}
