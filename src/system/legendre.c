// The Legendre transform of a System's components. See legendre.h.
#include "system/legendre.h"

#include "expr/decide.h"

#include <string.h>

typedef struct Transform {
  System *s;
  Legendre *l;
  uint32_t n;
  MassRow *M;     // dp/dv
  ExprId *c;      // p at rest
  uint32_t *part; // of each coordinate: its root
} Transform;

static uint32_t root_of(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// ---- which coordinates

static bool differentiate(Transform *x) {
  System *s = x->s;
  SymbolId *v = arena_array(s->arena, (size_t)x->n + 1, sizeof *v);
  x->M = arena_array(s->arena, (size_t)x->n + 1, sizeof *x->M);
  x->c = arena_array(s->arena, (size_t)x->n + 1, sizeof *x->c);
  x->part = arena_array(s->arena, (size_t)x->n + 1, sizeof *x->part);
  if (arena_failed(s->arena)) return false;
  SymbolMap rest = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < x->n; i++) {
    v[i] = s->coords.items[i].v;
    symbol_map_set(&rest, v[i], s->pool->zero);
    x->part[i] = i;
  }
  SymbolIndex index;
  if (!symbol_index(s->arena, s->pool, v, x->n, &index) ||
      !sparse_jacobian(s->arena, s->pool, s->lagrange.p, x->n, &index, x->M) ||
      !expr_replace(s->pool, &rest, s->lagrange.p, x->n, x->c))
    return false;
  for (uint32_t i = 0; i < x->n; i++) {
    for (uint32_t k = 0; k < x->M[i].count; k++)
      x->part[root_of(x->part, i)] = root_of(x->part, x->M[i].items[k].column);
  }
  return true;
}

// Is an entry of M free of velocities? Where some stand in it the proof is that its derivatives vanish.
static bool is_linear(Transform *x, ExprId entry) {
  System *s = x->s;
  if (!expr_has_kind(s->pool, entry, sym_velocity)) return true;
  for (uint32_t i = 0; i < x->n; i++) {
    ExprId d = expr_depends(s->pool, entry, s->coords.items[i].v) ? expr_diff(s->pool, entry, s->coords.items[i].v) : 0;
    if (d && !expr_vanishes(s->pool, s->arena, d)) return false;
  }
  return true;
}

// What a part of M is: turned where one of its coordinates varies, kept where one is no coordinate of energies.
typedef struct PartFacts {
  bool varies, kept;
} PartFacts;

static bool find_facts(Transform *x, PartFacts *facts) {
  const System *s = x->s;
  for (uint32_t i = 0; i < x->n; i++) {
    PartFacts *f = &facts[root_of(x->part, i)];
    f->kept = f->kept || s->source[i] != source_energies || s->role[i] != coord_inertia || s->speeds[i].symbol == 0;
    f->varies = f->varies || x->c[i] != s->pool->zero;
    for (uint32_t k = 0; k < x->M[i].count; k++) {
      ExprId entry = x->M[i].items[k].value;
      f->varies = f->varies || !expr_only_kinds(s->pool, entry, kind_set(sym_param));
    }
  }
  for (uint32_t i = 0; i < x->n; i++) {
    const PartFacts *f = &facts[root_of(x->part, i)];
    for (uint32_t k = 0; !f->kept && f->varies && k < x->M[i].count; k++) {
      if (is_linear(x, x->M[i].items[k].value)) continue;
      x->l->nonlinear = s->coords.items[i].name;
      x->l->place = s->coords.items[i].span;
      return false;
    }
  }
  return true;
}

