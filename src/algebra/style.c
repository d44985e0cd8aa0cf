// Presentation of a derivation: factored, multiplied out, or with numbers.
//
// in    a filled Derivation, a DeriveStyle
// out   the same with every expression rewritten; nothing where the style asks for nothing
// how   expand: multiplied out, up to derive_most_terms. factor: in the ring of the normal form, by the helper program.
//       digits: the values of the parameters are put in; numbers in front of terms and factors are rounded once to that
//       number of digits, constants like pi/3 by a tape first; exponents and arguments of functions stay exact.
//
// A fraction is written with its sign, and with a factor that is no simple number, in the numerator (style_fraction).
#include "algebra/style.h"

#include "expr/calculus.h"
#include "expr/normal.h"
#include "tape/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *style_free_name(System *s, const char *name) {
  for (SymbolId i = 1; i < s->pool->symbols.count; i++) {
    if (strcmp(pool_symbol_get(s->pool, i)->name, name) == 0) return arena_printf(s->arena, "%s_", name);
  }
  return name;
}

bool style_with_values(System *s, ExprId *roots, uint32_t count) {
  bool any = false;
  for (uint32_t i = 0; i < count; i++) any = any || expr_has_kind(s->pool, roots[i], sym_param);
  if (!any) return true;
  SymbolMap map = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < s->params.count; i++) {
    const SystemParam *p = &s->params.items[i];
    if (p->value) symbol_map_set(&map, p->symbol, p->value);
  }
  ExprId *out = arena_array(s->arena, count, sizeof *out);
  // a value may hold other parameters, but never in a cycle
  for (uint32_t round = 0; any && round <= s->params.count; round++) {
    if (!out || !expr_replace(s->pool, &map, roots, count, out)) return false;
    any = memcmp(roots, out, count * sizeof *out) != 0;
    memcpy(roots, out, count * sizeof *out);
  }
  return true;
}

static ExprId reading(ExprPool *pool, ExprId id, bool decimals) {
  if (!id || expr_op(pool, id) != op_mul) return id;
  Rat c = expr_coef(pool, id);
  bool simple = !decimals && !c.big && llabs(c.num) <= 16 && c.den <= 16;
  Rat move = simple ? rat_int(rat_sign(c)) : c, stay = simple && rat_sign(c) < 0 ? rat_neg(pool->arena, c)
                                                       : simple                  ? c
                                                                                 : RAT_ONE;
  if (rat_is_int_value(move, 1)) return id;
  uint32_t n = expr_factor_count(pool, id), at = n;
  for (uint32_t i = 0; i < n; i++) {
    Factor f = expr_factor(pool, id, i);
    if (expr_op(pool, f.base) == op_add && f.exponent == pool->one && at == n) at = i;
  }
  ExprId *args = arena_array(pool->arena, 2 * (size_t)n + 1, sizeof *args);
  if (at == n || !args) return id;
  args[0] = expr_num(pool, stay);
  for (uint32_t i = 0; i < n; i++) {
    Factor f = expr_factor(pool, id, i);
    args[1 + 2 * i] = i == at ? expr_sum(pool, (Term[]){{move, f.base}}, 1) : f.base;
    args[2 + 2 * i] = f.exponent;
  }
  // as it stands: the rules of products would take the number out again
  return expr_raw(pool, op_mul, args, 2 * n + 1);
}

ExprId style_fraction(ExprPool *pool, ExprId id) { return reading(pool, id, false); }

// The nearest decimal number of `digits` digits. Whole numbers stay.
static Rat rounded(Arena *arena, Rat r, uint32_t digits) {
  int64_t integer;
  return rat_to_int(r, &integer) ? r : rat_round(arena, r, digits);
}

// A constant that is no rational number, like pi or sqrt(2)*sin(1), as a decimal number.
static Rat constant(System *s, ExprId id) {
  double value = NAN;
  char text[64];
  if (!tape_numbers(s->arena, s, &id, 1, &value) || !isfinite(value)) return (Rat){0};
  number_format(text, sizeof text, "%.40e", fabs(value)); // all its digits that count: it is rounded once, later
  Rat r = rat_parse(s->pool->arena, text, strlen(text));
  return value < 0 ? rat_neg(s->pool->arena, r) : r;
}

static bool is_constant(const ExprPool *pool, ExprId id) {
  return expr_kinds(pool, id) == 0 && expr_op(pool, id) != op_inf && expr_op(pool, id) != op_undefined;
}

