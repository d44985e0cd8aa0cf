// The formulations: each fills its part of a System from what was described.
// parts: lagrange.c equations.c
#ifndef VIVA_FORM_FORM_H
#define VIVA_FORM_FORM_H

#include "system/system.h"

// A formulation reads the lists of the System and adds to M, h, f, definitions, the account. False: memory is out.
typedef bool Formulation(System *s);
Formulation lagrange_fill;  // energies, dissipation, forces
Formulation equations_fill; // x' = ..., x'' = ...; comes last: it reports what nothing determines

// All of them over a System whose lists are filled, then structure and order. Problems go to s->diags; false: memory is
// out.
bool form_build(System *s);

#endif
