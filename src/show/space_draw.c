// Painter's algorithm: shapes in space, the far ones first.
//
// in    shapes at a time, as they are seen, with their depths
// out   items of a drawing in such an order that what is nearer covers what is farther
// how   Where two lines cross on paper, or a disc lies on a line, the one that is nearer there comes later; what has no
//       such neighbour goes by its middle. A cycle of three lines, each before the next, is cut at the farthest.
//       Rods have a rim of the ground's colour, so that one sees which of two passes in front.
#include "show/space.h"

#include <math.h>
#include <stdlib.h>

enum { most_exact = 600 }; // shapes whose neighbours are looked at one by one; more go by their middles
static const double disc = 7, rim = 1.6;

static bool is_box(ShapeKind kind) { return kind == shape_box || kind == shape_solid; }

typedef struct SpaceItem {
  uint32_t shape;
  bool point; // drawn around one point
  DrawPoint p[2];
  double z[2], mean;
  double r; // of a disc on paper
} SpaceItem;
typedef VEC(SpaceItem) SpaceItemList;

// ---- frames and boxes

const uint32_t space_edges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                     {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

// Numbers of a shape between two rows.
static double between(const double *column, size_t row, double part) {
  return part > 0 ? column[row] + part * (column[row + 1] - column[row]) : column[row];
}

uint32_t space_points(const Scene *s, uint32_t index, double time, double out[space_points_most][3]) {
  const SceneShape *shape = &s->shapes.items[index];
  double part, at[3], turn[9];
  size_t row = scene_row(s, time, &part);
  uint32_t count = is_box(shape->kind) ? 8 : shape->kind == shape_frame ? 3 : 0;
  if (!s->rows || !count) return 0;
  for (int c = 0; c < 3; c++) at[c] = between(shape->space[0][c], row, part);
  for (int c = 0; c < 9; c++) turn[c] = between(shape->turn[c], row, part);
  for (uint32_t b = 0; b < count; b++) {
    double own[3] = {0, 0, 0};
    if (shape->kind == shape_frame) {
      own[b] = 0.07 * s->size;
    } else {
      for (size_t k = 0; k < 3; k++) {
        double along = b >> k & 1 ? shape->half[k] : -shape->half[k];
        for (size_t c = 0; c < 3; c++) own[c] += shape->axes[3 * c + k] * along;
      }
    }
    for (size_t c = 0; c < 3; c++) {
      out[b][c] = at[c] + turn[3 * c] * own[0] + turn[3 * c + 1] * own[1] + turn[3 * c + 2] * own[2];
      if (!isfinite(out[b][c])) return 0;
    }
  }
  return count;
}

// ---- order

static double side_of(DrawPoint a, DrawPoint b, DrawPoint c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// How much nearer a is than b where they meet on paper; 0: they do not meet, or touch.
static double nearer_lines(const SpaceItem *a, const SpaceItem *b) {
  double ab0 = side_of(b->p[0], b->p[1], a->p[0]), ab1 = side_of(b->p[0], b->p[1], a->p[1]),
         ba0 = side_of(a->p[0], a->p[1], b->p[0]), ba1 = side_of(a->p[0], a->p[1], b->p[1]);
  if (!(ab0 * ab1 < 0) || !(ba0 * ba1 < 0)) return 0;
  double u = ab0 / (ab0 - ab1), v = ba0 / (ba0 - ba1);
  return a->z[0] + u * (a->z[1] - a->z[0]) - b->z[0] - v * (b->z[1] - b->z[0]);
}

static double nearer_point(const SpaceItem *point, const SpaceItem *line) {
  DrawPoint d = {line->p[1].x - line->p[0].x, line->p[1].y - line->p[0].y};
  double n = d.x * d.x + d.y * d.y, x = point->p[0].x - line->p[0].x, y = point->p[0].y - line->p[0].y;
  double u = n > 0 ? fmin(fmax((x * d.x + y * d.y) / n, 0), 1) : 0;
  if (hypot(x - u * d.x, y - u * d.y) > point->r + 2) return 0;
  return point->z[0] - line->z[0] - u * (line->z[1] - line->z[0]);
}

static double nearer(const SpaceItem *a, const SpaceItem *b) {
  if (a->point && b->point)
    return hypot(a->p[0].x - b->p[0].x, a->p[0].y - b->p[0].y) < a->r + b->r ? a->mean - b->mean : 0;
  if (a->point) return nearer_point(a, b);
  return b->point ? -nearer_point(b, a) : nearer_lines(a, b);
}

static int by_depth(const void *a, const void *b) {
  const SpaceItem *x = a, *y = b;
  if (x->mean != y->mean) return x->mean < y->mean ? -1 : 1;
  return x->shape < y->shape ? -1 : x->shape > y->shape;
}

// Items in the order of drawing. `before`: how many of those that must come first are still to come.
static void order_items(Arena *arena, SpaceItemList *list, double least) {
  uint32_t n = list->count;
  if (n) qsort(list->items, n, sizeof *list->items, by_depth);
  if (n > most_exact || n < 2) return;
  uint32_t *before = arena_array(arena, n, sizeof *before);
  signed char *front = arena_array(arena, (size_t)n * n, sizeof *front); // 1: the first is in front of the second
  SpaceItem *sorted = arena_array(arena, n, sizeof *sorted);
  bool *done = arena_array(arena, n, sizeof *done);
  if (!before || !front || !sorted || !done) return;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < i; k++) {
      double d = nearer(&list->items[i], &list->items[k]);
      if (!(fabs(d) > least)) continue;
      uint32_t first = d > 0 ? i : k, second = d > 0 ? k : i;
      front[(size_t)first * n + second] = 1;
      before[first]++;
    }
  }
  for (uint32_t at = 0; at < n; at++) {
    uint32_t next = n, farthest = n;
    for (uint32_t i = 0; i < n && next == n; i++) {
      if (done[i]) continue;
      if (farthest == n) farthest = i;
      if (!before[i]) next = i;
    }
    if (next == n) next = farthest;
    sorted[at] = list->items[next];
    done[next] = true;
    for (uint32_t i = 0; i < n; i++) {
      if (front[(size_t)i * n + next] && !done[i]) before[i]--;
    }
  }
  for (uint32_t i = 0; i < n; i++) list->items[i] = sorted[i];
}

