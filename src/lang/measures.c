// Measures as texts: formulas in which max(e), min(e), mean(e), sd(e), final(e), integral(e) and time(condition), each
// with one argument, stand for what a run comes to.
//
// How: the text is evaluated as any formula, but calls of these words are caught (EvalCalls): the argument becomes a
// gauge, and the call its symbol. Outside of them nothing may change during a run.
#include "lang/measures.h"

#include "expr/ops.h"
#include "lang/eval.h"
#include "lang/parser_inside.h"

#include <string.h>

static const char *const words[measure_kind_count] = {"max", "min", "mean", "sd", "final", "integral", "time"};

// What is read now: Elab.measuring.
typedef struct MeasureReading {
  MeasureSet *set;
  const EvalCalls *calls; // of all other words
  uint32_t inside;        // measures inside each other
} MeasureReading;

static Value call_other(Elab *e, const Ast *a, const Binding *env) { return e->measuring->calls->call(e, a, env); }

// Is it true or false?
static bool is_condition(const ExprPool *pool, ExprId id) {
  Rat r;
  int64_t whole;
  if (expr_number(pool, id, &r)) return rat_is_zero(r) || (rat_to_int(r, &whole) && whole == 1);
  return expr_op_is_truth(expr_op(pool, id));
}

static const char *text_of(Elab *e, Span span) {
  const Source *s = source_get(&e->model->sources, span);
  return s ? arena_strndup(e->arena, s->text + span.start, span.end - span.start) : "";
}

// The gauge of an expression, new or known; 0: out of memory.
static ExprId gauge_of(Elab *e, const Ast *a, MeasureKind kind, ExprId of) {
  MeasureSet *set = e->measuring->set;
  for (uint32_t i = 0; i < set->gauges.count; i++) {
    const MeasureGauge *g = &set->gauges.items[i];
    if (g->kind == kind && g->of == of) return expr_sym(e->pool, g->symbol);
  }
  MeasureGauge g = {kind, of, 0, text_of(e, a->span), a->span};
  const char *name = arena_printf(e->arena, "measure.%u", set->gauges.count + 1);
  g.symbol = name ? pool_symbol(e->pool, name, sym_signal, 0, 0) : 0;
  return g.symbol && vec_push(e->arena, &set->gauges, g) ? expr_sym(e->pool, g.symbol) : 0;
}

static Value call_measure(Elab *e, const Ast *a, const Binding *env) {
  MeasureReading *r = e->measuring;
  MeasureKind kind = measure_kind_count;
  for (MeasureKind k = 0; k < measure_kind_count; k++) {
    if (strcmp(a->name, words[k]) == 0) kind = k;
  }
  bool own = kind != measure_kind_count && a->count == 1 && !a->primes;
  if (!own && kind > measure_min && kind < measure_kind_count && kind != measure_integral && !names_find(e, a->name)) {
    diag_error(e->diags, diag_arguments, a->span, "`%s` takes 1 argument, not %u", a->name, a->count);
    return value_none();
  }
  if (!own) return call_other(e, a, env);
  if (r->inside) {
    diag_error(e->diags, diag_bad_measure, a->span,
               "a measure is a number of the whole run: it stands in no other one");
    return value_none();
  }
  r->inside++;
  ExprId of = eval_scalar(e, a->items[0], env, "what a measure is of");
  r->inside--;
  if (!of) return value_none();
  if (kind == measure_time && !is_condition(e->pool, of)) {
    diag_error(e->diags, diag_bad_measure, a->items[0]->span, "`time` is for how long a condition holds");
    diag_hint(e->diags, "write a comparison, `time(x > 1)`");
    return value_none();
  }
  ExprId id = gauge_of(e, a, kind, of);
  return id ? value_of(id) : value_none();
}

