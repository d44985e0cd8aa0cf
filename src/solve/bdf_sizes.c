// Error norm of bdf: the nominal sizes of its components, and their rounding errors: what step_body.h, explicit_body.h
// and rodas_body.h do for one-step methods. Part of bdf_parts.h.
//
// Rounding: the last bits of t and y are changed, and what that changes in f is taken through the equation of a step,
// d = (1 - h J)^-1 h df, by a dense factorization.
#include "solve/bdf_parts.h"
#include "solve/lapack.h"

#include <cvodes/cvodes.h>
#include <float.h>

// LAPACK, with Fortran's calling convention
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dgetrs_(const char *trans, const int *n, const int *columns, const double *a, const int *lda, const int *pivot,
             double *b, const int *ldb, int *info, size_t);

// How far rounding may put each rate off. False: that is not known.
static bool ask_rounding(Bdf *b, double *out) {
  if (b->p->rounding && b->p->rounding(b->p->self, b->t, b->y, out)) return true;
  memset(out, 0, b->m * sizeof *out);
  return false;
}

// The same, and eps |J| |y|.
static void find_rate_rounding(Bdf *b, double *out) {
  const OdeJacobian *j = b->j;
  ask_rounding(b, out);
  j->eval(b->p->self, b->t, b->y, b->entries);
  for (uint32_t c = 0; c < b->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < b->m) out[j->row[k]] += DBL_EPSILON * fabs(b->entries[k] * b->y[c]);
    }
  }
}

// Components without a size; lacking: of one no other of its kind has one.
static uint32_t count_unsized(const Bdf *b, bool *lacking) {
  const OdeScales *x = b->scales;
  uint32_t count = 0;
  *lacking = false;
  for (uint32_t e = 0; e < b->m; e++) {
    if (x->seen[e] != 0) continue;
    count++;
    *lacking = *lacking || x->kind_seen[ode_kind(x, e)] == 0;
  }
  return count;
}

// Is a look h ahead too long? Rates that are entirely different there say nothing about sizes: over such a time a fast
// rotation leaves its circle, and a constraint answers with accelerations that do not occur in the solution. rate: f at
// y; b->dydt: f there.
static bool looks_too_far(const Bdf *b, double h, const double *rate) {
  const OdeScales *x = b->scales;
  double changed[ode_kinds] = {0}, all[ode_kinds] = {0};
  for (uint32_t e = 0; e < b->m; e++) {
    double change = fabs(b->dydt[e] - rate[e]);
    if (x->seen[e] > 0 && h * change > 0.5 * x->seen[e]) return true;
    if (x->seen[e] > 0) continue;
    changed[ode_kind(x, e)] += change;
    all[ode_kind(x, e)] += fabs(rate[e]);
  }
  for (int k = 0; k < ode_kinds; k++) {
    if (all[k] > 0 && changed[k] > all[k]) return true;
  }
  return false;
}

// The time of a look ahead, shortened until it is not too long. b->dydt: f at y, before and after.
static double shorten_look(Bdf *b, double h) {
  enum { most = 40 };
  double *row = N_VGetArrayPointer(b->row), *rate = b->noise + 2 * (size_t)b->m; // room
  memcpy(rate, b->dydt, b->m * sizeof *rate);
  for (int i = 0; i < most; i++, h *= 0.2) {
    for (uint32_t e = 0; e < b->m; e++) row[e] = b->y[e] + h * rate[e];
    if (bdf_evaluate(b, b->t + h, b->row) == 0 && !looks_too_far(b, h, rate)) break;
  }
  memcpy(b->dydt, rate, b->m * sizeof *rate);
  return h;
}

