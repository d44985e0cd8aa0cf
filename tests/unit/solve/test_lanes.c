// Lanes with steps of their own do what one problem does alone, to the last bit: rows, counts of everything, changes of
// the method, failures; for every instruction set, with neighbours of all kinds, and with any order of the queue.
#include "tests/support.h"

#include "solve/lanes.h"

enum { problems = 61, most_rows = 40 };

// x' = v, v' = mu (1 - x^2) v - x + push(t) + drop, q' = x^2; no value below `low`. Stiff where mu is large.
typedef struct Problem {
  double mu, low, jump, start;
  double breaks[2];
  uint32_t break_count;
} Problem;

static void derivative(const Problem *p, double t, const double *y, double *d) {
  double push = sin(3 * t) + (t >= p->jump ? 2 : 0);
  d[0] = y[1];
  d[1] = p->mu * (1 - y[0] * y[0]) * y[1] - y[0] + push + 0 * sqrt(y[0] - p->low);
  d[2] = y[0] * y[0];
}

static bool finite(const double *d) { return isfinite(d[0]) && isfinite(d[1]) && isfinite(d[2]); }

// columns x, v, t
static const uint32_t start[] = {0, 2, 4, 5}, row[] = {1, 2, 0, 1, 1};

static void derivatives(const Problem *p, double t, const double *y, double *e) {
  const double own[] = {-2 * p->mu * y[0] * y[1] - 1, 2 * y[0], 1, p->mu * (1 - y[0] * y[0]), 3 * cos(3 * t)};
  for (int i = 0; i < 5; i++) e[i] = isfinite(own[i]) ? own[i] : 0;
}

typedef struct Seen {
  OdeResult r;
  uint32_t rows;
  double t[most_rows], y[most_rows][3], end[3];
} Seen;

// ---- alone

typedef struct Alone {
  const Problem *p;
  Seen *seen;
} Alone;

static bool f_alone(void *self, double t, const double *y, double *d) {
  derivative(((Alone *)self)->p, t, y, d);
  return finite(d);
}
static void j_alone(void *self, double t, const double *y, double *e) { derivatives(((Alone *)self)->p, t, y, e); }
static const OdeJacobian *jacobian_alone(void *self) {
  (void)self;
  static const OdeJacobian j = {start, row, 5, j_alone};
  return &j;
}
static void put(Seen *s, double t, const double *y) {
  assert_true(s->rows < most_rows);
  s->t[s->rows] = t;
  memcpy(s->y[s->rows++], y, sizeof s->y[0]);
}
static bool row_alone(void *self, double t, const double *y) {
  put(((Alone *)self)->seen, t, y);
  return true;
}
static void jump(const Problem *p, double left, double right, double *y) {
  (void)left;
  y[2] += right == p->jump ? 0.25 : 0;
}
static void jump_alone(void *self, double left, double right, double *y) { jump(((Alone *)self)->p, left, right, y); }

static void run_alone(const Problem *p, OdeSettings s, Seen *seen) {
  Arena *arena = arena_new();
  Alone a = {p, seen};
  OdeProblem problem = {.n = 3, .checked = 2, .self = &a, .f = f_alone, .jacobian = jacobian_alone};
  OdeObserver o = {&a, row_alone, NULL, jump_alone, NULL, NULL};
  s.breaks = (OdeBreaks){.times = p->breaks, .count = p->break_count};
  seen->end[0] = p->start;
  seen->end[1] = seen->end[2] = 0;
  seen->r = ode_solve(arena, &problem, &s, seen->end, &o);
  arena_free(arena);
}

// ---- in lanes

typedef struct Batch {
  const Problem *p;
  const int *order;
  int next, of[ode_lanes];
  Seen *seen;
  bool with_rows;
} Batch;

