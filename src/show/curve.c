// Decimation of curves (min-max downsampling): at most four points for each column of pixels.
//
// in    n values, the scales of both axes
// out   a path in pixels; NAN in x interrupts it
// how   Where x never falls: of each column of pixels the first, least, largest and last point in their order, so no
//       extreme is lost. Elsewhere points that are nearer than a fraction of a pixel to the one before are left out,
//       but for extremes, and a long path is drawn once over each pixel.
#include "show/curve.h"

#include <float.h>
#include <math.h>

// A scale made ready for many values: position = (v - origin) * factor + from, v or its logarithm.
typedef struct Map {
  bool log;
  double origin, factor, from;
} Map;

static Map map_of(const Scale *s) {
  double lo = s->log ? log10(s->lo) : s->lo, hi = s->log ? log10(s->hi) : s->hi;
  return (Map){s->log, lo, (s->to - s->from) / (hi - lo), s->from};
}

// Far outside is far enough: numbers in a picture stay of modest size.
static double map_place(const Map *m, double v) {
  if (m->log) v = v > 0 ? log10(v) : NAN;
  double p = (v - m->origin) * m->factor + m->from;
  if (!isfinite(v)) return NAN;
  return p > 1e5 ? 1e5 : p < -1e5 ? -1e5 : p;
}

typedef struct Path {
  Arena *arena;
  VEC(DrawPoint) out;
} Path;

static void put(Path *p, DrawPoint q) { vec_push(p->arena, &p->out, q); }

static void interrupt(Path *p) {
  if (p->out.count && !isnan(p->out.items[p->out.count - 1].x)) put(p, (DrawPoint){NAN, NAN});
}

// ---- x never falls

typedef struct CurveColumn {
  bool open;
  double index; // which column of pixels
  DrawPoint first, least, most, last;
  size_t at[4]; // their numbers: first, least, most, last
} CurveColumn;

static void column_start(CurveColumn *c, double index, DrawPoint q, size_t i) {
  *c = (CurveColumn){true, index, q, q, q, q, {i, i, i, i}};
}

static void column_close(Path *path, CurveColumn *c) {
  if (!c->open) return;
  c->open = false;
  put(path, c->first);
  bool low_first = c->at[1] < c->at[2];
  DrawPoint a = low_first ? c->least : c->most, b = low_first ? c->most : c->least;
  size_t ia = low_first ? c->at[1] : c->at[2], ib = low_first ? c->at[2] : c->at[1];
  if (ia != c->at[0] && ia != c->at[3]) put(path, a);
  if (ib != ia && ib != c->at[0] && ib != c->at[3]) put(path, b);
  if (c->at[3] != c->at[0]) put(path, c->last);
}

// False: x falls somewhere, this way does not serve.
static bool by_columns(Path *path, const Map *mx, const Map *my, const double *x, const double *y, size_t n) {
  CurveColumn c = {0};
  double before = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    if (x[i] < before) return false;
    if (!isnan(x[i])) before = x[i];
    DrawPoint q = {map_place(mx, x[i]), map_place(my, y[i])};
    if (isnan(q.x) || isnan(q.y)) {
      column_close(path, &c);
      interrupt(path);
      continue;
    }
    double index = floor(q.x);
    if (!c.open || index != c.index) {
      column_close(path, &c);
      column_start(&c, index, q, i);
      continue;
    }
    c.last = q;
    c.at[3] = i;
    if (q.y < c.least.y) c.least = q, c.at[1] = i;
    if (q.y > c.most.y) c.most = q, c.at[2] = i;
  }
  column_close(path, &c);
  return true;
}

// ---- anywhere in the plane

