// Tokens to statements and trees: precedence, items, clauses, and the statements that are to come. What is expected is
// written in the manual of the language.
#include "tests/support.h"

#include "lang/parser.h"

typedef struct Parsed {
  Arena *arena;
  Sources sources;
  Diags diags;
  Program program;
} Parsed;

static Parsed *parsed(const char *text) {
  Parsed *p = calloc(1, sizeof *p);
  p->arena = arena_new();
  p->sources.arena = p->arena;
  p->diags = (Diags){.arena = p->arena, .sources = &p->sources};
  uint32_t id = source_add(&p->sources, "test", text, strlen(text));
  parse_program(p->arena, &p->sources, id, &p->diags, &p->program);
  return p;
}

static void drop(Parsed *p) {
  arena_free(p->arena);
  free(p);
}

// A tree with all its brackets: (a + (b * c)).
static void write_tree(const Ast *a, char *out) {
  char part[400];
  switch (a->kind) {
  case ast_number: sprintf(out + strlen(out), "%g", rat_to_double(a->number)); return;
  case ast_name: strcat(out, a->name); return;
  case ast_prime:
    write_tree(a->items[0], out);
    for (uint32_t i = 0; i < a->primes; i++) strcat(out, "'");
    return;
  case ast_negate: strcat(out, "(-"); break;
  case ast_not: strcat(out, "(not "); break;
  case ast_call: sprintf(out + strlen(out), "%s(", a->name); break;
  case ast_index:
    write_tree(a->items[0], out);
    strcat(out, "[");
    write_tree(a->items[1], out);
    strcat(out, "]");
    return;
  default: strcat(out, "("); break;
  }
  for (uint32_t i = 0; i < a->count; i++) {
    part[0] = '\0';
    write_tree(a->items[i], part);
    const char *sign = a->kind == ast_power ? "^" : a->kind == ast_and ? " and " : a->kind == ast_or ? " or " : NULL;
    if (a->kind == ast_compare) sign = a->op == tok_lt ? " < " : a->op == tok_eq ? " == " : " ? ";
    char one[2] = {0};
    if (a->kind == ast_sum || a->kind == ast_product) one[0] = a->ops[i], sign = one;
    if (a->kind == ast_call) sign = ",";
    if (i && sign) strcat(out, sign);
    strcat(out, part);
  }
  strcat(out, ")");
}

static void tree_is(const char *text, const char *expected) {
  char line[200], out[800] = "";
  snprintf(line, sizeof line, "let y = %s", text);
  Parsed *p = parsed(line);
  assert_int_equal(p->diags.errors, 0);
  write_tree(p->program.statements.items[0].items.items[0].value, out);
  assert_string_equal(out, expected);
  drop(p);
}

// Loosest first: or, and, not, comparisons, + -, * /, unary -, ^ (to the right), '.
static void operators_bind_as_the_manual_says(void **state) {
  (void)state;
  tree_is("a + b*c", "(a+(b*c))");
  tree_is("-a^2", "(-(a^2))");
  tree_is("2^3^2", "(2^(3^2))");
  tree_is("2^-1", "(2^(-1))");
  tree_is("a*b/c", "(a*b/c)");
  tree_is("a - b - c", "(a-b-c)");
  tree_is("x'^2", "(x'^2)");
  tree_is("x''*2", "(x''*2)");
  tree_is("a or b and c", "(a or (b and c))");
  tree_is("not a == b", "(not (a == b))");
  tree_is("a + 1 < b", "((a+1) < b)");
  tree_is("f(a, b)", "f(a,b)");
  tree_is("th[i - 1]", "th[(i-1)]");
}

static void items_have_values_units_and_notes(void **state) {
  (void)state;
  Parsed *p = parsed("param m1 = 1 [kg], J = m1*l^2 [kg*m^2] \"of the bob\", d1");
  assert_int_equal(p->diags.errors, 0);
  const Stmt *s = &p->program.statements.items[0];
  assert_int_equal(s->kind, stmt_param);
  assert_int_equal(s->items.count, 3);
  const Item *m1 = &s->items.items[0], *J = &s->items.items[1], *d1 = &s->items.items[2];
  assert_string_equal(m1->name, "m1");
  assert_false(m1->unit->said); // a lone number carries its unit itself
  assert_string_equal(m1->value->unit->text, "kg");
  assert_true(J->unit->said);
  assert_string_equal(J->unit->text, "kg*m^2");
  assert_string_equal(J->note, "of the bob");
  assert_null(d1->value);
  assert_string_equal(d1->name, "d1");
  drop(p);
}

