// Trees of many bodies: their energies by names, their accelerations by one call of a kernel.
//
// in    links with elementary joints, forces on their freedoms
// out   T, V, and a SystemCall whose results are the accelerations
#include "form/tree_terms.h"

#include "tape/kernels.h"

#include <string.h>

// ---- when

static bool has_inertia_beside(const System *s) {
  KindSet moving = kind_set(sym_velocity) | kind_set(sym_state), accelerations = kind_set(sym_acceleration);
  if (s->tree.balls.count) accelerations |= kind_set(sym_state_rate); // of angular velocities
  for (uint32_t i = 0; i < s->energies.count; i++) {
    const SystemTerm *e = &s->energies.items[i];
    if ((e->kind == energy_kinetic || e->kind == energy_lagrangian) && expr_has_kinds(s->pool, e->value, moving))
      return true;
    if (e->kind == energy_power && expr_has_kinds(s->pool, e->value, accelerations)) return true;
  }
  for (uint32_t i = 0; i < s->forces.count; i++) {
    if (expr_has_kinds(s->pool, s->forces.items[i].value, accelerations)) return true;
  }
  return false;
}

bool tree_is_large(const System *s) {
  if (s->tree.links.count < tree_large_size) return false;
  return !s->constraints.count && !s->implicit.count && !has_inertia_beside(s);
}

// ---- energies: T = 1/2 (w.L + v.P), V = -(m u + g.h), as tree_terms.c has them

typedef struct Energies {
  System *s;
  ExprPool *pool;
  Spatial sp;
  LinkMotion *at;
  V3 *g;     // gravity in the frame of each link
  ExprId *u; // its potential at the link's origin
} Energies;

static void add_link(Energies *x, uint32_t i, Term *kinetic, Term *potential) {
  const Spatial *sp = &x->sp;
  TreeLink *link = &x->s->tree.links.items[i];
  LinkMotion *a = &x->at[i];
  bool root = link->parent == tree_ground;
  V3 g, P, L, across;
  M3 tensor;
  tree_move(sp, link, root ? NULL : &x->at[link->parent], a);
  if (root) tree_gravity(x->s, g);
  else spatial_copy(x->g[link->parent], g);
  spatial_turn(sp, a->e, g, x->g[i]);
  ExprId up = root ? x->pool->zero : x->u[link->parent];
  x->u[i] = spatial_named(sp, expr_add(x->pool, up, spatial_dot(sp, g, a->r)));
  spatial_symmetric(link->inertia, tensor);
  spatial_cross(sp, a->w, link->moment, across);
  spatial_scale(sp, link->mass, a->v, P);
  spatial_add(sp, P, across, P);
  spatial_turn(sp, tensor, a->w, L);
  spatial_cross(sp, link->moment, a->v, across);
  spatial_add(sp, L, across, L);
  ExprId own = expr_add(x->pool, spatial_dot(sp, a->w, L), spatial_dot(sp, a->v, P));
  ExprId weight = expr_add(x->pool, expr_mul(x->pool, link->mass, x->u[i]), spatial_dot(sp, x->g[i], link->moment));
  *kinetic = (Term){{1, 2, NULL}, spatial_named(sp, own)};
  *potential = (Term){rat_int(-1), spatial_named(sp, weight)};
}

bool tree_energies(System *s, TreeTerms *t) {
  TreeNames names;
  uint32_t n = s->tree.links.count;
  Energies x = {.s = s, .pool = s->pool, .sp = {s->pool, tree_name, &names}};
  *t = (TreeTerms){0};
  x.at = arena_array(s->arena, n, sizeof *x.at);
  x.g = arena_array(s->arena, n, sizeof *x.g);
  x.u = arena_array(s->arena, n, sizeof *x.u);
  Term *kinetic = arena_array(s->arena, n, sizeof *kinetic), *potential = arena_array(s->arena, n, sizeof *potential);
  if (arena_failed(s->arena) || !tree_names_init(s, &names)) return false;
  names.origin = system_origin(s, (Span){0}, "the energy of the bodies", 0);
  for (uint32_t i = 0; i < n; i++) {
    add_link(&x, i, &kinetic[i], &potential[i]);
    if (!kinetic[i].term || !potential[i].term) return false;
  }
  t->T = expr_sum(s->pool, kinetic, n);
  t->V = expr_sum(s->pool, potential, n);
  return t->T && t->V;
}

// ---- the call

typedef VEC(ExprId) Operands;

