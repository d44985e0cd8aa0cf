// Angular velocities of spherical joints (balls) as rows of M a + h = 0.
//
// in    H and h of the bodies by freedoms, forces tau on them, energies that are written beside the bodies
// out   System.turns: M = H + dp/dw, h = h_bodies - tau + dp/dt + w x p, what accelerations in forces add to M;
//       what p stores in the energy balance
//
// The velocities w of a ball are no rates of coordinates. What is written beside the bodies obeys
//   d/dt dL/dw + w x dL/dw - dL/dturn = tau
// where dL/dturn = (dL/dr) S, the derivative along rotations, stands in tau already (tree.c).
//
// Notation: p = dL/dw of what is written, a the accelerations, w' among them.
#include "form/tree_terms.h"

#include "expr/calculus.h"

typedef struct Turns {
  System *s;
  ExprPool *pool;
  const TreeTerms *t;
  uint32_t *column; // by freedom of the tree: its column
  SymbolIndex v;    // velocities by columns
  ExprId *p;        // of the angular velocities
} Turns;

// The list of angular velocities, in the order of the freedoms of the tree, so that columns have numbers.
static bool list_turns(Turns *x) {
  System *s = x->s;
  x->column = arena_array(s->arena, (size_t)x->t->count + 1, sizeof *x->column);
  if (!x->column) return false;
  for (uint32_t k = 0; k < x->t->count; k++) {
    const TreeFreedom *q = &x->t->freedoms[k];
    x->column[k] = q->coord;
    if (q->coord != UINT32_MAX) continue;
    const TreeLink *link = &s->tree.links.items[q->link];
    const TreeBody *b = &s->tree.bodies.items[link->body];
    x->column[k] = system_freedoms(s);
    RotationalDof turn = {.state = q->state, .first = link->coord, .part = q->part, .h = s->pool->zero};
    turn.origin = system_origin(s, b->span, arena_printf(s->arena, "the motion of %s", b->name), 0);
    if (!turn.origin || !vec_push(s->arena, &s->turns, turn)) return false;
  }
  uint32_t n = system_freedoms(s);
  SymbolId *v = arena_array(s->arena, (size_t)n + 1, sizeof *v);
  for (uint32_t i = 0; v && i < n; i++) v[i] = system_freedom_velocity(s, i);
  return v && symbol_index(s->arena, s->pool, v, n, &x->v);
}

static bool add_entry(System *s, MassRow *row, uint32_t column, ExprId value) {
  if (!value || expr_is_zero(s->pool, value)) return value != 0;
  for (uint32_t k = 0; k < row->count; k++) {
    if (row->items[k].column != column) continue;
    row->items[k].value = expr_add(s->pool, row->items[k].value, value);
    return row->items[k].value != 0;
  }
  return vec_push(s->arena, row, (MassEntry){column, value});
}

// H, into the row of an angular velocity and into its column.
static bool add_bodies(Turns *x, uint32_t k, RotationalDof *turn) {
  System *s = x->s;
  for (uint32_t j = 0; j < x->t->count; j++) {
    ExprId entry = s->bodies.H[k * x->t->count + j];
    if (!add_entry(s, &turn->row, x->column[j], entry)) return false;
    if (x->column[j] < s->coord_count && !add_entry(s, &turn->column, x->column[j], entry)) return false;
  }
  turn->h = expr_add(x->pool, turn->h, s->bodies.h[k]);
  return turn->h != 0;
}

// p' without accelerations, and w x p: of the angular velocity i, which is the first, second or third of its ball.
static ExprId written_rates(Turns *x, uint32_t i, const ExprId *dpdt) {
  const RotationalDof *turn = &x->s->turns.items[i];
  uint32_t ball = i - turn->part, u = (turn->part + 1) % 3, v = (turn->part + 2) % 3;
  ExprId wu = expr_sym(x->pool, x->s->states.items[turn->first + 4 + u].x);
  ExprId wv = expr_sym(x->pool, x->s->states.items[turn->first + 4 + v].x);
  return expr_sum(x->pool,
                  (Term[]){{RAT_ONE, dpdt[i]},
                           {RAT_ONE, expr_mul(x->pool, wu, x->p[ball + v])},
                           {rat_int(-1), expr_mul(x->pool, wv, x->p[ball + u])}},
                  3);
}

