// The event iteration. See instant.h.
#include "hybrid/instant.h"

#include "hybrid/loop_choices.h"
#include "hybrid/zero_set.h"

#include <math.h>

// Higher derivatives are looked at along the flow after these parts of the run: the first one that tells decides.
static const double later_part[] = {0x1p-40, 0x1p-30, 0x1p-20};
// Below the smallest normal number rates have no digits: exp(-x^2) that has come to zero does not go on below it.
static const double underflow = 0x1p-1022;
// Two guards come to their limits at one time: rounding of rates and steps.
static const double alike = 0x1p-40;

enum { at_limit_again = 2 }; // in Instant.behind

static int sign_of(double g) { return (g > 0) - (g < 0); }

// ---- readings

// Components of y stand behind t.
static double *body_of(double *direction) { return direction + 1; }

// Of which guards a direction tells the sides.
typedef enum Asked {
  asked_all,
  asked_fresh, // those that the infinitely small steps lead away from zero
  asked_images // those of delayed functions
} Asked;

static bool is_asked(const Instant *x, uint32_t i, Asked asked) {
  return asked == asked_all || (asked == asked_fresh ? x->sides.fresh[i] : x->plan->image[i]);
}

// Signs of guards along a direction: of those that are zero and whose sign is not known yet. A guard that has no rate
// in numbers (an integral) is compared with what it was. later: it was evaluated a little later. True: some are
// not known still.
// off: by how much the direction is uncertain.
static bool signs_along(Instant *x, const double *direction, const double *off, Asked asked, bool later) {
  const InstantPlan *p = x->plan;
  bool open = false;
  x->host->slopes(x->host->self, direction, x->slope);
  for (uint32_t v = 0; v < p->variables; v++) x->tilt[v] = 8 * 0x1p-52 * fabs(direction[v]) + off[v];
  x->host->errors(x->host->self, x->tilt, 0, x->slope_bound);
  for (uint32_t i = 0; i < p->guards; i++) {
    if (p->leader[i] != i || !x->zero[i] || x->held[i] || x->sign[i]) continue;
    if (!is_asked(x, i, asked)) {
      open = true;
      continue;
    }
    double rate = x->slope[i], bound = x->slope_bound[i];
    if (rate != rate && later) {
      rate = x->g[i] - x->later.g_before[i];
      bound = fmax(x->rounding[i], 1e-11 * x->scale[i]);
    }
    if (fabs(rate) > fmax(bound, underflow)) x->sign[i] = (int8_t)sign_of(rate);
    else open = true;
  }
  return open;
}

// y and all variables a little later along the flow, by one step of the classical method of order 4. False: not finite.
static bool go_on(Instant *x, const double *y, double by) {
  static const double part[4] = {0, 0.5, 0.5, 1};
  const InstantPlan *p = x->plan;
  for (int s = 0; s < 4; s++) {
    for (uint32_t e = 0; e < p->body; e++)
      x->later.y[e] = y[e] + (s ? part[s] * by * body_of(x->later.k[s - 1])[e] : 0);
    if (!x->host->flow(x->host->self, x->t + part[s] * by, x->later.y, x->later.k[s])) return false;
  }
  for (uint32_t e = 0; e < p->body; e++) {
    double sum = 0;
    for (int s = 0; s < 4; s++) sum += body_of(x->later.k[s])[e] * (s == 0 || s == 3 ? 1 : 2);
    x->later.y[e] = y[e] + by * sum / 6;
  }
  return x->host->flow(x->host->self, x->t + by, x->later.y, x->direction);
}

// Guards whose rate is zero: looked at a little later.
static void look_later(Instant *x, double *y, Asked asked) {
  for (uint32_t i = 0; i < x->plan->guards; i++) x->later.g_before[i] = x->g[i];
  bool open = true;
  for (unsigned k = 0; open && k < sizeof later_part / sizeof *later_part; k++) {
    double by = later_part[k] * x->later.span;
    if (!(by > 0) || !go_on(x, y, by)) break;
    x->host->flow_errors(x->host->self, x->t + by, x->later.y, x->flow_off);
    x->host->evaluate(x->host->self, x->t + by, x->later.y);
    open = signs_along(x, x->direction, x->flow_off, asked, true);
  }
  x->host->evaluate(x->host->self, x->t, y);
}

