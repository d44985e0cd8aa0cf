// Events: what happens when a condition ends or a time comes; the start, and a motion that goes on.
//
// happen    keeps what follows the motion, takes the ended conditions, passes the images of jumps through delays, does
//           what is due (`every`), settles (settle.c), books what the stored energy jumped by, and looks whether time
//           gets on (chatter.c)
// start     memories by their starts, modes by their operators, then settles without `when`, then with them
// resume    other parameters may put guards on other sides: settles once more
#include "sim/chatter.h"
#include "sim/locating.h"
#include "sim/settle.h"

#include <math.h>
#include <string.h>

enum { most_logged = 100000 }; // more of them nobody reads; a million lines of text take a second

// ---- making one

void hybrid_cut(Hybrid *h, Cutter *c) {
  const EventPlan *p = h->plan;
  const Tape *guards = p->tape[event_guards], *past = p->tape[event_past];
  size_t modes = p->mode_count, slots = guards ? guards->slot_count : 0, past_slots = past ? past->slot_count : 0;
  BLOCK_CUT(c, h->state, 1);
  for (int i = 0; i < event_tape_count; i++) {
    if (p->tape[i]) BLOCK_CUT(c, h->w[i], p->tape[i]->slot_count);
  }
  BLOCK_CUT(c, h->z, p->z_count);
  BLOCK_CUT(c, h->modes, modes);
  BLOCK_CUT(c, h->whens, p->when_count);
  BLOCK_CUT(c, h->delays, p->delay_count);
  BLOCK_CUT(c, h->held, modes);
  BLOCK_CUT(c, h->group, modes);
  BLOCK_CUT(c, h->fresh, modes);
  BLOCK_CUT(c, h->noise, modes);
  BLOCK_CUT(c, h->rearm, modes);
  BLOCK_CUT(c, h->ties.at, p->body);
  BLOCK_CUT(c, h->ties.lead, modes);
  EventRoom *r = &h->room;
  BLOCK_CUT(c, r->c, modes);
  BLOCK_CUT(c, r->g_before, modes);
  BLOCK_CUT(c, r->y, p->s->y.count);
  BLOCK_CUT(c, r->slope, p->s->y.count);
  BLOCK_CUT(c, r->delayed, p->delay_count);
  BLOCK_CUT(c, r->errors, slots);
  BLOCK_CUT(c, r->marked, slots);
  for (int i = 0; p->any_wild && i < 4; i++) {
    BLOCK_CUT(c, r->ranges[i], slots);
    BLOCK_CUT(c, r->past_ranges[i], past_slots);
  }
  BLOCK_CUT(c, r->free_at, modes);
  BLOCK_CUT(c, r->columns, modes);
  BLOCK_CUT(c, r->ended, modes);
  BLOCK_CUT(c, r->inputs, (size_t)history_points * p->delays.width);
  BLOCK_CUT(c, r->input_y, p->s->y.count);
}

bool hybrid_reset(Hybrid *h, const double *params) {
  const EventPlan *p = h->plan;
  for (int i = 0; i < event_tape_count; i++) {
    if (!p->tape[i]) continue;
    memcpy(h->w[i], params, p->tape[i]->param_count * sizeof *params);
    tape_prepare(p->tape[i], h->w[i]);
  }
  h->log.count = h->queue.count = 0;
  h->history.start.count = h->history.end.count = h->history.c.count = h->history.marks.count = 0;
  h->failure = NULL;
  h->state->when_t = NAN;
  if (p->tape[event_times]) tape_eval(p->tape[event_times], h->w[event_times]);
  for (uint32_t i = 0; i < p->delay_count; i++) {
    double time = h->delays[i].time = hybrid_result(h, event_times, i);
    bool none = !(time >= 0 && isfinite(time)), other = (time == 0) != (p->rewriting->delay_times[i] == 0);
    if (!none && !other) continue;
    hybrid_fail(h,
                none ? "the dead time of a delay is no positive number"
                     : "a delay without length is its input: whether it has one cannot change from run to run",
                p->s->delays.items[i].span);
    return false;
  }
  return true;
}

