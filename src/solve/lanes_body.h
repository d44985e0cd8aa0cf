// The integrators over lanes, included once for each instruction set; LANES_SOLVE names the result. Line by line what
// fixed.c and adaptive.c do, with a lane's own t and h. No include guard: this is a template.
#include "solve/dop853_table.h"
#include "solve/dopri5_table.h"
#include "solve/fixed_table.h"
#include "solve/lanes.h"

#include <math.h>
#include <string.h>

enum { L = ode_lanes, most_stages = 16 };

typedef double Lanes __attribute__((vector_size(64), aligned(64)));

typedef struct Solver {
  const LaneProblem *p;
  const OdeSettings *s;
  const LaneObserver *o;
  uint32_t n;
  uint64_t rows;
  Lanes *y, *next, *z, *k[most_stages], *dense[8];
  double *one; // a lane on its own
  double t[L], h[L], before[L];
  bool active[L], fresh[L], rejected[L];
  uint64_t row[L];
  OdeResult r[L];
} Solver;

static Lanes *new_rows(Arena *arena, uint32_t n) {
  char *p = arena_alloc(arena, (size_t)n * sizeof(Lanes) + 64);
  return p ? (Lanes *)(void *)(p + (64 - (uintptr_t)p % 64) % 64) : NULL;
}

static void take_lane(const Solver *s, const Lanes *y, int lane) {
  for (uint32_t e = 0; e < s->n; e++) s->one[e] = y[e][lane];
}

static void give_row(Solver *s, int lane, double t, const Lanes *y) {
  if (!s->o->row) return;
  take_lane(s, y, lane);
  s->o->row(s->o->self, lane, t, s->one);
}

static void finish(Solver *s, int lane, OdeStatus status) {
  s->r[lane].status = status;
  s->active[lane] = false;
  take_lane(s, s->y, lane);
  s->o->done(s->o->self, lane, &s->r[lane], s->one);
}

static bool load(Solver *s, int lane, double smallest, double largest) {
  if (!s->o->next(s->o->self, lane, s->one)) return false;
  for (uint32_t e = 0; e < s->n; e++) s->y[e][lane] = s->one[e];
  s->r[lane] = (OdeResult){.status = ode_done, .t = s->s->t0, .smallest = smallest, .largest = largest};
  s->active[lane] = s->fresh[lane] = true;
  return true;
}

static bool any(const bool *lanes) {
  for (int l = 0; l < L; l++) {
    if (lanes[l]) return true;
  }
  return false;
}

// by address: how vectors are returned differs between instruction sets
static void lanes_of(const double *x, Lanes *v) { memcpy(v, x, sizeof *v); }

static bool stopped(const Solver *s) { return s->o->stop && s->o->stop(s->o->self); }

static void finish_all(Solver *s, OdeStatus status) {
  for (int l = 0; l < L; l++) {
    if (s->active[l]) finish(s, l, status);
  }
}

// ---- fixed steps: all lanes at the same time

// One step; returns the lanes that stayed finite.
static unsigned fixed_step(Solver *s, const Tableau *m, double t, double h) {
  uint32_t n = s->n;
  double times[L];
  for (int l = 0; l < L; l++) times[l] = t;
  unsigned finite = s->p->f(s->p->self, times, (const double *)s->y, (double *)s->k[0]);
  for (int i = 1; i < m->stages; i++) {
    const Lanes *from = s->y;
    for (int j = 0; j < i; j++) {
      double a = h * m->a[i][j];
      if (a == 0) continue;
      const Lanes *kj = s->k[j];
      for (uint32_t e = 0; e < n; e++) s->z[e] = from[e] + a * kj[e];
      from = s->z;
    }
    if (from == s->y) memcpy(s->z, s->y, n * sizeof *s->z);
    for (int l = 0; l < L; l++) times[l] = t + m->c[i] * h;
    finite &= s->p->f(s->p->self, times, (const double *)s->z, (double *)s->k[i]);
  }
  for (uint32_t e = 0; e < n; e++) {
    Lanes sum = {0};
    for (int i = 0; i < m->stages; i++) sum += m->b[i] * s->k[i][e];
    s->next[e] = s->y[e] + h * sum;
  }
  return finite;
}

