// Analysis of the guards of the modes: which variables they read, and which are linear.
//
//   readers   for each component of y the modes whose guards name it: what a `when` sets, they evaluate again
//   entering  modes that the equations of motion read, and whether values between their branches enter there
//   linear    guards that are sums of velocities and states with numbers as factors: what they hold moves together
//   bounds    guards that are not affine in time and state may dip between any two points of a step; where interval
//             arithmetic can bound them, the search of events does (solve/events.h)
#include "hybrid/event_plan.h"

#include "expr/calculus.h"
#include "tape/forward.h"
#include "tape/interval.h"

// What is computed with the rates.
static KindSet kinds_computed(void) {
  return kind_set(sym_acceleration) | kind_set(sym_state_rate) | kind_set(sym_multiplier) | kind_set(sym_unknown);
}

bool event_without_inputs(System *s, ExprId *g, uint32_t count) {
  ExprPool *p = s->pool;
  SymbolMap map = symbol_map_new(p);
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    const Definition *d = &s->definitions.items[i];
    if (pool_symbol_get(p, d->symbol)->kind == sym_input) symbol_map_set(&map, d->symbol, d->value);
  }
  for (int round = 0; round < 20; round++) { // inputs of inputs; a cycle of them was rejected before
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any = any || expr_has_kind(p, g[i], sym_input);
    if (!any) return true;
    if (!expr_replace(p, &map, g, count, g)) return false;
  }
  return true;
}

// ---- what reads what

// Modes that the equations of motion read, and whether values between the branches enter there.
static bool find_entering(EventPlan *e, SwitchMode *modes) {
  ExprPool *p = e->s->pool;
  ExprList roots = {0};
  uint32_t length = 0, *mode = arena_array(e->s->arena, p->symbols.count, sizeof *mode); // by symbol, plus one
  rewrite_roots(e->s, e->s->arena, &roots);
  if (!mode || arena_failed(e->s->arena)) return false;
  for (uint32_t i = 0; i < e->mode_count; i++) mode[modes[i].symbol] = i + 1;
  const ExprId *list = roots.count ? pool_reach(p, roots.items, roots.count, NULL, NULL, &length) : NULL;
  for (uint32_t i = 0; list && i < length; i++) {
    const ExprNode *n = pool_node(p, list[i]);
    SymbolId own = expr_symbol(p, list[i]);
    if (own && mode[own]) modes[mode[own] - 1].enters = true;
    for (uint32_t k = 0; (n->op == op_add || n->op == op_mul) && k < n->count; k++) {
      SymbolId s = expr_symbol(p, pool_args(p, list[i])[k]);
      if (s && mode[s]) modes[mode[s] - 1].between = true;
    }
  }
  for (uint32_t i = 0; i < roots.count; i++) { // a right-hand side that is nothing but a mode
    SymbolId s = expr_symbol(p, roots.items[i]);
    if (s && mode[s]) modes[mode[s] - 1].between = true;
  }
  return true;
}

// Guards that are sums of velocities and states, with numbers as factors, and of what stands still.
static bool find_linear(EventPlan *e) {
  ExprPool *p = e->s->pool;
  VEC(uint32_t) at = {0};
  VEC(double) factor = {0};
  e->linear.first = arena_array(e->s->arena, (size_t)e->mode_count + 2, sizeof *e->linear.first);
  if (!e->linear.first) return false;
  for (uint32_t i = 0; i < e->mode_count; i++) {
    ExprId g = e->modes[i].g;
    bool sum = expr_op(p, g) == op_add, linear = true;
    int8_t side;
    ExprId only = expr_op(p, g) == op_mul ? rewrite_form(p, g, &side) : g;
    uint32_t first = e->linear.first[i] = at.count, terms = sum ? expr_term_count(p, g) : 1;
    for (uint32_t k = 0; k < terms && linear; k++) {
      Term t = sum ? expr_term(p, g, k) : (Term){only == g ? RAT_ONE : expr_coef(p, g), only};
      SymbolId symbol = expr_symbol(p, t.term);
      const Symbol *s = symbol ? pool_symbol_get(p, symbol) : NULL;
      linear = s && (s->kind == sym_velocity || s->kind == sym_state) && system_place(e->s, symbol) != no_place;
      if (linear) vec_push(e->s->arena, &at, system_place(e->s, symbol));
      if (linear) vec_push(e->s->arena, &factor, rat_to_double(t.coef));
    }
    if (!linear) at.count = factor.count = first;
  }
  e->linear.first[e->mode_count] = at.count;
  e->linear.at = at.items;
  e->linear.factor = factor.items;
  return !arena_failed(e->s->arena);
}

static bool find_bent(EventPlan *e);

