// Why a run stopped, in words: which operation failed and where, what kept the steps small.
#include "sim/runner.h"

#include <math.h>
#include <string.h>

// Did something that the text divides by pass through zero?
static bool explain_division(Runner *x, double t, const double *y, const double *dydt, const char *at) {
  const System *m = x->m;
  uint32_t n = m->divisions.count, k = 0;
  SymbolId *vars = arena_array(x->arena, (size_t)x->dim + x->s.held.count + 4, sizeof *vars);
  ExprId *by = arena_array(x->arena, (size_t)n + 1, sizeof *by);
  if (!vars || !by) return false;
  for (uint32_t i = 0; i < n; i++) by[i] = x->h ? hybrid_of(x->h, m->divisions.items[i].by) : m->divisions.items[i].by;
  for (uint32_t i = 0; i < n; i++) {
    if (!by[i] || (pool_node(&x->pool, by[i])->bound) || expr_has_kind(&x->pool, by[i], sym_signal))
      by[i] = x->pool.one;
  }
  k = run_put_held(x, vars, run_put_vars(x, vars));
  const Tape *tape = n ? tape_build(x->arena, &(TapeWish){.system = &x->s,
                                                          .vars = vars,
                                                          .var_count = k,
                                                          .held_count = x->s.held.count,
                                                          .results = by,
                                                          .result_count = n})
                       : NULL;
  double *w = tape ? arena_array(x->arena, tape->slot_count, sizeof *w) : NULL,
         *now = w ? arena_array(x->arena, n, sizeof *now) : NULL;
  if (!now) return false;
  memcpy(w, x->params, tape->param_count * sizeof *w);
  tape_prepare(tape, w);
  run_set_held(x, tape, w);
  double *var = tape_vars(tape, w), hop = 1e-9 * fabs(x->r->to);
  if (x->h && x->h->z_count) memcpy(var + tape->var_count - x->h->z_count, x->h->z, x->h->z_count * sizeof *w);
  for (int round = 0; round < 2; round++) {
    var[0] = t + round * hop;
    for (uint32_t i = 0; i < x->dim; i++) var[1 + i] = y[i] + round * hop * dydt[i];
    tape_eval(tape, w);
    for (uint32_t i = 0; i < n; i++) {
      double v = tape_result(tape, w, i);
      if (round && (v > 0) != (now[i] > 0)) {
        x->r->message = arena_printf(x->arena, "stopped at t = %s: division by zero", at);
        x->r->place = m->divisions.items[i].span;
        return true;
      }
      now[i] = v;
    }
  }
  return false;
}

// ---- what kept the steps small

// The statement that the rate of component e comes from.
static Span place_of(const Runner *x, uint32_t e) {
  const char *name = e < x->n       ? x->m->coords.items[e].name
                     : e < 2 * x->n ? x->m->coords.items[e - x->n].name
                                    : x->m->states.items[e - 2 * x->n].name;
  const char *label = arena_printf(x->arena, "the equation of %s", name);
  for (uint32_t i = 0; label && i < x->s.origins.count; i++) {
    const Origin *o = &x->s.origins.items[i];
    if (o->label && strcmp(o->label, label) == 0) return o->span;
  }
  return e < 2 * x->n ? x->m->coords.items[e % x->n].span : x->m->states.items[e - 2 * x->n].span;
}

// A component that runs away: it grows by its own size in no time.
static const char *runaway(Runner *x, const double *y, const double *dydt) {
  double span = x->r->to - x->t_start;
  for (uint32_t e = 0; e < x->dim; e++) {
    bool grows = y[e] * dydt[e] > 0 && fabs(y[e]) < 1e-8 * span * fabs(dydt[e]);
    if (!grows || fabs(y[e]) < 1e3 * fabs(x->start[e])) continue;
    x->r->place = place_of(x, e);
    return arena_printf(x->arena, "`%s` grows beyond all bounds there (it is %.4g, its rate %.4g)", run_component(x, e),
                        y[e], dydt[e]);
  }
  return NULL;
}

