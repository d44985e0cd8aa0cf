// Symbolic linearization: exact derivatives in topological order of the definitions. See exact_linear.h.
//
// in    M a + h = 0, x' = f, definitions, in their order; the point, of parameters
// out   d(v, a, f, outputs)/d(q, v, x, w) at the point, of parameters
//
// Every quantity has its value at the point and its rate in each direction y_c, both expressions of parameters. A block
// of unknowns a gives   M a = -h,   M da_c = -(dh_c + dM_c a),   solved by the adjugate in the ring of the normal form:
// no division before the end, one gcd an entry for printing.
#include "linear/exact_linear.h"

#include "algebra/solved.h"
#include "algebra/style.h"
#include "expr/calculus.h"
#include "expr/decide.h"

#include <string.h>

enum {
  most_size = 8,    // of a block
  most_named = 2,   // of one that moves, with names for numbers
  most_nodes = 1500 // of an entry or an acceleration, written out: two pages; beyond, numbers say more
};
static const char too_long[] = "written out, an entry would fill pages";

static const char singular_here[] = "the mass matrix is singular at this point";
static const char not_rational[] = "a value is not rational";

typedef VEC(uint32_t) DirectionList;

typedef struct ExactWork {
  Operating *o;
  ExprPool *pool;
  ExactMode mode;
  SymbolMap value; // at the point
  SymbolMap *rate; // in each direction
  // directions in which a symbol has a rate, by symbol: the others are not gone through
  DirectionList *moves;
  uint32_t symbol_count;
  DirectionList active; // those of some roots
  bool *marked;         // by direction
  bool still;
  bool named; // a value of the point has its symbol instead of its number
  ExactLinear *out;
} ExactWork;

// A number, a symbol, or a product of such: as short as it can be.
static bool is_plain(const ExprPool *pool, ExprId id) {
  ExprOp op = expr_op(pool, id);
  if (op == op_num || op == op_sym || op == op_pi) return true;
  if (op != op_mul) return false;
  for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
    Factor f = expr_factor(pool, id, i);
    ExprOp base = expr_op(pool, f.base);
    if ((base != op_sym && base != op_pi) || expr_op(pool, f.exponent) != op_num) return false;
  }
  return true;
}

// For reading, and so that what is zero is seen to be. Numbers are as they are.
static ExprId tidy(ExactWork *w, ExprId id) {
  if (w->mode == exact_numbers) return id;
  if (w->o->interrupted && w->o->interrupted(w->o->self)) return id; // nobody reads it any more
  return !id || is_plain(w->pool, id) ? id : expr_short(w->pool, w->o->arena, id);
}

// Nobody reads it, and the ring would take its time: multiples of angles are powers there.
static bool is_long(ExactWork *w, ExprId id) {
  if (w->mode == exact_numbers || !id || is_plain(w->pool, id) ||
      expr_tree_size(w->pool, w->o->arena, id) <= most_nodes)
    return false;
  w->out->why = too_long;
  return true;
}

// A fraction with its sign in front again: an entry stands alone.
static ExprId plain_product(ExprPool *pool, ExprId id) {
  if (!id || expr_op(pool, id) != op_mul) return id;
  uint32_t n = expr_factor_count(pool, id);
  Factor *f = arena_array(pool->arena, n, sizeof *f);
  for (uint32_t i = 0; f && i < n; i++) f[i] = expr_factor(pool, id, i);
  return f ? expr_product(pool, expr_coef(pool, id), f, n) : 0;
}

static bool at_point(ExactWork *w, const ExprId *roots, uint32_t count, ExprId *out) {
  return expr_replace(w->pool, &w->value, roots, count, out);
}

// Direction c of some roots, at the point.
static bool directional(ExactWork *w, uint32_t c, const ExprId *roots, uint32_t count, ExprId *out) {
  return expr_derive(w->pool, &w->rate[c], roots, count, out, NULL) && at_point(w, out, count, out);
}

