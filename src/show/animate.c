// An animated scene as SVG that plays by itself (SMIL, no script).
//
// Every shape is one element whose numbers run through the frames. Only the positions of points are written, so a rod
// costs about twenty bytes a frame; a trail is drawn once and uncovered along its length.
#include "show/scene.h"
#include "show/space.h"
#include "show/svg.h"

#include <math.h>

static const double title_step = 19; // from line to line

static uint32_t title_lines(const Scene *s, double width, const char **lines) {
  const char *own[text_lines_most];
  return drawing_text_wrap(s->arena, s->title, 17, false, width - 24, lines ? lines : own); // 15 points, bold
}

SceneMotion scene_motion(const Scene *s, double width, double speed, double fps, bool dark) {
  SceneMotion m = {.width = width > 0 ? width : 640, .dark = dark};
  // an arrow may stand at the edge of the moving scene
  const double margin = 46 + (scene_has_vector(s) ? scene_vector_length - 30 : 0),
               above = s->title ? 34 + title_step * (title_lines(s, m.width, NULL) - 1) : 10,
               head = above + 17 * scene_key(s, m.width, 0, NULL);
  double w = s->x.hi - s->x.lo, h = s->y.hi - s->y.lo, room = m.width - 2 * margin;
  double scale = fmin(room / w, 480 / h);
  m.height = ceil(fmax(scale * h, 60) + 2 * margin + head);
  m.map = (SceneMap){scale, m.width / 2 - scale * (s->x.lo + s->x.hi) / 2,
                     head + margin + fmax(scale * h, 60) / 2 + scale * (s->y.lo + s->y.hi) / 2, 12, m.width - 12};
  double span = s->rows ? s->t[s->rows - 1] - s->t[0] : 0;
  m.seconds = span > 0 ? span / speed : 1;
  double frames = ceil(m.seconds * fps) + 1;
  m.frames = (uint32_t)fmin(fmax(frames, 2), 3000);
  return m;
}

double scene_time(const Scene *s, double part) { return s->rows ? s->t[0] + (s->t[s->rows - 1] - s->t[0]) * part : 0; }

static double frame_time(const Scene *s, const SceneMotion *m, uint32_t frame) {
  return scene_time(s, (double)frame / (m->frames - 1));
}

static void put_title(const Scene *s, Drawing *d) {
  Theme theme = drawing_theme(d->dark);
  const char *lines[text_lines_most];
  for (uint32_t i = 0, count = s->title ? title_lines(s, d->width, lines) : 0; i < count; i++) {
    drawing_word(d, role_title, (DrawPoint){12, 20 + title_step * i}, -1, lines[i], 15, theme.ink);
    if (d->items.count) d->items.items[d->items.count - 1].bold = true;
  }
}

static void put_key(const Scene *s, Drawing *d) {
  double lines = s->title ? title_lines(s, d->width, NULL) : 0;
  scene_key(s, d->width, s->title ? 42 + title_step * (lines - 1) : 14, d);
}

// The ground and the axes of a scene in space.
static void put_space(const Scene *s, const SceneMotion *m, Drawing *d) {
  if (!s->space) return;
  space_ground(s, d, &m->map, 0);
  space_axes(s, d, (DrawPoint){space_corner, m->height - space_corner});
}

void scene_frame(const Scene *s, const SceneMotion *m, double time, Drawing *d) {
  d->width = m->width;
  d->height = m->height;
  d->dark = m->dark;
  put_title(s, d);
  put_key(s, d);
  put_space(s, m, d);
  scene_trails(s, d, &m->map, time, 0);
  scene_draw(s, d, &m->map, time, 1, 0);
}

// ---- animated SVG

void scene_put_look(Text *out, const SceneLook *look) {
  svg_colour(out, "fill", look->fill);
  svg_colour(out, "stroke", look->stroke);
  if (look->stroke != draw_no_colour) text_printf(out, " stroke-width=\"%g\"", round(100 * look->line) / 100);
}

