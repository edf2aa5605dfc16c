package dev.fairfleet.site;

import java.util.Set;

/**
 * Which links of a site's pages are not followed for what their {@code rel} says.
 *
 * @param skippedRels some of {@link #RELS}, in lower case; empty means that every link is followed
 */
public record LinkPolicy(Set<String> skippedRels) {
  /** The link qualifiers there are (Google Search Central, "Qualify your outbound links"). */
  public static final Set<String> RELS = Set.of("nofollow", "ugc", "sponsored");

  /** Links marked {@code nofollow} are skipped; what is only sponsored or user-made is not. */
  public static final LinkPolicy DEFAULT = new LinkPolicy(Set.of("nofollow"));

  /**
   * @throws IllegalArgumentException if a value is none of {@link #RELS}
   */
  public LinkPolicy {
    skippedRels = Set.copyOf(skippedRels);
    for (String rel : skippedRels) {
      if (!RELS.contains(rel)) {
        throw new IllegalArgumentException(
            "skipRel names nofollow, ugc or sponsored, not \"" + rel + "\"");
      }
    }
  }
}
