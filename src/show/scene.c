// Shapes at a time: rods, springs that stretch, masses, carts, ground, vectors, trails.
//
// in    positions of points over the rows of a run
// out   items of a drawing at any time, positions between rows by linear interpolation
// how   Lengths are the model's; a map takes them to paper, y upwards. Springs, carts and arrows have sizes of paper.
//       Points in space are seen by a camera; what lies before what then is space.c's.
#include "show/scene.h"

#include "show/space.h"

#include <math.h>
#include <string.h>

static const double spring_width = 7, cart_w = 46, cart_h = 22, mass_radius = 7, com_radius = 4, letters = 13; // pixels

// ---- filling

void scene_init(Scene *s, Arena *arena, const double *t, size_t rows) {
  *s = (Scene){.arena = arena, .t = t, .rows = rows, .x = axis_range_empty(), .y = axis_range_empty()};
  for (int i = 0; i < 3; i++) s->box[i] = axis_range_empty();
}

void scene_seen(Scene *s, const System *system, const double from[3]) {
  for (uint32_t i = 0; i < system->shapes.count; i++) s->space = s->space || system->shapes.items[i].dims == 3;
  if (!s->space) return;
  s->camera = camera_of(s->arena, system, from);
  s->nothing = arena_array(s->arena, s->rows + 1, sizeof *s->nothing);
}

// A point in space over the rows, as it is seen.
static bool see_point(Scene *s, SceneShape *shape, uint32_t k) {
  double *depth = shape->depth[k] = arena_array(s->arena, s->rows + 1, sizeof *depth);
  if (!depth || !shape->space[k][2]) return false;
  for (size_t i = 0; i < s->rows; i++) {
    double seen[3], p[3] = {shape->space[k][0][i], shape->space[k][1][i], shape->space[k][2][i]};
    camera_see(&s->camera, p, seen);
    shape->x[k][i] = seen[0];
    shape->y[k][i] = seen[1];
    depth[i] = seen[2];
  }
  return true;
}

// The range of all positions; a vector has no position but a length.
static void take_range(Scene *s, SceneShape *shape, uint32_t k) {
  const double *x = shape->x[k], *y = shape->y[k], *depth = shape->depth[k];
  if (shape->kind != shape_vector || k == 0) {
    axis_range_take(&s->x, x, s->rows, false), axis_range_take(&s->y, y, s->rows, false);
    for (int c = 0; c < 3 && depth; c++) axis_range_take(&s->box[c], shape->space[k][c], s->rows, false);
    return;
  }
  for (size_t i = 0; i < s->rows; i++) {
    double n = depth ? hypot(hypot(x[i], y[i]), depth[i]) : hypot(x[i], y[i]);
    if (isfinite(n) && n > shape->longest) shape->longest = n;
  }
}

// A shape with a size needs a margin around its points.
static void take_sizes(Scene *s, const SceneShape *shape) {
  bool box = shape->kind == shape_box, round = shape->kind == shape_mass || shape->kind == shape_circle;
  double reach = round ? shape->size[0] : shape->width / 2;
  if (box || shape->kind == shape_cart) reach = hypot(hypot(shape->size[0], shape->size[1]), shape->size[2]) / 2;
  uint32_t points = box || shape->kind == shape_vector ? 1 : shape->count;
  if (!(reach > 0) || !isfinite(reach)) return;
  for (uint32_t k = 0; k < points; k++) {
    for (size_t i = 0; i < s->rows; i++) {
      const double x[2] = {shape->x[k][i] - reach, shape->x[k][i] + reach},
                   y[2] = {shape->y[k][i] - reach, shape->y[k][i] + reach};
      axis_range_take(&s->x, x, 2, false), axis_range_take(&s->y, y, 2, false);
      for (int c = 0; c < 3 && shape->depth[k]; c++) {
        double at = shape->space[k][c][i];
        axis_range_take(&s->box[c], (const double[]){at - reach, at + reach}, 2, false);
      }
    }
  }
}

