package dev.fairfleet.dynamodb;

import dev.fairfleet.frontier.Outlinks;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * Outlinks in the table {@code pages}, beside the pages but in partitions of their own, so that a
 * scan of a site's pages does not read them: attribute {@code links}, the URLs one a line, packed
 * with gzip. Links of one page resemble each other, so a hundred take about a kilobyte.
 *
 * <p>Reads are consistent. Thread-safe.
 */
public final class DynamoDbOutlinks implements Outlinks {
  /** Most bytes that are kept of a page's links, packed; an item holds at most 400 KB. */
  static final int MOST_BYTES = 100_000;

  private static final String LINKS = "links";

  private final DynamoDbClient client;
  private final String table;

  public DynamoDbOutlinks(DynamoDbClient client, TablePrefix prefix) {
    this.client = client;
    this.table = prefix.pages();
  }

  @Override
  public boolean keep(SiteId site, CrawlUrl page, List<CrawlUrl> links) {
    byte[] packed = pack(links);
    if (packed.length > MOST_BYTES) {
      return false;
    }
    new Update(table, PageItem.linksKey(site, page.hash()))
        .set(LINKS, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(packed)))
        .send(client, ReturnValue.NONE);
    return true;
  }

  @Override
  public Optional<List<CrawlUrl>> of(SiteId site, CrawlUrl page) {
    Map<String, AttributeValue> item =
        client
            .getItem(
                r ->
                    r.tableName(table)
                        .key(PageItem.linksKey(site, page.hash()))
                        .consistentRead(true)
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
            .item();
    return Optional.ofNullable(ItemVersion.check(table, item).get(LINKS))
        .map(links -> unpack(links.b().asByteArray()));
  }

  private static byte[] pack(List<CrawlUrl> links) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(
          links.stream()
              .map(CrawlUrl::toString)
              .collect(Collectors.joining("\n"))
              .getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static List<CrawlUrl> unpack(byte[] packed) {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      String lines = new String(gzip.readAllBytes(), StandardCharsets.US_ASCII);
      return lines.lines().map(CrawlUrl::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
