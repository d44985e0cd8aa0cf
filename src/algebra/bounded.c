// Lower bounds of energies.
//
// in    H(x)
// out   bounded below: yes, with the signs of parameters that were assumed; no; or not decided
// how   Of coordinates the kinetic co-energy is looked at as it is written: where it is a sum of squares, the kinetic
//       energy in momenta is not negative. The rest of H, term by term: what is not negative by its signs; what is
//       bounded (sines, cosines, tanh times parameters); a polynomial of degree 2. The latter has a bound if its matrix
//       is semidefinite and the linear terms lie in its range, which elimination shows: the matrix with the linear
//       terms as a further row, pivots taken off as in definite.c. A bounded function times a variable is like a linear
//       term of unknown size: all variables of the matrix must then have positive pivots. No: along one variable alone,
//       the others zero, H is a polynomial whose leading term sinks.
#include "algebra/bounded.h"

#include "expr/calculus.h"
#include "expr/decide.h"

typedef struct Bounding {
  Signs *g;
  const PortForm *f;
  System *s;
  ExprPool *pool;
  uint32_t n;
  ExprId *Q;    // n * n, second derivatives
  ExprId *b;    // linear terms
  bool *pulled; // a bounded function times this variable
  bool stuck;
} Bounding;

static bool has_state(const Bounding *w, ExprId id) {
  for (uint32_t i = 0; i < w->n; i++) {
    if (expr_depends(w->pool, id, w->f->x[i])) return true;
  }
  return false;
}

// A function whose values are between two numbers.
static bool is_bounded_function(const Bounding *w, ExprId id) {
  switch ((int)expr_op(w->pool, id)) {
  case op_sin:
  case op_cos:
  case op_tanh:
  case op_atan:
  case op_sign:
  case op_step: return true;
  default: return false;
  }
}

// The degree in states of a term whose other factors are bounded or constant; -1: it is no such term. at: the first two
// states in it.
static int degree_of(Bounding *w, ExprId term, uint32_t at[2], bool *functions) {
  ExprPool *pool = w->pool;
  int degree = 0;
  Factor one = {term, pool->one};
  uint32_t count = expr_op(pool, term) == op_mul ? expr_factor_count(pool, term) : 1;
  *functions = false;
  for (uint32_t k = 0; k < count; k++) {
    Factor f = expr_op(pool, term) == op_mul ? expr_factor(pool, term, k) : one;
    if (!has_state(w, f.base) && !has_state(w, f.exponent)) continue;
    Rat e;
    if (!expr_number(pool, f.exponent, &e) || e.big || e.den != 1 || e.num < 1) return -1;
    if (is_bounded_function(w, f.base)) {
      *functions = true;
      continue;
    }
    uint32_t i = 0;
    while (i < w->n && expr_symbol(pool, f.base) != w->f->x[i]) i++;
    if (i == w->n || degree + e.num > 1000) return -1;
    for (int64_t c = 0; c < e.num; c++, degree++) {
      if (degree < 2) at[degree] = i;
    }
  }
  return degree;
}

static void take_term(Bounding *w, Term t) {
  ExprPool *pool = w->pool;
  uint32_t at[2] = {0};
  bool functions;
  ExprId value = expr_scale(pool, t.coef, t.term);
  int degree = degree_of(w, t.term, at, &functions);
  if (degree == 0 || !has_state(w, t.term)) return;
  if (degree == 1 && functions) {
    w->pulled[at[0]] = true;
  } else if (degree == 1) {
    w->b[at[0]] = expr_add(pool, w->b[at[0]], expr_div(pool, value, expr_sym(pool, w->f->x[at[0]])));
  } else if (degree == 2 && !functions) {
    ExprId c = expr_div(pool, value, expr_mul(pool, expr_sym(pool, w->f->x[at[0]]), expr_sym(pool, w->f->x[at[1]])));
    if (at[0] == at[1]) c = expr_scale(pool, rat_int(2), c);
    w->Q[at[0] * w->n + at[1]] = expr_add(pool, w->Q[at[0] * w->n + at[1]], c);
    if (at[0] != at[1]) w->Q[at[1] * w->n + at[0]] = expr_add(pool, w->Q[at[1] * w->n + at[0]], c);
  } else if (signs_of(w->g, value) & sign_minus) {
    w->stuck = true;
  }
}