// The side on which each guard is that is zero: by the infinitely small steps that were made, and AFTER along the flow.
static void find_sides(Instant *x, double *y, bool after) {
  const InstantPlan *p = x->plan;
  bool open = false, image = false;
  for (uint32_t i = 0; i < p->guards; i++) {
    if (p->leader[i] != i || !x->zero[i]) continue;
    if (p->image[i]) {
      image = true;
      x->sign[i] = 0;
      x->sides.fresh[i] = false;
      continue;
    }
    bool again = x->sides.behind[i] == at_limit_again && x->steps.count && x->sides.g[i] == x->g[i];
    x->sign[i] = x->sides.carried[i] ? x->sides.behind[i] : 0;
    x->sides.fresh[i] = !x->sign[i] && !again; // the steps lead it away from zero
    open = open || (!x->sign[i] && !x->held[i]);
  }
  for (uint32_t s = 0; open && s < x->steps.count; s++)
    open = signs_along(x, x->steps.by[s], x->steps.off[s], asked_fresh, false);
  if (!open && !image) return;
  // where the steps do not tell, a later derivative did
  for (uint32_t i = 0; x->steps.count && i < p->guards; i++) {
    if (p->leader[i] != i || !x->zero[i] || x->sign[i] || !x->sides.fresh[i]) continue;
    if (x->sides.behind[i] != at_limit_again && x->sides.g[i] == x->g[i]) x->sign[i] = x->sides.behind[i];
  }
  if (!(after || image) || !x->host->flow(x->host->self, x->t, y, x->direction)) return;
  x->host->flow_errors(x->host->self, x->t, y, x->flow_off);
  Asked asked = after ? asked_all : asked_images;
  if (signs_along(x, x->direction, x->flow_off, asked, false)) look_later(x, y, asked);
}

// What a change of branches leaves to be done.
typedef enum BranchChange { change_none, change_values, change_flow, change_guards } BranchChange;

// Branches by the signs of the last evaluation.
static BranchChange take_branches(Instant *x) {
  const InstantPlan *p = x->plan;
  BranchChange most = change_none;
  for (uint32_t i = 0; i < p->guards; i++) {
    int sign = p->side[i] * x->sign[p->leader[i]];
    double value = instant_branch((BranchKind)p->kind[i], x->g[i], sign);
    // what has no value is not true
    if (x->g[i] != x->g[i]) value = p->kind[i] == branch_whole ? x->branch[i] : 0;
    if (value == x->branch[i]) continue;
    BranchChange change = p->inner[i] ? change_guards : p->enters[i] ? change_flow : change_values;
    most = change > most ? change : most;
    x->branch[i] = value;
    x->open[i] = true;
  }
  return most;
}

// At the start all branches are unknown, and in a chain one follows from the other: first by the signs alone.
static void read_signs(Instant *x, double *y) {
  BranchChange change = change_guards;
  for (uint32_t round = 0; change == change_guards && round <= 2 * x->plan->guards + 2; round++) {
    x->host->evaluate(x->host->self, x->t, y);
    zero_set_signs(x);
    change = take_branches(x);
  }
  x->known = known_nothing;
}

// A reading AFTER in which these guards, which are zero, are on the sides of a choice. False: along the flow that
// follows from it they are not.
static bool read_choice(Instant *x, double *y, const uint32_t *at, uint32_t count, uint32_t choice) {
  for (uint32_t round = 0; round <= 2 * x->plan->guards + 2; round++) {
    bool agrees = true;
    x->host->evaluate(x->host->self, x->t, y);
    zero_set_find(x);
    find_sides(x, y, true);
    for (uint32_t k = 0, rest = choice; k < count; k++, rest /= 3) {
      int8_t side = (int8_t)(rest % 3) - 1;
      agrees = agrees && x->sign[at[k]] == side;
      x->sign[at[k]] = side;
    }
    if (take_branches(x) >= change_flow) continue;
    x->host->evaluate(x->host->self, x->t, y);
    x->known = known_after;
    return agrees;
  }
  return false;
}

// Guards whose branches go on changing when each takes the side of its rate: every choice of their sides is tried.
// False: none agrees with its own flow, or several do.
static bool choose_sides(Instant *x, double *y) {
  enum { most = 5 }; // 3^5 choices
  uint32_t at[most], count = 0, choices = 1, solutions = 0, found = 0;
  for (uint32_t i = 0; i < x->plan->guards; i++) {
    uint32_t leader = x->plan->leader[i], k = 0;
    if (!x->open[i]) continue;
    while (k < count && at[k] != leader) k++;
    if (k < count) continue;
    if (!x->zero[leader] || x->held[leader] || count == most) return false;
    at[count++] = leader;
    choices *= 3;
  }
  for (uint32_t c = 0; c < choices; c++) {
    if (read_choice(x, y, at, count, c)) found = c, solutions++;
  }
  x->several = solutions > 1;
  return solutions == 1 && read_choice(x, y, at, count, found);
}

