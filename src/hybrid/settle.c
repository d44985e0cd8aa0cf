// The host of the event iteration: evaluation of guards and rules by tapes.
//
// in    the event tapes of a run: guards, memories, conditions and what is set stand in the tape of the rules, whose
//       branches are those of a reading; the search and the flow see the branches in z, which for an element that
//       sticks has the value with which its guard stays at zero
// out   what hybrid/instant.h asks for; errors e of the variables (S3)
#include "hybrid/settle.h"

#include "hybrid/chatter.h"
#include "hybrid/locating.h"
#include "hybrid/zero_set.h"
#include "tape/interval.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Last digits that a component loses in a step of a method, and that the time of an instant is known to.
static const double lost_digits = EVENT_SAME_INSTANT;
// A guard that is located no better than to this part of the run does not tell how well its time is known.
static const double located_part = 0x1p-20;

static uint32_t body_at(uint32_t component) { return 1 + component; }
static uint32_t z_at(const Hybrid *h) { return 1 + h->plan->body + h->plan->s->held.count; }

// ---- evaluations

void settle_rules(Hybrid *h, double t, const double *y) {
  hybrid_delayed(h, t);
  hybrid_eval(h, event_rules, t, y);
}

static void evaluate(void *self, double t, const double *y) {
  Hybrid *h = self;
  Instant *x = &h->instant;
  settle_rules(h, t, y);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) x->g[i] = hybrid_rule(h, i);
  for (uint32_t i = 0; i < h->plan->memory_count; i++)
    x->rule[i] = h->plan->s->memories.items[i].follow ? h->z[i] : hybrid_rule(h, h->plan->memories_at + i);
  for (uint32_t i = 0; i < h->plan->when_count; i++) x->condition[i] = hybrid_rule(h, h->plan->conditions_at + i);
}

// The errors of all slots of a tape that was evaluated, in h->room.rule_errors.
static const double *errors_of(Hybrid *h, EventTape which, const double *off, double digits) {
  const Tape *t = h->plan->tape[which];
  double *e = h->room.rule_errors;
  memset(e, 0, t->slot_count * sizeof *e);
  memcpy(e + t->param_count, off, t->var_count * sizeof *e);
  tape_errors(t, h->w[which], digits, e);
  return e;
}

static const double *find_errors(Hybrid *h, const double *off, double digits) {
  return errors_of(h, event_rules, off, digits);
}

const double *settle_input_errors(Hybrid *h, double t, const double *y) {
  enum { steps = 16 }; // of the method since the last instant, whose errors are not in `off` yet
  Instant *x = &h->instant;
  if (!h->plan->mode_count) return NULL;
  memcpy(x->tilt, x->off, h->instant.plan->variables * sizeof *x->tilt);
  x->tilt[0] = fmax(x->tilt[0], lost_digits * fabs(t));
  for (uint32_t k = 0; k < h->plan->body; k++) x->tilt[body_at(k)] += steps * lost_digits * fabs(y[k]);
  return errors_of(h, event_inputs, x->tilt, 8);
}

void settle_keep_outputs(Hybrid *h, double t, const double *y) {
  if (!h->plan->tape[event_follows] || h->plan->stepwise) return;
  hybrid_given(h, t, y);
  hybrid_eval(h, event_follows, t, y);
  const double *e = errors_of(h, event_follows, h->instant.off, 8);
  for (uint32_t i = 0; i < h->plan->memory_count; i++) {
    if (!h->plan->s->memories.items[i].follow) continue;
    h->z[i + 2] = hybrid_result(h, event_follows, i);
    h->instant.off[z_at(h) + i + 2] = e[h->plan->tape[event_follows]->outputs[i]];
  }
}

static void errors(void *self, const double *off, double digits, double *bounds) {
  Hybrid *h = self;
  const double *e = find_errors(h, off, digits);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) bounds[i] = e[h->plan->tape[event_rules]->outputs[i]];
}

