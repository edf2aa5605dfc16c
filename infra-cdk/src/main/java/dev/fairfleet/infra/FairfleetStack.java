package dev.fairfleet.infra;

import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/** Everything that one fleet runs on in AWS. */
public final class FairfleetStack extends Stack {
  /**
   * @param prefix begins the name of every queue and table, and a hyphen follows it, so that
   *     several fleets share an account
   */
  public FairfleetStack(Construct scope, String id, String prefix) {
    super(scope, id);
    new FrontierTables(this, "Tables", prefix);
    new FrontierQueues(this, "Queues", prefix);
  }
}
