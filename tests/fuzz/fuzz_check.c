// Equations of a user in the names of a model, and the report on a model.
//
// An input is a model, a line `%%`, and equations; without that line it is equations for the model below.
#include "tests/fuzz/fuzz.h"

#include "api/pipeline.h"

#include <string.h>

enum { small_limit = 20000 };

static const char *const fixed_model = "param m = 1 [kg], l = 2 [m], g = 9.81 [m/s^2], k = [1, 2]\n"
                                       "coord x [m], th = 0.1, w\n"
                                       "state i = 0\n"
                                       "input u = sin(t)\n"
                                       "fun f(s) = s*l + tanh(s)\n"
                                       "let P = [x + l*sin(th), l*cos(th)]\n"
                                       "kinetic 1/2*m*|P'|^2 + 1/2*m*x'^2\n"
                                       "potential m*g*P.y + k[1]*x^2\n"
                                       "dissipation 1/2*k[2]*(w' - x')^2\n"
                                       "force x = u + i\n"
                                       "i' = -i + x'\n";

static void check(const Model *model, const System *system, const char *text, size_t length) {
  Arena *arena = arena_new();
  CheckJob job = {.model = model, .system = system, .name = "fuzz", .text = text, .length = length};
  bool ok = pipeline_check(arena, &job);
  HOLDS(ok && !arena_failed(arena));
  check_diagnostics(&job.scope.model.sources, &job.scope.model.diags, arena);
  for (uint32_t i = 0; i < job.report.results.count; i++) {
    const CheckResult *r = &job.report.results.items[i];
    HOLDS(r->verdict != verdict_different || (r->witness.left && r->witness.right));
    HOLDS(r->verdict != verdict_undecided || r->reason);
    HOLDS(r->text && r->text[0]);
  }
  HOLDS(job.scope.model.diags.errors || job.report.results.count > 0);
  arena_free(arena);
}

static void facts(const System *system) {
  Arena *arena = arena_new();
  Text plain = text_in(arena), json = text_in(arena);
  HOLDS(pipeline_facts(arena, system, &plain, &json));
  HOLDS(json.length > 0);
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  if (!arena) return 0;
  const char *text = arena_strndup(arena, (const char *)data, size);
  const char *mark = strstr(text, "\n%%\n"), *equations = mark ? mark + 4 : text, *own = mark ? text : fixed_model;
  size_t length = mark ? (size_t)(mark + 1 - text) : strlen(fixed_model),
         rest = mark ? size - (size_t)(equations - text) : size;
  ModelOptions options = {.limit = small_limit, .strict = size % 2 == 0};
  Model model;
  System system;
  bool ok = pipeline_load(arena, &model, &system, VIVA_ROOT "/tests/fuzz/model.viva", own, length, &options);
  HOLDS(ok && !arena_failed(arena));
  check_diagnostics(&model.sources, &model.diags, arena);
  if (!model.diags.errors) {
    check(&model, &system, equations, rest);
    if (mark) facts(&system);
  }
  arena_free(arena);
  return 0;
}