// Made when it is asked for: most runs have no two guards that are zero at once.
static TapeAlong *along(Hybrid *h) {
  const Tape *t = h->plan->tape[event_rules];
  if (h->along.tape) return &h->along;
  double *still = arena_array(h->arena, (size_t)t->param_count + t->output_count + 1, sizeof *still);
  if (!still || !tape_along_init(&h->along, h->arena, t, 1)) {
    h->along.tape = NULL;
    return NULL;
  }
  tape_along_params(&h->along, h->w[event_rules], still, NULL);
  h->slopes = still;
  return &h->along;
}

static void slopes(void *self, const double *direction, double *out) {
  Hybrid *h = self;
  const Tape *t = h->plan->tape[event_rules];
  TapeAlong *a = along(h);
  if (a) tape_along(a, h->w[event_rules], direction, t->var_count, h->slopes);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) out[i] = a ? h->slopes[i] : 0;
}

// Has stick and slip decided the value of a mode?
static bool is_decided(const Hybrid *h, uint32_t i) {
  const ModeState *m = &h->modes[i];
  return m->holds || m->acts || m->released;
}

// The branches of the last reading, for what does not stick or slide by the solution of stick and slip.
static void show_branches(Hybrid *h) {
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (!is_decided(h, i)) *hybrid_mode(h, i) = h->instant.branch[i];
  }
}

static bool flow(void *self, double t, const double *y, double *direction) {
  Hybrid *h = self;
  const EventPlan *p = h->plan;
  show_branches(h);
  hybrid_given(h, t, y);
  h->host.changed(h->host.self);
  memset(direction, 0, h->instant.plan->variables * sizeof *direction);
  direction[0] = 1;
  if (!h->host.f(h->host.self, t, y, h->room.slope)) return false;
  memcpy(direction + 1, h->room.slope, p->body * sizeof *direction);
  double *delayed = direction + z_at(h) + p->delay_at;
  for (uint32_t i = 0; h->state->remembers && i < p->delay_count; i++) delayed[i] = history_rate(h, i, t).rate;
  return true;
}

static void flow_errors(void *self, double t, const double *y, double *errors) {
  Hybrid *h = self;
  uint32_t body = h->plan->body;
  memset(errors, 0, h->instant.plan->variables * sizeof *errors);
  if (h->host.rate_errors(h->host.self, t, y, h->instant.off, h->room.slope)) {
    for (uint32_t k = 0; k < body; k++) errors[body_at(k)] = h->room.slope[k];
  }
  double *delayed = errors + z_at(h) + h->plan->delay_at;
  for (uint32_t i = 0; h->state->remembers && i < h->plan->delay_count; i++)
    delayed[i] = history_rate(h, i, t).rounding;
  if (!h->plan->may_hold) return;
  holding_rate_rounding(h, t, y, h->room.hold_rate_rounding);
  for (uint32_t k = 0; k < body; k++) errors[body_at(k)] += h->room.hold_rate_rounding[k];
}

static double *room(void *self, size_t count) {
  Hybrid *h = self;
  if (count > h->rows_room) {
    h->rows_room = 2 * count;
    h->rows = arena_array(h->arena, h->rows_room, sizeof *h->rows);
  }
  return h->rows;
}

// How far the rate of each guard may be off, in slope_bound.
static void rate_errors(Hybrid *h, double t, const double *y) {
  Instant *x = &h->instant;
  flow_errors(h, t, y, x->tilt);
  evaluate(h, t, y);
  errors(h, x->tilt, 0, x->slope_bound);
}

// ---- what happens

// Does any element stick or slide, or was one let go?
static bool acts_any(const Hybrid *h) {
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (is_decided(h, i) || h->instant.sticks[i]) return true;
  }
  return false;
}

