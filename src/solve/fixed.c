// Methods with fixed step size for one run: explicit Runge-Kutta methods (fixed_body.h has their arithmetic), and those
// that keep structure (stepper.h).
//
// Steps have the size that was asked for; the last one before a row is shortened where the row does not fall on a step.
// Where something may happen inside of steps, they are taken in parts, and Hermite's cubic is their dense output.
//
// Rows at a list of times leave the steps where they are. One inside a step is the end of a shorter step beside it,
// from the same start. Where every evaluation changes memories (OdeEvents.by_steps) nothing can be evaluated beside the
// steps: there a row lies on the parabola through both ends of the step, with the derivative at its start.
#include "solve/fixed_body.h"
#include "solve/hermite.h"
#include "solve/manifold.h"

#include <float.h>

typedef struct Fixed {
  FixedStep w;
  const OdeProblem *p;
  const OdeSettings *s;
  const OdeObserver *o;
  OdeResult r;
  double *f0, *f1; // at both ends of the present step, for its dense output
  double h;        // of the present step
  EventSearch *search;
  uint32_t next_break;
  OdeStepper stepper;    // self NULL: an explicit method
  ManifoldStep manifold; // p NULL: none, or the stepper keeps it
  bool moved;            // the last step was projected
  FixedStep crossing;    // of an explicit method, where a stepper finds none
  bool crosses;          // the last step is of this kind
  uint32_t crossed;      // their number before it
  uint64_t row, rows;    // the next one
  double due;            // its time; INFINITY: none is left
  double *end;           // the end of a step, while rows beside it are made
  Hermite inside;        // of methods of a high order, for observers of whole steps
} Fixed;

static bool stop_with(Fixed *x, OdeStatus status) {
  x->r.status = status;
  return false;
}

static bool give_row(Fixed *x, double t) { return x->o->row(x->o->self, t, x->w.y) || stop_with(x, ode_stopped); }

// ---- one step

// Evaluations of a step of an explicit method; the others count their own.
static uint64_t explicit_stages(const Fixed *x) { return x->w.m ? (uint64_t)x->w.m->stages : 0; }

// Across a singular configuration, in which constraints lose their rank, as a linkage that lies flat, neither stages
// nor a projection from both ends are found: nearby the rates off the constraint manifold are arbitrarily large. A few
// consecutive steps of this kind are those of rk4, and projected at their end. More than that are a step that is too
// large.
enum { most_crossed = 2 };

static bool structured_step(Fixed *x, double t, double h, double end) {
  FixedStep *w = &x->w;
  const OdeStepper *s = &x->stepper;
  bool ok = x->manifold.p ? manifold_step(&x->manifold, s, t, h, w->y, w->next) : s->step(s->self, t, h, w->y, w->next);
  x->crosses = !ok && x->p->manifold && x->crossed < most_crossed;
  if (!x->crosses) return ok;
  x->crossing.y = w->y;
  x->crossing.next = w->next;
  x->r.evaluations += (uint64_t)x->crossing.m->stages;
  return fixed_try(&x->crossing, t, h, end) != 0;
}

// From y at t to w.next; `end`: where the last stage of an explicit method lies. False: x->r.status says why.
static bool try_step(Fixed *x, double t, double h, double t_next, double end) {
  FixedStep *w = &x->w;
  bool structured = x->stepper.self != NULL, ok = structured ? structured_step(x, t, h, end) : fixed_try(w, t, h, end);
  OdeProjection projection = ok ? ode_project(x->p, t_next, w->next) : projection_none;
  x->moved = projection == projection_moved;
  if (ok && projection != projection_failed) return true;
  return stop_with(x, structured && (!ok || x->crosses) ? ode_no_stages : ode_not_finite);
}

// The step that was tried is the one that counts.
static inline void take_step(Fixed *x) {
  const OdeStepper *s = &x->stepper;
  memcpy(x->w.y, x->w.next, x->w.n * sizeof *x->w.y);
  if (!s->self) return;
  x->crossed = x->crosses ? x->crossed + 1 : 0;
  if (x->crosses) {
    s->restart(s->self);
    manifold_restart(&x->manifold); // what rk4 lost of the energy stays lost: to move later steps for it would be worse
    return;
  }
  s->taken(s->self, x->moved);
  manifold_taken(&x->manifold, &x->r);
}

