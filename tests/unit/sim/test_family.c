// Members of a family on one Program: which ones go on it, and that they give the bits of runs of their own, one after
// another and side by side.
#include "tests/support.h"

#include "sim/family_lanes.h"

enum { most_numbers = 100000 };

typedef struct Rows {
  double items[most_numbers];
  size_t count;
} Rows;

static bool keep_row(void *self, const double *row, size_t count) {
  Rows *r = self;
  if (r->count + count > most_numbers) return false;
  memcpy(r->items + r->count, row, count * sizeof *row);
  r->count += count;
  return true;
}

typedef struct Ran {
  RunResult r;
  Rows rows;
  uint32_t messages;
} Ran;

static void follow(Ran *out, Arena *arena, const System *s, FamilyProgram *f, const RunSettings *settings,
                   const Sources *sources) {
  out->rows.count = 0;
  Sink sink = {.self = &out->rows, .row = keep_row};
  Diags diags = {.arena = arena, .sources = sources};
  out->r = run_member(arena, s, f, settings, &sink, &diags);
  out->messages = diags.list.count;
}

// The parameter p of the text has these values one after another: numbers are put into the pool beforehand.
typedef struct Members {
  Loaded *l;
  uint32_t index;
  FamilyProgram *f;
} Members;

static Members open_family(const char *text) {
  Members x = {.l = load_text(text)};
  const System *s = &x.l->system;
  while (strcmp(s->params.items[x.index].name, "p") != 0) x.index++;
  x.f = family_new(&x.index, 1);
  assert_non_null(x.f);
  return x;
}

static void close_family(Members *x) {
  family_free(x->f);
  unload(x->l);
}

static System member_of(const Members *x, Arena *arena, ExprId value) {
  System s;
  assert_true(variant_make(&s, &x->l->system, arena, &(Variant){variant_param, x->index, value}, 1));
  return s;
}

static const struct {
  const char *text;
  bool shared; // with other values of p
  bool places; // accelerations depend on places alone: verlet runs
} kinds[] = {
    {"param p = 1, m = 1\nparam q = 2*p + m\ncoord x = q\nkinetic 1/2*m*x'^2\npotential 1/2*p*x^2 + 1*m*x\n"
     "dissipation 0.1*q*x'^2\noutput x\noutput energy.stored\nsimulate to 2 every 0.25\n",
     true, false},
    {"param p = 1\ncoord a = 1, b = p\nkinetic 1/2*p*a'^2 + 1/2*b'^2 + 1/2*cos(a - b)*a'*b'\npotential -p*cos(a) - "
     "b*a\n"
     "simulate to 2 every 0.25\n",
     true, false},
    {"param p = 1\ncoord x = p, y = 0, u = p, w = -1\nkinetic 1/2*p*(x'^2 + y'^2) + 1/2*(u'^2 + w'^2)\n"
     "potential 9.81*(y + w)\nconstraint rod: x^2 + y^2 = p^2\nconstraint hook: (u - x)^2 + (w - y)^2 = 1\n"
     "simulate to 2 every 0.25\n",
     true, true},
    {"param p = 0.8\ncoord y = 1\nkinetic 1/2*y'^2\npotential 9.81*y\nwhen y < 0 do y' := -0.5*p*y'\n"
     "simulate to 1 every 0.1\n",
     true, false},
    {"param p = 1\nstate x = 1\nx' = -2*delay(x, 0.3*p)\nsimulate to 3 every 0.1\n", true, false},
    {"param p = 2\nstate x = 1\nunknown z = 0.5/p\nequation z^3 + z = p*x\nx' = -z\nsimulate to 2 every 0.1\n", true,
     false},
    {"param p = 2\nstate x = 1\nx' = -x\nsimulate to p every 0.25\n", false, false}, // another end is another program
};

