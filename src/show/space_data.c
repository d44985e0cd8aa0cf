// Numbers of a scene in space for the script of a page: see the header.
#include "show/space_data.h"

#include "show/base64.h"
#include "show/space.h"

#include <math.h>

enum { most_frames = 1500, fine = 4, numbers_most = 6 };

static const char *const names[shape_kinds] = {"rod",  "spring", "vector",  "mass",  "trail",
                                               "cart", "ground", "support", "block", "circle",
                                               "line", "text",   "frame",   "box",   "com"};

typedef struct SpaceData {
  const Scene *s;
  double middle[3], half;
  uint32_t frames;
} SpaceData;

static void put_numbers(Json *j, const char *key, const double *v, size_t count) {
  json_open(j, key, '[');
  for (size_t i = 0; i < count; i++) json_number(j, NULL, v[i]);
  json_close(j, ']');
}

static int16_t quantize(double x) { return (int16_t)round(32767 * fmin(fmax(x, -1), 1)); }

// A column at a time; NAN stays.
static double at_time(const double *column, size_t row, double part) {
  return part > 0 ? column[row] + part * (column[row + 1] - column[row]) : column[row];
}

// The positions of a shape at a time as numbers of the page. False: it has none.
static bool places_at(const SpaceData *d, const SceneShape *shape, double time, int16_t out[numbers_most]) {
  double part;
  size_t row = scene_row(d->s, time, &part);
  for (uint32_t k = 0; k < 3 * shape->count; k++) {
    double x = at_time(shape->space[k / 3][k % 3], row, part);
    if (!isfinite(x)) return false;
    bool vector = shape->kind == shape_vector && k >= 3;
    out[k] = quantize(vector ? (shape->longest > 0 ? x / shape->longest : 0) : (x - d->middle[k % 3]) / d->half);
  }
  return true;
}

// A rotation as a quaternion; of the two that mean it the one that is nearer to the last.
static bool turn_at(const SpaceData *d, const SceneShape *shape, double time, double last[4], int16_t out[4]) {
  double part, r[9], q[4], sign = 0;
  size_t row = scene_row(d->s, time, &part);
  for (int i = 0; i < 9; i++) {
    r[i] = at_time(shape->turn[i], row, part);
    if (!isfinite(r[i])) return false;
  }
  // the largest of the four first
  double four[4] = {1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8]};
  int k = 0;
  for (int i = 1; i < 4; i++) {
    if (four[i] > four[k]) k = i;
  }
  // products of its entries, times 4, stand in the matrix
  double w[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]}, v[3] = {r[5] + r[7], r[2] + r[6], r[1] + r[3]};
  q[k] = four[k];
  for (int i = 0; i < 3; i++) {
    if (k == 0) q[i + 1] = w[i];
    else if (k == i + 1) q[0] = w[i];
    else q[i + 1] = v[3 - i - (k - 1)];
  }
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0)) return false;
  for (int i = 0; i < 4; i++) sign += q[i] * last[i];
  for (int i = 0; i < 4; i++) {
    last[i] = (sign < 0 ? -q[i] : q[i]) / length;
    out[i] = quantize(last[i]);
  }
  return true;
}

static void put_bytes(Json *j, Arena *arena, const char *key, const int16_t *v, size_t count) {
  Text data = text_in(arena);
  unsigned char *bytes = arena_array(arena, 2 * count + 1, 1);
  if (!bytes) return;
  for (size_t i = 0; i < count; i++) {
    bytes[2 * i] = (unsigned char)((unsigned)v[i] & 255);
    bytes[2 * i + 1] = (unsigned char)((unsigned)v[i] >> 8 & 255);
  }
  base64_put(&data, bytes, 2 * count);
  json_string(j, key, text_str(&data));
}

