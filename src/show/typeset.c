// Equations and matrices as LaTeX or MathML.
//
// in    a Derivation
// out   displayed formulas: equations, then constraints, in rows (rows.c); matrices with bold names, written out where
//       they fit a line, else entry by entry, without zeros and without what symmetry says; inputs as equations
// how   each small thing is written in both formats side by side; `put` takes the one that is wanted
#include "show/typeset.h"

#include "show/rows.h"

#include <string.h>

typedef struct Typeset {
  ExprPool *pool;
  Arena *arena;
  ExprNames names;
  ExprFormat format;
  Text *out;
} Typeset;

const char *typeset_heading(const System *s, const Derivation *d) {
  static const char *const headings[] = {
      "Lagrange's equations", "Equations in matrix form", "Equations of first order", "Accelerations",
      "Kinematics",           "Port-Hamiltonian form"};
  return d->form == form_lagrange && !s->lagrange.used ? "Equations" : headings[d->form];
}

static void put(Typeset *t, const char *latex, const char *mathml) {
  text_put(t->out, t->format == format_latex ? latex : mathml);
}
static void put_expr(Typeset *t, ExprId id) { expr_print(t->pool, id, t->format, &t->names, t->out); }

void typeset_equation_left(ExprPool *pool, const ExprNames *names, const ShownEquation *e, ExprFormat format,
                           Text *out) {
  if (e->lhs) {
    expr_print(pool, e->lhs, format, names, out);
    return;
  }
  if (format == format_text) {
    text_printf(out, "d(%s)/dt", e->of);
    return;
  }
  const char *rate =
      format == format_latex ? "\\frac{d}{dt} " : "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>";
  text_put(out, rate);
  if (e->combination) {
    text_put(out, format == format_latex ? "\\left(" : "<mrow><mo>(</mo>");
    expr_print(pool, e->combination, format, names, out);
    text_put(out, format == format_latex ? "\\right)" : "<mo>)</mo></mrow>");
    return;
  }
  symbol_print(pool, e->symbol, format, out);
}

// Matrices and vectors are bold, so that a mass M and the matrix M stay apart; a gradient is written as one.
static void put_matrix_name(Typeset *t, const char *name, uint32_t primes) {
  static const char *const open[] = {"", "\\dot{", "\\ddot{"}, *const dots[] = {"", "˙", "¨"};
  size_t n = strlen(name);
  while (n > 1 && name[n - 1] == '_') n--;
  if (n == 2 && memcmp(name, "dV", 2) == 0) {
    put(t, "\\nabla V", "<mrow><mo>∇</mo><mi>V</mi></mrow>");
  } else if (n == 2 && memcmp(name, "dH", 2) == 0) {
    put(t, "\\nabla H", "<mrow><mo>∇</mo><mi>H</mi></mrow>");
  } else if (t->format == format_latex) {
    text_printf(t->out, "%s\\mathbf{%.*s}%s", open[primes % 3], (int)n, name, primes % 3 ? "}" : "");
  } else {
    if (primes % 3) text_put(t->out, "<mover accent=\"true\">");
    text_printf(t->out, "<mi mathvariant=\"normal\" style=\"font-weight:bold\">%.*s</mi>", (int)n, name);
    if (primes % 3)
      text_printf(t->out, "<mo stretchy=\"false\" style=\"padding-bottom:.12em\">%s</mo></mover>", dots[primes % 3]);
  }
}

// The rest of transpose(G) or transpose(G + P); what follows it.
static const char *put_transposed(Typeset *t, const char *name) {
  size_t n = strcspn(name, ")"), first = strcspn(name, " +)");
  put(t, "", "<msup><mrow>");
  if (first < n) put(t, "(", "<mo>(</mo>");
  put_matrix_name(t, arena_printf(t->arena, "%.*s", (int)first, name), 0);
  if (first < n) {
    put(t, "+", "<mo>+</mo>");
    size_t second = first + strspn(name + first, " +");
    put_matrix_name(t, arena_printf(t->arena, "%.*s", (int)(n - second), name + second), 0);
    put(t, ")", "<mo>)</mo>");
  }
  put(t, "^{\\mathsf{T}}", "</mrow><mi mathvariant=\"normal\">T</mi></msup>");
  return name + n + (name[n] == ')');
}

// M*q'' + C*q' + dV = B*u + transpose(G)*lambda, x' = (J - R)*dH + G*u, y = transpose(G + P)*dH
static void put_sum(Typeset *t, const char *sum) {
  static const char rate[] = "d(q')/dt", transposed[] = "transpose(", multipliers[] = "lambda";
  while (*sum) {
    size_t n = strcspn(sum, "*+-= ,()");
    if (strncmp(sum, transposed, sizeof transposed - 1) == 0) {
      sum = put_transposed(t, sum + sizeof transposed - 1);
    } else if (strncmp(sum, multipliers, sizeof multipliers - 1) == 0) {
      put(t, "\\boldsymbol{\\lambda}", "<mi style=\"font-weight:bold\">λ</mi>");
      sum += sizeof multipliers - 1;
    } else if (strncmp(sum, rate, sizeof rate - 1) == 0) {
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
      else if (*sum == '-') put(t, "-", "<mo>−</mo>");
      else if (*sum == '(') put(t, "(", "<mo>(</mo>");
      else if (*sum == ')') put(t, ")", "<mo>)</mo>");
      else if (*sum == '=') put(t, "=", "<mo>=</mo>");
      else if (*sum == ',') put(t, ",\\quad ", "<mo separator=\"true\">,</mo><mspace width=\"1em\"/>");
      else put(t, " ", "");
      sum++;
    }
  }
}

