// The table of statements as they are read: for each kind its two functions, visited stage by stage. Within a stage the
// order of words.def counts, within a kind the order of scopes and lines.
#include "lang/statements.h"

#include "lang/words.h"

static const struct {
  Visit *visit, *units;
} table[stmt_kinds] = {
#define STATEMENT(kind, word, parse, declares, stage, visit, units, picture, repeats, line)                            \
  [stmt_##kind] = {visit_##visit, units_##units},
#include "lang/words.def"
};

// Of what is read elsewhere, or has no dimensions to compare.
void visit_none(Elab *e, const Stmt *s, const Binding *env) { (void)e, (void)s, (void)env; }
void units_none(Elab *e, const Stmt *s, const Binding *env) { (void)e, (void)s, (void)env; }

void statements_visit(Elab *e, Stage stage, Scope *scope) {
  for (int k = 0; k < stmt_kinds; k++) {
    if (word_statement((StmtKind)k)->stage != stage || table[k].visit == visit_none) continue;
    if (scope) visit_scope(e, scope, (StmtKind)k, table[k].visit);
    else visit_all(e, (StmtKind)k, table[k].visit);
  }
}

void statements_units(Elab *e, Stage stage) {
  for (int k = 0; k < stmt_kinds; k++) {
    if (word_statement((StmtKind)k)->stage == stage && table[k].units != units_none)
      visit_all(e, (StmtKind)k, table[k].units);
  }
}
