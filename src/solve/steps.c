// The frame around adaptive one-step methods, and `auto`.
//
// Stiffness: the explicit method notices that stability holds its step (adaptive.c) and asks for rodas. Rodas goes back
// when it gains nothing, or when its steps are so small that the explicit method is stable again (rodas.c). All by
// counts, so a run repeats bit by bit.
#include "solve/steps.h"

#include <float.h>
#include <string.h>

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
  if (u->h <= (*ends ? 0 : 16) * 2.3e-16 * fmax(fabs(t), fabs(s->t1 - s->t0) * 1e-12)) {
    u->r.status = rejected ? ode_step_small : ode_not_finite;
    return false;
  }
  return true;
}

bool ode_find_event(OdeRun *u, double t, double *t_next, OdeDense *dense, OdeReach *reach, void *from, double *next) {
  double at;
  u->cut_error = 0;
  if (!event_search(u->search, t, u->h, dense, from, &at)) {
    event_none(u->search);
    return true;
  }
  u->event = true;
  if (at - t <= 4 * DBL_EPSILON * fabs(t)) { // at once
    at = t;
    memcpy(next, u->y, u->p->n * sizeof *next);
  } else if (!event_polish(u->search, reach, from, next, &at)) {
    return false;
  }
  u->h = at - t;
  *t_next = at;
  return true;
}

// Lets happen what happens at t. False: the run ends.
static bool happen(OdeRun *u, double t) {
  const OdeEvents *e = u->p->events;
  uint32_t count = 0;
  const uint32_t *ended = u->event ? event_ended(u->search, t, u->y, &count) : NULL;
  u->r.events++;
  u->anew = true;
  OdeAction action = e->happen(e->self, t, u->y, ended, count);
  if (action == action_go) return true;
  if (action == action_stop && !u->o->row(u->o->self, t, u->y)) u->r.status = ode_stopped;
  else u->r.status = action == action_stop ? ode_ended : action == action_fail ? ode_event : ode_no_memory;
  return false;
}

static double pass_break(OdeRun *u, double left) {
  double t = ode_pass_break(&u->s->breaks, &u->next_break);
  if (u->o->jump) u->o->jump(u->o->self, left, t, u->y);
  return t;
}

