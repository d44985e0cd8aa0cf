// A generator of structures around a known equilibrium, by number: trusses, linkages, tensegrity, closed chains, space
// frames.
//
// Places, bar forces and spring forces are drawn at random; rest lengths and loads are what balances them. So the
// places are an equilibrium by construction, and whether it is stable is asked of an independent Hessian (Checked,
// below).
#ifndef VIVA_TESTS_GENERATED_H
#define VIVA_TESTS_GENERATED_H

#include "base/random.h"
#include "tests/unit/statics/structures.h"

enum { generated_kinds = 5, generated_most = 96 }; // kinds; coordinates at most

typedef struct Generated {
  Structure s; // drawn at the equilibrium
  double lambda[generated_most];
  double typical;
  uint64_t seed, draws;
} Generated;

static inline double draw(Generated *g, double low, double high) {
  return low + (high - low) * random_uniform(g->seed, g->draws++);
}
static inline uint32_t pick(Generated *g, uint32_t count) { return (uint32_t)(draw(g, 0, 1) * count) % count; }

static inline void bar_between(Arena *arena, Generated *g, uint32_t a, uint32_t b) {
  add_bar(arena, &g->s, a, b, drawn_length(&g->s, a, b));
}

// A spring in tension: its rest length is what its force leaves of the drawn one.
static inline void spring_between(Arena *arena, Generated *g, uint32_t a, uint32_t b, bool cable) {
  double k = draw(g, 50, 500), d = drawn_length(&g->s, a, b), stretch = draw(g, 0.02, 0.35);
  StructureSpring spring = {a, b, k, d * (1 - stretch), structure_none, cable};
  vec_push(arena, &g->s.springs, spring);
}

static inline void scatter_node(Generated *g, uint32_t node, const double centre[3], double by, uint8_t fixed) {
  for (uint32_t k = 0; k < g->s.dim; k++) g->s.place[node * g->s.dim + k] = centre[k] + by * draw(g, -1, 1);
  g->s.fixed[node] = fixed;
}

// Bays of bars with a spring across each, held at one end: some chords are springs, too.
static inline void make_truss(Arena *arena, Generated *g) {
  uint32_t bays = 2 + pick(g, 4);
  structure_init(arena, &g->s, 2, 2 * bays + 2);
  for (uint32_t i = 0; i <= bays; i++) {
    for (uint32_t k = 0; k < 2; k++) {
      double centre[3] = {i, k, 0};
      scatter_node(g, 2 * i + k, centre, 0.2, i == 0 ? 3 : 0);
    }
  }
  for (uint32_t i = 0; i < bays; i++) {
    uint32_t a = 2 * i, b = 2 * i + 1, c = 2 * i + 2, d = 2 * i + 3;
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t from = k == 0 ? a : k == 1 ? b : c, to = k == 1 ? d : k == 0 ? c : d;
      if (draw(g, 0, 1) < 0.75) bar_between(arena, g, from, to);
      else spring_between(arena, g, from, to, false);
    }
    spring_between(arena, g, a, d, false);
    if (draw(g, 0, 1) < 0.5) spring_between(arena, g, b, c, false);
  }
}

// Bars from ground to ground over some joints, each of which a spring ties to the ground.
static inline void make_linkage(Arena *arena, Generated *g) {
  uint32_t joints = 2 + pick(g, 5), ground = 3;
  structure_init(arena, &g->s, 2, joints + 2 + ground);
  for (uint32_t i = 0; i < joints + 2; i++) {
    double centre[3] = {i, i % 2 ? 1.2 : 0, 0};
    scatter_node(g, i, centre, 0.3, i == 0 || i == joints + 1 ? 3 : 0);
    if (i > 0) bar_between(arena, g, i - 1, i);
  }
  for (uint32_t i = 0; i < ground; i++) {
    double centre[3] = {joints * (i + 0.5) / ground, i % 2 ? 3 : -2, 0};
    scatter_node(g, joints + 2 + i, centre, 0.5, 3);
  }
  for (uint32_t i = 1; i <= joints; i++) {
    spring_between(arena, g, i, joints + 2 + pick(g, ground), false);
    if (draw(g, 0, 1) < 0.4) spring_between(arena, g, i, joints + 2 + pick(g, ground), false);
  }
}

