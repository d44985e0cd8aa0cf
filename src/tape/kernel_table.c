// Lookup table: linear interpolation, held at the ends; or its derivative; or the number of the piece; or, of a held
// one, the last value (zero-order hold).
#include "tape/emit_parts.h"
#include "tape/interval.h"
#include "tape/kernel_real.h"
#include "tape/kernels.h"

#include <string.h>

/* section table */
/* Linear interpolation; slope 1: its derivative; 2: the number of its piece; 3: the value at the last point. */
static viva_real viva_table(viva_real a, unsigned n, const viva_real *x, const viva_real *y, int slope) {
  if (a != a) return a;
  if (slope == 3 && (n == 1 || a < x[0])) return y[0];
  if (slope == 3 && a >= x[n - 1]) return y[n - 1];
  if (slope == 2 && (n == 1 || a < x[0])) return 0;
  if (slope == 2 && a >= x[n - 1]) return (viva_real)n;
  if (slope < 2 && (n == 1 || a <= x[0]))
    return slope ? (a == x[0] && n > 1 ? (y[1] - y[0]) / (x[1] - x[0]) : 0) : y[0];
  if (a >= x[n - 1]) return slope ? 0 : y[n - 1];
  unsigned lo = 0, hi = n - 1; /* x[lo] <= a < x[hi] */
  while (hi - lo > 1) {
    unsigned mid = lo + (hi - lo) / 2;
    if (x[mid] <= a) lo = mid;
    else hi = mid;
  }
  if (slope == 2) return (viva_real)(lo + 1);
  if (slope == 3) return y[lo];
  const viva_real k = (y[hi] - y[lo]) / (x[hi] - x[lo]);
  return slope ? k : y[lo] + k * (a - x[lo]);
}

/* section end */

static double at(const KernelTable *t, double x, int slope) { return viva_table(x, t->count, t->x, t->y, slope); }

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *result) {
  const KernelTable *t = call->data;
  *result = at(t, w[args[0]], t->slope);
}

static void rates(const TapeCall *call, const uint32_t *args, const double *w, uint32_t result, TapeRates *r) {
  const KernelTable *t = call->data;
  double slope = t->slope ? 0 : at(t, w[args[0]], 1), by[tape_directions];
  memcpy(by, r->of[args[0]], sizeof by); // the result may go to the slot of the operand
  for (int l = 0; l < tape_directions; l++) r->of[result][l] = slope * by[l];
}

static uint32_t rates_room(const void *data) {
  (void)data;
  return 0;
}

// ---- ranges

static void widen(TapeRange *r, double x) {
  r->lo = x < r->lo ? x : r->lo;
  r->hi = x > r->hi ? x : r->hi;
}

// The hull of a table's values, or derivatives, over a range of its argument, wider by a few last digits: the value
// between two points is rounded.
static TapeRange hull(const KernelTable *t, TapeRange a, int slope) {
  double first = at(t, a.lo, slope);
  TapeRange r = {first, first};
  if (!(a.lo <= a.hi)) return tape_everything;
  widen(&r, at(t, a.hi, slope));
  uint32_t lo = 0, hi = t->count; // the first point behind a.lo
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (t->x[mid] <= a.lo) lo = mid + 1;
    else hi = mid;
  }
  for (uint32_t k = lo; k < t->count && t->x[k] <= a.hi; k++) widen(&r, slope == 1 ? at(t, t->x[k], 1) : t->y[k]);
  double size = fmax(fabs(r.lo), fabs(r.hi));
  return r.lo == r.hi ? r : (TapeRange){r.lo - 8 * DBL_EPSILON * size, r.hi + 8 * DBL_EPSILON * size};
}

static TapeDual range(const void *data, const TapeDual *args) {
  const KernelTable *t = data;
  TapeDual r = {hull(t, args[0].v, t->slope), {0, 0}};
  if (r.v.lo == r.v.hi) return r;
  r.d = t->slope ? tape_everything : tape_range_product(hull(t, args[0].v, 1), args[0].d);
  return r;
}

// ---- C text

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  const TapeCall *call = &e->tape->calls[op->a];
  const KernelTable *t = call->data;
  uint32_t number = ++e->values;
  (void)index;
  text_printf(e->out, "  const viva_real r%u = viva_table(", number);
  emit_operand(e, e->tape->args[call->args]);
  text_printf(e->out, ", %u, %s_x%u, %s_y%u, %d);\n", t->count, e->job->name, op->a, e->job->name, op->a, t->slope);
  emit_name_value(e, op->dst, number);
}

static void put_column(const EmitJob *job, char letter, uint32_t call, const double *values, uint32_t count) {
  Emit e = {.job = job, .out = job->out};
  text_printf(job->out, "static const viva_real %s_%c%u[%u] = {", job->name, letter, call, count);
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(job->out, i % 8 ? ", " : ",\n  ");
    emit_literal(&e, values[i]);
  }
  text_put(job->out, "};\n");
}

static bool emit_data(const EmitJob *job, uint32_t index) {
  const KernelTable *t = job->tape->calls[index].data;
  put_column(job, 'x', index, t->x, t->count);
  put_column(job, 'y', index, t->y, t->count);
  return true;
}

const TapeKernel kernel_table = {
    .name = "table",
    .fault = "overflow",
    .eval = eval,
    .tangent = tangent_by_expressions,
    .rates = rates,
    .rates_room = rates_room,
    .range = range,
    .emit = emit,
    .emit_data = emit_data,
    .sections = (const char *const[]){"table", NULL},
};
