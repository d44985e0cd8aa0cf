// Events: what happens when a condition ends or a time comes.
//
// The order in which an event is settled: `every` in the order of the text; then, until nothing changes any more: modes
// by their guards, checks, memories by their rules (each sees the new values of those it depends on), the first `when`
// of the text whose condition became true, modes whose guard is zero: those that hold the motion together (holding.c),
// the others by the direction in which the motion leaves it.
//
// What is true at the limit is said in one place, set_modes: a guard that is not zero says it itself. One that came to
// zero along the motion keeps its branch until the motion leaves it. One that was put on zero, by an assignment to what
// it reads, by a jump, or at the start, has the value of its operator there and no past.
#include "sim/chatter.h"
#include "sim/locating.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_logged = 100000 };
static const double resting = 1e-12; // of the largest values that were seen: what moves no faster may be at rest

// ---- evaluations

void hybrid_put(const Hybrid *h, const Tape *t, double *w, double time, const double *y) {
  double *var = tape_vars(t, w);
  uint32_t held = h->s->held.count;
  var[0] = time;
  memcpy(var + 1, y, h->body * sizeof *var);
  if (held) memcpy(var + 1 + h->body, h->held_values, held * sizeof *var);
  memcpy(var + 1 + h->body + held, h->z, h->z_count * sizeof *var);
}

void hybrid_given(Hybrid *h, double t, const double *y) {
  for (uint32_t i = 0; h->history && i < h->delay_count; i++) h->z[h->delay_at + i] = history_value(h, i, t);
  if (h->held_count) holding_values(h, t, y);
}

void hybrid_guards(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  hybrid_put(h, h->guards, h->guards_w, t, y);
  tape_eval(h->guards, h->guards_w);
}

bool hybrid_may_hold(const Hybrid *h) {
  for (uint32_t i = 0; i < h->modes.count; i++) {
    const SwitchMode *m = &h->modes.items[i];
    if (m->between && m->rate && !m->pass && m->kind != mode_floor) return true;
  }
  return false;
}

// ---- what happened

void hybrid_note(Hybrid *h, EventKind kind, double t, const char *word, Span span, double value) {
  h->last_word = word;
  h->last_span = span;
  if (h->log.count >= most_logged) {
    h->log_full = true;
    return;
  }
  // what changes to and fro in one moment is told once
  for (uint32_t i = h->log.count; i-- > 0 && h->log.items[i].t == t;) {
    RunEvent *e = &h->log.items[i];
    if (e->word != word || e->span.start != span.start || e->span.source != span.source) continue;
    e->value = value;
    return;
  }
  vec_push(h->arena, &h->log, (RunEvent){kind, t, word, span, value, 0});
}

OdeAction hybrid_fail(Hybrid *h, const char *message, Span place) {
  h->failure = message ? message : "memory is out";
  h->failure_place = place;
  return action_fail;
}

// ---- settling

static double mode_value(const SwitchMode *m, double g) {
  switch (m->kind) {
  case mode_above: return m->closed ? g >= 0 : g > 0;
  case mode_sign: return g > 0 ? 1 : g < 0 ? -1 : 0;
  case mode_floor: return floor(g);
  }
  return 0;
}

static void set_mode(Hybrid *h, uint32_t i, double value, double t) {
  const SwitchMode *m = &h->modes.items[i];
  if (h->z[h->mode_at + i] != value && !m->silent) hybrid_note(h, event_of_mode, t, m->word, m->span, value);
  h->z[h->mode_at + i] = value;
}

static void eval_rules(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  hybrid_put(h, h->rules_tape, h->rules_w, t, y);
  tape_eval(h->rules_tape, h->rules_w);
}

// How far from zero a guard may be that this event found at zero. Further off, it jumped over it and is where it is.
static double nearness(const SwitchMode *m, double g) {
  double near = 4 * fabs(g);
  return near <= 1e-6 * m->scale ? near : 0;
}

