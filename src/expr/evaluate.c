// Expressions at a point: exact rational numbers, or balls of Arb.
//
// in    roots, and the number of an attempt, which chooses small rational values for all symbols
// out   values of the roots; or why there is none
//
// Exact points exist where angles occur in sines and cosines only: an angle b = k*a has cos(a), sin(a) = (1 - u^2,
// 2u)/(1 + u^2) with a rational u, and multiples by powers of the complex number. Otherwise a ball tells a sign or says
// that it cannot. A system of equations at a point is solved by elimination with pivots that are certainly not zero.
#include "expr/evaluate.h"

#include "expr/calculus.h"

#include <stdlib.h>
#include <string.h>

enum { most_multiple = 64, most_power = 64 };

// ---- numbers

static Ball *new_ball(Point *p) {
  // a number of `bits` bits, and what functions of it take on the way
  bool room = exact_ask(p->arena, &p->pool->algebra_asked, 4096 + 8 * (uint64_t)p->bits);
  Ball *b = room ? p->api->ball_new(p->balls) : NULL;
  if (!b) p->why = "out of memory";
  return b;
}

Num num_of(Point *p, Rat r) {
  if (p->exact) return (Num){.r = r};
  Num x = {.b = new_ball(p)};
  const char *text = rat_print(p->arena, r, false);
  if (!x.b || !text || !p->api->ball_number(x.b, text, p->bits)) p->why = "out of memory";
  return x;
}

static void lacks_value(Point *p) {
  p->why = "a value is not defined at the point";
  p->undefined = true;
}

static Num apply(Point *p, BallOp op, Num a, Num b) {
  Num x = {.b = new_ball(p)};
  if (!p->why && !p->api->ball_apply(x.b, op, a.b, b.b, p->bits)) lacks_value(p);
  return x;
}

static Num checked(Point *p, Rat r) {
  if (!rat_valid(r)) p->why = "a number has too many digits";
  return (Num){.r = r};
}

Num num_add(Point *p, Num a, Num b) {
  if (p->why) return a;
  return p->exact ? checked(p, rat_add(p->arena, a.r, b.r)) : apply(p, ball_add, a, b);
}
Num num_sub(Point *p, Num a, Num b) {
  if (p->why) return a;
  return p->exact ? checked(p, rat_add(p->arena, a.r, rat_neg(p->arena, b.r))) : apply(p, ball_sub, a, b);
}
Num num_mul(Point *p, Num a, Num b) {
  if (p->why) return a;
  return p->exact ? checked(p, rat_mul(p->arena, a.r, b.r)) : apply(p, ball_mul, a, b);
}
Num num_div(Point *p, Num a, Num b) {
  if (p->why) return a;
  if (p->exact && rat_is_zero(b.r)) {
    lacks_value(p);
    return a;
  }
  return p->exact ? checked(p, rat_div(p->arena, a.r, b.r)) : apply(p, ball_div, a, b);
}
int num_sign(const Point *p, Num a) { return p->exact ? rat_sign(a.r) : p->api->ball_sign(a.b); }

const char *num_text(const Point *p, Num a) {
  if (p->exact) return rat_print(p->arena, a.r, false);
  char *text = p->api->ball_print(a.b);
  const char *copy = text ? arena_strndup(p->arena, text, strlen(text)) : NULL;
  p->api->text_free(text);
  return copy;
}

static Num whole_power(Point *p, Num a, int64_t k) {
  if (llabs(k) > most_power) {
    p->why = "a power above 64";
    return a;
  }
  Num x = num_of(p, RAT_ONE);
  for (int64_t i = 0; i < llabs(k); i++) x = num_mul(p, x, a);
  return k < 0 ? num_div(p, num_of(p, RAT_ONE), x) : x;
}

// ---- which points are exact

static bool is_trig(ExprOp op) { return op == op_sin || op == op_cos || op == op_tan; }

static bool outside_trig(const ExprPool *pool, ExprId id, const void *context) {
  (void)context;
  return !is_trig(expr_op(pool, id));
}

