// Rows of a run.
#include "sim/runner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Half the step: compares with the kept rows of the first run.
static void compare_row(Runner *x, double t, const double *y) {
  uint32_t width = x->dim;
  uint64_t at = x->row_index * width;
  for (uint32_t i = 0; i < width && at + i < x->kept.count; i++) {
    double d = fabs(y[i] - x->kept.items[at + i]);
    if (d <= x->r->difference) continue;
    x->r->difference = d;
    x->r->difference_time = t;
    bool coord = i < x->n, velocity = i < 2 * x->n;
    SymbolId s = coord      ? x->m->coords.items[i].q
                 : velocity ? x->m->coords.items[i - x->n].v
                            : x->m->states.items[i - 2 * x->n].x;
    x->r->difference_name = pool_symbol_get(&x->pool, s)->name;
  }
}

// An output that has no value ends the run: which operation failed, in which line. True: it is told.
static bool tell_undefined(Runner *x, double t) {
  const System *m = x->m;
  for (uint32_t i = 0; i < m->outputs.count && i < x->column_count; i++) {
    if (isfinite(tape_result(x->rows, x->rw, i))) continue;
    double value = tape_result(x->rows, x->rw, i);
    TapeFault fault = tape_diagnose(x->rows, x->rw);
    char at[number_text_size];
    number_print(t, at);
    x->r->t = t;
    x->r->status = run_failed;
    const char *name = m->outputs.items[i].name;
    char operand[32] = "";
    if (!isnan(fault.operand)) number_format(operand, sizeof operand, " (%.3g)", fault.operand);
    if (fault.found)
      x->r->message =
          arena_printf(x->arena, "stopped at t = %s: %s%s, in the output %s", at, fault.what, operand, name);
    else
      x->r->message = arena_printf(x->arena, "stopped at t = %s: the output %s is %s", at, name,
                                   isnan(value) ? "not a number" : "infinite");
    x->r->place = m->outputs.items[i].span;
    return true;
  }
  return false;
}

static void eval_rows(Runner *x, double t, const double *y) {
  if (x->h) run_see_modes(x, x->rows, x->rw, t, y);
  double *var = tape_vars(x->rows, x->rw);
  var[0] = t;
  memcpy(var + 1, y, (x->dim + 2) * sizeof *y);
  tape_eval(x->rows, x->rw);
}

// The row of the pictures. The rows must be evaluated.
static bool send_watched(Runner *x, double t, const double *y, bool between) {
  const Sink *watcher = x->settings->watcher;
  if (!watcher || !watcher->row) return true;
  uint32_t count = x->settings->watch_count, e = x->energy_at;
  double kinetic = tape_result(x->rows, x->rw, e), potential = tape_result(x->rows, x->rw, e + 1),
         stored = tape_result(x->rows, x->rw, e + 2);
  const double more[6] = {kinetic,   potential,     stored,
                          y[x->dim], y[x->dim + 1], stored + y[x->dim] - y[x->dim + 1] - x->initial};
  x->row[0] = t;
  for (uint32_t i = 0; i < count; i++) x->row[1 + i] = tape_result(x->rows, x->rw, x->watch_at + i);
  for (uint32_t i = 0; i < 6; i++) x->row[1 + count + i] = x->s.energy.kept ? more[i] : NAN;
  bool (*send)(void *, const double *, size_t) = between && watcher->between ? watcher->between : watcher->row;
  return send(watcher->self, x->row, (size_t)count + 7);
}

void run_watch(void *self, double t, const double *y) {
  Runner *x = self;
  if (x->compare) return;
  eval_rows(x, t, y);
  send_watched(x, t, y, true);
}

