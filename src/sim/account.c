// Energy balance of a run: balance error after each of the first steps, then after every few steps.
//
// scale: the largest of what was stored, moved, left and entered; the balance error is relative to it.
#include "sim/account.h"

#include "sim/balls.h"
#include "sim/probe.h"

// Once a run is longer than this, not every step is looked at (Program.account_stride).
enum { all_steps = 128 };

// The energy is no number: the run stops there.
static void report_no_energy(Run *r, double t, const double *y) {
  const char *what = NULL;
  char at[number_text_size];
  number_print(t, at);
  Span place = probe_energy(r, t, y, &what);
  const char *ball = balls_lost(&r->p->s, y);
  if (ball) what = arena_printf(r->scratch, "the quaternion `%s` was set to length 0, which is no turn", ball);
  r->s->row_t = t;
  r->failure = (RunFailure){run_failed,
                            arena_printf(r->scratch, "stopped at t = %s: the energy has no finite value%s%s", at,
                                         what ? ": " : "", what ? what : ""),
                            place, NULL};
}

double account_residue(const Run *r, double stored, const double *y) {
  const SystemEnergy *e = &r->p->s.energy;
  double sum = stored;
  for (uint32_t i = 0; i < e->flows.count; i++) sum += e->flows.items[i].sign * y[r->p->y.count + i];
  return sum - r->s->initial;
}

bool account_take(Run *r, double t, const double *y) {
  const Tape *account = r->p->account;
  RunState *s = r->s;
  if (!account) return true;
  run_eval_at(r, account, r->aw, t, y);
  double stored = tape_result(account, r->aw, 0), kinetic = tape_result(account, r->aw, 1);
  const double *flows = y + r->p->y.count;
  if (!isfinite(stored)) {
    report_no_energy(r, t, y);
    return false;
  }
  if (!s->opened) {
    s->opened = true;
    s->initial = stored;
  }
  s->damped += fabs(flows[flow_dissipated] - s->last_dissipated);
  s->last_dissipated = flows[flow_dissipated];
  double residue = account_residue(r, stored, y);
  // without kinetic energy, a thousandth of what is stored is the scale
  double sizes[] = {fabs(stored - s->initial), fabs(kinetic), 1e-3 * fabs(stored)};
  for (int i = 0; i < 3; i++) s->scale = sizes[i] > s->scale ? sizes[i] : s->scale;
  for (uint32_t i = 0; i < r->p->s.energy.flows.count; i++)
    s->scale = fabs(flows[i]) > s->scale ? fabs(flows[i]) : s->scale;
  if (!(fabs(residue) <= fabs(s->worst))) {
    s->worst = residue;
    s->worst_t = t;
  }
  return true;
}

bool account_is_due(const Run *r, uint64_t steps) {
  return r->p->account && (steps <= all_steps || steps % r->p->account_stride == 0);
}

// ---- what is to be said at the end

// How much of the energy moved may be missing: far more than a method leaves of its tolerance in long runs.
static double most_residue(const Settled *s) { return s->fixed ? 1e-2 : fmin(1e-2, fmax(1e3 * s->rtol, 1e-10)); }

static void warn_residue(const Run *r, const OdeResult *o, double relative, Diags *diags) {
  char at[number_text_size] = "";
  if (isfinite(r->s->worst_t)) number_print(r->s->worst_t, at); // of a run that went on it may lie before
  diag_warning(diags, diag_large_residue, (Span){0},
               "the energy account does not close: %.2g of the energy moved is missing or too much%s%s", relative,
               *at ? ", most of all at t = " : "", at);
  if (r->p->settled.fixed)
    diag_hint(diags, "the step is too large for this motion: take a smaller `--step`, or `--method auto`");
  else if (o->roundoff_over_tol > 10)
    diag_hint(diags, "rounding hides `%s`: a difference of large numbers is taken; measure places from nearby",
              r->p->y.items[o->roundoff_component].name);
  else
    diag_hint(diags, "take a smaller `--rtol`, or another `--method`; if that does not help, forces or energies of "
                     "the model are at odds");
}

// A damper may drive now and then (van der Pol); one that gives more than half of all that it moves is wrong.
static void warn_damping(const Run *r, Diags *diags) {
  const System *m = &r->p->s;
  double dissipated = r->last[r->p->y.count + flow_dissipated];
  if (!(dissipated < -1e-6 * r->s->scale && dissipated < -0.5 * r->s->damped)) return;
  Span place = {0};
  for (uint32_t i = 0; i < m->energies.count && !place.source; i++) {
    if (m->energies.items[i].kind == energy_dissipation) place = m->energies.items[i].span;
  }
  diag_warning(diags, diag_negative_damping, place, "the dampers gave %.3g to the motion instead of taking from it",
               -dissipated);
  diag_hint(diags, "a damping or friction is negative");
}

AccountVerdict account_close(const Run *r, const OdeResult *o, Diags *diags) {
  AccountVerdict v = {.relative = r->s->scale > 0 ? fabs(r->s->worst) / r->s->scale : 0};
  if (!r->p->account || !isfinite(r->s->worst)) return v;
  v.residue_large = v.relative > most_residue(&r->p->settled);
  if (v.residue_large) warn_residue(r, o, v.relative, diags);
  warn_damping(r, diags);
  return v;
}
