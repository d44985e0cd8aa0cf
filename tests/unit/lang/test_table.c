// Tables of numbers: a header row, then numbers; what separates cells, quotes, gaps, order.
#include "tests/support.h"

#include "lang/table.h"

static bool read_text(Arena *arena, const char *text, const char *column, SystemTable *t, Diags *diags) {
  *diags = (Diags){.arena = arena};
  *t = (SystemTable){0};
  return table_read(arena, diags, t, text, strlen(text), "data.csv", column, (Span){0});
}

static void rows_are(const char *text, const char *column, uint32_t count, const double *x, const double *y) {
  Arena *arena = arena_new();
  SystemTable t;
  Diags diags;
  assert_true(read_text(arena, text, column, &t, &diags));
  assert_int_equal(t.count, count);
  for (uint32_t i = 0; i < count; i++) assert_true(t.x[i] == x[i] && t.y[i] == y[i]);
  arena_free(arena);
}

static void refused(const char *text, const char *column, const char *message) {
  Arena *arena = arena_new();
  SystemTable t;
  Diags diags;
  assert_false(read_text(arena, text, column, &t, &diags));
  assert_int_equal(diags.errors, 1);
  assert_int_equal(diags.list.items[0].code, diag_bad_table);
  assert_string_equal(diags.list.items[0].message, message);
  arena_free(arena);
}

static void a_column_is_read_over_the_first(void **state) {
  (void)state;
  const double x[] = {0, 0.5, 1}, u[] = {1, -2, 3e2};
  rows_are("t,u\n0,1\n0.5,-2\n1,3e2\n", "u", 3, x, u);
  rows_are("t,v,u\n0,9,1\n0.5,9,-2\n1,9,3e2", "u", 3, x, u); // the last line needs no end
  rows_are("\xEF\xBB\xBFt,u\r\n0,1\r\n0.5,-2\r\n1,3e2\r\n", "u", 3, x, u);
  rows_are("\"t\",\"u\"\n0,1\n0.5,-2\n1,3e2\n", "u", 3, x, u);
  rows_are("t,u\n\n 0 , 1 \n0.5,-2\n1,3e2\n", "u", 3, x, u);
}

// The header says by which sign: `;`, else commas, else tabs. Where it is no comma, one may be decimal.
static void the_header_says_what_separates(void **state) {
  (void)state;
  const double x[] = {0, 0.5}, u[] = {1.5, -2};
  rows_are("t;u\n0;1,5\n0,5;-2\n", "u", 2, x, u);
  rows_are("t\tu\n0\t1.5\n0.5\t-2\n", "u", 2, x, u);
}

static void the_first_column_may_be_asked_for(void **state) {
  (void)state;
  const double x[] = {0, 2};
  rows_are("t,u\n0,1\n2,3\n", "t", 2, x, x);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
  (void)state;
  refused("t,u\n0,1\n", "v", "\"data.csv\" has no column `v`");
  refused("", "u", "\"data.csv\" is empty");
  refused("t,u\n", "u", "\"data.csv\" has no rows of numbers");
  refused("t,u\n0,one\n", "u", "line 2 of \"data.csv\": `one` is not a number");
  refused("t,u\n0,1\n0,2\n", "u", "line 3 of \"data.csv\": the first column must grow from row to row");
  refused("t,u\n0,1\n1,\n", "u", "line 3 of \"data.csv\": a value is missing");
  refused("t,u\n0,1\n1\n", "u", "line 3 of \"data.csv\": a value is missing");
  refused("t,u\n0,1,2\n", "u", "line 2 of \"data.csv\" has 3 cells, but its first line has 2");
  refused("t,\"u\n0,1\n", "u", "line 1 of \"data.csv\": a quote is not closed before its cell ends");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_column_is_read_over_the_first), cmocka_unit_test(the_header_says_what_separates),
      cmocka_unit_test(the_first_column_may_be_asked_for), cmocka_unit_test(what_is_wrong_is_said_with_its_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
