// Numbers for the script of a page: see the header for the shape of the JSON.
//
// in    columns that figures and tables share, figures, a scene
// out   one JSON text: columns as base64 of doubles, a regular grid as its first value, step and count; positions of
//       a scene as base64 of 16-bit numbers, a fraction of the picture's size
#include "show/report_data.h"

#include "show/base64.h"
#include "show/json.h"
#include "show/space_data.h"

#include <math.h>
#include <string.h>

uint32_t report_data_column(ReportData *d, const double *values, size_t count) {
  for (uint32_t i = 0; i < d->columns.count; i++) {
    const DataColumn *c = &d->columns.items[i];
    if (c->values == values && c->count == count) return i;
  }
  vec_push(d->arena, &d->columns, (DataColumn){values, count});
  return d->columns.count ? d->columns.count - 1 : 0;
}

void report_data_figure(ReportData *d, const char *id, const Plot *plot) {
  vec_push(d->arena, &d->figures, (DataFigure){id, plot});
}

DataTable *report_data_table(ReportData *d, const char *id, const char *file) {
  return vec_push(d->arena, &d->tables, (DataTable){.id = id, .file = file}) ? &d->tables.items[d->tables.count - 1]
                                                                             : NULL;
}

// ---- columns

// Every k-th row; the last one stays.
static size_t stride(const ReportData *d, size_t count) {
  return d->most && count > d->most ? (count + d->most - 1) / d->most : 1;
}

// Is it a regular grid, bit for bit as the script computes it?
static bool regular(const double *v, size_t n, double *step) {
  if (n < 3) return false;
  for (int way = 0; way < 2; way++) {
    *step = way ? (v[n - 1] - v[0]) / (double)(n - 1) : v[1] - v[0];
    size_t i = 0;
    while (i < n && v[0] + *step * (double)i == v[i]) i++;
    if (i == n) return true;
  }
  return false;
}

static void put_doubles(Text *out, const double *v, size_t n) {
  unsigned char bytes[8 * 384]; // whole threes
  for (size_t i = 0; i < n; i += 384) {
    size_t some = n - i < 384 ? n - i : 384;
    for (size_t k = 0; k < some; k++) {
      uint64_t bits;
      memcpy(&bits, &v[i + k], 8);
      for (int b = 0; b < 8; b++) bytes[8 * k + (size_t)b] = (unsigned char)(bits >> (8 * b));
    }
    base64_put(out, bytes, 8 * some);
  }
}

static void column_write(ReportData *d, Json *j, const DataColumn *c) {
  size_t every = stride(d, c->count), n = c->count;
  const double *v = c->values;
  if (every > 1) {
    d->thinned = true;
    double *thin = arena_array(d->arena, n / every + 2, sizeof *thin);
    if (!thin) return;
    size_t k = 0;
    for (size_t i = 0; i < n; i += every) thin[k++] = v[i];
    if ((n - 1) % every) thin[k++] = v[n - 1];
    v = thin;
    n = k;
  }
  json_open(j, NULL, '{');
  double step;
  if (regular(v, n, &step)) {
    json_number(j, "from", v[0]);
    json_number(j, "step", step);
    json_count(j, "count", n);
  } else {
    Text data = text_in(d->arena);
    put_doubles(&data, v, n);
    json_string(j, "data", text_str(&data));
  }
  json_close(j, '}');
}

// ---- figures

static void axis_write(Json *j, const char *key, const char *name, const char *unit, bool log, AxisRange limits) {
  json_open(j, key, '{');
  json_string(j, "name", name);
  json_string(j, "unit", unit);
  json_bool(j, "log", log);
  if (limits.lo < limits.hi) {
    json_number(j, "from", limits.lo);
    json_number(j, "to", limits.hi);
  }
  json_close(j, '}');
}

// A colour of the scale that is seen on light and on dark pages.
static const char *level_colour(const ReportData *d, const PlotPanel *p, double level, AxisRange levels) {
  Scale s = {p->bar.log, levels.lo, levels.hi, 0, 1};
  double part = levels.hi > levels.lo ? fmin(fmax(scale_place(&s, level), 0), 1) : 0.5;
  return arena_printf(d->arena, "#%06x", (unsigned)drawing_scale_colour(0.15 + 0.65 * part));
}

