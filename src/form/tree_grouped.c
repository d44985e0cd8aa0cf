// Regrouping of inertial parameters (base parameters): equivalent frames and masses of links with fewer numbers.
//
// frames   an origin may stand anywhere on the axis of its joint. Where the axis is one of the parent's, it stands
//          where the way to it has no share along the axis
// masses   what lies on the axis of a revolute joint moves alike with both links. So the mass, the moment along the
//          axis and the second moment along it are counted with the parent: the link has none of them, and the joint
//          forces are the same. Forces may be found with other masses than inertias: there one body shall stay one, so
//          the second moment alone goes
//
// Notation: m, h, I about the origin; n the axis in the frame of the parent, r the origin there;
// s = (I_yy + I_zz - I_xx)/2 the second moment along the axis x.
#include "form/tree_terms.h"

#include <string.h>

// I of second moments Q: tr(Q) 1 - Q, added.
static void add_second(const Spatial *sp, M3 Q, ExprId *six) {
  static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    ExprId more = i < 3 ? expr_add(sp->pool, Q[y][y], Q[z][z]) : expr_neg(sp->pool, Q[row[i]][column[i]]);
    six[i] = expr_add(sp->pool, six[i], more);
  }
}

// Second moments of a mass that lies along a line: m r r' + h (r n' + n r') + s n n'.
static void line_moments(const Spatial *sp, ExprId m, ExprId h, ExprId s, const V3 r, const V3 n, M3 out) {
  ExprPool *pool = sp->pool;
  for (int i = 0; i < 9; i++) {
    int k = i / 3, j = i % 3;
    ExprId mixed = expr_add(pool, expr_mul(pool, r[k], n[j]), expr_mul(pool, n[k], r[j]));
    Term terms[] = {{RAT_ONE, expr_mul(pool, m, expr_mul(pool, r[k], r[j]))},
                    {RAT_ONE, expr_mul(pool, h, mixed)},
                    {RAT_ONE, expr_mul(pool, s, expr_mul(pool, n[k], n[j]))}};
    out[k][j] = terms[0].term && terms[1].term && terms[2].term ? expr_sum(pool, terms, 3) : 0;
  }
}

// Which axis of the parent the joint has; 3: none of them.
static int axis_in_parent(const Spatial *sp, TreeLink *link) {
  const ExprId *n = link->turn[link->axis];
  for (int k = 0; k < 3; k++) {
    bool alone = expr_is_zero(sp->pool, n[(k + 1) % 3]) && expr_is_zero(sp->pool, n[(k + 2) % 3]);
    if (alone && (n[k] == sp->pool->one || expr_neg(sp->pool, n[k]) == sp->pool->one)) return k;
  }
  return 3;
}

// The origin goes by `way` along axis e of the link: x - way e is where everything is seen from there.
static void shift_origin(const Spatial *sp, TreeLink *link, ExprId way) {
  ExprPool *pool = sp->pool;
  int e = link->axis;
  ExprId back = expr_neg(pool, way);
  M3 Q;
  V3 none, unit;
  spatial_zero(sp, none);
  spatial_zero(sp, unit);
  unit[e] = pool->one;
  // (x - way e)(x - way e)' = x x' - way (e x' + x e') + way^2 e e'
  line_moments(sp, pool->zero, pool->zero, expr_mul(pool, link->mass, expr_mul(pool, way, way)), none, unit, Q);
  for (int k = 0; k < 3; k++) {
    ExprId more = expr_mul(pool, back, link->moment[k]);
    Q[k][e] = expr_add(pool, Q[k][e], more);
    Q[e][k] = expr_add(pool, Q[e][k], more);
  }
  add_second(sp, Q, link->inertia);
  link->moment[e] = expr_add(pool, link->moment[e], expr_mul(pool, link->mass, back));
  link->com[e] = expr_add(pool, link->com[e], back);
}