// Zero, or integrals whose two limits are equal.
static bool is_nothing(const ExprPool *pool, ExprId id) {
  for (uint32_t i = 0; id != pool->zero && i < expr_term_count(pool, id); i++) {
    ExprId term = expr_term(pool, id, i).term;
    if (expr_op(pool, term) != op_integral || pool_args(pool, term)[2] != pool_args(pool, term)[3]) return false;
  }
  return true;
}

// The kinetic energy in momenta is left out where the co-energy as written is not negative.
static ExprId without_kinetic(Bounding *w) {
  System *s = w->s;
  ExprPool *pool = w->pool;
  ExprId H = w->f->H;
  if (!s->lagrange.used || !w->f->places) return H;
  bool good = true, any = false;
  for (uint32_t i = 0; i < s->energies.count; i++) {
    const SystemTerm *e = &s->energies.items[i];
    if (e->kind == energy_lagrangian && expr_has_kind(pool, e->value, sym_velocity)) good = false;
    if (e->kind != energy_kinetic) continue;
    any = true;
    good = good && !(signs_of(w->g, e->value) & sign_minus);
    // linear terms in velocities shift the momenta
    SymbolMap rest = symbol_map_new(pool);
    for (uint32_t k = 0; k < s->coord_count; k++) symbol_map_set(&rest, s->coords.items[k].v, pool->zero);
    ExprId still = 0;
    if (!expr_replace(pool, &rest, &e->value, 1, &still) || !is_nothing(pool, still)) good = false;
  }
  // energy and co-energy are alike where p is linear in v; else p must rise with its velocity
  for (uint32_t i = 0; i < s->coord_count && good; i++) {
    for (uint32_t k = 0; k < s->coord_count && good; k++) {
      ExprId slope = expr_diff(pool, s->lagrange.p[i], s->coords.items[k].v);
      if (slope && expr_has_kind(pool, slope, sym_velocity)) slope = expr_expand(pool, slope, 5000);
      if (!slope) return 0;
      if (expr_has_kind(pool, slope, sym_velocity)) good = i == k && !(signs_of(w->g, slope) & sign_minus);
    }
  }
  if (!any || !good) return H;
  return w->f->still;
}

// Is every term a polynomial of the states, with bounded functions at most beside single states?
static bool is_simple(Bounding *w, ExprId sum) {
  for (uint32_t k = 0; k < expr_term_count(w->pool, sum); k++) {
    uint32_t at[2];
    bool functions;
    int degree = degree_of(w, expr_term(w->pool, sum, k).term, at, &functions);
    if (degree < 0 || (degree > 1 && functions)) return false;
  }
  return true;
}

// Multiplied out where that gives a polynomial; else terms as they are written must not be negative.
static bool take_terms(Bounding *w, ExprId H) {
  for (uint32_t i = 0; H && i < expr_term_count(w->pool, H); i++) {
    Term t = expr_term(w->pool, H, i);
    ExprId value = expr_scale(w->pool, t.coef, t.term), open = expr_expand(w->pool, value, 5000);
    if (!open) return false;
    if (!is_simple(w, open)) {
      uint32_t before = w->g->assumed.count;
      if (!(signs_of(w->g, value) & sign_minus)) continue;
      w->g->assumed.count = before;
    }
    for (uint32_t k = 0; k < expr_term_count(w->pool, open); k++) take_term(w, expr_term(w->pool, open, k));
  }
  return H != 0;
}

