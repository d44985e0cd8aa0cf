// Memories and jumps at a point: rewriting, settling, holding.
//
// in    a system whose symbols and functions may jump; y
// out   values of memories, sides and loads that belong together at y
//
// Held jumps k have loads with r_k = 0, where r_k is g_k itself if a load moves it at once (no inertia), else its rate:
//   dr/d(load) d(load) = -r
// by elimination with pivots; what depends on loads already found gets none (two frictions on one speed). A jump can
// only be held where its load works against leaving: friction with dr/d(load) > 0, a sign with < 0.
#include "rest/branches.h"

#include "expr/calculus.h"
#include "expr/ops.h"
#include "expr/rebuild.h"
#include "rest/operating.h"
#include "system/implicit.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

enum {
  most_jumps = 64,  // functions that may be held; more stay plain, and are reported as terms without a derivative
  most_rounds = 64, // of rules of memories that wait for each other
};
static const double touch = 1e-14;      // of the terms of g: rounding of what is zero
static const double limit_slack = 1e-9; // of a limit: a rest at the very limit still holds

static bool moves(const ExprPool *pool, ExprId id) {
  return expr_has_kinds(pool, id, kind_set(sym_velocity) | kind_set(sym_state));
}

// ---- rewriting

typedef struct BranchRewriter {
  Operating *o;
  ExprPool *pool;
  ExprId *map;
  uint32_t size;
  double *delay; // lengths
  bool *opened;  // delays whose inputs are being read: a loop without length is left as it is
  bool frozen;   // no further jumps
} BranchRewriter;

static ExprId rewritten(BranchRewriter *r, ExprId id);

static SymbolId new_symbol(BranchRewriter *r, const char *word, const char *part) {
  const char *name = arena_printf(r->o->arena, "%s.%s", word, part);
  return name ? pool_symbol(r->pool, name, sym_signal, 0, 0) : 0;
}

// The places of a new jump's side and load in y are known by their symbols.
static Jump *new_jump(BranchRewriter *r, Jump jump) {
  Branches *b = &r->o->branches;
  SymbolId side = new_symbol(r, jump.word, "side"), load = new_symbol(r, jump.word, "load");
  if (!side || !load || !vec_push(r->o->arena, &b->symbols, side) || !vec_push(r->o->arena, &b->symbols, load))
    return NULL;
  return vec_push(r->o->arena, &b->jumps, jump) ? &b->jumps.items[b->jumps.count - 1] : NULL;
}

static ExprId side_of(const BranchRewriter *r, uint32_t k) {
  return expr_sym(r->pool, r->o->branches.symbols.items[(size_t)2 * k]);
}
static ExprId load_of(const BranchRewriter *r, uint32_t k) {
  return expr_sym(r->pool, r->o->branches.symbols.items[2 * k + 1]);
}

static ExprId friction_value(BranchRewriter *r, const SystemFriction *f) {
  Branches *b = &r->o->branches;
  ExprPool *p = r->pool;
  uint32_t k = 0;
  while (k < b->jumps.count && b->jumps.items[k].friction != f) k++;
  if (k == b->jumps.count) {
    if (r->frozen) return p->zero;
    if (!new_jump(r, (Jump){.kind = jump_friction, .friction = f, .word = "friction", .span = f->span})) return 0;
    ExprId g = rewritten(r, f->v), slip = rewritten(r, f->slip), stick = rewritten(r, f->stick);
    if (!g || !slip || !stick) return 0;
    Jump *j = &b->jumps.items[k];
    j->g = g;
    j->slip = slip;
    j->limit = stick;
  }
  return expr_add(p, expr_neg(p, expr_mul(p, b->jumps.items[k].slip, side_of(r, k))), load_of(r, k));
}

