// A derivation in the format that was asked for.
//
// in    a Derivation (algebra/derivation.h) and the system that it is of
// out   text: title, what is declared with units, the equations, blocks and events, notes, in the order of the model
//       JSON: the same as data, each expression as text that can be read back, and as LaTeX
//       LaTeX, MathML: the displayed formulas alone (typeset.c); with a page around them: document.c
#include "show/derivation.h"

#include "algebra/port_form.h"
#include "show/document.h"
#include "show/json.h"
#include "show/origins.h"
#include "show/statements.h"
#include "show/typeset.h"
#include "system/listed.h"

#include <stdlib.h>
#include <string.h>

typedef struct DerivationShow {
  const System *s;
  const Derivation *d;
  Text *out;
  ExprNames names;
} DerivationShow;

static const char *const form_names[] = {"lagrange", "matrices", "state", "solved", "kinematics", "hamilton"};

static const char *plain(DerivationShow *w, ExprId id, ExprFormat format) {
  Text t = text_in(w->s->arena);
  expr_print(w->d->pool, id, format, &w->names, &t);
  return text_str(&t);
}

static const char *left_of(DerivationShow *w, const ShownEquation *e, ExprFormat format) {
  Text t = text_in(w->s->arena);
  typeset_equation_left(w->d->pool, &w->names, e, format, &t);
  return text_str(&t);
}

// The value of a parameter as it was written, with its unit.
static void print_value(DerivationShow *w, const SystemParam *p, Text *out) {
  show_param_value(w->s, w->d->pool, &w->names, p, format_text, out);
  if (p->value && p->unit->said && p->unit->text) text_printf(out, " %s", p->unit->text);
}

// ---- text

// 3, i+1, 2*i-1
static void place_text(DerivationShow *w, const char *letter, ShownPlace place) {
  if (place.factor > 1) text_printf(w->out, "%u*", place.factor);
  if (place.factor) text_put(w->out, letter);
  if (!place.factor || place.add) text_printf(w->out, place.factor ? "%+lld" : "%lld", (long long)place.add);
}

// M[i, i] = m[i]    for i in 1 .. n
static void stretches_text(DerivationShow *w, const ShownMatrix *m) {
  text_printf(w->out, "  %s, %u by %u%s%s    # %s\n", m->name, m->rows, m->cols, m->symmetric ? ", symmetric" : "",
              m->zeros ? ", zero but for" : "", m->meaning);
  for (uint32_t i = 0; i < m->entry_count; i++) {
    const ShownEntry *e = &m->entries[i];
    const char *letter = e->repeat ? e->repeat->letter : "";
    text_printf(w->out, "    %s[", m->name);
    place_text(w, letter, e->row);
    if (m->cols > 1) text_put(w->out, ", ");
    if (m->cols > 1) place_text(w, letter, e->col);
    text_printf(w->out, "] = %s", plain(w, e->value, format_text));
    text_printf(w->out, e->repeat ? "    %s\n" : "\n", e->repeat ? e->repeat->text : "");
  }
}

static void matrix_text(DerivationShow *w, const ShownMatrix *m) {
  if (m->entry_count) {
    stretches_text(w, m);
    return;
  }
  text_printf(w->out, "  %s = [", m->name);
  for (uint32_t i = 0; i < m->rows; i++) {
    for (uint32_t j = 0; j < m->cols; j++) {
      text_put(w->out, j ? ", " : i ? "       " : "");
      text_put(w->out, plain(w, m->items[i * m->cols + j], format_text));
    }
    text_put(w->out, i + 1 < m->rows ? (m->cols > 1 ? ";\n" : ",\n") : "]");
  }
  text_printf(w->out, "    # %s\n", m->meaning);
}

static void put_names(DerivationShow *w, const ListedName *list, uint32_t count) {
  if (!count) return;
  text_put(w->out, "  ");
  listed_write(list, count, w->out);
  text_put(w->out, "\n\n");
}

