// The structure of equations that are given: J, R and G with x' = (J - R) dH/dx + G u, for a given H.
//
// in    x' = f(x, u) and H(x)
// out   F = J - R with f(x, 0) = F dH, and G = df/du at u = 0; or why there is none
// how   f and dH are sums of terms. Row i holds c dH_j where c is a quotient of two of their terms that leaves no state
//       below, and all terms of c dH_j stand in the row. In this order, numbers and parameters before what depends on
//       states:  c in row i, column j with -c in row j, column i (they take no energy), c on the diagonal, equal
//       entries on both sides, any single one. Each takes its terms out of the row; nothing may be left.
//       No structure: dH.f(x, 0) > 0 at a point, where -dH' R dH would have to be so. That is a proof.
#include "algebra/port_form.h"

#include "algebra/style.h"
#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/evaluate.h"
#include "expr/modular.h"
#include "expr/print.h"

enum { most_rows = 60, most_points = 40 };

typedef struct Fit {
  System *s;
  ExprPool *pool;
  const SystemStorage *x;
  PortForm *f;
  uint32_t n;
  ExprId *row; // what is left of each
  ExprId *dH;  // multiplied out
} Fit;

static ExprId expand(Fit *w, ExprId id) { return expr_expand(w->pool, id, 20000); }

// Rational parts cancelled, and what stands in functions written in one way.
static ExprId canonical(Fit *w, ExprId id) {
  return expand(w, expr_is_polynomial(w->pool, id) ? id : expr_short(w->pool, w->s->arena, id));
}

static KindSet moving(void) { return kind_set(sym_state); }

// Does a state stand below a line of c that stands below none in the term?
static bool is_clean(Fit *w, ExprId c) {
  ExprPool *pool = w->pool;
  for (uint32_t k = 0; expr_op(pool, c) == op_mul && k < expr_factor_count(pool, c); k++) {
    Factor f = expr_factor(pool, c, k);
    Rat e;
    bool below = !expr_number(pool, f.exponent, &e) || rat_sign(e) < 0;
    if (below && expr_has_kinds(pool, f.base, moving())) return false;
  }
  return true;
}

static bool has_term(Fit *w, ExprId sum, Term t) {
  for (uint32_t i = 0; sum != w->pool->zero && i < expr_term_count(w->pool, sum); i++) {
    Term other = expr_term(w->pool, sum, i);
    if (expr_scale(w->pool, other.coef, other.term) == expr_scale(w->pool, t.coef, t.term)) return true;
  }
  return false;
}

// Do all terms of c dH_j stand in row i?
static bool stands(Fit *w, uint32_t i, uint32_t j, ExprId c) {
  ExprId product = expand(w, expr_mul(w->pool, c, w->dH[j]));
  if (!product || product == w->pool->zero) return false;
  for (uint32_t k = 0; k < expr_term_count(w->pool, product); k++) {
    if (!has_term(w, w->row[i], expr_term(w->pool, product, k))) return false;
  }
  return true;
}

static void take(Fit *w, uint32_t i, uint32_t j, ExprId c) {
  w->row[i] = expand(w, expr_sub(w->pool, w->row[i], expr_mul(w->pool, c, w->dH[j])));
  w->f->F[i * w->n + j] = expr_add(w->pool, w->f->F[i * w->n + j], c);
}

typedef enum FitKind { fit_neutral, fit_diagonal, fit_even, fit_single } FitKind;

static bool fits(Fit *w, FitKind kind, uint32_t i, uint32_t j, ExprId c) {
  switch (kind) {
  case fit_neutral: return i != j && stands(w, j, i, expr_neg(w->pool, c));
  case fit_diagonal: return i == j;
  case fit_even: return i != j && stands(w, j, i, c);
  default: return true;
  }
}

// One entry of this kind. False: there is none.
static bool find_one(Fit *w, FitKind kind, bool constant) {
  ExprPool *pool = w->pool;
  for (uint32_t i = 0; i < w->n; i++) {
    for (uint32_t t = 0; w->row[i] != pool->zero && t < expr_term_count(pool, w->row[i]); t++) {
      Term term = expr_term(pool, w->row[i], t);
      ExprId value = expr_scale(pool, term.coef, term.term);
      for (uint32_t j = 0; j < w->n; j++) {
        if (w->dH[j] == pool->zero) continue;
        Term first = expr_term(pool, w->dH[j], 0);
        ExprId c = expr_div(pool, value, expr_scale(pool, first.coef, first.term));
        if (!c || !is_clean(w, c) || (constant && expr_has_kinds(pool, c, moving()))) continue;
        if (!stands(w, i, j, c) || !fits(w, kind, i, j, c)) continue;
        take(w, i, j, c);
        if (kind == fit_neutral) take(w, j, i, expr_neg(pool, c));
        if (kind == fit_even) take(w, j, i, c);
        return true;
      }
    }
  }
  return false;
}

static bool match(Fit *w) {
  for (;;) {
    bool found = false;
    for (int kind = fit_neutral; kind <= fit_single && !found; kind++)
      found = find_one(w, (FitKind)kind, true) || find_one(w, (FitKind)kind, false);
    if (!found) break;
  }
  for (uint32_t i = 0; i < w->n; i++) {
    if (w->row[i] != w->pool->zero && !expr_vanishes(w->pool, w->s->arena, w->row[i])) return false;
  }
  return true;
}

