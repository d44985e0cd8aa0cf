// The energy account of a run, and what is to be said of masses and dampers.
//
// residue = stored + dissipated - supplied - initial: zero but for the errors of the method. It is taken at the ends of steps,
// where the method promises its accuracy, not at rows, which lie anywhere and as close as somebody wants to see them.
#include "study/runner.h"

#include <math.h>
#include <string.h>

// So many evaluations of the right-hand side for one of the energies, once a run is longer than `all` steps: the account costs a
// few per cent of the motion at most.
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
static double *evaluate(Runner *x, ExprId *wanted, uint32_t count, double t, const double *y, const Tape **tape) {
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + x->s.held.count + 4, sizeof *vars);
  if (!vars) return NULL;
  uint32_t k = run_put_held(x, vars, run_put_vars(x, vars));
  for (uint32_t i = 0; x->h && i < count; i++) wanted[i] = hybrid_of(x->h, wanted[i]);
  TapeWish wish = {.system = &x->s, .vars = vars, .var_count = k, .held_count = x->s.held.count, .results = wanted, .result_count = count, .large = x->large};
  *tape = tape_build(x->arena, &wish);
  double *w = *tape ? run_workspace(x, *tape) : NULL;
  if (w) put_state(x, *tape, w, t, y);
  return w;
}

