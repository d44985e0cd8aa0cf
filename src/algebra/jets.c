// Taylor coefficients of a solution modulo a prime, and their derivatives by parameters. See jets.h.
//
// Notation: a series is `orders` rows of 1 + k residues: the coefficient, then its derivatives by the k unknowns.
#include "algebra/jets.h"

#include "base/random.h"
#include "expr/prime.h"
#include "expr/rebuild.h"

#include <string.h>

typedef enum JetKind {
  jet_number,   // value
  jet_given,    // filled from outside: components, time, accelerations, unknown parameters
  jet_signal,   // a known function of time alone: random coefficients
  jet_sum,      // terms
  jet_product,  // a b
  jet_inverse,  // 1/a
  jet_root,     // sqrt(a)
  jet_function, // value at the start; a: argument, b: derivative by it
} JetKind;

typedef struct JetOp {
  JetKind kind;
  uint32_t a, b;
  uint64_t value;
  uint32_t first, count; // terms
} JetOp;

typedef struct JetTerm {
  uint64_t factor;
  uint32_t slot;
} JetTerm;

enum { deepest = 3000, most_ops = 20000 };

typedef struct Jets {
  Arena *arena;
  const JetsMotion *m;
  ExprPool *pool;
  uint32_t k, width, orders; // width: 1 + k
  uint64_t seed;
  VEC(JetOp) ops;
  VEC(JetTerm) terms;
  VEC(uint32_t) slot_of; // by expression: slot plus one
  SymbolMap start;       // symbols at the start
  VEC(uint32_t) given;   // by symbol: slot plus one
  uint64_t *series;      // of all slots
  uint32_t before;       // operations that M and h need
  uint32_t depth;
  const char *why;
  bool bad;
} Jets;

uint64_t jets_value(uint64_t seed, uint32_t unknown) {
  return random_bits(seed, UINT64_C(1) << 32 | unknown) % (MODULAR_PRIME - 1) + 1;
}
static uint64_t random_of(const Jets *j, uint64_t key) { return random_bits(j->seed, key) % (MODULAR_PRIME - 1) + 1; }

static uint32_t refuse(Jets *j, const char *why) {
  if (!j->why) j->why = why;
  return 0;
}

// ---- operations

static uint32_t emit(Jets *j, JetOp op) {
  if (j->ops.count >= most_ops) return refuse(j, "the model is large");
  vec_push(j->arena, &j->ops, op);
  return j->ops.count - 1;
}

static uint32_t number(Jets *j, Rat r) {
  bool good = true;
  uint64_t value = rat_mod(r, MODULAR_PRIME, &good);
  if (!good) j->bad = true;
  return emit(j, (JetOp){.kind = jet_number, .value = value});
}

static uint32_t compile(Jets *j, ExprId id);

static uint32_t power(Jets *j, uint32_t base, uint64_t n) {
  uint32_t result = 0;
  bool any = false;
  for (; n; n >>= 1) {
    if (n & 1) {
      result = any ? emit(j, (JetOp){.kind = jet_product, .a = result, .b = base}) : base;
      any = true;
    }
    if (n > 1) base = emit(j, (JetOp){.kind = jet_product, .a = base, .b = base});
  }
  return result;
}

// b^e; a power that is no whole number, nor half of one, is exp(e ln b).
static uint32_t compile_factor(Jets *j, Factor f) {
  ExprPool *pool = j->pool;
  Rat e;
  int64_t halves;
  if (!expr_number(pool, f.exponent, &e) || !rat_to_int(rat_mul(pool->arena, e, rat_int(2)), &halves) || halves > 200 ||
      halves < -200) {
    ExprId ln = expr_make(pool, op_ln, &f.base, 1), argument = expr_mul(pool, f.exponent, ln);
    return compile(j, expr_make(pool, op_exp, &argument, 1));
  }
  uint32_t base = compile(j, f.base);
  if (halves % 2) base = emit(j, (JetOp){.kind = jet_root, .a = base});
  else halves /= 2;
  if (halves < 0) base = emit(j, (JetOp){.kind = jet_inverse, .a = base});
  return power(j, base, (uint64_t)(halves < 0 ? -halves : halves));
}

