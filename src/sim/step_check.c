// Step halving: the first run keeps y at its rows. The second run restarts with half the step, and is compared row by
// row: the largest difference, its component, and that component's largest value.
#include "sim/step_check.h"

static bool keep(void *self, double t, const double *y) {
  StepCheck *c = self;
  if (!run_take_row(c->r, t, y)) return false;
  for (uint32_t i = 0; i < c->r->p->y.count; i++) vec_push(c->r->arena, &c->kept, y[i]);
  return true;
}

static bool after_step(void *self, double t, const double *y, uint64_t steps) {
  return run_after_step(((StepCheck *)self)->r, t, y, steps);
}

static void jump(void *self, double left, double right, double *y) {
  run_take_jump(((StepCheck *)self)->r, left, right, y);
}

static void span(void *self, double t0, double t1, OdeDense *dense, void *from) {
  run_take_span(((StepCheck *)self)->r, t0, t1, dense, from);
}

static void inside(void *self, double left, double right, const double *y) {
  run_watch_break(((StepCheck *)self)->r, left, right, y);
}

OdeObserver step_check_observer(StepCheck *c) {
  return (OdeObserver){c, keep, after_step, jump, run_span_taker(c->r) ? span : NULL, c->r->to.upright ? inside : NULL};
}

static bool compare(void *self, double t, const double *y) {
  StepCheck *c = self;
  uint32_t width = c->r->p->y.count;
  uint64_t at = c->row++ * width;
  for (uint32_t i = 0; i < width && at + i < c->kept.count; i++) {
    double d = fabs(y[i] - c->kept.items[at + i]);
    if (d <= c->difference) continue;
    c->difference = d;
    c->time = t;
    c->component = i + 1;
  }
  return true;
}

bool step_check_again(StepCheck *c) {
  Run *r = c->r;
  double to = r->ode.t1, largest = 0;
  run_listen(r, (RunListener){.quiet = true});
  if (!run_reset(r, NULL, NULL) || !run_aim(r, to)) return false;
  r->ode.step /= 2;
  if (run_begin(r) != action_go) return false;
  OdeResult o = run_go(r, &(OdeObserver){.self = c, .row = compare, .jump = jump});
  uint32_t width = r->p->y.count;
  for (uint32_t k = c->component ? c->component - 1 : c->kept.count; k < c->kept.count; k += width)
    largest = fmax(largest, fabs(c->kept.items[k]));
  c->relative = largest > 0 ? c->difference / largest : 0;
  return o.status == ode_done;
}
