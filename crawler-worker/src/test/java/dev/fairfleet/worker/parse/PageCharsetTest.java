package dev.fairfleet.worker.parse;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageCharsetTest {
  private static final Charset CYRILLIC = Charset.forName("windows-1251");
  private static final String TEXT = "<p>Привет";

  @Test
  void decode_byteOrderMark_beatsHeader_P48() {
    assertThat(PageCharset.decode(("\uFEFF" + TEXT).getBytes(UTF_8), "windows-1251"))
        .isEqualTo(TEXT);
    assertThat(PageCharset.decode(("\uFEFF" + TEXT).getBytes(UTF_16BE), "utf-8")).isEqualTo(TEXT);
    assertThat(PageCharset.decode(("\uFEFF" + TEXT).getBytes(UTF_16LE), "utf-8")).isEqualTo(TEXT);
  }

  @Test
  void decode_header_beatsMeta_P48() {
    String text = "<meta charset=utf-8>" + TEXT;

    assertThat(PageCharset.decode(text.getBytes(CYRILLIC), "Windows-1251")).isEqualTo(text);
  }

  @ParameterizedTest(name = "P48: {0}")
  @ValueSource(
      strings = {
        "<meta charset=windows-1251>",
        "<META CHARSET = ' windows-1251 '/>",
        "<meta http-equiv=content-type content='text/html; charset=windows-1251'>",
        "<!-- <meta charset=utf-8> --><meta charset=\"windows-1251\">",
        "<meta charset=nonsense><meta charset=windows-1251>"
      })
  void decode_meta_isReadForWantOfAHeader(String meta) {
    String text = meta + TEXT;

    assertThat(PageCharset.decode(text.getBytes(CYRILLIC), "")).isEqualTo(text);
  }

  @ParameterizedTest(name = "P48: {0}")
  @ValueSource(strings = {"nonsense", "%", "", " ", "utf-8 ", "x-user-defined", "\u0000"})
  void decode_unknownHeaderLabel_fallsToMeta(String label) {
    String text = "<meta charset=windows-1251>" + TEXT;

    assertThat(PageCharset.decode(text.getBytes(CYRILLIC), label)).isEqualTo(text);
  }

  @Test
  void decode_metaBeyond1024Bytes_isNotLookedFor() {
    String text = " ".repeat(1_024) + "<meta charset=windows-1251>é";

    assertThat(PageCharset.decode(text.getBytes(UTF_8), "")).isEqualTo(text);
  }

  @Test
  void decode_metaThatNamesUtf16_isUtf8() {
    String text = "<meta charset=utf-16>" + TEXT;

    assertThat(PageCharset.decode(text.getBytes(UTF_8), "")).isEqualTo(text);
  }

  @Test
  void decode_noLabel_isUtf8IfValidElseWindows1252() {
    byte[] utf8 = TEXT.getBytes(UTF_8);

    assertThat(PageCharset.decode(utf8, "")).isEqualTo(TEXT);
    assertThat(PageCharset.decode("café!".getBytes(Charset.forName("windows-1252")), ""))
        .isEqualTo("café!");
    assertThat(PageCharset.decode(Arrays.copyOf(utf8, utf8.length - 1), ""))
        .isEqualTo("<p>Приве\uFFFD");
    assertThat(PageCharset.decode(new byte[0], "")).isEmpty();
  }

  @Test
  void decode_latin1_isWindows1252() {
    byte[] quoted = {(byte) 0x93, 'x', (byte) 0x94};

    assertThat(PageCharset.decode(quoted, "ISO-8859-1")).isEqualTo("“x”");
  }

  @Test
  void decode_everyWiderLabel_isKnown() {
    for (String label : new String[] {"gb2312", "gbk", "shift_jis", "euc-kr", "iso-8859-9"}) {
      assertThat(PageCharset.decode(new byte[] {'x'}, label)).isEqualTo("x");
    }
    byte[] japanese = "日本".getBytes(Charset.forName("windows-31j"));
    assertThat(PageCharset.decode(japanese, "Shift_JIS")).isEqualTo("日本");
  }
}
