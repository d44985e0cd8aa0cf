// The accelerations of a tree by the articulated-body algorithm, traced into definitions.
//
// outwards  w = E w_p + s_w v,  o = E o_p + w x s_w v,  a = E (a_p + U_p r) + 2 w x s_v v      with all q'' = 0
//           U = ox + wx wx takes a vector of the link to its acceleration; the ground accelerates against gravity
//           f = m (a + U c),  n = (what U does to the inertia) + c x f                          force for it
// inwards   u = tau - s.(n, f),  G = IA s,  D = s.G
//           Ia = IA - G G'/D,  (n, f) + G u/D                      handed on to the parent
// outwards  x' = X x_p,  s.x = (u - G.x' + D s.x')/D,  q'' = s.x - s.x'                        what q'' adds
//
// Articulated inertia [A B; B' C] takes (angular, linear) acceleration to (moment, force), in the frame of the link,
// about its origin. A ball has three axes: D = A, so that Ia has no angular part. Every value has a name, so that it is
// computed once; what depends on parameters alone stays as it is, and zeros and ones vanish as products are made.
//
// After R. Featherstone, Rigid Body Dynamics Algorithms, chapter 7; with the velocities taken out beforehand by Newton
// and Euler, so that linear velocities are needed nowhere.
#include "form/tree_terms.h"

#include <string.h>

typedef struct Articulated {
  M3 e, turn;  // vectors of the parent's frame into the link's: first `turn`, which is constant, then e
  bool turned; // `turn` is not the identity
  V3 r;        // the origin in the parent's frame
  V3 w, o, a;  // angular velocity, angular and linear acceleration, without those of joints
  M3 U;
  M3 A, B, C;        // inertia
  V3 n, f;           // the force for zero accelerations of joints, then less what joints behind it give
  V3 Gw, Gv, Dw, Dv; // G, and G/D
  ExprId D, uD;      // the inverse of D, and u/D
  V3 u;              // of a joint with one axis the first
  M3 D3;             // of a ball
} Articulated;

typedef struct MotionWork {
  System *s;
  ExprPool *pool;
  Spatial sp;
  TreeLink *links;
  const TreeLink *grouped; // for inertias
  uint32_t count;
  Articulated *at;
  TreeNames *names;
} MotionWork;

// ---- rotations

// The axis of a rotation about x, y or z; 3: it has none.
static int axis_of(const Spatial *sp, M3 e) {
  for (int k = 0; k < 3; k++) {
    int y = (k + 1) % 3, z = (k + 2) % 3;
    bool alone = e[k][k] == sp->pool->one;
    for (int i = 1; i < 3; i++)
      alone = alone && expr_is_zero(sp->pool, e[k][(k + i) % 3]) && expr_is_zero(sp->pool, e[(k + i) % 3][k]);
    if (alone && e[y][y] == e[z][z] && e[z][y] == expr_neg(sp->pool, e[y][z])) return k;
  }
  return 3;
}

// Every entry is 0, 1 or -1.
static bool is_swap(const Spatial *sp, M3 e) {
  for (int i = 0; i < 9; i++) {
    ExprId x = e[i / 3][i % 3];
    if (!expr_is_zero(sp->pool, x) && x != sp->pool->one && expr_neg(sp->pool, x) != sp->pool->one) return false;
  }
  return true;
}

static void place_link(MotionWork *x, TreeLink *link, Articulated *a) {
  const Spatial *sp = &x->sp;
  M3 constant, unit;
  tree_offset(sp, link, a->r);
  spatial_unit(sp, unit);
  spatial_copy_matrix(link->turn, constant);
  bool alone = axis_of(sp, constant) < 3 || is_swap(sp, constant);
  // a constant rotation about any axis is taken together with that of the joint
  if (alone) spatial_copy_matrix(unit, link->turn);
  tree_turn(sp, link, a->e);
  spatial_copy_matrix(constant, link->turn);
  spatial_copy_matrix(alone ? constant : unit, a->turn);
  a->turned = memcmp(a->turn, unit, sizeof unit) != 0;
}

static void turn_in(const Spatial *sp, Articulated *a, const V3 v, V3 out) {
  V3 first;
  spatial_copy(v, first);
  if (a->turned) spatial_turn(sp, a->turn, v, first);
  spatial_turn(sp, a->e, first, out);
}

