// Distributions of random quantities:
//
//   normal(mean, sd)   lognormal(mu, sigma)   uniform(low, high)   triangular(low, mode, high)
//
// The first two may have two more numbers, between which they are cut off: normal(9.81, 0.01, 9.8, 9.82).
#include "lang/distributions.h"

#include "expr/constant.h"
#include "lang/eval.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *word;
  uint32_t count; // of its numbers
  bool cut;       // two more may follow
  const char *form;
} forms[random_kind_count] = {{"normal", 2, true, "normal(mean, sd)"},
                              {"uniform", 2, false, "uniform(low, high)"},
                              {"lognormal", 2, true, "lognormal(mu, sigma)"},
                              {"triangular", 3, false, "triangular(low, mode, high)"}};

static void refuse(TextScope *scope, Span span, const char *message, const char *hint) {
  diag_error(&scope->model.diags, diag_bad_distribution, span, "%s", message);
  if (hint) diag_hint(&scope->model.diags, "%s", hint);
}

// The numbers of a call. False: reported.
static bool read_numbers(TextScope *scope, const Ast *call, double *out) {
  Elab *e = &scope->elab;
  bool ok = true;
  for (uint32_t i = 0; i < call->count; i++) {
    e->eval.constant++;
    ExprId id = eval_scalar(e, call->items[i], NULL, "a number of a distribution");
    e->eval.constant--;
    out[i] = id ? expr_constant(e->pool, id) : NAN;
    if (id && !isfinite(out[i]))
      refuse(scope, call->items[i]->span, "the numbers of a distribution must be finite", NULL);
    ok = ok && isfinite(out[i]);
  }
  return ok;
}

// Do both cuts lie where a double knows nothing of the tail?
static bool is_beyond(const RandomQuantity *q) {
  const double far = 37;
  bool logs = q->kind == random_is_lognormal;
  if (!logs && q->kind != random_is_normal) return false;
  double low = logs ? q->low > 0 ? log(q->low) : -INFINITY : q->low, high = logs ? log(q->high) : q->high;
  return (low - q->a) / q->b > far || (high - q->a) / q->b < -far;
}

static void check_numbers(TextScope *scope, const Ast *call, RandomQuantity *q) {
  const char *wrong = NULL;
  switch (q->kind) {
  case random_is_normal:
  case random_is_lognormal: wrong = q->b > 0 ? NULL : "a standard deviation is above zero"; break;
  case random_is_uniform: wrong = q->a < q->b ? NULL : "the first number must be below the second"; break;
  case random_is_triangular:
    wrong = q->a < q->c && q->a <= q->b && q->b <= q->c ? NULL : "low, mode and high must stand in this order";
    break;
  case random_kind_count: break;
  }
  if (!wrong && !(q->low < q->high)) wrong = "it is cut off between a number and a larger one";
  if (!wrong && q->kind == random_is_lognormal && !(q->high > 0)) wrong = "a lognormal quantity is above zero";
  if (!wrong && is_beyond(q)) wrong = "nothing of it is left there: the cuts lie more than 37 standard deviations away";
  if (!wrong) return;
  refuse(scope, call->span, wrong, NULL);
  q->name = NULL;
}

static void read_call(TextScope *scope, const Ast *call, RandomQuantity *q, const char *name) {
  double n[5] = {0};
  uint32_t kind = random_kind_count;
  for (uint32_t i = 0; call->kind == ast_call && i < random_kind_count; i++) {
    if (strcmp(call->name, forms[i].word) == 0) kind = i;
  }
  if (kind == random_kind_count) {
    refuse(scope, call->span, "this is no distribution",
           "there are `normal(mean, sd)`, `uniform(low, high)`, `lognormal(mu, sigma)`, `triangular(low, mode, high)`");
    return;
  }
  uint32_t count = forms[kind].count;
  if (call->count != count && !(forms[kind].cut && call->count == count + 2)) {
    diag_error(&scope->model.diags, diag_bad_distribution, call->span, "`%s` takes %u numbers, not %u",
               forms[kind].word, count, call->count);
    diag_hint(&scope->model.diags, forms[kind].cut ? "write `%s`; two more cut it off below and above" : "write `%s`",
              forms[kind].form);
    return;
  }
  if (!read_numbers(scope, call, n)) return;
  q->kind = (RandomKind)kind;
  q->a = n[0];
  q->b = n[1];
  q->c = count == 3 ? n[2] : 0;
  q->low = call->count > count ? n[count] : -INFINITY;
  q->high = call->count > count ? n[count + 1] : INFINITY;
  q->name = name;
  // mu and sigma are of a logarithm, which has no unit
  for (uint32_t i = kind == random_is_lognormal ? 2 : 0; i < call->count; i++)
    range_check_unit(scope, name, call->items[i]->unit, call->items[i]->span);
  check_numbers(scope, call, q);
}

