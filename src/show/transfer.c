// Transfer functions in symbols: G(s), and the one differential equation between an output and an input.
#include "show/transfer.h"

#include "expr/print.h"
#include "show/json.h"

#include <string.h>

typedef struct TransferShow {
  const Linearization *l;
  ExprPool *pool;
  Arena *arena;
  ExprFormat format;
  Text *out;
} TransferShow;

static const char *printed(TransferShow *w, ExprId id) {
  Text t = text_in(w->arena);
  expr_print(w->pool, id, w->format, NULL, &t);
  return text_str(&t);
}

static const char *named(TransferShow *w, const char *name) {
  Text t = text_in(w->arena);
  name_print(name, 0, w->format, &t);
  return text_str(&t);
}

// Terms from the highest derivative or power down; *many: more than one.
static const char *terms(TransferShow *w, const ExprId *factors, const ExprId *c, uint32_t degree, bool *many) {
  Text t = text_in(w->arena);
  uint32_t count = 0;
  for (uint32_t k = degree + 1; k-- > 0;) {
    if (expr_is_zero(w->pool, c[k])) continue;
    ExprId term = expr_mul(w->pool, c[k], factors[k]);
    uint32_t parts;
    const Term *list = expr_sum_order(w->pool, term, &parts);
    Term *kept = list ? arena_array(w->arena, (size_t)parts + 1, sizeof *kept) : NULL;
    if (!kept) return "";
    memcpy(kept, list, parts * sizeof *kept);
    for (uint32_t i = 0; i < parts; i++) expr_print_term(w->pool, kept[i], count++ == 0, w->format, NULL, &t);
  }
  if (count == 0) text_put(&t, printed(w, w->pool->zero));
  *many = count > 1;
  return text_str(&t);
}

static const char *polynomial(TransferShow *w, const Transfer *t, bool num, bool *many) {
  uint32_t degree = num ? t->num_degree : t->den_degree;
  ExprId *powers = arena_array(w->arena, (size_t)degree + 1, sizeof *powers);
  for (uint32_t k = 0; powers && k <= degree; k++) powers[k] = expr_powi(w->pool, expr_sym(w->pool, t->s), k);
  return powers ? terms(w, powers, num ? t->num : t->den, degree, many) : "";
}

static const char *derivatives(TransferShow *w, const ExprId *c, uint32_t degree, const char *name) {
  ExprId *symbols = arena_array(w->arena, (size_t)degree + 1, sizeof *symbols);
  bool many;
  return symbols && transfer_derivatives(w->pool, w->arena, name, degree, symbols) ? terms(w, symbols, c, degree, &many)
                                                                                   : "";
}

static const char *fraction(TransferShow *w, const Transfer *t) {
  bool above, below;
  const char *num = polynomial(w, t, true, &above), *den = polynomial(w, t, false, &below);
  bool whole = t->den_degree == 0 && t->den[0] == w->pool->one;
  if (whole) return num;
  if (w->format == format_latex) return arena_printf(w->arena, "\\frac{%s}{%s}", num, den);
  if (w->format == format_mathml)
    return arena_printf(w->arena, "<mfrac><mrow>%s</mrow><mrow>%s</mrow></mfrac>", num, den);
  bool product = below || strpbrk(den, "*/");
  return arena_printf(w->arena, "%s%s%s/%s%s%s", above ? "(" : "", num, above ? ")" : "", product ? "(" : "", den,
                      product ? ")" : "");
}

static void sides(TransferShow *w, const TransferPath *p, const char **left, const char **right) {
  const Transfer *t = &p->transfer;
  *left = derivatives(w, t->den, t->den_degree, p->output);
  *right = derivatives(w, t->num, t->num_degree, p->input);
}

// ---- text

static bool at_zero(const Linearization *l) {
  for (uint32_t i = 0; i < l->m; i++) {
    if (!(l->u[i] == 0)) return false;
  }
  for (uint32_t i = 0; i < l->p; i++) {
    if (!(l->y[i] == 0)) return false;
  }
  return true;
}

static void text_notes(TransferShow *w, const TransferPaths *paths) {
  for (uint32_t i = 0; i < paths->count; i++) {
    const TransferPath *p = &paths->items[i];
    if (p->transfer.why)
      text_printf(w->out, "\nNote: from %s to %s there is none: %s\n", p->input, p->output, p->transfer.why);
    else if (p->transfer.cancelled)
      text_printf(w->out, "\nNote: from %s to %s %u of %u poles of the model do%s not count\n", p->input, p->output,
                  p->transfer.cancelled, w->l->n, p->transfer.cancelled == 1 ? "es" : "");
  }
  if (!at_zero(w->l)) text_put(w->out, "\nNote: signals are deviations from the point\n");
  if (!w->l->equilibrium) text_put(w->out, "\nNote: the point is no equilibrium\n");
}

