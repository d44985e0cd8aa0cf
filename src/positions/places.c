// Position equations (loop closure) of a mechanism. See places.h.
#include "positions/places.h"

#include "system/bars.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

enum { deepest_input = 8 };

// ---- unknowns

typedef struct Opening {
  Places *p;
  const SystemDrive *drives;
  VEC(ExprId) angles;     // atan2(y, x) that have an unknown
  VEC(uint32_t) angle_at; // their indices among the unknowns
  VEC(ExprId) starts;
  VEC(SymbolId) symbols[places_orders];
  VEC(const char *) names;
  VEC(ExprId) values;
  VEC(const char *) labels;
  VEC(Span) spans;
  VEC(uint32_t) multipliers; // constraints that have one
  VEC(uint32_t) soft_rows;   // equations that give way; UINT32_MAX: one that does not
  VEC(ExprId) soft_values;
  VEC(const char *) soft_labels;
  const char *why;
  Span place;
} Opening;

static SymbolId new_symbol(Opening *x, const char *name, uint32_t order) {
  static const char *const primes[] = {"", "'", "''", "'''"};
  const char *full = arena_printf(x->p->arena, "%s%s", name, primes[order]);
  return full ? pool_symbol(x->p->s.pool, full, sym_signal, x->symbols[0].count, order) : 0;
}

static bool add_unknown(Opening *x, const char *name, ExprId start, const SymbolId given[3]) {
  Arena *arena = x->p->arena;
  for (uint32_t k = 0; k < places_orders; k++) {
    SymbolId s = k < 3 && given[k] ? given[k] : new_symbol(x, name, k);
    if (!s || !vec_push(arena, &x->symbols[k], s)) return false;
  }
  return vec_push(arena, &x->names, name) && vec_push(arena, &x->starts, start);
}

static bool add_equation(Opening *x, ExprId value, const char *label, Span span) {
  Arena *arena = x->p->arena;
  return value && vec_push(arena, &x->values, value) && vec_push(arena, &x->labels, label) &&
         vec_push(arena, &x->spans, span);
}

static bool add_places(Opening *x) {
  System *s = &x->p->s;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    if (!add_unknown(x, c->name, c->q0, (SymbolId[]){c->q, c->v, c->a})) return false;
  }
  x->p->coords = s->coord_count;
  for (uint32_t b = 0; b < s->tree.balls.count; b++) {
    const TreeBall *ball = &s->tree.balls.items[b];
    ExprId square = s->pool->zero;
    for (uint32_t i = 0; i < 4; i++) {
      const SystemState *r = &s->states.items[ball->first + i];
      if (!add_unknown(x, r->name, r->x0, (SymbolId[]){r->x, 0, 0})) return false;
      square = expr_add(s->pool, square, expr_powi(s->pool, expr_sym(s->pool, r->x), 2));
    }
    ExprId unit = expr_scale(s->pool, (Rat){1, 2, NULL}, expr_sub(s->pool, square, s->pool->one));
    if (!add_equation(x, unit, arena_printf(x->p->arena, "|%s| = 1", ball->name), ball->span)) return false;
  }
  return true;
}

static bool is_ball_state(const System *s, uint32_t state) {
  for (uint32_t b = 0; b < s->tree.balls.count; b++) {
    if (state >= s->tree.balls.items[b].first && state < s->tree.balls.items[b].first + 7) return true;
  }
  return false;
}

// ---- substitutions

// Does a state move, or is it sampled? Where forces balance it is where its own equation or rule leaves it,
// not at its start.
static bool moves(const System *s, uint32_t i) {
  for (uint32_t k = 0; k < s->whens.count; k++) {
    const SystemWhen *w = &s->whens.items[k];
    for (uint32_t a = 0; w->period && a < w->assigns.count; a++) {
      if (w->assigns.items[a].kind == assign_state && w->assigns.items[a].index == i) return true;
    }
  }
  return !expr_is_zero(s->pool, s->f[i]);
}

static bool put_given(Opening *x) {
  System *s = &x->p->s;
  x->p->put = symbol_map_new(s->pool);
  if (!x->p->put.of) return false;
  for (uint32_t k = 0; k < s->inputs.count; k++) {
    for (uint32_t i = 0; i < s->definitions.count; i++) {
      const Definition *d = &s->definitions.items[i];
      if (d->symbol == s->inputs.items[k].symbol) symbol_map_set(&x->p->put, d->symbol, d->value);
    }
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    if (is_ball_state(s, i) || (x->p->kind == places_static && moves(s, i))) continue;
    symbol_map_set(&x->p->put, s->states.items[i].x, s->states.items[i].x0);
  }
  for (uint32_t i = 0; i < x->p->k; i++) {
    SymbolId symbol = expr_symbol(s->pool, x->drives[i].value);
    SymbolKind kind = symbol ? pool_symbol_get(s->pool, symbol)->kind : sym_kind_count;
    if (kind == sym_param || kind == sym_time) symbol_map_set(&x->p->put, symbol, expr_sym(s->pool, x->p->drive[0][i]));
  }
  return true;
}

