// Separation of a loop into a static nonlinearity y = f(e) and a linear part.
//
// The argument e is a part of the expression: with a symbol x instead of it nothing else varies in time. Sums are kept
// flat, so x is put in for one symbol of e that enters linearly. What f is, is seen from its values: a closed form that
// agrees at many points, to rounding, is taken.
#include "control/nonlinearity.h"

#include "expr/calculus.h"

#include <math.h>
#include <string.h>

// ---- the argument

static bool moves(const ExprPool *pool, ExprId id) {
  return (expr_kinds(pool, id) & ~(kind_set(sym_param) | kind_set(sym_held))) != 0;
}

typedef VEC(SymbolId) MovingSymbols;

// The time-varying symbols in e.
static MovingSymbols moving_symbols(System *s, ExprId e) {
  uint32_t length;
  const ExprId *list = pool_reach(s->pool, &e, 1, NULL, NULL, &length);
  MovingSymbols found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(s->pool, list[i]);
    if (id && moves(s->pool, list[i])) vec_push(s->arena, &found, id);
  }
  return found;
}

// value with x instead of e, through one symbol of e; 0: something else in it still varies in time.
static ExprId put_in(System *s, ExprId value, ExprId e, ExprId x, SymbolId *through) {
  ExprPool *p = s->pool;
  MovingSymbols found = moving_symbols(s, e);
  for (uint32_t i = 0; i < found.count; i++) {
    ExprId slope = expr_diff(p, e, found.items[i]), out = 0;
    if (!slope || expr_is_zero(p, slope) || moves(p, slope)) continue;
    ExprId off = expr_div(p, expr_sub(p, x, e), slope);
    SymbolMap map = symbol_map_new(p);
    symbol_map_set(&map, found.items[i], expr_expand(p, expr_add(p, expr_sym(p, found.items[i]), off), 1000));
    if (!expr_replace(p, &map, &value, 1, &out)) return 0;
    out = expr_expand(p, out, 1000);
    if (!out || moves(p, out)) continue;
    *through = found.items[i];
    return out;
  }
  return 0;
}

// Linear in the time-varying symbols, with coefficients of parameters?
static bool is_linear(System *s, ExprId e) {
  ExprPool *p = s->pool;
  MovingSymbols found = moving_symbols(s, e);
  for (uint32_t i = 0; i < found.count; i++) {
    ExprId slope = expr_diff(p, e, found.items[i]);
    if (!slope || moves(p, slope)) return false;
  }
  return !arena_failed(s->arena);
}

// One that has a name, else the largest that is linear in the time-varying symbols.
static ExprId find_argument(System *s, ExprId value, const ExprId *named, uint32_t count) {
  ExprPool *p = s->pool;
  uint32_t length;
  SymbolId through, x = pool_symbol(p, "e", sym_held, UINT32_MAX, 0);
  const ExprId *list = pool_reach(p, &value, 1, NULL, NULL, &length);
  ExprId *copy = list ? arena_array(s->arena, (size_t)length + 1, sizeof *copy) : NULL;
  if (!copy || !x) return 0;
  memcpy(copy, list, length * sizeof *copy);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = length; i-- > 0;) { // the root first
      bool known = false;
      for (uint32_t k = 0; k < count; k++) known = known || named[k] == copy[i];
      if ((pass == 0 && !known) || copy[i] == value || !moves(p, copy[i]) || !is_linear(s, copy[i])) continue;
      if (put_in(s, value, copy[i], expr_sym(p, x), &through)) return copy[i];
    }
  }
  return 0;
}

// What a block that remembers has for its input; 0: the value is none.
static const SystemMemory *memory_of(const System *s, ExprId value) {
  SymbolId id = expr_symbol(s->pool, value);
  const Symbol *x = id ? pool_symbol_get(s->pool, id) : NULL;
  return x && x->kind == sym_memory && x->index < s->memories.count ? &s->memories.items[x->index] : NULL;
}

static const SystemFriction *friction_of(const System *s, ExprId value) {
  SymbolId id = expr_symbol(s->pool, value);
  const Symbol *x = id ? pool_symbol_get(s->pool, id) : NULL;
  return x && x->kind == sym_friction ? &s->frictions.items[x->index] : NULL;
}

