// The frame for the arithmetic of a step, over one lane or eight (solve/vector.h): the memory of the adaptive methods,
// the evaluations of the problem, the choice of the first step size, and the update of the component sizes after a
// trial step. explicit_body.h and rodas_body.h stand on it.
#ifndef VIVA_SOLVE_STEP_BODY_H
#define VIVA_SOLVE_STEP_BODY_H

#include "solve/lanes.h"
#include "solve/scale.h"
#include "solve/steps.h"

#if SOLVE_WIDTH == 1
#include "solve/linear.h"
typedef OdeProblem StepProblem;
typedef OdeJacobian StepJacobian;
typedef Linear StepMatrix; // ours, LAPACK's or sparse, by size
#else
#include "solve/linear_body.h"
typedef LaneProblem StepProblem;
typedef LaneJacobian StepJacobian;
typedef Lu StepMatrix;
#endif

enum { most_stages = 16, most_terms = 8, rodas_stages = 8 };

typedef struct Step {
  Arena *arena;
  const StepProblem *p;
  const OdeSettings *s;
  uint32_t n, m;  // all components; the checked ones
  uint32_t live;  // those that move: n, or m where the quadratures are zero throughout
  OdeRun *run[L]; // each lane's run
  OdeScales scales;
  Lanes t, h, at;              // where the step starts, its size; the time of an evaluation
  Lanes err;                   // of the last trial
  Lanes reach, moved;          // h times the largest eigenvalue; the last step against the size of y
  Lanes *y, *next;             // at its start and its end
  Lanes *z, *temp;             // room
  Lanes *scaled;               // by component: its part in the error of the last trial, in tolerances
  Lanes *failed;               // by component: scaled in the last trial that was rejected
  Lanes *shaken, *rate_errors; // room to measure rounding
  Lanes *shaken_most;
  Lanes *k[most_stages];    // stages of the explicit method; k[0] is f at the start
  Lanes *dense[most_terms]; // coefficients of the continuous extension
  // rodas
  const StepJacobian *j;
  Lanes *entries, *fresh_entries; // of the Jacobian
  Lanes *f0, *dfdt, *defect;
  Lanes *unit, *per_unit; // of the checked components, and their inverses
  Lanes *u[rodas_stages];
  StepMatrix matrix;        // 1/(gamma h) - J
  size_t *place, *diagonal; // where in it the entries of J stand
} Step;

// ---- memory

static inline bool step_init(Step *w, Arena *arena, const StepProblem *p, const OdeSettings *s) {
  w->arena = arena;
  w->p = p;
  w->s = s;
  w->n = p->n;
  w->m = p->checked;
  w->live = p->empty ? p->checked : p->n;
  Lanes **vectors[] = {&w->next, &w->z, &w->temp, &w->scaled, &w->failed, &w->shaken, &w->rate_errors, &w->shaken_most};
  for (int i = 0; i < 8; i++) *vectors[i] = lanes_new(arena, (size_t)w->n + 1);
  return ode_scales_init(&w->scales, arena, s, w->m, p->kinds) && !arena_failed(arena);
}

static inline bool step_extension_init(Step *w, int terms) {
  for (int i = 0; i < terms; i++) {
    if (!w->dense[i]) w->dense[i] = lanes_new(w->arena, w->n);
  }
  return !arena_failed(w->arena);
}

// ---- what is asked of the problem

// f for the lanes of the mask; returns those that are finite.
static inline unsigned step_f(Step *w, unsigned mask, const Lanes *t, const Lanes *y, Lanes *out) {
  for (int l = 0; l < L; l++) w->run[l]->r.evaluations += mask >> l & 1;
#if SOLVE_WIDTH == 1
  return w->p->f(w->p->self, *t, y, out);
#else
  return mask & w->p->f(w->p->self, mask, (const double *)t, (const double *)y, (double *)out);
#endif
}

static inline void step_jacobian(Step *w, unsigned mask, Lanes *entries) {
#if SOLVE_WIDTH == 1
  (void)mask;
  w->j->eval(w->p->self, w->t, w->y, entries);
#else
  w->j->eval(w->p->self, mask, (const double *)&w->t, (const double *)w->y, (double *)entries);
#endif
}

