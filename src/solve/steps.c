// The driver of adaptive one-step methods: the beginning and the end of a step, and step size control.
#include "solve/steps.h"

#include <float.h>
#include <string.h>

// The shortest time after the start of a run that counts as another time.
static double shortest_time(const OdeSettings *s) { return fabs(s->t1 - s->t0) * 1e-12; }

// A step of a few last digits of t as t can make it, not longer: else the state would be ahead of its time.
static double step_of_time(double t, double h) {
  double next = t + h;
  return (next - t > h ? nextafter(next, t) : next) - t;
}

bool ode_begin_step(OdeRun *u, bool rejected, bool *ends) {
  const OdeSettings *s = u->s;
  // the next stop: the end, or the last moment before a break
  while (u->next_break < s->breaks.count && nextafter(s->breaks.times[u->next_break], u->r.t) <= u->r.t)
    u->next_break++;
  bool breaks = u->next_break < s->breaks.count;
  double t = u->r.t;
  u->stop = breaks ? nextafter(s->breaks.times[u->next_break], t) : s->t1;
  u->timed = u->event = false;
  const OdeEvents *e = u->p->events;
  if (e) {
    double next = e->next ? e->next(e->self, t) : INFINITY;
    u->timed = next <= u->stop;
    if (u->timed) u->stop = next;
    u->r.by_longest = u->h > e->longest;
    if (u->r.by_longest) u->h = e->longest;
  }
  if (u->r.steps + u->r.rejected >= s->most_steps) {
    u->r.status = ode_many_steps;
    return false;
  }
  *ends = t + u->h * (1 + 1e-9) >= u->stop;
  if (*ends) u->h = u->stop - t;
  if (!*ends && u->h < 1024 * DBL_EPSILON * fabs(t)) u->h = step_of_time(t, u->h);
  if (u->h <= (*ends ? 0 : 1) * DBL_EPSILON * fmax(fabs(t), shortest_time(s))) {
    u->r.status = rejected ? ode_step_small : ode_not_finite;
    return false;
  }
  return true;
}

bool ode_search_event(OdeRun *u, double t, OdeDense *dense, void *from, double *at) {
  u->cut_error = 0;
  if (event_search(u->search, t, u->h, dense, from, at)) return true;
  event_none(u->search);
  return false;
}

double ode_instant(const OdeRun *u, double at) {
  return event_instant(ode_row_near(u->s, u->row, u->rows, at, EVENT_SAME_INSTANT), u->stop, at);
}

bool ode_reach_instant(OdeRun *u, double *at, OdeReach *reach, void *from, double *next) {
  double row = ode_row_near(u->s, u->row, u->rows, *at, EVENT_NEAR), to = event_instant_near(row, u->stop, *at);
  u->h = *at - u->r.t;
  if (ode_instant(u, *at) != *at || to <= u->r.t || !event_may_be_at(u->search, to, *at, next, u->r.steps)) return true;
  *at = to;
  u->h = *at - u->r.t;
  return reach(from, *at, next);
}

bool ode_reach_event(OdeRun *u, double t, double at, double *t_next, OdeReach *reach, void *from, double *next) {
  u->event = true;
  if (at - t <= 4 * DBL_EPSILON * fabs(t)) { // at once
    at = t;
    memcpy(next, u->y, u->p->n * sizeof *next);
    u->h = 0;
  } else if (!event_polish(u->search, reach, from, next, &at) || !ode_reach_instant(u, &at, reach, from, next)) {
    return false;
  }
  *t_next = ode_instant(u, at);
  return true;
}

bool ode_find_event(OdeRun *u, double t, double *t_next, OdeDense *dense, OdeReach *reach, void *from, double *next) {
  double at;
  return !ode_search_event(u, t, dense, from, &at) || ode_reach_event(u, t, at, t_next, reach, from, next);
}

bool ode_happen(OdeRun *u, double t) {
  const OdeEvents *e = u->p->events;
  uint32_t count = 0;
  const uint32_t *ended = u->event ? event_ended(u->search, t, u->y, &count) : NULL;
  u->passed_break = true;
  OdeAction action = e->happen(e->self, t, u->y, ended, count, u->r.steps);
  u->r.events += action != action_idle;
  if (action <= action_idle) return true;
  if (action == action_stop && !u->o->row(u->o->self, t, u->y)) u->r.status = ode_stopped;
  else u->r.status = action == action_stop ? ode_ended : action == action_fail ? ode_event : ode_no_memory;
  return false;
}

double ode_step_over(OdeRun *u, double left) {
  double t = ode_pass_break(&u->s->breaks, &u->next_break);
  if (u->o->jump) u->o->jump(u->o->self, left, t, u->y);
  return t;
}