// What is written beside the bodies with velocities in it.
static bool add_written(Turns *x) {
  System *s = x->s;
  ExprPool *pool = x->pool;
  uint32_t n = s->turns.count;
  bool any = false;
  x->p = arena_array(s->arena, (size_t)n + 1, sizeof *x->p);
  ExprId *dpdt = arena_array(s->arena, (size_t)n + 1, sizeof *dpdt);
  MassRow *rows = arena_array(s->arena, (size_t)n + 1, sizeof *rows);
  if (!x->p || !dpdt || !rows) return false;
  for (uint32_t i = 0; i < n; i++) {
    x->p[i] = expr_diff(pool, s->lagrange.written, s->states.items[s->turns.items[i].state].x);
    any = any || x->p[i] != pool->zero;
  }
  if (!any) return true;
  if (!system_time_derivative(s, x->p, n, false, dpdt) || !sparse_jacobian(s->arena, pool, x->p, n, &x->v, rows))
    return false;
  ExprId stored = pool->zero;
  for (uint32_t i = 0; i < n; i++) {
    RotationalDof *turn = &s->turns.items[i];
    for (uint32_t k = 0; k < rows[i].count; k++) {
      const MassEntry *e = &rows[i].items[k];
      if (!add_entry(s, &turn->row, e->column, e->value)) return false;
      if (e->column < s->coord_count && !add_entry(s, &turn->column, e->column, e->value)) return false;
    }
    turn->h = expr_add(pool, turn->h, written_rates(x, i, dpdt));
    stored = expr_add(pool, stored, expr_mul(pool, expr_sym(pool, s->states.items[turn->state].x), x->p[i]));
    if (!turn->h || !stored) return false;
  }
  s->energy.stored = expr_add(pool, s->energy.stored, stored);
  s->energy.kinetic = expr_add(pool, s->energy.kinetic, stored);
  return s->energy.stored && s->energy.kinetic;
}

// Forces, whose accelerations belong to M: those on spherical joints,
// and angular accelerations in those on coordinates.
static bool add_forces(Turns *x, const ExprId *tau) {
  System *s = x->s;
  ExprPool *pool = x->pool;
  uint32_t all = system_freedoms(s);
  KindSet accelerations = kind_set(sym_acceleration) | kind_set(sym_state_rate);
  SymbolMap rest = symbol_map_new(pool);
  for (uint32_t i = 0; i < all; i++) symbol_map_set(&rest, system_freedom_rate(s, i), pool->zero);
  for (uint32_t k = 0; k < x->t->count; k++) {
    if (x->column[k] < s->coord_count) continue;
    RotationalDof *turn = &s->turns.items[x->column[k] - s->coord_count];
    ExprId force = tau[k];
    for (uint32_t j = 0; j < all && expr_has_kinds(pool, tau[k], accelerations); j++) {
      ExprId slope = expr_diff(pool, tau[k], system_freedom_rate(s, j));
      if (!add_entry(s, &turn->row, j, expr_neg(pool, slope))) return false;
    }
    if (!expr_replace(pool, &rest, &force, 1, &force)) return false;
    turn->h = expr_sub(pool, turn->h, force);
    if (!turn->h) return false;
  }
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (!expr_has_kind(pool, s->h[i], sym_state_rate)) continue;
    for (uint32_t k = 0; k < s->turns.count; k++) {
      ExprId slope = expr_diff(pool, s->h[i], system_freedom_rate(s, s->coord_count + k));
      if (!add_entry(s, &s->turns.items[k].column, i, slope)) return false;
    }
    if (!expr_replace(pool, &rest, &s->h[i], 1, &s->h[i])) return false;
  }
  return true;
}

bool tree_add_rotations(System *s, const TreeTerms *t, const ExprId *tau) {
  Turns turns = {.s = s, .pool = s->pool, .t = t}, *x = &turns;
  if (!list_turns(x)) return false;
  for (uint32_t k = 0; k < t->count; k++) {
    if (x->column[k] < s->coord_count) continue;
    if (!add_bodies(x, k, &s->turns.items[x->column[k] - s->coord_count])) return false;
  }
  return add_written(x) && add_forces(x, tau) && !arena_failed(s->arena);
}
