// Evaluation of the tapes of a run: parameters, held variables and the variables of events go into their workspaces. A
// part of motion.h.
#include "sim/motion.h"

#include <string.h>

bool run_is_interrupted(Run *r) {
  if (r->failure.status == run_interrupted) return true;
  if (!r->to.interrupted || !r->to.interrupted(r->to.self)) return false;
  r->failure.status = run_interrupted;
  return true;
}

void run_prepare(const Run *r, const Tape *tape, double *w) {
  memcpy(w, r->params, tape->param_count * sizeof *w);
  tape_prepare(tape, w);
  run_put_held(r, tape, w);
}

// ---- the variables of events, behind all others

static double *place_of_z(const Run *r, const Tape *t, double *w) {
  return tape_vars(t, w) + t->var_count - r->p->events->z_count;
}

void run_put_z(const Run *r, const Tape *tape, double *w) {
  uint32_t count = r->p->events->z_count;
  if (count) memcpy(place_of_z(r, tape, w), r->h->z, count * sizeof *w);
}

void run_spread_z(void *self) {
  const Run *r = self;
  if (r->z_changed) *r->z_changed = true;
  if (r->p->constraints) r->constraints.singular->changed = true;
  run_put_z(r, r->p->f, r->fw);
  run_put_z(r, r->p->rows, r->rw);
  if (r->p->measures) run_put_z(r, r->p->measures->tape, r->measures.w);
  if (r->j) run_put_z(r, r->j->tape, r->jw);
  if (r->p->held) run_put_z(r, r->p->held, r->hw);
  if (r->p->momenta) run_put_z(r, r->p->momenta->rates, r->momenta.rates);
}

bool run_see_z(Run *r, const Tape *tape, double *w, double t, const double *y) {
  Hybrid *h = r->h;
  bool ok = true;
  if (h->plan->stepwise) ok = stepwise_begin(h, t, y);
  else if (hybrid_varies(h)) hybrid_given(h, t, y);
  else return true;
  run_put_z(r, tape, w);
  if (h->plan->stepwise && r->p->held) run_put_z(r, r->p->held, r->hw); // the next solution starts from this one
  return ok;
}

void run_eval_at(Run *r, const Tape *tape, double *w, double t, const double *y) {
  double *var = tape_vars(tape, w);
  run_put_held(r, tape, w);
  if (r->h) {
    run_see_z(r, tape, w, t, y);
    run_put_z(r, tape, w);
  }
  var[0] = t;
  memcpy(var + 1, y, r->p->y.count * sizeof *y);
  tape_eval(tape, w);
}
