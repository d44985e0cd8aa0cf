// The public interface: misuse, threads, failing runs, files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char spring[] =
    "param k = 4\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\nsimulate to 1 step 0.1\n";

static viva_model *parse(const char *text) {
  viva_model *m;
  assert_int_equal(viva_model_parse("spring.viva", text, strlen(text), NULL, &m), VIVA_OK);
  return m;
}

static double final_value(const viva_run *run, const char *name) {
  for (size_t i = 0; i < viva_run_value_count(run); i++) {
    if (strcmp(viva_run_value_name(run, i), name) == 0) return viva_run_value(run, i);
  }
  return NAN;
}

static void a_spring_swings(void **state) {
  (void)state;
  viva_model *m = parse(spring);
  viva_run *run;
  assert_int_equal(viva_run_model(m, NULL, NULL, &run), VIVA_OK);
  assert_true(fabs(final_value(run, "x") - cos(2)) < 1e-9);
  assert_true(fabs(viva_run_energy_residue(run)) < 1e-9);
  assert_non_null(strstr(viva_run_summary(run, VIVA_FORMAT_JSON), "\"method\": \"dop853\""));
  assert_null(viva_run_message(run));
  viva_run_free(run);
  viva_model_free(m);
}

static void misuse_is_answered_not_obeyed(void **state) {
  (void)state;
  viva_model *m = NULL;
  char *text;
  viva_run *run;
  assert_int_equal(viva_model_load(NULL, NULL, &m), VIVA_EUSAGE);
  assert_int_equal(viva_model_parse("x", NULL, 0, NULL, &m), VIVA_EUSAGE);
  assert_int_equal(viva_derive(NULL, NULL, &text), VIVA_EUSAGE);
  assert_int_equal(viva_run_model(NULL, NULL, NULL, &run), VIVA_EUSAGE);
  viva_model_free(NULL);
  viva_run_free(NULL);
  viva_text_free(NULL);
  viva_csv_discard(NULL);
  assert_int_equal(viva_model_diagnostic_count(NULL), 0);
  assert_null(viva_run_value_name(NULL, 0));
}

static void diagnostics_have_their_places(void **state) {
  (void)state;
  viva_model *m;
  const char *text = "coord x\nkinetic 1/2*m*x'^2\n";
  assert_int_equal(viva_model_parse("a.viva", text, strlen(text), NULL, &m), VIVA_EINPUT);
  assert_int_equal(viva_model_diagnostic_count(m), 1);
  viva_diagnostic d = viva_model_diagnostic(m, 0);
  assert_string_equal(d.code, "unknown_name");
  assert_string_equal(d.file, "a.viva");
  assert_int_equal(d.line, 2);
  assert_int_equal(d.column, 13);
  char *out;
  viva_run *run;
  assert_int_equal(viva_derive(m, NULL, &out), VIVA_EINPUT);
  assert_int_equal(viva_run_model(m, NULL, NULL, &run), VIVA_EINPUT);
  viva_model_free(m);
}

static void a_missing_file_is_a_diagnostic(void **state) {
  (void)state;
  viva_model *m;
  assert_int_equal(viva_model_load("/nonexistent/a.viva", NULL, &m), VIVA_EINPUT);
  assert_string_equal(viva_model_diagnostic(m, 0).code, "missing_file");
  viva_model_free(m);
}

static bool stop_soon(void *self) {
  int *left = self;
  return (*left)-- <= 0;
}

static void an_interrupted_run_keeps_what_it_has(void **state) {
  (void)state;
  viva_model *m = parse(spring);
  viva_run_options o = viva_run_defaults();
  int left = 3;
  o.to = 1e9;
  o.every = 1e6;
  o.self = &left;
  o.interrupted = stop_soon;
  viva_run *run;
  assert_int_equal(viva_run_model(m, &o, NULL, &run), VIVA_EINTERRUPTED);
  assert_non_null(strstr(viva_run_message(run), "interrupted at t = "));
  viva_run_free(run);
  viva_model_free(m);
}

static bool refuse(void *self, const double *values, size_t count) {
  (void)self, (void)values, (void)count;
  return false;
}

static void a_sink_that_refuses_ends_the_run(void **state) {
  (void)state;
  viva_model *m = parse(spring);
  viva_run *run;
  viva_sink sink = {NULL, NULL, refuse};
  assert_int_equal(viva_run_model(m, NULL, &sink, &run), VIVA_EIO);
  viva_run_free(run);
  viva_model_free(m);
}

