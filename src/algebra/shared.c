// Common subexpressions of matrices, by names of their own.
//
// in    the matrices of a Derivation, not multiplied out: a graph in which equal parts are one node
// out   d->shared: k1 = ..., k2 = ..., each after those it refers to; the entries refer to them
// how   a sum, product or function that several nodes or entries refer to gets a name; so the text is as long as the
//       graph, which the tree behind it exceeds a thousandfold (bodies one on the other)
#include "algebra/shared.h"

#include "algebra/style.h"
#include "expr/rebuild.h"

#include <string.h>

typedef struct Sharing {
  System *s;
  ExprPool *pool;
  Derivation *d;
  const ExprId *list; // nodes, parts first
  uint32_t count;
  const uint32_t *slot; // of a node in the list
  uint32_t *uses;
  double *size;       // of the tree
  ExprId *value;      // by index in the list: what stands for it
  const char *letter; // k, in front of the number
} Sharing;

// Functions, and sums and products that are longer than a name and a power of it.
static bool can_be_named(const Sharing *x, uint32_t i) {
  enum { longest = 3 }; // x^2, 2*x
  ExprId id = x->list[i];
  bool leaf = pool_node(x->pool, id)->count == 0, inside = pool_node(x->pool, id)->bound;
  ExprOp op = expr_op(x->pool, id);
  return !leaf && !inside && ((op != op_add && op != op_mul) || x->size[i] > longest);
}

static ExprId count_part(void *self, ExprId parent, uint32_t i, ExprId part) {
  Sharing *x = self;
  (void)i;
  x->uses[x->slot[part]]++;
  x->size[x->slot[parent]] += x->size[x->slot[part]];
  return part;
}

static ExprId new_part(void *self, ExprId parent, uint32_t i, ExprId part) {
  const Sharing *x = self;
  (void)parent, (void)i;
  return x->value[x->slot[part]];
}

static ExprId name_it(Sharing *x, ExprId rhs) {
  const char *name = arena_printf(x->s->arena, "%s%u", x->letter, x->d->shared.count + 1);
  SymbolId symbol = name ? pool_symbol(x->pool, name, sym_signal, 0, 0) : 0;
  if (!symbol) return 0;
  ExprId lhs = expr_sym(x->pool, symbol);
  ShownEquation e = {.of = name, .lhs = lhs, .rhs = rhs, .symbol = symbol};
  return vec_push(x->s->arena, &x->d->shared, e) ? lhs : 0;
}

// A letter with which no name of the model begins that ends in a number.
static const char *free_letter(System *s) {
  static const char *const letters[] = {"k", "c", "w", "z", "sub"};
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
    size_t n = strlen(letters[i]);
    bool free = true;
    for (SymbolId k = 1; free && k < s->pool->symbols.count; k++) {
      const char *name = pool_symbol_get(s->pool, k)->name;
      free = strncmp(name, letters[i], n) != 0 || name[n] < '0' || name[n] > '9';
    }
    if (free) return letters[i];
  }
  return "common_";
}

static bool name_all(Sharing *x, ExprId **entries, uint32_t count) {
  // uses by nodes, then by entries
  for (uint32_t i = 0; i < x->count; i++) {
    x->size[i] = 1;
    if (!expr_rebuild(x->pool, x->list[i], count_part, x)) return false;
  }
  for (uint32_t i = 0; i < count; i++) x->uses[x->slot[*entries[i]]]++;
  for (uint32_t i = 0; i < x->count; i++) {
    ExprId id = x->list[i];
    x->value[i] = expr_rebuild(x->pool, id, new_part, x);
    if (x->value[i] && x->uses[i] > 1 && can_be_named(x, i)) x->value[i] = name_it(x, x->value[i]);
    if (!x->value[i]) return false;
  }
  for (uint32_t i = 0; i < count; i++) *entries[i] = x->value[x->slot[*entries[i]]];
  return true;
}

bool shared_find(System *s, Derivation *d) {
  uint32_t count = 0, n = 0;
  for (uint32_t i = 0; i < d->matrices.count; i++) count += d->matrices.items[i].rows * d->matrices.items[i].cols;
  ExprId **entries = arena_array(s->arena, (size_t)count + 1, sizeof *entries);
  ExprId *roots = arena_array(s->arena, (size_t)count + 1, sizeof *roots);
  if (!entries || !roots) return false;
  for (uint32_t i = 0; i < d->matrices.count; i++) {
    const ShownMatrix *m = &d->matrices.items[i];
    for (uint32_t k = 0; k < m->rows * m->cols; k++) {
      entries[n] = &m->items[k];
      roots[n++] = m->items[k];
    }
  }
  Sharing sharing = {.s = s, .pool = s->pool, .d = d, .letter = free_letter(s)}, *x = &sharing;
  const ExprId *list = pool_reach(s->pool, roots, count, NULL, NULL, &x->count);
  PoolMarks marks = pool_keep_marks(s->pool);
  x->slot = marks.slot;
  ExprId *kept = arena_array(s->arena, (size_t)x->count + 1, sizeof *kept);
  x->uses = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->uses);
  x->size = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->size);
  x->value = arena_array(s->arena, (size_t)x->count + 1, sizeof *x->value);
  bool ok = list && kept && x->uses && x->size && x->value;
  if (ok) memcpy(kept, list, x->count * sizeof *kept);
  x->list = kept;
  ok = ok && name_all(x, entries, count);
  pool_return_marks(s->pool, marks);
  return ok;
}
