// The tapes of a manifold: residuals, and corrections as a block with multipliers. See manifold.h.
#include "sim/manifold_plan.h"

#include "hybrid/results.h"
#include "sim/program.h"

#include <string.h>

bool manifold_needed(const System *s) {
  for (uint32_t i = 0; i < s->implicit.count; i++) {
    if (s->implicit.items[i].times) return true;
  }
  return false;
}

// ---- the plan

typedef VEC(ManifoldRow) ManifoldRowList;

static bool list_rows(SimProgram *p, ManifoldPlan *plan) {
  const System *s = &p->s;
  ManifoldRowList rows = {0};
  for (uint32_t i = 0; i < s->implicit.count; i++) {
    const SystemEquation *e = &s->implicit.items[i];
    for (uint32_t k = 0; k < e->times; k++) vec_push(p->arena, &rows, (ManifoldRow){e->levels[k], e->span, k});
  }
  for (uint32_t i = 0; i < s->constraints.count; i++) {
    const SystemConstraint *c = &s->constraints.items[i];
    if (!c->velocities) vec_push(p->arena, &rows, (ManifoldRow){c->value, c->span, 0});
    vec_push(p->arena, &rows, (ManifoldRow){c->rate, c->span, 1});
  }
  plan->rows = rows.items;
  plan->count = rows.count;
  return !arena_failed(p->arena);
}

// G over all components of y: columns are indices in y.
static MassRow *find_slopes(SimProgram *p, const ManifoldPlan *plan) {
  ExprPool *pool = &p->pool;
  SymbolIndex index;
  uint32_t n = p->y.count;
  SymbolId *symbols = arena_array(p->arena, n, sizeof *symbols);
  ExprId *roots = arena_array(p->arena, plan->count, sizeof *roots);
  MassRow *G = arena_array(p->arena, plan->count, sizeof *G);
  if (!symbols || !roots || !G) return NULL;
  for (uint32_t i = 0; i < n; i++) symbols[i] = p->s.y.items[i].symbol;
  for (uint32_t k = 0; k < plan->count; k++) roots[k] = plan->rows[k].value;
  bool ok = symbol_index(p->arena, pool, symbols, n, &index) &&
            sparse_jacobian(p->arena, pool, roots, plan->count, &index, G);
  return ok ? G : NULL;
}

static const Tape *residues(SimProgram *p, const ManifoldPlan *plan, const MassRow *G) {
  ResultList r = {.arena = p->arena};
  for (uint32_t k = 0; k < plan->count; k++) result_put(&r, plan->rows[k].value);
  for (uint32_t k = 0; k < plan->count; k++) {
    ExprId sum = p->pool.zero;
    for (uint32_t j = 0; j < G[k].count; j++)
      sum = expr_add(&p->pool, sum, expr_mul(&p->pool, G[k].items[j].value, G[k].items[j].value));
    result_put(&r, sum);
  }
  return arena_failed(p->arena) ? NULL : program_tape(p->arena, p, &p->s, r.list.items, r.list.count, false);
}

bool manifold_is_said(const System *s, uint32_t place) {
  const Component *y = &s->y.items[place];
  if (y->from == of_state) return s->states.items[y->of].said;
  const SystemCoord *c = &s->coords.items[y->of];
  return y->kind == component_position ? c->said_q : c->said_v;
}

// Which components stand in the rows; unsaid: those of them whose start was not said.
static bool list_places(SimProgram *p, const ManifoldPlan *plan, const MassRow *G, bool unsaid,
                        ManifoldCorrection *out) {
  bool *stands = arena_array(p->arena, p->y.count, sizeof *stands);
  uint32_t *place = arena_array(p->arena, (size_t)p->y.count + 1, sizeof *place);
  if (!stands || !place) return false;
  for (uint32_t k = 0; k < plan->count; k++) {
    for (uint32_t j = 0; j < G[k].count; j++) stands[G[k].items[j].column] = true;
  }
  for (uint32_t i = 0; i < p->y.count; i++) {
    if (stands[i] && !(unsaid && manifold_is_said(&p->s, i))) place[out->count++] = i;
  }
  out->place = place;
  return true;
}

