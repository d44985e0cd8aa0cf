// Controllability: the rank of [B, AB, A^2 B, ...], which is the dimension of the reachable subspace.
//
// in    A, B in doubles, or exactly
// out   the rank
//
// In doubles: Arnoldi's method for several columns. A queue holds the columns of B, then the image A q of each new
// basis vector q; a vector of the queue that is more than `reach_part` of A outside of the space so far becomes the
// next basis vector. Orthogonalized twice, which is enough (Kahan). Exactly: the same elimination modulo a prime
// (expr/modular.h).
#include "linear/reach.h"

#include "expr/modular.h"

#include <math.h>
#include <string.h>

static const double reach_part = 1e-9; // of A: what counts as zero in a rank by rounding

// The columns of A without their zeros.
typedef struct ReachColumns {
  uint32_t *start, *row;
  double *value;
} ReachColumns;

static bool columns_of(Arena *arena, const ReachPair *pair, ReachColumns *out) {
  uint32_t n = pair->n, count = 0;
  for (size_t i = 0; i < (size_t)n * n; i++) count += pair->A[i] != 0;
  out->start = arena_array(arena, (size_t)n + 1, sizeof *out->start);
  out->row = arena_array(arena, count, sizeof *out->row);
  out->value = arena_array(arena, count, sizeof *out->value);
  if (!out->start || !out->row || !out->value) return false;
  count = 0;
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < n; i++) {
      if (pair->A[(size_t)i * n + j] == 0) continue;
      out->row[count] = i;
      out->value[count++] = pair->A[(size_t)i * n + j];
    }
    out->start[j + 1] = count;
  }
  return true;
}

// out += A q; each sum has the order of its row.
static void add_image(uint32_t n, const ReachColumns *a, const double *q, double *out) {
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t k = a->start[j]; k < a->start[j + 1]; k++) out[a->row[k]] += a->value[k] * q[j];
  }
}

// Two numbers at once, at any address.
typedef double Two __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

// q less its parts along four orthonormal vectors, which are found together, two sums for each.
static void subtract_four(uint32_t n, const double *v, double *q) {
  const double *a = v, *b = v + n, *c = b + n, *d = c + n;
  Two sum[4] = {0};
  uint32_t i = 0;
  for (; i + 2 <= n; i += 2) {
    Two x = *(const Two *)(q + i);
    sum[0] += *(const Two *)(a + i) * x;
    sum[1] += *(const Two *)(b + i) * x;
    sum[2] += *(const Two *)(c + i) * x;
    sum[3] += *(const Two *)(d + i) * x;
  }
  if (i < n) sum[0][0] += a[i] * q[i], sum[1][0] += b[i] * q[i], sum[2][0] += c[i] * q[i], sum[3][0] += d[i] * q[i];
  double dot[4];
  for (int k = 0; k < 4; k++) dot[k] = sum[k][0] + sum[k][1];
  for (i = 0; i + 2 <= n; i += 2) {
    *(Two *)(q + i) -= (dot[0] * *(const Two *)(a + i) + dot[1] * *(const Two *)(b + i)) +
                       (dot[2] * *(const Two *)(c + i) + dot[3] * *(const Two *)(d + i));
  }
  if (i < n) q[i] -= (dot[0] * a[i] + dot[1] * b[i]) + (dot[2] * c[i] + dot[3] * d[i]);
}

static void subtract_one(uint32_t n, const double *v, double *q) {
  double dot = 0;
  for (uint32_t i = 0; i < n; i++) dot += v[i] * q[i];
  for (uint32_t i = 0; i < n; i++) q[i] -= dot * v[i];
}

static double square(uint32_t n, const double *x) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

// q less its part in the space of `count` orthonormal vectors. In larger spaces the second time only where the first
// left less than a tenth: what rounding put back is ten times that of q then.
static void orthogonalize(uint32_t n, const double *basis, uint32_t count, double *q) {
  double before = square(n, q);
  for (int twice = 0; twice < 2; twice++) {
    uint32_t r = 0;
    for (; n > reach_small && r + 4 <= count; r += 4) subtract_four(n, basis + (size_t)r * n, q);
    for (; r < count; r++) subtract_one(n, basis + (size_t)r * n, q);
    if (n > reach_small && square(n, q) > 0.01 * before) return;
  }
}

int reach_rank(Arena *arena, const ReachPair *pair) {
  uint32_t n = pair->n, m = pair->m, rank = 0, last = m;
  double *basis = arena_array(arena, (size_t)n * n, sizeof *basis),
         *queue = arena_array(arena, (size_t)(n + m) * n, sizeof *queue);
  ReachColumns columns;
  if (!basis || !queue || !columns_of(arena, pair, &columns)) return -1;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t c = 0; c < m; c++) queue[(size_t)c * n + i] = pair->B[(size_t)i * m + c];
  }
  for (uint32_t next = 0; next < last && rank < n; next++) {
    double *v = queue + (size_t)next * n, *q = basis + (size_t)rank * n, before = square(n, v);
    memcpy(q, v, n * sizeof *q);
    orthogonalize(n, basis, rank, q);
    double after = square(n, q);
    // an image is judged against A, a column of B against itself
    double against = next < m ? sqrt(before) : pair->norm;
    if (!(sqrt(after) > reach_part * against) || against == 0) continue;
    for (uint32_t i = 0; i < n; i++) q[i] /= sqrt(after);
    rank++;
    add_image(n, &columns, q, queue + (size_t)last++ * n);
  }
  return (int)rank;
}

// rows * cols numbers, transposed where that is wanted, as residues. NULL: one is not in the field, or out of memory.
static uint64_t *residues(Arena *arena, const Rat *a, uint32_t rows, uint32_t cols, bool transposed) {
  uint64_t *out = a ? arena_array(arena, (size_t)rows * cols, sizeof *out) : NULL;
  for (uint32_t i = 0; out && i < rows; i++) {
    for (uint32_t j = 0; j < cols; j++) {
      bool good = true;
      size_t to = transposed ? (size_t)j * rows + i : (size_t)i * cols + j;
      out[to] = rat_mod(a[(size_t)i * cols + j], MODULAR_PRIME, &good);
      if (!good) return NULL;
    }
  }
  return out;
}

int reach_exact_rank(Arena *arena, const Rat *A, const Rat *B, uint32_t n, uint32_t m, bool transposed) {
  uint64_t *a = residues(arena, A, n, n, transposed),
           *b = residues(arena, B, transposed ? m : n, transposed ? n : m, transposed);
  return a && b ? modular_krylov_rank(arena, n, m, a, b) : -1;
}
