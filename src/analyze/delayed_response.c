// Time response of a linear delay differential equation: collocation at Radau points, steps that end at kinks.
//
//   x' = A x + B u + E w,    z = G x + H u + J w,    w_k(t) = z_k(t - T_k)
//
// Kinks: the stimulus begins at 0, and what jumps at t comes out of channel k at t + T_k. Its order (0: a jump, 1: a
// kink, ...; -1: an impulse, which makes x jump) grows by one with every integration on the way, by r + 1 from channel
// l to k where G_k A^r E_l is the first that is not 0. Steps end at all kinks up to an order beyond which a polynomial
// of a step does not see them.
//
// Steps: collocation at Radau's eight points (order 15). Where T_k is shorter than the step, what comes out of channel
// k towards its end went in during the same step, so w_k at a node is a combination of z_k at all nodes: one linear
// system for x and w together. A step is as long as the last coefficients of all signals are small.
#include "analyze/delayed_response.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { stages = 8, most_pieces = 20000, most_kinks = 20000, last_order = 11 };
static const double tolerance = 1e-12; // of the last coefficients, against the largest value so far

// What comes out of a channel is not smooth there.
typedef struct DelayKink {
  double t;
  uint32_t channel;
  int order;
  double weight; // of an impulse
} DelayKink;

typedef struct PastPiece {
  double t0, h;
} PastPiece;

typedef struct DelaySteps {
  Arena *arena;
  const LinearSystem *s;
  Stimulus stimulus;
  TimeResponse *out;
  double a[stages][stages]; // integrals of the basis polynomials
  double h;                 // of `inverse`
  double *matrix, *inverse; // of one step, (stages (n + d))^2
  double *side, *found;     // stages (n + d) each
  double *x, *w_at;         // state and delayed signals at the start
  double *largest;          // by state and channel
  VEC(DelayKink) kinks;
  VEC(PastPiece) past;
  VEC(double) z; // of the past: pieces x delays x response_points
} DelaySteps;

// ---- points of a step

// P_k and its derivative.
static double legendre(int k, double x, double *slope) {
  double p0 = 1, p1 = x;
  for (int i = 2; i <= k; i++) {
    double p = ((2 * i - 1) * x * p1 - (i - 1) * p0) / i;
    p0 = p1;
    p1 = p;
  }
  *slope = k * (x * p1 - p0) / (x * x - 1);
  return p1;
}

// Zeros of P_8 - P_7 on 0 .. 1: the last is 1.
static void radau_nodes(double *c) {
  for (int i = 0; i < stages - 1; i++) {
    double x = -cos(pi * (i + 0.75) / (stages + 0.25)) * 0.995;
    for (int k = 0; k < 60; k++) {
      double d8, d7, f = legendre(stages, x, &d8) - legendre(stages - 1, x, &d7);
      double step = f / (d8 - d7);
      x -= step;
      if (fabs(step) < 1e-16) break;
    }
    c[i] = (1 + x) / 2;
  }
  c[stages - 1] = 1;
}

// a[i][j]: the integral from 0 to c_i of the basis polynomial of node j, through moments:
// sum_j a_ij c_j^k = c_i^(k + 1)/(k + 1).
static bool find_integrals(DelaySteps *w) {
  double v[stages * stages], b[stages * stages], c[stages];
  for (int i = 0; i < stages; i++) c[i] = w->out->node[i + 1];
  for (int k = 0; k < stages; k++) {
    for (int j = 0; j < stages; j++) {
      v[k * stages + j] = pow(c[j], k);
      b[k * stages + j] = pow(c[j], k + 1) / (k + 1);
    }
  }
  if (!dense_solve(stages, stages, v, b)) return false;
  for (int i = 0; i < stages; i++) {
    for (int j = 0; j < stages; j++) w->a[i][j] = b[j * stages + i];
  }
  return true;
}

// The basis polynomials of all nodes at a part of the step, 0 .. 1.
static void basis_at(const TimeResponse *r, double part, double *out) {
  double sum = 0;
  for (int i = 0; i < response_points; i++) {
    double off = part - r->node[i];
    if (fabs(off) < 1e-15) {
      memset(out, 0, response_points * sizeof *out);
      out[i] = 1;
      return;
    }
    out[i] = r->weight[i] / off;
    sum += out[i];
  }
  for (int i = 0; i < response_points; i++) out[i] /= sum;
}

// ---- kinks

