// Coordinates of nodes, lengths, stretches and forces of a linkage.
//
// Notation: d = to - from, l = |d|, e = l - l0 the stretch. A cable has e = 0 where it is slack, and with damping it
// pulls with what is above zero. A spring of length 0 has l^2 in its energy, not l: it has no corner at l = 0.
#include "system/bars.h"

#include "system/approximate.h"
#include "system/system.h"

#include "expr/calculus.h"

#include <math.h>

static uint32_t dimensions(const Bars *b) { return b->d->linkage.dimensions; }

// ---- coordinates

static Unit named_unit(Arena *arena, const char *name) {
  Unit u = unit_none();
  unit_find(arena, name, &u);
  return u;
}

// A coordinate of this name; its number, plus one. 0: out of memory.
static uint32_t add_coord(Bars *b, const char *name, ExprId start, Unit unit, Span span) {
  uint32_t i = b->d->coords.count;
  const char *v = name ? arena_printf(b->arena, "%s'", name) : NULL,
             *a = v ? arena_printf(b->arena, "%s''", name) : NULL;
  if (!a) return 0;
  SystemCoord c = {.name = name, .q0 = start, .v0 = b->pool->zero, .unit = unit, .span = span};
  c.dim = dimension_of_unit(&unit);
  c.q = pool_symbol(b->pool, name, sym_coord, i, 0);
  c.v = pool_symbol(b->pool, v, sym_velocity, i, 1);
  c.a = pool_symbol(b->pool, a, sym_acceleration, i, 2);
  return c.a && vec_push(b->arena, &b->d->coords, c) ? i + 1 : 0;
}

uint32_t bars_add_coord(Bars *b, const char *name, ExprId start, Span span) {
  return add_coord(b, name, start, unit_none(), span);
}

static bool node_coords(Bars *b, LinkageNode *n) {
  Unit metre = named_unit(b->arena, "m");
  for (uint32_t axis = 0; axis < dimensions(b); axis++) {
    if (n->fixed >> axis & 1u) continue;
    const char *name = arena_printf(b->arena, "%s.%c", n->name, "xyz"[axis]);
    uint32_t c = add_coord(b, name, n->place[axis], metre, n->span);
    if (!c) return false;
    if (!n->coord) n->coord = c;
  }
  return true;
}

// Are two arms drawn on one line, away from each other?
static bool is_straight(const Bars *b, ExprId cross, ExprId dot) {
  double sine, cosine;
  return approximate(b->d, b->pool, cross, &sine) && approximate(b->d, b->pool, dot, &cosine) &&
         fabs(sine) <= -1e-9 * cosine;
}

// The angle at b as it is drawn, within pi of `angle`. Straight arms lie on the cut of atan2, where rounding
// decides between pi and -pi: their angle is counted from pi.
static ExprId drawn_turn(Bars *b, const LinkageTorsion *t) {
  BarsVector u = bars_drawn(b, t->b, t->a), v = bars_drawn(b, t->b, t->c);
  ExprPool *p = b->pool;
  ExprId cross = bars_cross(b, &u, &v), dot = bars_dot(b, &u, &v);
  if (!t->angle && is_straight(b, cross, dot)) {
    ExprId back[] = {expr_neg(p, cross), expr_neg(p, dot)};
    return expr_add(p, p->pi, expr_fn(p, op_atan2, back, 2));
  }
  if (!t->angle) return expr_fn(p, op_atan2, (ExprId[]){cross, dot}, 2);
  ExprId c = expr_fn(p, op_cos, &t->angle, 1), s = expr_fn(p, op_sin, &t->angle, 1);
  ExprId y = expr_sub(p, expr_mul(p, c, cross), expr_mul(p, s, dot));
  ExprId x = expr_add(p, expr_mul(p, c, dot), expr_mul(p, s, cross));
  return expr_add(p, t->angle, expr_fn(p, op_atan2, (ExprId[]){y, x}, 2));
}

bool bars_coords(Bars *b) {
  Linkage *l = &b->d->linkage;
  uint8_t all = (uint8_t)(dimensions(b) == 2 ? 3 : 7);
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    LinkageNode *n = &l->nodes.items[i];
    if (!n->coord && n->fixed != all && !node_coords(b, n)) return false;
  }
  Unit angle = named_unit(b->arena, "rad");
  for (uint32_t i = 0; dimensions(b) == 2 && i < l->torsions.count; i++) {
    LinkageTorsion *t = &l->torsions.items[i];
    if (t->coord) continue;
    ExprId start = drawn_turn(b, t);
    if (!t->angle) t->angle = start;
    t->coord = add_coord(b, arena_printf(b->arena, "turn[%u]", i + 1), start, angle, t->span);
    if (!t->coord) return false;
  }
  return true;
}

