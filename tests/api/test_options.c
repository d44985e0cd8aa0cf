// Calls that are wrong are told so: holes in lists, files that may not be written over, damaged states.
#define _XOPEN_SOURCE 700
#include "tests/support.h"

#include "viva/viva.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const char text[] = "param k = 1\ncoord x = 1\ninput u = 0\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\nforce x = "
                           "u\nsimulate to 1 step 0.1\n";

static void lists_have_no_holes(void **state) {
  (void)state;
  const char *const holes[] = {"k=2", NULL};
  viva_model *model = (viva_model *)1;
  viva_load_options o = viva_load_defaults();
  o.set = holes;
  o.set_count = 2;
  assert_int_equal(viva_model_parse("m", text, strlen(text), &o, &model), VIVA_EUSAGE);
  assert_int_equal(viva_model_load("m", &o, &model), VIVA_EUSAGE);
  o = viva_load_defaults();
  o.input = holes;
  o.input_count = 2;
  assert_int_equal(viva_model_parse("m", text, strlen(text), &o, &model), VIVA_EUSAGE);
  o.input = NULL;
  assert_int_equal(viva_model_parse("m", text, strlen(text), &o, &model), VIVA_EUSAGE);
  assert_int_equal(viva_model_parse("m", text, strlen(text), NULL, &model), VIVA_OK);
  viva_linearize_options l = viva_linearize_defaults();
  viva_linearization *linear;
  l.at = holes;
  l.at_count = 2;
  assert_int_equal(viva_linearize(model, &l, &linear), VIVA_EUSAGE);
  viva_batch_options b = viva_batch_defaults();
  viva_batch *batch;
  double values[2] = {1, 2};
  b.names = holes;
  b.name_count = 2;
  b.values = values;
  b.count = 1;
  assert_int_equal(viva_batch_model(model, &b, &batch), VIVA_EUSAGE);
  viva_model_free(model);
}

static void a_model_knows_its_files(void **state) {
  (void)state;
  viva_model *model;
  assert_int_equal(viva_model_load(VIVA_ROOT "/examples/inverted_pendulum.viva", NULL, &model), VIVA_OK);
  assert_int_equal(viva_model_file_count(model), 1);
  assert_string_equal(viva_model_file(model, 0), VIVA_ROOT "/examples/inverted_pendulum.viva");
  assert_null(viva_model_file(model, 1));
  viva_model_free(model);
}

static void an_export_keeps_what_others_wrote(void **state) {
  (void)state;
  char folder[] = "/tmp/viva-options-XXXXXX", path[100], command[100], *where = NULL;
  int error = 0;
  viva_model *model;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/Makefile", folder);
  FILE *f = fopen(path, "w");
  fputs("all:\n", f);
  fclose(f);
  assert_int_equal(viva_model_parse("m", text, strlen(text), NULL, &model), VIVA_OK);
  assert_int_equal(viva_export_c(model, NULL, folder, &where, &error), VIVA_EIO);
  assert_int_equal(error, EEXIST);
  assert_string_equal(where, path);
  viva_text_free(where);
  viva_export_options o = viva_export_defaults();
  o.force = true;
  assert_int_equal(viva_export_c(model, &o, folder, NULL, NULL), VIVA_OK);
  assert_int_equal(viva_export_c(model, NULL, folder, NULL, NULL), VIVA_OK); // its own
  viva_model_free(model);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists_have_no_holes), cmocka_unit_test(a_model_knows_its_files),
                                     cmocka_unit_test(an_export_keeps_what_others_wrote)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