static ExprId jump_value(BranchRewriter *r, ExprId node, ExprOp op, const ExprId *a) {
  Branches *b = &r->o->branches;
  ExprPool *p = r->pool;
  ExprId g = expr_guard(p, op, a);
  JumpKind kind = op == op_sign ? jump_sign : op == op_lt ? jump_above : jump_step;
  uint32_t k = 0;
  while (k < b->jumps.count && (b->jumps.items[k].kind != kind || b->jumps.items[k].g != g)) k++;
  if (k == b->jumps.count) {
    if (r->frozen || k >= most_jumps) return expr_fn(p, op, a, pool_node(p, node)->count);
    const System *m = &r->o->s;
    Jump j = {.kind = kind,
              .node = node,
              .g = g,
              .word = op == op_sign   ? "sign"
                      : op == op_step ? "step"
                                      : "comparison"};
    j.limit = kind == jump_sign ? p->one : expr_num(p, rat_make(p->arena, 1, 2));
    for (uint32_t i = 0; i < m->places.count; i++) {
      if (m->places.items[i].node != node) continue;
      j.word = m->places.items[i].word;
      j.span = m->places.items[i].span;
      break;
    }
    if (!new_jump(r, j)) return 0;
  }
  return expr_add(p, side_of(r, k), load_of(r, k));
}

static ExprId symbol_value(BranchRewriter *r, SymbolId symbol, ExprId id) {
  const System *m = &r->o->s;
  Symbol s = *pool_symbol_get(r->pool, symbol);
  if (s.kind == sym_memory && s.index < m->memories.count) {
    const SystemMemory *x = &m->memories.items[s.index];
    if (x->before == symbol)
      return expr_sym(r->pool, x->symbol); // between events the values before it are the present ones
    return x->follow ? rewritten(r, x->follow) : id;
  }
  if (s.kind == sym_friction) return friction_value(r, &m->frictions.items[s.index]);
  if (s.kind != sym_delay) return id;
  if (r->delay[s.index] != 0 && r->o->delayed[s.index]) return expr_sym(r->pool, r->o->delayed[s.index]);
  // at rest a signal is what it was
  if ((r->delay[s.index] != 0 && !r->o->rest) || r->opened[s.index]) return id;
  r->opened[s.index] = true;
  ExprId input = rewritten(r, m->delays.items[s.index].input);
  r->opened[s.index] = false;
  return input;
}

static ExprId now(const BranchRewriter *r, ExprId id) { return id < r->size && r->map[id] ? r->map[id] : id; }

static ExprId rewritten_part(void *self, ExprId parent, uint32_t i, ExprId part) {
  (void)parent, (void)i;
  return now(self, part);
}

static ExprId rewritten_node(BranchRewriter *r, ExprId id) {
  ExprPool *p = r->pool;
  ExprNode n = *pool_node(p, id);
  ExprOp op = (ExprOp)n.op;
  if (op == op_sym) return symbol_value(r, n.first, id);
  if (expr_op_can_hold(op) && !n.bound) {
    ExprId args[2] = {0};
    bool moving = false;
    for (uint32_t i = 0; i < n.count && i < 2; i++) {
      args[i] = now(r, pool_args(p, id)[i]);
      moving = moving || moves(p, args[i]);
    }
    if (moving) return jump_value(r, id, op, args);
  }
  return expr_rebuild(p, id, rewritten_part, r);
}

static bool not_yet(const ExprPool *pool, ExprId id, const void *context) {
  const BranchRewriter *r = context;
  (void)pool;
  return id >= r->size || !r->map[id];
}

static bool make_room(BranchRewriter *r, ExprId id) {
  if (id < r->size) return true;
  uint32_t size = r->pool->nodes.count + 1024;
  ExprId *map = arena_array(r->o->arena, size, sizeof *map);
  if (!map) return false;
  if (r->size) memcpy(map, r->map, r->size * sizeof *map);
  r->map = map;
  r->size = size;
  return true;
}

static ExprId rewritten(BranchRewriter *r, ExprId id) {
  if (!id || (id < r->size && r->map[id])) return id ? r->map[id] : 0;
  uint32_t length;
  const ExprId *list = pool_reach(r->pool, &id, 1, not_yet, r, &length);
  ExprId *nodes = list ? arena_array(r->o->arena, length, sizeof *nodes) : NULL;
  if (!nodes) return 0;
  memcpy(nodes, list, length * sizeof *nodes);
  if (!make_room(r, id)) return 0;
  for (uint32_t i = 0; i < length; i++) {
    if (r->map[nodes[i]]) continue;
    ExprId value = rewritten_node(r, nodes[i]);
    if (!value) return 0;
    r->map[nodes[i]] = value;
  }
  return r->map[id];
}

