// Blocks as case distinctions, events as sentences, in every format.
//
// What is said in words comes from templates: %v the value, %c the condition, %T the time, all else words. In print
// words stand in \text{} or <mtext> beside the formulas.
#include "show/statements.h"

#include "show/rows.h"

#include <string.h>

typedef struct StatementShow {
  const System *s;
  const Derivation *d;
  ExprNames names;
  ExprFormat format;
  Text *out;
} StatementShow;

static StatementShow show_in(const System *s, const Derivation *d, ExprFormat format, Text *out) {
  StatementShow show = {s, d, table_names(s, s->arena), format, out};
  show.names.decimals = d->decimals;
  return show;
}

static const char *printed(const StatementShow *w, ExprId id, ExprFormat format) {
  Text t = text_in(w->s->arena);
  expr_print(w->d->pool, id, format, &w->names, &t);
  return text_str(&t);
}

static const char *symbol_text(const StatementShow *w, SymbolId symbol, ExprFormat format) {
  Text t = text_in(w->s->arena);
  symbol_print(w->d->pool, symbol, format, &t);
  return text_str(&t);
}

// ---- words and formulas

static void put_words(const char *words, size_t n, ExprFormat format, Text *out) {
  if (n == 0) return;
  if (format == format_latex) text_put(out, "\\text{");
  if (format == format_mathml) text_put(out, "<mtext>");
  // a blank at the edge of a text element is no blank to a browser
  for (size_t i = 0; i < n; i++) {
    if (format == format_mathml && words[i] == ' ' && (i == 0 || i + 1 == n)) text_put(out, "\xC2\xA0");
    else text_putc(out, words[i]);
  }
  if (format == format_latex) text_putc(out, '}');
  if (format == format_mathml) text_put(out, "</mtext>");
}

static void put_template(const StatementShow *w, const char *words, const ShownCase *c, ExprFormat format, Text *out) {
  while (*words) {
    size_t n = strcspn(words, "%");
    put_words(words, n, format, out);
    words += n;
    if (!*words) break;
    ExprId id = words[1] == 'v' ? c->value : words[1] == 'c' ? c->where : c->time;
    text_put(out, printed(w, id, format));
    words += 2;
  }
}

// The value a time ago: x(t - T), (x - v)(t - T)
static void put_delayed(const StatementShow *w, const ShownCase *c, ExprFormat format, Text *out) {
  ExprPool *pool = w->d->pool;
  ExprId then = expr_sub(pool, expr_sym(pool, w->s->time), c->time);
  bool alone = expr_symbol(pool, c->value) != 0;
  static const char *const open[] = {"(", "\\left(", "<mrow><mo>(</mo>"};
  static const char *const close[] = {")", "\\right)", "<mo>)</mo></mrow>"};
  if (!alone) text_put(out, open[format]);
  text_put(out, printed(w, c->value, format));
  if (!alone) text_put(out, close[format]);
  if (format == format_mathml) text_put(out, "<mo>\xE2\x81\xA1</mo>");
  bool flat = format == format_latex && !strstr(printed(w, then, format), "\\frac");
  text_put(out, flat ? "(" : open[format]);
  text_put(out, printed(w, then, format));
  text_put(out, flat ? ")" : close[format]);
}

static void put_value(const StatementShow *w, const ShownCase *c, ExprFormat format, Text *out) {
  if (c->is == case_delayed) put_delayed(w, c, format, out);
  else if (c->is == case_as_it_was) put_template(w, "as it was", c, format, out);
  else if (c->is == case_holding) put_template(w, "what holds it there, up to %v", c, format, out);
  else text_put(out, printed(w, c->value, format));
}

static void put_where(const StatementShow *w, const ShownCase *c, ExprFormat format, Text *out) {
  static const char *const templates[] = {
      [where_holds] = "where %c",
      [where_otherwise] = "otherwise",
      [where_was_below] = "where it was below this",
      [where_was_above] = "where it was above this",
      [where_pulse] = "for %T from each moment at which %c becomes true",
      [where_at_rest] = "where %c = 0",
  };
  // an equals sign is no word
  if (c->at == where_at_rest && format != format_text) {
    put_template(w, "where %c", c, format, out);
    text_put(out, format == format_latex ? " = 0" : "<mo>=</mo><mn>0</mn>");
    return;
  }
  put_template(w, templates[c->at], c, format, out);
}

// ---- text

static void case_text(const StatementShow *w, const ShownCase *c, bool first, Text *out) {
  if (!first) text_put(out, c->at == where_otherwise ? ", else " : c->is == case_holding ? ", and " : ", ");
  if (c->is == case_holding) {
    put_where(w, c, format_text, out);
    text_putc(out, ' ');
    put_value(w, c, format_text, out);
    return;
  }
  put_value(w, c, format_text, out);
  if (c->at == where_otherwise) return;
  text_putc(out, ' ');
  put_where(w, c, format_text, out);
}

