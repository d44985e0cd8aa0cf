#include "show/typeset.h"

#include <string.h>

typedef struct Typeset {
  ExprPool *pool;
  ExprNames names;
  ExprFormat format;
  Text *out;
} Typeset;

ExprNames typeset_names(const System *s) {
  const Model *m = s->model;
  const char **names = arena_array(s->arena, m->tables.count, sizeof *names);
  for (uint32_t i = 0; names && i < m->tables.count; i++) names[i] = m->tables.items[i].text;
  return (ExprNames){names, names ? m->tables.count : 0};
}

static void put(Typeset *t, const char *latex, const char *mathml) { text_put(t->out, t->format == format_latex ? latex : mathml); }
static void put_expr(Typeset *t, ExprId id) { expr_print(t->pool, id, t->format, &t->names, t->out); }

static const char open_display[] = "<math display=\"block\">", open_inline[] = "<math>";

void mathml_expression(ExprPool *pool, const ExprNames *names, ExprId id, bool display, Text *out) {
  text_printf(out, "%s<mrow>", display ? open_display : open_inline);
  expr_print(pool, id, format_mathml, names, out);
  text_put(out, "</mrow></math>");
}

void mathml_equation(ExprPool *pool, const ExprNames *names, ExprId lhs, ExprId rhs, bool display, Text *out) {
  text_printf(out, "%s<mrow>", display ? open_display : open_inline);
  expr_print(pool, lhs, format_mathml, names, out);
  text_put(out, "<mo>=</mo>");
  expr_print(pool, rhs, format_mathml, names, out);
  text_put(out, "</mrow></math>");
}

void equation_left(ExprPool *pool, const ExprNames *names, const ShownEquation *e, ExprFormat format, Text *out) {
  if (e->lhs) {
    expr_print(pool, e->lhs, format, names, out);
    return;
  }
  if (format == format_text) {
    text_printf(out, "d(%s)/dt", e->of);
    return;
  }
  size_t primes = 0;
  for (const char *p = e->of; *p; p++) primes += *p == '\'';
  text_put(out, format == format_latex ? "\\frac{d}{dt} " : "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>");
  name_print(e->of, (uint32_t)primes, format, out);
}

// Matrices and vectors are bold, so that a mass M and the matrix M stay apart; a gradient is written as one.
static void put_matrix_name(Typeset *t, const char *name, uint32_t primes) {
  static const char *const open[] = {"", "\\dot{", "\\ddot{"}, *const dots[] = {"", "˙", "¨"};
  size_t n = strlen(name);
  while (n > 1 && name[n - 1] == '_') n--;
  if (n == 2 && memcmp(name, "dV", 2) == 0) {
    put(t, "\\nabla V", "<mrow><mo>∇</mo><mi>V</mi></mrow>");
  } else if (t->format == format_latex) {
    text_printf(t->out, "%s\\mathbf{%.*s}%s", open[primes % 3], (int)n, name, primes % 3 ? "}" : "");
  } else {
    if (primes % 3) text_put(t->out, "<mover>");
    text_printf(t->out, "<mi mathvariant=\"normal\" style=\"font-weight:bold\">%.*s</mi>", (int)n, name);
    if (primes % 3) text_printf(t->out, "<mo stretchy=\"false\">%s</mo></mover>", dots[primes % 3]);
  }
}

// M*q'' + C*q' + dV = B*u
static void put_sum(Typeset *t, const char *sum) {
  static const char rate[] = "d(q')/dt";
  while (*sum) {
    size_t n = strcspn(sum, "*+-= ");
    if (strncmp(sum, rate, sizeof rate - 1) == 0) {
      put(t, "\\frac{d}{dt} \\dot{\\mathbf{q}}", "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>");
      if (t->format == format_mathml) put_matrix_name(t, "q", 1);
      sum += sizeof rate - 1;
    } else if (n > 0) {
      char name[64];
      uint32_t primes = 0;
      size_t length = n;
      while (length && sum[length - 1] == '\'') length--, primes++;
      if (length < sizeof name) {
        memcpy(name, sum, length);
        name[length] = '\0';
        put_matrix_name(t, name, primes);
      }
      sum += n;
    } else {
      if (*sum == '*') put(t, " ", "<mo>\xE2\x81\xA2</mo>");
      else if (*sum == '+') put(t, "+", "<mo>+</mo>");
      else if (*sum == '=') put(t, "=", "<mo>=</mo>");
      else put(t, " ", "");
      sum++;
    }
  }
}

static void put_matrix(Typeset *t, const ShownMatrix *m) {
  put(t, "\\[ ", "<math display=\"block\"><mrow>");
  put_matrix_name(t, m->name, 0);
  put(t, " = \\begin{bmatrix} ", "<mo>=</mo><mrow><mo>[</mo><mtable>");
  for (uint32_t i = 0; i < m->rows; i++) {
    put(t, "", "<mtr>");
    for (uint32_t j = 0; j < m->cols; j++) {
      put(t, j ? " & " : "", "<mtd>");
      put_expr(t, m->items[i * m->cols + j]);
      put(t, "", "</mtd>");
    }
    put(t, i + 1 < m->rows ? " \\\\ " : "", "</mtr>");
  }
  put(t, " \\end{bmatrix} \\]\n", "</mtable><mo>]</mo></mrow></mrow></math>\n");
}

void typeset_derivation(const System *s, const Derivation *d, ExprFormat format, Text *out) {
  Typeset work = {d->pool, typeset_names(s), format, out}, *t = &work;
  if (d->sum) {
    put(t, "\\[ ", "<math display=\"block\"><mrow>");
    put_sum(t, d->sum);
    put(t, " \\]\n", "</mrow></math>\n");
  }
  for (uint32_t i = 0; i < d->matrices.count; i++) put_matrix(t, &d->matrices.items[i]);
  if (!d->equations.count) return;
  put(t, "\\begin{align*}\n", "");
  for (uint32_t i = 0; i < d->equations.count; i++) {
    const ShownEquation *e = &d->equations.items[i];
    put(t, "", "<math display=\"block\"><mrow>");
    equation_left(t->pool, &t->names, e, format, out);
    put(t, " &= ", "<mo>=</mo>");
    put_expr(t, e->rhs);
    put(t, i + 1 < d->equations.count ? " \\\\\n" : "\n", "</mrow></math>\n");
  }
  put(t, "\\end{align*}\n", "");
}
