// A System from its start to the end of its description: room for equations, time derivatives, definitions of inputs.
//
// in    lists that were described; M, h, f that a formulation fills
// out   definitions of inputs, and of their rates as far as something needs them; then the structure (structure.c) and
//       the order of computation (order.c)
#include "system/system.h"

#include "expr/calculus.h"
#include "expr/ops.h"

#include <string.h>

bool system_init(System *s) {
  Arena *arena = s->arena;
  uint32_t n = s->coord_count = s->coords.count, m = s->state_count = s->states.count;
  s->M = arena_array(arena, n, sizeof *s->M);
  s->h = arena_array(arena, n, sizeof(ExprId));
  s->source = arena_array(arena, n, sizeof *s->source);
  s->role = arena_array(arena, n, sizeof *s->role);
  s->speeds = arena_array(arena, n, sizeof *s->speeds);
  s->along = arena_array(arena, n, sizeof(ExprId));
  s->f = arena_array(arena, m, sizeof(ExprId));
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < n; i++) s->h[i] = s->pool->zero;
  for (uint32_t i = 0; i < m; i++) s->f[i] = s->pool->zero;
  s->energy.kinetic = s->energy.potential = s->energy.stored = s->pool->zero;
  vec_push(arena, &s->energy.flows, (EnergyFlow){"dissipated", s->pool->zero, 1});
  vec_push(arena, &s->energy.flows, (EnergyFlow){"supplied", s->pool->zero, -1});
  return !arena_failed(arena);
}

bool system_clone(System *copy, const System *s, ExprPool *pool, Arena *arena) {
  *copy = *s;
  copy->arena = arena;
  copy->pool = pool;
  return pool_clone(pool, s->pool, arena);
}

uint32_t system_origin(System *s, Span span, const char *label, ExprId root) {
  return vec_push(s->arena, &s->origins, (Origin){span, label, root}) ? s->origins.count : 0;
}

SymbolId system_rate(System *s, SymbolId symbol) {
  const Symbol *x = pool_symbol_get(s->pool, symbol);
  switch (x->kind) {
  case sym_coord: return s->coords.items[x->index].v;
  case sym_velocity: return s->coords.items[x->index].a;
  case sym_state: return s->states.items[x->index].rate;
  case sym_input:
  case sym_input_rate: return input_rate(s->arena, s->pool, &s->input_rates, symbol, (Span){0});
  default: return 0;
  }
}

bool system_time_derivative(System *s, const ExprId *roots, uint32_t count, bool accelerations, ExprId *out) {
  ExprPool *pool = s->pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, roots, count, NULL, NULL, &length);
  if (!list) return false;
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(pool, list[i]);
    if (id) vec_push(s->arena, &found, id);
  }
  VEC(ExprId) rates = {0};
  for (uint32_t i = 0; i < found.count; i++) {
    SymbolKind kind = pool_symbol_get(pool, found.items[i])->kind;
    ExprId rate = pool->zero;
    if (kind == sym_time) rate = pool->one;
    else if (kind != sym_velocity || accelerations) {
      SymbolId r = system_rate(s, found.items[i]);
      if (r) rate = expr_sym(pool, r);
    }
    if (!vec_push(s->arena, &rates, rate)) return false;
  }
  SymbolMap map = symbol_map_new(pool);
  for (uint32_t i = 0; i < found.count; i++) {
    if (rates.items[i] != pool->zero) symbol_map_set(&map, found.items[i], rates.items[i]);
  }
  return expr_derive(pool, &map, roots, count, out, NULL);
}

// ---- definitions

static void add_definition(System *s, SymbolId symbol, ExprId value, Span span, const char *label) {
  vec_push(s->arena, &s->definitions, (Definition){symbol, value, system_origin(s, span, label, value)});
}

// Does the expression jump?
static bool jumps(ExprPool *pool, ExprId id) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &id, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    const OpInfo *op = expr_op_info(expr_op(pool, list[i]));
    bool jump = op->making == making_rules && op->smoothness == smoothness_jump && op->switching != switching_choice;
    if (jump && !expr_only_kinds(pool, list[i], kind_set(sym_param))) return true;
  }
  return false;
}

// Rates of inputs are derivatives of the inputs' expressions; a rate may ask for further rates.
static void define_inputs(System *s) {
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    const ModelInput *in = &s->inputs.items[i];
    add_definition(s, in->symbol, in->value, in->span, arena_printf(s->arena, "the input %s", in->name));
  }
  bool *reported = arena_array(s->arena, s->inputs.count, sizeof *reported);
  if (!reported) return;
  for (uint32_t i = 0; i < s->input_rates.count; i++) {
    ModelInputRate r = s->input_rates.items[i];
    const ModelInput *in = &s->inputs.items[r.input];
    ExprId value = in->value;
    bool ok = true;
    bool known = true; // rates of states and accelerations have no derivative
    for (uint32_t k = 0; k < r.order && ok && known; k++) {
      known = !expr_has_kind(s->pool, value, sym_state_rate) && !expr_has_kind(s->pool, value, sym_unknown) &&
              !expr_has_kind(s->pool, value, sym_acceleration);
      ok = system_time_derivative(s, &value, 1, true, &value);
    }
    if (!ok) return;
    const char *name = pool_symbol_get(s->pool, r.symbol)->name;
    if (!known && reported[r.input]) continue;
    if (!known) {
      reported[r.input] = true;
      diag_error(s->diags, diag_no_derivative, r.span.source ? r.span : in->span,
                 "`%s` would need further derivatives of what the input `%s` depends on", name, in->name);
      continue;
    }
    if (expr_has_kind(s->pool, value, sym_acceleration)) {
      reported[r.input] = true;
      diag_error(s->diags, diag_no_derivative, r.span.source ? r.span : in->span,
                 "`%s` would need accelerations, because the input `%s` depends on velocities", name, in->name);
      continue;
    }
    // only where the text asks for it: the account needs none
    if (r.order == 1 && r.span.source && jumps(s->pool, in->value)) {
      diag_warning(s->diags, diag_rate_of_jump, in->span,
                   "the input `%s` jumps, so `%s` holds an impulse at each jump, which is left out", in->name, name);
      diag_hint(s->diags, "let it rise over a short time, as in `ramp(t - 1) - ramp(t - 1.01)`");
    }
    add_definition(s, r.symbol, value, in->span, arena_printf(s->arena, "the input %s", in->name));
  }
}

static void define_states(System *s) {
  for (uint32_t i = 0; i < s->state_count; i++) {
    const ModelState *x = &s->states.items[i];
    if (x->implicit) continue;
    Span span = x->equation.source ? x->equation : x->span;
    add_definition(s, x->rate, s->f[i], span, arena_printf(s->arena, "the equation of %s", x->name));
  }
}

bool system_finish(System *s) {
  define_inputs(s);
  define_states(s);
  if (arena_failed(s->arena) || s->diags->errors) return !arena_failed(s->arena);
  s->coord_origin = arena_array(s->arena, s->coord_count, sizeof *s->coord_origin);
  if (!s->coord_origin) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const ModelCoord *c = &s->coords.items[i];
    s->coord_origin[i] = system_origin(s, c->span, arena_printf(s->arena, "the equation of motion of %s", c->name), 0);
  }
  return system_structure(s) && (s->diags->errors || system_layout(s));
}
