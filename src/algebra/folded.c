// Equations that repeat, once, with the range of their index.
//
// in    equations in the order of the model, those of T[1], T[2], ... among them
// out   for every stretch of `least` and more in which each is the one before with all indices one larger: one
//       equation in T[i-1], T[i], T[i+1] with its range; where the equations of some names alternate, one for each
// how   One map takes every symbol X[m] to X[m+1]. Equal expressions have equal ids, so an equation whose image is the
//       next one goes on a stretch. Symbols of the shown one are made anew, with i in the place of its own index.
// why   a range ends in a parameter (n-1) only where that parameter makes ranges in the text
#include "algebra/folded.h"

#include "expr/calculus.h"

#include <stdlib.h>
#include <string.h>

enum { least = 4 };

// A symbol with an index: X[m] is the text before the number, the number, the text behind it.
typedef struct Indexed {
  SymbolId symbol;
  const char *name;
  size_t open, close; // places of [ and ]
  int64_t index;
} Indexed;

typedef struct Folding {
  System *s;
  ExprPool *pool;
  VEC(Indexed) list; // by family, then by index
  SymbolMap next;
  const char *letter;
} Folding;

// The first number in brackets of a name. False: there is none.
static bool read_index(const char *name, Indexed *out) {
  const char *open = strchr(name, '[');
  if (!open) return false;
  char *end;
  long long index = strtoll(open + 1, &end, 10);
  if (end == open + 1 || *end != ']') return false;
  *out = (Indexed){.name = name, .open = (size_t)(open - name), .close = (size_t)(end - name), .index = index};
  return true;
}

static int compare(const void *x, const void *y) {
  const Indexed *a = x, *b = y;
  size_t n = a->open < b->open ? a->open : b->open;
  int c = memcmp(a->name, b->name, n);
  if (c == 0) c = a->open < b->open ? -1 : a->open > b->open;
  if (c == 0) c = strcmp(a->name + a->close, b->name + b->close);
  if (c == 0) c = a->index < b->index ? -1 : a->index > b->index;
  return c ? c : a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

static bool is_next(const Indexed *a, const Indexed *b) {
  return a->open == b->open && memcmp(a->name, b->name, a->open) == 0 &&
         strcmp(a->name + a->close, b->name + b->close) == 0 && b->index == a->index + 1;
}

static bool find_symbols(Folding *w) {
  for (uint32_t i = 1; i < w->pool->symbols.count; i++) {
    const Symbol *symbol = pool_symbol_get(w->pool, i);
    Indexed found;
    if (!symbol->name || !read_index(symbol->name, &found)) continue;
    found.symbol = i;
    if (!vec_push(w->s->arena, &w->list, found)) return false;
  }
  if (w->list.count < least) return true;
  qsort(w->list.items, w->list.count, sizeof *w->list.items, compare);
  w->next = symbol_map_new(w->pool);
  // the last of a family has no next one: it becomes what stands in no equation, for T[n] in its own place would make
  // T[n-1] - 2*T[n] + T[n] of a stencil, which may be the equation of an end
  SymbolId nothing = pool_symbol(w->pool, "(no next one)", sym_param, 0, 0);
  for (uint32_t i = 0; i < w->list.count && nothing; i++) {
    const Indexed *a = &w->list.items[i], *b = i + 1 < w->list.count ? a + 1 : NULL;
    bool has =
        b && is_next(a, b) && pool_symbol_get(w->pool, a->symbol)->kind == pool_symbol_get(w->pool, b->symbol)->kind;
    symbol_map_set(&w->next, a->symbol, expr_sym(w->pool, has ? b->symbol : nothing));
  }
  return !arena_failed(w->s->arena);
}

// A letter that no symbol is called by.
static const char *free_letter(const ExprPool *pool) {
  static const char *const letters[] = {"i", "k", "j", "n", "m"};
  for (size_t l = 0; l < sizeof letters / sizeof *letters; l++) {
    bool taken = false;
    for (uint32_t i = 1; i < pool->symbols.count && !taken; i++) {
      const char *name = pool_symbol_get(pool, i)->name;
      taken = name && strcmp(name, letters[l]) == 0;
    }
    if (!taken) return letters[l];
  }
  return NULL;
}

// Is the second equation the first one with the next index?
static bool follows(Folding *w, const ShownEquation *a, const ShownEquation *b) {
  Indexed x, y;
  if (!read_index(a->of, &x) || !read_index(b->of, &y) || !is_next(&x, &y)) return false;
  if (a->held != b->held || !a->lhs != !b->lhs || !a->combination != !b->combination) return false;
  ExprId from[3] = {a->lhs, a->rhs, a->combination}, to[3] = {b->lhs, b->rhs, b->combination}, image[3];
  for (int i = 0; i < 3; i++) {
    if (from[i] && (!expr_replace(w->pool, &w->next, &from[i], 1, &image[i]) || image[i] != to[i])) return false;
  }
  return true;
}

// X[m] as a symbol X[i+d], d counted from the equation's own index.
static const char *general_name(Folding *w, const Indexed *x, int64_t own) {
  int64_t away = x->index - own;
  const char *number = away ? arena_printf(w->s->arena, "%+lld", (long long)away) : "";
  return number ? arena_printf(w->s->arena, "%.*s[%s%s%s", (int)x->open, x->name, w->letter, number, x->name + x->close)
                : NULL;
}

// "n-1" where a parameter that makes ranges ends this one, else the number.
static const char *end_text(Folding *w, int64_t end) {
  for (int away = 0; away < 4; away++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      int64_t off = (int64_t)sign * away;
      for (uint32_t i = 0; i < w->s->params.count; i++) {
        const SystemParam *p = &w->s->params.items[i];
        Rat value;
        bool whole = p->structural && p->value && expr_number(w->pool, p->value, &value);
        if (!whole || rat_to_double(value) != (double)(end - off)) continue;
        return away ? arena_printf(w->s->arena, "%s%+d", p->name, (int)off) : p->name;
      }
    }
  }
  return arena_printf(w->s->arena, "%lld", (long long)end);
}

