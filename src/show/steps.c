// The derivation line by line (algebra/steps.h): as text, typeset, and as data.
//
// in    Steps: lines of a kind, each with its verdict
// out   "dL/dx' = ..." under a heading for each coordinate, the rule that the equation follows in words of the lines,
//       and what could not be proved
//
// T, V, L, D, Q, X, R are the letters of the lines. Where the model uses one itself, the line's gets another look.
#include "show/steps.h"

#include "algebra/constrained.h"
#include "algebra/folded_sum.h"
#include "algebra/statements.h"
#include "show/rows.h"
#include "show/typeset.h"

#include <string.h>

typedef struct StepShow {
  const System *s;
  const Steps *steps;
  ExprNames names;
  ExprFormat format;
  Text *out;
} StepShow;

enum { letter_T, letter_V, letter_L, letter_D, letter_Q, letter_X, letter_R, letter_count };
static const char letters[letter_count + 1] = "TVLDQXR";
static const char *const script[letter_count] = {"𝒯", "𝒱", "ℒ", "𝒟", "𝒬", "𝒳", "ℛ"};

// A letter that the model uses itself gets another look: L_ as text, a script letter in print.
static void put_letter(const StepShow *w, int letter, ExprFormat format, Text *out) {
  char name[2] = {letters[letter], '\0'};
  bool taken = false;
  for (SymbolId i = 1; i < w->steps->pool->symbols.count; i++)
    taken = taken || strcmp(pool_symbol_get(w->steps->pool, i)->name, name) == 0;
  if (format == format_text) text_printf(out, "%s%s", name, taken ? "_" : "");
  else if (format == format_latex) text_printf(out, taken ? "\\mathcal{%s}" : "%s", name);
  else text_printf(out, "<mi>%s</mi>", taken ? script[letter] : name);
}

// dL/dq', dL/dq
static void put_partial(const StepShow *w, int letter, SymbolId by, ExprFormat format, Text *out) {
  text_put(out, format == format_text ? "d" : format == format_latex ? "\\frac{\\partial " : "<mfrac><mrow><mo>∂</mo>");
  put_letter(w, letter, format, out);
  text_put(out, format == format_text ? "/d" : format == format_latex ? "}{\\partial " : "</mrow><mrow><mo>∂</mo>");
  symbol_print(w->steps->pool, by, format, out);
  text_put(out, format == format_text ? "" : format == format_latex ? "}" : "</mrow></mfrac>");
}

static void put_rate(ExprFormat format, Text *out) {
  text_put(out, format == format_text    ? "d/dt "
                : format == format_latex ? "\\frac{d}{dt} "
                                         : "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>");
}

static void put_sign(ExprFormat format, const char *sign, Text *out) {
  if (format == format_mathml) text_printf(out, "<mo>%s</mo>", *sign == '-' ? "−" : sign);
  else text_printf(out, " %s ", sign);
}

static bool has_line(const StepShow *w, StepKind kind, uint32_t coord) {
  for (uint32_t i = 0; i < w->steps->lines.count; i++) {
    if (w->steps->lines.items[i].kind == kind && w->steps->lines.items[i].coord == coord) return true;
  }
  return false;
}

// T - V + X, of those that there are
static void put_energies(const StepShow *w, ExprFormat format, Text *out) {
  bool T = has_line(w, line_kinetic, 0), V = has_line(w, line_potential, 0);
  if (T) put_letter(w, letter_T, format, out);
  if (V && T) put_sign(format, "-", out);
  else if (V) text_put(out, format == format_mathml ? "<mo form=\"prefix\">−</mo>" : "-");
  if (V) put_letter(w, letter_V, format, out);
  if (!has_line(w, line_extra, 0)) return;
  if (T || V) put_sign(format, "+", out);
  put_letter(w, letter_X, format, out);
}