// Parameters that are said by a driven one follow it.
static bool put_followers(Opening *x) {
  System *s = &x->p->s;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < s->params.count; i++) {
      const SystemParam *q = &s->params.items[i];
      if (!q->value || symbol_map_get(&x->p->put, q->symbol)) continue;
      ExprId value = q->value;
      if (!expr_replace(s->pool, &x->p->put, &value, 1, &value)) return false;
      if (value == q->value) continue;
      symbol_map_set(&x->p->put, q->symbol, value);
      again = true;
    }
  }
  return !arena_failed(x->p->arena);
}

static bool put_in(Places *p, ExprId *list, uint32_t count) {
  for (int depth = 0; p->put.used && depth < deepest_input; depth++) {
    if (!expr_replace(p->s.pool, &p->put, list, count, list)) return false;
  }
  return true;
}

static bool put(Opening *x, ExprId *list, uint32_t count) { return put_in(x->p, list, count); }

uint32_t places_held(const Places *p) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->k; i++) count += p->drive_row[i] != UINT32_MAX;
  return count;
}

bool places_watch(Places *p, const ExprId *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ExprId value = list[i];
    if (!put_in(p, &value, 1) || !vec_push(p->arena, &p->watch, value)) return false;
  }
  return true;
}

// The unknown that an angle has; 0: out of memory.
static ExprId angle_of(Opening *x, ExprId node) {
  ExprPool *pool = x->p->s.pool;
  uint32_t first = x->symbols[0].count;
  for (uint32_t i = 0; i < x->angles.count; i++) {
    if (x->angles.items[i] == node) return expr_sym(pool, x->symbols[0].items[x->angle_at.items[i]]);
  }
  ExprId y = pool_args(pool, node)[0], c = pool_args(pool, node)[1];
  const char *name = arena_printf(x->p->arena, "angle %u", x->angles.count + 1);
  if (!name || !vec_push(x->p->arena, &x->angles, node) || !vec_push(x->p->arena, &x->angle_at, first) ||
      !add_unknown(x, name, node, (SymbolId[]){0, 0, 0}))
    return 0;
  ExprId phi = expr_sym(pool, x->symbols[0].items[first]);
  ExprId sine = expr_mul(pool, c, expr_fn(pool, op_sin, &phi, 1)),
         cosine = expr_mul(pool, y, expr_fn(pool, op_cos, &phi, 1));
  return add_equation(x, expr_sub(pool, sine, cosine), name, (Span){0}) ? phi : 0;
}

// A number times something else, apart.
static Term split(const ExprPool *pool, Term t) {
  if (expr_op(pool, t.term) != op_mul || expr_factor_count(pool, t.term) != 1) return t;
  Factor f = expr_factor(pool, t.term, 0);
  if (f.exponent != pool->one || t.coef.num != 1 || t.coef.den != 1) return t;
  return (Term){expr_coef(pool, t.term), f.base};
}

// Angles among the terms of a sum become unknowns.
static ExprId put_angles(Opening *x, ExprId value) {
  ExprPool *pool = x->p->s.pool;
  ExprId out = pool->zero;
  for (uint32_t i = 0; i < expr_term_count(pool, value); i++) {
    Term t = split(pool, expr_term(pool, value, i));
    bool angle =
        expr_op(pool, t.term) == op_atan2 && expr_has_kinds(pool, t.term, kind_set(sym_coord) | kind_set(sym_state));
    ExprId term = angle ? angle_of(x, t.term) : t.term;
    out = expr_add(pool, out, expr_scale(pool, t.coef, term));
  }
  return out;
}

// ---- equations

static const char *obstacle(const System *s) {
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    if (s->constraints.items[i].velocities) return "a constraint on velocities leaves no positions to go through";
  }
  if (s->implicit.count) return "implicit equations are not solved in problems of position";
  return NULL;
}

