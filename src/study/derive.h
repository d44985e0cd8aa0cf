// The equations of a model, ready to be shown.
#ifndef VIVA_STUDY_DERIVE_H
#define VIVA_STUDY_DERIVE_H

#include "system/system.h"

typedef enum DeriveForm { form_lagrange, form_matrices, form_state, form_solved } DeriveForm;

struct Steps;

typedef struct DeriveStyle {
  bool factor;     // products of factors
  bool expand;     // multiplied out, not gathered
  uint32_t digits; // not 0: with the values of the parameters, in that many digits
  bool steps;      // the derivation line by line
} DeriveStyle;

// lhs = rhs, of a coordinate or state
typedef struct ShownEquation {
  const char *of;
  ExprId lhs, rhs; // lhs 0: the time derivative of `of`, or of `combination` where that is given
  Span span;
  ExprId combination;
} ShownEquation;

typedef struct ShownMatrix {
  const char *name;    // M, C, ...
  const char *meaning; // in words
  uint32_t rows, cols;
  ExprId *items;
} ShownMatrix;

typedef struct Derivation {
  ExprPool *pool; // where the expressions live
  DeriveForm form;
  VEC(ShownEquation) equations;
  VEC(ShownMatrix) matrices;
  const char *sum; // of the matrices: M*q'' + C*q' + ... = B*u + r
  VEC(const char *) notes; // cyclic coordinates, constants of motion, what was done
  const struct Steps *steps; // the derivation line by line; NULL: it was not asked for
  bool decimals;             // numbers are rounded: 0.5, not 1/2
  bool repeats;              // the equations are the last lines of the steps, and in no other dress
} Derivation;

// The expressions are new ones of s->pool, which must be a pool of its own (system_clone).
bool derive(System *s, DeriveForm form, const DeriveStyle *style, Derivation *out);

#endif