// Numbers in front of terms and factors rounded; exponents and arguments of functions stay exact.
static ExprId round_numbers(System *s, ExprId id, uint32_t digits, int depth) {
  ExprPool *pool = s->pool;
  Rat r;
  if (!id || depth > 100) return id;
  if (expr_number(pool, id, &r)) return expr_num(pool, rounded(pool->arena, r, digits));
  if (is_constant(pool, id)) {
    r = constant(s, id);
    return rat_valid(r) ? expr_num(pool, rounded(pool->arena, r, digits)) : id;
  }
  if (expr_op(pool, id) == op_add) {
    uint32_t n = expr_term_count(pool, id);
    Term *t = arena_array(pool->arena, n, sizeof *t);
    for (uint32_t i = 0; t && i < n; i++) {
      Term term = expr_term(pool, id, i);
      t[i] = (Term){RAT_ONE, round_numbers(s, expr_scale(pool, term.coef, term.term), digits, depth + 1)};
    }
    return t ? expr_sum(pool, t, n) : 0;
  }
  if (expr_op(pool, id) != op_mul) return id;
  uint32_t n = expr_factor_count(pool, id), count = 0;
  Factor *f = arena_array(pool->arena, n, sizeof *f);
  Rat coef = expr_coef(pool, id);
  for (uint32_t i = 0; f && i < n; i++) {
    Factor x = expr_factor(pool, id, i);
    if (is_constant(pool, x.base) && is_constant(pool, x.exponent)) {
      r = constant(s, expr_pow(pool, x.base, x.exponent));
      if (rat_valid(r)) {
        coef = rat_mul(pool->arena, coef, r);
        continue;
      }
    }
    if (expr_op(pool, x.base) == op_add) x.base = round_numbers(s, x.base, digits, depth + 1);
    f[count++] = x;
  }
  return f ? expr_product(pool, rounded(pool->arena, coef, digits), f, count) : 0;
}

static ExprId factored(System *s, ExprId id) {
  if (expr_op(s->pool, id) != op_add) return id;
  Normal n = {0};
  ExprId root = id, out = 0;
  if (normal_open(&n, s->pool, s->arena, &root, 1)) {
    Frac f = frac_of(&n, root);
    if (f.num && f.den_count == 0) out = poly_factored(&n, poly_shorter(&n, f.num));
  }
  normal_close(&n);
  return out ? out : id;
}

static ExprId restyled(System *s, DeriveForm form, const DeriveStyle *style, ExprId id) {
  if (!id) return 0;
  if (style->expand && form != form_solved) id = expr_expand(s->pool, id, derive_most_terms);
  if (style->factor && form != form_solved) id = factored(s, id);
  if (style->digits) {
    if (!style_with_values(s, &id, 1)) return 0;
    ExprId top = id;
    // a fraction is multiplied out above and below, not across
    if (!style->factor && expr_op(s->pool, id) == op_add) top = expr_expand(s->pool, id, derive_most_terms);
    if (expr_op(s->pool, top) == op_mul) top = reading(s->pool, top, true);
    id = reading(s->pool, round_numbers(s, top, style->digits, 0), true);
  }
  return id;
}

ExprId style_numbers(System *s, uint32_t digits, ExprId id) {
  return restyled(s, form_lagrange, &(DeriveStyle){.digits = digits}, id);
}

bool style_apply(System *s, DeriveForm form, const DeriveStyle *style, Derivation *out) {
  if (!style->factor && !style->expand && !style->digits) return !arena_failed(s->arena);
  for (uint32_t i = 0; i < out->equations.count; i++) {
    ShownEquation *e = &out->equations.items[i];
    e->lhs = restyled(s, form, style, e->lhs);
    e->rhs = restyled(s, form, style, e->rhs);
  }
  for (uint32_t i = 0; i < out->shared.count; i++)
    out->shared.items[i].rhs = restyled(s, form, style, out->shared.items[i].rhs);
  for (uint32_t i = 0; i < out->constraints.count; i++)
    out->constraints.items[i].lhs = restyled(s, form, style, out->constraints.items[i].lhs);
  for (uint32_t k = 0; k < out->jacobian.rows * out->jacobian.cols; k++)
    out->jacobian.items[k] = restyled(s, form, style, out->jacobian.items[k]);
  for (uint32_t i = 0; i < out->inputs.count; i++)
    out->inputs.items[i].rhs = restyled(s, form, style, out->inputs.items[i].rhs);
  for (uint32_t i = 0; i < out->blocks.count; i++) {
    ShownBlock *b = &out->blocks.items[i];
    b->before = restyled(s, form, style, b->before);
    for (uint32_t k = 0; k < b->part_count; k++) b->parts[k].value = restyled(s, form, style, b->parts[k].value);
    for (uint32_t k = 0; k < b->case_count; k++) {
      ShownCase *c = &b->cases[k];
      c->value = restyled(s, form, style, c->value);
      c->where = restyled(s, form, style, c->where);
      c->time = restyled(s, form, style, c->time);
    }
  }
  for (uint32_t i = 0; i < out->events.count; i++) {
    ShownEvent *e = &out->events.items[i];
    e->condition = restyled(s, form, style, e->condition);
    e->period = restyled(s, form, style, e->period);
    for (uint32_t k = 0; k < e->assigns.count; k++)
      e->assigns.items[k].value = restyled(s, form, style, e->assigns.items[k].value);
  }
  for (uint32_t i = 0; i < out->matrices.count; i++) {
    ShownMatrix *m = &out->matrices.items[i];
    for (uint32_t k = 0; k < m->rows * m->cols; k++) m->items[k] = restyled(s, form, style, m->items[k]);
  }
  return !arena_failed(s->arena);
}
