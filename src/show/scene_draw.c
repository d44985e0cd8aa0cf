// A scene at a time, and at several times in one picture.
//
// in    a Scene
// out   items of a drawing: in a plane in the order of their kinds, in space in that of their depths
#include "show/scene.h"

#include "show/space.h"

#include <math.h>

// What lies over what: ground, supports, carts, springs and rods, masses, vectors.
static const ShapeKind layers[] = {shape_ground, shape_support, shape_cart,  shape_spring,
                                   shape_rod,    shape_mass,    shape_vector};
enum { layer_count = sizeof layers / sizeof *layers };

void scene_draw(const Scene *s, Drawing *d, const SceneMap *map, double time, double strength, uint32_t clip) {
  if (s->space) {
    space_draw(s, d, map, time, strength, clip);
    return;
  }
  for (int layer = 0; layer < layer_count; layer++) {
    for (uint32_t i = 0; i < s->shapes.count; i++) {
      DrawPoint p[2];
      if (s->shapes.items[i].kind != layers[layer] || !scene_place(s, i, time, map, p)) continue;
      scene_draw_shape(d, map, layers[layer], p, strength, clip);
    }
  }
}

// ---- ghost images

static void ghosts_draw(void *self, Drawing *d, const Scale *x, const Scale *y, uint32_t clip) {
  const Ghosts *g = self;
  const Scene *s = g->scene;
  double scale = (x->to - x->from) / (x->hi - x->lo);
  SceneMap map = {scale, x->from - scale * x->lo, y->from + scale * y->lo, x->from, x->to};
  double end = s->rows ? s->t[s->rows - 1] : 0, first = s->rows ? s->t[0] : 0;
  if (s->space) {
    space_ground(s, d, &map, clip);
    space_axes(s, d, (DrawPoint){x->from + space_corner, y->from - space_corner});
  }
  scene_trails(s, d, &map, INFINITY, clip);
  for (uint32_t i = 0; i < g->count; i++) {
    double part = g->count > 1 ? (double)i / (g->count - 1) : 1;
    // what is old is faint
    scene_draw(s, d, &map, first + part * (end - first), 0.12 + 0.88 * part * part, clip);
  }
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
  if (scene_has_vector(s)) { // an arrow may stand at the edge of the motion
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
  vec_push(arena, &p->curves, c);
}
