package dev.fairfleet.local;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;

/**
 * Which account, region and fleet on AWS is meant. What is left out is the AWS SDK's to find, as
 * its Developer Guide says ("Default credentials provider chain", "AWS Region selection").
 *
 * @param profile of the SDK's configuration files; its credentials come before those of the
 *     environment, as with the AWS CLI
 * @param region such as {@code eu-central-1}
 * @param endpoint of another server than AWS, for SQS and DynamoDB both
 * @param prefix what the names of the fleet's tables and queues begin with
 */
public record AwsTarget(
    Optional<String> profile, Optional<String> region, Optional<URI> endpoint, String prefix) {
  void configure(AwsClientBuilder<?, ?> client) {
    endpoint.ifPresent(
        uri -> {
          client.endpointOverride(uri);
          if (isLoopback(uri)) {
            // Real credentials never reach a server that is not AWS, and none need be there.
            client
                .region(Region.US_EAST_1)
                .credentialsProvider(
                    StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")));
          }
        });
    profile.ifPresent(
        name ->
            client
                .credentialsProvider(ProfileCredentialsProvider.create(name))
                .overrideConfiguration(
                    client.overrideConfiguration().toBuilder().defaultProfileName(name).build()));
    region.ifPresent(name -> client.region(Region.of(name)));
  }

  private static boolean isLoopback(URI endpoint) {
    try {
      return InetAddress.getByName(endpoint.getHost()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
