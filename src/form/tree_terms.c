// Energies, momenta and forces of a tree of bodies, by recursive Newton-Euler along its links.
//
// outwards  w = E w_p + s_w v,  v = E (v_p + w_p x r) + s_v v     velocities of a link
//           g = E g_p, u = u_p + g_p.r                            gravity in its frame, and its potential at the origin
// own       P = m v + w x h,  L = I w + h x v                     momenta about its origin; h = m c
//           T = 1/2 (w.L + v.P),  V = -(m u + g.h)
// inwards   P_p += E' P,  L_p += E' L + r x E' P                  those of all behind the joint
// joints    p = s.(L, P),  dT/dq = (w x s_w).L + (v x s_w + w x s_v).P,  dV/dq = -(s_w.(h x g) + m s_v.g), composite
// forces    the same with f = rate of P, n = rate of L without accelerations of joints: Newton and Euler
//
// Notation: s the axis of a joint, (angular, linear); everything in the frame of the link.
#include "form/tree_terms.h"

#include <string.h>

typedef struct LinkTerms {
  LinkMotion at;
  V3 g;
  ExprId u;
  V3 P, L;     // momenta, first its own, then with all behind it
  V3 aw, av;   // accelerations without those of joints
  V3 f, n;     // forces, likewise
  ExprId mass; // of all behind it
  V3 moment;
} LinkTerms;

typedef struct TermsWork {
  System *s;
  ExprPool *pool;
  Spatial sp;
  TreeLink *links;
  uint32_t count;
  LinkTerms *at;
  bool moving; // forces with the accelerations of joints
} TermsWork;

void tree_gravity(const System *s, V3 out) {
  for (int i = 0; i < 3; i++) out[i] = s->tree.gravity[i] ? s->tree.gravity[i] : s->pool->zero;
}

bool tree_freedoms(System *s, TreeTerms *t) {
  const Tree *tree = &s->tree;
  *t = (TreeTerms){0};
  for (uint32_t i = 0; i < tree->links.count; i++) t->count += tree_dofs(tree->links.items[i].joint);
  t->freedoms = arena_array(s->arena, (size_t)t->count + 1, sizeof *t->freedoms);
  for (uint32_t i = 0, k = 0; t->freedoms && i < tree->links.count; i++) {
    const TreeLink *link = &tree->links.items[i];
    bool ball = link->joint == link_ball;
    for (uint32_t part = 0; part < tree_dofs(link->joint); part++)
      t->freedoms[k++] =
          (TreeFreedom){i, part, ball ? UINT32_MAX : link->coord, ball ? link->coord + 4 + part : UINT32_MAX};
  }
  return t->freedoms != NULL;
}

// ---- outwards

// What the joint itself does, added to the link's: of_joint are its velocities or accelerations.
static void add_joint(const Spatial *sp, const TreeLink *link, const SymbolId *of_joint, V3 w, V3 v) {
  for (uint32_t k = 0; k < tree_dofs(link->joint); k++) {
    ExprId *to = link->joint == link_prismatic ? &v[link->axis] : &w[link->joint == link_ball ? k : link->axis];
    *to = spatial_named(sp, expr_add(sp->pool, *to, expr_sym(sp->pool, of_joint[k])));
  }
}

void tree_move(const Spatial *sp, TreeLink *link, const LinkMotion *parent, LinkMotion *out) {
  V3 moved;
  tree_turn(sp, link, out->e);
  tree_offset(sp, link, out->r);
  spatial_zero(sp, out->w);
  spatial_zero(sp, out->v);
  if (parent) {
    spatial_turn(sp, out->e, parent->w, out->w);
    spatial_cross(sp, parent->w, out->r, moved);
    spatial_add(sp, moved, parent->v, moved);
    spatial_turn(sp, out->e, moved, out->v);
  }
  add_joint(sp, link, link->v, out->w, out->v);
}

static void own_momenta(TermsWork *x, uint32_t i) {
  const Spatial *sp = &x->sp;
  TreeLink *link = &x->links[i];
  LinkTerms *a = &x->at[i];
  M3 tensor;
  V3 across;
  spatial_symmetric(link->inertia, tensor);
  spatial_cross(sp, a->at.w, link->moment, across);
  spatial_scale(sp, link->mass, a->at.v, a->P);
  spatial_add(sp, a->P, across, a->P);
  spatial_turn(sp, tensor, a->at.w, a->L);
  spatial_cross(sp, link->moment, a->at.v, across);
  spatial_add(sp, a->L, across, a->L);
}

