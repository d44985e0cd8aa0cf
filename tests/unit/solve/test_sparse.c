// Sparse systems against dense ones, and motions of 10^5 masses in a ring, whose closed form is known.
#include "tests/support.h"

#include "solve/linear.h"
#include "solve/ode.h"

#include <sys/resource.h>

static uint64_t seed = 11;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

// ---- systems

enum { most = 60 };

typedef struct Matrix {
  uint32_t n, start[most + 1], row[most * most];
  double value[most * most], full[most][most]; // full[i][j]: row i, column j
} Matrix;

// Some entries; with a symmetric pattern and values where that is asked for. In no order inside of a column.
static void make(Matrix *m, uint32_t n, double part, bool symmetric, double diagonal) {
  m->n = n;
  memset(m->full, 0, sizeof m->full);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      if (uniform() > part || (symmetric && i < j)) continue;
      m->full[i][j] = 2 * uniform() - 1;
      if (symmetric) m->full[j][i] = m->full[i][j];
    }
  }
  for (uint32_t i = 0; i < n; i++) m->full[i][i] += diagonal * (i % 3 == 0 && symmetric && diagonal < 0 ? -1 : 1);
  uint32_t at = 0;
  for (uint32_t j = 0; j < n; j++) {
    m->start[j] = at;
    for (uint32_t k = 0, shift = (uint32_t)(uniform() * n); k < n; k++) {
      uint32_t i = (k + shift) % n;
      if (m->full[i][j] == 0) continue;
      m->row[at] = i;
      m->value[at++] = m->full[i][j];
    }
  }
  m->start[n] = at;
}

