// Constants of motion by Noether's theorem: momentum, angular momentum and energy, each proved in the normal form.
//
// in    L(t, q, v), D, Q; g_i = dL/dq_i + Q_i - dD/dv_i, so that dp_i/dt = g_i
// out   I = sum xi_i p_i with xi_i = a_i + sum_j B_ij q_j, where  sum xi_i g_i + sum_ij B_ij v_j p_i = 0
//       E = v.p - L where supplied = dissipated
//
// a are shifts of coordinates (momenta), B rotates them (angular momenta). The condition is linear in a and B:
// candidates come from points modulo a prime, and each is proved zero in the normal form. Inputs that are zero by
// default count as zero, and the result says so. Forces of constraints must do no work on the shift or rotation: sum
// xi_i G_ki = 0 for each constraint k, conditions of the same kind.
//
// The derivatives see no jump. So no energy may jump along a trajectory, and corners (kinks) must be functions of
// positions, not of velocities or states: a trajectory passes a corner in positions, and E and p are continuous there.
#include "algebra/facts.h"

#include "algebra/constrained.h"
#include "algebra/derivation.h"
#include "algebra/unit_quaternions.h"

#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/decide.h"
#include "expr/modular.h"

#include <string.h>

enum {
  most_turned = 12,  // coordinates of which rotations are looked for: B has their square as unknowns
  most_shifted = 200 // coordinates of which shifts are looked for
};

typedef struct Noether {
  System *s;
  ExprPool *pool;
  Arena *arena;
  uint32_t n;
  ExprId *g, *p, *g0, *p0; // g0, p0: with the inputs that are zero
  SymbolMap zero;
  bool any_zero;
} Noether;

static ExprId coord(const Noether *w, uint32_t i) { return expr_sym(w->pool, w->s->coords.items[i].q); }
static ExprId velocity(const Noether *w, uint32_t i) { return expr_sym(w->pool, w->s->coords.items[i].v); }

static bool proved_zero(Noether *w, ExprId id) {
  return id && (expr_is_zero(w->pool, id) || decide_zero(w->pool, w->arena, id).verdict == verdict_equal);
}

static ExprId without_inputs(Noether *w, ExprId id) {
  ExprId out = 0;
  return expr_replace(w->pool, &w->zero, &id, 1, &out) ? out : 0;
}

static bool prepare(Noether *w) {
  System *s = w->s;
  uint32_t n = w->n;
  w->zero = symbol_map_new(w->pool);
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    const Definition *d = &s->definitions.items[i];
    const Symbol *symbol = pool_symbol_get(w->pool, d->symbol);
    bool input = symbol->kind == sym_input || symbol->kind == sym_input_rate;
    if (!input || !expr_is_zero(w->pool, s->inputs.items[symbol->index].value)) continue;
    symbol_map_set(&w->zero, d->symbol, w->pool->zero);
    w->any_zero = true;
  }
  w->g = arena_array(w->arena, n, sizeof *w->g);
  w->g0 = arena_array(w->arena, n, sizeof *w->g0);
  w->p = s->lagrange.p;
  w->p0 = arena_array(w->arena, n, sizeof *w->p0);
  if (!w->g || !w->g0 || !w->p0) return false;
  for (uint32_t i = 0; i < n; i++) {
    w->g[i] = expr_sum(
        w->pool,
        (Term[]){{RAT_ONE, s->lagrange.dLdq[i]}, {RAT_ONE, s->lagrange.Q[i]}, {rat_int(-1), s->lagrange.dDdv[i]}}, 3);
    w->g0[i] = without_inputs(w, w->g[i]);
    w->p0[i] = without_inputs(w, w->p[i]);
    if (!w->g[i] || !w->g0[i] || !w->p0[i]) return false;
  }
  return true;
}

// " while F1 = 0": the inputs that were taken as zero and stand in the expression.
static const char *condition(Noether *w, ExprId with_inputs) {
  if (!w->any_zero || proved_zero(w, with_inputs)) return NULL;
  Text t = text_in(w->arena);
  const System *m = w->s;
  for (uint32_t i = 0; i < m->inputs.count; i++) {
    const SystemInput *in = &m->inputs.items[i];
    bool stands = expr_is_zero(w->pool, in->value) && expr_depends(w->pool, with_inputs, in->symbol);
    for (uint32_t k = 0; k < m->input_rates.count && !stands; k++) {
      stands = m->input_rates.items[k].input == i && expr_is_zero(w->pool, in->value) &&
               expr_depends(w->pool, with_inputs, m->input_rates.items[k].symbol);
    }
    if (stands) text_printf(&t, "%s%s = 0", t.length ? ", " : "while ", in->name);
  }
  return t.length ? text_str(&t) : NULL;
}

