// Systems without a language: parameters by name, formulations from formulations.def, and what the rooms behind the
// waist make of them.
#ifndef VIVA_TESTS_WAIST_H
#define VIVA_TESTS_WAIST_H
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "form/form.h"
#include "linear/linearize.h"
#include "show/export_c.h"
#include "sim/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Waist {
  Arena *arena;
  ExprPool pool;
  Sources sources;
  Diags diags;
  System s;
} Waist;

typedef struct WaistParam {
  const char *name, *value;
} WaistParam;

// The system of some parameters (the last one has no name). Fails the test where there is none.
Waist *waist_new(const WaistParam *params);
void waist_free(Waist *w);
// A run of it; fails the test where it does not come to its end.
RunResult waist_run(Waist *w, const RunSettings *settings, const Sink *sink);
RunSettings waist_settings(const char *method, double to);
// The linear model at the start, velocities 0.
Linearization *waist_linearize(Waist *w);
// The final value of a column.
double waist_final(const RunResult *r, const char *name);
// Its C text, with a main program of ours, compiled and run; what it prints goes to `out`.
void waist_export(Waist *w, const char *compiler, const char *main_text, char *out, size_t size);

#endif
