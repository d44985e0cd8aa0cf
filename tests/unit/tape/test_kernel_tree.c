// Accelerations of trees of links against equations in ground axes: H z + h = tau with H = sum of J' M J, Jacobians of
// each link's centre of mass and angular velocity, and the accelerations that velocities make. All in complex numbers,
// so that slopes come by the complex step.
#include "tests/unit/tape/kernel_frame.h"

#include "tape/forward.h"

typedef double complex Number;

enum { most_links = 64, most_velocities = 3 * most_links, per_link = 22 };

typedef struct Mechanism {
  Arena *arena;
  KernelLink links[most_links];
  uint32_t count, positions, velocities, turning;
  uint32_t position[most_links], velocity[most_links], sine[most_links];
  double *operands;
  uint32_t operand_count, gravity, number;
  const void *data;
} Mechanism;

// ---- numbers from a seed

static uint64_t seed;

static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

static void rotation_of(const Number *q, Number *m) { // row by row, of a unit quaternion
  Number w = q[0], x = q[1], y = q[2], z = q[3];
  Number all[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
                   2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                   2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  memcpy(m, all, sizeof all);
}

static void unit_quaternion(double *q) {
  double length = 0;
  for (int k = 0; k < 4; k++) {
    q[k] = uniform();
    length += q[k] * q[k];
  }
  for (int k = 0; k < 4; k++) q[k] /= sqrt(length);
}

static void random_numbers(Mechanism *m, uint32_t i, bool massless) {
  double *number = m->operands + m->number + (size_t)per_link * i, q[4];
  Number turn[9], z[4];
  unit_quaternion(q);
  for (int k = 0; k < 4; k++) z[k] = q[k];
  rotation_of(z, turn);
  for (int k = 0; k < 3; k++) number[k] = uniform();
  for (int k = 0; k < 9; k++) number[3 + k] = creal(turn[k]);
  for (int k = 0; k < 9 && m->links[i].straight; k++) number[3 + k] = k % 4 == 0;
  if (m->links[i].straight && m->links[i].joint == kernel_revolute) number[m->links[i].axis] = 0;
  if (massless) return;
  double mass = 1.5 + uniform(), c[3] = {uniform(), uniform(), uniform()};
  double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  number[12] = mass;
  for (int k = 0; k < 3; k++) number[13 + k] = mass * c[k];
  for (int k = 0; k < 3; k++) number[16 + k] = mass * (square - c[k] * c[k]) + 1 + 0.3 * uniform();
  number[19] = -mass * c[0] * c[1] + 0.1 * uniform();
  number[20] = -mass * c[0] * c[2] + 0.1 * uniform();
  number[21] = -mass * c[1] * c[2] + 0.1 * uniform();
}

// The operands of a state; numbers of links stay.
static void random_state(Mechanism *m, double *a) {
  for (uint32_t i = 0; i < m->count; i++) {
    bool ball = m->links[i].joint == kernel_ball;
    if (ball) unit_quaternion(a + m->position[i]);
    else a[m->position[i]] = 3 * uniform();
    for (uint32_t k = 0; k < (ball ? 3u : 1u); k++) {
      a[m->positions + m->velocity[i] + k] = 2 * uniform();
      a[m->positions + m->velocities + m->velocity[i] + k] = 5 * uniform();
    }
    if (m->links[i].joint != kernel_revolute) continue;
    a[m->sine[i]] = sin(a[m->position[i]]);
    a[m->sine[i] + 1] = cos(a[m->position[i]]);
  }
}

// roots: so many links may hang on the ground; every fourth link between others has no mass.
static Mechanism *mechanism_new(uint32_t count, uint32_t roots, uint64_t from) {
  Arena *arena = arena_new();
  Mechanism *m = arena_new_of(arena, Mechanism);
  *m = (Mechanism){.arena = arena, .count = count};
  seed = from;
  bool parent[most_links] = {0};
  for (uint32_t i = 0; i < count; i++) {
    KernelLink *l = &m->links[i];
    double pick = uniform();
    l->parent = i < roots ? 0 : 1 + (uint32_t)(0.5 * (uniform() + 1) * i);
    l->joint = pick < 0 ? kernel_revolute : pick < 0.5 ? kernel_prismatic : kernel_ball;
    l->axis = (uint8_t)((seed >> 40) % 3);
    l->straight = seed >> 47 & 1;
    l->name = arena_printf(arena, "link%u", i);
    if (l->parent) parent[l->parent - 1] = true;
    m->position[i] = m->positions;
    m->velocity[i] = m->velocities;
    m->positions += l->joint == kernel_ball ? 4 : 1;
    m->velocities += l->joint == kernel_ball ? 3 : 1;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (m->links[i].joint == kernel_revolute) m->sine[i] = m->positions + 2 * m->velocities + 2 * m->turning++;
  }
  m->gravity = m->positions + 2 * m->velocities + 2 * m->turning;
  m->number = m->gravity + 3;
  m->operand_count = m->number + per_link * count;
  m->operands = arena_array(arena, m->operand_count, sizeof *m->operands);
  for (int k = 0; k < 3; k++) m->operands[m->gravity + (uint32_t)k] = 9 * uniform();
  for (uint32_t i = 0; i < count; i++) random_numbers(m, i, parent[i] && i % 4 == 1);
  random_state(m, m->operands);
  m->data = kernel_tree_plan(arena, &(KernelTree){m->links, count});
  assert_non_null(m->data);
  return m;
}

// A chain at rest, straight down: links about y, one below the other.
static Mechanism *chain_new(uint32_t count) {
  Arena *arena = arena_new();
  Mechanism *m = arena_new_of(arena, Mechanism);
  *m = (Mechanism){.arena = arena, .count = count, .positions = count, .velocities = count, .turning = count};
  m->gravity = 5 * count;
  m->number = m->gravity + 3;
  m->operand_count = m->number + per_link * count;
  m->operands = arena_array(arena, m->operand_count, sizeof *m->operands);
  m->operands[m->gravity + 2] = -9.81;
  for (uint32_t i = 0; i < count; i++) {
    m->links[i] = (KernelLink){.parent = i, .joint = kernel_revolute, .axis = 1, .straight = true, .name = "link"};
    m->position[i] = m->velocity[i] = i;
    m->sine[i] = 3 * count + 2 * i;
    m->operands[m->sine[i] + 1] = 1;
    double *number = m->operands + m->number + (size_t)per_link * i;
    const double mass = 2, half = 0.5;
    number[2] = i ? -2 * half : 0;
    for (int k = 0; k < 3; k++) number[3 + 4 * k] = 1;
    number[12] = mass;
    number[15] = -mass * half;
    number[16] = number[17] = mass * half * half + 0.1;
    number[18] = 0.1;
  }
  m->data = kernel_tree_plan(arena, &(KernelTree){m->links, count});
  assert_non_null(m->data);
  return m;
}

// ---- the reference

typedef struct Posture { // of a link, in ground axes
  Number turn[9];        // from the link to the ground, row by row
  Number origin[3], w[3], acceleration[3], alpha[3];
  Number along[3][3]; // directions of its joint
} Posture;

static void cross(const Number *a, const Number *b, Number *out) {
  Number c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  memcpy(out, c, sizeof c);
}

static void apply(const Number *m, const Number *a, Number *out) {
  for (int i = 0; i < 3; i++) out[i] = m[3 * i] * a[0] + m[3 * i + 1] * a[1] + m[3 * i + 2] * a[2];
}

static void product(const Number *a, const Number *b, Number *out) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) out[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
  }
}

