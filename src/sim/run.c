// A single simulation, from settings to a summary.
//
// The integrated vector is y, then dissipated and supplied; the last two are quadratures and never enter the error
// norm, so keeping the account changes no bit of the trajectory.
#define _POSIX_C_SOURCE 200809L
#include "sim/run.h"

#include "sim/account.h"
#include "sim/choose.h"
#include "sim/explain.h"
#include "sim/inertia.h"
#include "sim/program_start.h"
#include "sim/state.h"
#include "sim/step_check.h"

#include <string.h>
#include <time.h>

// ---- the summary

static RunEvent event_of(const EventPlan *p, const EventRecord *e) {
  return (RunEvent){
      .t = e->t, .kind = e->of.kind, .word = hybrid_word(p, e->of), .span = hybrid_span(p, e->of), .value = e->value};
}

// The function of time at whose breaks something may be missing, as an event.
static RunEvent break_event(const System *m, const OdeBreaks *b) {
  RunEvent e = {.t = b->unsure_at, .word = "a signal of time"};
  for (uint32_t i = m->places.count; i-- > 0;) { // the first span counts
    const SystemPlace *p = &m->places.items[i];
    if (p->node != b->unsure) continue;
    e.word = p->word;
    e.span = p->span;
    e.line = source_line(m->sources, p->span);
  }
  return e;
}

static void report_unsure(const Run *x, RunResult *r) {
  const OdeBreaks *breaks = &x->ode.breaks;
  if (x->h && x->h->state->unsure_count) {
    r->events.unsure = event_of(x->p->events, &x->h->state->unsure);
    r->events.unsure.line = source_line(x->p->s.sources, r->events.unsure.span);
    r->events.unsure_count = x->h->state->unsure_count;
    r->events.undefined = x->h->state->undefined;
  }
  if (!breaks->unsure || breaks->unsure_at > r->ode.t) return;
  if (r->events.unsure_count++ && breaks->unsure_at >= r->events.unsure.t) return;
  r->events.unsure = break_event(&x->p->s, breaks);
  r->events.undefined = false;
}

static RunEvent when_of(const Run *x, double t, uint32_t which) {
  RunEvent e = event_of(x->p->events, &(EventRecord){t, 1, {event_of_when, which}});
  e.line = source_line(x->p->s.sources, e.span);
  return e;
}

static void report_overwrites(const Run *x, RunResult *r) {
  const Hybrid *h = x->h;
  RunOverwrite *out = arena_array(x->arena, h->overwrites.count, sizeof *out);
  if (!out) return;
  for (uint32_t i = 0; i < h->overwrites.count; i++) {
    const Overwrite *o = &h->overwrites.items[i];
    out[i] = (RunOverwrite){.name = x->p->y.items[o->target].name,
                            .earlier = when_of(x, o->t, o->earlier),
                            .later = when_of(x, o->t, o->later),
                            .count = o->count};
  }
  r->events.overwrites = out;
  r->events.overwrite_count = h->overwrites.count;
}

static void report_events(const Run *x, RunResult *r) {
  const System *m = &x->p->s;
  const Hybrid *h = x->h;
  if (!h) return;
  r->events.looked_for = true;
  r->events.cut = h->state->log_full;
  r->events.graze_count = h->state->graze_count;
  if (r->events.graze_count) {
    r->events.graze = event_of(x->p->events, &h->state->graze);
    r->events.graze.line = source_line(m->sources, r->events.graze.span);
  }
  report_overwrites(x, r);
  RunEvent *events = arena_array(x->arena, h->log.count, sizeof *events);
  if (!events) return;
  enum { kept = 64 }; // lines of these spans are cached: most events are of a few of them
  Span span[kept] = {0};
  uint32_t line[kept] = {0};
  for (uint32_t i = 0; i < h->log.count; i++) {
    RunEvent *e = &events[i];
    *e = event_of(x->p->events, &h->log.items[i]);
    uint32_t at = e->span.start % kept;
    if (span[at].source != e->span.source || span[at].start != e->span.start) {
      span[at] = e->span;
      line[at] = source_line(m->sources, e->span);
    }
    e->line = line[at];
  }
  r->events.items = events;
  r->events.count = h->log.count;
}

// What `auto` did during the run.
static void report_changes(const Run *x, RunResult *r) {
  const OdeResult *o = &r->ode;
  if (!o->changes) return;
  const char *first = r->settled.method;
  r->settled.method = ode_method_name(o->method);
  if (o->changes == 1)
    r->settled.reason = arena_printf(x->arena, "auto: stiff from t = %.6g on, %s before", o->stiff_at, first);
  else
    r->settled.reason = arena_printf(x->arena, "auto: %s and rodas by turns, stiff first at t = %.6g, %u change%s",
                                     first, o->stiff_at, o->changes, o->changes == 1 ? "" : "s");
}

