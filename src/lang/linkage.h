// Nodes, bars and springs of the text, as the lists of a Linkage (system/linkage.h).
// parts: linkage_read.c linkage_check.c
#ifndef VIVA_LANG_LINKAGE_H
#define VIVA_LANG_LINKAGE_H

#include "lang/elab.h"

// The names of a statement, with their places in the lists: nodes before anything joins them.
void linkage_declare(Elab *e, const Stmt *s, const Binding *env);
// The node, bar, spring or rigid body that a text names, as its place in its list; linkage_none: it names none of
// these. `kind` is what it must be.
uint32_t linkage_find(Elab *e, const Ast *a, const Binding *env, DeclKind kind);
// The declaration of an element of a family, made when something asks for it. NULL: there is none.
Decl *linkage_element(Elab *e, Scope *scope, const Family *family, int64_t index);
// The place of the element that a statement declares.
uint32_t linkage_own(Elab *e, const Stmt *s, const Binding *env);
bool linkage_integer(Elab *e, const Ast *a, const Binding *env, int64_t *value); // an index; false: reported

// What all of it together must be: reported.
void linkage_check(Elab *e);

#endif
