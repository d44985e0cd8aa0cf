// Both sides of an equation at points of the constraint set in double precision, where algebra does not solve the
// constraints.
//
// in    the two sides as they were given, the model with the values of its parameters
// out   a witness: a point of the constraint set where they differ by far more than rounding; else how many points
//       showed no difference, which is no proof
// how   Around the start, places at random are brought onto the constraints by Newton's method with the smallest steps,
//       dq = -G'(G G')^-1 value, velocities likewise; a point counts only if what is left is rounding. Accelerations
//       and multipliers are those of a run: the tape computes them. The sides differ if they do so by `apart` of their
//       size; between that and rounding nothing is said.
#include "algebra/motion_parts.h"

#include "base/random.h"
#include "tape/numbers.h"
#include "tape/tape.h"

#include <math.h>

enum { enough_numbers = 12, most_tries = 60, most_newton = 60, most_constraints = 64 };
static const double apart = 1e-6, left_over = 1e-12, rank_part = 1e-11;

typedef struct SetPoints {
  MotionCheck *m;
  System *s;
  const Tape *tape;
  double *w, *start, *y;
  uint32_t n, count, dim; // coordinates, constraints, components of y
  uint32_t *q, *v;        // by coordinate: its components, no_place: none
  double *S, *b, *G;
  uint64_t counter; // of random numbers
} SetPoints;

// values, rates, G row by row, then both sides and their parts
static ExprId *results_of(SetPoints *x, uint32_t *count) {
  System *s = x->s;
  uint32_t n = 0, all = 2 * x->count + x->count * x->n + 2 + x->m->part_count;
  ExprId *list = arena_array(s->arena, all, sizeof *list);
  if (!list) return NULL;
  for (uint32_t k = 0; k < x->count; k++)
    list[n++] = s->constraints.items[k].velocities ? s->pool->zero : s->constraints.items[k].value;
  for (uint32_t k = 0; k < x->count; k++) list[n++] = s->constraints.items[k].rate;
  for (uint32_t k = 0; k < x->count; k++) {
    for (uint32_t i = 0; i < x->n; i++) list[n++] = constrained_slope(s, k, i);
  }
  list[n++] = x->m->sides[0];
  list[n++] = x->m->sides[1];
  for (uint32_t i = 0; i < x->m->part_count; i++) list[n++] = x->m->parts[i];
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

static bool open(SetPoints *x) {
  System *s = x->s;
  uint32_t count;
  ExprId *results = results_of(x, &count);
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
  TapeWish wish = {.system = s, .vars = vars, .var_count = x->dim + 1, .results = results, .result_count = count};
  x->tape = tape_build(s->arena, &wish);
  x->w = x->tape ? arena_array(s->arena, x->tape->slot_count, sizeof *x->w) : NULL;
  if (!x->w || !read_starts(x, params)) return false;
  for (uint32_t i = 0; i < x->tape->param_count; i++) x->w[i] = params[i];
  tape_prepare(x->tape, x->w);
  x->y = tape_vars(x->tape, x->w) + 1;
  return true;
}

static double result(const SetPoints *x, uint32_t i) { return tape_result(x->tape, x->w, i); }
static double side(const SetPoints *x, uint32_t i) { return result(x, 2 * x->count + x->count * x->n + i); }
static double around(SetPoints *x) { return 2 * random_uniform(14, x->counter++) - 1; }

// z with S z = b, by elimination; rows that depend on others are left out. S and b are overwritten.
static void solve_rows(SetPoints *x, double *z) {
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
  solve_rows(x, z);
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

// A point of the set. False: none was found from here.
static bool find_point(SetPoints *x) {
  x->y[-1] = fabs(around(x));
  for (uint32_t i = 0; i < x->dim; i++) {
    bool place = x->s->y.items[i].kind == component_position;
    x->y[i] = x->start[i] + around(x) * (place ? 0.25 * fmax(0.2, fabs(x->start[i])) : 1);
  }
  if (!reach(x, 0, x->q) || !reach(x, x->count, x->v)) return false;
  tape_eval(x->tape, x->w);
  return true;
}

static void take_witness(SetPoints *x) {
  CheckResult *out = &x->m->out;
  Arena *arena = x->s->arena;
  *out = (CheckResult){.verdict = verdict_different, .means = "the model at a point on the constraint set"};
  for (uint32_t i = 0; i < x->dim; i++) {
    const Component *c = &x->s->y.items[i];
    if (!c->symbol) continue;
    WitnessValue value = {pool_symbol_get(x->s->pool, c->symbol)->name, arena_printf(arena, "%.17g", x->y[i])};
    vec_push(arena, &out->witness.point, value);
  }
  out->witness.left = arena_printf(arena, "%.12g", side(x, 0));
  out->witness.right = arena_printf(arena, "%.12g", side(x, 1));
}

// Is there something that only a run knows, or a tape cannot tell?
static bool is_beyond(const MotionCheck *m) {
  const System *s = m->unreduced;
  KindSet unknown = kind_set(sym_memory) | kind_set(sym_mode) | kind_set(sym_delay) | kind_set(sym_friction) |
                    kind_set(sym_unknown) | kind_set(sym_held);
  bool beyond = s->held.count || s->memories.count || s->delays.count || s->frictions.count ||
                s->constraints.count > most_constraints || expr_has_kinds(m->pool, m->unreplaced, unknown);
  for (uint32_t i = 0; i < s->coord_count; i++) beyond = beyond || s->role[i] == coord_combined;
  return beyond;
}

bool motion_look_at_numbers(MotionCheck *m) {
  System own = *m->unreduced;
  SetPoints points = {.m = m, .s = &own, .n = own.coord_count, .count = own.constraints.count, .dim = own.y.count};
  SetPoints *x = &points;
  uint32_t agreed = 0, differed = 0;
  if (is_beyond(m) || !open(x)) return false;
  for (uint32_t i = 0; i < most_tries && agreed < enough_numbers; i++) {
    if (!find_point(x)) continue;
    double left = side(x, 0), right = side(x, 1), size = 1 + fabs(left) + fabs(right);
    bool finite = isfinite(left) && isfinite(right);
    for (uint32_t k = 0; k < m->part_count; k++) finite = finite && isfinite(side(x, 2 + k));
    if (!finite) continue;
    // rounding may be large near a singular point: one point is none
    if (fabs(left - right) <= apart * size) agreed++;
    else if (++differed == 1) take_witness(x);
    else return false;
  }
  if (differed)
    m->out = (CheckResult){.verdict = verdict_undecided, .reason = "the sides differ at one of the points alone"};
  else if (agreed)
    m->out.reason =
        arena_printf(m->arena, "it holds at %u points on the constraint set, in numbers, and there is no proof: %s",
                     agreed, m->out.reason);
  return agreed && !differed;
}
