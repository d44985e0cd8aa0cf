// Blocks: operators of the analog computer.
//
// Blocks without memory become expressions. A block with continuous memory adds hidden states, one with discrete memory
// a symbol and the rule of its changes, a delay a symbol that the run provides. Inputs of blocks with memory are read
// after everything else, because they may depend on the block's own output: a loop through such a block is no circle.
//
// A name for a block with memory: that of the `let` which is this block; else what it stands in, its word, and from the
// second of this word on its number: y.integral, y.latch.2. What it stands in is the `let`, the coordinate of the
// `force`, the left side of the equation, or the word of the statement: x.friction, potential.integral. So names do not
// depend on lines. States inside a block have the letters of the textbook: u.I and u.f of a pid, y.x1, y.x2, ... of a
// transfer function.
#include "lang/elab.h"

#include "expr/calculus.h"
#include "expr/ops.h"

#include <string.h>

static Value bad(void) { return value_none(); }

static ExprId fn(Elab *e, ExprOp op, ExprId a, ExprId b) {
  return expr_fn(e->pool, op, (ExprId[]){a, b}, op == op_not ? 1 : 2);
}
static ExprId cond(Elab *e, ExprId c, ExprId a, ExprId b) { return expr_fn(e->pool, op_if, (ExprId[]){c, a, b}, 3); }
static ExprId ratio(Elab *e, int64_t num, int64_t den) { return expr_num(e->pool, rat_make(e->pool->arena, num, den)); }
static ExprId half(Elab *e, ExprId x) { return expr_scale(e->pool, (Rat){1, 2, NULL}, x); }

// ---- places

void note_place(Elab *e, ExprId id, const char *word, Span span) {
  if (!id || !word) return;
  const ExprPool *pool = e->pool;
  uint32_t count = expr_op(pool, id) == op_mul ? expr_factor_count(pool, id) : 1;
  for (uint32_t i = 0; i < count; i++) {
    ExprId node = expr_op(pool, id) == op_mul ? expr_factor(pool, id, i).base : id;
    // what depends on parameters alone never switches
    if (expr_op_switches(expr_op(pool, node)) && !expr_only_kinds(pool, node, kind_set(sym_param)))
      vec_push(e->arena, &e->model->places, (ModelPlace){node, word, span});
  }
}

static ExprId placed(Elab *e, ExprId id, const Ast *a) {
  note_place(e, id, a->name, a->span);
  return id;
}

// ---- arguments

static bool scalars(Elab *e, const Ast *a, const Binding *env, ExprId *out) {
  bool ok = true;
  for (uint32_t i = 0; i < a->count; i++) {
    out[i] = eval_scalar(e, a->items[i], env, arena_printf(e->arena, "an argument of `%s`", a->name));
    ok = ok && out[i];
  }
  return ok;
}

static void check_during(Elab *e, const Ast *a, ExprId wrong, const char *message) {
  if (!wrong || wrong == e->pool->zero) return;
  vec_push(e->arena, &e->model->checks,
           (ModelCheck){wrong, diag_block_limits, arena_printf(e->arena, "`%s`: %s", a->name, message), a->span});
}

// What must not be: told at once where numbers say so, before the run where parameters do, else when it happens.
static void demand(Elab *e, const Ast *a, ExprId wrong, const char *message) {
  Rat r;
  if (!wrong) return;
  const char *text = arena_printf(e->arena, "`%s`: %s", a->name, message);
  if (expr_number(e->pool, wrong, &r)) {
    if (!rat_is_zero(r)) diag_error(e->diags, diag_block_limits, a->span, "%s", text);
  } else if (expr_only_kinds(e->pool, wrong, kind_set(sym_param))) {
    vec_push(e->arena, &e->model->demands, (ModelCheck){wrong, diag_block_limits, text, a->span});
  } else {
    check_during(e, a, wrong, message);
  }
}

// A number or expression of parameters for a start.
static ExprId start_of(Elab *e, const Ast *a, const Binding *env, uint32_t i, ExprId otherwise) {
  if (i >= a->count) return otherwise;
  ExprId id = eval_scalar(e, a->items[i], env, "a start");
  return id && only_params(e, id, a->items[i]->span, "a start") ? id : otherwise;
}

// ---- blocks with memory

// May a block with memory stand here?
static bool may_stand(Elab *e, const Ast *a) {
  if (e->no_blocks)
    diag_error(e->diags, diag_block_place, a->span, "the block `%s` has no place outside of a model", a->name);
  else if (e->constant)
    diag_error(e->diags, diag_block_place, a->span,
               "`%s` is a block with memory, and this must be known when the file is read", a->name);
  else if (e->bound_depth)
    diag_error(
        e->diags, diag_block_place, a->span,
        "`%s` is a block with memory: it cannot stand inside an integral, an inverse or a derivative of a function",
        a->name);
  else return true;
  return false;
}

