package dev.fairfleet.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Node.js of this machine, by the names of its two programs.
 *
 * @param node runs a script; a path, or a name to look up in {@code PATH}
 * @param npm installs packages; likewise
 */
public record NodeRuntime(String node, String npm) {
  /** The first version that dynalite 4 runs on (its {@code engines} field). */
  private static final int OLDEST = 20;

  private static final Duration VERSION_LIMIT = Duration.ofSeconds(30);
  private static final Duration INSTALL_LIMIT = Duration.ofMinutes(5);
  private static final Pattern VERSION = Pattern.compile("v(\\d{1,4})\\..*", Pattern.DOTALL);

  /** Returns the Node.js found in {@code PATH}. */
  public static NodeRuntime onPath() {
    return new NodeRuntime("node", "npm");
  }

  /**
   * Checks that Node.js is there and new enough.
   *
   * @throws LocalFleetException if not
   */
  void check() throws InterruptedException {
    String version;
    try {
      version = run(List.of(node, "--version"), Path.of("."), VERSION_LIMIT).text().strip();
    } catch (IOException e) {
      throw new LocalFleetException(
          "Node.js was not found (%s cannot be run: %s). The local fleet keeps its DynamoDB tables in dynalite, which needs it. Install Node.js 20 or newer, with npm, and make sure that it is in PATH."
              .formatted(node, e.getMessage()),
          e);
    }
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < OLDEST) {
      throw new LocalFleetException(
          "Node.js is too old: %s --version says \"%s\". Install Node.js 20 or newer, with npm, and make sure that it comes first in PATH."
              .formatted(node, version),
          null);
    }
  }

  /**
   * Installs exactly what the {@code package-lock.json} of a folder names, without running any
   * package's scripts.
   *
   * @throws LocalFleetException if npm fails, with the end of what it said
   */
  void install(Path folder) throws InterruptedException {
    List<String> command =
        List.of(npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error");
    try {
      Output output = run(command, folder, INSTALL_LIMIT);
      if (output.exitValue() != 0) {
        throw new LocalFleetException(
            "npm could not install dynalite (exit value %d). Check the network and npm's registry setting (npm config get registry), then start again. It said:%n%s"
                .formatted(output.exitValue(), output.lastLines(12)),
            null);
      }
    } catch (IOException e) {
      throw new LocalFleetException(
          "npm was not found or failed (%s: %s). It comes with Node.js: install Node.js 20 or newer, with npm, and make sure that it is in PATH."
              .formatted(npm, e.getMessage()),
          e);
    }
  }

  private static Output run(List<String> command, Path folder, Duration limit)
      throws IOException, InterruptedException {
    Path text = Files.createTempFile("fairfleet", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(text.toFile())
              .start();
      try {
        process.getOutputStream().close();
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IOException("no end within " + limit.toSeconds() + " s");
        }
      } finally {
        process.destroyForcibly();
      }
      return new Output(process.exitValue(), Files.readString(text, StandardCharsets.UTF_8));
    } finally {
      Files.delete(text);
    }
  }

  /** What a program that ran to its end left: its exit value, and all it printed. */
  private record Output(int exitValue, String text) {
    String lastLines(int count) {
      List<String> lines = text.lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }
  }
}
