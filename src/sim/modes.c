// Expressions with corners and jumps made smooth by modes.
#include "sim/locating.h"
#include "sim/mode_order.h"

#include "expr/calculus.h"
#include "expr/ops.h"
#include "expr/rebuild.h"
#include "system/implicit.h"

#include <math.h>
#include <string.h>

// Does it change inside a step? What depends on time alone has its breaks beforehand.
static bool moves(const ExprPool *pool, const ExprId *args, uint32_t count) {
  KindSet kinds = 0, still = kind_set(sym_param) | kind_set(sym_memory) | kind_set(sym_mode);
  for (uint32_t i = 0; i < count; i++) kinds |= expr_kinds(pool, args[i]);
  if (!(kinds & ~still)) return false;
  return (kinds & ~(kind_set(sym_param) | kind_set(sym_time))) != 0;
}

void modes_roots(System *s, Arena *arena, Roots *roots) {
  for (uint32_t i = 0; i < s->definitions.count; i++) vec_push(arena, roots, s->definitions.items[i].value);
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    for (uint32_t k = 0; k < b->count; k++) vec_push(arena, roots, b->rhs[k]);
    for (uint32_t k = 0; k < b->count * b->count; k++) vec_push(arena, roots, b->matrix[k]);
  }
}

bool hybrid_needed(System *s) {
  const System *m = s;
  if (m->memories.count || m->delays.count || m->frictions.count || m->whens.count || m->checks.count) return true;
  Roots roots = {0};
  modes_roots(s, s->pool->scratch, &roots);
  uint32_t length = 0;
  const ExprId *list = pool_reach(s->pool, roots.items, roots.count, NULL, NULL, &length);
  for (uint32_t i = 0; list && roots.count && i < length; i++) {
    const ExprNode *n = pool_node(s->pool, list[i]);
    if (expr_op_switches((ExprOp)n->op) && !n->bound && moves(s->pool, pool_args(s->pool, list[i]), n->count))
      return true;
  }
  return false;
}

// A function of time alone whose argument is no straight line: a grid of moments may miss its switchings, a search does
// not.
static bool bends(Hybrid *h, ExprOp op, const ExprId *a) {
  ExprPool *p = h->s->pool;
  ExprId g = expr_guard(p, op, a);
  KindSet allowed = kind_set(sym_time) | kind_set(sym_param);
  if (!g || !expr_has_kind(p, g, sym_time) || !expr_only_kinds(p, g, allowed)) return false;
  ExprId rate = expr_diff(p, g, h->m->time);
  return rate && expr_has_kind(p, rate, sym_time);
}

// ---- modes

static uint32_t hash_mode(ModeKind kind, bool closed, ExprId g, ExprId limit) {
  uint32_t h = (g * 2654435761u) ^ (limit * 40503u) ^ (uint32_t)kind * 97u ^ (closed ? 31u : 0);
  return h ^ h >> 15;
}

static bool grow_table(Hybrid *h) {
  uint32_t size = h->mode_table_size ? 2 * h->mode_table_size : 64;
  uint32_t *table = arena_array(h->arena, size, sizeof *table);
  if (!table) return false;
  for (uint32_t i = 0; i < h->modes.count; i++) {
    const SwitchMode *m = &h->modes.items[i];
    uint32_t at = hash_mode(m->kind, m->closed, m->g, m->limit) & (size - 1);
    while (table[at]) at = (at + 1) & (size - 1);
    table[at] = i + 1;
  }
  h->mode_table = table;
  h->mode_table_size = size;
  return true;
}

static const ModelPlace *place_of(Hybrid *h, ExprId node) {
  if (!h->places) { // by expression, the first place counts
    h->places_size = h->s->pool->nodes.count;
    h->places = arena_array(h->arena, h->places_size, sizeof *h->places);
    for (uint32_t i = h->places ? h->m->places.count : 0; i-- > 0;) h->places[h->m->places.items[i].node] = i + 1;
  }
  uint32_t at = h->places && node < h->places_size ? h->places[node] : 0;
  return at ? &h->m->places.items[at - 1] : NULL;
}

// The mode whose symbol an expression is; NULL: none.
static const SwitchMode *mode_of(const Hybrid *h, ExprId id) {
  SymbolId symbol = id ? expr_symbol(h->s->pool, id) : 0;
  if (!symbol) return NULL;
  const Symbol *s = pool_symbol_get(h->s->pool, symbol);
  bool ours = s->kind == sym_mode && s->index < h->modes.count;
  return ours ? &h->modes.items[s->index] : NULL;
}