static const char *said_unit(const Unit *unit) { return unit->said ? unit->text : NULL; }

// Those that have a name in the text, or those inside blocks.
static void states_text(DerivationShow *w, bool hidden) {
  const System *m = w->s;
  VEC(ListedName) list = {0};
  for (uint32_t i = 0; i < m->states.count; i++) {
    const SystemState *x = &m->states.items[i];
    if (x->of || pool_symbol_get(w->d->pool, x->x)->made != hidden) continue;
    vec_push(m->arena, &list, (ListedName){.name = x->name, .unit = said_unit(&x->unit)});
  }
  if (!list.count) return;
  text_put(w->out, hidden ? "States of blocks\n" : "States\n");
  put_names(w, list.items, list.count);
}

// Coordinates and states with their units, inputs with their expressions.
static void text_declared(DerivationShow *w) {
  const System *m = w->s;
  VEC(ListedName) list = {0};
  if (m->coords.count) text_put(w->out, "Coordinates\n");
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const SystemCoord *c = &m->coords.items[i];
    vec_push(m->arena, &list, (ListedName){.name = c->name, .unit = said_unit(&c->unit)});
  }
  put_names(w, list.items, list.count);
  states_text(w, false);
  states_text(w, true);
  if (m->unknowns.count) text_put(w->out, "Unknowns\n");
  list.count = 0;
  for (uint32_t i = 0; i < m->unknowns.count; i++) {
    const SystemUnknown *u = &m->unknowns.items[i];
    vec_push(m->arena, &list, (ListedName){.name = u->name, .unit = said_unit(&u->unit)});
  }
  put_names(w, list.items, list.count);
  if (m->constraints.count) text_put(w->out, "Multipliers\n");
  list.count = 0;
  for (uint32_t i = 0; i < m->constraints.count; i++) {
    const SystemConstraint *c = &m->constraints.items[i];
    vec_push(m->arena, &list, (ListedName){.name = c->name, .unit = unit_si_text(m->arena, &unit_unsaid, &c->dim, 0)});
  }
  put_names(w, list.items, list.count);
  if (m->inputs.count) text_put(w->out, "Inputs\n");
  for (uint32_t i = 0; i < m->inputs.count; i++) {
    const SystemInput *in = &m->inputs.items[i];
    text_printf(w->out, "  %s = %s", in->name, plain(w, w->d->inputs.items[i].rhs, format_text));
    // the expression is in SI: another unit would be wrong beside it
    bool si = in->unit.said && in->unit.pi == 0 && rat_is_int_value(in->unit.scale, 1);
    if (si && in->unit.text) text_printf(w->out, " [%s]", in->unit.text);
    text_putc(w->out, '\n');
  }
  if (m->inputs.count) text_putc(w->out, '\n');
}

static void text_constraints(DerivationShow *w) {
  const Derivation *d = w->d;
  if (!d->constraints.count) return;
  text_put(w->out, "\nConstraints\n");
  for (uint32_t i = 0; i < d->once.constraints.count; i++) {
    const ShownEquation *e = &d->once.constraints.items[i];
    text_printf(w->out, "  %s = %s", plain(w, e->lhs, format_text), plain(w, e->rhs, format_text));
    if (e->repeat) text_printf(w->out, "    %s", e->repeat->text);
    text_printf(w->out, "    # %s\n", e->of);
  }
  if (d->jacobian.rows) matrix_text(w, &d->jacobian);
}

static const char *value_text(DerivationShow *w, const SystemParam *p) {
  Text t = text_in(w->s->arena);
  print_value(w, p, &t);
  if (p->note) text_printf(&t, "    # %s", p->note);
  return text_str(&t);
}

