// Table of sensitivities. See slopes.h.
#include "fit/sensitivity_table.h"

#include "expr/calculus.h"
#include "sim/program_start.h"

#include <string.h>

enum { most_numbers = 1 << 27 }; // of the table, in memory: 1 GB

const char **sensitivity_parameters(Arena *arena, const System *system, uint32_t *count) {
  const char **names = arena_array(arena, (size_t)system->params.count + 1, sizeof *names);
  *count = 0;
  for (uint32_t i = 0; names && i < system->params.count; i++) {
    const SystemParam *p = &system->params.items[i];
    if (p->structural || !p->value || expr_has_kind(system->pool, p->value, sym_param)) continue;
    names[(*count)++] = p->name;
  }
  return names;
}

const char *sensitivity_shown(Arena *arena, const SimProgram *p, const VaryTarget *t, const char *name) {
  if (t->param) return name;
  const SimComponent *c = &p->y.items[t->index];
  return arena_printf(arena, "%s(%.6g)", c->name, p->settled.from);
}

double sensitivity_own_value(const SimProgram *p, const VaryTarget *t, const char *name) {
  if (!t->param) return p->values.start[t->index];
  for (uint32_t i = 0; i < p->param_count; i++) {
    if (strcmp(p->s.params.items[i].name, name) == 0) return p->values.params[i];
  }
  return NAN;
}

typedef struct Sensitivities {
  Arena *arena;
  SimProgram *p;
  Variation vary;
  const SensitivitySettings *settings;
  SensitivityResult *r;
  double *times, *values, *slopes;
} Sensitivities;

static SensitivityResult fail(SensitivityResult r, RunStatus status, const char *message) {
  r.status = status;
  r.message = message;
  return r;
}

// Unknowns by name, with the values that the model has.
static bool find_unknowns(Sensitivities *x, Diags *diags) {
  SensitivityResult *r = x->r;
  uint32_t count = x->settings->name_count;
  const char *const *names = x->settings->names;
  if (!count) names = sensitivity_parameters(x->arena, &x->p->s, &count);
  if (!names) return false;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < x->p->param_count; k++) {
      const SystemParam *q = &x->p->s.params.items[k];
      if (q->structural && strcmp(q->name, names[i]) == 0)
        diag_error(diags, diag_bad_setting, (Span){0},
                   "`%s` says how many things there are: nothing has a derivative by it", names[i]);
    }
  }
  if (!count) diag_error(diags, diag_bad_setting, (Span){0}, "there is no parameter to differentiate by");
  if (!count) diag_hint(diags, "`--by x` asks for the start of a coordinate or state x");
  if (diags->errors || !vary_names(x->p, names, count, diags, &x->vary) || diags->errors) return false;
  r->settings = names;
  r->unknown_count = count;
  r->unknowns = arena_array(x->arena, count, sizeof *r->unknowns);
  r->values = arena_array(x->arena, count, sizeof *r->values);
  for (uint32_t i = 0; !arena_failed(x->arena) && i < count; i++) {
    r->unknowns[i] = sensitivity_shown(x->arena, x->p, &x->vary.targets[i], names[i]);
    r->values[i] = sensitivity_own_value(x->p, &x->vary.targets[i], names[i]);
  }
  return !arena_failed(x->arena);
}

static bool send_header(Sensitivities *x, const Sink *sink) {
  const SensitivityResult *r = x->r;
  if (!sink || !sink->header) return true;
  uint32_t n = r->output_count, count = 0;
  const char **names = arena_array(x->arena, 1 + (size_t)n * (1 + r->unknown_count), sizeof *names);
  if (!names) return false;
  names[count++] = "t";
  for (uint32_t i = 0; i < n; i++) names[count++] = r->outputs[i];
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < r->unknown_count; j++)
      names[count++] = arena_printf(x->arena, "d(%s)/d(%s)", r->outputs[i], r->unknowns[j]);
  }
  return !arena_failed(x->arena) && sink->header(sink->self, names, count);
}

static void see_sensitivity(PeakSensitivity *s, double t, double v) {
  s->last = v;
  if (!(fabs(v) > fabs(s->largest)) && s->at >= 0) return;
  s->largest = v;
  s->at = t;
}

