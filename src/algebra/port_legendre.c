// Coordinates in port-Hamiltonian form: Legendre's transformation.
//
// in    L, D, Q of a system
// out   states q, p, and the inputs that stand in L; H(q, p) = p.v - L; x' = F dH + E u + g, y = W dH + S u
// how   p = dL/dv. Each connected part of M = dp/dv by its law: p = M v + c with few coordinates by the adjugate of M;
//       one coordinate with p = f(v) by the inverse of f; else velocities stay in H, and p = dL/dv says what they are.
//       dH/dq = -dL/dq and dH/dp = v at equal p, so p' = dL/dq + Q - dD/dv = -dH/dq - K v + (B - C) u + rest.
//
// A coordinate without inertia has no momentum. Its equation is solved for its velocity, which is one row,
//       v_a = K_aa^-1 (-dH/dq_a - K_ab v_b + (B - C)_a u)
// and put into the others. An input in L becomes a state, and its rate the port.
#include "algebra/port_form.h"

#include "algebra/closed_inverse.h"
#include "algebra/style.h"
#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/rebuild.h"
#include "expr/value.h"

enum {
  most_exact = 3,      // coordinates of a part whose M is inverted
  most_inertialess = 6 // velocities that are solved for together
};

typedef struct PortTurn {
  System *s;
  ExprPool *pool;
  PortForm *out;
  uint32_t n;      // coordinates
  ExprId *M;       // dp/dv, n * n
  uint32_t *part;  // of each coordinate: its root
  bool *still;     // it has no momentum
  SymbolId *p;     // momenta; 0: none
  ExprId *v;       // velocities in q and p; 0: they stay
  bool *curved;    // by coordinate: p is no linear function of its velocity
  ExprId *doubled; // by root: twice the kinetic energy of a part in q and p; 0: it is found otherwise
  uint32_t *at_q, *at_p;
  VEC(SymbolId) held;  // inputs that stand in L: states
  VEC(SymbolId) ports; // inputs and rates
  SymbolMap map;       // velocities to v
  bool velocities;     // everything stays in them
  ExprId *steady;      // by coordinate: a constant force, which is a potential; 0: none
} PortTurn;

static uint32_t root_of(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static SymbolId velocity(const PortTurn *t, uint32_t i) { return t->s->coords.items[i].v; }

// ---- inputs: which are states, which are ports

static bool listed(const SymbolId *items, uint32_t count, SymbolId symbol) {
  for (uint32_t i = 0; i < count; i++) {
    if (items[i] == symbol) return true;
  }
  return false;
}

// The symbols of some kinds below roots, once each, in the order of the model.
static void gather(PortTurn *t, const ExprId *roots, uint32_t count, SymbolKind kind, bool held) {
  uint32_t length;
  const ExprId *list = pool_reach(t->pool, roots, count, NULL, NULL, &length);
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(t->pool, list[i]);
    if (symbol && pool_symbol_get(t->pool, symbol)->kind == kind) vec_push(t->s->arena, &found, symbol);
  }
  for (uint32_t round = 0; round < found.count; round++) {
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < found.count; i++) {
      if (found.items[i] && (least == UINT32_MAX || pool_symbol_get(t->pool, found.items[i])->index <
                                                        pool_symbol_get(t->pool, found.items[least])->index))
        least = i;
    }
    SymbolId symbol = found.items[least];
    found.items[least] = 0;
    if (listed(t->held.items, t->held.count, symbol)) continue;
    if (held) vec_push(t->s->arena, &t->held, symbol);
    else if (!listed(t->ports.items, t->ports.count, symbol)) vec_push(t->s->arena, &t->ports, symbol);
  }
}

static bool find_ports(PortTurn *t) {
  const SystemLagrange *g = &t->s->lagrange;
  ExprId *roots = arena_array(t->s->arena, (size_t)t->n + 1, sizeof *roots);
  if (!roots) return false;
  for (uint32_t i = 0; i < t->n; i++) roots[i] = g->Q[i];
  roots[t->n] = g->D;
  gather(t, &g->L, 1, sym_input, true);
  gather(t, roots, t->n + 1, sym_input, false);
  gather(t, roots, t->n + 1, sym_input_rate, false);
  for (uint32_t k = 0; k < t->held.count; k++) {
    SymbolId rate = system_rate(t->s, t->held.items[k]);
    if (!rate) return false;
    if (!listed(t->ports.items, t->ports.count, rate)) vec_push(t->s->arena, &t->ports, rate);
  }
  return !arena_failed(t->s->arena);
}

