// Jumps and corners of signals of time.
//
// in    expressions of the system; among them step, ramp, sign, abs, comparisons, min, max, floor (also of noise), mod
// and table
//       whose arguments depend on time and parameters alone
// out   pairs of neighbouring doubles: the last time of the old branch and the first one of the new
//
// Each such node has a mode that is constant between its breaks: whether one number is below another, or floor(g(t)).
// It is evaluated just as the right-hand side does it, for g = a - b rounds otherwise than a < b. What g is made of may
// jump or bend itself, and its derivative does not tell: d mod(t, T)/dt is 1 almost everywhere. So the inner breaks
// come first, and between two of them g is smooth. An affine g without inner ones gives its breaks by division. Any
// other is halved until interval arithmetic says that the mode cannot change, or that g only rises or only falls, so
// that its ends tell. Bisection goes down to neighbouring doubles, so no rounding puts a jump on the wrong side.
#include "sim/breaks.h"

#include "expr/calculus.h"
#include "expr/ops.h"
#include "tape/interval.h"
#include "tape/tape.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A run stops at every break, so more of them would take minutes. Pieces: what a search may cost, in all and for each
// break.
enum { grid = 20000, most_breaks = 4000000, most_pieces = 200000, pieces_each = 200 };

typedef VEC(double) Times;

// What the mode is of the numbers it comes from.
typedef enum SourceKind { mode_plain, mode_quotient, mode_place } SourceKind;

typedef struct Switch {
  ExprId node, g;
  ExprId rate; // dg/dt where g is affine; 0: g is not
  SourceKind kind;
  ExprId from, by; // the mode is `from`, or the whole part of from/by, or the place of `from` among a table's points
  bool whole;      // as g grows it takes one value after the other, at whole g
  const ModelTable *table;
  Times times; // the first moments of new branches, in order
  // of one that is searched
  const Tape *tape;
  double *w, *lo, *hi, *rate_lo, *rate_hi;
  uint64_t pieces;
} Switch;

typedef struct Finder {
  Arena *arena;
  System *s;
  VEC(Switch) switches; // what is inside of another comes before it
  const Tape *tape;     // of each affine switch g, dg/dt, from, by
  double *w;
  double t0, t1;
  uint64_t count; // of all times
  OdeBreaks *out;
} Finder;

// Does something inside jump or bend?
static bool has_corner(ExprPool *pool, ExprId g) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &g, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    ExprOp op = (ExprOp)pool_node(pool, list[i])->op;
    bool leaf = pool_node(pool, list[i])->count == 0;
    if (expr_op_info(op)->smoothness != smoothness_smooth || (expr_op_is_raw(op) && !leaf)) return true;
  }
  return false;
}

static void put_switch(Finder *f, Switch s) {
  ExprPool *pool = f->s->pool;
  s.rate = s.g ? expr_diff(pool, s.g, f->s->time) : 0; // 0: not known
  if (!s.g || s.rate == pool->zero) return;            // it is constant between inner breaks
  if (s.rate && (expr_has_kind(pool, s.rate, sym_time) || has_corner(pool, s.g))) s.rate = 0;
  if (!s.by) s.by = pool->one;
  vec_push(f->arena, &f->switches, s);
}

static ExprId compared(ExprPool *p, ExprOp op, ExprId a, ExprId b) { return expr_fn(p, op, (ExprId[]){a, b}, 2); }

// It switches where a = b, and `branch` says on which side it is.
static void put_side(Finder *f, ExprId id, ExprId a, ExprId b, ExprId branch) {
  put_switch(f, (Switch){.node = id, .g = expr_sub(f->s->pool, a, b), .from = branch});
}

