// Points of a constraint set by Newton's method, from random points around the initial configuration.
//
// in    a model with the values of its parameters
// out   y with value = 0 and rate = 0 of every constraint to rounding; the rank of G there; values of expressions
// how   Positions move by least-norm steps, dq = -G'(G G')^-1 value, velocities likewise; rows that depend on others
//       are left out of G G'. Accelerations and multipliers are those of a run: the tape computes them.
#include "algebra/set_points.h"

#include "algebra/constrained.h"
#include "base/random.h"
#include "tape/numbers.h"
#include "tape/tape.h"

#include <math.h>

enum { most_newton = 60, most_constraints = 64, most_looks = 12 };
static const double left_over = 1e-12, rank_part = 1e-11;
// Newton's method halves the error at a double root: `further_steps` more, and its gradient is far below that
// elsewhere.
enum { further_steps = 12 };
static const double flat_part = 1e-4;

// Is there something that only a run knows, or a tape cannot tell?
static bool is_beyond(const System *s) {
  bool beyond = s->held.count || s->memories.count || s->delays.count || s->frictions.count ||
                s->constraints.count > most_constraints;
  for (uint32_t i = 0; i < s->coord_count; i++) beyond = beyond || s->role[i] == coord_combined;
  return beyond;
}

// values, rates, G row by row, then what else is wanted
static ExprId *results_of(SetPoints *x, const ExprId *more, uint32_t more_count, uint32_t *count) {
  System *s = x->s;
  uint32_t n = 0, all = 2 * x->count + x->count * x->n + more_count;
  ExprId *list = arena_array(s->arena, all, sizeof *list);
  if (!list) return NULL;
  for (uint32_t k = 0; k < x->count; k++)
    list[n++] = s->constraints.items[k].velocities ? s->pool->zero : s->constraints.items[k].value;
  for (uint32_t k = 0; k < x->count; k++) list[n++] = s->constraints.items[k].rate;
  for (uint32_t k = 0; k < x->count; k++) {
    for (uint32_t i = 0; i < x->n; i++) list[n++] = constrained_slope(s, k, i);
  }
  for (uint32_t i = 0; i < more_count; i++) list[n++] = more[i];
  *count = n;
  return list;
}

static bool read_starts(SetPoints *x, double *params) {
  System *s = x->s;
  uint32_t p = s->params.count, all = p + x->dim;
  ExprId *wanted = arena_array(s->arena, all, sizeof *wanted);
  double *out = arena_array(s->arena, all, sizeof *out);
  if (!wanted || !out) return false;
  for (uint32_t i = 0; i < p; i++) wanted[i] = expr_sym(s->pool, s->params.items[i].symbol);
  for (uint32_t i = 0; i < x->dim; i++) wanted[p + i] = s->y.items[i].start ? s->y.items[i].start : s->pool->zero;
  if (!tape_numbers(s->arena, s, wanted, all, out)) return false;
  for (uint32_t i = 0; i < p; i++) params[i] = out[i];
  for (uint32_t i = 0; i < x->dim; i++) x->start[i] = out[p + i];
  return true;
}

bool set_points_open(SetPoints *x, System *s, const ExprId *more, uint32_t more_count) {
  *x = (SetPoints){.s = s, .n = s->coord_count, .count = s->constraints.count, .dim = s->y.count};
  uint32_t count;
  if (is_beyond(s)) return false;
  ExprId *results = results_of(x, more, more_count, &count);
  SymbolId *vars = arena_array(s->arena, (size_t)x->dim + 1, sizeof *vars);
  double *params = arena_array(s->arena, s->params.count, sizeof *params);
  x->start = arena_array(s->arena, x->dim, sizeof *x->start);
  x->q = arena_array(s->arena, x->n, sizeof *x->q);
  x->v = arena_array(s->arena, x->n, sizeof *x->v);
  x->S = arena_array(s->arena, (size_t)x->count * x->count, sizeof *x->S);
  x->b = arena_array(s->arena, x->count, sizeof *x->b);
  x->G = arena_array(s->arena, (size_t)x->count * x->n, sizeof *x->G);
  if (!results || arena_failed(s->arena)) return false;
  vars[0] = s->time;
  for (uint32_t i = 0; i < x->dim; i++) vars[i + 1] = s->y.items[i].symbol;
  for (uint32_t i = 0; i < x->n; i++) {
    x->q[i] = system_place(s, s->coords.items[i].q);
    x->v[i] = system_place(s, s->coords.items[i].v);
  }
  TapeRequest request = {.system = s, .vars = vars, .var_count = x->dim + 1, .results = results, .result_count = count};
  x->tape = tape_build(s->arena, &request);
  x->w = x->tape ? arena_array(s->arena, x->tape->slot_count, sizeof *x->w) : NULL;
  if (!x->w || !read_starts(x, params)) return false;
  for (uint32_t i = 0; i < x->tape->param_count; i++) x->w[i] = params[i];
  tape_prepare(x->tape, x->w);
  x->y = tape_vars(x->tape, x->w) + 1;
  return true;
}

