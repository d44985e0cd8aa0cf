// Samples over a common period.
//
// in    x' = A x + B u + Bs s between the samples; rules at the multiples of their periods, statement after statement
// out   one discrete system over the shortest time that is a whole number of all periods
//
// With X = (x, s, u), u held, everything is a product of matrices: flows  e^(M t),  M = [A, Bs, B; 0], and jumps that
// replace rows by rules. From one instant at which all come together to the next the product is [A, B] of the discrete
// system; the output is read behind the first jumps.
#include "analyze/sampled.h"

#include <math.h>
#include <string.h>

enum { most_parts = 10000 }; // of a common period

// a/b as a fraction of whole numbers below most_parts, by continued fractions; false: it is none.
static bool fraction(double ratio, uint32_t *num, uint32_t *den) {
  double x = ratio, h0 = 0, h1 = 1, k0 = 1, k1 = 0;
  for (int i = 0; i < 40; i++) {
    double whole = floor(x), h = whole * h1 + h0, k = whole * k1 + k0;
    if (h > most_parts || k > most_parts) return false;
    h0 = h1, h1 = h, k0 = k1, k1 = k;
    if (fabs(ratio - h / k) <= 1e-12 * ratio) {
      *num = (uint32_t)h;
      *den = (uint32_t)k;
      return true;
    }
    x = 1 / (x - whole);
  }
  return false;
}

static uint32_t divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

// The shortest piece and how many make the common period; the rule's period in pieces. False: incommensurate.
static bool common_period(const SampledPart *part, uint32_t *every, double *piece, uint32_t *pieces, uint32_t *first,
                          uint32_t *second) {
  double base = part->rules[0].period;
  uint32_t num[2], parts = 1;
  // all periods as fractions of the first: the common denominator
  for (uint32_t i = 0; i < part->count; i++) {
    *first = 0, *second = i;
    if (!fraction(part->rules[i].period / base, &num[0], &num[1])) return false;
    parts = parts / divisor(parts, num[1]) * num[1];
    if (parts > most_parts) return false;
  }
  *piece = base / parts;
  *pieces = 1;
  for (uint32_t i = 0; i < part->count; i++) {
    every[i] = (uint32_t)nearbyint(part->rules[i].period / *piece);
    *pieces = *pieces / divisor(*pieces, every[i]) * every[i];
    *first = 0, *second = i;
    if (*pieces > most_parts) return false;
  }
  uint32_t all = every[0];
  for (uint32_t i = 1; i < part->count; i++) all = divisor(all, every[i]);
  for (uint32_t i = 0; i < part->count; i++) every[i] /= all;
  *piece *= all;
  *pieces /= all;
  return true;
}

// The rules due after `k` pieces, statement after statement, on the matrix t: new rows from the old ones.
static void jump(const LinearSystem *s, const SampledPart *part, const uint32_t *every, uint32_t k, uint32_t width,
                 double *t, double *old) {
  size_t n = s->n, wide = width;
  for (uint32_t i = 0; i < part->count;) {
    uint32_t end = i;
    while (end < part->count && part->rules[end].statement == part->rules[i].statement) end++;
    if (k % every[i] == 0) {
      memcpy(old, t, wide * wide * sizeof *old);
      for (uint32_t r = i; r < end; r++) {
        const SampleRule *rule = &part->rules[r];
        double *row = t + ((rule->sampled ? n : 0) + rule->target) * wide;
        dense_multiply(1, width, width, part->rows + (size_t)r * width, old, row);
      }
    }
    i = end;
  }
}

// Rows and columns of X = (x, s, u) into the discrete system.
static bool fill(Arena *arena, const LinearSystem *s, const SampledPart *part, const double *t, const double *after,
                 LinearSystem *out) {
  size_t n = s->n, q = part->q, m = s->m, states = n + q, wide = states + m;
  if (!system_room(out, arena, (uint32_t)states, s->m, s->p, 0)) return false;
  for (size_t i = 0; i < states; i++) {
    memcpy(out->A + i * states, t + i * wide, states * sizeof *out->A);
    memcpy(out->B + i * m, t + i * wide + states, m * sizeof *out->B);
  }
  // y = C x + Cs s + D u behind the jumps
  for (size_t k = 0; k < s->p; k++) {
    for (size_t j = 0; j < wide; j++) {
      double sum = 0;
      for (size_t i = 0; i < wide; i++) {
        double f = i < n ? s->C[k * n + i] : i < states ? part->Cs[k * q + i - n] : s->D[k * m + i - states];
        if (f != 0) sum += f * after[i * wide + j];
      }
      if (j < states) out->C[k * states + j] = sum;
      else out->D[k * m + j - states] = sum;
    }
  }
  const char **names = arena_array(arena, states + 1, sizeof *names);
  if (!names) return false;
  for (size_t i = 0; i < states; i++) names[i] = i < n ? s->states ? s->states[i] : "" : part->names[i - n];
  out->states = names;
  out->inputs = s->inputs;
  out->outputs = s->outputs;
  return true;
}

