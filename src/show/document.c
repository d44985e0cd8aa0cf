// Whole documents of equations: LaTeX to compile, HTML to open.
//
// in    derivations of one system, steps of the first one or NULL, a format
// out   a text with its own head and style: title, tables of what is declared, inputs, energies or the derivation
//       line by line, equations in each form, blocks and events, notes
// how   one walk for both formats: `latex(d)` picks the words of each. Words of the user are escaped (show_words);
//       units get raised exponents (show_unit). Equations are laid out by typeset.c and rows.c.
#include "show/document.h"
#include "show/policy.h"
#include "show/statements.h"
#include "system/listed.h"

#include <string.h>

typedef struct Doc {
  const System *s;
  ExprPool *pool;
  ExprNames names;
  ExprFormat format;
  Text *out;
} Doc;

static const char latex_head[] = "\\documentclass[11pt,a4paper]{article}\n"
                                 "\\usepackage[utf8]{inputenc}\n"
                                 "\\usepackage[margin=25mm]{geometry}\n"
                                 "\\usepackage{amsmath}\n"
                                 "\\allowdisplaybreaks\n"
                                 "\\setlength{\\parindent}{0pt}\n"
                                 "\\setlength{\\parskip}{4pt plus 2pt}\n"
                                 "\\begin{document}\n";

static const char html_style[] =
    ":root{color-scheme:light dark}\n"
    "body{margin:0;font:16px/1.55 system-ui,sans-serif;background:#fff;color:#1b1b1b}\n"
    "main{max-width:60rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem;margin-top:1.4rem}\n"
    "math{font-size:1.1rem}\n"
    ".scroll{overflow-x:auto;padding:.1rem 0}\n"
    "math[display=block]{margin:.55rem 0 .55rem 1.5rem;width:max-content;text-align:left}\n"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.2rem .9rem .2rem 0;vertical-align:baseline}\n"
    "th{font-weight:600;border-bottom:1px solid #8888}\n"
    "@media(prefers-color-scheme:dark){body{background:#16181b;color:#e8e8e8}}\n"
    "@media print{body{font-size:11pt}main{max-width:none}}\n";

// ---- words

void show_words(const char *text, ExprFormat format, Text *out) {
  size_t left = strlen(text);
  while (left > 0) {
    uint32_t code = 0;
    size_t n = utf8_decode(text, left, &code);
    if (n == 0 || (!utf8_is_plain(code) && code != '\t' && code != '\n')) {
      text_putc(out, '?');
      if (n == 0) n = 1;
    } else if (format != format_latex) {
      if (*text == '<') text_put(out, "&lt;");
      else if (*text == '>') text_put(out, "&gt;");
      else if (*text == '&') text_put(out, "&amp;");
      else if (*text == '"') text_put(out, "&quot;");
      else text_putn(out, text, n);
    } else if (strchr("#$%&_{}", *text)) {
      text_printf(out, "\\%c", *text);
    } else if (*text == '\\') {
      text_put(out, "\\textbackslash{}");
    } else if (*text == '^') {
      text_put(out, "\\textasciicircum{}");
    } else if (*text == '~') {
      text_put(out, "\\textasciitilde{}");
    } else if (*text == '<' || *text == '>') {
      text_printf(out, "$%c$", *text);
    } else if (code < 0x180 || (code >= 0x2013 && code <= 0x2026)) {
      // Latin letters, dashes and quotation marks
      text_putn(out, text, n);
    } else {
      // a Greek letter, or nothing that the usual fonts have
      Text letter = text_in(out->arena);
      char one[8] = {0};
      memcpy(one, text, n);
      name_print(one, 0, format_latex, &letter);
      if (strncmp(text_str(&letter), "\\mathrm", 7) != 0 && strncmp(text_str(&letter), "\\text", 5) != 0 &&
          *text_str(&letter) == '\\')
        text_printf(out, "$%s$", text_str(&letter));
      else text_putc(out, '?');
    }
    text += n;
    left -= n;
  }
}

