// Forward sensitivity equations. See variational.h.
#include "fit/variational.h"

#include "expr/calculus.h"

#include <string.h>

// ---- what cannot be

const char *variational_refusal(const SimProgram *p) {
  const OdeMethod method = p->settled.ode.method;
  if (p->constraints) return "the model has constraints";
  if (p->manifold) return "the model has equations of higher index";
  if (p->s.tree.balls.count) return "a joint turns by a quaternion";
  if (ode_is_structured(method)) return "the method keeps more than rates";
  if (!p->events) return NULL;
  if (p->events->stepwise && p->y.count) return "nothing is located";
  if (p->events->delay_count) return "the model has delays";
  for (uint32_t i = 0; i < p->s.memories.count; i++) {
    if (p->s.memories.items[i].follow) return "the model has play";
  }
  return NULL;
}

// ---- making one

static bool make_alongs(Variational *x) {
  const EventPlan *e = x->p->events;
  return tape_along_init(&x->values, x->arena, x->v->tape, x->k) && tape_along_init(&x->f, x->arena, x->p->f, x->k) &&
         tape_along_init(&x->rows, x->arena, x->p->rows, x->k) &&
         (!e || !e->tape[event_guards] || tape_along_init(&x->guards, x->arena, e->tape[event_guards], x->k + 1)) &&
         (!e || !e->tape[event_rules] || tape_along_init(&x->rules, x->arena, e->tape[event_rules], x->k));
}

static uint32_t most_outputs(const Variational *x) {
  const Tape *tapes[] = {x->v->tape, x->p->f, x->p->rows, x->guards.tape, x->rules.tape};
  uint32_t most = 1;
  for (size_t i = 0; i < sizeof tapes / sizeof *tapes; i++) {
    if (tapes[i] && tapes[i]->output_count > most) most = tapes[i]->output_count;
  }
  return most;
}

Variational *variational_new(Arena *arena, const SimProgram *p, const Variation *v, const double *sizes) {
  Variational *x = arena_new_of(arena, Variational);
  if (!x) return NULL;
  uint32_t n = p->y.count, k = v->count < variational_most ? v->count : variational_most;
  *x = (Variational){.p = p, .v = v, .sizes = sizes, .k = k, .n = n, .arena = arena};
  x->r = run_new(arena, p);
  if (!x->r || !make_alongs(x)) return NULL;
  size_t wide = (size_t)k + 1, all = (size_t)n * wide + 1;
  x->vw = arena_array(arena, v->tape->slot_count, sizeof *x->vw);
  x->params = arena_array(arena, (size_t)p->param_count + 1, sizeof *x->params);
  x->y0 = arena_array(arena, (size_t)p->y.total + 1, sizeof *x->y0);
  x->param_rates = arena_array(arena, ((size_t)p->param_count + 1) * wide, sizeof *x->param_rates);
  x->guard_param_rates = arena_array(arena, ((size_t)p->param_count + 1) * wide, sizeof *x->guard_param_rates);
  uint32_t vars = v->tape->var_count > n ? v->tape->var_count : n;
  x->seeds = arena_array(arena, ((size_t)vars + 1) * wide, sizeof *x->seeds);
  x->slopes = arena_array(arena, (size_t)most_outputs(x) * wide, sizeof *x->slopes);
  x->joint = arena_array(arena, all, sizeof *x->joint);
  x->own = arena_array(arena, (size_t)p->y.total + 1, sizeof *x->own);
  x->x = arena_array(arena, all, sizeof *x->x);
  x->moment = arena_array(arena, wide, sizeof *x->moment);
  x->before = arena_array(arena, all, sizeof *x->before);
  x->after = arena_array(arena, all, sizeof *x->after);
  x->memories = arena_array(arena, p->events ? (size_t)p->events->z_count + 1 : 1, sizeof *x->memories);
  x->kinds = arena_array(arena, all, sizeof *x->kinds);
  for (uint32_t i = 0; !arena_failed(arena) && n && i < n * wide; i++) x->kinds[i] = p->y.kinds[i % n];
  x->follower = (EventFollower){x, variational_assigns};
  return arena_failed(arena) ? NULL : x;
}

// ---- the start

