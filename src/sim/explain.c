// Diagnosis of a run that stopped.
//
// The right-hand side is built once more with the source lines of its operations, and evaluated at the last state and a
// little further along its derivative: the first operation that makes a number not finite is named. Else the cause of
// the small steps is looked for: a mass that vanishes, a component that runs away, a rate that jumps, rounding, an
// error that no smaller step reduces.
#include "sim/explain.h"

#include "hybrid/results.h"
#include "sim/constrain.h"
#include "sim/inertia.h"
#include "sim/probe.h"
#include <string.h>

// Everything the text divides by, as the run has it; what a run cannot evaluate counts as 1.
static ExprId *divisors(Probe *p) {
  Run *r = p->r;
  const System *m = &r->p->s;
  ExprId *by = arena_array(r->scratch, (size_t)m->divisions.count + 1, sizeof *by);
  for (uint32_t i = 0; by && i < m->divisions.count; i++) {
    by[i] = probe_of(p, m->divisions.items[i].by);
    if (!by[i] || pool_node(&p->pool, by[i])->bound || expr_has_kind(&p->pool, by[i], sym_signal)) by[i] = p->pool.one;
  }
  return by;
}

// Did something that the text divides by pass through zero?
static bool explain_division(Probe *p, double t, const double *y, const double *dydt, const char *at) {
  Run *r = p->r;
  const System *m = &r->p->s;
  uint32_t n = m->divisions.count;
  const ExprId *by = divisors(p);
  double *w = NULL;
  const Tape *tape = n && by ? probe_tape(p, by, n, false, &w) : NULL;
  double *now = tape ? arena_array(r->scratch, n, sizeof *now) : NULL;
  if (!now) return false;
  double *var = tape_vars(tape, w), hop = 1e-9 * fabs(r->ode.t1);
  for (int round = 0; round < 2; round++) {
    var[0] = t + round * hop;
    for (uint32_t i = 0; i < r->p->y.count; i++) var[1 + i] = y[i] + round * hop * dydt[i];
    tape_eval(tape, w);
    for (uint32_t i = 0; i < n; i++) {
      double v = tape_result(tape, w, i);
      if (round && (v > 0) != (now[i] > 0)) {
        r->failure.message = arena_printf(r->scratch, "stopped at t = %s: division by zero", at);
        r->failure.place = m->divisions.items[i].span;
        return true;
      }
      now[i] = v;
    }
  }
  return false;
}

// ---- what kept the steps small

// The statement that the rate of component e comes from.
static Span place_of(const Run *r, uint32_t e) {
  const SimComponent *c = &r->p->y.items[e];
  const char *label = arena_printf(r->scratch, "the equation of %s", c->declared);
  for (uint32_t i = 0; label && i < r->p->s.origins.count; i++) {
    const Origin *o = &r->p->s.origins.items[i];
    if (o->label && strcmp(o->label, label) == 0) return o->span;
  }
  return c->span;
}

// Does the rate of component e grow with it? Along the trajectory, until it would be twice as large. Of what merely
// passes through zero it stays.
static bool feeds_itself(Run *r, double t, const double *y, const double *dydt, uint32_t e) {
  uint32_t n = r->p->y.total;
  double *z = arena_array(r->scratch, n, sizeof *z), *f = arena_array(r->scratch, n, sizeof *f);
  double hop = fabs(y[e] / dydt[e]);
  if (!z || !f) return false;
  for (uint32_t i = 0; i < n; i++) z[i] = i < r->p->y.count ? y[i] + hop * dydt[i] : y[i];
  return !run_right_side(r, t + hop, z, f) || fabs(f[e]) > 1.5 * fabs(dydt[e]);
}

// A component that runs away: it grows by its own size in no time, also beside the time since the start (what began at
// zero has had no more), and faster the larger it is.
static const char *runaway(Run *r, double t, const double *y, const double *dydt) {
  double span = r->ode.t1 - r->ode.t0;
  for (uint32_t e = 0; e < r->p->y.count; e++) {
    bool grows = y[e] * dydt[e] > 0 && fabs(y[e]) < fmin(1e-8 * span, 1e-3 * (t - r->ode.t0)) * fabs(dydt[e]);
    if (!grows || fabs(y[e]) < 1e3 * fabs(r->start[e]) || !feeds_itself(r, t, y, dydt, e)) continue;
    r->failure.place = place_of(r, e);
    return arena_printf(r->scratch, "`%s` grows beyond all bounds there (it is %.4g, its rate %.4g)",
                        r->p->y.items[e].name, y[e], dydt[e]);
  }
  return NULL;
}