static bool rewrite_list(BranchRewriter *r, ExprId *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i] && !(list[i] = rewritten(r, list[i]))) return false;
  }
  return true;
}

static void *copied(Arena *arena, const void *items, size_t count, size_t size) {
  void *p = arena_array(arena, count, size);
  if (p && count) memcpy(p, items, count * size);
  return p;
}

static bool rewrite_blocks(BranchRewriter *r) {
  System *s = &r->o->s;
  Arena *arena = r->o->arena;
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    Block *b = &s->blocks.items[i];
    ExprId *before = b->rhs;
    ExprId *m = copied(arena, b->matrix.value, block_entries(b), sizeof *m);
    b->rhs = copied(arena, b->rhs, b->count, sizeof *b->rhs);
    if (!m || !b->rhs || !rewrite_list(r, b->rhs, b->count)) return false;
    bool same = memcmp(before, b->rhs, b->count * sizeof *before) == 0;
    if (b->implicit && same) continue;
    if (!(b->implicit ? implicit_derive(s, b)
                      : rewrite_list(r, m, block_entries(b)) && block_set_values(arena, s->pool, b, m)))
      return false;
  }
  return true;
}

static bool rewrite_implicit(BranchRewriter *r) {
  System *s = &r->o->s;
  s->implicit.items = copied(r->o->arena, s->implicit.items, s->implicit.count, sizeof *s->implicit.items);
  for (uint32_t i = 0; s->implicit.items && i < s->implicit.count; i++) {
    SystemEquation *e = &s->implicit.items[i];
    if (!rewrite_list(r, &e->residual, 1)) return false;
    if (!e->times) continue;
    e->levels = copied(r->o->arena, e->levels, (size_t)e->times + 1, sizeof *e->levels);
    if (!e->levels || !rewrite_list(r, e->levels, e->times + 1)) return false;
  }
  return s->implicit.items != NULL;
}

static bool rewrite_calls(BranchRewriter *r) {
  System *s = &r->o->s;
  s->calls.items = copied(r->o->arena, s->calls.items, s->calls.count, sizeof *s->calls.items);
  for (uint32_t i = 0; s->calls.items && i < s->calls.count; i++) {
    SystemCall *c = &s->calls.items[i];
    ExprId *args = copied(r->o->arena, c->args, c->arg_count, sizeof *args);
    if (!args || !rewrite_list(r, args, c->arg_count)) return false;
    c->args = args;
  }
  return s->calls.items != NULL;
}

// As hybrid/rewrite.c does: rewritten as it was before its order, then ordered.
static bool rewrite_system(BranchRewriter *r, Diags *diags) {
  System *s = &r->o->s;
  if (!system_unorder(s)) return false;
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    if (!rewrite_list(r, &s->definitions.items[i].value, 1)) return false;
  }
  if (!rewrite_blocks(r) || !rewrite_implicit(r) || !rewrite_calls(r)) return false;
  s->diags = diags;
  return system_order(s, NULL);
}

// ---- rates of what vanishes

// Inputs are held, so they have no rates of their own.
static bool find_rates(Operating *o) {
  const System *m = &o->s;
  Branches *b = &o->branches;
  ExprPool *pool = o->s.pool;
  if (!b->jumps.count) return true;
  SymbolMap map = symbol_map_new(pool);
  if (!map.of) return false;
  symbol_map_set(&map, m->time, pool->one);
  // a position that is computed has its velocity as its rate
  for (uint32_t i = 0; i < o->n; i++) symbol_map_set(&map, m->coords.items[i].q, expr_sym(pool, m->coords.items[i].v));
  for (uint32_t at = 0; at < system_dim(m); at++) {
    const Component *y = &m->y.items[at];
    bool combination = y->from == of_coord && y->kind == component_velocity && !y->derivative,
         still = y->from == of_state && y->of >= o->model_states;
    if (y->symbol && !combination && !still) symbol_map_set(&map, y->symbol, y->rate);
  }
  for (uint32_t k = 0; k < b->jumps.count; k++) {
    if (!expr_derive(pool, &map, &b->jumps.items[k].g, 1, &b->jumps.items[k].rate, NULL)) return false;
  }
  return true;
}