// A point at which H grows by itself. NULL: none was found.
static const char *find_growth(Fit *w, const ExprId *f0) {
  ExprPool *pool = w->pool;
  ExprId power = pool->zero;
  const char *text = NULL;
  for (uint32_t i = 0; i < w->n; i++) power = expr_add(pool, power, expr_mul(pool, w->dH[i], f0[i]));
  if (!style_with_values(w->s, &power, 1)) return NULL;
  bool exact = point_can_be_exact(pool, w->s->arena, &power, 1);
  for (uint32_t k = 0; k < most_points && !text; k++) {
    Point p;
    Num value;
    if (!point_open(&p, pool, w->s->arena, &power, 1, k, exact)) break;
    if (point_eval(&p, &power, 1, &value) && num_sign(&p, value) == 1) {
      Text t = text_in(w->s->arena);
      for (uint32_t i = 0; i < p.symbols.count; i++)
        text_printf(&t, "%s%s = %s", i ? ", " : "", pool_symbol_get(pool, p.symbols.items[i].symbol)->name,
                    p.symbols.items[i].text);
      text = arena_printf(w->s->arena, "at %s it grows by %s without inputs", text_str(&t), num_text(&p, value));
    }
    point_close(&p);
  }
  return text;
}

// f at inputs zero, its Jacobian by the inputs, and what is beyond both.
static bool take_inputs(Fit *w, ExprId *f0) {
  System *s = w->s;
  ExprPool *pool = w->pool;
  SymbolMap off = symbol_map_new(pool);
  for (uint32_t k = 0; k < w->f->m; k++) symbol_map_set(&off, w->f->u[k], pool->zero);
  for (uint32_t i = 0; i < w->n; i++) {
    ExprId rhs = s->states.items[w->x->rows[i]].rhs, linear = pool->zero;
    if (!rhs || !expr_replace(pool, &off, &rhs, 1, &f0[i])) return false;
    for (uint32_t k = 0; k < w->f->m; k++) {
      ExprId slope = expr_diff(pool, rhs, w->f->u[k]);
      if (!slope || !expr_replace(pool, &off, &slope, 1, &slope)) return false;
      slope = port_tidy(pool, slope);
      w->f->E[i * w->f->m + k] = w->f->W[k * w->n + i] = slope;
      linear = expr_add(pool, linear, expr_mul(pool, slope, expr_sym(pool, w->f->u[k])));
    }
    ExprId beyond = expand(w, expr_sub(pool, expr_sub(pool, rhs, f0[i]), linear));
    if (beyond != pool->zero && !expr_vanishes(pool, s->arena, beyond)) w->f->g[i] = beyond;
  }
  return true;
}

static void list_inputs(System *s, const SystemStorage *x, SymbolId *u, uint32_t *count) {
  for (uint32_t k = 0; k < s->inputs.count; k++) {
    bool used = false;
    for (uint32_t i = 0; i < x->count && !used; i++) {
      ExprId rhs = s->states.items[x->rows[i]].rhs;
      used = rhs && expr_depends(s->pool, rhs, s->inputs.items[k].symbol);
    }
    if (used) u[(*count)++] = s->inputs.items[k].symbol;
  }
}

static bool refuse(System *s, PortForm *out, const char *why) {
  if (!port_form_open(s, out, 0, 0)) return false;
  out->why = why;
  return true;
}

bool port_fit(System *s, const SystemStorage *x, PortForm *out) {
  uint32_t n = x->count, m = 0;
  SymbolId *u = arena_array(s->arena, (size_t)s->inputs.count + 1, sizeof *u);
  ExprId *f0 = arena_array(s->arena, (size_t)n + 1, sizeof *f0);
  if (!u || !f0) return false;
  if (n > most_rows) return refuse(s, out, "more than 60 states have equations of their own: write `interconnection`");
  for (uint32_t i = 0; i < n; i++) {
    if (!s->states.items[x->rows[i]].rhs)
      return refuse(
          s, out,
          arena_printf(s->arena, "the rate of %s stands in an implicit equation", s->states.items[x->rows[i]].name));
  }
  list_inputs(s, x, u, &m);
  if (!port_form_open(s, out, n, m)) return false;
  Fit fit = {.s = s, .pool = s->pool, .x = x, .f = out, .n = n}, *w = &fit;
  w->row = arena_array(s->arena, (size_t)n + 1, sizeof *w->row);
  w->dH = arena_array(s->arena, (size_t)n + 1, sizeof *w->dH);
  if (!w->row || !w->dH) return false;
  out->H = out->still = x->H;
  for (uint32_t k = 0; k < m; k++) {
    out->u[k] = u[k];
    out->names[k] = pool_symbol_get(s->pool, u[k])->name;
  }
  for (uint32_t i = 0; i < n; i++) {
    out->x[i] = s->states.items[x->rows[i]].x;
    out->dH[i] = x->dH[i];
    w->dH[i] = canonical(w, x->dH[i]);
  }
  if (!take_inputs(w, f0)) return false;
  for (uint32_t i = 0; i < n; i++) w->row[i] = canonical(w, f0[i]);
  const char *growth = find_growth(w, f0);
  if (growth) {
    out->why = arena_printf(s->arena, "no J, R and G fit: %s = %s is no energy of these equations, for %s",
                            style_free_name(s, "H"), expr_text(s->pool, s->arena, x->H), growth);
    return true;
  }
  if (!match(w)) {
    out->why = "no J, R and G were found for these equations, and none were proved impossible: write `interconnection` "
               "and `damping`";
    return true;
  }
  bool beyond = false;
  for (uint32_t i = 0; i < n; i++) beyond = beyond || out->g[i] != s->pool->zero;
  if (beyond) port_note(out, port_beyond_note);
  port_note(out, "J, R and G were found for the equations as they are written; entries of least degree, numbers and "
                 "parameters first");
  return !arena_failed(s->arena);
}