// A rate that changes altogether where its component hardly does.
static const char *steep(Run *r, double t, const double *y, uint32_t e) {
  const double part = 1e-7;
  double *z = arena_array(r->scratch, r->p->y.total, sizeof *z), *f = arena_array(r->scratch, r->p->y.total, sizeof *f),
         rate[2];
  if (!z || !f) return NULL;
  for (int side = 0; side < 2; side++) {
    memcpy(z, y, (r->p->y.total) * sizeof *z);
    z[e] *= side ? 1 + part : 1 - part;
    if (!run_right_side(r, t, z, f)) return NULL;
    rate[side] = f[e];
  }
  if (!(fabs(rate[1] - rate[0]) >= 0.5 * (fabs(rate[0]) + fabs(rate[1]))) || rate[0] == rate[1]) return NULL;
  r->failure.place = place_of(r, e);
  return arena_printf(r->scratch,
                      "the rate of `%s` goes from %.4g to %.4g when it changes by a ten-millionth: that is a jump "
                      "(write `sign`), or very stiff",
                      r->p->y.items[e].name, rate[0], rate[1]);
}

static const char *singular(Run *r, double t, const double *y) {
  uint32_t row;
  const Block *b = inertia_singular(r, t, y, &row);
  if (!b) return NULL;
  const System *s = &r->p->s;
  const char *name = system_freedom_name(s, b->coords[row]);
  r->failure.place = system_freedom_span(s, b->coords[row]);
  if (b->count == 1) return arena_printf(r->scratch, "the inertia of `%s` vanishes there", name);
  const char *other = system_freedom_name(s, b->coords[row ? row - 1 : 1]);
  return arena_printf(r->scratch,
                      "the mass matrix is singular there: `%s` and `%s` are no longer two ways to move (as angles in "
                      "gimbal lock); take other coordinates",
                      other, name);
}

// The shortest delay, in words.
static const char *shortest_delay(Run *r) {
  const Hybrid *h = r->h;
  uint32_t least = 0;
  for (uint32_t i = 1; i < h->plan->delay_count; i++) {
    bool shorter = h->delays[i].time > 0 && (!(h->delays[least].time > 0) || h->delays[i].time < h->delays[least].time);
    if (shorter) least = i;
  }
  char text[number_text_size];
  number_print(h->delays[least].time, text);
  r->failure.place = r->p->s.delays.items[least].span;
  return arena_printf(r->scratch, "no step can be longer than the delay of %s", text);
}

// Why steps are small at t, y; NULL: not known.
static const char *reason(Run *r, const OdeResult *o, const double *y, const double *dydt) {
  const char *why = NULL;
  if (o->by_longest && r->h && r->h->plan->delay_count) return shortest_delay(r);
  if (o->steep) {
    r->failure.place = place_of(r, o->steep - 1);
    return arena_printf(r->scratch,
                        "the rate of `%s` jumps within the last digits of the state: it is steeper than numbers can "
                        "tell; make it flatter, or write `sign`",
                        r->p->y.items[o->steep - 1].name);
  }
  why = singular(r, o->t, y);
  if (!why && dydt) why = runaway(r, o->t, y, dydt);
  for (uint32_t e = 0; !why && dydt && e < r->p->y.count && e < 1000; e++) why = steep(r, o->t, y, e);
  if (!why && o->roundoff_over_tol > 10)
    why = arena_printf(r->scratch, "rounding hides `%s`: a difference of large numbers is taken",
                       r->p->y.items[o->roundoff_component].name);
  if (!why && o->held_by) {
    r->failure.place = place_of(r, o->held_by - 1);
    why = arena_printf(r->scratch, "the error of `%s` holds the steps: it is stiff, changes very fast, or jumps",
                       r->p->y.items[o->held_by - 1].name);
  }
  return why;
}

static void report_many_steps(Run *r, const OdeResult *o, const double *y, const double *dydt, const char *at) {
  const char *why = reason(r, o, y, dydt);
  unsigned long long done = (unsigned long long)o->steps + o->rejected;
  if (done >= r->ode.most_steps) {
    r->failure.message =
        arena_printf(r->scratch, "stopped at t = %s: %llu steps were not enough%s%s; `--most-steps` allows more", at,
                     done, why ? ": " : "", why ? why : "; the motion may be stiff");
    return;
  }
  r->failure.message =
      arena_printf(r->scratch,
                   "stopped at t = %s: %llu steps led only so far, and the rest would take about %.0e; %s; "
                   "`--most-steps` allows more",
                   at, done, o->needed, why ? why : "the motion may be stiff");
}

static void report_fault(Run *r, const TapeFault *fault, const char *at) {
  const char *operand = isnan(fault->operand) ? "" : arena_printf(r->scratch, " (%.3g)", fault->operand);
  r->failure.message = arena_printf(r->scratch, "stopped at t = %s: %s%s%s%s", at, fault->what, operand ? operand : "",
                                    fault->origin.label ? ", in " : "", fault->origin.label ? fault->origin.label : "");
  r->failure.place = fault->origin.span;
}

// The right-hand side once more, where every operation knows its line.
static const Tape *with_origins(Probe *p, double **w) {
  ResultList r = {.arena = p->r->scratch};
  result_put_rates(&r, &p->s);
  return arena_failed(p->r->scratch) ? NULL : probe_tape(p, r.list.items, r.list.count, true, w);
}

