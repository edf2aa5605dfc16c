package dev.fairfleet.scope;

import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.UrlPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a URL must fulfil to be crawled, in the order in which it is asked. */
enum ScopeRule {
  /** It lies on a host of the site. */
  HOST("host") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      return site.scope().contains(candidate.url().hostKey())
          ? null
          : candidate.url().hostKey() + " is none of the site's hosts";
    }
  },

  /** It matches a pattern that the site includes; a root's path always does. */
  INCLUDE("include") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      List<UrlPattern> include = site.scope().include();
      boolean included =
          include.isEmpty()
              || include.stream().anyMatch(pattern -> pattern.matches(candidate.url()))
              || isRoot(site, candidate);
      return included
          ? null
          : "it matches none of the site's patterns, the first of " + listed(include);
    }

    private static boolean isRoot(Site site, Candidate candidate) {
      return site.roots().stream()
          .anyMatch(root -> root.pathAndQuery().equals(candidate.pathAndQuery()));
    }

    private static String listed(List<UrlPattern> patterns) {
      return patterns.size() + " " + abbreviated(patterns.getFirst().text());
    }
  },

  /** It matches no pattern that the site excludes. */
  EXCLUDE("exclude") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      Scope scope = site.scope();
      return scope.exclude().stream()
          .filter(pattern -> pattern.matches(candidate.url()))
          .findFirst()
          .map(pattern -> "it matches the site's pattern " + abbreviated(pattern.text()))
          .orElse(null);
    }
  },

  /** It is not too many links away from a root. */
  DEPTH("depth") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      int limit = site.limits().maxDepth();
      return candidate.depth().value() <= limit
          ? null
          : candidate.depth() + " is beyond the site's limit of " + limit;
    }
  },

  /** It is not too long. */
  URL_LENGTH("url length") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      return above(
          candidate.url().toString().length(), site.limits().traps().urlLength(), " characters");
    }
  },

  /** It does not have too many query parameters. */
  QUERY_PARAMETERS("query parameters") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      return above(candidate.parameters().size(), site.limits().traps().parameters(), "");
    }
  },

  /** Its path is not too deep. */
  PATH_SEGMENTS("path segments") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      return above(candidate.segments().size(), site.limits().traps().pathSegments(), "");
    }
  },

  /** Its path does not go round in circles. */
  REPEATED_PATH_SEGMENTS("repeated path segments") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      return Repetition.in(candidate.segments(), site.limits().traps().repeatedSegments());
    }
  },

  /** It is no page of a calendar that lies in a far future. */
  CALENDAR("calendar") {
    @Override
    @Nullable String objection(Site site, Candidate candidate) {
      return Calendar.tooFar(candidate, site.limits().traps().yearsAhead());
    }
  };

  private static final int MOST_SHOWN = 100;

  private final String label;

  ScopeRule(String label) {
    this.label = label;
  }

  /** Returns the name under which the frontier records a refusal. */
  String label() {
    return label;
  }

  /** Returns what was found and what is allowed, or null if there is nothing against it. */
  abstract @Nullable String objection(Site site, Candidate candidate);

  private static @Nullable String above(int found, int limit, String unit) {
    return found <= limit ? null : found + unit + ", at most " + limit + " are allowed";
  }

  static String abbreviated(String text) {
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
  }
}
