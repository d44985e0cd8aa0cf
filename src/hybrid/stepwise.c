// Runs without events: functions with corners are plain functions, memories of blocks change at every evaluation of a
// step, and delays are queues of evaluations. As the first digital analog computers did it, for their tables. Of an
// algebraic loop through branches every evaluation is an instant: it takes the one solution (S7). A part of hybrid.h.
#include "hybrid/chatter.h"
#include "hybrid/loops.h"
#include "hybrid/settle.h"

#include <math.h>
#include <string.h>

static double queued(Hybrid *h, uint32_t delay, double t) {
  bool begun = h->state->step > 0; // not while constraints look for a start: all is past there
  uint64_t lag = begun ? (uint64_t)llround(h->delays[delay].time / h->state->step) * h->state->stages : 0;
  if (begun && h->state->evaluation >= lag) {
    uint64_t at = h->state->evaluation - lag;
    return h->queue.items[at * h->plan->delay_count + delay];
  }
  double *var = tape_vars(h->plan->tape[event_past], h->w[event_past]);
  var[0] = t - h->delays[delay].time;
  tape_eval(h->plan->tape[event_past], h->w[event_past]);
  return hybrid_result(h, event_past, delay);
}

// The branches of what is computed from the unknowns of implicit equations.
static bool read_branches(Hybrid *h, double t, const double *y) {
  if (!h->plan->mode_count) return true;
  memcpy(h->room.y, y, h->plan->body * sizeof *y);
  h->instant.known = known_nothing;
  settle_branches(h, t, h->room.y);
  if (h->instant.loops.end != loop_solved) loops_fail(h, t);
  return h->instant.loops.end == loop_solved;
}

bool stepwise_begin(Hybrid *h, double t, const double *y) {
  double *z = h->z + h->plan->delay_at;
  for (uint32_t i = 0; i < h->plan->delay_count; i++) z[i] = h->delays[i].time > 0 ? queued(h, i, t) : 0;
  return read_branches(h, t, y);
}

static bool read_rules(Hybrid *h, double t, const double *y) {
  if (!stepwise_begin(h, t, y)) return false;
  hybrid_eval(h, event_rules, t, y);
  return true;
}

void stepwise_end(Hybrid *h, double t, const double *y) {
  if (h->plan->delay_count) {
    hybrid_eval(h, event_inputs, t, y);
    for (uint32_t i = 0; i < h->plan->delay_count; i++)
      vec_push(h->arena, &h->queue, hybrid_result(h, event_inputs, i));
  }
  if (h->plan->memory_count) {
    bool first = h->state->evaluation % h->state->stages == 0;
    hybrid_eval(h, event_rules, t, y);
    for (uint32_t i = 0; i < h->plan->memory_count; i++) {
      const SystemMemory *m = &h->plan->s->memories.items[i];
      if (!m->located && (first || !m->by_step)) h->z[i] = hybrid_rule(h, h->plan->memories_at + i);
    }
  }
  h->state->evaluation++;
}

static OdeAction happen(void *self, double t, double *y, const uint32_t *ended, uint32_t count, uint64_t steps) {
  Hybrid *h = self;
  (void)ended, (void)steps;
  (void)count;
  double before = h->host.stored(h->host.self, t, y);
  h->state->lost = 0;
  bool stop = false;
  if (!read_rules(h, t, y)) return action_fail;
  OdeAction action = hybrid_check(h, t, hybrid_all_checks);
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    const SystemWhen *w = &h->plan->s->whens.items[i];
    if (w->period && h->whens[i].next_at <= t + 1e-9 * h->state->step) {
      assign_values(h, i, t, y);
      h->whens[i].next_at = hybrid_tick_time(h, i, ++h->whens[i].ticks);
      stop = stop || w->stop;
    }
    if (!read_rules(h, t, y)) return action_fail;
  }
  for (uint32_t i = 0; i < h->plan->when_count; i++) h->whens[i].fired = 0;
  enum { most_fired = 1000 }; // by then they call each other
  for (uint32_t fired = 0; assign_fire(h, t, y, &stop); fired++) {
    if (fired >= most_fired) return chatter_unsettled(h, t);
    if (!read_rules(h, t, y)) return action_fail;
  }
  hybrid_book(h, before + h->state->lost, t, y);
  return action != action_go ? action : stop ? action_stop : action_go;
}

OdeEvents stepwise_events(Hybrid *h) {
  return (OdeEvents){.self = h, .happen = happen, .longest = INFINITY, .by_steps = true};
}

OdeAction stepwise_start(Hybrid *h, double t, double *y, double step, uint32_t stages) {
  const EventPlan *p = h->plan;
  h->state->step = step;
  h->state->stages = stages;
  for (uint32_t i = 0; i < p->delay_count; i++) {
    double lag = h->delays[i].time / step;
    if (fabs(round(lag) - lag) * step <= 1e-9 * h->delays[i].time) continue;
    return hybrid_fail(h, "without events a delay must be a whole number of steps long", p->s->delays.items[i].span);
  }
  if (!read_rules(h, t, y)) return action_fail;
  for (uint32_t i = 0; i < p->memory_count; i++) h->z[i] = hybrid_rule(h, p->starts_at + i);
  if (!read_rules(h, t, y)) return action_fail;
  for (uint32_t i = 0; i < p->when_count; i++) h->whens[i].was_true = hybrid_rule(h, p->conditions_at + i) != 0;
  if (hybrid_start_samples(h, t) != action_go) return action_fail;
  h->events = stepwise_events(h);
  return happen(h, t, y, NULL, 0, 0);
}