static uint32_t compile_product(Jets *j, ExprId id) {
  uint32_t n = expr_factor_count(j->pool, id);
  uint32_t slot = number(j, expr_coef(j->pool, id));
  for (uint32_t i = 0; i < n && !j->why; i++) {
    uint32_t factor = compile_factor(j, expr_factor(j->pool, id, i));
    slot = emit(j, (JetOp){.kind = jet_product, .a = slot, .b = factor});
  }
  return slot;
}

static uint32_t compile_sum(Jets *j, ExprId id) {
  uint32_t n = expr_term_count(j->pool, id);
  JetTerm *terms = arena_array(j->arena, (size_t)n + 1, sizeof *terms);
  for (uint32_t i = 0; terms && i < n && !j->why; i++) {
    Term t = expr_term(j->pool, id, i);
    bool good = true;
    terms[i] = (JetTerm){rat_mod(t.coef, MODULAR_PRIME, &good), compile(j, t.term)};
    if (!good) j->bad = true;
  }
  uint32_t first = j->terms.count;
  for (uint32_t i = 0; terms && i < n; i++) vec_push(j->arena, &j->terms, terms[i]);
  return emit(j, (JetOp){.kind = jet_sum, .first = first, .count = n});
}

// ---- functions at the start

typedef struct JetCircle {
  uint64_t c, s;
} JetCircle;

static JetCircle turn_by(JetCircle a, JetCircle b) {
  return (JetCircle){prime_sub(prime_mul(a.c, b.c), prime_mul(a.s, b.s)),
                     prime_add(prime_mul(a.s, b.c), prime_mul(a.c, b.s))};
}

enum { parts = 12 }; // halves, thirds, quarters of an argument are multiples of its twelfth

// Sine and cosine of a sum are a product of rotations, its exponential a product of exponentials; each argument has a
// point of its own. False: it is no sum of multiples with small denominators.
static bool by_terms(Jets *j, ExprId argument, JetCircle *circle, uint64_t *exponential) {
  ExprPool *pool = j->pool;
  *circle = (JetCircle){1, 0};
  *exponential = 1;
  for (uint32_t i = 0; i < expr_term_count(pool, argument); i++) {
    Term t = expr_term(pool, argument, i);
    Rat own = expr_coef(pool, t.term), c = rat_mul(pool->arena, rat_mul(pool->arena, t.coef, own), rat_int(parts));
    int64_t n;
    // as in 0.05*x: any other number makes an argument of its own
    bool small = rat_to_int(c, &n) && n < 1000000 && n > -1000000;
    ExprId atom =
        expr_op(pool, t.term) == op_mul ? expr_scale(pool, rat_div(pool->arena, RAT_ONE, own), t.term) : t.term;
    if (!small) atom = expr_scale(pool, rat_mul(pool->arena, t.coef, own), atom), n = parts;
    uint64_t u = random_of(j, ((uint64_t)atom << 8) + 7), d = prime_add(1, prime_mul(u, u)), q = prime_inverse(d);
    JetCircle one = {prime_mul(prime_sub(1, prime_mul(u, u)), q), prime_mul(prime_add(u, u), q)};
    uint64_t e = random_of(j, ((uint64_t)atom << 8) + 11), times = (uint64_t)(n < 0 ? -n : n);
    if (n < 0) one.s = prime_sub(0, one.s), e = prime_inverse(e);
    *exponential = prime_mul(*exponential, prime_power(e, times));
    for (; times; times >>= 1, one = turn_by(one, one)) {
      if (times & 1) *circle = turn_by(*circle, one);
    }
    if (d == 0) return false;
  }
  return true;
}

