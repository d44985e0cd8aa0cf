// Does a fixed-step Gauss method beat the adaptive one? Trial runs beside the simulation. See choose.h.
#include "sim/choose.h"

#include "sim/program_start.h"

#include <string.h>

enum {
  look_at = 200,      // steps after which the run is estimated; later where steps still grow
  latest_look = 6400, // steps after which it looks at any rate
  proved = 64,        // an estimate is proved by one part in this many of it
  long_run = 100000,  // steps from which on a drift of energy counts
  compared_rows = 16, // of each trial
};
static const double slack = 10;          // of the tolerance: what errors of 200 steps may sum up to
static const double reference = 0.01;    // its tolerance, in parts of that of the run
static const double finest_rtol = 1e-14; // of the reference: below it rounding rules

// ---- may it be?

static bool is_conservative(const SimProgram *p) {
  const System *s = &p->s;
  if (!s->energy.kept || s->states.count || p->events || s->held.count || s->constraints.count) return false;
  for (uint32_t i = 0; i < s->energy.flows.count; i++) {
    if (s->energy.flows.items[i].power != p->pool.zero) return false;
  }
  return true;
}

bool choose_may(const SimProgram *p, const RunSettings *settings) {
  return p->settled.ode.automatic && !settings->resume && !settings->no_structure && is_conservative(p);
}

// ---- a trial

typedef struct Trial {
  Run *outer, *r;
  double *rows; // y, row by row
  uint32_t count;
} Trial;

static bool take(void *self, double t, const double *y) {
  Trial *x = self;
  uint32_t n = x->r->p->y.count;
  (void)t;
  if (x->count <= compared_rows) memcpy(x->rows + (size_t)x->count++ * n, y, n * sizeof *y);
  return true;
}

static bool after_step(void *self, double t, const double *y, uint64_t steps) {
  (void)t, (void)y;
  return steps % 16 || !run_is_interrupted(((Trial *)self)->outer);
}

static void jump(void *self, double left, double right, double *y) {
  run_take_jump(((Trial *)self)->r, left, right, y);
}

static SimProgram *build(Arena *arena, const RunChoice *c, const char *method, double step, double to) {
  RunSettings s = *c->settings;
  ProgramReport report;
  Diags diags = {.arena = arena, .sources = c->system->sources}; // errors were reported before, or there is no trial
  bool fixed = step > 0;
  s.method = method;
  s.to = s.every = to;
  s.step = fixed ? step : NAN;
  s.most_steps = 0;
  s.watcher = NULL;
  s.watch_count = 0;
  s.energy = s.save = false;
  s.backend = NULL;
  if (fixed) s.rtol = s.atol = NAN;
  return program_new_started(arena, c->system, &(ProgramRequest){&s, .one_run = true}, &diags, &report);
}

// From the start to `to`, with compared_rows rows behind the first. False: it does not come there.
static bool follow(Trial *x, double step, double to) {
  Run *r = x->r;
  run_listen(r, (RunListener){.quiet = true});
  if (!run_reset(r, NULL, NULL) || !run_aim(r, to)) return false;
  r->ode.step = step;
  r->ode.every = to / compared_rows;
  if (run_begin(r) != action_go) return false;
  x->count = 0;
  return run_go(r, &(OdeObserver){.self = x, .row = take, .step = after_step, .jump = jump}).status == ode_done &&
         x->count > compared_rows;
}

// The largest difference relative to the size of a component, which is at least 1/1000 of the largest one of its kind.
static double difference(const Trial *a, const Trial *b, double *size) {
  uint32_t n = a->r->p->y.count;
  const uint8_t *kinds = a->r->p->y.kinds;
  double largest[ode_kinds] = {0}, most = 0;
  for (uint32_t e = 0; e < n; e++) {
    size[e] = 0;
    for (uint32_t i = 0; i < a->count; i++) size[e] = fmax(size[e], fabs(a->rows[(size_t)i * n + e]));
    largest[kinds[e]] = fmax(largest[kinds[e]], size[e]);
  }
  for (uint32_t e = 0; e < n; e++) {
    double by = fmax(size[e], 1e-3 * largest[kinds[e]]);
    for (uint32_t i = 0; by > 0 && i < a->count; i++)
      most = fmax(most, fabs(a->rows[(size_t)i * n + e] - b->rows[(size_t)i * n + e]) / by);
  }
  return most;
}

// ---- the choice

// A step near `wanted` on whose ends all rows lie.
static double step_near(const OdeSettings *ode, double wanted) {
  return ode->every / fmax(1, round(ode->every / wanted));
}

typedef struct Bench {
  SimProgram *programs[2];
  Trial best, gauss;
  double *size;
} Bench;

