// The report of `check` without equations (algebra/facts.h) as text and as JSON.
//
// in    names with their units, degrees of freedom, the power balance, constants of motion, parameters that occur only
//       in combinations, remarks
// out   one paragraph for each kind of fact, none where there is none; units "1" for a plain number, "not known"
//       where nothing determines them
#include "show/facts.h"

#include "expr/decide.h"
#include "expr/print.h"
#include "show/json.h"

#include <string.h>

static void pad(Text *out, const char *word, size_t width) {
  size_t n = utf8_columns(word, strlen(word));
  text_put(out, word);
  text_pad(out, ' ', n < width ? width - n : 1);
}

static void names_text(const Facts *f, Text *out) {
  size_t widest = 8; // columns of names; a longer one than 40 does not push the others aside
  for (uint32_t i = 0; i < f->names.count; i++) {
    size_t n = utf8_columns(f->names.items[i].name, strlen(f->names.items[i].name)) + 2;
    if (n > widest && n < 40) widest = n;
  }
  if (f->names.count) text_put(out, "names and their units, in SI\n");
  for (uint32_t i = 0; i < f->names.count; i++) {
    const FactName *n = &f->names.items[i];
    text_put(out, "  ");
    pad(out, n->name, widest);
    pad(out, n->kind, 12);
    const char *unit = !n->unit ? "not known" : *n->unit ? n->unit : "1";
    bool said = n->unit && n->inferred && strcmp(n->kind, "velocity") != 0 && strcmp(n->kind, "output") != 0;
    if (said) text_printf(out, "%s (inferred)", unit);
    else if (n->written) text_printf(out, "%s (written in %s)", unit, n->written);
    else text_put(out, unit);
    text_putc(out, '\n');
  }
  if (f->energy_unit && *f->energy_unit) text_printf(out, "  energies are in %s, not in J\n", f->energy_unit);
  else if (f->energy_unit) text_put(out, "  energies are plain numbers, not in J\n");
  if (f->cut) text_put(out, "  the model is too large: its units were checked in part\n");
}

static void freedom_text(const FactFreedom *x, Text *out) {
  if (!x->constraints) return;
  text_put(out, "\ndegrees of freedom\n");
  if (x->unknown) {
    text_printf(out, "  not known: %s\n", x->unknown);
    return;
  }
  text_printf(out, "  %u: %u coordinate%s, constraints of rank %u of %u%s\n", x->coords - x->rank, x->coords,
              x->coords == 1 ? "" : "s", x->rank, x->constraints, x->numeric ? ", in numbers" : "");
  for (uint32_t i = 0; i < x->redundant.count; i++)
    text_printf(out, "  the constraint %s follows from those before it\n", x->redundant.items[i]);
}

// A formula that is read, as it is or simplified, whichever is shorter; of longer ones how long they are.
static const char *readable(System *s, ExprId id) {
  enum { most_columns = 400, most_nodes = 2000, most_simplified = 300 };
  uint32_t length;
  const ExprId *list = pool_reach(s->pool, &id, 1, NULL, NULL, &length);
  const char *text = list && length <= most_nodes ? expr_text(s->pool, s->arena, id) : NULL;
  ExprId simple = list && length <= most_simplified ? expr_short(s->pool, s->arena, id) : 0;
  const char *other = simple ? expr_text(s->pool, s->arena, simple) : NULL;
  if (text && other && strlen(other) < strlen(text)) text = other;
  if (text && strlen(text) <= most_columns) return text;
  return arena_printf(s->arena, "a sum of %u terms, too long to be read here", expr_term_count(s->pool, id));
}

static void remarks_text(System *s, const FactRemark *list, uint32_t count, Text *out) {
  for (uint32_t i = 0; i < count; i++) {
    const Source *source = source_get(s->sources, list[i].span);
    text_printf(out, "  %s: %s", list[i].about, list[i].says);
    if (source) text_printf(out, " (%s:%u)", source->name, source_place(source, list[i].span.start).line);
    text_putc(out, '\n');
  }
}

static void balance_text(System *s, const FactBalance *b, Text *out) {
  if (!b->kept) return;
  text_printf(out, "\npower balance%s%s: d(stored)/dt = supplied - dissipated\n", b->proved ? ", proved" : "",
              b->between ? " between the events" : "");
  text_printf(out, "  stored      %s\n", readable(s, b->stored));
  text_printf(out, "  dissipated  %s\n", readable(s, b->dissipated));
  text_printf(out, "  supplied    %s\n", readable(s, b->supplied));
  remarks_text(s, b->notes.items, b->notes.count, out);
}

static void lump_text(System *s, const FactLump *l, Text *out) {
  text_put(out, "  ");
  for (uint32_t i = 0; i < l->names.count; i++)
    text_printf(out, "%s%s", i == 0 ? "" : i + 1 == l->names.count ? " and " : ", ", l->names.items[i]);
  if (!l->by.count && l->signs) {
    bool one = l->names.count == 1;
    text_printf(out, " count%s only by %s sign%s: nothing else in the motion changes with %s\n", one ? "s" : "",
                one ? "its" : "their", one ? "" : "s", one ? "it" : "them");
    return;
  }
  if (!l->by.count) {
    text_printf(out, " %s not count: nothing in the motion changes with %s\n", l->names.count == 1 ? "does" : "do",
                l->names.count == 1 ? "it" : "them");
    return;
  }
  text_printf(out, " count only by ");
  for (uint32_t i = 0; i < l->by.count; i++)
    text_printf(out, "%s%s",
                i == 0                 ? ""
                : i + 1 == l->by.count ? " and "
                                       : ", ",
                expr_text(s->pool, s->arena, l->by.items[i]));
  text_printf(out, ": %u number%s instead of %u%s\n", l->by.count, l->by.count == 1 ? "" : "s", l->names.count,
              l->signs ? ", as long as none changes its sign" : "");
}