// Parts that are turned, in the order of their first coordinates; the coordinates of each one behind the other.
static bool list_coords(Transform *x) {
  System *s = x->s;
  PartFacts *facts = arena_array(s->arena, (size_t)x->n + 1, sizeof *facts);
  uint32_t *number = arena_array(s->arena, (size_t)x->n + 1, sizeof *number); // of the part of a root, plus one
  uint32_t *next = arena_array(s->arena, (size_t)x->n + 2, sizeof *next), count = 0;
  if (!facts || !number || !next || !find_facts(x, facts)) return false;
  for (uint32_t i = 0; i < x->n; i++) {
    uint32_t root = root_of(x->part, i);
    if (facts[root].kept || !facts[root].varies) continue;
    if (!number[root]) number[root] = ++x->l->parts;
    next[number[root]]++;
    count++;
  }
  for (uint32_t k = 1; k <= x->l->parts; k++) next[k] += next[k - 1];
  x->l->coords = arena_array(s->arena, (size_t)count + 1, sizeof *x->l->coords);
  x->l->count = count;
  if (!x->l->coords) return false;
  for (uint32_t i = 0; i < x->n; i++) {
    uint32_t part = number[root_of(x->part, i)];
    if (part) x->l->coords[next[part - 1]++] = (LegendreCoord){.coord = i, .part = part - 1};
  }
  return true;
}

// ---- p and p'

// dL/dq + Q - dD/dv and what the constraints pull, an entry a coordinate
static ExprId *forces(const System *s) {
  ExprPool *pool = s->pool;
  const SystemLagrange *g = &s->lagrange;
  ExprId *F = arena_array(s->arena, (size_t)s->coord_count + 1, sizeof *F);
  for (uint32_t i = 0; F && i < s->coord_count; i++)
    F[i] = expr_sum(pool, (Term[]){{RAT_ONE, g->dLdq[i]}, {RAT_ONE, g->Q[i]}, {rat_int(-1), g->dDdv[i]}}, 3);
  for (uint32_t k = 0; F && k < s->constraints.count; k++) {
    const SystemConstraint *c = &s->constraints.items[k];
    for (uint32_t j = 0; j < c->G.count; j++) {
      ExprId *f = &F[c->G.items[j].column];
      *f = expr_add(pool, *f, expr_mul(pool, expr_sym(pool, c->symbol), c->G.items[j].value));
    }
  }
  return F;
}

// Definitions of its own, with some more, in an order of its own; what is solved by iteration stays so, and nothing
// else becomes it. False: memory is out, or there is a new circle.
static bool order_with(System *s, const Definition *more, uint32_t count, uint32_t held) {
  uint32_t own = s->definitions.count;
  Definition *all = arena_array(s->arena, (size_t)own + count + 1, sizeof *all);
  if (!all) return false;
  if (own) memcpy(all, s->definitions.items, own * sizeof *all);
  if (count) memcpy(all + own, more, count * sizeof *all);
  s->definitions.items = all;
  s->definitions.count = s->definitions.cap = own + count;
  return system_order(s, NULL) && s->held.count == held;
}

bool legendre_define(System *s, Legendre *l) {
  Transform transform = {.s = s, .l = l, .n = s->coord_count}, *x = &transform;
  *l = (Legendre){0};
  if (!s->lagrange.used || !s->coord_count) return true;
  if (!differentiate(x) || !list_coords(x)) return false;
  if (!l->count) return true;
  uint32_t held = s->held.count;
  if (!system_unorder(s)) return false;
  const ExprId *F = forces(s);
  Definition *list = arena_array(s->arena, (size_t)2 * l->count, sizeof *list);
  for (uint32_t i = 0; F && list && i < l->count; i++) {
    LegendreCoord *c = &l->coords[i];
    const SystemCoord *q = &s->coords.items[c->coord];
    const char *label = arena_printf(s->arena, "the momentum of %s", q->name);
    ExprId p = s->lagrange.p[c->coord];
    c->p = pool_symbol(s->pool, label, sym_signal, 0, 0);
    c->rate = pool_symbol(s->pool, arena_printf(s->arena, "the rate of %s", label), sym_signal, 0, 0);
    if (!c->p || !c->rate || !F[c->coord]) return false;
    list[(size_t)2 * i] = (Definition){c->p, p, system_origin(s, q->span, label, p)};
    list[(size_t)2 * i + 1] = (Definition){c->rate, F[c->coord], system_origin(s, q->span, label, F[c->coord])};
  }
  return F && list && order_with(s, list, 2 * l->count, held);
}

// ---- the turn

// The definition of p of a coordinate is taken out of the list; its value.
static ExprId take_out(System *s, SymbolId p) {
  for (uint32_t i = s->definitions.count; i-- > 0;) {
    Definition d = s->definitions.items[i];
    if (d.symbol != p) continue;
    s->definitions.items[i] = s->definitions.items[--s->definitions.count];
    return d.value;
  }
  return 0;
}

