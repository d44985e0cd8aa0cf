// Expressions with corners and jumps made smooth by modes.
//
// One walk over each expression, children first; what it became is kept in a map, so shared parts are rewritten once.
// The table of modes finds one by kind, guard and limit: abs(x) and sign(x) of one x switch by one guard each, `x > 1`
// written twice is one mode. Rules and conditions have a map of their own, because there an `if` between two constants
// is one or the other, while in the equations of motion a value between them may keep a guard at zero (holding.h).
#include "hybrid/rewrite.h"

#include "expr/calculus.h"
#include "expr/ops.h"
#include "expr/rebuild.h"
#include "system/implicit.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

// Does it change inside a step? What depends on time alone has its breaks beforehand.
static bool moves(const ExprPool *pool, const ExprId *args, uint32_t count) {
  KindSet kinds = 0, still = kind_set(sym_param) | kind_set(sym_memory) | kind_set(sym_mode);
  for (uint32_t i = 0; i < count; i++) kinds |= expr_kinds(pool, args[i]);
  if (!(kinds & ~still)) return false;
  return (kinds & ~(kind_set(sym_param) | kind_set(sym_time))) != 0;
}

void rewrite_roots(const System *s, Arena *arena, ExprList *roots) {
  system_roots(s, arena, roots);
  // where a constraint begins to move its second derivative shows nothing
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    vec_push(arena, roots, s->constraints.items[i].value);
    vec_push(arena, roots, s->constraints.items[i].rate);
  }
}

bool rewrite_remembers(const System *s) {
  return s->memories.count || s->delays.count || s->frictions.count || s->whens.count || s->checks.count;
}