// ---- v of p

static bool differentiate(PortTurn *t) {
  System *s = t->s;
  uint32_t n = t->n;
  ExprId *column = arena_array(s->arena, (size_t)n + 1, sizeof *column);
  t->M = arena_array(s->arena, (size_t)n * n + 1, sizeof *t->M);
  t->part = arena_array(s->arena, (size_t)n + 1, sizeof *t->part);
  t->still = arena_array(s->arena, (size_t)n + 1, sizeof *t->still);
  t->p = arena_array(s->arena, (size_t)n + 1, sizeof *t->p);
  t->v = arena_array(s->arena, (size_t)n + 1, sizeof *t->v);
  t->curved = arena_array(s->arena, (size_t)n + 1, sizeof *t->curved);
  t->doubled = arena_array(s->arena, (size_t)n + 1, sizeof *t->doubled);
  t->at_q = arena_array(s->arena, (size_t)n + 1, sizeof *t->at_q);
  t->at_p = arena_array(s->arena, (size_t)n + 1, sizeof *t->at_p);
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < n; i++) t->part[i] = i;
  for (uint32_t j = 0; j < n; j++) {
    if (!expr_diff_all(t->pool, s->lagrange.p, n, velocity(t, j), column)) return false;
    for (uint32_t i = 0; i < n; i++) {
      t->M[i * n + j] = port_tidy(t->pool, column[i]);
      if (t->M[i * n + j] != t->pool->zero) t->part[root_of(t->part, i)] = root_of(t->part, j);
    }
  }
  return true;
}

// Without a momentum: p is identically zero. A singular M of another kind has no transformation here.
static void find_still(PortTurn *t) {
  for (uint32_t i = 0; i < t->n && !t->out->why; i++) {
    t->still[i] = expr_vanishes(t->pool, t->s->arena, t->s->lagrange.p[i]);
    bool singular = t->s->role[i] != coord_inertia && !t->still[i];
    if (singular)
      t->out->why = arena_printf(t->s->arena, "the momenta do not determine the velocity of %s: M is singular",
                                 t->s->coords.items[i].name);
  }
}

static const char *momentum_name(System *s, const char *coord) { return arena_printf(s->arena, "p.%s", coord); }

static bool free_of_velocities(const PortTurn *t, const uint32_t *members, uint32_t count) {
  for (uint32_t a = 0; a < count; a++) {
    for (uint32_t b = 0; b < count; b++) {
      if (expr_has_kind(t->pool, t->M[members[a] * t->n + members[b]], sym_velocity)) return false;
    }
  }
  return true;
}

// The least power of a symbol in all terms of a sum; RAT_NONE-like 0 where one lacks it.
static int64_t least_power(const ExprPool *pool, ExprId sum, ExprId base) {
  int64_t least = INT64_MAX;
  for (uint32_t i = 0; i < expr_term_count(pool, sum); i++) {
    ExprId term = expr_term(pool, sum, i).term;
    int64_t here = term == base ? 1 : 0;
    for (uint32_t k = 0; expr_op(pool, term) == op_mul && k < expr_factor_count(pool, term); k++) {
      Factor f = expr_factor(pool, term, k);
      Rat e;
      if (f.base == base && expr_number(pool, f.exponent, &e) && rat_is_int(e)) here = e.num;
    }
    least = here < least ? here : least;
  }
  return least;
}

// Symbols that are factors of every term above and below.
static ExprId fraction(ExprPool *pool, ExprId above, ExprId below) {
  above = expr_expand(pool, above, 20000);
  if (!above || !below || above == pool->zero) return above;
  ExprId common = pool->one, term = expr_term(pool, below, 0).term;
  for (uint32_t k = 0; expr_op(pool, term) == op_mul && k < expr_factor_count(pool, term); k++) {
    ExprId base = expr_factor(pool, term, k).base;
    if (!expr_symbol(pool, base)) continue;
    int64_t a = least_power(pool, above, base), b = least_power(pool, below, base), least = a < b ? a : b;
    if (least > 0) common = expr_mul(pool, common, expr_powi(pool, base, least));
  }
  if (common != pool->one) {
    above = expr_expand(pool, expr_div(pool, above, common), 20000);
    below = expr_expand(pool, expr_div(pool, below, common), 20000);
  }
  return expr_div(pool, expr_group(pool, above), expr_group(pool, below));
}

