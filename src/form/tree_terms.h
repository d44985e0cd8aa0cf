// Trees of bodies in the hands of the formulations: what they are made of, and how they are computed.
// parts: tree_terms.c tree_matrix.c tree_motion.c tree_grouped.c tree_names.c tree_large.c tree_rotations.c
#ifndef VIVA_FORM_TREE_TERMS_H
#define VIVA_FORM_TREE_TERMS_H

#include "system/system.h"
#include "system/tree_links.h"

// A freedom of a link: a coordinate, or one of the three angular velocities of a ball.
// Freedoms are numbered link by link.
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
  ExprId *dTdq, *dVdq; // of a ball: along its three axes
  ExprId *h;           // what is left of M a + h = tau: velocities and gravity
} TreeTerms;

// False: out of memory.
bool tree_freedoms(System *s, TreeTerms *t);
bool tree_terms(System *s, TreeTerms *t);
// The mass matrix by composite bodies, freedoms by freedoms: out has count * count entries.
bool tree_matrix(System *s, const TreeTerms *t, ExprId *out);
// The accelerations of all freedoms by the articulated-body recursion, as definitions of s; tau: the forces on them.
bool tree_accelerations(System *s, const TreeTerms *t, const ExprId *tau, ExprId *out);
// Angular velocities of spherical joints as rows of M a + h = 0 (System.turns); tau: the forces on all freedoms.
bool tree_add_rotations(System *s, const TreeTerms *t, const ExprId *tau);

// ---- large trees

// From tree_large_size links on H, momenta and equations are not made as expressions, which would grow with the square
// of the links and more: only what a simulation needs. From tree_kernel_size on the recursion is a kernel.
enum { tree_large_size = 13, tree_kernel_size = 40 };
// It is large, and nothing beside the bodies needs H.
bool tree_is_large(const System *s);
// T and V alone, by names.
bool tree_energies(System *s, TreeTerms *t);
// H a + h of bodies alone, a row a freedom, by Newton and Euler: as definitions and steps of s, which is a copy of a
// system whose order is known.
bool tree_torques(System *s, const TreeTerms *t, ExprId *out);
// V and dV/dq alone, as expressions.
bool tree_weights(System *s, TreeTerms *t);
// The accelerations as one call of a kernel (tape/kernel_tree.c).
bool tree_call(System *s, const TreeTerms *t, const ExprId *tau);

// ---- between its files

// Names of values: definitions of s, found by their value.
typedef struct TreeNames {
  System *s;
  uint32_t origin; // index plus one, of the link in work
  uint32_t first;  // of the definitions
  uint32_t *table; // by value: the definition, plus one
  uint32_t size, used;
} TreeNames;
bool tree_names_init(System *s, TreeNames *names); // false: out of memory
// The symbol of a value, computed once; one for x and -x. What depends on parameters alone needs none.
ExprId tree_name(void *self, ExprId value);

// Copies of the links with the same joint forces and fewer numbers: placed have other origins, grouped also other
// masses, for inertias alone.
bool tree_group(System *s, TreeLink **placed, TreeLink **grouped);

// A link as it moves: E takes vectors of the parent into it, r is its origin in the parent's frame; w, v its angular
// and linear velocity, in its own frame.
typedef struct LinkMotion {
  M3 e;
  V3 r, w, v;
} LinkMotion;
void tree_move(const Spatial *sp, TreeLink *link, const LinkMotion *parent, LinkMotion *out); // parent NULL: the ground
void tree_gravity(const System *s, V3 out); // in the axes of the ground; zero: none

#endif
