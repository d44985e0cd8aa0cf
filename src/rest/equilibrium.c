// Equilibrium of a system by Newton's method and pseudo-transient continuation.
//
// in    rates F(y) and their exact Jacobian J; a start
// out   y with F(y) = 0
//
// A step solves J dy = -F in the sense of least squares with the smallest dy (by singular values, in larger systems by
// reflections with pivoting; what is below `rank_part` of the largest counts as zero), so a cyclic coordinate stays
// where it was. Rows and columns are scaled first: rows by their largest entry at the start, columns by the size of
// their unknown. Steps are halved until |F| falls.
//
// Where that ends beside a rest (a limit that holds F constant has no gradient), the search follows the time evolution:
// (J - I/tau) dy = -F is a step of the implicit Euler method, and tau grows as |F| falls, until the step is Newton's
// (pseudo-transient continuation: C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35, 1998).
// If that ends nowhere, once more with velocities that are taken away after each step.
//
// Where there are constraints, what they keep at zero is among the equations: value and rate of each. So the rest lies
// on the constraint set, and multipliers, which the rates hold, balance there.
//
// Notation: m equations (rows that must vanish), k unknowns.
#include "rest/equilibrium.h"

#include "rest/consistent.h"
#include "solve/module.h"
#include "solve/spectrum.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  most_iterations = 200,
  most_halvings = 40,
  by_values = 48 // unknowns up to which singular values are found
};
static const double rank_part = 1e-12;

typedef struct RestSearch {
  Operating *o;
  const SolveModule *module;
  uint32_t m, k;
  uint32_t *rows; // what must vanish: rates of components of y, then dim + an invariant; the unknowns are o->component
  double *weight; // of each row
  double *y, *trial, *jacobian;
  double *rates;  // and behind them the invariants
  double *errors; // of the rates, by rounding
  double *a, *s, *u, *vt, *work, *step;
  int *pivot;
  uint32_t rank;
  uint32_t iterations;
  bool *fixed;       // by unknown: a position that sticking friction fixes
  double per_second; // 1/tau; 0: Newton's step
} RestSearch;

static bool search_init(RestSearch *x, Operating *o) {
  Arena *arena = o->arena;
  uint32_t k = o->states, d = o->dim, all = d + o->s.invariants.count;
  *x = (RestSearch){.o = o, .k = k};
  x->rows = arena_array(arena, all, sizeof *x->rows);
  x->fixed = arena_array(arena, d, sizeof *x->fixed);
  x->weight = arena_array(arena, all, sizeof(double));
  x->y = arena_array(arena, d, sizeof(double));
  x->trial = arena_array(arena, d, sizeof(double));
  x->rates = arena_array(arena, all, sizeof(double));
  x->step = arena_array(arena, all, sizeof(double));
  x->errors = arena_array(arena, d, sizeof(double));
  x->jacobian = arena_array(arena, ((size_t)all + o->output_count) * d, sizeof(double));
  x->a = arena_array(arena, (size_t)k * all, sizeof(double));
  x->s = arena_array(arena, k, sizeof(double));
  if (k <= by_values) {
    x->u = arena_array(arena, (size_t)all * all, sizeof(double));
    x->vt = arena_array(arena, (size_t)k * k, sizeof(double));
  }
  x->pivot = arena_array(arena, k, sizeof *x->pivot);
  x->work = arena_array(arena, (size_t)spectrum_room((int)all, (int)all), sizeof(double));
  return !arena_failed(arena);
}

// Rates at y, and behind them the invariants: constraints at zero, |q|^2 of a quaternion as it was.
static bool equations_at(RestSearch *x, const double *y) {
  Operating *o = x->o;
  return operating_rates(o, y, x->rates, NULL) &&
         (!o->s.invariants.count || consistent_values(o, y, x->rates + o->dim));
}

