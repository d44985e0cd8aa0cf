// Dense linear systems M x = -h for one or several h: the accelerations of a block, and their rates.
//
// how   M = L D L' while the pivots prove M positive definite at this point, else elimination with row pivoting. Large
//       ones go to LAPACK, where the builder was given it (TapeSolve).
// text  small symmetric ones are written in line in native code; the kernel takes over where a pivot fails
#include "tape/emit_parts.h"
#include "tape/kernel_real.h"
#include "tape/kernels.h"
#include "tape/lanes.h"

#include <string.h>

/* section solve */
static viva_real viva_size(viva_real a) { return a < 0 ? -a : a; }

/* M = L D L' without pivoting. Every pivot positive (and not lost to cancellation) proves that M is positive definite,
 * where this is stable; otherwise 0. Then the columns of x are solved for, one after the other. */
static inline int viva_definite(viva_real *m, viva_real *x, unsigned n, unsigned columns) {
  for (unsigned j = 0; j < n; j++) {
    viva_real d = m[j * n + j], whole = d;
    for (unsigned k = 0; k < j; k++) d -= m[j * n + k] * m[j * n + k] * m[k * n + k];
    if (!(d > VIVA_PIVOT * whole)) return 0;
    m[j * n + j] = d;
    for (unsigned i = j + 1; i < n; i++) {
      viva_real s = m[i * n + j];
      for (unsigned k = 0; k < j; k++) s -= m[i * n + k] * m[j * n + k] * m[k * n + k];
      m[i * n + j] = s / d;
    }
  }
  for (unsigned c = 0; c < columns; c++, x += n) {
    for (unsigned i = 0; i < n; i++) {
      for (unsigned k = 0; k < i; k++) x[i] -= m[i * n + k] * x[k];
    }
    for (unsigned i = 0; i < n; i++) x[i] /= m[i * n + i];
    for (unsigned i = n; i-- > 0;) {
      for (unsigned k = i + 1; k < n; k++) x[i] -= m[k * n + i] * x[k];
    }
  }
  return 1;
}

/* Elimination with row pivoting; NaN when a pivot vanishes against the whole. */
static void viva_general(viva_real *m, viva_real *x, unsigned n, unsigned columns) {
  for (unsigned j = 0; j < n; j++) {
    unsigned best = j;
    viva_real largest = 0;
    for (unsigned i = 0; i < n * n; i++) largest = viva_size(m[i]) > largest ? viva_size(m[i]) : largest;
    for (unsigned i = j + 1; i < n; i++) {
      if (viva_size(m[i * n + j]) > viva_size(m[best * n + j])) best = i;
    }
    if (!(viva_size(m[best * n + j]) > VIVA_SINGULAR * largest)) {
      for (unsigned i = 0; i < n * columns; i++) x[i] = (viva_real)NAN;
      return;
    }
    if (best != j) {
      for (unsigned k = 0; k < n; k++) {
        viva_real swap = m[j * n + k];
        m[j * n + k] = m[best * n + k];
        m[best * n + k] = swap;
      }
      for (unsigned c = 0; c < columns; c++) {
        viva_real swap = x[c * n + j];
        x[c * n + j] = x[c * n + best];
        x[c * n + best] = swap;
      }
    }
    for (unsigned i = j + 1; i < n; i++) {
      viva_real f = m[i * n + j] / m[j * n + j];
      for (unsigned k = j + 1; k < n; k++) m[i * n + k] -= f * m[j * n + k];
      for (unsigned c = 0; c < columns; c++) x[c * n + i] -= f * x[c * n + j];
    }
  }
  for (unsigned c = 0; c < columns; c++, x += n) {
    for (unsigned i = n; i-- > 0;) {
      for (unsigned k = i + 1; k < n; k++) x[i] -= m[i * n + k] * x[k];
      x[i] /= m[i * n + i];
    }
  }
}

/* section end */

static uint32_t results(const void *data) {
  const KernelSolve *s = data;
  return s->size * (1 + s->more);
}

// The solutions, M, and the pivot indices for LAPACK.
static uint32_t room(const void *data) {
  const KernelSolve *s = data;
  return s->size * (s->size + 1 + s->more + (s->large ? 1 : 0));
}

static uint64_t work(const void *data) {
  uint64_t n = ((const KernelSolve *)data)->size;
  return n * n * n / 3;
}

// ---- value

// Gives the operands behind those of the matrix.
static inline const uint32_t *load_matrix(const KernelSolve *s, const uint32_t *args, const double *w, double *m) {
  uint32_t n = s->size;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t cols = s->symmetric ? i + 1 : n;
    for (uint32_t j = 0; j < cols; j++) {
      m[i * n + j] = w[*args++];
      if (s->symmetric) m[j * n + i] = m[i * n + j];
    }
  }
  return args;
}

