// Delayed signals: what their inputs were, as polynomials over the steps of the past.
//
// The input of a delay is smooth inside a step. Its values at Chebyshev points of the step give a polynomial of the order
// of the method's own continuous extension. Where something may jump (the start, an event) there is a mark; its image a
// dead time later is a stop of the run, and between two images a delay reads between the two marks, so no rounding puts a
// jump on the wrong side. After each passage through a delay and an integrator a jump is one order smoother; marks
// that only pass on others end after the order of the method.
#include "study/history.h"

#include <math.h>
#include <string.h>

enum { degree = history_degree, points = degree + 1, last_generation = 9 };

History *history_new(Hybrid *h) {
  History *x = arena_new_of(h->arena, History);
  if (!x) return NULL;
  *x = (History){.passing = -1};
  x->next = arena_array(h->arena, h->delay_count, sizeof *x->next);
  x->values = arena_array(h->arena, (size_t)points * h->delay_count, sizeof *x->values);
  x->y = arena_array(h->arena, (size_t)h->body + 2, sizeof *x->y);
  static const double pi = 3.141592653589793238;
  for (int j = 0; j < points; j++) {
    x->node[j] = 0.5 * (1 - cos(pi * j / degree));
    for (int k = 0; k < points; k++) x->cosine[j][k] = cos(pi * j * k / degree);
  }
  h->events.longest = INFINITY;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    if (!(h->delay_times[i] > 0)) continue;
    h->events.longest = fmin(h->events.longest, h->delay_times[i]);
    x->longest = fmax(x->longest, h->delay_times[i]);
  }
  return arena_failed(h->arena) ? NULL : x;
}

static double before_start(Hybrid *h, uint32_t delay, double t) {
  double *var = tape_vars(h->history_tape, h->history_w);
  var[0] = t;
  tape_eval(h->history_tape, h->history_w);
  return tape_result(h->history_tape, h->history_w, delay);
}

double history_value(Hybrid *h, uint32_t delay, double t) {
  History *x = h->history;
  if (!(h->delay_times[delay] > 0)) return 0; // replaced by its input
  double at = t - h->delay_times[delay];
  uint32_t next = x->next[delay];
  if (next == 0) return before_start(h, delay, fmin(at, h->t0)); // the mark of the start lies ahead
  // between the marks
  uint64_t lo = x->marks.items[next - 1].segment, hi = next < x->marks.count ? x->marks.items[next].segment : x->dropped + x->start.count;
  lo = lo > x->dropped ? lo - x->dropped : 0;
  hi -= x->dropped;
  if (hi <= lo) return h->z[h->delay_at + delay]; // nothing was recorded yet
  while (hi - lo > 1) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (x->start.items[mid] <= at) lo = mid;
    else hi = mid;
  }
  double a = x->start.items[lo], b = x->end.items[lo], s = (at - a) / (b - a);
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  const double *c = x->c.items + (lo * h->delay_count + delay) * points;
  double u = 1 - 2 * s, p = 0, q = 0; // Clenshaw
  for (int k = degree; k > 0; k--) {
    double r = 2 * u * p - q + c[k];
    q = p;
    p = r;
  }
  return u * p - q + c[0];
}

// Half of the record is dropped when nobody needs it any more.
static void drop(Hybrid *h, double t) {
  History *x = h->history;
  uint32_t n = x->start.count, half = n / 2;
  if (n < 256 || x->end.items[half] >= t - 1.01 * x->longest) return;
  uint32_t left = n - half;
  memmove(x->start.items, x->start.items + half, left * sizeof(double));
  memmove(x->end.items, x->end.items + half, left * sizeof(double));
  size_t width = (size_t)h->delay_count * points;
  memmove(x->c.items, x->c.items + half * width, left * width * sizeof(double));
  x->start.count = x->end.count = left;
  x->c.count = (uint32_t)(left * width);
  x->dropped += half;
}

bool history_record(void *self, double t0, double t1, OdeDense *dense, void *from) {
  Hybrid *h = self;
  History *x = h->history;
  uint32_t n = h->delay_count;
  for (int j = 0; j < points; j++) {
    double t = ode_seen(h->breaks.late, h->t0, t0 + (t1 - t0) * x->node[j]);
    dense(from, x->node[j], x->y);
    hybrid_given(h, t, x->y);
    hybrid_put(h, h->inputs_tape, h->inputs_w, t, x->y);
    tape_eval(h->inputs_tape, h->inputs_w);
    for (uint32_t i = 0; i < n; i++) x->values[(size_t)j * n + i] = tape_result(h->inputs_tape, h->inputs_w, i);
  }
  drop(h, t0);
  vec_push(h->arena, &x->start, t0);
  vec_push(h->arena, &x->end, t1);
  for (uint32_t i = 0; i < n; i++) {
    bool still = true; // a level stays what it is
    for (int j = 1; j < points; j++) still = still && x->values[(size_t)j * n + i] == x->values[i];
    if (still) {
      for (int k = 0; k < points; k++) vec_push(h->arena, &x->c, k ? 0 : x->values[i]);
      continue;
    }
    for (int k = 0; k < points; k++) {
      double sum = 0;
      for (int j = 0; j < points; j++) sum += (j == 0 || j == degree ? 0.5 : 1) * x->values[(size_t)j * n + i] * x->cosine[j][k];
      vec_push(h->arena, &x->c, sum * (k == 0 || k == degree ? 1.0 : 2.0) / degree);
    }
  }
  return !arena_failed(h->arena);
}

void history_mark(Hybrid *h, double t, bool jump) {
  History *x = h->history;
  // images that are reached
  int passed = -1;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    while (h->delay_times[i] > 0 && x->next[i] < x->marks.count && x->marks.items[x->next[i]].t + h->delay_times[i] <= t) {
      int g = x->marks.items[x->next[i]++].generation;
      passed = passed < 0 || g < passed ? g : passed;
    }
  }
  int generation = jump ? 0 : passed >= 0 ? passed + 1 : -1;
  if (generation < 0 || generation > last_generation) return;
  Mark *last = x->marks.count ? &x->marks.items[x->marks.count - 1] : NULL;
  if (last && last->t == t) {
    last->generation = generation < last->generation ? generation : last->generation;
    return;
  }
  vec_push(h->arena, &x->marks, (Mark){t, x->dropped + x->start.count, generation});
}

double history_next(const Hybrid *h, double t) {
  const History *x = h->history;
  double first = INFINITY;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    if (!(h->delay_times[i] > 0) || x->next[i] >= x->marks.count) continue;
    first = fmin(first, x->marks.items[x->next[i]].t + h->delay_times[i]);
  }
  return first > t ? first : nextafter(t, INFINITY);
}