// One line each; neighbours of a family with the same value are one.
static void text_parameters(DerivationShow *w) {
  const System *m = w->s;
  VEC(ListedName) list = {0};
  for (uint32_t i = 0; i < m->params.count; i++)
    vec_push(m->arena, &list,
             (ListedName){.name = m->params.items[i].name, .value = value_text(w, &m->params.items[i])});
  if (m->params.count) text_put(w->out, "Parameters\n");
  for (uint32_t i = 0; i < list.count;) {
    uint32_t period, n = listed_stretch(list.items, list.count, i, 1, &period);
    text_printf(w->out, "  %s", list.items[i].name);
    if (n > 1) text_printf(w->out, " .. %s", list.items[i + n - 1].name);
    text_printf(w->out, " = %s\n", list.items[i].value);
    i += n;
  }
  if (m->params.count) text_putc(w->out, '\n');
}

static void text_document(DerivationShow *w) {
  const System *m = w->s;
  const Derivation *d = w->d;
  if (m->title) text_printf(w->out, "%s\n\n", m->title);
  text_declared(w);
  text_parameters(w);
  bool any = d->equations.count || d->matrices.count;
  if (d->steps) show_steps_text(w->s, d->steps, w->out);
  if (d->steps && (!d->repeats || d->notes.count)) text_putc(w->out, '\n');
  if (!d->repeats)
    text_printf(w->out, "%s\n", any ? typeset_heading(w->s, d) : "No equations: the model has outputs only");
  if (d->sum) text_printf(w->out, "  %s\n\n", d->sum);
  for (uint32_t i = 0; i < d->matrices.count; i++) matrix_text(w, &d->matrices.items[i]);
  if (d->shared.count) text_put(w->out, "\n  with\n");
  for (uint32_t i = 0; i < d->shared.count; i++)
    text_printf(w->out, "  %s = %s\n", d->shared.items[i].of, plain(w, d->shared.items[i].rhs, format_text));
  for (uint32_t i = 0; i < d->equations.count && !d->repeats; i++) {
    const ShownEquation *e = &d->equations.items[i];
    text_printf(w->out, "  %s = %s", left_of(w, e, format_text), plain(w, e->rhs, format_text));
    if (e->repeat) text_printf(w->out, "    %s", e->repeat->text);
    text_put(w->out, e->held ? "    # " words_between "\n" : "\n");
  }
  if (!d->repeats) text_constraints(w);
  show_origins_text(w->s, d, w->out);
  if (d->blocks.count) text_put(w->out, "\nBlocks\n");
  show_blocks_text(w->s, d, w->out);
  if (d->events.count) text_put(w->out, "\nEvents\n");
  show_events_text(w->s, d, w->out);
  if (d->notes.count && (!d->repeats || d->blocks.count || d->events.count)) text_putc(w->out, '\n');
  for (uint32_t i = 0; i < d->notes.count; i++) text_printf(w->out, "Note: %s\n", d->notes.items[i]);
}

// ---- JSON

static void json_variable(DerivationShow *w, Json *j, const char *name, const char *kind, ExprId start) {
  json_open(j, NULL, '{');
  json_string(j, "name", name);
  json_string(j, "kind", kind);
  json_string(j, "start", start ? plain(w, start, format_text) : "0");
  json_close(j, '}');
}

// Coordinates and states with their initial values.
static void json_variables(DerivationShow *w, Json *j) {
  const System *m = w->s;
  json_open(j, "variables", '[');
  for (uint32_t i = 0; i < m->coords.count; i++) {
    const SystemCoord *c = &m->coords.items[i];
    json_variable(w, j, c->name, "coordinate", c->q0);
    json_variable(w, j, pool_symbol_get(w->d->pool, c->v)->name, "velocity", c->v0);
  }
  for (uint32_t i = 0; i < m->states.count; i++) {
    const SystemState *x = &m->states.items[i];
    if (x->of) continue;
    json_variable(w, j, x->name, pool_symbol_get(w->d->pool, x->x)->made ? "state of a block" : "state", x->x0);
  }
  for (uint32_t i = 0; i < m->unknowns.count; i++) {
    json_variable(w, j, m->unknowns.items[i].name, "unknown", m->unknowns.items[i].guess);
  }
  json_close(j, ']');
}

