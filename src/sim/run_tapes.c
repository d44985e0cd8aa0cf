// What a run evaluates: its tapes, native code for the right-hand side, the Jacobian.
#include "sim/runner.h"

#include "expr/calculus.h"
#include "solve/module.h"

#include <math.h>
#include <string.h>

// ---- values known before the run

// Parameters, starting values and the times of `simulate`, by one tape without variables.
bool run_find_values(Runner *x, Diags *diags, double times[3]) {
  const System *m = x->m;
  uint32_t p = m->params.count, held = x->s.held.count, total = p + x->dim + held + 3 + m->demands.count, k = 0;
  ExprId *wanted = arena_array(x->arena, total, sizeof *wanted);
  if (!wanted) return false;
  for (uint32_t i = 0; i < p; i++) wanted[k++] = expr_sym(&x->pool, m->params.items[i].symbol);
  for (uint32_t i = 0; i < x->n; i++) wanted[k++] = m->coords.items[i].q0;
  for (uint32_t i = 0; i < x->n; i++) wanted[k++] = x->s.speeds[i].start;
  for (uint32_t i = 0; i < x->states; i++) wanted[k++] = m->states.items[i].x0;
  for (uint32_t i = 0; i < held; i++) wanted[k++] = x->s.held.items[i].start;
  const ExprId given[3] = {m->simulate.to, m->simulate.step, m->simulate.every};
  for (uint32_t i = 0; i < 3; i++) wanted[k + i] = given[i] ? given[i] : x->pool.zero;
  for (uint32_t i = 0; i < m->demands.count; i++) wanted[k + 3 + i] = m->demands.items[i].wrong;
  const Tape *t = tape_build(x->arena, &(TapeWish){.system = &x->s,
                                                   .results = wanted,
                                                   .result_count = k + 3 + m->demands.count,
                                                   .params_by_value = true});
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
      for (uint32_t j = 0; j < i; j++)
        inherited =
            inherited || (!isfinite(x->params[j]) && expr_depends(&x->pool, q->value, m->params.items[j].symbol));
      if (!inherited) diag_error(diags, diag_bad_setting, q->span, "the parameter `%s` has no finite value", q->name);
    }
  }
  x->held = arena_array(x->arena, held, sizeof *x->held);
  x->held_start = arena_array(x->arena, held, sizeof *x->held_start);
  if (!x->held || !x->held_start) return false;
  for (uint32_t i = 0; i < held; i++) x->held[i] = x->held_start[i] = tape_result(t, w, k - held + i);
  for (uint32_t i = 0; i < k - p - held; i++) {
    x->start[i] = tape_result(t, w, p + i);
    bool coord = i < 2 * x->n;
    if (!isfinite(x->start[i]) && diags->errors == 0) {
      Span span = coord ? m->coords.items[i % (x->n ? x->n : 1)].span : m->states.items[i - 2 * x->n].span;
      const char *name = coord ? m->coords.items[i % (x->n ? x->n : 1)].name : m->states.items[i - 2 * x->n].name;
      diag_error(diags, diag_bad_setting, span, "the start of `%s` is not a finite number", name);
    }
  }
  for (uint32_t i = 0; i < 3; i++) times[i] = given[i] ? tape_result(t, w, k + i) : NAN;
  for (uint32_t i = 0; i < m->demands.count; i++) {
    const ModelCheck *d = &m->demands.items[i];
    if (tape_result(t, w, k + 3 + i) != 0) diag_error(diags, d->code, d->span, "%s", d->message);
  }
  return true;
}

// ---- tapes

uint32_t run_put_vars(const Runner *x, SymbolId *vars) {
  uint32_t k = 0;
  vars[k++] = x->m->time;
  // what is computed leaves its place empty
  for (uint32_t i = 0; i < x->n; i++) vars[k++] = x->s.order_zero[i] ? 0 : x->m->coords.items[i].q;
  for (uint32_t i = 0; i < x->n; i++) vars[k++] = x->s.speeds[i].symbol;
  for (uint32_t i = 0; i < x->states; i++) vars[k++] = x->m->states.items[i].x;
  return k;
}

double *run_workspace(Runner *x, const Tape *t) {
  double *w = t ? arena_array(x->arena, t->slot_count, sizeof *w) : NULL;
  if (!w) return NULL;
  memcpy(w, x->params, t->param_count * sizeof *w);
  tape_prepare(t, w);
  run_set_held(x, t, w);
  return w;
}

// A large block is solved by LAPACK, where it is there.
void run_find_large(Runner *x) {
  for (uint32_t i = 0; i < x->s.blocks.count && !x->large; i++) {
    if (x->s.blocks.items[i].count < tape_large_size) continue;
    const SolveModule *module = module_load();
    if (!module) return;
    x->large = module->dense;
  }
}