static inline void load(const KernelSolve *s, const uint32_t *args, const double *w, double *m, double *x) {
  args = load_matrix(s, args, w, m);
  for (uint32_t i = 0; i < s->size * (1 + s->more); i++) x[i] = -w[*args++];
}

// The sizes of everyday models, with the loops unrolled by the compiler.
static inline bool solve_small(double *m, double *x, uint32_t n, uint32_t columns) {
  if (columns > 1) return viva_definite(m, x, n, columns);
  switch (n) {
  case 2: return viva_definite(m, x, 2, 1);
  case 3: return viva_definite(m, x, 3, 1);
  case 4: return viva_definite(m, x, 4, 1);
  default: return viva_definite(m, x, n, 1);
  }
}

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *x) {
  const KernelSolve *s = call->data;
  uint32_t n = s->size, columns = 1 + s->more;
  double *m = x + (size_t)n * columns;
  load(s, args, w, m, x);
  if (s->large) {
    int *pivot = (int *)(void *)(m + (size_t)n * n);
    if (s->symmetric && s->large(n, columns, true, m, x, pivot)) return;
    load(s, args, w, m, x);
    if (s->large(n, columns, false, m, x, pivot)) return;
    for (uint32_t i = 0; i < n * columns; i++) x[i] = NAN;
    return;
  }
  if (s->symmetric && solve_small(m, x, n, columns)) return;
  load(s, args, w, m, x);
  viva_general(m, x, n, columns);
}

// ---- rates: M dx = -(dh + dM x)

typedef double Directions[tape_directions];

// What is known of the matrix; its factors, or itself; the right-hand sides in all directions, the same one direction
// after the other.
static uint32_t rates_room(const void *data) {
  uint32_t n = ((const KernelSolve *)data)->size;
  return 1 + n * (n + 2 * tape_directions);
}

static void add_rate(double *to, const TapeRates *r, uint32_t slot, double factor) {
  for (int l = 0; l < tape_directions; l++) to[l] -= factor * r->of[slot][l];
}

// z = -(dh + dM x)
static void find_sides(const KernelSolve *s, const uint32_t *args, uint32_t column, const double *x, const TapeRates *r,
                       Directions *z) {
  uint32_t n = s->size;
  memset(z, 0, n * sizeof *z);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < (s->symmetric ? i + 1 : n); j++) {
      uint32_t slot = *args++;
      if (!r->moves[slot]) continue;
      add_rate(z[i], r, slot, x[j]);
      if (s->symmetric && i != j) add_rate(z[j], r, slot, x[i]);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t slot = args[column * n + i];
    if (r->moves[slot]) add_rate(z[i], r, slot, 1);
  }
}

// z[i] -= f z[k]
static void take_off(double *to, double f, const double *from) {
  for (int l = 0; l < tape_directions; l++) to[l] -= f * from[l];
}

// By the factors that viva_definite left.
static void substitute(const double *m, uint32_t n, Directions *z) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < i; k++) take_off(z[i], m[i * n + k], z[k]);
  }
  for (uint32_t i = 0; i < n; i++) {
    for (int l = 0; l < tape_directions; l++) z[i][l] /= m[i * n + i];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = 0; k < i; k++) take_off(z[k], m[i * n + k], z[i]);
  }
}

static void eliminate(double *m, uint32_t n, Directions *z, double *x) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t l = 0; l < tape_directions; l++) x[l * n + i] = z[i][l];
  }
  viva_general(m, x, n, tape_directions);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t l = 0; l < tape_directions; l++) z[i][l] = x[l * n + i];
  }
}

enum { matrix_unknown, matrix_definite, matrix_other };

static void rates(const TapeCall *call, const uint32_t *args, const double *w, uint32_t result, TapeRates *r) {
  const KernelSolve *s = call->data;
  uint32_t n = s->size;
  double *known = r->room, *m = r->room + 1, *x = m + (size_t)n * (n + tape_directions);
  if (*known == matrix_unknown) {
    load_matrix(s, args, w, m);
    *known = s->symmetric && viva_definite(m, x, n, 0) ? matrix_definite : matrix_other;
  }
  for (uint32_t c = 0; c <= s->more; c++) {
    Directions *z = (Directions *)(void *)(m + (size_t)n * n);
    find_sides(s, args, c, w + result + (size_t)c * n, r, z);
    if (*known == matrix_definite) {
      substitute(m, n, z);
    } else {
      load_matrix(s, args, w, m);
      eliminate(m, n, z, x);
    }
    memcpy(r->of[result + c * n], z, n * sizeof *z);
  }
}