// What the statement that is evaluated is about: the coordinate of a force, the left side of an equation; NULL:
// neither.
static Decl *statement_decl(Elab *e) {
  const Stmt *s = e->statement;
  if (!e->item || !s || (s->kind != stmt_force && s->kind != stmt_equation)) return NULL;
  const char *name = full_name(e, e->item, e->statement_env);
  return name ? decl_find(e, name) : NULL;
}

// The blocks in statements of this word; NULL: memory is out.
static BlockCount **word_blocks(Elab *e, const char **owner) {
  const Source *src = e->statement ? source_get(&e->model->sources, e->statement->word) : NULL;
  Span word = e->statement ? e->statement->word : (Span){0};
  const char *name =
      src ? arena_printf(e->arena, "%s%.*s", e->scope->prefix, (int)(word.end - word.start), src->text + word.start)
          : "";
  *owner = name;
  for (uint32_t i = 0; name && i < e->words.count; i++) {
    if (strcmp(e->words.items[i].word, name) == 0) return &e->words.items[i].blocks;
  }
  return name && vec_push(e->arena, &e->words, (WordBlocks){name, NULL}) ? &e->words.items[e->words.count - 1].blocks
                                                                         : NULL;
}

// One more of a word: its number; 0: memory is out.
static uint32_t count_block(Elab *e, BlockCount **list, const char *word) {
  for (BlockCount *b = *list; b; b = b->next) {
    if (strcmp(b->word, word) == 0) return ++b->count;
  }
  BlockCount *b = arena_new_of(e->arena, BlockCount);
  if (!b) return 0;
  *b = (BlockCount){word, 1, *list};
  *list = b;
  return 1;
}

static const char *new_name(Elab *e, const Ast *a) {
  const char *owner = e->owner, *word = a->name;
  BlockCount **list = &e->owner_blocks;
  Decl *d = e->active.count ? e->active.items[e->active.count - 1] : owner ? NULL : statement_decl(e);
  if (d) {
    owner = d->name;
    list = &d->blocks;
    if (d->kind == decl_let && d->item->value == a && !*list) return owner; // the `let` is the block, and its name
  } else if (!owner) {
    list = word_blocks(e, &owner);
    if (!list) return NULL;
  }
  uint32_t number = count_block(e, list, word);
  if (number == 0) return NULL;
  return number == 1 ? arena_printf(e->arena, "%s.%s", owner, word)
                     : arena_printf(e->arena, "%s.%s.%u", owner, word, number);
}

// The variables of a `sum` stand on the stack of its evaluation.
static const Binding *kept(Elab *e, const Binding *env) {
  const Binding *first = NULL;
  const Binding **link = &first;
  for (; env; env = env->next) {
    Binding *b = arena_new_of(e->arena, Binding);
    if (!b) return NULL;
    *b = *env;
    *link = b;
    link = (const Binding **)&b->next;
  }
  return first;
}

static void put_later(Elab *e, const Ast *a, const Binding *env, uint32_t index, const char *name,
                      void (*read)(Elab *, const Later *)) {
  vec_push(e->arena, &e->later, (Later){a, kept(e, env), e->scope, index, read, name});
}

void read_later(Elab *e) {
  for (; e->later_done < e->later.count && !arena_failed(e->arena) && !e->exhausted; e->later_done++) {
    const Later job = e->later.items[e->later_done];
    Scope *before = scope_enter(e, job.scope);
    e->owner = job.name;
    e->owner_blocks = NULL;
    job.read(e, &job);
    scope_enter(e, before);
  }
}

// A symbol of a block. One that no `let` is called by was made here.
static SymbolId own_symbol(Elab *e, const char *name, SymbolKind kind, uint32_t index, uint32_t order) {
  SymbolId s = pool_symbol(e->pool, name, kind, index, order);
  const Decl *d = e->active.count ? e->active.items[e->active.count - 1] : NULL;
  size_t n = d ? strlen(d->name) : 0;
  bool given = d && strncmp(name, d->name, n) == 0 && (name[n] == '\0' || name[n] == '\'');
  if (s) e->pool->symbols.items[s].made = !given;
  return s;
}

static uint32_t new_state(Elab *e, const char *name, Span span) {
  Model *m = e->model;
  uint32_t i = m->states.count;
  const char *rate = name ? arena_printf(e->arena, "%s'", name) : NULL;
  if (!rate) return i;
  ModelState s = {.name = name, .span = span, .equation = span, .hidden = true, .x0 = e->pool->zero};
  s.x = own_symbol(e, name, sym_state, i, 0);
  s.rate = own_symbol(e, rate, sym_state_rate, i, 1);
  vec_push(e->arena, &m->states, s);
  return i;
}

static Value state_value(Elab *e, uint32_t i) {
  return i < e->model->states.count ? value_of(expr_sym(e->pool, e->model->states.items[i].x)) : bad();
}

static ExprId symbol_value(Elab *e, SymbolId s) { return s ? expr_sym(e->pool, s) : 0; }

