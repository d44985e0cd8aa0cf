// Small structures whose answer is known by hand: every verdict, every certificate, every kind of part.
#include "tests/support.h"

#include "tests/unit/statics/structures.h"

static BalanceResult find(Arena *arena, const Structure *s, BalanceMethod method) {
  BalanceOptions o = balance_defaults(method);
  return balance_find(arena, s, NULL, &o);
}

static uint32_t notes_of(const BalanceResult *r, BalanceNoteKind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->note_count; i++) count += r->notes[i].kind == kind;
  return count;
}

static void near_to(double got, double expected, double within) {
  if (!(fabs(got - expected) <= within)) print_message("%.15g instead of %.15g\n", got, expected);
  assert_true(fabs(got - expected) <= within);
}

// Two springs of rest length 1 from (-0.9, 0) and (0.9, 0) to a node in the middle, at height h.
static Structure von_mises(Arena *arena, double h) {
  Structure s;
  structure_init(arena, &s, 2, 3);
  put_node(&s, 0, -0.9, 0, 3);
  put_node(&s, 1, 0.9, 0, 3);
  put_node(&s, 2, 0.001, h, 0);
  add_spring(arena, &s, 0, 2, 100, 1);
  add_spring(arena, &s, 1, 2, 100, 1);
  return s;
}

static void a_shallow_truss_has_two_stable_states_and_an_unstable_one(void **state) {
  (void)state;
  Arena *arena = arena_new();
  double height = sqrt(1 - 0.81);
  for (int side = -1; side <= 1; side += 2) {
    Structure s = von_mises(arena, side * 0.1);
    BalanceResult r = find(arena, &s, balance_auto);
    assert_int_equal(r.status, balance_found);
    assert_int_equal(r.verdict, balance_stable);
    near_to(r.x[5], side * height, 1e-12);
  }
  Structure flat = von_mises(arena, 0.01);
  BalanceResult r = find(arena, &flat, balance_lagrange);
  assert_int_equal(r.status, balance_found);
  assert_int_equal(r.verdict, balance_unstable);
  assert_int_equal(r.negative, 1);
  near_to(r.x[5], 0, 1e-9);
  near_to(fabs(r.motions[0].motion[5]), 1, 1e-9); // upwards or downwards
  assert_true(r.motions[0].stiffness < 0);
  // exactly between both: auto leaves the saddle
  flat.place[4] = flat.place[5] = 0;
  r = find(arena, &flat, balance_auto);
  assert_int_equal(r.verdict, balance_stable);
  near_to(fabs(r.x[5]), height, 1e-12);
  arena_free(arena);
}

// A bar of length 2 from the origin to a node with a weight of 30.
static Structure pendulum(Arena *arena, double x, double y) {
  Structure s;
  structure_init(arena, &s, 2, 2);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, x, y, 0);
  s.force[3] = -30;
  add_bar(arena, &s, 0, 1, 2);
  return s;
}

static void a_pendulum_hangs_even_if_it_was_put_upright(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const double starts[3][2] = {{1.5, 1.2}, {0, 2}, {0.1, -3}};
  for (int i = 0; i < 3; i++) {
    Structure s = pendulum(arena, starts[i][0], starts[i][1]);
    BalanceResult r = find(arena, &s, balance_auto);
    assert_int_equal(r.verdict, balance_stable);
    near_to(r.x[2], 0, 1e-12);
    near_to(r.x[3], -2, 1e-12);
    near_to(r.bar_force[0], 30, 1e-9);
    near_to(r.reaction[1], 30, 1e-9);
    near_to(r.potential, -60, 1e-9);
  }
  arena_free(arena);
}

