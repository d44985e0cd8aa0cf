// The motion of a model.
//
// The integrated vector is y = (q, v, x, dissipated, supplied); the last two are quadratures and never enter the error
// norm, so keeping the account changes no bit of the motion. Residue = stored + dissipated - supplied - initial.
#define _POSIX_C_SOURCE 200809L
#include "sim/runner.h"

#include "sim/breaks.h"

#include <math.h>
#include <string.h>
#include <time.h>

RunSettings run_defaults(void) { return (RunSettings){.to = NAN, .step = NAN, .every = NAN, .rtol = NAN, .atol = NAN}; }

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
    diag_hint(diags, "there are `euler heun bs3 rk4` with a fixed step, `dopri5 dop853` with their own, `rodas bdf` "
                     "for stiff motion, and `auto`");
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

// Tolerances that cannot be kept, or are for other methods.
static bool check_tolerances(const Runner *x, Diags *diags) {
  const RunSettings *s = x->settings;
  const RunResult *r = x->r;
  const double least = 1e-15; // a few roundings
  if (r->fixed && (!isnan(s->rtol) || !isnan(s->atol))) {
    diag_error(diags, diag_bad_setting, (Span){0},
               "%s is for methods that choose their steps, and `%s` takes a fixed one",
               isnan(s->rtol) ? "--atol" : "--rtol", r->method);
    diag_hint(diags, "set the precision by `--step`, or take `--method auto`");
    return false;
  }
  if (!(r->rtol > 0) || r->rtol >= least) return true;
  diag_error(diags, diag_bad_setting, (Span){0},
             "the relative tolerance must be at least 1e-15: numbers have 16 digits");
  return false;
}

