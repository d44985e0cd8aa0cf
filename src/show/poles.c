// The pole map: eigenvalues in the plane, the stable half shaded, rays of constant damping ratio, circles of constant
// natural frequency (at the ticks of the imaginary axis, which name them).
//
// Where slow poles would vanish beside a fast one, the distance from zero is drawn by its logarithm, the angle
// unchanged:
//   lambda = r e^(i phi)  stands at  d(r) e^(i phi),   d = 1 + log10(r/inner) from inner on, r/inner below
// So rays stay rays, circles stay circles, both axes and zero stay where they are, and damping is read as ever. Real
// and imaginary parts have no scale then: there is no rectangular grid, and circles are named by |lambda|, rays
// by damping.
//
// Words (numbers of modes, damping ratios) are placed where nothing stands yet; one without a free area is left out.
#include "show/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ratios[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
static const double wide_range =
    12; // largest over smallest distance from zero: beyond, slow poles lie in less than a tenth of it
static const double pi = 3.14159265358979323846;

typedef struct PolePainter {
  const PoleMap *map;
  Drawing *d;
  Theme theme;
  const Scale *x, *y;
  uint32_t clip;
  VEC(DrawRect) taken; // by poles and words
} PolePainter;

// ---- the plane

static double distance_of(const PoleMap *map, double r) {
  if (!map->wide) return r;
  return r < map->inner ? r / map->inner : 1 + log10(r / map->inner);
}

static DrawPoint plane(const PoleMap *map, double re, double im) {
  double r = hypot(re, im), k = r > 0 ? distance_of(map, r) / r : 0;
  return (DrawPoint){re * k, im * k};
}

static DrawPoint place(const PolePainter *w, DrawPoint p) {
  return (DrawPoint){scale_place(w->x, p.x), scale_place(w->y, p.y)};
}

// Powers of ten whose circles are seen, at most as many as are wanted: from *first on, every *step-th, up to the last.
static int decades(const PoleMap *map, double most, uint32_t wanted, int *first, int *step) {
  int last = *first = (int)ceil(log10(map->inner) - 1e-9);
  while (distance_of(map, pow(10, last + 1)) < most && last < *first + 600) last++;
  *step = 1 + (last - *first) / (int)fmax(wanted, 2);
  *first = last - (last - *first) / *step * *step;
  return last;
}

// ---- drawing

static void add_path(Drawing *d, DrawItem item, const DrawPoint *points, uint32_t count) {
  DrawPoint *copy = arena_array(d->arena, count, sizeof *copy);
  if (!copy) return;
  for (uint32_t i = 0; i < count; i++) copy[i] = points[i];
  item.kind = draw_path;
  item.points = copy;
  item.count = count;
  drawing_add(d, item);
}

static DrawItem faint(const PolePainter *w) {
  return (DrawItem){.role = role_grid,
                    .stroke = w->theme.muted,
                    .fill = draw_no_colour,
                    .line = 0.7,
                    .opacity = 0.3,
                    .clip = w->clip};
}

static void draw_circle_of(PolePainter *w, double r, bool whole) {
  enum { pieces = 96 };
  DrawPoint p[pieces + 1];
  for (int i = 0; i <= pieces; i++) {
    double angle = whole ? 2 * pi * i / pieces : pi / 2 + pi * i / pieces;
    p[i] = place(w, (DrawPoint){r * cos(angle), r * sin(angle)});
  }
  add_path(w->d, faint(w), p, pieces + 1);
}

static uint32_t circles_wanted(const PolePainter *w) {
  return (uint32_t)fmax(fabs(w->y->to - w->y->from) / (w->d->cells ? 14 : 42), 2);
}

static double farthest(const PolePainter *w) { return hypot(fmax(-w->x->lo, w->x->hi), fmax(-w->y->lo, w->y->hi)); }

// At the ticks of the imaginary axis, or at powers of ten.
static void draw_circles(PolePainter *w) {
  Ticks t;
  int first, step;
  if (w->map->wide) {
    int last = decades(w->map, farthest(w), circles_wanted(w), &first, &step);
    for (int k = first; k <= last; k += step) draw_circle_of(w, distance_of(w->map, pow(10, k)), true);
    return;
  }
  scale_ticks(&t, w->y->lo, w->y->hi, false, circles_wanted(w));
  double gap = t.count > 1 ? t.at[1] - t.at[0] : 0, far = hypot(fmax(-w->x->lo, 0), fmax(-w->y->lo, w->y->hi));
  for (int k = 1; gap > 0 && k * gap < far && k < 60; k++) draw_circle_of(w, k * gap, false);
}

// Where a ray from zero to the upper left leaves the area.
static DrawPoint ray_end(const PolePainter *w, double zeta) {
  double slope = sqrt(1 - zeta * zeta) / zeta, re = -w->x->lo, im = w->y->hi;
  if (re * slope > im) re = im / slope;
  else im = re * slope;
  return (DrawPoint){-re, im};
}