static bool set_rate(ExactWork *w, uint32_t c, SymbolId symbol, ExprId rate) {
  symbol_map_set(&w->rate[c], symbol, rate);
  return symbol < w->symbol_count && vec_push(w->o->arena, &w->moves[symbol], c);
}

// The directions in which one of the roots may have a rate, in their order, into w->active.
static bool find_active(ExactWork *w, const ExprId *roots, uint32_t count) {
  uint32_t length = 0;
  const ExprId *list = count ? pool_reach(w->pool, roots, count, NULL, NULL, &length) : NULL;
  if (count && !list) return false;
  for (uint32_t i = 0; i < length; i++) {
    const ExprNode *node = pool_node(w->pool, list[i]);
    if (node->op != op_sym || node->first >= w->symbol_count) continue;
    const DirectionList *moves = &w->moves[node->first];
    for (uint32_t k = 0; k < moves->count; k++) w->marked[moves->items[k]] = true;
  }
  w->active.count = 0;
  for (uint32_t c = 0; c < w->o->dim; c++) {
    if (w->marked[c] && !vec_push(w->o->arena, &w->active, c)) return false;
    w->marked[c] = false;
  }
  return true;
}

static bool define(ExactWork *w, const Definition *d) {
  ExprId value, rate;
  if (!at_point(w, &d->value, 1, &value) || !find_active(w, &d->value, 1)) return false;
  for (uint32_t k = 0; k < w->active.count; k++) {
    uint32_t c = w->active.items[k];
    if (!directional(w, c, &d->value, 1, &rate)) return false;
    if (is_long(w, rate)) return true;
    rate = tidy(w, rate);
    if (!rate) return false;
    if (!expr_is_zero(w->pool, rate) && !set_rate(w, c, d->symbol, rate)) return false;
  }
  if (is_long(w, value)) return true;
  value = tidy(w, value);
  symbol_map_set(&w->value, d->symbol, value);
  return value != 0;
}

// ---- blocks

static Poly *cofactor(Normal *n, Poly *const *a, uint32_t k, uint32_t width, uint32_t row, uint32_t col) {
  Poly **minor = arena_array(n->arena, (size_t)k * k, sizeof *minor);
  uint32_t at = 0;
  if (!minor) return NULL;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) {
      if (i != row && j != col) minor[at++] = a[(size_t)i * width + j];
    }
  }
  return normal_determinant(n, minor, k - 1);
}

// The sum over l of (-1)^(l + sign) a_l b_l; the distance from one to the next is given.
static Poly *product_sum(Normal *n, Poly *const *a, uint32_t a_step, Poly *const *b, uint32_t b_step, uint32_t k,
                         uint32_t sign) {
  Poly *sum = n->api->poly_new(n->ring);
  for (uint32_t l = 0; l < k && sum; l++) {
    Poly *term = normal_mul(n, a[(size_t)l * a_step], b[(size_t)l * b_step]);
    if (!term) return NULL;
    if ((l + sign) % 2) n->api->sub(n->ring, sum, sum, term);
    else n->api->add(n->ring, sum, sum, term);
  }
  return sum;
}

// The same in rational numbers, by elimination.
static bool solve_numbers(ExactWork *w, uint32_t k, const ExprId *M, uint32_t sides, const ExprId *R, ExprId *X,
                          const char **why) {
  Arena *arena = w->o->arena;
  uint32_t width = k + sides;
  Rat *a = arena_array(arena, (size_t)k * width, sizeof *a);
  if (!a) return false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < width; j++) {
      Rat *r = &a[i * width + j];
      if (!expr_number(w->pool, j < k ? M[i * k + j] : R[i * sides + j - k], r)) *why = not_rational;
      else if (j >= k) *r = rat_neg(arena, *r);
    }
  }
  for (uint32_t c = 0; c < k && !*why; c++) {
    uint32_t best = c;
    while (best < k && rat_is_zero(a[best * width + c])) best++;
    if (best == k) *why = singular_here;
    for (uint32_t j = 0; j < width && !*why; j++) {
      Rat swap = a[best * width + j];
      a[best * width + j] = a[c * width + j];
      a[c * width + j] = swap;
    }
    for (uint32_t i = 0; i < k && !*why; i++) {
      if (i == c || rat_is_zero(a[i * width + c])) continue;
      Rat f = rat_neg(arena, rat_div(arena, a[i * width + c], a[c * width + c]));
      for (uint32_t j = c; j < width; j++)
        a[i * width + j] = rat_add(arena, a[i * width + j], rat_mul(arena, f, a[c * width + j]));
    }
  }
  for (uint32_t i = 0; i < k && !*why; i++) {
    for (uint32_t c = 0; c < sides && !*why; c++) {
      Rat r = rat_div(arena, a[i * width + k + c], a[i * width + i]);
      if (!rat_valid(r)) *why = "the numbers have too many digits";
      else X[i * sides + c] = expr_num(w->pool, r);
    }
  }
  return !arena_failed(arena);
}

