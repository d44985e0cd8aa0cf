// The integrators over lanes, included once for each instruction set; LANES_SOLVE names the result. Here fixed steps,
// line by line what fixed.c does. No include guard: this is a template.
#include "solve/fixed_table.h"
#include "solve/lanes_own.h"

typedef struct Solver {
  const LaneProblem *p;
  const OdeSettings *s;
  const LaneObserver *o;
  uint32_t n;
  uint64_t rows;
  Lanes *y, *next, *z, *k[4];
  double *one; // a lane on its own
  bool active[L];
  OdeResult r[L];
} Solver;

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

static bool load(Solver *s, int lane) {
  OdeBreaks none;
  if (!s->o->next(s->o->self, lane, s->one, &none)) return false;
  for (uint32_t e = 0; e < s->n; e++) s->y[e][lane] = s->one[e];
  s->r[lane] = (OdeResult){
      .status = ode_done, .t = s->s->t0, .smallest = s->s->step, .largest = s->s->step, .method = s->s->method};
  s->active[lane] = true;
  return true;
}

static unsigned lanes_in(const bool *lanes) {
  unsigned mask = 0;
  for (int l = 0; l < L; l++) mask |= lanes[l] ? 1u << l : 0u;
  return mask;
}

static bool stopped(const Solver *s) { return s->o->stop && s->o->stop(s->o->self); }

static void finish_all(Solver *s, OdeStatus status) {
  for (int l = 0; l < L; l++) {
    if (s->active[l]) finish(s, l, status);
  }
}

// ---- steps: all lanes at the same time

// One step; returns the lanes that stayed finite.
static unsigned fixed_step(Solver *s, const Tableau *m, double t, double h, double end) {
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
    double at = m->c[i] == 1 ? end : t + m->c[i] * h;
    for (int l = 0; l < L; l++) times[l] = at;
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
  for (int l = 0; l < L; l++) more = load(s, l) || more;
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
      // a jump at the end of the step belongs to the next one
      double end = !set->exact_times ? t + h * (1 - 1e-12) : last ? to : from + (i + 1) * set->step;
      unsigned finite = fixed_step(s, m, t, h, end), failed;
      double times[L];
      for (int l = 0; l < L; l++) times[l] = last ? to : t + h;
      lanes_project(s->p, finite & lanes_in(s->active), times, (double *)s->next, &failed);
      finite &= ~failed;
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
      if (!lanes_in(s->active)) return true;
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

bool LANES_SOLVE(Arena *arena, const LaneProblem *p, const OdeSettings *settings, const LaneObserver *o) {
  if (!ode_is_fixed(settings->method)) return own_solve(arena, p, settings, o);
  Solver solver = {.p = p, .s = settings, .o = o, .n = p->n, .rows = ode_row_count(settings)}, *s = &solver;
  s->y = new_rows(arena, s->n);
  s->next = new_rows(arena, s->n);
  s->z = new_rows(arena, s->n);
  for (int i = 0; i < 4; i++) s->k[i] = new_rows(arena, s->n);
  s->one = arena_array(arena, s->n, sizeof *s->one);
  if (arena_failed(arena)) return false;
  while (fixed_block(s)) continue;
  return true;
}