bool run_build_f(Runner *x, bool origins) {
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + x->s.held.count + 4, sizeof *vars);
  ExprId *results = arena_array(x->arena, (size_t)x->dim + x->n + 4, sizeof *results);
  if (!vars || !results) return false;
  uint32_t count = run_put_held(x, vars, run_put_vars(x, vars)), k = 0;
  for (uint32_t i = 0; i < x->n; i++)
    results[k++] = x->s.order_zero[i] ? x->pool.zero : expr_sym(&x->pool, x->m->coords.items[i].v);
  for (uint32_t i = 0; i < x->n; i++)
    results[k++] = x->s.speeds[i].rate ? expr_sym(&x->pool, x->s.speeds[i].rate) : x->pool.zero;
  for (uint32_t i = 0; i < x->states; i++) results[k++] = expr_sym(&x->pool, x->m->states.items[i].rate);
  results[k++] = x->s.energy.flows.items[flow_dissipated].power;
  results[k++] = x->s.energy.flows.items[flow_supplied].power;
  x->f = tape_build(x->arena, &(TapeWish){.system = &x->s,
                                          .vars = vars,
                                          .var_count = count,
                                          .held_count = x->s.held.count,
                                          .results = results,
                                          .result_count = k,
                                          .origins = origins,
                                          .large = x->large,
                                          .known = origins ? NULL : x->known});
  x->fw = run_workspace(x, x->f);
  if (!x->fw || x->ahead || !run_build_held(x)) return x->fw && x->ahead;
  x->aw = x->ahead ? run_workspace(x, x->ahead) : NULL;
  return !x->ahead || x->aw;
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
  for (uint32_t i = 0; i < x->n; i++)
    put_column(c, x->m->coords.items[i].name, expr_sym(pool, x->m->coords.items[i].q));
  for (uint32_t i = 0; i < x->n; i++) {
    SymbolId v = x->m->coords.items[i].v;
    put_column(c, pool_symbol_get(pool, v)->name, expr_sym(pool, v));
  }
  for (uint32_t i = 0; i < x->states; i++) {
    if (!x->m->states.items[i].hidden)
      put_column(c, x->m->states.items[i].name, expr_sym(pool, x->m->states.items[i].x));
  }
  for (uint32_t i = 0; i < x->m->unknowns.count; i++) {
    const ModelUnknown *z = &x->m->unknowns.items[i];
    if (!z->chain) put_column(c, z->name, expr_sym(pool, z->symbol));
  }
}

// Outputs of blocks with memory that have no name of their own in the text.
static void put_blocks(Runner *x, Columns *c) {
  const System *m = x->m;
  ExprPool *pool = &x->pool;
  bool *named = arena_array(x->arena, pool->nodes.count, sizeof *named); // by expression: a signal shows it
  if (!named) return;
  for (uint32_t i = 0; i < m->signals.count; i++) named[m->signals.items[i].value] = true;
  for (uint32_t i = 0; i < x->states; i++) {
    ExprId id = expr_sym(pool, m->states.items[i].x);
    if (m->states.items[i].hidden && !named[id]) put_column(c, m->states.items[i].name, id);
  }
  for (uint32_t i = 0; i < m->memories.count; i++) {
    ExprId id = expr_sym(pool, m->memories.items[i].symbol);
    if (!m->memories.items[i].located && !named[id]) put_column(c, m->memories.items[i].name, id);
  }
  for (uint32_t i = 0; i < m->delays.count; i++) {
    ExprId id = expr_sym(pool, m->delays.items[i].symbol);
    if (!named[id]) put_column(c, m->delays.items[i].name, id);
  }
  for (uint32_t i = 0; i < m->block_outputs.count; i++) {
    if (!named[m->block_outputs.items[i].value])
      put_column(c, m->block_outputs.items[i].name, m->block_outputs.items[i].value);
  }
  for (uint32_t i = 0; i < m->frictions.count; i++) {
    ExprId id = expr_sym(pool, m->frictions.items[i].symbol);
    if (!named[id]) put_column(c, m->frictions.items[i].name, id);
  }
}

static bool shows_nothing(const Runner *x) {
  bool any = x->n > 0;
  for (uint32_t i = 0; i < x->states; i++) any = any || !x->m->states.items[i].hidden;
  return !any;
}

