package dev.fairfleet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.StoredRecord;
import java.util.Optional;

/**
 * A JSON object a line: {@code id, site, key, url, change, fields, firstSeen, lastChanged, changes,
 * returned, deleted}, of which {@code change}, {@code returned} and {@code deleted} are there only
 * if there is something to say. Times are as in ISO 8601, in UTC.
 */
record JsonLines() implements RecordFormat {
  private static final JsonMapper JSON = new JsonMapper();

  @Override
  public String head() {
    return "";
  }

  @Override
  public String line(StoredRecord stored, Optional<RecordChange> change) {
    CrawlRecord record = stored.record();
    ObjectNode line = JSON.createObjectNode();
    line.put("id", record.id().value());
    line.put("site", record.site().value());
    line.put("key", record.naturalKey());
    line.put("url", record.url().toString());
    change.ifPresent(it -> line.put("change", it.word()));
    ObjectNode fields = line.putObject("fields");
    record.fields().forEach(fields::put);
    line.put("firstSeen", stored.firstSeen().toString());
    line.put("lastChanged", stored.lastChanged().toString());
    line.put("changes", stored.changes());
    stored.returned().ifPresent(at -> line.put("returned", at.toString()));
    stored
        .tombstone()
        .ifPresent(
            tombstone ->
                line.putObject("deleted")
                    .put("at", tombstone.at().toString())
                    .put("reason", tombstone.reason()));
    try {
      return JSON.writeValueAsString(line) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A record cannot be written as JSON", e);
    }
  }
}
