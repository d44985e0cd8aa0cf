// Inverse kinematics. See inverse.h.
#include "positions/inverse.h"

#include "base/random.h"
#include "positions/nearest.h"
#include "positions/refuse.h"

#include <math.h>
#include <string.h>

enum { few_starts = 4, many_starts = 48, least_steps = 8, most_steps = 400 };
static const double offs[] = {0.02, 0.1, 0.5, 1.5}; // how far starts are moved: angles, or parts of the size
static const double there = 1e-7;                   // of the size: so near counts as reached
static const double small_step = 1e-3;              // of the way that is missing: can it be made?

typedef struct Inverse {
  Positions *x;
  const PositionsRequest *request;
  double *low, *high; // limits, by unknown
  double *scale;      // by coordinate: what a start may be moved by
  bool *may;          // it is not held at a limit
  bool *skip;         // drives do not count
  bool *is_angle;     // by coordinate: it may go by whole turns
  double *start, *reached, *P, *u, *best, *weight, *slope;
  bool singular;  // of what was found last
  uint32_t tried; // other starts
} Inverse;

static bool failed(NearestStatus status) { return status == nearest_no_memory || status == nearest_no_module; }

static bool is_interrupted(const Inverse *v) {
  return v->request->interrupted && v->request->interrupted(v->request->self);
}

// ---- limits

static bool read_limits(Inverse *v) {
  Places *p = &v->x->places;
  const SystemLimitList *list = &p->s.limits;
  for (uint32_t i = 0; i < p->n; i++) v->low[i] = -INFINITY, v->high[i] = INFINITY;
  for (uint32_t i = 0; i < list->count; i++) {
    const SystemLimit *l = &list->items[i];
    ExprId ends[2] = {l->low ? l->low : p->s.pool->zero, l->high ? l->high : p->s.pool->zero};
    double at[2];
    if (!places_numbers(p, ends, 2, p->from, at)) return false;
    if (l->low) v->low[l->coord] = fmax(v->low[l->coord], at[0]);
    if (l->high) v->high[l->coord] = fmin(v->high[l->coord], at[1]);
  }
  return true;
}

// Coordinates beyond their limits go back to them, and are held there. Their number.
static uint32_t hold_limits(Inverse *v, double *u) {
  Places *p = &v->x->places;
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->coords; i++) {
    if (!(u[i] < v->low[i] || u[i] > v->high[i])) continue;
    u[i] = fmin(fmax(u[i], v->low[i]), v->high[i]);
    v->may[i] = false;
    count++;
  }
  return count;
}

// ---- from one start

// What is driven at x->u, and how far that is from where it is to be.
static void find_reached(Inverse *v) {
  Positions *x = v->x;
  Places *p = &x->places;
  double sum = 0;
  memset(v->reached, 0, p->k * sizeof *v->reached);
  places_eval(p, x->u, v->reached);
  for (uint32_t i = 0; i < p->k; i++) v->reached[i] = places_value(p, p->drive_row[i]);
  for (uint32_t i = 0; i < p->k; i++) sum += (v->reached[i] - p->from[i]) * (v->reached[i] - p->from[i]);
  x->missed = sqrt(sum);
}

// What is driven goes straight to where it is to be, in small steps, so that no part flips over on the way. Where a
// step fails, x->u is that before it.
static NearestStatus go_straight(Inverse *v, NearestPoint *g) {
  Positions *x = v->x;
  Places *p = &x->places;
  find_reached(v);
  uint32_t steps = (uint32_t)fmin(most_steps, least_steps + 50 * x->missed / p->size);
  for (uint32_t s = 1; s <= steps; s++) {
    double part = (double)s / steps;
    for (uint32_t i = 0; i < p->k; i++)
      v->P[i] = s == steps ? p->from[i] : v->reached[i] + (p->from[i] - v->reached[i]) * part;
    memcpy(v->u, x->u, p->n * sizeof *v->u);
    NearestStatus status = gather(p, &(NearestRequest){.P = v->P, .may = v->may}, v->u, g);
    if (status != nearest_done) return status;
    memcpy(x->u, v->u, p->n * sizeof *v->u);
  }
  return nearest_done;
}

