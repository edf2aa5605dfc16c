package dev.fairfleet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Whatever lies in the queue, decoding says what it is; and what it accepts survives the way.
 *
 * <p>A million inputs: {@code mvn -pl shared test -Dtest='*FuzzTest' -Dfuzz.tries=1000000}.
 */
class TaskCodecFuzzTest {
  private static final String GOOD =
      "{\"v\":1,\"site\":\"a\",\"crawl\":\"20261130T120000.000Z\",\"url\":\"http://a.test/\","
          + "\"depth\":0,\"generation\":0}";
  private static final String END = GOOD.replace("\"v\":1", "\"v\":2,\"kind\":\"END\"");

  private static final String[] FRAGMENTS = {
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "NaN",
    "-1",
    "0",
    "1",
    "2",
    "1e9",
    "1e999999999",
    "0.5",
    "2147483648",
    "99999999999999999999",
    "\"v\":1",
    "\"v\":\"1\"",
    "\"v\":2",
    "\"v\":3",
    "\"kind\":\"PAGE\"",
    "\"kind\":\"END\"",
    "\"kind\":\"X\\u0000\"",
    "\"site\":\"a\"",
    "\"site\":null",
    "\"site\":{}",
    "\"crawl\":\"20261130T120000.000Z\"",
    "\"crawl\":\"20261399T996000.000Z\"",
    "\"url\":\"http://a.test/\"",
    "\"url\":\"file:///\"",
    "\"depth\":0",
    "\"depth\":-1",
    "\"generation\":7",
    "\"generation\":1.0",
    "[[[[[[[[[[[[",
    "{\"a\":",
    "\u0000",
    "\ud800",
    "\ufeff",
    " ",
    "\n",
    "/*",
    "//",
    "'"
  };

  private final TaskCodec codec = new TaskCodec();

  @Property
  void decode_anything_isATaskOrAReasonOnOneLine(@ForAll("nasty") String body) {
    switch (codec.decode(body)) {
      case Decoded.Valid valid ->
          assertThat(codec.decode(codec.encode(valid.task()))).isEqualTo(valid);
      case Decoded.Unreadable unreadable ->
          assertThat(unreadable.reason()).isNotBlank().doesNotContainPattern("\\p{Cntrl}");
    }
  }

  /** Two of three are a good message with a fragment in place of some of its characters. */
  @Provide
  Arbitrary<String> nasty() {
    Arbitrary<String> piece =
        Arbitraries.frequencyOf(
            Tuple.of(12, Arbitraries.of(FRAGMENTS)),
            Tuple.of(1, Arbitraries.strings().ofMaxLength(6)));
    Arbitrary<String> soup = piece.list().ofMaxSize(16).map(pieces -> String.join("", pieces));
    return Arbitraries.oneOf(soup, damaged(GOOD, piece), damaged(END, piece));
  }

  private static Arbitrary<String> damaged(String good, Arbitrary<String> piece) {
    Arbitrary<Integer> from = Arbitraries.integers().between(0, good.length());
    Arbitrary<Integer> length = Arbitraries.integers().between(0, 9);
    return piece.flatMap(
        part ->
            from.flatMap(
                start ->
                    length.map(
                        gone ->
                            good.substring(0, start)
                                + part
                                + good.substring(Math.min(good.length(), start + gone)))));
  }
}