// Accelerations, without those of the joints unless they move, and the forces that they need: f = m a + aw x h + w x (w
// x h), n = I aw + h x a + w x (I w); a is that of the origin, as a vector, and the ground falls upwards.
static void own_forces(TermsWork *x, uint32_t i) {
  const Spatial *sp = &x->sp;
  TreeLink *link = &x->links[i];
  LinkTerms *a = &x->at[i], *p = link->parent == tree_ground ? NULL : &x->at[link->parent];
  V3 moved, turned, spin, slide;
  M3 tensor;
  spatial_zero(sp, a->aw);
  if (p) {
    // of the joint's origin: a_p + aw_p x r + w_p x (w_p x r)
    spatial_cross(sp, p->at.w, a->at.r, moved);
    spatial_cross(sp, p->at.w, moved, moved);
    spatial_cross(sp, p->aw, a->at.r, turned);
    spatial_add(sp, moved, turned, moved);
    spatial_add(sp, moved, p->av, moved);
    spatial_turn(sp, a->at.e, p->aw, a->aw);
  } else {
    tree_gravity(x->s, moved);
    for (int k = 0; k < 3; k++) moved[k] = expr_neg(x->pool, moved[k]);
  }
  spatial_turn(sp, a->at.e, moved, a->av);
  // the joint rotates what moves in it: w x s_w v, and 2 w x s_v v
  spatial_zero(sp, spin);
  spatial_zero(sp, slide);
  add_joint(sp, link, link->v, spin, slide);
  spatial_cross(sp, a->at.w, spin, turned);
  spatial_add(sp, a->aw, turned, a->aw);
  spatial_cross(sp, a->at.w, slide, moved);
  for (int k = 0; k < 3; k++) moved[k] = expr_scale(x->pool, rat_int(2), moved[k]);
  spatial_add(sp, a->av, moved, a->av);
  if (x->moving) add_joint(sp, link, link->a, a->aw, a->av);
  // forces
  spatial_scale(sp, link->mass, a->av, a->f);
  spatial_cross(sp, a->aw, link->moment, turned);
  spatial_add(sp, a->f, turned, a->f);
  spatial_cross(sp, a->at.w, link->moment, turned);
  spatial_cross(sp, a->at.w, turned, turned);
  spatial_add(sp, a->f, turned, a->f);
  spatial_symmetric(link->inertia, tensor);
  spatial_turn(sp, tensor, a->aw, a->n);
  spatial_cross(sp, link->moment, a->av, turned);
  spatial_add(sp, a->n, turned, a->n);
  spatial_turn(sp, tensor, a->at.w, turned);
  spatial_cross(sp, a->at.w, turned, turned);
  spatial_add(sp, a->n, turned, a->n);
}

static void outwards(TermsWork *x) {
  const Spatial *sp = &x->sp;
  for (uint32_t i = 0; i < x->count; i++) {
    TreeLink *link = &x->links[i];
    LinkTerms *a = &x->at[i], *p = link->parent == tree_ground ? NULL : &x->at[link->parent];
    V3 g;
    tree_move(sp, link, p ? &p->at : NULL, &a->at);
    if (p) spatial_copy(p->g, g);
    else tree_gravity(x->s, g);
    spatial_turn(sp, a->at.e, g, a->g);
    a->u = expr_add(x->pool, p ? p->u : x->pool->zero, spatial_dot(sp, g, a->at.r));
    own_momenta(x, i);
    own_forces(x, i);
    a->mass = link->mass;
    spatial_copy(link->moment, a->moment);
  }
}

static bool sum_energies(TermsWork *x, TreeTerms *t) {
  Term *kinetic = arena_array(x->s->arena, (size_t)2 * x->count + 1, sizeof *kinetic);
  Term *potential = arena_array(x->s->arena, (size_t)2 * x->count + 1, sizeof *potential);
  if (!kinetic || !potential) return false;
  Rat half = {1, 2, NULL};
  for (uint32_t i = 0; i < x->count; i++) {
    LinkTerms *a = &x->at[i];
    kinetic[2 * (size_t)i] = (Term){half, spatial_dot(&x->sp, a->at.w, a->L)};
    kinetic[2 * (size_t)i + 1] = (Term){half, spatial_dot(&x->sp, a->at.v, a->P)};
    potential[2 * (size_t)i] = (Term){rat_int(-1), expr_mul(x->pool, x->links[i].mass, a->u)};
    potential[2 * (size_t)i + 1] = (Term){rat_int(-1), spatial_dot(&x->sp, a->g, x->links[i].moment)};
  }
  t->T = expr_sum(x->pool, kinetic, 2 * x->count);
  t->V = expr_sum(x->pool, potential, 2 * x->count);
  return t->T && t->V;
}

