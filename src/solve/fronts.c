// Multifrontal factorization of symmetric indefinite matrices. See the head of fronts.h.
//
// Notation: a front has s columns that are eliminated in it and u rows below them, f = s + u. Its panel, f numbers a
// column, becomes L; the u * u numbers that it leaves (lower triangle) stand on the stack, behind them u sizes: how
// large the terms of each diagonal entry are, against which a pivot may be lost.
#include "solve/fronts.h"

#include "solve/fronts_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Loops of a small number of rounds that is known are written out.
#if defined __GNUC__ && !defined __clang__
#define WRITTEN_OUT _Pragma("GCC unroll 8")
#else
#define WRITTEN_OUT
#endif

struct Fronts {
  Slab slab; // all arrays
  FrontsTree tree;
  uint32_t *entry_first; // count + 1: entries of the matrix in each panel
  uint32_t *entry_from, *entry_to;
  uint32_t *place; // of each row of a front in the front of its parent
  size_t *panel;   // count + 1: where panels begin
  double *lower, *inverse, *diagonal;
  double *stack, *work;
  uint32_t negative;
};

static uint32_t columns_of(const FrontsTree *t, uint32_t s) { return t->begin[s + 1] - t->begin[s]; }
static uint32_t rows_of(const FrontsTree *t, uint32_t s) { return (uint32_t)(t->first[s + 1] - t->first[s]); }

// ---- what stays the same for a pattern

// at[r]: the index of row r in the front of s.
static void number_front(const FrontsTree *t, uint32_t s, uint32_t *at) {
  uint32_t k = 0;
  for (uint32_t c = t->begin[s]; c < t->begin[s + 1]; c++) at[c] = k++;
  for (size_t r = t->first[s]; r < t->first[s + 1]; r++) at[t->rows[r]] = k++;
}

static void list_entries(Fronts *x, const uint32_t *start, const uint32_t *row, uint32_t s, const uint32_t *at) {
  const FrontsTree *t = &x->tree;
  uint32_t f = columns_of(t, s) + rows_of(t, s), count = x->entry_first[s];
  for (uint32_t c = t->begin[s]; c < t->begin[s + 1]; c++) {
    for (uint32_t p = start[t->order[c]]; p < start[t->order[c] + 1]; p++) {
      uint32_t r = t->back[row[p]];
      if (r < c) continue;
      x->entry_from[count] = p;
      x->entry_to[count++] = (c - t->begin[s]) * f + at[r];
    }
  }
  x->entry_first[s + 1] = count;
}

// The most that waits on the stack, in numbers.
static size_t stack_size(const FrontsTree *t) {
  size_t now = 0, most = 0;
  for (uint32_t s = 0; s < t->count; s++) {
    size_t u = rows_of(t, s), own = u * u + u;
    if (now + own > most) most = now + own;
    now = now + own - t->taken[s];
  }
  return most;
}

static bool take_arrays(Fronts *x, size_t half) {
  const FrontsTree *t = &x->tree;
  size_t n = t->n, count = t->count;
  x->panel = slab_take(&x->slab, count + 1, sizeof *x->panel);
  x->entry_first = slab_take(&x->slab, count + 1, sizeof *x->entry_first);
  x->entry_from = slab_take(&x->slab, half, sizeof *x->entry_from);
  x->entry_to = slab_take(&x->slab, half, sizeof *x->entry_to);
  x->place = slab_take(&x->slab, t->first[count] + 1, sizeof *x->place);
  x->inverse = slab_take(&x->slab, n + 1, sizeof *x->inverse);
  x->diagonal = slab_take(&x->slab, n + 1, sizeof *x->diagonal);
  x->work = slab_take(&x->slab, n + 1, sizeof *x->work);
  x->stack = slab_take(&x->slab, stack_size(t) + 1, sizeof *x->stack);
  return x->panel && x->entry_first && x->entry_from && x->entry_to && x->place && x->inverse && x->diagonal &&
         x->work && x->stack;
}

