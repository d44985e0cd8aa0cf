// The motion of a model.
//
// The integrated vector is y = (q, v, x, dissipated, supplied); the last two are quadratures and never enter the error
// norm, so keeping the account changes no bit of the motion. Residue = stored + dissipated - supplied - initial.
#define _POSIX_C_SOURCE 200809L
#include "study/plan.h"

#include "expr/calculus.h"
#include "study/breaks.h"
#include "study/compiled.h"
#include "solve/module.h"
#include "tape/jacobian.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct Runner {
  Arena *arena;
  System s; // with a pool of its own
  ExprPool pool;
  Model *m;
  const RunSettings *settings;
  RunResult *r;
  uint32_t n, states, dim; // coordinates, states, size of y
  double *params, *start;  // values of the parameters; y at the start
  const Tape *f, *rows;    // right-hand side; everything a row shows
  double *fw, *rw;         // workspaces
  Compiled code, jacobian_code; // what runs the right-hand side, and the Jacobian
  Backend wanted;          // asked for
  const TapeJacobian *j;   // made when a method asks for it
  double *jw;
  OdeJacobian jacobian;
  TapeSolve *large; // for the accelerations of large blocks
  const char **columns;
  uint32_t column_count, shown; // shown: what goes to the sink
  uint32_t watch_at;            // place of the watched expressions among the results of `rows`
  uint32_t energy_at;           // place of kinetic, potential, stored there
  double *row;
  const Sink *sink;
  // account
  double initial, scale, worst;
  bool first;
  // rows kept for check_step
  VEC(double) kept;
  bool keep, compare;
  uint64_t row_index;
} Runner;

RunSettings run_defaults(void) {
  return (RunSettings){.to = NAN, .step = NAN, .every = NAN, .rtol = NAN, .atol = NAN};
}

// ---- values known before the run

// Parameters, starting values and the times of `simulate`, by one tape without variables.
static bool find_values(Runner *x, Diags *diags, double times[3]) {
  Model *m = x->m;
  uint32_t p = m->params.count, total = p + x->dim + 3, k = 0;
  ExprId *wanted = arena_array(x->arena, total, sizeof *wanted);
  if (!wanted) return false;
  for (uint32_t i = 0; i < p; i++) wanted[k++] = expr_sym(&x->pool, m->params.items[i].symbol);
  for (uint32_t i = 0; i < x->n; i++) wanted[k++] = m->coords.items[i].q0;
  for (uint32_t i = 0; i < x->n; i++) wanted[k++] = m->coords.items[i].v0;
  for (uint32_t i = 0; i < x->states; i++) wanted[k++] = m->states.items[i].x0;
  const ExprId given[3] = {m->simulate.to, m->simulate.step, m->simulate.every};
  for (uint32_t i = 0; i < 3; i++) wanted[k + i] = given[i] ? given[i] : x->pool.zero;
  const Tape *t = tape_build(x->arena, &(TapeWish){.system = &x->s, .results = wanted, .result_count = k + 3, .params_by_value = true});
  double *w = t ? arena_array(x->arena, t->slot_count, sizeof *w) : NULL;
  if (!w) return false;
  tape_prepare(t, w);
  tape_eval(t, w);
  for (uint32_t i = 0; i < p; i++) {
    x->params[i] = tape_result(t, w, i);
    const ModelParam *q = &m->params.items[i];
    if (!q->value) {
      diag_error(diags, diag_no_value, q->span, "the parameter `%s` has no value", q->name);
      diag_hint(diags, "give it one: `--set %s=...`", q->name);
    } else if (!isfinite(x->params[i])) {
      bool inherited = false; // from another one, reported itself
      for (uint32_t j = 0; j < i; j++) inherited = inherited || (!isfinite(x->params[j]) && expr_depends(&x->pool, q->value, m->params.items[j].symbol));
      if (!inherited) diag_error(diags, diag_bad_setting, q->span, "the parameter `%s` has no finite value", q->name);
    }
  }
  for (uint32_t i = 0; i < k - p; i++) {
    x->start[i] = tape_result(t, w, p + i);
    if (i >= x->n && i < 2 * x->n && x->s.first_order[i - x->n]) x->start[i] = 0;
    bool coord = i < 2 * x->n;
    if (!isfinite(x->start[i]) && diags->errors == 0) {
      Span span = coord ? m->coords.items[i % (x->n ? x->n : 1)].span : m->states.items[i - 2 * x->n].span;
      const char *name = coord ? m->coords.items[i % (x->n ? x->n : 1)].name : m->states.items[i - 2 * x->n].name;
      diag_error(diags, diag_bad_setting, span, "the start of `%s` is not a finite number", name);
    }
  }
  for (uint32_t i = 0; i < 3; i++) times[i] = given[i] ? tape_result(t, w, k + i) : NAN;
  return true;
}

