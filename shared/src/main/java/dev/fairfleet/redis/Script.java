package dev.fairfleet.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Lua script, called by its hash; a server that does not know it (it was restarted, flushed, or a
 * replica took over) is given the source. Immutable.
 *
 * @param <T> what it returns
 */
final class Script<T> {
  private final String source;
  private final String sha;
  private final ScriptOutputType output;

  private Script(String source, ScriptOutputType output) {
    this.source = source;
    this.sha = sha1(source);
    this.output = output;
  }

  /** Returns the script in the resource {@code name} of this package, which returns numbers. */
  static Script<List<Long>> ofNumbers(String name) {
    return load(name, ScriptOutputType.MULTI);
  }

  /** Returns the script in the resource {@code name} of this package, which returns a text. */
  static Script<String> ofText(String name) {
    return load(name, ScriptOutputType.VALUE);
  }

  /** Returns the script in the resource {@code name} of this package, which returns texts. */
  static Script<List<String>> ofTexts(String name) {
    return load(name, ScriptOutputType.MULTI);
  }

  private static <T> Script<T> load(String name, ScriptOutputType output) {
    try (@Nullable InputStream in = Script.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("Script " + name + " is missing from the jar");
      }
      return new Script<>(new String(in.readAllBytes(), StandardCharsets.UTF_8), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs the script.
   *
   * @param keys every key that it touches, all with one hash tag
   * @throws io.lettuce.core.RedisException as {@link RedisConnection#call}
   */
  T run(RedisConnection redis, String[] keys, String... args) {
    try {
      return redis.call(commands -> commands.evalsha(sha, output, keys, args));
    } catch (RedisNoScriptException e) {
      return redis.call(commands -> commands.eval(source, output, keys, args));
    }
  }

  private static String sha1(String source) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-1", e);
    }
  }
}