// Where a function that came out of a derivative stands: the statement that holds one of the same argument.
static bool find_places(Operating *o) {
  ExprPool *pool = o->s.pool;
  for (uint32_t k = 0; k < o->branches.jumps.count; k++) {
    Jump *j = &o->branches.jumps.items[k];
    for (uint32_t i = 0; i < o->s.origins.count && !j->label; i++) {
      const Origin *g = &o->s.origins.items[i];
      uint32_t length = 0;
      const ExprId *list = g->root ? pool_reach(pool, &g->root, 1, NULL, NULL, &length) : NULL;
      if (g->root && !list) return false;
      for (uint32_t n = 0; n < length && !j->label; n++) {
        bool function = expr_op(pool, list[n]) == op_abs || expr_op(pool, list[n]) == op_sign;
        bool here = j->friction ? list[n] == expr_sym(pool, j->friction->symbol)
                                : list[n] == j->node || (function && pool_args(pool, list[n])[0] == j->g);
        if (!here) continue;
        j->label = g->label;
        if (!j->span.source) j->span = g->span;
      }
    }
  }
  return true;
}

// ---- what a linear model does not take

static void refuse_samples(Operating *o, Diags *diags) {
  const System *m = &o->s;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *w = &m->whens.items[i];
    if (!w->period || !w->assigns.count) continue;
    const SystemAssign *a = &w->assigns.items[0];
    const char *name = a->kind == assign_state ? m->states.items[a->index].name : m->coords.items[a->index].name;
    diag_error(diags, diag_no_linear_model, w->span,
               "there is no linear model: `every` sets `%s%s` at its times, so this is a sampled system", name,
               a->kind == assign_velocity ? "'" : "");
    diag_hint(diags, "linear models are about continuous motion: write the controller as an equation or an input, and "
                     "leave the `every` out");
  }
}

static bool with_delays(const ExprPool *pool, ExprId id, const void *context) {
  (void)context;
  return expr_has_kind(pool, id, sym_delay);
}

static bool refuse_delays(Operating *o, Diags *diags) {
  const System *m = &o->s;
  ExprList roots = {0};
  system_roots(m, o->arena, &roots);
  for (uint32_t i = 0; i < o->output_count; i++) vec_push(o->arena, &roots, o->outputs[i]);
  // those that are used, in one pass over all
  bool *used = arena_array(o->arena, m->delays.count, sizeof *used);
  uint32_t length = 0;
  const ExprId *list = pool_reach(o->s.pool, roots.items, roots.count, with_delays, NULL, &length);
  if (!used || !list || arena_failed(o->arena)) return false;
  for (uint32_t i = 0; i < length; i++) {
    SymbolId symbol = expr_symbol(o->s.pool, list[i]);
    if (symbol) used[pool_symbol_get(o->s.pool, symbol)->index] = true;
  }
  for (uint32_t k = 0; k < m->delays.count; k++) {
    if (!used[k]) continue;
    if (o->rest) { // all others are what they delay
      diag_error(diags, diag_no_linear_model, m->delays.items[k].span,
                 "what this `delay` gives goes straight back into it, with no state in between: of such neutral "
                 "equations there is no linear model here");
      diag_hint(diags, "let it pass a short lag on its way, for example `tf(y, [1], [0.001, 1])`");
      continue;
    }
    diag_error(diags, diag_no_linear_model, m->delays.items[k].span,
               "there is no linear model: `delay` needs its past, which no finite number of states holds");
    diag_hint(diags, "an approximation by a transfer function has one, for example `tf(x, [-T/2, 1], [T/2, 1])`");
  }
  return true;
}

