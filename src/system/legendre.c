// The Legendre transform of a System's components. See legendre.h.
#include "system/legendre.h"

#include "expr/decide.h"
#include "system/implicit.h"

#include <string.h>

typedef struct Transform {
  System *s;
  Legendre *l;
  uint32_t n;
  MassRow *M;     // dp/dv
  ExprId *c;      // p at rest
  uint32_t *part; // of each coordinate: its root
  SymbolMap rest; // velocities to zero
} Transform;

static SymbolMap at_rest_map(const System *s) {
  SymbolMap rest = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < s->coord_count; i++) symbol_map_set(&rest, s->coords.items[i].v, s->pool->zero);
  return rest;
}

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
  x->rest = at_rest_map(s);
  for (uint32_t i = 0; i < x->n; i++) {
    v[i] = s->coords.items[i].v;
    x->part[i] = i;
  }
  SymbolIndex index;
  if (!symbol_index(s->arena, s->pool, v, x->n, &index) ||
      !sparse_jacobian(s->arena, s->pool, s->lagrange.p, x->n, &index, x->M) ||
      !expr_replace(s->pool, &x->rest, s->lagrange.p, x->n, x->c))
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

// What a part of M is: transformed where an entry of it varies, kept where a coordinate is not in the energies.
typedef struct PartFacts {
  bool varies, kept, curved;
  uint32_t number; // among those that are transformed, plus one
} PartFacts;

static void find_facts(Transform *x, PartFacts *facts) {
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
    PartFacts *f = &facts[root_of(x->part, i)];
    for (uint32_t k = 0; !f->kept && (f->varies || x->l->all) && !f->curved && k < x->M[i].count; k++)
      f->curved = !is_linear(x, x->M[i].items[k].value);
  }
}

// A single one has no inertia at rest: M vanishes with v.
static bool is_flat_at_rest(Transform *x, uint32_t i) {
  ExprPool *pool = x->s->pool;
  ExprId m = x->M[i].count == 1 ? x->M[i].items[0].value : 0;
  return m && expr_replace(pool, &x->rest, &m, 1, &m) && m == pool->zero;
}

// Parts that are transformed, in the order of their first coordinates; the coordinates of each one behind the other.
static bool list_parts(Transform *x) {
  System *s = x->s;
  Legendre *l = x->l;
  PartFacts *facts = arena_array(s->arena, (size_t)x->n + 1, sizeof *facts);
  l->parts = arena_array(s->arena, (size_t)x->n + 1, sizeof *l->parts);
  l->coords = arena_array(s->arena, (size_t)x->n + 1, sizeof *l->coords);
  if (arena_failed(s->arena)) return false;
  find_facts(x, facts);
  for (uint32_t i = 0; i < x->n; i++) {
    PartFacts *f = &facts[root_of(x->part, i)];
    if (f->kept || !(f->varies || l->all)) continue;
    if (!f->number) {
      l->parts[l->part_count] = (LegendrePart){.law = f->curved ? legendre_newton : legendre_linear};
      f->number = ++l->part_count;
    }
    l->parts[f->number - 1].count++;
    l->count++;
  }
  for (uint32_t k = 0, first = 0; k < l->part_count; first += l->parts[k++].count) l->parts[k].first = first;
  for (uint32_t k = 0; k < l->part_count; k++) l->parts[k].count = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    const PartFacts *f = &facts[root_of(x->part, i)];
    if (!f->number) continue;
    LegendrePart *part = &l->parts[f->number - 1];
    l->coords[part->first + part->count++] = (LegendreCoord){.coord = i};
    if (part->law == legendre_newton && part->count == 1 && is_flat_at_rest(x, i)) part->law = legendre_inverse;
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
    for (uint32_t j = 0; j < c->G.count && c->G.items[j].column < s->coord_count; j++) { // spherical joints stand last
      ExprId *f = &F[c->G.items[j].column];
      *f = expr_add(pool, *f, expr_mul(pool, expr_sym(pool, c->symbol), c->G.items[j].value));
    }
  }
  return F;
}

bool legendre_define(System *s, Legendre *l) {
  Transform transform = {.s = s, .l = l, .n = s->coord_count}, *x = &transform;
  *l = (Legendre){.all = l->all};
  if (!s->lagrange.used || !s->coord_count) return true;
  if (!differentiate(x) || !list_parts(x)) return false;
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
  return F && list && system_order_with(s, list, 2 * l->count, held);
}

// ---- the transformation

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

// The momenta of a part leave the definitions and become components; p: what they are in velocities.
static void make_components(System *s, const LegendreCoord *c, uint32_t count, ExprId *p) {
  for (uint32_t i = 0; i < count; i++) {
    p[i] = take_out(s, c[i].p);
    s->speeds[c[i].coord] = (Speed){.symbol = c[i].p, .rate = c[i].rate, .meaning = p[i], .start = s->pool->zero};
  }
}

// A block for the velocities of a part, its equations not set yet.
static bool velocity_block(System *s, const LegendreCoord *c, uint32_t count, Block *b) {
  *b = (Block){.count = count, .symmetric = true, .velocities = true};
  b->coords = arena_array(s->arena, count, sizeof *b->coords);
  b->unknowns = arena_array(s->arena, count, sizeof *b->unknowns);
  b->origins = arena_array(s->arena, count, sizeof *b->origins);
  b->rhs = arena_array(s->arena, count, sizeof *b->rhs);
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < count; i++) {
    b->coords[i] = c[i].coord;
    b->unknowns[i] = s->coords.items[c[i].coord].v;
    b->origins[i] = s->coord_origin[c[i].coord];
  }
  return true;
}

