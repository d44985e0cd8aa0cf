// The oracle itself: models whose answer was derived by hand from the page, and twins with one rule changed that must
// be seen on generated models.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generate.h"
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Answer answer, other;
static Model model;

static void read_model(const char *text) {
  char error[200] = "";
  if (!model_read(text, &model, error)) fail_msg("%s in\n%s", error, text);
}

static const Answer *ask(const char *text) {
  read_model(text);
  oracle_run(&model, twin_none, &answer);
  if (answer.why) fail_msg("%s in\n%s", answer.why, text);
  return &answer;
}

// Of the row at t, the column of an output.
static double value(double t, const char *column) {
  for (int r = 0; r < answer.row_count; r++)
    for (int k = 0; k < model.output_count && answer.row_t[r] == t; k++)
      if (strcmp(model.outputs[k].name, column) == 0) return answer.rows[r][k];
  return NAN;
}

static void is(double t, const char *column, double expected) {
  if (value(t, column) != expected) fail_msg("%s(%g) is %g, not %g", column, t, value(t, column), expected);
}

// x = t - 1 passes 0 at t = 1. AT x <= 0 holds, AFTER x > 0: (d) sets, and behind the instant x <= 0 is false.
static void complementary_conditions_set_once(void **state) {
  (void)state;
  ask("state x = -1\nx' = 1\nlet m = latch(x > 0, x <= 0)\noutput m\nsimulate to 2 every 0.5\n");
  assert_int_equal(answer.ending, ends_done);
  is(0.5, "m", 0);
  is(1, "m", 1); // the row shows the discrete state after the last pass
}

// From x = 0 with x' = -1: AT x < 0 is false, AFTER true. Once, and the row of the start has it.
static void what_becomes_true_behind_the_start_counts_once(void **state) {
  (void)state;
  ask("state x = 0, n = 0\nx' = -1\nwhen x < 0 do n := n + 1\noutput n\nsimulate to 1 every 1\n");
  is(0, "n", 1);
  is(1, "n", 1);
  assert_int_equal(answer.event_count, 1);
}

// True at the start is not become true.
static void what_is_true_at_the_start_does_not_count(void **state) {
  (void)state;
  ask("state x = -1, n = 0\nx' = -1\nwhen x < 0 do n := n + 1\noutput n\nsimulate to 1 every 1\n");
  is(1, "n", 0);
}

// x is set to the limit and leaves it again, at t = 1.
static void a_wall_without_a_hold_chatters(void **state) {
  (void)state;
  ask("state x = 2\nx' = -1\nwhen x < 1 do x := 1\noutput x\nsimulate to 3 every 1\n");
  assert_int_equal(answer.ending, ends_chattering);
  assert_true(answer.t == 1);
}

// At t = 1 r jumps to 5 (AT t < 1 is false): c = limit(5 - 0) = 1, so x(1.5) = 0.5, c(1.5) = limit(4.5) = 1.
static void samples_read_the_new_input(void **state) {
  (void)state;
  ask("input r = if(t < 1, 0, 5)\nstate x = 0, c = 0\nx' = c\nevery 0.5 do c := limit(r - x, -1, 1)\n"
      "output c, x\nsimulate to 2 every 0.5\n");
  is(0.5, "c", 0);
  is(1, "c", 1);
  is(1.5, "x", 0.5);
}

// The second statement sees the first: a = 2, c = |2 - 1| = 1; then a = 0, c = 1.
static void samples_at_one_time_follow_the_text(void **state) {
  (void)state;
  ask("state a = 0, c = 0\nevery 1 do a := 2 - a\nevery 1 do c := abs(a - 1)\noutput a, c\nsimulate to 2 every 1\n");
  is(0, "c", 1);
  is(1, "a", 0);
  is(1, "c", 1);
}

// In contact w = t - 1/2 until t = 1. Then the input falls by 0.3: w rests at 0.5 until t - 0.3 - 0.5 = 0.5.
static void play_lets_go_behind_a_memory(void **state) {
  (void)state;
  ask("state x = 0\nx' = 1\nlet m = latch(x > 1, 0 > 1)\nlet w = backlash(x - 0.25*m, 1)\noutput w\n"
      "simulate to 1.5 every 0.25\n");
  is(0.25, "w", 0);
  is(0.75, "w", 0.25);
  is(1, "w", 0.5);
  is(1.25, "w", 0.5);
  is(1.5, "w", 0.75);
}

// max(min(x, 0), 0) is 0 for every x; mod is never negative.
static void what_holds_for_no_number_is_never_true(void **state) {
  (void)state;
  ask("state x = 1, n = 0\nx' = -1\nwhen max(min(x, 0), 0) < 0 do n := n + 1\nwhen mod(x, 1.5) < 0 do n := n + 1\n"
      "when abs(mod(x, 1.5) - 0.75) - 0.75 > 0 do n := n + 1\nwhen (x > 0) and (max(x, 0) <= 0) do n := n + 1\n"
      "when not ((ramp(x) <= 0) or (x > 0)) do n := n + 1\noutput n\nsimulate to 5 every 1\n");
  is(5, "n", 0);
}

