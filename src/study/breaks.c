// Jumps and corners of signals of time.
//
// in    expressions of the system; among them step, ramp, sign, abs, comparisons, min, max, floor (also of noise), mod and table
//       whose arguments depend on time and parameters alone
// out   pairs of neighbouring doubles: the last time of the old branch and the first one of the new
//
// Each such node has a mode that is constant between its breaks: whether g(t) >= 0, or floor(g(t)). An affine g gives its
// breaks by division; any other g is looked at on a fine grid. Either way bisection goes down to neighbouring doubles, so
// no rounding puts a jump on the wrong side.
#include "study/breaks.h"

#include "expr/calculus.h"
#include "tape/tape.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { grid = 20000, most_breaks = 1000000 };

typedef struct Switch {
  ExprId g, rate; // dg/dt; 0: g is not affine
  bool floor;     // the mode is floor(g), not g >= 0
  const ModelTable *table; // or the place of g among a table's points
} Switch;

typedef struct Finder {
  Arena *arena;
  System *s;
  VEC(Switch) switches;
  VEC(double) found; // the first times of new branches
  const Tape *tape;  // g of each switch, then their rates
  double *w;
  double t0, t1;
  bool late; // see OdeBreaks
} Finder;

static void put_switch(Finder *f, ExprId g, bool is_floor, const ModelTable *table) {
  ExprPool *pool = f->s->pool;
  ExprId rate = g ? expr_diff(pool, g, f->s->model->time) : 0;
  if (!rate || rate == pool->zero) return;
  if (expr_has_kind(pool, rate, sym_time)) rate = 0;
  vec_push(f->arena, &f->switches, (Switch){g, rate, is_floor, table});
}

