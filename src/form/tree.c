// Forward dynamics of a tree of bodies: articulated-body algorithm, or M a + h = 0 with M by composite rigid bodies.
//
// Energies, M and h of bodies stand in the System as those of any model (lagrange.c). Where only forces act beside them
// the accelerations need no matrix: the articulated-body recursion gives them one by one (tree_motion.c), with
//   tau = Q - dD/dv + d(T - V + ...)/dq of what is written beside the bodies.
// A constraint, an inertia that is written beside them or a force that holds accelerations joins coordinates in another
// way: then M a + h = 0 is solved, with M by composite bodies.
// Angular velocities of spherical joints have rows in it, too (tree_rotations.c).
#include "form/form.h"
#include "form/tree_shapes.h"
#include "form/tree_terms.h"

#include "expr/modular.h"

static bool tree_add(System *s) {
  TreeMaker m = {&s->described, s->arena, s->pool};
  return !s->tree.bodies.count || (tree_links(&m) && tree_add_shapes(s, &m));
}

typedef enum TreeAlgorithm {
  tree_articulated, // articulated bodies, traced
  tree_by_kernel,   // the same as a kernel
  tree_mass_matrix  // M a + h = 0
} TreeAlgorithm;

static TreeAlgorithm choose_algorithm(const System *s) {
  const SystemLagrange *g = &s->lagrange;
  KindSet moving = kind_set(sym_velocity) | kind_set(sym_state);
  if (s->constraints.count || s->implicit.count) return tree_mass_matrix;
  if (expr_has_kinds(s->pool, g->inertial, moving)) return tree_mass_matrix;
  KindSet accelerations = kind_set(sym_acceleration);
  if (s->tree.balls.count) accelerations |= kind_set(sym_state_rate);
  if (s->tree.balls.count && g->P && expr_has_kinds(s->pool, g->P, accelerations)) return tree_mass_matrix;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (expr_has_kinds(s->pool, g->Q[i], accelerations)) return tree_mass_matrix;
  }
  return s->tree.links.count >= tree_kernel_size && tree_is_large(s) ? tree_by_kernel : tree_articulated;
}

// The derivative along axis `part` of a spherical joint (ball): its kinematics r' = S w says how r changes with r.wx
// and the others.
static ExprId along_turn(System *s, ExprId value, uint32_t first, uint32_t part) {
  Term terms[4];
  SymbolId w = s->states.items[first + 4 + part].x;
  for (uint32_t i = 0; i < 4; i++) {
    const SystemState *r = &s->states.items[first + i];
    terms[i] = (Term){RAT_ONE, expr_mul(s->pool, expr_diff(s->pool, value, r->x), expr_diff(s->pool, r->kinematic, w))};
    if (!terms[i].term) return 0;
  }
  return expr_sum(s->pool, terms, 4);
}

// The moment on an axis of a spherical joint: dP/dw - dD/dw + (dL/dr) S of what is written beside the bodies. Its
// power, and the power of dampers, go to the energy balance.
static ExprId ball_force(System *s, const TreeFreedom *q) {
  const SystemLagrange *g = &s->lagrange;
  ExprPool *pool = s->pool;
  SymbolId w = s->states.items[q->state].x;
  ExprId slope = along_turn(s, g->written, s->tree.links.items[q->link].coord, q->part);
  ExprId push = g->P ? expr_diff(pool, g->P, w) : pool->zero, brake = expr_diff(pool, g->D, w);
  EnergyFlow *flows = s->energy.flows.items;
  flows[flow_supplied].power = expr_add(pool, flows[flow_supplied].power, expr_mul(pool, expr_sym(pool, w), push));
  flows[flow_dissipated].power = expr_add(pool, flows[flow_dissipated].power, expr_mul(pool, expr_sym(pool, w), brake));
  if (!slope || !push || !brake) return 0;
  return expr_sum(pool, (Term[]){{RAT_ONE, slope}, {RAT_ONE, push}, {rat_int(-1), brake}}, 3);
}

// |r|^2 of every ball stays 1. Beside constraints it binds positions as they do: a projection onto the constraint
// manifold keeps it, too.
static bool keep_lengths(System *s) {
  bool bound = s->constraints.count != 0;
  for (uint32_t i = 0; i < s->tree.balls.count; i++) {
    const TreeBall *ball = &s->tree.balls.items[i];
    Term terms[4];
    for (uint32_t k = 0; k < 4; k++) {
      ExprId r = expr_sym(s->pool, s->states.items[ball->first + k].x);
      terms[k] = (Term){RAT_ONE, expr_mul(s->pool, r, r)};
    }
    const char *name = arena_printf(s->arena, "|%s|^2", ball->name);
    ExprId length = expr_sum(s->pool, terms, 4);
    if (bound) length = expr_sub(s->pool, length, s->pool->one);
    InvariantKind kind = bound ? invariant_place : invariant_constant;
    if (!length || !vec_push(s->arena, &s->invariants, (Invariant){name, length, ball->span, kind})) return false;
  }
  return true;
}

