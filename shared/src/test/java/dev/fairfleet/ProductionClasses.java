package dev.fairfleet;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves test classes out of an architecture test, from directories and from test jars. */
public final class ProductionClasses implements ImportOption {
  private static final ImportOption NO_TEST_DIRECTORY = new ImportOption.DoNotIncludeTests();

  @Override
  public boolean includes(Location location) {
    return NO_TEST_DIRECTORY.includes(location) && !location.contains("-tests.jar");
  }
}