// The one that stands for equations [from, to] of a list.
static bool write_general(Folding *w, const ShownEquation *first, int64_t count, ShownEquation *out) {
  Indexed own;
  SymbolMap map = symbol_map_new(w->pool);
  if (!read_index(first->of, &own)) return false;
  *out = *first;
  for (uint32_t i = 0; i < w->list.count; i++) {
    const Indexed *x = &w->list.items[i];
    bool used = x->symbol == first->symbol || (first->lhs && expr_depends(w->pool, first->lhs, x->symbol)) ||
                expr_depends(w->pool, first->rhs, x->symbol) ||
                (first->combination && expr_depends(w->pool, first->combination, x->symbol));
    if (!used) continue;
    const Symbol *was = pool_symbol_get(w->pool, x->symbol);
    const char *name = general_name(w, x, own.index);
    SymbolId symbol = name ? pool_symbol(w->pool, name, was->kind, was->index, was->order) : 0;
    if (!symbol) return false;
    symbol_map_set(&map, x->symbol, expr_sym(w->pool, symbol));
    if (x->symbol == first->symbol) out->symbol = symbol;
  }
  ExprId *parts[3] = {&out->lhs, &out->rhs, &out->combination};
  for (int i = 0; i < 3; i++) {
    if (*parts[i] && !expr_replace(w->pool, &map, parts[i], 1, parts[i])) return false;
  }
  out->of = general_name(w, &own, own.index);
  out->repeat = arena_printf(w->s->arena, "for %s in %lld .. %s", w->letter, (long long)own.index,
                             end_text(w, own.index + count - 1));
  return out->of && out->repeat;
}

// How many equations from `at` on repeat after `period` of them, as whole periods. 0: they do not.
static uint32_t stretch(Folding *w, const Derivation *d, uint32_t at, uint32_t period) {
  uint32_t end = at;
  while (end + period < d->equations.count && follows(w, &d->equations.items[end], &d->equations.items[end + period]))
    end++;
  uint32_t periods = (end - at) / period + 1;
  return periods >= least ? periods : 0;
}

bool derivation_fold(System *s, Derivation *d) {
  enum { longest = 6 }; // equations of one cell
  Folding work = {.s = s, .pool = d->pool}, *w = &work;
  if (d->equations.count < least) return true;
  w->letter = free_letter(d->pool);
  if (!w->letter) return true;
  if (!find_symbols(w)) return false;
  if (w->list.count < least) return true;
  VEC(ShownEquation) folded = {0};
  for (uint32_t i = 0; i < d->equations.count;) {
    uint32_t period = 1, periods = 0;
    for (uint32_t p = 1; p <= longest && !periods; p++) {
      periods = stretch(w, d, i, p);
      if (periods) period = p;
    }
    for (uint32_t k = 0; k < period; k++) {
      ShownEquation e = d->equations.items[i + k];
      if (periods && !write_general(w, &d->equations.items[i + k], periods, &e)) return false;
      if (!vec_push(s->arena, &folded, e)) return false;
    }
    i += periods ? period * periods : 1;
  }
  for (uint32_t i = 0; i < folded.count; i++) d->equations.items[i] = folded.items[i];
  d->equations.count = folded.count;
  return !arena_failed(s->arena);
}