// ---- ranges

// n-1
static void put_end(const ShownRange *r, ExprFormat format, Text *out) {
  bool latex = format == format_latex;
  if (r->name) name_print(r->name, 0, format, out);
  if (r->name && r->to) text_put(out, latex ? (r->to > 0 ? "+" : "-") : r->to > 0 ? "<mo>+</mo>" : "<mo>−</mo>");
  long long number = r->name && r->to < 0 ? -(long long)r->to : (long long)r->to;
  if (!r->name || number) text_printf(out, latex ? "%lld" : "<mn>%lld</mn>", number);
}

void typeset_range(const ShownRange *r, ExprFormat format, Text *out) {
  text_printf(out,
              format == format_latex
                  ? "\\text{for }%s\\text{ in }%lld\\,..\\,"
                  : "<mtext>for\xC2\xA0</mtext><mi>%s</mi><mtext>\xC2\xA0in\xC2\xA0</mtext><mn>%lld</"
                    "mn><mtext>\xC2\xA0..\xC2\xA0</mtext>",
              r->letter, (long long)r->from);
  put_end(r, format, out);
}

void typeset_sum(ExprPool *pool, const ExprNames *names, const ShownTerm *t, ExprFormat format, Text *out) {
  bool latex = format == format_latex, brackets = expr_op(pool, t->value) == op_add;
  text_printf(
      out, latex ? "\\sum_{%s=%lld}^{" : "<munderover><mo>∑</mo><mrow><mi>%s</mi><mo>=</mo><mn>%lld</mn></mrow><mrow>",
      t->repeat->letter, (long long)t->repeat->from);
  put_end(t->repeat, format, out);
  text_put(out, latex ? "} " : "</mrow></munderover>");
  if (brackets) text_put(out, latex ? "(" : "<mo>(</mo>");
  expr_print(pool, t->value, format, names, out);
  if (brackets) text_put(out, latex ? ")" : "<mo>)</mo>");
}

double typeset_range_width(const ShownRange *range) { return (double)strlen(range->text); }

static void put_range(EquationRows *rows, const ShownRange *range) {
  Text text = text_in(rows->arena);
  typeset_range(range, rows->format, &text);
  rows_behind(rows, (Piece){text_str(&text), typeset_range_width(range), false});
}

// ---- matrices

// Does it fit a line? Columns stand apart by two letters.
static bool matrix_fits(Typeset *t, const ShownMatrix *m) {
  double width = 8;
  for (uint32_t j = 0; j < m->cols; j++) {
    double widest = 0;
    for (uint32_t i = 0; i < m->rows; i++) {
      Text cell = text_in(t->arena);
      expr_print(t->pool, m->items[i * m->cols + j], format_latex, &t->names, &cell);
      double w = rows_latex_width(text_str(&cell));
      widest = w > widest ? w : widest;
    }
    width += widest + 2;
  }
  return width <= rows_width && m->rows <= 30 && m->cols <= 10; // amsmath: ten columns
}

// One of the two indices of a matrix entry: 3, i+1, 2i-1.
static void put_place(Typeset *t, const char *letter, ShownPlace place) {
  bool latex = t->format == format_latex;
  long long add = place.add;
  if (place.factor > 1) text_printf(t->out, latex ? "%u" : "<mn>%u</mn><mo>\xE2\x81\xA2</mo>", place.factor);
  if (place.factor) text_printf(t->out, latex ? "%s" : "<mi>%s</mi>", letter);
  if (place.factor && add) text_put(t->out, latex ? (add > 0 ? "+" : "-") : add > 0 ? "<mo>+</mo>" : "<mo>−</mo>");
  if (!place.factor || add) text_printf(t->out, latex ? "%lld" : "<mn>%lld</mn>", place.factor && add < 0 ? -add : add);
}

static const char *entry_name(Typeset *t, const ShownMatrix *m, const ShownEntry *e, ExprFormat format) {
  Text name = text_in(t->arena);
  Typeset inner = *t;
  inner.out = &name;
  inner.format = format;
  put(&inner, "(", "<msub><mrow>");
  put_matrix_name(&inner, m->name, 0);
  put(&inner, ")_{", "</mrow><mrow>");
  const char *letter = e->repeat ? e->repeat->letter : "";
  put_place(&inner, letter, e->row);
  if (m->cols > 1) {
    put(&inner, ",", "<mo separator=\"true\">,</mo>");
    put_place(&inner, letter, e->col);
  }
  put(&inner, "}", "</mrow></msub>");
  return text_str(&name);
}

