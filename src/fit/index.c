// An index of performance. See index.h.
#include "fit/index.h"

#include "base/random.h"

#include "sim/ensemble.h"
#include "sim/program_start.h"

#include <string.h>

static const double index_tolerance = 1e-7;

// ---- making one

static bool vary_all(FitProblem *f, Diags *diags) {
  FitIndex *x = f->index;
  const char **names = arena_array(f->arena, (size_t)f->k + 1, sizeof *names);
  if (!names) return false;
  for (uint32_t i = 0; i < f->k; i++) {
    names[i] = f->unknowns[i].name;
    if (!fit_check_unknown(x->p, &f->unknowns[i], diags)) return false;
  }
  return diags->errors || vary_names(x->p, names, f->k, diags, &x->vary);
}

static bool make_program(FitProblem *f, const FitData *data, Diags *diags) {
  FitIndex *x = f->index;
  System *system = arena_new_of(f->arena, System);
  RunSettings *settings = arena_new_of(f->arena, RunSettings);
  ProgramReport built;
  if (!system || !settings) return false;
  FitData over = {.system = x->request.system, .fit = data->fit};
  if (!fit_make_system(f, &over, system, diags)) return false;
  if (diags->errors) return true;
  *settings = *f->settings;
  settings->measures = x->request.set;
  settings->rtol = fmax(settings->rtol, index_tolerance);
  if (!settings->method) settings->method = "auto"; // an index needs exact simulations, however tables are made
  x->p = program_new_started(f->arena, system, &(ProgramRequest){.settings = settings}, diags, &built);
  if (!x->p && built.failure.message)
    diag_error(diags, diag_bad_setting, built.failure.place, "%s", built.failure.message);
  return x->p || diags->errors;
}

FitProblem *index_problem_new(Arena *arena, const FitData *data, uint32_t count, const IndexRequest *request,
                              const RunSettings *settings, Diags *diags) {
  FitProblem *f = arena_new_of(arena, FitProblem);
  FitIndex *x = arena_new_of(arena, FitIndex);
  if (!f || !x) return NULL;
  *f = (FitProblem){.arena = arena, .settings = settings, .index = x, .horizon = INFINITY, .total = 1};
  *x = (FitIndex){.request = *request};
  x->last = arena_array(arena, (size_t)request->set->items.count + 1, sizeof *x->last);
  bool ok = x->last && fit_list_unknowns(f, data, count, diags);
  if (ok && !diags->errors) ok = make_program(f, &data[0], diags);
  if (ok && !diags->errors) ok = vary_all(f, diags);
  f->least = arena_array(arena, (size_t)f->k + 1, sizeof *f->least);
  f->most = arena_array(arena, (size_t)f->k + 1, sizeof *f->most);
  f->best = (FitBest){arena_array(arena, (size_t)f->k + 1, sizeof(double)), INFINITY};
  ok = ok && !arena_failed(arena);
  for (uint32_t i = 0; ok && !diags->errors && i < f->k; i++)
    fit_name_unknown(f, &f->unknowns[i], x->p, &x->vary.targets[i]);
  if (ok && !diags->errors) fit_settle_starts(f);
  if (ok && !diags->errors) return f;
  program_free(x->p);
  return NULL;
}

// ---- costs

typedef struct IndexBatch {
  FitProblem *f;
  const double *u;
  double *costs;
  double *keep; // measures of the last sample; NULL: not wanted
  double **w;   // by thread
} IndexBatch;

static bool sample(void *self, uint32_t thread, uint64_t i, double *params, double *y0) {
  const IndexBatch *c = self;
  return vary_eval(&c->f->index->vary, c->w[thread], c->u + i * c->f->k, params, y0);
}

static double cost_of(const IndexRequest *w, const double *measures) {
  double away = 0, index = measures[0];
  for (uint32_t i = 0; i < w->conditions; i++) {
    double holds = measures[1 + i], excess = w->excess[i] ? measures[w->excess[i]] : 1;
    if (isnan(holds)) return INFINITY;
    if (holds != 0) continue;
    away += isfinite(excess) && excess > 0 ? 1 + excess / (1 + excess) : 1;
  }
  if (away > 0) return index_violated * (1 + away);
  return isfinite(index) && index < index_violated ? index : INFINITY;
}