static void next_row(Fixed *x) { x->due = x->row < x->rows ? ode_row_time(x->s, x->row) : INFINITY; }

static void begin_rows(Fixed *x) {
  x->row = 1;
  x->rows = ode_row_count(x->s);
  for (next_row(x); x->due <= x->s->start; next_row(x)) x->row++; // before the run was held
}

// Rows before `until` that are due at the time that was reached. False: stop.
static bool give_due_before(Fixed *x, double until) {
  for (; x->due <= x->r.t && x->due < until; x->row++, next_row(x)) {
    if (!give_row(x, x->due)) return false;
  }
  return true;
}

static bool give_due(Fixed *x) { return give_due_before(x, INFINITY); }

// Rows of the list inside a step from t to t_next, each by a shorter step from y at t. False: the run is over.
static bool rows_beside(Fixed *x, double t, double t_next) {
  FixedStep *w = &x->w;
  for (; x->due < t_next; x->row++, next_row(x)) {
    double h = x->due - t;
    x->r.evaluations += explicit_stages(x);
    if (!try_step(x, t, h, x->due, x->s->exact_times ? x->due : t + h * (1 - 1e-12))) return false;
    if (!x->o->row(x->o->self, x->due, w->next)) return stop_with(x, ode_stopped);
  }
  return true;
}

// Rows of the list inside a step of size h from t that was just made, without a further evaluation.
static bool rows_between(Fixed *x, double t, double h, double t_next) {
  FixedStep *w = &x->w;
  for (; x->due < t_next; x->row++, next_row(x)) {
    double a = (x->due - t) / h;
    for (uint32_t e = 0; e < w->n; e++) {
      double first = h * w->k[0][e];
      w->z[e] = w->y[e] + a * (first + a * (w->next[e] - w->y[e] - first));
    }
    if (!x->o->row(x->o->self, x->due, w->z)) return stop_with(x, ode_stopped);
  }
  return true;
}

// Breaks inside a step from t to t_next, each by a shorter step from y at t: for pictures. False: the run is over.
static bool breaks_beside(Fixed *x, double t, double t_next) {
  const OdeBreaks *breaks = &x->s->breaks;
  while (x->next_break < breaks->count && breaks->times[x->next_break] <= t) x->next_break++;
  while (x->next_break < breaks->count && breaks->times[x->next_break] <= t_next) {
    double left = nextafter(breaks->times[x->next_break], t), h = left - t;
    double right = ode_pass_break(breaks, &x->next_break);
    if (h > 0 && !try_step(x, t, h, left, left)) return false;
    x->o->inside(x->o->self, left, right, h > 0 ? x->w.next : x->w.y);
  }
  return true;
}

// What happens at the time that was reached. False: the run ends.
static bool happens(Fixed *x, const uint32_t *ended, uint32_t count) {
  const OdeEvents *e = x->p->events;
  if (x->stepper.self) x->stepper.restart(x->stepper.self);
  manifold_restart(&x->manifold);
  if (!e) return true;
  OdeAction action = e->happen(e->self, x->r.t, x->w.y, ended, count, x->r.steps);
  x->r.events += action != action_idle;
  if (action <= action_idle) return true;
  if (action == action_stop && !give_row(x, x->r.t)) return false;
  return stop_with(x, action == action_stop ? ode_ended : action == action_fail ? ode_event : ode_no_memory);
}

// The step is over. False: stop.
static inline bool tell_step(Fixed *x) {
  if (x->p->accept) x->p->accept(x->p->self, x->r.t, x->w.y);
  return !x->o->step || x->o->step(x->o->self, x->r.t, x->w.y, x->r.steps) || stop_with(x, ode_stopped);
}

// ---- events inside steps

// Hermite's cubic; Euler's steps are straight. What does not change within the step keeps its very bits.
static void dense(void *self, double a, double *out) {
  const Fixed *x = self;
  const double *y = x->w.y, *next = x->w.next;
  bool straight = x->w.m && x->w.m->stages == 1;
  double b = 1 - a, q = straight ? a : a * a * (3 - 2 * a), u = straight ? 0 : a * b * b * x->h,
         v = straight ? 0 : -a * a * b * x->h;
  for (uint32_t e = 0; e < x->w.n; e++) out[e] = y[e] + (q * (next[e] - y[e]) + (u * x->f0[e] + v * x->f1[e]));
}

