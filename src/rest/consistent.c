// Consistent initial values: projection of a point onto the constraint manifold by Newton's method.
//
// in    o->y, and what was said of it
// out   value = 0 and rate = 0 of every constraint to rounding
// how   Positions first: G dq = -value, the smallest dq that does it (by reflections with pivoting, so that redundant
//       constraints and free directions do no harm), among what was not said; if that does not lead there, among all
//       that the caller did not say. Then velocities in the same way, for which one step is enough. Then, where
//       equations were differentiated, all of it together.
#include "rest/consistent.h"

#include "solve/module.h"
#include "solve/spectrum.h"

#include <math.h>
#include <string.h>

enum { most_steps = 60 };
// Of a row's size: what counts as zero, and what counts as dependent.
static const double zero_part = 1e-13, rank_part = 1e-10;

// Constraints bind positions, then velocities. What was differentiated binds components of any kind, with both at once.
typedef enum SetPass { pass_places, pass_velocities, pass_levels, set_passes } SetPass;

typedef struct SetSearch {
  Operating *o;
  const SolveModule *module;
  SetPass pass;
  uint32_t rows, columns;
  uint32_t *row, *column; // invariants, components
  double *y, *value, *a, *step, *work;
  int *pivot;
} SetSearch;

bool consistent_needed(const Operating *o) {
  for (uint32_t k = 0; k < o->s.invariants.count; k++) {
    if (o->s.invariants.items[k].kind != invariant_constant) return true;
  }
  return false;
}

bool consistent_values(Operating *o, const double *y, double *out) {
  uint32_t count = o->s.invariants.count;
  if (!o->kept.w) {
    ExprId *values = arena_array(o->arena, count, sizeof *values);
    o->kept_from = arena_array(o->arena, count, sizeof *o->kept_from);
    if (!values || !o->kept_from) return false;
    for (uint32_t k = 0; k < count; k++) values[k] = o->s.invariants.items[k].value;
    if (!operating_tape(o, values, count, false, &o->kept)) return false;
    operating_eval(o, &o->kept, o->first);
    for (uint32_t k = 0; k < count; k++) {
      bool stays = o->s.invariants.items[k].kind == invariant_constant;
      o->kept_from[k] = stays ? tape_result(o->kept.tape, o->kept.w, k) : 0;
    }
  }
  operating_eval(o, &o->kept, y);
  for (uint32_t k = 0; k < count; k++) out[k] = tape_result(o->kept.tape, o->kept.w, k) - o->kept_from[k];
  return true;
}

// Those that nobody says, or also those that the model says.
static bool choose(SetSearch *x, PointSaid most) {
  Operating *o = x->o;
  bool levels = false;
  x->rows = x->columns = 0;
  for (uint32_t k = 0; k < o->s.invariants.count; k++) {
    InvariantKind kind = o->s.invariants.items[k].kind;
    levels = levels || kind == invariant_level;
    bool own = x->pass == pass_levels ? kind != invariant_constant
                                      : kind == (x->pass == pass_places ? invariant_place : invariant_rate);
    if (own) x->row[x->rows++] = k;
  }
  if (x->pass == pass_levels && !levels) x->rows = 0;
  for (uint32_t at = 0; at < o->dim; at++) {
    if (o->role[at] != role_motion) continue;
    bool own = x->pass == pass_levels ||
               (x->pass == pass_places ? operating_is_position(o, at) : operating_is_velocity(o, at));
    if (own && o->said[at] <= most) x->column[x->columns++] = at;
  }
  return x->rows && x->columns;
}

