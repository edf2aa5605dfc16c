package dev.fairfleet.infra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Reads the files that describe queues and tables to the stack and to a local fleet alike. */
final class Description {
  private Description() {}

  /**
   * Returns the JSON of one of the files.
   *
   * @throws IllegalStateException if it is not on the class path
   */
  static JsonNode read(String name) {
    String path = "/dev/fairfleet/" + name;
    try (@Nullable InputStream file = Description.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException(path + " is not on the class path");
      }
      return new JsonMapper().readTree(file);
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be read", e);
    }
  }
}
