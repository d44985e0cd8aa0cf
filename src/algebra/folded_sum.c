// Sums whose terms repeat: sum(1/2*m[i]*x[i]'^2, i, 1, n).
//
// in    a sum, multiplied out
// out   its text, in which terms that follow from each other by the next index stand once
// how   A term whose image by the next index is another term goes before it. Chains start where no term goes before;
//       what is in no chain of `fold_least` and more stands behind them.
#include "algebra/folded_sum.h"

#include "algebra/folding.h"

#include <stdlib.h>

typedef struct SumTerm {
  ExprId id;
  uint32_t at;           // index in the sum
  uint32_t next, before; // indices plus one; 0: none
} SumTerm;

static int by_id(const void *x, const void *y) {
  const SumTerm *a = x, *b = y;
  return a->id < b->id ? -1 : a->id > b->id;
}

static void link_terms(Folding *w, SumTerm *terms, const SumTerm *sorted, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    SumTerm key = {.id = folding_next(w, terms[i].id)};
    if (key.id == terms[i].id) continue; // nothing in it has an index
    const SumTerm *found = bsearch(&key, sorted, n, sizeof *sorted, by_id);
    if (!found || terms[found->at].before) continue;
    terms[i].next = found->at + 1;
    terms[found->at].before = i + 1;
  }
}

// The least index in a term.
static int64_t own_index(Folding *w, ExprId id) {
  bool any = false;
  int64_t least = 0;
  for (uint32_t i = 0; i < w->list.count; i++) {
    const Indexed *x = &w->list.items[i];
    if ((any && x->index >= least) || !expr_depends(w->pool, id, x->symbol)) continue;
    least = x->index;
    any = true;
  }
  return least;
}

static bool take_chain(Folding *w, ExprId first, bool minus, uint32_t length, ShownTerms *out) {
  int64_t own = own_index(w, first);
  ExprId term = minus ? expr_neg(w->pool, first) : first;
  const ShownRange *range = folding_range(w, own, own + length - 1);
  if (!range || !folding_general(w, own, &term, 1)) return false;
  return vec_push(w->s->arena, out, ((ShownTerm){term, minus, range}));
}

bool folded_terms(System *s, ExprPool *pool, ExprId sum, ShownTerms *out) {
  Folding work, *w = &work;
  uint32_t n = expr_term_count(pool, sum);
  if (n < fold_least || !folding_open(w, s, pool) || !w->letter) return false;
  SumTerm *terms = arena_array(s->arena, n, sizeof *terms), *sorted = arena_array(s->arena, n, sizeof *sorted);
  Term *rest = arena_array(s->arena, n, sizeof *rest);
  if (!terms || !sorted || !rest) return false;
  for (uint32_t i = 0; i < n; i++) {
    Term t = expr_term(pool, sum, i);
    terms[i] = sorted[i] = (SumTerm){.id = expr_scale(pool, t.coef, t.term), .at = i};
  }
  qsort(sorted, n, sizeof *sorted, by_id);
  link_terms(w, terms, sorted, n);
  uint32_t rests = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t length = 1;
    if (terms[i].before) continue;
    for (uint32_t k = i; terms[k].next; k = terms[k].next - 1) length++;
    if (length >= fold_least) {
      if (!take_chain(w, terms[i].id, rat_sign(expr_term(pool, sum, i).coef) < 0, length, out)) return false;
      continue;
    }
    for (uint32_t k = i, left = length; left > 0; left--, k = terms[k].next - 1)
      rest[rests++] = expr_term(pool, sum, terms[k].at);
  }
  if (!out->count) return false;
  return !rests || vec_push(s->arena, out, ((ShownTerm){expr_group(pool, expr_sum(pool, rest, rests)), false, NULL}));
}

static void put_signed(Text *t, const char *text) {
  bool minus = *text == '-';
  if (t->length) text_put(t, minus ? " - " : " + ");
  else if (minus) text_putc(t, '-');
  text_put(t, text + minus);
}

const char *folded_text(Arena *arena, ExprPool *pool, const ShownTerms *terms, const ExprNames *names) {
  Text out = text_in(arena);
  for (uint32_t i = 0; i < terms->count; i++) {
    const ShownTerm *t = &terms->items[i];
    Text one = text_in(arena), whole = text_in(arena);
    expr_print(pool, t->value, format_text, names, &one);
    if (t->repeat)
      text_printf(&whole, "%ssum(%s, %s, %lld, %s)", t->minus ? "-" : "", text_str(&one), t->repeat->letter,
                  (long long)t->repeat->from, t->repeat->end);
    put_signed(&out, text_str(t->repeat ? &whole : &one));
  }
  return text_str(&out);
}

const char *folded_sum(System *s, ExprPool *pool, ExprId sum) {
  ShownTerms terms = {0};
  if (!folded_terms(s, pool, sum, &terms)) return NULL;
  return folded_text(s->arena, pool, &terms, NULL);
}

void folded_energies(System *s, Steps *steps) {
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    StepLine *l = &steps->lines.items[i];
    ShownTerms terms = {0};
    if (l->kind <= line_dissipation && folded_terms(s, steps->pool, l->value, &terms)) l->folded = terms;
  }
}