bool rewrite_needed(System *s) {
  if (rewrite_remembers(s)) return true;
  ExprList roots = {0};
  rewrite_roots(s, s->pool->scratch, &roots);
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
static bool bends(const Rewriting *w, ExprId g) {
  ExprPool *p = w->s->pool;
  KindSet allowed = kind_set(sym_time) | kind_set(sym_param);
  if (!g || !expr_has_kind(p, g, sym_time) || !expr_only_kinds(p, g, allowed)) return false;
  ExprId rate = expr_diff(p, g, w->s->time);
  return rate && expr_has_kind(p, rate, sym_time);
}

// A function of time alone, in a model in which something is read at an instant. What bends is searched.
static bool is_timed(Rewriting *w, const ExprId *args, uint32_t count) {
  ExprPool *p = w->s->pool;
  KindSet allowed = kind_set(sym_time) | kind_set(sym_param) | kind_set(sym_mode);
  KindSet kinds = 0;
  for (uint32_t i = 0; i < count; i++) kinds |= expr_kinds(p, args[i]);
  if (!w->timed || !(kinds & (kind_set(sym_time) | kind_set(sym_mode))) || (kinds & ~allowed)) return false;
  for (uint32_t i = 0; (kinds & kind_set(sym_mode)) && i < count; i++) {
    uint32_t length = 0;
    const ExprId *list = pool_reach(p, &args[i], 1, NULL, NULL, &length);
    for (uint32_t k = 0; list && k < length; k++) {
      SymbolId symbol = expr_symbol(p, list[k]);
      const Symbol *s = symbol ? pool_symbol_get(p, symbol) : NULL;
      if (s && s->kind == sym_mode && !(s->index < w->modes.count && w->modes.items[s->index].timed)) return false;
    }
  }
  return true;
}

// The mode whose symbol an expression is; NULL: none.
static const SwitchMode *mode_of(const Rewriting *w, ExprId id) {
  SymbolId symbol = id ? expr_symbol(w->s->pool, id) : 0;
  if (!symbol) return NULL;
  const Symbol *s = pool_symbol_get(w->s->pool, symbol);
  bool ours = s->kind == sym_mode && s->index < w->modes.count;
  return ours ? &w->modes.items[s->index] : NULL;
}

// Is it computed from unknowns of implicit equations, also through branches alone?
static bool is_solved(const Rewriting *w, const ExprId *args, uint32_t count) {
  ExprPool *p = w->s->pool;
  KindSet kinds = 0;
  for (uint32_t i = 0; i < count; i++) kinds |= expr_kinds(p, args[i]);
  if (kinds & kind_set(sym_unknown)) return true;
  if (!(kinds & kind_set(sym_mode))) return false;
  uint32_t length = 0;
  const ExprId *list = pool_reach(p, args, count, NULL, NULL, &length);
  for (uint32_t k = 0; list && k < length; k++) {
    const SwitchMode *m = mode_of(w, list[k]);
    if (m && m->solved) return true;
  }
  return false;
}

// Does an operation whose arguments are rewritten get a mode?
static bool gets_mode(Rewriting *w, ExprOp op, const ExprId *args, uint32_t count) {
  ExprPool *p = w->s->pool;
  if (!expr_op_switches(op)) return false;
  if (!w->stepwise && (!w->point || w->in_rules))
    return moves(p, args, count) || bends(w, expr_guard(p, op, args)) || is_timed(w, args, count);
  if (is_solved(w, args, count)) return true;
  if (w->stepwise) return false;
  KindSet kinds = 0;
  for (uint32_t i = 0; i < count; i++) kinds |= expr_kinds(p, args[i]);
  return (kinds & kind_set(sym_multiplier)) ||
         (expr_op_can_hold(op) && (kinds & (kind_set(sym_velocity) | kind_set(sym_state))));
}

// ---- modes

static uint32_t hash_mode(ModeKind kind, bool closed, ExprId g, ExprId limit) {
  uint32_t h = (g * 2654435761u) ^ (limit * 40503u) ^ (uint32_t)kind * 97u ^ (closed ? 31u : 0);
  return h ^ h >> 15;
}

static bool grow_table(Rewriting *w) {
  uint32_t size = w->mode_table_size ? 2 * w->mode_table_size : 64;
  uint32_t *table = arena_array(w->arena, size, sizeof *table);
  if (!table) return false;
  for (uint32_t i = 0; i < w->modes.count; i++) {
    const SwitchMode *m = &w->modes.items[i];
    uint32_t at = hash_mode(m->kind, m->closed, m->g, m->limit) & (size - 1);
    while (table[at]) at = (at + 1) & (size - 1);
    table[at] = i + 1;
  }
  w->mode_table = table;
  w->mode_table_size = size;
  return true;
}

static const SystemPlace *place_of(Rewriting *w, ExprId node) {
  if (!w->placed) { // by expression, the first span counts
    w->placed_size = w->s->pool->nodes.count;
    w->placed = arena_array(w->arena, w->placed_size, sizeof *w->placed);
    for (uint32_t i = w->placed ? w->s->places.count : 0; i-- > 0;) w->placed[w->s->places.items[i].node] = i + 1;
  }
  uint32_t at = w->placed && node < w->placed_size ? w->placed[node] : 0;
  return at ? &w->s->places.items[at - 1] : NULL;
}

// A comparison where true or false is asked for. While it sticks (its argument stays zero) its value lies between 0 and
// 1: then `<` is false and `<=` true.
static ExprId truth(Rewriting *w, ExprId id) {
  const SwitchMode *m = mode_of(w, id);
  if (!m || m->kind != mode_above || m->closed || w->stepwise) return id;
  return expr_fn(w->s->pool, op_eq, (ExprId[]){id, w->s->pool->one}, 2);
}

ExprId rewrite_form(ExprPool *p, ExprId id, int8_t *side) {
  Rat factor = expr_op(p, id) == op_add   ? expr_term(p, id, 0).coef
               : expr_op(p, id) == op_mul ? expr_coef(p, id)
                                          : RAT_ONE;
  *side = (int8_t)rat_sign(factor);
  return expr_scale(p, rat_div(p->arena, RAT_ONE, factor), id);
}

// What is only shown needs no event: it has the mode of an operator that is equal but for a factor of its guard, if
// there is one among the first modes. 0: none.
static ExprId find_shown(Rewriting *w, ModeKind kind, bool closed, ExprId g, ExprId limit, uint32_t first) {
  ExprPool *p = w->s->pool;
  int8_t side, other;
  ExprId form = kind == mode_floor ? 0 : rewrite_form(p, g, &side);
  for (uint32_t i = 0; form && i < first; i++) {
    const SwitchMode *m = &w->modes.items[i];
    if (m->kind != kind || m->closed != closed || m->limit != limit || m->of) continue;
    if (rewrite_form(p, m->g, &other) != form) continue;
    if (side == other) return expr_sym(p, m->symbol);
    if (kind == mode_sign) return expr_neg(p, expr_sym(p, m->symbol));
  }
  return 0;
}

static ExprId new_mode(Rewriting *w, ModeKind kind, bool closed, ExprId g, ExprId limit, const char *word, Span span) {
  if (!g || (2 * w->modes.count >= w->mode_table_size && !grow_table(w))) return 0;
  uint32_t at = hash_mode(kind, closed, g, limit) & (w->mode_table_size - 1);
  for (; w->mode_table[at]; at = (at + 1) & (w->mode_table_size - 1)) {
    const SwitchMode *m = &w->modes.items[w->mode_table[at] - 1];
    if (m->kind != kind || m->closed != closed || m->g != g || m->limit != limit || m->of != w->of) continue;
    if (w->frozen && w->mode_table[at] > w->known) break;
    if (!w->frozen) w->modes.items[w->mode_table[at] - 1].jumps |= w->jumps;
    // one of the equations shows the value that holds a guard at zero
    ExprId acting = w->frozen && w->mode_table[at] > w->acting ? find_shown(w, kind, closed, g, limit, w->acting) : 0;
    return acting ? acting : expr_sym(w->s->pool, m->symbol);
  }
  if (w->frozen) {
    ExprId shown = find_shown(w, kind, closed, g, limit, w->known);
    w->missing = !shown;
    return shown ? shown : w->s->pool->zero;
  }
  const char *name = arena_printf(w->arena, "%s.mode", word);
  SymbolId symbol = name ? pool_symbol(w->s->pool, name, sym_mode, w->modes.count, 0) : 0;
  SwitchMode m = {.kind = kind,
                  .closed = closed,
                  .symbol = symbol,
                  .g = g,
                  .limit = limit,
                  .of = w->of,
                  .word = word,
                  .span = span,
                  .jumps = w->jumps,
                  .image = w->image};
  m.timed = !bends(w, g) && is_timed(w, &g, 1);
  m.solved = (w->point || w->stepwise) && is_solved(w, &g, 1);
  m.silent = m.timed || (span.source && span.source == w->reported.source && span.start == w->reported.start &&
                         span.end == w->reported.end);
  if (!symbol || !vec_push(w->arena, &w->modes, m)) return 0;
  w->mode_table[at] = w->modes.count;
  return expr_sym(w->s->pool, symbol);
}

// The smooth form of a function whose arguments are rewritten.
static ExprId smooth(Rewriting *w, ExprId node, ExprOp op, const ExprId *a) {
  ExprPool *p = w->s->pool;
  const SystemPlace *place = place_of(w, node);
  static const char *const compared[] = {[op_lt] = "<", [op_le] = "<=", [op_eq] = "==", [op_ne] = "!="};
  const OpInfo *info = expr_op_info(op);
  const char *word = place ? place->word : info->truth ? compared[op] : info->name;
  Span span = place ? place->span : (Span){0};
  w->jumps = expr_op_can_hold(op);
  ExprId g = expr_guard(p, op, a), m;
  switch (info->switching) {
  case switching_above:
  case switching_from: m = new_mode(w, mode_above, info->switching == switching_from, g, 0, word, span); break;
  case switching_sides: return new_mode(w, mode_sign, false, g, p->one, word, span);
  case switching_whole: m = new_mode(w, mode_floor, true, g, 0, word, span); break;
  default: // a point, of == and !=
    m = new_mode(w, mode_sign, true, g, 0, word, span);
    if (m && !w->frozen) w->modes.items[w->modes.count - 1].equality = true;
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

static ExprId of(const Rewriting *w, ExprId id) {
  ExprId r = id < w->map_size ? w->map[id] : 0;
  return r ? r : id;
}

static ExprId friction_force(Rewriting *w, const SystemFriction *x) {
  ExprPool *p = w->s->pool;
  ExprId v = rewrite_of(w, x->v), slip = rewrite_of(w, x->slip), stick = rewrite_of(w, x->stick), side;
  if (w->stepwise) side = expr_fn(p, op_sign, &v, 1);
  else {
    w->missing = false;
    w->jumps = true;
    side = new_mode(w, mode_sign, false, v, expr_div(p, stick, slip), "friction", x->span);
    if (w->missing) side = expr_fn(p, op_sign, &v, 1); // only shown
  }
  return expr_neg(p, expr_mul(p, slip, side));
}

static ExprId rewrite_symbol(Rewriting *w, SymbolId symbol, ExprId id) {
  Symbol s = *pool_symbol_get(w->s->pool, symbol);
  const System *m = w->s;
  if (s.kind == sym_memory && s.index < m->memories.count) {
    const SystemMemory *x = &m->memories.items[s.index];
    return x->symbol == symbol && x->follow && !w->stepwise ? rewrite_of(w, x->follow) : id;
  }
  if (s.kind == sym_friction) return friction_force(w, &m->frictions.items[s.index]);
  if (s.kind != sym_delay) return id;
  if (s.index < w->delay_count && w->delay_shapes[s.index]) {
    ExprId shape = w->delay_shapes[s.index];
    Span before = w->reported; // that the history is over is reported as the jump of the delay itself
    w->reported = m->delays.items[s.index].span;
    w->image = true;
    bool ok = expr_op(w->s->pool, shape) != op_if || rewrite_of(w, pool_args(w->s->pool, shape)[1]);
    w->image = false;
    ExprId r = ok ? rewrite_of(w, shape) : 0;
    w->reported = before;
    return r;
  }
  if (w->delay_times[s.index] != 0) return id;
  if (w->opened[s.index]) { // its own input needs it
    if (w->point) return id;
    w->failure = "this `delay` has no length, so its loop is an algebraic one";
    w->failure_place = m->delays.items[s.index].span;
    return 0;
  }
  w->opened[s.index] = true;
  ExprId input = rewrite_of(w, m->delays.items[s.index].input);
  w->opened[s.index] = false;
  return input;
}

// A term or factor: `not` of a comparison enters as 1 - m, so that a value between may keep the guard at zero.
static ExprId as_number(Rewriting *w, ExprId id) {
  ExprPool *p = w->s->pool;
  if (w->stepwise || expr_op(p, id) != op_not) return of(w, id);
  ExprId m = of(w, pool_args(p, id)[0]);
  return mode_of(w, m) && mode_of(w, m)->kind == mode_above ? expr_sub(p, p->one, m) : of(w, id);
}

static ExprId rewritten_part(void *self, ExprId parent, uint32_t i, ExprId part) {
  Rewriting *w = self;
  bool exponent = expr_op(w->s->pool, parent) == op_mul && i % 2 == 0;
  return exponent ? of(w, part) : as_number(w, part);
}

// The condition of an `if` of the equations as a number that is 0 or 1, or between them where a guard in it stays at
// zero (sliding mode): it has modes of its own for that. 0: none can: the rate of a guard of positions and time follows
// from velocities.
static ExprId level_of(Rewriting *w, ExprId of, ExprId id) {
  ExprPool *p = w->s->pool;
  ExprOp op = expr_op(p, id);
  const ExprId *args = pool_args(p, id);
  const SwitchMode *m = mode_of(w, op == op_eq && args[1] == p->one ? args[0] : id);
  KindSet places = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_coord) | kind_set(sym_memory);
  if (m) {
    SwitchMode own = *m;
    if (w->frozen || m->kind != mode_above || expr_only_kinds(p, m->g, places)) return 0;
    w->modes.items[m - w->modes.items].silent = true; // the other one is reported
    w->of = of;
    w->jumps = true;
    ExprId level = new_mode(w, own.kind, own.closed, own.g, own.limit, own.word, own.span);
    w->of = 0;
    if (level) w->modes.items[pool_symbol_get(p, expr_symbol(p, level))->index].between = true;
    return level;
  }
  if (op == op_not) {
    ExprId part = level_of(w, of, args[0]);
    return part ? expr_sub(p, p->one, part) : 0;
  }
  if (op != op_and && op != op_or) return 0;
  ExprId both[2] = {args[0], args[1]}, part[2] = {level_of(w, of, both[0]), level_of(w, of, both[1])};
  if (!part[0] && !part[1]) return 0;
  ExprId end = op == op_or ? p->one : p->zero;
  for (int i = 0; i < 2; i++) {
    if (part[i]) continue;
    ExprId other = part[1 - i];
    return expr_fn(p, op_if, (ExprId[]){both[i], op == op_or ? end : other, op == op_or ? other : end}, 3);
  }
  if (op == op_and) return expr_mul(p, part[0], part[1]);
  return expr_sub(p, p->one, expr_mul(p, expr_sub(p, p->one, part[0]), expr_sub(p, p->one, part[1])));
}

// `if` in the equations: where its condition is between 0 and 1, so is it between its branches. Of a branch that is not
// taken nothing is read.
static ExprId mix(Rewriting *w, ExprId level, ExprId yes, ExprId no) {
  ExprPool *p = w->s->pool;
  ExprId all = expr_fn(p, op_eq, (ExprId[]){level, p->one}, 2), none = expr_fn(p, op_eq, (ExprId[]){level, p->zero}, 2);
  ExprId between = expr_add(p, no, expr_mul(p, level, expr_sub(p, yes, no)));
  return expr_fn(p, op_if, (ExprId[]){all, yes, expr_fn(p, op_if, (ExprId[]){none, no, between}, 3)}, 3);
}

static ExprId rewrite_node(Rewriting *w, ExprId id) {
  ExprPool *p = w->s->pool;
  ExprNode n = *pool_node(p, id);
  ExprOp op = (ExprOp)n.op;
  if (op == op_sym) return rewrite_symbol(w, n.first, id);
  if (op == op_add || op == op_mul || n.count == 0) return expr_rebuild(p, id, rewritten_part, w);
  ExprId args[4] = {0};
  bool changed = false;
  for (uint32_t i = 0; i < n.count && i < 4; i++) {
    ExprId a = pool_args(p, id)[i];
    args[i] = of(w, a);
    changed = changed || args[i] != a;
  }
  if (!n.bound && gets_mode(w, op, args, n.count)) {
    w->missing = false;
    ExprId r = smooth(w, id, op, args);
    if (!w->missing) return r;
  }
  if (!changed) return id;
  const SystemPlace *place = place_of(w, id);
  bool block = place && strcmp(place->word, "integral") == 0; // its conditions are not numbers
  if (op == op_if && !w->stepwise && !w->in_rules && args[0] != pool_args(p, id)[0]) {
    // between two constants the branch enters linearly, and is the number that the condition is
    if (!block && expr_symbol(p, args[0]) &&
        !((expr_kinds(p, args[1]) | expr_kinds(p, args[2])) & ~kind_set(sym_param)))
      return expr_add(p, args[2], expr_mul(p, args[0], expr_sub(p, args[1], args[2])));
    ExprId level = level_of(w, id, args[0]);
    if (level) return mix(w, level, args[1], args[2]);
  }
  bool logic = op == op_and || op == op_or || op == op_not;
  for (uint32_t i = 0; i < n.count && i < 4 && (logic || (op == op_if && i == 0)); i++) args[i] = truth(w, args[i]);
  ExprId made = expr_make(p, op, args, n.count), level = 0;
  if (block && logic && !w->stepwise && !w->in_rules && made) level = level_of(w, id, made);
  return level ? level : made;
}

static bool not_yet(const ExprPool *pool, ExprId id, const void *context) {
  const Rewriting *w = context;
  (void)pool;
  return id >= w->map_size || !w->map[id];
}

ExprId rewrite_of(Rewriting *w, ExprId id) {
  if (!id) return 0;
  if (id < w->map_size && w->map[id]) return w->map[id];
  uint32_t length;
  const ExprId *list = pool_reach(w->s->pool, &id, 1, not_yet, w, &length);
  ExprId *copy = list ? arena_array(w->arena, length, sizeof *copy) : NULL;
  if (!copy) return 0;
  memcpy(copy, list, length * sizeof *copy);
  if (id >= w->map_size) {
    uint32_t size = w->s->pool->nodes.count + 1024;
    ExprId *map = arena_array(w->arena, size, sizeof *map);
    if (!map) return 0;
    if (w->map_size) memcpy(map, w->map, w->map_size * sizeof *map);
    w->map = map;
    w->map_size = size;
  }
  for (uint32_t i = 0; i < length; i++) {
    if (w->map[copy[i]]) continue;
    ExprId r = rewrite_node(w, copy[i]);
    if (!r) return 0;
    w->map[copy[i]] = r;
    if (r < w->map_size && !w->map[r]) w->map[r] = r; // smooth already
  }
  return w->map[id];
}

static void swap_maps(Rewriting *w) {
  ExprId *map = w->map;
  uint32_t size = w->map_size;
  w->map = w->rule_map;
  w->map_size = w->rule_map_size;
  w->rule_map = map;
  w->rule_map_size = size;
}

// The same for a rule or condition: there an `if` between two constants is one or the other, nothing between.
static ExprId rule_of(Rewriting *w, ExprId id) {
  bool before = w->in_rules;
  if (!before) swap_maps(w);
  w->in_rules = true;
  ExprId r = rewrite_of(w, id);
  if (!before) swap_maps(w);
  w->in_rules = before;
  return truth(w, r);
}

static bool rewrite_list(Rewriting *w, ExprId *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i] && !(list[i] = rewrite_of(w, list[i]))) return false;
  }
  return true;
}

