// Laws of units: what is consistent stays so in any order, under any names and with any of its units left out; what is
// broken is found; what has no units is never complained of.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "viva/viva.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_text = 8192, most_lines = 60, most_names = 120 };

static const char *const examples[] = {"cart_double_pendulum", "chain",           "crank_elastic",
                                       "crank_rigid",          "dc_motor",        "electromagnet",
                                       "inverted_pendulum",    "lc_parallel",     "lc_parallel_saturating",
                                       "quarter_car",          "rlc_series",      "robot_on_flexible_base",
                                       "saturating_coil",      "triple_pendulum", "two_masses"};
enum { example_count = sizeof examples / sizeof *examples };

// A slip each: a lost mass, a squared length, a force for a torque, ...
static const struct {
  const char *example, *right, *wrong;
} slips[] = {
    {"inverted_pendulum", "1/2*M*x'^2", "1/2*x'^2"},
    {"inverted_pendulum", "m*g*P.y", "m*P.y"},
    {"inverted_pendulum", "m*g*P.y", "m*g*P.y^2"},
    {"inverted_pendulum", "l*cos(th)]", "l^2*cos(th)]"},
    {"inverted_pendulum", "1/2*delta*x'^2", "1/2*delta*x^2"},
    {"inverted_pendulum", "force x = u", "force x = u*l"},
    {"inverted_pendulum", "1/2*m*|P'|^2", "1/2*m*|P'|"},
    {"inverted_pendulum", "1/2*m*|P'|^2", "1/2*m*|P|^2"},
    {"inverted_pendulum", "g = 9.81 [m/s^2]", "g = 9.81 [m/s]"},
    {"inverted_pendulum", "x + l*sin(th)", "x + sin(th)"},
    {"inverted_pendulum", "l*sin(th)", "l*sin(x)"},
    {"cart_double_pendulum", "m2*g*P1.y", "m2*g*th1"},
    {"cart_double_pendulum", "1/2*d2*th1'^2", "1/2*d2*x'^2"},
    {"cart_double_pendulum", "d2 = 0.2 [N*m*s]", "d2 = 0.2 [N*m]"},
    {"crank_rigid", "sqrt(L^2 - R^2*sin(th)^2)", "sqrt(L^2 - R*sin(th)^2)"},
    {"crank_rigid", "tau*th' - Fp*y'", "tau*th' - Fp*y"},
    {"crank_rigid", "D + R*cos(th)", "D*R*cos(th)"},
    {"crank_elastic", "1/2*kr*(rod - L)^2", "1/2*kr*(rod - L)"},
    {"crank_elastic", "force y = -Fp", "force y = -tau"},
    {"crank_elastic", "1/2*bp*y'^2", "1/2*bp*y'"},
    {"dc_motor", "km*gm(qe')*qa' - Tc", "km*gm(qe')*qa - Tc"},
    {"dc_motor", "psis*tanh(i/Is)", "psis*tanh(i/psis)"},
    {"dc_motor", "integral_of(gm(s), s, 0, qe')", "integral_of(gm(s), s, 0, qe)"},
    {"dc_motor", "force qe = Ue", "force qe = Ue*Re"},
    {"electromagnet", "1/2*k*(qm - xd)^2", "1/2*k*(qm - xd^2)^2"},
    {"electromagnet", "Fc + m*g", "Fc + m"},
    {"lc_parallel", "q1^2/(2*C)", "q1/(2*C)"},
    {"lc_parallel", "E*(q1' + q2')", "E*(q1 + q2')"},
    {"rlc_series", "1/2*L*q'^2", "1/2*L*q^2"},
    {"rlc_series", "R = 2 [ohm]", "R = 2 [ohm/m]"},
    {"quarter_car", "1/2*kn*(x0 - q1 + Dn)^2", "1/2*kn*(x0' - q1 + Dn)^2"},
    {"quarter_car", "1/2*Bs*(q1' - q2')^2", "1/2*ks*(q1' - q2')^2"},
    {"quarter_car", "stroke = q1 - q2 + Ds", "stroke = q1 - q2' + Ds"},
    {"robot_on_flexible_base", "mT*g*tool.y", "mT*g*q2"},
    {"robot_on_flexible_base", "mB*g*q1", "g*q1"},
    {"robot_on_flexible_base", "(q3 + l)*cos(q2)", "(q3 + q2)*cos(q2)"},
    {"saturating_coil", "L0*i/sqrt(1 + (i/Is)^2)", "L0*i^2/sqrt(1 + (i/Is)^2)"},
    {"triple_pendulum", "m[i]*g*P[i].y", "m[i]*P[i].y"},
    {"triple_pendulum", "-l*cos(th[i])", "-cos(th[i])"},
    {"two_masses", "1/2*k*(q1 - q2 - D)^2", "1/2*k*(q1 - q2 - D)^3"},
    {"two_masses", "1/2*m1*q1'^2", "1/2*m1*q1'"},
    {"chain", "m*g*P[i].y", "m*g*th[i]"},
    {"lc_parallel_saturating", "L0*Is^2*(", "L0*Is*("},
    {"two_masses", "F1*q1' - F2*q2'", "F1*q1' - F2*q2"},
    {"chain", "1/2*m*|P[i]'|^2", "1/2*|P[i]'|^2"},
    {"inverted_pendulum", "l = 2 [m]", "l = 2 [s]"},
};
enum { slip_count = sizeof slips / sizeof *slips };