// Their derivatives: a row of the Jacobian for each of x->rows.
static bool slopes_at(RestSearch *x, const double *y) {
  Operating *o = x->o;
  if (!operating_jacobian(o, y, x->jacobian)) return false;
  size_t count = o->s.invariants.count, from = operating_invariant_row(o, 0);
  if (count)
    memcpy(x->jacobian + (size_t)(o->dim + o->output_count) * o->dim, o->full + from * o->dim,
           count * o->dim * sizeof *x->jacobian);
  return true;
}

static const double *slope_of(const RestSearch *x, uint32_t i) {
  const Operating *o = x->o;
  uint32_t row = x->rows[i];
  return x->jacobian + (size_t)(row < o->dim ? row : row + o->output_count) * o->dim;
}

static double size_of(double y) { return fmax(fabs(y), 1e-3); }

// The sum of squares of the weighted equations; NAN where it is not finite.
static double residual(RestSearch *x, const double *y) {
  double sum = 0;
  if (!equations_at(x, y)) return NAN;
  for (uint32_t i = 0; i < x->m; i++) {
    double r = x->weight[i] * x->rates[x->rows[i]];
    sum += r * r;
  }
  return isfinite(sum) ? sum : NAN;
}

// An equation counts by its largest derivative; one whose derivatives are but rounding of the others (what falls
// freely) as it is.
static bool set_weights(RestSearch *x) {
  const double rounding = 1e-14;
  Operating *o = x->o;
  double largest = 0;
  if (!slopes_at(x, x->y) || !equations_at(x, x->y)) return false;
  for (uint32_t i = 0; i < x->m; i++) {
    double most = 0, rate = fabs(x->rates[x->rows[i]]);
    for (uint32_t j = 0; j < x->k; j++) {
      double e = fabs(slope_of(x, i)[o->component[j]]) * fmax(1, size_of(x->y[o->component[j]]));
      if (isfinite(e)) most = fmax(most, e);
    }
    x->weight[i] = most;
    largest = fmax(largest, isfinite(rate) ? fmax(most, rate) : most);
  }
  for (uint32_t i = 0; i < x->m; i++) x->weight[i] = x->weight[i] > rounding * largest ? 1 / x->weight[i] : 1;
  return true;
}

// The step by singular values.
static bool solve_by_values(RestSearch *x) {
  uint32_t m = x->m, k = x->k, most = m < k ? m : k;
  if (x->module->singular((int)m, (int)k, x->a, x->s, x->u, x->vt, x->work) != 0) return false;
  x->rank = 0;
  while (x->rank < most && x->s[x->rank] > rank_part * x->s[0] && x->s[x->rank] > 0) x->rank++;
  memset(x->step, 0, k * sizeof *x->step);
  for (uint32_t r = 0; r < x->rank; r++) {
    double c = 0;
    for (uint32_t i = 0; i < m; i++) c -= x->u[(size_t)r * m + i] * x->weight[i] * x->rates[x->rows[i]];
    c /= x->s[r];
    for (uint32_t j = 0; j < k; j++) x->step[j] += c * x->vt[(size_t)j * k + r];
  }
  return true;
}

// The same by reflections with pivoting: a hundredth of the work.
static bool solve_by_reflections(RestSearch *x) {
  int rank;
  for (uint32_t i = 0; i < x->m; i++) x->step[i] = -x->weight[i] * x->rates[x->rows[i]];
  if (x->module->least((int)x->m, (int)x->k, x->a, x->step, rank_part, &rank, x->pivot, x->work) != 0) return false;
  x->rank = (uint32_t)rank;
  return true;
}

