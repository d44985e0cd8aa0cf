// Forward kinematics and geometric Jacobians of bodies at a point. See kinematics_at.h.
//
// in    a system at a point; its links, parents first, each with one elementary joint (system/tree.h)
// out   of every body A, T, Jw, Jv
// how   A tape has E and r of every link beside its parent and of every body beside its link, as numbers; the products
//       along the way are taken here, so that it grows as the tree does:
//         o = o_p + R_p r,  R = R_p E'
//       A joint between the ground and the body, with the axis a in the ground's axes and the position o:
//         revolute: Jw = a, Jv = a x (d - o);   prismatic: Jw = 0, Jv = a
//       (the geometric Jacobian; d: the origin of the body). A spherical joint rotates about its link's three axes.
//
// Notation: R rotates vectors of a link or body into those of the ground, E those of the parent into those of the link.
#include "rest/kinematics_at.h"

#include "algebra/kinematics.h"
#include "rest/matrices_at.h"
#include "system/tree_links.h"
#include "tape/frame.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { place_size = 12 }; // E row by row, r

// Where a link or a body is beside the ground.
typedef struct Pose {
  double turn[9], at[3];
} Pose;

typedef struct KinematicsAt {
  Operating *o;
  System *s;
  Derivation *out;
  uint32_t digits;
  uint32_t n;     // velocities
  Pose *links;    // of each link
  Pose *bodies;   // of each body
  uint32_t *from; // of each link: its first velocity
  double size;    // of the mechanism, for what is nothing but rounding
  bool finite;
} KinematicsAt;

// ---- poses

static void put_place(ExprId *items, M3 turn, const V3 at) {
  for (int i = 0; i < 9; i++) items[i] = turn[i / 3][i % 3];
  for (int i = 0; i < 3; i++) items[9 + i] = at[i];
}

// The poses of links and bodies relative to what carries them, one after the other. False: out of memory.
static bool evaluate_places(KinematicsAt *x, double *values) {
  Operating *o = x->o;
  Tree *tree = &x->s->tree;
  Spatial sp = {.pool = x->s->pool};
  uint32_t links = tree->links.count, count = place_size * (links + tree->bodies.count);
  ExprId *items = arena_array(o->arena, (size_t)count + 1, sizeof *items);
  if (!items) return false;
  for (uint32_t i = 0; i < links; i++) {
    M3 turn;
    V3 at;
    tree_turn(&sp, &tree->links.items[i], turn);
    tree_offset(&sp, &tree->links.items[i], at);
    put_place(items + (size_t)place_size * i, turn, at);
  }
  for (uint32_t i = 0; i < tree->bodies.count; i++)
    put_place(items + (size_t)place_size * (links + i), tree->seats[i].turn, tree->seats[i].at);
  for (uint32_t i = 0; i < count; i++) {
    if (!items[i]) return false;
  }
  TapeFrame frame = {.system = x->s};
  const Tape *tape = frame_tape(o->arena, &frame, items, count);
  double *w = frame_workspace(o->arena, tape, o->params);
  if (!w) return false;
  double *var = tape_vars(tape, w);
  var[0] = o->t;
  memcpy(var + 1, o->y, o->dim * sizeof *var);
  tape_eval(tape, w);
  for (uint32_t i = 0; i < count; i++) {
    values[i] = tape_result(tape, w, i);
    x->finite = x->finite && isfinite(values[i]);
  }
  return true;
}

// place: E and r relative to what carries it; carrier NULL: the ground.
static void stand_on(const Pose *carrier, const double *place, Pose *out) {
  static const Pose ground = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const Pose *p = carrier ? carrier : &ground;
  const double *e = place, *r = place + 9;
  for (size_t i = 0; i < 3; i++) {
    const double *row = p->turn + 3 * i;
    out->at[i] = p->at[i] + row[0] * r[0] + row[1] * r[1] + row[2] * r[2];
    for (size_t k = 0; k < 3; k++)
      out->turn[3 * i + k] = row[0] * e[3 * k] + row[1] * e[3 * k + 1] + row[2] * e[3 * k + 2];
  }
}

static const Pose *link_pose(const KinematicsAt *x, uint32_t link) {
  return link == tree_ground ? NULL : &x->links[link];
}

static bool place_all(KinematicsAt *x) {
  const Tree *tree = &x->s->tree;
  uint32_t links = tree->links.count, bodies = tree->bodies.count;
  double *values = arena_array(x->o->arena, (size_t)place_size * (links + bodies) + 1, sizeof *values);
  x->links = arena_array(x->o->arena, (size_t)links + 1, sizeof *x->links);
  x->bodies = arena_array(x->o->arena, (size_t)bodies + 1, sizeof *x->bodies);
  x->from = arena_array(x->o->arena, (size_t)links + 1, sizeof *x->from);
  if (arena_failed(x->o->arena) || !evaluate_places(x, values)) return false;
  uint32_t at = 0;
  for (uint32_t i = 0; i < links; i++) {
    const TreeLink *link = &tree->links.items[i];
    x->from[i] = at;
    at += tree_dofs(link->joint);
    stand_on(link_pose(x, link->parent), values + (size_t)place_size * i, &x->links[i]);
  }
  for (uint32_t i = 0; i < bodies; i++) {
    stand_on(link_pose(x, tree->seats[i].link), values + (size_t)place_size * (links + i), &x->bodies[i]);
    for (int k = 0; k < 3; k++) x->size = fmax(x->size, fabs(x->bodies[i].at[k]));
  }
  return true;
}