static void *copied(Arena *arena, const void *items, size_t count, size_t size) {
  void *p = arena_array(arena, count, size);
  if (p && count) memcpy(p, items, count * size);
  return p;
}

// What kernels are called with.
static bool rewrite_calls(Rewriting *w) {
  System *s = w->s;
  s->calls.items = copied(w->arena, s->calls.items, s->calls.count, sizeof *s->calls.items);
  for (uint32_t i = 0; s->calls.items && i < s->calls.count; i++) {
    SystemCall *c = &s->calls.items[i];
    ExprId *args = copied(w->arena, c->args, c->arg_count, sizeof *args);
    if (!args || !rewrite_list(w, args, c->arg_count)) return false;
    c->args = args;
  }
  return s->calls.items != NULL;
}

// Implicit equations, which the order joins to blocks.
static bool rewrite_implicit(Rewriting *w) {
  System *s = w->s;
  s->implicit.items = copied(w->arena, s->implicit.items, s->implicit.count, sizeof *s->implicit.items);
  for (uint32_t i = 0; s->implicit.items && i < s->implicit.count; i++) {
    SystemEquation *e = &s->implicit.items[i];
    if (!rewrite_list(w, &e->residual, 1)) return false;
    if (!e->times) continue;
    e->levels = copied(w->arena, e->levels, (size_t)e->times + 1, sizeof *e->levels);
    if (!e->levels || !rewrite_list(w, e->levels, e->times + 1)) return false;
  }
  return s->implicit.items != NULL;
}