// if(hi < x, ylo, if(x < lo, yhi, before)): parts of the rule of a hysteresis.
static bool hysteresis_parts(const System *s, const SystemMemory *m, ExprId part[5]) {
  const ExprPool *p = s->pool;
  if (expr_op(p, m->rule) != op_if) return false;
  const ExprId *outer = pool_args(p, m->rule);
  if (expr_op(p, outer[0]) != op_lt || expr_op(p, outer[2]) != op_if) return false;
  const ExprId *inner = pool_args(p, outer[2]);
  if (expr_op(p, inner[0]) != op_lt) return false;
  part[0] = pool_args(p, outer[0])[1]; // x
  part[1] = pool_args(p, inner[0])[1]; // lo
  part[2] = pool_args(p, outer[0])[0]; // hi
  part[3] = outer[1];
  part[4] = inner[1];
  return true;
}

ExprId nonlinearity_argument(System *s, ExprId value, const ExprId *named, uint32_t count) {
  const SystemMemory *m = memory_of(s, value);
  const SystemFriction *f = friction_of(s, value);
  ExprId part[5];
  if (f) return f->v;
  if (m && strcmp(m->block, "hysteresis") == 0 && hysteresis_parts(s, m, part)) return part[0];
  if (m && strcmp(m->block, "backlash") == 0) return m->of[0];
  return m ? 0 : find_argument(s, value, named, count);
}

// ---- what it is

static bool numbers_of(Operating *o, const ExprId *list, uint32_t count, double *out) {
  OperatingTape t;
  if (!operating_tape(o, list, count, false, &t)) return false;
  operating_eval(o, &t, o->y);
  for (uint32_t i = 0; i < count; i++) out[i] = tape_result(t.tape, t.w, i);
  return true;
}

static double value_at(void *self, double e) {
  Nonlinearity *n = self;
  n->y[n->at] = e;
  operating_eval(n->o, &n->tape, n->y);
  return tape_result(n->tape.tape, n->tape.w, 0);
}

static double shape(const Describing *d, double e) {
  double h = d->width;
  switch (d->kind) {
  case describing_relay: return e > 0 ? d->size : e < 0 ? -d->size : 0;
  case describing_saturation: return d->size * fmin(fmax(e, -h), h);
  case describing_deadzone: return d->size * (e - fmin(fmax(e, -h), h));
  default: return d->size * floor(e / d->size + 0.5);
  }
}

// Do both agree at many points of all sizes?
static bool agrees(Nonlinearity *n, const Describing *d, double unit) {
  for (int k = -40; k <= 40; k++) {
    double e = unit * pow(1.37, k) * 1.0123456789;
    double want = shape(d, e), got = value_at(n, e);
    if (!(fabs(got - want) <= 1e-11 * (fabs(want) + fabs(d->size) * 1e-3))) return false;
  }
  return true;
}

static bool is_odd(Nonlinearity *n, double unit) {
  for (int k = -40; k <= 40; k++) {
    double e = unit * pow(1.31, k), up = value_at(n, e), down = value_at(n, -e);
    if (!(fabs(up + down) <= 1e-12 * (fabs(up) + fabs(down)))) return false;
  }
  return true;
}

// Where f leaves the straight line of slope k from the origin: between lo, where it is on it, and hi.
static double leaves(Nonlinearity *n, double k, double lo, double hi) {
  for (int i = 0; i < 200 && hi - lo > 0; i++) {
    double e = (lo + hi) / 2;
    if (e <= lo || e >= hi) break;
    if (fabs(value_at(n, e) - k * e) <= 1e-13 * (fabs(k * e) + fabs(value_at(n, hi)))) lo = e;
    else hi = e;
  }
  return lo;
}

static const char *number(Arena *arena, double x) { return arena_printf(arena, "%.6g", x); }

static void recognize(Arena *arena, Nonlinearity *n) {
  static const double tiny = 1e-9, huge = 1e9;
  Describing *d = &n->describing, x;
  double small = value_at(n, tiny) / tiny, first = value_at(n, tiny), last = value_at(n, huge);
  x = (Describing){.kind = describing_relay, .size = last};
  if (first == last && last != 0 && agrees(n, &x, 1)) {
    *d = x;
    n->words = arena_printf(arena, "relay of %s", number(arena, last));
    return;
  }
  if (small != 0 && fabs(last) < huge * fabs(small) / 2) {
    x = (Describing){.kind = describing_saturation, .size = small, .width = last / small};
    if (agrees(n, &x, x.width)) {
      *d = x;
      n->words = arena_printf(arena, "saturation, slope %s up to %s", number(arena, small), number(arena, x.width));
      return;
    }
  }
  if (first == 0) {
    double slope = (value_at(n, 2 * huge) - last) / huge, edge = leaves(n, 0, tiny, huge);
    x = (Describing){.kind = describing_deadzone, .size = slope, .width = huge - last / slope};
    // the edge to all digits: from a point beside it
    x.width = 2 * edge - value_at(n, 2 * edge) / slope;
    if (slope != 0 && agrees(n, &x, x.width)) {
      *d = x;
      n->words =
          arena_printf(arena, "dead zone up to %s, slope %s beyond", number(arena, x.width), number(arena, slope));
      return;
    }
    double q = value_at(n, edge * (1 + 1e-9));
    x = (Describing){.kind = describing_steps, .size = q};
    if (q > 0 && agrees(n, &x, q)) {
      *d = x;
      n->words = arena_printf(arena, "steps of %s", number(arena, q));
      return;
    }
  }
  *d = (Describing){.kind = describing_function, .value = value_at, .self = n};
  n->words = "a function, by quadrature";
}

