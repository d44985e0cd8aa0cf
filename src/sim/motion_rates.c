// Right-hand side and Jacobian of a run. A part of motion.h.
//
// The Jacobian is exact, by a tape that the program keeps. Delayed signals and values that hold vary with t and y
// beside the tapes: then all its entries are difference quotients.
#include "sim/motion.h"

#include "tape/interval.h"

#include <string.h>

// ---- the right-hand side

enum { large_step = 256 }; // components; a step of that many may take seconds

// Results of a tape into dydt; false: one is not finite.
static bool take_rates(const Tape *f, const double *w, double *dydt) {
  double sum = 0;
  for (uint32_t i = 0; i < f->output_count; i++) {
    double v = tape_result(f, w, i);
    dydt[i] = v;
    sum += v - v; // stays 0 unless something is not finite
  }
  return sum == 0;
}

// Inline: what stands between a method and its tape is paid at every evaluation.
#define INLINE static inline __attribute__((always_inline))

INLINE bool rates(Run *r, const Tape *f, double *w, const Native *native, double t, const double *y, double *dydt) {
  bool finite;
  if (r->h && !run_see_z(r, f, w, t, y)) return false;
  if (native) {
    finite = native_rates(native, t, y, dydt, w);
  } else {
    double *var = tape_vars(f, w);
    var[0] = t;
    memcpy(var + 1, y, r->p->y.count * sizeof *y);
    tape_eval(f, w);
    finite = take_rates(f, w, dydt);
  }
  if (!r->h) return finite;
  if (r->p->events->stepwise) stepwise_end(r->h, t, y);
  if (r->h->state->held_count) hybrid_rest(r->h, dydt);
  return finite;
}

// Counts an evaluation, and changes to native code where that pays.
static void count(Run *r, CodeState *c, NativeCode *n) {
  if (c->evaluations++ == c->next) program_compile(r->p, n, c, (CodeAsk){r->to.self, r->to.interrupted});
}

INLINE bool counted_rates(Run *r, const Tape *f, double *w, NativeCode *code, CodeState *state, double t,
                          const double *y, double *dydt) {
  if (r->p->y.count >= large_step && run_is_interrupted(r)) return false;
  count(r, state, code);
  t = ode_seen(r->ode.breaks.after_start, r->ode.t0, t);
  return rates(r, f, w, code_native(state, code), t, y, dydt);
}

bool run_rates(Run *r, const Tape *f, double *w, const Native *native, double t, const double *y, double *dydt) {
  return rates(r, f, w, native, t, y, dydt);
}

bool run_counted_rates(Run *r, const Tape *f, double *w, NativeCode *code, CodeState *state, double t, const double *y,
                       double *dydt) {
  return counted_rates(r, f, w, code, state, t, y, dydt);
}

bool run_right_side(void *self, double t, const double *y, double *dydt) {
  Run *r = self;
  if (r->p->s.dependent && r->p->constraints && ode_is_explicit(r->ode.method)) y = constraint_stage(r, t, y);
  return counted_rates(r, r->p->f, r->fw, &r->p->lazy->f, &r->s->code, t, y, dydt);
}

// ---- their rounding

// Sums are off by a few last digits of what is added, and t and y by off. Sticking friction and memories are left out.
bool run_rate_errors(void *self, double t, const double *y, const double *off, double *error) {
  enum { digits = 8 };
  Run *r = self;
  const Tape *f = r->p->f;
  if (r->h && r->p->events->stepwise) return false;
  if (!r->errors) r->errors = arena_array(r->arena, tape_rounding_room(f), sizeof *r->errors);
  if (!r->errors) return false;
  if (r->h) run_see_z(r, f, r->fw, t, y);
  double *var = tape_vars(f, r->fw);
  var[0] = ode_seen(r->ode.breaks.after_start, r->ode.t0, t);
  memcpy(var + 1, y, r->p->y.count * sizeof *y);
  tape_rounding_through(f, r->fw, digits, off, off ? 1 + r->p->events->body : 0, r->errors);
  for (uint32_t i = 0; i < r->p->y.count; i++) error[i] = tape_rounding_of(f, r->errors, i);
  return true;
}

bool run_rounding(void *self, double t, const double *y, double *error) {
  return run_rate_errors(self, t, y, NULL, error);
}

// ---- the Jacobian by its tape