// X with M X = -R: k rows of `sides` columns. False: out of memory; *why: it failed.
static bool solve_sides(ExactWork *w, uint32_t k, const ExprId *M, uint32_t sides, const ExprId *R, ExprId *X,
                        const char **why) {
  ExprPool *pool = w->pool;
  Arena *arena = w->o->arena;
  uint32_t width = k + sides;
  if (w->mode == exact_numbers) return solve_numbers(w, k, M, sides, R, X, why);
  // a single unknown needs no ring, and keeps its functions as they were written
  if (k == 1 && !expr_is_zero(pool, tidy(w, M[0]))) {
    for (uint32_t c = 0; c < sides; c++)
      X[c] = plain_product(pool, tidy(w, expr_neg(pool, expr_div(pool, R[c], M[0]))));
    return !arena_failed(arena);
  }
  ExprId *roots = arena_array(arena, (size_t)k * width, sizeof *roots);
  Frac *f = arena_array(arena, (size_t)k * width, sizeof *f);
  Poly **rows = arena_array(arena, (size_t)k * width, sizeof *rows),
       **adj = arena_array(arena, (size_t)k * k, sizeof *adj);
  if (!roots || !f || !rows || !adj) return false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) roots[i * width + j] = M[i * k + j];
    for (uint32_t c = 0; c < sides; c++) roots[i * width + k + c] = expr_neg(pool, R[i * sides + c]);
  }
  Normal normal = {0}, *n = &normal;
  bool ok = normal_open(n, pool, arena, roots, k * width) && fracs_of(n, roots, k * width, f);
  for (uint32_t i = 0; i < k && ok; i++) ok = normal_clear(n, f + (size_t)i * width, width, rows + (size_t)i * width);
  // adj_ji is the minor without row i and column j; its sign comes with the sums
  Poly *det = NULL;
  for (uint32_t i = 0; i < k && ok; i++) {
    for (uint32_t j = 0; j < k && ok; j++) {
      adj[j * k + i] = k == 1 ? NULL : cofactor(n, rows, k, width, i, j);
      ok = k == 1 || adj[j * k + i];
    }
  }
  if (ok && k == 1) det = rows[0];
  else if (ok) ok = (det = product_sum(n, rows, width, adj, 1, k, 0)) != NULL;
  if (ok && n->api->length(n->ring, det) == 0) {
    *why = singular_here;
    ok = false;
  }
  const DeriveStyle style = {0};
  for (uint32_t c = 0; c < sides && ok; c++) {
    for (uint32_t i = 0; i < k && ok && !*why; i++) {
      // X_ic = sum over l of (-1)^(i+l) adj_il R_lc / det
      Poly *r = rows[k + c], *sum = k == 1 ? r : product_sum(n, rows + k + c, width, adj + (size_t)i * k, 1, k, i);
      ok = sum != NULL;
      X[i * sides + c] = ok ? plain_product(pool, solved_fraction(n, sum, det, &style, &w->out->note)) : 0;
      ok = ok && X[i * sides + c];
    }
  }
  if (!ok && !*why) *why = n->why ? n->why : "out of memory";
  normal_close(n);
  return !arena_failed(arena);
}

