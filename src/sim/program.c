// Compilation of a System into a Program: values, tapes, plans of events.
//
// The order: values of the parameters, settings, rewriting for events and their tapes, the right-hand side, rows, the
// account, breaks of functions of time. Each stage may add expressions to the program's own pool; afterwards nothing
// does. The Jacobian is differentiated on a copy of the system, when a method first asks for it.
#define _XOPEN_SOURCE 700
#include "sim/program.h"

#include "hybrid/results.h"
#include "sim/constraint_plan.h"
#include "sim/impulses.h"
#include "sim/manifold_plan.h"
#include "solve/module.h"

#include <string.h>

// A large block is solved by LAPACK, where it is there.
static void find_large(SimProgram *p) {
  for (uint32_t i = 0; i < p->s.blocks.count && !p->large; i++) {
    if (p->s.blocks.items[i].count < tape_large_size) continue;
    const SolveModule *module = module_load();
    if (!module) return;
    p->large = module->dense;
  }
}

// Does a value of parameters depend on one that varies?
static bool follows(SimProgram *p, const bool *varies, ExprId value) {
  uint32_t length;
  if (!value || !expr_has_kind(&p->pool, value, sym_param)) return false;
  const ExprId *list = pool_reach(&p->pool, &value, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(&p->pool, list[i]);
    const Symbol *s = pool_symbol_get(&p->pool, id);
    if (id && s->kind == sym_param && varies[s->index]) return true;
  }
  return !list; // out of memory: nothing is promised
}

// The parameters that may differ from run to run: those of the request, and what follows from them.
static bool find_varying(SimProgram *p, const ProgramRequest *request) {
  bool *varies = arena_array(p->arena, (size_t)p->param_count + 1, sizeof *varies);
  if (!varies) return false;
  for (uint32_t i = 0; i < request->varied_count; i++) varies[request->varied[i]] = true;
  for (bool more = request->varied_count > 0; more;) {
    more = false;
    for (uint32_t i = 0; i < p->param_count; i++) {
      if (varies[i] || !follows(p, varies, p->s.params.items[i].value)) continue;
      varies[i] = more = true;
    }
  }
  p->varies = varies;
  return true;
}

// The values that no run changes; NAN: any.
static const double *fixed_values(SimProgram *p) {
  if (!p->varies) return p->values.params;
  double *known = arena_array(p->arena, (size_t)p->param_count + 1, sizeof *known);
  for (uint32_t i = 0; known && i < p->param_count; i++) known[i] = p->varies[i] ? NAN : p->values.params[i];
  return known;
}

static bool build_f(SimProgram *p) {
  ResultList r = {.arena = p->arena};
  const double *known = p->specialized ? fixed_values(p) : NULL;
  result_put_rates(&r, &p->s);
  // Without the powers: sine and cosine of one angle are computed together, and differ in last bits from one alone.
  if (p->written) r.list.count = p->y.count;
  if (p->specialized && !known) return false;
  p->fixed = known;
  p->f = program_rates_tape(p, &p->s, r.list.items, r.list.count);
  p->total = p->f && tape_is_total(p->f) && !p->s.held.count && !(p->events && p->events->may_hold);
  return p->f != NULL;
}

// What the held variables become: the solutions of implicit equations.
static bool build_held(SimProgram *p) {
  ResultList r = {.arena = p->arena};
  if (p->s.held.count == 0) return true;
  for (uint32_t i = 0; i < p->s.held.count; i++) result_put(&r, expr_sym(&p->pool, p->s.held.items[i].of));
  p->held = program_tape(p->arena, p, &p->s, r.list.items, r.list.count, false);
  return p->held != NULL;
}

static bool build_rows(SimProgram *p, const RunSettings *settings, Rewriting *rewriting) {
  Columns *c = &p->columns;
  if (!columns_list(&p->s, settings, rewriting, c)) return false;
  p->rows = program_tape_with(p->arena, p, &p->s, c->results, c->result_count, c->flows, p->s.energy.flows.count);
  return p->rows != NULL;
}