// An entry without a finite value (derivative of a root at zero) counts as 0; the error estimate sees the difference.
static void eval_jacobian(void *self, double t, const double *y, double *entries) {
  Run *r = self;
  NativeCode *code = &r->p->lazy->jacobian;
  double *var = tape_vars(r->j->tape, r->jw);
  var[0] = ode_seen(r->ode.breaks.after_start, r->ode.t0, t);
  memcpy(var + 1, y, r->p->y.count * sizeof *y);
  count(r, &r->s->jacobian_code, code);
  code_eval(&r->s->jacobian_code, code, r->jw);
  for (uint32_t i = 0; i < r->j->count; i++) {
    double v = tape_result(r->j->tape, r->jw, i);
    entries[i] = isfinite(v) ? v : 0;
  }
}

// ---- by differences

// The size of component c for a difference: the largest so far, else from its rate, else that of its kind.
static double difference_size(const Run *r, uint32_t c, const double *f0, const double *sizes) {
  const Components *y = &r->p->y;
  if (sizes[c] > 0) return sizes[c];
  double size = fabs(f0[c]) * 1e-6 * (r->ode.t1 - r->ode.t0);
  for (uint32_t i = 0; size == 0 && i < y->count; i++) {
    if (y->items[i].kind == y->items[c].kind) size = fmax(size, 1e-3 * sizes[i]);
  }
  return size > 0 ? size : 1;
}

// In time forwards, on the side to which the run goes: not across the next jump or corner, nor beyond the history of a
// delay.
static double difference_time(const Run *r, double t, double d) {
  const OdeEvents *e = &r->h->events;
  const OdeBreaks *b = &r->ode.breaks;
  double next = e->next ? e->next(e->self, t) : INFINITY;
  for (uint32_t i = 0; i < b->count && b->times[i] < next; i++) {
    if (b->times[i] > t) next = b->times[i];
  }
  d = fmin(d, fmin(0.5 * (next - t), 0.5 * e->longest));
  return t + d > t ? t + d : t - 1.5e-8 * fabs(t);
}

static void eval_differences(void *self, double t, const double *y, double *entries) {
  Run *r = self;
  uint32_t m = r->p->y.count, n = r->p->y.total;
  double *z = r->differences, *f0 = z + n, *f1 = f0 + n, *sizes = f1 + n;
  memcpy(z, y, n * sizeof *z);
  run_right_side(r, t, y, f0);
  for (uint32_t c = 0; c < m; c++) sizes[c] = fmax(sizes[c], fabs(y[c]));
  for (uint32_t c = 0; c <= m; c++) {
    double size = c < m ? difference_size(r, c, f0, sizes) : fmax(fabs(t), 1e-3 * (r->ode.t1 - r->ode.t0)),
           d = 1.5e-8 * size;
    double at = c < m ? t : difference_time(r, t, d);
    if (c < m) z[c] += d;
    bool ok = run_right_side(r, at, z, f1);
    if (c < m) {
      d = z[c] - y[c];
      z[c] = y[c];
    } else {
      d = at - t;
    }
    for (uint32_t i = 0; i < n; i++) {
      double v = ok ? (f1[i] - f0[i]) / d : 0;
      entries[(size_t)c * n + i] = isfinite(v) ? v : 0;
    }
  }
}

// ---- made when it is first asked for

static bool asks_to_stop(void *self) { return run_is_interrupted(self); }

const OdeJacobian *run_jacobian(void *self) {
  Run *r = self;
  if (r->jacobian.start) return &r->jacobian;
  if (r->differences) {
    const OdeJacobian *full = program_full_jacobian(r->p);
    if (!full) return NULL;
    r->jacobian = *full;
    r->jacobian.eval = eval_differences;
    return &r->jacobian;
  }
  r->j = program_jacobian(r->p, (TapeAsk){r, asks_to_stop});
  r->jw = r->j ? arena_array(r->arena, r->j->tape->slot_count, sizeof *r->jw) : NULL;
  if (!r->jw) {
    r->j = NULL;
    return NULL;
  }
  run_prepare(r, r->j->tape, r->jw);
  code_choose(&r->s->jacobian_code, r->j->tape, r->p->settled.backend, NAN);
  r->jacobian = (OdeJacobian){r->j->start, r->j->row, r->j->count, eval_jacobian};
  if (r->h) run_spread_z(r);
  return &r->jacobian;
}
