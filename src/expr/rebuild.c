// Rebuilding of a node over other parts: the one function that takes sums, products and functions apart and puts them
// together.
//
// in    a node, and a function that says what stands in the place of each part
// out   c1*t1' + c2*t2' + ...          of a sum
//       c * b1'^e1' * b2'^e2' ...      of a product
//       f(a1', a2', ...)               of a function, by its rules or raw (ops.def)
//
// A pass over a graph calls it node by node, children first (pool_reach), and looks the parts up in what it found so
// far.
#include "expr/rebuild.h"

#include "expr/ops.h"

enum {
  most_args = 4,  // of an integral and an inverse
  most_local = 16 // terms or factors without scratch memory: most nodes have fewer
};

ExprId expr_make(ExprPool *pool, ExprOp op, const ExprId *args, uint32_t count) {
  return expr_op_is_raw(op) ? expr_raw(pool, op, args, count) : expr_fn(pool, op, args, count);
}

static ExprId rebuild_sum(const Rebuild *r, ExprId id) {
  uint32_t n = expr_term_count(r->from, id);
  Term local[most_local], *terms = n <= most_local ? local : arena_array(r->to->scratch, n, sizeof *terms);
  bool changed = r->always;
  if (!terms) return 0;
  for (uint32_t i = 0; i < n; i++) {
    Term t = expr_term(r->from, id, i);
    terms[i] = (Term){t.coef, r->child(r->self, id, 2 * i + 1, t.term)};
    if (!terms[i].term) return 0;
    changed = changed || terms[i].term != t.term;
  }
  if (!changed) return id;
  return r->flat ? expr_sum(r->to, terms, n) : expr_sum_like(r->to, id, terms, n);
}

static ExprId rebuild_product(const Rebuild *r, ExprId id) {
  uint32_t n = expr_factor_count(r->from, id);
  Factor local[most_local], *factors = n <= most_local ? local : arena_array(r->to->scratch, n, sizeof *factors);
  bool changed = r->always;
  if (!factors) return 0;
  for (uint32_t i = 0; i < n; i++) {
    Factor f = expr_factor(r->from, id, i);
    ExprId base = r->child(r->self, id, 2 * i + 1, f.base);
    factors[i] = (Factor){base, r->child(r->self, id, 2 * i + 2, f.exponent)};
    if (!factors[i].base || !factors[i].exponent) return 0;
    changed = changed || factors[i].base != f.base || factors[i].exponent != f.exponent;
  }
  return changed ? expr_product(r->to, expr_coef(r->from, id), factors, n) : id;
}

static ExprId rebuild_function(const Rebuild *r, ExprId id) {
  ExprId args[most_args];
  uint32_t n = pool_node(r->from, id)->count;
  bool changed = r->always;
  for (uint32_t i = 0; i < n && i < most_args; i++) {
    ExprId part = pool_args(r->from, id)[i];
    args[i] = r->child(r->self, id, i, part);
    if (!args[i]) return 0;
    changed = changed || args[i] != part;
  }
  return changed ? expr_make(r->to, expr_op(r->from, id), args, n) : id;
}

ExprId rebuild_node(const Rebuild *r, ExprId id) {
  ArenaMark mark = arena_mark(r->to->scratch);
  ExprOp op = expr_op(r->from, id);
  ExprId out = op == op_add ? rebuild_sum(r, id) : op == op_mul ? rebuild_product(r, id) : rebuild_function(r, id);
  arena_release(r->to->scratch, mark);
  return out;
}

static bool is_leaf(const ExprPool *pool, ExprId id) { return pool_node(pool, id)->count == 0; }

ExprId expr_rebuild(ExprPool *pool, ExprId id, ExprChild *child, void *self) {
  if (is_leaf(pool, id)) return id;
  return rebuild_node(&(Rebuild){.to = pool, .from = pool, .child = child, .self = self}, id);
}

ExprId expr_rebuild_flat(ExprPool *pool, ExprId id, ExprChild *child, void *self) {
  if (is_leaf(pool, id)) return id;
  return rebuild_node(&(Rebuild){.to = pool, .from = pool, .flat = true, .always = true, .child = child, .self = self},
                      id);
}