static int stick(void *self, double t, double *y, bool *changed) {
  Hybrid *h = self;
  Instant *x = &h->instant;
  bool any = acts_any(h);
  // what was decided of a guard that is not zero any more is over
  for (uint32_t i = 0; i < h->plan->mode_count; i++) h->modes[i].acts &= instant_at_limit(x, i);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (h->modes[i].holds && !x->zero[x->plan->leader[i]]) holding_release(h, i); // something moved it away
  }
  show_branches(h);
  HoldVerdict verdict = hold_same;
  if (holding_any(h)) {
    rate_errors(h, t, y);
    verdict = holding_settle(h, t, y, x->slope_bound);
  }
  for (uint32_t i = 0; i < h->plan->mode_count; i++) x->sticks[i] = h->modes[i].holds;
  if (any || acts_any(h)) x->known = known_nothing;
  *changed = verdict == hold_changed;
  return verdict > hold_changed ? (int)verdict : 0;
}

static void release(void *self) {
  Hybrid *h = self;
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (h->modes[i].holds) holding_release(h, i);
    h->modes[i].acts = h->modes[i].released = h->instant.sticks[i] = false;
  }
}

// Loads jump by what is set: that one of them has reached a bound does not tell where it goes.
static void forget_released(Hybrid *h) {
  for (uint32_t i = 0; i < h->plan->mode_count; i++) h->modes[i].released = false;
}

// What was set: its error, and that it did not move.
static void was_set(Hybrid *h, uint32_t component, double error) {
  h->instant.off[body_at(component)] = error;
  h->room.off_size[component] = 0;
  instant_was_set(&h->instant, body_at(component));
}

// The infinitely small steps of numbers of the rules, which were evaluated last: steps[step * count + number]. NULL:
// there are none.
static const double *find_steps(Hybrid *h, uint32_t first, uint32_t count) {
  const Instant *x = &h->instant;
  uint32_t steps = x->steps.whole;
  double *out = steps && count ? room(h, (size_t)steps * count) : NULL;
  for (uint32_t s = 0; out && s < steps; s++) {
    slopes(h, x->steps.by[s], x->slope);
    for (uint32_t k = 0; k < count; k++) {
      double rate = h->along.tape ? h->slopes[first + k] : 0;
      out[(size_t)s * count + k] = isfinite(rate) ? rate : 0;
    }
  }
  return out;
}

static void assign(void *self, uint32_t which, double t, double *y) {
  Hybrid *h = self;
  const EventPlan *p = h->plan;
  const SystemWhen *w = &p->s->whens.items[which];
  const double *e = w->assigns.count ? find_errors(h, h->instant.off, 8) : NULL;
  const double *steps = find_steps(h, p->values_at[which], w->assigns.count);
  forget_released(h);
  memcpy(h->room.y, y, p->body * sizeof *y);
  assign_values(h, which, t, y);
  for (uint32_t k = 0; k < p->body; k++) {
    if (y[k] != h->room.y[k]) was_set(h, k, lost_digits * fabs(y[k]));
  }
  for (uint32_t k = 0; k < w->assigns.count; k++) {
    uint32_t target = event_target(p, &w->assigns.items[k]);
    was_set(h, target, e[p->tape[event_rules]->outputs[p->values_at[which] + k]]);
    for (uint32_t s = 0; steps && s < h->instant.steps.whole; s++)
      h->instant.steps.by[s][body_at(target)] = steps[(size_t)s * w->assigns.count + k];
  }
  if (w->period) return;
  hybrid_note(h, h->state->now, (EventItem){event_of_when, which}, 1);
  h->whens[which].fired++;
  h->state->when_t = h->state->now;
  h->state->when_last = which;
}

static void remember(void *self, uint32_t memory, double value) {
  Hybrid *h = self;
  const Tape *tape = h->plan->tape[event_rules];
  const double *e = find_errors(h, h->instant.off, 8);
  h->instant.off[z_at(h) + memory] = e[tape->outputs[h->plan->memories_at + memory]];
  const double *steps = find_steps(h, h->plan->memories_at + memory, 1);
  instant_was_set(&h->instant, z_at(h) + memory);
  for (uint32_t s = 0; steps && s < h->instant.steps.whole; s++) h->instant.steps.by[s][z_at(h) + memory] = steps[s];
  h->z[memory] = value;
  forget_released(h);
  hybrid_note(h, h->state->now, (EventItem){event_of_memory, memory}, value);
}

