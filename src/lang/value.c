#include "lang/value.h"

Value value_new(ExprPool *pool, ValueShape shape, uint32_t rows, uint32_t cols) {
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

Value value_add(ExprPool *pool, const Value *a, const Value *b, bool minus) {
  Value r = like(pool, a);
  for (uint32_t i = 0; i < value_count(a) && r.shape; i++) {
    ExprId x = value_item(a, i), y = value_item(b, i);
    put(&r, i, minus ? expr_sub(pool, x, y) : expr_add(pool, x, y));
  }
  return r;
}

Value value_scale(ExprPool *pool, ExprId factor, const Value *a) {
  Value r = like(pool, a);
  for (uint32_t i = 0; i < value_count(a) && r.shape; i++) put(&r, i, expr_mul(pool, factor, value_item(a, i)));
  return r;
}

Value value_multiply(ExprPool *pool, const Value *a, const Value *b) {
  Value r = value_new(pool, b->shape, a->rows, b->cols);
  for (uint32_t i = 0; i < a->rows && r.shape; i++) {
    for (uint32_t j = 0; j < b->cols && r.shape; j++) {
      ExprId sum = pool->zero;
      for (uint32_t k = 0; k < a->cols; k++) {
        sum = expr_add(pool, sum, expr_mul(pool, value_item(a, i * a->cols + k), value_item(b, k * b->cols + j)));
      }
      put(&r, i * b->cols + j, sum);
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
    ExprId term = expr_mul(pool, value_item(a, rows[0] * a->cols + cols[j]), determinant(pool, a, rows + 1, left, n - 1));
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
  ExprId sum = pool->zero;
  for (uint32_t i = 0; i < value_count(a); i++) {
    sum = expr_add(pool, sum, expr_mul(pool, value_item(a, i), value_item(b, i)));
  }
  return sum;
}