// Constraints on the branch they are on, beyond its end as well: so a step may reach across a corner, which is then
// located.
static bool rewrite_constraints(Rewriting *w) {
  System *s = w->s;
  s->constraints.items = copied(w->arena, s->constraints.items, s->constraints.count, sizeof *s->constraints.items);
  for (uint32_t i = 0; s->constraints.items && i < s->constraints.count; i++) {
    SystemConstraint *c = &s->constraints.items[i];
    ExprId rate = c->rate;
    c->G.items = copied(w->arena, c->G.items, c->G.count, sizeof *c->G.items);
    if (!c->G.items) return false;
    for (uint32_t k = 0; k < c->G.count; k++) {
      if (!rewrite_list(w, &c->G.items[k].value, 1)) return false;
    }
    if (!rewrite_list(w, &c->value, 1) || !rewrite_list(w, &c->rate, 1) || !rewrite_list(w, &c->curvature, 1))
      return false;
    w->corners = w->corners || c->rate != rate;
  }
  return s->constraints.items != NULL;
}

static bool rewrite_equations(Rewriting *w) {
  System *s = w->s;
  if (!system_unorder(s)) return false;
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    if (!rewrite_list(w, &s->definitions.items[i].value, 1)) return false;
  }
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    Block *b = &s->blocks.items[i];
    ExprId *m = copied(w->arena, b->matrix.value, block_entries(b), sizeof *m);
    b->rhs = copied(w->arena, b->rhs, b->count, sizeof *b->rhs);
    if (!m || !b->rhs || !rewrite_list(w, b->rhs, b->count)) return false;
    // where the residuals are smooth, so are their derivatives
    bool ok = b->implicit ? implicit_derive(s, b)
                          : rewrite_list(w, m, block_entries(b)) && block_set_values(w->arena, s->pool, b, m);
    if (!ok) return false;
  }
  if (!rewrite_implicit(w) || !rewrite_calls(w) || !rewrite_constraints(w)) return false;
  SystemEnergy *e = &s->energy;
  ExprId *energies[] = {&e->kinetic, &e->potential, &e->stored};
  for (int i = 0; i < 3; i++) {
    if (!rewrite_list(w, energies[i], 1)) return false;
  }
  e->flows.items = copied(w->arena, e->flows.items, e->flows.count, sizeof *e->flows.items);
  for (uint32_t i = 0; e->flows.items && i < e->flows.count; i++) {
    if (!rewrite_list(w, &e->flows.items[i].power, 1)) return false;
  }
  return e->flows.items && system_layout(s); // the quadratures have other rates now
}

