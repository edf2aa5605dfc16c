package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

class DynamoServerTest {
  private static final CacheFolder CACHE = CacheFolder.ofUser();

  @TempDir Path folder;

  private static void with(DynamoServer server, Consumer<DynamoDbClient> use) {
    try (DynamoDbClient client =
        DynamoDbClient.builder()
            .endpointOverride(server.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
            .build()) {
      use.accept(client);
    }
  }

  private static void createTable(DynamoDbClient client) {
    client.createTable(
        r ->
            r.tableName("pages")
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(
                    KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build()));
  }

  private static void put(DynamoDbClient client, String id) {
    client.putItem(r -> r.tableName("pages").item(Map.of("id", AttributeValue.fromS(id))));
  }

  private static boolean has(DynamoDbClient client, String id) {
    return client
        .getItem(r -> r.tableName("pages").key(Map.of("id", AttributeValue.fromS(id))))
        .hasItem();
  }

  @Test
  void createTable_newServer_canBeUsedAtOnce() {
    NodePresence.require();
    try (DynamoServer server = DynamoServer.start(folder)) {
      with(
          server,
          client -> {
            createTable(client);
            put(client, "a");
            assertThat(has(client, "a")).isTrue();
            assertThat(has(client, "b")).isFalse();
          });
    }
  }

  @Test
  void start_afterKill_findsItsData() {
    NodePresence.require();
    try (DynamoServer server = DynamoServer.start(folder)) {
      with(
          server,
          client -> {
            createTable(client);
            put(client, "a");
          });
      server.process().kill();
    }
    try (DynamoServer server = DynamoServer.start(folder)) {
      with(server, client -> assertThat(has(client, "a")).isTrue());
    }
  }

  @Test
  void start_leftoverHoldsTheDatabase_endsItFirst() {
    NodePresence.require();
    try (DynamoServer leftover = DynamoServer.start(folder);
        DynamoServer server = DynamoServer.start(folder)) {
      assertThat(leftover.process().isAlive()).isFalse();
      with(server, client -> assertThat(client.listTables().tableNames()).isEmpty());
    }
  }

  @Test
  void serve_clientDiesInTheMiddleOfARequest_goesOn() throws IOException {
    NodePresence.require();
    try (DynamoServer server = DynamoServer.start(folder)) {
      for (int i = 0; i < 20; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket
            .getOutputStream()
            .write(
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{\"half"
                    .getBytes(StandardCharsets.US_ASCII));
        socket.setSoLinger(true, 0); // close with a reset, as the system does for a killed process
        socket.close();
      }
      with(server, client -> assertThat(client.listTables().tableNames()).isEmpty());
    }
  }

  @Test
  void start_portTaken_saysWhatToDo() {
    NodePresence.require();
    try (DynamoServer first = DynamoServer.start(folder.resolve("1"))) {
      assertThatThrownBy(
              () ->
                  DynamoServer.start(
                      folder.resolve("2"), first.port(), NodeRuntime.onPath(), CACHE))
          .isInstanceOf(LocalFleetException.class)
          .hasMessageStartingWith("Port %d of 127.0.0.1 is taken, so dynalite", first.port());
    }
  }

  @Test
  void start_databaseCannotBeOpened_showsTheEndOfTheLog() throws IOException {
    NodePresence.require();
    Files.writeString(folder.resolve("leveldb"), "a file where a folder should be");
    assertThatThrownBy(() -> DynamoServer.start(folder))
        .isInstanceOf(LocalFleetException.class)
        .hasMessageContaining("dynalite ended at once")
        .hasMessageContaining("leveldb");
  }

  @Test
  void start_noNode_saysWhatToInstall() {
    assertThatThrownBy(
            () -> DynamoServer.start(folder, 0, new NodeRuntime("no-such-node", "npm"), CACHE))
        .isInstanceOf(LocalFleetException.class)
        .hasMessageStartingWith("Node.js was not found (no-such-node cannot be run")
        .hasMessageEndingWith(
            "Install Node.js 20 or newer, with npm, and make sure that it is in PATH.");
  }

  @Test
  void start_nodeJustTooOld_saysWhatToInstall() throws IOException {
    String node = program("node", "echo v19.9.0");
    assertThatThrownBy(() -> DynamoServer.start(folder, 0, new NodeRuntime(node, "npm"), CACHE))
        .isInstanceOf(LocalFleetException.class)
        .hasMessage(
            "Node.js is too old: %s --version says \"v19.9.0\". Install Node.js 20 or newer, with npm, and make sure that it comes first in PATH.",
            node);
  }

  @Test
  void start_npmFails_showsWhatItSaidAndLeavesNothing() throws IOException {
    NodeRuntime node =
        new NodeRuntime(
            program("node", "echo v20.0.0"), program("npm", "echo npm error network; exit 7"));
    CacheFolder cache = new CacheFolder(folder.resolve("cache"));
    assertThatThrownBy(() -> DynamoServer.start(folder, 0, node, cache))
        .isInstanceOf(LocalFleetException.class)
        .hasMessageContaining("npm could not install dynalite (exit value 7)")
        .hasMessageContaining("npm error network");
    assertThat(cache.path()).isEmptyDirectory();
  }

  @Test
  void install_twoAtOnce_bothFindTheSameFolder() throws Exception {
    String npm = program("npm", "mkdir node_modules && sleep 0.2 && echo x > node_modules/done");
    CacheFolder cache = new CacheFolder(folder.resolve("cache"));
    Callable<Path> install = () -> DynamoServer.install(new NodeRuntime("node", npm), cache);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Path>> both = executor.invokeAll(List.of(install, install));
      assertThat(both.getFirst().get()).isEqualTo(both.getLast().get());
      assertThat(both.getFirst().get().resolve("node_modules/done")).exists();
    }
    try (Stream<Path> files = Files.list(cache.path())) {
      assertThat(files).hasSize(1);
    }
  }

  /** Writes a shell script that stands in for a program, and returns its path. */
  private String program(String name, String script) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file.toString();
  }
}
