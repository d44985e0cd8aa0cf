// Inverse dynamics: forces for a given trajectory. See inverse.h.
//
// how   A copy of the system loses the steps that compute positions, velocities and accelerations: these are variables
//       of a tape whose results are the rows of M a + h. Every other definition stays as a run has it.
#include "sim/inverse.h"

#include "base/words.h"
#include "form/tree_terms.h"
#include "hybrid/results.h"
#include "sim/spline.h"
#include "system/given_motion.h"
#include "system/unwritten.h"
#include "tape/forward.h"
#include "tape/frame.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

// ---- what has no inverse

static bool refuse(Diags *diags, Span span, const char *what) {
  diag_error(diags, diag_bad_setting, span, "forces for a given motion are not found: %s", what);
  return false;
}

static bool can_invert(const System *s, Diags *diags) {
  const Span nowhere = {0};
  if (!s->coords.count && !s->tree.balls.count) return refuse(diags, nowhere, "the model has no coordinates");
  if (s->constraints.count)
    return refuse(diags, s->constraints.items[0].span, "constraints share them with the coordinates in any way");
  if (s->linkage.bars.count) return refuse(diags, nowhere, "bars share them with the nodes in any way");
  if (s->frictions.count) return refuse(diags, nowhere, "dry friction at rest has no force of its own");
  if (s->memories.count) return refuse(diags, nowhere, "what blocks remember is no part of a table");
  if (s->delays.count) return refuse(diags, nowhere, "what was before the table begins is not known to delays");
  if (s->implicit.count || s->held.count)
    return refuse(diags, nowhere, "equations that are solved by iteration are left to runs");
  for (uint32_t i = 0; i < s->whens.count; i++) {
    const SystemWhen *w = &s->whens.items[i];
    for (uint32_t k = 0; k < w->assigns.count; k++) {
      if (w->assigns.items[k].kind == assign_state) continue;
      return refuse(diags, w->span, "this jump of the motion is an impulse, and the table has none");
    }
  }
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] == source_energies) continue;
    return refuse(diags, s->coords.items[i].span,
                  "this coordinate has an equation of its own, and no balance of forces");
  }
  return true;
}

// ---- the tape

// Row i of M a + h, including the terms of spherical joints.
static ExprId row_of(System *s, uint32_t i) {
  ExprPool *pool = s->pool;
  const MassRow *m = &s->M[i];
  uint32_t n = 0;
  Term *terms = arena_array(s->arena, (size_t)m->count + s->turns.count + s->bodies.count + 1, sizeof *terms);
  if (!terms) return 0;
  for (uint32_t k = 0; k < m->count; k++) {
    ExprId a = expr_sym(pool, s->coords.items[m->items[k].column].a);
    terms[n++] = (Term){RAT_ONE, expr_mul(pool, m->items[k].value, a)};
  }
  for (uint32_t k = 0; k < s->turns.count; k++) {
    const MassRow *column = &s->turns.items[k].column;
    ExprId a = expr_sym(pool, system_freedom_rate(s, s->coord_count + k));
    for (uint32_t j = 0; j < column->count; j++) {
      if (column->items[j].column == i) terms[n++] = (Term){RAT_ONE, expr_mul(pool, column->items[j].value, a)};
    }
  }
  const SystemFreedoms *b = &s->bodies;
  for (uint32_t row = 0; row < b->count && !s->turns.count; row++) {
    for (uint32_t k = 0; k < b->count && b->coord[row] == i; k++) {
      if (b->coord[k] != UINT32_MAX) continue;
      terms[n++] = (Term){RAT_ONE, expr_mul(pool, b->H[row * b->count + k], expr_sym(pool, b->rate[k]))};
    }
  }
  terms[n++] = (Term){RAT_ONE, s->h[i]};
  return expr_sum(pool, terms, n);
}

