// Riccati's equation by the stable subspace of its Hamiltonian matrix (of a sampled system: of its symplectic pencil),
// then Newton's steps (Kleinman 1968), each a Lyapunov equation of the closed loop.
//
//   H = [A, -B R^-1 B'; -Q, -A'],  H [U; V] = [U; V] T with T stable:  X = V U^-1
//
// References: Laub 1979; Pappas, Laub, Sandell 1980.
#include "control/riccati.h"

#include "linear/reach.h"
#include "solve/module.h"
#include "solve/schur.h"
#include "solve/spectrum.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool matrix_eigen(Arena *arena, uint32_t n, const double *a, double *re, double *im, double *bound) {
  const SolveModule *module = module_load();
  double *copy = matrix_new(arena, n, n), *v = matrix_new(arena, n, n),
         *work = arena_array(arena, (size_t)spectrum_eigen_room((int)n) + 1, sizeof *work);
  if (!module || !copy || !v || !work) return false;
  matrix_transpose(n, n, a, copy);
  return module->eigen((int)n, copy, re, im, v, bound, work) == 0;
}

bool lyapunov_solve(Arena *arena, uint32_t n, bool sampled, const double *A, const double *C, double *X) {
  const SolveModule *module = module_load();
  double *t = matrix_new(arena, n, n), *q = matrix_new(arena, n, n), *w = matrix_new(arena, n, 2),
         *work = arena_array(arena, (size_t)schur_room((int)n), sizeof *work);
  int count;
  if (!module || !t || !q || !w || !work) return false;
  matrix_transpose(n, n, A, t);
  if (module->schur((int)n, sampled, t, q, w, w + n, &count, work) != 0) return false;
  for (size_t i = 0; i < (size_t)n * n; i++) X[i] = -C[i];
  if (module->lyapunov((int)n, sampled, t, q, X, work) != 0) return false;
  for (uint32_t i = 0; i < n; i++) { // symmetric
    for (uint32_t j = 0; j < i; j++)
      X[(size_t)i * n + j] = X[(size_t)j * n + i] = (X[(size_t)i * n + j] + X[(size_t)j * n + i]) / 2;
  }
  for (size_t i = 0; i < (size_t)n * n; i++) {
    if (!isfinite(X[i])) return false;
  }
  return true;
}

// ---- weights

// Eigenvalues of a symmetric matrix are its singular values with signs; the least of them is what counts here.
static bool least_eigenvalue(Arena *arena, uint32_t n, const double *a, double *least) {
  double *re = matrix_new(arena, n, 3);
  if (!re || !matrix_eigen(arena, n, a, re, re + n, re + 2 * (size_t)n)) return false;
  *least = INFINITY;
  for (uint32_t i = 0; i < n; i++) *least = fmin(*least, re[i]);
  return true;
}

static bool symmetric(uint32_t n, const double *a) {
  double size = matrix_largest(n * n, a);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (fabs(a[(size_t)i * n + j] - a[(size_t)j * n + i]) > 1e-12 * size) return false;
    }
  }
  return true;
}

static bool check_weights(Arena *arena, const StateSpace *s, const double *Q, const double *R, Riccati *out) {
  double least;
  out->status = riccati_weight;
  out->message = "Q is not symmetric";
  if (!symmetric(s->n, Q)) return false;
  out->message = "R is not symmetric";
  if (!symmetric(s->m, R)) return false;
  out->status = riccati_failed;
  if (!least_eigenvalue(arena, s->n, Q, &least)) return false;
  out->status = riccati_weight;
  out->message = "Q is not positive semidefinite";
  if (s->n && least < -1e-12 * matrix_largest(s->n * s->n, Q)) return false;
  if (!least_eigenvalue(arena, s->m, R, &least)) return false;
  out->message = "R is not positive definite";
  return least > 1e-14 * matrix_largest(s->m * s->m, R);
}

// ---- modes in the way