// Components without a size: what they are about to move by in a first look ahead, three evaluations deep, so that a
// position that starts at rest has one, too; what rounding moves has none (forces that balance leave some of it). Those
// that lie deeper are measured by their kind, until they have a size of their own (bdf_find_own_sizes): the formulas
// start with order 1, which gives the first step of such a component no digit. Where nothing of a kind has a size (one
// coordinate, at the end of a chain at rest), the look goes on as long as it finds something.
static void look_ahead(Bdf *b) {
  OdeScales *x = b->scales;
  double d0 = 0, d1 = 0, span = b->s->t1 - b->t;
  double *row = N_VGetArrayPointer(b->row), *rounding = b->noise + b->m; // room
  find_rate_rounding(b, rounding);
  memcpy(row, b->y, b->m * sizeof *row);
  for (uint32_t e = 0; e < b->m; e++) b->noise[e] = x->seen[e] == 0; // room
  if (bdf_evaluate(b, b->t, b->row) != 0) return;
  for (uint32_t e = 0; e < b->m; e++) {
    double sc = x->atol[e] + b->s->rtol * fabs(b->y[e]);
    if (x->seen[e] == 0) continue;
    d0 += b->y[e] / sc * (b->y[e] / sc);
    d1 += b->dydt[e] / sc * (b->dydt[e] / sc);
  }
  double h0 = ode_first_guess(d0, d1, b->t, span);
  // a projection moves positions to those of the rounded time: over a shorter time they have no digits
  if (b->p->project) h0 = fmax(h0, fmin(0x1p-51 * fabs(b->t) / b->s->atol, 0.01 * span));
  h0 = shorten_look(b, h0);
  enum { always = 3, most_rounds = 60 };
  bool lacking;
  uint32_t left = count_unsized(b, &lacking);
  for (int round = 0; round < most_rounds; round++) {
    // the largest of all rounds
    for (uint32_t e = 0; e < b->m; e++)
      row[e] = b->noise[e] > 0 && fabs(b->dydt[e]) > rounding[e] ? h0 * b->dydt[e] : 0;
    ode_see_sizes(x, every_lane, row);
    uint32_t before = left;
    left = count_unsized(b, &lacking);
    if (round >= always && left == before) return;
    for (uint32_t e = 0; e < b->m; e++) row[e] = b->y[e] + h0 * b->dydt[e];
    if (bdf_evaluate(b, b->t + h0, b->row) != 0 || (round + 1 >= always && !lacking)) return;
  }
}

static bool any_unseen(const Bdf *b) {
  bool any = false;
  for (uint32_t e = 0; e < b->m; e++) any = any || b->scales->seen[e] == 0;
  return any;
}

void bdf_expect_sizes(Bdf *b) {
  OdeScales *x = b->scales;
  if (!b->s->by_scale) return;
  if (b->p->project) ode_see_sizes(x, every_lane, b->y); // of what began to move a moment ago
  if (any_unseen(b)) look_ahead(b);
  x->by_kind = any_unseen(b);
  for (uint32_t e = 0; e < b->m; e++) x->kind_part[e] = x->seen[e] == 0 || x->unsized[e] > 1 ? ODE_KIND_PART : 0;
  ode_set_atol(x);
}

// Components that were measured by their kind, and have a size of their own by now, are measured by that. A component
// that is smaller than the accumulated rounding of its rate has none: such rounding errors of the first steps stop
// growing, too.
void bdf_find_own_sizes(Bdf *b, double h) {
  OdeScales *x = b->scales;
  if (!x->by_kind || CVodeGetEstLocalErrors(b->cvodes, b->row) != CV_SUCCESS) return;
  const double *error = N_VGetArrayPointer(b->row), span = b->t - b->s->t0, part = h / span;
  double *rounding = NULL;
  x->by_kind = 0;
  for (uint32_t e = 0; e < b->m; e++) {
    if (!(x->kind_part[e] > 0) || x->unsized[e] > 1) continue;
    bool settled = ode_has_settled((OdeGrowth){x->seen[e], fabs(b->y[e]), fabs(error[e]), part});
    if (settled && !rounding) find_rate_rounding(b, rounding = b->noise);
    if (settled && fabs(b->y[e]) > span * rounding[e]) x->kind_part[e] = 0;
    else x->by_kind = 1;
  }
  ode_set_atol(x);
}

// No step is small enough. Components from rest that are in error stay with their kind: the rounding of Newton's
// systems moves what would stay at zero, and no step has a digit of a component that is only rounding. False: there are
// none.
bool bdf_find_roundoff(Bdf *b) {
  OdeScales *x = b->scales;
  bool any = false;
  if (!b->s->by_scale || CVodeGetEstLocalErrors(b->cvodes, b->row) != CV_SUCCESS) return false;
  const double *error = N_VGetArrayPointer(b->row);
  for (uint32_t e = 0; e < b->m; e++) {
    bool roundoff = x->unsized[e] == 1 && fabs(error[e]) > x->atol[e] + b->s->rtol * fabs(b->y[e]);
    if (roundoff) x->unsized[e] = 2;
    any = any || roundoff;
  }
  return any;
}

// As ode_shaken_time.
static double shaken_time(const Bdf *b, int round) {
  double t = b->t * (1 + (round < ode_shakes ? 0x1p-51 : 0x1p-31));
  return b->t > 0 && t < b->stop ? t : b->t;
}

