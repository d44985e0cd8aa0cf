// Constraints in derivations: constraint forces with multipliers, or dependent velocities eliminated.
//
// in    M a + h = G' lambda, rate = G v + r = 0, its time derivative G a + curvature = 0
// out   lagrange, matrices   forces G' lambda on the right, the constraints, G
//       state                v_d = dependent velocities by one constraint after the other; with v = N v_f + b and
//                            a = N a_f + c the forces drop out: N' M N a_f + N'(h + M c) = 0
// how   The dependent velocity of a constraint is the one with the largest factor at the start, as far as numbers are
//       known, so that what is divided by is not zero there; a constraint that follows from others is left out.
#include "algebra/bound.h"

#include "algebra/constrained.h"
#include "algebra/set_points.h"
#include "algebra/unit_quaternions.h"
#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/occurs.h"
#include "tape/numbers.h"

#include <math.h>

// Of G where it is written out; of velocities that are put into each other, as expr_written_size counts: some
// pages; and the part of the budget of algebra that this may take.
enum { most_cells = 20000, most_written = 8000, most_work = algebra_most_work / 10 };

static ExprId tidy(System *s, ExprId id) { return expr_group(s->pool, unit_quaternions(s, id, derive_most_terms)); }
static ExprId velocity(const System *s, uint32_t i) { return expr_sym(s->pool, s->coords.items[i].v); }

ExprId bound_force(System *s, uint32_t i) {
  ExprId sum = s->pool->zero;
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    ExprId slope = constrained_slope(s, k, i);
    if (slope == s->pool->zero) continue;
    slope = tidy(s, slope);
    sum = expr_add(s->pool, sum, expr_mul(s->pool, slope, expr_sym(s->pool, s->constraints.items[k].symbol)));
  }
  return sum;
}

ShownMatrix bound_curvature(System *s, const char *name) {
  uint32_t m = s->constraints.count;
  ShownMatrix c = {.name = name,
                   .meaning = "the constraints differentiated, without accelerations",
                   .rows = m,
                   .cols = 1,
                   .items = arena_array(s->arena, m, sizeof(ExprId))};
  for (uint32_t k = 0; c.items && k < m; k++) c.items[k] = tidy(s, s->constraints.items[k].curvature);
  return c;
}

static bool list_constraints(System *s, Derivation *out) {
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    const SystemConstraint *c = &s->constraints.items[k];
    ShownEquation e = {
        .of = c->label, .lhs = tidy(s, c->value), .rhs = s->pool->zero, .span = c->span, .symbol = c->symbol};
    if (!vec_push(s->arena, &out->constraints, e)) return false;
  }
  return true;
}

bool bound_shown(System *s, Derivation *out) {
  uint32_t m = s->constraints.count, n = system_freedoms(s);
  ShownMatrix *G = &out->jacobian;
  if (!m) return true;
  if (!list_constraints(s, out)) return false;
  if ((uint64_t)m * n > most_cells)
    return vec_push(
        s->arena, &out->notes,
        arena_printf(s->arena, "the constraint Jacobian has %u rows and %u columns: it is not written out", m, n));
  *G = (ShownMatrix){.name = "G",
                     .meaning = "constraint Jacobian",
                     .rows = m,
                     .cols = n,
                     .items = arena_array(s->arena, (size_t)m * n, sizeof(ExprId))};
  if (!G->items) return false;
  for (uint32_t k = 0; k < m; k++) {
    for (uint32_t i = 0; i < n; i++) G->items[(size_t)k * n + i] = tidy(s, constrained_slope(s, k, i));
  }
  return !arena_failed(s->arena);
}

// ---- independent velocities

// Factors of the velocities in a rate, and their sizes at the start (NAN: not known).
typedef struct RateFactors {
  ExprId *factor;
  double *size;
} RateFactors;

static bool find_factors(System *s, ExprId rate, RateFactors *x) {
  uint32_t n = s->coord_count;
  ExprId *start = arena_array(s->arena, n, sizeof *start);
  x->factor = arena_array(s->arena, n, sizeof *x->factor);
  x->size = arena_array(s->arena, n, sizeof *x->size);
  if (!start || !x->factor || !x->size) return false;
  SymbolMap at = symbol_map_new(s->pool);
  symbol_map_set(&at, s->time, s->pool->zero);
  for (uint32_t i = 0; i < n; i++) {
    const SystemCoord *c = &s->coords.items[i];
    symbol_map_set(&at, c->q, c->q0);
    x->factor[i] = expr_diff(s->pool, rate, c->v);
  }
  for (uint32_t i = 0; i < s->inputs.count; i++)
    symbol_map_set(&at, s->inputs.items[i].symbol, s->inputs.items[i].value);
  // values of inputs hold the time and each other
  if (!expr_replace(s->pool, &at, x->factor, n, start)) return false;
  for (uint32_t round = 0; round <= s->inputs.count; round++) {
    if (!expr_replace(s->pool, &at, start, n, start)) return false;
  }
  // only a run knows the rest: states, rates
  for (uint32_t i = 0; i < n; i++) {
    if (!expr_only_kinds(s->pool, start[i], kind_set(sym_param)))
      start[i] = expr_div(s->pool, s->pool->one, s->pool->zero);
  }
  return tape_numbers(s->arena, s, start, n, x->size);
}

