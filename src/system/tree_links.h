// Links of a tree of bodies, and where bodies and links are, as expressions.
// parts: tree_place.c
#ifndef VIVA_SYSTEM_TREE_LINKS_H
#define VIVA_SYSTEM_TREE_LINKS_H

#include "system/described.h"
#include "system/spatial.h"

typedef struct TreeMaker {
  SystemDescribed *d;
  Arena *arena;
  ExprPool *pool;
} TreeMaker;

// Links and seats of all bodies, made once. Every parent is known and there is no loop of them. False: out of memory.
bool tree_links(TreeMaker *m);
uint32_t tree_dofs(LinkJoint joint); // 1, or 3 of a ball

// Where a body is, beside the ground: false: out of memory.
bool tree_rotation(TreeMaker *m, uint32_t body, M3 out);               // vectors of the body into the ground's
bool tree_point(TreeMaker *m, uint32_t body, const V3 inside, V3 out); // a point of its frame
bool tree_com(TreeMaker *m, uint32_t body, V3 out);
bool tree_omega(TreeMaker *m, uint32_t body, V3 out);  // its angular velocity, in the axes of the ground
bool tree_angles(TreeMaker *m, uint32_t body, V3 out); // about x, then y, then z of the ground

// The rotation of a link against its parent, E: vectors of the parent's frame into the link's; and where its origin is
// in the parent's frame.
void tree_turn(const Spatial *s, TreeLink *link, M3 out);
void tree_offset(const Spatial *s, TreeLink *link, V3 out);

#endif
