// What a model says beside its equations, as a textbook writes it.
//
// A memory is a case distinction: the rule that the run uses is a chain of `if`s, whose last value is the old one.
//   hysteresis, latch   z = a where c, b where d, else as it was
//   backlash            y = x - g/2 where it was below, x + g/2 where it was above, else as it was    (play)
//   pulse               p = 1 for T from each moment at which c becomes true, else 0
// A delay is its input a time ago, and its history before that; friction is a force against v, at v = 0 the
// sticking force.
#include "algebra/statements.h"

#include "expr/calculus.h"

#include <stdlib.h>
#include <string.h>

static bool put_case(ShownBlock *b, ShownCase c) {
  if (b->case_count == most_cases) return false;
  b->cases[b->case_count++] = c;
  return true;
}

static void put_part(ShownBlock *b, const char *name, ExprId value) {
  if (b->part_count < most_parts) b->parts[b->part_count++] = (ShownPart){name, value};
}

// if(c, a, if(d, b, old)) as cases. False: there are more than fit.
static bool put_chain(System *s, ShownBlock *b, ExprId rule, ExprId previous) {
  while (expr_op(s->pool, rule) == op_if) {
    const ExprId *a = pool_args(s->pool, rule);
    ShownCase c = {a[1] == previous ? case_as_it_was : case_value, where_holds, a[1], a[0], 0};
    if (!put_case(b, c)) return false;
    rule = a[2];
  }
  return put_case(b, (ShownCase){rule == previous ? case_as_it_was : case_value, where_otherwise, rule, 0, 0});
}

static void put_backlash(System *s, ShownBlock *b, const SystemMemory *m) {
  ExprPool *pool = s->pool;
  ExprId x = m->of[0], half = expr_scale(pool, (Rat){1, 2, NULL}, m->of[1]);
  put_case(b, (ShownCase){case_value, where_was_below, expr_sub(pool, x, half), 0, 0});
  put_case(b, (ShownCase){case_value, where_was_above, expr_add(pool, x, half), 0, 0});
  put_case(b, (ShownCase){case_as_it_was, where_otherwise, expr_sym(pool, m->before), 0, 0});
  put_part(b, "input", x);
  put_part(b, "gap", m->of[1]);
}

static void put_pulse(System *s, ShownBlock *b, const SystemMemory *m) {
  put_case(b, (ShownCase){case_value, where_pulse, s->pool->one, m->of[0], m->of[1]});
  put_case(b, (ShownCase){case_value, where_otherwise, s->pool->zero, 0, 0});
  put_part(b, "trigger", m->of[0]);
  put_part(b, "time", m->of[1]);
}

static bool is_word(const SystemMemory *m, const char *word) { return strcmp(m->block, word) == 0; }

// Memories of one block stand together; those behind the first are for the run alone.
static bool memories(System *s, Derivation *out) {
  for (uint32_t i = 0; i < s->memories.count; i++) {
    const SystemMemory *x = &s->memories.items[i];
    ShownBlock b = {.word = x->block, .symbol = x->symbol, .before = x->start, .span = x->span};
    if (is_word(x, "pulse")) {
      put_pulse(s, &b, x);
      b.before = 0;
      i += 1;
    } else if (is_word(x, "backlash")) {
      put_backlash(s, &b, x);
      i += 2;
    } else if (!put_chain(s, &b, x->rule, expr_sym(s->pool, x->before))) {
      return false;
    }
    if (!vec_push(s->arena, &out->blocks, b)) return false;
  }
  return true;
}

static bool delays(System *s, Derivation *out) {
  ExprPool *pool = s->pool;
  ExprId t = expr_sym(pool, s->time);
  for (uint32_t i = 0; i < s->delays.count; i++) {
    const SystemDelay *d = &s->delays.items[i];
    ShownBlock b = {.word = "delay", .symbol = d->symbol, .span = d->span};
    // the history at t - T
    SymbolMap then = symbol_map_in(s->arena);
    symbol_map_set(&then, s->time, expr_sub(pool, t, d->time));
    ExprId past = d->history;
    if (expr_has_kind(pool, past, sym_time) && !expr_replace(pool, &then, &d->history, 1, &past)) return false;
    ExprId later = expr_fn(pool, op_le, (ExprId[]){d->time, t}, 2);
    put_case(&b, (ShownCase){case_delayed, where_holds, d->input, later, d->time});
    put_case(&b, (ShownCase){case_value, where_otherwise, past, 0, 0});
    put_part(&b, "input", d->input);
    put_part(&b, "time", d->time);
    put_part(&b, "history", d->history);
    if (!vec_push(s->arena, &out->blocks, b)) return false;
  }
  return true;
}

static bool frictions(System *s, Derivation *out) {
  ExprPool *pool = s->pool;
  for (uint32_t i = 0; i < s->frictions.count; i++) {
    const SystemFriction *f = &s->frictions.items[i];
    ShownBlock b = {.word = "friction", .symbol = f->symbol, .span = f->span};
    ExprId forth = expr_fn(pool, op_lt, (ExprId[]){pool->zero, f->v}, 2);
    ExprId back = expr_fn(pool, op_lt, (ExprId[]){f->v, pool->zero}, 2);
    put_case(&b, (ShownCase){case_value, where_holds, expr_neg(pool, f->slip), forth, 0});
    put_case(&b, (ShownCase){case_value, where_holds, f->slip, back, 0});
    put_case(&b, (ShownCase){case_holding, where_at_rest, f->stick, f->v, 0});
    put_part(&b, "velocity", f->v);
    put_part(&b, "slip", f->slip);
    put_part(&b, "stick", f->stick);
    if (!vec_push(s->arena, &out->blocks, b)) return false;
  }
  return true;
}

static SymbolId target(const System *m, const SystemAssign *a) {
  if (a->kind == assign_state) return m->states.items[a->index].x;
  return a->kind == assign_place ? m->coords.items[a->index].q : m->coords.items[a->index].v;
}

static bool events(System *s, Derivation *out) {
  for (uint32_t i = 0; i < s->whens.count; i++) {
    const SystemWhen *w = &s->whens.items[i];
    ShownEvent e = {.condition = w->condition, .period = w->period, .stop = w->stop, .span = w->span};
    for (uint32_t k = 0; k < w->assigns.count; k++) {
      ShownAssign a = {target(s, &w->assigns.items[k]), w->assigns.items[k].value};
      if (!vec_push(s->arena, &e.assigns, a)) return false;
    }
    if (!vec_push(s->arena, &out->events, e)) return false;
  }
  return true;
}

// In the order of the text.
static int by_place(const void *a, const void *b) {
  const ShownBlock *x = a, *y = b;
  if (x->span.source != y->span.source) return x->span.source < y->span.source ? -1 : 1;
  if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
  return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

bool statements_derive(System *s, Derivation *out) {
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    const SystemInput *in = &s->inputs.items[i];
    ShownEquation e = {.of = in->name, .rhs = in->value, .span = in->span, .symbol = in->symbol};
    e.lhs = expr_sym(s->pool, in->symbol);
    if (!vec_push(s->arena, &out->inputs, e)) return false;
  }
  if (!memories(s, out) || !delays(s, out) || !frictions(s, out) || !events(s, out)) return false;
  if (out->blocks.count > 1) qsort(out->blocks.items, out->blocks.count, sizeof *out->blocks.items, by_place);
  return true;
}
