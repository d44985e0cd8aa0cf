// Zeros of a path by the structure algorithm, in orthogonal steps.
//
//   y = 0 while D is not zero:  u = -C x/D,  and x' = (A - B C/D) x moves freely: its eigenvalues are the zeros.
//   D = 0:  y = 0 binds one combination of states, C x = 0. A reflection makes it the last state, c x_n. Its rate must
//   vanish as well, which is an output of the other n - 1 states: C <- the last row of A, D <- the last entry of B.
//
// Each step takes one state and one pole over zeros; the gain is the product of the c's and the last D (the first
// Markov parameter that is not zero). Where C and D vanish both, y is zero whatever u does.
// (After Silverman 1969, Emami-Naeini and Van Dooren 1982, for one input and one output.)
#include "analyze/zeros.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- balance

static double scale_of(double row, double column) {
  double f = 1;
  if (!(row > 0) || !(column > 0)) return 1;
  while (column < row / 2) column *= 4, f *= 2;
  while (column >= row * 2) column /= 4, f /= 2;
  return f;
}

bool zeros_balance(const LinearSystem *s, Arena *arena, LinearSystem *out) {
  size_t n = s->n;
  bool again = true;
  if (!system_copy(s, arena, out)) return false;
  for (int round = 0; again && round < 20; round++) {
    again = false;
    for (size_t i = 0; i < n; i++) {
      double row = 0, column = 0;
      for (size_t j = 0; j < n; j++) {
        if (j == i) continue;
        row += fabs(out->A[i * n + j]);
        column += fabs(out->A[j * n + i]);
      }
      for (size_t j = 0; j < out->m; j++) row += fabs(out->B[i * out->m + j]);
      for (size_t j = 0; j < out->delays; j++) row += fabs(out->E[i * out->delays + j]);
      for (size_t j = 0; j < out->p; j++) column += fabs(out->C[j * n + i]);
      for (size_t j = 0; j < out->delays; j++) column += fabs(out->G[j * n + i]);
      double f = scale_of(row, column);
      if (f == 1) continue;
      again = true; // x_i = f (the new one)
      for (size_t j = 0; j < n; j++) {
        out->A[i * n + j] /= f;
        out->A[j * n + i] *= f;
      }
      for (size_t j = 0; j < out->m; j++) out->B[i * out->m + j] /= f;
      for (size_t j = 0; j < out->delays; j++) out->E[i * out->delays + j] /= f;
      for (size_t j = 0; j < out->p; j++) out->C[j * n + i] *= f;
      for (size_t j = 0; j < out->delays; j++) out->G[j * n + i] *= f;
    }
  }
  return true;
}

// ---- zeros

// A path that gets smaller from step to step.
typedef struct Shrinking {
  size_t n, width; // states left; of the rows of A
  double *A, *b, *c, d;
  double *v;    // of a reflection
  bool rounded; // a reflection was made: what is zero is so to rounding only
} Shrinking;

static void swap_states(Shrinking *x, size_t i, size_t j) {
  double keep;
  for (size_t k = 0; k < x->n && i != j; k++) {
    keep = x->A[i * x->width + k], x->A[i * x->width + k] = x->A[j * x->width + k], x->A[j * x->width + k] = keep;
  }
  for (size_t k = 0; k < x->n && i != j; k++) {
    keep = x->A[k * x->width + i], x->A[k * x->width + i] = x->A[k * x->width + j], x->A[k * x->width + j] = keep;
  }
  keep = x->b[i], x->b[i] = x->b[j], x->b[j] = keep;
  keep = x->c[i], x->c[i] = x->c[j], x->c[j] = keep;
}

