// Modes as pictures: a bar for each displacement, to the right or left by its sign, with a dial for its phase; beside
// them what the model draws, at rest (faint) and moved along the mode to both sides.
#include "show/linear.h"
#include "show/scene.h"

#include <math.h>
#include <string.h>

enum { most_modes = 12, most_bars = 24 };
static const double row_height = 20, head_height = 26, bar_room = 260, pose_height = 150, pi = 3.14159265358979323846;

typedef struct ModePainter {
  const Linearization *l;
  Drawing *d;
  Theme theme;
  uint32_t *bars; // states that are shown
  uint32_t bar_count;
  double name_room;
  OperatingTape points; // of the shapes
  bool poses;
} ModePainter;

// In four digits, with a minus sign as long as it should be.
static const char *number(ModePainter *w, double x) {
  const char *text = arena_printf(w->d->arena, "%s%.4g", x < 0 ? "−" : "", fabs(x));
  return text ? text : "";
}

static const char *head(ModePainter *w, uint32_t i) {
  const EigenMode *m = &w->l->modes.modes[i];
  Arena *arena = w->d->arena;
  if (m->side == side_axis)
    return arena_printf(arena, "%u:  ±%si,  %s Hz, undamped", i + 1, number(w, m->im),
                        number(w, m->frequency / (2 * pi)));
  if (m->pair)
    return arena_printf(arena, "%u:  %s ± %si,  %s Hz, damping ratio %s", i + 1, number(w, m->re), number(w, m->im),
                        number(w, m->frequency / (2 * pi)), number(w, m->damping));
  if (m->side == side_zero)
    return arena_printf(arena, "%u:  0%s", i + 1, m->chain ? ", without an eigenvector of its own" : "");
  if (m->side == side_undecided)
    return arena_printf(arena, "%u:  %s,  known only to within %s", i + 1, number(w, m->re), number(w, m->bound));
  return arena_printf(arena, "%u:  %s,  %s with time constant %s s", i + 1, number(w, m->re),
                      m->side == side_right ? "grows" : "decays", number(w, 1 / fabs(m->re)));
}

static void draw_line(ModePainter *w, DrawRole role, double x1, double y1, double x2, double y2, int32_t colour,
                      double width) {
  drawing_line(w->d, role, (DrawPoint){x1, y1}, (DrawPoint){x2, y2}, colour, width);
}

static void draw_bar(ModePainter *w, double x, double y, const char *name, double re, double im, int32_t colour) {
  double size = hypot(re, im), middle = x + w->name_room + bar_room / 2, length = fmin(size, 1) * 0.32 * bar_room,
         sign = re < 0 ? -1 : 1;
  drawing_word(w->d, role_label_y, (DrawPoint){x + w->name_room - 8, y}, 1, name, 11, w->theme.ink);
  if (length > 0.5) {
    DrawPoint *p = arena_array(w->d->arena, 4, sizeof *p);
    if (!p) return;
    p[0] = (DrawPoint){middle, y - 5};
    p[1] = (DrawPoint){middle + sign * length, y - 5};
    p[2] = (DrawPoint){middle + sign * length, y + 5};
    p[3] = (DrawPoint){middle, y + 5};
    drawing_add(w->d, (DrawItem){.kind = draw_path,
                                 .role = role_band,
                                 .stroke = draw_no_colour,
                                 .fill = colour,
                                 .opacity = 0.9,
                                 .points = p,
                                 .count = 4,
                                 .closed = true,
                                 .text = name});
  }
  drawing_word(w->d, role_note, (DrawPoint){middle + sign * (length + 6), y}, sign > 0 ? -1 : 1, number(w, size * sign),
               10, w->theme.muted);
  if (im == 0) return;
  // the dial: the phase of the displacement
  double cx = x + w->name_room + bar_room - 12, r = 8, angle = atan2(im, re);
  drawing_add(w->d, (DrawItem){.kind = draw_circle,
                               .role = role_axis,
                               .stroke = w->theme.muted,
                               .fill = draw_no_colour,
                               .line = 0.8,
                               .opacity = 1,
                               .x = cx,
                               .y = y,
                               .r = r});
  draw_line(w, role_arrow, cx, y, cx + r * cos(angle), y - r * sin(angle), colour, 1.6);
}