static void look_at(Finder *f, ExprId id) {
  ExprPool *p = f->s->pool;
  KindSet allowed = kind_set(sym_time) | kind_set(sym_param);
  const ExprNode *n = pool_node(p, id);
  if (!(n->kinds & kind_set(sym_time)) || (n->kinds & ~allowed) || n->bound || n->op == op_sym || n->op == op_num ||
      !n->count)
    return;
  ExprOp op = (ExprOp)n->op;
  const ExprId *args = pool_args(p, id);
  if (op == op_table) {
    Rat index = RAT_ZERO;
    int64_t i = 0;
    expr_number(p, args[0], &index);
    rat_to_int(index, &i);
    put_switch(
        f, (Switch){.node = id, .g = args[2], .kind = mode_place, .from = args[2], .table = &f->s->tables.items[i]});
    return;
  }
  if (!expr_op_switches(op)) return;
  ExprId low = expr_guard_low(p, op, args), high = expr_guard_high(p, op, args);
  bool jumps = expr_op_info(op)->smoothness == smoothness_jump;
  switch (expr_op_info(op)->switching) {
  case switching_above: put_side(f, id, low, high, jumps ? id : compared(p, op_lt, low, high)); break;
  case switching_from: put_side(f, id, high, low, jumps ? id : compared(p, op_lt, high, low)); break;
  case switching_whole:
    if (expr_op_info(op)->high == part_one) put_switch(f, (Switch){.node = id, .g = low, .from = id, .whole = true});
    else
      put_switch(
          f,
          (Switch){
              .node = id, .g = expr_div(p, low, high), .kind = mode_quotient, .from = low, .by = high, .whole = true});
    break;
  default: // a value of its own at the limit
    put_side(f, id, high, low, compared(p, op_le, high, low));
    put_side(f, id, low, high, compared(p, op_le, low, high));
    break;
  }
}

// All expressions that the right-hand side is made of.
static bool collect(Finder *f) {
  System *s = f->s;
  VEC(ExprId) roots = {0};
  for (uint32_t i = 0; i < s->definitions.count; i++) vec_push(f->arena, &roots, s->definitions.items[i].value);
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    for (uint32_t k = 0; k < b->count; k++) vec_push(f->arena, &roots, b->rhs[k]);
    for (uint32_t k = 0; k < b->count * b->count; k++) vec_push(f->arena, &roots, b->matrix[k]);
  }
  for (uint32_t i = 0; i < s->watched_count; i++) vec_push(f->arena, &roots, s->watched[i]);
  uint32_t length;
  const ExprId *list = pool_reach(s->pool, roots.items, roots.count, NULL, NULL, &length);
  ExprId *copy = list ? arena_array(f->arena, length, sizeof *copy) : NULL;
  if (!copy) return false;
  memcpy(copy, list, length * sizeof *copy);
  for (uint32_t i = 0; i < length; i++) look_at(f, copy[i]);
  return !arena_failed(f->arena) && !arena_failed(s->pool->arena) && !arena_failed(s->pool->scratch); // they may differ
}

