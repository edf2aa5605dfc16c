package dev.fairfleet.url;

import com.ibm.icu.text.IDNA;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The host parser of the URL Standard (url.spec.whatwg.org, section 3.5) for the host of an http or
 * https URL.
 *
 * <p>Names become ASCII by UTS #46, non-transitional, as in browsers: {@code faß.de} is not {@code
 * fass.de}. Pure.
 */
final class BrowserHost {
  // Beyond this no name fits a URL of ours; the conversion takes time that grows with the square.
  private static final int MAX_LENGTH = CrawlUrl.MAX_LENGTH;
  private static final int IPV6_PIECES = 8;
  private static final String FORBIDDEN = " #/:<>?@[\\]^|%\u007f";

  private static final IDNA UTS46 =
      IDNA.getUTS46Instance(IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ | IDNA.NONTRANSITIONAL_TO_ASCII);

  /** What the standard lets pass with its {@code CheckHyphens} and {@code VerifyDnsLength} off. */
  private static final Set<IDNA.Error> TOLERATED =
      EnumSet.of(
          IDNA.Error.EMPTY_LABEL,
          IDNA.Error.LABEL_TOO_LONG,
          IDNA.Error.DOMAIN_NAME_TOO_LONG,
          IDNA.Error.LEADING_HYPHEN,
          IDNA.Error.TRAILING_HYPHEN,
          IDNA.Error.HYPHEN_3_4);

  private BrowserHost() {}

