// Port-Hamiltonian systems: `hamiltonian`, `interconnection`, `damping`, `port`.
#ifndef VIVA_LANG_PORTS_H
#define VIVA_LANG_PORTS_H

#include "lang/elab.h"

// Which files have them, and which states have equations; once names are known.
void ports_collect(Elab *e);
// The output of a port, U.y, and `port` itself for what asks for it. Bad: reported.
Value port_output(Elab *e, Decl *input, Span use);
void ports_read(Elab *e); // all of them into the model
// Is the input a port? `by_storage`: of an energy with structure, not of coordinates.
bool port_is(Elab *e, const Decl *input, bool *by_storage);
// The states that are rows of a file's matrices, as far as they are known; NULL: it has none.
const SystemStorage *ports_storage(const Scope *scope);

#endif
