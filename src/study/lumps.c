// Parameters that count only in combinations.
//
// in    the equations r_i = sum_j M_ij a_j + h_i and x' = f, in the parameters p
// out   scalings  p_k -> p_k lambda^w_k  that multiply each r_i by lambda^s_i and leave f as it is:
//         sum_k w_k p_k dr_i/dp_k = s_i r_i       sum_k w_k p_k df/dp_k = 0
//       and shifts  p_k -> p_k + c_k epsilon  that change nothing.
//
// Both conditions are linear in w, s and c: candidates come from points modulo a prime, and each is proved in the normal
// form. What a set of scalings leaves alone are the products of powers with exponents e, w.e = 0 for all w; what shifts
// leave alone are sums. Inputs, coordinates and time are not scaled.
#include "study/facts.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/modular.h"

enum { most_params = 40, most_equations = 24 };

typedef struct Lumps {
  System *s;
  ExprPool *pool;
  Arena *arena;
  uint32_t n, rows, count; // equations of coordinates, all equations, parameters
  ExprId *row;
  const ModelParam **params;
} Lumps;

static bool occurs(const Lumps *w, SymbolId symbol) {
  for (uint32_t i = 0; i < w->rows; i++) {
    if (expr_depends(w->pool, w->row[i], symbol)) return true;
  }
  return false;
}

static bool prepare(Lumps *w) {
  System *s = w->s;
  uint32_t n = s->coord_count;
  w->n = n;
  w->row = arena_array(w->arena, (size_t)n + s->state_count, sizeof *w->row);
  w->params = arena_array(w->arena, s->model->params.count, sizeof *w->params);
  if (!w->row || !w->params) return false;
  for (uint32_t i = 0; i < n; i++) {
    ExprId r = s->h[i];
    for (uint32_t j = 0; j < n; j++) r = expr_add(w->pool, r, expr_mul(w->pool, s->M[i * n + j], expr_sym(w->pool, s->model->coords.items[j].a)));
    if (!r) return false;
    w->row[w->rows++] = r;
  }
  for (uint32_t i = 0; i < s->state_count; i++) w->row[w->rows++] = s->f[i];
  for (uint32_t i = 0; i < s->model->params.count; i++) {
    const ModelParam *p = &s->model->params.items[i];
    if (!p->structural && occurs(w, p->symbol)) w->params[w->count++] = p;
  }
  return w->count >= 1 && w->count <= most_params && w->rows <= most_equations;
}

static ExprId derivative(Lumps *w, uint32_t row, uint32_t k, bool scale) {
  ExprId d = expr_diff(w->pool, w->row[row], w->params[k]->symbol);
  return scale ? expr_mul(w->pool, expr_sym(w->pool, w->params[k]->symbol), d) : d;
}

// Columns: one a parameter, for scalings then one an equation of a coordinate.
static uint32_t candidates(Lumps *w, bool scale, Rat **out, uint32_t *columns) {
  uint32_t n = w->count + (scale ? w->n : 0);
  *columns = n;
  ExprId *table = arena_array(w->arena, (size_t)w->rows * n, sizeof *table);
  ModularRelations r;
  if (!table || !relations_open(&r, w->arena, n)) return 0;
  for (uint32_t i = 0; i < w->rows; i++) {
    for (uint32_t k = 0; k < w->count; k++) table[i * n + k] = derivative(w, i, k, scale);
    for (uint32_t j = 0; scale && j < w->n; j++) table[i * n + w->count + j] = i == j ? expr_neg(w->pool, w->row[i]) : w->pool->zero;
  }
  for (uint32_t i = 0; i < w->rows * n; i++) {
    if (!table[i]) return 0;
  }
  return relations_sample(&r, w->pool, w->arena, table, w->rows) ? relations_solve(&r, w->arena, out) : 0;
}

static bool proved(Lumps *w, const Rat *v, bool scale) {
  for (uint32_t i = 0; i < w->rows; i++) {
    ExprId sum = scale && i < w->n ? expr_scale(w->pool, rat_neg(w->arena, v[w->count + i]), w->row[i]) : w->pool->zero;
    for (uint32_t k = 0; k < w->count; k++) {
      if (!rat_is_zero(v[k])) sum = expr_add(w->pool, sum, expr_scale(w->pool, v[k], derivative(w, i, k, scale)));
    }
    if (!sum || decide_zero(w->pool, w->arena, sum).verdict != verdict_equal) return false;
  }
  return true;
}

static bool touches(Lumps *w, const Rat *v) {
  for (uint32_t k = 0; k < w->count; k++) {
    if (!rat_is_zero(v[k])) return true;
  }
  return false;
}

