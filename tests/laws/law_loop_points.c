// Algebraic loops at a point: a run from there, the linear model and the equilibrium give one verdict.
//
//   y = A f(y) + B x + b      f out of abs, ramp, limit, sign; one to three unknowns
//   x' = D x + C y + e        one or two states
//
// On each choice of branches the loop is linear: all choices are solved here, in long double. AT the point a choice
// holds if its y lie in its pieces, AFTER it if the first derivative of each y that stands at the end of its piece
// leads into it (S2, S7 of docs/semantics.md). Most points are corners of the loop, and half of them are equilibria.
// The broken twin takes the first choice that holds.
#include "tests/laws/branches.h"
#include "tests/laws/page.h"

#include "viva/viva.h"

enum { unknowns_most = 3, states_most = 2, derivatives = 4, models = 500 };
static const long double apart = 1e-5L, rounding = 1e-13L;

typedef struct Plant {
  int n, m;
  Kind kind[most];
  double A[most][most], B[most][states_most], b[most];
  double C[states_most][most], D[states_most][states_most], e[states_most], x[states_most];
  bool rest;
} Plant;

// A choice of branches: the derivatives of y by time, those of x at the point, and the slopes of both by x.
typedef struct Choice {
  const Piece *on[most];
  long double y[derivatives][most], rate[states_most], Q[most][states_most], J[states_most][states_most];
  bool at, after;
} Choice;

typedef struct Truth {
  bool clear;    // nothing is nearly zero
  int at, after; // solutions
  bool moves;    // what is AFTER the point is another solution than AT it
  bool corner;   // an unknown stands at the end of a piece
  int count;     // of choices
  Choice all[choices_most];
} Truth;

// ---- models

static double function(Kind kind, double y) {
  switch (kind) {
  case k_abs: return fabs(y);
  case k_ramp: return fmax(y, 0);
  case k_limit: return fmin(fmax(y, -1), 1);
  default: return (y > 0) - (y < 0);
  }
}

static double eighth(int most_eighths) { return ((double)choose(2 * (unsigned)most_eighths + 1) - most_eighths) / 8; }

static Plant random_model(void) {
  Plant m = {.n = 1 + (int)choose(unknowns_most), .m = 1 + (int)choose(states_most), .rest = choose(2)};
  double y[most];
  bool anywhere = choose(4) == 0;
  for (int j = 0; j < m.m; j++) m.x[j] = eighth(16);
  for (int i = 0; i < m.n; i++) {
    m.kind[i] = choose(5) ? (Kind)choose(k_sign) : k_sign;
    for (int j = 0; j < m.n; j++) m.A[i][j] = choose(3) ? ((double)choose(17) - 8) / (choose(2) ? 16 : 4) : 0;
    if (m.A[i][(i + 1) % m.n] == 0) m.A[i][(i + 1) % m.n] = choose(2) ? 0.25 : -0.25; // one loop of all
    for (int j = 0; j < m.m; j++) m.B[i][j] = eighth(16);
    y[i] = choose(2) ? eighth(16) : m.kind[i] == k_limit ? (choose(2) ? 1 : -1) : 0;
  }
  for (int i = 0; i < m.n; i++) {
    m.b[i] = anywhere ? eighth(16) : y[i];
    for (int j = 0; j < m.n && !anywhere; j++) m.b[i] -= m.A[i][j] * function(m.kind[j], y[j]);
    for (int j = 0; j < m.m && !anywhere; j++) m.b[i] -= m.B[i][j] * m.x[j];
  }
  for (int k = 0; k < m.m; k++) {
    m.e[k] = m.rest ? 0 : eighth(16);
    for (int i = 0; i < m.n; i++) m.e[k] -= (m.C[k][i] = eighth(16)) * (m.rest ? y[i] : 0);
    for (int j = 0; j < m.m; j++) m.e[k] -= (m.D[k][j] = eighth(16)) * (m.rest ? m.x[j] : 0);
  }
  m.rest = m.rest && !anywhere;
  return m;
}

