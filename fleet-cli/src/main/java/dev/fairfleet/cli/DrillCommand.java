package dev.fairfleet.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Drills: what may go wrong, made to go wrong, and expected held beside actual. */
@Command(
    name = "drill",
    mixinStandardHelpOptions = true,
    description = "Makes things go wrong, and shows what was expected beside what happened.",
    subcommands = {
      KillDrillCommand.class,
      PoliteDrillCommand.class,
      UglyDrillCommand.class,
      RecrawlDrillCommand.class,
      DeletionsDrillCommand.class,
      BreakerDrillCommand.class
    },
    footer = {
      "",
      "Example: fairfleet drill kill --kills 10 --runs 5",
      "Example: fairfleet drill polite --workers 2 --delay 1s",
      "Example: fairfleet drill ugly --ugly 200 --healthy 20",
      "Example: fairfleet drill recrawl --pages 10000",
      "Example: fairfleet drill deletions --pages 2000 --kills 3",
      "Example: fairfleet drill breaker --sites 500 --dead 50"
    })
final class DrillCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a drill.");
  }
}
