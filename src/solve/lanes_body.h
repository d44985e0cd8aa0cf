// The integrators over lanes, included once for each instruction set; LANES_SOLVE names the result. Here fixed steps:
// all lanes go together, each as in fixed.c. No include guard: this is a template.
#define SOLVE_WIDTH 8
#include "solve/fixed_body.h"
#include "solve/lanes_own.h"

typedef struct Solver {
  FixedStep w;
  const OdeSettings *s;
  const LaneObserver *o;
  uint64_t steps;
  uint64_t row, rows; // of a list of times: the next one
  double due;         // its time; INFINITY: none is left, or there is no list
  double *one;        // a lane on its own
  unsigned active;
  Lanes *f1; // at the end of a step, for observers of whole steps
  double h;  // of that step
  OdeResult r[L];
} Solver;

static void take_lane(const Solver *s, const Lanes *y, int lane) {
  for (uint32_t e = 0; e < s->w.n; e++) s->one[e] = y[e][lane];
}

static void give_rows(Solver *s, double t, const Lanes *y) {
  for (int l = 0; s->o->row && l < L; l++) {
    if (!(s->active >> l & 1)) continue;
    take_lane(s, y, l);
    s->o->row(s->o->self, l, t, s->one);
  }
}

static void finish(Solver *s, unsigned mask, OdeStatus status) {
  for (int l = 0; l < L; l++) {
    if (!(mask >> l & 1)) continue;
    s->r[l].status = status;
    take_lane(s, s->w.y, l);
    s->o->done(s->o->self, l, &s->r[l], s->one);
  }
  s->active &= ~mask;
}

static bool load(Solver *s, int lane) {
  OdeBreaks none;
  if (!s->o->next(s->o->self, lane, s->one, &none)) return false;
  for (uint32_t e = 0; e < s->w.n; e++) s->w.y[e][lane] = s->one[e];
  s->r[lane] = (OdeResult){
      .status = ode_done, .t = s->s->t0, .smallest = s->s->step, .largest = s->s->step, .method = s->s->method};
  s->active |= 1u << lane;
  return true;
}

static void next_listed(Solver *s) { s->due = s->row < s->rows ? ode_row_time(s->s, s->row) : INFINITY; }

// As rows_beside of fixed.c: rows inside a step from t to t_next; lanes that leave the domain of f are done.
static void give_rows_beside(Solver *s, double t, double t_next) {
  FixedStep *w = &s->w;
  for (; s->active && s->due < t_next; s->row++, next_listed(s)) {
    double h = s->due - t;
    unsigned finite = s->active & fixed_try(w, t, h, s->s->exact_times ? s->due : t + h * (1 - 1e-12)), failed;
    Lanes at = all(s->due);
    lanes_project(w->p, finite, (const double *)&at, (double *)w->next, &failed);
    for (int l = 0; l < L; l++) {
      if (s->active >> l & 1) s->r[l].evaluations += (uint64_t)w->m->stages;
    }
    finish(s, s->active & ~(finite & ~failed), ode_not_finite);
    give_rows(s, s->due, w->next);
  }
}

// Those that are due at the time that was reached.
static void give_due(Solver *s, double t) {
  for (; s->due <= t; s->row++, next_listed(s)) give_rows(s, s->due, s->w.y);
}

// As `dense` of fixed.c.
static const double *fixed_dense_lanes(void *self, const double *part) {
  Solver *s = self;
  const FixedStep *w = &s->w;
  bool straight = w->m->stages == 1;
  Lanes a = parts_of(part), b = 1 - a, q = straight ? a : a * a * (3 - 2 * a), u = straight ? all(0) : a * b * b * s->h,
        v = straight ? all(0) : -a * a * b * s->h;
  for (uint32_t e = 0; e < w->n; e++)
    w->z[e] = w->y[e] + (q * (w->next[e] - w->y[e]) + (u * w->k[0][e] + v * s->f1[e]));
  return (const double *)w->z;
}