// Accelerations are zero at rest, forces of constraints are not: by their names where positions are, too.
static bool multipliers_at_rest(ExactWork *w, const Block *b, const ExprId *M, const ExprId *h, ExprId *a) {
  uint32_t coords = block_coords(b);
  bool names = w->named && w->mode == exact_symbols;
  if (!names && !solve_sides(w, b->count, M, 1, h, a, &w->out->why)) return false;
  for (uint32_t i = 0; i < b->count; i++) {
    if (i < coords || !a[i]) a[i] = w->pool->zero;
    else if (names) a[i] = expr_sym(w->pool, b->unknowns[i]);
  }
  return true;
}

// Values of the unknowns: M a = -h.
static bool block_values(ExactWork *w, const Block *b, const ExprId *M, ExprId *h, ExprId *a) {
  ExprPool *pool = w->pool;
  bool zero = true;
  for (uint32_t i = 0; i < b->count; i++) {
    h[i] = tidy(w, h[i]);
    zero = zero && h[i] && expr_is_zero(pool, h[i]);
  }
  for (uint32_t i = 0; i < b->count; i++) a[i] = pool->zero;
  if (zero) return true;
  if (w->still && b->multipliers) return multipliers_at_rest(w, b, M, h, a);
  if (w->still && !b->velocities && !b->implicit) return true;
  if (w->still && !b->implicit) {
    // a velocity that is known in numbers only: 0, unless its coordinate may move
    for (uint32_t i = 0; i < b->count; i++) {
      bool coord = i < block_coords(b) && b->coords[i] < w->o->s.coord_count;
      if (coord && operating_cyclic(w->o, system_place(&w->o->s, w->o->s.coords.items[b->coords[i]].q)))
        a[i] = expr_sym(pool, b->unknowns[i]);
    }
    return true;
  }
  return solve_sides(w, b->count, M, 1, h, a, &w->out->why);
}

// Right-hand sides without their unknowns.
static bool without_unknowns(ExactWork *w, const Block *b, ExprId *rhs) {
  SymbolMap map = symbol_map_new(w->pool);
  for (uint32_t i = 0; map.of && i < b->count; i++) symbol_map_set(&map, b->unknowns[i], w->pool->zero);
  return map.of && expr_replace(w->pool, &map, b->rhs, b->count, rhs);
}

// Why a block is not solved exactly; NULL: it is.
static const char *why_not(ExactWork *w, const Block *b) {
  uint32_t k = b->count;
  bool symbols = w->mode == exact_symbols;
  if (k > most_size && symbols)
    return arena_printf(w->o->arena, "%u accelerations are coupled: written out, an entry would fill pages", k);
  if (b->implicit && !block_is_linear(w->pool, b))
    return "equations that are not linear in what they determine are solved in numbers";
  if (k > most_named && !w->still && w->named && symbols)
    return arena_printf(
        w->o->arena,
        "%u accelerations are coupled, and the point is given in numbers: written out, an entry would fill pages", k);
  return NULL;
}

// What is known of a block at the point, with room for its directions.
typedef struct SolvedBlock {
  const Block *b;
  ExprId *roots;           // matrix, then right-hand sides
  ExprId *M, *a;           // their values, and those of the unknowns
  ExprId *R;               // right-hand sides of the directions that have an effect, one direction after another
  uint32_t *column, sides; // these directions
} SolvedBlock;