// Eight problems from their start to their end.
static bool fixed_block(Solver *s) {
  const OdeSettings *set = s->s;
  const Tableau *m = tableau_of(set->method);
  bool more = false;
  for (int l = 0; l < L; l++) more = load(s, l, set->step, set->step) || more;
  if (!more) return false;
  for (int l = 0; l < L; l++) {
    if (s->active[l]) give_row(s, l, set->t0, s->y);
  }
  uint64_t steps = 0;
  for (uint64_t row = 1; row < s->rows; row++) {
    double from = ode_row_time(set, row - 1), to = ode_row_time(set, row);
    double count = ceil((to - from) / set->step - 1e-9);
    if (count < 1) count = 1;
    for (double i = 0; i < count; i++) {
      double t = from + i * set->step;
      bool last = i + 1 >= count;
      double h = last && fabs(to - t - set->step) > 1e-9 * set->step ? to - t : set->step;
      unsigned finite = fixed_step(s, m, t, h);
      for (int l = 0; l < L; l++) {
        if (!s->active[l]) continue;
        if (!(finite >> l & 1)) {
          s->r[l].t = t;
          finish(s, l, ode_not_finite);
          continue;
        }
        s->r[l].steps++;
        s->r[l].evaluations += (uint64_t)m->stages;
        s->r[l].t = last ? to : t + h;
        if (h < s->r[l].smallest) s->r[l].smallest = h;
      }
      Lanes *swap = s->y;
      s->y = s->next;
      s->next = swap;
      if (!any(s->active)) return true;
      if (++steps >= set->most_steps) {
        finish_all(s, ode_many_steps);
        return true;
      }
      if (steps % 256 == 0 && stopped(s)) {
        finish_all(s, ode_stopped);
        return false;
      }
    }
    for (int l = 0; l < L; l++) {
      if (s->active[l]) give_row(s, l, to, s->y);
    }
  }
  finish_all(s, ode_done);
  return true;
}

// ---- adaptive steps: every lane at its own time

static void combine(Solver *s, Lanes *z, const double *w, int count) {
  Lanes h;
  lanes_of(s->h, &h);
  memcpy(z, s->y, s->n * sizeof *z);
  for (int j = 0; j < count; j++) {
    if (w[j] == 0) continue;
    Lanes f = h * w[j];
    const Lanes *k = s->k[j];
    for (uint32_t e = 0; e < s->n; e++) z[e] += f * k[e];
  }
}

// Counts for the lanes of `busy`; returns those of them that are finite.
static unsigned evaluate(Solver *s, double c, const Lanes *y, Lanes *dydt, unsigned busy) {
  double times[L];
  for (int l = 0; l < L; l++) {
    times[l] = s->t[l] + c * s->h[l];
    s->r[l].evaluations += busy >> l & 1;
  }
  return busy & s->p->f(s->p->self, times, (const double *)y, (double *)dydt);
}

static double scale(const Solver *s, uint32_t e, int l) {
  double x = fabs(s->y[e][l]), y = fabs(s->next[e][l]);
  return s->s->atol + s->s->rtol * (x > y ? x : y);
}

static unsigned try_dopri5(Solver *s, double *err, unsigned busy) {
  for (int i = 1; i < 7; i++) {
    Lanes *z = i == 6 ? s->next : s->z;
    combine(s, z, a5[i], i);
    busy = evaluate(s, c5[i], z, s->k[i], busy);
  }
  double sum[L] = {0};
  for (uint32_t e = 0; e < s->p->checked; e++) {
    Lanes d = {0};
    for (int i = 0; i < 7; i++) d += e5[i] * s->k[i][e];
    for (int l = 0; l < L; l++) {
      double x = d[l] * (s->h[l] / scale(s, e, l));
      sum[l] += x * x;
    }
  }
  for (int l = 0; l < L; l++) {
    err[l] = s->p->checked ? sqrt(sum[l] / s->p->checked) : 0;
    if (!isfinite(err[l])) busy &= ~(1u << l);
  }
  return busy;
}