// Cofactors of a matrix of at most three rows, and its determinant.
static ExprId cofactors(ExprPool *pool, const ExprId *m, uint32_t n, ExprId *out) {
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      uint32_t r[2] = {(i + 1) % n, (i + 2) % n}, c[2] = {(j + 1) % n, (j + 2) % n};
      ExprId minor = pool->one;
      if (n == 2) minor = (i + j) % 2 ? expr_neg(pool, m[r[0] * n + c[0]]) : m[r[0] * n + c[0]];
      // going round, a three by three minor has its sign already
      if (n == 3)
        minor = expr_sub(pool, expr_mul(pool, m[r[0] * n + c[0]], m[r[1] * n + c[1]]),
                         expr_mul(pool, m[r[0] * n + c[1]], m[r[1] * n + c[0]]));
      out[i * n + j] = expr_expand(pool, minor, 20000);
    }
  }
  ExprId det = pool->zero;
  for (uint32_t j = 0; j < n; j++) det = expr_add(pool, det, expr_mul(pool, m[j], out[j]));
  return expr_expand(pool, det, 20000);
}

// v = M^-1 (p - c), by the adjugate
static bool turn_linear(PortTurn *t, uint32_t root, const uint32_t *members, uint32_t count) {
  ExprPool *pool = t->pool;
  SymbolMap rest = symbol_map_new(pool);
  ExprId m[most_exact * most_exact], cofactor[most_exact * most_exact], excess[most_exact];
  for (uint32_t i = 0; i < t->n; i++) symbol_map_set(&rest, velocity(t, i), pool->zero);
  for (uint32_t i = 0; i < count * count; i++) m[i] = t->M[members[i / count] * t->n + members[i % count]];
  ExprId det = cofactors(pool, m, count, cofactor), doubled = pool->zero;
  if (!det || det == pool->zero) return false;
  for (uint32_t j = 0; j < count; j++) {
    ExprId c = 0;
    if (!expr_replace(pool, &rest, &t->s->lagrange.p[members[j]], 1, &c)) return false;
    excess[j] = expr_sub(pool, expr_sym(pool, t->p[members[j]]), expr_expand(pool, c, 20000));
  }
  for (uint32_t i = 0; i < count; i++) {
    ExprId sum = pool->zero;
    for (uint32_t j = 0; j < count; j++) sum = expr_add(pool, sum, expr_mul(pool, cofactor[j * count + i], excess[j]));
    doubled = expr_add(pool, doubled, expr_mul(pool, sum, excess[i]));
    t->v[members[i]] = fraction(pool, sum, det);
    if (!t->v[members[i]]) return false;
  }
  t->doubled[root] = fraction(pool, doubled, det);
  return t->doubled[root] != 0;
}

// v = inverse(f)(p), as a formula where there is one
static bool turn_inverse(PortTurn *t, uint32_t i) {
  ExprPool *pool = t->pool;
  t->curved[i] = true;
  t->v[i] = closed_inverse(pool, t->s->lagrange.p[i], velocity(t, i), expr_sym(pool, t->p[i]));
  if (t->v[i]) return true;
  SymbolId bound = pool_symbol(pool, style_free_name(t->s, "v"), sym_bound, bound_outermost, 0);
  SymbolMap map = symbol_map_new(pool);
  ExprId body = 0, p = t->s->lagrange.p[i];
  symbol_map_set(&map, velocity(t, i), expr_sym(pool, bound));
  if (!bound || !expr_replace(pool, &map, &p, 1, &body)) return false;
  ExprId args[4] = {body, expr_sym(pool, bound), expr_sym(pool, t->p[i]), expr_diff(pool, body, bound)};
  t->v[i] = expr_raw(pool, op_inverse, args, 4);
  return t->v[i] != 0;
}