// ---- inwards

// A wrench of a link, added to that of its parent: force and moment.
static void hand_on(const Spatial *sp, const LinkMotion *at, const V3 force, const V3 moment, V3 to_force,
                    V3 to_moment) {
  V3 back, turned, arm;
  LinkMotion own = *at;
  spatial_turn_back(sp, own.e, force, back);
  spatial_turn_back(sp, own.e, moment, turned);
  spatial_cross(sp, own.r, back, arm);
  spatial_add(sp, turned, arm, turned);
  spatial_add(sp, to_force, back, to_force);
  spatial_add(sp, to_moment, turned, to_moment);
}

// Mass and moment of a link, added to those of its parent.
static void hand_on_mass(TermsWork *x, uint32_t i) {
  const Spatial *sp = &x->sp;
  LinkTerms *a = &x->at[i], *p = &x->at[x->links[i].parent];
  V3 turned, arm;
  spatial_turn_back(sp, a->at.e, a->moment, turned);
  spatial_scale(sp, a->mass, a->at.r, arm);
  spatial_add(sp, turned, arm, turned);
  spatial_add(sp, p->moment, turned, p->moment);
  p->mass = expr_add(x->pool, p->mass, a->mass);
}

static void inwards(TermsWork *x) {
  for (uint32_t i = x->count; i-- > 0;) {
    if (x->links[i].parent == tree_ground) continue;
    LinkTerms *a = &x->at[i], *p = &x->at[x->links[i].parent];
    hand_on(&x->sp, &a->at, a->P, a->L, p->P, p->L);
    hand_on(&x->sp, &a->at, a->f, a->n, p->f, p->n);
    hand_on_mass(x, i);
  }
}

// What joint k of a link takes from a wrench.
static ExprId along(const TreeLink *link, uint32_t part, const V3 force, const V3 moment) {
  if (link->joint == link_prismatic) return force[link->axis];
  return moment[link->joint == link_ball ? part : link->axis];
}

static ExprId slope_of_kinetic(TermsWork *x, uint32_t i, uint32_t part) {
  const Spatial *sp = &x->sp;
  TreeLink *link = &x->links[i];
  LinkTerms *a = &x->at[i];
  V3 s, one, two;
  // of a ball the velocity in the joint does not rotate with the frame: w and v before it
  V3 w, v;
  spatial_copy(a->at.w, w);
  spatial_copy(a->at.v, v);
  spatial_zero(sp, s);
  s[link->joint == link_ball ? part : link->axis] = x->pool->one;
  if (link->joint == link_ball) {
    for (int k = 0; k < 3; k++) w[k] = expr_sub(x->pool, w[k], expr_sym(x->pool, link->v[k]));
  }
  spatial_cross(sp, w, s, one);
  if (link->joint == link_prismatic) return spatial_dot(sp, one, a->P);
  spatial_cross(sp, v, s, two);
  return expr_add(x->pool, spatial_dot(sp, one, a->L), spatial_dot(sp, two, a->P));
}

static ExprId slope_of_weight(TermsWork *x, const TreeFreedom *q) {
  LinkTerms *a = &x->at[q->link];
  V3 weight, moment;
  for (int i = 0; i < 3; i++) weight[i] = expr_mul(x->pool, a->mass, a->g[i]);
  spatial_cross(&x->sp, a->moment, a->g, moment);
  return expr_neg(x->pool, along(&x->links[q->link], q->part, weight, moment));
}

static bool fill(TermsWork *x, TreeTerms *t) {
  ExprId *room = arena_array(x->s->arena, (size_t)4 * t->count + 1, sizeof *room);
  if (!room) return false;
  t->p = room;
  t->dTdq = room + t->count;
  t->dVdq = t->dTdq + t->count;
  t->h = t->dVdq + t->count;
  for (uint32_t k = 0; k < t->count; k++) {
    const TreeFreedom *q = &t->freedoms[k];
    TreeLink *link = &x->links[q->link];
    LinkTerms *a = &x->at[q->link];
    t->p[k] = along(link, q->part, a->P, a->L);
    t->h[k] = along(link, q->part, a->f, a->n);
    t->dTdq[k] = slope_of_kinetic(x, q->link, q->part);
    t->dVdq[k] = slope_of_weight(x, q);
  }
  return true;
}