static double result(const SetPoints *x, uint32_t i) { return tape_result(x->tape, x->w, i); }
double set_points_value(const SetPoints *x, uint32_t i) { return result(x, 2 * x->count + x->count * x->n + i); }
static double around(SetPoints *x) { return 2 * random_uniform(14, x->counter++) - 1; }

// z with S z = b, by elimination; rows that depend on others are left out. S and b are overwritten. How many count.
static uint32_t solve_rows(SetPoints *x, double *z) {
  uint32_t m = x->count;
  double *S = x->S, *b = x->b, most = 0;
  bool done[most_constraints] = {0};
  uint32_t row_of[most_constraints];
  for (uint32_t i = 0; i < m; i++) {
    most = fmax(most, fabs(S[i * m + i]));
    z[i] = 0;
    row_of[i] = m;
  }
  for (uint32_t step = 0; step < m; step++) {
    uint32_t best = m;
    for (uint32_t i = 0; i < m; i++) {
      if (!done[i] && (best == m || fabs(S[i * m + i]) > fabs(S[best * m + best]))) best = i;
    }
    if (best == m || !(fabs(S[best * m + best]) > rank_part * most)) break;
    done[best] = true;
    row_of[best] = best;
    for (uint32_t i = 0; i < m; i++) {
      if (i == best) continue;
      double f = S[i * m + best] / S[best * m + best];
      for (uint32_t j = 0; j < m; j++) S[i * m + j] -= f * S[best * m + j];
      b[i] -= f * b[best];
    }
  }
  for (uint32_t i = 0; i < m; i++) {
    if (row_of[i] < m) z[i] = b[i] / S[i * m + i];
  }
  uint32_t rank = 0;
  for (uint32_t i = 0; i < m; i++) rank += row_of[i] < m;
  return rank;
}

// One step of the components `at` towards zero of the results from `first` on. How far they were off, over their size.
static double step_towards(SetPoints *x, uint32_t first, const uint32_t *at) {
  uint32_t m = x->count, n = x->n;
  double off = 0, z[most_constraints];
  tape_eval(x->tape, x->w);
  for (uint32_t k = 0; k < m; k++) {
    double size = 1;
    for (uint32_t i = 0; i < n; i++) {
      x->G[k * n + i] = at[i] == no_place ? 0 : result(x, 2 * m + k * n + i);
      if (at[i] != no_place) size += fabs(x->G[k * n + i] * x->y[at[i]]);
    }
    x->b[k] = -result(x, first + k);
    off = fmax(off, isfinite(x->b[k]) ? fabs(x->b[k]) / size : INFINITY);
  }
  if (!isfinite(off)) return off;
  for (uint32_t k = 0; k < m; k++) {
    for (uint32_t l = 0; l < m; l++) {
      x->S[k * m + l] = 0;
      for (uint32_t i = 0; i < n; i++) x->S[k * m + l] += x->G[k * n + i] * x->G[l * n + i];
    }
  }
  x->rank = solve_rows(x, z);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < m && at[i] != no_place; k++) x->y[at[i]] += x->G[k * n + i] * z[k];
  }
  return off;
}

static bool reach(SetPoints *x, uint32_t first, const uint32_t *at) {
  for (uint32_t i = 0; i < most_newton; i++) {
    double off = step_towards(x, first, at);
    if (off <= left_over) return true;
    if (!isfinite(off)) return false;
  }
  return false;
}

// The length of row k of G at the present point.
static double row_length(const SetPoints *x, uint32_t k) {
  double sum = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    double g = result(x, 2 * x->count + k * x->n + i);
    sum += g * g;
  }
  return sqrt(sum);
}

// Is the gradient of a constraint zero there, as that of a square where it vanishes? Relative to that elsewhere.
static bool lies_flat(const SetPoints *x, const double *elsewhere) {
  for (uint32_t k = 0; k < x->count; k++) {
    if (!(row_length(x, k) > flat_part * elsewhere[k])) return true;
  }
  return false;
}

bool set_points_next(SetPoints *x) {
  double length[most_constraints];
  x->y[-1] = fabs(around(x));
  for (uint32_t i = 0; i < x->dim; i++) {
    bool place = x->s->y.items[i].kind == component_position;
    x->y[i] = x->start[i] + around(x) * (place ? 0.25 * fmax(0.2, fabs(x->start[i])) : 1);
  }
  tape_eval(x->tape, x->w);
  for (uint32_t k = 0; k < x->count; k++) length[k] = row_length(x, k);
  if (!reach(x, 0, x->q)) return false;
  for (int i = 0; i < further_steps; i++) step_towards(x, 0, x->q);
  if (!reach(x, x->count, x->v)) return false;
  tape_eval(x->tape, x->w);
  x->flat = lies_flat(x, length);
  return true;
}

bool set_points_rank(System *s, uint32_t *rank) {
  SetPoints points, *x = &points;
  bool found = false;
  *rank = 0;
  if (!set_points_open(x, s, NULL, 0)) return false;
  for (int i = 0; i < most_looks; i++) {
    if (!set_points_next(x) || x->flat) continue;
    found = true;
    if (x->rank > *rank) *rank = x->rank;
  }
  return found;
}
