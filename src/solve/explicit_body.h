// The arithmetic of the adaptive explicit Runge-Kutta methods with dense output: dopri5 (Dormand and Prince 5(4)) and
// dop853 (8(5,3)), over one lane or eight (solve/vector.h).
//
// in    y' = f(t, y), tolerances, a step from t of size h, k_0 = f(t, y)
// out   y+ and f there, the error, the continuous extension, an estimate of stiffness
//
//   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   err^2 = mean of (h sum_i e_i k_i / (atol + rtol max(|y|, |y+|)))^2
//
// over the checked components; dop853 takes h five / sqrt(five + three/100), of two estimates of order 5 and 3 (Hairer,
// Norsett, Wanner, Solving Ordinary Differential Equations I, II.5, II.6 and II.10).
//
// Stiffness (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.2): the last two stages lie at the same
// time, so h |f(next) - f(z)| / |next - z| estimates h times the largest eigenvalue.
#ifndef VIVA_SOLVE_EXPLICIT_BODY_H
#define VIVA_SOLVE_EXPLICIT_BODY_H

#include "solve/dop853_table.h"
#include "solve/dopri5_table.h"
#include "solve/step_body.h"

static bool explicit_init(Step *w) {
  for (int i = 0; i < most_stages; i++) w->k[i] = lanes_new(w->arena, w->n);
  return step_extension_init(w, most_terms);
}

// z = y + h sum_j w_j k_j
static void explicit_combine(const Step *w, Lanes *z, const double *weights, int count) {
  Lanes factors[most_stages];
  const Lanes *stage[most_stages];
  int used = 0, at[most_stages];
  for (int j = 0; step_sums_are_small(w->live) && j < count; j++) {
    at[used] = j;
    used += weights[j] != 0;
  }
  if (step_sums_are_small(w->live)) { // the same, component by component
    for (uint32_t e = 0; e < w->live; e++) {
      Lanes sum = w->y[e];
      for (int i = 0; i < used; i++) sum += w->h * weights[at[i]] * w->k[at[i]][e];
      z[e] = sum;
    }
    return;
  }
  for (int j = 0; j < count; j++) {
    if (weights[j] == 0) continue;
    factors[used] = w->h * weights[j];
    stage[used++] = w->k[j];
  }
  step_sum(w->live, z, w->y, factors, stage, used);
}

// Stage i at z; returns the lanes that stayed finite.
static unsigned explicit_stage(Step *w, unsigned mask, int i, double c, Lanes *z) {
  w->at = w->t + c * w->h;
  return step_f(w, mask, &w->at, z, w->k[i]);
}

// One trial step of dopri5; returns the lanes that stayed finite, and their errors.
static unsigned explicit_try_five(Step *w, unsigned mask) {
  for (int i = 1; mask && i < 7; i++) {
    Lanes *z = i == 6 ? w->next : w->z;
    explicit_combine(w, z, a5[i], i);
    mask = explicit_stage(w, mask, i, c5[i], z);
  }
  if (!mask) return 0;
  Lanes sum = all(0);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes d = all(0);
    for (int i = 0; i < 7; i++) d += e5[i] * w->k[i][e];
    d *= w->h / step_tolerance(w, e, w->y[e], w->next[e]);
    w->scaled[e] = size_of(d);
    sum += d * d;
  }
  return step_set_errors(w, mask, sum, false);
}

// The two estimates of dop853, sums of squares without the factor h.
static void explicit_errors_eight(Step *w, Lanes *five, Lanes *three) {
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes d5sum = all(0), d3sum = all(0);
    for (int i = 0; i < 12; i++) {
      d5sum += e5_853[i] * w->k[i][e];
      d3sum += (a853[12][i] - b3_853[i]) * w->k[i][e];
    }
    Lanes sc = step_tolerance(w, e, w->y[e], w->next[e]), a = d5sum / sc, b = d3sum / sc;
    w->scaled[e] = size_of(w->h * d5sum / sc);
    *five += a * a;
    *three += b * b;
  }
}