// p - c = M v. A single coordinate needs no block.
static bool turn_linear(System *s, const LegendreCoord *c, Block *b, const ExprId *p, const SymbolMap *rest,
                        Definition *one) {
  ExprPool *pool = s->pool;
  uint32_t count = b->count;
  ExprId *at_rest = arena_array(s->arena, count, sizeof *at_rest),
         *column = arena_array(s->arena, count, sizeof *column),
         *m = arena_array(s->arena, (size_t)count * count, sizeof *m);
  if (arena_failed(s->arena) || !expr_replace(pool, rest, p, count, at_rest)) return false;
  for (uint32_t j = 0; j < count; j++) {
    if (!expr_diff_all(pool, p, count, b->unknowns[j], column)) return false;
    // linear: where velocities stand in an entry they cancel
    if (!expr_replace(pool, rest, column, count, column)) return false;
    for (uint32_t i = 0; i < count; i++) m[i * count + j] = column[i];
  }
  for (uint32_t i = 0; i < count; i++) b->rhs[i] = expr_sub(pool, at_rest[i], expr_sym(pool, c[i].p));
  if (count > 1) return block_from_dense(s->arena, pool, b, m) && vec_push(s->arena, &s->blocks, *b);
  *one = (Definition){b->unknowns[0], expr_neg(pool, expr_div(pool, b->rhs[0], m[0])), b->origins[0]};
  return one->value != 0;
}

// v = the argument at which p(v) has the value of the component
static bool turn_inverse(System *s, const LegendreCoord *c, const Block *b, ExprId p, Definition *one) {
  ExprPool *pool = s->pool;
  SymbolId bound = pool_symbol(pool, "v", sym_bound, bound_outermost, 0);
  ArenaMark mark = arena_mark(pool->scratch);
  SymbolMap map = symbol_map_in(pool->scratch);
  ExprId body = 0;
  symbol_map_set(&map, b->unknowns[0], expr_sym(pool, bound));
  bool ok = bound && map.of && expr_replace(pool, &map, &p, 1, &body);
  arena_release(pool->scratch, mark);
  if (!ok) return false;
  ExprId args[4] = {body, expr_sym(pool, bound), expr_sym(pool, c->p), expr_diff(pool, body, bound)};
  *one = (Definition){b->unknowns[0], expr_raw(pool, op_inverse, args, 4), b->origins[0]};
  return one->value != 0;
}

// p(v) - p = 0; the guesses are held variables, put behind the others when these have their order
static bool turn_newton(System *s, const LegendreCoord *c, Block *b, const ExprId *p, Held *guesses) {
  b->guesses = arena_array(s->arena, b->count, sizeof *b->guesses);
  if (!b->guesses) return false;
  for (uint32_t i = 0; i < b->count; i++) {
    const char *name = pool_symbol_get(s->pool, b->unknowns[i])->name;
    b->rhs[i] = expr_sub(s->pool, p[i], expr_sym(s->pool, c[i].p));
    b->guesses[i] = pool_symbol(s->pool, arena_printf(s->arena, "%s before", name), sym_held, 0, 0);
    guesses[i] = (Held){b->guesses[i], b->unknowns[i], s->pool->zero};
  }
  return implicit_guessed(s, b) && vec_push(s->arena, &s->blocks, *b);
}

// What a transformation adds: definitions, and guesses of velocities.
typedef struct Turned {
  SymbolMap rest;
  Definition *ones;
  Held *guesses;
  uint32_t one_count, guess_count;
} Turned;

static bool turn_part(System *s, const Legendre *l, const LegendrePart *part, Turned *x) {
  const LegendreCoord *c = l->coords + part->first;
  Block b;
  Definition one = {0};
  ExprId *p = arena_array(s->arena, part->count, sizeof *p);
  if (!p || !velocity_block(s, c, part->count, &b)) return false;
  make_components(s, c, part->count, p);
  bool ok = part->law == legendre_linear    ? turn_linear(s, c, &b, p, &x->rest, &one)
            : part->law == legendre_inverse ? turn_inverse(s, c, &b, p[0], &one)
                                            : turn_newton(s, c, &b, p, x->guesses + x->guess_count);
  if (part->law == legendre_newton) x->guess_count += part->count;
  if (one.symbol) x->ones[x->one_count++] = one;
  return ok;
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

bool legendre_transform(System *s, const Legendre *l) {
  Turned turned = {.rest = at_rest_map(s),
                   .ones = arena_array(s->arena, (size_t)l->part_count + 1, sizeof *turned.ones),
                   .guesses = arena_array(s->arena, (size_t)l->count + 1, sizeof *turned.guesses)};
  uint32_t held = s->held.count;
  if (!turned.ones || !turned.guesses || !system_unorder(s) || !own_lists(s)) return false;
  for (uint32_t k = 0; k < l->part_count; k++) {
    if (!turn_part(s, l, &l->parts[k], &turned)) return false;
  }
  if (!system_layout(s) || !system_order_with(s, turned.ones, turned.one_count, held)) return false;
  for (uint32_t i = 0; i < turned.guess_count; i++) vec_push(s->arena, &s->held, turned.guesses[i]);
  return !arena_failed(s->arena);
}