// Struts from a fixed polygon to a free one, cables around it, up to it and across.
static inline void make_tensegrity(Arena *arena, Generated *g) {
  uint32_t sides = 3 + pick(g, 4);
  structure_init(arena, &g->s, 3, 2 * sides);
  for (uint32_t i = 0; i < 2 * sides; i++) {
    double angle = 6.283185307179586 * (i % sides) / sides + (i < sides ? 0 : 0.7), height = i < sides ? 0 : 1.5;
    double centre[3] = {cos(angle), sin(angle), height};
    scatter_node(g, i, centre, 0.1, i < sides ? 7 : 0);
  }
  for (uint32_t i = 0; i < sides; i++) {
    uint32_t top = sides + i, next = sides + (i + 1) % sides;
    bar_between(arena, g, i, sides + (i + 1) % sides);
    spring_between(arena, g, top, next, true);
    spring_between(arena, g, i, top, true);
    spring_between(arena, g, (i + 2) % sides, top, true);
  }
}

// A ring of bars that springs hold to anchors around it.
static inline void make_ring(Arena *arena, Generated *g) {
  uint32_t count = 3 + pick(g, 6);
  structure_init(arena, &g->s, 2, 2 * count);
  for (uint32_t i = 0; i < 2 * count; i++) {
    double angle = 6.283185307179586 * (i % count) / count, radius = i < count ? 1.5 : 3;
    double centre[3] = {radius * cos(angle), radius * sin(angle), 0};
    scatter_node(g, i, centre, 0.2, i < count ? 0 : 3);
  }
  for (uint32_t i = 0; i < count; i++) {
    bar_between(arena, g, i, (i + 1) % count);
    spring_between(arena, g, i, count + i, false);
    if (draw(g, 0, 1) < 0.5) spring_between(arena, g, i, count + (i + 1) % count, false);
  }
}

// A tree of bars in space, every node of which hangs on two or three springs from the ground.
static inline void make_space(Arena *arena, Generated *g) {
  uint32_t count = 3 + pick(g, 7), ground = 6;
  structure_init(arena, &g->s, 3, count + ground);
  for (uint32_t i = 0; i < count + ground; i++) {
    double centre[3] = {0, 0, i < count ? 0 : i % 2 ? 4 : -4};
    scatter_node(g, i, centre, i < count ? 1.5 : 4, i < count ? 0 : 7);
  }
  for (uint32_t i = 1; i < count; i++) bar_between(arena, g, i, pick(g, i));
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < 3; k++) spring_between(arena, g, i, count + (i + 2 * k + pick(g, 2)) % ground, false);
  }
}

// ---- independent sums in long double

// What is out of balance at every coordinate, by the definitions of forces.
static inline void pulls_at(const Structure *s, const long double *x, const double *bar_force, long double *out) {
  uint32_t d = s->dim;
  for (uint32_t i = 0; i < s->nodes * d; i++) out[i] = -s->force[i];
  for (uint32_t k = 0; k < s->bars.count + s->springs.count; k++) {
    bool bar = k < s->bars.count;
    uint32_t a = bar ? s->bars.items[k].a : s->springs.items[k - s->bars.count].a;
    uint32_t b = bar ? s->bars.items[k].b : s->springs.items[k - s->bars.count].b;
    long double v[3], l = 0, force;
    for (uint32_t i = 0; i < d; i++) {
      v[i] = x[b * d + i] - x[a * d + i];
      l += v[i] * v[i];
    }
    l = sqrtl(l);
    if (bar) force = bar_force[k];
    else {
      const StructureSpring *spring = &s->springs.items[k - s->bars.count];
      force = spring->stiffness * (l - spring->length);
      if (spring->cable && force < 0) force = 0;
    }
    for (uint32_t i = 0; i < d; i++) {
      out[a * d + i] -= force * v[i] / l;
      out[b * d + i] += force * v[i] / l;
    }
  }
}

typedef struct Checked {
  double force, length; // largest errors
  bool stable;          // the reduced Hessian, by differences, has a Cholesky factor
} Checked;

// Unit vectors of the free directions, less their parts along the gradients of bars: a basis of what bars leave.
static inline uint32_t tangent_basis(const Structure *s, const double *x, double (*basis)[generated_most]) {
  static double normals[generated_most][generated_most];
  uint32_t n = s->nodes * s->dim, d = s->dim, count = 0, bars = 0;
  for (uint32_t k = 0; k < s->bars.count + n; k++) {
    double v[generated_most] = {0}, norm = 0;
    bool bar = k < s->bars.count;
    for (uint32_t i = 0; i < d && bar; i++) {
      uint32_t a = s->bars.items[k].a * d + i, b = s->bars.items[k].b * d + i;
      v[a] = s->fixed[a / d] ? 0 : x[a] - x[b];
      v[b] = s->fixed[b / d] ? 0 : x[b] - x[a];
    }
    if (!bar && s->fixed[(k - s->bars.count) / d]) continue;
    if (!bar) v[k - s->bars.count] = 1;
    for (int twice = 0; twice < 2; twice++) {
      for (uint32_t j = 0; j < bars + count; j++) {
        const double *w = j < bars ? normals[j] : basis[j - bars];
        double part = 0;
        for (uint32_t i = 0; i < n; i++) part += v[i] * w[i];
        for (uint32_t i = 0; i < n; i++) v[i] -= part * w[i];
      }
    }
    for (uint32_t i = 0; i < n; i++) norm += v[i] * v[i];
    norm = sqrt(norm);
    if (norm < 1e-6) continue;
    double *to = bar ? normals[bars++] : basis[count++];
    for (uint32_t i = 0; i < n; i++) to[i] = v[i] / norm;
  }
  return count;
}

