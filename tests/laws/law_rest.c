// What sticks and what slides: a run from a point, the linear model there and the equilibrium give one verdict.
//
// 1 to 4 bodies M a = F - J' s z at rest, each with a friction against the ground or the body before it, springs
// between them; relays w' = b - c z beside them. The verdict comes from every choice of sticking and sliding, in
// rational numbers (S6 of docs/semantics.md), also where a load is what an element can just hold, or a billionth more.
// The broken twin lets elements hold a millionth more.
#include "tests/laws/chance.h"
#include "tests/laws/page.h"

#include "viva/viva.h"

enum { systems = 1000, most_bodies = 4, most_relays = 2, most_elements = most_bodies + most_relays };

// ---- rational numbers

__extension__ typedef __int128 Wide;

typedef struct Fraction {
  Wide n, d; // d > 0, no common factor
} Fraction;

static Fraction fraction(Wide n, Wide d) {
  Wide a = n < 0 ? -n : n, b = d < 0 ? -d : d;
  while (b) {
    Wide c = a % b;
    a = b;
    b = c;
  }
  if (d < 0) a = -a;
  return a ? (Fraction){n / a, d / a} : (Fraction){0, 1};
}

static Fraction plus(Fraction a, Fraction b) { return fraction(a.n * b.d + b.n * a.d, a.d * b.d); }
static Fraction minus(Fraction a) { return (Fraction){-a.n, a.d}; }
static Fraction times(Fraction a, Fraction b) {
  Fraction x = fraction(a.n, b.d), y = fraction(b.n, a.d); // small before they are multiplied
  return fraction(x.n * y.n, x.d * y.d);
}
static Fraction over(Fraction a, Fraction b) { return times(a, fraction(b.d, b.n)); }
static int sign_of(Fraction a) { return (a.n > 0) - (a.n < 0); }
static int compare(Fraction a, Fraction b) { return sign_of(plus(a, minus(b))); }

// ---- systems

typedef enum Form { form_friction, form_sign, form_above } Form;

typedef struct Plant {
  int n, relays, m; // m = n + relays elements
  bool decimal;     // all numbers are decimal fractions, else binary ones
  bool relative[most_bodies];
  Fraction mass[most_bodies], load[most_bodies], x[most_bodies], k[most_bodies]; // springs to the body before
  Fraction slip[most_elements], stick[most_elements], push[most_relays];
  int line[most_elements]; // of the text
} Plant;

// Small, and exact in their base.
static Fraction some(const Plant *p, int least, int most) {
  Wide n = least + (int)choose((unsigned)(most - least + 1));
  return p->decimal ? fraction(n, 10) : fraction(n, 8);
}

static Fraction along(const Plant *p, int e, const Fraction *v) {
  return p->relative[e] ? plus(v[e], minus(v[e - 1])) : v[e];
}

// Forces of springs.
static Fraction spring(const Plant *p, int i) {
  Fraction f = {0, 1};
  if (i > 0) f = plus(f, times(p->k[i], plus(p->x[i - 1], minus(p->x[i]))));
  if (i + 1 < p->n) f = plus(f, times(p->k[i + 1], plus(p->x[i + 1], minus(p->x[i]))));
  return f;
}

// Loads that elements hold with these forces.
static void load_with(Plant *p, const Fraction *force) {
  for (int i = 0; i < p->n; i++) {
    p->load[i] = plus(force[i], minus(spring(p, i)));
    if (i + 1 < p->n && p->relative[i + 1]) p->load[i] = plus(p->load[i], minus(force[i + 1]));
  }
}

