// Algebraic loops through branches in a run.
//
// prove     A loop whose functions do not jump, with the residuals F of its unknowns: F(x) - F(y) = M (x - y), where M
//           lies between the Jacobians of all branches. If every matrix in the interval hull of these is strictly
//           diagonally dominant, the loop has one solution at most.
// distance  of a choice of branches from a solution: the farthest that one of its guards is on the wrong side.
//           A choice whose guards are those of the present solution is the same solution. sign(0) = 0 solves a loop for
//           moments alone, which count at instants.
#include "hybrid/loops.h"

#include "hybrid/loop_choices.h"
#include "tape/interval.h"

#include <math.h>

// ---- at most one solution

// The ranges of all variables: nothing is known but of branches.
static void put_ranges(const Hybrid *h, double *lo, double *hi) {
  const EventPlan *p = h->plan;
  const Tape *t = p->tape[event_gains];
  for (uint32_t v = 0; v < t->var_count; v++) {
    lo[t->param_count + v] = -INFINITY;
    hi[t->param_count + v] = INFINITY;
  }
  uint32_t modes = t->param_count + t->var_count - p->z_count + p->mode_at;
  for (uint32_t i = 0; i < p->mode_count; i++) {
    if (p->modes[i].kind == mode_floor) continue;
    lo[modes + i] = p->modes[i].kind == mode_sign ? -1 : 0;
    hi[modes + i] = 1;
  }
}

static bool is_dominant(const Hybrid *h, uint32_t loop) {
  const EventPlan *p = h->plan;
  const Tape *t = p->tape[event_gains];
  const double *lo = h->room.gains[0], *hi = h->room.gains[1];
  uint32_t n = p->loops.size[loop];
  for (uint32_t i = 0; i < n; i++) {
    double own = 0, others = 0;
    for (uint32_t k = 0; k < n; k++) {
      uint32_t at = t->outputs[p->loops.gains_at[loop] + i * n + k];
      if (k == i) own = lo[at] > 0 ? lo[at] : hi[at] < 0 ? -hi[at] : 0;
      else others += fmax(fabs(lo[at]), fabs(hi[at]));
    }
    if (!(own > others)) return false;
  }
  return n > 0;
}

void loops_prove(Hybrid *h) {
  const Tape *t = h->plan->tape[event_gains];
  if (!t) return;
  put_ranges(h, h->room.gains[0], h->room.gains[1]);
  tape_ranges(t, h->w[event_gains], h->room.gains[0], h->room.gains[1]);
  for (uint32_t i = 0; i < h->plan->loops.count; i++) h->instant.loops.unique[i] = is_dominant(h, i);
}

// ---- how far another solution is

// How far a guard is on the wrong side of a branch.
static double beyond(ModeKind kind, double g, double branch) {
  switch (kind) {
  case mode_above: return branch != 0 ? -g : g;
  case mode_sign: return branch > 0 ? -g : branch < 0 ? g : fabs(g);
  case mode_floor: return fmax(branch - g, g - branch - 1);
  }
  return 0;
}

// The guards are those of the present solution, `now` its branches.
static double distance(Hybrid *h, double t, const double *y, uint32_t loop, uint32_t choice, const double *now) {
  const EventPlan *p = h->plan;
  const EventLoops *l = &p->loops;
  const double *g = now + p->mode_count;
  double *branch = hybrid_mode(h, 0), farthest = -INFINITY, apart = 0, size = 0;
  bool other = false, moment = false;
  loop_take_choice(&p->instant, loop, choice, now, branch);
  for (uint32_t k = l->first[loop]; k < l->first[loop + 1]; k++) {
    uint32_t i = l->modes[k];
    other = other || branch[i] != now[i];
    moment = moment || (p->modes[i].kind == mode_sign && branch[i] == 0);
  }
  if (!other || moment) return 1;
  hybrid_eval(h, event_guards, t, y);
  for (uint32_t k = l->first[loop]; k < l->first[loop + 1]; k++) {
    uint32_t i = l->modes[k];
    double there = hybrid_guard(h, i), by = beyond(p->modes[i].kind, there, branch[i]);
    if (by != by) return 1; // without a value it is no solution
    farthest = fmax(farthest, by);
    apart = fmax(apart, fabs(there - g[i]));
    size = fmax(size, fmax(h->modes[i].scale, fabs(there)));
  }
  return fmax(farthest, EVENT_SMALL_PART * size - apart);
}

