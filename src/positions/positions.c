// The road of problems of position. See positions.h.
#include "positions/positions.h"

#include "positions/gather.h"
#include "positions/stability.h"

#include <math.h>
#include <string.h>

enum { most_named = 8, path_beyond = 20 }; // names in a message; ranges that a path may go beyond its own
static const double turn = 6.283185307179586476925;

static PositionsStatus fail(Positions *x, PositionsStatus status, Span place, const char *message, const char *hint) {
  x->message = message;
  x->hint = hint;
  x->place = place;
  return x->status = message ? status : positions_no_memory;
}

static PositionsStatus no_memory(Positions *x) { return x->status = positions_no_memory; }

// ---- from guesses onto the constraints

// By unknown: nobody said where it is. False: there is none.
static bool may_move(const Positions *x, bool *may) {
  const System *s = &x->places.s;
  bool any = false;
  uint32_t k = 0;
  for (uint32_t i = 0; i < s->coord_count; i++) may[k++] = !s->coords.items[i].said_q;
  for (uint32_t b = 0; b < s->tree.balls.count; b++) {
    for (uint32_t i = 0; i < 4; i++) may[k++] = !s->states.items[s->tree.balls.items[b].first + i].said;
  }
  for (uint32_t i = 0; i < k; i++) any = any || may[i];
  while (k < x->places.n) may[k++] = true;
  return any;
}

static const char *contradiction(Positions *x, const Gathered *g, Span *place) {
  Places *p = &x->places;
  double most = 0;
  uint32_t worst = 0, named = 0, count = 0;
  for (uint32_t i = 0; i < p->m; i++) {
    if (fabs(g->left[i]) > most) most = fabs(g->left[i]), worst = i;
  }
  Text t = text_in(p->arena);
  for (uint32_t i = 0; i < p->m; i++) {
    if (fabs(g->left[i]) <= 1e-6 * most) continue;
    count++;
    if (named < most_named) text_printf(&t, "%s`%s` (off by %.3g)", named++ ? ", " : "", p->labels[i], g->left[i]);
  }
  *place = p->spans[worst];
  return arena_printf(
      p->arena, "no position obeys all constraints: %s%s %s; the nearest one that was found leaves them so",
      text_str(&t), count > named ? " and others" : "", count > 1 ? "contradict each other" : "cannot hold");
}

static PositionsStatus assemble(Positions *x) {
  Places *p = &x->places;
  bool *may = arena_array(p->arena, (size_t)p->n + 1, sizeof *may);
  bool *skip = arena_array(p->arena, (size_t)p->m + 1, sizeof *skip);
  double *u = arena_array(p->arena, (size_t)p->n + 1, sizeof *u);
  if (!may || !skip || !u) return no_memory(x);
  for (uint32_t i = 0; i < p->k; i++) {
    if (p->drive_row[i] != UINT32_MAX) skip[p->drive_row[i]] = true;
  }
  Gathered g;
  GatherStatus status = gather_contradiction;
  memcpy(u, p->start, p->n * sizeof *u);
  if (may_move(x, may)) status = gather(p, &(GatherWish){.may = may, .skip = skip, .P = x->P}, u, &g);
  if (status != gather_done) {
    memcpy(u, p->start, p->n * sizeof *u);
    status = gather(p, &(GatherWish){.skip = skip, .P = x->P}, u, &g);
  }
  x->iterations = g.iterations;
  if (status == gather_no_memory) return no_memory(x);
  if (status == gather_no_module)
    return fail(x, positions_failed, (Span){0}, "the module of sparse solvers is not there", NULL);
  Span place;
  if (status != gather_done) {
    const char *message = contradiction(x, &g, &place);
    return fail(x, positions_failed, place, message,
                "other guesses may lead elsewhere; lengths that cannot meet never do");
  }
  memcpy(x->u, u, p->n * sizeof *u);
  x->assembled = true;
  return positions_done;
}