// How far from zero the guard of a held mode may be: rounding, and the errors of the method while it is held.
static double at_rest(const Hybrid *h, uint32_t i) {
  const SwitchMode *m = &h->modes.items[i];
  return 4 * m->drift + 1e-12 * m->scale + h->noise[i];
}

// What the ended conditions say themselves, before anything else.
static void begin_ended(Hybrid *h, double t, const double *y, const uint32_t *ended, uint32_t count) {
  if (!h->modes.count) return;
  hybrid_guards(h, t, y);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    // one that ended before and did not get away from zero yet is still there
    m->ended = (h->fresh[i] && m->ended && !m->holds) || (m->soft > 0 && fabs(hybrid_guard(h, i)) <= 2 * m->soft);
    m->near = m->ended ? fmax(m->near, fmax(nearness(m, hybrid_guard(h, i)), 2 * m->soft)) : 0;
    m->touch = m->released = m->at_once = m->changed = m->met = false;
    m->came = m->pinned;
  }
  for (uint32_t i = 0; i < h->modes.count; i++) h->c[i] = hybrid_guard(h, i);
  for (uint32_t k = 0; k < count; k++) { // in order: what is inside of a guard is before it
    uint32_t i = ended[k];
    SwitchMode *m = &h->modes.items[i];
    if (k) locating_follow(h);
    if (k && !m->holds && locating_inner_changed(h, i)) continue;
    double *v = &h->z[h->mode_at + i], g = hybrid_guard(h, i);
    m->at_once = h->fresh[i] && h->rearm[i] > 0 && t == h->last_t;
    m->ended = m->came = true;
    // on the other branch it may be rounded otherwise, and in a loop be solved otherwise
    double rounding = h->m->unknowns.count ? fmax(h->noise[i], 1e-11 * m->scale) : h->noise[i];
    m->near = fmax(fmax(nearness(m, g), 2 * m->soft), rounding) + DBL_MIN;
    m->changed = true;
    m->off = locating_distance(m, g, *v);
    if (m->holds) {
      m->released = !m->pinned;
      m->came = m->pinned;
      m->near = fmax(m->near, at_rest(h, i));
      double limit = m->kind == mode_sign ? holding_limit(h, i) : 1,
             over = fmin(fabs(*v / limit - 1), fabs(*v / limit + (m->kind == mode_sign)));
      m->give = 4 * over <= 1e-6 ? 4 * over : 0;
      holding_release(h, i);
      *v = m->kind == mode_sign ? (*v > 0 ? 1 : -1) : (*v > 0.5 ? 1 : 0);
      if (m->released) hybrid_note(h, event_of_mode, t, m->word, m->span, *v);
      continue;
    }
    switch (m->kind) {
    case mode_above: set_mode(h, i, *v != 0 ? 0 : 1, t); break;
    case mode_sign: set_mode(h, i, m->pass ? 0 : *v > 0 ? -1 : *v < 0 ? 1 : mode_value(m, g), t); break;
    case mode_floor: {
      double whole = g - *v < *v + 1 - g ? *v - 1 : *v + 1;
      m->near = 4 * fmin(fabs(g - *v), fabs(g - (*v + 1))) + DBL_MIN;
      set_mode(h, i, whole, t);
      break;
    }
    }
  }
  if (count) locating_outer(h, t, y);
}

