// The road of problems of position. See positions.h.
#include "positions/positions.h"

#include "positions/deformed.h"
#include "positions/gather.h"
#include "positions/resultant.h"
#include "positions/rows.h"
#include "positions/stability.h"
#include "statics/balance.h"
#include "system/bars.h"

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

// Ends of drives that are known as numbers.
static void take_ends(Places *p, const PositionsWish *wish) {
  for (uint32_t i = 0; wish->ends && i < wish->drive_count; i++) {
    p->from[i] = wish->ends[2 * (size_t)i];
    p->to[i] = wish->ends[2 * (size_t)i + 1];
  }
}

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

// Nodes and bars alone: where they rest with the values that parameters have, found from lists (statics/balance.h).
// False: memory is out; where nothing is found u stays as it is.
static bool rest_from_lists(Positions *x, double *u) {
  System *s = &x->places.s;
  Structure structure;
  StructureFault fault;
  BalanceOptions o = balance_defaults(balance_auto);
  o.no_verdict = true;
  if (!s->linkage.alone) return true;
  StructureStatus made = structure_make(s->arena, x->system, x->places.t, &structure, &fault);
  if (made != structure_made) return made != structure_out_of_memory;
  BalanceResult r = balance_find(s->arena, &structure, NULL, &o);
  if (r.status != balance_found) return r.status != balance_no_memory;
  Bars b = {&s->described, s->arena, s->pool};
  for (uint32_t i = 0; i < s->linkage.nodes.count; i++) {
    for (uint32_t k = 0; k < r.dim; k++) {
      uint32_t coord = bars_coord(&b, i, k);
      if (coord != linkage_none) u[coord] = r.x[(size_t)i * r.dim + k];
    }
  }
  return true;
}