#define COPY_TAIL(arena, to, from)                                                                                     \
  do {                                                                                                                 \
    (to).items = arena_array((arena), (size_t)(from).count + 1, sizeof *(to).items);                                   \
    (to).count = (from).count;                                                                                         \
    (to).cap = (from).count + 1;                                                                                       \
    if ((to).items && (from).count) memcpy((to).items, (from).items, (from).count * sizeof *(to).items);               \
  } while (0)

bool hybrid_copy(Hybrid *copy, const Hybrid *h) {
  COPY_TAIL(copy->arena, copy->log, h->log);
  COPY_TAIL(copy->arena, copy->history.start, h->history.start);
  COPY_TAIL(copy->arena, copy->history.end, h->history.end);
  COPY_TAIL(copy->arena, copy->history.c, h->history.c);
  COPY_TAIL(copy->arena, copy->history.marks, h->history.marks);
  COPY_TAIL(copy->arena, copy->queue, h->queue);
  copy->solve_room = 0; // made when it is needed: nothing is remembered there
  copy->hold_work = NULL;
  copy->ties.room = 0;
  copy->failure = h->failure ? arena_strndup(copy->scratch, h->failure, strlen(h->failure)) : NULL;
  copy->failure_place = h->failure_place;
  return !arena_failed(copy->arena) && holding_room(copy, h->state->held_count) && holding_tie(copy);
}

// ---- evaluations

void hybrid_put(const Hybrid *h, EventTape which, double time, const double *y) {
  const EventPlan *p = h->plan;
  double *var = tape_vars(p->tape[which], h->w[which]);
  uint32_t held = p->s->held.count;
  var[0] = time;
  memcpy(var + 1, y, p->body * sizeof *var);
  if (held) memcpy(var + 1 + p->body, h->held_values, held * sizeof *var);
  memcpy(var + 1 + p->body + held, h->z, p->z_count * sizeof *var);
}

void hybrid_eval(Hybrid *h, EventTape which, double time, const double *y) {
  hybrid_put(h, which, time, y);
  tape_eval(h->plan->tape[which], h->w[which]);
}

void hybrid_given(Hybrid *h, double t, const double *y) {
  uint32_t delays = h->state->remembers ? h->plan->delay_count : 0;
  for (uint32_t i = 0; i < delays; i++) h->z[h->plan->delay_at + i] = history_value(h, i, t);
  if (h->state->held_count) holding_values(h, t, y);
}

void hybrid_guards(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  hybrid_eval(h, event_guards, t, y);
}

// ---- what happened

const char *hybrid_word(const EventPlan *p, EventItem of) {
  switch (of.kind) {
  case event_of_mode: return p->modes[of.index].word;
  case event_of_memory: return p->s->memories.items[of.index].block;
  case event_of_when: return p->when_words[of.index];
  case event_of_delay: return "delay";
  case event_of_none: break;
  }
  return NULL;
}

Span hybrid_span(const EventPlan *p, EventItem of) {
  switch (of.kind) {
  case event_of_mode: return p->modes[of.index].span;
  case event_of_memory: return p->s->memories.items[of.index].span;
  case event_of_when: return p->s->whens.items[of.index].span;
  case event_of_delay: return p->s->delays.items[of.index].span;
  case event_of_none: break;
  }
  return (Span){0};
}

// Is it the same thing of the text?
static bool same_item(const EventPlan *p, EventItem a, EventItem b) {
  if (a.kind == b.kind && a.index == b.index) return true;
  Span x = hybrid_span(p, a), y = hybrid_span(p, b);
  return hybrid_word(p, a) == hybrid_word(p, b) && x.start == y.start && x.source == y.source;
}