static unsigned f_lanes(void *self, unsigned mask, const double *t, const double *y, double *d) {
  (void)mask;
  const Batch *b = self;
  unsigned good = 0;
  for (int l = 0; l < ode_lanes; l++) {
    const double own[3] = {y[l], y[8 + l], y[16 + l]};
    double out[3];
    derivative(&b->p[b->of[l]], t[l], own, out);
    for (int i = 0; i < 3; i++) d[8 * i + l] = out[i];
    good |= finite(out) ? 1u << l : 0u;
  }
  return good;
}
static void j_lanes(void *self, unsigned mask, const double *t, const double *y, double *e) {
  (void)mask;
  const Batch *b = self;
  for (int l = 0; l < ode_lanes; l++) {
    const double own[3] = {y[l], y[8 + l], y[16 + l]};
    double out[5];
    derivatives(&b->p[b->of[l]], t[l], own, out);
    for (int i = 0; i < 5; i++) e[8 * i + l] = out[i];
  }
}
static const LaneJacobian *jacobian_lanes(void *self) {
  (void)self;
  static const LaneJacobian j = {start, row, 5, j_lanes};
  return &j;
}
static bool next_problem(void *self, int lane, double *y, OdeBreaks *breaks) {
  Batch *b = self;
  if (b->next == problems) return false;
  const Problem *p = &b->p[b->of[lane] = b->order[b->next++]];
  y[0] = p->start;
  y[1] = y[2] = 0;
  *breaks = (OdeBreaks){.times = p->breaks, .count = p->break_count};
  return true;
}
static void row_lanes(void *self, int lane, double t, const double *y) {
  Batch *b = self;
  put(&b->seen[b->of[lane]], t, y);
}
static void jump_lanes(void *self, int lane, double left, double right, double *y) {
  Batch *b = self;
  jump(&b->p[b->of[lane]], left, right, y);
}
static void done_lanes(void *self, int lane, const OdeResult *r, const double *y) {
  Batch *b = self;
  Seen *s = &b->seen[b->of[lane]];
  s->r = *r;
  memcpy(s->end, y, sizeof s->end);
}

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void equal(const Seen *a, const Seen *b, bool with_rows) {
  assert_int_equal(a->r.status, b->r.status);
  assert_true(a->r.steps == b->r.steps && a->r.rejected == b->r.rejected && a->r.evaluations == b->r.evaluations);
  assert_true(a->r.jacobians == b->r.jacobians && a->r.factorizations == b->r.factorizations);
  assert_true(a->r.method == b->r.method && a->r.changes == b->r.changes && same(a->r.stiff_at, b->r.stiff_at));
  assert_true(same(a->r.t, b->r.t) && same(a->r.smallest, b->r.smallest) && same(a->r.largest, b->r.largest));
  for (int i = 0; i < 3; i++) assert_true(same(a->end[i], b->end[i]));
  if (!with_rows) return;
  assert_int_equal(a->rows, b->rows);
  for (uint32_t i = 0; i < a->rows; i++) {
    assert_true(same(a->t[i], b->t[i]));
    for (int k = 0; k < 3; k++) assert_true(same(a->y[i][k], b->y[i][k]));
  }
}

static uint64_t seed = 5;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

typedef bool Solve(Arena *arena, const LaneProblem *problem, const OdeSettings *settings, const LaneObserver *observer);

static void holds(OdeMethod method, bool automatic, double rtol, double atol, bool by_scale, double every) {
  static Problem p[problems];
  static Seen alone[problems], lanes[problems];
  int order[problems];
  for (int i = 0; i < problems; i++) {
    bool stiff = i % 3 == 0;
    p[i] = (Problem){stiff ? 20 * pow(10, 1.5 * uniform()) : 3 * uniform(),
                     i % 7 == 3 ? -1.9 : -1e9,
                     1 + uniform(),
                     4 * uniform() - 1.5,
                     {0},
                     0};
    // some know their jump, some do not; a break without a jump as well
    if (i % 5) p[i].breaks[p[i].break_count++] = p[i].jump;
    if (i % 5 == 2) p[i].breaks[p[i].break_count++] = 3;
    if (i == 13) p[i].start = -1.95; // no value at the start
    if (i == 13) p[i].low = -1.9;
    order[i] = i;
  }
  OdeSettings s = {.method = method,
                   .t0 = 0,
                   .t1 = 4,
                   .every = every,
                   .rtol = rtol,
                   .atol = atol,
                   .by_scale = by_scale,
                   .automatic = automatic,
                   .most_steps = 100000};
  unsigned failed = 0, changed = 0, rejected = 0;
  for (int i = 0; i < problems; i++) {
    alone[i] = (Seen){0};
    run_alone(&p[i], s, &alone[i]);
    failed += alone[i].r.status != ode_done;
    changed += alone[i].r.changes > 0;
    rejected += alone[i].r.rejected > 0;
  }
  assert_true(failed >= 1 && failed < problems / 2 && rejected > 3);
  if (automatic) assert_true(changed > 5 && changed < problems - 5);
  Solve *const families[] = {ode_lanes_plain, ode_solve_lanes, ode_lanes_avx2};
  int count = 2;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) count = 3;
