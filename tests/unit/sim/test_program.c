// One Program, many motions: it is constant while they go, restarts build nothing and give the bits of fresh runs, and
// a copy of a motion stands on its own.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "tests/support.h"

#include "sim/ensemble.h"
#include "sim/motion.h"

#include <sys/mman.h>

// ---- pages: the linker leads the library's allocations through here, so that whole programs can be locked

enum { page = 4096, most_pieces = 4096 };

typedef struct Pages {
  struct {
    char *at;
    size_t size;
  } pieces[most_pieces];
  int count;
} Pages;

static Pages *into; // NULL: malloc

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *p);

static void *take_pages(size_t size) {
  size = (size + page - 1) / page * page;
  if (into->count == most_pieces) return NULL;
  char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return NULL;
  into->pieces[into->count].at = at;
  into->pieces[into->count++].size = size;
  return at;
}

void *__wrap_malloc(size_t size) { return into ? take_pages(size) : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return into ? take_pages(count * size) : __real_calloc(count, size); }

static Pages *all_pages[64];
static int page_lists;

void __wrap_free(void *p) {
  for (int i = 0; p && i < page_lists; i++) {
    for (int k = 0; k < all_pages[i]->count; k++) {
      if (all_pages[i]->pieces[k].at == p) return; // given back with their list
    }
  }
  __real_free(p);
}

static Pages *new_pages(void) {
  Pages *p = __real_calloc(1, sizeof *p);
  assert_true(page_lists < 64);
  all_pages[page_lists++] = p;
  return p;
}

static void protect(const Pages *p, int how, const void *but, const void *and_but) {
  for (int i = 0; i < p->count; i++) {
    const char *at = p->pieces[i].at, *end = at + p->pieces[i].size;
    bool apart = ((const char *)but >= at && (const char *)but < end) ||
                 ((const char *)and_but >= at && (const char *)and_but < end);
    if (!apart) assert_int_equal(mprotect(p->pieces[i].at, p->pieces[i].size, how), 0);
  }
}

static void drop_pages(Pages *p) {
  for (int i = 0; i < p->count; i++) munmap(p->pieces[i].at, p->pieces[i].size);
  p->count = 0;
}

// ---- models

typedef struct Kind {
  bool no_events;
  const char *name, *text; // the first parameter is the one that varies
} Kind;

