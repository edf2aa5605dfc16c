package dev.fairfleet.local.web;

/**
 * Hashes of 64 bits that the fake web is drawn from: the same on every machine and in every run.
 */
final class Hash {
  private Hash() {}

  /**
   * Returns a number whose every bit depends on every bit of the argument: the finaliser of
   * SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
   */
  static long mix(long z) {
    z += 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Returns the hash of a text, by its UTF-16 units. */
  static long of(String text) {
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = hash * 0x100000001b3L ^ text.charAt(i);
    }
    return mix(hash);
  }

  /** Returns a number from 0 to below the bound, drawn from a hash; the bound is positive. */
  static int below(int bound, long hash) {
    return (int) Math.unsignedMultiplyHigh(mix(hash), bound);
  }
}
