// What the script of a page gets, and the colours of a text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show/base64.h"
#include "show/coloured.h"
#include "show/report_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The vectors of RFC 4648.
static void base64_is_that_of_the_standard(void **state) {
  (void)state;
  static const char *const pairs[][2] = {{"", ""},
                                         {"f", "Zg=="},
                                         {"fo", "Zm8="},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="},
                                         {"fooba", "Zm9vYmE="},
                                         {"foobar", "Zm9vYmFy"}};
  Arena *arena = arena_new();
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    Text t = text_in(arena);
    base64_put(&t, (const unsigned char *)pairs[i][0], strlen(pairs[i][0]));
    assert_string_equal(text_str(&t), pairs[i][1]);
  }
  arena_free(arena);
}

static int digit(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return (int)(strchr(digits, c) - digits);
}

static size_t decode(const char *s, double *out) {
  size_t n = 0;
  unsigned char *bytes = malloc(strlen(s) + 8);
  for (; *s && *s != '"'; s += 4) {
    uint32_t v = (uint32_t)digit(s[0]) << 18 | (uint32_t)digit(s[1]) << 12 |
                 (s[2] == '=' ? 0 : (uint32_t)digit(s[2]) << 6) | (s[3] == '=' ? 0 : (uint32_t)digit(s[3]));
    bytes[n++] = (unsigned char)(v >> 16);
    if (s[2] != '=') bytes[n++] = (unsigned char)(v >> 8 & 255);
    if (s[3] != '=') bytes[n++] = (unsigned char)(v & 255);
  }
  for (size_t i = 0; i < n / 8; i++) {
    uint64_t bits = 0;
    for (int b = 7; b >= 0; b--) bits = bits << 8 | bytes[8 * i + (size_t)b];
    memcpy(&out[i], &bits, 8);
  }
  free(bytes);
  return n / 8;
}

static void columns_come_back_bit_by_bit(void **state) {
  (void)state;
  enum { n = 1000 };
  static double v[n], t[n], back[n + 8];
  for (int i = 0; i < n; i++) {
    v[i] = i % 17 == 3 ? NAN : sin(i) * pow(10, i % 300 - 150);
    t[i] = 0.001 * i;
  }
  Arena *arena = arena_new();
  ReportData d = {.arena = arena};
  Plot plot = {0};
  PlotPanel *p = plot_panel(arena, &plot, "t", "s");
  vec_push(arena, &p->curves, (PlotCurve){.name = "v", .x = t, .y = v, .count = n});
  report_data_figure(&d, "one", &plot);
  Text out = text_in(arena);
  report_data_write(&d, &out);
  const char *json = text_str(&out);
  // the time is a rule, the rest are numbers
  assert_non_null(strstr(json, "{\"from\": 0, \"step\": 0.001, \"count\": 1000}"));
  const char *data = strstr(json, "\"data\": \"");
  assert_non_null(data);
  assert_int_equal(decode(data + 9, back), n);
  assert_memory_equal(back, v, sizeof v);
  arena_free(arena);
}

static void equal_columns_are_kept_once_and_long_ones_thinned(void **state) {
  (void)state;
  enum { n = 1000 };
  static double v[n], back[n + 8];
  for (int i = 0; i < n; i++) v[i] = sin(i);
  Arena *arena = arena_new();
  ReportData d = {.arena = arena, .most = 300};
  assert_int_equal(report_data_column(&d, v, n), 0);
  assert_int_equal(report_data_column(&d, v, n), 0);
  assert_int_equal(report_data_column(&d, v, n - 1), 1);
  Text out = text_in(arena);
  report_data_write(&d, &out);
  size_t kept = decode(strstr(text_str(&out), "\"data\": \"") + 9, back);
  assert_true(kept <= 301 && kept > 200 && d.thinned);
  assert_true(back[0] == v[0] && back[kept - 1] == v[n - 1]);
  arena_free(arena);
}

// ---- colours

static const char *coloured(Arena *arena, const char *text) {
  Sources sources = {.arena = arena};
  uint32_t id = source_add(&sources, "a", text, strlen(text));
  Text out = text_in(arena);
  show_coloured(&sources.list.items[id - 1], &out);
  return text_str(&out);
}

// Without its tags the text is what it was.
static void assert_same_text(Arena *arena, const char *text) {
  Text plain = text_in(arena);
  for (const char *s = coloured(arena, text); *s; s++) {
    if (*s == '<') {
      s = strchr(s, '>');
    } else if (*s == '&') {
      text_putc(&plain, strncmp(s, "&lt;", 4) == 0 ? '<' : strncmp(s, "&gt;", 4) == 0 ? '>' : '&');
      s = strchr(s, ';');
    } else {
      text_putc(&plain, *s);
    }
  }
  assert_string_equal(text_str(&plain), text);
}

static void words_have_their_colours(void **state) {
  (void)state;
  Arena *arena = arena_new();
  assert_string_equal(coloured(arena, "param m = 1.5 [kg] \"a\"  # b < c\n"),
                      "<span class=\"kw\">param</span> m = <span class=\"nu\">1.5</span> <span "
                      "class=\"un\">[</span><span class=\"un\">kg</span><span class=\"un\">]</span> "
                      "<span class=\"st\">\"a\"</span>  <span class=\"co\"># b &lt; c</span>\n");
  assert_string_equal(coloured(arena, "let step = sin(step)"),
                      "<span class=\"kw\">let</span> step = <span class=\"fn\">sin</span>(step)");
  assert_string_equal(coloured(arena, "simulate to 10 by rk4"),
                      "<span class=\"kw\">simulate</span> <span class=\"kw\">to</span> <span class=\"nu\">10</span> "
                      "<span class=\"kw\">by</span> rk4");
  assert_string_equal(coloured(arena, "draw trail [x, 0]"),
                      "<span class=\"kw\">draw</span> trail [x, <span class=\"nu\">0</span>]");
  assert_string_equal(coloured(arena, "force' = 2"), "force' = <span class=\"nu\">2</span>");
  arena_free(arena);
}

static void colours_change_no_letter(void **state) {
  (void)state;
  Arena *arena = arena_new();
  assert_same_text(arena, "");
  assert_same_text(arena, "# only < a & comment");
  assert_same_text(arena, "title \"x <y>\"\n\n\ncoord x [m], θ = 0.1*pi,\n  y # last\nplot x' against x log\n");
  assert_same_text(arena, "potential (1 +\n  2 # inside\n  )*x");
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(base64_is_that_of_the_standard), cmocka_unit_test(columns_come_back_bit_by_bit),
      cmocka_unit_test(equal_columns_are_kept_once_and_long_ones_thinned), cmocka_unit_test(words_have_their_colours),
      cmocka_unit_test(colours_change_no_letter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