// The rows as far as the simulation came.
static bool send_rows(Sensitivities *x, uint32_t count, const Sink *sink) {
  SensitivityResult *r = x->r;
  uint32_t n = r->output_count, k = r->unknown_count, width = 1 + n + n * k;
  double *row = arena_array(x->arena, width, sizeof *row);
  if (!row || !send_header(x, sink)) return false;
  for (size_t i = 0; i < (size_t)n * k; i++) r->slopes[i].at = -1;
  for (uint32_t i = 0; i < count; i++) {
    if (n && isnan(x->values[(size_t)i * n])) break;
    row[0] = r->to = x->times[i];
    memcpy(row + 1, x->values + (size_t)i * n, n * sizeof *row);
    memcpy(row + 1 + n, x->slopes + (size_t)i * n * k, (size_t)n * k * sizeof *row);
    for (uint32_t c = 0; c < n * k; c++) see_sensitivity(&r->slopes[c], row[0], row[1 + n + c]);
    r->rows++;
    if (sink && sink->row && !sink->row(sink->self, row, width)) return false;
  }
  return true;
}

static SensitivityResult follow(Sensitivities *x, const Sink *sink) {
  SensitivityResult *r = x->r;
  const OdeSettings *ode = &x->p->settled.ode;
  uint64_t rows = ode_grid_count(ode);
  double *sizes = arena_array(x->arena, (size_t)r->unknown_count + 1, sizeof *sizes);
  r->from = x->p->settled.from;
  r->outputs = x->p->columns.names;
  r->output_count = x->p->columns.shown;
  uint64_t numbers = rows * r->output_count * (1 + (uint64_t)r->unknown_count);
  if (rows > UINT32_MAX || numbers > most_numbers)
    return fail(*r, run_failed, "the table would have more than 130 million numbers: space the rows more widely");
  uint32_t count = (uint32_t)rows;
  size_t wide = (size_t)count * r->output_count;
  x->times = arena_array(x->arena, (size_t)count + 1, sizeof *x->times);
  x->values = arena_array(x->arena, wide + 1, sizeof *x->values);
  x->slopes = arena_array(x->arena, wide * r->unknown_count + 1, sizeof *x->slopes);
  r->slopes = arena_array(x->arena, (size_t)r->output_count * r->unknown_count + 1, sizeof *r->slopes);
  if (arena_failed(x->arena)) return fail(*r, run_no_memory, NULL);
  for (uint32_t i = 0; i < count; i++) x->times[i] = ode_grid_time(ode, i);
  for (uint32_t i = 0; i < r->unknown_count; i++) sizes[i] = sensitivity_size(r->values[i]);
  Sensitivity *s = sensitivity_new(x->arena, x->p, &x->vary, sizes);
  if (!s) return fail(*r, run_no_memory, NULL);
  s->self = x->settings->run.self;
  s->interrupted = x->settings->run.interrupted;
  RunFailure f = sensitivity_run(s, r->values, x->times, count, x->values, x->slopes);
  r->times = x->times;
  r->table = x->slopes;
  r->why = s->why;
  r->place = f.place;
  if (!send_rows(x, count, sink)) return fail(*r, arena_failed(x->arena) ? run_no_memory : run_sink_failed, NULL);
  if (f.status == run_failed && !f.message)
    f.message = arena_printf(x->arena, "the motion cannot be followed beyond t = %.10g", r->to);
  return fail(*r, f.status, f.message);
}

SensitivityResult sensitivity_table_run(Arena *arena, const System *system, const SensitivitySettings *settings,
                                        const Sink *sink, Diags *diags) {
  SensitivityResult r = {.status = run_no_memory};
  Sensitivities x = {.arena = arena, .settings = settings, .r = &r};
  ProgramReport built;
  x.p = program_new_started(arena, system, &(ProgramRequest){.settings = &settings->run}, diags, &built);
  if (!x.p) return fail(r, diags->errors ? run_input : built.failure.status, built.failure.message);
  if (find_unknowns(&x, diags)) r = follow(&x, sink);
  else r.status = diags->errors ? run_input : run_no_memory;
  program_free(x.p);
  return r;
}
