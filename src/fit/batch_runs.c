// FitRuns simulation in SIMD lanes, on all processors. See batch.h.
#include "fit/batch_runs.h"

#include "fit/index.h"

#include "sim/ensemble.h"

#include <string.h>

typedef struct FitRuns {
  const FitProblem *f;
  FitExperiment *x;
  const double *u;     // of all points
  double *costs;       // summed up
  double **w;          // by thread: workspace of the values, then its unknowns
  const double *times; // moments that are compared
  uint32_t rows;       // how many; they stand evenly among `of`
  uint32_t of;
  uint64_t at;    // the point whose rows come
  uint32_t next;  // its next moment
  uint32_t stiff; // how many ended in rodas
} FitRuns;

static bool sample(void *self, uint32_t thread, uint64_t i, double *params, double *y0) {
  const FitRuns *c = self;
  const Variation *vary = &c->x->batch.vary;
  double *own = c->w[thread] + vary->tape->slot_count;
  for (uint32_t j = 0; j < c->x->k; j++) own[j] = c->u[i * c->f->k + c->x->unknown[j]];
  return vary_eval(vary, c->w[thread], own, params, y0);
}

static double cost_of(const FitProblem *f, const FitExperiment *x, uint32_t column, double value, double data) {
  double slope, r = loss_residual(&f->loss, (value - data) / x->columns[column].sd, &slope);
  return isnan(data) ? 0 : r * r;
}

// Of long data not all rows are compared: a population is judged by three digits.
enum { most_rows = 1 << 15 };

static size_t row_of(const FitRuns *c, uint32_t i) {
  return c->rows == c->of ? i : (size_t)((uint64_t)i * (c->of - 1) / (c->rows - 1));
}

static bool thin_rows(FitRuns *c, const FitExperiment *x, Arena *arena) {
  c->rows = c->of < most_rows ? c->of : most_rows;
  c->times = x->moments;
  if (c->rows == c->of) return true;
  double *times = arena_array(arena, c->rows, sizeof *times);
  for (uint32_t i = 0; times && i < c->rows; i++) times[i] = x->moments[row_of(c, i)];
  c->times = times;
  return times != NULL;
}

static bool take_row(void *self, uint64_t i, double t, const double *values) {
  FitRuns *c = self;
  const FitExperiment *x = c->x;
  double weight = (double)c->of / c->rows;
  if (i != c->at) c->next = 0;
  c->at = i;
  while (c->next < c->rows && c->times[c->next] < t) c->next++;
  if (c->next >= c->rows || c->times[c->next] != t) return true;
  size_t moment = row_of(c, c->next++);
  for (size_t row = fit_first_row(x, moment); row < fit_first_row(x, moment + 1); row++) {
    for (uint32_t k = 0; k < x->width; k++)
      c->costs[i] += weight * cost_of(c->f, x, k, values[k], x->of->values[row * x->width + k]);
  }
  return true;
}

static bool take_end(void *self, uint64_t i, const EnsembleEnd *end) {
  FitRuns *c = self;
  double reached = c->rows ? c->times[c->rows - 1] : 0;
  if (end->status != run_done || end->t < reached || !isfinite(c->costs[i])) c->costs[i] = INFINITY;
  c->stiff += end->stiff;
  return true;
}

static bool run_batch(FitProblem *f, FitExperiment *x, const double *u, uint32_t count, double *costs) {
  if (!x->batch.p && !fit_make_batch(f, x, false)) return false;
  SimProgram *p = x->batch.p;
  uint32_t threads = ensemble_threads(p, count, 0);
  FitRuns c = {.f = f, .x = x, .u = u, .costs = costs, .at = UINT64_MAX, .of = fit_moments_within(f, x)};
  Arena *arena = arena_new_scratch(f->arena);
  if (!arena) return false;
  c.w = arena_array(arena, threads, sizeof *c.w);
  for (uint32_t i = 0; c.w && i < threads; i++)
    c.w[i] = arena_array(arena, (size_t)x->batch.vary.tape->slot_count + f->k, sizeof **c.w);
  EnsembleResult done = {.status = run_no_memory};
  if (thin_rows(&c, x, arena) && !arena_failed(arena)) {
    Ensemble e = {.self = &c,
                  .count = count,
                  .sample = sample,
                  .row = take_row,
                  .times = c.times,
                  .time_count = c.rows,
                  .take = take_end,
                  .asker = f->settings->self,
                  .interrupted = f->settings->interrupted};
    done = ensemble_run(p, &e, threads);
  }
  arena_free_scratch(arena);
  if (done.status != run_done) return false;
  bool stiff = p->settled.ode.automatic && 2 * c.stiff > count;
  return !stiff || fit_make_batch(f, x, true);
}

// A curve needs no simulation.
typedef struct CurveCost {
  const FitProblem *f;
  const FitExperiment *x;
  double cost;
} CurveCost;

static void add_row(void *self, uint32_t i, const double *values, const double *slopes) {
  CurveCost *c = self;
  (void)slopes;
  for (uint32_t k = 0; k < c->x->width; k++)
    c->cost += cost_of(c->f, c->x, k, values[k], c->x->of->values[(size_t)i * c->x->width + k]);
}

static bool eval_batch(FitProblem *f, FitExperiment *x, const double *u, uint32_t count, double *costs) {
  Sensitivity *sensitivity = x->at[level_rough].s;
  for (uint32_t i = 0; i < count && !fit_interrupted(f); i++) {
    CurveCost sum = {f, x, costs[i]};
    RunFailure failure;
    for (uint32_t j = 0; j < x->k; j++) x->own[j] = u[(size_t)i * f->k + x->unknown[j]];
    sensitivity_stream(sensitivity, x->own, x->of->times, x->of->count, false, &(SensitivitySink){&sum, add_row},
                       &failure);
    costs[i] = failure.status == run_done && isfinite(sum.cost) ? sum.cost : INFINITY;
    if (failure.status == run_no_memory) return false;
  }
  return true;
}

bool batch_costs(FitProblem *f, const double *u, uint32_t count, double *costs) {
  if (f->index) return index_costs(f, u, count, costs);
  for (uint32_t i = 0; i < count; i++) costs[i] = 0;
  for (uint32_t e = 0; e < f->count && count; e++) {
    FitExperiment *x = &f->experiments[e];
    bool curve = system_is_curve(x->of->system);
    if (!(curve ? eval_batch(f, x, u, count, costs) : run_batch(f, x, u, count, costs))) return false;
    if (fit_interrupted(f)) return false;
  }
  f->motions += (uint64_t)count * f->count;
  return true;
}