static void members_give_the_bits_of_runs_of_their_own(void **state) {
  (void)state;
  static const char *const methods[] = {"rk4", "dop853", "rodas", "bdf", "gauss4", "gauss8", "conserve", "verlet"};
  Ran *shared = calloc(1, sizeof *shared), *own = calloc(1, sizeof *own);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    for (int m = 0; m < 8; m++) {
      if (m == 7 && !kinds[i].places) continue;
      Members x = open_family(kinds[i].text);
      RunSettings settings = run_defaults();
      settings.method = methods[m];
      settings.all = true;
      settings.check_step = m == 0;
      if (m == 0 || m >= 4) settings.step = 0.05;
      const char **first = NULL;
      for (int k = 0; k < 4; k++) {
        Arena *arena = arena_new();
        ExprId value = expr_num(&x.l->model.pool, rat_make(arena, 10 + 3 * k, 10));
        System s = member_of(&x, arena, value);
        follow(shared, arena, &s, x.f, &settings, &x.l->model.sources);
        follow(own, arena, &s, NULL, &settings, &x.l->model.sources);
        if (shared->r.status != run_done) print_error("%s\n", shared->r.message ? shared->r.message : "?");
        assert_int_equal(shared->r.status, run_done);
        assert_int_equal(own->r.status, run_done);
        assert_int_equal(shared->rows.count, own->rows.count);
        assert_memory_equal(shared->rows.items, own->rows.items, own->rows.count * sizeof(double));
        assert_int_equal(shared->r.ode.evaluations, own->r.ode.evaluations);
        assert_true(shared->r.account.residue == own->r.account.residue);
        assert_true(shared->r.half.difference == own->r.half.difference);
        assert_int_equal(shared->messages, own->messages);
        assert_int_equal(shared->r.final.count, own->r.final.count);
        assert_memory_equal(shared->r.final.values, own->r.final.values, own->r.final.count * sizeof(double));
        // the names of the final values stand in the program
        if (k == 0) first = shared->r.final.names;
        assert_int_equal(shared->r.final.names == first, k == 0 || kinds[i].shared);
        assert_true(own->r.final.names != first);
        arena_free(arena);
      }
      close_family(&x);
    }
  }
  free(shared);
  free(own);
}

// What a program cannot serve gets one of its own, and the one of the family goes on serving.
static void what_the_program_cannot_serve_gets_its_own(void **state) {
  (void)state;
  Members x = open_family("param p = 1\nstate x = 1\nx' = -2*delay(x, 0.3*p)\noutput x\nsimulate to 1 every 0.1\n");
  ExprPool *pool = &x.l->model.pool;
  const ExprId values[] = {pool->one, pool->zero, pool->minus_one, expr_num(pool, rat_make(x.l->arena, 1, 2))};
  Ran *ran = calloc(1, sizeof *ran);
  Arena *arena = arena_new();
  RunSettings settings = run_defaults();
  System s[4];
  for (int i = 0; i < 4; i++) s[i] = member_of(&x, arena, values[i]);
  follow(ran, arena, &s[0], x.f, &settings, &x.l->model.sources);
  const char **names = ran->r.final.names;
  follow(ran, arena, &s[1], x.f, &settings, &x.l->model.sources); // the delay is its input: x = exp(-2 t)
  assert_int_equal(ran->r.status, run_done);
  assert_true(ran->r.final.names != names);
  assert_true(fabs(ran->r.final.values[0] - exp(-2)) < 1e-9);
  follow(ran, arena, &s[2], x.f, &settings, &x.l->model.sources);
  assert_int_equal(ran->r.status, run_input); // a dead time below zero
  assert_int_equal(ran->messages, 1);
  follow(ran, arena, &s[3], x.f, &settings, &x.l->model.sources);
  assert_int_equal(ran->r.status, run_done);
  assert_true(ran->r.final.names == names);
  settings.rtol = 1e-6; // other settings
  follow(ran, arena, &s[3], x.f, &settings, &x.l->model.sources);
  assert_true(ran->r.final.names != names);
  arena_free(arena);
  free(ran);
  close_family(&x);
}

// ---- side by side

// All rows of all members, in the order in which they come.
typedef struct Order {
  int last;
  bool mixed;
} Order;

typedef struct MemberRows {
  Rows rows;
  Order *order;
  int number;
} MemberRows;

static bool order_row(void *self, const double *row, size_t count) {
  MemberRows *m = self;
  m->order->mixed = m->order->mixed || m->number < m->order->last;
  m->order->last = m->number;
  return keep_row(&m->rows, row, count);
}

// Rows of pictures, those between the rows of the table too.
static Sink watching(Rows *rows) { return (Sink){.self = rows, .row = keep_row, .between = keep_row}; }

