// The accelerations of a tree by the articulated-body recursion, traced into definitions.
//
// outwards  velocities; c = what the joint's own velocity adds to the acceleration; bias (n, f) of each link
// inwards   U = IA s,  D = s.U,  u = tau - s.(n, f)
//           Ia = IA - U U'/D,  pa = (n, f) + Ia c + U u/D          handed on to the parent
// outwards  a' = X a_p + c,  q'' = (u - U.a')/D,  a = a' + s q''
//
// Articulated inertia [A B; B' C] takes (angular, linear) acceleration to (moment, force), in the frame of the link,
// about its origin. A ball has three axes: D = A, so that Ia has no angular part. The ground accelerates against
// gravity. Every value has a name, so that it is computed once; what depends on parameters alone stays as it is, and
// zeros and ones vanish as products are made.
//
// After R. Featherstone, Rigid Body Dynamics Algorithms, chapter 7.
#include "form/tree_terms.h"

#include <string.h>

typedef struct Articulated {
  LinkMotion at;
  V3 cw, cv;  // what the joint's velocity adds
  M3 A, B, C; // inertia
  V3 n, f;    // bias
  V3 Uw, Uv;
  ExprId D; // its inverse
  V3 u;     // of a joint with one axis the first
  M3 D3;    // of a ball
} Articulated;

typedef struct MotionWork {
  System *s;
  ExprPool *pool;
  Spatial sp;
  TreeLink *links;
  uint32_t count;
  Articulated *at;
  TreeNames *names;
} MotionWork;

// ---- outwards: velocities and biases

// The bias of a link that is one body: f = m w x (v + w x c), n = w x (J w) + c x f.
static void bias_of_body(MotionWork *x, TreeLink *link, Articulated *a) {
  const Spatial *sp = &x->sp;
  V3 speed, turned;
  M3 J;
  spatial_cross(sp, a->at.w, link->com, speed);
  spatial_add(sp, speed, a->at.v, speed);
  spatial_cross(sp, a->at.w, speed, turned);
  spatial_scale(sp, link->mass, turned, a->f);
  spatial_symmetric(link->central, J);
  spatial_turn(sp, J, a->at.w, turned);
  spatial_cross(sp, a->at.w, turned, turned);
  spatial_cross(sp, link->com, a->f, a->n);
  spatial_add(sp, a->n, turned, a->n);
}

// The same of several: f = m w x v + w x (w x h), n = w x (I w) + h x (w x v).
static void bias_of_many(MotionWork *x, TreeLink *link, Articulated *a) {
  const Spatial *sp = &x->sp;
  V3 moved, turned;
  spatial_cross(sp, a->at.w, a->at.v, moved);
  spatial_cross(sp, a->at.w, link->moment, turned);
  spatial_cross(sp, a->at.w, turned, turned);
  spatial_scale(sp, link->mass, moved, a->f);
  spatial_add(sp, a->f, turned, a->f);
  spatial_turn(sp, a->A, a->at.w, turned);
  spatial_cross(sp, a->at.w, turned, turned);
  spatial_cross(sp, link->moment, moved, a->n);
  spatial_add(sp, a->n, turned, a->n);
}

static void start_link(MotionWork *x, uint32_t i) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  TreeLink *link = &x->links[i];
  Articulated *a = &x->at[i];
  V3 spin, slide;
  tree_move(sp, link, link->parent == tree_ground ? NULL : &x->at[link->parent].at, &a->at);
  spatial_zero(sp, spin);
  spatial_zero(sp, slide);
  for (uint32_t k = 0; k < tree_dofs(link->joint); k++) {
    ExprId v = expr_sym(pool, link->v[k]);
    if (link->joint == link_prismatic) slide[link->axis] = v;
    else spin[link->joint == link_ball ? k : link->axis] = v;
  }
  // (w x s_w, v x s_w + w x s_v), times the velocity of the joint
  spatial_cross(sp, a->at.w, spin, a->cw);
  spatial_cross(sp, link->joint == link_prismatic ? a->at.w : a->at.v, link->joint == link_prismatic ? slide : spin,
                a->cv);
  spatial_symmetric(link->inertia, a->A);
  for (int k = 0; k < 3; k++) {
    int y = (k + 1) % 3, z = (k + 2) % 3;
    a->B[k][k] = pool->zero;
    a->B[k][y] = expr_neg(pool, link->moment[z]);
    a->B[k][z] = link->moment[y];
    for (int j = 0; j < 3; j++) a->C[k][j] = j == k ? link->mass : pool->zero;
  }
  if (link->bodies == 1) bias_of_body(x, link, a);
  else bias_of_many(x, link, a);
}

