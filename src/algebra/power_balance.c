// The power balance of a model: d(stored)/dt = supplied - dissipated, with a proof. A part of facts.h.
//
// in    the account of a System: stored energy, powers
// out   the three expressions; whether the balance is an identity of the equations, decided
// how   d(stored)/dt by the chain rule, with the rates of states put in, less sum_i v_i (M a + h - G' lambda)_i, which
//       is zero on every solution: what is left of it must be supplied - dissipated. Connected inputs stay symbols, for
//       the balance holds whatever comes in. A derivative does not see a jump: of energies that may jump nothing is
//       proved, and where events change what is stored, it holds between them. A large model has its powers shown
//       without the proof.
#include "algebra/facts.h"

#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/decide.h"

enum { most_rows = 24, most_nodes = 4000 }; // of a model whose balance is proved

static bool is_small(System *s) {
  uint32_t length;
  const EnergyFlow *flows = s->energy.flows.items;
  const ExprId roots[] = {s->energy.stored, flows[flow_dissipated].power, flows[flow_supplied].power};
  const ExprId *list = pool_reach(s->pool, roots, 3, NULL, NULL, &length);
  return list && length <= most_nodes && s->coord_count + s->state_count <= most_rows;
}

// Nothing but coordinates by energies, and states with right-hand sides.
static bool is_plain(const System *s) {
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] != source_energies || (s->solved && s->solved[i])) return false;
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    if (!s->f[i] || s->states.items[i].of || s->states.items[i].implicit) return false;
  }
  return !s->tree.balls.count && !s->calls.count && s->energy.flows.count == flow_first_own;
}

static bool may_jump(System *s) {
  ExprId stored = s->energy.stored;
  return !facts_energies_hold(s) || expr_may_jump(s->pool, s->arena, stored, kinds_moving()) ||
         !facts_no_jumps_inside(s, stored);
}

// v_i times the equation of each coordinate, = 0
static ExprId along_velocities(System *s) {
  ExprPool *pool = s->pool;
  ExprId sum = pool->zero;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    ExprId row = s->h[i];
    for (uint32_t j = 0; j < s->coord_count; j++)
      row = expr_add(pool, row, expr_mul(pool, system_mass(s, i, j), expr_sym(pool, s->coords.items[j].a)));
    sum = expr_add(pool, sum, expr_mul(pool, row, expr_sym(pool, s->coords.items[i].v)));
  }
  return sum;
}

static bool prove(System *s) {
  ExprPool *pool = s->pool;
  ExprId rate = s->energy.stored, in = s->energy.flows.items[flow_supplied].power,
         out = s->energy.flows.items[flow_dissipated].power;
  if (s->constraints.count || !is_small(s) || !is_plain(s) || may_jump(s)) return false;
  if (!system_time_derivative(s, &rate, 1, true, &rate)) return false;
  ExprId left = expr_sub(pool, expr_sub(pool, rate, along_velocities(s)), expr_sub(pool, in, out));
  SymbolMap rates = symbol_map_new(pool);
  for (uint32_t i = 0; i < s->state_count; i++) symbol_map_set(&rates, s->states.items[i].rate, s->f[i]);
  return left && expr_replace(pool, &rates, &left, 1, &left) && expr_vanishes(pool, s->arena, left);
}

void facts_balance(System *s, Facts *facts) {
  FactBalance *b = &facts->balance;
  *b = (FactBalance){.kept = s->energy.kept};
  if (!b->kept) return;
  b->stored = s->energy.stored;
  b->dissipated = s->energy.flows.items[flow_dissipated].power;
  b->supplied = s->energy.flows.items[flow_supplied].power;
  const char *cut = s->pool->algebra_cut; // a proof that was too long says nothing about others
  b->proved = prove(s);
  b->between = b->proved && s->whens.count && !facts_events_keep(s, b->stored);
  if (!cut) s->pool->algebra_cut = NULL;
}