void show_blocks_text(const System *s, const Derivation *d, Text *out) {
  StatementShow show = show_in(s, d, format_text, out), *w = &show;
  for (uint32_t i = 0; i < d->once.blocks.count; i++) {
    const ShownBlock *b = &d->once.blocks.items[i];
    text_printf(out, "  %s = ", symbol_text(w, b->symbol, format_text));
    for (uint32_t k = 0; k < b->case_count; k++) case_text(w, &b->cases[k], k == 0, out);
    if (b->before) text_printf(out, "; before the start %s", printed(w, b->before, format_text));
    text_printf(out, b->repeat ? "    %s\n" : "\n", b->repeat ? b->repeat->text : "");
  }
}

void show_events_text(const System *s, const Derivation *d, Text *out) {
  StatementShow show = show_in(s, d, format_text, out), *w = &show;
  for (uint32_t i = 0; i < d->once.events.count; i++) {
    const ShownEvent *e = &d->once.events.items[i];
    text_printf(out, e->condition ? "  when %s do " : "  every %s do ",
                printed(w, e->condition ? e->condition : e->period, format_text));
    for (uint32_t k = 0; k < e->assigns.count; k++) {
      const ShownAssign *a = &e->assigns.items[k];
      const char *left = symbol_text(w, a->symbol, format_text);
      text_printf(out, "%s%s := %s", k ? ", " : "", left, printed(w, a->value, format_text));
    }
    if (e->stop) text_printf(out, "%sstop", e->assigns.count ? ", " : "");
    text_printf(out, e->repeat ? "    %s\n" : "\n", e->repeat ? e->repeat->text : "");
  }
}

// ---- LaTeX and MathML

enum {
  value_width = 32,
  where_width = 38,
  where_fourth = where_width / 4
}; // letters: both fit beside a name, and what is longer gets one

// One cell of a case distinction, and how wide it is.
static Piece case_cell(const StatementShow *w, const ShownCase *c, bool value) {
  Text text = text_in(w->s->arena), latex = text_in(w->s->arena);
  (value ? put_value : put_where)(w, c, w->format, &text);
  (value ? put_value : put_where)(w, c, format_latex, &latex);
  return (Piece){text_str(&text), rows_latex_width(text_str(&latex)), false};
}

#define mathml_left "<mtd style=\"text-align:left\">"

// { value  where condition
static Piece case_rows(const StatementShow *w, EquationRows *rows, const ShownBlock *b) {
  Text t = text_in(w->s->arena);
  bool latex = w->format == format_latex;
  double values = 0, wheres = 0;
  text_put(&t, latex ? "\\begin{cases} " : "<mrow><mo>{</mo><mtable columnalign=\"left\">");
  for (uint32_t k = 0; k < b->case_count; k++) {
    ShownCase c = b->cases[k];
    c.value = rows_short(rows, c.value, value_width);
    c.where = rows_short(rows, c.where, c.at == where_pulse ? where_width / 2 : where_width);
    c.time = rows_short(rows, c.time, where_fourth);
    Piece value = case_cell(w, &c, true), where = case_cell(w, &c, false);
    if (latex) text_printf(&t, "%s%s & %s", k ? " \\\\ " : "", value.text, where.text);
    else text_printf(&t, "<mtr>" mathml_left "%s</mtd>" mathml_left "%s</mtd></mtr>", value.text, where.text);
    values = value.width > values ? value.width : values;
    wheres = where.width > wheres ? where.width : wheres;
  }
  text_put(&t, latex ? " \\end{cases}" : "</mtable></mrow>");
  return (Piece){text_str(&t), values + wheres + 4, false};
}

void show_blocks_typeset(const System *s, const Derivation *d, ExprFormat format, Text *out) {
  StatementShow show = show_in(s, d, format, out), *w = &show;
  EquationRows rows = rows_in(d->pool, s->arena, &w->names, format);
  for (uint32_t i = 0; i < d->once.blocks.count; i++) {
    const ShownBlock *b = &d->once.blocks.items[i];
    Piece name = {symbol_text(w, b->symbol, format), rows_latex_width(symbol_text(w, b->symbol, format_latex)), false};
    rows_finished(&rows, name, case_rows(w, &rows, b));
    if (b->before) {
      ShownCase start = {.value = rows_short(&rows, b->before, value_width)};
      Text text = text_in(s->arena), latex = text_in(s->arena);
      put_template(w, "before the start %v", &start, format, &text);
      put_template(w, "before the start %v", &start, format_latex, &latex);
      rows_behind(&rows, (Piece){text_str(&text), rows_latex_width(text_str(&latex)), false});
    }
    if (b->repeat) {
      Text range = text_in(s->arena);
      typeset_range(b->repeat, format, &range);
      rows_behind(&rows, (Piece){text_str(&range), typeset_range_width(b->repeat), false});
    }
  }
  rows_put(&rows, out);
}

static void put_math(const StatementShow *w, const char *formula) {
  text_put(w->out, w->format == format_latex ? "$" : "<math><mrow>");
  text_put(w->out, formula);
  text_put(w->out, w->format == format_latex ? "$" : "</mrow></math>");
}

