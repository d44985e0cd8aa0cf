// Least singular value of M = [A - lambda, B] (Hautus test) for many lambda, by LAPACK or Lanczos' method.
//
// in    A (n * n), B (n * m), divided by the norm of A; lambda = re + i im
// out   s, the least singular value of M
//
// Small pairs: all singular values by LAPACK, complex numbers as two by two blocks. Larger ones: 1/s^2 is the largest
// eigenvalue of N^-1, N = M M*, found by Lanczos' method with N^-1 as the operator: some ten solutions of N x = b. The
// end is |M* x| of the vector x that was found, so that an error of x counts by its square. N itself is never made, it
// would lose half of the digits:
//
//   dense    Once A = Q H Q', H of Hessenberg's form. For each lambda M Z = [0 R], R upper triangular, by reflections Z
//            of the columns of B, the one left of the diagonal and the diagonal itself, from the last row to the first:
//            n^2 (m + 2) operations. N^-1 b = R^-* (R^-1 b).
//   sparse   | t  M* | | r |   | 0 |
//            | M  0  | | x | = | b |  has x = -t N^-1 b; factors of it by KLU. Its condition is best where t is about s
//            (Bjorck, Numerical Methods for Least Squares Problems, 2.5), so a small s is found twice.
//
// Complex vectors are pairs of real ones, (re, im), with the real part of the inner product: N is symmetric there, too.
#include "linear/complex_rows.h"
#include "linear/reach.h"
#include "solve/spectrum.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  most_steps = 60,    // of Lanczos' method; ten are usual
  entries_a_row = 12, // of A and B up to which factors are tried sparsely
  bisections = 100    // for an eigenvalue of a tridiagonal matrix: to its last digit
};
static const double first_weight = 1e-3; // t, of the norm of A
static const double least_weight = 1e-12;
static const double near_zero = 1e-5; // s below which t is adapted to it
static const double settled = 1e-6;   // residual of the largest eigenvalue of N^-1, of it; its error is the square

typedef struct DenseReach {
  double *H, *QB;  // Q' A Q and Q' B, column by column
  double *re, *im; // [B, A - lambda] with these, then R in its last n columns: n + m columns of n
  double *v[2];
  ComplexRow t;
  ComplexKit kit;
} DenseReach;

// What an entry of the sparse system is made of.
typedef enum EntryKind { entry_fixed, entry_diagonal, entry_plus, entry_minus, entry_weight } EntryKind;

// The sparse system for real, or for complex lambda: r, then x; complex: the real part of each
// before the imaginary one.
typedef struct SparseReach {
  uint32_t size, first; // of the whole, and where x begins
  uint32_t *start, *row;
  EntryKind *kind;
  double *fixed;  // entries without lambda and t
  double *values; // with them
  struct Factors *factors;
  bool dropped; // its factors are not sparse
} SparseReach;

struct Reach {
  Arena *arena;
  const SolveModule *module;
  uint32_t n, m;
  double norm;
  const double *A, *B; // row by row; of larger pairs over the norm
  double *room;        // of a small pair
  SparseReach sparse[2];
  DenseReach dense;
  const SparseReach *system; // what solves N x = b now; NULL: dense
  double weight;             // t
  double *solution;
  double *basis; // of Lanczos' method: most_steps + 1 vectors
};

// ---- small pairs

static double by_all_values(Reach *x, double re, double im) {
  uint32_t n = x->n, m = x->m, rows = 2 * n, cols = 2 * (n + m);
  double *a = x->room, *s = x->room + (size_t)rows * cols, *work = s + rows;
  memset(a, 0, (size_t)rows * cols * sizeof *a);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double e = x->A[(size_t)i * n + j] - (i == j ? re : 0);
      a[(size_t)j * rows + i] = a[(size_t)(n + j) * rows + n + i] = e;
    }
    a[(size_t)i * rows + n + i] = -im;
    a[(size_t)(n + i) * rows + i] = im;
    for (uint32_t j = 0; j < m; j++)
      a[(size_t)(2 * n + j) * rows + i] = a[(size_t)(2 * n + m + j) * rows + n + i] = x->B[(size_t)i * m + j];
  }
  if (x->module->singular((int)rows, (int)cols, a, s, NULL, NULL, work) != 0) return NAN;
  return x->norm > 0 ? s[rows - 1] / x->norm : s[rows - 1];
}

// ---- the sparse system