static bool check(void *self, uint32_t memory) {
  Hybrid *h = self;
  return hybrid_check(h, h->state->now, memory) == action_go;
}

static bool due(void *self, uint32_t which) {
  Hybrid *h = self;
  if (!hybrid_is_due(h, which, h->state->now)) return false;
  h->whens[which].next_at = hybrid_tick_time(h, which, ++h->whens[which].ticks);
  return true;
}

// Unknowns that a message about the loop names.
static void solved(void *self, uint32_t loop, uint32_t solution) {
  Hybrid *h = self;
  const EventLoops *l = &h->plan->loops;
  double *values = h->room.loop_values + (size_t)solution * l->named_first[l->count];
  for (uint32_t i = l->named_first[loop]; i < l->named_first[loop + 1]; i++)
    values[i] = hybrid_rule(h, l->values_at + i);
}

static const InstantHost host = {NULL,    evaluate, errors,   slopes, flow, flow_errors, stick,
                                 release, assign,   remember, check,  room, due,         solved};

// ---- arrays

void settle_cut(Hybrid *h, Cutter *c) {
  Instant *x = &h->instant;
  const InstantPlan *p = &h->plan->instant;
  size_t guards = p->guards, variables = p->variables;
  const Tape *rules = h->plan->tape[event_rules];
  x->plan = p;
  BLOCK_CUT(c, x->branch, guards);
  BLOCK_CUT(c, x->level, p->whens);
  BLOCK_CUT(c, x->off, variables);
  BLOCK_CUT(c, h->room.off_size, p->body);
  BLOCK_CUT(c, h->room.rate_off, p->body);
  BLOCK_CUT(c, x->g, guards);
  BLOCK_CUT(c, x->rule, p->memories);
  BLOCK_CUT(c, x->condition, p->whens);
  BLOCK_CUT(c, x->scale, guards);
  BLOCK_CUT(c, x->sticks, guards);
  BLOCK_CUT(c, x->drift, guards);
  BLOCK_CUT(c, x->later.g_before, guards);
  BLOCK_CUT(c, x->zero, guards);
  BLOCK_CUT(c, x->held, guards);
  BLOCK_CUT(c, x->sign, guards);
  BLOCK_CUT(c, x->sides.behind, guards);
  BLOCK_CUT(c, x->sides.before, guards);
  BLOCK_CUT(c, x->sides.at, guards);
  BLOCK_CUT(c, x->sides.fresh, guards);
  BLOCK_CUT(c, x->sides.carried, guards);
  BLOCK_CUT(c, x->sides.leaves, guards);
  BLOCK_CUT(c, x->sides.g, guards);
  for (int i = 0; i < instant_most_steps; i++)
    BLOCK_CUT(c, x->steps.by[i], variables), BLOCK_CUT(c, x->steps.off[i], variables);
  BLOCK_CUT(c, x->bound, guards);
  BLOCK_CUT(c, x->rounding, guards);
  BLOCK_CUT(c, x->slope, guards);
  BLOCK_CUT(c, x->slope_bound, guards);
  BLOCK_CUT(c, x->ratio, guards);
  BLOCK_CUT(c, x->direction, variables);
  BLOCK_CUT(c, x->tilt, variables);
  BLOCK_CUT(c, x->flow_off, variables);
  BLOCK_CUT(c, h->room.hold_rate_rounding, h->plan->s->y.count);
  BLOCK_CUT(c, x->order, guards);
  BLOCK_CUT(c, x->cycle.y, p->body);
  BLOCK_CUT(c, x->cycle.off, p->body);
  BLOCK_CUT(c, x->cycle.memory, p->memories);
  BLOCK_CUT(c, x->cycle.level, p->whens);
  BLOCK_CUT(c, x->marked, p->whens);
  BLOCK_CUT(c, x->open, guards);
  BLOCK_CUT(c, x->later.y, h->plan->s->y.count);
  for (int i = 0; i < 4; i++) BLOCK_CUT(c, x->later.k[i], variables);
  const EventLoops *l = &h->plan->loops;
  BLOCK_CUT(c, x->loops.unique, l->count);
  BLOCK_CUT(c, x->loops.middle, l->count ? guards : 0);
  BLOCK_CUT(c, x->loops.solution, l->count ? (loop_most_solutions + 1) * guards : 0);
  BLOCK_CUT(c, h->room.loop_values, l->count ? (size_t)loop_most_solutions * l->named_first[l->count] : 0);
  const Tape *with_errors[] = {rules, h->plan->tape[event_follows], h->plan->tape[event_inputs]};
  size_t slots = 0;
  for (int i = 0; i < 3; i++)
    if (with_errors[i] && with_errors[i]->slot_count > slots) slots = with_errors[i]->slot_count;
  BLOCK_CUT(c, h->room.rule_errors, 2 * slots);
}

