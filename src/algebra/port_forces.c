// Forces and dissipation as matrices on velocities and inputs.
//
// in    Q(q, v, u, t) and D(v, u), u the ports
// out   Q - dD/dv = -K v + (B - C) u + rest;  the ports' outputs (B + C)' v + U u
//
// D: its gradient is H w, w = (v, u), with H = integral of the Hessian of D at s w over s from 0 to 1, which is the
//    Hessian where D is quadratic, and symmetric always. Where D is no polynomial but a sum over velocities, H is
//    diagonal, H_ii = (dD/dv_i)/v_i. Else dD/dv stays in the rest.
// Q: B = dQ/du at u = 0. Terms that are a factor of positions times a velocity go into K. A term of Q_i whose power is
//    the opposite of the power of a term of Q_j couples the two without taking energy: it goes into K
//    antisymmetrically. What is left is the rest.
#include "algebra/port_form.h"

#include "expr/calculus.h"
#include "expr/decide.h"

enum { most_degree = 8 }; // of D: more is no polynomial here

typedef struct Forces {
  PortForces *f;
  System *s;
  ExprPool *pool;
  uint32_t n, m;
  SymbolId *w; // velocities, then ports
} Forces;

static void add_to(ExprPool *pool, ExprId *entry, ExprId value) { *entry = expr_add(pool, *entry, value); }

// ---- dissipation

static bool has_any(const Forces *x, ExprId id) {
  for (uint32_t i = 0; i < x->n + x->m; i++) {
    if (expr_depends(x->pool, id, x->w[i])) return true;
  }
  return false;
}

// Sums and products of w with whole powers alone: |v| is none, though its third derivative vanishes.
static bool is_polynomial(Forces *x, ExprId e) {
  ExprPool *pool = x->pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, &e, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    ExprId id = list[i];
    if (expr_symbol(pool, id) || !has_any(x, id)) continue;
    if (expr_op(pool, id) != op_add && expr_op(pool, id) != op_mul) return false;
    for (uint32_t k = 0; expr_op(pool, id) == op_mul && k < expr_factor_count(pool, id); k++) {
      Factor f = expr_factor(pool, id, k);
      Rat power;
      bool whole = expr_number(pool, f.exponent, &power) && rat_is_int(power) && rat_sign(power) > 0;
      if (has_any(x, f.exponent) || (has_any(x, f.base) && !whole)) return false;
    }
  }
  return list != NULL;
}

// integral of e(s w) over s from 0 to 1, for a polynomial in w; 0: it is none
static ExprId averaged(Forces *x, ExprId e, SymbolId s) {
  ExprPool *pool = x->pool;
  SymbolMap scaled = symbol_map_new(pool), zero = symbol_map_new(pool);
  if (!has_any(x, e)) return e;
  if (!is_polynomial(x, e)) return 0;
  for (uint32_t i = 0; i < x->n + x->m; i++)
    symbol_map_set(&scaled, x->w[i], expr_mul(pool, expr_sym(pool, s), expr_sym(pool, x->w[i])));
  symbol_map_set(&zero, s, pool->zero);
  ExprId at = 0, sum = pool->zero, factor = pool->one;
  if (!expr_replace(pool, &scaled, &e, 1, &at)) return 0;
  for (uint32_t k = 0; k <= most_degree; k++) {
    at = expr_expand(pool, at, 20000);
    if (at == pool->zero) return sum;
    ExprId now = 0;
    if (!at || !expr_replace(pool, &zero, &at, 1, &now)) return 0;
    if (!now || expr_op(pool, now) == op_undefined) return 0;
    // e^(k)(0) / k! / (k + 1)
    add_to(pool, &sum, expr_div(pool, now, expr_mul(pool, factor, expr_int(pool, k + 1))));
    factor = expr_mul(pool, factor, expr_int(pool, k + 1));
    at = expr_diff(pool, at, s);
  }
  return 0;
}

static void put_hessian(Forces *x, uint32_t i, uint32_t j, ExprId value) {
  PortForces *f = x->f;
  if (i < x->n && j < x->n) add_to(x->pool, &f->K[i * x->n + j], value);
  else if (i < x->n) add_to(x->pool, &f->C[i * x->m + (j - x->n)], value);
  else if (j >= x->n) add_to(x->pool, &f->U[(i - x->n) * x->m + (j - x->n)], value);
}