// Where a link is and how it moves if no joint accelerates.
static void place_link(const Mechanism *m, uint32_t i, const Number *a, Posture *places) {
  const KernelLink *l = &m->links[i];
  const Number *number = a + m->number + (size_t)per_link * i, *q = a + m->position[i],
               *v = a + m->positions + m->velocity[i];
  Posture *p = &places[i], ground = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const Posture *up = l->parent ? &places[l->parent - 1] : &ground;
  Number back[9], joint[9], way[3], spin[3] = {0}, slide[3] = {0}, own[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  uint32_t x = l->axis, y = (x + 1) % 3, z = (x + 2) % 3;
  for (int k = 0; k < 9; k++) back[k] = number[3 + 3 * (k % 3) + k / 3];
  product(up->turn, back, joint);
  if (l->joint == kernel_revolute) {
    own[4 * y] = own[4 * z] = a[m->sine[i] + 1];
    own[3 * z + y] = a[m->sine[i]];
    own[3 * y + z] = -own[3 * z + y];
  } else if (l->joint == kernel_ball) {
    rotation_of(q, own);
  }
  product(joint, own, p->turn);
  for (int k = 0; k < 9; k++) p->along[k % 3][k / 3] = p->turn[k];
  for (int k = 0; k < 3 && l->joint != kernel_ball; k++) p->along[0][k] = p->turn[3 * k + (int)x];
  apply(up->turn, number, way);
  for (int k = 0; k < 3; k++) {
    if (l->joint == kernel_prismatic) way[k] += p->along[0][k] * q[0], slide[k] = p->along[0][k] * v[0];
    if (l->joint == kernel_revolute) spin[k] = p->along[0][k] * v[0];
    if (l->joint == kernel_ball) spin[k] = p->along[0][k] * v[0] + p->along[1][k] * v[1] + p->along[2][k] * v[2];
  }
  Number turned[3], inner[3], outer[3], slid[3], spun[3];
  cross(up->alpha, way, turned);
  cross(up->w, way, inner);
  cross(up->w, inner, outer);
  cross(up->w, slide, slid);
  cross(up->w, spin, spun);
  for (int k = 0; k < 3; k++) {
    p->origin[k] = up->origin[k] + way[k];
    p->w[k] = up->w[k] + spin[k];
    p->alpha[k] = up->alpha[k] + spun[k];
    p->acceleration[k] = up->acceleration[k] + turned[k] + outer[k] + 2 * slid[k];
  }
}

// Adds a link to H (n x n) and to h.
static void add_link(const Mechanism *m, uint32_t i, const Number *a, const Posture *places, Number *H, Number *h) {
  const Number *number = a + m->number + (size_t)per_link * i;
  const Posture *p = &places[i];
  uint32_t n = m->velocities;
  Number Jv[most_velocities][3] = {{0}}, Jw[most_velocities][3] = {{0}}, c[3], com[3], mass = number[12];
  if (mass == 0) return;
  for (int k = 0; k < 3; k++) c[k] = number[13 + k] / mass;
  apply(p->turn, c, com);
  for (uint32_t j = i + 1; j; j = m->links[j - 1].parent) {
    const KernelLink *l = &m->links[j - 1];
    Number arm[3];
    for (int k = 0; k < 3; k++) arm[k] = p->origin[k] + com[k] - places[j - 1].origin[k];
    for (uint32_t k = 0; k < (l->joint == kernel_ball ? 3u : 1u); k++) {
      uint32_t column = m->velocity[j - 1] + k;
      if (l->joint == kernel_prismatic) memcpy(Jv[column], places[j - 1].along[k], sizeof Jv[0]);
      else cross(memcpy(Jw[column], places[j - 1].along[k], sizeof Jw[0]), arm, Jv[column]);
    }
  }
  // the inertia about the centre of mass, in ground axes
  Number tensor[9], half[9], J[9], turn_back[9], square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  static const int at[9] = {16, 19, 20, 19, 17, 21, 20, 21, 18};
  for (int k = 0; k < 9; k++) {
    tensor[k] = number[at[k]] + mass * c[k / 3] * c[k % 3] - (k % 4 ? 0 : mass * square);
    turn_back[k] = p->turn[3 * (k % 3) + k / 3];
  }
  product(p->turn, tensor, half);
  product(half, turn_back, J);
  // force and torque at the accelerations that velocities make
  Number turned[3], inner[3], outer[3], spin[3], whirl[3], torque[3], force[3];
  cross(p->alpha, com, turned);
  cross(p->w, com, inner);
  cross(p->w, inner, outer);
  apply(J, p->w, spin);
  cross(p->w, spin, whirl);
  apply(J, p->alpha, torque);
  for (int k = 0; k < 3; k++) {
    torque[k] += whirl[k];
    force[k] = mass * (p->acceleration[k] + turned[k] + outer[k] - a[m->gravity + (uint32_t)k]);
  }
  for (uint32_t j = 0; j < n; j++) {
    Number JJ[3];
    apply(J, Jw[j], JJ);
    for (int k = 0; k < 3; k++) h[j] += Jv[j][k] * force[k] + Jw[j][k] * torque[k];
    for (uint32_t k = 0; k < n; k++) {
      for (int d = 0; d < 3; d++) H[k * n + j] += mass * Jv[k][d] * Jv[j][d] + Jw[k][d] * JJ[d];
    }
  }
}

static void solve(Number *H, Number *b, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = k + 1; i < n; i++) {
      Number part = H[i * n + k] / H[k * n + k];
      for (uint32_t j = k; j < n; j++) H[i * n + j] -= part * H[k * n + j];
      b[i] -= part * b[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; j++) b[k] -= H[k * n + j] * b[j];
    b[k] /= H[k * n + k];
  }
}