// The symbols of energy.dissipated and energy.supplied, made where the text has none.
static SymbolId signal_symbol(Runner *x, const char *name) {
  for (SymbolId i = 1; i < x->pool.symbols.count; i++) {
    if (strcmp(pool_symbol_get(&x->pool, i)->name, name) == 0) return i;
  }
  return pool_symbol(&x->pool, name, sym_signal, 0, 0);
}

bool run_build_rows(Runner *x) {
  ExprPool *pool = &x->pool;
  Columns c = {.arena = x->arena};
  const System *m = x->m;
  for (uint32_t i = 0; i < m->outputs.count; i++) put_column(&c, m->outputs.items[i].name, m->outputs.items[i].value);
  if (m->outputs.count == 0) put_motion(x, &c);
  bool diagram = m->outputs.count == 0 && shows_nothing(x); // a diagram of `let`s alone
  for (uint32_t i = 0; diagram && i < m->signals.count; i++)
    put_column(&c, m->signals.items[i].name, m->signals.items[i].value);
  if (x->settings->all) {
    put_motion(x, &c);
    for (uint32_t i = 0; i < m->inputs.count; i++)
      put_column(&c, m->inputs.items[i].name, expr_sym(pool, m->inputs.items[i].symbol));
    for (uint32_t i = 0; i < m->signals.count; i++) put_column(&c, m->signals.items[i].name, m->signals.items[i].value);
    put_blocks(x, &c);
  }
  x->shown = c.names.count;
  put_motion(x, &c); // final values name the motion as well
  x->column_count = c.names.count;
  x->columns = c.names.items;
  x->watch_at = x->column_count;
  for (uint32_t i = 0; i < x->settings->watch_count; i++) vec_push(x->arena, &c.values, x->settings->watch[i]);
  x->energy_at = x->column_count + x->settings->watch_count;
  for (uint32_t i = 0; x->h && i < c.values.count; i++) c.values.items[i] = hybrid_of(x->h, c.values.items[i]);
  const SystemEnergy *e = &x->s.energy;
  vec_push(x->arena, &c.values, e->kinetic);
  vec_push(x->arena, &c.values, e->potential);
  vec_push(x->arena, &c.values, e->stored);
  // energy.kinetic and the like stand for their expressions; the two quadratures are variables
  SymbolId dissipated = signal_symbol(x, "energy.dissipated"), supplied = signal_symbol(x, "energy.supplied");
  SymbolId kinetic = signal_symbol(x, "energy.kinetic"), potential = signal_symbol(x, "energy.potential"),
           stored = signal_symbol(x, "energy.stored");
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, kinetic, e->kinetic);
  symbol_map_set(&map, potential, e->potential);
  symbol_map_set(&map, stored, e->stored);
  ExprId *values = arena_array(x->arena, c.values.count, sizeof *values);
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + x->s.held.count + 4, sizeof *vars);
  if (!values || !vars || !expr_replace(pool, &map, c.values.items, c.values.count, values)) return false;
  uint32_t count = run_put_vars(x, vars);
  vars[count++] = dissipated;
  vars[count++] = supplied;
  count = run_put_held(x, vars, count);
  x->rows = tape_build(x->arena, &(TapeWish){.system = &x->s,
                                             .vars = vars,
                                             .var_count = count,
                                             .held_count = x->s.held.count,
                                             .results = values,
                                             .result_count = c.values.count,
                                             .large = x->large});
  x->rw = run_workspace(x, x->rows);
  x->row = arena_array(x->arena, (size_t)x->column_count + x->settings->watch_count + 8, sizeof *x->row);
  return x->rw && x->row;
}

// ---- native code

// A fixed step tells the evaluations beforehand, otherwise they are counted as they come.
void run_choose_backend(Runner *x, const OdeSettings *ode) {
  x->code = (Compiled){.tape = x->f, .rates = true, .self = x->settings->self, .interrupted = x->settings->interrupted};
  compiled_choose(&x->code, x->wanted, x->r->fixed ? (ode->t1 - ode->t0) / ode->step * ode_order(ode->method) : NAN);
}

// ---- events

// Places of the variables of events, behind all others.
static double *modes_of(const Runner *x, const Tape *t, double *w) {
  return tape_vars(t, w) + t->var_count - x->h->z_count;
}

void run_new_modes(void *self) {
  Runner *x = self;
  const Hybrid *h = x->h;
  size_t size = h->z_count * sizeof *h->z;
  if (!size) return;
  memcpy(modes_of(x, x->f, x->fw), h->z, size);
  memcpy(modes_of(x, x->rows, x->rw), h->z, size);
  if (x->jw) memcpy(modes_of(x, x->j->tape, x->jw), h->z, size);
  if (x->aw) memcpy(modes_of(x, x->ahead, x->aw), h->z, size);
}

