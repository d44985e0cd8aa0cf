// Hamiltonian form of a run: workspaces and callbacks. A part of momenta.h.
#include "sim/motion.h"

void momenta_cut(MomentaRun *m, const SimProgram *p, Cutter *cutter) {
  if (!p->momenta) return;
  BLOCK_CUT(cutter, m->rates, p->momenta->rates->slot_count);
  BLOCK_CUT(cutter, m->from, p->momenta->from->slot_count);
  BLOCK_CUT(cutter, m->to, p->momenta->to->slot_count);
  momenta_watch_cut(&m->watch, p, cutter);
}

void momenta_prepare(Run *r) {
  const MomentaPlan *plan = r->p->momenta;
  if (!plan) return;
  run_prepare(r, plan->rates, r->momenta.rates);
  run_prepare(r, plan->from, r->momenta.from);
  run_prepare(r, plan->to, r->momenta.to);
}

bool momenta_rates(void *self, double t, const double *z, double *dzdt) {
  Run *r = self;
  return run_counted_rates(r, r->p->momenta->rates, r->momenta.rates, &r->p->lazy->momenta, &r->s->momenta_code, t, z,
                           dzdt);
}

// The variables of a tape into its workspace.
static bool put_list(Run *r, const Tape *tape, double *w, double t, const double *from, double *to) {
  const MomentaPlan *plan = r->p->momenta;
  double sum = 0;
  run_eval_at(r, tape, w, ode_seen(r->ode.breaks.after_start, r->ode.t0, t), from);
  for (uint32_t i = 0; i < plan->legendre.count; i++) {
    double value = tape_result(tape, w, i);
    to[plan->place[i]] = value;
    sum += value - value;
  }
  return sum == 0;
}

static void put_guesses(const Run *r, const Tape *tape, double *w, const double *y) {
  const MomentaPlan *plan = r->p->momenta;
  double *to = tape_vars(tape, w) + tape->var_count - tape->held_count + r->p->s.held.count;
  for (uint32_t i = 0; i < plan->guess_count; i++) to[i] = y[plan->guessed[i]];
}

// The velocities of y are the next guesses.
static void guess(const Run *r, const double *y) {
  const MomentaPlan *plan = r->p->momenta;
  if (!plan->guess_count) return;
  put_guesses(r, plan->rates, r->momenta.rates, y);
  put_guesses(r, plan->to, r->momenta.to, y);
  const BalancePlan *balance = r->p->balance;
  if (balance && balance->of_z) put_guesses(r, balance->of_z, r->balance.of_z, y);
  const GradientPlan *gradient = r->p->gradient;
  if (!gradient) return;
  put_guesses(r, gradient->of_H, r->gradient.of_H, y);
  put_guesses(r, gradient->of_structure, r->gradient.of_structure, y);
}

void momenta_accept(void *self, double t, const double *y) {
  Run *r = self;
  if (r->p->held) run_accept(r, t, y);
  guess(r, y);
  if (momenta_usable(r)) momenta_look(r, t, y);
}

static bool from_velocities(void *self, double t, const double *y, double *z) {
  Run *r = self;
  guess(r, y);
  momenta_remember(r, t, y);
  return put_list(r, r->p->momenta->from, r->momenta.from, t, y, z);
}

static bool to_velocities(void *self, double t, const double *z, double *y) {
  Run *r = self;
  return put_list(r, r->p->momenta->to, r->momenta.to, t, z, y);
}

bool momenta_usable(const Run *r) { return !r->h || !r->h->state->held_count; }

static bool usable(void *self) { return momenta_usable(self); }

const OdeMomenta *momenta_of(const Run *r) {
  static const OdeMomenta momenta = {momenta_rates, from_velocities, to_velocities, usable};
  return r->p->momenta ? &momenta : NULL;
}
