// Lumped parameters: parameters that count only in combinations, by the symmetries of the equations.
//
// in    the equations r_i = sum_j M_ij a_j + h_i (forces of constraints among them), constraints and x' = f, in the
//       free parameters p (derived ones are substituted first)
// out   scalings  p_k -> p_k lambda^w_k  that multiply each r_i by lambda^s_i and leave all else as it is,
//       and shifts  p_k -> p_k + c_k epsilon  that change nothing.
//       All else: f, starts, values of inputs, the times of `simulate`.
//
// how   Candidates solve the linear conditions that the derivatives give, at points modulo a prime:
//         sum_k w_k p_k dr_i/dp_k = s_i r_i       sum_k w_k p_k df/dp_k = 0
//       Derivatives do not see a jump, so the argument of everything that jumps has a condition, too: step(g) stays
//       when g is multiplied by any factor, floor(g) when g stays. A candidate is proved without derivatives: the
//       changed parameters are put in, for every lambda or epsilon at once, and the difference is zero in the normal
//       form. Where that fails, lambda > 0 is tried (scaled.c); then the parameters have to keep their signs.
//
// What a set of scalings leaves alone are the products of powers with exponents e, w.e = 0 for all w; what shifts leave
// alone are sums. Inputs, coordinates and time are not scaled.
#include "algebra/facts.h"

#include "algebra/constrained.h"
#include "algebra/derived.h"
#include "algebra/exponents.h"
#include "algebra/scaled.h"
#include "algebra/switching.h"
#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/modular.h"

#include <string.h>

// The table of candidates has an entry a row and parameter, each a derivative; parities are bits of one word, so
// parameters are at most 64. jumps: arguments of functions that jump.
enum { most_params = 40, most_equations = 24, most_fixed = 400, most_jumps = 40 };

typedef struct Lumps {
  System *s;
  ExprPool *pool;
  Arena *arena;
  uint32_t n, rows, count; // equations of coordinates and constraints, all that must stay, parameters
  ExprId *row;             // these equations first
  uint32_t jump_count;
  JumpArgument jump[most_jumps]; // what jumps
  const SystemParam **params;
  SymbolId number; // lambda or epsilon
} Lumps;

static bool occurs(const Lumps *w, SymbolId symbol, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (expr_depends(w->pool, w->row[i], symbol)) return true;
  }
  return false;
}

static void put_row(Lumps *w, ExprId id) {
  if (id && expr_has_kind(w->pool, id, sym_param)) w->row[w->rows++] = id;
}

// Everything that determines the solutions, derived parameters substituted. *equations: how many rows are equations.
static bool gather_rows(Lumps *w, uint32_t *equations) {
  System *s = w->s;
  uint32_t n = s->coord_count;
  w->n = n + s->constraints.count;
  w->row =
      arena_array(w->arena, (size_t)4 * n + s->constraints.count + 2 * (size_t)s->state_count + s->inputs.count + 4,
                  sizeof *w->row);
  if (!w->row) return false;
  for (uint32_t i = 0; i < n; i++) {
    ExprId r = s->h[i];
    for (uint32_t j = 0; j < n; j++)
      r = expr_add(w->pool, r, expr_mul(w->pool, system_mass(s, i, j), expr_sym(w->pool, s->coords.items[j].a)));
    for (uint32_t k = 0; k < s->constraints.count; k++) {
      ExprId slope = constrained_slope(s, k, i);
      if (slope == w->pool->zero) continue;
      r = expr_sub(w->pool, r, expr_mul(w->pool, slope, expr_sym(w->pool, s->constraints.items[k].symbol)));
    }
    if (!r) return false;
    w->row[w->rows++] = r;
  }
  for (uint32_t k = 0; k < s->constraints.count; k++) w->row[w->rows++] = s->constraints.items[k].value;
  for (uint32_t i = 0; i < s->state_count; i++) w->row[w->rows++] = s->f[i];
  *equations = w->rows;
  for (uint32_t i = 0; i < n; i++) {
    put_row(w, s->coords.items[i].q0);
    put_row(w, s->coords.items[i].v0);
    put_row(w, s->speeds[i].start);
  }
  for (uint32_t i = 0; i < s->state_count; i++) put_row(w, s->states.items[i].x0);
  for (uint32_t i = 0; i < s->inputs.count; i++) put_row(w, s->inputs.items[i].value);
  put_row(w, s->simulate.from);
  put_row(w, s->simulate.to);
  put_row(w, s->simulate.step);
  put_row(w, s->simulate.every);
  Derived derived;
  return derived_find(s, &derived) && derived_put(s, &derived, w->row, w->rows, w->row);
}