// The same of a rotation that is a row of M a + h = 0.
static ExprId row_of_turn(System *s, const RotationalDof *turn) {
  Term *terms = arena_array(s->arena, (size_t)turn->row.count + 1, sizeof *terms);
  if (!terms) return 0;
  for (uint32_t k = 0; k < turn->row.count; k++) {
    ExprId a = expr_sym(s->pool, system_freedom_rate(s, turn->row.items[k].column));
    terms[k] = (Term){RAT_ONE, expr_mul(s->pool, turn->row.items[k].value, a)};
  }
  terms[turn->row.count] = (Term){RAT_ONE, turn->h};
  return expr_sum(s->pool, terms, turn->row.count + 1);
}

// Of a degree of freedom of bodies that are computed recursively (SystemFreedoms): H a + h - tau.
static ExprId row_of_freedom(System *s, uint32_t row) {
  const SystemFreedoms *b = &s->bodies;
  Term *terms = arena_array(s->arena, (size_t)b->count + 2, sizeof *terms);
  if (!terms) return 0;
  for (uint32_t k = 0; k < b->count; k++)
    terms[k] = (Term){RAT_ONE, expr_mul(s->pool, b->H[row * b->count + k], expr_sym(s->pool, b->rate[k]))};
  terms[b->count] = (Term){RAT_ONE, b->h[row]};
  terms[b->count + 1] = (Term){rat_int(-1), b->tau[row]};
  return expr_sum(s->pool, terms, b->count + 2);
}

// The rotation of a spherical joint by the state of its angular velocity: index of its row behind the coordinates.
static uint32_t turn_of(const System *s, uint32_t state) {
  for (uint32_t i = 0; i < s->tree.balls.count; i++) {
    uint32_t first = s->tree.balls.items[i].first + 4;
    if (state >= first && state < first + 3) return s->coord_count + 3 * i + state - first;
  }
  return UINT32_MAX;
}

// Rows of many bodies by recursive Newton-Euler: their inverse dynamics, without the forces written beside them.
static bool add_torques(System *s, ExprId *row) {
  TreeTerms t;
  if (!tree_freedoms(s, &t)) return false;
  ExprId *torque = arena_array(s->arena, (size_t)t.count + 1, sizeof *torque);
  if (!torque || !tree_torques(s, &t, torque)) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) row[i] = row_of(s, i);
  for (uint32_t k = 0; k < t.count; k++) {
    uint32_t i = t.freedoms[k].coord;
    if (i != UINT32_MAX) row[i] = expr_add(s->pool, row[i], torque[k]);
    else row[turn_of(s, t.freedoms[k].state)] = expr_sub(s->pool, torque[k], s->bodies.tau[k]);
  }
  return !arena_failed(s->arena);
}

static void add_rows(System *s, ExprId *row) {
  const SystemFreedoms *b = &s->bodies;
  for (uint32_t i = 0; i < s->coord_count; i++) row[i] = row_of(s, i);
  for (uint32_t i = 0; i < s->turns.count; i++)
    row[turn_of(s, s->turns.items[i].state)] = row_of_turn(s, &s->turns.items[i]);
  for (uint32_t k = 0; k < b->count && !s->turns.count; k++) {
    if (b->coord[k] == UINT32_MAX) row[turn_of(s, b->state[k])] = row_of_freedom(s, k);
  }
}

// Variables: t, q, v, a, states, angular rates.
static bool build(Arena *arena, InversePlan *p) {
  System *s = &p->s;
  ResultList rows = {.arena = arena};
  uint32_t coords = s->coord_count, turns = inverse_turns(p), count = 1 + 3 * coords + s->states.count + turns;
  SymbolId *vars = arena_array(arena, count, sizeof *vars);
  ExprId *row = arena_array(arena, (size_t)p->count + 1, sizeof *row);
  if (!vars || !row) return false;
  vars[0] = s->time;
  for (uint32_t i = 0; i < coords; i++) {
    vars[1 + i] = s->coords.items[i].q;
    vars[1 + coords + i] = s->coords.items[i].v;
    vars[1 + 2 * coords + i] = s->coords.items[i].a;
  }
  if (!system_is_unwritten(s)) add_rows(s, row);
  else if (!add_torques(s, row)) return false;
  for (uint32_t i = 0; i < p->count; i++) result_put(&rows, row[i]);
  for (uint32_t i = 0; i < s->states.count; i++) vars[1 + 3 * coords + i] = s->states.items[i].x;
  for (uint32_t i = 0; i < turns; i++)
    vars[1 + 3 * coords + s->states.count + i] = s->states.items[s->tree.balls.items[i / 3].first + 4 + i % 3].rate;
  if (!system_give_motion(s) || arena_failed(arena)) return false;
  p->request = (TapeRequest){
      .system = s, .vars = vars, .var_count = count, .results = rows.list.items, .result_count = rows.list.count};
  p->tape = tape_build(arena, &p->request);
  return p->tape != NULL;
}