static void turn_out(const Spatial *sp, Articulated *a, const V3 v, V3 out) {
  spatial_turn_back(sp, a->e, v, out);
  if (a->turned) spatial_turn_back(sp, a->turn, out, out);
}

// E' M E for E = [c s; -s c] about k. Across the axis, with d = Myy - Mzz, b = Myz + Mzy, t = c d - s b: it adds
// (c t, -c t) to (Mzz, Myy) and s t to both others, because c^2 + s^2 = 1.
static void turn_about(const Spatial *sp, int k, M3 e, M3 m, bool symmetric) {
  ExprPool *pool = sp->pool;
  int y = (k + 1) % 3, z = (k + 2) % 3;
  ExprId c = e[y][y], s = e[y][z];
  ExprId d = spatial_named(sp, expr_sub(pool, m[y][y], m[z][z])),
         b = symmetric ? m[y][z] : spatial_named(sp, expr_add(pool, m[y][z], m[z][y]));
  ExprId twice = symmetric ? spatial_named(sp, expr_scale(pool, rat_int(2), s)) : s;
  ExprId t = spatial_named(sp, expr_sub(pool, expr_mul(pool, c, d), expr_mul(pool, twice, b)));
  ExprId ct = expr_mul(pool, c, t), st = expr_mul(pool, s, t), yy = m[y][y];
  if (t != pool->zero) ct = spatial_named(sp, ct), st = spatial_named(sp, st);
  m[y][y] = spatial_named(sp, expr_add(pool, m[z][z], ct));
  m[z][z] = spatial_named(sp, expr_sub(pool, yy, ct));
  m[y][z] = spatial_named(sp, expr_add(pool, m[y][z], st));
  m[z][y] = symmetric ? m[y][z] : spatial_named(sp, expr_add(pool, m[z][y], st));
  V3 row = {m[k][0], m[k][1], m[k][2]}, column = {m[0][k], m[1][k], m[2][k]};
  spatial_turn_back(sp, e, row, row);
  if (!symmetric) spatial_turn_back(sp, e, column, column);
  for (int i = 0; i < 3; i++) {
    m[k][i] = row[i];
    m[i][k] = symmetric ? row[i] : i == k ? row[i] : column[i];
  }
}

static void turn_matrix(const Spatial *sp, M3 e, M3 m, bool symmetric) {
  int axis = axis_of(sp, e);
  if (axis < 3) turn_about(sp, axis, e, m, symmetric);
  else spatial_turn_matrix(sp, e, m, symmetric, m);
}

static void turn_matrix_out(const Spatial *sp, Articulated *a, M3 m, bool symmetric) {
  turn_matrix(sp, a->e, m, symmetric);
  if (a->turned) turn_matrix(sp, a->turn, m, symmetric);
}

// ---- outwards: bias accelerations (those of joints are zero), and the forces for them

// U = ox + wx wx
static void rates_of_vectors(const Spatial *sp, Articulated *a) {
  ExprPool *pool = sp->pool;
  ExprId square[3];
  for (int k = 0; k < 3; k++) square[k] = spatial_named(sp, expr_mul(pool, a->w[k], a->w[k]));
  for (int k = 0; k < 3; k++) {
    int y = (k + 1) % 3, z = (k + 2) % 3;
    ExprId product = spatial_named(sp, expr_mul(pool, a->w[y], a->w[z]));
    a->U[k][k] = expr_neg(pool, spatial_named(sp, expr_add(pool, square[y], square[z])));
    a->U[y][z] = spatial_named(sp, expr_sub(pool, product, a->o[k]));
    a->U[z][y] = spatial_named(sp, expr_add(pool, product, a->o[k]));
  }
}

// The moment that U asks of an inertia J: with S = tr(J)/2 - J, the sum of m x x', it is that of U S.
static void moment_of_inertia(const Spatial *sp, M3 U, const ExprId *six, V3 out) {
  ExprPool *pool = sp->pool;
  M3 S;
  ExprId half = expr_scale(pool, (Rat){1, 2, NULL}, expr_add(pool, six[0], expr_add(pool, six[1], six[2])));
  spatial_symmetric(six, S);
  for (int i = 0; i < 9; i++) S[i / 3][i % 3] = expr_sub(pool, i % 4 ? pool->zero : half, S[i / 3][i % 3]);
  for (int k = 0; k < 3; k++) {
    int y = (k + 1) % 3, z = (k + 2) % 3;
    out[k] = spatial_named(sp, expr_sub(pool, spatial_dot(sp, U[z], S[y]), spatial_dot(sp, U[y], S[z])));
  }
}