// One part: p - c = M v. A single coordinate needs no block.
static bool turn_part(System *s, const LegendreCoord *c, uint32_t count, const SymbolMap *rest, Definition *one) {
  ExprPool *pool = s->pool;
  Block b = {.count = count, .symmetric = true, .velocities = true};
  ExprId *p = arena_array(s->arena, count, sizeof *p), *at_rest = arena_array(s->arena, count, sizeof *at_rest),
         *column = arena_array(s->arena, count, sizeof *column),
         *m = arena_array(s->arena, (size_t)count * count, sizeof *m);
  b.coords = arena_array(s->arena, count, sizeof *b.coords);
  b.unknowns = arena_array(s->arena, count, sizeof *b.unknowns);
  b.origins = arena_array(s->arena, count, sizeof *b.origins);
  b.rhs = arena_array(s->arena, count, sizeof *b.rhs);
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < count; i++) {
    b.coords[i] = c[i].coord;
    b.unknowns[i] = s->coords.items[c[i].coord].v;
    b.origins[i] = s->coord_origin[c[i].coord];
    p[i] = take_out(s, c[i].p);
    s->speeds[c[i].coord] = (Speed){.symbol = c[i].p, .rate = c[i].rate, .meaning = p[i], .start = pool->zero};
  }
  if (!expr_replace(pool, rest, p, count, at_rest)) return false;
  for (uint32_t j = 0; j < count; j++) {
    if (!expr_diff_all(pool, p, count, b.unknowns[j], column)) return false;
    // linear: where velocities stand in an entry they cancel
    if (!expr_replace(pool, rest, column, count, column)) return false;
    for (uint32_t i = 0; i < count; i++) m[i * count + j] = column[i];
  }
  for (uint32_t i = 0; i < count; i++) b.rhs[i] = expr_sub(pool, at_rest[i], expr_sym(pool, c[i].p));
  *one = (Definition){0};
  if (count > 1) return block_from_dense(s->arena, pool, &b, m) && vec_push(s->arena, &s->blocks, b);
  *one = (Definition){b.unknowns[0], expr_neg(pool, expr_div(pool, b.rhs[0], m[0])), b.origins[0]};
  return one->value != 0;
}

// Lists of its own, as far as they change.
static bool own_lists(System *s) {
  Definition *definitions = arena_array(s->arena, (size_t)s->definitions.count + 1, sizeof *definitions);
  Block *blocks = arena_array(s->arena, (size_t)s->blocks.count + 1, sizeof *blocks);
  Speed *speeds = arena_array(s->arena, (size_t)s->coord_count + 1, sizeof *speeds);
  if (!definitions || !blocks || !speeds) return false;
  if (s->definitions.count) memcpy(definitions, s->definitions.items, s->definitions.count * sizeof *definitions);
  if (s->blocks.count) memcpy(blocks, s->blocks.items, s->blocks.count * sizeof *blocks);
  memcpy(speeds, s->speeds, s->coord_count * sizeof *speeds);
  s->definitions.items = definitions;
  s->definitions.cap = s->definitions.count + 1;
  s->blocks.items = blocks;
  s->blocks.cap = s->blocks.count + 1;
  s->speeds = speeds;
  return true;
}

bool legendre_turn(System *s, const Legendre *l) {
  Definition *ones = arena_array(s->arena, (size_t)l->parts + 1, sizeof *ones);
  uint32_t count = 0, held = s->held.count;
  if (!ones || !system_unorder(s) || !own_lists(s)) return false;
  SymbolMap rest = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < s->coord_count; i++) symbol_map_set(&rest, s->coords.items[i].v, s->pool->zero);
  for (uint32_t from = 0, to; from < l->count; from = to) {
    for (to = from; to < l->count && l->coords[to].part == l->coords[from].part;) to++;
    if (!turn_part(s, l->coords + from, to - from, &rest, &ones[count])) return false;
    count += ones[count].symbol != 0;
  }
  return system_layout(s) && order_with(s, ones, count, held);
}