// ---- matrices

// A number; what is no more than rounding of what it was made of is zero.
static ExprId number(KinematicsAt *x, double value, double size) {
  x->finite = x->finite && isfinite(value);
  if (!isfinite(value) || fabs(value) <= 16 * DBL_EPSILON * size) return x->s->pool->zero;
  return matrices_number(x->s->pool, value, x->digits);
}

static bool put_transformation(KinematicsAt *x, KinematicsPart part, uint32_t body, const Pose *p) {
  ShownMatrix m = kinematics_matrix(x->s, body, part, x->n);
  if (!m.items) return false;
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t k = 0; k < 3; k++) m.items[4 * i + k] = number(x, p->turn[3 * i + k], 1);
    m.items[4 * i + 3] = number(x, p->at[i], x->size);
  }
  m.items[15] = x->s->pool->one;
  return vec_push(x->o->arena, &x->out->matrices, m);
}

// R_parent' R, R_parent' (d - d_parent)
static void beside_parent(const Pose *parent, const Pose *own, Pose *out) {
  const double *p = parent->turn, *t = own->turn;
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = own->at[i] - parent->at[i];
  for (int i = 0; i < 3; i++) {
    out->at[i] = p[i] * d[0] + p[3 + i] * d[1] + p[6 + i] * d[2];
    for (int k = 0; k < 3; k++) out->turn[3 * i + k] = p[i] * t[k] + p[3 + i] * t[3 + k] + p[6 + i] * t[6 + k];
  }
}

// The columns of a joint on the way to the body.
static void put_columns(KinematicsAt *x, uint32_t i, const Pose *body, ShownMatrix *turning, ShownMatrix *moving) {
  const TreeLink *link = &x->s->tree.links.items[i];
  const Pose *p = &x->links[i];
  double d[3];
  for (int k = 0; k < 3; k++) d[k] = body->at[k] - p->at[k];
  for (uint32_t part = 0; part < tree_dofs(link->joint); part++) {
    uint32_t axis = link->joint == link_ball ? part : link->axis, column = x->from[i] + part;
    const double a[3] = {p->turn[axis], p->turn[3 + axis], p->turn[6 + axis]};
    const double across[3] = {a[1] * d[2] - a[2] * d[1], a[2] * d[0] - a[0] * d[2], a[0] * d[1] - a[1] * d[0]};
    bool slides = link->joint == link_prismatic;
    for (uint32_t k = 0; k < 3; k++) {
      if (!slides) turning->items[k * x->n + column] = number(x, a[k], 1);
      moving->items[k * x->n + column] = slides ? number(x, a[k], 1) : number(x, across[k], x->size);
    }
  }
}

static bool put_body(KinematicsAt *x, uint32_t i) {
  const Tree *tree = &x->s->tree;
  uint32_t parent = tree->bodies.items[i].parent;
  Pose local = x->bodies[i];
  if (parent != tree_ground) beside_parent(&x->bodies[parent], &x->bodies[i], &local);
  ShownMatrix turning = kinematics_matrix(x->s, i, kinematics_turning, x->n);
  ShownMatrix moving = kinematics_matrix(x->s, i, kinematics_moving, x->n);
  if (!turning.items || !moving.items) return false;
  for (uint32_t link = tree->seats[i].link; link != tree_ground; link = tree->links.items[link].parent)
    put_columns(x, link, &x->bodies[i], &turning, &moving);
  return put_transformation(x, kinematics_local, i, &local) &&
         put_transformation(x, kinematics_global, i, &x->bodies[i]) &&
         vec_push(x->o->arena, &x->out->matrices, turning) && vec_push(x->o->arena, &x->out->matrices, moving);
}

bool kinematics_at(Operating *o, uint32_t digits, Derivation *out, const char **why) {
  KinematicsAt kinematics = {.o = o, .s = &o->s, .out = out, .digits = digits, .finite = true}, *x = &kinematics;
  TreeMaker maker = {&o->s.described, o->arena, o->s.pool};
  *out = (Derivation){.pool = o->s.pool, .form = form_kinematics, .decimals = true};
  *why = !o->s.tree.bodies.count ? "the model has no bodies: kinematics are those of `body`" : NULL;
  if (!*why && !o->numbers) *why = arena_printf(o->arena, "the parameter `%s` has no value", o->missing);
  if (*why) return true;
  if (!tree_links(&maker) || !place_all(x) || !kinematics_velocities(x->s, out, &x->n)) return false;
  for (uint32_t i = 0; x->finite && i < x->s->tree.bodies.count; i++) {
    if (!put_body(x, i)) return false;
  }
  if (!x->finite) *why = "at this point places have no finite numbers";
  return !arena_failed(o->arena);
}
