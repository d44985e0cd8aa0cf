// What changes at events beside modes: memories of blocks, and what `when` and `every` set.
#include "sim/chatter.h"

#include <math.h>

static double guard(const Hybrid *h, uint32_t i) { return tape_result(h->guards, h->guards_w, i); }

// The outputs of memories that follow the motion (play), into z.
static void eval_follows(Hybrid *h, double t, const double *y) {
  hybrid_put(h, h->follows, h->follows_w, t, y);
  tape_eval(h->follows, h->follows_w);
}

static double follows(const Hybrid *h, uint32_t i) { return tape_result(h->follows, h->follows_w, 2 * i); }

void hybrid_left(Hybrid *h, double t, const double *y) {
  if (!h->follows || h->old) return;
  eval_follows(h, t, y);
  for (uint32_t i = 0; i < h->memory_count; i++) {
    if (h->m->memories.items[i].follow) h->z[i] = follows(h, i);
  }
}

// Where the input of play jumps, its output rests where it was, until a side pushes it again. True: one did.
static bool let_go(Hybrid *h, double t, const double *y) {
  bool any = false;
  if (!h->follows) return false;
  eval_follows(h, t, y);
  for (uint32_t i = 0; i < h->memory_count; i++) {
    double left = h->z[i], size = hypot(left, tape_result(h->follows, h->follows_w, 2 * i + 1));
    if (!h->m->memories.items[i].follow || !(fabs(follows(h, i) - left) > 1e-9 * size)) continue;
    h->z[i + 1] = 0;    // no side is in touch
    h->z[i + 2] = left; // it rests here
    any = true;
  }
  return any;
}

bool hybrid_set_memories(Hybrid *h, double t, const double *y) {
  if (let_go(h, t, y)) return true;
  bool changed = false;
  for (uint32_t i = 0; i < h->memory_count; i++) {
    const ModelMemory *m = &h->m->memories.items[i];
    double v = hybrid_rule(h, h->modes.count + i);
    if (v == h->z[i] || m->follow || (isnan(v) && isnan(h->z[i]))) continue;
    h->z[i] = v;
    changed = true;
    hybrid_note(h, event_of_memory, t, m->block, m->span, v);
  }
  if (changed) hybrid_left(h, t, y);
  return changed;
}

static double *target(const Hybrid *h, double *y, const ModelAssign *a) {
  uint32_t n = h->s->coord_count;
  return a->kind == assign_place ? &y[a->index] : a->kind == assign_velocity ? &y[n + a->index] : &y[2 * n + a->index];
}

void hybrid_assign(Hybrid *h, uint32_t which, double *y) {
  uint32_t at = h->values_at;
  for (uint32_t i = 0; i < which; i++) at += h->m->whens.items[i].assigns.count;
  const ModelWhen *w = &h->m->whens.items[which];
  for (uint32_t k = 0; k < w->assigns.count; k++) *target(h, y, &w->assigns.items[k]) = hybrid_rule(h, at + k);
}

// The same with events: conditions that read what is set, by name or in effect, look at it anew.
void hybrid_set(Hybrid *h, uint32_t which, double t, double *y) {
  const ModelWhen *w = &h->m->whens.items[which];
  if (h->modes.count) {
    hybrid_put(h, h->guards, h->guards_w, t, y);
    tape_eval(h->guards, h->guards_w);
    for (uint32_t i = 0; i < h->modes.count; i++) h->g_before[i] = guard(h, i);
  }
  hybrid_assign(h, which, y);
  if (!h->modes.count) return;
  hybrid_put(h, h->guards, h->guards_w, t, y);
  tape_eval(h->guards, h->guards_w);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    if (guard(h, i) != h->g_before[i]) h->modes.items[i].anew = true;
  }
  for (uint32_t k = 0; k < w->assigns.count; k++) {
    size_t at = (size_t)(target(h, y, &w->assigns.items[k]) - y);
    for (uint32_t r = h->read_first[at]; r < h->read_first[at + 1]; r++) h->modes.items[h->read_modes[r]].anew = true;
  }
}

// The first `when` that became true does its work. True: one did.
bool hybrid_fire(Hybrid *h, double t, double *y, bool *stop) {
  for (uint32_t i = 0; i < h->m->whens.count; i++) h->was[i] = h->was[i] && hybrid_rule(h, h->conditions_at + i) != 0;
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    const ModelWhen *w = &h->m->whens.items[i];
    if (!w->condition) continue;
    bool now = hybrid_rule(h, h->conditions_at + i) != 0, was = h->was[i];
    h->was[i] = now;
    if (!now || was) continue;
    if (h->old) hybrid_assign(h, i, y);
    else hybrid_set(h, i, t, y);
    hybrid_note(h, event_of_when, t, chatter_when(h, i), w->span, 1);
    h->fired[i]++;
    h->when_t = t;
    h->when_last = i;
    *stop = *stop || w->stop;
    return true;
  }
  return false;
}