static void each_statement_has_its_form(void **state) {
  (void)state;
  Parsed *p = parsed("coord th[i] = 0.1*i for i in 1 .. n\n"
                     "th[1]'' = -th[1]\n"
                     "use \"motor.viva\" as hip with R = 0.5, u = v1\n"
                     "when h < 0 do h' := -0.8*h', n := n + 1\n"
                     "every 0.01 do stop\n"
                     "simulate to 10 step 0.01 every 0.1 by rk4\n"
                     "case push: d1 = 0.2, simulate to 20\n"
                     "plot th1' against th1 log y\n"
                     "equation z^3 + z = i\n"
                     "fun gm(i, j) = i*j\n");
  assert_int_equal(p->diags.errors, 0);
  const Stmt *s = p->program.statements.items;
  assert_int_equal(p->program.statements.count, 10);
  assert_int_equal(s[0].fors.count, 1);
  assert_string_equal(s[0].fors.items[0].name, "i");
  assert_int_equal(s[1].kind, stmt_equation);
  assert_int_equal(s[1].items.items[0].primes, 2);
  assert_int_equal(s[2].kind, stmt_use);
  assert_string_equal(s[2].name, "motor.viva");
  assert_int_equal(s[2].items.count, 3);
  assert_true(s[3].kind == stmt_when && !s[3].period && s[3].items.count == 2);
  assert_true(s[4].kind == stmt_when && s[4].period && s[4].stop && s[4].items.count == 0);
  assert_string_equal(s[5].study->simulate.method, "rk4");
  assert_true(s[5].study->simulate.to && s[5].study->simulate.step && s[5].study->simulate.every);
  assert_string_equal(s[6].name, "push");
  assert_true(s[6].items.count == 1 && s[6].study->simulate.to && !s[6].study->simulate.step);
  assert_true(s[7].against && s[7].y_log && !s[7].x_log);
  assert_true(s[8].kind == stmt_implicit && s[8].expr && s[8].against);
  assert_int_equal(s[9].items.items[0].args->count, 2);
  drop(p);
}

// What a fit says is kept: ranges, the file, columns, the case.
static void a_fit_keeps_all_that_it_says(void **state) {
  (void)state;
  Parsed *p = parsed("fit d1 in 0 .. 10, th2 to \"data.csv\" by x, th1' = \"gyro\" case push");
  assert_int_equal(p->diags.errors, 0);
  const Stmt *s = &p->program.statements.items[0];
  assert_int_equal(s->items.count, 2);
  assert_true(rat_is_zero(s->items.items[0].value->number));
  assert_true(rat_is_int_value(s->items.items[0].until->number, 10));
  assert_null(s->items.items[1].value);
  assert_null(s->items.items[1].until);
  assert_string_equal(s->name, "data.csv");
  assert_int_equal(s->study->measured.count, 2);
  assert_null(s->study->measured.items[0].column);
  assert_string_equal(s->study->measured.items[1].column, "gyro");
  assert_string_equal(s->study->in_case, "push");
  drop(p);
}

static void an_error_ends_its_statement_only(void **state) {
  (void)state;
  Parsed *p = parsed("param a = \nparam b = 2 3\nparam c = 4\n");
  assert_true(p->diags.errors >= 1);
  const Stmt *last = &p->program.statements.items[p->program.statements.count - 1];
  assert_false(last->broken);
  assert_string_equal(last->items.items[0].name, "c");
  drop(p);
}

static void what_cannot_repeat_says_so(void **state) {
  (void)state;
  Parsed *p = parsed("simulate to 10 for i in 1 .. 3");
  assert_int_equal(p->diags.errors, 1);
  assert_string_equal(p->diags.list.items[0].message, "this statement is not repeated with `for`");
  drop(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_bind_as_the_manual_says), cmocka_unit_test(items_have_values_units_and_notes),
      cmocka_unit_test(each_statement_has_its_form),       cmocka_unit_test(a_fit_keeps_all_that_it_says),
      cmocka_unit_test(an_error_ends_its_statement_only),  cmocka_unit_test(what_cannot_repeat_says_so)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
