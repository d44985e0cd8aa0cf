// The initial value problem that the integrator gets of a run: all callbacks. A part of motion.h.
#include "sim/motion.h"

#include "sim/balls.h"

// Have the quadratures rate 0? Of a conservative model they do; verlet has no evaluation to spare for them.
static bool is_still(const Run *r) {
  const SystemEnergy *e = &r->p->s.energy;
  bool none = r->ode.method == ode_verlet;
  for (uint32_t i = 0; none && i < e->flows.count; i++) none = e->flows.items[i].power == r->p->pool.zero;
  return !e->kept || none;
}

// Unit quaternions have length 1: what a step adds to it is taken away.
static OdeProjection ball_project(void *self, double t, double *y) {
  const Run *r = self;
  (void)t;
  return balls_normalize(&r->p->s, y, 1) ? projection_moved : projection_none;
}

OdeProblem run_problem(Run *r) {
  const Components *y = &r->p->y;
  return (OdeProblem){
      .n = y->total,
      .checked = y->count,
      .self = r,
      .f = run_right_side,
      .jacobian = run_jacobian,
      .rounding = run_rounding,
      .still = is_still(r),
      .empty = !r->p->s.energy.kept,
      .accept = r->p->momenta && (r->p->momenta->guess_count || momenta_watched(r->p)) ? momenta_accept
                : r->p->held                                                           ? run_accept
                                                                                       : NULL,
      .events = r->h ? &r->h->events : NULL,
      .kinds = y->kinds,
      .project = r->p->constraints          ? singular_project
                 : r->p->manifold           ? manifold_project
                 : r->p->s.tree.balls.count ? ball_project
                                            : NULL,
      .momenta = momenta_of(r),
      .ports = balance_ports(r),
      .forces = balance_forces,
      .balance = balance_of(r),
      .gradient = gradient_of(r),
      .manifold = constraint_manifold(r),
      .pairs = r->p->pairs,
      .pair_count = r->p->pair_count,
  };
}
