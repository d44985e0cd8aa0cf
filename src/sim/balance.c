// The balance of energy of a motion. See balance.h.
#include "sim/balance.h"

#include "sim/motion.h"
#include "sim/results.h"

// ---- the plan

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

bool balance_define(SimProgram *p) {
  System *s = &p->s;
  uint32_t all = s->coord_count + s->state_count, held = s->held.count;
  DefinitionList list = {0};
  if (!ode_keeps_balance(p->settled.ode.method) || !s->energy.kept || !s->lagrange.used) return true;
  BalancePlan *plan = arena_new_of(p->arena, BalancePlan);
  if (!plan || !(plan->forces = arena_array(p->arena, (size_t)2 * all + 1, sizeof *plan->forces))) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) define_at_coord(s, i, all, plan->forces, &list);
  for (uint32_t i = 0; i < s->state_count; i++) define_at_state(s, i, all, plan->forces, &list);
  p->balance = plan;
  if (arena_failed(p->arena)) return false;
  return !list.count || (system_unorder(s) && system_order_with(s, list.items, list.count, held));
}

// Where each force acts. False: one acts on a place that is computed, or on a velocity of which only a part is
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
  if (!plan) return true;
  uint32_t *place = arena_array(p->arena, (size_t)count + 1, sizeof *place);
  if (!place) return false;
  bool found = find_places(s, place);
  if (found && any_force(p, plan, count)) {
    plan->ports = (OdePorts){.count = count, .place = place, .flows = 2};
    plan->of_y = program_tape(p->arena, p, s, plan->forces, 2 * count, false);
    plan->of_z = turned ? program_tape(p->arena, p, turned, plan->forces, 2 * count, false) : NULL;
    if (!plan->of_y || (turned && !plan->of_z)) return false;
  }
  plan->always = p->constraints || (!found && any_flow(p)) || (p->defined && !turned);
  bool at_times = turned && p->events && p->events->may_hold;
  return (!plan->always && !at_times) || plan_energy(p, plan);
}

// ---- of a motion

void balance_cut(BalanceRun *b, const SimProgram *p, Cutter *cutter) {
  const BalancePlan *plan = p->balance;
  if (!plan) return;
  if (plan->of_y) BLOCK_CUT(cutter, b->of_y, plan->of_y->slot_count);
  if (plan->of_z) BLOCK_CUT(cutter, b->of_z, plan->of_z->slot_count);
  if (plan->energy) BLOCK_CUT(cutter, b->energy, plan->energy->slot_count);
}

void balance_prepare(Run *r) {
  const BalancePlan *plan = r->p->balance;
  if (!plan) return;
  if (plan->of_y) run_prepare(r, plan->of_y, r->balance.of_y);
  if (plan->of_z) run_prepare(r, plan->of_z, r->balance.of_z);
  if (plan->energy) run_prepare(r, plan->energy, r->balance.energy);
}

const OdePorts *balance_ports(const Run *r) {
  return r->p->balance && r->p->balance->ports.count ? &r->p->balance->ports : NULL;
}

bool balance_forces(void *self, double t, const double *z, double *forces) {
  Run *r = self;
  bool momenta = r->p->momenta && momenta_usable(r);
  const Tape *tape = momenta ? r->p->balance->of_z : r->p->balance->of_y;
  double sum = 0, *w = momenta ? r->balance.of_z : r->balance.of_y;
  run_eval_at(r, tape, w, ode_seen(r->ode.breaks.after_start, r->ode.t0, t), z);
  for (uint32_t i = 0; i < tape->output_count; i++) {
    forces[i] = tape_result(tape, w, i);
    sum += forces[i] - forces[i];
  }
  return sum == 0;
}

static bool energy_value(void *self, double t, const double *y, double *value, double *size) {
  Run *r = self;
  const SystemEnergy *e = &r->p->s.energy;
  const Tape *tape = r->p->balance->energy;
  run_eval_at(r, tape, r->balance.energy, ode_seen(r->ode.breaks.after_start, r->ode.t0, t), y);
  double stored = tape_result(tape, r->balance.energy, 0), kinetic = tape_result(tape, r->balance.energy, 1);
  *value = stored;
  *size = fabs(stored) + fabs(kinetic);
  for (uint32_t i = 0; i < e->flows.count; i++) {
    double flow = y[r->p->y.count + i];
    *value += e->flows.items[i].sign * flow;
    *size += fabs(flow);
  }
  return isfinite(*value) && isfinite(*size);
}

static bool is_needed(void *self) {
  const Run *r = self;
  return r->p->balance->always || !momenta_usable(r);
}

const OdeBalance *balance_of(Run *r) {
  const BalancePlan *plan = r->p->balance;
  if (!plan || !plan->energy) return NULL;
  r->balance.balance = (OdeBalance){energy_value, is_needed, plan->pairs, plan->pair_count};
  return &r->balance.balance;
}
