// The choices of branches of algebraic loops. See loop_choices.h.
#include "hybrid/loop_choices.h"

#include "hybrid/zero_set.h"

#include <math.h>

// Whole numbers beside the middle that are tried for `floor`: two solutions of a loop that is affine in one `floor` are
// closer than 1/|gain - 1|.
enum { whole_reach = 8 };

static uint32_t values_of(uint8_t kind) {
  return kind == branch_whole ? 2 * whole_reach + 1 : kind == branch_sign ? 3 : 2;
}

uint32_t loop_choice_count(const InstantPlan *p, uint32_t loop) {
  uint32_t count = 1;
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++) {
    count *= values_of(p->kind[p->loop_guards[k]]);
    if (count > loop_most_choices) return 0;
  }
  return count;
}

void loop_take_choice(const InstantPlan *p, uint32_t loop, uint32_t number, const double *middle, double *branch) {
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++) {
    uint32_t i = p->loop_guards[k], values = values_of(p->kind[i]), value = number % values;
    number /= values;
    if (p->kind[i] == branch_whole) branch[i] = middle[i] + value - whole_reach;
    else branch[i] = p->kind[i] == branch_sign ? (double)value - 1 : (double)value;
  }
}

static int sign_in(const Instant *x, uint32_t i) { return x->plan->side[i] * x->sign[x->plan->leader[i]]; }

// The branches of what was read now; of a guard that is zero the value of its operator there, so that choices that
// differ in such guards alone are one solution.
static double branch_at(const Instant *x, uint32_t i) {
  return x->g[i] == x->g[i] ? instant_branch((BranchKind)x->plan->kind[i], x->g[i], sign_in(x, i)) : x->branch[i];
}

// Do the branches of a loop agree with the signs of its guards? *known: they all have a value.
static bool agrees(const Instant *x, uint32_t loop, bool *known) {
  const InstantPlan *p = x->plan;
  bool all = true;
  *known = true;
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++) {
    uint32_t i = p->loop_guards[k];
    bool either = sign_in(x, i) == 0 && !p->jumps[i];
    *known = *known && x->g[i] == x->g[i];
    all = all && (either || branch_at(x, i) == x->branch[i]);
  }
  return all && *known;
}

// Is what was read now the solution that was kept?
static bool is_same(const Instant *x, uint32_t loop, const double *kept) {
  const InstantPlan *p = x->plan;
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++) {
    if (branch_at(x, p->loop_guards[k]) != kept[p->loop_guards[k]]) return false;
  }
  return true;
}

// The middle of the whole numbers: where the distance of a branch from its guard would be zero, by a secant.
static void find_middle(Instant *x, double *y, uint32_t loop) {
  const InstantPlan *p = x->plan;
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++) {
    uint32_t i = p->loop_guards[k];
    double n = x->branch[i];
    x->loops.middle[i] = n;
    if (p->kind[i] != branch_whole) continue;
    x->host->evaluate(x->host->self, x->t, y);
    double g = x->g[i];
    x->branch[i] = n + 1;
    x->host->evaluate(x->host->self, x->t, y);
    x->branch[i] = n;
    double zero = floor(n + (g - 0.5 - n) / (1 - (x->g[i] - g)) + 0.5);
    if (isfinite(zero)) x->loops.middle[i] = zero;
  }
}

static void keep(const Instant *x, uint32_t loop, double *kept) {
  const InstantPlan *p = x->plan;
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++)
    kept[p->loop_guards[k]] = x->branch[p->loop_guards[k]];
}

static void take(Instant *x, uint32_t loop, const double *kept) {
  const InstantPlan *p = x->plan;
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++)
    x->branch[p->loop_guards[k]] = kept[p->loop_guards[k]];
}

// Has a guard that is not zero another branch than in the solution that was kept?
static bool is_other(const Instant *x, uint32_t loop, const double *kept) {
  const InstantPlan *p = x->plan;
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++) {
    uint32_t i = p->loop_guards[k];
    if (branch_at(x, i) != kept[i] && sign_in(x, i) != 0) return true;
  }
  return false;
}