// ---- poses

static bool find_points(ModePainter *w) {
  const System *m = &w->l->o->s;
  VEC(ExprId) list = {0};
  for (uint32_t i = 0; i < m->shapes.count; i++) {
    const SystemShape *s = &m->shapes.items[i];
    ExprId values[shape_values_most];
    for (uint32_t k = 0, n = shape_values(s, values); k < n; k++) vec_push(w->d->arena, &list, values[k]);
  }
  if (arena_failed(w->d->arena)) return false;
  if (list.count == 0) return true;
  w->poses = operating_tape(w->l->o, list.items, list.count, false, &w->points);
  return w->poses;
}

// The factor of the mode shape: the largest displacement is a sixth of the picture, no rotation is above half a radian.
static double reach(ModePainter *w, const EigenMode *m, const double *rest, double *moved) {
  const System *system = &w->l->o->s;
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0, most = 0,
         small = 1e-4;
  if (!linear_pose(w->l, &w->points, m, small, 0, moved)) return NAN;
  for (uint32_t i = 0, at = 0; i < system->shapes.count; i++) {
    const SystemShape *s = &system->shapes.items[i];
    ExprId values[shape_values_most];
    uint32_t all = shape_values(s, values), first = at;
    at += all; // positions alone give the size
    for (uint32_t k = 0, from = first; k < s->count * s->dims; k++, from++) {
      lo[k % s->dims] = fmin(lo[k % s->dims], rest[from]);
      hi[k % s->dims] = fmax(hi[k % s->dims], rest[from]);
      if (s->kind != shape_vector || k < s->dims) most = fmax(most, fabs(moved[from] - rest[from]) / small);
    }
  }
  for (int k = 0; k < 3; k++) size = fmax(size, isfinite(hi[k] - lo[k]) ? hi[k] - lo[k] : 0);
  if (!(size > 0)) size = 1;
  if (!(most > 0)) return NAN; // nothing of the picture moves
  return fmin(size / 6 / most, 0.5);
}

static void draw_pose(ModePainter *w, const EigenMode *m, DrawRect area) {
  const System *system = &w->l->o->s;
  Arena *arena = w->d->arena;
  uint32_t count = w->points.tape->output_count;
  enum { rows = 3 };
  double *values = arena_array(arena, (size_t)count * rows, sizeof *values), *t = arena_array(arena, rows, sizeof *t);
  double *columns = arena_array(arena, (size_t)count * rows, sizeof *columns);
  if (!values || !t || !columns || !linear_pose(w->l, &w->points, NULL, 0, 0, values)) return;
  double part = reach(w, m, values, values + count);
  if (!isfinite(part)) {
    drawing_word(w->d, role_note, (DrawPoint){area.x + area.w / 2, area.y + area.h / 2}, 0, "nothing drawn moves", 11,
                 w->theme.muted);
    return;
  }
  for (int r = 1; r < rows; r++) {
    if (!linear_pose(w->l, &w->points, m, r == 1 ? part : -part, 0, values + (size_t)r * count)) return;
  }
  for (int r = 0; r < rows; r++) {
    t[r] = r;
    for (uint32_t k = 0; k < count; k++) columns[(size_t)k * rows + (size_t)r] = values[(size_t)r * count + k];
  }
  Scene scene;
  scene_init(&scene, arena, t, rows);
  scene_seen(&scene, system, NULL);
  for (uint32_t i = 0, at = 0; i < system->shapes.count; i++) {
    const SystemShape *s = &system->shapes.items[i];
    ExprId ids[shape_values_most];
    const double *of[shape_values_most];
    for (uint32_t k = 0, n = shape_values(s, ids); k < n; k++) of[k] = columns + (size_t)(at++) * rows;
    scene_add(&scene, s, of);
  }
  scene_finish(&scene);
  double wide = fmax(scene.x.hi - scene.x.lo, 1e-300), tall = fmax(scene.y.hi - scene.y.lo, 1e-300);
  double scale = fmin((area.w - 60) / wide, (area.h - 44) / tall), cx = (scene.x.lo + scene.x.hi) / 2,
         cy = (scene.y.lo + scene.y.hi) / 2;
  SceneMap map = {scale, area.x + area.w / 2 - scale * cx, area.y + area.h / 2 + scale * cy, area.x + 6,
                  area.x + area.w - 6};
  if (!vec_push(arena, &w->d->clips, area)) return;
  uint32_t clip = w->d->clips.count;
  scene_draw(&scene, w->d, &map, 2, 0.3, clip);
  scene_draw(&scene, w->d, &map, 0, 0.15, clip);
  scene_draw(&scene, w->d, &map, 1, 1, clip);
}

