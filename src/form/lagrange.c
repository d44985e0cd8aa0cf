// Lagrange's equations of the second kind.
//
// in    kinetic co-energy T, potential V, further Lagrangian terms; L = T - V + ...; Rayleigh function D; forces Q
// out   M_ij = dp_i/dv_j - dQ_i/da_j
//       h_i  = dp_i/dt (without accelerations) - dL/dq_i + dD/dv_i - Q_i
//       energy: E = v.p - L, powers by the definition of the energy account:
//         dissipated = v.dD/dv + w.dD/dw                    w: inputs and their rates in D
//         supplied   = Q.v + w.dD/dw - dL/dt - dL/du.u' - dL/dx.x'
//
// Bodies bring their share of T, V, p, M and h ready made (tree_terms.h): it is added, not differentiated.
//
// Notation: p_i = dL/dv_i (momentum), a_i = dv_i/dt, u inputs, x states.
#include "form/form.h"
#include "form/tree_terms.h"

#include "expr/occurs.h"

#include <string.h>

typedef struct Lagrange {
  System *s;
  ExprPool *pool;
  uint32_t n;
  ExprId T, V, X, D; // X: terms of `lagrangian`
  ExprId written;    // T - V + X: of energies that are written, without the bodies
  TreeTerms tree;
  const SymbolId *q;
  SymbolIndex v, a;
} Lagrange;

static ExprId *new_row(Lagrange *l) {
  ExprId *row = arena_array(l->s->arena, l->n, sizeof *row);
  for (uint32_t i = 0; row && i < l->n; i++) row[i] = l->pool->zero;
  return row;
}

// The sums of the statements of each kind, and the forces from `power`.
static bool add_up(Lagrange *l, ExprId *Q) {
  System *m = l->s;
  ExprPool *pool = l->pool;
  l->T = l->V = l->X = l->D = pool->zero;
  ExprId P = pool->zero;
  static const char *const labels[] = {"kinetic", "potential", "lagrangian", "dissipation", "power"};
  // sums are built at once: one by one would cost the square of their number
  struct {
    EnergyKind kind;
    ExprId *sum;
  } kinds[] = {{energy_kinetic, &l->T},
               {energy_potential, &l->V},
               {energy_lagrangian, &l->X},
               {energy_dissipation, &l->D},
               {energy_power, &P}};
  Term *terms = arena_array(l->s->arena, m->energies.count, sizeof *terms);
  if (!terms) return false;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->energies.count; i++) {
      const SystemTerm *e = &m->energies.items[i];
      if (e->kind != kinds[k].kind) continue;
      system_origin(l->s, e->span, labels[e->kind], e->value);
      terms[count++] = (Term){RAT_ONE, e->value};
    }
    *kinds[k].sum = expr_sum(pool, terms, count);
  }
  for (uint32_t i = 0; i < m->forces.count; i++) {
    const SystemForce *f = &m->forces.items[i];
    system_origin(l->s, f->span, "force", f->value);
    Q[f->coord] = expr_add(pool, Q[f->coord], f->value);
  }
  ExprId *by_power = P && P != pool->zero ? new_row(l) : NULL;
  if (by_power && !expr_gradient(pool, P, l->v.symbols, l->n, by_power)) return false;
  for (uint32_t i = 0; by_power && i < l->n; i++) Q[i] = expr_add(pool, Q[i], by_power[i]);
  m->lagrange.P = P;
  return l->T && l->V && l->X && l->D && P;
}

// sum over symbols of some kinds inside e:  symbol' * de/dsymbol   or   symbol * de/dsymbol
static ExprId weighted(Lagrange *l, ExprId e, bool (*wanted)(SymbolKind), bool rate) {
  ExprPool *pool = l->pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, &e, 1, NULL, NULL, &length);
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId s = expr_symbol(pool, list[i]);
    const Symbol *x = s ? pool_symbol_get(pool, s) : NULL;
    bool inside = x && x->kind == sym_state && l->s->states.items[x->index].role != state_plain; // of a joint
    if (x && !inside && wanted(x->kind)) vec_push(l->s->arena, &found, s);
  }
  ExprId *slope = arena_array(l->s->arena, (size_t)found.count + 1, sizeof *slope);
  Term *terms = arena_array(l->s->arena, (size_t)found.count + 1, sizeof *terms);
  if (!slope || !terms || !expr_gradient(pool, e, found.items, found.count, slope)) return 0;
  for (uint32_t i = 0; i < found.count; i++) {
    SymbolId factor = rate ? system_rate(l->s, found.items[i]) : found.items[i];
    terms[i] = (Term){RAT_ONE, expr_mul(pool, expr_sym(pool, factor), slope[i])};
    if (!terms[i].term) return 0;
  }
  return expr_sum(pool, terms, found.count);
}

static bool is_input(SymbolKind k) { return k == sym_input || k == sym_input_rate; }
static bool is_outside(SymbolKind k) { return is_input(k) || k == sym_state; }

