// Impulse response of a tree of bodies: H dv = J, by the articulated-body algorithm that gives their accelerations.
//
// in    the call of kernel_tree, H a + h(q, v, g) = tau, and the part of the impulse in each of its operands
// out   operands of a second call, whose results are dv = a(q, v = 0, g = 0, tau = J)
//
// At rest and without weight h is zero, so nothing is subtracted, and what jumps with the impulse does not enter.
#include "form/tree_jump.h"

#include "form/tree_terms.h"
#include "tape/kernels.h"

#include <string.h>

// The operands of the kernel: positions, velocities, forces, sines and cosines, gravity, numbers of the links.
typedef struct OperandPlaces {
  uint32_t velocities, forces, sines, gravity, numbers;
} OperandPlaces;

static OperandPlaces places_of(const System *s, const SystemCall *c) {
  OperandPlaces p = {0};
  uint32_t turning = 0;
  for (uint32_t i = 0; i < s->tree.links.count; i++) {
    p.velocities += s->tree.links.items[i].joint == link_ball ? 4 : 1;
    turning += s->tree.links.items[i].joint == link_revolute;
  }
  p.forces = p.velocities + c->result_count;
  p.sines = p.forces + c->result_count;
  p.gravity = p.sines + 2 * turning;
  p.numbers = p.gravity + 3;
  return p;
}

bool tree_jump(const System *s, const SystemCall *c, const ExprId *parts, ExprId *args) {
  ExprPool *pool = s->pool;
  if (c->kernel != &kernel_tree) return false;
  OperandPlaces p = places_of(s, c);
  V3 g;
  tree_gravity(s, g);
  if (p.numbers > c->arg_count || memcmp(c->args + p.gravity, g, sizeof g) != 0) return false;
  memcpy(args, c->args, c->arg_count * sizeof *args);
  for (uint32_t i = 0; i < c->arg_count; i++) {
    bool force = i >= p.forces && i < p.sines, gravity = i >= p.gravity && i < p.numbers;
    if (parts[i] != pool->zero && !force) return false;
    if (i >= p.velocities && i < p.forces) args[i] = pool->zero;
    if (gravity) args[i] = pool->zero;
    if (force) args[i] = parts[i];
  }
  return true;
}