static bool turn_parts(PortTurn *t) {
  uint32_t *members = arena_array(t->s->arena, (size_t)t->n + 1, sizeof *members);
  if (!members) return false;
  for (uint32_t r = 0; r < t->n; r++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->n; i++) {
      if (root_of(t->part, i) == r && !t->still[i]) members[count++] = i;
    }
    if (!count) continue;
    bool linear = free_of_velocities(t, members, count);
    ExprId p = t->s->lagrange.p[members[0]];
    bool alone = count == 1 && expr_only_kinds(t->pool, p,
                                               kind_set(sym_velocity) | kind_set(sym_param) | kind_set(sym_coord) |
                                                   kind_set(sym_bound));
    if (!t->velocities && linear && count <= most_exact && turn_linear(t, r, members, count)) continue;
    if (!t->velocities && !linear && alone && turn_inverse(t, members[0])) continue;
    t->out->implicit = true;
    for (uint32_t i = 0; i < count; i++) t->v[members[i]] = 0;
  }
  return !arena_failed(t->s->arena);
}

// ---- expressions of velocities in q and p

typedef struct NodeSwap {
  ExprId from, to;
  const ExprId *list;
  ExprId *made;
  uint32_t *slot;
} NodeSwap;

static ExprId swapped_child(void *self, ExprId parent, uint32_t i, ExprId part) {
  (void)parent, (void)i;
  const NodeSwap *x = self;
  return part == x->from ? x->to : x->made[x->slot[part]];
}

// Where a node stands, another one.
static ExprId swap_node(ExprPool *pool, Arena *arena, ExprId root, ExprId from, ExprId to) {
  uint32_t length;
  if (root == from) return to;
  const ExprId *list = pool_reach(pool, &root, 1, NULL, NULL, &length);
  bool there = false;
  for (uint32_t i = 0; list && i < length; i++) there = there || list[i] == from;
  if (!there) return list ? root : 0;
  ExprId *copy = arena_array(arena, length, sizeof *copy), *made = arena_array(arena, length, sizeof *made);
  uint32_t *slot = arena_array(arena, (size_t)root + 1, sizeof *slot);
  if (!copy || !made || !slot) return 0;
  for (uint32_t i = 0; i < length; i++) {
    copy[i] = list[i];
    slot[list[i]] = i;
  }
  NodeSwap x = {from, to, copy, made, slot};
  for (uint32_t i = 0; i < length; i++) {
    ExprOp op = expr_op(pool, copy[i]);
    bool leaf = op == op_integral || op == op_inverse; // bound variables stand in them
    made[i] = copy[i] == from ? to : leaf ? copy[i] : expr_rebuild(pool, copy[i], swapped_child, &x);
    if (!made[i]) return 0;
  }
  return made[length - 1];
}

// A momentum as it stands in a formula becomes its symbol, then velocities follow. Of a product a*tanh(v) the one
// function of velocities is looked for, since the product may have gone into a larger one.
static ExprId of_momenta(PortTurn *t, ExprId id) {
  ExprPool *pool = t->pool;
  if (t->velocities) return id;
  for (uint32_t i = 0; i < t->n; i++) {
    ExprId p = t->s->lagrange.p[i], core = p;
    if (!t->p[i] || !expr_has_kind(pool, p, sym_velocity)) continue;
    for (uint32_t k = 0; expr_op(pool, p) == op_mul && k < expr_factor_count(pool, p); k++) {
      Factor f = expr_factor(pool, p, k);
      if (expr_has_kind(pool, f.base, sym_velocity) && f.exponent == pool->one) core = f.base;
    }
    if (expr_symbol(pool, core)) continue;
    ExprId factor = expr_div(pool, p, core);
    if (!factor || expr_has_kind(pool, factor, sym_velocity)) continue;
    id = swap_node(pool, t->s->arena, id, core, expr_div(pool, expr_sym(pool, t->p[i]), factor));
    if (!id) return 0;
  }
  ExprId out = 0;
  return expr_replace(pool, &t->map, &id, 1, &out) ? out : 0;
}