// sum over coordinates of v_i x_i
static ExprId power_of(Lagrange *l, const ExprId *x) {
  Arena *scratch = l->pool->scratch;
  ArenaMark mark = arena_mark(scratch);
  Term *terms = arena_array(scratch, l->n, sizeof *terms);
  bool ok = terms != NULL;
  for (uint32_t i = 0; i < l->n && ok; i++) {
    terms[i] = (Term){RAT_ONE, expr_mul(l->pool, expr_sym(l->pool, l->s->coords.items[i].v), x[i])};
    ok = terms[i].term != 0;
  }
  ExprId sum = ok ? expr_sum(l->pool, terms, l->n) : 0;
  arena_release(scratch, mark);
  return sum;
}

static void fill_energy(Lagrange *l) {
  System *s = l->s;
  ExprPool *pool = l->pool;
  SystemLagrange *g = &s->lagrange;
  SystemEnergy *e = &s->energy;
  e->kept = true;
  ExprId vd = power_of(l, g->dDdv), vQ = power_of(l, g->Q), T = l->tree.T, V = l->tree.V;
  // of bodies T + V, of all else v p - L
  ExprId *p = arena_array(s->arena, (size_t)l->n + 1, sizeof *p);
  for (uint32_t i = 0; p && i < l->n; i++) p[i] = g->p[i];
  for (uint32_t k = 0; p && k < l->tree.count; k++) {
    uint32_t i = l->tree.freedoms[k].coord;
    if (i != UINT32_MAX) p[i] = expr_sub(pool, p[i], l->tree.p[k]);
  }
  if (!p) return;
  e->stored = expr_sub(pool, power_of(l, p), l->written);
  if (T) e->stored = expr_sum(pool, (Term[]){{RAT_ONE, e->stored}, {RAT_ONE, T}, {RAT_ONE, V}}, 3);
  // what `lagrangian` terms hold without velocities is potential
  e->potential = V ? expr_add(pool, l->V, V) : l->V;
  if (l->X != pool->zero) {
    SymbolMap rest = symbol_map_new(pool);
    for (uint32_t i = 0; i < l->n; i++) symbol_map_set(&rest, s->coords.items[i].v, pool->zero);
    for (uint32_t i = 0; i < s->states.count; i++) {
      if (s->states.items[i].role == state_velocity) symbol_map_set(&rest, s->states.items[i].x, pool->zero);
    }
    ExprId at_rest = 0;
    expr_replace(pool, &rest, &l->X, 1, &at_rest);
    e->potential = expr_sub(pool, e->potential, at_rest);
  }
  e->kinetic = expr_sub(pool, e->stored, e->potential);
  ExprId wD = weighted(l, l->D, is_input, false);
  e->flows.items[flow_dissipated].power = expr_add(pool, vd, wD);
  ExprId outside = expr_add(pool, expr_diff(pool, l->written, s->time), weighted(l, l->written, is_outside, true));
  e->flows.items[flow_supplied].power = expr_sub(pool, expr_add(pool, vQ, wD), outside);
}

// Forces may hold accelerations: these belong to M.
static bool fill_added_inertia(Lagrange *l, const ExprId *Q) {
  System *s = l->s;
  for (uint32_t i = 0; i < l->n; i++) {
    if (!expr_has_kind(l->pool, Q[i], sym_acceleration)) continue;
    ArenaMark mark = arena_mark(l->pool->scratch);
    uint32_t count;
    const uint32_t *columns = symbol_index_in(l->pool, &l->a, Q[i], &count);
    bool ok = columns != NULL;
    for (uint32_t k = 0; ok && k < count; k++) {
      ExprId d = expr_diff(l->pool, Q[i], s->coords.items[columns[k]].a);
      ok = system_mass_set(s, i, columns[k], expr_sub(l->pool, system_mass(s, i, columns[k]), d));
    }
    arena_release(l->pool->scratch, mark);
    if (!ok) return false;
  }
  return true;
}

