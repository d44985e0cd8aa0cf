// What a model shows: its `plot` and `heat` lines.
//
// A curve has a label (the name as in tables, else the text, with the variables of `for` as numbers) and a unit as far
// as it is known. A line with `for` is one picture with several curves, unless what it is plotted against differs.
// What is shown over an index has a curve for each of its values.
#include "lang/eval.h"
#include "lang/infer.h"
#include "lang/statements.h"

#include <string.h>

static bool word_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (unsigned char)c >= 0x80;
}

// A name as in tables, with its parts: hip.th, th[3]'. Else the text, with the variables of `for` as numbers.
static const char *label_of(Elab *e, const Ast *a, const Binding *env) {
  const char *path = path_name(e, a, env), *s = elab_written(e, a->span);
  if (path || !env || !s) return path ? path : s;
  Text t = text_in(e->arena);
  while (*s) {
    size_t n = 0;
    while (word_part(s[n])) n++;
    const Binding *b = n ? env : NULL;
    while (b && !(strlen(b->name) == n && memcmp(b->name, s, n) == 0)) b = b->next;
    Rat r;
    if (b && b->value.shape == value_scalar && expr_number(e->pool, b->value.scalar, &r))
      text_number(&t, rat_to_double(r));
    else text_putn(&t, s, n ? n : 1);
    s += n ? n : 1;
  }
  return text_str(&t);
}

// One of a unit in SI.
static ExprId unit_size(Elab *e, const Unit *unit) {
  return expr_product(e->pool, unit->scale, (Factor[]){{e->pool->pi, expr_int(e->pool, unit->pi)}}, 1);
}

// What is shown, in the unit behind it, which must fit. False: reported.
static bool put_unit(Elab *e, const Ast *a, const Unit *unit, const Binding *env, uint32_t count, SystemOutput *o) {
  if (!unit->said) return true;
  if (!infer_shows_in(e, a, env, unit)) return false;
  for (uint32_t i = 0; i < count; i++) {
    o[i].value = expr_div(e->pool, o[i].value, unit_size(e, unit));
    o[i].si = unit->text;
  }
  return true;
}

// A limit in the unit of its axis, which shows something. 0: reported.
static ExprId limit_of(Elab *e, const Ast *a, const Unit *whole, const Unit *axis, const Ast *shown,
                       const Binding *env) {
  ExprId id = eval_scalar(e, a, env, "the end of an axis");
  if (!id || !eval_only_params(e, id, a->span, "the end of an axis")) return 0;
  const Unit *own = a->unit ? a->unit : whole; // a number has taken its own
  if (!own->said) return id;
  Dimension of_own = dimension_of_unit(own), of_axis = dimension_of_unit(axis);
  if (axis->said && !dimension_same(&of_own, &of_axis)) {
    diag_error(e->diags, diag_units, a->span, "this end of the axis is in [%s], but the axis is in [%s]", own->text,
               axis->text);
    return 0;
  }
  if (!axis->said && !infer_ends_in(e, shown, env, own, a->span)) return 0;
  if (!a->unit) id = expr_mul(e->pool, id, unit_size(e, own));
  return axis->said ? expr_div(e->pool, id, unit_size(e, axis)) : id;
}

