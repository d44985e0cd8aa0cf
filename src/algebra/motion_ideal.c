// A proof on a constraint set by ideal membership, where the constraints are not solved for positions: loops made of
// numbers.
//
// in    e = A a + b and M a + h = 0, with velocities put in; g_k = 0, what constraints say of positions
// out   true: e vanishes wherever the g_k do, because a polynomial that has its zeros is a combination
//       sum q_k g_k in the ring of the normal form (normal_member). m->out.means says what it is
// how   Without accelerations and multipliers that polynomial is the numerator of e. With them points in numbers
//       (set_points.c) say which rows of M and h the row (A, b) is made of, and which of their columns have an inverse
//       there. Each determinant of these, bordered by (A, b) and one further column, must vanish: then e is a
//       combination of the rows wherever the columns have an inverse. Rows whose factor is the same short number at
//       all points are taken off beforehand. Numbers only say what to prove. Where the numerator itself is no
//       combination, it is tried times the denominators: they do not vanish where e has a value.
#include "algebra/motion_parts.h"

#include "algebra/set_points.h"
#include "expr/calculus.h"
#include "expr/normal.h"

#include <math.h>

enum {
  most_rows = 6, // a determinant of one more is made
  looks = 8,     // points
  most_unknowns = 200
};

// Which rows and columns of M and h count, and the roots of a ring: values of constraints between positions, then these
// rows of M, h and A, b; without unknowns e alone.
typedef struct SetDeterminant {
  uint32_t rows[most_rows], columns[most_rows], size;
  ExprId *A, b; // what is left of e
  ExprId *roots;
  uint32_t values, width, count; // constraints, a row, roots
} SetDeterminant;

static bool list_roots(MotionCheck *m, SetDeterminant *x) {
  const System *s = m->s;
  uint32_t k = m->k, n = 0;
  x->width = k + 1;
  x->roots = arena_array(m->arena, s->constraints.count + (size_t)(x->size + 1) * x->width, sizeof *x->roots);
  if (!x->roots) return false;
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    if (!s->constraints.items[i].velocities) x->roots[n++] = s->constraints.items[i].value;
  }
  x->values = n;
  for (uint32_t i = 0; i < x->size; i++) {
    for (uint32_t j = 0; j < k; j++) x->roots[n++] = m->M[x->rows[i] * k + j];
    x->roots[n++] = m->h[x->rows[i]];
  }
  for (uint32_t j = 0; j < k; j++) x->roots[n++] = x->A[j];
  x->roots[n++] = x->b;
  x->count = n;
  return true;
}

// The numerators of the constraints, those that are not zero.
static uint32_t numerators(Normal *n, const Frac *f, uint32_t count, Poly **g) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (n->api->length(n->ring, f[i].num)) g[kept++] = f[i].num;
  }
  return kept;
}

// The entries of all rows, each row over one denominator. NULL: n->why.
static Poly **clear_rows(Normal *n, const SetDeterminant *x, const Frac *f) {
  Poly **entry = arena_array(n->arena, (size_t)(x->size + 1) * x->width, sizeof *entry);
  for (uint32_t i = 0; entry && i <= x->size; i++) {
    if (!normal_clear(n, f + (size_t)i * x->width, x->width, entry + (size_t)i * x->width)) return NULL;
  }
  return entry;
}

// The determinant of the chosen columns and column c, of the chosen rows and the one of e.
static Poly *bordered(Normal *n, const SetDeterminant *x, Poly **entry, uint32_t c) {
  uint32_t size = x->size + 1;
  Poly **a = arena_array(n->arena, (size_t)size * size, sizeof *a);
  for (uint32_t i = 0; a && i < size; i++) {
    for (uint32_t j = 0; j < x->size; j++) a[i * size + j] = entry[(size_t)i * x->width + x->columns[j]];
    a[i * size + x->size] = entry[(size_t)i * x->width + c];
  }
  return a ? normal_determinant(n, a, size) : NULL;
}

static bool is_chosen(const SetDeterminant *x, uint32_t c) {
  for (uint32_t j = 0; j < x->size; j++) {
    if (x->columns[j] == c) return true;
  }
  return false;
}

static bool prove(MotionCheck *m, const SetDeterminant *x, Normal *n) {
  Frac *f = arena_array(m->arena, x->count, sizeof *f);
  Poly **g = arena_array(m->arena, x->values, sizeof *g);
  if (!f || !g || !normal_open(n, m->pool, m->arena, x->roots, x->count) || !fracs_of(n, x->roots, x->count, f))
    return false;
  uint32_t count = numerators(n, f, x->values, g);
  Poly **entry = clear_rows(n, x, f + x->values), *below = normal_den(n, f[x->count - 1]);
  if (!count || !entry) return false;
  for (uint32_t c = 0; c < x->width; c++) {
    Poly *zero = is_chosen(x, c) ? NULL : bordered(n, x, entry, c);
    if (is_chosen(x, c) || (zero && n->api->length(n->ring, zero) == 0)) continue;
    if (!zero) return false;
    if (normal_member(n, g, count, zero)) continue;
    Poly *more = below && n->api->length(n->ring, below) > 1 ? normal_mul(n, zero, below) : NULL;
    if (!more || !normal_member(n, g, count, more)) return false;
  }
  return true;
}

