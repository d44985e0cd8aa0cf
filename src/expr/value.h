// Values of expressions while a model is read: numbers, vectors and matrices of symbolic expressions.
#ifndef VIVA_EXPR_VALUE_H
#define VIVA_EXPR_VALUE_H

#include "expr/pool.h"

typedef enum ValueShape { value_bad, value_scalar, value_vector, value_matrix } ValueShape;

// Bad is absorbing: its error was reported where it arose.
typedef struct Value {
  ValueShape shape;
  uint32_t rows, cols; // a vector has cols = 1
  ExprId scalar;       // of a scalar
  ExprId *items;       // row by row, else
} Value;

static inline Value value_of(ExprId id) { return (Value){id ? value_scalar : value_bad, 1, 1, id, NULL}; }
static inline Value value_none(void) { return (Value){value_bad, 0, 0, 0, NULL}; }
static inline uint32_t value_count(const Value *v) { return v->rows * v->cols; }
static inline ExprId value_item(const Value *v, uint32_t i) {
  return v->shape == value_scalar ? v->scalar : v->items[i];
}
enum { most_entries = 1000000 }; // of a vector or matrix
Value value_new(ExprPool *pool, ValueShape shape, uint32_t rows, uint32_t cols);
const char *value_describe(Arena *arena, const Value *v); // "a number", "a vector of 2", "a 2 by 3 matrix"

// The caller has checked that shapes fit.
// All of one shape; built at once. signs[i] is '-' where one is subtracted; NULL: all are added.
Value value_sum(ExprPool *pool, const Value *values, const char *signs, uint32_t count);
Value value_scale(ExprPool *pool, ExprId factor, const Value *a);
Value value_multiply(ExprPool *pool, const Value *a, const Value *b); // matrix by matrix or vector
Value value_transpose(ExprPool *pool, const Value *a);
Value value_inverse(ExprPool *pool, const Value *a); // by cofactors; small matrices
ExprId value_dot(ExprPool *pool, const Value *a, const Value *b);

#endif