// The first statement of an energy that has no finite value.
static Span place_of_fault(Runner *x, double t, const double *y, const char **what) {
  const Model *m = x->m;
  ExprId *wanted = arena_array(x->arena, (size_t)m->energies.count + 1, sizeof *wanted);
  for (uint32_t i = 0; wanted && i < m->energies.count; i++) wanted[i] = m->energies.items[i].value;
  const Tape *tape = NULL;
  double *w = wanted ? evaluate(x, wanted, m->energies.count, t, y, &tape) : NULL;
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
  x->r->place = place_of_fault(x, t, y, &what);
  x->r->message = arena_printf(x->arena, "stopped at t = %s: the energy has no finite value%s%s", at, what ? ": " : "", what ? what : "");
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

bool run_account_due(const Runner *x, uint64_t steps) { return x->account && (steps <= all_steps || steps % x->stride == 0); }

// ---- masses

enum { most_checked = 200 }; // coordinates of a block whose matrix is looked at as a whole

// Is a symmetric matrix positive definite? Cholesky's factors, in place; *bad is the first row that fails.
static bool is_definite(double *m, uint32_t n, uint32_t *bad) {
  for (uint32_t j = 0; j < n; j++) {
    double d = m[j * n + j], size = fabs(d);
    for (uint32_t k = 0; k < j; k++) d -= m[j * n + k] * m[j * n + k];
    *bad = j;
    if (d < -1e-12 * size) return false;
    if (!(d > 0)) return true; // singular within rounding: others speak of that
    d = sqrt(d);
    m[j * n + j] = d;
    for (uint32_t i = j + 1; i < n; i++) {
      for (uint32_t k = 0; k < j; k++) m[i * n + j] -= m[i * n + k] * m[j * n + k];
      m[i * n + j] /= d;
    }
  }
  return true;
}

static const char *coord_name(const Runner *x, const Block *b, uint32_t i) { return x->m->coords.items[b->coords[i]].name; }

static bool is_inertia(const Block *b) { return b->coords && b->symmetric && !b->velocities && !b->implicit && b->count <= most_checked; }

// False: stopped.
static bool check_block(Runner *x, const Block *b, double *m, double t, const double *y, Diags *diags) {
  for (uint32_t i = 0; i < b->count; i++) {
    double own = m[i * b->count + i];
    const ModelCoord *c = &x->m->coords.items[b->coords[i]];
    if (!isfinite(own)) {
      const char *what = NULL;
      char at[number_text_size];
      number_print(t, at);
      x->r->status = run_failed;
      x->r->place = place_of_fault(x, t, y, &what);
      if (!x->r->place.source) x->r->place = c->span;
      x->r->message = arena_printf(x->arena, "stopped at t = %s: the inertia of `%s` is not finite%s%s", at, c->name, what ? ": " : "", what ? what : "");
      return false;
    }
    if (own >= 0) continue;
    diag_warning(diags, diag_negative_inertia, c->span, "the inertia of `%s` is negative at the start (%.6g): it moves against the forces on it", c->name, own);
    diag_hint(diags, "look for a sign in `kinetic`, or a parameter below zero");
    return true;
  }
  uint32_t bad = 0;
  if (is_definite(m, b->count, &bad)) return true;
  diag_warning(diags, diag_negative_inertia, x->m->coords.items[b->coords[bad]].span, "the mass matrix is indefinite at the start: some motion of `%s` and `%s` has negative kinetic energy", coord_name(x, b, bad ? bad - 1 : 0), coord_name(x, b, bad));
  diag_hint(diags, "look for a sign in `kinetic`, or a parameter below zero");
  return true;
}

bool run_check_inertia(Runner *x, double t, const double *y, Diags *diags) {
  size_t count = 0;
  for (uint32_t i = 0; i < x->s.blocks.count; i++) {
    const Block *b = &x->s.blocks.items[i];
    if (is_inertia(b)) count += (size_t)b->count * b->count;
  }
  if (!count) return true;
  ExprId *wanted = arena_array(x->arena, count, sizeof *wanted);
  double *values = arena_array(x->arena, count, sizeof *values);
  if (!wanted || !values) return true; // the run itself will tell
  count = 0;
  for (uint32_t i = 0; i < x->s.blocks.count; i++) {
    const Block *b = &x->s.blocks.items[i];
    for (uint32_t k = 0; is_inertia(b) && k < b->count * b->count; k++) wanted[count++] = b->matrix[k];
  }
  const Tape *tape = NULL;
  double *w = evaluate(x, wanted, (uint32_t)count, t, y, &tape), *m = values;
  for (uint32_t i = 0; w && i < count; i++) values[i] = tape_result(tape, w, i);
  for (uint32_t i = 0; w && i < x->s.blocks.count; i++) {
    const Block *b = &x->s.blocks.items[i];
    if (!is_inertia(b)) continue;
    if (!check_block(x, b, m, t, y, diags)) return false;
    m += (size_t)b->count * b->count;
  }
  return true;
}

// ---- what is to be said at the end

// How much of the energy moved may be missing: far more than a method leaves of its tolerance in long motions.
static double most_residue(const RunResult *r) { return r->fixed ? 1e-2 : fmin(1e-2, fmax(1e3 * r->rtol, 1e-10)); }

static const char *component_name(const Runner *x, uint32_t e) {
  SymbolId s = e < x->n ? x->m->coords.items[e].q : e < 2 * x->n ? x->m->coords.items[e - x->n].v : x->m->states.items[e - 2 * x->n].x;
  return pool_symbol_get(&x->pool, s)->name;
}

void run_warn_account(Runner *x, Diags *diags) {
  RunResult *r = x->r;
  const OdeResult *o = &r->ode;
  bool blurred = o->blur > 10;
  if (blurred) r->blurred = component_name(x, o->blurred);
  if (!x->account || !isfinite(r->residue)) return;
  char at[number_text_size];
  number_print(x->worst_t, at);
  if (r->relative > most_residue(r)) {
    r->residue_large = true;
    diag_warning(diags, diag_large_residue, (Span){0}, "the energy account does not close: %.2g of the energy moved is missing or too much, most of all at t = %s", r->relative, at);
    if (r->fixed) diag_hint(diags, "the step is too large for this motion: take a smaller `--step`, or `--method auto`");
    else if (blurred) diag_hint(diags, "rounding hides `%s`: a difference of large numbers is taken; measure places from nearby", r->blurred);
    else diag_hint(diags, "take a smaller `--rtol`, or another `--method`; if that does not help, forces or energies of the model are at odds");
  }
  if (r->dissipated < -1e-6 * x->scale) {
    Span place = {0};
    for (uint32_t i = 0; i < x->m->energies.count && !place.source; i++) {
      if (x->m->energies.items[i].kind == stmt_dissipation) place = x->m->energies.items[i].span;
    }
    diag_warning(diags, diag_negative_damping, place, "the dampers gave %.3g to the motion instead of taking from it", -r->dissipated);
    diag_hint(diags, "a damping or friction is negative");
  }
}
