// Forward sensitivity equations, and the saltation matrix at events. A part of variational.h.
#include "fit/variational.h"

#include <string.h>

// Seeds of t and y: columns of S (or X), and how the moment itself moves (NULL: not).
void variational_put(const Variational *x, const double *columns, const double *moment, uint32_t stride) {
  for (uint32_t j = 0; j < x->k; j++) x->seeds[j] = moment ? moment[j] : 0;
  for (uint32_t i = 0; i < x->n; i++) {
    for (uint32_t j = 0; j < x->k; j++) x->seeds[(size_t)(1 + i) * stride + j] = columns[(size_t)j * x->n + i];
  }
}

// Derivatives that are no numbers make the whole inexact, and count as zero.
void variational_see(Variational *x, uint32_t from, uint32_t count, uint32_t stride, const char *why) {
  double *slopes = x->slopes + (size_t)from * stride;
  for (size_t i = 0; i < (size_t)count * stride; i++) {
    if (isfinite(slopes[i])) continue;
    slopes[i] = 0;
    x->inexact = why;
  }
}

bool variational_rates(void *self, double t, const double *joint, double *rates) {
  Variational *x = self;
  Run *r = x->r;
  const Tape *f = x->p->f;
  uint32_t n = x->n, k = x->k;
  double *var = tape_vars(f, r->fw), sum = 0;
  if (r->h && hybrid_varies(r->h)) {
    x->inexact = "friction holds a part of the motion";
    run_see_z(r, f, r->fw, t, joint);
  }
  var[0] = ode_seen(r->ode.breaks.after_start, r->ode.t0, t);
  memcpy(var + 1, joint, n * sizeof *joint);
  variational_put(x, joint + n, NULL, k);
  tape_along(&x->f, r->fw, x->seeds, 1 + n, x->slopes);
  for (uint32_t i = 0; i < n; i++) {
    rates[i] = tape_result(f, r->fw, i);
    sum += rates[i] - rates[i];
  }
  if (sum == 0) variational_see(x, 0, n, k, "a rate has no slope that a tape knows");
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < k; j++) rates[n + (size_t)j * n + i] = x->slopes[(size_t)i * k + j];
  }
  if (r->h && r->h->state->held_count) hybrid_rest(r->h, rates);
  return sum == 0;
}

// ---- events

// How the moment at which this mode ends moves with the unknowns.
static void find_moment(Variational *x, double t, const double *joint, uint32_t mode) {
  Hybrid *h = x->r->h;
  uint32_t n = x->n, k = x->k;
  if (h->modes[mode].holds) {
    x->inexact = "friction lets go";
    return;
  }
  hybrid_put(h, event_guards, t, joint);
  variational_put(x, joint + n, NULL, k + 1);
  // the last direction: along the trajectory
  x->seeds[k] = 1;
  for (uint32_t i = 0; i < n; i++) x->seeds[(size_t)(1 + i) * (k + 1) + k] = x->before[i];
  tape_along(&x->guards, h->w[event_guards], x->seeds, 1 + n, x->slopes);
  variational_see(x, mode, 1, k + 1, "the moment of an event has no slope that a tape knows");
  const double *slopes = x->slopes + (size_t)mode * (k + 1);
  double rate = slopes[k];
  if (rate == 0) {
    x->inexact = "an event is only touched: its moment has no slope";
    return;
  }
  for (uint32_t j = 0; j < k; j++) x->moment[j] = -slopes[j] / rate;
}

void variational_assigns(void *self, uint32_t which, double t, const double *y) {
  Variational *x = self;
  Hybrid *h = x->r->h;
  const EventPlan *p = h->plan;
  const SystemWhen *w = &p->s->whens.items[which];
  hybrid_put(h, event_rules, t, y);
  variational_put(x, x->x, x->moment, x->k);
  tape_along(&x->rules, h->w[event_rules], x->seeds, 1 + x->n, x->slopes);
  variational_see(x, p->values_at[which], w->assigns.count, x->k, "what an event sets has no slope that a tape knows");
  for (uint32_t i = 0; i < w->assigns.count; i++) {
    uint32_t target = event_target(p, &w->assigns.items[i]);
    const double *slopes = x->slopes + (size_t)(p->values_at[which] + i) * x->k;
    for (uint32_t j = 0; j < x->k; j++) x->x[(size_t)j * x->n + target] = slopes[j];
  }
  // a period that is unknown moves every sample
  for (uint32_t j = 0; w->period && j < x->k; j++) {
    if (x->slopes[(size_t)(p->periods_at + which) * x->k + j] != 0) x->inexact = "the period of `every` is unknown";
  }
}

// A memory that took a value which moves with the unknowns.
static void look_at_memories(Variational *x, double t, const double *y) {
  Hybrid *h = x->r->h;
  const EventPlan *p = h->plan;
  bool changed = false;
  for (uint32_t i = 0; i < p->memory_count; i++) changed = changed || h->z[i] != x->memories[i];
  if (!changed) return;
  hybrid_put(h, event_rules, t, y);
  variational_put(x, x->x, x->moment, x->k);
  tape_along(&x->rules, h->w[event_rules], x->seeds, 1 + x->n, x->slopes);
  for (uint32_t i = 0; i < p->memory_count; i++) {
    for (uint32_t j = 0; j < x->k; j++) {
      if (x->slopes[(size_t)(p->memories_at + i) * x->k + j] != 0) x->inexact = "a block remembers a value that moves";
    }
  }
}

static OdeAction happen(void *self, double t, double *joint, const uint32_t *ended, uint32_t count, uint64_t steps) {
  Hybrid *h = self;
  Variational *x = h->follower->self;
  uint32_t n = x->n, k = x->k;
  // to the moment of the event
  memset(x->moment, 0, ((size_t)k + 1) * sizeof *x->moment);
  if (count) {
    variational_rates(x, t, joint, x->before);
    find_moment(x, t, joint, ended[0]);
  }
  for (uint32_t j = 0; j < k; j++) {
    for (uint32_t i = 0; i < n; i++) {
      size_t at = (size_t)j * n + i;
      x->x[at] = joint[n + at] + (count ? x->before[i] * x->moment[j] : 0);
    }
  }
  memcpy(x->memories, h->z, h->plan->z_count * sizeof *h->z);
  memcpy(x->own, joint, n * sizeof *joint);
  OdeAction action = x->happen(h, t, x->own, ended, count, steps);
  memcpy(joint, x->own, n * sizeof *joint);
  look_at_memories(x, t, joint);
  // and away from it
  memcpy(joint + n, x->x, (size_t)n * k * sizeof *x->x);
  if (count && action == action_go) {
    variational_rates(x, t, joint, x->after);
    for (uint32_t j = 0; j < k; j++) {
      for (uint32_t i = 0; i < n; i++) joint[n + (size_t)j * n + i] -= x->after[i] * x->moment[j];
    }
  }
  return action;
}

void variational_connect(Variational *x) {
  Hybrid *h = x->r->h;
  if (!h) return;
  x->events = h->events;
  x->happen = h->events.happen;
  x->events.happen = happen;
}