// A comparison where true or false is asked for. While it holds the motion its value lies between 0 and 1, and its
// argument is zero: then `<` is false and `<=` true.
static ExprId truth(Hybrid *h, ExprId id) {
  const SwitchMode *m = mode_of(h, id);
  if (!m || m->kind != mode_above || m->closed || h->old) return id;
  return expr_fn(h->s->pool, op_eq, (ExprId[]){id, h->s->pool->one}, 2);
}

static ExprId new_mode(Hybrid *h, ModeKind kind, bool closed, ExprId g, ExprId limit, const char *word, Span span) {
  if (!g || (2 * h->modes.count >= h->mode_table_size && !grow_table(h))) return 0;
  uint32_t at = hash_mode(kind, closed, g, limit) & (h->mode_table_size - 1);
  for (; h->mode_table[at]; at = (at + 1) & (h->mode_table_size - 1)) {
    const SwitchMode *m = &h->modes.items[h->mode_table[at] - 1];
    if (m->kind != kind || m->closed != closed || m->g != g || m->limit != limit) continue;
    if (!h->frozen) h->modes.items[h->mode_table[at] - 1].jumps |= h->jumps;
    return expr_sym(h->s->pool, m->symbol);
  }
  if (h->frozen) { // what is only shown needs no event
    h->missing = true;
    return h->s->pool->zero;
  }
  const char *name = arena_printf(h->arena, "%s.mode", word);
  SymbolId symbol = name ? pool_symbol(h->s->pool, name, sym_mode, h->modes.count, 0) : 0;
  SwitchMode m = {.kind = kind,
                  .closed = closed,
                  .symbol = symbol,
                  .g = g,
                  .limit = limit,
                  .word = word,
                  .span = span,
                  .jumps = h->jumps};
  m.silent = span.source && span.source == h->told.source && span.start == h->told.start && span.end == h->told.end;
  if (!symbol || !vec_push(h->arena, &h->modes, m)) return 0;
  h->mode_table[at] = h->modes.count;
  return expr_sym(h->s->pool, symbol);
}

// The smooth form of a function whose arguments are rewritten.
static ExprId smooth(Hybrid *h, ExprId node, ExprOp op, const ExprId *a) {
  ExprPool *p = h->s->pool;
  const ModelPlace *place = place_of(h, node);
  static const char *const compared[] = {[op_lt] = "<", [op_le] = "<=", [op_eq] = "==", [op_ne] = "!="};
  const OpInfo *info = expr_op_info(op);
  const char *word = place ? place->word : info->truth ? compared[op] : info->name;
  Span span = place ? place->span : (Span){0};
  h->jumps = expr_op_can_hold(op);
  ExprId g = expr_guard(p, op, a), m;
  switch (info->switching) {
  case switching_above:
  case switching_from: m = new_mode(h, mode_above, info->switching == switching_from, g, 0, word, span); break;
  case switching_sides: return new_mode(h, mode_sign, false, g, p->one, word, span);
  case switching_whole: m = new_mode(h, mode_floor, true, g, 0, word, span); break;
  default: // a point, of == and !=
    m = new_mode(h, mode_sign, true, g, 0, word, span);
    if (m && !h->frozen) h->modes.items[h->modes.count - 1].pass = true;
    return expr_fn(p, op, (ExprId[]){m, p->zero}, 2);
  }
  // a branch of what is continuous; of what jumps the mode itself
  switch ((int)op) {
  case op_abs: return expr_fn(p, op_if, (ExprId[]){m, a[0], expr_neg(p, a[0])}, 3);
  case op_ramp: return expr_fn(p, op_if, (ExprId[]){m, a[0], p->zero}, 3);
  case op_min:
  case op_max: return expr_fn(p, op_if, (ExprId[]){m, a[1], a[0]}, 3);
  case op_mod: return expr_sub(p, a[0], expr_mul(p, a[1], m));
  default: return m;
  }
}

// ---- rewriting

static ExprId of(const Hybrid *h, ExprId id) {
  ExprId r = id < h->map_size ? h->map[id] : 0;
  return r ? r : id;
}

static ExprId friction_force(Hybrid *h, const ModelFriction *x) {
  ExprPool *p = h->s->pool;
  ExprId v = hybrid_of(h, x->v), slip = hybrid_of(h, x->slip), stick = hybrid_of(h, x->stick), side;
  if (h->old) side = expr_fn(p, op_sign, &v, 1);
  else {
    h->missing = false;
    h->jumps = true;
    side = new_mode(h, mode_sign, false, v, expr_div(p, stick, slip), "friction", x->span);
    if (h->missing) side = expr_fn(p, op_sign, &v, 1); // only shown
  }
  return expr_neg(p, expr_mul(p, slip, side));
}