// Right-hand sides -(dh_c + dM_c a) of all directions c. *full: false where an expression is too long.
// False: out of memory.
static bool find_sides(ExactWork *w, SolvedBlock *x, bool *full) {
  const Block *b = x->b;
  ExprPool *pool = w->pool;
  uint32_t k = b->count, total = k * k + k;
  ExprId *d = arena_array(w->o->arena, total, sizeof *d);
  Term *terms = arena_array(w->o->arena, (size_t)k + 1, sizeof *terms);
  if (!d || !terms || !find_active(w, x->roots, total)) return false;
  *full = false;
  for (uint32_t n = 0; n < w->active.count; n++) {
    uint32_t c = w->active.items[n];
    bool any = false;
    if (!directional(w, c, x->roots, total, d)) return false;
    for (uint32_t i = 0; i < k; i++) {
      uint32_t count = 0;
      terms[count++] = (Term){RAT_ONE, d[k * k + i]};
      for (uint32_t j = 0; j < k; j++) {
        if (!b->implicit && !expr_is_zero(pool, x->a[j]))
          terms[count++] = (Term){RAT_ONE, expr_mul(pool, d[i * k + j], x->a[j])};
      }
      ExprId r = expr_sum(pool, terms, count);
      if (is_long(w, r)) return true;
      r = tidy(w, r);
      if (!r) return false;
      x->R[(size_t)x->sides * k + i] = r;
      any = any || !expr_is_zero(pool, r);
    }
    if (any) x->column[x->sides++] = c;
  }
  *full = true;
  return true;
}

// Rates of the unknowns in the directions that have an effect.
static bool solve_directions(ExactWork *w, SolvedBlock *x) {
  const Block *b = x->b;
  uint32_t k = b->count, sides = x->sides;
  ExprId *side = arena_array(w->o->arena, (size_t)k * sides, sizeof *side),
         *X = arena_array(w->o->arena, (size_t)k * sides, sizeof *X);
  if (!side || !X) return false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t c = 0; c < sides; c++) side[i * sides + c] = x->R[(size_t)c * k + i];
  }
  if (!solve_sides(w, k, x->M, sides, side, X, &w->out->why)) return false;
  if (w->out->why) return true;
  for (uint32_t c = 0; c < sides; c++) {
    for (uint32_t i = 0; i < k; i++) {
      ExprId rate = X[i * sides + c];
      if (!expr_is_zero(w->pool, rate) && !set_rate(w, x->column[c], b->unknowns[i], rate)) return false;
    }
  }
  return true;
}

static bool solve_step(ExactWork *w, const Block *b) {
  Arena *arena = w->o->arena;
  uint32_t k = b->count, total = k * k + k, dim = w->o->dim;
  if ((w->out->why = why_not(w, b))) return true;
  SolvedBlock block = {.b = b}, *x = &block;
  x->roots = arena_array(arena, total, sizeof *x->roots);
  const ExprId *m = block_dense(arena, w->pool, b);
  x->M = arena_array(arena, total, sizeof *x->M);
  x->a = arena_array(arena, k, sizeof *x->a);
  x->R = arena_array(arena, (size_t)k * dim, sizeof *x->R);
  x->column = arena_array(arena, dim, sizeof *x->column);
  if (!m || !x->roots || !x->M || !x->a || !x->R || !x->column) return false;
  // the unknowns themselves
  ExprId *rhs = x->roots + (size_t)k * k, *h = x->M + (size_t)k * k;
  memcpy(x->roots, m, (size_t)k * k * sizeof *x->roots);
  memcpy(rhs, b->rhs, k * sizeof *rhs);
  if (b->implicit && !without_unknowns(w, b, rhs)) return false;
  if (!at_point(w, x->roots, total, x->M) || !block_values(w, b, x->M, h, x->a)) return false;
  if (w->out->why == singular_here && b->multipliers)
    w->out->why = "constraints are redundant here, so their multipliers are not unique";
  for (uint32_t i = 0; i < k && !w->out->why; i++) is_long(w, x->a[i]);
  if (w->out->why) return true;
  for (uint32_t i = 0; i < k; i++) symbol_map_set(&w->value, b->unknowns[i], x->a[i]);
  // their rates
  memcpy(rhs, b->rhs, k * sizeof *rhs);
  bool full;
  if (!find_sides(w, x, &full)) return false;
  return !full || x->sides == 0 || solve_directions(w, x);
}

// ---- the whole

static ExprId value_of_symbol(const ExactWork *w, SymbolId symbol) {
  ExprId v = symbol_map_get(&w->value, symbol);
  return v ? v : expr_sym(w->pool, symbol);
}

