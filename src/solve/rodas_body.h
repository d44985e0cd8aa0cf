// The arithmetic of rodas: a stiffly accurate Rosenbrock method of order 5 (Rodas5P) with the exact Jacobian and dense
// output, over one lane or eight (solve/vector.h).
//
// in    y' = f(t, y), J = df/dy, df/dt, tolerances, a step from t of size h
// out   y+, the error, the continuous extension
//
//   (1/(gamma h) - J) u_i = f(t + alpha_i h, y + sum_j a_ij u_j) + sum_j c_ij/h u_j + h gamma_i df/dt,   i = 1 .. 8
//   y+ = y + sum_j a_8j u_j + u_8,   error = u_8, and that of the dense output by its defect in the middle
//
// (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.7). No iteration: eight solves with one factorization
// a step. The quadratures depend on the checked components but nothing depends on them, so 1/(gamma h) - J is block
// triangular: the factors are those of the checked part, and the rest follows by substitution. They are taken in units
// of the sizes of the components (powers of two, so nothing is rounded): elimination compares rows, and volts are no
// coulombs.
#ifndef VIVA_SOLVE_RODAS_BODY_H
#define VIVA_SOLVE_RODAS_BODY_H

#include "solve/rodas_table.h"
#include "solve/step_body.h"

// ---- memory, and linear systems

static bool rodas_matrix_init(Step *w) {
  const StepJacobian *j = w->j;
#if SOLVE_WIDTH == 1
  return linear_init_sparse(&w->matrix, w->arena, w->m, j->start, j->row, w->place, w->diagonal);
#else
  bool ok = lu_init(&w->matrix, w->arena, w->m);
  if (ok) lu_places(&w->matrix, j->start, j->row, w->place, w->diagonal);
  return ok;
#endif
}

// Returns the lanes of the mask that have factors.
static unsigned rodas_matrix_factor(Step *w, unsigned mask) {
#if SOLVE_WIDTH == 1
  return linear_factor(&w->matrix) ? mask : 0;
#else
  return lu_factor(&w->matrix, mask);
#endif
}

static void rodas_matrix_solve(Step *w, Lanes *b) {
#if SOLVE_WIDTH == 1
  linear_solve(&w->matrix, b);
#else
  lu_solve(&w->matrix, b);
#endif
}

// Memory and the Jacobian, when they are first needed. False: out of memory, or there is no Jacobian.
static bool rodas_init(Step *w) {
  if (w->j) return true;
  const StepJacobian *j = w->p->jacobian ? w->p->jacobian(w->p->self) : NULL;
  if (!j) return false;
  Lanes **vectors[] = {&w->f0, &w->dfdt, &w->defect, &w->unit, &w->per_unit};
  for (int i = 0; i < 5; i++) *vectors[i] = lanes_new(w->arena, w->n);
  for (int i = 0; i < rodas_stages; i++) w->u[i] = lanes_new(w->arena, w->n);
  w->entries = lanes_new(w->arena, j->count);
  w->fresh_entries = L > 1 ? lanes_new(w->arena, j->count) : w->entries;
  w->place = arena_array(w->arena, (size_t)j->count + 1, sizeof *w->place);
  w->diagonal = arena_array(w->arena, (size_t)w->m + 1, sizeof *w->diagonal);
  if (!step_extension_init(w, 3)) return false;
  w->j = j;
  return rodas_matrix_init(w);
}

// ---- the start of a step

// f, J and df/dt at t, y for the lanes of the mask; returns those where f is finite.
static unsigned rodas_look(Step *w, unsigned mask) {
  const StepJacobian *j = w->j;
  Lanes *rates = L > 1 ? w->temp : w->f0; // one lane has nothing to keep
  unsigned finite = step_f(w, mask, &w->t, w->y, rates);
  if (!finite) return 0;
  Bits which = bits_of(finite);
  for (uint32_t e = 0; L > 1 && e < w->n; e++) w->f0[e] = blend(which, rates[e], w->f0[e]);
  step_jacobian(w, finite, w->fresh_entries);
  for (uint32_t k = 0; L > 1 && k < j->count; k++) w->entries[k] = blend(which, w->fresh_entries[k], w->entries[k]);
  for (uint32_t k = j->start[w->m]; k < j->start[w->m + 1]; k++) w->dfdt[j->row[k]] = w->entries[k];
  for (int l = 0; l < L; l++) w->run[l]->r.jacobians += finite >> l & 1;
  return finite;
}

