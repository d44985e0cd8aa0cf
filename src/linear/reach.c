// The rank of [B, AB, A^2 B, ...]: how many states inputs reach.
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

// out += A q, column by column, so that each sum has the order of a row; at: A transposed.
static void add_image(uint32_t n, const double *at, const double *q, double *out) {
  for (uint32_t j = 0; j < n; j++) {
    if (q[j] == 0) continue;
    for (uint32_t i = 0; i < n; i++) out[i] += at[(size_t)j * n + i] * q[j];
  }
}

// q less its part in the space of `count` orthonormal vectors.
static void orthogonalize(uint32_t n, const double *basis, uint32_t count, double *q) {
  for (int twice = 0; twice < 2; twice++) {
    for (uint32_t r = 0; r < count; r++) {
      double dot = 0;
      for (uint32_t i = 0; i < n; i++) dot += basis[(size_t)r * n + i] * q[i];
      for (uint32_t i = 0; i < n; i++) q[i] -= dot * basis[(size_t)r * n + i];
    }
  }
}

static double square(uint32_t n, const double *x) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

int reach_rank(Arena *arena, const ReachPair *pair) {
  uint32_t n = pair->n, m = pair->m, rank = 0, last = m;
  double *basis = arena_array(arena, (size_t)n * n, sizeof *basis), *at = arena_array(arena, (size_t)n * n, sizeof *at),
         *queue = arena_array(arena, (size_t)(n + m) * n, sizeof *queue);
  if (!basis || !at || !queue) return -1;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) at[(size_t)j * n + i] = pair->A[(size_t)i * n + j];
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
    add_image(n, at, q, queue + (size_t)last++ * n);
  }
  return (int)rank;
}

// rows * cols numbers, transposed where that is wanted, as residues. NULL: one is not in the field, or memory is out.
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