// False: reported.
static bool put_limits(Elab *e, const AxisLimits *l, const Unit *unit, const Ast *shown, const Binding *env,
                       SystemLimits *out) {
  ExprId from = limit_of(e, l->from, l->from_unit, unit, shown, env);
  ExprId to = limit_of(e, l->to, l->to_unit, unit, shown, env);
  if (!from || !to) return false;
  ExprId wrong = expr_fn(e->pool, op_le, (ExprId[]){to, from}, 2);
  static const char reversed[] = "an axis goes from the smaller end to the larger one";
  if (wrong == e->pool->one) {
    diag_error(e->diags, diag_limits, l->span, "%s", reversed);
    return false;
  }
  if (wrong != e->pool->zero)
    vec_push(e->arena, &e->model->demands, (SystemCheck){wrong, diag_limits, reversed, l->span});
  *out = (SystemLimits){from, to, NULL, l->span};
  return true;
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

// The limits behind a curve are those of its axis.
static void put_curve_limits(Elab *e, SystemPlot *plot, const Item *item, const Binding *env, const char *unit) {
  SystemLimits l;
  if (!item->limits || !put_limits(e, item->limits, item->unit, item->value, env, &l)) return;
  l.unit = unit;
  for (uint32_t i = 0; i < plot->y.count; i++) {
    const SystemLimits *other = &plot->y.items[i];
    if (!same_text(other->unit, unit)) continue;
    if (other->from == l.from && other->to == l.to) return; // a line that repeats
    diag_error(e->diags, diag_twice, l.span, "the limits of this axis are said twice");
    return;
  }
  vec_push(e->arena, &plot->y, l);
}

static void put_curves(Elab *e, SystemPlot *plot, const Item *item, const Binding *env) {
  Value v = eval(e, item->value, env);
  const char *name = !v.shape ? NULL : item->note ? item->note : label_of(e, item->value, env);
  uint32_t count = v.shape ? value_count(&v) : 0;
  const char **units = name ? infer_shown(e, item->value, NULL, env, count) : NULL;
  SystemOutput *made = units ? arena_array(e->arena, count, sizeof *made) : NULL;
  for (uint32_t i = 0; made && i < count; i++)
    made[i] = (SystemOutput){elab_entry_name(e, name, &v, i), value_item(&v, i), unit_none(), item->span, units[i]};
  if (!made || !put_unit(e, item->value, item->unit, env, count, made)) return;
  for (uint32_t i = 0; i < count; i++) {
    if (made[i].name) vec_push(e->arena, &plot->curves, made[i]);
  }
  put_curve_limits(e, plot, item, env, count ? made[0].si : NULL);
}

// What the line is plotted against. False: reported.
static bool put_axis(Elab *e, SystemPlot *plot, const Stmt *s, const Binding *env) {
  ExprId id = eval_scalar(e, s->against, env, "what is plotted against");
  if (!id) return false;
  const char **units = infer_shown(e, s->against, NULL, env, 1);
  plot->time = id == expr_sym(e->pool, e->model->time);
  plot->against = (SystemOutput){label_of(e, s->against, env), id, unit_none(), s->against->span,
                                 plot->time ? "s"
                                 : units    ? units[0]
                                            : NULL};
  if (!put_unit(e, s->against, s->axis->unit, env, 1, &plot->against)) return false;
  return !s->axis->limits || put_limits(e, s->axis->limits, s->axis->unit, s->against, env, &plot->x);
}

// ---- over an index

typedef struct IndexRange {
  int64_t least, most;
  bool found;
} IndexRange;

static void narrow(IndexRange *r, int64_t least, int64_t most) {
  r->least = r->found && r->least > least ? r->least : least;
  r->most = r->found && r->most < most ? r->most : most;
  r->found = true;
}

// Which values may the index have? All that every name has which it stands behind, as in T[i].
static void find_indices(Elab *e, const Ast *a, const char *index, IndexRange *r) {
  if (a->kind == ast_number) return;
  bool stands = a->kind == ast_index && a->count == 2 && a->items[1]->kind == ast_name &&
                strcmp(a->items[1]->name, index) == 0 && a->items[0]->kind == ast_name;
  if (stands) {
    const Family *f = names_family(e->names.scope, a->items[0]->name);
    Decl *d = f ? NULL : names_find(e, a->items[0]->name);
    Value v = d ? eval(e, a->items[0], NULL) : (Value){0};
    if (f) narrow(r, f->least, f->most);
    else if (v.shape == value_vector) narrow(r, 1, v.rows);
  }
  for (uint32_t i = 0; i < a->count; i++) find_indices(e, a->items[i], index, r);
}

// Is there such a member? Of a family with gaps some are not.
static bool has_member(Elab *e, const Ast *a, const char *index, int64_t i) {
  if (a->kind == ast_number) return true;
  bool stands = a->kind == ast_index && a->count == 2 && a->items[1]->kind == ast_name &&
                strcmp(a->items[1]->name, index) == 0 && a->items[0]->kind == ast_name;
  const Family *f = stands ? names_family(e->names.scope, a->items[0]->name) : NULL;
  if (f && !f->runs.count) {
    const char *name = arena_printf(e->arena, "%s[%lld]", a->items[0]->name, (long long)i);
    if (name && !names_find(e, name)) return false;
  }
  for (uint32_t k = 0; k < a->count; k++) {
    if (!has_member(e, a->items[k], index, i)) return false;
  }
  return true;
}

// The values of the index. False: reported.
static bool put_indices(Elab *e, const Stmt *s, const Binding *env, SystemOver *over) {
  enum { most_members = 100000 };
  IndexRange r = {0};
  for (uint32_t i = 0; i < s->items.count; i++) find_indices(e, s->items.items[i].value, s->over->name, &r);
  if (s->over->from) {
    if (!eval_integer(e, s->over->from, env, "where an index begins", &r.least) ||
        !eval_integer(e, s->over->to, env, "where an index ends", &r.most))
      return false;
  } else if (!r.found) {
    diag_error(e->diags, diag_profile, s->over->span, "nothing here has the index `%s`", s->over->name);
    diag_hint(e->diags, "a profile is of names with an index: `plot T[%s] over %s`", s->over->name, s->over->name);
    return false;
  }
  for (int64_t i = r.least; i <= r.most && over->index.count <= most_members; i++) {
    bool there = s->over->from != NULL;
    for (uint32_t k = 0; k < s->items.count && (k == 0 || there) && !s->over->from; k++)
      there = has_member(e, s->items.items[k].value, s->over->name, i);
    if (there && !vec_push(e->arena, &over->index, i)) return false;
  }
  if (over->index.count > 1 && over->index.count <= most_members) return true;
  diag_error(e->diags, diag_profile, s->over->span, "a profile has two values of its index or more, and at most %d",
             most_members);
  return false;
}

// The members of one text. False: reported.
static bool put_members(Elab *e, const Stmt *s, const Item *item, const Binding *env, SystemPlot *plot) {
  const char *text = item->note ? item->note : elab_written(e, item->value->span), *unit = NULL;
  if (!text || !vec_push(e->arena, &plot->over.texts, text)) return false;
  for (uint32_t k = 0; k < plot->over.index.count; k++) {
    Binding *b = arena_new_of(e->arena, Binding);
    if (!b) return false;
    *b = (Binding){.name = s->over->name, .next = env, .value = value_of(expr_int(e->pool, plot->over.index.items[k]))};
    ExprId id = eval_scalar(e, item->value, b, "what is shown over an index");
    if (!id) return false;
    const char **units = k == 0 ? infer_shown(e, item->value, NULL, b, 1) : NULL;
    SystemOutput o = {label_of(e, item->value, b), id, unit_none(), item->span, k == 0 && units ? units[0] : unit};
    if (!put_unit(e, item->value, item->unit, b, 1, &o) || !o.name) return false;
    unit = o.si;
    if (!vec_push(e->arena, &plot->curves, o)) return false;
  }
  put_curve_limits(e, plot, item, env, unit);
  return true;
}

static void visit_over(Elab *e, const Stmt *s, const Binding *env) {
  SystemPlot plot = {.x_log = s->x_log, .y_log = s->y_log, .equal = s->equal, .heat = s->heat, .span = s->span};
  plot.over.name = s->over->name;
  plot.over.at_span = s->over->at_span;
  if (!put_indices(e, s, env, &plot.over)) return;
  for (uint32_t i = 0; i < s->over->at.count; i++) {
    const Ast *a = s->over->at.items[i];
    ExprId time = eval_scalar(e, a, env, "the time of a profile");
    if (!time || !eval_only_params(e, time, a->span, "the time of a profile")) return;
    vec_push(e->arena, &plot.over.at, time);
  }
  for (uint32_t i = 0; i < s->items.count; i++) {
    if (!put_members(e, s, &s->items.items[i], env, &plot)) return;
  }
  vec_push(e->arena, &e->model->plots, plot);
}

void visit_plot(Elab *e, const Stmt *s, const Binding *env) {
  if (s->over) {
    visit_over(e, s, env);
    return;
  }
  Model *m = e->model;
  // one picture a line, also where the line repeats
  SystemPlot *last = m->plots.count ? &m->plots.items[m->plots.count - 1] : NULL;
  bool again = last && last->span.source == s->span.source && last->span.start == s->span.start;
  SystemPlot plot = {.x_log = s->x_log, .y_log = s->y_log, .equal = s->equal, .span = s->span};
  if (s->against && !put_axis(e, &plot, s, env)) return;
  // a repeated line over different axes becomes several pictures
  if (again && last->against.value != plot.against.value) again = false;
  if (!again && !vec_push(e->arena, &m->plots, plot)) return;
  SystemPlot *into = &m->plots.items[m->plots.count - 1];
  uint32_t before = into->curves.count;
  for (uint32_t i = 0; i < s->items.count; i++) put_curves(e, into, &s->items.items[i], env);
  // curves of a line that repeats know the value of its variable
  Rat number;
  bool one = s->fors.count == 1 && into->curves.count == before + 1 && env && env->value.shape == value_scalar;
  if (!one || !expr_number(e->pool, env->value.scalar, &number)) return;
  into->each = s->fors.items[0].name;
  vec_push(e->arena, &into->levels, rat_to_double(number));
}
