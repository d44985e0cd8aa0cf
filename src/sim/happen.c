// Events: what happens when a condition ends or a time comes; the start, and a motion that goes on.
//
// happen    keeps what follows the motion, takes the ended conditions, passes the images of jumps through delays, does
//           what is due (`every`), settles (settle.c), books what the stored energy jumped by, and looks whether time
//           gets on (chatter.c)
// start     memories by their starts, modes by their operators, then settles without `when`, then with them
// resume    other parameters may put guards on other sides: settles once more A part of hybrid.h.
#include "sim/chatter.h"
#include "sim/locating.h"
#include "sim/settle.h"

#include <math.h>
#include <string.h>

// `every` whose time has come.
static bool tick(Hybrid *h, double t, double *y, bool *stop) {
  bool any = false;
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    const SystemWhen *w = &h->plan->s->whens.items[i];
    if (!w->period || !(h->whens[i].next_at <= t)) continue;
    settle_rules(h, t, y);
    assign_values(h, i, t, y);
    h->whens[i].next_at = hybrid_tick_time(h, i, ++h->whens[i].ticks);
    *stop = *stop || w->stop;
    any = true;
  }
  return any;
}

// The delays read behind the images of jumps from now on; those that jump are reported.
static void pass_images(Hybrid *h, double t, const double *y) {
  const double *now = h->z + h->plan->delay_at;
  double *left = h->room.delayed;
  hybrid_given(h, t, y);
  memcpy(left, now, h->plan->delay_count * sizeof *left);
  history_mark(h, t, false);
  hybrid_given(h, t, y);
  for (uint32_t i = 0; i < h->plan->delay_count; i++) {
    if (fabs(now[i] - left[i]) > 1e-9 * (1 + fabs(now[i]))) hybrid_note(h, t, (EventItem){event_of_delay, i}, now[i]);
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

// Where constraints have a corner their rate jumps: the velocity they do not let pass is lost in a plastic blow, and
// what reads velocities is settled once more.
static OdeAction turn_corner(Hybrid *h, double t, double *y) {
  double change = h->host.impulse(h->host.self, t, y);
  h->state->lost += change;
  return change == 0 ? action_go : settle_all(h, t, y, false);
}

static OdeAction happen(void *self, double t, double *y, const uint32_t *ended, uint32_t count) {
  Hybrid *h = self;
  if (arena_failed(h->arena)) return action_no_memory;
  h->state->lost = 0;
  hybrid_keep_outputs(h, left_of(h, t), y);
  double before = h->host.stored(h->host.self, t, y);
  uint32_t logged = h->log.count;
  bool stop = false, past = h->state->remembers;
  if (!at_break(h, t)) h->host.watch(h->host.self, t, y); // else the left limit was seen as the break was passed
  ended = settle_ended(h, t, y, ended, &count);
  settle_begin(h, t, y, ended, count);
  if (past) pass_images(h, t, y);
  bool ticked = tick(h, t, y, &stop);
  OdeAction action = settle_all(h, t, y, false);
  if (action == action_go && count && h->plan->rewriting->corners) action = turn_corner(h, t, y);
  for (uint32_t i = 0; count && i < h->plan->mode_count; i++) {
    if (h->modes[i].met) locating_grazes(h, i, t);
  }
  if (past && (h->log.count > logged || ticked || count || at_break(h, t))) history_mark(h, t, true);
  settle_end(h, t, y);
  hybrid_book(h, before + h->state->lost, t, y);
  h->host.watch(h->host.self, t, y);
  if (action == action_go && count) action = chatter_watch(h, t, ended, count);
  if (action == action_go && stop) action = action_stop;
  return arena_failed(h->arena) ? action_no_memory : action;
}

static double next_time(void *self, double t) {
  const Hybrid *h = self;
  double first = h->state->remembers ? history_next(h, t) : INFINITY;
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    if (h->plan->s->whens.items[i].period) first = fmin(first, h->whens[i].next_at);
  }
  return first;
}

void hybrid_connect(Hybrid *h) {
  bool past = h->state->remembers;
  if (h->plan->stepwise) {
    h->events = stepwise_events(h);
    return;
  }
  h->events = (OdeEvents){
      .self = h,
      .happen = happen,
      .blur = h->plan->may_hold ? holding_blur : NULL,
      .next = next_time,
      .longest = past ? h->state->shortest : INFINITY,
      .record = past ? history_record : NULL,
  };
  locating_events(h, &h->events);
}

// ---- the start

// Modes by the values of their operators; the rules are evaluated.
static void start_modes(Hybrid *h) {
  for (uint32_t i = 0; i < h->plan->mode_count; i++)
    *hybrid_mode(h, i) = settle_mode_value(&h->plan->modes[i], hybrid_rule(h, i));
}

static OdeAction start_samples(Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    WhenState *w = &h->whens[i];
    w->fired_at = w->next_at = t;
    w->period = hybrid_rule(h, h->plan->periods_at + i);
    if (h->plan->s->whens.items[i].once) {
      w->ticks = w->period < t;
      w->next_at = hybrid_tick_time(h, i, w->ticks);
      continue;
    }
    if (!h->plan->s->whens.items[i].period || w->period > 0) continue;
    return hybrid_fail(h, "the period of `every` must be positive", h->plan->s->whens.items[i].span);
  }
  return action_go;
}