// Signs of the guards that are zero, along a direction that may be off by so much.
static void look_along(Instant *x, double *y, const double *direction, const double *off) {
  const InstantPlan *p = x->plan;
  x->host->evaluate(x->host->self, x->t, y);
  zero_set_find(x);
  x->host->slopes(x->host->self, direction, x->slope);
  for (uint32_t v = 0; v < p->variables; v++) x->tilt[v] = 8 * 0x1p-52 * fabs(direction[v]) + off[v];
  x->host->errors(x->host->self, x->tilt, 0, x->slope_bound);
  for (uint32_t i = 0; i < p->guards; i++) {
    if (p->leader[i] != i || !x->zero[i] || x->held[i]) continue;
    x->sign[i] = (int8_t)(fabs(x->slope[i]) > x->slope_bound[i] ? (x->slope[i] > 0) - (x->slope[i] < 0) : 0);
  }
}

// Each choice was read along its own flow. The trajectory follows that of the one solution: along it another choice may
// become one as well. Returns the number of solutions.
static uint32_t read_along(Instant *x, double *y, uint32_t loop, uint32_t choices) {
  const InstantPlan *p = x->plan;
  double *flow = x->later.k[0], *off = x->later.k[1]; // room
  uint32_t solutions = 1;
  take(x, loop, x->loops.solution);
  x->host->evaluate(x->host->self, x->t, y);
  if (!x->host->flow(x->host->self, x->t, y, flow)) return 1;
  x->host->flow_errors(x->host->self, x->t, y, off);
  for (uint32_t c = 0; c < choices && solutions == 1; c++) {
    bool known;
    loop_take_choice(p, loop, c, x->loops.middle, x->branch);
    look_along(x, y, flow, off);
    if (!agrees(x, loop, &known) || !is_other(x, loop, x->loops.solution)) continue;
    x->host->solved(x->host->self, loop, solutions++);
  }
  return solutions;
}

static LoopEnd choose(Instant *x, double *y, bool after, uint32_t loop, InstantLook *look, bool *changed) {
  const InstantPlan *p = x->plan;
  uint32_t choices = loop_choice_count(p, loop), solutions = 0, same, guards = p->guards;
  double *before = x->loops.solution + (size_t)loop_most_solutions * guards;
  bool any = false;
  x->loops.which = loop;
  if (!choices) return loop_too_many;
  keep(x, loop, before);
  find_middle(x, y, loop);
  for (uint32_t c = 0; c < choices && solutions < loop_most_solutions; c++) {
    bool known;
    loop_take_choice(p, loop, c, x->loops.middle, x->branch);
    look(x, y, after);
    bool good = agrees(x, loop, &known);
    any = any || known;
    if (!good) continue;
    for (same = 0; same < solutions && !is_same(x, loop, x->loops.solution + (size_t)same * guards);) same++;
    if (same < solutions) continue;
    double *solution = x->loops.solution + (size_t)solutions * guards;
    for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++)
      solution[p->loop_guards[k]] = branch_at(x, p->loop_guards[k]);
    x->host->solved(x->host->self, loop, solutions++);
  }
  if (after && solutions == 1) solutions = read_along(x, y, loop, choices);
  x->loops.solutions = solutions;
  take(x, loop, solutions == 1 ? x->loops.solution : before);
  for (uint32_t k = p->loop_first[loop]; k < p->loop_first[loop + 1]; k++)
    *changed = *changed || x->branch[p->loop_guards[k]] != before[p->loop_guards[k]];
  // where nothing has a value, that is what is wrong
  return solutions == 1 || !any ? loop_solved : solutions ? loop_ambiguous : loop_unsolved;
}

LoopEnd loops_choose(Instant *x, double *y, bool after, bool found, InstantLook *look, bool *changed) {
  LoopEnd end = loop_solved;
  *changed = false;
  for (uint32_t i = 0; i < x->plan->loops && end == loop_solved; i++) {
    if (!found || !x->loops.unique[i]) end = choose(x, y, after, i, look, changed);
  }
  return end;
}