static bool find_params(Arena *arena, const System *s, InversePlan *p, Diags *diags) {
  ExprId *wanted = arena_array(arena, (size_t)s->params.count + 1, sizeof *wanted);
  double *values = arena_array(arena, (size_t)s->params.count + 1, sizeof *values);
  if (!wanted || !values) return false;
  for (uint32_t i = 0; i < s->params.count; i++) wanted[i] = expr_sym(p->s.pool, s->params.items[i].symbol);
  if (s->params.count && !tape_numbers(arena, &p->s, wanted, s->params.count, values)) return false;
  for (uint32_t i = 0; i < s->params.count; i++) {
    if (isfinite(values[i])) continue;
    diag_error(diags, diag_no_value, s->params.items[i].span, "the parameter `%s` has no value",
               s->params.items[i].name);
    diag_hint(diags, "give it one: `--set %s=...`", s->params.items[i].name);
  }
  p->w = frame_workspace(arena, p->tape, values);
  return p->w && !diags->errors;
}

// ---- columns

uint32_t inverse_column(const InverseTable *t, const char *name) {
  for (uint32_t i = 1; i < t->width; i++) {
    if (strcmp(t->names[i], name) == 0) return i;
  }
  return UINT32_MAX;
}

static bool same_letters(const char *a, const char *b) {
  for (; *a && (*a | 32) == (*b | 32); a++) b++;
  return *a == *b;
}

void inverse_missing(const InverseTable *t, const char *what, const char *name, Diags *diags) {
  const char *best = NULL;
  unsigned least = 3;
  for (uint32_t i = 1; i < t->width; i++) {
    unsigned distance = same_letters(t->names[i], name) ? 0 : word_distance(t->names[i], name);
    if (distance >= least || distance >= strlen(name)) continue;
    least = distance;
    best = t->names[i];
  }
  diag_error(diags, diag_bad_table, t->place, "there is no column `%s` for the %s of that name", name, what);
  if (best) diag_hint(diags, "the nearest one is `%s`", best);
}

static void find_columns(Arena *arena, InversePlan *p, const InverseTable *t, const bool *reads, Diags *diags) {
  static const char *const primes[] = {"", "'", "''"};
  for (uint32_t i = 0; i < p->s.coord_count; i++) {
    InverseCoord *c = &p->coords[i];
    c->name = p->s.coords.items[i].name;
    c->force = arena_printf(arena, "force.%s", c->name);
    for (uint32_t k = 0; k < 3; k++) {
      const char *name = arena_printf(arena, "%s%s", c->name, primes[k]);
      if (!name) return;
      c->columns[k] = inverse_column(t, name);
      if (c->columns[k] != UINT32_MAX) p->used[c->columns[k]] = true;
      else if (k == 0) inverse_missing(t, "coordinate", name, diags);
      else p->made[p->made_count++] = name;
    }
  }
  inverse_ball_columns(arena, p, t, diags);
  for (uint32_t i = 0; i < p->s.states.count; i++) {
    const char *name = p->s.states.items[i].name;
    p->states[i] = UINT32_MAX;
    if (p->s.states.items[i].role != state_plain || !reads[1 + 3 * p->s.coord_count + i]) continue;
    p->states[i] = inverse_column(t, name);
    if (p->states[i] == UINT32_MAX) inverse_missing(t, "state", name, diags);
    else p->used[p->states[i]] = true;
  }
}

