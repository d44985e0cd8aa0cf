// Reduction of a singular mass matrix: quasi-velocities where every coordinate has inertia, but M has no full rank.
//
// in    a block M a + h = 0 of rank r < k; C: r of its coordinates with M_CC regular, Z: the others
// out   N = -M_CC^-1 M_CZ, so that M [N; 1] = 0
//       u = v_C - N v_Z is integrated instead of v_C:  M_CC u' + h_C + M_CC N' v_Z = 0
//       v_Z is solved from the equations of first order  h_Z + N' h_C = 0 (N' the transpose), and v_C = u + N v_Z
//
// N may depend on coordinates and time; where it depends on velocities the block is refused.
#include "system/reduce.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/normal.h"
#include "expr/print.h"

#include <string.h>

typedef struct Reduction {
  System *s;
  const Block *b;
  uint32_t r, z;
  uint32_t *C, *Z; // indices in the block
  ExprId *N;       // r by z
} Reduction;

static const SystemCoord *coord_of(const Reduction *x, uint32_t place) {
  return &x->s->coords.items[x->b->coords[place]];
}
static ExprId entry(const Reduction *x, uint32_t i, uint32_t j) { return block_entry(x->s->pool, x->b, i, j); }

// num/den with common factors cancelled where that can be had.
static ExprId quotient(Normal *n, Poly *num, Poly *den) {
  if (n->api->length(n->ring, num) == 0) return n->pool->zero;
  uint32_t at = n->factors.count;
  if (!vec_push(n->arena, &n->factors, den)) return 0;
  Frac f = {num, &(DenFactor){at, 1}, 1};
  if (!frac_cancel(n, f, &num, &den)) {
    n->why = NULL;
    num = f.num;
    den = n->factors.items[at];
  }
  return expr_div(n->pool, poly_expr(n, num), poly_expr(n, den));
}

// One column of N by Cramer's rule. det: of M_CC.
static bool solve_column(Reduction *x, Normal *n, Poly *const *rows, Poly *det, uint32_t column) {
  uint32_t r = x->r, width = r + x->z;
  Poly **a = arena_array(n->arena, (size_t)r * r, sizeof *a);
  if (!a) return false;
  for (uint32_t i = 0; i < r; i++) {
    for (uint32_t p = 0; p < r * r; p++) a[p] = rows[p / r * width + (p % r == i ? r + column : p % r)];
    Poly *num = normal_determinant(n, a, r);
    ExprId value = num ? quotient(n, num, det) : 0;
    if (!value) return false;
    x->N[i * x->z + column] = expr_neg(n->pool, value);
  }
  return true;
}

static bool solve_exactly(Reduction *x) {
  System *s = x->s;
  uint32_t r = x->r, width = r + x->z;
  ExprId *roots = arena_array(s->arena, (size_t)r * width, sizeof *roots);
  Frac *f = arena_array(s->arena, (size_t)r * width, sizeof *f);
  Poly **rows = arena_array(s->arena, (size_t)r * width, sizeof *rows),
       **a = arena_array(s->arena, (size_t)r * r, sizeof *a);
  if (!roots || !f || !rows || !a) return false;
  for (uint32_t i = 0; i < r; i++) {
    for (uint32_t j = 0; j < width; j++) roots[i * width + j] = entry(x, x->C[i], j < r ? x->C[j] : x->Z[j - r]);
  }
  Normal normal = {0}, *n = &normal;
  bool ok = normal_open(n, s->pool, s->arena, roots, r * width) && fracs_of(n, roots, r * width, f);
  for (uint32_t i = 0; ok && i < r; i++) ok = normal_clear(n, f + (size_t)i * width, width, rows + (size_t)i * width);
  for (uint32_t p = 0; ok && p < r * r; p++) a[p] = rows[p / r * width + p % r];
  Poly *det = ok ? normal_determinant(n, a, r) : NULL;
  ok = det != NULL;
  for (uint32_t j = 0; ok && j < x->z; j++) ok = solve_column(x, n, rows, det, j);
  normal_close(n);
  return ok && !arena_failed(s->arena);
}

