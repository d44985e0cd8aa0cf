// Diagnostics: in the order of places, each once, with line and caret.
#include "tests/support.h"

#include "base/diag.h"

typedef struct Said {
  Arena *arena;
  Sources sources;
  Diags diags;
  uint32_t source;
} Said;

static Said *said(const char *text) {
  Said *s = calloc(1, sizeof *s);
  s->arena = arena_new();
  s->sources.arena = s->arena;
  s->source = source_add(&s->sources, "m.viva", text, strlen(text));
  s->diags = (Diags){.arena = s->arena, .sources = &s->sources};
  return s;
}

static void drop(Said *s) {
  arena_free(s->arena);
  free(s);
}

static void a_message_shows_its_line_and_a_caret(void **state) {
  (void)state;
  Said *s = said("param a = 1\nlet b = qq + 1\n");
  diag_error(&s->diags, diag_unknown_name, (Span){s->source, 20, 22}, "unknown name `%s`", "qq");
  diag_hint(&s->diags, "did you mean `%s`?", "a");
  Text out = text_in(s->arena);
  diag_format(&s->sources, &s->diags.list.items[0], &out);
  assert_string_equal(text_str(&out), "m.viva:2:9: error: unknown name `qq`\n"
                                      "  let b = qq + 1\n"
                                      "          ^~\n"
                                      "  hint: did you mean `a`?\n");
  drop(s);
}

static void places_are_in_order_and_repetitions_go(void **state) {
  (void)state;
  Said *s = said("abcdefgh\n");
  diag_error(&s->diags, diag_unexpected, (Span){s->source, 5, 6}, "second");
  diag_error(&s->diags, diag_unexpected, (Span){s->source, 1, 2}, "first");
  diag_error(&s->diags, diag_unexpected, (Span){s->source, 5, 6}, "second");
  assert_int_equal(s->diags.errors, 3);
  diag_sort(&s->diags);
  assert_int_equal(s->diags.list.count, 2);
  assert_string_equal(s->diags.list.items[0].message, "first");
  assert_string_equal(s->diags.list.items[1].message, "second");
  drop(s);
}

static void warnings_are_no_errors(void **state) {
  (void)state;
  Said *s = said("x\n");
  diag_warning(&s->diags, diag_units, (Span){s->source, 0, 1}, "units");
  assert_int_equal(s->diags.errors, 0);
  assert_true(s->diags.list.items[0].warning);
  drop(s);
}

static void of_too_many_only_the_first_are_kept(void **state) {
  (void)state;
  Said *s = said("x\n");
  for (int i = 0; i < 2 * diag_most; i++) diag_error(&s->diags, diag_unexpected, (Span){0}, "error %d", i);
  assert_int_equal(s->diags.errors, 2 * diag_most);
  assert_int_equal(s->diags.list.count, diag_most);
  assert_string_equal(s->diags.list.items[diag_most - 1].message, "error 99");
  drop(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_message_shows_its_line_and_a_caret), cmocka_unit_test(places_are_in_order_and_repetitions_go),
      cmocka_unit_test(warnings_are_no_errors), cmocka_unit_test(of_too_many_only_the_first_are_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