// ---- inwards

// Of what is handed on: Ia and pa of a joint with one axis.
static void eliminate(MotionWork *x, TreeLink *link, Articulated *a, M3 A, M3 B, M3 C, V3 n, V3 f) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  bool turns = link->joint == link_revolute;
  int axis = link->axis;
  V3 Dw, Dv;
  for (int k = 0; k < 3; k++) {
    Dw[k] = spatial_named(sp, expr_mul(pool, a->Uw[k], a->D));
    Dv[k] = spatial_named(sp, expr_mul(pool, a->Uv[k], a->D));
  }
  // the row and the column of the joint vanish
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      bool gone_A = turns && (i == axis || k == axis), gone_B = turns ? i == axis : k == axis;
      bool gone_C = !turns && (i == axis || k == axis);
      if (k < i) A[i][k] = A[k][i];
      else
        A[i][k] = gone_A ? pool->zero : spatial_named(sp, expr_sub(pool, a->A[i][k], expr_mul(pool, a->Uw[i], Dw[k])));
      B[i][k] = gone_B ? pool->zero : spatial_named(sp, expr_sub(pool, a->B[i][k], expr_mul(pool, a->Uw[i], Dv[k])));
      if (k < i) C[i][k] = C[k][i];
      else
        C[i][k] = gone_C ? pool->zero : spatial_named(sp, expr_sub(pool, a->C[i][k], expr_mul(pool, a->Uv[i], Dv[k])));
    }
  }
  for (int k = 0; k < 3; k++) {
    V3 column = {B[0][k], B[1][k], B[2][k]};
    Term moment[] = {{RAT_ONE, a->n[k]},
                     {RAT_ONE, spatial_dot(sp, A[k], a->cw)},
                     {RAT_ONE, spatial_dot(sp, B[k], a->cv)},
                     {RAT_ONE, expr_mul(pool, Dw[k], a->u[0])}};
    Term force[] = {{RAT_ONE, a->f[k]},
                    {RAT_ONE, spatial_dot(sp, column, a->cw)},
                    {RAT_ONE, spatial_dot(sp, C[k], a->cv)},
                    {RAT_ONE, expr_mul(pool, Dv[k], a->u[0])}};
    n[k] = spatial_named(sp, expr_sum(pool, moment, 4));
    f[k] = spatial_named(sp, expr_sum(pool, force, 4));
  }
}

// The inverse of a symmetric matrix, by its cofactors.
static void invert(const Spatial *sp, M3 a, M3 out) {
  ExprPool *pool = sp->pool;
  M3 cofactor;
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++) {
      int r = (i + 1) % 3, s = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
      cofactor[i][j] = cofactor[j][i] =
          spatial_named(sp, expr_sub(pool, expr_mul(pool, a[r][p], a[s][q]), expr_mul(pool, a[r][q], a[s][p])));
    }
  }
  ExprId det = spatial_named(sp, spatial_dot(sp, a[0], cofactor[0]));
  ExprId inverse = spatial_named(sp, expr_powi(pool, det, -1));
  for (int i = 0; i < 9; i++) out[i / 3][i % 3] = spatial_named(sp, expr_mul(pool, cofactor[i / 3][i % 3], inverse));
}