static bool prepare(Lumps *w) {
  uint32_t equations = 0;
  w->params = arena_array(w->arena, w->s->params.count, sizeof *w->params);
  if (!w->params || !gather_rows(w, &equations) || equations > most_equations || w->rows > most_fixed) return false;
  w->jump_count = switching_find(w->pool, w->arena, w->row, w->rows, kind_set(sym_param), w->jump, most_jumps);
  if (w->jump_count == UINT32_MAX) return false;
  for (uint32_t i = 0; i < w->s->params.count; i++) {
    const SystemParam *p = &w->s->params.items[i];
    if (!p->structural && occurs(w, p->symbol, 0, equations)) w->params[w->count++] = p;
    if (w->count > most_params) return false;
  }
  w->number = pool_symbol(w->pool, "lambda", sym_param, w->s->params.count, 0);
  return w->count >= 1 && w->number;
}

static ExprId derivative(Lumps *w, ExprId row, uint32_t k, bool scale) {
  ExprId d = expr_diff(w->pool, row, w->params[k]->symbol);
  return scale ? expr_mul(w->pool, expr_sym(w->pool, w->params[k]->symbol), d) : d;
}

// Numbers of a candidate: one a parameter; for scalings then one an equation of a coordinate, one an argument of what
// jumps. In the table parameters come last: then each candidate has a parameter with the number 1 that no other one
// has, and together they reach every scaling in whole numbers.
static uint32_t candidates(Lumps *w, bool scale, Rat **out, uint32_t *columns) {
  uint32_t factors = scale ? w->n + w->jump_count : 0, n = w->count + factors, rows = w->rows + w->jump_count;
  *columns = n;
  ExprId *table = arena_array(w->arena, (size_t)rows * n, sizeof *table);
  Rat *number = arena_array(w->arena, n, sizeof *number);
  ExprId *branch = arena_array(w->arena, rows, sizeof *branch);
  ModularRelations r;
  if (!table || !number || !branch || !relations_open(&r, w->arena, n)) return 0;
  for (uint32_t i = 0; i < rows; i++) branch[i] = i < w->rows ? w->row[i] : w->jump[i - w->rows].argument;
  if (!switching_branches(w->pool, w->arena, branch, rows, branch)) return 0;
  for (uint32_t i = 0; i < rows; i++) {
    bool jump = i >= w->rows;
    ExprId row = branch[i];
    for (uint32_t k = 0; k < factors; k++) table[i * n + k] = w->pool->zero;
    for (uint32_t k = 0; k < w->count; k++) table[i * n + factors + k] = derivative(w, row, k, scale);
    uint32_t column = jump ? w->n + (i - w->rows) : i;
    bool factor = jump ? w->jump[i - w->rows].scalable : i < w->n;
    if (scale && factor) table[i * n + column] = expr_neg(w->pool, row);
  }
  for (uint32_t i = 0; i < rows * n; i++) {
    if (!table[i]) return 0;
  }
  uint32_t found =
      relations_sample(&r, w->pool, w->arena, table, rows) ? relations_solve(&r, w->arena, relation_small, out) : 0;
  for (uint32_t i = 0; i < found; i++) {
    Rat *v = *out + (size_t)i * n;
    memcpy(number, v, n * sizeof *v);
    for (uint32_t k = 0; k < n; k++) v[k] = number[k < w->count ? factors + k : k - w->count];
  }
  return found;
}

// ---- proofs

static ExprId power_of_number(Lumps *w, Rat e) {
  return expr_pow(w->pool, expr_sym(w->pool, w->number), expr_num(w->pool, e));
}