static uint64_t value_of(Jets *j, ExprOp op, ExprId argument) {
  ExprPool *pool = j->pool;
  ExprId at_start;
  if (!expr_replace(pool, &j->start, &argument, 1, &at_start)) return 0;
  ExprId whole = expr_make(pool, op, &at_start, 1);
  Rat r;
  if (whole && expr_number(pool, whole, &r)) { // exp(0), cos(0), ln(1)
    bool good = true;
    uint64_t value = rat_mod(r, MODULAR_PRIME, &good);
    return good ? value : 0;
  }
  JetCircle circle;
  uint64_t e;
  if (!by_terms(j, at_start, &circle, &e)) {
    j->bad = true;
    return 0;
  }
  const uint64_t half = prime_inverse(2), back = prime_inverse(e);
  switch ((int)op) {
  case op_sin: return circle.s;
  case op_cos: return circle.c;
  case op_tan: return prime_mul(circle.s, prime_inverse(circle.c));
  case op_exp: return e;
  case op_sinh: return prime_mul(half, prime_sub(e, back));
  case op_cosh: return prime_mul(half, prime_add(e, back));
  case op_tanh: return prime_mul(prime_sub(e, back), prime_inverse(prime_add(e, back)));
  default: return random_of(j, (uint64_t)whole << 8 | 1); // the same for the same argument
  }
}

static bool is_smooth(ExprOp op) {
  static const ExprOp known[] = {op_sin,  op_cos,  op_tan,  op_exp,  op_ln,   op_log10,
                                 op_sinh, op_cosh, op_tanh, op_asin, op_acos, op_atan};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i] == op) return true;
  }
  return false;
}

static uint32_t remember(Jets *j, ExprId id, uint32_t slot) {
  while (j->slot_of.count <= id) {
    if (!vec_push(j->arena, &j->slot_of, 0)) return refuse(j, "out of memory");
  }
  j->slot_of.items[id] = slot + 1;
  return slot;
}

static uint32_t compile_function(Jets *j, ExprId id) {
  ExprPool *pool = j->pool;
  ExprOp op = expr_op(pool, id);
  ExprId argument = pool_args(pool, id)[0];
  uint32_t a = compile(j, argument);
  uint32_t slot = emit(j, (JetOp){.kind = jet_function, .a = a, .value = value_of(j, op, argument)});
  if (j->why) return 0;
  remember(j, id, slot); // its derivative may hold it
  // g'(u): by a symbol instead of the argument
  SymbolId z = pool_symbol(pool, "jet argument", sym_param, UINT32_MAX, 0);
  ExprId symbol = expr_sym(pool, z), plain = expr_make(pool, op, &symbol, 1), slope = expr_diff(pool, plain, z);
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, z, argument);
  if (!slope || !expr_replace(pool, &map, &slope, 1, &slope)) return refuse(j, "out of memory");
  uint32_t b = compile(j, slope);
  j->ops.items[slot].b = b;
  return slot;
}

static uint32_t compile_node(Jets *j, ExprId id) {
  ExprPool *pool = j->pool;
  ExprOp op = expr_op(pool, id);
  Rat r;
  if (expr_number(pool, id, &r)) return number(j, r);
  SymbolId symbol = expr_symbol(pool, id);
  if (symbol) {
    if (symbol < j->given.count && j->given.items[symbol]) return j->given.items[symbol] - 1;
    return refuse(j, "the model has signals that a run computes");
  }
  switch ((int)op) {
  case op_add: return compile_sum(j, id);
  case op_mul: return compile_product(j, id);
  case op_pi: return emit(j, (JetOp){.kind = jet_number, .value = random_of(j, 3)});
  case op_table:
    if (!expr_only_kinds(pool, pool_args(pool, id)[2], kind_set(sym_time))) break;
    return emit(j, (JetOp){.kind = jet_signal, .value = id});
  default:
    if (is_smooth(op)) return compile_function(j, id);
  }
  return refuse(j, "the model switches, or has functions that are not smooth");
}

