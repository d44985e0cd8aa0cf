// Invariant zeros of a path by the structure algorithm, by elimination.
//
//   y = 0 while D is not zero:  u = -C x/D,  and x' = (A - B C/D) x moves freely: its eigenvalues are the zeros.
//   D = 0:  y = 0 binds one combination of states, C x = 0. It replaces a state, c x_n. Its rate must
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

// A path that gets smaller from step to step. Beside each number stands the sum of the sizes of the terms that made it:
// a number that is rounding of these is zero, whatever the units of states are.
typedef struct Shrinking {
  size_t n, width; // states left; of the rows of A
  double *A, *b, *c, d;
  double *sizeA, *sizeb, *sizec;
  double rounding;
} Shrinking;

static void swap_numbers(double *a, double *b) {
  double keep = *a;
  *a = *b;
  *b = keep;
}

static void swap_states(Shrinking *x, size_t i, size_t j) {
  for (size_t k = 0; k < x->n && i != j; k++) {
    swap_numbers(&x->A[i * x->width + k], &x->A[j * x->width + k]);
    swap_numbers(&x->sizeA[i * x->width + k], &x->sizeA[j * x->width + k]);
  }
  for (size_t k = 0; k < x->n && i != j; k++) {
    swap_numbers(&x->A[k * x->width + i], &x->A[k * x->width + j]);
    swap_numbers(&x->sizeA[k * x->width + i], &x->sizeA[k * x->width + j]);
  }
  swap_numbers(&x->b[i], &x->b[j]);
  swap_numbers(&x->sizeb[i], &x->sizeb[j]);
  swap_numbers(&x->c[i], &x->c[j]);
  swap_numbers(&x->sizec[i], &x->sizec[j]);
}

// *a + f b, where what is left may be rounding
static void add_times(const Shrinking *x, double *a, double *size, double f, double b, double size_b) {
  *a += f * b;
  *size += fabs(f) * size_b;
  if (fabs(*a) <= x->rounding * *size) *a = 0;
}

// C x becomes c x_n: the state with the largest entry is replaced by C x/c, by elimination. Entries that are zero stay
// so, and states of other sizes are not mixed as by a reflection.
static double gather_output(Shrinking *x) {
  size_t n = x->n, last = n - 1, best = last;
  for (size_t i = 0; i < n; i++) {
    if (fabs(x->c[i]) > fabs(x->c[best])) best = i;
  }
  swap_states(x, best, last);
  double c = x->c[last], *A = x->A, *size = x->sizeA;
  size_t wide = x->width;
  for (size_t j = 0; j < last; j++) { // x_n = (the new one) - sum of c_j/c x_j
    double f = -x->c[j] / c;
    for (size_t i = 0; i < n && f != 0; i++)
      add_times(x, &A[i * wide + j], &size[i * wide + j], f, A[i * wide + last], size[i * wide + last]);
  }
  for (size_t i = 0; i < last; i++) { // the rate of the new one
    double f = x->c[i] / c;
    for (size_t j = 0; j < n && f != 0; j++)
      add_times(x, &A[last * wide + j], &size[last * wide + j], f, A[i * wide + j], size[i * wide + j]);
    if (f != 0) add_times(x, &x->b[last], &x->sizeb[last], f, x->b[i], x->sizeb[i]);
  }
  return c;
}

// Goes on until D is not zero. False: the path is zero.
static bool shrink(Shrinking *x, double *gain) {
  *gain = 1;
  while (x->d == 0) {
    if (x->n == 0 || dense_norm(x->n, x->c) == 0) return false;
    *gain *= gather_output(x);
    size_t last = --x->n;
    memcpy(x->c, x->A + last * x->width, last * sizeof *x->c);
    memcpy(x->sizec, x->sizeA + last * x->width, last * sizeof *x->sizec);
    x->d = x->b[last];
  }
  *gain *= x->d;
  return true;
}

static bool open_shrinking(Arena *arena, const LinearSystem *path, Shrinking *x) {
  LinearSystem s;
  if (!zeros_balance(path, arena, &s)) return false;
  size_t n = s.n;
  *x = (Shrinking){.n = n, .width = n, .A = s.A, .b = s.B, .c = s.C, .d = s.D[0]};
  x->rounding = 16 * ((double)n + 2) * DBL_EPSILON;
  x->sizeA = arena_array(arena, n * n + 2 * n + 1, sizeof *x->sizeA);
  if (!x->sizeA) return false;
  x->sizeb = x->sizeA + n * n;
  x->sizec = x->sizeb + n;
  for (size_t i = 0; i < n * n; i++) x->sizeA[i] = fabs(s.A[i]);
  for (size_t i = 0; i < n; i++) x->sizeb[i] = fabs(s.B[i]), x->sizec[i] = fabs(s.C[i]);
  return true;
}

DenseStatus zeros_find(Arena *arena, const SolveModule *module, const LinearSystem *path, Zeros *out) {
  Shrinking work, *x = &work;
  *out = (Zeros){0};
  if (!open_shrinking(arena, path, x)) return dense_no_memory;
  if (!shrink(x, &out->gain)) {
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
    for (size_t j = 0; j < x->n; j++) {
      size_t at = i * x->width + j;
      add_times(x, &x->A[at], &x->sizeA[at], -x->b[i] / x->d, x->c[j], x->sizec[j]);
      a[i * x->n + j] = x->A[at];
    }
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