static void json_latex(DerivationShow *w, Json *j, const ShownEquation *e) {
  json_string(j, "latex",
              arena_printf(w->s->arena, "%s = %s", left_of(w, e, format_latex), plain(w, e->rhs, format_latex)));
}

static void json_signals(DerivationShow *w, Json *j) {
  json_open(j, "signals", '[');
  for (uint32_t i = 0; i < w->d->inputs.count; i++) {
    const ShownEquation *e = &w->d->inputs.items[i];
    json_open(j, NULL, '{');
    json_string(j, "name", e->of);
    json_string(j, "value", plain(w, e->rhs, format_text));
    json_latex(w, j, e);
    json_close(j, '}');
  }
  json_close(j, ']');
}

// The names that the model declares, by kind.
static void json_names(DerivationShow *w, Json *j) {
  const System *m = w->s;
  json_open(j, "coordinates", '[');
  for (uint32_t i = 0; i < m->coords.count; i++) json_string(j, NULL, m->coords.items[i].name);
  json_close(j, ']');
  json_open(j, "states", '[');
  for (uint32_t i = 0; i < m->states.count && !w->d->ports; i++) {
    if (!m->states.items[i].of) json_string(j, NULL, m->states.items[i].name);
  }
  for (uint32_t i = 0; w->d->ports && i < w->d->ports->n; i++)
    json_string(j, NULL, pool_symbol_get(w->d->pool, w->d->ports->x[i])->name);
  json_close(j, ']');
  json_open(j, "inputs", '[');
  for (uint32_t i = 0; i < m->inputs.count; i++) json_string(j, NULL, m->inputs.items[i].name);
  json_close(j, ']');
}

