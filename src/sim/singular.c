// Singular configurations of constraints: detection of a loss of rank within a step. A part of constrain.h.
//
// The distance to such a configuration is measured by one number, the nearness
//   k = (sum of 1/s_i^2)^(-1/2),   s_i the singular values of G, its rows scaled as at the start
// which lies between s_min/sqrt(m) and s_min; where constraints depend on each other it is the smallest of those
// singular values that are not 0 at the start. A change of G by D changes s_min by |D| at most. So a step on which G
// moves by less than k at its two ends together passes no singular configuration; else its middle is evaluated, on the
// cubic Hermite interpolant of positions and velocities, and so on with both halves. A piece that stays uncertain when
// it is short has one: a step over it is rejected, by every method, like a step whose projection fails. The run
// holds in front of it, and singular_leap.c leads over it or ends the run.
//
// Of many constraints G is never put into a dense matrix. There k is the smallest singular value itself (gram.h), and G
// moves by what its change does along the singular vectors of that value: they have a sign, and where it changes from
// one evaluation to the next, the value went through zero. Singular vectors that cannot be followed exclude nothing,
// and reject nothing.
//
// The end of each step is evaluated once: when it is projected. It is remembered when the step is taken.
#include "sim/motion.h"

#include <string.h>

static const double soon = 0.15; // of the largest value: from here on a run that comes nearer tries to leap
enum { most_halvings = 7 };

// ---- nearness

// G at y, scaled, into a dense matrix.
void singular_rows(Run *r, double t, const double *y, double *rows) {
  const ConstraintPlan *plan = r->p->constraints;
  const ConstraintRun *c = &r->constraints;
  uint32_t n = plan->coord_count;
  run_eval_at(r, plan->slopes, c->slopes, t, y);
  memset(rows, 0, (size_t)plan->count * n * sizeof *rows);
  for (uint32_t k = 0; k < plan->count; k++) {
    for (uint32_t e = plan->start[k]; e < plan->start[k + 1]; e++)
      rows[(size_t)k * n + plan->column[e]] += tape_result(plan->slopes, c->slopes, e) / c->scale[k];
  }
}

void singular_entries(Run *r, double t, const double *y, double *entries) {
  const ConstraintPlan *plan = r->p->constraints;
  const ConstraintRun *c = &r->constraints;
  run_eval_at(r, plan->slopes, c->slopes, t, y);
  for (uint32_t k = 0; k < plan->count; k++) {
    for (uint32_t e = plan->start[k]; e < plan->start[k + 1]; e++)
      entries[e] = tape_result(plan->slopes, c->slopes, e) / c->scale[k];
  }
}

size_t singular_look_size(const ConstraintPlan *plan) {
  return plan->gram ? gram_look_size(plan->gram) : (size_t)plan->count * plan->coord_count;
}

static double dot(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

// Rotates two rows until their first n entries are orthogonal (Hestenes). False: they are, but for rounding.
static bool turn(double *a, double *b, uint32_t n, uint32_t width) {
  double aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
  if (!(fabs(ab) > 1e-16 * sqrt(aa * bb))) return false;
  double zeta = (bb - aa) / (2 * ab), tangent = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
  double cosine = 1 / hypot(1, tangent), sine = cosine * tangent;
  for (uint32_t k = 0; k < width; k++) {
    double x = a[k], y = b[k];
    a[k] = cosine * x - sine * y;
    b[k] = sine * x + cosine * y;
  }
  return fabs(ab) > 1e-15 * sqrt(aa * bb);
}

void singular_turn(double *rows, uint32_t m, uint32_t n, uint32_t width) {
  enum { most_sweeps = 30 };
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; sweep++) {
    turned = false;
    for (uint32_t i = 0; i < m; i++) {
      for (uint32_t j = i + 1; j < m; j++) turned |= turn(rows + (size_t)i * width, rows + (size_t)j * width, n, width);
    }
  }
}

void singular_values(double *rows, uint32_t m, uint32_t n, double *values) {
  singular_turn(rows, m, n, n);
  for (uint32_t i = 0; i < m; i++) { // in order, the largest first
    double own = sqrt(dot(rows + (size_t)i * n, rows + (size_t)i * n, n));
    uint32_t at = i;
    for (; at > 0 && values[at - 1] < own; at--) values[at] = values[at - 1];
    values[at] = own;
  }
}