// All rows with the changed parameters, for any number: lambda^s times the old ones.
static bool proved_plainly(Lumps *w, const Rat *v, bool scale) {
  ExprPool *pool = w->pool;
  ExprId number = expr_sym(pool, w->number);
  SymbolMap map = symbol_map_new(pool);
  ExprId *changed = arena_array(w->arena, w->rows, sizeof *changed);
  if (!changed) return false;
  for (uint32_t k = 0; k < w->count; k++) {
    if (rat_is_zero(v[k])) continue;
    ExprId p = expr_sym(pool, w->params[k]->symbol);
    symbol_map_set(&map, w->params[k]->symbol,
                   scale ? expr_mul(pool, p, power_of_number(w, v[k]))
                         : expr_add(pool, p, expr_scale(pool, v[k], number)));
  }
  if (!expr_replace(pool, &map, w->row, w->rows, changed)) return false;
  for (uint32_t i = 0; i < w->rows; i++) {
    if (changed[i] == w->row[i] && !(scale && i < w->n)) continue;
    ExprId same = scale && i < w->n ? expr_mul(pool, power_of_number(w, v[w->count + i]), w->row[i]) : w->row[i];
    ExprId difference = expr_sub(pool, changed[i], same);
    if (!difference ||
        (!expr_is_zero(pool, difference) && decide_zero(pool, w->arena, difference).verdict != verdict_equal))
      return false;
  }
  return true;
}

static bool proved_for_positive(Lumps *w, const Rat *v) {
  Scaling scaling = {.pool = w->pool, .arena = w->arena, .number = w->number};
  scaling.logarithm = pool_symbol(w->pool, "ln(lambda)", sym_param, w->s->params.count + 1, 0);
  scaling.symbols = w->pool->symbols.count;
  scaling.weight = arena_array(w->arena, scaling.symbols, sizeof *scaling.weight);
  if (!scaling.logarithm || !scaling.weight) return false;
  for (SymbolId i = 0; i < scaling.symbols; i++) scaling.weight[i] = RAT_ZERO;
  for (uint32_t k = 0; k < w->count; k++) scaling.weight[w->params[k]->symbol] = v[k];
  for (uint32_t i = 0; i < w->rows; i++) {
    if (!scaled_by(&scaling, w->row[i], i < w->n ? v[w->count + i] : RAT_ZERO)) return false;
  }
  return true;
}

static bool all_integers(const Rat *v, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    if (!rat_is_int(v[k])) return false;
  }
  return true;
}

// *signs: only while the parameters keep their signs
static bool proved(Lumps *w, const Rat *v, bool scale, bool *signs) {
  if (!scale) return proved_plainly(w, v, false);
  // a broken power of lambda has a value for lambda > 0 alone
  if (all_integers(v, w->count + w->n) && proved_plainly(w, v, true)) return true;
  if (!proved_for_positive(w, v)) return false;
  *signs = true;
  return true;
}

static bool touches(Lumps *w, const Rat *v) {
  for (uint32_t k = 0; k < w->count; k++) {
    if (!rat_is_zero(v[k])) return true;
  }
  return false;
}

static ExprId combination(Lumps *w, Rat *e, bool scale) {
  exponents_whole(w->arena, e, w->count);
  ExprId out = scale ? w->pool->one : w->pool->zero;
  for (uint32_t k = 0; k < w->count; k++) {
    if (rat_is_zero(e[k])) continue;
    ExprId p = expr_sym(w->pool, w->params[k]->symbol);
    out = scale ? expr_mul(w->pool, out, expr_pow(w->pool, p, expr_num(w->pool, e[k])))
                : expr_add(w->pool, out, expr_scale(w->pool, e[k], p));
  }
  return out;
}

// Rank of whole numbers modulo 2.
static uint32_t rank_of_parities(Lumps *w, uint64_t *rows, uint32_t count) {
  uint32_t rank = 0;
  for (uint32_t k = 0; k < w->count; k++) {
    uint32_t pivot = rank;
    while (pivot < count && !(rows[pivot] >> k & 1)) pivot++;
    if (pivot == count) continue;
    uint64_t swap = rows[pivot];
    rows[pivot] = rows[rank];
    rows[rank] = swap;
    for (uint32_t i = 0; i < count; i++) {
      if (i != rank && rows[i] >> k & 1) rows[i] ^= rows[rank];
    }
    rank++;
  }
  return rank;
}

static uint64_t parities(Lumps *w, const Rat *v) {
  uint64_t bits = 0;
  for (uint32_t k = 0; k < w->count; k++) bits |= (uint64_t)(v[k].num & 1) << k;
  return bits;
}

