package dev.fairfleet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.TaskKind;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

class TaskCodecPropertyTest {
  private final TaskCodec codec = new TaskCodec();

  @Property(tries = 500)
  void decode_whatWasEncoded_isTheSameTask(
      @ForAll @AlphaChars @StringLength(min = 1, max = 128) String site,
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long crawl,
      @ForAll @StringLength(max = 100) String path,
      @ForAll @IntRange(max = 1_000_000) int depth,
      @ForAll @IntRange int generation,
      @ForAll TaskKind kind) {
    Task task =
        new Task(
            new SiteId(site),
            CrawlId.scheduledFor(Instant.ofEpochMilli(crawl)),
            CrawlUrl.of("http://a.test/" + URLEncoder.encode(path, StandardCharsets.UTF_8)),
            new CrawlDepth(depth),
            generation,
            kind);

    assertThat(codec.decode(codec.encode(task))).isEqualTo(new Decoded.Valid(task));
  }

  @Property(tries = 1_000)
  void decode_anyText_neverThrows(@ForAll String text) {
    assertThat(codec.decode(text)).isInstanceOf(Decoded.Unreadable.class);
  }
}