// One entry of M, and of its transpose. The first call for each counts, the second one fills.
static void put_entry(SparseReach *s, bool fill, uint32_t row, uint32_t column, EntryKind kind, double value) {
  uint32_t at[2][2] = {{s->first + row, column}, {column, s->first + row}};
  for (int k = 0; k < 2; k++) {
    uint32_t *next = &s->start[at[k][1] + (fill ? 0 : 1)];
    if (fill) {
      s->row[*next] = at[k][0];
      s->kind[*next] = kind;
      s->fixed[*next] = value;
    }
    ++*next;
  }
}

static void put_weight(SparseReach *s, bool fill, uint32_t i) {
  uint32_t *next = &s->start[i + (fill ? 0 : 1)];
  if (fill) s->row[*next] = i, s->kind[*next] = entry_weight;
  ++*next;
}

static void put_entries(const Reach *x, SparseReach *s, bool fill, bool complex) {
  uint32_t n = x->n, m = x->m, cols = n + m;
  for (uint32_t i = 0; i < s->first; i++) put_weight(s, fill, i);
  for (uint32_t part = 0; part <= complex; part++) {
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < cols; j++) {
        double e = j < n ? x->A[(size_t)i * n + j] : x->B[(size_t)i * m + j - n];
        if (e != 0 || i == j)
          put_entry(s, fill, part * n + i, part * cols + j, i == j ? entry_diagonal : entry_fixed, e);
      }
      // A - lambda = (A - re) - i im
      if (complex) put_entry(s, fill, part * n + i, (1 - part) * cols + i, part ? entry_minus : entry_plus, 0);
    }
  }
}

static bool make_sparse(Reach *x, SparseReach *s, bool complex) {
  uint32_t parts = complex ? 2 : 1;
  s->first = parts * (x->n + x->m);
  s->size = s->first + parts * x->n;
  s->start = arena_array(x->arena, (size_t)s->size + 2, sizeof *s->start);
  if (!s->start) return false;
  put_entries(x, s, false, complex);
  for (uint32_t i = 0; i < s->size; i++) s->start[i + 1] += s->start[i];
  uint32_t count = s->start[s->size];
  s->row = arena_array(x->arena, count, sizeof *s->row);
  s->kind = arena_array(x->arena, count, sizeof *s->kind);
  s->fixed = arena_array(x->arena, count, sizeof *s->fixed);
  s->values = arena_array(x->arena, count, sizeof *s->values);
  if (!s->row || !s->kind || !s->fixed || !s->values) return false;
  put_entries(x, s, true, complex);
  memmove(s->start + 1, s->start, s->size * sizeof *s->start);
  s->start[0] = 0;
  s->factors = x->module->factors_new(s->size, s->start, s->row, sparse_general);
  return true;
}

// Factors with lambda and t. False: there are none, or they are not sparse.
static bool factor_sparse(Reach *x, SparseReach *s, double re, double im) {
  if (s->dropped || !s->factors) return false;
  for (uint32_t k = 0; k < s->start[s->size]; k++) {
    const double more[] = {
        [entry_fixed] = 0, [entry_diagonal] = -re, [entry_plus] = im, [entry_minus] = -im, [entry_weight] = x->weight};
    s->values[k] = s->fixed[k] + more[s->kind[k]];
  }
  if (x->module->factors_make(s->factors, s->values) != sparse_done) return false;
  double n = x->n;
  s->dropped = x->module->factors_work(s->factors) > 4 * n * n * (x->m + 2);
  return !s->dropped;
}

static void solve_sparse(Reach *x, const double *b, double *out) {
  const SparseReach *s = x->system;
  uint32_t length = s->size - s->first;
  memset(x->solution, 0, s->first * sizeof *x->solution);
  memcpy(x->solution + s->first, b, length * sizeof *b);
  x->module->factors_solve(s->factors, x->solution, 1);
  for (uint32_t i = 0; i < length; i++) out[i] = -x->solution[s->first + i] / x->weight;
}

// |M* x|
static double size_sparse(Reach *x, const double *v) {
  const SparseReach *s = x->system;
  double *image = x->solution, sum = 0;
  memset(image, 0, s->first * sizeof *image);
  for (uint32_t c = s->first; c < s->size; c++) {
    for (uint32_t k = s->start[c]; k < s->start[c + 1]; k++) image[s->row[k]] += s->values[k] * v[c - s->first];
  }
  for (uint32_t i = 0; i < s->first; i++) sum += image[i] * image[i];
  return sqrt(sum);
}

// ---- the dense triangle

