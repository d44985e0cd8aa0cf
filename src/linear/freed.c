// Open-loop linearization at the closed-loop point of a model with delays and samples. See freed.h.
//
// in    the same system twice: closed, at rest as `equilibrium` has it; and open, with free signals
// out   the point of the closed one put into the open one; its linear model
//
// What is known exactly of the point stays exact where it is the same number in both; a zero is zero; anything else
// keeps its name.
#include "linear/freed.h"

#include <math.h>
#include <string.h>

bool freed_needed(const System *s) {
  for (uint32_t i = 0; i < s->whens.count; i++) {
    if (s->whens.items[i].period && s->whens.items[i].assigns.count) return true;
  }
  return s->delays.count > 0;
}

uint32_t freed_delay(const Operating *o) { return o->shown; }
uint32_t freed_sample(const Operating *o) { return o->shown + o->s.delays.count; }
uint32_t freed_cut(const Operating *o) { return freed_watch(o) - o->freed->cut_count; }
uint32_t freed_watch(const Operating *o) { return o->output_count - o->freed->watch_count; }

// The value of one component, exactly where that is known.
static void put(Operating *o, uint32_t at, double value, ExprId other, const ExprPool *from) {
  Rat r;
  if (o->y[at] == value && o->point[at]) return;
  o->y[at] = value;
  if (value == 0) o->point[at] = o->s.pool->zero;
  else if (other && expr_number(from, other, &r) && !r.big) o->point[at] = expr_num(o->s.pool, r);
  else o->point[at] = expr_sym(o->s.pool, o->symbols[at]);
}

// The components of the model's state, and what a search found of them.
static void put_motion(const Operating *closed, const double *y, Operating *open, const Equilibrium *from,
                       Equilibrium *found) {
  for (uint32_t at = 0; at < open->dim; at++) {
    if (open->role[at] != role_motion) continue;
    uint32_t there = system_place(&closed->s, open->symbols[at]);
    if (there == no_place) continue;
    put(open, at, y[there], closed->point[there], closed->s.pool);
    if (from->moving) found->moving[at] = from->moving[there];
    if (from->free_state) found->free_state[at] = from->free_state[there];
  }
}

// What delays hold, and the inputs that are cut.
static void put_signals(const double *outputs, Operating *open) {
  const System *m = &open->s;
  uint32_t first = m->inputs.count + m->input_rates.count;
  for (uint32_t k = 0; k < m->delays.count; k++)
    put(open, open->input_at[first + k], outputs[freed_delay(open) + k], 0, NULL);
  for (uint32_t c = 0; c < open->freed->cut_count; c++) {
    for (uint32_t i = 0; i < m->inputs.count; i++) {
      if (m->inputs.items[i].symbol == open->freed->cut[c])
        put(open, open->input_at[i], outputs[freed_cut(open) + c], 0, NULL);
    }
  }
}

// The point of the closed system into the open one. False: out of memory.
static bool take_over(Operating *closed, const double *y, Operating *open, const Equilibrium *from,
                      Equilibrium *found) {
  double *rates = arena_array(closed->arena, (size_t)closed->dim + 1, sizeof *rates);
  double *outputs = arena_array(closed->arena, (size_t)closed->output_count + 1, sizeof *outputs);
  *found = *from;
  found->moving = arena_array(open->arena, (size_t)open->dim + 1, sizeof *found->moving);
  found->free_state = arena_array(open->arena, (size_t)open->dim + 1, sizeof *found->free_state);
  if (!rates || !outputs || !found->moving || !found->free_state) return false;
  if (!operating_rates(closed, y, rates, outputs)) return false;
  put_motion(closed, y, open, from, found);
  put_signals(outputs, open);
  events_take(open, closed);
  memcpy(open->first, open->y, open->dim * sizeof *open->y);
  return true;
}

// A rule that would set something else: the point is no equilibrium of the samples.
static bool samples_rest(Operating *closed, const double *y, Linearization *out) {
  const RestSample *bad = NULL;
  double to;
  if (!closed->samples.count) return true;
  if (!samples_check(closed, y, &bad, &to)) return false;
  if (bad) out->equilibrium = false;
  return true;
}

LinearizeStatus linearize_freed(Operating *closed, Operating *open, const LinearizeSettings *settings,
                                Linearization *out, const char **message, Span *place) {
  LinearizeSettings at = *settings;
  Equilibrium from = {0}, found = {0};
  Linearization point = {0};
  LinearizeStatus status = linearize_done;
  bool search = settings->at == at_equilibrium && closed->states > 0;
  at.exact = false;
  if (!search && settings->at == at_equilibrium) at.at = at_point;
  if (closed->numbers) status = linearize_point(closed, &at, &point, &from, message, place);
  out->hint = point.hint;
  if (status != linearize_done) return status;
  const double *y = search && closed->numbers ? from.y : closed->y;
  if (closed->numbers && !take_over(closed, y, open, &from, &found)) return linearize_no_memory;
  at = *settings;
  at.numbers = settings->numbers && !freed_needed(&open->s); // a part of the system has no modes of its own
  at.at = !closed->numbers ? at_point : search ? at_found : at_point;
  at.found = &found;
  status = linearize(open, &at, out, message, place);
  if (status != linearize_done) return status;
  for (uint32_t i = 0; i < point.notes.count; i++) vec_push(open->arena, &out->notes, point.notes.items[i]);
  if (!search && closed->numbers && !samples_rest(closed, y, out)) return linearize_no_memory;
  return arena_failed(open->arena) ? linearize_no_memory : linearize_done;
}