static void read_example(const char *name, char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/examples/%s.viva", VIVA_ROOT, name);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  size_t n = fread(text, 1, most_text - 1, f);
  text[n] = '\0';
  fclose(f);
}

static void replace(const char *text, const char *old, const char *new, char *out) {
  const char *at = strstr(text, old);
  assert_non_null(at);
  snprintf(out, most_text, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

static viva_model *parse(const char *text) {
  viva_model *model = NULL;
  viva_status status = viva_model_parse(VIVA_ROOT "/examples/law.viva", text, strlen(text), NULL, &model);
  if (status != VIVA_OK) print_error("%s\n%s", text, viva_model_diagnostic(model, 0).text);
  assert_int_equal(status, VIVA_OK);
  return model;
}

// A slip may also leave a coordinate without inertia: other complaints do not count.
static size_t clashes(const char *text, bool tell) {
  viva_model *model = NULL;
  viva_status status = viva_model_parse(VIVA_ROOT "/examples/law.viva", text, strlen(text), NULL, &model);
  assert_true(status == VIVA_OK || status == VIVA_EINPUT);
  size_t count = 0;
  for (size_t i = 0; i < viva_model_diagnostic_count(model); i++) {
    viva_diagnostic d = viva_model_diagnostic(model, i);
    if (strcmp(d.code, "units") != 0) continue;
    count++;
    if (tell) print_error("%s", d.text);
  }
  viva_model_free(model);
  return count;
}

// ---- units in a text

// The next unit from `at` on: a bracket after a blank that holds no list.
static const char *next_unit(const char *at, const char **end) {
  for (const char *s = strstr(at, " ["); s; s = strstr(s + 1, " [")) {
    const char *stop = strchr(s, ']');
    if (!stop) return NULL;
    bool unit = isalpha((unsigned char)s[2]) || s[2] == '1';
    for (const char *c = s + 2; c < stop; c++) unit = unit && !strchr(", +'()[", *c);
    if (!unit) continue;
    *end = stop + 1;
    return s;
  }
  return NULL;
}

static void without_units(const char *text, char *out) {
  const char *end;
  for (const char *s; (s = next_unit(text, &end)) != NULL; text = end) {
    memcpy(out, text, (size_t)(s - text));
    out += s - text;
  }
  strcpy(out, text);
}

static void examples_are_silent(void **state) {
  (void)state;
  char text[most_text];
  for (size_t i = 0; i < example_count; i++) {
    read_example(examples[i], text);
    assert_int_equal(clashes(text, true), 0);
  }
}

static void slips_are_found(void **state) {
  (void)state;
  char text[most_text], broken[most_text];
  for (size_t i = 0; i < slip_count; i++) {
    read_example(slips[i].example, text);
    replace(text, slips[i].right, slips[i].wrong, broken);
    size_t count = clashes(broken, false);
    if (!count) print_error("%s: %s for %s\n", slips[i].example, slips[i].wrong, slips[i].right);
    assert_true(count > 0);
  }
  print_message("%d slips\n", (int)slip_count);
}

static void without_units_nothing_is_said(void **state) {
  (void)state;
  char text[most_text], broken[most_text], plain[most_text];
  for (size_t i = 0; i < slip_count; i++) {
    read_example(slips[i].example, text);
    replace(text, slips[i].right, slips[i].wrong, broken);
    without_units(broken, plain);
    assert_int_equal(clashes(plain, true), 0);
  }
}

// ---- what is found about the names

typedef struct Units {
  char name[most_names][64], unit[most_names][64]; // unit "": not known
  size_t count;
} Units;

static void take_string(const char *at, char *out, size_t size) {
  size_t n = 0;
  for (at++; *at && *at != '"' && n + 1 < size; at++) out[n++] = *at;
  out[n] = '\0';
}

static void find_units(const char *text, Units *u) {
  viva_model *model = parse(text);
  viva_check *check = NULL;
  assert_int_equal(viva_check_model(model, &check), VIVA_OK);
  const char *json = viva_check_text(check, VIVA_FORMAT_JSON), *end = strstr(json, "\"constants\"");
  u->count = 0;
  for (const char *s = strstr(json, "{\"name\": "); s && s < end; s = strstr(s + 1, "{\"name\": ")) {
    assert_true(u->count < most_names);
    take_string(s + strlen("{\"name\": "), u->name[u->count], 64);
    const char *unit = strstr(s, "\"unit\": ") + strlen("\"unit\": ");
    u->unit[u->count][0] = '\0';
    if (*unit == '"') take_string(unit, u->unit[u->count], 64);
    u->count++;
  }
  viva_check_free(check);
  viva_model_free(model);
}

static const char *unit_of(const Units *u, const char *name) {
  for (size_t i = 0; i < u->count; i++) {
    if (strcmp(u->name[i], name) == 0) return u->unit[i];
  }
  return NULL;
}

static void order_does_not_matter(void **state) {
  (void)state;
  static char text[most_text], mixed[most_text];
  static Units before, after;
  for (size_t i = 0; i < example_count; i++) {
    read_example(examples[i], text);
    find_units(text, &before);
    for (uint64_t seed = 1; seed <= 3; seed++) {
      const char *lines[most_lines];
      size_t count = 0, used = 0;
      for (char *s = text; *s && count < most_lines; s = strchr(s, '\n') + 1) lines[count++] = s;
      // Fisher and Yates
      for (size_t k = count; k > 1; k--) {
        size_t j = random_bits(seed, k) % k;
        const char *swap = lines[k - 1];
        lines[k - 1] = lines[j];
        lines[j] = swap;
      }
      for (size_t k = 0; k < count; k++) {
        size_t n = strcspn(lines[k], "\n") + 1;
        memcpy(mixed + used, lines[k], n);
        used += n;
      }
      mixed[used] = '\0';
      assert_int_equal(clashes(mixed, true), 0);
      find_units(mixed, &after);
      assert_int_equal(before.count, after.count);
      for (size_t k = 0; k < before.count; k++) assert_string_equal(unit_of(&after, before.name[k]), before.unit[k]);
    }
  }
}

static void names_do_not_matter(void **state) {
  (void)state;
  static const char *const pairs[][2] = {{"m", "zz_mass"}, {"l", "aa"},     {"x", "way"}, {"g", "Gee"},
                                         {"k", "stiff"},   {"q", "charge"}, {"R", "res"}};
  static char text[most_text], other[most_text];
  static Units before, after;
  for (size_t i = 0; i < example_count; i++) {
    read_example(examples[i], text);
    find_units(text, &before);
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
      char *out = other;
      size_t n = strlen(pairs[p][0]);
      const char *unit_end = NULL, *unit = next_unit(text, &unit_end);
      for (const char *s = text; *s;) {
        if (unit && s == unit) { // units have their own names
          memcpy(out, s, (size_t)(unit_end - s));
          out += unit_end - s;
          s = unit_end;
          unit = next_unit(s, &unit_end);
          continue;
        }
        bool word = (s == text || (!isalnum((unsigned char)s[-1]) && s[-1] != '_')) &&
                    strncmp(s, pairs[p][0], n) == 0 && !isalnum((unsigned char)s[n]) && s[n] != '_';
        if (word) {
          strcpy(out, pairs[p][1]);
          out += strlen(pairs[p][1]);
          s += n;
        } else {
          *out++ = *s++;
        }
      }
      *out = '\0';
      assert_int_equal(clashes(other, true), 0);
      find_units(other, &after);
      const char *old = unit_of(&before, pairs[p][0]), *new = unit_of(&after, pairs[p][1]);
      assert_true((old == NULL) == (new == NULL));
      if (old) assert_string_equal(old, new);
    }
  }
}

static const char *normal(const char *unit) {
  if (strcmp(unit, "ohm") == 0) return "Ω";
  if (strcmp(unit, "kg*m^2/s^2") == 0) return "J";
  return unit;
}

// What one unit less leaves is consistent, and what is inferred in its place is what was written there.
static void any_unit_may_be_left_out(void **state) {
  (void)state;
  static char text[most_text], less[most_text];
  static Units before, after;
  size_t inferred = 0, lost = 0;
  for (size_t i = 0; i < example_count; i++) {
    if (strcmp(examples[i], "chain") == 0) continue; // long, and of two units
    read_example(examples[i], text);
    find_units(text, &before);
    const char *end;
    for (const char *s = next_unit(text, &end); s; s = next_unit(end, &end)) {
      // a unit in another scale changes the numbers, but that is no matter here
      snprintf(less, sizeof less, "%.*s%s", (int)(s - text), text, end);
      assert_int_equal(clashes(less, true), 0);
      find_units(less, &after);
      for (size_t k = 0; k < after.count; k++) {
        const char *was = unit_of(&before, after.name[k]);
        if (!after.unit[k][0] || !was[0]) {
          lost += was[0] != '\0';
          continue;
        }
        bool same = strcmp(normal(was), normal(after.unit[k])) == 0;
        // an angle that is no longer written as one
        same = same || (strcmp(after.unit[k], "1") == 0 && strcmp(was, "rad") == 0) ||
               (strcmp(after.unit[k], "1/s") == 0 && strcmp(was, "rad/s") == 0);
        if (!same)
          print_error("%s: %s was %s and is %s without `%.*s`\n", examples[i], after.name[k], was, after.unit[k],
                      (int)(end - s), s);
        assert_true(same);
        inferred++;
      }
    }
  }
  print_message("%zu units kept or inferred, %zu not known\n", inferred, lost);
  assert_true(inferred > 20 * lost);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_are_silent),           cmocka_unit_test(slips_are_found),
      cmocka_unit_test(without_units_nothing_is_said), cmocka_unit_test(order_does_not_matter),
      cmocka_unit_test(names_do_not_matter),           cmocka_unit_test(any_unit_may_be_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
