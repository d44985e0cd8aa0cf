// Piecewise linear algebraic loops y = A f(y) + b + c t, of one to four unknowns, with f out of abs, ramp, limit and
// sign. On each choice of branches the loop is linear: all choices are solved here by Cramer's rule, in long double,
// and hold on an interval of t each. Where there is one solution for all t the run has its values; where there is none,
// or several, it stops at the first such time and says which. The broken twin knows the solutions that hold at the
// start alone.
#include "tests/laws/branches.h"

#include "sim/run.h"

enum { ends_most = 2 * choices_most + 2 };
static const long double apart = 1e-6L; // times and values that are nearer to each other are not tried

typedef struct LoopModel {
  int n;
  Kind kind[most];
  double A[most][most], b[most], c[most];
} LoopModel;

// A solution y = p + q t on one choice of branches, for t in lo .. hi.
typedef struct Solution {
  long double p[most], q[most], lo, hi;
} Solution;

typedef struct Truth {
  bool clear;     // no two things happen at nearly the same time
  int solutions;  // 1, or their number from the time on at which it stops
  long double at; // that time
  Solution all[choices_most];
  int count;
  long double moments[choices_most]; // at which sign(0) = 0 solves the loop, for a moment
  int moment_count;
} Truth;

static LoopModel random_loop(void) {
  LoopModel m = {.n = 1 + (int)choose(most)};
  for (int i = 0; i < m.n; i++) {
    m.kind[i] = choose(5) ? (Kind)choose(k_sign) : k_sign;
    for (int j = 0; j < m.n; j++) m.A[i][j] = choose(3) ? ((double)choose(17) - 8) / (choose(2) ? 16 : 4) : 0;
    if (m.A[i][(i + 1) % m.n] == 0) m.A[i][(i + 1) % m.n] = choose(2) ? 0.25 : -0.25; // one loop of all
    m.b[i] = ((double)choose(33) - 16) / 8 + 0.01;
    m.c[i] = ((double)choose(33) - 16) / 4;
  }
  return m;
}

// False: there is no one solution on this choice of branches.
static bool solve(const LoopModel *m, const Piece *const *on, Solution *s) {
  long double a[most][most], right[2][most];
  for (int i = 0; i < m->n; i++) {
    right[0][i] = m->b[i];
    right[1][i] = m->c[i];
    for (int j = 0; j < m->n; j++) {
      a[i][j] = (i == j) - (long double)m->A[i][j] * on[j]->slope;
      right[0][i] += (long double)m->A[i][j] * on[j]->offset;
    }
  }
  long double det = determinant(m->n, a);
  if (fabsl(det) < apart) return false;
  for (int k = 0; k < m->n; k++) {
    for (int r = 0; r < 2; r++) {
      long double with[most][most];
      memcpy(with, a, sizeof with);
      for (int i = 0; i < m->n; i++) with[i][k] = right[r][i];
      (r ? s->q : s->p)[k] = determinant(m->n, with) / det;
    }
  }
  return true;
}

static void cut(Solution *s, long double p, long double q) { // to where p + q t >= 0
  if (q > 0) s->lo = fmaxl(s->lo, -p / q);
  else if (q < 0) s->hi = fminl(s->hi, -p / q);
  else if (p < 0) s->hi = -1;
}

// Where one unknown has to be zero, for a moment. False: for longer.
static bool cut_to_moment(Solution *s, long double p, long double q) {
  if (q == 0) return p != 0 ? s->hi = -1, true : false;
  s->lo = fmaxl(s->lo, -p / q - apart);
  s->hi = fminl(s->hi, -p / q + apart);
  return true;
}

static bool holds(const Solution *s, long double t) { return s->lo <= t && t <= s->hi; }

