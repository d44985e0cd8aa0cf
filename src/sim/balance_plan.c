// Tapes of the energy balance: dissipating and supplying forces, energies. A part of balance.h.
#include "sim/balance.h"

#include "hybrid/results.h"
#include "sim/program.h"

// A force by its symbol, so that what switches in it is rewritten for events as everything that is defined.
static ExprId define(System *s, ExprId force, const char *label, Span span, DefinitionList *list) {
  if (force == s->pool->zero) return force;
  SymbolId symbol = pool_symbol(s->pool, label, sym_signal, 0, 0);
  if (!symbol || !vec_push(s->arena, list, (Definition){symbol, force, system_origin(s, span, label, force)})) return 0;
  return expr_sym(s->pool, symbol);
}

// What dissipates and supplies at coordinate i, into `to` and `all` behind it.
static void define_at_coord(System *s, uint32_t i, uint32_t all, ExprId *to, DefinitionList *list) {
  const SystemCoord *c = &s->coords.items[i];
  to[i] = define(s, s->lagrange.dDdv[i], arena_printf(s->arena, "the damping of %s", c->name), c->span, list);
  to[all + i] = define(s, s->lagrange.Q[i], arena_printf(s->arena, "the force on %s", c->name), c->span, list);
}

// A state gives to the energy that holds it.
static void define_at_state(System *s, uint32_t i, uint32_t all, ExprId *to, DefinitionList *list) {
  const SystemState *x = &s->states.items[i];
  ExprId force = expr_neg(s->pool, expr_diff(s->pool, s->lagrange.L, x->x));
  to[s->coord_count + i] = s->pool->zero;
  to[all + s->coord_count + i] = define(s, force, arena_printf(s->arena, "what %s supplies", x->name), x->span, list);
}

// An energy with structure whose rows are positions and momenta, with damping and ports on momenta alone: then its
// powers are forces along the rates of the positions, as those of coordinates are. Others have their structure
// (gradient_plan.c); where coordinates beside them do not, these take up what is missing.
static bool is_canonical(const System *s, const SystemStorage *x) {
  const ExprPool *pool = s->pool;
  uint32_t n = x->count, half = n / 2;
  if (x->fitted || !x->canonical || expr_has_kinds(pool, x->H, kind_set(sym_time) | kind_set(sym_input))) return false;
  for (uint32_t i = 0; i < n; i++) {
    bool place = i < half;
    for (uint32_t j = 0; j < n; j++) {
      if ((place || j < half) && x->R[i * n + j] != pool->zero) return false;
    }
    for (uint32_t k = 0; k < x->ports.count; k++) {
      const SystemPort *p = &x->ports.items[k];
      if ((place && p->by[i] != pool->zero) || p->through[i] != pool->zero) return false;
    }
  }
  for (uint32_t k = 0; k < x->ports.count; k++) {
    for (uint32_t j = 0; j < x->ports.count; j++) {
      if (x->ports.items[k].feed[j] != pool->zero) return false;
    }
  }
  return true;
}

static void define_at_storage(System *s, const SystemStorage *x, uint32_t all, ExprId *to, DefinitionList *list) {
  ExprPool *pool = s->pool;
  uint32_t n = x->count, half = n / 2;
  for (uint32_t i = 0; i < half; i++) {
    uint32_t at = s->coord_count + x->rows[i], p = half + i;
    const SystemState *q = &s->states.items[x->rows[i]];
    ExprId damping = pool->zero, force = pool->zero;
    for (uint32_t j = half; j < n; j++) damping = expr_add(pool, damping, expr_mul(pool, x->R[p * n + j], x->dH[j]));
    for (uint32_t k = 0; k < x->ports.count; k++) {
      ExprId u = expr_sym(pool, s->inputs.items[x->ports.items[k].input].symbol);
      force = expr_add(pool, force, expr_mul(pool, x->ports.items[k].by[p], u));
    }
    to[at] = define(s, damping, arena_printf(s->arena, "the damping of %s", q->name), q->span, list);
    to[all + at] = define(s, force, arena_printf(s->arena, "the force on %s", q->name), q->span, list);
  }
}

