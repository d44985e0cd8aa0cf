// Mechanisms of nodes, bars and springs, as they were described: arrays of their own, not coordinates and energies.
//
// A chain of a million bars stays a million short entries; coordinates, constraints and energies are made of them only
// where somebody asks for equations. Every number is an expression of parameters (positions: also of time, where a
// support is moved), so that `--set` and families reach it; 0 is "not said". Nodes are named by their index.
#ifndef VIVA_SYSTEM_LINKAGE_H
#define VIVA_SYSTEM_LINKAGE_H

#include "base/arena.h"
#include "base/diag.h"
#include "expr/pool.h"

enum { linkage_none = UINT32_MAX }; // no node, no bar

typedef struct LinkageNode {
  const char *name;
  ExprId place[3]; // the first guess, or where it is fixed; in a plane the third is 0
  ExprId mass;
  uint8_t fixed;  // a bit for each direction: 1 x, 2 y, 4 z
  uint32_t coord; // plus one: its first coordinate, of those that are free; 0: nobody asked for coordinates (bars.h)
  Span span;
} LinkageNode;
typedef VEC(LinkageNode) LinkageNodeList;

typedef struct LinkageBar {
  const char *name;
  uint32_t a, b;
  ExprId length, mass; // without a length: as drawn
  SymbolId force;      // the multiplier, tension is positive; 0: nobody asked for it
  Span span;
} LinkageBar;
typedef VEC(LinkageBar) LinkageBarList;

// A spring or a cable: what it pulls with is `stiffness` times its stretch, or `force`, an expression of `stretch`.
typedef struct LinkageSpring {
  const char *name;
  uint32_t a, b;
  ExprId stiffness, length, damping; // without a length: as drawn
  ExprId force;
  SymbolId stretch;
  bool cable; // pulls, never pushes
  Span span;
} LinkageSpring;
typedef VEC(LinkageSpring) LinkageSpringList;

// At b, the angle from ba to bc.
typedef struct LinkageTorsion {
  uint32_t a, b, c;
  ExprId stiffness, angle; // without an angle: as drawn
  uint32_t coord;          // plus one: the angle as a coordinate of its own, which counts whole turns; 0: none
  Span span;
} LinkageTorsion;
typedef VEC(LinkageTorsion) LinkageTorsionList;

// A node on a line: through its drawn position along a direction, or through two other nodes.
typedef struct LinkageSlider {
  uint32_t node, c, d; // c, d: linkage_none for a fixed line
  ExprId along[3];
  Span span;
} LinkageSlider;
typedef VEC(LinkageSlider) LinkageSliderList;

typedef struct LinkageLoad {
  uint32_t node, bar; // bar: the force rotates with it; linkage_none: it keeps its direction
  ExprId force[3];
  Span span;
} LinkageLoad;
typedef VEC(LinkageLoad) LinkageLoadList;

// Several nodes that are one rigid body: members[first .. first + count).
typedef struct LinkageRigid {
  const char *name;
  uint32_t first, count;
  Span span;
} LinkageRigid;
typedef VEC(LinkageRigid) LinkageRigidList;
typedef VEC(uint32_t) LinkageMemberList;

typedef struct Linkage {
  uint32_t dimensions; // 2 or 3; 0: there are no nodes
  ExprId gravity[3];   // 0: none
  LinkageNodeList nodes;
  LinkageBarList bars;
  LinkageSpringList springs;
  LinkageTorsionList torsions;
  LinkageSliderList sliders;
  LinkageLoadList loads;
  LinkageRigidList rigids;
  LinkageMemberList members;
  SymbolId stretch; // of all springs with a force of their own; 0: there are none
  bool lists;       // no equations are made of it where nothing else is in the model: it is read as it stands
  bool alone;       // nothing else is: no energies, states or constraints beside it
  ExprId stiffness; // of bars that are springs instead of constraints; 0: they are rigid
} Linkage;

#endif