static void given_up_text(const Facts *f, Text *out) {
  if (f->given_up)
    text_printf(out, "\nA search was given up: %s. What is not said here may still hold.\n", f->given_up);
}

void show_facts_text(System *s, const Facts *f, Text *out) {
  names_text(f, out);
  freedom_text(&f->freedom, out);
  balance_text(s, &f->balance, out);
  if (f->constants.count) text_put(out, "\nconstants of motion, proved\n");
  for (uint32_t i = 0; i < f->constants.count; i++) {
    const FactConstant *c = &f->constants.items[i];
    text_printf(out, "  %s%s%s\n    %s\n", c->what, c->condition ? ", " : "", c->condition ? c->condition : "",
                expr_text(s->pool, s->arena, c->value));
  }
  if (f->lumps.count) text_put(out, "\nparameters that are identifiable only together\n");
  for (uint32_t i = 0; i < f->lumps.count; i++) lump_text(s, &f->lumps.items[i], out);
  if (f->remarks.count) text_put(out, "\nwithout effect\n");
  remarks_text(s, f->remarks.items, f->remarks.count, out);
  given_up_text(f, out);
}

static void json_names(const Facts *f, Json *j) {
  json_open(j, "names", '[');
  for (uint32_t i = 0; i < f->names.count; i++) {
    const FactName *n = &f->names.items[i];
    json_open(j, NULL, '{');
    json_string(j, "name", n->name);
    json_string(j, "kind", n->kind);
    json_string(j, "unit", n->unit && !*n->unit ? "1" : n->unit);
    json_bool(j, "inferred", n->inferred);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_constants(System *s, const Facts *f, Json *j) {
  json_open(j, "constants", '[');
  for (uint32_t i = 0; i < f->constants.count; i++) {
    const FactConstant *c = &f->constants.items[i];
    json_open(j, NULL, '{');
    json_string(j, "what", c->what);
    json_string(j, "value", expr_text(s->pool, s->arena, c->value));
    json_string(j, "condition", c->condition);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_freedom(const FactFreedom *x, Json *j) {
  if (!x->constraints) return;
  json_open(j, "constraints", '{');
  json_count(j, "count", x->constraints);
  if (x->unknown) json_null(j, "rank");
  else json_count(j, "rank", x->rank);
  if (x->unknown) json_null(j, "degrees_of_freedom");
  else json_count(j, "degrees_of_freedom", x->coords - x->rank);
  json_strings(j, "redundant", x->redundant.items, x->redundant.count);
  json_close(j, '}');
}

static void json_remarks(System *s, const char *name, const FactRemark *list, uint32_t count, Json *j) {
  json_open(j, name, '[');
  for (uint32_t i = 0; i < count; i++) {
    const FactRemark *r = &list[i];
    const Source *source = source_get(s->sources, r->span);
    json_open(j, NULL, '{');
    json_string(j, "about", r->about);
    json_string(j, "says", r->says);
    json_count(j, "line", source ? source_place(source, r->span.start).line : 0);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_balance(System *s, const FactBalance *b, Json *j) {
  if (!b->kept) {
    json_null(j, "balance");
    return;
  }
  json_open(j, "balance", '{');
  json_string(j, "stored", readable(s, b->stored));
  json_string(j, "dissipated", readable(s, b->dissipated));
  json_string(j, "supplied", readable(s, b->supplied));
  json_bool(j, "proved", b->proved);
  json_bool(j, "between_events", b->between);
  json_remarks(s, "notes", b->notes.items, b->notes.count, j);
  json_close(j, '}');
}

static void json_lumps(System *s, const Facts *f, Json *j) {
  json_open(j, "lumped", '[');
  for (uint32_t i = 0; i < f->lumps.count; i++) {
    const FactLump *l = &f->lumps.items[i];
    json_open(j, NULL, '{');
    json_strings(j, "parameters", l->names.items, l->names.count);
    json_open(j, "by", '[');
    for (uint32_t k = 0; k < l->by.count; k++) json_string(j, NULL, expr_text(s->pool, s->arena, l->by.items[k]));
    json_close(j, ']');
    json_bool(j, "keep_signs", l->signs);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void show_facts_json(System *s, const Facts *f, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "verdict", "consistent");
  json_null(j, "witness");
  json_names(f, j);
  json_freedom(&f->freedom, j);
  json_balance(s, &f->balance, j);
  json_constants(s, f, j);
  json_lumps(s, f, j);
  json_remarks(s, "remarks", f->remarks.items, f->remarks.count, j);
  if (f->given_up) json_string(j, "given_up", f->given_up);
  json_close(j, '}');
  text_putc(out, '\n');
}
