// The drawing of a structure at rest.
//
// in    places, forces in bars and springs, the places of every iteration
// out   bars as lines, springs as zigzags, cables dotted; tension in one colour, compression in another, as strong as
//       the force; supports, nodes, loads as arrows; a scale of colours with its unit; iterations faintly behind
// how   a structure in space is seen by the camera of its model
#include "show/space.h"
#include "show/structure.h"

#include <math.h>
#include <string.h>

enum { most_ghosts = 60, most_names = 40, least_zigs = 7, most_zigs = 40, scale_cells = 40 };
static const double usual_width = 720, edge = 56, foot = 64;

typedef struct BarsView {
  const BarsReport *r;
  Drawing *d;
  Theme theme;
  Camera camera;                    // of a structure in space
  double lo[2], hi[2], scale, most; // most: the largest force
} BarsView;

static DrawPoint flat(const BarsView *v, const double *x) {
  double seen[3] = {x[0], x[1], 0};
  if (v->r->result.dim == 3) camera_see(&v->camera, x, seen);
  return (DrawPoint){seen[0], seen[1]};
}

static DrawPoint place(const BarsView *v, const double *x) {
  DrawPoint p = flat(v, x);
  return (DrawPoint){edge + (p.x - v->lo[0]) * v->scale, edge + (v->hi[1] - p.y) * v->scale};
}

static const double *node(const BarsView *v, const double *x, uint32_t i) { return x + (size_t)i * v->r->result.dim; }

static void include(BarsView *v, const double *x) {
  for (uint32_t i = 0; i < v->r->result.nodes; i++) {
    DrawPoint p = flat(v, node(v, x, i));
    v->lo[0] = fmin(v->lo[0], p.x);
    v->hi[0] = fmax(v->hi[0], p.x);
    v->lo[1] = fmin(v->lo[1], p.y);
    v->hi[1] = fmax(v->hi[1], p.y);
  }
}

static int32_t mix(int32_t a, int32_t b, double part) {
  int32_t out = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    int x = a >> shift & 255, y = b >> shift & 255;
    out |= (int32_t)lround(x + part * (y - x)) << shift;
  }
  return out;
}

// Tension blue, compression vermillion (Okabe and Ito), grey where there is no force.
static int32_t colour_of(const BarsView *v, double force) {
  int32_t pull = v->d->dark ? 0x56b4e9 : 0x0072b2, push = v->d->dark ? 0xff8a3d : 0xd55e00;
  double part = v->most > 0 ? fabs(force) / v->most : 0;
  return mix(v->theme.muted, force >= 0 ? pull : push, part <= 0 ? 0 : 0.35 + 0.65 * fmin(1, part));
}

static void path(const BarsView *v, DrawPoint *points, uint32_t count, int32_t colour, double line, double opacity,
                 DrawDash dash) {
  drawing_add(v->d, (DrawItem){.kind = draw_path,
                               .role = role_shape,
                               .stroke = colour,
                               .fill = draw_no_colour,
                               .line = line,
                               .opacity = opacity,
                               .dash = dash,
                               .points = points,
                               .count = count});
}

static void straight(const BarsView *v, DrawPoint a, DrawPoint b, int32_t colour, double line, double opacity,
                     DrawDash dash) {
  DrawPoint *p = arena_array(v->d->arena, 2, sizeof *p);
  if (!p) return;
  p[0] = a;
  p[1] = b;
  path(v, p, 2, colour, line, opacity, dash);
}

static void zigzag(const BarsView *v, DrawPoint a, DrawPoint b, int32_t colour, double opacity) {
  double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy), wide = fmin(6, 0.12 * length);
  int zigs = (int)fmax(least_zigs, fmin(most_zigs, length / 12));
  DrawPoint *p = arena_array(v->d->arena, (size_t)zigs + 3, sizeof *p);
  if (!p || length == 0) return;
  uint32_t k = 0;
  p[k++] = a;
  for (int i = 0; i <= zigs; i++) {
    double s = 0.15 + 0.7 * i / zigs, side = i == 0 || i == zigs ? 0 : i % 2 ? wide : -wide;
    p[k++] = (DrawPoint){a.x + s * dx - side * dy / length, a.y + s * dy + side * dx / length};
  }
  p[k++] = b;
  path(v, p, k, colour, 1.6, opacity, dash_solid);
}