// (sum of 1/s^2)^(-1/2) by Cholesky's factors of G G': the sum is the square of the norm of their inverse.
static double by_factors(const double *rows, uint32_t m, uint32_t n, double *A) {
  double sum = 0;
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      double x = dot(rows + (size_t)i * n, rows + (size_t)j * n, n) - dot(A + (size_t)i * m, A + (size_t)j * m, j);
      if (i == j && !(x > 0)) return 0;
      A[(size_t)i * m + j] = i == j ? sqrt(x) : x / A[(size_t)j * m + j];
    }
  }
  for (uint32_t j = 0; j < m; j++) { // column j of the inverse, above the diagonal of A as a row
    double *x = A + (size_t)m * m;
    for (uint32_t i = j; i < m; i++) {
      x[i] = ((i == j) - dot(A + (size_t)i * m + j, x + j, i - j)) / A[(size_t)i * m + i];
      sum += x[i] * x[i];
    }
  }
  return 1 / sqrt(sum);
}

static double nearness(Run *r, double *rows) {
  ConstraintRun *c = &r->constraints;
  if (r->p->constraints->gram) return *c->rank ? gram_weakest(r->p->constraints->gram, &c->gram, *c->rank, rows) : 1;
  uint32_t m = r->p->constraints->count, n = r->p->constraints->coord_count, rank = *c->rank;
  if (rank == m) return by_factors(rows, m, n, c->square);
  double *copy = c->square + (size_t)m * (m + 1);
  memcpy(copy, rows, (size_t)m * n * sizeof *copy);
  singular_values(copy, m, n, c->square);
  return rank ? c->square[rank - 1] : 1;
}

// ---- looks at ends of steps

void singular_cut(ConstraintRun *c, const ConstraintPlan *plan, uint32_t total, Cutter *cutter) {
  size_t m = plan->count, n = plan->coord_count;
  BLOCK_CUT(cutter, c->singular, 1);
  BLOCK_CUT(cutter, c->before, total);
  BLOCK_CUT(cutter, c->tested, total);
  BLOCK_CUT(cutter, c->inside, total);
  BLOCK_CUT(cutter, c->points, (size_t)singular_points * total);
  BLOCK_CUT(cutter, c->rows, (2 + most_halvings) * singular_look_size(plan));
  if (plan->gram) {
    BLOCK_CUT(cutter, c->gram.lower, gram_fill(plan->gram));
    BLOCK_CUT(cutter, c->gram.diagonal, m);
    BLOCK_CUT(cutter, c->gram.work, m);
    BLOCK_CUT(cutter, c->gram.part, m);
    BLOCK_CUT(cutter, c->gram.found, m);
    BLOCK_CUT(cutter, c->gram.rest, n);
    BLOCK_CUT(cutter, c->gram.spare, m);
  } else {
    BLOCK_CUT(cutter, c->square, m * (m + 1) + m * n);
  }
}

static double *rows_at(const Run *r, uint32_t i) {
  return r->constraints.rows + i * singular_look_size(r->p->constraints);
}

static double distance(const Run *r, const double *a, const double *b) {
  if (r->p->constraints->gram) return gram_between(r->p->constraints->gram, a, b).way;
  size_t size = (size_t)r->p->constraints->count * r->p->constraints->coord_count;
  double sum = 0;
  for (size_t i = 0; i < size; i++) sum += (b[i] - a[i]) * (b[i] - a[i]);
  return sqrt(sum);
}

SingularBetween singular_between(const Run *r, const double *from, const double *to) {
  const Gram *g = r->p->constraints->gram;
  if (!g) return (SingularBetween){.known = true, .way = distance(r, from, to)};
  GramStep step = gram_between(g, from, to);
  return (SingularBetween){.known = step.known, .turned = step.turned, .way = step.way};
}

double singular_look_into(Run *r, double t, const double *y, double *rows) {
  if (r->p->constraints->gram) singular_entries(r, t, y, rows);
  else singular_rows(r, t, y, rows);
  return nearness(r, rows);
}

double singular_look(Run *r, double t, const double *y) { return singular_look_into(r, t, y, rows_at(r, 1)); }

static double fastest(const Run *r, const double *y) {
  const ConstraintPlan *plan = r->p->constraints;
  double most = 0;
  for (uint32_t i = 0; i < plan->coord_count; i++) most = fmax(most, fabs(y[plan->coords[i].v]));
  return most;
}