// By the mean Hessian. False: D is no polynomial, and nothing was put.
static bool by_hessian(Forces *x) {
  uint32_t all = x->n + x->m;
  ExprPool *pool = x->pool;
  ExprId *slope = port_zeros(x->s, all), *h = port_zeros(x->s, (size_t)all * all), *column = port_zeros(x->s, all);
  SymbolId s = pool_symbol(pool, "mean", sym_param, 0, 0);
  if (!slope || !h || !column || !s || !expr_gradient(pool, x->s->lagrange.D, x->w, all, slope)) return false;
  for (uint32_t j = 0; j < all; j++) {
    if (!expr_diff_all(pool, slope, all, x->w[j], column)) return false;
    for (uint32_t i = 0; i < all; i++) {
      h[i * all + j] = averaged(x, column[i], s);
      if (!h[i * all + j]) return false;
    }
  }
  // the gradient of D without velocities and ports
  SymbolMap zero = symbol_map_new(pool);
  for (uint32_t i = 0; i < all; i++) symbol_map_set(&zero, x->w[i], pool->zero);
  if (!expr_replace(pool, &zero, slope, all, column)) return false;
  for (uint32_t i = 0; i < x->n; i++) {
    if (column[i] == pool->zero) continue;
    add_to(pool, &x->f->rest[i], expr_neg(pool, column[i]));
    x->f->loose = true;
  }
  for (uint32_t i = 0; i < all * all; i++) put_hessian(x, i / all, i % all, port_tidy(pool, h[i]));
  return true;
}

// dD/dv_i = r v_i where it holds no other velocity and no port
static bool one_by_one(Forces *x) {
  ExprPool *pool = x->pool;
  const ExprId *d = x->s->lagrange.dDdv;
  for (uint32_t i = 0; i < x->n; i++) {
    for (uint32_t j = 0; j < x->n + x->m; j++) {
      if (j != i && expr_depends(pool, d[i], x->w[j])) return false;
    }
  }
  for (uint32_t i = 0; i < x->n; i++) {
    if (d[i] != pool->zero) add_to(pool, &x->f->K[i * x->n + i], expr_div(pool, d[i], expr_sym(pool, x->w[i])));
  }
  return true;
}

static void take_dissipation(Forces *x) {
  if (x->s->lagrange.D == x->pool->zero || by_hessian(x) || one_by_one(x)) return;
  x->f->damped = x->f->loose = true;
  for (uint32_t i = 0; i < x->n; i++) add_to(x->pool, &x->f->rest[i], expr_neg(x->pool, x->s->lagrange.dDdv[i]));
}

// ---- forces

// A term of a force that is none of the simple ones.
typedef struct ForceTerm {
  uint32_t coord;
  Rat coef;
  ExprId power; // its term without the number, times the velocity of its coordinate
  ExprId value;
  bool used;
} ForceTerm;
typedef VEC(ForceTerm) ForceTermList;

// A factor of positions times one velocity: which; n: none.
static uint32_t only_velocity(Forces *x, ExprId term, ExprId *factor) {
  ExprPool *pool = x->pool;
  for (uint32_t j = 0; j < x->n; j++) {
    if (!expr_depends(pool, term, x->w[j])) continue;
    *factor = expr_div(pool, term, expr_sym(pool, x->w[j]));
    return *factor && !expr_has_kind(pool, *factor, sym_velocity) ? j : x->n;
  }
  return x->n;
}

static void take_terms(Forces *x, uint32_t i, ExprId force, ForceTermList *others) {
  ExprPool *pool = x->pool;
  force = expr_expand(pool, force, 20000);
  for (uint32_t k = 0; force && force != pool->zero && k < expr_term_count(pool, force); k++) {
    Term t = expr_term(pool, force, k);
    ExprId value = expr_scale(pool, t.coef, t.term), factor = 0;
    uint32_t j = only_velocity(x, value, &factor);
    if (j < x->n) {
      add_to(pool, &x->f->K[i * x->n + j], expr_neg(pool, factor));
      continue;
    }
    ExprId power = expr_mul(pool, value, expr_sym(pool, x->w[i]));
    Term whole = expr_term(pool, power, 0);
    Rat coef = whole.coef;
    ExprId bare = whole.term;
    // the number of a product stands in the product
    if (expr_op(pool, bare) == op_mul) {
      coef = rat_mul(pool->arena, coef, expr_coef(pool, bare));
      bare = expr_scale(pool, rat_div(pool->arena, RAT_ONE, expr_coef(pool, bare)), bare);
    }
    vec_push(x->s->arena, others, (ForceTerm){i, coef, bare, value, false});
  }
}

