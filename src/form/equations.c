// Equations written out: x' = ... for states, x'' = ... for coordinates in no energy.
#include "form/form.h"

#include "expr/occurs.h"
#include "expr/ops.h"

// a_i - rhs = 0, where rhs may hold other accelerations
static bool fill_acceleration(System *s, const SymbolIndex *accelerations, const SymbolMap *rest,
                              const SystemForce *eq) {
  ArenaMark mark = arena_mark(s->pool->scratch);
  uint32_t count;
  const uint32_t *columns = symbol_index_in(s->pool, accelerations, eq->value, &count);
  bool ok = columns && system_mass_set(s, eq->coord, eq->coord, s->pool->one);
  for (uint32_t k = 0; ok && k < count; k++) {
    ExprId d = expr_diff(s->pool, eq->value, accelerations->symbols[columns[k]]);
    ok = system_mass_set(s, eq->coord, columns[k], expr_sub(s->pool, system_mass(s, eq->coord, columns[k]), d));
  }
  arena_release(s->pool->scratch, mark);
  ExprId rhs = 0;
  if (!ok || !expr_replace(s->pool, rest, &eq->value, 1, &rhs)) return false;
  s->h[eq->coord] = expr_neg(s->pool, rhs);
  return true;
}

static void fill_accelerations(System *s) {
  if (s->accelerations.count == 0) return;
  SymbolIndex accelerations;
  SymbolId *a = arena_array(s->arena, s->coord_count, sizeof *a);
  for (uint32_t i = 0; a && i < s->coord_count; i++) a[i] = s->coords.items[i].a;
  if (!a || !symbol_index(s->arena, s->pool, a, s->coord_count, &accelerations)) return;
  SymbolMap rest = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < s->coord_count; i++) symbol_map_set(&rest, a[i], s->pool->zero);
  for (uint32_t k = 0; k < s->accelerations.count; k++) {
    const SystemForce *eq = &s->accelerations.items[k];
    const SystemCoord *c = &s->coords.items[eq->coord];
    if (!expr_is_zero(s->pool, s->h[eq->coord]) || s->M[eq->coord].count) {
      diag_error(s->diags, diag_two_ways, eq->span,
                 "`%s` has energies or forces already, so its equation follows from them", c->name);
      diag_hint(s->diags, "leave one of the two out");
      continue;
    }
    s->source[eq->coord] = source_equation;
    system_origin(s, eq->span, arena_printf(s->arena, "the equation of %s", c->name), eq->value);
    if (!fill_acceleration(s, &accelerations, &rest, eq)) return;
  }
}

// Rates of states and accelerations that only implicit equations hold are unknowns of these.
static void find_implicit(System *s) {
  for (uint32_t k = 0; k < s->implicit.count; k++) {
    ExprId e = s->implicit.items[k].residual;
    for (uint32_t i = 0; expr_has_kind(s->pool, e, sym_state_rate) && i < s->state_count; i++) {
      SystemState *x = &s->states.items[i];
      if (!x->equation.source && expr_depends(s->pool, e, x->rate)) x->implicit = true;
    }
    for (uint32_t i = 0; expr_has_kind(s->pool, e, sym_acceleration) && i < s->coord_count; i++) {
      bool alone = expr_is_zero(s->pool, s->h[i]) && s->source[i] != source_equation &&
                   expr_depends(s->pool, e, s->coords.items[i].a);
      alone = alone && s->M[i].count == 0;
      if (alone) s->source[i] = source_implicit;
    }
  }
}

static void fill_states(System *s) {
  find_implicit(s);
  for (uint32_t i = 0; i < s->state_count; i++) {
    const SystemState *x = &s->states.items[i];
    if (x->rhs) {
      s->f[i] = x->rhs;
    } else if (!x->equation.source && !x->implicit && !x->assigned) {
      diag_warning(s->diags, diag_state_without_equation, x->span, "the state `%s` has no equation and keeps its value",
                   x->name);
      diag_hint(s->diags, "write `%s' = ...`", x->name);
    }
  }
}

// Which coordinates stand in constraints. NULL: out of memory.
static const bool *find_bound(System *s) {
  bool *bound = arena_array(s->arena, (size_t)s->coord_count + 1, sizeof *bound);
  for (uint32_t k = 0; bound && k < s->constraints.count; k++) {
    const MassRow *row = &s->constraints.items[k].G;
    for (uint32_t i = 0; i < row->count; i++) {
      if (row->items[i].column < s->coord_count) bound[row->items[i].column] = true;
    }
  }
  return bound;
}

// Does it jump where an acceleration changes? Its derivative, which went to M, does not show that.
static bool jumps_with_accelerations(System *s, ExprId value) {
  uint32_t length;
  if (!value || !expr_has_kind(s->pool, value, sym_acceleration)) return false;
  const ExprId *list = pool_reach(s->pool, &value, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    if (expr_op_jumps(expr_op(s->pool, list[i])) && expr_has_kind(s->pool, list[i], sym_acceleration)) return true;
  }
  return false;
}

// By coordinate: its equation jumps so. NULL: out of memory.
static const bool *find_jumping(System *s) {
  bool *jumping = arena_array(s->arena, (size_t)s->coord_count + 1, sizeof *jumping);
  for (uint32_t i = 0; jumping && s->lagrange.used && i < s->coord_count; i++)
    jumping[i] = jumps_with_accelerations(s, s->lagrange.Q[i]);
  for (uint32_t k = 0; jumping && k < s->accelerations.count; k++) {
    const SystemForce *eq = &s->accelerations.items[k];
    jumping[eq->coord] = jumping[eq->coord] || jumps_with_accelerations(s, eq->value);
  }
  return jumping;
}

// Is it a coordinate of a joint? What its bodies lack is reported by their formulation.
static bool is_joint(const System *s, uint32_t coord) {
  for (uint32_t k = 0; k < s->bodies.count; k++) {
    if (s->bodies.coord[k] == coord) return true;
  }
  return false;
}

static void check_coords(System *s) {
  ExprPool *pool = s->pool;
  uint32_t n = s->coord_count;
  const bool *jumping = find_jumping(s), *bound = find_bound(s);
  if (!jumping || !bound) return;
  for (uint32_t i = 0; i < n; i++) {
    const SystemCoord *c = &s->coords.items[i];
    if (s->source[i] == source_implicit || (s->solved && s->solved[i])) continue;
    bool inertia = s->M[i].count > 0, linear = !jumping[i];
    for (uint32_t k = 0; k < s->M[i].count; k++)
      linear = linear && !expr_has_kind(pool, s->M[i].items[k].value, sym_acceleration);
    if (!linear) {
      diag_error(s->diags, diag_nonlinear_acceleration, c->span, "accelerations enter the equation of `%s` nonlinearly",
                 c->name);
    } else if (!inertia && !bound[i] && expr_is_zero(pool, s->h[i]) && !(s->diags->errors && is_joint(s, i))) {
      diag_error(s->diags, diag_no_equation, c->span, "nothing determines the coordinate `%s`", c->name);
      diag_hint(s->diags, "it needs an energy that holds `%s'`, or an equation `%s'' = ...`", c->name, c->name);
    }
  }
}

static bool equations_fill(System *s) {
  fill_accelerations(s);
  fill_states(s);
  check_coords(s);
  return !arena_failed(s->arena);
}

const Formulation equations_formulation = {.fill = equations_fill};
