// Equations of positions as polynomials. See polynomial.h.
#include "positions/polynomial.h"

#include <math.h>
#include <string.h>

enum { most_variables = 60, most_terms = 20000, deepest = 200 };
static const double tiny = 1e-13; // of the largest coefficient: what rounding leaves of a zero

// ---- arithmetic

static bool add_term(PolynomialSystem *x, Polynomial *p, double coef, const uint8_t *power) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (memcmp(p->power + (size_t)i * x->nv, power, x->nv) != 0) continue;
    p->coef[i] += coef;
    return true;
  }
  if (p->count == most_terms) return x->why = "the polynomials grow too large", false;
  if (p->count == p->cap) {
    uint32_t cap = p->cap ? 2 * p->cap : 8;
    double *c = arena_array(x->arena, cap, sizeof *c);
    uint8_t *w = arena_array(x->arena, (size_t)cap * x->nv + 1, 1);
    if (!c || !w) return false;
    if (p->count) memcpy(c, p->coef, p->count * sizeof *c);
    if (p->count) memcpy(w, p->power, (size_t)p->count * x->nv);
    *p = (Polynomial){p->count, cap, c, w};
  }
  p->coef[p->count] = coef;
  memcpy(p->power + (size_t)p->count * x->nv, power, x->nv);
  p->count++;
  return true;
}

static bool add(PolynomialSystem *x, Polynomial *to, const Polynomial *p, double factor) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (!add_term(x, to, factor * p->coef[i], p->power + (size_t)i * x->nv)) return false;
  }
  return true;
}

static bool multiply(PolynomialSystem *x, const Polynomial *a, const Polynomial *b, Polynomial *out) {
  uint8_t power[most_variables + 1];
  *out = (Polynomial){0};
  for (uint32_t i = 0; i < a->count; i++) {
    for (uint32_t j = 0; j < b->count; j++) {
      for (uint32_t k = 0; k < x->nv; k++)
        power[k] = (uint8_t)(a->power[(size_t)i * x->nv + k] + b->power[(size_t)j * x->nv + k]);
      if (!add_term(x, out, a->coef[i] * b->coef[j], power)) return false;
    }
  }
  return true;
}

static bool constant(PolynomialSystem *x, double value, Polynomial *out) {
  uint8_t power[most_variables + 1] = {0};
  *out = (Polynomial){0};
  return add_term(x, out, value, power);
}

static bool variable(PolynomialSystem *x, uint32_t k, double factor, Polynomial *out) {
  uint8_t power[most_variables + 1] = {0};
  power[k] = 1;
  *out = (Polynomial){0};
  return add_term(x, out, factor, power);
}

static bool raise(PolynomialSystem *x, const Polynomial *base, uint32_t times, Polynomial *out) {
  if (!constant(x, 1, out)) return false;
  for (uint32_t i = 0; i < times; i++) {
    Polynomial next;
    if (!multiply(x, out, base, &next)) return false;
    *out = next;
  }
  return true;
}

// ---- from expressions

typedef struct PolynomialReading {
  PolynomialSystem *x;
  Places *p;
  const double *P;
  uint32_t depth;
} PolynomialReading;

static uint32_t unknown_of(const Places *p, SymbolId symbol) {
  for (uint32_t i = 0; i < p->n; i++) {
    if (p->unknown[0][i] == symbol) return i;
  }
  return UINT32_MAX;
}

// The number of a symbol that is no unknown.
static bool number_of(const PolynomialReading *r, SymbolId symbol, double *out) {
  const Places *p = r->p;
  for (uint32_t i = 0; i < p->k; i++) {
    if (p->drive[0][i] == symbol) return *out = r->P[i], true;
  }
  for (uint32_t i = 0; i < p->s.params.count; i++) {
    if (p->s.params.items[i].symbol == symbol) return *out = p->params[i], true;
  }
  if (symbol == p->s.time) return *out = p->t, true;
  uint32_t u = unknown_of(p, symbol);
  if (u == UINT32_MAX || r->x->var[u] != UINT32_MAX) return false;
  return *out = r->x->known[u], true;
}

