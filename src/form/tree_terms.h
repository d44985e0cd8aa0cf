// Trees of bodies in the hands of the formulations: what they are made of, and how they are computed.
// parts: tree_terms.c tree_matrix.c tree_motion.c
#ifndef VIVA_FORM_TREE_TERMS_H
#define VIVA_FORM_TREE_TERMS_H

#include "system/system.h"
#include "system/tree_links.h"

// A freedom of a link: a coordinate, or one of the three angular velocities of a ball. Freedoms are numbered link by
// link.
typedef struct TreeFreedom {
  uint32_t link, part; // part: of a ball, 0 to 2
  uint32_t coord;      // its coordinate; UINT32_MAX: none
  uint32_t state;      // of a ball: the state of its velocity
} TreeFreedom;

// What energies give of a tree, an entry a freedom. M is dense, row by row.
typedef struct TreeTerms {
  uint32_t count; // of freedoms
  TreeFreedom *freedoms;
  ExprId T, V;         // kinetic and potential energy
  ExprId *p;           // dT/dv
  ExprId *dTdq, *dVdq; // of a ball: along its turns
  ExprId *h;           // what is left of M a + h = tau: velocities and gravity
} TreeTerms;

// False: memory is out.
bool tree_freedoms(System *s, TreeTerms *t);
bool tree_terms(System *s, TreeTerms *t);
// The mass matrix by composite bodies, freedoms by freedoms: out has room for count * count.
bool tree_matrix(System *s, const TreeTerms *t, ExprId *out);
// The accelerations of all freedoms by the articulated-body recursion, as definitions of s; tau: the forces on them.
bool tree_accelerations(System *s, const TreeTerms *t, const ExprId *tau, ExprId *out);

// ---- between its files

// A link as it moves: E turns vectors of the parent into it, r is its origin in the parent's frame; w, v its angular
// and linear velocity, in its own frame.
typedef struct LinkMotion {
  M3 e;
  V3 r, w, v;
} LinkMotion;
void tree_move(const Spatial *sp, TreeLink *link, const LinkMotion *parent, LinkMotion *out); // parent NULL: the ground
void tree_gravity(const System *s, V3 out); // in the axes of the ground; zero: none

#endif