// What the measures are of, as columns are.
static bool build_measures(SimProgram *p, const MeasureSet *set, Rewriting *rewriting) {
  if (!set || !set->items.count) return true;
  MeasurePlan *m = measure_plan(&p->s, set, rewriting, p->settled.fixed ? 1e-10 : p->settled.rtol);
  if (!m) return false;
  m->tape = program_tape_with(p->arena, p, &p->s, m->results, gauge_width(&m->gauges), p->columns.flows,
                              p->s.energy.flows.count);
  p->measures = m;
  return m->tape != NULL;
}

static bool build_account(SimProgram *p) {
  const ExprId results[] = {p->s.energy.stored, p->s.energy.kinetic};
  if (!p->s.energy.kept) return true;
  p->account = program_tape(p->arena, p, &p->s, results, 2, false);
  // this many evaluations of the right-hand side for one of the energies: the account costs a few per cent at most
  enum { share = 32, adaptive_stages = 12 };
  uint32_t each = p->settled.fixed ? (uint32_t)ode_work(p->settled.ode.method) : adaptive_stages;
  p->account_stride = (share + each - 1) / each;
  return p->account != NULL;
}

bool program_is_inertia(const Block *b) {
  enum { most_checked = 200 }; // coordinates of a block whose matrix is looked at as a whole
  return b->coords && !b->multipliers && b->symmetric && !b->velocities && !b->implicit && b->count <= most_checked;
}

static bool build_inertia(SimProgram *p) {
  ResultList r = {.arena = p->arena};
  for (uint32_t i = 0; i < p->s.blocks.count; i++) {
    const Block *b = &p->s.blocks.items[i];
    if (!program_is_inertia(b)) continue;
    const ExprId *m = block_dense(p->arena, &p->pool, b);
    if (m) result_put_all(&r, m, b->count * b->count);
  }
  if (!r.list.count) return !arena_failed(p->arena);
  p->inertia = program_tape(p->arena, p, &p->s, r.list.items, r.list.count, false);
  return p->inertia != NULL;
}

// For other parameters than the model's.
static bool build_starts(SimProgram *p) {
  ResultList r = {.arena = p->arena};
  for (uint32_t i = 0; i < p->y.count; i++) result_put(&r, p->y.items[i].start);
  for (uint32_t i = 0; i < p->s.held.count; i++) result_put(&r, p->s.held.items[i].start);
  if (arena_failed(p->arena)) return false;
  p->starts =
      tape_build(p->arena, &(TapeRequest){.system = &p->s, .results = r.list.items, .result_count = r.list.count});
  return p->starts != NULL;
}

// ---- what is made late

static bool make_lazy(SimProgram *p) {
  Arena *arena = arena_new();
  ProgramLazy *lazy = arena ? arena_new_of(arena, ProgramLazy) : NULL;
  if (!lazy || pthread_mutex_init(&lazy->lock, NULL) != 0) {
    arena_free(arena);
    return false;
  }
  lazy->arena = arena;
  lazy->f = (NativeCode){.tape = p->f, .rates = true};
  p->lazy = lazy;
  return true;
}

// Constraints that ask for nothing: accelerations then depend on velocities by forces alone.
static bool ask_nothing(System *s) {
  Block *blocks = arena_array(s->arena, (size_t)s->blocks.count + 1, sizeof *blocks); // a clone shares them
  if (!blocks) return false;
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    Block *b = &blocks[i];
    *b = s->blocks.items[i];
    if (!b->multipliers) continue;
    ExprId *rhs = arena_array(s->arena, b->count, sizeof *rhs);
    if (!rhs) return false;
    for (uint32_t k = 0; k < b->count; k++) rhs[k] = k < block_coords(b) ? b->rhs[k] : s->pool->zero;
    b->rhs = rhs;
  }
  s->blocks.items = blocks;
  s->blocks.cap = s->blocks.count + 1;
  return true;
}

