// Execution of state events and time events: what happens when a guard reaches zero or a time comes; the start, and a
// run that goes on.
//
// happen    passes the images of jumps through delays, settles (settle.c), books what the stored energy jumped by, and
//           checks that time advances (chatter.c)
// start     memories by their starts, levels AT, then an instant
// resume    other parameters may put guards on other sides: one more instant without samples
//
// A part of hybrid.h.
#include "hybrid/chatter.h"
#include "hybrid/locating.h"
#include "hybrid/settle.h"

#include <math.h>
#include <string.h>

// The delays read behind the images of jumps from now on; those that jump are reported.
static void pass_images(Hybrid *h, double t, const double *y) {
  const double *now = h->z + h->plan->delay_at;
  double *left = h->room.delayed;
  hybrid_given(h, t, y);
  memcpy(left, now, h->plan->delay_count * sizeof *left);
  history_mark(h, t, false);
  hybrid_given(h, t, y);
  for (uint32_t i = 0; i < h->plan->rewriting->delay_count; i++) {
    if (fabs(now[i] - left[i]) > 1e-9 * (1 + fabs(now[i]))) hybrid_note(h, t, (EventItem){event_of_delay, i}, now[i]);
  }
}

// The guard that was located; behind the guards come loops that have another solution.
static uint32_t located(const Hybrid *h, const uint32_t *ended, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (ended[i] < h->plan->mode_count) return ended[i];
  }
  return settle_not_located;
}

static uint32_t breaks_before(const Hybrid *h, double t) {
  uint32_t lo = 0, hi = h->breaks.count;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (h->breaks.times[mid] < t) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// Does a signal of time jump here?
static bool at_break(const Hybrid *h, double t) {
  uint32_t first = breaks_before(h, t);
  return first < h->breaks.count && h->breaks.times[first] == t;
}

// The last moment before the jumps of signals of time that were passed to get to t.
static double left_of(const Hybrid *h, double t) {
  uint32_t first = breaks_before(h, t - EVENT_SAME_INSTANT * fabs(t));
  return first < h->breaks.count && h->breaks.times[first] <= t ? nextafter(h->breaks.times[first], -INFINITY) : t;
}

// Where constraints have a corner their rate jumps: the velocity they do not let pass is lost in a plastic blow, and
// what reads velocities is settled once more.
static OdeAction turn_corner(Hybrid *h, double t, double *y) {
  double change = h->host.impulse(h->host.self, t, y);
  h->state->lost += change;
  return change == 0 ? action_go : settle_all(h, t, y);
}

static bool is_due(const Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    if (hybrid_is_due(h, i, t)) return true;
  }
  return false;
}

// The time of a sample at t, else the first number behind the breaks that are passed.
static double instant_time(const Hybrid *h, double t, bool ticked) {
  for (uint32_t i = 0; ticked && i < h->plan->when_count; i++) {
    if (hybrid_is_due(h, i, t)) return h->whens[i].next_at;
  }
  double left = left_of(h, t);
  return left == t ? t : nextafter(left, INFINITY);
}

static OdeAction happen(void *self, double t, double *y, const uint32_t *ended, uint32_t count, uint64_t steps) {
  Hybrid *h = self;
  if (arena_failed(h->arena)) return action_no_memory;
  h->state->lost = 0;
  settle_keep_outputs(h, left_of(h, t), y);
  double before = h->host.stored(h->host.self, t, y);
  uint32_t logged = h->log.count;
  bool past = h->state->remembers, ticked = is_due(h, t);
  bool idle = t == h->state->t1 && !count && !ticked && !at_break(h, t); // the end of the run
  if (!at_break(h, t)) h->host.watch(h->host.self, t, y); // else the left limit was seen as the break was passed
  if (past) pass_images(h, t, y);
  settle_open(h, instant_time(h, t, ticked), t, y, located(h, ended, count), steps);
  OdeAction action = settle_all(h, t, y);
  if (action == action_go && count && h->plan->rewriting->corners) action = turn_corner(h, t, y);
  if (past && (h->log.count > logged || ticked || count || at_break(h, t))) history_mark(h, t, true);
  idle = idle && h->log.count == logged;
  settle_end(h, t, y);
  hybrid_book(h, before + h->state->lost, t, y);
  h->host.watch(h->host.self, t, y);
  if (action == action_go && count) action = chatter_watch(h, t, ended, count);
  return arena_failed(h->arena) ? action_no_memory : action == action_go && idle ? action_idle : action;
}

static double next_time(void *self, double t) {
  const Hybrid *h = self;
  double first = h->state->remembers ? history_next(h, t) : INFINITY;
  if (t < h->state->t1) first = fmin(first, h->state->t1); // the end of a run is an instant
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
      .rate_rounding = h->plan->may_hold ? holding_rate_rounding : NULL,
      .next = next_time,
      .longest = past ? h->state->shortest : INFINITY,
      .record = past ? history_record : NULL,
      .time_error = h->plan->mode_count ? settle_time_error : NULL,
  };
  locating_events(h, &h->events);
}

// ---- the start

// That branches are found at the start is no event; what a `when` does there is one.
static void keep_whens(Hybrid *h) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < h->log.count; i++) {
    if (h->log.items[i].of.kind == event_of_when) h->log.items[kept++] = h->log.items[i];
  }
  h->log.count = kept;
}

// Play starts at its input as that is once the other memories have settled. True: one starts elsewhere than before.
static bool start_play(Hybrid *h, double t, const double *y) {
  bool any = false;
  settle_rules(h, t, y);
  for (uint32_t i = 0; i < h->plan->memory_count; i++) {
    if (!h->plan->s->memories.items[i].follow) continue;
    double start = hybrid_rule(h, h->plan->starts_at + i + 2);
    any = any || start != h->z[i + 2];
    h->z[i + 2] = start;
  }
  return any;
}

OdeAction hybrid_start(Hybrid *h, double t, double *y) {
  h->state->last_t = t;
  if (h->plan->delay_count && !history_start(h)) return action_no_memory;
  if (h->state->remembers) history_mark(h, t, true);
  settle_branches(h, t, y);
  for (int round = 0; round < 2; round++) { // starts may depend on branches
    settle_rules(h, t, y);
    for (uint32_t i = 0; i < h->plan->memory_count; i++) h->z[i] = hybrid_rule(h, h->plan->starts_at + i);
    settle_branches(h, t, y);
  }
  settle_rules(h, t, y);
  if (hybrid_start_samples(h, t) != action_go) return action_fail;
  OdeAction action = settle_start(h, t, y);
  if (action == action_go && start_play(h, t, y)) action = settle_start(h, t, y);
  if (action == action_go) action = settle_all(h, t, y);
  keep_whens(h);
  hybrid_connect(h);
  settle_end(h, t, y);
  return action;
}

// ---- a run that goes on

// The samples of an `every` whose period has changed are counted afresh: the next is the first of its times that lies
// ahead. The rules are evaluated, and periods are those of the run before.
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
  uint32_t logged = h->log.count;
  settle_open(h, t, t, y, settle_not_located, h->state->steps);
  OdeAction action = settle_all(h, t, y);
  h->log.count = logged;
  h->state->steps = 0;
  settle_end(h, t, y);
  return action;
}