// ---- tapes

static uint32_t put_vars(Runner *x, SymbolId *vars) {
  uint32_t k = 0;
  vars[k++] = x->m->time;
  for (uint32_t i = 0; i < x->n; i++) vars[k++] = x->m->coords.items[i].q;
  // the place of a velocity that is computed stays empty
  for (uint32_t i = 0; i < x->n; i++) vars[k++] = x->s.first_order[i] ? 0 : x->m->coords.items[i].v;
  for (uint32_t i = 0; i < x->states; i++) vars[k++] = x->m->states.items[i].x;
  return k;
}

static double *new_workspace(Runner *x, const Tape *t) {
  double *w = t ? arena_array(x->arena, t->slot_count, sizeof *w) : NULL;
  if (!w) return NULL;
  memcpy(w, x->params, t->param_count * sizeof *w);
  tape_prepare(t, w);
  return w;
}

// A large block is solved by LAPACK, where it is there.
static void find_large(Runner *x) {
  for (uint32_t i = 0; i < x->s.blocks.count && !x->large; i++) {
    if (x->s.blocks.items[i].count < tape_large_size) continue;
    const SolveModule *module = module_load();
    if (!module) return;
    x->large = module->dense;
  }
}

static bool build_f(Runner *x, bool origins) {
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + 4, sizeof *vars);
  ExprId *results = arena_array(x->arena, (size_t)x->dim + x->n + 4, sizeof *results);
  if (!vars || !results) return false;
  uint32_t count = put_vars(x, vars), k = 0;
  for (uint32_t i = 0; i < x->n; i++) results[k++] = expr_sym(&x->pool, x->m->coords.items[i].v);
  for (uint32_t i = 0; i < x->n; i++) results[k++] = x->s.first_order[i] ? x->pool.zero : expr_sym(&x->pool, x->m->coords.items[i].a);
  for (uint32_t i = 0; i < x->states; i++) results[k++] = expr_sym(&x->pool, x->m->states.items[i].rate);
  results[k++] = x->s.energy.dissipated;
  results[k++] = x->s.energy.supplied;
  x->f = tape_build(x->arena, &(TapeWish){.system = &x->s, .vars = vars, .var_count = count, .results = results, .result_count = k, .origins = origins, .large = x->large});
  x->fw = new_workspace(x, x->f);
  return x->fw != NULL;
}

typedef struct Columns {
  Arena *arena;
  VEC(const char *) names;
  VEC(ExprId) values;
  uint32_t *table, table_size; // place + 1, by name
} Columns;