// -L at rest
static bool find_potential(PortTurn *t) {
  SymbolMap rest = symbol_map_new(t->pool);
  ExprId L = 0;
  for (uint32_t i = 0; i < t->n; i++) symbol_map_set(&rest, velocity(t, i), t->pool->zero);
  if (!expr_replace(t->pool, &rest, &t->s->lagrange.L, 1, &L)) return false;
  t->out->still = expr_neg(t->pool, expr_expand(t->pool, L, 20000));
  return t->out->still != 0;
}

static bool find_energy(PortTurn *t) {
  System *s = t->s;
  ExprPool *pool = t->pool;
  PortForm *f = t->out;
  // where velocities stay, H is the energy in them; else p.v - L
  ExprId pv = pool->zero;
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->v[i]) pv = expr_add(pool, pv, expr_mul(pool, expr_sym(pool, t->p[i]), expr_sym(pool, velocity(t, i))));
    else pv = expr_add(pool, pv, expr_mul(pool, s->lagrange.p[i], expr_sym(pool, velocity(t, i))));
  }
  ExprId E = expr_expand(pool, expr_sub(pool, pv, s->lagrange.L), 20000), H = 0;
  bool quadratic = true;
  for (uint32_t i = 0; i < t->n; i++) quadratic = quadratic && (t->still[i] || (t->v[i] && !t->curved[i]));
  if (quadratic && !f->implicit) {
    // 1/2 (p - c).v - L at rest: shorter than putting v into L
    H = f->still;
    for (uint32_t r = 0; r < t->n; r++) {
      if (t->doubled[r]) H = expr_add(pool, H, expr_scale(pool, (Rat){1, 2, NULL}, t->doubled[r]));
    }
  } else {
    H = of_momenta(t, E);
  }
  f->H = H;
  return H != 0;
}

// ---- the rows

static bool lay_out(PortTurn *t) {
  System *s = t->s;
  PortForm *f = t->out;
  uint32_t at = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    t->at_q[i] = at;
    f->x[at++] = s->coords.items[i].q;
  }
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->still[i]) continue;
    t->at_p[i] = at;
    f->x[at++] = t->p[i];
  }
  for (uint32_t k = 0; k < t->held.count; k++) f->x[at++] = t->held.items[k];
  for (uint32_t k = 0; k < t->ports.count; k++) {
    f->u[k] = t->ports.items[k];
    f->names[k] = pool_symbol_get(t->pool, t->ports.items[k])->name;
  }
  return true;
}

static bool find_gradient(PortTurn *t) {
  PortForm *f = t->out;
  for (uint32_t i = 0; i < f->n; i++) f->dH[i] = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    if (!t->still[i]) f->dH[t->at_p[i]] = t->v[i] ? t->v[i] : expr_sym(t->pool, velocity(t, i));
  }
  for (uint32_t i = 0; i < f->n; i++) {
    if (f->dH[i]) continue;
    // by positions at equal p: -dL/dq
    ExprId d = expr_neg(t->pool, expr_diff(t->pool, t->s->lagrange.L, f->x[i]));
    for (uint32_t k = 0; k < t->n; k++) {
      if (t->at_q[k] == i && t->steady[k]) d = expr_sub(t->pool, d, t->steady[k]);
    }
    f->dH[i] = f->implicit ? d : expr_diff(t->pool, f->H, f->x[i]);
    if (!f->dH[i]) return false;
  }
  return true;
}

// The inverse of K over the coordinates without momentum. NULL: there is none, said in `why`.
static const ExprId *solve_still(PortTurn *t, const PortForces *k, const uint32_t *a, uint32_t count) {
  ExprPool *pool = t->pool;
  if (count > most_inertialess) {
    t->out->why = "too many coordinates without inertia are coupled";
    return NULL;
  }
  Value m = value_new(pool, value_matrix, count, count);
  for (uint32_t i = 0; m.shape && i < count * count; i++) {
    m.items[i] = k->K[a[i / count] * t->n + a[i % count]];
    if (expr_has_kind(pool, m.items[i], sym_velocity))
      t->out->why = "the dissipation of a coordinate without inertia is not quadratic";
  }
  if (t->out->why || !m.shape) return NULL;
  Value inverse = value_inverse(pool, &m);
  if (!inverse.shape) {
    t->out->why = "a coordinate has neither inertia nor damping";
    return NULL;
  }
  for (uint32_t i = 0; i < count * count; i++) {
    inverse.items[i] = port_tidy(pool, inverse.items[i]);
    if (!inverse.items[i] || expr_op(pool, inverse.items[i]) == op_undefined) {
      t->out->why = "a coordinate has neither inertia nor damping";
      return NULL;
    }
  }
  return inverse.items;
}

