package dev.fairfleet.worker.parse;

import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads tags and text from what is meant to be XML, forwards only and in constant memory.
 *
 * <p>Nothing is an error: a {@code <} that begins no tag is text, a tag that is not closed ends
 * where the next one begins, and whether tags match is the caller's affair. A DTD is skipped, so
 * there are no entities but the caller's, and nothing outside the text is ever read. Not safe for
 * many threads.
 */
final class XmlScanner {
  /** What {@link #next} has found. */
  enum Event {
    START,
    END,
    TEXT,
    CDATA,
    EOF
  }

  /** Longest text, name or attribute value that is kept, in characters; the rest is dropped. */
  static final int LONGEST = 8_192;

  private static final int MOST_ATTRIBUTES = 32;
  private static final int EOF = -1;

  private final Reader in;
  private final char[] buffer = new char[8 * 1024];
  private int at;
  private int end;
  private final StringBuilder text = new StringBuilder();
  private final Map<String, String> attributes = new HashMap<>();
  private String prefix = "";
  private String name = "";
  private boolean selfClosing;

  XmlScanner(Reader in) {
    this.in = in;
  }

  /** Returns the namespace prefix of the tag, in lower case; empty if it has none. */
  String prefix() {
    return prefix;
  }

  /** Returns the name of the tag without its prefix, in lower case. */
  String name() {
    return name;
  }

  /** Returns the attributes of a start tag by lower-case name, prefixes included. */
  Map<String, String> attributes() {
    return attributes;
  }

  /** Returns the text, as it was spelled. */
  String text() {
    return text.toString();
  }

  /**
   * Moves on to what comes next.
   *
   * @throws IOException if the text cannot be read
   */
  Event next() throws IOException {
    if (selfClosing) {
      selfClosing = false;
      return Event.END;
    }
    text.setLength(0);
    while (true) {
      int c = peek();
      if (c == EOF) {
        return text.isEmpty() ? Event.EOF : Event.TEXT;
      }
      if (c == '<' && beginsTag()) {
        if (!text.isEmpty()) {
          return Event.TEXT;
        }
        Event found = markup();
        if (found != Event.EOF) {
          return found;
        }
      } else {
        keep(read());
      }
    }
  }

  /** Returns the tag or CDATA section that begins here; {@code EOF} if it is of no interest. */
  private Event markup() throws IOException {
    read();
    int c = peek();
    if (c == '?') {
      skipTo(">");
      return Event.EOF;
    }
    if (c == '!') {
      read();
      if (skips("--")) {
        skipTo("-->");
      } else if (skips("[CDATA[")) {
        cdata();
        return Event.CDATA;
      } else {
        declaration();
      }
      return Event.EOF;
    }
    boolean closing = c == '/';
    if (closing) {
      read();
    }
    attributes.clear();
    name(token());
    if (!closing) {
      readAttributes();
      return Event.START;
    }
    skipInTag();
    return Event.END;
  }

  private void readAttributes() throws IOException {
    while (true) {
      skipSpace();
      int c = peek();
      if (c == EOF || c == '<') {
        return;
      }
      if (c == '>') {
        read();
        return;
      }
      if (c == '/') {
        read();
        selfClosing = peek() == '>';
        continue;
      }
      String attribute = token();
      if (attribute.isEmpty()) {
        read();
        continue;
      }
      skipSpace();
      if (peek() == '=') {
        read();
        skipSpace();
        String value = value();
        if (attributes.size() < MOST_ATTRIBUTES) {
          attributes.putIfAbsent(attribute.toLowerCase(Locale.ROOT), value);
        }
      }
    }
  }

  private String value() throws IOException {
    int quote = peek();
    if (quote != '"' && quote != '\'') {
      return token();
    }
    read();
    StringBuilder value = new StringBuilder();
    for (int c = peek(); c != EOF && c != quote && c != '<'; c = peek()) {
      if (value.length() < LONGEST) {
        value.append((char) c);
      }
      read();
    }
    if (peek() == quote) {
      read();
    }
    return value.toString();
  }

  private void cdata() throws IOException {
    int brackets = 0;
    for (int c = read(); c != EOF; c = read()) {
      if (c == '>' && brackets >= 2) {
        text.setLength(Math.max(0, text.length() - 2));
        return;
      }
      brackets = c == ']' ? brackets + 1 : 0;
      keep(c);
    }
  }

  /** Skips a DTD, whose own declarations stand in brackets. */
  private void declaration() throws IOException {
    for (int c = read(); c != EOF && c != '>'; c = read()) {
      if (c == '[') {
        skipTo("]>");
        return;
      }
    }
  }

  private void skipInTag() throws IOException {
    for (int c = peek(); c != EOF && c != '<'; c = peek()) {
      read();
      if (c == '>') {
        return;
      }
    }
  }

  private String token() throws IOException {
    StringBuilder token = new StringBuilder();
    for (int c = peek(); c != EOF && c > ' ' && "<>/='\"".indexOf(c) < 0; c = peek()) {
      if (token.length() < LONGEST) {
        token.append((char) c);
      }
      read();
    }
    return token.toString();
  }

  private void name(String qualified) {
    String lower = qualified.toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':');
    prefix = colon < 0 ? "" : lower.substring(0, colon);
    name = lower.substring(colon + 1);
  }

  private boolean beginsTag() throws IOException {
    int c = peekAfter();
    return c == '/' || c == '!' || c == '?' || c == '_' || Character.isLetter(c);
  }

  private void skipSpace() throws IOException {
    while (peek() != EOF && peek() <= ' ') {
      read();
    }
  }

  /** Skips {@code word} if it is what comes next, and else what of it does. */
  private boolean skips(String word) throws IOException {
    for (int i = 0; i < word.length(); i++) {
      if (peek() != word.charAt(i)) {
        return false;
      }
      read();
    }
    return true;
  }

  private void skipTo(String mark) throws IOException {
    StringBuilder last = new StringBuilder();
    for (int c = read(); c != EOF; c = read()) {
      if (mark.length() > 1 && mark.charAt(0) == ']' && c <= ' ') {
        continue;
      }
      last.append((char) c);
      if (last.length() > mark.length()) {
        last.deleteCharAt(0);
      }
      if (mark.contentEquals(last)) {
        return;
      }
    }
  }

  private void keep(int c) {
    if (text.length() < LONGEST) {
      text.append((char) c);
    }
  }

  private int read() throws IOException {
    return fill() ? buffer[at++] : EOF;
  }

  private int peek() throws IOException {
    return fill() ? buffer[at] : EOF;
  }

  private int peekAfter() throws IOException {
    if (end - at < 2) {
      buffer[0] = buffer[at];
      int more = in.read(buffer, 1, buffer.length - 1);
      at = 0;
      end = 1 + Math.max(0, more);
    }
    return end - at < 2 ? EOF : buffer[at + 1];
  }

  private boolean fill() throws IOException {
    if (at < end) {
      return true;
    }
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