bool bars_is_given(const Bars *b, uint32_t node) {
  return b->d->linkage.nodes.items[node].fixed == (dimensions(b) == 2 ? 3 : 7);
}

uint32_t bars_coord(const Bars *b, uint32_t node, uint32_t axis) {
  const LinkageNode *n = &b->d->linkage.nodes.items[node];
  if (n->fixed >> axis & 1u || !n->coord) return linkage_none;
  uint32_t before = 0;
  for (uint32_t i = 0; i < axis; i++) before += !(n->fixed >> i & 1u);
  return n->coord - 1 + before;
}

BarsVector bars_place(const Bars *b, uint32_t node) {
  BarsVector v = {{0}};
  for (uint32_t i = 0; i < dimensions(b); i++) {
    uint32_t c = bars_coord(b, node, i);
    v.at[i] = c == linkage_none ? b->d->linkage.nodes.items[node].place[i] : expr_sym(b->pool, b->d->coords.items[c].q);
  }
  return v;
}

// ---- vectors

static BarsVector difference(Bars *b, const BarsVector *from, const BarsVector *to) {
  BarsVector v = {{0}};
  for (uint32_t i = 0; i < dimensions(b); i++) v.at[i] = expr_sub(b->pool, to->at[i], from->at[i]);
  return v;
}

BarsVector bars_between(Bars *b, uint32_t from, uint32_t to) {
  BarsVector p = bars_place(b, from), q = bars_place(b, to);
  return difference(b, &p, &q);
}

// An expression of time and inputs at the start.
static ExprId at_start(Bars *b, ExprId e) {
  enum { rounds = 8 }; // of inputs in inputs
  KindSet moving = kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_coord) | kind_set(sym_state);
  for (int k = 0; k < rounds && e && expr_has_kinds(b->pool, e, moving); k++) {
    SymbolMap map = symbol_map_new(b->pool);
    symbol_map_set(&map, b->d->time, b->pool->zero);
    for (uint32_t i = 0; i < b->d->inputs.count; i++)
      symbol_map_set(&map, b->d->inputs.items[i].symbol, b->d->inputs.items[i].value);
    for (uint32_t i = 0; i < b->d->coords.count; i++)
      symbol_map_set(&map, b->d->coords.items[i].q, b->d->coords.items[i].q0);
    for (uint32_t i = 0; i < b->d->states.count; i++)
      symbol_map_set(&map, b->d->states.items[i].x, b->d->states.items[i].x0);
    if (!expr_replace(b->pool, &map, &e, 1, &e)) return 0;
  }
  return e;
}

BarsVector bars_drawn(Bars *b, uint32_t from, uint32_t to) {
  BarsVector v = {{0}};
  const LinkageNode *n = b->d->linkage.nodes.items;
  for (uint32_t i = 0; i < dimensions(b); i++)
    v.at[i] = expr_sub(b->pool, at_start(b, n[to].place[i]), at_start(b, n[from].place[i]));
  return v;
}

static SymbolId rate_of(Bars *b, SymbolId symbol) {
  const Symbol *s = pool_symbol_get(b->pool, symbol);
  if (s->kind == sym_coord) return b->d->coords.items[s->index].v;
  if (s->kind != sym_input && s->kind != sym_input_rate) return 0;
  return input_rate(b->arena, b->pool, &b->d->input_rates, symbol, (Span){0});
}

BarsVector bars_rate(Bars *b, const BarsVector *v) {
  BarsVector out = {{0}};
  uint32_t length;
  const ExprId *list = pool_reach(b->pool, v->at, dimensions(b), NULL, NULL, &length);
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(b->pool, list[i]);
    if (id) vec_push(b->arena, &found, id);
  }
  SymbolMap map = symbol_map_new(b->pool);
  for (uint32_t i = 0; i < found.count; i++) {
    SymbolId rate = rate_of(b, found.items[i]);
    const Symbol *x = pool_symbol_get(b->pool, found.items[i]);
    ExprId turning = x->kind == sym_state ? b->d->states.items[x->index].kinematic : 0; // of a ball
    if (turning) symbol_map_set(&map, found.items[i], turning);
    else if (found.items[i] == b->d->time) symbol_map_set(&map, found.items[i], b->pool->one);
    else if (rate) symbol_map_set(&map, found.items[i], expr_sym(b->pool, rate));
  }
  if (!list || !expr_derive(b->pool, &map, v->at, dimensions(b), out.at, NULL)) return (BarsVector){{0}};
  return out;
}

ExprId bars_dot(Bars *b, const BarsVector *u, const BarsVector *v) {
  Term terms[3];
  for (uint32_t i = 0; i < dimensions(b); i++) terms[i] = (Term){RAT_ONE, expr_mul(b->pool, u->at[i], v->at[i])};
  for (uint32_t i = 0; i < dimensions(b); i++) {
    if (!terms[i].term) return 0;
  }
  return expr_sum(b->pool, terms, dimensions(b));
}