// A step to `at`, and f at both of its ends.
static bool reach(void *self, double at, double *y) {
  Fixed *x = self;
  FixedStep *w = &x->w;
  double t = x->r.t, h = at - t;
  x->r.evaluations += explicit_stages(x) + 1;
  if (!try_step(x, t, h, at, t + h * (1 - 1e-12))) return false;
  if (!x->p->f(x->p->self, at, w->next, x->f1)) return stop_with(x, ode_not_finite);
  if (x->stepper.self) {
    x->r.evaluations++;
    if (!x->p->f(x->p->self, t, w->y, x->f0)) return stop_with(x, ode_not_finite);
  } else {
    memcpy(x->f0, w->k[0], w->n * sizeof *x->f0);
  }
  x->h = h;
  if (y != w->next) memcpy(y, w->next, w->n * sizeof *y);
  return true;
}

// ---- whole steps for the observer

// A parabola: without a further evaluation.
static void between(void *self, double a, double *out) {
  const Fixed *x = self;
  const FixedStep *w = &x->w;
  for (uint32_t e = 0; e < w->n; e++) {
    double first = x->h * w->k[0][e];
    out[e] = w->y[e] + a * (first + a * (w->next[e] - w->y[e] - first));
  }
}

// The rates at both ends of the step that was tried, of size h from t.
static bool find_ends(Fixed *x, double t, double h) {
  const OdeProblem *p = x->p;
  x->h = h;
  if (!x->stepper.self) memcpy(x->f0, x->w.k[0], x->w.n * sizeof *x->f0);
  else if (!p->f(p->self, t, x->w.y, x->f0)) return false;
  x->r.evaluations += x->stepper.self ? 2 : 1;
  return p->f(p->self, t + h, x->w.next, x->f1);
}

// States between the ends, by shorter steps from its start: as exact as the method. The step itself is then the last
// one that was tried.
static bool find_inside(Fixed *x, double t, double h, double end) {
  Hermite *d = &x->inside;
  FixedStep *w = &x->w;
  size_t size = w->n * sizeof *w->y;
  int last = d->count - 1;
  memcpy(d->y[0], w->y, size);
  memcpy(d->y[last], w->next, size);
  memcpy(d->f[0], x->f0, size);
  memcpy(d->f[last], x->f1, size);
  d->h = h;
  bool ok = true;
  for (int i = 1; ok && i < last; i++) {
    double part = d->place[i] * h;
    ok = try_step(x, t, part, t + part, t + part) && x->p->f(x->p->self, t + part, w->next, d->f[i]);
    if (ok) memcpy(d->y[i], w->next, size);
  }
  if (ok) hermite_fit(d);
  bool again = try_step(x, t, h, end, end);
  memcpy(w->next, d->y[last], size);
  if (again) x->r.status = ode_done;
  return ok;
}

// The step from t to t_next that was tried and is about to be taken.
static void show_span(Fixed *x, double t, double h, double t_next, bool ends_known) {
  const OdeObserver *o = x->o;
  if (!o->span || !(t_next > t)) return;
  if (x->p->events && x->p->events->by_steps) {
    x->h = h;
    o->span(o->self, t, t_next, between, x);
    return;
  }
  bool known = ends_known || find_ends(x, t, h);
  bool inside = known && x->inside.count && find_inside(x, t, h, t_next);
  if (inside) o->span(o->self, t, t_next, hermite_at, &x->inside);
  else if (known) o->span(o->self, t, t_next, dense, x);
}

// ---- parts of steps

// Where the next part of the step to `to` ends: a break, a time of the events, or the longest step may be before it.
static double end_of_part(const Fixed *x, double to, bool *jump, bool *timed) {
  const OdeEvents *e = x->p->events;
  const OdeBreaks *breaks = &x->s->breaks;
  double t = x->r.t, end = to;
  *jump = x->next_break < breaks->count && breaks->times[x->next_break] <= to;
  if (*jump) end = nextafter(breaks->times[x->next_break], t);
  double next = e && e->next ? e->next(e->self, t) : INFINITY;
  *timed = next <= end;
  if (*timed) {
    end = next;
    *jump = false;
  }
  if (e && end - t > e->longest) {
    end = t + e->longest;
    *jump = *timed = false;
  }
  return end;
}

// Passes the breaks at the time that was reached.
static void pass_break(Fixed *x) {
  double left = x->r.t;
  x->r.t = ode_pass_break(&x->s->breaks, &x->next_break);
  if (x->o->jump) x->o->jump(x->o->self, left, x->r.t, x->w.y);
}

