package dev.fairfleet.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.SiteId;
import org.junit.jupiter.api.Test;

class MessageGroupTest {
  @Test
  void of_site_isTheHeadOfItsSha256() {
    assertThat(MessageGroup.of(new SiteId("abc")).value())
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223");
  }

  @Test
  void of_otherSite_isAnother() {
    assertThat(MessageGroup.of(new SiteId("abd"))).isNotEqualTo(MessageGroup.of(new SiteId("abc")));
  }
}