// Is a mode on or beyond the border of stability out of reach of B? Distances as `linearize` tells them.
static bool mode_out_of_reach(Arena *arena, const StateSpace *s, const double *A, const double *B, uint32_t m,
                              bool border_alone, Riccati *out) {
  uint32_t n = s->n;
  double *re = matrix_new(arena, n, 3), *scaled = matrix_new(arena, n, m), norm = 0, size = matrix_largest(n * m, B);
  if (!re || !scaled || !matrix_eigen(arena, n, A, re, re + n, re + 2 * (size_t)n)) return false;
  for (size_t i = 0; i < (size_t)n * n; i++) norm = hypot(norm, A[i]);
  if (norm == 0) norm = 1;
  for (size_t i = 0; i < (size_t)n * m; i++) scaled[i] = size > 0 ? B[i] / size * norm : 0;
  ReachPair pair = {.n = n, .m = m, .A = A, .B = scaled, .norm = norm};
  Reach *reach = reach_open(arena, module_load(), &pair);
  bool found = false;
  for (uint32_t i = 0; reach && i < n && !found; i++) {
    double off = s->period > 0 ? hypot(re[i], re[n + i]) - 1 : re[i], slack = fmax(re[2 * (size_t)n + i], 1e-10 * norm);
    if (off < -slack || (border_alone && off > slack)) continue;
    if (size > 0 && !(reach_distance(reach, re[i], re[n + i]) < 1e-11)) continue;
    found = true;
    out->re = re[i];
    out->im = fabs(re[n + i]);
  }
  if (reach) reach_close(reach);
  return found;
}

// ---- the equation

// G = B R^-1 B'
static bool input_weight(Arena *arena, const StateSpace *s, const double *R, double *G, double *RinvBt) {
  double *r = matrix_new(arena, s->m, s->m);
  if (!r) return false;
  memcpy(r, R, (size_t)s->m * s->m * sizeof *r);
  matrix_transpose(s->n, s->m, s->B, RinvBt);
  if (!dense_solve(s->m, s->n, r, RinvBt)) return false;
  dense_multiply(s->n, s->m, s->n, s->B, RinvBt, G);
  return true;
}

// The first n columns of z (2n * 2n, column by column) span the stable vectors: X = V U^-1.
static bool from_subspace(Arena *arena, uint32_t n, const double *z, double *X) {
  double *u = matrix_new(arena, n, n), *v = matrix_new(arena, n, n);
  if (!u || !v) return false;
  // X U = V: U' X' = V', and X is symmetric
  for (uint32_t c = 0; c < n; c++) {
    for (uint32_t r = 0; r < n; r++) {
      u[(size_t)c * n + r] = z[(size_t)c * 2 * n + r];
      v[(size_t)c * n + r] = z[(size_t)c * 2 * n + n + r];
    }
  }
  if (!dense_solve(n, n, u, v)) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) X[(size_t)i * n + j] = (v[(size_t)i * n + j] + v[(size_t)j * n + i]) / 2;
  }
  return true;
}

static bool by_hamiltonian(Arena *arena, const StateSpace *s, const double *Q, const double *G, double *X) {
  const SolveModule *module = module_load();
  uint32_t n = s->n, k = 2 * n;
  double *h = matrix_new(arena, k, k), *z = matrix_new(arena, k, k), *w = matrix_new(arena, k, 2),
         *work = arena_array(arena, (size_t)schur_room((int)k), sizeof *work);
  int count;
  if (!module || !h || !z || !w || !work) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) { // column by column
      h[(size_t)j * k + i] = s->A[(size_t)i * n + j];
      h[(size_t)(n + j) * k + i] = -G[(size_t)i * n + j];
      h[(size_t)j * k + n + i] = -Q[(size_t)i * n + j];
      h[(size_t)(n + j) * k + n + i] = -s->A[(size_t)j * n + i];
    }
  }
  if (module->schur((int)k, false, h, z, w, w + k, &count, work) != 0 || count != (int)n) return false;
  return from_subspace(arena, n, z, X);
}

