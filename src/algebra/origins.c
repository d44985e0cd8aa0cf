// Terms of the equations by the statement that they come from.
//
// in    the energies, forces and storages of a System, one by one
// out   what each adds to each equation: on the left d/dt dT/dv - dT/dq (inertial), dV/dq (elastic), dD/dv
//       (dissipative); on the right forces and dP/dv: with inputs control, else coupling. Of a row x' = ... of an
//       energy with structure, on the right: J dH (coupling), -R dH (dissipative), (G - P) u (control).
#include "algebra/origins.h"

#include "expr/calculus.h"

const char *origin_name(OriginKind kind) {
  static const char *const names[] = {"inertial", "elastic", "dissipative", "coupling", "control"};
  return names[kind];
}

static ExprId tidy(System *s, ExprId id) { return expr_group(s->pool, expr_expand(s->pool, id, derive_most_terms)); }

static bool put(System *s, Derivation *out, ShownOrigin o) {
  o.value = tidy(s, o.value);
  if (!o.value) return false;
  return o.value == s->pool->zero || vec_push(s->arena, &out->origins, o);
}

static bool by_inputs(System *s, ExprId id) {
  return expr_has_kinds(s->pool, id, kind_set(sym_input) | kind_set(sym_input_rate) | kind_set(sym_time));
}

// What one statement adds to the equation of a coordinate.
static bool of_energy(System *s, Derivation *out, const SystemTerm *e, const SystemCoord *c) {
  static const OriginKind kinds[] = {[energy_kinetic] = origin_inertial,
                                     [energy_potential] = origin_elastic,
                                     [energy_lagrangian] = origin_inertial,
                                     [energy_dissipation] = origin_dissipative,
                                     [energy_power] = origin_coupling};
  static const char *const words[] = {"kinetic", "potential", "lagrangian", "dissipation", "power"};
  ExprPool *pool = s->pool;
  ShownOrigin o = {.of = c->name, .kind = kinds[e->kind], .word = words[e->kind], .span = e->span};
  ExprId slope = expr_diff(pool, e->value, e->kind == energy_potential ? c->q : c->v);
  o.value = slope;
  if (e->kind == energy_kinetic || e->kind == energy_lagrangian) {
    ExprId rate = 0;
    if (!slope || !system_time_derivative(s, &slope, 1, true, &rate)) return false;
    o.value = expr_sub(pool, rate, expr_diff(pool, e->value, c->q));
  }
  if (e->kind == energy_power) {
    o.right = true;
    if (slope && by_inputs(s, slope)) o.kind = origin_control;
  }
  return put(s, out, o);
}

static bool of_coordinate(System *s, Derivation *out, uint32_t i) {
  const SystemCoord *c = &s->coords.items[i];
  for (uint32_t k = 0; k < s->energies.count; k++) {
    if (!of_energy(s, out, &s->energies.items[k], c)) return false;
  }
  for (uint32_t k = 0; k < s->forces.count; k++) {
    const SystemForce *f = &s->forces.items[k];
    if (f->coord != i) continue;
    OriginKind kind = by_inputs(s, f->value) ? origin_control : origin_coupling;
    if (!put(s, out, (ShownOrigin){c->name, kind, "force", f->value, f->span, true})) return false;
  }
  return true;
}

static bool of_row(System *s, Derivation *out, const SystemStorage *x, uint32_t i) {
  ExprPool *pool = s->pool;
  uint32_t n = x->count;
  const char *name = arena_printf(s->arena, "%s", s->states.items[x->rows[i]].name);
  ExprId flow = pool->zero, lost = pool->zero;
  for (uint32_t j = 0; j < n; j++) {
    flow = expr_add(pool, flow, expr_mul(pool, x->J[i * n + j], x->dH[j]));
    lost = expr_sub(pool, lost, expr_mul(pool, x->R[i * n + j], x->dH[j]));
  }
  Span J = x->J_span.source ? x->J_span : x->span, R = x->R_span.source ? x->R_span : x->span;
  if (!put(s, out, (ShownOrigin){name, origin_coupling, "interconnection", flow, J, true}) ||
      !put(s, out, (ShownOrigin){name, origin_dissipative, "damping", lost, R, true}))
    return false;
  for (uint32_t k = 0; k < x->ports.count; k++) {
    const SystemPort *p = &x->ports.items[k];
    ExprId u = expr_sym(pool, s->inputs.items[p->input].symbol);
    ExprId in = expr_mul(pool, expr_sub(pool, p->by[i], p->through[i]), u);
    if (!put(s, out, (ShownOrigin){name, origin_control, "port", in, p->span, true})) return false;
  }
  return true;
}

bool origins_find(System *s, Derivation *out) {
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] == source_energies && !of_coordinate(s, out, i)) return false;
  }
  for (uint32_t k = 0; k < s->storages.count; k++) {
    const SystemStorage *x = &s->storages.items[k];
    for (uint32_t i = 0; !x->fitted && i < x->count; i++) {
      if (!of_row(s, out, x, i)) return false;
    }
  }
  return !arena_failed(s->arena);
}