// unbound: of accelerations that the curvature of constraints does not enter
static const TapeJacobian *make_jacobian(const SimProgram *p, bool unbound, TapeAsk ask) {
  ProgramLazy *lazy = p->lazy;
  System *s = arena_new_of(lazy->arena, System);
  ExprPool *pool = arena_new_of(lazy->arena, ExprPool);
  if (!s || !pool || !system_clone(s, &p->s, pool, lazy->arena)) return NULL;
  if (unbound && !ask_nothing(s)) return NULL;
  ResultList powers = {.arena = lazy->arena};
  for (uint32_t i = 0; i < s->energy.flows.count; i++) result_put(&powers, s->energy.flows.items[i].power);
  const ExprId *more = powers.list.items;
  uint32_t count = powers.list.count;
  const TapeJacobian *j = NULL;
  if (tape_jacobian_prefers_forward(s)) j = tape_jacobian_forward(lazy->arena, s, more, count, p->large);
  return j ? j : tape_jacobian_asked(lazy->arena, s, more, count, p->large, ask);
}

const TapeJacobian *program_jacobian(const SimProgram *p, TapeAsk ask) {
  ProgramLazy *lazy = p->lazy;
  pthread_mutex_lock(&lazy->lock);
  if (!lazy->j) {
    lazy->j = make_jacobian(p, false, ask);
    lazy->jacobian.tape = lazy->j ? lazy->j->tape : NULL;
  }
  const TapeJacobian *j = lazy->j;
  pthread_mutex_unlock(&lazy->lock);
  return j;
}

static const OdeJacobian *make_full(const SimProgram *p) {
  Arena *arena = p->lazy->arena;
  uint32_t m = p->y.count, n = p->y.total;
  OdeJacobian *j = arena_new_of(arena, OdeJacobian);
  uint32_t *start = arena_array(arena, (size_t)m + 2, sizeof *start),
           *row = arena_array(arena, (size_t)n * (m + 1), sizeof *row);
  if (!j || !start || !row) return NULL;
  for (uint32_t c = 0; c <= m; c++) {
    start[c + 1] = (c + 1) * n;
    for (uint32_t r = 0; r < n; r++) row[c * n + r] = r;
  }
  *j = (OdeJacobian){.start = start, .row = row, .count = (m + 1) * n};
  return j;
}

const OdeJacobian *program_full_jacobian(const SimProgram *p) {
  ProgramLazy *lazy = p->lazy;
  pthread_mutex_lock(&lazy->lock);
  if (!lazy->full) lazy->full = make_full(p);
  const OdeJacobian *full = lazy->full;
  pthread_mutex_unlock(&lazy->lock);
  return full;
}

void program_compile(const SimProgram *p, NativeCode *n, CodeState *c, CodeAsk ask) {
  pthread_mutex_lock(&p->lazy->lock);
  code_try(c, n, p->lazy->arena, ask);
  pthread_mutex_unlock(&p->lazy->lock);
}

void program_free(SimProgram *p) {
  if (!p || !p->lazy) return;
  ProgramLazy *lazy = p->lazy;
  code_free(&lazy->f);
  code_free(&lazy->jacobian);
  code_free(&lazy->momenta);
  pthread_mutex_destroy(&lazy->lock);
  arena_free(lazy->arena);
}

// ---- the whole

// A stage gave nothing: why.
static RunFailure failure_of(const SimProgram *p, const Rewriting *w) {
  if (w && w->failure) return (RunFailure){run_failed, w->failure, w->failure_place, NULL};
  if (arena_failed(p->arena) || !p->pool.limit) return (RunFailure){.status = run_no_memory};
  return (RunFailure){.status = run_failed, .message = "the expressions of this run grow too large"};
}