static bool rational_op(ExprOp op) {
  switch ((int)op) {
  case op_num:
  case op_sym:
  case op_add:
  case op_mul:
  case op_abs:
  case op_sign:
  case op_min:
  case op_max:
  case op_floor:
  case op_mod:
  case op_step:
  case op_ramp:
  case op_impulse:
  case op_lt:
  case op_le:
  case op_eq:
  case op_ne:
  case op_and:
  case op_or:
  case op_not:
  case op_if: return true;
  default: return is_trig(op);
  }
}

// A term of an angle with its number in front.
static Term angle_term(ExprPool *pool, ExprId angle, uint32_t i) {
  Term t = expr_term(pool, angle, i);
  Rat c = expr_coef(pool, t.term);
  if (expr_op(pool, angle) != op_add && !rat_is_int_value(c, 1)) {
    t.coef = c;
    t.term = expr_scale(pool, rat_div(pool->arena, RAT_ONE, c), t.term);
  }
  return t;
}

static bool quarter(Term t, int64_t *k) {
  if (t.coef.big || 2 % t.coef.den != 0 || llabs(t.coef.num) > 1000000) return false;
  *k = t.coef.num * (2 / t.coef.den);
  return true;
}

typedef struct Angle {
  SymbolId symbol;
  int64_t den;
} Angle;
typedef VEC(Angle) Angles;

static bool note_angle(Arena *arena, ExprPool *pool, ExprId angle, Angles *angles) {
  angle = expr_expand(pool, angle, 1000);
  for (uint32_t i = 0; angle && i < expr_term_count(pool, angle); i++) {
    Term t = angle_term(pool, angle, i);
    int64_t k;
    if (t.term == pool->pi && quarter(t, &k)) continue;
    SymbolId s = expr_symbol(pool, t.term);
    if (!s || t.coef.big || t.coef.den > 12 || llabs(t.coef.num) > most_multiple) return false;
    bool found = false;
    for (uint32_t j = 0; j < angles->count; j++) {
      Angle *a = &angles->items[j];
      if (a->symbol != s) continue;
      found = true;
      int64_t x = a->den, y = t.coef.den;
      while (y) {
        int64_t r = x % y;
        x = y;
        y = r;
      }
      a->den = a->den / x * t.coef.den;
      if (a->den > 12) return false;
    }
    if (!found && !vec_push(arena, angles, (Angle){s, t.coef.den})) return false;
  }
  return angle != 0;
}

static bool find_angles(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, Angles *angles) {
  uint32_t length;
  const ExprId *reached = pool_reach(pool, roots, count, outside_trig, NULL, &length);
  ExprId *list = reached ? arena_array(arena, length, sizeof *list) : NULL;
  bool *outside = arena_array(arena, pool->symbols.count, sizeof *outside);
  if (!list || !outside) return false;
  memcpy(list, reached, length * sizeof *list);
  for (uint32_t i = 0; i < length; i++) {
    if (expr_symbol(pool, list[i])) outside[expr_symbol(pool, list[i])] = true;
    if (!rational_op(expr_op(pool, list[i]))) return false;
    for (uint32_t k = 0; expr_op(pool, list[i]) == op_mul && k < expr_factor_count(pool, list[i]); k++) {
      Rat e;
      if (!expr_number(pool, expr_factor(pool, list[i], k).exponent, &e) || !rat_is_int(e)) return false;
    }
  }
  reached = pool_reach(pool, roots, count, NULL, NULL, &length);
  list = reached ? arena_array(arena, length, sizeof *list) : NULL;
  if (!list) return false;
  memcpy(list, reached, length * sizeof *list);
  for (uint32_t i = 0; i < length; i++) {
    if (is_trig(expr_op(pool, list[i])) && !note_angle(arena, pool, pool_args(pool, list[i])[0], angles)) return false;
  }
  for (uint32_t i = 0; i < angles->count; i++) {
    if (outside[angles->items[i].symbol]) return false;
  }
  return true;
}

bool point_can_be_exact(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count) {
  Angles angles = {0};
  return find_angles(pool, arena, roots, count, &angles);
}

// ---- points

static uint32_t scramble(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7FEB352Du;
  x ^= x >> 15;
  x *= 0x846CA68Bu;
  return x ^ x >> 16;
}