// All parts at some places. ghost: an iteration, faintly.
static void draw_parts(const BarsView *v, const double *x, bool ghost) {
  const Linkage *l = &v->r->system->linkage;
  const BalanceResult *b = &v->r->result;
  double opacity = ghost ? 0.22 : 1;
  for (uint32_t i = 0; i < l->bars.count; i++) {
    const LinkageBar *bar = &l->bars.items[i];
    int32_t colour = ghost ? v->theme.muted : colour_of(v, b->bar_force[i]);
    straight(v, place(v, node(v, x, bar->a)), place(v, node(v, x, bar->b)), colour, ghost ? 1 : 3.2, opacity,
             dash_solid);
  }
  for (uint32_t i = 0; i < l->rigids.count; i++) {
    const LinkageRigid *body = &l->rigids.items[i];
    DrawPoint *p = arena_array(v->d->arena, (size_t)body->count + 1, sizeof *p);
    for (uint32_t k = 0; p && k <= body->count; k++)
      p[k] = place(v, node(v, x, l->members.items[body->first + k % body->count]));
    if (p) path(v, p, body->count + 1, v->theme.ink, ghost ? 1 : 2.4, opacity, dash_solid);
  }
  for (uint32_t i = 0; i < l->springs.count; i++) {
    const LinkageSpring *s = &l->springs.items[i];
    DrawPoint from = place(v, node(v, x, s->a)), to = place(v, node(v, x, s->b));
    int32_t colour = ghost ? v->theme.muted : colour_of(v, b->spring_force[i]);
    if (s->cable) straight(v, from, to, colour, ghost ? 0.8 : 1.8, opacity, dash_long);
    else if (ghost) straight(v, from, to, colour, 0.8, opacity, dash_dots);
    else zigzag(v, from, to, colour, opacity);
  }
}

static void support(const BarsView *v, DrawPoint at, uint8_t fixed) {
  DrawPoint *p = arena_array(v->d->arena, 4, sizeof *p);
  if (!p) return;
  p[0] = p[3] = at;
  p[1] = (DrawPoint){at.x - 8, at.y + 13};
  p[2] = (DrawPoint){at.x + 8, at.y + 13};
  path(v, p, 4, v->theme.ink, 1.4, 1, dash_solid);
  bool all = fixed == (v->r->result.dim == 2 ? 3 : 7);
  if (!all)
    straight(v, (DrawPoint){at.x - 9, at.y + 17}, (DrawPoint){at.x + 9, at.y + 17}, v->theme.ink, 1.4, 1, dash_solid);
}

static void draw_nodes(const BarsView *v) {
  const Linkage *l = &v->r->system->linkage;
  const BalanceResult *b = &v->r->result;
  for (uint32_t i = 0; i < b->nodes; i++) {
    DrawPoint at = place(v, node(v, b->x, i));
    if (l->nodes.items[i].fixed) support(v, at, l->nodes.items[i].fixed);
    drawing_add(v->d, (DrawItem){.kind = draw_circle,
                                 .role = role_points,
                                 .stroke = v->theme.ink,
                                 .fill = v->theme.ground,
                                 .line = 1.2,
                                 .opacity = 1,
                                 .x = at.x,
                                 .y = at.y,
                                 .r = b->nodes > 200 ? 1.5 : 3.2});
    if (b->nodes <= most_names)
      drawing_word(v->d, role_note, (DrawPoint){at.x + 7, at.y - 10}, -1, l->nodes.items[i].name, 11, v->theme.ink);
  }
}

static void arrow(const BarsView *v, DrawPoint at, double fx, double fy) {
  double size = hypot(fx, fy), length = 34;
  if (size == 0) return;
  double ux = fx / size, uy = -fy / size;
  DrawPoint tip = {at.x + length * ux, at.y + length * uy};
  straight(v, at, tip, v->theme.ink, 1.6, 1, dash_solid);
  DrawPoint *p = arena_array(v->d->arena, 3, sizeof *p);
  if (!p) return;
  p[0] = (DrawPoint){tip.x - 7 * ux + 3.5 * uy, tip.y - 7 * uy - 3.5 * ux};
  p[1] = tip;
  p[2] = (DrawPoint){tip.x - 7 * ux - 3.5 * uy, tip.y - 7 * uy + 3.5 * ux};
  path(v, p, 3, v->theme.ink, 1.6, 1, dash_solid);
}

