// Each line of ops.def says what is true: smoothness, guard and side, parity, answer, seen from values around every
// point of a lattice, where all guards have zeros. The check can fail: false lines are refused.
#include "tests/support.h"

#include "expr/ops.h"

static Arena *arena;
static ExprPool pool;
static SymbolId symbols[2];

static int setup(void **state) {
  (void)state;
  arena = arena_new();
  pool_init(&pool, arena);
  symbols[0] = pool_symbol(&pool, "a", sym_coord, 0, 0);
  symbols[1] = pool_symbol(&pool, "b", sym_coord, 1, 0);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  arena_free(arena);
  return 0;
}

#define M(f) f
static double value(ExprOp op, double a, double b, double c) {
  (void)a, (void)b, (void)c;
  switch ((int)op) {
#define OP(name, arity, v, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                         \
  case op_##name:                                                                                                      \
    return v;
#include "expr/ops.def"
#undef OP
  default: return NAN;
  }
}

static double complex symbol_value(SymbolId symbol, void *context) {
  const double *x = context;
  return x[symbol == symbols[1]];
}

// The guard of a line at (a, b).
static double guard(ExprOp op, double a, double b) {
  ExprId args[2] = {expr_sym(&pool, symbols[0]), expr_sym(&pool, symbols[1])};
  double x[2] = {a, b};
  return creal(eval_complex(&pool, expr_guard(&pool, op, args), symbol_value, x));
}

// What is seen of f(x + s u) at s = 0.
typedef struct Seen {
  double at, below, above; // the value, and its limits from both sides
  bool jump, corner;
} Seen;

static Seen look(ExprOp op, double a, double b, double ua, double ub) {
  const double h = 1e-5;
  Seen s = {.at = value(op, a, b, 0),
            .below = value(op, a - h * ua, b - h * ub, 0),
            .above = value(op, a + h * ua, b + h * ub, 0)};
  double scale = 1 + fabs(s.at);
  s.jump = fabs(s.at - s.below) > 1e-2 * scale || fabs(s.at - s.above) > 1e-2 * scale;
  s.corner = !s.jump && fabs(s.above - 2 * s.at + s.below) > 0.1 * h * scale;
  return s;
}

static bool side_is_right(const OpInfo *line, ExprOp op, double a, double b, double ua, double ub, Seen s) {
  // with growing s the guard grows, or falls
  double h = 1e-5, before = guard(op, a - h * ua, b - h * ub), after = guard(op, a + h * ua, b + h * ub);
  double low = after > before ? s.below : s.above, high = after > before ? s.above : s.below;
  bool is_low = fabs(s.at - low) < 1e-3, is_high = fabs(s.at - high) < 1e-3;
  switch (line->switching) {
  case switching_above: return is_low && !is_high;
  case switching_from: return is_high && !is_low;
  case switching_whole: return is_high; // of a negative divisor both sides are the same but for the sign
  case switching_sides: return !is_low && !is_high && fabs(low - high) > 1e-3;
  case switching_point: return !is_low && !is_high && fabs(low - high) < 1e-3;
  default: return false;
  }
}

// One point: a corner or jump is there just where the guard says so.
static bool point_is_right(const OpInfo *line, ExprOp op, double a, double b) {
  bool guarded = line->low != part_none, jump = false, corner = false, sides = true;
  double g = guarded ? guard(op, a, b) : 1;
  if (!isfinite(value(op, a, b, 0)) || !isfinite(g)) return true;
  bool here = guarded && (line->switching == switching_whole ? g == floor(g) : g == 0);
  for (int u = 0; u < line->arity; u++) {
    Seen s = look(op, a, b, u == 0, u == 1);
    if (!isfinite(s.below) || !isfinite(s.above)) continue;
    jump = jump || s.jump;
    corner = corner || s.corner;
    if (s.jump && here) sides = sides && side_is_right(line, op, a, b, u == 0, u == 1, s);
  }
  if (!here) return !jump && !corner;
  return line->smoothness == smoothness_jump ? jump && sides : line->smoothness == smoothness_corner && corner && !jump;
}

