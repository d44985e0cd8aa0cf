// Curves of the circle criterion, Popov's and the describing function, made of Nyquist curves.
#include "control/design_curves.h"

#include <math.h>

DenseStatus circle_table(Arena *arena, const SolveModule *module, const Analysis *a, CurveTable *out) {
  return curve_table(arena, module, a, curve_nyquist, NULL, out);
}

DenseStatus popov_table(Arena *arena, const SolveModule *module, const Analysis *a, const Absolute *x,
                        CurveTable *out) {
  Analysis shifted = *a; // the frequencies stay those of the path
  const StateSpace *s = &x->shifted;
  if (!system_room(&shifted.path, arena, s->n, 1, 1, 0)) return dense_no_memory;
  shifted.path.A = s->A;
  shifted.path.B = s->B;
  shifted.path.C = s->C;
  shifted.path.D = s->D;
  DenseStatus status = curve_table(arena, module, &shifted, curve_nyquist, NULL, out);
  if (status != dense_done) return status;
  out->names[2] = "w_im";
  for (uint32_t i = 0; i < out->count; i++) out->column[2][i] *= out->column[0][i];
  return dense_done;
}

// Amplitudes from where something happens to far beyond the largest limit cycle.
static void find_sizes(const Describing *d, const LimitCycleList *cycles, double *first, double *last) {
  double from = describing_threshold(d), most = 0, least = INFINITY;
  for (uint32_t i = 0; i < cycles->count; i++) {
    most = fmax(most, cycles->items[i].amplitude);
    least = fmin(least, cycles->items[i].amplitude);
  }
  *first = from > 0 ? from * (1 + 1e-6) : cycles->count ? least / 1000 : 1e-3;
  *last = fmax(most * 1000, *first * 1e4);
}

DenseStatus describing_table(Arena *arena, const SolveModule *module, const Analysis *a, const Describing *d,
                             const LimitCycleList *cycles, CurveTable *out) {
  static const char *const names[] = {"amplitude", "n_re", "n_im"};
  double first, last;
  DenseStatus status = curve_table(arena, module, a, curve_nyquist, NULL, out);
  if (status != dense_done) return status;
  out->columns = 6;
  for (uint32_t k = 0; k < 3; k++) {
    out->names[3 + k] = names[k];
    out->column[3 + k] = arena_array(arena, (size_t)out->count + 1, sizeof **out->column);
  }
  if (arena_failed(arena)) return dense_no_memory;
  find_sizes(d, cycles, &first, &last);
  double from = describing_threshold(d), sign = creal(describing_at(d, last)) < 0 ? -1 : 1;
  for (uint32_t i = 0; i < out->count; i++) {
    // closer together just above the threshold
    double part = out->count > 1 ? (double)i / (out->count - 1) : 0;
    double amplitude = from + (first - from) * pow((last - from) / (first - from), part);
    Complex n = -sign / describing_at(d, amplitude);
    out->column[1][i] *= -sign;
    out->column[2][i] *= -sign;
    out->column[3][i] = amplitude;
    out->column[4][i] = creal(n);
    out->column[5][i] = cimag(n);
  }
  return dense_done;
}
