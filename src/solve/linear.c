// The choice between our own elimination, LAPACK and sparse factors.
//
// A factorization and eight solutions, as in a step of rodas, take OpenBLAS as long as our own elimination at n = 24
// and half as long at n = 64 (62 against 31 microseconds, bench/stiff.c). Loading it takes 6 to 10 ms, so below
// linear_lapack_size it seldom pays. Sparse factors take a tenth of the time of LAPACK's for an operation in a thousand
// (a band of three at n = 200), half for one in ten, and more from one in four on.
#include "solve/linear.h"

// Sparse factors where they take at most one operation in sparse_gain; not even tried where more than one entry in
// sparse_part is there.
enum { sparse_gain = 10, sparse_part = 5 };

bool linear_init(Linear *l, Arena *arena, uint32_t n) {
  *l = (Linear){.n = n, .lapack = n >= linear_lapack_size ? module_load() : NULL};
  if (!lu_init(&l->own, arena, n)) return false;
  l->a = l->own.a;
  l->count = l->own.count;
  l->pivot = arena_array(arena, n, sizeof *l->pivot);
  return l->pivot != NULL;
}

// The pattern with its diagonal, and where the entries go.
static void complete_pattern(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t *to_start,
                             uint32_t *to_row, size_t *place, size_t *diagonal) {
  uint32_t at = 0;
  for (uint32_t c = 0; c < n; c++) {
    bool there = false;
    to_start[c] = at;
    for (uint32_t k = start[c]; k < start[c + 1]; k++) {
      if (row[k] >= n) continue;
      if (row[k] == c) diagonal[c] = at;
      there = there || row[k] == c;
      place[k] = at;
      to_row[at++] = row[k];
    }
    if (there) continue;
    diagonal[c] = at;
    to_row[at++] = c;
  }
  to_start[n] = at;
}

// Sparse factors, if they are the faster ones; else l->sparse is NULL. False: out of memory.
static bool try_sparse(Linear *l, Arena *arena, uint32_t n, const uint32_t *start, const uint32_t *row, size_t *place,
                       size_t *diagonal) {
  uint64_t most = (uint64_t)start[n] + n; // entries with the diagonal
  *l = (Linear){.n = n};
  if (n < linear_lapack_size || most * sparse_part > (uint64_t)n * n || !module_load()) return true;
  uint32_t *to_start = arena_array(arena, (size_t)n + 1, sizeof *to_start);
  uint32_t *to_row = arena_array(arena, (size_t)most, sizeof *to_row);
  if (arena_failed(arena)) return false;
  complete_pattern(n, start, row, to_start, to_row, place, diagonal);
  l->count = to_start[n];
  l->a = arena_array(arena, l->count, sizeof *l->a);
  l->sparse = l->a ? sparse_new(n, to_start, to_row, sparse_general) : NULL;
  if (!l->sparse) return false;
  double size = n < ode_most_dense ? n : ode_most_dense;
  if (sparse_gain * sparse_work(l->sparse) > 2.0 / 3 * size * size * size) linear_clear(l);
  return true;
}

bool linear_init_sparse(Linear *l, Arena *arena, uint32_t n, const uint32_t *start, const uint32_t *row, size_t *place,
                        size_t *diagonal) {
  if (!try_sparse(l, arena, n, start, row, place, diagonal)) return false;
  if (l->sparse) return true;
  if (n > ode_most_dense) {
    l->too_dense = true;
    return false;
  }
  if (!linear_init(l, arena, n)) return false;
  lu_places(&l->own, start, row, place, diagonal);
  return true;
}

bool linear_factor(Linear *l) {
  if (l->sparse) {
    SparseStatus status = sparse_factor(l->sparse, l->a);
    l->no_memory = status == sparse_no_memory;
    return status == sparse_done;
  }
  if (l->lapack) return l->lapack->factor((int)l->n, l->a, l->pivot) == 0;
  return lu_factor(&l->own, every_lane) != 0;
}

void linear_solve(Linear *l, double *b) {
  if (l->sparse) sparse_solve(l->sparse, b, 1);
  else if (l->lapack) l->lapack->solve((int)l->n, l->a, l->pivot, b);
  else lu_solve(&l->own, b);
}

void linear_clear(Linear *l) {
  sparse_free(l->sparse);
  l->sparse = NULL;
}