// ---- an instant

static void ready(Hybrid *h, double left, double t) {
  Instant *x = &h->instant;
  h->instant_host = host;
  h->instant_host.self = h;
  x->host = &h->instant_host;
  x->memory = h->z;
  x->t = left;
  x->later.span = h->state->t1 - h->state->t0;
  x->arrived.located = settle_not_located;
  x->start = (InstantStart){0};
  x->arrived.again = false;
  x->loops.end = loop_solved;
  h->state->now = t;
  forget_released(h);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    ModeState *m = &h->modes[i];
    x->scale[i] = fmax(m->scale, h->noise[i] / (8 * DBL_EPSILON)); // of itself, and of its sums
    x->sides.leaves[i] = h->fresh[i];
    x->sticks[i] = m->holds;
    x->drift[i] = 4 * m->drift + 1e-12 * m->scale + h->noise[i];
    m->acts = false;
  }
  for (uint32_t i = 0; i < h->plan->when_count; i++) h->whens[i].fired = 0;
}

// An element that sticks and whose limit is reached is let go, towards that limit.
static void release_ended(Hybrid *h, uint32_t i, double t) {
  ModeState *m = &h->modes[i];
  bool sign = h->plan->modes[i].kind == mode_sign;
  double *v = hybrid_mode(h, i);
  bool up = sign ? *v > 0 : *v > 0.5;
  bool released = !m->pinned;
  holding_put(h, i, up ? 1 : sign ? -1 : 0, true);
  uint32_t j = i;
  do {
    h->instant.sticks[j] = false;
    h->modes[j].released = released;
    if (released) hybrid_note(h, t, (EventItem){event_of_mode, j}, *hybrid_mode(h, j));
  } while ((j = holding_next(h, j)) != i);
  holding_release(h, i);
}

// What the variables are off by, since they were set: last digits in each step, the errors of rates since the last
// instant, and the time of the instants.
static void add_errors(Hybrid *h, double t, double passed, const double *y, uint64_t steps) {
  Instant *x = &h->instant;
  const EventPlan *p = h->plan;
  if (steps < h->state->steps) h->state->steps = 0; // a segment begins
  double lost = lost_digits * (double)(1 + steps - h->state->steps), width = lost_digits * fabs(t);
  h->state->steps = steps;
  bool known = flow(h, t, y, x->direction);
  // one that sticks was located by its value, not by its guard
  if (known && x->arrived.located != settle_not_located && !h->modes[x->arrived.located].holds) {
    evaluate(h, t, y);
    slopes(h, x->direction, x->slope);
    double rate = fabs(x->slope[x->arrived.located]),
           off = fabs(zero_set_distance((BranchKind)x->plan->kind[x->arrived.located], x->g[x->arrived.located]));
    // where the guard jumps it is far from zero on both sides; one that hardly moves does not tell when
    if (rate * x->later.span * located_part > off && off <= 64 * (rate * width + h->noise[x->arrived.located]))
      width += off / rate;
  }
  x->off[0] = width;
  for (uint32_t k = 0; k < p->body; k++) {
    double size = fmax(h->room.off_size[k], fabs(y[k])), rate = known ? fabs(x->direction[body_at(k)]) : 0;
    if (rate > 0) x->off[body_at(k)] += lost * size + rate * width;
    x->off[body_at(k)] += h->room.rate_off[k] * passed;
    h->room.off_size[k] = fabs(y[k]);
  }
  for (uint32_t i = 0; i < p->delay_count; i++) {
    uint32_t v = z_at(h) + p->delay_at + i;
    double error = h->state->remembers ? history_rate(h, i, t).error : 0, rate = known ? fabs(x->direction[v]) : 0;
    x->off[v] = 16 * lost_digits * fabs(h->z[p->delay_at + i]) + error + rate * 4 * width;
  }
}