bool balance_define(SimProgram *p) {
  System *s = &p->s;
  uint32_t all = s->coord_count + s->state_count, held = s->held.count;
  DefinitionList list = {0};
  if (!ode_keeps_balance(p->settled.ode.method) || !s->energy.kept) return true;
  bool canonical = true;
  for (uint32_t i = 0; i < s->storages.count; i++) canonical = canonical && is_canonical(s, &s->storages.items[i]);
  if (!canonical && !gradient_define(p)) return false;
  if (p->gradient || (!canonical && !s->coord_count)) return true;
  BalancePlan *plan = arena_new_of(p->arena, BalancePlan);
  if (!plan || !(plan->forces = arena_array(p->arena, (size_t)2 * all + 1, sizeof *plan->forces))) return false;
  plan->mixed = !canonical;
  for (uint32_t i = 0; i < 2 * all; i++) plan->forces[i] = s->pool->zero;
  for (uint32_t i = 0; canonical && i < s->coord_count; i++) define_at_coord(s, i, all, plan->forces, &list);
  for (uint32_t i = 0; canonical && i < s->state_count; i++) define_at_state(s, i, all, plan->forces, &list);
  for (uint32_t i = 0; canonical && i < s->storages.count; i++)
    define_at_storage(s, &s->storages.items[i], all, plan->forces, &list);
  p->balance = plan;
  if (arena_failed(p->arena)) return false;
  return !list.count || (system_unorder(s) && system_order_with(s, list.items, list.count, held));
}

// Where each force acts. False: one acts on a position that is computed, or on a velocity of which only a part is
// integrated: these have no polynomial of their own.
static bool find_places(const System *s, uint32_t *place) {
  for (uint32_t i = 0; i < s->coord_count + s->state_count; i++) {
    bool state = i >= s->coord_count;
    place[i] = system_place(s, state ? s->states.items[i - s->coord_count].x : s->coords.items[i].q);
    if (place[i] == no_place || (!state && s->role[i] == coord_combined)) return false;
  }
  return true;
}

static bool any_force(const SimProgram *p, const BalancePlan *plan, uint32_t count) {
  for (uint32_t i = 0; i < 2 * count; i++) {
    if (plan->forces[i] != p->pool.zero) return true;
  }
  return false;
}

static bool any_flow(const SimProgram *p) {
  for (uint32_t i = 0; i < p->s.energy.flows.count; i++) {
    if (p->s.energy.flows.items[i].power != p->pool.zero) return true;
  }
  return false;
}

static bool plan_energy(SimProgram *p, BalancePlan *plan) {
  const System *s = &p->s;
  const ExprId results[] = {s->energy.stored, s->energy.kinetic};
  plan->pairs = arena_array(p->arena, (size_t)s->coord_count + 1, sizeof *plan->pairs);
  if (!plan->pairs) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    OdePair k = {system_place(s, s->coords.items[i].q), system_place(s, s->coords.items[i].v)};
    if (k.place != no_place && k.speed != no_place) plan->pairs[plan->pair_count++] = k;
  }
  if (!plan->pair_count) return true;
  plan->energy = program_tape(p->arena, p, &p->s, results, 2, false);
  return plan->energy != NULL;
}

bool balance_plan(SimProgram *p, System *turned) {
  BalancePlan *plan = p->balance;
  System *s = &p->s;
  uint32_t count = s->coord_count + s->state_count;
  if (!plan) return gradient_plan(p, turned);
  uint32_t *place = arena_array(p->arena, (size_t)count + 1, sizeof *place);
  if (!place) return false;
  bool found = find_places(s, place);
  if (found && any_force(p, plan, count)) {
    plan->ports = (OdePorts){.count = count, .place = place, .flows = 2};
    plan->of_y = program_tape(p->arena, p, s, plan->forces, 2 * count, false);
    plan->of_z = turned ? program_tape(p->arena, p, turned, plan->forces, 2 * count, false) : NULL;
    if (!plan->of_y || (turned && !plan->of_z)) return false;
  }
  plan->always = plan->mixed || p->constraints || (!found && any_flow(p)) || (p->defined && !turned);
  bool at_times = turned && p->events && p->events->may_hold;
  return (!plan->always && !at_times) || plan_energy(p, plan);
}
