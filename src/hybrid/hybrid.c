// Hybrid systems: what all parts of event handling share: tapes over the state, the log, words of messages.
#include "hybrid/hybrid.h"

#include <math.h>
#include <string.h>

enum { most_logged = 100000 }; // more of them nobody reads; a million lines of text take a second

// ---- evaluations

// Mostly a few numbers: a call would take longer.
static inline double *copy(double *to, const double *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) to[i] = from[i];
  return to + count;
}

void hybrid_put(const Hybrid *h, EventTape which, double time, const double *y) {
  const EventPlan *p = h->plan;
  double *var = tape_vars(p->tape[which], h->w[which]);
  var[0] = time;
  var = copy(var + 1, y, p->body);
  var = copy(var, h->held_values, p->s->held.count);
  copy(var, h->z, p->z_count);
  // the rules are read by the event iteration: an element that sticks has a value of its own in the equations alone
  if (which == event_rules) copy(var + p->mode_at, h->instant.branch, p->mode_count);
}

void hybrid_eval(Hybrid *h, EventTape which, double time, const double *y) {
  hybrid_put(h, which, time, y);
  tape_eval(h->plan->tape[which], h->w[which]);
}

// ---- what happened

const char *hybrid_word(const EventPlan *p, EventItem of) {
  switch (of.kind) {
  case event_of_mode: return p->modes[of.index].word;
  case event_of_memory: return p->s->memories.items[of.index].block;
  case event_of_when: return p->when_words[of.index];
  case event_of_delay: return "delay";
  case event_of_none: break;
  }
  return NULL;
}

Span hybrid_span(const EventPlan *p, EventItem of) {
  switch (of.kind) {
  case event_of_mode: return p->modes[of.index].span;
  case event_of_memory: return p->s->memories.items[of.index].span;
  case event_of_when: return p->s->whens.items[of.index].span;
  case event_of_delay: return p->s->delays.items[of.index].span;
  case event_of_none: break;
  }
  return (Span){0};
}

// Is it the same thing of the text?
static bool same_item(const EventPlan *p, EventItem a, EventItem b) {
  if (a.kind == b.kind && a.index == b.index) return true;
  Span x = hybrid_span(p, a), y = hybrid_span(p, b);
  return hybrid_word(p, a) == hybrid_word(p, b) && x.start == y.start && x.source == y.source;
}

void hybrid_note(Hybrid *h, double t, EventItem of, double value) {
  h->state->last = of;
  if (h->log.count >= most_logged) {
    h->state->log_full = true;
    return;
  }
  // what changes to and fro in one moment is reported once
  for (uint32_t i = h->log.count; of.kind != event_of_when && i-- > 0 && h->log.items[i].t == t;) {
    EventRecord *e = &h->log.items[i];
    if (!same_item(h->plan, e->of, of)) continue;
    e->value = value;
    return;
  }
  vec_push(h->arena, &h->log, (EventRecord){t, value, of});
}

OdeAction hybrid_check(Hybrid *h, double t, uint32_t memory) {
  for (uint32_t i = 0; i < h->plan->s->checks.count; i++) {
    if (memory != hybrid_all_checks && h->plan->check_of[i] != memory) continue;
    if (hybrid_rule(h, h->plan->checks_at + i) == 0) continue;
    return hybrid_stop(h, t, h->plan->s->checks.items[i].message, h->plan->s->checks.items[i].span);
  }
  return action_go;
}

OdeAction hybrid_fail(Hybrid *h, const char *message, Span place) {
  h->failure = message ? message : "out of memory";
  h->failure_place = place;
  return action_fail;
}

OdeAction hybrid_stop(Hybrid *h, double t, const char *why, Span place) {
  char at[number_text_size];
  number_print(t, at);
  return hybrid_fail(h, why ? arena_printf(h->scratch, "stopped at t = %s: %s", at, why) : NULL, place);
}

// ---- `every`

// The k-th time of an `every`: rows fall on the same doubles.
double hybrid_tick_time(const Hybrid *h, uint32_t i, uint64_t k) {
  if (h->plan->s->whens.items[i].once) return k == 0 ? h->whens[i].period : INFINITY;
  OdeSettings s = {.t0 = h->state->t0, .t1 = INFINITY, .every = h->whens[i].period};
  return ode_grid_time(&s, k);
}

bool hybrid_is_due(const Hybrid *h, uint32_t when, double t) {
  return h->plan->s->whens.items[when].period && h->whens[when].next_at <= t + EVENT_SAME_INSTANT * fabs(t);
}

OdeAction hybrid_start_samples(Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->plan->when_count; i++) {
    WhenState *w = &h->whens[i];
    w->fired_at = w->next_at = t;
    w->period = hybrid_rule(h, h->plan->periods_at + i);
    if (h->plan->s->whens.items[i].once) {
      w->ticks = w->period < t;
      w->next_at = hybrid_tick_time(h, i, w->ticks);
      continue;
    }
    if (!h->plan->s->whens.items[i].period || w->period > 0) continue;
    return hybrid_fail(h, "the period of `every` must be positive", h->plan->s->whens.items[i].span);
  }
  return action_go;
}

void hybrid_book(Hybrid *h, double before, double t, double *y) {
  double after = h->host.stored(h->host.self, t, y);
  if (!(after != before)) return;
  double *flows = y + h->plan->body;
  if (after < before) flows[flow_dissipated] += before - after;
  else flows[flow_supplied] += after - before;
}
