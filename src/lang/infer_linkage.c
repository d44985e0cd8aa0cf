// Dimensions of nodes, bars and springs.
#include "lang/infer_inside.h"
#include "lang/statements.h"

void units_node(Elab *e, const Stmt *s, const Binding *env) { (void)e, (void)s, (void)env; }
void units_bar(Elab *e, const Stmt *s, const Binding *env) { (void)e, (void)s, (void)env; }
void units_spring(Elab *e, const Stmt *s, const Binding *env) { (void)e, (void)s, (void)env; }
void units_torsion(Elab *e, const Stmt *s, const Binding *env) { (void)e, (void)s, (void)env; }
void units_load(Elab *e, const Stmt *s, const Binding *env) { (void)e, (void)s, (void)env; }
void units_gravity(Elab *e, const Stmt *s, const Binding *env) { (void)e, (void)s, (void)env; }
