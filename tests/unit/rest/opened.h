// An operating point of a model given as text, for the tests of this folder.
#ifndef VIVA_TESTS_LINEAR_OPENED_H
#define VIVA_TESTS_LINEAR_OPENED_H

#include "tests/support.h"

#include "linear/kinks.h"
#include "rest/equilibrium.h"

typedef struct Opened {
  Loaded *model;
  Diags diags;
  Operating o;
} Opened;

// At the start of the model, velocities too.
static inline Opened *open_text(const char *text) {
  Opened *x = calloc(1, sizeof *x);
  x->model = load_text(text);
  x->diags.arena = x->model->arena;
  assert_true(operating_open(&x->o, &x->model->system, &(PointRequest){.moving = true}, &x->diags));
  assert_int_equal(x->diags.errors, 0);
  return x;
}

static inline void close_text(Opened *x) {
  unload(x->model);
  free(x);
}

// By the name of a state.
static inline double at_name(const Opened *x, const double *y, const char *name) {
  for (uint32_t at = 0; at < x->o.dim; at++) {
    if (strcmp(x->o.names[at], name) == 0) return y[at];
  }
  return NAN;
}

#endif