// Rows of the velocities v = V dH + Z u over all coordinates.
typedef struct VelocityRows {
  ExprId *V, *Z; // n * states, n * m
} VelocityRows;

static bool velocity_rows(PortTurn *t, const PortForces *k, VelocityRows *r) {
  PortForm *f = t->out;
  ExprPool *pool = t->pool;
  uint32_t n = t->n, count = 0, *a = arena_array(t->s->arena, (size_t)n + 1, sizeof *a);
  r->V = arena_array(t->s->arena, (size_t)n * f->n + 1, sizeof *r->V);
  r->Z = arena_array(t->s->arena, (size_t)n * f->m + 1, sizeof *r->Z);
  if (arena_failed(t->s->arena)) return false;
  for (uint32_t i = 0; i < n * f->n; i++) r->V[i] = pool->zero;
  for (uint32_t i = 0; i < n * f->m; i++) r->Z[i] = pool->zero;
  for (uint32_t i = 0; i < n; i++) {
    if (t->still[i]) a[count++] = i;
    else r->V[i * f->n + t->at_p[i]] = pool->one;
  }
  const ExprId *inverse = count ? solve_still(t, k, a, count) : NULL;
  if (count && !inverse) return !arena_failed(t->s->arena);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < count; j++) {
      ExprId w = inverse[i * count + j];
      ExprId *row = &r->V[(size_t)a[i] * f->n];
      row[t->at_q[a[j]]] = expr_sub(pool, row[t->at_q[a[j]]], w);
      for (uint32_t b = 0; b < n; b++) {
        if (t->still[b]) continue;
        ExprId term = expr_mul(pool, w, k->K[a[j] * n + b]);
        row[t->at_p[b]] = expr_sub(pool, row[t->at_p[b]], term);
      }
      for (uint32_t u = 0; u < f->m; u++) {
        ExprId force = expr_sub(pool, k->B[a[j] * f->m + u], k->C[a[j] * f->m + u]);
        r->Z[a[i] * f->m + u] = expr_add(pool, r->Z[a[i] * f->m + u], expr_mul(pool, w, force));
      }
    }
  }
  return true;
}

static void add_scaled(ExprPool *pool, ExprId *to, ExprId factor, const ExprId *from, uint32_t count) {
  if (factor == pool->zero) return;
  for (uint32_t i = 0; i < count; i++) {
    if (from[i] != pool->zero) to[i] = expr_add(pool, to[i], expr_mul(pool, factor, from[i]));
  }
}