// All solutions, by interval of time. False: one of them cannot be told from none.
static bool list_solutions(const LoopModel *m, Truth *truth) {
  int total = 1;
  for (int i = 0; i < m->n; i++) total *= piece_count[m->kind[i]];
  for (int c = 0; c < total; c++) {
    const Piece *on[most];
    for (int i = 0, rest = c; i < m->n; rest /= piece_count[m->kind[i]], i++)
      on[i] = &pieces[m->kind[i]][rest % piece_count[m->kind[i]]];
    Solution s = {.lo = 0, .hi = 1};
    if (!solve(m, on, &s)) return false;
    bool moment = false;
    for (int i = 0; i < m->n; i++) {
      bool zero = on[i]->lo == on[i]->hi;
      moment = moment || zero;
      if (zero && !cut_to_moment(&s, s.p[i], s.q[i])) return false;
      if (!zero && isfinite(on[i]->lo)) cut(&s, s.p[i] - on[i]->lo, s.q[i]);
      if (!zero && isfinite(on[i]->hi)) cut(&s, on[i]->hi - s.p[i], -s.q[i]);
    }
    if (moment) {
      if (s.hi >= s.lo - apart) truth->moments[truth->moment_count++] = s.lo;
      continue;
    }
    if (fabsl(s.hi - s.lo) < apart) return false;
    if (s.hi > s.lo) truth->all[truth->count++] = s;
  }
  return true;
}

static int by_value(const void *a, const void *b) {
  long double x = *(const long double *)a, y = *(const long double *)b;
  return (x > y) - (x < y);
}

// twin: what holds at the start is all.
static Truth find_truth(const LoopModel *m, bool twin) {
  Truth truth = {.solutions = 1, .at = 2};
  if (!list_solutions(m, &truth)) return truth;
  long double ends[ends_most];
  int count = 0, before = -1;
  ends[count++] = 0;
  ends[count++] = 1;
  for (int k = 0; k < truth.count; k++) {
    ends[count++] = truth.all[k].lo;
    ends[count++] = truth.all[k].hi;
  }
  for (int k = 0; k < truth.moment_count; k++) {
    for (int e = 0; e < count; e++) { // other times than those of instants are not looked at
      if (fabsl(ends[e] - truth.moments[k]) < 4 * apart) return truth;
    }
  }
  qsort(ends, (size_t)count, sizeof *ends, by_value);
  truth.clear = true;
  for (int e = 1; e < count && truth.clear; e++) {
    long double length = ends[e] - ends[e - 1], mid = (ends[e] + ends[e - 1]) / 2;
    if (length < 1e-15L) continue;
    if (length < apart) truth.clear = false;
    int now = -1, solutions = 0;
    for (int k = 0; k < truth.count; k++) {
      bool there = holds(&truth.all[k], twin ? ends[1] / 2 + apart / 8 : mid);
      if (there) now = k;
      solutions += there;
    }
    if (solutions != 1) {
      truth.solutions = solutions;
      truth.at = ends[e - 1];
      return truth;
    }
    for (int i = 0; before >= 0 && i < m->n; i++) { // from one solution to another without a gap: by chance
      const Solution *old = &truth.all[before], *new = &truth.all[now];
      long double jump = old->p[i] + old->q[i] * ends[e - 1] - new->p[i] - new->q[i] * ends[e - 1];
      if (fabsl(jump) > 1e-12L) truth.clear = false;
    }
    before = now;
  }
  return truth;
}

static const char *write_model(Arena *arena, const LoopModel *m) {
  Text t = text_in(arena);
  text_put(&t, "state s = 0\ns' = 1\n");
  for (int i = 0; i < m->n; i++) {
    text_printf(&t, "let y%d = %.10g + %.10g*s", i, m->b[i], m->c[i]);
    for (int j = 0; j < m->n; j++) {
      if (m->A[i][j] == 0) continue;
      text_printf(&t, " + %.10g*", m->A[i][j]);
      text_printf(&t, form_of[m->kind[j]], j);
    }
    text_put(&t, "\n");
  }
  text_put(&t, "output y0");
  for (int i = 1; i < m->n; i++) text_printf(&t, ", y%d", i);
  text_put(&t, "\nsimulate to 1 step 0.125\n");
  return text_str(&t);
}