static uint32_t compile(Jets *j, ExprId id) {
  if (!id) return refuse(j, "out of memory");
  if (j->why) return 0;
  if (id < j->slot_of.count && j->slot_of.items[id]) return j->slot_of.items[id] - 1;
  if (++j->depth > deepest) return refuse(j, "the model is large");
  uint32_t slot = compile_node(j, id);
  j->depth--;
  return j->why ? 0 : remember(j, id, slot);
}

// ---- evaluation

static uint64_t *at(const Jets *j, uint32_t slot, uint32_t order) {
  return j->series + ((size_t)slot * j->orders + order) * j->width;
}

// to += x * y, or to -= it; of dual numbers
static void add_product(const Jets *j, uint64_t *to, const uint64_t *x, const uint64_t *y, bool minus) {
  uint64_t value = prime_mul(x[0], y[0]);
  to[0] = minus ? prime_sub(to[0], value) : prime_add(to[0], value);
  for (uint32_t i = 1; i < j->width; i++) {
    uint64_t slope = prime_add(prime_mul(x[0], y[i]), prime_mul(x[i], y[0]));
    to[i] = minus ? prime_sub(to[i], slope) : prime_add(to[i], slope);
  }
}

static void scale(const Jets *j, uint64_t *x, uint64_t by) {
  for (uint32_t i = 0; i < j->width; i++) x[i] = prime_mul(x[i], by);
}

// to := to / x
static void divide(Jets *j, uint64_t *to, const uint64_t *x) {
  if (x[0] == 0) j->bad = true;
  uint64_t q = prime_inverse(x[0]);
  to[0] = prime_mul(to[0], q);
  for (uint32_t i = 1; i < j->width; i++) to[i] = prime_mul(prime_sub(to[i], prime_mul(to[0], x[i])), q);
}

// 1/a:  a_0 w_n = [n = 0] - sum over i >= 1 of a_i w_(n-i)
static void step_inverse(Jets *j, const JetOp *o, uint32_t slot, uint32_t n) {
  uint64_t *w = at(j, slot, n);
  w[0] = n == 0;
  for (uint32_t i = 1; i <= n; i++) add_product(j, w, at(j, o->a, i), at(j, slot, n - i), true);
  divide(j, w, at(j, o->a, 0));
}

// sqrt(a):  2 w_0 w_n = a_n - sum of the others of w^2; the root at the start is itself a square
static void step_root(Jets *j, const JetOp *o, uint32_t slot, uint32_t n) {
  uint64_t *w = at(j, slot, n), *first = at(j, slot, 0), twice[1 + 64] = {0};
  const uint64_t *a = at(j, o->a, n);
  if (n == 0) {
    w[0] = prime_power(a[0], (MODULAR_PRIME + 1) / 4);
    if (prime_mul(w[0], w[0]) != a[0] || w[0] == 0) j->bad = true;
    uint64_t q = prime_inverse(prime_add(w[0], w[0]));
    for (uint32_t i = 1; i < j->width; i++) w[i] = prime_mul(a[i], q);
    return;
  }
  memcpy(w, a, j->width * sizeof *w);
  for (uint32_t i = 1; i < n; i++) add_product(j, w, at(j, slot, i), at(j, slot, n - i), true);
  for (uint32_t i = 0; i < j->width; i++) twice[i] = prime_add(first[i], first[i]);
  divide(j, w, twice);
}

static void step_function(Jets *j, const JetOp *o, uint32_t slot, uint32_t n) {
  uint64_t *w = at(j, slot, n);
  if (n == 0) {
    w[0] = o->value; // derivatives follow when all values are there
    return;
  }
  for (uint32_t i = 1; i <= n; i++) {
    uint64_t part[1 + 64];
    memcpy(part, at(j, o->a, i), j->width * sizeof *part);
    scale(j, part, i);
    add_product(j, w, part, at(j, o->b, n - i), false);
  }
  scale(j, w, prime_inverse(n));
}