static void fill_rows(PortTurn *t, const PortForces *k, const VelocityRows *r) {
  PortForm *f = t->out;
  ExprPool *pool = t->pool;
  uint32_t n = t->n;
  for (uint32_t i = 0; i < n; i++) {
    add_scaled(pool, &f->F[(size_t)t->at_q[i] * f->n], pool->one, &r->V[(size_t)i * f->n], f->n);
    add_scaled(pool, &f->E[(size_t)t->at_q[i] * f->m], pool->one, &r->Z[(size_t)i * f->m], f->m);
    if (t->still[i]) continue;
    ExprId *row = &f->F[(size_t)t->at_p[i] * f->n], *in = &f->E[(size_t)t->at_p[i] * f->m];
    row[t->at_q[i]] = pool->minus_one;
    for (uint32_t j = 0; j < n; j++) {
      ExprId minus = expr_neg(pool, k->K[i * n + j]);
      add_scaled(pool, row, minus, &r->V[(size_t)j * f->n], f->n);
      add_scaled(pool, in, minus, &r->Z[(size_t)j * f->m], f->m);
    }
    for (uint32_t u = 0; u < f->m; u++)
      in[u] = expr_add(pool, in[u], expr_sub(pool, k->B[i * f->m + u], k->C[i * f->m + u]));
    f->g[t->at_p[i]] = k->rest[i];
    // dH by a position holds the constant force already
    if (t->steady[i]) f->g[t->at_p[i]] = expr_sub(pool, k->rest[i], t->steady[i]);
  }
  // an input that is a state: its rate is the port
  for (uint32_t h = 0; h < t->held.count; h++) {
    uint32_t at = f->n - t->held.count + h;
    SymbolId rate = system_rate(t->s, t->held.items[h]);
    for (uint32_t u = 0; u < f->m; u++) {
      if (f->u[u] != rate) continue;
      f->E[at * f->m + u] = pool->one;
      f->W[u * f->n + at] = expr_add(pool, f->W[u * f->n + at], pool->one);
    }
  }
  // y = (B + C)' v + U u
  for (uint32_t u = 0; u < f->m; u++) {
    for (uint32_t i = 0; i < n; i++) {
      ExprId factor = expr_add(pool, k->B[i * f->m + u], k->C[i * f->m + u]);
      add_scaled(pool, &f->W[(size_t)u * f->n], factor, &r->V[(size_t)i * f->n], f->n);
      add_scaled(pool, &f->S[(size_t)u * f->m], factor, &r->Z[(size_t)i * f->m], f->m);
    }
    for (uint32_t w = 0; w < f->m; w++) f->S[u * f->m + w] = expr_add(pool, f->S[u * f->m + w], k->U[u * f->m + w]);
  }
}

// Velocities in the entries become momenta.
static bool entries_of_momenta(PortTurn *t) {
  PortForm *f = t->out;
  PortList lists[port_list_count];
  port_form_lists(f, lists);
  // H stands already in what it is written in
  for (size_t k = 1; k < port_list_count; k++) {
    for (size_t i = 0; i < lists[k].count; i++) {
      if (!expr_has_kind(t->pool, lists[k].items[i], sym_velocity)) continue;
      lists[k].items[i] = of_momenta(t, lists[k].items[i]);
      if (!lists[k].items[i]) return false;
    }
  }
  return true;
}

static bool add_constraints(PortTurn *t) {
  PortForm *f = t->out;
  System *s = t->s;
  f->bound = s->constraints.count;
  f->A = arena_array(s->arena, (size_t)f->n * f->bound + 1, sizeof *f->A);
  if (!f->A) return false;
  for (uint32_t i = 0; i < f->n * f->bound; i++) f->A[i] = t->pool->zero;
  for (uint32_t k = 0; k < f->bound; k++) {
    const SystemConstraint *c = &s->constraints.items[k];
    for (uint32_t j = 0; j < c->G.count; j++) {
      uint32_t coord = c->G.items[j].column;
      if (t->still[coord]) f->why = "a constraint binds a coordinate without inertia";
      else f->A[t->at_p[coord] * f->bound + k] = c->G.items[j].value;
    }
  }
  return true;
}

// A force of parameters alone is a potential: H gets -force*q.
static bool take_steady(PortTurn *t, PortForces *k) {
  ExprPool *pool = t->pool;
  t->steady = arena_array(t->s->arena, (size_t)t->n + 1, sizeof *t->steady);
  if (!t->steady) return false;
  bool loose = false;
  for (uint32_t i = 0; i < t->n; i++) {
    ExprId rest = k->rest[i], steady = pool->zero;
    for (uint32_t n = 0; rest != pool->zero && n < expr_term_count(pool, rest); n++) {
      Term term = expr_term(pool, rest, n);
      if (expr_only_kinds(pool, term.term, kind_set(sym_param)))
        steady = expr_add(pool, steady, expr_scale(pool, term.coef, term.term));
    }
    loose = loose || rest != steady;
    if (steady == pool->zero) continue;
    t->steady[i] = steady;
    SymbolId q = t->s->coords.items[i].q;
    t->out->H = expr_sub(pool, t->out->H, expr_mul(pool, steady, expr_sym(pool, q)));
    t->out->still = expr_sub(pool, t->out->still, expr_mul(pool, steady, expr_sym(pool, q)));
    port_note(t->out, arena_printf(t->s->arena, "the constant force on %s is a potential: it stands in H",
                                   t->s->coords.items[i].name));
  }
  k->loose = k->loose && loose;
  return t->out->H != 0;
}