// The coordinate whose velocity the constraint gives; coord_count: none.
static uint32_t choose(System *s, const RateFactors *x) {
  uint32_t n = s->coord_count, best = n;
  for (uint32_t i = 0; i < n; i++) {
    double size = fabs(x->size[i]);
    if (isfinite(size) && size > 1e-9 && (best == n || size >= fabs(x->size[best]))) best = i;
  }
  for (uint32_t i = n; i-- > 0 && best == n;) {
    if (!expr_vanishes(s->pool, s->arena, x->factor[i])) best = i;
  }
  return best;
}

// The symbol x of an equation that is linear in it, in the others. 0: out of memory.
static ExprId solve_for(System *s, ExprId equation, SymbolId x) {
  ExprPool *pool = s->pool;
  ExprId factor = expr_diff(pool, equation, x), rest = 0;
  SymbolMap none = symbol_map_new(pool);
  symbol_map_set(&none, x, pool->zero);
  if (!factor || !expr_replace(pool, &none, &equation, 1, &rest)) return 0;
  return expr_short(pool, s->arena, expr_neg(pool, expr_div(pool, tidy(s, rest), tidy(s, factor))));
}

// Puts the value of a symbol into those that were solved for before it, and all into the map. False: out of memory.
static bool put_in(System *s, SymbolMap *map, const SymbolId *symbols, ExprId *values, uint32_t count) {
  ExprPool *pool = s->pool;
  SymbolMap one = symbol_map_new(pool);
  symbol_map_set(&one, symbols[count - 1], values[count - 1]);
  symbol_map_set(map, symbols[count - 1], values[count - 1]);
  for (uint32_t j = 0; j + 1 < count; j++) {
    ExprId older = 0;
    if (!expr_replace(pool, &one, &values[j], 1, &older)) return false;
    if (older != values[j]) values[j] = expr_short(pool, s->arena, older);
    symbol_map_set(map, symbols[j], values[j]);
  }
  return values[count - 1] != 0;
}

// v of one more coordinate. False: out of memory.
static bool bind_velocity(System *s, BoundVelocities *b, uint32_t k) {
  ExprPool *pool = s->pool;
  ExprId rate = 0;
  RateFactors x;
  if (!expr_replace(pool, &b->map, &s->constraints.items[k].rate, 1, &rate)) return false;
  rate = expr_expand(pool, rate, derive_most_terms);
  if (!rate || !find_factors(s, rate, &x)) return false;
  uint32_t i = choose(s, &x), j = b->dependent_count;
  if (i == s->coord_count) {
    b->why = arena_printf(s->arena, "the constraint %s gives no velocity", s->constraints.items[k].label);
    return true;
  }
  b->by[j] = k;
  b->dependent[j] = i;
  b->symbols[j] = s->coords.items[i].v;
  b->values[j] = solve_for(s, rate, b->symbols[j]);
  b->dependent_count++;
  if (!b->values[j] || !put_in(s, &b->map, b->symbols, b->values, b->dependent_count)) return false;
  for (uint32_t l = 0; l <= j; l++) b->v[b->dependent[l]] = b->values[l];
  return true;
}

bool bound_bends(System *s, const BoundVelocities *b, ExprId *c) {
  ExprPool *pool = s->pool;
  SymbolMap map = symbol_map_new(pool);
  SymbolId *symbols = arena_array(s->arena, b->n, sizeof *symbols);
  ExprId *values = arena_array(s->arena, b->n, sizeof *values);
  if (!symbols || !values) return false;
  for (uint32_t j = 0; j < b->free_count; j++) symbol_map_set(&map, s->coords.items[b->free[j]].a, pool->zero);
  for (uint32_t j = 0; j < b->dependent_count; j++) {
    const SystemConstraint *k = &s->constraints.items[b->by[j]];
    ExprId bend = k->curvature;
    for (uint32_t i = 0; i < k->G.count; i++)
      bend = expr_add(pool, bend,
                      expr_mul(pool, k->G.items[i].value, expr_sym(pool, s->coords.items[k->G.items[i].column].a)));
    symbols[j] = s->coords.items[b->dependent[j]].a;
    if (!expr_replace(pool, &map, &bend, 1, &bend)) return false;
    values[j] = solve_for(s, bend, symbols[j]);
    if (!values[j] || !put_in(s, &map, symbols, values, j + 1)) return false;
  }
  for (uint32_t i = 0; i < b->n; i++) c[i] = pool->zero;
  for (uint32_t j = 0; j < b->dependent_count; j++) c[b->dependent[j]] = values[j];
  return !arena_failed(s->arena);
}

// N and c, from v.
static bool find_directions(System *s, BoundVelocities *b) {
  ExprPool *pool = s->pool;
  uint32_t n = b->n, f = b->free_count;
  b->N = arena_array(s->arena, (size_t)n * f, sizeof *b->N);
  b->c = arena_array(s->arena, n, sizeof *b->c);
  if (!b->N || !b->c || !system_time_derivative(s, b->v, n, false, b->c)) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < f; j++) b->N[i * f + j] = expr_diff(pool, b->v[i], s->coords.items[b->free[j]].v);
  }
  return expr_replace(pool, &b->map, b->c, n, b->c);
}