// ---- drives

static bool is_angle(const Places *p, uint32_t drive) {
  SymbolId symbol = expr_symbol(&p->pool, p->driven[drive]);
  for (uint32_t i = 0; symbol && i < p->angle_count; i++) {
    if (p->unknown[0][p->angles[i]] == symbol) return true;
  }
  return false;
}

// The values of the drives at x->u, angles within half a turn of where they are to start.
static bool find_driven(Positions *x, double *P) {
  Places *p = &x->places;
  for (uint32_t i = 0; i < p->k; i++) {
    if (p->drive_row[i] == UINT32_MAX) {
      P[i] = x->P[i];
      continue;
    }
    double zero = x->P[i];
    x->P[i] = 0;
    places_eval(p, x->u, x->P);
    P[i] = places_value(p, p->drive_row[i]);
    x->P[i] = zero;
    if (!is_angle(p, i)) continue;
    double turns = turn * floor((p->from[i] - P[i]) / turn + 0.5);
    for (uint32_t k = 0; k < p->n; k++) {
      if (p->unknown[0][k] == expr_symbol(&p->pool, p->driven[i])) x->u[k] += turns;
    }
    P[i] += turns;
  }
  return !arena_failed(p->arena);
}

// Values of parameters that are driven, before they are.
static bool find_given(Positions *x) {
  Places *p = &x->places;
  for (uint32_t i = 0; i < p->k; i++) {
    SymbolId symbol = expr_symbol(&p->pool, p->driven[i]);
    x->P[i] = p->drive_row[i] == UINT32_MAX && symbol == p->s.time ? p->t : 0;
    for (uint32_t k = 0; p->drive_row[i] == UINT32_MAX && k < p->s.params.count; k++) {
      if (p->s.params.items[k].symbol == symbol) x->P[i] = p->params[k];
    }
  }
  return true;
}

// Constraints that follow from others.
static uint32_t redundant(const Places *p, CurveCount count) {
  uint32_t drives = 0;
  for (uint32_t i = 0; i < p->k; i++) drives += p->drive_row[i] != UINT32_MAX;
  return p->m - drives - count.constraints;
}

static PositionsStatus refuse_rank(Positions *x, CurveRank rank, CurveCount count) {
  Places *p = &x->places;
  const SystemDrive *d = x->drives;
  if (rank == rank_no_memory) return no_memory(x);
  if (p->statics)
    return fail(x, positions_failed, d[0].span,
                "the equilibrium is not alone here: something can be moved without force, or forces of constraints are "
                "not determined",
                "a load path needs a structure that is held");
  x->freedoms = p->n - count.constraints;
  const char *freedoms = x->freedoms == 1 ? "freedom" : "freedoms";
  if (rank == rank_overdriven)
    return fail(x, positions_failed, d[p->k - 1].span,
                arena_printf(p->arena, "%u drives, but the mechanism has %u %s here: they cannot all be followed", p->k,
                             x->freedoms, freedoms),
                "take a drive away");
  return fail(x, positions_failed, d[0].span,
              arena_printf(p->arena, "%u %s, but the mechanism has %u %s here: nothing says how the rest moves", p->k,
                           p->k == 1 ? "drive" : "drives", x->freedoms, freedoms),
              "drive as many coordinates as there are freedoms");
}

// ---- rows

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

typedef struct PositionRows {
  Positions *x;
  const PositionsWish *wish;
  Follow *f;
  double *all, *row, *watch, *scaled[3], *P1, *z;
  bool stopped;
} PositionRows;

