// Dirac impulses as jumps of the state: the coefficient of an impulse in every computed symbol, in topological order.
//
// Each impulse(t - t0) becomes a symbol delta. The part of delta in a symbol is found step by step: of a definition the
// directional derivative of its value; of a block A x + b = 0 the solution of A d + db = 0, a block of its own; of a
// call for many bodies another call, of bodies at rest (form/tree_jump.c). The part must be free of delta and of all
// that jumps, else it would be the product of an impulse and a jump, which has no meaning. An impulse behind another
// kernel, an implicit equation or a multiplier is not followed, but reported.
//
// Notation: delta the impulse; part of x: the coefficient of delta in it.
#include "sim/impulses.h"

#include "expr/calculus.h"
#include "expr/occurs.h"
#include "expr/rebuild.h"
#include "form/tree_jump.h"

#include <string.h>

typedef struct Impulse {
  ExprId node;    // impulse(t - t0)
  ExprId at;      // t0
  SymbolId delta; // stands for it
  Span span;
  SymbolMap parts; // by symbol; of delta itself 1
} Impulse;

typedef struct Impulses {
  System *s;
  ExprPool *pool;
  Diags *diags;
  VEC(Impulse) list;
  VEC(Block) blocks; // of jumps
  VEC(SystemCall) calls;
  ExprId *map; // by expression: with symbols for impulses; 0: not yet
  uint32_t map_size;
  bool *touched; // by symbol: it jumps at an impulse, or has a part of one
  uint32_t symbols;
  bool wrong; // something was reported
} Impulses;

// ---- symbols for impulses

static ExprId of(const Impulses *w, ExprId id) { return id < w->map_size && w->map[id] ? w->map[id] : id; }

static ExprId new_part(void *self, ExprId parent, uint32_t i, ExprId part) {
  (void)parent, (void)i;
  return of(self, part);
}

static Span span_of(const System *s, ExprId node) {
  for (uint32_t i = 0; i < s->places.count; i++) {
    if (s->places.items[i].node == node) return s->places.items[i].span;
  }
  return (Span){0};
}

static ExprId new_impulse(Impulses *w, ExprId node) {
  for (uint32_t i = 0; i < w->list.count; i++) {
    if (w->list.items[i].node == node) return expr_sym(w->pool, w->list.items[i].delta);
  }
  ExprId time = expr_sym(w->pool, w->s->time), since = pool_args(w->pool, node)[0];
  Impulse x = {.node = node, .at = expr_sub(w->pool, time, since), .span = span_of(w->s, node)};
  x.delta = pool_symbol(w->pool, "impulse", sym_held, UINT32_MAX - w->list.count, 0);
  x.parts = symbol_map_new(w->pool);
  if (!x.delta || !x.at || !x.parts.of) return 0;
  symbol_map_set(&x.parts, x.delta, w->pool->one);
  return vec_push(w->s->arena, &w->list, x) ? expr_sym(w->pool, x.delta) : 0;
}

static bool not_yet(const ExprPool *pool, ExprId id, const void *context) {
  const Impulses *w = context;
  (void)pool;
  return id >= w->map_size || !w->map[id];
}

static bool keep(Impulses *w, ExprId id, ExprId became) {
  if (id >= w->map_size) {
    uint32_t size = w->pool->nodes.count + w->pool->nodes.count / 2 + 64;
    ExprId *map = arena_array(w->s->arena, size, sizeof *map);
    if (!map) return false;
    if (w->map_size) memcpy(map, w->map, w->map_size * sizeof *map);
    w->map = map;
    w->map_size = size;
  }
  w->map[id] = became;
  return became != 0;
}

// The expression with a symbol instead of every impulse; 0: out of memory.
static ExprId with_symbols(Impulses *w, ExprId id) {
  uint32_t length;
  if (!id || (id < w->map_size && w->map[id])) return id ? w->map[id] : 0;
  const ExprId *list = pool_reach(w->pool, &id, 1, not_yet, w, &length);
  ExprId *copy = list ? arena_array(w->s->arena, (size_t)length + 1, sizeof *copy) : NULL;
  if (!copy) return 0;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) {
    bool is = expr_op(w->pool, copy[i]) == op_impulse;
    ExprId r = is ? new_impulse(w, copy[i]) : expr_rebuild(w->pool, copy[i], new_part, w);
    if (!keep(w, copy[i], r)) return 0;
  }
  return of(w, id);
}

// ---- parts