Fronts *fronts_new(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border, const uint32_t *group,
                   bool backwards) {
  Fronts *x = calloc(1, sizeof *x);
  if (!x) return NULL;
  x->slab.next = 160 * (size_t)n; // about what a chain needs
  if (!fronts_order(&x->slab, &x->tree, n, start, row, border, group, backwards)) {
    fronts_free(x);
    return NULL;
  }
  FrontsTree *t = &x->tree;
  size_t lower = 0, half = ((size_t)start[n] + n) / 2 + 1;
  uint32_t *at = slab_take(&x->slab, (size_t)n + 1, sizeof *at);
  bool ok = at && take_arrays(x, half);
  for (uint32_t s = t->count; ok && s-- > 0;) { // parents first
    uint32_t p = t->parent[s];
    if (p == fronts_none) continue;
    const size_t *first = t->first;
    // rows rise in both: one walk beside the columns and rows of the parent
    size_t k = first[p];
    for (size_t r = first[s]; r < first[s + 1]; r++) {
      uint32_t i = t->rows[r];
      while (i >= t->begin[p + 1] && t->rows[k] < i) k++;
      x->place[r] = i < t->begin[p + 1] ? i - t->begin[p] : columns_of(t, p) + (uint32_t)(k - first[p]);
    }
  }
  for (uint32_t s = 0; ok && s < t->count; s++) {
    x->panel[s] = lower;
    lower += (size_t)columns_of(t, s) * (columns_of(t, s) + rows_of(t, s));
    number_front(t, s, at);
    list_entries(x, start, row, s, at);
  }
  if (ok) x->panel[t->count] = lower;
  x->lower = ok ? slab_take(&x->slab, lower + 1, sizeof *x->lower) : NULL;
  if (x->lower) return x;
  fronts_free(x);
  return NULL;
}

void fronts_free(Fronts *x) {
  if (!x) return;
  slab_give(&x->slab);
  free(x);
}

// ---- factors

// How many rows of a child are columns of its parent: those stand first.
static uint32_t rows_into(const uint32_t *place, uint32_t count, uint32_t s) {
  uint32_t k = 0;
  while (k < count && place[k] < s) k++;
  return k;
}

// What a child left, into the panel of its parent; with the sizes.
static void extend_panel(const uint32_t *place, uint32_t count, const double *left, uint32_t s, uint32_t f,
                         double *panel, double *size) {
  uint32_t into = rows_into(place, count, s);
  const double *sizes = left + (size_t)count * count;
  for (uint32_t j = 0; j < into; j++, left += count) {
    double *column = panel + (size_t)place[j] * f;
    for (uint32_t i = j; i < count; i++) column[place[i]] += left[i];
  }
  for (uint32_t j = 0; j < count; j++) size[place[j]] += sizes[j];
}

// The same into what the parent leaves, u * u.
static void extend_rest(const uint32_t *place, uint32_t count, const double *left, uint32_t s, uint32_t u,
                        double *rest) {
  uint32_t into = rows_into(place, count, s);
  left += (size_t)into * count;
  for (uint32_t j = into; j < count; j++, left += count) {
    double *column = rest + (size_t)(place[j] - s) * u;
    for (uint32_t i = j; i < count; i++) column[place[i] - s] += left[i];
  }
}

// L D L' of the columns of a panel. False: a pivot is lost against its terms.
static inline __attribute__((always_inline)) bool eliminate(double *panel, const uint32_t s, const uint32_t f,
                                                            double *size, double *diagonal, double *inverse) {
  const double lost = 1e-14;
  WRITTEN_OUT
  for (uint32_t j = 0; j < s; j++) {
    double *column = panel + (size_t)j * f, pivot = column[j];
    if (!(fabs(pivot) > lost * size[j])) return false;
    double by = 1 / pivot;
    diagonal[j] = pivot;
    inverse[j] = by;
    WRITTEN_OUT
    for (uint32_t k = j + 1; k < s; k++) {
      double *other = panel + (size_t)k * f, y = column[k] * by;
      WRITTEN_OUT
      for (uint32_t i = k; i < f; i++) other[i] -= y * column[i];
    }
    WRITTEN_OUT
    for (uint32_t i = j + 1; i < f; i++) {
      double y = column[i];
      column[i] = y * by;
      size[i] += fabs(y * column[i]);
    }
  }
  return true;
}

