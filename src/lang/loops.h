// Cyclic definitions (algebraic loops), and the unknowns that they are cut with.
#ifndef VIVA_LANG_LOOPS_H
#define VIVA_LANG_LOOPS_H

#include "lang/elab.h"

// An algebraic unknown; chain: the cycle in words, NULL where it was declared. False: out of memory.
bool loop_unknown(Elab *e, const char *name, Span span, Unit unit, const char *chain, uint32_t *index);
const char *loop_words(Elab *e, const Decl *d, Span use); // the cycle that a use of d closes
Value loop_enter(Elab *e, Decl *d, Span use);             // d is used inside its own definition
Value loop_close(Elab *e, Decl *d, Value v);              // its definition is read

#endif
