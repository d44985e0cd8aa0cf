// Sampling of a parameter study: random, Latin hypercube, Sobol; any sample by its number.
//
//   random   u = bits of (seed + quantity, draw)
//   Latin    u = (pi_k(j) + v)/n: pi_k a permutation of the n draws by a Feistel network over the next power of four,
//            walked until it lands among them, so it needs no memory
//   Sobol    x_(j) = xor of the direction numbers of the bits of Gray's code of j (Joe and Kuo 2008), xor a shift by
//            the seed
//
// Correlated quantities: z = L z', z' independent normal numbers, then u = Phi(z) (a Gaussian copula). That would leave
// the parts of a Latin hypercube: there draw j gets of each quantity the part whose number is the rank of its z among
// all draws, so that every part has one draw, and ranks are correlated as those of z (Iman, Conover 1982). The
// correlations that the scores z' have by chance are taken out before: z = L Q^-1 z', Q Q' the correlations of z'.
#include "sim/design.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Primitive polynomials and first direction numbers of the dimensions after the first.
static const struct {
  uint8_t degree, middle; // coefficients between the first and the last
  uint16_t m[7];
} sobol[design_most_sobol - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

enum { sobol_bits = 52 };

// Direction number `bit` of a dimension, as a fraction with sobol_bits bits.
static uint64_t direction(uint32_t dimension, uint32_t bit) {
  if (dimension == 0) return (uint64_t)1 << (sobol_bits - 1 - bit);
  uint32_t s = sobol[dimension - 1].degree, a = sobol[dimension - 1].middle;
  uint64_t v[sobol_bits];
  for (uint32_t i = 0; i <= bit; i++) {
    if (i < s) {
      v[i] = (uint64_t)sobol[dimension - 1].m[i] << (sobol_bits - 1 - i);
      continue;
    }
    v[i] = v[i - s] ^ (v[i - s] >> s);
    for (uint32_t k = 1; k < s; k++) {
      if (a >> (s - 1 - k) & 1) v[i] ^= v[i - k];
    }
  }
  return v[bit];
}

static double sobol_at(uint64_t seed, uint64_t j, uint32_t dimension) {
  uint64_t gray = j ^ (j >> 1), x = random_bits(seed, dimension) >> (64 - sobol_bits);
  for (uint32_t bit = 0; bit < sobol_bits && gray >> bit; bit++) {
    if (gray >> bit & 1) x ^= direction(dimension, bit);
  }
  return ((double)x + 0.5) * (1.0 / ((uint64_t)1 << sobol_bits));
}

// A permutation of 0 .. n - 1.
static uint64_t shuffled(uint64_t key, uint64_t j, uint64_t n) {
  uint32_t half = 1;
  while (half < 32 && n > (uint64_t)1 << (2 * half)) half++;
  uint64_t mask = ((uint64_t)1 << half) - 1;
  do {
    uint64_t left = j >> half, right = j & mask;
    for (uint64_t round = 0; round < 6; round++) {
      uint64_t next = left ^ (random_bits(key + round, right) & mask);
      left = right;
      right = next;
    }
    j = left << half | right;
  } while (j >= n);
  return j;
}

// Draw j of n of a quantity: a number in 0 .. 1.
static double uniform_at(const Design *d, uint64_t j, uint64_t n, uint32_t k) {
  uint64_t key = random_bits(d->seed, 0x5EED0000u + k);
  switch (d->draws) {
  case sampling_latin: return ((double)shuffled(key, j, n) + random_uniform(key ^ 0x9E3779B97F4A7C15u, j)) / (double)n;
  case sampling_sobol: return sobol_at(d->seed, j, k);
  case sampling_random: break;
  }
  return random_uniform(key, j);
}

// ---- distributions

static double phi(double z) { return 0.5 * erfc(-z * 0.70710678118654752440); }

// The standard normal number below which part u of what lies between two cuts is. Above the middle both cuts have the
// same digits of one: the mirror image has its own.
static double between_cuts(double u, double from, double to) {
  if (from > 0) return -between_cuts(1 - u, -to, -from);
  double low = phi(from), part = low + u * (phi(to) - low);
  return part <= 0 ? from : part >= 1 ? to : normal_quantile(part);
}

static double normal_cut(const RandomQuantity *q, double u, double low, double high) {
  bool whole = !isfinite(low) && !isfinite(high);
  double z = whole ? normal_quantile(u) : between_cuts(u, (low - q->a) / q->b, (high - q->a) / q->b);
  double value = q->a + q->b * z;
  return value < low ? low : value > high ? high : value;
}

double random_quantile(const RandomQuantity *q, double u) {
  switch (q->kind) {
  case random_is_uniform: return q->a + u * (q->b - q->a);
  case random_is_triangular: {
    double whole = q->c - q->a, rise = (q->b - q->a) / whole;
    return u < rise ? q->a + sqrt(u * whole * (q->b - q->a)) : q->c - sqrt((1 - u) * whole * (q->c - q->b));
  }
  case random_is_lognormal: return exp(normal_cut(q, u, q->low > 0 ? log(q->low) : -INFINITY, log(q->high)));
  default: return normal_cut(q, u, q->low, q->high);
  }
}

// ---- samples

double design_size(const Design *d) {
  double size = (double)d->draw_count;
  for (uint32_t i = 0; i < d->grid_count; i++) size *= (double)d->grids[i].count;
  return d->radial ? size * (2 + d->random_count) : size;
}

// ---- a Latin hypercube with correlations

// L Q^-1. Q: lower triangular factor of the correlations of the scores (n draws of k quantities, by quantity); where
// these are too few, L itself.
static void find_mixing(const double *L, const double *scores, uint64_t n, uint32_t k, double *Q, double *out) {
  bool ok = true;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      const double *a = scores + i * n, *b = scores + j * n;
      double sum = 0;
      for (uint64_t r = 0; r < n; r++) sum += a[r] * b[r] / (double)n;
      for (uint32_t c = 0; c < j; c++) sum -= Q[i * k + c] * Q[j * k + c];
      if (i == j) ok = ok && sum > 1e-3; // fewer draws than quantities leave nothing
      Q[i * k + j] = i == j ? sqrt(fabs(sum)) : sum / Q[j * k + j];
    }
  }
  memcpy(out, L, (size_t)k * k * sizeof *out);
  for (uint32_t i = 0; ok && i < k; i++) { // X Q = L, from the last column
    for (uint32_t j = k; j-- > 0;) {
      double sum = j <= i ? L[i * k + j] : 0;
      for (uint32_t c = j + 1; c <= i; c++) sum -= out[i * k + c] * Q[c * k + j];
      out[i * k + j] = j <= i ? sum / Q[j * k + j] : 0;
    }
  }
}