// Expression i behind the rates: an output, a guard or its rate, or an invariant.
static ExprId further(const Operating *o, uint32_t i) {
  if (i < o->output_count) return o->outputs[i];
  if (i + o->dim >= operating_invariant_row(o, 0))
    return o->s.invariants.items[i + o->dim - operating_invariant_row(o, 0)].value;
  const PointElement *e = &o->events.elements.items[(i - o->output_count) / 2];
  const SwitchMode *m = &o->events.h->plan->modes[e->mode];
  return (i - o->output_count) % 2 ? m->rate : m->g;
}

static uint32_t further_count(const Operating *o) { return operating_rows(o) - o->dim; }

// The value of an expression and its rate in each direction.
static bool row_of(ExactWork *w, ExprId root, ExprId *value, ExprId *rates) {
  if (expr_op(w->pool, root) == op_sym) { // computed already
    SymbolId symbol = pool_node(w->pool, root)->first;
    *value = value_of_symbol(w, symbol);
    for (uint32_t c = 0; c < w->o->dim; c++) rates[c] = w->pool->zero;
    for (uint32_t k = 0; symbol < w->symbol_count && k < w->moves[symbol].count; k++) {
      uint32_t c = w->moves[symbol].items[k];
      rates[c] = symbol_map_get(&w->rate[c], symbol);
    }
    return true;
  }
  if (!at_point(w, &root, 1, value) || !find_active(w, &root, 1)) return false;
  for (uint32_t c = 0; c < w->o->dim; c++) rates[c] = w->pool->zero;
  for (uint32_t k = 0; k < w->active.count; k++) {
    if (!directional(w, w->active.items[k], &root, 1, &rates[w->active.items[k]])) return false;
  }
  return true;
}

static bool tidy_row_of(ExactWork *w, ExprId root, ExprId *value, ExprId *rates) {
  if (!row_of(w, root, value, rates)) return false;
  *value = tidy(w, *value);
  for (uint32_t c = 0; c < w->o->dim; c++) rates[c] = tidy(w, rates[c]);
  return true;
}

static bool gather(ExactWork *w) {
  Operating *o = w->o;
  ExactLinear *out = w->out;
  uint32_t dim = o->dim;
  for (uint32_t i = 0; i < dim; i++) {
    ExprId *row = out->jacobian + (size_t)i * dim, root = operating_component(o, i)->rate;
    out->rates[i] = w->pool->zero;
    for (uint32_t c = 0; c < dim; c++) row[c] = w->pool->zero;
    if (o->role[i] != role_motion) continue;
    // what was computed is tidy already
    bool symbol = expr_op(w->pool, root) == op_sym;
    if (!(symbol ? row_of : tidy_row_of)(w, root, &out->rates[i], row)) return false;
  }
  for (uint32_t i = 0; i < further_count(o); i++) {
    if (!tidy_row_of(w, further(o, i), &out->outputs[i], out->jacobian + ((size_t)dim + i) * dim)) return false;
  }
  for (uint32_t i = 0; i < o->free + o->sampled; i++) out->inputs[i] = value_of_symbol(w, o->inputs[i]);
  return !arena_failed(o->arena);
}

// Values of the parameters for their symbols.
static bool put_parameters(ExactWork *w) {
  const System *m = &w->o->s;
  uint32_t count = m->params.count;
  ExprId *values = arena_array(w->o->arena, (size_t)count + 1, sizeof *values);
  for (uint32_t i = 0; values && i < count; i++) values[i] = expr_sym(w->pool, m->params.items[i].symbol);
  if (!values || !style_with_values(&w->o->s, values, count)) return false;
  for (uint32_t i = 0; i < count; i++) symbol_map_set(&w->value, m->params.items[i].symbol, values[i]);
  return true;
}