// The factors of 1 - h J at the end of the last step, in units of the components' sizes, as in rodas.c; what is smaller
// than rounding makes it has no other size. False: singular.
static bool factor_step(Bdf *b, double h, const double *rate, const double *rounding) {
  const OdeJacobian *j = b->j;
  double *a = b->dense;
  int n = (int)b->m, info = 0;
  j->eval(b->p->self, b->t, b->y, b->entries);
  for (uint32_t e = 0; e < b->m; e++) {
    b->unit[e] = ode_unit(fabs(b->y[e]), b->scales->seen[e], h * fmax(fabs(rate[e]), rounding[e]));
    if (b->unit[e] == 0) b->unit[e] = 1;
  }
  memset(a, 0, (size_t)b->m * b->m * sizeof *a);
  for (uint32_t c = 0; c < b->m; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1] && j->row[k] < b->m; k++) {
      a[(size_t)c * b->m + j->row[k]] = -h * b->entries[k] * b->unit[c] / b->unit[j->row[k]];
    }
    a[(size_t)c * b->m + c] += 1;
  }
  bool grew = lapack_enter();
  dgetrf_(&n, &n, a, &n, b->pivot, &info);
  lapack_leave(grew);
  return info == 0;
}

// What changes of the rates do in a step: d := (1 - h J)^-1 h d.
static void solve_step(Bdf *b, double h, double *d) {
  int n = (int)b->m, one = 1, info = 0;
  for (uint32_t e = 0; e < b->m; e++) d[e] *= h / b->unit[e];
  bool grew = lapack_enter();
  dgetrs_("N", &n, &one, b->dense, &n, b->pivot, d, &n, &info, 1);
  lapack_leave(grew);
  for (uint32_t e = 0; e < b->m; e++) d[e] *= b->unit[e];
}

// Is a rate steeper than numbers can tell? moved: its changes by rounding; those that no step of the length h feels do
// not matter. d: how far rounding may put rates off, and afterwards that part of it which counts; known: it is known.
static void look_for_steepness(Bdf *b, double h, const double *rate, const double *moved, bool known, double *d) {
  double *row = N_VGetArrayPointer(b->row);
  OdeScales *x = b->scales;
  b->r.steep = 0;
  for (uint32_t e = 0; e < b->m; e++) row[e] = ode_nudged(b->y[e], e, ode_shakes);
  bool near = shaken_time(b, 0) > b->t && !(shaken_time(b, ode_shakes) > b->t); // a stop is too near to tell
  bool shaken = !near && bdf_evaluate(b, shaken_time(b, ode_shakes), b->row) == 0;
  for (uint32_t e = 0; e < b->m; e++) {
    bool felt = h * moved[e] > ODE_NOISE_PART * (x->atol[e] - x->noise[e] + b->s->rtol * fabs(b->y[e]));
    bool steep = shaken && felt && ode_is_steep(rate[e], moved[e], fabs(b->dydt[e] - rate[e]));
    if (!known && steep) b->r.steep = e + 1;
    if (!known) continue;
    // what rounding does in a difference of equal numbers looks like a jump
    OdeRounded seen = ode_see_rounding(steep, rate[e], moved[e], d[e], x->rounded[e] > 0);
    if (seen == rounded_steep) b->r.steep = e + 1;
    if (seen == rounded_dominated) x->rounded[e] = 1;
    else d[e] *= ODE_LAST_DIGIT;
  }
}

// What elements that hold leave of their balance is known no better than their last digits. rate: f at y; d: room.
static void add_rate_rounding(Bdf *b, double h, const double *rate, double *d) {
  const OdeEvents *events = b->p->events;
  double *row = N_VGetArrayPointer(b->row), *noise = b->noise;
  if (!events || !events->rate_rounding) return;
  events->rate_rounding(events->self, b->t, b->y, d);
  double span = fmax(h, 1e-3 * (b->s->t1 - b->s->t0)); // steps will grow, where nothing else holds them
  for (uint32_t e = 0; e < b->m; e++) noise[e] = fmax(noise[e], ODE_NOISE_FACTOR * span * d[e]);
  // the noise of a velocity acts on its position
  for (uint32_t e = 0; e < b->m; e++) row[e] = b->y[e] + noise[e];
  if (bdf_evaluate(b, b->t, b->row) != 0) return;
  for (uint32_t e = 0; e < b->m; e++) {
    if (ode_is_place(b->scales, e)) noise[e] = fmax(noise[e], span * fabs(b->dydt[e] - rate[e]));
  }
}

