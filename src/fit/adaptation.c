// CMA-ES (Hansen, Ostermeier): a normal distribution that adapts its covariance to the costs. A part of explore.h.
//
// Individuals m + sigma B D x, x normal, brought back into the box; the better half, weighted by rank, makes the next
// m; C follows its path and the steps of this half, sigma the length of the path. Constants are those of Hansen's
// tutorial (2016).
#include "fit/explore.h"

#include "fit/least.h"

#include <string.h>

typedef struct Cma {
  Explore *s;
  uint32_t mu;
  double *weight, mu_eff, cc, cs, c1, cmu, damps, chi;
  double *m, *old, *pc, *ps, *C, *B, *D, *step, *room;
  double sigma;
  uint32_t *order;
} Cma;

static bool cma_open(Cma *c, Explore *s) {
  Arena *arena = s->f->arena;
  double k = s->k, sum = 0, squares = 0;
  *c = (Cma){.s = s, .mu = s->size / 2, .sigma = 0.3};
  double **rows[] = {&c->m, &c->old, &c->pc, &c->ps, &c->D, &c->step}, **squares_of[] = {&c->C, &c->B, &c->room};
  for (int i = 0; i < 6; i++) *rows[i] = arena_array(arena, s->k, sizeof(double));
  for (int i = 0; i < 3; i++) *squares_of[i] = arena_array(arena, (size_t)s->k * s->k, sizeof(double));
  c->weight = arena_array(arena, (size_t)c->mu + 1, sizeof *c->weight);
  c->order = arena_array(arena, (size_t)s->size + 1, sizeof *c->order);
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < c->mu; i++) sum += c->weight[i] = log(c->mu + 0.5) - log(i + 1.0);
  for (uint32_t i = 0; i < c->mu; i++) {
    c->weight[i] /= sum;
    squares += c->weight[i] * c->weight[i];
  }
  c->mu_eff = 1 / squares;
  c->cc = (4 + c->mu_eff / k) / (k + 4 + 2 * c->mu_eff / k);
  c->cs = (c->mu_eff + 2) / (k + c->mu_eff + 5);
  c->c1 = 2 / ((k + 1.3) * (k + 1.3) + c->mu_eff);
  c->cmu = fmin(1 - c->c1, 2 * (c->mu_eff - 2 + 1 / c->mu_eff) / ((k + 2) * (k + 2) + c->mu_eff));
  c->damps = 1 + 2 * fmax(0, sqrt((c->mu_eff - 1) / (k + 1)) - 1) + c->cs;
  c->chi = sqrt(k) * (1 - 1 / (4 * k) + 1 / (21 * k * k));
  for (uint32_t j = 0; j < s->k; j++) {
    c->m[j] = 0.2 + 0.6 * explore_uniform(&s->random);
    c->C[(size_t)j * s->k + j] = 1;
  }
  return true;
}

// C is symmetric: its singular vectors are its axes.
static void find_axes(Cma *c) {
  uint32_t k = c->s->k;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < i; j++) c->C[(size_t)i * k + j] = c->C[(size_t)j * k + i];
  }
  least_singular(c->C, k, c->D, c->B, c->room);
  for (uint32_t j = 0; j < k; j++) c->D[j] = sqrt(fmax(c->D[j], 1e-30));
}

static void draw(Cma *c) {
  Explore *s = c->s;
  for (uint32_t i = 0; i < s->size; i++) {
    double *z = s->z + (size_t)i * s->k;
    for (uint32_t j = 0; j < s->k; j++) c->step[j] = c->D[j] * explore_normal(&s->random);
    for (uint32_t r = 0; r < s->k; r++) {
      double v = 0;
      for (uint32_t j = 0; j < s->k; j++) v += c->B[(size_t)r * s->k + j] * c->step[j];
      z[r] = fmin(fmax(c->m[r] + c->sigma * v, 0), 1);
    }
  }
}