// From x->u: the target, within limits.
static NearestStatus attempt(Inverse *v, NearestPoint *g) {
  Positions *x = v->x;
  Places *p = &x->places;
  NearestRequest request = {.P = p->from, .may = v->may};
  for (uint32_t i = 0; i < p->n; i++) v->may[i] = true;
  NearestStatus status = go_straight(v, g);
  if (status != nearest_done && !failed(status)) status = gather(p, &request, x->u, g);
  while (status == nearest_done && hold_limits(v, x->u)) status = gather(p, &request, x->u, g);
  return status;
}

// One coordinate that is held at a limit, and whose way back from it leads nearer to the target, may move again. False:
// there is none.
static bool release_limit(Inverse *v) {
  Positions *x = v->x;
  Places *p = &x->places;
  uint32_t best = UINT32_MAX;
  double most = 0;
  memset(v->slope, 0, p->n * sizeof *v->slope);
  places_eval(p, x->u, p->from);
  for (uint32_t e = 0; e < p->entries; e++) {
    if (v->skip[p->entry_row[e]] && p->entry_column[e] < p->n)
      v->slope[p->entry_column[e]] += places_entry(p, e) * places_value(p, p->entry_row[e]);
  }
  for (uint32_t i = 0; i < p->coords; i++) {
    double inward = v->may[i] ? 0 : x->u[i] <= v->low[i] ? -v->slope[i] : v->slope[i];
    if (inward > most) most = inward, best = i;
  }
  if (best == UINT32_MAX || !(most > 1e-9 * x->missed)) return false;
  v->may[best] = true;
  return true;
}

// The nearest configuration to the target from x->u: constraints count more and more.
static NearestStatus come_near(Inverse *v, NearestPoint *g) {
  Positions *x = v->x;
  Places *p = &x->places;
  uint32_t rounds = 0;
  do {
    for (double w = 1; w <= 1e7; w *= 10) {
      for (uint32_t i = 0; i < p->m; i++) v->weight[i] = w;
      for (uint32_t i = 0; i < p->k; i++) v->weight[p->drive_row[i]] = 1;
      NearestStatus status = gather(p, &(NearestRequest){.P = p->from, .may = v->may, .weight = v->weight}, x->u, g);
      if (failed(status)) return status;
    }
  } while (hold_limits(v, x->u) || (rounds++ < 2 * p->coords && release_limit(v)));
  return nearest_contradiction;
}

// What is there moves as little as it can, near by, within limits.
static NearestStatus move_least(Inverse *v, NearestPoint *g) {
  Positions *x = v->x;
  NearestRequest request = {.P = x->places.from, .may = v->may};
  NearestStatus status = nearest_least(&x->places, &request, v->start, x->u, g);
  while (status == nearest_done && hold_limits(v, x->u)) {
    status = gather(&x->places, &request, x->u, g);
    if (status == nearest_done) status = nearest_least(&x->places, &request, v->start, x->u, g);
  }
  x->least = status == nearest_done && g->least;
  return status;
}

// The largest of all equations at u.
static double left_at(Inverse *v, const double *u) {
  Places *p = &v->x->places;
  double most = 0;
  places_eval(p, u, p->from);
  for (uint32_t i = 0; i < p->m; i++) most = fmax(most, fabs(places_value(p, i)));
  return most;
}

// Angles go by whole turns to where they are nearest to the start, if everything is there still. True: one did.
static bool unwind(Inverse *v) {
  const double turn = 6.283185307179586476925;
  Positions *x = v->x;
  Places *p = &x->places;
  double left = fmax(left_at(v, x->u) * (1 + 1e-9), there * p->size);
  bool any = false;
  for (uint32_t i = 0; i < p->coords; i++) {
    double turns = v->is_angle[i] ? turn * floor((v->start[i] - x->u[i]) / turn + 0.5) : 0, before = x->u[i];
    if (turns == 0 || before + turns < v->low[i] || before + turns > v->high[i]) continue;
    x->u[i] += turns;
    if (left_at(v, x->u) > left) x->u[i] = before;
    else any = true;
  }
  return any;
}

static PositionsStatus count_freedoms(Inverse *v) {
  Positions *x = v->x;
  Places *p = &x->places;
  CurveCount count;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return position_no_memory(x);
  memcpy(z, x->u, p->n * sizeof *z);
  curve_path(&x->curve, p->from, p->to);
  x->curve.dependent = 1e-4; // near the boundary derivatives fall with the root of the distance
  CurveRank rank = curve_choose(&x->curve, z, &count);
  if (rank == rank_no_memory) return position_no_memory(x);
  x->freedoms = p->n - count.constraints;
  // what is given may have more numbers than the mechanism freedoms: then it is on what can be reached by these
  uint32_t needed = p->k < x->freedoms ? p->k : x->freedoms;
  v->singular = x->curve.dense && count.all - count.constraints < needed;
  return positions_done;
}

