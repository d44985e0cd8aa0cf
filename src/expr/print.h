// Expressions as text that can be read back, and as LaTeX.
#ifndef VIVA_EXPR_PRINT_H
#define VIVA_EXPR_PRINT_H

#include "base/text.h"
#include "expr/pool.h"

typedef enum ExprFormat { format_text, format_latex } ExprFormat;

// Names of tables for printing op_table; may be NULL.
typedef struct ExprNames {
  const char *const *tables; // one a table: "push.csv", "u" as written, quotes included
  uint32_t table_count;
} ExprNames;

// What is too deep or too long is cut, and the pool's limit says so.
void expr_print(ExprPool *pool, ExprId id, ExprFormat format, const ExprNames *names, Text *out);
void symbol_print(const ExprPool *pool, SymbolId id, ExprFormat format, Text *out);
// A name as a mathematical symbol: th1 -> \theta_{1}, m_dot, omega.
void name_latex(const char *name, uint32_t primes, Text *out);

// Terms of a sum in reading order: accelerations first, then velocities, then the rest; each with its coefficient.
// *count terms, in the pool's scratch; NULL when memory is out.
Term *expr_display_terms(ExprPool *pool, ExprId id, uint32_t *count);

#endif