static unsigned try_dop853(Solver *s, double *err, unsigned busy) {
  for (int i = 1; i < 12; i++) {
    combine(s, s->z, a853[i], i);
    busy = evaluate(s, c853[i], s->z, s->k[i], busy);
  }
  combine(s, s->next, a853[12], 12);
  double five[L] = {0}, three[L] = {0};
  for (uint32_t e = 0; e < s->p->checked; e++) {
    Lanes d5sum = {0}, d3sum = {0};
    for (int i = 0; i < 12; i++) {
      d5sum += e5_853[i] * s->k[i][e];
      d3sum += (a853[12][i] - b3_853[i]) * s->k[i][e];
    }
    for (int l = 0; l < L; l++) {
      double sc = scale(s, e, l);
      five[l] += d5sum[l] / sc * (d5sum[l] / sc);
      three[l] += d3sum[l] / sc * (d3sum[l] / sc);
    }
  }
  unsigned last = 0;
  for (int l = 0; l < L; l++) {
    double bottom = five[l] + 0.01 * three[l];
    if (bottom <= 0) bottom = 1;
    err[l] = s->p->checked ? fabs(s->h[l]) * five[l] / sqrt(bottom * s->p->checked) : 0;
    if (!isfinite(err[l])) busy &= ~(1u << l);
    else if (!(err[l] > 1)) last |= busy & 1u << l;
  }
  // accepted steps need f at their end; rejected ones do not
  unsigned finite = evaluate(s, 1, s->next, s->k[12], last);
  return busy & (~last | finite);
}

// Coefficients of the continuous extension for the lanes of `need`; returns those where it exists.
static unsigned extend(Solver *s, bool eight, unsigned need) {
  int last = eight ? 12 : 6;
  for (int i = 13; eight && i < 16; i++) {
    combine(s, s->z, a853[i], i);
    need = evaluate(s, c853[i], s->z, s->k[i], need);
  }
  Lanes h;
  lanes_of(s->h, &h);
  for (uint32_t e = 0; e < s->n; e++) {
    Lanes diff = s->next[e] - s->y[e], spline = h * s->k[0][e] - diff;
    s->dense[0][e] = s->y[e];
    s->dense[1][e] = diff;
    s->dense[2][e] = spline;
    s->dense[3][e] = diff - h * s->k[last][e] - spline;
    for (int q = 0; q < (eight ? 4 : 1); q++) {
      Lanes sum = {0};
      for (int i = 0; i < (eight ? 16 : 7); i++) sum += (eight ? d853[q][i] : d5[i]) * s->k[i][e];
      s->dense[4 + q][e] = h * sum;
    }
  }
  return need;
}

static void dense_row(Solver *s, bool eight, int l, double due) {
  double x = (due - s->t[l]) / s->h[l], y = 1 - x;
  if (!s->o->row) return;
  for (uint32_t e = 0; e < s->n; e++) {
    Lanes *const *d = s->dense;
    double inner = d[4][e][l];
    if (eight) inner = inner + x * (d[5][e][l] + y * (d[6][e][l] + x * d[7][e][l]));
    s->one[e] = d[0][e][l] + x * (d[1][e][l] + y * (d[2][e][l] + x * (d[3][e][l] + y * inner)));
  }
  s->o->row(s->o->self, l, due, s->one);
}

