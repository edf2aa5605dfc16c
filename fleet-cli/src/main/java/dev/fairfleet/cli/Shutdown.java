package dev.fairfleet.cli;

/** What is to be done when this JVM is asked to end. */
final class Shutdown {
  private Shutdown() {}

  /** Has {@code action} run when the JVM ends, by Ctrl-C for instance. */
  static Thread add(Runnable action) {
    Thread hook = new Thread(action, "shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    return hook;
  }

  /** Takes back a hook, unless the JVM is ending already. */
  static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running, which is what it was for.
      Thread.currentThread().setName(Thread.currentThread().getName() + " (ending)");
    }
  }
}