static bool is_point(ShapeKind kind) {
  return kind != shape_rod && kind != shape_line && kind != shape_spring && kind != shape_vector;
}

// How far a shape around a point reaches on paper.
static double reach_of(const SceneShape *shape, const SceneMap *map) {
  bool round = shape->kind == shape_mass || shape->kind == shape_circle;
  if (round && shape->size[0] > 0) return map->scale * shape->size[0];
  if (shape->kind == shape_box) return map->scale * fmax(fmax(shape->half[0], shape->half[1]), shape->half[2]);
  return disc;
}

static double depth_at(const SceneShape *shape, uint32_t k, size_t row, double part) {
  const double *z = shape->depth[k];
  return part > 0 ? z[row] + part * (z[row + 1] - z[row]) : z[row];
}

static void collect(const Scene *s, Arena *arena, const SceneMap *map, double time, SpaceItemList *list) {
  double part;
  size_t row = scene_row(s, time, &part);
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    const SceneShape *shape = &s->shapes.items[i];
    SpaceItem item = {.shape = i, .point = is_point(shape->kind), .r = reach_of(shape, map)};
    if (shape->kind == shape_trail || shape->kind == shape_ground || !scene_place(s, i, time, map, item.p)) continue;
    item.z[0] = item.z[1] = depth_at(shape, 0, row, part);
    if (shape->kind == shape_vector && shape->longest > 0)
      item.z[1] += depth_at(shape, 1, row, part) * scene_vector_length / (shape->longest * map->scale);
    else if (!item.point) item.z[1] = depth_at(shape, 1, row, part);
    // a ball reaches out of its middle, a mark lies on it
    bool mark = shape->kind == shape_com || shape->kind == shape_frame || shape->kind == shape_text;
    bool thick = shape->kind == shape_mass || shape->kind == shape_circle || shape->kind == shape_box;
    double out = thick ? item.r : mark ? 2 * disc : 0;
    item.z[0] += out / map->scale;
    if (item.point) item.z[1] = item.z[0];
    item.mean = (item.z[0] + item.z[1]) / 2;
    vec_push(arena, list, item);
  }
}

