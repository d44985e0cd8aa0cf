// Structures for tests: those of the reference set, chains and ladders of any size.
#ifndef VIVA_TESTS_STRUCTURES_H
#define VIVA_TESTS_STRUCTURES_H

#include "statics/balance.h"
#include "tests/unit/statics/bars_reference.h"

#include <math.h>
#include <string.h>

static inline void cubic_law(const void *data, double e, double *force, double *slope) {
  const RefSpring *s = data;
  *force = s->k * e + s->k3 * e * e * e;
  *slope = s->k + 3 * s->k3 * e * e;
}

static inline void add_bar(Arena *arena, Structure *s, uint32_t a, uint32_t b, double length) {
  StructureBar bar = {a, b, length, s->bar_count++, structure_none};
  vec_push(arena, &s->bars, bar);
}

static inline void add_spring(Arena *arena, Structure *s, uint32_t a, uint32_t b, double k, double rest) {
  StructureSpring spring = {a, b, k, rest, structure_none, false};
  vec_push(arena, &s->springs, spring);
}

static inline void put_node(Structure *s, uint32_t node, double x, double y, uint8_t fixed) {
  s->place[node * s->dim] = x;
  s->place[node * s->dim + 1] = y;
  s->fixed[node] = fixed;
}

static inline double drawn_length(const Structure *s, uint32_t a, uint32_t b) {
  double sum = 0;
  for (uint32_t i = 0; i < s->dim; i++) {
    double v = s->place[b * s->dim + i] - s->place[a * s->dim + i];
    sum += v * v;
  }
  return sqrt(sum);
}

// far: where its far start is, dim * nodes
static inline Structure structure_of(Arena *arena, const RefSystem *ref, double *far) {
  Structure s;
  structure_init(arena, &s, ref->dim, ref->nodes);
  for (uint32_t i = 0; i < ref->nodes; i++) {
    s.fixed[i] = ref->node[i].fixed;
    for (uint32_t k = 0; k < ref->dim; k++) {
      s.place[i * ref->dim + k] = ref->node[i].x[k];
      if (far) far[i * ref->dim + k] = ref->node[i].far[k];
    }
  }
  for (uint32_t i = 0; i < ref->bars; i++) add_bar(arena, &s, ref->bar[i].a, ref->bar[i].b, ref->bar[i].length);
  for (uint32_t i = 0; i < ref->springs; i++) {
    const RefSpring *r = &ref->spring[i];
    StructureSpring spring = {r->a, r->b, r->k, r->rest, structure_none, false};
    StructureLaw law = {cubic_law, r};
    if (r->k3 != 0) {
      spring.law = s.laws.count;
      vec_push(arena, &s.laws, law);
    }
    vec_push(arena, &s.springs, spring);
  }
  for (uint32_t i = 0; i < ref->torsions; i++) {
    const RefTorsion *r = &ref->torsion[i];
    StructureTorsion torsion = {r->a, r->b, r->c, r->k, r->rest};
    vec_push(arena, &s.torsions, torsion);
  }
  for (uint32_t i = 0; i < ref->loads; i++) {
    for (uint32_t k = 0; k < ref->dim; k++) s.force[ref->load[i].node * ref->dim + k] += ref->load[i].f[k];
  }
  return s;
}

// ---- a chain of n links between (0, 0) and (1, 0.1), every m-th a spring, from a parabola of its length

static inline double parabola_length(double sag) {
  double sum = 0;
  for (int i = 0; i <= 2000; i++) {
    double slope = 0.1 - 4 * sag * (1 - 2 * (i / 2000.0));
    sum += sqrt(1 + slope * slope);
  }
  return sum / 2001;
}

static inline double parabola_sag(double length) {
  double low = 0, high = 2;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (parabola_length(middle) < length) low = middle;
    else high = middle;
  }
  return low;
}

static inline Structure chain_of(Arena *arena, uint32_t n, uint32_t every) {
  const double length = 1.25, weight = 1, stiffness = 40.0 * n;
  double sag = parabola_sag(length);
  Structure s;
  structure_init(arena, &s, 2, n + 1);
  for (uint32_t i = 0; i <= n; i++) {
    double x = (double)i / n;
    put_node(&s, i, x, 0.1 * x - 4 * sag * x * (1 - x), i == 0 || i == n ? 3 : 0);
    if (i > 0 && i < n) s.force[2 * i + 1] = -weight / (n - 1);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (every && (i + 1) % every == 0) add_spring(arena, &s, i, i + 1, stiffness, length / n);
    else add_bar(arena, &s, i, i + 1, length / n);
  }
  return s;
}

// ---- a cantilever of n bays: rigid bars, a spring across each bay; of nine bays it is fig2

static inline double rounded(double x, int digits) { return round(x * pow(10, digits)) / pow(10, digits); }

static inline Structure ladder_of(Arena *arena, uint32_t n) {
  int place = n == 9 ? 4 : 9, length = n == 9 ? 3 : 9;
  uint32_t apex = 2 * n + 2;
  Structure s;
  structure_init(arena, &s, 2, 2 * n + 3);
  for (uint32_t i = 0; i <= n; i++) {
    double part = (double)i / n;
    put_node(&s, 2 * i, i, rounded(0.36 * part * part, place), i == 0 ? 3 : 0);
    put_node(&s, 2 * i + 1, rounded(i - 0.63 * part, place), rounded(1.3 - 0.45 * part, place), i == 0 ? 3 : 0);
  }
  put_node(&s, apex, n + 0.9, rounded(0.5 * (0.36 + 0.85), place), 0);
  for (uint32_t i = 1; i <= n; i++) {
    uint32_t a = 2 * i - 2, b = 2 * i - 1, c = 2 * i, d = 2 * i + 1;
    add_bar(arena, &s, a, c, rounded(drawn_length(&s, a, c), length));
    add_bar(arena, &s, b, d, rounded(drawn_length(&s, b, d), length));
    add_bar(arena, &s, c, d, rounded(drawn_length(&s, c, d), length));
    add_spring(arena, &s, a, d, 4000 - 200.0 * (i % 3), rounded(drawn_length(&s, a, d) * (1 + 0.01 * (i % 4)), length));
  }
  add_bar(arena, &s, 2 * n, apex, rounded(drawn_length(&s, 2 * n, apex), length));
  add_bar(arena, &s, 2 * n + 1, apex, rounded(drawn_length(&s, 2 * n + 1, apex), length));
  s.force[2 * apex] += 60;
  s.force[2 * apex + 1] -= 500;
  s.force[2 * (2 * (n / 2)) + 1] -= 300;
  s.force[2 * (2 * n - 1)] -= 80;
  s.force[2 * (2 * n - 1) + 1] -= 120;
  return s;
}

#endif