// C x becomes c x_n. One entry alone is moved there, so that zeros stay zeros; else by a reflection.
static double gather_output(Shrinking *x) {
  size_t n = x->n, last = n - 1, only = 0, count = 0;
  for (size_t i = 0; i < n; i++) {
    if (x->c[i] != 0) only = i, count++;
  }
  if (count <= 1) {
    swap_states(x, only, last);
    return x->c[last];
  }
  double norm = dense_norm(n, x->c), c = x->c[last] > 0 ? -norm : norm, square = 0;
  x->rounded = true;
  memcpy(x->v, x->c, n * sizeof *x->v);
  x->v[last] -= c;
  for (size_t i = 0; i < n; i++) square += x->v[i] * x->v[i];
  double dot = 0;
  for (size_t i = 0; i < n; i++) dot += x->v[i] * x->b[i];
  for (size_t i = 0; i < n; i++) x->b[i] -= 2 * dot / square * x->v[i];
  for (size_t i = 0; i < n; i++) {
    double *row = x->A + i * x->width;
    dot = 0;
    for (size_t j = 0; j < n; j++) dot += row[j] * x->v[j];
    for (size_t j = 0; j < n; j++) row[j] -= 2 * dot / square * x->v[j];
  }
  for (size_t j = 0; j < n; j++) {
    dot = 0;
    for (size_t i = 0; i < n; i++) dot += x->v[i] * x->A[i * x->width + j];
    for (size_t i = 0; i < n; i++) x->A[i * x->width + j] -= 2 * dot / square * x->v[i];
  }
  return c;
}

// Goes on until D is not zero. False: the path is zero.
static bool shrink(Shrinking *x, double *gain, double rounding) {
  double slack = 0; // of d
  *gain = 1;
  while (!(fabs(x->d) > slack)) {
    double norm = dense_norm(x->width * x->width, x->A), size = dense_norm(x->n, x->b);
    if (x->n == 0 || dense_norm(x->n, x->c) == 0) return false;
    *gain *= gather_output(x);
    size_t last = --x->n;
    memcpy(x->c, x->A + last * x->width, last * sizeof *x->c);
    x->d = x->b[last];
    if (!x->rounded) continue;
    slack = rounding * size;
    for (size_t i = 0; i < last; i++) {
      if (fabs(x->c[i]) <= rounding * norm) x->c[i] = 0;
    }
  }
  *gain *= x->d;
  return true;
}

static bool open_shrinking(Arena *arena, const LinearSystem *path, Shrinking *x) {
  LinearSystem s;
  if (!zeros_balance(path, arena, &s)) return false;
  *x = (Shrinking){.n = s.n, .width = s.n, .A = s.A, .b = s.B, .c = s.C, .d = s.D[0]};
  x->v = arena_array(arena, (size_t)s.n + 1, sizeof *x->v);
  return x->v != NULL;
}

DenseStatus zeros_find(Arena *arena, const SolveModule *module, const LinearSystem *path, Zeros *out) {
  Shrinking work, *x = &work;
  *out = (Zeros){0};
  if (!open_shrinking(arena, path, x)) return dense_no_memory;
  double rounding = 16 * (path->n + 2) * DBL_EPSILON;
  if (!shrink(x, &out->gain, rounding)) {
    out->gain = 0;
    return dense_done;
  }
  out->count = (uint32_t)x->n;
  out->excess = path->n - out->count;
  out->values = arena_array(arena, x->n + 1, sizeof *out->values);
  out->bound = arena_array(arena, x->n + 1, sizeof *out->bound);
  double *a = arena_array(arena, x->n * x->n + 1, sizeof *a);
  if (!out->values || !out->bound || !a) return dense_no_memory;
  for (size_t i = 0; i < x->n; i++) {
    for (size_t j = 0; j < x->n; j++) a[i * x->n + j] = x->A[i * x->width + j] - x->b[i] * x->c[j] / x->d;
  }
  return dense_eigenvalues(arena, module, out->count, a, out->values, out->bound);
}

// ---- minimal realization

