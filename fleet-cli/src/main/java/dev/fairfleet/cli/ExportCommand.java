package dev.fairfleet.cli;

import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;

/** Writes a site's records and tombstones, all of them or what was written since. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description =
        "Writes a site's records and tombstones, those written last at the end: all, or what was written since a time or an earlier export.",
    footer = {
      "",
      "At the end it prints a cursor, with which the next export writes what has been written since. Because clocks differ, it lies at most at two minutes before this export began: the next one may repeat a few records, and misses none. What reads the files replaces by id, and deletes what has a tombstone.",
      "Example: fairfleet export --site books --out books.jsonl --cursor-file books.cursor",
      "Example: fairfleet export --site books --since 2026-11-30T12:00:00Z --changes",
      "Example: fairfleet export --site books --format csv --aws --region eu-central-1"
    })
final class ExportCommand implements Callable<Integer> {
  /** What the lines look like. */
  enum Format {
    JSONL,
    CSV
  }

  // What a page without rules is read for.
  private static final List<String> DEFAULT_FIELDS = List.of("description", "title");

  @Mixin private final FleetOptions options = new FleetOptions();

  @Option(names = "--site", paramLabel = "ID", required = true, description = "Which site.")
  private String site = "";

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Only what was written since then: an instant such as 2026-11-30T12:00:00Z, a date in UTC, or the cursor that an earlier export printed.")
  private @Nullable String since;

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  private Format format = Format.JSONL;

  @Option(
      names = "--changes",
      description =
          "Say of each what became of it since then: added, changed, returned or removed. Without --since: added or removed.")
  private boolean changes;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Where the lines go; the file appears whole or not at all. Default: standard output.")
  private @Nullable Path out;

  @Option(
      names = "--cursor-file",
      paramLabel = "FILE",
      description =
          "Keeps the cursor: an export begins where the one before ended that used the file, and at --since if there is no such file yet.")
  private @Nullable Path cursorFile;

  @Option(
      names = "--scan",
      description =
          "Read the whole table of records in place of the index of changes. Finds also what a version without that index wrote and nothing has touched since; in no particular order, and for the price of a read of all sites' records.")
  private boolean scan;

  @Option(
      names = "--spreadsheet",
      description =
          "In CSV, put a ' before texts that a spreadsheet program would run as a formula. Without it they are as they were found.")
  private boolean spreadsheet;

  @Option(
      names = "--json",
      description =
          "Print the summary as JSON: on standard output if the lines go to a file, else on standard error.")
  private boolean json;

  @Override
  public Integer call() {
    SiteId id = siteId();
    Optional<CursorFile> cursor =
        Optional.ofNullable(cursorFile).map(file -> new CursorFile(file, id));
    FeedPosition from = from(cursor);
    Optional.ofNullable(out).ifPresent(JsonFile::requireWritable);
    Optional.ofNullable(cursorFile).ifPresent(JsonFile::requireWritable);
    try (FleetAccess fleet = options.open()) {
      RecordExport export = new RecordExport(fleet.records(), id, Instant.now());
      try (RecordWriter writer =
          RecordWriter.open(Optional.ofNullable(out), format(site(fleet, id)))) {
        write(export, from, writer);
        writer.finish();
      }
      cursor.ifPresent(file -> file.write(export.next()));
      report(export);
    }
    return Fairfleet.DONE;
  }

  private SiteId siteId() {
    try {
      return new SiteId(site);
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage() + ".", e);
    }
  }

  private FeedPosition from(Optional<CursorFile> cursor) {
    if (scan && since != null) {
      throw new UsageException(
          "--scan reads everything, so it knows no --since. Leave one of them out.");
    }
    if (spreadsheet && format != Format.CSV) {
      throw new UsageException("--spreadsheet is for --format csv.");
    }
    FeedPosition given = since == null ? FeedPosition.START : position(since);
    return scan ? FeedPosition.START : cursor.flatMap(CursorFile::read).orElse(given);
  }

  /**
   * Returns the place that a text of the user names.
   *
   * @throws UsageException if it is no instant, date or cursor
   */
  static FeedPosition position(String text) {
    try {
      return FeedPosition.since(Instant.parse(text));
    } catch (DateTimeParseException noInstant) {
      try {
        return FeedPosition.since(LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));
      } catch (DateTimeParseException noDate) {
        return cursor(text);
      }
    }
  }

  private static FeedPosition cursor(String text) {
    try {
      return FeedPosition.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "--since takes an instant such as 2026-11-30T12:00:00Z, a date such as 2026-11-30, or the cursor that an export printed, not \""
              + text
              + "\".",
          e);
    }
  }

  private static Site site(FleetAccess fleet, SiteId id) {
    return fleet
        .sites()
        .find(id)
        .map(SiteStatus::site)
        .orElseThrow(() -> new UsageException("This fleet has no site " + id + "."));
  }

  private RecordFormat format(Site of) {
    return switch (format) {
      case JSONL -> new JsonLines();
      case CSV -> new CsvRows(fields(of.extraction()), changes, spreadsheet);
    };
  }

  private static List<String> fields(ExtractionRules rules) {
    return rules.fields().isEmpty() ? DEFAULT_FIELDS : new ArrayList<>(rules.fields().keySet());
  }

  private void write(RecordExport export, FeedPosition from, RecordWriter writer) {
    if (scan) {
      export.scan(changes, writer);
      return;
    }
    try {
      export.walk(from, changes, writer);
    } catch (SdkException e) {
      if (out == null) {
        System.err.println(
            "fairfleet: broke off after "
                + export.text()
                + ". All these lines are whole; --since "
                + export.next()
                + " continues there.");
      }
      throw e;
    }
  }

  private void report(RecordExport export) {
    if (json) {
      (out == null ? System.err : System.out).println(export.json());
      return;
    }
    System.err.println("fairfleet: exported " + export.text() + ".");
    System.err.println("fairfleet: next cursor " + export.next());
  }
}
