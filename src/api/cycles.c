// Limit cycles predicted by the describing function, checked by simulating the model itself.
//
// in    a loop with its linear part, and an oscillation e = A sin(wt) that its first harmonic allows
// out   what the model does from there
//
// The initial state of the linear part lies on the predicted oscillation:
//   x = point + Im((iw - A)^-1 B N(A) A e^(i phase))
// A limit cycle predicted stable is simulated from there until its periods are alike; an unstable one is
// simulated from a smaller and from a larger amplitude. Where starts cannot be moved (they went into other equations)
// the model's own is used.
#include "api/cycles.h"

#include "analyze/response.h"
#include "base/number.h"
#include "system/variant.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double too_large = 50; // times the predicted amplitude: the simulation ends
static const double phase = 1;      // of the start: neither where a relay switches nor where a backlash reverses
enum { rows_a_turn = 256 };

typedef struct CycleMotion {
  Arena *arena;
  const viva_model *model;
  const Analysis *a;
  const LimitCycle *cycle;
  VEC(double) t, e;
  double most; // |e| at which it ends
  bool stopped, no_memory;
} CycleMotion;

static bool take_row(void *self, const double *values, size_t count) {
  CycleMotion *m = self;
  if (count < 2) return false;
  if (m->t.count && !(values[0] > m->t.items[m->t.count - 1])) return true; // the other side of a jump
  vec_push(m->arena, &m->t, values[0]);
  vec_push(m->arena, &m->e, values[1]);
  m->stopped = !(fabs(values[1]) <= m->most);
  return !m->stopped;
}

// The linear part with its states as outputs. False: out of memory.
static bool states_of(const LinearSystem *s, Arena *arena, LinearSystem *out) {
  if (!system_room(out, arena, s->n, s->m, s->n, s->delays)) return false;
  double *C = out->C;
  LinearSystem all = *s;
  all.p = s->n;
  all.C = C;
  all.D = out->D;
  all.F = out->F;
  for (size_t i = 0; i < s->n; i++) C[i * s->n + i] = 1;
  *out = all;
  return true;
}

// x(0) of the oscillation, in deviations from the point. False: a pole is there, or out of memory.
static bool state_on_cycle(CycleMotion *m, double part, double *x) {
  LinearSystem s;
  Response r;
  const SolveModule *module = module_load();
  Complex *v = arena_array(m->arena, (size_t)m->a->path.n + 1, sizeof *v);
  if (!v || !module || !states_of(&m->a->path, m->arena, &s)) return false;
  if (response_open(&r, m->arena, module, &s) != dense_done) return false;
  if (!response_at(&r, I * m->cycle->frequency, v)) return false;
  for (uint32_t i = 0; i < s.n; i++) x[i] = cimag(v[i] * m->cycle->n * cexp(I * phase)) * m->cycle->amplitude * part;
  return true;
}

static VariantKind kind_of(const System *s, SymbolId symbol, uint32_t *index) {
  for (uint32_t i = 0; i < s->states.count; i++) {
    if (s->states.items[ *index = i].x == symbol) return variant_state;
  }
  for (uint32_t i = 0; i < s->coords.count; i++) {
    if (s->coords.items[ *index = i].q == symbol) return variant_place;
    if (s->coords.items[i].v == symbol) return variant_velocity;
  }
  return variant_other;
}

// The model with its initial state on the oscillation. *own: that cannot be set, and the model's own is used.
// False: out of memory.
static bool start_on_cycle(CycleMotion *m, double part, System *out, bool *own) {
  const Operating *o = m->a->freed->o;
  ExprPool *pool = arena_new_of(m->arena, ExprPool);
  System *copy = arena_new_of(m->arena, System);
  double *x = arena_array(m->arena, (size_t)o->states + 1, sizeof *x);
  Variant *v = arena_array(m->arena, (size_t)o->states + 1, sizeof *v);
  if (!pool || !copy || !x || !v || !system_clone(copy, &m->model->system, pool, m->arena)) return false;
  *out = *copy;
  *own = !state_on_cycle(m, part, x);
  for (uint32_t i = 0; i < o->states && !*own; i++) {
    char text[number_text_size];
    uint32_t at = o->component[i];
    number_print(o->y[at] + x[i], text);
    v[i].kind = kind_of(copy, o->symbols[at], &v[i].index);
    v[i].value = expr_num(pool, rat_parse(m->arena, text, strlen(text)));
    *own = !variant_is_free(copy, &v[i]);
  }
  return *own || variant_make(out, copy, m->arena, v, o->states);
}

// One simulation over `turns` periods. NULL: it succeeded; else why not.
static const char *follow(CycleMotion *m, double part, uint32_t turns, ExprId e, const viva_analyze_options *o,
                          CycleRun *out) {
  System s;
  if (!start_on_cycle(m, part, &s, &out->own_start)) return m->no_memory = true, "";
  double period = 2 * pi / m->cycle->frequency;
  Sink watcher = {.self = m, .row = take_row}, none = {0};
  Diags diags = {.arena = m->arena, .sources = &m->model->model.sources};
  RunSettings settings = run_defaults();
  settings.to = m->a->freed->o->t + turns * period;
  settings.every = period / rows_a_turn;
  settings.method = "auto";
  settings.watch = &e;
  settings.watch_count = 1;
  settings.watcher = &watcher;
  settings.interrupted = o->interrupted;
  settings.self = o->self;
  m->t.count = m->e.count = 0;
  m->stopped = false;
  m->most = too_large * m->cycle->amplitude * part;
  RunResult r = pipeline_run(m->arena, &s, NULL, &settings, &none, &diags);
  out->interrupted = r.status == run_interrupted;
  if (r.status == run_no_memory || arena_failed(m->arena)) return m->no_memory = true, "";
  if (r.status != run_done && !m->stopped) return r.message ? r.message : "the model does not run as it stands";
  Oscillation w = oscillation_of(m->t.items, m->e.items, m->t.count, period);
  bool small = w.largest < m->cycle->amplitude * part / too_large;
  CycleEnd end = {.part = part, .oscillation = w, .turns = turns};
  end.kind = m->stopped                     ? cycle_grows
             : small                        ? cycle_decays
             : w.kind == oscillation_steady ? cycle_settles
             : w.kind == oscillation_gone   ? cycle_stays
                                            : cycle_wanders;
  out->ends[out->count++] = end;
  return NULL;
}

bool cycle_check(Arena *arena, const viva_model *model, const Analysis *a, const LimitCycle *cycle, ExprId e,
                 const viva_analyze_options *o, CycleRun *out) {
  static const uint32_t lengths[] = {60, 480};
  CycleMotion motion = {.arena = arena, .model = model, .a = a, .cycle = cycle}, *m = &motion;
  *out = (CycleRun){0};
  if (!cycle->stable) {
    out->why = follow(m, 0.8, lengths[0], e, o, out);
    if (!out->why) out->why = follow(m, 1.25, lengths[0], e, o, out);
    return !m->no_memory;
  }
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths && !out->why; i++) {
    out->count = 0;
    out->why = follow(m, 1, lengths[i], e, o, out);
    if (out->why || out->ends[0].kind != cycle_wanders) break;
  }
  return !m->no_memory;
}
