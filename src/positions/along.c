// Continuation of positions along the drives. See along.h.
#include "positions/along.h"

#include "positions/deformed.h"
#include "positions/refuse.h"
#include "positions/stability.h"

#include <math.h>
#include <string.h>

enum { path_beyond = 20, most_rows_beyond = 100000 }; // ranges that a path may go beyond its own

typedef struct Along {
  Positions *x;
  const PositionsRequest *request;
  PositionRows *rows;
  Follow f;
  int64_t steps, k, dir; // of the grid: how many, the last one, where to
  int64_t lowest, highest;
  bool through;
  bool arrived;   // at the last value of the drives
  double *start;  // unknowns at the first one
  double most;    // of s so far
  uint32_t tries; // of getting over corners
} Along;

// Equations that were left out because they follow from others: do they still?
static bool watched_hold(Positions *x, const Follow *f) {
  uint32_t which;
  Places *p = &x->places;
  double off = curve_watched(&x->curve, f->z, &which);
  if (off <= 1e-8 * p->size) return true;
  position_fail(x, positions_failed, p->spans[which],
                arena_printf(p->arena, "`%s` does not allow %s: it is off by %.3g there", p->labels[which],
                             position_drives_text(x, x->P), off),
                "it follows from the other constraints only where it started");
  return false;
}

static double unstable_at(Positions *x, const double *z) {
  curve_drives(&x->curve, z[x->places.n], x->P);
  return stability_unstable(&x->places, z, x->P);
}

static void note_between(void *self, const double *z) { position_rows_note_between(self, z); }

static double index_at(void *self, const double *z) { return unstable_at(self, z); }

// ---- bifurcations

// Their number so far, the last one included.
static uint32_t bifurcation_number(const Positions *x) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < x->specials.count; i++) count += x->specials.items[i].kind == follow_branch;
  return count;
}

// Is the other way requested at this one? 1: yes; -1: in the opposite direction; 0: no.
static int requested_way(const PositionsRequest *request, uint32_t number) {
  for (uint32_t i = 0; i < request->branch_count; i++) {
    if (request->branches[i] == (int32_t)number) return 1;
    if (request->branches[i] == -(int32_t)number) return -1;
  }
  return 0;
}

// The earlier bifurcation at the same configuration, from 1 on; 0: none.
static uint32_t met_before(const Positions *x) {
  const PositionsSpecial *e = &x->specials.items[x->specials.count - 1];
  uint32_t number = 0;
  for (uint32_t i = 0; i + 1 < x->specials.count; i++) {
    const PositionsSpecial *o = &x->specials.items[i];
    double off = 0;
    if (o->kind != follow_branch) continue;
    number++;
    for (uint32_t k = 0; k <= x->places.coords + x->places.angle_count; k++) {
      uint32_t at = k == x->places.coords + x->places.angle_count ? x->places.n : k; // positions, and s
      off = fmax(off, fabs(o->z[at] - e->z[at]));
    }
    if (off <= 1e-5 * fmax(1, x->places.size)) return number;
  }
  return 0;
}

static PositionsStatus refuse_circle(Positions *x, uint32_t first) {
  Places *p = &x->places;
  uint32_t number = bifurcation_number(x);
  return position_fail(
      x, positions_failed, x->drives[0].span,
      arena_printf(p->arena, "the path is closed: it comes back to bifurcation %u at %s, and not to its end", first,
                   position_drives_text(x, x->specials.items[x->specials.count - 1].P)),
      number > first + 1
          ? "where it joins another way it goes straight on; `--branch 1,2` takes the other way at the second, too, "
            "`--branch 1,-2` in the opposite direction"
          : "`--branch` with the opposite sign leaves it in the opposite direction");
}

