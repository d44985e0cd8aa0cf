// Parts of blocks (analog-computer operators): small expressions, demands, names, states, memories, deferred inputs.
//
// Blocks without memory become expressions. A block with continuous memory adds hidden states, one with discrete memory
// a symbol and the rule of its changes, a delay a symbol that the run provides. Inputs of blocks with memory are read
// after everything else, because they may depend on the block's own output:
// a loop through such a block is no cyclic definition.
//
// A name for a block with memory: that of the `let` which is this block; else what it stands in, its word, and from the
// second of this word on its number: y.integral, y.latch.2. What it stands in is the `let`, the coordinate of the
// `force`, the left side of the equation, or the word of the statement: x.friction, potential.integral. So names do not
// depend on lines. States inside a block have the letters of the textbook: u.I and u.f of a pid, y.x1, y.x2, ...
// of a transfer function.
#include "lang/block_parts.h"

#include "expr/ops.h"

#include <string.h>

ExprId blocks_op(Elab *e, ExprOp op, ExprId a, ExprId b) {
  return expr_fn(e->pool, op, (ExprId[]){a, b}, op == op_not ? 1 : 2);
}

ExprId blocks_if(Elab *e, ExprId c, ExprId a, ExprId b) { return expr_fn(e->pool, op_if, (ExprId[]){c, a, b}, 3); }

ExprId blocks_ratio(Elab *e, int64_t num, int64_t den) { return expr_num(e->pool, rat_make(e->pool->arena, num, den)); }

ExprId blocks_half(Elab *e, ExprId x) { return expr_scale(e->pool, (Rat){1, 2, NULL}, x); }

ExprId blocks_corner(Elab *e, ExprId id, const Ast *a) {
  elab_note_place(e, id, a->name, a->span);
  return id;
}

// ---- arguments

void blocks_check(Elab *e, const Ast *a, ExprId wrong, const char *message) {
  if (!wrong || wrong == e->pool->zero) return;
  vec_push(e->arena, &e->model->checks,
           (SystemCheck){wrong, diag_block_limits, arena_printf(e->arena, "`%s`: %s", a->name, message), a->span});
}

// A condition that must be false: reported at once where it is a number, before the run where it depends on parameters,
// else when it becomes true.
void blocks_demand(Elab *e, const Ast *a, ExprId wrong, const char *message) {
  Rat r;
  if (!wrong) return;
  const char *text = arena_printf(e->arena, "`%s`: %s", a->name, message);
  if (expr_number(e->pool, wrong, &r)) {
    if (!rat_is_zero(r)) diag_error(e->diags, diag_block_limits, a->span, "%s", text);
  } else if (expr_only_kinds(e->pool, wrong, kind_set(sym_param))) {
    vec_push(e->arena, &e->model->demands, (SystemCheck){wrong, diag_block_limits, text, a->span});
  } else {
    blocks_check(e, a, wrong, message);
  }
}

// A number or expression of parameters for a start.
ExprId blocks_start(Elab *e, const Ast *a, const Binding *env, uint32_t i, ExprId otherwise) {
  if (i >= a->count) return otherwise;
  ExprId id = eval_scalar(e, a->items[i], env, "a start");
  return id && eval_only_params(e, id, a->items[i]->span, "a start") ? id : otherwise;
}

// ---- logic

// hi where the condition (0 or 1) holds, else lo
ExprId blocks_choose(Elab *e, ExprId c, ExprId lo, ExprId hi) {
  ExprPool *p = e->pool;
  if (lo == p->zero && hi == p->one) return c;
  if (lo == p->one && hi == p->zero) return blocks_op(e, op_not, c, 0);
  return expr_add(p, lo, expr_mul(p, expr_sub(p, hi, lo), c));
}

static bool is_logic(Elab *e, ExprId id) {
  const ExprPool *pool = e->pool;
  ExprOp op = expr_op(pool, id);
  if (expr_op_is_truth(op) || op == op_step || id == pool->zero || id == pool->one) return true;
  if (op != op_sym) return false;
  const Symbol *s = pool_symbol_get(pool, expr_symbol(pool, id));
  return s->kind == sym_memory && s->index < e->model->memories.count && e->model->memories.items[s->index].logic;
}