static void rank(Cma *c) {
  Explore *s = c->s;
  for (uint32_t i = 0; i < s->size; i++) {
    uint32_t at = i;
    for (; at > 0 && s->costs[i] < s->costs[c->order[at - 1]]; at--) c->order[at] = c->order[at - 1];
    c->order[at] = i;
  }
}

// Is the better half alike in cost? Then there is nothing to learn.
static bool agree(const Cma *c) {
  double best = c->s->costs[c->order[0]], worst = c->s->costs[c->order[c->mu - 1]];
  return worst - best <= (c->s->f->index ? 1e-7 : 1e-9) * fabs(best);
}

static void adapt_paths(Cma *c, uint32_t generation, bool *rises) {
  uint32_t k = c->s->k;
  double length = 0;
  // C^(-1/2) (m - old)/sigma
  for (uint32_t j = 0; j < k; j++) {
    double v = 0;
    for (uint32_t r = 0; r < k; r++) v += c->B[(size_t)r * k + j] * (c->m[r] - c->old[r]);
    c->step[j] = v / (c->D[j] * c->sigma);
  }
  for (uint32_t r = 0; r < k; r++) {
    double v = 0;
    for (uint32_t j = 0; j < k; j++) v += c->B[(size_t)r * k + j] * c->step[j];
    c->ps[r] = (1 - c->cs) * c->ps[r] + sqrt(c->cs * (2 - c->cs) * c->mu_eff) * v;
    length = hypot(length, c->ps[r]);
  }
  double expected = sqrt(1 - pow(1 - c->cs, 2 * (generation + 1.0)));
  *rises = length / expected / c->chi < 1.4 + 2 / (k + 1.0);
  for (uint32_t r = 0; r < k; r++)
    c->pc[r] = (1 - c->cc) * c->pc[r] +
               (*rises ? sqrt(c->cc * (2 - c->cc) * c->mu_eff) * (c->m[r] - c->old[r]) / c->sigma : 0);
  c->sigma *= exp(c->cs / c->damps * (length / c->chi - 1));
  c->sigma = fmin(c->sigma, 1);
}

static void adapt_covariance(Cma *c, double sigma, bool rises) {
  const Explore *s = c->s;
  uint32_t k = s->k;
  double keep = 1 - c->c1 - c->cmu + (rises ? 0 : c->c1 * c->cc * (2 - c->cc));
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = i; j < k; j++) {
      double v = keep * c->C[(size_t)i * k + j] + c->c1 * c->pc[i] * c->pc[j];
      for (uint32_t n = 0; n < c->mu; n++) {
        const double *z = s->z + (size_t)c->order[n] * k;
        v += c->cmu * c->weight[n] * (z[i] - c->old[i]) * (z[j] - c->old[j]) / (sigma * sigma);
      }
      c->C[(size_t)i * k + j] = v;
    }
  }
}

void explore_adaptation(Explore *s) {
  Cma cma, *c = &cma;
  uint32_t generations = s->settings->generations ? s->settings->generations : 200;
  s->stopped = !cma_open(c, s);
  for (uint32_t g = 0; g < generations && !s->stopped; g++) {
    bool rises;
    find_axes(c);
    draw(c);
    if (!explore_costs(s, s->z, s->size, s->costs)) return;
    explore_note(s, s->costs);
    rank(c);
    if (agree(c)) return;
    memcpy(c->old, c->m, s->k * sizeof *c->m);
    memset(c->m, 0, s->k * sizeof *c->m);
    for (uint32_t n = 0; n < c->mu; n++) {
      for (uint32_t j = 0; j < s->k; j++) c->m[j] += c->weight[n] * s->z[(size_t)c->order[n] * s->k + j];
    }
    double sigma = c->sigma;
    adapt_paths(c, g, &rises);
    adapt_covariance(c, sigma, rises);
    if (c->sigma * c->D[0] < 1e-10) return;
  }
}
