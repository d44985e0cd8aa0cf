// Levenberg-Marquardt method. See lm.h.
#include "fit/lm.h"

#include "fit/least.h"

#include <string.h>

static const double bend_part = 0.1;  // h: where on the way of a step its bend is looked at
static const double bend_most = 0.75; // 2 |D a| / |D v|: what bends more is too long
static const double furthest = 3;     // a logarithm in one step

// Tables of all points, or sums over them.
static void make_tables(Lm *m) {
  Arena *arena = m->f->arena;
  size_t n = m->f->points, k = m->f->k;
  double **rows[] = {&m->r, &m->try_r, &m->q, &m->bend_r}, **wide[] = {&m->slopes, &m->try_sensitivities};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = arena_array(arena, n + k + 1, sizeof(double));
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) *wide[i] = arena_array(arena, (n + 1) * k, sizeof(double));
}

static void make_sums(Lm *m) {
  uint32_t k = m->f->k;
  double *room[2] = {arena_array(m->f->arena, least_sums_room(k, least_block), sizeof(double)),
                     arena_array(m->f->arena, least_sums_room(k, least_block), sizeof(double))};
  m->q = arena_array(m->f->arena, (size_t)k + 1, sizeof *m->q);
  if (arena_failed(m->f->arena)) return;
  least_sums_init(&m->sums, k, least_block, room[0]);
  least_sums_init(&m->try_sums, k, least_block, room[1]);
}

bool lm_init(Lm *m, FitProblem *f) {
  size_t k = f->k;
  *m = (Lm){.f = f, .streams = f->points > lm_most_kept && f->loss.kind == loss_square};
  double **narrow[] = {&m->d, &m->damping, &m->x, &m->bend, &m->trial, &m->unit, &m->vanishing, &m->held, &m->left};
  if (m->streams) make_sums(m);
  else make_tables(m);
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) *narrow[i] = arena_array(f->arena, k, sizeof(double));
  m->R = arena_array(f->arena, k * k, sizeof *m->R);
  m->room = arena_array(f->arena, k * (3 * k + 2), sizeof *m->room);
  m->free = arena_array(f->arena, k, sizeof *m->free);
  return !arena_failed(f->arena);
}

// ---- points

// The cost at u, with the Jacobian where it is asked for.
static bool look_at(Lm *m, const double *u, bool trial, bool slopes, double *cost) {
  LeastSums *sums = trial ? &m->try_sums : &m->sums;
  double *r = trial ? m->try_r : m->r, *s = trial ? m->try_sensitivities : m->slopes;
  bool ok = m->streams ? fit_sums(m->f, u, slopes, sums) : fit_residuals(m->f, u, r, slopes ? s : NULL);
  *cost = ok && m->streams ? sums->cost : ok ? fit_cost(r, m->f->points) : INFINITY;
  return ok;
}

const double *lm_residuals(Lm *m, const double *u) {
  if (!m->streams) return m->r;
  if (!m->r) m->r = arena_array(m->f->arena, m->f->points + 1, sizeof *m->r);
  return m->r && fit_residuals(m->f, u, m->r, NULL) ? m->r : NULL;
}

// ---- unknowns and their logarithms

static void choose_units(Lm *m, const double *u, bool logarithms) {
  for (uint32_t j = 0; j < m->f->k; j++) {
    bool one_sign = !(m->f->least[j] < 0 && m->f->most[j] > 0) || isinf(m->f->least[j]);
    m->unit[j] = logarithms && one_sign && u[j] != 0 ? u[j] : 0;
  }
}

// Where x leads from u, inside the box.
static double moved(const Lm *m, const double *u, uint32_t j, double x) {
  double to = m->unit[j] != 0 ? u[j] * exp(fmin(fmax(x, -furthest), furthest)) : u[j] + x;
  // what ends at a bound but for rounding ends there: a unit in the last place would hide it from the gradient
  const double ends[] = {m->f->least[j], m->f->most[j]};
  for (int i = 0; i < 2; i++) {
    if (isfinite(ends[i]) && fabs(to - ends[i]) < 4e-16 * fabs(ends[i])) to = ends[i];
  }
  return fmin(fmax(to, m->f->least[j]), m->f->most[j]);
}

static double way(const Lm *m, const double *u, uint32_t j, double to) {
  return m->unit[j] != 0 ? log(to / u[j]) : to - u[j];
}

// ---- the linear problem of a step