static ExprId rewrite_symbol(Hybrid *h, SymbolId symbol, ExprId id) {
  Symbol s = *pool_symbol_get(h->s->pool, symbol);
  const System *m = h->m;
  if (s.kind == sym_memory && s.index < m->memories.count) {
    const ModelMemory *x = &m->memories.items[s.index];
    return x->symbol == symbol && x->follow && !h->old ? hybrid_of(h, x->follow) : id;
  }
  if (s.kind == sym_friction) return friction_force(h, &m->frictions.items[s.index]);
  if (s.kind != sym_delay) return id;
  if (h->delay_times[s.index] != 0) return id;
  if (h->opened[s.index]) { // its own input needs it
    h->failure = "this `delay` has no length, so its loop is an algebraic one";
    h->failure_place = m->delays.items[s.index].span;
    return 0;
  }
  h->opened[s.index] = true;
  ExprId input = hybrid_of(h, m->delays.items[s.index].input);
  h->opened[s.index] = false;
  return input;
}

// A term or factor: `not` of a comparison enters as 1 - m, so that a value between may hold the motion.
static ExprId as_number(Hybrid *h, ExprId id) {
  ExprPool *p = h->s->pool;
  if (h->old || expr_op(p, id) != op_not) return of(h, id);
  ExprId m = of(h, pool_args(p, id)[0]);
  return mode_of(h, m) && mode_of(h, m)->kind == mode_above ? expr_sub(p, p->one, m) : of(h, id);
}

static ExprId rewritten_part(void *self, ExprId parent, uint32_t i, ExprId part) {
  Hybrid *h = self;
  bool exponent = expr_op(h->s->pool, parent) == op_mul && i % 2 == 0;
  return exponent ? of(h, part) : as_number(h, part);
}

static ExprId rewrite_node(Hybrid *h, ExprId id) {
  ExprPool *p = h->s->pool;
  ExprNode n = *pool_node(p, id);
  ExprOp op = (ExprOp)n.op;
  if (op == op_sym) return rewrite_symbol(h, n.first, id);
  if (op == op_add || op == op_mul || n.count == 0) return expr_rebuild(p, id, rewritten_part, h);
  ExprId args[4] = {0};
  bool changed = false;
  for (uint32_t i = 0; i < n.count && i < 4; i++) {
    ExprId a = pool_args(p, id)[i];
    args[i] = of(h, a);
    changed = changed || args[i] != a;
  }
  if (!h->old && !n.bound && expr_op_switches(op) && (moves(p, args, n.count) || bends(h, op, args))) {
    h->missing = false;
    ExprId r = smooth(h, id, op, args);
    if (!h->missing) return r;
  }
  if (!changed) return id;
  // between two constants the branch enters linearly, so that a value between them may hold the motion
  if (op == op_if && !h->old && !h->in_rules && args[0] != pool_args(p, id)[0] && expr_symbol(p, args[0]) &&
      !((expr_kinds(p, args[1]) | expr_kinds(p, args[2])) & ~kind_set(sym_param))) {
    return expr_add(p, args[2], expr_mul(p, args[0], expr_sub(p, args[1], args[2])));
  }
  bool logic = op == op_and || op == op_or || op == op_not;
  for (uint32_t i = 0; i < n.count && i < 4 && (logic || (op == op_if && i == 0)); i++) args[i] = truth(h, args[i]);
  return expr_make(p, op, args, n.count);
}

static bool not_yet(const ExprPool *pool, ExprId id, const void *context) {
  const Hybrid *h = context;
  (void)pool;
  return id >= h->map_size || !h->map[id];
}

ExprId hybrid_of(Hybrid *h, ExprId id) {
  if (!id) return 0;
  if (id < h->map_size && h->map[id]) return h->map[id];
  uint32_t length;
  const ExprId *list = pool_reach(h->s->pool, &id, 1, not_yet, h, &length);
  ExprId *copy = list ? arena_array(h->arena, length, sizeof *copy) : NULL;
  if (!copy) return 0;
  memcpy(copy, list, length * sizeof *copy);
  if (id >= h->map_size) {
    uint32_t size = h->s->pool->nodes.count + 1024;
    ExprId *map = arena_array(h->arena, size, sizeof *map);
    if (!map) return 0;
    if (h->map_size) memcpy(map, h->map, h->map_size * sizeof *map);
    h->map = map;
    h->map_size = size;
  }
  for (uint32_t i = 0; i < length; i++) {
    if (h->map[copy[i]]) continue;
    ExprId r = rewrite_node(h, copy[i]);
    if (!r) return 0;
    h->map[copy[i]] = r;
    if (r < h->map_size && !h->map[r]) h->map[r] = r; // smooth already
  }
  return h->map[id];
}