// What kind it is; onto the other way where that is requested. False: x->status.
static bool look_at_bifurcation(Along *a) {
  Positions *x = a->x;
  Follow *f = &a->f;
  PositionsSpecial *e = &x->specials.items[x->specials.count - 1];
  uint32_t N = f->c->N, number = bifurcation_number(x);
  double before = x->rows.count > x->columns ? x->rows.items[x->rows.count - x->columns - 1] : NAN;
  double *z = arena_array(f->c->p->arena, N, sizeof *z);
  if (!z) return position_no_memory(x), false;
  memcpy(z, f->z, N * sizeof *z);
  if (!bifurcation_find(&e->bifurcation, f->c, f->special, f->heading)) return position_no_memory(x), false;
  int way = f->way, requested = requested_way(a->request, number);
  double h = f->h;
  e->unstable[0] = before;
  e->unstable[1] = unstable_at(x, z);
  e->unstable[2] = NAN;
  Bifurcation *b = &e->bifurcation;
  for (uint32_t i = 0; requested < 0 && b->other && i < N; i++) b->other[i] = -b->other[i];
  bool there = b->other && follow_branch_off(f, b->other, b->bend);
  if (there) e->unstable[2] = unstable_at(x, f->z);
  if (requested) {
    if (there) return x->path.branched = true;
    position_fail(x, positions_failed, x->drives[0].span,
                  "the other way at this bifurcation is not found: it is not a simple one", NULL);
    return false;
  }
  if (there) follow_go_back(f, z, way, h);
  return true;
}

// The grid goes on from where a crossing left the path: perhaps at a point of it.
static void take_grid(Along *a) {
  double at = a->f.z[a->x->places.n] * (double)a->steps;
  a->dir = a->f.way;
  a->k = a->dir > 0 ? (int64_t)ceil(at - 1e-12) - 1 : (int64_t)floor(at + 1e-12) + 1;
}

// Behind a crossing. False: x->status.
static bool cross(Along *a) {
  Positions *x = a->x;
  bool path = x->places.statics;
  if (!position_rows_put_crossing(a->rows)) return position_no_memory(x), false;
  uint32_t first = path ? met_before(x) : 0;
  if (first) return x->specials.items[x->specials.count - 1].again = first, refuse_circle(x, first), false;
  if (path && !look_at_bifurcation(a)) return false;
  if (!a->through) {
    position_rows_take_position(x, a->f.special);
    position_refuse_end(x, follow_branch, x->P, false);
    return false;
  }
  take_grid(a);
  return true;
}

// Behind a corner at f->special. False: x->status.
static bool note_corner(Along *a) {
  Positions *x = a->x;
  x->path.corners++;
  position_rows_take_position(x, a->f.special);
  if (!position_rows_note_special(a->rows, follow_corner, a->f.special) || !position_rows_put(a->rows, false))
    return position_no_memory(x), false;
  take_grid(a);
  return true;
}

// Over a corner of a load path: a stop that is met, a cable that slackens. False: x->status.
static bool turn_corner(Along *a) {
  Positions *x = a->x;
  enum { most_corners = 1000 };
  bool corner = false;
  bool over = a->tries++ < most_corners && position_has_corners(&x->places) && follow_over_corner(&a->f, &corner);
  if (over && !corner) return true;
  if (!over) {
    position_rows_take_position(x, a->f.z);
    return position_refuse_end(x, follow_stuck, x->P, false), false;
  }
  return note_corner(a);
}

// ---- positions that stop being least

// The least error just behind s, downhill from u: a turning point where it joins, else a jump. False: none.
static bool find_least(Along *a, const double *from, double s, double *z) {
  Positions *x = a->x;
  Places *p = &x->places;
  uint32_t shared = p->coords + p->angle_count;
  double *near = arena_array(p->arena, (size_t)x->soft->n + 1, sizeof *near);
  NearestPoint g;
  if (!near) return false;
  memcpy(near, from, shared * sizeof *near);
  z[p->n] = s;
  curve_drives(&x->curve, s, x->P);
  NearestStatus status = deformed_near(x->soft, x->P, true, near, &g);
  if (status == nearest_no_memory || status == nearest_no_module) return false;
  memset(z, 0, p->n * sizeof *z);
  memcpy(z, near, shared * sizeof *z);
  if (deformed_settle(p, x->P, z, &g) != nearest_done) return false;
  return stability_unstable(p, z, x->P) == 0;
}

