// What repeats, once, with the range of its index: equations, constraints, blocks, events.
//
// in    lists in the order of the model, those of T[1], T[2], ... among them
// out   for every stretch of `fold_least` and more in which each is the one before with all indices one larger: one in
//       T[i-1], T[i], T[i+1] with its range; where those of some names alternate, one for each
// how   Each thing of a list is a row of expressions and a name with an index; a row whose image by the next index
//       (folding.c) is the next row goes on a stretch
#include "algebra/folded.h"

#include "algebra/folded_matrix.h"

#include <string.h>

// ---- lists

// A thing of a list: its name, its expressions, and whether two are of one kind.
typedef struct FoldList {
  void *items;
  uint32_t count;
  size_t size; // of one
  const char *(*name)(Folding *w, const void *item);
  uint32_t (*ids)(Folding *w, const void *item, ExprId *out); // at most fold_ids
  bool (*alike)(const void *a, const void *b);
  bool (*set)(Folding *w, void *item, const Indexed *own, const ExprId *ids, const ShownRange *range);
} FoldList;

enum { fold_ids = 48 };

static void *item_at(const FoldList *l, uint32_t i) { return (char *)l->items + i * l->size; }

// Is the second the first one with the next index?
static bool follows(Folding *w, const FoldList *l, uint32_t first, uint32_t second) {
  const void *a = item_at(l, first), *b = item_at(l, second);
  Indexed x, y;
  ExprId from[fold_ids], to[fold_ids];
  if (!folding_index(l->name(w, a), &x) || !folding_index(l->name(w, b), &y) || !folding_follows(&x, &y)) return false;
  if (!l->alike(a, b)) return false;
  uint32_t n = l->ids(w, a, from);
  if (l->ids(w, b, to) != n) return false;
  for (uint32_t i = 0; i < n; i++) {
    if (!from[i] != !to[i] || (from[i] && folding_next(w, from[i]) != to[i])) return false;
  }
  return true;
}

// How many from `at` on repeat after `period` of them, as whole periods. 0: they do not.
static uint32_t stretch(Folding *w, const FoldList *l, uint32_t at, uint32_t period) {
  uint32_t end = at;
  while (end + period < l->count && follows(w, l, end, end + period)) end++;
  uint32_t periods = (end - at) / period + 1;
  return periods >= fold_least ? periods : 0;
}

static bool write_general(Folding *w, const FoldList *l, void *item, int64_t count) {
  Indexed own;
  ExprId ids[fold_ids];
  if (!folding_index(l->name(w, item), &own)) return false;
  uint32_t n = l->ids(w, item, ids);
  if (!folding_general(w, own.index, ids, n)) return false;
  const ShownRange *range = folding_range(w, own.index, own.index + count - 1);
  return range && l->set(w, item, &own, ids, range);
}

// Folds the list in place; *count: what is left.
static bool fold_list(Folding *w, FoldList l, uint32_t *count) {
  enum { longest = 6 }; // things of one cell
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l.count;) {
    uint32_t period = 1, periods = 0;
    for (uint32_t p = 1; p <= longest && !periods; p++) {
      periods = stretch(w, &l, i, p);
      if (periods) period = p;
    }
    for (uint32_t k = 0; k < period; k++) {
      if (kept != i + k) memcpy(item_at(&l, kept), item_at(&l, i + k), l.size);
      if (periods && !write_general(w, &l, item_at(&l, kept), periods)) return false;
      kept++;
    }
    i += periods ? period * periods : 1;
  }
  *count = kept;
  return !arena_failed(w->s->arena);
}

// ---- equations and constraints

static const char *equation_name(Folding *w, const void *item) {
  (void)w;
  return ((const ShownEquation *)item)->of;
}

static uint32_t equation_ids(Folding *w, const void *item, ExprId *out) {
  const ShownEquation *e = item;
  out[0] = e->lhs;
  out[1] = e->rhs;
  out[2] = e->combination;
  out[3] = e->symbol ? expr_sym(w->pool, e->symbol) : 0;
  return 4;
}

static bool equation_alike(const void *x, const void *y) {
  return ((const ShownEquation *)x)->held == ((const ShownEquation *)y)->held;
}

static bool equation_set(Folding *w, void *item, const Indexed *own, const ExprId *ids, const ShownRange *range) {
  ShownEquation *e = item;
  e->lhs = ids[0];
  e->rhs = ids[1];
  e->combination = ids[2];
  if (ids[3]) e->symbol = expr_symbol(w->pool, ids[3]);
  e->of = folding_name(w, own, own->index);
  e->repeat = range;
  return e->of != NULL;
}

static FoldList equations_of(ShownEquation *items, uint32_t count) {
  return (FoldList){items, count, sizeof *items, equation_name, equation_ids, equation_alike, equation_set};
}

// ---- blocks

static const char *block_name(Folding *w, const void *item) {
  return pool_symbol_get(w->pool, ((const ShownBlock *)item)->symbol)->name;
}