static uint32_t column_place(const Columns *c, const char *name) {
  uint32_t h = 2166136261u;
  for (const char *s = name; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  uint32_t at = h & (c->table_size - 1);
  while (c->table[at] && strcmp(c->names.items[c->table[at] - 1], name) != 0) at = (at + 1) & (c->table_size - 1);
  return at;
}

static bool columns_grow(Columns *c) {
  uint32_t size = c->table_size ? 2 * c->table_size : 64;
  uint32_t *table = arena_array(c->arena, size, sizeof *table);
  if (!table) return false;
  c->table = table;
  c->table_size = size;
  for (uint32_t i = 0; i < c->names.count; i++) c->table[column_place(c, c->names.items[i])] = i + 1;
  return true;
}

static void put_column(Columns *c, const char *name, ExprId value) {
  if (2 * c->names.count >= c->table_size && !columns_grow(c)) return;
  uint32_t at = column_place(c, name);
  if (c->table[at]) return; // said twice, shown once
  if (vec_push(c->arena, &c->values, value) && vec_push(c->arena, &c->names, name)) c->table[at] = c->names.count;
}

static void put_motion(Runner *x, Columns *c) {
  ExprPool *pool = &x->pool;
  for (uint32_t i = 0; i < x->n; i++) put_column(c, x->m->coords.items[i].name, expr_sym(pool, x->m->coords.items[i].q));
  for (uint32_t i = 0; i < x->n; i++) {
    SymbolId v = x->m->coords.items[i].v;
    put_column(c, pool_symbol_get(pool, v)->name, expr_sym(pool, v));
  }
  for (uint32_t i = 0; i < x->states; i++) put_column(c, x->m->states.items[i].name, expr_sym(pool, x->m->states.items[i].x));
}

// The symbols of energy.dissipated and energy.supplied, made where the text has none.
static SymbolId signal_symbol(Runner *x, const char *name) {
  for (SymbolId i = 1; i < x->pool.symbols.count; i++) {
    if (strcmp(pool_symbol_get(&x->pool, i)->name, name) == 0) return i;
  }
  return pool_symbol(&x->pool, name, sym_signal, 0, 0);
}

static bool build_rows(Runner *x) {
  ExprPool *pool = &x->pool;
  Columns c = {.arena = x->arena};
  const Model *m = x->m;
  for (uint32_t i = 0; i < m->outputs.count; i++) put_column(&c, m->outputs.items[i].name, m->outputs.items[i].value);
  if (m->outputs.count == 0) put_motion(x, &c);
  if (x->settings->all) {
    put_motion(x, &c);
    for (uint32_t i = 0; i < m->inputs.count; i++) put_column(&c, m->inputs.items[i].name, expr_sym(pool, m->inputs.items[i].symbol));
    for (uint32_t i = 0; i < m->signals.count; i++) put_column(&c, m->signals.items[i].name, m->signals.items[i].value);
  }
  x->shown = c.names.count;
  put_motion(x, &c); // final values name the motion as well
  x->column_count = c.names.count;
  x->columns = c.names.items;
  x->watch_at = x->column_count;
  for (uint32_t i = 0; i < x->settings->watch_count; i++) vec_push(x->arena, &c.values, x->settings->watch[i]);
  x->energy_at = x->column_count + x->settings->watch_count;
  const SystemEnergy *e = &x->s.energy;
  vec_push(x->arena, &c.values, e->kinetic);
  vec_push(x->arena, &c.values, e->potential);
  vec_push(x->arena, &c.values, e->stored);
  // energy.kinetic and the like stand for their expressions; the two quadratures are variables
  SymbolId dissipated = signal_symbol(x, "energy.dissipated"), supplied = signal_symbol(x, "energy.supplied");
  SymbolId kinetic = signal_symbol(x, "energy.kinetic"), potential = signal_symbol(x, "energy.potential"), stored = signal_symbol(x, "energy.stored");
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, kinetic, e->kinetic);
  symbol_map_set(&map, potential, e->potential);
  symbol_map_set(&map, stored, e->stored);
  ExprId *values = arena_array(x->arena, c.values.count, sizeof *values);
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + 4, sizeof *vars);
  if (!values || !vars || !expr_replace(pool, &map, c.values.items, c.values.count, values)) return false;
  uint32_t count = put_vars(x, vars);
  vars[count++] = dissipated;
  vars[count++] = supplied;
  x->rows = tape_build(x->arena, &(TapeWish){.system = &x->s, .vars = vars, .var_count = count, .results = values, .result_count = c.values.count, .large = x->large});
  x->rw = new_workspace(x, x->rows);
  x->row = arena_array(x->arena, (size_t)x->column_count + x->settings->watch_count + 8, sizeof *x->row);
  return x->rw && x->row;
}

// ---- native code

// A fixed step tells the evaluations beforehand, otherwise they are counted as they come.
static void choose_backend(Runner *x, const OdeSettings *ode) {
  x->code = (Compiled){.tape = x->f, .rates = true, .self = x->settings->self, .interrupted = x->settings->interrupted};
  compiled_choose(&x->code, x->wanted, x->r->fixed ? (ode->t1 - ode->t0) / ode->step * ode_order(ode->method) : NAN);
}

// ---- callbacks of the integrator

static bool right_side(void *self, double t, const double *y, double *dydt) {
  Runner *x = self;
  const Tape *f = x->f;
  compiled_count(&x->code, x->arena);
  if (x->code.native) return native_rates(x->code.native, t, y, dydt, x->fw);
  double *var = tape_vars(f, x->fw);
  uint32_t body = 2 * x->n + x->states;
  var[0] = t;
  memcpy(var + 1, y, body * sizeof *y);
  tape_eval(f, x->fw);
  double sum = 0;
  for (uint32_t i = 0; i < f->output_count; i++) {
    double v = tape_result(f, x->fw, i);
    dydt[i] = v;
    sum += v - v; // stays 0 unless something is not finite
  }
  return sum == 0;
}

// An entry without a finite value (the slope of a root at zero) counts as 0; the error estimate sees the difference.
static void eval_jacobian(void *self, double t, const double *y, double *entries) {
  Runner *x = self;
  double *var = tape_vars(x->j->tape, x->jw);
  var[0] = t;
  memcpy(var + 1, y, x->dim * sizeof *y);
  compiled_count(&x->jacobian_code, x->arena);
  compiled_eval(&x->jacobian_code, x->jw);
  for (uint32_t i = 0; i < x->j->count; i++) {
    double v = tape_result(x->j->tape, x->jw, i);
    entries[i] = isfinite(v) ? v : 0;
  }
}

