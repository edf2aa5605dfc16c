package dev.fairfleet.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.TaskKind;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The JSON form of a task: {@code {"v":1,"site":…,"crawl":…,"url":…,"depth":0,"generation":0}}.
 *
 * <p>That is a page. A task of another kind has version 2 and names it, {@code
 * {"v":2,"kind":"END",…}}, so that a worker who knows only pages does not take it for one; a page
 * is still written as version 1, so that such a worker goes on.
 *
 * <p>Fields that this version does not know are ignored; a message of a newer version is not read.
 * Stateless; any thread may share it.
 */
public final class TaskCodec {
  /** The newest version that is read. */
  public static final int VERSION = 2;

  private static final int FIRST_WITH_KINDS = 2;

  /** Longest message that is read, in characters; a longer one was not written by this codec. */
  public static final int MAX_LENGTH = 16_384;

  private static final int MAX_REASON = 300;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxStringLength(MAX_LENGTH)
                          .maxNestingDepth(8)
                          .build())
                  .build())
          .build();

  /** Returns the message body of a task. */
  public String encode(Task task) {
    ObjectNode node = JSON.createObjectNode();
    if (task.kind() == TaskKind.PAGE) {
      node.put("v", 1);
    } else {
      node.put("v", FIRST_WITH_KINDS);
      node.put("kind", task.kind().name());
    }
    node.put("site", task.site().value());
    node.put("crawl", task.crawl().value());
    node.put("url", task.url().toString());
    node.put("depth", task.depth().value());
    node.put("generation", task.generation());
    return node.toString();
  }

  /** Returns the task in a message body, or why there is none; never throws for bad input. */
  public Decoded decode(String body) {
    if (body.length() > MAX_LENGTH) {
      return new Decoded.Unreadable(
          "message has " + body.length() + " characters, more than " + MAX_LENGTH);
    }
    try {
      JsonNode node = JSON.readTree(body);
      if (!node.isObject()) {
        return new Decoded.Unreadable("message is no JSON object");
      }
      int version = integer(node, "v");
      if (version < 1 || version > VERSION) {
        return new Decoded.Unreadable(
            "message has version " + version + ", this worker reads 1 to " + VERSION);
      }
      return new Decoded.Valid(
          new Task(
              new SiteId(text(node, "site")),
              new CrawlId(text(node, "crawl")),
              CrawlUrl.of(text(node, "url")),
              new CrawlDepth(integer(node, "depth")),
              integer(node, "generation"),
              version < FIRST_WITH_KINDS ? TaskKind.PAGE : kind(text(node, "kind"))));
    } catch (JsonProcessingException e) {
      return unreadable("message is not JSON: " + e.getOriginalMessage());
    } catch (IllegalArgumentException e) {
      return unreadable(String.valueOf(e.getMessage()));
    }
  }

  /** Keeps what an exception quotes from the body short and on one line. */
  private static Decoded unreadable(String reason) {
    String start = reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON) + "…";
    return new Decoded.Unreadable(CONTROL.matcher(start).replaceAll("\uFFFD"));
  }

  private static TaskKind kind(String name) {
    for (TaskKind kind : TaskKind.values()) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "message has kind \"" + name + "\", this worker knows " + List.of(TaskKind.values()));
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || !value.isTextual()) {
      throw new IllegalArgumentException("message has no text field \"" + field + "\"");
    }
    return value.textValue();
  }

  private static int integer(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || !value.canConvertToInt() || !value.isIntegralNumber()) {
      throw new IllegalArgumentException("message has no integer field \"" + field + "\"");
    }
    return value.intValue();
  }
}
