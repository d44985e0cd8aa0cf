// What changes at events beside modes: memories of blocks, and what `when` and `every` set. A part of hybrid.h.
//
// Memories take the values of their rules, all at once. The output of play follows its input along the motion and is
// no rule: z keeps it from event to event, so that a jump of the input is seen, at which play lets go of its sides. An
// assignment sets components of y; every mode whose guard names one of them, or has another value now, forgets its
// past.
#include "sim/balls.h"
#include "sim/hybrid.h"
#include "sim/manifold.h"

#include <math.h>

// The output of a memory that follows the motion (play).
static double follows(const Hybrid *h, uint32_t i) { return hybrid_result(h, event_follows, 2 * i); }

void hybrid_keep_outputs(Hybrid *h, double t, const double *y) {
  if (!h->plan->tape[event_follows] || h->plan->stepwise) return;
  hybrid_eval(h, event_follows, t, y);
  for (uint32_t i = 0; i < h->plan->memory_count; i++) {
    if (h->plan->s->memories.items[i].follow) h->z[i] = follows(h, i);
  }
}

// Where the input of play jumps, its output rests where it was, until a side pushes it again. True: one did.
static bool let_go(Hybrid *h, double t, const double *y) {
  bool any = false;
  if (!h->plan->tape[event_follows]) return false;
  hybrid_eval(h, event_follows, t, y);
  for (uint32_t i = 0; i < h->plan->memory_count; i++) {
    double left = h->z[i], size = hypot(left, hybrid_result(h, event_follows, 2 * i + 1));
    if (!h->plan->s->memories.items[i].follow || !(fabs(follows(h, i) - left) > 1e-9 * size)) continue;
    h->z[i + 1] = 0;    // no side is in touch
    h->z[i + 2] = left; // it rests here
    any = true;
  }
  return any;
}

bool assign_memories(Hybrid *h, double t, const double *y) {
  if (let_go(h, t, y)) return true;
  bool changed = false;
  for (uint32_t i = 0; i < h->plan->memory_count; i++) {
    const SystemMemory *m = &h->plan->s->memories.items[i];
    double v = hybrid_rule(h, h->plan->memories_at + i);
    if (v == h->z[i] || m->follow || (isnan(v) && isnan(h->z[i]))) continue;
    h->z[i] = v;
    changed = true;
    hybrid_note(h, t, (EventItem){event_of_memory, i}, v);
  }
  if (changed) hybrid_keep_outputs(h, t, y);
  return changed;
}

void assign_plain(Hybrid *h, uint32_t which, double t, double *y) {
  const SystemWhen *w = &h->plan->s->whens.items[which];
  bool moves = manifold_needed(h->plan->s) && w->assigns.count;
  if (h->follower) h->follower->assigns(h->follower->self, which, t, y);
  for (uint32_t k = 0; k < w->assigns.count; k++) {
    y[event_target(h->plan, &w->assigns.items[k])] = hybrid_rule(h, h->plan->values_at[which] + k);
    moves = moves || event_moves(h->plan->s, &w->assigns.items[k]);
  }
  if (w->assigns.count) balls_normalize(h->plan->s, y, 1);
  if (moves && h->host.impulse) h->state->lost += h->host.impulse(h->host.self, t, y);
}

// The same with events: conditions that read what is set, by name or in effect, look at it anew.
void assign_values(Hybrid *h, uint32_t which, double t, double *y) {
  const SystemWhen *w = &h->plan->s->whens.items[which];
  if (h->plan->mode_count) {
    hybrid_eval(h, event_guards, t, y);
    for (uint32_t i = 0; i < h->plan->mode_count; i++) h->room.g_before[i] = hybrid_guard(h, i);
  }
  assign_plain(h, which, t, y);
  if (!h->plan->mode_count) return;
  hybrid_eval(h, event_guards, t, y);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (hybrid_guard(h, i) != h->room.g_before[i]) h->modes[i].anew = true;
  }
  for (uint32_t k = 0; k < w->assigns.count; k++) {
    uint32_t at = event_target(h->plan, &w->assigns.items[k]);
    for (uint32_t r = h->plan->read_first[at]; r < h->plan->read_first[at + 1]; r++)
      h->modes[h->plan->read_modes[r]].anew = true;
  }
}

// The first `when` that became true does its work. True: one did.
bool assign_fire(Hybrid *h, double t, double *y, bool *stop) {
  for (uint32_t i = 0; i < h->plan->when_count; i++)
    h->whens[i].was_true = h->whens[i].was_true && hybrid_rule(h, h->plan->conditions_at + i) != 0;
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    const SystemWhen *w = &h->plan->s->whens.items[i];
    if (!w->condition) continue;
    bool now = hybrid_rule(h, h->plan->conditions_at + i) != 0, before = h->whens[i].was_true;
    h->whens[i].was_true = now;
    if (!now || before) continue;
    if (h->plan->stepwise) assign_plain(h, i, t, y);
    else assign_values(h, i, t, y);
    hybrid_note(h, t, (EventItem){event_of_when, i}, 1);
    h->whens[i].fired++;
    h->state->when_t = t;
    h->state->when_last = i;
    *stop = *stop || w->stop;
    return true;
  }
  return false;
}