// A box of a plane in a scene in space stands upright on it, without any height.
static bool stand_flat_box(Scene *s, SceneShape *shape) {
  double *columns = arena_array(s->arena, 3 * (s->rows + 1), sizeof *columns), half = shape->size[0] / 2;
  double *cosine = columns, *sine = columns + s->rows + 1, *back = sine + s->rows + 1;
  double *one = arena_array(s->arena, s->rows + 1, sizeof *one);
  if (!columns || !one) return false;
  for (size_t i = 0; i < s->rows; i++) {
    cosine[i] = (shape->space[1][0][i] - shape->space[0][0][i]) / half;
    sine[i] = (shape->space[1][1][i] - shape->space[0][1][i]) / half;
    back[i] = -sine[i];
    one[i] = 1;
  }
  const double *turn[9] = {cosine, back, s->nothing, sine, cosine, s->nothing, s->nothing, s->nothing, one};
  memcpy(shape->turn, turn, sizeof turn);
  shape->count = 1;
  return true;
}

void scene_add(Scene *s, const SystemShape *from, const double *const *values) {
  SceneShape shape = {
      .kind = from->kind, .count = from->count, .coils = from->coils, .colour = from->colour, .text = from->text};
  uint32_t next = 0;
  for (uint32_t k = 0; k < from->count; k++) {
    double *x = shape.x[k] = arena_array(s->arena, s->rows + 1, sizeof *x),
           *y = shape.y[k] = arena_array(s->arena, s->rows + 1, sizeof *y);
    if (!x || !y) return;
    for (uint32_t c = 0; c < 3; c++) shape.space[k][c] = c < from->dims ? values[next++] : s->nothing;
    if (!s->space) {
      for (size_t i = 0; i < s->rows; i++) x[i] = shape.space[k][0][i], y[i] = shape.space[k][1][i];
    } else if (!see_point(s, &shape, k)) {
      return;
    }
    take_range(s, &shape, k);
  }
  for (uint32_t c = 0; c < 9 && from->turn[0]; c++) shape.turn[c] = values[next++];
  if (from->inertia[0] && s->rows) {
    double inertia[7];
    for (uint32_t c = 0; c < 7; c++) inertia[c] = values[next++][0];
    if (!space_box(inertia, shape.axes, shape.half)) return;
    space_take_box(s, &shape);
  }
  for (uint32_t c = 0; c < 3 && from->size[c] && s->rows; c++) shape.size[c] = values[next++][0];
  if (from->width && s->rows) shape.width = values[next][0];
  if (s->space && from->kind == shape_box && !from->turn[0] && !stand_flat_box(s, &shape)) return;
  for (size_t c = 0; c < 3 && from->kind == shape_box && s->space; c++) {
    shape.axes[4 * c] = 1;
    shape.half[c] = shape.size[c] / 2;
  }
  take_sizes(s, &shape);
  vec_push(s->arena, &s->shapes, shape);
}

bool scene_has_vector(const Scene *s) {
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    if (s->shapes.items[i].kind == shape_vector) return true;
  }
  return false;
}

void scene_finish(Scene *s) {
  if (s->space) space_take_ground(s);
  // a point that never moves still needs a margin around it
  double size = fmax(s->x.hi - s->x.lo, s->y.hi - s->y.lo);
  if (!(s->x.lo <= s->x.hi)) s->x = s->y = (AxisRange){-1, 1}, size = 2;
  if (!(size > 0)) size = 1;
  AxisRange *both[2] = {&s->x, &s->y};
  for (int i = 0; i < 2; i++) {
    double middle = (both[i]->lo + both[i]->hi) / 2, half = fmax((both[i]->hi - both[i]->lo) / 2, 0.2 * size);
    *both[i] = (AxisRange){middle - half, middle + half};
  }
}

// ---- positions

size_t scene_row(const Scene *s, double time, double *part) {
  size_t lo = 0, hi = s->rows;
  while (hi - lo > 1) {
    size_t middle = lo + (hi - lo) / 2;
    if (s->t[middle] <= time) lo = middle;
    else hi = middle;
  }
  *part =
      lo + 1 < s->rows && s->t[lo + 1] > s->t[lo] ? fmin(fmax((time - s->t[lo]) / (s->t[lo + 1] - s->t[lo]), 0), 1) : 0;
  return lo;
}