// What a line is about: T, dL/dx', d/dt dL/dx', ...
static const char *left_of(const StepShow *w, const StepLine *l, ExprFormat format) {
  Text t = text_in(w->s->arena);
  const System *m = w->s;
  const SystemCoord *c = l->coord < m->coords.count ? &m->coords.items[l->coord] : NULL;
  switch (l->kind) {
  case line_given_kinetic:
  case line_kinetic: put_letter(w, letter_T, format, &t); break;
  case line_given_potential:
  case line_potential: put_letter(w, letter_V, format, &t); break;
  case line_extra: put_letter(w, letter_X, format, &t); break;
  case line_lagrangian:
    put_letter(w, letter_L, format, &t);
    put_sign(format, "=", &t);
    put_energies(w, format, &t);
    break;
  case line_dissipation: put_letter(w, letter_D, format, &t); break;
  case line_momentum: put_partial(w, letter_L, c->v, format, &t); break;
  case line_momentum_rate:
    put_rate(format, &t);
    put_partial(w, letter_L, c->v, format, &t);
    break;
  case line_gradient: put_partial(w, letter_L, c->q, format, &t); break;
  case line_damping: put_partial(w, letter_D, c->v, format, &t); break;
  case line_force: put_letter(w, letter_Q, format, &t); break;
  case line_reaction: put_letter(w, letter_R, format, &t); break;
  default: expr_print(w->steps->pool, l->left, format, &w->names, &t); break;
  }
  return text_str(&t);
}

// d/dt dL/dq' - dL/dq + dD/dq' = Q + R
static const char *rule_of(const StepShow *w, uint32_t coord, ExprFormat format) {
  Text t = text_in(w->s->arena);
  const SystemCoord *c = &w->s->coords.items[coord];
  put_rate(format, &t);
  put_partial(w, letter_L, c->v, format, &t);
  put_sign(format, "-", &t);
  put_partial(w, letter_L, c->q, format, &t);
  if (has_line(w, line_damping, coord)) {
    put_sign(format, "+", &t);
    put_partial(w, letter_D, c->v, format, &t);
  }
  put_sign(format, "=", &t);
  put_letter(w, letter_Q, format, &t);
  if (has_line(w, line_reaction, coord)) {
    put_sign(format, "+", &t);
    put_letter(w, letter_R, format, &t);
  }
  return text_str(&t);
}

static StepShow show_in(const System *s, const Steps *steps, ExprFormat format, Text *out) {
  StepShow w = {s, steps, table_names(s, s->arena), format, out};
  w.names.decimals = steps->decimals;
  return w;
}

const char *steps_verdict(const System *s, const Steps *steps) {
  if (steps->unproved == 0)
    return steps->decimals ? "Every line is proved by the exact algebra, before numbers were put in and rounded."
                           : "Every line is proved by the exact algebra.";
  return arena_printf(s->arena, "%u of %u lines %s not proved.", steps->unproved, steps->lines.count,
                      steps->unproved == 1 ? "is" : "are");
}

static const char *name_of(const StepShow *w, uint32_t coord) {
  const System *m = w->s;
  return coord < m->coords.count ? m->coords.items[coord].name : m->states.items[coord - m->coords.count].name;
}

// The equation of a state that only events change.
static bool is_held(const StepShow *w, const StepLine *l) {
  const System *m = w->s;
  return l->kind == line_given && l->coord >= m->coords.count &&
         statements_state_is_held(&m->states.items[l->coord - m->coords.count]);
}

static bool is_energy(StepKind kind) { return kind <= line_dissipation; }

// Paragraphs: one for each coordinate, state or constraint, one for the rest of a kind.
typedef enum StepGroup {
  group_energies,
  group_one,
  group_implicit,
  group_levels,
  group_constraint,
  group_reduced
} StepGroup;

static StepGroup group_of(StepKind kind) {
  return is_energy(kind)           ? group_energies
         : kind >= line_dependent  ? group_reduced
         : kind >= line_constraint ? group_constraint
         : kind >= line_level_rate ? group_levels
         : kind == line_implicit   ? group_implicit
                                   : group_one;
}

// A line that starts another paragraph.
static bool starts(const Steps *steps, uint32_t i) {
  if (i == 0) return true;
  const StepLine *l = &steps->lines.items[i], *before = l - 1;
  StepGroup group = group_of(l->kind);
  bool each = group == group_one || group == group_constraint || group == group_levels;
  return group != group_of(before->kind) || (each && l->coord != before->coord);
}