// A rate that changes altogether where its component hardly does.
static const char *steep(Runner *x, double t, const double *y, uint32_t e) {
  const double part = 1e-7;
  double *z = arena_array(x->arena, (size_t)x->dim + 2, sizeof *z),
         *f = arena_array(x->arena, (size_t)x->dim + 2, sizeof *f), rate[2];
  if (!z || !f) return NULL;
  for (int side = 0; side < 2; side++) {
    memcpy(z, y, ((size_t)x->dim + 2) * sizeof *z);
    z[e] *= side ? 1 + part : 1 - part;
    if (!run_right_side(x, t, z, f)) return NULL;
    rate[side] = f[e];
  }
  if (!(fabs(rate[1] - rate[0]) >= 0.5 * (fabs(rate[0]) + fabs(rate[1]))) || rate[0] == rate[1]) return NULL;
  x->r->place = place_of(x, e);
  return arena_printf(x->arena,
                      "the rate of `%s` goes from %.4g to %.4g when it changes by a ten-millionth: that is a jump "
                      "(write `sign`), or very stiff",
                      run_component(x, e), rate[0], rate[1]);
}

static const char *singular(Runner *x, double t, const double *y) {
  uint32_t row;
  const Block *b = run_singular_inertia(x, t, y, &row);
  if (!b) return NULL;
  const ModelCoord *c = &x->m->coords.items[b->coords[row]];
  x->r->place = c->span;
  if (b->count == 1) return arena_printf(x->arena, "the inertia of `%s` vanishes there", c->name);
  const char *other = x->m->coords.items[b->coords[row ? row - 1 : 1]].name;
  return arena_printf(x->arena,
                      "the mass matrix is singular there: `%s` and `%s` are no longer two ways to move (as angles in "
                      "gimbal lock); take other coordinates",
                      other, c->name);
}

// The shortest delay, in words.
static const char *shortest_delay(Runner *x) {
  const Hybrid *h = x->h;
  uint32_t least = 0;
  for (uint32_t i = 1; i < h->delay_count; i++) {
    bool shorter = h->delay_times[i] > 0 && (!(h->delay_times[least] > 0) || h->delay_times[i] < h->delay_times[least]);
    if (shorter) least = i;
  }
  char text[number_text_size];
  number_print(h->delay_times[least], text);
  x->r->place = x->m->delays.items[least].span;
  return arena_printf(x->arena, "no step can be longer than the delay of %s", text);
}

// Why steps are small at t, y; NULL: not known.
static const char *reason(Runner *x, const OdeResult *o, const double *y, const double *dydt) {
  const char *why = NULL;
  if (o->by_longest && x->h && x->h->delay_count) return shortest_delay(x);
  if (o->steep) {
    x->r->place = place_of(x, o->steep - 1);
    return arena_printf(x->arena,
                        "the rate of `%s` jumps within the last digits of the state: it is steeper than numbers can "
                        "tell; make it flatter, or write `sign`",
                        run_component(x, o->steep - 1));
  }
  why = singular(x, o->t, y);
  if (!why && dydt) why = runaway(x, y, dydt);
  for (uint32_t e = 0; !why && dydt && e < x->dim && e < 1000; e++) why = steep(x, o->t, y, e);
  if (!why && o->blur > 10)
    why = arena_printf(x->arena, "rounding hides `%s`: a difference of large numbers is taken",
                       run_component(x, o->blurred));
  if (!why && o->held_by) {
    x->r->place = place_of(x, o->held_by - 1);
    why = arena_printf(x->arena, "the error of `%s` holds the steps: it is stiff, changes very fast, or jumps",
                       run_component(x, o->held_by - 1));
  }
  return why;
}

static void tell_many_steps(Runner *x, const OdeResult *o, const double *y, const double *dydt, const char *at) {
  const char *why = reason(x, o, y, dydt);
  unsigned long long done = (unsigned long long)o->steps + o->rejected;
  if (done >= x->most_steps) {
    x->r->message =
        arena_printf(x->arena, "stopped at t = %s: %llu steps were not enough%s%s; `--most-steps` allows more", at,
                     done, why ? ": " : "", why ? why : "; the motion may be stiff");
    return;
  }
  x->r->message = arena_printf(x->arena,
                               "stopped at t = %s: %llu steps led only so far, and the rest would take about %.0e; %s; "
                               "`--most-steps` allows more",
                               at, done, o->needed, why ? why : "the motion may be stiff");
}