static Plant make(void) {
  Plant p = {.n = 1 + (int)choose(most_bodies), .relays = (int)choose(most_relays + 1), .decimal = choose(2)};
  Fraction billionth = p.decimal ? fraction(1, 1000000000) : fraction(1, 1 << 30), force[most_elements];
  bool at_limit = choose(3) > 0;
  p.m = p.n + p.relays;
  for (int e = 0; e < p.m; e++) {
    p.slip[e] = some(&p, 1, 30);
    p.stick[e] = e < p.n && choose(2) ? plus(p.slip[e], some(&p, 1, 20)) : p.slip[e];
    int where = at_limit ? (int)choose(4) : 3; // of its box: a bound, the other one, zero, or anywhere
    force[e] = where == 0   ? p.stick[e]
               : where == 1 ? minus(p.stick[e])
               : where == 2 ? (Fraction){0, 1}
                            : some(&p, -40, 40);
  }
  for (int i = 0; i < p.n; i++) {
    p.relative[i] = i > 0 && choose(2);
    p.mass[i] = p.decimal ? some(&p, 1, 30) : fraction(1 << choose(4), 2);
    p.x[i] = some(&p, -20, 20);
    p.k[i] = choose(2) ? some(&p, 1, 30) : (Fraction){0, 1};
  }
  load_with(&p, force);
  for (int i = 0; i < p.relays; i++) p.push[i] = force[p.n + i];
  if (choose(2)) {
    Fraction *by = choose(2) && p.relays ? &p.push[0] : &p.load[choose((unsigned)p.n)];
    *by = plus(*by, choose(2) ? billionth : minus(billionth));
  }
  return p;
}

static void number_of(Page *page, const Plant *p, Fraction a) {
  if (!p->decimal) {
    put(page, "(%lld/%lld)", (long long)a.n, (long long)a.d);
    return;
  }
  Wide all = (a.n < 0 ? -a.n : a.n) * (1000000000000 / a.d);
  put(page, "(%s%lld.%012lld)", a.n < 0 ? "-" : "", (long long)(all / 1000000000000), (long long)(all % 1000000000000));
}

static void param_of(Page *page, const Plant *p, const char *name, int i, Fraction a, int *line) {
  put(page, "param %s%d = ", name, i);
  number_of(page, p, a);
  put(page, "\n");
  ++*line;
}

static void spell(Plant *p, Page *page) {
  int line = 1;
  for (int i = 0; i < p->n; i++) {
    param_of(page, p, "F", i, p->load[i], &line);
    param_of(page, p, "m", i, p->mass[i], &line);
    param_of(page, p, "k", i, p->k[i], &line);
    param_of(page, p, "s", i, p->slip[i], &line);
    param_of(page, p, "h", i, p->stick[i], &line);
    put(page, "coord x%d = ", i);
    number_of(page, p, p->x[i]);
    put(page, "\nkinetic m%d*x%d'^2/2\n", i, i);
    line += 2;
    if (i) put(page, "potential k%d*(x%d - x%d)^2/2\n", i, i, i - 1), line++;
    p->line[i] = line++;
    if (p->relative[i]) put(page, "let c%d = friction(x%d' - x%d', s%d, h%d)\n", i, i, i - 1, i, i);
    else put(page, "let c%d = friction(x%d', s%d, h%d)\n", i, i, i, i);
  }
  for (int i = 0; i < p->n; i++) {
    put(page, "force x%d = F%d + c%d", i, i, i);
    put(page, i + 1 < p->n && p->relative[i + 1] ? " - c%d\n" : "\n", i + 1);
    line++;
  }
  for (int i = 0; i < p->relays; i++) {
    param_of(page, p, "b", i, p->push[i], &line);
    param_of(page, p, "r", i, p->slip[p->n + i], &line);
    put(page, "state w%d = 0\n", i);
    p->line[p->n + i] = ++line;
    line++;
    put(page, i ? "w%d' = b%d + r%d - 2*r%d*(w%d > 0)\n" : "w%d' = b%d - r%d*sign(w%d)\n", i, i, i, i, i);
  }
  for (int i = 0; i < p->n; i++) put(page, "%s x%d'", i ? "," : "output", i);
  for (int i = 0; i < p->relays; i++) put(page, ", w%d", i);
  put(page, "\n");
}

// ---- the truth

typedef struct Boxes {
  Fraction low[most_bodies], high[most_bodies]; // forces of elements
  bool slides[most_bodies];
} Boxes;

// Rates of the guards of bodies with these forces.
static void rates(const Plant *p, const Fraction *z, Fraction *r) {
  Fraction a[most_bodies];
  for (int i = 0; i < p->n; i++) {
    a[i] = plus(plus(p->load[i], spring(p, i)), minus(z[i]));
    if (i + 1 < p->n && p->relative[i + 1]) a[i] = plus(a[i], z[i + 1]);
    a[i] = over(a[i], p->mass[i]);
  }
  for (int e = 0; e < p->n; e++) r[e] = along(p, e, a);
}

