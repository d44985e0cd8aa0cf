// The grammar of ranges. A part of parser_inside.h.
//
//   range = value ":" value [":" value] | "log" ":" value ":" value ":" value | value
#include "lang/parser_inside.h"

#include <math.h>
#include <string.h>

static bool read_part(Parser *p, Ast **value, const Unit **unit, const char *wanted) {
  TokenKind k = peek(p)->kind;
  bool behind = p->at > 0 && p->tokens[p->at - 1].kind == tok_colon;
  if (k == tok_colon || (behind && (k == tok_newline || k == tok_end))) {
    parse_unexpected(p, wanted);
    diag_hint(p->diags, "a range is `a:b`, `a:h:b` with the step h, `log:a:b:n` with n values, or a list `[a, b, c]`");
    return false;
  }
  *value = parse_value(p, unit);
  return *value != NULL;
}

static bool read_log(Parser *p, RangeText *out) {
  out->kind = range_log;
  parse_advance(p); // log
  parse_advance(p); // :
  if (!read_part(p, &out->low, &out->low_unit, "the first value")) return false;
  if (!parse_expect(p, tok_colon, "`:` and the last value")) return false;
  if (!read_part(p, &out->high, &out->high_unit, "the last value")) return false;
  if (!parse_accept(p, tok_colon)) {
    parse_unexpected(p, "`:` and the number of values");
    diag_hint(p->diags, "`log:0.1:10:30` are 30 values from 0.1 to 10");
    return false;
  }
  return read_part(p, &out->by, &out->by_unit, "the number of values");
}

static bool read_parts(Parser *p, RangeText *out) {
  if (!read_part(p, &out->low, &out->low_unit, "a value")) return false;
  if (!parse_accept(p, tok_colon)) {
    out->kind = range_list;
    out->list = out->low;
    out->list_unit = out->low_unit;
    return true;
  }
  if (!read_part(p, &out->high, &out->high_unit, "the end of the range, or its step")) return false;
  out->kind = range_interval;
  if (!parse_accept(p, tok_colon)) return true;
  out->kind = range_grid;
  out->by = out->high;
  out->by_unit = out->high_unit;
  if (!read_part(p, &out->high, &out->high_unit, "the end of the range")) return false;
  if (!at_kind(p, tok_colon)) return true;
  diag_error(p->diags, diag_bad_range, peek(p)->span, "a range has at most three parts: first, step, last");
  diag_hint(p->diags, "`log:a:b:n` has a word and three numbers");
  return false;
}

bool parse_range(Parser *p, RangeText *out) {
  *out = (RangeText){.low_unit = &unit_unsaid, .high_unit = &unit_unsaid, .by_unit = &unit_unsaid};
  uint32_t first = p->at;
  bool logarithmic = at_kind(p, tok_name) && strcmp(peek(p)->text, "log") == 0 && peek_next(p)->kind == tok_colon;
  if (!(logarithmic ? read_log(p, out) : read_parts(p, out))) return false;
  out->span = span_join(p->tokens[first].span, p->tokens[p->at - 1].span);
  return true;
}

static bool has_unit(const Ast *a, const Unit *unit) { return unit->said || (a->kind == ast_number && a->unit); }

const Unit *range_common_unit(const RangeText *t) {
  bool grid = t->kind == range_grid;
  if (has_unit(t->low, t->low_unit) || (grid && has_unit(t->by, t->by_unit))) return NULL;
  return t->high_unit->said ? t->high_unit : t->high->kind == ast_number ? t->high->unit : NULL;
}

const Unit *range_lent_unit(const Ast *first, const Unit *first_unit, const Ast *last, const Unit *last_unit) {
  const Ast *number = first->kind == ast_negate ? first->items[0] : first;
  if (first_unit->said || number->kind != ast_number || number->unit) return NULL;
  if (last_unit->said) return last_unit;
  if (last->kind == ast_negate) last = last->items[0];
  return last->kind == ast_number ? last->unit : NULL;
}

// `-inf`, which is as far in any unit
static bool is_endless(const Ast *a) {
  if (a->kind == ast_negate) a = a->items[0];
  return a->kind == ast_name && strcmp(a->name, "inf") == 0;
}

void range_put_ends(const RangeText *t, Item *item) {
  const Unit *common = is_endless(t->low) ? NULL : range_common_unit(t), *low = common ? common : t->low_unit;
  item->value = t->low;
  item->until = t->high;
  if (low->said && !t->low->unit) t->low->unit = low;
  if (t->high_unit->said && !t->high->unit) t->high->unit = t->high_unit;
}

bool parse_ends(Parser *p, Item *item) {
  RangeText t = {.kind = range_interval};
  t.low = parse_value(p, &t.low_unit);
  if (!t.low || !parse_expect(p, tok_range, "`..`")) return false;
  t.high = parse_value(p, &t.high_unit);
  if (!t.high) return false;
  range_put_ends(&t, item);
  return true;
}

// ---- values as they are written

enum { most_values = 1000000 }; // as members of a family