static bool is_rate(const SystemTerm *e) { return e->kind == energy_dissipation || e->kind == energy_power; }

// What is differentiated by velocities alone gives an impulse where it jumps with them; a jump elsewhere is one of the
// force. The same goes for an energy, unless a momentum comes of it: that jumps with anything.
KindSet facts_impulse_kinds(System *s, const SystemTerm *e) {
  if (is_rate(e)) return kind_set(sym_velocity);
  return expr_has_kind(s->pool, e->value, sym_velocity) ? kinds_moving() : kind_set(sym_coord);
}

bool facts_energy_jumps(System *s, const SystemTerm *e) {
  return expr_may_jump(s->pool, s->arena, e->value, facts_impulse_kinds(s, e));
}

bool facts_energies_hold(System *s) {
  // what jumps by itself, at events or in a run
  KindSet jumping = kind_set(sym_memory) | kind_set(sym_mode) | kind_set(sym_delay) | kind_set(sym_friction) |
                    kind_set(sym_signal) | kind_set(sym_unknown) | kind_set(sym_multiplier) | kind_set(sym_held);
  for (uint32_t i = 0; i < s->energies.count; i++) {
    const SystemTerm *e = &s->energies.items[i];
    if (facts_energy_jumps(s, e)) return false;
    if (is_rate(e)) continue;
    if (expr_may_jump(s->pool, s->arena, e->value, kinds_moving())) return false;
    if (expr_has_kinds(s->pool, e->value, jumping)) return false;
    if (expr_has_corner(s->pool, e->value, kind_set(sym_velocity) | kind_set(sym_state))) return false;
  }
  return true;
}

bool facts_no_jumps_inside(System *s, ExprId value) {
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    const SystemInput *in = &s->inputs.items[i];
    bool rate = false;
    for (uint32_t k = 0; k < s->input_rates.count && !rate; k++)
      rate = s->input_rates.items[k].input == i && expr_depends(s->pool, value, s->input_rates.items[k].symbol);
    if (!rate && !expr_depends(s->pool, value, in->symbol)) continue;
    if (rate && expr_has_corner(s->pool, in->value, kinds_moving())) return false;
    KindSet jumping = kind_set(sym_memory) | kind_set(sym_mode) | kind_set(sym_delay) | kind_set(sym_friction) |
                      kind_set(sym_signal) | kind_set(sym_unknown) | kind_set(sym_multiplier) | kind_set(sym_input) |
                      kind_set(sym_input_rate);
    if (expr_has_kinds(s->pool, in->value, jumping) || expr_may_jump(s->pool, s->arena, in->value, kinds_moving()))
      return false;
  }
  return true;
}

bool facts_events_keep(System *s, ExprId value) {
  for (uint32_t i = 0; i < s->whens.count; i++) {
    const SystemWhen *e = &s->whens.items[i];
    SymbolMap map = symbol_map_new(s->pool);
    for (uint32_t k = 0; k < e->assigns.count; k++) {
      const SystemAssign *a = &e->assigns.items[k];
      SymbolId target = a->kind == assign_state   ? s->states.items[a->index].x
                        : a->kind == assign_place ? s->coords.items[a->index].q
                                                  : s->coords.items[a->index].v;
      symbol_map_set(&map, target, a->value);
    }
    ExprId after = 0;
    if (!expr_replace(s->pool, &map, &value, 1, &after)) return false;
    if (after != value && decide_equal(s->pool, s->arena, after, value).verdict != verdict_equal) return false;
  }
  return true;
}

static void put(Noether *w, Facts *facts, const char *what, ExprId value, ExprId residue) {
  if (!facts_no_jumps_inside(w->s, value)) return;
  bool turns = w->s->tree.balls.count != 0;
  ExprId shown = turns ? expr_group(w->pool, unit_quaternions(w->s, value, derive_most_terms)) : 0;
  FactConstant c = {what, shown ? shown : expr_short(w->pool, w->arena, value), condition(w, residue)};
  if (!facts_events_keep(w->s, value))
    c.condition = c.condition ? arena_printf(w->arena, "between the events, %s", c.condition) : "between the events";
  vec_push(w->arena, &facts->constants, c);
}

// ---- shifts and rotations

