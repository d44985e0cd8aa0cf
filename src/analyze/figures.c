// Further figures of an analysis.
//
// Errors at rest: with N poles at rest (s = 0, z = 1) and K = lim s^N L, a loop that is stable when closed keeps of a
// step 1/(1 + K) (N = 0) or 0, of a ramp 1/K (N = 1), of a parabola t^2/2 1/K (N = 2). At rest dead times do not count.
#include "analyze/figures.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The system with every delay taken for none: right for s -> 0. *there: the delays determine their signals.
static bool without_delays(Arena *arena, const LinearSystem *s, LinearSystem *out, bool *there) {
  size_t n = s->n, d = s->delays, wide = n + 1;
  *there = true;
  if (d == 0) return system_copy(s, arena, out);
  double *m = arena_array(arena, d * d, sizeof *m), *z = arena_array(arena, d * wide, sizeof *z);
  if (!m || !z || !system_room(out, arena, s->n, 1, 1, 0)) return false;
  for (size_t i = 0; i < d; i++) {
    for (size_t j = 0; j < d; j++) m[i * d + j] = (i == j) - s->J[i * d + j];
    memcpy(z + i * wide, s->G + i * n, n * sizeof *z);
    z[i * wide + n] = s->H[i];
  }
  *there = dense_solve((uint32_t)d, (uint32_t)wide, m, z);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < wide; j++) {
      double *to = j < n ? &out->A[i * n + j] : &out->B[i];
      *to = j < n ? s->A[i * n + j] : s->B[i];
      for (size_t k = 0; k < d; k++) *to += s->E[i * d + k] * z[k * wide + j];
    }
  }
  for (size_t j = 0; j < wide; j++) {
    double *to = j < n ? &out->C[j] : out->D;
    *to = j < n ? s->C[j] : s->D[0];
    for (size_t k = 0; k < d; k++) *to += s->F[k] * z[k * wide + j];
  }
  return true;
}

// How often the loop integrates, and with which constant.
static DenseStatus find_type(Arena *arena, const SolveModule *module, Analysis *a) {
  LinearSystem plain, small;
  Zeros zeros;
  bool there;
  a->error[0] = a->error[1] = a->error[2] = NAN;
  a->constant = NAN;
  if (!without_delays(arena, &a->path, &plain, &there)) return dense_no_memory;
  plain.period = a->path.period;
  if (!there || !zeros_minimal(arena, &plain, &small)) return there ? dense_no_memory : dense_done;
  Complex *poles = arena_array(arena, (size_t)small.n + 1, sizeof *poles);
  double *bound = arena_array(arena, (size_t)small.n + 1, sizeof *bound);
  if (!poles || !bound) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(arena, module, small.n, small.A, poles, bound);
  if (status == dense_done) status = zeros_find(arena, module, &small, &zeros);
  if (status != dense_done || zeros.gain == 0) return status;
  double rest = a->path.period > 0 ? 1 : 0, size = 1e-9 * (1 + dense_norm((size_t)small.n * small.n, small.A));
  Complex k = zeros.gain;
  int type = 0;
  for (uint32_t i = 0; i < small.n; i++) {
    if (cabs(poles[i] - rest) <= fmax(bound[i], DBL_EPSILON * size)) type++;
    else k /= rest - poles[i];
  }
  for (uint32_t i = 0; i < zeros.count; i++) {
    if (cabs(zeros.values[i] - rest) <= fmax(zeros.bound[i], DBL_EPSILON * size)) type--;
    else k *= rest - zeros.values[i];
  }
  if (a->path.period > 0) k *= pow(a->path.period, -type);
  a->type = type > 0 ? (uint32_t)type : 0;
  a->constant = type < 0 ? 0 : creal(k);
  if (a->closed_poles.stability != stability_stable) return dense_done;
  for (int i = 0; i < 3; i++)
    a->error[i] = type > i ? 0 : type < i ? INFINITY : i == 0 ? 1 / (1 + a->constant) : 1 / a->constant;
  if (type < 0) a->error[0] = 1;
  return dense_done;
}

static DenseStatus find_step(Arena *arena, const SolveModule *module, Analysis *a) {
  const LinearSystem *s = a->loop ? &a->closed : &a->path;
  const PoleList *p = a->loop ? &a->closed_poles : &a->poles;
  DenseStatus status = time_response(arena, module, s, stimulus_step, p->values, p->count, 0, &a->step);
  if (status != dense_done) return status;
  double final = NAN;
  if (p->stability == stability_stable) {
    Response r;
    status = response_open(&r, arena, module, s);
    if (status != dense_done) return status;
    final = creal(response_frequency(&r, 0));
  }
  return step_figures(arena, &a->step, final, &a->figures) ? dense_done : dense_no_memory;
}

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Of the minimal path: what a zero takes out is no pole of the curve.
static DenseStatus find_nyquist(Arena *arena, const SolveModule *module, Analysis *a) {
  PoleList list;
  uint32_t open = 0, count = 0;
  DenseStatus status = analysis_poles(arena, module, &a->minimal, NULL, &list);
  if (status != dense_done) return status;
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
  return nyquist_count(arena, module, &a->minimal, axis, count, open, &a->nyquist);
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
  if (status == dense_done && a->posed) status = find_type(arena, module, a);
  if (status == dense_done && a->posed) status = find_nyquist(arena, module, a);
  return status == dense_done ? find_routh(arena, a) : status;
}
