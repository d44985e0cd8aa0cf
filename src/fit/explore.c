// Population-based global search. See explore.h.
#include "fit/explore.h"

#include "base/random.h"
#include "fit/batch_runs.h"
#include "fit/index.h"

#include <string.h>

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
  s->known = arena_array(f->arena, 2 * all, sizeof *s->known);
  s->known_costs = arena_array(f->arena, 2 * (size_t)size + 1, sizeof *s->known_costs);
  s->same = arena_array(f->arena, (size_t)size + 1, sizeof *s->same);
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

// ---- costs

// An individual that was simulated in the population before, or is twice in this one: its cost is known.
static uint32_t find_known(const Explore *s, const double *z, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    if (memcmp(s->known + (size_t)n * s->k, z, s->k * sizeof *z) == 0) return n;
  }
  return UINT32_MAX;
}

// Costs of those that are new, behind each other in s->u; the others wait for them.
static bool cost_new(Explore *s, const double *z, uint32_t count, double *costs) {
  uint32_t fresh = 0;
  size_t one = s->k * sizeof *z;
  for (uint32_t i = 0; i < count; i++) {
    s->same[i] = find_known(s, z + (size_t)i * s->k, s->known_count + fresh);
    if (s->same[i] != UINT32_MAX) continue;
    s->same[i] = s->known_count + fresh;
    memcpy(s->known + (size_t)s->same[i] * s->k, z + (size_t)i * s->k, one);
    explore_values(s, z + (size_t)i * s->k, s->u + (size_t)fresh * s->k);
    fresh++;
  }
  if (!batch_costs(s->f, s->u, fresh, s->known_costs + s->known_count)) return false;
  for (uint32_t i = 0; i < count; i++) costs[i] = s->known_costs[s->same[i]];
  // this population is the one before now
  for (uint32_t i = 0; i < count; i++) {
    memcpy(s->known + (size_t)i * s->k, z + (size_t)i * s->k, one);
    s->known_costs[i] = costs[i];
  }
  s->known_count = count;
  return true;
}

bool explore_costs(Explore *s, const double *z, uint32_t count, double *costs) {
  FitProblem *f = s->f;
  s->stopped = s->stopped || !cost_new(s, z, count, costs);
  if (s->stopped) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!(costs[i] < s->best_cost)) continue;
    s->best_cost = costs[i];
    memcpy(s->best, z + (size_t)i * s->k, s->k * sizeof *s->best);
    explore_values(s, s->best, s->u);
    fit_note(f, s->u, costs[i]);
  }
  fit_note(f, s->u, INFINITY);
  return true;
}

void explore_note(Explore *s, const double *costs) {
  double mean = 0, square = 0, n = 0;
  for (uint32_t i = 0; i < s->size; i++) {
    if (!isfinite(costs[i]) || (s->f->index && costs[i] >= index_violated)) continue;
    double r2 = fit_r2(s->f, costs[i]), before = mean;
    mean += (r2 - mean) / ++n;
    square += (r2 - mean) * (r2 - before);
  }
  double *u = isfinite(s->best_cost) ? arena_array(s->f->arena, s->k, sizeof *u) : NULL;
  if (u) explore_values(s, s->best, u);
  FitGeneration g = {fit_r2(s->f, s->best_cost), n ? mean : NAN, n ? sqrt(square / n) : NAN, s->f->motions, u};
  vec_push(s->f->arena, s->history, g);
}