static void spell(const Plant *m, Page *page) {
  for (int j = 0; j < m->m; j++) put(page, "state x%d = %.17g\n", j, m->x[j]);
  for (int i = 0; i < m->n; i++) {
    put(page, "let y%d = %.17g", i, m->b[i]);
    for (int j = 0; j < m->m; j++) put(page, " + %.17g*x%d", m->B[i][j], j);
    for (int j = 0; j < m->n; j++) {
      if (m->A[i][j] == 0) continue;
      char term[32];
      snprintf(term, sizeof term, form_of[m->kind[j]], j);
      put(page, " + %.17g*%s", m->A[i][j], term);
    }
    put(page, "\n");
  }
  for (int k = 0; k < m->m; k++) {
    put(page, "x%d' = %.17g", k, m->e[k]);
    for (int i = 0; i < m->n; i++) put(page, " + %.17g*y%d", m->C[k][i], i);
    for (int j = 0; j < m->m; j++) put(page, " + %.17g*x%d", m->D[k][j], j);
    put(page, "\n");
  }
  put(page, "output y0");
  for (int i = 1; i < m->n; i++) put(page, ", y%d", i);
  put(page, "\n");
}

// ---- all choices

// False: there is no one solution on this choice of branches.
static bool solve(const Plant *m, Choice *c) {
  long double a[most][most], right[1 + states_most][most];
  for (int i = 0; i < m->n; i++) {
    right[0][i] = m->b[i];
    for (int j = 0; j < m->m; j++) right[0][i] += (long double)m->B[i][j] * m->x[j];
    for (int j = 0; j < m->m; j++) right[1 + j][i] = m->B[i][j];
    for (int j = 0; j < m->n; j++) {
      a[i][j] = (i == j) - (long double)m->A[i][j] * c->on[j]->slope;
      right[0][i] += (long double)m->A[i][j] * c->on[j]->offset;
    }
  }
  long double det = determinant(m->n, a);
  if (fabsl(det) < 1e-6L) return false;
  for (int k = 0; k < m->n; k++) {
    for (int r = 0; r <= m->m; r++) {
      long double with[most][most];
      memcpy(with, a, sizeof with);
      for (int i = 0; i < m->n; i++) with[i][k] = right[r][i];
      *(r ? &c->Q[k][r - 1] : &c->y[0][k]) = determinant(m->n, with) / det;
    }
  }
  return true;
}

// The motion on this choice: x' = J x + const, and y follows.
static void derive(const Plant *m, Choice *c) {
  long double v[states_most];
  for (int k = 0; k < m->m; k++) {
    c->rate[k] = m->e[k];
    for (int i = 0; i < m->n; i++) c->rate[k] += m->C[k][i] * c->y[0][i];
    for (int j = 0; j < m->m; j++) {
      c->rate[k] += (long double)m->D[k][j] * m->x[j];
      c->J[k][j] = m->D[k][j];
      for (int i = 0; i < m->n; i++) c->J[k][j] += m->C[k][i] * c->Q[i][j];
    }
    v[k] = c->rate[k];
  }
  for (int d = 1; d < derivatives; d++) {
    long double next[states_most] = {0};
    for (int i = 0; i < m->n; i++) {
      for (int j = 0; j < m->m; j++) c->y[d][i] += c->Q[i][j] * v[j];
    }
    for (int k = 0; k < m->m; k++) {
      for (int j = 0; j < m->m; j++) next[k] += c->J[k][j] * v[j];
    }
    memcpy(v, next, sizeof v);
  }
}

// The sign of v. *clear becomes false where it cannot be told.
static int sign_of(long double v, bool *clear) {
  if (fabsl(v) > rounding && fabsl(v) < apart) *clear = false;
  return fabsl(v) <= rounding ? 0 : v > 0 ? 1 : -1;
}

