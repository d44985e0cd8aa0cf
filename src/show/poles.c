// The pole map: eigenvalues in the plane, the stable half shaded, rays of constant damping ratio, circles of constant natural
// frequency (at the ticks of the imaginary axis, which name them).
#include "show/linear.h"

#include <math.h>
#include <stdlib.h>

static const double ratios[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

static void add_path(Drawing *d, DrawItem item, const DrawPoint *points, uint32_t count) {
  DrawPoint *own = arena_array(d->arena, count, sizeof *own);
  if (!own) return;
  for (uint32_t i = 0; i < count; i++) own[i] = points[i];
  item.kind = draw_path;
  item.points = own;
  item.count = count;
  drawing_add(d, item);
}

static void draw_circles(Drawing *d, const Theme *theme, const Scale *x, const Scale *y, uint32_t clip) {
  Ticks t;
  ticks_choose(&t, y->lo, y->hi, false, (uint32_t)fmax(fabs(y->to - y->from) / (d->cells ? 14 : 42), 2));
  double gap = t.count > 1 ? t.at[1] - t.at[0] : 0, far = hypot(fmax(-x->lo, 0), fmax(-y->lo, y->hi));
  for (int k = 1; gap > 0 && k * gap < far && k < 60; k++) {
    enum { pieces = 48 };
    DrawPoint p[pieces + 1];
    for (int i = 0; i <= pieces; i++) {
      double angle = 1.57079632679489661923 + 3.14159265358979323846 * i / pieces;
      p[i] = (DrawPoint){scale_place(x, k * gap * cos(angle)), scale_place(y, k * gap * sin(angle))};
    }
    add_path(d, (DrawItem){.role = role_grid, .stroke = theme->soft, .fill = draw_no_colour, .line = 0.7, .opacity = 0.3, .clip = clip}, p, pieces + 1);
  }
}

// Where a ray from zero to the upper left leaves the area.
static DrawPoint ray_end(const Scale *x, const Scale *y, double zeta) {
  double slope = sqrt(1 - zeta * zeta) / zeta, re = -x->lo, im = y->hi;
  if (re * slope > im) re = im / slope;
  else im = re * slope;
  return (DrawPoint){-re, im};
}

static void draw_rays(Drawing *d, const Theme *theme, const Scale *x, const Scale *y, uint32_t clip) {
  if (!(x->lo < 0) || !(y->hi > 0)) return;
  double last_x = NAN, last_y = NAN;
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
    DrawPoint end = ray_end(x, y, ratios[i]);
    for (int side = 0; side < 2; side++) {
      DrawPoint p[2] = {{scale_place(x, 0), scale_place(y, 0)}, {scale_place(x, end.x), scale_place(y, side ? -end.y : end.y)}};
      add_path(d, (DrawItem){.role = role_grid, .stroke = theme->soft, .fill = draw_no_colour, .line = 0.7, .opacity = 0.3, .clip = clip}, p, 2);
    }
    if (d->cells) continue;
    // its number just inside the edge, where there is room
    double px = scale_place(x, end.x), py = scale_place(y, end.y), dx = scale_place(x, 0) - px, dy = scale_place(y, 0) - py, n = hypot(dx, dy);
    if (!(n > 60)) continue;
    px += 16 * dx / n;
    py += 16 * dy / n;
    if (px + 14 > scale_place(x, 0) || (!isnan(last_x) && fabs(px - last_x) < 26 && fabs(py - last_y) < 14)) continue;
    drawing_word(d, role_note, px, py, 0, arena_printf(d->arena, "%g", ratios[i]), 9, theme->soft);
    last_x = px;
    last_y = py;
  }
}

static void draw_pole(Drawing *d, double x, double y, int32_t colour, uint32_t clip) {
  double r = d->cells ? 2 : 5;
  DrawPoint p[5] = {{x - r, y - r}, {x + r, y + r}, {NAN, NAN}, {x - r, y + r}, {x + r, y - r}};
  add_path(d, (DrawItem){.role = role_points, .stroke = colour, .fill = draw_no_colour, .line = 2.2, .opacity = 1, .clip = clip, .text = "pole"}, p, 5);
}

