// Before a fit. See identify.h.
#include "fit/identify.h"

#include "fit/least.h"

#include <string.h>

static const double weak = 1e-7; // singular values, columns being of length 1: below, slopes are rounding

uint32_t identify_rank(const double *R, uint32_t k, double *room) {
  double *v = room, *values = v + (size_t)k * k, *length = values + k, *unit = length + k;
  uint32_t rank = 0;
  for (uint32_t j = 0; j < k; j++) {
    length[j] = 0;
    for (uint32_t i = 0; i <= j; i++) length[j] = hypot(length[j], R[(size_t)i * k + j]);
  }
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++)
      unit[(size_t)i * k + j] = length[j] > 0 && j >= i ? R[(size_t)i * k + j] / length[j] : 0;
  }
  least_singular(unit, k, values, v, unit);
  while (rank < k && values[rank] > weak) rank++;
  return rank;
}

// The start, then points over the box.
static void place_point(const FitProblem *f, uint32_t which, ExploreRandom *random, double *u) {
  for (uint32_t j = 0; j < f->k; j++) {
    double z = explore_uniform(random);
    bool ranged = isfinite(f->least[j]) && isfinite(f->most[j]);
    double v = ranged ? f->least[j] + z * (f->most[j] - f->least[j]) : f->unknowns[j].start * (0.5 + z);
    u[j] = which == 0 ? f->unknowns[j].start : v;
  }
}

bool identify(FitProblem *f, uint64_t seed, Identified *out) {
  enum { points = 4 };
  uint32_t k = f->k;
  Arena *arena = arena_new_scratch(f->arena);
  ExploreRandom random = {seed, UINT64_C(1) << 40}; // not those of the search
  *out = (Identified){.moves = arena_array(f->arena, k, sizeof *out->moves)};
  if (!arena) return false;
  double *u = arena_array(arena, k, sizeof *u), *r = arena_array(arena, f->points + 1, sizeof *r),
         *slopes = arena_array(arena, (f->points + 1) * k, sizeof *slopes),
         *R = arena_array(arena, (size_t)k * k, sizeof *R),
         *room = arena_array(arena, (size_t)k * (2 * k + 2), sizeof *room);
  for (uint32_t p = 0; p < points && !arena_failed(f->arena) && !fit_interrupted(f); p++) {
    place_point(f, p, &random, u);
    if (!fit_residuals(f, u, r, slopes)) continue;
    out->points++;
    least_reduce(slopes, r, f->points, k, R);
    uint32_t rank = identify_rank(R, k, room);
    if (rank > out->rank) out->rank = rank;
    out->least = fmax(out->least, room[(size_t)k * k + k - 1]);
    for (uint32_t j = 0; j < k; j++) out->moves[j] = out->moves[j] || room[(size_t)k * k + k + j] > 0;
  }
  bool ok = !arena_failed(f->arena) && !fit_interrupted(f);
  arena_free_scratch(arena);
  return ok;
}