// The value of an expression without unknowns.
static bool number(PolynomialReading *r, ExprId id, double *out) {
  const ExprPool *pool = &r->p->pool;
  Rat rat;
  if (expr_number(pool, id, &rat)) return *out = rat_to_double(rat), true;
  if (expr_symbol(pool, id)) return number_of(r, expr_symbol(pool, id), out);
  if (r->depth > deepest) return false;
  double value, exponent;
  bool ok = true;
  r->depth++;
  switch (expr_op(pool, id)) {
  case op_pi: *out = 3.14159265358979323846; break;
  case op_add:
    *out = 0;
    for (uint32_t i = 0; ok && i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      ok = number(r, t.term, &value);
      *out += rat_to_double(t.coef) * value;
    }
    break;
  case op_mul:
    *out = rat_to_double(expr_coef(pool, id));
    for (uint32_t i = 0; ok && i < expr_factor_count(pool, id); i++) {
      Factor f = expr_factor(pool, id, i);
      ok = number(r, f.base, &value) && number(r, f.exponent, &exponent);
      *out *= pow(value, exponent);
    }
    break;
  case op_sin:
  case op_cos:
    ok = number(r, pool_args(pool, id)[0], &value);
    *out = expr_op(pool, id) == op_sin ? sin(value) : cos(value);
    break;
  case op_atan2:
    ok = number(r, pool_args(pool, id)[0], &value) && number(r, pool_args(pool, id)[1], &exponent);
    *out = atan2(value, exponent);
    break;
  default: ok = false;
  }
  r->depth--;
  return ok;
}

static bool read(PolynomialReading *r, ExprId id, Polynomial *out);

// e^(i n q) of a coordinate that is an angle, times (re, im).
static bool turn(PolynomialSystem *x, uint32_t var, int n, Polynomial *re, Polynomial *im) {
  for (int k = 0; k < (n < 0 ? -n : n); k++) {
    Polynomial c, s, a, b, d, e;
    if (!variable(x, var, 1, &c) || !variable(x, var + 1, n < 0 ? -1 : 1, &s)) return false;
    if (!multiply(x, re, &c, &a) || !multiply(x, im, &s, &b) || !multiply(x, re, &s, &d) || !multiply(x, im, &c, &e))
      return false;
    if (!add(x, &a, &b, -1) || !add(x, &d, &e, 1)) return false;
    *re = a;
    *im = d;
  }
  return true;
}

// A sine or cosine of a whole combination of angles.
static bool wave(PolynomialReading *r, ExprId id, Polynomial *out) {
  const ExprPool *pool = &r->p->pool;
  PolynomialSystem *x = r->x;
  ExprId arg = pool_args(pool, id)[0];
  Polynomial re, im;
  double shift = 0, value;
  if (!constant(x, 1, &re) || !constant(x, 0, &im)) return false;
  for (uint32_t i = 0; i < expr_term_count(pool, arg); i++) {
    Term t = expr_term(pool, arg, i);
    double n = rat_to_double(t.coef);
    ExprId of = t.term;
    if (expr_op(pool, of) == op_mul && expr_factor_count(pool, of) == 1 &&
        expr_factor(pool, of, 0).exponent == pool->one) {
      n *= rat_to_double(expr_coef(pool, of));
      of = expr_factor(pool, of, 0).base;
    }
    if (number(r, of, &value)) {
      shift += n * value;
      continue;
    }
    uint32_t u = expr_symbol(pool, of) ? unknown_of(r->p, expr_symbol(pool, of)) : UINT32_MAX;
    if (u == UINT32_MAX || !x->angle[u] || n != floor(n) || fabs(n) > 20)
      return x->why = "an angle stands in a sine by a part of it, or by a formula", false;
    if (!turn(x, x->var[u], (int)n, &re, &im)) return false;
  }
  bool sine = expr_op(pool, id) == op_sin;
  *out = (Polynomial){0};
  return add(x, out, sine ? &im : &re, cos(shift)) && add(x, out, sine ? &re : &im, sine ? sin(shift) : -sin(shift));
}

static bool product(PolynomialReading *r, ExprId id, Polynomial *out) {
  const ExprPool *pool = &r->p->pool;
  PolynomialSystem *x = r->x;
  if (!constant(x, rat_to_double(expr_coef(pool, id)), out)) return false;
  for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
    Factor f = expr_factor(pool, id, i);
    Polynomial base, power, next;
    double value, exponent;
    if (!number(r, f.exponent, &exponent)) return x->why = "a power has an unknown in its exponent", false;
    if (number(r, f.base, &value)) {
      if (!constant(x, pow(value, exponent), &power)) return false;
    } else {
      if (exponent != floor(exponent) || exponent < 0 || exponent > 20)
        return x->why = "a root or a quotient of unknowns is no polynomial", false;
      if (!read(r, f.base, &base) || !raise(x, &base, (uint32_t)exponent, &power)) return false;
    }
    if (!multiply(x, out, &power, &next)) return false;
    *out = next;
  }
  return true;
}