static bool open_rows(PositionRows *r) {
  Positions *x = r->x;
  Places *p = &x->places;
  Arena *arena = p->arena;
  if (!places_watch(p, r->wish->watch, r->wish->watch_count) || !name_columns(x) || !places_table(p)) return false;
  r->all = arena_array(arena, (size_t)places_columns(p) + 1, sizeof *r->all);
  r->row = arena_array(arena, (size_t)x->columns + 1, sizeof *r->row);
  r->watch = arena_array(arena, (size_t)r->wish->watch_columns + p->watch.count + 2, sizeof *r->watch);
  r->P1 = arena_array(arena, (size_t)p->k + 1, sizeof *r->P1);
  r->z = arena_array(arena, (size_t)p->n + 2, sizeof *r->z);
  for (int o = 0; o < 3; o++) r->scaled[o] = arena_array(arena, (size_t)p->n + 1, sizeof *r->scaled[o]);
  if (arena_failed(arena)) return false;
  const Sink *sink = r->wish->sink;
  if (sink && sink->header) r->stopped = !sink->header(sink->self, x->names, x->columns);
  return true;
}

// The row at f->z. Where there are no derivatives they are not numbers.
static bool put_row(PositionRows *r, bool rated) {
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
  const Sink *sink = r->wish->sink, *watcher = r->wish->watcher;
  if (sink && sink->row && !r->stopped) r->stopped = !sink->row(sink->self, r->row, x->columns);
  if (watcher && watcher->row) {
    r->watch[0] = (double)x->row_count;
    memcpy(r->watch + 1, r->all + places_orders * (size_t)p->shown.count, p->watch.count * sizeof *r->watch);
    if (!watcher->row(watcher->self, r->watch, r->wish->watch_columns)) return false;
  }
  for (uint32_t i = 0; x->row_count < positions_rows_kept && i < x->columns; i++) {
    if (!vec_push(p->arena, &x->rows, r->row[i])) return false;
  }
  x->row_count++;
  return true;
}

static bool note_special(PositionRows *r, FollowEnd kind, const double *z) {
  Positions *x = r->x;
  Places *p = &x->places;
  PositionsSpecial e = {.kind = kind, .row = (uint32_t)x->row_count};
  e.P = arena_array(p->arena, (size_t)p->k + 1, sizeof *e.P);
  e.shown = arena_array(p->arena, (size_t)p->shown.count + 1, sizeof *e.shown);
  if (!e.P || !e.shown) return false;
  curve_drives(&x->curve, z[p->n], e.P);
  for (int o = 0; o < 3; o++) memset(r->scaled[o], 0, p->n * sizeof *r->scaled[o]);
  memset(r->P1, 0, p->k * sizeof *r->P1);
  places_show(p, z, e.P, r->P1, (const double *const[]){r->scaled[0], r->scaled[1], r->scaled[2]}, r->all);
  memcpy(e.shown, r->all, p->shown.count * sizeof *e.shown);
  return vec_push(p->arena, &x->specials, e);
}

static void take_position(Positions *x, const double *z) {
  memcpy(x->u, z, x->places.n * sizeof *x->u);
  curve_drives(&x->curve, z[x->places.n], x->P);
}

// Where two ways cross there are places, and no derivatives.
static bool put_crossing(PositionRows *r) {
  take_position(r->x, r->f->special);
  return note_special(r, follow_branch, r->f->special) && put_row(r, false);
}

// ---- along the drives

static const char *drives_text(Positions *x, const double *P) {
  Text t = text_in(x->places.arena);
  for (uint32_t i = 0; i < x->places.k; i++) text_printf(&t, "%s%s = %.9g", i ? ", " : "", x->drives[i].name, P[i]);
  return text_str(&t);
}