void show_unit(const Unit *unit, ExprFormat format, Text *out) {
  if (!unit->said || !unit->text) return;
  if (format == format_text) {
    text_put(out, unit->text);
    return;
  }
  bool latex = format == format_latex;
  for (const char *s = unit->text; *s; s++) {
    if (*s == '*') {
      text_put(out, latex ? "\\," : "·");
    } else if (strncmp(s, "ohm", 3) == 0) {
      text_put(out, latex ? "$\\Omega$" : "Ω");
      s += 2;
    } else if (*s == '^') {
      text_put(out, latex ? "$^{" : "<sup>");
      s++;
      size_t n = strspn(s, "(-+)0123456789/");
      for (size_t i = 0; i < n; i++) {
        if (s[i] == '-') text_put(out, latex ? "-" : "−");
        else if (s[i] != '(' && s[i] != ')') text_putc(out, s[i]);
      }
      text_put(out, latex ? "}$" : "</sup>");
      s += n;
      s--;
    } else {
      size_t n = 1;
      while (((unsigned char)s[n] & 0xC0) == 0x80) n++;
      char one[8] = {0};
      memcpy(one, s, n < sizeof one ? n : 1);
      show_words(one, format, out);
      s += n - 1;
    }
  }
}

void show_param_value(const System *s, ExprPool *pool, const ExprNames *names, const SystemParam *p, ExprFormat format,
                      Text *out) {
  if (!p->value) {
    text_put(out, format == format_text ? "(no value)" : "");
    return;
  }
  ExprId value = p->value;
  if (p->unit->said) {
    ExprId factor = expr_product(pool, p->unit->scale, (Factor[]){{pool->pi, expr_int(pool, p->unit->pi)}}, 1);
    value = expr_div(pool, value, factor);
  }
  Rat number;
  const char *digits = expr_number(pool, value, &number) ? rat_print(s->arena, number, true) : NULL;
  bool decimal = digits && strspn(digits, "-0123456789.") == strlen(digits); // 0.5, not a half
  if (digits && (decimal || format == format_text))
    text_printf(out, format == format_mathml ? "<mn>%s</mn>" : "%s", digits);
  else expr_print(pool, value, format, names, out);
}

// ---- parts of a document

static bool latex(const Doc *d) { return d->format == format_latex; }

static void heading(Doc *d, const char *text) {
  text_printf(d->out, latex(d) ? "\n\\section*{%s}\n" : "<h2>%s</h2>\n", text);
}

static void math(Doc *d, ExprId id) {
  text_put(d->out, latex(d) ? "$" : "<math>");
  expr_print(d->pool, id, d->format, &d->names, d->out);
  text_put(d->out, latex(d) ? "$" : "</math>");
}

static void cell(Doc *d, bool first) {
  text_put(d->out, latex(d) ? (first ? "" : " & ") : first ? "<tr><td>" : "</td><td>");
}
static void row_end(Doc *d) { text_put(d->out, latex(d) ? " \\\\\n" : "</td></tr>\n"); }

// One a thing: symbol, value, unit, words. A table of many rows may break over pages: one paragraph a row in LaTeX
// would not align, so long ones come in pieces.
enum { rows_of_a_table = 30 }; // two of them fill a page

static void table_open(Doc *d) {
  if (latex(d)) text_put(d->out, "\\begin{tabular}{@{}lllp{95mm}@{}}\n");
  else text_put(d->out, "<div class=\"scroll\"><table>\n");
}
static void table_close(Doc *d) { text_put(d->out, latex(d) ? "\\end{tabular}\n\n" : "</table></div>\n"); }
static void table_next(Doc *d, uint32_t i) {
  if (latex(d) && i > 0 && i % rows_of_a_table == 0) {
    table_close(d);
    table_open(d);
  }
}