static void a_linkage_without_loads_is_a_mechanism(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 4);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 4, 0, 3);
  put_node(&s, 2, 0.5, 1, 0);
  put_node(&s, 3, 3, 2, 0);
  add_bar(arena, &s, 0, 2, drawn_length(&s, 0, 2));
  add_bar(arena, &s, 2, 3, drawn_length(&s, 2, 3));
  add_bar(arena, &s, 3, 1, drawn_length(&s, 3, 1));
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  assert_int_equal(r.verdict, balance_mechanism);
  assert_int_equal(r.motion_count, 1);
  const double *v = r.motions[0].motion;
  near_to(v[4] * 0.5 + v[5] * 1, 0, 1e-9); // along the circles of the cranks
  near_to(v[6] * -1 + v[7] * 2, 0, 1e-9);
  arena_free(arena);
}

static void what_nothing_holds_falls_without_end(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 4);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 1, 0, 0);
  put_node(&s, 2, 3, 1, 0);
  put_node(&s, 3, 4, 1, 0);
  add_spring(arena, &s, 0, 1, 10, 1);
  add_bar(arena, &s, 2, 3, 1);
  s.force[5] = s.force[7] = -3;
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_unbounded);
  assert_int_equal(r.verdict, balance_no_verdict);
  near_to(r.direction[5], -1, 1e-6);
  near_to(r.direction[7], -1, 1e-6);
  near_to(r.direction[3], 0, 1e-3);
  arena_free(arena);
}

static void lengths_that_contradict_are_named(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 4);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 3, 0, 3);
  put_node(&s, 2, 1, 1, 0);
  put_node(&s, 3, 2, 2, 0);
  add_bar(arena, &s, 0, 2, 1);
  add_bar(arena, &s, 1, 2, 1);
  add_bar(arena, &s, 2, 3, 1);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_infeasible);
  assert_int_equal(r.verdict, balance_no_verdict);
  assert_int_equal(notes_of(&r, balance_note_contradicts), 2); // not the third
  for (uint32_t i = 0; i < r.note_count; i++) {
    assert_true(r.notes[i].index < 2);
    near_to(r.notes[i].value, 0.5, 1e-6);
  }
  arena_free(arena);
}

static void doubled_bars_share_their_force(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s = pendulum(arena, 0.3, -1.9);
  add_bar(arena, &s, 0, 1, 2);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.verdict, balance_stable);
  assert_int_equal(notes_of(&r, balance_note_redundant), 2);
  near_to(r.bar_force[0], 15, 1e-9);
  near_to(r.bar_force[1], 15, 1e-9);
  arena_free(arena);
}

// Two bars side by side to a node on a line along them: nothing may move, so that there is no soft direction; the line
// bears what goes across.
static void parallel_bars_to_a_node_that_slides_hold_it(void **state) {
  (void)state;
  for (int push = -1; push <= 1; push += 2) {
    Arena *arena = arena_new();
    Structure s;
    structure_init(arena, &s, 2, 2);
    put_node(&s, 0, 0, 0, 3);
    put_node(&s, 1, 1, 0, 0);
    add_bar(arena, &s, 0, 1, 1);
    add_bar(arena, &s, 0, 1, 1);
    assert_true(structure_add_slider(arena, &s, 1, (double[]){1, 0, 0}));
    s.force[2] = 5 * push;
    s.force[3] = 3;
    BalanceResult r = find(arena, &s, balance_auto);
    assert_int_equal(r.status, balance_found);
    assert_int_equal(r.verdict, balance_stable);
    assert_int_equal(r.motion_count, 0);
    near_to(r.bar_force[0], 2.5 * push, 1e-8);
    near_to(r.reaction[0], -5 * push, 1e-8);
    near_to(r.slider_force[1], -3, 1e-9);
    near_to(r.reaction[3], -3, 1e-9);
    assert_true(r.supported[0] && r.supported[1]);
    arena_free(arena);
  }
}