static bool read(PolynomialReading *r, ExprId id, Polynomial *out) {
  const ExprPool *pool = &r->p->pool;
  PolynomialSystem *x = r->x;
  double value;
  if (number(r, id, &value)) return constant(x, value, out);
  if (r->depth > deepest) return x->why = "a formula is nested too deep", false;
  SymbolId symbol = expr_symbol(pool, id);
  if (symbol) {
    uint32_t u = unknown_of(r->p, symbol);
    if (u == UINT32_MAX || x->angle[u]) return x->why = "an angle stands inside and outside of sines", false;
    return variable(x, x->var[u], x->size, out);
  }
  r->depth++;
  bool ok = true;
  switch (expr_op(pool, id)) {
  case op_add:
    *out = (Polynomial){0};
    for (uint32_t i = 0; ok && i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      Polynomial term;
      ok = read(r, t.term, &term) && add(x, out, &term, rat_to_double(t.coef));
    }
    break;
  case op_mul: ok = product(r, id, out); break;
  case op_sin:
  case op_cos: ok = wave(r, id, out); break;
  default: x->why = "a function of unknowns is no polynomial", ok = false;
  }
  r->depth--;
  return ok;
}

// ---- variables

// Unknowns that stand in sines and cosines.
static bool find_angles(PolynomialSystem *x, Places *p, const bool *skip) {
  for (uint32_t i = 0; i < p->m; i++) {
    uint32_t count;
    if (skip[i]) continue;
    const ExprId *list = pool_reach(&p->pool, &p->value[i], 1, NULL, NULL, &count);
    if (!list) return false;
    for (uint32_t k = 0; k < count; k++) {
      if (expr_op(&p->pool, list[k]) != op_sin && expr_op(&p->pool, list[k]) != op_cos) continue;
      for (uint32_t u = 0; u < p->n; u++) {
        if (expr_depends(&p->pool, list[k], p->unknown[0][u])) x->angle[u] = true;
      }
      list = pool_reach(&p->pool, &p->value[i], 1, NULL, NULL, &count);
      if (!list) return false;
    }
  }
  return true;
}

static bool is_shown_angle(const Places *p, uint32_t u) {
  for (uint32_t i = 0; i < p->angle_count; i++) {
    if (p->angles[i] == u) return true;
  }
  return false;
}

// Driven unknowns are known; angles that are only shown are left out, with their equations.
static bool choose_variables(PolynomialSystem *x, Places *p, const double *P, bool *skip) {
  for (uint32_t u = 0; u < p->n; u++) x->var[u] = 0;
  for (uint32_t i = 0; i < p->k; i++) {
    SymbolId symbol = expr_symbol(&p->pool, p->driven[i]);
    uint32_t u = symbol ? unknown_of(p, symbol) : UINT32_MAX;
    if (p->drive_row[i] == UINT32_MAX) continue;
    if (u == UINT32_MAX) continue;
    x->var[u] = UINT32_MAX;
    x->known[u] = P[i];
    skip[p->drive_row[i]] = true;
  }
  for (uint32_t u = 0; u < p->n; u++) {
    if (!is_shown_angle(p, u) || x->var[u] == UINT32_MAX) continue;
    x->var[u] = UINT32_MAX;
    for (uint32_t i = 0; i < p->m; i++) {
      if (strcmp(p->labels[i], p->names[u]) == 0) skip[i] = true;
    }
  }
  if (!find_angles(x, p, skip)) return false;
  for (uint32_t u = 0; u < p->n; u++) {
    if (x->var[u] == UINT32_MAX) continue;
    x->var[u] = x->nv;
    x->nv += x->angle[u] ? 2 : 1;
  }
  return true;
}

// ---- linear equations

static uint32_t degree_of(const PolynomialSystem *x, const Polynomial *p) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < x->nv; k++) sum += p->power[(size_t)i * x->nv + k];
    if (p->coef[i] != 0 && sum > most) most = sum;
  }
  return most;
}

uint32_t polynomial_degree(const PolynomialSystem *x, uint32_t eq) { return degree_of(x, &x->eq[eq]); }