static uint32_t new_memory(Elab *e, const Ast *a, const char *name, bool logic) {
  uint32_t i = e->model->memories.count;
  ModelMemory m = {.name = name, .block = a->name, .span = a->span, .start = e->pool->zero, .logic = logic};
  const char *before = name ? arena_printf(e->arena, "%s.before", name) : NULL;
  if (!before) return i;
  m.symbol = own_symbol(e, name, sym_memory, i, 0);
  m.before = own_symbol(e, before, sym_memory, i, 0);
  m.rule = symbol_value(e, m.before);
  vec_push(e->arena, &e->model->memories, m);
  return i;
}

static Value memory_value(Elab *e, uint32_t i) {
  return i < e->model->memories.count ? value_of(symbol_value(e, e->model->memories.items[i].symbol)) : bad();
}

static bool no_signals(Elab *e, ExprId id, const Ast *a) {
  if (!id) return false;
  if (!expr_has_kind(e->pool, id, sym_signal)) return true;
  diag_error(e->diags, diag_signal_use, a->span, "the energies of a run are for outputs only");
  return false;
}

static bool all_scalars(Elab *e, const Later *job, ExprId *x) {
  if (!scalars(e, job->a, job->env, x)) return false;
  for (uint32_t i = 0; i < job->a->count; i++) {
    if (!no_signals(e, x[i], job->a->items[i])) return false;
  }
  return true;
}

// ---- integral

static void read_integral(Elab *e, const Later *job) {
  ExprId x = eval_scalar(e, job->a->items[0], job->env, "the input of `integral`");
  ExprId start = start_of(e, job->a, job->env, 1, e->pool->zero);
  ModelState *s = &e->model->states.items[job->index];
  if (!no_signals(e, x, job->a)) x = 0;
  s->rhs = x;
  s->x0 = start;
}

static Value block_integral(Elab *e, const Ast *a, const Binding *env) {
  if (!may_stand(e, a)) return bad();
  const char *name = new_name(e, a);
  uint32_t i = new_state(e, name, a->span);
  put_later(e, a, env, i, name, read_integral);
  return state_value(e, i);
}

// ---- corners

static Value block_limit(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[3];
  if (!scalars(e, a, env, x)) return bad();
  demand(e, a, fn(e, op_lt, x[2], x[1]), "the lower limit is above the upper one");
  return value_of(placed(e, fn(e, op_min, placed(e, fn(e, op_max, x[0], x[1]), a), x[2]), a));
}

static Value block_rectify(Elab *e, const Ast *a, const Binding *env) {
  ExprId x;
  return scalars(e, a, env, &x) ? value_of(placed(e, fn(e, op_max, x, e->pool->zero), a)) : bad();
}

static Value block_deadzone(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[2];
  if (!scalars(e, a, env, x)) return bad();
  demand(e, a, fn(e, op_lt, x[1], e->pool->zero), "the width is negative");
  ExprId w = half(e, x[1]), low = placed(e, fn(e, op_max, x[0], expr_neg(e->pool, w)), a);
  return value_of(expr_sub(e->pool, x[0], placed(e, fn(e, op_min, low, w), a)));
}

// hi where the condition (0 or 1) holds, else lo
static ExprId chosen(Elab *e, ExprId c, ExprId lo, ExprId hi) {
  ExprPool *p = e->pool;
  if (lo == p->zero && hi == p->one) return c;
  if (lo == p->one && hi == p->zero) return fn(e, op_not, c, 0);
  return expr_add(p, lo, expr_mul(p, expr_sub(p, hi, lo), c));
}

static Value block_compare(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[4];
  if (!scalars(e, a, env, x)) return bad();
  return value_of(chosen(e, placed(e, fn(e, op_lt, x[1], x[0]), a), x[2], x[3]));
}

// ---- logic

static bool is_logic(Elab *e, ExprId id) {
  const ExprPool *pool = e->pool;
  ExprOp op = expr_op(pool, id);
  if (expr_op_is_truth(op) || op == op_step || id == pool->zero || id == pool->one) return true;
  if (op != op_sym) return false;
  const Symbol *s = pool_symbol_get(pool, expr_symbol(pool, id));
  return s->kind == sym_memory && s->index < e->model->memories.count && e->model->memories.items[s->index].logic;
}

// 0..0.2 is 0, 0.8..1 is 1, anything else is an error; a little rounding is forgiven.
static ExprId level(Elab *e, ExprId x, const Ast *a) {
  if (!x || is_logic(e, x)) return x;
  ExprPool *p = e->pool;
  ExprId little = ratio(e, 1, 1000000000);
  ExprId under = placed(e, fn(e, op_lt, x, expr_neg(p, little)), a),
         over = placed(e, fn(e, op_lt, expr_add(p, p->one, little), x), a);
  ExprId high = placed(e, fn(e, op_lt, expr_add(p, ratio(e, 1, 5), little), x), a),
         low = placed(e, fn(e, op_lt, x, expr_sub(p, ratio(e, 4, 5), little)), a);
  ExprId outside = fn(e, op_or, under, over), between = fn(e, op_and, high, low);
  check_during(e, a, fn(e, op_or, outside, between), "an input is no logic level: 0 .. 0.2 is 0, 0.8 .. 1 is 1");
  return placed(e, fn(e, op_le, ratio(e, 1, 2), x), a);
}