// Constraints that are independent at a general point may depend on each other on the constraint set: then a velocity
// that seems dependent is independent. NULL: it is not so.
static const char *dependent_on_the_set(System *s, const ConstraintSet *set, uint32_t rank) {
  uint32_t apart = 0;
  for (uint32_t k = 0; k < s->constraints.count; k++) apart += !set->redundant[k];
  if (!rank) return "no point of the constraint set was found: independent velocities are not named";
  if (rank == apart) return NULL;
  return arena_printf(
      s->arena,
      "where they hold, the constraints have the rank %u of %u, which algebra does not see, so nothing is "
      "eliminated",
      rank, apart);
}

// Which constraints follow from others, in redundant. Where all count at points of the set, none does, and no algebra
// is asked. False: out of memory.
static bool find_redundant(System *s, BoundVelocities *b, const bool **redundant) {
  uint32_t m = s->constraints.count, rank = 0;
  ConstraintSet set;
  if (!set_points_rank(s, &rank)) rank = 0;
  if (rank == m) {
    *redundant = arena_array(s->arena, m, sizeof **redundant);
    return *redundant != NULL;
  }
  if (!constrained_find(s, 0, &set)) return false;
  b->why = set.why ? set.why : set.unsolved ? dependent_on_the_set(s, &set, rank) : NULL;
  *redundant = set.redundant;
  return true;
}

bool bound_velocities(System *s, BoundVelocities *b) {
  uint32_t n = s->coord_count, m = s->constraints.count;
  *b = (BoundVelocities){.n = n, .map = symbol_map_new(s->pool)};
  b->free = arena_array(s->arena, n, sizeof *b->free);
  b->dependent = arena_array(s->arena, n + m, sizeof *b->dependent);
  b->by = arena_array(s->arena, n + m, sizeof *b->by);
  b->v = arena_array(s->arena, n, sizeof *b->v);
  b->symbols = arena_array(s->arena, n, sizeof *b->symbols);
  b->values = arena_array(s->arena, n, sizeof *b->values);
  const bool *redundant = NULL;
  if (arena_failed(s->arena) || !find_redundant(s, b, &redundant)) return false;
  uint64_t before = s->pool->algebra;
  for (uint32_t i = 0; i < n; i++) b->v[i] = velocity(s, i);
  for (uint32_t k = 0; k < m && !b->why; k++) {
    if (!redundant[k] && !bind_velocity(s, b, k)) return false;
    if (!b->why && (expr_written_size(s->pool, b->v, n) > most_written || s->pool->algebra - before > most_work))
      b->why =
          arena_printf(s->arena, "in independent velocities the equations would fill pages, so nothing is eliminated");
  }
  for (uint32_t i = 0; i < n; i++) {
    bool bound = false;
    for (uint32_t j = 0; j < b->dependent_count; j++) bound = bound || b->dependent[j] == i;
    if (!bound) b->free[b->free_count++] = i;
  }
  return b->why || find_directions(s, b);
}

bool bound_reduced(System *s, const BoundVelocities *b, ExprId *A, ExprId *r) {
  ExprPool *pool = s->pool;
  uint32_t n = b->n, f = b->free_count;
  for (uint32_t j = 0; j < f; j++) {
    ExprId sum = pool->zero;
    for (uint32_t l = 0; l < f; l++) A[j * f + l] = pool->zero;
    for (uint32_t i = 0; i < n; i++) {
      ExprId side = b->N[i * f + j], own = s->h[i];
      if (expr_is_zero(pool, side)) continue;
      for (uint32_t k = 0; k < s->M[i].count; k++) {
        MassEntry e = s->M[i].items[k];
        own = expr_add(pool, own, expr_mul(pool, e.value, b->c[e.column]));
        ExprId part = expr_mul(pool, side, e.value);
        for (uint32_t l = 0; l < f; l++)
          A[j * f + l] = expr_add(pool, A[j * f + l], expr_mul(pool, part, b->N[e.column * f + l]));
      }
      sum = expr_add(pool, sum, expr_mul(pool, side, own));
    }
    r[j] = sum;
  }
  return expr_replace(pool, &b->map, A, f * f, A) && expr_replace(pool, &b->map, r, f, r);
}

const char *bound_said(System *s, const BoundVelocities *b) {
  Text t = text_in(s->arena);
  text_put(&t, b->free_count ? "independent velocities: " : "no velocity is independent");
  for (uint32_t j = 0; j < b->free_count; j++)
    text_printf(&t, "%s%s'", j ? ", " : "", s->coords.items[b->free[j]].name);
  for (uint32_t j = 0; j < b->dependent_count; j++)
    text_printf(&t, "; %s' follows from the constraint %s", s->coords.items[b->dependent[j]].name,
                s->constraints.items[b->by[j]].label);
  return text_str(&t);
}
