// Populations of motions. See explore.h.
#include "fit/explore.h"

#include "base/random.h"
#include "sim/ensemble.h"

#include <string.h>

ExploreSettings explore_defaults(void) { return (ExploreSettings){.crossover = NAN, .mutation = NAN, .exponent = NAN}; }

double explore_uniform(ExploreRandom *r) { return random_uniform(r->seed, r->counter++); }
double explore_normal(ExploreRandom *r) { return random_normal(r->seed, r->counter++); }
uint32_t explore_below(ExploreRandom *r, uint32_t count) {
  uint32_t i = (uint32_t)(explore_uniform(r) * count);
  return i < count ? i : count - 1;
}

bool explore_open(Explore *s, FitProblem *f, const ExploreSettings *settings, uint64_t seed, uint32_t size,
                  FitHistory *history) {
  size_t all = (size_t)size * f->k + 1;
  *s = (Explore){.f = f,
                 .settings = settings,
                 .random = {seed, 0},
                 .k = f->k,
                 .size = size,
                 .best_cost = INFINITY,
                 .history = history};
  s->z = arena_array(f->arena, all, sizeof *s->z);
  s->next = arena_array(f->arena, all, sizeof *s->next);
  s->u = arena_array(f->arena, all, sizeof *s->u);
  s->costs = arena_array(f->arena, (size_t)size + 1, sizeof *s->costs);
  s->next_costs = arena_array(f->arena, (size_t)size + 1, sizeof *s->next_costs);
  s->best = arena_array(f->arena, (size_t)f->k + 1, sizeof *s->best);
  s->from = arena_array(f->arena, (size_t)f->k + 1, sizeof *s->from);
  s->to = arena_array(f->arena, (size_t)f->k + 1, sizeof *s->to);
  if (arena_failed(f->arena)) return false;
  for (uint32_t j = 0; j < f->k; j++) {
    double start = f->unknowns[j].start;
    bool ranged = isfinite(f->least[j]) && isfinite(f->most[j]);
    s->from[j] = ranged ? f->least[j] : start > 0 ? start / 100 : start < 0 ? 100 * start : -1;
    s->to[j] = ranged ? f->most[j] : start > 0 ? 100 * start : start < 0 ? start / 100 : 1;
  }
  return true;
}

void explore_values(const Explore *s, const double *z, double *u) {
  for (uint32_t j = 0; j < s->k; j++) {
    double from = s->from[j], to = s->to[j];
    u[j] = fmin(fmax(from + z[j] * (to - from), from), to);
  }
}

double explore_fitness(const Explore *s, double cost) {
  if (!isfinite(cost)) return 0;
  if (s->settings->mean_square) return (double)s->f->points / fmax(cost, 1e-300);
  return fmax(fit_r2(s->f, cost), 0);
}

// ---- the motions of one experiment

typedef struct Crowd {
  const FitProblem *f;
  FitExperiment *x;
  const double *u; // of all individuals
  double *costs;   // summed up
  double **w;      // by thread: workspace of the values, then its unknowns
  uint32_t rows;
  uint64_t at;   // the individual whose rows come
  uint32_t next; // its next row
} Crowd;

static bool sample(void *self, uint32_t thread, uint64_t i, double *params, double *y0) {
  const Crowd *c = self;
  double *own = c->w[thread] + c->x->at[level_rough].vary.tape->slot_count;
  for (uint32_t j = 0; j < c->x->k; j++) own[j] = c->u[i * c->f->k + c->x->unknown[j]];
  return vary_eval(&c->x->at[level_rough].vary, c->w[thread], own, params, y0);
}

static bool take_row(void *self, uint64_t i, double t, const double *values) {
  Crowd *c = self;
  const FitExperiment *x = c->x;
  if (i != c->at) c->next = 0;
  c->at = i;
  while (c->next < c->rows && x->of->times[c->next] < t) c->next++;
  if (c->next >= c->rows || x->of->times[c->next] != t) return true;
  for (uint32_t k = 0; k < x->width; k++) {
    double data = x->of->values[(size_t)c->next * x->width + k];
    if (isnan(data)) continue;
    double slope, r = loss_residual(&c->f->loss, (values[k] - data) / x->columns[k].sd, &slope);
    c->costs[i] += r * r;
  }
  c->next++;
  return true;
}

