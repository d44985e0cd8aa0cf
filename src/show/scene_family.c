// The motions of several members of a family in one scene, each in its own colour.
//
// in    the scene of a member after the other
// out   one scene over the times of the first one, with a key
// how   A member is read at those times, between two of its rows on a straight line; one that ends earlier stays where
// it
//       ended. Ground and supports of the first are those of all.
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

static void join_shape(Scene *all, const Scene *member, const SceneShape *from, uint32_t colour) {
  SceneShape shape = *from;
  for (uint32_t k = 0; k < from->count; k++) {
    shape.x[k] = at_times(all, member, from->x[k]);
    shape.y[k] = at_times(all, member, from->y[k]);
    shape.depth[k] = at_times(all, member, from->depth[k]);
    for (int c = 0; c < 3; c++) shape.space[k][c] = at_times(all, member, from->space[k][c]);
  }
  for (int c = 0; c < 9; c++) shape.turn[c] = at_times(all, member, from->turn[c]);
  if (from->text) shape.text = arena_strndup(all->arena, from->text, strlen(from->text));
  shape.colour = colour;
  vec_push(all->arena, &all->shapes, shape);
}

bool scene_join(Scene *all, const Scene *member, const char *label, int32_t colour) {
  if (!member->rows || (!all->rows && !start_family(all, member))) return false;
  bool first = all->key.count == 0;
  vec_push(all->arena, &all->key, (SceneKey){arena_strndup(all->arena, label, strlen(label)), colour});
  for (uint32_t i = 0; i < member->shapes.count; i++) {
    const SceneShape *s = &member->shapes.items[i];
    bool shared = s->kind == shape_ground || s->kind == shape_support;
    if (shared && !first) continue;
    join_shape(all, member, s, shared ? s->colour : (uint32_t)(shape_coloured + colour));
  }
  join_range(&all->x, member->x);
  join_range(&all->y, member->y);
  for (int c = 0; c < 3; c++) join_range(&all->box[c], member->box[c]);
  all->size = fmax(all->size, member->size);
  return !arena_failed(all->arena);
}

// ---- the key

const char *scene_member_colour(const Scene *s, const SceneShape *shape) {
  for (uint32_t i = 0; i < s->key.count && shape->colour; i++) {
    if ((uint32_t)s->key.items[i].colour == (shape->colour & 0xffffff))
      return arena_printf(s->arena, "--curve%u", i % 7);
  }
  return NULL;
}

uint32_t scene_key(const Scene *s, double width, double top, Drawing *d) {
  const double size = 12, step = 17, left = 12, sample = 16, gap = 18;
  double x = left;
  uint32_t row = 0;
  Theme theme = drawing_theme(d && d->dark);
  for (uint32_t i = 0; i < s->key.count; i++) {
    double room = sample + 6 + drawing_text_width(s->key.items[i].label, size, false) + gap;
    if (x > left && x + room > width) x = left, row++;
    double y = top + step * row;
    if (d) {
      drawing_line(d, role_legend, (DrawPoint){x, y}, (DrawPoint){x + sample, y}, s->key.items[i].colour, 3);
      drawing_word(d, role_legend, (DrawPoint){x + sample + 6, y}, -1, s->key.items[i].label, size, theme.ink);
    }
    x += room;
  }
  return s->key.count ? row + 1 : 0;
}
