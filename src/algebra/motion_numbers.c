// Both sides of an equation at points of the constraint set in double precision, where algebra does not solve the
// constraints.
//
// in    the two sides as they were given, the model with the values of its parameters
// out   a counterexample: a point of the constraint set (set_points.c) where they differ by far more than rounding;
//       else the number of points that showed no difference, which is no proof
//
// The sides differ if they do so by `apart` of their size, at two points; between that and rounding nothing is said.
#include "algebra/motion_parts.h"

#include "algebra/set_points.h"

#include <math.h>

enum { enough_numbers = 12, most_tries = 60 };
static const double apart = 1e-6;

static void take_witness(const SetPoints *x, CheckResult *out) {
  Arena *arena = x->s->arena;
  *out = (CheckResult){.verdict = verdict_different, .means = "the model at a point on the constraint set"};
  for (uint32_t i = 0; i < x->dim; i++) {
    const Component *c = &x->s->y.items[i];
    if (!c->symbol) continue;
    WitnessValue value = {pool_symbol_get(x->s->pool, c->symbol)->name, arena_printf(arena, "%.17g", x->y[i])};
    vec_push(arena, &out->witness.point, value);
  }
  out->witness.left = arena_printf(arena, "%.12g", set_points_value(x, 0));
  out->witness.right = arena_printf(arena, "%.12g", set_points_value(x, 1));
}

bool motion_look_at_numbers(MotionCheck *m) {
  System own = *m->unreduced;
  SetPoints points, *x = &points;
  uint32_t agreed = 0, differed = 0, count = 2 + m->part_count;
  KindSet unknown = kind_set(sym_memory) | kind_set(sym_mode) | kind_set(sym_delay) | kind_set(sym_friction) |
                    kind_set(sym_unknown) | kind_set(sym_held);
  ExprId *wanted = arena_array(m->arena, count, sizeof *wanted);
  if (!wanted || expr_has_kinds(m->pool, m->unreplaced, unknown)) return false;
  wanted[0] = m->sides[0];
  wanted[1] = m->sides[1];
  for (uint32_t k = 0; k < m->part_count; k++) wanted[2 + k] = m->parts[k];
  if (!set_points_open(x, &own, wanted, count)) return false;
  for (uint32_t i = 0; i < most_tries && agreed < enough_numbers; i++) {
    if (!set_points_next(x)) continue;
    double left = set_points_value(x, 0), right = set_points_value(x, 1), size = 1 + fabs(left) + fabs(right);
    bool finite = isfinite(left) && isfinite(right);
    for (uint32_t k = 0; k < m->part_count; k++) finite = finite && isfinite(set_points_value(x, 2 + k));
    if (!finite) continue;
    // rounding may be large near a singular point: one point is none
    if (fabs(left - right) <= apart * size) agreed++;
    else if (++differed == 1) take_witness(x, &m->out);
    else return false;
  }
  if (differed)
    m->out = (CheckResult){.verdict = verdict_undecided, .reason = "the sides differ at one of the points alone"};
  else if (agreed)
    m->out.reason =
        arena_printf(m->arena, "it holds at %u point%s on the constraint set, in numbers, and there is no proof: %s",
                     agreed, agreed == 1 ? "" : "s", m->out.reason);
  return agreed && !differed;
}