static const char *static_obstacle(const System *s, PlacesKind kind) {
  if (s->tree.balls.count)
    return kind == places_static ? "load paths of ball joints are not followed" : "ball joints are not deformed";
  if (kind == places_deformed)
    return s->constraints.count ? NULL : "there is no bar and no constraint that could give way";
  if (!s->lagrange.used) return "a load path needs energies or loads: forces that balance";
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] != source_energies) return "a load path needs energies: an equation of its own has no balance";
  }
  return NULL;
}

// The elongation of the bar whose length a constraint keeps; 0: it is not that of a bar.
static ExprId elongation(System *s, const SystemConstraint *c, uint32_t *next) {
  Bars b = {&s->described, s->arena, s->pool};
  const LinkageBarList *bars = &s->linkage.bars;
  for (uint32_t k = *next; k < bars->count; k++) { // they stand in the same order
    LinkageBar bar = bars->items[k];
    if (bar.span.source != c->span.source || bar.span.start != c->span.start || strcmp(bar.name, c->label) != 0)
      continue;
    BarsVector d = bars_between(&b, bar.a, bar.b);
    *next = k + 1;
    return expr_sub(s->pool, bars_length(&b, &d), bars_bar_length(&b, &bar));
  }
  return 0;
}

// By constraint: how it gives way; 0: it does not. `all`: no bar is there, and every one does.
static ExprId softened(Opening *x, const SystemConstraint *c, bool all, uint32_t *next) {
  if (x->p->kind < places_soft) return 0;
  return all ? c->value : elongation(&x->p->s, c, next);
}

static bool add_constraints(Opening *x) {
  System *s = &x->p->s;
  const KindSet known =
      kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_coord) | kind_set(sym_state) | kind_set(sym_signal);
  bool all = !s->linkage.bars.count;
  uint32_t next = 0;
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    const SystemConstraint *c = &s->constraints.items[i];
    ExprId soft = softened(x, c, all, &next), value = soft ? soft : c->value;
    if (!put(x, &value, 1)) return false;
    if (!expr_only_kinds(s->pool, value, known)) {
      x->why = arena_printf(s->arena, "the constraint `%s` depends on more than places", c->label);
      x->place = c->span;
      return true;
    }
    if (soft && !(vec_push(s->arena, &x->soft_values, value) && vec_push(s->arena, &x->soft_labels, c->label)))
      return false;
    if (soft && x->p->kind == places_deformed) continue; // it has no equation, but a force
    if (!vec_push(s->arena, &x->multipliers, i) ||
        !vec_push(s->arena, &x->soft_rows, soft ? x->values.count : UINT32_MAX))
      return false;
    if (!add_equation(x, value, c->label, c->span)) return false;
  }
  return true;
}

static bool add_drives(Opening *x) {
  Places *p = x->p;
  ExprPool *pool = p->s.pool;
  for (uint32_t i = 0; i < p->k; i++) {
    const SystemDrive *d = &x->drives[i];
    p->drive_row[i] = UINT32_MAX;
    p->driven[i] = d->value;
    if (expr_symbol(pool, d->value) && symbol_map_get(&x->p->put, expr_symbol(pool, d->value))) continue;
    ExprId value = d->value;
    if (!put(x, &value, 1)) return false;
    value = put_angles(x, value);
    p->driven[i] = value;
    p->drive_row[i] = x->values.count;
    if (!add_equation(x, expr_sub(pool, value, expr_sym(pool, p->drive[0][i])), d->name, d->span)) return false;
  }
  return true;
}

// ---- forces

// What pulls at the coordinates where nothing moves, without constraints. False: out of memory.
static bool put_rest(Opening *x, ExprId *list) {
  System *s = &x->p->s;
  SymbolMap zero = symbol_map_new(s->pool);
  for (uint32_t i = 0; zero.of && i < s->coord_count; i++) {
    symbol_map_set(&zero, s->coords.items[i].v, s->pool->zero);
    symbol_map_set(&zero, s->coords.items[i].a, s->pool->zero);
  }
  for (uint32_t i = 0; zero.of && i < s->input_rates.count; i++)
    symbol_map_set(&zero, s->input_rates.items[i].symbol, s->pool->zero);
  for (uint32_t i = 0; i < s->coord_count; i++) list[i] = s->h[i];
  return zero.of && put(x, list, s->coord_count) && expr_replace(s->pool, &zero, list, s->coord_count, list);
}

