// Singular positions of constraints: where they lose rank on the way. A part of constrain.h.
//
// A four-bar that flattens can go on along its way or fold over. The motion itself knows: its velocity leads through,
// and what it was before says where it goes. Close to such a place the equations say less and less, the closer the
// less, so a motion does not integrate there: its last steps give a polynomial, which leads to the other side, where
// the constraints are obeyed again. A place from which no way leads on, or several do, ends the run.
//
// How near it is, is told by the smallest singular value of G, with its rows scaled as at the start and without those
// that depend on others anyway; beside the largest value it had on the way.
#include "sim/motion.h"

#include <string.h>

static const double near_singular = 5e-3; // of the largest value: from here on a motion leaps
static const double too_near = 1e-4;      // steps this near are not trusted

// ---- the smallest singular value

// G at y, scaled, into a dense matrix; rows that depend on others are left out. Returns how many there are.
static uint32_t take_rows(Run *r, double t, const double *y, double *rows) {
  const ConstraintPlan *plan = r->p->constraints;
  ConstraintRun *c = &r->constraints;
  uint32_t n = plan->coord_count, m = 0;
  run_eval_at(r, plan->slopes, c->slopes, t, y);
  for (uint32_t k = 0; k < plan->count; k++) {
    if (c->left_out[k]) continue;
    double *row = rows + (size_t)m++ * n;
    memset(row, 0, n * sizeof *row);
    for (uint32_t e = plan->start[k]; e < plan->start[k + 1]; e++)
      row[plan->column[e]] += tape_result(plan->slopes, c->slopes, e) / c->scale[k];
  }
  return m;
}

// Cholesky's factors of G G' in place. False: it is singular.
static bool factor(double *A, uint32_t m) {
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      double sum = A[i * m + j];
      for (uint32_t k = 0; k < j; k++) sum -= A[i * m + k] * A[j * m + k];
      if (i == j && !(sum > 0)) return false;
      A[i * m + j] = i == j ? sqrt(sum) : sum / A[j * m + j];
    }
  }
  return true;
}

static void solve(const double *A, uint32_t m, double *x) {
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t k = 0; k < i; k++) x[i] -= A[i * m + k] * x[k];
    x[i] /= A[i * m + i];
  }
  for (uint32_t i = m; i-- > 0;) {
    for (uint32_t k = i + 1; k < m; k++) x[i] -= A[k * m + i] * x[k];
    x[i] /= A[i * m + i];
  }
}

// By inverse iteration from the vector of the step before.
static double smallest(Run *r, double t, const double *y) {
  ConstraintRun *c = &r->constraints;
  uint32_t n = r->p->constraints->coord_count, m = take_rows(r, t, y, c->rows);
  double *A = c->square, *u = c->weak, value = 0;
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      double sum = 0;
      for (uint32_t k = 0; k < n; k++) sum += c->rows[(size_t)i * n + k] * c->rows[(size_t)j * n + k];
      A[i * m + j] = sum;
    }
  }
  if (!m) return 1;
  if (!factor(A, m)) return 0;
  for (int round = 0; round < 4; round++) {
    double norm = 0;
    for (uint32_t i = 0; i < m; i++) norm += u[i] * u[i];
    for (uint32_t i = 0; i < m; i++) u[i] = norm > 0 ? u[i] / sqrt(norm) : 1 / sqrt(m + i);
    solve(A, m, u);
    norm = 0;
    for (uint32_t i = 0; i < m; i++) norm += u[i] * u[i];
    value = norm > 0 ? 1 / sqrt(sqrt(norm)) : 0;
  }
  return value;
}

double singular_value(Run *r, double t, const double *y) {
  SingularState *s = r->constraints.singular;
  s->now = smallest(r, t, y);
  s->most = fmax(s->most, s->now);
  return s->most > 0 ? s->now / s->most : 0;
}

void singular_reset(Run *r) {
  SingularState *s = r->constraints.singular;
  *s = (SingularState){.watched = r->p->constraints->count <= constraint_most_dense};
  if (s->watched) singular_value(r, r->ode.t0, r->y);
}

// ---- the way

static double *point(const Run *r, uint32_t i) { return r->constraints.points + (size_t)i * r->p->y.total; }

