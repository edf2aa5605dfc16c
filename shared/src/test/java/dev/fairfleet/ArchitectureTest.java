package dev.fairfleet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;

@AnalyzeClasses(packages = "dev.fairfleet", importOptions = ProductionClasses.class)
final class ArchitectureTest {
  private static final String[] ADAPTERS_TO_SERVERS = {
    "dev.fairfleet.dynamodb..", "dev.fairfleet.redis..", "dev.fairfleet.sqs.."
  };

  @ArchTest static final ArchTests house = ArchTests.in(HouseRules.class);

  @ArchTest
  static final ArchRule domainSeesNoLibrary =
      classes()
          .that()
          .resideInAnyPackage(HouseRules.DOMAIN)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              and(
                  HouseRules.DOMAIN,
                  "java..",
                  "com.ibm.icu..",
                  "crawlercommons..",
                  "org.jspecify.."))
          .because("policies and ports outlive the libraries that serve them");

  @ArchTest
  static final ArchRule domainReadsNoClockAndDrawsNothing =
      noClasses()
          .that()
          .resideInAnyPackage(and(HouseRules.DOMAIN, "dev.fairfleet.wire.."))
          .should()
          .accessTargetWhere(HouseRules.CLOCK_OR_DICE)
          .because("time and chance come in as arguments, so that every decision can be replayed");

  @ArchTest
  static final ArchRule wireSeesOnlyJackson =
      classes()
          .that()
          .resideInAPackage("dev.fairfleet.wire..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              and(
                  HouseRules.DOMAIN,
                  "dev.fairfleet.wire..",
                  "java..",
                  "org.jspecify..",
                  "com.fasterxml.jackson.."))
          .because("the form of a message does not depend on what carries it");

  @ArchTest
  static final ArchRule jacksonStaysInWireAndAdapters =
      noClasses()
          .that()
          .resideOutsideOfPackages(and(ADAPTERS_TO_SERVERS, "dev.fairfleet.wire.."))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.fasterxml.jackson..")
          .because("JSON is a form that values take outside the process");

  @ArchTest
  static final ArchRule memorySeesOnlyTheDomain =
      classes()
          .that()
          .resideInAPackage("dev.fairfleet.memory..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              and(HouseRules.DOMAIN, "dev.fairfleet.memory..", "java..", "org.jspecify.."))
          .because(
              "simulations run on it, and show what the ports promise, not what a client does");

  @ArchTest
  static final ArchRule awsClientsStayInTheirAdapters =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.fairfleet.dynamodb..", "dev.fairfleet.sqs..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("software.amazon.awssdk..")
          .because("whoever holds a port must not have to know the service behind it");

  @ArchTest
  static final ArchRule redisClientStaysInItsAdapter =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.fairfleet.redis..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.lettuce..", "io.netty..", "reactor..")
          .because("whoever holds a port must not have to know the service behind it");

  private static String[] and(String[] some, String... more) {
    return Stream.of(some, more).flatMap(Stream::of).toArray(String[]::new);
  }
}