// The spherical joint of this name, or with a component of this name; NULL: none.
static const TreeBall *ball_of(const SimProgram *p, const char *name) {
  for (uint32_t i = 0; i < p->s.tree.balls.count; i++) {
    const TreeBall *ball = &p->s.tree.balls.items[i];
    size_t length = strlen(ball->name);
    if (strncmp(ball->name, name, length) == 0 && (name[length] == 0 || name[length] == '.')) return ball;
  }
  return NULL;
}

// The method does not fit the model: why.
static bool refuse_structure(SimProgram *p, StructureReport why, Diags *diags) {
  const char *method = p->settled.method;
  const TreeBall *ball;
  switch (why.verdict) {
  case structure_fits: return true;
  case structure_no_memory: return false;
  case structure_circle:
    diag_error(diags, diag_method_misfit, why.place,
               "`%s` runs in momenta, and the velocities do not follow from these alone", method);
    break;
  case structure_states:
    ball = ball_of(p, why.name);
    if (ball)
      diag_error(diags, diag_method_misfit, why.place,
                 "`%s` steps places together with their velocities, and a turn, `%s`, has four numbers and three "
                 "velocities",
                 method, ball->name);
    else
      diag_error(diags, diag_method_misfit, why.place, "`%s` is for coordinates with inertia alone, and `%s` is none",
                 method, why.name);
    break;
  case structure_velocities:
    diag_error(diags, diag_method_misfit, why.place,
               "`%s` is for accelerations that depend on places and time alone, and `%s''` depends on velocities",
               method, why.name);
    break;
  }
  diag_hint(diags, why.verdict >= structure_states ? "take `--method gauss8`" : "take `--method auto`");
  return false;
}

static bool define_momenta(SimProgram *p, Diags *diags) {
  if (!ode_is_structured(p->settled.ode.method)) return true;
  if (ode_keeps_balance(p->settled.ode.method) && p->s.tree.balls.count) {
    const TreeBall *ball = &p->s.tree.balls.items[0]; // its energy is no sum over coordinates and their momenta
    return refuse_structure(p, (StructureReport){structure_states, ball->name, ball->span}, diags);
  }
  if (!balance_define(p)) return false;
  return refuse_structure(p, momenta_define(p), diags);
}

static bool fit_structure(SimProgram *p, Diags *diags) {
  OdeMethod method = p->settled.ode.method;
  StructureReport report = {.verdict = structure_fits};
  if (method == ode_verlet) {
    const TapeJacobian *j = p->constraints ? make_jacobian(p, true, (TapeAsk){0}) : program_jacobian(p, (TapeAsk){0});
    if (!j) return false;
    report = momenta_pairs(p, j);
  } else if (ode_wants_momenta(method)) {
    report = momenta_plan(p);
  }
  if (p->momenta) p->lazy->momenta = (NativeCode){.tape = p->momenta->rates, .rates = true};
  return refuse_structure(p, report, diags);
}

// Sums that stay as they are, for the summary of a run whose tolerance is relative. Constraints, spherical joints and
// sticking friction change it beside its rates.
static bool find_conserved(SimProgram *p, const ProgramRequest *request) {
  const System *s = &p->s;
  bool bound = p->constraints || p->manifold || s->tree.balls.count;
  if (!request->one_run || p->settled.fixed || bound) return true;
  if (p->events && (p->events->stepwise || p->events->may_hold)) return true;
  bool *moved = arena_array(p->arena, (size_t)p->y.count + 1, sizeof *moved);
  for (uint32_t i = 0; moved && p->events && i < s->whens.count; i++) {
    for (uint32_t k = 0; k < s->whens.items[i].assigns.count; k++) {
      uint32_t at = event_target(p->events, &s->whens.items[i].assigns.items[k]);
      if (at != no_place) moved[at] = true;
    }
  }
  if (moved) p->conserved = conserved_find(&p->s, moved);
  return p->conserved != NULL;
}

