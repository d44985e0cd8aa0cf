// The ground, the axes, and the boxes of equal inertia of bodies: see the header.
//
// in    a Scene in space with its camera
// out   a grid of squares of 1, 2 or 5 times a power of ten below everything, or where a `ground` is drawn; boxes from
//       masses and moments of inertia
// why   a box with sides a, b, c has the moments m/12 (b^2 + c^2), ...; so a^2 = 6 (Ib + Ic - Ia)/m about its own axes
#include "show/space.h"

#include <math.h>
#include <string.h>

// ---- boxes of bodies

// Symmetric a becomes diagonal, the columns of v its axes (Jacobi's rotations).
static void diagonalize(double a[3][3], double v[3][3]) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) v[i][k] = i == k;
  }
  for (int sweep = 0; sweep < 30; sweep++) {
    double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
    if (!(off > 1e-15 * (fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2])))) return;
    for (int p = 0; p < 2; p++) {
      for (int q = p + 1; q < 3; q++) {
        if (a[p][q] == 0) continue;
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]), sign = theta < 0 ? -1 : 1;
        double t = sign / (fabs(theta) + hypot(theta, 1)), c = 1 / hypot(t, 1), s = t * c;
        for (int k = 0; k < 3; k++) {
          double x = a[k][p], y = a[k][q], vx = v[k][p], vy = v[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
          v[k][p] = c * vx - s * vy, v[k][q] = s * vx + c * vy;
        }
        for (int k = 0; k < 3; k++) {
          double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
      }
    }
  }
}

bool space_box(const double i[7], double axes[9], double half[3]) {
  double a[3][3] = {{i[1], i[4], i[5]}, {i[4], i[2], i[6]}, {i[5], i[6], i[3]}}, v[3][3], size = 0;
  for (int k = 0; k < 7; k++) {
    if (!isfinite(i[k])) return false;
  }
  if (!(i[0] > 0)) return false;
  diagonalize(a, v);
  for (int k = 0; k < 3; k++) {
    double square = 6 * (a[(k + 1) % 3][(k + 1) % 3] + a[(k + 2) % 3][(k + 2) % 3] - a[k][k]) / i[0];
    half[k] = square > 0 ? sqrt(square) / 2 : 0;
    size = fmax(size, half[k]);
  }
  memcpy(axes, v, 9 * sizeof *axes);
  return size > 0;
}

DrawPoint space_place(const Scene *s, const SceneMap *map, const double point[3], double *depth) {
  double seen[3];
  camera_see(&s->camera, point, seen);
  if (depth) *depth = seen[2];
  return (DrawPoint){map->x0 + map->scale * seen[0], map->y0 - map->scale * seen[1]};
}

static void take_point(Scene *s, const double p[3]) {
  double seen[3];
  camera_see(&s->camera, p, seen);
  axis_range_take(&s->x, &seen[0], 1, false);
  axis_range_take(&s->y, &seen[1], 1, false);
}

void space_take_box(Scene *s, const SceneShape *shape) {
  // no corner is farther from the middle, however it is rotated
  double reach = hypot(hypot(shape->half[0], shape->half[1]), shape->half[2]);
  for (size_t i = 0; i < s->rows; i++) {
    for (int c = 0; c < 3; c++) {
      double ends[2] = {shape->space[0][c][i] - reach, shape->space[0][c][i] + reach};
      axis_range_take(&s->box[c], ends, 2, false);
    }
    double x[2] = {shape->x[0][i] - reach, shape->x[0][i] + reach},
           y[2] = {shape->y[0][i] - reach, shape->y[0][i] + reach};
    axis_range_take(&s->x, x, 2, false);
    axis_range_take(&s->y, y, 2, false);
  }
}

// ---- the ground

// 1, 2 or 5 times a power of ten, at least this.
static double round_step(double least) {
  double power = pow(10, floor(log10(least)));
  static const double steps[] = {1, 2, 5, 10};
  for (int i = 0; i < 4; i++) {
    if (steps[i] * power >= least * (1 - 1e-9)) return steps[i] * power;
  }
  return 10 * power;
}

// How far the scene reaches along a direction.
static AxisRange reach_along(const Scene *s, const double d[3]) {
  AxisRange r = {0, 0};
  for (int i = 0; i < 3; i++) {
    r.lo += fmin(d[i] * s->box[i].lo, d[i] * s->box[i].hi);
    r.hi += fmax(d[i] * s->box[i].lo, d[i] * s->box[i].hi);
  }
  return r;
}

// Two directions at right angles to what points up; axes of the model where that is one.
static void span_ground(const double up[3], double u[3], double v[3]) {
  int along = 0, first;
  for (int i = 1; i < 3; i++) {
    if (fabs(up[i]) > fabs(up[along])) along = i;
  }
  first = along == 0 ? 1 : 0;
  double length = 0;
  for (int i = 0; i < 3; i++) u[i] = (i == first) - up[first] * up[i];
  for (int i = 0; i < 3; i++) length += u[i] * u[i];
  for (int i = 0; i < 3; i++) u[i] /= sqrt(length);
  for (int i = 0; i < 3; i++) v[i] = up[(i + 1) % 3] * u[(i + 2) % 3] - up[(i + 2) % 3] * u[(i + 1) % 3];
}