static const OdeJacobian *get_jacobian(void *self) {
  Runner *x = self;
  if (x->j) return &x->jacobian;
  x->j = tape_jacobian(x->arena, &x->s, (ExprId[]){x->s.energy.dissipated, x->s.energy.supplied}, 2, x->large);
  x->jw = x->j ? new_workspace(x, x->j->tape) : NULL;
  if (!x->jw) return NULL;
  x->jacobian_code = (Compiled){.tape = x->j->tape, .self = x->settings->self, .interrupted = x->settings->interrupted};
  compiled_choose(&x->jacobian_code, x->wanted, NAN);
  x->jacobian = (OdeJacobian){x->j->start, x->j->row, x->j->count, eval_jacobian};
  return &x->jacobian;
}

static void account(Runner *x, double stored, double kinetic, double dissipated, double supplied) {
  if (!x->first) {
    x->first = true;
    x->initial = stored;
  }
  double residue = stored + dissipated - supplied - x->initial;
  // where nothing moves, a thousandth of what is stored is the scale
  double sizes[] = {fabs(stored - x->initial), fabs(kinetic), fabs(dissipated), fabs(supplied), 1e-3 * fabs(stored)};
  for (int i = 0; i < 5; i++) x->scale = sizes[i] > x->scale ? sizes[i] : x->scale;
  if (!(fabs(residue) <= fabs(x->worst))) x->worst = residue;
  x->r->final_residue = residue;
  x->r->stored = stored;
  x->r->dissipated = dissipated;
  x->r->supplied = supplied;
}

// Half the step: compares with the kept rows of the first run.
static void compare_row(Runner *x, double t, const double *y) {
  uint32_t width = x->dim;
  uint64_t at = x->row_index * width;
  for (uint32_t i = 0; i < width && at + i < x->kept.count; i++) {
    double d = fabs(y[i] - x->kept.items[at + i]);
    if (d <= x->r->difference) continue;
    x->r->difference = d;
    x->r->difference_time = t;
    bool coord = i < x->n, velocity = i < 2 * x->n;
    SymbolId s = coord ? x->m->coords.items[i].q : velocity ? x->m->coords.items[i - x->n].v : x->m->states.items[i - 2 * x->n].x;
    x->r->difference_name = pool_symbol_get(&x->pool, s)->name;
  }
}

static bool take_row(void *self, double t, const double *y) {
  Runner *x = self;
  if (x->compare) {
    compare_row(x, t, y);
    x->row_index++;
    return true;
  }
  double *var = tape_vars(x->rows, x->rw);
  var[0] = t;
  memcpy(var + 1, y, (x->dim + 2) * sizeof *y);
  tape_eval(x->rows, x->rw);
  double *row = x->row;
  row[0] = t;
  for (uint32_t i = 0; i < x->column_count; i++) row[1 + i] = tape_result(x->rows, x->rw, i);
  uint32_t shown = 1 + x->shown;
  double kinetic = tape_result(x->rows, x->rw, x->energy_at), potential = tape_result(x->rows, x->rw, x->energy_at + 1);
  double stored = tape_result(x->rows, x->rw, x->energy_at + 2);
  if (x->s.energy.kept) account(x, stored, kinetic, y[x->dim], y[x->dim + 1]);
  memcpy(x->r->values, row + 1, x->column_count * sizeof *row);
  if (x->keep) {
    for (uint32_t i = 0; i < x->dim; i++) vec_push(x->arena, &x->kept, y[i]);
  }
  x->r->rows++;
  x->r->t = t;
  bool kept = x->s.energy.kept;
  const double more[6] = {kinetic, potential, stored, y[x->dim], y[x->dim + 1], stored + y[x->dim] - y[x->dim + 1] - x->initial};
  bool ok = true;
  if (x->sink && x->sink->row) {
    if (x->settings->energy) {
      memcpy(row + shown, more, sizeof more);
      shown += 6;
    }
    ok = x->sink->row(x->sink->self, row, shown);
  }
  const Sink *watcher = x->settings->watcher;
  if (ok && watcher && watcher->row) {
    uint32_t count = x->settings->watch_count;
    for (uint32_t i = 0; i < count; i++) row[1 + i] = tape_result(x->rows, x->rw, x->watch_at + i);
    for (uint32_t i = 0; i < 6; i++) row[1 + count + i] = kept ? more[i] : NAN;
    ok = watcher->row(watcher->self, row, (size_t)count + 7);
  }
  if (!ok) x->r->status = run_sink_failed;
  return ok;
}

static double stored_at(Runner *x, double t, const double *y) {
  double *var = tape_vars(x->rows, x->rw);
  var[0] = t;
  memcpy(var + 1, y, (x->dim + 2) * sizeof *y);
  tape_eval(x->rows, x->rw);
  return tape_result(x->rows, x->rw, x->energy_at + 2);
}

// What an input that jumps inside a spring adds to the stored energy was supplied by it.
static void take_jump(void *self, double left, double right, double *y) {
  Runner *x = self;
  if (x->s.energy.kept) y[x->dim + 1] += stored_at(x, right, y) - stored_at(x, left, y);
}

