// Symbols with indices, and what stands for all of them: see folding.c.
#ifndef VIVA_ALGEBRA_FOLDING_H
#define VIVA_ALGEBRA_FOLDING_H

#include "algebra/derivation.h"
#include "expr/calculus.h"

// A symbol with an index: X[m] is the text before the number, the number, the text behind it.
typedef struct Indexed {
  SymbolId symbol;
  const char *name;
  size_t open, close; // indices of [ and ] in the name
  int64_t index;
} Indexed;

typedef struct Folding {
  System *s;
  ExprPool *pool;
  VEC(Indexed) list;  // by family, then by index
  SymbolMap next;     // X[m] to X[m+1]
  const char *letter; // NULL: nothing can repeat
} Folding;

enum { fold_least = 4 }; // that follow from each other

// Finds symbols and a letter. False: out of memory.
bool folding_open(Folding *w, System *s, ExprPool *pool);

bool folding_index(const char *name, Indexed *out);                  // of a name; false: it has none
bool folding_follows(const Indexed *a, const Indexed *b);            // is the second the first with the next index?
const char *folding_name(Folding *w, const Indexed *x, int64_t own); // X[m] as X[i+d]; NULL: out of memory
ExprId folding_next(Folding *w, ExprId id);                          // with all indices one larger; 0 stays 0
// Expressions of something with an index of its own, in the letter. False: out of memory.
bool folding_general(Folding *w, int64_t own, ExprId *ids, uint32_t count);
const ShownRange *folding_range(Folding *w, int64_t from, int64_t to); // NULL: out of memory

#endif