// ---- which rows and columns, in numbers

// Elimination with row pivoting of n rows of `width`. False: the first n columns have no inverse.
static bool eliminate(double *a, uint32_t n, uint32_t width) {
  for (uint32_t c = 0; c < n; c++) {
    uint32_t best = c;
    double largest = 0;
    for (uint32_t i = c; i < n; i++) {
      if (fabs(a[i * width + c]) > fabs(a[best * width + c])) best = i;
      for (uint32_t j = c; j < n; j++) largest = fmax(largest, fabs(a[i * width + j]));
    }
    // rounding is 1e-16, and columns differ by their units
    if (!(fabs(a[best * width + c]) > 1e-9 * largest)) return false;
    for (uint32_t j = 0; j < width; j++) {
      double swap = a[c * width + j];
      a[c * width + j] = a[best * width + j];
      a[best * width + j] = swap;
    }
    for (uint32_t i = c + 1; i < n; i++) {
      double factor = a[i * width + c] / a[c * width + c];
      for (uint32_t j = c; j < width; j++) a[i * width + j] -= factor * a[c * width + j];
    }
  }
  return true;
}

// M' z = A: of which rows (A, b) is made at a point. False: M has no inverse there. `room` has k * (k + 1) numbers.
static bool find_factors(const double *M, const double *A, uint32_t k, double *room, double *z) {
  uint32_t width = k + 1;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) room[i * width + j] = M[j * k + i];
    room[i * width + k] = A[i];
  }
  if (!eliminate(room, k, width)) return false;
  for (uint32_t i = k; i-- > 0;) {
    double sum = room[i * width + k];
    for (uint32_t j = i + 1; j < k; j++) sum -= room[i * width + j] * z[j];
    z[i] = sum / room[i * width + i];
  }
  return true;
}

static double size_of_row(const double *M, uint32_t k, uint32_t i) {
  double size = 0;
  for (uint32_t j = 0; j < k; j++) size = fmax(size, fabs(M[i * k + j]));
  return size;
}

// Columns of the chosen rows with large pivots, by elimination with both kinds of pivoting.
static bool choose_columns(const double *M, uint32_t k, SetDeterminant *x, double *room) {
  bool row_done[most_rows] = {0};
  for (uint32_t i = 0; i < x->size; i++) {
    for (uint32_t j = 0; j < k; j++) room[i * k + j] = M[x->rows[i] * k + j];
  }
  for (uint32_t p = 0; p < x->size; p++) {
    uint32_t row = 0, column = 0;
    double most = 0;
    for (uint32_t i = 0; i < x->size; i++) {
      for (uint32_t j = 0; j < k && !row_done[i]; j++) {
        if (fabs(room[i * k + j]) > most) most = fabs(room[i * k + j]), row = i, column = j;
      }
    }
    if (!(most > 0)) return false;
    row_done[row] = true;
    x->columns[p] = column;
    for (uint32_t i = 0; i < x->size; i++) {
      double factor = room[i * k + column] / room[row * k + column];
      for (uint32_t j = 0; j < k && !row_done[i]; j++) room[i * k + j] -= factor * room[row * k + j];
      if (!row_done[i]) room[i * k + column] = 0;
    }
  }
  return true;
}

static bool is_regular(const double *M, uint32_t k, const SetDeterminant *x) {
  double a[most_rows * most_rows];
  for (uint32_t i = 0; i < x->size; i++) {
    for (uint32_t j = 0; j < x->size; j++) a[i * x->size + j] = M[x->rows[i] * k + x->columns[j]];
  }
  return eliminate(a, x->size, x->size);
}

// M and A at points of the set, one behind the other. Returns how many points there are.
static uint32_t list_points(MotionCheck *m, double *values) {
  System own = *m->unreduced;
  SetPoints points, *x = &points;
  uint32_t k = m->k, size = k * k + k, count = 0;
  ExprId *wanted = arena_array(m->arena, size, sizeof *wanted);
  if (!wanted) return 0;
  for (uint32_t j = 0; j < size; j++) wanted[j] = j < k * k ? m->M[j] : m->A[j - k * k];
  if (!set_points_open(x, &own, wanted, size)) return 0;
  for (uint32_t i = 0; i < looks; i++) {
    if (!set_points_next(x)) continue;
    for (uint32_t j = 0; j < size; j++) values[(size_t)count * size + j] = set_points_value(x, j);
    count++;
  }
  return count;
}