static bool ends(Parser *p, const char *what) {
  if (at_kind(p, tok_newline) || at_kind(p, tok_end)) return true;
  parse_unexpected(p, what);
  return false;
}

bool distribution_read(TextScope *scope, const char *option, const char *text, RandomQuantity *out) {
  Parser parser, *p = &parser;
  Model *m = &scope->model;
  Item *item = arena_new_of(m->arena, Item);
  uint32_t errors = m->diags.errors;
  *out = (RandomQuantity){0};
  if (!item || !scope_tokens(scope, option, text, p)) return false;
  if (m->diags.errors > errors) return true;
  *item = (Item){0};
  if (!parse_item_name(p, item) || !parse_expect(p, tok_equal, "`=` and a distribution")) return true;
  Ast *call = parse_formula(p);
  if (!call || !ends(p, "the end of the distribution")) return true;
  const char *name = path_full(&scope->elab, item, NULL);
  if (!name) return !arena_failed(m->arena);
  Text primed = text_in(m->arena);
  text_put(&primed, name);
  text_pad(&primed, '\'', item->primes);
  ValueRange named = {.name = text_str(&primed), .item = item, .name_span = item->name_span, .text = text};
  out->span = call->span;
  out->name_span = item->name_span;
  if (range_is_quantity(scope, &named)) read_call(scope, call, out, named.name);
  return !arena_failed(m->arena);
}

// Cholesky's factor in place. False: not positive definite.
static bool factorize(double *a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k <= i; k++) {
      double sum = a[i * n + k];
      for (uint32_t j = 0; j < k; j++) sum -= a[i * n + j] * a[k * n + j];
      if (i == k && !(sum > 1e-14)) return false;
      a[i * n + k] = i == k ? sqrt(sum) : sum / a[k * n + k];
    }
    for (uint32_t k = i + 1; k < n; k++) a[i * n + k] = 0;
  }
  return true;
}

bool correlation_read(TextScope *scope, const char *option, const char *text, uint32_t count, double **factor) {
  Parser parser, *p = &parser;
  Elab *e = &scope->elab;
  uint32_t errors = scope->model.diags.errors;
  *factor = NULL;
  if (!scope_tokens(scope, option, text, p)) return false;
  Ast *a = scope->model.diags.errors > errors ? NULL : parse_formula(p);
  if (!a || !ends(p, "the end of the matrix")) return true;
  e->eval.constant++;
  Value v = eval(e, a, NULL);
  e->eval.constant--;
  if (!v.shape) return true;
  if (v.shape != value_matrix || v.rows != count || v.cols != count) {
    diag_error(e->diags, diag_bad_distribution, a->span,
               "the correlations of %u random quantities are a matrix of %u "
               "rows and columns",
               count, count);
    diag_hint(e->diags, "in the order of `--random`: `[1, 0.5; 0.5, 1]`");
    return true;
  }
  double *m = arena_array(e->arena, (size_t)count * count + 1, sizeof *m);
  if (!m) return false;
  bool ok = true;
  for (uint32_t i = 0; i < count * count; i++) m[i] = expr_constant(e->pool, value_item(&v, i));
  for (uint32_t i = 0; i < count; i++) {
    ok = ok && m[i * count + i] == 1;
    for (uint32_t k = 0; k < i; k++) ok = ok && m[i * count + k] == m[k * count + i];
  }
  if (!ok) refuse(scope, a->span, "a matrix of correlations is symmetric, with ones on its diagonal", NULL);
  else if (!factorize(m, count))
    refuse(scope, a->span, "these correlations contradict each other: the matrix is not positive definite", NULL);
  else *factor = m;
  return true;
}
