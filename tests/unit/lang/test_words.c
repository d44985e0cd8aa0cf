// The words' table: the manual lists every word of it and no other; what single words are is written here by hand.
#include "tests/support.h"

#include "base/file.h"
#include "lang/words.h"

typedef struct Row {
  const char *word, *line;
} Row;

static const Row rows[] = {
#define STATEMENT(kind, word, parse, declares, stage, visit, units, picture, repeats, line) {word, line},
#define ANOTHER(word, kind, line) {word, line},
#define FUNCTION(word, least, most, shape, rule, picture, line) {#word, line},
#define BLOCK(word, least, most, rule, picture, line) {#word, line},
#define RESERVED(word, meaning) {word, meaning},
#define SHAPE(word, points, clauses, line) {#word, line},
#include "lang/words.def"
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning) {#name, meaning},
#include "expr/ops.def"
#undef OP
};

enum { row_count = sizeof rows / sizeof *rows };

// Rows of the table that the page does not have, and rows of the page that the table does not have.
static int differences(const char *page) {
  const char *start = strstr(page, "## All words\n"), *end = start ? strstr(start + 3, "\n## ") : NULL;
  if (!end) return -1;
  int wrong = 0, expected = 0, found = 0;
  for (int i = 0; i < row_count; i++) {
    if (!*rows[i].word || !*rows[i].line) continue; // x' = ... has no word, a comparison is a sign
    char row[300];
    snprintf(row, sizeof row, "\n| `%s` | %s |\n", rows[i].word, rows[i].line);
    const char *at = strstr(start, row);
    expected++;
    wrong += !at || at >= end;
  }
  for (const char *at = strstr(start, "\n| `"); at && at < end; at = strstr(at + 1, "\n| `")) found++;
  return wrong + abs(found - expected);
}

static char *page_text(Arena *arena) {
  size_t length;
  const char *why;
  char *text = file_read(arena, VIVA_ROOT "/docs/language.md", 1 << 24, &length, &why);
  assert_non_null(text);
  return text;
}

static void the_manual_lists_every_word(void **state) {
  (void)state;
  Arena *arena = arena_new();
  assert_int_equal(differences(page_text(arena)), 0);
  arena_free(arena);
}

static void a_word_that_the_manual_lacks_is_noticed(void **state) {
  (void)state;
  Arena *arena = arena_new();
  char *page = page_text(arena), *row = strstr(page, "| `backlash` | play |");
  assert_non_null(row);
  row[3] = 'B';
  assert_int_equal(differences(page), 1);
  arena_free(arena);
}

static void the_fuzzer_knows_every_word(void **state) {
  (void)state;
  Arena *arena = arena_new();
  size_t length;
  const char *why;
  const char *dict = file_read(arena, VIVA_ROOT "/tests/fuzz/viva.dict", 1 << 20, &length, &why);
  assert_non_null(dict);
  for (int i = 0; i < row_count; i++) {
    if (!*rows[i].word || !*rows[i].line) continue;
    char entry[100];
    snprintf(entry, sizeof entry, "\"%s", rows[i].word);
    if (!strstr(dict, entry)) fail_msg("tests/fuzz/viva.dict has no %s", rows[i].word);
  }
  arena_free(arena);
}

// From the manual: what starts a statement, what is to come, what is free as a name.
static void words_are_what_the_manual_says(void **state) {
  (void)state;
  StmtKind kind;
  assert_true(word_starts("kinetic", &kind) && kind == stmt_kinetic);
  assert_true(word_starts("equation", &kind) && kind == stmt_implicit);
  assert_true(word_starts("every", &kind) && kind == stmt_when);
  assert_true(word_starts("drive", &kind) && kind == stmt_drive);
  assert_true(word_starts("heat", &kind) && kind == stmt_plot);
  assert_true(word_is_statement("heat") && word_is_statement("constraint"));
  assert_false(word_is_statement("sin") || word_is_statement("to") || word_is_statement(""));
  assert_true(word_is_function("sin") && word_is_function("integral_of"));
  assert_false(word_is_function("limit") || word_is_function("lt") || word_is_function("x"));
  assert_true(word_call("limit") != word_no_call && word_call("lt") == word_no_call);
  assert_string_equal(word_reserved("t"), "the time");
  assert_null(word_reserved("g"));
}

static void arguments_are_as_the_manual_says(void **state) {
  (void)state;
  static const struct {
    const char *word;
    uint32_t least, most;
  } known[] = {{"sin", 1, 1},   {"atan2", 2, 2},    {"if", 3, 3},  {"limit", 3, 3},   {"backlash", 2, 3},
               {"delay", 2, 3}, {"integral", 1, 4}, {"pid", 5, 7}, {"compare", 4, 4}, {"hysteresis", 5, 6}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const CallWord *w = word_call_at(word_call(known[i].word));
    assert_non_null(w);
    assert_int_equal(w->least, known[i].least);
    assert_int_equal(w->most, known[i].most);
  }
}

static void a_slip_of_the_pen_finds_its_word(void **state) {
  (void)state;
  assert_string_equal(word_nearest_statement("kintic"), "kinetic");
  assert_string_equal(word_nearest_statement("parm"), "param");
  assert_null(word_nearest_statement("zzzzzz"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_manual_lists_every_word),      cmocka_unit_test(a_word_that_the_manual_lacks_is_noticed),
      cmocka_unit_test(the_fuzzer_knows_every_word),      cmocka_unit_test(words_are_what_the_manual_says),
      cmocka_unit_test(arguments_are_as_the_manual_says), cmocka_unit_test(a_slip_of_the_pen_finds_its_word)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