// Tries a part of a step, to `end` or to the first event before: to *at. *found: there is one. A row at the start of
// the part is not sent yet: an event that is the same instant happens there. False: the run is over.
static bool try_part(Fixed *x, double end, bool *found, double *at) {
  double t = x->r.t;
  *at = end;
  if (x->r.steps >= x->s->most_steps) return stop_with(x, ode_many_steps);
  if (!reach(x, end, x->w.next)) return false;
  *found = x->search && event_search(x->search, t, x->h, dense, x, at);
  if (x->search && !*found) event_none(x->search);
  if (!*found) return true;
  double near = event_instant_near(ode_row_near(x->s, x->row, x->rows, *at, EVENT_NEAR), end, *at);
  if (near > t && near <= end) {
    dense(x, (*at - t) / x->h, x->end);
    if (event_may_be_at(x->search, near, *at, x->end, x->r.steps)) *at = near;
  }
  event_join(x->search, ode_row_near(x->s, x->row, x->rows, *at, EVENT_SAME_INSTANT), end, at);
  if (*at - t <= 4 * DBL_EPSILON * fabs(t)) { // at once
    *at = t;
    return true;
  }
  if (!event_polish(x->search, reach, x, x->w.next, at)) return false;
  near = ode_row_near(x->s, x->row, x->rows, *at, EVENT_SAME_INSTANT);
  if (near == *at) return true;
  *at = fmax(t, near);
  return near <= t || reach(x, near, x->w.next);
}

// Takes it. ends: at `end` something happens. Rows of that instant are sent behind it. False: the run is over.
static bool take_part(Fixed *x, double end, bool ends, bool *found) {
  const OdeEvents *e = x->p->events;
  FixedStep *w = &x->w;
  double t = x->r.t, at;
  *found = false;
  bool tried = try_part(x, end, found, &at);
  double until = !tried ? INFINITY : *found || ends ? at - EVENT_SAME_INSTANT * fabs(at) : at;
  if (!give_due_before(x, until) || !tried) return false;
  if (at > t && e && e->record && !e->record(e->self, t, at, dense, x)) return stop_with(x, ode_no_memory);
  show_span(x, t, at - t, at, true);
  if (x->due < until) {
    memcpy(x->end, w->next, w->n * sizeof *x->end);
    if (!rows_beside(x, t, until)) return false;
    memcpy(w->next, x->end, w->n * sizeof *x->end);
    // the stepper's last trial is that of a row: the step once more
    if (x->stepper.self && !try_step(x, t, at - t, at, at)) return false;
  }
  if (at > t) take_step(x);
  x->r.t = at;
  x->r.steps++;
  if (at > t && at - t < x->r.smallest) x->r.smallest = at - t;
  return true;
}

// From x->r.t to `to`, a step or less; in parts where something happens inside.
static bool advance(Fixed *x, double to) {
  while (true) {
    if (ode_at_break(&x->s->breaks, &x->next_break, x->r.t)) { // the next double belongs to this moment
      pass_break(x);
      if (!happens(x, NULL, 0)) return false;
      continue;
    }
    if (x->r.t >= to) return true;
    bool jump, timed, found;
    double end = end_of_part(x, to, &jump, &timed);
    if (!take_part(x, end, jump || timed, &found)) return false;
    uint32_t count = 0;
    const uint32_t *ended = found ? event_ended(x->search, x->r.t, x->w.y, &count) : NULL;
    if ((!found && jump) || ((found || timed) && ode_at_break(&x->s->breaks, &x->next_break, x->r.t))) pass_break(x);
    bool instant = found || jump || timed;
    if (instant && !happens(x, ended, count)) return false;
    if (!tell_step(x) || (instant && !give_due(x))) return false;
  }
}

static void solve_events(Fixed *x) {
  const OdeSettings *s = x->s;
  uint64_t rows = ode_grid_count(s);
  for (uint64_t row = 1; row < rows; row++) {
    double from = ode_grid_time(s, row - 1), to = ode_grid_time(s, row);
    double count = fmax(1, ceil((to - from) / s->step - 1e-9));
    if (to <= s->start) continue; // before the run was held
    for (double i = fmax(1, floor((s->start - from) / s->step + 1 + 1e-9)); i <= count; i++) {
      if (!advance(x, i < count ? from + i * s->step : to)) return;
    }
  }
  give_due(x);
}