// Of four points two are positive, one is mixed, one is negative. The first ones are near one; later ones look
// elsewhere, where corners may be: below one, far away, in all quadrants, and with all signs of three symbols.
enum { first_points = 4, first_octant = 12 };

static bool below_one(uint32_t attempt) { return attempt == 6 || attempt == 7 || attempt == 9; }
static bool far_away(uint32_t attempt) { return attempt == 10 || attempt == 11; }
static bool negative(uint32_t place, uint32_t attempt, uint32_t h) {
  if (attempt >= first_octant && place < 3) return (attempt - first_octant) >> place & 1;
  return attempt % 4 == 3 || (attempt % 4 == 1 && (h >> 12 & 1));
}

// Small and different for neighbours; parameters are positive, so that roots and logarithms exist.
static Rat small_value(Point *p, const Symbol *s, uint32_t place, uint32_t free, uint32_t attempt) {
  uint32_t h = scramble(place * 977u + attempt * 7919u + 13u);
  int64_t top = 1 + (int64_t)(h % (attempt < 2 ? 7 : 13)), below = h >> 8 & 1 ? 2 : 1;
  if (attempt == 0) below = 1;
  if (s->kind == sym_param) return rat_make(p->arena, top, below);
  if (negative(free, attempt, h)) top = -top;
  // angles and the like should stay near one for balls
  if (!p->exact) below *= 4;
  if (below_one(attempt)) below *= 16;
  if (far_away(attempt)) top *= 1009;
  return rat_make(p->arena, top, below);
}

// t = tan(half the angle), in all four quadrants: c = (1 - t^2)/(1 + t^2), s = 2t/(1 + t^2)
static Rat half_tangent(Arena *arena, uint32_t place, uint32_t free, uint32_t attempt) {
  uint32_t h = scramble(place * 31u + attempt * 101u + 7u);
  int64_t top = 1 + (int64_t)(h % 3), below = 2 + (int64_t)(h >> 4 & 3);
  if (attempt < first_points) return rat_make(arena, top, below);
  if (h >> 8 & 1) top *= 4 + (int64_t)(h >> 9 & 7);
  return rat_make(arena, negative(free, attempt, h) ? -top : top, below);
}

bool point_open(Point *p, ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count, uint32_t attempt,
                bool exact) {
  *p = (Point){.pool = pool, .arena = arena, .exact = exact, .bits = 128};
  Angles angles = {0};
  if (exact && !find_angles(pool, arena, roots, count, &angles)) {
    p->why = "the values are not rational";
    return false;
  }
  if (!exact) {
    p->api = exact_balls(arena, &p->why);
    if (!p->api) return false;
    p->balls = p->api->balls_new();
    if (!p->balls) return false;
  }
  uint32_t length;
  const ExprId *list = pool_reach(pool, roots, count, NULL, NULL, &length);
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    if (expr_symbol(pool, list[i])) vec_push(arena, &found, expr_symbol(pool, list[i]));
  }
  uint32_t free = 0; // symbols that are no parameters
  for (uint32_t i = 0; i < found.count; i++) {
    PointSymbol s = {.symbol = found.items[i], .den = 1};
    const Symbol *symbol = pool_symbol_get(pool, s.symbol);
    Rat v = small_value(p, symbol, i, free, attempt);
    for (uint32_t k = 0; k < angles.count; k++) {
      if (angles.items[k].symbol != s.symbol) continue;
      Rat t = half_tangent(arena, i, free, attempt);
      Rat t2 = rat_mul(arena, t, t), below = rat_add(arena, RAT_ONE, t2);
      s.circle = true;
      s.den = angles.items[k].den;
      s.cos.r = rat_div(arena, rat_add(arena, RAT_ONE, rat_neg(arena, t2)), below);
      s.sin.r = rat_div(arena, rat_mul(arena, rat_int(2), t), below);
    }
    free += symbol->kind != sym_param;
    if (!s.circle) s.value = num_of(p, v);
    s.text = rat_print(arena, v, false);
    if (!vec_push(arena, &p->symbols, s)) return false;
  }
  return list != NULL && !p->why;
}

void point_close(Point *p) {
  if (p->balls) p->api->balls_free(p->balls);
  p->balls = NULL;
}