static bool settle(Runner *x, Diags *diags, const double times[3], OdeSettings *ode) {
  const RunSettings *s = x->settings;
  RunResult *r = x->r;
  r->rtol = !isnan(s->rtol) ? s->rtol : hybrid_needed(&x->s) ? 1e-12 : 1e-11; // errors of the motion move its events
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
  ok = check_tolerances(x, diags) && ok;
  if (!(isfinite(r->atol) && r->atol >= 0)) ok = positive(diags, r->atol, "the absolute tolerance") && ok;
  if (s->no_events && ok && !r->fixed) {
    diag_error(diags, diag_bad_setting, (Span){0},
               "--no-events is for methods with a fixed step, and `%s` takes its own", r->method);
    diag_hint(diags, "take `--method rk4`");
    ok = false;
  }
  ode->exact_times = s->no_events;
  if (s->check_step && ok && !r->fixed) {
    diag_error(diags, diag_bad_setting, (Span){0},
               "--check-step is for methods with a fixed step, and `%s` takes its own", r->method);
    diag_hint(diags, "compare with a smaller `--rtol`, or take `--method rk4`");
    ok = false;
  }
  if (ok && r->to / r->every > 1e9) {
    diag_error(diags, diag_bad_setting, (Span){0}, "more than 1000000000 rows");
    ok = false;
  }
  uint64_t most_steps = s->most_steps ? s->most_steps : run_most_steps;
  if (ok && r->fixed && r->to / r->step > (double)most_steps) {
    diag_error(diags, diag_bad_setting, (Span){0}, "%.0f steps of %.6g are more than the %llu that a run may take",
               r->to / r->step, r->step, (unsigned long long)most_steps);
    diag_hint(diags, "take a larger `--step`, or allow more by `--most-steps`");
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
  ode->t0 = ode->start = 0;
  ode->t1 = r->to;
  ode->step = r->step;
  ode->every = r->every;
  ode->rtol = r->rtol;
  ode->atol = r->atol;
  ode->by_scale = r->by_scale;
  ode->most_steps = most_steps;
  return ok;
}

// What `auto` did on the way.
static void tell_changes(Runner *x) {
  RunResult *r = x->r;
  const OdeResult *o = &r->ode;
  if (!o->changes) return;
  const char *first = r->method;
  r->method = ode_method_name(o->method);
  if (o->changes == 1)
    r->reason = arena_printf(x->arena, "auto: stiff from t = %.6g on, %s before", o->stiff_at, first);
  else
    r->reason = arena_printf(x->arena, "auto: %s and rodas by turns, stiff first at t = %.6g, %u changes", first,
                             o->stiff_at, o->changes);
}

// ---- the whole

static void check_half_step(Runner *x, const OdeProblem *problem, OdeSettings ode, double *y) {
  x->compare = true;
  x->row_index = 0;
  ode.step /= 2;
  memcpy(y, x->start, x->dim * sizeof *y);
  y[x->dim] = y[x->dim + 1] = 0;
  run_start_held(x, ode.t0, y);
  OdeObserver observer = {x, run_take_row, NULL, run_take_jump};
  if (x->h && run_start_events(x, &ode, y) != action_go) return;
  OdeResult half = ode_solve(x->arena, problem, &ode, y, &observer);
  x->r->checked = half.status == ode_done;
  // relative to the largest value that the same column took
  double largest = 0;
  for (uint32_t i = 0; i < x->dim && x->r->difference_name; i++) {
    SymbolId s = i < x->n       ? x->m->coords.items[i].q
                 : i < 2 * x->n ? x->m->coords.items[i - x->n].v
                                : x->m->states.items[i - 2 * x->n].x;
    if (strcmp(pool_symbol_get(&x->pool, s)->name, x->r->difference_name) != 0) continue;
    for (uint32_t k = i; k < x->kept.count; k += x->dim) largest = fmax(largest, fabs(x->kept.items[k]));
  }
  x->r->difference_relative = largest > 0 ? x->r->difference / largest : 0;
}

// ---- for studies that make many runs

// Memory is out, or expressions grew too large, which is told.
static RunStatus plan_fails(const Runner *x, Diags *diags) {
  if (x->h && x->h->failure) {
    diag_error(diags, diag_bad_setting, x->h->failure_place, "%s", x->h->failure);
    return run_input;
  }
  if (arena_failed(x->arena) || !x->pool.limit) return run_no_memory;
  diag_error(diags, diag_bad_setting, (Span){0}, "the expressions of this run grow too large");
  return run_input;
}

RunStatus run_plan(Arena *arena, const System *system, const RunSettings *settings, Diags *diags, RunPlan *p,
                   Backend *backend) {
  RunResult result = {.status = run_done};
  Runner runner = {.arena = arena, .m = system, .settings = settings, .r = &result}, *x = &runner;
  double times[3];
  x->n = system->coord_count;
  x->states = system->state_count;
  x->dim = 2 * x->n + x->states;
  x->params = arena_array(arena, (size_t)system->params.count + 1, sizeof *x->params);
  x->start = arena_array(arena, (size_t)x->dim + 2, sizeof *x->start);
  if (!x->params || !x->start || !system_clone(&x->s, system, &x->pool, arena) || !run_find_values(x, diags, times))
    return plan_fails(x, diags);
  *p = (RunPlan){.n = x->n,
                 .states = x->states,
                 .dim = x->dim,
                 .param_count = system->params.count,
                 .params = x->params,
                 .start = x->start};
  if (!settle(x, diags, times, &p->ode) || diags->errors) return run_input;
  run_find_large(x);
  p->state_names = arena_array(arena, (size_t)x->dim + 1, sizeof *p->state_names);
  if (!p->state_names || !run_prepare_events(x) || !run_build_f(x, false) || !run_build_rows(x))
    return plan_fails(x, diags);
  for (uint32_t i = 0; i < x->n; i++) {
    p->state_names[i] = x->m->coords.items[i].name;
    p->state_names[x->n + i] = pool_symbol_get(&x->pool, x->m->coords.items[i].v)->name;
  }
  for (uint32_t i = 0; i < x->states; i++) p->state_names[2 * x->n + i] = x->m->states.items[i].name;
  p->f = x->f;
  p->rows = x->rows;
  p->ahead = x->ahead;
  p->held = x->held_start;
  p->large = x->large;
  p->columns = x->columns;
  p->column_count = x->column_count;
  p->stored_at = x->energy_at + 2;
  *backend = x->wanted;
  p->pool = x->pool;
  p->s = x->s;
  p->s.pool = &p->pool; // the pool moved with the plan
  p->h = x->h;
  return run_done;
}

const Tape *run_values(Arena *arena, RunPlan *p, const SymbolId *vars, uint32_t var_count) {
  const System *m = &p->s;
  ExprId *wanted = arena_array(arena, (size_t)p->param_count + p->dim + 1, sizeof *wanted);
  uint32_t k = 0;
  if (!wanted) return NULL;
  for (uint32_t i = 0; i < p->param_count; i++) wanted[k++] = expr_sym(&p->pool, m->params.items[i].symbol);
  for (uint32_t i = 0; i < p->n; i++) wanted[k++] = m->coords.items[i].q0;
  for (uint32_t i = 0; i < p->n; i++) wanted[k++] = p->s.speeds[i].start;
  for (uint32_t i = 0; i < p->states; i++) wanted[k++] = m->states.items[i].x0;
  return tape_build(arena, &(TapeWish){.system = &p->s,
                                       .vars = vars,
                                       .var_count = var_count,
                                       .results = wanted,
                                       .result_count = k,
                                       .params_by_value = true});
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
  *x = (Runner){.arena = arena,
                .m = &p->s,
                .settings = settings,
                .r = &w->r,
                .n = p->n,
                .states = p->states,
                .dim = p->dim,
                .f = p->f,
                .rows = p->rows,
                .large = p->large,
                .wanted = backend_interp,
                .energy_at = p->stored_at - 2};
  x->code = (Compiled){.tape = p->f, .native = native, .next = UINT64_MAX};
  w->ode = p->ode;
  x->params = arena_array(arena, (size_t)p->param_count + 1, sizeof *x->params);
  x->fw = arena_array(arena, p->f->slot_count, sizeof *x->fw);
  x->rw = arena_array(arena, p->rows->slot_count, sizeof *x->rw);
  x->row = arena_array(arena, (size_t)p->dim + 2, sizeof *x->row);
  x->ahead = p->ahead;
  x->aw = p->ahead ? arena_array(arena, p->ahead->slot_count, sizeof *x->aw) : NULL;
  x->held = arena_array(arena, p->s.held.count, sizeof *x->held);
  x->held_start = p->held;
  if (!x->held || (p->ahead && !x->aw)) return NULL;
  if (!x->row || !x->params || !x->fw || !x->rw || !system_clone(&x->s, &p->s, &x->pool, arena)) return NULL;
  return !p->h || run_copy_events(x, p->h) ? w : NULL;
}

const double *run_modes(RunWorker *w, double t, const double *y) {
  Hybrid *h = w->x.h;
  if (h && !h->old && hybrid_varies(h) && h->z) hybrid_given(h, t, y);
  return h ? h->z : NULL;
}

const double *run_held(const RunWorker *w) { return w->x.held; }

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
  if (x->differences)
    memset(x->differences + 3 * ((size_t)x->dim + 2), 0, ((size_t)x->dim + 2) * sizeof(double)); // sizes
  if (x->ahead) new_params(x, x->ahead, x->aw);
  if (x->h) hybrid_renew(x->h, x->params, arena);
  bool breaks = !ode_is_fixed(w->ode.method) || (x->h && !x->h->old);
  if (breaks && !find_breaks(arena, &x->s, x->params, w->ode.t0, w->ode.t1, &w->ode.breaks))
    return (OdeResult){.status = ode_no_memory};
  if (w->ode.breaks.many) return (OdeResult){.status = ode_many_steps};
  x->late = w->ode.breaks.late;
  x->t_start = w->ode.t0;
  OdeProblem problem = run_problem(x);
  run_start_held(x, w->ode.t0, y);
  OdeObserver observer = {x, keep_row, run_after_step, run_take_jump};
  OdeAction action = x->h ? run_start_events(x, &w->ode, y) : action_go;
  if (x->h) run_start_held(x, w->ode.t0, y);
  if (action == action_stop) return (OdeResult){.status = ode_ended};
  if (action != action_go) return (OdeResult){.status = action == action_fail ? ode_event : ode_no_memory};
  OdeResult r = ode_solve(arena, &problem, &w->ode, y, &observer);
  if (r.status == ode_done || r.status == ode_ended) memcpy(y, x->row, ((size_t)x->dim + 2) * sizeof *y);
  return r;
}