// 0..0.2 is 0, 0.8..1 is 1, anything else is an error; a little rounding is forgiven.
ExprId blocks_logic(Elab *e, ExprId x, const Ast *a) {
  if (!x || is_logic(e, x)) return x;
  ExprPool *p = e->pool;
  ExprId little = blocks_ratio(e, 1, 1000000000);
  ExprId under = blocks_corner(e, blocks_op(e, op_lt, x, expr_neg(p, little)), a),
         over = blocks_corner(e, blocks_op(e, op_lt, expr_add(p, p->one, little), x), a);
  ExprId high = blocks_corner(e, blocks_op(e, op_lt, expr_add(p, blocks_ratio(e, 1, 5), little), x), a),
         low = blocks_corner(e, blocks_op(e, op_lt, x, expr_sub(p, blocks_ratio(e, 4, 5), little)), a);
  ExprId outside = blocks_op(e, op_or, under, over), between = blocks_op(e, op_and, high, low);
  blocks_check(e, a, blocks_op(e, op_or, outside, between), "an input is no logic level: 0 .. 0.2 is 0, 0.8 .. 1 is 1");
  return blocks_corner(e, blocks_op(e, op_le, blocks_ratio(e, 1, 2), x), a);
}

// ---- blocks with memory: names, and inputs whose reading is deferred

// May a block with memory stand here?
bool blocks_may_stand(Elab *e, const Ast *a) {
  if (e->eval.no_blocks)
    diag_error(e->diags, diag_block_place, a->span, "the block `%s` has no place outside of a model", a->name);
  else if (e->eval.constant)
    diag_error(e->diags, diag_block_place, a->span,
               "`%s` is a block with memory, and this must be known when the file is read", a->name);
  else if (e->eval.bound_depth)
    diag_error(
        e->diags, diag_block_place, a->span,
        "`%s` is a block with memory: it cannot stand inside an integral, an inverse or a derivative of a function",
        a->name);
  else return true;
  return false;
}

// What the statement that is evaluated is about: the coordinate of a force,
// the left side of an equation; NULL: neither.
static Decl *statement_decl(Elab *e) {
  const Stmt *s = e->visit.statement;
  if (!e->visit.item || !s || (s->kind != stmt_force && s->kind != stmt_equation)) return NULL;
  const char *name = path_full(e, e->visit.item, e->visit.env);
  return name ? names_find(e, name) : NULL;
}

// The blocks in statements of this word; NULL: out of memory.
static BlockCount **word_blocks(Elab *e, const char **owner) {
  const Source *src = e->visit.statement ? source_get(&e->model->sources, e->visit.statement->word) : NULL;
  Span word = e->visit.statement ? e->visit.statement->word : (Span){0};
  const char *name = src ? arena_printf(e->arena, "%s%.*s", e->names.scope->prefix, (int)(word.end - word.start),
                                        src->text + word.start)
                         : "";
  *owner = name;
  for (uint32_t i = 0; name && i < e->blocks.words.count; i++) {
    if (strcmp(e->blocks.words.items[i].word, name) == 0) return &e->blocks.words.items[i].blocks;
  }
  return name && vec_push(e->arena, &e->blocks.words, (WordBlocks){name, NULL})
             ? &e->blocks.words.items[e->blocks.words.count - 1].blocks
             : NULL;
}

// One more of a word: its number; 0: out of memory.
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