// How many integrations lie between a column b (or 0: none) and what goes into channel k: through is the straight way.
static int order_between(const DelaySteps *w, const double *b, size_t stride, uint32_t k, double through, double *v) {
  size_t n = w->s->n;
  double *next = v + n;
  if (through != 0) return 0;
  for (size_t i = 0; i < n; i++) v[i] = b[i * stride];
  for (int r = 0; r <= (int)n && r < last_order; r++) {
    double sum = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
      sum += w->s->G[k * n + i] * v[i];
      size += fabs(w->s->G[k * n + i] * v[i]);
    }
    if (fabs(sum) > 1e-13 * size) return r + 1;
    dense_multiply(w->s->n, w->s->n, 1, w->s->A, v, next);
    memcpy(v, next, n * sizeof *v);
  }
  return last_order + 1;
}

// One more; the same one with the lower order. False: out of memory.
static bool put_kink(DelaySteps *w, DelayKink kink) {
  if (kink.order > last_order || kink.t > w->out->end) return true;
  for (uint32_t i = w->kinks.count; i-- > 0;) {
    DelayKink *k = &w->kinks.items[i];
    if (k->channel != kink.channel || fabs(k->t - kink.t) > 1e-12 * kink.t) continue;
    k->order = kink.order < k->order ? kink.order : k->order;
    k->weight += kink.weight;
    return true;
  }
  return vec_push(w->arena, &w->kinks, kink);
}

static int by_time(const void *a, const void *b) {
  double x = ((const DelayKink *)a)->t, y = ((const DelayKink *)b)->t;
  return (x > y) - (x < y);
}

// All of them, in the order of their times. False: out of memory.
static bool find_kinks(DelaySteps *w) {
  const LinearSystem *s = w->s;
  size_t n = s->n, d = s->delays;
  int *pass = arena_array(w->arena, d * d + 1, sizeof *pass);
  double *v = arena_array(w->arena, 2 * n + 1, sizeof *v);
  int first = w->stimulus == stimulus_impulse ? -1 : w->stimulus == stimulus_ramp;
  if (!pass || !v) return false;
  for (uint32_t k = 0; k < d; k++) {
    for (uint32_t l = 0; l < d; l++) pass[k * d + l] = order_between(w, s->E + l, d, k, s->J[k * d + l], v);
    int order = first + order_between(w, s->B, 1, k, s->H[k], v);
    if (!put_kink(w, (DelayKink){s->time[k], k, order, order < 0 ? s->H[k] : 0})) return false;
  }
  // the earliest that was not followed yet leads on: later ones come of it
  for (uint32_t done = 0; done < w->kinks.count && done < most_kinks; done++) {
    uint32_t next = done;
    for (uint32_t i = done; i < w->kinks.count; i++) {
      if (w->kinks.items[i].t < w->kinks.items[next].t) next = i;
    }
    DelayKink kink = w->kinks.items[next];
    w->kinks.items[next] = w->kinks.items[done];
    w->kinks.items[done] = kink;
    for (uint32_t k = 0; k < d; k++) {
      int order = kink.order + pass[k * d + kink.channel];
      double weight = kink.order < 0 ? kink.weight * s->J[k * d + kink.channel] : 0;
      if (!put_kink(w, (DelayKink){kink.t + s->time[k], k, order, weight})) return false;
    }
  }
  if (w->kinks.count) qsort(w->kinks.items, w->kinks.count, sizeof *w->kinks.items, by_time);
  return true;
}

// ---- one step

static double stimulus_at(const DelaySteps *w, double t) {
  return w->stimulus == stimulus_step ? 1 : w->stimulus == stimulus_ramp ? t : 0;
}

// What comes out of channel k at time t: z of the past there, 0 before the start. At a kink: what comes before it, or
// after.
static double delayed(const DelaySteps *w, uint32_t k, double t, bool before) {
  double at = t - w->s->time[k], slack = 1e-12 * t;
  uint32_t low = 0, high = w->past.count;
  if (high == 0 || (before ? at <= slack : at < -slack)) return 0;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    double t0 = w->past.items[middle].t0;
    if (before ? t0 < at - slack : t0 <= at + slack) low = middle;
    else high = middle;
  }
  const PastPiece *p = &w->past.items[low];
  const double *z = w->z.items + ((size_t)low * w->s->delays + k) * response_points;
  return piece_value(w->out, z, fmin(fmax((at - p->t0) / p->h, 0), 1));
}

// Does node i of a step of length h look at the step itself?
static bool inside(const DelaySteps *w, uint32_t k, int i, double h) {
  return w->out->node[i] * h - w->s->time[k] > 1e-9 * h;
}

