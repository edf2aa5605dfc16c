package dev.fairfleet.dynamodb;

import dev.fairfleet.url.UrlHash;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the next step of a walk through a site's pages begins.
 *
 * @param shard number of the partition; that of the one after the last at the end
 * @param after the URL behind which it begins; empty at the beginning of the partition
 */
record WalkPosition(int shard, Optional<UrlHash> after) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,2})/([\\w-]{22})?");

  /** Returns the position in a text; the beginning if it is none. */
  static WalkPosition parse(String text, int shards) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(1)) >= shards) {
      return new WalkPosition(0, Optional.empty());
    }
    return new WalkPosition(
        Integer.parseInt(parts.group(1)), Optional.ofNullable(parts.group(2)).map(UrlHash::new));
  }

  @Override
  public String toString() {
    return shard + "/" + after.map(UrlHash::value).orElse("");
  }
}
