package dev.fairfleet.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The sites that a user names: in a YAML file, or as roots on the command line.
 *
 * <pre>{@code
 * sites:
 *   - root: https://books.example/        # or roots: [...]
 *     id: books                           # default: the root's host and path
 *     hosts: [books.example]              # default: the hosts of the roots
 *     limits: {requestsPerHour: 3600, minDelay: 1s, maxDepth: 10, maxPages: 1000}
 *     fields: {sku: .sku, price: .price, image: "img.main@src"}
 *     naturalKey: sku
 *     volatile: [price]
 * }</pre>
 */
final class SitesFile {
  private static final int LONGEST_ID = 128;
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
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
      @Nullable LimitsForm limits,
      @Nullable Map<String, String> fields,
      @Nullable String naturalKey,
      @JsonProperty("volatile") @Nullable List<String> volatileFields) {}

  private record LimitsForm(
      @Nullable Integer requestsPerHour,
      @Nullable String minDelay,
      @Nullable Integer maxDepth,
      @Nullable Integer maxPages) {}

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
        "The command line",
        roots.stream()
            .distinct()
            .map(root -> new SiteForm(null, root, null, null, null, null, null, null))
            .toList(),
        limits);
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
    Set<HostKey> hosts = new LinkedHashSet<>();
    for (CrawlUrl root : roots) {
      hosts.add(root.hostKey());
    }
    for (String host : Optional.ofNullable(form.hosts()).orElse(List.of())) {
      hosts.add(hostKey(host, roots.getFirst()));
    }
    ExtractionRules rules =
        new ExtractionRules(
            Optional.ofNullable(form.fields()).orElse(Map.of()),
            Optional.ofNullable(form.naturalKey()),
            Set.copyOf(Optional.ofNullable(form.volatileFields()).orElse(List.of())));
    Selectors.compile(rules);
    return new Site(
        new SiteId(Optional.ofNullable(form.id()).orElseGet(() -> defaultId(roots.getFirst()))),
        roots,
        new Scope(hosts),
        limits(form.limits(), defaults),
        rules);
  }

  private static HostKey hostKey(String host, CrawlUrl root) {
    return CrawlUrl.of(root.toUri().getScheme() + "://" + host + "/").hostKey();
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
        Optional.ofNullable(form.maxPages()).orElse(defaults.maxPages()));
  }

  /**
   * Returns the duration that {@code text} spells.
   *
   * @throws IllegalArgumentException if it is not written 500ms, 2s or 1m
   */
  static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a duration is written 500ms, 2s or 1m, not \"" + text + "\"");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      default -> Duration.ofMinutes(number);
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