// The block [W -G'; -G 0] [d; mu] + [y - goal; -value] = 0. given: goals, then weights.
static bool make_block(SimProgram *p, const ManifoldPlan *plan, const MassRow *G, const ManifoldCorrection *step,
                       const SymbolId *given, Block *b) {
  ExprPool *pool = &p->pool;
  uint32_t n = step->count, m = plan->count, all = n + m;
  uint32_t *at = arena_array(p->arena, p->y.count, sizeof *at); // by index in y: column, plus one
  uint32_t *same = arena_array(p->arena, all, sizeof *same);    // each row and column at its own index
  MassRow *rows = arena_array(p->arena, all, sizeof *rows);
  *b = (Block){.count = all, .multipliers = m, .symmetric = true};
  b->unknowns = arena_array(p->arena, all, sizeof *b->unknowns);
  b->rhs = arena_array(p->arena, all, sizeof *b->rhs);
  b->origins = arena_array(p->arena, all, sizeof *b->origins);
  if (arena_failed(p->arena)) return false;
  for (uint32_t i = 0; i < all; i++) {
    same[i] = i;
    b->unknowns[i] = pool_symbol(pool, i < n ? "d" : "mu", sym_unknown, 0, 0);
    if (i >= n) b->rhs[i] = expr_neg(pool, plan->rows[i - n].value);
    if (i >= n) continue;
    at[step->place[i]] = i + 1;
    vec_push(p->arena, &rows[i], ((MassEntry){i, expr_sym(pool, given[n + i])}));
    b->rhs[i] = expr_sub(pool, expr_sym(pool, p->s.y.items[step->place[i]].symbol), expr_sym(pool, given[i]));
  }
  for (uint32_t k = 0; k < m; k++) {
    for (uint32_t j = 0; j < G[k].count; j++) {
      uint32_t c = at[G[k].items[j].column];
      if (!c) continue;
      ExprId g = expr_neg(pool, G[k].items[j].value);
      vec_push(p->arena, &rows[c - 1], ((MassEntry){n + k, g}));
      vec_push(p->arena, &rows[n + k], ((MassEntry){c - 1, g}));
    }
  }
  return !arena_failed(p->arena) && block_from_rows(p->arena, pool, b, rows, same, same);
}

static bool make_step(SimProgram *p, const ManifoldPlan *plan, const MassRow *G, bool unsaid, ManifoldCorrection *out) {
  if (!list_places(p, plan, G, unsaid, out)) return false;
  if (!out->count) return true;
  System s = p->s;
  Block b;
  ResultList r = {.arena = p->arena};
  SymbolId *given = arena_array(p->arena, 2 * (size_t)out->count, sizeof *given);
  s.blocks.items = arena_array(p->arena, (size_t)s.blocks.count + 1, sizeof *s.blocks.items);
  s.steps.items = arena_array(p->arena, (size_t)s.steps.count + 1, sizeof *s.steps.items);
  if (!given || !s.blocks.items || !s.steps.items) return false;
  for (uint32_t i = 0; i < 2 * out->count; i++)
    given[i] = pool_symbol(&p->pool, i < out->count ? "goal" : "weight", sym_held, 0, 0);
  if (!make_block(p, plan, G, out, given, &b)) return false;
  if (s.blocks.count) memcpy(s.blocks.items, p->s.blocks.items, s.blocks.count * sizeof b);
  if (s.steps.count) memcpy(s.steps.items, p->s.steps.items, s.steps.count * sizeof *s.steps.items);
  s.steps.items[s.steps.count++] = (SystemStep){step_solve, s.blocks.count};
  s.blocks.items[s.blocks.count++] = b;
  for (uint32_t i = 0; i < out->count; i++) result_put(&r, expr_sym(&p->pool, b.unknowns[i]));
  if (arena_failed(p->arena)) return false;
  out->tape = program_tape_with(p->arena, p, &s, r.list.items, r.list.count, given, 2 * out->count);
  return out->tape != NULL;
}

// Where the components of each row stand.
static bool list_entries(SimProgram *p, const MassRow *G, ManifoldPlan *plan) {
  uint32_t entries = 0, *start = arena_array(p->arena, (size_t)plan->count + 1, sizeof *start);
  for (uint32_t k = 0; k < plan->count; k++) entries += G[k].count;
  uint32_t *place = arena_array(p->arena, (size_t)entries + 1, sizeof *place);
  if (!start || !place) return false;
  for (uint32_t k = 0, e = 0; k < plan->count; k++) {
    for (uint32_t j = 0; j < G[k].count; j++) place[e++] = G[k].items[j].column;
    start[k + 1] = e;
  }
  plan->start = start;
  plan->place = place;
  return true;
}

const ManifoldPlan *manifold_plan(SimProgram *p) {
  ManifoldPlan *plan = arena_new_of(p->arena, ManifoldPlan);
  if (!plan || !list_rows(p, plan)) return NULL;
  const MassRow *G = find_slopes(p, plan);
  if (!G || !list_entries(p, G, plan) || !(plan->residues = residues(p, plan, G))) return NULL;
  return make_step(p, plan, G, false, &plan->all) && make_step(p, plan, G, true, &plan->unsaid) ? plan : NULL;
}
