// Delayed signals and the values of modes that stick: what varies inside a step beside the state. A part of hybrid.h.
#include "hybrid/holding.h"

void hybrid_delayed(Hybrid *h, double t) {
  uint32_t delays = h->state->remembers ? h->plan->delay_count : 0;
  for (uint32_t i = 0; i < delays; i++) h->z[h->plan->delay_at + i] = history_value(h, i, t);
}

void hybrid_given(Hybrid *h, double t, const double *y) {
  hybrid_delayed(h, t);
  if (h->state->held_count) holding_values(h, t, y);
}

void hybrid_guards(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  hybrid_eval(h, event_guards, t, y);
}
