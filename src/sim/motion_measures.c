// Measures of a run (measure_plan.h): each step is shown to the gauges before it is taken; at the end their formulas
// are evaluated. A part of motion.h.
#include "sim/motion.h"

#include <string.h>

static void eval_at(Run *r, double t, const double *y, double *out) {
  const MeasurePlan *m = r->p->measures;
  double *var = tape_vars(m->tape, r->measures.w);
  if (r->h) run_see_z(r, m->tape, r->measures.w, t, y);
  var[0] = t;
  memcpy(var + 1, y, r->p->y.total * sizeof *y);
  tape_eval(m->tape, r->measures.w);
  for (uint32_t i = 0; i < m->tape->output_count; i++) out[i] = tape_result(m->tape, r->measures.w, i);
}

// A step as it is shown.
typedef struct ShownStep {
  Run *r;
  double t0, t1;
  OdeDense *dense;
  void *from;
} ShownStep;

// Slightly before the end: a jump in time at the end belongs to the next step.
static void shown_at(void *self, double part, double *out) {
  const ShownStep *x = self;
  double t = part < 1 ? x->t0 + part * (x->t1 - x->t0) : nextafter(x->t1, x->t0);
  x->dense(x->from, part, x->r->measures.y);
  eval_at(x->r, ode_seen(x->r->ode.breaks.after_start, x->r->ode.t0, t), x->r->measures.y, out);
}

static bool measures_follow(const Run *r) { return r->p->measures && gauge_follows(&r->p->measures->gauges); }

// Do pictures look inside of steps?
static bool watches_steps(const Run *r) {
  bool stepwise = r->h && r->p->events->stepwise; // the states inside of these steps are no solution
  return r->to.watcher && !stepwise && (r->to.paths || (r->to.upright && r->p->columns.any_jumps));
}

void run_take_span(void *self, double t0, double t1, OdeDense *dense, void *from) {
  Run *r = self;
  ShownStep shown = {r, t0, t1, dense, from};
  GaugeStep step = {.t0 = t0, .t1 = t1, .self = &shown, .at = shown_at};
  if (measures_follow(r)) gauge_step(&r->p->measures->gauges, &r->measures.run, r->measures.room, &step);
  if (watches_steps(r)) run_watch_step(r, t0, t1, dense, from);
}

OdeSpan *run_span_taker(const Run *r) { return measures_follow(r) || watches_steps(r) ? run_take_span : NULL; }

const double *run_measures(Run *r, double t, const double *y) {
  const MeasurePlan *m = r->p->measures;
  MeasureRun *x = &r->measures;
  if (!m) return NULL;
  run_put_held(r, m->tape, x->w);
  if (r->h) run_put_z(r, m->tape, x->w);
  eval_at(r, t, y, x->row);
  gauge_end(&m->gauges, &x->run, t, x->row, x->gauges);
  measures_total(m, r->params, x->gauges, x->total, x->values);
  return x->values;
}
