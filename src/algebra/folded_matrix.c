// Matrices whose entries repeat: M(i, i) = m[i] for i in 1 .. n instead of n rows.
//
// in    a matrix in full
// out   its entries, where those along lines follow from each other by the next index: each stretch once with its
//       range, ends that differ alone. Zeros are left out, and of a symmetric matrix what stands below the diagonal
// how   A line goes some rows down and some columns to the right; of the few ways the one with the shortest list is
//       taken: (1, 1) of a chain, (1, 2) of a Jacobian by x[1], y[1], x[2], y[2], ..., (1, 0) of a vector
// why   only where that is much shorter: a matrix that fits the eye is seen whole
#include "algebra/folded_matrix.h"

enum {
  seen_whole = 6,      // rows that are written out in any case
  most_entries = 8000, // beyond which nobody looks
  most_steps = 4       // rows or columns from one cell to the next
};

typedef VEC(ShownEntry) EntryList;

static ExprId entry(const ShownMatrix *m, uint32_t row, uint32_t col) { return m->items[(size_t)row * m->cols + col]; }

static bool is_symmetric(const ShownMatrix *m) {
  bool symmetric = m->rows == m->cols && m->rows > 1;
  for (uint32_t i = 0; symmetric && i < m->rows; i++) {
    for (uint32_t j = 0; symmetric && j < i; j++) symmetric = entry(m, i, j) == entry(m, j, i);
  }
  return symmetric;
}

// A way over a matrix, and the entries that stretches on it have.
typedef struct MatrixWay {
  uint32_t down, right;
  bool *covered;
  EntryList list;
} MatrixWay;

// How many entries from (row, col) on follow from each other.
static uint32_t follow(Folding *w, const ShownMatrix *m, const MatrixWay *way, uint32_t row, uint32_t col) {
  uint32_t n = 1;
  while (row + way->down * n < m->rows && col + way->right * n < m->cols &&
         folding_next(w, entry(m, row + way->down * (n - 1), col + way->right * (n - 1))) ==
             entry(m, row + way->down * n, col + way->right * n))
    n++;
  return n;
}

// A row or column number, as a function of i: the rows of a cell have the same.
static ShownPlace place_of(uint32_t number, uint32_t step, int64_t i) {
  return (ShownPlace){step, (int64_t)number + 1 - (int64_t)step * i};
}

static bool go(Folding *w, const ShownMatrix *m, bool symmetric, MatrixWay *way) {
  for (uint32_t row = 0; row < m->rows; row++) {
    for (uint32_t col = symmetric ? row : 0; col < m->cols; col++) {
      ShownEntry e = {.row = place_of(row, 0, 0), .col = place_of(col, 0, 0), .value = entry(m, row, col)};
      if (expr_is_zero(w->pool, e.value) || way->covered[(size_t)row * m->cols + col]) continue;
      uint32_t n = follow(w, m, way, row, col);
      if (n >= fold_least) {
        for (uint32_t k = 1; k < n; k++)
          way->covered[(row + (size_t)way->down * k) * m->cols + col + (size_t)way->right * k] = true;
        int64_t i = 1 + row / way->down;
        e.row = place_of(row, way->down, i);
        e.col = place_of(col, way->right, i);
        e.repeat = folding_range(w, i, i + n - 1);
        if (!e.repeat || !folding_general(w, i, &e.value, 1)) return false;
      }
      if (!vec_push(w->s->arena, &way->list, e)) return false;
    }
  }
  return true;
}

bool folded_matrix(Folding *w, ShownMatrix *m) {
  size_t cells = (size_t)m->rows * m->cols, entries = 0;
  EntryList best = {0};
  if (m->rows < seen_whole || m->cols == 0) return true;
  for (size_t i = 0; i < cells; i++) entries += !expr_is_zero(w->pool, m->items[i]);
  if (entries == 0 || entries > most_entries) return true;
  bool symmetric = is_symmetric(m), vector = m->cols == 1;
  for (uint32_t down = 1; down <= most_steps; down++) {
    for (uint32_t right = vector ? 0 : 1; right <= (vector ? 0 : most_steps); right++) {
      // a line of a square one stays beside its diagonal
      if (m->rows == m->cols && right != down) continue;
      MatrixWay way = {.down = down, .right = right, .covered = arena_array(w->s->arena, cells, sizeof *way.covered)};
      if (!way.covered || !go(w, m, symmetric, &way)) return false;
      if (!best.count || way.list.count < best.count) best = way.list;
    }
  }
  bool repeats = 2 * (size_t)best.count <= (symmetric ? entries / 2 : entries);
  bool empty = cells > 40 && 6 * (size_t)best.count <= cells && m->rows > 2 * seen_whole;
  if (!repeats && !empty) return true;
  m->entries = best.items;
  m->entry_count = best.count;
  m->symmetric = symmetric;
  m->zeros = entries < cells;
  return true;
}
