// Text to tokens. What is expected stands in the lexical rules of the language: names, numbers, strings, signs, and
// where a statement goes on over the end of its line.
#include "tests/support.h"

#include "lang/lexer.h"

typedef struct Lexed {
  Arena *arena;
  Sources sources;
  Diags diags;
  Tokens tokens;
} Lexed;

static Lexed *lexed(const char *text) {
  Lexed *l = calloc(1, sizeof *l);
  l->arena = arena_new();
  l->sources.arena = l->arena;
  uint32_t id = source_add(&l->sources, "test", text, strlen(text));
  l->diags = (Diags){.arena = l->arena, .sources = &l->sources};
  l->tokens = lex(l->arena, l->arena, source_get(&l->sources, (Span){id, 0, 0}), id, &l->diags);
  assert_non_null(l->tokens.items);
  return l;
}

static void drop(Lexed *l) {
  arena_free(l->arena);
  free(l);
}

// The kinds of all tokens, without the newline and the end that every text has.
static void kinds_are(const char *text, const TokenKind *kinds, uint32_t count) {
  Lexed *l = lexed(text);
  assert_int_equal(l->diags.errors, 0);
  assert_int_equal(l->tokens.count, count + 2);
  for (uint32_t i = 0; i < count; i++) assert_int_equal(l->tokens.items[i].kind, kinds[i]);
  assert_int_equal(l->tokens.items[count].kind, tok_newline);
  assert_int_equal(l->tokens.items[count + 1].kind, tok_end);
  drop(l);
}
#define KINDS(text, ...)                                                                                               \
  kinds_are(text, (TokenKind[]){__VA_ARGS__}, (uint32_t)(sizeof((TokenKind[]){__VA_ARGS__}) / sizeof(TokenKind)))

// The code of the only error, and where it starts.
static void error_is(const char *text, DiagCode code, uint32_t start) {
  Lexed *l = lexed(text);
  assert_int_equal(l->diags.errors, 1);
  assert_int_equal(l->diags.list.items[0].code, code);
  assert_int_equal(l->diags.list.items[0].span.start, start);
  drop(l);
}

static void signs_are_as_long_as_they_can_be(void **state) {
  (void)state;
  KINDS("a <= b", tok_name, tok_le, tok_name);
  KINDS("a < = b", tok_name, tok_lt, tok_equal, tok_name);
  KINDS("x := 1", tok_name, tok_assign, tok_number);
  KINDS("1 .. n", tok_number, tok_range, tok_name);
  KINDS("x'' == 0 and not y", tok_name, tok_prime, tok_prime, tok_eq, tok_number, tok_and, tok_not, tok_name);
}

static void numbers_have_points_and_exponents(void **state) {
  (void)state;
  KINDS("1", tok_number);
  KINDS("0.5", tok_number);
  KINDS(".5", tok_number);
  KINDS("1e-3", tok_number);
  KINDS("2.5E+10", tok_number);
  // a dot right behind a name leads into a part
  KINDS("hip.th", tok_name, tok_dot, tok_name);
  KINDS("1..3", tok_number, tok_range, tok_number);
}

static void names_have_letters_of_two_alphabets(void **state) {
  (void)state;
  KINDS("\xCF\x86_1", tok_name); // phi_1
  KINDS("l2_x", tok_name);
  Lexed *l = lexed("th1 th2");
  assert_string_equal(l->tokens.items[0].text, "th1");
  assert_string_equal(l->tokens.items[1].text, "th2");
  assert_true(l->tokens.items[1].blank_before);
  drop(l);
}

static void a_statement_ends_with_its_line(void **state) {
  (void)state;
  KINDS("a\nb", tok_name, tok_newline, tok_name);
  // but goes on inside a bracket, after a comma, an operator, `=`, `:`, `with` and `do`
  KINDS("(a\n+ b)", tok_lparen, tok_name, tok_plus, tok_name, tok_rparen);
  KINDS("a,\nb", tok_name, tok_comma, tok_name);
  KINDS("a +\nb", tok_name, tok_plus, tok_name);
  KINDS("a =\nb", tok_name, tok_equal, tok_name);
  KINDS("a with\nb", tok_name, tok_name, tok_name);
  // a trailing prime or bar ends it
  KINDS("a'\nb", tok_name, tok_prime, tok_newline, tok_name);
  KINDS("|a|\nb", tok_bar, tok_name, tok_bar, tok_newline, tok_name);
}

static void comments_are_nothing(void **state) {
  (void)state;
  KINDS("a # b = 3\nc", tok_name, tok_newline, tok_name);
}

static void what_is_wrong_has_its_place(void **state) {
  (void)state;
  error_is("a = \"open", diag_open_string, 4);
  error_is("a = (1", diag_open_bracket, 4);
  error_is("a = 2x", diag_side_by_side, 4);
  error_is("a = 2.", diag_bad_number, 4);
  error_is("a = 1e999", diag_bad_number, 4);
  error_is("a = 1e-999", diag_bad_number, 4);
  error_is("a $ b", diag_bad_character, 2);
  error_is("a \xFF b", diag_not_utf8, 2);
}

static void a_forgotten_bracket_does_not_swallow_the_file(void **state) {
  (void)state;
  Lexed *l = lexed("let a = (1 + 2\nparam b = 3");
  assert_int_equal(l->diags.errors, 1);
  assert_int_equal(l->diags.list.items[0].code, diag_open_bracket);
  uint32_t lines = 0;
  for (uint32_t i = 0; i < l->tokens.count; i++) lines += l->tokens.items[i].kind == tok_newline;
  assert_int_equal(lines, 2);
  drop(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(signs_are_as_long_as_they_can_be),
                                     cmocka_unit_test(numbers_have_points_and_exponents),
                                     cmocka_unit_test(names_have_letters_of_two_alphabets),
                                     cmocka_unit_test(a_statement_ends_with_its_line),
                                     cmocka_unit_test(comments_are_nothing),
                                     cmocka_unit_test(what_is_wrong_has_its_place),
                                     cmocka_unit_test(a_forgotten_bracket_does_not_swallow_the_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
