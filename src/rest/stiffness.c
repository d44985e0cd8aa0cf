// Stability of an equilibrium by the eigenvalues of the reduced Hessian. See stiffness.h.
//
// in    K and G at an equilibrium, dense; D, the sizes of K's rows
// out   eigenvalues of Z' D^-1/2 K D^-1/2 Z, Z the null space of G D^-1/2 by singular values; the verdict;
//       the lowest-stiffness directions
// how   an eigenvalue counts as zero below `zero_part`, entries being of size 1. Along a direction without stiffness
//       the configuration is moved by a small part of its size and brought back onto the constraints: where all forces
//       still balance, it is a mechanism.
#include "rest/stiffness.h"

#include "solve/module.h"
#include "solve/spectrum.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  most_shown = 6,
  most_dense = 600 // unknowns; beyond, signs of pivots of the sparse matrix decide (Sylvester)
};
static const double zero_part = 1e-9, rank_part = 1e-10;
static const double nudge = 1e-2;          // of a size: so far a mechanism is moved
static const double still_balances = 1e-8; // of the terms of a force, after that

typedef struct Reduced {
  Downhill *d;
  const SolveModule *module;
  uint32_t n, m, k;                                          // k: directions that are left
  double *K, *G, *Z, *H, *re, *im, *v, *bound, *work, *root; // root: D^-1/2
} Reduced;

static bool room(Reduced *x) {
  Arena *arena = x->d->form->o->arena;
  size_t n = x->n, m = x->m, most = n > m ? n : m;
  x->K = arena_array(arena, n * n + 1, sizeof(double));
  x->G = arena_array(arena, m * n + 1, sizeof(double));
  x->Z = arena_array(arena, n * n + 1, sizeof(double));
  x->H = arena_array(arena, n * n + 1, sizeof(double));
  x->v = arena_array(arena, n * n + most * most + 1, sizeof(double));
  x->re = arena_array(arena, n + 1, sizeof(double));
  x->im = arena_array(arena, most + 1, sizeof(double));
  x->bound = arena_array(arena, n + 1, sizeof(double));
  x->root = arena_array(arena, n + 1, sizeof(double));
  x->work = arena_array(arena, (size_t)spectrum_eigen_room((int)most + 1), sizeof(double));
  return !arena_failed(arena);
}

// K and G with the sizes taken out, column by column.
static void fill(Reduced *x) {
  Downhill *d = x->d;
  const StaticForm *f = d->form;
  uint32_t k = 0;
  for (uint32_t i = 0; i < x->n; i++) x->root[i] = 1 / sqrt(d->saddle.D[i]);
  for (uint32_t i = 0; i < x->n; i++) {
    for (uint32_t e = 0; e < f->K[i].count; e++, k++) {
      uint32_t j = f->K[i].items[e].column;
      double half = 0.5 * d->K[k] * x->root[i] * x->root[j];
      x->K[(size_t)j * x->n + i] += half;
      x->K[(size_t)i * x->n + j] += half;
    }
  }
  k = 0;
  for (uint32_t i = 0; i < x->m; i++) {
    double size = 0;
    for (uint32_t e = 0; e < f->G[i].count; e++)
      size = fmax(size, fabs(d->G[k + e] * x->root[f->G[i].items[e].column]));
    for (uint32_t e = 0; e < f->G[i].count; e++, k++) {
      uint32_t j = f->G[i].items[e].column;
      if (size > 0) x->G[(size_t)j * x->m + i] = d->G[k] * x->root[j] / size;
    }
  }
}

// The null space of the constraints into Z, column by column. False: no convergence.
static bool null_space(Reduced *x, uint32_t *rank) {
  uint32_t n = x->n, m = x->m, most = m < n ? m : n;
  *rank = 0;
  if (m) {
    double *vt = x->H, *u = x->v;
    if (x->module->singular((int)m, (int)n, x->G, x->im, u, vt, x->work) != 0) return false;
    while (*rank < most && x->im[*rank] > rank_part * x->im[0] && x->im[*rank] > 0) ++*rank;
    for (uint32_t c = *rank; c < n; c++) {
      for (uint32_t i = 0; i < n; i++) x->Z[(size_t)(c - *rank) * n + i] = vt[(size_t)i * n + c];
    }
  } else {
    for (uint32_t i = 0; i < n; i++) x->Z[(size_t)i * n + i] = 1;
  }
  x->k = n - *rank;
  return true;
}

static void reduce(Reduced *x) {
  uint32_t n = x->n, k = x->k;
  for (uint32_t a = 0; a < k; a++) {
    const double *z = x->Z + (size_t)a * n;
    for (uint32_t i = 0; i < n; i++) { // K z
      x->v[i] = 0;
      for (uint32_t j = 0; j < n; j++) x->v[i] += x->K[(size_t)j * n + i] * z[j];
    }
    for (uint32_t b = 0; b < k; b++) {
      double sum = 0;
      for (uint32_t i = 0; i < n; i++) sum += x->Z[(size_t)b * n + i] * x->v[i];
      x->H[(size_t)a * k + b] = sum;
    }
  }
  for (uint32_t a = 0; a < k; a++) {
    for (uint32_t b = 0; b < a; b++) {
      double mean = 0.5 * (x->H[(size_t)a * k + b] + x->H[(size_t)b * k + a]);
      x->H[(size_t)a * k + b] = x->H[(size_t)b * k + a] = mean;
    }
  }
}