// The constraints that are marked, with commas between them: the first ones, and how many more there are. NULL: none.
static const char *names_of(const Run *x, const bool *marked, uint32_t most) {
  Text names = text_in(x->arena);
  uint32_t count = 0;
  for (uint32_t k = 0; k < x->p->constraints->count; k++) {
    if (marked[k] && ++count <= most)
      text_printf(&names, "%s%s", names.length ? ", " : "", constraint_name(&x->p->s, k));
  }
  if (count > most) text_printf(&names, " and %u more", count - most);
  return names.length ? text_str(&names) : NULL;
}

static void report_constraints(const Run *x, RunResult *r) {
  const ConstraintRun *c = &x->constraints;
  RunConstraints *out = &r->constraints;
  if (!x->p->constraints) return;
  *out = (RunConstraints){.count = x->p->constraints->count,
                          .rank = *c->rank,
                          .position = c->worst[0],
                          .velocity = c->worst[1],
                          .moved = c->moved[0],
                          .moved_velocity = c->moved[1],
                          .singular = c->singular->passed};
  memcpy(out->places, c->singular->places, sizeof out->places);
  if (c->impulses->count) {
    out->impulses = c->impulses->count;
    out->impulse = c->impulses->largest;
    out->impulse_t = c->impulses->t;
    out->impulse_name = constraint_name(&x->p->s, c->impulses->constraint);
  }
  uint32_t idle = 0;
  for (uint32_t k = 0; k < out->count; k++) idle += c->idle[k];
  enum { most_reported = 12 };
  out->dependent = names_of(x, c->dependent, UINT32_MAX);
  out->dependent_reported = names_of(x, c->dependent, most_reported);
  out->idle = names_of(x, c->idle, UINT32_MAX);
  out->idle_reported = names_of(x, c->idle, most_reported);
  out->one_idle = idle == 1;
}

// Constraints that leave a direction free in numbers which they do not leave free in truth.
static void warn_nearly(const Run *x, Diags *diags) {
  enum { most_named = 12 };
  const ConstraintRun *c = &x->constraints;
  const char *names = x->p->constraints ? names_of(x, c->nearly, most_named) : NULL;
  uint32_t last = x->p->constraints ? x->p->constraints->count : 0;
  if (!names) return;
  while (!c->nearly[--last]) continue;
  diag_warning(diags, diag_nearly_dependent, x->p->s.constraints.items[last].span,
               "the constraints %s are nearly dependent: the motion that their small difference forbids is not held",
               names);
  diag_hint(diags, "less than a millionth of their gradients is independent: write the difference as a constraint of "
                   "its own");
}

static void report_manifold(const Run *x, RunResult *r) {
  if (x->p->manifold) r->manifold = (RunManifold){x->p->manifold->count, *x->manifold.worst, *x->manifold.moved};
}

static void report_account(Run *x, RunResult *r, Diags *diags) {
  const RunState *s = x->s;
  if (r->ode.status == ode_done || r->ode.status == ode_ended) account_take(x, r->ode.t, x->y);
  r->account.kept = x->p->s.energy.kept;
  r->account.residue = s->worst;
  r->account.initial = s->initial;
  if (momenta_watched(x->p) && x->momenta.watch.told->count) {
    r->vanished = *x->momenta.watch.told;
    r->inertialess = x->p->s.coords.items[r->vanished.coord].name;
  }
  if (r->ode.roundoff_over_tol > 10) r->roundoff_name = x->p->y.items[r->ode.roundoff_component].name;
  AccountVerdict v = account_close(x, &r->ode, diags);
  r->account.relative = v.relative;
  r->account.large = v.residue_large;
}

// Rounding that has added up in a conserved sum.
static void report_conserved(const Run *x, const RunSettings *settings, RunResult *r) {
  enum { felt = 10 }; // times what the tolerance promises
  const SimProgram *p = x->p;
  const Settled *how = &p->settled;
  bool ended = r->ode.status == ode_done || r->ode.status == ode_ended;
  const double *recent = run_recent(x);
  double *size = recent ? arena_array(x->scratch, (size_t)p->y.count + 1, sizeof *size) : NULL;
  if (!size || !ended || settings->resume) return;
  for (uint32_t e = 0; e < p->y.count; e++)
    size[e] = fmax(recent[e], fabs(x->y[e])) + (how->by_scale ? 0 : how->atol / how->rtol);
  ConservedDrift d = conserved_drift(p->conserved, x->start, x->y, size);
  if (!(d.part > felt * how->rtol)) return;
  r->conserved = (RunConserved){.sum = conserved_text(x->arena, &p->y, p->conserved, d.sum),
                                .drift = d.drift,
                                .name = p->y.items[d.largest].name,
                                .value = x->y[d.largest]};
}

