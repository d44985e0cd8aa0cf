// The drawing of a structure in static equilibrium, with its member forces.
//
// in    positions, forces in bars and springs, the positions of every iteration
// out   bars as lines, springs as zigzags, cables dashed, torsion springs as arcs, sliders between two rails;
//       tension in one colour, compression in another, by the size of the force; supports, nodes, loads as arrows, by
//       the size of the load; a scale of colours with its unit; iterations faintly behind
// how   a structure in space is seen by the camera of its model
#include "show/space.h"
#include "show/structure.h"
#include "statics/element.h"

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
  uint32_t every;                   // which iterations are shown
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

// What is pressed is thick and what is pulled thin: on paper without colours, too.
static const double thick = 4.6, thin = 2.4;

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

// All parts at given positions. ghost: an iteration, faintly.
static void draw_parts(const BarsView *v, const double *x, bool ghost) {
  const Linkage *l = &v->r->system->linkage;
  const BalanceResult *b = &v->r->result;
  double opacity = ghost ? 0.22 : 1;
  for (uint32_t i = 0; i < l->bars.count; i++) {
    const LinkageBar *bar = &l->bars.items[i];
    int32_t colour = ghost ? v->theme.muted : colour_of(v, b->bar_force[i]);
    double line = ghost ? 1 : b->bar_force[i] < 0 ? thick : thin;
    straight(v, place(v, node(v, x, bar->a)), place(v, node(v, x, bar->b)), colour, line, opacity, dash_solid);
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

// ---- supports, sliders, torsion springs

typedef struct Direction {
  double x, y; // of length 1, in the drawing
} Direction;

static Direction direction_of(DrawPoint from, DrawPoint to) {
  double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
  return length > 0 ? (Direction){dx / length, dy / length} : (Direction){1, 0};
}

// A triangle towards `way`; one that rolls stands on a line.
static void support(const BarsView *v, DrawPoint at, Direction way, bool rolls) {
  const double high = 13, wide = 8;
  DrawPoint *p = arena_array(v->d->arena, 4, sizeof *p);
  if (!p) return;
  p[0] = p[3] = at;
  for (int k = 0; k < 2; k++) {
    double side = k ? wide : -wide;
    p[1 + k] = (DrawPoint){at.x + high * way.x + side * way.y, at.y + high * way.y - side * way.x};
  }
  path(v, p, 4, v->theme.ink, 1.4, 1, dash_solid);
  if (!rolls) return;
  DrawPoint foot_of = {at.x + (high + 4) * way.x, at.y + (high + 4) * way.y};
  DrawPoint a = {foot_of.x + (wide + 1) * way.y, foot_of.y - (wide + 1) * way.x};
  DrawPoint b = {foot_of.x - (wide + 1) * way.y, foot_of.y + (wide + 1) * way.x};
  straight(v, a, b, v->theme.ink, 1.4, 1, dash_solid);
}

// Two rails beside a node, along a direction.
static void rails(const BarsView *v, DrawPoint at, Direction along, double half) {
  const double gap = 6;
  for (int side = -1; side <= 1; side += 2) {
    DrawPoint c = {at.x - side * gap * along.y, at.y + side * gap * along.x};
    straight(v, (DrawPoint){c.x - half * along.x, c.y - half * along.y},
             (DrawPoint){c.x + half * along.x, c.y + half * along.y}, v->theme.ink, 1.2, 1, dash_solid);
  }
}

static void draw_sliders(const BarsView *v) {
  const Structure *s = &v->r->structure;
  const double *x = v->r->result.x;
  for (uint32_t i = 0; i < s->sliders.count; i++) {
    const StructureSlider *slider = &s->sliders.items[i];
    DrawPoint at = place(v, node(v, x, slider->node));
    if (slider->c != structure_none) {
      rails(v, at, direction_of(place(v, node(v, x, slider->c)), place(v, node(v, x, slider->d))), 10);
      continue;
    }
    const double *n = slider->normal[0], *m = slider->normal[1];
    double along[3] = {n[1], -n[0], 0}, next[3] = {0};
    if (s->dim == 3) {
      for (int k = 0; k < 3; k++) along[k] = n[(k + 1) % 3] * m[(k + 2) % 3] - n[(k + 2) % 3] * m[(k + 1) % 3];
    }
    for (uint32_t k = 0; k < s->dim; k++) next[k] = node(v, x, slider->node)[k] + along[k];
    rails(v, at, direction_of(at, place(v, next)), 22);
  }
}

// An arc from one arm to the other, the way that the angle is counted.
static void draw_torsions(const BarsView *v) {
  enum { pieces = 24 };
  const double radius = 13, turn = 6.283185307179586;
  const Structure *s = &v->r->structure;
  const BalanceResult *b = &v->r->result;
  for (uint32_t i = 0; i < s->torsions.count; i++) {
    const StructureTorsion *t = &s->torsions.items[i];
    DrawPoint at = place(v, node(v, b->x, t->b)), *p = arena_array(v->d->arena, pieces + 1, sizeof *p);
    if (!p) return;
    Direction from = direction_of(at, place(v, node(v, b->x, t->a))),
              to = direction_of(at, place(v, node(v, b->x, t->c)));
    double first = atan2(-from.y, from.x), by = remainder(atan2(-to.y, to.x) - first, turn);
    if (s->dim == 2) by = fmin(fmax(b->torsion_angle[i], -2 * turn), 2 * turn);
    for (int k = 0; k <= pieces; k++) {
      double angle = first + by * k / pieces, r = radius * (1 + 0.15 * fabs(by) / turn * k / pieces);
      p[k] = (DrawPoint){at.x + r * cos(angle), at.y - r * sin(angle)};
    }
    path(v, p, pieces + 1,
         colour_of(v, b->torsion_moment[i] == 0  ? 0
                      : b->torsion_moment[i] > 0 ? v->most
                                                 : -v->most),
         1.6, 1, dash_solid);
  }
}

// ---- nodes

typedef struct LeavingLines { // directions of what leaves a node, in the drawing
  double *items;
  uint32_t *first, *filled; // by node
} LeavingLines;

static void note_line(const BarsView *v, LeavingLines *a, uint32_t from, uint32_t to, bool fill) {
  if (!fill) {
    a->first[from + 1]++;
    return;
  }
  DrawPoint p = place(v, node(v, v->r->result.x, from)), q = place(v, node(v, v->r->result.x, to));
  a->items[a->first[from] + a->filled[from]++] = atan2(p.y - q.y, q.x - p.x);
}

static void note_lines(const BarsView *v, LeavingLines *a, bool fill) {
  const Linkage *l = &v->r->system->linkage;
  for (uint32_t i = 0; i < l->bars.count; i++) {
    note_line(v, a, l->bars.items[i].a, l->bars.items[i].b, fill);
    note_line(v, a, l->bars.items[i].b, l->bars.items[i].a, fill);
  }
  for (uint32_t i = 0; i < l->springs.count; i++) {
    note_line(v, a, l->springs.items[i].a, l->springs.items[i].b, fill);
    note_line(v, a, l->springs.items[i].b, l->springs.items[i].a, fill);
  }
  for (uint32_t i = 0; i < l->rigids.count; i++) {
    const LinkageRigid *body = &l->rigids.items[i];
    const uint32_t *m = l->members.items + body->first;
    for (uint32_t k = 0; k < body->count; k++) {
      note_line(v, a, m[k], m[(k + 1) % body->count], fill);
      note_line(v, a, m[(k + 1) % body->count], m[k], fill);
    }
  }
}

static bool find_angles(const BarsView *v, LeavingLines *a) {
  uint32_t nodes = v->r->result.nodes;
  a->first = arena_array(v->d->arena, (size_t)nodes + 1, sizeof *a->first);
  a->filled = arena_array(v->d->arena, nodes, sizeof *a->filled);
  if (!a->first || !a->filled) return false;
  note_lines(v, a, false);
  for (uint32_t i = 0; i < nodes; i++) a->first[i + 1] += a->first[i];
  a->items = arena_array(v->d->arena, a->first[nodes], sizeof *a->items);
  if (!a->items) return false;
  note_lines(v, a, true);
  return true;
}

// A node of the plane that may move up and down alone.
static bool is_sideways(const BarsView *v, uint32_t i) {
  return v->r->result.dim == 2 && v->r->system->linkage.nodes.items[i].fixed == 1;
}

// Has a node rails or an arc around it?
static bool is_wide(const BarsView *v, uint32_t i) {
  const Structure *s = &v->r->structure;
  for (uint32_t k = 0; k < s->torsions.count; k++) {
    if (s->torsions.items[k].b == i) return true;
  }
  for (uint32_t k = 0; k < s->sliders.count; k++) {
    if (s->sliders.items[k].node == i) return true;
  }
  return false;
}

// Where a name stands: of eight directions the one that is furthest from all that leaves the node; to the upper right
// where that is as good.
static double name_angle(const BarsView *v, const LeavingLines *a, uint32_t i) {
  static const int order[] = {1, 3, 7, 5, 2, 6, 0, 4}; // multiples of 45 degrees
  const double turn = 6.283185307179586, as_good = 0.05;
  const Structure *s = &v->r->structure;
  DrawPoint load = flat(v, s->force + (size_t)i * s->dim);
  double best = 0, widest = -1;
  for (int k = 0; k < 8; k++) {
    double angle = order[k] * turn / 8, gap = turn;
    for (uint32_t j = 0; j < a->filled[i]; j++)
      gap = fmin(gap, fabs(remainder(a->items[a->first[i] + j] - angle, turn)));
    if (load.x != 0 || load.y != 0) gap = fmin(gap, fabs(remainder(atan2(load.y, load.x) - angle, turn)));
    if (v->r->system->linkage.nodes.items[i].fixed)
      gap = fmin(gap, fabs(remainder((is_sideways(v, i) ? turn / 2 : -turn / 4) - angle, turn)));
    if (gap <= widest + as_good) continue;
    widest = gap;
    best = angle;
  }
  return best;
}

static void draw_name(const BarsView *v, const LeavingLines *a, uint32_t i, DrawPoint at) {
  double angle = name_angle(v, a, i), x = cos(angle), y = sin(angle);
  int anchor = x > 0.1 ? -1 : x < -0.1 ? 1 : 0;
  double away = is_wide(v, i) ? 8 : 0;
  drawing_word(v->d, role_note, (DrawPoint){at.x + (9 + away) * x, at.y - (13 + away) * y}, anchor,
               v->r->system->linkage.nodes.items[i].name, 11, v->theme.ink);
}

static void draw_supports(const BarsView *v) {
  const Linkage *l = &v->r->system->linkage;
  const Direction down = {0, 1}, left = {-1, 0};
  for (uint32_t i = 0; i < v->r->result.nodes; i++) {
    uint8_t fixed = l->nodes.items[i].fixed, all = v->r->result.dim == 2 ? 3 : 7;
    if (!fixed) continue;
    support(v, place(v, node(v, v->r->result.x, i)), is_sideways(v, i) ? left : down, fixed != all);
  }
}

static void draw_nodes(const BarsView *v) {
  const BalanceResult *b = &v->r->result;
  LeavingLines angles = {0};
  bool named = b->nodes <= most_names && find_angles(v, &angles);
  for (uint32_t i = 0; i < b->nodes; i++) {
    DrawPoint at = place(v, node(v, b->x, i));
    drawing_add(v->d, (DrawItem){.kind = draw_circle,
                                 .role = role_points,
                                 .stroke = v->theme.ink,
                                 .fill = v->theme.ground,
                                 .line = 1.2,
                                 .opacity = 1,
                                 .x = at.x,
                                 .y = at.y,
                                 .r = b->nodes > 200 ? 1.5 : 3.2});
    if (named) draw_name(v, &angles, i, at);
  }
}

// ---- loads

static void arrow(const BarsView *v, DrawPoint at, DrawPoint f, double most) {
  double size = hypot(f.x, f.y), length = 20 + 24 * size / most;
  if (size == 0) return;
  double ux = f.x / size, uy = -f.y / size;
  DrawPoint tip = {at.x + length * ux, at.y + length * uy};
  straight(v, at, tip, v->theme.ink, 1.6, 1, dash_solid);
  DrawPoint *p = arena_array(v->d->arena, 3, sizeof *p);
  if (!p) return;
  p[0] = (DrawPoint){tip.x - 7 * ux + 3.5 * uy, tip.y - 7 * uy - 3.5 * ux};
  p[1] = tip;
  p[2] = (DrawPoint){tip.x - 7 * ux - 3.5 * uy, tip.y - 7 * uy + 3.5 * ux};
  path(v, p, 3, v->theme.ink, 1.6, 1, dash_solid);
}

// The load on a node, or one that follows a bar, where it acts now.
static DrawPoint load_at(const BarsView *v, uint32_t i, uint32_t *on) {
  const Structure *s = &v->r->structure;
  double force[3] = {0};
  if (i >= s->nodes) element_follow(s, i - s->nodes, v->r->result.x, force);
  *on = i < s->nodes ? i : s->followers.items[i - s->nodes].node;
  return flat(v, i < s->nodes ? s->force + (size_t)i * s->dim : force);
}

static void draw_loads(const BarsView *v) {
  const Structure *s = &v->r->structure;
  double most = 0;
  uint32_t on, count = s->nodes <= 200 ? s->nodes + s->followers.count : 0;
  for (uint32_t i = 0; i < count; i++) {
    DrawPoint f = load_at(v, i, &on);
    most = fmax(most, hypot(f.x, f.y));
  }
  for (uint32_t i = 0; i < count; i++) {
    DrawPoint f = load_at(v, i, &on);
    arrow(v, place(v, node(v, v->r->result.x, on)), f, most);
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
      p[c] = (DrawPoint){x + width * (i + (c == 1 || c == 2)) / scale_cells,
                         y + (c < 2 ? -1.3 : 1.3) * (part < 0 ? thick : thin)};
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
  drawing_word(v->d, role_bar, (DrawPoint){x, y - 14}, -1, "compression, thick", 11, v->theme.ink);
  drawing_word(v->d, role_bar, (DrawPoint){x + width, y - 14}, 1, "tension, thin", 11, v->theme.ink);
}

// What a method throws far away, and takes back, would leave a speck of the rest.
static bool is_ghost(const BarsView *v, const double *x) {
  const double far = 3; // sizes of the structure
  uint32_t count = v->r->result.nodes * v->r->result.dim;
  for (uint32_t i = 0; i < count; i++) {
    if (!(fabs(x[i] - v->r->result.x[i]) <= far * v->r->result.extent)) return false;
  }
  return true;
}

static void fit(BarsView *v, double width) {
  for (int i = 0; i < 2; i++) {
    v->lo[i] = INFINITY;
    v->hi[i] = -INFINITY;
  }
  include(v, v->r->result.x);
  for (uint32_t i = 0; i < v->r->poses.count; i += v->every) {
    if (is_ghost(v, v->r->poses.items[i].x)) include(v, v->r->poses.items[i].x);
  }
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
  v->every = r->poses.count > most_ghosts ? r->poses.count / most_ghosts + 1 : 1;
  fit(v, width > 0 ? width : usual_width);
  for (uint32_t i = 0; i < l->bars.count; i++) v->most = fmax(v->most, fabs(r->result.bar_force[i]));
  for (uint32_t i = 0; i < l->springs.count; i++) v->most = fmax(v->most, fabs(r->result.spring_force[i]));
  for (uint32_t i = 0; i < r->poses.count; i += v->every) {
    if (is_ghost(v, r->poses.items[i].x)) draw_parts(v, r->poses.items[i].x, true);
  }
  draw_sliders(v);
  draw_supports(v);
  draw_parts(v, r->result.x, false);
  draw_torsions(v);
  draw_loads(v);
  draw_nodes(v);
  draw_scale(v);
  if (space) space_directions(&v->camera, d, (DrawPoint){space_corner, d->height - space_corner});
  if (r->system->title) drawing_word(d, role_title, (DrawPoint){edge, 24}, -1, r->system->title, 15, v->theme.ink);
  return !arena_failed(d->arena);
}