static void say(PortTurn *t, const PortForces *k) {
  PortForm *f = t->out;
  System *s = t->s;
  if (k->damped) port_note(f, "the dissipation is neither a polynomial nor a sum over velocities: it stands in g");
  if (k->nonlinear) port_note(f, port_beyond_note);
  else if (k->loose && !k->damped)
    port_note(f, "forces that are no part of this structure stand in g; their power is supplied");
  for (uint32_t h = 0; h < t->held.count; h++)
    port_note(f, arena_printf(s->arena, "%s stands in the energies: it is a state, and its rate the port",
                              pool_symbol_get(t->pool, t->held.items[h])->name));
  if (expr_has_kind(t->pool, s->lagrange.L, sym_time))
    port_note(f, "H depends on time: dH/dt at equal states is supplied");
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->still[i])
      port_note(f, arena_printf(s->arena,
                                "%s has no inertia, so it has no momentum: its equation of first order is one row",
                                s->coords.items[i].name));
  }
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->still[i] || !t->v[i] || !t->curved[i]) continue;
    const char *by = expr_op(t->pool, t->v[i]) == op_inverse ? "`inverse`" : "its inverse in closed form";
    port_note(f, arena_printf(s->arena,
                              "the momentum of %s is no linear function of its velocity: it is turned round by %s",
                              s->coords.items[i].name, by));
  }
}

// Of what there is no such form.
static const char *find_obstacle(System *s) {
  if (s->tree.balls.count)
    return arena_printf(s->arena,
                        "the ball `%s` has velocities that are no rates of coordinates, so it has no momenta of its "
                        "own; `--form lagrange` has all equations",
                        s->tree.balls.items[0].name);
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] != source_energies)
      return arena_printf(s->arena, "%s has an equation of its own, not energies", s->coords.items[i].name);
  }
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (expr_has_kind(s->pool, s->lagrange.Q[i], sym_acceleration))
      return arena_printf(s->arena, "the force on %s depends on accelerations", s->coords.items[i].name);
  }
  return NULL;
}

bool port_legendre(System *s, bool velocities, PortForm *out) {
  PortTurn turn = {.s = s, .pool = s->pool, .out = out, .n = s->coord_count, .velocities = velocities}, *t = &turn;
  PortForces forces;
  VelocityRows rows;
  *out = (PortForm){.s = s, .why = find_obstacle(s)};
  if (out->why) return true;
  if (!find_ports(t) || !differentiate(t)) return false;
  find_still(t);
  if (out->why) return true;
  uint32_t momenta = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->still[i]) continue;
    t->p[i] = pool_symbol(t->pool, momentum_name(s, s->coords.items[i].name), sym_state, s->states.count + i, 0);
    momenta++;
  }
  if (!turn_parts(t)) return false;
  t->map = symbol_map_new(t->pool);
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->v[i]) symbol_map_set(&t->map, velocity(t, i), t->v[i]);
  }
  bool implicit = out->implicit;
  if (!port_form_open(s, out, t->n + momenta + t->held.count, t->ports.count)) return false;
  out->implicit = implicit;
  out->places = t->n;
  if (implicit) out->M = t->M;
  if (!lay_out(t) || !find_potential(t) || !find_energy(t) || !port_forces(s, out->u, out->m, &forces)) return false;
  if (!take_steady(t, &forces) || !find_gradient(t)) return false;
  if (!velocity_rows(t, &forces, &rows)) return false;
  if (out->why) return true;
  fill_rows(t, &forces, &rows);
  if (!add_constraints(t)) return false;
  if (out->why) return true;
  for (uint32_t i = 0; i < t->n; i++) {
    ExprId rest = t->steady[i] ? expr_sub(t->pool, forces.rest[i], t->steady[i]) : forces.rest[i];
    if (t->still[i] && rest != t->pool->zero) {
      out->why = arena_printf(s->arena, "the force on %s, which has no inertia, is no part of this structure",
                              s->coords.items[i].name);
      return true;
    }
  }
  if (!entries_of_momenta(t)) return false;
  say(t, &forces);
  return !arena_failed(s->arena);
}