void show_events_typeset(const System *s, const Derivation *d, ExprFormat format, Text *out) {
  StatementShow show = show_in(s, d, format, out), *w = &show;
  EquationRows rows = rows_in(d->pool, s->arena, &w->names, format);
  bool latex = format == format_latex;
  for (uint32_t i = 0; i < d->once.events.count; i++) {
    const ShownEvent *e = &d->once.events.items[i];
    text_put(out, latex ? (i ? "\n" : "") : "<p>");
    if (e->repeat) {
      Text range = text_in(s->arena);
      typeset_range(e->repeat, format, &range);
      put_math(w, text_str(&range));
      text_put(out, ": ");
    }
    text_put(out, e->condition ? (e->repeat ? "when " : "When ") : e->repeat ? "every " : "Every ");
    put_math(w, printed(w, e->condition ? e->condition : e->period, format));
    text_put(out, e->condition ? " becomes true" : ", from the start on");
    text_put(out, e->stop ? (e->assigns.count ? ", the run stops after" : ", the run stops.") : ",");
    text_put(out, latex ? "\n" : "</p>\n");
    for (uint32_t k = 0; k < e->assigns.count; k++) {
      const ShownAssign *a = &e->assigns.items[k];
      rows_assign(&rows, expr_sym(d->pool, a->symbol), a->value);
    }
    rows_put(&rows, out);
  }
}

// ---- JSON

static void json_line(const StatementShow *w, Json *j, Span span) {
  const uint32_t line = span.source ? source_line(w->s->sources, span) : 0;
  if (line) json_count(j, "line", line);
  else json_null(j, "line");
}

static void json_cases(const StatementShow *w, const ShownBlock *b, Json *j) {
  static const char *const is[] = {
      [case_value] = "value", [case_delayed] = "delayed", [case_as_it_was] = "as it was", [case_holding] = "holding"};
  static const char *const at[] = {
      [where_holds] = "where",         [where_otherwise] = "otherwise", [where_was_below] = "was below",
      [where_was_above] = "was above", [where_pulse] = "pulse",         [where_at_rest] = "at rest"};
  json_open(j, "cases", '[');
  for (uint32_t k = 0; k < b->case_count; k++) {
    const ShownCase *c = &b->cases[k];
    json_open(j, NULL, '{');
    json_string(j, "is", is[c->is]);
    json_string(j, "value", c->is == case_as_it_was ? NULL : printed(w, c->value, format_text));
    json_string(j, "at", at[c->at]);
    json_string(j, "where", c->where ? printed(w, c->where, format_text) : NULL);
    json_string(j, "time", c->time ? printed(w, c->time, format_text) : NULL);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static const char *case_latex(const StatementShow *w, const ShownBlock *b) {
  Text t = text_in(w->s->arena);
  text_printf(&t, "%s = \\begin{cases} ", symbol_text(w, b->symbol, format_latex));
  for (uint32_t k = 0; k < b->case_count; k++) {
    if (k) text_put(&t, " \\\\ ");
    put_value(w, &b->cases[k], format_latex, &t);
    text_put(&t, " & ");
    put_where(w, &b->cases[k], format_latex, &t);
  }
  text_put(&t, " \\end{cases}");
  return text_str(&t);
}

void show_statements_json(const System *s, const Derivation *d, Json *j) {
  Text unused = text_in(s->arena);
  StatementShow show = show_in(s, d, format_text, &unused), *w = &show;
  json_open(j, "blocks", '[');
  for (uint32_t i = 0; i < d->blocks.count; i++) {
    const ShownBlock *b = &d->blocks.items[i];
    json_open(j, NULL, '{');
    json_string(j, "name", symbol_text(w, b->symbol, format_text));
    json_string(j, "block", b->word);
    json_line(w, j, b->span);
    for (uint32_t k = 0; k < b->part_count; k++) {
      json_string(j, b->parts[k].name, printed(w, b->parts[k].value, format_text));
    }
    json_cases(w, b, j);
    json_string(j, "before", b->before ? printed(w, b->before, format_text) : NULL);
    json_string(j, "latex", case_latex(w, b));
    json_close(j, '}');
  }
  json_close(j, ']');
  json_open(j, "events", '[');
  for (uint32_t i = 0; i < d->events.count; i++) {
    const ShownEvent *e = &d->events.items[i];
    json_open(j, NULL, '{');
    json_string(j, e->condition ? "when" : "every", printed(w, e->condition ? e->condition : e->period, format_text));
    json_line(w, j, e->span);
    json_open(j, "set", '[');
    for (uint32_t k = 0; k < e->assigns.count; k++) {
      const ShownAssign *a = &e->assigns.items[k];
      json_open(j, NULL, '{');
      json_string(j, "name", symbol_text(w, a->symbol, format_text));
      json_string(j, "value", printed(w, a->value, format_text));
      const char *left = symbol_text(w, a->symbol, format_latex), *right = printed(w, a->value, format_latex);
      json_string(j, "latex", arena_printf(s->arena, "%s := %s", left, right));
      json_close(j, '}');
    }
    json_close(j, ']');
    json_bool(j, "stop", e->stop);
    json_close(j, '}');
  }
  json_close(j, ']');
}
