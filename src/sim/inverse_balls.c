// Inverse dynamics of spherical joints: angular velocity and acceleration from quaternions. A part of inverse.h.
//
// in    columns r.w r.x r.y r.z, perhaps r.wx r.wy r.wz, perhaps r.wx' r.wy' r.wz'
// out   w and w', where the table does not have them: w = 2 conj(r) r', w' = 2 conj(r) r'' by splines through r, or w'
//       by splines through w
//
// conj(r') r' is a number, so w' needs no further term.
#include "sim/inverse.h"
#include "sim/spline.h"

#include <math.h>

void inverse_ball_columns(Arena *arena, InversePlan *p, const InverseTable *t, Diags *diags) {
  for (uint32_t i = 0; i < inverse_turns(p); i++) {
    InverseBall *ball = &p->balls[i / 3];
    InverseCoord *c = &p->coords[p->s.coord_count + i];
    if (i % 3 == 0) {
      const TreeBall *of = &p->s.tree.balls.items[i / 3];
      *ball = (InverseBall){.name = of->name, .first = of->first};
      for (uint32_t k = 0; k < 4; k++) {
        const char *name = p->s.states.items[of->first + k].name;
        ball->columns[k] = inverse_column(t, name);
        if (ball->columns[k] == UINT32_MAX) inverse_missing(t, "quaternion", name, diags);
        else p->used[ball->columns[k]] = true;
      }
    }
    c->name = p->s.states.items[ball->first + 4 + i % 3].name;
    c->force = arena_printf(arena, "force.%s", c->name);
    c->columns[0] = UINT32_MAX;
    for (uint32_t k = 1; k < 3; k++) {
      const char *name = arena_printf(arena, "%s%s", c->name, k == 1 ? "" : "'");
      if (!name) return;
      c->columns[k] = inverse_column(t, name);
      if (c->columns[k] != UINT32_MAX) p->used[c->columns[k]] = true;
      else p->made[p->made_count++] = name;
    }
  }
}

// The four columns with signs that follow each other. False: out says which is no orientation.
static bool take_quaternion(Arena *arena, const InverseBall *b, const InverseTable *t, const double *values,
                            uint32_t rows, double *r, InverseResult *out) {
  for (uint32_t i = 0; i < rows; i++) {
    const double *row = values + (size_t)i * t->width;
    double square = 0, same = 0;
    for (int k = 0; k < 4; k++) {
      double x = r[(size_t)k * rows + i] = row[b->columns[k]];
      square += x * x;
      same += i ? x * r[(size_t)k * rows + i - 1] : 0;
    }
    if (!(fabs(square - 1) <= 2e-6)) {
      out->status = run_input;
      out->message = arena_printf(arena, "at t = %.6g the quaternion %s has length %.9g, and a turn has length 1",
                                  row[0], b->name, sqrt(square));
      return false;
    }
    for (int k = 0; k < 4 && same < 0; k++) r[(size_t)k * rows + i] *= -1;
  }
  return true;
}

// Part k of 2 conj(r) d at a row.
static double along(const double *r, const double *d, uint32_t rows, uint32_t i, uint32_t k) {
  const double *a = r + i, *b = d + i;
  size_t u = (size_t)(1 + (k + 1) % 3) * rows, v = (size_t)(1 + (k + 2) % 3) * rows, own = (size_t)(1 + k) * rows;
  return 2 * (a[0] * b[own] - a[own] * b[0] - a[u] * b[v] + a[v] * b[u]);
}

bool inverse_ball_motion(Arena *arena, const InversePlan *p, const InverseTable *t, const double *values, uint32_t rows,
                         double *motion, InverseResult *out) {
  if (!inverse_turns(p)) return true;
  double *time = arena_array(arena, rows, sizeof *time), *from = arena_array(arena, rows, sizeof *from);
  double *r = arena_array(arena, (size_t)12 * rows, sizeof *r), *rate = r ? r + (size_t)4 * rows : NULL,
         *second = r ? r + (size_t)8 * rows : NULL;
  if (!time || !from || !r) return false;
  for (uint32_t i = 0; i < rows; i++) time[i] = values[(size_t)i * t->width];
  for (uint32_t i = 0; i < inverse_turns(p); i++) {
    const InverseCoord *c = &p->coords[p->s.coord_count + i];
    double *w = motion + (size_t)(2 * (p->s.coord_count + i)) * rows, *a = w + rows;
    bool rates = c->columns[1] != UINT32_MAX, both = c->columns[2] != UINT32_MAX;
    if (i % 3 == 0) {
      if (!take_quaternion(arena, &p->balls[i / 3], t, values, rows, r, out)) return false;
      for (int k = 0; k < 4 && rows >= spline_least; k++) {
        double *own = r + (size_t)k * rows;
        if (!spline_slopes(arena, time, own, rows, own + 4 * (size_t)rows, own + 8 * (size_t)rows)) return false;
      }
    }
    for (uint32_t j = 0; j < rows; j++) {
      const double *row = values + (size_t)j * t->width;
      w[j] = from[j] = rates ? row[c->columns[1]] : along(r, rate, rows, j, i % 3);
      a[j] = both ? row[c->columns[2]] : rates ? 0 : along(r, second, rows, j, i % 3);
    }
    if (rates && !both && !spline_slopes(arena, time, from, rows, a, NULL)) return false;
  }
  return true;
}
