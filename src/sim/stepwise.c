// Runs without events: functions with corners are plain functions, memories of blocks change at every evaluation of a
// step, and delays are queues of evaluations. As the first digital analog computers did it, for their tables.
#include "sim/hybrid.h"

#include <math.h>
#include <string.h>

static double buffered(Hybrid *h, uint32_t delay, double t) {
  uint64_t lag = (uint64_t)llround(h->delay_times[delay] / h->old_step) * h->stages;
  if (h->evaluation >= lag) {
    uint64_t at = h->evaluation - lag;
    return h->buffer.items[at * h->delay_count + delay];
  }
  double *var = tape_vars(h->history_tape, h->history_w);
  var[0] = t - h->delay_times[delay];
  tape_eval(h->history_tape, h->history_w);
  return tape_result(h->history_tape, h->history_w, delay);
}

void hybrid_stage_begin(Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->delay_count; i++) h->z[h->delay_at + i] = h->delay_times[i] > 0 ? buffered(h, i, t) : 0;
}

void hybrid_stage_end(Hybrid *h, double t, const double *y) {
  if (h->delay_count) {
    hybrid_put(h, h->inputs_tape, h->inputs_w, t, y);
    tape_eval(h->inputs_tape, h->inputs_w);
    for (uint32_t i = 0; i < h->delay_count; i++)
      vec_push(h->arena, &h->buffer, tape_result(h->inputs_tape, h->inputs_w, i));
  }
  if (h->memory_count) {
    bool first = h->evaluation % h->stages == 0;
    hybrid_put(h, h->rules_tape, h->rules_w, t, y);
    tape_eval(h->rules_tape, h->rules_w);
    for (uint32_t i = 0; i < h->memory_count; i++) {
      const ModelMemory *m = &h->m->memories.items[i];
      if (!m->located && (first || !m->by_step)) h->z[i] = hybrid_rule(h, i);
    }
  }
  h->evaluation++;
}

OdeAction hybrid_happen_old(void *self, double t, double *y, const uint32_t *ended, uint32_t count) {
  Hybrid *h = self;
  (void)ended;
  (void)count;
  double before = h->stored(h->self, t, y);
  bool stop = false;
  hybrid_stage_begin(h, t);
  hybrid_put(h, h->rules_tape, h->rules_w, t, y);
  tape_eval(h->rules_tape, h->rules_w);
  OdeAction action = hybrid_check(h, t);
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    const ModelWhen *w = &h->m->whens.items[i];
    if (w->period && h->next_at[i] <= t + 1e-9 * h->old_step) {
      hybrid_assign(h, i, y);
      h->next_at[i] = hybrid_tick_time(h, i, ++h->ticks[i]);
      stop = stop || w->stop;
    }
    hybrid_put(h, h->rules_tape, h->rules_w, t, y);
    tape_eval(h->rules_tape, h->rules_w);
  }
  memset(h->fired, 0, h->m->whens.count * sizeof *h->fired);
  enum { most_fired = 1000 }; // by then they call each other
  for (uint32_t fired = 0; hybrid_fire(h, t, y, &stop); fired++) {
    if (fired >= most_fired) return hybrid_unsettled(h, t, y);
    hybrid_put(h, h->rules_tape, h->rules_w, t, y);
    tape_eval(h->rules_tape, h->rules_w);
  }
  hybrid_book(h, before, t, y);
  return action != action_go ? action : stop ? action_stop : action_go;
}

OdeAction hybrid_start_old(Hybrid *h, double t, double *y, double step, uint32_t stages) {
  uint32_t starts = h->checks_at + h->m->checks.count;
  h->old_step = step;
  h->stages = stages;
  h->evaluation = 0;
  h->buffer.count = 0;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    double lag = h->delay_times[i] / step;
    if (fabs(round(lag) - lag) * step <= 1e-9 * h->delay_times[i]) continue;
    return hybrid_fail(h, "without events a delay must be a whole number of steps long", h->m->delays.items[i].span);
  }
  hybrid_stage_begin(h, t);
  hybrid_put(h, h->rules_tape, h->rules_w, t, y);
  tape_eval(h->rules_tape, h->rules_w);
  for (uint32_t i = 0; i < h->memory_count; i++) h->z[i] = hybrid_rule(h, starts + i);
  hybrid_put(h, h->rules_tape, h->rules_w, t, y);
  tape_eval(h->rules_tape, h->rules_w);
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    h->periods[i] = hybrid_rule(h, starts + h->memory_count + i);
    h->next_at[i] = t;
    h->was[i] = hybrid_rule(h, h->conditions_at + i) != 0;
    if (!h->m->whens.items[i].period || h->periods[i] > 0) continue;
    return hybrid_fail(h, "the period of `every` must be positive", h->m->whens.items[i].span);
  }
  h->events = (OdeEvents){.self = h, .happen = hybrid_happen_old, .longest = INFINITY, .by_steps = true};
  return hybrid_happen_old(h, t, y, NULL, 0);
}
