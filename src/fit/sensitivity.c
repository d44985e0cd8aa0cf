// Outputs of a simulation and their sensitivities, by variation or by finite differences. See sensitivity.h.
//
// By differences: (8 (v(+h) - v(-h)) - (v(+2h) - v(-2h))) / 12h, whose error is of the fourth order in h. At a bound h
// becomes smaller, and on the bound itself the differences are one-sided: (-3 v(0) + 4 v(h) - v(2h)) / 2h.
#include "fit/sensitivity.h"

#include <string.h>

static const double part = 2e-3; // of the size of an unknown: h

Sensitivity *sensitivity_new(Arena *arena, SimProgram *p, const Variation *v, const double *sizes) {
  Sensitivity *x = arena_new_of(arena, Sensitivity);
  if (!x) return NULL;
  *x = (Sensitivity){.p = p, .v = v, .arena = arena, .why = variational_refusal(p)};
  x->r = run_new(arena, p);
  x->w = arena_array(arena, v->tape->slot_count, sizeof *x->w);
  x->params = arena_array(arena, (size_t)p->param_count + 1, sizeof *x->params);
  x->y0 = arena_array(arena, (size_t)p->y.total + 1, sizeof *x->y0);
  x->trial = arena_array(arena, (size_t)v->count + 1, sizeof *x->trial);
  double *copy = arena_array(arena, (size_t)v->count + 1, sizeof *copy);
  x->one = arena_array(arena, (size_t)p->columns.shown + 1, sizeof *x->one);
  x->one_sensitivities = arena_array(arena, (size_t)p->columns.shown * v->count + 1, sizeof *x->one_sensitivities);
  if (!x->r || arena_failed(arena)) return NULL;
  memcpy(copy, sizes, v->count * sizeof *copy);
  x->sizes = copy;
  if (v->count) x->by = variational_new(arena, p, v, copy);
  return x->by || !v->count ? x : NULL;
}

// ---- one simulation

typedef struct SensitivityRows {
  const double *times;
  uint32_t count, next, width;
  double *values;              // a table, or NULL
  const SensitivitySink *sink; // else
} SensitivityRows;

static void put_row(const SensitivityRows *r, uint32_t i, const double *values) {
  if (r->values) memcpy(r->values + (size_t)i * r->width, values, r->width * sizeof *values);
  else r->sink->row(r->sink->self, i, values, NULL);
}

static bool take_row(void *self, const double *row, size_t count) {
  SensitivityRows *r = self;
  (void)count;
  while (r->next < r->count && r->times[r->next] < row[0]) r->next++;
  if (r->next >= r->count || r->times[r->next] != row[0]) return true;
  put_row(r, r->next++, row + 1);
  return true;
}

static RunFailure failed(RunStatus status, const char *message) {
  return (RunFailure){.status = status, .message = message};
}

static RunFailure run_once(Sensitivity *x, const double *unknowns, SensitivityRows *rows) {
  Run *r = x->r;
  const double *times = rows->times;
  uint32_t count = rows->count;
  Sink sink = {.self = rows, .row = take_row};
  double end = count ? times[count - 1] : 0;
  x->motions++;
  if (!vary_eval(x->v, x->w, unknowns, x->params, x->y0)) return failed(run_failed, "a value is not finite");
  run_listen(r,
             (RunListener){
                 .sink = &sink, .times = times, .time_count = count, .self = x->self, .interrupted = x->interrupted});
  if (!run_reset(r, x->params, x->y0)) return r->failure;
  if (!(end > r->ode.t0)) end = r->ode.t0 + 1e-9; // a row at the start alone
  OdeResult o = run_to(r, end);
  RunFailure f = r->failure;
  if (o.status == ode_no_memory) f.status = run_no_memory;
  else if (o.status != ode_done && o.status != ode_ended && f.status == run_done) f.status = run_failed;
  if (f.status == run_failed && !f.message && r->h && r->h->failure) f.message = r->h->failure;
  return f;
}

// A curve: outputs at any times, in any order.
static RunFailure eval_curve(Sensitivity *x, const double *unknowns, const SensitivityRows *to) {
  const Tape *rows = x->p->rows;
  Run *r = x->r;
  x->motions++;
  if (!vary_eval(x->v, x->w, unknowns, x->params, x->y0)) return failed(run_failed, "a value is not finite");
  run_listen(r, (RunListener){.quiet = true});
  if (!run_reset(r, x->params, x->y0)) return r->failure;
  double *var = tape_vars(rows, r->rw);
  for (uint32_t i = 0; i < to->count; i++) {
    var[0] = to->times[i];
    tape_eval(rows, r->rw);
    if (run_report_undefined(r, to->times[i])) return r->failure;
    for (uint32_t c = 0; c < to->width; c++) x->one[c] = tape_result(rows, r->rw, c);
    put_row(to, i, x->one);
  }
  return failed(run_done, NULL);
}

static RunFailure run_or_eval(Sensitivity *x, const double *unknowns, SensitivityRows rows) {
  return system_is_curve(&x->p->s) ? eval_curve(x, unknowns, &rows) : run_once(x, unknowns, &rows);
}

