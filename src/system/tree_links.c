// From bodies with the joints of the language to links with elementary ones.
//
// in    bodies in any order, each with its parent and its joint
// out   links, parents first: revolute, prismatic or ball, about or along an axis x, y or z of the link's own frame;
//       what is fixed to a link is added to its inertia; seats of the bodies on the links
// how   a joint's axis n that is none of x, y, z gets a frame of its own, A = [u; n x u; n]: u is x, y or z where n has
//       no share of it. All elementary joints of one joint have the same A, but for the second axis of a universal one.
//
// Notation: R joint's frame to parent's frame, T link's frame to body's frame.
#include "system/tree_links.h"

#include "expr/decide.h"

#include <string.h>

uint32_t tree_dofs(LinkJoint joint) { return joint == link_ball ? 3 : 1; }

typedef struct Links {
  TreeMaker *m;
  Tree *tree;
  Spatial s;
} Links;

// ---- axes

// The frame in which an axis is one of x, y, z: vectors of the body into it, and which.
static uint8_t aligned(Links *x, const V3 n, M3 out) {
  ExprPool *p = x->s.pool;
  uint8_t zeros = 0, last = 0;
  spatial_unit(&x->s, out);
  for (uint8_t i = 0; i < 3; i++) {
    if (!expr_is_zero(p, n[i])) continue;
    zeros++;
    last = i;
  }
  for (uint8_t i = 0; i < 3; i++) {
    if (zeros == 2 && n[i] == p->one) return i;
  }
  V3 across, third;
  if (zeros) {
    spatial_copy(out[last], across);
  } else {
    // n x e, of length 1; e the axis along which n has the least, as far as numbers tell
    double least = 2;
    uint8_t which = 0;
    for (uint8_t i = 0; i < 3; i++) {
      double value = 1;
      Rat r;
      if (expr_number(p, n[i], &r)) value = rat_to_double(r) < 0 ? -rat_to_double(r) : rat_to_double(r);
      if (value >= least) continue;
      least = value;
      which = i;
    }
    spatial_cross(&x->s, n, out[which], across);
    ExprId length = expr_sqrt(p, spatial_dot(&x->s, across, across));
    spatial_scale(&x->s, expr_powi(p, length, -1), across, across);
  }
  spatial_cross(&x->s, n, across, third);
  spatial_copy(across, out[0]);
  spatial_copy(third, out[1]);
  spatial_copy(n, out[2]);
  return 2;
}

// ---- joints

// The way from the last link: position and rotation of the next joint in its frame.
typedef struct Way {
  uint32_t link;
  V3 at;
  M3 turn; // vectors of the link's frame into the joint's
} Way;

// One more link; the way goes on in its frame.
static bool add_link(Links *x, Way *way, TreeLink link, M3 frame) {
  link.parent = way->link;
  spatial_copy(way->at, link.at);
  spatial_multiply(&x->s, frame, way->turn, link.turn);
  link.mass = x->s.pool->zero;
  spatial_zero(&x->s, link.moment);
  spatial_zero(&x->s, link.com);
  for (int i = 0; i < 6; i++) link.inertia[i] = link.central[i] = x->s.pool->zero;
  if (!vec_push(x->m->arena, &x->tree->links, link)) return false;
  way->link = x->tree->links.count - 1;
  spatial_zero(&x->s, way->at);
  spatial_transpose(frame, way->turn);
  return true;
}

static bool add_joint(Links *x, Way *way, uint32_t body, uint32_t which, LinkJoint joint, uint8_t axis, M3 frame) {
  const TreeBody *b = &x->tree->bodies.items[body];
  const SystemCoord *c = &x->m->d->coords.items[b->coord + which];
  TreeLink link = {.body = body, .joint = joint, .axis = axis, .coord = b->coord + which};
  link.q[0] = c->q;
  link.v[0] = c->v;
  link.a[0] = c->a;
  M3 unit;
  spatial_unit(&x->s, unit);
  // behind another joint of the same frame there is no further rotation
  bool same = which && b->joint != joint_universal;
  if (same) spatial_copy_matrix(unit, way->turn);
  if (!add_link(x, way, link, same ? unit : frame)) return false;
  if (same) spatial_transpose(frame, way->turn);
  return true;
}

static bool add_ball(Links *x, Way *way, uint32_t body) {
  const TreeBody *b = &x->tree->bodies.items[body];
  const SystemState *s = &x->m->d->states.items[x->tree->balls.items[b->ball - 1].first];
  TreeLink link = {.body = body, .joint = link_ball, .coord = x->tree->balls.items[b->ball - 1].first};
  for (int i = 0; i < 4; i++) link.q[i] = s[i].x;
  for (int i = 0; i < 3; i++) {
    link.v[i] = s[4 + i].x;
    link.a[i] = s[4 + i].rate;
  }
  M3 unit;
  spatial_unit(&x->s, unit);
  return add_link(x, way, link, unit);
}