static bool make_dense(Reach *x) {
  DenseReach *d = &x->dense;
  size_t n = x->n, m = x->m, cells = n * n;
  double *Q = arena_array(x->arena, cells, sizeof *Q),
         *work = arena_array(x->arena, (size_t)spectrum_hessenberg_room((int)n), sizeof *work);
  d->H = arena_array(x->arena, cells, sizeof *d->H);
  d->QB = arena_array(x->arena, n * m, sizeof *d->QB);
  d->re = arena_array(x->arena, (n + m) * n, sizeof *d->re);
  d->im = arena_array(x->arena, (n + m) * n, sizeof *d->im);
  for (int k = 0; k < 2; k++) d->v[k] = arena_array(x->arena, m + 2, sizeof(double));
  d->t.re = arena_array(x->arena, n, sizeof(double));
  d->t.im = arena_array(x->arena, n, sizeof(double));
  d->kit = complex_kit();
  if (arena_failed(x->arena)) return false;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) d->H[j * n + i] = x->A[i * n + j];
  }
  if (x->module->hessenberg((int)n, d->H, Q, work) != 0) return false;
  for (size_t c = 0; c < m; c++) {
    for (size_t k = 0; k < n; k++) {
      for (size_t i = 0; i < n; i++) d->QB[c * n + k] += Q[k * n + i] * x->B[i * m + c];
    }
  }
  return true;
}

// The columns that the reflection of row i is about: those of B, the one left of the diagonal, the diagonal.
static size_t column_of(const Reach *x, uint32_t i, uint32_t k) { return k < x->m ? k : x->m + i - (k == x->m && i); }

// v of the reflection 1 - 2 v v*/|v|^2 that leaves of row i the diagonal alone: 2/|v|^2; 0: there is nothing to do.
static double find_reflection(Reach *x, uint32_t i, uint32_t count) {
  DenseReach *d = &x->dense;
  double sum = 0, others = 0, diagonal = 0;
  for (uint32_t k = 0; k < count; k++) {
    size_t at = column_of(x, i, k) * x->n + i;
    d->v[0][k] = d->re[at];
    d->v[1][k] = -d->im[at];
    double square = d->re[at] * d->re[at] + d->im[at] * d->im[at];
    sum += square;
    if (k + 1 < count) others += square;
    else diagonal = sqrt(square);
  }
  if (others == 0) return 0;
  double length = sqrt(sum), *re = &d->v[0][count - 1], *im = &d->v[1][count - 1];
  if (diagonal > 0) {
    *re += *re / diagonal * length;
    *im += *im / diagonal * length;
  } else {
    *re = length;
  }
  return 1 / (sum + diagonal * length);
}

static ComplexRow column_at(const DenseReach *d, size_t at) { return (ComplexRow){d->re + at, d->im + at}; }

// Rows 0 .. i of the columns, reflected: row -= factor (row v) v*.
static void reflect(Reach *x, uint32_t i, uint32_t count, double factor) {
  DenseReach *d = &x->dense;
  memset(d->t.re, 0, (i + 1) * sizeof *d->t.re);
  memset(d->t.im, 0, (i + 1) * sizeof *d->t.im);
  for (uint32_t k = 0; k < count; k++)
    d->kit.add(d->t, d->v[0][k], d->v[1][k], column_at(d, column_of(x, i, k) * x->n), i + 1);
  for (uint32_t k = 0; k < count; k++) {
    double re = factor * d->v[0][k], im = factor * d->v[1][k];
    d->kit.add(column_at(d, column_of(x, i, k) * x->n), -re, im, d->t, i + 1);
  }
}

static void factor_dense(Reach *x, double re, double im) {
  DenseReach *d = &x->dense;
  size_t n = x->n, m = x->m;
  memcpy(d->re, d->QB, m * n * sizeof *d->re);
  memcpy(d->re + m * n, d->H, n * n * sizeof *d->re);
  memset(d->im, 0, (m + n) * n * sizeof *d->im);
  for (size_t i = 0; i < n; i++) {
    d->re[(m + i) * n + i] -= re;
    d->im[(m + i) * n + i] -= im;
  }
  for (uint32_t i = x->n; i-- > 0;) {
    uint32_t count = x->m + (i ? 2 : 1);
    double factor = find_reflection(x, i, count);
    if (factor > 0) reflect(x, i, count, factor);
    double *diagonal = &d->re[(m + i) * n + i];
    // a row that is zero: the smallest number that rounding knows
    if (hypot(*diagonal, d->im[(m + i) * n + i]) < DBL_EPSILON * 1e-3) *diagonal = DBL_EPSILON * 1e-3;
  }
}

// Column i of R.
static ComplexRow triangle_column(const Reach *x, uint32_t i) {
  return column_at(&x->dense, (size_t)(x->m + i) * x->n);
}

