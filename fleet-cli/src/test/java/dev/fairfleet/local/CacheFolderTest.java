package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheFolderTest {
  private static final Path HOME = Path.of("/home/ada");

  @Test
  void of_ownVariable_winsOverAll() {
    assertThat(CacheFolder.of(Map.of("FAIRFLEET_CACHE", "/c", "XDG_CACHE_HOME", "/x"), HOME))
        .isEqualTo(new CacheFolder(Path.of("/c")));
  }

  @Test
  void of_xdgVariable_getsAFolderOfOurOwn() {
    assertThat(CacheFolder.of(Map.of("XDG_CACHE_HOME", "/x", "FAIRFLEET_CACHE", ""), HOME))
        .isEqualTo(new CacheFolder(Path.of("/x/fairfleet")));
  }

  @Test
  void of_noVariable_isInHome() {
    assertThat(CacheFolder.of(Map.of(), HOME))
        .isEqualTo(new CacheFolder(Path.of("/home/ada/.cache/fairfleet")));
  }
}