bool scene_place(const Scene *s, uint32_t index, double time, const SceneMap *map, DrawPoint out[2]) {
  const SceneShape *shape = &s->shapes.items[index];
  double part;
  size_t i = scene_row(s, time, &part), next = part > 0 ? i + 1 : i;
  bool ok = s->rows > 0;
  for (uint32_t k = 0; k < shape->count && ok; k++) {
    double x = shape->x[k][i] + part * (shape->x[k][next] - shape->x[k][i]),
           y = shape->y[k][i] + part * (shape->y[k][next] - shape->y[k][i]);
    ok = isfinite(x) && isfinite(y);
    if (shape->kind == shape_vector && k == 1) {
      double scale = shape->longest > 0 ? scene_vector_length / shape->longest : 0;
      out[1] = (DrawPoint){out[0].x + scale * x, out[0].y - scale * y};
    } else {
      out[k] = (DrawPoint){map->x0 + map->scale * x, map->y0 - map->scale * y};
    }
  }
  return ok;
}

// ---- looks

uint32_t scene_layer(ShapeKind kind) {
  static const unsigned char layers[shape_kinds] = {
      [shape_trail] = 0,  [shape_ground] = 1, [shape_support] = 2, [shape_cart] = 3,   [shape_box] = 4,
      [shape_circle] = 4, [shape_spring] = 5, [shape_rod] = 6,     [shape_line] = 6,   [shape_mass] = 7,
      [shape_vector] = 8, [shape_text] = 9,   [shape_frame] = 10,  [shape_solid] = 10, [shape_com] = 10};
  return layers[kind];
}

SceneLook scene_look(const SceneShape *shape, const Theme *theme, const SceneMap *map) {
  SceneLook look = {.stroke = theme->ink, .fill = draw_no_colour, .line = 1.5};
  double first = map->scale * shape->size[0], width = map->scale * shape->width;
  int32_t said = (int32_t)(shape->colour & 0xffffff);
  bool coloured = shape->colour != 0;
  switch (shape->kind) {
  case shape_rod: look.line = 3.5; break;
  case shape_vector: look.stroke = drawing_theme_curve(theme, 3), look.line = 2; break;
  case shape_trail: look.stroke = drawing_theme_curve(theme, 1), look.line = 1.4; break;
  case shape_ground:
  case shape_support: look.stroke = theme->muted, look.line = 1.2; break;
  case shape_cart:
  case shape_box:
  case shape_circle: look.closed = true, look.fill = drawing_theme_curve(theme, 4); break;
  case shape_mass: look.fill = drawing_theme_curve(theme, 0), look.stroke = theme->ground; break;
  case shape_com: look.fill = theme->ground; break;
  case shape_text: look.fill = theme->ink, look.stroke = draw_no_colour; break;
  default: break;
  }
  look.disc = shape->kind == shape_mass || shape->kind == shape_circle || shape->kind == shape_com;
  look.radius = first > 0 ? first : shape->kind == shape_com ? com_radius : mass_radius;
  look.letters = first > 0 ? first : letters;
  look.w = first > 0 ? first : cart_w;
  look.h = first > 0 ? map->scale * shape->size[1] : cart_h;
  look.side = width > 0 ? width / 2 : spring_width;
  if (width > 0 && shape->kind != shape_spring) look.line = width;
  if (coloured) *(look.fill == draw_no_colour ? &look.stroke : &look.fill) = said;
  return look;
}

// ---- paths

static DrawPoint *spring_path(Arena *arena, const SceneShape *shape, double width, const DrawPoint p[2],
                              uint32_t *count) {
  uint32_t turns = shape->coils ? shape->coils : scene_spring_coils;
  DrawPoint *q = arena_array(arena, 2 * (size_t)turns + 4, sizeof *q);
  double dx = p[1].x - p[0].x, dy = p[1].y - p[0].y, n = hypot(dx, dy);
  if (!q) return NULL;
  double ux = n > 0 ? dx / n : 1, uy = n > 0 ? dy / n : 0, end = fmin(10, n / 5), coil = (n - 2 * end) / (2 * turns);
  uint32_t k = 0;
  q[k++] = p[0];
  q[k++] = (DrawPoint){p[0].x + end * ux, p[0].y + end * uy};
  for (uint32_t i = 0; i < 2 * turns; i++) {
    double along = end + (i + 0.5) * coil, side = i % 2 ? -width : width;
    q[k++] = (DrawPoint){p[0].x + along * ux - side * uy, p[0].y + along * uy + side * ux};
  }
  q[k++] = (DrawPoint){p[1].x - end * ux, p[1].y - end * uy};
  q[k++] = p[1];
  *count = k;
  return q;
}