// The quadratic part has a bound with its linear terms.
static bool quadratic_bounded(Bounding *w) {
  uint32_t n = w->n;
  Semidefinite found;
  bool all = false;
  if (!semidefinite_find(w->g, w->Q, n, &found) || found.verdict != definite_yes) return false;
  // solve Q y = b along the pivots: what is left of b must vanish in rows without one
  bool *pivot = arena_array(w->s->arena, (size_t)n + 1, sizeof *pivot);
  ExprId *b = arena_array(w->s->arena, (size_t)n + 1, sizeof *b);
  if (!pivot || !b) return false;
  for (uint32_t i = 0; i < n; i++) b[i] = w->b[i];
  for (uint32_t k = 0; k < found.squares.count; k++) {
    const SquareTerm *q = &found.squares.items[k];
    if (signs_of(w->g, q->pivot) != sign_plus) continue;
    pivot[q->i] = true;
    for (uint32_t j = 0; j < n; j++) {
      if (q->factors[j] != w->pool->zero) b[j] = expr_sub(w->pool, b[j], expr_mul(w->pool, q->factors[j], b[q->i]));
    }
  }
  for (uint32_t i = 0; i < n; i++) all = all || w->pulled[i];
  for (uint32_t i = 0; i < n; i++) {
    bool coupled = w->pulled[i];
    for (uint32_t j = 0; j < n; j++) coupled = coupled || (all && w->Q[i * n + j] != w->pool->zero);
    if (pivot[i]) continue;
    if (coupled || (b[i] != w->pool->zero && !expr_vanishes(w->pool, w->s->arena, b[i]))) return false;
  }
  return true;
}

// Along one state alone: a polynomial of which the leading term sinks somewhere.
static const char *find_sinking(Bounding *w) {
  ExprPool *pool = w->pool;
  for (uint32_t i = 0; i < w->n; i++) {
    SymbolMap map = symbol_map_new(pool);
    for (uint32_t k = 0; k < w->n; k++) {
      if (k != i) symbol_map_set(&map, w->f->x[k], pool->zero);
    }
    ExprId H = 0, lead = 0;
    if (!expr_replace(pool, &map, &w->f->H, 1, &H)) return NULL;
    H = expr_expand(pool, H, 2000);
    int highest = 0;
    bool good = H != 0;
    for (uint32_t k = 0; good && k < expr_term_count(pool, H); k++) {
      uint32_t at[2];
      bool functions;
      Term t = expr_term(pool, H, k);
      int degree = degree_of(w, t.term, at, &functions);
      good = degree >= 0 && !(functions && degree > 0);
      ExprId c = expr_div(pool, expr_scale(pool, t.coef, t.term), expr_powi(pool, expr_sym(pool, w->f->x[i]), degree));
      if (degree > highest) lead = c;
      else if (degree == highest && degree > 0) lead = expr_add(pool, lead, c);
      highest = degree > highest ? degree : highest;
    }
    if (!good || !highest || !lead) continue;
    SignSet sign = signs_of(w->g, lead);
    bool sinks = highest % 2 ? !(sign & sign_zero) && sign != sign_any : sign == sign_minus;
    if (sinks)
      return arena_printf(w->s->arena, "H has no lower bound: it sinks without end along %s",
                          pool_symbol_get(pool, w->f->x[i])->name);
  }
  return NULL;
}

bool bounded_below(Signs *g, const PortForm *f, Bounded *out, const char **because) {
  Bounding work = {.g = g, .f = f, .s = g->s, .pool = g->s->pool, .n = f->n}, *w = &work;
  Arena *arena = g->s->arena;
  *out = bounded_undecided;
  *because = NULL;
  w->Q = arena_array(arena, (size_t)w->n * w->n + 1, sizeof *w->Q);
  w->b = arena_array(arena, (size_t)w->n + 1, sizeof *w->b);
  w->pulled = arena_array(arena, (size_t)w->n + 1, sizeof *w->pulled);
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < w->n * w->n; i++) w->Q[i] = w->pool->zero;
  for (uint32_t i = 0; i < w->n; i++) w->b[i] = w->pool->zero;
  if (!take_terms(w, without_kinetic(w))) return !arena_failed(arena);
  if (!w->stuck && quadratic_bounded(w)) {
    *out = bounded_yes;
    return true;
  }
  if (w->f->implicit) return !arena_failed(arena);
  *because = find_sinking(w);
  if (*because) *out = bounded_no;
  return !arena_failed(arena);
}