static void reference(const Mechanism *m, const Number *a, Number *z) {
  Posture *places = calloc(m->count, sizeof *places);
  uint32_t n = m->velocities;
  Number *H = calloc((size_t)n * n, sizeof *H), *h = calloc(n, sizeof *h);
  for (uint32_t i = 0; i < m->count; i++) place_link(m, i, a, places);
  for (uint32_t i = 0; i < m->count; i++) add_link(m, i, a, places, H, h);
  for (uint32_t i = 0; i < n; i++) z[i] = a[m->positions + n + i] - h[i];
  solve(H, z, n);
  free(places);
  free(H);
  free(h);
}

// ---- the tests

static void close_to(const char *what, uint32_t i, double found, double expected, double size, double allowed) {
  if (!(fabs(found - expected) <= allowed * (1 + size)))
    fail_msg("%s %u: %.17g against %.17g of %.3g", what, i, found, expected, size);
}

static void accelerations_are_those_of_equations_in_ground_axes(void **state) {
  (void)state;
  for (uint64_t s = 1; s <= 60; s++) {
    Mechanism *m = mechanism_new(1 + (uint32_t)(s % 12), 1 + (uint32_t)(s % 3), s);
    Number a[1000], z[most_velocities];
    double found[most_velocities], size = 0;
    for (uint32_t i = 0; i < m->operand_count; i++) a[i] = m->operands[i];
    reference(m, a, z);
    frame_eval(frame_tape(m->arena, &kernel_tree, m->data, m->operand_count), m->operands, found);
    for (uint32_t i = 0; i < m->velocities; i++) size = fmax(size, fabs(creal(z[i])));
    for (uint32_t i = 0; i < m->velocities; i++) close_to("acceleration", i, found[i], creal(z[i]), size, 1e-10);
    arena_free(m->arena);
  }
}

