// What a reader of the power balance should know of its dampers. A part of facts.h.
//
// in    a System with energies: D, forces
// out   notes: the dissipated power v.dD/dv is negative at the start for a velocity of 1; a force against a velocity
//       stands in `force`, where its power counts as supplied
// how   directions e_i and e_i +- e_j of velocities one after the other, positions and states at their start; a force
//       is one against a velocity if -dQ_i/dv_i is a positive number at the start and depends on no velocity
#include "algebra/facts.h"

#include "algebra/at_start.h"
#include "expr/calculus.h"
#include "expr/print.h"

#include <math.h>

enum { most_coords = 24 }; // of a model that is looked at

static void put_note(System *s, Facts *facts, const char *about, const char *says, Span span) {
  if (about && says) vec_push(s->arena, &facts->balance.notes, (FactRemark){about, says, span});
}

// The dissipated power where coordinates i and j have the velocities 1 and `other`, all else none.
static double power_along(System *s, uint32_t i, uint32_t j, int other) {
  ExprPool *pool = s->pool;
  SymbolMap map = symbol_map_new(pool);
  for (uint32_t k = 0; k < s->coord_count; k++)
    symbol_map_set(&map, s->coords.items[k].v, k == i ? pool->one : k == j ? expr_int(pool, other) : pool->zero);
  ExprId power = s->energy.flows.items[flow_dissipated].power;
  return expr_replace(pool, &map, &power, 1, &power) ? at_start(s->arena, s, power) : NAN;
}

static Span first_dissipation(const System *s) {
  for (uint32_t i = 0; i < s->energies.count; i++) {
    if (s->energies.items[i].kind == energy_dissipation) return s->energies.items[i].span;
  }
  return (Span){0};
}

// True: there is a direction in which the dampers give energy, and it was noted.
static bool is_negative(System *s, Facts *facts, uint32_t i, uint32_t j, int other) {
  double power = power_along(s, i, j, other);
  if (!(power < 0)) return false;
  const SystemCoord *a = &s->coords.items[i], *b = &s->coords.items[j];
  const char *where = i == j ? arena_printf(s->arena, "%s' = 1", a->name)
                             : arena_printf(s->arena, "%s' = 1 and %s' = %d", a->name, b->name, other);
  put_note(s, facts, "dissipated",
           arena_printf(s->arena, "%.6g at the start with %s: less than zero, so the dampers drive", power, where),
           first_dissipation(s));
  return true;
}

static void note_negative(System *s, Facts *facts) {
  uint32_t n = s->coord_count;
  for (uint32_t i = 0; i < n; i++) {
    if (is_negative(s, facts, i, i, 1)) return;
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (is_negative(s, facts, i, j, 1) || is_negative(s, facts, i, j, -1)) return;
    }
  }
}

static void note_force(System *s, Facts *facts, const SystemForce *f) {
  const SystemCoord *c = &s->coords.items[f->coord];
  KindSet moves = kind_set(sym_velocity) | kind_set(sym_acceleration);
  ExprId d = expr_has_kind(s->pool, f->value, sym_velocity) ? expr_diff(s->pool, f->value, c->v) : 0;
  if (!d || d == s->pool->zero || expr_has_kinds(s->pool, d, moves)) return;
  d = expr_neg(s->pool, d);
  if (!(at_start(s->arena, s, d) > 0)) return;
  const char *factor = expr_text(s->pool, s->arena, d);
  if (expr_op(s->pool, d) == op_add) factor = arena_printf(s->arena, "(%s)", factor);
  put_note(s, facts, arena_printf(s->arena, "force %s", c->name),
           arena_printf(s->arena, "-%s*%s' counts as supplied: `dissipation 1/2*%s*%s'^2` books it as dissipated",
                        factor, c->name, factor, c->name),
           f->span);
}

void facts_damping(System *s, Facts *facts) {
  if (!s->energy.kept || s->coord_count > most_coords || s->tree.balls.count) return;
  if (first_dissipation(s).source) note_negative(s, facts);
  for (uint32_t i = 0; i < s->forces.count; i++) note_force(s, facts, &s->forces.items[i]);
}