// The forces on coordinates that are no bodies' own.
static ExprId *forces(System *s, const TreeTerms *t) {
  const SystemLagrange *g = &s->lagrange;
  ExprId *tau = arena_array(s->arena, (size_t)t->count + 1, sizeof *tau);
  for (uint32_t k = 0; tau && k < t->count; k++) {
    uint32_t i = t->freedoms[k].coord;
    if (i == UINT32_MAX) {
      tau[k] = ball_force(s, &t->freedoms[k]);
      if (!tau[k]) return NULL;
      continue;
    }
    ExprId slope = expr_diff(s->pool, g->written, s->coords.items[i].q);
    tau[k] = expr_sum(s->pool, (Term[]){{RAT_ONE, g->Q[i]}, {rat_int(-1), g->dDdv[i]}, {RAT_ONE, slope}}, 3);
    if (!tau[k]) return NULL;
  }
  return tau;
}

static bool define(System *s, const TreeTerms *t, const ExprId *a) {
  s->solved = arena_array(s->arena, (size_t)s->coord_count + 1, sizeof *s->solved);
  if (!s->solved) return false;
  for (uint32_t k = 0; k < t->count; k++) {
    const TreeFreedom *q = &t->freedoms[k];
    const TreeBody *b = &s->tree.bodies.items[s->tree.links.items[q->link].body];
    uint32_t origin = system_origin(s, b->span, arena_printf(s->arena, "the motion of %s", b->name), a[k]);
    if (!a[k] ||
        !vec_push(s->arena, &s->definitions, (Definition){s->tree.links.items[q->link].a[q->part], a[k], origin}))
      return false;
    if (q->coord != UINT32_MAX) s->solved[q->coord] = true;
  }
  return true;
}

static bool hangs_on(const Tree *tree, uint32_t link, uint32_t on) {
  while (link != tree_ground && link > on) link = tree->links.items[link].parent;
  return link == on;
}

// The rank of H among what moves behind a link, and how many freedoms these are.
static int rank_behind(System *s, const TreeTerms *t, uint32_t link, uint32_t *count, ExprId *room) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < t->count; k++) {
    if (!hangs_on(&s->tree, t->freedoms[k].link, link)) continue;
    for (uint32_t j = 0; j < t->count; j++) {
      if (hangs_on(&s->tree, t->freedoms[j].link, link)) room[n++] = s->bodies.H[k * t->count + j];
    }
    (*count)++;
  }
  return expr_rank(s->pool, room, *count, *count, NULL);
}

// Where H is singular nothing says how a joint accelerates: the outermost such body is named.
static bool check_inertia(System *s, const TreeTerms *t) {
  ExprId *room = arena_array(s->arena, (size_t)t->count * t->count + 1, sizeof *room);
  if (!room) return false;
  int rank = expr_rank(s->pool, s->bodies.H, t->count, t->count, NULL);
  if (rank < 0 || (uint32_t)rank == t->count) return true;
  for (uint32_t i = s->tree.links.count; i-- > 0;) {
    uint32_t count = 0;
    rank = rank_behind(s, t, i, &count, room);
    if (rank < 0 || (uint32_t)rank == count) continue;
    const TreeBody *b = &s->tree.bodies.items[s->tree.links.items[i].body];
    diag_error(s->diags, diag_body, b->span,
               "nothing says how the joint of `%s` accelerates: what moves there has no inertia", b->name);
    diag_hint(s->diags, "give `%s`, or a body that hangs on it, a mass away from the axis, or an `inertia` about it",
              b->name);
    return true;
  }
  return true;
}

static bool tree_fill(System *s) {
  TreeTerms terms, *t = &terms;
  if (!s->tree.links.count) return true;
  if (!tree_freedoms(s, t) || !keep_lengths(s)) return false;
  TreeAlgorithm algorithm = choose_algorithm(s);
  if (algorithm != tree_mass_matrix && !tree_is_large(s) && !check_inertia(s, t)) return false;
  if (s->diags->errors) return true;
  if (algorithm == tree_mass_matrix && !s->tree.balls.count) return true;
  ExprId *tau = forces(s, t), *a = arena_array(s->arena, (size_t)t->count + 1, sizeof *a);
  s->bodies.tau = tau;
  if (algorithm == tree_mass_matrix) return tau && tree_add_rotations(s, t, tau);
  if (algorithm == tree_by_kernel) return tau && tree_call(s, t, tau);
  return tau && a && tree_accelerations(s, t, tau, a) && define(s, t, a);
}

const Formulation tree_formulation = {.add = tree_add, .fill = tree_fill};