// The point, in the same values.
static bool put_point(ExactWork *w) {
  Operating *o = w->o;
  ExprId time = o->time;
  if (w->mode == exact_numbers && (!put_parameters(w) || !at_point(w, &time, 1, &time))) return false;
  symbol_map_set(&w->value, o->s.time, time);
  for (uint32_t i = 0; i < o->dim; i++) {
    if (!o->symbols[i]) continue;
    ExprId value = o->point[i];
    if (value == expr_sym(w->pool, o->symbols[i])) {
      w->named = w->named || o->role[i] <= role_input;
      continue;
    }
    if (w->mode == exact_numbers && !style_with_values(&o->s, &value, 1)) return false;
    symbol_map_set(&w->value, o->symbols[i], value);
  }
  return true;
}

// Once along the steps of the system.
static bool sweep(Operating *o, ExactMode mode, bool still, ExactLinear *out) {
  ExprPool *pool = o->s.pool;
  uint32_t dim = o->dim;
  *out = (ExactLinear){.columns = dim};
  ExactWork work = {.o = o, .pool = pool, .mode = mode, .still = still, .out = out}, *w = &work;
  out->rates = arena_array(o->arena, dim, sizeof *out->rates);
  out->outputs = arena_array(o->arena, further_count(o), sizeof *out->outputs);
  out->inputs = arena_array(o->arena, (size_t)o->free + o->sampled, sizeof *out->inputs);
  out->jacobian = arena_array(o->arena, ((size_t)dim + further_count(o)) * dim, sizeof *out->jacobian);
  w->rate = arena_array(o->arena, dim, sizeof *w->rate);
  w->symbol_count = pool->symbols.count;
  w->moves = arena_array(o->arena, w->symbol_count, sizeof *w->moves);
  w->marked = arena_array(o->arena, dim, sizeof *w->marked);
  if (!w->rate || !w->moves || !w->marked) return false;
  w->value = symbol_map_new(pool);
  if (!out->rates || !out->outputs || !out->inputs || !out->jacobian || !w->value.of || !put_point(w)) return false;
  for (uint32_t i = 0; i < dim; i++) {
    w->rate[i] = symbol_map_new(pool);
    if (!w->rate[i].of) return false;
    // memories and branches keep their values, what sticks follows
    if (o->symbols[i] && o->role[i] <= role_input && !set_rate(w, i, o->symbols[i], pool->one)) return false;
  }
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    uint32_t at = events_column(o, &o->events.elements.items[k]);
    if (events_holds(o, &o->events.elements.items[k]) && !set_rate(w, at, o->symbols[at], pool->one)) return false;
  }
  for (uint32_t k = 0; k < o->s.steps.count && !out->why; k++) {
    uint32_t index = o->s.steps.items[k].index;
    SystemStepKind kind = o->s.steps.items[k].kind;
    if (kind == step_call) {
      out->why = "a part of it is computed without expressions";
      break;
    }
    bool ok = kind == step_solve ? solve_step(w, &o->s.blocks.items[index]) : define(w, &o->s.definitions.items[index]);
    if (!ok && (arena_failed(o->arena) || !pool->limit)) return false;
    if (!ok) out->why = "the expressions grow too large";
    if (!out->why && o->interrupted && o->interrupted(o->self)) out->why = "it was interrupted";
  }
  if (out->why) return true;
  if (!gather(w)) return false;
  if (pool->limit) out->why = "the expressions grow too large";
  return true;
}

bool exact_eliminate(Operating *o, ExactMode mode, ExactLinear *x, uint32_t pivot, uint32_t c) {
  ExactWork work = {.o = o, .pool = o->s.pool, .mode = mode}, *w = &work;
  uint32_t rows = o->dim + further_count(o), dim = o->dim;
  ExprId *by = x->jacobian + (size_t)pivot * dim, over = by[c];
  for (uint32_t i = 0; i < rows; i++) {
    ExprId *row = x->jacobian + (size_t)i * dim;
    if (row == by || expr_is_zero(w->pool, row[c])) continue;
    ExprId f = tidy(w, expr_div(w->pool, row[c], over));
    for (uint32_t j = 0; j < dim; j++) {
      if (j != c && !expr_is_zero(w->pool, by[j]))
        row[j] = tidy(w, expr_sub(w->pool, row[j], expr_mul(w->pool, f, by[j])));
    }
    row[c] = w->pool->zero;
  }
  for (uint32_t j = 0; j < dim; j++) by[j] = w->pool->zero;
  return !arena_failed(o->arena);
}

