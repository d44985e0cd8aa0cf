// The formulations: each fills its part of a System from a Model.
#ifndef VIVA_FORM_FORM_H
#define VIVA_FORM_FORM_H

#include "system/system.h"

bool lagrange_fill(System *s);  // energies, dissipation, forces
bool equations_fill(System *s); // x' = ..., x'' = ...
// All of them, then the order. Problems go to the model's diagnostics; false: memory is out.
bool system_build(System *s, Model *model);

#endif