static void put_entry(Typeset *t, EquationRows *rows, const ShownMatrix *m, const ShownEntry *e) {
  rows_line(rows, entry_name(t, m, e, t->format), entry_name(t, m, e, format_latex), e->value);
  if (e->repeat) put_range(rows, e->repeat);
}

static void put_left_out(Typeset *t, bool symmetric, bool zeros) {
  const char *words = symmetric && zeros ? "(symmetric; other entries are zero)"
                      : symmetric        ? "(symmetric)"
                                         : "(other entries are zero)";
  if (!symmetric && !zeros) return;
  text_printf(t->out, t->format == format_latex ? "%s\n\n" : "<math display=\"block\"><mtext>%s</mtext></math>\n",
              words);
}

// What repeats, once.
static void put_stretches(Typeset *t, const ShownMatrix *m) {
  EquationRows rows = rows_in(t->pool, t->arena, &t->names, t->format);
  for (uint32_t i = 0; i < m->entry_count; i++) put_entry(t, &rows, m, &m->entries[i]);
  rows_put(&rows, t->out);
  put_left_out(t, m->symmetric, m->zeros);
}

// Entry by entry; zeros are left out, and of a symmetric matrix what stands below the diagonal.
static void put_entries(Typeset *t, const ShownMatrix *m) {
  bool symmetric = m->rows == m->cols && m->rows > 1;
  for (uint32_t i = 0; symmetric && i < m->rows; i++) {
    for (uint32_t j = 0; j < i; j++) symmetric = symmetric && m->items[i * m->cols + j] == m->items[j * m->cols + i];
  }
  EquationRows rows = rows_in(t->pool, t->arena, &t->names, t->format);
  for (uint32_t i = 0; i < m->rows; i++) {
    for (uint32_t j = symmetric ? i : 0; j < m->cols; j++) {
      ExprId entry = m->items[i * m->cols + j];
      if (expr_is_zero(t->pool, entry)) continue;
      put_entry(t, &rows, m, &(ShownEntry){.row = {0, i + 1}, .col = {0, j + 1}, .value = entry});
    }
  }
  rows_put(&rows, t->out);
  put_left_out(t, symmetric, symmetric);
}

static void put_matrix(Typeset *t, const ShownMatrix *m) {
  if (m->entry_count) {
    put_stretches(t, m);
    return;
  }
  if (!matrix_fits(t, m)) {
    put_entries(t, m);
    return;
  }
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

static void put_remark(EquationRows *rows, const ShownEquation *e) {
  if (e->repeat) put_range(rows, e->repeat);
  if (e->held) rows_remark(rows, words_between);
}

void typeset_derivation(const System *s, const Derivation *d, ExprFormat format, bool numbered, Text *out) {
  Typeset work = {d->pool, s->arena, table_names(s, s->arena), format, out}, *t = &work;
  t->names.decimals = d->decimals;
  if (d->sum) {
    put(t, "\\[ ", "<math display=\"block\"><mrow>");
    put_sum(t, d->sum);
    put(t, " \\]\n", "</mrow></math>\n");
  }
  for (uint32_t i = 0; i < d->matrices.count; i++) put_matrix(t, &d->matrices.items[i]);
  EquationRows shared = rows_in(t->pool, t->arena, &t->names, format);
  for (uint32_t i = 0; i < d->shared.count; i++) rows_equation(&shared, d->shared.items[i].lhs, d->shared.items[i].rhs);
  rows_put(&shared, out);
  EquationRows rows = rows_in(t->pool, t->arena, &t->names, format);
  rows.numbered = numbered;
  for (uint32_t i = 0; i < d->equations.count; i++) {
    const ShownEquation *e = &d->equations.items[i];
    if (e->lhs) {
      rows_equation(&rows, e->lhs, e->rhs);
      put_remark(&rows, e);
      continue;
    }
    Text left = text_in(t->arena), latex = text_in(t->arena);
    typeset_equation_left(t->pool, &t->names, e, format, &left);
    typeset_equation_left(t->pool, &t->names, e, format_latex, &latex);
    rows_line(&rows, text_str(&left), text_str(&latex), e->rhs);
    put_remark(&rows, e);
  }
  for (uint32_t i = 0; i < d->once.constraints.count; i++) {
    const ShownEquation *e = &d->once.constraints.items[i];
    rows_equation(&rows, e->lhs, e->rhs);
    put_remark(&rows, e);
  }
  rows_put(&rows, out);
  if (d->jacobian.rows) put_matrix(t, &d->jacobian);
}

void typeset_inputs(const System *s, const Derivation *d, bool all, ExprFormat format, Text *out) {
  Derivation list = {.pool = d->pool, .decimals = d->decimals};
  for (uint32_t i = 0; i < d->inputs.count; i++) {
    if (all || !expr_is_zero(d->pool, d->inputs.items[i].rhs)) vec_push(s->arena, &list.equations, d->inputs.items[i]);
  }
  if (list.equations.count) typeset_derivation(s, &list, format, false, out);
}