// The rest becomes -L D L' of the rows below, three columns of L at a time.
static inline __attribute__((always_inline)) void reduce(const double *panel, const uint32_t s, const uint32_t f,
                                                         const double *diagonal, double *rest) {
  uint32_t u = f - s, j = s % 3 ? s % 3 : s < 3 ? s : 3;
  const double *a = panel + s, *b = a + (j > 1 ? f : 0), *c = b + (j > 2 ? f : 0);
  double da = -diagonal[0], db = j > 1 ? -diagonal[1] : 0, dc = j > 2 ? -diagonal[2] : 0;
  WRITTEN_OUT
  for (uint32_t k = 0; k < u; k++) {
    double *out = rest + (size_t)k * u, wa = a[k] * da, wb = b[k] * db, wc = c[k] * dc;
    WRITTEN_OUT
    for (uint32_t i = k; i < u; i++) out[i] = wa * a[i] + wb * b[i] + wc * c[i];
  }
  for (; j < s; j += 3) {
    a = panel + (size_t)j * f + s, b = a + f, c = b + f;
    WRITTEN_OUT
    for (uint32_t k = 0; k < u; k++) {
      double *out = rest + (size_t)k * u, wa = a[k] * diagonal[j], wb = b[k] * diagonal[j + 1],
             wc = c[k] * diagonal[j + 2];
      WRITTEN_OUT
      for (uint32_t i = k; i < u; i++) out[i] -= wa * a[i] + wb * b[i] + wc * c[i];
    }
  }
}

// One front with a given number of columns and rows below. top: the end of the stack, behind what its children left.
// Returns the new end; NULL: a pivot is lost.
static inline __attribute__((always_inline)) double *make_sized(Fronts *x, uint32_t s, const double *values,
                                                                double *top, const uint32_t columns, const uint32_t u) {
  const FrontsTree *t = &x->tree;
  const uint32_t f = columns + u;
  uint32_t at = t->begin[s];
  double *panel = x->lower + x->panel[s], *rest = top, *size = x->work, *child = top;
  for (uint32_t k = x->entry_first[s]; k < x->entry_first[s + 1]; k++) panel[x->entry_to[k]] = values[x->entry_from[k]];
  WRITTEN_OUT
  for (uint32_t j = 0; j < f; j++) size[j] = j < columns ? fabs(panel[(size_t)j * f + j]) : 0;
  for (uint32_t c = t->child[s]; c != fronts_none; c = t->sibling[c]) { // the last lies on top
    uint32_t count = rows_of(t, c);
    child -= (size_t)count * count + count;
    extend_panel(x->place + t->first[c], count, child, columns, f, panel, size);
  }
  if (!eliminate(panel, columns, f, size, x->diagonal + at, x->inverse + at)) return NULL;
  WRITTEN_OUT
  for (uint32_t j = 0; j < columns; j++) x->negative += x->diagonal[at + j] < 0;
  if (u == 0) return child;
  reduce(panel, columns, f, x->diagonal + at, rest);
  child = top;
  for (uint32_t c = t->child[s]; c != fronts_none; c = t->sibling[c]) {
    uint32_t count = rows_of(t, c);
    child -= (size_t)count * count + count;
    extend_rest(x->place + t->first[c], count, child, columns, u, rest);
  }
  // it takes the memory of the children
  double *kept = child;
  size_t own = (size_t)u * u;
  WRITTEN_OUT
  for (size_t i = 0; i < own; i++) kept[i] = rest[i];
  WRITTEN_OUT
  for (uint32_t i = 0; i < u; i++) kept[own + i] = size[columns + i];
  return kept + own + u;
}

// Most fronts are alike: with their numbers known the compiler writes them out. (3, 3) is a link of a chain, (2, 3) one
// that hangs on a spring, (4, 6) a bay of a truss.
static double *make_front(Fronts *x, uint32_t s, const double *values, double *top) {
  uint32_t columns = columns_of(&x->tree, s), u = rows_of(&x->tree, s);
  if (columns == 3 && u == 3) return make_sized(x, s, values, top, 3, 3);
  if (columns == 2 && u == 3) return make_sized(x, s, values, top, 2, 3);
  if (columns == 4 && u == 6) return make_sized(x, s, values, top, 4, 6);
  return make_sized(x, s, values, top, columns, u);
}

SparseStatus fronts_make(Fronts *x, const double *values) {
  double *top = x->stack;
  x->negative = 0;
  memset(x->lower, 0, x->panel[x->tree.count] * sizeof *x->lower);
  for (uint32_t s = 0; top && s < x->tree.count; s++) top = make_front(x, s, values, top);
  return top ? sparse_done : sparse_singular;
}

// ---- solutions

