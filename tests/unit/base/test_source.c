// Places in texts: lines and columns counted by hand, also far into a long text.
#include "tests/support.h"

#include "base/source.h"

static void place_is(const Source *s, uint32_t offset, uint32_t line, uint32_t column, size_t start, size_t end) {
  Place p = source_place(s, offset);
  assert_int_equal(p.line, line);
  assert_int_equal(p.column, column);
  assert_int_equal(p.line_start, start);
  assert_int_equal(p.line_end, end);
}

static void lines_and_columns_count_from_one(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Sources sources = {.arena = arena};
  const char *text = "ab\n\n\xCF\x86x\r\nend"; // phi is two bytes
  uint32_t id = source_add(&sources, "a.viva", text, strlen(text));
  const Source *s = source_get(&sources, (Span){id, 0, 0});
  place_is(s, 0, 1, 1, 0, 2);
  place_is(s, 2, 1, 3, 0, 2); // the end of the line belongs to it
  place_is(s, 3, 2, 1, 3, 3);
  place_is(s, 4, 3, 1, 4, 7);
  place_is(s, 6, 3, 2, 4, 7); // x, behind one letter
  place_is(s, 9, 4, 1, 9, 12);
  place_is(s, 999, 4, 4, 9, 12); // behind the text is its end
  arena_free(arena);
}

// Line n starts at 5(n - 1): "abcd\n".
static void a_long_text_is_counted_right(void **state) {
  (void)state;
  enum { lines = 1000 };
  Arena *arena = arena_new();
  Sources sources = {.arena = arena};
  char *text = arena_alloc(arena, 5 * lines + 1);
  for (int i = 0; i < lines; i++) memcpy(text + 5 * (size_t)i, "abcd\n", 5);
  uint32_t id = source_add(&sources, "long.viva", text, 5 * lines), twin = source_again(&sources, id);
  for (int k = 0; k < 2; k++) {
    const Source *s = source_get(&sources, (Span){k ? twin : id, 0, 0});
    for (uint32_t n = 1; n <= lines; n++) {
      place_is(s, 5 * (n - 1), n, 1, 5 * (n - 1), 5 * (n - 1) + 4);
      place_is(s, 5 * (n - 1) + 4, n, 5, 5 * (n - 1), 5 * (n - 1) + 4);
    }
    place_is(s, 5 * lines, lines + 1, 1, 5 * lines, 5 * lines);
  }
  arena_free(arena);
}

static void an_empty_text_has_one_line(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Sources sources = {.arena = arena};
  uint32_t id = source_add(&sources, "empty", "", 0);
  place_is(source_get(&sources, (Span){id, 0, 0}), 0, 1, 1, 0, 0);
  assert_null(source_get(&sources, (Span){0}));
  assert_null(source_get(&sources, (Span){id + 1, 0, 0}));
  arena_free(arena);
}

static void spans_join_inside_one_text(void **state) {
  (void)state;
  Span a = {1, 5, 8}, b = {1, 2, 6}, other = {2, 0, 99}, joined = span_join(a, b);
  assert_true(joined.source == 1 && joined.start == 2 && joined.end == 8);
  joined = span_join(a, other);
  assert_true(joined.source == 1 && joined.start == 5 && joined.end == 8);
  joined = span_join((Span){0}, b);
  assert_true(joined.source == 1 && joined.start == 2 && joined.end == 6);
}

static void a_line_that_was_made_leads_to_its_origin(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Sources sources = {.arena = arena};
  uint32_t made = source_add(&sources, "made", "one\ntwo\n", 8), old = source_add(&sources, "old.dat", "1 2 3\n", 6);
  const Span origins[] = {{0}, {old, 2, 3}};
  sources.list.items[made - 1].origins = origins;
  sources.list.items[made - 1].origin_count = 2;
  Span from = source_origin(&sources, (Span){made, 5, 6});
  assert_true(from.source == old && from.start == 2 && from.end == 3);
  from = source_origin(&sources, (Span){made, 1, 2}); // of no row
  assert_true(from.source == made && from.start == 1);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_and_columns_count_from_one), cmocka_unit_test(a_long_text_is_counted_right),
      cmocka_unit_test(an_empty_text_has_one_line), cmocka_unit_test(spans_join_inside_one_text),
      cmocka_unit_test(a_line_that_was_made_leads_to_its_origin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
