// Targets in numbers. See targets.h.
#include "lang/targets.h"

#include "expr/constant.h"
#include "lang/eval.h"
#include "lang/parser_inside.h"

#include <math.h>
#include <string.h>

static bool refuse(Elab *e, Span span, const char *message) {
  diag_error(e->diags, diag_bad_range, span, "%s", message);
  return false;
}

// What passes: numbers that depend on positions. False: reported.
static bool read_place(Elab *e, const Ast *a, PassTarget *out) {
  const KindSet places = kind_set(sym_coord) | kind_set(sym_state);
  out->place = eval(e, a, NULL);
  out->name = elab_written(e, a->span);
  out->name_span = a->span;
  uint32_t count = out->place.shape ? value_count(&out->place) : 0, still = 0, last = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!expr_has_kinds(e->pool, value_item(&out->place, i), places)) still++, last = i;
  }
  if (still) {
    const char *name = still < count ? elab_entry_name(e, out->name, &out->place, last) : out->name;
    diag_error(e->diags, diag_bad_range, a->span, "`%s` cannot be moved: it depends on no coordinate", name);
    return false;
  }
  return out->place.shape != 0;
}

static bool read_points(Elab *e, const Ast *a, const Unit *unit, PassTarget *out) {
  e->eval.constant++;
  Value v = eval(e, a, NULL);
  if (v.shape) v = eval_unit(e, v, unit);
  e->eval.constant--;
  if (!v.shape) return false;
  uint32_t wide = value_count(&out->place), total = value_count(&v);
  bool row = v.shape != value_matrix && wide == total, single = wide == 1 && (v.rows == 1 || v.cols == 1);
  if (!row && !single && (v.shape != value_matrix || v.cols != wide)) {
    uint32_t given = v.shape == value_matrix ? v.cols : total;
    diag_error(e->diags, diag_bad_range, a->span, "`%s` has %u %s, and here %s %u in a row", out->name, wide,
               wide == 1 ? "number" : "numbers", given == 1 ? "is" : "are", given);
    if (v.shape == value_matrix) diag_hint(e->diags, "a row a point: `%s=[0, 1; 1, 1.2]`", out->name);
    return false;
  }
  double *numbers = arena_array(e->arena, (size_t)total + 1, sizeof *numbers);
  if (!numbers) return false;
  for (uint32_t i = 0; i < total; i++) {
    numbers[i] = expr_constant(e->pool, value_item(&v, i));
    if (!isfinite(numbers[i])) return refuse(e, a->span, "the numbers of points must be finite");
  }
  out->numbers = numbers;
  out->count = total / wide;
  return true;
}

bool target_read(TextScope *scope, const char *option, const char *text, PassTarget *out) {
  Model *m = &scope->model;
  Elab *e = &scope->elab;
  uint32_t errors = m->diags.errors;
  Parser parser, *p = &parser;
  *out = (PassTarget){0};
  if (!scope_tokens(scope, option, text, p)) return false;
  if (m->diags.errors != errors) return !arena_failed(m->arena);
  const Ast *left = parse_formula(p), *right = NULL;
  const Unit *unit = &unit_unsaid;
  if (left && parse_expect(p, tok_equal, "`=` and points")) right = parse_value(p, &unit);
  if (right && !at_kind(p, tok_newline) && !at_kind(p, tok_end)) {
    parse_unexpected(p, "the end of the points");
    right = NULL;
  }
  if (right) out->span = right->span;
  if (!right || !read_place(e, left, out) || !read_points(e, right, unit, out)) out->name = NULL;
  return !arena_failed(m->arena);
}