// The row sum norm of J, at least the size of its largest eigenvalue.
static Lanes rodas_norm(const Step *w) {
  const StepJacobian *j = w->j;
  Lanes largest = all(0), *sum = w->temp;
  memset(sum, 0, w->m * sizeof *sum);
  for (uint32_t k = 0; k < j->start[w->m]; k++) {
    if (j->row[k] < w->m) sum[j->row[k]] += size_of(w->entries[k]);
  }
  for (uint32_t e = 0; e < w->m; e++) largest = larger_of(sum[e], largest);
  return largest;
}

// ---- units and factors

// The units of components that have none: what others bring to them in a step. Returns the lanes in which some were
// found.
static unsigned rodas_bring_units(Step *w, unsigned mask) {
  const StepJacobian *j = w->j;
  Lanes *brought = w->per_unit;
  unsigned found = 0;
  memset(brought, 0, w->m * sizeof *brought);
  for (uint32_t c = 0; c < w->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < w->m) brought[j->row[k]] += size_of(w->entries[k]) * w->unit[c];
    }
  }
  for (uint32_t e = 0; e < w->m; e++) {
    for (int l = 0; l < L; l++) {
      if (!(mask >> l & 1) || AT(w->unit[e], l) != 0) continue;
      AT(w->unit[e], l) = ode_unit(AT(w->h, l) * AT(brought[e], l), 0, 0);
      if (AT(w->unit[e], l) > 0) found |= 1u << l;
    }
  }
  return found;
}

// The unit of a component: its size, or what it moves by in a step, or what others bring to it, from one to the next,
// but not less than what rounding makes of it. One that nothing reaches has the smallest: nobody compares with it.
static void rodas_set_units(Step *w, unsigned mask) {
  unsigned missing = 0;
  for (uint32_t e = 0; e < w->m; e++) {
    for (int l = 0; l < L; l++) {
      double size = fmax(fabs(AT(w->y[e], l)), AT(w->scales.noise[e], l)), step = AT(w->h, l) * fabs(AT(w->f0[e], l));
      AT(w->unit[e], l) = ode_unit(size, AT(w->scales.seen[e], l), step);
      if (!(AT(w->unit[e], l) > 0)) missing |= 1u << l;
    }
  }
  missing &= mask;
  for (int pass = 0; missing && pass < ode_unit_passes; pass++) missing = rodas_bring_units(w, missing);
  for (int l = 0; l < L; l++) {
    double least = INFINITY;
    for (uint32_t e = 0; e < w->m; e++) {
      double unit = AT(w->unit[e], l);
      least = unit > 0 && unit < least ? unit : least;
    }
    for (uint32_t e = 0; e < w->m; e++) {
      if (AT(w->unit[e], l) == 0) AT(w->unit[e], l) = least < INFINITY ? least : 1;
      AT(w->per_unit[e], l) = 1 / AT(w->unit[e], l);
    }
  }
}

// The factors of 1/(gamma h) - J, checked part; returns the lanes that have them.
static unsigned rodas_factor(Step *w, unsigned mask) {
  const StepJacobian *j = w->j;
  Lanes *a = w->matrix.a;
  rodas_set_units(w, mask);
  memset(a, 0, w->matrix.count * sizeof *a);
  for (uint32_t c = 0; c < w->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < w->m) a[w->place[k]] = -w->entries[k] * w->unit[c] * w->per_unit[j->row[k]];
    }
    a[w->diagonal[c]] += 1 / (rodas_gamma * w->h);
  }
  for (int l = 0; l < L; l++) w->run[l]->r.factorizations += mask >> l & 1;
  return rodas_matrix_factor(w, mask);
}

