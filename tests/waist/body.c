// A rigid body that turns freely.
//
// in    parameters body.Jxx body.Jyy body.Jzz body.Jxy body.Jxz body.Jyz (inertia), body.wx body.wy body.wz (rates at
// the
//       start)
// out   four positions, the unit quaternion q from body to space, and three velocities, the rates w in the body:
//         q' = 1/2 q (0, w)       J w' + w x (J w) = 0
//       the invariant |q|^2; kinetic energy 1/2 w.Jw; signals L.x L.y L.z, the angular momentum in space, q (J w) q*
//
// More positions than velocities: the states carry them, with roles, and w' is solved for as a block.
#include "form/form.h"

#include <string.h>

enum { q_count = 4, w_count = 3 };

static ExprId param(const System *s, const char *name) {
  for (uint32_t i = 0; i < s->params.count; i++) {
    if (strcmp(s->params.items[i].name, name) == 0) return expr_sym(s->pool, s->params.items[i].symbol);
  }
  return 0;
}

// Where its states begin.
static uint32_t first_state(const System *s) {
  uint32_t i = 0;
  while (strcmp(s->states.items[i].name, "q0") != 0) i++;
  return i;
}

static bool body_add(System *s) {
  static const char *const names[] = {"q0", "q1", "q2", "q3", "wx", "wy", "wz"};
  static const char *const rates[] = {"q0'", "q1'", "q2'", "q3'", "wx'", "wy'", "wz'"};
  static const char *const starts[] = {"body.wx", "body.wy", "body.wz"};
  if (!param(s, "body.Jxx")) return true;
  for (uint32_t i = 0; i < q_count + w_count; i++) {
    bool turns = i >= q_count;
    uint32_t index = s->states.count;
    SystemState x = {.x = pool_symbol(s->pool, names[i], sym_state, index, 0),
                     .rate = pool_symbol(s->pool, rates[i], sym_state_rate, index, 1),
                     .name = names[i],
                     .x0 = turns ? param(s, starts[i - q_count])
                           : i   ? s->pool->zero
                                 : s->pool->one,
                     .role = turns ? state_velocity : state_position,
                     .implicit = turns};
    if (!vec_push(s->arena, &s->states, x)) return false;
  }
  return true;
}

// sum of sign * a * b
static ExprId products(ExprPool *p, const int *signs, const ExprId (*pairs)[2], uint32_t count, Rat factor) {
  Term terms[6];
  for (uint32_t i = 0; i < count; i++)
    terms[i] = (Term){signs[i] < 0 ? rat_int(-1) : RAT_ONE, expr_mul(p, pairs[i][0], pairs[i][1])};
  return expr_scale(p, factor, expr_sum(p, terms, count));
}

// The product of two quaternions.
static void multiply(ExprPool *p, const ExprId *a, const ExprId *b, Rat factor, ExprId *out) {
  static const int signs[4][4] = {{1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}};
  static const int other[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  for (int i = 0; i < 4; i++) {
    ExprId pairs[4][2];
    for (int k = 0; k < 4; k++) {
      pairs[k][0] = a[k];
      pairs[k][1] = b[other[i][k]];
    }
    out[i] = products(p, signs[i], (const ExprId(*)[2])pairs, 4, factor);
  }
}

static void cross(ExprPool *p, const ExprId *a, const ExprId *b, ExprId *out) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = expr_sub(p, expr_mul(p, a[j], b[k]), expr_mul(p, a[k], b[j]));
  }
}

static bool fill_signals(System *s, const ExprId *q, const ExprId *L) {
  static const char *const names[] = {"L.x", "L.y", "L.z"};
  ExprPool *p = s->pool;
  ExprId turned[4], back[4], body[4] = {p->zero, L[0], L[1], L[2]};
  ExprId inverse[4] = {q[0], expr_neg(p, q[1]), expr_neg(p, q[2]), expr_neg(p, q[3])};
  multiply(p, q, body, RAT_ONE, turned);
  multiply(p, turned, inverse, RAT_ONE, back);
  for (int i = 0; i < 3; i++) vec_push(s->arena, &s->signals, (SystemOutput){.name = names[i], .value = back[1 + i]});
  return !arena_failed(s->arena);
}

static bool fill_block(System *s, const ExprId *J, const ExprId *turning, uint32_t origin) {
  Block b = {.count = w_count, .symmetric = true};
  uint32_t first = first_state(s);
  b.unknowns = arena_array(s->arena, w_count, sizeof *b.unknowns);
  b.rhs = arena_array(s->arena, w_count, sizeof *b.rhs);
  b.origins = arena_array(s->arena, w_count, sizeof *b.origins);
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < w_count; i++) {
    b.unknowns[i] = s->states.items[first + q_count + i].rate;
    b.rhs[i] = turning[i];
    b.origins[i] = origin;
  }
  return block_from_dense(s->arena, s->pool, &b, J) && vec_push(s->arena, &s->blocks, b);
}

static bool body_fill(System *s) {
  static const char *const entries[] = {"body.Jxx", "body.Jxy", "body.Jxz", "body.Jxy", "body.Jyy",
                                        "body.Jyz", "body.Jxz", "body.Jyz", "body.Jzz"};
  ExprPool *p = s->pool;
  if (!param(s, "body.Jxx")) return true;
  ExprId q[q_count], w[q_count] = {p->zero}, J[9], L[3], turning[3], rate[4], squares[4][2], energy[3][2];
  static const int plus[] = {1, 1, 1, 1};
  uint32_t first = first_state(s);
  for (uint32_t i = 0; i < q_count; i++)
    squares[i][0] = squares[i][1] = q[i] = expr_sym(p, s->states.items[first + i].x);
  for (uint32_t i = 0; i < w_count; i++) w[1 + i] = expr_sym(p, s->states.items[first + q_count + i].x);
  for (uint32_t i = 0; i < 9; i++) J[i] = param(s, entries[i]);
  for (uint32_t i = 0; i < 3; i++) {
    ExprId pairs[3][2] = {{J[3 * i], w[1]}, {J[3 * i + 1], w[2]}, {J[3 * i + 2], w[3]}};
    L[i] = products(p, plus, (const ExprId(*)[2])pairs, 3, RAT_ONE);
    energy[i][0] = w[1 + i];
    energy[i][1] = L[i];
  }
  multiply(p, q, w, rat_make(s->arena, 1, 2), rate);
  for (uint32_t i = 0; i < q_count; i++) s->f[first + i] = s->states.items[first + i].rhs = rate[i];
  cross(p, w + 1, L, turning);
  s->energy.kept = true;
  s->energy.stored = s->energy.kinetic = products(p, plus, (const ExprId(*)[2])energy, 3, rat_make(s->arena, 1, 2));
  ExprId length = products(p, plus, (const ExprId(*)[2])squares, 4, RAT_ONE);
  return vec_push(s->arena, &s->invariants, (Invariant){.name = "|q|^2", .value = length}) && fill_signals(s, q, L) &&
         fill_block(s, J, turning, system_origin(s, (Span){0}, "the body", 0));
}

const Formulation body_formulation = {.add = body_add, .fill = body_fill};