static void step_op(Jets *j, uint32_t slot, uint32_t n) {
  const JetOp *o = &j->ops.items[slot];
  if (o->kind == jet_given) return;
  uint64_t *w = at(j, slot, n);
  memset(w, 0, j->width * sizeof *w);
  switch (o->kind) {
  case jet_number: w[0] = n == 0 ? o->value : 0; break;
  case jet_signal: w[0] = random_of(j, (o->value << 8 | 2) + ((uint64_t)(n + 1) << 44)); break;
  case jet_sum:
    for (uint32_t i = 0; i < o->count; i++) {
      const JetTerm *t = &j->terms.items[o->first + i];
      const uint64_t *x = at(j, t->slot, n);
      for (uint32_t c = 0; c < j->width; c++) w[c] = prime_add(w[c], prime_mul(t->factor, x[c]));
    }
    break;
  case jet_product:
    for (uint32_t i = 0; i <= n; i++) add_product(j, w, at(j, o->a, i), at(j, o->b, n - i), false);
    break;
  case jet_inverse: step_inverse(j, o, slot, n); break;
  case jet_root: step_root(j, o, slot, n); break;
  case jet_function: step_function(j, o, slot, n); break;
  case jet_given: break;
  }
}

static void run_ops(Jets *j, uint32_t from, uint32_t to, uint32_t n) {
  for (uint32_t i = from; i < to && !j->bad; i++) step_op(j, i, n);
  // functions at the start: values first, which their derivatives, and all that holds them, need
  for (uint32_t again = 0; n == 0 && again < 1 && !j->bad; again++) {
    for (uint32_t i = from; i < to; i++) {
      const JetOp *o = &j->ops.items[i];
      if (o->kind != jet_function) {
        step_op(j, i, 0);
        continue;
      }
      const uint64_t *u = at(j, o->a, 0);
      uint64_t *w = at(j, i, 0), slope = at(j, o->b, 0)[0];
      for (uint32_t c = 1; c < j->width; c++) w[c] = prime_mul(slope, u[c]);
    }
  }
}

// ---- accelerations

// Values of the inverse of M_0. False: it has none at this point.
static bool invert(Jets *j, const uint32_t *slots, uint32_t n, uint64_t *out) {
  uint64_t *a = arena_array(j->arena, (size_t)n * n + 1, sizeof *a);
  if (!a) return false;
  for (uint32_t i = 0; i < n * n; i++) {
    a[i] = at(j, slots[i], 0)[0];
    out[i] = i / n == i % n;
  }
  for (uint32_t c = 0; c < n; c++) {
    uint32_t row = c;
    while (row < n && a[row * n + c] == 0) row++;
    if (row == n) return false;
    for (uint32_t i = 0; i < n && row != c; i++) {
      uint64_t kept = a[row * n + i];
      a[row * n + i] = a[c * n + i], a[c * n + i] = kept;
      kept = out[row * n + i];
      out[row * n + i] = out[c * n + i], out[c * n + i] = kept;
    }
    uint64_t q = prime_inverse(a[c * n + c]);
    for (uint32_t i = 0; i < n; i++)
      a[c * n + i] = prime_mul(a[c * n + i], q), out[c * n + i] = prime_mul(out[c * n + i], q);
    for (uint32_t r = 0; r < n; r++) {
      uint64_t f = r == c ? 0 : a[r * n + c];
      for (uint32_t i = 0; f && i < n; i++) {
        a[r * n + i] = prime_sub(a[r * n + i], prime_mul(f, a[c * n + i]));
        out[r * n + i] = prime_sub(out[r * n + i], prime_mul(f, out[c * n + i]));
      }
    }
  }
  return true;
}