// The matrix over (x, w) at the nodes behind the start, and its inverse. False: it is singular.
static bool find_inverse(DelaySteps *w, double h) {
  const LinearSystem *s = w->s;
  size_t n = s->n, d = s->delays, each = n + d, size = stages * each;
  double *m = w->matrix, basis[response_points];
  if (h == w->h) return true;
  memset(m, 0, size * size * sizeof *m);
  memset(w->inverse, 0, size * size * sizeof *w->inverse);
  for (size_t i = 0; i < stages; i++) {
    for (size_t r = 0; r < each; r++) m[(i * each + r) * size + i * each + r] = 1;
    for (size_t j = 0; j < stages; j++) {
      for (size_t r = 0; r < n; r++) {
        double *row = m + (i * each + r) * size + j * each;
        for (size_t c = 0; c < n; c++) row[c] -= h * w->a[i][j] * s->A[r * n + c];
        for (size_t c = 0; c < d; c++) row[n + c] -= h * w->a[i][j] * s->E[r * d + c];
      }
    }
    for (uint32_t k = 0; k < d; k++) {
      if (!inside(w, k, (int)i + 1, h)) continue;
      basis_at(w->out, w->out->node[i + 1] - s->time[k] / h, basis);
      for (size_t j = 0; j < stages; j++) {
        double *row = m + (i * each + n + k) * size + j * each;
        for (size_t c = 0; c < n; c++) row[c] -= basis[j + 1] * s->G[k * n + c];
        for (size_t c = 0; c < d; c++) row[n + c] -= basis[j + 1] * s->J[k * d + c];
      }
    }
  }
  for (size_t i = 0; i < size; i++) w->inverse[i * size + i] = 1;
  w->h = dense_solve((uint32_t)size, (uint32_t)size, m, w->inverse) ? h : 0;
  return w->h == h;
}

// z = G x + H u + J w, or y with k = d.
static double signal_at(const DelaySteps *w, size_t k, const double *x, const double *late, double u) {
  const LinearSystem *s = w->s;
  size_t n = s->n, d = s->delays;
  const double *row = k < d ? s->G + k * n : s->C, *through = k < d ? s->J + k * d : s->F;
  double sum = (k < d ? s->H[k] : s->D[0]) * u;
  for (size_t i = 0; i < n; i++) sum += row[i] * x[i];
  for (size_t l = 0; l < d; l++) sum += through[l] * late[l];
  return sum;
}

// The step from t on, into w->found and w->w_at. False: singular.
static bool solve_step(DelaySteps *w, double t, double h) {
  const LinearSystem *s = w->s;
  size_t n = s->n, d = s->delays, each = n + d, size = stages * each;
  double basis[response_points];
  if (!find_inverse(w, h)) return false;
  for (uint32_t k = 0; k < d; k++) w->w_at[k] = delayed(w, k, t, false);
  memset(w->side, 0, size * sizeof *w->side);
  for (size_t i = 0; i < stages; i++) {
    double at = t + w->out->node[i + 1] * h;
    for (size_t r = 0; r < n; r++) {
      w->side[i * each + r] = w->x[r];
      for (size_t j = 0; j < stages; j++)
        w->side[i * each + r] += h * w->a[i][j] * s->B[r] * stimulus_at(w, t + w->out->node[j + 1] * h);
    }
    for (uint32_t k = 0; k < d; k++) {
      double *to = &w->side[i * each + n + k];
      if (!inside(w, k, (int)i + 1, h)) {
        *to = delayed(w, k, at, i + 1 == stages);
        continue;
      }
      basis_at(w->out, w->out->node[i + 1] - s->time[k] / h, basis);
      *to = basis[0] * signal_at(w, k, w->x, w->w_at, stimulus_at(w, t));
      for (size_t j = 0; j < stages; j++) *to += basis[j + 1] * s->H[k] * stimulus_at(w, t + w->out->node[j + 1] * h);
    }
  }
  dense_multiply((uint32_t)size, (uint32_t)size, 1, w->inverse, w->side, w->found);
  return true;
}

static const double *state_at(const DelaySteps *w, int i) {
  return i ? w->found + (size_t)(i - 1) * (w->s->n + w->s->delays) : w->x;
}
static const double *late_at(const DelaySteps *w, int i) {
  return i ? w->found + (size_t)(i - 1) * (w->s->n + w->s->delays) + w->s->n : w->w_at;
}