// On which side of a bound an unknown is AT the point, and AFTER it.
static void find_sides(const Choice *c, int j, double bound, int *at, int *after, bool *clear) {
  *after = *at = isfinite(bound) ? sign_of(c->y[0][j] - bound, clear) : bound > 0 ? -1 : 1;
  if (*at || !isfinite(bound)) return;
  *after = sign_of(c->y[1][j], clear);
  for (int d = 2; d < derivatives && !*after; d++) {
    if (sign_of(c->y[d][j], clear)) *clear = false; // too slow to be seen in a short run
  }
}

static void judge(const Plant *m, Choice *c, Truth *truth) {
  bool corner = false;
  c->at = c->after = true;
  for (int j = 0; j < m->n; j++) {
    truth->clear = truth->clear && fabsl(c->y[1][j]) < 1000; // in a short run it comes to no other piece
    int low[2], high[2];
    find_sides(c, j, c->on[j]->lo, &low[0], &low[1], &truth->clear);
    find_sides(c, j, c->on[j]->hi, &high[0], &high[1], &truth->clear);
    bool zero = c->on[j]->lo == c->on[j]->hi, open = m->kind[j] == k_sign && !zero;
    c->at = c->at && low[0] >= open && high[0] <= -open;
    c->after = c->after && low[1] >= open && high[1] <= -open;
    corner = corner || !low[0] || !high[0];
  }
  truth->corner = truth->corner || (corner && c->at);
}

static bool same_from(const Plant *m, const Choice *a, const Choice *b, int end) {
  for (int d = 0; d < end; d++) {
    for (int i = 0; i < m->n; i++) {
      if (fabsl(a->y[d][i] - b->y[d][i]) > rounding) return false;
    }
  }
  return true;
}

// The motion follows the flow of the one solution: choices that become one along it.
static int others_along(const Plant *m, Truth *truth) {
  const Choice *one = truth->all;
  while (!one->after) one++;
  for (int k = 0; k < truth->count; k++) {
    Choice c = truth->all[k];
    if (c.after) continue;
    long double v[states_most];
    memcpy(v, one->rate, sizeof v);
    for (int d = 1; d < derivatives; d++) {
      long double next[states_most] = {0};
      for (int i = 0; i < m->n; i++) {
        c.y[d][i] = 0;
        for (int j = 0; j < m->m; j++) c.y[d][i] += c.Q[i][j] * v[j];
      }
      for (int a = 0; a < m->m; a++) {
        for (int j = 0; j < m->m; j++) next[a] += one->J[a][j] * v[j];
      }
      memcpy(v, next, sizeof v);
    }
    judge(m, &c, truth);
    if (c.after && !same_from(m, &c, one, derivatives)) return 1;
  }
  return 0;
}

static Truth find_truth(const Plant *m) {
  Truth truth = {.clear = true};
  int total = 1, first = -1;
  for (int i = 0; i < m->n; i++) total *= piece_count[m->kind[i]];
  for (int k = 0; k < total && truth.clear; k++) {
    Choice *c = &truth.all[truth.count];
    *c = (Choice){0};
    for (int i = 0, rest = k; i < m->n; rest /= piece_count[m->kind[i]], i++)
      c->on[i] = &pieces[m->kind[i]][rest % piece_count[m->kind[i]]];
    truth.clear = solve(m, c);
    if (!truth.clear) break;
    derive(m, c);
    judge(m, c, &truth);
    bool at = c->at, after = c->after;
    for (int i = 0; i < truth.count; i++) {
      at = at && !(truth.all[i].at && same_from(m, c, &truth.all[i], 1));
      after = after && !(truth.all[i].after && same_from(m, c, &truth.all[i], derivatives));
    }
    truth.at += at;
    truth.after += after;
    if (at) first = truth.count;
    truth.count++;
  }
  if (truth.clear && truth.after == 1) truth.after += others_along(m, &truth);
  for (int i = 0; i < truth.count; i++)
    truth.moves =
        truth.moves || (truth.all[i].after && first >= 0 && !same_from(m, &truth.all[first], &truth.all[i], 1));
  return truth;
}