// R y = b, then R* x = y, in place.
static void solve_dense(const Reach *x, double *b) {
  uint32_t n = x->n;
  const ComplexKit *kit = &x->dense.kit;
  ComplexRow z = {b, b + n};
  for (uint32_t i = n; i-- > 0;) {
    ComplexRow c = triangle_column(x, i);
    double square = c.re[i] * c.re[i] + c.im[i] * c.im[i], yr = (z.re[i] * c.re[i] + z.im[i] * c.im[i]) / square,
           yi = (z.im[i] * c.re[i] - z.re[i] * c.im[i]) / square;
    kit->add(z, -yr, -yi, c, i);
    z.re[i] = yr;
    z.im[i] = yi;
  }
  for (uint32_t i = 0; i < n; i++) {
    ComplexRow c = triangle_column(x, i);
    double sum[2], square = c.re[i] * c.re[i] + c.im[i] * c.im[i];
    kit->product(z, c, i, sum);
    double yr = z.re[i] - sum[0], yi = z.im[i] - sum[1];
    z.re[i] = (yr * c.re[i] - yi * c.im[i]) / square;
    z.im[i] = (yi * c.re[i] + yr * c.im[i]) / square;
  }
}

// |R* x|
static double size_dense(const Reach *x, double *v) {
  double all = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    double sum[2];
    x->dense.kit.product((ComplexRow){v, v + x->n}, triangle_column(x, i), i + 1, sum);
    all += sum[0] * sum[0] + sum[1] * sum[1];
  }
  return sqrt(all);
}

// ---- Lanczos' method

static double dot(uint32_t n, const double *a, const double *b) {
  double sum[4] = {0};
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (uint32_t k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
  }
  for (; i < n; i++) sum[0] += a[i] * b[i];
  return sum[0] + sum[1] + (sum[2] + sum[3]);
}

// The largest eigenvalue of a symmetric tridiagonal matrix: above it all pivots of T - e are negative.
static double largest_eigenvalue(uint32_t n, const double *a, const double *b) {
  double low = a[0], high = a[0];
  for (uint32_t i = 0; i < n; i++) {
    low = fmax(low, a[i]);
    high = fmax(high, a[i] + (i ? b[i - 1] : 0) + (i + 1 < n ? b[i] : 0));
  }
  for (int k = 0; k < bisections && high - low > DBL_EPSILON * fabs(high); k++) {
    double e = low + (high - low) / 2, pivot = -1;
    bool above = true;
    for (uint32_t i = 0; i < n && above; i++) {
      pivot = a[i] - e - (i ? b[i - 1] * b[i - 1] / pivot : 0);
      above = pivot < 0;
    }
    *(above ? &high : &low) = e;
  }
  return high;
}

// Its eigenvector, from the last entry, which is the smallest one, to the first; of length 1.
static void eigenvector(uint32_t n, const double *a, const double *b, double e, double *s) {
  s[n - 1] = 1;
  for (uint32_t i = n - 1; i-- > 0;) {
    s[i] = ((e - a[i + 1]) * s[i + 1] - (i + 2 < n ? b[i + 1] * s[i + 2] : 0)) / b[i];
    if (fabs(s[i]) < 1e100) continue;
    for (uint32_t k = i; k < n; k++) s[k] *= 1e-100;
  }
  double size = sqrt(dot(n, s, s));
  for (uint32_t i = 0; i < n; i++) s[i] /= size;
}

static void apply(Reach *x, uint32_t length, const double *v, double *out) {
  if (x->system) {
    solve_sparse(x, v, out);
    return;
  }
  memcpy(out, v, length * sizeof *out);
  solve_dense(x, out);
}

// Lanczos' vectors, from a direction of no special kind, until the largest eigenvalue of N^-1 is settled. s: its vector
// in them. How many steps there were; 0: a number is not finite.
static uint32_t lanczos(Reach *x, uint32_t length, double *s) {
  double a[most_steps], b[most_steps], *first = x->basis;
  for (uint32_t i = 0; i < length; i++) first[i] = 1 + 0.37 * sin(1.7 * i + 0.4);
  double size = sqrt(dot(length, first, first));
  for (uint32_t i = 0; i < length; i++) first[i] /= size;
  for (uint32_t n = 0; n < most_steps; n++) {
    double *v = x->basis + (size_t)n * length, *u = v + length;
    apply(x, length, v, u);
    a[n] = dot(length, u, v);
    for (uint32_t k = n + 1; k-- > 0;) {
      const double *e = x->basis + (size_t)k * length;
      double part = dot(length, u, e);
      for (uint32_t i = 0; i < length; i++) u[i] -= part * e[i];
    }
    b[n] = sqrt(dot(length, u, u));
    if (!isfinite(a[n]) || !isfinite(b[n])) return 0;
    double e = largest_eigenvalue(n + 1, a, b);
    eigenvector(n + 1, a, b, e, s);
    if (b[n] * fabs(s[n]) <= settled * e) return n + 1;
    for (uint32_t i = 0; i < length; i++) u[i] /= b[n];
  }
  return most_steps;
}