// ways: an entry for each link: how far its origin goes along its axis. Parents stand before their children.
static void shift_all(const Spatial *sp, TreeLink *links, uint32_t count, ExprId *ways) {
  for (uint32_t i = 0; i < count; i++) {
    TreeLink *link = &links[i];
    ways[i] = sp->pool->zero;
    if (link->parent == tree_ground) continue;
    ExprId *seen = &link->at[links[link->parent].axis];
    *seen = expr_sub(sp->pool, *seen, ways[link->parent]);
    int k = link->joint == link_revolute ? axis_in_parent(sp, link) : 3;
    if (k == 3 || expr_is_zero(sp->pool, link->at[k])) continue;
    ways[i] = expr_neg(sp->pool, expr_mul(sp->pool, link->turn[link->axis][k], link->at[k]));
    link->at[k] = sp->pool->zero;
    shift_origin(sp, link, ways[i]);
  }
}

// What lies on the axis of link goes to its parent; NULL: to the ground.
static void group(const Spatial *sp, TreeLink *link, TreeLink *parent) {
  ExprPool *pool = sp->pool;
  int x = link->axis, y = (x + 1) % 3, z = (x + 2) % 3;
  ExprId twice = expr_sub(pool, expr_add(pool, link->inertia[y], link->inertia[z]), link->inertia[x]);
  ExprId s = expr_scale(pool, (Rat){1, 2, NULL}, twice), m = link->mass, h = link->moment[x];
  link->mass = link->moment[x] = pool->zero;
  link->inertia[y] = expr_sub(pool, link->inertia[y], s);
  link->inertia[z] = expr_sub(pool, link->inertia[z], s);
  if (!parent) return;
  M3 Q;
  line_moments(sp, m, h, s, link->at, link->turn[x], Q);
  add_second(sp, Q, parent->inertia);
  for (int k = 0; k < 3; k++) {
    Term terms[] = {{RAT_ONE, parent->moment[k]},
                    {RAT_ONE, expr_mul(pool, m, link->at[k])},
                    {RAT_ONE, expr_mul(pool, h, link->turn[x][k])}};
    parent->moment[k] = terms[1].term && terms[2].term ? expr_sum(pool, terms, 3) : 0;
  }
  parent->mass = expr_add(pool, parent->mass, m);
}

// The second moment along the axis goes to the parent, or to the ground. It is the same about every point, so what is
// one body stays one.
static void group_along(const Spatial *sp, TreeLink *link, TreeLink *parent) {
  ExprPool *pool = sp->pool;
  int x = link->axis, y = (x + 1) % 3, z = (x + 2) % 3, k = axis_in_parent(sp, link);
  if (parent && k == 3) return;
  ExprId *own = link->bodies == 1 ? link->central : link->inertia;
  ExprId s = expr_scale(pool, (Rat){1, 2, NULL}, expr_sub(pool, expr_add(pool, own[y], own[z]), own[x]));
  for (int i = 1; i < 3; i++) {
    int across = (x + i) % 3;
    link->central[across] = expr_sub(pool, link->central[across], s);
    link->inertia[across] = expr_sub(pool, link->inertia[across], s);
    if (!parent) continue;
    across = (k + i) % 3;
    parent->central[across] = expr_add(pool, parent->central[across], s);
    parent->inertia[across] = expr_add(pool, parent->inertia[across], s);
  }
}

bool tree_group(System *s, TreeLink **placed, TreeLink **grouped) {
  uint32_t count = s->tree.links.count;
  Spatial sp = {.pool = s->pool};
  TreeLink *one = arena_array(s->arena, (size_t)count + 1, sizeof *one);
  TreeLink *two = arena_array(s->arena, (size_t)count + 1, sizeof *two);
  ExprId *ways = arena_array(s->arena, (size_t)count + 1, sizeof *ways);
  if (!one || !two || !ways) return false;
  memcpy(one, s->tree.links.items, count * sizeof *one);
  shift_all(&sp, one, count, ways);
  memcpy(two, one, count * sizeof *two);
  for (uint32_t i = count; i-- > 0;) {
    if (two[i].joint != link_revolute) continue;
    bool inner = two[i].parent != tree_ground;
    group(&sp, &two[i], inner ? &two[two[i].parent] : NULL);
    group_along(&sp, &one[i], inner ? &one[one[i].parent] : NULL);
  }
  *placed = one;
  *grouped = two;
  return !arena_failed(s->arena);
}