// - factor * d(value)/dq into the balances, for each of the values.
static bool take_forces(Opening *x, const ExprId *values, const ExprId *factors, uint32_t count) {
  System *s = &x->p->s;
  ExprPool *pool = s->pool;
  SymbolIndex index;
  SymbolId *q = arena_array(s->arena, (size_t)s->coord_count + 1, sizeof *q);
  MassRow *rows = arena_array(s->arena, (size_t)count + 1, sizeof *rows);
  if (!q || !rows) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) q[i] = s->coords.items[i].q;
  if (!symbol_index(s->arena, pool, q, s->coord_count, &index) ||
      !sparse_jacobian(s->arena, pool, values, count, &index, rows))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < rows[i].count; k++) {
      ExprId *balance = &x->values.items[rows[i].items[k].column];
      *balance = expr_sub(pool, *balance, expr_mul(pool, factors[i], rows[i].items[k].value));
    }
  }
  return !arena_failed(s->arena);
}

static SymbolId add_multiplier(Opening *x, const char *name, SymbolId symbol) {
  if (!add_unknown(x, name, x->p->s.pool->zero, (SymbolId[]){symbol, 0, 0})) return 0;
  return x->symbols[0].items[x->symbols[0].count - 1];
}

// Before constraints: rows for the balances, which forces are put into later.
static bool add_balances(Opening *x) {
  System *s = &x->p->s;
  ExprId *list = arena_array(s->arena, (size_t)s->coord_count + 1, sizeof *list);
  if (!list || !put_rest(x, list)) return false;
  const KindSet known = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_coord) | kind_set(sym_signal);
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    if (!expr_only_kinds(s->pool, list[i], known)) {
      x->why = arena_printf(s->arena, "the force on `%s` depends on more than places", c->name);
      x->place = c->span;
      return true;
    }
    if (!add_equation(x, list[i], c->name, c->span)) return false;
  }
  return true;
}

// Rows for what only elements that give way pull at.
static bool add_empty_balances(Opening *x) {
  System *s = &x->p->s;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (!add_equation(x, s->pool->zero, s->coords.items[i].name, s->coords.items[i].span)) return false;
  }
  return true;
}

// The forces of constraints, of held driven positions, and of elements that give way.
static bool add_forces(Opening *x) {
  System *s = &x->p->s;
  uint32_t count = x->multipliers.count, total = count + x->p->k + x->soft_values.count, used = 0;
  ExprId *values = arena_array(s->arena, (size_t)total + 1, sizeof *values);
  ExprId *factors = arena_array(s->arena, (size_t)total + 1, sizeof *factors);
  if (!values || !factors) return false;
  for (uint32_t i = 0; i < count; i++) {
    const SystemConstraint *c = &s->constraints.items[x->multipliers.items[i]];
    SymbolId lambda = add_multiplier(x, c->name, c->symbol);
    if (!lambda) return false;
    values[used] = x->values.items[s->coord_count + i];
    factors[used++] = expr_sym(s->pool, lambda);
  }
  for (uint32_t i = 0; i < x->p->k; i++) {
    if (x->p->drive_row[i] == UINT32_MAX) continue;
    const char *name = arena_printf(s->arena, "force.%s", x->drives[i].name);
    SymbolId force = name ? add_multiplier(x, name, 0) : 0;
    values[used] = x->drives[i].value;
    if (!force || !put(x, &values[used], 1)) return false;
    factors[used++] = expr_sym(s->pool, force);
  }
  for (uint32_t i = 0; i < x->soft_values.count; i++) {
    values[used] = x->soft_values.items[i];
    factors[used++] = expr_neg(s->pool, x->soft_values.items[i]);
  }
  return take_forces(x, values, factors, used);
}

// ---- what is shown

static bool show_one(Opening *x, const char *name, const char *si, ExprId value) {
  Places *p = x->p;
  if (!put(x, &value, 1)) return false;
  if (p->kind == places_rigid) value = put_angles(x, value); // else a further unknown would be one more that may move
  const KindSet still = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_coord) | kind_set(sym_state) |
                        kind_set(sym_signal) | (p->statics ? kind_set(sym_multiplier) : 0);
  const KindSet moving = still | kind_set(sym_velocity) | kind_set(sym_acceleration);
  if (!value) return false;
  if (!expr_only_kinds(p->s.pool, value, moving)) return vec_push(p->arena, &p->left_out, name);
  PlacesShown shown = {name, si, value, expr_only_kinds(p->s.pool, value, still)};
  return vec_push(p->arena, &p->shown, shown);
}

// Has it a column of this name already, as a drive?
static bool is_driven(const Opening *x, const char *name, ExprId value) {
  for (uint32_t k = 0; k < x->p->k; k++) {
    if (x->drives[k].value == value && strcmp(x->drives[k].name, name) == 0) return true;
  }
  return false;
}