// The share of bodies: p, dL/dq, d(p)/dt, M and h. What is a ball's is no coordinate's (tree.c).
static bool add_bodies(Lagrange *l) {
  System *s = l->s;
  ExprPool *pool = l->pool;
  SystemLagrange *g = &s->lagrange;
  TreeTerms *t = &l->tree;
  ExprId *M = arena_array(s->arena, (size_t)t->count * t->count + 1, sizeof *M);
  if (!M || !tree_matrix(s, t, M)) return false;
  uint32_t *which = arena_array(s->arena, (size_t)2 * t->count + 1, sizeof *which);
  SymbolId *rates = arena_array(s->arena, (size_t)t->count + 1, sizeof *rates);
  if (!which || !rates) return false;
  for (uint32_t k = 0; k < t->count; k++) {
    which[k] = t->freedoms[k].coord;
    which[t->count + k] = t->freedoms[k].state;
    rates[k] = s->tree.links.items[t->freedoms[k].link].a[t->freedoms[k].part];
  }
  s->bodies = (SystemFreedoms){t->count, which, which + t->count, rates, M, t->h, NULL};
  for (uint32_t k = 0; k < t->count; k++) {
    uint32_t i = t->freedoms[k].coord;
    if (i == UINT32_MAX) continue;
    ExprId slope = expr_sub(pool, t->dTdq[k], t->dVdq[k]);
    g->p[i] = expr_add(pool, g->p[i], t->p[k]);
    g->dLdq[i] = expr_add(pool, g->dLdq[i], slope);
    g->dpdt0[i] = expr_sum(pool, (Term[]){{RAT_ONE, g->dpdt0[i]}, {RAT_ONE, t->h[k]}, {RAT_ONE, slope}}, 3);
    s->h[i] = expr_add(pool, s->h[i], t->h[k]);
    for (uint32_t j = 0; j < t->count; j++) {
      uint32_t column = t->freedoms[j].coord;
      if (column == UINT32_MAX || expr_is_zero(pool, M[k * t->count + j])) continue;
      if (!system_mass_set(s, i, column, expr_add(pool, system_mass(s, i, column), M[k * t->count + j]))) return false;
    }
    if (!s->h[i]) return false;
  }
  return true;
}

static bool fill_equations(Lagrange *l) {
  System *s = l->s;
  ExprPool *pool = l->pool;
  SystemLagrange *g = &s->lagrange;
  uint32_t n = l->n;
  if (!expr_gradient(pool, l->written, l->v.symbols, n, g->p) || !expr_gradient(pool, l->written, l->q, n, g->dLdq) ||
      !expr_gradient(pool, l->D, l->v.symbols, n, g->dDdv) || !system_time_derivative(s, g->p, n, false, g->dpdt0))
    return false;
  ExprId *Q0 = arena_array(s->arena, n, sizeof *Q0);
  if (!Q0) return false;
  SymbolMap rest = symbol_map_new(pool);
  for (uint32_t i = 0; i < n; i++) symbol_map_set(&rest, s->coords.items[i].a, pool->zero);
  if (!expr_replace(pool, &rest, g->Q, n, Q0) || !sparse_hessian(s->arena, pool, g->p, n, &l->v, s->M) ||
      !fill_added_inertia(l, g->Q))
    return false;
  for (uint32_t i = 0; i < n; i++) {
    Term terms[] = {{RAT_ONE, g->dpdt0[i]}, {rat_int(-1), g->dLdq[i]}, {RAT_ONE, g->dDdv[i]}, {rat_int(-1), Q0[i]}};
    s->h[i] = expr_sum(pool, terms, 4);
    if (!s->h[i]) return false;
  }
  return !l->tree.count || add_bodies(l);
}

// The velocities, positions and accelerations, as lists.
static bool index_coords(Lagrange *l) {
  System *s = l->s;
  SymbolId *q = arena_array(s->arena, (size_t)3 * l->n + 1, sizeof *q), *v = q + l->n, *a = v + l->n;
  for (uint32_t i = 0; q && i < l->n; i++) {
    q[i] = s->coords.items[i].q;
    v[i] = s->coords.items[i].v;
    a[i] = s->coords.items[i].a;
  }
  l->q = q;
  return q && symbol_index(s->arena, l->pool, v, l->n, &l->v) && symbol_index(s->arena, l->pool, a, l->n, &l->a);
}

// What bodies bring: of large trees energies alone.
static bool add_tree(Lagrange *l) {
  if (!l->s->tree.links.count) return true;
  return tree_is_large(l->s) ? tree_energies(l->s, &l->tree) : tree_terms(l->s, &l->tree);
}

static bool lagrange_fill(System *s) {
  Lagrange lagrange = {.s = s, .pool = s->pool, .n = s->coord_count}, *l = &lagrange;
  SystemLagrange *g = &s->lagrange;
  g->p = new_row(l);
  g->dLdq = new_row(l);
  g->dDdv = new_row(l);
  g->Q = new_row(l);
  g->dpdt0 = new_row(l);
  g->L = g->D = s->pool->zero;
  if (arena_failed(s->arena)) return false;
  if (s->energies.count == 0 && s->forces.count == 0 && !s->tree.links.count) return true;
  if (!index_coords(l) || !add_up(l, g->Q) || !add_tree(l)) return false;
  g->used = true;
  g->D = l->D;
  g->L = l->written = expr_sum(s->pool, (Term[]){{RAT_ONE, l->T}, {rat_int(-1), l->V}, {RAT_ONE, l->X}}, 3);
  g->written = l->written;
  g->inertial = expr_add(s->pool, l->T, l->X);
  if (l->tree.count)
    g->L = expr_sum(s->pool, (Term[]){{RAT_ONE, l->written}, {RAT_ONE, l->tree.T}, {rat_int(-1), l->tree.V}}, 3);
  if (!g->L || !fill_equations(l)) return false;
  if (g->L != s->pool->zero || l->tree.T) fill_energy(l);
  return !arena_failed(s->arena);
}

const Formulation lagrange_formulation = {.fill = lagrange_fill};
