// The grammar of ranges. A part of ranges.h.
//
//   range = value ":" value [":" value] | "log" ":" value ":" value ":" value | value
#include "lang/ranges.h"

#include <string.h>

static bool read_part(Parser *p, Ast **value, const Unit **unit, const char *wanted) {
  TokenKind k = peek(p)->kind;
  if (k == tok_colon || k == tok_newline || k == tok_end) {
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
