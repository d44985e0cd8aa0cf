// The runs of several members of a family in one scene, each in its own colour.
//
// in    the scene of a member after the other
// out   one scene over the times of the first one, with a key: up to seven members have colours of their own, more are
//       coloured by the value that varies first
// how   A member is read at those times, by linear interpolation between two of its rows; one that ends earlier stays
//       where it ended. Ground and supports of the first are those of all.
#include "show/scene.h"

#include <math.h>
#include <string.h>

// A column of a member at the times of the whole. NULL stays NULL.
static double *at_times(const Scene *all, const Scene *member, const double *column) {
  double *out = column ? arena_array(all->arena, all->rows + 1, sizeof *out) : NULL;
  for (size_t i = 0; out && i < all->rows; i++) {
    double part;
    size_t row = scene_row(member, all->t[i], &part);
    out[i] = part > 0 ? column[row] + part * (column[row + 1] - column[row]) : column[row];
  }
  return out;
}

static void join_range(AxisRange *all, AxisRange member) {
  all->lo = fmin(all->lo, member.lo);
  all->hi = fmax(all->hi, member.hi);
}

static bool start_family(Scene *all, const Scene *member) {
  double *t = arena_array(all->arena, member->rows + 1, sizeof *t);
  Arena *arena = all->arena;
  if (!t) return false;
  memcpy(t, member->t, member->rows * sizeof *t);
  scene_init(all, arena, t, member->rows);
  all->space = member->space;
  all->camera = member->camera;
  all->nothing = arena_array(arena, member->rows + 1, sizeof *all->nothing);
  all->title = member->title ? arena_strndup(arena, member->title, strlen(member->title)) : NULL;
  all->unit = member->unit ? arena_strndup(arena, member->unit, strlen(member->unit)) : NULL;
  return all->nothing && !arena_failed(arena);
}

static void join_shape(Scene *all, const Scene *member, const SceneShape *from, uint32_t index) {
  SceneShape shape = *from;
  for (uint32_t k = 0; k < from->count; k++) {
    shape.x[k] = at_times(all, member, from->x[k]);
    shape.y[k] = at_times(all, member, from->y[k]);
    shape.depth[k] = at_times(all, member, from->depth[k]);
    for (int c = 0; c < 3; c++) shape.space[k][c] = at_times(all, member, from->space[k][c]);
  }
  for (int c = 0; c < 9; c++) shape.turn[c] = at_times(all, member, from->turn[c]);
  if (from->text) shape.text = arena_strndup(all->arena, from->text, strlen(from->text));
  shape.member = index;
  vec_push(all->arena, &all->shapes, shape);
}

// The columns of a shape: positions, and the rotation matrix.
enum { shape_columns = 19 };
static void columns_of(const SceneShape *s, const double *out[shape_columns]) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < 2; k++) {
    out[n++] = k < s->count ? s->x[k] : NULL;
    out[n++] = k < s->count ? s->y[k] : NULL;
    for (int c = 0; c < 3; c++) out[n++] = k < s->count ? s->space[k][c] : NULL;
  }
  for (int c = 0; c < 9; c++) out[n++] = s->turn[c];
}

// Does it stay where it is?
static bool rests(const Scene *scene, const SceneShape *s) {
  const double *columns[shape_columns];
  columns_of(s, columns);
  for (uint32_t k = 0; k < shape_columns; k++) {
    for (size_t i = 1; columns[k] && i < scene->rows; i++) {
      if (columns[k][i] != columns[k][0]) return false;
    }
  }
  return s->kind != shape_trail;
}

static bool same_place(const SceneShape *a, const SceneShape *b) {
  const double *x[shape_columns], *y[shape_columns];
  columns_of(a, x);
  columns_of(b, y);
  for (uint32_t k = 0; k < shape_columns; k++) {
    if (!x[k] != !y[k] || (x[k] && x[k][0] != y[k][0])) return false;
  }
  return a->kind == b->kind && a->size[0] == b->size[0] && a->width == b->width;
}

bool scene_join(Scene *all, const Scene *member, const char *label, double level) {
  if (!member->rows || (!all->rows && !start_family(all, member))) return false;
  bool first = all->key.count == 0;
  vec_push(all->arena, &all->key, (SceneKey){.label = arena_strndup(all->arena, label, strlen(label)), .level = level});
  for (uint32_t i = 0; i < member->shapes.count; i++) {
    const SceneShape *s = &member->shapes.items[i];
    bool still = rests(member, s), shared = s->kind == shape_ground || s->kind == shape_support || (first && still);
    SceneShape *same = first ? NULL : &all->shapes.items[i]; // the first member's
    if (!first && (shared || (still && !same->member && same_place(s, same)))) continue;
    if (!first && still && !shared) same->member = 1; // it stands elsewhere
    join_shape(all, member, s, shared ? 0 : all->key.count);
  }
  join_range(&all->x, member->x);
  join_range(&all->y, member->y);
  for (int c = 0; c < 3; c++) join_range(&all->box[c], member->box[c]);
  all->size = fmax(all->size, member->size);
  return !arena_failed(all->arena);
}