static void swap_maps(Hybrid *h) {
  ExprId *map = h->map;
  uint32_t size = h->map_size;
  h->map = h->rule_map;
  h->map_size = h->rule_map_size;
  h->rule_map = map;
  h->rule_map_size = size;
}

// The same for a rule or condition: there an `if` between two constants is one or the other, nothing between.
static ExprId rule_of(Hybrid *h, ExprId id) {
  bool before = h->in_rules;
  if (!before) swap_maps(h);
  h->in_rules = true;
  ExprId r = hybrid_of(h, id);
  if (!before) swap_maps(h);
  h->in_rules = before;
  return truth(h, r);
}

static bool rewrite_list(Hybrid *h, ExprId *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i] && !(list[i] = hybrid_of(h, list[i]))) return false;
  }
  return true;
}

static void *copied(Arena *arena, const void *items, size_t count, size_t size) {
  void *p = arena_array(arena, count, size);
  if (p && count) memcpy(p, items, count * size);
  return p;
}

static bool rewrite_system(Hybrid *h) {
  System *s = h->s;
  s->definitions.items = copied(h->arena, s->definitions.items, s->definitions.count, sizeof *s->definitions.items);
  s->definitions.cap = s->definitions.count;
  s->blocks.items = copied(h->arena, s->blocks.items, s->blocks.count, sizeof *s->blocks.items);
  if (!s->definitions.items || !s->blocks.items) return false;
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    if (!rewrite_list(h, &s->definitions.items[i].value, 1)) return false;
  }
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    Block *b = &s->blocks.items[i];
    b->matrix = copied(h->arena, b->matrix, (size_t)b->count * b->count, sizeof *b->matrix);
    b->rhs = copied(h->arena, b->rhs, b->count, sizeof *b->rhs);
    if (!b->matrix || !b->rhs || !rewrite_list(h, b->rhs, b->count)) return false;
    // where the residuals are smooth, so are their derivatives
    bool ok = b->implicit ? implicit_derive(s, b) : rewrite_list(h, b->matrix, b->count * b->count);
    if (!ok) return false;
  }
  ExprId *e[] = {&s->energy.kinetic, &s->energy.potential, &s->energy.stored};
  for (int i = 0; i < 3; i++) {
    if (!rewrite_list(h, e[i], 1)) return false;
  }
  s->energy.flows.items = copied(h->arena, s->energy.flows.items, s->energy.flows.count, sizeof *s->energy.flows.items);
  for (uint32_t i = 0; s->energy.flows.items && i < s->energy.flows.count; i++) {
    if (!rewrite_list(h, &s->energy.flows.items[i].power, 1)) return false;
  }
  return s->energy.flows.items && system_layout(s);
}

static bool rewrite_model(Hybrid *h) {
  const System *m = h->m;
  Arena *arena = h->arena;
  h->rules = arena_array(arena, m->memories.count, sizeof *h->rules);
  h->starts = arena_array(arena, m->memories.count, sizeof *h->starts);
  h->conditions = arena_array(arena, m->whens.count, sizeof *h->conditions);
  h->values = arena_array(arena, m->whens.count, sizeof *h->values);
  h->inputs = arena_array(arena, m->delays.count, sizeof *h->inputs);
  h->checks = arena_array(arena, m->checks.count, sizeof *h->checks);
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < m->memories.count; i++) {
    const ModelMemory *x = &m->memories.items[i];
    h->told = x->span;
    h->rules[i] = rule_of(h, h->old && x->stage ? x->stage : x->rule);
    h->starts[i] = hybrid_of(h, x->start);
  }
  h->told = (Span){0};
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const ModelWhen *w = &m->whens.items[i];
    h->conditions[i] = w->condition ? rule_of(h, w->condition) : h->s->pool->zero;
    h->values[i] = arena_array(arena, w->assigns.count, sizeof **h->values);
    for (uint32_t k = 0; h->values[i] && k < w->assigns.count; k++)
      h->values[i][k] = hybrid_of(h, w->assigns.items[k].value);
  }
  for (uint32_t i = 0; i < m->delays.count; i++) h->inputs[i] = hybrid_of(h, m->delays.items[i].input);
  for (uint32_t i = 0; i < m->checks.count; i++) {
    h->told = m->checks.items[i].span;
    h->checks[i] = rule_of(h, m->checks.items[i].wrong);
  }
  return !arena_failed(arena) && !h->s->pool->limit;
}

// ---- rates of the guards