// The first step of lanes that just began; those that have no derivative are done.
static void begin(Solver *s, int order) {
  unsigned fresh = 0;
  Lanes *k = s->z; // others keep their k[0]
  for (int l = 0; l < L; l++) {
    if (!s->fresh[l]) continue;
    fresh |= 1u << l;
    s->t[l] = s->s->t0;
    s->before[l] = 1e-4;
    s->h[l] = 0;
    s->rejected[l] = false;
    s->row[l] = 1;
    give_row(s, l, s->t[l], s->y);
    if (s->rows <= 1) {
      finish(s, l, ode_done);
      s->fresh[l] = false;
      fresh &= ~(1u << l);
    }
  }
  if (!fresh) return;
  unsigned finite = evaluate(s, 0, s->y, k, fresh);
  double h0[L], d1[L], m = s->p->checked;
  for (int l = 0; l < L; l++) {
    if (!(fresh >> l & 1)) continue;
    for (uint32_t e = 0; e < s->n; e++) {
      s->k[0][e][l] = k[e][l];
      s->next[e][l] = s->y[e][l];
    }
    if (!(finite >> l & 1)) {
      finish(s, l, ode_not_finite);
      s->fresh[l] = false;
    }
  }
  fresh &= finite;
  double span = s->s->t1 - s->s->t0, keep[L];
  for (int l = 0; l < L; l++) {
    double d0 = 0;
    h0[l] = d1[l] = 0;
    keep[l] = s->h[l];
    if (!(fresh >> l & 1)) continue;
    for (uint32_t e = 0; e < s->p->checked; e++) {
      double sc = scale(s, e, l);
      d0 += s->y[e][l] / sc * (s->y[e][l] / sc);
      d1[l] += s->k[0][e][l] / sc * (s->k[0][e][l] / sc);
    }
    h0[l] = d0 < 1e-10 || d1[l] < 1e-10 ? 1e-6 : 0.01 * sqrt(d0 / d1[l]);
    if (h0[l] > span) h0[l] = span;
    s->h[l] = h0[l];
  }
  for (uint32_t e = 0; e < s->n; e++) {
    for (int l = 0; l < L; l++) s->z[e][l] = fresh >> l & 1 ? s->y[e][l] + h0[l] * s->k[0][e][l] : s->y[e][l];
  }
  finite = evaluate(s, 1, s->z, s->k[1], fresh);
  for (int l = 0; l < L; l++) {
    if (!(fresh >> l & 1)) {
      s->h[l] = keep[l];
      continue;
    }
    s->fresh[l] = false;
    if (!(finite >> l & 1)) {
      s->h[l] = h0[l] * 1e-3;
      continue;
    }
    double d2 = 0;
    for (uint32_t e = 0; e < s->p->checked; e++) {
      double d = (s->k[1][e][l] - s->k[0][e][l]) / scale(s, e, l);
      d2 += d * d;
    }
    double norm1 = m > 0 ? sqrt(d1[l] / m) : 0, norm2 = m > 0 ? sqrt(d2 / m) / h0[l] : 0;
    double largest = norm1 > norm2 ? norm1 : norm2;
    double h1 = largest <= 1e-15 ? fmax(1e-6, h0[l] * 1e-3) : pow(0.01 / largest, 1.0 / (order + 1));
    s->h[l] = fmin(fmin(100 * h0[l], h1), span);
  }
}

// What a lane does before a trial step; false: it is done.
static bool ready(Solver *s, int l, bool *ends) {
  const OdeSettings *set = s->s;
  OdeResult *r = &s->r[l];
  if (!(s->t[l] < set->t1)) {
    finish(s, l, ode_done);
    return false;
  }
  if (r->steps + r->rejected >= set->most_steps) {
    finish(s, l, ode_many_steps);
    return false;
  }
  *ends = s->t[l] + s->h[l] * (1 + 1e-9) >= set->t1;
  if (*ends) s->h[l] = set->t1 - s->t[l];
  if (s->h[l] <= 16 * 2.3e-16 * fmax(fabs(s->t[l]), fabs(set->t1 - set->t0) * 1e-6)) {
    finish(s, l, s->rejected[l] ? ode_step_small : ode_not_finite);
    return false;
  }
  return true;
}