static DrawPoint *vector_path(Arena *arena, const DrawPoint p[2], uint32_t *count) {
  DrawPoint *q = arena_array(arena, 5, sizeof *q);
  double dx = p[1].x - p[0].x, dy = p[1].y - p[0].y, n = hypot(dx, dy), head = fmin(9, n / 2);
  if (!q) return NULL;
  double ux = n > 0 ? dx / n : 0, uy = n > 0 ? dy / n : 0;
  q[0] = p[0];
  q[1] = p[1];
  q[2] = (DrawPoint){p[1].x - head * (ux - 0.5 * uy), p[1].y - head * (uy + 0.5 * ux)};
  q[3] = p[1];
  q[4] = (DrawPoint){p[1].x - head * (ux + 0.5 * uy), p[1].y - head * (uy - 0.5 * ux)};
  *count = 5;
  return q;
}

// A line over the whole width with strokes below.
static DrawPoint *ground_path(Arena *arena, DrawPoint p, const SceneMap *map, uint32_t *count) {
  uint32_t strokes = (uint32_t)((map->right - map->left) / 12);
  DrawPoint *q = arena_array(arena, 2 + 3 * (size_t)strokes, sizeof *q);
  if (!q) return NULL;
  uint32_t k = 0;
  q[k++] = (DrawPoint){map->left, p.y};
  q[k++] = (DrawPoint){map->right, p.y};
  for (uint32_t i = 0; i < strokes; i++) {
    double x = map->left + 12 * (i + 1);
    q[k++] = (DrawPoint){NAN, NAN};
    q[k++] = (DrawPoint){x, p.y};
    q[k++] = (DrawPoint){x - 8, p.y + 8};
  }
  *count = k;
  return q;
}

// A triangle below its pin, on a short line with strokes.
static DrawPoint *support_path(Arena *arena, DrawPoint p, uint32_t *count) {
  enum { strokes = 4 };
  static const DrawPoint outline[] = {{0, 0}, {-8, 13}, {8, 13}, {0, 0}, {NAN, NAN}, {-14, 13}, {14, 13}};
  const uint32_t fixed = sizeof outline / sizeof *outline;
  DrawPoint *q = arena_array(arena, fixed + 3 * strokes, sizeof *q);
  if (!q) return NULL;
  uint32_t k = 0;
  for (; k < fixed; k++) q[k] = (DrawPoint){p.x + outline[k].x, p.y + outline[k].y};
  for (uint32_t i = 0; i < strokes; i++) {
    double x = p.x - 7 + 7 * i;
    q[k++] = (DrawPoint){NAN, NAN};
    q[k++] = (DrawPoint){x, p.y + 13};
    q[k++] = (DrawPoint){x - 5, p.y + 18};
  }
  *count = k;
  return q;
}

static DrawPoint *cart_path(Arena *arena, const SceneLook *look, DrawPoint p, uint32_t *count) {
  DrawPoint *q = arena_array(arena, 4, sizeof *q);
  if (!q) return NULL;
  q[0] = (DrawPoint){p.x - look->w / 2, p.y - look->h / 2};
  q[1] = (DrawPoint){p.x + look->w / 2, p.y - look->h / 2};
  q[2] = (DrawPoint){p.x + look->w / 2, p.y + look->h / 2};
  q[3] = (DrawPoint){p.x - look->w / 2, p.y + look->h / 2};
  *count = 4;
  return q;
}