PointSymbol *point_find(Point *p, SymbolId symbol) {
  for (uint32_t i = 0; i < p->symbols.count; i++) {
    if (p->symbols.items[i].symbol == symbol) return &p->symbols.items[i];
  }
  return NULL;
}

void point_set(Point *p, SymbolId symbol, Num value) {
  PointSymbol *s = point_find(p, symbol);
  if (s) s->value = value, s->text = NULL;
  else vec_push(p->arena, &p->symbols, (PointSymbol){.symbol = symbol, .den = 1, .value = value});
}

// ---- evaluation

// cos and sin of a sum of angles by the addition theorems
static void exact_turn(Point *p, ExprId angle, Num *c, Num *s) {
  ExprPool *pool = p->pool;
  *c = num_of(p, RAT_ONE);
  *s = num_of(p, RAT_ZERO);
  angle = expr_expand(pool, angle, 1000);
  for (uint32_t i = 0; angle && i < expr_term_count(pool, angle); i++) {
    Term t = angle_term(pool, angle, i);
    Num c1 = num_of(p, RAT_ZERO), s1 = num_of(p, RAT_ONE);
    int64_t k;
    PointSymbol *found = point_find(p, expr_symbol(pool, t.term));
    if (t.term == pool->pi && quarter(t, &k)) {
      k = (k % 4 + 4) % 4;
    } else if (found && found->circle && rat_to_int(rat_mul(p->arena, t.coef, rat_int(found->den)), &k)) {
      c1 = found->cos;
      s1 = found->sin;
    } else {
      p->why = "an angle is not rational";
      return;
    }
    if (k < 0) s1 = num_sub(p, num_of(p, RAT_ZERO), s1);
    for (int64_t j = 0; j < llabs(k); j++) {
      Num next = num_sub(p, num_mul(p, *c, c1), num_mul(p, *s, s1));
      *s = num_add(p, num_mul(p, *s, c1), num_mul(p, *c, s1));
      *c = next;
    }
  }
}

static Num trig(Point *p, ExprOp op, ExprId angle, Num a) {
  if (!p->exact) return apply(p, op == op_sin ? ball_sin : op == op_cos ? ball_cos : ball_tan, a, a);
  Num c, s;
  exact_turn(p, angle, &c, &s);
  return op == op_cos ? c : op == op_sin ? s : num_div(p, s, c);
}

static Num truth(Point *p, int known, bool value) {
  if (known == 2) p->why = "a comparison that is not decided";
  return num_of(p, value ? RAT_ONE : RAT_ZERO);
}

static Num floor_of(Point *p, Num a) {
  if (p->why) return a;
  return p->exact ? checked(p, rat_floor(p->arena, a.r)) : apply(p, ball_floor, a, a);
}