bool run_take_row(void *self, double t, const double *y) {
  Runner *x = self;
  if (x->compare) {
    compare_row(x, t, y);
    x->row_index++;
    return true;
  }
  eval_rows(x, t, y);
  if (tell_undefined(x, t)) return false;
  double *row = x->row;
  row[0] = t;
  for (uint32_t i = 0; i < x->column_count; i++) row[1 + i] = tape_result(x->rows, x->rw, i);
  uint32_t shown = 1 + x->shown;
  double kinetic = tape_result(x->rows, x->rw, x->energy_at), potential = tape_result(x->rows, x->rw, x->energy_at + 1);
  double stored = tape_result(x->rows, x->rw, x->energy_at + 2);
  if (x->s.energy.kept && !x->first && !run_account(x, t, y)) return false;
  x->r->final_residue = stored + y[x->dim] - y[x->dim + 1] - x->initial;
  x->r->stored = stored;
  x->r->dissipated = y[x->dim];
  x->r->supplied = y[x->dim + 1];
  memcpy(x->r->values, row + 1, x->column_count * sizeof *row);
  if (x->keep) {
    for (uint32_t i = 0; i < x->dim; i++) vec_push(x->arena, &x->kept, y[i]);
  }
  x->r->rows++;
  x->r->t = t;
  if (x->r->rows % 256 == 0 && run_is_interrupted(x)) return false; // a step may hold millions of rows
  const double more[6] = {kinetic,   potential,     stored,
                          y[x->dim], y[x->dim + 1], stored + y[x->dim] - y[x->dim + 1] - x->initial};
  bool ok = true;
  if (x->sink && x->sink->row) {
    if (x->settings->energy) {
      memcpy(row + shown, more, sizeof more);
      shown += 6;
    }
    ok = x->sink->row(x->sink->self, row, shown);
  }
  ok = ok && send_watched(x, t, y, false);
  if (!ok) x->r->status = run_sink_failed;
  return ok;
}

double run_stored(Runner *x, double t, const double *y) {
  if (x->h) run_see_modes(x, x->rows, x->rw, t, y);
  double *var = tape_vars(x->rows, x->rw);
  var[0] = t;
  memcpy(var + 1, y, (x->dim + 2) * sizeof *y);
  tape_eval(x->rows, x->rw);
  return tape_result(x->rows, x->rw, x->energy_at + 2);
}

// What an input that jumps inside a spring adds to the stored energy was supplied by it.
void run_take_jump(void *self, double left, double right, double *y) {
  Runner *x = self;
  if (x->s.energy.kept) y[x->dim + 1] += run_stored(x, right, y) - run_stored(x, left, y);
}

bool run_is_interrupted(Runner *x) {
  if (x->r->status == run_interrupted) return true;
  if (!x->settings->interrupted || !x->settings->interrupted(x->settings->self)) return false;
  x->r->status = run_interrupted;
  return true;
}

bool run_after_step(void *self, double t, const double *y, uint64_t steps) {
  Runner *x = self;
  if (run_account_due(x, steps) && !run_account(x, t, y)) return false;
  // a step of a large model can take seconds, one of a small model less than the questions
  if (x->dim < 16 && steps % 16) return true;
  if (steps % 256 == 0 && x->settings->progress) x->settings->progress(x->settings->self, t, x->r->to);
  return !run_is_interrupted(x);
}

bool run_send_header(Runner *x) {
  static const char *const energy[] = {"energy.kinetic",    "energy.potential", "energy.stored",
                                       "energy.dissipated", "energy.supplied",  "energy.residue"};
  if (!x->sink || !x->sink->header) return true;
  const char **names = arena_array(x->arena, (size_t)x->shown + 8, sizeof *names);
  if (!names) return false;
  uint32_t count = 0;
  names[count++] = "t";
  for (uint32_t i = 0; i < x->shown; i++) names[count++] = x->columns[i];
  for (uint32_t i = 0; x->settings->energy && i < 6; i++) names[count++] = energy[i];
  if (x->sink->header(x->sink->self, names, count)) return true;
  x->r->status = run_sink_failed;
  return false;
}
