// One part of a structure at one position: its energy, its constraints, and their derivatives, in closed form.
//
// Bars and springs, by the document's h = (-u, u), g = h h', t = [[I, -I], [-I, I]] (u the direction, l the length):
//
//   dl/dx = h,   d2l/dx2 = (t - g) / l
//
// so that a spring with force N(l) and derivative N' has the Hessian N' g + N/l (t - g), a bar with the force f has
// f/l (t - g).
#ifndef VIVA_STATICS_ELEMENT_H
#define VIVA_STATICS_ELEMENT_H

#include "statics/structure.h"

typedef enum ElementKind {
  element_bar,
  element_tie,
  element_slider,
  element_moving_slider,
  element_spring,
  element_torsion,
  element_follower,
  element_kind_count
} ElementKind;

enum {
  element_dofs = 12, // most: four nodes in space
  element_rows = 3   // most constraints of one
};

typedef struct Element {
  uint32_t dofs, rows;
  uint32_t dof[element_dofs]; // indices in the vector of all coordinates: nodes, then further unknowns
  double energy;
  double gradient[element_dofs];
  double c[element_rows];
  double slope[element_rows][element_dofs]; // dc/dx
  double angle;                             // of a torsion, unwrapped
  double force, length;                     // of a bar's length or a spring
} Element;

// What is asked of the Hessian: of energy + sum of (lambda + k c) c, with k the weight of c^2 / 2.
typedef struct ElementRequest {
  const double *lambda; // one a row; NULL: 0
  double weight;        // k: adds k dc dc'
  bool shifted;         // the curvature is that of lambda + k c (penalty), else of lambda alone
  bool convex;          // only what is certainly not negative: no curvature of bars in compression and the like
  bool energy;          // with the energy; else that of constraints alone
} ElementRequest;

// Indices of a part in the vector of all coordinates, and how many constraints it has.
void element_places(const Structure *s, ElementKind kind, uint32_t index, Element *out);
// near: of a torsion, an angle within pi of the wanted one; else unused. follow: of a follower, its force.
void element_eval(const Structure *s, ElementKind kind, uint32_t index, const double *x, double near, Element *out);
// After element_eval at the same point: H row by row, out->dofs squared. A follower's is not symmetric.
void element_hessian(const Structure *s, ElementKind kind, uint32_t index, const double *x, const Element *e,
                     const ElementRequest *request, double *H);
// The force of a spring at a stretch, and its derivative.
void element_spring_law(const Structure *s, const StructureSpring *spring, double e, double *force, double *slope);
// The force of a load that follows a bar.
void element_follow(const Structure *s, uint32_t index, const double *x, double force[3]);

#endif