bool inverse_plan(Arena *arena, const System *system, const InverseTable *t, InversePlan *p, Diags *diags) {
  *p = (InversePlan){.count = system->coord_count + 3 * system->tree.balls.count};
  if (!can_invert(system, diags)) return false;
  ExprPool *pool = arena_new_of(arena, ExprPool);
  p->coords = arena_array(arena, (size_t)p->count + 1, sizeof *p->coords);
  p->states = arena_array(arena, (size_t)system->states.count + 1, sizeof *p->states);
  p->used = arena_array(arena, (size_t)t->width + 1, sizeof *p->used);
  p->made = arena_array(arena, (size_t)2 * p->count + 1, sizeof *p->made);
  p->balls = arena_array(arena, (size_t)system->tree.balls.count + 1, sizeof *p->balls);
  if (arena_failed(arena) || !pool || !system_clone(&p->s, system, pool, arena) || !build(arena, p)) return false;
  bool *reads = arena_array(arena, p->tape->var_count, sizeof *reads);
  if (!reads || !tape_reads(arena, p->tape, 0, p->tape->output_count, reads)) return false;
  p->used[0] = true;
  if (strcmp(t->names[0], "t") != 0)
    diag_error(diags, diag_bad_table, t->place, "the first column is the time and called `t`, not `%s`", t->names[0]);
  find_columns(arena, p, t, reads, diags);
  find_params(arena, system, p, diags);
  return !diags->errors && !arena_failed(arena);
}

// ---- rows

// Derivatives that the table does not have: q', q'' of every coordinate, one column after the other.
static bool fill_motion(Arena *arena, const InversePlan *p, const InverseTable *t, const double *values, uint32_t rows,
                        double *motion) {
  double *time = arena_array(arena, rows, sizeof *time), *from = arena_array(arena, rows, sizeof *from);
  if (!time || !from) return false;
  for (uint32_t r = 0; r < rows; r++) time[r] = values[(size_t)r * t->width];
  for (uint32_t i = 0; i < p->s.coord_count; i++) {
    double *first = motion + (size_t)(2 * i) * rows, *second = first + rows;
    const uint32_t *column = p->coords[i].columns;
    bool rates = column[1] != UINT32_MAX, both = column[2] != UINT32_MAX;
    for (uint32_t r = 0; r < rows; r++) {
      const double *row = values + (size_t)r * t->width;
      from[r] = row[rates ? column[1] : column[0]];
      if (rates) first[r] = row[column[1]];
      if (both) second[r] = row[column[2]];
    }
    // the acceleration is the first derivative of a velocity that is given, else the second of the position
    if (rates && !both && !spline_slopes(arena, time, from, rows, second, NULL)) return false;
    if (!rates && !spline_slopes(arena, time, from, rows, first, both ? NULL : second)) return false;
  }
  return true;
}

bool inverse_motion(Arena *arena, const InversePlan *p, const InverseTable *t, const double *values, uint32_t rows,
                    double *motion, InverseResult *out) {
  return fill_motion(arena, p, t, values, rows, motion) && inverse_ball_motion(arena, p, t, values, rows, motion, out);
}

void inverse_clear_accelerations(const InversePlan *p) {
  double *vars = tape_vars(p->tape, p->w);
  uint32_t coords = p->s.coord_count, turning = 1 + 3 * coords + p->s.states.count;
  for (uint32_t i = 0; i < coords; i++) vars[1 + 2 * coords + i] = 0;
  for (uint32_t i = 0; i < inverse_turns(p); i++) vars[turning + i] = 0;
}

void inverse_set_row(const InversePlan *p, const double *row, const double *motion, uint32_t r, uint32_t rows) {
  double *vars = tape_vars(p->tape, p->w);
  uint32_t coords = p->s.coord_count;
  vars[0] = row[0];
  for (uint32_t i = 0; i < coords; i++) {
    vars[1 + i] = row[p->coords[i].columns[0]];
    vars[1 + coords + i] = motion[(size_t)(2 * i) * rows + r];
    vars[1 + 2 * coords + i] = motion[(size_t)(2 * i + 1) * rows + r];
  }
  double *states = vars + 1 + 3 * (size_t)coords, *turning = states + p->s.states.count;
  for (uint32_t i = 0; i < p->s.states.count; i++) states[i] = p->states[i] == UINT32_MAX ? 0 : row[p->states[i]];
  for (uint32_t i = 0; i < inverse_turns(p); i++) {
    const InverseBall *ball = &p->balls[i / 3];
    uint32_t k = i % 3;
    if (k == 0) {
      for (uint32_t j = 0; j < 4; j++) states[ball->first + j] = row[ball->columns[j]];
    }
    states[ball->first + 4 + k] = motion[(size_t)(2 * (coords + i)) * rows + r];
    turning[i] = motion[(size_t)(2 * (coords + i) + 1) * rows + r];
  }
}

