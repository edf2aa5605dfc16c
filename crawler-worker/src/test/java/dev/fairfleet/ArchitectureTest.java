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
  static final ArchRule htmlStaysInTheParser =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.fairfleet.worker.parse..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.jsoup..")
          .because("a page leaves the parser as links and records");

  @ArchTest
  static final ArchRule httpStaysInTheFetcher =
      noClasses()
          .that()
          .resideInAPackage("dev.fairfleet.worker..")
          .and()
          .resideOutsideOfPackage("dev.fairfleet.worker.fetch..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.hc..", "java.net.http..")
          .because("every request goes through its limits and its address guard");
}