static uint32_t block_ids(Folding *w, const void *item, ExprId *out) {
  const ShownBlock *b = item;
  uint32_t n = 0;
  out[n++] = expr_sym(w->pool, b->symbol);
  out[n++] = b->before;
  for (uint32_t i = 0; i < b->case_count; i++) {
    const ShownCase *c = &b->cases[i];
    // what it was stands for itself
    out[n++] = c->is == case_as_it_was ? 0 : c->value;
    out[n++] = c->where;
    out[n++] = c->time;
  }
  return n;
}

static bool block_alike(const void *x, const void *y) {
  const ShownBlock *a = x, *b = y;
  bool same = strcmp(a->word, b->word) == 0 && a->case_count == b->case_count;
  for (uint32_t i = 0; same && i < a->case_count; i++)
    same = a->cases[i].is == b->cases[i].is && a->cases[i].at == b->cases[i].at;
  return same;
}

static bool block_set(Folding *w, void *item, const Indexed *own, const ExprId *ids, const ShownRange *range) {
  ShownBlock *b = item;
  uint32_t n = 0;
  (void)own;
  b->symbol = expr_symbol(w->pool, ids[n++]);
  b->before = ids[n++];
  for (uint32_t i = 0; i < b->case_count; i++) {
    ShownCase *c = &b->cases[i];
    if (ids[n]) c->value = ids[n];
    c->where = ids[n + 1];
    c->time = ids[n + 2];
    n += 3;
  }
  b->repeat = range;
  return b->symbol != 0;
}

// ---- events

enum { fold_assigns = 16 };

// An event has no name: what it sets first has one.
static const char *event_name(Folding *w, const void *item) {
  const ShownEvent *e = item;
  bool some = e->assigns.count && e->assigns.count <= fold_assigns;
  return some ? pool_symbol_get(w->pool, e->assigns.items[0].symbol)->name : NULL;
}

static uint32_t event_ids(Folding *w, const void *item, ExprId *out) {
  const ShownEvent *e = item;
  uint32_t n = 0;
  out[n++] = e->condition;
  out[n++] = e->period;
  for (uint32_t i = 0; i < e->assigns.count && i < fold_assigns; i++) {
    out[n++] = expr_sym(w->pool, e->assigns.items[i].symbol);
    out[n++] = e->assigns.items[i].value;
  }
  return n;
}

static bool event_alike(const void *x, const void *y) {
  return ((const ShownEvent *)x)->stop == ((const ShownEvent *)y)->stop;
}

static bool event_set(Folding *w, void *item, const Indexed *own, const ExprId *ids, const ShownRange *range) {
  ShownEvent *e = item;
  VEC(ShownAssign) assigns = {0};
  (void)own;
  e->condition = ids[0];
  e->period = ids[1];
  for (uint32_t i = 0; i < e->assigns.count; i++)
    vec_push(w->s->arena, &assigns, (ShownAssign){expr_symbol(w->pool, ids[2 + 2 * i]), ids[3 + 2 * i]});
  if (assigns.count != e->assigns.count) return false;
  e->assigns.items = assigns.items; // those of the other list stay
  e->assigns.cap = assigns.cap;
  e->repeat = range;
  return true;
}

// ---- the whole

static bool copy_lists(System *s, Derivation *d) {
  bool ok = true;
  for (uint32_t i = 0; ok && i < d->constraints.count; i++)
    ok = vec_push(s->arena, &d->once.constraints, d->constraints.items[i]);
  for (uint32_t i = 0; ok && i < d->blocks.count; i++) ok = vec_push(s->arena, &d->once.blocks, d->blocks.items[i]);
  for (uint32_t i = 0; ok && i < d->events.count; i++) ok = vec_push(s->arena, &d->once.events, d->events.items[i]);
  return ok;
}

bool derivation_fold(System *s, Derivation *d, bool fold) {
  Folding work, *w = &work;
  ShownOnce *o = &d->once;
  if (!copy_lists(s, d)) return false;
  if (!fold) return true;
  if (!folding_open(w, s, d->pool)) return false;
  if (!w->letter) return true;
  for (uint32_t i = 0; i < d->matrices.count; i++) {
    if (!folded_matrix(w, &d->matrices.items[i])) return false;
  }
  if (d->jacobian.rows && !folded_matrix(w, &d->jacobian)) return false;
  FoldList blocks = {o->blocks.items, o->blocks.count, sizeof(ShownBlock), block_name,
                     block_ids,       block_alike,     block_set},
           events = {o->events.items, o->events.count, sizeof(ShownEvent), event_name,
                     event_ids,       event_alike,     event_set};
  return fold_list(w, equations_of(d->equations.items, d->equations.count), &d->equations.count) &&
         fold_list(w, equations_of(o->constraints.items, o->constraints.count), &o->constraints.count) &&
         fold_list(w, blocks, &o->blocks.count) && fold_list(w, events, &o->events.count);
}