static void same_result(const RunResult *a, const RunResult *b) {
  assert_int_equal(a->status, b->status);
  assert_true(a->t == b->t && a->ode.t == b->ode.t);
  assert_int_equal(a->rows, b->rows);
  assert_int_equal(a->ode.steps, b->ode.steps);
  assert_int_equal(a->ode.rejected, b->ode.rejected);
  assert_int_equal(a->ode.evaluations, b->ode.evaluations);
  assert_int_equal(a->ode.method, b->ode.method);
  assert_int_equal(a->ode.events, b->ode.events);
  assert_true(a->ode.smallest == b->ode.smallest && a->ode.largest == b->ode.largest);
  assert_true(a->account.residue == b->account.residue && a->account.dissipated == b->account.dissipated);
  assert_true(a->account.supplied == b->account.supplied);
  assert_int_equal(a->events.count, b->events.count);
  for (uint32_t i = 0; i < a->events.count; i++) assert_true(a->events.items[i].t == b->events.items[i].t);
  if (a->message || b->message) assert_string_equal(a->message, b->message);
  assert_int_equal(a->final.count, b->final.count);
  assert_memory_equal(a->final.values, b->final.values, b->final.count * sizeof(double));
}

typedef struct Watched {
  const char *signal; // a name of the text; NULL: no picture
  bool path;
  size_t least; // rows of its picture
} Watched;

static void side_by_side(const char *text, const char *method, bool energy, int32_t numerator, int32_t step,
                         Watched watched) {
  enum { members = 11 }; // more than lanes
  Members x = open_family(text);
  RunSettings settings = run_defaults();
  ExprId watch = 0;
  for (uint32_t i = 0; watched.signal && i < x.l->system.outputs.count; i++) {
    if (strcmp(x.l->system.outputs.items[i].name, watched.signal) == 0) watch = x.l->system.outputs.items[i].value;
  }
  assert_true(watch || !watched.signal);
  settings.watch = &watch;
  settings.watch_count = watch ? 1 : 0;
  settings.watch_paths = watched.path;
  settings.method = method;
  settings.energy = energy;
  if (strcmp(method, "rk4") == 0) settings.step = 0.05;
  Order order = {.last = -1};
  MemberRows *rows = calloc(members, sizeof *rows);
  Rows *pictures = calloc(members + 1, sizeof *pictures); // the last: of a run alone
  Ran *own = calloc(1, sizeof *own);
  System systems[members];
  RunSettings each[members];
  Sink watchers[members + 1];
  FamilyMember all[members];
  Sink sinks[members];
  Diags diags[members];
  Arena *arenas[members];
  for (int k = 0; k < members; k++) {
    Arena *arena = arenas[k] = arena_new();
    systems[k] = member_of(&x, arena, expr_num(&x.l->model.pool, rat_make(arena, numerator + step * k, 10)));
    rows[k] = (MemberRows){.order = &order, .number = k};
    sinks[k] = (Sink){.self = &rows[k], .row = order_row};
    diags[k] = (Diags){.arena = arena, .sources = &x.l->model.sources};
    each[k] = settings;
    watchers[k] = watching(&pictures[k]);
    if (watch) each[k].watcher = &watchers[k];
    all[k] = (FamilyMember){
        .arena = arena, .system = &systems[k], .settings = &each[k], .sink = &sinks[k], .diags = &diags[k]};
  }
  family_run_members(x.f, all, members);
  watchers[members] = watching(&pictures[members]);
  if (watch) settings.watcher = &watchers[members];
  assert_false(order.mixed);
  for (int k = 0; k < members; k++) {
    follow(own, arenas[k], &systems[k], NULL, &settings, &x.l->model.sources);
    same_result(&all[k].result, &own->r);
    assert_int_equal(diags[k].list.count, own->messages);
    assert_int_equal(rows[k].rows.count, own->rows.count);
    assert_memory_equal(rows[k].rows.items, own->rows.items, own->rows.count * sizeof(double));
    if (pictures[k].count < 8 * watched.least)
      fail_msg("%s by %s: %zu rows of pictures\n", text, method, pictures[k].count / 8);
    assert_int_equal(pictures[k].count, pictures[members].count);
    assert_memory_equal(pictures[k].items, pictures[members].items, pictures[k].count * sizeof(double));
    pictures[members].count = 0;
  }
  for (int k = 0; k < members; k++) arena_free(arenas[k]);
  free(pictures);
  free(rows);
  free(own);
  close_family(&x);
}

