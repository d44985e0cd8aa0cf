// Forward kinematics of a tree: pose of links and bodies in the frame of the ground.
//
//   o_i = o_p + R_p r_i      R_i = R_p E_i'      w_i = w_p + R_i s_i
//
// Notation: R_i takes vectors of link i into those of the ground, E_i those of its parent p into those of i; r_i is the
// joint in the parent's frame, s_i the angular velocity of the joint.
#include "system/tree_links.h"

void tree_turn(const Spatial *s, TreeLink *link, M3 out) {
  M3 about;
  if (link->joint == link_prismatic) {
    spatial_copy_matrix(link->turn, out);
    return;
  }
  if (link->joint == link_ball) {
    ExprId q[4];
    for (int i = 0; i < 4; i++) q[i] = expr_sym(s->pool, link->q[i]);
    spatial_quaternion(s, q, about);
    spatial_transpose(about, about);
  } else {
    ExprId q = expr_sym(s->pool, link->q[0]);
    ExprId sine = spatial_named(s, expr_fn(s->pool, op_sin, &q, 1));
    ExprId cosine = spatial_named(s, expr_fn(s->pool, op_cos, &q, 1));
    spatial_about(s, link->axis, sine, cosine, about);
  }
  spatial_multiply(s, about, link->turn, out);
}

void tree_offset(const Spatial *s, TreeLink *link, V3 out) {
  spatial_copy(link->at, out);
  if (link->joint != link_prismatic) return;
  ExprId q = expr_sym(s->pool, link->q[0]);
  for (int i = 0; i < 3; i++)
    out[i] = spatial_named(s, expr_add(s->pool, out[i], expr_mul(s->pool, link->turn[link->axis][i], q)));
}

static void frame_of(const Spatial *s, Tree *tree, uint32_t i, TreeFrame *out) {
  TreeLink *link = &tree->links.items[i];
  V3 r, spin;
  M3 e;
  tree_turn(s, link, e);
  tree_offset(s, link, r);
  spatial_zero(s, spin);
  for (uint32_t k = 0; k < tree_dofs(link->joint) && link->joint != link_prismatic; k++)
    spin[link->joint == link_ball ? k : link->axis] = expr_sym(s->pool, link->v[k]);
  spatial_transpose(e, e);
  spatial_copy(r, out->origin);
  spatial_copy_matrix(e, out->turn);
  if (link->parent != tree_ground) {
    TreeFrame *p = &tree->frames.items[link->parent];
    spatial_turn(s, p->turn, r, r);
    spatial_add(s, p->origin, r, out->origin);
    spatial_multiply(s, p->turn, e, out->turn);
  }
  spatial_turn(s, out->turn, spin, out->omega);
  if (link->parent != tree_ground) spatial_add(s, tree->frames.items[link->parent].omega, out->omega, out->omega);
}

// The frame of a body's link; NULL: it is the ground. *ok: memory is not out.
static TreeFrame *link_frame(TreeMaker *m, uint32_t body, bool *ok) {
  Tree *tree = &m->d->tree;
  Spatial s = {.pool = m->pool};
  *ok = tree_links(m);
  if (!*ok || tree->seats[body].link == tree_ground) return NULL;
  while (*ok && tree->frames.count <= tree->seats[body].link) {
    TreeFrame frame;
    frame_of(&s, tree, tree->frames.count, &frame);
    *ok = vec_push(m->arena, &tree->frames, frame);
  }
  return *ok ? &tree->frames.items[tree->seats[body].link] : NULL;
}

bool tree_rotation(TreeMaker *m, uint32_t body, M3 out) {
  bool ok;
  TreeFrame *f = link_frame(m, body, &ok);
  if (!ok) return false;
  Spatial s = {.pool = m->pool};
  spatial_transpose(m->d->tree.seats[body].turn, out);
  if (f) spatial_multiply(&s, f->turn, out, out);
  return !arena_failed(m->arena);
}

bool tree_point(TreeMaker *m, uint32_t body, const V3 inside, V3 out) {
  bool ok;
  TreeFrame *f = link_frame(m, body, &ok);
  if (!ok) return false;
  Spatial s = {.pool = m->pool};
  TreeSeat *seat = &m->d->tree.seats[body];
  spatial_turn_back(&s, seat->turn, inside, out);
  spatial_add(&s, seat->at, out, out);
  if (!f) return true;
  spatial_turn(&s, f->turn, out, out);
  spatial_add(&s, f->origin, out, out);
  return !arena_failed(m->arena);
}

bool tree_com(TreeMaker *m, uint32_t body, V3 out) {
  V3 com;
  spatial_copy(m->d->tree.bodies.items[body].com, com);
  return tree_point(m, body, com, out);
}

bool tree_omega(TreeMaker *m, uint32_t body, V3 out) {
  bool ok;
  TreeFrame *f = link_frame(m, body, &ok);
  Spatial s = {.pool = m->pool};
  spatial_zero(&s, out);
  if (f) spatial_copy(f->omega, out);
  return ok;
}

bool tree_angles(TreeMaker *m, uint32_t body, V3 out) {
  M3 r;
  ExprPool *p = m->pool;
  if (!tree_rotation(m, body, r)) return false;
  ExprId flat = expr_sqrt(p, expr_add(p, expr_mul(p, r[0][0], r[0][0]), expr_mul(p, r[1][0], r[1][0])));
  out[0] = expr_fn(p, op_atan2, (ExprId[]){r[2][1], r[2][2]}, 2);
  out[1] = expr_fn(p, op_atan2, (ExprId[]){expr_neg(p, r[2][0]), flat}, 2);
  // after a quarter of a turn about y the first and the last go about one axis, and atan2(r10, r00) would forget the
  // first: this one is what is left after it, wherever that is
  ExprId sine = expr_fn(p, op_sin, &out[0], 1), cosine = expr_fn(p, op_cos, &out[0], 1);
  ExprId up = expr_sub(p, expr_mul(p, sine, r[0][2]), expr_mul(p, cosine, r[0][1]));
  ExprId on = expr_sub(p, expr_mul(p, cosine, r[1][1]), expr_mul(p, sine, r[1][2]));
  out[2] = expr_fn(p, op_atan2, (ExprId[]){up, on}, 2);
  return !arena_failed(m->arena);
}
