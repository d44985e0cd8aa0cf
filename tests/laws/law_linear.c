// Laws of linear models: the exact form, the tape's Jacobian and differences of the rates agree, for every example and
// at points of no special kind; where eigenvalues lie follows from how a matrix was made.
#include "tests/support.h"

#include "base/random.h"
#include "linear/hurwitz.h"
#include "linear/linearize.h"
#include "rest/consistent.h"

#include <glob.h>

static uint64_t seed(void) {
  const char *text = getenv("VIVA_SEED");
  return text ? strtoull(text, NULL, 10) : 20260;
}

// -1 .. 1
static double random_unit(uint64_t key) {
  return 2 * ((double)(random_bits(seed(), key) >> 11) / 9007199254740992.0) - 1;
}

typedef struct Opened {
  Arena *arena;
  LinearizeJob job;
  Operating o;
  Linearization l;
} Opened;

static Opened *open_at(const Loaded *m, const char *point, LinearizeAt at) {
  Opened *x = calloc(1, sizeof *x);
  x->arena = arena_new();
  x->job = (LinearizeJob){.model = &m->model,
                          .system = &m->system,
                          .at = &point,
                          .at_count = point ? 1 : 0,
                          .settings = {.at = at, .exact = true, .numbers = true},
                          .operating = &x->o,
                          .out = &x->l};
  LinearizeStatus status = pipeline_linearize(x->arena, &x->job);
  if (status != linearize_done) {
    for (uint32_t i = 0; i < x->job.scope.model.diags.list.count; i++)
      print_error("%s\n", x->job.scope.model.diags.list.items[i].message);
    print_error("%s\n", x->job.message ? x->job.message : "");
  }
  assert_int_equal(status, linearize_done);
  return x;
}

static void close_it(Opened *x) {
  arena_free(x->arena);
  free(x);
}

// Rates beside the point: what constraints bind follows.
static void rates_beside(Operating *o, double *y, double *out) {
  uint32_t worst;
  if (consistent_needed(o)) {
    double *own = o->y;
    o->y = y;
    for (uint32_t at = 0; at < o->dim; at++) o->said[at] = said_by_nobody;
    for (uint32_t i = 0; i < o->states; i++) o->said[o->component[i]] = said_by_caller;
    assert_true(consistent_point(o, &worst) <= consistent_moved);
    o->y = own;
  }
  assert_true(operating_rates(o, y, out, NULL));
}

// d(rates)/dy_c by central differences, extrapolated twice.
static void difference(Operating *o, uint32_t c, double *out) {
  double h = 1e-3 * fmax(1, fabs(o->y[c]));
  if (fabs(o->y[c]) > 0 && fabs(o->y[c]) < 0.05) h = 0.05 * fabs(o->y[c]); // charges and gaps are small
  double *y = malloc(o->dim * sizeof *y), *f[2] = {malloc(o->dim * sizeof(double)), malloc(o->dim * sizeof(double))};
  double(*table)[3] = malloc(o->dim * sizeof *table);
  for (int k = 0; k < 3; k++, h /= 2) {
    memcpy(y, o->y, o->dim * sizeof *y);
    y[c] = o->y[c] + h;
    rates_beside(o, y, f[0]);
    memcpy(y, o->y, o->dim * sizeof *y);
    y[c] = o->y[c] - h;
    rates_beside(o, y, f[1]);
    for (uint32_t i = 0; i < o->dim; i++) table[i][k] = (f[0][i] - f[1][i]) / (2 * h);
  }
  for (uint32_t i = 0; i < o->dim; i++) {
    double a = (4 * table[i][1] - table[i][0]) / 3, b = (4 * table[i][2] - table[i][1]) / 3;
    out[i] = (16 * b - a) / 15;
  }
  free(y);
  free(f[0]);
  free(f[1]);
  free(table);
}

// The largest difference to A and B, each over the size of its row.
static double distance(Opened *x) {
  Operating *o = &x->o;
  const Linearization *l = &x->l;
  double *d = malloc(o->dim * sizeof *d), worst = 0;
  double *size = calloc(l->n, sizeof *size);
  for (uint32_t i = 0; i < l->n; i++) {
    for (uint32_t j = 0; j < l->n; j++) size[i] = fmax(size[i], fabs(l->A.numbers[i * l->n + j]));
  }
  for (uint32_t j = 0; j < l->n; j++) {
    difference(o, o->component[j], d);
    for (uint32_t i = 0; i < l->n; i++)
      worst = fmax(worst, fabs(d[o->component[i]] - l->A.numbers[i * l->n + j]) / fmax(size[i], 1e-12));
  }
  for (uint32_t j = 0; j < l->m; j++) {
    uint32_t at = 0;
    for (uint32_t k = 0; k < o->free; k++) {
      if (o->names[o->input_at[k]] == l->inputs[j]) at = o->input_at[k];
    }
    difference(o, at, d);
    for (uint32_t i = 0; i < l->n; i++) {
      double entry = l->B.numbers[i * l->m + j];
      worst = fmax(worst, fabs(d[o->component[i]] - entry) / fmax(fmax(size[i], fabs(entry)), 1e-12));
    }
  }
  free(d);
  free(size);
  return worst;
}