// Inputs stand for their expressions: their rates may not be there.
bool modes_without_inputs(Hybrid *h, ExprId *g, uint32_t count) {
  ExprPool *p = h->s->pool;
  SymbolMap map = symbol_map_new(p);
  for (uint32_t i = 0; i < h->s->definitions.count; i++) {
    const Definition *d = &h->s->definitions.items[i];
    if (pool_symbol_get(p, d->symbol)->kind == sym_input) symbol_map_set(&map, d->symbol, d->value);
  }
  for (int round = 0; round < 20; round++) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any = any || expr_has_kind(p, g[i], sym_input);
    if (!any) return true;
    if (!expr_replace(p, &map, g, count, g)) return false;
  }
  return true;
}

static bool find_rates(Hybrid *h) {
  ExprPool *p = h->s->pool;
  uint32_t n = h->modes.count;
  ExprId *g = arena_array(h->arena, n, sizeof *g), *rate = arena_array(h->arena, n, sizeof *rate);
  if (!g || !rate) return false;
  for (uint32_t i = 0; i < n; i++) g[i] = h->modes.items[i].g;
  if (!modes_without_inputs(h, g, n)) return false;
  KindSet no = kind_set(sym_acceleration) | kind_set(sym_state_rate) | kind_set(sym_delay) | kind_set(sym_friction) |
               kind_set(sym_input) | kind_set(sym_input_rate) | kind_set(sym_signal) | kind_set(sym_unknown) |
               kind_set(sym_held);
  bool *known = arena_array(h->arena, n, sizeof *known);
  if (!known) return false;
  for (uint32_t i = 0; i < n; i++) {
    known[i] = !expr_has_kinds(p, g[i], no);
    // a velocity that is computed has no rate, nor has a place
    for (uint32_t k = 0; known[i] && k < h->s->coord_count; k++) {
      const ModelCoord *c = &h->m->coords.items[k];
      if (h->s->speeds[k].symbol != c->v) known[i] = !expr_depends(p, g[i], c->v);
      if (h->s->order_zero[k]) known[i] = known[i] && !expr_depends(p, g[i], c->q);
    }
    if (!known[i]) g[i] = p->zero;
  }
  SymbolMap map = symbol_map_new(p);
  symbol_map_set(&map, h->m->time, p->one);
  for (uint32_t i = 0; i < h->s->coord_count; i++) {
    const ModelCoord *c = &h->m->coords.items[i];
    symbol_map_set(&map, c->q, expr_sym(p, c->v));
    symbol_map_set(&map, c->v, expr_sym(p, c->a));
  }
  for (uint32_t i = 0; i < h->s->state_count; i++)
    symbol_map_set(&map, h->m->states.items[i].x, expr_sym(p, h->m->states.items[i].rate));
  if (n && !expr_derive(p, &map, g, n, rate, NULL)) return false;
  for (uint32_t i = 0; i < n; i++) h->modes.items[i].rate = known[i] ? rate[i] : 0;
  return true;
}

// ---- the whole

static bool delay_times(Hybrid *h, const double *params) {
  const System *m = h->m;
  uint32_t n = m->delays.count;
  h->delay_times = arena_array(h->arena, (size_t)n + 1, sizeof *h->delay_times);
  h->opened = arena_array(h->arena, (size_t)n + 1, sizeof *h->opened);
  ExprId *wanted = arena_array(h->arena, (size_t)n + 1, sizeof *wanted);
  if (!h->delay_times || !wanted) return false;
  for (uint32_t i = 0; i < n; i++) wanted[i] = m->delays.items[i].time;
  if (n == 0) return true;
  const Tape *t = h->times = tape_build(h->arena, &(TapeWish){.system = h->s, .results = wanted, .result_count = n});
  double *w = h->times_w = t ? arena_array(h->arena, t->slot_count, sizeof *w) : NULL;
  if (!w) return false;
  memcpy(w, params, t->param_count * sizeof *w);
  tape_prepare(t, w);
  tape_eval(t, w);
  for (uint32_t i = 0; i < n; i++) {
    h->delay_times[i] = tape_result(t, w, i);
    if (h->delay_times[i] >= 0 && isfinite(h->delay_times[i])) continue;
    h->failure = "the dead time of a delay is no positive number";
    h->failure_place = m->delays.items[i].span;
    return false;
  }
  return true;
}

bool hybrid_rewrite(Hybrid *h, System *s, const double *params, bool old) {
  Arena *arena = s->arena;
  *h = (Hybrid){.arena = arena, .s = s, .m = s, .old = old};
  const System *m = h->m;
  if (!delay_times(h, params) || !rewrite_system(h) || !rewrite_model(h)) return false;
  h->memory_count = m->memories.count;
  h->delay_count = m->delays.count;
  h->frozen = true;
  return true;
}