static void refuse(Impulses *w, const Impulse *x, const char *why, const char *hint) {
  w->wrong = true;
  diag_error(w->diags, diag_impulse, x->span, "%s", why);
  if (hint) diag_hint(w->diags, "%s", hint);
}

// The part of an impulse in each root, with symbols already; false: out of memory.
static bool parts_of(Impulses *w, const Impulse *x, const ExprId *roots, uint32_t count, ExprId *out) {
  return expr_derive(w->pool, &x->parts, roots, count, out, NULL);
}

static bool any_part(const Impulses *w, const ExprId *parts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i] != w->pool->zero) return true;
  }
  return false;
}

static ExprId *with_symbols_all(Impulses *w, const ExprId *list, uint32_t count) {
  ExprId *out = arena_array(w->s->arena, (size_t)count + 1, sizeof *out);
  for (uint32_t i = 0; out && i < count; i++) {
    out[i] = with_symbols(w, list[i]);
    if (!out[i]) return NULL;
  }
  return out;
}

// The rate of an input that holds an impulse is no number, and none of an impulse either.
static bool is_rate_of_impulse(Impulses *w, SymbolId symbol) {
  const System *s = w->s;
  for (uint32_t i = 0; i < s->input_rates.count; i++) {
    const SystemInputRate *r = &s->input_rates.items[i];
    if (r->symbol == symbol) return expr_has_op(w->pool, s->inputs.items[r->input].value, op_impulse);
  }
  return false;
}

static bool part_of_definition(Impulses *w, const Definition *d) {
  ExprId value = with_symbols(w, d->value), part;
  if (!value) return false;
  if (is_rate_of_impulse(w, d->symbol)) {
    for (uint32_t i = 0; i < w->list.count; i++)
      symbol_map_set(&w->list.items[i].parts, d->symbol, expr_raw(w->pool, op_undefined, NULL, 0));
    return true;
  }
  for (uint32_t i = 0; i < w->list.count; i++) {
    Impulse *x = &w->list.items[i];
    if (!parts_of(w, x, &value, 1, &part)) return false;
    if (part != w->pool->zero) symbol_map_set(&x->parts, d->symbol, part);
  }
  return true;
}

// The jump of a velocity, whose acceleration is the unknown i of a block or call; 0: out of memory.
static SymbolId new_jump(Impulses *w, Impulse *x, SymbolId acceleration, uint32_t i) {
  const char *name = arena_printf(w->s->arena, "%s.jump", pool_symbol_get(w->pool, acceleration)->name);
  uint32_t number = (uint32_t)(x - w->list.items) * (system_freedoms(w->s) + 1) + i;
  SymbolId jump = name ? pool_symbol(w->pool, name, sym_acceleration, number, 0) : 0;
  if (jump) symbol_map_set(&x->parts, acceleration, expr_sym(w->pool, jump));
  return jump;
}

// The rows and columns of the unknowns that are no multipliers, with other right-hand sides and unknowns.
static bool jump_block(Impulses *w, Impulse *x, const Block *b, const ExprId *parts) {
  System *s = w->s;
  uint32_t n = b->count - b->multipliers;
  ExprId *m = arena_array(s->arena, (size_t)n * n + 1, sizeof *m);
  Block j = {.count = n};
  j.unknowns = arena_array(s->arena, (size_t)n + 1, sizeof *j.unknowns);
  j.rhs = arena_array(s->arena, (size_t)n + 1, sizeof *j.rhs);
  j.origins = arena_array(s->arena, (size_t)n + 1, sizeof *j.origins);
  if (!m || !j.unknowns || !j.rhs || !j.origins) return false;
  for (uint32_t i = 0; i < n * n; i++) m[i] = block_entry(w->pool, b->plain ? b->plain : b, i / n, i % n);
  for (uint32_t i = 0; i < n; i++) {
    j.unknowns[i] = new_jump(w, x, b->unknowns[i], i);
    j.rhs[i] = parts[i];
    j.origins[i] = b->origins[i];
    if (!j.unknowns[i]) return false;
  }
  for (uint32_t i = n; i < b->count; i++)
    symbol_map_set(&x->parts, b->unknowns[i], expr_raw(w->pool, op_undefined, NULL, 0));
  if (!block_from_dense(s->arena, w->pool, &j, m)) return false;
  j.symmetric = block_is_symmetric(w->pool, &j);
  return vec_push(s->arena, &w->blocks, j);
}

static const char curved[] = "the impulse does not enter linearly", by_state[] = "write `when` for a jump that depends "
                                                                                 "on the motion";

