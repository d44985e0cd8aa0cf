// Delayed signals: what their inputs were, as polynomials over the steps of the past.
//
// The input of a delay is smooth inside a step. Its values at Chebyshev points of the step give a polynomial of the
// order of the method's own continuous extension. Where something may jump (the start, an event) there is a mark; its
// image a dead time later is a stop of the run, and between two images a delay reads between the two marks, so no
// rounding puts a jump on the wrong side. After each passage through a delay and an integrator a jump is one order
// smoother; marks that only pass on others end after the order of the method.
#include "hybrid/hybrid.h"

#include "tape/interval.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { degree = history_degree, points = degree + 1, last_generation = 9 };

static bool concerns(const DelayPlan *d, uint32_t delay, const DelayMark *m) {
  return m->source < 0 || !d->feeds ||
         (d->feeds[(size_t)delay * d->words + (size_t)m->source / 64] >> m->source % 64 & 1);
}

static void skip_others(Hybrid *h, uint32_t delay) {
  const History *x = &h->history;
  uint32_t *next = &h->delays[delay].next;
  while (*next < x->marks.count && !concerns(&h->plan->delays, delay, &x->marks.items[*next])) (*next)++;
}

void history_restore(Hybrid *h) {
  const History *x = &h->history;
  for (uint32_t i = 0; i < h->plan->delay_count; i++) {
    DelayState *d = &h->delays[i];
    d->from = -1;
    for (uint32_t k = 0; k < d->next; k++) {
      if (concerns(&h->plan->delays, i, &x->marks.items[k])) d->from = (int64_t)x->marks.items[k].segment;
    }
    skip_others(h, i);
  }
}

// ---- the record

bool history_start(Hybrid *h) {
  h->state->remembers = true;
  h->state->shortest = INFINITY;
  for (uint32_t i = 0; i < h->plan->delay_count; i++) {
    DelayState *d = &h->delays[i];
    d->from = -1;
    if (!(d->time > 0)) continue;
    h->state->shortest = fmin(h->state->shortest, d->time);
    h->state->longest = fmax(h->state->longest, d->time);
  }
  return !arena_failed(h->arena);
}

static double before_start(Hybrid *h, uint32_t delay, double t) {
  double *var = tape_vars(h->plan->tape[event_past], h->w[event_past]);
  var[0] = t;
  tape_eval(h->plan->tape[event_past], h->w[event_past]);
  return hybrid_result(h, event_past, delay);
}

// Of a polynomial by u = 1 - 2 s: T_k counts k^2 times in the rate, and each coefficient is off by last digits of all,
// and by as much as the signal.
static double rate_rounding(const double *c) {
  double size = fabs(c[0]), times = 0;
  bool still = true;
  for (int k = 1; k <= degree; k++) {
    size += fabs(c[k]);
    times += k * k;
    still = still && c[k] == 0;
  }
  return still ? 0 : 2 * times * (8 * DBL_EPSILON * size + c[points]);
}