static ExprId minor(Bars *b, const BarsVector *u, const BarsVector *v, int i, int k) {
  return expr_sub(b->pool, expr_mul(b->pool, u->at[i], v->at[k]), expr_mul(b->pool, u->at[k], v->at[i]));
}

ExprId bars_cross(Bars *b, const BarsVector *u, const BarsVector *v) { return minor(b, u, v, 0, 1); }

BarsVector bars_normal(Bars *b, const BarsVector *u, const BarsVector *v) {
  return (BarsVector){{minor(b, u, v, 1, 2), minor(b, u, v, 2, 0), minor(b, u, v, 0, 1)}};
}

ExprId bars_length(Bars *b, const BarsVector *v) { return expr_sqrt(b->pool, bars_dot(b, v, v)); }

// ---- bars and springs

ExprId bars_bar_length(Bars *b, const LinkageBar *bar) {
  if (bar->length) return bar->length;
  BarsVector d = bars_drawn(b, bar->a, bar->b);
  return bars_length(b, &d);
}

ExprId bars_bar_force(Bars *b, uint32_t bar) {
  LinkageBar *own = &b->d->linkage.bars.items[bar];
  if (b->d->linkage.stiffness) {
    BarsVector d = bars_between(b, own->a, own->b);
    return expr_mul(b->pool, b->d->linkage.stiffness, expr_sub(b->pool, bars_length(b, &d), bars_bar_length(b, own)));
  }
  const char *name = own->force ? NULL : arena_printf(b->arena, "%s.force", own->name);
  if (name) own->force = pool_symbol(b->pool, name, sym_multiplier, 0, 0); // its number comes with its constraint
  return expr_sym(b->pool, own->force);
}

ExprId bars_stretch(Bars *b, const LinkageSpring *s) {
  BarsVector d = bars_between(b, s->a, s->b), drawn = bars_drawn(b, s->a, s->b);
  ExprId natural = s->length ? s->length : bars_length(b, &drawn);
  ExprId e = expr_sub(b->pool, bars_length(b, &d), natural);
  return s->cable ? expr_fn(b->pool, op_ramp, &e, 1) : e;
}

// What a cable with a law pulls with: nothing while it is slack, also where its law says otherwise of stretch 0.
static ExprId taut_force(Bars *b, const LinkageSpring *s, ExprId e, ExprId f) {
  ExprPool *p = b->pool;
  ExprId pull = expr_fn(p, op_ramp, &f, 1), slack = 0;
  SymbolMap map = symbol_map_new(p);
  symbol_map_set(&map, s->stretch, p->zero);
  if (!expr_replace(p, &map, &s->force, 1, &slack)) return 0;
  if (expr_is_zero(p, slack)) return pull;
  ExprId taut = expr_fn(p, op_lt, (ExprId[]){p->zero, e}, 2);
  return expr_fn(p, op_if, (ExprId[]){taut, pull, p->zero}, 3);
}

ExprId bars_spring_force(Bars *b, const LinkageSpring *s, bool damped) {
  ExprPool *p = b->pool;
  ExprId e = bars_stretch(b, s), f;
  if (s->force) {
    SymbolMap map = symbol_map_new(p);
    symbol_map_set(&map, s->stretch, e);
    if (!expr_replace(p, &map, &s->force, 1, &f)) return 0;
  } else {
    f = expr_mul(p, s->stiffness, e);
  }
  if (!s->damping || !damped) return s->cable && s->force ? taut_force(b, s, e, f) : f;
  BarsVector d = bars_between(b, s->a, s->b), v = bars_rate(b, &d);
  ExprId rate = expr_div(p, bars_dot(b, &d, &v), bars_length(b, &d));
  ExprId all = expr_add(p, f, expr_mul(p, s->damping, rate));
  if (!s->cable) return all;
  ExprId taut = expr_fn(p, op_lt, (ExprId[]){p->zero, e}, 2);
  return expr_fn(p, op_if, (ExprId[]){taut, expr_fn(p, op_ramp, &all, 1), p->zero}, 3);
}

// ---- nodes without equations of motion

bool system_is_static(const System *s, Diags *diags) {
  const Linkage *l = &s->linkage;
  if (!l->nodes.count || s->state_count || s->tree.links.count || !s->lagrange.used) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->M[i].count || s->source[i] != source_energies || s->lagrange.dDdv[i] != s->pool->zero) return false;
  }
  if (!diags) return true;
  diag_error(diags, diag_statics, l->nodes.items[0].span, "no node or bar has a mass: this is statics");
  diag_hint(diags, "`viva equilibrium` finds where it rests; `node B = [...] mass 2` moves");
  return true;
}