static bool build_all(SimProgram *p, const ProgramRequest *request, Rewriting *w, Diags *diags) {
  const RunSettings *settings = request->settings;
  bool events = rewrite_needed(&p->s);
  find_large(p);
  if (!define_momenta(p, diags)) return false;
  if (events) {
    if (!rewrite_system(w, &p->s, p->values.params, settings->no_events)) return false;
    if (!(p->events = event_plan_new(w, p->large))) return false;
  }
  if (!values_held(&p->s, &p->values)) return false;
  p->specialized = request->one_run && !events;
  if (request->varied && !find_varying(p, request)) return false;
  if (!build_f(p) || !build_held(p) || !build_rows(p, settings, events ? w : NULL)) return false;
  if (!build_measures(p, settings->measures, events ? w : NULL)) return false;
  if (request->one_run && (!build_account(p) || !build_inertia(p))) return false;
  if (!p->specialized && !build_starts(p)) return false;
  // explicit fixed steps without events pass over breaks, unless constraints may begin to move there
  if (!ode_is_explicit(p->settled.ode.method) || (events && !settings->no_events) || p->s.constraints.count) {
    if (!(p->breaks = breaks_plan(p->arena, &p->s))) return false;
  }
  if (p->s.constraints.count && !(p->constraints = constraint_plan(p))) return false;
  if (manifold_needed(&p->s) && !(p->manifold = manifold_plan(p))) return false;
  return find_conserved(p, request) && make_lazy(p) && !arena_failed(p->arena) && fit_structure(p, diags);
}

// What an export writes out.
static bool build_written(SimProgram *p, Rewriting *w) {
  if (rewrite_remembers(&p->s)) {
    if (!rewrite_system(w, &p->s, p->values.params, true)) return false;
    if (!(p->events = event_plan_new(w, NULL))) return false;
  }
  return build_f(p) && build_starts(p) && !arena_failed(p->arena);
}

SimProgram *program_open(Arena *arena, const System *system, const ProgramRequest *request, Diags *diags,
                         ProgramReport *report) {
  SimProgram *p = arena_new_of(arena, SimProgram);
  *report = (ProgramReport){.failure.status = run_no_memory};
  if (!p) return NULL;
  if (system_is_static(system, diags)) {
    report->failure.status = run_input;
    return NULL;
  }
  *p = (SimProgram){.arena = arena, .param_count = system->params.count, .written = request->written};
  bool ok = system_clone(&p->s, system, &p->pool, arena) && (!impulses_any(&p->s) || impulses_take(&p->s, diags)) &&
            components_list(&p->s, &p->y) && values_find(&p->s, &p->y, &p->values);
  if (!ok) {
    report->failure = failure_of(p, NULL);
    return NULL;
  }
  report->failure.status = diags->errors ? run_input : run_done;
  if (p->written || diags->errors) return diags->errors ? NULL : p;
  values_check(&p->s, &p->y, &p->values, diags);
  ok = run_settle(&p->s, request->settings, p->values.times, rewrite_needed(&p->s), diags, &p->settled);
  report->settled = p->settled;
  report->failure.status = !ok || diags->errors ? run_input : run_done;
  return report->failure.status == run_done ? p : NULL;
}

bool program_build(SimProgram *p, const ProgramRequest *request, Diags *diags, ProgramReport *report) {
  Rewriting *w = arena_new_of(p->arena, Rewriting);
  report->failure.status = run_no_memory;
  if (!w) return false;
  bool ok = !arena_failed(p->arena) && (p->written ? build_written(p, w) : build_all(p, request, w, diags));
  report->failure = ok ? (RunFailure){.status = run_done} : failure_of(p, w);
  if (!ok && diags->errors) report->failure.status = run_input;
  return ok;
}

SimProgram *program_new(Arena *arena, const System *system, const ProgramRequest *request, Diags *diags,
                        ProgramReport *report) {
  SimProgram *p = program_open(arena, system, request, diags, report);
  if (p && program_build(p, request, diags, report)) return p;
  program_free(p);
  return NULL;
}