static bool add_joints(Links *x, Way *way, uint32_t body) {
  const TreeBody *b = &x->tree->bodies.items[body];
  M3 made, second;
  ExprId(*frame)[3] = made;
  spatial_unit(&x->s, made);
  bool has_axis = b->joint != joint_fixed && b->joint != joint_ball && b->joint != joint_free;
  uint8_t axis = has_axis ? aligned(x, b->axis[0], made) : 0;
  uint8_t u = (uint8_t)((axis + 1) % 3), w = (uint8_t)((axis + 2) % 3);
  switch (b->joint) {
  case joint_revolute: return add_joint(x, way, body, 0, link_revolute, axis, frame);
  case joint_prismatic: return add_joint(x, way, body, 0, link_prismatic, axis, frame);
  case joint_cylindrical:
    return add_joint(x, way, body, 0, link_prismatic, axis, frame) &&
           add_joint(x, way, body, 1, link_revolute, axis, frame);
  case joint_planar:
    return add_joint(x, way, body, 0, link_prismatic, u, frame) &&
           add_joint(x, way, body, 1, link_prismatic, w, frame) &&
           add_joint(x, way, body, 2, link_revolute, axis, frame);
  case joint_universal:
    if (!add_joint(x, way, body, 0, link_revolute, axis, frame)) return false;
    axis = aligned(x, b->axis[1], second);
    return add_joint(x, way, body, 1, link_revolute, axis, second);
  case joint_free:
    for (uint8_t k = 0; k < 3; k++) {
      if (!add_joint(x, way, body, k, link_prismatic, k, frame)) return false;
    }
    return add_ball(x, way, body);
  case joint_ball: return add_ball(x, way, body);
  default: return true;
  }
}

// ---- bodies

// Mass, moment and inertia of a body, about the origin of its link and in its axes.
static void add_inertia(Links *x, const TreeBody *b, TreeSeat *seat) {
  if (seat->link == tree_ground) return;
  const Spatial *s = &x->s;
  ExprPool *p = s->pool;
  TreeLink *link = &x->tree->links.items[seat->link];
  V3 c, moment;
  M3 tensor;
  ExprId steiner[6];
  spatial_turn_back(s, seat->turn, b->com, c);
  spatial_add(s, seat->at, c, c);
  for (int i = 0; i < 3; i++) moment[i] = expr_mul(p, b->mass, c[i]);
  spatial_symmetric(b->inertia, tensor);
  spatial_turn_matrix(s, seat->turn, tensor, true, tensor);
  spatial_steiner(s, moment, c, steiner);
  static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
  link->mass = expr_add(p, link->mass, b->mass);
  spatial_add(s, link->moment, moment, link->moment);
  if (!expr_is_zero(p, b->mass)) link->bodies++;
  for (int i = 0; i < 6; i++) {
    bool massive = !expr_is_zero(p, b->mass);
    if (massive && i < 3) link->com[i] = c[i];
    // a tensor without mass adds to any; another mass makes two of them
    link->central[i] = expr_add(p, link->central[i], tensor[row[i]][column[i]]);
    link->inertia[i] = expr_sum(
        p, (Term[]){{RAT_ONE, link->inertia[i]}, {RAT_ONE, tensor[row[i]][column[i]]}, {RAT_ONE, steiner[i]}}, 3);
  }
}

static bool add_body(Links *x, uint32_t body) {
  const TreeBody *b = &x->tree->bodies.items[body];
  const Spatial *s = &x->s;
  Way way = {.link = tree_ground};
  spatial_zero(s, way.at);
  spatial_unit(s, way.turn);
  if (b->parent != tree_ground) {
    TreeSeat *seat = &x->tree->seats[b->parent];
    way.link = seat->link;
    spatial_copy(seat->at, way.at);
    spatial_copy_matrix(seat->turn, way.turn);
  }
  V3 at;
  M3 rotated;
  spatial_turn_back(s, way.turn, b->at, at);
  spatial_add(s, way.at, at, way.at);
  spatial_rotated(s, b->rotated, rotated);
  spatial_transpose(rotated, rotated);
  spatial_multiply(s, rotated, way.turn, way.turn);
  if (!add_joints(x, &way, body)) return false;
  TreeSeat *seat = &x->tree->seats[body];
  seat->link = way.link;
  spatial_copy(way.at, seat->at);
  spatial_copy_matrix(way.turn, seat->turn);
  add_inertia(x, b, seat);
  return true;
}

bool tree_links(TreeMaker *m) {
  Tree *tree = &m->d->tree;
  Links links = {.m = m, .tree = tree, .s = {.pool = m->pool}}, *x = &links;
  uint32_t n = tree->bodies.count;
  if (tree->seats || !n) return !arena_failed(m->arena);
  TreeSeat *seats = arena_array(m->arena, n, sizeof *seats);
  uint32_t *path = arena_array(m->arena, (size_t)n + 1, sizeof *path);
  bool *done = arena_array(m->arena, n, sizeof *done);
  if (!seats || !path || !done) return false;
  tree->seats = seats;
  // parents first: the way up to a body that is done, then down again
  for (uint32_t i = 0; i < n; i++) {
    uint32_t depth = 0;
    for (uint32_t k = i; k != tree_ground && !done[k] && depth <= n; k = tree->bodies.items[k].parent)
      path[depth++] = k;
    while (depth--) {
      if (!add_body(x, path[depth])) return false;
      done[path[depth]] = true;
    }
  }
  return !arena_failed(m->arena);
}