static Value gate(Elab *e, const Ast *a, const Binding *env, ExprOp op, bool inverted) {
  ExprId r = 0;
  bool ok = true;
  for (uint32_t i = 0; i < a->count; i++) {
    ExprId x = eval_scalar(e, a->items[i], env, arena_printf(e->arena, "an input of `%s`", a->name));
    ok = ok && x;
    x = level(e, x, a);
    r = i == 0 ? x : fn(e, op, r, x);
  }
  return ok ? value_of(inverted ? fn(e, op_not, r, 0) : r) : bad();
}

static Value block_all(Elab *e, const Ast *a, const Binding *env) { return gate(e, a, env, op_and, false); }
static Value block_nand(Elab *e, const Ast *a, const Binding *env) { return gate(e, a, env, op_and, true); }
static Value block_any(Elab *e, const Ast *a, const Binding *env) { return gate(e, a, env, op_or, false); }
static Value block_nor(Elab *e, const Ast *a, const Binding *env) { return gate(e, a, env, op_or, true); }

static Value block_switch(Elab *e, const Ast *a, const Binding *env) {
  ExprId x[2];
  if (!scalars(e, a, env, x)) return bad();
  return value_of(cond(e, level(e, x[0], a), x[1], e->pool->zero));
}

// ---- discrete memory

static void read_hysteresis(Elab *e, const Later *job) {
  const Ast *a = job->a;
  ExprId x[6];
  if (!all_scalars(e, job, x)) return;
  demand(e, a, fn(e, op_lt, x[2], x[1]), "the lower threshold is above the upper one");
  ExprId above = placed(e, fn(e, op_lt, x[2], x[0]), a), below = placed(e, fn(e, op_lt, x[0], x[1]), a);
  ModelMemory *m = &e->model->memories.items[job->index];
  m->start = start_of(e, a, job->env, 5, fn(e, op_min, x[3], x[4]));
  m->rule = cond(e, above, x[3], cond(e, below, x[4], symbol_value(e, m->before)));
  if (m->start && !expr_only_kinds(e->pool, m->start, kind_set(sym_param))) m->start = x[3];
}

static Value block_hysteresis(Elab *e, const Ast *a, const Binding *env) {
  if (!may_stand(e, a)) return bad();
  const char *name = new_name(e, a);
  uint32_t i = new_memory(e, a, name, false);
  put_later(e, a, env, i, name, read_hysteresis);
  return memory_value(e, i);
}

static void read_latch(Elab *e, const Later *job) {
  const Ast *a = job->a;
  ExprId x[3];
  if (!all_scalars(e, job, x)) return;
  ExprId s = level(e, x[0], a), r = level(e, x[1], a);
  check_during(e, a, fn(e, op_and, s, r), "set and reset are both 1");
  ModelMemory *m = &e->model->memories.items[job->index];
  m->start = start_of(e, a, job->env, 2, e->pool->zero);
  m->rule = cond(e, s, e->pool->one, cond(e, r, e->pool->zero, symbol_value(e, m->before)));
}

static Value block_latch(Elab *e, const Ast *a, const Binding *env) {
  if (!may_stand(e, a)) return bad();
  const char *name = new_name(e, a);
  uint32_t i = new_memory(e, a, name, true);
  put_later(e, a, env, i, name, read_latch);
  return memory_value(e, i);
}

// Two memories: the output, and right behind it when the pulse ends.
static void read_pulse(Elab *e, const Later *job) {
  const Ast *a = job->a;
  ExprPool *p = e->pool;
  ExprId x[2];
  if (!all_scalars(e, job, x)) return;
  demand(e, a, fn(e, op_le, x[1], p->zero), "the pulse has no length");
  ExprId on = level(e, x[0], a), t = expr_sym(p, e->model->time);
  ModelMemory *out = &e->model->memories.items[job->index], *until = out + 1;
  ExprId was = symbol_value(e, out->before), end = symbol_value(e, until->before);
  ExprId over = placed(e, fn(e, op_le, end, t), a);
  // a fixed step meets the end only to rounding
  ExprId soon = fn(e, op_le, expr_sub(p, end, expr_scale(p, (Rat){1, 1000000000, NULL}, x[1])), t);
  out->rule = cond(e, was, fn(e, op_not, over, 0), on);
  out->stage = cond(e, was, fn(e, op_not, soon, 0), on);
  until->rule = until->stage = cond(e, fn(e, op_and, fn(e, op_not, was, 0), on), expr_add(p, t, x[1]), end);
  out->by_step = until->by_step = true;
  out->of[0] = on;
  out->of[1] = x[1];
  check_during(e, a, fn(e, op_and, fn(e, op_and, was, over), on), "the trigger is still 1 when the pulse ends");
}