static Loaded *load_file(const char *path) {
  Loaded *l = calloc(1, sizeof *l);
  l->arena = arena_new();
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *text = calloc(1, 1 << 20);
  size_t length = fread(text, 1, (1 << 20) - 1, f);
  fclose(f);
  ModelOptions options = {0};
  assert_true(pipeline_load(l->arena, &l->model, &l->system, path, text, length, &options) &&
              l->model.diags.errors == 0);
  free(text);
  return l;
}

static void examples_agree_with_differences_of_their_rates(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(VIVA_ROOT "/examples/*.viva", 0, NULL, &found), 0);
  assert_true(found.gl_pathc >= 15);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    Loaded *m = load_file(found.gl_pathv[i]);
    Opened *x = open_at(m, NULL, at_start);
    double d = distance(x);
    if (!(d < 1e-7)) fail_msg("%s: %g", found.gl_pathv[i], d);
    // the broken twin
    x->l.A.numbers[x->l.n * x->l.n - 1] += 1e-4 * fmax(1, fabs(x->l.A.numbers[x->l.n * x->l.n - 1]));
    for (uint32_t k = 0; k < x->l.n; k++) x->l.A.numbers[(x->l.n - 1) * x->l.n + k] *= 1 + 1e-4;
    assert_true(distance(x) > 1e-7);
    close_it(x);
    unload(m);
  }
  globfree(&found);
}

// Between places, on velocities, redundant, of loops; in motion, where rates of constraints depend on places, too.
static void constraints_agree_with_differences_on_their_set(void **state) {
  (void)state;
  static const char *const texts[] = {
      "param m = 1.3, g = 9.81, l = 1\ncoord x = 0.6, y = -0.8\ninit x' = 0.4, y' = 0.3\nkinetic 1/2*m*(x'^2 + y'^2)\n"
      "potential m*g*y\nconstraint rod: x^2 + y^2 = l^2\ninput F = 0.3\nforce x = F\noutput x, T = lambda.rod\n",
      "coord a = 1, b, c\nguess b = 0.4, c = 1.3\ninit a' = 0.7\nkinetic 1/2*a'^2 + 2*b'^2 + c'^2\npotential sin(b) + "
      "a\n"
      "constraint loop: [cos(a) + 3.5*cos(b), sin(a) + 3.5*sin(b)] = [4 + 3*cos(c), 3*sin(c)]\noutput lambda.loop\n",
      "param r = 0.5, J = 0.7\ncoord x, y, th = 0.3, ph\ninit th' = 0.9, ph' = -0.6\ninput M1, M2\n"
      "kinetic 1/2*(x'^2 + y'^2) + 1/2*J*(th'^2 + ph'^2)\npotential x^2 + x*y\nforce th = M1\nforce ph = M2\n"
      "constraint u: x' = r*ph'*cos(th)\nconstraint v: y' = r*ph'*sin(th)\n",
      "coord x = 0.6, y = -0.8\ninit x' = 0.4\nkinetic 1/2*(x'^2 + 2*y'^2)\npotential 9.81*y\n"
      "constraint a: x^2 + y^2 = 1\nconstraint b: 2*x^2 + 2*y^2 = 2\n"};
  static const uint32_t states[] = {2, 2, 6, 2};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Loaded *m = load_text(texts[i]);
    Opened *x = open_at(m, NULL, at_start);
    assert_int_equal(x->l.n, states[i]);
    double d = distance(x);
    if (!(d < 1e-7)) fail_msg("model %zu: %g", i, d);
    for (uint32_t k = 0; k < x->l.n; k++) x->l.A.numbers[(x->l.n - 1) * x->l.n + k] += 1e-4;
    assert_true(distance(x) > 1e-7);
    close_it(x);
    unload(m);
  }
}