static void needed_forces(MotionWork *x, TreeLink *link, Articulated *a) {
  const Spatial *sp = &x->sp;
  V3 part;
  bool one = link->bodies == 1;
  if (one) {
    // f = m (a + U c), n = that of the inertia about c + c x f
    spatial_turn(sp, a->U, link->com, part);
    spatial_add(sp, part, a->a, part);
    spatial_scale(sp, link->mass, part, a->f);
    spatial_cross(sp, link->com, a->f, a->n);
  } else {
    // f = m a + U h, n = that of the inertia about the origin + h x a
    spatial_scale(sp, link->mass, a->a, a->f);
    spatial_turn(sp, a->U, link->moment, part);
    spatial_add(sp, a->f, part, a->f);
    spatial_cross(sp, link->moment, a->a, a->n);
  }
  moment_of_inertia(sp, a->U, one ? link->central : link->inertia, part);
  spatial_add(sp, a->n, part, a->n);
}

// The joint's own velocity, angular and linear.
static void joint_velocity(const Spatial *sp, const TreeLink *link, V3 spin, V3 slide) {
  spatial_zero(sp, spin);
  spatial_zero(sp, slide);
  for (uint32_t k = 0; k < tree_dofs(link->joint); k++) {
    ExprId v = expr_sym(sp->pool, link->v[k]);
    if (link->joint == link_prismatic) slide[link->axis] = v;
    else spin[link->joint == link_ball ? k : link->axis] = v;
  }
}

static void move_link(MotionWork *x, TreeLink *link, Articulated *a) {
  const Spatial *sp = &x->sp;
  V3 spin, slide, part;
  joint_velocity(sp, link, spin, slide);
  if (link->parent == tree_ground) {
    spatial_zero(sp, a->w);
    spatial_zero(sp, a->o);
    tree_gravity(x->s, part);
    for (int k = 0; k < 3; k++) part[k] = expr_neg(x->pool, part[k]);
  } else {
    Articulated *p = &x->at[link->parent];
    turn_in(sp, a, p->w, a->w);
    turn_in(sp, a, p->o, a->o);
    spatial_turn(sp, p->U, a->r, part);
    spatial_add(sp, part, p->a, part);
  }
  turn_in(sp, a, part, a->a);
  spatial_add(sp, a->w, spin, a->w);
  spatial_cross(sp, a->w, spin, part);
  spatial_add(sp, a->o, part, a->o);
  spatial_cross(sp, a->w, slide, part);
  for (int k = 0; k < 3; k++) part[k] = expr_scale(x->pool, rat_int(2), part[k]);
  spatial_add(sp, a->a, part, a->a);
}

static void start_link(MotionWork *x, uint32_t i) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  TreeLink *link = &x->links[i];
  Articulated *a = &x->at[i];
  place_link(x, link, a);
  move_link(x, link, a);
  rates_of_vectors(sp, a);
  needed_forces(x, link, a);
  const TreeLink *own = &x->grouped[i];
  spatial_symmetric(own->inertia, a->A);
  for (int k = 0; k < 3; k++) {
    int y = (k + 1) % 3, z = (k + 2) % 3;
    a->B[k][k] = pool->zero;
    a->B[k][y] = expr_neg(pool, own->moment[z]);
    a->B[k][z] = own->moment[y];
    for (int j = 0; j < 3; j++) a->C[k][j] = j == k ? own->mass : pool->zero;
  }
}

// ---- inwards

// Of what is handed on: Ia and pa of a joint with one axis.
static void eliminate(MotionWork *x, TreeLink *link, Articulated *a, M3 A, M3 B, M3 C, V3 n, V3 f) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  bool turns = link->joint == link_revolute;
  int axis = link->axis;
  // the row and the column of the joint vanish
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      bool gone_A = turns && (i == axis || k == axis), gone_B = turns ? i == axis : k == axis;
      bool gone_C = !turns && (i == axis || k == axis);
      if (k < i) A[i][k] = A[k][i];
      else
        A[i][k] =
            gone_A ? pool->zero : spatial_named(sp, expr_sub(pool, a->A[i][k], expr_mul(pool, a->Gw[i], a->Dw[k])));
      B[i][k] = gone_B ? pool->zero : spatial_named(sp, expr_sub(pool, a->B[i][k], expr_mul(pool, a->Gw[i], a->Dv[k])));
      if (k < i) C[i][k] = C[k][i];
      else
        C[i][k] =
            gone_C ? pool->zero : spatial_named(sp, expr_sub(pool, a->C[i][k], expr_mul(pool, a->Gv[i], a->Dv[k])));
    }
  }
  for (int k = 0; k < 3; k++) {
    n[k] = spatial_named(sp, expr_add(pool, a->n[k], expr_mul(pool, a->Gw[k], a->uD)));
    f[k] = spatial_named(sp, expr_add(pool, a->f[k], expr_mul(pool, a->Gv[k], a->uD)));
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
  V3 turned;
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
  spatial_add(sp, a->f, turned, f);
}

