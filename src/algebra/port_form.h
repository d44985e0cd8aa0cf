// A system in port-Hamiltonian form, from energies of coordinates, energies with structure, and what connects them.
// parts: port_parts.c port_legendre.c port_forces.c port_fit.c
//
//   x' = (J - R) dH/dx + (G - P) u + g,   y = (G + P)' dH/dx + S u
//
// Inside it is kept as x' = F dH + E u + g, y = W dH + S u, which adds up and connects without rules of its own:
//   J = (F - F')/2,  R = -(F + F')/2,  G = (E + W')/2,  P = (W' - E)/2
#ifndef VIVA_ALGEBRA_PORT_FORM_H
#define VIVA_ALGEBRA_PORT_FORM_H

#include "system/system.h"

typedef struct PortForm {
  System *s;
  uint32_t n, m;      // states and ports
  SymbolId *x;        // states; momenta are new symbols p.q
  SymbolId *u;        // what comes in: inputs, rates of inputs
  const char **names; // of the ports
  ExprId H, *dH;      // dH by each state
  ExprId *F, *E, *W;  // n * n, n * m, m * n
  ExprId *S, *g;      // m * m, n
  ExprId *J, *R, *G, *P;
  bool feeds; // P or S is not zero
  bool rest;  // g is not zero
  ExprId *A;  // of constraints: columns of their forces, n * bound; what is bound is A' dH
  uint32_t bound;
  bool implicit;   // velocities stand in H, which p = M v + c (or p of v) gives
  ExprId *M;       // then: dp/dv
  ExprId still;    // H without the kinetic energy of coordinates: at p = 0
  uint32_t places; // coordinates
  VEC(const char *) notes;
  const char *why; // not NULL: there is no such form, and this is the reason
} PortForm;

// s must be a system over a pool of its own (system_clone). False: out of memory.
bool port_form(System *s, PortForm *out);
// The same with H, dH and all entries written in velocities: momenta are rows alone, and `implicit` is true.
bool port_form_in_velocities(System *s, PortForm *out);
// Leaves out states that nothing depends on: cyclic coordinates. False: out of memory.
bool port_form_reduce(PortForm *f);

// Everything that is written in a form, list by list: H first, then F, E, W, S, g, A.
typedef struct PortList {
  ExprId *items;
  size_t count;
} PortList;
enum { port_list_count = 7 };
void port_form_lists(PortForm *f, PortList out[port_list_count]);

// ---- for the parts: storage for n states and m ports, entries zero; what they are is set by the caller
bool port_form_open(System *s, PortForm *f, uint32_t n, uint32_t m);
void port_note(PortForm *f, const char *note);
extern const char port_beyond_note[];        // inputs are not linear
ExprId *port_zeros(System *s, size_t count); // NULL: out of memory
ExprId port_tidy(ExprPool *pool, ExprId id);
// Coordinates with their energies, forces and dissipation (port_legendre.c).
bool port_legendre(System *s, bool velocities, PortForm *out);
// The J, R, G of a storage whose states have equations of their own (port_fit.c).
bool port_fit(System *s, const SystemStorage *x, PortForm *out);

// What forces and dissipation do to velocities (port_forces.c): Q - dD/dv = -K v + (B - C) u + rest, and the outputs
// (B + C)' v + U u, where u are the ports.
typedef struct PortForces {
  System *s;
  uint32_t n, m;
  const SymbolId *u;
  ExprId *K;      // n * n
  ExprId *B, *C;  // n * m
  ExprId *U;      // m * m
  ExprId *rest;   // n
  bool damped;    // the rest holds dissipation
  bool nonlinear; // inputs enter otherwise than by B u
  bool loose;     // the rest is not zero
} PortForces;
bool port_forces(System *s, const SymbolId *u, uint32_t m, PortForces *out); // false: out of memory

#endif