static const Tape *build(Hybrid *h, System *s, const ExprId *results, uint32_t count, TapeSolve *large,
                         const double *params, double **w) {
  uint32_t k = 0;
  SymbolId *vars = arena_array(h->arena, (size_t)h->body + s->held.count + 2, sizeof *vars);
  if (!vars) return NULL;
  vars[k++] = h->m->time;
  for (uint32_t i = 0; i < s->coord_count; i++) vars[k++] = s->order_zero[i] ? 0 : h->m->coords.items[i].q;
  for (uint32_t i = 0; i < s->coord_count; i++) vars[k++] = s->speeds[i].symbol;
  for (uint32_t i = 0; i < s->state_count; i++) vars[k++] = h->m->states.items[i].x;
  for (uint32_t i = 0; i < s->held.count; i++) vars[k++] = s->held.items[i].symbol;
  const Tape *t = tape_build(h->arena, &(TapeWish){.system = s,
                                                   .vars = vars,
                                                   .var_count = k,
                                                   .held_count = s->held.count,
                                                   .results = results,
                                                   .result_count = count,
                                                   .large = large});
  *w = t ? arena_array(h->arena, t->slot_count, sizeof **w) : NULL;
  if (!*w) return NULL;
  memcpy(*w, params, t->param_count * sizeof **w);
  tape_prepare(t, *w);
  return t;
}

// What changes as a run goes.
static bool room(Hybrid *h, Arena *arena) {
  const System *m = h->m;
  uint32_t modes = h->modes.count;
  h->z = arena_array(arena, (size_t)h->z_count + 1, sizeof *h->z);
  h->was = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->was);
  h->fired = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->fired);
  h->faster = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->faster);
  h->fired_at = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->fired_at);
  h->fired_gap = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->fired_gap);
  h->when_words = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->when_words);
  h->when_t = NAN;
  h->periods = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->periods);
  h->next_at = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->next_at);
  h->ticks = arena_array(arena, (size_t)m->whens.count + 1, sizeof *h->ticks);
  h->held = arena_array(arena, (size_t)modes + 1, sizeof *h->held);
  h->fresh = arena_array(arena, (size_t)modes + 1, sizeof *h->fresh);
  h->wild = arena_array(arena, (size_t)modes + 1, sizeof *h->wild);
  h->noise = arena_array(arena, (size_t)modes + 1, sizeof *h->noise);
  h->rearm = arena_array(arena, (size_t)modes + 1, sizeof *h->rearm);
  h->left = arena_array(arena, (size_t)h->delay_count + 1, sizeof *h->left);
  h->c = arena_array(arena, (size_t)modes + 1, sizeof *h->c);
  h->group = arena_array(arena, (size_t)modes + 1, sizeof *h->group);
  h->free_at = arena_array(arena, (size_t)modes + 1, sizeof *h->free_at);
  h->columns = arena_array(arena, (size_t)modes + 1, sizeof *h->columns);
  h->together = arena_array(arena, (size_t)modes + 1, sizeof *h->together);
  h->ties = (struct Ties){0};
  h->ties.at = arena_array(arena, (size_t)h->body + 1, sizeof *h->ties.at);
  h->ties.lead = arena_array(arena, (size_t)modes + 1, sizeof *h->ties.lead);
  h->g_before = arena_array(arena, (size_t)modes + 1, sizeof *h->g_before);
  h->before = arena_array(arena, (size_t)h->body + 2, sizeof *h->before);
  h->slope = arena_array(arena, (size_t)h->body + 2, sizeof *h->slope);
  return !arena_failed(arena);
}