static void adaptive(Solver *s) {
  const OdeSettings *set = s->s;
  bool eight = set->method == ode_dop853, more = true;
  int order = eight ? 8 : 5, last = eight ? 12 : 6;
  double shrink = eight ? 1.0 / 3 : 0.2, grow = eight ? 6 : 10;
  bool ends[L] = {0};
  for (uint64_t trial = 1;; trial++) {
    if (trial % 64 == 0 && stopped(s)) {
      finish_all(s, ode_stopped);
      return;
    }
    // lanes that are done take the next problem
    bool settled = false;
    while (!settled) {
      settled = true;
      for (int l = 0; l < L; l++) {
        if (!s->active[l] && more) more = load(s, l, INFINITY, 0);
      }
      if (any(s->fresh)) begin(s, eight ? 7 : 4);
      for (int l = 0; l < L; l++) {
        bool was = s->active[l];
        if (was && !ready(s, l, &ends[l])) settled = !more;
        if (!was && more) settled = false;
      }
    }
    if (!any(s->active)) return;
    unsigned busy = 0;
    for (int l = 0; l < L; l++) busy |= s->active[l] ? 1u << l : 0u;
    double err[L];
    unsigned finite = eight ? try_dop853(s, err, busy) : try_dopri5(s, err, busy);
    // rejected steps
    unsigned accepted = 0, need = 0;
    for (int l = 0; l < L; l++) {
      if (!s->active[l]) continue;
      bool ok = finite >> l & 1;
      if (!ok || err[l] > 1) {
        s->h[l] *= ok ? fmax(shrink, 0.9 * pow(err[l], -1.0 / order)) : 0.1;
        s->r[l].rejected++;
        s->rejected[l] = ok;
        continue;
      }
      accepted |= 1u << l;
      double t_next = ends[l] ? set->t1 : s->t[l] + s->h[l];
      if (s->row[l] < s->rows && ode_row_time(set, s->row[l]) < t_next) need |= 1u << l;
    }
    unsigned extended = need ? extend(s, eight, need) : 0;
    for (int l = 0; l < L; l++) {
      if (!(accepted >> l & 1)) continue;
      double t_next = ends[l] ? set->t1 : s->t[l] + s->h[l];
      if (need >> l & 1) {
        if (!(extended >> l & 1)) { // outside the domain inside the step: smaller
          s->h[l] *= 0.1;
          s->r[l].rejected++;
          continue;
        }
        for (; s->row[l] < s->rows && ode_row_time(set, s->row[l]) < t_next; s->row[l]++) dense_row(s, eight, l, ode_row_time(set, s->row[l]));
      }
      for (uint32_t e = 0; e < s->n; e++) {
        s->y[e][l] = s->next[e][l];
        s->k[0][e][l] = s->k[last][e][l];
      }
      OdeResult *r = &s->r[l];
      s->t[l] = r->t = t_next;
      r->steps++;
      if (!ends[l] || r->steps == 1) r->smallest = fmin(r->smallest, s->h[l]);
      r->largest = fmax(r->largest, s->h[l]);
      if (s->row[l] < s->rows && ode_row_time(set, s->row[l]) == s->t[l]) {
        s->row[l]++;
        give_row(s, l, s->t[l], s->y);
      }
      double beta = eight ? 0 : 0.04, expo = 1.0 / order - beta * 0.75;
      double factor = err[l] > 0 ? 0.9 * pow(err[l], -expo) * pow(s->before[l], beta) : grow;
      factor = fmin(grow, fmax(shrink, factor));
      if (s->rejected[l]) factor = fmin(factor, 1);
      s->rejected[l] = false;
      s->before[l] = fmax(err[l], 1e-4);
      s->h[l] *= factor;
    }
  }
}

bool LANES_SOLVE(Arena *arena, const LaneProblem *p, const OdeSettings *settings, const LaneObserver *o) {
  Solver solver = {.p = p, .s = settings, .o = o, .n = p->n, .rows = ode_row_count(settings)}, *s = &solver;
  s->y = new_rows(arena, s->n);
  s->next = new_rows(arena, s->n);
  s->z = new_rows(arena, s->n);
  for (int i = 0; i < most_stages; i++) s->k[i] = new_rows(arena, s->n);
  for (int i = 0; i < 8; i++) s->dense[i] = new_rows(arena, s->n);
  s->one = arena_array(arena, s->n, sizeof *s->one);
  if (arena_failed(arena)) return false;
  if (ode_is_fixed(settings->method)) {
    while (fixed_block(s)) continue;
  } else {
    adaptive(s);
  }
  return true;
}