#endif
  for (int k = 0; k < 2 * count; k++) {
    // another order, other neighbours; without rows nothing else changes
    for (int i = problems - 1; i > 0; i--) {
      int other = (int)(uniform() * (i + 1)), swap = order[i];
      order[i] = order[other];
      order[other] = swap;
    }
    memset(lanes, 0, sizeof lanes);
    bool with_rows = k < count;
    Batch b = {.p = p, .order = order, .seen = lanes, .with_rows = with_rows};
    LaneProblem problem = {.n = 3, .checked = 2, .self = &b, .f = f_lanes, .jacobian = jacobian_lanes};
    LaneObserver o = {
        .self = &b, .next = next_problem, .row = with_rows ? row_lanes : NULL, .jump = jump_lanes, .done = done_lanes};
    Arena *arena = arena_new();
    assert_true(families[k % count](arena, &problem, &s, &o));
    arena_free(arena);
    for (int i = 0; i < problems; i++) equal(&alone[i], &lanes[i], with_rows);
  }
}

static void dopri5_in_lanes_is_dopri5(void **state) {
  (void)state;
  holds(ode_dopri5, false, 1e-4, 1e-6, false, 0.25);
  holds(ode_dopri5, false, 1e-6, 1e-8, true, 0.15);
}
static void dop853_in_lanes_is_dop853(void **state) {
  (void)state;
  holds(ode_dop853, false, 1e-5, 1e-7, false, 0.25);
  holds(ode_dop853, false, 1e-10, 1e-12, true, 0.15);
}
static void rodas_in_lanes_is_rodas(void **state) {
  (void)state;
  holds(ode_rodas, false, 1e-4, 1e-6, false, 0.25);
  holds(ode_rodas, false, 1e-7, 1e-9, true, 0.15);
}
static void changes_of_the_method_are_those_of_one(void **state) {
  (void)state;
  holds(ode_dopri5, true, 1e-4, 1e-6, true, 0.25);
  holds(ode_dop853, true, 1e-6, 1e-8, true, 4);
}

// ---- the elimination, where pivots differ from lane to lane and zeros stand about

enum { size = 6 };

typedef struct Linear {
  double a[ode_lanes * 4][size * size];
  int next, of[ode_lanes];
  const double *own; // alone
  double end[ode_lanes * 4][size];
  OdeStatus status[ode_lanes * 4];
} LinearBatch;

