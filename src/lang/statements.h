// The two functions of each kind of statement: visit_... puts it into the model, units_... says which dimensions it
// makes equal. Both are columns of words.def; contents.c, given.c, stop.c, implicit.c, events.c, shown.c, camera.c,
// draw.c, fits.c and infer_stmt.c hold them.
// parts: contents.c stop.c implicit.c events.c shown.c camera.c draw.c fits.c drive.c infer_stmt.c infer_linkage.c
// parts: infer_tree.c infer_ports.c
#ifndef VIVA_LANG_STATEMENTS_H
#define VIVA_LANG_STATEMENTS_H

#include "lang/visits.h"

#define STATEMENT(kind, word, parse, declares, stage, visit, units, picture, repeats, line)                            \
  Visit visit_##visit, units_##units;
#include "lang/words.def"

// Visits the statements of a stage, in the order of the table; in one file, or (NULL) in all.
void statements_visit(Elab *e, Stage stage, Scope *scope);
// The same for their dimensions, in all files.
void statements_units(Elab *e, Stage stage);

// Vectors become columns: tip.x tip.y (tip.z), longer ones tip[1] ...
// `units`: of its entries, for an output; NULL: it is none.
void contents_put(Elab *e, const char *name, const Value *v, Unit unit, Span span, const char *const *units);
void implicit_guesses(Elab *e); // of unknowns

#endif