// The heading of what is no coordinate or state; NULL: it is one.
static const char *group_title(const StepShow *w, const StepLine *l) {
  switch (group_of(l->kind)) {
  case group_energies: return "Energies";
  case group_implicit: return "Implicit equations";
  case group_reduced: return "Without multipliers";
  case group_levels: {
    const SystemEquation *e = &w->s->implicit.items[l->coord];
    const char *with = e->joined ? arena_printf(w->s->arena, " (with %s)", e->joined) : "";
    return arena_printf(w->s->arena, "Line %u%s differentiated", source_line(w->s->sources, e->span), with);
  }
  case group_constraint: {
    const char *name = w->s->constraints.items[l->coord].label;
    return arena_printf(w->s->arena, "Constraint %s", name);
  }
  case group_one: break;
  }
  return NULL;
}

// ---- text

static const char *value_text(const StepShow *w, const StepLine *l) {
  if (l->folded.count) return folded_text(w->s->arena, w->steps->pool, &l->folded, &w->names);
  Text value = text_in(w->s->arena);
  expr_print(w->steps->pool, l->value, format_text, &w->names, &value);
  return text_str(&value);
}

void show_steps_text(const System *s, const Steps *steps, Text *out) {
  StepShow show = show_in(s, steps, format_text, out), *w = &show;
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    const StepLine *l = &steps->lines.items[i];
    if (starts(steps, i)) {
      if (i) text_putc(out, '\n');
      const char *title = group_title(w, l);
      text_printf(out, "%s\n", title ? title : name_of(w, l->coord));
    }
    if (l->kind == line_equation) text_printf(out, "  %s:\n", rule_of(w, l->coord, format_text));
    text_printf(out, "  %s = %s%s\n", left_of(w, l, format_text), value_text(w, l),
                is_held(w, l) ? "    # " words_between : "");
    if (l->verdict != verdict_equal) text_printf(out, "    # not proved: %s\n", l->reason ? l->reason : "");
    if (l->kind == line_equation && s->role[l->coord] >= coord_first_order)
      text_printf(out, "  %s has no inertia: an equation of first order.\n", name_of(w, l->coord));
  }
  if (steps->left_out) text_printf(out, "\n%s\n", steps->left_out);
  text_printf(out, "\n%s\n", steps_verdict(s, steps));
}

// ---- LaTeX and MathML

// A name may hold an underscore.
static void put_title(StepShow *w, const char *title) {
  for (; *title; title++) {
    if (w->format == format_latex && *title == '_') text_put(w->out, "\\_");
    else text_putc(w->out, *title);
  }
}

static void heading(StepShow *w, uint32_t i) {
  const StepLine *l = &w->steps->lines.items[i];
  bool latex = w->format == format_latex;
  text_put(w->out, latex ? "\\subsection*{" : "<h3>");
  const char *title = group_title(w, l);
  if (title) {
    put_title(w, title);
  } else {
    const System *m = w->s;
    SymbolId symbol =
        l->coord < m->coords.count ? m->coords.items[l->coord].q : m->states.items[l->coord - m->coords.count].x;
    text_put(w->out, latex ? "Equation of $" : "Equation of <math>");
    symbol_print(w->steps->pool, symbol, w->format, w->out);
    text_put(w->out, latex ? "$" : "</math>");
  }
  text_put(w->out, latex ? "}\n" : "</h3>\n");
}

static void sentence(StepShow *w, const char *text) {
  if (w->format == format_latex) text_printf(w->out, "%s\n\n", text);
  else text_printf(w->out, "<p>%s</p>\n", text);
}

// A line whose left side is words: T = ..., with sums over an index where terms repeat.
static void energy_line(StepShow *w, EquationRows *rows, const StepLine *l) {
  const char *left = left_of(w, l, w->format), *latex = left_of(w, l, format_latex);
  if (!l->folded.count) {
    rows_line(rows, left, latex, l->value);
    return;
  }
  Pieces parts = {0};
  for (uint32_t i = 0; i < l->folded.count; i++) {
    const ShownTerm *t = &l->folded.items[i];
    if (!t->repeat) {
      rows_terms(rows, t->value, i == 0, &parts);
      continue;
    }
    Text whole = text_in(w->s->arena), widest = text_in(w->s->arena);
    const char *sign = t->minus ? "-" : i ? "+" : "";
    if (i) put_sign(w->format, sign, &whole);
    else if (*sign) text_put(&whole, w->format == format_latex ? "-" : "<mo form=\"prefix\">−</mo>");
    typeset_sum(w->steps->pool, &w->names, t, w->format, &whole);
    typeset_sum(w->steps->pool, &w->names, t, format_latex, &widest);
    vec_push(w->s->arena, &parts, ((Piece){text_str(&whole), rows_latex_width(text_str(&widest)) + 2.5, false}));
  }
  rows_pieces(rows, (Piece){left, rows_latex_width(latex), false}, &parts);
}