// A first equilibrium in three steps: places onto the constraints, forces by least squares, then both. Without forces
// the equations of large structures are singular.
static GatherStatus assemble_static(Positions *x, const bool *skip, double *u, Gathered *g) {
  Places *p = &x->places;
  bool *may = arena_array(p->arena, (size_t)p->n + 1, sizeof *may);
  bool *places = arena_array(p->arena, (size_t)p->m + 1, sizeof *places);
  if (!may || !places) return gather_no_memory;
  for (uint32_t i = 0; i < p->m; i++) places[i] = skip[i] || i < p->coords;
  for (uint32_t i = p->coords + p->angle_count; i < p->n; i++) may[i] = true;
  if (!rest_from_lists(x, u)) return gather_no_memory;
  GatherStatus status = gather(p, &(GatherWish){.skip = places, .P = x->P}, u, g);
  if (status != gather_done) return status;
  status = gather(p, &(GatherWish){.may = may, .skip = skip, .P = x->P}, u, g);
  if (status == gather_no_memory || status == gather_no_module) return status;
  return gather(p, &(GatherWish){.skip = skip, .P = x->P}, u, g);
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
  if (p->statics && !x->curve.dense) status = assemble_static(x, skip, u, &g);
  else if (may_move(x, may)) status = gather(p, &(GatherWish){.may = may, .skip = skip, .P = x->P}, u, &g);
  if (status != gather_done) {
    memcpy(u, p->start, p->n * sizeof *u);
    status = gather(p, &(GatherWish){.skip = skip, .P = x->P}, u, &g);
  }
  x->iterations = g.iterations;
  if (status == gather_no_memory) return no_memory(x);
  if (status == gather_no_module)
    return fail(x, positions_failed, (Span){0}, "the module of sparse solvers is not there", NULL);
  Span place;
  if (status == gather_unsettled)
    return fail(x, positions_failed, (Span){0},
                arena_printf(p->arena, "no position was found in %u iterations: the guesses are far from any",
                             g.iterations + 1),
                "guesses nearer to the position that is meant help");
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
    return fail(
        x, positions_failed, p->k ? d[0].span : (Span){0},
        p->kind == places_deformed
            ? "the deformed position is not alone here: something can be moved and nothing gives way, or what is "
              "held is not independent"
            : "the equilibrium is not alone here: something can be moved without force, or forces of constraints "
              "are not determined",
        p->kind == places_deformed ? "hold as many places as there are freedoms, or more"
                                   : "a load path needs a structure that is held");
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
    position_rows_take_position(x, f.z);
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

static double unstable_at(Positions *x, const double *z) {
  curve_drives(&x->curve, z[x->places.n], x->P);
  return stability_unstable(&x->places, z, x->P);
}

// What kind it is; onto the other way where that is wished. False: x->status.
static bool look_at_bifurcation(Positions *x, const PositionsWish *wish, Follow *f) {
  PositionsSpecial *e = &x->specials.items[x->specials.count - 1];
  uint32_t N = f->c->N, count = 0;
  double before = x->rows.count > x->columns ? x->rows.items[x->rows.count - x->columns - 1] : NAN;
  double *z = arena_array(f->c->p->arena, N, sizeof *z), *t = arena_array(f->c->p->arena, N, sizeof *t);
  if (!z || !t) return no_memory(x), false;
  memcpy(t, f->along, N * sizeof *t);
  memcpy(z, f->z, N * sizeof *z);
  if (!bifurcation_find(&e->bifurcation, f->c, f->special, t)) return no_memory(x), false;
  int way = f->way;
  double h = f->h;
  e->unstable[0] = before;
  e->unstable[1] = unstable_at(x, z);
  e->unstable[2] = NAN;
  for (uint32_t i = 0; i < x->specials.count; i++) count += x->specials.items[i].kind == follow_branch;
  bool there = e->bifurcation.other && follow_branch_off(f, e->bifurcation.other, e->bifurcation.bend);
  if (there) e->unstable[2] = unstable_at(x, f->z);
  if (wish->branch == count) {
    if (there) return x->branched = true;
    fail(x, positions_failed, x->drives[0].span,
         "the other way at this bifurcation is not found: it is not a simple one", NULL);
    return false;
  }
  if (there) follow_go_back(f, z, way, h);
  return true;
}

static PositionsStatus go_along(Positions *x, const PositionsWish *wish, PositionRows *rows, Follow *f) {
  Places *p = &x->places;
  int64_t N = x->drives[0].steps, k = 0, dir = 1;
  bool path = p->statics, through = wish->through || path, arrived = false; // at the end of a load path
  int64_t lowest = path ? -path_beyond * N : 0, highest = path ? (1 + path_beyond) * N : N;
  if (!position_rows_put(rows, true)) return no_memory(x);
  while (k + dir >= lowest && k + dir <= highest && !arrived && !rows->stopped) {
    if (x->row_count > (uint64_t)path_beyond * (uint64_t)N + 100000)
      return fail(x, positions_failed, x->drives[0].span, "the path goes on and on without coming to its end", NULL);
    double target = (double)(k + dir) / (double)N;
    if (wish->progress) wish->progress(wish->self, f->z[p->n]);
    FollowEnd end = follow_to(f, target, through);
    x->steps = f->steps;
    x->refused = f->refused;
    if (end == follow_branch && !position_rows_put_crossing(rows)) return no_memory(x);
    if (end == follow_branch && path && !look_at_bifurcation(x, wish, f)) return x->status;
    if (end == follow_branch && through) {
      dir = f->way;
      k = (int64_t)floor(f->z[p->n] * (double)N + (dir > 0 ? 0 : 1));
      while (k + dir >= lowest && k + dir <= highest && (f->z[p->n] - (double)(k + dir) / (double)N) * f->way > 0)
        k += dir;
      continue;
    }
    position_rows_take_position(x, f->z);
    if (end == follow_dead) {
      if (!position_rows_note_special(rows, end, f->z) || !position_rows_put(rows, false)) return no_memory(x);
      if (!through) return refuse_end(x, end, x->P, false);
      k += dir;
      dir = -dir;
      follow_turn(f);
      continue;
    }
    if (end == follow_branch) position_rows_take_position(x, f->special);
    if (end != follow_reached) return refuse_end(x, end, x->P, false);
    if (x->redundant && !watched_hold(x, f)) return x->status;
    k += dir;
    arrived = path && k == N;
    if (!position_rows_put(rows, true)) return no_memory(x);
  }
  if (path && !arrived && !rows->stopped)
    return fail(
        x, positions_failed, x->drives[0].span,
        arena_printf(p->arena, "the path leaves %s far behind, and does not come to its end", drives_text(x, x->P)),
        NULL);
  if (wish->branch && !x->branched)
    return fail(x, positions_failed, x->drives[0].span,
                arena_printf(p->arena, "there is no bifurcation %u on this path", wish->branch), NULL);
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
  return position_rows_put(rows, true) ? positions_done : no_memory(x);
}

// ---- assembly modes

static PositionsStatus find_modes(Positions *x, const PositionsWish *wish) {
  Places *p = &x->places;
  const SystemDrive *d = x->drives;
  curve_path(&x->curve, p->from, p->to);
  memcpy(x->P, p->from, p->k * sizeof *x->P);
  bool found = wish->resultants
                   ? resultant_modes_find(&x->modes, &x->curve, d, x->P)
                   : assembly_modes_find(&x->modes, &x->curve, x->P, wish->seed, wish->interrupted, wish->self);
  if (!found) return no_memory(x);
  if (x->modes.interrupted) return x->status = positions_interrupted;
  if (x->modes.why)
    return fail(x, positions_failed,
                x->modes.place.source ? x->modes.place
                : p->k                ? d[0].span
                                      : (Span){0},
                arena_printf(p->arena, "assembly modes cannot be listed: %s", x->modes.why), NULL);
  return positions_done;
}

// The same by elimination: do both ways find the same modes?
static PositionsStatus compare_modes(Positions *x) {
  Places *p = &x->places;
  x->apart = NAN;
  if (!resultant_modes_find(&x->other, &x->curve, x->drives, x->P)) return no_memory(x);
  if (x->other.why || x->other.count != x->modes.count) return positions_done;
  double most = 0;
  for (uint32_t i = 0; i < x->modes.count; i++) {
    double nearest = INFINITY;
    for (uint32_t k = 0; k < x->other.count; k++) {
      double off = 0;
      for (uint32_t j = 0; j < p->coords; j++)
        off = fmax(off, fabs(x->modes.u[(size_t)i * p->n + j] - x->other.u[(size_t)k * p->n + j]));
      nearest = fmin(nearest, off);
    }
    most = fmax(most, nearest);
  }
  if (most <= 1e-6 * p->size) x->apart = most;
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
    if (!position_rows_put(rows, false)) return no_memory(x);
  }
  for (uint32_t i = 0; status == positions_done && i < x->modes.transitions; i++) {
    double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
    if (!z) return no_memory(x);
    memcpy(z, x->modes.transition_u + (size_t)i * p->n, p->n * sizeof *z);
    if (!position_rows_note_special(rows, follow_branch, z)) return no_memory(x);
  }
  return status == positions_done && wish->compare ? compare_modes(x) : status;
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

// What is driven goes straight to where it is to be, in small steps, so that no part turns over on the way. Where a
// step fails, x->u is that before it.
static GatherStatus go_straight(Positions *x, const double *reached, Gathered *g) {
  enum { least_steps = 8, most_steps = 400 };
  Places *p = &x->places;
  double *P = arena_array(p->arena, (size_t)p->k + 1, sizeof *P),
         *u = arena_array(p->arena, (size_t)p->n + 1, sizeof *u);
  if (!P || !u) return gather_no_memory;
  uint32_t steps = (uint32_t)fmin(most_steps, least_steps + 50 * x->missed / p->size), iterations = 0;
  for (uint32_t s = 1; s <= steps; s++) {
    double part = (double)s / steps;
    for (uint32_t i = 0; i < p->k; i++) P[i] = s == steps ? p->from[i] : reached[i] + (p->from[i] - reached[i]) * part;
    memcpy(u, x->u, p->n * sizeof *u);
    GatherStatus status = gather(p, &(GatherWish){.P = P}, u, g);
    g->iterations = iterations += g->iterations;
    if (status != gather_done) return status;
    memcpy(x->u, u, p->n * sizeof *u);
  }
  return gather_done;
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
  find_reached(x, reached);
  GatherStatus status = go_straight(x, reached, &g);
  if (status == gather_contradiction || status == gather_unsettled) status = gather(p, &wish, x->u, &g);
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
  if (!position_rows_put(rows, false)) return no_memory(x);
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

// ---- elements that give way

static PositionsStatus refuse_gather(Positions *x, GatherStatus status) {
  if (status == gather_no_memory) return no_memory(x);
  if (status == gather_no_module)
    return fail(x, positions_failed, (Span){0}, "the module of sparse solvers is not there", NULL);
  return fail(x, positions_failed, x->places.k ? x->drives[0].span : (Span){0},
              "no deformed position was found: the error has no least value near by",
              "elements whose length vanishes have none; other guesses may lead elsewhere");
}

// Half the sum of squares of what the last row has of elongations.
static double error_of(const Positions *x) {
  const Places *p = &x->places;
  double sum = 0;
  if (x->rows.count < x->columns) return NAN;
  const double *row = x->rows.items + x->rows.count - x->columns + p->k + p->soft.first;
  for (uint32_t i = 0; i < p->soft.count; i++) sum += row[i] * row[i];
  return sum / 2;
}

static PositionsStatus deformed(Positions *x, const PositionsWish *wish, PositionRows *rows) {
  Places *p = &x->places;
  CurveCount count;
  Gathered g;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return no_memory(x);
  memcpy(x->P, p->from, p->k * sizeof *x->P);
  memcpy(x->u, p->start, p->n * sizeof *x->u);
  GatherStatus status = deformed_settle(p, x->P, x->u, &g);
  x->iterations += g.iterations;
  if (status != gather_done) return refuse_gather(x, status);
  x->assembled = true;
  memcpy(z, x->u, p->n * sizeof *z);
  curve_path(&x->curve, p->from, p->to);
  CurveRank rank = curve_choose(&x->curve, z, &count);
  if (rank != rank_regular) return refuse_rank(x, rank, count);
  if (p->k && !wish->held) return successive(x, wish, rows);
  if (!position_rows_put(rows, true)) return no_memory(x);
  x->error = error_of(x);
  if (x->unstable > 0)
    return fail(x, positions_failed, (Span){0}, "the error is not least here: it falls in a direction", NULL);
  return positions_done;
}

// The position near the minimum, by equations that give way, as the start of its own equations.
static PositionsStatus soften(Positions *x, const System *s, const PositionsWish *wish, uint32_t count,
                              double **start) {
  Places soft;
  Gathered g;
  PlacesStatus opened = places_open(&soft, s, x->drives, count, places_soft, &x->message, &x->place);
  if (opened == places_no_memory) return no_memory(x);
  if (opened == places_refused) return x->status = positions_bad_input;
  take_ends(&soft, wish);
  *start = arena_array(s->arena, (size_t)soft.n + 1, sizeof **start);
  if (!*start) return no_memory(x);
  memcpy(*start, soft.start, soft.n * sizeof **start);
  GatherStatus status = deformed_near(&soft, soft.from, false, *start, &g);
  x->iterations = g.iterations;
  if (status == gather_no_memory || status == gather_no_module) return refuse_gather(x, status);
  return positions_done;
}

// ---- parameters for given places

static PositionsStatus synthesis(Positions *x, const PositionsWish *wish, PositionRows *rows) {
  Places *p = &x->places;
  Synthesis *s = &x->synthesis;
  SynthesisWish pass = wish->pass;
  pass.seed = wish->seed;
  pass.interrupted = wish->interrupted;
  pass.progress = wish->progress;
  pass.self = wish->self;
  if (!synthesis_find(s, p, &pass)) return no_memory(x);
  if (s->interrupted) x->status = positions_interrupted;
  if (!isfinite(s->cost))
    return s->interrupted ? x->status
                          : fail(x, positions_failed, x->drives[0].span,
                                 "no start led to an answer: the mechanism comes to none of the points", NULL);
  x->assembled = true;
  for (uint32_t j = 0; j < s->count; j++) {
    memcpy(x->u, s->u + (size_t)j * p->n, p->n * sizeof *x->u);
    memcpy(x->P, pass.points + (size_t)j * pass.targets, pass.targets * sizeof *x->P);
    memcpy(x->P + pass.targets, s->p, s->d * sizeof *x->P);
    if (!position_rows_put(rows, false)) return no_memory(x);
  }
  x->error = s->cost;
  if (s->missed > 1e-5 * p->size)
    return fail(
        x, positions_failed, x->drives[0].span,
        arena_printf(p->arena, "not all points are reached: what does not give way is off by %.3g", s->missed),
        "bars give way, and constraints where there are no bars; an open chain has to reach the points by itself");
  return s->interrupted ? positions_interrupted : positions_done;
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
  bool path = x->problem == positions_path;
  if ((x->problem == positions_successive || path) && !p->k)
    return fail(x, positions_bad_input, (Span){0},
                path ? "there is no `drive`: nothing says along what the equilibria follow each other"
                     : "there is no `drive`: nothing says which positions follow each other",
                path ? "write for example `--over F=0:100`"
                     : "write for example `drive AB.angle from 0 to 2*pi steps 72`");
  if (!p->n)
    return fail(x, positions_bad_input, (Span){0}, "there is nothing that could be elsewhere: no coordinates", NULL);
  x->by = !isnan(p->time) ? rate_by_time : p->k == 1 ? rate_by_drive : rate_by_part;
  x->u = arena_array(p->arena, (size_t)p->n + 1, sizeof *x->u);
  x->P = arena_array(p->arena, (size_t)p->k + 1, sizeof *x->P);
  if (!x->u || !x->P || !position_rows_open(&rows) || !curve_open(&x->curve, p)) return no_memory(x);
  find_given(x);
  if (x->problem == positions_modes) return list_modes(x, wish, &rows);
  if (x->problem == positions_deformed) return deformed(x, wish, &rows);
  if (x->problem == positions_synthesis) return synthesis(x, wish, &rows);
  PositionsStatus status = wish->mode ? take_mode(x, wish) : assemble(x);
  if (status == positions_done && x->problem == positions_inverse) return inverse(x, &rows);
  if (status == positions_done && !wish->mode) status = p->k ? go_to_start(x, wish) : count_freedoms(x);
  if (status != positions_done) return status;
  return x->problem == positions_initial ? initial(x, &rows) : successive(x, wish, &rows);
}

static PlacesKind kind_of(PositionsProblem problem) {
  switch (problem) {
  case positions_path: return places_static;
  case positions_deformed: return places_deformed;
  case positions_synthesis: return places_soft;
  default: return places_rigid;
  }
}

PositionsStatus positions_find(Positions *x, const System *s, const PositionsWish *wish) {
  bool own = wish->drive_count > 0;
  uint32_t count = own ? wish->drive_count : s->drives.count;
  double *start = NULL;
  *x = (Positions){.problem = wish->problem, .system = s, .drives = own ? wish->drives : s->drives.items};
  if (x->problem == positions_deformed && soften(x, s, wish, count, &start) != positions_done) return x->status;
  PlacesStatus opened = places_open(&x->places, s, x->drives, count, kind_of(wish->problem), &x->message, &x->place);
  if (opened == places_no_memory) return no_memory(x);
  if (opened == places_refused) return x->status = positions_bad_input;
  take_ends(&x->places, wish);
  if (start) memcpy(x->places.start, start, (x->places.coords + x->places.angle_count) * sizeof *start);
  return x->status = find(x, wish);
}

void positions_close(Positions *x) {
  if (x->curve.p) curve_close(&x->curve);
}