// b := (1/(gamma h) - J)^-1 b
static void rodas_solve(Step *w, Lanes *b) {
  const StepJacobian *j = w->j;
  for (uint32_t e = 0; e < w->m; e++) b[e] *= w->per_unit[e];
  rodas_matrix_solve(w, b);
  for (uint32_t e = 0; e < w->m; e++) b[e] *= w->unit[e];
  for (uint32_t c = 0; w->n > w->m && c < w->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] >= w->m) b[j->row[k]] += w->entries[k] * b[c];
    }
  }
  for (uint32_t e = w->m; e < w->n; e++) b[e] *= rodas_gamma * w->h;
}

// ---- a trial step

// Sums of squares in tolerances; the parts of the components in the lanes of the mask.
static Lanes rodas_squares(Step *w, unsigned mask, const Lanes *d) {
  Lanes sum = all(0);
  Bits which = bits_of(mask);
  for (uint32_t e = 0; e < w->m; e++) {
    Lanes c = d[e] / step_tolerance(w, e, w->y[e], w->next[e]);
    w->scaled[e] = blend(which, size_of(c), w->scaled[e]);
    sum += c * c;
  }
  return sum;
}

// The continuous extension at the part a of the step.
static void rodas_dense_at(const Step *w, Lanes a, Lanes *out) {
  Lanes b = 1 - a;
  for (uint32_t e = 0; e < w->n; e++) {
    Lanes inner = w->dense[0][e] + a * (w->dense[1][e] + a * w->dense[2][e]);
    out[e] = b * w->y[e] + a * (w->next[e] + b * inner);
  }
}

// The same, but what does not change within the step keeps its very bits.
static void rodas_steady_at(const Step *w, Lanes a, Lanes *out) {
  Lanes b = 1 - a;
  for (uint32_t e = 0; e < w->n; e++) {
    Lanes inner = w->dense[0][e] + a * (w->dense[1][e] + a * w->dense[2][e]);
    out[e] = w->y[e] + a * (w->next[e] - w->y[e] + b * inner);
  }
}

// The error of the continuous extension in the middle of the step, by its defect d = f(z) - z': (1/(gamma h) - J)^-1 d
// is the error of z itself where the problem is stiff, and the defect times a part of the step where it is not. Returns
// the lanes where it is finite; *inside: the error.
static unsigned rodas_dense_error(Step *w, unsigned mask, Lanes *inside) {
  Lanes factor[rodas_stages];
  const Lanes *stage[rodas_stages];
  memset(w->defect, 0, w->n * sizeof *w->defect);
  for (int i = 0; i < 3; i++) {
    for (int l = 0; l < rodas_stages; l++) factor[l] = all(rodas_dense[i][l]), stage[l] = w->u[l];
    step_sum(w->n, w->dense[i], w->defect, factor, stage, rodas_stages);
  }
  rodas_dense_at(w, all(0.5), w->z);
  w->at = w->t + 0.5 * w->h;
  Lanes *d = w->defect;
  mask = step_f(w, mask, &w->at, w->z, d);
  if (!mask) return 0;
  for (uint32_t e = 0; e < w->n; e++) d[e] -= (w->next[e] - w->y[e] + 0.25 * (w->dense[1][e] + w->dense[2][e])) / w->h;
  rodas_solve(w, d);
  Lanes sum = rodas_squares(w, mask, d);
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    AT(*inside, l) = w->m ? sqrt(AT(sum, l) / w->m) : 0;
    if (!isfinite(AT(*inside, l))) mask &= ~(1u << l);
  }
  return mask;
}

// Stage i: the solution u_i. Returns the lanes that stayed finite.
static unsigned rodas_stage(Step *w, unsigned mask, int i) {
  Lanes *k = w->u[i], *z = i + 1 == rodas_stages ? w->next : w->z, factor[rodas_stages];
  const Lanes *stage[rodas_stages];
  for (int l = 0; l < i; l++) stage[l] = w->u[l];
  if (i == 0) {
    memcpy(k, w->f0, w->n * sizeof *k);
  } else {
    for (int l = 0; l < i; l++) factor[l] = all(rodas_a[i][l]);
    step_sum(w->n, z, w->y, factor, stage, i);
    w->at = w->t + rodas_time[i] * w->h;
    mask = step_f(w, mask, &w->at, z, k);
    if (!mask) return 0;
  }
  // the other side: with the stages before, and df/dt
  for (int l = 0; l < i; l++) factor[l] = rodas_c[i][l] / w->h;
  factor[i] = w->h * rodas_slope[i];
  stage[i] = w->dfdt;
  step_sum(w->n, k, k, factor, stage, rodas_slope[i] != 0 ? i + 1 : i);
  rodas_solve(w, k);
  return mask;
}