// R and Q'r of the Jacobian at hand; the gradient is R' Q'r.
static void reduce(Lm *m) {
  uint32_t k = m->f->k;
  double *by = m->streams ? m->sums.R : m->slopes; // J, or R of J: both have a column an unknown
  size_t rows = m->streams ? k : m->f->points;
  for (uint32_t j = 0; j < k; j++) {
    for (size_t i = 0; m->unit[j] != 0 && i < rows; i++) by[i * k + j] *= m->unit[j];
  }
  memcpy(m->q, m->streams ? m->sums.q : m->r, rows * sizeof *m->r);
  if (m->streams) memcpy(m->R, m->sums.R, (size_t)k * k * sizeof *m->R);
  else least_reduce(m->slopes, m->q, rows, k, m->R);
  for (uint32_t j = 0; j < k; j++) {
    double length = 0;
    for (uint32_t i = 0; i <= j; i++) length = hypot(length, m->R[(size_t)i * k + j]);
    m->d[j] = fmax(m->d[j], length);
  }
}

static double gradient(const Lm *m, uint32_t j) {
  double g = 0;
  for (uint32_t i = 0; i <= j; i++) g += m->R[(size_t)i * m->f->k + j] * m->q[i];
  return m->unit[j] < 0 ? -g : g;
}

// Unknowns that may move: not those that a bound holds against their gradient.
static void find_free(Lm *m, const double *u, const bool *fixed) {
  for (uint32_t j = 0; j < m->f->k; j++) {
    double g = gradient(m, j);
    bool held = (u[j] <= m->f->least[j] && g > 0) || (u[j] >= m->f->most[j] && g < 0);
    m->free[j] = !held && !(fixed && fixed[j]);
  }
}

// |r|^2 - |r + J x|^2, of R and Q'r.
static double promised(const Lm *m, const double *x) {
  uint32_t k = m->f->k;
  double gain = 0;
  for (uint32_t i = 0; i < k; i++) {
    double v = m->q[i];
    for (uint32_t j = i; j < k; j++) v += m->R[(size_t)i * k + j] * x[j];
    gain += (m->q[i] - v) * (m->q[i] + v);
  }
  return gain;
}

static void set_damping(Lm *m, double lambda) {
  for (uint32_t j = 0; j < m->f->k; j++) m->damping[j] = sqrt(lambda) * (m->d[j] > 0 ? m->d[j] : 1);
}

static const double blind = 1e-14; // damping: directions in the null space of the Jacobian lead nowhere

// How far the tangent plane still leads down.
static double find_down(Lm *m, const double *u, const LmSettings *s) {
  find_free(m, u, s->fixed);
  set_damping(m, blind);
  least_damped(m->R, m->q, m->damping, m->free, m->f->k, m->bend, m->room);
  return fmax(promised(m, m->bend), 0);
}

// The same against the spread of the residuals; m->free is that of find_down.
static double find_offset(const Lm *m, double down, double cost) {
  size_t n = fit_points_within(m->f), free = 0;
  for (uint32_t j = 0; j < m->f->k; j++) free += m->free[j];
  if (!free || sqrt(down / (double)n) < 1e-6) return 0; // a part of the spread of the data, or of its noise, below all
  return n > free ? sqrt(down / (double)free / (fmax(cost - down, 0) / (double)(n - free))) : NAN;
}

// ---- directions along which the Jacobian vanishes

double lm_cost(Lm *m, const double *u) {
  double cost;
  return look_at(m, u, true, false, &cost) ? cost : INFINITY;
}

// What the curvature of the residuals adds to the cost at u + h p, p = m->bend; NAN: that leaves the box,
// or the simulation fails.
static double bend_cost(Lm *m, const double *u, double h, double cost, double down) {
  for (uint32_t j = 0; j < m->f->k; j++) {
    double by = h * m->bend[j], to = m->unit[j] != 0 ? u[j] * exp(by) : u[j] + by;
    m->trial[j] = moved(m, u, j, by);
    if (fabs(m->trial[j] - to) > 1e-12 * lm_scale(m, u, j)) return NAN;
  }
  double there = lm_cost(m, m->trial);
  return isfinite(there) ? there - cost + 2 * down * h : NAN;
}

