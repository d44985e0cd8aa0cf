// Values while a model is read: a scalar is one expression, a vector or matrix a list of them with its shape.
//
// in    values whose shapes fit (the caller has checked that)
// out   their sums, products and entries, expression by expression
#include "expr/value.h"

Value value_new(ExprPool *pool, ValueShape shape, uint32_t rows, uint32_t cols) {
  if ((uint64_t)rows * cols > most_entries) {
    pool_refuse(pool, limit_entries);
    return value_none();
  }
  Value v = {shape, rows, cols, 0, arena_array(pool->arena, (size_t)rows * cols, sizeof(ExprId))};
  return v.items ? v : value_none();
}

const char *value_describe(Arena *arena, const Value *v) {
  if (v->shape == value_scalar) return "a number";
  if (v->shape == value_vector) return arena_printf(arena, "a vector of %u", v->rows);
  return arena_printf(arena, "a %u by %u matrix", v->rows, v->cols);
}

static Value like(ExprPool *pool, const Value *a) {
  return a->shape == value_scalar ? value_of(pool->zero) : value_new(pool, a->shape, a->rows, a->cols);
}

static void put(Value *v, uint32_t i, ExprId id) {
  if (!id) v->shape = value_bad;
  else if (v->shape == value_scalar) v->scalar = id;
  else if (v->shape != value_bad) v->items[i] = id;
}

Value value_sum(ExprPool *pool, const Value *values, const char *signs, uint32_t count) {
  Value r = like(pool, &values[0]);
  ArenaMark mark = arena_mark(pool->scratch);
  Term *terms = arena_array(pool->scratch, count, sizeof *terms);
  if (!terms) r.shape = value_bad;
  for (uint32_t i = 0; i < value_count(&values[0]) && r.shape; i++) {
    for (uint32_t k = 0; k < count; k++) {
      terms[k] = (Term){signs && signs[k] == '-' ? rat_int(-1) : RAT_ONE, value_item(&values[k], i)};
    }
    put(&r, i, expr_sum(pool, terms, count));
  }
  arena_release(pool->scratch, mark);
  return r;
}

Value value_scale(ExprPool *pool, ExprId factor, const Value *a) {
  Value r = like(pool, a);
  for (uint32_t i = 0; i < value_count(a) && r.shape; i++) put(&r, i, expr_mul(pool, factor, value_item(a, i)));
  return r;
}

// sum over k of a[k] * b[k * step]; built at once, because one by one would cost the square of its length
static ExprId sum_of_products(ExprPool *pool, const Value *a, uint32_t first, const Value *b, uint32_t second,
                              uint32_t step, uint32_t count) {
  ArenaMark mark = arena_mark(pool->scratch);
  Term *terms = arena_array(pool->scratch, count, sizeof *terms);
  uint32_t n = 0;
  for (uint32_t k = 0; terms && k < count; k++) {
    ExprId x = value_item(a, first + k), y = value_item(b, second + k * step);
    if (x != pool->zero && y != pool->zero) terms[n++] = (Term){RAT_ONE, expr_mul(pool, x, y)};
  }
  ExprId sum = terms ? expr_sum(pool, terms, n) : 0;
  arena_release(pool->scratch, mark);
  return sum;
}

Value value_multiply(ExprPool *pool, const Value *a, const Value *b) {
  Value r = value_new(pool, b->shape, a->rows, b->cols);
  for (uint32_t i = 0; i < a->rows && r.shape; i++) {
    for (uint32_t j = 0; j < b->cols && r.shape; j++) {
      put(&r, i * b->cols + j, sum_of_products(pool, a, i * a->cols, b, j, b->cols, a->cols));
    }
  }
  return r;
}

Value value_transpose(ExprPool *pool, const Value *a) {
  if (a->shape == value_scalar) return *a;
  Value r = value_new(pool, value_matrix, a->cols, a->rows);
  for (uint32_t i = 0; i < a->rows && r.shape; i++) {
    for (uint32_t j = 0; j < a->cols; j++) put(&r, j * a->rows + i, value_item(a, i * a->cols + j));
  }
  return r;
}

// Determinant of the rows and columns left in the two lists, by the first row.
static ExprId determinant(ExprPool *pool, const Value *a, const uint32_t *rows, const uint32_t *cols, uint32_t n) {
  if (n == 0) return pool->one;
  ExprId sum = pool->zero;
  uint32_t left[8];
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t k = 0, m = 0; k < n; k++) {
      if (k != j) left[m++] = cols[k];
    }
    ExprId term =
        expr_mul(pool, value_item(a, rows[0] * a->cols + cols[j]), determinant(pool, a, rows + 1, left, n - 1));
    sum = j % 2 ? expr_sub(pool, sum, term) : expr_add(pool, sum, term);
  }
  return sum;
}

Value value_inverse(ExprPool *pool, const Value *a) {
  uint32_t n = a->rows, all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  ExprId det = determinant(pool, a, all, all, n);
  Value r = value_new(pool, value_matrix, n, n);
  for (uint32_t i = 0; i < n && r.shape; i++) {
    for (uint32_t j = 0; j < n && r.shape; j++) {
      uint32_t rows[8], cols[8];
      for (uint32_t k = 0, m = 0; k < n; k++) {
        if (k != j) rows[m++] = k;
      }
      for (uint32_t k = 0, m = 0; k < n; k++) {
        if (k != i) cols[m++] = k;
      }
      ExprId minor = determinant(pool, a, rows, cols, n - 1);
      if ((i + j) % 2) minor = expr_neg(pool, minor);
      put(&r, i * n + j, expr_div(pool, minor, det));
    }
  }
  return r;
}

ExprId value_dot(ExprPool *pool, const Value *a, const Value *b) {
  return sum_of_products(pool, a, 0, b, 0, 1, value_count(a));
}