static inline bool has_cholesky(double (*m)[generated_most], uint32_t n) {
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t k = 0; k < j; k++) m[j][j] -= m[j][k] * m[j][k];
    if (!(m[j][j] > 0)) return false;
    m[j][j] = sqrt(m[j][j]);
    for (uint32_t i = j + 1; i < n; i++) {
      for (uint32_t k = 0; k < j; k++) m[i][j] -= m[i][k] * m[j][k];
      m[i][j] /= m[j][j];
    }
  }
  return true;
}

static inline Checked check_equilibrium(const Structure *s, const double *x, const double *bar_force) {
  static double basis[generated_most][generated_most], reduced[generated_most][generated_most];
  uint32_t n = s->nodes * s->dim, d = s->dim;
  long double at[generated_most] = {0}, left[generated_most], right[generated_most];
  Checked out = {0};
  for (uint32_t i = 0; i < n; i++) at[i] = x[i];
  pulls_at(s, at, bar_force, left);
  for (uint32_t i = 0; i < n; i++) out.force = s->fixed[i / d] ? out.force : fmax(out.force, (double)fabsl(left[i]));
  for (uint32_t k = 0; k < s->bars.count; k++) {
    long double sum = 0;
    for (uint32_t i = 0; i < d; i++) sum += powl(at[s->bars.items[k].a * d + i] - at[s->bars.items[k].b * d + i], 2);
    out.length = fmax(out.length, fabs((double)(sqrtl(sum) - s->bars.items[k].length)));
  }
  uint32_t count = tangent_basis(s, x, basis);
  for (uint32_t j = 0; j < count; j++) {
    const long double h = 1e-6L;
    for (uint32_t i = 0; i < n; i++) at[i] = x[i] + h * basis[j][i];
    pulls_at(s, at, bar_force, right);
    for (uint32_t i = 0; i < n; i++) at[i] = x[i] - h * basis[j][i];
    pulls_at(s, at, bar_force, left);
    for (uint32_t k = 0; k < count; k++) {
      reduced[k][j] = 0;
      for (uint32_t i = 0; i < n; i++) reduced[k][j] += basis[k][i] * (double)((right[i] - left[i]) / (2 * h));
    }
  }
  out.stable = has_cholesky(reduced, count);
  return out;
}

// ---- all

// Forces of bars at random, loads that balance. A system that would not be stable is drawn again.
static inline Generated generate(Arena *arena, uint32_t number) {
  static void (*const makers[generated_kinds])(Arena *, Generated *) = {make_truss, make_linkage, make_tensegrity,
                                                                        make_ring, make_space};
  for (uint64_t attempt = 0;; attempt++) {
    Generated g = {.seed = 1000 * (uint64_t)number + attempt};
    makers[number % generated_kinds](arena, &g);
    Structure *s = &g.s;
    long double x[generated_most] = {0}, out[generated_most];
    double sum = 0;
    for (uint32_t i = 0; i < s->bars.count; i++) {
      sum += s->bars.items[i].length;
      g.lambda[i] = draw(&g, -40, 60);
    }
    g.typical = sum / s->bars.count;
    for (uint32_t i = 0; i < s->nodes * s->dim; i++) x[i] = s->place[i];
    pulls_at(s, x, g.lambda, out);
    for (uint32_t i = 0; i < s->nodes * s->dim; i++) {
      if (!s->fixed[i / s->dim]) s->force[i] = (double)out[i];
    }
    if (check_equilibrium(s, s->place, g.lambda).stable) return g;
  }
}

// A start: every free coordinate aside by so much of a bar's length.
static inline void start_from(const Generated *g, double by, uint64_t seed, double *start) {
  const Structure *s = &g->s;
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) {
    start[i] = s->place[i] + (s->fixed[i / s->dim] ? 0 : by * g->typical * random_normal(seed, i));
  }
}

#endif