// The points of a way that comes nearer: each at a value of at most three quarters of that of the one before it, so
// that a polynomial through them reaches as far behind the singular place as the last one is before it.
static void keep(Run *r, double t, const double *y) {
  SingularState *s = r->constraints.singular;
  uint32_t n = r->p->y.total;
  if (s->count && (t <= s->t[s->count - 1] || s->now >= s->value[s->count - 1])) s->count = 0;
  if (s->count >= 2 && s->value[s->count - 1] > 0.75 * s->value[s->count - 2]) s->count--;
  if (s->count == singular_points) {
    s->count--;
    memmove(s->t, s->t + 1, s->count * sizeof *s->t);
    memmove(s->value, s->value + 1, s->count * sizeof *s->value);
    memmove(point(r, 0), point(r, 1), (size_t)s->count * n * sizeof *y);
  }
  s->t[s->count] = t;
  s->value[s->count] = s->now;
  memcpy(point(r, s->count++), y, n * sizeof *y);
}

bool singular_step(Run *r, double t, const double *y) {
  SingularState *s = r->constraints.singular;
  if (!s->watched || r->p->settled.fixed) return true;
  double before = s->now, part = singular_value(r, t, y);
  keep(r, t, y);
  s->waits = part < near_singular && s->now < before && s->count >= 3;
  return !s->waits;
}

// The polynomial through the values and slopes of the points, as divided differences over nodes that count twice.
typedef struct Way {
  uint32_t nodes;
  double t[2 * singular_points];
  double *d; // nodes by n
} Way;

static bool find_way(Run *r, Way *w) {
  SingularState *s = r->constraints.singular;
  uint32_t n = r->p->y.total, last = s->count, first;
  while (last > 3 && s->value[last - 1] < too_near * s->most) last--;
  first = last > singular_points ? last - singular_points : 0;
  w->nodes = 2 * (last - first);
  double *d = w->d = arena_array(r->scratch, (size_t)w->nodes * n, sizeof *d);
  double *slope = arena_array(r->scratch, n, sizeof *slope);
  if (!d || !slope) return false;
  for (uint32_t i = first; i < last; i++) {
    uint32_t k = 2 * (i - first);
    if (!run_right_side(r, s->t[i], point(r, i), slope)) return false;
    w->t[k] = w->t[k + 1] = s->t[i];
    memcpy(d + (size_t)k * n, point(r, i), n * sizeof *d);
    memcpy(d + (size_t)(k + 1) * n, slope, n * sizeof *d);
  }
  // first differences: slopes at double nodes, quotients between them; then the rest, from the last node back
  for (uint32_t k = w->nodes - 1; k >= 2; k--) {
    if (k % 2) continue;
    for (uint32_t c = 0; c < n; c++) {
      double before = d[(size_t)(k - 2) * n + c], own = d[(size_t)k * n + c];
      d[(size_t)k * n + c] = (own - before) / (w->t[k] - w->t[k - 1]);
    }
  }
  for (uint32_t order = 2; order < w->nodes; order++) {
    for (uint32_t k = w->nodes - 1; k >= order; k--) {
      for (uint32_t c = 0; c < n; c++)
        d[(size_t)k * n + c] = (d[(size_t)k * n + c] - d[(size_t)(k - 1) * n + c]) / (w->t[k] - w->t[k - order]);
    }
  }
  return true;
}

static void at_way(const Way *w, uint32_t n, double t, double *y) {
  for (uint32_t c = 0; c < n; c++) {
    double sum = 0;
    for (uint32_t k = w->nodes; k-- > 0;) sum = sum * (t - w->t[k]) + w->d[(size_t)k * n + c];
    y[c] = sum;
  }
}

// ---- the leap

// Where it lands: as far behind the singular place as the last step is before it, and not too near.
static double landing(const Run *r, double *singular) {
  const SingularState *s = r->constraints.singular;
  uint32_t i = s->count - 1;
  double slope = (s->value[i - 1] - s->value[i]) / (s->t[i] - s->t[i - 1]);
  *singular = s->t[i] + s->value[i] / slope;
  return *singular + fmax(*singular - s->t[i], near_singular * s->most / slope);
}