static PositionsStatus refuse_end(Positions *x, FollowEnd end, const double *P, bool start) {
  Places *p = &x->places;
  const SystemDrive *d = x->drives;
  const char *at = drives_text(x, P),
             *what = start ? "the drive cannot start where it is to" : "the drive cannot be followed further";
  if (end == follow_no_memory) return no_memory(x);
  if (end == follow_interrupted) return x->status = positions_interrupted;
  if (end == follow_dead)
    return fail(x, positions_failed, d[0].span,
                arena_printf(p->arena, "%s: a dead point at %s, where it would have to turn back", what, at),
                start ? "draw the mechanism in the assembly mode that is meant, or start where the drawing can get to"
                      : "`--through` goes on behind it, the drive turning back");
  if (end == follow_branch)
    return fail(x, positions_failed, d[0].span,
                arena_printf(p->arena, "%s: two ways cross at %s, and nothing says which is meant", what, at),
                start ? "draw the mechanism on the side that is meant" : "`--through` goes straight on");
  return fail(x, positions_failed, d[0].span,
              arena_printf(p->arena, "%s: near %s the equations are singular, and the branch is lost", what, at), NULL);
}

// From the drawing to where the drives start.
static PositionsStatus go_to_start(Positions *x, const PositionsWish *wish) {
  Places *p = &x->places;
  double *P = arena_array(p->arena, (size_t)p->k + 1, sizeof *P),
         *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  CurveCount count;
  Follow f;
  if (!P || !z || !find_driven(x, P)) return no_memory(x);
  memcpy(x->P, P, p->k * sizeof *P);
  memcpy(z, x->u, p->n * sizeof *z);
  curve_path(&x->curve, P, p->from);
  CurveRank rank = curve_choose(&x->curve, z, &count);
  x->freedoms = p->n - count.constraints;
  x->redundant = redundant(p, count);
  if (rank != rank_regular) return refuse_rank(x, rank, count);
  bool there = true;
  for (uint32_t i = 0; i < p->k; i++) there = there && fabs(P[i] - p->from[i]) <= 1e-14 * fmax(1, fabs(P[i]));
  if (!there) {
    if (!follow_open(&f, &x->curve, z, 0.125)) return no_memory(x);
    f.interrupted = wish->interrupted;
    f.self = wish->self;
    bool regular = follow_start(&f);
    FollowEnd end = regular ? follow_to(&f, 1, false) : follow_stuck;
    x->steps += f.steps;
    x->refused += f.refused;
    take_position(x, f.z);
    if (end != follow_reached) {
      if (end == follow_branch) curve_drives(&x->curve, f.special[p->n], x->P);
      return refuse_end(x, end, x->P, true);
    }
    memcpy(z, f.z, p->n * sizeof *z);
  }
  // onto the very start
  curve_path(&x->curve, p->from, p->to);
  z[p->n] = 0;
  double *along = arena_array(p->arena, (size_t)p->n + 2, sizeof *along);
  if (!along) return no_memory(x);
  along[p->n] = 1;
  if (!curve_correct(&x->curve, z, along, z, 0, NULL, NULL)) return refuse_end(x, follow_stuck, x->P, true);
  memcpy(x->u, z, p->n * sizeof *z);
  memcpy(x->P, p->from, p->k * sizeof *x->P);
  return positions_done;
}

// Equations that were left out because they follow from others: do they still?
static bool watched_hold(Positions *x, const Follow *f) {
  uint32_t which;
  Places *p = &x->places;
  double off = curve_watched(&x->curve, f->z, &which);
  if (off <= 1e-8 * p->size) return true;
  fail(x, positions_failed, p->spans[which],
       arena_printf(p->arena, "`%s` does not allow %s: it is off by %.3g there", p->labels[which], drives_text(x, x->P),
                    off),
       "it follows from the other constraints only where it started");
  return false;
}

