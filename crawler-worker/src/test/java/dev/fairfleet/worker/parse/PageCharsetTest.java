package dev.fairfleet.worker.parse;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  @ValueSource(strings = {"nonsense", "%", "", " ", "utf-9", "utf 8", "\u0000"})
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
  void decode_labelWithSpacesOrCapitals_isKnown_P48() {
    String text = "<meta charset=utf-8>" + TEXT;

    assertThat(PageCharset.decode(text.getBytes(CYRILLIC), " CP1251\t")).isEqualTo(text);
  }

  @Test
  void decode_labelAndMetaAgree_noGuessOverrules_P48() {
    String text = "<meta charset=windows-1251>" + "plain text ".repeat(100) + "Ж";

    assertThat(PageCharset.decode(text.getBytes(CYRILLIC), "windows-1251")).isEqualTo(text);
  }

  @Test
  void decode_headerSaysUtf8ButBytesAreNot_headerWins_P48() {
    assertThat(PageCharset.decode(TEXT.getBytes(CYRILLIC), "utf-8")).startsWith("<p>\uFFFD");
  }

  @ParameterizedTest(name = "P48: {0}")
  @ValueSource(
      strings = {
        "<meta name=description content='charset=utf-8'><meta charset=windows-1251>",
        "<meta content='text/html; charset=windows-1251' http-equiv=Content-Type>",
        "<meta data-x=\"charset\" charset='windows-1251'>",
        "<?xml version='1.0' encoding='windows-1251'?>",
        "<meta/charset=windows-1251>"
      })
  void decode_labelWithinTheText_isFound(String head) {
    String text = head + TEXT;

    assertThat(PageCharset.decode(text.getBytes(CYRILLIC), "")).isEqualTo(text);
  }

  @Test
  void decode_metaThatNamesAPrivateEncoding_isWindows1252() {
    byte[] bytes = "<meta charset=x-user-defined>é".getBytes(Charset.forName("windows-1252"));

    assertThat(PageCharset.decode(bytes, "")).endsWith("é");
    assertThat(PageCharset.decode(bytes, "x-user-defined")).endsWith("\uF7E9");
  }

  @ParameterizedTest(name = "P48: {0}")
  @CsvSource({
    "windows-31j, 春はあけぼの。やうやう白くなりゆく山ぎは、すこしあかりて、紫だちたる雲のほそくたなびきたる。",
    "EUC-JP, 春はあけぼの。やうやう白くなりゆく山ぎは、すこしあかりて、紫だちたる雲のほそくたなびきたる。",
    "ISO-2022-JP, 春はあけぼの。やうやう白くなりゆく山ぎは、すこしあかりて、紫だちたる雲のほそくたなびきたる。",
    "GB18030, 人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "Big5, 人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
    "EUC-KR, 모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 이성과 양심을 부여받았다.",
    "windows-1251, Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом.",
    "KOI8-R, Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом.",
    "ISO-8859-2, Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem.",
    "windows-1252, Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison."
  })
  void decode_noLabel_isGuessedFromTheTextWithinTheMarkup(String charset, String text) {
    String html =
        "<html><head><title>x</title><link rel=stylesheet href=/style.css></head><body>"
            + "<div class='row'><a href=/index.html>Home</a></div>".repeat(20)
            + "<p style='color: black'>"
            + text
            + "</p></body></html>";

    assertThat(PageCharset.decode(html.getBytes(Charset.forName(charset)), "")).isEqualTo(html);
  }

  @ParameterizedTest
  @ValueSource(strings = {"windows-1251", "KOI8-R"})
  void decode_noLabelAndMostlyEnglishWords_isGuessedFromTheOthers_P48(String charset) {
    String english = "<p>The package manager reads the file in that directory and then the other. ";
    String text =
        english.repeat(40) + "<p>Основы системы управления пакетами описаны в этой главе.";
    assertThat(PageCharset.decode(text.getBytes(Charset.forName(charset)), "")).isEqualTo(text);
  }
}
