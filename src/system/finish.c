// What closes a System after its formulations have filled it: definitions of inputs, of their rates and of states; then
// the structure, the order of computation and the layout.
#include "system/index.h"

#include "expr/calculus.h"
#include "expr/occurs.h"
#include "expr/ops.h"

// ---- definitions

static void add_definition(System *s, SymbolId symbol, ExprId value, Span span, const char *label) {
  vec_push(s->arena, &s->definitions, (Definition){symbol, value, system_origin(s, span, label, value)});
}

// Does the expression jump?
static bool jumps(ExprPool *pool, ExprId id) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &id, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    if (expr_op_jumps(expr_op(pool, list[i])) && !expr_only_kinds(pool, list[i], kind_set(sym_param))) return true;
  }
  return false;
}

static void define_inputs(System *s) {
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    const SystemInput *in = &s->inputs.items[i];
    add_definition(s, in->symbol, in->value, in->span, arena_printf(s->arena, "the input %s", in->name));
  }
}

// The derivative of an input as an expression. *known: nothing in it lacks a derivative, as rates of states,
// accelerations and unknowns do. False: out of memory.
static bool differentiate_input(System *s, const SystemInputRate *r, ExprId *value, bool *known) {
  KindSet without =
      kind_set(sym_state_rate) | kind_set(sym_unknown) | kind_set(sym_multiplier) | kind_set(sym_acceleration);
  *value = s->inputs.items[r->input].value;
  *known = true;
  for (uint32_t k = 0; k < r->order && *known; k++) {
    *known = !expr_has_kinds(s->pool, *value, without);
    if (!system_time_derivative(s, value, 1, true, value)) return false;
  }
  return true;
}

static void define_rate(System *s, SystemInputRate r, bool *reported) {
  const SystemInput *in = &s->inputs.items[r.input];
  const char *name = pool_symbol_get(s->pool, r.symbol)->name;
  Span span = r.span.source ? r.span : in->span;
  ExprId value;
  bool known;
  if (!differentiate_input(s, &r, &value, &known) || (!known && *reported)) return;
  if (!known) {
    *reported = true;
    diag_error(s->diags, diag_no_derivative, span,
               "`%s` would need further derivatives of what the input `%s` depends on", name, in->name);
    if (!r.span.source)
      diag_hint(s->diags, "a velocity that follows from a position without inertia or damping needs it: give that "
                          "coordinate a mass or a damper, or write its part with `state` and `hamiltonian`");
    return;
  }
  if (expr_has_kind(s->pool, value, sym_acceleration)) {
    *reported = true;
    diag_error(s->diags, diag_no_derivative, span,
               "`%s` would need accelerations, because the input `%s` depends on velocities", name, in->name);
    return;
  }
  if (r.span.source && expr_has_op(s->pool, in->value, op_impulse)) {
    diag_error(s->diags, diag_no_derivative, r.span, "`%s` would be the derivative of an impulse", name);
    return;
  }
  // only where the text asks for it: the account needs none
  if (r.order == 1 && r.span.source && jumps(s->pool, in->value)) {
    diag_warning(s->diags, diag_rate_of_jump, in->span,
                 "the input `%s` jumps, so `%s` holds an impulse at each jump, which is left out", in->name, name);
    diag_hint(s->diags, "let it rise over a short time, as in `ramp(t - 1) - ramp(t - 1.01)`");
  }
  add_definition(s, r.symbol, value, in->span, arena_printf(s->arena, "the input %s", in->name));
}

// Rates of inputs from number `first` on: derivatives of the inputs' expressions. A rate may ask for further rates.
static void define_rates(System *s, uint32_t first) {
  bool *reported = arena_array(s->arena, s->inputs.count, sizeof *reported);
  for (uint32_t i = first; reported && i < s->input_rates.count; i++)
    define_rate(s, s->input_rates.items[i], &reported[s->input_rates.items[i].input]);
}

static void define_states(System *s) {
  for (uint32_t i = 0; i < s->state_count; i++) {
    const SystemState *x = &s->states.items[i];
    if (x->implicit) continue;
    Span span = x->equation.source ? x->equation : x->span;
    add_definition(s, x->rate, s->f[i], span, arena_printf(s->arena, "the equation of %s", x->name));
  }
}

bool system_finish(System *s) {
  define_inputs(s);
  define_rates(s, 0);
  define_states(s);
  if (arena_failed(s->arena) || s->diags->errors) return !arena_failed(s->arena);
  s->coord_origin = arena_array(s->arena, s->coord_count, sizeof *s->coord_origin);
  if (!s->coord_origin) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    s->coord_origin[i] = system_origin(s, c->span, arena_printf(s->arena, "the equation of motion of %s", c->name), 0);
  }
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    SystemConstraint *c = &s->constraints.items[i];
    c->origin = system_origin(s, c->span, "the constraint", c->value);
  }
  // positions that equations give have velocities, which hold rates of further inputs
  uint32_t rates = s->input_rates.count;
  if (!system_structure(s)) return false;
  define_rates(s, rates);
  if (arena_failed(s->arena) || (!s->diags->errors && !system_index(s))) return false;
  if (!s->diags->errors && !system_order(s, NULL)) return false;
  return s->diags->errors || system_layout(s);
}
