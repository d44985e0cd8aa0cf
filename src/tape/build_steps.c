// Tape of a system: the steps of its order of computation that the results need, and the operations for them.
//
// in    steps (definitions, blocks of unknowns, calls of kernels), each of which needs only earlier ones; the results;
//       for Jacobians further right-hand sides of blocks and derivatives of calls (TapeTangent)
// out   the tape
// how   first the steps are marked that the results need, last to first; then these become values, first to last
#include "tape/builder.h"

#include "tape/block.h"
#include "tape/kernels.h"

#include <math.h>
#include <string.h>

// ---- what is needed

// Symbols that are needed, and the expressions that were looked at for them.
typedef struct Needed {
  Arena *arena;
  System *s;
  bool *symbols, *seen, *steps;
} Needed;

static bool not_seen(const ExprPool *pool, ExprId id, const void *context) {
  (void)pool;
  return !((const Needed *)context)->seen[id];
}

static bool any_needed(const Needed *n, const SymbolId *symbols, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (n->symbols[symbols[i]]) return true;
  }
  return false;
}

static void mark_roots(const Needed *n, const ExprId *roots, uint32_t count) {
  ExprPool *pool = n->s->pool;
  uint32_t length;
  const ExprId *list = count ? pool_reach(pool, roots, count, not_seen, n, &length) : NULL;
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(pool, list[i]);
    n->seen[list[i]] = true;
    if (id) n->symbols[id] = true;
  }
}

static void mark_matrix(const Needed *n, const Block *block) {
  mark_roots(n, block->matrix.value, block_entries(block));
}

// A tangent is needed as a whole or not at all. It stands behind its step, so it is looked at before it.
static void mark_tangent(const Needed *n, const TapeTangent *t) {
  const SystemStep *step = &n->s->steps.items[t->step];
  const Block *block = step->kind == step_solve ? &n->s->blocks.items[step->index] : NULL;
  uint32_t count = t->count * (block ? block->count : 1);
  if (!any_needed(n, t->symbols, count)) return;
  for (uint32_t i = 0; i < count; i++) n->symbols[t->symbols[i]] = true;
  if (block) {
    mark_roots(n, t->r, count);
    mark_matrix(n, block);
  } else {
    const SystemCall *call = &n->s->calls.items[step->index];
    mark_roots(n, call->args, call->arg_count);
  }
}

static void mark_step(const Needed *n, uint32_t k) {
  const System *s = n->s;
  uint32_t index = s->steps.items[k].index;
  switch (s->steps.items[k].kind) {
  case step_define: {
    const Definition *d = &s->definitions.items[index];
    n->steps[k] = n->symbols[d->symbol];
    if (n->steps[k]) mark_roots(n, &d->value, 1);
    break;
  }
  case step_solve: {
    const Block *block = &s->blocks.items[index];
    n->steps[k] = any_needed(n, block->unknowns, block->count);
    if (!n->steps[k]) break;
    mark_matrix(n, block);
    mark_roots(n, block->rhs, block->count);
    break;
  }
  case step_call: {
    const SystemCall *call = &s->calls.items[index];
    n->steps[k] = any_needed(n, call->results, call->result_count);
    if (n->steps[k]) mark_roots(n, call->args, call->arg_count);
    break;
  }
  }
}

static bool find_needed(Needed *n, const TapeRequest *request) {
  const System *s = n->s;
  n->steps = arena_array(n->arena, s->steps.count, sizeof *n->steps);
  n->symbols = arena_array(n->arena, s->pool->symbols.count, sizeof *n->symbols);
  n->seen = arena_array(n->arena, s->pool->nodes.count, sizeof *n->seen);
  if (!n->steps || !n->symbols || !n->seen) return false;
  mark_roots(n, request->results, request->result_count);
  uint32_t tangent = request->tangent_count;
  for (uint32_t k = s->steps.count; k-- > 0;) {
    while (tangent && request->tangents[tangent - 1].step == k) mark_tangent(n, &request->tangents[--tangent]);
    mark_step(n, k);
  }
  return true;
}

// ---- steps

static uint32_t tape_origin(const TapeBuilder *b, uint32_t system_origin) {
  return b->node_origin && system_origin ? b->system->signals.count + system_origin : 0;
}

