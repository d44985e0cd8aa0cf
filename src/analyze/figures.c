// Steady-state errors and other figures of an analysis.
//
// Errors at rest: with N poles at rest (s = 0, z = 1) and K = lim s^N L, a loop that is stable when closed keeps of a
// step 1/(1 + K) (N = 0) or 0, of a ramp 1/K (N = 1), of a parabola t^2/2 1/K (N = 2).
#include "analyze/figures.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What stays of a step, a ramp and a parabola.
static void find_errors(Analysis *a) {
  int type = a->rest.order;
  for (int i = 0; i < 3; i++) a->error[i] = NAN;
  if (!a->rest.known || a->closed_poles.stability != stability_stable) return;
  for (int i = 0; i < 3; i++)
    a->error[i] = type > i ? 0 : type < i ? INFINITY : i == 0 ? 1 / (1 + a->rest.constant) : 1 / a->rest.constant;
  if (type < 0) a->error[0] = 1;
}

// Poles that say how long a response takes; with dead times the line stands for all that are not known.
static const Complex *lasting_poles(Arena *arena, const PoleList *p, uint32_t *count) {
  *count = p->count;
  if (!p->delayed || !p->delayed->certain || p->delayed->line >= 0) return p->values;
  Complex *values = arena_array(arena, (size_t)p->count + 1, sizeof *values);
  if (!values) return NULL;
  memcpy(values, p->values, p->count * sizeof *values);
  values[(*count)++] = p->delayed->line;
  return values;
}

DenseStatus figures_response(Arena *arena, const SolveModule *module, const Analysis *a, Stimulus stimulus,
                             TimeResponse *out) {
  uint32_t count;
  const Complex *poles = lasting_poles(arena, a->loop ? &a->closed_poles : &a->poles, &count);
  if (!poles) return dense_no_memory;
  return time_response(arena, module, a->loop ? &a->closed : &a->path, stimulus, poles, count, 0, out);
}

static DenseStatus find_step(Arena *arena, const SolveModule *module, Analysis *a) {
  const LinearSystem *s = a->loop ? &a->closed : &a->path;
  const PoleList *p = a->loop ? &a->closed_poles : &a->poles;
  DenseStatus status = figures_response(arena, module, a, stimulus_step, &a->step);
  if (status != dense_done) return status;
  if (p->stability != stability_stable)
    return step_figures(arena, &a->step, NAN, &a->figures) ? dense_done : dense_no_memory;
  Response r;
  status = response_open(&r, arena, module, s);
  if (status != dense_done) return status;
  double final = creal(response_frequency(&r, 0));
  uint32_t count;
  const Complex *poles = lasting_poles(arena, p, &count);
  if (!poles) return dense_no_memory;
  double end = response_horizon(s, poles, count, false);
  if (!(end > a->step.end * (1 + 1e-9)))
    return step_figures(arena, &a->step, final, &a->figures) ? dense_done : dense_no_memory;
  // the figures need more than the picture shows
  TimeResponse whole;
  Arena *scratch = arena_new_scratch(arena);
  if (!scratch) return dense_no_memory;
  status = time_response(scratch, module, s, stimulus_step, poles, count, end, &whole);
  if (status == dense_done && !step_figures(scratch, &whole, final, &a->figures)) status = dense_no_memory;
  if (status == dense_done) a->step.cut = whole.cut;
  arena_free_scratch(scratch);
  return status;
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Poles of the closed loop were found by another method: what does not agree with them is not reported. Those that a
// zero hides from the curve do not count.
static void check_nyquist(Analysis *a) {
  Nyquist *n = &a->nyquist;
  const PoleList *p = &a->closed_poles;
  int32_t right = 0;
  if (!n->known || p->stability == stability_unknown) return;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->side[i] == side_axis || p->side[i] == side_zero) return;
    right += p->side[i] == side_right;
  }
  if (p->delayed && !(p->delayed->certain && p->delayed->line < 0)) {
    if (!p->delayed->right_known) return;
    right = (int32_t)p->delayed->right;
  }
  for (uint32_t i = 0; i < a->cancelled.count; i++) right -= a->cancelled.items[i].side == side_right;
  if (a->path.delays && a->minimal.n < a->path.n) return; // what is hidden is not known one by one
  if (right == n->closed) return;
  *n = (Nyquist){.points = n->points, .indented = n->indented, .why = "its turns do not agree with the poles"};
}

// Does the curve from a to b, along the axis, pass the real axis left of -1?
static bool passes_left(const NyquistPoint *a, const NyquistPoint *b) {
  double from = cimag(a->value), to = cimag(b->value), noise = 1e-12 * (cabs(a->value) + cabs(b->value));
  if (!(b->w > a->w) || fabs(from) <= noise || fabs(to) <= noise || (from > 0) == (to > 0)) return false;
  return creal(a->value) + (creal(b->value) - creal(a->value)) * from / (from - to) < -1;
}

static bool has_margin(const Margins *m, double from, double to) {
  for (uint32_t i = 0; i < m->gain.count; i++) {
    double w = m->gain.items[i].frequency;
    if (w >= from * (1 - 1e-9) && w <= to * (1 + 1e-9)) return true;
  }
  return false;
}

