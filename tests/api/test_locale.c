// A host program with a decimal comma: every text is the same, byte by byte, and what was written is read back.
#define _XOPEN_SOURCE 700
#include "tests/support.h"

#include "viva/viva.h"

#include <locale.h>
#include <pthread.h>
#include <unistd.h>

enum { most_texts = 40 };

typedef struct Texts {
  const char *names[most_texts];
  char *items[most_texts];
  int count;
} Texts;

static char folder[] = "/tmp/viva-locale-XXXXXX";

static const char model_text[] = "title \"A swing\"\nparam m = 1.25 [kg], k = 3.5 [N/m], d = 0.125 [N*s/m]\ncoord x = "
                                 "0.75 [m]\nstate z = 0.5\nkinetic 1/2*m*x'^2\npotential 1/2*k*x^2 + 0.1*x^4\n"
                                 "dissipation 1/2*d*x'^2\nz' = -1.5*z + delay(x, 0.25)\nplot x\nplot z against x\ndraw "
                                 "mass [x, 0.5]\noutput x, v = x'\nsimulate to 1.5 step 0.125\n";
static const char plain_text[] = "param m = 1.25, k = 3.5\ncoord x = 0.75\nkinetic 1/2*m*x'^2\npotential "
                                 "1/2*k*x^2\noutput x\nsimulate to 1.5 step 0.125\n";

// How long a run took differs from run to run: its digits become one n, its mark stays.
static void mask_seconds(char *text) {
  static const char *const before[] = {"evaluations, ", "\"seconds\": ", "computed in "};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    for (char *at = text; (at = strstr(at, before[i]));) {
      at += strlen(before[i]);
      char *to = at, *from = at;
      for (; *from && strchr("0123456789.,e+-", *from); from++) {
        bool digit = (*from >= '0' && *from <= '9') || strchr("e+-", *from);
        if (!digit) *to++ = *from;
        else if (to == at || to[-1] != 'n') *to++ = 'n';
      }
      memmove(to, from, strlen(from) + 1);
    }
  }
}

static void keep(Texts *t, const char *name, const char *text) {
  assert_true(t->count < most_texts);
  t->names[t->count] = name;
  t->items[t->count] = strdup(text ? text : "(none)");
  mask_seconds(t->items[t->count++]);
}

static char *slurp(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s is not there", path);
  char *text = calloc(1, 1 << 22);
  size_t n = fread(text, 1, (1 << 22) - 1, f);
  assert_true(n > 0);
  fclose(f);
  return text;
}

static void keep_file(Texts *t, const char *name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *text = slurp(path);
  keep(t, name, text);
  free(text);
  unlink(path);
}