static void by_distance(Path *path, const Map *mx, const Map *my, const double *x, const double *y, size_t n) {
  static const double least_distance = 0.4; // pixels
  // the four extremes are kept whatever lies beside them
  size_t keep[4] = {0};
  double lo_x = INFINITY, hi_x = -INFINITY, lo_y = INFINITY, hi_y = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i]) || !isfinite(y[i])) continue;
    if (x[i] < lo_x) lo_x = x[i], keep[0] = i;
    if (x[i] > hi_x) hi_x = x[i], keep[1] = i;
    if (y[i] < lo_y) lo_y = y[i], keep[2] = i;
    if (y[i] > hi_y) hi_y = y[i], keep[3] = i;
  }
  DrawPoint last = {NAN, NAN}, held = {NAN, NAN};
  for (size_t i = 0; i < n; i++) {
    DrawPoint q = {map_place(mx, x[i]), map_place(my, y[i])};
    if (isnan(q.x) || isnan(q.y)) {
      if (!isnan(held.x)) put(path, held);
      held = last = (DrawPoint){NAN, NAN};
      interrupt(path);
      continue;
    }
    bool extreme = i == keep[0] || i == keep[1] || i == keep[2] || i == keep[3];
    if (!extreme && !isnan(last.x) && fabs(q.x - last.x) < least_distance && fabs(q.y - last.y) < least_distance) {
      held = q; // the end of a piece is never left out
      continue;
    }
    put(path, q);
    last = q;
    held = (DrawPoint){NAN, NAN};
  }
  if (!isnan(held.x)) put(path, held);
}

// A path that goes over the same pixels again and again: what lies on ink already is not drawn once more.
typedef struct Ink {
  bool *cells;
  double left, top;
  size_t w, h;
} Ink;

// Inks the pixels between two points; was any of them white?
static bool ink_segment(Ink *ink, DrawPoint a, DrawPoint b) {
  double n = ceil(fmax(fabs(b.x - a.x), fabs(b.y - a.y)));
  bool white = false;
  for (double i = 0; i <= n; i++) {
    double part = n > 0 ? i / n : 0, x = a.x + part * (b.x - a.x) - ink->left, y = a.y + part * (b.y - a.y) - ink->top;
    if (!(x >= 0 && y >= 0 && x < (double)ink->w && y < (double)ink->h)) continue;
    bool *cell = &ink->cells[(size_t)y * ink->w + (size_t)x];
    white = white || !*cell;
    *cell = true;
  }
  return white;
}

static void by_ink(Path *path, const Scale *sx, const Scale *sy) {
  Ink ink = {NULL, fmin(sx->from, sx->to), fmin(sy->from, sy->to), (size_t)fabs(sx->to - sx->from) + 1,
             (size_t)fabs(sy->to - sy->from) + 1};
  ink.cells = arena_array(path->arena, ink.w * ink.h, sizeof *ink.cells);
  if (!ink.cells) return;
  Path out = {.arena = path->arena};
  DrawPoint before = {NAN, NAN};
  bool pen = false;
  for (uint32_t i = 0; i < path->out.count; i++) {
    DrawPoint q = path->out.items[i];
    bool start = isnan(before.x);
    if (!isnan(q.x) && ink_segment(&ink, start ? q : before, q)) {
      if (!pen && !start) put(&out, before);
      put(&out, q);
      pen = true;
    } else {
      interrupt(&out);
      pen = false;
    }
    before = q;
  }
  path->out.items = out.out.items;
  path->out.count = out.out.count;
}

CurvePath curve_reduce(Arena *arena, const Scale *sx, const Scale *sy, const double *x, const double *y, size_t n) {
  Map mx = map_of(sx), my = map_of(sy);
  Path path = {.arena = arena};
  if (!by_columns(&path, &mx, &my, x, y, n)) {
    path.out.count = 0;
    by_distance(&path, &mx, &my, x, y, n);
    if (path.out.count > 10000) by_ink(&path, sx, sy);
  }
  return (CurvePath){path.out.items, path.out.count};
}

CurvePath curve_scatter(Arena *arena, const Scale *sx, const Scale *sy, const double *x, const double *y, size_t n) {
  Map mx = map_of(sx), my = map_of(sy);
  Path path = {.arena = arena};
  double left = fmin(sx->from, sx->to), top = fmin(sy->from, sy->to);
  size_t w = (size_t)fabs(sx->to - sx->from) + 1, h = (size_t)fabs(sy->to - sy->from) + 1;
  bool *seen = arena_array(arena, w * h, sizeof *seen);
  for (size_t i = 0; seen && i < n; i++) {
    DrawPoint q = {map_place(&mx, x[i]), map_place(&my, y[i])};
    if (!(q.x >= left && q.y >= top)) continue;
    size_t column = (size_t)(q.x - left), row = (size_t)(q.y - top);
    if (column >= w || row >= h || seen[row * w + column]) continue;
    seen[row * w + column] = true;
    put(&path, q);
    interrupt(&path);
  }
  return (CurvePath){path.out.items, path.out.count};
}