static Value block_pulse(Elab *e, const Ast *a, const Binding *env) {
  if (!may_stand(e, a)) return bad();
  const char *name = new_name(e, a);
  uint32_t i = new_memory(e, a, name, true);
  new_memory(e, a, name ? arena_printf(e->arena, "%s.end", name) : NULL, false);
  put_later(e, a, env, i, name, read_pulse);
  return memory_value(e, i);
}

// Play: the output, which side is in touch (-1, 0, 1), where the output rests. A side that x just left is 2 or -2 until
// x turns: there rounding could say that it still pushes, and only a jump may bring it back.
static void read_backlash(Elab *e, const Later *job) {
  const Ast *a = job->a;
  ExprPool *p = e->pool;
  ExprId x[3];
  if (!all_scalars(e, job, x)) return;
  demand(e, a, fn(e, op_lt, x[1], p->zero), "the gap is negative");
  ExprId rate = x[0], w = half(e, x[1]), low = expr_sub(p, x[0], w), high = expr_add(p, x[0], w);
  if (!time_derivatives(e, &rate, 1, a->items[0]->span)) return;
  ModelMemory *out = &e->model->memories.items[job->index], *side = out + 1, *rest = out + 2;
  out->start = rest->start = start_of(e, a, job->env, 2, x[0]);
  out->of[0] = x[0];
  out->of[1] = x[1];
  out->stage = fn(e, op_min, fn(e, op_max, symbol_value(e, out->before), low), high);
  ExprId touch = symbol_value(e, side->symbol), was = symbol_value(e, side->before),
         held = symbol_value(e, rest->before);
  ExprId up = fn(e, op_eq, was, p->one), down = fn(e, op_eq, was, p->minus_one);
  ExprId back = placed(e, fn(e, op_lt, rate, p->zero), a), forth = placed(e, fn(e, op_lt, p->zero, rate), a);
  ExprId pushed = placed(e, fn(e, op_lt, held, low), a), pulled = placed(e, fn(e, op_lt, high, held), a);
  ExprId two = expr_int(p, 2), minus_two = expr_neg(p, two), left_up = fn(e, op_eq, was, two),
         left_down = fn(e, op_eq, was, minus_two);
  ExprId beyond =
      expr_scale(p, (Rat){1, 1000000000, NULL}, expr_sqrt(p, expr_add(p, expr_powi(p, held, 2), expr_powi(p, w, 2))));
  ExprId jump_up = placed(e, fn(e, op_lt, expr_add(p, held, beyond), low), a),
         jump_down = placed(e, fn(e, op_lt, expr_add(p, high, beyond), held), a);
  ExprId free = cond(e, pushed, p->one, cond(e, pulled, p->minus_one, p->zero));
  ExprId from_up = cond(e, pulled, p->minus_one, cond(e, jump_up, p->one, cond(e, forth, p->zero, two)));
  ExprId from_down = cond(e, pushed, p->one, cond(e, jump_down, p->minus_one, cond(e, back, p->zero, minus_two)));
  side->rule = cond(e, up, cond(e, back, two, p->one),
                    cond(e, down, cond(e, forth, minus_two, p->minus_one),
                         cond(e, left_up, from_up, cond(e, left_down, from_down, free))));
  rest->rule = cond(e, fn(e, op_and, up, back), low, cond(e, fn(e, op_and, down, forth), high, held));
  out->size = w;
  out->follow = cond(e, fn(e, op_eq, touch, p->one), low,
                     cond(e, fn(e, op_eq, touch, p->minus_one), high, symbol_value(e, rest->symbol)));
}

static Value block_backlash(Elab *e, const Ast *a, const Binding *env) {
  if (!may_stand(e, a)) return bad();
  const char *name = new_name(e, a);
  uint32_t i = new_memory(e, a, name, false);
  new_memory(e, a, name ? arena_printf(e->arena, "%s.side", name) : NULL, false);
  new_memory(e, a, name ? arena_printf(e->arena, "%s.rest", name) : NULL, false);
  if (i + 2 < e->model->memories.count)
    e->model->memories.items[i + 1].located = e->model->memories.items[i + 2].located = true;
  put_later(e, a, env, i, name, read_backlash);
  return memory_value(e, i);
}

// ---- delay, friction: the run provides their outputs

static void read_delay(Elab *e, const Later *job) {
  const Ast *a = job->a;
  ExprId x[3] = {0, 0, e->pool->zero};
  if (!all_scalars(e, job, x)) return;
  if (!only_params(e, x[1], a->items[1]->span, "the time of a delay")) return;
  demand(e, a, fn(e, op_lt, x[1], e->pool->zero), "the dead time is negative");
  KindSet allowed = kind_set(sym_param) | kind_set(sym_time);
  if (!expr_only_kinds(e->pool, x[2], allowed)) {
    diag_error(e->diags, diag_not_constant, a->items[2]->span,
               "the history of a delay may depend on time and parameters only");
    return;
  }
  ModelDelay *d = &e->model->delays.items[job->index];
  d->input = x[0];
  d->time = x[1];
  d->history = x[2];
}

