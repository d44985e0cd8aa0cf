// The size of a component, against which its error is measured; over one lane or eight (solve/vector.h).
//
// in    what the components have shown so far: the largest |y_e| of each
// out   tol_e = atol_e + rtol max(|y_e|, |y+_e|),   atol_e = atol size_e + noise_e
//       (size_e = 1 where the user gave --atol)
//
// size_e is the largest |y_e| so far. There is no smallest size in SI units: a charge of picocoulombs has as many
// digits as a force of giganewtons. Two things make an exception, both measured in the run itself:
//
// - A component that started at exactly zero has shown nothing yet. Deep in a chain it grows like a high power of time,
//   of which no step, however small, has the first digits right. Where such components stop every step, those that are
//   no better in a smaller step, and those that have not moved at all, are measured by a small part of the size of
//   their kind (coordinates, velocities, states); see ode_judge. A kind may hold other units: this part may be far
//   above all that the component will ever be. So it lasts only until the component has a size of its own
//   (ode_has_settled). Where the solution would be zero there are rounding errors, which seem to have one: what is no
//   larger than the rounding of its rate adds up to has none.
// - Rounding: where steps are rejected and smaller ones are no better, the last bits of y and t are changed and f is
//   looked at again, and the problem is asked how far rounding puts its rates off (OdeProblem.rounding): where forces
//   balance and coordinates are zero, no last bit moves anything. What that moves in a step is noise_e: no step size
//   makes it smaller than a step of that size has it, so it is measured again where steps become longer. (A jump of f
//   is no rounding: ode_is_steep. What is zero by symmetry is a difference of equal numbers, whose last digits are
//   stairs that look like jumps: OdeProblem.rounding distinguishes the two.)
#ifndef VIVA_SOLVE_SCALE_H
#define VIVA_SOLVE_SCALE_H

#include "solve/steps.h"
#include "solve/vector.h"

#include <string.h>

// The part of the kind's size that counts for one that started at zero. With rtol 1e-11 it is followed from 1e-16 of
// that size on, where rounding hides it anyway.
#define ODE_KIND_PART 1e-3
// A component that was only rounding is looked at again when it has grown by this factor.
static const double ode_roundoff_grown = 4;
// Tolerances are not smaller than this: squares of errors divided by it must not overflow.
#define ODE_TINY 1e-130

typedef struct OdeScales {
  const OdeSettings *s;
  uint32_t count;       // checked components
  const uint8_t *kinds; // as in OdeProblem
  Lanes *seen;          // by component: the largest size so far
  Lanes *unsized;       // by component: 1 if it started at zero, else 0; 2: it is only rounding (bdf_find_roundoff)
  Lanes *kind_part;     // by component: 0, or ODE_KIND_PART
  Lanes *roundoff;      // by component: its size when it was last found to be only rounding, else 0
  Lanes *noise;         // by component: what rounding does to it in a step
  Lanes *rounded;       // by component: 1 if its rate was seen to be nothing but rounding, else 0
  unsigned by_kind;     // lanes in which a component may be measured by its kind
  Lanes *atol;          // by component: what follows from all this
  Lanes kind_seen[ode_kinds]; // the largest size of each kind
} OdeScales;

static inline OdeKind ode_kind(const OdeScales *x, uint32_t e) { return x->kinds ? (OdeKind)x->kinds[e] : ode_state; }

static inline bool ode_is_place(const OdeScales *x, uint32_t e) {
  return ode_kind(x, e) == ode_coordinate || ode_kind(x, e) == ode_bound_coordinate;
}

// What is brought back onto a manifold is rounded by the size of all that is moved with it, and so it is measured.
static inline double ode_bound_part(OdeKind kind) { return kind >= ode_bound_coordinate ? 0.1 : 0; }

static inline void ode_set_atol(OdeScales *x) {
  const Lanes tiny = all(ODE_TINY);
  for (uint32_t e = 0; e < x->count; e++) {
    Lanes size = all(1);
    if (x->s->by_scale) {
      const OdeKind of = ode_kind(x, e);
      const Lanes least = all(ode_bound_part(of)), part = x->kind_part[e];
      Lanes kind = larger_of(part, least) * x->kind_seen[of];
      size = x->seen[e];
      size = larger_of(kind, size);
    }
    Lanes a = x->s->atol * size;
    x->atol[e] = larger_of(a, tiny) + x->noise[e];
  }
}