// Loads and reactions of all supports, lines among them, are in balance: forces and moments.
static void reactions_hold_all_loads(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 4);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 2, 0.3, 0);
  put_node(&s, 2, 1.1, 1, 0);
  put_node(&s, 3, 3, 1.2, 2);
  add_bar(arena, &s, 0, 1, drawn_length(&s, 0, 1));
  add_bar(arena, &s, 0, 2, drawn_length(&s, 0, 2));
  add_bar(arena, &s, 1, 2, drawn_length(&s, 1, 2));
  add_spring(arena, &s, 2, 3, 70, 1);
  add_spring(arena, &s, 1, 3, 90, 1);
  assert_true(structure_add_slider(arena, &s, 1, (double[]){1, 0.4, 0}));
  s.force[2] = 3, s.force[3] = -20, s.force[4] = 7, s.force[5] = -4, s.force[6] = 2, s.force[7] = -9;
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  double x = 0, y = 0, moment = 0;
  for (uint32_t i = 0; i < 4; i++) {
    double fx = s.force[2 * i] + r.reaction[2 * i], fy = s.force[2 * i + 1] + r.reaction[2 * i + 1];
    x += fx;
    y += fy;
    moment += r.x[2 * i] * fy - r.x[2 * i + 1] * fx;
  }
  near_to(x, 0, 1e-9);
  near_to(y, 0, 1e-9);
  near_to(moment, 0, 1e-9);
  assert_false(r.supported[2]);
  arena_free(arena);
}

// `max` ends auto, too.
static void auto_ends_after_so_many_iterations(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s = pendulum(arena, 1.9, 0.3);
  BalanceOptions o = balance_defaults(balance_auto);
  o.max = 3;
  BalanceResult r = balance_find(arena, &s, NULL, &o);
  assert_int_equal(r.status, balance_not_converged);
  assert_int_equal(r.iterations, 3);
  arena_free(arena);
}

static void a_straight_pair_of_bars_is_singular(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 3);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 2, 0, 3);
  put_node(&s, 2, 1, 0, 0);
  add_bar(arena, &s, 0, 2, 1);
  add_bar(arena, &s, 2, 1, 1);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  assert_int_equal(r.verdict, balance_singular);
  near_to(fabs(r.motions[0].motion[5]), 1, 1e-9);
  assert_int_equal(notes_of(&r, balance_note_redundant), 2);
  arena_free(arena);
}

static void a_cable_that_would_push_is_slack(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s = pendulum(arena, 0.5, -1.8);
  StructureSpring cables[2] = {{0, 1, 50, 2.5, structure_none, true}, {0, 1, 50, 1.5, structure_none, true}};
  s.bars.count = s.bar_count = 0;
  vec_push(arena, &s.springs, cables[0]);
  vec_push(arena, &s.springs, cables[1]);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.verdict, balance_stable);
  near_to(r.x[3], -2.1, 1e-12);
  assert_int_equal(notes_of(&r, balance_note_slack), 1);
  near_to(r.spring_force[0], 0, 0);
  near_to(r.spring_force[1], 30, 1e-9);
  arena_free(arena);
}

// Hung up at one node, with the weight of the others, a body has its centre of mass below that node.
static void rigid_bodies_hang_below_their_pivot(void **state) {
  (void)state;
  for (uint32_t dim = 2; dim <= 3; dim++) {
    for (uint32_t flat = 0; flat < dim - 1; flat++) {
      Arena *arena = arena_new();
      const double places[5][3] = {{0, 0, 0}, {1, 0.2, 0.1}, {0.3, 1, -0.2}, {1, 1, 0.7}, {2, 0.4, 0.3}};
      uint32_t members[5] = {0, 1, 2, 3, 4};
      Structure s;
      structure_init(arena, &s, dim, 5);
      for (uint32_t i = 0; i < 5; i++) {
        for (uint32_t k = 0; k < dim; k++) s.place[i * dim + k] = flat && k == 2 ? 0 : places[i][k];
        s.force[i * dim + dim - 1] = i ? -1 : 0;
      }
      s.fixed[0] = 7;
      assert_true(structure_add_rigid(arena, &s, members, 5, 0));
      assert_int_equal(s.bars.count + s.ties.count * dim, dim == 2 ? 2 * 5 - 3 : 3 * 5 - 6);
      BalanceResult r = find(arena, &s, balance_auto);
      assert_int_equal(r.status, balance_found);
      assert_int_equal(r.verdict, dim == 2 ? balance_stable : balance_mechanism); // it spins about the vertical
      for (uint32_t k = 0; k + 1 < dim; k++) {
        double centre = 0;
        for (uint32_t i = 1; i < 5; i++) centre += r.x[i * dim + k];
        near_to(centre, 0, 1e-9);
      }
      for (uint32_t a = 0; a < 5; a++) { // and it is as it was
        for (uint32_t b = 0; b < a; b++) {
          double sum = 0;
          for (uint32_t k = 0; k < dim; k++) sum += pow(r.x[a * dim + k] - r.x[b * dim + k], 2);
          near_to(sqrt(sum), drawn_length(&s, a, b), 1e-9);
        }
      }
      near_to(r.reaction[dim - 1], 4, 1e-9);
      arena_free(arena);
    }
  }
}