static Value block_delay(Elab *e, const Ast *a, const Binding *env) {
  if (!may_stand(e, a)) return bad();
  const char *name = new_name(e, a);
  uint32_t i = e->model->delays.count;
  ModelDelay d = {
      .name = name, .input = e->pool->zero, .time = e->pool->one, .history = e->pool->zero, .span = a->span};
  d.symbol = name ? own_symbol(e, name, sym_delay, i, 0) : 0;
  if (!d.symbol || !vec_push(e->arena, &e->model->delays, d)) return bad();
  put_later(e, a, env, i, name, read_delay);
  return value_of(expr_sym(e->pool, d.symbol));
}

static void read_friction(Elab *e, const Later *job) {
  const Ast *a = job->a;
  ExprId x[3];
  if (!all_scalars(e, job, x)) return;
  if (a->count == 2) x[2] = x[1];
  demand(e, a, fn(e, op_lt, x[1], e->pool->zero), "the friction in motion is negative");
  // a law of friction that comes down from `stick` meets it at rest up to rounding
  ExprId about = expr_mul(e->pool, x[1], expr_sub(e->pool, e->pool->one, ratio(e, 1, (int64_t)1 << 40)));
  demand(e, a, fn(e, op_lt, x[2], about), "the friction at rest is less than in motion");
  // what holds at rest is a multiple of what acts in motion; a slip that vanishes on the way is told by the run
  bool fixed = !((expr_kinds(e->pool, x[1]) | expr_kinds(e->pool, x[2])) & ~kind_set(sym_param));
  ExprId slippery = fixed ? fn(e, op_and, fn(e, op_le, x[1], e->pool->zero), fn(e, op_lt, e->pool->zero, x[2])) : 0;
  demand(e, a, slippery, "the friction at rest is not zero, and that in motion is: give it a small value in motion");
  ModelFriction *f = &e->model->frictions.items[job->index];
  f->v = x[0];
  f->slip = x[1];
  f->stick = x[2];
}

static Value block_friction(Elab *e, const Ast *a, const Binding *env) {
  if (!may_stand(e, a)) return bad();
  const char *name = new_name(e, a);
  uint32_t i = e->model->frictions.count;
  ModelFriction f = {.name = name, .v = e->pool->zero, .slip = e->pool->zero, .stick = e->pool->zero, .span = a->span};
  f.symbol = name ? own_symbol(e, name, sym_friction, i, 0) : 0;
  if (!f.symbol || !vec_push(e->arena, &e->model->frictions, f)) return bad();
  put_later(e, a, env, i, name, read_friction);
  return value_of(expr_sym(e->pool, f.symbol));
}

// ---- transfer functions

// Coefficients, highest power first; zeros at the front are left out.
static ExprId *coefficients(Elab *e, const Ast *a, uint32_t which, const Binding *env, uint32_t *count) {
  Value v = eval(e, a->items[which], env);
  if (!v.shape) return NULL;
  if (v.shape == value_matrix) {
    diag_error(e->diags, diag_shape, a->items[which]->span, "the coefficients of `tf` are a list: `[1, 2]`");
    return NULL;
  }
  uint32_t n = value_count(&v), first = 0;
  while (first + 1 < n && value_item(&v, first) == e->pool->zero) first++;
  ExprId *c = arena_array(e->arena, n, sizeof *c);
  *count = n - first;
  for (uint32_t i = first; c && i < n; i++) {
    c[i - first] = value_item(&v, i);
    if (!only_params(e, c[i - first], a->items[which]->span, "a coefficient of `tf`")) return NULL;
  }
  return c;
}

static void read_tf(Elab *e, const Later *job) {
  ExprId x = eval_scalar(e, job->a->items[0], job->env, "the input of `tf`");
  ModelState *s = &e->model->states.items[job->index];
  if (no_signals(e, x, job->a)) s->rhs = expr_add(e->pool, s->rhs, x);
}