// The space that the columns of b reach, as an orthonormal basis in the rows of q; *rank of them. By Arnoldi's process
// with all inputs together: a direction counts where more than rounding is left of it.
static bool reached(Arena *arena, uint32_t n, uint32_t m, const double *A, const double *b, bool transposed, double *q,
                    uint32_t *rank) {
  double *x = arena_array(arena, 2 * (size_t)n + 1, sizeof *x), *y = x + n;
  if (!x) return false;
  double rounding = 64 * (n + 2) * DBL_EPSILON;
  *rank = 0;
  for (uint32_t step = 0; step < m + *rank && *rank < n; step++) {
    for (size_t i = 0; i < n; i++) {
      x[i] = 0;
      if (step < m) x[i] = transposed ? b[(size_t)step * n + i] : b[i * m + step];
      for (size_t j = 0; step >= m && j < n; j++)
        x[i] += (transposed ? A[j * n + i] : A[i * n + j]) * q[(size_t)(step - m) * n + j];
    }
    double before = dense_norm(n, x);
    for (int twice = 0; twice < 2; twice++) {
      memcpy(y, x, n * sizeof *y);
      for (uint32_t k = 0; k < *rank; k++) {
        double dot = 0;
        for (size_t i = 0; i < n; i++) dot += q[(size_t)k * n + i] * (twice ? x[i] : y[i]);
        for (size_t i = 0; i < n; i++) x[i] -= dot * q[(size_t)k * n + i];
      }
    }
    double norm = dense_norm(n, x), scale = step < m ? before : fmax(before, dense_norm((size_t)n * n, A));
    if (!(norm > rounding * scale)) continue;
    for (size_t i = 0; i < n; i++) q[(size_t)*rank * n + i] = x[i] / norm;
    ++*rank;
  }
  return true;
}

// The system in the states q x.
static bool project(Arena *arena, const LinearSystem *s, const double *q, uint32_t rank, LinearSystem *out) {
  size_t n = s->n, d = s->delays, m = s->m, p = s->p, r = rank;
  if (!system_room(out, arena, rank, s->m, s->p, s->delays)) return false;
  double *half = arena_array(arena, n * r + 1, sizeof *half), *turned = arena_array(arena, n * r + 1, sizeof *turned);
  if (!half || !turned) return false;
  for (size_t i = 0; i < r; i++) {
    for (size_t j = 0; j < n; j++) turned[j * r + i] = q[i * n + j];
  }
  dense_multiply(s->n, s->n, rank, s->A, turned, half);
  dense_multiply(rank, s->n, rank, q, half, out->A);
  dense_multiply(rank, s->n, s->m, q, s->B, out->B);
  dense_multiply(rank, s->n, s->delays, q, s->E, out->E);
  dense_multiply(s->p, s->n, rank, s->C, turned, out->C);
  dense_multiply(s->delays, s->n, rank, s->G, turned, out->G);
  memcpy(out->D, s->D, p * m * sizeof *s->D);
  memcpy(out->F, s->F, p * d * sizeof *s->F);
  memcpy(out->H, s->H, d * m * sizeof *s->H);
  memcpy(out->J, s->J, d * d * sizeof *s->J);
  memcpy(out->time, s->time, d * sizeof *s->time);
  out->period = s->period;
  return true;
}

// Columns (or rows) of inputs (outputs) and delays together.
static double *joined(Arena *arena, const LinearSystem *s, bool outputs) {
  size_t n = s->n, d = s->delays, m = outputs ? s->p : s->m, all = m + d;
  double *b = arena_array(arena, n * all + 1, sizeof *b);
  for (size_t i = 0; b && i < n; i++) {
    for (size_t k = 0; k < all; k++) {
      if (outputs) b[k * n + i] = k < m ? s->C[k * n + i] : s->G[(k - m) * n + i];
      else b[i * all + k] = k < m ? s->B[i * m + k] : s->E[i * d + k - m];
    }
  }
  return b;
}

bool zeros_minimal(Arena *arena, const LinearSystem *s, LinearSystem *out) {
  LinearSystem a, b;
  double *q = arena_array(arena, (size_t)s->n * s->n + 1, sizeof *q), *side;
  uint32_t rank;
  if (!q || !zeros_balance(s, arena, &a) || !(side = joined(arena, &a, false))) return false;
  if (!reached(arena, a.n, a.m + a.delays, a.A, side, false, q, &rank)) return false;
  if (rank == a.n) b = a;
  else if (!project(arena, &a, q, rank, &b)) return false;
  if (!(side = joined(arena, &b, true)) || !reached(arena, b.n, b.p + b.delays, b.A, side, true, q, &rank))
    return false;
  if (rank == b.n) {
    *out = b;
    out->inputs = s->inputs;
    out->outputs = s->outputs;
    return true;
  }
  if (!project(arena, &b, q, rank, out)) return false;
  out->inputs = s->inputs;
  out->outputs = s->outputs;
  return true;
}
