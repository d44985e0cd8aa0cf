// Stages of the kinematic position analysis. See positions.h.
#include "positions/positions.h"

#include "positions/along.h"
#include "positions/deformed.h"
#include "positions/inverse.h"
#include "positions/nearest.h"
#include "positions/refuse.h"
#include "positions/resultant.h"
#include "positions/rows.h"
#include "positions/stability.h"
#include "statics/balance.h"
#include "system/bars.h"

#include <math.h>
#include <string.h>

enum { most_named = 8 }; // names in a message
static const double turn = 6.283185307179586476925;

// Ends of drives that are known as numbers.
static void take_ends(Places *p, const PositionsRequest *request) {
  for (uint32_t i = 0; request->ends && i < request->drive_count; i++) {
    p->from[i] = request->ends[2 * (size_t)i];
    p->to[i] = request->ends[2 * (size_t)i + 1];
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

// What is left of the equations, in words. soft: those of bars are elongations; NULL: of all scaled.
static const char *left_over(const Places *p, const Places *soft, const double *left, Span *place) {
  double most = 0;
  uint32_t named = 0, count = 0;
  for (uint32_t i = 0; i < p->m; i++) {
    if (fabs(left[i]) > most * (1 + 1e-6)) most = fabs(left[i]), *place = p->spans[i]; // of equal ones the first
  }
  Text t = text_in(p->arena);
  for (uint32_t i = 0; i < p->m; i++) {
    if (fabs(left[i]) <= 1e-6 * most || count++ >= most_named) continue;
    text_put(&t, named++ ? ", " : "");
    if (soft && soft->soft.rows[i])
      text_printf(&t, "`%s` (%.4g m too %s)", p->labels[i], fabs(left[i]), left[i] > 0 ? "short" : "long");
    else text_printf(&t, "`%s` (off by %.3g)", p->labels[i], fabs(left[i]));
  }
  if (count > named) text_put(&t, ", and others");
  text_put(&t, count > 1 ? " contradict each other" : " cannot hold");
  return text_str(&t);
}

// Which constraints cannot hold together, and by how much. u: where their sum of squares is least. Of bars that is said
// in lengths: they are stretched as little as can be.
static const char *contradiction(Positions *x, const bool *skip, double *u, NearestPoint *g, Span *place) {
  Places *p = &x->places, soft;
  const char *why, *words = NULL;
  Span at;
  bool bars = p->kind == places_rigid && p->s.linkage.bars.count && x->curve.dense;
  if (bars && places_open(&soft, x->system, x->drives, p->k, places_soft, &why, &at) == places_done && soft.m == p->m) {
    memcpy(soft.from, p->from, p->k * sizeof *p->from);
    double *weight =
        arena_array(p->arena, (size_t)soft.m + 1, sizeof *weight); // elongations alike, what is rigid stays
    for (uint32_t i = 0; weight && i < soft.m; i++) weight[i] = soft.soft.rows[i] ? 1 : 1e4;
    if (weight &&
        gather(&soft, &(NearestRequest){.skip = skip, .P = x->P, .weight = weight}, u, g) == nearest_contradiction) {
      places_eval(&soft, u, x->P);
      for (uint32_t i = 0; i < soft.m; i++) g->left[i] = skip[i] ? 0 : places_value(&soft, i);
      words = left_over(p, &soft, g->left, place);
    }
  }
  if (!words) words = left_over(p, NULL, g->left, place);
  return arena_printf(p->arena, "no position obeys all constraints: %s; the nearest one that was found leaves them so",
                      words);
}

// Nodes and bars alone: where they rest with the values that parameters have, found from lists (statics/balance.h).
// False: out of memory; where nothing is found u stays as it is.
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

// A first equilibrium in three steps: positions onto the constraints, forces by least squares, then both. Without
// forces the equations of large structures are singular.
static NearestStatus assemble_static(Positions *x, const bool *skip, double *u, NearestPoint *g) {
  Places *p = &x->places;
  bool *may = arena_array(p->arena, (size_t)p->n + 1, sizeof *may);
  bool *places = arena_array(p->arena, (size_t)p->m + 1, sizeof *places);
  if (!may || !places) return nearest_no_memory;
  for (uint32_t i = 0; i < p->m; i++) places[i] = skip[i] || i < p->coords;
  for (uint32_t i = p->coords + p->angle_count; i < p->n; i++) may[i] = true;
  if (!rest_from_lists(x, u)) return nearest_no_memory;
  NearestStatus status = gather(p, &(NearestRequest){.skip = places, .P = x->P}, u, g);
  if (status != nearest_done) return status;
  status = gather(p, &(NearestRequest){.may = may, .skip = skip, .P = x->P}, u, g);
  if (status == nearest_no_memory || status == nearest_no_module) return status;
  return gather(p, &(NearestRequest){.skip = skip, .P = x->P}, u, g);
}

static PositionsStatus assemble(Positions *x) {
  Places *p = &x->places;
  bool *may = arena_array(p->arena, (size_t)p->n + 1, sizeof *may);
  bool *skip = arena_array(p->arena, (size_t)p->m + 1, sizeof *skip);
  double *u = arena_array(p->arena, (size_t)p->n + 1, sizeof *u);
  if (!may || !skip || !u) return position_no_memory(x);
  for (uint32_t i = 0; i < p->k; i++) {
    if (p->drive_row[i] != UINT32_MAX) skip[p->drive_row[i]] = true;
  }
  NearestPoint g;
  NearestStatus status = nearest_contradiction;
  memcpy(u, p->start, p->n * sizeof *u);
  if (p->statics && !x->curve.dense) status = assemble_static(x, skip, u, &g);
  else if (may_move(x, may)) status = gather(p, &(NearestRequest){.may = may, .skip = skip, .P = x->P}, u, &g);
  if (status != nearest_done) {
    memcpy(u, p->start, p->n * sizeof *u);
    status = gather(p, &(NearestRequest){.skip = skip, .P = x->P}, u, &g);
  }
  x->iterations = g.iterations;
  if (status == nearest_no_memory) return position_no_memory(x);
  if (status == nearest_no_module)
    return position_fail(x, positions_failed, (Span){0}, "the module of sparse solvers is not there", NULL);
  Span place;
  if (status == nearest_unsettled)
    return position_fail(x, positions_failed, (Span){0},
                         arena_printf(p->arena, "no position was found in %u iterations: the guesses are far from any",
                                      g.iterations + 1),
                         "guesses nearer to the position that is meant help");
  if (status != nearest_done) {
    const char *message = contradiction(x, skip, u, &g, &place);
    return position_fail(x, positions_failed, place, message,
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

// ---- along the drives

// From the drawing to where the drives start.
static PositionsStatus go_to_start(Positions *x, const PositionsRequest *request) {
  Places *p = &x->places;
  double *P = arena_array(p->arena, (size_t)p->k + 1, sizeof *P),
         *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  CurveCount count;
  Follow f;
  if (!P || !z || !find_driven(x, P)) return position_no_memory(x);
  memcpy(x->P, P, p->k * sizeof *P);
  memcpy(z, x->u, p->n * sizeof *z);
  curve_path(&x->curve, P, p->from);
  CurveRank rank = curve_choose(&x->curve, z, &count);
  x->freedoms = p->n - count.constraints;
  x->redundant = redundant(p, count);
  if (rank != rank_regular) return position_refuse_rank(x, rank, count);
  bool there = true;
  for (uint32_t i = 0; i < p->k; i++) there = there && fabs(P[i] - p->from[i]) <= 1e-14 * fmax(1, fabs(P[i]));
  if (!there) {
    if (!follow_open(&f, &x->curve, z, 0.125)) return position_no_memory(x);
    f.interrupted = request->interrupted;
    f.self = request->self;
    bool regular = follow_start(&f);
    FollowEnd end = regular ? follow_to(&f, 1, false) : follow_stuck;
    x->steps += f.steps;
    x->refused += f.refused;
    position_rows_take_position(x, f.z);
    if (end != follow_reached) {
      if (end == follow_branch) curve_drives(&x->curve, f.special[p->n], x->P);
      return position_refuse_end(x, end, x->P, true);
    }
    memcpy(z, f.z, p->n * sizeof *z);
  }
  // onto the very start
  curve_path(&x->curve, p->from, p->to);
  z[p->n] = 0;
  double *along = arena_array(p->arena, (size_t)p->n + 2, sizeof *along);
  if (!along) return position_no_memory(x);
  along[p->n] = 1;
  if (!curve_correct(&x->curve, z, along, z, 0, NULL, NULL)) return position_refuse_end(x, follow_stuck, x->P, true);
  memcpy(x->u, z, p->n * sizeof *z);
  memcpy(x->P, p->from, p->k * sizeof *x->P);
  return positions_done;
}

// Without drives, or at their start: the row of the position itself.
static PositionsStatus initial(Positions *x, PositionRows *rows) {
  Places *p = &x->places;
  Follow f;
  if (p->k) {
    double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
    if (!z) return position_no_memory(x);
    memcpy(z, x->u, p->n * sizeof *z);
    if (!follow_open(&f, &x->curve, z, 1)) return position_no_memory(x);
    x->alone = f.proves && follow_start(&f);
    rows->f = &f;
  }
  return position_rows_put(rows, true) ? positions_done : position_no_memory(x);
}

// ---- assembly modes

static PositionsStatus find_modes(Positions *x, const PositionsRequest *request) {
  Places *p = &x->places;
  const SystemDrive *d = x->drives;
  curve_path(&x->curve, p->from, p->to);
  memcpy(x->P, p->from, p->k * sizeof *x->P);
  bool found = request->resultants ? resultant_modes_find(&x->modes, &x->curve, d, x->P)
                                   : assembly_modes_find(&x->modes, &x->curve, x->P, request->seed,
                                                         request->interrupted, request->self);
  if (!found) return position_no_memory(x);
  if (x->modes.interrupted) return x->status = positions_interrupted;
  if (x->modes.why)
    return position_fail(x, positions_failed,
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
  if (!resultant_modes_find(&x->other, &x->curve, x->drives, x->P)) return position_no_memory(x);
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
static PositionsStatus take_mode(Positions *x, const PositionsRequest *request) {
  Places *p = &x->places;
  PositionsStatus status = find_modes(x, request);
  if (status != positions_done) return status;
  if (request->mode > x->modes.count)
    return position_fail(x, positions_failed, p->k ? x->drives[0].span : (Span){0},
                         arena_printf(p->arena, "there is no assembly mode %u: %u %s found where the drive starts",
                                      request->mode, x->modes.count, x->modes.count == 1 ? "was" : "were"),
                         "`--problem modes` lists them");
  memcpy(x->u, x->modes.u + (size_t)(request->mode - 1) * p->n, p->n * sizeof *x->u);
  x->assembled = true;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return position_no_memory(x);
  CurveCount count;
  memcpy(z, x->u, p->n * sizeof *z);
  CurveRank rank = curve_choose(&x->curve, z, &count);
  x->freedoms = p->n - count.constraints;
  x->redundant = redundant(p, count);
  return rank == rank_regular ? positions_done : position_refuse_rank(x, rank, count);
}

static PositionsStatus list_modes(Positions *x, const PositionsRequest *request, PositionRows *rows) {
  Places *p = &x->places;
  PositionsStatus status = find_modes(x, request);
  for (uint32_t i = 0; status == positions_done && i < x->modes.count; i++) {
    memcpy(x->u, x->modes.u + (size_t)i * p->n, p->n * sizeof *x->u);
    if (!position_rows_put(rows, false)) return position_no_memory(x);
  }
  for (uint32_t i = 0; status == positions_done && i < x->modes.transitions; i++) {
    double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
    if (!z) return position_no_memory(x);
    memcpy(z, x->modes.transition_u + (size_t)i * p->n, p->n * sizeof *z);
    if (!position_rows_note_special(rows, follow_branch, z)) return position_no_memory(x);
  }
  return status == positions_done && request->compare ? compare_modes(x) : status;
}

// ---- elements that give way

static PositionsStatus refuse_nearest(Positions *x, NearestStatus status) {
  if (status == nearest_no_memory) return position_no_memory(x);
  if (status == nearest_no_module)
    return position_fail(x, positions_failed, (Span){0}, "the module of sparse solvers is not there", NULL);
  return position_fail(x, positions_failed, x->places.k ? x->drives[0].span : (Span){0},
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

static PositionsStatus deformed(Positions *x, const PositionsRequest *request, PositionRows *rows) {
  Places *p = &x->places;
  CurveCount count;
  NearestPoint g;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return position_no_memory(x);
  memcpy(x->P, p->from, p->k * sizeof *x->P);
  memcpy(x->u, p->start, p->n * sizeof *x->u);
  NearestStatus status = deformed_settle(p, x->P, x->u, &g);
  x->iterations += g.iterations;
  if (status != nearest_done) return refuse_nearest(x, status);
  x->assembled = true;
  memcpy(z, x->u, p->n * sizeof *z);
  curve_path(&x->curve, p->from, p->to);
  CurveRank rank = curve_choose(&x->curve, z, &count);
  if (rank != rank_regular) return position_refuse_rank(x, rank, count);
  if (p->k && !request->held) return positions_go_along(x, request, rows);
  if (!position_rows_put(rows, true)) return position_no_memory(x);
  x->error = error_of(x);
  if (x->unstable > 0)
    return position_fail(x, positions_failed, (Span){0}, "the error is not least here: it falls in a direction", NULL);
  return positions_done;
}

// The position near the minimum, by equations that give way, as the start of its own equations.
static PositionsStatus soften(Positions *x, const System *s, const PositionsRequest *request, uint32_t count,
                              double **start) {
  NearestPoint g;
  Places *soft = x->soft = arena_new_of(s->arena, Places);
  if (!soft) return position_no_memory(x);
  PlacesStatus opened = places_open(soft, s, x->drives, count, places_soft, &x->message, &x->place);
  if (opened == places_no_memory) return position_no_memory(x);
  if (opened == places_refused) return x->status = positions_bad_input;
  take_ends(soft, request);
  *start = arena_array(s->arena, (size_t)soft->n + 1, sizeof **start);
  if (!*start) return position_no_memory(x);
  memcpy(*start, soft->start, soft->n * sizeof **start);
  NearestStatus status = deformed_near(soft, soft->from, false, *start, &g);
  x->iterations = g.iterations;
  if (status == nearest_no_memory || status == nearest_no_module) return refuse_nearest(x, status);
  return positions_done;
}

// ---- parameters for given positions

static PositionsStatus synthesis(Positions *x, const PositionsRequest *request, PositionRows *rows) {
  Places *p = &x->places;
  Synthesis *s = &x->synthesis;
  SynthesisRequest pass = request->pass;
  pass.seed = request->seed;
  pass.interrupted = request->interrupted;
  pass.progress = request->progress;
  pass.self = request->self;
  if (!synthesis_find(s, p, &pass)) return position_no_memory(x);
  if (s->interrupted) x->status = positions_interrupted;
  if (!isfinite(s->cost))
    return s->interrupted ? x->status
                          : position_fail(x, positions_failed, x->drives[0].span,
                                          "no start led to an answer: the mechanism comes to none of the points", NULL);
  x->assembled = true;
  for (uint32_t j = 0; j < s->count; j++) {
    memcpy(x->u, s->u + (size_t)j * p->n, p->n * sizeof *x->u);
    memcpy(x->P, pass.points + (size_t)j * pass.targets, pass.targets * sizeof *x->P);
    memcpy(x->P + pass.targets, s->p, s->d * sizeof *x->P);
    if (!position_rows_put(rows, false)) return position_no_memory(x);
  }
  x->error = s->cost;
  if (s->missed > 1e-5 * p->size)
    return position_fail(
        x, positions_failed, x->drives[0].span,
        arena_printf(p->arena, "not all points are reached: what does not give way is off by %.3g", s->missed),
        "bars give way, and constraints where there are no bars; an open chain has to reach the points by itself");
  return s->interrupted ? positions_interrupted : positions_done;
}

static PositionsStatus count_freedoms(Positions *x) {
  Places *p = &x->places;
  CurveCount count;
  double *z = arena_array(p->arena, (size_t)p->n + 2, sizeof *z);
  if (!z) return position_no_memory(x);
  memcpy(z, x->u, p->n * sizeof *z);
  curve_path(&x->curve, p->from, p->to);
  if (curve_choose(&x->curve, z, &count) == rank_no_memory) return position_no_memory(x);
  x->freedoms = p->n - count.constraints;
  x->redundant = redundant(p, count);
  return positions_done;
}

static PositionsStatus find(Positions *x, const PositionsRequest *request) {
  Places *p = &x->places;
  PositionRows rows = {.x = x, .request = request};
  bool path = x->problem == positions_path;
  if ((x->problem == positions_successive || path) && !p->k)
    return position_fail(x, positions_bad_input, (Span){0},
                         path ? "there is no `drive`: nothing says along what the equilibria follow each other"
                              : "there is no `drive`: nothing says which positions follow each other",
                         path ? "write for example `--over F=0:100`"
                              : "write for example `drive AB.angle from 0 to 2*pi steps 72`");
  if (!p->n)
    return position_fail(x, positions_bad_input, (Span){0}, "there is nothing that could be elsewhere: no coordinates",
                         NULL);
  x->by = !isnan(p->time) ? rate_by_time : p->k == 1 ? rate_by_drive : rate_by_part;
  x->u = arena_array(p->arena, (size_t)p->n + 1, sizeof *x->u);
  x->P = arena_array(p->arena, (size_t)p->k + 1, sizeof *x->P);
  if (!x->u || !x->P || !position_rows_open(&rows) || !curve_open(&x->curve, p)) return position_no_memory(x);
  find_given(x);
  if (x->problem == positions_modes) return list_modes(x, request, &rows);
  if (x->problem == positions_deformed) return deformed(x, request, &rows);
  if (x->problem == positions_synthesis) return synthesis(x, request, &rows);
  PositionsStatus status = request->mode ? take_mode(x, request) : assemble(x);
  if (status == positions_done && x->problem == positions_inverse) return positions_reach(x, request, &rows);
  if (status == positions_done && !request->mode) status = p->k ? go_to_start(x, request) : count_freedoms(x);
  if (status != positions_done) return status;
  return x->problem == positions_initial ? initial(x, &rows) : positions_go_along(x, request, &rows);
}

static PlacesKind kind_of(PositionsProblem problem) {
  switch (problem) {
  case positions_path: return places_static;
  case positions_deformed: return places_deformed;
  case positions_synthesis: return places_soft;
  default: return places_rigid;
  }
}

PositionsStatus positions_find(Positions *x, const System *s, const PositionsRequest *request) {
  bool own = request->drive_count > 0;
  uint32_t count = own ? request->drive_count : s->drives.count;
  double *start = NULL;
  *x = (Positions){.problem = request->problem,
                   .held = request->held && request->problem == positions_deformed,
                   .system = s,
                   .drives = own ? request->drives : s->drives.items};
  if (x->problem == positions_deformed && soften(x, s, request, count, &start) != positions_done) return x->status;
  PlacesStatus opened = places_open(&x->places, s, x->drives, count, kind_of(request->problem), &x->message, &x->place);
  if (opened == places_no_memory) return position_no_memory(x);
  if (opened == places_refused) return x->status = positions_bad_input;
  take_ends(&x->places, request);
  if (start) memcpy(x->places.start, start, (x->places.coords + x->places.angle_count) * sizeof *start);
  return x->status = find(x, request);
}

void positions_close(Positions *x) {
  stability_close(&x->places);
  if (x->curve.p) curve_close(&x->curve);
}
