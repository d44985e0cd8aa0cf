// Nodes, bars and springs of the text, as the lists of a Linkage (system/linkage.h).
// parts: linkage_read.c linkage_check.c linkage_names.c
#ifndef VIVA_LANG_LINKAGE_H
#define VIVA_LANG_LINKAGE_H

#include "lang/elab.h"

// The names of a statement, with their indices in the lists: nodes before anything joins them.
void linkage_declare(Elab *e, const Stmt *s, const Binding *env);
// The node, bar, spring or rigid body that a text names, as its index in its list; linkage_none: it names none of
// these. `kind` is what it must be.
uint32_t linkage_find(Elab *e, const Ast *a, const Binding *env, DeclKind kind);
// The declaration of an element of a family, made when something asks for it. NULL: there is none.
Decl *linkage_element(Elab *e, Scope *scope, const Family *family, int64_t index);
// The index of the element that a statement declares.
uint32_t linkage_own(Elab *e, const Stmt *s, const Binding *env);
bool linkage_integer(Elab *e, const Ast *a, const Binding *env, int64_t *value); // an index; false: reported

Value linkage_value(Elab *e, Decl *d, Span use);     // of a node its position; others have none, reported
Value linkage_field(Elab *e, Decl *d, const Ast *a); // AB.force
// The node of `name` in a file: A, N[3], hip.A, hip.N[3]; linkage_none: it is none.
uint32_t linkage_node(Elab *e, Scope *scope, const char *name);
// Does B.x name a direction of a node in this file?
bool linkage_is_place(Elab *e, Scope *scope, const char *name, uint32_t *node, uint32_t *axis);
// The declaration of the coordinate B.x, made when it is first named; NULL: there is none. A fixed one is reported.
Decl *linkage_coordinate(Elab *e, const char *name, Span use);

void linkage_stiffen(Elab *e, double stiffness); // bars are springs; 0: they stay rigid

// What all of it together must be: reported.
void linkage_check(Elab *e);

#endif
