package dev.fairfleet.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a command that loses or changes something for good, and its question before. */
final class Caution {
  private static final Set<String> YES = Set.of("y", "yes");

  @Option(names = "--yes", description = "Do it without asking.")
  private boolean yes;

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  private final boolean terminal;
  private final Supplier<@Nullable String> answer;
  private final PrintStream err;

  /** Asks on standard error and reads standard input, if both are a terminal. */
  Caution() {
    this(Boolean.getBoolean("fairfleet.terminal"), Caution::line, System.err);
  }

  /**
   * @param terminal whether somebody can answer
   * @param answer one line; null at the end of the input
   */
  Caution(boolean terminal, Supplier<@Nullable String> answer, PrintStream err) {
    this.terminal = terminal;
    this.answer = answer;
    this.err = err;
  }

  private static @Nullable String line() {
    try {
      return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()))
          .readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells whether nothing is to be done. */
  boolean isDryRun() {
    return dryRun;
  }

  /**
   * Tells whether to go on: at once with {@code --yes}, never with {@code --dry-run}, and otherwise
   * if the answer is yes.
   *
   * @param whatWillBeLost a sentence about the future without its full stop, such as {@code 3 dead
   *     letters will be deleted for good}
   * @throws UsageException if nobody can be asked
   */
  boolean goesOn(String whatWillBeLost) {
    if (dryRun) {
      err.println("fairfleet: " + whatWillBeLost + ". This was a dry run: nothing was done.");
      return false;
    }
    if (yes) {
      return true;
    }
    if (!terminal) {
      throw new UsageException(
          whatWillBeLost
              + ". Nobody can be asked here; add --yes to have it done, or --dry-run to see no more"
              + " than this. Nothing was done.");
    }
    err.print("fairfleet: " + whatWillBeLost + ". Go on? [y/N] ");
    err.flush();
    String line = answer.get();
    boolean goesOn = line != null && YES.contains(line.strip().toLowerCase(Locale.ROOT));
    if (!goesOn) {
      err.println("fairfleet: nothing was done.");
    }
    return goesOn;
  }
}