bool ode_end_step(OdeRun *u, double t_next, bool ends) {
  bool timed = u->timed && ends && !u->event;
  u->passed_break = ends && !timed && !u->event && u->next_break < u->s->breaks.count;
  // a break that is the next double belongs to this moment
  u->passed_break = u->passed_break || ode_at_break(&u->s->breaks, &u->next_break, t_next);
  if (u->passed_break) t_next = ode_step_over(u, t_next);
  u->r.t = t_next;
  u->r.steps++;
  if ((!ends || u->r.steps == 1) && u->h > 0) u->r.smallest = fmin(u->r.smallest, u->h);
  u->r.largest = fmax(u->r.largest, u->h);
  if (u->p->events && (u->passed_break || timed || u->event) && !ode_happen(u, t_next)) return false;
  if (u->r.steps % ode_patience == 0) {
    OdeStatus pace = ode_watch_pace(u->s, u->r.t, &u->r, u->r.steps, &u->mark, &u->crawling);
    if (pace != ode_done) {
      u->r.status = pace;
      return false;
    }
  }
  bool go = true, instant = u->passed_break || timed || u->event;
  for (double due; go && u->row < u->rows; u->row++) {
    due = ode_row_time(u->s, u->row);
    if (!(instant ? ode_row_passed(u->s, due, t_next) : due <= t_next)) break;
    go = u->o->row(u->o->self, due, u->y);
  }
  if (u->p->accept) u->p->accept(u->p->self, t_next, u->y);
  go = go && (!u->o->step || u->o->step(u->o->self, t_next, u->y, u->r.steps));
  if (!go) u->r.status = ode_stopped;
  return go;
}

double ode_after_event(OdeRun *u, double h) {
  double since = u->r.t - u->last_event;
  u->last_event = u->r.t;
  double most = fmax(4 * since, 1e-10 * fabs(u->r.t)); // with room for rounding
  if (!u->p->events || !(most > 0)) return h;
  return fmin(h, fmax(most, 1e-10 * shortest_time(u->s))); // and where both events are at the very start
}

// ---- the size of the next step

const ExplicitMethod *ode_explicit(OdeMethod method) {
  static const ExplicitMethod five = {
      .order = 5, .last = 6, .terms = 5, .start = 4, .shrink = 0.2, .grow = 10, .edge = 2.2, .beta = 0.04};
  static const ExplicitMethod eight = {
      .order = 8, .last = 12, .terms = 8, .start = 7, .shrink = 1.0 / 3, .grow = 6, .edge = 4, .beta = 0};
  return method == ode_dop853 ? &eight : &five;
}

bool ode_next_explicit(OdeRun *u, StepControl *c, double err, double reach, double moved, bool may_change) {
  const ExplicitMethod *m = ode_explicit(u->s->method);
  double expo = 1.0 / m->order - m->beta * 0.75;
  // below this both powers together are beyond `grow`: 0.9 * 1e-8^-0.125 = 9 of 6, 0.9 * 1e-8^-0.17 * 1e-4^0.04 = 14 of
  // 10
  const double tiny = 1e-8;
  double factor = err > tiny ? 0.9 * pow(err, -expo) : m->grow;
  if (err > tiny && m->beta > 0) factor *= pow(c->before, m->beta);
  factor = fmin(m->grow, fmax(m->shrink, factor));
  if (c->rejected) factor = fmin(factor, 1);
  // stability holds the step where the error would allow a larger one: signs of stiffness in a row, forgotten after
  // some calm steps
  double most = reach > 0 ? m->edge / reach : m->grow;
  if (factor > 1.5 * most) {
    c->calm = 0;
    c->signs++;
  } else if (++c->calm == 6) {
    c->signs = 0;
  }
  if (factor > most) factor = fmax(most, m->shrink);
  c->pressed = ode_is_pressed(reach, moved) ? c->pressed + 1 : 0;
  bool stiff = c->signs >= u->patience || c->pressed >= ode_pressed_factor * u->patience;
  if (u->s->automatic && may_change && stiff && !c->ends) {
    u->explicit_h = u->h;
    return true;
  }
  c->rejected = false;
  c->before = fmax(err, 1e-4);
  u->h *= factor;
  return false;
}

// By the error, and by its trend (Gustafsson).
bool ode_next_rodas(OdeRun *u, StepControl *c, double err) {
  double grow = err > 0 ? 0.9 * pow(err, -0.2) : 6;
  if (c->old_h > 0 && err > 0) grow = fmin(grow, 0.9 * u->h / c->old_h * pow(c->old_err / (err * err), 0.2));
  grow = fmin(6, fmax(0.2, grow));
  if (c->rejected) grow = fmin(grow, 1);
  c->rejected = false;
  c->old_h = u->h;
  c->old_err = fmax(err, 1e-2);
  u->h *= grow;
  return u->s->automatic && !c->ends && ode_wants_back(u, ++c->taken, c->quiet);
}

// ---- what a rejected step teaches

enum { judged_tries = 64, many_failures = 8 };

static void count_try(OdeRun *u) {
  if (++u->tries <= judged_tries) return;
  u->tries = u->failures = 0;
}

int ode_judge_good(OdeRun *u) {
  count_try(u);
  return u->r.steps >= u->shake_at ? lesson_rounding : lesson_none;
}

int ode_judge(OdeRun *u, double worst) {
  int lesson = lesson_none;
  double part = u->h / u->rejected_h;
  // of a smooth solution the error falls with a high power of the step
  bool again = u->rejected_h > 0 && u->rejected_t == u->r.t && part <= 0.7;
  if (again && worst > part * part * u->rejected_by) lesson = lesson_rounding | lesson_kind;
  // any run has a rejected step now and then, but not this many
  count_try(u);
  if (++u->failures == many_failures) lesson |= lesson_rounding;
  u->shrunk = part;
  u->rejected_t = u->r.t;
  u->rejected_h = u->h;
  u->rejected_by = worst;
  return lesson;
}