// Derivatives of all parameters and initial values by the unknowns of this pass.
static bool find_starts(Variational *x, const double *unknowns) {
  const Variation *v = x->v;
  const SimProgram *p = x->p;
  uint32_t k = x->k;
  if (!vary_eval(v, x->vw, unknowns, x->params, x->y0)) return false;
  memset(x->param_rates, 0, (size_t)v->tape->param_count * k * sizeof *x->param_rates);
  memset(x->seeds, 0, (size_t)v->tape->var_count * k * sizeof *x->seeds);
  for (uint32_t j = 0; j < k; j++) {
    const VaryTarget *t = &v->targets[x->first + j];
    if (t->param) x->seeds[(size_t)t->index * k + j] = x->sizes[x->first + j];
  }
  tape_along_params(&x->values, x->vw, x->param_rates, x->seeds);
  tape_along(&x->values, x->vw, x->seeds, v->tape->var_count, x->slopes);
  variational_see(x, v->at.params, p->param_count, k, "a value of a parameter has no slope");
  variational_see(x, v->at.starts, x->n, k, "a start has no slope");
  memcpy(x->param_rates, x->slopes + (size_t)v->at.params * k, (size_t)p->param_count * k * sizeof *x->slopes);
  for (uint32_t j = 0; j < k; j++) {
    const VaryTarget *t = &v->targets[x->first + j];
    for (uint32_t i = 0; i < x->n; i++) x->x[(size_t)j * x->n + i] = x->slopes[(size_t)(v->at.starts + i) * k + j];
    if (!t->param) x->x[(size_t)j * x->n + t->index] = x->sizes[x->first + j];
  }
  return true;
}

// Another unknown puts the start of one that is itself free: that one stays.
static void keep_free_starts(Variational *x) {
  for (uint32_t i = 0; i < x->v->count; i++) {
    if (x->v->targets[i].param) continue;
    for (uint32_t j = 0; j < x->k; j++) {
      if (x->first + j != i) x->x[(size_t)j * x->n + x->v->targets[i].index] = 0;
    }
  }
}

static void put_params(Variational *x) {
  uint32_t k = x->k;
  Hybrid *h = x->r->h;
  tape_along_params(&x->f, x->r->fw, x->param_rates, NULL);
  tape_along_params(&x->rows, x->r->rw, x->param_rates, NULL);
  for (uint32_t i = 0; i < x->p->param_count; i++) {
    memcpy(x->guard_param_rates + (size_t)i * (k + 1), x->param_rates + (size_t)i * k, k * sizeof *x->param_rates);
    x->guard_param_rates[(size_t)i * (k + 1) + k] = 0;
  }
  if (x->guards.tape) tape_along_params(&x->guards, h->w[event_guards], x->guard_param_rates, NULL);
  if (x->rules.tape) tape_along_params(&x->rules, h->w[event_rules], x->param_rates, NULL);
}

// Signals of time whose breaks move with an unknown.
static bool breaks_move(const Variational *x) {
  const BreakPlan *b = x->p->breaks;
  ExprPool *pool = (ExprPool *)&x->p->pool; // asked, not changed
  for (uint32_t i = 0; b && i < x->p->param_count; i++) {
    bool moves = false;
    for (uint32_t j = 0; j < x->k; j++) moves = moves || x->param_rates[(size_t)i * x->k + j] != 0;
    for (uint32_t s = 0; moves && s < b->switches.count; s++) {
      if (expr_depends(pool, b->switches.items[s].g, x->p->s.params.items[i].symbol)) return true;
    }
  }
  return false;
}

// ---- rows