// The last row.
static void report_row(const Run *x, RunResult *r) {
  const RunState *s = x->s;
  r->t = s->row_t;
  r->rows = s->rows;
  r->account.stored = s->stored;
  r->account.final_residue = s->final_residue;
  r->account.dissipated = x->last[x->p->y.count + flow_dissipated];
  r->account.supplied = x->last[x->p->y.count + flow_supplied];
  memcpy(r->final.values, x->values, r->final.count * sizeof *r->final.values);
}

static void report_measures(Run *x, RunResult *r) {
  const MeasurePlan *m = x->p->measures;
  bool ended = r->ode.status == ode_done || r->ode.status == ode_ended;
  const double *values = m ? run_measures(x, r->ode.t, ended ? x->last : x->y) : NULL;
  if (!m) return;
  uint32_t count = m->set->items.count;
  RunMeasures *out = &r->measures;
  *out = (RunMeasures){.set = m->set, .undefined_t = INFINITY};
  out->values = arena_array(x->arena, (size_t)count + 1, sizeof *out->values);
  if (!out->values) return;
  memcpy(out->values, values, count * sizeof *values);
  for (uint32_t i = 0; i < m->gauges.count; i++) {
    const GaugeState *s = &x->measures.run.states[i];
    if (!s->has_none || !(s->undefined < out->undefined_t)) continue;
    out->undefined = m->set->gauges.items[i].text;
    out->undefined_t = s->undefined;
  }
}

static void report_warnings(const Run *x, RunResult *r, const Diags *diags) {
  const char **list = arena_array(x->arena, (size_t)diags->list.count + 1, sizeof *list);
  for (uint32_t i = 0; list && i < diags->list.count; i++) list[r->warning_count++] = diags->list.items[i].message;
  r->warnings = list;
}

// ---- the start

// What changed parameters do to the stored energy was supplied by whoever changed them.
static void book_resume(Run *x, double t) {
  double gain = account_residue(x, run_stored(x, t, x->y), x->y) - x->s->final_residue;
  if (fabs(gain) > 1e-9 * x->s->scale) x->y[x->p->y.count + flow_supplied] += gain;
}

// No step is longer than the shortest delay: does the maximum number of steps suffice?
static bool delays_are_too_short(const Run *x, Diags *diags) {
  const Hybrid *h = x->h;
  const OdeSettings *ode = &x->ode;
  if (!h || h->plan->stepwise || !h->plan->delay_count) return false;
  uint32_t least = 0;
  for (uint32_t i = 1; i < h->plan->delay_count; i++) {
    if (h->delays[i].time > 0 && (!(h->delays[least].time > 0) || h->delays[i].time < h->delays[least].time)) least = i;
  }
  double shortest = h->delays[least].time, steps = (ode->t1 - ode->t0) / shortest;
  if (!(shortest > 0) || !(steps > (double)ode->most_steps)) return false;
  diag_error(diags, diag_bad_setting, x->p->s.delays.items[least].span,
             "no step can be longer than a delay: one of %.6g takes %.3g steps to t = %.6g, and a run may take %llu",
             shortest, steps, ode->t1, (unsigned long long)ode->most_steps);
  diag_hint(diags, "leave out what is so short, end earlier, or allow more by `--most-steps`");
  return true;
}

static RunListener listener_of(const RunSettings *s, const Sink *sink) {
  return (RunListener){
      .sink = sink,
      .watcher = s->watcher,
      .energy = s->energy,
      .upright = s->watcher && !s->closest_rows, // animations have rows enough
      .paths = s->watcher && s->watch_paths,
      .self = s->self,
      .interrupted = s->interrupted,
      .progress = s->progress,
  };
}

// The state that was saved, where the run is to go on from it. False: r->failure, or reported.
static bool read_resume(Run *x, const RunSettings *settings, Diags *diags) {
  Span set = x->p->s.start_set;
  if (!settings->resume) return true;
  x->failure.status = run_input;
  if (set.source) {
    diag_error(diags, diag_bad_state, set, "a run that goes on starts from the saved state, not from here");
    diag_hint(diags, "a parameter may be changed; to begin elsewhere, leave out `--resume`");
    return false;
  }
  if (!state_read(x, settings->resume, diags)) {
    if (arena_failed(x->arena)) x->failure.status = run_no_memory;
    return false;
  }
  x->failure.status = run_done;
  return true;
}