// The components of y that a guard is computed from, reads[0] .. Of what is computed with the rates the tape tells.
static bool find_read(const EventPlan *e, uint32_t mode, ExprId g, uint32_t *reads, uint32_t *count) {
  ExprPool *p = e->s->pool;
  uint32_t length = 0;
  *count = 0;
  if (e->modes[mode].computed) {
    const Tape *t = e->tape[event_guards];
    bool *variable = arena_array(p->scratch, t->var_count, sizeof *variable);
    if (!variable || !tape_reads(p->scratch, t, mode, mode + 1, variable)) return false;
    for (uint32_t k = 0; k < e->body; k++) {
      if (variable[1 + k]) reads[(*count)++] = k;
    }
    return true;
  }
  const ExprId *list = pool_reach(p, &g, 1, NULL, NULL, &length);
  for (uint32_t k = 0; list && k < length; k++) {
    SymbolId s = expr_symbol(p, list[k]);
    uint32_t at = s ? system_place(e->s, s) : no_place;
    if (at < e->body) reads[(*count)++] = at;
  }
  return list != NULL;
}

bool event_find_readers(EventPlan *e, SwitchMode *modes) {
  ExprPool *p = e->s->pool;
  uint32_t count = e->mode_count;
  ExprId *g = arena_array(e->s->arena, (size_t)count + 1, sizeof *g);
  uint32_t *reads = arena_array(e->s->arena, (size_t)e->body + 1, sizeof *reads), length;
  e->read_first = arena_array(e->s->arena, (size_t)e->body + 2, sizeof *e->read_first);
  if (!g || !reads || !e->read_first) return false;
  for (uint32_t i = 0; i < count; i++) g[i] = modes[i].g;
  if (!event_without_inputs(e->s, g, count)) return false;
  for (uint32_t i = 0; i < count; i++) modes[i].computed = expr_has_kinds(p, g[i], kinds_computed());
  uint32_t total = 0;
  for (int round = 0; round < 2; round++) { // counts, then fills from the ends
    for (uint32_t i = 0; i < count; i++) {
      if (!find_read(e, i, g[i], reads, &length)) return false;
      for (uint32_t k = 0; k < length; k++) {
        if (round == 0) e->read_first[reads[k]]++, total++;
        else e->read_modes[--e->read_first[reads[k]]] = i;
      }
    }
    if (round) break;
    for (uint32_t k = 1; k <= e->body; k++) e->read_first[k] += e->read_first[k - 1];
    e->read_first[e->body] = total;
    e->read_modes = arena_array(e->s->arena, (size_t)total + 1, sizeof *e->read_modes);
    if (!e->read_modes) return false;
  }
  return find_entering(e, modes) && find_linear(e) && (!e->mode_count || find_bent(e));
}

// ---- what may hold

bool event_may_hold(const SwitchMode *m) { return m->between && m->rate && !m->equality && m->kind != mode_floor; }

bool event_holds_velocities(const EventPlan *e) {
  ExprPool *p = e->s->pool;
  KindSet places = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_coord) | kind_set(sym_memory);
  for (uint32_t i = 0; i < e->mode_count; i++) {
    ExprId g = e->modes[i].g;
    if (!event_may_hold(&e->modes[i])) continue;
    if (!event_without_inputs(e->s, &g, 1) || !expr_only_kinds(p, g, places | kind_set(sym_mode))) return true;
  }
  return false;
}

// ---- degrees: of what stands still 0, of what is affine in what moves 1, else 2

typedef uint8_t LeafDegree(const EventPlan *e, SymbolId symbol);

// below: by index in the list.
static uint8_t degree_of(const EventPlan *e, ExprId id, const uint8_t *below, LeafDegree *leaf) {
  ExprPool *p = e->s->pool;
  const ExprNode *n = pool_node(p, id);
  const ExprId *a = pool_args(p, id);
  if (n->op == op_sym) return leaf(e, n->first);
  uint32_t sum = 0, most = 0;
  for (uint32_t i = 0; n->op == op_mul && i < expr_factor_count(p, id); i++) {
    Factor f = expr_factor(p, id, i);
    uint8_t d = below[p->slot[f.base]];
    sum += d && f.exponent != p->one ? 2 : d;
  }
  if (n->op == op_mul) return sum > 2 ? 2 : (uint8_t)sum;
  for (uint32_t i = 0; n->op == op_add && i < expr_term_count(p, id); i++) {
    uint8_t d = below[p->slot[expr_term(p, id, i).term]];
    most = d > most ? d : most;
  }
  if (n->op == op_add) return (uint8_t)most;
  // an `if` that asks whether an element is at a bound is affine, too: so it is between its branches (rewrite.c)
  bool asks = n->op == op_if && expr_op(p, a[0]) == op_eq && below[p->slot[a[0]]] &&
              expr_only_kinds(p, pool_args(p, a[0])[1], 0);
  for (uint32_t i = 0; i < n->count; i++) {
    uint8_t d = asks && i == 0 ? 0 : below[p->slot[a[i]]];
    most = d > most ? d : most;
    sum += i == 0 || n->op != op_if ? d : 0;
  }
  return n->op == op_if && sum == 0 ? (uint8_t)most : most ? 2 : 0;
}