// The operation that fails at the last state, or a little further along its derivative.
static TapeFault find_fault(Run *r, const Tape *f, double *w, double t, const double *y, const double *dydt,
                            bool finite) {
  const Settled *s = &r->p->settled;
  double *var = tape_vars(f, w), span = r->ode.t1 - r->ode.t0, hop = finite ? 1e-12 * span : 0;
  double far = s->fixed ? fmax(20 * s->step, 1e-6 * span) : 1e-6 * span; // stages of a fixed step may lie far off
  TapeFault fault = {0};
  for (; !fault.found && hop <= far; hop *= 2) {
    var[0] = t + hop;
    for (uint32_t k = 0; k < r->p->y.count; k++) var[1 + k] = finite ? y[k] + hop * dydt[k] : y[k];
    fault = tape_diagnose(f, w);
    if (!finite) break;
  }
  return fault;
}

static void report_corner(Run *r, const SystemConstraint *corner, const char *at) {
  r->failure.message = arena_printf(r->scratch,
                                    "stopped at t = %s: the motion stops in a corner of this constraint; it "
                                    "has more than one tangent there, and what rests in it cannot be followed",
                                    at);
  r->failure.place = corner->span;
}

// The result is not finite: why, as far as the operations show it.
static void explain_numbers(Probe *p, const Tape *f, double *w, const OdeResult *o, const double *y, const double *dydt,
                            bool finite, const char *at) {
  Run *r = p->r;
  const SystemConstraint *corner = constraint_cornered(r, o->t);
  if (corner) {
    report_corner(r, corner, at);
    return;
  }
  TapeFault fault = find_fault(r, f, w, o->t, y, dydt, finite);
  if (!fault.found && finite && explain_division(p, o->t, y, dydt, at)) return;
  const SystemConstraint *lost = fault.found ? NULL : constraint_lost(r);
  const char *gimbal = !fault.found || strcmp(fault.what, "overflow") == 0 ? singular(r, o->t, y) : NULL;
  if (gimbal) {
    r->failure.message = arena_printf(r->scratch, "stopped at t = %s: %s", at, gimbal);
  } else if (fault.found) {
    report_fault(r, &fault, at);
  } else if (lost) {
    r->failure.message = arena_printf(r->scratch, "stopped at t = %s: the constraints cannot all hold any longer", at);
    r->failure.place = lost->span;
  } else if (o->status == ode_no_stages) {
    r->failure.message = arena_printf(
        r->scratch, "stopped at t = %s: the stages of the next step do not converge; take a smaller `--step`", at);
  } else {
    const char *why = reason(r, o, y, finite ? dydt : NULL),
               *what = r->p->settled.fixed ? "the next step leads to no finite value" : "the step size vanished";
    r->failure.message = arena_printf(r->scratch, "stopped at t = %s: %s; %s", at, what,
                                      why ? why : "the motion has a singularity there, or jumps");
  }
}

// Where the state itself is to be looked at.
static void explain_state(Run *r, const OdeResult *o, const double *y, const char *at) {
  Probe *p = probe_open(r);
  double *dydt = arena_array(r->scratch, r->p->y.total, sizeof *dydt), *w = NULL;
  const Tape *f = p && dydt ? with_origins(p, &w) : NULL;
  if (!f) {
    r->failure.status = run_no_memory;
    return;
  }
  if (r->h) run_spread_z(r);
  double t = ode_seen(r->ode.breaks.after_start, r->ode.t0, o->t);
  bool finite = run_rates(r, f, w, NULL, t, y, dydt); // interpreted, with origins
  if (o->status == ode_many_steps) {
    report_many_steps(r, o, y, finite ? dydt : NULL, at);
  } else if (o->status == ode_stuck) {
    const char *why = reason(r, o, y, finite ? dydt : NULL);
    const char *other = r->h ? "the motion chatters there (a `sign` or `if` that switches to and fro), or is very stiff"
                             : "it is very stiff there, or rounding holds them; take a larger `--rtol`, or another "
                               "`--method`";
    r->failure.message =
        arena_printf(r->scratch, "stopped at t = %s: thousands of steps do not get on; %s", at, why ? why : other);
  } else {
    explain_numbers(p, f, w, o, y, dydt, finite, at);
  }
}

void explain_end(Run *r, const OdeResult *o, const double *y) {
  char at[number_text_size];
  number_print(o->t, at);
  r->failure.status = run_failed;
  // by a bound, not by the machine
  bool refused = o->status == ode_no_memory && r->h && r->h->failure && !arena_failed(r->arena);
  bool inside = o->status == ode_not_finite && r->h && r->p->events->stepwise && r->h->failure; // at an evaluation
  if (o->status == ode_no_memory && !refused) {
    r->failure.status = run_no_memory;
  } else if (o->status == ode_event || refused || inside) {
    r->failure.message = r->h->failure;
    r->failure.place = r->h->failure_place;
  } else if (o->status == ode_no_module) {
    r->failure.message =
        "the method `bdf` needs libviva-solvers.so beside the library, and SUNDIALS 6.4; `rodas` needs neither";
  } else if (o->status == ode_too_dense) {
    r->failure.message = arena_printf(
        r->scratch,
        "`rodas` is for at most %d components of a motion in which most depend on most, and this model has %u: take "
        "`bdf` or `auto`",
        ode_most_dense, r->p->y.count);
  } else {
    explain_state(r, o, y, at);
  }
}
