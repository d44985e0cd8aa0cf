// Trees of rigid bodies, as they were described: arrays of their own, not coordinates and energies.
//
// A body hangs on another one, or on the ground, by one joint. Every number is an expression of parameters, so that
// `--set` and families reach it. A parent may stand behind its child in the list.
//
// Behind the joints of the language there are four elementary ones: fixed, revolute, prismatic, ball. `tree_links`
// (tree_links.h) makes links of the bodies, parents first, each with one elementary joint: a cylindrical joint is a
// prismatic and a revolute one with a link between them that has no mass.
#ifndef VIVA_SYSTEM_TREE_H
#define VIVA_SYSTEM_TREE_H

#include "base/arena.h"
#include "base/diag.h"
#include "expr/pool.h"

enum { tree_ground = UINT32_MAX }; // the parent of a body that hangs on nothing else

typedef enum TreeJoint {
  joint_fixed,       // no coordinate
  joint_revolute,    // an angle about axis[0]
  joint_prismatic,   // a way along axis[0]
  joint_cylindrical, // along axis[0], then about it
  joint_planar,      // along two directions across axis[0], then about it
  joint_universal,   // about axis[0], then about axis[1] as the first one has rotated it
  joint_ball,        // a unit quaternion
  joint_free,        // along x, y, z of the joint's frame, then a ball
  joint_count
} TreeJoint;

typedef enum TreeSolid { solid_tensor, solid_point, solid_box, solid_sphere, solid_cylinder, solid_rod } TreeSolid;

// What a ball joint is made of: r.w r.x r.y r.z, from the body to the joint's frame, and r.wx r.wy r.wz, the angular
// velocity of the body beside the joint's frame, in the body's axes. All seven are states with roles.
typedef struct TreeBall {
  const char *name; // r
  uint32_t first;   // of its seven states
  Span span;
} TreeBall;
typedef VEC(TreeBall) TreeBallList;
static const double tree_turn_slack = 1e-6; // tolerance for |q| = 1 of a quaternion that the text gives

typedef struct TreeBody {
  const char *name;
  uint32_t parent; // into the bodies, or tree_ground
  TreeJoint joint;
  ExprId axis[2][3]; // in the body's frame; the second of a universal joint alone. Of length 1
  // the joint's frame in that of the parent: its position, and its rotation about the parent's x, then y, then z; where
  // all coordinates are zero it is the body's frame
  ExprId at[3], rotated[3];
  ExprId mass, com[3];
  ExprId inertia[6]; // about the centre of mass, in the body's axes: xx yy zz xy xz yz, entries of the tensor
  bool about_origin; // so it was written
  TreeSolid solid;   // that was said instead of a tensor, for pictures
  ExprId size[3];    // of the shape: a b c; r; r l; l
  uint32_t coord;    // its coordinates are coords[coord .. coord + coord_count)
  uint32_t coord_count;
  uint32_t ball; // into the balls, plus one; 0: it has none
  Span span;     // of its name
} TreeBody;
typedef VEC(TreeBody) TreeBodyList;

// One elementary joint and what moves behind it. The frame of a link stands in its joint; its axes are rotated against
// the body's where the joint's axis is none of x, y and z.
typedef enum LinkJoint { link_revolute, link_prismatic, link_ball } LinkJoint;
typedef struct TreeLink {
  uint32_t parent; // a link before it, or tree_ground
  uint32_t body;   // whose joint this is, or a part of it
  LinkJoint joint;
  uint8_t axis;      // 0 x, 1 y, 2 z, in the link's frame; of a ball: none
  ExprId at[3];      // the joint in the parent link's frame
  ExprId turn[3][3]; // where the coordinate is zero: takes vectors of the parent link's frame into the link's
  ExprId mass;       // of everything that is fixed to this link; zero: none
  ExprId moment[3];  // mass times centre of mass, from the link's origin
  ExprId inertia[6]; // about the link's origin: xx yy zz xy xz yz
  // where all of it is one body: its centre of mass, and its inertia about that; `bodies` counts those with a mass
  ExprId com[3], central[6];
  uint32_t bodies;
  SymbolId q[4], v[3], a[3]; // one of each, of a ball four and three
  uint32_t coord;            // its coordinate; of a ball: the first of its seven states
} TreeLink;
typedef VEC(TreeLink) TreeLinkList;

// Where a body is beside the link that it belongs to.
typedef struct TreeSeat {
  uint32_t link;     // or tree_ground: it does not move
  ExprId at[3];      // its origin in the link's frame
  ExprId turn[3][3]; // takes vectors of the link's frame into the body's
} TreeSeat;

// Where a link is beside the ground, made when somebody asks for it (tree_place.h).
typedef struct TreeFrame {
  ExprId origin[3], turn[3][3]; // turn: vectors of the link's frame into those of the ground
  ExprId omega[3];              // its angular velocity, in the axes of the ground
} TreeFrame;
typedef VEC(TreeFrame) TreeFrameList;

typedef struct Tree {
  TreeBodyList bodies;
  TreeBallList balls;
  ExprId gravity[3]; // 0: none
  bool placed;       // every body is read
  TreeLinkList links;
  TreeSeat *seats; // one a body; NULL: links were not made yet
  TreeFrameList frames;
} Tree;

#endif