// ---- one run

// A stage that gave nothing: memory is out, or expressions grew too large.
static RunResult give_up(const Runner *x) {
  RunResult r = *x->r;
  r.status = run_no_memory;
  if (x->h && x->h->failure) {
    r.status = run_failed;
    r.message = x->h->failure;
    r.place = x->h->failure_place;
    return r;
  }
  if (arena_failed(x->arena) || !x->pool.limit) return r;
  r.status = run_failed;
  r.message = "the expressions of this run grow too large";
  return r;
}

// The function of time at whose breaks something is not as it should be, as an event.
static RunEvent break_event(const Runner *x, ExprId node, double t) {
  RunEvent e = {.t = t, .word = "a signal of time"};
  for (uint32_t i = x->m->places.count; i-- > 0;) { // the first place counts
    const ModelPlace *p = &x->m->places.items[i];
    if (p->node != node) continue;
    const Source *s = source_get(x->m->sources, p->span);
    e = (RunEvent){.t = t, .word = p->word, .span = p->span, .line = s ? source_place(s, p->span.start).line : 0};
  }
  return e;
}

static void tell_unsure(Runner *x, const OdeBreaks *breaks) {
  RunResult *r = x->r;
  if (x->h && x->h->unsure_count) {
    r->unsure = x->h->unsure;
    r->unsure_count = x->h->unsure_count;
    r->undefined = x->h->undefined;
    const Source *s = source_get(x->m->sources, r->unsure.span);
    r->unsure.line = s ? source_place(s, r->unsure.span.start).line : 0;
  }
  if (!breaks->unsure || breaks->unsure_at > r->ode.t) return;
  if (r->unsure_count++ && breaks->unsure_at >= r->unsure.t) return;
  r->unsure = break_event(x, breaks->unsure, breaks->unsure_at);
  r->undefined = false;
}

