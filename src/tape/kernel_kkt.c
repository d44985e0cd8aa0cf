// Symmetric indefinite (saddle-point, KKT) systems: M x = -h for a symmetric M that is not definite by its structure,
// as [M G'; G 0] of constraints is not.
//
// how   P M P' = L D L' with pivots of one or two rows, chosen as Bunch and Kaufman do (Mathematics of Computation 31,
//       1977): no row is divided by what is small beside its neighbours, and symmetry halves the work of elimination
//       The last unknowns may be multipliers of constraints (Block.multipliers). Where these depend on each other M is
//       singular, and the solution with the multipliers of least norm is taken: M gets -e on their diagonal, and
//       corrections x += (M - e)^-1 (-h - M x) from x = 0 lead to it (the proximal point method). Rows are scaled for
//       it, so that what counts as dependent is free of units. Constraints may depend on each other where they hold,
//       and there alone: off the constraint manifold, where stages of a step are, M has an inverse that says nothing.
//       Where that is known (KernelKkt.dependent) no inverse is looked for.
//       Where masses are positive definite no pivot has to be looked for: L D L' of kernel_ldl.h is tried first. Short
//       ones are written in line in native code.
// args  the lower triangle of M row by row, then one or several h
// room  the solutions, M, three numbers a row; with multipliers M once more and two numbers a row
#include "tape/kernel_ldl.h"

/* section kkt */
static viva_real viva_magnitude(viva_real a) { return a < 0 ? -a : a; }

static void viva_exchange(viva_real *m, unsigned n, unsigned from, unsigned a, unsigned b) {
  for (unsigned j = 0; j < n; j++) {
    const viva_real swap = m[a * n + j];
    m[a * n + j] = m[b * n + j];
    m[b * n + j] = swap;
  }
  for (unsigned i = from; i < n; i++) {
    const viva_real swap = m[i * n + a];
    m[i * n + a] = m[i * n + b];
    m[i * n + b] = swap;
  }
}

/* The largest entry of row i from column `from` on, beside the diagonal; *at: where it stands. */
static viva_real viva_largest(const viva_real *m, unsigned n, unsigned i, unsigned from, unsigned *at) {
  viva_real most = 0;
  for (unsigned j = from; j < n; j++) {
    if (j == i || !(viva_magnitude(m[i * n + j]) > most)) continue;
    most = viva_magnitude(m[i * n + j]);
    *at = j;
  }
  return most;
}

/* m, both triangles, becomes L below and D on the diagonal and beside it. place: which row came to each position;
 * step: 1 or 2 where a pivot begins. 0: singular. The upper triangle keeps the rows as they were before they were
 * divided. */
static int viva_kkt_factor(viva_real *m, unsigned n, viva_real *place, viva_real *step) {
  viva_real whole = 0;
  for (unsigned i = 0; i < n * n; i++) whole = viva_magnitude(m[i]) > whole ? viva_magnitude(m[i]) : whole;
  for (unsigned i = 0; i < n; i++) place[i] = (viva_real)i;
  for (unsigned k = 0; k < n;) {
    const viva_real share = (viva_real)0.6403882032022076; /* (1 + sqrt(17))/8: growth of one and two rows alike */
    const viva_real own = viva_magnitude(m[k * n + k]);
    unsigned other = k, ignored = k, size = 1, with = k;
    const viva_real most = viva_largest(m, n, k, k, &other);
    if (!((own > most ? own : most) > VIVA_SINGULAR * whole)) return 0;
    if (own < share * most) {
      const viva_real there = viva_largest(m, n, other, k, &ignored);
      if (own * there >= share * most * most) with = k;
      else if (viva_magnitude(m[other * n + other]) >= share * there) with = other;
      else with = other, size = 2;
    }
    if (with != k + size - 1) {
      const viva_real swap = place[k + size - 1];
      place[k + size - 1] = place[with];
      place[with] = swap;
      viva_exchange(m, n, k, k + size - 1, with);
    }
    step[k] = (viva_real)size;
    if (size == 1) {
      for (unsigned i = k + 1; i < n; i++) {
        const viva_real l = m[i * n + k] / m[k * n + k];
        for (unsigned j = k + 1; j <= i; j++) m[j * n + i] = m[i * n + j] -= l * m[k * n + j];
        m[i * n + k] = l;
      }
    } else {
      const viva_real d = m[(k + 1) * n + k], a = m[(k + 1) * n + k + 1] / d, b = m[k * n + k] / d;
      const viva_real scale = 1 / (a * b - 1) / d;
      step[k + 1] = 0;
      for (unsigned i = k + 2; i < n; i++) {
        const viva_real x = m[i * n + k], y = m[i * n + k + 1];
        const viva_real p = scale * (a * x - y), q = scale * (b * y - x);
        for (unsigned j = k + 2; j <= i; j++) m[j * n + i] = m[i * n + j] -= p * m[k * n + j] + q * m[(k + 1) * n + j];
        m[i * n + k] = p;
        m[i * n + k + 1] = q;
      }
    }
    k += size;
  }
  return 1;
}