// One branch follows from the other until none changes. False: they go on changing.
static bool follow_branches(Instant *x, double *y, bool after) {
  const InstantPlan *p = x->plan;
  InstantKnown asked = after ? known_after : known_at;
  BranchChange change;
  for (uint32_t round = 0; round <= 2 * p->guards + 2; round++) {
    for (uint32_t i = 0; round == p->guards && i < p->guards; i++) x->open[i] = false;
    if (x->known == known_nothing) {
      x->host->evaluate(x->host->self, x->t, y);
      zero_set_find(x);
    }
    find_sides(x, y, after);
    change = take_branches(x);
    bool done = change < (after ? change_flow : change_guards);
    x->known = change == change_guards ? known_nothing : done ? asked : known_zeros;
    if (change != change_none && x->known != known_nothing) x->host->evaluate(x->host->self, x->t, y);
    if (done) return true;
  }
  return after && !p->loops && choose_sides(x, y);
}

static void look(Instant *x, double *y, bool after) {
  x->host->evaluate(x->host->self, x->t, y);
  zero_set_find(x);
  find_sides(x, y, after);
}

bool instant_read(Instant *x, double *y, bool after) {
  if (x->known == (after ? known_after : known_at)) return true;
  if (x->loops.end != loop_solved) return false;
  if (x->start.branches) read_signs(x, y);
  x->start.branches = false;
  bool found = follow_branches(x, y, after), changed = x->plan->loops > 0;
  for (uint32_t round = 0; changed && round <= x->plan->loops; round++) {
    x->loops.end = loops_choose(x, y, after, found, look, &changed);
    x->known = known_nothing;
    if (x->loops.end != loop_solved) return false;
    found = follow_branches(x, y, after);
  }
  return found;
}

// ---- passes

// Memories by their rules, each after those that it depends on. False: a block reports an error. In (d) the first
// reading is AFTER; what a change leads to is read AT the point behind.
static bool remember(Instant *x, double *y, bool *changed) {
  *changed = false;
  const InstantPlan *p = x->plan;
  for (uint32_t k = 0; k < p->memories;) {
    uint32_t block = p->block[p->order[k]];
    bool any = false;
    if (!x->host->check(x->host->self, block)) return false;
    for (; k < p->memories && p->block[p->order[k]] == block; k++) {
      uint32_t i = p->order[k];
      double value = x->rule[i];
      if (value == x->memory[i] || (value != value && x->memory[i] != x->memory[i])) continue;
      x->host->remember(x->host->self, i, value);
      x->known = known_nothing;
      any = true;
    }
    if (any) instant_read(x, y, false);
    *changed = *changed || any;
  }
  return x->host->check(x->host->self, instant_no_memory);
}

void instant_was_set(Instant *x, uint32_t variable) {
  const InstantPlan *p = x->plan;
  for (uint32_t s = 0; s < x->steps.count; s++) x->steps.by[s][variable] = x->steps.off[s][variable] = 0;
  if (variable == 0 || variable > p->body) return;
  for (uint32_t r = p->reads_first[variable - 1]; r < p->reads_first[variable]; r++)
    x->sides.behind[p->leader[p->reads[r]]] = 0, x->sides.carried[p->leader[p->reads[r]]] = false;
}

// Marks each `when` whose level is false and whose condition is true; levels become the conditions. True: one is
// marked.
static bool mark(Instant *x) {
  bool any = false;
  for (uint32_t i = 0; i < x->plan->whens; i++) {
    bool now = x->plan->conditional[i] && x->condition[i] != 0;
    x->marked[i] = now && !x->level[i];
    any = any || x->marked[i];
    x->level[i] = now;
  }
  return any;
}

// Executes the marked ones in the order of the text. True: one of them says `stop`.
static bool execute(Instant *x, double *y) {
  bool stop = false, first = true;
  for (uint32_t i = 0; i < x->plan->whens; i++) {
    if (!x->marked[i]) continue;
    if (!first) instant_read(x, y, false);
    x->host->assign(x->host->self, i, x->t, y);
    x->known = known_nothing;
    stop = stop || x->plan->stops[i];
    first = false;
  }
  return stop;
}

