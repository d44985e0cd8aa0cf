// The default drawing of a tree of bodies without a `draw` line.
//
// in    a tree of bodies
// out   a rod from each joint to the next one on the same body, at its end to the centre of mass; a rod along
//       joints that slide; a frame in every joint; a box with the mass and the moments of each body; a mark in its
//       centre of mass; a trail of the last bodies; a support where a body hangs on the ground
// why   the number of bodies has a limit: more is no picture, and every number of it is a column of the result
#include "form/tree_shapes.h"

enum { most_bodies = 64, most_trails = 6 };

typedef struct TreeDrawing {
  System *s;
  TreeMaker *m;
} TreeDrawing;

static bool add_shape(const TreeDrawing *w, ShapeKind kind, const V3 a, const V3 b, Span span) {
  SystemShape shape = {.kind = kind, .count = b ? 2 : 1, .dims = 3, .si = "m", .span = span};
  spatial_copy(a, shape.points[0]);
  if (b) spatial_copy(b, shape.points[1]);
  return vec_push(w->s->arena, &w->s->shapes, shape);
}

// The numbers are the same: nothing lies between.
static bool is_same(const V3 a, const V3 b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static bool add_rod(const TreeDrawing *w, const V3 a, const V3 b, Span span) {
  return is_same(a, b) || add_shape(w, shape_rod, a, b, span);
}

static bool has_mass(const TreeDrawing *w, const TreeBody *b) { return b->mass && !expr_is_zero(w->s->pool, b->mass); }

static bool add_solid(const TreeDrawing *w, const TreeBody *b, ShapeKind kind, const V3 at, M3 turn) {
  SystemShape shape = {.kind = kind, .count = 1, .dims = 3, .si = "m", .span = b->span};
  spatial_copy(at, shape.points[0]);
  for (int i = 0; i < 9; i++) shape.turn[i] = turn[i / 3][i % 3];
  if (kind == shape_solid) {
    shape.inertia[0] = b->mass;
    for (int i = 0; i < 6; i++) {
      if (!b->inertia[i]) return true; // a point
      shape.inertia[i + 1] = b->inertia[i];
    }
  }
  return vec_push(w->s->arena, &w->s->shapes, shape);
}

// Does another body hang on it?
static bool has_child(const Tree *tree, uint32_t body) {
  for (uint32_t i = 0; i < tree->bodies.count; i++) {
    if (tree->bodies.items[i].parent == body) return true;
  }
  return false;
}

static bool slides(TreeJoint joint) {
  return joint == joint_prismatic || joint == joint_cylindrical || joint == joint_planar;
}

// From the body that it hangs on to the joint, and along the joint.
static bool add_joint(const TreeDrawing *w, const TreeBody *b, const V3 origin) {
  V3 joint, before;
  spatial_copy(b->at, joint);
  if (b->parent == tree_ground) {
    if (b->joint == joint_free) return true;
    if (b->joint != joint_fixed && !add_shape(w, shape_support, joint, NULL, b->span)) return false;
  } else {
    Spatial s = {.pool = w->s->pool};
    V3 zero;
    spatial_zero(&s, zero);
    if (!tree_point(w->m, b->parent, b->at, joint) || !tree_point(w->m, b->parent, zero, before)) return false;
    if (b->joint != joint_free && !add_rod(w, before, joint, b->span)) return false;
  }
  return !slides(b->joint) || add_rod(w, joint, origin, b->span);
}

static bool add_body(const TreeDrawing *w, uint32_t body, uint32_t *trails) {
  const Tree *tree = &w->s->tree;
  TreeBody b = tree->bodies.items[body]; // a copy: making positions may move the lists
  Spatial s = {.pool = w->s->pool};
  V3 origin, com, zero;
  M3 turn;
  spatial_zero(&s, zero);
  if (!tree_rotation(w->m, body, turn) || !tree_point(w->m, body, zero, origin) || !tree_com(w->m, body, com))
    return false;
  bool last = !has_child(tree, body), heavy = has_mass(w, &b);
  bool ok = add_joint(w, &b, origin) && add_solid(w, &b, shape_frame, origin, turn);
  if (ok && last && heavy) ok = add_rod(w, origin, com, b.span);
  if (ok && heavy) ok = add_solid(w, &b, shape_solid, com, turn) && add_shape(w, shape_com, com, NULL, b.span);
  if (ok && last && *trails < most_trails) {
    ok = add_shape(w, shape_trail, heavy ? com : origin, NULL, b.span);
    (*trails)++;
  }
  return ok;
}

bool tree_add_shapes(System *s, TreeMaker *m) {
  TreeDrawing w = {s, m};
  uint32_t trails = 0;
  if (s->draws || s->tree.bodies.count > most_bodies) return true;
  for (uint32_t i = 0; i < s->tree.bodies.count; i++) {
    if (!add_body(&w, i, &trails)) return false;
  }
  return true;
}
