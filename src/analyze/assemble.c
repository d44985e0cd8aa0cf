// A linear model as a system in numbers.
//
// in    A, B, C, D with free signals among the inputs (inputs, their rates, delayed signals, sampled states) and what
//       these would be among the outputs
// out   x' = A x + B u + E w, y, z = ... with w(t) = z(t - T); rows of the samples' rules
//
// A rate of an input goes by parts:  (s - A)^-1 B1 s = B1 + (s - A)^-1 A B1,  from the highest one down. Where an
// output would hold a rate of an input itself the transfer function is improper: such a rate must be taken by a rate
// that is limited, or not be asked for.
#include "analyze/assemble.h"

#include "tape/numbers.h"

#include <math.h>
#include <string.h>

typedef struct SystemAssembly {
  Arena *arena;
  const Linearization *l;
  const Operating *o;
  LinearSystem *s;
  SampledPart *part;
  AssembleTrouble *trouble;
  uint32_t *delay;         // by delay of the system: its channel plus one; 0: it does not count
  double *times;           // by delay of the system
  uint32_t *column;        // by index in o->inputs: column of l->B plus one; 0: none
  uint32_t *outputs;       // rows of l->C for each output of s
  double *rates, *through; // columns of a rate while it is folded in: n, and all rows of outputs
  bool *improper;          // by row of l->C: a rate of the input comes through
} SystemAssembly;

static double entry_b(const SystemAssembly *w, uint32_t i, uint32_t column) {
  return column ? w->l->B.numbers[(size_t)i * w->l->m + column - 1] : 0;
}

static double entry_d(const SystemAssembly *w, uint32_t row, uint32_t column) {
  return column ? w->l->D.numbers[(size_t)row * w->l->m + column - 1] : 0;
}

// Lengths of delays, and which count.
static bool find_channels(SystemAssembly *w) {
  const System *m = &w->o->s;
  uint32_t count = w->o->freed ? m->delays.count : 0, first = m->inputs.count + m->input_rates.count;
  ExprId *wanted = arena_array(w->arena, (size_t)count + 1, sizeof *wanted);
  w->delay = arena_array(w->arena, (size_t)count + 1, sizeof *w->delay);
  w->times = arena_array(w->arena, (size_t)count + 1, sizeof *w->times);
  if (!wanted || !w->delay || !w->times) return false;
  for (uint32_t i = 0; i < count; i++) wanted[i] = m->delays.items[i].time;
  if (count && !tape_numbers(w->arena, m, wanted, count, w->times)) return false;
  uint32_t channels = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (w->times[i] > 0 && w->column[first + i]) w->delay[i] = ++channels;
  }
  w->s->delays = channels;
  return true;
}

// Which rows of C are outputs of the system.
static bool find_rows(SystemAssembly *w) {
  const Operating *o = w->o;
  uint32_t from = o->freed ? freed_cut(o) : o->output_count;
  w->s->p = o->shown + (o->output_count - from);
  w->outputs = arena_array(w->arena, (size_t)w->s->p + 1, sizeof *w->outputs);
  if (!w->outputs) return false;
  for (uint32_t i = 0; i < w->s->p; i++) w->outputs[i] = i < o->shown ? i : from + i - o->shown;
  return true;
}

// The order of the rate of an input in o->inputs; 0: it is none.
static uint32_t rate_order(const SystemAssembly *w, uint32_t place, uint32_t input) {
  const System *m = &w->o->s;
  if (place < m->inputs.count || place >= m->inputs.count + m->input_rates.count) return 0;
  const SystemInputRate *r = &m->input_rates.items[place - m->inputs.count];
  return r->input == input ? r->order : 0;
}

static uint32_t rate_column(const SystemAssembly *w, uint32_t input, uint32_t order) {
  const System *m = &w->o->s;
  for (uint32_t k = 0; k < m->inputs.count + m->input_rates.count; k++) {
    if (w->column[k] && rate_order(w, k, input) == order) return w->column[k];
  }
  return 0;
}

// Input i with its rates into column i of B, D and H; rows: all rows of l->C.
static void fold_input(SystemAssembly *w, uint32_t input) {
  const Linearization *l = w->l;
  uint32_t n = l->n, most = 0;
  const System *m = &w->o->s;
  for (uint32_t k = 0; k < m->inputs.count + m->input_rates.count; k++) {
    uint32_t order = w->column[k] ? rate_order(w, k, input) : 0;
    most = order > most ? order : most;
  }
  memset(w->rates, 0, n * sizeof *w->rates);
  memset(w->through, 0, l->p * sizeof *w->through);
  memset(w->improper, 0, l->p * sizeof *w->improper);
  for (uint32_t order = most;; order--) {
    uint32_t column = order ? rate_column(w, input, order) : w->column[input];
    double *next = w->rates + n, *d = w->through + l->p;
    // what the order above leaves: A B and C B
    dense_multiply(n, n, 1, l->A.numbers, w->rates, next);
    dense_multiply(l->p, n, 1, l->C.numbers, w->rates, d);
    for (uint32_t i = 0; i < l->p; i++) w->improper[i] = w->improper[i] || w->through[i] != 0;
    for (uint32_t i = 0; i < n; i++) w->rates[i] = next[i] + entry_b(w, i, column);
    for (uint32_t i = 0; i < l->p; i++) w->through[i] = d[i] + entry_d(w, i, column);
    if (order == 0) break;
  }
}