static void tell_events(Runner *x) {
  RunResult *r = x->r;
  r->hybrid = true;
  r->events = x->h->log.items;
  r->event_count = x->h->log.count;
  r->events_cut = x->h->log_full;
  r->graze = x->h->graze;
  r->graze_count = x->h->graze_count;
  const Source *touched = r->graze_count ? source_get(x->m->sources, r->graze.span) : NULL;
  if (touched) r->graze.line = source_place(touched, r->graze.span.start).line;
  enum { kept = 64 };
  Span span[kept] = {0};
  uint32_t line[kept] = {0};
  for (uint32_t i = 0; i < x->h->log.count; i++) {
    RunEvent *e = &x->h->log.items[i];
    uint32_t at = e->span.start % kept;
    if (span[at].source != e->span.source || span[at].start != e->span.start) {
      const Source *s = source_get(x->m->sources, e->span);
      span[at] = e->span;
      line[at] = s ? source_place(s, e->span.start).line : 0;
    }
    e->line = line[at];
  }
}

// What changed parameters do to the stored energy was supplied by whoever changed them.
static void book_resume(Runner *x, double t, double *y) {
  double gain = run_stored(x, t, y) + y[x->dim] - y[x->dim + 1] - x->initial - x->resumed_residue;
  if (fabs(gain) > 1e-9 * x->scale) y[x->dim + 1] += gain;
}