typedef struct Score {
  double z;
  uint32_t draw;
} Score;

static int by_score(const void *a, const void *b) {
  const Score *x = a, *y = b;
  if (x->z != y->z) return x->z < y->z ? -1 : 1;
  return x->draw < y->draw ? -1 : 1;
}

bool design_order(Design *d, Arena *arena) {
  uint64_t n = d->draw_count;
  uint32_t k = d->random_count;
  if (!d->factor || d->draws != sampling_latin || d->radial) return true;
  Arena *room = arena_new_scratch(arena);
  uint32_t *order = arena_array(arena, n * k, sizeof *order);
  double *scores = room ? arena_array(room, n * k, sizeof *scores) : NULL,
         *mixing = room ? arena_array(room, 2 * (size_t)k * k, sizeof *mixing) : NULL;
  Score *sorted = room ? arena_array(room, n, sizeof *sorted) : NULL;
  bool ok = order && scores && mixing && sorted;
  for (uint32_t i = 0; ok && i < k; i++) {
    for (uint64_t j = 0; j < n; j++) scores[i * n + j] = normal_quantile(uniform_at(d, j, n, i));
  }
  if (ok) find_mixing(d->factor, scores, n, k, mixing + (size_t)k * k, mixing);
  for (uint32_t i = 0; ok && i < k; i++) {
    for (uint64_t j = 0; j < n; j++) {
      sorted[j] = (Score){.draw = (uint32_t)j};
      for (uint32_t c = 0; c <= i; c++) sorted[j].z += mixing[i * k + c] * scores[c * n + j];
    }
    qsort(sorted, n, sizeof *sorted, by_score);
    for (uint64_t r = 0; r < n; r++) order[i * n + sorted[r].draw] = (uint32_t)r;
  }
  if (room) arena_free_scratch(room);
  d->order = order;
  return ok;
}

// The random quantities of draw j; matrix: 0 is A, 1 is B, 2 + k is A with column k of B.
static void draw(const Design *d, uint64_t j, uint32_t matrix, double *values) {
  uint32_t n = d->random_count;
  for (uint32_t k = 0; k < n; k++) {
    bool second = d->radial && (matrix == 1 || matrix == 2 + k);
    values[k] = uniform_at(d, j, d->draw_count, second ? n + k : k);
  }
  if (d->order) {
    for (uint32_t k = 0; k < n; k++) {
      uint64_t key = random_bits(d->seed, 0x0DE50000u + k);
      values[k] = ((double)d->order[k * d->draw_count + j] + random_uniform(key, j)) / (double)d->draw_count;
    }
  } else if (d->factor) {
    for (uint32_t k = 0; k < n; k++) values[k] = normal_quantile(values[k]);
    for (uint32_t k = n; k-- > 0;) {
      double z = 0;
      for (uint32_t i = 0; i <= k; i++) z += d->factor[k * n + i] * values[i];
      values[k] = phi(z);
    }
  }
  for (uint32_t k = 0; k < n; k++) values[k] = random_quantile(&d->random[k], values[k]);
}

void design_sample(const Design *d, uint64_t i, double *values) {
  uint32_t matrix = 0;
  if (d->radial) { // the matrices of one draw stand side by side
    matrix = (uint32_t)(i % (2 + d->random_count));
    i /= 2 + d->random_count;
  }
  uint64_t j = i % d->draw_count, point = i / d->draw_count;
  for (uint32_t k = d->grid_count; k-- > 0;) {
    const GridFactor *g = &d->grids[k];
    values[k] = g->value(g->self, point % g->count);
    point /= g->count;
  }
  if (d->random_count) draw(d, j, matrix, values + d->grid_count);
}
