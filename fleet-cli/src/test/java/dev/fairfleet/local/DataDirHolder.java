package dev.fairfleet.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A program that opens the data folder it is given, says "open", and keeps it until it is ended.
 */
final class DataDirHolder {
  private DataDirHolder() {}

  static List<String> command(Path folder) {
    return List.of(
        ChildProcess.javaLauncher().toString(),
        "-cp",
        System.getProperty("java.class.path"),
        DataDirHolder.class.getName(),
        folder.toString());
  }

  public static void main(String[] args) throws InterruptedException {
    try (DataDir data = DataDir.open(Path.of(args[0]))) {
      System.out.println(Files.exists(data.root()) ? "open" : "absent");
      new CountDownLatch(1).await();
    }
  }
}
