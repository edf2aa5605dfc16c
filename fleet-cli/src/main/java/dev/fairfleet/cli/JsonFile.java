package dev.fairfleet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that machines read, written whole or not at all. */
final class JsonFile {
  private static final JsonMapper JSON = new JsonMapper();

  private JsonFile() {}

  /** Returns an empty object to fill. */
  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** Returns an empty array to fill. */
  static ArrayNode array() {
    return JSON.createArrayNode();
  }

  /** Returns a record, or a list of records, as JSON. */
  static JsonNode tree(Object value) {
    return JSON.valueToTree(value);
  }

  /** Writes an object, indented. */
  static void write(Path file, ObjectNode object) {
    try {
      writeText(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(object) + "\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A report cannot be written as JSON", e);
    }
  }

  /**
   * Replaces a file by a text in one step.
   *
   * @throws UsageException if the folder cannot be written
   */
  static void writeText(Path file, CharSequence text) {
    Path target = file.toAbsolutePath();
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try {
      Files.writeString(part, text);
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /**
   * Makes sure, before long work, that a file can be written.
   *
   * @throws UsageException if its folder is missing or cannot be written
   */
  static void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new UsageException(
          "Cannot write " + file + ": its folder is missing or may not be written to.");
    }
  }

  static UsageException cannotWrite(Path file, IOException e) {
    return new UsageException(
        "Cannot write "
            + file
            + " ("
            + e
            + "). Name a file in a folder that you may write to, on a disk with room.",
        e);
  }
}
