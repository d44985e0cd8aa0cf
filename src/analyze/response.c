// Frequency response: transfer functions at a point s, by the Hessenberg form of A.
//
//   G(s)' = D' + B' (s - A')^-1 C'        A' = Q H Q', H in Hessenberg form, once
//
// so a point needs one elimination of s - H along its second diagonal. Inputs and outputs of delays are among the
// columns; they are closed afterwards: with G split into (y, z) by (u, w) and e = diag(exp(-s T)),
//   y = (G_yu + G_yw e (1 - G_zw e)^-1 G_zu) u.
// Where s is near an eigenvalue of A that delays move elsewhere, that would cancel: small systems with delays are
// solved whole, [s - A, -E; -e G, 1 - e J] (x, w) = (B, e H) u.
#include "analyze/response.h"

#include "analyze/zeros.h"
#include "solve/spectrum.h"

#include <math.h>
#include <string.h>

enum { most_whole = 48 }; // states and delays that are solved whole

DenseStatus response_open(Response *r, Arena *arena, const SolveModule *module, const LinearSystem *s) {
  size_t n = s->n, in = (size_t)s->m + s->delays, out = (size_t)s->p + s->delays, d = s->delays;
  *r = (Response){.s = s, .in = (uint32_t)in, .out = (uint32_t)out};
  r->h = arena_array(arena, n * n + 1, sizeof *r->h);
  double *a = arena_array(arena, 2 * n * n + 1, sizeof *a), *q = a + n * n;
  double *work = arena_array(arena, (size_t)spectrum_hessenberg_room((int)n) + 1, sizeof *work);
  r->left = arena_array(arena, n * out + 1, sizeof *r->left);
  r->right = arena_array(arena, n * in + 1, sizeof *r->right);
  r->through = arena_array(arena, out * in + 1, sizeof *r->through);
  r->work = arena_array(arena, n * (n + out) + 1, sizeof *r->work);
  r->gain = arena_array(arena, out * in + 1, sizeof *r->gain);
  r->loop = arena_array(arena, d * d + 1, sizeof *r->loop);
  r->side = arena_array(arena, d * s->m + d + 1, sizeof *r->side);
  bool whole = d && n + d <= most_whole;
  r->pivot = arena_array(arena, n + d + 1, sizeof *r->pivot);
  if (whole) r->all = arena_array(arena, (n + d) * (n + d + 1) + 1, sizeof *r->all);
  if (arena_failed(arena)) return dense_no_memory;
  if (n && !module) return dense_failed;
  LinearSystem b; // states of like sizes: gains far below the largest keep their digits
  if (!zeros_balance(s, arena, &b)) return dense_no_memory;
  memcpy(a, b.A, n * n * sizeof *a); // read by columns it is A'
  if (n && module->hessenberg((int)n, a, q, work) != 0) return dense_failed;
  // a and q stand by columns now
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) r->h[i * n + j] = a[j * n + i];
    for (size_t k = 0; k < out; k++) {
      double sum = 0;
      const double *row = k < s->p ? b.C + k * n : b.G + (k - s->p) * n;
      for (size_t l = 0; l < n; l++) sum += q[i * n + l] * row[l];
      r->left[i * out + k] = sum;
    }
    for (size_t k = 0; k < in; k++) {
      double sum = 0;
      for (size_t l = 0; l < n; l++) sum += q[i * n + l] * (k < s->m ? b.B[l * s->m + k] : b.E[l * d + k - s->m]);
      r->right[i * in + k] = sum;
    }
  }
  for (size_t i = 0; i < out; i++) {
    for (size_t j = 0; j < in; j++) {
      bool y = i < s->p, u = j < s->m;
      size_t row = y ? i : i - s->p, col = u ? j : j - s->m;
      r->through[i * in + j] =
          y ? (u ? s->D[row * s->m + col] : s->F[row * d + col]) : (u ? s->H[row * s->m + col] : s->J[row * d + col]);
    }
  }
  return dense_done;
}