// ---- colours

static AxisRange levels_of(const Scene *s) {
  AxisRange r = axis_range_empty();
  for (uint32_t i = 0; i < s->key.count; i++) axis_range_take(&r, &s->key.items[i].level, 1, false);
  return r;
}

bool scene_key_log(const Scene *s) {
  AxisRange r = levels_of(s);
  return r.lo > 0 && r.hi >= 10 * r.lo;
}

// Where a member stands between the least and the largest level, 0 .. 1.
static double member_part(const Scene *s, uint32_t member) {
  AxisRange r = levels_of(s);
  Scale scale = {scene_key_log(s), r.lo, r.hi, 0, 1};
  double part = r.lo < r.hi ? scale_place(&scale, s->key.items[member].level) : 0;
  return isfinite(part) ? part : 0;
}

void scene_colours(Scene *all, const char *level_name, bool dark) {
  Theme theme = drawing_theme(dark);
  all->level_name = level_name;
  for (uint32_t i = 0; i < all->key.count; i++)
    all->key.items[i].colour = all->key.count <= scene_key_most ? drawing_theme_curve(&theme, i)
                                                                : drawing_scale_line(member_part(all, i), dark);
  for (uint32_t i = 0; i < all->shapes.count; i++) {
    SceneShape *s = &all->shapes.items[i];
    if (s->member) s->colour = (uint32_t)(shape_coloured + all->key.items[s->member - 1].colour);
  }
}

const char *scene_member_colour(const Scene *s, const SceneShape *shape) {
  if (!shape->member) return NULL;
  uint32_t member = shape->member - 1;
  if (s->key.count <= scene_key_most) return arena_printf(s->arena, "--curve%u", member);
  // seen on light and on dark pages
  return arena_printf(s->arena, "#%06x", (unsigned)drawing_scale_colour(0.15 + 0.65 * member_part(s, member)));
}

void scene_members_write(const Scene *s, Json *j, const char *key) {
  if (!s->key.count) return;
  json_open(j, key, '[');
  for (uint32_t i = 0; i < s->key.count; i++) json_string(j, NULL, s->key.items[i].label);
  json_close(j, ']');
}

// ---- the key

static const double key_size = 12, key_step = 17, key_left = 12;

// Many members: their colours between the first and the last level.
static void put_bar(const Scene *s, double top, Drawing *d) {
  const double width = 160, height = 9;
  Theme theme = drawing_theme(d->dark);
  AxisRange r = levels_of(s);
  const char *name = s->level_name ? s->level_name : "", *from = arena_printf(d->arena, "%s  %.6g", name, r.lo),
             *to = arena_printf(d->arena, "%.6g", r.hi);
  double x = key_left;
  enum { pieces = 32 };
  if (!from || !to) return;
  drawing_word(d, role_legend, (DrawPoint){x, top}, -1, from, key_size, theme.ink);
  x += drawing_text_width(from, key_size, false) + 6;
  for (int i = 0; i < pieces; i++) {
    DrawPoint *p = arena_array(d->arena, 4, sizeof *p);
    double a = x + width * i / pieces, b = x + width * (i + 1) / pieces;
    if (!p) return;
    p[0] = (DrawPoint){a, top - height / 2};
    p[1] = (DrawPoint){b, top - height / 2};
    p[2] = (DrawPoint){b, top + height / 2};
    p[3] = (DrawPoint){a, top + height / 2};
    drawing_add(d, (DrawItem){.kind = draw_path,
                              .role = role_bar,
                              .stroke = draw_no_colour,
                              .fill = drawing_scale_line((i + 0.5) / pieces, d->dark),
                              .opacity = 1,
                              .points = p,
                              .count = 4,
                              .closed = true});
  }
  drawing_word(d, role_legend, (DrawPoint){x + width + 6, top}, -1,
               scene_key_log(s) ? arena_printf(d->arena, "%s (logarithmic)", to) : to, key_size, theme.ink);
}

uint32_t scene_key(const Scene *s, double width, double top, Drawing *d) {
  const double sample = 16, gap = 18;
  double x = key_left;
  uint32_t row = 0;
  Theme theme = drawing_theme(d && d->dark);
  if (s->key.count > scene_key_most) {
    if (d) put_bar(s, top, d);
    return 1;
  }
  for (uint32_t i = 0; i < s->key.count; i++) {
    double room = sample + 6 + drawing_text_width(s->key.items[i].label, key_size, false) + gap;
    if (x > key_left && x + room > width) x = key_left, row++;
    double y = top + key_step * row;
    if (d) {
      drawing_line(d, role_legend, (DrawPoint){x, y}, (DrawPoint){x + sample, y}, s->key.items[i].colour, 3);
      drawing_word(d, role_legend, (DrawPoint){x + sample + 6, y}, -1, s->key.items[i].label, key_size, theme.ink);
    }
    x += room;
  }
  return s->key.count ? row + 1 : 0;
}