static void a_slider_stays_on_its_line(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 3, 2);
  s.place[3] = 1, s.place[4] = 2, s.place[5] = 3;
  s.fixed[0] = 7;
  const double along[3] = {1, 1, 0}, force[3] = {0, 8, -5};
  memcpy(s.force + 3, force, sizeof force);
  assert_true(structure_add_slider(arena, &s, 1, along));
  add_spring(arena, &s, 0, 1, 4, 0); // without a rest length: 4 x = F along the line
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.verdict, balance_stable);
  near_to(r.x[3], 0.5, 1e-12);
  near_to(r.x[4], 1.5, 1e-12);
  near_to(r.x[5], 3, 1e-12);
  near_to(r.slider_force[0], 4 * 0.5, 1e-9); // what the line brings holds the rest
  near_to(r.slider_force[1], 4 * 1.5 - 8, 1e-9);
  near_to(r.slider_force[2], 4 * 3 + 5, 1e-9);
  arena_free(arena);
}

// A bead on a bar that turns about the origin: a spring of no rest length pulls it to the pivot, its weight along the
// bar; the bar carries a counterweight. With w the weight, W that of the end at length l, k the spring: hanging down, s
// = w / k.
static void a_bead_slides_on_a_bar_that_turns(void **state) {
  (void)state;
  for (uint32_t dim = 2; dim <= 3; dim++) {
    Arena *arena = arena_new();
    Structure s;
    structure_init(arena, &s, dim, 3);
    s.fixed[0] = 7;
    s.place[dim] = 2, s.place[dim + 1] = 0.5;
    s.place[2 * dim] = 1, s.place[2 * dim + 1] = 0.4;
    add_bar(arena, &s, 0, 1, 2);
    assert_true(structure_add_moving_slider(arena, &s, 2, 0, 1));
    add_spring(arena, &s, 0, 2, 10, 0);
    s.force[dim + 1] = -3;
    s.force[2 * dim + 1] = -7;
    BalanceResult r = find(arena, &s, balance_auto);
    assert_int_equal(r.verdict, balance_stable);
    near_to(r.x[dim + 1], -2, 1e-10);
    near_to(r.x[2 * dim], 0, 1e-10);
    near_to(r.x[2 * dim + 1], -0.7, 1e-10);
    near_to(r.bar_force[0], 3, 1e-9);
    arena_free(arena);
  }
}

// A bar on a torsion spring with a load across its end that follows it: k angle = F l, however large the turn.
static void a_load_that_follows_turns_its_bar(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 3);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 2, 0, 0);
  put_node(&s, 2, 1, 0, 3);
  add_bar(arena, &s, 0, 1, 2);
  StructureTorsion torsion = {2, 0, 1, 10, 0};
  StructureFollower load = {.node = 1, .a = 0, .b = 1, .force = {0, 9, 0}, .drawn = {1, 0, 0}};
  vec_push(arena, &s.torsions, torsion);
  vec_push(arena, &s.followers, load);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  assert_false(r.conservative);
  near_to(r.torsion_angle[0], 1.8, 1e-12);
  near_to(r.x[2], 2 * cos(1.8), 1e-12);
  assert_int_equal(notes_of(&r, balance_note_follows), 1);
  arena_free(arena);
}

