// The size of a component, against which its error is measured.
//
// in    what the components have shown so far: the largest |y_e| of each
// out   tol_e = atol_e + rtol max(|y_e|, |y+_e|),   atol_e = atol size_e + noise_e   (size_e = 1 where the user gave
// --atol)
//
// size_e is the largest |y_e| so far. There is no smallest size in SI units: a charge of picocoulombs has as many
// digits as a force of giganewtons. Two things make an exception, both measured in the run itself:
//
// - A component that started at exactly zero has shown nothing yet. Deep in a chain it grows like a high power of time,
// of which
//   no step, however small, has the first digits right. Where such components stop every step, they are measured by a
//   small part of the size of their kind (coordinates, velocities, states) until they have a size of their own; see
//   ode_judge.
// - Rounding: where steps are rejected and smaller ones are no better, the last bits of y and t are changed and f is
// looked
//   at again. What that moves in a step is noise_e: no step size makes it smaller. (A jump of f is no rounding:
//   ode_is_steep.)
#ifndef VIVA_SOLVE_SCALE_H
#define VIVA_SOLVE_SCALE_H

#include "solve/ode.h"

#include <string.h>

// The part of the kind's size that counts for one that started at zero. With rtol 1e-11 it is followed from 1e-16 of
// that size on, where rounding hides it anyway.
#define ODE_KIND_PART 1e-3
// Tolerances are not smaller than this: squares of errors divided by it must not overflow.
#define ODE_TINY 1e-130

enum { ode_kinds = 3 };

typedef struct OdeScales {
  double *seen;      // by component: the largest size so far
  double *unsized;   // by component: 1 if it started at zero, else 0
  double *kind_part; // by component: 0, or ODE_KIND_PART
  double kind_seen[ode_kinds];
  double *noise; // by component: what rounding does to it in a step
  double *atol;  // by component: what follows from all this
} OdeScales;

static inline int ode_kind(const OdeProblem *p, uint32_t e) { return e < p->kinds[0] ? 0 : e < p->kinds[1] ? 1 : 2; }

static inline void ode_set_atol(OdeScales *x, const OdeProblem *p, const OdeSettings *s) {
  for (uint32_t e = 0; e < p->checked; e++) {
    double size = 1;
    if (s->by_scale) {
      double kind = x->kind_part[e] * x->kind_seen[ode_kind(p, e)];
      size = x->seen[e];
      size = kind > size ? kind : size;
    }
    double a = s->atol * size;
    x->atol[e] = (a > ODE_TINY ? a : ODE_TINY) + x->noise[e];
  }
}

static inline void ode_see_sizes(OdeScales *x, const OdeProblem *p, const OdeSettings *s, const double *sizes) {
  bool grew = false;
  for (uint32_t e = 0; s->by_scale && e < p->checked; e++) {
    double size = fabs(sizes[e]), *kind = &x->kind_seen[ode_kind(p, e)];
    if (!(size > x->seen[e])) continue;
    grew = true;
    x->seen[e] = size;
    *kind = size > *kind ? size : *kind;
  }
  if (grew) ode_set_atol(x, p, s);
}

// At the start: what is zero has no size of its own.
static inline void ode_start_sizes(OdeScales *x, const OdeProblem *p, const OdeSettings *s, const double *y) {
  for (uint32_t e = 0; e < p->checked; e++) x->unsized[e] = y[e] == 0 ? 1 : 0;
  ode_set_atol(x, p, s);
  ode_see_sizes(x, p, s, y);
}

// At a first step: what has no size yet counts for its kind by what it is about to move by.
static inline void ode_expect(OdeScales *x, const OdeProblem *p, uint32_t e, double size) {
  double *kind = &x->kind_seen[ode_kind(p, e)];
  *kind = size > *kind ? size : *kind;
}

static inline bool ode_scales_init(OdeScales *x, Arena *arena, uint32_t checked) {
  double **room[] = {&x->seen, &x->unsized, &x->kind_part, &x->noise, &x->atol};
  for (int i = 0; i < 5; i++) *room[i] = arena_array(arena, (size_t)checked + 1, sizeof(double));
  return !arena_failed(arena);
}

enum { ode_unit_passes = 16 }; // of sizes brought from component to component

// The power of two below the largest of three numbers; 0: they are zero.
static inline double ode_unit(double a, double b, double c) {
  double v = a > b ? a : b;
  v = c > v ? c : v;
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits &= 0x7FF0000000000000u; // the exponent alone
  memcpy(&v, &bits, sizeof v);
  return v < 0x1p1000 ? v : 1;
}

// A component with its last bits changed, one way in round 0, another in round 1; in the round `ode_shakes` a million
// times as much.
enum { ode_shakes = 2 };
static inline double ode_nudged(double y, uint32_t e, int round) {
  uint32_t bits = (e + 1) * 2654435761u;
  double part = round < ode_shakes ? 0x1p-50 : 0x1p-30;
  return y * (bits >> (16 + round % ode_shakes) & 1 ? 1 + part : 1 - part);
}

// Is f steeper in component e than numbers can tell? moved: by how much the last bits of y change its rate; far: a
// million times as much. Rounding that is felt grows with the change; a jump does not.
static inline bool ode_is_steep(double rate, double moved, double far) {
  return moved > 1e-3 * fabs(rate) && far < 1e3 * moved;
}

#endif