// In words: which coordinates take part.
static const char *words(Noether *w, const Rat *v, bool turns) {
  Text t = text_in(w->arena);
  uint32_t n = w->n, count = 0, last = 0;
  bool turned = false;
  for (uint32_t i = 0; i < n; i++) {
    bool part = !rat_is_zero(v[i]);
    for (uint32_t j = 0; turns && j < n; j++) {
      bool own = !rat_is_zero(v[n + i * n + j]);
      part = part || own;
      turned = turned || own;
    }
    if (part) {
      count++;
      last = i;
    }
  }
  text_put(&t, turned ? "the angular momentum of " : "the momentum of ");
  bool first = true;
  for (uint32_t i = 0; i < n; i++) {
    bool part = !rat_is_zero(v[i]);
    for (uint32_t j = 0; turns && j < n; j++) part = part || !rat_is_zero(v[n + i * n + j]);
    if (!part) continue;
    text_printf(&t, "%s%s", first ? "" : i == last ? " and " : ", ", w->s->coords.items[i].name);
    first = false;
  }
  if (count > 1) text_put(&t, turned ? ", turned together" : ", moved together");
  return text_str(&t);
}

static ExprId times(Noether *w, Rat c, ExprId a, ExprId b) { return expr_scale(w->pool, c, expr_mul(w->pool, a, b)); }

// Numbers whole and the first one positive: I and its multiples say the same.
static void make_whole(Rat *v, uint32_t count, Arena *arena) {
  Rat factor = RAT_ONE;
  for (uint32_t i = 0; i < count; i++) {
    Rat x = rat_mul(arena, v[i], factor);
    if (rat_valid(x) && !rat_is_int(x) && !x.big) factor = rat_mul(arena, factor, rat_int(x.den));
  }
  uint32_t first = 0;
  while (first < count && rat_is_zero(v[first])) first++;
  if (first < count && rat_sign(v[first]) < 0) factor = rat_neg(arena, factor);
  for (uint32_t i = 0; i < count; i++) v[i] = rat_mul(arena, v[i], factor);
}

// What row k of the conditions, behind the first that of a constraint, has in the column of a shift or rotation.
static ExprId condition_entry(Noether *w, uint32_t k, uint32_t i, uint32_t j, bool turn) {
  ExprId force = k ? constrained_slope(w->s, k - 1, i) : w->g0[i];
  if (!turn) return force;
  ExprId turned = expr_mul(w->pool, coord(w, j), force);
  return k ? turned : expr_add(w->pool, turned, expr_mul(w->pool, velocity(w, j), w->p0[i]));
}

// Forces of constraints do no work on the shift or rotation, proved.
static bool without_constraints(Noether *w, const Rat *v, bool turns) {
  uint32_t n = w->n;
  for (uint32_t k = 1; k <= w->s->constraints.count; k++) {
    ExprId sum = w->pool->zero;
    for (uint32_t i = 0; i < (turns ? n + n * n : n); i++) {
      uint32_t at = i < n ? i : (i - n) / n;
      if (!rat_is_zero(v[i]))
        sum = expr_add(w->pool, sum,
                       expr_scale(w->pool, v[i], condition_entry(w, k, at, i < n ? 0 : (i - n) % n, i >= n)));
    }
    if (!proved_zero(w, sum)) return false;
  }
  return true;
}

static void symmetry(Noether *w, Facts *facts, Rat *v, bool turns) {
  uint32_t n = w->n;
  make_whole(v, turns ? n + n * n : n, w->arena);
  // a rotation is counter-clockwise: x*y' - y*x'
  bool shifts = false, flip = false;
  for (uint32_t i = 0; i < n; i++) shifts = shifts || !rat_is_zero(v[i]);
  for (uint32_t i = n; turns && !shifts && i < n + n * n; i++) {
    if (rat_is_zero(v[i])) continue;
    flip = rat_sign(v[i]) > 0;
    break;
  }
  for (uint32_t i = 0; flip && i < n + n * n; i++) v[i] = rat_neg(w->arena, v[i]);
  ExprId I = w->pool->zero, residue = I, residue0 = I;
  for (uint32_t i = 0; i < n; i++) {
    ExprId xi = expr_num(w->pool, v[i]);
    for (uint32_t j = 0; turns && j < n; j++) {
      Rat b = v[n + i * n + j];
      if (rat_is_zero(b)) continue;
      xi = expr_add(w->pool, xi, expr_scale(w->pool, b, coord(w, j)));
      residue = expr_add(w->pool, residue, times(w, b, velocity(w, j), w->p[i]));
      residue0 = expr_add(w->pool, residue0, times(w, b, velocity(w, j), w->p0[i]));
    }
    I = expr_add(w->pool, I, expr_mul(w->pool, xi, w->p0[i]));
    residue = expr_add(w->pool, residue, expr_mul(w->pool, xi, w->g[i]));
    residue0 = expr_add(w->pool, residue0, expr_mul(w->pool, xi, w->g0[i]));
  }
  // a combination of nothing is no discovery
  if (!I || proved_zero(w, I) || !proved_zero(w, residue0) || !without_constraints(w, v, turns)) return;
  put(w, facts, words(w, v, turns), I, residue);
}