// ---- the whole

static void put_failure(RunResult *r, const RunFailure *f) {
  r->status = f->status;
  r->message = f->message;
  r->place = f->place;
}

// Up to the first step. False: it did not come to it, which is reported. *goes: the integration is next; else r->ode
// says how it ended at its start.
static bool begin_move(Run *x, const RunSettings *settings, RunResult *r, Diags *diags, bool *goes) {
  bool resumed = settings->resume != NULL;
  *goes = false;
  OdeAction action = run_begin(x);
  if (resumed && x->p->constraints && !x->p->manifold && !constraint_rejoin(x, x->ode.start, x->y)) return false;
  if (resumed && x->p->manifold && !manifold_rejoin(x, x->ode.start, x->y)) return false;
  if (resumed && x->p->s.energy.kept && action == action_go) book_resume(x, x->ode.start);
  x->s->last_dissipated = x->y[x->p->y.count + flow_dissipated];
  x->s->worst_t = resumed ? NAN : 0;
  if (action == action_go && !resumed && delays_are_too_short(x, diags)) {
    x->failure.status = run_input;
    return false;
  }
  if (action != action_go) r->ode = run_not_begun(x, action);
  else if (!resumed && !inertia_check(x, x->ode.start, x->y, diags))
    r->ode = (OdeResult){.status = ode_stopped, .t = x->ode.start, .method = x->ode.method, .stiff_at = NAN};
  else *goes = true;
  return true;
}

// The summary of a run that reached its end, or did not.
static void report(Run *x, const RunSettings *settings, RunResult *r, Diags *diags) {
  OdeResult *o = &r->ode;
  if (o->status == ode_stopped && x->failure.status == run_failed) o->t = x->s->row_t; // in a row inside a step
  report_events(x, r);
  report_unsure(x, r);
  report_changes(x, r);
  report_constraints(x, r);
  warn_nearly(x, diags);
  report_manifold(x, r);
  if (o->status != ode_done && x->failure.status == run_interrupted) o->status = ode_stopped; // heard inside a step
  if (o->status != ode_done && o->status != ode_stopped && o->status != ode_ended) explain_end(x, o, x->y);
  if (settings->save && (o->status == ode_done || o->status == ode_ended)) r->state = state_write(x, o);
  if (x->failure.status == run_interrupted) {
    char at[number_text_size];
    number_print(o->t, at);
    x->failure.message = arena_printf(x->arena, "interrupted at t = %s", at);
  }
  report_account(x, r, diags);
  report_conserved(x, settings, r);
  report_row(x, r);
  report_measures(x, r);
  report_warnings(x, r, diags);
}

static void check_step(StepCheck *c, RunResult *r) {
  r->half.done = step_check_again(c);
  r->half.difference = c->difference;
  r->half.time = c->time;
  r->half.relative = c->relative;
  if (c->component) r->half.name = c->r->p->y.items[c->component - 1].name;
}

// A start that cannot be is wrong input.
static bool reset(Run *x, Diags *diags) {
  if (run_reset(x, NULL, NULL)) return true;
  if (x->failure.status != run_input || !x->failure.message) return false;
  diag_error(diags, diag_no_start, x->failure.place, "%s", x->failure.message);
  if (x->failure.hint) diag_hint(diags, "%s", x->failure.hint);
  x->failure.message = NULL; // it is reported
  return false;
}

static void report_backend(const Run *x, RunResult *r) {
  const CodeState *code = x->p->momenta ? &x->s->momenta_code : &x->s->code;
  r->backend = code->backend;
  const char *note = code_note(code, x->p->momenta ? &x->p->lazy->momenta : &x->p->lazy->f);
  r->backend_note = note ? arena_printf(x->arena, "%s", note) : NULL; // it outlives the program
}

static bool begin_follow(Run *x, const RunSettings *settings, RunResult *r, Diags *diags, bool *goes) {
  return reset(x, diags) && run_aim(x, r->settled.to) && read_resume(x, settings, diags) && run_send_header(x) &&
         begin_move(x, settings, r, diags, goes);
}