// What `every` sets, for samples.c.
static bool rewrite_samples(BranchRewriter *r) {
  const System *m = &r->o->s;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *w = &m->whens.items[i];
    for (uint32_t k = 0; w->period && k < w->assigns.count; k++) {
      RestSample s = {.when = w, .assign = &w->assigns.items[k], .value = rewritten(r, w->assigns.items[k].value)};
      if (!s.value || !vec_push(r->o->arena, &r->o->samples, s)) return false;
    }
  }
  return true;
}

static bool open_rewriter(BranchRewriter *r, Operating *o) {
  const uint32_t delays = o->s.delays.count;
  ExprId *times = arena_array(o->arena, (size_t)delays + 1, sizeof *times);
  *r = (BranchRewriter){.o = o, .pool = o->s.pool};
  r->delay = arena_array(o->arena, (size_t)delays + 1, sizeof *r->delay);
  r->opened = arena_array(o->arena, (size_t)delays + 1, sizeof *r->opened);
  if (!times || !r->delay || !r->opened) return false;
  for (uint32_t i = 0; i < delays; i++) times[i] = o->s.delays.items[i].time;
  return !delays || tape_numbers(o->arena, &o->s, times, delays, r->delay);
}

bool branches_find(Operating *o, Diags *diags) {
  System *m = &o->s;
  Branches *b = &o->branches;
  if (!o->rest && !o->freed && !o->plain) refuse_samples(o, diags);
  BranchRewriter rewriter, *r = &rewriter;
  if (!open_rewriter(r, o)) return false;
  b->rules = arena_array(o->arena, (size_t)m->memories.count + 1, sizeof *b->rules);
  b->starts = arena_array(o->arena, (size_t)m->memories.count + 1, sizeof *b->starts);
  b->checks = arena_array(o->arena, (size_t)m->checks.count + 1, sizeof *b->checks);
  b->conditions = arena_array(o->arena, (size_t)m->whens.count + 1, sizeof *b->conditions);
  if (arena_failed(o->arena) || !rewrite_system(r, diags)) return false;
  r->frozen = true;
  if (!rewrite_list(r, o->outputs, o->output_count)) return false;
  for (uint32_t i = 0; i < m->memories.count; i++) {
    b->rules[i] = rewritten(r, m->memories.items[i].rule);
    b->starts[i] = rewritten(r, m->memories.items[i].start);
    if (!b->rules[i] || !b->starts[i]) return false;
  }
  for (uint32_t i = 0; i < m->checks.count; i++) {
    if (!(b->checks[i] = rewritten(r, m->checks.items[i].wrong))) return false;
  }
  for (uint32_t i = 0; i < m->whens.count; i++) {
    if (m->whens.items[i].condition && !(b->conditions[i] = rewritten(r, m->whens.items[i].condition))) return false;
  }
  if (!rewrite_samples(r)) return false;
  b->memories = m->memories.count;
  return (o->plain || refuse_delays(o, diags)) && find_rates(o) && find_places(o) && !arena_failed(o->arena);
}

bool branches_rewrite(Operating *o, ExprId *list, uint32_t count) {
  BranchRewriter r;
  if (!open_rewriter(&r, o)) return false;
  r.frozen = true;
  return rewrite_list(&r, list, count);
}

uint32_t branches_places(const Operating *o) { return o->branches.memories + 2 * o->branches.jumps.count; }

SymbolId branches_symbol(const Operating *o, uint32_t i) {
  const Branches *b = &o->branches;
  return i < b->memories ? o->s.memories.items[i].symbol : b->symbols.items[i - b->memories];
}

// ---- memories

// Rules, starts, checks.
static bool rules_tape(Operating *o) {
  Branches *b = &o->branches;
  const System *m = &o->s;
  if (b->rules_tape.w) return true;
  VEC(ExprId) results = {0};
  for (uint32_t i = 0; i < b->memories; i++) vec_push(o->arena, &results, b->rules[i]);
  for (uint32_t i = 0; i < b->memories; i++) vec_push(o->arena, &results, b->starts[i]);
  for (uint32_t i = 0; i < m->checks.count; i++) vec_push(o->arena, &results, b->checks[i]);
  return !arena_failed(o->arena) && operating_tape(o, results.items, results.count, false, &b->rules_tape);
}