// The numbers of a link, in the order of kernel_tree.c.
static void put_numbers(System *s, const TreeLink *l, Operands *args) {
  for (int k = 0; k < 3; k++) vec_push(s->arena, args, l->at[k]);
  for (int k = 0; k < 9; k++) vec_push(s->arena, args, l->turn[k / 3][k % 3]);
  vec_push(s->arena, args, l->mass);
  for (int k = 0; k < 3; k++) vec_push(s->arena, args, l->moment[k]);
  for (int k = 0; k < 6; k++) vec_push(s->arena, args, l->inertia[k]);
}

// Bits: those that are zero whatever happens.
static uint32_t zeros_of(System *s, const TreeLink *l, Operands *passing) {
  uint32_t zeros = 0;
  passing->count = 0;
  put_numbers(s, l, passing);
  for (uint32_t k = 0; k < passing->count; k++) zeros |= (uint32_t)expr_is_zero(s->pool, passing->items[k]) << k;
  return zeros;
}

static const KernelTree *plan_links(System *s, const TreeLink *placed) {
  static const KernelJoint joints[] = {
      [link_revolute] = kernel_revolute, [link_prismatic] = kernel_prismatic, [link_ball] = kernel_ball};
  KernelTree *of = arena_new_of(s->arena, KernelTree);
  KernelLink *links = arena_array(s->arena, s->tree.links.count, sizeof *links);
  Operands passing = {0};
  if (!of || !links) return NULL;
  M3 unit;
  spatial_unit(&(Spatial){.pool = s->pool}, unit);
  for (uint32_t i = 0; i < s->tree.links.count; i++) {
    const TreeLink *l = &placed[i];
    bool flat = l->joint != link_revolute || l->parent == tree_ground || expr_is_zero(s->pool, l->at[l->axis]);
    links[i] = (KernelLink){.parent = l->parent == tree_ground ? 0 : l->parent + 1,
                            .joint = joints[l->joint],
                            .axis = l->axis,
                            .straight = flat && memcmp(l->turn, unit, sizeof unit) == 0,
                            .zeros = zeros_of(s, l, &passing),
                            .name = s->tree.bodies.items[l->body].name};
  }
  *of = (KernelTree){links, s->tree.links.count};
  return of;
}

// In the order of kernel_tree.c.
static bool put_operands(System *s, const TreeTerms *t, const TreeLink *placed, const ExprId *tau, Operands *args) {
  ExprPool *pool = s->pool;
  const TreeLinkList *links = &s->tree.links;
  V3 g;
  for (uint32_t i = 0; i < links->count; i++) {
    for (int k = 0; k < (links->items[i].joint == link_ball ? 4 : 1); k++)
      vec_push(s->arena, args, expr_sym(pool, links->items[i].q[k]));
  }
  for (uint32_t k = 0; k < t->count; k++)
    vec_push(s->arena, args, expr_sym(pool, links->items[t->freedoms[k].link].v[t->freedoms[k].part]));
  for (uint32_t k = 0; k < t->count; k++) vec_push(s->arena, args, tau[k]);
  for (uint32_t i = 0; i < links->count; i++) {
    ExprId q = expr_sym(pool, links->items[i].q[0]);
    if (links->items[i].joint != link_revolute) continue;
    vec_push(s->arena, args, expr_fn(pool, op_sin, &q, 1));
    vec_push(s->arena, args, expr_fn(pool, op_cos, &q, 1));
  }
  tree_gravity(s, g);
  for (int k = 0; k < 3; k++) vec_push(s->arena, args, g[k]);
  for (uint32_t i = 0; i < links->count; i++) put_numbers(s, &placed[i], args);
  return !arena_failed(s->arena);
}

bool tree_call(System *s, const TreeTerms *t, const ExprId *tau) {
  Operands args = {0};
  TreeLink *placed, *grouped;
  if (!tree_group(s, &placed, &grouped)) return false;
  const KernelTree *of = plan_links(s, placed);
  SymbolId *results = arena_array(s->arena, (size_t)t->count + 1, sizeof *results);
  s->solved = arena_array(s->arena, (size_t)s->coord_count + 1, sizeof *s->solved);
  if (!of || !results || !s->solved || !put_operands(s, t, placed, tau, &args)) return false;
  for (uint32_t k = 0; k < t->count; k++) {
    const TreeFreedom *q = &t->freedoms[k];
    results[k] = s->tree.links.items[q->link].a[q->part];
    if (q->coord != UINT32_MAX) s->solved[q->coord] = true;
  }
  SystemCall call = {.kernel = &kernel_tree,
                     .data = kernel_tree_plan(s->arena, of),
                     .arg_count = args.count,
                     .result_count = t->count,
                     .args = args.items,
                     .results = results,
                     .origin = system_origin(s, s->tree.bodies.items[0].span, "the motion of the bodies", 0)};
  return call.data && vec_push(s->arena, &s->calls, call);
}
