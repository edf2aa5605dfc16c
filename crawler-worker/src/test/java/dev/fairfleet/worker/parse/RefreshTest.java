package dev.fairfleet.worker.parse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "0; url=/x | 0 | /x",
        "0;URL='/x' | 0 | /x",
        "0;url=\"/x y\" z | 0 | /x y",
        "` 5 , url = /x ` | 5 | /x",
        "0 /x | 0 | /x",
        "1.9;url=/x | 1 | /x",
        ".5;url=/x | 0 | /x",
        "0;/x | 0 | /x",
        "0;url=http://b.test/?a=1;b=2 | 0 | http://b.test/?a=1;b=2",
        "0;url='/x | 0 | /x",
        "0;urlx | 0 | urlx",
        "30 | 30 | ``",
        "99999999999;url=/x | 2147483647 | /x"
      })
  void parse_form_isUnderstood(String text, int seconds, String target) {
    assertThat(Refresh.parse(text)).contains(new Refresh(seconds, target));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "url=/x", "x;url=/x", "-1;url=/x", "0url=/x", "5x"})
  void parse_otherForm_isNothing(String text) {
    assertThat(Refresh.parse(text)).isEmpty();
  }
}