// Conditions that meet their ends in the same moment up to rounding, `x > 1` beside `x < 1`, end together: the search
// stops at the first, and the other would not know that it was passed. Adds them to the list.
static const uint32_t *all_ended(Hybrid *h, double t, const double *y, const uint32_t *ended, uint32_t *count) {
  double near = 0; // relative to the largest values that were seen
  if (*count == 0 || !h->rates) return ended;
  hybrid_guards(h, t, y);
  memcpy(h->together, ended, *count * sizeof *ended);
  for (uint32_t k = 0; k < *count; k++) {
    const SwitchMode *m = &h->modes.items[ended[k]];
    if (!m->holds && m->kind != mode_floor && m->scale > 0)
      near = fmax(near, nearness(m, hybrid_guard(h, ended[k])) / m->scale);
  }
  bool rates = false;
  double moment = 64 * DBL_EPSILON * fabs(t); // how far apart in time the same moment may be
  uint32_t first = *count;
  for (uint32_t i = 0; i < h->modes.count; i++) {
    const SwitchMode *m = &h->modes.items[i];
    double g = hybrid_guard(h, i), v = h->z[h->mode_at + i];
    if (m->holds || m->kind == mode_floor || !m->rate || h->fresh[i]) continue;
    if (!(fabs(g) <= fmax(h->noise[i], fmin(near, 1e-12) * m->scale))) continue;
    bool there = false;
    for (uint32_t k = 0; k < *count && !there; k++) there = h->together[k] == i;
    if (there) continue;
    if (!rates) {
      holding_rates(h, t, y);
      for (uint32_t k = 0; k < first; k++) {
        double own = h->modes.items[ended[k]].rate ? fabs(tape_result(h->rates, h->rates_w, ended[k])) : 0;
        if (own > 0) moment = fmax(moment, 4 * fabs(hybrid_guard(h, ended[k])) / own);
      }
    }
    rates = true;
    double rate = tape_result(h->rates, h->rates_w, i);
    bool up = m->kind == mode_above ? v != 0 : v > 0;
    if ((m->kind == mode_sign && v == 0) || !(up ? rate < 0 : rate > 0)) continue;
    if (fabs(g) > h->noise[i] && fabs(g) > moment * fabs(rate)) continue; // small, as exp(-t), but not there yet
    h->together[(*count)++] = i;
  }
  return h->together;
}

// Is g zero, as far as this event knows it?
static bool touches(const Hybrid *h, uint32_t i, double g, bool exact) {
  const SwitchMode *m = &h->modes.items[i];
  double v = h->z[h->mode_at + i];
  if (m->kind == mode_floor) return m->ended && (fabs(g - v) <= m->near || fabs(g - (v + 1)) <= m->near);
  // what may rest and hardly moves is asked together with what stops or starts in this moment
  if (m->jumps && m->enters && !m->pass && !exact && fabs(g) <= resting * m->scale + h->noise[i]) return true;
  return g == 0 || (m->ended && fabs(g) <= m->near);
}

// Modes by their guards; those at zero keep what they are. True: something changed.
static bool set_modes(Hybrid *h, double t) {
  bool changed = false;
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    double g = hybrid_rule(h, i), old = h->z[h->mode_at + i];
    bool anew = m->anew;
    m->anew = false;
    if (m->holds) {
      double near = anew ? h->noise[i] : at_rest(h, i);
      if (fabs(g) <= near) { // it is still there, and holding.c says whether it stays
        m->touch = m->ended = true;
        m->near = near;
        continue;
      }
      holding_release(h, i); // something moved it away
      anew = true;
    }
    if (anew) {
      m->touch = m->ended = m->released = m->came = m->at_once = false;
      m->near = h->rearm[i] = 0;
    }
    bool was = m->touch;
    m->touch = touches(h, i, g, anew);
    if (m->touch && !was && !m->ended && g != 0) m->came = true;
    // a guard that was put on zero starts from there; one that came there keeps its side for now
    if (m->touch && (was || m->ended || g != 0)) continue;
    set_mode(h, i, mode_value(m, g), t);
    changed = changed || h->z[h->mode_at + i] != old;
  }
  return changed;
}

bool hybrid_again(Hybrid *h, double t, double *y) {
  eval_rules(h, t, y);
  return set_modes(h, t);
}

// ---- modes at zero