// ---- lanes

// viva_definite over lanes; the bits of `bad` say in which lanes a pivot failed. Always inline: else it would be
// compiled once, for the narrowest registers.
static inline __attribute__((always_inline)) unsigned solve_lanes(const TapeCall *call, const uint32_t *args,
                                                                  double *w) {
  enum { L = lane_count };
  const KernelSolve *s = call->data;
  if (!s->symmetric || s->large) return 0xFF;
  uint32_t n = s->size, columns = 1 + s->more;
  double *x = w + (size_t)call->scratch * L, *m = x + (size_t)n * columns * L;
  unsigned bad = 0;
#define AT(i, j) (m + (size_t)((i)*n + (j)) * L)
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j <= i; j++) memcpy(AT(i, j), w + (size_t)*args++ * L, L * sizeof *w);
  }
  for (uint32_t i = 0; i < n * columns; i++) {
    const double *h = w + (size_t)*args++ * L;
    for (int l = 0; l < L; l++) x[i * L + (uint32_t)l] = -h[l];
  }
  for (uint32_t j = 0; j < n; j++) {
    double whole[L], *d = AT(j, j);
    memcpy(whole, d, sizeof whole);
    for (uint32_t k = 0; k < j; k++) {
      const double *a = AT(j, k), *b = AT(k, k);
      for (int l = 0; l < L; l++) d[l] -= a[l] * a[l] * b[l];
    }
    for (int l = 0; l < L; l++) bad |= !(d[l] > 1e-12 * whole[l]) ? 1u << l : 0u;
    for (uint32_t i = j + 1; i < n; i++) {
      double *e = AT(i, j);
      for (uint32_t k = 0; k < j; k++) {
        const double *a = AT(i, k), *b = AT(j, k), *c = AT(k, k);
        for (int l = 0; l < L; l++) e[l] -= a[l] * b[l] * c[l];
      }
      for (int l = 0; l < L; l++) e[l] = e[l] / d[l];
    }
  }
  for (uint32_t c = 0; c < columns; c++, x += n * L) {
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t k = 0; k < i; k++) {
        const double *a = AT(i, k);
        for (uint32_t l = 0; l < L; l++) x[i * L + l] -= a[l] * x[k * L + l];
      }
    }
    for (uint32_t i = 0; i < n; i++) {
      const double *d = AT(i, i);
      for (uint32_t l = 0; l < L; l++) x[i * L + l] /= d[l];
    }
    for (uint32_t i = n; i-- > 0;) {
      for (uint32_t k = i + 1; k < n; k++) {
        const double *a = AT(k, i);
        for (uint32_t l = 0; l < L; l++) x[i * L + l] -= a[l] * x[k * L + l];
      }
    }
  }
#undef AT
  return bad;
}

TAPE_LANES(over_lanes, solve_lanes)

// ---- C text

static const char *const solve_text[] = {
    "static void viva_load(const viva_real *a, unsigned n, unsigned columns, int symmetric, viva_real *m, viva_real "
    "*x) {",
    "  for (unsigned i = 0; i < n; i++) {",
    "    const unsigned last = symmetric ? i + 1 : n;",
    "    for (unsigned j = 0; j < last; j++) {",
    "      m[i * n + j] = *a++;",
    "      if (symmetric) m[j * n + i] = m[i * n + j];",
    "    }",
    "  }",
    "  for (unsigned i = 0; i < n * columns; i++) x[i] = -*a++;",
    "}",
    "",
    "/* M X = -H; a has the rows of M (of its lower triangle when symmetric), then the columns of H. x has room for "
    "the",
    " * columns of X, which come first, and for M. */",
    "static void viva_solve(const viva_real *a, unsigned n, unsigned columns, int symmetric, viva_real *x) {",
    "  viva_real *m = x + n * columns;",
    "  viva_load(a, n, columns, symmetric, m, x);",
    "  if (symmetric && viva_definite(m, x, n, columns)) return;",
    "  viva_load(a, n, columns, symmetric, m, x);",
    "  viva_general(m, x, n, columns);",
    "}",
    "",
    NULL,
};

static bool emits(const EmitTarget *target, const void *data) {
  const KernelSolve *s = data;
  return target->alone || (s->symmetric && !s->large && s->size <= emit_inline_solve);
}

// Lower triangle of M row by row, then h.
static uint32_t triangle(uint32_t i, uint32_t j) { return i * (i + 1) / 2 + j; }