// The force (or moment) that holds a driven position of a load path: positive where it pushes towards larger values.
static bool show_holding(Opening *x) {
  Places *p = x->p;
  uint32_t at = x->symbols[0].count - places_held(p);
  for (uint32_t i = 0; p->kind == places_static && i < p->k; i++) {
    if (p->drive_row[i] == UINT32_MAX) continue;
    const char *si = x->drives[i].si, *name = arena_printf(p->arena, "%s.force", x->drives[i].name);
    si = !si ? NULL : strcmp(si, "m") == 0 ? "N" : strcmp(si, "rad") == 0 ? "N*m" : NULL;
    PlacesShown shown = {name, si, expr_sym(p->s.pool, x->symbols[0].items[at++]), true};
    if (!name || !vec_push(p->arena, &p->shown, shown)) return false;
  }
  return true;
}

static bool add_shown(Opening *x) {
  System *s = &x->p->s;
  if (!show_holding(x)) return false;
  for (uint32_t i = 0; i < s->outputs.count; i++) {
    const SystemOutput *o = &s->outputs.items[i];
    if (!is_driven(x, o->name, o->value) && !show_one(x, o->name, o->si, o->value)) return false;
  }
  for (uint32_t i = 0; !s->outputs.count && i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    ExprId q = expr_sym(s->pool, c->q);
    if (!is_driven(x, c->name, q) && !show_one(x, c->name, unit_si_text(s->arena, &c->unit, &c->dim, 0), q))
      return false;
  }
  for (uint32_t b = 0; !s->outputs.count && b < s->tree.balls.count; b++) {
    for (uint32_t i = 0; i < 4; i++) {
      const SystemState *r = &s->states.items[s->tree.balls.items[b].first + i];
      if (!show_one(x, r->name, "", expr_sym(s->pool, r->x))) return false;
    }
  }
  x->p->soft.first = x->p->shown.count;
  x->p->soft.count = x->soft_values.count;
  for (uint32_t i = 0; i < x->soft_values.count; i++) {
    const char *name = arena_printf(s->arena, "%s.stretch", x->soft_labels.items[i]);
    PlacesShown shown = {name, s->linkage.bars.count ? "m" : "", x->soft_values.items[i], false};
    if (!name || !vec_push(s->arena, &x->p->shown, shown)) return false;
  }
  return true;
}

// ---- tapes

// Variables of all tapes, in this order: t, u, P, u', P', u'', u'''.
static bool make_tape(Places *p, const ExprId *results, uint32_t count, uint32_t orders, PlacesTape *out) {
  uint32_t k = 0;
  SymbolId *vars = arena_array(p->arena, places_orders * (size_t)p->n + 2 * (size_t)p->k + 2, sizeof *vars);
  if (!vars) return false;
  vars[k++] = p->s.time;
  for (uint32_t o = 0; o < orders; o++) {
    for (uint32_t i = 0; i < p->n; i++) vars[k++] = p->unknown[o][i];
    for (uint32_t i = 0; o < 2 && i < p->k; i++) vars[k++] = p->drive[o][i];
  }
  const Tape *t = tape_build(
      p->arena,
      &(TapeRequest){.system = &p->s, .vars = vars, .var_count = k, .results = results, .result_count = count});
  out->tape = t;
  out->w = t ? arena_array(p->arena, t->slot_count, sizeof *out->w) : NULL;
  if (!out->w) return false;
  memcpy(out->w, p->params, t->param_count * sizeof *out->w);
  tape_prepare(t, out->w);
  return true;
}

static bool make_first(Places *p) {
  SymbolIndex index;
  SymbolId *columns = arena_array(p->arena, (size_t)p->n + p->k + 1, sizeof *columns);
  p->G = arena_array(p->arena, (size_t)p->m + 1, sizeof *p->G);
  if (!columns || !p->G) return false;
  for (uint32_t i = 0; i < p->n; i++) columns[i] = p->unknown[0][i];
  for (uint32_t i = 0; i < p->k; i++) columns[p->n + i] = p->drive[0][i];
  if (!symbol_index(p->arena, p->s.pool, columns, p->n + p->k, &index) ||
      !sparse_jacobian(p->arena, p->s.pool, p->value, p->m, &index, p->G))
    return false;
  for (uint32_t i = 0; i < p->m; i++) p->entries += p->G[i].count;
  p->entry_row = arena_array(p->arena, (size_t)p->entries + 1, sizeof *p->entry_row);
  p->entry_column = arena_array(p->arena, (size_t)p->entries + 1, sizeof *p->entry_column);
  ExprId *list = arena_array(p->arena, (size_t)p->m + p->entries + 1, sizeof *list);
  if (!p->entry_row || !p->entry_column || !list) return false;
  if (p->m) memcpy(list, p->value, p->m * sizeof *list);
  uint32_t e = 0;
  for (uint32_t i = 0; i < p->m; i++) {
    for (uint32_t k = 0; k < p->G[i].count; k++, e++) {
      p->entry_row[e] = i;
      p->entry_column[e] = p->G[i].items[k].column;
      list[p->m + e] = p->G[i].items[k].value;
    }
  }
  return make_tape(p, list, p->m + p->entries, 1, &p->f);
}

