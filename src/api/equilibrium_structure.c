// Static equilibrium of structures of bars and springs, from the outside.
//
// in    a model that is nodes, bars and springs alone; a method and its constants
// out   a report (show/structure.h); of a comparison what each of the seven methods came to
#include "api/equilibrium_parts.h"

#include "form/describe.h"
#include "sim/run.h"
#include "solve/module.h"
#include "system/bars.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

enum { most_poses = 400 }; // kept for the picture
static const double most_pose_numbers = 4e6;

// ---- is it one?

bool structure_alone(const viva_model *model) { return model->system.linkage.alone; }

// ---- settings

static const struct {
  const char *word;
  BalanceMethod method;
} methods[] = {{"auto", balance_auto},
               {"lagrange", balance_lagrange},
               {"penalty", balance_penalty},
               {"stiffness", balance_stiffness},
               {"alm-direct", balance_alm_direct},
               {"alm-linear", balance_alm_linear},
               {"alm-quadratic", balance_alm_quadratic}};

static bool find_method(const char *word, BalanceMethod *out) {
  *out = balance_auto;
  if (!word) return true;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    if (strcmp(methods[i].word, word) == 0) {
      *out = methods[i].method;
      return true;
    }
  }
  return false;
}

static BalanceOptions settings_of(const viva_equilibrium_options *o, BalanceMethod method) {
  BalanceOptions b = balance_defaults(method);
  const struct {
    double value, *to;
  } numbers[] = {{o->r0, &b.r0},     {o->gamma, &b.gamma}, {o->rmax, &b.rmax},
                 {o->eps1, &b.eps1}, {o->eps2, &b.eps2},   {o->eps3, &b.eps3}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (!isnan(numbers[i].value)) *numbers[i].to = numbers[i].value;
  }
  if (o->hold) b.hold = o->hold;
  if (o->most_iterations) b.max = o->most_iterations;
  if (o->inner) b.inner = o->inner;
  b.seed = o->seed;
  return b;
}

// ---- following it

typedef struct BarsFollower {
  viva_equilibrium *e;
  const viva_equilibrium_options *o;
  bool headed, stopped;
  double *row;
} BarsFollower;

static bool put_header(BarsFollower *w, uint32_t columns) {
  const Linkage *l = &w->e->structure->system->linkage;
  const char **names = arena_array(w->e->arena, columns, sizeof *names);
  w->row = arena_array(w->e->arena, columns, sizeof *w->row);
  if (!names || !w->row) return false;
  uint32_t k = 0;
  names[k++] = "iteration";
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    for (uint32_t c = 0; c < l->dimensions; c++)
      names[k++] = arena_printf(w->e->arena, "%s.%c", l->nodes.items[i].name, "xyz"[c]);
  }
  names[k++] = "potential";
  names[k++] = "length_residue";
  names[k++] = "force_residue";
  names[k++] = "multiplier_change";
  names[k++] = "r";
  w->headed = true;
  const viva_sink *sink = w->o->trace;
  return !arena_failed(w->e->arena) && (!sink->header || sink->header(sink->self, names, columns));
}

static void put_row(BarsFollower *w, const BalanceStep *s) {
  const viva_sink *sink = w->o->trace;
  const Linkage *l = &w->e->structure->system->linkage;
  uint32_t size = l->nodes.count * l->dimensions, columns = size + 6;
  if (!sink || !sink->row || w->stopped) return;
  if (!w->headed && !put_header(w, columns)) {
    w->stopped = true;
    return;
  }
  w->row[0] = s->iteration;
  memcpy(w->row + 1, s->x, size * sizeof *s->x);
  const double rest[] = {s->potential, s->length_residue, s->force_residue, s->multiplier_change, s->r};
  memcpy(w->row + 1 + size, rest, sizeof rest);
  w->stopped = !sink->row(sink->self, w->row, columns);
}

