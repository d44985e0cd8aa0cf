// Output rows of problems of position. See rows.h.
#include "positions/rows.h"

#include "positions/stability.h"

#include <math.h>
#include <string.h>

static double way_of(const Positions *x) {
  const Places *p = &x->places;
  return x->by == rate_by_time ? p->time : x->by == rate_by_drive ? p->to[0] - p->from[0] : 1;
}

static bool has_rates(const Positions *x, uint32_t shown) {
  return x->places.shown.items[shown].rates && x->places.k && x->problem < positions_modes;
}

static bool name_columns(Positions *x) {
  static const char *const primes[] = {"", "'", "''", "'''"};
  Places *p = &x->places;
  uint32_t k = 0;
  x->columns = p->k;
  for (uint32_t i = 0; i < p->shown.count; i++) x->columns += has_rates(x, i) ? places_orders : 1;
  x->columns += p->statics;
  x->names = arena_array(p->arena, (size_t)x->columns + 1, sizeof *x->names);
  if (!x->names) return false;
  for (uint32_t i = 0; i < p->k; i++) x->names[k++] = x->drives[i].name;
  for (uint32_t o = 0; o < places_orders; o++) {
    for (uint32_t i = 0; i < p->shown.count; i++) {
      bool has = o == 0 || (has_rates(x, i));
      if (has) x->names[k++] = arena_printf(p->arena, "%s%s", p->shown.items[i].name, primes[o]);
    }
  }
  if (p->statics) x->names[k++] = "unstable";
  return !arena_failed(p->arena);
}

bool position_rows_open(PositionRows *r) {
  Positions *x = r->x;
  Places *p = &x->places;
  Arena *arena = p->arena;
  if (!places_watch(p, r->request->watch, r->request->watch_count) || !name_columns(x) || !places_table(p))
    return false;
  r->all = arena_array(arena, (size_t)places_columns(p) + 1, sizeof *r->all);
  r->row = arena_array(arena, (size_t)x->columns + 1, sizeof *r->row);
  r->watch = arena_array(arena, (size_t)r->request->watch_columns + p->watch.count + 2, sizeof *r->watch);
  r->P1 = arena_array(arena, (size_t)p->k + 1, sizeof *r->P1);
  r->z = arena_array(arena, (size_t)p->n + 2, sizeof *r->z);
  for (int o = 0; o < 3; o++) r->scaled[o] = arena_array(arena, (size_t)p->n + 1, sizeof *r->scaled[o]);
  if (arena_failed(arena)) return false;
  const Sink *sink = r->request->sink;
  if (sink && sink->header) r->stopped = !sink->header(sink->self, x->names, x->columns);
  return true;
}

// The row at f->z. Where there are no derivatives they are not numbers.
bool position_rows_put(PositionRows *r, bool rated) {
  Positions *x = r->x;
  Places *p = &x->places;
  double way = way_of(x), factor = 1;
  double *const *rates = r->f && rated ? follow_rates(r->f) : NULL;
  for (int o = 0; o < 3; o++) {
    factor /= way;
    for (uint32_t i = 0; i < p->n; i++)
      r->scaled[o][i] = rates ? rates[o][i] * factor : p->k && x->problem < positions_modes ? NAN : 0;
  }
  for (uint32_t i = 0; i < p->k; i++) r->P1[i] = (p->to[i] - p->from[i]) / way;
  places_show(p, x->u, x->P, r->P1, (const double *const[]){r->scaled[0], r->scaled[1], r->scaled[2]}, r->all);
  uint32_t k = 0;
  for (uint32_t i = 0; i < p->k; i++) r->row[k++] = x->P[i];
  for (uint32_t o = 0; o < places_orders; o++) {
    for (uint32_t i = 0; i < p->shown.count; i++) {
      if (o == 0 || (has_rates(x, i))) r->row[k++] = r->all[o * p->shown.count + i];
    }
  }
  if (p->statics) {
    double *z = r->z;
    memcpy(z, x->u, p->n * sizeof *z);
    x->unstable = rated ? stability_unstable(p, z, x->P) : NAN; // at limit points and bifurcations it changes
    r->row[k++] = x->unstable;
  }
  const Sink *sink = r->request->sink, *watcher = r->request->watcher;
  if (sink && sink->row && !r->stopped) r->stopped = !sink->row(sink->self, r->row, x->columns);
  if (watcher && watcher->row) {
    r->watch[0] = (double)x->row_count;
    memcpy(r->watch + 1, r->all + places_orders * (size_t)p->shown.count, p->watch.count * sizeof *r->watch);
    if (!watcher->row(watcher->self, r->watch, r->request->watch_columns)) return false;
  }
  for (uint32_t i = 0; x->row_count < positions_rows_kept && i < x->columns; i++) {
    if (!vec_push(p->arena, &x->rows, r->row[i])) return false;
  }
  x->row_count++;
  return true;
}

// What is shown at z, without derivatives, into r->all; the drives into P.
static void show_at(PositionRows *r, const double *z, double *P) {
  Places *p = &r->x->places;
  curve_drives(&r->x->curve, z[p->n], P);
  for (int o = 0; o < 3; o++) memset(r->scaled[o], 0, p->n * sizeof *r->scaled[o]);
  memset(r->P1, 0, p->k * sizeof *r->P1);
  places_show(p, z, P, r->P1, (const double *const[]){r->scaled[0], r->scaled[1], r->scaled[2]}, r->all);
}

void position_rows_note_between(PositionRows *r, const double *z) {
  Positions *x = r->x;
  Places *p = &x->places;
  double P[1];
  if (p->k != 1 || x->path.between.count > positions_rows_kept) return;
  show_at(r, z, P);
  vec_push(p->arena, &x->path.between, (double)x->row_count);
  vec_push(p->arena, &x->path.between, P[0]);
  for (uint32_t i = 0; i < p->shown.count; i++) vec_push(p->arena, &x->path.between, r->all[i]);
}

bool position_rows_note_special(PositionRows *r, FollowEnd kind, const double *z) {
  Positions *x = r->x;
  Places *p = &x->places;
  PositionsSpecial e = {.kind = kind, .row = (uint32_t)x->row_count};
  e.P = arena_array(p->arena, (size_t)p->k + 1, sizeof *e.P);
  e.shown = arena_array(p->arena, (size_t)p->shown.count + 1, sizeof *e.shown);
  e.z = arena_array(p->arena, (size_t)p->n + 2, sizeof *e.z);
  if (!e.P || !e.shown || !e.z) return false;
  memcpy(e.z, z, ((size_t)p->n + 1) * sizeof *z);
  show_at(r, z, e.P);
  memcpy(e.shown, r->all, p->shown.count * sizeof *e.shown);
  return vec_push(p->arena, &x->specials, e);
}

void position_rows_take_position(Positions *x, const double *z) {
  memcpy(x->u, z, x->places.n * sizeof *x->u);
  curve_drives(&x->curve, z[x->places.n], x->P);
}

// Where two branches cross there are positions, and no derivatives.
bool position_rows_put_crossing(PositionRows *r) {
  position_rows_take_position(r->x, r->f->special);
  return position_rows_note_special(r, follow_branch, r->f->special) && position_rows_put(r, false);
}