// Entry (k, j) of r x M + (r x M)' with M = W', halved: for each share of r one sum of entries of W, times it.
static ExprId crossed_twice(const Spatial *sp, const V3 r, M3 W, int k, int j) {
  ExprPool *pool = sp->pool;
  Term terms[3];
  for (int c = 0; c < 3; c++) {
    ExprId inner = pool->zero;
    for (int side = 0; side < 2; side++) {
      int row = side ? j : k, column = side ? k : j, m = 3 - row - c;
      if (row == c) continue;
      bool plus = (row + 1) % 3 == c;
      inner = plus ? expr_add(pool, inner, W[column][m]) : expr_sub(pool, inner, W[column][m]);
    }
    if (k != j) inner = spatial_named(sp, inner);
    terms[c] = (Term){{1, 2, NULL}, expr_mul(pool, r[c], inner)};
    if (!terms[c].term) return 0;
  }
  return expr_sum(pool, terms, 3);
}

// Ia and what goes with it into the parent's frame, about its origin: A - B rx + rx B' - rx C rx, B + rx C, C. With
// W = 2 B + rx C the first is A + (rx W' + (rx W')')/2.
static void hand_on(MotionWork *x, uint32_t i, M3 A, M3 B, M3 C, V3 n, V3 f) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  Articulated *a = &x->at[i], *p = &x->at[x->links[i].parent];
  M3 rC, W;
  turn_matrix_out(sp, a, A, true);
  turn_matrix_out(sp, a, B, false);
  turn_matrix_out(sp, a, C, true);
  spatial_cross_columns(sp, a->r, C, rC);
  for (int k = 0; k < 3; k++) {
    for (int j = 0; j < 3; j++) {
      bool moved = !expr_is_zero(pool, rC[k][j]);
      ExprId sum = moved ? spatial_named(sp, expr_add(pool, B[k][j], rC[k][j])) : B[k][j];
      W[k][j] = expr_add(pool, B[k][j], sum);
      if (moved) W[k][j] = spatial_named(sp, W[k][j]);
      p->B[k][j] = spatial_named(sp, expr_add(pool, p->B[k][j], sum));
      if (j < k) continue;
      p->C[k][j] = p->C[j][k] = spatial_named(sp, expr_add(pool, p->C[k][j], C[k][j]));
    }
  }
  for (int k = 0; k < 3; k++) {
    for (int j = k; j < 3; j++) {
      Term terms[] = {{RAT_ONE, A[k][j]}, {RAT_ONE, crossed_twice(sp, a->r, W, k, j)}, {RAT_ONE, p->A[k][j]}};
      p->A[k][j] = p->A[j][k] = terms[1].term ? spatial_named(sp, expr_sum(pool, terms, 3)) : 0;
    }
  }
  V3 arm;
  turn_out(sp, a, n, n);
  turn_out(sp, a, f, f);
  spatial_cross(sp, a->r, f, arm);
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
      a->Gw[k] = turns ? a->A[k][link->axis] : a->B[k][link->axis];
      a->Gv[k] = turns ? a->B[link->axis][k] : a->C[k][link->axis];
    }
    a->D = spatial_named(sp, expr_powi(pool, turns ? a->A[link->axis][link->axis] : a->C[link->axis][link->axis], -1));
    a->u[0] = spatial_named(sp, expr_sub(pool, tau[0], turns ? a->n[link->axis] : a->f[link->axis]));
    a->uD = spatial_named(sp, expr_mul(pool, a->u[0], a->D));
    for (int k = 0; k < 3; k++) {
      a->Dw[k] = spatial_named(sp, expr_mul(pool, a->Gw[k], a->D));
      a->Dv[k] = spatial_named(sp, expr_mul(pool, a->Gv[k], a->D));
    }
    if (inner) eliminate(x, link, a, A, B, C, n, f);
  }
  if (inner) hand_on(x, i, A, B, C, n, f);
}

