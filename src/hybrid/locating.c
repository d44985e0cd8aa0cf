// Event location for a model: the guards that the search of events (solve/events.h) asks for, with bounds by interval
// arithmetic, and which guards are at their limit at one instant.
#include "hybrid/locating.h"

#include "hybrid/chatter.h"
#include "hybrid/loops.h"
#include "tape/interval.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- conditions and their bounds

// Positive while the value that holds is between its limits.
static double while_it_holds(const Hybrid *h, uint32_t i, double v) {
  if (h->plan->modes[i].kind == mode_above) return v * (1 - v);
  double limit = holding_limit(h, i);
  return (1 - v / limit) * (1 + v / limit);
}

// Positive while a mode stays; behind the modes, while a choice of branches solves no loop.
void locating_conditions(void *self, double t, const double *y, double *c) {
  Hybrid *h = self;
  hybrid_guards(h, t, y);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    const SwitchMode *p = &h->plan->modes[i];
    ModeState *m = &h->modes[i];
    double g = hybrid_guard(h, i), v = *hybrid_mode(h, i);
    if (fabs(g) > m->scale) m->scale = fabs(g);
    if (m->holds) m->drift = fmax(m->drift, fabs(g));
    if (p->timed) {
      c[i] = 1; // its changes are times of the run
      continue;
    }
    if (m->pinned) { // others hold it, up to rounding
      c[i] = HOLD_DRIFT * (m->scale + m->rate_scale * (h->state->t1 - h->state->t0)) - fabs(g);
      continue;
    }
    c[i] = m->holds ? while_it_holds(h, i, v) : locating_condition(p->kind, g, v, m->slack);
  }
  loops_conditions(h, t, y, c + h->plan->mode_count);
}

// The ranges of all variables of the guards. True: of some nothing is known, because it is held, or comes out of the
// past.
static bool put_ranges(Hybrid *h, double t0, double t1, const OdeBox *box) {
  const Tape *t = h->plan->tape[event_guards];
  double *lo = h->room.ranges[0] + t->param_count, *hi = h->room.ranges[1] + t->param_count,
         *slow = h->room.ranges[2] + t->param_count, *fast = h->room.ranges[3] + t->param_count;
  uint32_t held = h->plan->s->held.count, more = 1 + h->plan->body + held;
  bool blind = held > 0;
  lo[0] = t0;
  hi[0] = t1;
  slow[0] = fast[0] = t1 - t0;
  memcpy(lo + 1, box->lo, h->plan->body * sizeof *lo);
  memcpy(hi + 1, box->hi, h->plan->body * sizeof *hi);
  memset(slow + 1, 0, (more - 1 + h->plan->z_count) * sizeof *slow);
  memset(fast + 1, 0, (more - 1 + h->plan->z_count) * sizeof *fast);
  if (box->rate_lo) memcpy(slow + 1, box->rate_lo, h->plan->body * sizeof *slow);
  if (box->rate_lo) memcpy(fast + 1, box->rate_hi, h->plan->body * sizeof *fast);
  for (uint32_t i = 0; i < held; i++) lo[1 + h->plan->body + i] = hi[1 + h->plan->body + i] = h->held_values[i];
  for (uint32_t i = 0; i < h->plan->z_count; i++) lo[more + i] = hi[more + i] = h->z[i];
  for (uint32_t i = 0; i < h->state->held_count; i++) {
    uint32_t at = more + h->plan->mode_at + h->held[i];
    lo[at] = slow[at] = -INFINITY;
    hi[at] = fast[at] = INFINITY;
    blind = true;
  }
  for (uint32_t i = 0; h->state->remembers && i < h->plan->delay_count; i++) {
    uint32_t at = more + h->plan->delay_at + i;
    double value[2], rate[2];
    history_range(h, i, t0, t1, value, rate);
    lo[at] = value[0];
    hi[at] = value[1];
    slow[at] = rate[0];
    fast[at] = rate[1];
    blind = blind || !isfinite(value[0]) || !isfinite(value[1]);
  }
  return blind;
}

