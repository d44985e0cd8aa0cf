// Twelve motions of a model at once: eight in lanes, and four that leave lanes empty.
//
//   batch FILE METHOD BACKEND
//
// in    a model with the parameter `a`, which the samples change from 0.9 to 1.1 times its value near 1
// out   a line for each sample: how it ended, when, and its final values, to the last bit
#include <stdio.h>
#include <viva/viva.h>

enum { samples = 12, threads = 2 };

static void print_sample(const viva_batch *batch, size_t i) {
  printf("%zu status %d t %.17g", i, (int)viva_batch_status(batch, i), viva_batch_time(batch, i));
  for (size_t k = 0; k < viva_batch_value_count(batch); k++) {
    printf(" %s %.17g", viva_batch_value_name(batch, k), viva_batch_value(batch, i, k));
  }
  putchar('\n');
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fputs("usage: batch FILE METHOD BACKEND\n", stderr);
    return 2;
  }
  viva_model *model;
  viva_status status = viva_model_load(argv[1], NULL, &model);
  for (size_t i = 0; i < viva_model_diagnostic_count(model); i++) fputs(viva_model_diagnostic(model, i).text, stderr);
  double values[samples];
  for (int i = 0; i < samples; i++) values[i] = 0.9 + 0.2 * i / (samples - 1);
  const char *name = "a";
  viva_batch_options options = viva_batch_defaults();
  options.run.method = argv[2];
  options.run.backend = argv[3];
  options.names = &name;
  options.name_count = 1;
  options.values = values;
  options.count = samples;
  options.threads = threads;
  viva_batch *batch = NULL;
  if (status == VIVA_OK) status = viva_batch_model(model, &options, &batch);
  printf("status %d\n", (int)status);
  if (batch) {
    if (viva_batch_message(batch)) puts(viva_batch_message(batch));
    for (size_t i = 0; i < samples; i++) print_sample(batch, i);
  }
  viva_batch_free(batch);
  viva_model_free(model);
  return status == VIVA_OK ? 0 : 1;
}
