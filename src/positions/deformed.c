// Deformed positions by nonlinear least squares. See deformed.h.
#include "positions/deformed.h"

#include <string.h>

static bool is_failure(NearestStatus status) { return status == nearest_no_memory || status == nearest_no_module; }

NearestStatus deformed_near(Places *soft, const double *P, bool near, double *u, NearestPoint *out) {
  static const double weights[] = {1, 10, 100, 1000};
  uint32_t count = sizeof weights / sizeof *weights, iterations = 0;
  bool *skip = arena_array(soft->arena, (size_t)soft->m + 1, sizeof *skip);
  double *weight = arena_array(soft->arena, (size_t)soft->m + 1, sizeof *weight);
  if (!skip || !weight) return nearest_no_memory;

  // from the drawing onto the lengths, as if nothing were held
  for (uint32_t i = 0; i < soft->k; i++) {
    if (soft->drive_row[i] != UINT32_MAX) skip[soft->drive_row[i]] = true;
  }
  NearestStatus status = near ? nearest_done : gather(soft, &(NearestRequest){.skip = skip, .P = P}, u, out);
  iterations = near ? 0 : out->iterations;

  // what is held pulls harder and harder
  for (uint32_t k = near ? 1 : 0; k < count && !is_failure(status); k++) {
    for (uint32_t i = 0; i < soft->m; i++) weight[i] = soft->soft.rows[i] ? 1 : weights[k];
    status = gather(soft, &(NearestRequest){.P = P, .weight = weight, .rough = 1e-3}, u, out);
    iterations += out->iterations;
  }
  out->iterations = iterations;
  return status;
}

NearestStatus deformed_settle(Places *p, const double *P, double *u, NearestPoint *out) {
  bool *may = arena_array(p->arena, (size_t)p->n + 1, sizeof *may);
  if (!may) return nearest_no_memory;
  // forces of what is held, which stand in the equations linearly, then everything
  for (uint32_t i = p->coords + p->angle_count; i < p->n; i++) may[i] = true;
  NearestStatus status = gather(p, &(NearestRequest){.P = P, .may = may}, u, out);
  if (is_failure(status)) return status;
  uint32_t before = out->iterations;
  status = gather(p, &(NearestRequest){.P = P}, u, out);
  out->iterations += before;
  return status;
}