void loops_conditions(Hybrid *h, double t, const double *y, double *c) {
  const EventPlan *p = h->plan;
  const EventLoops *l = &p->loops;
  double *branch = hybrid_mode(h, 0), *now = h->room.loop_branch;
  bool any = false;
  for (uint32_t i = 0; l->count && i < p->mode_count; i++) {
    now[i] = branch[i];
    now[p->mode_count + i] = hybrid_guard(h, i);
  }
  for (uint32_t loop = 0; loop < l->count; loop++) {
    uint32_t first = l->watched_first[loop], choices = l->watched_first[loop + 1] - first;
    bool unique = h->instant.loops.unique[loop];
    for (uint32_t k = 0; k < choices; k++) c[first + k] = unique ? 1 : distance(h, t, y, loop, k, now);
    for (uint32_t k = l->first[loop]; k < l->first[loop + 1]; k++) branch[l->modes[k]] = now[l->modes[k]];
    any = any || (choices && !unique);
  }
  if (any) hybrid_eval(h, event_guards, t, y);
}

// ---- messages

// Unknowns of a loop: "y = 1", "(y = 1, e = -2)"; only their names: "`y`, `e`".
static void put_unknowns(const Hybrid *h, Text *out, uint32_t loop, const double *values) {
  const EventLoops *l = &h->plan->loops;
  enum { most = 4 };
  uint32_t first = l->named_first[loop], end = l->named_first[loop + 1];
  bool brackets = values && end > first + 1;
  if (brackets) text_put(out, "(");
  for (uint32_t i = first; i < end && i < first + most; i++) {
    const char *name = pool_symbol_get(h->plan->s->pool, l->named[i])->name;
    if (values) text_printf(out, "%s%s = %.6g", i > first ? ", " : "", name, values[i]);
    else text_printf(out, "%s`%s`", i > first ? ", " : "", name);
  }
  if (brackets) text_put(out, ")");
}

OdeAction loops_fail(Hybrid *h, double t) {
  const Instant *x = &h->instant;
  const EventLoops *l = &h->plan->loops;
  const SwitchMode *mode = &h->plan->modes[l->modes[l->first[x->loops.which]]];
  const Symbol *cut = pool_symbol_get(h->plan->s->pool, l->named[l->named_first[x->loops.which]]);
  const SystemUnknown *z = cut->kind == sym_unknown ? &h->plan->s->unknowns.items[cut->index] : NULL;
  Text out = text_in(h->scratch);
  text_put(&out, "this algebraic loop has ");
  if (x->loops.end == loop_too_many)
    text_printf(&out, "more than %d choices of branches to look at", loop_most_choices);
  else if (x->loops.end == loop_unsolved)
    text_put(&out, "no solution, for no choice of branches agrees with its guards");
  else text_put(&out, "several solutions, ");
  for (uint32_t k = 0; x->loops.end == loop_ambiguous && k < x->loops.solutions; k++) {
    text_put(&out, k == 0 ? "" : k + 1 == x->loops.solutions ? " and " : ", ");
    put_unknowns(h, &out, x->loops.which, h->room.loop_values + (size_t)k * l->named_first[l->count]);
  }
  text_put(&out, ": ");
  if (z && z->chain) text_put(&out, z->chain);
  else put_unknowns(h, &out, x->loops.which, NULL);
  text_put(&out, "; a block with memory, such as `integral` or `delay`, opens the loop");
  return hybrid_stop(h, t, text_str(&out), z ? z->span : mode->span);
}
