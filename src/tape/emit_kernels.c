// The kernels as text for exported C: the lines that kernels.c and base/random.c are compiled from
// (`cmake/embed_lines.cmake` puts them into arrays), and the frames around them.
#include "tape/emit_parts.h"

#include "tape/kernels.h"

#include <string.h>

#include "kernel_lines.h"

static const char *const sincos_text[] = {
    "#ifndef VIVA_SLEEF",
    "typedef struct viva_pair {",
    "  viva_real x, y;",
    "} viva_pair;",
    "static viva_pair viva_sincos(viva_real a) {",
    "  viva_pair r;",
    "  r.x = viva_sin(a);",
    "  r.y = viva_cos(a);",
    "  return r;",
    "}",
    "#endif",
    "",
    NULL,
};

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

static const char *const noise_text[] = {
    "static viva_real viva_noise(viva_real seed, viva_real which) {",
    "  const double s = (double)seed, n = (double)which;",
    "  if (!(fabs(n) < 9e15) || !(fabs(s) < 9e15)) return (viva_real)NAN;",
    "  return (viva_real)viva_quantile(viva_uniform(viva_bits((uint64_t)(int64_t)s, (uint64_t)(int64_t)n)));",
    "}",
    "",
    NULL,
};

static void put_lines(Text *out, const char *const *lines) {
  for (; *lines; lines++) {
    text_put(out, *lines);
    text_putc(out, '\n');
  }
}

static void put_section(Text *out, const char *const *lines, const char *name) {
  bool inside = false;
  for (; *lines; lines++) {
    if (strncmp(*lines, "/* section ", 11) == 0) {
      inside = strncmp(*lines + 11, name, strlen(name)) == 0 && (*lines)[11 + strlen(name)] == ' ';
    } else if (inside) {
      text_put(out, *lines);
      text_putc(out, '\n');
    }
  }
}

void emit_helpers(Text *out, const EmitNeeds *needs) {
  if (needs->sincos) put_lines(out, sincos_text);
  if (needs->solve) {
    put_section(out, kernels_lines, "solve");
    put_lines(out, solve_text);
  }
  if (needs->table) put_section(out, kernels_lines, "table");
  if (needs->noise) {
    put_section(out, random_lines, "noise");
    put_lines(out, noise_text);
  }
  if (needs->integral || needs->inverse) put_section(out, kernels_lines, "body");
  if (needs->integral) put_section(out, kernels_lines, "integral");
  if (needs->inverse) put_section(out, kernels_lines, "inverse");
}

// ---- calls

// Lower triangle of M row by row, then h.
static uint32_t triangle(uint32_t i, uint32_t j) { return i * (i + 1) / 2 + j; }

