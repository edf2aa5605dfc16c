package dev.fairfleet.cli;

import dev.fairfleet.local.AwsTarget;
import dev.fairfleet.local.FleetAccess;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which fleet a command is for: a local one, or one on AWS. */
final class FleetOptions {
  private static final String DEFAULT_PREFIX = "fairfleet-";

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Folder of a local fleet, whether it runs or not. Default: .fairfleet")
  private @Nullable Path dataDir;

  @Option(
      names = "--aws",
      description = "The fleet is on AWS, in the region and with the credentials of the AWS SDK.")
  private boolean aws;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "Profile of the AWS configuration files; implies --aws.")
  private @Nullable String profile;

  @Option(names = "--region", paramLabel = "NAME", description = "AWS region; implies --aws.")
  private @Nullable String region;

  @Option(
      names = "--endpoint-url",
      paramLabel = "URL",
      description = "Server for SQS and DynamoDB in place of AWS; implies --aws.")
  private @Nullable URI endpoint;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description =
          "What the names of the fleet's tables and queues on AWS begin with. Default: fairfleet-")
  private @Nullable String prefix;

  /**
   * Opens the fleet.
   *
   * @throws UsageException if the options contradict each other
   * @throws dev.fairfleet.local.LocalFleetException if there is no such local fleet, or it cannot
   *     be opened
   */
  FleetAccess open() {
    return isOnAws() ? openOnAws() : FleetAccess.ofDataDir(dataDir());
  }

  /** Opens the fleet like {@link #open}; a local one is created where there is none. */
  FleetAccess openOrCreate() {
    return isOnAws() ? openOnAws() : FleetAccess.ofNewDataDir(dataDir());
  }

  /** Tells whether the fleet is on AWS, or on a server that is like it. */
  boolean isOnAws() {
    boolean isOnAws = aws || profile != null || region != null || endpoint != null;
    if (isOnAws && dataDir != null) {
      throw new UsageException(
          "A fleet on AWS has no data folder: leave out --data-dir, or --aws, --profile, --region and"
              + " --endpoint-url.");
    }
    if (!isOnAws && prefix != null) {
      throw new UsageException(
          "A local fleet has a prefix of its own; --prefix goes with --aws, --profile, --region or"
              + " --endpoint-url.");
    }
    return isOnAws;
  }

  /** Returns the data folder of a local fleet. */
  Path dataDir() {
    return dataDir == null ? Path.of(".fairfleet") : dataDir;
  }

  private FleetAccess openOnAws() {
    if (endpoint != null && endpoint.getHost() == null) {
      throw new UsageException(
          "--endpoint-url is an address such as http://127.0.0.1:5000, not " + endpoint + ".");
    }
    try {
      return FleetAccess.onAws(
          new AwsTarget(
              Optional.ofNullable(profile),
              Optional.ofNullable(region),
              Optional.ofNullable(endpoint),
              prefix == null ? DEFAULT_PREFIX : prefix));
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage() + ".", e);
    }
  }
}
