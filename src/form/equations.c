// Equations written out: x' = ... for states, x'' = ... for coordinates in no energy.
#include "form/form.h"

#include "expr/calculus.h"

static void fill_accelerations(System *s) {
  ExprPool *pool = s->pool;
  uint32_t n = s->coord_count;
  for (uint32_t k = 0; k < s->accelerations.count; k++) {
    const ModelForce *eq = &s->accelerations.items[k];
    uint32_t i = eq->coord;
    const ModelCoord *c = &s->coords.items[i];
    bool energetic = !expr_is_zero(pool, s->h[i]);
    for (uint32_t j = 0; j < n; j++) energetic = energetic || !expr_is_zero(pool, s->M[i * n + j]);
    if (energetic) {
      diag_error(s->diags, diag_two_ways, eq->span,
                 "`%s` has energies or forces already, so its equation follows from them", c->name);
      diag_hint(s->diags, "leave one of the two out");
      continue;
    }
    s->by_equation[i] = true;
    system_origin(s, eq->span, arena_printf(s->arena, "the equation of %s", c->name), eq->value);
    // a_i - rhs = 0, where rhs may hold other accelerations
    SymbolMap rest = symbol_map_new(pool);
    for (uint32_t j = 0; j < n; j++) {
      SymbolId a = s->coords.items[j].a;
      symbol_map_set(&rest, a, pool->zero);
      ExprId own = i == j ? pool->one : pool->zero;
      s->M[i * n + j] = expr_sub(pool, own, expr_diff(pool, eq->value, a));
    }
    ExprId rhs = 0;
    expr_replace(pool, &rest, &eq->value, 1, &rhs);
    s->h[i] = expr_neg(pool, rhs);
  }
}

// Rates of states and accelerations that only implicit equations hold are unknowns of these.
static void find_implicit(System *s) {
  for (uint32_t k = 0; k < s->implicit.count; k++) {
    ExprId e = s->implicit.items[k].residual;
    for (uint32_t i = 0; expr_has_kind(s->pool, e, sym_state_rate) && i < s->state_count; i++) {
      ModelState *x = &s->states.items[i];
      if (!x->equation.source && expr_depends(s->pool, e, x->rate)) x->implicit = true;
    }
    for (uint32_t i = 0; expr_has_kind(s->pool, e, sym_acceleration) && i < s->coord_count; i++) {
      bool alone =
          expr_is_zero(s->pool, s->h[i]) && !s->by_equation[i] && expr_depends(s->pool, e, s->coords.items[i].a);
      for (uint32_t j = 0; alone && j < s->coord_count; j++)
        alone = expr_is_zero(s->pool, s->M[i * s->coord_count + j]);
      if (alone) s->by_implicit[i] = true;
    }
  }
}

static void fill_states(System *s) {
  find_implicit(s);
  for (uint32_t i = 0; i < s->state_count; i++) {
    const ModelState *x = &s->states.items[i];
    if (x->rhs) {
      s->f[i] = x->rhs;
    } else if (!x->equation.source && !x->implicit && !x->assigned) {
      diag_warning(s->diags, diag_state_without_equation, x->span, "the state `%s` has no equation and keeps its value",
                   x->name);
      diag_hint(s->diags, "write `%s' = ...`", x->name);
    }
  }
}

static void check_coords(System *s) {
  ExprPool *pool = s->pool;
  uint32_t n = s->coord_count;
  for (uint32_t i = 0; i < n; i++) {
    const ModelCoord *c = &s->coords.items[i];
    if (s->by_implicit[i]) continue;
    bool inertia = false, linear = true;
    for (uint32_t j = 0; j < n; j++) {
      inertia = inertia || !expr_is_zero(pool, s->M[i * n + j]);
      linear = linear && !expr_has_kind(pool, s->M[i * n + j], sym_acceleration);
    }
    if (!linear) {
      diag_error(s->diags, diag_nonlinear_acceleration, c->span, "accelerations enter the equation of `%s` nonlinearly",
                 c->name);
    } else if (!inertia && expr_is_zero(pool, s->h[i])) {
      diag_error(s->diags, diag_no_equation, c->span, "nothing determines the coordinate `%s`", c->name);
      diag_hint(s->diags, "it needs an energy that holds `%s'`, or an equation `%s'' = ...`", c->name, c->name);
    }
  }
}

bool equations_fill(System *s) {
  fill_accelerations(s);
  fill_states(s);
  check_coords(s);
  return !arena_failed(s->arena);
}