static bool lands(Run *r, double t, double *y, double *found) {
  uint32_t n = r->p->y.count;
  double off = 0, size = 0;
  memcpy(found, y, r->p->y.total * sizeof *y);
  if (constraint_project(r, t, found) == projection_failed) return false;
  for (uint32_t i = 0; i < n; i++) {
    off = fmax(off, fabs(found[i] - y[i]));
    size = fmax(size, fabs(y[i]));
  }
  return off <= 1e-5 * size && singular_value(r, t, found) > too_near;
}

static bool give_rows(Run *r, const Way *w, double from, double to, double *y, const OdeObserver *observer) {
  uint64_t count = ode_row_count(&r->ode), lo = 0, hi = count; // the first row behind `from`
  while (lo < hi) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (ode_row_time(&r->ode, mid) <= from) lo = mid + 1;
    else hi = mid;
  }
  for (uint64_t k = lo; k < count && ode_row_time(&r->ode, k) <= to; k++) {
    at_way(w, r->p->y.total, ode_row_time(&r->ode, k), y);
    if (observer->row && !observer->row(observer->self, ode_row_time(&r->ode, k), y)) return false;
  }
  return true;
}

static bool ends_here(Run *r, double t) {
  char at[number_text_size];
  number_print(t, at);
  const char *ways = singular_directions(r, t, r->y);
  r->failure = (RunFailure){run_failed,
                            arena_printf(r->scratch,
                                         "stopped at t = %s: the constraints lose rank there, and no single way leads "
                                         "on; what they leave open is %s",
                                         at, ways ? ways : "nothing"),
                            r->p->s.constraints.items[0].span, NULL};
  return false;
}

bool singular_leap(Run *r, const OdeObserver *observer) {
  SingularState *s = r->constraints.singular;
  uint32_t n = r->p->y.total;
  double from = s->t[s->count - 1], singular, to = landing(r, &singular);
  double *y = arena_array(r->scratch, n, sizeof *y), *found = arena_array(r->scratch, n, sizeof *found);
  Way way;
  s->waits = false;
  if (!y || !found || !find_way(r, &way)) return ends_here(r, from);
  to = fmin(to, r->ode.t1);
  at_way(&way, n, to, y);
  if (!lands(r, to, y, found)) return ends_here(r, singular);
  if (!give_rows(r, &way, from, to, y, observer)) return false;
  memcpy(r->y, found, n * sizeof *y);
  r->s->t = to;
  s->count = 0;
  s->passed++;
  s->passed_t = singular;
  return true;
}

// ---- directions

// Rows of G are made orthogonal; then each unit vector, without what lies along them and along those before it.
const char *singular_directions(Run *r, double t, const double *y) {
  const ConstraintPlan *plan = r->p->constraints;
  uint32_t n = plan->coord_count, m;
  if (!r->constraints.singular->watched) return NULL;
  double *rows = arena_array(r->scratch, (size_t)(plan->count + n) * n, sizeof *rows);
  if (!rows) return NULL;
  m = take_rows(r, t, y, rows);
  Text out = text_in(r->scratch);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < m + n; k++) {
    double *row = rows + (size_t)kept * n, norm = 0;
    if (k < m) memmove(row, rows + (size_t)k * n, n * sizeof *row);
    for (uint32_t i = 0; k >= m && i < n; i++) row[i] = i == k - m;
    for (uint32_t twice = 0; twice < 2; twice++) {
      for (uint32_t j = 0; j < kept; j++) {
        double dot = 0, *other = rows + (size_t)j * n;
        for (uint32_t i = 0; i < n; i++) dot += row[i] * other[i];
        for (uint32_t i = 0; i < n; i++) row[i] -= dot * other[i];
      }
    }
    for (uint32_t i = 0; i < n; i++) norm += row[i] * row[i];
    norm = sqrt(norm);
    if (norm < (k < m ? 10 * near_singular : 0.1)) continue;
    for (uint32_t i = 0; i < n; i++) row[i] /= norm;
    kept++;
    if (k < m) continue;
    text_put(&out, out.length ? ", (" : "(");
    bool first = true;
    for (uint32_t i = 0; i < n; i++) {
      if (fabs(row[i]) < 0.01) continue;
      text_printf(&out, "%s%s %.2g", first ? "" : ", ", r->p->s.coords.items[plan->coords[i].coord].name, row[i]);
      first = false;
    }
    text_putc(&out, ')');
  }
  return out.length ? text_str(&out) : NULL;
}
