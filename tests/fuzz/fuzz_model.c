// The whole pipeline: any bytes are read, elaborated, derived in every form, and run for a few steps.
//
// A load that reports no error must succeed, one that fails must say why. Lines `#set a=1`, `#input u=t` and `#case c`
// stand for the options of the command. Limits are smaller than usual, so that a mutation costs little.
#include "tests/fuzz/fuzz.h"

#include "api/pipeline.h"

#include <math.h>
#include <string.h>

enum { most_options = 4, small_limit = 20000, few_steps = 50 };

typedef struct Rows {
  size_t columns, count;
} Rows;

static bool take_header(void *self, const char *const *names, size_t count) {
  Rows *rows = self;
  rows->columns = count;
  for (size_t i = 0; i < count; i++) HOLDS(names[i] && names[i][0]);
  return true;
}

static bool take_row(void *self, const double *values, size_t count) {
  Rows *rows = self;
  HOLDS(count == rows->columns && isfinite(values[0]));
  return ++rows->count < 20;
}

// The rest of each line that starts with the word.
static size_t find_options(Arena *arena, const char *text, const char *word, const char **out) {
  size_t count = 0, n = strlen(word);
  for (const char *line = text; line && count < most_options; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, word, n) == 0) out[count++] = arena_strndup(arena, line + n, strcspn(line + n, "\n"));
  }
  return count;
}

// Every form, each in one format; which one depends on the input's size.
static void derive_all(const System *system, size_t size) {
  for (int form = form_lagrange; form <= form_hamilton; form++) {
    Arena *arena = arena_new();
    Text out = text_in(arena);
    bool ok = pipeline_derive(arena, system, (DeriveForm)form, &(DeriveStyle){0},
                              (ShowFormat)(((size_t)form + size) % 3), &out, &(const char *){NULL});
    HOLDS(!arena_failed(arena));
    HOLDS(!ok || text_str(&out));
    arena_free(arena);
  }
}

static void run(const Model *model, const System *system, const char *method, double step) {
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &model->sources};
  RunSettings settings = run_defaults();
  Rows rows = {0};
  settings.to = 0.1;
  settings.step = step;
  settings.method = method;
  settings.rtol = 1e-6;
  settings.all = true;
  settings.energy = system->energy.kept;
  settings.most_steps = few_steps;
  Sink sink = {.self = &rows, .header = take_header, .row = take_row};
  RunResult r = pipeline_run(arena, system, NULL, &settings, &sink, &diags);
  HOLDS(r.status != run_no_memory);
  HOLDS((r.status == run_input) == (diags.errors > 0));
  HOLDS(r.status != run_failed || r.message);
  check_diagnostics(&model->sources, &diags, arena);
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  if (!arena) return 0;
  const char *text = arena_strndup(arena, (const char *)data, size);
  const char *set[most_options], *input[most_options], *cases[most_options];
  ModelOptions options = {.set = set, .input = input, .limit = small_limit};
  options.set_count = find_options(arena, text, "#set ", set);
  options.input_count = find_options(arena, text, "#input ", input);
  options.case_name = find_options(arena, text, "#case ", cases) ? cases[0] : NULL;
  Model model;
  System system;
  bool ok = pipeline_load(arena, &model, &system, VIVA_ROOT "/tests/fuzz/model.viva", text, size, &options);
  HOLDS(ok && !arena_failed(arena));
  check_diagnostics(&model.sources, &model.diags, arena);
  if (!model.diags.errors) {
    derive_all(&system, size);
    run(&model, &system, "dopri5", NAN);
    run(&model, &system, "rk4", 0.02);
  }
  arena_free(arena);
  return 0;
}