// Of a full list of steps the first one goes that puts no guard on its side, as steps of larger size do; else the last.
static void forget_step(Instant *x) {
  const InstantPlan *p = x->plan;
  for (uint32_t i = 0; i < p->guards; i++) x->sides.before[i] = 0;
  uint32_t gone = 0;
  for (; gone + 1 < x->steps.count; gone++) {
    bool tells = false;
    x->host->slopes(x->host->self, x->steps.by[gone], x->slope);
    for (uint32_t i = 0; i < p->guards; i++) {
      if (p->leader[i] != i || !x->zero[i] || x->sides.before[i] || x->slope[i] == 0) continue;
      x->sides.before[i] = 1;
      tells = true;
    }
    if (!tells) break;
  }
  double *step = x->steps.by[gone], *off = x->steps.off[gone];
  for (uint32_t s = gone; s + 1 < x->steps.count; s++)
    x->steps.by[s] = x->steps.by[s + 1], x->steps.off[s] = x->steps.off[s + 1];
  x->steps.count--;
  x->steps.by[x->steps.count] = step;
  x->steps.off[x->steps.count] = off;
}

// Time begins to go on: every variable moves along the flow of this reading, and each guard is on the side that it has.
static void begin_to_go_on(Instant *x, double *y) {
  const InstantPlan *p = x->plan;
  x->known = known_zeros;
  if (x->steps.count == instant_most_steps) forget_step(x);
  uint32_t s = x->steps.count++;
  x->steps.whole = s;
  bool moves = x->host->flow(x->host->self, x->t, y, x->steps.by[s]);
  for (uint32_t v = 0; !moves && v < p->variables; v++) x->steps.by[s][v] = 0;
  x->host->flow_errors(x->host->self, x->t, y, x->steps.off[s]);
  for (uint32_t i = 0; i < p->guards; i++) {
    if (p->leader[i] != i) continue;
    x->sides.behind[i] = x->zero[i] ? x->sign[i] : 0;
    x->sides.g[i] = x->g[i];
    x->sides.carried[i] = false;
  }
}

// Does a memory or a level change by what was read?
static bool is_new(const Instant *x) {
  for (uint32_t i = 0; i < x->plan->memories; i++) {
    if (x->rule[i] != x->memory[i] && (x->rule[i] == x->rule[i] || x->memory[i] == x->memory[i])) return true;
  }
  for (uint32_t i = 0; i < x->plan->whens; i++) {
    if (x->plan->conditional[i] && x->condition[i] != 0 && !x->level[i]) return true;
  }
  return false;
}

// One pass: a reading, memories, conditions, what they execute.
static InstantEnd pass(Instant *x, double *y, bool after, bool *changed) {
  if (++x->passes > instant_most_passes) return instant_chatters;
  if (!instant_read(x, y, after)) return instant_open;
  // (d) that changes something: the way to the point behind is that of its own flow
  if (after && is_new(x)) begin_to_go_on(x, y);
  if (!remember(x, y, changed)) return instant_failed;
  bool marked = mark(x);
  *changed = *changed || marked;
  bool stops = marked && execute(x, y);
  x->steps.whole = x->steps.count;
  return stops ? instant_stopped : instant_done;
}

// Of the guards that the flow leads back to zero, x->sides.before, those that come there first stay marked: time goes
// on until then by a sum of the steps. By the steps, in the order of their size.
static void go_on_to_limit(Instant *x) {
  const InstantPlan *p = x->plan;
  double *rate = x->ratio;
  x->host->slopes(x->host->self, x->direction, rate);
  for (uint32_t s = 0; s < x->steps.count; s++) {
    double first = INFINITY, *step = x->steps.by[s];
    x->host->slopes(x->host->self, step, x->slope);
    for (uint32_t v = 0; v < p->variables; v++) x->tilt[v] = 8 * 0x1p-52 * fabs(step[v]) + x->steps.off[s][v];
    x->host->errors(x->host->self, x->tilt, 0, x->slope_bound);
    for (uint32_t i = 0; i < p->guards; i++) {
      if (!x->sides.before[i]) continue;
      if (!(fabs(x->slope[i]) > x->slope_bound[i])) x->slope[i] = 0;
      first = fmin(first, -x->slope[i] / rate[i]);
    }
    for (uint32_t i = 0; i < p->guards; i++) {
      if (-x->slope[i] / rate[i] - first > alike * fabs(first)) x->sides.before[i] = 0;
    }
    for (uint32_t v = 0; v < p->variables; v++) {
      double by = first * x->direction[v], sum = step[v] + by;
      step[v] = fabs(sum) > alike * fabs(by) ? sum : 0;
      x->steps.off[s][v] += first * x->flow_off[v];
    }
  }
}