// [A, 0; -Q, 1] - lambda [1, G; 0, A']
static bool by_pencil(Arena *arena, const StateSpace *s, const double *Q, const double *G, double *X) {
  const SolveModule *module = module_load();
  uint32_t n = s->n, k = 2 * n;
  double *a = matrix_new(arena, k, k), *b = matrix_new(arena, k, k), *z = matrix_new(arena, k, k),
         *work = arena_array(arena, (size_t)schur_room((int)k), sizeof *work);
  int count;
  if (!module || !a || !b || !z || !work) return false;
  for (uint32_t i = 0; i < n; i++) {
    a[(size_t)(n + i) * k + n + i] = b[(size_t)i * k + i] = 1;
    for (uint32_t j = 0; j < n; j++) {
      a[(size_t)j * k + i] = s->A[(size_t)i * n + j];
      a[(size_t)j * k + n + i] = -Q[(size_t)i * n + j];
      b[(size_t)(n + j) * k + i] = G[(size_t)i * n + j];
      b[(size_t)(n + j) * k + n + i] = s->A[(size_t)j * n + i];
    }
  }
  if (module->pencil((int)k, a, b, z, &count, work) != 0 || count != (int)n) return false;
  return from_subspace(arena, n, z, X);
}

// K of X.
static bool gain(Arena *arena, const StateSpace *s, const double *R, const double *X, double *K) {
  uint32_t n = s->n, m = s->m;
  double *r = matrix_new(arena, m, m), *bt = matrix_new(arena, m, n), *btx = matrix_new(arena, m, n),
         *bxb = matrix_new(arena, m, m);
  if (!r || !bt || !btx || !bxb) return false;
  matrix_transpose(n, m, s->B, bt);
  dense_multiply(m, n, n, bt, X, btx);
  memcpy(r, R, (size_t)m * m * sizeof *r);
  memcpy(K, btx, (size_t)m * n * sizeof *K);
  if (s->period > 0) {
    dense_multiply(m, n, m, btx, s->B, bxb);
    for (size_t i = 0; i < (size_t)m * m; i++) r[i] += bxb[i];
    dense_multiply(m, n, n, btx, s->A, K);
  }
  return dense_solve(m, n, r, K);
}

// One step of Newton: (A - B K)' X + X (A - B K) + Q + K' R K = 0, or the sampled one.
static bool newton(Arena *arena, const StateSpace *s, const double *Q, const double *R, const double *K, double *X) {
  uint32_t n = s->n, m = s->m;
  double *at = matrix_new(arena, n, n), *bk = matrix_new(arena, n, n), *rk = matrix_new(arena, m, n),
         *kt = matrix_new(arena, n, m), *c = matrix_new(arena, n, n);
  if (!at || !bk || !rk || !kt || !c) return false;
  dense_multiply(n, m, n, s->B, K, bk);
  for (size_t i = 0; i < (size_t)n * n; i++) bk[i] = s->A[i] - bk[i];
  matrix_transpose(n, n, bk, at);
  dense_multiply(m, m, n, R, K, rk);
  matrix_transpose(m, n, K, kt);
  dense_multiply(n, m, n, kt, rk, c);
  for (size_t i = 0; i < (size_t)n * n; i++) c[i] += Q[i];
  return lyapunov_solve(arena, n, s->period > 0, at, c, X);
}

