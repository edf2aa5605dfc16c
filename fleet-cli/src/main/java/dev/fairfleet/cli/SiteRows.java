package dev.fairfleet.cli;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sites of a YAML or CSV file, good and bad. A CSV file begins with a line of {@link SiteKeys};
 * an empty cell stands for the default. Not thread-safe.
 */
final class SiteRows {
  /** Says what is wrong with the row, or the YAML site, that begins on a line (from 1). */
  record Bad(long line, String reason) {}

  private static final CsvMapper CSV =
      CsvMapper.builder().enable(CsvParser.Feature.WRAP_AS_ARRAY).build();

  private final List<Site> good = new ArrayList<>();
  private final List<Bad> bad = new ArrayList<>();
  private final Map<SiteId, Long> lines = new HashMap<>();
  private final SiteLimits defaults;

  private SiteRows(SiteLimits defaults) {
    this.defaults = defaults;
  }

  /**
   * Reads a file, CSV if its name ends so, and otherwise YAML.
   *
   * @throws UsageException if it cannot be read, or a column of it is no key
   */
  static SiteRows read(Path file, SiteLimits defaults) {
    SiteRows rows = new SiteRows(defaults);
    try {
      if (file.toString().toLowerCase(Locale.ROOT).endsWith(".csv")) {
        rows.readCsv(file);
      } else {
        SitesFile.forEachNode(file, (node, line) -> rows.add(line, () -> node));
      }
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw new UsageException(
          "There is no file " + file + ". Name a YAML or CSV file of sites.", e);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      rows.bad.add(
          new Bad(
              at == null ? 1 : at.getLineNr(),
              "the file cannot be read from here on: "
                  + e.getOriginalMessage().lines().findFirst().orElse("it is empty")));
    } catch (IOException e) {
      throw new UsageException("Cannot read " + file + ": " + e, e);
    }
    return rows;
  }

  private void readCsv(Path file) throws IOException {
    try (MappingIterator<String[]> rows =
        CSV.readerFor(String[].class).readValues(Files.newBufferedReader(file))) {
      if (!rows.hasNextValue()) {
        throw new UsageException(
            file + " is empty. Its first line names columns, of " + SiteKeys.names() + ".");
      }
      String[] columns = rows.nextValue();
      for (int i = 0; i < columns.length; i++) {
        columns[i] = columns[i].replace("\uFEFF", "").strip();
        if (!SiteKeys.names().contains(columns[i])) {
          throw new UsageException(
              file
                  + ", line 1: \""
                  + columns[i]
                  + "\" is no column; allowed are "
                  + SiteKeys.names()
                  + ".");
        }
      }
      // After a row the parser stands where the next one begins.
      long line = rows.getParser().currentLocation().getLineNr();
      while (rows.hasNextValue()) {
        String[] cells = rows.nextValue();
        if (!String.join("", cells).isBlank()) {
          add(line, () -> node(columns, cells));
        }
        line = rows.getParser().currentLocation().getLineNr();
      }
    }
  }

  private static ObjectNode node(String[] columns, String[] cells) {
    if (cells.length > columns.length) {
      throw new IllegalArgumentException(
          "it has " + cells.length + " cells, and there are " + columns.length + " columns");
    }
    ObjectNode node = JsonFile.object();
    for (int i = 0; i < cells.length; i++) {
      if (!cells[i].isBlank()) {
        SiteKeys.set(node, columns[i], cells[i]);
      }
    }
    return node;
  }

  private void add(long line, Supplier<JsonNode> row) {
    try {
      Site site = SitesFile.site(row.get(), defaults);
      @Nullable Long before = lines.putIfAbsent(site.id(), line);
      if (before != null) {
        throw new IllegalArgumentException(
            "its id " + site.id() + " is taken by line " + before + "; give it another");
      }
      good.add(site);
    } catch (IllegalArgumentException e) {
      bad.add(new Bad(line, String.valueOf(e.getMessage())));
    }
  }

  /** Moves the sites that there are already to the bad ones. */
  void refuse(Set<SiteId> existing) {
    good.removeIf(
        site -> {
          if (!existing.contains(site.id())) {
            return false;
          }
          bad.add(
              new Bad(
                  lines.getOrDefault(site.id(), 0L),
                  "site " + site.id() + " exists already; --replace replaces what it is"));
          return true;
        });
    bad.sort(Comparator.comparingLong(Bad::line));
  }

  /** Returns the good sites, in their order. */
  List<Site> good() {
    return good;
  }

  /** Returns what is wrong, in the order of the lines. */
  List<Bad> bad() {
    return bad;
  }
}