// The signal, and its rate if that is asked for.
static double read_past(Hybrid *h, uint32_t delay, double t, PastRate *rate) {
  History *x = &h->history;
  if (!(h->delays[delay].time > 0)) return 0; // replaced by its input
  double at = t - h->delays[delay].time;
  uint32_t next = h->delays[delay].next;
  if (h->delays[delay].from < 0) { // the mark of the start lies ahead
    double value = before_start(h, delay, fmin(at, h->state->t0)), by = 0x1p-26 * fmax(fabs(at), h->delays[delay].time);
    double old = rate ? before_start(h, delay, fmin(at, h->state->t0) - by) : value;
    // what does not move at all is a number; else the quotient has half of the digits
    if (rate && old != value)
      *rate = (PastRate){(value - old) / by, 8 * DBL_EPSILON * fabs(value) / by + 0x1p-26 * fabs(value - old) / by, 0};
    return value;
  }
  // between the marks
  uint64_t lo = (uint64_t)h->delays[delay].from,
           hi = next < x->marks.count ? x->marks.items[next].segment : h->state->dropped + x->start.count;
  lo = lo > h->state->dropped ? lo - h->state->dropped : 0;
  hi -= h->state->dropped;
  if (hi <= lo) return h->z[h->plan->delay_at + delay]; // nothing was recorded yet
  // mostly where it was read last, or beside it
  uint64_t last_read = h->delays[delay].cursor;
  if (last_read >= lo && last_read < hi && x->start.items[last_read] <= at) {
    lo = last_read;
    if (last_read + 1 >= hi || x->start.items[last_read + 1] > at) hi = last_read + 1;
    else if (last_read + 2 >= hi || x->start.items[last_read + 2] > at) lo = last_read + 1, hi = last_read + 2;
  }
  while (hi - lo > 1) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (x->start.items[mid] <= at) lo = mid;
    else hi = mid;
  }
  h->delays[delay].cursor = (uint32_t)lo;
  double a = x->start.items[lo], b = x->end.items[lo], s = (at - a) / (b - a);
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  const double *c = x->c.items + (lo * h->plan->delays.width + h->plan->delays.input[delay]) * history_width;
  double u = 1 - 2 * s, p = 0, q = 0, dp = 0, dq = 0; // Clenshaw, and its derivative by u
  for (int k = degree; k > 0; k--) {
    double r = 2 * u * p - q + c[k], dr = 2 * p + 2 * u * dp - dq;
    q = p, dq = dp;
    p = r, dp = dr;
  }
  if (rate) *rate = (PastRate){-2 / (b - a) * (p + u * dp - dq), rate_rounding(c) / (b - a), c[points]};
  return u * p - q + c[0];
}

double history_value(Hybrid *h, uint32_t delay, double t) { return read_past(h, delay, t, NULL); }

PastRate history_rate(Hybrid *h, uint32_t delay, double t) {
  PastRate past = {0};
  read_past(h, delay, t, &past);
  return past;
}

// Bounds of a polynomial and its derivative on a piece of its segment: from both in the middle of the piece, and the
// largest derivatives that its coefficients allow.
static void segment_range(const double *c, double s0, double s1, double value[2], double rate[2]) {
  double slope = 0, bend = 0, mid = 0.5 * (s0 + s1), half = 0.5 * (s1 - s0), u = 1 - 2 * mid, p = 0, q = 0, size = 0;
  double before = 0, now = 1, first = 0; // U_(k-2), U_(k-1)
  for (int k = degree; k > 0; k--) {
    double r = 2 * u * p - q + c[k];
    q = p;
    p = r;
  }
  for (int k = 0; k <= degree; k++) {
    double w = k;
    size += fabs(c[k]);
    slope += 2 * w * w * fabs(c[k]);
    bend += 4 * w * w * (w * w - 1) / 3 * fabs(c[k]);
    if (!k) continue;
    first -= 2 * w * c[k] * now; // T_k' = k U_(k-1), and u = 1 - 2 s
    double next = 2 * u * now - before;
    before = now;
    now = next;
  }
  double at = u * p - q + c[0], steep = fmin(slope, fabs(first) + bend * half), margin = 1e-15 * size;
  value[0] = at - steep * half - margin;
  value[1] = at + steep * half + margin;
  rate[0] = fmax(-slope, first - bend * half) - 100 * margin;
  rate[1] = fmin(slope, first + bend * half) + 100 * margin;
}

