// Rigid bodies of the text, as the lists of a Tree (system/tree.h).
// parts: tree_read.c tree_check.c tree_total.c
#ifndef VIVA_LANG_TREE_H
#define VIVA_LANG_TREE_H

#include "lang/elab.h"

// The names of a statement: the body, the coordinates of its joint, the states of a ball.
void tree_declare(Elab *e, const Stmt *s, const Binding *env);
Value tree_value(Elab *e, const Decl *d, Span use); // a body has none: reported
Value tree_field(Elab *e, Decl *d, const Ast *a);   // upper.com, upper.omega
Value tree_total(Elab *e, const Ast *a);            // bodies.com, bodies.momentum
// Are the bodies read, so that it is known where they are? False: reported, unless there was an error before.
bool tree_is_placed(Elab *e, Span use);
Value tree_apply(Elab *e, Decl *d, const Ast *a, const Binding *env); // upper.point([0, 0, 1])

// What all of it together must be: parents, axes, masses; reported.
void tree_check(Elab *e);
void tree_take_gravity(Elab *e); // of the `gravity` of the model
void tree_starts(Elab *e);       // a ball that says nothing else starts unturned; before `init` is read
void tree_check_starts(Elab *e); // unit quaternions: behind all that says how they start

#endif