static void json_parameters(DerivationShow *w, Json *j) {
  json_open(j, "parameters", '[');
  for (uint32_t i = 0; i < w->s->params.count; i++) {
    const SystemParam *p = &w->s->params.items[i];
    json_open(j, NULL, '{');
    json_string(j, "name", p->name);
    // the expression is in SI; what was written, with its unit, is beside it
    Text written = text_in(w->s->arena);
    if (p->value) print_value(w, p, &written);
    json_string(j, "value", p->value ? plain(w, p->value, format_text) : NULL);
    json_string(j, "written", p->value ? text_str(&written) : NULL);
    json_string(j, "note", p->note);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_equations(DerivationShow *w, Json *j) {
  json_open(j, "equations", '[');
  for (uint32_t i = 0; i < w->d->equations.count; i++) {
    const ShownEquation *e = &w->d->equations.items[i];
    json_open(j, NULL, '{');
    json_string(j, "of", e->of);
    json_string(j, "lhs", left_of(w, e, format_text));
    json_string(j, "rhs", plain(w, e->rhs, format_text));
    json_latex(w, j, e);
    if (e->held) json_bool(j, "held", true);
    if (e->repeat) json_string(j, "repeats", e->repeat->text);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_matrix(DerivationShow *w, Json *j, const char *name, const ShownMatrix *x) {
  json_open(j, name, '[');
  for (uint32_t r = 0; r < x->rows; r++) {
    json_open(j, NULL, '[');
    for (uint32_t c = 0; c < x->cols; c++) json_string(j, NULL, plain(w, x->items[r * x->cols + c], format_text));
    json_close(j, ']');
  }
  json_close(j, ']');
}

// Position constraints and velocity constraints, each with its multiplier; then the Jacobian.
static void json_constraints(DerivationShow *w, Json *j) {
  const Derivation *d = w->d;
  if (!d->constraints.count) return;
  json_open(j, "constraints", '[');
  for (uint32_t i = 0; i < d->constraints.count; i++) {
    const ShownEquation *e = &d->constraints.items[i];
    const SystemConstraint *c = &w->s->constraints.items[i];
    json_open(j, NULL, '{');
    json_string(j, "name", e->of);
    json_string(j, "multiplier", c->name);
    json_string(j, "unit", unit_si_text(w->s->arena, &unit_unsaid, &c->dim, 0));
    json_string(j, "binds", c->velocities ? "velocities" : "places");
    json_string(j, "lhs", plain(w, e->lhs, format_text));
    json_string(j, "rhs", plain(w, e->rhs, format_text));
    json_latex(w, j, e);
    json_close(j, '}');
  }
  json_close(j, ']');
  if (d->jacobian.rows) json_matrix(w, j, "jacobian", &d->jacobian);
}

static void json_matrices(DerivationShow *w, Json *j) {
  json_open(j, "matrices", '{');
  for (uint32_t i = 0; i < w->d->matrices.count; i++) {
    const ShownMatrix *x = &w->d->matrices.items[i];
    json_matrix(w, j, x->name, x);
  }
  json_close(j, '}');
}

// Names that stand in the matrices.
static void json_shared(DerivationShow *w, Json *j) {
  if (!w->d->shared.count) return;
  json_open(j, "shared", '[');
  for (uint32_t i = 0; i < w->d->shared.count; i++) {
    const ShownEquation *e = &w->d->shared.items[i];
    json_open(j, NULL, '{');
    json_string(j, "name", e->of);
    json_string(j, "value", plain(w, e->rhs, format_text));
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_entries(DerivationShow *w, Json *j, const char *name, uint32_t rows, uint32_t cols, ExprId *items) {
  ShownMatrix m = {.rows = rows, .cols = cols, .items = items};
  json_matrix(w, j, name, &m);
}

// The form hamilton: H and its matrices by the names that everybody gives them.
static void json_ports(DerivationShow *w, Json *j) {
  const PortForm *f = w->d->ports;
  if (!f) return;
  json_string(j, "H", plain(w, f->H, format_text));
  json_entries(w, j, "J", f->n, f->n, f->J);
  json_entries(w, j, "R", f->n, f->n, f->R);
  json_entries(w, j, "G", f->n, f->m, f->G);
  json_entries(w, j, "P", f->n, f->m, f->P);
  json_entries(w, j, "S", f->m, f->m, f->S);
  json_strings(j, "ports", f->names, f->m);
}

static void json_document(DerivationShow *w) {
  const Derivation *d = w->d;
  Json json = {.out = w->out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", w->s->title);
  json_string(j, "form", form_names[d->form]);
  json_names(w, j);
  json_variables(w, j);
  json_signals(w, j);
  json_parameters(w, j);
  json_equations(w, j);
  json_constraints(w, j);
  show_statements_json(w->s, d, j);
  if (d->steps) show_steps_json(w->s, d->steps, j);
  json_ports(w, j);
  show_origins_json(w->s, d, j);
  json_string(j, "sum", d->sum);
  json_matrices(w, j);
  json_shared(w, j);
  json_strings(j, "notes", d->notes.items, d->notes.count);
  json_close(j, '}');
  text_putc(w->out, '\n');
}

void show_derivation(const System *s, const Derivation *d, ShowFormat format, Text *out) {
  DerivationShow show = {s, d, out, table_names(s, s->arena)};
  show.names.decimals = d->decimals;
  if (format == show_text) text_document(&show);
  if (format == show_json) json_document(&show);
  if (format == show_html || format == show_latex_document)
    show_document(s, &d, 1, d->steps, true, format == show_html ? format_mathml : format_latex, out);
  if (format != show_latex && format != show_mathml) return;
  ExprFormat inner = format == show_latex ? format_latex : format_mathml;
  if (d->steps) show_steps_typeset(s, d->steps, inner, out);
  if (!d->repeats) typeset_derivation(s, d, inner, false, out);
  show_origins_typeset(s, d, inner, out);
  typeset_inputs(s, d, false, inner, out);
  show_blocks_typeset(s, d, inner, out);
  show_events_typeset(s, d, inner, out);
}
