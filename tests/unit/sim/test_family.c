// Members of a family on one Program: which ones go on it, and that they give the bits of runs of their own.
#include "tests/support.h"

#include "sim/family.h"

enum { most_numbers = 4000 };

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_give_the_bits_of_runs_of_their_own),
      cmocka_unit_test(what_the_program_cannot_serve_gets_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