// ---- the program

static int solutions(const Truth *truth) { return truth->at != 1 ? truth->at : truth->after; }

// Does a message say of the loop what is true?
static bool says(const Truth *truth, const char *message) {
  return message && strstr(message, solutions(truth) ? "several solutions" : "no solution");
}

static bool take_row(void *self, const double *values, size_t count) {
  double *y = self;
  if (isnan(y[0])) memcpy(y, values + 1, (count - 1) * sizeof *values);
  return true;
}

// The first instant. without: of a run without events, each evaluation of which reads AT.
static bool run_agrees(const Plant *m, const Truth *truth, const viva_model *model, bool without) {
  double y[most] = {NAN};
  viva_sink sink = {.self = y, .row = take_row};
  viva_run_options o = viva_run_defaults();
  viva_run *run = NULL;
  o.to = o.every = o.step = 1e-9;
  o.no_events = without;
  o.method = without ? "rk4" : NULL;
  if (!without) o.step = NAN;
  bool went = viva_run_model(model, &o, &sink, &run) == VIVA_OK, right;
  if (solutions(truth) == 1) {
    right = went;
    for (int k = 0; k < truth->count; k++) {
      for (int i = 0; i < m->n && truth->all[k].at && !truth->moves; i++)
        right = right && fabsl(y[i] - truth->all[k].y[0][i]) < 1e-12L;
    }
  } else {
    right = !went && says(truth, viva_run_message(run)) && (without || strstr(viva_run_message(run), "t = 0:"));
  }
  viva_run_free(run);
  return right;
}

static bool same_slopes(const Plant *m, const Choice *a, const Choice *b) {
  bool same = true;
  for (int j = 0; j < m->m; j++) {
    for (int i = 0; i < m->n; i++) same = same && fabsl(a->Q[i][j] - b->Q[i][j]) < rounding;
    for (int k = 0; k < m->m; k++) same = same && fabsl(a->J[k][j] - b->J[k][j]) < rounding;
  }
  return same;
}

// Has the one solution two slopes?
static bool is_corner(const Plant *m, const Truth *truth) {
  const Choice *one = truth->all;
  bool same = true;
  while (!one->at) one++;
  for (int k = 0; k < truth->count; k++) same = same && (!truth->all[k].at || same_slopes(m, one, &truth->all[k]));
  return !same && !truth->moves;
}

// Does a sign stay zero?
static bool slides(const Plant *m, const Choice *c) {
  bool any = false;
  for (int i = 0; i < m->n; i++) any = any || c->on[i]->lo == c->on[i]->hi;
  return any;
}

static bool linearize_agrees(const Plant *m, const Truth *truth, const viva_model *model) {
  viva_linearize_options o = viva_linearize_defaults();
  viva_linearization *l = NULL;
  o.point = VIVA_AT_START;
  bool went = viva_linearize(model, &o, &l) == VIVA_OK, right = went == (solutions(truth) == 1);
  const char *message = viva_linearization_message(l);
  if (!went) right = right && says(truth, message);
  bool any = !went;
  for (int c = 0; c < truth->count && went; c++) {
    bool same = truth->all[c].after;
    any = any || (same && slides(m, &truth->all[c])); // then S6 says which states are free
    for (int k = 0; k < m->m && same; k++) {
      double rate = viva_linearization_equilibrium(l) ? 0 : viva_linearization_entry(l, 'k', (size_t)k, 0);
      same = fabsl(rate - truth->all[c].rate[k]) < 1e-10L;
      for (int j = 0; j < m->m && same; j++)
        same = fabsl(viva_linearization_entry(l, 'A', (size_t)k, (size_t)j) - truth->all[c].J[k][j]) < 1e-10L;
    }
    for (int i = 0; i < m->n && same; i++) {
      for (int j = 0; j < m->m && same; j++)
        same = fabsl(viva_linearization_entry(l, 'C', (size_t)i, (size_t)j) - truth->all[c].Q[i][j]) < 1e-10L;
    }
    any = any || same;
  }
  bool said = went && message && (strstr(message, "corner") || strstr(message, "jumps"));
  right = right && (!went || (said ? truth->corner : !is_corner(m, truth)));
  viva_linearization_free(l);
  return right && any;
}