static bool take_row(void *self, double t, const double *joint) {
  Variational *x = self;
  const Tape *rows = x->p->rows;
  uint32_t k = x->k, shown = x->p->columns.shown, all = x->v->count;
  while (x->to.next < x->to.count && x->to.times[x->to.next] < t) x->to.next++;
  if (x->to.next >= x->to.count || x->to.times[x->to.next] != t) return true;
  double *var = tape_vars(rows, x->r->rw);
  if (x->r->h) run_put_z(x->r, rows, x->r->rw);
  var[0] = t;
  if (x->n) memcpy(var + 1, joint, x->n * sizeof *joint);
  variational_put(x, x->n ? joint + x->n : joint, NULL, k);
  tape_along(&x->rows, x->r->rw, x->seeds, 1 + x->n, x->slopes);
  if (run_report_undefined(x->r, t)) return false;
  variational_see(x, 0, shown, k, "an output has no slope that a tape knows");
  for (uint32_t i = 0; i < shown; i++) {
    size_t at = (x->to.sink ? 0 : (size_t)x->to.next * shown) + i;
    x->to.values[at] = tape_result(rows, x->r->rw, i);
    for (uint32_t j = 0; j < k; j++)
      x->to.slopes[at * all + x->first + j] = x->slopes[(size_t)i * k + j] / x->sizes[x->first + j];
  }
  if (x->to.sink) x->to.sink->row(x->to.sink->self, x->to.next, x->to.values, x->to.slopes);
  x->to.next++;
  return x->to.next % 256 != 0 || !run_is_interrupted(x->r);
}

static bool after_step(void *self, double t, const double *joint, uint64_t steps) {
  Variational *x = self;
  (void)t, (void)joint;
  return steps % 16 != 0 || !run_is_interrupted(x->r);
}

// ---- the Jacobian: J on the diagonal; how J S + df/du changes with y by differences; J as well where a kernel has no
// derivatives in numbers

static bool make_jacobian(Variational *x) {
  uint32_t n = x->n, k = x->k, size = n * (k + 1), count = 0;
  uint32_t *start = arena_array(x->arena, (size_t)size + 2, sizeof *start),
           *row = arena_array(x->arena, (size_t)n * size + (size_t)n * n * k + size, sizeof *row);
  x->stiff.slopes = arena_array(x->arena, (size_t)x->p->f->output_count * n + 1, sizeof *x->stiff.slopes);
  x->stiff.room = arena_array(x->arena, tape_forward_room(x->p->f), sizeof *x->stiff.room);
  for (int i = 0; i < 2; i++) x->stiff.rates[i] = arena_array(x->arena, (size_t)size + 1, sizeof *x->stiff.rates[i]);
  x->stiff.moved = arena_array(x->arena, (size_t)size + 1, sizeof *x->stiff.moved);
  if (arena_failed(x->arena)) return false;
  for (uint32_t c = 0; c <= size; c++) {
    bool whole = c < n || c == size;
    uint32_t from = whole ? 0 : c / n * n, to = whole ? size : from + n;
    for (uint32_t r = from; r < to; r++) row[count++] = r;
    start[c + 1] = count;
  }
  x->stiff.j = (OdeJacobian){.start = start, .row = row, .count = count};
  return true;
}

static double number_or_zero(double v) { return isfinite(v) ? v : 0; }

static void put_differences(Variational *x, const double *base, double step, uint32_t from, double *entries) {
  uint32_t size = x->n * (x->k + 1);
  for (uint32_t r = from; r < size; r++) entries[r] = number_or_zero((x->stiff.rates[1][r] - base[r]) / step);
}

static void eval_jacobian(void *self, double t, const double *joint, double *entries) {
  Variational *x = self;
  uint32_t n = x->n, size = n * (x->k + 1), *start = (uint32_t *)x->stiff.j.start;
  double largest = 0, *base = x->stiff.rates[0], span = x->r->ode.t1 - x->r->ode.t0;
  memset(entries, 0, x->stiff.j.count * sizeof *entries);
  bool known = tape_forward_knows(x->p->f);
  variational_rates(x, t, joint, base);
  if (known) tape_forward_in(x->p->f, x->r->fw, 1, n, x->stiff.slopes, x->stiff.room);
  memcpy(x->stiff.moved, joint, size * sizeof *joint);
  for (uint32_t c = 0; c < n; c++) largest = fmax(largest, fabs(joint[c]));
  for (uint32_t c = 0; c < n; c++) {
    double step = 1e-7 * fmax(fabs(joint[c]), fmax(1e-3 * largest, 1e-12));
    x->stiff.moved[c] = joint[c] + step;
    if (variational_rates(x, t, x->stiff.moved, x->stiff.rates[1]))
      put_differences(x, base, x->stiff.moved[c] - joint[c], known ? n : 0, entries + start[c]);
    x->stiff.moved[c] = joint[c];
  }
  for (uint32_t c = 0; c < size; c++) {
    double *to = entries + start[c];
    const double *of_y = entries + start[c % n];
    for (uint32_t i = 0; i < n; i++) to[i] = known ? number_or_zero(x->stiff.slopes[(size_t)i * n + c % n]) : of_y[i];
  }
  double later = t + 1e-8 * span;
  if (variational_rates(x, later, joint, x->stiff.rates[1]))
    put_differences(x, base, later - t, 0, entries + start[size]);
}