static void show_text_of(TransferShow *w, const TransferPaths *paths) {
  text_put(w->out, "Transfer functions\n");
  for (uint32_t i = 0; i < paths->count; i++) {
    const TransferPath *p = &paths->items[i];
    if (p->transfer.why) continue;
    text_printf(w->out, "  %s/%s = %s\n", p->output, p->input, fraction(w, &p->transfer));
  }
  text_put(w->out, "\nInput-output equations\n");
  for (uint32_t i = 0; i < paths->count; i++) {
    const char *left, *right;
    if (paths->items[i].transfer.why) continue;
    sides(w, &paths->items[i], &left, &right);
    text_printf(w->out, "  %s = %s\n", left, right);
  }
  text_notes(w, paths);
}

// ---- formulas

static void show_latex_of(TransferShow *w, const TransferPaths *paths) {
  for (int part = 0; part < 2; part++) {
    bool first = true;
    text_put(w->out, "\\begin{align*}\n");
    for (uint32_t i = 0; i < paths->count; i++) {
      const TransferPath *p = &paths->items[i];
      const char *left, *right;
      if (p->transfer.why) continue;
      if (!first) text_put(w->out, " \\\\\n");
      first = false;
      if (part == 0) {
        text_printf(w->out, "\\frac{%s(s)}{%s(s)} &= %s", named(w, p->output), named(w, p->input),
                    fraction(w, &p->transfer));
      } else {
        sides(w, p, &left, &right);
        text_printf(w->out, "%s &= %s", left, right);
      }
    }
    text_put(w->out, "\n\\end{align*}\n");
  }
}

static void show_mathml_of(TransferShow *w, const TransferPaths *paths) {
  for (int part = 0; part < 2; part++) {
    for (uint32_t i = 0; i < paths->count; i++) {
      const TransferPath *p = &paths->items[i];
      const char *left, *right;
      if (p->transfer.why) continue;
      text_put(w->out, "<math display=\"block\"><mrow>");
      if (part == 0) {
        text_printf(w->out, "<mfrac><mrow>%s<mo>(</mo><mi>s</mi><mo>)</mo></mrow>", named(w, p->output));
        text_printf(w->out, "<mrow>%s<mo>(</mo><mi>s</mi><mo>)</mo></mrow></mfrac><mo>=</mo>", named(w, p->input));
        text_put(w->out, fraction(w, &p->transfer));
      } else {
        sides(w, p, &left, &right);
        text_printf(w->out, "%s<mo>=</mo>%s", left, right);
      }
      text_put(w->out, "</mrow></math>\n");
    }
  }
}

static void json_list(TransferShow *w, Json *j, const char *key, const ExprId *c, uint32_t degree) {
  json_open(j, key, '[');
  for (uint32_t k = degree + 1; k-- > 0;) json_string(j, NULL, printed(w, c[k])); // the highest power first, as in tf
  json_close(j, ']');
}

static void show_json_of(TransferShow *w, const TransferPaths *paths) {
  Json json = {.out = w->out}, *j = &json;
  json_open(j, NULL, '{');
  json_bool(j, "equilibrium", w->l->equilibrium);
  json_strings(j, "states", w->l->states, w->l->n);
  json_open(j, "transfer", '[');
  for (uint32_t i = 0; i < paths->count; i++) {
    const TransferPath *p = &paths->items[i];
    const Transfer *t = &p->transfer;
    json_open(j, NULL, '{');
    json_string(j, "input", p->input);
    json_string(j, "output", p->output);
    if (t->why) {
      json_string(j, "why", t->why);
    } else {
      const char *left, *right;
      json_string(j, "G", fraction(w, t));
      json_list(w, j, "num", t->num, t->num_degree);
      json_list(w, j, "den", t->den, t->den_degree);
      sides(w, p, &left, &right);
      const char *equation = arena_printf(w->arena, "%s = %s", left, right);
      json_string(j, "equation", equation);
      json_count(j, "cancelled", t->cancelled);
    }
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
  text_putc(w->out, '\n');
}

void show_transfer(const Linearization *l, const TransferPaths *paths, ShowFormat format, Text *out) {
  TransferShow show = {.l = l, .pool = l->o->s.pool, .arena = out->arena, .out = out}, *w = &show;
  switch (format) {
  case show_latex: w->format = format_latex; break;
  case show_mathml: w->format = format_mathml; break;
  default: w->format = format_text; break;
  }
  if (format == show_latex) show_latex_of(w, paths);
  else if (format == show_mathml) show_mathml_of(w, paths);
  else if (format == show_json) show_json_of(w, paths);
  else show_text_of(w, paths);
}