static double rule_value(const Operating *o, uint32_t i) {
  return tape_result(o->branches.rules_tape.tape, o->branches.rules_tape.w, i);
}

static bool is_pulse(const SystemMemory *m) { return strcmp(m->block, "pulse") == 0; }

bool branches_remember(Operating *o, const double *y, bool rest, bool *changed, const SystemMemory **bad) {
  Branches *b = &o->branches;
  *changed = false;
  *bad = NULL;
  if (!b->memories) return true;
  if (!rules_tape(o)) return false;
  double *before = copied(o->arena, b->z, b->memories, sizeof *before);
  if (!before) return false;
  if (!b->started) {
    operating_eval(o, &b->rules_tape, y);
    for (uint32_t i = 0; i < b->memories; i++) b->z[i] = rule_value(o, b->memories + i);
    b->started = true;
  }
  // a pulse that began on the way is over where the motion rests
  for (uint32_t i = 0; rest && i < b->memories; i++) {
    if (is_pulse(&o->s.memories.items[i])) b->z[i] = o->s.memories.items[i].logic ? 0 : -INFINITY;
  }
  for (uint32_t round = 0; round < most_rounds + b->memories; round++) {
    *bad = NULL;
    operating_eval(o, &b->rules_tape, y);
    for (uint32_t i = 0; i < b->memories; i++) {
      double value = rule_value(o, i);
      if (value != b->z[i] && !*bad) *bad = &o->s.memories.items[i];
      b->z[i] = value;
    }
    if (!*bad) break;
  }
  for (uint32_t i = 0; i < b->memories; i++) {
    bool time = is_pulse(&o->s.memories.items[i]) && !o->s.memories.items[i].logic;
    *changed = *changed || (before[i] != b->z[i] && !time);
  }
  return true;
}

bool branches_check(Operating *o, const double *y, const SystemCheck **wrong) {
  const System *m = &o->s;
  *wrong = NULL;
  if (!m->checks.count) return true;
  if (!rules_tape(o)) return false;
  operating_eval(o, &o->branches.rules_tape, y);
  for (uint32_t i = 0; i < m->checks.count && !*wrong; i++) {
    if (rule_value(o, 2 * o->branches.memories + i) != 0) *wrong = &m->checks.items[i];
  }
  return true;
}

// ---- jumps

static double *side_at(Operating *o, uint32_t k) { return &o->branches.z[o->branches.memories + 2 * k]; }
static double *load_at(Operating *o, uint32_t k) { return &o->branches.z[o->branches.memories + 2 * k + 1]; }
static uint32_t load_column(const Operating *o, uint32_t k) { return o->branch_at[o->branches.memories + 2 * k + 1]; }
static double *row_of(Operating *o, uint32_t k, bool rate) {
  return o->branches.full + ((size_t)o->dim + o->output_count + (size_t)2 * k + rate) * o->dim;
}

static double middle(JumpKind kind) { return kind == jump_step || kind == jump_above ? 0.5 : 0; }

static double side_for(JumpKind kind, double g) {
  if (kind == jump_step) return g >= 0;
  if (kind == jump_above) return g > 0;
  return g > 0 ? 1 : g < 0 ? -1 : 0;
}

// g, its rate and the limit of each jump at y.
static bool watch(Operating *o, const double *y) {
  Branches *b = &o->branches;
  if (!b->watch.w) {
    VEC(ExprId) results = {0};
    for (uint32_t k = 0; k < b->jumps.count; k++) {
      vec_push(o->arena, &results, b->jumps.items[k].g);
      vec_push(o->arena, &results, b->jumps.items[k].rate);
      vec_push(o->arena, &results, b->jumps.items[k].limit);
    }
    if (arena_failed(o->arena) || !operating_tape(o, results.items, results.count, false, &b->watch)) return false;
  }
  operating_eval(o, &b->watch, y);
  return true;
}