// Puts y at t onto the manifold; returns the lanes that were changed. *failed: those in which the projection failed.
static inline unsigned step_project(Step *w, unsigned mask, const Lanes *t, Lanes *y, unsigned *failed) {
  *failed = 0;
  if (!w->p->project || !mask) return 0;
#if SOLVE_WIDTH == 1
  OdeProjection seen = w->p->project(w->p->self, *t, y);
  *failed = seen == projection_failed;
  return seen == projection_moved;
#else
  return w->p->project(w->p->self, mask, (const double *)t, (double *)y, failed);
#endif
}

// ---- sums of stages

// Are there so few components that loops cost more than they do? Not where eight numbers are no register.
static inline bool step_sums_are_small(uint32_t n) {
#if SOLVE_WIDTH == 1 || defined(__AVX512F__)
  return n <= 4;
#else
  (void)n;
  return false;
#endif
}

// z = from + sum_j factor_j stage_j, added from left to right; four at a time, so that the factors stay in registers.
static inline void step_sum(uint32_t n, Lanes *z, const Lanes *from, const Lanes *factor, const Lanes *const *stage,
                            int count) {
  int j = 0;
  if (step_sums_are_small(n)) {
    for (uint32_t e = 0; e < n; e++) {
      Lanes sum = from[e];
      for (int i = 0; i < count; i++) sum += factor[i] * stage[i][e];
      z[e] = sum;
    }
    return;
  }
  if (count == 0) memcpy(z, from, n * sizeof *z);
  for (; j + 4 <= count; j += 4, from = z) {
    const Lanes *a = stage[j], *b = stage[j + 1], *c = stage[j + 2], *d = stage[j + 3];
    Lanes p = factor[j], q = factor[j + 1], r = factor[j + 2], s = factor[j + 3];
    for (uint32_t e = 0; e < n; e++) z[e] = from[e] + p * a[e] + q * b[e] + r * c[e] + s * d[e];
  }
  for (; j + 2 <= count; j += 2, from = z) {
    const Lanes *a = stage[j], *b = stage[j + 1];
    Lanes p = factor[j], q = factor[j + 1];
    for (uint32_t e = 0; e < n; e++) z[e] = from[e] + p * a[e] + q * b[e];
  }
  for (; j < count; j++, from = z) {
    const Lanes *a = stage[j];
    Lanes p = factor[j];
    for (uint32_t e = 0; e < n; e++) z[e] = from[e] + p * a[e];
  }
}

// ---- errors

// Tolerance of component e between the values a and b.
static inline Lanes step_tolerance(const Step *w, uint32_t e, Lanes a, Lanes b) {
  Lanes x = size_of(a), y = size_of(b);
  return w->scales.atol[e] + w->s->rtol * larger_of(x, y);
}

// The largest part of a component in the error of lane l, and whose it is. An error of a thousand times the size of a
// component says no more than one of any size: where the end is zero it would become smaller with the step for ever.
static inline double step_worst(Step *w, int l) {
  double worst = 0;
  for (uint32_t e = 0; e < w->m; e++) {
    double part = AT(w->scaled[e], l);
    if (!(part > worst)) continue;
    worst = part;
    w->run[l]->r.held_by = e + 1;
  }
  return fmin(worst, 1e3 / w->s->rtol);
}

// The trial of lane l was rejected, and has taught what it could.
static inline void step_remember_failure(Step *w, int l) {
  for (uint32_t e = 0; e < w->m; e++) AT(w->failed[e], l) = AT(w->scaled[e], l);
}

// How far rounding may put the rates of lane l off, in `off`, one number a component. NULL: that is not known.
static inline const double *step_rounding(Step *w, int l, Lanes *room, Lanes *off) {
  double *y = (double *)room, *error = (double *)off;
  if (!w->p->rounding) return NULL;
  for (uint32_t e = 0; e < w->n; e++) y[e] = AT(w->y[e], l);
#if SOLVE_WIDTH == 1
  return w->p->rounding(w->p->self, w->t, y, error) ? error : NULL;
#else
  return w->p->rounding(w->p->self, l, AT(w->t, l), y, error) ? error : NULL;
#endif
}

