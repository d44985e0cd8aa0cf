// Error of inverse dynamics by splines, by comparison of spacings (Richardson). See inverse_error.h.
//
// in    a trajectory whose velocities or accelerations come from splines
// out   of each force an estimate of its largest error, and when; the size that it is compared with
// how   Forces once more by every other row, and by every fourth: D1 = |f(h) - f(2h)|, D2 = |f(2h) - f(4h)|, the
//       largest of each. Where the table resolves the trajectory the error falls with the fourth power of the spacing,
//       D2 = 16 D1, and the error is D1/15. Where it does not, or with noise, D2/D1 shows it: the error is
//       D1/(D2/D1 - 1), at most D1. The size: the largest force, or what accelerations take of it (f less that of the
//       same trajectory with q'' = 0); a trajectory that needs no force has a size as well.
#include "sim/inverse_error.h"

#include "sim/spline.h"

#include <math.h>
#include <string.h>

// Forces of every `stride`-th row, one moment after the other. part: what accelerations take of them; NULL: not asked.
typedef struct ForceLevel {
  uint32_t rows;
  double *force, *part;
} ForceLevel;

static bool find_forces(Arena *arena, const InversePlan *p, const InverseTable *t, const double *values, uint32_t rows,
                        uint32_t stride, bool parts, ForceLevel *out) {
  uint32_t n = (rows + stride - 1) / stride, count = p->count;
  *out = (ForceLevel){.rows = n, .force = arena_array(arena, (size_t)n * count + 1, sizeof(double))};
  if (parts) out->part = arena_array(arena, (size_t)n * count + 1, sizeof(double));
  ArenaMark mark = arena_mark(arena);
  double *some = arena_array(arena, (size_t)n * t->width + 1, sizeof *some);
  double *motion = arena_array(arena, (size_t)2 * count * n + 1, sizeof *motion);
  InverseResult told = {0};
  if (arena_failed(arena)) return false;
  for (uint32_t r = 0; r < n; r++)
    memcpy(some + (size_t)r * t->width, values + (size_t)r * stride * t->width, t->width * sizeof *some);
  bool ok = inverse_motion(arena, p, t, some, n, motion, &told);
  for (uint32_t r = 0; ok && r < n; r++) {
    inverse_set_row(p, some + (size_t)r * t->width, motion, r, n);
    tape_eval(p->tape, p->w);
    for (uint32_t i = 0; i < count; i++) out->force[(size_t)r * count + i] = tape_result(p->tape, p->w, i);
    if (!parts) continue;
    inverse_clear_accelerations(p);
    tape_eval(p->tape, p->w);
    for (uint32_t i = 0; i < count; i++)
      out->part[(size_t)r * count + i] = out->force[(size_t)r * count + i] - tape_result(p->tape, p->w, i);
  }
  arena_release(arena, mark);
  return ok;
}

// The largest difference of force i between a level and the next one, which has every other of its rows; *row: where.
static double largest_difference(const ForceLevel *fine, const ForceLevel *coarse, uint32_t count, uint32_t i,
                                 uint32_t *row) {
  double most = 0;
  for (uint32_t r = 0; r < coarse->rows; r++) {
    double d = fabs(fine->force[(size_t)2 * r * count + i] - coarse->force[(size_t)r * count + i]);
    if (!(d <= most)) most = d, *row = 2 * r;
  }
  return most;
}

static double size_of(const ForceLevel *l, uint32_t count, uint32_t i) {
  double most = 0;
  for (uint32_t r = 0; r < l->rows; r++)
    most = fmax(most, fmax(fabs(l->force[(size_t)r * count + i]), fabs(l->part[(size_t)r * count + i])));
  return most;
}

bool inverse_estimate(Arena *arena, const InversePlan *p, const InverseTable *t, const double *values, uint32_t rows,
                      InverseResult *out) {
  enum { levels = 3, order = 4 };
  ForceLevel level[levels];
  uint32_t known = 0;
  if (!p->made_count || rows < inverse_least_reported) return true;
  for (; known < levels && (rows + (1u << known) - 1) >> known >= spline_least; known++) {
    if (!find_forces(arena, p, t, values, rows, 1u << known, known == 0, &level[known])) return false;
  }
  for (uint32_t i = 0; i < p->count; i++) {
    InverseForce *f = &out->forces[i];
    uint32_t row = 0, other = 0;
    double d1 = largest_difference(&level[0], &level[1], p->count, i, &row);
    double d2 = known > 2 ? largest_difference(&level[1], &level[2], p->count, i, &other) : 0;
    double ratio = fmin(fmax(d2 / d1, 2), 1 << order);
    f->error = d1 > 0 ? d1 / (ratio - 1) : 0;
    f->error_at = values[(size_t)row * t->width];
    f->size = size_of(&level[0], p->count, i);
  }
  return true;
}