// One trial step of dop853; f at its end is there where the error is not too large.
static unsigned explicit_try_eight(Step *w, unsigned mask) {
  for (int i = 1; mask && i < 12; i++) {
    explicit_combine(w, w->z, a853[i], i);
    mask = explicit_stage(w, mask, i, c853[i], w->z);
  }
  if (!mask) return 0;
  explicit_combine(w, w->next, a853[12], 12);
  Lanes five = all(0), three = all(0);
  explicit_errors_eight(w, &five, &three);
  unsigned good = 0;
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    double bottom = AT(five, l) + 0.01 * AT(three, l), err;
    if (bottom <= 0) bottom = 1;
    err = w->m ? fabs(AT(w->h, l)) * AT(five, l) / sqrt(bottom * w->m) : 0;
    AT(w->err, l) = err;
    if ((w->scales.by_kind >> l & 1) && err <= 1) step_find_own_sizes(w, l, false);
    if (!isfinite(AT(w->err, l))) mask &= ~(1u << l);
    else if (!(AT(w->err, l) > 1)) good |= 1u << l;
  }
  return good ? (mask & ~good) | explicit_stage(w, good, 12, 1, w->next) : mask;
}

static unsigned explicit_try(Step *w, unsigned mask) {
  return w->s->method == ode_dop853 ? explicit_try_eight(w, mask) : explicit_try_five(w, mask);
}

// Sets reach and moved of an accepted step.
static void explicit_find_reach(Step *w, unsigned mask) {
  int last = ode_explicit(w->s->method)->last;
  Lanes above = all(0), below = all(0), moved = all(0), size = all(0);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes sc = step_tolerance(w, e, w->y[e], w->next[e]);
    Lanes df = (w->k[last][e] - w->k[last - 1][e]) / sc, dy = (w->next[e] - w->z[e]) / sc;
    Lanes by = (w->next[e] - w->y[e]) / sc, y = w->y[e] / sc;
    above += df * df;
    below += dy * dy;
    moved += by * by;
    size += y * y;
  }
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    AT(w->moved, l) = AT(size, l) > 0 ? sqrt(AT(moved, l) / AT(size, l)) : 1;
    AT(w->reach, l) = AT(below, l) > 0 ? AT(w->h, l) * sqrt(AT(above, l) / AT(below, l)) : 0;
  }
}

// The ends of the steps, at `at`, go onto the manifold, and f there is taken again; returns the lanes that stay in the
// domain.
static unsigned explicit_project(Step *w, unsigned mask) {
  unsigned failed, moved = step_project(w, mask, &w->at, w->next, &failed);
  if (!moved) return mask & ~failed;
  Lanes *f = w->k[ode_explicit(w->s->method)->last];
  unsigned finite = step_f(w, moved, &w->at, w->next, w->temp);
  Bits which = bits_of(finite);
  for (uint32_t e = 0; e < w->n; e++) f[e] = blend(which, w->temp[e], f[e]);
  return mask & ~failed & ~(moved & ~finite);
}

// ---- the continuous extension

// Its coefficients; dop853 needs three more evaluations. Returns the lanes where it is finite.
static unsigned explicit_extend(Step *w, unsigned mask) {
  bool eight = w->s->method == ode_dop853;
  int last = ode_explicit(w->s->method)->last, stages = eight ? 16 : 7, more = eight ? 4 : 1;
  for (int i = 13; eight && mask && i < 16; i++) {
    explicit_combine(w, w->z, a853[i], i);
    mask = explicit_stage(w, mask, i, c853[i], w->z);
  }
  if (!mask) return 0;
  memset(w->temp, 0, w->n * sizeof *w->temp);
  for (int q = 0; q < more; q++) {
    const double *weights = eight ? d853[q] : d5;
    Lanes factors[most_stages];
    const Lanes *stage[most_stages];
    int used = 0;
    for (int i = 0; i < stages; i++) {
      if (weights[i] == 0) continue;
      factors[used] = all(weights[i]);
      stage[used++] = w->k[i];
    }
    step_sum(w->live, w->dense[4 + q], w->temp, factors, stage, used);
  }
  for (uint32_t e = 0; e < w->live; e++) {
    Lanes diff = w->next[e] - w->y[e], spline = w->h * w->k[0][e] - diff;
    w->dense[0][e] = w->y[e];
    w->dense[1][e] = diff;
    w->dense[2][e] = spline;
    w->dense[3][e] = diff - w->h * w->k[last][e] - spline;
    for (int q = 0; q < more; q++) w->dense[4 + q][e] = w->h * w->dense[4 + q][e];
  }
  return mask;
}

