// The unit of an expression, as far as the model says units; for axes.
//
// A number fits any unit. A name without a unit is not known, and neither is a product with it; in a sum the first known
// term decides. An angle counts only where nothing but time stands beside it (rad/s, but m/s for l*th').
#include "lang/dimension.h"

#include <string.h>

// Exponents are kept in sixths, so that roots have a place.
typedef enum Know { know_not, know_any, know_dim } Know;
typedef struct Dim {
  Know know;
  int16_t six[unit_dims];
} Dim;

static Dim dim_of_unit(const Unit *u, int seconds) {
  Dim d = {know_not, {0}};
  if (!u->said) return d;
  d.know = know_dim;
  for (int i = 0; i < unit_dims; i++) d.six[i] = (int16_t)(6 * u->dim[i]);
  d.six[unit_second] = (int16_t)(d.six[unit_second] - 6 * seconds);
  return d;
}

static Dim dim_of(int index, int power) {
  Dim d = {know_dim, {0}};
  if (index < unit_dims) d.six[index] = (int16_t)(6 * power);
  return d;
}

static Dim dim_of_symbol(const Model *m, const Symbol *s) {
  switch (s->kind) {
  case sym_param: return dim_of_unit(&m->params.items[s->index].unit, 0);
  case sym_time: return dim_of(unit_second, 1);
  case sym_input: return dim_of_unit(&m->inputs.items[s->index].unit, 0);
  case sym_coord:
  case sym_velocity:
  case sym_acceleration: return dim_of_unit(&m->coords.items[s->index].unit, (int)s->order);
  case sym_state:
  case sym_state_rate: return dim_of_unit(&m->states.items[s->index].unit, (int)s->order);
  case sym_signal: {
    Dim d = {know_dim, {[unit_metre] = 12, [unit_kilogram] = 6, [unit_second] = -12}};
    return d;
  }
  default: return (Dim){know_not, {0}};
  }
}

static Dim dim_of_product(const ExprPool *pool, ExprId id, const Dim *known) {
  Dim d = {know_any, {0}};
  bool pi = false;
  for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
    Factor f = expr_factor(pool, id, i);
    pi = pi || expr_op(pool, f.base) == op_pi;
    Dim b = known[pool->slot[f.base]];
    Rat r;
    int64_t n;
    if (b.know == know_any) continue;
    bool number = expr_number(pool, f.exponent, &r) && rat_to_int(rat_mul(pool->arena, r, rat_int(6)), &n) && n > -600 && n < 600;
    if (b.know == know_not || !number) return (Dim){know_not, {0}};
    d.know = know_dim;
    for (int k = 0; k < unit_dims; k++) d.six[k] = (int16_t)(d.six[k] + b.six[k] * n / 6);
  }
  // 180/pi*th is in degrees: such a factor changes the unit
  if (pi && d.six[unit_angle]) d.know = know_not;
  return d;
}

static Dim dim_of_sum(const ExprPool *pool, ExprId id, const Dim *known) {
  Dim any = {know_any, {0}};
  for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
    Dim t = known[pool->slot[expr_term(pool, id, i).term]];
    if (t.know == know_dim) return t;
    if (t.know == know_not) any = t;
  }
  return any;
}

static Dim dim_of_node(const Model *m, ExprId id, const Dim *known) {
  const ExprPool *pool = &m->pool;
  const ExprId *args = pool_args(pool, id);
  switch (expr_op(pool, id)) {
  case op_num:
  case op_pi:
  case op_inf: return (Dim){know_any, {0}};
  case op_sym: return dim_of_symbol(m, pool_symbol_get(pool, expr_symbol(pool, id)));
  case op_add: return dim_of_sum(pool, id, known);
  case op_mul: return dim_of_product(pool, id, known);
  case op_asin:
  case op_acos:
  case op_atan:
  case op_atan2: return dim_of(unit_angle, 1);
  case op_abs:
  case op_floor:
  case op_ramp:
  case op_mod: return known[pool->slot[args[0]]];
  case op_min:
  case op_max: return known[pool->slot[args[0]]].know == know_dim ? known[pool->slot[args[0]]] : known[pool->slot[args[1]]];
  case op_if: return known[pool->slot[args[1]]].know == know_dim ? known[pool->slot[args[1]]] : known[pool->slot[args[2]]];
  case op_noise:
  case op_table:
  case op_integral:
  case op_inverse:
  case op_undefined: return (Dim){know_not, {0}};
  default: return dim_of(unit_dims, 0); // functions and conditions are plain numbers
  }
}

// ---- as text