  /** Returns the serialised host that {@code text} spells, or null if there can be no such host. */
  static @Nullable String parse(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      return null;
    }
    if (text.startsWith("[")) {
      return text.endsWith("]") ? ipv6(text.substring(1, text.length() - 1)) : null;
    }
    String name = domainToAscii(percentDecoded(text));
    if (name == null || name.isEmpty() || hasForbidden(name)) {
      return null;
    }
    return endsInNumber(name) ? ipv4(name) : name;
  }

  private static String percentDecoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      boolean escape = bytes[i] == '%' && i + 2 < bytes.length;
      int high = escape ? Character.digit((char) bytes[i + 1], 16) : -1;
      int low = escape ? Character.digit((char) bytes[i + 2], 16) : -1;
      if (high >= 0 && low >= 0) {
        decoded.write(high * 16 + low);
        i += 2;
      } else {
        decoded.write(bytes[i]);
      }
    }
    return decoded.toString(StandardCharsets.UTF_8);
  }

  /** Returns the name in ASCII; an ASCII name is only set in lower case, whatever it spells. */
  private static @Nullable String domainToAscii(String name) {
    if (name.chars().allMatch(c -> c < 0x80)) {
      return name.toLowerCase(Locale.ROOT);
    }
    IDNA.Info info = new IDNA.Info();
    String ascii = UTS46.nameToASCII(name, new StringBuilder(), info).toString();
    return TOLERATED.containsAll(info.getErrors()) ? ascii : null;
  }

  private static boolean hasForbidden(String name) {
    return name.chars().anyMatch(c -> c < ' ' || FORBIDDEN.indexOf(c) >= 0);
  }

  private static boolean endsInNumber(String name) {
    String trimmed = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    String last = trimmed.substring(trimmed.lastIndexOf('.') + 1);
    return !last.isEmpty()
        && (last.chars().allMatch(c -> c >= '0' && c <= '9') || ipv4Number(last) >= 0);
  }

  private static @Nullable String ipv4(String name) {
    String[] parts =
        (name.endsWith(".") ? name.substring(0, name.length() - 1) : name).split("\\.", -1);
    if (parts.length > 4) {
      return null;
    }
    long address = 0;
    for (int i = 0; i < parts.length; i++) {
      long number = ipv4Number(parts[i]);
      boolean last = i == parts.length - 1;
      long limit = last ? 1L << (8 * (5 - parts.length)) : 256;
      if (number < 0 || number >= limit) {
        return null;
      }
      address |= last ? number : number << (8 * (3 - i));
    }
    return dotted(address);
  }

  private static String dotted(long address) {
    return (address >> 24 & 255)
        + "."
        + (address >> 16 & 255)
        + "."
        + (address >> 8 & 255)
        + "."
        + (address & 255);
  }

  /** Returns the number, any one above 32 bits as {@code 1 << 32}, or -1 if it is none. */
  private static long ipv4Number(String part) {
    boolean hex = part.startsWith("0x") || part.startsWith("0X");
    boolean octal = !hex && part.length() > 1 && part.startsWith("0");
    int radix = hex ? 16 : octal ? 8 : 10;
    long number = part.isEmpty() ? -1 : 0;
    for (int i = hex ? 2 : 0; i < part.length(); i++) {
      char c = part.charAt(i);
      int digit = c < 0x80 ? Character.digit(c, radix) : -1;
      if (digit < 0) {
        return -1;
      }
      number = Math.min(number * radix + digit, 1L << 32);
    }
    return number;
  }

  /** Returns the address in brackets, its longest run of zeros compressed (RFC 5952). */
  private static @Nullable String ipv6(String text) {
    int[] pieces = new int[IPV6_PIECES];
    int count = 0;
    int compressAt = -1;
    int i = 0;
    if (text.startsWith(":")) {
      if (!text.startsWith("::")) {
        return null;
      }
      i = 2;
      compressAt = 0;
    }
    while (i < text.length()) {
      if (count == IPV6_PIECES) {
        return null;
      }
      if (text.charAt(i) == ':') {
        if (compressAt >= 0) {
          return null;
        }
        i++;
        compressAt = count;
        continue;
      }
      int from = i;
      while (i < text.length() && i < from + 4 && hexDigit(text.charAt(i)) >= 0) {
        pieces[count] = pieces[count] * 16 + hexDigit(text.charAt(i++));
      }
      if (i < text.length() && text.charAt(i) == '.') {
        if (i == from || count > IPV6_PIECES - 2) {
          return null;
        }
        long embedded = embeddedIpv4(text.substring(from));
        if (embedded < 0) {
          return null;
        }
        pieces[count++] = (int) (embedded >> 16);
        pieces[count++] = (int) (embedded & 0xffff);
        break;
      }
      if (i < text.length() && (text.charAt(i) != ':' || ++i == text.length())) {
        return null;
      }
      count++;
    }
    if (compressAt < 0 && count != IPV6_PIECES) {
      return null;
    }
    if (compressAt >= 0) {
      int moved = count - compressAt;
      System.arraycopy(pieces.clone(), compressAt, pieces, IPV6_PIECES - moved, moved);
      Arrays.fill(pieces, compressAt, IPV6_PIECES - moved, 0);
    }
    return "[" + compressed(pieces) + "]";
  }

  private static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  /** Returns the address of exactly four decimal numbers without leading zeros, or -1. */
  private static long embeddedIpv4(String text) {
    String[] parts = text.split("\\.", -1);
    long address = parts.length == 4 ? 0 : -1;
    for (int i = 0; i < parts.length && address >= 0; i++) {
      boolean decimal = parts[i].matches("0|[1-9][0-9]{0,2}");
      int number = decimal ? Integer.parseInt(parts[i]) : 256;
      address = number > 255 ? -1 : address * 256 + number;
    }
    return address;
  }

  private static String compressed(int[] pieces) {
    int bestAt = -1;
    int bestLength = 1;
    for (int i = 0; i < IPV6_PIECES; i++) {
      int end = i;
      while (end < IPV6_PIECES && pieces[end] == 0) {
        end++;
      }
      if (end - i > bestLength) {
        bestAt = i;
        bestLength = end - i;
      }
      i = end;
    }
    StringBuilder written = new StringBuilder();
    for (int i = 0; i < IPV6_PIECES; i++) {
      if (i == bestAt) {
        written.append(i == 0 ? "::" : ":");
        i += bestLength - 1;
      } else {
        written.append(Integer.toHexString(pieces[i])).append(i == IPV6_PIECES - 1 ? "" : ":");
      }
    }
    return written.toString();
  }

  /**
   * Returns the IPv4 address that the serialised IPv6 literal {@code host} carries, dotted, if it
   * is an IPv4-mapped one (RFC 4291, section 2.5.5.2); else {@code host}.
   */
  static String unmapped(String host) {
    if (!host.startsWith("[::ffff:")) {
      return host;
    }
    String[] pieces = host.substring("[::ffff:".length(), host.length() - 1).split(":", -1);
    if (pieces.length != 2 || pieces[0].isEmpty() || pieces[1].isEmpty()) {
      return host;
    }
    return dotted(Long.parseLong(pieces[0], 16) << 16 | Long.parseLong(pieces[1], 16));
  }
}
