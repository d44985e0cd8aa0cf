// The Program of a family of models, shared by its members.
//
// The first run makes it, with the values that all members share as constants. Another member is opened like a run of
// its own (values, their checks, settings) and then runs on the Program if that was made for the same settings and
// serves these values.
#define _XOPEN_SOURCE 700
#include "sim/family.h"

#include "hybrid/results.h"
#include "sim/program_start.h"
#include "system/variant.h"

#include <stdlib.h>
#include <string.h>

struct FamilyProgram {
  pthread_mutex_t lock;
  Arena *arena;
  uint32_t *params; // that differ
  uint32_t param_count;
  bool tried; // by the first run
  SimProgram *p;
  // what it was made for, beside p->settled
  bool energy, all, no_events;
  ExprId *watch;
  uint32_t watch_count;
  const Tape *held; // of parameters: the first values of held variables; NULL: there are none
};

FamilyProgram *family_new(const uint32_t *params, uint32_t count) {
  Arena *arena = arena_new();
  FamilyProgram *f = arena ? arena_new_of(arena, FamilyProgram) : NULL;
  uint32_t *own = f ? arena_array(arena, (size_t)count + 1, sizeof *own) : NULL;
  if (!own || pthread_mutex_init(&f->lock, NULL) != 0) {
    arena_free(arena);
    return NULL;
  }
  if (count) memcpy(own, params, count * sizeof *own);
  f->arena = arena;
  f->params = own;
  f->param_count = count;
  return f;
}

void family_free(FamilyProgram *f) {
  if (!f) return;
  program_free(f->p);
  pthread_mutex_destroy(&f->lock);
  arena_free(f->arena);
}

// ---- may a member go on it?

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool same_ode(const OdeSettings *a, const OdeSettings *b) {
  return a->method == b->method && a->t0 == b->t0 && a->t1 == b->t1 && same_number(a->step, b->step) &&
         a->every == b->every && a->rtol == b->rtol && a->atol == b->atol && a->by_scale == b->by_scale &&
         a->exact_times == b->exact_times && a->automatic == b->automatic && a->most_steps == b->most_steps;
}

static bool was_made_for(const FamilyProgram *f, const Settled *settled, const RunSettings *s) {
  return f->p->settled.backend == settled->backend && same_ode(&f->p->settled.ode, &settled->ode) &&
         f->energy == s->energy && f->all == s->all && f->no_events == s->no_events &&
         f->watch_count == s->watch_count &&
         (s->watch_count == 0 || memcmp(f->watch, s->watch, s->watch_count * sizeof *s->watch) == 0);
}

// ---- the first run

static bool keep_settings(FamilyProgram *f, const RunSettings *s) {
  f->energy = s->energy;
  f->all = s->all;
  f->no_events = s->no_events;
  f->watch_count = s->watch_count;
  f->watch = arena_array(f->arena, (size_t)s->watch_count + 1, sizeof *f->watch);
  if (f->watch && s->watch_count) memcpy(f->watch, s->watch, s->watch_count * sizeof *f->watch);
  return f->watch != NULL;
}

// The first values of held variables are those of the program, for other parameters.
static bool make_held(FamilyProgram *f, SimProgram *p) {
  ResultList r = {.arena = f->arena};
  if (!p->s.held.count) return true;
  for (uint32_t i = 0; i < p->s.held.count; i++) result_put(&r, p->s.held.items[i].start);
  if (arena_failed(f->arena)) return false;
  f->held =
      tape_build(f->arena, &(TapeRequest){.system = &p->s, .results = r.list.items, .result_count = r.list.count});
  return f->held != NULL;
}

static bool find_held(Arena *arena, const FamilyProgram *f, KnownValues *v) {
  if (!f->held) return true;
  double *w = arena_array(arena, f->held->slot_count, sizeof *w);
  v->held = arena_array(arena, (size_t)f->held->output_count + 1, sizeof *v->held);
  if (!w || !v->held) return false;
  memcpy(w, v->params, f->held->param_count * sizeof *w);
  tape_prepare(f->held, w);
  tape_eval(f->held, w);
  for (uint32_t i = 0; i < f->held->output_count; i++) v->held[i] = tape_result(f->held, w, i);
  return true;
}

// The member may go before the family: what is its own is copied.
static SimProgram *make_program(FamilyProgram *f, const System *system, const RunSettings *s, Diags *diags,
                                ProgramReport *report) {
  System *own = arena_new_of(f->arena, System);
  ProgramRequest request = {s, .one_run = true, .varied = f->params, .varied_count = f->param_count};
  *report = (ProgramReport){.failure.status = run_no_memory};
  if (!own || !variant_make(own, system, f->arena, NULL, 0)) return NULL;
  return program_new_started(f->arena, own, &request, diags, report);
}

// True: this is the first run, and *p its program; NULL: see report.
static bool make_first(FamilyProgram *f, const System *system, const RunSettings *s, Diags *diags, SimProgram **p,
                       ProgramReport *report) {
  pthread_mutex_lock(&f->lock);
  bool first = !f->tried;
  if (first) {
    f->tried = true;
    *p = make_program(f, system, s, diags, report);
    if (*p && keep_settings(f, s) && make_held(f, *p)) f->p = *p;
  }
  pthread_mutex_unlock(&f->lock);
  return first;
}

// ---- the whole

// Goes on the program of the family, where that serves; NULL: it does not.
static Run *run_on(Arena *arena, const FamilyProgram *f, SimProgram *own, const RunSettings *s) {
  if (!f->p || !was_made_for(f, &own->settled, s) || !find_held(arena, f, &own->values)) return NULL;
  Run *r = run_new(arena, f->p);
  if (!r) return NULL;
  r->known = &own->values;
  return run_reset(r, NULL, NULL) ? r : NULL;
}

Run *family_open(Arena *arena, const System *system, FamilyProgram *f, const RunSettings *s, Diags *diags,
                 SimProgram **own, ProgramReport *report) {
  SimProgram *p = NULL;
  *own = NULL;
  if (make_first(f, system, s, diags, &p, report)) {
    if (p && !f->p) *own = p;
    return p ? run_new(arena, p) : NULL;
  }
  ProgramRequest request = {s, .one_run = true};
  p = program_open(arena, system, &request, diags, report);
  Run *x = p ? run_on(arena, f, p, s) : NULL;
  if (x || !p) return x;
  *own = p;
  return program_build(p, &request, diags, report) ? run_new(arena, p) : NULL;
}

const SimProgram *family_program(const FamilyProgram *f) { return f->p; }

RunResult run_member(Arena *arena, const System *system, FamilyProgram *f, const RunSettings *s, const Sink *sink,
                     Diags *diags) {
  RunClock clock = run_clock();
  ProgramReport report;
  SimProgram *own = NULL;
  if (!f) return run_model(arena, system, s, sink, diags);
  Run *x = family_open(arena, system, f, s, diags, &own, &report);
  RunResult r = run_follow(x, &report, s, sink, diags, clock);
  program_free(own);
  return r;
}