// Wound up by more than a turn and a half: the angle goes on.
static void angles_go_on_beyond_a_turn(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 3);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 2, 0, 0);
  put_node(&s, 2, 1, 0, 3);
  add_bar(arena, &s, 0, 1, 2);
  StructureTorsion torsion = {2, 0, 1, 10, 0};
  StructureFollower load = {.node = 1, .a = 0, .b = 1, .force = {0, 50, 0}, .drawn = {1, 0, 0}};
  vec_push(arena, &s.torsions, torsion);
  vec_push(arena, &s.followers, load);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  near_to(r.torsion_angle[0], 10, 1e-9);
  near_to(r.x[2], 2 * cos(10), 1e-9);
  arena_free(arena);
}

// ---- what has no load

// Springs and cables that can all be as long as they want: the potential is 0 there, and so is every force.
static void springs_without_a_load_come_to_rest(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 4);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 2, 0, 3);
  put_node(&s, 2, 1.3, -1.9, 0);
  put_node(&s, 3, -0.4, 1.1, 0);
  add_spring(arena, &s, 0, 2, 2431.3, 0.74);
  add_spring(arena, &s, 1, 2, 129.7, 1.7);
  add_spring(arena, &s, 0, 3, 3.3, 1.2);
  StructureSpring cable = {2, 3, 8.5, 1.9, structure_none, true};
  vec_push(arena, &s.springs, cable);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  assert_true(r.potential < 1e-20);
  near_to(hypot(r.x[4], r.x[5]), 0.74, 1e-12);
  near_to(hypot(r.x[4] - 2, r.x[5]), 1.7, 1e-12);
  arena_free(arena);
}

// A torsion spring that is wound up and nothing else: it unwinds to the turn at which it rests.
static void a_torsion_spring_without_a_load_unwinds(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 3);
  put_node(&s, 0, 0, 0, 3);
  put_node(&s, 1, 1, 0, 0);
  put_node(&s, 2, -1, 0, 3);
  add_bar(arena, &s, 0, 1, 1);
  StructureTorsion torsion = {2, 0, 1, 10, 10};
  vec_push(arena, &s.torsions, torsion);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  assert_int_equal(r.verdict, balance_stable);
  near_to(r.torsion_angle[0], 10, 1e-12);
  near_to(r.x[2], cos(10 - 3.14159265358979323846), 1e-12);
  arena_free(arena);
}

// A load that follows its bar along it, on a bar in space that may turn about the line of its load: a mechanism, for
// which Newton's matrix is singular.
static void a_load_that_follows_a_mechanism_balances(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 3, 4);
  s.fixed[0] = 7;
  s.place[5] = -1;
  s.place[6] = 0.3, s.place[8] = -2;
  s.place[9] = 0.9, s.place[11] = -2.2;
  add_bar(arena, &s, 0, 1, 1);
  uint32_t body[] = {1, 2, 3};
  assert_true(structure_add_rigid(arena, &s, body, 3, 0));
  s.force[8] = -20;
  s.force[11] = -5;
  StructureFollower load = {.node = 1, .a = 0, .b = 1, .force = {0, 0, -3}, .drawn = {0, 0, -1}};
  vec_push(arena, &s.followers, load);
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  near_to(r.bar_force[0], 28, 1e-9);
  near_to(r.reaction[2], 28, 1e-9);
  arena_free(arena);
}

// ---- lines that get short

