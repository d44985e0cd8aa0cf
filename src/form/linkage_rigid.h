// Parts of the formulation of nodes, bars and springs: rigid bodies as constraints, and how it is drawn.
// parts: linkage_shapes.c
#ifndef VIVA_FORM_LINKAGE_RIGID_H
#define VIVA_FORM_LINKAGE_RIGID_H

#include "system/bars.h"
#include "system/system.h"

bool linkage_add_rigid(System *s, Bars *b, const LinkageRigid *body);
bool linkage_add_shapes(System *s, Bars *b); // unless there are `draw` lines

// A constraint value = 0 (`symbol`: its multiplier, where somebody asked for it before), and that of a bar. False:
// out of memory.
bool linkage_constrain(System *s, SymbolId symbol, const char *name, const char *label, ExprId value, Span span);
bool linkage_keep_length(System *s, Bars *b, uint32_t from, uint32_t to, ExprId length, SymbolId symbol,
                         const char *label, Span span);

#endif