static bool overlaps(const DrawRect *a, const DrawRect *b) {
  return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

// Inside the area and on nothing that was put there.
static bool is_free(const PolePainter *w, DrawRect r) {
  if (r.x < w->x->from + 2 || r.x + r.w > w->x->to - 2 || r.y < w->y->to + 2 || r.y + r.h > w->y->from - 2)
    return false;
  for (uint32_t i = 0; i < w->taken.count; i++) {
    if (overlaps(&r, &w->taken.items[i])) return false;
  }
  return true;
}

static void draw_rays(PolePainter *w) {
  if (!(w->x->lo < 0) || !(w->y->hi > 0)) return;
  DrawPoint zero = place(w, (DrawPoint){0, 0});
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
    DrawPoint end = ray_end(w, ratios[i]);
    for (int side = 0; side < 2; side++) {
      DrawPoint p[2] = {zero, place(w, (DrawPoint){end.x, side ? -end.y : end.y})};
      add_path(w->d, faint(w), p, 2);
    }
  }
}

// Numbers of the rays just inside the edge, where they fit.
static void name_rays(PolePainter *w) {
  if (w->d->cells || !(w->x->lo < 0) || !(w->y->hi > 0)) return;
  DrawPoint zero = place(w, (DrawPoint){0, 0});
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
    DrawPoint end = place(w, ray_end(w, ratios[i]));
    double dx = zero.x - end.x, dy = zero.y - end.y, n = hypot(dx, dy);
    if (!(n > 60)) continue;
    double px = end.x + 16 * dx / n, py = end.y + 16 * dy / n;
    DrawRect r = {px - 11, py - 6, 22, 12};
    if (px + 14 > zero.x || !is_free(w, r) || !vec_push(w->d->arena, &w->taken, r)) continue;
    drawing_word(w->d, role_note, (DrawPoint){px, py}, 0, arena_printf(w->d->arena, "%g", ratios[i]), 9,
                 w->theme.muted);
  }
}

// Circles by their |lambda|: beside the upper imaginary axis, else the lower one, else below the real axis.
static void name_circles(PolePainter *w) {
  int first, step, last;
  if (!w->map->wide) return;
  last = decades(w->map, farthest(w), circles_wanted(w), &first, &step);
  for (int k = first; k <= last; k += step) {
    double r = distance_of(w->map, pow(10, k)), high = w->d->cells ? 4 : 12, gap = w->d->cells ? 2 : 4;
    char power[24];
    scale_power_text(k, power);
    const char *text = k >= -2 && k <= 3 ? arena_printf(w->d->arena, "%g", pow(10, k))
                                         : arena_strndup(w->d->arena, power, strlen(power));
    if (!text) return;
    double wide = drawing_text_width(text, 10, w->d->cells);
    for (int at = 0; at < 4; at++) {
      DrawPoint p = place(w, at < 2 ? (DrawPoint){0, at ? -r : r} : (DrawPoint){at == 2 ? -r : r, 0});
      DrawRect box = {p.x + (at < 2 ? gap : -wide / 2),
                      p.y + (at == 0   ? 1
                             : at == 1 ? -high - 1
                                       : 2 * gap),
                      wide, high};
      if (!is_free(w, box) || !vec_push(w->d->arena, &w->taken, box)) continue;
      drawing_word(w->d, role_note, (DrawPoint){box.x, box.y + high / 2}, -1, text, w->d->cells ? 0 : 10,
                   w->theme.muted);
      break;
    }
  }
}

static void draw_pole(PolePainter *w, DrawPoint at, EigenSide side) {
  double r = w->d->cells ? 2 : 5;
  DrawPoint p[5] = {{at.x - r, at.y - r}, {at.x + r, at.y + r}, {NAN, NAN}, {at.x - r, at.y + r}, {at.x + r, at.y - r}};
  // what grows is heavier, so that it is seen without colours, too
  DrawItem item = {.role = role_points,
                   .stroke = linear_colour(&w->theme, side),
                   .fill = draw_no_colour,
                   .line = side == side_right ? 3 : 2.2,
                   .opacity = 1,
                   .clip = w->clip,
                   .text = "pole"};
  add_path(w->d, item, p, 5);
  vec_push(w->d->arena, &w->taken, (DrawRect){at.x - r - 1, at.y - r - 1, 2 * r + 2, 2 * r + 2});
}

// The numbers of the modes with one eigenvalue: 3, or 3-5 (3 times).
static const char *label_of(const PolePainter *w, uint32_t i) {
  const EigenMode *m = &w->map->l->modes.modes[i];
  if (m->times < 2) return arena_printf(w->d->arena, "%u", i + 1);
  return arena_printf(w->d->arena, "%u\u2013%u (%u times)", i + 1, i + m->times, m->times);
}