// H along the promised step of find_down, where it takes most of the promise back; else 0. A parabola grows by 16 over
// four times the way; a corner by 4, a bent valley by 256.
static double find_bend(Lm *m, const double *u, double cost, double down) {
  double longest = 0;
  for (uint32_t j = 0; j < m->f->k; j++) {
    double moves = fabs(m->bend[j]) * (m->unit[j] != 0 ? fabs(u[j]) : 1);
    if (m->free[j]) longest = fmax(longest, moves / lm_scale(m, u, j));
  }
  if (!(longest > 0.004)) return 0;
  for (int side = 0; side < 2; side++) {
    double h = (side ? -0.004 : 0.004) / longest;
    double far = bend_cost(m, u, h, cost, down), near = isnan(far) ? NAN : bend_cost(m, u, h / 4, cost, down);
    double H = 2 * near / (h / 4 * (h / 4));
    if (isnan(near)) continue;
    bool parabola = near > 1e-12 * cost && far > 8 * near && far < 40 * near;
    return parabola && H > 8 * down ? H : 0;
  }
  return 0;
}

// Does the promised step lead far away, however little it promises?
static bool is_far(const Lm *m, const double *u) {
  bool far = false;
  for (uint32_t j = 0; j < m->f->k; j++) far = far || (m->unit[j] == 0 && fabs(m->bend[j]) > 0.5 * lm_scale(m, u, j));
  return far;
}

// Where the tangent plane promises more than `enough`: what is left of it.
static void see_bend(Lm *m, const double *u, double enough, LmResult *out) {
  out->bend = out->down > enough ? find_bend(m, u, out->cost, out->down) : 0;
  if (out->bend == 0) return;
  out->down = 2 * out->down * out->down / out->bend;
  for (uint32_t j = 0; j < m->f->k; j++) m->vanishing[j] = m->free[j] ? m->bend[j] * (m->unit[j] != 0 ? u[j] : 1) : 0;
}

void lm_drop_vanishing(Lm *m, const double *u, double *room) {
  uint32_t k = m->f->k;
  double *p = room, *rows = room + k, length = 0;
  for (uint32_t j = 0; j < k; j++) length = hypot(length, p[j] = m->vanishing[j] / lm_scale(m, u, j));
  // what moves by the way alone is no part of it
  for (uint32_t j = 0; j < k; j++) p[j] = fabs(p[j]) > 1e-3 * length ? p[j] : 0;
  double kept = 0;
  for (uint32_t j = 0; j < k; j++) kept = hypot(kept, p[j]);
  memset(m->q, 0, k * sizeof *m->q);
  for (uint32_t i = 0; i < k; i++) {
    double along = 0;
    for (uint32_t j = i; j < k; j++) along += m->R[(size_t)i * k + j] * lm_scale(m, u, j) * p[j] / kept;
    for (uint32_t j = 0; j < k; j++)
      rows[(size_t)i * k + j] = (j < i ? 0 : m->R[(size_t)i * k + j]) - along * p[j] / kept / lm_scale(m, u, j);
  }
  for (uint32_t j = 0; j < k; j++) { // but for rounding nothing is left of some
    double before = 0, left = 0;
    for (uint32_t i = 0; i < k; i++) {
      before = hypot(before, i <= j ? m->R[(size_t)i * k + j] : 0);
      left = hypot(left, rows[(size_t)i * k + j]);
    }
    for (uint32_t i = 0; i < k && left < 1e-10 * before; i++) rows[(size_t)i * k + j] = 0;
  }
  least_reduce(rows, m->q, k, k, m->R);
}

// ---- a step

// The trial point, inside the box; x becomes the step that is really taken. Returns its size relative to u.
static double step_to(Lm *m, const double *u) {
  double size = 0;
  for (uint32_t j = 0; j < m->f->k; j++) {
    m->trial[j] = moved(m, u, j, m->x[j]);
    m->x[j] = m->trial[j] != u[j] ? way(m, u, j, m->trial[j]) : 0;
    size = fmax(size, fabs(m->trial[j] - u[j]) / fmax(fabs(u[j]), 1e-3 * m->f->unknowns[j].size));
  }
  return size;
}

// Where x leads without bounds.
static double unbounded(const Lm *m, const double *u, uint32_t j, double x) {
  return m->unit[j] != 0 ? u[j] * exp(fmin(fmax(x, -furthest), furthest)) : u[j] + x;
}

// The free unknown that a step takes out of the box first; k: none. *at: how far it goes until then, as a part of x.
static uint32_t first_out(const Lm *m, const double *u, double *at) {
  const FitProblem *f = m->f;
  uint32_t first = f->k;
  double least = 1;
  for (uint32_t j = 0; j < f->k; j++) {
    double to = m->free[j] ? unbounded(m, u, j, m->x[j]) : u[j];
    bool below = to<f->least[j], above = to> f->most[j];
    if (!below && !above) continue;
    double end = below ? f->least[j] : f->most[j], by = end == u[j] ? 0 : way(m, u, j, end);
    if (!isfinite(by)) continue;
    if (first == f->k || by / m->x[j] < least) first = j, least = by / m->x[j], *at = by;
  }
  return first;
}

