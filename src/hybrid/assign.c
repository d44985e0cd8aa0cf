// What `when` and `every` set. A part of hybrid.h.
#include "hybrid/hybrid.h"

void assign_values(Hybrid *h, uint32_t which, double t, double *y) {
  const SystemWhen *w = &h->plan->s->whens.items[which];
  bool velocity = false;
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
