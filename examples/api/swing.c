/* Reads a model, prints its equations, follows its motion and prints the last row.
 *
 *   cc swing.c $(pkg-config --cflags --libs viva) -o swing && ./swing pendulum.viva
 */
#include <viva/viva.h>

#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: swing FILE.viva\n", stderr);
    return 2;
  }
  viva_model *model;
  viva_status status = viva_model_load(argv[1], NULL, &model);
  for (size_t i = 0; i < viva_model_diagnostic_count(model); i++) fputs(viva_model_diagnostic(model, i).text, stderr);
  if (status != VIVA_OK) {
    viva_model_free(model);
    return 2;
  }

  char *equations;
  if (viva_derive(model, NULL, &equations) == VIVA_OK) puts(equations);
  viva_text_free(equations);

  viva_run_options options = viva_run_defaults();
  options.to = 3;
  viva_run *run;
  status = viva_run_model(model, &options, NULL, &run);
  if (viva_run_message(run)) fputs(viva_run_message(run), stderr);
  for (size_t i = 0; i < viva_run_value_count(run); i++) {
    printf("%s = %.12g\n", viva_run_value_name(run, i), viva_run_value(run, i));
  }
  viva_run_free(run);
  viva_model_free(model);
  return status == VIVA_OK ? 0 : 1;
}
