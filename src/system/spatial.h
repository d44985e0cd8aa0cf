// Vectors and matrices of space as expressions: sums, products, rotations.
//
// Results may get names (`Spatial.name`): a value that is used several times is then computed once, and sums are not
// joined with those that they go into. Without names they stay expressions as they are.
#ifndef VIVA_SYSTEM_SPATIAL_H
#define VIVA_SYSTEM_SPATIAL_H

#include "expr/pool.h"

typedef ExprId V3[3];
typedef ExprId M3[3][3];

typedef struct Spatial {
  ExprPool *pool;
  ExprId (*name)(void *self, ExprId value); // NULL: values have no names
  void *self;
} Spatial;

ExprId spatial_named(const Spatial *s, ExprId value);
void spatial_zero(const Spatial *s, V3 out);
void spatial_unit(const Spatial *s, M3 out);
void spatial_copy(const V3 a, V3 out);
void spatial_copy_matrix(M3 a, M3 out);
void spatial_add(const Spatial *s, const V3 a, const V3 b, V3 out);
void spatial_scale(const Spatial *s, ExprId factor, const V3 a, V3 out);
ExprId spatial_dot(const Spatial *s, const V3 a, const V3 b); // without a name
void spatial_cross(const Spatial *s, const V3 a, const V3 b, V3 out);
void spatial_turn(const Spatial *s, M3 e, const V3 a, V3 out);      // E a
void spatial_turn_back(const Spatial *s, M3 e, const V3 a, V3 out); // E' a
void spatial_multiply(const Spatial *s, M3 a, M3 b, M3 out);        // A B
void spatial_transpose(M3 a, M3 out);
// E' A E; symmetric: A is, and so is the result.
void spatial_turn_matrix(const Spatial *s, M3 e, M3 a, bool symmetric, M3 out);
void spatial_cross_columns(const Spatial *s, const V3 r, M3 a, M3 out); // r x A, column by column
// A symmetric matrix from xx yy zz xy xz yz.
void spatial_symmetric(const ExprId six[6], M3 out);
// m (|c|^2 1 - c c'), as xx yy zz xy xz yz; moment = m c.
void spatial_steiner(const Spatial *s, const V3 moment, const V3 c, ExprId six[6]);
// The rotation about axis k that takes vectors of a frame into those of the frame rotated by q: [c s; -s c] for z.
void spatial_about(const Spatial *s, uint32_t axis, ExprId sine, ExprId cosine, M3 out);
// The rotation by a unit quaternion w x y z: takes vectors of the rotated frame into the other one.
void spatial_quaternion(const Spatial *s, const ExprId q[4], M3 out);
// Rotation about x, then y, then z of the fixed frame: takes vectors of the rotated frame into the fixed one.
void spatial_rotated(const Spatial *s, const V3 angles, M3 out);

#endif
