// Symbols with indices: which is the next one, and what stands for all of them.
//
// in    the symbols of a pool, those called T[1], T[2], ... among them
// out   expressions with all indices one larger; expressions with i instead of an own index; ranges of it
// how   One map takes every symbol X[m] to X[m+1]. Equal expressions have equal ids, so what goes on is seen by
//       comparing ids. The shown one gets symbols of its own: T[i-1], T[i], T[i+1].
// why   a range ends in a parameter (n-1) only where that parameter makes ranges in the text
#include "algebra/folding.h"

#include <stdlib.h>
#include <string.h>

// The first number in brackets of a name. False: there is none.
bool folding_index(const char *name, Indexed *out) {
  const char *open = name ? strchr(name, '[') : NULL;
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

bool folding_follows(const Indexed *a, const Indexed *b) {
  return a->open == b->open && memcmp(a->name, b->name, a->open) == 0 &&
         strcmp(a->name + a->close, b->name + b->close) == 0 && b->index == a->index + 1;
}

static bool find_symbols(Folding *w) {
  for (uint32_t i = 1; i < w->pool->symbols.count; i++) {
    const Symbol *symbol = pool_symbol_get(w->pool, i);
    Indexed found;
    if (!folding_index(symbol->name, &found)) continue;
    found.symbol = i;
    if (!vec_push(w->s->arena, &w->list, found)) return false;
  }
  if (w->list.count < fold_least) return true;
  qsort(w->list.items, w->list.count, sizeof *w->list.items, compare);
  w->next = symbol_map_new(w->pool);
  // the last of a family has no next one: it becomes what stands in no equation, for T[n] as its own successor would
  // make T[n-1] - 2*T[n] + T[n] of a stencil, which may be the equation of an end
  SymbolId nothing = pool_symbol(w->pool, "(no next one)", sym_param, 0, 0);
  for (uint32_t i = 0; i < w->list.count && nothing; i++) {
    const Indexed *a = &w->list.items[i], *b = i + 1 < w->list.count ? a + 1 : NULL;
    bool has = b && folding_follows(a, b) &&
               pool_symbol_get(w->pool, a->symbol)->kind == pool_symbol_get(w->pool, b->symbol)->kind;
    symbol_map_set(&w->next, a->symbol, expr_sym(w->pool, has ? b->symbol : nothing));
  }
  return !arena_failed(w->s->arena);
}

// Would a name look like the general one of a family, hi or h_i beside h[i]?
static bool looks_general(const Folding *w, const char *name, const char *letter) {
  size_t n = strlen(name), tail = strlen(letter);
  if (n <= tail || strcmp(name + n - tail, letter) != 0) return false;
  n -= tail;
  if (n > 1 && name[n - 1] == '_') n--;
  for (uint32_t i = 0; i < w->list.count; i++) {
    if (w->list.items[i].open == n && memcmp(w->list.items[i].name, name, n) == 0) return true;
  }
  return false;
}

// A letter that no symbol is called by.
static const char *free_letter(const Folding *w) {
  static const char *const letters[] = {"i", "k", "j", "n", "m"};
  for (size_t l = 0; l < sizeof letters / sizeof *letters; l++) {
    bool taken = false;
    for (uint32_t i = 1; i < w->pool->symbols.count && !taken; i++) {
      const char *name = pool_symbol_get(w->pool, i)->name;
      taken = name && (strcmp(name, letters[l]) == 0 || looks_general(w, name, letters[l]));
    }
    if (!taken) return letters[l];
  }
  return NULL;
}

bool folding_open(Folding *w, System *s, ExprPool *pool) {
  *w = (Folding){.s = s, .pool = pool};
  if (!find_symbols(w)) return false;
  if (w->list.count >= fold_least) w->letter = free_letter(w);
  return true;
}

// ---- for all that can repeat

ExprId folding_next(Folding *w, ExprId id) {
  ExprId image = 0;
  return id && expr_replace(w->pool, &w->next, &id, 1, &image) ? image : 0;
}

// X[m] as a symbol X[i+d], d counted from the own index of what it stands in.
const char *folding_name(Folding *w, const Indexed *x, int64_t own) {
  int64_t away = x->index - own;
  const char *number = away ? arena_printf(w->s->arena, "%+lld", (long long)away) : "";
  return number ? arena_printf(w->s->arena, "%.*s[%s%s%s", (int)x->open, x->name, w->letter, number, x->name + x->close)
                : NULL;
}

bool folding_general(Folding *w, int64_t own, ExprId *ids, uint32_t count) {
  SymbolMap map = symbol_map_new(w->pool);
  for (uint32_t i = 0; i < w->list.count; i++) {
    const Indexed *x = &w->list.items[i];
    bool used = false;
    for (uint32_t k = 0; k < count && !used; k++) used = ids[k] && expr_depends(w->pool, ids[k], x->symbol);
    if (!used) continue;
    const Symbol *was = pool_symbol_get(w->pool, x->symbol);
    const char *name = folding_name(w, x, own);
    SymbolId symbol = name ? pool_symbol(w->pool, name, was->kind, was->index, was->order) : 0;
    if (!symbol) return false;
    symbol_map_set(&map, x->symbol, expr_sym(w->pool, symbol));
  }
  for (uint32_t k = 0; k < count; k++) {
    if (ids[k] && !expr_replace(w->pool, &map, &ids[k], 1, &ids[k])) return false;
  }
  return true;
}

// "n-1" where a parameter that makes ranges ends this one, else the number.
static void find_end(Folding *w, int64_t end, ShownRange *range) {
  for (int away = 0; away < 4; away++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      int64_t off = (int64_t)sign * away;
      for (uint32_t i = 0; i < w->s->params.count; i++) {
        const SystemParam *p = &w->s->params.items[i];
        Rat value;
        bool whole = p->structural && p->value && expr_number(w->pool, p->value, &value);
        if (!whole || rat_to_double(value) != (double)(end - off)) continue;
        range->name = p->name;
        range->to = off;
        return;
      }
    }
  }
  range->to = end;
}

const ShownRange *folding_range(Folding *w, int64_t from, int64_t to) {
  Arena *arena = w->s->arena;
  ShownRange *r = arena_new_of(arena, ShownRange);
  if (!r) return NULL;
  *r = (ShownRange){.letter = w->letter, .from = from};
  find_end(w, to, r);
  const char *end = r->name && r->to ? arena_printf(arena, "%s%+lld", r->name, (long long)r->to)
                    : r->name        ? r->name
                                     : arena_printf(arena, "%lld", (long long)r->to);
  r->end = end;
  if (end) r->text = arena_printf(arena, "for %s in %lld .. %s", r->letter, (long long)from, end);
  return r->text ? r : NULL;
}