// Which force has no value, and why: by a tape with the source lines of its operations.
static void report_fault(Arena *arena, const InversePlan *p, double t, uint32_t i, InverseResult *out) {
  TapeRequest request = p->request;
  TapeFault fault = {0};
  request.origins = true;
  const Tape *tape = tape_build(arena, &request);
  double *w = frame_workspace(arena, tape, p->w);
  if (w) {
    memcpy(tape_vars(tape, w), tape_vars(p->tape, p->w), request.var_count * sizeof *w);
    fault = tape_diagnose(tape, w);
  }
  out->status = run_failed;
  out->place = fault.origin.span;
  out->message = arena_printf(arena, "at t = %.6g the force on %s has no value%s%s", t, p->coords[i].name,
                              fault.found ? ": " : "", fault.found ? fault.what : "");
}

static bool put_header(Arena *arena, const InversePlan *p, const Sink *sink) {
  const char **names = arena_array(arena, (size_t)p->count + 1, sizeof *names);
  if (!names) return false;
  names[0] = "t";
  for (uint32_t i = 0; i < p->count; i++) names[1 + i] = p->coords[i].force;
  return !sink->header || sink->header(sink->self, names, (size_t)p->count + 1);
}

// One row of forces. False: out says why not.
static bool put_row(Arena *arena, const InversePlan *p, const Sink *sink, double *row, InverseResult *out) {
  double t = row[0] = tape_vars(p->tape, p->w)[0];
  tape_eval(p->tape, p->w);
  for (uint32_t i = 0; i < p->count; i++) {
    double force = row[1 + i] = tape_result(p->tape, p->w, i);
    if (!isfinite(force)) {
      report_fault(arena, p, t, i, out);
      return false;
    }
    if (out->rows && fabs(force) <= fabs(out->forces[i].largest)) continue;
    out->forces[i].largest = force, out->forces[i].at = t;
  }
  out->rows++;
  out->to = t;
  if (!sink->row || sink->row(sink->self, row, (size_t)p->count + 1)) return true;
  out->status = run_sink_failed;
  return false;
}

InverseResult inverse_run(Arena *arena, const InversePlan *p, const InverseTable *t, const double *values,
                          uint32_t rows, const RunSettings *settings, const Sink *sink) {
  enum { often = 256 }; // rows between questions whether to stop
  InverseResult out = {.status = run_no_memory};
  if (p->made_count && rows < spline_least) {
    out.status = run_input;
    out.message = arena_printf(arena, "the table has %u rows; %s comes by splines, which need at least %d", rows,
                               p->made[0], spline_least);
    return out;
  }
  double *motion = arena_array(arena, (size_t)2 * p->count * rows + 1, sizeof *motion);
  double *row = arena_array(arena, (size_t)p->count + 1, sizeof *row);
  out.forces = arena_array(arena, (size_t)p->count + 1, sizeof *out.forces);
  if (!motion || !row || !out.forces || !inverse_motion(arena, p, t, values, rows, motion, &out)) return out;
  for (uint32_t i = 0; i < p->count; i++) out.forces[i].error = NAN;
  out.status = put_header(arena, p, sink) ? run_done : arena_failed(arena) ? run_no_memory : run_sink_failed;
  out.from = values[0];
  for (uint32_t r = 0; out.status == run_done && r < rows; r++) {
    if (r % often == 0 && settings->interrupted && settings->interrupted(settings->self)) {
      out.status = run_interrupted;
      out.message = "interrupted";
      break;
    }
    inverse_set_row(p, values + (size_t)r * t->width, motion, r, rows);
    if (!put_row(arena, p, sink, row, &out)) break;
  }
  return out;
}
