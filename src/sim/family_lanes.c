// Runs of several models of one family in SIMD lanes.
//
//   member --family_open--> Run on the program of all --run_follow_begin--> lanes --run_follow_end--> result
//
// Each lane has the Run of its member, which takes rows, steps and jumps as a single run does; lanes evaluate eight
// right-hand sides at once, with the same bits. Rows wait until it is their member's turn. A member that fails, or
// whose rows do, is discarded and run alone: so its messages are those of a single run.
#include "sim/family_lanes.h"

#include "sim/ensemble_inside.h"
#include "sim/lane_motions.h"

#include <stdlib.h>
#include <string.h>

static const double most_waiting = 256e6; // bytes of rows that may wait

// ---- rows that wait

typedef enum WaitingKind { waiting_row, waiting_between } WaitingKind;

typedef struct WaitingRows {
  const Sink *to;
  const char **names; // of the header; NULL: none was sent
  size_t name_count;
  double *values; // kind, count, then `count` numbers, again and again
  size_t used, room;
  bool no_memory;
} WaitingRows;

static bool wait_header(void *self, const char *const *names, size_t count) {
  WaitingRows *w = self;
  w->names = calloc(count + 1, sizeof *w->names);
  w->no_memory = !w->names;
  if (w->names) memcpy(w->names, names, count * sizeof *names); // those of the program, which stays
  w->name_count = count;
  return !w->no_memory;
}

static bool put(WaitingRows *w, WaitingKind kind, const double *values, size_t count) {
  if (w->used + count + 2 > w->room) {
    size_t room = 2 * w->room + count + 1024;
    double *grown = realloc(w->values, room * sizeof *grown);
    w->no_memory = !grown;
    if (!grown) return false;
    w->values = grown;
    w->room = room;
  }
  double *at = w->values + w->used;
  at[0] = kind;
  at[1] = (double)count;
  memcpy(at + 2, values, count * sizeof *values);
  w->used += count + 2;
  return true;
}

static bool wait_row(void *self, const double *values, size_t count) { return put(self, waiting_row, values, count); }
static bool wait_between(void *self, const double *values, size_t count) {
  return put(self, waiting_between, values, count);
}

static Sink waiting_sink(WaitingRows *w, const Sink *to) {
  *w = (WaitingRows){.to = to};
  if (!to) return (Sink){0};
  return (Sink){w, to->header ? wait_header : NULL, to->row ? wait_row : NULL, to->between ? wait_between : NULL};
}

// To where they belong. False: it takes no more.
static bool send_waiting(const WaitingRows *w) {
  if (!w->to) return true;
  bool ok = !w->names || w->to->header(w->to->self, w->names, w->name_count);
  for (size_t at = 0; ok && at < w->used;) {
    size_t count = (size_t)w->values[at + 1];
    bool between = w->values[at] == waiting_between;
    ok = (between ? w->to->between : w->to->row)(w->to->self, w->values + at + 2, count);
    at += count + 2;
  }
  return ok;
}

static void drop_waiting(WaitingRows *w) {
  free(w->names);
  free(w->values);
  *w = (WaitingRows){.to = w->to};
}

// ---- members that run

typedef struct Beside {
  FamilyMember *m;
  Diags said; // before it began
  RunSettings settings;
  WaitingRows rows, watched;
  Sink sink, watcher;
  SimProgram *own;
  Run *x;
  RunTurn turn;
  bool done, failed; // the run is over; a row or a step of it was not taken
} Beside;

typedef struct FamilyLanes {
  LaneMotions motions;
  Beside *all;
  uint32_t count, next; // the next one that begins
  Beside *in[lane_count];
  const RunSettings *settings;
  uint64_t evaluations, compile_at;
  Native *native;
} FamilyLanes;

// Do their settings let them go side by side?
static bool may_go_beside(const RunSettings *s) {
  return !s->resume && !s->save && !s->check_step && !s->no_events && !s->measures &&
         (!s->backend || strcmp(s->backend, "auto") == 0);
}

// Does the program? Breaks of fixed steps, and what may answer to constraints, are left to a single run.
static bool serves_lanes(const SimProgram *p, uint32_t count) {
  const OdeSettings *ode = &p->settled.ode;
  bool breaks = p->settled.fixed && p->breaks && p->breaks->switches.count;
  if (!ensemble_in_lanes(p) || p->constraints || p->manifold || p->momenta || p->held || breaks) return false;
  double width = p->columns.count + p->columns.watch_count + 16;
  return (double)ode_row_count(ode) * width * sizeof(double) * count <= most_waiting;
}