// The least singular value by the present factors; NAN: a number is not finite.
static double least_value(Reach *x) {
  uint32_t length = x->system ? x->system->size - x->system->first : 2 * x->n;
  double s[most_steps];
  uint32_t steps = lanczos(x, length, s);
  if (!steps) return NAN;
  double *sum = x->basis + (size_t)steps * length, *out = x->basis;
  memset(sum, 0, length * sizeof *sum);
  for (uint32_t k = 0; k < steps; k++) {
    for (uint32_t i = 0; i < length; i++) sum[i] += s[k] * x->basis[(size_t)k * length + i];
  }
  // once more: where M is singular to rounding, N^-1 differs from step to step, but what it gives is in the kernel
  apply(x, length, sum, out);
  double size = sqrt(dot(length, out, out));
  for (uint32_t i = 0; i < length; i++) out[i] /= size;
  return x->system ? size_sparse(x, out) : size_dense(x, out);
}

// NAN: there are no sparse factors.
static double by_sparse(Reach *x, double re, double im) {
  SparseReach *s = &x->sparse[im != 0];
  x->weight = first_weight;
  if (!factor_sparse(x, s, re, im)) return NAN;
  x->system = s;
  double value = least_value(x);
  if (!(value < near_zero)) return value;
  x->weight = fmax(value, least_weight);
  return factor_sparse(x, s, re, im) ? least_value(x) : NAN;
}

// ---- the whole

double reach_distance(Reach *x, double re, double im) {
  if (x->n <= reach_small) return by_all_values(x, re, im);
  double unit = x->norm > 0 ? x->norm : 1, value = by_sparse(x, re / unit, im / unit);
  if (!isnan(value)) return value;
  if (!x->dense.H && !make_dense(x)) return NAN;
  x->system = NULL;
  factor_dense(x, re / unit, im / unit);
  return least_value(x);
}

static double *divided(Arena *arena, const double *a, size_t count, double by) {
  double *out = arena_array(arena, count, sizeof *out);
  for (size_t i = 0; out && i < count; i++) out[i] = by > 0 ? a[i] / by : a[i];
  return out;
}

static bool open_large(Reach *x) {
  size_t cells = (size_t)x->n * x->n, more = (size_t)x->n * x->m, entries = 0;
  x->A = divided(x->arena, x->A, cells, x->norm);
  x->B = divided(x->arena, x->B, more, x->norm);
  x->basis = arena_array(x->arena, (size_t)(most_steps + 1) * 2 * x->n, sizeof *x->basis);
  x->solution = arena_array(x->arena, (size_t)2 * (2 * x->n + x->m), sizeof *x->solution);
  if (arena_failed(x->arena)) return false;
  for (size_t i = 0; i < cells; i++) entries += x->A[i] != 0;
  for (size_t i = 0; i < more; i++) entries += x->B[i] != 0;
  if (entries > (size_t)entries_a_row * x->n) return true;
  return make_sparse(x, &x->sparse[0], false) && make_sparse(x, &x->sparse[1], true);
}

Reach *reach_open(Arena *arena, const SolveModule *module, const ReachPair *pair) {
  Reach *x = arena_array(arena, 1, sizeof *x);
  if (!x) return NULL;
  *x = (Reach){
      .arena = arena, .module = module, .n = pair->n, .m = pair->m, .norm = pair->norm, .A = pair->A, .B = pair->B};
  if (x->n > reach_small) return open_large(x) ? x : NULL;
  int rows = (int)(2 * x->n), cols = (int)(2 * (x->n + x->m));
  size_t cells = (size_t)rows * (size_t)cols + (size_t)rows + (size_t)spectrum_room(rows, cols);
  x->room = arena_array(arena, cells, sizeof *x->room);
  return x->room ? x : NULL;
}

double reach_work(const Reach *x) {
  double n = x->n;
  return x->n <= reach_small || x->sparse[0].factors ? 0 : n * n * (x->m + 2);
}

void reach_close(Reach *x) {
  for (int k = 0; k < 2; k++) x->module->factors_free(x->sparse[k].factors);
}