// x = 1 - t/2 is 0 at t = 2; there 1/2 - z = 0 holds it, z = 1/2. x > 0 is false, x >= 0 true, sign(x) shows z.
static void friction_holds(void **state) {
  (void)state;
  ask("state x = 1\nx' = 0.5 - sign(x)\noutput x, z = sign(x), a = x > 0, b = x >= 0\nsimulate to 4 every 1\n");
  is(1, "z", 1);
  is(2, "z", 0.5);
  is(3, "x", 0);
  is(3, "z", 0.5);
  is(3, "a", 0);
  is(3, "b", 1);
}

// Two guards that hold each other: x' = 1 - sign(x) + y', y' = 1/2 - sign(y) - 1/2*sign(x) with both at 0.
// Held: z_y = 1/2 - z_x/2 and z_x = 1: 1 is in the box, so z_y = 0.
static void guards_are_held_together(void **state) {
  (void)state;
  ask("state x = 0, y = 0\nx' = 1 - sign(x)\ny' = 0.5 - sign(y) - 0.5*sign(x)\noutput x, y, a = sign(x), b = sign(y)\n"
      "simulate to 1 every 1\n");
  is(1, "x", 0);
  is(1, "y", 0);
  is(1, "a", 1);
  is(1, "b", 0);
}

// x' = sign(x) from 0 might stay, rise or fall: it stays, as sign(0) = 0 says; step(0) is 1, so y rises.
static void a_ridge_is_left_as_its_operator_says(void **state) {
  (void)state;
  ask("state x = 0, y = 0\nx' = sign(x)\ny' = step(y)\noutput x, y\nsimulate to 1 every 1\n");
  is(1, "x", 0);
  is(1, "y", 1);
}

// x comes to 0 just when the sample turns it: AT x <= 0 holds, x < 0 never.
static void a_touch_is_at_the_limit_and_not_behind(void **state) {
  (void)state;
  ask("state x = 0, d = 1, n = 0, k = 0\nx' = d\nevery 1 do d := -d\nwhen x <= -1 do n := n + 1\n"
      "when x < -1 do k := k + 1\noutput x, n, k\nsimulate to 4 every 1\n");
  is(1, "x", -1);
  is(1, "n", 1);
  is(3, "n", 2);
  is(4, "k", 0);
}

// Both pass 0 at t = 1: no pass sees one before and the other behind.
static void equal_times_are_seen_by_all(void **state) {
  (void)state;
  ask("state x = -1, y = -2, n = 0\nx' = 1\ny' = 2\nwhen (x > 0) and (y <= 0) do n := n + 1\n"
      "when (x <= 0) and (2*y > 0) do n := n + 1\noutput n\nsimulate to 2 every 1\n");
  is(2, "n", 0);
}

// p jumps at 1/2, its image at 3/2 shows the new value; AT t = 1/2 + 1 counts, too.
static void images_of_jumps_show_the_new_value(void **state) {
  (void)state;
  ask("state p = 0, q = 0\nwhen t >= 0.5 do p := 1\nwhen delay(p, 1) > 0.5 do q := 1\n"
      "output q, d = delay(p, 1, 3)\nsimulate to 2 every 0.5\n");
  is(0.5, "d", 3);
  is(1, "d", 0); // at the start p was 0
  is(1.5, "d", 1);
  is(1.5, "q", 1);
}

// On from t = 1 to 2; x is still 1 then.
static void a_pulse_whose_trigger_stays_is_an_error(void **state) {
  (void)state;
  ask("state x = -1\nx' = 1\nlet m = pulse(x > 0, 1)\noutput m\nsimulate to 4 every 0.5\n");
  assert_int_equal(answer.ending, ends_block);
  assert_true(answer.t == 2);
  is(1, "m", 1);
  is(1.5, "m", 1);
}

// A chain: x > 0 sets p in (d); behind the instant p > 1/2 sets q, then q > 1/2 ends the run, all at t = 1.
static void chains_end_in_one_instant(void **state) {
  (void)state;
  ask("state x = -1, p = 0, q = 0\nx' = 1\nwhen q > 0.5 do stop\nwhen p > 0.5 do q := 1\nwhen x > 0 do p := 1\n"
      "output p, q\nsimulate to 4 every 0.75\n");
  assert_int_equal(answer.ending, ends_stop);
  assert_true(answer.t == 1);
  is(1, "q", 1);
  assert_int_equal(answer.event_count, 3);
  assert_int_equal(answer.events[0].when, 2);
  assert_int_equal(answer.events[2].when, 0);
}

// A thermostat without a gap between its limits.
static void two_whens_at_one_limit_chatter(void **state) {
  (void)state;
  ask("state x = -1, c = 1\nx' = c\nwhen x > 0 do c := -1\nwhen x < 0 do c := 1\noutput x\nsimulate to 2 every 1\n");
  assert_int_equal(answer.ending, ends_chattering);
  assert_true(answer.t == 1);
}