static bool linear_alone(void *self, double t, const double *y, double *d) {
  (void)t;
  for (int i = 0; i < size; i++) {
    d[i] = 0;
    for (int k = 0; k < size; k++) d[i] += ((LinearBatch *)self)->own[k * size + i] * y[k];
  }
  return true;
}
static void entries_alone(void *self, double t, const double *y, double *e) {
  (void)t, (void)y;
  memcpy(e, ((LinearBatch *)self)->own, size * size * sizeof *e);
}
static uint32_t full_start[size + 2], full_row[size * size];
static const OdeJacobian *full_alone(void *self) {
  (void)self;
  static const OdeJacobian j = {full_start, full_row, size * size, entries_alone};
  return &j;
}
static unsigned linear_lanes(void *self, unsigned mask, const double *t, const double *y, double *d) {
  (void)mask;
  LinearBatch *b = self;
  for (int l = 0; l < ode_lanes; l++) {
    double own[size], out[size];
    for (int i = 0; i < size; i++) own[i] = y[8 * i + l];
    b->own = b->a[b->of[l]];
    linear_alone(b, t[l], own, out);
    for (int i = 0; i < size; i++) d[8 * i + l] = out[i];
  }
  return 0xFF;
}
static void entries_lanes(void *self, unsigned mask, const double *t, const double *y, double *e) {
  (void)mask;
  (void)t, (void)y;
  LinearBatch *b = self;
  for (int l = 0; l < ode_lanes; l++) {
    for (int i = 0; i < size * size; i++) e[8 * i + l] = b->a[b->of[l]][i];
  }
}
static const LaneJacobian *full_lanes(void *self) {
  (void)self;
  static const LaneJacobian j = {full_start, full_row, size * size, entries_lanes};
  return &j;
}
static bool next_linear(void *self, int lane, double *y, OdeBreaks *breaks) {
  LinearBatch *b = self;
  (void)breaks;
  if (b->next == 4 * ode_lanes) return false;
  b->of[lane] = b->next++;
  for (int i = 0; i < size; i++) y[i] = i == 2 ? 0 : 1 + i;
  return true;
}
static void linear_done(void *self, int lane, const OdeResult *r, const double *y) {
  LinearBatch *b = self;
  b->status[b->of[lane]] = r->status;
  memcpy(b->end[b->of[lane]], y, sizeof b->end[0]);
}
static bool no_row(void *self, double t, const double *y) {
  (void)self, (void)t, (void)y;
  return true;
}

static void each_lane_has_its_own_pivots(void **state) {
  (void)state;
  static LinearBatch b;
  for (uint32_t c = 0; c < size; c++) {
    full_start[c + 1] = (c + 1) * size;
    for (uint32_t i = 0; i < size; i++) full_row[c * size + i] = i;
  }
  full_start[size + 1] = size * size;
  for (int k = 0; k < 4 * ode_lanes; k++) {
    for (int i = 0; i < size * size; i++) {
      double kind = uniform();
      b.a[k][i] = kind < 0.35 ? 0 : kind < 0.4 ? -0.0 : (uniform() - 0.5) * pow(10, 4 * uniform() - 1);
    }
    for (int i = 0; i < size; i++) b.a[k][i * size + i] -= 3; // mostly stable
  }
  OdeSettings s = {.method = ode_rodas, .t1 = 0.2, .every = 0.1, .rtol = 1e-6, .atol = 1e-9, .most_steps = 2000};
  Solve *const families[] = {ode_lanes_plain, ode_solve_lanes};
  for (int family = 0; family < 2; family++) {
    b.next = 0;
    Arena *arena = arena_new();
    LaneProblem problem = {.n = size, .checked = size, .self = &b, .f = linear_lanes, .jacobian = full_lanes};
    LaneObserver o = {.self = &b, .next = next_linear, .done = linear_done};
    assert_true(families[family](arena, &problem, &s, &o));
    for (int k = 0; k < 4 * ode_lanes; k++) {
      double y[size];
      for (int i = 0; i < size; i++) y[i] = i == 2 ? 0 : 1 + i;
      b.own = b.a[k];
      OdeProblem alone = {.n = size, .checked = size, .self = &b, .f = linear_alone, .jacobian = full_alone};
      OdeObserver quiet = {&b, no_row, NULL, NULL, NULL, NULL};
      assert_int_equal(ode_solve(arena, &alone, &s, y, &quiet).status, b.status[k]);
      for (int i = 0; i < size; i++) assert_true(same(y[i], b.end[k][i]));
    }
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dopri5_in_lanes_is_dopri5),    cmocka_unit_test(dop853_in_lanes_is_dop853),
      cmocka_unit_test(rodas_in_lanes_is_rodas),      cmocka_unit_test(changes_of_the_method_are_those_of_one),
      cmocka_unit_test(each_lane_has_its_own_pivots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