static const OdeJacobian *jacobian(void *self) {
  Variational *x = self;
  if (!x->stiff.j.start && !make_jacobian(x)) return NULL;
  x->stiff.j.eval = eval_jacobian;
  return &x->stiff.j;
}

static void accept(void *self, double t, const double *joint) {
  Variational *x = self;
  run_accept(x->r, t, joint);
}

// ---- the whole

static RunFailure failure_of(const Variational *x, const OdeResult *o) {
  RunFailure f = x->r->failure;
  if (o->status == ode_done || o->status == ode_ended) f.status = run_done;
  else if (o->status == ode_no_memory) f.status = run_no_memory;
  else if (f.status == run_done) f.status = run_failed;
  if (f.status == run_failed && !f.message && x->r->h && x->r->h->failure) {
    f.message = x->r->h->failure;
    f.place = x->r->h->failure_place;
  }
  return f;
}

static OdeResult solve(Variational *x) {
  Run *r = x->r;
  uint32_t size = x->n * (x->k + 1);
  OdeProblem problem = {.n = size,
                        .checked = size,
                        .self = x,
                        .f = variational_rates,
                        .jacobian = jacobian,
                        .still = true,
                        .accept = r->p->held ? accept : NULL,
                        .events = r->h ? &x->events : NULL,
                        .kinds = x->kinds};
  OdeObserver observer = {.self = x, .row = take_row, .step = after_step};
  memcpy(x->joint, r->y, x->n * sizeof *r->y);
  memcpy(x->joint + x->n, x->x, (size_t)x->n * x->k * sizeof *x->x);
  variational_connect(x);
  OdeResult o = ode_solve(r->scratch, &problem, &r->ode, x->joint, &observer);
  r->s->t = o.t;
  return o;
}

// A model without anything that moves: its outputs are functions of time.
static void take_times(Variational *x) {
  for (uint32_t i = 0; i < x->to.count && take_row(x, x->to.times[i], NULL);) i++;
}

static RunFailure run_pass(Variational *x, const VariationalRequest *w) {
  Run *r = x->r;
  double end = w->count ? w->times[w->count - 1] : 0;
  x->to.next = 0;
  memset(x->moment, 0, ((size_t)x->k + 1) * sizeof *x->moment);
  if (!find_starts(x, w->unknowns)) return (RunFailure){.status = run_failed, .message = "a value is not finite"};
  keep_free_starts(x);
  run_listen(
      r, (RunListener){
             .quiet = true, .times = w->times, .time_count = w->count, .self = w->self, .interrupted = w->interrupted});
  if (r->h) r->h->follower = &x->follower;
  if (!run_reset(r, x->params, x->y0)) return r->failure;
  put_params(x);
  if (breaks_move(x)) x->inexact = "a signal of time switches at a moment that is unknown";
  if (x->n == 0) {
    take_times(x);
    return r->failure;
  }
  if (!(end > r->ode.t0)) end = r->ode.t0 + 1e-9; // a row at the start alone
  if (!run_aim(r, end)) return r->failure;
  OdeAction action = run_begin(r);
  OdeResult o = action == action_go ? solve(x) : run_not_begun(r, action);
  return failure_of(x, &o);
}

RunFailure variational_run(Variational *x, const VariationalRequest *w) {
  RunFailure f = {.status = run_done};
  uint32_t all = x->v->count, most = x->k;
  x->to.times = w->times;
  x->to.count = w->count;
  x->to.values = w->values;
  x->to.slopes = w->slopes;
  x->to.sink = w->sink;
  x->inexact = NULL;
  for (x->first = 0; x->first < all && f.status == run_done; x->first += most) {
    // the last pass has perhaps fewer unknowns: it takes some of the one before once more
    if (all > most && x->first + most > all) x->first = all - most;
    f = run_pass(x, w);
  }
  return f;
}