// A sampled state whose old value nobody reads is none.
static void drop_unread(LinearSystem *out, size_t first) {
  size_t n = out->n, m = out->m;
  for (size_t k = n; k-- > first;) {
    bool read = false;
    for (size_t i = 0; i < n; i++) read = read || out->A[i * n + k] != 0;
    for (size_t i = 0; i < out->p; i++) read = read || out->C[i * n + k] != 0;
    if (read) continue;
    size_t to = 0;
    for (size_t i = 0; i < n * n; i++) {
      if (i / n != k && i % n != k) out->A[to++] = out->A[i];
    }
    for (size_t i = to = 0; i < n * m; i++) {
      if (i / m != k) out->B[to++] = out->B[i];
    }
    for (size_t i = to = 0; i < out->p * n; i++) {
      if (i % n != k) out->C[to++] = out->C[i];
    }
    for (size_t i = k; i + 1 < n; i++) out->states[i] = out->states[i + 1];
    n = --out->n;
  }
}

bool sampled_open_state(Arena *arena, const LinearSystem *cut, uint32_t state, SampledPart *part) {
  size_t wide = (size_t)cut->n + part->q + cut->m, before = wide - 1;
  double *rows = arena_array(arena, part->count * wide + 1, sizeof *rows),
         *Cs = arena_array(arena, (size_t)cut->p * part->q + 1, sizeof *Cs);
  if (!rows || !Cs) return false;
  for (size_t i = 0; i < part->count; i++) {
    memcpy(rows + i * wide, part->rows + i * before, before * sizeof *rows);
    rows[i * wide + before] = rows[i * wide + state];
    rows[i * wide + state] = 0;
  }
  memcpy(Cs, part->Cs, (size_t)(cut->p - 1) * part->q * sizeof *Cs);
  part->rows = rows;
  part->Cs = Cs;
  return true;
}

bool sampled_lift(Arena *arena, const LinearSystem *s, const SampledPart *part, LinearSystem *out, const char **why) {
  size_t n = s->n, q = part->q, m = s->m, wide = n + q + m, cells = wide * wide;
  double *flow = arena_array(arena, 5 * cells + 1, sizeof *flow), piece;
  uint32_t *every = arena_array(arena, (size_t)part->count + 1, sizeof *every), pieces, a, b;
  if (!flow || !every) return false;
  double *t = flow + cells, *after = t + cells, *room = after + cells, *matrix = room + cells;
  *why = NULL;
  if (s->delays) {
    *why =
        "samples and dead times together have no linear model of finitely many numbers: a sample would need the past "
        "between samples";
    return true;
  }
  if (!common_period(part, every, &piece, &pieces, &a, &b)) {
    *why = arena_printf(arena, "the periods %.6g and %.6g have no common multiple within %u samples",
                        part->rules[a].period, part->rules[b].period, most_parts);
    return true;
  }
  for (size_t i = 0; i < n; i++) {
    memcpy(matrix + i * wide, s->A + i * n, n * sizeof *matrix);
    memcpy(matrix + i * wide + n, part->Bs + i * q, q * sizeof *matrix);
    memcpy(matrix + i * wide + n + q, s->B + i * m, m * sizeof *matrix);
  }
  if (!dense_exponential(arena, (uint32_t)wide, matrix, piece, flow)) return false;
  for (size_t i = 0; i < wide; i++) t[i * wide + i] = 1;
  for (uint32_t k = 0; k < pieces; k++) {
    jump(s, part, every, k, (uint32_t)wide, t, room);
    if (k == 0) memcpy(after, t, cells * sizeof *after);
    dense_multiply((uint32_t)wide, (uint32_t)wide, (uint32_t)wide, flow, t, room);
    memcpy(t, room, cells * sizeof *t);
  }
  if (!fill(arena, s, part, t, after, out)) return false;
  drop_unread(out, n);
  out->period = piece * pieces;
  return true;
}