static void symmetries(Noether *w, Facts *facts) {
  uint32_t n = w->n;
  if (n > most_shifted && !facts->given_up)
    facts->given_up =
        arena_printf(w->arena, "momenta of combinations are looked for among at most %d coordinates", most_shifted);
  if (n == 0 || n > most_shifted) return;
  bool turns = n <= most_turned;
  uint32_t columns = turns ? n + n * n : n, rows = 1 + w->s->constraints.count;
  ExprId *table = arena_array(w->arena, (size_t)rows * columns, sizeof *table);
  ModularRelations r;
  if (!table || !relations_open(&r, w->arena, columns)) return;
  // shifts last: a reduced basis writes the others with as few of them as can be
  for (uint32_t k = 0; k < rows; k++) {
    ExprId *row = table + (size_t)k * columns;
    for (uint32_t i = 0; i < n; i++) {
      row[i] = condition_entry(w, k, i, 0, false);
      for (uint32_t j = 0; turns && j < n; j++) row[n + i * n + j] = condition_entry(w, k, i, j, true);
    }
  }
  for (uint32_t i = 0; i < rows * columns; i++) {
    if (!table[i]) return;
  }
  Rat *basis;
  if (!relations_sample(&r, w->pool, w->arena, table, rows)) return;
  uint32_t count = relations_solve(&r, w->arena, relation_small, &basis);
  for (uint32_t k = 0; k < count && k < 50; k++) symmetry(w, facts, basis + (size_t)k * columns, turns);
}

// Linear damping integrates: dp/dt = -sum d_j v_j gives p + sum d_j q_j.
static void damped_momenta(Noether *w, Facts *facts) {
  for (uint32_t i = 0; i < w->n; i++) {
    if (proved_zero(w, w->g0[i]) || constrained_holds(w->s, i)) continue;
    ExprId I = w->p0[i], rest = w->g0[i];
    bool plain = true;
    for (uint32_t j = 0; j < w->n && plain; j++) {
      ExprId d = expr_expand(w->pool, expr_diff(w->pool, w->g0[i], w->s->coords.items[j].v), derive_most_terms);
      plain = d && expr_only_kinds(w->pool, d, kind_set(sym_param));
      if (!plain) break;
      I = expr_sub(w->pool, I, expr_mul(w->pool, d, coord(w, j)));
      rest = expr_sub(w->pool, rest, expr_mul(w->pool, d, velocity(w, j)));
    }
    if (!plain || !proved_zero(w, rest) || proved_zero(w, I)) continue;
    const char *what =
        arena_printf(w->arena, "the momentum of %s with its velocity forces integrated", w->s->coords.items[i].name);
    put(w, facts, what, I, expr_add(w->pool, rest, expr_sub(w->pool, w->g[i], w->g0[i])));
  }
}

static void energy(Noether *w, Facts *facts) {
  System *s = w->s;
  if (!s->energy.kept) return;
  ExprId E = without_inputs(w, s->energy.stored), rate = expr_sub(w->pool, s->energy.flows.items[flow_supplied].power,
                                                                  s->energy.flows.items[flow_dissipated].power);
  SymbolMap rates = symbol_map_new(w->pool);
  for (uint32_t i = 0; i < s->state_count; i++) symbol_map_set(&rates, s->states.items[i].rate, s->f[i]);
  if (!rate || !expr_replace(w->pool, &rates, &rate, 1, &rate)) return;
  KindSet moving = kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_state);
  if (!E || !expr_has_kinds(w->pool, E, moving) || !proved_zero(w, without_inputs(w, rate))) return;
  put(w, facts, "the energy", E, rate);
}

void facts_constants(System *s, Facts *facts) {
  Noether noether = {.s = s, .pool = s->pool, .arena = s->arena, .n = s->coord_count}, *w = &noether;
  if (!s->lagrange.used || !prepare(w)) return;
  for (uint32_t i = 0; i < w->n; i++) {
    if (s->source[i] == source_equation || s->source[i] == source_implicit) return; // its momentum is no p
  }
  if (!facts_energies_hold(s)) return;
  energy(w, facts);
  symmetries(w, facts);
  damped_momenta(w, facts);
}