static RunFailure run_table(Sensitivity *x, const double *unknowns, const double *times, uint32_t count,
                            double *values) {
  uint32_t width = x->p->columns.shown;
  for (size_t i = 0; i < (size_t)count * width; i++) values[i] = NAN;
  return run_or_eval(x, unknowns, (SensitivityRows){times, count, 0, width, values, NULL});
}

// ---- differences

// The values of an unknown in its four (or two) simulations, and the weights of these.
typedef struct Stencil {
  double at[4], weight[4], own; // own: of the simulation itself
  int count;
} Stencil;

static Stencil stencil_of(const Sensitivity *x, const double *unknowns, uint32_t j) {
  double u = unknowns[j], h = part * x->sizes[j];
  double down = x->least ? u - x->least[j] : INFINITY, up = x->most ? x->most[j] - u : INFINITY;
  double room = fmin(down, up) / 2;
  if (room >= 0.01 * h) {
    h = fmin(h, room);
    return (Stencil){
        {u + h, u - h, u + 2 * h, u - 2 * h}, {8 / (12 * h), -8 / (12 * h), -1 / (12 * h), 1 / (12 * h)}, 0, 4};
  }
  h = fmin(0.1 * h, fmax(down, up) / 2);
  if (down > up) h = -h;
  return (Stencil){{u + h, u + 2 * h}, {4 / (2 * h), -1 / (2 * h)}, -3 / (2 * h), 2};
}

static bool make_room(Sensitivity *x, size_t size) {
  if (size <= x->near_room) return true;
  x->near_room = 2 * size;
  x->near = arena_array(x->arena, x->near_room, sizeof *x->near);
  return x->near != NULL;
}

static RunFailure by_differences(Sensitivity *x, const double *unknowns, const double *times, uint32_t count,
                                 const double *values, double *slopes) {
  size_t size = (size_t)count * x->p->columns.shown;
  uint32_t all = x->v->count;
  if (!make_room(x, size + 1)) return failed(run_no_memory, NULL);
  for (uint32_t j = 0; j < all; j++) {
    Stencil s = stencil_of(x, unknowns, j);
    for (size_t i = 0; i < size; i++) slopes[i * all + j] = s.own != 0 ? s.own * values[i] : 0;
    for (int m = 0; m < s.count; m++) {
      memcpy(x->trial, unknowns, all * sizeof *unknowns);
      x->trial[j] = s.at[m];
      RunFailure f = run_table(x, x->trial, times, count, x->near);
      if (f.status != run_done) return f;
      for (size_t i = 0; i < size; i++) slopes[i * all + j] += s.weight[m] * x->near[i];
    }
  }
  return failed(run_done, NULL);
}

RunFailure sensitivity_run(Sensitivity *x, const double *unknowns, const double *times, uint32_t count, double *values,
                           double *slopes) {
  size_t size = (size_t)count * x->p->columns.shown;
  if (!slopes || !x->v->count) return run_table(x, unknowns, times, count, values); // it may have no unknown at all
  if (!x->why) {
    for (size_t i = 0; i < size; i++) values[i] = NAN;
    for (size_t i = 0; i < size * x->v->count; i++) slopes[i] = NAN;
    RunFailure f = variational_run(
        x->by, &(VariationalRequest){unknowns, times, count, values, slopes, x->self, x->interrupted, NULL});
    x->motions += 1 + x->v->count;
    if (f.status != run_done || !x->by->inexact) return f;
    x->why = x->by->inexact;
  }
  RunFailure f = run_table(x, unknowns, times, count, values);
  return f.status == run_done ? by_differences(x, unknowns, times, count, values, slopes) : f;
}

// ---- row by row

// All rows at once, then one after the other.
static RunFailure stream_table(Sensitivity *x, const double *unknowns, const double *times, uint32_t count,
                               const SensitivitySink *to) {
  size_t size = (size_t)count * x->p->columns.shown + 1, all = x->v->count, width = x->p->columns.shown;
  if (size > x->table_room) {
    x->table = arena_array(x->arena, size, sizeof *x->table);
    x->table_sensitivities = arena_array(x->arena, size * all, sizeof *x->table_sensitivities);
    x->table_room = x->table && x->table_sensitivities ? size : 0;
    if (!x->table_room) return failed(run_no_memory, NULL);
  }
  RunFailure f = sensitivity_run(x, unknowns, times, count, x->table, x->table_sensitivities);
  for (uint32_t i = 0; f.status == run_done && i < count; i++)
    to->row(to->self, i, x->table + i * width, x->table_sensitivities + i * width * all);
  return f;
}

bool sensitivity_stream(Sensitivity *x, const double *unknowns, const double *times, uint32_t count, bool slopes,
                        const SensitivitySink *to, RunFailure *failure) {
  if (!slopes || !x->v->count) {
    *failure = run_or_eval(x, unknowns, (SensitivityRows){times, count, 0, x->p->columns.shown, NULL, to});
    return true;
  }
  if (x->why || x->v->count > variational_most) {
    *failure = stream_table(x, unknowns, times, count, to);
    return true;
  }
  VariationalRequest request = {unknowns, times, count, x->one, x->one_sensitivities, x->self, x->interrupted, to};
  *failure = variational_run(x->by, &request);
  x->motions += 1 + x->v->count;
  if (failure->status != run_done || !x->by->inexact) return true;
  x->why = x->by->inexact;
  return false;
}