static void look_at(Finder *f, ExprId id) {
  ExprPool *pool = f->s->pool;
  uint16_t allowed = 1u << sym_time | 1u << sym_param;
  const ExprNode *n = pool_node(pool, id);
  if (!(n->kinds & 1u << sym_time) || (n->kinds & ~allowed) || n->op == op_sym || n->op == op_num) return;
  const ExprId *a = pool_args(pool, id);
  switch ((int)n->op) {
  case op_step: case op_ramp: case op_abs: put_switch(f, a[0], false, NULL); break;
  case op_lt: case op_min: case op_max: put_switch(f, expr_sub(pool, a[0], a[1]), false, NULL); break;
  case op_le: put_switch(f, expr_sub(pool, a[1], a[0]), false, NULL); break; // holds at the limit itself
  case op_sign: case op_eq: case op_ne: { // a value of its own at the limit
    ExprId g = n->op == op_sign ? a[0] : expr_sub(pool, a[0], a[1]);
    put_switch(f, g, false, NULL);
    put_switch(f, expr_neg(pool, g), false, NULL);
    break;
  }
  case op_floor: put_switch(f, a[0], true, NULL); break;
  case op_mod: put_switch(f, expr_div(pool, a[0], a[1]), true, NULL); break;
  case op_table: {
    Rat index = RAT_ZERO;
    int64_t i = 0;
    expr_number(pool, a[0], &index);
    rat_to_int(index, &i);
    put_switch(f, a[2], false, &f->s->model->tables.items[i]);
    break;
  }
  default: break;
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

static void evaluate(Finder *f, double t) {
  tape_vars(f->tape, f->w)[0] = t;
  tape_eval(f->tape, f->w);
}

static double mode_of(const Switch *s, double g) {
  if (s->floor) return floor(g);
  if (!s->table) return g >= 0;
  uint32_t lo = 0, hi = s->table->count; // points at or before g
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (s->table->x[mid] <= g) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static double mode_at(Finder *f, uint32_t i, double t) {
  evaluate(f, t);
  return mode_of(&f->switches.items[i], tape_result(f->tape, f->w, i));
}

// The modes differ at a and b: the first double of a new mode between them. Every change in between is one of them.
static void bisect(Finder *f, uint32_t i, double a, double mode_a, double b) {
  while (true) {
    double mid = a + (b - a) / 2;
    if (mid <= a || mid >= b) break;
    if (mode_at(f, i, mid) == mode_a) a = mid;
    else b = mid;
  }
  // no step has room between a break and an end that is a few doubles away
  double least = 8 * DBL_EPSILON * fmax(fabs(f->t0), fabs(f->t1));
  if (b == nextafter(f->t0, f->t1)) f->late = true;
  if (b - f->t0 > least && (b == f->t1 || f->t1 - b > least) && f->found.count < most_breaks) vec_push(f->arena, &f->found, b);
}

// Around a predicted time of an affine g.
static void near(Finder *f, uint32_t i, double t) {
  double reach = 1e-9 * fmax(fabs(t), f->t1 - f->t0), a = fmax(t - reach, f->t0), b = fmin(t + reach, f->t1);
  if (!(a < b)) return;
  double mode = mode_at(f, i, a);
  if (mode != mode_at(f, i, b)) bisect(f, i, a, mode, b);
}

static void affine(Finder *f, uint32_t i) {
  const Switch *s = &f->switches.items[i];
  evaluate(f, 0);
  double rate = tape_result(f->tape, f->w, f->switches.count + i), g0 = tape_result(f->tape, f->w, i);
  if (!isfinite(rate) || rate == 0) return;
  if (s->table) {
    for (uint32_t k = 0; k < s->table->count; k++) near(f, i, (s->table->x[k] - g0) / rate);
  } else if (!s->floor) {
    near(f, i, -g0 / rate);
  } else {
    double a = g0 + rate * f->t0, b = g0 + rate * f->t1, lo = ceil(fmin(a, b)), hi = floor(fmax(a, b));
    if (hi - lo > most_breaks) return;
    for (double k = lo; k <= hi; k++) near(f, i, (k - g0) / rate);
  }
}

static void scan(Finder *f, uint32_t i) {
  double before = f->t0, mode = mode_at(f, i, before);
  for (int k = 1; k <= grid; k++) {
    double t = f->t0 + (f->t1 - f->t0) * k / grid, now = mode_at(f, i, t);
    if (now != mode) bisect(f, i, before, mode, t);
    before = t;
    mode = now;
  }
}

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bool find_breaks(Arena *arena, System *s, const double *params, double t0, double t1, OdeBreaks *out) {
  Finder finder = {.arena = arena, .s = s, .t0 = t0, .t1 = t1}, *f = &finder;
  *out = (OdeBreaks){0};
  if (!collect(f)) return false;
  uint32_t n = f->switches.count;
  if (n == 0) return true;
  ExprId *results = arena_array(arena, 2 * (size_t)n, sizeof *results);
  if (!results) return false;
  for (uint32_t i = 0; i < n; i++) {
    results[i] = f->switches.items[i].g;
    results[n + i] = f->switches.items[i].rate ? f->switches.items[i].rate : s->pool->zero;
  }
  f->tape = tape_build(arena, &(TapeWish){.system = s, .vars = &s->model->time, .var_count = 1, .results = results, .result_count = 2 * n});
  f->w = f->tape ? arena_array(arena, f->tape->slot_count, sizeof *f->w) : NULL;
  if (!f->w) return false;
  memcpy(f->w, params, f->tape->param_count * sizeof *f->w);
  tape_prepare(f->tape, f->w);
  for (uint32_t i = 0; i < n; i++) {
    if (f->switches.items[i].rate) affine(f, i);
    else scan(f, i);
  }
  // in order, each once
  double *times = f->found.items;
  if (f->found.count) qsort(times, f->found.count, sizeof *times, by_time);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->found.count; i++) {
    if (kept == 0 || times[i] > times[kept - 1]) times[kept++] = times[i];
  }
  out->times = times;
  out->count = kept;
  out->late = f->late;
  return !arena_failed(arena);
}

bool breaks_possible(Arena *arena, System *s) {
  Finder finder = {.arena = arena, .s = s};
  return !collect(&finder) || finder.switches.count > 0;
}
