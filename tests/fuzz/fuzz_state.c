// Saved states: any bytes behind the head of a state are read, and the run goes on from them for a few steps, or says
// that they are damaged.
//
// The first byte chooses the model; the head (version, names) is the right one, for with a wrong one nothing is read at
// all.
#include "tests/fuzz/fuzz.h"

#include "api/pipeline.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *text, *method;
  double step;
  bool no_events;
} models[] = {
    {"coord x = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\nsimulate to 1 step 0.1\n", NULL, NAN, false},
    {"state x = 1, n = 0\nx' = -delay(x, 0.5, cos(t)) + delay(step(sin(7*t)), 0.3)\nevery 0.1 do n := n + 1\nsimulate "
     "to 1 step 0.1\n",
     NULL, NAN, false},
    {"coord x = 1\nstate n = 0\nkinetic 1/2*x'^2\npotential 1/2*x^2\nforce x = hysteresis(x, -0.5, 0.5, -1, 1) - "
     "friction(x', 0.1, 0.2) + backlash(sin(t), 0.2)\nwhen x < 0 do n := n + 1\nsimulate to 1 step 0.1\n",
     NULL, NAN, false},
    {"state x = 1\nx' = -delay(x, 0.5) + latch(x > 0.5, x < 0.1)\nsimulate to 1 step 0.1\n", "rk4", 0.1, true},
    {"coord x = 1\nunknown u = 1\nkinetic 1/2*x'^2\npotential 1/2*x^2\nequation u + exp(u) = x\nsimulate to 1 step "
     "0.1\n",
     NULL, NAN, false},
};
enum { model_count = sizeof models / sizeof *models };

typedef struct Ready {
  Arena *arena;
  Model model;
  System system;
  const char *head; // its first two lines
} Ready;

static RunResult run(Arena *arena, const Ready *r, int i, const char *resume, Diags *diags) {
  RunSettings settings = run_defaults();
  settings.to = resume ? 1.3 : NAN;
  settings.method = models[i].method;
  settings.step = models[i].step;
  settings.no_events = models[i].no_events;
  if (!models[i].method) settings.rtol = 1e-6;
  settings.save = !resume;
  settings.resume = resume;
  settings.most_steps = resume ? 60 : 0;
  Sink sink = {0};
  return pipeline_run(arena, &r->system, NULL, &settings, &sink, diags);
}

static void make_ready(Ready *r, int i) {
  r->arena = arena_new();
  ModelOptions options = {0};
  HOLDS(r->arena &&
        pipeline_load(r->arena, &r->model, &r->system, "m.viva", models[i].text, strlen(models[i].text), &options));
  check_diagnostics(&r->model.sources, &r->model.diags, r->arena);
  HOLDS(!r->model.diags.errors);
  Diags diags = {.arena = r->arena, .sources = &r->model.sources};
  RunResult made = run(r->arena, r, i, NULL, &diags);
  HOLDS(made.status == run_done && made.state);
  const char *second = strchr(strchr(made.state, '\n') + 1, '\n') + 1;
  r->head = arena_strndup(r->arena, made.state, (size_t)(second - made.state));
  // what was written is read, and the run goes on
  Diags none = {.arena = r->arena, .sources = &r->model.sources};
  HOLDS(run(r->arena, r, i, made.state, &none).status == run_done && !none.errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Ready ready[model_count];
  if (size == 0) return 0;
  int i = data[0] % model_count;
  if (!ready[i].arena) make_ready(&ready[i], i);
  Arena *arena = arena_new();
  if (!arena) return 0;
  Text state = text_in(arena);
  text_put(&state, ready[i].head);
  text_putn(&state, (const char *)data + 1, size - 1);
  Diags diags = {.arena = arena, .sources = &ready[i].model.sources};
  RunResult r = run(arena, &ready[i], i, text_str(&state), &diags);
  HOLDS(r.status != run_no_memory);
  HOLDS((r.status == run_input) == (diags.errors > 0));
  HOLDS(r.status != run_failed || r.message);
  check_diagnostics(&ready[i].model.sources, &diags, arena);
  arena_free(arena);
  return 0;
}
