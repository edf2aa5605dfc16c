package dev.fairfleet.worker.parse;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every label of the WHATWG Encoding standard, section 4.2, and for each encoding some bytes with
 * the characters that the standard's index has for them.
 *
 * <p>The last three rows are the labels of {@code replacement}, from which we deviate.
 */
class EncodingLabelsTest {
  @ParameterizedTest(name = "P48: {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          UTF-8 | E6 97 A5 | 日 | unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
          IBM866 | A4 B5 C6 D7 E8 F0 FE | д╡╞╫шЁ■ | 866 cp866 csibm866 ibm866
          ISO-8859-2 | A4 B5 C6 D7 E8 F0 FE | ¤ľĆ×čđţ | csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
          ISO-8859-3 | A4 B5 C6 D7 E8 FE | ¤µĈ×èŝ | csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
          ISO-8859-4 | A4 B5 C6 D7 E8 F0 FE | ¤ĩÆ×čđū | csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
          ISO-8859-5 | A4 B5 C6 D7 E8 F0 FE | ЄЕЦзш№ў | csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
          ISO-8859-6 | A4 C6 D7 E8 F0 | ¤\u0626\u0637\u0648\u0650 | arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
          ISO-8859-7 | A4 B5 C6 D7 E8 F0 FE | €΅ΖΧθπώ | csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
          ISO-8859-8 | A4 B5 E8 F0 FE | ¤µ\u05D8\u05E0\u200F | csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual
          ISO-8859-8-I | A4 B5 E8 F0 FE | ¤µ\u05D8\u05E0\u200F | csiso88598i iso-8859-8-i logical
          ISO-8859-10 | A4 B5 C6 D7 E8 F0 FE | ĪĩÆŨčðþ | csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
          ISO-8859-13 | A4 B5 C6 D7 E8 F0 FE | ¤µĘ×čšž | iso-8859-13 iso8859-13 iso885913
          ISO-8859-14 | A4 B5 C6 D7 E8 F0 FE | ĊṁÆṪèŵŷ | iso-8859-14 iso8859-14 iso885914
          ISO-8859-15 | A4 B5 C6 D7 E8 F0 FE | €µÆ×èðþ | csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
          ISO-8859-16 | A4 B5 C6 D7 E8 F0 FE | €”ÆŚèđț | iso-8859-16
          KOI8-R | A4 B5 C6 D7 E8 F0 FE | ╓╣фвХПЧ | cskoi8r koi koi8 koi8-r koi8_r
          KOI8-U | A4 B5 C6 D7 E8 F0 FE | є╣фвХПЧ | koi8-ru koi8-u
          macintosh | A4 B5 C6 D7 E8 F0 FE | §µ∆◊Ë\uF8FF˛ | csmacintosh mac macintosh x-mac-roman
          windows-874 | A4 B5 C6 D7 E8 F0 | \u0E04\u0E15\u0E26\u0E37\u0E48\u0E50 | dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
          windows-1250 | A4 B5 C6 D7 E8 F0 FE | ¤µĆ×čđţ | cp1250 windows-1250 x-cp1250
          windows-1251 | A4 B5 C6 D7 E8 F0 FE | ¤µЖЧирю | cp1251 windows-1251 x-cp1251
          windows-1252 | A4 B5 C6 D7 E8 F0 FE | ¤µÆ×èðþ | ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
          windows-1253 | A4 B5 C6 D7 E8 F0 FE | ¤µΖΧθπώ | cp1253 windows-1253 x-cp1253
          windows-1254 | A4 B5 C6 D7 E8 F0 FE | ¤µÆ×èğş | cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254
          windows-1255 | A4 B5 C6 D7 E8 F0 FE | ₪µ\u05B6\u05F3\u05D8\u05E0\u200F | cp1255 windows-1255 x-cp1255
          windows-1256 | A4 B5 C6 D7 E8 F0 FE | ¤µ\u0626×è\u064B\u200F | cp1256 windows-1256 x-cp1256
          windows-1257 | A4 B5 C6 D7 E8 F0 FE | ¤µĘ×čšž | cp1257 windows-1257 x-cp1257
          windows-1258 | A4 B5 C6 D7 E8 F0 FE | ¤µÆ×èđ₫ | cp1258 windows-1258 x-cp1258
          x-mac-cyrillic | A4 B5 C6 D7 E8 F0 FE | §µ∆„ирю | x-mac-cyrillic x-mac-ukrainian
          GBK | D6 D0 | 中 | chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
          gb18030 | D6 D0 | 中 | gb18030
          Big5 | A4 A4 | 中 | big5 big5-hkscs cn-big5 csbig5 x-x-big5
          EUC-JP | C6 FC | 日 | cseucpkdfmtjapanese euc-jp x-euc-jp
          ISO-2022-JP | 1B 24 42 46 7C 1B 28 42 | 日 | csiso2022jp iso-2022-jp
          Shift_JIS | 93 FA | 日 | csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
          EUC-KR | C7 D1 | 한 | cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
          UTF-16BE | 65 E5 | 日 | unicodefffe utf-16be
          UTF-16LE | E5 65 | 日 | csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
          x-user-defined | A4 | \uF7A4 | x-user-defined
          ISO-2022-KR | 1B 24 29 43 0E 47 51 0F | 한 | csiso2022kr iso-2022-kr
          ISO-2022-CN | 1B 24 29 41 0E 56 50 0F | 中 | iso-2022-cn iso-2022-cn-ext
          US-ASCII | 41 | A | hz-gb-2312 replacement
          """)
  void charset_everyLabel_decodesAsTheStandardSays(
      String encoding, String bytes, String text, String labels) {
    byte[] encoded = HexFormat.ofDelimiter(" ").parseHex(bytes);

    for (String label : labels.split(" ", -1)) {
      Charset charset = EncodingLabels.charset(label).orElseThrow();
      assertThat(new String(encoded, charset)).as(label).isEqualTo(text);
      assertThat(EncodingLabels.charset(" " + label.toUpperCase(java.util.Locale.ROOT) + "\n"))
          .contains(charset);
    }
  }

  @Test
  void charset_allLabels_areKnown() {
    assertThat(EncodingLabels.count()).isEqualTo(228);
    assertThat(EncodingLabels.charset("utf-7")).isEmpty();
    assertThat(EncodingLabels.charset("")).isEmpty();
  }

  @Test
  void decoder_ofATable_takesAnyLength() {
    Charset charset = EncodingLabels.charset("latin6").orElseThrow();
    String ascii = "x".repeat(10_000);

    assertThat(new String(ascii.getBytes(US_ASCII), charset)).isEqualTo(ascii);
    assertThat(charset.canEncode()).isFalse();
  }
}