// The forces that act on a node, by hand: bars, springs, loads, and those of the slider on the line from c to d, which
// push across the line and share by the law of the lever. Returns the largest one that is left.
static double left_over(const Structure *s, const BalanceResult *r, uint32_t node, uint32_t c, uint32_t d) {
  double f[9][2] = {{0}}, most = 0, u[2], v[2];
  for (uint32_t i = 0; i < s->nodes; i++) {
    for (uint32_t k = 0; k < 2; k++) f[i][k] = s->force[2 * i + k];
  }
  for (uint32_t i = 0; i < s->bars.count + s->springs.count; i++) {
    bool bar = i < s->bars.count;
    const StructureSpring *spring = bar ? NULL : &s->springs.items[i - s->bars.count];
    uint32_t a = bar ? s->bars.items[i].a : spring->a, b = bar ? s->bars.items[i].b : spring->b;
    double x = r->x[2 * b] - r->x[2 * a], y = r->x[2 * b + 1] - r->x[2 * a + 1], l = hypot(x, y);
    double pull = bar ? r->bar_force[i] : spring->stiffness * (l - spring->length);
    if (!bar && spring->cable) pull = fmax(pull, 0);
    f[a][0] += pull * x / l, f[a][1] += pull * y / l;
    f[b][0] -= pull * x / l, f[b][1] -= pull * y / l;
  }
  for (uint32_t k = 0; k < 2; k++) {
    u[k] = r->x[2 * d + k] - r->x[2 * c + k];
    v[k] = r->x[2 * node + k] - r->x[2 * c + k];
  }
  double square = u[0] * u[0] + u[1] * u[1], part = (u[0] * v[0] + u[1] * v[1]) / square;
  double across = (-u[1] * f[node][0] + u[0] * f[node][1]) / sqrt(square); // what the line has to hold
  double push[2] = {across * u[1] / sqrt(square), -across * u[0] / sqrt(square)};
  for (int k = 0; k < 2; k++) {
    f[node][k] += push[k];
    f[c][k] -= (1 - part) * push[k];
    f[d][k] -= part * push[k];
  }
  for (uint32_t i = 0; i < s->nodes; i++) {
    for (int k = 0; k < 2 && !s->fixed[i]; k++) most = fmax(most, fabs(f[i][k]));
  }
  return most;
}

// The nodes of a moving line come together while a node slides far out on it: what is left along the line acts on them
// by a lever of thousands, so that it has to be that much smaller.
static void what_slides_on_a_short_line_balances(void **state) {
  (void)state;
  static const double places[9][2] = {
      {-0.88277698673578819, 2.3415183859845965}, {-8.1312410588394286, -3.7541757249706169},
      {-7.1860536635944676, 4.5870405589998562},  {-2.4362639963866917, 3.9303828045584632},
      {5.6100988081230545, -4.1499219152721896},  {1.7687749971050615, -5.1134673492176406},
      {-4.4185744973524006, -1.9373749599508394}, {-3.3909634048555155, -1.2127060196103965},
      {-3.8651903269720909, 1.0172483617830841}};
  static const StructureSpring springs[] = {{1, 3, 74.585544217828826, 9.5647897800014903, structure_none, false},
                                            {2, 4, 1377.4190490067265, 1.300738025299699, structure_none, false},
                                            {1, 5, 5.3059608890637255, 0.34851938541554972, structure_none, false},
                                            {3, 6, 673.04662701393977, 0.19205545937778701, structure_none, false},
                                            {5, 8, 10.120079677057999, 0.92987261874539651, structure_none, false},
                                            {3, 5, 8.3665031808130372, 9.9736441956158721, structure_none, false},
                                            {4, 5, 41.840862266912218, 1.7032251113184715, structure_none, false},
                                            {1, 7, 1473.7194856043081, 1.4740998591978007, structure_none, false},
                                            {1, 5, 9.4546976976568775, 0.030771738941196114, structure_none, false},
                                            {3, 4, 1784.9063903266883, 1.2883029540003412, structure_none, true},
                                            {5, 7, 4.3880994336473282, 6.4682949319914256, structure_none, false},
                                            {1, 3, 2996.1894947700462, 9.5647897800014903, structure_none, false}};
  Arena *arena = arena_new();
  Structure s;
  structure_init(arena, &s, 2, 9);
  for (uint32_t i = 0; i < 9; i++) put_node(&s, i, places[i][0], places[i][1], i < 3 ? 3 : 0);
  add_bar(arena, &s, 3, 7, drawn_length(&s, 3, 7));
  add_bar(arena, &s, 0, 8, 3.3519617324839737);
  for (size_t i = 0; i < sizeof springs / sizeof *springs; i++) vec_push(arena, &s.springs, springs[i]);
  assert_true(structure_add_moving_slider(arena, &s, 7, 6, 8));
  s.force[7] = -9.81 * 3.9527278412774041, s.force[9] = -9.81 * 3.7323147054100709,
  s.force[13] = -9.81 * 2.4054501943317024;
  BalanceResult r = find(arena, &s, balance_auto);
  assert_int_equal(r.status, balance_found);
  assert_int_equal(r.verdict, balance_stable);
  assert_true(left_over(&s, &r, 7, 6, 8) <= 1e-6 * r.largest_force);
  arena_free(arena);
}