static void tell_fault(Runner *x, const TapeFault *fault, const char *at) {
  const char *operand = isnan(fault->operand) ? "" : arena_printf(x->arena, " (%.3g)", fault->operand);
  x->r->message = arena_printf(x->arena, "stopped at t = %s: %s%s%s%s", at, fault->what, operand ? operand : "",
                               fault->origin.label ? ", in " : "", fault->origin.label ? fault->origin.label : "");
  x->r->place = fault->origin.span;
}

// The operation that fails at the last state, or a little further along its motion.
static TapeFault find_fault(Runner *x, double t, const double *y, const double *dydt, bool finite) {
  double *var = tape_vars(x->f, x->fw), span = x->r->to - x->t_start, hop = finite ? 1e-12 * span : 0;
  double far = x->r->fixed ? fmax(20 * x->r->step, 1e-6 * span) : 1e-6 * span; // stages of a fixed step may lie far off
  TapeFault fault = {0};
  for (; !fault.found && hop <= far; hop *= 2) {
    var[0] = t + hop;
    for (uint32_t k = 0; k < x->dim; k++) var[1 + k] = finite ? y[k] + hop * dydt[k] : y[k];
    fault = tape_diagnose(x->f, x->fw);
    if (!finite) break;
  }
  return fault;
}

void run_explain(Runner *x, const OdeResult *o, const double *y) {
  RunResult *r = x->r;
  char at[number_text_size];
  number_print(o->t, at);
  r->status = run_failed;
  bool refused =
      o->status == ode_no_memory && x->h && x->h->failure && !arena_failed(x->arena); // by a bound, not by the machine
  if (o->status == ode_no_memory && !refused) {
    r->status = run_no_memory;
    return;
  }
  if (o->status == ode_event || refused) {
    r->message = x->h->failure;
    r->place = x->h->failure_place;
    return;
  }
  if (o->status == ode_no_module) {
    r->message =
        "the method `bdf` needs libviva-solvers.so beside the library, and SUNDIALS 6.4; `rodas` needs neither";
    return;
  }
  if (o->status == ode_too_dense) {
    r->message = arena_printf(x->arena,
                              "`rodas` is for at most %d components of a motion in which most depend on most, and this "
                              "model has %u: take `bdf` or `auto`",
                              ode_most_dense, x->dim);
    return;
  }
  // interpreted, with origins
  x->code.native = NULL;
  x->code.next = UINT64_MAX;
  double *dydt = arena_array(x->arena, (size_t)x->dim + 2, sizeof *dydt);
  if (!dydt || !run_build_f(x, true)) {
    r->status = run_no_memory;
    return;
  }
  if (x->h) run_new_modes(x);
  bool finite = run_right_side(x, o->t, y, dydt);
  if (o->status == ode_many_steps) {
    tell_many_steps(x, o, y, finite ? dydt : NULL, at);
    return;
  }
  if (o->status == ode_stuck) {
    const char *why = reason(x, o, y, finite ? dydt : NULL);
    r->message = arena_printf(
        x->arena, "stopped at t = %s: thousands of steps do not get on; %s", at,
        why ? why : "the motion chatters there (a `sign` or `if` that switches to and fro), or is very stiff");
    return;
  }
  TapeFault fault = find_fault(x, o->t, y, dydt, finite);
  if (!fault.found && finite && explain_division(x, o->t, y, dydt, at)) return;
  const char *gimbal = !fault.found || strcmp(fault.what, "overflow") == 0 ? singular(x, o->t, y) : NULL;
  if (gimbal) {
    r->message = arena_printf(x->arena, "stopped at t = %s: %s", at, gimbal);
  } else if (fault.found) {
    tell_fault(x, &fault, at);
  } else {
    const char *why = reason(x, o, y, finite ? dydt : NULL),
               *what = r->fixed ? "the next step leads to no finite value" : "the step size vanished";
    r->message = arena_printf(x->arena, "stopped at t = %s: %s; %s", at, what,
                              why ? why : "the motion has a singularity there, or jumps");
  }
}