// The results of a call get their symbols.
static void name_results(TapeBuilder *b, Val call, const SymbolId *symbols, uint32_t count) {
  bool several = call && b->calls.items[b->vals.items[call].a].kernel->results;
  if (call && !several) b->of_symbol[symbols[0]] = call;
  for (uint32_t i = 0; several && i < count; i++) {
    b->of_symbol[symbols[i]] =
        build_value(b, (TapeValue){.code = val_part, .level = b->vals.items[call].level, .a = call, .b = i});
  }
}

static void emit_newton(TapeBuilder *b, const Block *block) {
  uint32_t k = block->count;
  ExprId *guesses = arena_array(b->arena, k, sizeof *guesses);
  for (uint32_t i = 0; guesses && i < k; i++) guesses[i] = pool_symbol_get(b->pool, block->guesses[i])->self;
  // what the body captures is emitted first, children first
  uint32_t length;
  const ExprId *list = guesses ? pool_reach(b->pool, block->body, k + k * k, build_not_yet, b, &length) : NULL;
  ExprId *copy = list ? arena_array(b->arena, length, sizeof *copy) : NULL;
  if (!copy) return;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(b->pool, copy[i]);
    if (!pool_node(b->pool, copy[i])->bound && op != op_num && op != op_sym) build_expr(b, copy[i]);
  }
  Val call = build_body(b, &kernel_newton, block->body, k + k * k, block->bound, k, guesses, k);
  name_results(b, call, block->unknowns, k);
}

// M x + h = 0 for `columns` right-hand sides h, one after the other, by the kernel that fits M.
static void emit_solve(TapeBuilder *b, const Block *block, const ExprId *h, uint32_t columns, const SymbolId *symbols) {
  uint32_t k = block->count;
  const TapeBlock *plan = tape_block(b->kept, b->arena, b->pool, block, columns, b->system->dependent, b->large);
  Val *args = plan ? arena_array(b->arena, (size_t)plan->entries + (size_t)k * columns, sizeof *args) : NULL;
  if (!args) return;
  uint32_t count = 0;
  for (uint32_t i = 0; i < plan->entries; i++) {
    b->origin = tape_origin(b, block->origins[plan->row[i]]);
    args[count++] = build_root(b, plan->value[i]);
  }
  for (uint32_t i = 0; i < k * columns; i++) args[count++] = build_root(b, h[i]);
  name_results(b, build_call(b, plan->kernel, plan->data, args, count), symbols, k * columns);
}

static void emit_block(TapeBuilder *b, const Block *block) {
  b->origin = tape_origin(b, block->origins[0]);
  if (block->implicit) {
    emit_newton(b, block);
    return;
  }
  if (block->count > 1) {
    emit_solve(b, block, block->rhs, 1, block->unknowns);
    return;
  }
  Val m = build_root(b, block_entry(b->pool, block, 0, 0)), h = build_root(b, block->rhs[0]);
  Val minus = build_product(b, build_constant(b, -1), h);
  b->of_symbol[block->unknowns[0]] = m && build_is(b, m, 1) ? minus : build_operation(b, tape_div, minus, m, 0);
}

static void emit_call(TapeBuilder *b, const SystemCall *call, const TapeKernel *kernel, const SymbolId *symbols,
                      uint32_t count) {
  Val *args = arena_array(b->arena, (size_t)call->arg_count + 1, sizeof *args);
  if (!args) return;
  b->origin = tape_origin(b, call->origin);
  for (uint32_t i = 0; i < call->arg_count; i++) args[i] = build_root(b, call->args[i]);
  name_results(b, build_call(b, kernel, call->data, args, call->arg_count), symbols, count);
}

static void emit_step(TapeBuilder *b, const SystemStep *step) {
  const System *s = b->system;
  if (step->kind == step_solve) {
    emit_block(b, &s->blocks.items[step->index]);
  } else if (step->kind == step_call) {
    const SystemCall *call = &s->calls.items[step->index];
    emit_call(b, call, call->kernel, call->results, call->result_count);
  } else {
    const Definition *d = &s->definitions.items[step->index];
    b->origin = tape_origin(b, d->origin);
    b->of_symbol[d->symbol] = build_root(b, d->value);
  }
}

static void emit_tangent(TapeBuilder *b, const SystemStep *step, const TapeTangent *t) {
  const System *s = b->system;
  if (step->kind == step_solve) {
    emit_solve(b, &s->blocks.items[step->index], t->r, t->count, t->symbols);
  } else {
    const SystemCall *call = &s->calls.items[step->index];
    emit_call(b, call, call->kernel->slopes, t->symbols, t->count);
  }
}