// What each symbol's rate is, up to an order of u.
static SymbolMap rates_to(Places *p, uint32_t orders) {
  SymbolMap map = symbol_map_new(p->s.pool);
  for (uint32_t o = 0; map.of && o < orders; o++) {
    for (uint32_t i = 0; i < p->n; i++)
      symbol_map_set(&map, p->unknown[o][i], expr_sym(p->s.pool, p->unknown[o + 1][i]));
  }
  for (uint32_t i = 0; map.of && i < p->k; i++)
    symbol_map_set(&map, p->drive[0][i], expr_sym(p->s.pool, p->drive[1][i]));
  return map;
}

static bool derive(Places *p, const ExprId *roots, uint32_t count, uint32_t orders, ExprId *out) {
  SymbolMap map = rates_to(p, orders);
  return map.of && expr_derive(p->s.pool, &map, roots, count, out, NULL);
}

static bool make_higher(Places *p) {
  ExprId *one = arena_array(p->arena, (size_t)p->m + 1, sizeof *one);
  ExprId *two = arena_array(p->arena, (size_t)p->m + 1, sizeof *two);
  ExprId *three = arena_array(p->arena, (size_t)p->m + 1, sizeof *three);
  if (!one || !two || !three) return false;
  if (!derive(p, p->value, p->m, 1, one) || !derive(p, one, p->m, 1, two)) return false;
  if (!make_tape(p, two, p->m, 2, &p->second)) return false;
  return derive(p, one, p->m, 2, two) && derive(p, two, p->m, 2, three) && make_tape(p, three, p->m, 3, &p->third);
}

uint32_t places_columns(const Places *p) { return places_orders * p->shown.count + p->watch.count; }

bool places_table(Places *p) {
  uint32_t count = p->shown.count, total = places_columns(p);
  ExprId *list = arena_array(p->arena, (size_t)total + 1, sizeof *list);
  if (!list) return false;
  for (uint32_t i = 0; i < count; i++) {
    const PlacesShown *x = &p->shown.items[i];
    ExprId value = x->value;
    for (uint32_t o = 0; o < places_orders; o++) {
      list[o * count + i] = value;
      if (o + 1 == places_orders) break;
      if (!x->rates) value = p->s.pool->zero;
      else if (!derive(p, &value, 1, o + 1, &value)) return false;
    }
  }
  if (p->watch.count) memcpy(list + places_orders * (size_t)count, p->watch.items, p->watch.count * sizeof *list);
  return make_tape(p, list, total, places_orders, &p->table);
}

// ---- numbers