bool hybrid_build(Hybrid *h, const double *params, TapeSolve *large) {
  const System *m = h->m;
  System *s = h->s;
  Arena *arena = h->arena;
  uint32_t modes = h->modes.count;
  h->body = 2 * s->coord_count + s->state_count;
  h->mode_at = h->memory_count;
  h->delay_at = h->mode_at + modes;
  h->z_count = h->delay_at + h->delay_count;
  SymbolId *extras = arena_array(arena, (size_t)h->z_count + 1, sizeof *extras),
           *before = arena_array(arena, (size_t)h->z_count + 1, sizeof *before);
  VEC(ExprId) results = {0};
  if (!extras || !before) return false;
  for (uint32_t i = 0; i < h->memory_count; i++) {
    extras[i] = m->memories.items[i].symbol;
    before[i] = m->memories.items[i].before;
  }
  for (uint32_t i = 0; i < modes; i++) h->modes.items[i].opposite = expr_neg(s->pool, h->modes.items[i].g);
  for (uint32_t i = 0; i < modes; i++) extras[h->mode_at + i] = before[h->mode_at + i] = h->modes.items[i].symbol;
  for (uint32_t i = 0; i < h->delay_count; i++)
    extras[h->delay_at + i] = before[h->delay_at + i] = m->delays.items[i].symbol;
  // between events the old values are the present ones
  if (h->memory_count && modes) {
    ExprId *g = arena_array(arena, modes, sizeof *g);
    SymbolMap map = symbol_map_new(s->pool);
    for (uint32_t i = 0; i < h->memory_count; i++)
      symbol_map_set(&map, m->memories.items[i].before, expr_sym(s->pool, m->memories.items[i].symbol));
    for (uint32_t i = 0; g && i < modes; i++) g[i] = h->modes.items[i].g;
    if (!g || !expr_replace(s->pool, &map, g, modes, g)) return false;
    for (uint32_t i = 0; i < modes; i++) h->modes.items[i].g = g[i];
  }
  if (!h->old && !find_rates(h)) return false;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    for (uint32_t k = 0; k < m->whens.items[i].assigns.count; k++) {
      const ModelAssign *a = &m->whens.items[i].assigns.items[k];
      bool computed = (a->kind == assign_velocity && s->speeds[a->index].symbol != m->coords.items[a->index].v) ||
                      (a->kind == assign_place && s->order_zero[a->index]);
      if (!computed) continue;
      h->failure = arena_printf(arena, "`%s%s` follows from the others, because inertia is missing, and cannot be set",
                                m->coords.items[a->index].name, a->kind == assign_velocity ? "'" : "");
      h->failure_place = a->span;
      return false;
    }
  }
  // the rules see the old values of the memories
  System own = *s;
  own.extras = before;
  own.extra_count = h->z_count;
  s->extras = extras;
  s->extra_count = h->z_count;
  bool ordered = modes_order(h, &own);
  if (!ordered) {
    if (arena_failed(arena) || !modes_unordered(h)) return false;
    own.extras = extras;
  } else if (h->old) { // memories are functions of their old values, in every program
    s->definitions = own.definitions;
    s->steps = own.steps;
    s->extras = before;
  }
  // guards and limits
  for (uint32_t i = 0; i < modes; i++) vec_push(arena, &results, h->modes.items[i].g);
  for (uint32_t i = 0; i < modes; i++)
    vec_push(arena, &results, h->modes.items[i].limit ? h->modes.items[i].limit : s->pool->one);
  if (modes && !(h->guards = build(h, s, results.items, results.count, large, params, &h->guards_w))) return false;
  results.count = 0;
  bool rates = false;
  for (uint32_t i = 0; i < modes; i++) {
    rates = rates || h->modes.items[i].rate;
    vec_push(arena, &results, h->modes.items[i].rate ? h->modes.items[i].rate : s->pool->zero);
  }
  if (rates && !(h->rates = build(h, s, results.items, results.count, large, params, &h->rates_w))) return false;
  results.count = 0;
  // rules: g, memories, conditions, values, checks; for the start the starts of the memories
  for (uint32_t i = 0; i < modes; i++) vec_push(arena, &results, h->modes.items[i].g);
  for (uint32_t i = 0; i < h->memory_count; i++)
    vec_push(arena, &results, ordered ? expr_sym(s->pool, m->memories.items[i].symbol) : h->rules[i]);
  h->conditions_at = results.count;
  for (uint32_t i = 0; i < m->whens.count; i++) vec_push(arena, &results, h->conditions[i]);
  h->values_at = results.count;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    for (uint32_t k = 0; k < m->whens.items[i].assigns.count; k++) vec_push(arena, &results, h->values[i][k]);
  }
  h->checks_at = results.count;
  for (uint32_t i = 0; i < m->checks.count; i++) vec_push(arena, &results, h->checks[i]);
  for (uint32_t i = 0; i < h->memory_count; i++) vec_push(arena, &results, h->starts[i]);
  for (uint32_t i = 0; i < m->whens.count; i++)
    vec_push(arena, &results, m->whens.items[i].period ? m->whens.items[i].period : s->pool->zero);
  own.pool = s->pool;
  if (!(h->rules_tape = build(h, &own, results.items, results.count, large, params, &h->rules_w))) return false;
  if (h->delay_count && !(h->inputs_tape = build(h, s, h->inputs, h->delay_count, large, params, &h->inputs_w)))
    return false;
  results.count = 0;
  for (uint32_t i = 0; i < h->delay_count; i++) vec_push(arena, &results, m->delays.items[i].history);
  if (h->delay_count && !(h->history_tape = build(h, s, results.items, results.count, large, params, &h->history_w)))
    return false;
  // the outputs of memories that follow the motion, and what their jumps are measured by
  results.count = 0;
  bool follows = false;
  for (uint32_t i = 0; i < h->memory_count; i++) {
    const ModelMemory *x = &m->memories.items[i];
    follows = follows || x->follow;
    vec_push(arena, &results, x->follow ? hybrid_of(h, x->follow) : s->pool->zero);
    vec_push(arena, &results, x->follow ? hybrid_of(h, x->size) : s->pool->zero);
  }
  if (follows && !h->old && !(h->follows = build(h, s, results.items, results.count, large, params, &h->follows_w)))
    return false;
  if (!modes_readers(h)) return false;
  // where these jump in time, the run stops
  VEC(ExprId) watched = {0};
  for (uint32_t i = 0; i < modes; i++) vec_push(arena, &watched, h->modes.items[i].g);
  for (uint32_t i = 0; i < h->memory_count; i++) vec_push(arena, &watched, h->rules[i]);
  for (uint32_t i = 0; i < m->whens.count; i++) {
    vec_push(arena, &watched, h->conditions[i]);
    for (uint32_t k = 0; k < m->whens.items[i].assigns.count; k++) vec_push(arena, &watched, h->values[i][k]);
  }
  for (uint32_t i = 0; i < h->delay_count; i++) vec_push(arena, &watched, h->inputs[i]);
  for (uint32_t i = 0; i < m->checks.count; i++) vec_push(arena, &watched, h->checks[i]);
  s->watched = watched.items;
  s->watched_count = watched.count;
  return room(h, arena) && (!modes || locating_build(h));
}

