package dev.fairfleet.cli;

import dev.fairfleet.local.LocalFleetException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The {@code fairfleet} command. Results go to standard output, progress and errors to standard
 * error; exit code 0 means done, 1 failed, 2 misuse.
 */
@Command(
    name = "fairfleet",
    description = "A fair-scheduling crawler fleet.",
    mixinStandardHelpOptions = true,
    versionProvider = Fairfleet.Version.class,
    subcommands = {
      DemoCommand.class,
      CrawlCommand.class,
      DrillCommand.class,
      BenchCommand.class,
      SimulateCommand.class,
      RunCommand.class,
      StatusCommand.class,
      SeedCommand.class,
      PagesCommand.class,
      RequeueCommand.class,
      DlqCommand.class,
      SitesCommand.class,
      WhyCommand.class,
      ExportCommand.class,
    },
    footer = {"", "Try it: fairfleet demo", "Help on a command: fairfleet COMMAND --help"})
public final class Fairfleet implements Runnable {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int MISUSE = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs a command and ends this JVM with its exit code. */
  public static void main(String[] arguments) {
    int code = commandLine().execute(arguments);
    System.exit(code);
  }

  static CommandLine commandLine() {
    return new CommandLine(new Fairfleet())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Fairfleet::report);
  }

  private static int report(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    command.getErr().println(paragraph(e));
    return switch (e) {
      case UsageException usage -> MISUSE;
      case LocalFleetException local -> FAILED;
      case SdkException service -> FAILED;
      default -> {
        e.printStackTrace(command.getErr());
        yield FAILED;
      }
    };
  }

  private static String paragraph(Exception e) {
    return switch (e) {
      case UsageException usage -> "fairfleet: " + usage.getMessage();
      case LocalFleetException local -> "fairfleet: " + local.getMessage();
      case SdkException service -> "fairfleet: " + ServiceTrouble.explain(service);
      default ->
          "fairfleet: an unexpected error; what was stored is safe, and the same command continues. "
              + e;
    };
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a command.");
  }

  /** The version in the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Fairfleet.class.getPackage().getImplementationVersion();
      return new String[] {"fairfleet " + (version == null ? "(not packaged)" : version)};
    }
  }
}