// dg/dt with the present modes.
static double raw_rate(Hybrid *h, uint32_t i, double t, const double *y) {
  hybrid_given(h, t, y);
  if (h->modes.items[i].rate) {
    holding_rates(h, t, y);
    return tape_result(h->rates, h->rates_w, i);
  }
  // not known as an expression: a little further along the motion
  double dt = 1e-8 * fmin(h->t1 - h->t0, fmax(1e-3 * (h->t1 - h->t0), t - h->last_t)), *z = h->before;
  hybrid_guards(h, t, y);
  double g = hybrid_guard(h, i);
  h->changed(h->self);
  if (!h->f(h->self, t, y, h->slope)) return 0;
  for (uint32_t k = 0; k < h->body; k++) z[k] = y[k] + dt * h->slope[k];
  hybrid_guards(h, t + dt, z);
  return (hybrid_guard(h, i) - g) / dt;
}

// The same without rounding: what is small beside the rates and sizes that were seen counts as zero.
static double rate_of(Hybrid *h, uint32_t i, double t, const double *y) {
  double r = raw_rate(h, i, t, y), size = fabs(r);
  SwitchMode *m = &h->modes.items[i];
  if (size > m->rate_scale) m->rate_scale = size;
  return size <= 1e-10 * fmax(m->rate_scale, m->scale / (h->t1 - h->t0)) ? 0 : r;
}

// Others hold this guard at zero: its argument stays there, and it is what its operator says of zero.
static bool is_held_by_others(const Hybrid *h, uint32_t i, double g) {
  const SwitchMode *m = &h->modes.items[i];
  for (uint32_t k = 0; k < h->held_count; k++) {
    const SwitchMode *by = &h->modes.items[h->held[k]];
    if (by->g == m->g || by->opposite == m->g) return true;
  }
  return g == 0 && h->held_count > 0;
}

// A mode whose guard is zero and that holds nothing takes the side to which the motion goes. 1: changed, 0: as it was,
// -1: both sides lead back.
static int leave(Hybrid *h, uint32_t i, double t, double *y) {
  SwitchMode *m = &h->modes.items[i];
  double *v = &h->z[h->mode_at + i], old = *v;
  if (m->holds || m->acts) return 0;
  if (m->kind != mode_floor && rate_of(h, i, t, y) == 0 && is_held_by_others(h, i, hybrid_rule(h, i))) {
    set_mode(h, i, mode_value(m, 0), t);
    return *v != old;
  }
  if (m->kind == mode_floor) {
    double rate = rate_of(h, i, t, y), g = hybrid_rule(h, i);
    bool below = fabs(g - *v) <= fabs(g - (*v + 1)); // at the lower end
    if (below && rate < 0) set_mode(h, i, old - 1, t);
    else if (!below && rate > 0) set_mode(h, i, old + 1, t);
    return *v != old;
  }
  if (m->kind == mode_sign && m->pass) { // passed: the other side follows
    double rate = rate_of(h, i, t, y);
    if (*v != 0 || rate == 0) return 0;
    set_mode(h, i, rate > 0 ? 1 : -1, t);
    return 1;
  }
  if (m->kind == mode_sign) {
    *v = 1;
    double up = rate_of(h, i, t, y);
    *v = -1;
    double down = rate_of(h, i, t, y);
    *v = old;
    if (up < 0 && down > 0) return -1;
    double side = up > 0 && (down >= 0 || old > 0) ? 1 : down < 0 && (up <= 0 || old < 0) ? -1 : old;
    set_mode(h, i, side, t);
    return *v != old;
  }
  double rate = rate_of(h, i, t, y);
  if (*v != 0 ? rate >= 0 : rate <= 0) return 0;
  *v = old != 0 ? 0 : 1;
  double other = rate_of(h, i, t, y);
  *v = old;
  // a function that does not act on its own guard just changes sides
  if (!(old != 0 ? other <= 0 : other >= 0)) return -1;
  if (m->at_once) return 0; // grazed at the depth of rounding: the slope tells less than the search
  set_mode(h, i, old != 0 ? 0 : 1, t);
  return 1;
}