static bool parity_is_right(const OpInfo *line, ExprOp op) {
  bool odd = true, even = true;
  for (double x = 0.125; x < 1; x += 0.0625) {
    double f = value(op, x, 0, 0), g = value(op, -x, 0, 0);
    odd = odd && g == -f;
    even = even && g == f;
  }
  if (line->arity != 1 || line->truth) return line->parity == parity_none; // of numbers only
  return line->parity == (odd ? parity_odd : even ? parity_even : parity_none);
}

static bool truth_is_right(const OpInfo *line, ExprOp op) {
  for (double a = -2; a <= 2; a += 0.5) {
    for (double b = -2; b <= 2; b += 0.5) {
      double f = value(op, a, b, 0.25);
      if (line->truth && f != 0 && f != 1) return false;
      // and, or, not, if ask for nothing but the truth of what they switch by
      bool choice = line->switching == switching_choice;
      if (line->switching == switching_truth && f != value(op, a != 0, b != 0, 0)) return false;
      if (choice && f != (a != 0 ? b : 0.25)) return false;
    }
  }
  return true;
}

// Poles and ends of domains are no places to look at; the cut of atan2 is no jump of the angle.
static bool left_out(ExprOp op, double a, double b) {
  if (op == op_asin || op == op_acos) return fabs(a) >= 1;
  if (op == op_ln || op == op_log10) return a <= 0;
  if (op == op_atan2) return a == 0 && b <= 0;
  return op == op_mod && b == 0;
}

static bool line_is_right(const OpInfo *line, ExprOp op) {
  if (!parity_is_right(line, op) || !truth_is_right(line, op)) return false;
  if (line->switching == switching_truth || line->switching == switching_choice) return true;
  if ((line->smoothness == smoothness_smooth) != (line->switching == switching_never)) return false;
  for (double a = -2; a <= 2; a += 0.25) {
    for (double b = -2; b <= 2; b += 0.25) {
      if (left_out(op, a, b)) continue;
      if (!point_is_right(line, op, a, line->arity > 1 ? b : 0)) {
        if (line == expr_op_info(op)) print_message("%s at (%g, %g)\n", line->name, a, b);
        return false;
      }
    }
  }
  return true;
}

static void every_line_is_true(void **state) {
  (void)state;
  // the values of an impulse, 0 everywhere, do not tell what it is: runs with it have tests of their own
  for (ExprOp op = op_sin; op < op_count; op++) assert_true(op == op_impulse || line_is_right(expr_op_info(op), op));
}

static void false_lines_are_refused(void **state) {
  (void)state;
  for (ExprOp op = op_sin; op < op_count; op++) {
    if (op == op_impulse) continue;
    const OpInfo *line = expr_op_info(op);
    bool logic = line->switching == switching_truth || line->switching == switching_choice;
    for (OpParity p = parity_none; p <= parity_even; p++) {
      OpInfo other = *line;
      other.parity = p;
      if (p != line->parity) assert_false(line_is_right(&other, op));
    }
    for (OpSmoothness s = smoothness_smooth; s <= smoothness_jump && !logic; s++) {
      OpInfo other = *line;
      other.smoothness = s;
      if (s != line->smoothness) assert_false(line_is_right(&other, op));
    }
    // of what jumps also the side
    for (OpSwitching w = switching_above; w <= switching_point; w++) {
      OpInfo other = *line;
      other.switching = w;
      if (line->smoothness == smoothness_jump && !logic && w != line->switching)
        assert_false(line_is_right(&other, op));
    }
  }
}

// What has rules of its own is no elementary function, and what takes no rules is raw.
static void forms_are_made_as_they_say(void **state) {
  (void)state;
  assert_int_equal(expr_op_info(op_add)->making, making_own);
  assert_int_equal(expr_op_info(op_mul)->making, making_own);
  for (ExprOp op = op_noise; op <= op_inverse; op++) assert_true(expr_op_is_raw(op));
  for (ExprOp op = op_sin; op < op_count; op++) assert_false(expr_op_is_raw(op));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_line_is_true, setup, teardown),
      cmocka_unit_test_setup_teardown(false_lines_are_refused, setup, teardown),
      cmocka_unit_test(forms_are_made_as_they_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
