// `fit`: what is to be found from data. All that it says is checked: the file has the columns, the case is there,
// ranges lead upwards, and each unknown is a parameter or a starting value. No verb uses it yet.
#include "lang/eval.h"
#include "lang/settings.h"
#include "lang/statements.h"
#include "lang/table.h"

#include <math.h>
#include <string.h>

// The value of a constant expression of numbers, pi, sums, products and powers; NaN: it holds something else.
static double number_value(const ExprPool *pool, ExprId id) {
  Rat r;
  if (expr_number(pool, id, &r)) return rat_to_double(r);
  double value = 0;
  switch (expr_op(pool, id)) {
  case op_pi: return 3.14159265358979323846;
  case op_inf: return INFINITY;
  case op_add:
    for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      value += rat_to_double(t.coef) * number_value(pool, t.term);
    }
    return value;
  case op_mul:
    value = rat_to_double(expr_coef(pool, id));
    for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
      Factor f = expr_factor(pool, id, i);
      value *= pow(number_value(pool, f.base), number_value(pool, f.exponent));
    }
    return value;
  default: return NAN;
  }
}

static void check_range(Elab *e, const Item *item, const Binding *env) {
  if (!item->value) return;
  e->eval.constant++;
  ExprId from = eval_scalar(e, item->value, env, "the range of a `fit`"),
         to = eval_scalar(e, item->until, env, "the range of a `fit`");
  e->eval.constant--;
  if (!from || !to) return;
  Span span = span_join(item->value->span, item->until->span);
  double width = number_value(e->pool, to) - number_value(e->pool, from);
  if (!(width <= 0)) return;
  diag_error(e->diags, diag_bad_setting, span, "this range is %s: it must lead from a number to a larger one",
             width < 0 ? "reversed" : "empty");
}

// The data must be there, with a column for everything that is compared.
static void check_measured(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->study->measured.count; i++) {
    const Measured *m = &s->study->measured.items[i];
    const Source *source = source_get(&e->model->sources, m->span);
    const char *column =
        m->column ? m->column : arena_strndup(e->arena, source->text + m->span.start, m->span.end - m->span.start);
    eval_scalar(e, m->value, env, "what a `fit` compares");
    if (!column || !table_load(e, s->name, column, m->column ? m->span : s->name_span)) return;
  }
}

static void check_case_of(Elab *e, const Stmt *s) {
  const Program *program = e->names.scope->program;
  if (!s->study->in_case) return;
  for (uint32_t i = 0; i < program->statements.count; i++) {
    const Stmt *other = &program->statements.items[i];
    if (other->kind == stmt_case && !other->broken && strcmp(other->name, s->study->in_case) == 0) return;
  }
  diag_error(e->diags, diag_unknown_case, s->study->in_case_span, "there is no case `%s`", s->study->in_case);
}

void visit_fit(Elab *e, const Stmt *s, const Binding *env) {
  check_measured(e, s, env);
  check_case_of(e, s);
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    const char *name = path_full(e, item, env);
    Decl *d = name ? names_find(e, name) : NULL;
    check_range(e, item, env);
    if (!name || (d && d->kind == decl_param) || path_start(e, item, name)) continue;
    settings_unknown(e, item, name);
  }
}