static bool part_of_block(Impulses *w, const Block *b) {
  uint32_t n = b->count, cells = b->implicit ? 0 : block_entries(b);
  ExprId *rhs = with_symbols_all(w, b->rhs, n), *matrix = with_symbols_all(w, b->matrix.value, cells);
  ExprId *parts = arena_array(w->s->arena, (size_t)n + cells + 1, sizeof *parts);
  if (!rhs || !matrix || !parts) return false;
  for (uint32_t i = 0; i < w->list.count; i++) {
    Impulse *x = &w->list.items[i];
    if (!parts_of(w, x, rhs, n, parts) || (cells && !parts_of(w, x, matrix, cells, parts + n))) return false;
    if (!any_part(w, parts, n + cells)) continue;
    uint32_t bound = n - b->multipliers;
    if (b->implicit)
      refuse(w, x, "the impulse acts through an implicit equation, which does not tell its effect", NULL);
    else if (any_part(w, parts + n, cells)) refuse(w, x, curved, NULL);
    else if (any_part(w, parts + bound, b->multipliers)) refuse(w, x, "the impulse would move a constraint", NULL);
    else if (!jump_block(w, x, b, parts)) return false;
    if (w->wrong) return true;
  }
  return true;
}

// Another call, whose results are the jumps. False: out of memory.
static bool jump_call(Impulses *w, Impulse *x, const SystemCall *c, const ExprId *parts) {
  ExprId *args = arena_array(w->s->arena, (size_t)c->arg_count + 1, sizeof *args);
  SymbolId *results = arena_array(w->s->arena, (size_t)c->result_count + 1, sizeof *results);
  if (!args || !results) return false;
  if (!tree_jump(w->s, c, parts, args)) {
    refuse(w, x, "the impulse acts on bodies, and not by forces alone", NULL);
    return true;
  }
  for (uint32_t i = 0; i < c->result_count; i++) {
    results[i] = new_jump(w, x, c->results[i], i);
    if (!results[i]) return false;
  }
  SystemCall jump = *c;
  jump.args = args;
  jump.results = results;
  return vec_push(w->s->arena, &w->calls, jump);
}

static bool part_of_call(Impulses *w, const SystemCall *c) {
  ExprId *args = with_symbols_all(w, c->args, c->arg_count);
  ExprId *parts = arena_array(w->s->arena, (size_t)c->arg_count + 1, sizeof *parts);
  if (!args || !parts) return false;
  for (uint32_t i = 0; i < w->list.count && !w->wrong; i++) {
    Impulse *x = &w->list.items[i];
    if (!parts_of(w, x, args, c->arg_count, parts)) return false;
    if (any_part(w, parts, c->arg_count) && !jump_call(w, x, c, parts)) return false;
  }
  return true;
}

static bool find_parts(Impulses *w) {
  const System *s = w->s;
  for (uint32_t i = 0; i < s->steps.count && !w->wrong; i++) {
    uint32_t at = s->steps.items[i].index;
    bool ok = true;
    switch (s->steps.items[i].kind) {
    case step_define: ok = part_of_definition(w, &s->definitions.items[at]); break;
    case step_solve: ok = part_of_block(w, &s->blocks.items[at]); break;
    case step_call: ok = part_of_call(w, &s->calls.items[at]); break;
    }
    if (!ok) return false;
  }
  return true;
}

// ---- what jumps

static bool holds_touched(Impulses *w, const ExprId *roots, uint32_t count) {
  uint32_t length;
  const ExprId *list = count ? pool_reach(w->pool, roots, count, NULL, NULL, &length) : NULL;
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(w->pool, list[i]);
    if (symbol && symbol < w->symbols && w->touched[symbol]) return true;
    if (expr_op(w->pool, list[i]) == op_undefined) return true;
  }
  return false;
}

static void touch(Impulses *w, const SymbolId *symbols, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) w->touched[symbols[i]] = true;
}

// Everything that depends on what jumps.
static void spread(Impulses *w) {
  const System *s = w->s;
  for (uint32_t i = 0; i < s->steps.count; i++) {
    uint32_t at = s->steps.items[i].index;
    const Definition *d = &s->definitions.items[at];
    const SystemCall *c = &s->calls.items[at];
    const Block *b = &s->blocks.items[at];
    switch (s->steps.items[i].kind) {
    case step_define:
      if (holds_touched(w, &d->value, 1)) touch(w, &d->symbol, 1);
      break;
    case step_solve:
      if (holds_touched(w, b->rhs, b->count) || (!b->implicit && holds_touched(w, b->matrix.value, block_entries(b))))
        touch(w, b->unknowns, b->count);
      break;
    case step_call:
      if (holds_touched(w, c->args, c->arg_count)) touch(w, c->results, c->result_count);
      break;
    }
  }
}

