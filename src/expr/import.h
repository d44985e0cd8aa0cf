// Import of expressions: those of one pool brought into another.
#ifndef VIVA_EXPR_IMPORT_H
#define VIVA_EXPR_IMPORT_H

#include "expr/pool.h"

typedef struct ExprImport {
  ExprPool *to;
  const ExprPool *from;
  const ExprId *symbol;                      // what each symbol of `from` is in `to`
  ExprId (*table)(void *self, ExprId index); // what the index of a table of `from` is in `to`; NULL: the same number
  void *self;
  ExprId *node; // out: what each node of `from` is in `to`, in the arena of `to`
} ExprImport;

// Brings all nodes over. Every symbol of `from` has its entry. False: out of memory, or a limit was crossed.
bool expr_import(ExprImport *im);

#endif