void show_steps_typeset(const System *s, const Steps *steps, ExprFormat format, Text *out) {
  StepShow show = show_in(s, steps, format, out), *w = &show;
  EquationRows rows = rows_in(steps->pool, s->arena, &w->names, format);
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    const StepLine *l = &steps->lines.items[i];
    if (starts(steps, i)) {
      rows_put(&rows, out);
      heading(w, i);
    }
    if (l->kind == line_equation) {
      rows_put(&rows, out);
      if (format == format_latex) text_printf(out, "Lagrange's equation $%s$ is\n", rule_of(w, l->coord, format));
      else
        text_printf(out, "<p>Lagrange's equation <math><mrow>%s</mrow></math> is</p>\n", rule_of(w, l->coord, format));
    }
    if (l->left) rows_equation(&rows, l->left, l->value);
    else energy_line(w, &rows, l);
    if (is_held(w, l)) rows_remark(&rows, words_between);
    bool note = l->kind == line_equation && s->role[l->coord] >= coord_first_order;
    if (l->verdict != verdict_equal || note) rows_put(&rows, out);
    if (l->verdict != verdict_equal) sentence(w, arena_printf(s->arena, "Not proved: %s.", l->reason ? l->reason : ""));
    if (note) sentence(w, "This coordinate has no inertia: its equation is of first order.");
  }
  rows_put(&rows, out);
  if (steps->left_out) sentence(w, steps->left_out);
  sentence(w, steps_verdict(s, steps));
}

void show_energies_typeset(const System *s, const Steps *steps, ExprFormat format, Text *out) {
  StepShow show = show_in(s, steps, format, out), *w = &show;
  EquationRows rows = rows_in(steps->pool, s->arena, &w->names, format);
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    const StepLine *l = &steps->lines.items[i];
    if (l->kind != line_given_kinetic && l->kind != line_given_potential) energy_line(w, &rows, l);
  }
  rows_put(&rows, out);
}

// ---- JSON

// The coordinate, state or constraint that a line is of; NULL: none.
static const char *json_subject(const StepShow *w, const StepLine *l) {
  StepGroup group = group_of(l->kind);
  if (group == group_constraint) return w->s->constraints.items[l->coord].label;
  if (group == group_levels)
    return arena_printf(w->s->arena, "line %u", source_line(w->s->sources, w->s->implicit.items[l->coord].span));
  return group == group_one || group == group_reduced ? name_of(w, l->coord) : NULL;
}

void show_steps_json(const System *s, const Steps *steps, Json *j) {
  static const char *const names[line_kinds] = {
      "given kinetic", "kinetic",         "given potential", "potential", "extra",          "lagrangian",
      "dissipation",   "momentum",        "momentum rate",   "gradient",  "damping",        "force",
      "reaction",      "equation",        "given",           "implicit",  "level rate",     "level known",
      "constraint",    "constraint rate", "constraint bend", "dependent", "dependent rate", "reduced"};
  Text unused = text_in(s->arena);
  StepShow show = show_in(s, steps, format_text, &unused), *w = &show;
  json_open(j, "steps", '[');
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    const StepLine *l = &steps->lines.items[i];
    json_open(j, NULL, '{');
    json_string(j, "kind", names[l->kind]);
    json_string(j, "of", json_subject(w, l));
    json_string(j, "left", left_of(w, l, format_text));
    Text text = text_in(s->arena), latex = text_in(s->arena);
    expr_print(steps->pool, l->value, format_text, &w->names, &text);
    text_printf(&latex, "%s = ", left_of(w, l, format_latex));
    expr_print(steps->pool, l->value, format_latex, &w->names, &latex);
    json_string(j, "value", text_str(&text));
    json_string(j, "latex", text_str(&latex));
    json_string(j, "verdict", verdict_name(l->verdict));
    json_string(j, "reason", l->reason);
    json_close(j, '}');
  }
  json_close(j, ']');
  if (steps->left_out) json_string(j, "left_out", steps->left_out);
}