void run_see_modes(Runner *x, const Tape *tape, double *w, double t, const double *y) {
  Hybrid *h = x->h;
  if (h->old) hybrid_stage_begin(h, t);
  else if (hybrid_varies(h)) hybrid_given(h, t, y);
  else return;
  if (h->z_count) memcpy(modes_of(x, tape, w), h->z, h->z_count * sizeof *h->z);
}

static double stored_of(void *self, double t, const double *y) {
  Runner *x = self;
  return x->s.energy.kept ? run_stored(x, t, y) : 0;
}

static void connect_events(Runner *x) {
  Hybrid *h = x->h;
  h->self = x;
  h->held_values = x->held;
  h->f = run_right_side;
  h->changed = run_new_modes;
  h->stored = stored_of;
  // jumps stand upright in pictures; moving ones have rows enough
  if (x->settings->watcher && !x->settings->finer) h->watch = run_watch;
}

static bool build_events(Runner *x) {
  if (!hybrid_build(x->h, x->params, x->large)) return false;
  connect_events(x);
  return true;
}

bool run_copy_events(Runner *x, const Hybrid *h) {
  x->h = arena_new_of(x->arena, Hybrid);
  if (!x->h || !hybrid_copy(x->h, h, &x->s, x->arena)) return false;
  connect_events(x);
  return true;
}

bool run_prepare_events(Runner *x) {
  if (!hybrid_needed(&x->s)) return !arena_failed(x->arena);
  bool old = x->settings->no_events;
  x->h = arena_new_of(x->arena, Hybrid);
  return x->h && hybrid_rewrite(x->h, &x->s, x->params, old) && build_events(x);
}

OdeAction run_start_events(Runner *x, const OdeSettings *ode, double *y) {
  Hybrid *h = x->h;
  h->t0 = ode->t0;
  h->t1 = ode->t1;
  h->breaks = ode->breaks;
  if (x->resumed) return hybrid_resume(h, ode->start, y, ode->step, (uint32_t)ode_order(ode->method));
  if (h->old) return hybrid_start_old(h, ode->t0, y, ode->step, (uint32_t)ode_order(ode->method));
  return hybrid_start(h, ode_seen(x->late, ode->t0, ode->t0), y);
}

// ---- the problem

OdeProblem run_problem(Runner *x) {
  return (OdeProblem){
      .n = x->dim + 2,
      .checked = x->dim,
      .self = x,
      .f = run_right_side,
      .jacobian = run_jacobian,
      .still = !x->s.energy.kept,
      .accept = x->ahead ? run_accept : NULL,
      .events = x->h ? &x->h->events : NULL,
      .kinds = {x->n, 2 * x->n},
  };
}

// ---- callbacks of the integrator

enum { large_step = 256 };

bool run_right_side(void *self, double t, const double *y, double *dydt) {
  Runner *x = self;
  const Tape *f = x->f;
  if (x->dim >= large_step && run_is_interrupted(x)) return false; // a step of so many states may take seconds
  t = ode_seen(x->late, x->t_start, t);
  compiled_count(&x->code, x->arena);
  if (x->h) run_see_modes(x, f, x->fw, t, y);
  if (x->code.native) {
    bool finite = native_rates(x->code.native, t, y, dydt, x->fw);
    if (x->h && x->h->old) hybrid_stage_end(x->h, t, y);
    if (x->h && x->h->held_count) hybrid_rest(x->h, dydt);
    return finite;
  }
  double *var = tape_vars(f, x->fw);
  var[0] = t;
  memcpy(var + 1, y, x->dim * sizeof *y);
  tape_eval(f, x->fw);
  double sum = 0;
  for (uint32_t i = 0; i < f->output_count; i++) {
    double v = tape_result(f, x->fw, i);
    dydt[i] = v;
    sum += v - v; // stays 0 unless something is not finite
  }
  if (x->h && x->h->old) hybrid_stage_end(x->h, t, y);
  if (x->h && x->h->held_count) hybrid_rest(x->h, dydt);
  return sum == 0;
}

// An entry without a finite value (the slope of a root at zero) counts as 0; the error estimate sees the difference.
static void eval_jacobian(void *self, double t, const double *y, double *entries) {
  Runner *x = self;
  double *var = tape_vars(x->j->tape, x->jw);
  var[0] = ode_seen(x->late, x->t_start, t);
  memcpy(var + 1, y, x->dim * sizeof *y);
  compiled_count(&x->jacobian_code, x->arena);
  compiled_eval(&x->jacobian_code, x->jw);
  for (uint32_t i = 0; i < x->j->count; i++) {
    double v = tape_result(x->j->tape, x->jw, i);
    entries[i] = isfinite(v) ? v : 0;
  }
}