static bool take_end(void *self, uint64_t i, const EnsembleEnd *end) {
  IndexBatch *c = self;
  FitIndex *x = c->f->index;
  bool done = end->status == run_done && end->measures;
  c->costs[i] = done ? cost_of(&x->request, end->measures) : INFINITY;
  if (done && c->keep) memcpy(c->keep, end->measures, x->request.set->items.count * sizeof *c->keep);
  if (!done && end->message) x->failure = arena_printf(c->f->arena, "%s", end->message);
  return true;
}

static bool run_all(FitProblem *f, const double *u, uint32_t count, double *costs, double *keep) {
  FitIndex *x = f->index;
  uint32_t threads = ensemble_threads(x->p, count, 0);
  Arena *arena = arena_new_scratch(f->arena);
  if (!arena) return false;
  IndexBatch c = {f, u, costs, keep, arena_array(arena, threads, sizeof *c.w)};
  for (uint32_t i = 0; c.w && i < threads; i++) c.w[i] = arena_array(arena, x->vary.tape->slot_count, sizeof **c.w);
  EnsembleResult done = {.status = run_no_memory};
  if (!arena_failed(arena)) {
    Ensemble e = {.self = &c,
                  .count = count,
                  .sample = sample,
                  .take = take_end,
                  .messages = true,
                  .asker = f->settings->self,
                  .interrupted = f->settings->interrupted};
    done = ensemble_run(x->p, &e, threads);
  }
  arena_free_scratch(arena);
  return done.status == run_done && !fit_interrupted(f);
}

bool index_costs(FitProblem *f, const double *u, uint32_t count, double *costs) {
  if (!count) return true;
  f->motions += count;
  return run_all(f, u, count, costs, NULL);
}

bool index_find_idle(FitProblem *f, uint64_t seed, bool *idle) {
  enum { bases = 3, places = 2 };
  uint32_t k = f->k, one = 1 + places * k, count = bases * one;
  Arena *arena = arena_new_scratch(f->arena);
  if (!arena) return false;
  double *u = arena_array(arena, (size_t)count * k, sizeof *u), *costs = arena_array(arena, count, sizeof *costs);
  uint64_t counter = UINT64_C(1) << 41; // not those of the search
  bool ok = u && costs;
  for (uint32_t b = 0; ok && b < bases; b++) {
    double *base = u + (size_t)b * one * (size_t)k;
    for (uint32_t j = 0; j < k; j++)
      base[j] = b ? f->least[j] + random_uniform(seed, counter++) * (f->most[j] - f->least[j]) : f->unknowns[j].start;
    for (uint32_t i = 1; i < one; i++) {
      uint32_t j = (i - 1) / places;
      memcpy(base + (size_t)i * k, base, k * sizeof *base);
      base[(size_t)i * k + j] = f->least[j] + random_uniform(seed, counter++) * (f->most[j] - f->least[j]);
    }
  }
  ok = ok && index_costs(f, u, count, costs);
  for (uint32_t j = 0; ok && j < k; j++) idle[j] = true;
  for (uint32_t i = 0; ok && i < count; i++) {
    double before = costs[i - i % one];
    uint32_t j = i % one ? (i % one - 1) / places : 0;
    // a simulation that fails for one value alone shows an influence, too
    if (i % one && !(costs[i] == before)) idle[j] = false;
  }
  bool any = false;
  for (uint32_t i = 0; ok && i < count; i++) any = any || isfinite(costs[i]);
  for (uint32_t j = 0; ok && j < k && !any; j++) idle[j] = false; // it fails everywhere: that says nothing
  arena_free_scratch(arena);
  return ok;
}

bool index_measures(FitProblem *f, const double *u) {
  double cost = INFINITY;
  return run_all(f, u, 1, &cost, f->index->last) && isfinite(cost);
}
