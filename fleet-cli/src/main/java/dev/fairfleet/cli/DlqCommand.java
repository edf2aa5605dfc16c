package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.sqs.DeadLetters;
import dev.fairfleet.sqs.DeadLetters.DeadLetter;
import dev.fairfleet.sqs.DeadLetters.Fate;
import dev.fairfleet.wire.Decoded;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Looks after the messages that no worker could work on. */
@Command(
    name = "dlq",
    mixinStandardHelpOptions = true,
    description = "Looks into the dead-letter queues, and sends back or deletes what is there.",
    subcommands = {
      DlqCommand.ListLetters.class,
      DlqCommand.Show.class,
      DlqCommand.Redrive.class,
      DlqCommand.Drop.class,
    })
final class DlqCommand implements Runnable {
  private static final int LONGEST_CELL = 80;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Name a command: list, show, redrive or drop.");
  }

  private static String what(DeadLetter letter) {
    return letter.content() instanceof Decoded.Valid valid
        ? valid.task().url().toString()
        : letter.body().lines().findFirst().orElse("");
  }

  private static String cell(String text) {
    return text.length() <= LONGEST_CELL ? text : text.substring(0, LONGEST_CELL - 1) + "…";
  }

  private static String site(DeadLetter letter) {
    return letter.content() instanceof Decoded.Valid valid ? valid.task().site().value() : "-";
  }

  private static ObjectNode json(DeadLetter letter) {
    ObjectNode node = JsonFile.object();
    node.put("id", letter.id());
    node.put("queue", letter.queue().name().toLowerCase(Locale.ROOT));
    node.put("sent", letter.sent().toString());
    node.put("reason", letter.reason());
    node.put("readable", letter.isReadable());
    if (letter.content() instanceof Decoded.Valid valid) {
      Task task = valid.task();
      node.put("site", task.site().value());
      node.put("crawl", task.crawl().value());
      node.put("url", task.url().toString());
    }
    node.put("body", letter.body());
    return node;
  }

  /** Shows all, or the first. */
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists dead letters. What is listed is hidden from others meanwhile.")
  static final class ListLetters implements Callable<Integer> {
    @Mixin private FleetOptions options = new FleetOptions();

    @Option(
        names = "--limit",
        paramLabel = "N",
        description = "Most dead letters. Default: ${DEFAULT-VALUE}")
    private int limit = 100;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      if (limit < 1) {
        throw new UsageException("--limit is at least 1.");
      }
      TextTable table = TextTable.ofText("ID", "QUEUE", "SENT", "SITE", "REASON", "URL OR BODY");
      ArrayNode array = JsonFile.array();
      int[] count = new int[1];
      long all;
      try (FleetAccess fleet = options.open()) {
        DeadLetters letters = fleet.deadLetters();
        all = letters.depth().total();
        letters.forEach(
            letter -> {
              if (count[0] < limit) {
                count[0]++;
                array.add(json(letter));
                table.row(
                    letter.id(),
                    letter.queue().name().toLowerCase(Locale.ROOT),
                    FleetStatus.text(letter.sent()),
                    site(letter),
                    cell(letter.reason()),
                    cell(what(letter)));
              }
              return Fate.KEEP;
            },
            () -> count[0] >= limit);
      }
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(array.toPrettyString());
      } else if (count[0] == 0) {
        out.println("There are no dead letters.");
      } else {
        out.print(table);
        if (count[0] < all) {
          out.println("about " + all + " in all; --limit shows more");
        }
      }
      out.flush();
      return Fairfleet.DONE;
    }
  }

  /** Shows one whole. */
  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows a dead letter: where it was, why it is here, and its body.")
  static final class Show implements Callable<Integer> {
    @Mixin private FleetOptions options = new FleetOptions();

    @Parameters(paramLabel = "ID", description = "As fairfleet dlq list shows it.")
    private String id = "";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      Set<DeadLetter> found = new HashSet<>();
      try (FleetAccess fleet = options.open()) {
        fleet
            .deadLetters()
            .forEach(
                letter -> {
                  if (letter.id().equals(id)) {
                    found.add(letter);
                  }
                  return Fate.KEEP;
                },
                () -> !found.isEmpty());
      }
      DeadLetter letter =
          found.stream().findFirst().orElseThrow(() -> unknown(Set.of(id), "Nothing is shown."));
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(json(letter).toPrettyString());
      } else {
        out.println("id        " + letter.id());
        out.println("queue     " + letter.queue().name().toLowerCase(Locale.ROOT));
        out.println("sent      " + letter.sent());
        out.println("reason    " + letter.reason());
        out.println(
            "readable  "
                + (letter.content() instanceof Decoded.Unreadable poison
                    ? "no: " + poison.reason()
                    : "yes"));
        out.println();
        out.println(letter.body());
      }
      out.flush();
      return Fairfleet.DONE;
    }
  }

  private static UsageException unknown(Set<String> ids, String consequence) {
    return new UsageException(
        "There is no dead letter "
            + String.join(", ", ids)
            + ", or somebody else looks at it; what a command that died was looking at comes back"
            + " within "
            + DeadLetters.HIDDEN.toMinutes()
            + " minutes. "
            + consequence);
  }

  /** Sends some back, or all. */
  @Command(
      name = "redrive",
      mixinStandardHelpOptions = true,
      description = "Sends dead letters back to the queue that they came from.")
  static final class Redrive implements Callable<Integer> {
    @Mixin private FleetOptions options = new FleetOptions();
    @Mixin private Choice choice = new Choice();
    @Mixin private Caution caution = new Caution();

    @Option(names = "--force", description = "Those too that no worker of this version can read.")
    private boolean force;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      choice.require();
      try (FleetAccess fleet = options.open()) {
        DeadLetters letters = fleet.deadLetters();
        if ((choice.all || caution.isDryRun())
            && !caution.goesOn(choice.sentence(letters, "will be sent back to their queues"))) {
          return Fairfleet.DONE;
        }
        return choice.carryOut(
            letters,
            letter -> force || letter.isReadable(),
            Fate.REDRIVE,
            "redriven",
            spec.commandLine().getOut(),
            json);
      }
    }
  }

  /** Deletes some, or all. */
  @Command(
      name = "drop",
      mixinStandardHelpOptions = true,
      description = "Deletes dead letters. Their pages stay unfinished until fairfleet requeue.")
  static final class Drop implements Callable<Integer> {
    @Mixin private FleetOptions options = new FleetOptions();
    @Mixin private Choice choice = new Choice();
    @Mixin private Caution caution = new Caution();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      choice.require();
      try (FleetAccess fleet = options.open()) {
        DeadLetters letters = fleet.deadLetters();
        if (!caution.goesOn(choice.sentence(letters, "will be deleted for good"))) {
          return Fairfleet.DONE;
        }
        return choice.carryOut(
            letters, letter -> true, Fate.DROP, "dropped", spec.commandLine().getOut(), json);
      }
    }
  }

  /** Which dead letters are meant. */
  static final class Choice {
    @Parameters(paramLabel = "ID", arity = "0..*", description = "As fairfleet dlq list shows it.")
    private List<String> ids = List.of();

    @Option(names = "--all", description = "All that are there.")
    private boolean all;

    void require() {
      if (all != ids.isEmpty()) {
        throw new UsageException("Name dead letters by their ids, or say --all; not both.");
      }
    }

    String sentence(DeadLetters letters, String whatHappens) {
      return all
          ? "About " + letters.depth().total() + " dead letters " + whatHappens
          : ids.size() + (ids.size() == 1 ? " dead letter " : " dead letters ") + whatHappens;
    }

    /** Returns the exit code: 1 if one that was named, or is there, was left. */
    int carryOut(
        DeadLetters letters,
        Predicate<DeadLetter> may,
        Fate fate,
        String done,
        PrintWriter out,
        boolean json) {
      Set<String> missing = new LinkedHashSet<>(ids);
      // What is sent back may be dead again while this goes on.
      Instant start = Instant.now().plus(Duration.ofSeconds(1));
      long[] changed = new long[1];
      Set<String> left = new LinkedHashSet<>();
      letters.forEach(
          letter -> {
            boolean meant = all ? letter.sent().isBefore(start) : missing.remove(letter.id());
            if (!meant) {
              return Fate.KEEP;
            }
            if (!may.test(letter)) {
              left.add(letter.id());
              return Fate.KEEP;
            }
            changed[0]++;
            return fate;
          },
          () -> !all && missing.isEmpty());
      if (json) {
        ObjectNode node = JsonFile.object();
        node.put(done, changed[0]);
        left.forEach(node.putArray("unreadable")::add);
        missing.forEach(node.putArray("missing")::add);
        out.println(node.toPrettyString());
      } else {
        out.println(changed[0] + " " + done);
      }
      out.flush();
      if (!left.isEmpty()) {
        System.err.println(
            "fairfleet: "
                + left.size()
                + " cannot be read by this version and stay where they are (--force sends them"
                + " all the same): "
                + String.join(", ", left.stream().limit(10).toList()));
      }
      if (!missing.isEmpty()) {
        throw unknown(missing, changed[0] + " others were " + done + ".");
      }
      return left.isEmpty() ? Fairfleet.DONE : Fairfleet.FAILED;
    }
  }
}