static bool after_step(void *self, double t, uint64_t steps) {
  Runner *x = self;
  // a step of a large model can take seconds, one of a small model less than the questions
  if (x->dim < 16 && steps % 16) return true;
  if (steps % 256 == 0 && x->settings->progress) x->settings->progress(x->settings->self, t, x->r->to);
  if (x->settings->interrupted && x->settings->interrupted(x->settings->self)) {
    x->r->status = run_interrupted;
    return false;
  }
  return true;
}

// ---- settings

static bool choose_method(Runner *x, Diags *diags, OdeSettings *ode) {
  RunResult *r = x->r;
  OdeMethod *method = &ode->method;
  const char *name = x->settings->method ? x->settings->method : x->m->simulate.method ? x->m->simulate.method : "auto";
  if (strcmp(name, "auto") == 0) {
    ode->automatic = true;
    *method = r->rtol <= 1e-5 ? ode_dop853 : ode_dopri5;
    r->reason = r->rtol <= 1e-5 ? "auto: order 8 for a tight tolerance" : "auto: order 5 for a loose tolerance";
  } else if (!ode_method_find(name, method)) {
    Span span = x->settings->method ? (Span){0} : x->m->simulate.span;
    diag_error(diags, diag_unknown_method, span, "unknown method `%s`", name);
    diag_hint(diags, "there are `euler heun bs3 rk4` with a fixed step, `dopri5 dop853` with their own, `rodas bdf` for stiff motion, and `auto`");
    return false;
  }
  r->method = ode_method_name(*method);
  r->fixed = ode_is_fixed(*method);
  return true;
}

static bool positive(Diags *diags, double value, const char *what) {
  if (isfinite(value) && value > 0) return true;
  diag_error(diags, diag_bad_setting, (Span){0}, "%s must be a positive number", what);
  return false;
}

static bool settle(Runner *x, Diags *diags, const double times[3], OdeSettings *ode) {
  const RunSettings *s = x->settings;
  RunResult *r = x->r;
  r->rtol = isnan(s->rtol) ? 1e-11 : s->rtol;
  r->by_scale = isnan(s->atol);
  r->atol = !r->by_scale ? s->atol : isnan(s->rtol) ? 1e-13 : r->rtol / 100;
  bool ok = choose_method(x, diags, ode);
  r->to = !isnan(s->to) ? s->to : !isnan(times[0]) ? times[0] : 10;
  double step = !isnan(s->step) ? s->step : times[1], every = !isnan(s->every) ? s->every : times[2];
  // a new --step spaces the rows as well, whatever `every` the file has
  if (!isnan(s->step) && isnan(s->every)) every = s->step;
  r->step = !isnan(step) ? step : r->fixed ? (isnan(every) ? r->to / 1000 : every) : NAN;
  r->every = !isnan(every) ? every : !isnan(step) ? step : r->to / (s->fine ? 1000 : 100);
  if (s->finer && !r->fixed) r->every = fmin(r->every, r->to / 2000);
  ok = positive(diags, r->to, "the end time") && ok;
  if (!isnan(every) && every != step) ok = positive(diags, r->every, "the spacing of the rows") && ok;
  if (r->fixed || !isnan(step)) ok = positive(diags, r->step, "the step") && ok;
  ok = positive(diags, r->rtol, "the relative tolerance") && ok;
  if (!(isfinite(r->atol) && r->atol >= 0)) ok = positive(diags, r->atol, "the absolute tolerance") && ok;
  if (s->check_step && ok && !r->fixed) {
    diag_error(diags, diag_bad_setting, (Span){0}, "--check-step is for methods with a fixed step, and `%s` takes its own", r->method);
    diag_hint(diags, "compare with a smaller `--rtol`, or take `--method rk4`");
    ok = false;
  }
  if (ok && r->to / r->every > 1e9) {
    diag_error(diags, diag_bad_setting, (Span){0}, "more than 1000000000 rows");
    ok = false;
  }
  if (s->backend && !backend_find(s->backend, &x->wanted)) {
    diag_error(diags, diag_bad_setting, (Span){0}, "there is no back end `%s`", s->backend);
    diag_hint(diags, "there are `interp`, `tcc`, `cc` and `auto`");
    ok = false;
  }
  if (s->energy && !x->s.energy.kept) {
    diag_error(diags, diag_bad_setting, (Span){0}, "--energy needs a model with energies");
    ok = false;
  }
  ode->t0 = 0;
  ode->t1 = r->to;
  ode->step = r->step;
  ode->every = r->every;
  ode->rtol = r->rtol;
  ode->atol = r->atol;
  ode->by_scale = r->by_scale;
  ode->most_steps = s->most_steps ? s->most_steps : 100000000;
  return ok;
}

