package dev.fairfleet.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostKeyTest {
  /** P29: one host has one key, and so one gate, however a link spells it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a.test/",
        "http://A.TEST/",
        "http://a.test./",
        "http://a%2Etest/",
        "http://%41.test/",
        "http://a.test:80/",
        "http://a.test:/",
        "http://a.test:0080/",
        "http://user@a.test/",
        "http://user:word@A.Test.:80/other?page#part",
        "http://a\u3002test/",
        "http://\uff41.test/"
      })
  void hostKey_spellingOfOneHost_isTheSame(String spelling) {
    assertThat(CrawlUrl.of(spelling).hostKey()).isEqualTo(new HostKey("a.test", 80));
  }

  /** P29. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://bücher.test/",
        "http://BÜCHER.test/",
        "http://bu\u0308cher.test/",
        "http://b%C3%BCcher.test/",
        "http://xn--bcher-kva.test/",
        "http://XN--BCHER-KVA.test.:80/"
      })
  void hostKey_spellingOfOneInternationalHost_isTheSame(String spelling) {
    assertThat(CrawlUrl.of(spelling).hostKey()).isEqualTo(new HostKey("xn--bcher-kva.test", 80));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://a.test/", "http://a.test:81/", "http://www.a.test/", "http://a.test.b/"})
  void hostKey_otherHostOrPort_isAnother(String url) {
    assertThat(CrawlUrl.of(url).hostKey()).isNotEqualTo(CrawlUrl.of("http://a.test/").hostKey());
  }

  @ParameterizedTest
  @CsvSource({"'', 80", "a.test, 0", "a.test, 65536"})
  void new_outOfRange_isRefused(String host, int port) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HostKey(host, port))
        .withMessageContaining("1 to 65535");
  }
}
