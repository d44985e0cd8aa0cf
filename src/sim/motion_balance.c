// Energy balance of a run: workspaces and callbacks. A part of balance.h.
#include "sim/motion.h"

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