// The least that conditions can be, and their rates.
static void ranges(void *self, double t0, double t1, const OdeBox *box, double *least, double *slow, double *fast) {
  Hybrid *h = self;
  const Tape *t = h->plan->tape[event_guards];
  bool blind = put_ranges(h, t0, t1, box), rates = box->rate_lo != NULL;
  if (rates)
    tape_range_rates(t, h->w[event_guards], h->room.ranges[0], h->room.ranges[1], h->room.ranges[2], h->room.ranges[3]);
  else tape_ranges(t, h->w[event_guards], h->room.ranges[0], h->room.ranges[1]);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    const SwitchMode *p = &h->plan->modes[i];
    const ModeState *m = &h->modes[i];
    uint32_t at = t->outputs[i];
    double low = h->room.ranges[0][at], high = h->room.ranges[1][at], v = *hybrid_mode(h, i);
    // a guard that an element in sticking or sliding mode keeps at its limit, within rounding: no bound is as tight
    bool rides = m->slack > 0 && h->state->held_count > 0;
    if (p->timed || m->holds || rides || (p->kind == mode_sign && v == 0) ||
        (blind && !(isfinite(low) && isfinite(high)))) {
      least[i] = NAN;
      continue;
    }
    double up = rates ? h->room.ranges[3][at] : 0, down = rates ? h->room.ranges[2][at] : 0;
    if (p->kind == mode_floor) { // (g - v)*(v + 1 - g)
      least[i] = isfinite(low) && isfinite(high) ? fmin(locating_condition(p->kind, low, v, m->slack),
                                                        locating_condition(p->kind, high, v, m->slack))
                                                 : -INFINITY;
      double side[2] = {1 - 2 * (low - v), 1 - 2 * (high - v)}; // its derivative by g
      bool one = side[0] * side[1] > 0 && isfinite(low) && isfinite(high) && (down > 0 || up < 0);
      slow[i] = one ? ((side[0] > 0) == (down > 0) ? DBL_MIN : -INFINITY) : -INFINITY;
      fast[i] = one ? ((side[0] > 0) == (down > 0) ? INFINITY : -DBL_MIN) : INFINITY;
      continue;
    }
    least[i] = (v > 0 ? low : -high) + m->slack;
    slow[i] = v > 0 ? down : -up;
    fast[i] = v > 0 ? up : -down;
  }
  for (uint32_t i = h->plan->mode_count; i < event_conditions(h->plan); i++) least[i] = NAN;
}

// The rounding of guards at this t and y.
void locating_rounding(void *self, double t, const double *y) {
  Hybrid *h = self;
  hybrid_given(h, t, y);
  hybrid_put(h, event_guards, t, y);
  tape_rounding(h->plan->tape[event_guards], h->w[event_guards], 8, h->room.errors);
  for (uint32_t i = 0; i < h->plan->mode_count; i++)
    h->noise[i] = h->room.errors[h->plan->tape[event_guards]->outputs[i]];
  const EventLoops *l = &h->plan->loops;
  for (uint32_t k = 0; k < l->count; k++) {
    double most = 0;
    for (uint32_t m = l->first[k]; m < l->first[k + 1]; m++) most = fmax(most, h->noise[l->modes[m]]);
    for (uint32_t i = l->watched_first[k]; i < l->watched_first[k + 1]; i++) h->noise[h->plan->mode_count + i] = most;
  }
}

// ---- what is inside of what

static bool inside(void *self, uint32_t inner, uint32_t outer) {
  Hybrid *h = self;
  const Tape *t = h->plan->tape[event_guards];
  if (inner >= h->plan->mode_count || outer >= h->plan->mode_count) return false; // another solution of a loop
  memset(h->room.marked, 0, t->slot_count * sizeof *h->room.marked);
  h->room.marked[t->param_count + t->var_count - h->plan->z_count + h->plan->mode_at + inner] = true;
  tape_follow(t, h->room.marked);
  return h->room.marked[t->outputs[outer]];
}

// ---- what is reported

// The `when` in whose line this mode stands, else the mode itself.
static EventItem item_of(const Hybrid *h, uint32_t mode) {
  if (mode >= h->plan->mode_count) return (EventItem){event_of_none, 0};
  Span at = h->plan->modes[mode].span;
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    const SystemWhen *w = &h->plan->s->whens.items[i];
    if (!w->period && w->span.source == at.source && at.start >= w->span.start && at.end <= w->span.end)
      return (EventItem){event_of_when, i};
  }
  return (EventItem){event_of_mode, mode};
}

static void grazes(void *self, uint32_t condition, double t) {
  Hybrid *h = self;
  EventItem of = item_of(h, condition);
  if (of.kind == event_of_when && h->state->graze_count++ == 0) h->state->graze = (EventRecord){.t = t, .of = of};
}

static bool unsure(void *self, uint32_t condition, double t, bool undefined) {
  Hybrid *h = self;
  EventItem of = item_of(h, condition);
  if (of.kind == event_of_none) return false;
  // a corner without a value has none in the right-hand side either, and its branch may not count now
  static const char *const corners[] = {"abs", "min", "max", "ramp"};
  for (int i = 0; undefined && of.kind == event_of_mode && i < 4; i++) {
    if (strcmp(h->plan->modes[condition].word, corners[i]) == 0) return false;
  }
  if (h->state->unsure_count++) return true;
  h->state->unsure = (EventRecord){.t = t, .of = of};
  h->state->undefined = undefined;
  return true;
}

void locating_events(Hybrid *h, OdeEvents *e) {
  e->count = event_conditions(h->plan);
  e->conditions = locating_conditions;
  e->fresh = h->fresh;
  e->noise = h->noise;
  e->rearm = h->rearm;
  e->graze = grazes;
  e->wild = h->plan->any_wild ? h->plan->wild : NULL;
  e->ranges = ranges;
  e->used = h->plan->used;
  e->used_count = h->plan->used_count;
  e->inside = inside;
  e->rounding = locating_rounding;
  e->unsure = unsure;
}
