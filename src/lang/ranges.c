// Ranges in numbers: the texts of options like `--vary k=0:0.1:1`.
//
//   grid   floor((b - a)/h) + 1 values, up to rounding, a + i h; the last is b itself where it lies on the grid
//   log    a (b/a)^(i/(n - 1)), the last b itself
#include "lang/ranges.h"

#include "expr/constant.h"
#include "lang/eval.h"
#include "lang/settings.h"
#include "system/quantity_unit.h"

#include <math.h>
#include <string.h>

typedef struct Reading {
  TextScope *scope;
  Elab *e;
  ValueRange *out;
} Reading;

static bool refuse(const Reading *r, Span span, const char *message, const char *hint) {
  diag_error(r->e->diags, diag_bad_range, span, "%s", message);
  if (hint) diag_hint(r->e->diags, "%s", hint);
  return false;
}

// False: reported.
static bool number_of(const Reading *r, const Ast *a, const Unit *unit, const char *what, double *out) {
  Elab *e = r->e;
  e->eval.constant++;
  ExprId id = eval_scalar(e, a, NULL, what);
  if (id) id = eval_unit(e, value_of(id), unit).scalar;
  e->eval.constant--;
  if (!id) return false;
  *out = expr_constant(e->pool, id);
  if (isfinite(*out)) return true;
  return refuse(r, a->span, "the numbers of a range must be finite", NULL);
}

static bool read_ends(const Reading *r, const RangeText *t) {
  const Unit *common = range_common_unit(t);
  ValueRange *out = r->out;
  if (!number_of(r, t->low, common ? common : t->low_unit, "the first value of a range", &out->low)) return false;
  if (!number_of(r, t->high, t->high_unit, "the last value of a range", &out->high)) return false;
  if (t->kind == range_interval && !(out->low < out->high))
    return refuse(r, t->span,
                  out->low > out->high ? "this range is reversed: it must lead from a number to a larger one"
                                       : "this range is empty: both ends are one number",
                  NULL);
  return t->kind != range_grid || number_of(r, t->by, common ? common : t->by_unit, "the step of a range", &out->step);
}

static bool read_grid(const Reading *r, const RangeText *t) {
  ValueRange *out = r->out;
  double way = out->high - out->low, steps = way / out->step;
  double count = floor(steps + fmax(1e-9, 1e-15 * steps)) + 1; // rounding does not lose the last one
  if (out->step == 0) return refuse(r, t->by->span, "the step of a range must not be zero", NULL);
  if (way != 0 && (way > 0) != (out->step > 0))
    return refuse(r, t->by->span, "this step leads away from the end of the range",
                  "`a:h:b` is first, step, last: `0:0.1:1`");
  if (!(count <= range_most)) return refuse(r, t->span, "this grid has more than 10^15 values", NULL);
  out->count = (uint64_t)count;
  return true;
}

static bool read_logarithmic(const Reading *r, const RangeText *t) {
  ValueRange *out = r->out;
  double n = 0;
  if (!number_of(r, t->by, t->by_unit, "the number of values of a range", &n)) return false;
  if (!(n >= 2) || n != floor(n) || n > range_most)
    return refuse(r, t->by->span, "a logarithmic range needs a whole number of values, from 2 on",
                  "`log:0.1:10:30` are 30 values from 0.1 to 10");
  if (!(out->low * out->high > 0))
    return refuse(r, t->span, "the ends of a logarithmic range are not zero, and have the same sign", NULL);
  out->count = (uint64_t)n;
  return true;
}

static bool read_list(const Reading *r, const RangeText *t) {
  Elab *e = r->e;
  ValueRange *out = r->out;
  e->eval.constant++;
  Value v = eval(e, t->list, NULL);
  if (v.shape) v = eval_unit(e, v, t->list_unit);
  e->eval.constant--;
  if (!v.shape) return false;
  if (v.shape == value_matrix) return refuse(r, t->list->span, "a list of a range is a row of numbers", NULL);
  out->count = value_count(&v);
  double *items = arena_array(e->arena, (size_t)out->count + 1, sizeof *items);
  if (!items) return false;
  out->items = items;
  for (uint32_t i = 0; i < out->count; i++) {
    items[i] = expr_constant(e->pool, value_item(&v, i));
    if (!isfinite(items[i])) return refuse(r, t->list->span, "the numbers of a range must be finite", NULL);
    if (i == 0 || items[i] < out->low) out->low = items[i];
    if (i == 0 || items[i] > out->high) out->high = items[i];
  }
  return true;
}

static bool read_numbers(const Reading *r, const RangeText *t) {
  r->out->kind = t->kind;
  r->out->span = t->span;
  if (t->kind == range_list) return read_list(r, t);
  if (!read_ends(r, t)) return false;
  if (t->kind == range_grid) return read_grid(r, t);
  return t->kind == range_interval || read_logarithmic(r, t);
}

