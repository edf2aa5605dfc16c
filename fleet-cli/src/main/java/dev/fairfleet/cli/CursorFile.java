package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.site.SiteId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file that remembers where the next export of a site begins: a JSON object. */
record CursorFile(Path file, SiteId site) {
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * Returns where the next export begins; nothing if there is no file yet.
   *
   * @throws UsageException if the file holds something else, or is of another site
   */
  Optional<FeedPosition> read() {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      JsonNode cursor = JSON.readTree(file.toFile());
      if (!cursor.path("site").asText().equals(site.value())) {
        throw new UsageException(
            file
                + " remembers where an export of "
                + cursor.path("site")
                + " ended, not one of "
                + site
                + ". Each site needs a file of its own.");
      }
      String next = cursor.path("next").asText();
      if (!next.isEmpty()) {
        return Optional.of(FeedPosition.parse(next));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw broken(String.valueOf(e.getMessage()));
    }
    throw broken("it has no \"next\"");
  }

  private UsageException broken(String why) {
    return new UsageException(
        file
            + " does not remember where an export ended: "
            + why
            + ". Name another file, or delete it to export everything again.");
  }

  /** Remembers where the next export begins. */
  void write(FeedPosition next) {
    ObjectNode cursor = JsonFile.object();
    cursor.put("site", site.value());
    cursor.put("next", next.toString());
    JsonFile.write(file, cursor);
  }
}