// The symbol of a row, or of many: T_1, ..., T_200.
static void put_symbols(Doc *d, SymbolId first, SymbolId last) {
  cell(d, true);
  math(d, expr_sym(d->pool, first));
  if (last != first) {
    text_put(d->out, latex(d) ? ", \\dots, " : ", …, ");
    math(d, expr_sym(d->pool, last));
  }
  cell(d, false);
}

// Something that is declared: a row, or a part of one.
typedef struct Declared {
  SymbolId symbol;
  const Unit *unit;
  const char *words;
} Declared;
typedef VEC(Declared) DeclaredList;

// Neighbours that differ in their index alone are one row.
static void declared_rows(Doc *d, const DeclaredList *list) {
  enum { most_in_turn = 6 };
  uint32_t row = 0;
  VEC(ListedName) names = {0};
  for (uint32_t i = 0; i < list->count; i++) {
    const Declared *x = &list->items[i];
    vec_push(d->s->arena, &names,
             (ListedName){pool_symbol_get(d->pool, x->symbol)->name, x->unit->said ? x->unit->text : NULL, x->words});
  }
  for (uint32_t i = 0; i < names.count;) {
    // names in turn have a row each
    uint32_t period, n = listed_stretch(names.items, names.count, i, most_in_turn, &period);
    for (uint32_t k = 0; k < period; k++) {
      const Declared *x = &list->items[i + k];
      table_next(d, row++);
      put_symbols(d, x->symbol, list->items[i + n - period + k].symbol);
      show_unit(x->unit, d->format, d->out);
      if (x->words) {
        cell(d, false);
        cell(d, false);
        text_put(d->out, x->words);
      }
      row_end(d);
    }
    i += n;
  }
}

static void declared_table(Doc *d, const char *words, const DeclaredList *list) {
  if (!list->count) return;
  heading(d, words);
  table_open(d);
  declared_rows(d, list);
  table_close(d);
}

// What a row of a parameter says behind its name.
static const char *parameter_cells(Doc *d, const SystemParam *p) {
  Text t = text_in(d->s->arena), *out = d->out;
  d->out = &t;
  if (p->value) {
    text_put(d->out, latex(d) ? "$" : "<math>");
    show_param_value(d->s, d->pool, &d->names, p, d->format, d->out);
    text_put(d->out, latex(d) ? "$" : "</math>");
  }
  cell(d, false);
  show_unit(p->unit, d->format, d->out);
  cell(d, false);
  if (p->note) show_words(p->note, d->format, d->out);
  d->out = out;
  return text_str(&t);
}

static void parameters(Doc *d) {
  const System *m = d->s;
  VEC(ListedName) names = {0};
  uint32_t row = 0;
  if (!m->params.count) return;
  for (uint32_t i = 0; i < m->params.count; i++)
    vec_push(m->arena, &names,
             (ListedName){.name = m->params.items[i].name, .value = parameter_cells(d, &m->params.items[i])});
  heading(d, "Parameters");
  table_open(d);
  for (uint32_t i = 0; i < names.count;) {
    uint32_t period, n = listed_stretch(names.items, names.count, i, 1, &period);
    table_next(d, row++);
    put_symbols(d, m->params.items[i].symbol, m->params.items[i + n - 1].symbol);
    text_put(d->out, names.items[i].value);
    row_end(d);
    i += n;
  }
  table_close(d);
}

static void declared(Doc *d) {
  const System *m = d->s;
  DeclaredList moving = {0}, unknowns = {0};
  for (uint32_t i = 0; i < m->coords.count; i++)
    vec_push(m->arena, &moving, (Declared){m->coords.items[i].q, &m->coords.items[i].unit, NULL});
  for (uint32_t i = 0; i < m->states.count; i++) {
    const SystemState *x = &m->states.items[i];
    const char *words = pool_symbol_get(d->pool, x->x)->made ? "inside a block" : NULL;
    if (!x->of) vec_push(m->arena, &moving, (Declared){x->x, &x->unit, words});
  }
  for (uint32_t i = 0; i < m->unknowns.count; i++)
    vec_push(m->arena, &unknowns, (Declared){m->unknowns.items[i].symbol, &m->unknowns.items[i].unit, NULL});
  declared_table(d,
                 m->states.count == 0 ? "Coordinates"
                 : m->coords.count    ? "Coordinates and states"
                                      : "States",
                 &moving);
  declared_table(d, "Unknowns", &unknowns);
  parameters(d);
}