// Does the flow, the direction, lead this guard back by its first derivative?
static bool is_led_back(const Instant *x, uint32_t i) {
  return x->sides.before[i] && x->slope[i] * x->sides.before[i] < 0 && fabs(x->slope[i]) > x->slope_bound[i];
}

// Time goes on by more than all infinitely small steps so far: by one step along the flow, the direction. What that
// does not move is where it was before them. The sides are those that the flow alone gives.
static void go_on_with_flow(Instant *x) {
  const InstantPlan *p = x->plan;
  for (uint32_t v = 0; v < p->variables; v++) x->steps.by[0][v] = x->direction[v], x->steps.off[0][v] = x->flow_off[v];
  x->steps.count = x->steps.whole = 1;
  for (uint32_t i = 0; i < p->guards; i++) {
    if (p->leader[i] != i) continue;
    x->sides.behind[i] = x->zero[i] ? x->sign[i] : 0;
    x->sides.g[i] = x->g[i];
    x->sides.carried[i] = false;
  }
}

// The flow that follows may lead a guard from its side behind the instant back to zero, or leave it there: then it
// comes to its limit once more. True: one does.
static bool lead_back(Instant *x, double *y) {
  const InstantPlan *p = x->plan;
  uint32_t steps = x->steps.count;
  bool any = false, led = false;
  for (uint32_t i = 0; i < p->guards; i++) {
    bool stands = p->leader[i] == i && x->zero[i] && x->sign[i] && !x->held[i];
    x->sides.before[i] = stands ? x->sign[i] : 0;
  }
  x->steps.count = 0;
  find_sides(x, y, true);
  x->known = known_zeros;
  x->steps.count = steps;
  for (uint32_t i = 0; i < p->guards; i++) {
    if (x->sign[i] == x->sides.before[i]) x->sides.before[i] = 0;
    any = any || x->sides.before[i];
  }
  if (!any || !x->host->flow(x->host->self, x->t, y, x->direction)) return false;
  x->host->flow_errors(x->host->self, x->t, y, x->flow_off);
  signs_along(x, x->direction, x->flow_off, asked_all, false);
  for (uint32_t i = 0; i < p->guards; i++) led = led || is_led_back(x, i);
  if (!led) {
    go_on_with_flow(x);
    return true;
  }
  for (uint32_t i = 0; i < p->guards; i++) x->sides.before[i] = is_led_back(x, i) ? x->sides.before[i] : 0;
  go_on_to_limit(x);
  for (uint32_t i = 0; i < p->guards; i++) {
    if (!x->sides.before[i]) continue;
    x->sides.behind[i] = at_limit_again;
    x->sides.g[i] = x->g[i];
  }
  return true;
}

// What sticks is put to zero: guards that are zero with it are on the sides on which they were.
static void keep_sides(Instant *x, const double *y) {
  for (uint32_t i = 0; i < x->plan->guards; i++) x->sides.before[i] = x->zero[i] && x->sides.g[i] == x->g[i];
  x->host->evaluate(x->host->self, x->t, y);
  for (uint32_t i = 0; i < x->plan->guards; i++) {
    if (x->sides.before[i]) x->sides.g[i] = x->g[i];
  }
}

// Do branches of several guards that are zero act on the flow?
static bool act_together(const Instant *x) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < x->plan->guards; i++) count += x->plan->enters[i] && x->zero[x->plan->leader[i]];
  return count > 1;
}

static InstantEnd stick_or_slip(Instant *x, double *y) {
  enum { most = 64 }; // an element changes branches of others, and they its load, a few times
  if (!instant_read(x, y, false)) return instant_open;
  for (uint32_t i = 0; i < x->plan->guards; i++) x->sides.at[i] = x->sign[i];
  // where each guard takes the side of its rate, and these agree, they are a solution: of several it is the one
  if (act_together(x) && !x->plan->loops && !instant_read(x, y, true)) {
    x->known = known_nothing;
    if (!instant_read(x, y, false)) return instant_open;
  }
  for (int round = 0; round < most; round++) {
    bool changed = false;
    x->verdict = x->host->stick(x->host->self, x->t, y, &changed);
    if (x->verdict) return instant_failed;
    if (changed) keep_sides(x, y);
    if (round && !changed) return instant_done;
    if (!instant_read(x, y, true)) return instant_open;
  }
  return instant_chatters;
}

