// Massless coordinates: positions or velocities without inertia, solved for by Cramer's rule.
//
// in    equations h_i = 0 of the coordinates that have no row in M
// out   neither inertia nor damping: h_Z = A q_Z + b gives the positions q_Z, and their time derivatives the velocities
//       damping alone: h_F = A v_F + b gives the velocities v_F
//
// Only linear equations of few unknowns are solved, by cofactors: h is linear in the unknowns if dh/dx holds none of
// them and h does not jump with them. The first step puts q_Z and v_Z into the second.
#include "algebra/inertialess.h"

#include "algebra/constrained.h"
#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/value.h"

enum { most_unknowns = 4 }; // cofactors of more are sums of hundreds of products

typedef struct LinearGroup {
  uint32_t count, coords[most_unknowns];
  SymbolId unknowns[most_unknowns];
  ExprId values[most_unknowns];
} LinearGroup;

// Collects the coordinates of the group: false when there are too many.
static bool gather(const System *s, bool places, LinearGroup *g) {
  *g = (LinearGroup){0};
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->role[i] < coord_first_order || (s->role[i] == coord_algebraic) != places) continue;
    if (g->count == most_unknowns) return false;
    g->unknowns[g->count] = places ? s->coords.items[i].q : s->coords.items[i].v;
    g->coords[g->count++] = i;
  }
  return true;
}

// h = A x + b. False: out of memory; *linear tells whether it is so.
static bool solve(System *s, LinearGroup *g, bool *linear) {
  ExprPool *pool = s->pool;
  uint32_t k = g->count;
  Value A = value_new(pool, value_matrix, k, k);
  SymbolMap still = symbol_map_new(pool);
  ExprId rest[most_unknowns];
  if (!A.shape) return false;
  *linear = true;
  for (uint32_t i = 0; i < k; i++) {
    symbol_map_set(&still, g->unknowns[i], pool->zero);
    rest[i] = s->h[g->coords[i]];
    for (uint32_t j = 0; j < k; j++) {
      ExprId d = A.items[i * k + j] = expr_diff(pool, rest[i], g->unknowns[j]);
      if (!d) return false;
      for (uint32_t l = 0; l < k; l++) *linear = *linear && !expr_depends(pool, d, g->unknowns[l]);
      // a derivative sees no jump
      *linear = *linear && !(expr_depends(pool, rest[i], g->unknowns[j]) &&
                             expr_has_jump(pool, rest[i], 1u << pool_symbol_get(pool, g->unknowns[j])->kind));
    }
  }
  if (!*linear) return true;
  if (!expr_replace(pool, &still, rest, k, rest)) return false;
  Value inverse = value_inverse(pool, &A);
  if (!inverse.shape) return false;
  for (uint32_t i = 0; i < k; i++) {
    g->values[i] = pool->zero;
    for (uint32_t j = 0; j < k; j++)
      g->values[i] = expr_sub(pool, g->values[i], expr_mul(pool, inverse.items[i * k + j], rest[j]));
    if (!g->values[i]) return false;
    *linear = *linear && expr_op(pool, g->values[i]) != op_undefined;
  }
  return true;
}

static bool replace_all(System *s, const SymbolMap *map, ExprId sides[2], Inertialess *out) {
  bool ok = constrained_substitute(&out->reduced, &out->reduced, map) && expr_replace(s->pool, map, sides, 2, sides);
  for (uint32_t i = 0; ok && i < out->values.count; i++)
    ok = expr_replace(s->pool, map, &out->values.items[i], 1, &out->values.items[i]);
  return ok;
}

static bool note(System *s, Inertialess *out, const ExprId sides[2], SymbolId symbol, ExprId value) {
  if (!expr_depends(s->pool, sides[0], symbol) && !expr_depends(s->pool, sides[1], symbol)) return true;
  return vec_push(s->arena, &out->symbols, symbol) && vec_push(s->arena, &out->values, value);
}

// The positions of coordinates with neither inertia nor damping.
static bool replace_places(System *s, ExprId sides[2], Inertialess *out) {
  LinearGroup g;
  bool linear = true;
  if (!gather(s, true, &g)) {
    out->why = "the model has more than 4 coordinates without inertia and damping; that is not decided yet";
    return true;
  }
  if (g.count == 0) return true;
  if (!solve(&out->reduced, &g, &linear)) return false;
  ExprId rates[most_unknowns];
  KindSet moving = kind_set(sym_velocity) | kind_set(sym_acceleration);
  for (uint32_t i = 0; i < g.count && linear; i++) linear = !expr_has_kinds(s->pool, g.values[i], moving);
  if (!linear) {
    out->why = "the model has a coordinate without inertia and damping whose place is no plain solution of its "
               "equation; that is not decided yet";
    return true;
  }
  if (!system_time_derivative(s, g.values, g.count, false, rates)) return false;
  SymbolMap map = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < g.count; i++) {
    SymbolId v = s->coords.items[g.coords[i]].v;
    symbol_map_set(&map, g.unknowns[i], g.values[i]);
    symbol_map_set(&map, v, rates[i]);
    if (!note(s, out, sides, g.unknowns[i], g.values[i]) || !note(s, out, sides, v, rates[i])) return false;
  }
  return replace_all(s, &map, sides, out);
}

static bool replace_velocities(System *s, ExprId sides[2], Inertialess *out) {
  LinearGroup g;
  bool linear = true;
  if (!gather(s, false, &g)) {
    out->why = "the model has more than 4 coordinates without inertia; that is not decided yet";
    return true;
  }
  if (g.count == 0) return true;
  if (!solve(&out->reduced, &g, &linear)) return false;
  if (!linear) {
    out->why = "the model has a coordinate without inertia whose velocity is no plain solution of its equation; that "
               "is not decided yet";
    return true;
  }
  SymbolMap map = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < g.count; i++) {
    symbol_map_set(&map, g.unknowns[i], g.values[i]);
    if (!note(s, out, sides, g.unknowns[i], g.values[i])) return false;
  }
  return replace_all(s, &map, sides, out);
}

bool inertialess_replace(System *s, ExprId sides[2], Inertialess *out) {
  *out = (Inertialess){.reduced = *s};
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->null_row[i]) out->why = "the mass matrix of the model is singular; that is not decided yet";
  }
  if (out->why || !replace_places(s, sides, out)) return out->why != NULL;
  return out->why || replace_velocities(s, sides, out);
}
