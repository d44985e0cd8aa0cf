// Strongly connected components of a matrix: rows i and j are of one part where i feeds j, over any number of steps,
// and j feeds i.
#include "analyze/parts.h"

typedef struct PartGraph {
  size_t n, words;
  uint64_t *reach; // row i: what i feeds
} PartGraph;

static bool feeds(const PartGraph *g, size_t i, size_t j) { return g->reach[i * g->words + j / 64] >> j % 64 & 1; }

bool parts_find(Arena *arena, uint32_t n, const double *a, MatrixParts *out) {
  PartGraph graph = {.n = n, .words = n / 64 + 1}, *g = &graph;
  *out = (MatrixParts){.of = arena_array(arena, (size_t)n + 1, sizeof *out->of),
                       .loops = arena_array(arena, (size_t)n + 1, sizeof *out->loops)};
  g->reach = arena_array(arena, n * g->words + 1, sizeof *g->reach);
  if (arena_failed(arena)) return false;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      if (a[i * n + j] != 0) g->reach[j * g->words + i / 64] |= (uint64_t)1 << i % 64;
    }
  }
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < n; i++) {
      if (!feeds(g, i, k)) continue;
      for (size_t l = 0; l < g->words; l++) g->reach[i * g->words + l] |= g->reach[k * g->words + l];
    }
  }
  for (size_t i = 0; i < n; i++) out->of[i] = UINT32_MAX;
  for (size_t i = 0; i < n; i++) {
    if (out->of[i] != UINT32_MAX) continue;
    for (size_t j = i; j < n; j++) {
      if (j == i || (feeds(g, i, j) && feeds(g, j, i))) out->of[j] = out->count;
    }
    out->loops[out->count++] = feeds(g, i, i);
  }
  return true;
}
