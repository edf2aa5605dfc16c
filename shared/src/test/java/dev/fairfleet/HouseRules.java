package dev.fairfleet;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMembers;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/** The rules that hold in every module; each module's architecture test includes them. */
public final class HouseRules {
  /** Decisions and the ports to everything else. */
  static final String[] DOMAIN = {
    "dev.fairfleet.fairness..",
    "dev.fairfleet.frontier..",
    "dev.fairfleet.lease..",
    "dev.fairfleet.politeness..",
    "dev.fairfleet.queue..",
    "dev.fairfleet.record..",
    "dev.fairfleet.retry..",
    "dev.fairfleet.robots..",
    "dev.fairfleet.scope..",
    "dev.fairfleet.site..",
    "dev.fairfleet.url.."
  };

  private static final Set<String> CLOCKS_AND_DICE =
      Set.of(
          "java.lang.Math.random",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Thread.sleep",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.systemUTC",
          "java.time.Instant.now",
          "java.time.InstantSource.system",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.util.Random.<init>",
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.util.concurrent.TimeUnit.sleep",
          "java.util.random.RandomGenerator.getDefault");

  /** Reads a clock, draws from a source nobody gave it, or sleeps; method references count. */
  static final DescribedPredicate<JavaAccess<?>> CLOCK_OR_DICE =
      describe(
          "that reads a clock, draws by itself or sleeps",
          access ->
              CLOCKS_AND_DICE.contains(
                  access.getTargetOwner().getFullName() + "." + access.getName()));

  @ArchTest
  static final ArchRule dependenciesPointOneWay =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("domain")
          .definedBy(DOMAIN)
          .layer("wire")
          .definedBy("dev.fairfleet.wire..")
          .layer("adapters")
          .definedBy(
              "dev.fairfleet.memory..",
              "dev.fairfleet.sqs..",
              "dev.fairfleet.dynamodb..",
              "dev.fairfleet.redis..")
          .layer("services")
          .definedBy("dev.fairfleet.worker..", "dev.fairfleet.seed..")
          .layer("command")
          .definedBy("dev.fairfleet.cli..", "dev.fairfleet.local..", "dev.fairfleet.sim..")
          .whereLayer("wire")
          .mayOnlyBeAccessedByLayers("adapters", "services", "command")
          .whereLayer("adapters")
          .mayOnlyBeAccessedByLayers("services", "command")
          .whereLayer("services")
          .mayOnlyBeAccessedByLayers("command")
          .whereLayer("command")
          .mayNotBeAccessedByAnyLayer()
          .because("what decides must not know what carries it out");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices()
          .matching("dev.fairfleet.(**)")
          .should()
          .beFreeOfCycles()
          .because("a package that can be read alone can be changed alone");

  @ArchTest
  static final ArchRule namesSayWhatAThingIs =
      noClasses()
          .should()
          .haveNameMatching(".*(Manager|Helper|Helpers|Util|Utils|Impl|Data)(\\$.*)?")
          .because("such a name says neither what a thing is nor how it differs from another");

  @ArchTest
  static final ArchRule packagesAreNullMarked =
      classes().should(beInNullMarkedPackage()).because("NullAway checks nothing outside them");

  @ArchTest
  static final ArchRule receiptHandlesStayInTheQueueAdapter =
      noMembers()
          .that()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage("dev.fairfleet.sqs..")
          .should()
          .haveNameMatching("(?i).*receiptHandle.*")
          .because("only the newest handle of a message counts, and the adapter alone knows it");

  private HouseRules() {}

  private static ArchCondition<JavaClass> beInNullMarkedPackage() {
    return new ArchCondition<>("be in a package annotated @NullMarked") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        boolean marked = item.getPackage().isAnnotatedWith(NullMarked.class);
        events.add(
            new SimpleConditionEvent(
                item, marked, item.getPackageName() + " of " + item.getName() + " is not"));
      }
    };
  }
}