// Two sets of parameters with the same combinations are joined by scalings if they have the same signs. If not, the
// scalings with negative lambda have to reach all signs that the combinations leave open.
static bool reaches_signs(Lumps *w, Rat *const *scalings, uint32_t count, const Rat *combinations,
                          uint32_t combination_count) {
  uint64_t *rows = arena_array(w->arena, w->count, sizeof *rows);
  if (!rows) return false;
  for (uint32_t i = 0; i < count; i++) rows[i] = parities(w, scalings[i]);
  uint32_t reached = rank_of_parities(w, rows, count);
  for (uint32_t i = 0; i < combination_count; i++) rows[i] = parities(w, combinations + (size_t)i * w->count);
  return reached + rank_of_parities(w, rows, combination_count) == w->count;
}

static void find(Lumps *w, Facts *facts, bool scale) {
  Rat *vectors, *free_numbers;
  uint32_t columns, found = w->count ? candidates(w, scale, &vectors, &columns) : 0, kept = 0;
  Rat **good = arena_array(w->arena, found, sizeof *good);
  bool *touched = arena_array(w->arena, w->count, sizeof *touched);
  if (!found || !good || !touched) return;
  FactLump lump = {0};
  for (uint32_t i = 0; i < found; i++) {
    Rat *v = vectors + (size_t)i * columns;
    if (!touches(w, v)) continue;
    exponents_primitive(w->arena, v, w->count, columns);
    bool signs = false;
    if (!proved(w, v, scale, &signs)) continue;
    lump.signs = lump.signs || signs;
    good[kept++] = v;
  }
  if (!kept) return;
  for (uint32_t k = 0; k < w->count; k++) {
    for (uint32_t i = 0; i < kept; i++) touched[k] = touched[k] || !rat_is_zero(good[i][k]);
    if (touched[k]) vec_push(w->arena, &lump.names, w->params[k]->name);
  }
  uint32_t count = exponents_complement(w->arena, good, kept, w->count, &free_numbers);
  if (count != w->count - kept) return; // one was no small fraction
  if (scale) exponents_shorten(w->arena, free_numbers, count, w->count);
  lump.signs = scale && (lump.signs || !reaches_signs(w, good, kept, free_numbers, count));
  for (uint32_t i = 0; i < count; i++) {
    Rat *e = free_numbers + (size_t)i * w->count;
    bool inside = false;
    for (uint32_t k = 0; k < w->count; k++) inside = inside || (touched[k] && !rat_is_zero(e[k]));
    if (inside) vec_push(w->arena, &lump.by, combination(w, e, scale));
  }
  vec_push(w->arena, &facts->lumps, lump);
}

// Parameters that may have any value: they leave the list.
static FactLump take_idle(Lumps *w) {
  FactLump idle = {0};
  uint32_t all = w->count, kept = 0;
  Rat *v = arena_array(w->arena, all, sizeof *v);
  bool *nothing = arena_array(w->arena, all, sizeof *nothing);
  if (!v || !nothing) return idle;
  for (uint32_t k = 0; k < all; k++) {
    for (uint32_t i = 0; i < all; i++) v[i] = i == k ? RAT_ONE : RAT_ZERO;
    nothing[k] = proved_plainly(w, v, false);
  }
  for (uint32_t k = 0; k < all; k++) {
    if (nothing[k]) vec_push(w->arena, &idle.names, w->params[k]->name);
    else w->params[kept++] = w->params[k];
  }
  w->count = kept;
  return idle;
}

void facts_lumps(System *s, Facts *facts) {
  Lumps lumps = {.s = s, .pool = s->pool, .arena = s->arena}, *w = &lumps;
  // unknowns, events and memory blocks follow from the parameters, too
  if (s->implicit.count || s->whens.count || s->memories.count || s->delays.count || s->frictions.count) return;
  for (uint32_t i = 0; i < s->energies.count; i++) {
    if (facts_energy_jumps(s, &s->energies.items[i])) return; // and so do impulses, which no equation has
  }
  if (!prepare(w)) return;
  FactLump idle = take_idle(w);
  find(w, facts, true);
  find(w, facts, false);
  if (idle.names.count) vec_push(w->arena, &facts->lumps, idle);
}