// One right-hand side, from operand h on, into the variables first .. first + n - 1.
static void put_column_solve(Emit *e, const uint32_t *h, uint32_t n, uint32_t base, uint32_t first) {
  Text *o = e->out;
  for (uint32_t i = 0; i < n; i++) {
    text_printf(o, "  %s r%u = -", e->job->dialect->real, first + i);
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
void emit_solve_inline(Emit *e, const TapeOp *op, uint32_t index) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t *args = e->tape->args + call->args;
  uint32_t n = call->size, base = e->values + 1, h = n * (n + 1) / 2, results = tape_leaves(e->tape, op);
  Text *o = e->out;
  const char *type = e->job->dialect->real;
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
  for (uint32_t c = 0; c <= call->more; c++) put_column_solve(e, args + h + c * n, n, base, base + c * n);
  // not positive definite here: the kernel decides
  const EmitDialect *d = e->job->dialect;
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

// Kernels in text that stands alone.
void emit_exported_kernel(Emit *e, const TapeOp *op) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t *args = e->tape->args + call->args;
  Text *o = e->out;
  uint32_t number = ++e->values;
  switch ((TapeCode)op->code) {
  case tape_solve:
    text_printf(o, "  {\n    const viva_real a[%u] = {\n      ", call->count);
    emit_operands(e, args, call->count);
    text_printf(o, "};\n    viva_solve(a, %u, %u, %d, w + %u);\n  }\n", call->size, 1 + call->more, call->symmetric,
                op->dst);
    for (uint32_t i = 0; i < tape_leaves(e->tape, op); i++) e->stamp[op->dst + i] = 0;
    e->values += tape_leaves(e->tape, op) - 1;
    return;
  case tape_table:
    text_printf(o, "  const viva_real r%u = viva_table(", number);
    emit_operand(e, args[0]);
    text_printf(o, ", %u, %s_x%u, %s_y%u, %d);\n", call->table->count, e->job->name, op->a, e->job->name, op->a,
                call->slope);
    break;
  case tape_noise:
    text_printf(o, "  const viva_real r%u = viva_noise(", number);
    emit_operands(e, args, 2);
    text_put(o, ");\n");
    break;
  case tape_integral:
  case tape_inverse: {
    uint32_t own = op->code == tape_integral ? 2 : 1;
    for (uint32_t i = own; i < call->count; i++) {
      text_printf(o, "  w[%u] = ", call->scratch + 1 + i - own);
      emit_operand(e, args[i]);
      text_put(o, ";\n");
    }
    text_printf(o, "  %s_body%u_prepare(w + %u);\n", e->job->name, op->a, call->scratch);
    text_printf(o, "  const viva_real r%u = viva_%s(%s_body%u_at, 0, w + %u, ", number,
                own == 2 ? "integral" : "inverse", e->job->name, op->a, call->scratch);
    if (own == 2) {
      const uint32_t watches = call->body->output_count - 1;
      if (watches) text_printf(o, "%s_body%u_watches, ", e->job->name, op->a);
      else text_put(o, "0, ");
      text_printf(o, "%u, w + %u, ", watches, call->scratch + call->body->slot_count);
    }
    emit_operands(e, args, own);
    if (own == 2) {
      text_put(o, ", ");
      emit_literal(e, kernel_digits(call));
    }
    if (own == 1) text_printf(o, ", %d", call->moving);
    text_put(o, ", 0);\n");
    break;
  }
  default: return;
  }
  emit_name_value(e, op->dst, number);
}

// Small symmetric blocks are solved in line, as solve_definite does; the kernel takes over where that fails.
bool emit_solved_inline(const Emit *e, const TapeOp *op) {
  if (e->job->dialect->alone || op->code != tape_solve) return false;
  const TapeCall *call = &e->tape->calls[op->a];
  return call->symmetric && !call->large && call->size <= emit_inline_solve;
}

static bool put_body(const EmitJob *job, uint32_t call) {
  const Tape *body = job->tape->calls[call].body;
  EmitJob inner = *job;
  inner.tape = body;
  inner.names = NULL;
  inner.name = arena_printf(job->arena, "%s_body%u", job->name, call);
  if (!inner.name || !emit_c(&inner)) return false;
  text_printf(job->out,
              "static viva_real %s_at(const void *self, viva_real *w, viva_real s, viva_real *more) {\n  (void)self;\n "
              " (void)more;\n  w[0] = s;\n  %s(w);\n",
              inner.name, inner.name);
  for (uint32_t i = 1; i < body->output_count; i++) {
    text_printf(job->out, "  more[%u] = ", i - 1);
    emit_result(&inner, i);
    text_put(job->out, ";\n");
  }
  text_put(job->out, "  return ");
  emit_result(&inner, 0);
  text_put(job->out, ";\n}\n");
  const uint8_t *watches = job->tape->calls[call].watches;
  for (uint32_t i = 0; watches && i + 1 < body->output_count; i++) {
    if (i == 0)
      text_printf(job->out, "static const unsigned char %s_watches[%u] = {", inner.name, body->output_count - 1);
    text_printf(job->out, i + 2 < body->output_count ? "%u, " : "%u};\n", watches[i]);
  }
  text_put(job->out, "\n");
  return true;
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

bool emit_kernel_data(const EmitJob *job, uint32_t index) {
  const TapeCall *call = &job->tape->calls[index];
  if (call->body && !put_body(job, index)) return false;
  if (!call->table) return true;
  put_column(job, 'x', index, call->table->x, call->table->count);
  put_column(job, 'y', index, call->table->y, call->table->count);
  return true;
}

void emit_needs(const Tape *t, EmitNeeds *needs) {
  for (uint32_t part = 0; part < 2; part++) {
    const TapeOp *ops = part ? t->ops : t->prologue;
    for (uint32_t i = 0; i < (part ? t->op_count : t->prologue_count); i++) {
      switch ((TapeCode)ops[i].code) {
      case tape_sincos: needs->sincos = true; break;
      case tape_solve: needs->solve = true; break;
      case tape_table: needs->table = true; break;
      case tape_noise: needs->noise = true; break;
      case tape_integral:
        needs->integral = true;
        emit_needs(t->calls[ops[i].a].body, needs);
        break;
      case tape_inverse:
        needs->inverse = true;
        emit_needs(t->calls[ops[i].a].body, needs);
        break;
      default: break;
      }
    }
  }
}