// What is left of the equation, over the largest of its terms.
static double residue(Arena *arena, const StateSpace *s, const double *Q, const double *R, const double *X,
                      const double *K) {
  uint32_t n = s->n, m = s->m;
  double *at = matrix_new(arena, n, n), *xa = matrix_new(arena, n, n), *atx = matrix_new(arena, n, n),
         *rk = matrix_new(arena, m, n), *kt = matrix_new(arena, n, m), *krk = matrix_new(arena, n, n),
         *bt = matrix_new(arena, m, n), *btx = matrix_new(arena, m, n), *bxb = matrix_new(arena, m, m);
  if (arena_failed(arena)) return NAN;
  matrix_transpose(n, n, s->A, at);
  dense_multiply(n, n, n, X, s->A, xa);
  dense_multiply(n, n, n, at, s->period > 0 ? xa : X, atx);
  memcpy(bxb, R, (size_t)m * m * sizeof *bxb);
  if (s->period > 0) {
    double *more = matrix_new(arena, m, m);
    if (!more) return NAN;
    matrix_transpose(n, m, s->B, bt);
    dense_multiply(m, n, n, bt, X, btx);
    dense_multiply(m, n, m, btx, s->B, more);
    for (size_t i = 0; i < (size_t)m * m; i++) bxb[i] += more[i];
  }
  dense_multiply(m, m, n, bxb, K, rk);
  matrix_transpose(m, n, K, kt);
  dense_multiply(n, m, n, kt, rk, krk);
  double off = 0, size = 0;
  for (size_t i = 0; i < (size_t)n * n; i++) {
    double linear = s->period > 0 ? atx[i] - X[i] : atx[i] + xa[i];
    off = fmax(off, fabs(linear - krk[i] + Q[i]));
    size = fmax(size, fmax(fmax(fabs(atx[i]), fabs(krk[i])), fmax(fabs(Q[i]), fabs(s->period > 0 ? X[i] : xa[i]))));
  }
  return size > 0 ? off / size : 0;
}

static bool close_loop(Arena *arena, const StateSpace *s, Riccati *out) {
  uint32_t n = s->n;
  double *bk = matrix_new(arena, n, n), *bound = matrix_new(arena, n, 1);
  out->closed_re = matrix_new(arena, n, 1);
  out->closed_im = matrix_new(arena, n, 1);
  if (!bk || !bound || !out->closed_re || !out->closed_im) return false;
  dense_multiply(n, s->m, n, s->B, out->K, bk);
  for (size_t i = 0; i < (size_t)n * n; i++) bk[i] = s->A[i] - bk[i];
  return matrix_eigen(arena, n, bk, out->closed_re, out->closed_im, bound);
}

static bool is_stable(const StateSpace *s, const Riccati *r) {
  for (uint32_t i = 0; i < s->n; i++) {
    if (s->period > 0 ? !(hypot(r->closed_re[i], r->closed_im[i]) < 1) : !(r->closed_re[i] < 0)) return false;
  }
  return true;
}

void riccati_solve(Arena *arena, const StateSpace *s, const double *Q, const double *R, Riccati *out) {
  uint32_t n = s->n;
  *out = (Riccati){.status = riccati_no_memory};
  double *G = matrix_new(arena, n, n), *rb = matrix_new(arena, s->m, n), *at = matrix_new(arena, n, n);
  out->X = matrix_new(arena, n, n);
  out->K = matrix_new(arena, s->m, n);
  if (!G || !rb || !at || !out->X || !out->K || !check_weights(arena, s, Q, R, out)) return;
  out->status = riccati_unreachable;
  if (mode_out_of_reach(arena, s, s->A, s->B, s->m, false, out)) return;
  out->status = riccati_unseen;
  matrix_transpose(n, n, s->A, at);
  if (mode_out_of_reach(arena, s, at, Q, n, true, out)) return;
  out->status = riccati_failed;
  if (!input_weight(arena, s, R, G, rb)) return;
  if (!(s->period > 0 ? by_pencil(arena, s, Q, G, out->X) : by_hamiltonian(arena, s, Q, G, out->X))) return;
  for (int round = 0; round < 2; round++) {
    if (!gain(arena, s, R, out->X, out->K) || !newton(arena, s, Q, R, out->K, out->X)) return;
  }
  if (!gain(arena, s, R, out->X, out->K) || !close_loop(arena, s, out) || !is_stable(s, out)) return;
  out->residue = residue(arena, s, Q, R, out->X, out->K);
  out->status = arena_failed(arena) ? riccati_no_memory : riccati_done;
}
