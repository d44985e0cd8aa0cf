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

#endif