static void members_side_by_side_give_the_bits_of_runs_alone(void **state) {
  (void)state;
  static const char *const methods[] = {"dopri5", "dop853", "rodas", "rk4", "bdf", "auto"};
  static const char *const more[] = {
      // dry friction that holds and lets go; delays that feed back; a relay; a stiff oscillator; what fails half way
      "param p = 1\ncoord x = 0, y = 0.1\nkinetic 1/2*x'^2 + 1/2*y'^2\npotential 1/2*(x - y)^2 + 1/2*x^2\n"
      "force x = -0.3*p*sign(x') + sin(2*t)\nforce y = -0.1*y'\nsimulate to 4 every 0.2\n",
      "param p = 1\nstate x = 1, y = 0\nx' = y\ny' = -delay(x, 0.2*p) - 0.2*y + 0.3*sign(sin(3*t))\n"
      "simulate to 3 every 0.1\n",
      "param p = 1\nstate x = 0, u = 0\nx' = u\nu' = if(x > 0.3*p, -1, 1) - 0.4*u\nsimulate to 6 every 0.2\n",
      "param p = 1\nstate x = 2, v = 0\nx' = v\nv' = 20*p*(1 - x^2)*v - x\nsimulate to 5 every 0.25\n",
      "param p = 1\nstate x = 1\nx' = -p*sqrt(x) - 0.01\nsimulate to 1.4 every 0.1\n",
      "param p = 1\nstate x = 1\noutput z = ln(1.2 - p*t)\nx' = -x\nsimulate to 1 every 0.1\n",
  };
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
      side_by_side(kinds[i].text, methods[m], m == 1, 10, 2, (Watched){0});
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
      side_by_side(more[i], methods[m], m == 1, 5, 2, (Watched){0});
  }
}

// Nothing of the motion depends on what pictures show, so no event is located there: they look into steps of lanes as
// into those of one run, for both limits of each jump and for paths in a plane.
static void pictures_of_members_see_the_same_inside_of_steps(void **state) {
  (void)state;
  static const char *const methods[] = {"dopri5", "dop853", "rodas", "rk4", "bdf", "auto"};
  static const struct {
    const char *text;
    Watched watched;
  } shown[] = {
      {"param p = 1\nstate x = 0\nx' = p\noutput y = floor(7*x)\nsimulate to 1 every 0.25\n", {"y", false, 5 + 6}},
      {"param p = 1\nstate x = 1, v = 0\nx' = v\nv' = -4*p*x\noutput y = if(x > 0.1, 2, -1)\n"
       "simulate to 3 every 0.5\n",
       {"y", false, 7 + 2}},
      // beside events of the motion
      {"param p = 1\nstate x = 0, u = 0\nx' = u\nu' = if(x > 0.3*p, -1, 1) - 0.4*u\noutput y = floor(5*u)\n"
       "simulate to 6 every 1\n",
       {"y", false, 7 + 8}},
      {"param p = 1\nstate x = 1, v = 0\nx' = v\nv' = -4*p*x\noutput y = v\nsimulate to 3 every 0.5\n",
       {"y", true, 7 + 60}},
  };
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
      side_by_side(shown[i].text, methods[m], false, 10, 2, shown[i].watched);
  }
}

// Ctrl-C: the first one that is not complete says so, and no other is run.
static bool stop_soon(void *self) { return ++*(int *)self > 200; }

static void an_interrupt_ends_all_members(void **state) {
  (void)state;
  Members x = open_family("param p = 1\nstate x = 1, v = 0\nx' = v\nv' = -p*sin(x)\nsimulate to 1e6 every 1e5\n");
  int asked = 0;
  RunSettings settings = run_defaults();
  settings.self = &asked;
  settings.interrupted = stop_soon;
  System systems[3];
  FamilyMember all[3];
  Diags diags[3];
  Arena *arena = arena_new();
  for (int k = 0; k < 3; k++) {
    systems[k] = member_of(&x, arena, expr_num(&x.l->model.pool, rat_make(arena, 10 + k, 10)));
    diags[k] = (Diags){.arena = arena, .sources = &x.l->model.sources};
    all[k] = (FamilyMember){.arena = arena, .system = &systems[k], .settings = &settings, .diags = &diags[k]};
  }
  family_run_members(x.f, all, 3);
  for (int k = 0; k < 3; k++) assert_int_equal(all[k].result.status, run_interrupted);
  assert_true(strncmp(all[0].result.message, "interrupted at t = ", 19) == 0);
  assert_true(all[0].result.ode.steps > 100); // it had gone on
  arena_free(arena);
  close_family(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_side_by_side_give_the_bits_of_runs_alone),
      cmocka_unit_test(pictures_of_members_see_the_same_inside_of_steps),
      cmocka_unit_test(an_interrupt_ends_all_members),
      cmocka_unit_test(members_give_the_bits_of_runs_of_their_own),
      cmocka_unit_test(what_the_program_cannot_serve_gets_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