static bool rewrite_items(Rewriting *w) {
  const System *m = w->s;
  Arena *arena = w->arena;
  w->rules = arena_array(arena, m->memories.count, sizeof *w->rules);
  w->starts = arena_array(arena, m->memories.count, sizeof *w->starts);
  w->conditions = arena_array(arena, m->whens.count, sizeof *w->conditions);
  w->values = arena_array(arena, m->whens.count, sizeof *w->values);
  w->inputs = arena_array(arena, m->delays.count, sizeof *w->inputs);
  w->checks = arena_array(arena, m->checks.count, sizeof *w->checks);
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < m->memories.count; i++) {
    const SystemMemory *x = &m->memories.items[i];
    w->reported = x->span;
    w->rules[i] = rule_of(w, w->stepwise && x->stage ? x->stage : x->rule);
    w->starts[i] = w->point ? rule_of(w, x->start) : rewrite_of(w, x->start);
  }
  w->reported = (Span){0};
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *when = &m->whens.items[i];
    w->conditions[i] = when->condition ? rule_of(w, when->condition) : w->s->pool->zero;
    w->values[i] = arena_array(arena, when->assigns.count, sizeof **w->values);
    for (uint32_t k = 0; w->values[i] && k < when->assigns.count; k++)
      w->values[i][k] = rewrite_of(w, when->assigns.items[k].value);
  }
  for (uint32_t i = 0; !w->point && i < m->delays.count; i++) w->inputs[i] = rewrite_of(w, m->delays.items[i].input);
  for (uint32_t i = 0; i < m->checks.count; i++) {
    w->reported = m->checks.items[i].span;
    w->checks[i] = rule_of(w, m->checks.items[i].wrong);
  }
  return !arena_failed(arena) && !w->s->pool->limit && !w->failure;
}