// The events of the start itself end the run.
static OdeResult start_fails(Runner *x, OdeAction action, double t, const double *y) {
  OdeResult r = {.t = t, .method = ode_rk4, .stiff_at = NAN};
  r.status = action == action_fail ? ode_event : action == action_stop ? ode_ended : ode_no_memory;
  if (action == action_stop && !run_take_row(x, t, y)) r.status = ode_stopped;
  return r;
}

// No step is longer than the shortest delay: does the budget suffice for the way?
static bool delays_are_too_short(Runner *x, const OdeSettings *ode, Diags *diags) {
  const Hybrid *h = x->h;
  if (!h || h->old || !h->delay_count) return false;
  uint32_t least = 0;
  for (uint32_t i = 1; i < h->delay_count; i++) {
    if (h->delay_times[i] > 0 && (!(h->delay_times[least] > 0) || h->delay_times[i] < h->delay_times[least])) least = i;
  }
  double steps = (ode->t1 - ode->t0) / h->delay_times[least];
  if (!(h->delay_times[least] > 0) || !(steps > (double)ode->most_steps)) return false;
  diag_error(diags, diag_bad_setting, x->m->delays.items[least].span,
             "no step can be longer than a delay: one of %.6g takes %.3g steps to t = %.6g, and a run may take %llu",
             h->delay_times[least], steps, ode->t1, (unsigned long long)ode->most_steps);
  diag_hint(diags, "leave out what is so short, end earlier, or allow more by `--most-steps`");
  return true;
}

static void keep_warnings(Runner *x, const Diags *diags) {
  const char **list = arena_array(x->arena, (size_t)diags->list.count + 1, sizeof *list);
  for (uint32_t i = 0; list && i < diags->list.count; i++) list[x->r->warning_count++] = diags->list.items[i].message;
  x->r->warnings = list;
}