static double mode_of(const Switch *s, double from, double by) {
  if (s->kind == mode_plain) return from;
  if (s->kind == mode_quotient) return floor(from / by);
  uint32_t lo = 0, hi = s->table->count; // points at or before it
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (s->table->x[mid] <= from) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static double mode_at(Finder *f, uint32_t i, double t) {
  const Switch *s = &f->switches.items[i];
  const Tape *tape = s->tape ? s->tape : f->tape;
  double *w = s->tape ? s->w : f->w;
  uint32_t at = s->tape ? 0 : 4 * i;
  tape_vars(tape, w)[0] = t;
  tape_eval(tape, w);
  return mode_of(s, tape_result(tape, w, at + 2), tape_result(tape, w, at + 3));
}

static void put_time(Finder *f, uint32_t i, double t) {
  if (f->count++ < most_breaks) vec_push(f->arena, &f->switches.items[i].times, t);
  else f->out->many = f->switches.items[i].node;
}

// The modes differ at a and b: the first doubles of new modes between them, as far as the modes at the middles tell.
static void bisect(Finder *f, uint32_t i, double a, double mode_a, double b, double mode_b) {
  while (!f->out->many) {
    double mid = a + (b - a) / 2;
    if (mid <= a || mid >= b) break;
    double mode = mode_at(f, i, mid);
    if (mode != mode_a && mode != mode_b) { // several
      bisect(f, i, a, mode_a, mid, mode);
      a = mid;
      mode_a = mode;
    } else if (mode == mode_a) {
      a = mid;
    } else {
      b = mid;
    }
  }
  put_time(f, i, b);
}

// ---- affine arguments

// Around a predicted time.
static void near(Finder *f, uint32_t i, double t) {
  for (int wide = 0; wide < 2; wide++) { // most predictions are right but for their last digits
    double reach = wide ? 1e-9 * fmax(fabs(t), f->t1 - f->t0) : 4 * DBL_EPSILON * fabs(t), a = fmax(t - reach, f->t0),
           b = fmin(t + reach, f->t1);
    if (!(a < b)) continue;
    double mode_a = mode_at(f, i, a), mode_b = mode_at(f, i, b);
    if (mode_a == mode_b) continue;
    bisect(f, i, a, mode_a, b, mode_b);
    return;
  }
}

static void affine(Finder *f, uint32_t i) {
  const Switch *s = &f->switches.items[i];
  tape_vars(f->tape, f->w)[0] = 0;
  tape_eval(f->tape, f->w);
  double rate = tape_result(f->tape, f->w, 4 * i + 1), g0 = tape_result(f->tape, f->w, 4 * i);
  if (!isfinite(rate) || rate == 0) return;
  if (s->table) {
    for (uint32_t k = 0; k < s->table->count; k++)
      near(f, i, (s->table->x[rate > 0 ? k : s->table->count - 1 - k] - g0) / rate);
  } else if (!s->whole) {
    near(f, i, -g0 / rate);
  } else {
    double a = g0 + rate * f->t0, b = g0 + rate * f->t1, lo = ceil(fmin(a, b)), hi = floor(fmax(a, b));
    if (hi - lo > most_breaks) f->out->many = s->node;
    for (double k = 0; k <= hi - lo && !f->out->many; k++) near(f, i, ((rate > 0 ? lo + k : hi - k) - g0) / rate);
  }
}

// ---- others

static void unsure(Finder *f, uint32_t i, double t) {
  if (f->out->unsure) return;
  f->out->unsure = f->switches.items[i].node;
  f->out->unsure_at = t;
}

// Nothing is known of what is between the points of the grid.
static void scan(Finder *f, uint32_t i, double a, double b) {
  double from = a, mode = mode_at(f, i, a), points = fmax(16, ceil(grid * (b - a) / (f->t1 - f->t0)));
  unsure(f, i, a);
  for (double k = 1; k <= points; k++) {
    double t = k < points ? from + (b - from) * k / points : b, now = mode_at(f, i, t);
    if (now != mode) bisect(f, i, a, mode, t, now);
    a = t;
    mode = now;
  }
}

// Between a and b nothing inside of g jumps or bends.
static void isolate(Finder *f, uint32_t i, double a, double mode_a, double b, double mode_b) {
  Switch *s = &f->switches.items[i];
  const Tape *t = s->tape;
  if (!(a < b) || f->out->many) return;
  double mid = a + (b - a) / 2;
  if (mid <= a || mid >= b) { // neighbours
    if (mode_a != mode_b) put_time(f, i, b);
    return;
  }
  uint32_t at = t->param_count, out = t->outputs[0], from = t->outputs[2], by = t->outputs[3];
  s->lo[at] = a;
  s->hi[at] = b;
  s->rate_lo[at] = s->rate_hi[at] = 1;
  tape_range_rates(t, s->w, s->lo, s->hi, s->rate_lo, s->rate_hi);
  double slow = s->rate_lo[out], fast = s->rate_hi[out], d = s->lo[by];
  bool bounded = isfinite(s->lo[from]) && isfinite(s->hi[from]) && d == s->hi[by];
  if (bounded && mode_of(s, s->lo[from], d) == mode_of(s, s->hi[from], d)) return;
  if (slow > 0 || fast < 0 || (slow == 0 && fast == 0)) { // one way only
    if (mode_a != mode_b) bisect(f, i, a, mode_a, b, mode_b);
    return;
  }
  if (++s->pieces > most_pieces + pieces_each * (uint64_t)s->times.count) {
    scan(f, i, a, b);
    return;
  }
  double mode = mode_at(f, i, mid);
  isolate(f, i, a, mode_a, mid, mode);
  isolate(f, i, mid, mode, b, mode_b);
}

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// In order, each once.
static void order(Times *times) {
  if (times->count) qsort(times->items, times->count, sizeof *times->items, by_time);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < times->count; i++) {
    if (kept == 0 || times->items[i] > times->items[kept - 1]) times->items[kept++] = times->items[i];
  }
  times->count = kept;
}

