// A scene at a time, and at several times in one picture.
//
// in    a Scene
// out   items of a drawing: in a plane in the order of their kinds, in space in that of their depths
#include "show/scene.h"

#include "show/space.h"

#include <math.h>

void scene_draw(const Scene *s, Drawing *d, const SceneMap *map, double time, double strength, uint32_t clip) {
  if (s->space) {
    space_draw(s, d, map, time, strength, clip);
    return;
  }
  for (uint32_t layer = 1; layer < scene_layers; layer++) {
    for (uint32_t i = 0; i < s->shapes.count; i++) {
      DrawPoint p[2];
      if (scene_layer(s->shapes.items[i].kind) != layer || !scene_place(s, i, time, map, p)) continue;
      scene_draw_shape(d, map, &s->shapes.items[i], p, strength, clip);
    }
  }
}

// ---- overlaid poses

// The point that goes farthest: there every pose says its time.
static bool farthest_point(const Scene *s, uint32_t *shape, uint32_t *point) {
  double most = 0;
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    const SceneShape *h = &s->shapes.items[i];
    for (uint32_t k = 0; k < h->count && (k == 0 || h->kind != shape_vector); k++) {
      AxisRange x = axis_range_empty(), y = axis_range_empty();
      axis_range_take(&x, h->x[k], s->rows, false);
      axis_range_take(&y, h->y[k], s->rows, false);
      double reach = hypot(x.hi - x.lo, y.hi - y.lo);
      if (!(reach > most)) continue;
      most = reach;
      *shape = i, *point = k;
    }
  }
  return most > 0;
}

// From the middle of all points of a pose to this one: labels stand on the outside.
static DrawPoint outward(const Scene *s, const SceneMap *map, double time, DrawPoint at) {
  DrawPoint sum = {0, 0}, p[2];
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    const SceneShape *h = &s->shapes.items[i];
    if (h->kind == shape_trail || h->kind == shape_ground || !scene_place(s, i, time, map, p)) continue;
    for (uint32_t k = 0; k < h->count; k++, n++) sum.x += p[k].x, sum.y += p[k].y;
  }
  DrawPoint d = {n ? at.x - sum.x / n : 0, n ? at.y - sum.y / n : 0};
  double length = hypot(d.x, d.y);
  return length > 1 ? (DrawPoint){d.x / length, d.y / length} : (DrawPoint){0, -1};
}

// How far the shapes that are drawn around a point reach from it.
static double reach_at(const Scene *s, const SceneMap *map, double time, DrawPoint at) {
  double reach = 0;
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    const SceneShape *h = &s->shapes.items[i];
    DrawPoint p[2];
    bool round = h->kind == shape_circle || h->kind == shape_mass, box = h->kind == shape_box;
    if ((!round && !box) || !scene_place(s, i, time, map, p)) continue;
    if (hypot(p[0].x - at.x, p[0].y - at.y) > 2) continue;
    reach = fmax(reach, map->scale * (round ? h->size[0] : hypot(hypot(h->size[0], h->size[1]), h->size[2]) / 2));
  }
  return reach;
}

static double pose_time(const Ghosts *g, uint32_t i) {
  const Scene *s = g->scene;
  double end = s->rows ? s->t[s->rows - 1] : 0, first = s->rows ? s->t[0] : 0;
  return first + (g->count > 1 ? (double)i / (g->count - 1) : 1) * (end - first);
}

