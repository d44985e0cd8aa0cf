// Differential evolution, rand/1/bin (Storn, Price 1997). A part of explore.h.
//
// The trial of an individual is a + F (b - c) of three others, F between 0.5 and 1, a new one each generation; each
// gene is taken from it with probability 0.9. What leaves the box is reflected into it. The better of both stays. It
// ends where the population agrees, or after its generations.
#include "fit/explore.h"

#include <string.h>

static double reflect(double z) {
  if (z < 0) z = -z;
  if (z > 1) z = 2 - z;
  return z < 0 || z > 1 ? 0.5 : z;
}

static void make_trial(Explore *s, uint32_t i, double factor) {
  uint32_t a, b, c, sure = explore_below(&s->random, s->k);
  do a = explore_below(&s->random, s->size);
  while (a == i);
  do b = explore_below(&s->random, s->size);
  while (b == i || b == a);
  do c = explore_below(&s->random, s->size);
  while (c == i || c == a || c == b);
  for (uint32_t j = 0; j < s->k; j++) {
    bool taken = explore_uniform(&s->random) < 0.9 || j == sure;
    const double *z = s->z + j;
    double v = z[(size_t)a * s->k] + factor * (z[(size_t)b * s->k] - z[(size_t)c * s->k]);
    s->next[(size_t)i * s->k + j] = taken ? reflect(v) : z[(size_t)i * s->k];
  }
}

// Are all costs alike?
static bool agree(const Explore *s) {
  double worst = 0;
  for (uint32_t i = 0; i < s->size; i++) worst = fmax(worst, s->costs[i]);
  return worst - s->best_cost <= 1e-10 * worst;
}

void explore_differential(Explore *s) {
  uint32_t generations = s->settings->generations ? s->settings->generations : 200;
  for (size_t i = 0; i < (size_t)s->size * s->k; i++) s->z[i] = explore_uniform(&s->random);
  if (!explore_costs(s, s->z, s->size, s->costs)) return;
  explore_note(s, s->costs);
  for (uint32_t g = 0; g < generations && !agree(s); g++) {
    double factor = 0.5 + 0.5 * explore_uniform(&s->random);
    for (uint32_t i = 0; i < s->size; i++) make_trial(s, i, factor);
    if (!explore_costs(s, s->next, s->size, s->next_costs)) return;
    for (uint32_t i = 0; i < s->size; i++) {
      if (!(s->next_costs[i] <= s->costs[i])) continue;
      s->costs[i] = s->next_costs[i];
      memcpy(s->z + (size_t)i * s->k, s->next + (size_t)i * s->k, s->k * sizeof *s->z);
    }
    explore_note(s, s->costs);
  }
}