// The largest violation against the size of its terms; *worst: whose.
static double violation(SetSearch *x, uint32_t *worst) {
  Operating *o = x->o;
  double most = 0;
  for (uint32_t r = 0; r < x->rows; r++) {
    const double *slope = o->full + (size_t)operating_invariant_row(o, x->row[r]) * o->dim;
    double size = 0;
    for (uint32_t at = 0; at < o->dim; at++) size += fabs(slope[at]) * fmax(1e-3, fabs(x->y[at]));
    double part = fabs(x->value[x->row[r]]) / fmax(size, 1e-300);
    if (!(part <= most)) {
      most = isnan(part) ? INFINITY : part;
      *worst = x->row[r];
    }
  }
  return most;
}

static bool look(SetSearch *x) { return operating_raw_jacobian(x->o, x->y) && consistent_values(x->o, x->y, x->value); }

static bool take_step(SetSearch *x) {
  Operating *o = x->o;
  int rank;
  for (uint32_t r = 0; r < x->rows; r++) {
    const double *slope = o->full + (size_t)operating_invariant_row(o, x->row[r]) * o->dim;
    for (uint32_t c = 0; c < x->columns; c++) x->a[(size_t)c * x->rows + r] = slope[x->column[c]];
    x->step[r] = -x->value[x->row[r]];
  }
  if (x->module->least((int)x->rows, (int)x->columns, x->a, x->step, rank_part, &rank, x->pivot, x->work) != 0)
    return false;
  // an angle changes by one radian at most
  double part = 1;
  for (uint32_t c = 0; c < x->columns; c++)
    part = fmin(part, fmax(1, fabs(x->y[x->column[c]])) / fmax(fabs(x->step[c]), 1e-300));
  for (uint32_t c = 0; c < x->columns; c++) x->y[x->column[c]] += (x->pass == pass_velocities ? 1 : part) * x->step[c];
  return true;
}

// 1: they hold, 0: not found from here, -1: out of memory.
static int solve(SetSearch *x, PointSaid most, uint32_t *worst) {
  memcpy(x->y, x->o->y, x->o->dim * sizeof *x->y);
  if (!choose(x, most)) {
    double left = 0;
    if (x->rows && !look(x)) return -1;
    if (x->rows) left = violation(x, worst);
    return left <= zero_part;
  }
  for (uint32_t n = 0; n < most_steps; n++) {
    if (!look(x)) return -1;
    double left = violation(x, worst);
    if (left <= zero_part) return 1;
    if (!isfinite(left) || !take_step(x)) return 0;
  }
  return 0;
}

static bool open(SetSearch *x) {
  Operating *o = x->o;
  size_t k = o->s.invariants.count, d = o->dim, most = k > d ? k : d;
  x->row = arena_array(o->arena, k, sizeof *x->row);
  x->column = arena_array(o->arena, d, sizeof *x->column);
  x->y = arena_array(o->arena, d, sizeof(double));
  x->value = arena_array(o->arena, k, sizeof(double));
  x->a = arena_array(o->arena, k * d, sizeof(double));
  x->step = arena_array(o->arena, most, sizeof(double));
  x->pivot = arena_array(o->arena, d, sizeof *x->pivot);
  x->work = arena_array(o->arena, (size_t)spectrum_room((int)most, (int)most), sizeof(double));
  return !arena_failed(o->arena);
}

ConsistentStatus consistent_point(Operating *o, uint32_t *worst) {
  SetSearch search = {.o = o}, *x = &search;
  bool moved = false;
  if (!open(x)) return consistent_no_memory;
  x->module = module_load();
  if (!x->module) return consistent_no_module;
  for (x->pass = 0; x->pass < set_passes; x->pass++) {
    int done = solve(x, said_by_nobody, worst);
    if (done == 0) done = solve(x, said_by_model, worst);
    if (done < 0) return consistent_no_memory;
    if (done == 0) return consistent_none;
    for (uint32_t at = 0; at < o->dim; at++) {
      if (x->y[at] == o->y[at]) continue;
      o->y[at] = x->y[at];
      o->point[at] = expr_sym(o->s.pool, o->symbols[at]);
      moved = true;
    }
  }
  return moved ? consistent_moved : consistent_as_it_is;
}