// A cart with a pendulum, a state, a feedback and a rate of an input: everything of the order of computation.
static const char everything[] = "param M = 2, m = 1, l = 0.7, g = 9.81, d = 0.3, c = 1.5\n"
                                 "coord x, a, s\nstate i, z = 0.2\n"
                                 "input u = 0.3*cos(t), r = 0.1*sin(2*t), w = -0.4*z + u\n"
                                 "let P = [x + l*sin(a), l*cos(a) + r]\n"
                                 "kinetic 1/2*M*x'^2 + 1/2*m*|P'|^2\n"
                                 "potential m*g*P.y + 1/2*c*(x - s)^2 + 1/2*s^2*z\n"
                                 "dissipation 1/2*d*x'^2 + 1/2*d*(s' - r')^2\n"
                                 "force x = u + i - tanh(z)\nforce a = w\n"
                                 "i' = (u - 2*i - x')/0.5\nz' = -z*exp(-i) + x''*0.1 + s'\n"
                                 "output y = x + l*sin(a), e = energy.kinetic, f = x''\n";

// By recursion over complex numbers, which shares nothing with tapes.
static double complex value_at(SymbolId symbol, void *context) {
  const Operating *o = context;
  const Symbol *s = pool_symbol_get(o->s.pool, symbol);
  if (s->kind == sym_param) return o->params[s->index];
  if (s->kind == sym_coord) return o->y[s->index];
  if (s->kind == sym_velocity) return o->y[o->n + s->index];
  if (s->kind == sym_state) return o->y[2 * o->n + s->index];
  fail_msg("%s is left in an entry", s->name);
  return NAN;
}

static double exact_at(Opened *x, const LinearMatrix *m, uint32_t r, uint32_t c) {
  return creal(eval_complex(x->o.s.pool, m->exact[r * m->cols + c], value_at, &x->o));
}

static void points_of_no_special_kind_agree(void **state) {
  (void)state;
  Loaded *m = load_text(everything);
  for (uint64_t k = 0; k < 6; k++) {
    char point[512];
    snprintf(point, sizeof point, "x=%.3f,a=%.3f,s=%.3f,x'=%.3f,a'=%.3f,i=%.3f,z=%.3f,u=%.3f,r=%.3f,r'=%.3f",
             random_unit(k * 20), random_unit(k * 20 + 1), random_unit(k * 20 + 3), random_unit(k * 20 + 4),
             random_unit(k * 20 + 5), random_unit(k * 20 + 7), random_unit(k * 20 + 8), random_unit(k * 20 + 9),
             random_unit(k * 20 + 10), random_unit(k * 20 + 11));
    Opened *x = open_at(m, point, at_point);
    assert_true(distance(x) < 1e-8);
    // the exact form against the tape
    assert_non_null(x->l.A.exact);
    double *j = malloc(((size_t)x->o.dim + x->o.output_count) * x->o.dim * sizeof *j);
    assert_true(operating_jacobian(&x->o, x->o.y, j));
    for (uint32_t r = 0; r < x->l.n; r++) {
      for (uint32_t c = 0; c < x->l.n; c++) {
        double tape = j[(size_t)x->o.component[r] * x->o.dim + x->o.component[c]], exact = exact_at(x, &x->l.A, r, c);
        assert_true(fabs(tape - exact) <= 1e-9 * fmax(1, fabs(tape)));
      }
    }
    for (uint32_t r = 0; r < x->l.p; r++) {
      for (uint32_t c = 0; c < x->l.n; c++) {
        double tape = j[((size_t)x->o.dim + r) * x->o.dim + x->o.component[c]], exact = exact_at(x, &x->l.C, r, c);
        assert_true(fabs(tape - exact) <= 1e-9 * fmax(1, fabs(tape)));
      }
    }
    free(j);
    close_it(x);
  }
  unload(m);
}