static double watched(const Operating *o, uint32_t k, int what) {
  return tape_result(o->branches.watch.tape, o->branches.watch.w, 3 * k + (uint32_t)what);
}

// What must vanish where jump k is held: its argument, if a load moves it at once.
static bool by_rate(Operating *o, uint32_t k) { return row_of(o, k, false)[load_column(o, k)] == 0; }

static bool works_against(Operating *o, uint32_t k) {
  const Jump *j = &o->branches.jumps.items[k];
  double c = row_of(o, k, by_rate(o, k))[load_column(o, k)];
  return j->kind == jump_friction ? c > 0 : c < 0;
}

// One step of Newton's method for the loads of the held jumps; the equations are linear in them but for loops. *left:
// how large the residual was, against the loads that were there.
static bool load_step(Operating *o, const double *y, double *left) {
  Branches *b = &o->branches;
  uint32_t count = b->jumps.count, m = 0, width;
  uint32_t *held = arena_array(o->arena, count, sizeof *held);
  if (!held || !operating_raw_jacobian(o, y) || !watch(o, y)) return false;
  for (uint32_t k = 0; k < count; k++) {
    if (b->jumps.items[k].state == jump_held) held[m++] = k;
  }
  width = m + 1;
  double *a = arena_array(o->arena, (size_t)m * width, sizeof *a);
  bool *used = arena_array(o->arena, m, sizeof *used);
  if (!a || !used) return false;
  *left = 0;
  for (uint32_t i = 0; i < m; i++) {
    const double *row = row_of(o, held[i], by_rate(o, held[i]));
    double scale = 0;
    for (uint32_t j = 0; j < m; j++) a[i * width + j] = row[load_column(o, held[j])];
    a[i * width + m] = -watched(o, held[i], by_rate(o, held[i]) ? 1 : 0);
    for (uint32_t j = 0; j < m; j++) scale = fmax(scale, fabs(a[i * width + j] * *load_at(o, held[j])));
    *left = fmax(*left, scale > 0 ? fabs(a[i * width + m]) / scale : fabs(a[i * width + m]) > 0 ? 1 : 0);
  }
  // Gauss and Jordan with the largest pivot; a column without one keeps its load
  for (uint32_t c = 0; c < m; c++) {
    uint32_t best = m;
    double size = 0;
    for (uint32_t i = 0; i < m; i++) {
      size = fmax(size, fabs(a[i * width + c]));
      if (!used[i] && (best == m || fabs(a[i * width + c]) > fabs(a[best * width + c]))) best = i;
    }
    if (best == m || !(fabs(a[best * width + c]) > 1e-12 * size)) continue;
    used[best] = true;
    for (uint32_t i = 0; i < m; i++) {
      if (i == best) continue;
      double f = a[i * width + c] / a[best * width + c];
      for (uint32_t j = 0; j < width; j++) a[i * width + j] -= j == c ? a[i * width + j] : f * a[best * width + j];
    }
    b->jumps.items[held[c]].row = best + 1;
  }
  for (uint32_t c = 0; c < m; c++) {
    uint32_t row = b->jumps.items[held[c]].row;
    if (row) *load_at(o, held[c]) += a[(row - 1) * width + m] / a[(row - 1) * width + c];
    b->jumps.items[held[c]].row = 0;
  }
  return true;
}

bool branches_any_held(const Operating *o) {
  for (uint32_t k = 0; k < o->branches.jumps.count; k++) {
    if (o->branches.jumps.items[k].state == jump_held) return true;
  }
  return false;
}