OdeAction hybrid_check(Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->m->checks.count; i++) {
    if (hybrid_rule(h, h->checks_at + i) == 0) continue;
    char at[number_text_size];
    number_print(t, at);
    return hybrid_fail(h, arena_printf(h->arena, "stopped at t = %s: %s", at, h->m->checks.items[i].message),
                       h->m->checks.items[i].span);
  }
  return action_go;
}

static OdeAction settle(Hybrid *h, double t, double *y, bool start) {
  bool stop = false;
  memset(h->fired, 0, h->m->whens.count * sizeof *h->fired);
  uint32_t rounds = 1000 + 4 * (h->modes.count + h->memory_count);
  for (uint32_t round = 0;; round++) {
    if (round > rounds) return hybrid_unsettled(h, t, y);
    eval_rules(h, t, y);
    if (set_modes(h, t)) continue;
    OdeAction action = hybrid_check(h, t);
    if (action != action_go) return action;
    if (hybrid_set_memories(h, t, y)) continue;
    if (start) { // what is true at the start has not become true
      for (uint32_t i = 0; i < h->m->whens.count; i++) h->was[i] = hybrid_rule(h, h->conditions_at + i) != 0;
      return action_go;
    }
    if (hybrid_fire(h, t, y, &stop)) continue;
    HoldVerdict verdict = holding_settle(h, t, y);
    if (verdict > hold_changed) return chatter_group(h, verdict, t);
    bool changed = verdict == hold_changed;
    // all in one pass: `x > 1` and `x < 1` are not to be seen true at once
    const SwitchMode *driven = NULL;
    for (uint32_t i = 0; i < h->modes.count; i++) {
      if (!h->modes.items[i].touch) continue;
      int left = leave(h, i, t, y);
      if (left < 0 && !driven) driven = &h->modes.items[i];
      changed = changed || left > 0;
    }
    if (!changed && driven) return chatter_alone(h, driven, t);
    if (!changed) break;
  }
  return stop ? action_stop : action_go;
}

// The k-th time of an `every`: rows fall on the same doubles.
double hybrid_tick_time(const Hybrid *h, uint32_t i, uint64_t k) {
  OdeSettings s = {.t0 = h->t0, .t1 = INFINITY, .every = h->periods[i]};
  return ode_row_time(&s, k);
}

// `every` whose time has come. The rules must be evaluated.
static bool tick(Hybrid *h, double t, double *y, bool *stop) {
  bool any = false;
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    const ModelWhen *w = &h->m->whens.items[i];
    if (!w->period || !(h->next_at[i] <= t)) continue;
    eval_rules(h, t, y);
    hybrid_set(h, i, t, y);
    h->next_at[i] = hybrid_tick_time(h, i, ++h->ticks[i]);
    *stop = *stop || w->stop;
    any = true;
  }
  return any;
}

// ---- the interface of the integrator

static void end_settle(Hybrid *h, double t, const double *y) {
  if (h->modes.count) {
    holding_tie(h);
    locating_rounding(h, t, y);
    for (uint32_t i = 0; i < h->modes.count; i++) {
      SwitchMode *m = &h->modes.items[i];
      double near = 1e-11 * m->scale;
      m->soft = h->held_count && !m->holds && !(m->jumps && m->enters) && m->kind != mode_floor &&
                        fabs(hybrid_guard(h, i)) <= near
                    ? near
                    : 0;
    }
    // only where they hold it: what passes is not to be found late
    for (uint32_t i = 0; i < h->modes.count; i++) {
      SwitchMode *m = &h->modes.items[i];
      if (m->soft > 0 && rate_of(h, i, t, y) != 0) m->soft = 0;
    }
    locating_conditions(h, t, y, h->c);
    for (uint32_t i = 0; i < h->modes.count; i++)
      h->fresh[i] = !(h->c[i] > fmax(h->noise[i], h->rearm[i])) || h->modes.items[i].touch;
  }
  h->changed(h->self);
}