// The curve that was counted has its own crossings of the negative axis: one that the margins do not have is found in
// it, and joins them.
static DenseStatus compare_margins(Arena *arena, const SolveModule *module, Analysis *a) {
  const Nyquist *n = &a->nyquist;
  Response r;
  DenseStatus status = response_open(&r, arena, module, &a->minimal);
  for (uint32_t i = 0; status == dense_done && i + 1 < n->points.count; i++) {
    const NyquistPoint *p = &n->points.items[i];
    double from = p[0].w, to = p[1].w;
    if (!passes_left(p, p + 1) || has_margin(&a->margins, from, to)) continue;
    bool above = cimag(p->value) > 0;
    for (int k = 0; k < 100; k++) {
      double w = (from + to) / 2;
      if ((cimag(response_frequency(&r, w)) > 0) == above) from = w;
      else to = w;
    }
    Margin found = {1 / cabs(response_frequency(&r, from)), from, false};
    if (!vec_push(arena, &a->margins.gain, found)) return dense_no_memory;
    for (uint32_t k = a->margins.gain.count - 1; k > 0 && a->margins.gain.items[k - 1].frequency > from; k--) {
      a->margins.gain.items[k] = a->margins.gain.items[k - 1];
      a->margins.gain.items[k - 1] = found;
    }
  }
  return status;
}

// Poles of the minimal path are found in rounded numbers; those of the path itself may be known exactly, and it is
// their side that counts.
static void take_sides(const Analysis *a, PoleList *list) {
  const PoleList *known = &a->poles;
  double size = 0;
  if (a->path.delays || list->count > known->count) return;
  for (uint32_t k = 0; k < known->count; k++) size = fmax(size, cabs(known->values[k]));
  for (uint32_t i = 0; i < list->count; i++) {
    uint32_t best = 0;
    for (uint32_t k = 1; k < known->count; k++) {
      if (cabs(known->values[k] - list->values[i]) < cabs(known->values[best] - list->values[i])) best = k;
    }
    if (cabs(known->values[best] - list->values[i]) > fmax(1e-9 * size, 4 * list->bound[i])) continue;
    list->values[i] = known->values[best];
    list->side[i] = known->side[best];
  }
}

// Of the minimal path: what a zero takes out is no pole of the curve.
static DenseStatus find_nyquist(Arena *arena, const SolveModule *module, Analysis *a) {
  PoleList list;
  uint32_t open = 0, count = 0;
  DenseStatus status = analysis_poles(arena, module, &a->minimal, NULL, &list);
  if (status != dense_done) return status;
  take_sides(a, &list);
  double *axis = arena_array(arena, (size_t)list.count + 1, sizeof *axis);
  if (!axis) return dense_no_memory;
  for (uint32_t i = 0; i < list.count; i++) {
    open += list.side[i] == side_right;
    if (list.side[i] != side_axis && list.side[i] != side_zero) continue;
    double w = a->path.period > 0 ? fabs(carg(list.values[i])) / a->path.period : fabs(cimag(list.values[i]));
    bool known = false;
    for (uint32_t k = 0; k < count; k++) known = known || fabs(axis[k] - w) <= 1e-7 * (w + 1e-300);
    if (!known) axis[count++] = w;
  }
  if (count) qsort(axis, count, sizeof *axis, by_number);
  if (list.delayed && !(list.delayed->certain && list.delayed->line < 0)) {
    open = list.delayed->right;
    if (!list.delayed->right_known)
      return a->nyquist = (Nyquist){.why = "how many poles of the open loop grow is not known"}, dense_done;
  }
  status = nyquist_count(arena, module, &a->minimal, axis, count, open, &a->nyquist);
  if (status != dense_done) return status;
  check_nyquist(a);
  return a->nyquist.known ? compare_margins(arena, module, a) : dense_done;
}

// The matrix of the model as it stands, exactly: of a loop that was cut, closed again. NULL: not rational.
static const Rat *standing(Arena *arena, const Analysis *a) {
  const Linearization *l = a->freed;
  const Operating *o = l->o;
  const Rat *A = l->rational[0], *B = l->rational[1], *C = l->rational[2], *D = l->rational[3];
  uint32_t n = l->n, column = l->m;
  if (!A || a->path.delays || a->samples.count || n == 0) return NULL;
  if (!a->loop || a->at_state) return A;
  for (uint32_t j = 0; j < l->m; j++) {
    if (l->column[j] == a->input) column = j;
    if (l->column[j] >= o->s.inputs.count) return NULL; // rates
  }
  uint32_t row = freed_cut(o);
  if (column == l->m || !B || !C || !D) return NULL;
  Rat *out = arena_array(arena, (size_t)n * n, sizeof *out);
  Rat back = rat_add(arena, RAT_ONE, rat_neg(arena, D[(size_t)row * l->m + column]));
  if (!out || rat_is_zero(back)) return NULL;
  for (uint32_t i = 0; i < n; i++) {
    Rat b = rat_div(arena, B[(size_t)i * l->m + column], back);
    for (uint32_t j = 0; j < n; j++)
      out[(size_t)i * n + j] = rat_add(arena, A[(size_t)i * n + j], rat_mul(arena, b, C[(size_t)row * n + j]));
  }
  return out;
}

static DenseStatus find_routh(Arena *arena, Analysis *a) {
  const Rat *A = standing(arena, a), *c = A ? routh_polynomial(arena, A, a->freed->n) : NULL;
  if (!c) return arena_failed(arena) ? dense_no_memory : dense_done;
  if (!routh_table(arena, c, a->freed->n, &a->routh)) return dense_no_memory;
  a->routh_known = !a->routh.why;
  return dense_done;
}

DenseStatus figures_find(Arena *arena, const SolveModule *module, Analysis *a) {
  DenseStatus status = find_step(arena, module, a);
  find_errors(a);
  if (status == dense_done && a->posed) status = find_nyquist(arena, module, a);
  return status == dense_done ? find_routh(arena, a) : status;
}