// M_0 a_n = -h_n - sum over i >= 1 of M_i a_(n-i); its derivatives: M_0 da_n = d(right side) - dM_0 a_n.
static void solve_accelerations(Jets *j, const uint32_t *M, const uint32_t *h, const uint32_t *a,
                                const uint64_t *inverse, uint32_t n) {
  uint32_t f = j->m->freedoms;
  uint64_t *right = arena_array(j->arena, (size_t)f * j->width + 1, sizeof *right);
  if (!right) return;
  for (uint32_t r = 0; r < f; r++) {
    uint64_t *to = right + (size_t)r * j->width;
    const uint64_t *own = at(j, h[r], n);
    for (uint32_t c = 0; c < j->width; c++) to[c] = prime_sub(0, own[c]);
    for (uint32_t c = 0; c < f; c++) {
      for (uint32_t i = 1; i <= n; i++) add_product(j, to, at(j, M[r * f + c], i), at(j, a[c], n - i), true);
    }
  }
  for (uint32_t part = 0; part < j->width; part++) {
    for (uint32_t r = 0; r < f && part; r++) {
      for (uint32_t c = 0; c < f; c++)
        right[(size_t)r * j->width + part] =
            prime_sub(right[(size_t)r * j->width + part], prime_mul(at(j, M[r * f + c], 0)[part], at(j, a[c], n)[0]));
    }
    for (uint32_t r = 0; r < f; r++) {
      uint64_t sum = 0;
      for (uint32_t c = 0; c < f; c++)
        sum = prime_add(sum, prime_mul(inverse[r * f + c], right[(size_t)c * j->width + part]));
      at(j, a[r], n)[part] = sum;
    }
  }
}

// ---- the whole

static uint32_t give(Jets *j, SymbolId symbol) {
  uint32_t slot = emit(j, (JetOp){.kind = jet_given});
  while (j->given.count <= symbol) {
    if (!vec_push(j->arena, &j->given, 0)) return refuse(j, "out of memory");
  }
  j->given.items[symbol] = slot + 1;
  return slot;
}

// What symbols are at the start, as expressions of parameters: arguments of functions are compared by it.
static bool note_starts(Jets *j) {
  const JetsMotion *m = j->m;
  j->start = symbol_map_new(j->pool);
  for (uint32_t i = 0; i < m->count; i++) {
    const JetsComponent *c = &m->components[i];
    if (c->start && c->unknown == jets_none) symbol_map_set(&j->start, c->symbol, c->start);
  }
  if (m->from) symbol_map_set(&j->start, m->time, m->from);
  return j->start.of || !m->count;
}

typedef struct JetSlots {
  uint32_t *component, *parameter, *acceleration, *start, *rate, *output, *M, *h, time, from;
} JetSlots;