// False: the integration did not begin, which is reported.
static bool follow(Run *x, const RunSettings *settings, RunResult *r, Diags *diags) {
  StepCheck check = {.r = x};
  bool goes = false, ok = begin_follow(x, settings, r, diags, &goes);
  OdeObserver observer = step_check_observer(&check);
  if (ok && goes) r->ode = run_go(x, settings->check_step ? &observer : NULL);
  if (ok && x->choice && x->choice->step > 0) return true; // there is a better one: nothing is said of this
  if (ok) report(x, settings, r, diags);
  put_failure(r, &x->failure);
  if (!ok) return false;
  if (settings->check_step && r->status == run_done) check_step(&check, r);
  report_backend(x, r);
  return true;
}

RunClock run_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (RunClock){(double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

// Preparation of a run. False: there will be none, and r says why.
static bool open_result(Run *x, const ProgramReport *built, const RunSettings *settings, const Sink *sink,
                        RunResult *r) {
  *r = (RunResult){.settled = built->settled};
  put_failure(r, &built->failure);
  if (built->failure.status != run_done) return false;
  r->status = run_no_memory;
  if (!x) return false;
  const Columns *c = &x->p->columns;
  r->final.names = c->names;
  r->final.count = c->count;
  r->final.values = arena_array(x->arena, c->count, sizeof *r->final.values);
  if (!r->final.values) return false;
  run_listen(x, listener_of(settings, sink));
  return true;
}

RunResult run_follow(Run *x, const ProgramReport *built, const RunSettings *settings, const Sink *sink, Diags *diags,
                     RunClock start) {
  RunResult r;
  if (open_result(x, built, settings, sink, &r) && follow(x, settings, &r, diags))
    r.wall = run_clock().seconds - start.seconds;
  return r;
}

RunTurn run_follow_begin(Run *x, const ProgramReport *built, const RunSettings *settings, const Sink *sink,
                         Diags *diags, RunResult *r) {
  bool goes = false;
  if (!open_result(x, built, settings, sink, r)) return run_is_over;
  if (begin_follow(x, settings, r, diags, &goes)) return goes ? run_goes : run_ended_at_once;
  put_failure(r, &x->failure);
  return run_is_over;
}

void run_follow_end(Run *x, const RunSettings *settings, Diags *diags, double wall, RunResult *r) {
  report(x, settings, r, diags);
  put_failure(r, &x->failure);
  report_backend(x, r);
  r->wall = wall;
}

// ---- with a choice of the method during the run

// The whole run once more, by the method that was found better.
static RunResult follow_chosen(Arena *arena, const RunChoice *c, const Settled *first, const Sink *sink,
                               const Sink *watcher, Diags *diags, RunClock start) {
  RunSettings s = *c->settings;
  ProgramReport built;
  s.method = ode_method_name(ode_gauss8);
  s.step = c->step;
  s.to = first->to;
  s.every = first->every;
  s.rtol = s.atol = NAN;
  s.watcher = watcher;
  SimProgram *p = program_new_started(arena, c->system, &(ProgramRequest){&s, .one_run = true}, diags, &built);
  RunResult r = run_follow(p ? run_new(arena, p) : NULL, &built, &s, sink, diags, start);
  double digits = pow(10, floor(log10(c->steps)) - 1); // two of them: it is an estimate
  r.settled.reason = arena_printf(
      arena, "auto: conservative and about %.0f steps long, so gauss8, which keeps rtol %.3g over a first stretch",
      digits * round(c->steps / digits), first->rtol);
  program_free(p);
  return r;
}

RunResult run_model(Arena *arena, const System *system, const RunSettings *settings, const Sink *sink, Diags *diags) {
  RunClock start = run_clock();
  ProgramReport built;
  RunChoice choice = {.system = system, .settings = settings};
  SentRows rows, watched;
  RunSettings own = *settings;
  const Diags said = *diags;
  SimProgram *p = program_new_started(arena, system, &(ProgramRequest){settings, .one_run = true}, diags, &built);
  Run *x = p ? run_new(arena, p) : NULL;
  if (x && choose_may(p, settings)) {
    choose_count_rows(&rows, sink);
    choose_count_rows(&watched, settings->watcher);
    x->choice = &choice;
    x->choose = choose_after_step;
    sink = choose_sink(&rows);
    own.watcher = choose_sink(&watched);
  }
  RunResult r = run_follow(x, &built, &own, sink, diags, start);
  program_free(p);
  if (!(choice.step > 0)) return r;
  *diags = said; // it comes once more
  choose_skip_rows(&rows);
  choose_skip_rows(&watched);
  return follow_chosen(arena, &choice, &r.settled, sink, own.watcher, diags, start);
}