/* One right-hand side; z: room for n. */
static void viva_kkt_substitute(const viva_real *m, unsigned n, const viva_real *place, const viva_real *step,
                                viva_real *x, viva_real *z) {
  for (unsigned i = 0; i < n; i++) z[i] = x[(unsigned)place[i]];
  for (unsigned k = 0; k < n; k += (unsigned)step[k]) {
    for (unsigned i = k + (unsigned)step[k]; i < n; i++) {
      z[i] -= m[i * n + k] * z[k];
      if (step[k] == 2) z[i] -= m[i * n + k + 1] * z[k + 1];
    }
  }
  for (unsigned k = 0; k < n; k += (unsigned)step[k]) {
    if (step[k] == 1) {
      z[k] /= m[k * n + k];
    } else {
      const viva_real d = m[(k + 1) * n + k], a = m[(k + 1) * n + k + 1] / d, b = m[k * n + k] / d;
      const viva_real scale = 1 / (a * b - 1) / d, p = z[k], q = z[k + 1];
      z[k] = scale * (a * p - q);
      z[k + 1] = scale * (b * q - p);
    }
  }
  for (unsigned i = n; i-- > 0;) {
    const unsigned from = i + (step[i] == 2 ? 2 : 1);
    for (unsigned k = from; k < n; k++) z[i] -= m[k * n + i] * z[k];
  }
  for (unsigned i = 0; i < n; i++) x[(unsigned)place[i]] = z[i];
}

/* The columns of x become solutions. m: both triangles, overwritten; room: three numbers a row. */
static void viva_kkt(viva_real *m, viva_real *x, unsigned n, unsigned columns, viva_real *room) {
  const int fine = viva_kkt_factor(m, n, room, room + n);
  for (unsigned c = 0; fine && c < columns; c++) viva_kkt_substitute(m, n, room, room + n, x + c * n, room + 2 * n);
  for (unsigned i = 0; !fine && i < n * columns; i++) x[i] = (viva_real)NAN;
}

/* What a row is divided by so that no entry of M is larger than one: the root of its largest entry. */
static void viva_kkt_scales(const viva_real *k, unsigned n, viva_real *scale) {
  for (unsigned i = 0; i < n; i++) {
    viva_real most = 0;
    for (unsigned j = 0; j < n; j++) most = viva_magnitude(k[i * n + j]) > most ? viva_magnitude(k[i * n + j]) : most;
    scale[i] = most > 0 ? 1 / viva_sqrt(most) : 1;
  }
}

/* The scaled matrix into m, with -e on the diagonal of the multipliers. 0: singular. */
static int viva_kkt_scaled(const viva_real *k, const viva_real *scale, unsigned n, unsigned bound, viva_real e,
                           viva_real *m, viva_real *room) {
  for (unsigned i = 0; i < n; i++) {
    for (unsigned j = 0; j < n; j++) m[i * n + j] = scale[i] * k[i * n + j] * scale[j];
  }
  for (unsigned i = n - bound; i < n; i++) m[i * n + i] -= e * scale[i] * scale[i];
  return viva_kkt_factor(m, n, room, room + n);
}

/* The smallest pivot beside the largest one. */
static viva_real viva_kkt_pivots(const viva_real *m, unsigned n, const viva_real *step) {
  viva_real least = 0, most = 0;
  for (unsigned i = 0; i < n; i += (unsigned)step[i]) {
    viva_real size = viva_magnitude(m[i * n + i]);
    if (step[i] == 2) size = viva_magnitude(m[(i + 1) * n + i]);
    if (i == 0 || size < least) least = size;
    most = size > most ? size : most;
  }
  return most > 0 ? least / most : 0;
}

/* z = -(h + K x), scaled */
static void viva_kkt_missing(const viva_real *k, const viva_real *scale, unsigned n, const viva_real *h,
                             const viva_real *x, viva_real *z) {
  for (unsigned i = 0; i < n; i++) {
    viva_real sum = h[i];
    for (unsigned j = 0; j < n; j++) sum -= k[i * n + j] * x[j];
    z[i] = scale[i] * sum;
  }
}

/* As viva_kkt, where the last `bound` unknowns are multipliers; dependent: they are known to be so. k keeps the matrix,
 * m and room (6 numbers a row) are used. */