RunResult run_model(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink, Diags *diags) {
  RunResult result = {.status = run_done}, *r = &result;
  Runner runner = {.arena = arena, .m = system, .settings = settings, .r = r, .sink = sink}, *x = &runner;
  struct timespec start, stop;
  clock_gettime(CLOCK_MONOTONIC, &start);
  x->n = system->coord_count;
  x->states = system->state_count;
  x->dim = 2 * x->n + x->states;
  x->params = arena_array(arena, system->params.count, sizeof *x->params);
  x->start = arena_array(arena, (size_t)x->dim + 2, sizeof *x->start);
  double *y = arena_array(arena, (size_t)x->dim + 2, sizeof *y), times[3];
  OdeSettings ode = {0};
  if (!x->params || !x->start || !y || !system_clone(&x->s, system, &x->pool, arena) ||
      !run_find_values(x, diags, times)) {
    return give_up(x);
  }
  if (!settle(x, diags, times, &ode) || diags->errors) {
    r->status = run_input;
    return result;
  }
  run_find_large(x);
  if (!run_prepare_events(x)) return give_up(x);
  if (!x->h) x->known = x->params;
  x->method = ode.method;
  x->most_steps = ode.most_steps;
  if (!run_build_f(x, false) || !run_build_rows(x) || !run_build_account(x) ||
      !(r->values = arena_array(arena, x->column_count, sizeof *r->values))) {
    return give_up(x);
  }
  if ((!r->fixed || (x->h && !x->h->old)) && !find_breaks(arena, &x->s, x->params, ode.t0, ode.t1, &ode.breaks)) {
    r->status = run_no_memory;
    return result;
  }
  if (ode.breaks.many) {
    RunEvent e = break_event(x, ode.breaks.many, 0);
    r->status = run_failed;
    r->message = arena_printf(arena,
                              "`%s` switches more than 4000000 times until t = %.10g, and the run would stop at each "
                              "of them; end it earlier, or take a fixed step",
                              e.word, ode.t1);
    r->place = e.span;
    return result;
  }
  x->late = ode.breaks.late;
  x->t_start = ode.t0;
  r->names = x->columns;
  r->count = x->column_count;
  x->keep = settings->check_step;
  memcpy(y, x->start, x->dim * sizeof *y);
  if (settings->resume && x->s.start_set.source) {
    diag_error(diags, diag_bad_state, x->s.start_set, "a run that goes on starts from the saved state, not from here");
    diag_hint(diags, "a parameter may be changed; to begin elsewhere, leave out `--resume`");
    r->status = run_input;
    return result;
  }
  if (settings->resume && !run_read_state(x, settings->resume, &ode, y, diags)) {
    r->status = arena_failed(arena) ? run_no_memory : run_input;
    return result;
  }
  if (!run_send_header(x)) return result;
  run_choose_backend(x, &ode);
  OdeProblem problem = run_problem(x);
  if (!settings->resume) run_start_held(x, ode.t0, y);
  else if (x->ahead) run_accept(x, ode.start, y);
  OdeObserver observer = {x, run_take_row, run_after_step, run_take_jump};
  OdeAction action = x->h ? run_start_events(x, &ode, y) : action_go;
  if (x->h && !settings->resume) run_start_held(x, ode.t0, y);
  if (settings->resume && x->s.energy.kept && action == action_go) book_resume(x, ode.start, y);
  x->last_dissipated = y[x->dim];
  x->worst_t = settings->resume ? NAN : 0;
  if (action == action_go && !settings->resume && delays_are_too_short(x, &ode, diags)) {
    r->status = run_input;
    return result;
  }
  bool heavy = action == action_go && !settings->resume && !run_check_inertia(x, ode.start, y, diags);
  if (heavy) r->ode = (OdeResult){.status = ode_stopped, .t = ode.start, .method = ode.method, .stiff_at = NAN};
  else if (action == action_go) r->ode = ode_solve(arena, &problem, &ode, y, &observer);
  else r->ode = start_fails(x, action, ode.t0, y);
  if (r->ode.status == ode_stopped && r->status == run_failed) r->ode.t = r->t; // in a row inside a step
  if (x->h) tell_events(x);
  tell_unsure(x, &ode.breaks);
  tell_changes(x);
  if (r->ode.status != ode_done && r->status == run_interrupted) r->ode.status = ode_stopped; // heard inside a step
  if (r->ode.status != ode_done && r->ode.status != ode_stopped && r->ode.status != ode_ended)
    run_explain(x, &r->ode, y);
  if (settings->save && (r->ode.status == ode_done || r->ode.status == ode_ended))
    r->state = run_write_state(x, &r->ode, y);
  if (r->status == run_interrupted) {
    char at[number_text_size];
    number_print(r->ode.t, at);
    r->message = arena_printf(arena, "interrupted at t = %s", at);
  }
  if (r->ode.status == ode_done || r->ode.status == ode_ended) run_account(x, r->ode.t, y);
  r->energy = x->s.energy.kept;
  r->residue = x->worst;
  r->initial = x->initial;
  r->relative = x->scale > 0 ? fabs(x->worst) / x->scale : 0;
  run_warn_account(x, diags);
  keep_warnings(x, diags);
  if (settings->check_step && r->status == run_done) check_half_step(x, &problem, ode, y);
  r->backend = x->code.backend;
  r->backend_note = x->code.note;
  compiled_free(&x->code);
  compiled_free(&x->jacobian_code);
  clock_gettime(CLOCK_MONOTONIC, &stop);
  r->wall = (double)(stop.tv_sec - start.tv_sec) + 1e-9 * (double)(stop.tv_nsec - start.tv_nsec);
  return result;
}