// What `auto` did on the way.
static void tell_changes(Runner *x) {
  RunResult *r = x->r;
  const OdeResult *o = &r->ode;
  if (!o->changes) return;
  const char *first = r->method;
  r->method = ode_method_name(o->method);
  if (o->changes == 1) r->reason = arena_printf(x->arena, "auto: stiff from t = %.6g on, %s before", o->stiff_at, first);
  else r->reason = arena_printf(x->arena, "auto: %s and rodas by turns, stiff first at t = %.6g, %u changes", first, o->stiff_at, o->changes);
}

// ---- failures in words

static void explain(Runner *x, const OdeResult *o, const double *y) {
  RunResult *r = x->r;
  char at[number_text_size];
  number_print(o->t, at);
  r->status = run_failed;
  if (o->status == ode_many_steps) {
    r->message = arena_printf(x->arena, "stopped at t = %s: %llu steps were not enough; the motion may be stiff", at, (unsigned long long)(o->steps + o->rejected));
    return;
  }
  if (o->status == ode_stuck) {
    r->message = arena_printf(x->arena, "stopped at t = %s: thousands of steps do not get on; the motion chatters there (a `sign` or `if` that switches to and fro), or is very stiff", at);
    return;
  }
  if (o->status == ode_no_memory) {
    r->status = run_no_memory;
    return;
  }
  if (o->status == ode_no_module) {
    r->message = "the method `bdf` needs libviva-solvers.so beside the library, and SUNDIALS 6.4; `rodas` needs neither";
    return;
  }
  // look for the operation that fails: at the last state, else a little further along its motion; interpreted
  x->code.native = NULL;
  x->code.next = UINT64_MAX;
  if (!build_f(x, true)) {
    r->status = run_no_memory;
    return;
  }
  double *var = tape_vars(x->f, x->fw), *dydt = arena_array(x->arena, (size_t)x->dim + 2, sizeof *dydt);
  TapeFault fault = {0};
  bool finite = dydt && right_side(x, o->t, y, dydt);
  double hop = finite ? 1e-9 * fmax(fabs(r->to), 1e-3) : 0;
  for (int i = 0; i < 40 && !fault.found && dydt; i++) {
    var[0] = o->t + hop;
    for (uint32_t k = 0; k < x->dim; k++) var[1 + k] = y[k] + hop * dydt[k];
    fault = tape_diagnose(x->f, x->fw);
    hop *= 2;
    if (!finite) break;
  }
  if (fault.found) {
    bool singular = strstr(fault.what, "singular") != NULL;
    const char *operand = singular ? "" : arena_printf(x->arena, " (%.3g)", fault.operand);
    r->message = arena_printf(x->arena, "stopped at t = %s: %s%s%s%s", at, fault.what, operand ? operand : "",
                              fault.origin.label ? ", in " : "", fault.origin.label ? fault.origin.label : "");
    r->place = fault.origin.span;
  } else {
    r->message = arena_printf(x->arena, "stopped at t = %s: the step size vanished; the motion has a singularity there, or jumps", at);
  }
}

// ---- the whole

static bool send_header(Runner *x) {
  static const char *const energy[] = {"energy.kinetic", "energy.potential", "energy.stored", "energy.dissipated", "energy.supplied", "energy.residue"};
  if (!x->sink || !x->sink->header) return true;
  const char **names = arena_array(x->arena, (size_t)x->shown + 8, sizeof *names);
  if (!names) return false;
  uint32_t count = 0;
  names[count++] = "t";
  for (uint32_t i = 0; i < x->shown; i++) names[count++] = x->columns[i];
  for (uint32_t i = 0; x->settings->energy && i < 6; i++) names[count++] = energy[i];
  if (x->sink->header(x->sink->self, names, count)) return true;
  x->r->status = run_sink_failed;
  return false;
}

static void check_half_step(Runner *x, const OdeProblem *problem, OdeSettings ode, double *y) {
  x->compare = true;
  x->row_index = 0;
  ode.step /= 2;
  memcpy(y, x->start, x->dim * sizeof *y);
  y[x->dim] = y[x->dim + 1] = 0;
  OdeObserver observer = {x, take_row, NULL, take_jump};
  OdeResult half = ode_solve(x->arena, problem, &ode, y, &observer);
  x->r->checked = half.status == ode_done;
  // relative to the largest value that the same column took
  double largest = 0;
  for (uint32_t i = 0; i < x->dim && x->r->difference_name; i++) {
    SymbolId s = i < x->n ? x->m->coords.items[i].q : i < 2 * x->n ? x->m->coords.items[i - x->n].v : x->m->states.items[i - 2 * x->n].x;
    if (strcmp(pool_symbol_get(&x->pool, s)->name, x->r->difference_name) != 0) continue;
    for (uint32_t k = i; k < x->kept.count; k += x->dim) largest = fmax(largest, fabs(x->kept.items[k]));
  }
  x->r->difference_relative = largest > 0 ? x->r->difference / largest : 0;
}