static const char *at(const char *name) {
  static char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void take_runs(Texts *t, const viva_model *m) {
  viva_run_options o = viva_run_defaults();
  viva_run *run;
  viva_csv *csv;
  int error;
  o.save = true;
  o.energy = true;
  assert_int_equal(viva_csv_open(at("a.csv"), &csv, &error), VIVA_OK);
  viva_sink sink = viva_csv_sink(csv);
  assert_int_equal(viva_run_model(m, &o, &sink, &run), VIVA_OK);
  assert_int_equal(viva_csv_close(csv, &error), VIVA_OK);
  keep(t, "summary", viva_run_summary(run, VIVA_FORMAT_TEXT));
  keep(t, "summary, JSON", viva_run_summary(run, VIVA_FORMAT_JSON));
  assert_int_equal(viva_run_save(run, at("state"), &error), VIVA_OK);
  viva_run_free(run);
  // on from what was saved
  char state[200];
  snprintf(state, sizeof state, "%s/state", folder);
  o.resume = state;
  o.to = 2.5;
  assert_int_equal(viva_csv_open(at("b.csv"), &csv, &error), VIVA_OK);
  sink = viva_csv_sink(csv);
  assert_int_equal(viva_run_model(m, &o, &sink, &run), VIVA_OK);
  assert_int_equal(viva_csv_close(csv, &error), VIVA_OK);
  keep(t, "summary of the second part", viva_run_summary(run, VIVA_FORMAT_TEXT));
  viva_run_free(run);
  // a message with numbers
  o.to = 0.5;
  assert_int_equal(viva_run_model(m, &o, NULL, &run), VIVA_EINPUT);
  keep(t, "message", viva_run_message(run));
  viva_run_free(run);
  keep_file(t, "a.csv");
  keep_file(t, "b.csv");
  keep_file(t, "state");
}

static void take_figures(Texts *t, const viva_model *m) {
  static const viva_figure_kind kinds[] = {VIVA_FIGURE_PLOTS, VIVA_FIGURE_ANIMATION, VIVA_FIGURE_GHOSTS};
  for (int i = 0; i < 3; i++) {
    viva_figure_options fo = viva_figure_defaults();
    viva_figure *figure;
    viva_run *run;
    fo.kind = kinds[i];
    assert_int_equal(viva_figure_new(m, &fo, &figure), VIVA_OK);
    viva_run_options o = viva_run_defaults();
    o.figure = figure;
    assert_int_equal(viva_run_model(m, &o, NULL, &run), VIVA_OK);
    static const viva_picture pictures[] = {VIVA_PICTURE_SVG, VIVA_PICTURE_TERMINAL, VIVA_PICTURE_HTML};
    for (int k = 0; k < 3; k++) {
      char *data = NULL;
      size_t length;
      if (viva_figure_draw(figure, pictures[k], &data, &length) == VIVA_OK) keep(t, "picture", data);
      viva_text_free(data);
    }
    viva_run_free(run);
    viva_figure_free(figure);
  }
}

static void take_equations(Texts *t, const viva_model *m) {
  for (int form = 0; form <= VIVA_FORM_SOLVED; form++) {
    for (int format = 0; format <= VIVA_FORMAT_MATHML; format++) {
      viva_derive_options d = {
          .form = (viva_form)form, .format = (viva_format)format, .digits = format == VIVA_FORMAT_TEXT ? 6 : 0};
      char *text = NULL;
      assert_int_equal(viva_derive(m, &d, &text), VIVA_OK);
      keep(t, "equations", text);
      viva_text_free(text);
    }
  }
  viva_check *check;
  assert_int_equal(viva_check_model(m, &check), VIVA_OK);
  keep(t, "facts", viva_check_text(check, VIVA_FORMAT_JSON));
  viva_check_free(check);
}

static void take_all(Texts *t) {
  viva_model *m, *plain, *old;
  assert_int_equal(viva_model_parse("m.viva", model_text, strlen(model_text), NULL, &m), VIVA_OK);
  assert_int_equal(viva_model_parse("p.viva", plain_text, strlen(plain_text), NULL, &plain), VIVA_OK);
  take_runs(t, m);
  take_figures(t, m);
  take_equations(t, plain);
  viva_linearization *l;
  assert_int_equal(viva_linearize(plain, NULL, &l), VIVA_OK);
  keep(t, "linear model", viva_linearization_text(l, VIVA_FORMAT_TEXT));
  keep(t, "linear model, JSON", viva_linearization_text(l, VIVA_FORMAT_JSON));
  viva_linearization_free(l);
  viva_report *report;
  assert_int_equal(viva_report_model(m, NULL, &report), VIVA_OK);
  keep(t, "report", viva_report_page(report, NULL));
  viva_report_free(report);
  assert_int_equal(viva_export_c(plain, NULL, folder, NULL, NULL), VIVA_OK);
  keep_file(t, "model.c");
  keep_file(t, "model.h");
  keep_file(t, "main.c");
  keep_file(t, "Makefile");
  char *text = NULL, *message = NULL;
  assert_int_equal(viva_import_file(VIVA_ROOT "/examples/sdsc/vanderpol.dat", NULL, &text, &message), VIVA_OK);
  keep(t, "data file", text);
  viva_text_free(text);
  viva_text_free(message);
  assert_int_equal(viva_model_load(VIVA_ROOT "/examples/sdsc/vanderpol.dat", NULL, &old), VIVA_OK);
  viva_model_free(old);
  viva_model_free(m);
  viva_model_free(plain);
}

// A locale with a decimal comma: one of the system, or one made for this test.
static bool take_comma(void) {
  static const char *const known[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  char command[700];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (setlocale(LC_ALL, known[i])) return true;
  }
  snprintf(command, sizeof command,
           "cd %s && printf 'comment_char %%%%\\nescape_char /\\nLC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep "
           "\".\"\\ngrouping 3;3\\nEND LC_NUMERIC\\n' > comma.src && "
           "localedef -c -i comma.src -f ANSI_X3.4-1968 ./xx_XX > /dev/null 2>&1; test -f xx_XX/LC_NUMERIC",
           folder);
  if (system(command) != 0) return false;
  setenv("LOCPATH", folder, 1);
  return setlocale(LC_NUMERIC, "xx_XX") != NULL;
}

static void a_decimal_comma_changes_no_text(void **state) {
  (void)state;
  Texts usual = {0}, comma = {0};
  assert_non_null(setlocale(LC_ALL, "C"));
  take_all(&usual);
  if (!take_comma()) {
    print_message("SKIPPED: no locale with a decimal comma, and no localedef\n");
    skip();
  }
  char shown[32];
  snprintf(shown, sizeof shown, "%.1f", 1.5);
  assert_string_equal(shown, "1,5"); // it is one
  take_all(&comma);
  // it stays what the host program chose
  snprintf(shown, sizeof shown, "%.1f", 1.5);
  assert_string_equal(shown, "1,5");
  setlocale(LC_ALL, "C");
  assert_int_equal(usual.count, comma.count);
  for (int i = 0; i < usual.count; i++) {
    if (strcmp(usual.items[i], comma.items[i]) != 0) {
      size_t k = 0;
      while (usual.items[i][k] == comma.items[i][k]) k++;
      k = k > 40 ? k - 40 : 0;
      fail_msg("%s (text %d): %.100s\nand with a comma: %.100s", usual.names[i], i, usual.items[i] + k,
               comma.items[i] + k);
    }
    free(usual.items[i]);
    free(comma.items[i]);
  }
}

static void bits_come_back(void **state) {
  (void)state;
  const double values[] = {0,
                           -0.0,
                           1,
                           -1,
                           0.1,
                           1.5,
                           1e300,
                           5e-324,
                           2.2250738585072014e-308,
                           1.7976931348623157e308,
                           -3.141592653589793,
                           4503599627370497.5};
  char text[number_text_size], usual[64];
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    double back = 7;
    number_print_bits(values[i], text);
    snprintf(usual, sizeof usual, "%a", values[i]); // of the C library: another program's word for it
    assert_string_equal(text, usual);
    const char *end = number_read_bits(text, &back);
    assert_true(end && !*end && memcmp(&back, &values[i], sizeof back) == 0);
  }
  static const char *const bad[] = {"",          "1",         "0x",       "0x2p+0", "0x1p",    "0x1p+",    "0x1.p+0",
                                    "0x1p+1024", "0x1p-1023", "0x1,8p+0", "1.5",    " 0x1p+0", "0x1.8P+0", "+0x1p+0"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double back;
    if (number_read_bits(bad[i], &back)) fail_msg("`%s` is taken", bad[i]);
  }
}

int main(void) {
  if (!mkdtemp(folder)) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_decimal_comma_changes_no_text),
                                     cmocka_unit_test(bits_come_back)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) == 0 ? failed : 1;
}