// ---- other starts

// Anywhere: within its limits, or half a turn or the size of the mechanism from the start.
static double anywhere(const Inverse *v, uint32_t i, double chance) {
  if (isfinite(v->low[i]) && isfinite(v->high[i])) return v->low[i] + (v->high[i] - v->low[i]) * chance;
  return v->start[i] + (2 * chance - 1) * 3 * v->scale[i];
}

// The start moved off at random, every other time anywhere, and onto the constraints again, what is driven not
// counting. False: not found.
static bool take_start(Inverse *v, uint32_t number, NearestPoint *g) {
  Positions *x = v->x;
  Places *p = &x->places;
  double off = offs[number / 2 % (sizeof offs / sizeof *offs)];
  memcpy(x->u, v->start, p->n * sizeof *x->u);
  for (uint32_t i = 0; i < p->coords; i++) {
    uint64_t counter = (uint64_t)number * p->coords + i;
    double at = number % 2 ? x->u[i] + off * v->scale[i] * random_normal(v->request->seed, counter)
                           : anywhere(v, i, random_uniform(v->request->seed, counter));
    x->u[i] = fmin(fmax(at, v->low[i]), v->high[i]);
  }
  return gather(p, &(NearestRequest){.P = p->from, .skip = v->skip}, x->u, g) == nearest_done;
}

// x->u where it is the best so far: it is there and regular, or nearer to it. True: nothing better is needed.
static bool is_enough(Inverse *v, double *missed) {
  Positions *x = v->x;
  Places *p = &x->places;
  find_reached(v);
  bool here = x->missed <= there * p->size, before = *missed <= there * p->size;
  if (count_freedoms(v) != positions_done) return true;
  bool better = here ? !v->singular || !before : x->missed < *missed && !before;
  if (better) memcpy(v->best, x->u, p->n * sizeof *v->best), *missed = x->missed;
  return here && !v->singular;
}

// From the start, then from others. False: x->status.
static bool search(Inverse *v) {
  Positions *x = v->x;
  Places *p = &x->places;
  NearestPoint g;
  double missed = INFINITY;
  uint32_t most = x->curve.dense ? many_starts : few_starts;
  bool *held = arena_array(p->arena, (size_t)p->n + 1, sizeof *held);
  if (!held) return position_no_memory(x), false;
  for (uint32_t k = 0; k <= most; k++) {
    if (is_interrupted(v)) return x->status = positions_interrupted, false;
    if (k && !take_start(v, k, &g)) continue;
    v->tried += k > 0;
    NearestStatus status = attempt(v, &g);
    if (status == nearest_done) status = move_least(v, &g);
    if (status == nearest_done && unwind(v)) status = move_least(v, &g);
    else if (!failed(status)) {
      status = come_near(v, &g);
      unwind(v);
    }
    if (status == nearest_no_memory) return position_no_memory(x), false;
    if (status == nearest_no_module)
      return position_fail(x, positions_failed, (Span){0}, "the module of sparse solvers is not there", NULL), false;
    double before = missed;
    bool enough = is_enough(v, &missed);
    if (x->status == positions_no_memory) return false;
    if (missed < before || enough) memcpy(held, v->may, p->n * sizeof *held), x->starts = k;
    if (enough) break;
  }
  memcpy(x->u, v->best, p->n * sizeof *x->u);
  memcpy(v->may, held, p->n * sizeof *held);
  find_reached(v);
  return count_freedoms(v) == positions_done;
}

// ---- what came out

// Can what is driven come a little nearer from here?
static bool comes_nearer(Inverse *v) {
  Positions *x = v->x;
  Places *p = &x->places;
  NearestPoint g;
  for (uint32_t i = 0; i < p->k; i++) v->P[i] = v->reached[i] + small_step * (p->from[i] - v->reached[i]);
  memcpy(v->u, x->u, p->n * sizeof *v->u);
  return gather(p, &(NearestRequest){.P = v->P, .may = v->may}, v->u, &g) == nearest_done;
}