static void keep_pose(BarsFollower *w, const double *x) {
  BarsReport *r = w->e->structure;
  const Linkage *l = &r->system->linkage;
  size_t size = (size_t)l->nodes.count * l->dimensions;
  if (r->poses.count >= most_poses || (double)size * (r->poses.count + 1) > most_pose_numbers) return;
  double *copy = arena_array(w->e->arena, size, sizeof *copy);
  if (!copy) return;
  memcpy(copy, x, size * sizeof *copy);
  vec_push(w->e->arena, &r->poses, (BarsPose){copy});
}

static void follow(void *self, const BalanceStep *step) {
  BarsFollower *w = self;
  if (w->o->progress) w->o->progress(w->o->self, step->iteration, step->force_residue);
  keep_pose(w, step->x);
  put_row(w, step);
}

static bool asked_to_stop(void *self) {
  const BarsFollower *w = self;
  return w->o->interrupted && w->o->interrupted(w->o->self);
}

// ---- the start

// The values of `--at`: positions of nodes, the time. NULL start: as drawn. False: wrong input, or out of memory.
static bool read_start(viva_equilibrium *e, const viva_model *model, const viva_equilibrium_options *o,
                       TextScope *scope, double **start, double *t) {
  BarsReport *r = e->structure;
  if (!scope_open(scope, e->arena, &model->model)) return false;
  for (size_t i = 0; i < o->at_count; i++) {
    if (!scope_read_values(scope, "--at", o->at[i])) return false;
  }
  uint32_t count = scope->values.count;
  ExprId *list = arena_array(e->arena, (size_t)count + 1, sizeof *list);
  double *numbers = arena_array(e->arena, (size_t)count + 1, sizeof *numbers);
  if (!list || !numbers) return false;
  for (uint32_t i = 0; i < count; i++) list[i] = scope->values.items[i].value;
  System copy = system_over(&model->system, &scope->model);
  if (scope->model.diags.errors || !count) return true;
  if (!tape_numbers(e->arena, &copy, list, count, numbers)) return false;
  const Linkage *l = &r->system->linkage;
  for (uint32_t i = 0; i < count; i++) {
    SymbolId symbol = scope->values.items[i].symbol;
    if (symbol == model->system.time) *t = numbers[i];
  }
  StructureFault fault;
  if (structure_make(e->arena, r->system, *t, &r->structure, &fault) != structure_made) return true;
  *start = arena_array(e->arena, (size_t)l->nodes.count * l->dimensions, sizeof(double));
  if (!*start) return false;
  memcpy(*start, r->structure.place, (size_t)l->nodes.count * l->dimensions * sizeof(double));
  Bars bars = {.d = (SystemDescribed *)&model->system.described, .arena = e->arena, .pool = model->system.pool};
  for (uint32_t i = 0; i < count; i++) {
    SymbolId symbol = scope->values.items[i].symbol;
    bool found = symbol == model->system.time;
    for (uint32_t n = 0; n < l->nodes.count * l->dimensions && !found; n++) {
      uint32_t c = bars_coord(&bars, n / l->dimensions, n % l->dimensions);
      found = c != linkage_none && model->system.coords.items[c].q == symbol;
      if (found) (*start)[n] = numbers[i];
    }
    if (!found)
      diag_error(&scope->model.diags, diag_not_free, scope->values.items[i].span,
                 "a structure starts from places of nodes that are free, and from the time");
  }
  return true;
}

// ---- the call

static viva_status status_of(BalanceStatus status) {
  switch (status) {
  case balance_found: return VIVA_OK;
  case balance_interrupted: return VIVA_EINTERRUPTED;
  case balance_no_memory: return VIVA_ENOMEM;
  case balance_no_module: return module_load() ? VIVA_ENOMEM : VIVA_EFAIL; // it is there: its memory was not
  default: return VIVA_EFAIL;
  }
}