typedef struct SetNumbers {
  uint32_t k, count; // unknowns, points
  double *values;    // of each point: M, A
  double *z;         // of each point: the factors of the rows
  double *room;
} SetNumbers;

static const double *matrix_at(const SetNumbers *n, uint32_t i) { return n->values + (size_t)i * n->k * (n->k + 1); }

// M and A at points, and the factors there. False: there are none, or M has no inverse at one of them.
static bool find_numbers(MotionCheck *m, SetNumbers *n) {
  uint32_t k = n->k;
  n->values = arena_array(m->arena, (size_t)looks * k * (k + 1), sizeof *n->values);
  n->z = arena_array(m->arena, (size_t)looks * k, sizeof *n->z);
  n->room = arena_array(m->arena, (size_t)k * (k + 1), sizeof *n->room);
  if (!n->values || !n->z || !n->room) return false;
  n->count = list_points(m, n->values);
  for (uint32_t i = 0; i < n->count; i++) {
    const double *M = matrix_at(n, i);
    if (!find_factors(M, M + (size_t)k * k, k, n->room, n->z + (size_t)i * k)) return false;
  }
  return n->count > 0;
}

// Does a row count at any point, beside the others?
static bool is_used(const SetNumbers *n, uint32_t row) {
  for (uint32_t i = 0; i < n->count; i++) {
    const double *M = matrix_at(n, i), *z = n->z + (size_t)i * n->k;
    double most = 0;
    for (uint32_t j = 0; j < n->k; j++) most = fmax(most, fabs(z[j]) * size_of_row(M, n->k, j));
    if (fabs(z[row]) * size_of_row(M, n->k, row) > 1e-9 * most) return true;
  }
  return false;
}

// Its factor as p/q with a small q, the same at all points.
static bool is_short_number(const SetNumbers *n, uint32_t row, int64_t *p, int64_t *q) {
  const double first = n->z[row];
  if (n->count < 2 || !(fabs(first) < 1e6)) return false;
  for (uint32_t i = 1; i < n->count; i++) {
    if (fabs(n->z[(size_t)i * n->k + row] - first) > 1e-9 * (1 + fabs(first))) return false;
  }
  for (*q = 1; *q <= 100; ++*q) {
    *p = llround(first * (double)*q);
    if (fabs(first * (double)*q - (double)*p) <= 1e-9 * (1 + fabs(first))) return true;
  }
  return false;
}

static void take_off(MotionCheck *m, SetDeterminant *x, uint32_t row, int64_t p, int64_t q) {
  ExprId factor = expr_div(m->pool, expr_int(m->pool, p), expr_int(m->pool, q));
  for (uint32_t j = 0; j < m->k; j++)
    x->A[j] = expr_sub(m->pool, x->A[j], expr_mul(m->pool, factor, m->M[row * m->k + j]));
  x->b = expr_sub(m->pool, x->b, expr_mul(m->pool, factor, m->h[row]));
}

// What to prove. False: M has no inverse on the set, or too many rows count, which is said.
static bool choose(MotionCheck *m, SetDeterminant *x) {
  SetNumbers numbers = {.k = m->k}, *n = &numbers;
  int64_t p, q;
  x->b = m->k ? m->b : m->e;
  if (!m->k) return true;
  x->A = arena_array(m->arena, m->k, sizeof *x->A);
  if (m->k > most_unknowns || !x->A || !find_numbers(m, n)) return false;
  for (uint32_t j = 0; j < m->k; j++) x->A[j] = m->A[j];
  for (uint32_t i = 0; i < m->k; i++) {
    if (!is_used(n, i)) continue;
    if (is_short_number(n, i, &p, &q)) {
      take_off(m, x, i, p, q);
      continue;
    }
    if (x->size == most_rows) {
      m->out.reason = "it mixes more than 6 equations, too many for a proof by determinants";
      return false;
    }
    x->rows[x->size++] = i;
  }
  if (!choose_columns(n->values, m->k, x, n->room)) return false;
  for (uint32_t i = 0; i < n->count; i++) {
    if (!is_regular(matrix_at(n, i), m->k, x)) return false;
  }
  return true;
}

bool motion_prove_on_set(MotionCheck *m) {
  SetDeterminant x = {0};
  Normal normal = {0}, *n = &normal;
  uint32_t coord;
  if ((m->k && !m->linear) || !choose(m, &x) || !list_roots(m, &x)) return false;
  bool proved = prove(m, &x, n);
  normal_close(n);
  if (!proved || !m->k) return proved;
  m->out.means = motion_is_solved_form(m, &coord)
                     ? arena_printf(m->arena, "the equations solved for %s''", m->s->coords.items[coord].name)
                     : "a combination of the equations of motion";
  m->out.condition = "where the factors of the combination do not vanish";
  return true;
}