bool ode_end_step(OdeRun *u, double t_next, bool ends) {
  bool timed = u->timed && ends && !u->event;
  u->anew = ends && !timed && !u->event && u->next_break < u->s->breaks.count;
  // a break that is the next double belongs to this moment
  u->anew = u->anew || ode_at_break(&u->s->breaks, &u->next_break, t_next);
  if (u->anew) t_next = pass_break(u, t_next);
  u->r.t = t_next;
  u->r.steps++;
  if ((!ends || u->r.steps == 1) && u->h > 0) u->r.smallest = fmin(u->r.smallest, u->h);
  u->r.largest = fmax(u->r.largest, u->h);
  if (u->scales) ode_see_sizes(u->scales, u->p, u->s, u->y);
  if (u->p->events && (u->anew || timed || u->event) && !happen(u, t_next)) return false;
  if (u->r.steps % ode_patience == 0) {
    OdeStatus pace = ode_watch_pace(u->s, u->r.t, &u->r, u->r.steps, &u->mark, &u->crawling);
    if (pace != ode_done) {
      u->r.status = pace;
      return false;
    }
  }
  bool go = true;
  for (; go && u->row < u->rows && ode_row_time(u->s, u->row) <= t_next; u->row++) {
    go = u->o->row(u->o->self, ode_row_time(u->s, u->row), u->y);
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
  return u->p->events && most > 0 && h > most ? most : h;
}

// Has the component no size yet? (An absolute tolerance of the user is one.)
static bool is_new(const OdeRun *u, uint32_t e) {
  return u->y[e] == 0 && (u->s->by_scale ? u->scales->seen[e] == 0 : u->s->atol == 0);
}

// Unit-free: times are measured in the time in which y changes by its size.
double ode_first_step(OdeRun *u, const double *k, double *z, double *k1, int order) {
  double d0 = 0, d1 = 0, d2 = 0, span = u->s->t1 - u->r.t;
  uint32_t m = u->p->checked;
  for (uint32_t e = 0; e < m; e++) {
    if (is_new(u, e)) continue;
    double sc = ode_tolerance(u, e, u->y[e], u->y[e]);
    d0 += u->y[e] / sc * (u->y[e] / sc);
    d1 += k[e] / sc * (k[e] / sc);
  }
  double h0 = ode_first_guess(d0, d1, u->r.t, span);
  for (uint32_t e = 0; e < u->p->n; e++) z[e] = u->y[e] + h0 * k[e];
  if (!ode_evaluate(u, u->r.t + h0, z, k1)) return h0 * 1e-3;
  double change = 0;
  uint32_t count = 0;
  for (uint32_t e = 0; e < m; e++) {
    if (!is_new(u, e) || k[e] == 0) continue;
    double a = fabs(k[e]), b = fabs(k1[e]), c = (k1[e] - k[e]) / (a > b ? a : b);
    change += c * c;
    count++;
  }
  double unit = ode_time_unit(d0, change, count, h0, span);
  for (uint32_t e = 0; e < m; e++) {
    double sc = ode_tolerance(u, e, u->y[e], u->y[e]);
    if (is_new(u, e)) { // its size is what it moves by
      double a = fabs(k[e]), b = fabs(k1[e]);
      sc = u->s->rtol * unit * (a > b ? a : b) + ODE_TINY;
      d1 += k[e] / sc * (k[e] / sc);
      ode_expect(u->scales, u->p, e, h0 * a);
    }
    double d = (k1[e] - k[e]) / sc;
    d2 += d * d;
  }
  ode_set_atol(u->scales, u->p, u->s);
  return ode_first_size(m ? d1 / m : 0, m ? d2 / m : 0, unit, h0, order, u->r.t);
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
  // of a smooth motion the error falls with a high power of the step
  bool again = u->rejected_h > 0 && u->rejected_t == u->r.t && part <= 0.7;
  if (again && worst > part * part * u->rejected_by) lesson = lesson_rounding | lesson_kind;
  // a step now and then is rejected of any motion; so many are not
  count_try(u);
  if (++u->failures == many_failures) lesson |= lesson_rounding;
  u->rejected_t = u->r.t;
  u->rejected_h = u->h;
  u->rejected_by = worst;
  return lesson;
}

bool ode_shake(OdeRun *u, double *z, double *k, int round) {
  for (uint32_t e = 0; e < u->p->n; e++) z[e] = ode_nudged(u->y[e], e, round);
  return ode_evaluate(u, ode_shaken_time(u, round), z, k);
}

// Components without a size are measured by others of their kind that came out well in this trial, or before.
static void learn_kind(OdeRun *u, const double *next) {
  OdeScales *x = u->scales;
  for (uint32_t e = 0; e < u->p->checked; e++) {
    double *kind = &x->kind_seen[ode_kind(u->p, e)], size = fabs(next[e]);
    if (u->scaled[e] <= 1 && size > *kind) *kind = size;
  }
  for (uint32_t e = 0; e < u->p->checked; e++) {
    double most = u->s->atol * ODE_KIND_PART * x->kind_seen[ode_kind(u->p, e)];
    double error = u->scaled[e] * ode_tolerance(u, e, u->y[e], next[e]);
    if (x->unsized[e] > 0 && error <= most && u->s->rtol * x->seen[e] <= most) x->kind_part[e] = ODE_KIND_PART;
  }
}

bool ode_too_steep(OdeRun *u, const double *k0, const double *moved, double *z, double *k) {
  bool any = false;
  for (uint32_t e = 0; e < u->p->checked; e++) any = any || moved[e] > 1e-3 * fabs(k0[e]);
  u->r.steep = 0;
  if (!any || ode_cannot_shake(u) || !ode_shake(u, z, k, ode_shakes)) return false;
  for (uint32_t e = 0; e < u->p->checked; e++) {
    if (ode_is_steep(k0[e], moved[e], fabs(k[e] - k0[e]))) u->r.steep = e + 1;
  }
  return u->r.steep != 0;
}

void ode_learn(OdeRun *u, int lesson, const double *next, const double *noise) {
  OdeScales *x = u->scales;
  uint32_t m = u->p->checked;
  if ((lesson & lesson_kind) && u->s->by_scale) learn_kind(u, next);
  bool counts = false;
  for (uint32_t e = 0; (lesson & lesson_rounding) && e < m; e++) {
    double promised = x->atol[e] - x->noise[e] + u->s->rtol * fabs(u->y[e]);
    counts = counts || noise[e] > ODE_NOISE_PART * promised;
  }
  for (uint32_t e = 0; (lesson & lesson_rounding) && e < m; e++) {
    double promised = x->atol[e] - x->noise[e] + u->s->rtol * (u->s->by_scale ? x->seen[e] : fabs(u->y[e]));
    x->noise[e] = counts ? noise[e] : 0;
    ode_tell_noise(&u->r, e, noise[e] / promised);
  }
  if (lesson & lesson_rounding) ode_plan_shake(u, counts);
  ode_set_atol(x, u->p, u->s);
}

OdeResult ode_solve_adaptive(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o) {
  OdeRun run = {.arena = arena, .p = p, .s = s, .o = o, .y = y, .patience = 15, .shake_at = 64}, *u = &run;
  u->r = (OdeResult){.status = ode_done, .t = s->start, .smallest = INFINITY, .method = s->method, .stiff_at = NAN};
  u->rows = ode_row_count(s);
  u->row = 1;
  while (u->row < u->rows && ode_row_time(s, u->row) <= s->start) u->row++;
  u->h = s->first;
  OdeScales scales = {0};
  u->scaled = arena_array(arena, (size_t)p->checked + 1, sizeof *u->scaled);
  if (!ode_scales_init(&scales, arena, p->checked)) {
    u->r.status = ode_no_memory;
    return u->r;
  }
  u->scales = &scales;
  ode_start_sizes(&scales, p, s, y);
  if (!o->row(o->self, s->start, y)) {
    u->r.status = ode_stopped;
    return u->r;
  }
  if (u->row >= u->rows) return u->r;
  u->last_event = s->start;
  if (p->events && p->events->count && !(u->search = event_search_new(arena, p->events, p->n))) {
    u->r.status = ode_no_memory;
    return u->r;
  }
  if (p->events && ode_at_break(&s->breaks, &u->next_break, s->start)) { // where it was held
    u->r.t = pass_break(u, s->start);
    if (!happen(u, u->r.t)) return u->r;
  }
  Explicit *explicit_method = NULL;
  Rodas *rodas = NULL;
  do {
    u->change = false;
    if (u->r.method == ode_rodas) {
      if (!rodas && !(rodas = rodas_new(u))) break;
      rodas_drive(rodas);
    } else {
      if (!explicit_method && !(explicit_method = explicit_new(u))) break;
      explicit_drive(explicit_method);
    }
    u->r.next_step = u->h;
    if (!u->change) return u->r;
    if (!u->r.changes++) u->r.stiff_at = u->r.t;
    u->r.method = u->r.method == ode_rodas ? s->method : ode_rodas;
  } while (true);
  u->r.status = ode_no_memory;
  return u->r;
}