// The trial of lane l lies within its tolerance. Components that were measured by their kind, and have a size of their
// own by now, are measured by that; where the step was too long for one of them, the error of the trial says so.
static inline void step_find_own_sizes(Step *w, int l, bool implicit) {
  OdeScales *x = &w->scales;
  double worst = 0, h = AT(w->h, l), part = h / (AT(w->t, l) + h - w->s->t0);
  bool left = false, found = false;
  const double *rounding = NULL;
  for (uint32_t e = 0; e < w->m; e++) {
    if (!(AT(x->kind_part[e], l) > 0)) continue;
    Lanes tolerance = step_tolerance(w, e, w->y[e], w->next[e]);
    OdeGrowth g = {AT(x->seen[e], l), fabs(AT(w->next[e], l)), AT(w->scaled[e], l) * AT(tolerance, l), part};
    bool unresolved = !implicit && ode_is_unresolved(g);
    bool sized = (unresolved || ode_has_settled(g)) && g.after > ode_roundoff_grown * AT(x->roundoff[e], l);
    if (sized && !rounding) rounding = step_rounding(w, l, w->shaken, w->rate_errors);
    bool roundoff = sized && rounding && g.after <= h / part * rounding[e];
    if (roundoff) AT(x->roundoff[e], l) = g.after;
    if (!sized || roundoff) {
      left = true;
      continue;
    }
    double own = ode_own_atol(x, e, l) + w->s->rtol * fmax(fabs(AT(w->y[e], l)), g.after);
    found = true;
    AT(x->kind_part[e], l) = 0;
    AT(w->scaled[e], l) = g.error / own;
    worst = fmax(worst, g.error / own);
  }
  if (!left) x->by_kind &= ~(1u << l);
  if (!found) return;
  ode_set_atol(x);
  AT(w->err, l) = fmax(AT(w->err, l), worst / sqrt(w->m));
}

// The root mean square of components whose squares sum up to these. Returns the lanes where it is finite.
static inline unsigned step_set_errors(Step *w, unsigned mask, Lanes sum, bool implicit) {
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    AT(w->err, l) = w->m ? sqrt(AT(sum, l) / w->m) : 0;
    if ((w->scales.by_kind >> l & 1) && AT(w->err, l) <= 1) step_find_own_sizes(w, l, implicit);
    if (!isfinite(AT(w->err, l))) mask &= ~(1u << l);
  }
  return mask;
}

// ---- the first step

// Lanes in which component e has no size yet. (An absolute tolerance of the user is one.)
static inline Bits step_is_new(const Step *w, uint32_t e) {
  const Lanes none = all(0), given = all(w->s->atol);
  return (w->y[e] == none) & (w->s->by_scale ? w->scales.seen[e] == none : given == none);
}

// Sizes of y and of k = y' in tolerances, sums of squares; new components have none.
static inline void step_first_sizes(const Step *w, const Lanes *k, Lanes *d0, Lanes *d1) {
  const Lanes none = all(0);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes sc = step_tolerance(w, e, w->y[e], w->y[e]), y = w->y[e] / sc, rate = k[e] / sc;
    Bits fresh = step_is_new(w, e);
    *d0 += blend(fresh, none, y * y);
    *d1 += blend(fresh, none, rate * rate);
  }
}

// The time in which things change; temp: f at the first look, h0 ahead.
static inline Lanes step_first_units(const Step *w, unsigned mask, const Lanes *k, Lanes d0, Lanes h0) {
  const Lanes none = all(0);
  Lanes change = all(0), unit = all(0);
  Bits count = all_bits(0);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes a = size_of(k[e]), b = size_of(w->temp[e]), c = (w->temp[e] - k[e]) / larger_of(a, b);
    Bits fresh = step_is_new(w, e) & (k[e] != none);
    change += blend(fresh, c * c, none);
    count = count_up(count, fresh);
  }
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    double span = w->s->t1 - w->run[l]->r.t;
    AT(unit, l) = ode_time_unit(AT(d0, l), AT(change, l), (uint32_t)AT(count, l), AT(h0, l), span);
  }
  return unit;
}