static bool take_end(void *self, uint64_t i, const EnsembleEnd *end) {
  Crowd *c = self;
  double reached = c->rows ? c->x->of->times[c->rows - 1] : 0;
  if (end->status != run_done || end->t < reached || !isfinite(c->costs[i])) c->costs[i] = INFINITY;
  return true;
}

// False: interrupted, or memory is out.
static bool run_crowd(Explore *s, FitExperiment *x, const double *u, uint32_t count, double *costs) {
  FitProblem *f = s->f;
  uint32_t threads = ensemble_threads(x->at[level_rough].p, count, 0), rows = x->of->count;
  Crowd c = {.f = f, .x = x, .u = u, .costs = costs, .at = UINT64_MAX};
  Arena *arena = arena_new_scratch(f->arena);
  if (!arena) return false;
  while (rows > 1 && x->of->times[rows - 1] > f->horizon) rows--;
  c.rows = rows;
  c.w = arena_array(arena, threads, sizeof *c.w);
  for (uint32_t i = 0; c.w && i < threads; i++)
    c.w[i] = arena_array(arena, (size_t)x->at[level_rough].vary.tape->slot_count + f->k, sizeof **c.w);
  EnsembleResult done = {.status = run_no_memory};
  if (!arena_failed(arena)) {
    Ensemble e = {.self = &c,
                  .count = count,
                  .sample = sample,
                  .row = take_row,
                  .times = x->of->times,
                  .time_count = rows,
                  .take = take_end,
                  .asker = f->settings->self,
                  .interrupted = f->settings->interrupted};
    done = ensemble_run(x->at[level_rough].p, &e, threads);
  }
  arena_free_scratch(arena);
  return done.status == run_done;
}

// A curve needs no motion.
static bool eval_crowd(const FitProblem *f, FitExperiment *x, const double *u, uint32_t count, double *costs) {
  Sensitivity *sensitivity = x->at[level_rough].s;
  for (uint32_t i = 0; i < count && !fit_interrupted(f); i++) {
    for (uint32_t j = 0; j < x->k; j++) x->own[j] = u[(size_t)i * f->k + x->unknown[j]];
    RunFailure failure = sensitivity_run(sensitivity, x->own, x->of->times, x->of->count, x->values, NULL);
    for (size_t c = 0; failure.status == run_done && c < (size_t)x->of->count * x->width; c++) {
      if (isnan(x->of->values[c])) continue;
      double sd = x->columns[c % x->width].sd, slope;
      double r = loss_residual(&f->loss, (x->values[c] - x->of->values[c]) / sd, &slope);
      costs[i] += r * r;
    }
    if (failure.status != run_done || !isfinite(costs[i])) costs[i] = INFINITY;
    if (failure.status == run_no_memory) return false;
  }
  return true;
}

bool explore_costs(Explore *s, const double *z, uint32_t count, double *costs) {
  FitProblem *f = s->f;
  for (uint32_t i = 0; i < count; i++) {
    explore_values(s, z + (size_t)i * s->k, s->u + (size_t)i * s->k);
    costs[i] = 0;
  }
  for (uint32_t e = 0; e < f->count && !s->stopped; e++) {
    FitExperiment *x = &f->experiments[e];
    bool curve = system_is_curve(&x->at[level_rough].p->s);
    s->stopped = !(curve ? eval_crowd(f, x, s->u, count, costs) : run_crowd(s, x, s->u, count, costs));
    s->stopped = s->stopped || fit_interrupted(f);
  }
  if (s->stopped) return false;
  f->motions += (uint64_t)count * f->count;
  for (uint32_t i = 0; i < count; i++) {
    if (!(costs[i] < s->best_cost)) continue;
    s->best_cost = costs[i];
    memcpy(s->best, z + (size_t)i * s->k, s->k * sizeof *s->best);
    fit_note(f, s->u + (size_t)i * s->k, costs[i]);
  }
  fit_note(f, s->u, INFINITY);
  return true;
}

void explore_note(Explore *s, const double *costs) {
  double mean = 0, square = 0, n = 0;
  for (uint32_t i = 0; i < s->size; i++) {
    if (!isfinite(costs[i])) continue;
    double r2 = fit_r2(s->f, costs[i]), before = mean;
    mean += (r2 - mean) / ++n;
    square += (r2 - mean) * (r2 - before);
  }
  FitGeneration g = {fit_r2(s->f, s->best_cost), n ? mean : NAN, n ? sqrt(square / n) : NAN, s->f->motions};
  vec_push(s->f->arena, s->history, g);
}