static bool find_numbers(Places *p, const Opening *x) {
  uint32_t np = p->s.params.count, total = np + p->n + 3 * p->k + 2, k = 0;
  ExprId begins = p->s.simulate.from ? p->s.simulate.from : p->s.pool->zero; // the start time
  ExprId *wanted = arena_array(p->arena, (size_t)total + 1, sizeof *wanted);
  double *out = arena_array(p->arena, (size_t)total + 1, sizeof *out);
  if (!wanted || !out) return false;
  // angles start where the drawing has them: of starts, not of coordinates
  SymbolMap drawn = symbol_map_new(p->s.pool);
  for (uint32_t i = 0; drawn.of && i < p->n; i++) symbol_map_set(&drawn, p->unknown[0][i], x->starts.items[i]);
  for (uint32_t i = 0; i < p->k; i++) symbol_map_set(&drawn, p->drive[0][i], x->drives[i].value);
  if (!drawn.of) return false;
  for (uint32_t i = 0; i < np; i++) wanted[k++] = expr_sym(p->s.pool, p->s.params.items[i].symbol);
  for (uint32_t i = 0; i < p->n; i++) {
    ExprId start = x->starts.items[i];
    for (int depth = 0; depth < 3; depth++) {
      if (!expr_replace(p->s.pool, &drawn, &start, 1, &start)) return false;
    }
    wanted[k++] = start;
  }
  for (uint32_t i = 0; i < p->k; i++) {
    wanted[k++] = x->drives[i].from;
    wanted[k++] = x->drives[i].to;
  }
  wanted[k++] = p->k && x->drives[0].time ? x->drives[0].time : p->s.pool->zero;
  wanted[k++] = begins;
  SymbolMap first = symbol_map_new(p->s.pool);
  if (!first.of) return false;
  symbol_map_set(&first, p->s.time, begins);
  if (!expr_replace(p->s.pool, &first, wanted, k, wanted) || !tape_numbers(p->arena, &p->s, wanted, k, out))
    return false;
  p->t = out[k - 1];
  p->params = out;
  p->start = out + np;
  for (uint32_t i = 0; i < p->k; i++) {
    p->from[i] = out[np + p->n + 2 * i];
    p->to[i] = out[np + p->n + 2 * i + 1];
  }
  p->time = p->k && x->drives[0].time ? out[np + p->n + 2 * p->k] : NAN;
  for (uint32_t i = 0; i < p->n; i++) p->size = fmax(p->size, fabs(p->start[i]));
  if (!(p->size > 0)) p->size = 1;
  return true;
}

static bool check_numbers(Places *p, const Opening *x, const char **why, Span *place) {
  for (uint32_t i = 0; i < p->s.params.count; i++) {
    const SystemParam *q = &p->s.params.items[i];
    if (q->value) continue;
    *why = arena_printf(p->arena, "positions are found in numbers, and the parameter `%s` has no value", q->name);
    *place = q->span;
    return false;
  }
  for (uint32_t i = 0; i < p->k; i++) {
    if (isfinite(p->from[i]) && isfinite(p->to[i]) && p->from[i] != p->to[i]) continue;
    *why = arena_printf(p->arena, "the range of this drive is %s", p->from[i] == p->to[i] ? "empty" : "not finite");
    *place = x->drives[i].range;
    return false;
  }
  for (uint32_t i = 0; i < p->n; i++) {
    if (isfinite(p->start[i])) continue;
    *why = arena_printf(p->arena, "the start of `%s` is no number", p->names[i]);
    return false;
  }
  return true;
}

// ---- the whole

static bool name_drives(Places *p) {
  p->drive_row = arena_array(p->arena, (size_t)p->k + 1, sizeof *p->drive_row);
  p->driven = arena_array(p->arena, (size_t)p->k + 1, sizeof *p->driven);
  p->from = arena_array(p->arena, (size_t)p->k + 1, sizeof *p->from);
  p->to = arena_array(p->arena, (size_t)p->k + 1, sizeof *p->to);
  for (int o = 0; o < 2; o++) {
    p->drive[o] = arena_array(p->arena, (size_t)p->k + 1, sizeof *p->drive[o]);
    for (uint32_t i = 0; p->drive[o] && i < p->k; i++) {
      p->drive[o][i] =
          pool_symbol(p->s.pool, arena_printf(p->arena, "drive %u%s", i + 1, o ? "'" : ""), sym_signal, i, (uint32_t)o);
    }
  }
  return !arena_failed(p->arena);
}

static void keep_lists(Places *p, const Opening *x) {
  p->n = x->symbols[0].count;
  p->angles = x->angle_at.items;
  p->angle_count = x->angles.count;
  p->m = x->values.count;
  for (int o = 0; o < places_orders; o++) p->unknown[o] = x->symbols[o].items;
  p->names = x->names.items;
  p->value = x->values.items;
  p->labels = x->labels.items;
  p->spans = x->spans.items;
  p->soft.rows = arena_array(p->arena, (size_t)p->m + 1, sizeof *p->soft.rows);
  for (uint32_t i = 0; p->soft.rows && i < x->soft_rows.count; i++) {
    if (x->soft_rows.items[i] != UINT32_MAX) p->soft.rows[x->soft_rows.items[i]] = true;
  }
}

static bool add_all(Opening *x) {
  PlacesKind kind = x->p->kind;
  if (!add_places(x)) return false;
  if (kind == places_static && !add_balances(x)) return false;
  if (kind == places_deformed && !add_empty_balances(x)) return false;
  return x->why || add_constraints(x);
}