void singular_remember(Run *r, double t, const double *y, double value) {
  ConstraintRun *c = &r->constraints;
  SingularState *s = c->singular;
  s->rate = t > s->t ? distance(r, rows_at(r, 0), rows_at(r, 1)) / (t - s->t) : 0;
  memcpy(rows_at(r, 0), rows_at(r, 1), singular_look_size(r->p->constraints) * sizeof *y);
  memcpy(c->before, y, r->p->y.count * sizeof *y);
  s->t = t;
  s->value = value;
  s->most = fmax(s->most, value);
  for (uint32_t i = 0; i < r->p->constraints->coord_count; i++) {
    s->place = fmax(s->place, bound_size(&r->p->constraints->coords[i], y));
    s->speed = fmax(s->speed, fabs(y[r->p->constraints->coords[i].v]));
  }
  s->fastest = fastest(r, y);
  s->refused = false;
  s->tested_t = -INFINITY;
}

void singular_reset(Run *r) {
  SingularState *s = r->constraints.singular;
  *s = (SingularState){.start = s->start, .squared = s->squared, .vain = INFINITY};
  singular_remember(r, r->ode.t0, r->y, singular_look(r, r->ode.t0, r->y));
}

// ---- inside of a step

typedef struct SingularPiece {
  double t, value; // at one of its ends
  double *rows;
} SingularPiece;

// Between the remembered state and the one that is tested: positions on Hermite's cubic, the rest on a line.
static void between(Run *r, double t, double *y) {
  const ConstraintPlan *plan = r->p->constraints;
  const ConstraintRun *c = &r->constraints;
  double t0 = c->singular->t, h = c->singular->tested_t - t0, a = (t - t0) / h, b = 1 - a;
  for (uint32_t e = 0; e < r->p->y.count; e++) y[e] = b * c->before[e] + a * c->tested[e];
  for (uint32_t i = 0; i < plan->coord_count; i++) {
    uint32_t q = plan->coords[i].q, v = plan->coords[i].v;
    if (q == no_place) continue; // of a rotation the line is near enough
    y[q] = b * b * (1 + 2 * a) * c->before[q] + a * a * (3 - 2 * a) * c->tested[q] +
           a * b * h * (b * c->before[v] - a * c->tested[v]);
  }
}

// Is there surely no singular configuration between two times? G moves by `way` at least, as it did in front of them or
// next to them: where its path reverses its ends say nothing. Else *expected is the time at which one may be.
static bool is_clear(Run *r, SingularPiece from, SingularPiece to, double way, uint32_t depth, double *expected) {
  ConstraintRun *c = &r->constraints;
  way = fmax(way, distance(r, from.rows, to.rows));
  if (from.value + to.value > singular_path_by_chord * way) return true;
  if (depth == most_halvings || !(from.value + to.value > 0)) {
    *expected = from.value + to.value > 0 ? (from.t * to.value + to.t * from.value) / (from.value + to.value) : from.t;
    return false;
  }
  SingularPiece middle = {.t = 0.5 * (from.t + to.t), .rows = rows_at(r, 2 + depth)};
  between(r, middle.t, c->inside);
  middle.value = singular_look_into(r, middle.t, c->inside, middle.rows);
  double half = 0.5 * (distance(r, from.rows, middle.rows) + distance(r, middle.rows, to.rows));
  return is_clear(r, from, middle, half, depth + 1, expected) && is_clear(r, middle, to, half, depth + 1, expected);
}

// The same of many constraints, by the directions of the smallest value.
static bool is_clear_along(Run *r, SingularPiece from, SingularPiece to, uint32_t depth, double *expected) {
  ConstraintRun *c = &r->constraints;
  GramStep step = gram_between(r->p->constraints->gram, from.rows, to.rows);
  double sum = from.value + to.value;
  if (step.known && !step.turned && sum > singular_path_by_chord * step.way) return true;
  if (depth == most_halvings || !(sum > 0)) {
    *expected = sum > 0 ? (from.t * to.value + to.t * from.value) / sum : from.t;
    return !step.known && sum > 0;
  }
  SingularPiece middle = {.t = 0.5 * (from.t + to.t), .rows = rows_at(r, 2 + depth)};
  between(r, middle.t, c->inside);
  middle.value = singular_look_into(r, middle.t, c->inside, middle.rows);
  return is_clear_along(r, from, middle, depth + 1, expected) && is_clear_along(r, middle, to, depth + 1, expected);
}

// Since the last look G moved by less than an eighth of the nearness there, by its rate then and by the increase of the
// speed since: small steps need no evaluation of their own.
static bool is_far(const Run *r, double t, const double *y) {
  const SingularState *s = r->constraints.singular;
  if (!(s->rate > 0) || s->bridge || !(s->fastest > 0) || r->p->constraints->gram) return false;
  double faster = fmax(1, fastest(r, y) / s->fastest);
  return 8 * s->rate * faster * (t - s->t) < s->value;
}