static bool overlap(DrawRect a, DrawRect b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

// How much of what is drawn lies in a rectangle: points of paths, a few pixels apart, and what they enclose.
static uint32_t covered(const Drawing *d, uint32_t from, uint32_t to, DrawRect r) {
  const double every = 4;
  uint32_t hits = 0;
  for (uint32_t i = from; i < to; i++) {
    const DrawItem *item = &d->items.items[i];
    if (item->kind == draw_circle) {
      double dx = fmax(fmax(r.x - item->x, item->x - r.x - r.w), 0),
             dy = fmax(fmax(r.y - item->y, item->y - r.y - r.h), 0);
      if (hypot(dx, dy) < item->r + 1) hits += 4;
    } else if (item->kind == draw_text) {
      double w = drawing_text_width(item->text, item->size, false);
      if (overlap(r, (DrawRect){item->x - (1 + item->anchor) * w / 2, item->y - item->size / 2, w, item->size}))
        hits += 10;
    }
    DrawRect box = {INFINITY, INFINITY, -INFINITY, -INFINITY}; // its two corners
    for (uint32_t k = 0; k < item->count; k++) {
      DrawPoint a = item->points[k ? k - 1 : 0], b = item->points[k];
      uint32_t n = (uint32_t)fmin(hypot(b.x - a.x, b.y - a.y) / every, 500) + 1;
      box = (DrawRect){fmin(box.x, b.x), fmin(box.y, b.y), fmax(box.w, b.x), fmax(box.h, b.y)};
      for (uint32_t m = 1; m <= n; m++) {
        double x = a.x + (b.x - a.x) * m / n, y = a.y + (b.y - a.y) * m / n;
        hits += x > r.x - 1 && x < r.x + r.w + 1 && y > r.y - 1 && y < r.y + r.h + 1;
      }
    }
    bool filled = item->closed && item->fill != draw_no_colour && item->count;
    if (filled && overlap(r, (DrawRect){box.x, box.y, box.w - box.x, box.h - box.y})) hits += 4;
  }
  return hits;
}

// A position for words beside a point where least is drawn, first in the direction that leads away from the pose, then
// around it and farther away. False: everywhere others stand, or too much is drawn.
typedef struct Labels {
  VEC(DrawRect) taken;
  Drawing *d;
  uint32_t from, to; // the items of all poses
  DrawRect area;
} Labels;

static bool find_place(const Labels *l, DrawPoint at, DrawPoint out, double away, double w, double h,
                       DrawPoint *place) {
  static const double turns[] = {0, 0.6, -0.6, 1.2, -1.2, 1.9, -1.9, 2.5, -2.5, 3.14};
  enum { unreadable = 12, around = sizeof turns / sizeof *turns };
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < 3 * around && least; i++) {
    uint32_t ring = i / around;
    double turn = turns[i % around], far = away + 7.0 * ring;
    double c = cos(turn), s = sin(turn), ux = c * out.x - s * out.y, uy = s * out.x + c * out.y;
    double x = at.x + (far + w / 3) * ux, y = at.y + far * uy;
    x = fmin(fmax(x, l->area.x + w / 2 + 2), l->area.x + l->area.w - w / 2 - 2);
    y = fmin(fmax(y, l->area.y + h), l->area.y + l->area.h - h);
    DrawRect room = {x - w / 2, y - h / 2, w, h};
    bool free = true;
    for (uint32_t k = 0; k < l->taken.count; k++) free = free && !overlap(room, l->taken.items[k]);
    uint32_t hits = free ? covered(l->d, l->from, l->to, room) : UINT32_MAX;
    if (hits >= least) continue;
    least = hits;
    *place = (DrawPoint){x, y};
  }
  return least < unreadable;
}

// The times of the poses, the last first; one that would lie on another is left out.
static void ghost_times(const Ghosts *g, Drawing *d, const SceneMap *map, DrawRect area, uint32_t from) {
  const Scene *s = g->scene;
  const double size = 10, least = 15;
  enum { most_looked = 60 }; // of more poses no label finds a free area
  Theme theme = drawing_theme(d->dark);
  uint32_t shape = 0, point = 0;
  Labels labels = {.d = d, .from = from, .to = g->count <= most_looked ? d->items.count : from, .area = area};
  DrawPoint last = {NAN, NAN}; // that has words
  if (!farthest_point(s, &shape, &point)) return;
  for (uint32_t i = g->count; i-- > 0;) {
    double time = pose_time(g, i);
    DrawPoint p[2], place;
    const char *words = arena_printf(d->arena, "%.3g s", time);
    if (!words || !scene_place(s, shape, time, map, p)) continue;
    // a pose that lies on a later one would only repeat its words
    bool hidden = hypot(p[point].x - last.x, p[point].y - last.y) < 6;
    if (hidden) continue;
    last = p[point];
    double away = fmax(least, reach_at(s, map, time, p[point]) + 7), w = drawing_text_width(words, size, false);
    if (!find_place(&labels, p[point], outward(s, map, time, p[point]), away, w, size, &place)) continue;
    vec_push(d->arena, &labels.taken, ((DrawRect){place.x - w / 2, place.y - size / 2, w, size}));
    drawing_word(d, role_note, place, 0, words, size, theme.muted);
  }
}