static void *run_often(void *argument) {
  const viva_model *m = argument;
  double *last = malloc(sizeof *last);
  for (int i = 0; i < 20; i++) {
    viva_run *run;
    char *text;
    if (viva_run_model(m, NULL, NULL, &run) != VIVA_OK) abort();
    *last = final_value(run, "x");
    viva_run_free(run);
    if (viva_derive(m, NULL, &text) != VIVA_OK) abort();
    viva_text_free(text);
  }
  return last;
}

static void threads_share_a_model(void **state) {
  (void)state;
  viva_model *m = parse(spring);
  pthread_t threads[4];
  double *results[4];
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_often, m), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], (void **)&results[i]);
  for (int i = 1; i < 4; i++) assert_true(*results[i] == *results[0]);
  for (int i = 0; i < 4; i++) free(results[i]);
  viva_model_free(m);
}

static void settings_change_parameters_starts_and_inputs(void **state) {
  (void)state;
  const char text[] = "param k = 4, m = [1, 2]\ncoord x = 1\ninput u = 0\nkinetic 1/2*m[1]*x'^2\npotential "
                      "1/2*k*x^2\nforce x = u\nsimulate to 1 step 0.1\n";
  const char *set[] = {"k=9", "x = 0", "x'=3", "m[1] = 1 [kg]"}, *input[] = {"u = 0*t"};
  viva_load_options load = {.set = set, .set_count = 4, .input = input, .input_count = 1};
  viva_model *m;
  assert_int_equal(viva_model_parse("a", text, strlen(text), &load, &m), VIVA_OK);
  viva_run *run;
  assert_int_equal(viva_run_model(m, NULL, NULL, &run), VIVA_OK);
  assert_true(fabs(final_value(run, "x") - sin(3)) < 1e-9); // x = 3/3 sin(3 t)
  viva_run_free(run);
  viva_model_free(m);
}

static viva_model *member_of(const char *text, const char *const *set, size_t count, size_t member,
                             viva_status wanted) {
  viva_load_options load = viva_load_defaults();
  load.case_name = "wide";
  load.set = set;
  load.set_count = count;
  load.member = member;
  viva_model *m;
  assert_int_equal(viva_model_parse("a", text, strlen(text), &load, &m), wanted);
  return m;
}

static void a_list_makes_a_family(void **state) {
  (void)state;
  const char text[] =
      "param k = 1, m = [1, 1]\ncoord x = 1\nkinetic 1/2*m[2]*x'^2\npotential 1/2*k*x^2\nsimulate to 1 step 1\n"
      "case wide: k = [1, 4, 9], m = [3, 1]\n";
  const char *set[] = {"x = [50, 200] [cm]"};
  for (size_t i = 0; i < 6; i++) {
    viva_model *m = member_of(text, set, 1, i, VIVA_OK);
    assert_int_equal(viva_model_member_count(m), 6);
    assert_int_equal(viva_model_varied_count(m), 2); // m is a vector: its list is a plain value
    assert_string_equal(viva_model_varied_name(m, 0), "k");
    assert_string_equal(viva_model_varied_name(m, 1), "x(0)");
    assert_null(viva_model_varied_name(m, 2));
    assert_string_equal(viva_model_varied_setting(m, 0), "k");
    assert_string_equal(viva_model_varied_setting(m, 1), "x");
    assert_null(viva_model_varied_setting(m, 2));
    assert_true(isnan(viva_model_varied_value(m, 2)));
    // the first list varies slowest: x = x0 cos(w t)
    double w = (double)(i / 2 + 1), x0 = i % 2 ? 2 : 0.5;
    assert_true(viva_model_varied_value(m, 0) == w * w);
    assert_true(viva_model_varied_value(m, 1) == x0);
    viva_run *run;
    assert_int_equal(viva_run_model(m, NULL, NULL, &run), VIVA_OK);
    assert_true(fabs(final_value(run, "x") - x0 * cos(w)) < 1e-9);
    viva_run_free(run);
    viva_model_free(m);
  }
  assert_null(member_of(text, set, 1, 6, VIVA_EUSAGE));
}

