package dev.fairfleet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.fairfleet", importOptions = ProductionClasses.class)
final class ArchitectureTest {
  @ArchTest static final ArchTests house = ArchTests.in(HouseRules.class);

  @ArchTest
  static final ArchRule commandsAreOnTop =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.fairfleet.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.fairfleet.cli..", "picocli..")
          .because("what a command starts also runs in tests and without a command");

  @ArchTest
  static final ArchRule embeddedServersStayInLocal =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.fairfleet.local..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.elasticmq..", "org.apache.pekko..", "redis.embedded..")
          .because("all other code must not be able to tell an embedded server from a real one");

  @ArchTest
  static final ArchRule simulationReadsNoClockAndDrawsNothing =
      noClasses()
          .that()
          .resideInAPackage("dev.fairfleet.sim..")
          .should()
          .accessTargetWhere(HouseRules.CLOCK_OR_DICE)
          .allowEmptyShould(true)
          .because("a run is replayed from its seed");
}