// (s - H) X = left, in r->work behind the matrix. False: singular.
static bool solve_hessenberg(Response *r, Complex s) {
  size_t n = r->s->n, out = r->out, width = n + out;
  Complex *w = r->work;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) w[i * width + j] = (i == j ? s : 0) - r->h[i * n + j];
    for (size_t k = 0; k < out; k++) w[i * width + n + k] = r->left[i * out + k];
  }
  for (size_t c = 0; c + 1 < n; c++) {
    Complex *a = w + c * width, *b = a + width;
    if (cabs(b[c]) > cabs(a[c])) {
      for (size_t j = c; j < width; j++) {
        Complex swap = a[j];
        a[j] = b[j];
        b[j] = swap;
      }
    }
    if (b[c] == 0) continue;
    Complex f = b[c] / a[c];
    for (size_t j = c + 1; j < width; j++) b[j] -= f * a[j];
  }
  for (size_t i = n; i-- > 0;) {
    if (!(cabs(w[i * width + i]) > 0)) return false;
    for (size_t k = 0; k < out; k++) {
      Complex sum = w[i * width + n + k];
      for (size_t j = i + 1; j < n; j++) sum -= w[i * width + j] * w[j * width + n + k];
      w[i * width + n + k] = sum / w[i * width + i];
    }
  }
  return true;
}

// Delays closed: from the gains of all inputs and outputs to those of the system. False: a pole.
static bool close_delays(Response *r, Complex s, Complex *out) {
  size_t d = r->s->delays, m = r->s->m, p = r->s->p, in = r->in;
  const Complex *g = r->gain;
  for (size_t i = 0; i < d; i++) {
    for (size_t j = 0; j < d; j++) r->loop[i * d + j] = (i == j) - g[(p + i) * in + m + j] * cexp(-s * r->s->time[j]);
  }
  if (!complex_factor((uint32_t)d, r->loop, r->pivot)) return false;
  for (size_t c = 0; c < m; c++) {
    for (size_t i = 0; i < d; i++) r->side[i] = g[(p + i) * in + c];
    complex_solve((uint32_t)d, r->loop, r->pivot, r->side);
    for (size_t i = 0; i < p; i++) {
      Complex sum = g[i * in + c];
      for (size_t k = 0; k < d; k++) sum += g[i * in + m + k] * cexp(-s * r->s->time[k]) * r->side[k];
      out[i * m + c] = sum;
    }
  }
  return true;
}

// States and delayed signals together. False: s is a pole.
static bool solve_whole(Response *r, Complex at, Complex *out) {
  const LinearSystem *s = r->s;
  size_t n = s->n, d = s->delays, size = n + d;
  Complex *f = r->all, *x = f + size * size;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) f[i * size + j] = (i == j ? at : 0) - s->A[i * n + j];
    for (size_t j = 0; j < d; j++) f[i * size + n + j] = -s->E[i * d + j];
  }
  for (size_t i = 0; i < d; i++) {
    Complex e = cexp(-at * s->time[i]);
    for (size_t j = 0; j < n; j++) f[(n + i) * size + j] = -e * s->G[i * n + j];
    for (size_t j = 0; j < d; j++) f[(n + i) * size + n + j] = (i == j) - e * s->J[i * d + j];
  }
  if (!complex_factor((uint32_t)size, f, r->pivot)) return false;
  for (size_t c = 0; c < s->m; c++) {
    for (size_t i = 0; i < n; i++) x[i] = s->B[i * s->m + c];
    for (size_t i = 0; i < d; i++) x[n + i] = cexp(-at * s->time[i]) * s->H[i * s->m + c];
    complex_solve((uint32_t)size, f, r->pivot, x);
    for (size_t k = 0; k < s->p; k++) {
      Complex sum = s->D[k * s->m + c];
      for (size_t i = 0; i < n; i++) sum += s->C[k * n + i] * x[i];
      for (size_t i = 0; i < d; i++) sum += s->F[k * d + i] * x[n + i];
      out[k * s->m + c] = sum;
    }
  }
  return true;
}

bool response_at(Response *r, Complex s, Complex *out) {
  size_t n = r->s->n, in = r->in, width = n + r->out;
  if (r->all) return solve_whole(r, s, out);
  if (!solve_hessenberg(r, s)) return false;
  for (size_t i = 0; i < r->out; i++) {
    for (size_t j = 0; j < in; j++) {
      Complex sum = 0;
      for (size_t k = 0; k < n; k++) sum += r->right[k * in + j] * r->work[k * width + n + i];
      r->gain[i * in + j] = sum + r->through[i * in + j];
    }
  }
  if (r->s->delays) return close_delays(r, s, out);
  memcpy(out, r->gain, (size_t)r->s->p * r->s->m * sizeof *out);
  return true;
}

Complex response_frequency(Response *r, double w) {
  Complex out, at = r->s->period > 0 ? cexp(I * w * r->s->period) : I * w;
  return response_at(r, at, &out) ? out : INFINITY;
}