// The same numbers as those of a model that was read for the member alone, to the last bit.
static void compare_members(const viva_model *member, const viva_model *alone) {
  assert_int_equal(viva_model_member_count(member), viva_model_member_count(alone));
  for (size_t i = 0; i < viva_model_varied_count(alone); i++) {
    assert_string_equal(viva_model_varied_name(member, i), viva_model_varied_name(alone, i));
    assert_true(viva_model_varied_value(member, i) == viva_model_varied_value(alone, i));
  }
  viva_run *a, *b;
  assert_int_equal(viva_run_model(member, NULL, NULL, &a), VIVA_OK);
  assert_int_equal(viva_run_model(alone, NULL, NULL, &b), VIVA_OK);
  assert_int_equal(viva_run_value_count(a), viva_run_value_count(b));
  for (size_t i = 0; i < viva_run_value_count(b); i++) {
    assert_string_equal(viva_run_value_name(a, i), viva_run_value_name(b, i));
    assert_true(viva_run_value(a, i) == viva_run_value(b, i));
  }
  viva_run_free(a);
  viva_run_free(b);
}

// ---- members side by side

typedef struct Table {
  double values[20000];
  size_t count, headers;
  size_t *turn, number; // of the member whose rows came last; this one's
} Table;

static bool table_header(void *self, const char *const *names, size_t count) {
  Table *t = self;
  (void)names, (void)count;
  t->headers++;
  assert_true(*t->turn <= t->number); // in the order of the members
  *t->turn = t->number;
  return true;
}

static bool table_row(void *self, const double *values, size_t count) {
  Table *t = self;
  assert_int_equal(*t->turn, t->number);
  assert_true(t->count + count <= sizeof t->values / sizeof *t->values);
  memcpy(t->values + t->count, values, count * sizeof *values);
  t->count += count;
  return true;
}

// Rows, messages, values and counts of members side by side are those of a model that was read for each alone; one of
// them fails half way. Whatever the method, with and without events.
static void members_side_by_side_are_runs_alone(void **state) {
  (void)state;
  static const char *const texts[] = {
      "param k = 1\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\ndissipation 0.05*x'^2\nsimulate to 9 every "
      "0.5\n"
      "case wide: k = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5]\n",
      "param k = 1\ncoord y = 1\nkinetic 1/2*y'^2\npotential 9.81*y\nwhen y < 0 do y' := -0.1*(6 + k)*y'\n"
      "simulate to 1.2 every 0.1\ncase wide: k = [-5, 1, 1.5, 2, 2.5, 2.6, 2.7, 2.8, 2.9, 3]\n",
      "param k = 1\nstate x = 1, v = 0\nx' = v\nv' = -k*x - 0.1*sign(v) + 0*sqrt(5.2 - k - t)\nsimulate to 2 every "
      "0.25\n"
      "case wide: k = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5]\n",
  };
  static const char *const methods[] = {"auto", "dopri5", "rodas", "rk4", "bdf"};
  enum { members = 10 };
  static Table beside[members], alone;
  size_t failures = 0;
  for (size_t k = 0; k < 15; k++) {
    viva_model *m[members] = {member_of(texts[k / 5], NULL, 0, 0, VIVA_OK)};
    viva_run_options options[members];
    viva_sink sinks[members];
    viva_run *runs[members];
    viva_status states[members];
    size_t turn = 0, own_turn = 0;
    for (size_t i = 0; i < members; i++) {
      if (i) assert_int_equal(viva_model_member(m[0], i, &m[i]), VIVA_OK);
      options[i] = viva_run_defaults();
      options[i].method = methods[k % 5];
      options[i].energy = k % 5 == 1;
      if (k % 5 == 3) options[i].step = 0.05;
      beside[i] = (Table){.turn = &turn, .number = i};
      sinks[i] = (viva_sink){&beside[i], table_header, table_row};
    }
    assert_int_equal(viva_run_members((const viva_model *const *)m, members, options, sinks, runs, states), VIVA_OK);
    for (size_t i = 0; i < members; i++) {
      viva_model *read = member_of(texts[k / 5], NULL, 0, i, VIVA_OK);
      viva_run *run;
      own_turn = i;
      alone = (Table){.turn = &own_turn, .number = i};
      assert_int_equal(viva_run_model(read, &options[i], &(viva_sink){&alone, table_header, table_row}, &run),
                       states[i]);
      failures += states[i] != VIVA_OK;
      assert_int_equal(beside[i].headers, alone.headers);
      assert_int_equal(beside[i].count, alone.count);
      assert_memory_equal(beside[i].values, alone.values, alone.count * sizeof *alone.values);
      for (size_t v = 0; v < viva_run_value_count(run); v++)
        assert_true(viva_run_value(runs[i], v) == viva_run_value(run, v));
      assert_int_equal(viva_run_event_count(runs[i]), viva_run_event_count(run));
      if (viva_run_message(run)) assert_string_equal(viva_run_message(runs[i]), viva_run_message(run));
      else assert_null(viva_run_message(runs[i]));
      viva_run_free(run);
      viva_model_free(read);
    }
    for (size_t i = 0; i < members; i++) viva_run_free(runs[i]);
    for (size_t i = 0; i < members; i++) viva_model_free(m[i]);
  }
  assert_true(failures > 5);
  assert_int_equal(viva_run_members(NULL, 1, NULL, NULL, NULL, NULL), VIVA_EUSAGE);
}