// What sticks is where the search begins. Where that leads nowhere, nothing sticks to begin with.
static InstantEnd stick(Instant *x, double *y) {
  InstantEnd end = stick_or_slip(x, y);
  bool any = false;
  for (uint32_t i = 0; i < x->plan->guards; i++) any = any || x->sticks[i];
  if (end != instant_open || !any || x->loops.end != loop_solved) return end;
  x->host->release(x->host->self);
  x->known = known_nothing;
  return stick_or_slip(x, y);
}

static bool samples(Instant *x, double *y) {
  bool stop = false;
  for (uint32_t i = 0; i < x->plan->whens; i++) {
    if (!x->host->due(x->host->self, i)) continue;
    instant_read(x, y, false);
    x->host->assign(x->host->self, i, x->t, y);
    x->known = known_nothing;
    stop = stop || x->plan->stops[i];
  }
  return stop;
}

// An instant so near to the last one that no time is seen between them begins behind it; so does a guard that was not
// yet seen to leave its limit.
static void reset(Instant *x) {
  x->known = known_nothing;
  x->several = x->sides.near = false;
  x->steps.count = x->steps.whole = x->arrived.again;
  x->passes = 0;
  x->verdict = 0;
  for (uint32_t i = 0; i < x->plan->guards; i++) {
    x->sides.carried[i] = (x->arrived.again || x->sides.leaves[i]) && x->zero[i] && x->sign[i];
    x->sides.behind[i] = x->sides.carried[i] ? x->sign[i] : 0;
  }
  for (uint32_t v = 0; x->arrived.again && v < x->plan->variables; v++)
    x->steps.by[0][v] = x->direction[v], x->steps.off[0][v] = 0;
}

InstantEnd instant_begin(Instant *x, double *y) {
  reset(x);
  for (bool changed = true; changed;) {
    if (++x->passes > instant_most_passes) return instant_chatters;
    if (!instant_read(x, y, false)) return instant_open;
    if (!remember(x, y, &changed)) return instant_failed;
  }
  mark(x);
  return instant_done;
}

static bool is_kept(const Instant *x, const double *y) {
  const InstantPlan *p = x->plan;
  for (uint32_t i = 0; i < p->whens; i++)
    if (x->level[i] != x->cycle.level[i]) return false;
  for (uint32_t i = 0; i < p->memories; i++)
    if (x->memory[i] != x->cycle.memory[i]) return false;
  const double *off = body_of(x->off);
  for (uint32_t e = 0; e < p->body; e++)
    if (!(fabs(y[e] - x->cycle.y[e]) <= off[e] + x->cycle.off[e])) return false;
  return true;
}

// Has a pass left the state of an earlier one, again and again? Beside y and the discrete state only the infinitely
// small steps can differ, of which a few give the sides of all guards. The state to compare with is stored again in
// passes 16, 32, 64: errors of what is doubled in each round are small until then.
static bool goes_round(Instant *x, const double *y) {
  const InstantPlan *p = x->plan;
  if (x->passes < 16) return false;
  if (x->passes >= 2 * x->cycle.renewed) {
    x->cycle.renewed = x->passes;
    x->cycle.rounds = 0;
    for (uint32_t i = 0; i < p->whens; i++) x->cycle.level[i] = x->level[i];
    for (uint32_t i = 0; i < p->memories; i++) x->cycle.memory[i] = x->memory[i];
    for (uint32_t e = 0; e < p->body; e++) x->cycle.y[e] = y[e], x->cycle.off[e] = body_of(x->off)[e];
    return false;
  }
  x->cycle.rounds += is_kept(x, y);
  return x->cycle.rounds == instant_most_rounds;
}

InstantEnd instant_settle(Instant *x, double *y) {
  InstantEnd end = instant_done;
  reset(x);
  x->cycle.renewed = 0;
  bool stop = samples(x, y);
  for (bool changed = true; changed && end == instant_done && !stop;) {
    while (changed && end == instant_done) end = pass(x, y, false, &changed);
    if (end == instant_done) end = stick(x, y);
    if (end == instant_done) end = pass(x, y, true, &changed);
    if (end == instant_done && changed && goes_round(x, y)) end = instant_chatters;
    if (end == instant_done && !changed && x->steps.count) changed = lead_back(x, y); // (e)
  }
  if (end != instant_stopped && !stop) return end;
  // the run ends here: what is shown is on (t, t + eps)
  InstantEnd last = stick(x, y);
  if (last == instant_done && !instant_read(x, y, true)) last = instant_open;
  return last == instant_done ? instant_stopped : last;
}