// Coefficients up to 1, what rounding leaves of zeros away.
static void clean(PolynomialSystem *x, Polynomial *p) {
  double most = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->count; i++) most = fmax(most, fabs(p->coef[i]));
  for (uint32_t i = 0; i < p->count; i++) {
    if (!(fabs(p->coef[i]) > tiny * most)) continue;
    p->coef[kept] = p->coef[i] / most;
    memmove(p->power + (size_t)kept * x->nv, p->power + (size_t)i * x->nv, x->nv);
    kept++;
  }
  p->count = kept;
}

// The linear ones as rows of nv + 1 numbers, eliminated; pivot[r]: the variable that row r gives. Their number.
static uint32_t solve_linear(PolynomialSystem *x, double *rows, uint32_t count, uint32_t *pivot) {
  uint32_t width = x->nv + 1, rank = 0;
  bool used[most_variables + 1] = {false};
  for (uint32_t r = 0; r < count; r++) {
    uint32_t br = 0, bc = 0;
    double top = 0;
    for (uint32_t i = rank; i < count; i++) {
      for (uint32_t k = 0; k < x->nv; k++) {
        if (!used[k] && fabs(rows[i * width + k]) > top) top = fabs(rows[i * width + k]), br = i, bc = k;
      }
    }
    if (!(top > 1e-11)) break;
    for (uint32_t k = 0; k < width; k++) {
      double swap = rows[rank * width + k];
      rows[rank * width + k] = rows[br * width + k];
      rows[br * width + k] = swap;
    }
    used[bc] = true;
    pivot[rank] = bc;
    double by = rows[rank * width + bc];
    for (uint32_t k = 0; k < width; k++) rows[rank * width + k] /= by;
    for (uint32_t i = 0; i < count; i++) {
      double f = i == rank ? 0 : rows[i * width + bc];
      for (uint32_t k = 0; f != 0 && k < width; k++) rows[i * width + k] -= f * rows[rank * width + k];
    }
    rank++;
  }
  for (uint32_t i = rank; i < count; i++) {
    if (fabs(rows[i * width + x->nv]) > 1e-9) x->impossible = true;
  }
  return rank;
}

static bool put_linear(PolynomialSystem *x, Polynomial *p, const Polynomial *forms, const bool *solved) {
  Polynomial out = {0};
  for (uint32_t i = 0; i < p->count; i++) {
    Polynomial term;
    uint8_t power[most_variables + 1];
    memcpy(power, p->power + (size_t)i * x->nv, x->nv);
    for (uint32_t k = 0; k < x->nv; k++) {
      if (solved[k]) power[k] = 0;
    }
    term = (Polynomial){0};
    if (!add_term(x, &term, p->coef[i], power)) return false;
    for (uint32_t k = 0; k < x->nv; k++) {
      uint32_t times = solved[k] ? p->power[(size_t)i * x->nv + k] : 0;
      for (uint32_t n = 0; n < times; n++) {
        Polynomial next;
        if (!multiply(x, &term, &forms[k], &next)) return false;
        term = next;
      }
    }
    if (!add(x, &out, &term, 1)) return false;
  }
  *p = out;
  clean(x, p);
  return true;
}

static bool eliminate_linear(PolynomialSystem *x) {
  uint32_t width = x->nv + 1, count = 0, kept = 0;
  double *rows = arena_array(x->arena, (size_t)x->count * width + 1, sizeof *rows);
  uint32_t *pivot = arena_array(x->arena, (size_t)x->count + 1, sizeof *pivot);
  Polynomial *forms = arena_array(x->arena, (size_t)x->nv + 1, sizeof *forms);
  bool *solved = arena_array(x->arena, (size_t)x->nv + 1, sizeof *solved);
  if (!rows || !pivot || !forms || !solved) return false;
  for (uint32_t e = 0; e < x->count; e++) {
    const Polynomial *p = &x->eq[e];
    if (degree_of(x, p) > 1) {
      x->eq[kept++] = *p;
      continue;
    }
    for (uint32_t i = 0; i < p->count; i++) {
      uint32_t at = x->nv;
      for (uint32_t k = 0; k < x->nv; k++) {
        if (p->power[(size_t)i * x->nv + k]) at = k;
      }
      rows[count * width + at] += p->coef[i];
    }
    count++;
  }
  x->count = kept;
  uint32_t rank = solve_linear(x, rows, count, pivot);
  for (uint32_t r = 0; r < rank; r++) solved[pivot[r]] = true;
  for (uint32_t k = 0; k < x->nv; k++) {
    if (!solved[k]) x->left_var[x->left++] = k;
  }
  x->linear = arena_array(x->arena, (size_t)x->nv * (x->left + 1) + 1, sizeof *x->linear);
  if (!x->linear) return false;
  for (uint32_t i = 0; i < x->left; i++) x->linear[x->left_var[i] * (x->left + 1) + i] = 1;
  for (uint32_t r = 0; r < rank; r++) {
    double *out = x->linear + (size_t)pivot[r] * (x->left + 1);
    if (!constant(x, -rows[r * width + x->nv], &forms[pivot[r]])) return false;
    out[x->left] = -rows[r * width + x->nv];
    for (uint32_t i = 0; i < x->left; i++) {
      Polynomial v;
      out[i] = -rows[r * width + x->left_var[i]];
      if (out[i] == 0) continue;
      if (!variable(x, x->left_var[i], out[i], &v) || !add(x, &forms[pivot[r]], &v, 1)) return false;
    }
  }
  for (uint32_t e = 0; e < x->count; e++) {
    if (!put_linear(x, &x->eq[e], forms, solved)) return false;
  }
  return true;
}

