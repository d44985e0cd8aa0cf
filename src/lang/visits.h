// Statements, visited once for each value of their `for`.
#ifndef VIVA_LANG_VISITS_H
#define VIVA_LANG_VISITS_H

#include "lang/elab.h"

typedef void Visit(Elab *e, const Stmt *s, const Binding *env);
void visit_repeated(Elab *e, const Stmt *s, Visit *visit);            // one statement
void visit_scope(Elab *e, Scope *scope, StmtKind kind, Visit *visit); // those of one kind in one file
void visit_all(Elab *e, StmtKind kind, Visit *visit);                 // in the model and all of its parts

#endif