static PositionsStatus go_along(Positions *x, const PositionsWish *wish, PositionRows *rows, Follow *f) {
  Places *p = &x->places;
  int64_t N = x->drives[0].steps, k = 0, dir = 1;
  bool path = p->statics, through = wish->through || path;
  int64_t lowest = path ? -path_beyond * N : 0, highest = path ? (1 + path_beyond) * N : N;
  if (!put_row(rows, true)) return no_memory(x);
  while (k + dir >= lowest && k + dir <= highest && !(path && k == N) && !rows->stopped) {
    if (x->row_count > (uint64_t)path_beyond * (uint64_t)N + 100000)
      return fail(x, positions_failed, x->drives[0].span, "the path goes on and on without coming to its end", NULL);
    double target = (double)(k + dir) / (double)N;
    if (wish->progress) wish->progress(wish->self, f->z[p->n]);
    FollowEnd end = follow_to(f, target, through);
    x->steps = f->steps;
    x->refused = f->refused;
    if (end == follow_branch && !put_crossing(rows)) return no_memory(x);
    if (end == follow_branch && through) {
      dir = f->way;
      while (k + dir >= lowest && k + dir <= highest && (f->z[p->n] - (double)(k + dir) / (double)N) * f->way > 0)
        k += dir;
      continue;
    }
    take_position(x, f->z);
    if (end == follow_dead) {
      if (!note_special(rows, end, f->z) || !put_row(rows, false)) return no_memory(x);
      if (!through) return refuse_end(x, end, x->P, false);
      k += dir;
      dir = -dir;
      follow_turn(f);
      continue;
    }
    if (end == follow_branch) take_position(x, f->special);
    if (end != follow_reached) return refuse_end(x, end, x->P, false);
    if (x->redundant && !watched_hold(x, f)) return x->status;
    k += dir;
    if (!put_row(rows, true)) return no_memory(x);
  }
  if (path && k != N && !rows->stopped)
    return fail(
        x, positions_failed, x->drives[0].span,
        arena_printf(p->arena, "the path leaves %s far behind, and does not come to its end", drives_text(x, x->P)),
        NULL);
  return positions_done;
}

static PositionsStatus successive(Positions *x, const PositionsWish *wish, PositionRows *rows) {
  Places *p = &x->places;
  Follow f;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return no_memory(x);
  memcpy(z, x->u, p->n * sizeof *z);
  if (!follow_open(&f, &x->curve, z, 1.0 / x->drives[0].steps)) return no_memory(x);
  f.interrupted = wish->interrupted;
  f.self = wish->self;
  x->proved = f.proves;
  x->alone = f.proves && follow_start(&f);
  if (f.proves && !x->alone) return refuse_end(x, follow_stuck, x->P, true);
  rows->f = &f;
  return go_along(x, wish, rows, &f);
}

// Without drives, or at their start: the row of the position itself.
static PositionsStatus initial(Positions *x, PositionRows *rows) {
  Places *p = &x->places;
  Follow f;
  if (p->k) {
    double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
    if (!z) return no_memory(x);
    memcpy(z, x->u, p->n * sizeof *z);
    if (!follow_open(&f, &x->curve, z, 1)) return no_memory(x);
    x->alone = f.proves && follow_start(&f);
    rows->f = &f;
  }
  return put_row(rows, true) ? positions_done : no_memory(x);
}

// ---- assembly modes

static PositionsStatus find_modes(Positions *x, const PositionsWish *wish) {
  Places *p = &x->places;
  const SystemDrive *d = x->drives;
  curve_path(&x->curve, p->from, p->to);
  memcpy(x->P, p->from, p->k * sizeof *x->P);
  if (!assembly_modes_find(&x->modes, &x->curve, x->P, wish->seed, wish->interrupted, wish->self)) return no_memory(x);
  if (x->modes.interrupted) return x->status = positions_interrupted;
  if (x->modes.why)
    return fail(x, positions_failed,
                x->modes.place.source ? x->modes.place
                : p->k                ? d[0].span
                                      : (Span){0},
                arena_printf(p->arena, "assembly modes cannot be listed: %s", x->modes.why), NULL);
  return positions_done;
}