// x1' = x2, ..., xn' = u - a1 xn - ... - an x1;  y = sum of (b_i - b_0 a_i) x + b_0 u
static Value block_tf(Elab *e, const Ast *a, const Binding *env) {
  ExprPool *p = e->pool;
  uint32_t nn = 0, nd = 0;
  if (!may_stand(e, a)) return bad();
  ExprId *num = coefficients(e, a, 1, env, &nn), *den = coefficients(e, a, 2, env, &nd);
  if (!num || !den) return bad();
  if (den[0] == p->zero) {
    diag_error(e->diags, diag_improper, a->items[2]->span, "the denominator of `tf` is zero");
    return bad();
  }
  if (nn > nd) {
    diag_error(e->diags, diag_improper, a->span,
               "this transfer function is not proper: its numerator has degree %u, its denominator %u", nn - 1, nd - 1);
    diag_hint(e->diags, "add a fast pole to the denominator");
    return bad();
  }
  uint32_t n = nd - 1;
  const char *name = n ? new_name(e, a) : NULL;                      // before those of blocks in its input
  ExprId through = nn == nd ? expr_div(p, num[0], den[0]) : p->zero; // b_0
  ExprId direct = p->zero;
  if (through != p->zero) {
    direct = eval_scalar(e, a->items[0], env, "the input of `tf`");
    if (!direct) return bad();
  }
  ExprId y = expr_mul(p, through, direct), feedback = p->zero;
  uint32_t first = e->model->states.count;
  for (uint32_t i = 0; name && i < n; i++) {
    const char *own = n == 1 ? arena_printf(e->arena, "%s.x", name) : arena_printf(e->arena, "%s.x%u", name, i + 1);
    new_state(e, own, a->span);
  }
  e->block_name = name;
  if (e->model->states.count != first + n) return bad();
  for (uint32_t i = 0; i < n; i++) {
    ModelState *s = &e->model->states.items[first + i];
    ExprId x = expr_sym(p, s->x), ai = expr_div(p, den[n - i], den[0]); // of s^i
    uint32_t from = nd - nn;                                            // numerator padded to the denominator's length
    ExprId bi = n - i >= from ? expr_div(p, num[n - i - from], den[0]) : p->zero;
    y = expr_add(p, y, expr_mul(p, expr_sub(p, bi, expr_mul(p, through, ai)), x));
    feedback = expr_sub(p, feedback, expr_mul(p, ai, x));
    if (i + 1 < n) s->rhs = expr_sym(p, e->model->states.items[first + i + 1].x);
  }
  if (n) {
    e->model->states.items[first + n - 1].rhs = feedback;
    // an input that goes straight through is read already
    if (through == p->zero) put_later(e, a, env, first + n - 1, name, read_tf);
    else if (no_signals(e, direct, a)) e->model->states.items[first + n - 1].rhs = expr_add(p, feedback, direct);
  }
  return value_of(y);
}

// kp e + ki I + kd n (e - f),  I' = e,  f' = n (e - f). Where the output is limited the integral waits while e would
// drive it further out.
static Value block_pid(Elab *e, const Ast *a, const Binding *env) {
  ExprPool *p = e->pool;
  ExprId x[7];
  if (!may_stand(e, a)) return bad();
  if (a->count == 6) {
    diag_error(e->diags, diag_arguments, a->span, "`pid` takes 5 arguments, or 7 with both limits");
    return bad();
  }
  const char *name = new_name(e, a); // before those of blocks in its input
  if (!name || !scalars(e, a, env, x)) return bad();
  uint32_t i = new_state(e, arena_printf(e->arena, "%s.I", name), a->span);
  uint32_t f = new_state(e, arena_printf(e->arena, "%s.f", name), a->span);
  if (e->model->states.count <= f) return bad();
  e->block_name = name;
  ModelState *integral = &e->model->states.items[i], *filter = &e->model->states.items[f];
  ExprId I = expr_sym(p, integral->x), slow = expr_sym(p, filter->x), fast = expr_sub(p, x[0], slow);
  demand(e, a, fn(e, op_lt, x[4], p->zero), "the filter's n is negative");
  filter->rhs = expr_mul(p, x[4], fast);
  integral->rhs = x[0];
  ExprId u = expr_add(p, expr_mul(p, x[1], x[0]),
                      expr_add(p, expr_mul(p, x[2], I), expr_mul(p, expr_mul(p, x[3], x[4]), fast)));
  if (a->count < 7) return value_of(u);
  demand(e, a, fn(e, op_lt, x[6], x[5]), "the lower limit is above the upper one");
  // one condition a side, so that the sign of e, which is noise at rest, switches nothing inside the limits
  ExprId push = expr_mul(p, x[2], x[0]);
  ExprId out = placed(e, fn(e, op_lt, p->zero, placed(e, fn(e, op_min, expr_sub(p, u, x[6]), push), a)), a);
  ExprId in = placed(e, fn(e, op_lt, p->zero, placed(e, fn(e, op_min, expr_sub(p, x[5], u), expr_neg(p, push)), a)), a);
  integral->rhs = expr_mul(p, x[0], expr_sub(p, expr_sub(p, p->one, out), in));
  return value_of(placed(e, fn(e, op_min, placed(e, fn(e, op_max, u, x[5]), a), x[6]), a));
}

// ---- the table

static const struct {
  const char *name;
  uint32_t least, most;
  Value (*call)(Elab *e, const Ast *a, const Binding *env);
} blocks[] = {
    {"integral", 1, 2, block_integral},
    {"limit", 3, 3, block_limit},
    {"rectify", 1, 1, block_rectify},
    {"deadzone", 2, 2, block_deadzone},
    {"backlash", 2, 3, block_backlash},
    {"compare", 4, 4, block_compare},
    {"hysteresis", 5, 6, block_hysteresis},
    {"delay", 2, 3, block_delay},
    {"pulse", 2, 2, block_pulse},
    {"switch", 2, 2, block_switch},
    {"all", 1, 1000, block_all},
    {"nand", 1, 1000, block_nand},
    {"any", 1, 1000, block_any},
    {"nor", 1, 1000, block_nor},
    {"latch", 2, 3, block_latch},
    {"tf", 3, 3, block_tf},
    {"pid", 5, 7, block_pid},
    {"friction", 2, 3, block_friction},
};