void hybrid_book(Hybrid *h, double before, double t, double *y) {
  double after = h->stored(h->self, t, y);
  if (!(after != before)) return;
  if (after < before) y[h->body] += before - after; // dissipated
  else y[h->body + 1] += after - before;            // supplied
}

// The delays read behind the images of jumps from now on; those that jump are told.
static void pass_images(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  double *left = h->left;
  memcpy(left, h->z + h->delay_at, h->delay_count * sizeof *left);
  history_mark(h, t, false);
  hybrid_given(h, t, y);
  for (uint32_t i = 0; i < h->delay_count; i++) {
    double now = h->z[h->delay_at + i];
    if (fabs(now - left[i]) > 1e-9 * (1 + fabs(now)))
      hybrid_note(h, event_of_delay, t, "delay", h->m->delays.items[i].span, now);
  }
}

// Does a signal of time jump here?
static bool at_break(const Hybrid *h, double t) {
  uint32_t lo = 0, hi = h->breaks.count; // breaks before t
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (h->breaks.times[mid] < t) lo = mid + 1;
    else hi = mid;
  }
  return lo < h->breaks.count && h->breaks.times[lo] == t;
}

// The last moment before the jumps of signals of time that were passed to get to t.
static double left_of(const Hybrid *h, double t) {
  for (int i = 0; i < 64 && at_break(h, t); i++) t = nextafter(t, -INFINITY);
  return t;
}

static OdeAction happen(void *self, double t, double *y, const uint32_t *ended, uint32_t count) {
  Hybrid *h = self;
  if (arena_failed(h->arena)) return action_no_memory;
  h->lost = 0;
  hybrid_left(h, left_of(h, t), y);
  double before = h->stored(h->self, t, y);
  uint32_t logged = h->log.count;
  bool stop = false;
  if (h->watch) h->watch(h->self, t, y);
  ended = all_ended(h, t, y, ended, &count);
  begin_ended(h, t, y, ended, count);
  if (h->history) pass_images(h, t, y);
  bool ticked = tick(h, t, y, &stop);
  OdeAction action = settle(h, t, y, false);
  for (uint32_t i = 0; count && i < h->modes.count; i++) {
    if (h->modes.items[i].met) locating_grazes(h, i, t);
  }
  if (h->history && (h->log.count > logged || ticked || count || at_break(h, t))) history_mark(h, t, true);
  end_settle(h, t, y);
  hybrid_book(h, before + h->lost, t, y);
  if (h->watch) h->watch(h->self, t, y);
  if (action == action_go && count) action = chatter_watch(h, t, ended, count);
  if (action == action_go && stop) action = action_stop;
  return arena_failed(h->arena) ? action_no_memory : action;
}

static double next_time(void *self, double t) {
  const Hybrid *h = self;
  double first = h->history ? history_next(h, t) : INFINITY;
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    if (h->m->whens.items[i].period) first = fmin(first, h->next_at[i]);
  }
  return first;
}

static void set_events(Hybrid *h) {
  h->events = (OdeEvents){
      .self = h,
      .happen = happen,
      .blur = hybrid_may_hold(h) ? holding_blur : NULL,
      .next = next_time,
      .longest = h->history ? h->events.longest : INFINITY,
      .record = h->history ? history_record : NULL,
  };
  locating_events(h, &h->events);
}