// Starts from one of them.
static PositionsStatus take_mode(Positions *x, const PositionsWish *wish) {
  Places *p = &x->places;
  PositionsStatus status = find_modes(x, wish);
  if (status != positions_done) return status;
  if (wish->mode > x->modes.count)
    return fail(x, positions_failed, p->k ? x->drives[0].span : (Span){0},
                arena_printf(p->arena, "there is no assembly mode %u: %u %s found where the drive starts", wish->mode,
                             x->modes.count, x->modes.count == 1 ? "was" : "were"),
                "`--problem modes` lists them");
  memcpy(x->u, x->modes.u + (size_t)(wish->mode - 1) * p->n, p->n * sizeof *x->u);
  x->assembled = true;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return no_memory(x);
  CurveCount count;
  memcpy(z, x->u, p->n * sizeof *z);
  CurveRank rank = curve_choose(&x->curve, z, &count);
  x->freedoms = p->n - count.constraints;
  x->redundant = redundant(p, count);
  return rank == rank_regular ? positions_done : refuse_rank(x, rank, count);
}

static PositionsStatus list_modes(Positions *x, const PositionsWish *wish, PositionRows *rows) {
  Places *p = &x->places;
  PositionsStatus status = find_modes(x, wish);
  for (uint32_t i = 0; status == positions_done && i < x->modes.count; i++) {
    memcpy(x->u, x->modes.u + (size_t)i * p->n, p->n * sizeof *x->u);
    if (!put_row(rows, false)) return no_memory(x);
  }
  return status;
}

// ---- inputs for given places

static const char *drives_list(Positions *x, const double *P) {
  Text t = text_in(x->places.arena);
  for (uint32_t i = 0; i < x->places.k; i++) text_printf(&t, "%s%.9g", i ? ", " : "", P[i]);
  return text_str(&t);
}

// What is driven at x->u, and how far that is from where it is to be.
static void find_reached(Positions *x, double *reached) {
  Places *p = &x->places;
  double sum = 0;
  memset(reached, 0, p->k * sizeof *reached);
  places_eval(p, x->u, reached);
  for (uint32_t i = 0; i < p->k; i++) reached[i] = places_value(p, p->drive_row[i]);
  for (uint32_t i = 0; i < p->k; i++) sum += (reached[i] - p->from[i]) * (reached[i] - p->from[i]);
  x->missed = sqrt(sum);
}

// The nearest place: constraints count more and more.
static GatherStatus come_near(Positions *x, Gathered *g) {
  Places *p = &x->places;
  double *weight = arena_array(p->arena, (size_t)p->m + 1, sizeof *weight);
  if (!weight) return gather_no_memory;
  for (double w = 1; w <= 1e7; w *= 10) {
    for (uint32_t i = 0; i < p->m; i++) weight[i] = w;
    for (uint32_t i = 0; i < p->k; i++) weight[p->drive_row[i]] = 1;
    GatherStatus status = gather(p, &(GatherWish){.P = p->from, .weight = weight}, x->u, g);
    if (status == gather_no_memory || status == gather_no_module) return status;
  }
  return gather_contradiction;
}