void hybrid_note(Hybrid *h, double t, EventItem of, double value) {
  h->state->last = of;
  if (h->log.count >= most_logged) {
    h->state->log_full = true;
    return;
  }
  // what changes to and fro in one moment is reported once
  for (uint32_t i = h->log.count; i-- > 0 && h->log.items[i].t == t;) {
    EventRecord *e = &h->log.items[i];
    if (!same_item(h->plan, e->of, of)) continue;
    e->value = value;
    return;
  }
  vec_push(h->arena, &h->log, (EventRecord){t, value, of});
}

OdeAction hybrid_fail(Hybrid *h, const char *message, Span place) {
  h->failure = message ? message : "memory is out";
  h->failure_place = place;
  return action_fail;
}

// ---- `every`

// The k-th time of an `every`: rows fall on the same doubles.
double hybrid_tick_time(const Hybrid *h, uint32_t i, uint64_t k) {
  OdeSettings s = {.t0 = h->state->t0, .t1 = INFINITY, .every = h->whens[i].period};
  return ode_row_time(&s, k);
}

// `every` whose time has come.
static bool tick(Hybrid *h, double t, double *y, bool *stop) {
  bool any = false;
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    const ModelWhen *w = &h->plan->s->whens.items[i];
    if (!w->period || !(h->whens[i].next_at <= t)) continue;
    settle_rules(h, t, y);
    assign_values(h, i, t, y);
    h->whens[i].next_at = hybrid_tick_time(h, i, ++h->whens[i].ticks);
    *stop = *stop || w->stop;
    any = true;
  }
  return any;
}

// ---- the interface of the integrator

void hybrid_book(Hybrid *h, double before, double t, double *y) {
  double after = h->host.stored(h->host.self, t, y);
  if (!(after != before)) return;
  double *flows = y + h->plan->body;
  if (after < before) flows[flow_dissipated] += before - after;
  else flows[flow_supplied] += after - before;
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

static OdeAction happen(void *self, double t, double *y, const uint32_t *ended, uint32_t count) {
  Hybrid *h = self;
  if (arena_failed(h->arena)) return action_no_memory;
  h->state->lost = 0;
  hybrid_keep_outputs(h, left_of(h, t), y);
  double before = h->host.stored(h->host.self, t, y);
  uint32_t logged = h->log.count;
  bool stop = false, past = h->state->remembers;
  if (h->host.watch) h->host.watch(h->host.self, t, y);
  ended = settle_ended(h, t, y, ended, &count);
  settle_begin(h, t, y, ended, count);
  if (past) pass_images(h, t, y);
  bool ticked = tick(h, t, y, &stop);
  OdeAction action = settle_all(h, t, y, false);
  for (uint32_t i = 0; count && i < h->plan->mode_count; i++) {
    if (h->modes[i].met) locating_grazes(h, i, t);
  }
  if (past && (h->log.count > logged || ticked || count || at_break(h, t))) history_mark(h, t, true);
  settle_end(h, t, y);
  hybrid_book(h, before + h->state->lost, t, y);
  if (h->host.watch) h->host.watch(h->host.self, t, y);
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
    if (!h->plan->s->whens.items[i].period || w->period > 0) continue;
    return hybrid_fail(h, "the period of `every` must be positive", h->plan->s->whens.items[i].span);
  }
  return action_go;
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
  h->log.count = 0; // the start is no event
  hybrid_connect(h);
  settle_end(h, t, y);
  return stop && action == action_go ? action_stop : action;
}

// ---- a run that goes on

// The samples of an `every` whose period is another one now are counted anew: the next is the first of its times that
// lies ahead. The rules are evaluated, and periods are those of the run before.
static OdeAction renew_samples(Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    const ModelWhen *w = &h->plan->s->whens.items[i];
    double period = hybrid_rule(h, h->plan->periods_at + i), before = h->whens[i].period;
    h->whens[i].period = period;
    if (!w->period) continue;
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