double settle_time_error(void *self, uint32_t mode, double t, const double *y, uint64_t steps) {
  Hybrid *h = self;
  Instant *x = &h->instant;
  if (mode >= h->plan->mode_count || h->modes[mode].holds || !flow(h, t, y, x->direction)) return 0;
  double lost = lost_digits * (double)(1 + (steps > h->state->steps ? steps - h->state->steps : 0));
  memcpy(x->tilt, x->off, x->plan->variables * sizeof *x->tilt);
  x->tilt[0] = 0;
  for (uint32_t k = 0; k < h->plan->body; k++)
    x->tilt[body_at(k)] += lost * fmax(h->room.off_size[k], fabs(y[k])) + h->room.rate_off[k] * (t - h->state->now);
  evaluate(h, t, y);
  errors(h, x->tilt, 8, x->slope_bound);
  slopes(h, x->direction, x->slope);
  double rate = fabs(x->slope[mode]);
  return rate > 0 ? x->slope_bound[mode] / rate : 0;
}

void settle_open(Hybrid *h, double left, double t, const double *y, uint32_t located, uint64_t steps) {
  double passed = t - h->state->now;
  bool again = passed <= lost_digits * fabs(t);
  if (h->plan->mode_count) locating_rounding(h, t, y); // at t, y: that of other points depends on the search
  ready(h, left, t);
  h->instant.arrived.located = located;
  if (h->plan->mode_count) add_errors(h, t, passed, y, steps);
  h->instant.arrived.again = again;
  if (located == settle_not_located) return;
  hybrid_guards(h, t, y);
  h->instant.arrived.g = hybrid_guard(h, h->plan->instant.leader[located]);
  if (h->modes[located].holds) release_ended(h, located, t);
}

static OdeAction end_of(Hybrid *h, double t, InstantEnd end) {
  switch (end) {
  case instant_done: return action_go;
  case instant_stopped: return action_stop;
  case instant_failed: return h->instant.verdict ? chatter_group(h, (HoldVerdict)h->instant.verdict, t) : action_fail;
  case instant_chatters: return chatter_unsettled(h, t);
  case instant_open: return chatter_open(h, t);
  }
  return action_fail;
}

OdeAction settle_start(Hybrid *h, double t, double *y) {
  ready(h, t, t);
  h->instant.start = (InstantStart){true, true};
  return end_of(h, t, instant_begin(&h->instant, y));
}

void settle_branches(Hybrid *h, double t, double *y) {
  ready(h, t, t);
  h->instant.start = (InstantStart){true, true};
  instant_read(&h->instant, y, false);
  show_branches(h);
}

// Records from `middle` on come before those from `first` on.
static void order_records(EventLog *log, uint32_t first, uint32_t middle) {
  for (; middle < log->count; first++, middle++) {
    EventRecord moved = log->items[middle];
    memmove(log->items + first + 1, log->items + first, (middle - first) * sizeof moved);
    log->items[first] = moved;
  }
}

