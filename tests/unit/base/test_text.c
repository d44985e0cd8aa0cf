// Text from outside, for people, for JSON and for markup.
#include "tests/support.h"

#include "base/text.h"
#include "show/json.h"
#include "show/svg.h"

typedef void Put(Text *out, const char *s, size_t length);

static void put_json(Text *out, const char *s, size_t length) {
  (void)length;
  Json json = {.out = out};
  json_string(&json, NULL, s);
}

static void check(Put *put, const char *given, const char *want) {
  Arena *arena = arena_new();
  Text out = text_in(arena);
  put(&out, given, strlen(given));
  assert_string_equal(text_str(&out), want);
  arena_free(arena);
}

static void what_a_screen_obeys_does_not_reach_it(void **state) {
  (void)state;
  check(text_put_plain, "plain äö €𝄞", "plain äö €𝄞");
  check(text_put_plain, "\033[31m", "?[31m");
  check(text_put_plain, "a\nb\tc\r\x7f", "a?b?c??");
  check(text_put_plain, "\xC2\x9B", "?"); // a control of Latin-1, as UTF-8
  check(text_put_plain,
        "\x9B"
        "1m",
        "?1m");                                 // and as a byte
  check(text_put_plain, "\xE2\x80\xAE", "?");   // turns the direction
  check(text_put_plain, "\xE2\x82", "??");      // cut off
  check(text_put_plain, "\xC0\xAF", "??");      // overlong
  check(text_put_plain, "\xED\xA0\x80", "???"); // half of a pair
}

static void json_is_utf8_without_controls(void **state) {
  (void)state;
  check(put_json, "ä \"q\" \\ \n", "\"ä \\\"q\\\" \\\\ \\n\"");
  check(put_json, "\033\x7f\xC2\x9B", "\"\\u001b\\u007f\\u009b\"");
  check(put_json, "a\xFFz", "\"a\\ufffdz\"");
  check(put_json, "\xE2\x80\xA8", "\"\\u2028\"");
}

static void markup_is_xml(void **state) {
  (void)state;
  check(text_put_markup, "<a b=\"c\">&", "&lt;a b=&quot;c&quot;&gt;&amp;");
  check(text_put_markup, "\033\001\xFF\xEF\xBF\xBE", "\uFFFD\uFFFD\uFFFD\uFFFD");
  check(text_put_markup, "tab\there\n", "tab\there\n");
}

static void numbers_of_pictures_stay_in_bounds(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *want;
  } all[] = {{1.25, "1.25"},
             {-0.5, "-0.5"},
             {0.001, "0"},
             {1e300, "1000000000"},
             {-1e18, "-1000000000"},
             {INFINITY, "1000000000"},
             {-INFINITY, "-1000000000"},
             {NAN, "0"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    Arena *arena = arena_new();
    Text out = text_in(arena);
    svg_number(&out, all[i].value);
    assert_string_equal(text_str(&out), all[i].want);
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_screen_obeys_does_not_reach_it),
                                     cmocka_unit_test(json_is_utf8_without_controls), cmocka_unit_test(markup_is_xml),
                                     cmocka_unit_test(numbers_of_pictures_stay_in_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