OdeAction hybrid_start(Hybrid *h, double t, double *y) {
  uint32_t starts = h->checks_at + h->m->checks.count;
  h->last_t = t;
  h->last_gap = 0;
  h->held_count = h->shrinking = h->crowd = 0;
  for (uint32_t i = 0; i < h->modes.count; i++) {
    h->modes.items[i].holds = false;
    h->modes.items[i].pinned = 0;
  }
  memset(h->ticks, 0, h->m->whens.count * sizeof *h->ticks);
  memset(h->faster, 0, h->m->whens.count * sizeof *h->faster);
  memset(h->fired_gap, 0, h->m->whens.count * sizeof *h->fired_gap);
  for (uint32_t i = 0; i < h->m->whens.count; i++) h->fired_at[i] = t;
  if (h->delay_count && !(h->history = history_new(h))) return action_no_memory;
  if (h->history) history_mark(h, t, true);
  eval_rules(h, t, y);
  for (uint32_t i = 0; i < h->modes.count; i++)
    h->z[h->mode_at + i] = mode_value(&h->modes.items[i], hybrid_rule(h, i));
  for (int round = 0; round < 2; round++) { // starts may depend on modes
    eval_rules(h, t, y);
    for (uint32_t i = 0; i < h->memory_count; i++) h->z[i] = hybrid_rule(h, starts + i);
    for (uint32_t i = 0; i < h->modes.count; i++)
      h->z[h->mode_at + i] = mode_value(&h->modes.items[i], hybrid_rule(h, i));
  }
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    h->periods[i] = hybrid_rule(h, starts + h->memory_count + i);
    h->next_at[i] = t;
    if (!h->m->whens.items[i].period || h->periods[i] > 0) continue;
    return hybrid_fail(h, "the period of `every` must be positive", h->m->whens.items[i].span);
  }
  memset(h->fresh, 0, h->modes.count * sizeof *h->fresh);
  begin_ended(h, t, y, NULL, 0);
  uint32_t logged = h->log.count;
  OdeAction action = settle(h, t, y, true);
  bool stop = false;
  if (action == action_go) tick(h, t, y, &stop);
  if (action == action_go) action = settle(h, t, y, false);
  h->log.count = logged; // the start is no event
  set_events(h);
  end_settle(h, t, y);
  return stop && action == action_go ? action_stop : action;
}

// ---- a run that goes on

// The samples of an `every` whose period is another one now are counted anew: the next is the first of its times that
// lies ahead. old: the rules are evaluated, and periods are those of the run before.
static OdeAction renew_samples(Hybrid *h, double t) {
  uint32_t starts = h->checks_at + h->m->checks.count + h->memory_count;
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    double period = hybrid_rule(h, starts + i), before = h->periods[i];
    h->periods[i] = period;
    if (!h->m->whens.items[i].period) continue;
    if (!(period > 0 && isfinite(period)))
      return hybrid_fail(h, "the period of `every` must be positive", h->m->whens.items[i].span);
    if (period == before) continue;
    double passed = floor((t - h->t0) / period);
    if (!(passed < 0x1p53))
      return hybrid_fail(h, "the period of `every` is too short to be counted", h->m->whens.items[i].span);
    uint64_t k = passed > 1 ? (uint64_t)passed - 1 : 0; // rounding may be one off
    while (hybrid_tick_time(h, i, k) <= t) k++;
    h->ticks[i] = k;
    h->next_at[i] = hybrid_tick_time(h, i, k);
  }
  return action_go;
}

OdeAction hybrid_resume(Hybrid *h, double t, double *y, double step, uint32_t stages) {
  h->last_t = t;
  if (h->old) {
    hybrid_put(h, h->rules_tape, h->rules_w, t, y);
    tape_eval(h->rules_tape, h->rules_w);
    if (renew_samples(h, t) != action_go) return action_fail;
    h->old_step = step;
    h->stages = stages;
    h->events = (OdeEvents){.self = h, .happen = hybrid_happen_old, .longest = INFINITY, .by_steps = true};
    return action_go;
  }
  set_events(h);
  if (!holding_room(h, h->held_count)) return action_no_memory;
  eval_rules(h, t, y);
  if (renew_samples(h, t) != action_go) return action_fail;
  if (h->history && at_break(h, t)) history_mark(h, t, true); // at the end of the run before nothing was known of it
  // other parameters may put guards on other sides
  begin_ended(h, t, y, NULL, 0);
  uint32_t logged = h->log.count;
  OdeAction action = settle(h, t, y, false);
  h->log.count = logged;
  end_settle(h, t, y);
  return action;
}