// Numbers, a count of things, an input and a value that is another parameter: with and without reading again.
static void a_member_is_the_model_that_was_read_for_it(void **state) {
  (void)state;
  const char text[] =
      "param k = 1, c = 2, n = 2\ncoord x[i] = i for i in 1 .. n\ninput u\nkinetic 1/2*x[i]'^2 for i in 1 .. n\n"
      "potential 1/2*k*x[i]^2 for i in 1 .. n\nforce x[1] = u\noutput s = sum(x[i], i, 1, n)\nsimulate to 1 step 1\n"
      "case wide: n = [2, 3], k = [1, 4, c], u = [0, 1]\n";
  const char *set[] = {"x[1] = [50, 200] [cm]"};
  enum { count = 24 };
  viva_model *before = NULL, *first = member_of(text, set, 1, 0, VIVA_OK);
  for (size_t i = 0; i < count; i++) {
    viva_model *alone = member_of(text, set, 1, i, VIVA_OK), *from_first, *from_before;
    assert_int_equal(viva_model_member(first, i, &from_first), VIVA_OK);
    assert_int_equal(viva_model_member(before ? before : first, i, &from_before), VIVA_OK);
    viva_model_free(before);
    compare_members(from_first, alone);
    compare_members(from_before, alone);
    viva_model_free(from_first);
    viva_model_free(alone);
    before = from_before;
  }
  viva_model *none = (viva_model *)text;
  assert_int_equal(viva_model_member(first, count, &none), VIVA_EUSAGE);
  assert_null(none);
  // who was read first may be freed first: a run and a member stand on it
  viva_model *member;
  viva_run *run;
  assert_int_equal(viva_model_member(first, 2, &member), VIVA_OK);
  viva_model_free(first);
  assert_int_equal(viva_run_model(member, NULL, NULL, &run), VIVA_OK);
  viva_model_free(member);
  assert_string_equal(viva_run_value_name(run, 0), "s");
  viva_run_free(run);
  viva_model_free(before);
}

static void no_list_is_a_family_of_one(void **state) {
  (void)state;
  viva_model *m = parse(spring);
  assert_int_equal(viva_model_member_count(m), 1);
  assert_int_equal(viva_model_varied_count(m), 0);
  viva_model *member;
  assert_int_equal(viva_model_member(m, 0, &member), VIVA_EUSAGE);
  viva_model_free(m);
  assert_int_equal(viva_model_member_count(NULL), 0);
  assert_int_equal(viva_model_varied_count(NULL), 0);
}

static void parts_are_read_beside_the_model(void **state) {
  (void)state;
  const char text[] = "use \"motor.viva\" as a with R = 0\nuse \"nothing.viva\" as b\n";
  viva_model *m;
  assert_int_equal(viva_model_parse(VIVA_ROOT "/examples/parts/m.viva", text, strlen(text), NULL, &m), VIVA_EINPUT);
  assert_int_equal(viva_model_diagnostic_count(m), 1);
  viva_diagnostic d = viva_model_diagnostic(m, 0);
  assert_string_equal(d.code, "missing_file");
  assert_int_equal(d.line, 2);
  viva_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_spring_swings),
      cmocka_unit_test(misuse_is_answered_not_obeyed),
      cmocka_unit_test(diagnostics_have_their_places),
      cmocka_unit_test(a_missing_file_is_a_diagnostic),
      cmocka_unit_test(an_interrupted_run_keeps_what_it_has),
      cmocka_unit_test(a_sink_that_refuses_ends_the_run),
      cmocka_unit_test(threads_share_a_model),
      cmocka_unit_test(settings_change_parameters_starts_and_inputs),
      cmocka_unit_test(a_list_makes_a_family),
      cmocka_unit_test(a_member_is_the_model_that_was_read_for_it),
      cmocka_unit_test(members_side_by_side_are_runs_alone),
      cmocka_unit_test(no_list_is_a_family_of_one),
      cmocka_unit_test(parts_are_read_beside_the_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