static bool make_slots(Jets *j, JetSlots *s) {
  const JetsMotion *m = j->m;
  uint32_t f = m->freedoms;
  struct {
    uint32_t **to;
    size_t count;
  } lists[] = {
      {&s->component, m->count}, {&s->parameter, m->parameter_count}, {&s->acceleration, f},  {&s->start, m->count},
      {&s->rate, m->count},      {&s->output, m->output_count},       {&s->M, (size_t)f * f}, {&s->h, f}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    *lists[i].to = arena_array(j->arena, lists[i].count + 1, sizeof **lists[i].to);
  if (arena_failed(j->arena)) return false;
  for (uint32_t i = 0; i < m->parameter_count; i++) s->parameter[i] = give(j, m->parameters[i].symbol);
  s->time = give(j, m->time);
  // starts are of parameters alone, and come first
  for (uint32_t i = 0; i < m->count; i++)
    s->start[i] = m->components[i].start && m->components[i].unknown == jets_none ? compile(j, m->components[i].start)
                                                                                  : jets_none;
  s->from = m->from ? compile(j, m->from) : jets_none;
  j->before = j->ops.count;
  for (uint32_t i = 0; i < m->count; i++) s->component[i] = give(j, m->components[i].symbol);
  for (uint32_t i = 0; i < f * f; i++) s->M[i] = compile(j, m->M[i]);
  for (uint32_t i = 0; i < f; i++) s->h[i] = compile(j, m->h[i]);
  return !j->why && !arena_failed(j->arena);
}

static void set_value(const Jets *j, uint32_t slot, uint64_t value, uint32_t unknown) {
  uint64_t *w = at(j, slot, 0);
  w[0] = value;
  if (unknown != jets_none) w[1 + unknown] = 1;
}

static void set_given(Jets *j, const JetSlots *s) {
  const JetsMotion *m = j->m;
  for (uint32_t i = 0; i < m->parameter_count; i++)
    set_value(j, s->parameter[i], jets_value(j->seed, m->parameters[i].unknown), m->parameters[i].unknown);
  set_value(j, s->time, random_of(j, 5), jets_none);
  if (j->orders > 1) at(j, s->time, 1)[0] = 1;
  run_ops(j, 0, j->before, 0);
  if (s->from != jets_none) memcpy(at(j, s->time, 0), at(j, s->from, 0), j->width * sizeof *j->series);
  for (uint32_t i = 0; i < m->count; i++) {
    const JetsComponent *c = &m->components[i];
    if (s->start[i] != jets_none)
      memcpy(at(j, s->component[i], 0), at(j, s->start[i], 0), j->width * sizeof *j->series);
    else if (c->unknown != jets_none) set_value(j, s->component[i], jets_value(j->seed, c->unknown), c->unknown);
    else set_value(j, s->component[i], random_of(j, UINT64_C(1) << 33 | i), jets_none);
  }
}

static void advance(Jets *j, const JetSlots *s, uint32_t n) {
  const JetsMotion *m = j->m;
  uint64_t q = prime_inverse(n + 1);
  for (uint32_t i = 0; n + 1 < j->orders && i < m->count; i++) {
    uint64_t *to = at(j, s->component[i], n + 1);
    uint32_t from = m->components[i].rate ? s->rate[i] : s->acceleration[m->components[i].freedom];
    memcpy(to, at(j, from, n), j->width * sizeof *to);
    scale(j, to, q);
  }
}

JetsStatus jets_slopes(Arena *arena, const JetsMotion *m, uint32_t unknowns, uint32_t orders, uint64_t seed,
                       uint64_t *out, const char **why) {
  Jets j = {
      .arena = arena, .m = m, .pool = m->pool, .k = unknowns, .width = 1 + unknowns, .orders = orders, .seed = seed};
  JetSlots s;
  uint32_t f = m->freedoms;
  if (unknowns > 64) j.why = "there are many unknowns";
  if (!note_starts(&j)) return jets_no_memory;
  bool ok = !j.why && make_slots(&j, &s);
  uint32_t first = j.ops.count; // M and h stand before
  for (uint32_t i = 0; ok && i < f; i++) s.acceleration[i] = give(&j, m->accelerations[i]);
  for (uint32_t i = 0; ok && i < m->count; i++)
    s.rate[i] = m->components[i].rate ? compile(&j, m->components[i].rate) : 0;
  for (uint32_t i = 0; ok && i < m->output_count; i++) s.output[i] = compile(&j, m->outputs[i]);
  *why = j.why;
  if (arena_failed(arena)) return jets_no_memory;
  if (j.why) return jets_refused;
  j.series = arena_array(arena, (size_t)j.ops.count * orders * j.width, sizeof *j.series);
  uint64_t *inverse = arena_array(arena, (size_t)f * f + 1, sizeof *inverse);
  if (!j.series || !inverse) return jets_no_memory;
  set_given(&j, &s);
  for (uint32_t n = 0; n < orders && !j.bad; n++) {
    run_ops(&j, n ? 0 : j.before, first, n);
    if (n == 0 && f && !invert(&j, s.M, f, inverse)) j.bad = true;
    if (f) solve_accelerations(&j, s.M, s.h, s.acceleration, inverse, n);
    run_ops(&j, first, j.ops.count, n);
    advance(&j, &s, n);
    for (uint32_t i = 0; i < m->output_count; i++)
      memcpy(out + ((size_t)n * m->output_count + i) * unknowns, at(&j, s.output[i], n) + 1, unknowns * sizeof *out);
  }
  if (arena_failed(arena)) return jets_no_memory;
  return j.bad ? jets_bad_point : jets_done;
}