static bool mark_touched(Impulses *w) {
  w->symbols = w->pool->symbols.count;
  w->touched = arena_array(w->s->arena, w->symbols, sizeof *w->touched);
  if (!w->touched) return false;
  for (uint32_t i = 0; i < w->list.count; i++) {
    const Impulse *x = &w->list.items[i];
    w->touched[x->delta] = true;
    for (uint32_t k = 0; k < w->s->y.count; k++) {
      const Component *c = &w->s->y.items[k];
      ExprId rate = c->symbol && c->rate ? with_symbols(w, c->rate) : w->pool->zero, part;
      if (!rate || !parts_of(w, x, &rate, 1, &part)) return false;
      if (part != w->pool->zero) w->touched[c->symbol] = true;
    }
  }
  spread(w);
  return true;
}

// Where an impulse may not stand: in memory blocks, conditions and delays.
static bool check_place(Impulses *w, ExprId id, const char *where) {
  ExprId root = id ? with_symbols(w, id) : w->pool->zero, part;
  if (!root) return false;
  for (uint32_t i = 0; i < w->list.count; i++) {
    if (!parts_of(w, &w->list.items[i], &root, 1, &part)) return false;
    if (part == w->pool->zero) continue;
    refuse(w, &w->list.items[i], arena_printf(w->s->arena, "an impulse cannot stand in %s", where),
           "it acts where it is integrated: in the rate of a state, or in a force");
  }
  return true;
}

static bool check_places(Impulses *w) {
  const System *s = w->s;
  bool ok = true;
  for (uint32_t i = 0; i < s->memories.count; i++)
    ok = ok && check_place(w, s->memories.items[i].rule, "what a block remembers");
  for (uint32_t i = 0; i < s->delays.count; i++) ok = ok && check_place(w, s->delays.items[i].input, "a delay");
  for (uint32_t i = 0; i < s->frictions.count; i++)
    ok = ok && check_place(w, s->frictions.items[i].v, "friction") &&
         check_place(w, s->frictions.items[i].slip, "friction") &&
         check_place(w, s->frictions.items[i].stick, "friction");
  for (uint32_t i = 0; i < s->checks.count; i++) ok = ok && check_place(w, s->checks.items[i].wrong, "logic");
  for (uint32_t i = 0; i < s->whens.count; i++) {
    const SystemWhen *e = &s->whens.items[i];
    ok = ok && check_place(w, e->condition, "a condition");
    for (uint32_t k = 0; k < e->assigns.count; k++) ok = ok && check_place(w, e->assigns.items[k].value, "a new value");
  }
  for (uint32_t i = 0; i < s->constraints.count; i++)
    ok = ok && check_place(w, s->constraints.items[i].value, "a constraint") &&
         check_place(w, s->constraints.items[i].rate, "a constraint");
  return ok;
}

// Accelerations and rates of what jumps are shown without the impulse; what is an impulse itself has nothing to show.
static bool look_at_shown(void *self, ExprId value, Span span) {
  Impulses *w = self;
  ExprId root = value ? with_symbols(w, value) : 0, part;
  bool told = false;
  for (uint32_t i = 0; root && i < w->list.count && !told; i++) {
    if (!parts_of(w, &w->list.items[i], &root, 1, &part) || part == w->pool->zero) continue;
    diag_warning(w->diags, diag_impulse, span, "this holds an impulse, which has no value: it is shown without it");
    diag_hint(w->diags, "what the impulse does is seen in what integrates it");
    told = true;
  }
  return told;
}

// ---- events

static AssignKind kind_of(const System *s, const Component *c) {
  SymbolKind kind = pool_symbol_get(s->pool, c->symbol)->kind;
  return kind == sym_coord ? assign_place : kind == sym_velocity ? assign_velocity : assign_state;
}

// A component that is a combination of velocities, or the angular velocity of a spherical joint, can not be set.
static bool may_be_set(const System *s, const Component *c) {
  if (c->from == of_state) return s->states.items[c->of].x == c->symbol;
  const SystemCoord *q = &s->coords.items[c->of];
  return c->symbol == q->q || c->symbol == q->v;
}