// The largest of |A x - b| against |A| |x| + |b|, by the dense matrix.
static double residue(const Matrix *m, const double *x, const double *b) {
  double worst = 0;
  for (uint32_t i = 0; i < m->n; i++) {
    double sum = -b[i], size = fabs(b[i]);
    for (uint32_t j = 0; j < m->n; j++) sum += m->full[i][j] * x[j];
    for (uint32_t j = 0; j < m->n; j++) size += fabs(m->full[i][j] * x[j]);
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

static void check_solutions(Sparse *s, const Matrix *m) {
  double b[3 * most], x[3 * most];
  for (uint32_t i = 0; i < 3 * m->n; i++) b[i] = x[i] = 2 * uniform() - 1;
  sparse_solve(s, x, 3);
  for (uint32_t c = 0; c < 3; c++) assert_true(residue(m, x + c * m->n, b + c * m->n) < 1e-11);
}

static void random_systems_are_solved(void **state) {
  (void)state;
  static Matrix m;
  for (int round = 0; round < 200; round++) {
    bool symmetric = round % 2;
    uint32_t n = 1 + (uint32_t)(uniform() * (most - 1));
    make(&m, n, 4.0 / n, symmetric, symmetric ? 8 : 3);
    Sparse *s = sparse_new(n, m.start, m.row, symmetric ? sparse_symmetric : sparse_general);
    assert_non_null(s);
    assert_int_equal(sparse_factor(s, m.value), sparse_done);
    check_solutions(s, &m);
    // other values, the same pattern
    for (uint32_t k = 0, j = 0; k < m.start[n]; k++) {
      while (m.start[j + 1] <= k) j++;
      m.value[k] *= 1 + 0.1 * cos(1.0 * (m.row[k] + j));
      m.full[m.row[k]][j] = m.value[k];
    }
    assert_int_equal(sparse_factor(s, m.value), sparse_done);
    check_solutions(s, &m);
    sparse_free(s);
  }
}

// A zero on the diagonal, and no pivot where it stands: a ring of ones.
static void rows_are_exchanged_where_they_must_be(void **state) {
  (void)state;
  uint32_t start[6], row[5];
  double value[5], b[5] = {1, 2, 3, 4, 5};
  for (uint32_t j = 0; j < 5; j++) {
    start[j] = j;
    row[j] = (j + 1) % 5;
    value[j] = 2;
  }
  start[5] = 5;
  Sparse *s = sparse_new(5, start, row, sparse_general);
  assert_int_equal(sparse_factor(s, value), sparse_done);
  sparse_solve(s, b, 1);
  for (int j = 0; j < 5; j++) assert_true(b[j] == 0.5 * ((j + 1) % 5 + 1)); // 2 x_j = b_(j + 1)
  sparse_free(s);
}

static void singular_ones_are_told(void **state) {
  (void)state;
  // the ring of springs -1 2 -1 keeps a constant; the line between two walls does not
  for (uint32_t n = 3; n < 50; n += 7) {
    for (int kind = 0; kind < 2; kind++) {
      uint32_t start[64], row[200], at = 0;
      double value[200];
      for (uint32_t j = 0; j < n; j++) {
        start[j] = at;
        const uint32_t rows[] = {(j + n - 1) % n, j, (j + 1) % n};
        for (int k = 0; k < 3; k++) {
          row[at] = rows[k];
          value[at++] = k == 1 ? 2 : -1;
        }
      }
      start[n] = at;
      Sparse *s = sparse_new(n, start, row, kind ? sparse_symmetric : sparse_general);
      if (kind) assert_int_equal(sparse_factor(s, value), sparse_singular);
      value[1] = 3; // one of the masses is tied to the ground
      assert_int_equal(sparse_factor(s, value), sparse_done);
      if (kind) assert_int_equal(sparse_negative(s), 0);
      memset(value, 0, sizeof value);
      assert_int_equal(sparse_factor(s, value), sparse_singular);
      sparse_free(s);
    }
  }
}

// Sylvester: the signs of D are those of the eigenvalues; of a diagonally dominant matrix these are the signs of the
// diagonal.
static void negative_eigenvalues_are_counted(void **state) {
  (void)state;
  static Matrix m;
  for (uint32_t n = 1; n < most; n += 6) {
    make(&m, n, 3.0 / n, true, -40);
    uint32_t negative = 0;
    for (uint32_t i = 0; i < n; i++) negative += m.full[i][i] < 0;
    Sparse *s = sparse_new(n, m.start, m.row, sparse_symmetric);
    assert_int_equal(sparse_factor(s, m.value), sparse_done);
    assert_int_equal(sparse_negative(s), negative);
    assert_true(n < 4 || (negative > 0 && negative < n));
    check_solutions(s, &m);
    sparse_free(s);
  }
}

// The same values give the same bits, whatever was factored before.
static void factors_have_no_memory(void **state) {
  (void)state;
  static Matrix m, other;
  make(&m, 50, 0.08, false, 3);
  other = m;
  for (uint32_t k = 0; k < m.start[50]; k++) other.value[k] = uniform() * 1e3;
  Sparse *s = sparse_new(50, m.start, m.row, sparse_general);
  double a[50], b[50];
  for (int i = 0; i < 50; i++) a[i] = b[i] = i - 7;
  sparse_factor(s, m.value);
  sparse_solve(s, a, 1);
  sparse_factor(s, other.value);
  sparse_factor(s, m.value);
  sparse_solve(s, b, 1);
  assert_memory_equal(a, b, sizeof a);
  sparse_free(s);
}

// ---- motions

// A ring of masses and springs: q_i'' = q_(i-1) - 2 q_i + q_(i+1). The wave cos(2 pi k i/n) swings with
// w = 2 sin(pi k/n).
typedef struct Ring {
  uint32_t masses, waves;
  uint32_t *start, *row;
  OdeJacobian j;
  double worst;
} Ring;

static bool ring_f(void *self, double t, const double *y, double *d) {
  (void)t;
  uint32_t n = ((Ring *)self)->masses;
  for (uint32_t i = 0; i < n; i++) {
    d[i] = y[n + i];
    d[n + i] = y[(i + n - 1) % n] - 2 * y[i] + y[(i + 1) % n];
  }
  return true;
}

static void ring_slopes(void *self, double t, const double *y, double *e) {
  (void)t, (void)y;
  uint32_t n = ((Ring *)self)->masses;
  for (uint32_t i = 0; i < n; i++) {
    e[3 * i] = e[3 * i + 2] = 1;
    e[3 * i + 1] = -2;
    e[3 * n + i] = 1;
  }
}

static const OdeJacobian *ring_jacobian(void *self) { return &((Ring *)self)->j; }

static bool ring_row(void *self, double t, const double *y) {
  Ring *r = self;
  const double pi = 3.141592653589793;
  double w = 2 * sin(pi * r->waves / r->masses);
  for (uint32_t i = 0; i < r->masses; i += 97)
    r->worst = fmax(r->worst, fabs(y[i] - cos(2 * pi * r->waves * i / r->masses) * cos(w * t)));
  return true;
}

static OdeResult run_ring(OdeMethod method, uint32_t masses, double rtol, double *worst) {
  Ring r = {.masses = masses, .waves = masses / 8};
  uint32_t n = masses;
  r.start = calloc(2 * (size_t)n + 2, sizeof *r.start);
  r.row = calloc(4 * (size_t)n, sizeof *r.row);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t rows[] = {n + (i + n - 1) % n, n + i, n + (i + 1) % n};
    memcpy(r.row + 3 * i, rows, sizeof rows);
    r.row[3 * n + i] = i;
    r.start[i + 1] = 3 * (i + 1);
    r.start[n + i + 1] = 3 * n + i + 1;
  }
  r.start[2 * n + 1] = r.start[2 * n];
  uint8_t *kinds = calloc(2 * (size_t)n, sizeof *kinds);
  for (uint32_t i = 0; i < 2 * n; i++) kinds[i] = i < n ? ode_coordinate : ode_velocity;
  r.j = (OdeJacobian){r.start, r.row, 4 * n, ring_slopes};
  OdeProblem p = {.n = 2 * n, .checked = 2 * n, .self = &r, .f = ring_f, .jacobian = ring_jacobian, .kinds = kinds};
  OdeSettings s = {.method = method, .t1 = 2, .every = 0.5, .rtol = rtol, .atol = rtol, .most_steps = 10000};
  double *y = calloc(2 * (size_t)n, sizeof *y);
  for (uint32_t i = 0; i < n; i++) y[i] = cos(2 * 3.141592653589793 * r.waves * i / n);
  Arena *arena = arena_new();
  OdeResult result = ode_solve(arena, &p, &s, y, &(OdeObserver){&r, ring_row, NULL, NULL, NULL, NULL});
  arena_free(arena);
  free(y);
  free(kinds);
  free(r.start);
  free(r.row);
  *worst = r.worst;
  return result;
}

// A dense matrix of this size would take 320 GB.
static void a_ring_of_many_masses_moves(void **state) {
  (void)state;
  const OdeMethod methods[] = {ode_bdf, ode_rodas, ode_dopri5};
  for (int i = 0; i < 3; i++) {
    double worst;
    OdeResult r = run_ring(methods[i], 100000, 1e-5, &worst);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    print_message("%s: %llu steps, error %.1e, %ld MB so far\n", ode_method_name(methods[i]),
                  (unsigned long long)r.steps, worst, used.ru_maxrss >> 10);
    assert_int_equal(r.status, ode_done);
    assert_true(worst < 2e-3 && r.steps > 3);
    assert_true(used.ru_maxrss < 1500 << 10); // kB
  }
}

// By dense and by sparse systems: the same motion, but for rounding.
static void sparse_steps_are_those_of_dense_ones(void **state) {
  (void)state;
  double small, large;
  OdeResult a = run_ring(ode_rodas, 24, 1e-8, &small), b = run_ring(ode_rodas, 40, 1e-8, &large);
  assert_int_equal(a.status, ode_done);
  assert_int_equal(b.status, ode_done);
  assert_true(small < 1e-7 && large < 1e-7);
  assert_true(a.steps <= b.steps + 1 && b.steps <= a.steps + 1); // n/8 waves in both: the same motion of each mass
}

// ---- what is too dense for rodas

enum { crowd = ode_most_dense + 1 };
static uint32_t *crowd_start, *crowd_row;
static bool crowd_f(void *self, double t, const double *y, double *d) {
  (void)self, (void)t;
  double mean = 0;
  for (int i = 0; i < crowd; i++) mean += y[i] / crowd;
  for (int i = 0; i < crowd; i++) d[i] = -1e3 * (y[i] - mean);
  return true;
}
static void crowd_slopes(void *self, double t, const double *y, double *e) {
  (void)self, (void)t, (void)y;
  for (size_t k = 0; k < (size_t)crowd * crowd; k++) e[k] = 1e3 / crowd - (k % (crowd + 1) == 0 ? 1e3 : 0);
}
static const OdeJacobian *crowd_jacobian(void *self) {
  (void)self;
  static OdeJacobian j;
  j = (OdeJacobian){crowd_start, crowd_row, crowd * crowd, crowd_slopes};
  return &j;
}
static bool no_row(void *self, double t, const double *y) {
  (void)self, (void)t, (void)y;
  return true;
}

static void what_is_too_dense_is_told_and_auto_goes_on(void **state) {
  (void)state;
  crowd_start = calloc(crowd + 2, sizeof *crowd_start);
  crowd_row = calloc((size_t)crowd * crowd, sizeof *crowd_row);
  double *y = calloc(crowd, sizeof *y);
  for (uint32_t c = 0; c < crowd; c++) {
    crowd_start[c + 1] = (c + 1) * crowd;
    for (uint32_t i = 0; i < crowd; i++) crowd_row[c * (size_t)crowd + i] = i;
  }
  crowd_start[crowd + 1] = crowd_start[crowd];
  for (int round = 0; round < 2; round++) {
    Arena *arena = arena_new();
    for (int i = 0; i < crowd; i++) y[i] = i % 2;
    OdeProblem p = {.n = crowd, .checked = crowd, .f = crowd_f, .jacobian = crowd_jacobian};
    OdeSettings s = {.method = round ? ode_dopri5 : ode_rodas,
                     .automatic = round,
                     .t1 = 0.5,
                     .every = 0.5,
                     .rtol = 1e-6,
                     .atol = 1e-9,
                     .most_steps = 10000};
    OdeResult r = ode_solve(arena, &p, &s, y, &(OdeObserver){NULL, no_row, NULL, NULL, NULL, NULL});
    assert_int_equal(r.status, round ? ode_done : ode_too_dense);
    if (round) assert_true(r.method == ode_dopri5 && r.changes == 0 && isnan(r.stiff_at));
    if (round) assert_true(fabs(y[0] - y[1]) < 1e-5 && fabs(y[0] - (double)(crowd / 2) / crowd) < 1e-5);
    arena_free(arena);
  }
  free(y);
  free(crowd_start);
  free(crowd_row);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_systems_are_solved),
      cmocka_unit_test(rows_are_exchanged_where_they_must_be),
      cmocka_unit_test(singular_ones_are_told),
      cmocka_unit_test(negative_eigenvalues_are_counted),
      cmocka_unit_test(factors_have_no_memory),
      cmocka_unit_test(a_ring_of_many_masses_moves),
      cmocka_unit_test(sparse_steps_are_those_of_dense_ones),
      cmocka_unit_test(what_is_too_dense_is_told_and_auto_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
