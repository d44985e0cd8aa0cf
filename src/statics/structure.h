// A structure of bars and springs in numbers: what a Linkage is for one set of parameters, at one moment.
//
// Unknown are the positions x of the nodes in the directions that are not fixed, and one more for each slider on a
// moving line. Everything else is arrays of short entries, one a part:
//
//   bars       |x_b - x_a| = l                         the body of a `rigid` starts with three of them (2D and 3D)
//   ties       x_n = x_a + p (x_b - x_a) + q (x_c - x_a) + r (x_b - x_a) x (x_c - x_a)      further nodes of a body
//   sliders    on a fixed line: normals . (x_n - p) = 0; on a moving one: x_n = x_c + s/l (x_d - x_c), s unknown
//   springs    pull with N(e), e = |x_b - x_a| - l: N = k e, or a law; cables only where e > 0
//   torsions   k/2 (angle - rest)^2; in a plane the signed angle from ba to bc, else the angle between them, 0 .. pi
//   loads      dead ones, with the weight of nodes and of halves of bars, are one force a node; those that follow a bar
//              keep their components along and across it
//
// Nodes lie one after another in x, `dim` numbers each.
// parts: structure_linkage.c
#ifndef VIVA_STATICS_STRUCTURE_H
#define VIVA_STATICS_STRUCTURE_H

#include "base/arena.h"
#include "system/system.h"

enum { structure_none = UINT32_MAX };

typedef struct StructureBar {
  uint32_t a, b;
  double length;
  uint32_t bar, rigid; // which of the linkage it is: a bar, or a part of a rigid body; the other is structure_none
} StructureBar;

typedef struct StructureTie {
  uint32_t node, a, b, c; // c: structure_none where the body lies on a line
  double p, q, r;
  uint32_t rigid;
} StructureTie;

typedef struct StructureSlider {
  uint32_t node, c, d; // c, d: structure_none for a fixed line
  double point[3];     // of a fixed line
  double normal[2][3]; // one in a plane, two in space
  double scale;        // of a moving line: its length as drawn
  uint32_t extra;      // of a moving line: which of the further unknowns
} StructureSlider;

// N and dN/de of law number `law` at stretch e. Energies are integrated from it.
typedef struct StructureLaw {
  void (*value)(const void *data, double e, double *force, double *slope);
  const void *data;
} StructureLaw;

typedef struct StructureSpring {
  uint32_t a, b;
  double stiffness, length;
  uint32_t law; // structure_none: linear
  bool cable;
} StructureSpring;

typedef struct StructureTorsion {
  uint32_t a, b, c;
  double stiffness, rest;
} StructureTorsion;

// A force that rotates with the line from a to b: as given while that line lies along `drawn`.
typedef struct StructureFollower {
  uint32_t node, a, b;
  double force[3], drawn[3];
} StructureFollower;

typedef struct Structure {
  uint32_t dim, nodes;
  double *place;  // dim * nodes: fixed positions and first guesses
  uint8_t *fixed; // a bit for each direction
  double *force;  // dim * nodes: dead loads and weights
  VEC(StructureBar) bars;
  VEC(StructureTie) ties;
  VEC(StructureSlider) sliders;
  VEC(StructureSpring) springs;
  VEC(StructureTorsion) torsions;
  VEC(StructureFollower) followers;
  VEC(StructureLaw) laws;
  VEC(uint32_t) idle; // nodes that are fixed in all directions and loaded nevertheless
  uint32_t extras;    // further unknowns: sliders on moving lines
  uint32_t bar_count; // of the linkage
} Structure;

typedef enum StructureStatus {
  structure_made,
  structure_not_finite, // a number without a value; a line without a direction, a body on a line: see the fault
  structure_out_of_memory
} StructureStatus;
typedef enum StructurePart {
  structure_node,
  structure_bar,
  structure_spring,
  structure_torsion,
  structure_slider,
  structure_load,
  structure_rigid,
  structure_gravity
} StructurePart;
typedef struct StructureFault {
  StructurePart part;
  uint32_t index; // in its list of the linkage
} StructureFault;

// The linkage of a system at one time, with the values of the parameters.
// The laws of springs live as long as the arena.
StructureStatus structure_make(Arena *arena, const System *system, double time, Structure *out, StructureFault *fault);

// By hand, for tests and generators: a structure with `nodes` nodes, none of them fixed, at positions that are all 0.
bool structure_init(Arena *arena, Structure *s, uint32_t dim, uint32_t nodes);
// The bars and ties that hold `count` nodes together as drawn. False: they lie on one line
// of space, or at one point, or out of memory.
bool structure_add_rigid(Arena *arena, Structure *s, const uint32_t *members, uint32_t count, uint32_t rigid);
// A node on the line through its drawn position along a direction. False: the direction is zero, or out of memory.
bool structure_add_slider(Arena *arena, Structure *s, uint32_t node, const double *along);
// A node on the line through two others.
bool structure_add_moving_slider(Arena *arena, Structure *s, uint32_t node, uint32_t c, uint32_t d);

#endif