// u is 1 AT 0 and 0 behind: the play starts at 1, then its output is 0 + 3/4, and that is where it rests.
static void play_follows_a_jump_behind_the_start(void **state) {
  (void)state;
  ask("input u = if(t <= 0, 1, 0) + 0.5*step(t - 1)\nlet m = backlash(u, 1.5)\noutput m\nsimulate to 2 every 0.5\n");
  is(0.5, "m", 0.75);
  is(1, "m", 0.75);
}

// In contact the output falls to x + 1/2 = -3/2 at t = 2, and rests there when x jumps to -3/2; then x pushes it up.
static void play_rests_where_it_was_before_a_jump(void **state) {
  (void)state;
  ask("state x = 0, d = 1\nx' = -d\nevery 2 do x := x + 0.5*step(t - 1), d := step(1 - t)\n"
      "let m = backlash(x, 1)\noutput m\nsimulate to 3 every 1\n");
  is(1, "m", -0.5);
  is(2, "m", -1.5);
  is(3, "m", -1.5);
}

static bool same_answers(const Answer *a, const Answer *b, const Model *m) {
  if (a->ending != b->ending || a->row_count != b->row_count || a->event_count != b->event_count) return false;
  for (int r = 0; r < a->row_count; r++)
    for (int k = 0; k < m->output_count; k++)
      if (a->rows[r][k] != b->rows[r][k]) return false;
  return true;
}

// The text of a model is the model.
static void texts_are_read_as_they_were_meant(void **state) {
  (void)state;
  static Model again;
  static Text text;
  char error[200];
  for (uint64_t i = 0; i < 300; i++) {
    generate(&model, i);
    model_print(&model, &text);
    if (!model_read(text.text, &again, error)) fail_msg("%s in\n%s", error, text.text);
    oracle_run(&model, twin_none, &answer);
    oracle_run(&again, twin_none, &other);
    if (!same_answers(&answer, &other, &model)) fail_msg("read otherwise:\n%s", text.text);
  }
}

static void twins_are_seen(void **state) {
  (void)state;
  for (int twin = 1; twin < twin_count; twin++) {
    int seen = 0;
    for (uint64_t i = 0; i < 2000; i++) {
      generate(&model, i);
      oracle_run(&model, twin_none, &answer);
      if (answer.ending >= skip_close) continue;
      oracle_run(&model, (Twin)twin, &other);
      seen += !same_answers(&answer, &other, &model);
    }
    print_message("%s: seen in %d of 2000 models\n", twin_words[twin], seen);
    assert_true(seen > 3);
  }
}

// The generator finds what it looks for, and the oracle has an answer.
static void generated_models_are_what_they_should_be(void **state) {
  (void)state;
  int happened[happened_count] = {0}, endings[ending_count] = {0}, skipped = 0;
  for (uint64_t i = 0; i < 3000; i++) {
    generate(&model, i);
    assert_false(model.full);
    oracle_run(&model, twin_none, &answer);
    endings[answer.ending]++;
    skipped += answer.ending >= skip_close;
    for (int k = 0; k < happened_count; k++) happened[k] += answer.happened[k] > 0;
  }
  print_message("%d of 3000 skipped\n", skipped);
  assert_true(skipped < 3000 / 20);
  for (int k = 0; k < happened_count; k++) {
    if (happened[k] < 10) fail_msg("%s happened in %d models", happened_words[k], happened[k]);
  }
  assert_true(endings[ends_stop] > 10 && endings[ends_chattering] > 10 && endings[ends_block] > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(complementary_conditions_set_once),
      cmocka_unit_test(what_becomes_true_behind_the_start_counts_once),
      cmocka_unit_test(what_is_true_at_the_start_does_not_count),
      cmocka_unit_test(a_wall_without_a_hold_chatters),
      cmocka_unit_test(samples_read_the_new_input),
      cmocka_unit_test(samples_at_one_time_follow_the_text),
      cmocka_unit_test(play_lets_go_behind_a_memory),
      cmocka_unit_test(what_holds_for_no_number_is_never_true),
      cmocka_unit_test(friction_holds),
      cmocka_unit_test(guards_are_held_together),
      cmocka_unit_test(a_ridge_is_left_as_its_operator_says),
      cmocka_unit_test(a_touch_is_at_the_limit_and_not_behind),
      cmocka_unit_test(equal_times_are_seen_by_all),
      cmocka_unit_test(images_of_jumps_show_the_new_value),
      cmocka_unit_test(a_pulse_whose_trigger_stays_is_an_error),
      cmocka_unit_test(chains_end_in_one_instant),
      cmocka_unit_test(two_whens_at_one_limit_chatter),
      cmocka_unit_test(play_follows_a_jump_behind_the_start),
      cmocka_unit_test(play_rests_where_it_was_before_a_jump),
      cmocka_unit_test(texts_are_read_as_they_were_meant),
      cmocka_unit_test(twins_are_seen),
      cmocka_unit_test(generated_models_are_what_they_should_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
