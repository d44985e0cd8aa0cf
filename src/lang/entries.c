// Lists for indexed names.
//
// in    an item `tau = [a, b, c]` without an index, and a name tau that was declared with one
// out   an item for each element, in the order of their indices; tau[0], tau[1], tau[2] and tau[2], tau[5], tau[7]
//       are three alike
//
// Parameters, inputs, coordinates and states may be set so; what else has an index (nodes, `let`) has no setting.
#include "lang/entries.h"

#include "lang/eval.h"

#include <string.h>

enum { widest = 10000000 }; // from the least to the largest index

static bool may_be_set(DeclKind kind) {
  return kind == decl_param || kind == decl_input || kind == decl_coord || kind == decl_state;
}

// The scope of the part that a name leads to, and what follows the last dot.
static const Scope *part_of(const Elab *e, const Scope *names, Arena *arena, const char *name, const char **last) {
  const char *dot = strrchr(name, '.');
  *last = dot ? dot + 1 : name;
  if (!dot) return names;
  const char *part = arena_strndup(arena, name, (size_t)(dot - name));
  const Decl *d = part ? names_find_in(e, names, part) : NULL;
  return d && d->kind == decl_part ? d->part : NULL;
}

Entries entries_find(Elab *e, const Scope *names, const Item *item, const char *name) {
  Entries none = {0}, out = {.name = name};
  const char *last;
  out.scope = item->index ? NULL : part_of(e, names, e->arena, name, &last);
  const Family *f = out.scope ? names_family(out.scope, last) : NULL;
  if (!f || f->runs.count || f->most - f->least >= widest) return none;
  size_t most = (size_t)(f->most - f->least) + 1;
  out.list = arena_array(e->arena, most, sizeof *out.list);
  out.index = arena_array(e->arena, most, sizeof *out.index);
  for (int64_t i = f->least; out.list && out.index && i <= f->most; i++) {
    ArenaMark mark = arena_mark(e->pool->scratch);
    const char *full = arena_printf(e->pool->scratch, "%s[%lld]", last, (long long)i);
    Decl *d = full ? names_find_in(e, out.scope, full) : NULL;
    arena_release(e->pool->scratch, mark);
    if (!d) continue;
    if (!may_be_set(d->kind)) return none;
    out.list[out.count] = d;
    out.index[out.count++] = i;
  }
  if (!out.count) return none;
  out.family = f;
  return out;
}

const Item *entries_take(Elab *e, const Item *item, uint32_t k) {
  Item *one = arena_new_of(e->arena, Item);
  if (!one) return NULL;
  *one = *item;
  one->value = item->value->items[k];
  if (item->value->unit) one->unit = item->value->unit;
  return one;
}

const Item *entries_element(Elab *e, const Entries *entries, const Item *item, uint32_t k) {
  const Item *entry = entries_take(e, item, k);
  Item *one = arena_new_of(e->arena, Item);
  Ast *index = arena_new_of(e->arena, Ast);
  if (!entry || !one || !index) return NULL;
  *index = (Ast){.kind = ast_number, .span = item->name_span, .number = rat_int(entries->index[k])};
  *one = *entry;
  one->index = index;
  return one;
}

const char *entries_name(Elab *e, const Entries *entries, uint32_t k) {
  return arena_printf(e->arena, "%s[%lld]", entries->name, (long long)entries->index[k]);
}

bool entries_fit(Elab *e, const Entries *x, const Item *item) {
  const Ast *a = item->value;
  const char *primes = item->primes ? "'" : "";
  if (a->kind != ast_list) {
    diag_error(e->diags, diag_entries, item->name_span, "`%s` is declared with an index: a list sets its entries",
               x->name);
    diag_hint(e->diags, "write `%s%s = [...]` with %u entr%s, or `%s[%lld]%s = ...` for one of them", x->name, primes,
              x->count, x->count == 1 ? "y" : "ies", x->name, (long long)x->index[0], primes);
    return false;
  }
  if (a->count == x->count) return true;
  diag_error(e->diags, diag_entries, a->span, "this list has %u entr%s, but there %s %u of `%s`", a->count,
             a->count == 1 ? "y" : "ies", x->count == 1 ? "is" : "are", x->count, x->name);
  diag_hint(e->diags, "they are `%s[%lld]` to `%s[%lld]`", x->name, (long long)x->index[0], x->name,
            (long long)x->index[x->count - 1]);
  return false;
}