// The size of component c for a difference: the largest so far, else what it is about to move by, else that of its
// kind.
static double difference_size(const Runner *x, uint32_t c, const double *f0, const double *sizes) {
  if (sizes[c] > 0) return sizes[c];
  double size = fabs(f0[c]) * 1e-6 * (x->h->t1 - x->h->t0);
  uint32_t first = c < x->n       ? 0
                   : c < 2 * x->n ? x->n
                                  : 2 * x->n,
           last = c < x->n       ? x->n
                  : c < 2 * x->n ? 2 * x->n
                                 : x->dim;
  for (uint32_t i = first; size == 0 && i < last; i++) size = fmax(size, 1e-3 * sizes[i]);
  return size > 0 ? size : 1;
}

// In time forwards, on the side to which the motion goes: not across the next jump or corner, nor beyond what a delay
// has.
static double difference_time(const Runner *x, double t, double d) {
  const Hybrid *h = x->h;
  const OdeBreaks *b = &h->breaks;
  double next = h->events.next ? h->events.next(h->events.self, t) : INFINITY;
  for (uint32_t i = 0; i < b->count && b->times[i] < next; i++) {
    if (b->times[i] > t) next = b->times[i];
  }
  d = fmin(d, fmin(0.5 * (next - t), 0.5 * h->events.longest));
  return t + d > t ? t + d : t - 1.5e-8 * fabs(t);
}

// Delayed signals and values that hold vary with t and y beside the tape: differences instead, all entries.
static void eval_differences(void *self, double t, const double *y, double *entries) {
  Runner *x = self;
  uint32_t m = x->dim, n = m + 2;
  double *z = x->differences, *f0 = z + n, *f1 = f0 + n, *sizes = f1 + n;
  memcpy(z, y, n * sizeof *z);
  run_right_side(x, t, y, f0);
  for (uint32_t c = 0; c < m; c++) sizes[c] = fmax(sizes[c], fabs(y[c]));
  for (uint32_t c = 0; c <= m; c++) {
    double size = c < m ? difference_size(x, c, f0, sizes) : fmax(fabs(t), 1e-3 * (x->h->t1 - x->h->t0)),
           d = 1.5e-8 * size;
    double at = c < m ? t : difference_time(x, t, d);
    if (c < m) z[c] += d;
    bool ok = run_right_side(x, at, z, f1);
    if (c < m) {
      d = z[c] - y[c];
      z[c] = y[c];
    } else {
      d = at - t;
    }
    for (uint32_t r = 0; r < n; r++) {
      double v = ok ? (f1[r] - f0[r]) / d : 0;
      entries[(size_t)c * n + r] = isfinite(v) ? v : 0;
    }
  }
}

static const OdeJacobian *full_jacobian(Runner *x) {
  uint32_t m = x->dim, n = m + 2;
  uint32_t *start = arena_array(x->arena, (size_t)m + 2, sizeof *start),
           *row = arena_array(x->arena, (size_t)n * (m + 1), sizeof *row);
  x->differences = arena_array(x->arena, 4 * (size_t)n, sizeof *x->differences);
  if (!start || !row || !x->differences) return NULL;
  for (uint32_t c = 0; c <= m; c++) {
    start[c + 1] = (c + 1) * n;
    for (uint32_t r = 0; r < n; r++) row[c * n + r] = r;
  }
  x->jacobian = (OdeJacobian){start, row, (m + 1) * n, eval_differences};
  return &x->jacobian;
}

static bool asks_to_stop(void *self) { return run_is_interrupted(self); }

const OdeJacobian *run_jacobian(void *self) {
  Runner *x = self;
  if (x->j || x->differences) return &x->jacobian;
  if (x->h && (x->h->delay_count || hybrid_may_hold(x->h))) return full_jacobian(x);
  x->j = tape_jacobian_asked(
      x->arena, &x->s,
      (ExprId[]){x->s.energy.flows.items[flow_dissipated].power, x->s.energy.flows.items[flow_supplied].power}, 2,
      x->large, (TapeAsk){x, asks_to_stop});
  x->jw = x->j ? run_workspace(x, x->j->tape) : NULL;
  if (!x->jw) return NULL;
  x->jacobian_code = (Compiled){.tape = x->j->tape, .self = x->settings->self, .interrupted = x->settings->interrupted};
  compiled_choose(&x->jacobian_code, x->wanted, NAN);
  x->jacobian = (OdeJacobian){x->j->start, x->j->row, x->j->count, eval_jacobian};
  if (x->h) run_new_modes(x);
  return &x->jacobian;
}