// A direction in which the operands of a link move: one of them, or of a quaternion one that keeps its length.
static uint32_t direction_of(const Mechanism *m, uint32_t operand, double change[4]) {
  uint32_t i = m->count;
  while (i-- > 0 && m->position[i] > operand) {
  }
  change[0] = 1;
  if (operand >= m->positions || m->links[i].joint != kernel_ball) return operand;
  const double *q = m->operands + m->position[i];
  uint32_t part = operand - m->position[i];
  for (uint32_t k = 0; k < 4; k++) change[k] = (part == k) - q[part] * q[k];
  return m->position[i];
}

// How the accelerations of the reference change, by the complex step.
static void reference_slopes(const Mechanism *m, uint32_t first, const double *change, double *d) {
  const double tiny = 1e-40;
  Number a[1000], z[most_velocities];
  for (uint32_t i = 0; i < m->operand_count; i++) a[i] = m->operands[i];
  for (uint32_t k = 0; k < 4; k++) a[first + k] += I * tiny * change[k];
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->links[i].joint != kernel_revolute || m->position[i] != first) continue;
    double sine = creal(a[m->sine[i]]), cosine = creal(a[m->sine[i] + 1]);
    a[m->sine[i]] += I * tiny * cosine;
    a[m->sine[i] + 1] -= I * tiny * sine;
  }
  reference(m, a, z);
  for (uint32_t i = 0; i < m->velocities; i++) d[i] = cimag(z[i]) / tiny;
}

static double slope_at(TapePattern p, const double *slopes, uint32_t result, uint32_t operand) {
  for (uint32_t k = p.start[result]; k < p.start[result + 1]; k++) {
    if (p.argument[k] == operand) return slopes[k];
  }
  return 0;
}