// y at the part x of the step.
static void explicit_dense(const Step *w, Lanes x, Lanes *out) {
  Lanes y = 1 - x;
  Lanes *const *d = w->dense;
  bool eight = w->s->method == ode_dop853;
  for (uint32_t e = 0; e < w->live; e++) {
    Lanes inner = d[4][e];
    if (eight) inner += x * (d[5][e] + y * (d[6][e] + x * d[7][e]));
    out[e] = d[0][e] + x * (d[1][e] + y * (d[2][e] + x * (d[3][e] + y * inner)));
  }
}

// The defect of the continuous extension: h (p' - f(p)) in the middle of the step, in tolerances, the largest
// component. It grows with the stiffness of a component, which the error of the step itself does not see. Infinite
// where f is.
static Lanes explicit_defect(Step *w, unsigned mask) {
  int terms = ode_explicit(w->s->method)->terms;
  // arrays that the continuous extension does not read: it may be made once more in this step
  Lanes *slope = w->k[1], *rates = terms < 8 ? w->dense[7] : w->k[2];
  for (uint32_t e = 0; e < w->live; e++) {
    // the nested form and its derivative, from the inside; factors x and 1 - x alternate, x outermost
    Lanes v = w->dense[terms - 1][e], d = all(0);
    for (int i = terms - 2; i >= 0; i--) {
      double sign = i % 2 ? -1 : 1;
      d = sign * v + 0.5 * d;
      v = w->dense[i][e] + 0.5 * v;
    }
    w->z[e] = v;
    slope[e] = d;
  }
  w->at = w->t + 0.5 * w->h;
  unsigned finite = step_f(w, mask, &w->at, w->z, rates);
  Lanes worst = all(0);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes d = size_of(slope[e] - w->h * rates[e]) / step_tolerance(w, e, w->y[e], w->next[e]);
    worst = larger_of(d, worst);
  }
  return blend(bits_of(finite), worst, all(INFINITY));
}

// Rows may have an error of this number of tolerances; beyond it they are made by steps of their own.
enum { explicit_row_defect = 50 };

// ---- what a trial step teaches

// Rounding of what switches, as far as the solution can be off by it: friction at the transition from stick to slip.
// Returns the time over which it acts.
static double explicit_rate_rounding(Step *w, int l, Lanes *noise, Lanes *rates) {
  const OdeRun *u = w->run[l];
  if (!step_switching(w, l, rates)) return u->h;
  double span = fmax(u->h, 1e-3 * (w->s->t1 - w->s->t0)); // steps will grow, where nothing else holds them
  for (uint32_t e = 0; e < w->m; e++)
    AT(noise[e], l) = fmax(AT(noise[e], l), ODE_NOISE_FACTOR * span * AT(rates[e], l));
  return span;
}

// What the trial step of lane l teaches.
static void explicit_learn(Step *w, int l, int lesson) {
  const OdeRun *u = w->run[l];
  Lanes *noise = w->rate_errors, *moved = w->shaken;
  bool rounding = lesson & lesson_rounding;
  if (!lesson) return;
  // what the last bits of t and y move in f
  memset(noise, 0, w->m * sizeof *noise);
  for (int round = 0; rounding && round < ode_shakes; round++) {
    if (!step_shake(w, l, w->k[0], moved, round)) continue;
    for (uint32_t e = 0; e < w->m; e++) {
      double d = fabs(AT(moved[e], l));
      if (d > AT(noise[e], l)) AT(noise[e], l) = d;
    }
  }
  double part = rounding && step_too_steep(w, l, w->k[0], noise, moved) ? 0 : ODE_NOISE_FACTOR * u->h;
  for (uint32_t e = 0; rounding && part > 0 && e < w->m; e++) AT(noise[e], l) = fmax(AT(noise[e], l), AT(moved[e], l));
  for (uint32_t e = 0; e < w->m; e++) AT(noise[e], l) *= part;
  double span = rounding ? explicit_rate_rounding(w, l, noise, moved) : u->h;
  // the noise of a velocity acts on its position
  memcpy(w->z, w->y, w->n * sizeof *w->z);
  for (uint32_t e = 0; e < w->m; e++) AT(w->z[e], l) += AT(noise[e], l);
  if (part > 0 && rounding && step_f(w, 1u << l, &w->t, w->z, moved)) {
    for (uint32_t e = 0; e < w->m; e++) {
      double time = ode_is_place(&w->scales, e) ? span : u->h;
      double d = time * fabs(AT(moved[e], l) - AT(w->k[0][e], l));
      if (d > AT(noise[e], l)) AT(noise[e], l) = d;
    }
  }
  step_take_lesson(w, l, lesson, noise);
}

#endif