// The smallest step that Newton's equations ask for. False: an entry is not finite, or no convergence.
static bool newton_step(RestSearch *x) {
  Operating *o = x->o;
  uint32_t m = x->m, k = x->k;
  if (!slopes_at(x, x->y) || !equations_at(x, x->y)) return false;
  for (uint32_t j = 0; j < k; j++) {
    double scale = fmax(1, size_of(x->y[o->component[j]]));
    for (uint32_t i = 0; i < m; i++) {
      double e = x->weight[i] * slope_of(x, i)[o->component[j]] * scale;
      if (!isfinite(e)) return false;
      if (x->rows[i] == o->component[j]) e -= x->weight[i] * scale * x->per_second;
      if (x->fixed[j]) e = 0;
      x->a[(size_t)j * m + i] = e;
    }
  }
  if (!(k <= by_values ? solve_by_values(x) : solve_by_reflections(x))) return false;
  // what nothing depends on stays where it is, without the rounding of the singular vectors
  for (uint32_t j = 0; j < k; j++) {
    bool still = true;
    for (uint32_t i = 0; i < m && still; i++) still = slope_of(x, i)[o->component[j]] == 0;
    still = still && x->per_second == 0;
    x->step[j] = still || x->fixed[j] ? 0 : x->step[j] * fmax(1, size_of(x->y[o->component[j]]));
  }
  return true;
}

// How large the terms of an equation are.
static double terms_of(const RestSearch *x, uint32_t i) {
  const Operating *o = x->o;
  double scale = 0;
  for (uint32_t j = 0; j < x->k; j++)
    scale += fabs(slope_of(x, i)[o->component[j]]) * fmax(1e-3, fabs(x->y[o->component[j]]));
  return scale;
}

// True: the equations hold to rounding. Across a constraint an acceleration may depend on nothing, and still is rounded
// as the others are.
static bool holds(RestSearch *x) {
  Operating *o = x->o;
  double most = 0;
  if (!operating_flow_errors(o, o->t, x->y, NULL, x->errors)) return false;
  for (uint32_t i = 0; i < x->m && consistent_needed(o); i++) most = fmax(most, terms_of(x, i));
  for (uint32_t i = 0; i < x->m; i++) {
    double error = x->rows[i] < o->dim ? x->errors[x->rows[i]] : 0;
    if (!(fabs(x->rates[x->rows[i]]) <= 1e-10 * terms_of(x, i) + 1e-15 * most + error)) return false;
  }
  return true;
}

// The longest part of a step: an angle changes by one radian at most, nothing grows more than tenfold.
static double longest(const RestSearch *x) {
  const Operating *o = x->o;
  double part = 1;
  for (uint32_t j = 0; j < x->k; j++)
    part = fmin(part, fmax(1, 10 * fabs(x->y[o->component[j]])) / fmax(fabs(x->step[j]), DBL_MIN));
  return part;
}

static bool newton(RestSearch *x) {
  Operating *o = x->o;
  if (!set_weights(x)) return false;
  double now = residual(x, x->y);
  if (isnan(now)) return false;
  uint32_t most = x->o->most ? x->o->most : most_iterations;
  bool small = false;
  for (uint32_t n = 0; n < most; n++) {
    if (o->interrupted && o->interrupted(o->self)) return false;
    if (!newton_step(x)) return false;
    x->iterations++;
    double part, change = 0;
    for (uint32_t j = 0; j < x->k; j++)
      change = fmax(change, fabs(x->step[j]) / fmax(1e-3, fabs(x->y[o->component[j]])));
    part = longest(x);
    bool better = false;
    double next = NAN;
    for (int h = 0; h < most_halvings && !better; h++, part /= 2) {
      memcpy(x->trial, x->y, o->dim * sizeof *x->trial);
      for (uint32_t j = 0; j < x->k; j++) x->trial[o->component[j]] += part * x->step[j];
      next = residual(x, x->trial);
      better = next < now * (1 - 1e-4 * part) || next == 0;
    }
    small = change <= 1e-12;
    if (better) {
      memcpy(x->y, x->trial, o->dim * sizeof *x->y);
      now = next;
    }
    if (small || !better || now == 0) break;
  }
  // after such a small step Jacobian and rank are those of the step itself
  return (small ? equations_at(x, x->y) : newton_step(x)) && holds(x);
}