// The member's first half.
static void begin(Beside *b, FamilyMember *m, FamilyProgram *f, bool first) {
  ProgramReport report;
  *b = (Beside){.m = m, .said = *m->diags, .settings = *m->settings};
  b->sink = waiting_sink(&b->rows, m->sink);
  b->watcher = waiting_sink(&b->watched, m->settings->watcher);
  if (b->settings.watcher) b->settings.watcher = &b->watcher;
  if (!first) b->settings.progress = NULL; // one reports for all
  b->x = family_open(m->arena, m->system, f, m->settings, m->diags, &b->own, &report);
  bool shared = b->x && !b->own && b->x->p == family_program(f);
  b->turn = run_is_over;
  b->failed = true;
  if (!shared) return; // it is run alone
  b->failed = false;
  b->turn = run_follow_begin(b->x, &report, &b->settings, m->sink ? &b->sink : NULL, m->diags, &m->result);
}

// ---- what lanes ask

static bool next_member(void *self, int lane, double *y, OdeBreaks *breaks) {
  FamilyLanes *k = self;
  while (k->next < k->count && k->all[k->next].turn != run_goes) k->next++;
  if (k->next == k->count) return false;
  Beside *b = k->in[lane] = &k->all[k->next++];
  Run *r = b->x;
  const SimProgram *p = k->motions.p;
  lane_motions_own(&k->motions, lane, r);
  memcpy(lane_params(&k->motions, lane), r->params, p->param_count * sizeof *r->params);
  lane_motions_begin(&k->motions, lane);
  lane_motions_break(&k->motions, lane, &r->ode.breaks);
  r->s->code = (CodeState){.backend = backend_interp, .next = UINT64_MAX};
  memcpy(y, r->y, p->y.total * sizeof *y);
  *breaks = r->ode.breaks;
  return true;
}

// Does anybody take what it does? Not after it failed, nor after an interrupt, which all lanes hear soon.
static bool is_followed(const Beside *b) { return !b->failed && b->x->failure.status != run_interrupted; }

static void take_row(void *self, int lane, double t, const double *y) {
  Beside *b = ((FamilyLanes *)self)->in[lane];
  if (is_followed(b) && !run_take_row(b->x, t, y)) b->failed = b->x->failure.status != run_interrupted;
}

static void take_jump(void *self, int lane, double left, double right, double *y) {
  run_take_jump(((FamilyLanes *)self)->in[lane]->x, left, right, y);
}

// Native code for lanes, when it pays (as choose_backend of ensemble.c has it).
static void count_evaluations(FamilyLanes *k) {
  const SimProgram *p = k->motions.p;
  const char *why, *note;
  k->evaluations += (uint64_t)ode_work(p->settled.ode.method);
  if (k->evaluations < k->compile_at) return;
  k->compile_at = UINT64_MAX;
  k->native = native_new(k->motions.arena, p->f,
                         &(NativeSettings){.backend = backend_cc,
                                           .lanes = true,
                                           .rates = true,
                                           .self = k->settings->self,
                                           .interrupted = k->settings->interrupted},
                         &why, &note);
  k->motions.native = k->native;
}

static void take_step(void *self, int lane, double t, const double *y, uint64_t steps) {
  FamilyLanes *k = self;
  Beside *b = k->in[lane];
  count_evaluations(k);
  if (is_followed(b) && !run_after_step(b->x, t, y, steps)) b->failed = b->x->failure.status != run_interrupted;
}

// Pictures look inside of steps, for jumps of what is shown alone and for round paths.
static void take_spans(void *self, unsigned mask, const double *t0, const double *t1, LaneDense *dense, void *from) {
  FamilyLanes *k = self;
  for (int l = 0; l < lane_count; l++) {
    if ((mask >> l & 1) && !is_followed(k->in[l])) mask &= ~(1u << l);
  }
  lane_motions_span(&k->motions, mask, t0, t1, dense, from);
}

static void take_span_alone(void *self, int lane, double t0, double t1, OdeDense *dense, void *from) {
  Beside *b = ((FamilyLanes *)self)->in[lane];
  if (is_followed(b)) run_take_span(b->x, t0, t1, dense, from);
}

