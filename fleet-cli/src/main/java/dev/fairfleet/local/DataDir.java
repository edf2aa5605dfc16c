package dev.fairfleet.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The folder that holds everything one local fleet keeps, by default {@code .fairfleet/}, locked
 * for one fleet at a time.
 *
 * <p>The lock is a {@link FileLock} on its file {@code lock}, so it ends with the process however
 * that dies; there is no stale lock to remove. Closing gives the folder free and deletes nothing.
 * Any thread may use it.
 */
public final class DataDir implements AutoCloseable {
  /*
   * POSIX record locks belong to the process: closing any descriptor of the lock file, also one that
   * was opened only to look, would give up the lock of a fleet in this same JVM. So folders locked
   * by this JVM are known here, and the lock file is opened only by who does not yet hold it.
   */
  private static final Set<Path> HELD_BY_THIS_JVM = ConcurrentHashMap.newKeySet();

  private final Path root;
  private final FileChannel channel;

  private DataDir(Path root, FileChannel channel) {
    this.root = root;
    this.channel = channel;
  }

  /**
   * Creates the folder where it is absent, and locks it.
   *
   * @throws LocalFleetException if another fleet uses the folder, or it cannot be written
   */
  public static DataDir open(Path folder) {
    return openIfFree(folder).orElseThrow(() -> inUse(folder));
  }

  /**
   * Creates the folder where it is absent, and locks it unless another fleet uses it.
   *
   * @return nothing if another fleet uses the folder
   * @throws LocalFleetException if it cannot be written
   */
  public static Optional<DataDir> openIfFree(Path folder) {
    try {
      Files.createDirectories(folder);
      Path root = folder.toRealPath();
      if (!HELD_BY_THIS_JVM.add(root)) {
        return Optional.empty();
      }
      try {
        Optional<DataDir> locked = lock(root);
        if (locked.isEmpty()) {
          HELD_BY_THIS_JVM.remove(root);
        }
        return locked;
      } catch (IOException | RuntimeException e) {
        HELD_BY_THIS_JVM.remove(root);
        throw e;
      }
    } catch (IOException e) {
      throw new LocalFleetException(
          "Cannot write to the data folder %s (%s). Free some space, or give the fleet a folder of its own that you may write to."
              .formatted(folder.toAbsolutePath(), e),
          e);
    }
  }

  private static Optional<DataDir> lock(Path root) throws IOException {
    FileChannel channel =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      // The lock belongs to the channel and ends with it.
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        return Optional.empty();
      }
      for (String part : new String[] {"redis", "dynamodb", "logs", "run"}) {
        Files.createDirectories(root.resolve(part));
      }
      Files.writeString(owner(root), Long.toString(ProcessHandle.current().pid()));
      FleetEndpoints.remove(root);
      return Optional.of(new DataDir(root, channel));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static LocalFleetException inUse(Path folder) {
    Path root = folder.toAbsolutePath().normalize();
    return new LocalFleetException(
        "Another fleet (pid %s) is using %s. Stop it first, or give this fleet another data folder."
            .formatted(ownerPid(root), root),
        null);
  }

  private static String ownerPid(Path root) {
    try {
      return Files.readString(owner(root), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static Path owner(Path root) {
    return root.resolve("run").resolve("fleet.pid");
  }

  /** Returns the folder itself, absolute and without symbolic links. */
  public Path root() {
    return root;
  }

  /** Returns the folder of {@link RedisServer}. */
  public Path redis() {
    return root.resolve("redis");
  }

  /** Returns the folder of {@link DynamoServer}. */
  public Path dynamodb() {
    return root.resolve("dynamodb");
  }

  /** Returns the folder for the logs of workers. */
  public Path logs() {
    return root.resolve("logs");
  }

  /** Returns the folder for what is true only while the fleet runs: process ids, ports. */
  public Path run() {
    return root.resolve("run");
  }

  /** Gives the folder free for the next fleet. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new LocalFleetException(
          "Cannot give the data folder %s free (%s).".formatted(root, e), e);
    } finally {
      HELD_BY_THIS_JVM.remove(root);
    }
  }
}