static Num function(Point *p, ExprId id, const Num *a) {
  ExprOp op = expr_op(p->pool, id);
  if (is_trig(op)) return trig(p, op, pool_args(p->pool, id)[0], a[0]);
  bool two = pool_node(p->pool, id)->count >= 2;
  int s0 = num_sign(p, a[0]), order = two ? num_sign(p, num_sub(p, a[0], a[1])) : 0;
  switch ((int)op) {
  case op_abs: return s0 == 2 ? truth(p, 2, false) : s0 < 0 ? num_sub(p, num_of(p, RAT_ZERO), a[0]) : a[0];
  case op_sign: return s0 == 2 ? truth(p, 2, false) : num_of(p, rat_int(s0));
  case op_min: return order == 2 ? truth(p, 2, false) : order <= 0 ? a[0] : a[1];
  case op_max: return order == 2 ? truth(p, 2, false) : order >= 0 ? a[0] : a[1];
  case op_step: return truth(p, s0, s0 >= 0);
  case op_ramp: return s0 == 2 ? truth(p, 2, false) : s0 > 0 ? a[0] : num_of(p, RAT_ZERO);
  case op_impulse: // of one argument one value: enough to prove by, and check.c takes no witness from it
    return num_add(p, num_mul(p, a[0], a[0]), num_of(p, rat_int(3)));
  case op_lt: return truth(p, order, order < 0);
  case op_le: return truth(p, order, order <= 0);
  case op_eq: return truth(p, order, order == 0);
  case op_ne: return truth(p, order, order != 0);
  case op_and: return truth(p, s0 == 2 || num_sign(p, a[1]) == 2 ? 2 : 0, s0 != 0 && num_sign(p, a[1]) != 0);
  case op_or: return truth(p, s0 == 2 || num_sign(p, a[1]) == 2 ? 2 : 0, s0 != 0 || num_sign(p, a[1]) != 0);
  case op_not: return truth(p, s0, s0 == 0);
  case op_if: return s0 == 2 ? truth(p, 2, false) : s0 != 0 ? a[1] : a[2];
  default: break;
  }
  if (op == op_floor) return floor_of(p, a[0]);
  if (op == op_mod) return num_sub(p, a[0], num_mul(p, a[1], floor_of(p, num_div(p, a[0], a[1]))));
  if (p->exact) {
    p->why = "the values are not rational";
    return a[0];
  }
  static const struct {
    ExprOp op;
    BallOp ball;
  } table[] = {{op_asin, ball_asin},   {op_acos, ball_acos}, {op_atan, ball_atan},
               {op_atan2, ball_atan2}, {op_sinh, ball_sinh}, {op_cosh, ball_cosh},
               {op_tanh, ball_tanh},   {op_exp, ball_exp},   {op_ln, ball_ln}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].op == op) return apply(p, table[i].ball, a[0], two ? a[1] : a[0]);
  }
  if (op == op_log10) return num_div(p, apply(p, ball_ln, a[0], a[0]), apply(p, ball_ln, num_of(p, rat_int(10)), a[0]));
  p->why = "tables, noise, integrals and inverses have no exact values";
  return a[0];
}

static Num power(Point *p, Num base, Num exponent, ExprId id) {
  Rat e;
  int64_t k;
  if (expr_number(p->pool, id, &e)) {
    if (rat_to_int(e, &k)) return whole_power(p, base, k);
    if (!e.big && e.den == 2 && !p->exact) return whole_power(p, apply(p, ball_sqrt, base, base), e.num);
  }
  if (p->exact) {
    p->why = "the values are not rational";
    return base;
  }
  return apply(p, ball_pow, base, exponent);
}

static Num eval_node(Point *p, ExprId id, const Num *value, const uint32_t *slot) {
  ExprPool *pool = p->pool;
  Rat r;
  if (expr_number(pool, id, &r)) return num_of(p, r);
  switch ((int)expr_op(pool, id)) {
  case op_sym: {
    PointSymbol *s = point_find(p, expr_symbol(pool, id));
    if (!s) p->why = "a symbol without a value";
    return s && !s->circle ? s->value
                           : num_of(p, RAT_ZERO); // an angle of the circle is used by its sine and cosine alone
  }
  case op_pi: return p->exact ? num_of(p, RAT_ZERO) : apply(p, ball_pi, num_of(p, RAT_ZERO), num_of(p, RAT_ZERO));
  case op_inf:
  case op_undefined:
    p->why = "infinity is no number";
    p->undefined = true;
    return num_of(p, RAT_ZERO);
  case op_add: {
    Num sum = num_of(p, RAT_ZERO);
    for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      sum = num_add(p, sum, num_mul(p, num_of(p, t.coef), value[slot[t.term]]));
    }
    return sum;
  }
  case op_mul: {
    Num product = num_of(p, expr_coef(pool, id));
    for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
      Factor f = expr_factor(pool, id, i);
      product = num_mul(p, product, power(p, value[slot[f.base]], value[slot[f.exponent]], f.exponent));
    }
    return product;
  }
  default: {
    Num a[3] = {{.r = RAT_ZERO}};
    uint32_t count = pool_node(pool, id)->count;
    for (uint32_t i = 0; i < count && i < 3; i++) a[i] = value[slot[pool_args(pool, id)[i]]];
    return function(p, id, a);
  }
  }
}