static bool refuse(Parser *p, Span span, const char *message, const char *hint) {
  diag_error(p->diags, diag_bad_range, span, "%s", message);
  if (hint) diag_hint(p->diags, "%s", hint);
  return false;
}

static bool plain_number(Parser *p, const Ast *a, Rat *out) {
  if (a->kind == ast_number) *out = a->number;
  else if (a->kind == ast_negate && a->items[0]->kind == ast_number) *out = rat_neg(p->arena, a->items[0]->number);
  else
    return refuse(p, a->span, "the numbers of a range of values are plain ones here",
                  "write them out, or give a list: `[pi/4, pi/2]`");
  return rat_valid(*out);
}

static const Unit *unit_in(const Ast *a, const Unit *unit) {
  if (a->kind == ast_negate) a = a->items[0];
  return unit->said ? unit : a->kind == ast_number && a->unit ? a->unit : NULL;
}

// The unit at the end is that of all; numbers that have others are no plain ones.
static bool common_unit(Parser *p, const RangeText *t, const Unit **unit) {
  const Unit *last = unit_in(t->high, t->high_unit);
  *unit = last ? last : &unit_unsaid;
  if (!unit_in(t->low, t->low_unit) && !(t->kind == range_grid && unit_in(t->by, t->by_unit))) return true;
  return refuse(p, t->span, "one unit at the end is that of the whole range", "write `0:0.1:1 [mm]`");
}

static Ast *new_number(Parser *p, Rat value, Span span) {
  Ast *a = rat_valid(value) ? arena_new_of(p->arena, Ast) : NULL;
  if (a) *a = (Ast){.kind = ast_number, .span = span, .number = value};
  return a;
}

// A number that a double is, in 17 digits.
static Rat written(Parser *p, double value) {
  const char *text = arena_printf(p->arena, "%.17g", fabs(value));
  Rat r = text ? rat_parse(p->arena, text, strlen(text)) : RAT_NONE;
  return value < 0 && rat_valid(r) ? rat_neg(p->arena, r) : r;
}

// How many values, and how value i is found.
typedef struct Spread {
  RangeKind kind;
  Rat low, high, step;
  int64_t count;
} Spread;

static bool find_spread(Parser *p, const RangeText *t, Spread *x) {
  Rat by;
  x->kind = t->kind;
  if (!plain_number(p, t->low, &x->low) || !plain_number(p, t->high, &x->high) || !plain_number(p, t->by, &by))
    return false;
  if (t->kind == range_grid) {
    x->step = by;
    if (rat_is_zero(by)) return refuse(p, t->by->span, "the step of a range must not be zero", NULL);
    Rat way = rat_add(p->arena, x->high, rat_neg(p->arena, x->low));
    if (rat_sign(way) * rat_sign(by) < 0)
      return refuse(p, t->by->span, "this step leads away from the end of the range",
                    "`a:h:b` is first, step, last: `0:0.1:1`");
    Rat steps = rat_floor(p->arena, rat_div(p->arena, way, by));
    if (!rat_to_int(steps, &x->count) || x->count >= most_values)
      return refuse(p, t->span, "this range has more than a million values", NULL);
    x->count++;
    return true;
  }
  if (!rat_to_int(by, &x->count) || x->count < 2 || x->count > most_values)
    return refuse(p, t->by->span, "a logarithmic range needs a whole number of values, from 2 to a million",
                  "`log:0.1:10:30` are 30 values from 0.1 to 10");
  if (rat_sign(x->low) * rat_sign(x->high) <= 0)
    return refuse(p, t->span, "the ends of a logarithmic range are not zero, and have the same sign", NULL);
  return true;
}

static Rat spread_at(Parser *p, const Spread *x, int64_t i) {
  if (x->kind == range_grid) return rat_add(p->arena, x->low, rat_mul(p->arena, rat_int(i), x->step));
  if (i == 0) return x->low;
  if (i + 1 == x->count) return x->high;
  double low = rat_to_double(x->low), high = rat_to_double(x->high);
  return written(p, low * pow(high / low, (double)i / (double)(x->count - 1)));
}

bool parse_values(Parser *p, Ast **value, const Unit **unit) {
  RangeText t;
  Spread x;
  if (!parse_range(p, &t)) return false;
  if (t.kind == range_list) {
    *value = t.list;
    *unit = t.list_unit;
    return true;
  }
  if (t.kind == range_interval)
    return refuse(p, t.span, "this is an interval, and values are needed here",
                  "a grid has a step: `0:0.1:1`; or give a list: `[0, 0.5, 1]`");
  if (!common_unit(p, &t, unit) || !find_spread(p, &t, &x)) return false;
  Ast *list = arena_new_of(p->arena, Ast), **items = arena_array(p->arena, (size_t)x.count, sizeof *items);
  if (!list || !items) return false;
  for (int64_t i = 0; i < x.count; i++) {
    if (!(items[i] = new_number(p, spread_at(p, &x, i), t.span))) return false;
  }
  *list = (Ast){.kind = ast_list, .span = t.span, .items = items, .count = (uint32_t)x.count};
  *value = list;
  return true;
}