// Rounding of the elements that stick limits the first step already: it is measured before that step.
void bdf_expect_rate_rounding(Bdf *b) {
  OdeScales *x = b->scales;
  double *row = N_VGetArrayPointer(b->row), *rate = b->noise + b->m, *d = rate + 2 * (size_t)b->m;
  if (!b->p->events || !b->p->events->rate_rounding) return;
  memcpy(row, b->y, b->m * sizeof *row);
  if (bdf_evaluate(b, b->t, b->row) != 0) return;
  memcpy(rate, b->dydt, b->m * sizeof *rate);
  memset(b->noise, 0, b->m * sizeof *rate);
  add_rate_rounding(b, 0, rate, d);
  memcpy(x->noise, b->noise, b->m * sizeof *rate);
  ode_set_atol(x);
}

// What is projected onto the constraint manifold is known no better than the last digits of all that it is computed
// from: the velocity of a piston near its dead centre no better than the angle of its crank.
static void add_projection(Bdf *b) {
  double *row = N_VGetArrayPointer(b->row), *noise = b->noise;
  for (int round = 0; b->p->project && round < ode_shakes; round++) {
    for (uint32_t e = 0; e < b->m; e++) row[e] = b->full[e] = ode_nudged(b->y[e], e, round);
    for (uint32_t e = b->m; e < b->n; e++) b->full[e] = b->y[e];
    if (ode_project(b->p, shaken_time(b, round), b->full) != projection_moved) continue;
    for (uint32_t e = 0; e < b->m; e++) noise[e] = fmax(noise[e], fabs(b->full[e] - row[e]));
  }
}

// Rounding in a step of size h from here: as in rodas_learn.
void bdf_measure_noise(Bdf *b, uint64_t steps, double h) {
  OdeScales *x = b->scales;
  uint32_t m = b->m;
  double *row = N_VGetArrayPointer(b->row), *noise = b->noise, *rate = noise + m, *moved = rate + m, *d = moved + m;
  double *rounding = d + m;
  bool counts = false;
  b->shake_at = 2 * steps + 64;
  b->shaken_h = 0;
  memcpy(row, b->y, m * sizeof *row);
  if (!b->dense || bdf_evaluate(b, b->t, b->row) != 0) return;
  memcpy(rate, b->dydt, m * sizeof *rate);
  memset(noise, 0, m * sizeof *noise);
  memset(moved, 0, m * sizeof *moved);
  bool known = ask_rounding(b, rounding);
  if (!factor_step(b, h, rate, rounding)) return;
  for (int round = 0; round < ode_shakes; round++) {
    for (uint32_t e = 0; e < m; e++) row[e] = ode_nudged(b->y[e], e, round);
    if (bdf_evaluate(b, shaken_time(b, round), b->row) != 0) continue;
    for (uint32_t e = 0; e < m; e++) d[e] = b->dydt[e] - rate[e];
    for (uint32_t e = 0; e < m; e++) moved[e] = fmax(moved[e], fabs(d[e]));
    solve_step(b, h, d);
    for (uint32_t e = 0; e < m; e++) noise[e] = fmax(noise[e], ODE_NOISE_FACTOR * fabs(d[e]));
  }
  double usual =
      (b->t - b->s->start) / (double)steps; // where steps have become short, what matters is their usual size
  look_for_steepness(b, fmax(h, usual), rate, moved, known, rounding);
  solve_step(b, h, rounding);
  for (uint32_t e = 0; e < m; e++) noise[e] = fmax(noise[e], ODE_NOISE_FACTOR * fabs(rounding[e]));
  if (b->r.steep) memset(noise, 0, m * sizeof *noise);
  add_rate_rounding(b, h, rate, d);
  add_projection(b);
  for (uint32_t e = 0; e < m; e++) noise[e] *= b->patience;
  for (uint32_t e = 0; e < m; e++) {
    double promised = x->atol[e] - x->noise[e] + b->s->rtol * fabs(b->y[e]);
    counts = counts || noise[e] > ODE_NOISE_PART * promised;
  }
  for (uint32_t e = 0; e < m; e++) {
    double promised = x->atol[e] - x->noise[e] + b->s->rtol * (b->s->by_scale ? x->seen[e] : fabs(b->y[e]));
    x->noise[e] = counts ? noise[e] : 0;
    ode_tell_noise(&b->r, e, ode_is_roundoff(x, e, 0, noise[e]) ? 0 : noise[e] / promised);
  }
  if (counts) b->shake_at = steps + 16;
  if (counts) b->shaken_h = h;
  ode_set_atol(x);
}