// ---- elements that stick

static uint32_t held_row(const Operating *o, const PointElement *e) {
  return operating_element_row(o, (uint32_t)(e - o->events.elements.items)) + 1;
}

// Their values by their equations, which are linear: r + sum of dr/dz z = 0, one after the other.
static bool find_values(Operating *o, ExactMode mode, const ExactLinear *x, bool *any) {
  ExactWork work = {.o = o, .pool = o->s.pool, .mode = mode}, *w = &work;
  uint32_t count = o->events.elements.count, m = 0;
  const PointElement **held = arena_array(o->arena, count, sizeof *held);
  ExprId *a = arena_array(o->arena, (size_t)count * (count + 1), sizeof *a);
  *any = false;
  if (!held || !a) return false;
  for (uint32_t k = 0; k < count; k++) {
    if (events_holds(o, &o->events.elements.items[k])) held[m++] = &o->events.elements.items[k];
  }
  uint32_t width = m + 1;
  for (uint32_t i = 0; i < m; i++) {
    uint32_t row = held_row(o, held[i]);
    for (uint32_t j = 0; j < m; j++) a[i * width + j] = x->jacobian[(size_t)row * o->dim + events_column(o, held[j])];
    a[i * width + m] = expr_neg(w->pool, x->outputs[row - o->dim]);
  }
  uint32_t *row_of = arena_array(o->arena, count, sizeof *row_of);
  bool *used = arena_array(o->arena, count, sizeof *used);
  if (!row_of || !used) return false;
  for (uint32_t c = 0; c < m; c++) {
    uint32_t best = 0;
    while (best < m && (used[best] || expr_is_zero(w->pool, a[best * width + c]))) best++;
    row_of[c] = best;
    if (best == m) continue;
    used[best] = true;
    for (uint32_t i = 0; i < m; i++) {
      if (i == best || expr_is_zero(w->pool, a[i * width + c])) continue;
      ExprId f = tidy(w, expr_div(w->pool, a[i * width + c], a[best * width + c]));
      for (uint32_t j = 0; j < width; j++)
        a[i * width + j] = tidy(w, expr_sub(w->pool, a[i * width + j], expr_mul(w->pool, f, a[best * width + j])));
    }
  }
  for (uint32_t c = 0; c < m; c++) {
    ExprId value =
        row_of[c] == m ? w->pool->zero : tidy(w, expr_div(w->pool, a[row_of[c] * width + m], a[row_of[c] * width + c]));
    if (!value) return false;
    o->point[events_column(o, held[c])] = value;
    *any = *any || !expr_is_zero(w->pool, value);
  }
  return true;
}

bool exact_linear(Operating *o, ExactMode mode, bool still, ExactLinear *out) {
  bool again = false;
  uint32_t count = o->events.elements.count;
  // at a rest that is known in numbers only, what sticks is, too
  for (uint32_t k = 0; k < count; k++) {
    const PointElement *e = &o->events.elements.items[k];
    uint32_t at = events_column(o, e);
    if (events_holds(o, e)) o->point[at] = still ? expr_sym(o->s.pool, o->symbols[at]) : o->s.pool->zero;
  }
  if (!sweep(o, mode, still, out)) return false;
  if (out->why || !events_any_sticks(o)) return true;
  if (!still && !find_values(o, mode, out, &again)) return false;
  if (again && !sweep(o, mode, still, out)) return false;
  for (uint32_t k = 0; k < count && !out->why; k++) {
    const PointElement *e = &o->events.elements.items[k];
    uint32_t row = held_row(o, e), c = events_column(o, e);
    if (!events_holds(o, e) || expr_is_zero(o->s.pool, out->jacobian[(size_t)row * o->dim + c]))
      continue; // by another one
    if (!exact_eliminate(o, mode, out, row, c)) return false;
  }
  return true;
}