// ---- for studies that make many runs

// Memory is out, or expressions grew too large, which is told.
static RunStatus plan_fails(const Runner *x, Diags *diags) {
  if (arena_failed(x->arena) || !x->pool.limit) return run_no_memory;
  diag_error(diags, diag_bad_setting, (Span){0}, "the expressions of this run grow too large");
  return run_input;
}

RunStatus run_plan(Arena *arena, const System *system, const RunSettings *settings, Diags *diags, RunPlan *p, Backend *backend) {
  RunResult result = {.status = run_done};
  Runner runner = {.arena = arena, .m = system->model, .settings = settings, .r = &result}, *x = &runner;
  double times[3];
  x->n = system->coord_count;
  x->states = system->state_count;
  x->dim = 2 * x->n + x->states;
  x->params = arena_array(arena, (size_t)system->model->params.count + 1, sizeof *x->params);
  x->start = arena_array(arena, (size_t)x->dim + 2, sizeof *x->start);
  if (!x->params || !x->start || !system_clone(&x->s, system, &x->pool, arena) || !find_values(x, diags, times)) return plan_fails(x, diags);
  *p = (RunPlan){.n = x->n, .states = x->states, .dim = x->dim, .param_count = system->model->params.count, .params = x->params, .start = x->start};
  if (!settle(x, diags, times, &p->ode) || diags->errors) return run_input;
  find_large(x);
  p->state_names = arena_array(arena, (size_t)x->dim + 1, sizeof *p->state_names);
  if (!p->state_names || !build_f(x, false) || !build_rows(x)) return plan_fails(x, diags);
  for (uint32_t i = 0; i < x->n; i++) {
    p->state_names[i] = x->m->coords.items[i].name;
    p->state_names[x->n + i] = pool_symbol_get(&x->pool, x->m->coords.items[i].v)->name;
  }
  for (uint32_t i = 0; i < x->states; i++) p->state_names[2 * x->n + i] = x->m->states.items[i].name;
  p->f = x->f;
  p->rows = x->rows;
  p->large = x->large;
  p->columns = x->columns;
  p->column_count = x->column_count;
  p->stored_at = x->energy_at + 2;
  *backend = x->wanted;
  p->pool = x->pool;
  p->s = x->s;
  p->s.pool = &p->pool; // the pool moved with the plan
  return run_done;
}

const Tape *run_values(Arena *arena, RunPlan *p, const SymbolId *vars, uint32_t var_count) {
  const Model *m = p->s.model;
  ExprId *wanted = arena_array(arena, (size_t)p->param_count + p->dim + 1, sizeof *wanted);
  uint32_t k = 0;
  if (!wanted) return NULL;
  for (uint32_t i = 0; i < p->param_count; i++) wanted[k++] = expr_sym(&p->pool, m->params.items[i].symbol);
  for (uint32_t i = 0; i < p->n; i++) wanted[k++] = m->coords.items[i].q0;
  for (uint32_t i = 0; i < p->n; i++) wanted[k++] = p->s.first_order[i] ? p->pool.zero : m->coords.items[i].v0;
  for (uint32_t i = 0; i < p->states; i++) wanted[k++] = m->states.items[i].x0;
  return tape_build(arena, &(TapeWish){.system = &p->s, .vars = vars, .var_count = var_count, .results = wanted, .result_count = k, .params_by_value = true});
}

struct RunWorker {
  Runner x;
  RunResult r;
  OdeSettings ode;
};

static bool keep_row(void *self, double t, const double *y) {
  Runner *x = self;
  x->r->t = t;
  memcpy(x->row, y, ((size_t)x->dim + 2) * sizeof *y);
  return true;
}

RunWorker *run_worker(Arena *arena, const RunPlan *p, const RunSettings *settings, const Native *native) {
  RunWorker *w = arena_new_of(arena, RunWorker);
  if (!w) return NULL;
  Runner *x = &w->x;
  *x = (Runner){.arena = arena, .m = p->s.model, .settings = settings, .r = &w->r, .n = p->n, .states = p->states, .dim = p->dim,
                .f = p->f, .rows = p->rows, .large = p->large, .wanted = backend_interp, .energy_at = p->stored_at - 2};
  x->code = (Compiled){.tape = p->f, .native = native, .next = UINT64_MAX};
  w->ode = p->ode;
  x->params = arena_array(arena, (size_t)p->param_count + 1, sizeof *x->params);
  x->fw = arena_array(arena, p->f->slot_count, sizeof *x->fw);
  x->rw = arena_array(arena, p->rows->slot_count, sizeof *x->rw);
  x->row = arena_array(arena, (size_t)p->dim + 2, sizeof *x->row);
  return x->row && x->params && x->fw && x->rw && system_clone(&x->s, &p->s, &x->pool, arena) ? w : NULL;
}

