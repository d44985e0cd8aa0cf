// drive AB.angle from 0 to 2*pi steps 72 in 2 [s]:
// successive positions, the value of something given one after the other.
//
// in    what is driven: an expression of positions (a bar's angle, a coordinate), a parameter, or the time `t`; the
//       ends of its range, which differ; a whole number of steps; how long it takes, of parameters
// out   a SystemDrive. It is a study: no equation of motion knows of it.
#include "lang/eval.h"
#include "lang/infer.h"
#include "lang/infer_inside.h"
#include "lang/parser_inside.h"
#include "lang/statements.h"

#include <math.h>
#include <string.h>

enum { drive_range, drive_steps, drive_time, drive_items, most_steps = 10000000 };

// A value with its unit behind `word`; NULL: reported.
static Ast *parse_behind(Parser *p, const char *word, const char *wanted, const Unit **unit) {
  if (!parse_accept_word(p, word)) {
    parse_unexpected_word(p, wanted);
    return NULL;
  }
  Ast *a = parse_value(p, unit);
  if (a && (*unit)->said) a->unit = *unit;
  return a;
}

bool parse_drive(Parser *p, Stmt *s) {
  Item items[drive_items];
  const Unit *first, *last, *other;
  memset(items, 0, sizeof items);
  s->expr = parse_formula(p);
  if (!s->expr) return false;
  items[drive_range].value = parse_behind(p, "from", "`from` and the first value", &first);
  if (!items[drive_range].value) return false;
  items[drive_range].until = parse_behind(p, "to", "`to` and the last value", &last);
  if (!items[drive_range].until) return false;
  const Unit *lent = range_lent_unit(items[drive_range].value, first, items[drive_range].until, last);
  if (lent) items[drive_range].value->unit = lent;
  items[drive_steps].value = parse_behind(p, "steps", "`steps` and their number", &other);
  if (!items[drive_steps].value) return false;
  if (parse_at_word(p, "in")) {
    items[drive_time].value = parse_behind(p, "in", "`in` and how long it takes", &other);
    if (!items[drive_time].value) return false;
  }
  for (int i = 0; i < drive_items; i++) {
    items[i].unit = &unit_unsaid;
    if (!vec_push(p->scratch, &s->items, items[i])) return false;
  }
  return true;
}

// A value of parameters alone; 0: reported.
static ExprId constant(Elab *e, const Ast *a, const Binding *env, const char *what) {
  ExprId id = eval_scalar(e, a, env, what);
  return id && eval_only_params(e, id, a->span, what) ? id : 0;
}

// Its number as the file is read, for checks; NaN: not known before a run.
static double number_now(Elab *e, const Ast *a, const Binding *env) {
  Rat r;
  e->eval.constant++;
  ExprId id = eval_scalar(e, a, env, "the range of a `drive`");
  e->eval.constant--;
  return id && expr_number(e->pool, id, &r) ? rat_to_double(r) : NAN;
}

static bool read_range(Elab *e, const Item *range, const Binding *env, SystemDrive *d) {
  d->from = constant(e, range->value, env, "where a drive starts");
  d->to = constant(e, range->until, env, "where a drive ends");
  d->range = span_join(range->value->span, range->until->span);
  if (!d->from || !d->to) return false;
  bool empty = d->from == d->to || number_now(e, range->value, env) == number_now(e, range->until, env);
  if (empty) diag_error(e->diags, diag_drive, d->range, "this range is empty: it starts where it ends");
  return !empty;
}

static bool read_steps(Elab *e, const Ast *a, const Binding *env, SystemDrive *d) {
  int64_t steps;
  if (!eval_integer(e, a, env, "the number of steps of a `drive`", &steps)) return false;
  if (steps < 1 || steps > most_steps) {
    diag_error(e->diags, diag_drive, a->span, "a drive takes from 1 to %d steps, not %lld", most_steps,
               (long long)steps);
    return false;
  }
  d->steps = (uint32_t)steps;
  return true;
}

static bool read_time(Elab *e, const Ast *a, const Binding *env, SystemDrive *d) {
  if (!a) return true;
  d->time = constant(e, a, env, "how long a drive takes");
  if (!d->time) return false;
  double seconds = number_now(e, a, env);
  if (!(seconds <= 0)) return true;
  diag_error(e->diags, diag_drive, a->span, "a drive takes a time above 0");
  return false;
}

// Can it be driven: does it say where things are, or is it a number that may change?
static bool read_target(Elab *e, const Ast *a, const Binding *env, SystemDrive *d) {
  d->value = eval_scalar(e, a, env, "what is driven");
  if (!d->value) return false;
  SymbolId symbol = expr_symbol(e->pool, d->value);
  SymbolKind kind = symbol ? pool_symbol_get(e->pool, symbol)->kind : sym_kind_count;
  if (kind == sym_param || kind == sym_time) return true;
  const KindSet places = kind_set(sym_coord) | kind_set(sym_state), fixed = kind_set(sym_param) | kind_set(sym_time);
  if (expr_has_kinds(e->pool, d->value, places) && expr_only_kinds(e->pool, d->value, places | fixed)) return true;
  if (expr_only_kinds(e->pool, d->value, fixed))
    diag_error(e->diags, diag_drive, a->span, "`%s` cannot be driven: it depends on no coordinate", d->name);
  else diag_error(e->diags, diag_drive, a->span, "`%s` cannot be driven: it is no function of places alone", d->name);
  diag_hint(e->diags, "a drive gives the values of a coordinate, of a bar's angle, of a parameter, or of `t`");
  return false;
}

void visit_drive(Elab *e, const Stmt *s, const Binding *env) {
  const Item *items = s->items.items;
  SystemDrive d = {.name = elab_written(e, s->expr->span), .span = s->span, .target = s->expr->span};
  const char *path = path_name(e, s->expr, env);
  if (path) d.name = path;
  bool target = read_target(e, s->expr, env, &d), range = read_range(e, &items[drive_range], env, &d);
  bool steps = read_steps(e, items[drive_steps].value, env, &d), time = read_time(e, items[drive_time].value, env, &d);
  if (!target || !range || !steps || !time) return;
  SystemDriveList *list = &e->model->drives;
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i].value == d.value) {
      diag_error(e->diags, diag_twice, d.target, "`%s` is driven twice", d.name);
      return;
    }
  }
  if (list->count && list->items[0].steps != d.steps) {
    diag_error(e->diags, diag_drive, items[drive_steps].value->span,
               "drives go together: `%s` has %u steps, and this one %u", list->items[0].name, list->items[0].steps,
               d.steps);
    return;
  }
  if (list->count && list->items[0].time != d.time) {
    diag_error(e->diags, diag_drive, s->span, "drives go together: all of them take the same time, `in ...`");
    return;
  }
  const char **units = infer_shown(e, s->expr, NULL, env, 1);
  d.si = units ? units[0] : NULL;
  vec_push(e->arena, list, d);
}

// The ends of the range are of what is driven; how long it takes is a time.
void units_drive(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  DimEnv names = {NULL, env};
  Dim value = infer_scalar(f, s->expr, names);
  const Item *range = &s->items.items[drive_range];
  const Ast *ends[] = {range->value, range->until}, *time = s->items.items[drive_time].value;
  for (int i = 0; i < 2; i++) {
    Dim end = infer_scalar(f, ends[i], names);
    infer_same(f, &end, ends[i]->span, &value, (Span){0}, "what is driven is");
  }
  if (!time) return;
  Dim seconds = dim_mechanical(0, 0, 1), given = infer_scalar(f, time, names);
  infer_same(f, &given, time->span, &seconds, (Span){0}, "how long a drive takes is");
}