// The straight step, in the box: an unknown that would leave it ends at its bound, and the others are found again for
// that. Cut off alone, it would leave the others where they fit only with it.
static void find_step(Lm *m, const double *u) {
  uint32_t k = m->f->k;
  double at = 0;
  memcpy(m->left, m->q, k * sizeof *m->q);
  memset(m->held, 0, k * sizeof *m->held);
  for (;;) {
    least_damped(m->R, m->left, m->damping, m->free, k, m->x, m->room);
    for (uint32_t j = 0; j < k; j++) m->x[j] = m->free[j] ? m->x[j] : m->held[j];
    uint32_t out = first_out(m, u, &at);
    if (out == k) return;
    m->free[out] = false;
    m->held[out] = at;
    for (uint32_t i = 0; i <= out; i++) m->left[i] += m->R[(size_t)i * k + out] * at;
  }
}

typedef enum LmBend { bend_none, bend_taken, bend_too_much } LmBend;

// The step bends with the second derivative of the residuals along it.
//
//   r'' = 2/h ((r(u + h v) - r)/h - J v),   Q'J v = R v
static LmBend bend(Lm *m, const double *u) {
  FitProblem *f = m->f;
  uint32_t k = f->k;
  double straight = 0, bent = 0;
  if (m->streams) return bend_none;
  for (uint32_t j = 0; j < k; j++) {
    m->trial[j] = moved(m, u, j, bend_part * m->x[j]);
    if (m->x[j] != 0 && (m->trial[j] == f->least[j] || m->trial[j] == f->most[j])) return bend_none;
  }
  if (!fit_residuals(f, m->trial, m->bend_r, NULL)) return bend_too_much;
  least_rotate(m->slopes, f->points, k, m->bend_r);
  for (uint32_t i = 0; i < k; i++) {
    double along = 0;
    for (uint32_t j = i; j < k; j++) along += m->R[(size_t)i * k + j] * m->x[j];
    m->bend_r[i] = 2 / bend_part * ((m->bend_r[i] - m->q[i]) / bend_part - along);
  }
  least_damped(m->R, m->bend_r, m->damping, m->free, k, m->bend, m->room);
  for (uint32_t j = 0; j < k; j++) {
    straight = hypot(straight, m->d[j] * m->x[j]);
    bent = hypot(bent, m->d[j] * m->bend[j]);
  }
  if (!(2 * bent <= bend_most * straight)) return bend_too_much;
  for (uint32_t j = 0; j < k; j++) m->x[j] += m->bend[j] / 2;
  return bend_taken;
}

static void take_trial(Lm *m, double *u) {
  double *r = m->r, *s = m->slopes;
  memcpy(u, m->trial, m->f->k * sizeof *u);
  m->r = m->try_r, m->try_r = r;
  m->slopes = m->try_sensitivities, m->try_sensitivities = s;
  LeastSums sums = m->sums;
  m->sums = m->try_sums, m->try_sums = sums;
  for (uint32_t j = 0; j < m->f->k; j++) m->unit[j] = m->unit[j] != 0 ? u[j] : 0;
}

static LmStatus failure_of(const Lm *m) {
  if (arena_failed(m->f->arena)) return lm_no_memory;
  return fit_interrupted(m->f) ? lm_interrupted : lm_failed;
}

// ---- the descent

typedef struct LmDescent {
  Lm *m;
  double *u;
  const LmSettings *s;
  double lambda, grow;
  bool bends;    // the last step did not keep its promise
  bool rejected; // the last trial did not lead down
  LmResult out;
} LmDescent;

static bool is_motion_failure(const Lm *m) { return failure_of(m) == lm_failed; }

// Cost of the trial. After a rejected trial the Jacobian is computed only once the cost falls.
static bool try_step(LmDescent *d, double *cost) {
  Lm *m = d->m;
  bool ok = look_at(m, m->trial, true, !d->rejected, cost);
  if (ok && d->rejected && *cost < d->out.cost) ok = look_at(m, m->trial, true, true, cost);
  return ok || is_motion_failure(m);
}

static void refuse(LmDescent *d) {
  d->lambda *= d->grow;
  d->grow *= 2;
  d->rejected = d->bends = true;
}