// Eigenvector e as a direction of the unknowns, its largest entry 1; the stiffness along it. NULL: out of memory.
static double *direction_of(Reduced *x, uint32_t e, double *stiffness) {
  double *z = arena_array(x->d->form->o->arena, (size_t)x->n + 1, sizeof *z), most = 0;
  if (!z) return NULL;
  for (uint32_t i = 0; i < x->n; i++) {
    for (uint32_t a = 0; a < x->k; a++) z[i] += x->Z[(size_t)a * x->n + i] * x->v[(size_t)e * x->k + a];
    z[i] *= x->root[i];
    most = fabs(z[i]) > fabs(most) * (1 + 1e-9) ? z[i] : most;
  }
  double norm = 0;
  for (uint32_t i = 0; i < x->n && most != 0; i++) {
    z[i] /= most;
    if (fabs(z[i]) < 1e-12) z[i] = 0;
    norm += z[i] * z[i] / (x->root[i] * x->root[i]);
  }
  *stiffness = fabs(x->re[e]) <= zero_part ? 0 : x->re[e] * norm;
  return z;
}

// How far a coordinate went on its way here, or how large it is: what is small is small beside it.
static double reach_of(const Downhill *d, uint32_t i) { return fmax(fabs(d->u[i]), fabs(d->u[i] - d->first[i])); }

// The sizes of K's rows here and a little beside it: so a stiffness that vanishes at this very point counts as none.
static bool scale_around(Downhill *d, double *u, double *size) {
  const StaticForm *f = d->form;
  memset(size, 0, f->n * sizeof *size);
  for (int side = -1; side <= 1; side++) {
    for (uint32_t i = 0; i < f->n; i++) u[i] = d->u[i] + side * nudge * reach_of(d, i);
    if (!descent_look(d, u, d->lambda)) continue;
    saddle_scale(&d->saddle, f, d->K, d->balance, u);
    for (uint32_t i = 0; i < f->n; i++) size[i] = fmax(size[i], d->saddle.D[i]);
  }
  if (!descent_look(d, d->u, d->lambda)) return false;
  memcpy(d->saddle.D, size, f->n * sizeof *size);
  return true;
}

// Newton's steps from u, lambda: stiff directions balance again after the projection onto the constraints, which may
// have moved them, too.
static bool settle(Downhill *d, double *u, double *lambda) {
  const StaticForm *f = d->form;
  for (int k = 0; k < 6; k++) {
    if (!descent_look(d, u, lambda)) return false;
    if (descent_residue(d, u, lambda) <= still_balances) return true;
    saddle_scale(&d->saddle, f, d->K, d->balance, u);
    if (saddle_factor(&d->saddle, d->K, d->G, false, zero_part) != saddle_done) return false;
    for (uint32_t i = 0; i < f->n; i++) d->rhs[i] = -d->balance[i];
    for (uint32_t i = 0; i < f->m; i++) d->rhs[f->n + i] = -d->value[i];
    saddle_solve(&d->saddle, d->rhs);
    for (uint32_t i = 0; i < f->n; i++) u[i] += d->rhs[i];
    for (uint32_t i = 0; i < f->m; i++) lambda[i] -= d->rhs[f->n + i];
  }
  return descent_look(d, u, lambda);
}

// Is u still where it was moved to, and not back where it came from?
static bool stays_away(const double *u, const double *first, const SoftDirection *s, uint32_t n, double part) {
  double along = 0, square = 0;
  for (uint32_t i = 0; i < n; i++) {
    along += (u[i] - first[i]) * s->direction[i];
    square += s->direction[i] * s->direction[i];
  }
  return fabs(along) >= 0.5 * part * square;
}

