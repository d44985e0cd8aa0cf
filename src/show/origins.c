// Where terms come from: a table in text, a list in JSON, equations with braces in LaTeX and MathML.
#include "show/origins.h"

#include "algebra/origins.h"
#include "show/typeset.h"

#include <string.h>

static uint32_t line_of(const System *s, const ShownOrigin *o) { return source_line(s->sources, o->span); }

void show_origins_text(const System *s, const Derivation *d, Text *out) {
  const char *of = NULL;
  if (d->origins.count) text_put(out, "\nWhere terms come from\n");
  for (uint32_t i = 0; i < d->origins.count; i++) {
    const ShownOrigin *o = &d->origins.items[i];
    if (!of || strcmp(of, o->of) != 0) text_printf(out, "  %s\n", o->of);
    of = o->of;
    const char *kind = origin_name(o->kind);
    text_printf(out, "    %s", kind);
    text_pad(out, ' ', 13 - strlen(kind));
    text_printf(out, "%s    # %s, line %u%s\n", expr_text(d->pool, s->arena, o->value), o->word, line_of(s, o),
                o->right ? ", on the right" : "");
  }
}

void show_origins_json(const System *s, const Derivation *d, Json *j) {
  if (!d->origins.count) return;
  json_open(j, "origins", '[');
  for (uint32_t i = 0; i < d->origins.count; i++) {
    const ShownOrigin *o = &d->origins.items[i];
    json_open(j, NULL, '{');
    json_string(j, "of", o->of);
    json_string(j, "kind", origin_name(o->kind));
    json_string(j, "statement", o->word);
    json_count(j, "line", line_of(s, o));
    json_string(j, "side", o->right ? "right" : "left");
    json_string(j, "value", expr_text(d->pool, s->arena, o->value));
    json_close(j, '}');
  }
  json_close(j, ']');
}

// The sum of one kind on one side of the equation of `of`; 0: there is none.
static ExprId summed(const Derivation *d, const char *of, OriginKind kind, bool right) {
  ExprId sum = d->pool->zero;
  for (uint32_t i = 0; i < d->origins.count; i++) {
    const ShownOrigin *o = &d->origins.items[i];
    if (strcmp(o->of, of) == 0 && o->kind == kind && o->right == right) sum = expr_add(d->pool, sum, o->value);
  }
  return sum == d->pool->zero ? 0 : sum;
}

static bool put_side(const System *s, const Derivation *d, const char *of, bool right, ExprFormat format, Text *out) {
  bool latex = format == format_latex, any = false;
  ExprNames names = table_names(s, s->arena);
  for (int kind = 0; kind < origin_kinds; kind++) {
    ExprId sum = summed(d, of, (OriginKind)kind, right);
    if (!sum) continue;
    if (any) text_put(out, latex ? " + " : "<mo>+</mo>");
    text_put(out, latex ? "\\underbrace{" : "<munder><munder><mrow>");
    expr_print(d->pool, sum, format, &names, out);
    text_printf(out, latex ? "}_{\\text{%s}}" : "</mrow><mo>⏟</mo></munder><mtext>%s</mtext></munder>",
                origin_name((OriginKind)kind));
    any = true;
  }
  return any;
}

// Does a row have something on its left side? Of x' = ... it stands for itself.
static bool has_left(const Derivation *d, const char *of) {
  for (uint32_t i = 0; i < d->origins.count; i++) {
    if (strcmp(d->origins.items[i].of, of) == 0 && !d->origins.items[i].right) return true;
  }
  return false;
}

void show_origins_typeset(const System *s, const Derivation *d, ExprFormat format, Text *out) {
  bool latex = format == format_latex;
  for (uint32_t i = 0; i < d->origins.count; i++) {
    const char *of = d->origins.items[i].of;
    if (i && strcmp(d->origins.items[i - 1].of, of) == 0) continue;
    text_put(out, latex ? "\\[ " : "<math display=\"block\"><mrow>");
    if (has_left(d, of)) put_side(s, d, of, false, format, out);
    else name_print(of, 1, format, out);
    text_put(out, latex ? " = " : "<mo>=</mo>");
    if (!put_side(s, d, of, true, format, out)) text_put(out, latex ? "0" : "<mn>0</mn>");
    text_put(out, latex ? " \\]\n" : "</mrow></math>\n");
  }
}