static void take_end(void *self, int lane, const OdeResult *o, const double *y) {
  Beside *b = ((FamilyLanes *)self)->in[lane];
  Run *r = b->x;
  b->m->result.ode = *o;
  memcpy(r->y, y, r->p->y.total * sizeof *y);
  r->s->t = o->t;
  r->s->step = o->next_step;
  r->z_changed = NULL;
  b->done = true;
}

static bool is_interrupted(void *self) {
  const RunSettings *s = ((FamilyLanes *)self)->settings;
  return s->interrupted && s->interrupted(s->self);
}

// All that are to go. False: out of memory.
static bool go(Arena *arena, Beside *all, uint32_t count, const SimProgram *p, const RunSettings *s) {
  FamilyLanes lanes = {.all = all, .count = count, .settings = s}, *k = &lanes;
  k->compile_at = (uint64_t)(6e8 / (p->f->op_count + 1) + 2e6);
  k->motions.asker = k;
  k->motions.interrupted = is_interrupted;
  if (!lane_motions_init(&k->motions, arena, p)) return false;
  // lanes that get no member have one all the same: its results are unused
  bool spans = false;
  for (uint32_t i = 0; i < count; i++) {
    spans = spans || (all[i].turn == run_goes && run_span_taker(all[i].x));
    for (int l = 0; all[i].turn == run_goes && l < lane_count; l++) {
      if (!k->motions.bound[l]) k->motions.bound[l] = all[i].x;
    }
  }
  LaneProblem problem = lane_motions_problem(&k->motions);
  LaneObserver observer = {.self = k,
                           .next = next_member,
                           .row = take_row,
                           .jump = take_jump,
                           .done = take_end,
                           .stop = is_interrupted,
                           .step = take_step,
                           .span = spans ? take_spans : NULL,
                           .span_alone = take_span_alone};
  bool ok = ode_solve_lanes(arena, &problem, &p->settled.ode, &observer);
  native_free(k->native);
  return ok;
}

// ---- the second half

static bool came_through(const Beside *b) {
  OdeStatus status = b->m->result.ode.status;
  if (b->failed || b->rows.no_memory || b->watched.no_memory) return false;
  return b->turn != run_goes || (b->done && (status == ode_done || status == ode_ended || status == ode_stopped));
}

static void discard(Beside *b) {
  *b->m->diags = b->said;
  program_free(b->own);
  drop_waiting(&b->rows);
  drop_waiting(&b->watched);
}

static void end(Beside *b, FamilyProgram *f, double wall) {
  FamilyMember *m = b->m;
  if (!came_through(b)) {
    discard(b);
    m->result = run_member(m->arena, m->system, f, m->settings, m->sink, m->diags);
  } else {
    if (m->result.ode.status == ode_stopped) run_is_interrupted(b->x);
    if (b->turn != run_is_over) run_follow_end(b->x, m->settings, m->diags, wall, &m->result);
    if (!send_waiting(&b->rows) || !send_waiting(&b->watched)) m->result.status = run_sink_failed;
  }
  drop_waiting(&b->rows);
  drop_waiting(&b->watched);
}

void family_run_members(FamilyProgram *f, FamilyMember *members, uint32_t count) {
  RunClock clock = run_clock();
  Beside *all = f && count > 1 && may_go_beside(members->settings) ? calloc(count, sizeof *all) : NULL;
  Arena *arena = all ? arena_new() : NULL;
  uint32_t begun = 0;
  // the first one makes the program
  if (arena) begin(&all[begun++], &members[0], f, true);
  bool beside = begun && family_program(f) && serves_lanes(family_program(f), count);
  while (beside && begun < count) {
    begin(&all[begun], &members[begun], f, false);
    begun++;
  }
  for (uint32_t i = 0; !beside && i < begun; i++) all[i].failed = true;
  if (beside && !go(arena, all, begun, family_program(f), members->settings)) {
    for (uint32_t i = 0; i < begun; i++) all[i].failed = true;
  }
  double wall = begun ? (run_clock().seconds - clock.seconds) / begun : 0;
  bool stopped = false;
  for (uint32_t i = 0; i < count; i++) {
    FamilyMember *m = &members[i];
    if (stopped && i < begun) discard(&all[i]);
    if (stopped) m->result = (RunResult){.status = run_interrupted};
    else if (i < begun) end(&all[i], f, wall);
    else m->result = run_member(m->arena, m->system, f, m->settings, m->sink, m->diags);
    stopped = stopped || m->result.status == run_interrupted || m->result.status == run_sink_failed;
  }
  arena_free(arena);
  free(all);
}