// "the limits of q1, q2"; NULL: none is held.
static const char *limits_text(const Inverse *v) {
  const Places *p = &v->x->places;
  uint32_t count = 0;
  Text t = text_in(p->arena);
  for (uint32_t i = 0; i < p->coords; i++) {
    if (!v->may[i]) text_printf(&t, "%s`%s`", count++ ? ", " : "", p->names[i]);
  }
  return count ? arena_printf(p->arena, "the %s of %s", count > 1 ? "limits" : "limit", text_str(&t)) : NULL;
}

static PositionsStatus refuse_reach(Inverse *v) {
  Positions *x = v->x;
  Places *p = &x->places;
  x->status = positions_failed;
  const char *target = position_drives_list(x, p->from), *at = position_drives_list(x, v->reached),
             *limits = limits_text(v);
  bool nearest = !comes_nearer(v);
  const char *message =
      arena_printf(p->arena, "[%s] %s%s%s: the nearest that was found is [%s], %.9g away%s", target,
                   nearest ? "is out of reach" : "was not reached", limits ? " within " : "", limits ? limits : "", at,
                   x->missed, nearest ? "; from there no step leads nearer" : "");
  return position_fail(x, positions_failed, x->drives[0].span, message,
                       arena_printf(p->arena,
                                    "%u other starts lead no nearer; `--set` of a start, or `--seed`, tries others",
                                    v->tried));
}

static bool open(Inverse *v) {
  Places *p = &v->x->places;
  double **rooms[] = {&v->low, &v->high, &v->scale, &v->start, &v->u, &v->best, &v->weight, &v->slope};
  size_t size = (size_t)(p->n > p->m ? p->n : p->m) + 1;
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) *rooms[i] = arena_array(p->arena, size, sizeof(double));
  v->reached = arena_array(p->arena, (size_t)p->k + 1, sizeof *v->reached);
  v->P = arena_array(p->arena, (size_t)p->k + 1, sizeof *v->P);
  v->may = arena_array(p->arena, size, sizeof *v->may);
  v->skip = arena_array(p->arena, size, sizeof *v->skip);
  v->is_angle = arena_array(p->arena, size, sizeof *v->is_angle);
  if (arena_failed(p->arena) || !read_limits(v)) return false;
  memcpy(v->start, v->x->u, p->n * sizeof *v->start); // on the constraints
  for (uint32_t i = 0; i < p->k; i++) v->skip[p->drive_row[i]] = true;
  for (uint32_t i = 0; i < p->coords; i++) {
    const Dimension *d = &p->s.coords.items[i].dim, plain = dimension_plain();
    v->is_angle[i] = d->known && dimension_same(d, &plain);
    v->scale[i] = v->is_angle[i] ? 1 : p->size;
  }
  return true;
}

// A target that no coordinate moves: time, a parameter, a state, a constant. NULL: there is none.
static const SystemDrive *find_unmoved(const Positions *x) {
  for (uint32_t i = 0; i < x->places.k; i++) {
    if (x->places.drive_row[i] == UINT32_MAX) return &x->drives[i];
  }
  return NULL;
}

PositionsStatus positions_reach(Positions *x, const PositionsRequest *request, PositionRows *rows) {
  Places *p = &x->places;
  Inverse v = {.x = x, .request = request};
  const SystemDrive *unmoved = find_unmoved(x);
  if (unmoved)
    return position_fail(x, positions_bad_input, unmoved->span,
                         "coordinates cannot move this: it depends on none of them",
                         "name coordinates, or what depends on them, as in `--reach \"x=1\"`");
  if (!open(&v)) return position_no_memory(x);
  if (!search(&v)) return x->status;
  for (uint32_t i = 0; i < p->coords; i++) x->moved += (x->u[i] - v.start[i]) * (x->u[i] - v.start[i]);
  x->moved = sqrt(x->moved);
  memcpy(x->P, v.reached, p->k * sizeof *v.reached);
  if (!position_rows_put(rows, false)) return position_no_memory(x);
  if (x->missed > there * p->size) return refuse_reach(&v);
  x->limits = limits_text(&v);
  if (!v.singular) return positions_done;
  return position_fail(x, positions_failed, x->drives[0].span,
                       arena_printf(p->arena,
                                    "[%s] is reached, and singular: it lies on the boundary of what can be reached",
                                    position_drives_list(x, p->from)),
                       "from here it cannot be moved on in every direction");
}
