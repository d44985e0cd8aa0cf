// Samples of a sweep for its pictures.
//
// in    samples one after the other, before each its rows where there is a fan
// out   columns in memory that does not grow with the number of samples: where they are full every second
//       sample goes, and from then on one of twice as many is kept
// how   trajectories are read off at common times, linearly between two rows
#include "show/sweep_view.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_numbers = 1 << 24, most_fan = 1 << 22, most_times = 201, first_room = 1024 };

SweepView *sweep_view_new(Arena *arena, const char *title, const SweepColumn *columns, uint32_t count) {
  SweepView *v = arena_new_of(arena, SweepView);
  if (!v) return NULL;
  *v = (SweepView){.arena = arena, .title = title, .width = count, .stride = 1};
  v->columns = arena_array(arena, (size_t)count + 1, sizeof *v->columns);
  if (!v->columns) return NULL;
  for (uint32_t i = 0; i < count; i++) {
    v->columns[i] = columns[i];
    v->grids += columns[i].kind == sweep_grid;
    v->draws += columns[i].kind == sweep_draw;
    v->measures += columns[i].kind == sweep_measure;
    v->wheres += columns[i].kind == sweep_where;
  }
  return v;
}

void sweep_view_free(SweepView *v) {
  if (!v) return;
  free(v->values);
  free(v->status);
  v->values = NULL;
  v->status = NULL;
  if (!v->fan) return;
  free(v->fan->values);
  free(v->fan->passes);
  v->fan->values = NULL;
  v->fan->passes = NULL;
}

// Makes room for one more record of `width` numbers in two arrays that grow together. False: out of memory.
static bool grow(size_t count, size_t *room, void **values, size_t bytes, unsigned char **marks) {
  if (count < *room) return true;
  size_t more = *room ? 2 * *room : first_room;
  void *all = realloc(*values, more * (bytes ? bytes : 1));
  if (all) *values = all;
  unsigned char *list = realloc(*marks, more);
  if (list) *marks = list;
  if (!all || !list) return false;
  *room = more;
  return true;
}

// ---- trajectories

bool sweep_view_fan(SweepView *v, const SweepColumn *columns, uint32_t count, double to, double every) {
  SweepFan *f = arena_new_of(v->arena, SweepFan);
  if (!f) return false;
  double rows = to > 0 && every > 0 ? floor(to / every + 1e-9) + 1 : 1;
  *f = (SweepFan){.column_count = count, .time_count = (uint32_t)fmin(rows, most_times), .stride = 1};
  f->columns = arena_array(v->arena, (size_t)count + 1, sizeof *f->columns);
  f->times = arena_array(v->arena, (size_t)f->time_count + 1, sizeof *f->times);
  f->now = arena_array(v->arena, (size_t)count * f->time_count + 1, sizeof *f->now);
  f->last = arena_array(v->arena, (size_t)count + 1, sizeof *f->last);
  if (arena_failed(v->arena)) return false;
  memcpy(f->columns, columns, count * sizeof *columns);
  double last = (rows - 1) * every;
  for (uint32_t i = 0; i < f->time_count; i++) {
    f->times[i] = rows <= most_times ? i * every : last * i / (most_times - 1);
    if (fabs(f->times[i] - to) < 1e-9 * to) f->times[i] = to;
  }
  v->fan = f;
  return true;
}

bool sweep_view_row(SweepView *v, double t, const double *columns) {
  SweepFan *f = v->fan;
  if (!f) return true;
  if (!f->any) {
    for (size_t i = 0; i < (size_t)f->column_count * f->time_count; i++) f->now[i] = NAN;
    f->next = 0;
  }
  while (f->next < f->time_count && f->times[f->next] <= t + 1e-12 * fabs(t)) {
    double at = f->times[f->next];
    bool here = fabs(at - t) <= 1e-12 * fabs(t) || !f->any;
    double part = here ? 1 : (at - f->last_t) / (t - f->last_t);
    for (uint32_t k = 0; k < f->column_count && !(here && at < t - 1e-12 * fabs(t)); k++)
      f->now[(size_t)k * f->time_count + f->next] =
          part == 1 ? columns[k] : f->last[k] + part * (columns[k] - f->last[k]);
    f->next++;
  }
  memcpy(f->last, columns, f->column_count * sizeof *columns);
  f->last_t = t;
  f->any = true;
  return true;
}

// One of `stride`, at random: every second one of a grid may be all of one value.
static bool is_chosen(uint64_t stride, uint64_t sample) { return random_bits(stride, sample) % stride == 0; }

// One half goes, at random.
static void thin_fan(SweepFan *f, size_t size) {
  size_t kept = 0;
  for (size_t i = 0; i < f->samples; i++) {
    if (!is_chosen(2, f->stride * most_fan + i)) continue;
    memmove(f->values + kept * size, f->values + i * size, size * sizeof *f->values);
    f->passes[kept++] = f->passes[i];
  }
  f->samples = kept;
  f->stride *= 2;
}

static bool keep_fan(SweepView *v, bool passes) {
  SweepFan *f = v->fan;
  size_t size = (size_t)f->column_count * f->time_count;
  bool any = f->any;
  f->any = false;
  if (!any || !size || !is_chosen(f->stride, v->seen)) return true;
  while (f->samples * size >= most_fan && f->samples > 1) thin_fan(f, size);
  void *values = f->values;
  bool ok = grow(f->samples, &f->room, &values, size * sizeof *f->values, &f->passes);
  f->values = values;
  if (!ok) return false;
  for (size_t i = 0; i < size; i++) f->values[f->samples * size + i] = (float)f->now[i];
  f->passes[f->samples++] = passes;
  return true;
}

// ---- samples

static bool does_pass(const SweepView *v, const double *measures) {
  bool passes = v->wheres > 0 && measures;
  for (uint32_t i = 0; passes && i < v->wheres; i++) passes = measures[v->measures + i] == 1;
  return passes;
}

static bool keep_sample(SweepView *v, const double *varied, const double *measures, bool passes) {
  if (v->seen % v->stride) return true;
  if (v->rows * v->width >= most_numbers && v->rows > 1) {
    for (size_t i = 0; 2 * i < v->rows; i++) {
      memmove(v->values + i * v->width, v->values + 2 * i * v->width, v->width * sizeof *v->values);
      v->status[i] = v->status[2 * i];
    }
    v->rows = (v->rows + 1) / 2;
    v->stride *= 2;
    if (v->seen % v->stride) return true;
  }
  void *values = v->values;
  bool ok = grow(v->rows, &v->room, &values, v->width * sizeof *v->values, &v->status);
  v->values = values;
  if (!ok) return false;
  double *to = v->values + v->rows * v->width;
  uint32_t own = v->grids + v->draws;
  memcpy(to, varied, own * sizeof *to);
  for (uint32_t i = own; i < v->width; i++) to[i] = measures ? measures[i - own] : NAN;
  v->status[v->rows++] = (unsigned char)((measures ? 0 : sweep_failed) | (passes ? sweep_passes : 0));
  return true;
}

bool sweep_view_take(SweepView *v, const double *varied, const double *measures) {
  bool passes = does_pass(v, measures);
  bool ok = keep_sample(v, varied, measures, passes) && (!v->fan || keep_fan(v, passes));
  v->seen++;
  v->failed += !measures;
  v->passed += passes;
  return ok;
}