static void slopes_are_exact_and_their_pattern_holds_all_of_them(void **state) {
  (void)state;
  for (uint64_t s = 1; s <= 30; s++) {
    Mechanism *m = mechanism_new(1 + (uint32_t)(s % 9), 1 + (uint32_t)(s % 3), 100 + s);
    const Tape *t = frame_tape(m->arena, kernel_tree.slopes, m->data, m->operand_count);
    TapePattern p = kernel_tree.pattern(m->data);
    uint32_t n = m->velocities, moving = m->positions + 2 * n;
    assert_int_equal(t->output_count, p.start[n]);
    double *slopes = arena_array(m->arena, (size_t)p.start[n] + 1, sizeof *slopes), d[most_velocities];
    frame_eval(t, m->operands, slopes);
    for (uint32_t j = 0; j < moving; j++) {
      double size = 0, change[4] = {0};
      uint32_t first = direction_of(m, j, change);
      reference_slopes(m, first, change, d);
      for (uint32_t i = 0; i < n; i++) size = fmax(size, fabs(d[i]));
      for (uint32_t i = 0; i < n; i++) {
        double found = 0;
        for (uint32_t k = 0; k < 4; k++) {
          if (change[k] != 0) found += change[k] * slope_at(p, slopes, i, first + k);
        }
        close_to("slope", i, found, d[i], size, 1e-9);
      }
    }
    arena_free(m->arena);
  }
}

// Far from a joint its slopes fall like a power of the distance, and so must their rounding. At rest, straight down,
// accelerations are linear in small angles, and an odd function of them: their values have all digits, however small.
static void slopes_are_exact_far_from_a_joint(void **state) {
  (void)state;
  const double angle = 1e-6;
  const uint32_t pushed[] = {0, 1, 5, 12};
  Mechanism *m = chain_new(most_links);
  uint32_t n = m->velocities;
  TapePattern p = kernel_tree.pattern(m->data);
  double *slopes = arena_array(m->arena, (size_t)p.start[n] + 1, sizeof *slopes), z[most_velocities];
  frame_eval(frame_tape(m->arena, kernel_tree.slopes, m->data, m->operand_count), m->operands, slopes);
  const Tape *t = frame_tape(m->arena, &kernel_tree, m->data, m->operand_count);
  double smallest = INFINITY;
  for (size_t k = 0; k < sizeof pushed / sizeof *pushed; k++) {
    uint32_t j = pushed[k];
    m->operands[j] = angle;
    m->operands[m->sine[j]] = sin(angle);
    m->operands[m->sine[j] + 1] = cos(angle);
    frame_eval(t, m->operands, z);
    m->operands[j] = m->operands[m->sine[j]] = 0;
    m->operands[m->sine[j] + 1] = 1;
    for (uint32_t i = 0; i < n; i++) {
      double found = slope_at(p, slopes, i, j), expected = z[i] / angle;
      if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("slope %u by %u: %.17g against %.17g", i, j, found, expected);
      smallest = fmin(smallest, fabs(expected) / fabs(z[j] / angle));
    }
  }
  assert_true(smallest < 1e-18); // else the test would say little
  arena_free(m->arena);
}

// Along a quaternion its length changes, which no motion does: slopes are those of the text all the same.
static void slopes_by_a_quaternion_are_those_of_differences(void **state) {
  (void)state;
  Mechanism *m = mechanism_new(9, 1, 3);
  const Tape *t = frame_tape(m->arena, &kernel_tree, m->data, m->operand_count);
  TapePattern p = kernel_tree.pattern(m->data);
  double *slopes = arena_array(m->arena, p.start[m->velocities], sizeof *slopes), high[most_velocities],
         low[most_velocities], h = 1e-5;
  frame_eval(frame_tape(m->arena, kernel_tree.slopes, m->data, m->operand_count), m->operands, slopes);
  uint32_t balls = 0;
  for (uint32_t j = 0; j < m->count; j++) {
    for (uint32_t k = 0; m->links[j].joint == kernel_ball && k < 4; k++, balls++) {
      double *q = m->operands + m->position[j] + k, was = *q;
      *q = was + h;
      frame_eval(t, m->operands, high);
      *q = was - h;
      frame_eval(t, m->operands, low);
      *q = was;
      for (uint32_t i = 0; i < m->velocities; i++) {
        double slope = slope_at(p, slopes, i, m->position[j] + k);
        close_to("slope", i, (high[i] - low[i]) / (2 * h), slope, fabs(slope), 1e-6);
      }
    }
  }
  assert_true(balls > 0);
  arena_free(m->arena);
}