// From the middle and the middle of a side: all corners.
static DrawPoint *box_path(Arena *arena, const SceneShape *shape, const DrawPoint p[2], uint32_t *count) {
  DrawPoint *q = arena_array(arena, 4, sizeof *q);
  double ratio = shape->size[0] > 0 ? shape->size[1] / shape->size[0] : 1;
  if (!q) return NULL;
  double ax = p[1].x - p[0].x, ay = p[1].y - p[0].y, bx = -ratio * ay, by = ratio * ax;
  static const int corners[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (int i = 0; i < 4; i++) {
    q[i].x = p[0].x + corners[i][0] * ax + corners[i][1] * bx;
    q[i].y = p[0].y + corners[i][0] * ay + corners[i][1] * by;
  }
  *count = 4;
  return q;
}

DrawPoint *scene_shape_path(Arena *arena, const SceneShape *shape, const DrawPoint p[2], const SceneMap *map,
                            uint32_t *count) {
  Theme theme = drawing_theme(false);
  SceneLook look = scene_look(shape, &theme, map);
  *count = 0;
  switch (shape->kind) {
  case shape_spring: return spring_path(arena, shape, look.side, p, count);
  case shape_vector: return vector_path(arena, p, count);
  case shape_ground: return ground_path(arena, p[0], map, count);
  case shape_support: return support_path(arena, p[0], count);
  case shape_cart: return cart_path(arena, &look, p[0], count);
  case shape_box: return box_path(arena, shape, p, count);
  default: {
    DrawPoint *q = arena_array(arena, 2, sizeof *q);
    if (!q) return NULL;
    q[0] = p[0];
    q[1] = shape->count > 1 ? p[1] : p[0];
    *count = 2;
    return q;
  }
  }
}

// ---- drawing

void scene_draw_shape(Drawing *d, const SceneMap *map, const SceneShape *shape, const DrawPoint p[2], double strength,
                      uint32_t clip) {
  Theme theme = drawing_theme(d->dark);
  SceneLook look = scene_look(shape, &theme, map);
  DrawItem item = {.kind = look.disc ? draw_circle : draw_path,
                   .role = role_shape,
                   .stroke = look.stroke,
                   .fill = look.fill,
                   .line = look.line,
                   .opacity = strength,
                   .clip = clip,
                   .closed = look.closed};
  if (look.disc || shape->kind == shape_text) item.x = p[0].x, item.y = p[0].y;
  if (shape->kind == shape_text) {
    if (strength < 1) return; // words of the last pose are enough
    item.kind = draw_text;
    item.text = shape->text;
    item.size = look.letters;
  } else if (look.disc) {
    item.r = look.radius;
  } else if (!(item.points = scene_shape_path(d->arena, shape, p, map, &item.count))) {
    return;
  }
  drawing_add(d, item);
  for (int i = 0; shape->kind == shape_cart && i < 2; i++) {
    DrawItem w = {.kind = draw_circle,
                  .role = role_shape,
                  .stroke = theme.ink,
                  .fill = theme.ground,
                  .line = 1.5,
                  .opacity = strength,
                  .clip = clip,
                  .r = scene_wheel};
    w.x = p[0].x + (i ? 1 : -1) * 0.3 * look.w;
    w.y = p[0].y + look.h / 2 + scene_wheel;
    drawing_add(d, w);
  }
}

void scene_trails(const Scene *s, Drawing *d, const SceneMap *map, double until, uint32_t clip) {
  Theme theme = drawing_theme(d->dark);
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    const SceneShape *shape = &s->shapes.items[i];
    if (shape->kind != shape_trail) continue;
    VEC(DrawPoint) path = {0};
    for (size_t k = 0; k < s->rows && s->t[k] <= until; k++) {
      DrawPoint q = {map->x0 + map->scale * shape->x[0][k], map->y0 - map->scale * shape->y[0][k]};
      if (!isfinite(q.x) || !isfinite(q.y)) continue;
      const DrawPoint *last = path.count ? &path.items[path.count - 1] : NULL;
      if (last && hypot(q.x - last->x, q.y - last->y) < 0.7) continue;
      vec_push(d->arena, &path, q);
    }
    if (path.count < 2) continue;
    SceneLook look = scene_look(shape, &theme, map);
    drawing_add(d, (DrawItem){.kind = draw_path,
                              .role = role_trail,
                              .stroke = look.stroke,
                              .fill = draw_no_colour,
                              .line = look.line,
                              .opacity = 0.8,
                              .clip = clip,
                              .points = path.items,
                              .count = path.count});
  }
}