// A ball takes all moments but its own: C - B' A^-1 B is left.
static void eliminate_ball(MotionWork *x, Articulated *a, const ExprId *tau, M3 A, M3 B, M3 C, V3 n, V3 f) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  M3 K; // A^-1 B
  V3 turned, pushed;
  spatial_multiply(sp, a->D3, a->B, K);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      A[i][k] = B[i][k] = pool->zero;
      V3 left = {a->B[0][i], a->B[1][i], a->B[2][i]}, right = {K[0][k], K[1][k], K[2][k]};
      C[i][k] = k < i ? C[k][i] : spatial_named(sp, expr_sub(pool, a->C[i][k], spatial_dot(sp, left, right)));
    }
    n[i] = tau[i];
  }
  spatial_turn_back(sp, K, a->u, turned);
  spatial_turn(sp, C, a->cv, pushed);
  spatial_add(sp, a->f, turned, f);
  spatial_add(sp, f, pushed, f);
}

// Ia and pa into the parent's frame, about its origin: A - B rx + rx B' - rx C rx, B + rx C, C.
static void hand_on(MotionWork *x, uint32_t i, M3 A, M3 B, M3 C, V3 n, V3 f) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  Articulated *a = &x->at[i], *p = &x->at[x->links[i].parent];
  M3 rC, rB, sum, across;
  spatial_turn_matrix(sp, a->at.e, A, true, A);
  spatial_turn_matrix(sp, a->at.e, B, false, B);
  spatial_turn_matrix(sp, a->at.e, C, true, C);
  spatial_cross_columns(sp, a->at.r, C, rC);
  for (int k = 0; k < 9; k++) sum[k / 3][k % 3] = spatial_named(sp, expr_add(pool, B[k / 3][k % 3], rC[k / 3][k % 3]));
  spatial_transpose(B, across);
  spatial_cross_columns(sp, a->at.r, across, rB);
  for (int k = 0; k < 3; k++) {
    V3 product; // row k of (B + rx C), times rx, is its negative
    spatial_cross(sp, a->at.r, sum[k], product);
    for (int j = k; j < 3; j++) {
      Term terms[] = {{RAT_ONE, A[k][j]}, {RAT_ONE, rB[k][j]}, {RAT_ONE, product[j]}, {RAT_ONE, p->A[k][j]}};
      p->A[k][j] = p->A[j][k] = spatial_named(sp, expr_sum(pool, terms, 4));
    }
    for (int j = 0; j < 3; j++) {
      p->B[k][j] = spatial_named(sp, expr_add(pool, p->B[k][j], sum[k][j]));
      p->C[k][j] = spatial_named(sp, expr_add(pool, p->C[k][j], C[k][j]));
    }
  }
  V3 arm;
  spatial_turn_back(sp, a->at.e, n, n);
  spatial_turn_back(sp, a->at.e, f, f);
  spatial_cross(sp, a->at.r, f, arm);
  spatial_add(sp, n, arm, n);
  spatial_add(sp, p->n, n, p->n);
  spatial_add(sp, p->f, f, p->f);
}

static void solve_link(MotionWork *x, uint32_t i, const ExprId *tau) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  TreeLink *link = &x->links[i];
  Articulated *a = &x->at[i];
  bool ball = link->joint == link_ball, turns = link->joint == link_revolute, inner = link->parent != tree_ground;
  M3 A, B, C;
  V3 n, f;
  if (ball) {
    for (int k = 0; k < 3; k++) a->u[k] = spatial_named(sp, expr_sub(pool, tau[k], a->n[k]));
    invert(sp, a->A, a->D3);
    if (inner) eliminate_ball(x, a, tau, A, B, C, n, f);
  } else {
    for (int k = 0; k < 3; k++) {
      a->Uw[k] = turns ? a->A[k][link->axis] : a->B[k][link->axis];
      a->Uv[k] = turns ? a->B[link->axis][k] : a->C[k][link->axis];
    }
    a->D = spatial_named(sp, expr_powi(pool, turns ? a->A[link->axis][link->axis] : a->C[link->axis][link->axis], -1));
    a->u[0] = spatial_named(sp, expr_sub(pool, tau[0], turns ? a->n[link->axis] : a->f[link->axis]));
    if (inner) eliminate(x, link, a, A, B, C, n, f);
  }
  if (inner) hand_on(x, i, A, B, C, n, f);
}