bool point_eval(Point *p, const ExprId *roots, uint32_t count, Num *out) {
  ExprPool *pool = p->pool;
  uint32_t length;
  const ExprId *reached = pool_reach(pool, roots, count, NULL, NULL, &length);
  ExprId *list = reached ? arena_array(p->arena, length, sizeof *list) : NULL;
  Num *value = arena_array(p->arena, length, sizeof *value);
  uint32_t *slot = arena_array(p->arena, pool->nodes.count, sizeof *slot);
  if (!list || !value || !slot) {
    p->why = "out of memory";
    return false;
  }
  memcpy(list, reached, length * sizeof *list);
  for (uint32_t i = 0; i < length; i++) slot[list[i]] = i;
  for (uint32_t i = 0; i < length; i++) {
    value[i] = eval_node(p, list[i], value, slot);
    if (p->why) return false;
  }
  for (uint32_t i = 0; i < count; i++) out[i] = value[slot[roots[i]]];
  return true;
}

bool expr_may_lack_value(ExprPool *pool, ExprId id) {
  uint32_t length;
  const ExprId *list = id ? pool_reach(pool, &id, 1, NULL, NULL, &length) : NULL;
  for (uint32_t i = 0; list && i < length; i++) {
    ExprOp op = expr_op(pool, list[i]);
    if (op == op_ln || op == op_log10 || op == op_asin || op == op_acos || op == op_tan || op == op_mod ||
        op == op_undefined)
      return true;
    for (uint32_t k = 0; op == op_mul && k < expr_factor_count(pool, list[i]); k++) {
      Rat e;
      if (!expr_number(pool, expr_factor(pool, list[i], k).exponent, &e) || !rat_is_int(e) || rat_sign(e) < 0)
        return true;
    }
  }
  return list == NULL;
}

int points_with_values(ExprPool *pool, Arena *arena, const ExprId *roots, uint32_t count) {
  enum { most_points = 40 };
  bool exact = point_can_be_exact(pool, arena, roots, count);
  Num *value = arena_array(arena, count, sizeof *value);
  if (!value) return -1;
  for (uint32_t attempt = 0; attempt < most_points; attempt++) {
    Point p;
    bool ok = point_open(&p, pool, arena, roots, count, attempt, exact) && point_eval(&p, roots, count, value);
    bool undefined = p.undefined;
    point_close(&p);
    if (ok) return 1;
    if (!undefined) return -1;
  }
  return 0;
}

bool point_solve(Point *p, Num *A, Num *b, uint32_t n, Num *x) {
  uint32_t *pivot_of = arena_array(p->arena, n, sizeof *pivot_of); // row plus one of a column
  bool *used = arena_array(p->arena, n, sizeof *used);
  if (!pivot_of || !used) return false;
  for (uint32_t c = 0; c < n; c++) {
    uint32_t row = n;
    bool doubt = false;
    for (uint32_t r = 0; r < n && row == n; r++) {
      int sign = used[r] ? 0 : num_sign(p, A[r * n + c]);
      if (sign == 2) doubt = true;
      else if (sign) row = r;
    }
    if (row == n) {
      if (doubt) return false;
      continue;
    }
    used[row] = true;
    pivot_of[c] = row + 1;
    for (uint32_t r = 0; r < n; r++) {
      if (r == row || num_sign(p, A[r * n + c]) == 0) continue;
      Num f = num_div(p, A[r * n + c], A[row * n + c]);
      for (uint32_t k = 0; k < n; k++)
        A[r * n + k] = k == c ? num_of(p, RAT_ZERO) : num_sub(p, A[r * n + k], num_mul(p, f, A[row * n + k]));
      b[r] = num_sub(p, b[r], num_mul(p, f, b[row]));
    }
  }
  for (uint32_t r = 0; r < n; r++) {
    if (!used[r] && num_sign(p, b[r]) != 0) return false;
  }
  for (uint32_t c = 0; c < n; c++) {
    if (!pivot_of[c]) x[c] = num_of(p, rat_int(1 + (int64_t)c));
  }
  for (uint32_t c = 0; c < n; c++) {
    if (!pivot_of[c]) continue;
    uint32_t row = pivot_of[c] - 1;
    Num rest = b[row];
    for (uint32_t k = 0; k < n; k++) {
      if (!pivot_of[k]) rest = num_sub(p, rest, num_mul(p, A[row * n + k], x[k]));
    }
    x[c] = num_div(p, rest, A[row * n + c]);
  }
  return !p->why;
}