// What moves: the values of elements, and what is computed with them.
static uint8_t degree_in_elements(const EventPlan *e, SymbolId symbol) {
  const Symbol *s = pool_symbol_get(e->s->pool, symbol);
  if (s->kind == sym_mode) return s->index < e->mode_count && event_may_hold(&e->modes[s->index]);
  return (kind_set(s->kind) & kinds_computed()) != 0;
}

// What moves: time and state; of no degree is what is computed from them.
static uint8_t degree_in_motion(const EventPlan *e, SymbolId symbol) {
  SymbolKind kind = pool_symbol_get(e->s->pool, symbol)->kind;
  if (kind == sym_param || kind == sym_memory || kind == sym_mode || kind == sym_bound) return 0;
  bool place = kind == sym_velocity || kind == sym_coord;
  return kind == sym_time || kind == sym_state || (place && system_place(e->s, symbol) != no_place) ? 1 : 2;
}

// Does an element change the force that it is made of, as in mu*abs(lambda)*sign(v)? Rates are not affine in it then.
static bool find_bent(EventPlan *e) {
  ExprPool *p = e->s->pool;
  ExprList roots = {0};
  uint32_t length = 0;
  rewrite_roots(e->s, e->s->arena, &roots);
  for (uint32_t b = 0; b < e->s->blocks.count; b++) {
    const Block *block = &e->s->blocks.items[b];
    for (uint32_t k = 0; k < block_entries(block); k++) vec_push(e->s->arena, &roots, block->matrix.value[k]);
  }
  const ExprId *list = roots.count ? pool_reach(p, roots.items, roots.count, NULL, NULL, &length) : NULL;
  uint8_t *degree = arena_array(e->s->arena, (size_t)length + 1, sizeof *degree);
  if (!degree || arena_failed(e->s->arena)) return false;
  for (uint32_t i = 0; i < length; i++) {
    degree[i] = degree_of(e, list[i], degree, degree_in_elements);
    e->bent = e->bent || degree[i] > 1;
  }
  for (uint32_t b = 0; b < e->s->blocks.count; b++) {
    const Block *block = &e->s->blocks.items[b];
    for (uint32_t k = 0; k < block_entries(block); k++) e->bent = e->bent || degree[p->slot[block->matrix.value[k]]];
  }
  return true;
}

// ---- guards that are not affine

// The components of y that the guards' tape reads.
static bool find_used(EventPlan *e) {
  const Tape *t = e->tape[event_guards];
  bool *read = arena_array(e->s->arena, t->var_count, sizeof *read);
  e->used = arena_array(e->s->arena, (size_t)e->body + 1, sizeof *e->used);
  if (!read || !e->used || !tape_reads(e->s->arena, t, 0, t->output_count, read)) return false;
  e->used_count = 0;
  for (uint32_t k = 0; k < e->body; k++) {
    if (read[1 + k]) e->used[e->used_count++] = k;
  }
  return true;
}

bool event_find_bounds(EventPlan *e) {
  ExprPool *p = e->s->pool;
  ExprId *g = arena_array(e->s->arena, (size_t)e->mode_count + 1, sizeof *g);
  bool *seen = arena_array(e->s->arena, e->tape[event_guards]->slot_count, sizeof *seen),
       *blind = arena_array(e->s->arena, e->tape[event_guards]->output_count, sizeof *blind);
  e->wild = arena_array(e->s->arena, (size_t)event_conditions(e) + 1, sizeof *e->wild);
  if (!g || !seen || !blind || !e->wild) return false;
  for (uint32_t i = 0; i < e->mode_count; i++) g[i] = e->modes[i].g;
  if (!event_without_inputs(e->s, g, e->mode_count)) return false;
  uint32_t length;
  const ExprId *list = pool_reach(p, g, e->mode_count, NULL, NULL, &length);
  uint8_t *degrees = list ? arena_array(e->s->arena, (size_t)length + 1, sizeof *degrees) : NULL;
  if (!degrees) return false;
  for (uint32_t i = 0; i < length; i++) degrees[i] = degree_of(e, list[i], degrees, degree_in_motion);
  tape_unbounded(e->tape[event_guards], seen, blind);
  for (uint32_t i = 0; i < e->mode_count; i++) {
    e->wild[i] = !blind[i] && (degrees[p->slot[g[i]]] > 1 || e->modes[i].kind == mode_floor);
    e->any_wild = e->any_wild || e->wild[i];
  }
  return !e->any_wild || find_used(e);
}
