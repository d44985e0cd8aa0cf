// The mass matrix of a tree by the composite-rigid-body algorithm.
//
// inwards   m_p += m,  h_p += E' h + m r,  I_p += E' I E - r h' - h' r + 2 (r.h') 1 + m (|r|^2 1 - r r'), h' = E' h
// column    (n, f) = (I, h, m) s of a joint, handed on to the joints before it; M_ij = s_i.(n, f)
//
// Notation: m, h = m c, I of all behind a joint, about its origin.
#include "form/tree_terms.h"

typedef struct Composite {
  M3 e, I;
  V3 r, h;
  ExprId m;
} Composite;

typedef struct MatrixWork {
  ExprPool *pool;
  Spatial sp;
  TreeLink *links;
  uint32_t count;
  Composite *at;
} MatrixWork;

static void add_to_parent(MatrixWork *x, uint32_t i) {
  const Spatial *sp = &x->sp;
  ExprPool *pool = x->pool;
  Composite *a = &x->at[i], *p = &x->at[x->links[i].parent];
  M3 turned;
  V3 h;
  spatial_turn_matrix(sp, a->e, a->I, true, turned);
  spatial_turn_back(sp, a->e, a->h, h);
  ExprId twice = expr_scale(pool, rat_int(2), spatial_dot(sp, a->r, h)), square = spatial_dot(sp, a->r, a->r);
  for (int k = 0; k < 3; k++) {
    for (int j = k; j < 3; j++) {
      Term terms[] = {{RAT_ONE, p->I[k][j]},
                      {RAT_ONE, turned[k][j]},
                      {rat_int(-1), expr_mul(pool, a->r[k], h[j])},
                      {rat_int(-1), expr_mul(pool, h[k], a->r[j])},
                      {rat_int(-1), expr_mul(pool, a->m, expr_mul(pool, a->r[k], a->r[j]))},
                      {RAT_ONE, k == j ? expr_add(pool, twice, expr_mul(pool, a->m, square)) : pool->zero}};
      p->I[k][j] = p->I[j][k] = expr_sum(pool, terms, 6);
    }
  }
  V3 arm;
  spatial_scale(sp, a->m, a->r, arm);
  spatial_add(sp, h, arm, h);
  spatial_add(sp, p->h, h, p->h);
  p->m = expr_add(pool, p->m, a->m);
}

// (I s_w + h x s_v, m s_v - h x s_w)
static void column_of(MatrixWork *x, const TreeFreedom *q, V3 n, V3 f) {
  const Spatial *sp = &x->sp;
  TreeLink *link = &x->links[q->link];
  Composite *a = &x->at[q->link];
  V3 s;
  spatial_zero(sp, s);
  s[link->joint == link_ball ? q->part : link->axis] = x->pool->one;
  if (link->joint == link_prismatic) {
    spatial_cross(sp, a->h, s, n);
    spatial_scale(sp, a->m, s, f);
  } else {
    spatial_turn(sp, a->I, s, n);
    spatial_cross(sp, s, a->h, f);
  }
}

static ExprId along(const TreeLink *link, uint32_t part, const V3 n, const V3 f) {
  if (link->joint == link_prismatic) return f[link->axis];
  return n[link->joint == link_ball ? part : link->axis];
}

bool tree_matrix(System *s, const TreeTerms *t, ExprId *out) {
  MatrixWork work = {
      .pool = s->pool, .sp = {.pool = s->pool}, .links = s->tree.links.items, .count = s->tree.links.count};
  MatrixWork *x = &work;
  const Spatial *sp = &x->sp;
  x->at = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->at);
  uint32_t *first = arena_array(s->arena, (size_t)x->count + 1, sizeof *first);
  if (!x->at || !first) return false;
  for (uint32_t i = 0; i < x->count; i++) {
    TreeLink *link = &x->links[i];
    tree_turn(sp, link, x->at[i].e);
    tree_offset(sp, link, x->at[i].r);
    spatial_symmetric(link->inertia, x->at[i].I);
    spatial_copy(link->moment, x->at[i].h);
    x->at[i].m = link->mass;
  }
  for (uint32_t i = x->count; i-- > 0;) {
    if (x->links[i].parent != tree_ground) add_to_parent(x, i);
  }
  for (uint32_t k = t->count; k-- > 0;) first[t->freedoms[k].link] = k;
  for (uint32_t i = 0; i < t->count * t->count; i++) out[i] = s->pool->zero;
  for (uint32_t k = 0; k < t->count; k++) {
    V3 n, f, arm;
    column_of(x, &t->freedoms[k], n, f);
    for (uint32_t i = t->freedoms[k].link;;) {
      TreeLink *link = &x->links[i];
      for (uint32_t part = 0; part < tree_dofs(link->joint); part++)
        out[k * t->count + first[i] + part] = out[(first[i] + part) * t->count + k] = along(link, part, n, f);
      if (link->parent == tree_ground) break;
      spatial_turn_back(sp, x->at[i].e, f, f);
      spatial_turn_back(sp, x->at[i].e, n, n);
      spatial_cross(sp, x->at[i].r, f, arm);
      spatial_add(sp, n, arm, n);
      i = link->parent;
    }
  }
  return !arena_failed(s->arena);
}