uint32_t *space_mean_order(const Scene *s, Arena *arena, uint32_t *count) {
  SpaceItemList list = {0};
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    const SceneShape *shape = &s->shapes.items[i];
    SpaceItem item = {.shape = i};
    if (shape->kind == shape_trail || shape->kind == shape_ground) continue;
    for (size_t k = 0; k < s->rows; k++) {
      double z = shape->kind == shape_vector || shape->count < 2 ? shape->depth[0][k]
                                                                 : (shape->depth[0][k] + shape->depth[1][k]) / 2;
      if (isfinite(z)) item.mean += z / (double)s->rows;
    }
    // discs and marks over all lines: those that end in them would cross them
    if (shape->kind == shape_mass || shape->kind == shape_com || shape->kind == shape_frame ||
        shape->kind == shape_text)
      item.mean += 10 * s->size;
    vec_push(arena, &list, item);
  }
  if (list.count) qsort(list.items, list.count, sizeof *list.items, by_depth);
  uint32_t *order = arena_array(arena, (size_t)list.count + 1, sizeof *order);
  for (uint32_t i = 0; order && i < list.count; i++) order[i] = list.items[i].shape;
  *count = order ? list.count : 0;
  return order;
}

// ---- drawing

typedef struct SpacePen {
  const Scene *s;
  Drawing *d;
  const SceneMap *map;
  Theme theme;
  double time, strength;
  uint32_t clip;
} SpacePen;

static void stroke(const SpacePen *w, const DrawPoint *points, uint32_t count, int32_t colour, double line,
                   double part) {
  DrawPoint *path = arena_array(w->d->arena, count, sizeof *path);
  if (!path) return;
  for (uint32_t i = 0; i < count; i++) path[i] = points[i];
  drawing_add(w->d, (DrawItem){.kind = draw_path,
                               .role = role_shape,
                               .stroke = colour,
                               .fill = draw_no_colour,
                               .line = line,
                               .opacity = part * w->strength,
                               .clip = w->clip,
                               .points = path,
                               .count = count});
}

// Behind a rod, not at its ends, where others meet it.
static void draw_rim(const SpacePen *w, const SceneShape *shape, const DrawPoint p[2]) {
  const double end = 8;
  double n = hypot(p[1].x - p[0].x, p[1].y - p[0].y);
  if (!(n > 3 * end)) return;
  double u = end / n;
  DrawPoint inner[2] = {{p[0].x + u * (p[1].x - p[0].x), p[0].y + u * (p[1].y - p[0].y)},
                        {p[1].x - u * (p[1].x - p[0].x), p[1].y - u * (p[1].y - p[0].y)}};
  stroke(w, inner, 2, w->theme.ground, scene_look(shape, &w->theme, w->map).line + 2 * rim, 1);
}

static void draw_frame(const SpacePen *w, uint32_t shape, DrawPoint origin) {
  static const uint32_t colours[] = {3, 5, 0};
  double ends[space_points_most][3];
  uint32_t n = space_points(w->s, shape, w->time, ends);
  for (uint32_t i = 0; i < n; i++) {
    DrawPoint line[2] = {origin, space_place(w->s, w->map, ends[i], NULL)};
    stroke(w, line, 2, drawing_theme_curve(&w->theme, colours[i]), 1.8, 1);
  }
}

int32_t space_edge_colour(const SceneShape *shape, const Theme *theme) {
  if (shape->colour) return (int32_t)(shape->colour & 0xffffff);
  return shape->kind == shape_solid ? theme->muted : theme->ink;
}