static bool fill_inputs(SystemAssembly *w) {
  const Linearization *l = w->l;
  const Operating *o = w->o;
  LinearSystem *s = w->s;
  size_t n = l->n, m = s->m, d = s->delays;
  w->rates = arena_array(w->arena, 2 * n + 2, sizeof *w->rates);
  w->through = arena_array(w->arena, 2 * (size_t)l->p + 2, sizeof *w->through);
  w->improper = arena_array(w->arena, (size_t)l->p + 1, sizeof *w->improper);
  s->improper = arena_array(w->arena, (size_t)s->p * m + 1, sizeof *s->improper);
  if (arena_failed(w->arena)) return false;
  for (uint32_t k = 0; k < s->m; k++) {
    fold_input(w, k);
    bool inside = false; // a delay or a sample takes the rate
    for (uint32_t i = o->shown; o->freed && i < freed_cut(o); i++) inside = inside || w->improper[i];
    for (size_t i = 0; i < s->p; i++) s->improper[i * m + k] = inside || w->improper[w->outputs[i]];
    for (size_t i = 0; i < n; i++) s->B[i * m + k] = w->rates[i];
    for (size_t i = 0; i < s->p; i++) s->D[i * m + k] = w->through[w->outputs[i]];
    for (uint32_t i = 0; d && i < o->s.delays.count; i++) {
      if (w->delay[i]) s->H[(size_t)(w->delay[i] - 1) * m + k] = w->through[freed_delay(o) + i];
    }
    for (uint32_t i = 0; i < w->part->count; i++)
      w->part->rows[(size_t)i * (n + w->part->q + m) + n + w->part->q + k] = w->through[freed_sample(o) + i];
  }
  return true;
}

// Columns and rows of delays.
static void fill_delays(SystemAssembly *w) {
  const Linearization *l = w->l;
  const System *m = &w->o->s;
  LinearSystem *s = w->s;
  size_t n = l->n, d = s->delays;
  uint32_t first = m->inputs.count + m->input_rates.count;
  for (uint32_t k = 0; d && k < m->delays.count; k++) {
    if (!w->delay[k]) continue;
    uint32_t c = w->delay[k] - 1, column = w->column[first + k], row = freed_delay(w->o) + k;
    s->time[c] = w->times[k];
    s->channels[c] = m->delays.items[k].name;
    memcpy(s->G + c * n, l->C.numbers + row * n, n * sizeof *s->G);
    for (uint32_t i = 0; i < n; i++) s->E[i * d + c] = entry_b(w, i, column);
    for (uint32_t i = 0; i < s->p; i++) s->F[i * d + c] = entry_d(w, w->outputs[i], column);
    for (uint32_t i = 0; i < m->delays.count; i++) {
      if (w->delay[i]) s->J[(size_t)(w->delay[i] - 1) * d + c] = entry_d(w, freed_delay(w->o) + i, column);
    }
  }
}

// ---- samples

static bool open_samples(SystemAssembly *w) {
  const Operating *o = w->o;
  SampledPart *p = w->part;
  size_t n = w->l->n, wide = n + o->sampled + o->s.inputs.count;
  *p = (SampledPart){.q = o->sampled};
  for (uint32_t i = 0; o->freed && i < o->s.whens.count; i++)
    p->count += o->s.whens.items[i].period ? o->s.whens.items[i].assigns.count : 0;
  p->rules = arena_array(w->arena, (size_t)p->count + 1, sizeof *p->rules);
  p->rows = arena_array(w->arena, p->count * wide + 1, sizeof *p->rows);
  p->Bs = arena_array(w->arena, n * p->q + 1, sizeof *p->Bs);
  p->Cs = arena_array(w->arena, (size_t)w->s->p * p->q + 1, sizeof *p->Cs);
  p->Gs = arena_array(w->arena, (size_t)w->s->delays * p->q + 1, sizeof *p->Gs);
  p->late = arena_array(w->arena, (size_t)p->count * w->s->delays + 1, sizeof *p->late);
  p->names = arena_array(w->arena, (size_t)p->q + 1, sizeof *p->names);
  return !arena_failed(w->arena);
}