static void draw_loads(const BarsView *v) {
  const Structure *s = &v->r->structure;
  uint32_t dim = v->r->result.dim;
  for (uint32_t i = 0; i < s->nodes && s->nodes <= 200; i++) {
    DrawPoint f = flat(v, s->force + (size_t)i * dim);
    arrow(v, place(v, node(v, v->r->result.x, i)), f.x, f.y);
  }
}

// From the largest compression to the largest tension.
static void draw_scale(const BarsView *v) {
  double width = 220, x = v->d->width - edge - width, y = v->d->height - 40;
  if (!(v->most > 0)) return;
  for (int i = 0; i < scale_cells; i++) {
    double part = 2 * (i + 0.5) / scale_cells - 1;
    DrawPoint *p = arena_array(v->d->arena, 4, sizeof *p);
    if (!p) return;
    for (int c = 0; c < 4; c++)
      p[c] = (DrawPoint){x + width * (i + (c == 1 || c == 2)) / scale_cells, y + (c < 2 ? -5 : 5)};
    drawing_add(v->d, (DrawItem){.kind = draw_path,
                                 .role = role_bar,
                                 .stroke = draw_no_colour,
                                 .fill = colour_of(v, part * v->most),
                                 .opacity = 1,
                                 .points = p,
                                 .count = 4,
                                 .closed = true});
  }
  const char *most = arena_printf(v->d->arena, "%.4g N", v->most), *least = arena_printf(v->d->arena, "-%.4g", v->most);
  drawing_word(v->d, role_bar, (DrawPoint){x, y + 17}, 0, least ? least : "", 11, v->theme.ink);
  drawing_word(v->d, role_bar, (DrawPoint){x + width / 2, y + 17}, 0, "0", 11, v->theme.ink);
  drawing_word(v->d, role_bar, (DrawPoint){x + width, y + 17}, 0, most ? most : "", 11, v->theme.ink);
  drawing_word(v->d, role_bar, (DrawPoint){x, y - 14}, -1, "compression", 11, v->theme.ink);
  drawing_word(v->d, role_bar, (DrawPoint){x + width, y - 14}, 1, "tension", 11, v->theme.ink);
}

static void fit(BarsView *v, double width) {
  for (int i = 0; i < 2; i++) {
    v->lo[i] = INFINITY;
    v->hi[i] = -INFINITY;
  }
  include(v, v->r->result.x);
  for (uint32_t i = 0; i < v->r->poses.count && i < most_ghosts; i++) include(v, v->r->poses.items[i].x);
  double w = fmax(v->hi[0] - v->lo[0], 1e-9), h = fmax(v->hi[1] - v->lo[1], 1e-9), inner = width - 2 * edge;
  v->scale = fmin(inner / w, 1.1 * inner / h);
  v->lo[0] -= 0.5 * (inner / v->scale - w);
  v->d->width = width;
  v->d->height = h * v->scale + 2 * edge + foot;
}

bool structure_drawing(const BarsReport *r, bool dark, double width, const double camera[3], Drawing *d) {
  BarsView view = {.r = r, .d = d, .theme = drawing_theme(dark)}, *v = &view;
  bool space = r->result.dim == 3;
  if (space) v->camera = camera_of(d->arena, r->system, camera);
  const Linkage *l = &r->system->linkage;
  d->dark = dark;
  fit(v, width > 0 ? width : usual_width);
  for (uint32_t i = 0; i < l->bars.count; i++) v->most = fmax(v->most, fabs(r->result.bar_force[i]));
  for (uint32_t i = 0; i < l->springs.count; i++) v->most = fmax(v->most, fabs(r->result.spring_force[i]));
  uint32_t ghosts = r->poses.count, every = ghosts > most_ghosts ? ghosts / most_ghosts + 1 : 1;
  for (uint32_t i = 0; i < ghosts; i += every) draw_parts(v, r->poses.items[i].x, true);
  draw_parts(v, r->result.x, false);
  draw_loads(v);
  draw_nodes(v);
  draw_scale(v);
  if (space) space_directions(&v->camera, d, (DrawPoint){space_corner, d->height - space_corner});
  if (r->system->title) drawing_word(d, role_title, (DrawPoint){edge, 24}, -1, r->system->title, 15, v->theme.ink);
  return !arena_failed(d->arena);
}