void hybrid_find_branches(Hybrid *h, double t, const double *y) {
  settle_rules(h, t, y);
  start_modes(h);
}

// That branches are found at the start is no event; what a `when` does there is one.
static void keep_whens(Hybrid *h) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < h->log.count; i++) {
    if (h->log.items[i].of.kind == event_of_when) h->log.items[kept++] = h->log.items[i];
  }
  h->log.count = kept;
}

OdeAction hybrid_start(Hybrid *h, double t, double *y) {
  h->state->last_t = t;
  if (h->plan->delay_count && !history_start(h)) return action_no_memory;
  if (h->state->remembers) history_mark(h, t, true);
  settle_rules(h, t, y);
  start_modes(h);
  for (int round = 0; round < 2; round++) { // starts may depend on modes
    settle_rules(h, t, y);
    for (uint32_t i = 0; i < h->plan->memory_count; i++) h->z[i] = hybrid_rule(h, h->plan->starts_at + i);
    start_modes(h);
  }
  if (start_samples(h, t) != action_go) return action_fail;
  settle_begin(h, t, y, NULL, 0);
  OdeAction action = settle_all(h, t, y, true);
  bool stop = false;
  if (action == action_go) tick(h, t, y, &stop);
  if (action == action_go) action = settle_all(h, t, y, false);
  keep_whens(h);
  hybrid_connect(h);
  settle_end(h, t, y);
  return stop && action == action_go ? action_stop : action;
}

// ---- a run that goes on

// The samples of an `every` whose period is another one now are counted anew: the next is the first of its times that
// lies ahead. The rules are evaluated, and periods are those of the run before.
static OdeAction renew_samples(Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    const SystemWhen *w = &h->plan->s->whens.items[i];
    double period = hybrid_rule(h, h->plan->periods_at + i), before = h->whens[i].period;
    h->whens[i].period = period;
    if (w->once && period != before) {
      h->whens[i].ticks = period <= t;
      h->whens[i].next_at = hybrid_tick_time(h, i, h->whens[i].ticks);
    }
    if (!w->period || w->once) continue;
    if (!(period > 0 && isfinite(period))) return hybrid_fail(h, "the period of `every` must be positive", w->span);
    if (period == before) continue;
    double passed = floor((t - h->state->t0) / period);
    if (!(passed < 0x1p53)) return hybrid_fail(h, "the period of `every` is too short to be counted", w->span);
    uint64_t k = passed > 1 ? (uint64_t)passed - 1 : 0; // rounding may be one off
    while (hybrid_tick_time(h, i, k) <= t) k++;
    h->whens[i].ticks = k;
    h->whens[i].next_at = hybrid_tick_time(h, i, k);
  }
  return action_go;
}

OdeAction hybrid_resume(Hybrid *h, double t, double *y, double step, uint32_t stages) {
  h->state->last_t = t;
  hybrid_connect(h);
  if (h->plan->stepwise) {
    hybrid_eval(h, event_rules, t, y);
    h->state->step = step;
    h->state->stages = stages;
    return renew_samples(h, t);
  }
  if (!holding_room(h, h->state->held_count)) return action_no_memory;
  settle_rules(h, t, y);
  if (renew_samples(h, t) != action_go) return action_fail;
  // at the end of the run before nothing was known of it
  if (h->state->remembers && at_break(h, t)) history_mark(h, t, true);
  // other parameters may put guards on other sides
  settle_begin(h, t, y, NULL, 0);
  uint32_t logged = h->log.count;
  OdeAction action = settle_all(h, t, y, false);
  h->log.count = logged;
  settle_end(h, t, y);
  return action;
}