static void without_springs_a_penalty_has_no_size(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s = pendulum(arena, 1, -1.8);
  BalanceResult r = find(arena, &s, balance_stiffness);
  assert_int_equal(r.status, balance_no_stiffness);
  r = find(arena, &s, balance_penalty);
  assert_int_equal(r.status, balance_no_stiffness);
  arena_free(arena);
}

static bool at_once(void *context) {
  (void)context;
  return true;
}

static void count_step(void *context, const BalanceStep *step) {
  uint32_t *count = context;
  assert_int_equal(step->iteration, ++*count);
  assert_true(isfinite(step->potential));
}

static void it_stops_when_it_is_told_and_tells_every_iteration(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s = pendulum(arena, 1, -1.8);
  BalanceOptions o = balance_defaults(balance_auto);
  o.interrupted = at_once;
  assert_int_equal(balance_find(arena, &s, NULL, &o).status, balance_interrupted);
  uint32_t count = 0;
  o = balance_defaults(balance_auto);
  o.step = count_step;
  o.context = &count;
  BalanceResult r = balance_find(arena, &s, NULL, &o);
  assert_int_equal(r.status, balance_found);
  assert_int_equal(count, r.iterations);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shallow_truss_has_two_stable_states_and_an_unstable_one),
      cmocka_unit_test(a_pendulum_hangs_even_if_it_was_put_upright),
      cmocka_unit_test(a_linkage_without_loads_is_a_mechanism),
      cmocka_unit_test(what_nothing_holds_falls_without_end),
      cmocka_unit_test(lengths_that_contradict_are_named),
      cmocka_unit_test(doubled_bars_share_their_force),
      cmocka_unit_test(parallel_bars_to_a_node_that_slides_hold_it),
      cmocka_unit_test(reactions_hold_all_loads),
      cmocka_unit_test(auto_ends_after_so_many_iterations),
      cmocka_unit_test(a_straight_pair_of_bars_is_singular),
      cmocka_unit_test(a_cable_that_would_push_is_slack),
      cmocka_unit_test(rigid_bodies_hang_below_their_pivot),
      cmocka_unit_test(a_slider_stays_on_its_line),
      cmocka_unit_test(a_bead_slides_on_a_bar_that_turns),
      cmocka_unit_test(a_load_that_follows_turns_its_bar),
      cmocka_unit_test(angles_go_on_beyond_a_turn),
      cmocka_unit_test(springs_without_a_load_come_to_rest),
      cmocka_unit_test(a_torsion_spring_without_a_load_unwinds),
      cmocka_unit_test(a_load_that_follows_a_mechanism_balances),
      cmocka_unit_test(what_slides_on_a_short_line_balances),
      cmocka_unit_test(without_springs_a_penalty_has_no_size),
      cmocka_unit_test(it_stops_when_it_is_told_and_tells_every_iteration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