const char *blocks_new_name(Elab *e, const Ast *a) {
  const char *owner = e->blocks.owner, *word = a->name;
  BlockCount **list = &e->blocks.owner_blocks;
  Decl *d = e->eval.active.count ? e->eval.active.items[e->eval.active.count - 1] : owner ? NULL : statement_decl(e);
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

void blocks_defer(Elab *e, const Ast *a, const Binding *env, uint32_t index, const char *name,
                  void (*read)(Elab *, const DeferredBlock *)) {
  vec_push(e->arena, &e->blocks.deferred, (DeferredBlock){a, kept(e, env), e->names.scope, index, read, name});
}

void blocks_read_deferred(Elab *e) {
  for (; e->blocks.deferred_done < e->blocks.deferred.count && !arena_failed(e->arena) && !e->limits.exhausted;
       e->blocks.deferred_done++) {
    const DeferredBlock job = e->blocks.deferred.items[e->blocks.deferred_done];
    Scope *before = names_enter(e, job.scope);
    e->blocks.owner = job.name;
    e->blocks.owner_blocks = NULL;
    job.read(e, &job);
    names_enter(e, before);
  }
}

// A symbol of a block. One that no `let` is called by was made here.
SymbolId blocks_new_symbol(Elab *e, const char *name, SymbolKind kind, uint32_t index, uint32_t order) {
  SymbolId s = pool_symbol(e->pool, name, kind, index, order);
  const Decl *d = e->eval.active.count ? e->eval.active.items[e->eval.active.count - 1] : NULL;
  size_t n = d ? strlen(d->name) : 0;
  bool given = d && strncmp(name, d->name, n) == 0 && (name[n] == '\0' || name[n] == '\'');
  if (s) e->pool->symbols.items[s].made = !given;
  return s;
}

uint32_t blocks_new_state(Elab *e, const char *name, Span span) {
  Model *m = e->model;
  uint32_t i = m->states.count;
  const char *rate = name ? arena_printf(e->arena, "%s'", name) : NULL;
  if (!rate) return i;
  SystemState s = {.name = name, .span = span, .equation = span, .hidden = true, .x0 = e->pool->zero};
  s.x = blocks_new_symbol(e, name, sym_state, i, 0);
  s.rate = blocks_new_symbol(e, rate, sym_state_rate, i, 1);
  vec_push(e->arena, &m->states, s);
  return i;
}

Value blocks_state(Elab *e, uint32_t i) {
  return i < e->model->states.count ? value_of(expr_sym(e->pool, e->model->states.items[i].x)) : value_none();
}

ExprId blocks_symbol(Elab *e, SymbolId s) { return s ? expr_sym(e->pool, s) : 0; }

uint32_t blocks_new_memory(Elab *e, const Ast *a, const char *name, bool logic) {
  uint32_t i = e->model->memories.count;
  SystemMemory m = {.name = name, .block = a->name, .span = a->span, .start = e->pool->zero, .logic = logic};
  const char *before = name ? arena_printf(e->arena, "%s.before", name) : NULL;
  if (!before) return i;
  m.symbol = blocks_new_symbol(e, name, sym_memory, i, 0);
  m.before = blocks_new_symbol(e, before, sym_memory, i, 0);
  m.rule = blocks_symbol(e, m.before);
  vec_push(e->arena, &e->model->memories, m);
  return i;
}

Value blocks_memory(Elab *e, uint32_t i) {
  return i < e->model->memories.count ? value_of(blocks_symbol(e, e->model->memories.items[i].symbol)) : value_none();
}

bool blocks_no_signals(Elab *e, ExprId id, const Ast *a) {
  if (!id) return false;
  if (!expr_has_kind(e->pool, id, sym_signal)) return true;
  diag_error(e->diags, diag_signal_use, a->span, "the energies of a run are for outputs only");
  return false;
}

bool blocks_inputs(Elab *e, const DeferredBlock *job, ExprId *x) {
  if (!function_scalars(e, job->a, job->env, x)) return false;
  for (uint32_t i = 0; i < job->a->count; i++) {
    if (!blocks_no_signals(e, x[i], job->a->items[i])) return false;
  }
  return true;
}

void blocks_put_output(Elab *e, const Ast *a, const Value *v) {
  const char *name = e->blocks.last_name;
  e->blocks.last_name = NULL;
  if (v->shape != value_scalar || e->eval.constant || e->eval.bound_depth || e->eval.no_blocks) return;
  if (expr_op(e->pool, v->scalar) == op_sym || expr_op(e->pool, v->scalar) == op_num) return;
  if (e->eval.active.count) {
    const Decl *d = e->eval.active.items[e->eval.active.count - 1];
    if (d->item->value == a) return;
  }
  if (!name) name = blocks_new_name(e, a);
  if (name) vec_push(e->arena, &e->model->block_outputs, (SystemBlock){name, v->scalar});
}