static const Kind kinds[] = {
    {false, "pendulum",
     "param l = 1\nparam g = 9.81\ncoord th = 1\nkinetic 1/2*l^2*th'^2\npotential -g*l*cos(th)\n"
     "dissipation 0.1*th'^2\noutput th\noutput energy.stored\nsimulate to 2 step 0.01 every 0.1\n"},
    {false, "bouncing ball",
     "param e = 0.8\ncoord y = 1\nkinetic 1/2*y'^2\npotential 9.81*y\nwhen y < 0 do y' := -e*y'\n"
     "simulate to 1.5 step 0.005 every 0.1\n"},
    {false, "delay", "param k = 2\nstate x = 1\nx' = -k*delay(x, 0.3)\nsimulate to 3 step 0.01 every 0.1\n"},
    {false, "two delays in a circle",
     "param k = 0.5\nstate x = 1\nstate z\nlet d = delay(x + k*z, 0.2)\nx' = -d\n"
     "z' = delay(d, 0.1) - z\nsimulate to 3 step 0.01 every 0.1\n"},
    {false, "play and hysteresis",
     "param a = 1.5\nstate x = 1\nstate v\nx' = v\nv' = -4*backlash(x, 0.2) - 0.1*v\n"
     "output a*hysteresis(x, -0.5, 0.5, 0, 1)\noutput x\nsimulate to 4 step 0.01 every 0.1\n"},
    {false, "friction",
     "param mu = 0.4\ncoord x = 1\nkinetic 1/2*x'^2\npotential 2*x^2\nforce x = friction(x', mu, 1.2*mu)\n"
     "simulate to 6 step 0.01 every 0.2\n"},
    {false, "implicit",
     "param k = 2\nstate x = 1\nunknown z = 0.5/k\nequation z^3 + z = k*x\nx' = -z\n"
     "simulate to 2 step 0.01 every 0.1\n"},
    {false, "signals of time",
     "param w = 3\nstate x\nx' = step(t - 0.7) + abs(sin(w*t + 0.5)) - x\nsimulate to 3 step 0.01 every 0.1\n"},
    {false, "sampled",
     "param k = 0.3\nstate x = 1\nstate u\nx' = u - x\nevery 0.25 do u := -k*x\n"
     "simulate to 3 step 0.01 every 0.1\n"},
    {false, "start of a parameter",
     "param a = 0.3\nparam b = 2*a\nstate x = a + b\nx' = -b*x\nsimulate to 2 step 0.01 every 0.1\n"},
    {true, "stepwise delay",
     "param k = 2\nstate x = 1\nx' = -k*delay(x, 0.3)\nlet h = hysteresis(x, -0.2, 0.2, 0, 1)\noutput x\n"
     "output h\nsimulate to 3 step 0.01 every 0.1\n"},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

static const char *const methods[] = {"rk4", "heun", "dopri5", "dop853", "auto", "rodas", "bdf"};
enum { method_count = sizeof methods / sizeof *methods };

static bool fits(const Kind *k, const char *method) {
  return !k->no_events || strcmp(method, "rk4") == 0 || strcmp(method, "heun") == 0;
}

// ---- rows, by a sink that keeps them all

typedef struct Rows {
  double *items;
  size_t count, room;
} Rows;

static bool keep_row(void *self, const double *row, size_t count) {
  Rows *r = self;
  if (r->count + count > r->room) {
    double *more = __real_malloc(2 * (r->room + count) * sizeof *more); // not into the pages of a run
    memcpy(more, r->items, r->count * sizeof *more);
    __real_free(r->items);
    r->items = more;
    r->room = 2 * (r->room + count);
  }
  memcpy(r->items + r->count, row, count * sizeof *row);
  r->count += count;
  return true;
}

static void clear(Rows *r) {
  __real_free(r->items);
  *r = (Rows){.items = __real_malloc(sizeof(double))};
}

static void drop(Rows *r) {
  __real_free(r->items);
  *r = (Rows){0};
}

static bool same(const Rows *a, const Rows *b) {
  return a->count == b->count && a->count > 0 && memcmp(a->items, b->items, a->count * sizeof(double)) == 0;
}

static SimProgram *build(Arena *arena, Loaded *l, const Kind *k, const char *method) {
  RunSettings s = run_defaults();
  s.method = method;
  s.no_events = k->no_events;
  s.backend = "interp";
  ProgramReport report;
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  SimProgram *p = program_new(arena, &l->system, &(ProgramRequest){.settings = &s}, &diags, &report);
  if (!p) print_error("%s by %s: %s\n", k->name, method, report.failure.message ? report.failure.message : "?");
  assert_non_null(p);
  return p;
}

static Run *listen(Run *r, Rows *rows, Sink *sink) {
  assert_non_null(r);
  *sink = (Sink){.self = rows, .row = keep_row};
  run_listen(r, (RunListener){.sink = sink});
  return r;
}

static void vary(const SimProgram *p, double *params, double by) {
  memcpy(params, p->values.params, p->param_count * sizeof *params);
  params[0] *= by;
  if (p->param_count > 1 && strcmp(p->s.params.items[1].name, "b") == 0) params[1] = 2 * params[0];
}

static void go(Run *r, const double *params, double to) {
  if (params && !run_reset(r, params, NULL)) print_error("%s\n", r->failure.message);
  assert_int_equal(r->failure.status, run_done);
  OdeResult o = run_to(r, to);
  if (o.status != ode_done)
    print_error("`%s` by %s: status %d at %g: %s\n", r->p->s.params.items[0].name, r->p->settled.method, o.status, o.t,
                r->h && r->h->failure ? r->h->failure : "");
  assert_int_equal(o.status, ode_done);
}

// ---- the tests

static void a_program_is_constant_while_runs_go_on(void **state) {
  (void)state;
  for (int i = 0; i < kind_count; i++) {
    for (int m = 0; m < method_count; m++) {
      if (!fits(&kinds[i], methods[m])) continue;
      Loaded *l = load_text(kinds[i].text);
      Pages *pages = new_pages();
      into = pages;
      Arena *arena = arena_new();
      SimProgram *p = build(arena, l, &kinds[i], methods[m]);
      into = NULL;
      protect(pages, PROT_READ, p->lazy, p->lazy->arena); // what is made late stands apart
      Arena *own = arena_new();
      Rows rows = {0};
      Sink sink;
      double params[8];
      clear(&rows);
      Run *r = listen(run_new(own, p), &rows, &sink);
      for (int k = 0; k < 3; k++) {
        vary(p, params, 1 + 0.1 * k);
        go(r, params, p->settled.to);
      }
      assert_true(rows.count > 0);
      arena_free(own);
      protect(pages, PROT_READ | PROT_WRITE, NULL, NULL);
      program_free(p);
      arena_free(arena);
      drop_pages(pages);
      drop(&rows);
      page_lists--;
      __real_free(pages);
      unload(l);
    }
  }
}

static void a_copy_goes_on_when_its_original_is_gone(void **state) {
  (void)state;
  for (int i = 0; i < kind_count; i++) {
    for (int m = 0; m < method_count; m++) {
      if (!fits(&kinds[i], methods[m])) continue;
      Loaded *l = load_text(kinds[i].text);
      Arena *arena = arena_new(), *other = arena_new();
      SimProgram *p = build(arena, l, &kinds[i], methods[m]);
      Pages *pages = new_pages();
      Rows first = {0}, second = {0};
      Sink sinks[2];
      double params[8], half = 0.37 * p->settled.to;
      clear(&first);
      clear(&second);
      vary(p, params, 1.05);
      go(listen(run_new(arena, p), &first, &sinks[0]), params, p->settled.to); // what is made late is the program's
      into = pages;
      Arena *own = arena_new();
      Run *r = listen(run_new(own, p), &first, &sinks[0]);
      go(r, params, half);
      into = NULL;
      Run *copy = listen(run_copy(other, r), &second, &sinks[1]);
      clear(&first);
      into = pages;
      go(r, NULL, p->settled.to); // the original goes on
      into = NULL;
      drop_pages(pages); // and is gone
      go(copy, NULL, p->settled.to);
      if (!same(&first, &second)) print_error("%s by %s\n", kinds[i].name, methods[m]);
      assert_true(same(&first, &second));
      page_lists--;
      __real_free(pages);
      drop(&first);
      drop(&second);
      program_free(p);
      arena_free(other);
      arena_free(arena);
      unload(l);
    }
  }
}

// Between a stop (the image of a jump through a delay) and the end of a segment there may be room for one double alone:
// what the method would try next is no step then.
static void a_motion_goes_on_from_just_behind_a_stop(void **state) {
  (void)state;
  Loaded *l = load_text(kinds[2].text);
  Arena *arena = arena_new();
  SimProgram *p = build(arena, l, &kinds[2], "dopri5");
  Rows rows = {0};
  Sink sink;
  double params[8], stop = 4 * 0.3;
  clear(&rows);
  Run *r = listen(run_new(arena, p), &rows, &sink);
  vary(p, params, 1.05);
  for (int i = 0; i < 4; i++, stop = nextafter(stop, INFINITY)) {
    go(r, params, stop);
    go(r, NULL, p->settled.to);
  }
  drop(&rows);
  program_free(p);
  arena_free(arena);
  unload(l);
}

// Each restart is compared with a fresh run of the same program, some with one of a program of their own.
static void a_thousand_restarts_give_the_bits_of_fresh_runs(void **state) {
  (void)state;
  for (int i = 0; i < kind_count; i++) {
    const char *method = kinds[i].no_events ? "rk4" : methods[2 + i % 4];
    Loaded *l = load_text(kinds[i].text);
    Arena *arena = arena_new();
    SimProgram *p = build(arena, l, &kinds[i], method);
    Rows again = {0}, fresh = {0};
    Sink sinks[2];
    double params[8], to = 0.25 * p->settled.to;
    Run *r = listen(run_new(arena, p), &again, &sinks[0]);
    for (int k = 0; k < 1000; k++) {
      bool whole = k % 100 == 0;
      Arena *own = arena_new();
      SimProgram *q = whole ? build(own, l, &kinds[i], method) : p;
      vary(p, params, 1 + 0.0003 * k);
      clear(&again);
      clear(&fresh);
      go(r, params, to);
      go(listen(run_new(own, q), &fresh, &sinks[1]), params, to);
      if (!same(&again, &fresh)) print_error("%s by %s, restart %d\n", kinds[i].name, method, k);
      assert_true(same(&again, &fresh));
      if (whole) program_free(q);
      arena_free(own);
    }
    drop(&again);
    drop(&fresh);
    program_free(p);
    arena_free(arena);
    unload(l);
  }
}

// The text with another number gives the same rows, though that run is specialized by its values.
static void a_restart_gives_the_bits_of_a_run_of_the_changed_text(void **state) {
  (void)state;
  static const char format[] = "param k = %.17g\nparam c = 0.1\nstate x = k\nstate v\nx' = v\nv' = -k*sin(x) - c*v\n"
                               "output x\nsimulate to 3 every 0.1\n";
  char text[400];
  snprintf(text, sizeof text, format, 2.0);
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  SimProgram *p = build(arena, l, &(Kind){.text = text}, "dop853");
  Rows again = {0}, alone = {0};
  Sink sinks[2];
  Run *r = listen(run_new(arena, p), &again, &sinks[0]);
  for (int i = 0; i < 20; i++) {
    double params[2] = {2 + 0.37 * i, 0.1};
    snprintf(text, sizeof text, format, params[0]);
    Loaded *changed = load_text(text);
    Arena *own = arena_new();
    Diags diags = {.arena = own, .sources = &changed->model.sources};
    RunSettings s = run_defaults();
    s.method = "dop853";
    clear(&again);
    clear(&alone);
    go(r, params, 3);
    sinks[1] = (Sink){.self = &alone, .row = keep_row};
    assert_int_equal(run_model(own, &changed->system, &s, &sinks[1], &diags).status, run_done);
    assert_true(same(&again, &alone));
    arena_free(own);
    unload(changed);
  }
  drop(&again);
  drop(&alone);
  program_free(p);
  arena_free(arena);
  unload(l);
}

static void what_a_program_was_not_made_for_is_refused(void **state) {
  (void)state;
  Loaded *l = load_text("param n = 3\nparam k = 1\nparam T = 0.5\nstate x[i] = 1 for i in 1..n\n"
                        "x[i]' = -k*x[i] for i in 1..n\nstate z\nz' = delay(x[1], T)\nsimulate to 1\n");
  Arena *arena = arena_new();
  SimProgram *p = build(arena, l, &(Kind){.name = "refused"}, "dop853");
  Run *r = run_new(arena, p);
  double params[3];
  memcpy(params, p->values.params, sizeof params);
  params[1] = 2;
  assert_true(run_reset(r, params, NULL));
  params[0] = 4; // says how many things there are
  assert_false(run_reset(r, params, NULL));
  assert_int_equal(r->failure.status, run_input);
  assert_non_null(strstr(r->failure.message, "how many things"));
  params[0] = 3;
  params[2] = 0; // the delay would be its input
  assert_false(run_reset(r, params, NULL));
  params[2] = -1;
  assert_false(run_reset(r, params, NULL));
  params[2] = 0.25;
  assert_true(run_reset(r, params, NULL));
  program_free(p);
  // a program of one run serves its values alone
  Loaded *plain = load_text("param k = 1\nstate x = 1\nx' = -k*x\nsimulate to 1\n");
  RunSettings s = run_defaults();
  ProgramReport report;
  Diags diags = {.arena = arena, .sources = &plain->model.sources};
  p = program_new(arena, &plain->system, &(ProgramRequest){&s, .one_run = true}, &diags, &report);
  r = run_new(arena, p);
  assert_true(run_reset(r, (double[]){1}, NULL));
  assert_false(run_reset(r, (double[]){2}, NULL));
  program_free(p);
  arena_free(arena);
  unload(plain);
  unload(l);
}

// ---- ensembles

typedef struct Members {
  const SimProgram *p;
  uint64_t next; // what must come next
  Rows rows;
  uint64_t ends;
} Members;

static bool sample(void *self, uint32_t thread, uint64_t i, double *params, double *y0) {
  const Members *m = self;
  (void)thread;
  vary(m->p, params, 1 + 0.001 * (double)i);
  memcpy(y0, m->p->values.start, m->p->y.count * sizeof *y0);
  return true;
}

static bool take_row(void *self, uint64_t i, double t, const double *values) {
  Members *m = self;
  if (i != m->next) return false; // out of order
  return keep_row(&m->rows, &t, 1) && keep_row(&m->rows, values, m->p->columns.shown);
}

static bool take_end(void *self, uint64_t i, const EnsembleEnd *end) {
  Members *m = self;
  m->ends += end->status == run_done;
  return i == m->next++;
}

// Rows come sample by sample, and are those of runs one after the other: in lanes and one by one, on several threads.
static void an_ensemble_hands_over_trajectories_in_order(void **state) {
  (void)state;
  static const char *const by[] = {"rk4", "dop853", "rodas", "bdf"};
  enum { count = 40 };
  for (int i = 0; i < 2; i++) {
    for (int m = 0; m < 4; m++) {
      Loaded *l = load_text(kinds[i].text); // in lanes, and with events one by one
      Arena *arena = arena_new();
      SimProgram *p = build(arena, l, &kinds[i], by[m]);
      Members members = {.p = p};
      Rows alone = {0};
      Sink sink;
      double params[8];
      clear(&members.rows);
      clear(&alone);
      Run *r = listen(run_new(arena, p), &alone, &sink);
      for (int k = 0; k < count; k++) {
        vary(p, params, 1 + 0.001 * k);
        go(r, params, p->settled.to);
      }
      Ensemble e = {.self = &members, .count = count, .sample = sample, .row = take_row, .take = take_end};
      EnsembleResult done = ensemble_run(p, &e, ensemble_threads(p, count, 3));
      assert_int_equal(done.status, run_done);
      assert_int_equal(members.ends, count);
      if (!same(&alone, &members.rows)) print_error("%s by %s\n", kinds[i].name, by[m]);
      assert_true(same(&alone, &members.rows));
      drop(&alone);
      drop(&members.rows);
      program_free(p);
      arena_free(arena);
      unload(l);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_program_is_constant_while_runs_go_on),
      cmocka_unit_test(a_copy_goes_on_when_its_original_is_gone),
      cmocka_unit_test(a_motion_goes_on_from_just_behind_a_stop),
      cmocka_unit_test(a_thousand_restarts_give_the_bits_of_fresh_runs),
      cmocka_unit_test(a_restart_gives_the_bits_of_a_run_of_the_changed_text),
      cmocka_unit_test(what_a_program_was_not_made_for_is_refused),
      cmocka_unit_test(an_ensemble_hands_over_trajectories_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