static bool make_trial(Trial *x, Arena *arena, Run *outer, const SimProgram *p) {
  *x = (Trial){.outer = outer, .r = p ? run_new(arena, p) : NULL};
  x->rows = arena_array(arena, (size_t)(compared_rows + 1) * outer->p->y.count, sizeof *x->rows);
  return x->r && x->rows;
}

static bool make_bench(Bench *b, Arena *arena, Run *r, double stretch) {
  const RunChoice *c = r->choice;
  RunSettings tight = *c->settings;
  tight.rtol = fmax(finest_rtol, reference * r->p->settled.rtol);
  tight.atol = NAN;
  b->programs[0] = build(arena, &(RunChoice){.system = c->system, .settings = &tight}, "dop853", 0, stretch);
  b->programs[1] = build(arena, c, "gauss8", stretch / look_at, stretch);
  b->size = arena_array(arena, (size_t)r->p->y.count + 1, sizeof *b->size);
  return b->size && make_trial(&b->best, arena, r, b->programs[0]) && make_trial(&b->gauss, arena, r, b->programs[1]);
}

static void free_bench(const Bench *b) {
  program_free(b->programs[0]);
  program_free(b->programs[1]);
}

// The largest step that keeps the tolerance over the stretch; 0: none of those that are tried does.
static double find_step(Bench *b, const Run *r, double stretch, double average) {
  static const double parts[] = {2, 1, 0.5, 0.25};
  double before = INFINITY;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    double h = step_near(&r->ode, parts[i] * average), rows = floor(stretch / h / compared_rows) * compared_rows;
    bool fits = h < before && h <= 2.5 * average && h >= 0.1 * average && rows > 0; // rows may be close together
    before = fmin(before, h);
    if (!fits || (r->ode.t1 - r->ode.t0) / h > (double)r->ode.most_steps) continue;
    if (!follow(&b->best, 0, rows * h)) return 0;
    if (follow(&b->gauss, h, rows * h) && difference(&b->best, &b->gauss, b->size) <= slack * r->p->settled.rtol)
      return h;
    if (r->failure.status != run_done) return 0; // interrupted
  }
  return 0;
}

// Do the later half of the steps say something else than the earlier ones? A run that begins slowly, or with small
// steps, is no measure of what comes.
static bool still_grows(RunChoice *c, const Run *r, double t) {
  double before = c->middle - r->ode.t0, behind = t - c->middle;
  c->middle = t;
  return behind > 2 * before;
}

// Has the estimate of the first steps been confirmed by more of them? A run that starts at velocity zero may begin with
// steps that are short beside all that follow.
static bool is_proved(const RunChoice *c, double steps) { return steps > long_run && steps > 0.25 * c->steps; }

// A look at the run so far. True: it is long, and that is proved; c has what the first look saw.
static bool is_long(RunChoice *c, const Run *r, double t, uint64_t steps) {
  double stretch = t - r->ode.t0, estimate = (double)steps * (r->ode.t1 - r->ode.t0) / stretch;
  if (!c->next) c->next = look_at;
  if (2 * steps <= c->next) c->middle = t;
  if (steps < c->next) return false;
  if (c->steps > 0) {
    c->looked = true;
    return is_proved(c, estimate);
  }
  if (c->next < latest_look && still_grows(c, r, t)) {
    c->next = 2 * steps;
    return false;
  }
  c->looked = !(estimate > long_run);
  c->steps = estimate;
  c->stretch = stretch;
  c->average = stretch / (double)steps;
  c->next = steps + (uint64_t)fmin(estimate / proved, latest_look);
  return false;
}

bool choose_after_step(Run *r, double t, uint64_t steps) {
  RunChoice *c = r->choice;
  if (c->looked || !is_long(c, r, t, steps)) return false;
  Arena *arena = arena_new();
  Bench bench = {0};
  if (!arena) return false; // then it goes on as it is
  if (make_bench(&bench, arena, r, c->stretch)) c->step = find_step(&bench, r, c->stretch, c->average);
  free_bench(&bench);
  arena_free(arena);
  return c->step > 0;
}

// ---- rows that were sent

static bool send_header(void *self, const char *const *names, size_t count) {
  const SentRows *x = self;
  if (x->skip) return true;
  return !x->to->header || x->to->header(x->to->self, names, count);
}

static bool send_row(void *self, const double *values, size_t count) {
  SentRows *x = self;
  if (x->skip) {
    x->skip--;
    return true;
  }
  x->sent++;
  return !x->to->row || x->to->row(x->to->self, values, count);
}

void choose_count_rows(SentRows *x, const Sink *to) {
  *x = (SentRows){.to = to, .sink = {.self = x, .header = send_header, .row = send_row}};
}

void choose_skip_rows(SentRows *x) { x->skip = x->sent; }
const Sink *choose_sink(const SentRows *x) { return x->to ? &x->sink : NULL; }