// The breaks of everything inside of g.
static bool inner_times(Finder *f, uint32_t i, Times *inner) {
  ExprPool *pool = f->s->pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, &f->switches.items[i].g, 1, NULL, NULL, &length);
  if (!list) return false;
  for (uint32_t k = 0; k < i; k++) {
    const Switch *s = &f->switches.items[k];
    uint32_t slot = pool->slot[s->node];
    if (slot >= length || list[slot] != s->node) continue;
    for (uint32_t j = 0; j < s->times.count; j++) vec_push(f->arena, inner, s->times.items[j]);
  }
  order(inner);
  return !arena_failed(f->arena);
}

static bool search(Finder *f, uint32_t i, const double *params) {
  Switch *s = &f->switches.items[i];
  Arena *arena = f->arena;
  ExprId results[4] = {s->g, f->s->pool->zero, s->from, s->by};
  const Tape *t = s->tape = tape_build(
      arena, &(TapeWish){.system = f->s, .vars = &f->s->time, .var_count = 1, .results = results, .result_count = 4});
  if (!t) return false;
  double **room[] = {&s->w, &s->lo, &s->hi, &s->rate_lo, &s->rate_hi};
  for (int k = 0; k < 5; k++) *room[k] = arena_array(arena, t->slot_count, sizeof(double));
  bool *seen = arena_array(arena, t->slot_count, sizeof *seen), blind[4];
  Times inner = {0};
  if (arena_failed(arena) || !inner_times(f, i, &inner)) return false;
  memcpy(s->w, params, t->param_count * sizeof *params);
  tape_prepare(t, s->w);
  tape_unbounded(t, seen, blind);
  double from = f->t0;
  for (uint32_t k = 0; k <= inner.count && !f->out->many; k++) {
    double to = k < inner.count ? nextafter(inner.items[k], f->t0) : f->t1;
    if (from < to && (blind[0] || blind[2])) scan(f, i, from, to);
    else if (from < to) isolate(f, i, from, mode_at(f, i, from), to, mode_at(f, i, to));
    if (k < inner.count) from = inner.items[k];
  }
  return true;
}

bool find_breaks(Arena *arena, System *s, const double *params, double t0, double t1, OdeBreaks *out) {
  Finder finder = {.arena = arena, .s = s, .t0 = t0, .t1 = t1, .out = out}, *f = &finder;
  *out = (OdeBreaks){0};
  if (!collect(f)) return false;
  uint32_t n = f->switches.count, simple = 0;
  if (n == 0) return true;
  ExprId *results = arena_array(arena, 4 * (size_t)n, sizeof *results);
  if (!results) return false;
  for (uint32_t i = 0; i < n; i++) {
    const Switch *x = &f->switches.items[i];
    ExprId own[4] = {x->g, x->rate, x->from, x->by};
    for (uint32_t k = 0; k < 4; k++) results[4 * i + k] = x->rate ? own[k] : s->pool->zero;
    simple += x->rate != 0;
  }
  if (simple) {
    f->tape = tape_build(
        arena, &(TapeWish){.system = s, .vars = &s->time, .var_count = 1, .results = results, .result_count = 4 * n});
    f->w = f->tape ? arena_array(arena, f->tape->slot_count, sizeof *f->w) : NULL;
    if (!f->w) return false;
    memcpy(f->w, params, f->tape->param_count * sizeof *f->w);
    tape_prepare(f->tape, f->w);
  }
  Times all = {0};
  // no step has room between a break and an end that is a few doubles away
  double least = 8 * DBL_EPSILON * fmax(fabs(t0), fabs(t1));
  for (uint32_t i = 0; i < n && !out->many; i++) {
    if (f->switches.items[i].rate) affine(f, i);
    else if (!search(f, i, params)) return false;
    const Times *own = &f->switches.items[i].times;
    for (uint32_t k = 0; k < own->count; k++) {
      double t = own->items[k];
      if (t == nextafter(t0, t1)) out->late = true;
      if (t - t0 > least && (t == t1 || t1 - t > least)) vec_push(arena, &all, t);
    }
  }
  order(&all);
  out->times = all.items;
  out->count = all.count;
  return !arena_failed(arena);
}

bool breaks_possible(Arena *arena, System *s) {
  Finder finder = {.arena = arena, .s = s};
  return !collect(&finder) || finder.switches.count > 0;
}
