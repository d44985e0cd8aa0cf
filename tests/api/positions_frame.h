// What tests of positions share: a model from text, its positions, values of their tables and of their JSON.
#ifndef VIVA_TESTS_POSITIONS_FRAME_H
#define VIVA_TESTS_POSITIONS_FRAME_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct Found {
  viva_model *model;
  viva_positions *p;
  viva_status status;
  const char *json;
} Found;

static inline Found look_by(const char *text, const viva_positions_options *o) {
  Found f = {0};
  viva_load_options load = viva_load_defaults();
  assert_int_equal(viva_model_parse("test.viva", text, strlen(text), &load, &f.model), VIVA_OK);
  f.status = viva_positions_find(f.model, o, NULL, &f.p);
  f.json = viva_positions_text(f.p, VIVA_FORMAT_JSON);
  return f;
}

static inline Found look(const char *text, const char *problem) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = problem;
  return look_by(text, &o);
}

static inline void read_example(const char *name, char *text, size_t room) {
  char path[600];
  snprintf(path, sizeof path, "%s/examples/positions/%s", VIVA_ROOT, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t used = fread(text, 1, room - 1, file);
  assert_true(used > 0);
  text[used] = '\0';
  fclose(file);
}

static inline Found look_file(const char *name, const char *problem) {
  char text[5000];
  read_example(name, text, sizeof text);
  return look(text, problem);
}

static inline void leave(Found *f) {
  viva_positions_free(f->p);
  viva_model_free(f->model);
}

static inline double value(const Found *f, size_t row, const char *name) {
  for (size_t i = 0; i < viva_positions_column_count(f->p); i++) {
    if (strcmp(viva_positions_column_name(f->p, i), name) == 0) return viva_positions_value(f->p, row, i);
  }
  fail_msg("no column %s", name);
  return NAN;
}

// A number of the JSON text, behind a key.
static inline double fact(const Found *f, const char *key) {
  const char *at = strstr(f->json, key);
  assert_non_null(at);
  return strtod(at + strlen(key), NULL);
}

static inline bool says(const Found *f, const char *text) { return strstr(f->json, text) != NULL; }

// A four-bar over [0, 0] and [3, 0] whose crank of length a starts at the angle t.
static inline void write_four_bar(char *text, size_t room, double a, double b, double c, double t) {
  snprintf(text, room,
           "node A = [0, 0] fixed\nnode D = [3, 0] fixed\nnode B = [1, 0.1]\nnode C = [2, 1]\n"
           "bar AB: A B length %.17g\nbar BC: B C length %.17g\nbar CD: C D length %.17g\n"
           "drive AB.angle from %.17g to 7 steps 1\n",
           a, b, c, t);
}

static inline double chance(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

#endif