// Does the tangent plane still lead down? After many steps the cost itself is asked, now and then.
static bool has_way(LmDescent *d) {
  double enough = d->s->enough;
  d->out.down = find_down(d->m, d->u, d->s);
  if (!(d->out.down > enough)) return false;
  bool ask = d->out.steps == 10 || d->out.steps == 20 || d->out.steps == 40 || d->out.steps == 80;
  if (ask) see_bend(d->m, d->u, enough, &d->out);
  return d->out.down > enough;
}

// One step. False: it is over.
static bool descend(LmDescent *d) {
  Lm *m = d->m;
  find_free(m, d->u, d->s->fixed);
  set_damping(m, d->lambda);
  find_step(m, d->u);
  double size = step_to(m, d->u), promise = promised(m, m->x), cost;
  d->out.status = lm_found;
  bool patient = d->s->enough > 0;
  if (!patient && !(promise > d->s->gain * d->out.cost) && size < 1e-3) return false; // nothing is promised
  if (d->lambda > 1e16 || size == 0) return false; // no step, however short, leads down
  d->out.steps++;
  LmBend bent = d->bends ? bend(m, d->u) : bend_none;
  if (bent == bend_too_much && !is_motion_failure(m)) d->out.status = failure_of(m);
  if (d->out.status != lm_found) return false;
  if (bent == bend_too_much && size > 1e-6) {
    refuse(d);
    return true;
  }
  step_to(m, d->u);
  if (!try_step(d, &cost)) {
    d->out.status = failure_of(m);
    return false;
  }
  double gain = d->out.cost - cost;
  if (!(gain > 0)) {
    if (size < (patient ? 1e-14 : d->s->step) && isfinite(cost)) return false;
    refuse(d);
    return true;
  }
  double ratio = gain / promise, by = 2 * ratio - 1;
  d->lambda *= fmax(1.0 / 9, 1 - by * by * by);
  d->grow = 2;
  d->bends = !(ratio > 0.5 && ratio < 1.5) || d->rejected;
  d->rejected = false;
  take_trial(m, d->u);
  d->out.cost = cost;
  reduce(m);
  return patient ? has_way(d) : !(size < d->s->step && gain < d->s->gain * cost);
}

LmResult lm_run(Lm *m, double *u, const LmSettings *s) {
  uint32_t k = m->f->k;
  LmDescent d = {.m = m, .u = u, .s = s, .lambda = 1e-3, .grow = 2, .out = {.status = lm_many, .cost = INFINITY}};
  memset(m->d, 0, k * sizeof *m->d);
  choose_units(m, u, s->logarithms);
  if (!look_at(m, u, false, true, &d.out.cost)) {
    d.out.status = failure_of(m);
    return d.out;
  }
  reduce(m);
  bool goes = !(s->enough > 0) || find_down(m, u, s) > s->enough;
  if (!goes) d.out.status = lm_found;
  while (goes && d.out.steps < s->most) goes = descend(&d);
  if (goes) d.out.status = lm_many;
  d.out.down = find_down(m, u, s);
  d.out.offset = find_offset(m, d.out.down, d.out.cost);
  bool unrest = s->enough > 0 ? d.out.down > s->enough : d.out.offset > 0.1 || (s->last && is_far(m, u));
  d.out.bend = 0;
  if (unrest && s->most && d.out.status == lm_found) see_bend(m, u, 0, &d.out);
  if (d.out.bend > 0) d.out.offset = find_offset(m, d.out.down, d.out.cost);
  // derivatives by the unknowns themselves
  for (uint32_t j = 0; j < k; j++) {
    for (uint32_t i = 0; m->unit[j] != 0 && i <= j; i++) m->R[(size_t)i * k + j] /= m->unit[j];
  }
  return d.out;
}

// min |J_i + sum over the others of x_j J_j|: R has all that J knows. Those that a bound holds stay there.
void lm_tangent(Lm *m, const double *u, uint32_t unknown, double *line) {
  uint32_t k = m->f->k;
  double *column = m->trial;
  set_damping(m, blind);
  for (uint32_t j = 0; j < k; j++) {
    column[j] = j <= unknown ? m->R[(size_t)j * k + unknown] : 0;
    m->free[j] = j != unknown && u[j] > m->f->least[j] && u[j] < m->f->most[j];
  }
  least_damped(m->R, column, m->damping, m->free, k, line, m->room);
  line[unknown] = 1;
}