static double distance(const Places *p, const double *a, const double *b) {
  double most = 0;
  for (uint32_t i = 0; i < p->coords; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

// From the least position z on to the next point of the grid, or at least well away from s0.
static bool leaves(Along *a, const double *z, double s0) {
  Follow *f = &a->f;
  uint32_t n = f->c->n;
  double next = (double)(a->k + 1) / (double)a->steps, start = z[n];
  follow_go_back(f, z, 1, 0.1 * (next - start));
  if (!(start < next)) return true;
  FollowEnd end = follow_to(f, next, false);
  double *at = end == follow_branch ? f->special : f->z;
  bool away = end == follow_reached || at[n] - start > 0.5 * (start - s0);
  follow_go_back(f, z, 1, 0.1 * (next - start));
  return away;
}

// Does the least position z come back to `end` as the drive goes back to s0? As the root of the way it may be: far off
// where it was found, and nearer and nearer.
static bool comes_back(Along *a, const double *z, double s0, const double *end) {
  Follow *f = &a->f;
  const Places *p = &a->x->places;
  double far = distance(p, z, end), way = z[p->n] - s0;
  follow_go_back(f, z, -1, 0.1 * way);
  bool reached = follow_to(f, s0 + 1e-4 * way, false) == follow_reached;
  bool back = reached && distance(p, f->z, end) < 0.1 * far;
  follow_go_back(f, z, 1, 0.1 * way);
  return back;
}

// From f->special, where a position of least error ends or splits, to the least one behind it. False: x->status.
static bool go_downhill(Along *a) {
  Positions *x = a->x;
  Places *p = &x->places;
  Follow *f = &a->f;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  double *end = arena_array(p->arena, (size_t)p->n + 2, sizeof *end);
  if (!z || !end) return position_no_memory(x), false;
  memcpy(end, f->special, f->c->N * sizeof *end);
  position_rows_take_position(x, end);
  if (!position_rows_note_special(a->rows, follow_dead, end) || !position_rows_put(a->rows, false))
    return position_no_memory(x), false;
  double s0 = end[p->n], next = (double)(a->k + 1) / (double)a->steps, moved = INFINITY;
  for (double part = 1e-6; part <= 1; part = part < 1 && part > 0.3 ? 1 : 3 * part) {
    double s = part == 1 ? next : s0 + part * (next - s0);
    if (!(s > s0) || !find_least(a, end, s, z)) continue;
    moved = fmin(moved, distance(p, z, end));
    if (!leaves(a, z, s0)) continue;
    bool joins = moved <= 1e-3 * p->size || comes_back(a, z, s0, end);
    x->specials.items[x->specials.count - 1].moved = joins ? 0 : moved;
    follow_go_back(f, z, 1, 0.1 * (next - z[p->n]));
    return true;
  }
  position_rows_take_position(x, end);
  position_refuse_end(x, follow_stuck, x->P, false);
  return false;
}

// ---- the whole

// A dead point, or a limit point. False: x->status.
static bool turn_back(Along *a) {
  Positions *x = a->x;
  Follow *f = &a->f;
  if (!position_rows_note_special(a->rows, follow_dead, f->z) || !position_rows_put(a->rows, false))
    return position_no_memory(x), false;
  if (!a->through) return position_refuse_end(x, follow_dead, x->P, false), false;
  a->k += a->dir;
  a->dir = -a->dir;
  follow_turn(f);
  return true;
}

// To the next point of the grid, or what comes before it. False: x->status.
static bool go_on(Along *a) {
  Positions *x = a->x;
  Follow *f = &a->f;
  f->moved = x->problem == positions_path ? note_between : NULL;
  f->moved_self = a->rows;
  FollowEnd end = follow_to(f, (double)(a->k + a->dir) / (double)a->steps, a->through);
  f->moved = NULL;
  bool gives = x->problem == positions_deformed;
  x->steps = f->steps;
  x->refused = f->refused;
  x->path.unjudged = f->unjudged;
  if (gives && (end == follow_branch || end == follow_dead || end == follow_stuck)) {
    if (end != follow_branch) memcpy(f->special, f->z, f->c->N * sizeof *f->special);
    return go_downhill(a);
  }
  if (end == follow_branch) return cross(a);
  if (end == follow_corner) return note_corner(a);
  if (end == follow_stuck && x->problem == positions_path) return turn_corner(a);
  position_rows_take_position(x, f->z);
  if (end == follow_dead) return turn_back(a);
  if (end != follow_reached) return position_refuse_end(x, end, x->P, false), false;
  if (x->redundant && !watched_hold(x, f)) return false;
  a->k += a->dir;
  a->arrived = a->k == a->steps;
  return position_rows_put(a->rows, true) || (position_no_memory(x), false);
}

// A path that comes back to its start goes round for ever.
static bool is_closed(const Along *a) {
  const Positions *x = a->x;
  // behind a bifurcation k is the point of the grid before it: the path need not be there
  bool there = a->k == 0 && fabs(a->f.z[x->places.n] * (double)a->steps) <= 1e-12;
  return x->problem == positions_path && there && distance(&x->places, x->u, a->start) <= 1e-7 * x->places.size;
}

static PositionsStatus refuse_round(Along *a) {
  Positions *x = a->x;
  Places *p = &x->places;
  double *P = arena_array(p->arena, (size_t)p->k + 1, sizeof *P);
  if (!P) return position_no_memory(x);
  curve_drives(&x->curve, a->most, P);
  return position_fail(x, positions_failed, x->drives[0].span,
                       arena_printf(p->arena,
                                    "the path is closed: it comes back to where it began, and on its way never comes "
                                    "further than %s",
                                    position_drives_text(x, P)),
                       "what lies beyond is on no path from this start");
}

static bool is_inside(const Along *a) { return a->k + a->dir >= a->lowest && a->k + a->dir <= a->highest; }

// A load path ends where the load first comes to its last value.
static PositionsStatus go_all_along(Along *a) {
  Positions *x = a->x;
  Places *p = &x->places;
  bool path = x->problem == positions_path;
  if (!position_rows_put(a->rows, true)) return position_no_memory(x);
  while (is_inside(a) && !(path && a->arrived) && !a->rows->stopped) {
    if (x->row_count > (uint64_t)path_beyond * (uint64_t)a->steps + most_rows_beyond)
      return position_fail(x, positions_failed, x->drives[0].span, "the path goes on and on without coming to its end",
                           NULL);
    if (a->request->progress) a->request->progress(a->request->self, a->f.z[p->n]);
    if (!go_on(a)) return x->status;
    a->most = fmax(a->most, a->f.z[p->n]);
    if (is_closed(a)) return refuse_round(a);
  }
  if (path && !a->arrived && !a->rows->stopped)
    return position_fail(x, positions_failed, x->drives[0].span,
                         arena_printf(p->arena, "the path leaves %s far behind, and does not come to its end",
                                      position_drives_text(x, x->P)),
                         NULL);
  for (uint32_t i = 0; i < a->request->branch_count; i++) {
    int32_t number = a->request->branches[i] < 0 ? -a->request->branches[i] : a->request->branches[i];
    if ((uint32_t)number <= bifurcation_number(x)) continue;
    return position_fail(x, positions_failed, x->drives[0].span,
                         arena_printf(p->arena, "there is no bifurcation %d on this path", number), NULL);
  }
  return positions_done;
}

PositionsStatus positions_go_along(Positions *x, const PositionsRequest *request, PositionRows *rows) {
  Places *p = &x->places;
  bool path = x->problem == positions_path;
  Along a = {.x = x, .request = request, .rows = rows, .steps = x->drives[0].steps, .dir = 1};
  a.through = request->through || path;
  a.lowest = path ? -path_beyond * a.steps : 0;
  a.highest = path ? (1 + path_beyond) * a.steps : a.steps;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return position_no_memory(x);
  memcpy(z, x->u, p->n * sizeof *z);
  if (!follow_open(&a.f, &x->curve, z, 1.0 / x->drives[0].steps)) return position_no_memory(x);
  a.f.interrupted = request->interrupted;
  a.f.self = request->self;
  if (p->statics) a.f.index = index_at, a.f.index_self = x;
  x->proved = a.f.proves;
  x->alone = a.f.proves && follow_start(&a.f);
  if (a.f.proves && !x->alone) return position_refuse_end(x, follow_stuck, x->P, true);
  a.start = z;
  rows->f = &a.f;
  PositionsStatus status = go_all_along(&a);
  rows->f = NULL;
  return status;
}