static bool from_memory(Operating *o, const SystemMemory *m, Nonlinearity *n) {
  ExprId part[5];
  double v[5];
  if (strcmp(m->block, "hysteresis") == 0 && hysteresis_parts(&o->s, m, part)) {
    if (!numbers_of(o, part + 1, 4, v)) return false;
    n->describing = (Describing){.kind = describing_hysteresis, .size = v[2], .width = v[1]};
    if (fabs(v[0] + v[1]) > 1e-12 * fabs(v[1]) || fabs(v[2] + v[3]) > 1e-12 * fabs(v[2]))
      n->why = "its thresholds and values are not symmetric to zero: a bias would arise";
    n->words = arena_printf(o->arena, "hysteresis of width %s, value %s above it", number(o->arena, 2 * v[1]),
                            number(o->arena, v[2]));
    return true;
  }
  if (strcmp(m->block, "backlash") == 0) {
    if (!numbers_of(o, &m->of[1], 1, v)) return false;
    n->describing = (Describing){.kind = describing_backlash, .size = 1, .width = v[0] / 2};
    n->words = arena_printf(o->arena, "play of %s", number(o->arena, v[0]));
    return true;
  }
  n->why = arena_printf(o->arena, "`%s` remembers in a way that has no describing function", m->block);
  return true;
}

static bool from_function(Operating *o, ExprId value, Nonlinearity *n) {
  System *s = &o->s;
  SymbolId through, x = pool_symbol(s->pool, "e", sym_held, UINT32_MAX, 0);
  ExprId f = x ? put_in(s, value, n->e, expr_sym(s->pool, x), &through) : 0;
  uint32_t at = 0;
  while (at < o->dim && (!o->symbols[at] || o->role[at] != role_motion)) at++;
  if (at == o->dim || !f) {
    n->why = f ? "the model has no motion" : "it is no function of one other signal";
    return !arena_failed(o->arena);
  }
  // a symbol of y replaces e
  SymbolMap map = symbol_map_new(s->pool);
  symbol_map_set(&map, x, expr_sym(s->pool, o->symbols[at]));
  if (!expr_replace(s->pool, &map, &f, 1, &f)) return false;
  n->at = at;
  n->y = arena_array(o->arena, (size_t)o->dim + 1, sizeof *n->y);
  if (!n->y || !operating_tape(o, &f, 1, false, &n->tape)) return false;
  memcpy(n->y, o->y, o->dim * sizeof *n->y);
  if (!is_odd(n, 1)) n->why = "it is not odd: a bias would arise";
  else recognize(o->arena, n);
  return true;
}

static bool find_kind(Operating *o, ExprId value, Nonlinearity *out) {
  System *s = &o->s;
  const SystemMemory *m = memory_of(s, value);
  const SystemFriction *f = friction_of(s, value);
  if (m) return from_memory(o, m, out);
  if (!f) return from_function(o, value, out);
  double slip;
  if (!expr_only_kinds(s->pool, f->slip, kind_set(sym_param))) out->why = "its friction in motion is no constant";
  else if (!numbers_of(o, &f->slip, 1, &slip)) return false;
  else {
    out->describing = (Describing){.kind = describing_relay, .size = -slip};
    out->words = arena_printf(o->arena, "dry friction of %s", number(o->arena, slip));
  }
  return true;
}

bool nonlinearity_find(Operating *o, ExprId value, ExprId e, Nonlinearity *out) {
  double rest;
  *out = (Nonlinearity){.o = o, .e = e};
  if (!find_kind(o, value, out)) return false;
  if (out->why) return true;
  // an oscillation around another value than zero meets another function
  if (!numbers_of(o, &e, 1, &rest)) return false;
  if (fabs(rest) > 1e-9 * fmax(1, out->describing.width))
    out->why = arena_printf(o->arena, "its argument rests at %s, not at 0: the oscillation would have a bias",
                            number(o->arena, rest));
  return !arena_failed(o->arena);
}