// All frames of `numbers` each, or one where nothing changes. A frame without a position repeats the last one.
static void put_frames(const SpaceData *d, Json *j, Arena *arena, const SceneShape *shape, bool turn) {
  uint32_t numbers = turn ? 4 : 3 * shape->count;
  uint32_t count = (d->frames - 1) * (shape->kind == shape_trail ? fine : 1) + 1;
  int16_t *all = arena_array(arena, (size_t)numbers * count, sizeof *all), now[numbers_most] = {0};
  double last[4] = {1, 0, 0, 0};
  bool rests = true;
  if (!all) return;
  for (uint32_t i = 0; i < count; i++) {
    int16_t next[numbers_most];
    double time = scene_time(d->s, (double)i / (count - 1));
    bool placed = turn ? turn_at(d, shape, time, last, next) : places_at(d, shape, time, next);
    for (uint32_t k = 0; k < numbers; k++) {
      if (placed) now[k] = next[k];
      all[(size_t)i * numbers + k] = now[k];
      rests = rests && now[k] == all[k];
    }
  }
  put_bytes(j, arena, turn ? "turn" : "data", all, (size_t)numbers * (rests ? 1 : count));
}

static void put_shape(const SpaceData *d, Json *j, const SceneShape *shape) {
  Arena *scratch = arena_new_scratch(d->s->arena);
  if (!scratch) return;
  json_open(j, NULL, '{');
  json_string(j, "kind", names[shape->kind]);
  json_count(j, "points", shape->count);
  put_frames(d, j, scratch, shape, false);
  if (shape->turn[0]) put_frames(d, j, scratch, shape, true);
  if (shape->kind == shape_box || shape->kind == shape_solid) {
    put_numbers(j, "axes", shape->axes, 9);
    put_numbers(j, "half", shape->half, 3);
  }
  const char *member = scene_member_colour(d->s, shape);
  if (member) json_string(j, "color", member);
  else if (shape->colour) json_string(j, "color", arena_printf(scratch, "#%06x", (unsigned)(shape->colour & 0xffffff)));
  if (shape->size[0] > 0 && !shape->half[0]) put_numbers(j, "size", shape->size, shape->kind == shape_cart ? 2 : 1);
  if (shape->width > 0) json_number(j, "width", shape->width);
  if (shape->coils) json_count(j, "coils", shape->coils);
  if (shape->text) json_string(j, "text", shape->text);
  if (shape->member) json_count(j, "member", shape->member);
  json_close(j, '}');
  arena_free_scratch(scratch);
}

static void put_ground(const Scene *s, Json *j) {
  SpaceGrid g = space_grid(s);
  json_open(j, "ground", '{');
  put_numbers(j, "origin", g.origin, 3);
  put_numbers(j, "u", g.u, 3);
  put_numbers(j, "v", g.v, 3);
  json_number(j, "step", g.step);
  json_count(j, "across", g.across);
  json_count(j, "along", g.along);
  json_close(j, '}');
}

void space_data_write(const Scene *s, double speed, const char *key, Json *j) {
  SpaceData d = {.s = s};
  SceneMotion m = scene_motion(s, 640, speed, 60, false);
  d.frames = m.frames < most_frames ? m.frames : most_frames;
  for (int i = 0; i < 3; i++) {
    d.middle[i] = (s->box[i].lo + s->box[i].hi) / 2;
    d.half = fmax(d.half, (s->box[i].hi - s->box[i].lo) / 2);
  }
  if (!(d.half > 0)) d.half = 1;
  json_open(j, key, '{');
  json_count(j, "frames", d.frames);
  json_count(j, "fine", fine);
  json_number(j, "from", scene_time(s, 0));
  json_number(j, "to", scene_time(s, 1));
  json_number(j, "speed", speed);
  json_string(j, "unit", s->unit ? s->unit : "");
  json_number(j, "size", s->size);
  put_numbers(j, "middle", d.middle, 3);
  json_number(j, "half", d.half);
  json_open(j, "camera", '{');
  put_numbers(j, "from", s->camera.toward, 3);
  put_numbers(j, "up", s->camera.plumb, 3);
  json_close(j, '}');
  put_ground(s, j);
  scene_members_write(s, j, "members");
  json_open(j, "shapes", '[');
  for (uint32_t i = 0; i < s->shapes.count; i++) put_shape(&d, j, &s->shapes.items[i]);
  json_close(j, ']');
  json_close(j, '}');
}
