package dev.fairfleet.infra;

import software.amazon.awscdk.App;

/** The CDK app: one {@link FairfleetStack}, for whatever account and region deploys it. */
public final class FairfleetApp {
  private FairfleetApp() {}

  /** Writes the stack's template into the directory that the CDK command names. */
  public static void main(String[] arguments) {
    App app = new App();
    new FairfleetStack(app, "Fairfleet", "fairfleet");
    app.synth();
  }
}