// Outside of gauges: numbers, parameters, gauges. False: reported.
static bool is_measure(Elab *e, ExprId id, const Ast *a) {
  const MeasureSet *set = e->measuring->set;
  if (expr_only_kinds(e->pool, id, kind_set(sym_param) | kind_set(sym_bound) | kind_set(sym_signal))) {
    bool energy = false;
    uint32_t length;
    const ExprId *list = pool_reach(e->pool, &id, 1, NULL, NULL, &length);
    for (uint32_t i = 0; list && i < length; i++) {
      SymbolId s = expr_op(e->pool, list[i]) == op_sym ? expr_symbol(e->pool, list[i]) : 0;
      if (!s || pool_symbol_get(e->pool, s)->kind != sym_signal) continue;
      bool gauge = false;
      for (uint32_t k = 0; k < set->gauges.count; k++) gauge = gauge || set->gauges.items[k].symbol == s;
      energy = energy || !gauge;
    }
    if (!energy) return true;
  }
  const char *text = text_of(e, a->span);
  diag_error(e->diags, diag_bad_measure, a->span, "this changes during a run: which of its values is meant?");
  bool gauges = expr_has_kind(e->pool, id, sym_signal) && set->gauges.count;
  if (strlen(text) < 40 && !gauges)
    diag_hint(e->diags, "write `max(%s)`, `min(%s)`, `mean(%s)`, `sd(%s)`, `final(%s)` or `integral(%s)`", text, text,
              text, text, text, text);
  else diag_hint(e->diags, "measures are `max min mean sd final integral` of an expression, and `time(condition)`");
  return false;
}

// Symbols from this one on that the equations of the model do not have: energies and gauges are found by their names.
static bool has_new(const Elab *e, uint32_t first) {
  for (SymbolId s = first; s < e->pool->symbols.count; s++) {
    SymbolKind kind = pool_symbol_get(e->pool, s)->kind;
    if (kind != sym_signal && kind != sym_bound) return true;
  }
  return false;
}

static void read_text(TextScope *scope, Parser *p, const char *text) {
  Elab *e = &scope->elab;
  if (at_kind(p, tok_newline) || at_kind(p, tok_end)) {
    diag_error(p->diags, diag_bad_measure, peek(p)->span, "there is no measure here");
    diag_hint(p->diags, "for example `max(x)`, `final(x) - x0` or `time(x > 1)`");
    return;
  }
  uint32_t symbols = e->pool->symbols.count, tables = scope->model.tables.count;
  Ast *a = parse_formula(p);
  if (!a) return;
  if (!at_kind(p, tok_newline) && !at_kind(p, tok_end)) {
    parse_unexpected(p, "the end of the measure");
    if (at_kind(p, tok_equal)) diag_hint(p->diags, "`==` compares");
    return;
  }
  ExprId id = eval_scalar(e, a, NULL, "a measure");
  if (!id || !is_measure(e, id, a)) return;
  if (has_new(e, symbols) || scope->model.tables.count > tables) {
    diag_error(e->diags, diag_bad_measure, a->span, "this holds something that the model does not compute");
    diag_hint(e->diags, "give it a name in the model, `let v = ...`, and measure that");
    return;
  }
  Measure m = {arena_strndup(e->arena, text, strlen(text)), id, is_condition(e->pool, id), a->span};
  vec_push(e->arena, &e->measuring->set->items, m);
}

bool measure_read(TextScope *scope, const char *option, const char *text, MeasureSet *set) {
  Model *m = &scope->model;
  Elab *e = &scope->elab;
  uint32_t errors = m->diags.errors;
  Parser parser;
  if (!scope_tokens(scope, option, text, &parser)) return false;
  if (m->diags.errors > errors) return true;
  MeasureReading reading = {.set = set, .calls = e->calls};
  EvalCalls own = *e->calls;
  own.call = call_measure;
  e->calls = &own;
  e->measuring = &reading;
  read_text(scope, &parser, text);
  e->calls = reading.calls;
  e->measuring = NULL;
  return !arena_failed(m->arena);
}
