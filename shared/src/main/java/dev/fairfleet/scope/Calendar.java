package dev.fairfleet.scope;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds a year of a far future where a URL is likely to carry a date, as a calendar does whose link
 * to the next year never ends.
 *
 * <p>A place whose name says that it holds a date ({@code ?year=}, {@code /calendar/…}) counts for
 * any year. A place that only looks like one ({@code /2031/05/}, {@code 2031-05}, {@code ?y=})
 * counts for the hundred years after the last allowed one: a walk from link to link cannot jump
 * over them, and an article number like {@code 4711-08} or a coordinate is left alone.
 */
final class Calendar {
  private static final int DOUBTFUL_YEARS = 100;

  /** Names, or words of names, of parameters and folders that hold dates. */
  private static final Set<String> SURE =
      Set.of(
          "year",
          "yr",
          "yyyy",
          "month",
          "date",
          "calendar",
          "datum",
          "jahr",
          "monat",
          "kalender",
          "annee",
          "mois",
          "calendrier",
          "fecha",
          "anno",
          "jaar");

  private static final Set<String> DOUBTFUL = Set.of("y", "yy", "ano", "cal");

  private static final Pattern WORD = Pattern.compile("[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+");
  private static final Pattern DIGITS = Pattern.compile("[0-9]{4,8}");
  private static final Pattern YEAR = Pattern.compile("[0-9]{4}");
  private static final Pattern MONTH = Pattern.compile("0?[1-9]|1[0-2]");
  private static final Pattern YEAR_FIRST =
      Pattern.compile("([0-9]{4,5})[-/._](?:0?[1-9]|1[0-2])(?:[-/._][0-3]?[0-9](?:T.*)?)?");
  private static final Pattern YEAR_LAST =
      Pattern.compile("(?:[0-3]?[0-9][-/._]){1,2}([0-9]{4,5})");
  private static final Pattern ISO =
      Pattern.compile("([0-9]{4})-(?:0[1-9]|1[0-2])(?:-[0-3][0-9](?:T.*)?)?");

  private Calendar() {}

  /** Returns which year is too far, or null. */
  static @Nullable String tooFar(Candidate candidate, int yearsAhead) {
    int limit = candidate.now().atOffset(ZoneOffset.UTC).getYear() + yearsAhead;
    int year = Math.max(inPath(candidate.segments(), limit), inQuery(candidate, limit));
    return year < 0 ? null : "year " + year + ", at most " + limit + " is allowed";
  }

  private static int inPath(List<String> segments, int limit) {
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      boolean sure = i > 0 && hasWord(segments.get(i - 1), SURE);
      boolean beforeMonth =
          YEAR.matcher(segment).matches()
              && i + 1 < segments.size()
              && MONTH.matcher(segments.get(i + 1)).matches();
      int year = sure ? dated(segment) : beforeMonth ? number(segment) : iso(segment);
      if (isTooFar(year, limit, sure)) {
        return year;
      }
    }
    return -1;
  }

  private static int inQuery(Candidate candidate, int limit) {
    for (String parameter : candidate.parameters()) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? "" : parameter.substring(0, equals);
      String value = parameter.substring(equals + 1).replace("%2F", "/");
      boolean sure = hasWord(name, SURE);
      int year = sure || hasWord(name, DOUBTFUL) ? dated(value) : iso(value);
      if (isTooFar(year, limit, sure)) {
        return year;
      }
    }
    return -1;
  }

  private static boolean isTooFar(int year, int limit, boolean sure) {
    return year > limit && (sure || year <= limit + DOUBTFUL_YEARS);
  }

  private static boolean hasWord(String name, Set<String> words) {
    Matcher word = WORD.matcher(name);
    while (word.find()) {
      if (words.contains(word.group().toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the year of a text that is thought to be a date, or -1. */
  private static int dated(String text) {
    for (Pattern form : List.of(YEAR_FIRST, YEAR_LAST)) {
      Matcher date = form.matcher(text);
      if (date.matches()) {
        return number(date.group(1));
      }
    }
    if (!DIGITS.matcher(text).matches()) {
      return -1;
    }
    boolean withMonth = text.length() == 6 || text.length() == 8;
    return withMonth && MONTH.matcher(text.substring(4, 6)).matches()
        ? number(text.substring(0, 4))
        : text.length() <= 6 ? number(text) : -1;
  }

  private static int iso(String text) {
    Matcher date = ISO.matcher(text);
    return date.matches() ? number(date.group(1)) : -1;
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }
}
