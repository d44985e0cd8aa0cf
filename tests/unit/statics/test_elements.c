// Gradients and Hessians of every part against differences of what they are derivatives of, in the plane and in space.
#include "tests/support.h"

#include "base/random.h"
#include "statics/problem.h"
#include "tests/unit/statics/structures.h"

enum { nodes = 8 };

static const RefSpring hardening = {.k = 3, .k3 = 2};

// Parts of every kind over eight scattered nodes, one of them fixed in one direction.
static Structure everything(Arena *arena, uint32_t dim) {
  Structure s;
  structure_init(arena, &s, dim, nodes);
  for (uint32_t i = 0; i < nodes * dim; i++) s.place[i] = random_normal(5, i);
  s.fixed[1] = 1;
  add_bar(arena, &s, 0, 1, 1.1);
  add_spring(arena, &s, 1, 2, 7, 0.8);
  add_spring(arena, &s, 2, 3, 7, 0);
  StructureLaw law = {cubic_law, &hardening};
  vec_push(arena, &s.laws, law);
  StructureSpring curved = {3, 4, 0, 0.4, 0, false}, cable = {0, 5, 9, 0.2, structure_none, true};
  vec_push(arena, &s.springs, curved);
  vec_push(arena, &s.springs, cable);
  StructureTorsion torsion = {1, 2, 4, 6, 0.3};
  vec_push(arena, &s.torsions, torsion);
  uint32_t body[5] = {3, 4, 5, 6, 7};
  assert_true(structure_add_rigid(arena, &s, body, 5, 0));
  assert_true(structure_add_moving_slider(arena, &s, 0, 3, 4));
  double along[3] = {1, 2, 3};
  assert_true(structure_add_slider(arena, &s, 2, along));
  for (uint32_t i = 0; i < nodes * dim; i++) s.force[i] = random_normal(6, i);
  return s;
}

static void derivatives_are_those_of_energy_and_constraints(void **state) {
  (void)state;
  for (uint32_t dim = 2; dim <= 3; dim++) {
    Arena *arena = arena_new();
    Structure s = everything(arena, dim);
    Problem *p = problem_new(arena, &s);
    uint32_t order = p->n + p->m;
    double x[32], y[32], lambda[32], all[32], left[64], right[64], v[64], image[64], c[2][32];
    assert_true(p->size <= 32 && p->m <= 32);
    problem_start(p, NULL, x);
    for (uint32_t i = 0; i < p->size; i++) x[i] += 0.1 * random_normal(7, i);
    for (uint32_t i = 0; i < p->m; i++) lambda[i] = random_normal(8, i);
    for (uint32_t i = 0; i < order; i++) v[i] = i < p->n ? random_normal(9, i) : 0;
    problem_accept(p, x);
    const double h = 1e-5;
    // the gradient along v, by the energy on both sides
    problem_gradient(p, x, NULL, all, left);
    double slope = 0;
    for (uint32_t i = 0; i < p->n; i++) slope += left[i] * v[i];
    problem_move(p, x, v, h, y);
    double above = problem_energy(p, y, NULL);
    problem_move(p, x, v, -h, y);
    double below = problem_energy(p, y, NULL);
    assert_true(fabs((above - below) / (2 * h) - slope) < 1e-7 * fmax(1, fabs(slope)));
    // the Hessian of the Lagrangian and the constraints, by gradients on both sides
    for (uint32_t k = 0; k < 2; k++) {
      double weight = k ? 2.5 : 0;
      ProblemFill fill = {.energy = true, .lambda = lambda, .shifted = true, .weight = weight};
      problem_fill(p, x, &fill);
      problem_multiply(p, v, image);
      for (int side = 0; side < 2; side++) {
        double shifted[32];
        problem_move(p, x, v, side ? -h : h, y);
        problem_constraints(p, y, c[side]);
        for (uint32_t i = 0; i < p->m; i++) shifted[i] = lambda[i] + weight * c[side][i];
        problem_gradient(p, y, shifted, all, side ? right : left);
      }
      for (uint32_t i = 0; i < p->n; i++) {
        double expected = (left[i] - right[i]) / (2 * h);
        assert_true(fabs(expected - image[i]) < 1e-6 * fmax(1, fabs(expected)));
      }
      for (uint32_t i = 0; i < p->m; i++) {
        assert_true(fabs((c[0][i] - c[1][i]) / (2 * h) - image[p->n + i]) < 1e-8);
      }
    }
    // without what pushes it is never negative
    ProblemFill convex = {.energy = true, .convex = true, .lambda = lambda, .alone = true, .corner = 1};
    problem_fill(p, x, &convex);
    for (uint32_t k = 0; k < 200; k++) {
      double sum = 0;
      for (uint32_t i = 0; i < order; i++) v[i] = i < p->n ? random_normal(100 + k, i) : 0;
      problem_multiply(p, v, image);
      for (uint32_t i = 0; i < p->n; i++) sum += v[i] * image[i];
      assert_true(sum > -1e-9);
    }
    arena_free(arena);
  }
}

static void loads_that_follow_turn_with_their_bar(void **state) {
  (void)state;
  for (uint32_t dim = 2; dim <= 3; dim++) {
    Arena *arena = arena_new();
    Structure s;
    structure_init(arena, &s, dim, 3);
    for (uint32_t i = 0; i < 3 * dim; i++) s.place[i] = random_normal(3, i);
    StructureFollower f = {.node = 2, .a = 0, .b = 1, .force = {1, 2, dim == 3 ? 3 : 0}, .drawn = {1, 0, 0}};
    vec_push(arena, &s.followers, f);
    Problem *p = problem_new(arena, &s);
    double force[3], there[3], back[3], x[9], y[9], v[9], image[9];
    // its length stays, and so does its part along the bar
    element_follow(&s, 0, s.place, force);
    double square = 0, along = 0, length = drawn_length(&s, 0, 1);
    for (uint32_t i = 0; i < dim; i++) {
      square += force[i] * force[i];
      along += force[i] * (s.place[dim + i] - s.place[i]) / length;
    }
    assert_true(fabs(square - (dim == 3 ? 14 : 5)) < 1e-12);
    assert_true(fabs(along - 1) < 1e-12);
    // and its slope is that of Newton's matrix, which is not symmetric then
    memcpy(x, s.place, 3 * dim * sizeof *x);
    for (uint32_t i = 0; i < 3 * dim; i++) v[i] = random_normal(4, i);
    ProblemFill fill = {.energy = true, .follow = true};
    problem_fill(p, x, &fill);
    problem_multiply(p, v, image);
    problem_move(p, x, v, 1e-5, y);
    element_follow(&s, 0, y, there);
    problem_move(p, x, v, -1e-5, y);
    element_follow(&s, 0, y, back);
    for (uint32_t i = 0; i < dim; i++) {
      double expected = -(there[i] - back[i]) / 2e-5;
      assert_true(fabs(expected - image[2 * dim + i]) < 1e-8 * fmax(1, fabs(expected)));
    }
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_those_of_energy_and_constraints),
      cmocka_unit_test(loads_that_follow_turn_with_their_bar),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
