// The energy account of a run.
//
// residue = stored + dissipated - supplied - initial: zero but for the errors of the method. It is taken at the ends of
// steps, where the method promises its accuracy, not at rows, which lie anywhere and as close as somebody wants to see
// them.
#include "sim/runner.h"

#include <math.h>
#include <string.h>

// So many evaluations of the right-hand side for one of the energies, once a run is longer than `all` steps: the
// account costs a few per cent of the motion at most.
enum { all_steps = 128, share = 32 };

bool run_build_account(Runner *x) {
  if (!x->s.energy.kept) return true;
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + x->s.held.count + 4, sizeof *vars);
  if (!vars) return false;
  uint32_t count = run_put_held(x, vars, run_put_vars(x, vars));
  const ExprId results[] = {x->s.energy.stored, x->s.energy.kinetic};
  x->account = tape_build(x->arena, &(TapeWish){
                                        .system = &x->s,
                                        .vars = vars,
                                        .var_count = count,
                                        .held_count = x->s.held.count,
                                        .results = results,
                                        .result_count = 2,
                                        .large = x->large,
                                    });
  x->account_w = x->account ? run_workspace(x, x->account) : NULL;
  uint32_t each = x->r->fixed ? (uint32_t)ode_order(x->method) : 12;
  x->stride = (share + each - 1) / each;
  return x->account_w != NULL;
}

static void put_state(Runner *x, const Tape *tape, double *w, double t, const double *y) {
  run_set_held(x, tape, w);
  if (x->h && x->h->z_count) {
    run_see_modes(x, tape, w, t, y);
    memcpy(tape_vars(tape, w) + tape->var_count - x->h->z_count, x->h->z, x->h->z_count * sizeof *w);
  }
  tape_vars(tape, w)[0] = t;
  memcpy(tape_vars(tape, w) + 1, y, x->dim * sizeof *y);
  tape_eval(tape, w);
}

// A program for further expressions, of the state alone. NULL: memory is out.
double *run_evaluate(Runner *x, ExprId *wanted, uint32_t count, double t, const double *y, const Tape **tape) {
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + x->s.held.count + 4, sizeof *vars);
  if (!vars) return NULL;
  uint32_t k = run_put_held(x, vars, run_put_vars(x, vars));
  for (uint32_t i = 0; x->h && i < count; i++) wanted[i] = hybrid_of(x->h, wanted[i]);
  TapeWish wish = {.system = &x->s,
                   .vars = vars,
                   .var_count = k,
                   .held_count = x->s.held.count,
                   .results = wanted,
                   .result_count = count,
                   .large = x->large};
  *tape = tape_build(x->arena, &wish);
  double *w = *tape ? run_workspace(x, *tape) : NULL;
  if (w) put_state(x, *tape, w, t, y);
  return w;
}

// The first statement of an energy that has no finite value.
Span run_place_of_energy(Runner *x, double t, const double *y, const char **what) {
  const System *m = x->m;
  ExprId *wanted = arena_array(x->arena, (size_t)m->energies.count + 1, sizeof *wanted);
  for (uint32_t i = 0; wanted && i < m->energies.count; i++) wanted[i] = m->energies.items[i].value;
  const Tape *tape = NULL;
  double *w = wanted ? run_evaluate(x, wanted, m->energies.count, t, y, &tape) : NULL;
  for (uint32_t i = 0; w && i < m->energies.count; i++) {
    if (isfinite(tape_result(tape, w, i))) continue;
    TapeFault fault = tape_diagnose(tape, w);
    if (fault.found) *what = fault.what;
    return m->energies.items[i].span;
  }
  return (Span){0};
}

// The energy is no number: the run stops there.
static void tell_no_energy(Runner *x, double t, const double *y) {
  const char *what = NULL;
  char at[number_text_size];
  number_print(t, at);
  x->r->status = run_failed;
  x->r->t = t;
  x->r->place = run_place_of_energy(x, t, y, &what);
  x->r->message = arena_printf(x->arena, "stopped at t = %s: the energy has no finite value%s%s", at, what ? ": " : "",
                               what ? what : "");
}

