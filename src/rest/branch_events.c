// Which `when` may happen at a point?
//
// One that sets something, and whose condition depends on the time, or is at its limit: an argument of one of its
// comparisons is zero there, against its terms and against what it was where the search for the point began.
#include "expr/calculus.h"
#include "expr/ops.h"
#include "rest/operating.h"

#include <math.h>
#include <string.h>

static void *copied(Arena *arena, const void *items, size_t count, size_t size) {
  void *p = arena_array(arena, count, size);
  if (p && count) memcpy(p, items, count * size);
  return p;
}

// What vanishes where a node switches, as two sides of a comparison.
typedef struct EventLimit {
  ExprId a, b;
  bool whole;
} EventLimit;

static bool find_limits(Operating *o, ExprId condition, EventLimit **out, uint32_t *count) {
  ExprPool *pool = o->s.pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, &condition, 1, NULL, NULL, &length);
  ExprId *nodes = list ? copied(o->arena, list, length, sizeof *nodes) : NULL;
  EventLimit *limits = arena_array(o->arena, (size_t)length + 1, sizeof *limits);
  if (!nodes || !limits) return false;
  *count = 0;
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(pool, nodes[i]);
    if (!expr_op_switches(op) || expr_only_kinds(pool, nodes[i], kind_set(sym_param))) continue;
    ExprId a = pool_args(pool, nodes[i])[0],
           b = pool_node(pool, nodes[i])->count > 1 ? pool_args(pool, nodes[i])[1] : pool->zero;
    bool whole = op == op_floor || op == op_mod;
    if (op == op_mod) a = expr_div(pool, a, b);
    limits[(*count)++] = (EventLimit){a, whole ? pool->zero : b, whole};
  }
  *out = limits;
  return true;
}

// Is a limit of the condition reached at y, or was it so nearly, against where the search began?
static bool at_limit(Operating *o, const double *y, const EventLimit *limits, uint32_t count, bool *found) {
  ExprId *results = arena_array(o->arena, 2 * (size_t)count + 1, sizeof *results);
  double *first = arena_array(o->arena, 2 * (size_t)count + 1, sizeof *first);
  OperatingTape t;
  *found = false;
  if (!results || !first) return false;
  for (size_t i = 0; i < count; i++) {
    results[2 * i] = limits[i].a;
    results[2 * i + 1] = limits[i].b;
  }
  if (!operating_tape(o, results, 2 * count, false, &t)) return false;
  operating_eval(o, &t, o->first);
  for (uint32_t i = 0; i < 2 * count; i++) first[i] = tape_result(t.tape, t.w, i);
  operating_eval(o, &t, y);
  for (uint32_t i = 0; i < count; i++) {
    double a = tape_result(t.tape, t.w, 2 * i), b = tape_result(t.tape, t.w, 2 * i + 1), g = a - b;
    double size = fmax(fmax(fabs(a), fabs(b)), fabs(first[(size_t)2 * i] - first[(size_t)2 * i + 1]));
    if (limits[i].whole) g -= nearbyint(g);
    *found = *found || fabs(g) <= 1e-9 * size || g == 0;
  }
  return true;
}

bool branches_whens(Operating *o, const double *y, const SystemWhen **when, const char **why) {
  const System *m = &o->s;
  *when = NULL;
  for (uint32_t i = 0; i < m->whens.count && !*when; i++) {
    const SystemWhen *w = &m->whens.items[i];
    if (!w->condition || !w->assigns.count) continue;
    if (expr_has_kind(o->s.pool, o->branches.conditions[i], sym_time)) {
      *when = w;
      *why = "its condition depends on the time, so it happens whatever the deviation is";
      return true;
    }
    EventLimit *limits;
    uint32_t count;
    bool found;
    if (!find_limits(o, o->branches.conditions[i], &limits, &count) || !at_limit(o, y, limits, count, &found))
      return false;
    if (!found) continue;
    *when = w;
    *why = "its condition is at its limit at this point, so the smallest deviation makes it happen";
  }
  return true;
}