// ---- units

void range_check_unit(TextScope *scope, const char *name, const Unit *unit, Span span) {
  Model *m = &scope->model;
  if (!name || !unit || !unit->said) return;
  Dimension own = quantity_dimension(&m->described, &m->pool, name), has = dimension_of_unit(unit);
  if (!own.known || dimension_same(&own, &has)) return;
  const Source *s = source_get(&m->sources, span);
  diag_warning(&m->diags, diag_units, span, "`%.*s` is in %s, but `%s` is in %s", s ? (int)(span.end - span.start) : 0,
               s ? s->text + span.start : "", dimension_words(m->arena, &has), name, dimension_words(m->arena, &own));
}

static void check_ast(const Reading *r, const Ast *a, const Unit *behind) {
  if (!a) return;
  range_check_unit(r->scope, r->out->name, a->unit ? a->unit : behind, a->span);
}

static void check_list(const Reading *r, const Ast *list, const Unit *behind) {
  check_ast(r, list, behind);
  for (uint32_t i = 0; (list->kind == ast_list || list->kind == ast_matrix) && i < list->count; i++)
    check_ast(r, list->items[i], NULL);
}

static void check_units(const Reading *r, const RangeText *t) {
  if (t->kind == range_list) {
    check_list(r, t->list, t->list_unit);
    return;
  }
  const Unit *common = range_common_unit(t);
  check_ast(r, t->low, t->low_unit);
  if (t->kind == range_grid) check_ast(r, t->by, t->by_unit);
  check_ast(r, t->high, common ? common : t->high_unit);
}

// `name =`, if there is one. False: reported.
static bool read_name(const Reading *r, Parser *p) {
  Elab *e = r->e;
  Item *item = arena_new_of(e->arena, Item);
  bool named = false;
  for (uint32_t i = p->at; p->tokens[i].kind != tok_end; i++) named = named || p->tokens[i].kind == tok_equal;
  if (!item) return false;
  if (!named) return true;
  *item = (Item){0};
  if (!parse_item_name(p, item) || !parse_expect(p, tok_equal, "`=` and a range")) return false;
  const char *name = path_full(e, item, NULL);
  if (!name) return false;
  Text primed = text_in(e->arena);
  text_put(&primed, name);
  text_pad(&primed, '\'', item->primes);
  r->out->name = text_str(&primed);
  r->out->item = item;
  r->out->name_span = item->name_span;
  return true;
}

bool range_read(TextScope *scope, const char *option, const char *text, ValueRange *out) {
  Model *m = &scope->model;
  Reading reading = {scope, &scope->elab, out}, *r = &reading;
  uint32_t errors = m->diags.errors;
  Parser parser, *p = &parser;
  *out = (ValueRange){.kind = range_list};
  if (!scope_tokens(scope, option, text, p)) return false;
  RangeText t;
  bool ok = m->diags.errors == errors && read_name(r, p) && parse_range(p, &t);
  if (ok && !at_kind(p, tok_newline) && !at_kind(p, tok_end)) {
    parse_unexpected(p, "the end of the range");
    ok = false;
  }
  if (ok && read_numbers(r, &t)) {
    out->text = arena_strndup(m->arena, text, strlen(text));
    check_units(r, &t);
  }
  return !arena_failed(m->arena);
}

bool range_is_quantity(TextScope *scope, const ValueRange *range) {
  Elab *e = &scope->elab;
  if (!range->item) {
    diag_error(e->diags, diag_bad_range, range->span, "of what is this the range?");
    diag_hint(e->diags, "write `name=%s`", range->text ? range->text : "0:0.1:1");
    return false;
  }
  const char *name = path_full(e, range->item, NULL);
  if (!name) return false;
  const Decl *d = names_find(e, name);
  if (d && d->kind == decl_param && !range->item->primes) return true;
  for (uint32_t i = 0; !range->item->primes && i < scope->model.params.count; i++) { // an entry of a vector
    if (strcmp(scope->model.params.items[i].name, range->name) == 0) return true;
  }
  if (path_start(e, range->item, name)) return true;
  settings_unknown(e, range->item, range->name);
  return false;
}

double range_value(const ValueRange *r, uint64_t i) {
  if (r->items) return r->items[i];
  double last = (double)(r->count - 1), k = (double)i;
  if (r->kind == range_log)
    return i == 0 ? r->low : i + 1 == r->count ? r->high : r->low * pow(r->high / r->low, k / last);
  bool meets = fabs(r->low + last * r->step - r->high) <= 1e-9 * fabs(r->step);
  return meets && i + 1 == r->count && i ? r->high : r->low + k * r->step;
}