// One right-hand side, from operand h on, into the variables first .. first + n - 1.
static void put_column_solve(Emit *e, const uint32_t *h, uint32_t n, uint32_t base, uint32_t first) {
  Text *o = e->out;
  for (uint32_t i = 0; i < n; i++) {
    text_printf(o, "  %s r%u = -", e->job->target->real, first + i);
    emit_operand(e, h[i]);
    for (uint32_t k = 0; k < i; k++) text_printf(o, " - l%u_%u_%u*r%u", base, i, k, first + k);
    text_put(o, ";\n");
  }
  for (uint32_t i = 0; i < n; i++) text_printf(o, "  r%u = r%u/d%u_%u;\n", first + i, first + i, base, i);
  for (uint32_t i = n - 1; i-- > 0;) {
    text_printf(o, "  r%u = r%u", first + i, first + i);
    for (uint32_t k = i + 1; k < n; k++) text_printf(o, " - l%u_%u_%u*r%u", base, k, i, first + k);
    text_put(o, ";\n");
  }
}

// M a = -h by M = L D L'. Names: dJ pivots, lIJ below them, rK the solution; N makes them different from others.
static void put_inline(Emit *e, const TapeOp *op, uint32_t index) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t *args = e->tape->args + call->args;
  const KernelSolve *s = call->data;
  uint32_t n = s->size, base = e->values + 1, h = n * (n + 1) / 2, results = tape_leaves(e->tape, op);
  Text *o = e->out;
  const char *type = e->job->target->real;
  for (uint32_t j = 0; j < n; j++) {
    text_printf(o, "  const %s d%u_%u = ", type, base, j);
    emit_operand(e, args[triangle(j, j)]);
    for (uint32_t k = 0; k < j; k++) text_printf(o, " - l%u_%u_%u*l%u_%u_%u*d%u_%u", base, j, k, base, j, k, base, k);
    text_put(o, ";\n");
    for (uint32_t i = j + 1; i < n; i++) {
      text_printf(o, "  const %s l%u_%u_%u = (", type, base, i, j);
      emit_operand(e, args[triangle(i, j)]);
      for (uint32_t k = 0; k < j; k++) text_printf(o, " - l%u_%u_%u*l%u_%u_%u*d%u_%u", base, i, k, base, j, k, base, k);
      text_printf(o, ")/d%u_%u;\n", base, j);
    }
  }
  for (uint32_t c = 0; c <= s->more; c++) put_column_solve(e, args + h + c * n, n, base, base + c * n);
  // not positive definite here: the kernel decides
  const EmitTarget *d = e->job->target;
  text_printf(o, "  if (!%s(", d->every);
  for (uint32_t j = 0; j < n; j++) {
    text_printf(o, "%s(d%u_%u > %s1e-12%s*", j ? d->both : "", base, j, d->all, d->end);
    emit_operand(e, args[triangle(j, j)]);
    text_putc(o, ')');
  }
  text_put(o, ")) {\n");
  for (uint32_t i = 0; i < call->count; i++) {
    if (e->stamp[args[i]] == e->piece) text_printf(o, "    w[%u] = r%u;\n", args[i], e->local[args[i]]);
  }
  text_printf(o, "    k->step(k->tape, %u, %s);\n", index, d->workspace);
  for (uint32_t i = 0; i < results; i++) text_printf(o, "    r%u = w[%u];\n", base + i, op->dst + i);
  text_put(o, "  }\n");
  for (uint32_t i = 0; i < results; i++) emit_name_value(e, op->dst + i, ++e->values);
}

static void put_call(Emit *e, const TapeOp *op) {
  const TapeCall *call = &e->tape->calls[op->a];
  const KernelSolve *s = call->data;
  emit_array(e, "a", e->tape->args + call->args, call->count);
  text_printf(e->out, "    viva_solve(a, %u, %u, %d, w + %u);\n  }\n", s->size, 1 + s->more, s->symmetric, op->dst);
  emit_left_in_slots(e, op);
}

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  if (e->job->target->alone) put_call(e, op);
  else put_inline(e, op, index);
}

const TapeKernel kernel_solve = {
    .name = "solve",
    .fault = "the mass matrix is singular",
    .blames_none = true,
    .results = results,
    .room = room,
    .eval = eval,
    .lanes = over_lanes,
    .tangent = tangent_by_solving,
    .rates = rates,
    .rates_room = rates_room,
    .work = work,
    .emit = emit,
    .emits = emits,
    .sections = (const char *const[]){"solve", NULL},
    .text = solve_text,
};