// ---- plain steps

// One step from t; last: it ends at the row at `to`. False: the run is over.
static bool plain_step(Fixed *x, double t, double h, double end, double t_next) {
  if (!x->p->events && x->due < t_next && !rows_beside(x, t, t_next)) return false;
  if (!x->p->events && x->o->inside && !breaks_beside(x, t, t_next)) return false;
  // most steps are those of an explicit method that nothing projects: without a further call
  bool bare = !x->stepper.self && !x->p->project;
  if (bare ? !fixed_try(&x->w, t, h, end) && !stop_with(x, ode_not_finite) : !try_step(x, t, h, t_next, end)) {
    x->r.t = t;
    return false;
  }
  if (x->p->events && !rows_between(x, t, h, t_next)) return false;
  if (x->o->span) show_span(x, t, h, t_next, false);
  take_step(x);
  x->r.steps++;
  x->r.evaluations += explicit_stages(x);
  x->r.t = t_next;
  if (h < x->r.smallest) x->r.smallest = h;
  if (x->p->events && !happens(x, NULL, 0)) return false;
  if (!tell_step(x)) return false;
  return x->r.steps < x->s->most_steps || stop_with(x, ode_many_steps);
}

static void solve_plain(Fixed *x) {
  const OdeSettings *s = x->s;
  uint64_t rows = ode_grid_count(s);
  for (uint64_t row = 1; row < rows; row++) {
    double from = ode_grid_time(s, row - 1), to = ode_grid_time(s, row);
    double count = fmax(1, ceil((to - from) / s->step - 1e-9));
    if (to <= s->start) continue; // before the run was held
    for (double i = fmax(0, floor((s->start - from) / s->step + 1e-9)); i < count; i++) {
      double t = from + i * s->step, h = s->step;
      bool last = i + 1 >= count;
      if (last && fabs(to - t - h) > 1e-9 * h) h = to - t;
      if (s->start - t > 1e-9 * s->step) { // it was held inside of a step
        h -= s->start - t;
        t = s->start;
      }
      // a jump at the end of the step belongs to the next one
      double end = !s->exact_times ? t + h * (1 - 1e-12) : last ? to : from + (i + 1) * s->step;
      if (!plain_step(x, t, h, end, last ? to : t + h) || (x->due <= x->r.t && !give_due(x))) return;
    }
  }
}

OdeResult ode_solve_fixed(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o) {
  Fixed fixed = {.p = p, .s = s, .o = o}, *x = &fixed;
  x->r = (OdeResult){.status = ode_done, .t = s->start, .smallest = s->step, .largest = s->step, .method = s->method};
  // events are looked for inside of steps; methods that keep structure have ends of steps at breaks as well, and so
  // has what is held to constraints, whose velocities may jump there
  bool structured = ode_is_structured(s->method), breaks = s->breaks.count && (structured || p->project);
  bool inside = p->events ? structured || !p->events->by_steps : breaks;
  bool ok = fixed_init(&x->w, arena, p, s->method);
  if (structured) {
    x->stepper =
        s->method == ode_verlet ? ode_verlet_new(arena, p, &x->r) : ode_collocation_new(arena, p, s->method, &x->r);
    bool lead = (p->manifold && !x->stepper.on_manifold) || p->balance;
    ok = ok && x->stepper.self && (!lead || manifold_init(&x->manifold, arena, p)) &&
         (!p->manifold || fixed_init(&x->crossing, arena, p, ode_rk4));
  }
  x->w.y = y;
  if (inside || o->span) {
    x->f0 = arena_array(arena, p->n, sizeof *x->f0);
    x->f1 = arena_array(arena, p->n, sizeof *x->f1);
    int order = ode_order(s->method); // the cubic of both ends is enough for the fourth
    if (o->span && structured && order > 4) ok = hermite_init(&x->inside, arena, p->n, order / 2) && ok;
    x->end = arena_array(arena, p->n, sizeof *x->end);
    if (inside && p->events && p->events->count) x->search = event_search_new(arena, p->events, p->n);
  }
  if (!ok || arena_failed(arena)) {
    x->r.status = ode_no_memory;
    return x->r;
  }
  begin_rows(x);
  if (!give_row(x, s->start)) return x->r;
  if (inside) solve_events(x);
  else solve_plain(x);
  return x->r;
}
