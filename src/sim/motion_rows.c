// Output rows of a run. A part of motion.h.
//
// A row is evaluated by its own tape: columns, then energies. It goes to the sink, and to the pictures; an output
// without a value ends the run. The energy balance begins at the first row. The integrator gives a row at the start and
// at the end in any case, for the energy balance and the final values; the sink gets them where they are requested.
#include "sim/account.h"

#include <string.h>

// False: r->h->failure.
static bool eval_rows(Run *r, double t, const double *y) {
  const Tape *rows = r->p->rows;
  bool known = !r->h || run_see_z(r, rows, r->rw, t, y);
  double *var = tape_vars(rows, r->rw);
  var[0] = t;
  memcpy(var + 1, y, r->p->y.total * sizeof *y);
  tape_eval(rows, r->rw);
  return known;
}

static bool report_unknown(Run *r, double t) {
  r->s->row_t = t;
  r->failure = (RunFailure){run_failed, r->h->failure, r->h->failure_place, NULL};
  return false;
}

// A row at the moment of a jump shows what is after it, also where that begins with the next double: the modes there
// are those behind t > 0.5, and so is what depends on time alone.
static double after_breaks(const Run *r, double t) {
  const OdeBreaks *b = &r->ode.breaks;
  uint32_t low = 0, high = b->count; // breaks up to t
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (b->times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return ode_at_break(b, &low, t) ? ode_pass_break(b, &low) : t;
}

bool run_report_undefined(Run *r, double t) {
  const System *m = &r->p->s;
  const Tape *rows = r->p->rows;
  for (uint32_t i = 0; i < r->p->columns.outputs; i++) {
    double value = tape_result(rows, r->rw, i);
    if (isfinite(value)) continue;
    TapeFault fault = tape_diagnose(rows, r->rw);
    const char *name = m->outputs.items[i].name;
    char at[number_text_size], operand[32] = "";
    number_print(t, at);
    if (!isnan(fault.operand)) number_format(operand, sizeof operand, " (%.3g)", fault.operand);
    const char *message = fault.found ? arena_printf(r->scratch, "stopped at t = %s: %s%s, in the output %s", at,
                                                     fault.what, operand, name)
                                      : arena_printf(r->scratch, "stopped at t = %s: the output %s is %s", at, name,
                                                     isnan(value) ? "not a number" : "infinite");
    r->s->row_t = t;
    r->failure = (RunFailure){run_failed, message, m->outputs.items[i].span, NULL};
    return true;
  }
  return false;
}

// kinetic, potential, stored, dissipated, supplied, balance error. The rows must be evaluated.
static void put_energies(const Run *r, const double *y, double energies[6]) {
  const double *flows = y + r->p->y.count;
  for (uint32_t i = 0; i < 3; i++) energies[i] = tape_result(r->p->rows, r->rw, r->p->columns.energy_at + i);
  energies[3] = flows[flow_dissipated];
  energies[4] = flows[flow_supplied];
  energies[5] = account_residue(r, energies[2], y);
}

// The row of the pictures. The rows must be evaluated.
static bool send_watched(Run *r, double t, const double *y, bool between) {
  const Sink *watcher = r->to.watcher;
  const Columns *c = &r->p->columns;
  if (!watcher || !watcher->row) return true;
  double *row = r->row, *energies = row + 1 + c->watch_count;
  row[0] = t;
  for (uint32_t i = 0; i < c->watch_count; i++) row[1 + i] = tape_result(r->p->rows, r->rw, c->watch_at + i);
  put_energies(r, y, energies);
  for (uint32_t i = 0; !r->p->s.energy.kept && i < 6; i++) energies[i] = NAN;
  bool (*send)(void *, const double *, size_t) = between && watcher->between ? watcher->between : watcher->row;
  return send(watcher->self, row, (size_t)c->watch_count + 7);
}

static void watch(Run *r, double t, const double *y) {
  if (!r->to.upright) return;
  eval_rows(r, t, y);
  send_watched(r, t, y, true);
}

void run_watch(void *self, double t, const double *y) { watch(self, t, y); }

void run_watch_break(void *self, double left, double right, const double *y) {
  watch(self, left, y);
  watch(self, right, y);
}

// ---- inside of steps

// What is shown may jump where no event is located, because no state depends on it. The jump is where an
// interval whose ends differ stays as high while it is halved; a steep continuous piece does not.
typedef struct WatchStep {
  Run *r;
  double t0, t1;
  OdeDense *dense;
  void *from;
  uint32_t column; // of the watched
  uint32_t found;
} WatchStep;

enum { watch_parts = 16, most_found = 1000, deepest_watch = 12 }; // points and jumps of a step, jumps beside each other

// The state inside of a step, in the memory behind that of a row.
static double *inner_state(const Run *r) { return r->row + r->p->columns.count + r->p->columns.watch_count + 8; }

static void see_at(const WatchStep *x, double t) {
  Run *r = x->r;
  x->dense(x->from, (t - x->t0) / (x->t1 - x->t0), inner_state(r));
  eval_rows(r, t, inner_state(r));
}

static double shown_at(const WatchStep *x, double t) {
  see_at(x, t);
  return tape_result(x->r->p->rows, x->r->rw, x->r->p->columns.watch_at + x->column);
}

static void send_at(const WatchStep *x, double t) {
  see_at(x, t);
  send_watched(x->r, t, inner_state(x->r), true);
}

static void find_jumps(WatchStep *x, double a, double at_a, double b, double at_b, int depth) {
  enum { trial = 8 };                // halvings after which a steep piece is distinguished from a jump
  static const double steady = 0.25; // part of the height that a jump keeps
  double lo = a, hi = b, low = at_a, high = at_b, height = fabs(at_b - at_a);
  if (!(height > 0) || depth > deepest_watch || x->found >= most_found) return;
  for (int i = 0;; i++) {
    double middle = lo + (hi - lo) / 2;
    if (i == trial && !(fabs(high - low) > steady * height)) return;
    if (!(middle > lo && middle < hi)) break;
    double value = shown_at(x, middle);
    if (fabs(value - low) > fabs(high - value)) hi = middle, high = value;
    else lo = middle, low = value;
  }
  if (!(fabs(high - low) > steady * height)) return;
  x->found++;
  find_jumps(x, a, at_a, lo, low, depth + 1);
  send_at(x, lo);
  send_at(x, hi);
  find_jumps(x, hi, high, b, at_b, depth + 1);
}

// Rows for pictures inside of a step that is about to end: both limits of jumps, and points along a path in a plane.
void run_watch_step(Run *r, double t0, double t1, OdeDense *dense, void *from) {
  const Columns *c = &r->p->columns;
  WatchStep step = {r, t0, t1, dense, from, 0, 0}, *x = &step;
  double h = t1 - t0;
  for (int k = 1; r->to.paths && k < watch_parts; k++) send_at(x, t0 + h * k / watch_parts);
  for (x->column = 0; r->to.upright && c->any_jumps && x->column < c->watch_count; x->column++) {
    if (!c->watch_jumps[x->column]) continue;
    double before = t0, at_before = shown_at(x, t0);
    for (int k = 1; k <= watch_parts; k++) {
      double t = k < watch_parts ? t0 + h * k / watch_parts : t1, value = shown_at(x, t);
      find_jumps(x, before, at_before, t, value, 0);
      before = t;
      at_before = value;
    }
  }
}

static bool send_row(Run *r, double t, const double *y) {
  const Sink *sink = r->to.sink;
  uint32_t count = 1 + r->p->columns.shown;
  if (!sink || !sink->row) return true;
  r->row[0] = t;
  memcpy(r->row + 1, r->values, r->p->columns.shown * sizeof *r->row);
  if (r->to.energy) {
    put_energies(r, y, r->row + count);
    count += 6;
  }
  return sink->row(sink->self, r->row, count);
}

// Is this row for the sink? A time of a list comes once, also where a segment ends and the next begins.
static bool is_asked(const Run *r, double t) {
  if (!r->ode.times) return true;
  return ode_is_asked(&r->ode, t) && !(r->s->rows && r->s->row_t == t);
}

bool run_take_row(void *self, double t, const double *y) {
  Run *r = self;
  RunState *s = r->s;
  const Columns *c = &r->p->columns;
  bool asked = is_asked(r, t);
  if (!eval_rows(r, after_breaks(r, t), y)) return report_unknown(r, t);
  if (run_report_undefined(r, t)) return false;
  if (r->p->s.energy.kept && !s->opened && !account_take(r, t, y)) return false;
  double stored = tape_result(r->p->rows, r->rw, c->energy_at + 2);
  for (uint32_t i = 0; i < c->count; i++) r->values[i] = tape_result(r->p->rows, r->rw, i);
  s->stored = stored;
  s->final_residue = account_residue(r, stored, y);
  memcpy(r->last, y, r->p->y.total * sizeof *y);
  s->row_t = t;
  if (!asked) return true;
  s->rows++;
  if (s->rows % 256 == 0 && run_is_interrupted(r)) return false; // a step may hold millions of rows
  if (send_row(r, t, y) && send_watched(r, t, y, false)) return true;
  r->failure.status = run_sink_failed;
  return false;
}

double run_stored(void *self, double t, const double *y) {
  Run *r = self;
  if (!r->p->s.energy.kept) return 0;
  eval_rows(r, t, y);
  return tape_result(r->p->rows, r->rw, r->p->columns.energy_at + 2);
}

// What an input that jumps inside a spring adds to the stored energy was supplied by it; so was what a constraint adds
// that begins to move all at once.
void run_take_jump(void *self, double left, double right, double *y) {
  Run *r = self;
  double before = run_stored(r, left, y);
  watch(r, left, y);
  if (r->p->constraints) constraint_impulse(r, right, y);
  if (r->p->s.energy.kept) y[r->p->y.count + flow_supplied] += run_stored(r, right, y) - before;
  // with events the modes change first (happen.c)
  if (!r->h || r->p->events->stepwise) watch(r, right, y);
}

bool run_after_step(void *self, double t, const double *y, uint64_t steps) {
  Run *r = self;
  double *recent = run_recent(r);
  if (recent) conserved_follow(r->p->conserved, t > r->ode.t0 + 0.9 * (r->ode.t1 - r->ode.t0), y, recent);
  if (account_is_due(r, steps) && !account_take(r, t, y)) return false;
  if (r->choose && r->choose(r, t, steps)) return false;
  // a step of a large model can take seconds, one of a small model less than the questions
  if (r->p->y.count < 16 && steps % 16) return true;
  if (steps % 256 == 0 && r->to.progress) r->to.progress(r->to.self, t, r->ode.t1);
  return !run_is_interrupted(r);
}

bool run_send_header(Run *r) {
  static const char *const energy[] = {"energy.kinetic",    "energy.potential", "energy.stored",
                                       "energy.dissipated", "energy.supplied",  "energy.residue"};
  const Sink *sink = r->to.sink;
  uint32_t shown = r->p->columns.shown, count = 0;
  if (!sink || !sink->header) return true;
  const char **names = arena_array(r->arena, (size_t)shown + 8, sizeof *names);
  if (!names) return false;
  names[count++] = "t";
  for (uint32_t i = 0; i < shown; i++) names[count++] = r->p->columns.names[i];
  for (uint32_t i = 0; r->to.energy && i < 6; i++) names[count++] = energy[i];
  if (sink->header(sink->self, names, count)) return true;
  r->failure.status = run_sink_failed;
  return false;
}
