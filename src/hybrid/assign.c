// Resets of the state at events: the assignments of `when` and `every`. A part of hybrid.h.
#include "hybrid/hybrid.h"

static bool sets(const Hybrid *h, uint32_t which, uint32_t target) {
  const SystemWhen *w = &h->plan->s->whens.items[which];
  for (uint32_t k = 0; k < w->assigns.count; k++) {
    if (event_target(h->plan, &w->assigns.items[k]) == target) return true;
  }
  return false;
}

static void note_overwrite(Hybrid *h, uint32_t earlier, uint32_t later, uint32_t target) {
  for (uint32_t i = 0; i < h->overwrites.count; i++) {
    Overwrite *o = &h->overwrites.items[i];
    if (o->earlier != earlier || o->later != later || o->target != target) continue;
    o->count++;
    return;
  }
  vec_push(h->arena, &h->overwrites, (Overwrite){h->state->now, earlier, later, target, 1});
}

// Of the statements of one pass, which are executed in the order of the text, the last one before this that set a name.
static void note_overwrites(Hybrid *h, uint32_t which) {
  const SystemWhen *w = &h->plan->s->whens.items[which];
  if (h->plan->stepwise || w->period) return;
  for (uint32_t k = 0; k < w->assigns.count; k++) {
    uint32_t target = event_target(h->plan, &w->assigns.items[k]), earlier = which;
    while (earlier > 0 && !(h->instant.marked[earlier - 1] && sets(h, earlier - 1, target))) earlier--;
    if (earlier > 0) note_overwrite(h, earlier - 1, which, target);
  }
}

void assign_values(Hybrid *h, uint32_t which, double t, double *y) {
  const SystemWhen *w = &h->plan->s->whens.items[which];
  bool velocity = false;
  note_overwrites(h, which);
  if (h->follower) h->follower->assigns(h->follower->self, which, t, y);
  for (uint32_t k = 0; k < w->assigns.count; k++) {
    y[event_target(h->plan, &w->assigns.items[k])] = hybrid_rule(h, h->plan->values_at[which] + k);
    velocity = velocity || event_moves(h->plan->s, &w->assigns.items[k]);
  }
  if (w->assigns.count) h->state->lost += h->host.assigned(h->host.self, t, y, velocity);
}

// Of a run without events: the first `when` that became true does its work. True: one did.
bool assign_fire(Hybrid *h, double t, double *y, bool *stop) {
  for (uint32_t i = 0; i < h->plan->when_count; i++)
    h->whens[i].was_true = h->whens[i].was_true && hybrid_rule(h, h->plan->conditions_at + i) != 0;
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    const SystemWhen *w = &h->plan->s->whens.items[i];
    if (!w->condition) continue;
    bool now = hybrid_rule(h, h->plan->conditions_at + i) != 0, before = h->whens[i].was_true;
    h->whens[i].was_true = now;
    if (!now || before) continue;
    assign_values(h, i, t, y);
    hybrid_note(h, t, (EventItem){event_of_when, i}, 1);
    h->whens[i].fired++;
    h->state->when_t = t;
    h->state->when_last = i;
    *stop = *stop || w->stop;
    return true;
  }
  return false;
}