// Forces with which those inside (state 0) have no rate. False: they cannot be told.
static bool solve(const Plant *p, const int *state, Fraction *z) {
  Fraction a[most_bodies][most_bodies + 1], r[most_bodies], one[most_bodies];
  int at[most_bodies], m = 0;
  for (int e = 0; e < p->n; e++) {
    if (state[e]) continue;
    z[e] = (Fraction){0, 1};
    at[m++] = e;
  }
  rates(p, z, r);
  for (int j = 0; j < m; j++) {
    z[at[j]] = (Fraction){1, 1};
    rates(p, z, one);
    z[at[j]] = (Fraction){0, 1};
    for (int i = 0; i < m; i++) a[i][j] = plus(one[at[i]], minus(r[at[i]]));
  }
  for (int i = 0; i < m; i++) a[i][m] = minus(r[at[i]]);
  for (int c = 0; c < m; c++) {
    if (!sign_of(a[c][c])) return false; // of a negative definite matrix no pivot is zero
    for (int i = 0; i < m; i++) {
      if (i == c) continue;
      Fraction f = over(a[i][c], a[c][c]);
      for (int j = c; j <= m; j++) a[i][j] = plus(a[i][j], minus(times(f, a[c][j])));
    }
  }
  for (int c = 0; c < m; c++) z[at[c]] = over(a[c][m], a[c][c]);
  return true;
}

// The choice that fits the boxes. False: none.
static bool find_choice(const Plant *p, const Boxes *b, int *state, Fraction *r) {
  int choices = 1;
  for (int e = 0; e < p->n; e++) choices *= 3;
  for (int c = 0; c < choices; c++) {
    Fraction z[most_bodies];
    for (int e = 0, rest = c; e < p->n; e++, rest /= 3) {
      state[e] = rest % 3 == 2 ? -1 : rest % 3;
      z[e] = state[e] > 0 ? b->high[e] : b->low[e];
    }
    if (!solve(p, state, z)) continue;
    rates(p, z, r);
    bool fits = true;
    for (int e = 0; e < p->n; e++) {
      fits = fits && (state[e] ? sign_of(r[e]) * state[e] >= 0
                               : compare(z[e], b->low[e]) >= 0 && compare(z[e], b->high[e]) <= 0);
    }
    if (fits) return true;
  }
  return false;
}

// Which elements stick, by S6; those of the twin hold a little more. False: at a bound in motion, which is either.
static bool find_truth(const Plant *p, bool twin, bool *sticks) {
  Fraction more = twin ? fraction(1000001, 1000000) : (Fraction){1, 1};
  Boxes b = {0};
  int state[most_bodies];
  for (int e = 0; e < p->n; e++) {
    b.high[e] = times(p->stick[e], more);
    b.low[e] = minus(b.high[e]);
  }
  for (bool again = true; again;) {
    Fraction r[most_bodies];
    again = false;
    assert_true(find_choice(p, &b, state, r));
    for (int e = 0; e < p->n; e++) {
      if (b.slides[e] && !sign_of(r[e])) return false;
      sticks[e] = !state[e] || !sign_of(r[e]);
      if (sticks[e] || b.slides[e]) continue;
      b.slides[e] = again = true;
      b.high[e] = p->slip[e];
      b.low[e] = minus(p->slip[e]);
    }
  }
  for (int i = 0; i < p->relays; i++) {
    Fraction most = times(p->slip[p->n + i], more);
    sticks[p->n + i] = compare(p->push[i], most) <= 0 && compare(p->push[i], minus(most)) >= 0;
  }
  return true;
}

// ---- the program

static const double moment = 1e-9; // in it nothing else happens

static bool take_row(void *self, const double *values, size_t count) {
  memcpy(self, values + 1, (count - 1) * sizeof *values);
  return true;
}

static bool is_said(const char *text, int line, const char *what) {
  char said[64];
  snprintf(said, sizeof said, "(line %d) %s", line, what);
  return strstr(text, said) != NULL;
}

// By the run: what sticks does not move at all. *stopped: it finds no motion from here.
static bool run_agrees(const Plant *p, const viva_model *model, const bool *sticks, bool *stopped) {
  double v[most_elements] = {0};
  viva_sink sink = {.self = v, .row = take_row};
  viva_run_options o = viva_run_defaults();
  viva_run *run = NULL;
  o.to = o.every = moment;
  *stopped = viva_run_model(model, &o, &sink, &run) != VIVA_OK;
  bool right = !*stopped;
  for (int e = 0; e < p->m; e++) {
    double g = e < p->n && p->relative[e] ? v[e] - v[e - 1] : v[e];
    right = right && sticks[e] == (fabs(g) < 1e-14 * moment);
  }
  viva_run_free(run);
  return right;
}