static bool solve_null(Reduction *x) {
  if (solve_exactly(x)) return true;
  if (arena_failed(x->s->arena) || x->r != 1) return false;
  // without the algebra: one division does
  for (uint32_t j = 0; j < x->z; j++)
    x->N[j] = expr_neg(x->s->pool, expr_div(x->s->pool, entry(x, x->C[0], x->Z[j]), entry(x, x->C[0], x->C[0])));
  return true;
}

// The proof that the rank is what it seems: M_ZC N + M_ZZ = 0, all of it.
static bool is_null(const Reduction *x) {
  ExprPool *pool = x->s->pool;
  for (uint32_t j = 0; j < x->z; j++) {
    for (uint32_t k = 0; k < x->z; k++) {
      ExprId sum = entry(x, x->Z[j], x->Z[k]);
      for (uint32_t i = 0; i < x->r; i++)
        sum = expr_add(pool, sum, expr_mul(pool, entry(x, x->Z[j], x->C[i]), x->N[i * x->z + k]));
      if (!expr_vanishes(pool, x->s->arena, sum)) return false;
    }
  }
  return true;
}

// sum over Z of N_ij v_j
static ExprId along_null(const Reduction *x, const ExprId *N, uint32_t i) {
  ExprPool *pool = x->s->pool;
  ExprId sum = pool->zero;
  for (uint32_t j = 0; j < x->z; j++)
    sum = expr_add(pool, sum, expr_mul(pool, N[i * x->z + j], expr_sym(pool, coord_of(x, x->Z[j])->v)));
  return sum;
}

static ExprId at_start(const Reduction *x, ExprId value) {
  System *s = x->s;
  SymbolMap map = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    symbol_map_set(&map, c->q, c->q0);
    symbol_map_set(&map, c->v, c->v0);
  }
  symbol_map_set(&map, s->time, s->pool->zero);
  ExprId out = 0;
  return expr_replace(s->pool, &map, &value, 1, &out) ? out : 0;
}

static const char *printed(const Reduction *x, ExprId value) {
  Text t = text_in(x->s->arena);
  expr_print(x->s->pool, value, format_text, NULL, &t);
  return text_str(&t);
}

static bool set_speeds(Reduction *x) {
  System *s = x->s;
  ExprPool *pool = s->pool;
  for (uint32_t i = 0; i < x->r; i++) {
    const SystemCoord *c = coord_of(x, x->C[i]);
    s->role[x->b->coords[x->C[i]]] = coord_combined;
    Speed *speed = &s->speeds[x->b->coords[x->C[i]]];
    ExprId more = along_null(x, x->N, i);
    speed->meaning = expr_sub(pool, expr_sym(pool, c->v), more);
    const char *name = printed(x, speed->meaning);
    speed->symbol = pool_symbol(pool, name, sym_signal, 0, 0);
    speed->rate = pool_symbol(pool, arena_printf(s->arena, "d(%s)/dt", name), sym_signal, 0, 0);
    speed->start = at_start(x, speed->meaning);
    if (!speed->symbol || !speed->rate || !speed->start) return false;
    ExprId value = expr_add(pool, expr_sym(pool, speed->symbol), more);
    const char *label = arena_printf(s->arena, "the velocity of %s", c->name);
    if (!vec_push(s->arena, &s->definitions, (Definition){c->v, value, system_origin(s, c->span, label, value)}))
      return false;
  }
  for (uint32_t j = 0; j < x->z; j++) {
    uint32_t z = x->b->coords[x->Z[j]];
    ExprId sum = s->h[z];
    for (uint32_t i = 0; i < x->r; i++)
      sum = expr_add(pool, sum, expr_mul(pool, x->N[i * x->z + j], s->h[x->b->coords[x->C[i]]]));
    s->role[z] = coord_first_order;
    s->speeds[z] = (Speed){.start = pool->zero};
    s->null_row[z] = expr_expand(pool, sum, 20000);
    if (!s->null_row[z]) return false;
  }
  return true;
}