// The lanes of the mask show these sizes.
static inline void ode_see_sizes(OdeScales *x, unsigned mask, const Lanes *sizes) {
  Bits which = bits_of(mask), grew = all_bits(0);
  for (uint32_t e = 0; x->s->by_scale && e < x->count; e++) {
    Lanes size = size_of(sizes[e]), *kind = &x->kind_seen[ode_kind(x, e)];
    Bits larger = is_above(size, x->seen[e]) & which;
    if (L == 1 && !mask_of(larger)) continue;
    grew |= larger;
    x->seen[e] = blend(larger, size, x->seen[e]);
    *kind = blend(larger & is_above(size, *kind), size, *kind);
  }
  if (mask_of(grew)) ode_set_atol(x);
}

// Lane l: the absolute tolerance of component e by itself, whatever its kind.
static inline double ode_own_atol(const OdeScales *x, uint32_t e, int l) {
  const OdeKind of = ode_kind(x, e);
  double least = ode_bound_part(of) * AT(x->kind_seen[of], l), seen = AT(x->seen[e], l);
  double own = x->s->atol * (least > seen ? least : seen);
  return (own > ODE_TINY ? own : ODE_TINY) + AT(x->noise[e], l);
}

// A component that is measured by its kind, in a step: its largest size before, its size at the end, its error, and the
// step as a part of all the time since the start.
typedef struct OdeGrowth {
  double before, after, error, part;
} OdeGrowth;

// Has it a size of its own? Where it hardly grows any more: it is t^k with k < 1/2, or it decreases again. (That it
// grows little in one step says nothing: the step may be short.) A component of rounding errors that falls, with no
// digit right, has none.
static inline bool ode_has_settled(OdeGrowth g) {
  return g.after > 0 && g.after < g.before * (1 + 0.5 * g.part) && g.error <= 0.01 * g.after;
}

// Was an explicit step too long for it? It does not even double, and has no three digits: a power of time that grows by
// less than a factor of two in a step is known better than that, so it is not the growth that hides its digits. (Steps
// of implicit methods damp what is too fast for them, and it settles; and their powers of time have no digits so soon.
// In steps that are very short it may be rounding that hides them.)
static inline bool ode_is_unresolved(OdeGrowth g) {
  return g.part > 0.01 && g.after < 2 * g.before && g.error > 1e-3 * g.after;
}

// At the start of a lane's run: what is zero has no size of its own.
static inline void ode_start_sizes(OdeScales *x, int lane, const Lanes *y) {
  for (uint32_t e = 0; e < x->count; e++) {
    AT(x->seen[e], lane) = AT(x->kind_part[e], lane) = AT(x->noise[e], lane) = AT(x->rounded[e], lane) = 0;
    AT(x->roundoff[e], lane) = 0;
    AT(x->unsized[e], lane) = AT(y[e], lane) == 0 ? 1 : 0;
  }
  for (int k = 0; k < ode_kinds; k++) AT(x->kind_seen[k], lane) = 0;
  x->by_kind &= ~(1u << lane);
  ode_set_atol(x);
  ode_see_sizes(x, 1u << lane, y);
}

// False: out of memory.
static inline bool ode_scales_init(OdeScales *x, Arena *arena, const OdeSettings *s, uint32_t checked,
                                   const uint8_t *kinds) {
  *x = (OdeScales){.s = s, .count = checked, .kinds = kinds};
  Lanes **room[] = {&x->seen, &x->unsized, &x->kind_part, &x->roundoff, &x->noise, &x->rounded, &x->atol};
  for (size_t i = 0; i < sizeof room / sizeof *room; i++) *room[i] = lanes_new(arena, (size_t)checked + 1);
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

// What a rate that may be off by `error` is: it may look steep, and was perhaps seen to be rounding before.
typedef enum OdeRounded { rounded_not, rounded_steep, rounded_dominated } OdeRounded;
static inline OdeRounded ode_see_rounding(bool steep, double rate, double moved, double error, bool before) {
  if (steep) return moved <= error ? rounded_dominated : rounded_steep;
  return before && fabs(rate) <= error ? rounded_dominated : rounded_not;
}

// Lane l: is component e, which started at zero, still zero but for rounding? That it has no digits is no news.
static inline bool ode_is_roundoff(const OdeScales *x, uint32_t e, int l, double noise) {
  const double room = 100; // the noise of steps that were longer
  return AT(x->unsized[e], l) > 0 && AT(x->seen[e], l) <= room * noise;
}

#endif