typedef struct Rows {
  const LoopModel *m;
  const Truth *truth;
  long double worst;
} Rows;

static bool compare_row(void *self, const double *values, size_t count) {
  Rows *r = self;
  (void)count;
  for (int k = 0; k < r->truth->count; k++) {
    const Solution *s = &r->truth->all[k];
    if (!holds(s, values[0])) continue;
    for (int i = 0; i < r->m->n; i++) r->worst = fmaxl(r->worst, fabsl(s->p[i] + s->q[i] * values[0] - values[1 + i]));
  }
  return true;
}

static double time_in(const char *message) {
  const char *at = message ? strstr(message, "t = ") : NULL;
  return at ? strtod(at + 4, NULL) : -1;
}

// NULL: the run is as the truth has it.
static const char *difference(Arena *arena, const LoopModel *m, const Truth *truth) {
  const char *text = write_model(arena, m);
  Loaded *l = load_text(text);
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  Rows rows = {m, truth, 0};
  Sink sink = {.self = &rows, .row = compare_row};
  RunSettings settings = run_defaults();
  RunResult r = run_model(arena, &l->system, &settings, &sink, &diags);
  const char *message = r.message ? arena_strndup(arena, r.message, strlen(r.message)) : NULL, *wrong = NULL;
  if (truth->solutions == 1 && r.status != run_done) wrong = "stopped";
  else if (truth->solutions == 1 && !(rows.worst < 1e-10L)) wrong = "other values";
  else if (truth->solutions != 1 && r.status == run_done) wrong = "not stopped";
  else if (truth->solutions != 1 && !(fabsl(time_in(message) - truth->at) < 1e-9L)) wrong = "stopped at another time";
  else if (truth->solutions != 1 && !strstr(message, truth->solutions ? "several solutions" : "no solution"))
    wrong = "another reason";
  unload(l);
  if (!wrong) return NULL;
  return arena_printf(arena, "%s (%d solutions from t = %.12Lg)\n%s\n%s", wrong, truth->solutions, truth->at,
                      message ? message : "", text);
}

static void a_loop_has_the_solution_that_its_branches_agree_with(void **state) {
  (void)state;
  const char *given = getenv("VIVA_COUNT");
  int rounds = given ? atoi(given) : 300, tried = 0, ends[3] = {0};
  while (tried < rounds) {
    LoopModel m = random_loop();
    Truth truth = find_truth(&m, false);
    if (!truth.clear) continue;
    tried++;
    ends[truth.solutions == 1 ? 1 : truth.solutions ? 2 : 0]++;
    Arena *arena = arena_new();
    const char *wrong = difference(arena, &m, &truth);
    if (wrong) print_error("%s\n", wrong);
    assert_null(wrong);
    arena_free(arena);
  }
  print_message("%d loops: %d with one solution, %d get to none, %d to several\n", tried, ends[1], ends[0], ends[2]);
  assert_true(ends[0] > rounds / 10 && ends[1] > rounds / 10 && ends[2] > rounds / 10);
}

static void solutions_of_the_start_alone_are_noticed(void **state) {
  (void)state;
  int noticed = 0;
  for (int tried = 0; tried < 300;) {
    LoopModel m = random_loop();
    Truth truth = find_truth(&m, true);
    if (!truth.clear) continue;
    tried++;
    Arena *arena = arena_new();
    noticed += difference(arena, &m, &truth) != NULL;
    arena_free(arena);
  }
  assert_true(noticed > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_loop_has_the_solution_that_its_branches_agree_with),
                                     cmocka_unit_test(solutions_of_the_start_alone_are_noticed)};
  return cmocka_run_group_tests(tests, start, NULL);
}