bool tree_terms(System *s, TreeTerms *t) {
  TermsWork work = {.s = s, .pool = s->pool, .sp = {.pool = s->pool}}, *x = &work;
  x->links = s->tree.links.items;
  x->count = s->tree.links.count;
  x->at = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->at);
  if (!x->at || !tree_freedoms(s, t)) return false;
  outwards(x);
  if (!sum_energies(x, t)) return false;
  inwards(x);
  return fill(x, t) && !arena_failed(s->arena);
}

// ---- forces alone, by names: of trees of any size

// The system's lists of definitions and steps are the caller's own from here on.
static bool own_lists(System *s) {
  DefinitionList definitions = {0};
  SystemStepList steps = {0};
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    if (!vec_push(s->arena, &definitions, s->definitions.items[i])) return false;
  }
  for (uint32_t i = 0; i < s->steps.count; i++) {
    if (!vec_push(s->arena, &steps, s->steps.items[i])) return false;
  }
  s->definitions = definitions;
  s->steps = steps;
  return true;
}

bool tree_torques(System *s, const TreeTerms *t, ExprId *out) {
  TreeNames names;
  TermsWork work = {.s = s, .pool = s->pool, .sp = {s->pool, tree_name, &names}, .moving = true}, *x = &work;
  x->links = s->tree.links.items;
  x->count = s->tree.links.count;
  x->at = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->at);
  if (!x->at || !own_lists(s) || !tree_names_init(s, &names)) return false;
  uint32_t first = s->definitions.count;
  for (uint32_t i = 0; i < x->count; i++) {
    uint32_t parent = x->links[i].parent;
    tree_move(&x->sp, &x->links[i], parent == tree_ground ? NULL : &x->at[parent].at, &x->at[i].at);
    own_forces(x, i);
  }
  for (uint32_t i = x->count; i-- > 0;) {
    LinkTerms *a = &x->at[i], *p = x->links[i].parent == tree_ground ? NULL : &x->at[x->links[i].parent];
    if (p) hand_on(&x->sp, &a->at, a->f, a->n, p->f, p->n);
  }
  for (uint32_t k = 0; k < t->count; k++) {
    LinkTerms *a = &x->at[t->freedoms[k].link];
    out[k] = along(&x->links[t->freedoms[k].link], t->freedoms[k].part, a->f, a->n);
    if (!out[k]) return false;
  }
  for (uint32_t i = first; i < s->definitions.count; i++) {
    if (!vec_push(s->arena, &s->steps, (SystemStep){.kind = step_define, .index = i})) return false;
  }
  return !arena_failed(s->arena);
}

// ---- at rest: V and its gradient alone, as expressions

bool tree_weights(System *s, TreeTerms *t) {
  TermsWork work = {.s = s, .pool = s->pool, .sp = {.pool = s->pool}}, *x = &work;
  const Spatial *sp = &x->sp;
  x->links = s->tree.links.items;
  x->count = s->tree.links.count;
  x->at = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->at);
  Term *terms = arena_array(s->arena, (size_t)2 * x->count + 1, sizeof *terms);
  if (!x->at || !terms || !tree_freedoms(s, t)) return false;
  t->dVdq = arena_array(s->arena, (size_t)t->count + 1, sizeof *t->dVdq);
  if (!t->dVdq) return false;
  for (uint32_t i = 0; i < x->count; i++) {
    LinkTerms *a = &x->at[i], *p = x->links[i].parent == tree_ground ? NULL : &x->at[x->links[i].parent];
    V3 g;
    tree_turn(sp, &x->links[i], a->at.e);
    tree_offset(sp, &x->links[i], a->at.r);
    if (p) spatial_copy(p->g, g);
    else tree_gravity(s, g);
    spatial_turn(sp, a->at.e, g, a->g);
    a->u = expr_add(x->pool, p ? p->u : x->pool->zero, spatial_dot(sp, g, a->at.r));
    a->mass = x->links[i].mass;
    spatial_copy(x->links[i].moment, a->moment);
    terms[2 * (size_t)i] = (Term){rat_int(-1), expr_mul(x->pool, a->mass, a->u)};
    terms[2 * (size_t)i + 1] = (Term){rat_int(-1), spatial_dot(sp, a->g, a->moment)};
  }
  t->V = expr_sum(x->pool, terms, 2 * x->count);
  for (uint32_t i = x->count; i-- > 0;) {
    if (x->links[i].parent != tree_ground) hand_on_mass(x, i);
  }
  for (uint32_t k = 0; k < t->count; k++) t->dVdq[k] = slope_of_weight(x, &t->freedoms[k]);
  return t->V && !arena_failed(s->arena);
}