bool run_account(Runner *x, double t, const double *y) {
  if (!x->account || x->compare) return true;
  put_state(x, x->account, x->account_w, t, y);
  double stored = tape_result(x->account, x->account_w, 0), kinetic = tape_result(x->account, x->account_w, 1);
  double dissipated = y[x->dim], supplied = y[x->dim + 1];
  if (!isfinite(stored)) {
    tell_no_energy(x, t, y);
    return false;
  }
  if (!x->first) {
    x->first = true;
    x->initial = stored;
  }
  x->damped += fabs(dissipated - x->last_dissipated);
  x->last_dissipated = dissipated;
  double residue = stored + dissipated - supplied - x->initial;
  // where nothing moves, a thousandth of what is stored is the scale
  double sizes[] = {fabs(stored - x->initial), fabs(kinetic), fabs(dissipated), fabs(supplied), 1e-3 * fabs(stored)};
  for (int i = 0; i < 5; i++) x->scale = sizes[i] > x->scale ? sizes[i] : x->scale;
  if (!(fabs(residue) <= fabs(x->worst))) {
    x->worst = residue;
    x->worst_t = t;
  }
  return true;
}

bool run_account_due(const Runner *x, uint64_t steps) {
  return x->account && (steps <= all_steps || steps % x->stride == 0);
}

// ---- what is to be said at the end

// How much of the energy moved may be missing: far more than a method leaves of its tolerance in long motions.
static double most_residue(const RunResult *r) { return r->fixed ? 1e-2 : fmin(1e-2, fmax(1e3 * r->rtol, 1e-10)); }

const char *run_component(const Runner *x, uint32_t e) {
  SymbolId s = e < x->n       ? x->m->coords.items[e].q
               : e < 2 * x->n ? x->m->coords.items[e - x->n].v
                              : x->m->states.items[e - 2 * x->n].x;
  return pool_symbol_get(&x->pool, s)->name;
}

void run_warn_account(Runner *x, Diags *diags) {
  RunResult *r = x->r;
  const OdeResult *o = &r->ode;
  bool blurred = o->blur > 10;
  if (blurred) r->blurred = run_component(x, o->blurred);
  if (!x->account || !isfinite(r->residue)) return;
  char at[number_text_size] = "";
  if (isfinite(x->worst_t)) number_print(x->worst_t, at); // of a run that went on it may lie before
  if (r->relative > most_residue(r)) {
    r->residue_large = true;
    diag_warning(diags, diag_large_residue, (Span){0},
                 "the energy account does not close: %.2g of the energy moved is missing or too much%s%s", r->relative,
                 *at ? ", most of all at t = " : "", at);
    if (r->fixed)
      diag_hint(diags, "the step is too large for this motion: take a smaller `--step`, or `--method auto`");
    else if (blurred)
      diag_hint(diags, "rounding hides `%s`: a difference of large numbers is taken; measure places from nearby",
                r->blurred);
    else
      diag_hint(diags, "take a smaller `--rtol`, or another `--method`; if that does not help, forces or energies of "
                       "the model are at odds");
  }
  // a damper may drive now and then (van der Pol); one that gives more than half of all that it moves is wrong
  if (r->dissipated < -1e-6 * x->scale && r->dissipated < -0.5 * x->damped) {
    Span place = {0};
    for (uint32_t i = 0; i < x->m->energies.count && !place.source; i++) {
      if (x->m->energies.items[i].kind == energy_dissipation) place = x->m->energies.items[i].span;
    }
    diag_warning(diags, diag_negative_damping, place, "the dampers gave %.3g to the motion instead of taking from it",
                 -r->dissipated);
    diag_hint(diags, "a damping or friction is negative");
  }
}