OdeAction settle_all(Hybrid *h, double t, double *y) {
  double *before = h->room.g_before;
  uint32_t logged = h->log.count;
  memcpy(before, h->z + h->plan->mode_at, h->plan->mode_count * sizeof *before);
  OdeAction action = end_of(h, t, instant_settle(&h->instant, y));
  show_branches(h);
  uint32_t happened = h->log.count;
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    const ModeState *m = &h->modes[i];
    if (m->acts && !m->holds) h->instant.branch[i] = *hybrid_mode(h, i); // it slides to this side
    if (*hybrid_mode(h, i) == before[i] || h->plan->modes[i].silent || m->holds || m->acts) continue;
    if (h->instant.loops.end != loop_solved) continue; // its branches are only those that were looked at last
    hybrid_note(h, t, (EventItem){event_of_mode, i}, *hybrid_mode(h, i));
  }
  order_records(&h->log, logged, happened); // a branch changes before what it leads to
  return action;
}

// Does the guard of a mode stay at zero from here on, without an element that holds it there?
static bool stays_at_zero(const Hybrid *h, uint32_t mode) {
  const Instant *x = &h->instant;
  uint32_t leader = x->plan->leader[mode];
  return x->zero[leader] && !x->sign[leader] && !h->modes[mode].holds && !h->modes[mode].acts;
}

static bool is_discrete(const System *s, const Component *c) {
  if (c->from != of_state) return false;
  const SystemState *x = &s->states.items[c->of];
  return !x->implicit && (!x->rhs || x->rhs == s->pool->zero);
}

// How far rates are off for as long as nothing happens, in rate_off: by rounding, and by errors of the discrete state,
// as x' = p by that of p. So far off are the rates of guards, in slope_bound.
static void find_lasting_errors(Hybrid *h, double t, const double *y) {
  Instant *x = &h->instant;
  const System *s = h->plan->s;
  memset(x->tilt, 0, x->plan->variables * sizeof *x->tilt);
  for (uint32_t k = 0; k < h->plan->body; k++) {
    if (is_discrete(s, &s->y.items[k])) x->tilt[body_at(k)] = x->off[body_at(k)];
  }
  if (!h->host.rate_errors(h->host.self, t, y, x->tilt, h->room.slope)) return;
  memcpy(h->room.rate_off, h->room.slope, h->plan->body * sizeof *h->room.rate_off);
  memcpy(x->tilt + 1, h->room.slope, h->plan->body * sizeof *x->tilt);
  evaluate(h, t, y);
  errors(h, x->tilt, 0, x->slope_bound);
}

// How far guards that stay at zero may come to the wrong side: by rounding, by errors of their rates until the end of
// the run, and by what others that hold them let them drift.
static void allow_drift(Hybrid *h, double t, const double *y) {
  const Instant *x = &h->instant;
  bool any = false;
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    any = any || stays_at_zero(h, i);
    x->slope_bound[i] = 0;
  }
  memset(h->room.rate_off, 0, h->plan->body * sizeof *h->room.rate_off);
  if (any) find_lasting_errors(h, t, y);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    ModeState *m = &h->modes[i];
    uint32_t leader = x->plan->leader[i];
    double part = h->state->held_count ? 1e-11 : EVENT_SAME_INSTANT,
           drift = x->slope_bound[leader] * (h->state->t1 - t);
    m->slack = stays_at_zero(h, i) ? fmax(8 * (x->bound[leader] + drift), part * m->scale) : 0;
  }
}

void settle_end(Hybrid *h, double t, const double *y) {
  uint32_t modes = h->plan->mode_count;
  const Instant *x = &h->instant;
  if (modes) {
    holding_tie(h);
    locating_rounding(h, t, y);
    allow_drift(h, t, y);
    locating_conditions(h, t, y, h->room.c);
    for (uint32_t i = 0; i < modes; i++)
      h->fresh[i] = !(h->room.c[i] > fmax(h->noise[i], h->rearm[i])) || x->zero[x->plan->leader[i]];
    for (uint32_t i = modes; i < event_conditions(h->plan); i++)
      h->fresh[i] = !(h->room.c[i] > fmax(h->noise[i], h->rearm[i]));
  }
  h->host.changed(h->host.self);
}