// How high it lies: where a `ground` is drawn, else at 0 where everything is above that and not far, else below all.
static double ground_height(const Scene *s, const double up[3]) {
  for (uint32_t i = 0; i < s->shapes.count && s->rows; i++) {
    const SceneShape *g = &s->shapes.items[i];
    if (g->kind != shape_ground) continue;
    double height = up[0] * g->space[0][0][0] + up[1] * g->space[0][1][0] + up[2] * g->space[0][2][0];
    if (isfinite(height)) return height;
  }
  double lowest = reach_along(s, up).lo;
  return lowest >= 0 && lowest <= 0.5 * s->size ? 0 : lowest;
}

SpaceGrid space_grid(const Scene *s) {
  SpaceGrid g = {0};
  span_ground(s->camera.plumb, g.u, g.v);
  AxisRange u = reach_along(s, g.u), v = reach_along(s, g.v);
  double height = ground_height(s, s->camera.plumb);
  g.step = round_step(fmax(fmax(u.hi - u.lo, v.hi - v.lo), 0.5 * s->size) / 6);
  double from_u = floor(u.lo / g.step + 1e-9), from_v = floor(v.lo / g.step + 1e-9);
  g.across = (uint32_t)fmax(ceil(u.hi / g.step - 1e-9) - from_u, 1);
  g.along = (uint32_t)fmax(ceil(v.hi / g.step - 1e-9) - from_v, 1);
  for (int i = 0; i < 3; i++) g.origin[i] = g.step * (from_u * g.u[i] + from_v * g.v[i]) + height * s->camera.plumb[i];
  return g;
}

static void grid_point(const SpaceGrid *g, double i, double k, double out[3]) {
  for (int c = 0; c < 3; c++) out[c] = g->origin[c] + g->step * (i * g->u[c] + k * g->v[c]);
}

void space_take_ground(Scene *s) {
  for (int i = 0; i < 3; i++) {
    if (!(s->box[i].lo <= s->box[i].hi)) s->box[i] = (AxisRange){-1, 1};
    s->size = fmax(s->size, s->box[i].hi - s->box[i].lo);
  }
  if (!(s->size > 0)) s->size = 1;
  SpaceGrid g = space_grid(s);
  for (int corner = 0; corner < 4; corner++) {
    double p[3];
    grid_point(&g, corner & 1 ? g.across : 0, corner & 2 ? g.along : 0, p);
    take_point(s, p);
  }
}

void space_ground(const Scene *s, Drawing *d, const SceneMap *map, uint32_t clip) {
  Theme theme = drawing_theme(d->dark);
  SpaceGrid g = space_grid(s);
  DrawPoint *path = arena_array(d->arena, 3 * (size_t)(g.across + g.along + 2), sizeof *path);
  uint32_t n = 0;
  if (!path) return;
  for (uint32_t way = 0; way < 2; way++) {
    uint32_t lines = way ? g.along : g.across, end = way ? g.across : g.along;
    for (uint32_t i = 0; i <= lines; i++) {
      double a[3], b[3];
      grid_point(&g, way ? 0 : i, way ? i : 0, a);
      grid_point(&g, way ? end : i, way ? i : end, b);
      path[n++] = space_place(s, map, a, NULL);
      path[n++] = space_place(s, map, b, NULL);
      path[n++] = (DrawPoint){NAN, NAN};
    }
  }
  drawing_add(d, (DrawItem){.kind = draw_path,
                            .role = role_grid,
                            .stroke = theme.grid,
                            .fill = draw_no_colour,
                            .line = 1,
                            .opacity = 1,
                            .clip = clip,
                            .points = path,
                            .count = n - 1});
}

static const double axis_length = 30;

void space_directions(const Camera *c, Drawing *d, DrawPoint corner) {
  static const char *const names[] = {"x", "y", "z"};
  static const uint32_t colours[] = {3, 5, 0};
  const double length = axis_length;
  Theme theme = drawing_theme(d->dark);
  for (int i = 0; i < 3; i++) {
    double x = c->right[i], y = -c->up[i], seen = hypot(x, y), away = 9;
    DrawPoint tip = {corner.x + length * x, corner.y + length * y};
    int32_t colour = drawing_theme_curve(&theme, colours[i]);
    if (seen > 0.02) drawing_line(d, role_axis, corner, tip, colour, 1.8);
    DrawPoint word = {tip.x + (seen > 0.2 ? away * x / seen : away), tip.y + (seen > 0.2 ? away * y / seen : away)};
    drawing_word(d, role_tick_x, word, 0, names[i], 11, theme.ink);
  }
}

void space_axes(const Scene *s, Drawing *d, DrawPoint corner) {
  Theme theme = drawing_theme(d->dark);
  space_directions(&s->camera, d, corner);
  SpaceGrid g = space_grid(s);
  const char *words = arena_printf(d->arena, "squares of %.6g%s%s", g.step, s->unit ? " " : "", s->unit ? s->unit : "");
  if (words)
    drawing_word(d, role_note, (DrawPoint){corner.x + axis_length + 16, corner.y + 12}, -1, words, 11, theme.muted);
}