// What the vectors leave alone: numbers e with v.e = 0, over the parameters that they touch.
static uint32_t complement(Lumps *w, Rat *const *v, uint32_t count, Rat **out) {
  ModularRelations r;
  uint64_t *row = arena_array(w->arena, w->count, sizeof *row);
  if (!row || !relations_open(&r, w->arena, w->count)) return 0;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < w->count; k++) {
      bool good;
      row[k] = rat_mod(v[i][k], MODULAR_PRIME, &good);
    }
    relations_add(&r, row);
  }
  return relations_solve(&r, w->arena, out);
}

// Whole exponents, more of them positive than negative.
static void make_whole(Lumps *w, Rat *e) {
  Rat factor = RAT_ONE;
  int64_t sum = 0;
  for (uint32_t k = 0; k < w->count; k++) {
    Rat x = rat_mul(w->arena, e[k], factor);
    if (!rat_is_int(x) && !x.big) factor = rat_mul(w->arena, factor, rat_int(x.den));
    sum += rat_sign(e[k]);
  }
  if (sum < 0) factor = rat_neg(w->arena, factor);
  for (uint32_t k = 0; k < w->count; k++) e[k] = rat_mul(w->arena, e[k], factor);
}

static int64_t length(const Lumps *w, const Rat *e) {
  int64_t sum = 0;
  for (uint32_t k = 0; k < w->count; k++) sum += e[k].num < 0 ? -e[k].num : e[k].num;
  return sum;
}

// Half the sum or difference of two vectors of whole numbers, where that is whole and no longer than the second: then it
// takes its place, so that m*l^2 and m*g^2 become m*l^2 and m*g*l.
static bool halve(const Lumps *w, const Rat *a, Rat *b, int sign) {
  int64_t sum = 0;
  for (uint32_t k = 0; k < w->count; k++) {
    int64_t x = a[k].num + sign * b[k].num;
    if (x % 2) return false;
    sum += x < 0 ? -x / 2 : x / 2;
  }
  if (sum > length(w, b)) return false;
  for (uint32_t k = 0; k < w->count; k++) b[k] = rat_int((a[k].num + sign * b[k].num) / 2);
  return true;
}

static void shorten(Lumps *w, Rat *e, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) make_whole(w, e + (size_t)i * w->count);
  for (int round = 0; round < 20; round++) {
    bool changed = false;
    for (uint32_t i = 0; i < count; i++) {
      for (uint32_t k = 0; k < count; k++) {
        Rat *a = e + (size_t)i * w->count, *b = e + (size_t)k * w->count;
        if (i != k) changed = halve(w, a, b, 1) || halve(w, a, b, -1) || changed;
      }
    }
    if (!changed) return;
  }
}

static ExprId combination(Lumps *w, Rat *e, bool scale) {
  make_whole(w, e);
  ExprId out = scale ? w->pool->one : w->pool->zero;
  for (uint32_t k = 0; k < w->count; k++) {
    if (rat_is_zero(e[k])) continue;
    ExprId p = expr_sym(w->pool, w->params[k]->symbol);
    out = scale ? expr_mul(w->pool, out, expr_pow(w->pool, p, expr_num(w->pool, e[k]))) : expr_add(w->pool, out, expr_scale(w->pool, e[k], p));
  }
  return out;
}

static void find(Lumps *w, Facts *facts, bool scale) {
  Rat *vectors, *free_numbers;
  uint32_t columns, found = candidates(w, scale, &vectors, &columns), kept = 0;
  Rat **good = arena_array(w->arena, found, sizeof *good);
  bool *touched = arena_array(w->arena, w->count, sizeof *touched);
  if (!found || !good || !touched) return;
  for (uint32_t i = 0; i < found; i++) {
    Rat *v = vectors + (size_t)i * columns;
    if (touches(w, v) && proved(w, v, scale)) good[kept++] = v;
  }
  if (!kept) return;
  FactLump lump = {0};
  for (uint32_t k = 0; k < w->count; k++) {
    for (uint32_t i = 0; i < kept; i++) touched[k] = touched[k] || !rat_is_zero(good[i][k]);
    if (touched[k]) vec_push(w->arena, &lump.names, w->params[k]->name);
  }
  uint32_t count = complement(w, good, kept, &free_numbers);
  if (scale) shorten(w, free_numbers, count);
  for (uint32_t i = 0; i < count; i++) {
    Rat *e = free_numbers + (size_t)i * w->count;
    bool inside = false;
    for (uint32_t k = 0; k < w->count; k++) inside = inside || (touched[k] && !rat_is_zero(e[k]));
    if (inside) vec_push(w->arena, &lump.by, combination(w, e, scale));
  }
  vec_push(w->arena, &facts->lumps, lump);
}

void facts_lumps(System *s, Facts *facts) {
  Lumps lumps = {.s = s, .pool = s->pool, .arena = s->arena}, *w = &lumps;
  const Model *m = s->model;
  // unknowns, events and what blocks remember follow from the parameters, too
  if (m->implicit.count || m->whens.count || m->memories.count || m->delays.count || m->frictions.count || !prepare(w)) return;
  find(w, facts, true);
  find(w, facts, false);
}