// Forward mode: one direction an operand; the angle of a revolute joint moves alone, with its slope for all.
static void rates_are_the_slopes(void **state) {
  (void)state;
  Mechanism *m = mechanism_new(9, 2, 7);
  const Tape *t = frame_tape(m->arena, &kernel_tree, m->data, m->operand_count);
  TapePattern p = kernel_tree.pattern(m->data);
  uint32_t n = m->velocities, moving = m->positions + 2 * n;
  double *slopes = arena_array(m->arena, p.start[n], sizeof *slopes),
         *rates = arena_array(m->arena, (size_t)n * moving, sizeof *rates),
         *w = arena_array(m->arena, t->slot_count, sizeof *w);
  frame_eval(frame_tape(m->arena, kernel_tree.slopes, m->data, m->operand_count), m->operands, slopes);
  memcpy(w, m->operands, m->operand_count * sizeof *w);
  assert_true(tape_forward(m->arena, t, w, 0, moving, rates));
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = p.start[i];
    for (uint32_t j = 0; j < moving; j++) {
      bool is_in = k < p.start[i + 1] && p.argument[k] == j;
      assert_true(rates[(size_t)i * moving + j] == (is_in ? slopes[k] : 0));
      k += is_in;
    }
  }
  arena_free(m->arena);
}

static void all_back_ends_have_the_same_bits(void **state) {
  (void)state;
  for (uint64_t s = 1; s <= 3; s++) {
    Mechanism *m = mechanism_new(10, 2, 50 + s);
    const Tape *t = frame_tape(m->arena, &kernel_tree, m->data, m->operand_count),
               *slopes = frame_tape(m->arena, kernel_tree.slopes, m->data, m->operand_count);
    double *in = arena_array(m->arena, (size_t)lane_count * m->operand_count, sizeof *in);
    for (uint32_t l = 0; l < lane_count; l++) {
      memcpy(in + (size_t)l * m->operand_count, m->operands, m->operand_count * sizeof *in);
      random_state(m, in + (size_t)l * m->operand_count);
    }
    frame_lanes(m->arena, t, in);
    frame_native(m->arena, t, in);
    frame_export(m->arena, t, in);
    frame_lanes(m->arena, slopes, in);
    frame_export(m->arena, slopes, in);
    arena_free(m->arena);
  }
}

// The last link is a leaf: without mass nothing holds its joint.
static void a_leaf_without_mass_is_named(void **state) {
  (void)state;
  for (uint64_t s = 1; s <= 6; s++) {
    Mechanism *m = mechanism_new(5, 1, 20 + s);
    const Tape *t = frame_tape(m->arena, &kernel_tree, m->data, m->operand_count);
    double *w = arena_array(m->arena, t->slot_count, sizeof *w);
    double *lanes = arena_array(m->arena, (size_t)lane_count * m->operand_count, sizeof *lanes);
    for (uint32_t l = 0; l < lane_count; l++) // lanes beside it have their accelerations
      memcpy(lanes + (size_t)l * m->operand_count, m->operands, m->operand_count * sizeof *w);
    memset(m->operands + m->number + (size_t)per_link * 4 + 12, 0, 10 * sizeof *m->operands);
    memcpy(lanes + (size_t)3 * m->operand_count, m->operands, m->operand_count * sizeof *w);
    frame_lanes(m->arena, t, lanes);
    memcpy(w, m->operands, m->operand_count * sizeof *w);
    tape_prepare(t, w);
    TapeFault fault = tape_diagnose(t, w);
    double z[most_velocities];
    frame_eval(t, m->operands, z);
    assert_true(fault.found && isnan(z[0]));
    assert_string_equal(fault.what, "nothing behind the joint of link4 has inertia");
    arena_free(m->arena);
  }
}

// The work of a link does not grow with their number.
static void work_is_that_of_the_links(void **state) {
  (void)state;
  Mechanism *few = mechanism_new(3, 1, 5), *many = mechanism_new(24, 1, 5);
  assert_int_equal(kernel_tree.work(many->data), 8 * kernel_tree.work(few->data));
  arena_free(few->arena);
  arena_free(many->arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_are_those_of_equations_in_ground_axes),
      cmocka_unit_test(slopes_are_exact_and_their_pattern_holds_all_of_them),
      cmocka_unit_test(slopes_are_exact_far_from_a_joint),
      cmocka_unit_test(slopes_by_a_quaternion_are_those_of_differences),
      cmocka_unit_test(rates_are_the_slopes),
      cmocka_unit_test(all_back_ends_have_the_same_bits),
      cmocka_unit_test(a_leaf_without_mass_is_named),
      cmocka_unit_test(work_is_that_of_the_links),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