enum { block_count = sizeof blocks / sizeof *blocks };

const char *block_name_at(uint32_t i) { return i < block_count ? blocks[i].name : NULL; }

bool is_block(const char *name) {
  for (uint32_t i = 0; i < block_count; i++) {
    if (strcmp(blocks[i].name, name) == 0) return true;
  }
  return false;
}

// Every block's output can be tabled: one that is no symbol, and not a `let` as a whole, gets a name.
static void put_output(Elab *e, const Ast *a, const Value *v) {
  const char *name = e->block_name;
  e->block_name = NULL;
  if (v->shape != value_scalar || e->constant || e->bound_depth || e->no_blocks) return;
  if (expr_op(e->pool, v->scalar) == op_sym || expr_op(e->pool, v->scalar) == op_num) return;
  if (e->active.count) {
    const Decl *d = e->active.items[e->active.count - 1];
    if (d->item->value == a) return;
  }
  if (!name) name = new_name(e, a);
  if (name) vec_push(e->arena, &e->model->blocks, (ModelBlock){name, v->scalar});
}

Value eval_block(Elab *e, const Ast *a, const Binding *env) {
  for (uint32_t i = 0; i < block_count; i++) {
    if (strcmp(blocks[i].name, a->name) != 0) continue;
    if (a->count >= blocks[i].least && a->count <= blocks[i].most) {
      Value v = blocks[i].call(e, a, env);
      put_output(e, a, &v);
      return v;
    }
    uint32_t least = blocks[i].least, most = blocks[i].most;
    if (least == most)
      diag_error(e->diags, diag_arguments, a->span, "`%s` takes %u argument%s, not %u", a->name, least,
                 least == 1 ? "" : "s", a->count);
    else if (a->count < least)
      diag_error(e->diags, diag_arguments, a->span, "`%s` takes at least %u argument%s, not %u", a->name, least,
                 least == 1 ? "" : "s", a->count);
    else
      diag_error(e->diags, diag_arguments, a->span, "`%s` takes at most %u arguments, not %u", a->name, most, a->count);
  }
  return bad();
}

// ---- when, every

static void put_assign(Elab *e, ModelWhen *w, const Item *item, const Binding *env) {
  const char *name = full_name(e, item, env);
  if (!name) return;
  ExprId value = eval_scalar(e, item->value, env, "a new value");
  Decl *d = decl_find(e, name);
  if (!d) {
    diag_error(e->diags, diag_unknown_name, item->name_span, "unknown name `%s`", name);
    const char *near = name_nearest(e, name);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    return;
  }
  bool coord = d->kind == decl_coord && item->primes <= 1, state = d->kind == decl_state && item->primes == 0;
  if (!coord && !state) {
    if (d->kind == decl_coord || d->kind == decl_state)
      diag_error(e->diags, diag_assign_target, item->name_span, "`%s` follows from the equations and cannot be set",
                 written_text(e, item->name_span));
    else
      diag_error(e->diags, diag_assign_target, item->name_span, "`%s` is %s and cannot be set", name,
                 decl_word(d->kind));
    diag_hint(
        e->diags,
        "a new value is for a coordinate, a velocity or a state; a `state` without an equation keeps what it is given");
    return;
  }
  if (!value || !no_signals(e, value, item->value)) return;
  value = apply_unit(e, value_of(value), &item->unit).scalar;
  if (state) e->model->states.items[d->index].assigned = true;
  AssignKind kind = state ? assign_state : item->primes ? assign_velocity : assign_place;
  for (uint32_t i = 0; i < w->assigns.count; i++) {
    if (w->assigns.items[i].kind != kind || w->assigns.items[i].index != d->index) continue;
    diag_error(e->diags, diag_twice, item->name_span, "`%s` gets two new values at once", name);
    return;
  }
  vec_push(e->arena, &w->assigns, (ModelAssign){kind, d->index, value, item->span});
}

void visit_when(Elab *e, const Stmt *s, const Binding *env) {
  ModelWhen w = {.stop = s->stop, .span = s->span};
  ExprId x = eval_scalar(e, s->expr, env, s->period ? "the period" : "a condition");
  if (x && s->period) {
    if (!only_params(e, x, s->expr->span, "the period of `every`")) x = 0;
    Rat r;
    if (x && expr_number(e->pool, x, &r) && rat_sign(r) <= 0)
      diag_error(e->diags, diag_block_limits, s->expr->span, "the period of `every` must be positive");
  } else if (x && !no_signals(e, x, s->expr)) {
    x = 0;
  }
  for (uint32_t i = 0; i < s->items.count; i++) put_assign(e, &w, &s->items.items[i], env);
  if (!x) return;
  *(s->period ? &w.period : &w.condition) = x;
  vec_push(e->arena, &e->model->whens, w);
}