static void draw_map(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  const PoleMap *map = self;
  const Modes *m = &map->l->modes;
  Theme theme = d->cells ? theme_terminal() : theme_get(d->dark);
  double left = x->from, right = fmin(fmax(scale_place(x, 0), x->from), x->to);
  if (!d->cells && right > left) {
    DrawPoint p[4] = {{left, y->to}, {right, y->to}, {right, y->from}, {left, y->from}};
    add_path(d, (DrawItem){.role = role_band, .stroke = draw_no_colour, .fill = theme_curve(&theme, 0), .opacity = 0.07, .clip = clip, .closed = true, .text = "stable half"}, p, 4);
  }
  draw_circles(d, &theme, x, y, clip);
  draw_rays(d, &theme, x, y, clip);
  // both axes through zero
  DrawPoint real[2] = {{x->from, scale_place(y, 0)}, {x->to, scale_place(y, 0)}}, imaginary[2] = {{scale_place(x, 0), y->from}, {scale_place(x, 0), y->to}};
  DrawItem axis = {.role = role_axis, .stroke = theme.soft, .fill = draw_no_colour, .line = 1, .opacity = 0.9, .clip = clip};
  add_path(d, axis, real, 2);
  add_path(d, axis, imaginary, 2);
  for (uint32_t i = 0; m->re && i < m->n; i++) {
    int32_t colour = linear_colour(&theme, d->dark, m->re[i]);
    double px = scale_place(x, m->re[i]), py = scale_place(y, m->im[i]);
    uint32_t before = 0, same = 0;
    for (uint32_t k = 0; k < m->n; k++) {
      bool here = fabs(scale_place(x, m->re[k]) - px) < 2 && fabs(scale_place(y, m->im[k]) - py) < 2;
      same += here;
      before += here && k < i;
    }
    draw_pole(d, px, py, colour, clip);
    // several at one place
    if (same > 1 && before == 0 && !d->cells) drawing_word(d, role_note, px + 8, py - 9, -1, arena_printf(d->arena, "%u times", same), 10, theme.ink);
  }
}

void linear_pole_map(Arena *arena, PoleMap *map, Plot *plot) {
  const Modes *m = &map->l->modes;
  *plot = (Plot){.title = map->l->o->model.title};
  PlotPanel *p = plot_panel(arena, plot, "real part", "1/s");
  if (!p) return;
  double lo = 0, hi = 0, most = 0;
  for (uint32_t i = 0; m->re && i < m->n; i++) {
    lo = fmin(lo, m->re[i]);
    hi = fmax(hi, m->re[i]);
    most = fmax(most, fabs(m->im[i]));
  }
  double size = fmax(fmax(hi - lo, most), 1e-300);
  if (lo == 0 && hi == 0 && most == 0) size = 1;
  // room for both half planes
  lo = fmin(lo - 0.12 * size, -0.25 * size);
  hi = fmax(hi + 0.12 * size, 0.15 * size);
  most = fmax(1.15 * most, 0.3 * (hi - lo));
  p->equal = true;
  p->y_name = "imaginary part";
  p->x = (Range){lo, hi};
  p->y = (Range){-most, most};
  double shape = 2 * most / (hi - lo);
  p->height = fmin(fmax(620 * shape, 260), 420);
  double title = plot->title ? text_width(plot->title, 1.15 * 15, false) + 24 : 0;
  map->width = fmin(fmax(fmax(p->height / shape + 100, 420), title), 720);
  p->scene = draw_map;
  p->self = map;
  // the unit of the y axis comes from a curve without points
  static const double nothing[1] = {0};
  vec_push(arena, &p->curves, (PlotCurve){.kind = curve_line, .name = "imaginary part", .unit = "rad/s", .x = nothing, .y = nothing, .count = 0});
}
