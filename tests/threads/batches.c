// Batches over several threads, with everything that threads share: one model, one plan, a Jacobian that the first one
// who needs it builds, compiled or not, with and without events. One thread and four must give the same bits.
//
// Small, because it is also run under ThreadSanitizer (tests/house/threads.sh), which sees what is shared without a
// lock whether or not it went wrong this time.
#include <stdio.h>
#include <string.h>

#include "viva/viva.h"

enum { samples = 64, threads = 4 };

static const char stiff[] = "param mu = 30\nstate x = 2\nstate y = 0\nx' = y\ny' = mu*(1 - x^2)*y - x\noutput x, y\n"
                            "simulate to 0.2 step 0.01\n";
// a signal of time that breaks: each worker asks for its own breaks
static const char driven[] = "param mu = 3\nstate x = 1\nstate y = 0\ninput u = mu*step(t - 0.1)\nx' = y\n"
                             "y' = u - sin(x)*mu - y\noutput x\nsimulate to 0.2 step 0.01\n";
static const char events[] =
    "param mu = 3\nstate x = 1\nstate y = 0\nx' = y\ny' = -mu*sign(x) - 0.1*y + hysteresis(x, -0.1, 0.1, 0, 1)\n"
    "output x\nsimulate to 0.5 step 0.01\n";
static const char coords[] =
    "param mu = 3\ncoord a = 0.4, b = 0.3\nkinetic 1/2*a'^2 + 1/2*b'^2 + 0.4*a'*b'*cos(a - b)\n"
    "potential -mu*cos(a) - cos(b)\nsimulate to 0.5 step 0.01\n";

static viva_batch *follow(const viva_model *model, const char *method, unsigned count) {
  double values[samples];
  const char *names[] = {"mu"};
  for (int i = 0; i < samples; i++) values[i] = 2 + i;
  viva_batch_options o = viva_batch_defaults();
  o.run.method = method;
  o.run.backend = "interp";
  if (strcmp(method, "rk4") != 0) o.run.rtol = 1e-4;
  o.names = names;
  o.name_count = 1;
  o.values = values;
  o.count = samples;
  o.threads = count;
  viva_batch *batch = NULL;
  if (viva_batch_model(model, &o, &batch) == VIVA_OK) return batch;
  printf("%s: %s\n", method, batch && viva_batch_message(batch) ? viva_batch_message(batch) : "failed");
  viva_batch_free(batch);
  return NULL;
}

static int differ(const viva_batch *a, const viva_batch *b) {
  if (viva_batch_failed(a) || viva_batch_failed(b)) return 1;
  for (size_t i = 0; i < samples; i++) {
    for (size_t k = 0; k < viva_batch_value_count(a); k++) {
      double x = viva_batch_value(a, i, k), y = viva_batch_value(b, i, k);
      if (memcmp(&x, &y, sizeof x)) return 1;
    }
  }
  return 0;
}

static int check(const char *name, const char *text) {
  static const char *const methods[] = {"rk4", "dopri5", "rodas", "auto"};
  viva_model *model = NULL;
  if (viva_model_parse(name, text, strlen(text), NULL, &model) != VIVA_OK) {
    printf("%s cannot be read: %s\n", name, viva_model_diagnostic(model, 0).message);
    viva_model_free(model);
    return 1;
  }
  int bad = 0;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    viva_batch *one = follow(model, methods[i], 1), *four = follow(model, methods[i], threads);
    if (!one || !four || differ(one, four)) {
      printf("%s by %s: %d threads give something else than one\n", name, methods[i], threads);
      bad = 1;
    }
    viva_batch_free(one);
    viva_batch_free(four);
  }
  viva_model_free(model);
  return bad;
}

int main(void) {
  return check("stiff", stiff) | check("driven", driven) | check("events", events) | check("coords", coords);
}