// ---- outwards: accelerations. xw, xv: what those of joints add to the links', entries for all links

static void accelerate(MotionWork *x, uint32_t i, V3 *xw, V3 *xv, ExprId *out) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  TreeLink *link = &x->links[i];
  Articulated *a = &x->at[i];
  V3 w, v;
  spatial_zero(sp, w);
  spatial_zero(sp, v);
  if (link->parent != tree_ground) {
    V3 moved;
    spatial_cross(sp, xw[link->parent], a->r, moved);
    spatial_add(sp, moved, xv[link->parent], moved);
    turn_in(sp, a, xw[link->parent], w);
    turn_in(sp, a, moved, v);
  }
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
    ExprId *to = link->joint == link_revolute ? &w[link->axis] : &v[link->axis], before = *to;
    *to = pool->zero;
    // in two sums, because angular accelerations are known first
    ExprId first = spatial_named(sp, expr_sub(pool, a->uD, spatial_dot(sp, a->Dw, w)));
    ExprId second = spatial_named(sp, spatial_dot(sp, a->Dv, v));
    *to = spatial_named(sp, expr_sub(pool, first, second));
    out[0] = spatial_named(sp, expr_sub(pool, *to, before));
  }
  spatial_copy(w, xw[i]);
  spatial_copy(v, xv[i]);
}

// ---- the walk

// Links in the order of a walk from link to link: a branch is left before the next one is entered, so that what waits
// for the way back is what belongs to one way to the ground.
typedef struct MotionWalk {
  uint32_t *child, *next;   // by link: the first that hangs on it, and the next on the same one; tree_ground: none
  uint32_t *origin, *first; // by link: its line, its first freedom
  uint32_t root;
} MotionWalk;

static bool walk_init(MotionWork *x, const TreeTerms *t, MotionWalk *walk) {
  uint32_t *room = arena_array(x->s->arena, (size_t)4 * x->count + 1, sizeof *room);
  if (!room) return false;
  *walk = (MotionWalk){room, room + x->count, room + 2 * (size_t)x->count, room + 3 * (size_t)x->count, tree_ground};
  for (uint32_t i = 0; i < x->count; i++) walk->child[i] = tree_ground;
  for (uint32_t i = x->count; i-- > 0;) {
    const TreeBody *b = &x->s->tree.bodies.items[x->links[i].body];
    uint32_t parent = x->links[i].parent, *to = parent == tree_ground ? &walk->root : &walk->child[parent];
    walk->next[i] = *to;
    *to = i;
    walk->origin[i] = system_origin(x->s, b->span, arena_printf(x->s->arena, "the motion of %s", b->name), 0);
  }
  for (uint32_t k = t->count; k-- > 0;) walk->first[t->freedoms[k].link] = k;
  return true;
}

bool tree_accelerations(System *s, const TreeTerms *t, const ExprId *tau, ExprId *out) {
  TreeNames names;
  MotionWork work = {.s = s, .pool = s->pool, .sp = {s->pool, tree_name, &names}, .names = &names}, *x = &work;
  MotionWalk walk;
  x->links = s->tree.links.items;
  x->count = s->tree.links.count;
  x->at = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->at);
  V3 *xw = arena_array(s->arena, (size_t)x->count + 1, sizeof *xw);
  V3 *xv = arena_array(s->arena, (size_t)x->count + 1, sizeof *xv);
  if (arena_failed(s->arena) || !tree_names_init(s, &names) || !walk_init(x, t, &walk)) return false;
  TreeLink *grouped;
  if (!tree_group(s, &x->links, &grouped)) return false;
  x->grouped = grouped;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = walk.root; i != tree_ground;) {
      names.origin = walk.origin[i];
      if (pass) accelerate(x, i, xw, xv, out + walk.first[i]);
      else start_link(x, i);
      if (walk.child[i] != tree_ground) {
        i = walk.child[i];
        continue;
      }
      // back to where another branch begins
      for (;;) {
        names.origin = walk.origin[i];
        if (!pass) solve_link(x, i, tau + walk.first[i]);
        if (walk.next[i] != tree_ground || x->links[i].parent == tree_ground) break;
        i = x->links[i].parent;
      }
      i = walk.next[i];
    }
  }
  return !arena_failed(s->arena);
}