// ---- pseudo-transient continuation

// 1/tau with which the first step moves nothing by more than a tenth of its size.
static double first_rate(const RestSearch *x) {
  double most = 0;
  for (uint32_t i = 0; i < x->m; i++) {
    if (x->rows[i] < x->o->dim) most = fmax(most, fabs(x->rates[x->rows[i]]) / (0.1 * fmax(1, fabs(x->y[x->rows[i]]))));
  }
  return most;
}

// still: what moves stops after each step, so that nothing oscillates out of a well, or off a stop that it fell on.
static bool drift(RestSearch *x, bool still) {
  enum { most_steps = 300 };
  const double faster = 0.7, far = 1e9, newton_is_near = 1e-9;
  Operating *o = x->o;
  memcpy(x->y, o->y, o->dim * sizeof *x->y);
  double now = set_weights(x) ? residual(x, x->y) : NAN, first = first_rate(x);
  x->per_second = first;
  bool goes = now > 0 && first > 0 && isfinite(first);
  for (uint32_t n = 0; goes && n < most_steps && x->per_second > newton_is_near * first; n++) {
    if (o->interrupted && o->interrupted(o->self)) break;
    goes = newton_step(x);
    double part = goes ? longest(x) : 0, largest = 0;
    for (uint32_t j = 0; goes && j < x->k; j++) {
      x->y[o->component[j]] += part * x->step[j];
      if (still && operating_position(o, o->component[j]) != no_place) x->y[o->component[j]] = 0;
      largest = fmax(largest, fabs(x->y[o->component[j]]));
    }
    double next = goes ? residual(x, x->y) : NAN;
    goes = goes && isfinite(next) && largest < far;
    x->per_second *= faster * fmin(fmax(sqrt(next / now), 0.1), 2);
    x->iterations++;
    now = next;
    if (now == 0) break;
  }
  x->per_second = 0;
  return goes;
}

// ---- what is said about it

// The equation that is violated most.
static void explain(RestSearch *x, Equilibrium *e) {
  Operating *o = x->o;
  const char *fault = operating_fault(o, x->y, &e->place);
  if (fault) {
    e->message = arena_printf(o->arena, "no equilibrium was found: %s", fault);
    return;
  }
  uint32_t worst = 0;
  double most = -1;
  residual(x, x->y);
  for (uint32_t i = 0; i < x->m; i++) {
    double r = fabs(x->weight[i] * x->rates[x->rows[i]]);
    if (r > most) worst = i;
    most = fmax(most, r);
  }
  if (!(most > 0)) {
    e->message = "no equilibrium was found: at this point a slope is not finite";
    return;
  }
  uint32_t at = x->rows[worst];
  if (at >= o->dim) {
    const Invariant *kept = &o->s.invariants.items[at - o->dim];
    e->message =
        arena_printf(o->arena, "no equilibrium was found: after %u steps the constraint of %s is still off by %.4g",
                     x->iterations, kept->name, x->rates[at]);
    e->place = kept->span;
    return;
  }
  const Component *y = operating_component(o, at);
  bool velocity = y->from == of_coord && y->kind == component_velocity;
  const char *name = y->from == of_state ? o->names[at] : o->s.coords.items[y->of].name;
  e->message = arena_printf(o->arena, "no equilibrium was found from this point: after %u steps %s%s is still %.4g",
                            x->iterations, name, velocity ? "''" : "'", x->rates[at]);
  e->place = y->span;
}

// Directions that change no equation, by the last factorization.
static void find_free(RestSearch *x, Equilibrium *e) {
  Operating *o = x->o;
  e->free = x->k - x->rank;
  for (uint32_t j = 0; j < x->k; j++) e->free -= x->fixed[j] && e->free ? 1 : 0;
  for (uint32_t at = 0; at < o->dim; at++) e->free_state[at] = operating_is_position(o, at) && operating_cyclic(o, at);
}