static void scroll_open(Doc *d) {
  if (!latex(d)) text_put(d->out, "<div class=\"scroll\">\n");
}
static void scroll_close(Doc *d) {
  if (!latex(d)) text_put(d->out, "</div>\n");
}

static void inputs(Doc *d, const Derivation *x) {
  if (!x->inputs.count) return;
  heading(d, "Inputs");
  scroll_open(d);
  typeset_inputs(d->s, x, true, d->format, d->out);
  scroll_close(d);
}

static void statements(Doc *d, const Derivation *x) {
  if (x->blocks.count) {
    heading(d, "Blocks");
    scroll_open(d);
    show_blocks_typeset(d->s, x, d->format, d->out);
    scroll_close(d);
  }
  if (x->events.count) {
    heading(d, "Events");
    scroll_open(d);
    show_events_typeset(d->s, x, d->format, d->out);
    scroll_close(d);
  }
}

static void energies(Doc *d, const Steps *steps) {
  Steps lines = {.pool = steps->pool};
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    if (steps->lines.items[i].kind <= line_dissipation) vec_push(d->s->arena, &lines.lines, steps->lines.items[i]);
  }
  if (!lines.lines.count) return;
  heading(d, "Energies");
  show_energies_typeset(d->s, &lines, d->format, d->out);
}

static void notes(Doc *d, const Derivation *x) {
  if (!x->notes.count) return;
  text_put(d->out, latex(d) ? "\\begin{itemize}\n" : "<ul>\n");
  for (uint32_t i = 0; i < x->notes.count; i++) {
    text_put(d->out, latex(d) ? "\\item \\sloppy " : "<li>");
    show_words(x->notes.items[i], d->format, d->out);
    text_put(d->out, latex(d) ? "\n" : "</li>\n");
  }
  text_put(d->out, latex(d) ? "\\end{itemize}\n" : "</ul>\n");
}

void show_document(const System *s, const Derivation *const *derivations, uint32_t count, const Steps *steps,
                   bool proofs, ExprFormat format, Text *out) {
  Doc doc = {s, derivations[0]->pool, table_names(s, s->arena), format, out}, *d = &doc;
  const char *title = s->title ? s->title : "Equations of motion";
  if (latex(d)) {
    text_printf(out, "%s\\begin{center}\\Large\\bfseries ", latex_head);
    show_words(title, format, out);
    text_put(out, "\\end{center}\n");
  } else {
    text_put(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    policy_put(out, NULL, 0);
    text_put(out, "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    show_words(title, format, out);
    text_printf(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", html_style);
    show_words(title, format, out);
    text_put(out, "</h1>\n");
  }
  declared(d);
  inputs(d, derivations[0]);
  if (steps && proofs) {
    heading(d, "Derivation");
    if (!latex(d)) text_put(out, "<div class=\"scroll\">\n");
    show_steps_typeset(s, steps, format, out);
    if (!latex(d)) text_put(out, "</div>\n");
  } else if (steps) {
    energies(d, steps);
  }
  for (uint32_t i = 0; i < count; i++) {
    const Derivation *x = derivations[i];
    bool shown = x->repeats && count == 1; // by the steps
    if (!shown) {
      heading(d, typeset_heading(d->s, x));
      scroll_open(d);
      typeset_derivation(s, x, format, latex(d), out);
      scroll_close(d);
    }
    if (i == 0) statements(d, x);
    notes(d, x);
  }
  text_put(out, latex(d) ? "\\end{document}\n" : "</main></body></html>\n");
}
