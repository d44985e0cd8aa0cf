// AGS_R: a genetic algorithm of real chromosomes, and one of bits beside it. A part of explore.h.
//
// A generation: parents are selected by their fitness; each pair is crossed with probability pc; each child is mutated
// with probability pm in one gene, which becomes any number of its range. The best so far is kept beside the
// population. SBX: children (a + b)/2 -+ beta |b - a|/2 with one beta a crossing,
//
//   beta = (2 r)^(1/(n+1)) for r < 1/2, else (1/(2 (1 - r)))^(1/(n+1))        (Deb, Agrawal 1995)
//
// where the document prints 2 r^(1/(n+1)) in the first case. Bits: 16 a gene, cut at one point, one bit inverted.
#include "fit/explore.h"

#include <string.h>

enum { gene_bits = 16 };

// ---- selection: parent[i] of the next population

static void weigh(const Explore *s, double *weight) {
  for (uint32_t i = 0; i < s->size; i++) {
    weight[i] = explore_fitness(s, s->costs[i]);
    if (s->settings->selection != selection_ranking && !s->f->index) continue;
    weight[i] = 1; // by rank: 1 for the worst
    for (uint32_t k = 0; k < s->size; k++)
      weight[i] += s->costs[k] > s->costs[i] || (s->costs[k] == s->costs[i] && k < i);
  }
}

static uint32_t spin(const Explore *s, const double *weight, double at) {
  double sum = 0;
  for (uint32_t i = 0; i < s->size; i++) {
    sum += weight[i];
    if (at < sum) return i;
  }
  return s->size - 1;
}

static uint32_t fight(Explore *s) {
  uint32_t a = explore_below(&s->random, s->size), b = explore_below(&s->random, s->size);
  return s->costs[b] < s->costs[a] ? b : a;
}

// Whole parts of the expected numbers for sure, the rest by their remainders.
static void select_remainder(Explore *s, const double *weight, double total, uint32_t *parent) {
  uint32_t count = 0;
  double *rest = s->next_costs; // room that is free now
  double left = 0;
  for (uint32_t i = 0; i < s->size; i++) {
    double expected = weight[i] / total * s->size, whole = floor(expected);
    for (double k = 0; k < whole && count < s->size; k++) parent[count++] = i;
    left += rest[i] = expected - whole;
  }
  while (count < s->size) parent[count++] = spin(s, rest, explore_uniform(&s->random) * left);
}

static void select_parents(Explore *s, double *weight, uint32_t *parent) {
  double total = 0, turn = explore_uniform(&s->random);
  weigh(s, weight);
  for (uint32_t i = 0; i < s->size; i++) total += weight[i];
  if (s->settings->selection == selection_remainder && total > 0) {
    select_remainder(s, weight, total, parent);
    return;
  }
  for (uint32_t i = 0; i < s->size; i++) {
    if (s->settings->selection == selection_tournament) parent[i] = fight(s);
    else if (!(total > 0)) parent[i] = explore_below(&s->random, s->size);
    else if (s->settings->selection == selection_universal) parent[i] = spin(s, weight, (i + turn) / s->size * total);
    else parent[i] = spin(s, weight, explore_uniform(&s->random) * total);
  }
  // pairs of neighbours of one wheel would be twins
  for (uint32_t i = s->size; s->settings->selection == selection_universal && i > 1; i--) {
    uint32_t j = explore_below(&s->random, i), swap = parent[i - 1];
    parent[i - 1] = parent[j];
    parent[j] = swap;
  }
}

// ---- crossing and mutation

static double spread_factor(Explore *s) {
  double n = isnan(s->settings->exponent) ? 2 : s->settings->exponent, r = explore_uniform(&s->random);
  if (r >= 0.5) return pow(1 / (2 * (1 - r)), 1 / (n + 1));
  return s->settings->printed ? 2 * pow(r, 1 / (n + 1)) : pow(2 * r, 1 / (n + 1));
}

static double clip(double z) { return fmin(fmax(z, 0), 1); }

static void cross_real(Explore *s, double *a, double *b) {
  double beta = spread_factor(s);
  for (uint32_t j = 0; j < s->k; j++) {
    double middle = a[j] + b[j], apart = fabs(b[j] - a[j]);
    a[j] = clip(0.5 * (middle - beta * apart));
    b[j] = clip(0.5 * (middle + beta * apart));
  }
}

static uint32_t bits_of(double z) { return (uint32_t)lround(z * ((1 << gene_bits) - 1)); }
static double gene_of(uint32_t bits) { return bits / (double)((1 << gene_bits) - 1); }

static void cross_bits(Explore *s, double *a, double *b) {
  uint32_t cut = explore_below(&s->random, s->k * gene_bits);
  for (uint32_t j = 0; j < s->k; j++) {
    uint32_t low = j * gene_bits, x = bits_of(a[j]), y = bits_of(b[j]);
    // bits behind the cut are exchanged
    uint32_t keep = cut <= low ? 0 : cut >= low + gene_bits ? gene_bits : cut - low, mask = (1u << keep) - 1;
    a[j] = gene_of((x & mask) | (y & ~mask));
    b[j] = gene_of((y & mask) | (x & ~mask));
  }
}

static void mutate(Explore *s, double *z, bool binary) {
  uint32_t j = explore_below(&s->random, s->k);
  if (binary) z[j] = gene_of(bits_of(z[j]) ^ (1u << explore_below(&s->random, gene_bits)));
  else z[j] = explore_uniform(&s->random);
}

static void breed(Explore *s, const uint32_t *parent, bool binary) {
  double pc = isnan(s->settings->crossover) ? 0.7 : s->settings->crossover,
         pm = isnan(s->settings->mutation) ? 0.1 : s->settings->mutation;
  for (uint32_t i = 0; i < s->size; i++)
    memcpy(s->next + (size_t)i * s->k, s->z + (size_t)parent[i] * s->k, s->k * sizeof *s->z);
  for (uint32_t i = 0; i + 1 < s->size; i += 2) {
    double *a = s->next + (size_t)i * s->k, *b = a + s->k;
    if (!(explore_uniform(&s->random) < pc)) continue;
    if (binary) cross_bits(s, a, b);
    else cross_real(s, a, b);
  }
  for (uint32_t i = 0; i < s->size; i++) {
    if (explore_uniform(&s->random) < pm) mutate(s, s->next + (size_t)i * s->k, binary);
  }
}

void explore_genetic(Explore *s, bool binary) {
  uint32_t generations = s->settings->generations ? s->settings->generations : 30;
  double *weight = arena_array(s->f->arena, s->size, sizeof *weight);
  uint32_t *parent = arena_array(s->f->arena, s->size, sizeof *parent);
  s->stopped = !weight || !parent;
  for (size_t i = 0; !s->stopped && i < (size_t)s->size * s->k; i++) {
    s->z[i] = explore_uniform(&s->random);
    if (binary) s->z[i] = gene_of(bits_of(s->z[i]));
  }
  if (s->stopped || !explore_costs(s, s->z, s->size, s->costs)) return;
  explore_note(s, s->costs);
  for (uint32_t g = 0; g < generations; g++) {
    select_parents(s, weight, parent);
    breed(s, parent, binary);
    double *swap = s->z;
    s->z = s->next;
    s->next = swap;
    if (!explore_costs(s, s->z, s->size, s->costs)) return;
    explore_note(s, s->costs);
  }
}