static void new_params(const Runner *x, const Tape *t, double *w) {
  memcpy(w, x->params, t->param_count * sizeof *w);
  tape_prepare(t, w);
}

OdeResult run_sample(RunWorker *w, Arena *arena, const double *params, double *y) {
  Runner *x = &w->x;
  w->r = (RunResult){.to = w->ode.t1};
  memcpy(x->params, params, x->m->params.count * sizeof *params);
  new_params(x, x->f, x->fw);
  new_params(x, x->rows, x->rw);
  if (x->jw) new_params(x, x->j->tape, x->jw);
  if (!ode_is_fixed(w->ode.method) && !find_breaks(arena, &x->s, x->params, w->ode.t0, w->ode.t1, &w->ode.breaks)) return (OdeResult){.status = ode_no_memory};
  OdeProblem problem = {x->dim + 2, x->dim, x, right_side, get_jacobian, !x->s.energy.kept};
  OdeObserver observer = {x, keep_row, after_step, take_jump};
  OdeResult r = ode_solve(arena, &problem, &w->ode, y, &observer);
  if (r.status == ode_done) memcpy(y, x->row, ((size_t)x->dim + 2) * sizeof *y);
  return r;
}

// ---- one run

// A stage that gave nothing: memory is out, or expressions grew too large.
static RunResult give_up(const Runner *x) {
  RunResult r = *x->r;
  r.status = run_no_memory;
  if (arena_failed(x->arena) || !x->pool.limit) return r;
  r.status = run_failed;
  r.message = "the expressions of this run grow too large";
  return r;
}

RunResult run_model(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink, Diags *diags) {
  RunResult result = {.status = run_done}, *r = &result;
  Runner runner = {.arena = arena, .m = system->model, .settings = settings, .r = r, .sink = sink}, *x = &runner;
  struct timespec start, stop;
  clock_gettime(CLOCK_MONOTONIC, &start);
  x->n = system->coord_count;
  x->states = system->state_count;
  x->dim = 2 * x->n + x->states;
  x->params = arena_array(arena, system->model->params.count, sizeof *x->params);
  x->start = arena_array(arena, (size_t)x->dim + 2, sizeof *x->start);
  double *y = arena_array(arena, (size_t)x->dim + 2, sizeof *y), times[3];
  OdeSettings ode = {0};
  if (!x->params || !x->start || !y || !system_clone(&x->s, system, &x->pool, arena) || !find_values(x, diags, times)) {
    return give_up(x);
  }
  if (!settle(x, diags, times, &ode) || diags->errors) {
    r->status = run_input;
    return result;
  }
  find_large(x);
  if (!build_f(x, false) || !build_rows(x) || !(r->values = arena_array(arena, x->column_count, sizeof *r->values))) {
    return give_up(x);
  }
  if (!r->fixed && !find_breaks(arena, &x->s, x->params, ode.t0, ode.t1, &ode.breaks)) {
    r->status = run_no_memory;
    return result;
  }
  r->names = x->columns;
  r->count = x->column_count;
  x->keep = settings->check_step;
  memcpy(y, x->start, x->dim * sizeof *y);
  if (!send_header(x)) return result;
  choose_backend(x, &ode);
  OdeProblem problem = {x->dim + 2, x->dim, x, right_side, get_jacobian, !x->s.energy.kept};
  OdeObserver observer = {x, take_row, after_step, take_jump};
  r->ode = ode_solve(arena, &problem, &ode, y, &observer);
  tell_changes(x);
  if (r->ode.status != ode_done && r->ode.status != ode_stopped) explain(x, &r->ode, y);
  if (r->status == run_interrupted) {
    char at[number_text_size];
    number_print(r->ode.t, at);
    r->message = arena_printf(arena, "interrupted at t = %s", at);
  }
  r->energy = x->s.energy.kept;
  r->residue = x->worst;
  r->initial = x->initial;
  r->relative = x->scale > 0 ? fabs(x->worst) / x->scale : 0;
  if (settings->check_step && r->status == run_done) check_half_step(x, &problem, ode, y);
  r->backend = x->code.backend;
  r->backend_note = x->code.note;
  compiled_free(&x->code);
  compiled_free(&x->jacobian_code);
  clock_gettime(CLOCK_MONOTONIC, &stop);
  r->wall = (double)(stop.tv_sec - start.tv_sec) + 1e-9 * (double)(stop.tv_nsec - start.tv_nsec);
  return result;
}