PlacesStatus places_open(Places *p, const System *s, const SystemDrive *drives, uint32_t count, PlacesKind kind,
                         const char **why, Span *place) {
  bool statics = kind == places_static || kind == places_deformed;
  *p = (Places){.arena = s->arena, .k = count, .kind = kind, .statics = statics};
  *why = obstacle(s);
  if (!*why && statics) *why = static_obstacle(s, kind);
  *place = (Span){0};
  if (*why) return places_refused;
  Opening x = {.p = p, .drives = drives};
  if (!system_clone(&p->s, s, &p->pool, s->arena) || !name_drives(p) || !put_given(&x) || !put_followers(&x) ||
      !add_all(&x))
    return places_no_memory;
  *why = x.why;
  *place = x.place;
  if (x.why) return places_refused;
  if (!add_drives(&x) || (statics && !add_forces(&x)) || !add_shown(&x)) return places_no_memory;
  keep_lists(p, &x);
  if (!find_numbers(p, &x)) return places_no_memory;
  if (!check_numbers(p, &x, why, place)) return places_refused;
  p->s.steps = (SystemStepList){0}; // nothing moves
  if (!make_first(p) || (p->k && !make_higher(p))) return places_no_memory;
  return arena_failed(p->arena) ? places_no_memory : places_done;
}

// ---- evaluation

static double *set(Places *p, const PlacesTape *t, const double *u, const double *P) {
  double *var = tape_vars(t->tape, t->w);
  *var++ = p->t;
  memcpy(var, u, p->n * sizeof *u);
  if (p->k) memcpy(var + p->n, P, p->k * sizeof *P);
  return var + p->n + p->k;
}

static double *set_rates(Places *p, double *var, const double *u1, const double *P1) {
  memcpy(var, u1, p->n * sizeof *u1);
  if (p->k) memcpy(var + p->n, P1, p->k * sizeof *P1);
  return var + p->n + p->k;
}

void places_eval(Places *p, const double *u, const double *P) {
  set(p, &p->f, u, P);
  tape_eval(p->f.tape, p->f.w);
}

void places_second(Places *p, const double *u, const double *P, const double *u1, const double *P1, double *out) {
  set_rates(p, set(p, &p->second, u, P), u1, P1);
  tape_eval(p->second.tape, p->second.w);
  for (uint32_t i = 0; i < p->m; i++) out[i] = tape_result(p->second.tape, p->second.w, i);
}

void places_third(Places *p, const double *u, const double *P, const double *u1, const double *P1, const double *u2,
                  double *out) {
  double *var = set_rates(p, set(p, &p->third, u, P), u1, P1);
  memcpy(var, u2, p->n * sizeof *u2);
  tape_eval(p->third.tape, p->third.w);
  for (uint32_t i = 0; i < p->m; i++) out[i] = tape_result(p->third.tape, p->third.w, i);
}

void places_show(Places *p, const double *u, const double *P, const double *P1, const double *const rates[3],
                 double *out) {
  double *var = set_rates(p, set(p, &p->table, u, P), rates[0], P1);
  memcpy(var, rates[1], p->n * sizeof *var);
  memcpy(var + p->n, rates[2], p->n * sizeof *var);
  tape_eval(p->table.tape, p->table.w);
  for (uint32_t i = 0; i < places_columns(p); i++) out[i] = tape_result(p->table.tape, p->table.w, i);
}

bool places_numbers(Places *p, const ExprId *list, uint32_t count, const double *P, double *out) {
  PlacesTape tape;
  ExprId *own = arena_array(p->arena, (size_t)count + 1, sizeof *own);
  if (!own) return false;
  memcpy(own, list, count * sizeof *own);
  if (!put_in(p, own, count) || !make_tape(p, own, count, 1, &tape)) return false;
  set(p, &tape, p->start, P);
  tape_eval(tape.tape, tape.w);
  for (uint32_t i = 0; i < count; i++) out[i] = tape_result(tape.tape, tape.w, i);
  return true;
}

// ---- angles of bars

uint32_t places_angle_row(const Places *p, uint32_t u) {
  for (uint32_t i = 0; i < p->m; i++) {
    if (strcmp(p->labels[i], p->names[u]) == 0) return i;
  }
  return UINT32_MAX;
}

double places_angle_slope(const Places *p, uint32_t row, uint32_t u) {
  for (uint32_t e = 0; e < p->entries; e++) {
    if (p->entry_row[e] == row && p->entry_column[e] == u) return places_entry(p, e);
  }
  return 0;
}

bool places_angles_right(const Places *p) {
  for (uint32_t i = 0; i < p->angle_count; i++) {
    if (!(places_angle_slope(p, places_angle_row(p, p->angles[i]), p->angles[i]) > 0)) return false;
  }
  return true;
}