// "6 poses, 0.8 s apart, the earlier the fainter", above the area or at its edge.
static void ghost_words(const Ghosts *g, Drawing *d, DrawRect area) {
  Theme theme = drawing_theme(d->dark);
  if (g->count < 2) return;
  const char *words = arena_printf(d->arena, "%u poses from t = %.4g s, %.4g s apart, the earlier the fainter",
                                   g->count, pose_time(g, 0), pose_time(g, 1) - pose_time(g, 0));
  double y = area.y > 18 ? area.y - 8 : area.y + 9;
  if (words) drawing_word(d, role_note, (DrawPoint){area.x + area.w, y}, 1, words, 10, theme.muted);
}

static void ghosts_draw(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  const Ghosts *g = self;
  const Scene *s = g->scene;
  double scale = (x->to - x->from) / (x->hi - x->lo);
  SceneMap map = {scale, x->from - scale * x->lo, y->from + scale * y->lo, x->from, x->to};
  DrawRect area = {x->from, y->to, x->to - x->from, y->from - y->to};
  if (s->space) {
    space_ground(s, d, &map, clip);
    space_axes(s, d, (DrawPoint){x->from + space_corner, y->from - space_corner});
  }
  if (g->only) {
    scene_draw(s, d, &map, s->t[g->only - 1], 1, clip);
    return;
  }
  uint32_t from = d->items.count;
  scene_trails(s, d, &map, INFINITY, clip);
  for (uint32_t i = 0; i < g->count; i++) {
    double part = g->count > 1 ? (double)i / (g->count - 1) : 1;
    // what is old is faint
    scene_draw(s, d, &map, pose_time(g, i), 0.12 + 0.88 * part * part, clip);
  }
  if (g->untimed) return;
  ghost_times(g, d, &map, area, from);
  ghost_words(g, d, area);
}

void scene_ghosts(Arena *arena, Ghosts *ghosts, Plot *plot) {
  const Scene *s = ghosts->scene;
  *plot = (Plot){.title = s->title};
  bool flat = true;
  for (uint32_t i = 0; i < s->shapes.count; i++) flat = flat && s->shapes.items[i].kind != shape_cart;
  PlotPanel *p = plot_panel(arena, plot, "x", s->unit);
  if (!p) return;
  p->equal = true;
  p->bare = s->space;
  p->y_name = "y";
  double mx = 0.08 * (s->x.hi - s->x.lo), my = (flat ? 0.08 : 0.14) * (s->y.hi - s->y.lo);
  if (scene_has_vector(s)) { // an arrow may stand at the edge of the moving scene
    double pixel = fmax((s->x.hi - s->x.lo) / 400, (s->y.hi - s->y.lo) / 240); // as long as that, or less
    mx = fmax(mx, (scene_vector_length + 4) * pixel);
    my = fmax(my, (scene_vector_length + 4) * pixel);
  }
  p->x = (AxisRange){s->x.lo - mx, s->x.hi + mx};
  p->y = (AxisRange){s->y.lo - my, s->y.hi + my};
  double shape = (p->y.hi - p->y.lo) / (p->x.hi - p->x.lo);
  p->height = fmin(fmax(640 * shape, 180), 460);
  ghosts->width = fmin(fmax(p->height / shape + (s->space ? 20 : 90), 400), 720);
  p->scene = ghosts_draw;
  p->self = ghosts;
  // the unit of the y axis comes from a curve without points
  static const double nothing[1] = {0};
  PlotCurve c = {.kind = curve_line, .name = "", .unit = s->unit, .x = nothing, .y = nothing, .count = 0};
  if (!s->key.count) vec_push(arena, &p->curves, c);
  c.kind = curve_points; // a dot of its colour in the legend, or one of many on a bar
  p->bar = (PlotBar){.name = s->level_name, .log = scene_key_log(s)};
  for (uint32_t i = 0; i < s->key.count; i++) {
    c.name = s->key.items[i].label;
    c.style = i + 1;
    c.shaded = s->key.count > scene_key_most;
    c.level = s->key.items[i].level;
    vec_push(arena, &p->curves, c);
  }
}