// First steps by comparing y, y' = k and a crude y'' with the tolerances. Unit-free: times are measured in the time in
// which y changes by its size. Sets h of the runs.
static inline void step_first(Step *w, unsigned mask, const Lanes *k, int order) {
  Lanes d0 = all(0), d1 = all(0), d2 = all(0), h0 = all(0);
  const Lanes none = all(0);
  step_first_sizes(w, k, &d0, &d1);
  for (int l = 0; l < L; l++) {
    double t = w->run[l]->r.t;
    if (mask >> l & 1) AT(h0, l) = ode_first_guess(AT(d0, l), AT(d1, l), t, w->s->t1 - t);
  }
  // the first look: f a little ahead
  for (uint32_t e = 0; e < w->n; e++) w->z[e] = w->y[e] + h0 * k[e];
  w->at = w->t + h0;
  unsigned finite = step_f(w, mask, &w->at, w->z, w->temp);
  Bits good = bits_of(finite);
  Lanes unit = step_first_units(w, mask, k, d0, h0);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes sc = step_tolerance(w, e, w->y[e], w->y[e]), a = size_of(k[e]), b = size_of(w->temp[e]), size = h0 * a;
    Bits fresh = step_is_new(w, e), expected = fresh & good;
    // the size of a new one is what it moves by; its kind counts by what it is about to move by
    Lanes *kind = &w->scales.kind_seen[ode_kind(&w->scales, e)];
    sc = blend(fresh, w->s->rtol * unit * larger_of(a, b) + ODE_TINY, sc);
    Lanes rate = k[e] / sc, d = (w->temp[e] - k[e]) / sc;
    d1 += blend(fresh, rate * rate, none);
    *kind = blend(expected & is_above(size, *kind), size, *kind);
    d2 += d * d;
  }
  ode_set_atol(&w->scales);
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    double one = w->m ? AT(d1, l) / w->m : 0, two = w->m ? AT(d2, l) / w->m : 0, t = w->run[l]->r.t;
    w->run[l]->h = finite >> l & 1 ? ode_first_size(one, two, AT(unit, l), AT(h0, l), order, t) : AT(h0, l) * 1e-3;
  }
}

// ---- what a trial step teaches about lane l

// How far rounding of what switches may put the rates of lane l off (OdeEvents.rate_rounding), in `rates`; the others
// are 0. False: nothing switches.
static inline bool step_switching(Step *w, int l, Lanes *rates) {
  const OdeRun *u = w->run[l];
  const OdeEvents *events = u->p->events;
  if (!events || !events->rate_rounding) return false;
  double *y = (double *)w->temp, *out = (double *)w->z;
  for (uint32_t e = 0; e < w->n; e++) y[e] = AT(w->y[e], l);
  memset(out, 0, w->n * sizeof *out);
  events->rate_rounding(events->self, u->r.t, y, out);
  for (uint32_t e = 0; e < w->n; e++) {
    rates[e] = all(0);
    AT(rates[e], l) = out[e];
  }
  return true;
}

// The rounding of f as its changes where the last bits of t and y are others, in `moved`. k: f at t, y. False: not
// finite.
static inline bool step_shake(Step *w, int l, const Lanes *k, Lanes *moved, int round) {
  for (uint32_t e = 0; e < w->n; e++) {
    w->z[e] = w->y[e];
    AT(w->z[e], l) = ode_nudged(AT(w->y[e], l), e, round);
  }
  w->at = w->t;
  AT(w->at, l) = ode_shaken_time(w->run[l], round);
  if (!step_f(w, 1u << l, &w->at, w->z, moved)) return false;
  for (uint32_t e = 0; e < w->n; e++) moved[e] -= k[e];
  return true;
}

