// Names of values that are traced: definitions of the system, each value once.
#include "form/tree_terms.h"

static bool table_grow(TreeNames *t) {
  uint32_t size = t->size ? 2 * t->size : 1024;
  uint32_t *table = arena_array(t->s->arena, size, sizeof *table);
  if (!table) return false;
  for (uint32_t i = t->first; i < t->s->definitions.count; i++) {
    uint32_t at = t->s->definitions.items[i].value * 2654435761u & (size - 1);
    while (table[at]) at = (at + 1) & (size - 1);
    table[at] = i + 1;
  }
  t->table = table;
  t->size = size;
  return true;
}

// The symbol of a value, computed once; one for x and -x.
ExprId tree_name(void *self, ExprId value) {
  TreeNames *t = self;
  ExprPool *pool = t->s->pool;
  if (!value || expr_only_kinds(pool, value, kind_set(sym_param)) || expr_symbol(pool, value)) return value;
  bool negative = rat_sign(expr_term(pool, value, 0).coef) < 0 ||
                  (expr_term_count(pool, value) == 1 && rat_sign(expr_coef(pool, value)) < 0);
  if (negative) value = expr_neg(pool, value);
  if (!value) return 0;
  if (expr_symbol(pool, value)) return expr_neg(pool, value);
  if (2 * t->used >= t->size && !table_grow(t)) return 0;
  uint32_t at = value * 2654435761u & (t->size - 1);
  for (; t->table[at]; at = (at + 1) & (t->size - 1)) {
    const Definition *d = &t->s->definitions.items[t->table[at] - 1];
    if (d->value != value) continue;
    ExprId known = expr_sym(pool, d->symbol);
    return negative ? expr_neg(pool, known) : known;
  }
  SymbolId symbol = pool_symbol(pool, "traced", sym_signal, 0, 0);
  if (!symbol || !vec_push(t->s->arena, &t->s->definitions, (Definition){symbol, value, t->origin})) return 0;
  t->table[at] = t->s->definitions.count;
  t->used++;
  return negative ? expr_neg(pool, expr_sym(pool, symbol)) : expr_sym(pool, symbol);
}

bool tree_names_init(System *s, TreeNames *t) {
  *t = (TreeNames){.s = s, .first = s->definitions.count};
  return table_grow(t);
}