// Moved along a direction without stiffness: does it still balance, and does the potential rise?
static bool try_motion(Reduced *x, SoftDirection *s) {
  Downhill *d = x->d;
  Arena *arena = d->form->o->arena;
  uint32_t n = x->n;
  double *u = arena_array(arena, (size_t)2 * n + 1, sizeof *u), *first = u + n;
  double *lambda = arena_array(arena, (size_t)2 * x->m + 1, sizeof *lambda), *before = lambda + x->m, size = 0;
  if (!u || !lambda) return false;
  double here = d->potential, sides[2] = {0, 0};
  memcpy(first, d->u, n * sizeof *first);
  memcpy(before, d->lambda, x->m * sizeof *before);
  for (uint32_t i = 0; i < n; i++) size = fmax(size, s->direction[i] != 0 ? reach_of(d, i) : 0);
  double part = nudge * (size > 0 ? size : 1);
  s->free = true;
  for (int side = 0; side < 2; side++) {
    for (uint32_t i = 0; i < n; i++) u[i] = first[i] + (side ? -part : part) * s->direction[i];
    bool moved = descent_assemble(d, u);
    if (moved && x->m) moved = descent_multipliers(d, u, lambda);
    moved = moved && descent_look(d, u, lambda);
    sides[side] = moved ? d->potential - here : NAN;
    bool still = moved && descent_residue(d, u, lambda) <= still_balances;
    if (moved && !still) {
      still =
          settle(d, u, lambda) && stays_away(u, first, s, n, part) && descent_residue(d, u, lambda) <= still_balances;
    }
    if (!still) s->free = false;
  }
  double least = 1e-12 * fabs(here);
  s->rises = sides[0] > least && sides[1] > least ? 1 : sides[0] < -least && sides[1] < -least ? -1 : 0;
  memcpy(d->lambda, before, x->m * sizeof *before);
  if (!descent_look(d, d->u, d->lambda)) return false;
  descent_residue(d, d->u, d->lambda);
  return true;
}

static bool collect(Reduced *x, Stiffness *out) {
  Arena *arena = x->d->form->o->arena;
  uint32_t softest = 0, wanted = 0;
  bool all_free = true;
  for (uint32_t e = 1; e < x->k; e++) softest = x->re[e] < x->re[softest] ? e : softest;
  for (uint32_t e = 0; e < x->k; e++) {
    bool zero = fabs(x->re[e]) <= zero_part;
    out->zero += zero;
    out->negative += x->re[e] < -zero_part;
  }
  wanted = out->zero + out->negative;
  for (uint32_t e = 0; e < x->k; e++) {
    SoftDirection s = {0};
    if (wanted ? x->re[e] > zero_part : e != softest) continue;
    if (out->soft.count == most_shown) break;
    s.direction = direction_of(x, e, &s.stiffness);
    if (!s.direction || (s.stiffness == 0 && !try_motion(x, &s))) return false;
    if (s.stiffness == 0) all_free = all_free && s.free;
    if (!vec_push(arena, &out->soft, s)) return false;
  }
  out->verdict = out->negative ? rest_unstable : !out->zero ? rest_stable : all_free ? rest_mechanism : rest_singular;
  return true;
}

// The same for many unknowns: how many eigenvalues lie below a small number on either side of zero, and the softest
// direction by inverse iteration.
static StiffnessStatus judge_sparse(Reduced *x, Stiffness *out) {
  Downhill *d = x->d;
  out->rank = x->m;
  SaddleStatus status = saddle_factor(&d->saddle, d->K, d->G, false, -zero_part);
  bool stable = status == saddle_done && d->saddle.delta < 0;
  if (!stable && status != saddle_no_memory) status = saddle_factor(&d->saddle, d->K, d->G, false, zero_part);
  if (status == saddle_no_memory) return stiffness_no_memory;
  if (status != saddle_done) return stiffness_failed;
  bool zero = !stable && d->saddle.delta <= zero_part;
  SoftDirection s = {.direction = arena_array(d->form->o->arena, (size_t)x->n + 1, sizeof(double))};
  if (!s.direction) return stiffness_no_memory;
  double part = descent_softest(d);
  memcpy(s.direction, d->best, x->n * sizeof(double));
  for (uint32_t i = 0; i < x->n && !zero; i++) s.stiffness += part * d->saddle.D[i] * s.direction[i] * s.direction[i];
  out->zero = zero;
  out->negative = !stable && !zero;
  if (zero && !try_motion(x, &s)) return stiffness_no_memory;
  out->verdict = stable ? rest_stable : !zero ? rest_unstable : s.free ? rest_mechanism : rest_singular;
  return vec_push(d->form->o->arena, &out->soft, s) ? stiffness_done : stiffness_no_memory;
}

StiffnessStatus stiffness_judge(Downhill *d, Stiffness *out) {
  const StaticForm *f = d->form;
  Reduced reduced = {.d = d, .n = f->n, .m = f->m, .module = module_load()}, *x = &reduced;
  *out = (Stiffness){0};
  if (!x->module) return stiffness_failed;
  double *size = arena_array(f->o->arena, (size_t)2 * f->n + 1, sizeof *size);
  if (!size) return stiffness_no_memory;
  if (!scale_around(d, size + f->n, size)) return stiffness_failed;
  if (x->n > most_dense) return judge_sparse(x, out);
  if (!room(x)) return stiffness_no_memory;
  fill(x);
  if (!null_space(x, &out->rank)) return stiffness_failed;
  if (x->k == 0) {
    out->verdict = rest_stable;
    return stiffness_done;
  }
  reduce(x);
  if (x->module->eigen((int)x->k, x->H, x->re, x->im, x->v, x->bound, x->work) != 0) return stiffness_failed;
  return collect(x, out) ? stiffness_done : stiffness_no_memory;
}