// ---- delays of nonlinear functions

enum { most_delayed = 4 }; // symbols of one input that are delayed by themselves

// The time-dependent symbols that an input reads. UINT32_MAX: more, or such that cannot be delayed, or the input is
// linear.
static uint32_t delayed_symbols(Rewriting *w, ExprId input, SymbolId *list) {
  const System *m = w->s;
  ExprPool *p = m->pool;
  KindSet plain = kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_state);
  KindSet fixed = kind_set(sym_param) | kind_set(sym_time);
  if (expr_kinds(p, input) & ~(plain | fixed)) return UINT32_MAX;
  uint32_t length = 0, count = 0;
  bool curved = false;
  const ExprId *nodes = pool_reach(p, &input, 1, NULL, NULL, &length);
  for (uint32_t i = 0; nodes && i < length; i++) {
    const ExprNode *n = pool_node(p, nodes[i]);
    if (!(n->kinds & plain)) continue;
    if (n->bound) return UINT32_MAX;
    if (n->op == op_sym) {
      if (count == most_delayed) return UINT32_MAX;
      list[count++] = n->first;
    } else if (n->op == op_mul) {
      uint32_t moving = 0;
      for (uint32_t k = 0; k < expr_factor_count(p, nodes[i]); k++) {
        Factor f = expr_factor(p, nodes[i], k);
        if (!(expr_kinds(p, f.base) & plain)) continue;
        moving++;
        curved = curved || f.exponent != p->one;
      }
      curved = curved || moving > 1;
    } else {
      curved = curved || n->op != op_add;
    }
  }
  return curved ? count : UINT32_MAX;
}