// stopped: then there is no linear model, either.
static bool linearize_agrees(const Plant *p, const viva_model *model, const bool *sticks, bool stopped) {
  viva_linearize_options o = viva_linearize_defaults();
  viva_linearization *l = NULL;
  o.point = VIVA_AT_START;
  bool right = viva_linearize(model, &o, &l) == VIVA_OK, all = true;
  const char *text = right ? viva_linearization_text(l, VIVA_FORMAT_TEXT) : "";
  for (int e = 0; e < p->m; e++) {
    right = right && is_said(text, p->line[e], "holds") == sticks[e];
    right = right && is_said(text, p->line[e], "begins to slide") != sticks[e];
    all = all && sticks[e];
  }
  right = right && viva_linearization_equilibrium(l) == all && !strstr(text, "for all values");
  if (stopped) right = !viva_linearization_states(l);
  viva_linearization_free(l);
  return right;
}

// A point at which all sticks is the equilibrium that is found from there; another one is not.
static bool equilibrium_agrees(const Plant *p, const viva_model *model, const bool *sticks) {
  viva_equilibrium *x = NULL;
  bool same = viva_equilibrium_find(model, NULL, &x) == VIVA_OK, all = true;
  const char *text = same ? viva_equilibrium_text(x, VIVA_FORMAT_TEXT) : "";
  for (int i = 0; i < p->n && same; i++)
    same = viva_equilibrium_value(x, 0, (size_t)i) == (double)p->x[i].n / (double)p->x[i].d;
  bool said = true;
  for (int e = 0; e < p->m; e++) {
    all = all && sticks[e];
    said = said && (e >= p->n || is_said(text, p->line[e], "sticks"));
  }
  viva_equilibrium_free(x);
  return same == all && (!all || said);
}

static void one_verdict_is_given(void **state) {
  (void)state;
  int tried = 0, mixed = 0, stopped = 0, wrong[3] = {0}, twins = 0;
  for (int k = 0; k < systems; k++) {
    Plant p = make();
    bool sticks[most_elements], looser[most_elements], any = false, all = true;
    static Page page;
    page.length = 0;
    if (!find_truth(&p, false, sticks)) continue;
    spell(&p, &page);
    viva_load_options load = viva_load_defaults();
    viva_model *model = NULL;
    assert_int_equal(viva_model_parse("law.viva", page.text, page.length, &load, &model), VIVA_OK);
    bool stops, right[3];
    right[0] = run_agrees(&p, model, sticks, &stops) || stops;
    right[1] = linearize_agrees(&p, model, sticks, stops);
    right[2] = equilibrium_agrees(&p, model, sticks) || stops;
    stopped += stops;
    viva_model_free(model);
    tried++;
    for (int i = 0; i < 3; i++) wrong[i] += !right[i];
    if (!right[0] || !right[1] || !right[2]) {
      fprintf(stderr, "%s%s%swrong:\n%s", right[0] ? "" : "run ", right[1] ? "" : "linearize ",
              right[2] ? "" : "equilibrium ", page.text);
      for (int e = 0; e < p.m; e++) fprintf(stderr, "line %d %s\n", p.line[e], sticks[e] ? "sticks" : "slides");
    }
    for (int e = 0; e < p.m; e++) {
      any = any || sticks[e];
      all = all && sticks[e];
    }
    mixed += any && !all;
    twins += find_truth(&p, true, looser) && memcmp(sticks, looser, (size_t)p.m * sizeof *sticks) != 0;
  }
  print_message(
      "%d systems, %d of them with both, %d stopped; wrong: run %d, linearize %d, equilibrium %d; the twin %d\n", tried,
      mixed, stopped, wrong[0], wrong[1], wrong[2], twins);
  assert_true(tried > systems * 9 / 10 && mixed > systems / 5 && stopped <= systems / 200);
  assert_int_equal(wrong[0] + wrong[1] + wrong[2], 0);
  assert_true(twins > systems / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(one_verdict_is_given, start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