static bool rates_block(Reduction *x, Block *out) {
  System *s = x->s;
  ExprPool *pool = s->pool;
  uint32_t r = x->r;
  ExprId *dN = arena_array(s->arena, (size_t)r * x->z, sizeof *dN), *push = arena_array(s->arena, r, sizeof *push);
  ExprId *m = arena_array(s->arena, (size_t)r * r, sizeof *m);
  *out = (Block){.count = r, .symmetric = x->b->symmetric};
  out->coords = arena_array(s->arena, r, sizeof *out->coords);
  out->unknowns = arena_array(s->arena, r, sizeof *out->unknowns);
  out->origins = arena_array(s->arena, r, sizeof *out->origins);
  out->rhs = arena_array(s->arena, r, sizeof *out->rhs);
  if (arena_failed(s->arena) || !system_time_derivative(s, x->N, r * x->z, false, dN)) return false;
  for (uint32_t i = 0; i < r; i++) push[i] = along_null(x, dN, i);
  for (uint32_t i = 0; i < r; i++) {
    out->coords[i] = x->b->coords[x->C[i]];
    out->origins[i] = s->coord_origin[out->coords[i]];
    out->unknowns[i] = s->speeds[out->coords[i]].rate;
    out->rhs[i] = s->h[out->coords[i]];
    for (uint32_t j = 0; j < r; j++) {
      m[i * r + j] = entry(x, x->C[i], x->C[j]);
      out->rhs[i] = expr_add(pool, out->rhs[i], expr_mul(pool, m[i * r + j], push[j]));
    }
    if (!out->rhs[i]) return false;
  }
  return block_from_dense(s->arena, pool, out, m);
}

// What was found, and which starting values are not free.
static void tell(Reduction *x, const char *names) {
  System *s = x->s;
  Text free = text_in(s->arena), solved = text_in(s->arena);
  for (uint32_t i = 0; i < x->r; i++)
    text_printf(&free, "%s%s",
                !i             ? ""
                : i + 1 < x->r ? ", "
                               : " and ",
                printed(x, s->speeds[x->b->coords[x->C[i]]].meaning));
  for (uint32_t j = 0; j < x->z; j++)
    text_printf(&solved, "%s%s'", !j ? "" : j + 1 < x->z ? ", " : " and ", coord_of(x, x->Z[j])->name);
  vec_push(s->arena, &s->notes,
           arena_printf(
               s->arena,
               "the mass matrix of %s has rank %u of %u: only %s %s inertia, and %s %s solved from %s of first order",
               names, x->r, x->b->count, text_str(&free), x->r > 1 ? "have" : "has", text_str(&solved),
               x->z > 1 ? "are" : "is", x->z > 1 ? "equations" : "an equation"));
  for (uint32_t i = 0; i < x->b->count; i++) {
    const SystemCoord *c = coord_of(x, i);
    if (!c->said_v) continue;
    diag_warning(s->diags, diag_not_free, c->span,
                 "the starting value of `%s'` is not free: only that of %s is kept, the rest follows from an equation "
                 "of first order",
                 c->name, text_str(&free));
    return;
  }
}

bool system_reduce(System *s, const Block *b, const uint32_t *pivots, uint32_t rank, const char *names, Block *out,
                   const char **why) {
  Reduction reduction = {.s = s, .b = b, .r = rank, .z = b->count - rank}, *x = &reduction;
  bool *pivot = arena_array(s->arena, b->count, sizeof *pivot);
  x->C = arena_array(s->arena, b->count, sizeof *x->C);
  x->Z = arena_array(s->arena, b->count, sizeof *x->Z);
  x->N = arena_array(s->arena, (size_t)rank * x->z, sizeof *x->N);
  *why = NULL;
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < rank; i++) pivot[pivots[i]] = true;
  for (uint32_t i = 0, c = 0, z = 0; i < b->count; i++) {
    if (pivot[i]) x->C[c++] = i;
    else x->Z[z++] = i;
  }
  if (!solve_null(x)) {
    *why = "the combination without inertia is not found";
    return false;
  }
  if (!is_null(x)) {
    *why = "the exact algebra finds no proof of it";
    return false;
  }
  KindSet allowed = kind_set(sym_param) | kind_set(sym_coord) | kind_set(sym_time);
  for (uint32_t i = 0; i < rank * x->z; i++) {
    KindSet kinds = x->N[i] ? expr_kinds(s->pool, x->N[i]) : 0;
    if (!(kinds & ~allowed)) continue;
    *why = kinds & kind_set(sym_velocity) ? "the combination without inertia depends on the velocities"
                                          : "the combination without inertia depends on inputs or states";
    return false;
  }
  if (!set_speeds(x) || !rates_block(x, out)) return false;
  tell(x, names);
  return true;
}
