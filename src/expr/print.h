// Expressions as text that can be read back, and as LaTeX and MathML.
// parts: order.c symbol.c
#ifndef VIVA_EXPR_PRINT_H
#define VIVA_EXPR_PRINT_H

#include "base/text.h"
#include "expr/pool.h"

typedef enum ExprFormat { format_text, format_latex, format_mathml } ExprFormat;

// Names of tables for printing op_table, and how numbers look; may be NULL.
typedef struct ExprNames {
  const char *const *tables; // one a table: "push.csv", "u" as written, quotes included
  uint32_t table_count;
  bool decimals; // 0.5, not 1/2
} ExprNames;

// What is too deep or too long is cut, and the pool's limit says so.
void expr_print(ExprPool *pool, ExprId id, ExprFormat format, const ExprNames *names, Text *out);
const char *expr_text(ExprPool *pool, Arena *arena, ExprId id); // the same as text, in the arena
// Two names of a pool never look the same: x1 is x with an index, and beside it x_1 is a word, upright, as it is
// written.
void symbol_print(ExprPool *pool, SymbolId id, ExprFormat format, Text *out);
// A name as a mathematical symbol: th1 -> \theta_{1}, m_dot -> \dot{m}, omega -> \omega; as text it stays itself.
void name_print(const char *name, uint32_t primes, ExprFormat format, Text *out);
bool symbol_is_word(ExprPool *pool, SymbolId id); // several letters, upright
// One term of a sum, its sign in front; first: without a plus.
void expr_print_term(ExprPool *pool, Term term, bool first, ExprFormat format, const ExprNames *names, Text *out);

// Terms of a sum in reading order: accelerations first, then velocities, then the rest; each with its coefficient.
// *count terms, in the pool's scratch; NULL when out of memory.
Term *expr_display_terms(ExprPool *pool, ExprId id, uint32_t *count);
// The same as printed: a sum that can start with a plus does.
Term *expr_sum_order(ExprPool *pool, ExprId id, uint32_t *count);
// Factors of a product in reading order: their numbers, in the pool's scratch.
uint32_t *expr_factor_order(ExprPool *pool, ExprId term);

#endif
