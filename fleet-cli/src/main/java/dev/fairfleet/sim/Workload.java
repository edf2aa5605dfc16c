package dev.fairfleet.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The sites of a scenario, the same for every policy. */
final class Workload {
  private static final int LEAST_SMALL = 10;
  private static final int MOST_SMALL = Scenario.MOST_SMALL;

  private Workload() {}

  /** Returns the sites, the largest first. */
  static List<SimSite> sites(Scenario scenario, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int[] sizes = sizes(scenario, random);
    List<SimSite> sites = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      sites.add(new SimSite(i, sizes[i], scenario.hourlyLimit(), scenario.minDelay(), random));
    }
    return sites;
  }

  private static int[] sizes(Scenario scenario, RandomGenerator random) {
    return switch (scenario.sizes()) {
      case EQUAL -> equal(scenario);
      case ZIPF -> zipf(scenario);
      case ONE_LARGE -> oneLarge(scenario, random);
    };
  }

  private static int[] equal(Scenario scenario) {
    int[] sizes = new int[scenario.sites()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = scenario.pages() / sizes.length + (i < scenario.pages() % sizes.length ? 1 : 0);
    }
    return sizes;
  }

  private static int[] zipf(Scenario scenario) {
    int[] sizes = new int[scenario.sites()];
    double harmonic = 0;
    for (int rank = 1; rank <= sizes.length; rank++) {
      harmonic += 1.0 / rank;
    }
    int spread = scenario.pages() - sizes.length;
    int given = 0;
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = 1 + (int) (spread / harmonic / (i + 1));
      given += sizes[i];
    }
    sizes[0] += scenario.pages() - given;
    return sizes;
  }

  private static int[] oneLarge(Scenario scenario, RandomGenerator random) {
    int[] sizes = new int[scenario.sites()];
    int given = 0;
    for (int i = 1; i < sizes.length; i++) {
      sizes[i] = LEAST_SMALL + random.nextInt(MOST_SMALL - LEAST_SMALL + 1);
      given += sizes[i];
    }
    sizes[0] = scenario.pages() - given;
    return sizes;
  }
}