// Which state an assignment sets. False: one that constraints or held friction bind.
static bool find_target(const SystemAssembly *w, const SystemAssign *a, SampleRule *rule) {
  const Operating *o = w->o;
  SymbolId symbol = a->kind == assign_state   ? o->s.states.items[a->index].x
                    : a->kind == assign_place ? o->s.coords.items[a->index].q
                                              : o->s.coords.items[a->index].v;
  uint32_t at = system_place(&o->s, symbol);
  for (uint32_t i = 0; i < o->sampled; i++) {
    if (o->input_at[o->free + i] != at) continue;
    rule->sampled = true;
    rule->target = i;
    return true;
  }
  for (uint32_t i = 0; i < o->states; i++) {
    if (o->component[i] != at) continue;
    rule->target = i;
    return true;
  }
  return false;
}

static bool fill_samples(SystemAssembly *w) {
  const Operating *o = w->o;
  const Linearization *l = w->l;
  SampledPart *p = w->part;
  size_t n = l->n, wide = n + p->q + w->s->m;
  uint32_t k = 0;
  for (uint32_t i = 0; p->count && i < o->s.whens.count; i++) {
    const SystemWhen *e = &o->s.whens.items[i];
    double period = 0;
    if (!e->period) continue;
    if (!tape_numbers(w->arena, &o->s, &e->period, 1, &period)) return false;
    for (uint32_t a = 0; a < e->assigns.count; a++, k++) {
      SampleRule *rule = &p->rules[k];
      *rule = (SampleRule){.statement = i, .period = period};
      if (!find_target(w, &e->assigns.items[a], rule) && !w->trouble->message) {
        w->trouble->message = "an `every` sets what other statements bind: that has no linear model";
        w->trouble->place = e->span;
      }
      memcpy(p->rows + k * wide, l->C.numbers + (freed_sample(o) + k) * n, n * sizeof *p->rows);
      for (uint32_t s = 0; s < p->q; s++)
        p->rows[k * wide + n + s] = entry_d(w, freed_sample(o) + k, w->column[o->free + s]);
      for (uint32_t d = 0; w->s->delays && d < o->s.delays.count; d++) {
        uint32_t column = w->column[o->s.inputs.count + o->s.input_rates.count + d];
        if (w->delay[d]) p->late[(size_t)k * w->s->delays + w->delay[d] - 1] = entry_d(w, freed_sample(o) + k, column);
      }
    }
  }
  for (uint32_t s = 0; s < p->q; s++) {
    uint32_t column = w->column[o->free + s];
    p->names[s] = o->names[o->input_at[o->free + s]];
    for (uint32_t i = 0; i < n; i++) p->Bs[i * p->q + s] = entry_b(w, i, column);
    for (uint32_t i = 0; w->s->delays && i < o->s.delays.count; i++) {
      if (w->delay[i]) p->Gs[(size_t)(w->delay[i] - 1) * p->q + s] = entry_d(w, freed_delay(o) + i, column);
    }
    for (uint32_t i = 0; i < w->s->p; i++) p->Cs[i * p->q + s] = entry_d(w, w->outputs[i], column);
  }
  return true;
}

static bool name_all(SystemAssembly *w) {
  LinearSystem *s = w->s;
  const Operating *o = w->o;
  s->inputs = arena_array(w->arena, (size_t)s->m + 1, sizeof *s->inputs);
  s->outputs = arena_array(w->arena, (size_t)s->p + 1, sizeof *s->outputs);
  s->channels = arena_array(w->arena, (size_t)s->delays + 1, sizeof *s->channels);
  if (!s->inputs || !s->outputs || !s->channels) return false;
  s->states = w->l->states;
  for (uint32_t i = 0; i < s->m; i++) s->inputs[i] = o->s.inputs.items[i].name;
  for (uint32_t i = 0; i < s->p; i++) s->outputs[i] = w->l->outputs[w->outputs[i]];
  return true;
}

bool assemble_system(Arena *arena, const Linearization *l, LinearSystem *out, SampledPart *part,
                     AssembleTrouble *trouble) {
  const Operating *o = l->o;
  SystemAssembly work = {.arena = arena, .l = l, .o = o, .s = out, .part = part, .trouble = trouble}, *w = &work;
  *trouble = (AssembleTrouble){0};
  *out = (LinearSystem){0};
  w->column = arena_array(arena, (size_t)o->free + o->sampled + 1, sizeof *w->column);
  if (!w->column) return false;
  for (uint32_t j = 0; j < l->m; j++) w->column[l->column[j]] = j + 1;
  if (!find_channels(w) || !find_rows(w)) return false;
  if (!system_room(out, arena, l->n, o->s.inputs.count, out->p, out->delays)) return false;
  if (!open_samples(w) || !name_all(w)) return false;
  memcpy(out->A, l->A.numbers, (size_t)l->n * l->n * sizeof *out->A);
  for (size_t i = 0; i < out->p; i++)
    memcpy(out->C + i * l->n, l->C.numbers + (size_t)w->outputs[i] * l->n, l->n * sizeof *out->C);
  fill_delays(w);
  return fill_samples(w) && fill_inputs(w) && !arena_failed(arena);
}