// ---- many runs

static double *same_room(Arena *arena, const Tape *t) {
  return t ? arena_array(arena, t->slot_count, sizeof(double)) : NULL;
}

bool hybrid_copy(Hybrid *copy, const Hybrid *h, System *s, Arena *arena) {
  *copy = *h;
  copy->s = s;
  copy->m = s;
  copy->modes.items = copied(arena, h->modes.items, h->modes.count, sizeof *h->modes.items);
  copy->delay_times = arena_array(arena, (size_t)h->delay_count + 1, sizeof *copy->delay_times);
  copy->guards_w = same_room(arena, h->guards);
  copy->rules_w = same_room(arena, h->rules_tape);
  copy->rates_w = same_room(arena, h->rates);
  copy->inputs_w = same_room(arena, h->inputs_tape);
  copy->history_w = same_room(arena, h->history_tape);
  copy->times_w = same_room(arena, h->times);
  copy->follows_w = same_room(arena, h->follows);
  if (h->guards && !locating_room(copy, arena)) return false;
  if (!room(copy, arena)) return false;
  memcpy(copy->wild, h->wild, h->modes.count * sizeof *h->wild);
  return !arena_failed(arena);
}

void hybrid_renew(Hybrid *h, const double *params, Arena *arena) {
  const Tape *tapes[] = {h->guards, h->rules_tape, h->rates, h->inputs_tape, h->history_tape, h->times, h->follows};
  double *rooms[] = {h->guards_w, h->rules_w, h->rates_w, h->inputs_w, h->history_w, h->times_w, h->follows_w};
  for (size_t i = 0; i < sizeof tapes / sizeof *tapes; i++) {
    if (!tapes[i]) continue;
    memcpy(rooms[i], params, tapes[i]->param_count * sizeof *params);
    tape_prepare(tapes[i], rooms[i]);
  }
  if (h->times) tape_eval(h->times, h->times_w);
  for (uint32_t i = 0; i < h->delay_count; i++) h->delay_times[i] = tape_result(h->times, h->times_w, i);
  h->arena = arena;
  h->history = NULL;
  h->solve = NULL;
  h->solve_room = 0;
  h->hold_work = NULL;
  h->ties.factor = NULL;
  h->ties.room = h->ties.count = 0;
  h->log.items = NULL;
  h->log.count = h->log.cap = 0;
  h->buffer.items = NULL;
  h->buffer.count = h->buffer.cap = 0;
  h->failure = NULL;
  h->when_t = NAN;
  memset(h->when_words, 0, h->m->whens.count * sizeof *h->when_words);
  memset(h->noise, 0, h->modes.count * sizeof *h->noise);
  memset(h->rearm, 0, h->modes.count * sizeof *h->rearm);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    m->holds = m->touch = m->ended = m->released = m->came = m->acts = m->anew = m->at_once = false;
    m->near = m->scale = m->rate_scale = m->soft = m->drift = m->give = 0;
    m->pinned = 0;
  }
}