static SymbolId delay_more(Rewriting *w, ExprId input, const SystemDelay *of) {
  ExprPool *p = w->s->pool;
  SystemDelay d = {.name = of->name, .input = input, .time = of->time, .history = p->zero, .span = of->span};
  d.symbol = pool_symbol(p, of->name, sym_delay, w->s->delays.count, 0);
  return d.symbol && vec_push(w->arena, &w->s->delays, d) ? d.symbol : 0;
}

// delay(f(p), T) with a nonlinear f is f of the delayed p: so it keeps the range of f, and its corners are located as
// those of f are. Until the history is over, which a delayed 1 tells, it is the history.
static bool shape_delays(Rewriting *w) {
  System *s = w->s;
  ExprPool *p = s->pool;
  w->delay_count = s->delays.count;
  w->delay_shapes = arena_array(w->arena, (size_t)s->delays.count + 1, sizeof *w->delay_shapes);
  if (!w->delay_shapes) return false;
  if (w->stepwise || w->point || !s->delays.count) return true;
  s->delays.items = copied(w->arena, s->delays.items, s->delays.count, sizeof *s->delays.items);
  s->delays.cap = s->delays.count;
  s->places.items = copied(w->arena, s->places.items, s->places.count, sizeof *s->places.items);
  s->places.cap = s->places.count;
  for (uint32_t i = 0; s->delays.items && s->places.items && i < w->delay_count; i++) {
    SystemDelay d = s->delays.items[i];
    SymbolId symbols[most_delayed];
    uint32_t count = delayed_symbols(w, d.input, symbols);
    if (count == UINT32_MAX) continue;
    ExprId then = expr_sub(p, expr_sym(p, s->time), d.time), shape[2] = {d.input, d.history};
    SymbolMap map = symbol_map_new(p);
    symbol_map_set(&map, s->time, then);
    for (uint32_t k = 0; k < count; k++) {
      SymbolId delayed = delay_more(w, expr_sym(p, symbols[k]), &d);
      if (!delayed) return false;
      symbol_map_set(&map, symbols[k], expr_sym(p, delayed));
    }
    SymbolId begun = delay_more(w, p->one, &d);
    if (!begun || !expr_replace(p, &map, shape, 2, shape)) return false;
    ExprId half = expr_num(p, rat_make(p->arena, 1, 2));
    ExprId over = expr_fn(p, op_lt, (ExprId[]){half, expr_sym(p, begun)}, 2);
    w->delay_shapes[i] = expr_fn(p, op_if, (ExprId[]){over, shape[0], shape[1]}, 3);
    vec_push(w->arena, &s->places, (SystemPlace){.node = over, .word = "delay", .span = d.span});
  }
  return s->delays.items && s->places.items && !arena_failed(w->arena);
}