// The steps from t of these lanes, which are about to be taken.
static void fixed_spans(Solver *s, unsigned mask, double t, double h, double t_next) {
  Lanes from = all(t), to = all(t_next);
  if (!s->o->span || !mask) return;
  s->h = h;
  mask &= fixed_f(&s->w, t + s->h, s->w.next, s->f1);
  for (int l = 0; l < L; l++) {
    if (mask >> l & 1) s->r[l].evaluations++;
  }
  if (mask) s->o->span(s->o->self, mask, (const double *)&from, (const double *)&to, fixed_dense_lanes, s);
}

// One step from t; lanes that leave the domain of f are done. False: stopped.
static bool fixed_lanes_step(Solver *s, double t, double h, double end, double t_next) {
  FixedStep *w = &s->w;
  give_rows_beside(s, t, t_next);
  if (!s->active) return true;
  unsigned finite = s->active & fixed_try(w, t, h, end), failed;
  Lanes ends = all(t_next);
  lanes_project(w->p, finite, (const double *)&ends, (double *)w->next, &failed);
  finite &= ~failed;
  for (int l = 0; l < L; l++) {
    if (!(s->active >> l & 1)) continue;
    if (!(finite >> l & 1)) {
      s->r[l].t = t;
      continue;
    }
    s->r[l].steps++;
    s->r[l].evaluations += (uint64_t)w->m->stages;
    s->r[l].t = t_next;
    if (h < s->r[l].smallest) s->r[l].smallest = h;
  }
  finish(s, s->active & ~finite, ode_not_finite);
  fixed_spans(s, s->active, t, h, t_next);
  Lanes *swap = w->y;
  w->y = w->next;
  w->next = swap;
  if (!s->active) return true;
  for (int l = 0; s->o->step && l < L; l++) {
    if (!(s->active >> l & 1)) continue;
    take_lane(s, s->w.y, l);
    s->o->step(s->o->self, l, t_next, s->one, s->r[l].steps);
  }
  if (++s->steps >= s->s->most_steps) finish(s, s->active, ode_many_steps);
  else if (s->steps % 256 == 0 && s->o->stop && s->o->stop(s->o->self)) return false;
  return true;
}

// Eight problems from their start to their end. False: none was left, or stopped.
static bool fixed_block(Solver *s) {
  const OdeSettings *set = s->s;
  s->steps = 0;
  for (int l = 0; l < L; l++) load(s, l);
  if (!s->active) return false;
  s->row = 1;
  next_listed(s);
  give_rows(s, set->t0, s->w.y);
  for (uint64_t row = 1, rows = ode_grid_count(set); row < rows; row++) {
    double from = ode_grid_time(set, row - 1), to = ode_grid_time(set, row);
    double count = fmax(1, ceil((to - from) / set->step - 1e-9));
    for (double i = 0; i < count; i++) {
      double t = from + i * set->step;
      bool last = i + 1 >= count;
      double h = last && fabs(to - t - set->step) > 1e-9 * set->step ? to - t : set->step;
      // a jump at the end of the step belongs to the next one
      double end = !set->exact_times ? t + h * (1 - 1e-12) : last ? to : from + (i + 1) * set->step;
      double t_next = last ? to : t + h;
      if (!fixed_lanes_step(s, t, h, end, t_next)) {
        finish(s, s->active, ode_stopped);
        return false;
      }
      if (!s->active) return true;
      give_due(s, t_next);
    }
    if (!set->times) give_rows(s, to, s->w.y);
  }
  finish(s, s->active, ode_done);
  return true;
}

bool LANES_SOLVE(Arena *arena, const LaneProblem *p, const OdeSettings *settings, const LaneObserver *o) {
  if (!ode_is_fixed(settings->method)) return own_solve(arena, p, settings, o);
  Solver solver = {.s = settings, .o = o, .rows = settings->times ? ode_row_count(settings) : 0}, *s = &solver;
  bool ok = fixed_init(&s->w, arena, p, settings->method);
  s->w.y = lanes_new(arena, p->n);
  s->one = arena_array(arena, p->n, sizeof *s->one);
  if (o->span) s->f1 = lanes_new(arena, p->n);
  if (!ok || arena_failed(arena)) return false;
  while (fixed_block(s)) continue;
  return true;
}