// The last coefficient of all signals of the step against their largest values, over the tolerance.
static double roughness(DelaySteps *w) {
  size_t n = w->s->n, d = w->s->delays;
  double worst = 0;
  for (size_t r = 0; r < n + d; r++) {
    double last = 0, size = w->largest[r];
    for (int i = 0; i < response_points; i++) {
      double v = r < n ? state_at(w, i)[r] : late_at(w, i)[r - n];
      last += w->out->weight[i] * v;
      size = fmax(size, fabs(v));
    }
    // of part^8 on 0 .. 1 in Chebyshev's polynomials
    if (size > 0) worst = fmax(worst, fabs(last) / 32768 / size / tolerance);
  }
  return worst;
}

// The step counts: its signals are kept.
static bool keep_step(DelaySteps *w, double t, double h) {
  size_t n = w->s->n, d = w->s->delays;
  ResponsePiece p = {.t0 = t, .h = h};
  for (size_t k = 0; k <= d; k++) {
    for (int i = 0; i < response_points; i++) {
      double v = signal_at(w, k, state_at(w, i), late_at(w, i), stimulus_at(w, t + w->out->node[i] * h));
      if (k == d) p.y[i] = v;
      else if (!vec_push(w->arena, &w->z, v)) return false;
    }
  }
  for (size_t r = 0; r < n + d; r++) {
    for (int i = 0; i < response_points; i++)
      w->largest[r] = fmax(w->largest[r], fabs(r < n ? state_at(w, i)[r] : late_at(w, i)[r - n]));
  }
  if (n) memcpy(w->x, state_at(w, stages), n * sizeof *w->x);
  return vec_push(w->arena, &w->past, (PastPiece){t, h}) && vec_push(w->arena, &w->out->pieces, p);
}

// ---- the whole

static bool open_steps(DelaySteps *w) {
  size_t n = w->s->n, d = w->s->delays, size = stages * (n + d);
  w->matrix = arena_array(w->arena, 2 * size * size + 1, sizeof *w->matrix);
  w->side = arena_array(w->arena, 2 * size + 1, sizeof *w->side);
  w->x = arena_array(w->arena, n + d + n + d + 1, sizeof *w->x);
  if (arena_failed(w->arena)) return false;
  w->inverse = w->matrix + size * size;
  w->found = w->side + size;
  w->w_at = w->x + n;
  w->largest = w->w_at + d;
  return true;
}

// The time of the next kink after t, and what it does to x at t itself.
static double pass_kinks(DelaySteps *w, double t, uint32_t *next) {
  size_t n = w->s->n, d = w->s->delays;
  for (; *next < w->kinks.count; ++*next) {
    const DelayKink *k = &w->kinks.items[*next];
    if (k->t > t * (1 + 1e-12)) return k->t;
    for (size_t i = 0; i < n; i++) w->x[i] += w->s->E[i * d + k->channel] * k->weight;
  }
  return INFINITY;
}

static DenseStatus follow(DelaySteps *w) {
  TimeResponse *out = w->out;
  uint32_t next = 0;
  double h = out->end / 40, t = 0;
  for (uint32_t k = 0; k < w->s->delays; k++) h = fmin(h, w->s->time[k]);
  while (t < out->end * (1 - 1e-12)) {
    double stop = fmin(pass_kinks(w, t, &next), out->end), rough;
    for (;;) {
      // whole steps to the next kink: a last one that is not much shorter
      double left = stop - t, step = h >= left * (1 - 1e-9) ? left : h > left / 2 ? left / 2 : h;
      if (!solve_step(w, t, step)) return dense_failed;
      rough = roughness(w);
      if (rough <= 1 || step < 1e-12 * out->end) {
        if (!keep_step(w, t, step)) return dense_no_memory;
        t = step == left ? stop : t + step;
        break;
      }
      h = step / 2;
    }
    if (rough < 1e-3) h = fmin(2 * h, out->end / 20);
    if (out->pieces.count < most_pieces) continue;
    out->cut = true;
    out->end = t;
  }
  return dense_done;
}

DenseStatus delayed_response(Arena *arena, const LinearSystem *path, Stimulus stimulus, TimeResponse *out) {
  DelaySteps work = {.arena = arena, .s = path, .stimulus = stimulus, .out = out}, *w = &work;
  out->node[0] = 0;
  radau_nodes(out->node + 1);
  pieces_weights(out);
  if (!open_steps(w) || !find_kinks(w)) return dense_no_memory;
  if (!find_integrals(w)) return dense_failed;
  for (size_t i = 0; i < path->n && stimulus == stimulus_impulse; i++) w->x[i] = path->B[i];
  return follow(w);
}