static bool equilibrium_agrees(const Plant *m, const Truth *truth, const viva_model *model) {
  viva_equilibrium *x = NULL;
  bool found = viva_equilibrium_find(model, NULL, &x) == VIVA_OK, right = true;
  if (solutions(truth) != 1) right = !found && says(truth, viva_equilibrium_message(x));
  else if (m->rest && !truth->moves) {
    right = found;
    for (int j = 0; j < m->m && right; j++) right = fabs(viva_equilibrium_value(x, 0, (size_t)j) - m->x[j]) < 1e-12;
  }
  viva_equilibrium_free(x);
  return right;
}

static void print_truth(const Plant *m, const Truth *truth) {
  for (int k = 0; k < truth->count; k++) {
    const Choice *c = &truth->all[k];
    if (!c->at && !c->after) continue;
    print_error("# a solution%s%s:", c->at ? " at the point" : "", c->after ? " after it" : "");
    for (int i = 0; i < m->n; i++) print_error(" y%d = %Lg, y%d' = %Lg", i, c->y[0][i], i, c->y[1][i]);
    print_error("\n");
  }
}

static void one_verdict_is_given(void **state) {
  (void)state;
  const char *given = getenv("VIVA_COUNT");
  int rounds = given ? atoi(given) : models, tried = 0, verdicts[3] = {0}, corners = 0, wrong[4] = {0}, twins = 0;
  while (tried < rounds) {
    Plant m = random_model();
    static Truth truth;
    truth = find_truth(&m);
    if (!truth.clear) continue;
    static Page page;
    page.length = 0;
    spell(&m, &page);
    viva_load_options load = viva_load_defaults();
    viva_model *model = NULL;
    assert_int_equal(viva_model_parse("law.viva", page.text, page.length, &load, &model), VIVA_OK);
    // behind the point the stages of a fixed step lie on the rates AT it
    bool plain = truth.at != 1 || (truth.after == 1 && !truth.moves);
    bool right[4] = {run_agrees(&m, &truth, model, false), linearize_agrees(&m, &truth, model),
                     equilibrium_agrees(&m, &truth, model), !plain || run_agrees(&m, &truth, model, true)};
    viva_model_free(model);
    tried++;
    corners += truth.corner;
    verdicts[solutions(&truth) > 1 ? 2 : solutions(&truth)]++;
    twins += (truth.at || truth.after) && solutions(&truth) != 1;
    for (int i = 0; i < 4; i++) wrong[i] += !right[i];
    if (!right[0] || !right[1] || !right[2] || !right[3]) {
      print_error("%s%s%s%swrong:\n%s", right[0] ? "" : "run ", right[1] ? "" : "linearize ",
                  right[2] ? "" : "equilibrium ", right[3] ? "" : "--no-events ", page.text);
      print_truth(&m, &truth);
    }
  }
  print_message("%d points, %d at corners: %d with no solution, %d with one, %d with several; wrong: run %d, linearize "
                "%d, equilibrium %d, without events %d; the twin %d\n",
                tried, corners, verdicts[0], verdicts[1], verdicts[2], wrong[0], wrong[1], wrong[2], wrong[3], twins);
  assert_true(corners > rounds / 4 && verdicts[0] > rounds / 20 && verdicts[1] > rounds / 4 &&
              verdicts[2] > rounds / 10);
  assert_int_equal(wrong[0] + wrong[1] + wrong[2] + wrong[3], 0);
  assert_true(twins > rounds / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(one_verdict_is_given, start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