// All seven, the first one, `auto`, as the answer.
static bool compare(viva_equilibrium *e, const viva_equilibrium_options *o, const double *start,
                    BarsFollower *follower) {
  BarsReport *r = e->structure;
  for (int m = 0; m < balance_method_count; m++) {
    BalanceOptions b = settings_of(o, (BalanceMethod)m);
    b.context = follower;
    b.interrupted = asked_to_stop;
    b.step = m == 0 ? follow : NULL;
    BarsTrial trial = {.method = (BalanceMethod)m};
    double before = run_clock().seconds;
    trial.result = balance_find(e->arena, &r->structure, start, &b);
    trial.seconds = run_clock().seconds - before;
    if (m == 0) r->result = trial.result;
    if (!vec_push(e->arena, &r->trials, trial) || trial.result.status == balance_interrupted) return false;
  }
  return true;
}

// ---- values

// Directions of nodes that are free, then forces of bars: names and numbers, made once. False: out of memory.
static bool keep_values(viva_equilibrium *e) {
  const BarsReport *r = e->structure;
  const Linkage *l = &r->system->linkage;
  size_t most = (size_t)l->nodes.count * l->dimensions + l->bars.count;
  StructureValues *v = arena_new_of(e->arena, StructureValues);
  if (!v) return false;
  v->names = arena_array(e->arena, most + 1, sizeof *v->names);
  v->values = arena_array(e->arena, most + 1, sizeof *v->values);
  if (!v->names || !v->values) return false;
  for (uint32_t i = 0; i < l->nodes.count * l->dimensions; i++) {
    const LinkageNode *node = &l->nodes.items[i / l->dimensions];
    uint32_t direction = i % l->dimensions;
    if (node->fixed >> direction & 1u) continue;
    v->names[v->count] = arena_printf(e->arena, "%s.%c", node->name, "xyz"[direction]);
    v->values[v->count++] = r->result.x[i];
  }
  for (uint32_t i = 0; i < l->bars.count; i++) {
    v->names[v->count] = arena_printf(e->arena, "%s.force", l->bars.items[i].name);
    v->values[v->count++] = r->result.bar_force[i];
  }
  e->values = v;
  return !arena_failed(e->arena);
}

viva_status structure_find(viva_equilibrium *e, const viva_model *model, const viva_equilibrium_options *o) {
  BarsReport *r = e->structure = arena_array(e->arena, 1, sizeof *r);
  BalanceMethod method;
  TextScope scope;
  double *start = NULL, t = 0;
  StructureFault fault;
  if (!r) return VIVA_ENOMEM;
  if (!find_method(o->method, &method)) return VIVA_EUSAGE;
  r->system = &model->system;
  r->method = method;
  if (!read_start(e, model, o, &scope, &start, &t) || arena_failed(e->arena)) return VIVA_ENOMEM;
  e->message = messages_text(e->arena, &scope.model.sources, &scope.model.diags, NULL);
  if (scope.model.diags.errors) return VIVA_EINPUT;
  r->t = t;
  StructureStatus made = structure_make(e->arena, r->system, t, &r->structure, &fault);
  if (made == structure_out_of_memory) return VIVA_ENOMEM;
  if (made == structure_not_finite) {
    e->message = "error: a number of this structure has no finite value: every parameter needs one\n";
    return VIVA_EFAIL;
  }
  BarsFollower follower = {.e = e, .o = o};
  keep_pose(&follower, start ? start : r->structure.place);
  if (o->compare) {
    compare(e, o, start, &follower);
  } else {
    BalanceOptions b = settings_of(o, method);
    b.context = &follower;
    b.interrupted = asked_to_stop;
    b.step = follow;
    r->result = balance_find(e->arena, &r->structure, start, &b);
  }
  viva_status status = status_of(r->result.status);
  if (status == VIVA_ENOMEM || arena_failed(e->arena)) return VIVA_ENOMEM;
  e->done = status == VIVA_OK;
  if (e->done && !keep_values(e)) return VIVA_ENOMEM;
  Diag failure = structure_failure(e->arena, r);
  if (failure.message) e->message = messages_text(e->arena, &scope.model.sources, &scope.model.diags, &failure);
  bool best = r->result.status == balance_not_converged; // its configuration is kept, not judged
  e->texts->any = e->done || best || (o->compare && r->trials.count == balance_method_count);
  return arena_failed(e->arena) ? VIVA_ENOMEM : status;
}
