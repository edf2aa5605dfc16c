package dev.fairfleet.local.web;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Pseudo-words and ready-made paragraphs of them, drawn once from a seed, from which pages take
 * their text by copying.
 *
 * <p>Immutable; any thread may use it.
 */
final class Prose {
  private static final String[] STARTS = {
    "bal", "cor", "dun", "fen", "gar", "hol", "kel", "lum", "mar", "nor", "pel", "ros", "sal",
    "tor", "vel", "wyn"
  };
  private static final String[] ENDS = {
    "ado", "ben", "dale", "eth", "ford", "ick", "lin", "mere", "nor", "ost", "ridge", "sen", "ton",
    "umber", "wick", "yard"
  };
  private static final int PARAGRAPHS = 128;

  private final byte[][] paragraphs = new byte[PARAGRAPHS][];

  Prose(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < PARAGRAPHS; i++) {
      paragraphs[i] = paragraph(random).getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static String paragraph(RandomGenerator random) {
    StringBuilder text = new StringBuilder("<p>");
    int sentences = random.nextInt(3, 8);
    for (int i = 0; i < sentences; i++) {
      int words = random.nextInt(6, 18);
      text.append(capital(word(random.nextLong())));
      for (int j = 1; j < words; j++) {
        text.append(' ').append(word(random.nextLong()));
      }
      text.append(". ");
    }
    return text.append("</p>\n").toString();
  }

  /** Returns the word that belongs to a hash. */
  static String word(long hash) {
    return STARTS[(int) (hash & 15)] + ENDS[(int) (hash >>> 4 & 15)];
  }

  /** Returns a word with its first letter as a capital. */
  static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  /** Appends paragraphs that belong to a hash until the text is about the given length. */
  void appendUntil(int bytes, long hash, ByteArrayOutputStream out) {
    for (long i = hash; ; i++) {
      byte[] next = paragraphs[(int) (Hash.mix(i) & (PARAGRAPHS - 1))];
      if (out.size() + next.length / 2 > bytes) {
        return;
      }
      out.writeBytes(next);
    }
  }
}
