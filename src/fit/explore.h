// Population-based global search over the whole range (evolutionary algorithms, differential evolution, CMA-ES).
//
// Members are simulated eight at a time in SIMD lanes; the result for a seed is the same on every machine. A member
// whose simulation fails is a bad individual. All unknowns have ranges, which no individual leaves. Inside, unknowns
// are z = (u - from)/(to - from) in 0 .. 1.
// parts: evolution.c differential.c adaptation.c
#ifndef VIVA_FIT_EXPLORE_H
#define VIVA_FIT_EXPLORE_H

#include "fit/result.h"

typedef enum FitSelection {
  selection_roulette,
  selection_ranking,
  selection_tournament,
  selection_universal, // stochastic universal sampling
  selection_remainder  // remainder stochastic sampling
} FitSelection;

// Of the genetic algorithms (AGS_R), and how large and long a search is.
typedef struct ExploreSettings {
  uint32_t population, generations; // 0: as the method has it
  double crossover, mutation;       // probabilities; NAN: 0.7 and 0.1
  double exponent;                  // n of SBX; NAN: 2
  bool printed;                     // the document's formula of SBX, not Deb's
  bool mean_square;                 // fitness by the mean square, not by R^2
  FitSelection selection;
} ExploreSettings;

// Random numbers of a search, in their order.
typedef struct ExploreRandom {
  uint64_t seed, counter;
} ExploreRandom;
double explore_uniform(ExploreRandom *r);
double explore_normal(ExploreRandom *r);
uint32_t explore_below(ExploreRandom *r, uint32_t count);

typedef struct Explore {
  FitProblem *f;
  const ExploreSettings *settings;
  ExploreRandom random;
  uint32_t k, size; // of an individual, of the population
  double *z, *next; // size * k
  double *costs, *next_costs;
  double *best, best_cost;     // z of the best so far
  double *u;                   // room for a population
  double *known, *known_costs; // the population before: none of it is simulated twice
  uint32_t known_count, *same;
  double *from, *to; // the box; where an unknown has no range, two decades about its start
  FitHistory *history;
  bool stopped; // interrupted, or out of memory
} Explore;

bool explore_open(Explore *s, FitProblem *f, const ExploreSettings *settings, uint64_t seed, uint32_t size,
                  FitHistory *history); // false: out of memory
// Costs of a population of z, INFINITY where a simulation fails; the best is kept. False: it is stopped.
bool explore_costs(Explore *s, const double *z, uint32_t count, double *costs);
void explore_note(Explore *s, const double *costs); // a generation into the history
void explore_values(const Explore *s, const double *z, double *u);
double explore_fitness(const Explore *s, double cost); // R^2 or 1/(mean square), 0 where it is below

void explore_genetic(Explore *s, bool binary); // evolution.c
void explore_differential(Explore *s);         // differential.c
void explore_adaptation(Explore *s);           // adaptation.c: CMA-ES

#endif