// The corners first, where no axis runs through the word, then the sides; a little farther if all are taken.
static void name_poles(PolePainter *w) {
  static const double around[][2] = {{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}};
  const Modes *m = &w->map->l->modes;
  if (w->d->cells) return;
  for (uint32_t i = 0; i<m->count; i += m->modes[i].times> 1 ? m->modes[i].times : 1) {
    const char *text = label_of(w, i);
    DrawPoint at = place(w, plane(w->map, m->modes[i].re, m->modes[i].im));
    double width = text ? drawing_text_width(text, 10, false) : 0, high = 12;
    for (int k = 0; text && k < 16; k++) {
      double far = k < 8 ? 9 : 17, ux = around[k % 8][0], uy = around[k % 8][1], corner = ux != 0 && uy != 0 ? 0.5 : 1;
      double cx = at.x + ux * (corner * far + width / 2), cy = at.y + uy * (far + high / 2 - 2);
      DrawRect r = {cx - width / 2 - 1, cy - high / 2, width + 2, high};
      if (!is_free(w, r)) continue;
      drawing_word(w->d, role_note, (DrawPoint){cx, cy}, 0, text, 10, w->theme.ink);
      vec_push(w->d->arena, &w->taken, r);
      break;
    }
  }
}

static void draw_map(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  PolePainter painter = {.map = self,
                         .d = d,
                         .theme = d->cells ? drawing_theme_terminal() : drawing_theme(d->dark),
                         .x = x,
                         .y = y,
                         .clip = clip},
              *w = &painter;
  const Modes *m = &w->map->l->modes;
  double left = x->from, right = fmin(fmax(scale_place(x, 0), x->from), x->to);
  if (!d->cells && right > left) {
    DrawPoint p[4] = {{left, y->to}, {right, y->to}, {right, y->from}, {left, y->from}};
    add_path(d,
             (DrawItem){.role = role_band,
                        .stroke = draw_no_colour,
                        .fill = drawing_theme_curve(&w->theme, 0),
                        .opacity = 0.07,
                        .clip = clip,
                        .closed = true,
                        .text = "stable half"},
             p, 4);
  }
  draw_circles(w);
  draw_rays(w);
  // both axes through zero
  DrawPoint real[2] = {{x->from, scale_place(y, 0)}, {x->to, scale_place(y, 0)}},
            imaginary[2] = {{scale_place(x, 0), y->from}, {scale_place(x, 0), y->to}};
  DrawItem axis = {
      .role = role_axis, .stroke = w->theme.muted, .fill = draw_no_colour, .line = 1, .opacity = 0.9, .clip = clip};
  add_path(d, axis, real, 2);
  add_path(d, axis, imaginary, 2);
  for (uint32_t i = 0; i < m->count; i++) {
    const EigenMode *e = &m->modes[i];
    DrawPoint at = plane(w->map, e->re, e->im);
    draw_pole(w, place(w, at), e->side);
    if (e->pair) draw_pole(w, place(w, (DrawPoint){at.x, -at.y}), e->side);
  }
  name_poles(w);
  name_circles(w);
  name_rays(w);
}

// ---- its size

static void find_distances(PoleMap *map) {
  const Modes *m = &map->l->modes;
  double least = INFINITY, most = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    double r = hypot(m->modes[i].re, m->modes[i].im);
    if (r > 0) least = fmin(least, r);
    most = fmax(most, r);
  }
  map->wide = most > wide_range * least;
  map->inner = map->wide ? pow(10, floor(log10(least) - 0.05)) : 0;
}

void linear_pole_map(Arena *arena, PoleMap *map, Plot *plot) {
  const Modes *m = &map->l->modes;
  *plot = (Plot){.title = map->l->o->s.title};
  find_distances(map);
  PlotPanel *p = plot_panel(arena, plot, "real part", "1/s");
  if (!p) return;
  if (map->wide) p->caption = "circles: |s| in rad/s, logarithmic; rays: damping ratio";
  p->bare = map->wide;
  double lo = 0, hi = 0, most = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    DrawPoint at = plane(map, m->modes[i].re, m->modes[i].im);
    lo = fmin(lo, at.x);
    hi = fmax(hi, at.x);
    most = fmax(most, at.y);
  }
  double size = fmax(fmax(hi - lo, most), 1e-300);
  if (lo == 0 && hi == 0 && most == 0) size = 1;
  // a little of both half planes
  lo = fmin(lo - 0.1 * size, -0.12 * size);
  hi = fmax(hi + 0.1 * size, 0.12 * size);
  most = fmax(1.15 * most, 0.16 * (hi - lo));
  p->equal = true;
  p->y_name = "imaginary part";
  p->x = (AxisRange){lo, hi};
  p->y = (AxisRange){-most, most};
  // the area has the shape of what is in it, as far as a page and the words allow
  double shape = 2 * most / (hi - lo);
  p->height = fmin(fmax(620 * shape, 200), 420);
  map->width = fmin(fmax(p->height / shape + 100, map->wide ? 380 : 300), 720); // a title takes several lines
  // where words ask for more width than the poles, the half with the lines of damping gets it
  double extra = fmax(0, 2 * most * (map->width - 90) / p->height - (hi - lo));
  p->x = (AxisRange){lo - 0.9 * extra, hi + 0.1 * extra};
  p->scene = draw_map;
  p->self = map;
  // the unit of the y axis comes from a curve without points
  static const double nothing[1] = {0};
  vec_push(arena, &p->curves,
           (PlotCurve){
               .kind = curve_line, .name = "imaginary part", .unit = "rad/s", .x = nothing, .y = nothing, .count = 0});
}