void history_range(Hybrid *h, uint32_t delay, double t0, double t1, double value[2], double rate[2]) {
  History *x = &h->history;
  value[0] = value[1] = h->z[h->plan->delay_at + delay];
  rate[0] = rate[1] = 0;
  if (!(h->delays[delay].time > 0)) return; // replaced by its input
  double from = t0 - h->delays[delay].time, to = t1 - h->delays[delay].time;
  if (h->delays[delay].from < 0) { // before the start
    const Tape *t = h->plan->tape[event_past];
    double **r = h->room.past_ranges;
    r[0][t->param_count] = fmin(from, h->state->t0);
    r[1][t->param_count] = fmin(to, h->state->t0);
    r[2][t->param_count] = r[3][t->param_count] = t1 - t0;
    for (uint32_t i = 1; i < t->var_count; i++) {
      r[0][t->param_count + i] = r[1][t->param_count + i] = h->w[event_past][t->param_count + i];
      r[2][t->param_count + i] = r[3][t->param_count + i] = 0;
    }
    tape_range_rates(t, h->w[event_past], r[0], r[1], r[2], r[3]);
    uint32_t out = t->outputs[delay];
    value[0] = r[0][out];
    value[1] = r[1][out];
    rate[0] = r[2][out];
    rate[1] = r[3][out];
    return;
  }
  uint32_t next = h->delays[delay].next;
  uint64_t lo = (uint64_t)h->delays[delay].from,
           hi = next < x->marks.count ? x->marks.items[next].segment : h->state->dropped + x->start.count;
  lo = lo > h->state->dropped ? lo - h->state->dropped : 0;
  hi -= h->state->dropped;
  if (hi <= lo) return; // nothing was recorded yet
  uint64_t end = hi;
  while (hi - lo > 1) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (x->start.items[mid] <= from) lo = mid;
    else hi = mid;
  }
  for (uint64_t k = lo; k < end && (k == lo || x->start.items[k] <= to); k++) {
    double a = x->start.items[k], b = x->end.items[k], s0 = fmin(1, fmax(0, (from - a) / (b - a))),
           s1 = fmin(1, fmax(0, (to - a) / (b - a))), v[2], r[2];
    segment_range(x->c.items + (k * h->plan->delays.width + h->plan->delays.input[delay]) * history_width, s0,
                  fmax(s0, s1), v, r);
    r[0] *= (t1 - t0) / (b - a);
    r[1] *= (t1 - t0) / (b - a);
    value[0] = k == lo ? v[0] : fmin(value[0], v[0]);
    value[1] = k == lo ? v[1] : fmax(value[1], v[1]);
    rate[0] = k == lo ? r[0] : fmin(rate[0], r[0]);
    rate[1] = k == lo ? r[1] : fmax(rate[1], r[1]);
  }
}

static void put_mark(Hybrid *h, double t, int generation, int source) {
  History *x = &h->history;
  if (generation > last_generation) return;
  // of one moment each source once, and none beside one that concerns all
  for (uint32_t i = x->marks.count; i-- > 0 && x->marks.items[i].t == t;) {
    DelayMark *m = &x->marks.items[i];
    if (m->source >= 0 && m->source != source) continue;
    if (generation < m->generation) m->generation = generation;
    return;
  }
  vec_push(h->arena, &x->marks, (DelayMark){t, h->state->dropped + x->start.count, generation, source});
}

void history_mark(Hybrid *h, double t, bool jump) {
  History *x = &h->history;
  const double reach = t + EVENT_SAME_INSTANT * fabs(t); // images of this instant
  for (uint32_t i = 0; i < h->plan->delay_count; i++) {
    if (!(h->delays[i].time > 0)) continue;
    int passed = -1; // the least generation of the images that are reached
    for (skip_others(h, i);
         h->delays[i].next < x->marks.count && x->marks.items[h->delays[i].next].t + h->delays[i].time <= reach;
         skip_others(h, i)) {
      const DelayMark *m = &x->marks.items[h->delays[i].next++];
      h->delays[i].from = (int64_t)m->segment;
      passed = passed < 0 || m->generation < passed ? m->generation : passed;
    }
    if (passed >= 0 && !jump && h->plan->delays.passes[i])
      put_mark(h, t, passed + 1, h->plan->delays.feeds ? (int)i : -1);
  }
  if (jump) put_mark(h, t, 0, -1);
  for (uint32_t i = 0; i < h->plan->delay_count; i++) skip_others(h, i);
}

double history_next(const Hybrid *h, double t) {
  const History *x = &h->history;
  double first = INFINITY;
  for (uint32_t i = 0; i < h->plan->delay_count; i++) {
    if (!(h->delays[i].time > 0) || h->delays[i].next >= x->marks.count) continue;
    first = fmin(first, x->marks.items[h->delays[i].next].t + h->delays[i].time);
  }
  return first > t ? first : nextafter(t, INFINITY);
}