static void viva_kkt_bound(const viva_real *k, viva_real *m, viva_real *x, unsigned n, unsigned columns, unsigned bound,
                           int dependent, viva_real *room) {
  viva_real *scale = room + 3 * n, *z = room + 4 * n, most = 0;
  unsigned rounds = 1;
  viva_kkt_scales(k, n, scale);
  for (unsigned i = n - bound; i < n; i++) most = scale[i] > most ? scale[i] : most;
  /* a pivot of this size is what rounding leaves of a dependent row */
  if (dependent || !viva_kkt_scaled(k, scale, n, bound, 0, m, room) ||
      !(viva_kkt_pivots(m, n, room + n) > VIVA_PIVOT)) {
    rounds = 12;
    if (!viva_kkt_scaled(k, scale, n, bound, (viva_real)1e-5 / (most * most), m, room)) rounds = 0;
  }
  for (unsigned c = 0; c < columns; c++, x += n) {
    viva_real *h = room + 2 * n;
    if (rounds == 1) {
      for (unsigned i = 0; i < n; i++) x[i] *= scale[i];
      viva_kkt_substitute(m, n, room, room + n, x, z);
      for (unsigned i = 0; i < n; i++) x[i] *= scale[i];
      continue;
    }
    for (unsigned i = 0; i < n; i++) h[i] = x[i], x[i] = rounds ? 0 : (viva_real)NAN;
    for (unsigned r = 0; r < rounds; r++) {
      viva_kkt_missing(k, scale, n, h, x, z);
      viva_kkt_substitute(m, n, room, room + n, z, room + 5 * n);
      for (unsigned i = 0; i < n; i++) x[i] += scale[i] * z[i];
    }
  }
}

/* section end */

static uint32_t results(const void *data) {
  const KernelKkt *s = data;
  return s->size * s->columns;
}

// That of L D L' is not more than that of M twice.
static uint32_t room(const void *data) {
  const KernelKkt *s = data;
  return s->size * (s->columns + s->size + 3 + (s->multipliers ? s->size + 3 : 0));
}

static uint64_t work(const void *data) {
  uint64_t n = ((const KernelKkt *)data)->size;
  return n * n * n / 3;
}

static uint32_t sides_at(uint32_t n) { return n * (n + 1) / 2; }

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *x) {
  const KernelKkt *s = call->data;
  uint32_t n = s->size;
  double *m = x + (size_t)n * s->columns;
  if (s->ldl && kernel_ldl_eval(s->ldl, s->columns, args, args + sides_at(n), w, x, m)) return;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j <= i; j++) m[i * n + j] = m[j * n + i] = w[*args++];
  }
  for (uint32_t i = 0; i < n * s->columns; i++) x[i] = -w[*args++];
  double *rest = m + (size_t)n * n;
  if (s->multipliers) viva_kkt_bound(m, rest, x, n, s->columns, s->multipliers, s->dependent, rest + (size_t)n * n);
  else viva_kkt(m, x, n, s->columns, rest);
}

// ---- C text

static const char *const frame[] = {
    "/* a has the lower triangle of M row by row, then the columns of H; x has room for the solutions, M and 3 n more, "
    "with multipliers for M once more and 3 n more. */",
    "static void viva_kkt_solve(const viva_ldl *s, const viva_real *a, unsigned n, unsigned columns, unsigned bound,",
    "                           int dependent, viva_real *x) {",
    "  viva_real *m = x + n * columns;",
    "  if (s && viva_ldl_solve(s, a, a + n * (n + 1) / 2, columns, x, m)) return;",
    "  for (unsigned i = 0; i < n; i++) {",
    "    for (unsigned j = 0; j <= i; j++) m[i * n + j] = m[j * n + i] = *a++;",
    "  }",
    "  for (unsigned i = 0; i < n * columns; i++) x[i] = -*a++;",
    "  if (bound) viva_kkt_bound(m, m + n * n, x, n, columns, bound, dependent, m + 2 * n * n);",
    "  else viva_kkt(m, x, n, columns, m + n * n);",
    "}",
    "",
    NULL,
};

static bool emits(const EmitTarget *target, const void *data) {
  const KernelKkt *s = data;
  return target->alone || (s->ldl && kernel_ldl_is_short(s->ldl, s->columns));
}

static bool emit_data(const EmitJob *job, uint32_t call) {
  const KernelKkt *s = job->tape->calls[call].data;
  if (s->ldl && job->target->alone) kernel_ldl_put_data(job, call, s->ldl);
  return !arena_failed(job->arena);
}

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  const TapeCall *call = &e->tape->calls[op->a];
  const KernelKkt *s = call->data;
  if (!e->job->target->alone) {
    kernel_ldl_put(e, op, index, s->ldl, s->columns, sides_at(s->size));
    return;
  }
  emit_array(e, "a", e->tape->args + call->args, call->count);
  text_put(e->out, "    viva_kkt_solve(");
  if (s->ldl) text_printf(e->out, "&%s_ldl%u", e->job->name, op->a);
  else text_putc(e->out, '0');
  text_printf(e->out, ", a, %u, %u, %u, %d, w + %u);\n  }\n", s->size, s->columns, s->multipliers, s->dependent,
              op->dst);
  emit_left_in_slots(e, op);
}

const TapeKernel kernel_kkt = {
    .name = "kkt",
    .fault = "the mass matrix is singular",
    .blames_none = true,
    .results = results,
    .room = room,
    .eval = eval,
    .tangent = tangent_by_solving,
    .work = work,
    .emit = emit,
    .emits = emits,
    .emit_data = emit_data,
    .sections = (const char *const[]){"ldl", "kkt", NULL},
    .text = frame,
};
