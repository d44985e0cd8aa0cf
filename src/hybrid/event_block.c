// The part of a run's block that is of events: how it is cut, made new and copied. A part of hybrid.h.
#include "hybrid/holding.h"
#include "hybrid/loops.h"
#include "hybrid/settle.h"
#include "numerics/least_norm.h"

#include <math.h>
#include <string.h>

void hybrid_cut(Hybrid *h, Cutter *c) {
  const EventPlan *p = h->plan;
  const Tape *guards = p->tape[event_guards], *past = p->tape[event_past];
  size_t modes = p->mode_count, conditions = event_conditions(p), slots = guards ? guards->slot_count : 0,
         past_slots = past ? past->slot_count : 0;
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
  BLOCK_CUT(c, h->fresh, conditions);
  BLOCK_CUT(c, h->noise, conditions);
  BLOCK_CUT(c, h->rearm, conditions);
  BLOCK_CUT(c, h->ties.at, p->body);
  BLOCK_CUT(c, h->ties.lead, modes);
  EventRoom *r = &h->room;
  BLOCK_CUT(c, r->c, conditions);
  BLOCK_CUT(c, r->g_before, modes);
  BLOCK_CUT(c, r->y, p->s->y.count);
  BLOCK_CUT(c, r->slope, p->s->y.count);
  BLOCK_CUT(c, r->other_slope, p->s->y.count);
  BLOCK_CUT(c, r->delayed, p->delay_count);
  BLOCK_CUT(c, r->errors, slots);
  BLOCK_CUT(c, r->marked, slots);
  for (int i = 0; p->any_wild && i < 4; i++) {
    BLOCK_CUT(c, r->ranges[i], slots);
    BLOCK_CUT(c, r->past_ranges[i], past_slots);
  }
  for (int i = 0; p->tape[event_gains] && i < 2; i++) BLOCK_CUT(c, r->gains[i], p->tape[event_gains]->slot_count);
  BLOCK_CUT(c, r->loop_branch, p->loops.count ? 2 * modes : 0);
  BLOCK_CUT(c, r->free_at, modes);
  BLOCK_CUT(c, r->columns, least_norm_indices * modes);
  settle_cut(h, c);
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
  h->along.tape = NULL;
  h->state->when_t = NAN;
  loops_prove(h);
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
  copy->along.tape = NULL;
  copy->rows_room = 0;
  copy->ties.room = 0;
  copy->failure = h->failure ? arena_strndup(copy->scratch, h->failure, strlen(h->failure)) : NULL;
  copy->failure_place = h->failure_place;
  return !arena_failed(copy->arena) && holding_room(copy, h->state->held_count) && holding_tie(copy);
}
