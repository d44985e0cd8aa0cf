// The kernels as text for exported C: the lines that kernels.c and base/random.c are compiled from
// (`cmake/embed_lines.cmake` puts them into arrays), and the frames around them.
#include "tape/emit_c.h"

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
