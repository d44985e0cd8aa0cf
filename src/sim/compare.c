// Comparison of integration methods on one model. See compare.h.
//
// All runs have rows at the same times, at ends of the fixed steps. Each row has every signal and the account; of its
// columns those count that are coordinates, and in a model without any its states.
#include "sim/compare.h"

#include <string.h>

static const double tight = 1e-13; // relative tolerance of the reference: a hundred roundings

// The rows of a run, as far as they are compared.
typedef struct Collector {
  Arena *arena;
  const System *system;
  bool energy;
  VEC(uint32_t) columns; // of positions
  VEC(double) rows;      // t, positions, balance error
} Collector;

static bool is_place(const System *s, const char *name) {
  for (uint32_t i = 0; i < s->coords.count; i++) {
    if (strcmp(s->coords.items[i].name, name) == 0) return true;
  }
  for (uint32_t i = 0; s->coords.count == 0 && i < s->states.count; i++) {
    if (strcmp(s->states.items[i].name, name) == 0) return true;
  }
  return false;
}

static bool take_header(void *self, const char *const *names, size_t count) {
  Collector *c = self;
  for (size_t i = 1; i < count; i++) {
    if (is_place(c->system, names[i])) vec_push(c->arena, &c->columns, (uint32_t)i);
  }
  return !arena_failed(c->arena);
}

static bool take_row(void *self, const double *values, size_t count) {
  Collector *c = self;
  vec_push(c->arena, &c->rows, values[0]);
  for (uint32_t i = 0; i < c->columns.count; i++) vec_push(c->arena, &c->rows, values[c->columns.items[i]]);
  vec_push(c->arena, &c->rows, c->energy ? values[count - 1] : NAN);
  return !arena_failed(c->arena);
}

static size_t width(const Collector *c) { return (size_t)c->columns.count + 2; }
static size_t rows_of(const Collector *c) { return c->rows.count / width(c); }
static const double *row_of(const Collector *c, size_t i) { return c->rows.items + i * width(c); }

// ---- errors along time

// The largest size of a position in the reference.
static double size_of(const Collector *reference, uint32_t place) {
  double most = 0;
  for (size_t i = 0; i < rows_of(reference); i++) most = fmax(most, fabs(row_of(reference, i)[1 + place]));
  return most > 0 ? most : 1;
}

static bool measure(ComparedRun *x, const Collector *c, const Collector *reference, const double *sizes) {
  Arena *arena = c->arena;
  size_t rows = rows_of(c);
  x->count = rows;
  x->t = arena_array(arena, rows + 1, sizeof *x->t);
  x->energy_at = arena_array(arena, rows + 1, sizeof *x->energy_at);
  x->position_at = arena_array(arena, rows + 1, sizeof *x->position_at);
  if (arena_failed(arena)) return false;
  double moved = x->run.account.relative > 0 ? fabs(x->run.account.residue) / x->run.account.relative : 1;
  x->energy = x->run.account.kept ? x->run.account.relative : NAN;
  for (size_t i = 0; i < rows; i++) {
    const double *row = row_of(c, i), *best = i < rows_of(reference) ? row_of(reference, i) : NULL;
    bool same = best && fabs(best[0] - row[0]) <= 1e-9 * fabs(row[0]);
    x->t[i] = row[0];
    x->energy_at[i] = fabs(row[width(c) - 1]) / moved;
    x->position_at[i] = same ? 0 : NAN;
    for (uint32_t k = 0; same && k < c->columns.count; k++)
      x->position_at[i] = fmax(x->position_at[i], fabs(row[1 + k] - best[1 + k]) / sizes[k]);
    x->position = fmax(x->position, x->position_at[i]);
  }
  return true;
}

// ---- the runs

static RunResult collect(Collector *c, const RunSettings *settings, Diags *diags) {
  Sink sink = {.self = c, .header = take_header, .row = take_row};
  return run_model(c->arena, c->system, settings, &sink, diags);
}

static RunFailure failure_of(const RunResult *r) {
  return (RunFailure){.status = r->status, .message = r->message, .place = r->place};
}

// What all runs share: every signal, the account, rows at ends of the steps and about a hundred unless a spacing is
// given.
static RunSettings shared(const System *s, const RunSettings *settings, double to) {
  RunSettings out = *settings;
  out.all = true;
  out.no_structure = true; // what all are measured by has a tolerance
  out.energy = s->energy.kept;
  out.watch_count = 0;
  out.watcher = NULL;
  if (isnan(out.every)) out.every = isnan(out.step) ? to / 100 : out.step * fmax(1, round(to / 100 / out.step));
  return out;
}

static RunSettings for_method(const RunSettings *shared_settings, const char *method) {
  RunSettings out = *shared_settings;
  OdeMethod known;
  out.method = method;
  if (ode_method_find(method, &known) && ode_is_fixed(known)) out.rtol = out.atol = NAN;
  else out.step = NAN;
  return out;
}

static double end_of(Arena *arena, const System *s, const RunSettings *settings) {
  if (!isnan(settings->to)) return settings->to;
  System *copy = arena_new_of(arena, System);
  ExprPool *pool = arena_new_of(arena, ExprPool);
  Components y;
  KnownValues values;
  bool ok =
      copy && pool && system_clone(copy, s, pool, arena) && components_list(copy, &y) && values_find(copy, &y, &values);
  return run_default_end(ok ? values.times.from : 0, ok ? values.times.to : NAN);
}

// A name that is no method costs no run.
static bool are_known(const System *s, const RunSettings *settings, const char *const *methods, uint32_t count,
                      Diags *diags) {
  OdeMethod method;
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(methods[i], "auto") == 0 || ode_method_find(methods[i], &method)) continue;
    RunSettings own = *settings;
    Settled settled;
    own.method = methods[i];
    return run_settle(s, &own, (SimulateTimes){NAN, NAN, NAN, 0}, false, diags, &settled);
  }
  return true;
}

Comparison compare_methods(Arena *arena, const System *system, const RunSettings *settings, const char *const *methods,
                           uint32_t count, Diags *diags) {
  Comparison x = {.count = count, .runs = arena_array(arena, (size_t)count + 1, sizeof *x.runs)};
  Collector reference = {.arena = arena, .system = system, .energy = system->energy.kept};
  RunSettings all = shared(system, settings, end_of(arena, system, settings)), own = for_method(&all, "auto");
  own.rtol = tight;
  own.atol = NAN;
  x.failure.status = run_no_memory;
  if (!x.runs) return x;
  if (!are_known(system, settings, methods, count, diags)) {
    x.failure.status = run_input;
    return x;
  }
  x.reference.run = collect(&reference, &own, diags);
  x.failure = failure_of(&x.reference.run);
  if (x.failure.status != run_done) return x;
  double *sizes = arena_array(arena, (size_t)reference.columns.count + 1, sizeof *sizes);
  for (uint32_t k = 0; sizes && k < reference.columns.count; k++) sizes[k] = size_of(&reference, k);
  bool ok = sizes && measure(&x.reference, &reference, &reference, sizes);
  for (uint32_t i = 0; ok && i < count; i++) {
    Collector c = {.arena = arena, .system = system, .energy = system->energy.kept};
    own = for_method(&all, methods[i]);
    ComparedRun *r = &x.runs[i];
    r->run = collect(&c, &own, diags);
    bool refused =
        r->run.status != run_done && r->run.status != run_failed; // one that stops half way is compared so far
    if (refused) x.failure = failure_of(&r->run);
    ok = !refused && measure(r, &c, &reference, sizes);
  }
  if (arena_failed(arena)) x.failure.status = run_no_memory;
  return x;
}