static void animate_head(Text *out, const char *attribute, const SceneMotion *m) {
  text_printf(out, "<animate attributeName=\"%s\" dur=\"", attribute);
  svg_number(out, m->seconds);
  text_put(out, "s\" repeatCount=\"indefinite\" values=\"");
}

// The positions of a shape over the frames; a frame without one repeats the last.
static DrawPoint *places(const Scene *s, const SceneMotion *m, Arena *arena, uint32_t shape) {
  DrawPoint *p = arena_array(arena, 2 * (size_t)m->frames, sizeof *p);
  for (uint32_t i = 0; p && i < m->frames; i++) {
    DrawPoint *at = p + (size_t)2 * i;
    if (!scene_place(s, shape, frame_time(s, m, i), &m->map, at) && i) at[0] = at[-2], at[1] = at[-1];
  }
  return p;
}

static bool rests(const SceneMotion *m, const DrawPoint *p, bool both) {
  for (uint32_t i = 1; i < m->frames; i++) {
    const DrawPoint *at = p + (size_t)2 * i;
    if (at[0].x != p[0].x || at[0].y != p[0].y) return false;
    if (both && (at[1].x != p[1].x || at[1].y != p[1].y)) return false;
  }
  return true;
}

static void moving_path(const SceneMotion *m, Arena *scratch, Text *out, const SceneShape *shape, const DrawPoint *p,
                        const SceneLook *look) {
  ArenaMark mark = arena_mark(scratch);
  uint32_t count;
  text_put(out, "<path class=\"shape\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
  scene_put_look(out, look);
  text_put(out, " d=\"");
  DrawPoint *q = scene_shape_path(scratch, shape, p, &m->map, &count);
  if (q) svg_path(out, q, count, look->closed);
  if (rests(m, p, shape->count > 1)) {
    text_put(out, "\"/>\n");
    return;
  }
  text_put(out, "\">\n");
  animate_head(out, "d", m);
  for (uint32_t i = 0; i < m->frames; i++) {
    arena_release(scratch, mark);
    q = scene_shape_path(scratch, shape, p + (size_t)2 * i, &m->map, &count);
    if (i) text_putc(out, ';');
    if (q) svg_path(out, q, count, look->closed);
  }
  arena_release(scratch, mark);
  text_put(out, "\"/></path>\n");
}

// The positions of an element whose point is (name x, name y), `dx` and `dy` away, and its end.
static void move_point(const SceneMotion *m, Text *out, const DrawPoint *p, double dx, double dy, const char *element) {
  const char *of = *element == 'c' ? "c" : "";
  if (*element == 'c' && rests(m, p, false)) {
    text_put(out, "/>\n");
    return;
  }
  if (*element == 'c') text_put(out, ">\n");
  for (int axis = 0; axis < 2 && !rests(m, p, false); axis++) {
    animate_head(out, arena_printf(out->arena, "%s%s", of, axis ? "y" : "x"), m);
    for (uint32_t i = 0; i < m->frames; i++) {
      if (i) text_putc(out, ';');
      const DrawPoint *at = p + (size_t)2 * i;
      svg_number(out, axis ? at->y + dy : at->x + dx);
    }
    text_put(out, "\"/>\n");
  }
  text_printf(out, "</%s>\n", element);
}

static void moving_text(const SceneMotion *m, Text *out, const SceneShape *shape, const DrawPoint *p,
                        const SceneLook *look) {
  double drop = 0.35 * look->letters; // from the middle of letters to their foot
  text_put(out, "<text class=\"shape\" text-anchor=\"middle\" font-size=\"");
  svg_number(out, look->letters);
  text_put(out, "\"");
  svg_colour(out, "fill", look->fill);
  text_put(out, " x=\"");
  svg_number(out, p[0].x);
  text_put(out, "\" y=\"");
  svg_number(out, p[0].y + drop);
  text_put(out, "\">");
  svg_escape(out, shape->text ? shape->text : "");
  move_point(m, out, p, 0, drop, "text");
}

static void moving_circle(const SceneMotion *m, Text *out, const DrawPoint *p, double dx, double dy,
                          const SceneLook *look) {
  text_put(out, "<circle class=\"shape\" r=\"");
  svg_number(out, look->radius);
  text_put(out, "\"");
  scene_put_look(out, look);
  text_put(out, " cx=\"");
  svg_number(out, p[0].x + dx);
  text_put(out, "\" cy=\"");
  svg_number(out, p[0].y + dy);
  text_put(out, "\"");
  move_point(m, out, p, dx, dy, "circle");
}

// The whole trail, of which a dash as long as the way so far is seen. Its curve is finer than the frames.
static void moving_trail(const Scene *s, const SceneMotion *m, Text *out, uint32_t shape, const SceneLook *look) {
  size_t count = (size_t)(m->frames - 1) * trail_fine + 1;
  double *way = arena_array(out->arena, count, sizeof *way);
  if (!way) return;
  text_printf(out, "<path class=\"trail\" fill=\"none\" stroke-width=\"%g\" opacity=\"0.8\"",
              round(100 * look->line) / 100);
  svg_colour(out, "stroke", look->stroke);
  text_put(out, " d=\"");
  DrawPoint p[2], last = {0, 0}, drawn = {0, 0};
  for (size_t i = 0; i < count; i++) {
    if (!scene_place(s, shape, scene_time(s, (double)i / (double)(count - 1)), &m->map, p)) p[0] = last;
    if (i) way[i] = way[i - 1] + hypot(p[0].x - last.x, p[0].y - last.y);
    last = p[0];
    if (i && i + 1 < count && hypot(last.x - drawn.x, last.y - drawn.y) < 1) continue;
    text_putc(out, i ? 'L' : 'M');
    svg_number(out, last.x);
    text_putc(out, ',');
    svg_number(out, last.y);
    drawn = last;
  }
  double length = way[count - 1] + 1;
  text_put(out, "\" stroke-dasharray=\"");
  svg_number(out, length);
  text_put(out, "\" stroke-dashoffset=\"");
  svg_number(out, length);
  text_put(out, "\">\n");
  animate_head(out, "stroke-dashoffset", m);
  for (uint32_t i = 0; i < m->frames; i++) {
    if (i) text_putc(out, ';');
    svg_number(out, length - way[(size_t)i * trail_fine]);
  }
  text_put(out, "\"/></path>\n");
}

static void moving_shape(const Scene *s, const SceneMotion *m, Arena *scratch, Text *out, uint32_t index) {
  Theme theme = drawing_theme(m->dark);
  const SceneShape *shape = &s->shapes.items[index];
  SceneLook look = scene_look(shape, &theme, &m->map);
  const DrawPoint *p = places(s, m, out->arena, index);
  if (!p) return;
  if (shape->kind == shape_trail) moving_trail(s, m, out, index, &look);
  else if (shape->kind == shape_text) moving_text(m, out, shape, p, &look);
  else if (look.disc) moving_circle(m, out, p, 0, 0, &look);
  else moving_path(m, scratch, out, shape, p, &look);
  SceneLook wheel = {.stroke = theme.ink, .fill = theme.ground, .line = 1.5, .radius = scene_wheel};
  for (int i = 0; shape->kind == shape_cart && i < 2; i++)
    moving_circle(m, out, p, (i ? 0.3 : -0.3) * look.w, look.h / 2 + scene_wheel, &wheel);
}

// ---- in space

// The lines of a frame's axis, or of a box, at a time; a time without them repeats the last.
static uint32_t solid_path(const Scene *s, const SceneMotion *m, uint32_t index, uint32_t axis, double time,
                           DrawPoint path[36]) {
  double points[space_points_most][3];
  uint32_t count = space_points(s, index, time, points), n = 0;
  DrawPoint at[2];
  if (!count || !scene_place(s, index, time, &m->map, at)) return 0;
  if (s->shapes.items[index].kind == shape_frame) {
    path[n++] = at[0];
    path[n++] = space_place(s, &m->map, points[axis], NULL);
    return n;
  }
  for (int i = 0; i < 12; i++) {
    path[n++] = space_place(s, &m->map, points[space_edges[i][0]], NULL);
    path[n++] = space_place(s, &m->map, points[space_edges[i][1]], NULL);
    if (i < 11) path[n++] = (DrawPoint){NAN, NAN};
  }
  return n;
}

static void moving_lines(const Scene *s, const SceneMotion *m, Text *out, uint32_t index, uint32_t axis, int32_t colour,
                         double line) {
  DrawPoint path[36];
  uint32_t n = solid_path(s, m, index, axis, frame_time(s, m, 0), path);
  text_put(out, "<path class=\"shape\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
  svg_colour(out, "stroke", colour);
  text_printf(out, " stroke-width=\"%g\" d=\"", line);
  svg_path(out, path, n, false);
  text_put(out, "\">\n");
  animate_head(out, "d", m);
  for (uint32_t i = 0; i < m->frames; i++) {
    uint32_t now = solid_path(s, m, index, axis, frame_time(s, m, i), path);
    if (now) n = now;
    if (i) text_putc(out, ';');
    svg_path(out, path, n, false);
  }
  text_put(out, "\"/></path>\n");
}

// The order of elements cannot change while they move: what is far on the average comes first.
static void moving_space(const Scene *s, const SceneMotion *m, Arena *scratch, Text *out) {
  static const uint32_t axes[] = {3, 5, 0};
  Theme theme = drawing_theme(m->dark);
  uint32_t count;
  for (uint32_t i = 0; i < s->shapes.count; i++) {
    if (s->shapes.items[i].kind == shape_trail) moving_shape(s, m, scratch, out, i);
  }
  const uint32_t *order = space_mean_order(s, out->arena, &count);
  for (uint32_t i = 0; i < count; i++) {
    ShapeKind kind = s->shapes.items[order[i]].kind;
    if (kind == shape_solid || kind == shape_box)
      moving_lines(s, m, out, order[i], 0, space_edge_colour(&s->shapes.items[order[i]], &theme),
                   kind == shape_box ? 1.5 : 1);
    else if (kind == shape_frame) {
      for (uint32_t k = 0; k < 3; k++) moving_lines(s, m, out, order[i], k, drawing_theme_curve(&theme, axes[k]), 1.8);
    } else moving_shape(s, m, scratch, out, order[i]);
  }
}

void scene_svg(const Scene *s, const SceneMotion *m, Text *out) {
  Theme theme = drawing_theme(m->dark);
  Arena *scratch = arena_new_scratch(out->arena);
  if (!scratch) return;
  svg_head(out, m->width, m->height, s->title, "The motion of the model, repeated");
  text_put(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"");
  svg_colour(out, "fill", theme.ground);
  text_put(out, "/>\n");
  Drawing still = {.arena = out->arena, .width = m->width, .dark = m->dark};
  put_title(s, &still);
  put_key(s, &still);
  put_space(s, m, &still);
  for (uint32_t i = 0; i < still.items.count; i++) svg_item(out, &still.items.items[i], NULL);
  if (s->space) {
    moving_space(s, m, scratch, out);
    text_put(out, "</svg>\n");
    return;
  }
  for (uint32_t layer = 0; layer < scene_layers; layer++) {
    for (uint32_t i = 0; i < s->shapes.count; i++) {
      if (scene_layer(s->shapes.items[i].kind) == layer) moving_shape(s, m, scratch, out, i);
    }
  }
  text_put(out, "</svg>\n");
}