// Something happened: the state that is remembered has another G now.
static void look_again(Run *r) {
  ConstraintRun *c = &r->constraints;
  SingularState *s = c->singular;
  if (!s->changed) return;
  s->changed = false;
  s->value = singular_look(r, s->t, c->before);
  memcpy(rows_at(r, 0), rows_at(r, 1), singular_look_size(r->p->constraints) * sizeof *c->rows);
  s->rate = 0;
  s->points = 0;
  s->tested_t = -INFINITY;
}

// Is there surely no singular configuration between the state that is remembered and the one that is tested?
static bool is_step_clear(Run *r) {
  SingularState *s = r->constraints.singular;
  SingularPiece from = {s->t, s->value, rows_at(r, 0)}, to = {s->tested_t, s->tested, rows_at(r, 1)};
  if (!r->p->constraints->gram) return is_clear(r, from, to, s->rate * (to.t - from.t), 0, &s->expected);
  return is_clear_along(r, from, to, 0, &s->expected);
}

bool singular_allows(Run *r, double t, const double *y) {
  ConstraintRun *c = &r->constraints;
  SingularState *s = c->singular;
  if (t <= s->tested_t || t <= s->t) return true; // a row inside of a step
  look_again(r);
  if (is_far(r, t, y)) return true;
  memcpy(c->tested, y, r->p->y.count * sizeof *y);
  s->tested_t = t;
  s->tested = singular_look(r, t, y);
  if (is_step_clear(r)) return true;
  s->refused = true;
  s->tested_t = -INFINITY;
  return false;
}

OdeProjection singular_project(void *self, double t, double *y) {
  Run *r = self;
  OdeProjection found = r->p->manifold ? manifold_project(r, t, y) : constraint_project(r, t, y);
  return found != projection_failed && !singular_allows(r, t, y) ? projection_failed : found;
}

// Steps that come nearer, each by a fifth at least, so that a leap may begin where rounding is small yet.
static void keep_point(Run *r, double t, const double *y, double value) {
  SingularState *s = r->constraints.singular;
  uint32_t n = r->p->y.total;
  if (s->points && value > s->point_value[0]) s->points = 0;
  if (s->points && value > 0.8 * s->point_value[0]) return;
  if (s->points < singular_points) s->points++;
  memmove(s->point_t + 1, s->point_t, (s->points - 1) * sizeof *s->point_t);
  memmove(s->point_value + 1, s->point_value, (s->points - 1) * sizeof *s->point_value);
  memmove(r->constraints.points + n, r->constraints.points, (size_t)(s->points - 1) * n * sizeof *y);
  s->point_t[0] = t;
  s->point_value[0] = value;
  memcpy(r->constraints.points, y, n * sizeof *y);
}

// The one that was tested is the one that was taken, where the same time was: else events changed it.
bool singular_step(Run *r, double t, const double *y) {
  ConstraintRun *c = &r->constraints;
  SingularState *s = c->singular;
  if (t <= s->t) return true;
  look_again(r);
  if (!s->refused && t != s->tested_t && is_far(r, t, y)) return true;
  bool known = t == s->tested_t && memcmp(y, c->tested, r->p->y.count * sizeof *y) == 0, refused = s->refused;
  double value = known ? s->tested : singular_look(r, t, y), h = t - s->t, fall = (s->value - value) / h;
  singular_remember(r, t, y, value);
  if (!known) s->points = 0; // something happened
  keep_point(r, t, y, value);
  if (value > fmax(2 * s->vain, s->bridge ? soon * s->most : 0)) { // it went away from the singular configuration
    s->vain = INFINITY;
    s->tries = 0;
    s->crossed = s->bridge;
    if (s->crossed) return false;
  }
  // fixed steps shall not begin closer behind it than they are long
  double part = r->p->settled.fixed && value < 3 * h * fall ? 3 * soon : soon;
  bool near = fall > 0 && value < part * s->most;
  if (fall > 0 && !refused) s->expected = t + value / fall;
  s->falls = fall > 0 && value < 3 * soon * s->most;
  s->waits = (near || refused) && value <= 0.5 * s->vain && t < r->ode.t1 && s->expected > t;
  return !s->waits;
}

// Each end of a step that is tried counts as taken: one that is rejected was clear as well.
bool singular_is_near(Run *r, double t, const double *y) {
  const SingularState *s = r->constraints.singular;
  if (t <= s->t) return false;
  return !singular_allows(r, t, y) || !singular_step(r, t, y);
}