// ---- outwards: accelerations. aw, av: those of the links, room for all

static void accelerate(MotionWork *x, uint32_t i, V3 *aw, V3 *av, ExprId *out) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  TreeLink *link = &x->links[i];
  Articulated *a = &x->at[i];
  V3 moved, w, v;
  if (link->parent == tree_ground) {
    spatial_zero(sp, w);
    tree_gravity(x->s, moved);
    for (int k = 0; k < 3; k++) moved[k] = expr_neg(pool, moved[k]);
  } else {
    spatial_copy(aw[link->parent], w);
    spatial_cross(sp, w, a->at.r, moved);
    spatial_add(sp, moved, av[link->parent], moved);
  }
  spatial_turn(sp, a->at.e, w, w);
  spatial_turn(sp, a->at.e, moved, v);
  spatial_add(sp, w, a->cw, w);
  spatial_add(sp, v, a->cv, v);
  if (link->joint == link_ball) {
    V3 pushed, left;
    spatial_turn(sp, a->B, v, pushed);
    for (int k = 0; k < 3; k++) left[k] = spatial_named(sp, expr_sub(pool, a->u[k], pushed[k]));
    spatial_turn(sp, a->D3, left, left);
    for (int k = 0; k < 3; k++) {
      out[k] = spatial_named(sp, expr_sub(pool, left[k], w[k]));
      w[k] = left[k];
    }
  } else {
    Term rest[] = {
        {RAT_ONE, a->u[0]}, {rat_int(-1), spatial_dot(sp, a->Uw, w)}, {rat_int(-1), spatial_dot(sp, a->Uv, v)}};
    out[0] = spatial_named(sp, expr_mul(pool, a->D, expr_sum(pool, rest, 3)));
    ExprId *to = link->joint == link_revolute ? &w[link->axis] : &v[link->axis];
    *to = spatial_named(sp, expr_add(pool, *to, out[0]));
  }
  spatial_copy(w, aw[i]);
  spatial_copy(v, av[i]);
}

bool tree_accelerations(System *s, const TreeTerms *t, const ExprId *tau, ExprId *out) {
  TreeNames names;
  MotionWork work = {.s = s, .pool = s->pool, .sp = {s->pool, tree_name, &names}, .names = &names}, *x = &work;
  x->links = s->tree.links.items;
  x->count = s->tree.links.count;
  x->at = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->at);
  V3 *aw = arena_array(s->arena, (size_t)x->count + 1, sizeof *aw);
  V3 *av = arena_array(s->arena, (size_t)x->count + 1, sizeof *av);
  uint32_t *first = arena_array(s->arena, (size_t)x->count + 1, sizeof *first);
  uint32_t *origin = arena_array(s->arena, (size_t)x->count + 1, sizeof *origin);
  if (arena_failed(s->arena) || !tree_names_init(s, &names)) return false;
  for (uint32_t k = t->count; k-- > 0;) first[t->freedoms[k].link] = k;
  for (uint32_t i = 0; i < x->count; i++) {
    const TreeBody *b = &s->tree.bodies.items[x->links[i].body];
    origin[i] = names.origin = system_origin(s, b->span, arena_printf(s->arena, "the motion of %s", b->name), 0);
    start_link(x, i);
  }
  for (uint32_t i = x->count; i-- > 0;) {
    names.origin = origin[i];
    solve_link(x, i, tau + first[i]);
  }
  for (uint32_t i = 0; i < x->count; i++) {
    names.origin = origin[i];
    accelerate(x, i, aw, av, out + first[i]);
  }
  return !arena_failed(s->arena);
}