// ---- the whole

// Positions; without any, all states.
static bool choose_bars(ModePainter *w) {
  const Linearization *l = w->l;
  w->bars = arena_array(w->d->arena, l->n, sizeof *w->bars);
  if (!w->bars) return false;
  for (int all = 0; all < 2 && !w->bar_count; all++) {
    for (uint32_t i = 0; i < l->n && w->bar_count < most_bars; i++) {
      if (all || !operating_is_velocity(l->o, l->o->component[i])) w->bars[w->bar_count++] = i;
    }
  }
  for (uint32_t i = 0; i < w->bar_count; i++)
    w->name_room = fmax(w->name_room, drawing_text_width(l->states[w->bars[i]], 11, false) + 20);
  return true;
}

bool linear_mode_shapes(const Linearization *l, bool dark, double width, Drawing *d) {
  ModePainter painter = {.l = l, .d = d, .theme = drawing_theme(dark)}, *w = &painter;
  d->dark = dark;
  d->title = l->o->s.title;
  if (!choose_bars(w) || !find_points(w)) return false;
  double left = 14, bars = w->bar_count * row_height;
  double cell = head_height + fmax(bars, w->poses ? pose_height : 0) + 14;
  d->width = width > 0 ? width : w->poses ? 720 : left * 2 + w->name_room + bar_room + 120;
  double y = 12;
  if (d->title) {
    DrawItem title = {.kind = draw_text,
                      .role = role_title,
                      .stroke = draw_no_colour,
                      .fill = w->theme.ink,
                      .opacity = 1,
                      .x = left,
                      .y = y + 10,
                      .anchor = -1,
                      .size = 15,
                      .bold = true};
    title.text = drawing_text_fit(d->arena, d->title, 17, false, d->width - 2 * left);
    drawing_add(d, title);
    y += 30;
  }
  const Modes *m = &l->modes;
  for (uint32_t i = 0; i < m->count && i < most_modes; i++) {
    const EigenMode *mode = &m->modes[i];
    if (i) drawing_line(d, role_grid, (DrawPoint){left, y - 6}, (DrawPoint){d->width - left, y - 6}, w->theme.grid, 1);
    drawing_word(d, role_legend, (DrawPoint){left, y + head_height / 2}, -1, head(w, i), 12, w->theme.ink);
    double top = y + head_height, middle = left + w->name_room + bar_room / 2;
    if (mode->chain) {
      y += head_height + 8;
      continue;
    }
    int32_t colour = linear_colour(&w->theme, mode->side);
    double start = top + (w->poses ? fmax(0, (pose_height - bars) / 2) : 0);
    drawing_line(d, role_axis, (DrawPoint){middle, start - 2}, (DrawPoint){middle, start + bars + 2}, w->theme.muted,
                 1);
    for (uint32_t k = 0; k < w->bar_count; k++) {
      uint32_t at = w->bars[k];
      draw_bar(w, left, start + (k + 0.5) * row_height, l->states[at], mode->shape[0][at], mode->shape[1][at], colour);
    }
    if (w->poses) {
      double from = left + w->name_room + bar_room + 20;
      draw_pose(w, mode, (DrawRect){from, top, d->width - left - from, pose_height});
    }
    y += cell;
  }
  if (m->count > most_modes) {
    drawing_word(d, role_note, (DrawPoint){left, y + 6}, -1,
                 arena_printf(d->arena, "and %u more", m->count - most_modes), 11, w->theme.muted);
    y += 20;
  }
  d->height = y + 4;
  return !arena_failed(d->arena) && !arena_failed(l->o->arena);
}