// ---- the whole

static bool keep_originals(Rewriting *w) {
  const System *s = w->s;
  Arena *a = w->arena;
  rewrite_roots(s, a, &w->originals);
  for (uint32_t i = 0; i < s->definitions.count; i++) vec_push(a, &w->originals, s->definitions.items[i].value);
  for (uint32_t i = 0; i < s->memories.count; i++) {
    vec_push(a, &w->originals, s->memories.items[i].rule);
    vec_push(a, &w->originals, s->memories.items[i].follow);
  }
  for (uint32_t i = 0; i < s->whens.count; i++) {
    vec_push(a, &w->originals, s->whens.items[i].condition);
    for (uint32_t k = 0; k < s->whens.items[i].assigns.count; k++)
      vec_push(a, &w->originals, s->whens.items[i].assigns.items[k].value);
  }
  for (uint32_t i = 0; i < s->delays.count; i++) vec_push(a, &w->originals, s->delays.items[i].input);
  for (uint32_t i = 0; i < s->checks.count; i++) vec_push(a, &w->originals, s->checks.items[i].wrong);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->originals.count; i++) {
    if (w->originals.items[i]) w->originals.items[kept++] = w->originals.items[i];
  }
  w->originals.count = kept;
  return !arena_failed(a);
}

// The dead times by the values of the parameters: a delay without length is replaced by its input.
static bool find_delay_times(Rewriting *w, const double *params) {
  const System *m = w->s;
  uint32_t n = m->delays.count;
  w->delay_times = arena_array(w->arena, (size_t)n + 1, sizeof *w->delay_times);
  w->opened = arena_array(w->arena, (size_t)n + 1, sizeof *w->opened);
  ExprId *wanted = arena_array(w->arena, (size_t)n + 1, sizeof *wanted);
  if (!w->delay_times || !w->opened || !wanted) return false;
  if (n == 0 || w->point == rewrite_rest) return true;
  for (uint32_t i = 0; i < n; i++) wanted[i] = m->delays.items[i].time;
  if (w->point) return tape_numbers(w->arena, m, wanted, n, w->delay_times);
  const Tape *t = w->times = tape_build(w->arena, &(TapeRequest){.system = w->s, .results = wanted, .result_count = n});
  double *room = t ? arena_array(w->arena, t->slot_count, sizeof *room) : NULL;
  if (!room) return false;
  memcpy(room, params, t->param_count * sizeof *room);
  tape_prepare(t, room);
  tape_eval(t, room);
  for (uint32_t i = 0; i < n; i++) {
    w->delay_times[i] = tape_result(t, room, i);
    if (w->delay_times[i] >= 0 && isfinite(w->delay_times[i])) continue;
    w->failure = "the dead time of a delay is no positive number";
    w->failure_place = m->delays.items[i].span;
    return false;
  }
  return true;
}

static bool rewrite_all(Rewriting *w, const double *params) {
  w->timed = !w->stepwise && rewrite_needed(w->s);
  if (!keep_originals(w) || !shape_delays(w) || !find_delay_times(w, params) || !rewrite_equations(w)) return false;
  w->known = w->acting = w->modes.count;
  if (!rewrite_items(w)) return false;
  if (!w->point) w->known = w->modes.count;
  w->frozen = true;
  return true;
}

bool rewrite_system(Rewriting *w, System *s, const double *params, bool stepwise) {
  *w = (Rewriting){.arena = s->arena, .s = s, .stepwise = stepwise};
  return rewrite_all(w, params);
}

bool rewrite_at_point(Rewriting *w, System *s, bool rest) {
  *w = (Rewriting){.arena = s->arena, .s = s, .point = rest ? rewrite_rest : rewrite_point};
  return rewrite_all(w, NULL);
}

Rewriting *rewrite_clone(Arena *arena, const Rewriting *w, System *s) {
  Rewriting *copy = copied(arena, w, 1, sizeof *w);
  if (!copy) return NULL;
  copy->arena = arena;
  copy->s = s;
  // these are written to as further expressions come
  copy->map = copied(arena, w->map, w->map_size, sizeof *w->map);
  copy->rule_map = copied(arena, w->rule_map, w->rule_map_size, sizeof *w->rule_map);
  copy->opened = copied(arena, w->opened, w->s->delays.count, sizeof *w->opened);
  return copy->map && copy->rule_map && copy->opened ? copy : NULL;
}
