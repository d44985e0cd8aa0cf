// Vectors and matrices of space as expressions. See spatial.h.
#include "system/spatial.h"

#include <string.h>

ExprId spatial_named(const Spatial *s, ExprId value) { return s->name && value ? s->name(s->self, value) : value; }

void spatial_zero(const Spatial *s, V3 out) {
  for (int i = 0; i < 3; i++) out[i] = s->pool->zero;
}

void spatial_unit(const Spatial *s, M3 out) {
  for (int i = 0; i < 9; i++) out[i / 3][i % 3] = i % 4 ? s->pool->zero : s->pool->one;
}

void spatial_copy(const V3 a, V3 out) { memcpy(out, a, sizeof(V3)); }
void spatial_copy_matrix(M3 a, M3 out) { memcpy(out, a, sizeof(M3)); }

void spatial_add(const Spatial *s, const V3 a, const V3 b, V3 out) {
  for (int i = 0; i < 3; i++) out[i] = spatial_named(s, expr_add(s->pool, a[i], b[i]));
}

void spatial_scale(const Spatial *s, ExprId factor, const V3 a, V3 out) {
  for (int i = 0; i < 3; i++) out[i] = spatial_named(s, expr_mul(s->pool, factor, a[i]));
}

static ExprId three(const Spatial *s, ExprId a, ExprId x, ExprId b, ExprId y, ExprId c, ExprId z) {
  Term terms[3] = {
      {RAT_ONE, expr_mul(s->pool, a, x)}, {RAT_ONE, expr_mul(s->pool, b, y)}, {RAT_ONE, expr_mul(s->pool, c, z)}};
  for (int i = 0; i < 3; i++) {
    if (!terms[i].term) return 0;
  }
  return expr_sum(s->pool, terms, 3);
}

ExprId spatial_dot(const Spatial *s, const V3 a, const V3 b) { return three(s, a[0], b[0], a[1], b[1], a[2], b[2]); }

void spatial_cross(const Spatial *s, const V3 a, const V3 b, V3 out) {
  V3 product;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    product[i] = spatial_named(s, expr_sub(s->pool, expr_mul(s->pool, a[j], b[k]), expr_mul(s->pool, a[k], b[j])));
  }
  spatial_copy(product, out);
}

void spatial_turn(const Spatial *s, M3 e, const V3 a, V3 out) {
  V3 turned;
  for (int i = 0; i < 3; i++) turned[i] = spatial_named(s, spatial_dot(s, e[i], a));
  spatial_copy(turned, out);
}

void spatial_turn_back(const Spatial *s, M3 e, const V3 a, V3 out) {
  V3 turned;
  for (int i = 0; i < 3; i++) turned[i] = spatial_named(s, three(s, e[0][i], a[0], e[1][i], a[1], e[2][i], a[2]));
  spatial_copy(turned, out);
}

void spatial_multiply(const Spatial *s, M3 a, M3 b, M3 out) {
  M3 product;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      product[i][j] = spatial_named(s, three(s, a[i][0], b[0][j], a[i][1], b[1][j], a[i][2], b[2][j]));
  }
  spatial_copy_matrix(product, out);
}

void spatial_transpose(M3 a, M3 out) {
  M3 other;
  for (int i = 0; i < 9; i++) other[i / 3][i % 3] = a[i % 3][i / 3];
  spatial_copy_matrix(other, out);
}

void spatial_turn_matrix(const Spatial *s, M3 e, M3 a, bool symmetric, M3 out) {
  M3 half, all;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      half[i][j] = spatial_named(s, three(s, a[i][0], e[0][j], a[i][1], e[1][j], a[i][2], e[2][j]));
  }
  for (int i = 0; i < 3; i++) {
    for (int j = symmetric ? i : 0; j < 3; j++) {
      all[i][j] = spatial_named(s, three(s, e[0][i], half[0][j], e[1][i], half[1][j], e[2][i], half[2][j]));
      if (symmetric) all[j][i] = all[i][j];
    }
  }
  spatial_copy_matrix(all, out);
}

void spatial_cross_columns(const Spatial *s, const V3 r, M3 a, M3 out) {
  M3 all;
  for (int j = 0; j < 3; j++) {
    V3 column = {a[0][j], a[1][j], a[2][j]};
    spatial_cross(s, r, column, column);
    for (int i = 0; i < 3; i++) all[i][j] = column[i];
  }
  spatial_copy_matrix(all, out);
}

void spatial_symmetric(const ExprId six[6], M3 out) {
  for (int i = 0; i < 3; i++) out[i][i] = six[i];
  out[0][1] = out[1][0] = six[3];
  out[0][2] = out[2][0] = six[4];
  out[1][2] = out[2][1] = six[5];
}

void spatial_steiner(const Spatial *s, const V3 moment, const V3 c, ExprId six[6]) {
  static const int row[] = {0, 0, 1}, column[] = {1, 2, 2};
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    six[i] = expr_add(s->pool, expr_mul(s->pool, moment[j], c[j]), expr_mul(s->pool, moment[k], c[k]));
    six[3 + i] = expr_neg(s->pool, expr_mul(s->pool, moment[row[i]], c[column[i]]));
  }
}

void spatial_about(const Spatial *s, uint32_t axis, ExprId sine, ExprId cosine, M3 out) {
  uint32_t y = (axis + 1) % 3, z = (axis + 2) % 3;
  for (int i = 0; i < 9; i++) out[i / 3][i % 3] = s->pool->zero;
  out[axis][axis] = s->pool->one;
  out[y][y] = out[z][z] = cosine;
  out[y][z] = sine;
  out[z][y] = expr_neg(s->pool, sine);
}

void spatial_quaternion(const Spatial *s, const ExprId q[4], M3 out) {
  ExprPool *p = s->pool;
  Rat two = rat_int(2);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    ExprId squares = expr_add(p, expr_mul(p, q[1 + j], q[1 + j]), expr_mul(p, q[1 + k], q[1 + k]));
    out[i][i] = spatial_named(s, expr_sub(p, p->one, expr_scale(p, two, squares)));
    ExprId product = expr_mul(p, q[1 + i], q[1 + j]), along = expr_mul(p, q[0], q[1 + k]);
    out[i][j] = spatial_named(s, expr_scale(p, two, expr_sub(p, product, along)));
    out[j][i] = spatial_named(s, expr_scale(p, two, expr_add(p, product, along)));
  }
}

void spatial_rotated(const Spatial *s, const V3 angles, M3 out) {
  // Rz Ry Rx; `about` has the transposed ones
  spatial_unit(s, out);
  for (uint32_t k = 0; k < 3; k++) {
    M3 about;
    if (expr_is_zero(s->pool, angles[k])) continue;
    spatial_about(s, k, expr_fn(s->pool, op_sin, &angles[k], 1), expr_fn(s->pool, op_cos, &angles[k], 1), about);
    spatial_transpose(about, about);
    spatial_multiply(s, about, out, out);
  }
}