static void panel_write(ReportData *d, Json *j, const PlotPanel *p) {
  static const char *const kinds[] = {"line", "points", "band"};
  json_open(j, NULL, '{');
  axis_write(j, "x", p->x_name, p->x_unit, p->x_log, p->x);
  axis_write(j, "y", p->y_name ? p->y_name : "", NULL, p->y_log, p->y);
  if (plot_has_right(p)) axis_write(j, "right", "", NULL, p->y_log, p->right);
  if (p->seconds > 0) json_number(j, "seconds", p->seconds);
  json_bool(j, "phase", p->phase);
  if (p->index) json_bool(j, "index", true);
  if (p->row) json_bool(j, "row", true);
  if (p->whole) json_bool(j, "whole", true);
  if (p->caption) json_string(j, "caption", p->caption);
  if (p->note) json_string(j, "note", p->note);
  json_bool(j, "equal", p->equal);
  json_number(j, "height", p->height > 0 ? p->height : p->phase ? 360 : 200);
  AxisRange levels = axis_range_empty();
  for (uint32_t i = 0; i < p->curves.count; i++) {
    if (p->curves.items[i].shaded) axis_range_take(&levels, &p->curves.items[i].level, 1, false);
  }
  if (levels.lo <= levels.hi) axis_write(j, "bar", p->bar.name, p->bar.unit, p->bar.log, levels);
  json_open(j, "curves", '[');
  for (uint32_t i = 0; i < p->curves.count; i++) {
    const PlotCurve *c = &p->curves.items[i];
    json_open(j, NULL, '{');
    json_string(j, "kind", kinds[c->kind]);
    json_string(j, "name", c->name);
    json_string(j, "unit", c->unit);
    json_count(j, "style", c->style ? c->style - 1 : i);
    if (c->dash) json_count(j, "dash", c->dash - 1);
    if (c->right) json_bool(j, "right", true);
    if (c->shaded) json_string(j, "color", level_colour(d, p, c->level, levels));
    json_count(j, "x", report_data_column(d, c->x, c->count));
    json_count(j, "y", report_data_column(d, c->y, c->count));
    if (c->t) json_count(j, "t", report_data_column(d, c->t, c->count));
    if (c->kind == curve_band) json_count(j, "y2", report_data_column(d, c->y2, c->count));
    json_close(j, '}');
  }
  json_close(j, ']');
  json_open(j, "events", '[');
  for (uint32_t i = 0; i < p->events.count; i++) {
    json_open(j, NULL, '{');
    json_number(j, "at", p->events.items[i].at);
    json_string(j, "name", p->events.items[i].name);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
}

// ---- the scene

// of those in a plane
static const char *const shape_names[shape_kinds] = {"rod",    "spring",  "vector", "mass",   "trail", "cart",
                                                     "ground", "support", "box",    "circle", "line",  "text"};
static const double per_pixel = 32; // positions are integers in units of a pixel over this

static int quantize(double x) { return (int)fmin(fmax(round(x * per_pixel), -32768), 32767); }

// What was said of a shape, in pixels.
static void look_write(const ReportData *d, Json *j, const SceneMotion *m, const SceneShape *shape) {
  Theme theme = drawing_theme(false);
  SceneLook look = scene_look(shape, &theme, &m->map);
  const char *member = scene_member_colour(d->scene, shape);
  if (member) json_string(j, "color", *member == '#' ? member : arena_printf(d->arena, "var(%s)", member));
  else if (shape->colour)
    json_string(j, "color", arena_printf(d->arena, "#%06x", (unsigned)(shape->colour & 0xffffff)));
  if (shape->kind == shape_box) json_number(j, "ratio", shape->size[0] > 0 ? shape->size[1] / shape->size[0] : 1);
  else if (shape->size[0] > 0) json_number(j, "size", look.radius);
  if (shape->kind == shape_cart && shape->size[0] > 0) json_number(j, "height", look.h);
  if (shape->width > 0) json_number(j, "width", shape->kind == shape_spring ? 2 * look.side : look.line);
  if (shape->coils) json_count(j, "coils", shape->coils);
  if (shape->text) json_string(j, "text", shape->text);
}

// The positions of one shape over the frames; a frame without a position repeats the last one.
static void shape_write(const ReportData *d, Json *j, const SceneMotion *m, uint32_t index) {
  const Scene *s = d->scene;
  const SceneShape *shape = &s->shapes.items[index];
  uint32_t last = (m->frames - 1) * (shape->kind == shape_trail ? trail_fine : 1);
  Text data = text_in(d->arena);
  DrawPoint p[2] = {{0, 0}, {0, 0}};
  unsigned char bytes[12 * 256];
  size_t used = 0;
  for (uint32_t k = 0; k <= last; k++) {
    DrawPoint q[2];
    if (scene_place(s, index, scene_time(s, (double)k / last), &m->map, q))
      p[0] = q[0], p[1] = shape->count > 1 ? q[1] : q[0];
    for (uint32_t i = 0; i < 2 * shape->count; i++) {
      unsigned v = (unsigned)quantize(i % 2 ? p[i / 2].y : p[i / 2].x);
      bytes[used++] = (unsigned char)(v & 255);
      bytes[used++] = (unsigned char)(v >> 8 & 255);
    }
    if (used % 3 == 0 && used + 24 > sizeof bytes) base64_put(&data, bytes, used), used = 0;
  }
  base64_put(&data, bytes, used);
  json_open(j, NULL, '{');
  json_string(j, "kind", shape_names[shape->kind]);
  json_count(j, "points", shape->count);
  json_string(j, "data", text_str(&data));
  look_write(d, j, m, shape);
  if (shape->member) json_count(j, "member", shape->member);
  json_close(j, '}');
}

static void scene_write(const ReportData *d, Json *j) {
  bool none = !d->scene || !d->scene->shapes.count || !d->scene->rows;
  if (none || d->scene->space) json_null(j, "scene");
  if (none) return;
  if (d->scene->space) {
    space_data_write(d->scene, d->speed > 0 ? d->speed : 1, "space", j);
    return;
  }
  // the title of the page serves the scene
  Scene plain = *d->scene;
  plain.title = NULL;
  SceneMotion m = scene_motion(&plain, 640, d->speed > 0 ? d->speed : 1, 60, false);
  if (m.frames > 1500) m.frames = 1500;
  json_open(j, "scene", '{');
  json_number(j, "width", m.width);
  json_number(j, "height", m.height);
  json_count(j, "frames", m.frames);
  json_count(j, "fine", trail_fine);
  json_number(j, "scale", per_pixel);
  json_number(j, "from", scene_time(d->scene, 0));
  json_number(j, "to", scene_time(d->scene, 1));
  json_number(j, "speed", d->speed > 0 ? d->speed : 1);
  scene_members_write(d->scene, j, "members");
  json_open(j, "shapes", '[');
  for (uint32_t i = 0; i < plain.shapes.count; i++) shape_write(d, j, &m, i);
  json_close(j, ']');
  json_close(j, '}');
}

void report_data_write(ReportData *d, Text *out) {
  // figures first: they name the columns
  Text figures = text_in(d->arena);
  Json f = {.out = &figures}, top = {.out = out}, *j = &top;
  json_open(&f, NULL, '[');
  for (uint32_t i = 0; i < d->figures.count; i++) {
    json_open(&f, NULL, '{');
    const Plot *plot = d->figures.items[i].plot;
    json_string(&f, "id", d->figures.items[i].id);
    if (plot->columns > 1) json_count(&f, "columns", plot->columns);
    json_open(&f, "panels", '[');
    for (uint32_t k = 0; k < plot->panels.count; k++) panel_write(d, &f, &plot->panels.items[k]);
    json_close(&f, ']');
    json_close(&f, '}');
  }
  json_close(&f, ']');
  json_open(j, NULL, '{');
  json_open(j, "columns", '[');
  for (uint32_t i = 0; i < d->columns.count; i++) column_write(d, j, &d->columns.items[i]);
  json_close(j, ']');
  json_open(j, "tables", '[');
  for (uint32_t i = 0; i < d->tables.count; i++) {
    const DataTable *t = &d->tables.items[i];
    json_open(j, NULL, '{');
    json_string(j, "id", t->id);
    json_string(j, "file", t->file);
    json_open(j, "columns", '[');
    for (uint32_t k = 0; k < t->columns.count; k++) {
      json_open(j, NULL, '{');
      json_string(j, "name", t->columns.items[k].name);
      json_count(j, "column", t->columns.items[k].column);
      json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
  scene_write(d, j);
  text_put(out, ",\"figures\":");
  text_put(out, text_str(&figures));
  json_close(j, '}');
}