static PositionsStatus inverse(Positions *x, PositionRows *rows) {
  Places *p = &x->places;
  Gathered g;
  double *reached = arena_array(p->arena, (size_t)p->k + 1, sizeof *reached);
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  double *start = arena_array(p->arena, (size_t)p->n + 1, sizeof *start);
  if (!reached || !z || !start) return no_memory(x);
  memcpy(start, x->u, p->n * sizeof *start); // on the constraints
  GatherWish wish = {.P = p->from};
  GatherStatus status = gather(p, &wish, x->u, &g);
  if (status == gather_done) status = gather_nearest(p, &wish, start, x->u, &g);
  else if (status == gather_contradiction || status == gather_unsettled) status = come_near(x, &g);
  if (status == gather_no_memory) return no_memory(x);
  find_reached(x, reached);
  memcpy(z, x->u, p->n * sizeof *z);
  curve_path(&x->curve, p->from, p->to);
  CurveCount count;
  x->curve.dependent = 1e-4; // near the boundary slopes fall with the root of the distance
  CurveRank rank = curve_choose(&x->curve, z, &count);
  if (rank == rank_no_memory) return no_memory(x);
  x->freedoms = p->n - count.constraints;
  memcpy(x->P, reached, p->k * sizeof *reached);
  if (!put_row(rows, false)) return no_memory(x);
  Span place = x->drives[0].span;
  if (x->missed > 1e-7 * p->size)
    return fail(x, positions_failed, place,
                arena_printf(p->arena, "[%s] is out of reach: the nearest that was found is [%s], %.9g away",
                             drives_list(x, p->from), drives_list(x, reached), x->missed),
                "it is the nearest from this start; `--set` of a start may find another one");
  if (x->curve.dense && rank == rank_overdriven)
    return fail(x, positions_failed, place,
                arena_printf(p->arena, "[%s] is reached, and singular: it lies on the boundary of what can be reached",
                             drives_list(x, p->from)),
                "from here it cannot be moved on in every direction");
  return positions_done;
}

static PositionsStatus count_freedoms(Positions *x) {
  Places *p = &x->places;
  CurveCount count;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return no_memory(x);
  memcpy(z, x->u, p->n * sizeof *z);
  curve_path(&x->curve, p->from, p->to);
  if (curve_choose(&x->curve, z, &count) == rank_no_memory) return no_memory(x);
  x->freedoms = p->n - count.constraints;
  x->redundant = redundant(p, count);
  return positions_done;
}

static PositionsStatus find(Positions *x, const PositionsWish *wish) {
  Places *p = &x->places;
  PositionRows rows = {.x = x, .wish = wish};
  if (x->problem == positions_successive && !p->k)
    return fail(x, positions_bad_input, (Span){0},
                "there is no `drive`: nothing says which positions follow each other",
                "write for example `drive AB.angle from 0 to 2*pi steps 72`");
  if (!p->n)
    return fail(x, positions_bad_input, (Span){0}, "there is nothing that could be elsewhere: no coordinates", NULL);
  x->by = !isnan(p->time) ? rate_by_time : p->k == 1 ? rate_by_drive : rate_by_part;
  x->u = arena_array(p->arena, (size_t)p->n + 1, sizeof *x->u);
  x->P = arena_array(p->arena, (size_t)p->k + 1, sizeof *x->P);
  if (!x->u || !x->P || !open_rows(&rows) || !curve_open(&x->curve, p)) return no_memory(x);
  find_given(x);
  if (x->problem == positions_modes) return list_modes(x, wish, &rows);
  PositionsStatus status = wish->mode ? take_mode(x, wish) : assemble(x);
  if (status == positions_done && x->problem == positions_inverse) return inverse(x, &rows);
  if (status == positions_done && !wish->mode) status = p->k ? go_to_start(x, wish) : count_freedoms(x);
  if (status != positions_done) return status;
  return x->problem == positions_initial ? initial(x, &rows) : successive(x, wish, &rows);
}

PositionsStatus positions_find(Positions *x, const System *s, const PositionsWish *wish) {
  bool own = wish->drive_count > 0;
  *x = (Positions){.problem = wish->problem, .system = s, .drives = own ? wish->drives : s->drives.items};
  PlacesStatus opened = places_open(&x->places, s, x->drives, own ? wish->drive_count : s->drives.count,
                                    wish->problem == positions_path, &x->message, &x->place);
  if (opened == places_no_memory) return no_memory(x);
  if (opened == places_refused) return x->status = positions_bad_input;
  for (uint32_t i = 0; own && wish->ends && i < wish->drive_count; i++) {
    x->places.from[i] = wish->ends[2 * (size_t)i];
    x->places.to[i] = wish->ends[2 * (size_t)i + 1];
  }
  return x->status = find(x, wish);
}

void positions_close(Positions *x) {
  if (x->curve.p) curve_close(&x->curve);
}