// One front forwards and backwards.
static inline __attribute__((always_inline)) void forward_front(const double *panel, const uint32_t columns,
                                                                const uint32_t u, const uint32_t *rows, double *own,
                                                                double *z) {
  const uint32_t f = columns + u;
  uint32_t j = 0;
  WRITTEN_OUT
  for (uint32_t k = 0; k + 1 < columns; k++) {
    WRITTEN_OUT
    for (uint32_t i = k + 1; i < columns; i++) own[i] -= panel[(size_t)k * f + i] * own[k];
  }
  for (; j + 2 <= columns; j += 2) {
    const double *a = panel + (size_t)j * f + columns, *b = a + f;
    double p = own[j], q = own[j + 1];
    WRITTEN_OUT
    for (uint32_t i = 0; i < u; i++) z[rows[i]] -= a[i] * p + b[i] * q;
  }
  for (; j < columns; j++) {
    const double *a = panel + (size_t)j * f + columns;
    double p = own[j];
    WRITTEN_OUT
    for (uint32_t i = 0; i < u; i++) z[rows[i]] -= a[i] * p;
  }
}

static inline __attribute__((always_inline)) void backward_front(const double *panel, const uint32_t columns,
                                                                 const uint32_t u, const uint32_t *rows,
                                                                 const double *inverse, double *own, const double *z) {
  const uint32_t f = columns + u;
  uint32_t j = 0;
  for (; j + 2 <= columns; j += 2) {
    const double *a = panel + (size_t)j * f + columns, *b = a + f;
    double p = own[j] * inverse[j], q = own[j + 1] * inverse[j + 1];
    WRITTEN_OUT
    for (uint32_t i = 0; i < u; i++) {
      p -= a[i] * z[rows[i]];
      q -= b[i] * z[rows[i]];
    }
    own[j] = p;
    own[j + 1] = q;
  }
  for (; j < columns; j++) {
    const double *a = panel + (size_t)j * f + columns;
    double p = own[j] * inverse[j];
    WRITTEN_OUT
    for (uint32_t i = 0; i < u; i++) p -= a[i] * z[rows[i]];
    own[j] = p;
  }
  WRITTEN_OUT
  for (uint32_t k = columns; k-- > 1;) {
    WRITTEN_OUT
    for (uint32_t i = 0; i < k; i++) own[i] -= panel[(size_t)i * f + k] * own[k];
  }
}

// The sizes of make_front.
static void forward(const Fronts *x, double *z) {
  const FrontsTree *t = &x->tree;
  for (uint32_t s = 0; s < t->count; s++) {
    const double *panel = x->lower + x->panel[s];
    const uint32_t *rows = t->rows + t->first[s];
    uint32_t columns = columns_of(t, s), u = rows_of(t, s);
    double *own = z + t->begin[s];
    if (columns == 3 && u == 3) forward_front(panel, 3, 3, rows, own, z);
    else if (columns == 2 && u == 3) forward_front(panel, 2, 3, rows, own, z);
    else if (columns == 4 && u == 6) forward_front(panel, 4, 6, rows, own, z);
    else forward_front(panel, columns, u, rows, own, z);
  }
}

static void backward(const Fronts *x, double *z) {
  const FrontsTree *t = &x->tree;
  for (uint32_t s = t->count; s-- > 0;) {
    const double *panel = x->lower + x->panel[s], *inverse = x->inverse + t->begin[s];
    const uint32_t *rows = t->rows + t->first[s];
    uint32_t columns = columns_of(t, s), u = rows_of(t, s);
    double *own = z + t->begin[s];
    if (columns == 3 && u == 3) backward_front(panel, 3, 3, rows, inverse, own, z);
    else if (columns == 2 && u == 3) backward_front(panel, 2, 3, rows, inverse, own, z);
    else if (columns == 4 && u == 6) backward_front(panel, 4, 6, rows, inverse, own, z);
    else backward_front(panel, columns, u, rows, inverse, own, z);
  }
}

void fronts_solve(const Fronts *x, double *b) {
  const FrontsTree *t = &x->tree;
  double *z = x->work;
  for (uint32_t k = 0; k < t->n; k++) z[k] = b[t->order[k]];
  forward(x, z);
  backward(x, z);
  for (uint32_t k = 0; k < t->n; k++) b[t->order[k]] = z[k];
}

double fronts_work(const Fronts *x) {
  double sum = 0;
  for (uint32_t s = 0; s < x->tree.count; s++) {
    double f = columns_of(&x->tree, s) + rows_of(&x->tree, s);
    for (uint32_t j = 0; j < columns_of(&x->tree, s); j++) sum += (f - j) * (f - j);
  }
  return sum;
}

uint32_t fronts_negative(const Fronts *x) { return x->negative; }

double fronts_least(const Fronts *x, uint32_t from) {
  double least = INFINITY;
  for (uint32_t k = 0; k < x->tree.n; k++) {
    if (x->tree.order[k] >= from) least = fmin(least, fabs(x->diagonal[k]));
  }
  return least;
}
