// Tapes of the measures of a run: gauged expressions, their guards, and the formulas over the gauges.
//
// Every gauge is of an expression, which is rewritten as columns are, and energies stand for their expressions. Inside
// of it, every function with a corner or a jump that is left, and that moves within a step, gives a guard (expr/ops.h).
#include "sim/measure_plan.h"

#include "expr/corners.h"
#include "expr/ops.h"
#include "hybrid/results.h"
#include "sim/columns.h"

#include <string.h>

typedef struct MeasurePlanner {
  System *s;
  MeasurePlan *plan;
  ResultList numbers, guards;
  VEC(bool) whole;
} MeasurePlanner;

// The index of an expression in a list; a new one is appended.
static uint32_t place_in(ResultList *list, ExprId id) {
  for (uint32_t i = 0; i < list->list.count; i++) {
    if (list->list.items[i] == id) return i;
  }
  return result_put(list, id);
}

// What stays as it is within a step.
static KindSet kinds_inside(void) { return kinds_moving() & ~(kind_set(sym_mode) | kind_set(sym_memory)); }

static bool add_guards(MeasurePlanner *x, ExprId root) {
  ExprPool *pool = x->s->pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, &root, 1, NULL, NULL, &length);
  ExprId *nodes = list ? arena_array(x->s->arena, (size_t)length + 1, sizeof *nodes) : NULL;
  if (!nodes) return false;
  memcpy(nodes, list, length * sizeof *nodes);
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(pool, nodes[i]);
    ExprId args[4] = {0};
    if (!expr_op_switches(op) || pool_node(pool, nodes[i])->bound) continue;
    memcpy(args, pool_args(pool, nodes[i]), expr_op_info(op)->arity * sizeof *args);
    ExprId guard = expr_guard(pool, op, args);
    if (!guard) return false;
    if (!expr_has_kinds(pool, guard, kinds_inside())) continue;
    uint32_t before = x->guards.list.count;
    if (place_in(&x->guards, guard) == before)
      vec_push(x->s->arena, &x->whole, expr_op_info(op)->switching == switching_whole);
  }
  return true;
}

// What each gauge is of, in the system that runs.
static bool list_numbers(MeasurePlanner *x, const MeasureSet *set, Rewriting *rewriting, uint32_t *of) {
  uint32_t count = set->gauges.count;
  ExprId *before = arena_array(x->s->arena, (size_t)count + 1, sizeof *before),
         *after = arena_array(x->s->arena, (size_t)count + 1, sizeof *after);
  SymbolMap energies;
  if (!before || !after) return false;
  for (uint32_t i = 0; i < count; i++) {
    before[i] = rewriting ? rewrite_of(rewriting, set->gauges.items[i].of) : set->gauges.items[i].of;
    if (!before[i]) return false;
  }
  columns_map_energies(x->s, &energies);
  if (!expr_replace(x->s->pool, &energies, before, count, after)) return false;
  for (uint32_t i = 0; i < count; i++) {
    of[i] = place_in(&x->numbers, after[i]);
    if (set->gauges.items[i].kind != measure_final && !add_guards(x, after[i])) return false;
  }
  return true;
}

// The formulas over the gauges.
static const Tape *total_tape(System *s, const MeasureSet *set) {
  SymbolId *vars = arena_array(s->arena, (size_t)set->gauges.count + 1, sizeof *vars);
  ResultList r = {.arena = s->arena};
  if (!vars) return NULL;
  for (uint32_t i = 0; i < set->gauges.count; i++) vars[i] = set->gauges.items[i].symbol;
  for (uint32_t i = 0; i < set->items.count; i++) result_put(&r, set->items.items[i].value);
  if (arena_failed(s->arena)) return NULL;
  return tape_build(s->arena, &(TapeRequest){.system = s,
                                             .vars = vars,
                                             .var_count = set->gauges.count,
                                             .results = r.list.items,
                                             .result_count = r.list.count});
}

MeasurePlan *measure_plan(System *s, const MeasureSet *set, Rewriting *rewriting, double rtol) {
  MeasurePlan *plan = arena_new_of(s->arena, MeasurePlan);
  uint32_t count = set->gauges.count, *of = arena_array(s->arena, (size_t)count + 1, sizeof *of);
  MeasureKind *kinds = arena_array(s->arena, (size_t)count + 1, sizeof *kinds);
  MeasurePlanner planner = {.s = s, .plan = plan, .numbers.arena = s->arena, .guards.arena = s->arena}, *x = &planner;
  if (!plan || !of || !kinds || !list_numbers(x, set, rewriting, of)) return NULL;
  for (uint32_t i = 0; i < count; i++) kinds[i] = set->gauges.items[i].kind;
  *plan = (MeasurePlan){.set = set,
                        .gauges = {.count = count,
                                   .kinds = kinds,
                                   .of = of,
                                   .numbers = x->numbers.list.count,
                                   .guards = x->guards.list.count,
                                   .whole = x->whole.items,
                                   .rtol = rtol}};
  poly_table(plan->gauges.node, plan->gauges.cosine);
  result_put_all(&x->numbers, x->guards.list.items, x->guards.list.count);
  plan->results = x->numbers.list.items;
  plan->total = total_tape(s, set);
  plan->uses = arena_array(s->arena, (size_t)set->items.count * count + 1, sizeof *plan->uses);
  for (uint32_t i = 0; plan->uses && i < set->items.count * count; i++)
    plan->uses[i] = expr_depends(s->pool, set->items.items[i / count].value, set->gauges.items[i % count].symbol);
  return plan->total && !arena_failed(s->arena) ? plan : NULL;
}

void measures_cut(MeasureRun *r, const MeasurePlan *plan, size_t n, Cutter *c) {
  const GaugePlan *g = &plan->gauges;
  BLOCK_CUT(c, r->run.clock, 1);
  BLOCK_CUT(c, r->run.states, g->count);
  BLOCK_CUT(c, r->run.last, gauge_width(g));
  BLOCK_CUT(c, r->w, plan->tape->slot_count);
  BLOCK_CUT(c, r->total, plan->total->slot_count);
  BLOCK_CUT(c, r->gauges, g->count);
  BLOCK_CUT(c, r->values, plan->set->items.count);
  BLOCK_CUT(c, r->y, n);
  BLOCK_CUT(c, r->row, gauge_width(g));
}

void measures_total(const MeasurePlan *plan, const double *params, const double *gauges, double *w, double *values) {
  const Tape *t = plan->total;
  memcpy(w, params, t->param_count * sizeof *w);
  memcpy(tape_vars(t, w), gauges, plan->gauges.count * sizeof *w);
  tape_prepare(t, w);
  tape_eval(t, w);
  for (uint32_t i = 0; i < plan->set->items.count; i++) {
    values[i] = tape_result(t, w, i);
    // a comparison with what has no value is not false, it has none
    for (uint32_t k = 0; k < plan->gauges.count; k++) {
      if (plan->uses[i * plan->gauges.count + k] && isnan(gauges[k])) values[i] = NAN;
    }
  }
}
