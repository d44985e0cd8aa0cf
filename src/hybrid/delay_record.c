// The record of delayed signals: one polynomial a step and input, at Chebyshev points. A part of hybrid.h.
//
// Half of it is dropped when nobody needs it any more, so a run of any length keeps little more than the longest delay.
#include "hybrid/hybrid.h"
#include "hybrid/settle.h"

#include <math.h>
#include <string.h>

enum { degree = history_degree, points = history_points, most_kept = 1 << 27 }; // 2^27 coefficients are 1 GB

// Half of the record is dropped when nobody needs it any more.
static void drop(Hybrid *h, double t) {
  History *x = &h->history;
  uint32_t n = x->start.count, half = n / 2;
  if (n < 256 || x->end.items[half] >= t - 1.01 * h->state->longest) return;
  uint32_t left = n - half;
  memmove(x->start.items, x->start.items + half, left * sizeof(double));
  memmove(x->end.items, x->end.items + half, left * sizeof(double));
  size_t width = (size_t)h->plan->delays.width * history_width;
  memmove(x->c.items, x->c.items + half * width, left * width * sizeof(double));
  x->start.count = x->end.count = left;
  x->c.count = (uint32_t)(left * width);
  h->state->dropped += half;
}

// The first value of a segment to its last digit, as it is read: the image of a state that was at zero is zero.
static void start_exactly(double *c, double value) {
  double p = 0, q = 0;
  for (int k = degree; k > 0; k--) {
    double r = 2 * p - q + c[k];
    q = p;
    p = r;
  }
  c[0] = value - (p - q);
}

bool history_record(void *self, double t0, double t1, OdeDense *dense, void *from) {
  Hybrid *h = self;
  History *x = &h->history;
  uint32_t n = h->plan->delays.width;
  if ((uint64_t)x->c.count + (uint64_t)n * history_width > most_kept) {
    h->failure = "the past of the delays takes more than 1 GB: a long delay, and very many steps; take fewer delays, a "
                 "shorter one, or a larger `--rtol`";
    h->failure_place = h->plan->s->delays.items[0].span;
    return false;
  }
  for (int j = 0; j < points; j++) {
    // no rounding leads beyond the end, where a jump may be
    double t = ode_seen(h->breaks.after_start, h->state->t0,
                        j == degree ? t1 : fmin(t0 + (t1 - t0) * h->plan->delays.node[j], t1));
    dense(from, h->plan->delays.node[j], h->room.input_y);
    hybrid_given(h, t, h->room.input_y);
    hybrid_eval(h, event_inputs, t, h->room.input_y);
    for (uint32_t i = 0; i < n; i++)
      h->room.inputs[(size_t)j * n + i] = hybrid_result(h, event_inputs, h->plan->delays.first[i]);
  }
  const double *e = settle_input_errors(h, t1, h->room.input_y);
  drop(h, t0);
  vec_push(h->arena, &x->start, t0);
  vec_push(h->arena, &x->end, t1);
  for (uint32_t i = 0; i < n; i++) {
    bool still = true; // a level stays what it is
    for (int j = 1; j < points; j++) still = still && h->room.inputs[(size_t)j * n + i] == h->room.inputs[i];
    if (still) {
      for (int k = 0; k < points; k++) vec_push(h->arena, &x->c, k ? 0 : h->room.inputs[i]);
    }
    for (int k = 0; !still && k < points; k++) {
      double sum = 0;
      for (int j = 0; j < points; j++)
        sum += (j == 0 || j == degree ? 0.5 : 1) * h->room.inputs[(size_t)j * n + i] * h->plan->delays.cosine[j][k];
      vec_push(h->arena, &x->c, sum * (k == 0 || k == degree ? 1.0 : 2.0) / degree);
    }
    if (!still) start_exactly(x->c.items + x->c.count - points, h->room.inputs[i]);
    vec_push(h->arena, &x->c, e ? e[h->plan->tape[event_inputs]->outputs[h->plan->delays.first[i]]] : 0);
  }
  return !arena_failed(h->arena);
}