bool branches_settle(Operating *o, const double *y) {
  Branches *b = &o->branches;
  if (!b->jumps.count) return true;
  for (uint32_t k = 0; k < b->jumps.count; k++) {
    const Jump *j = &b->jumps.items[k];
    if (j->state == jump_held || j->state == jump_idle) *side_at(o, k) = middle(j->kind);
    if (j->state == jump_off) *side_at(o, k) = j->off;
    if (j->state != jump_held) *load_at(o, k) = 0;
  }
  // an argument may hold another jump
  bool changed = true;
  for (int round = 0; changed && round < 8; round++) {
    changed = false;
    if (!watch(o, y)) return false;
    for (uint32_t k = 0; k < b->jumps.count; k++) {
      if (b->jumps.items[k].state != jump_free) continue;
      double side = side_for(b->jumps.items[k].kind, watched(o, k, 0));
      changed = changed || side != *side_at(o, k);
      *side_at(o, k) = side;
    }
  }
  double left = 1;
  for (int round = 0; branches_any_held(o) && left > 1e-14 && round < 6; round++) {
    if (!load_step(o, y, &left)) return false;
  }
  return true;
}

// The argument is zero within the rounding of its terms.
static bool vanishes(Operating *o, const double *y, uint32_t k) {
  const double *row = row_of(o, k, false);
  double scale = 0;
  for (uint32_t at = 0; at < o->dim; at++) {
    if (o->role[at] <= role_input) scale += fabs(row[at] * y[at]);
  }
  return fabs(watched(o, k, 0)) <= touch * scale;
}

bool branches_hold(Operating *o, const double *y, bool search) {
  Branches *b = &o->branches;
  uint32_t count = b->jumps.count;
  if (!count) return true;
  for (uint32_t k = 0; k < count; k++) b->jumps.items[k].state = jump_free;
  if (!branches_settle(o, y) || !operating_raw_jacobian(o, y)) return false;
  for (uint32_t k = 0; k < count; k++) {
    Jump *j = &b->jumps.items[k];
    if (!vanishes(o, y, k)) continue;
    if (works_against(o, k)) j->state = search && j->refused ? jump_idle : jump_held;
    else j->stuck_at_zero = true;
  }
  // those that cannot be held let go, the one with the largest excess first: the others may have to carry less or more
  // then
  for (uint32_t round = 0; round < count; round++) {
    if (!branches_settle(o, y) || !watch(o, y)) return false;
    uint32_t worst = count;
    double most = 1 + limit_slack;
    for (uint32_t k = 0; k < count; k++) {
      Jump *j = &b->jumps.items[k];
      if (j->state != jump_held) continue;
      j->load = *load_at(o, k);
      j->most = watched(o, k, 2);
      double excess = fabs(j->load) > 0 ? fabs(j->load) / j->most : 0;
      if (!(excess > most)) continue;
      most = excess;
      worst = k;
    }
    if (worst == count) break;
    Jump *j = &b->jumps.items[worst];
    j->state = search ? jump_idle : jump_off;
    j->refused = true;
    j->asked = j->load;
    bool up = j->load > 0;
    j->off = j->kind == jump_friction ? up ? -1 : 1 : j->kind == jump_sign ? up ? 1 : -1 : up;
  }
  return branches_settle(o, y);
}

void branches_eliminate(Operating *o) {
  Branches *b = &o->branches;
  uint32_t rows = operating_rows(o), dim = o->dim;
  for (uint32_t i = 0; i < dim; i++) {
    b->carried[i] = 0;
    for (uint32_t k = 0; k < b->jumps.count; k++)
      b->carried[i] += fabs(b->full[(size_t)i * dim + load_column(o, k)] * *load_at(o, k));
  }
  for (uint32_t k = 0; k < b->jumps.count; k++) {
    if (b->jumps.items[k].state != jump_held) continue;
    uint32_t c = load_column(o, k);
    double *pivot = row_of(o, k, by_rate(o, k)), p = pivot[c], size = 0;
    for (uint32_t i = 0; i < dim; i++) size = fmax(size, fabs(pivot[i]));
    if (!(fabs(p) > 1e-12 * size)) continue;
    for (uint32_t i = 0; i < rows; i++) {
      double *row = b->full + (size_t)i * dim, f = row[c] / p;
      if (row == pivot || f == 0) continue;
      for (uint32_t j = 0; j < dim; j++) row[j] -= j == c ? row[j] : f * pivot[j];
    }
    memset(pivot, 0, dim * sizeof *pivot);
  }
}