// Places and velocities that are computed, loops, implicit equations.
static void reduced_and_implicit_systems_agree_with_differences(void **state) {
  (void)state;
  static const struct {
    const char *text, *point;
  } cases[] = {
      {"coord x = 1, y\ninput u\nkinetic 1/2*x'^2\npotential 3/2*(x - y)^2 + 3*y^2 + y^4/4\nforce y = u\n",
       "x=0.7,u=0.3"},
      {"coord x = 1, y = 0.3\ninput u\nkinetic (x' + y')^2\npotential 1/2*x^2 + y^4/4\ndissipation 1/2*x'^2 + "
       "y'^2\nforce x = u\n",
       "x=0.7,y=-0.4,x'=0.3,y'=0.2"},
      {"coord x = 0.3, y = 0.2\ninput u\npotential 1/2*x^2 + 1/2*y^2 + 0.1*x*y\ndissipation 1/2*x'^2 + 1/4*(x' - y')^4 "
       "+ 1/2*y'^2\nforce x = u\n",
       "x=0.9,y=-0.8,u=0.2"},
      {"state i = 2\nunknown z = 1\ninput u\nequation z^3 + z = i + u\ni' = -z*i\n", "i=1.5,u=0.4"},
      {"param g = 3\ninput u\nlet a = b + x*u\nlet b = -g*a + x\nstate x = 1\nx' = -4*a*x\n", "x=0.8,u=0.6"},
      {"coord x = 1\nunknown lam\ninput u\nkinetic 1/2*x'^2\npotential 1/2*x^2\nforce x = lam\nequation x'' = "
       "-4*sin(x) + u*x'\n",
       "x=0.5,x'=0.2,u=0.3"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Loaded *m = load_text(cases[i].text);
    Opened *x = open_at(m, cases[i].point, at_point);
    double d = distance(x);
    if (!(d < 1e-7)) fail_msg("%s: %g", cases[i].text, d);
    close_it(x);
    unload(m);
  }
}

// ---- half planes

// a = s b s^-1 with s a product of shears: the same eigenvalues.
static void shear(Rat *a, uint32_t n, uint32_t i, uint32_t j, int64_t f, Arena *arena) {
  for (uint32_t k = 0; k < n; k++)
    a[i * n + k] = rat_add(arena, a[i * n + k], rat_mul(arena, rat_int(f), a[j * n + k]));
  for (uint32_t k = 0; k < n; k++)
    a[k * n + j] = rat_add(arena, a[k * n + j], rat_mul(arena, rat_int(-f), a[k * n + i]));
}

static void half_planes_follow_from_how_a_matrix_was_made(void **state) {
  (void)state;
  for (uint64_t round = 0; round < 200; round++) {
    Arena *arena = arena_new();
    enum { largest = 9 };
    uint32_t n = 0;
    Rat a[largest * largest];
    HalfPlanes should = {0}, is;
    // blocks: a real number, a pair, a double zero with one eigenvector, a double pair on the axis
    uint32_t want = 2 + (uint32_t)(random_bits(seed(), round * 1000) % (largest - 1));
    double blocks[largest][3];
    uint32_t count = 0;
    for (uint64_t k = 0; n < want; k++) {
      uint64_t bits = random_bits(seed(), round * 1000 + k + 1);
      int kind = (int)(bits % 4), re = (int)(bits / 4 % 7) - 3, im = 1 + (int)(bits / 32 % 3);
      uint32_t size = kind == 0 ? 1 : 2;
      if (n + size > want) continue;
      blocks[count][0] = kind;
      blocks[count][1] = re;
      blocks[count++][2] = im;
      n += size;
      if (kind == 2) should.zero += 2;
      else if (re == 0 && kind == 0) should.zero += 1;
      else if (re == 0) should.axis += 2;
      else if (re > 0) should.right += size;
      else should.left += size;
    }
    for (uint32_t i = 0; i < n * n; i++) a[i] = RAT_ZERO;
    for (uint32_t b = 0, at = 0; b < count; b++) {
      int kind = (int)blocks[b][0], re = (int)blocks[b][1], im = (int)blocks[b][2];
      if (kind == 2) {
        a[at * n + at + 1] = RAT_ONE;
      } else {
        a[at * n + at] = rat_int(re);
        if (kind) {
          a[(at + 1) * n + at + 1] = rat_int(re);
          a[at * n + at + 1] = rat_int(im);
          a[(at + 1) * n + at] = rat_int(-im);
        }
      }
      at += kind == 0 ? 1 : 2;
    }
    for (uint64_t k = 0; k < 12; k++) {
      uint64_t bits = random_bits(seed(), round * 1000 + 500 + k);
      uint32_t i = (uint32_t)(bits % n), j = (uint32_t)(bits / 16 % n);
      if (i != j) shear(a, n, i, j, (int64_t)(bits / 256 % 5) - 2, arena);
    }
    assert_true(hurwitz_count(arena, a, n, &is));
    assert_int_equal(is.left, should.left);
    assert_int_equal(is.right, should.right);
    assert_int_equal(is.axis, should.axis);
    assert_int_equal(is.zero, should.zero);
    arena_free(arena);
  }
}

static void the_kernel_is_what_a_matrix_sends_to_zero(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const int rows[3][3] = {{1, 2, 3}, {2, 4, 6}, {1, 0, 1}};
  Rat a[9];
  for (int i = 0; i < 9; i++) a[i] = rat_int(rows[i / 3][i % 3]);
  uint32_t count;
  Rat *k = hurwitz_kernel(arena, a, 3, &count);
  assert_int_equal(count, 1);
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int j = 0; j < 3; j++) sum += rows[i][j] * rat_to_double(k[j]);
    assert_true(sum == 0);
  }
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_agree_with_differences_of_their_rates),
      cmocka_unit_test(constraints_agree_with_differences_on_their_set),
      cmocka_unit_test(points_of_no_special_kind_agree),
      cmocka_unit_test(reduced_and_implicit_systems_agree_with_differences),
      cmocka_unit_test(half_planes_follow_from_how_a_matrix_was_made),
      cmocka_unit_test(the_kernel_is_what_a_matrix_sends_to_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