// One trial step; returns the lanes that stayed finite, and their errors.
static unsigned rodas_try(Step *w, unsigned mask) {
  for (int i = 0; i < rodas_stages; i++) {
    mask = rodas_stage(w, mask, i);
    if (!mask) return 0;
  }
  for (uint32_t e = 0; e < w->n; e++) w->next[e] += w->u[rodas_stages - 1][e];
  mask = step_set_errors(w, mask, rodas_squares(w, mask, w->u[rodas_stages - 1]), true);
  unsigned good = 0;
  for (int l = 0; l < L; l++) {
    if ((mask >> l & 1) && !(AT(w->err, l) > 1)) good |= 1u << l;
  }
  if (!good) return mask;
  Lanes inside = all(0);
  unsigned finite = rodas_dense_error(w, good, &inside);
  for (int l = 0; l < L; l++) {
    if (finite >> l & 1) AT(w->err, l) = fmax(AT(w->err, l), AT(inside, l) / ODE_DENSE_FACTOR);
  }
  return (mask & ~good) | finite;
}

// ---- what a trial step teaches

// As explicit_rate_rounding: through the equations of the step.
static void rodas_rate_rounding(Step *w, int l, Lanes *noise, Lanes *d) {
  const OdeRun *u = w->run[l];
  if (!step_switching(w, l, d)) return;
  rodas_solve(w, d);
  double grow = fmax(1, 1e-3 * (w->s->t1 - w->s->t0) / u->h); // steps will grow, where nothing else holds them
  for (uint32_t e = 0; e < w->m; e++)
    AT(noise[e], l) = fmax(AT(noise[e], l), ODE_NOISE_FACTOR * grow * fabs(AT(d[e], l)));
}

// What rounding may do to the rates of lane l, through the equations of the step; d is used up.
static void rodas_add_rounding(Step *w, int l, Lanes *d, Lanes *noise) {
  bool any = false;
  for (uint32_t e = 0; e < w->n; e++) {
    double own = e < w->m ? AT(d[e], l) : 0;
    any = any || own > 0;
    d[e] = all(0);
    AT(d[e], l) = own;
  }
  if (!any) return;
  rodas_solve(w, d);
  for (uint32_t e = 0; e < w->m; e++) AT(noise[e], l) = fmax(AT(noise[e], l), ODE_NOISE_FACTOR * fabs(AT(d[e], l)));
}

// What the trial step of lane l teaches. Rounding of f counts as the solution of the step's equations with it: a stiff
// component hardly feels it.
static void rodas_learn(Step *w, int l, int lesson) {
  Lanes *noise = w->rate_errors, *moved = w->shaken, *most = w->shaken_most;
  bool rounding = lesson & lesson_rounding;
  if (!lesson) return;
  memset(noise, 0, w->m * sizeof *noise);
  memset(most, 0, w->m * sizeof *most);
  for (int round = 0; rounding && round < ode_shakes; round++) {
    if (!step_shake(w, l, w->f0, moved, round)) continue;
    for (uint32_t e = 0; e < w->m; e++) AT(most[e], l) = fmax(AT(most[e], l), fabs(AT(moved[e], l)));
    rodas_solve(w, moved);
    for (uint32_t e = 0; e < w->m; e++) {
      double size = ODE_NOISE_FACTOR * fabs(AT(moved[e], l));
      if (size > AT(noise[e], l)) AT(noise[e], l) = size;
    }
  }
  if (rounding && step_too_steep(w, l, w->f0, most, moved)) memset(noise, 0, w->m * sizeof *noise);
  else if (rounding) rodas_add_rounding(w, l, moved, noise);
  if (rounding) rodas_rate_rounding(w, l, noise, moved);
  step_take_lesson(w, l, lesson, noise);
}

#endif