// ---- the whole

static bool read_equations(PolynomialSystem *x, Places *p, const double *P, const bool *skip) {
  PolynomialReading r = {.x = x, .p = p, .P = P};
  for (uint32_t i = 0; i < p->m; i++) {
    if (skip[i]) continue;
    if (!read(&r, p->value[i], &x->eq[x->count])) {
      x->place = p->spans[i];
      return x->why != NULL;
    }
    clean(x, &x->eq[x->count]);
    if (x->eq[x->count].count) x->count++;
  }
  for (uint32_t u = 0; u < p->n; u++) {
    if (x->var[u] == UINT32_MAX || !x->angle[u]) continue;
    Polynomial c, s, out, square;
    if (!variable(x, x->var[u], 1, &c) || !variable(x, x->var[u] + 1, 1, &s) || !multiply(x, &c, &c, &out) ||
        !multiply(x, &s, &s, &square) || !add(x, &out, &square, 1) || !constant(x, 1, &c) || !add(x, &out, &c, -1))
      return false;
    x->eq[x->count++] = out;
  }
  return true;
}

bool polynomial_open(PolynomialSystem *x, Places *p, const double *P) {
  *x = (PolynomialSystem){.arena = p->arena, .size = p->size};
  x->var = arena_array(p->arena, (size_t)p->n + 1, sizeof *x->var);
  x->angle = arena_array(p->arena, (size_t)p->n + 1, sizeof *x->angle);
  x->known = arena_array(p->arena, (size_t)p->n + 1, sizeof *x->known);
  bool *skip = arena_array(p->arena, (size_t)p->m + 1, sizeof *skip);
  if (!x->var || !x->angle || !x->known || !skip || !choose_variables(x, p, P, skip)) return false;
  if (x->nv > most_variables) return x->why = "there are more than 60 variables", true;
  x->eq = arena_array(p->arena, (size_t)p->m + p->n + 1, sizeof *x->eq);
  x->left_var = arena_array(p->arena, (size_t)x->nv + 1, sizeof *x->left_var);
  if (!x->eq || !x->left_var || !read_equations(x, p, P, skip)) return false;
  if (x->why) return true;
  // what was linear only after others were put in
  if (!eliminate_linear(x)) return x->why != NULL;
  uint32_t kept = 0;
  for (uint32_t e = 0; e < x->count; e++) {
    if (x->eq[e].count == 0) continue;
    if (polynomial_degree(x, e) == 0) x->impossible = true;
    else x->eq[kept++] = x->eq[e];
  }
  x->count = kept;
  return !arena_failed(p->arena);
}

double polynomial_bound(const PolynomialSystem *x) {
  double bound = 1;
  for (uint32_t e = 0; e < x->count; e++) bound *= polynomial_degree(x, e);
  return bound;
}

void polynomial_unknowns(const PolynomialSystem *x, const Places *p, const double *y, double *u) {
  double v[most_variables + 2];
  for (uint32_t k = 0; k < x->nv; k++) {
    const double *row = x->linear + (size_t)k * (x->left + 1);
    v[k] = row[x->left];
    for (uint32_t i = 0; i < x->left; i++) v[k] += row[i] * y[i];
  }
  for (uint32_t i = 0; i < p->n; i++) {
    if (x->var[i] == UINT32_MAX) u[i] = x->known[i];
    else u[i] = x->angle[i] ? atan2(v[x->var[i] + 1], v[x->var[i]]) : x->size * v[x->var[i]];
  }
}