// m/s^2 as it is written in print: m/s²
static const char *pretty(Arena *arena, const char *text) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  Text t = text_in(arena);
  bool power = false;
  for (const char *s = text; *s; s++) {
    bool digit = *s >= '0' && *s <= '9';
    if (*s == '^') power = true;
    else if (power && *s == '-') text_put(&t, "⁻");
    else if (power && digit) text_put(&t, raised[*s - '0']);
    else if (*s == '*') text_put(&t, "·");
    else if (*s != ' ') text_putc(&t, *s);
    if (*s != '^' && *s != '-' && !digit) power = false;
  }
  return text_str(&t);
}

static const char *from_base(Arena *arena, const int *dim) {
  static const char *const names[unit_dims] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};
  static const int order[unit_dims] = {unit_kilogram, unit_metre, unit_ampere, unit_kelvin, unit_mole, unit_candela, unit_angle, unit_second};
  Text t = text_in(arena);
  uint32_t below = 0;
  for (int i = 0; i < unit_dims; i++) {
    int p = dim[order[i]];
    if (p > 0) text_printf(&t, p == 1 ? "%s%s" : "%s%s^%d", t.length ? "*" : "", names[order[i]], p);
    below += p < 0;
  }
  if (below && !t.length) text_put(&t, "1");
  if (below) text_put(&t, below > 1 ? "/(" : "/");
  bool first = true;
  for (int i = 0; i < unit_dims; i++) {
    int p = -dim[order[i]];
    if (p <= 0) continue;
    text_printf(&t, p == 1 ? "%s%s" : "%s%s^%d", first ? "" : "*", names[order[i]], p);
    first = false;
  }
  if (below > 1) text_put(&t, ")");
  return pretty(arena, text_str(&t));
}

static const char *dim_text(Arena *arena, const Dim *d) {
  static const struct {
    const char *name;
    int8_t dim[unit_dims];
  } named[] = {
      {"N", {1, 1, -2, 0}},        {"J", {2, 1, -2, 0}},       {"W", {2, 1, -3, 0}},       {"Pa", {-1, 1, -2, 0}},
      {"V", {2, 1, -3, -1}},       {"Ω", {2, 1, -3, -2}},      {"F", {-2, -1, 4, 2}},      {"H", {2, 1, -2, -2}},
      {"Wb", {2, 1, -2, -1}},      {"T", {0, 1, -2, -1}},      {"C", {0, 0, 1, 1}},        {"N·s/m", {0, 1, -1, 0}},
      {"N/m", {0, 1, -2, 0}},
  };
  int dim[unit_dims];
  bool other = false;
  for (int i = 0; i < unit_dims; i++) {
    if (d->six[i] % 6) return NULL;
    dim[i] = d->six[i] / 6;
    other = other || (dim[i] && i != unit_angle && i != unit_second);
  }
  bool turning = dim[unit_angle] != 0;
  if (other) dim[unit_angle] = 0;
  for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
    bool same = true;
    for (int i = 0; i < unit_dims; i++) same = same && dim[i] == named[k].dim[i];
    if (same) return turning && strcmp(named[k].name, "J") == 0 ? "N·m" : named[k].name;
  }
  return from_base(arena, dim);
}

const char *unit_si_text(Arena *arena, const Unit *unit, int seconds) {
  if (!unit->said) return NULL;
  // as written where it is SI already
  if (seconds == 0 && unit->text && unit->pi == 0 && rat_is_int_value(unit->scale, 1)) return pretty(arena, unit->text);
  Dim d = dim_of_unit(unit, seconds);
  return dim_text(arena, &d);
}

const char *model_unit_text(Model *m, ExprId id) {
  ExprPool *pool = &m->pool;
  SymbolId symbol = expr_symbol(pool, id);
  if (symbol) {
    const Symbol *s = pool_symbol_get(pool, symbol);
    if (s->kind == sym_coord) return unit_si_text(m->arena, &m->coords.items[s->index].unit, 0);
    if (s->kind == sym_state) return unit_si_text(m->arena, &m->states.items[s->index].unit, 0);
    if (s->kind == sym_input) return unit_si_text(m->arena, &m->inputs.items[s->index].unit, 0);
    if (s->kind == sym_param) return unit_si_text(m->arena, &m->params.items[s->index].unit, 0);
  }
  uint32_t count;
  const ExprId *list = pool_reach(pool, &id, 1, NULL, NULL, &count);
  Dim *known = list ? arena_array(m->arena, count, sizeof *known) : NULL;
  if (!known) return NULL;
  for (uint32_t i = 0; i < count; i++) known[i] = dim_of_node(m, list[i], known);
  return known[count - 1].know == know_dim ? dim_text(m->arena, &known[count - 1]) : known[count - 1].know == know_any ? "" : NULL;
}