// Is f too steep at t, y? moved: the largest changes of f by rounding; k: f; far: workspace. Then it is reported, and
// rounding is no excuse. Else far has what rounding may do to rates, as far as that is known, else 0.
static inline bool step_too_steep(Step *w, int l, const Lanes *k, const Lanes *moved, Lanes *far) {
  OdeResult *r = &w->run[l]->r;
  bool any = false;
  for (uint32_t e = 0; e < w->m; e++) any = any || AT(moved[e], l) > 1e-3 * fabs(AT(k[e], l));
  r->steep = 0;
  bool shaken = any && !ode_cannot_shake(w->run[l]) && step_shake(w, l, k, far, ode_shakes);
  for (uint32_t e = 0; e < w->m; e++) {
    bool steep = shaken && ode_is_steep(AT(k[e], l), AT(moved[e], l), fabs(AT(far[e], l)));
    if (steep) r->steep = e + 1;
    AT(far[e], l) = steep ? 1 : 0;
  }
  const double *error = step_rounding(w, l, w->temp, w->z);
  if (!error) return r->steep != 0;
  r->steep = 0;
  for (uint32_t e = 0; e < w->m; e++) {
    OdeRounded seen =
        ode_see_rounding(AT(far[e], l) > 0, AT(k[e], l), AT(moved[e], l), error[e], AT(w->scales.rounded[e], l) > 0);
    if (seen == rounded_steep) r->steep = e + 1;
    if (seen == rounded_dominated) AT(w->scales.rounded[e], l) = 1;
    AT(far[e], l) = seen == rounded_dominated ? error[e] : ODE_LAST_DIGIT * error[e];
  }
  return r->steep != 0;
}

// Components without a size are measured by others of their kind that came out well in this trial, or before: those
// that have not moved yet, and those that are no better than in the trial before, which was longer.
static inline void step_learn_kind(Step *w, int l) {
  OdeScales *x = &w->scales;
  double part = w->run[l]->shrunk;
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes *kind = &x->kind_seen[ode_kind(x, e)];
    double size = fabs(AT(w->next[e], l));
    if (AT(w->scaled[e], l) <= 1 && size > AT(*kind, l)) AT(*kind, l) = size;
  }
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes tolerance = step_tolerance(w, e, w->y[e], w->next[e]);
    double most = w->s->atol * ODE_KIND_PART * AT(x->kind_seen[ode_kind(x, e)], l);
    double error = AT(w->scaled[e], l) * AT(tolerance, l);
    bool small = error <= most && w->s->rtol * AT(x->seen[e], l) <= most;
    bool unmoved = AT(x->seen[e], l) == 0 && w->s->rtol * fabs(AT(w->next[e], l)) <= ODE_TINY;
    bool stuck = unmoved || AT(w->scaled[e], l) > fmax(1, part * part * AT(w->failed[e], l));
    if (!(AT(x->unsized[e], l) > 0) || !small || !stuck) continue;
    AT(x->kind_part[e], l) = ODE_KIND_PART;
    x->by_kind |= 1u << l;
  }
}

// Takes the noise of a step, and the kind's size for those components that it lets pass.
static inline void step_take_lesson(Step *w, int l, int lesson, const Lanes *noise) {
  OdeScales *x = &w->scales;
  const OdeSettings *s = w->s;
  OdeRun *u = w->run[l];
  if ((lesson & lesson_kind) && s->by_scale) step_learn_kind(w, l);
  bool counts = false;
  for (uint32_t e = 0; (lesson & lesson_rounding) && e < w->m; e++) {
    double promised = AT(x->atol[e], l) - AT(x->noise[e], l) + s->rtol * fabs(AT(w->y[e], l));
    counts = counts || AT(noise[e], l) > ODE_NOISE_PART * promised;
  }
  for (uint32_t e = 0; (lesson & lesson_rounding) && e < w->m; e++) {
    // what has not moved yet has the size that it moves by
    double size = s->by_scale ? fmax(AT(x->seen[e], l), fabs(AT(w->next[e], l))) : fabs(AT(w->y[e], l));
    double promised = AT(x->atol[e], l) - AT(x->noise[e], l) + s->rtol * size;
    AT(x->noise[e], l) = counts ? AT(noise[e], l) : 0;
    ode_tell_noise(&u->r, e, ode_is_roundoff(x, e, l, AT(noise[e], l)) ? 0 : AT(noise[e], l) / promised);
  }
  if (lesson & lesson_rounding) ode_plan_shake(u, counts);
  ode_set_atol(x);
}

#endif
