package dev.fairfleet.worker.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever the bytes and the label are, there is an encoding, and a text, and no exception. */
class CharsetFuzzTest {
  @Property
  void decode_anyBytesAndLabel_isText(
      @ForAll("bytes") byte[] bytes, @ForAll("labels") String label) {
    PageCharset found = PageCharset.of(bytes, label);

    assertThat(PageCharset.decode(bytes, label)).isEqualTo(decoded(bytes, found));
    assertThat(found.markLength()).isLessThanOrEqualTo(bytes.length);
  }

  private static String decoded(byte[] bytes, PageCharset found) {
    int mark = found.markLength();
    return new String(bytes, mark, bytes.length - mark, found.charset());
  }

  @Provide
  Arbitrary<byte[]> bytes() {
    Arbitrary<byte[]> words =
        Arbitraries.of(
                "\u00EF\u00BB\u00BF",
                "\u00FE\u00FF",
                "\u00FF\u00FE",
                "<\0?\0",
                "<meta charset=",
                "<!--",
                "<meta http-equiv=content-type content='text/html; charset=",
                "utf-16",
                "koi8-r'",
                "<?xml version='1.0' encoding='",
                "big5",
                ">",
                "\u001B$B",
                "-->",
                "\u0093\u00FA",
                "\u00C6\u00FC",
                "x-user-defined",
                "iso-2022-kr")
            .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    Arbitrary<byte[]> noise = Arbitraries.bytes().array(byte[].class).ofMaxSize(40);
    return Arbitraries.oneOf(words, noise).list().ofMaxSize(12).map(CharsetFuzzTest::joined);
  }

  @Provide
  Arbitrary<String> labels() {
    return Arbitraries.oneOf(
        Arbitraries.of("", "utf-8", "UTF-16", "gb18030", "hz-gb-2312", "x-user-defined", "latin6"),
        Arbitraries.strings().ofMaxLength(12));
  }

  private static byte[] joined(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