// ---- the whole

// Least number of parameters from which on a tape, which reads a few of them, has values of these alone.
enum { many_params = 10000 };

static bool is_number(const TapeBuilder *b, ExprId id) { return id && expr_op(b->pool, id) == op_num; }

// Parameters from their definitions, each of earlier ones. One that is a variable is given, and the others follow it;
// static as all of them, so that products keep their order.
static void emit_params(TapeBuilder *b, const TapeRequest *request) {
  const System *s = b->system;
  for (uint32_t k = 0; k < request->var_count; k++) {
    SymbolId symbol = request->vars[k];
    if (symbol && pool_symbol_get(b->pool, symbol)->kind == sym_param)
      b->of_symbol[symbol] = build_slot(b, k, level_static);
  }
  for (uint32_t i = 0; i < s->params.count; i++) {
    const SystemParam *p = &s->params.items[i];
    if (b->params_later && is_number(b, p->value)) continue;
    if (!b->of_symbol[p->symbol]) b->of_symbol[p->symbol] = p->value ? build_root(b, p->value) : build_constant(b, NAN);
  }
}

// Slots of parameters, of the variables that were requested, and of those that a run with events has beside.
static uint32_t give_slots(TapeBuilder *b, const TapeRequest *request, uint32_t params) {
  const System *s = b->system;
  b->params_later = s->params.count >= many_params;
  b->params_by_value = request->params_by_value;
  for (uint32_t i = 0; i < params && !b->params_later; i++)
    b->of_symbol[s->params.items[i].symbol] = build_slot(b, i, level_static);
  if (request->params_by_value) emit_params(b, request);
  for (uint32_t i = 0; i < request->var_count; i++) {
    SymbolId symbol = request->vars[i];
    if (b->params_later && pool_symbol_get(b->pool, symbol)->kind == sym_param) continue;
    if (!b->of_symbol[symbol]) b->of_symbol[symbol] = build_slot(b, params + i, level_dynamic);
  }
  uint32_t vars = request->var_count + (request->params_by_value ? 0 : s->extra_count);
  for (uint32_t i = request->var_count; i < vars; i++)
    b->of_symbol[s->extras[i - request->var_count]] = build_slot(b, params + i, level_dynamic);
  return vars;
}

static void emit_steps(TapeBuilder *b, const TapeRequest *request, const Needed *n) {
  const System *s = b->system;
  uint32_t tangent = 0;
  for (uint32_t k = 0; k < s->steps.count; k++) {
    const SystemStep *step = &s->steps.items[k];
    if (n->steps[k]) emit_step(b, step);
    for (; tangent < request->tangent_count && request->tangents[tangent].step == k; tangent++) {
      const TapeTangent *t = &request->tangents[tangent];
      if (n->symbols[t->symbols[0]]) emit_tangent(b, step, t);
    }
  }
}

// work: for the making alone.
static const Tape *build(Arena *arena, Arena *work, const TapeRequest *request) {
  System *s = request->system;
  TapeBuilder builder, *b = &builder, marks = {0};
  if (request->origins) build_origins(&marks, arena, s); // first: it may add expressions
  if (!build_init(b, work, arena, s, NULL)) return NULL;
  b->large = request->large;
  b->node_origin = marks.node_origin;
  b->origins.items = marks.origins.items;
  b->origins.count = marks.origins.count;
  uint32_t params = request->params_by_value ? 0 : s->params.count, vars = give_slots(b, request, params);
  Needed needed = {.arena = work, .s = s};
  Val *results = arena_array(work, request->result_count, sizeof *results);
  if (!results || !find_needed(&needed, request)) return NULL;
  emit_steps(b, request, &needed);
  for (uint32_t i = 0; i < request->result_count; i++) {
    b->origin = 0;
    results[i] = build_root(b, request->results[i]);
    if (!results[i]) return NULL;
  }
  b->held_count = request->held_count + vars - request->var_count;
  b->often = request->often;
  if (request->known && !request->params_by_value &&
      !tape_specialise(b, results, request->result_count, request->known, params))
    return NULL;
  return tape_finish(b, results, request->result_count, params, vars);
}

const Tape *tape_build(Arena *arena, const TapeRequest *request) {
  Arena *work = arena_new_scratch(arena);
  const Tape *tape = work ? build(arena, work, request) : NULL;
  arena_free_scratch(work);
  return tape;
}