static void pair_up(Forces *x, ForceTermList *list) {
  ExprPool *pool = x->pool;
  for (uint32_t a = 0; a < list->count; a++) {
    ForceTerm *p = &list->items[a];
    for (uint32_t b = a + 1; b < list->count && !p->used; b++) {
      ForceTerm *q = &list->items[b];
      bool opposite = !q->used && q->coord != p->coord && q->power == p->power &&
                      rat_is_zero(rat_add(pool->arena, p->coef, q->coef));
      if (!opposite) continue;
      // p's force is J v of q's velocity
      ExprId entry = expr_div(pool, p->value, expr_sym(pool, x->w[q->coord]));
      add_to(pool, &x->f->K[p->coord * x->n + q->coord], expr_neg(pool, entry));
      add_to(pool, &x->f->K[q->coord * x->n + p->coord], entry);
      p->used = q->used = true;
    }
    if (p->used) continue;
    add_to(pool, &x->f->rest[p->coord], p->value);
    x->f->loose = true;
  }
}

static bool take_forces(Forces *x) {
  ExprPool *pool = x->pool;
  const SystemLagrange *g = &x->s->lagrange;
  SymbolMap off = symbol_map_new(pool), still = symbol_map_new(pool);
  ForceTermList others = {0};
  for (uint32_t k = 0; k < x->m; k++) symbol_map_set(&off, x->w[x->n + k], pool->zero);
  for (uint32_t i = 0; i < x->n; i++) symbol_map_set(&still, x->s->coords.items[i].a, pool->zero);
  for (uint32_t i = 0; i < x->n; i++) {
    ExprId Q = 0, Q0 = 0, linear = pool->zero;
    if (!expr_replace(pool, &still, &g->Q[i], 1, &Q) || !expr_replace(pool, &off, &Q, 1, &Q0)) return false;
    for (uint32_t k = 0; k < x->m; k++) {
      ExprId slope = expr_diff(pool, Q, x->w[x->n + k]);
      if (!slope || !expr_replace(pool, &off, &slope, 1, &slope)) return false;
      slope = port_tidy(pool, slope);
      add_to(pool, &x->f->B[i * x->m + k], slope);
      add_to(pool, &linear, expr_mul(pool, slope, expr_sym(pool, x->w[x->n + k])));
    }
    ExprId beyond = expr_expand(pool, expr_sub(pool, expr_sub(pool, Q, Q0), linear), 20000);
    if (beyond != pool->zero && !expr_vanishes(pool, x->s->arena, beyond)) {
      x->f->nonlinear = x->f->loose = true;
      add_to(pool, &x->f->rest[i], beyond);
    }
    take_terms(x, i, Q0, &others);
  }
  pair_up(x, &others);
  return !arena_failed(x->s->arena);
}

bool port_forces(System *s, const SymbolId *u, uint32_t m, PortForces *out) {
  uint32_t n = s->coord_count;
  *out = (PortForces){.s = s, .n = n, .m = m, .u = u};
  out->K = port_zeros(s, (size_t)n * n);
  out->B = port_zeros(s, (size_t)n * m);
  out->C = port_zeros(s, (size_t)n * m);
  out->U = port_zeros(s, (size_t)m * m);
  out->rest = port_zeros(s, n);
  Forces work = {.f = out, .s = s, .pool = s->pool, .n = n, .m = m};
  work.w = arena_array(s->arena, (size_t)n + m + 1, sizeof *work.w);
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < n; i++) work.w[i] = s->coords.items[i].v;
  for (uint32_t k = 0; k < m; k++) work.w[n + k] = u[k];
  take_dissipation(&work);
  return take_forces(&work);
}