static bool make_event(Impulses *w, const Impulse *x) {
  System *s = w->s;
  SystemWhen e = {.period = x->at, .once = true, .span = x->span};
  for (uint32_t k = 0; k < s->y.count; k++) {
    const Component *c = &s->y.items[k];
    ExprId rate = c->symbol && c->rate ? with_symbols(w, c->rate) : w->pool->zero, part;
    if (!rate || !parts_of(w, x, &rate, 1, &part)) return false;
    if (part == w->pool->zero) continue;
    if (holds_touched(w, &part, 1)) {
      refuse(w, x,
             arena_printf(s->arena, "what this impulse does to `%s` depends on what jumps with it, so it is not known",
                          c->name),
             by_state);
    } else if (!may_be_set(s, c)) {
      refuse(w, x, arena_printf(s->arena, "the impulse acts on `%s`, which follows from others", c->name), NULL);
    } else {
      ExprId value = expr_add(w->pool, expr_sym(w->pool, c->symbol), part);
      vec_push(s->arena, &e.assigns, (SystemAssign){kind_of(s, c), c->of, value, x->span});
    }
  }
  return vec_push(s->arena, &s->whens, e);
}

static bool check_blocks(Impulses *w) {
  bool jumps = false;
  for (uint32_t i = 0; i < w->blocks.count && w->list.count; i++) {
    const Block *b = &w->blocks.items[i];
    jumps = jumps || holds_touched(w, b->rhs, b->count) || holds_touched(w, b->matrix.value, block_entries(b));
  }
  for (uint32_t i = 0; i < w->calls.count && w->list.count; i++)
    jumps = jumps || holds_touched(w, w->calls.items[i].args, w->calls.items[i].arg_count);
  if (jumps)
    refuse(w, &w->list.items[0], "what this impulse does depends on what jumps with it, so it is not known", by_state);
  return !jumps;
}

// The list is that of the model until it is copied.
static bool add_calls(Impulses *w) {
  System *s = w->s;
  uint32_t count = s->calls.count + w->calls.count;
  SystemCall *calls = arena_array(s->arena, (size_t)count + 1, sizeof *calls);
  if (!calls) return false;
  if (s->calls.count) memcpy(calls, s->calls.items, s->calls.count * sizeof *calls);
  if (w->calls.count) memcpy(calls + s->calls.count, w->calls.items, w->calls.count * sizeof *calls);
  s->calls.items = calls;
  s->calls.count = s->calls.cap = count;
  return true;
}

static bool make_events(Impulses *w) {
  System *s = w->s;
  SystemWhen *whens = arena_array(s->arena, (size_t)s->whens.count + w->list.count, sizeof *whens);
  if (!whens) return false;
  if (s->whens.count) memcpy(whens, s->whens.items, s->whens.count * sizeof *whens);
  s->whens.items = whens;
  s->whens.cap = s->whens.count + w->list.count;
  for (uint32_t i = 0; i < w->list.count; i++) {
    if (!make_event(w, &w->list.items[i])) return false;
  }
  if (w->wrong || !(w->blocks.count || w->calls.count)) return true;
  if (!system_unorder(s)) return false;
  for (uint32_t i = 0; i < w->blocks.count; i++) vec_push(s->arena, &s->blocks, w->blocks.items[i]);
  s->unordered.blocks = s->blocks.count;
  return add_calls(w) && !arena_failed(s->arena) && system_order(s, NULL);
}

bool impulses_any(System *s) {
  uint32_t n = s->pool->nodes.count;
  for (ExprId i = 1; i < n; i++) {
    if (expr_op(s->pool, i) == op_impulse) return true;
  }
  return false;
}

static bool gather(void *self, ExprId value, Span span) {
  (void)span;
  return value && !with_symbols(self, value); // nothing is reported here
}

bool impulses_take(System *s, Diags *diags) {
  Impulses *w = &(Impulses){.s = s, .pool = s->pool, .diags = diags};
  // all of them are known before the first part is looked for
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    if (!with_symbols(w, s->definitions.items[i].value)) return false;
  }
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    if (!with_symbols_all(w, b->rhs, b->count)) return false;
    if (!b->implicit && !with_symbols_all(w, b->matrix.value, block_entries(b))) return false;
  }
  for (uint32_t i = 0; i < s->calls.count; i++) {
    if (!with_symbols_all(w, s->calls.items[i].args, s->calls.items[i].arg_count)) return false;
  }
  system_each_shown(s, gather, w);
  if (!check_places(w) || !find_parts(w)) return false;
  if (w->wrong) return true;
  if (!mark_touched(w) || !check_places(w)) return false;
  system_each_shown(s, look_at_shown, w);
  if (w->wrong || !w->list.count) return true;
  return !check_blocks(w) || make_events(w);
}