// The three faces that are seen, of bodies translucent: of two that lie opposite the nearer one. A plate without
// thickness has two that are one.
static void draw_box(const SpacePen *w, uint32_t shape) {
  static const uint32_t faces[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
  double corner[space_points_most][3], z[8];
  DrawPoint p[8];
  if (space_points(w->s, shape, w->time, corner) != 8) return;
  const SceneShape *box = &w->s->shapes.items[shape];
  bool solid = box->kind == shape_solid;
  int32_t fill = box->colour ? (int32_t)(box->colour & 0xffffff) : drawing_theme_curve(&w->theme, 4);
  for (int i = 0; i < 8; i++) p[i] = space_place(w->s, w->map, corner[i], &z[i]);
  for (int pair = 0; pair < 6; pair += 2) {
    double nearer = 0;
    for (int k = 0; k < 4; k++) nearer += z[faces[pair][k]] - z[faces[pair + 1][k]];
    int f = nearer >= 0 ? pair : pair + 1;
    DrawPoint *path = arena_array(w->d->arena, 4, sizeof *path);
    if (!path) return;
    for (int k = 0; k < 4; k++) path[k] = p[faces[f][k]];
    drawing_add(w->d, (DrawItem){.kind = draw_path,
                                 .role = role_shape,
                                 .stroke = solid ? w->theme.muted : w->theme.ink,
                                 .fill = fill,
                                 .line = 0.8,
                                 .opacity = (solid ? 0.35 : 1) * w->strength,
                                 .clip = w->clip,
                                 .points = path,
                                 .count = 4,
                                 .closed = true});
  }
}

// A disc with two dark quarters.
static void draw_com(const SpacePen *w, DrawPoint at) {
  enum { arc = 6 };
  const double r = 5;
  DrawItem item = {.kind = draw_circle,
                   .role = role_shape,
                   .stroke = w->theme.ink,
                   .fill = w->theme.ground,
                   .line = 1,
                   .opacity = w->strength,
                   .clip = w->clip,
                   .x = at.x,
                   .y = at.y,
                   .r = r};
  drawing_add(w->d, item);
  for (int quarter = 0; quarter < 2; quarter++) {
    DrawPoint *path = arena_array(w->d->arena, arc + 2, sizeof *path);
    if (!path) return;
    path[0] = at;
    for (int i = 0; i <= arc; i++) {
      double angle = acos(0) * (2 * quarter + (double)i / arc);
      path[i + 1] = (DrawPoint){at.x + r * cos(angle), at.y + r * sin(angle)};
    }
    drawing_add(w->d, (DrawItem){.kind = draw_path,
                                 .role = role_shape,
                                 .stroke = draw_no_colour,
                                 .fill = w->theme.ink,
                                 .opacity = w->strength,
                                 .clip = w->clip,
                                 .points = path,
                                 .count = arc + 2,
                                 .closed = true});
  }
}

void space_draw(const Scene *s, Drawing *d, const SceneMap *map, double time, double strength, uint32_t clip) {
  SpacePen pen = {s, d, map, drawing_theme(d->dark), time, strength, clip}, *w = &pen;
  SpaceItemList list = {0};
  collect(s, d->arena, map, time, &list);
  order_items(d->arena, &list, 1e-9 * s->size);
  for (uint32_t i = 0; i < list.count; i++) {
    const SpaceItem *item = &list.items[i];
    ShapeKind kind = s->shapes.items[item->shape].kind;
    // marks of the last pose are enough
    if (strength < 1 && (kind == shape_frame || kind == shape_com)) continue;
    if (kind == shape_frame) draw_frame(w, item->shape, item->p[0]);
    else if (is_box(kind)) draw_box(w, item->shape);
    else if (kind == shape_com) draw_com(w, item->p[0]);
    else {
      const SceneShape *shape = &s->shapes.items[item->shape];
      if (kind == shape_rod) draw_rim(w, shape, item->p);
      scene_draw_shape(d, map, shape, item->p, strength, clip);
    }
  }
}