// What sticks at rest stays where it is: the positions whose velocity alone an element keeps at zero.
static bool fix_held(RestSearch *x) {
  Operating *o = x->o;
  bool any = false;
  if (!events_any_sticks(o) || !operating_raw_jacobian(o, o->y)) return false;
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    const double *g = o->full + (size_t)operating_element_row(o, k) * o->dim;
    uint32_t held = 0, entries = 0;
    if (events_state(o, &o->events.elements.items[k]) != element_sticks) continue;
    for (uint32_t at = 0; at < o->dim; at++) {
      if (o->role[at] != role_motion || g[at] == 0) continue;
      entries++;
      held = at;
    }
    uint32_t position = entries == 1 ? operating_position(o, held) : no_place;
    for (uint32_t j = 0; j < x->k && position != no_place; j++) {
      if (o->component[j] == position) any = x->fixed[j] = true;
    }
  }
  return any;
}

static bool attempt(RestSearch *x, const bool *may_move) {
  Operating *o = x->o;
  memcpy(x->y, o->y, o->dim * sizeof *x->y);
  x->m = 0;
  for (uint32_t i = 0; i < o->states; i++) {
    uint32_t at = o->component[i];
    if (!may_move || !may_move[at]) x->rows[x->m++] = at;
  }
  for (uint32_t k = 0; k < o->s.invariants.count; k++) x->rows[x->m++] = o->dim + k;
  return newton(x);
}

Equilibrium equilibrium_find(Operating *o) {
  Equilibrium e = {.status = equilibrium_no_memory};
  RestSearch search, *x = &search;
  e.free_state = arena_array(o->arena, o->dim, sizeof *e.free_state);
  e.moving = arena_array(o->arena, o->dim, sizeof *e.moving);
  e.y = arena_array(o->arena, o->dim, sizeof *e.y);
  if (!e.free_state || !e.moving || !e.y || !search_init(x, o)) return e;
  x->module = module_load();
  if (!x->module) {
    e.status = equilibrium_no_module;
    return e;
  }
  bool *may_move = arena_array(o->arena, o->dim, sizeof *may_move), any = false,
       found = fix_held(x) && attempt(x, NULL);
  if (!found) {
    memset(x->fixed, 0, o->dim * sizeof *x->fixed);
    found = attempt(x, NULL);
  }
  if (!found && o->with_motion && !o->most && !consistent_needed(o)) {
    uint32_t tried = x->iterations;
    memcpy(e.y, x->y, o->dim * sizeof *e.y);
    found = (drift(x, false) && newton(x)) || (drift(x, true) && newton(x));
    if (!found) { // the failure is reported for Newton's method
      memcpy(x->y, e.y, o->dim * sizeof *e.y);
      x->iterations = tried;
    }
  }
  if (!may_move || arena_failed(o->arena)) return e;
  e.status = found ? equilibrium_rest : equilibrium_none;
  if (!found) {
    explain(x, &e);
    for (uint32_t at = 0; at < o->dim; at++)
      any = (may_move[at] = operating_is_position(o, at) && operating_cyclic(o, at)) || any;
    uint32_t before = x->iterations;
    if (any && attempt(x, may_move)) {
      e.status = equilibrium_steady;
      e.message = NULL;
      operating_rates(o, x->y, x->rates, NULL);
      for (uint32_t at = 0; at < o->dim; at++) e.moving[at] = may_move[at] && fabs(x->rates[at]) > 1e-12;
    } else if (any) {
      x->iterations -= before;
      explain(x, &e);
    }
  }
  if (e.status != equilibrium_none) find_free(x, &e);
  e.iterations = x->iterations;
  memcpy(e.y, x->y, o->dim * sizeof *e.y);
  if (arena_failed(o->arena)) e.status = equilibrium_no_memory;
  return e;
}
