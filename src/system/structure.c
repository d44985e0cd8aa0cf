// The block structure of M a + h = 0: which equations are solved for which accelerations and multipliers.
//
// in    M, h, definitions of inputs and states
// out   blocks (connected parts), coordinates without inertia; not yet an order (order.c)
//
// A coordinate whose row of M is zero has an equation of first order, h_i(q, v, ...) = 0, and its velocity is solved
// from it, jointly with others of its kind. Zeros and ranks are decided modulo a large prime at random points, never by
// a tolerance; nothing is regularized. What cannot be solved is refused with its reason.
#include "system/implicit.h"
#include "system/reduce.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/modular.h"
#include "expr/ops.h"

#include <string.h>

// Entries that are identically zero, though their expression does not show it, become the number zero.
static bool clear_zeros(System *s, ExprId *m, uint32_t count) {
  enum { points = 3 };
  ExprPool *pool = s->pool;
  uint64_t *value = arena_array(s->arena, count, sizeof *value);
  bool *nonzero = arena_array(s->arena, count, sizeof *nonzero);
  if (!value || !nonzero) return false;
  int done = 0;
  for (uint64_t seed = 11; done < points && seed < 31; seed++) {
    if (!expr_eval_mod(pool, m, count, seed, value)) continue;
    done++;
    for (uint32_t i = 0; i < count; i++) nonzero[i] = nonzero[i] || value[i] != 0;
  }
  // what vanishes at these points is proved to be zero
  for (uint32_t i = 0; done && i < count; i++) {
    if (!nonzero[i] && expr_vanishes(pool, s->arena, m[i])) m[i] = pool->zero;
  }
  return !arena_failed(s->arena);
}

// The same of sparse rows, from which they are taken out.
static bool clear_zero_entries(System *s, MassRow *rows, uint32_t n) {
  VEC(ExprId) values = {0};
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < rows[i].count; k++) vec_push(s->arena, &values, rows[i].items[k].value);
  }
  if (arena_failed(s->arena) || !clear_zeros(s, values.items, values.count)) return false;
  for (uint32_t i = 0, at = 0; i < n; i++) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < rows[i].count; k++, at++) {
      if (!expr_is_zero(s->pool, values.items[at])) rows[i].items[kept++] = rows[i].items[k];
    }
    rows[i].count = kept;
  }
  return true;
}

static uint32_t find_root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// The connected parts of a square matrix: the members of part k are member[start[k]] .. member[start[k + 1] - 1],
// ascending; parts in the order of their first members.
typedef struct MassParts {
  uint32_t count, *start, *member;
} MassParts;

static bool find_parts(System *s, const MassRow *rows, uint32_t n, MassParts *out) {
  uint32_t *parent = arena_array(s->arena, n, sizeof *parent), *part = arena_array(s->arena, n, sizeof *part);
  uint32_t *start = arena_array(s->arena, (size_t)n + 2, sizeof *start);
  *out = (MassParts){.start = start, .member = arena_array(s->arena, n, sizeof *out->member)};
  if (!parent || !part || !start || !out->member) return false;
  for (uint32_t i = 0; i < n; i++) parent[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < rows[i].count; k++)
      parent[find_root(parent, i)] = find_root(parent, rows[i].items[k].column);
  }
  // numbers of parts by their roots, plus one
  for (uint32_t i = 0; i < n; i++) {
    uint32_t root = find_root(parent, i);
    if (!part[root]) part[root] = ++out->count;
    start[part[root] + 1]++;
  }
  for (uint32_t k = 2; k <= out->count + 1; k++) start[k] += start[k - 1];
  for (uint32_t i = 0; i < n; i++) out->member[start[part[find_root(parent, i)]]++] = i;
  return true;
}

// The block of some rows: which[i] is the freedom of row i, or behind them the constraint. place: scratch array, all
// zero, as much as there are rows.
static Block make_block(System *s, const MassRow *rows, const ExprId *rhs, const uint32_t *which,
                        const uint32_t *member, uint32_t count, uint32_t *place) {
  Block b = {.count = count};
  b.coords = arena_array(s->arena, count, sizeof *b.coords);
  b.unknowns = arena_array(s->arena, count, sizeof *b.unknowns);
  b.origins = arena_array(s->arena, count, sizeof *b.origins);
  b.rhs = arena_array(s->arena, count, sizeof *b.rhs);
  if (arena_failed(s->arena)) return (Block){0};
  for (uint32_t i = 0; i < count; i++) place[member[i]] = i;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t of = b.coords[i] = which[member[i]];
    uint32_t n = system_freedoms(s);
    const SystemConstraint *c = of < n ? NULL : &s->constraints.items[of - n];
    b.multipliers += c != NULL;
    b.origins[i] = c                     ? c->origin
                   : of < s->coord_count ? s->coord_origin[of]
                                         : s->turns.items[of - s->coord_count].origin;
    b.unknowns[i] = c ? c->symbol : system_freedom_rate(s, of);
    b.rhs[i] = rhs[member[i]];
  }
  if (!block_from_rows(s->arena, s->pool, &b, rows, member, place)) return (Block){0};
  b.symmetric = block_is_symmetric(s->pool, &b);
  return b;
}

static Block velocity_unknowns(System *s, Block b) {
  b.velocities = true;
  for (uint32_t i = 0; i < b.count; i++) b.unknowns[i] = s->coords.items[b.coords[i]].v;
  return b;
}

// "x, y and z"
static const char *names_of(System *s, const Block *b) {
  Text t = text_in(s->arena);
  for (uint32_t i = 0; i < b->count; i++) {
    text_printf(&t, "%s`%s`", i == 0 ? "" : i + 1 < b->count ? ", " : " and ", system_freedom_name(s, b->coords[i]));
  }
  return text_str(&t);
}

static Span span_of(System *s, const Block *b) { return system_freedom_span(s, b->coords[0]); }
// Freedoms ascend, so an angular velocity of a spherical joint stands last.
static bool has_rotations(const System *s, const Block *b) {
  return block_coords(b) && b->coords[block_coords(b) - 1] >= s->coord_count;
}

// ---- accelerations

// Rows of a principal minor that is not zero, constant entries of the diagonal first: what is divided by
// should not vanish on the way.
static bool find_pivots(System *s, const Block *b, uint32_t *pivots) {
  uint32_t n = b->count, k = 0;
  uint32_t *place = arena_array(s->arena, n, sizeof *place);
  ExprId *m = arena_array(s->arena, (size_t)n * n, sizeof *m);
  if (!place || !m) return false;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < n; i++) {
      bool varies = !expr_only_kinds(s->pool, block_entry(s->pool, b, i, i), kind_set(sym_param));
      if (varies == (pass == 1)) place[k++] = i;
    }
  }
  for (uint32_t i = 0; i < n * n; i++) m[i] = block_entry(s->pool, b, place[i / n], place[i % n]);
  int rank = expr_rank(s->pool, m, n, n, pivots);
  for (int i = 0; i < rank; i++) pivots[i] = place[pivots[i]];
  return rank > 0;
}

// Some combination of the coordinates has no inertia.
static void singular_block(System *s, const Block *b, uint32_t rank) {
  Diags *diags = s->diags;
  uint32_t *pivots = arena_array(s->arena, b->count, sizeof *pivots);
  const char *names = names_of(s, b), *why = has_rotations(s, b) ? "a ball turns in it" : "it is not symmetric";
  Block rates;
  if (!has_rotations(s, b) && b->symmetric && pivots && find_pivots(s, b, pivots) &&
      system_reduce(s, b, pivots, rank, names, &rates, &why)) {
    vec_push(s->arena, &s->blocks, rates);
  } else if (why) {
    diag_error(diags, diag_singular_mass, span_of(s, b),
               "the mass matrix of %s is singular: its rank is %u, not %u, and %s", names, rank, b->count, why);
    diag_hint(diags,
              "some combination of these coordinates has no inertia; choose coordinates so that it is one of them");
  }
}

// Accelerations and multipliers together. Whether constraints are independent is a question of where they hold, so the
// rank is not asked here.
static void constrained_block(System *s, const Block *b) {
  for (uint32_t i = 0; i < block_coords(b) && b->coords[i] < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[b->coords[i]];
    if (s->source[b->coords[i]] == source_energies) continue;
    diag_error(s->diags, diag_bad_constraint, c->span,
               "`%s` is bound by a constraint, whose force would act on it, but it has an equation of its own",
               c->name);
    diag_hint(s->diags, "write its energies and forces instead of the equation");
  }
  vec_push(s->arena, &s->blocks, *b);
}

static void acceleration_block(System *s, Block *b) {
  if (b->multipliers) {
    constrained_block(s, b);
    return;
  }
  if (b->count == 1 && !block_entries(b) && !has_rotations(s, b)) {
    s->role[b->coords[0]] = coord_first_order;
    s->speeds[b->coords[0]] = (Speed){.start = s->pool->zero};
    return;
  }
  int rank = block_rank(s->pool, b);
  if (rank >= 0 && (uint32_t)rank < b->count) singular_block(s, b, (uint32_t)rank);
  else vec_push(s->arena, &s->blocks, *b);
}

// M a - G' lambda + h = 0 and -G a - curvature = 0: behind the freedoms a row and a column for each constraint.
// Without constraints and spherical joints they are M and h themselves.
typedef struct Bordered {
  uint32_t n, all;       // freedoms; rows
  MassRow *rows, *plain; // plain: without what forces make of multipliers; NULL: the same
  ExprId *rhs;
  bool *curved; // by row: a force that depends on multipliers in another way than linearly
} Bordered;

static bool border(System *s, Bordered *x) {
  uint32_t n = x->n = system_freedoms(s), m = s->constraints.count;
  x->all = n + m;
  x->rows = s->M;
  x->rhs = s->h;
  if (x->all == s->coord_count) return true;
  x->rows = arena_array(s->arena, x->all, sizeof *x->rows);
  x->rhs = arena_array(s->arena, x->all, sizeof *x->rhs);
  if (!x->rows || !x->rhs) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    x->rhs[i] = s->h[i];
    for (uint32_t k = 0; k < s->M[i].count; k++) vec_push(s->arena, &x->rows[i], s->M[i].items[k]);
  }
  for (uint32_t i = 0; i < s->turns.count; i++) {
    const RotationalDof *turn = &s->turns.items[i];
    uint32_t at = s->coord_count + i;
    x->rhs[at] = turn->h;
    for (uint32_t k = 0; k < turn->row.count; k++) vec_push(s->arena, &x->rows[at], turn->row.items[k]);
    for (uint32_t k = 0; k < turn->column.count; k++) {
      const MassEntry *e = &turn->column.items[k];
      vec_push(s->arena, &x->rows[e->column], ((MassEntry){at, e->value}));
    }
  }
  for (uint32_t k = 0; k < m; k++) {
    const SystemConstraint *c = &s->constraints.items[k];
    x->rhs[n + k] = expr_neg(s->pool, c->curvature);
    // a constraint met in every configuration needs no force: lambda = 0
    if (!c->G.count) vec_push(s->arena, &x->rows[n + k], ((MassEntry){n + k, expr_int(s->pool, -1)}));
    for (uint32_t j = 0; j < c->G.count; j++) {
      ExprId force = expr_neg(s->pool, c->G.items[j].value);
      vec_push(s->arena, &x->rows[n + k], (MassEntry){c->G.items[j].column, force});
      vec_push(s->arena, &x->rows[c->G.items[j].column], (MassEntry){n + k, force});
    }
  }
  return !arena_failed(s->arena);
}

static bool add_entry(System *s, MassRow *row, uint32_t column, ExprId value) {
  for (uint32_t k = 0; k < row->count; k++) {
    if (row->items[k].column != column) continue;
    row->items[k].value = expr_add(s->pool, row->items[k].value, value);
    return row->items[k].value != 0;
  }
  return vec_push(s->arena, row, (MassEntry){column, value});
}

// Is there a dry friction in it whose force depends on multipliers? It stands as a symbol of its own.
static bool rubs_by_multipliers(System *s, ExprId id) {
  uint32_t length = 0;
  if (!expr_has_kind(s->pool, id, sym_friction)) return false;
  const ExprId *list = pool_reach(s->pool, &id, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(s->pool, list[i]);
    const Symbol *x = symbol ? pool_symbol_get(s->pool, symbol) : NULL;
    if (!x || x->kind != sym_friction) continue;
    const SystemFriction *f = &s->frictions.items[x->index];
    if ((expr_kinds(s->pool, f->slip) | expr_kinds(s->pool, f->stick)) & kind_set(sym_multiplier)) return true;
  }
  return false;
}

// Forces that depend on multipliers, as friction does: what is linear goes into the rows. False: out of memory.
static bool take_multipliers(System *s, Bordered *x) {
  uint32_t m = s->constraints.count;
  ExprPool *pool = s->pool;
  bool any = false;
  x->curved = arena_array(s->arena, x->all, sizeof *x->curved);
  if (!x->curved) return false;
  for (uint32_t i = 0; m && i < x->n; i++) {
    x->curved[i] = rubs_by_multipliers(s, x->rhs[i]);
    any = any || x->curved[i] || expr_has_kind(pool, x->rhs[i], sym_multiplier);
  }
  if (!any) return true;
  MassRow *rows = arena_array(s->arena, x->all, sizeof *rows);
  if (!rows) return false;
  SymbolMap none = symbol_map_new(pool);
  for (uint32_t k = 0; k < m; k++) symbol_map_set(&none, s->constraints.items[k].symbol, pool->zero);
  for (uint32_t i = 0; i < x->all; i++) {
    for (uint32_t k = 0; k < x->rows[i].count; k++) vec_push(s->arena, &rows[i], x->rows[i].items[k]);
    if (i >= x->n || (!x->curved[i] && !expr_has_kind(pool, x->rhs[i], sym_multiplier))) continue;
    for (uint32_t k = 0; k < m && !x->curved[i]; k++) {
      SymbolId lambda = s->constraints.items[k].symbol;
      if (!expr_depends(pool, x->rhs[i], lambda)) continue;
      ExprId slope = expr_diff(pool, x->rhs[i], lambda);
      x->curved[i] = !slope || expr_has_kind(pool, slope, sym_multiplier);
      if (!x->curved[i] && !add_entry(s, &rows[i], x->n + k, slope)) return false;
    }
    if (!x->curved[i] && !expr_replace(pool, &none, &x->rhs[i], 1, &x->rhs[i])) return false;
    if (!x->curved[i]) continue;
    rows[i].count = 0; // all of it stays in the force
    for (uint32_t k = 0; k < x->rows[i].count; k++) vec_push(s->arena, &rows[i], x->rows[i].items[k]);
  }
  x->plain = x->rows;
  x->rows = rows;
  return !arena_failed(s->arena);
}

// A block in which forces depend on multipliers in a curved way is solved by Newton's method.
static bool solve_curved(System *s, Block *b) {
  uint32_t k = b->count;
  ExprId *starts = arena_array(s->arena, k, sizeof *starts);
  Term *terms = arena_array(s->arena, (size_t)k + 1, sizeof *terms);
  if (!starts || !terms) return false;
  for (uint32_t i = 0; i < k; i++) {
    uint32_t count = 0;
    starts[i] = s->pool->zero;
    for (uint32_t e = b->matrix.start[i]; e < b->matrix.start[i + 1]; e++) {
      ExprId a = expr_sym(s->pool, b->unknowns[b->matrix.column[e]]);
      terms[count++] = (Term){RAT_ONE, expr_mul(s->pool, b->matrix.value[e], a)};
    }
    terms[count++] = (Term){RAT_ONE, b->rhs[i]};
    b->rhs[i] = expr_sum(s->pool, terms, count);
  }
  return implicit_block(s, b, starts);
}

static void acceleration_blocks(System *s, bool solved) {
  Bordered bordered, *x = &bordered;
  MassParts parts;
  *x = (Bordered){0};
  if (!clear_zero_entries(s, s->M, s->coord_count) || !border(s, x) || !take_multipliers(s, x)) return;
  uint32_t *which = arena_array(s->arena, x->all, sizeof *which), *place = arena_array(s->arena, x->all, sizeof *place);
  if (!which || !place || !find_parts(s, x->rows, x->all, &parts)) return;
  for (uint32_t i = 0; i < x->all; i++) which[i] = i;
  for (uint32_t i = 0; !solved && i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    s->speeds[i] = (Speed){c->v, c->a, expr_sym(s->pool, c->v), c->v0};
  }
  for (uint32_t k = 0; k < parts.count; k++) {
    const uint32_t *member = parts.member + parts.start[k];
    uint32_t count = parts.start[k + 1] - parts.start[k];
    bool curved = false;
    bool coord = member[0] < s->coord_count;
    if (coord && s->source[member[0]] == source_implicit) continue;
    bool own = coord && s->solved && s->solved[member[0]];
    if (own != solved) continue;
    Block b = make_block(s, x->rows, x->rhs, which, member, count, place);
    if (!b.count) return;
    if (x->plain && b.multipliers) {
      Block *plain = arena_new_of(s->arena, Block);
      if (!plain) return;
      *plain = make_block(s, x->plain, x->rhs, which, member, count, place);
      b.plain = plain;
      for (uint32_t i = 0; i < count; i++) curved = curved || x->curved[member[i]];
    }
    if (curved && !solve_curved(s, &b)) return;
    acceleration_block(s, &b);
  }
}

// ---- velocities of coordinates without inertia

// A single one whose equation is not linear: v = the zero of h as a function of v.
static void define_by_inverse(System *s, const Block *b, ExprId h) {
  ExprPool *pool = s->pool;
  const SystemCoord *c = &s->coords.items[b->coords[0]];
  SymbolId bound = pool_symbol(pool, "v", sym_bound, bound_outermost, 0);
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, c->v, expr_sym(pool, bound));
  ExprId body = 0;
  if (!bound || !expr_replace(pool, &map, &h, 1, &body)) return;
  ExprId args[4] = {body, expr_sym(pool, bound), pool->zero, expr_diff(pool, body, bound)};
  ExprId value = expr_raw(pool, op_inverse, args, 4);
  const char *label = arena_printf(s->arena, "the equation of motion of %s", c->name);
  if (value && label)
    vec_push(s->arena, &s->definitions, (Definition){c->v, value, system_origin(s, c->span, label, h)});
}

// Does it jump in one of the velocities? Its derivative does not show that.
static bool jumps_in(System *s, ExprId h, const Block *b) {
  uint32_t length;
  const ExprId *list = pool_reach(s->pool, &h, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    if (!expr_op_jumps(expr_op(s->pool, list[i]))) continue;
    for (uint32_t j = 0; j < b->count; j++) {
      if (expr_depends(s->pool, list[i], b->unknowns[j])) return true;
    }
  }
  return false;
}

// h: the equations, by coordinate
static void velocity_block(System *s, Block *b, const ExprId *h) {
  ExprPool *pool = s->pool;
  uint32_t k = b->count;
  int rank = block_rank(pool, b);
  if (rank >= 0 && (uint32_t)rank < k) {
    diag_error(s->diags, diag_undetermined, span_of(s, b),
               "the velocities of %s are not determined: their dampers fix %d of %u", names_of(s, b), rank, k);
    diag_hint(s->diags, "a damper for each of them, or one coordinate less");
    return;
  }
  bool linear = block_is_linear(pool, b);
  for (uint32_t i = 0; i < k; i++) linear = linear && !jumps_in(s, h[b->coords[i]], b);
  if (linear) {
    vec_push(s->arena, &s->blocks, *b);
  } else if (k == 1) {
    define_by_inverse(s, b, h[b->coords[0]]);
  } else {
    ExprId *starts = arena_array(s->arena, k, sizeof *starts);
    for (uint32_t i = 0; starts && i < k; i++) {
      b->rhs[i] = h[b->coords[i]];
      starts[i] = s->coords.items[b->coords[i]].v0;
    }
    if (!starts || !implicit_block(s, b, starts)) return;
    vec_push(s->arena, &s->blocks, *b);
  }
  for (uint32_t i = 0; i < k; i++) {
    const SystemCoord *c = &s->coords.items[b->coords[i]];
    if (s->null_row[b->coords[i]]) continue; // reported already
    vec_push(s->arena, &s->notes,
             arena_printf(s->arena, "%s has no inertia: its equation is of first order, and %s' is solved from it",
                          c->name, c->name));
    if (!c->said_v) continue;
    diag_warning(s->diags, diag_not_free, c->span,
                 "the starting value of `%s'` is not free: it follows from the equation of first order", c->name);
  }
}

// Velocities that follow from others (see reduce.c) give way to what they follow from.
static bool replace_velocities(System *s, ExprId *h, uint32_t n) {
  SymbolMap map = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    const Definition *d = &s->definitions.items[i];
    if (pool_symbol_get(s->pool, d->symbol)->kind == sym_velocity) symbol_map_set(&map, d->symbol, d->value);
  }
  return map.mask == 0 || expr_replace(s->pool, &map, h, n, h);
}

// ---- coordinates with neither inertia nor damping

// Their equations hold no velocity of their own: h(q, ...) = 0 gives the positions,
// and its time derivative the velocities.
typedef struct AlgebraicCoords {
  System *s;
  uint32_t count;
  uint32_t *coords;
  ExprId *h, *slope; // slope is dh/dq, row by row
} AlgebraicCoords;

static void report_positions(const AlgebraicCoords *x, int rank) {
  System *m = x->s;
  Block b = {.count = x->count, .coords = x->coords};
  const SystemCoord *c = &m->coords.items[x->coords[0]];
  bool combined = x->s->null_row[x->coords[0]] != 0;
  const char *who = combined ? "a combination of coordinates with" : "the coordinate";
  // the force along a combination may depend on other positions than the one it would be solved for
  if (x->count == 1 && combined && expr_has_kind(x->s->pool, x->h[0], sym_coord)) {
    diag_error(m->diags, diag_order_zero, c->span,
               "%s `%s` has neither inertia nor damping, and the force along it does not depend on `%s`: its equation "
               "cannot be solved for it",
               who, c->name, c->name);
    diag_hint(m->diags, "take coordinates of which each has a mass, a damper or a spring of its own, or fewer of them");
    return;
  }
  if (x->count == 1)
    diag_error(
        m->diags, diag_order_zero, c->span,
        "%s `%s` has neither inertia nor damping, and no force that depends on its place: nothing says where it is",
        who, c->name);
  else
    diag_error(m->diags, diag_order_zero, c->span,
               "%s have neither inertia nor damping, and the forces on them fix %d of their %u places",
               names_of(x->s, &b), rank, x->count);
  diag_hint(m->diags, "give it a mass, a damper or a spring");
}

static bool position_block(AlgebraicCoords *x) {
  System *s = x->s;
  uint32_t k = x->count;
  Block b = {.count = k, .coords = x->coords, .rhs = x->h};
  ExprId *starts = arena_array(s->arena, k, sizeof *starts);
  b.unknowns = arena_array(s->arena, k, sizeof *b.unknowns);
  b.origins = arena_array(s->arena, k, sizeof *b.origins);
  if (!starts || !b.unknowns || !b.origins) return false;
  for (uint32_t i = 0; i < k; i++) {
    const SystemCoord *c = &s->coords.items[x->coords[i]];
    b.unknowns[i] = c->q;
    b.origins[i] = s->coord_origin[x->coords[i]];
    starts[i] = c->q0;
    s->role[x->coords[i]] = coord_algebraic;
    vec_push(
        s->arena, &s->notes,
        arena_printf(s->arena, "%s has neither inertia nor damping: its place is solved from its equation", c->name));
    if (c->said_v)
      diag_warning(s->diags, diag_not_free, c->span,
                   "the starting value of `%s'` is not free: it follows from the place of `%s`", c->name, c->name);
    if (c->said_q)
      diag_warning(
          s->diags, diag_not_free, c->span,
          "the starting value of `%s` is not free: it is the first guess for its equation, which says where it is",
          c->name);
  }
  return implicit_block(s, &b, starts) && vec_push(s->arena, &s->blocks, b);
}

// dh/dt = 0, which is linear in the velocities
static bool rate_block(AlgebraicCoords *x) {
  System *s = x->s;
  uint32_t k = x->count;
  Block b = {.count = k, .coords = x->coords, .velocities = true};
  ExprId *column = arena_array(s->arena, k, sizeof *column), *m = arena_array(s->arena, (size_t)k * k, sizeof *m);
  ExprId *rates = arena_array(s->arena, k, sizeof *rates);
  b.rhs = arena_array(s->arena, k, sizeof *b.rhs);
  b.unknowns = arena_array(s->arena, k, sizeof *b.unknowns);
  b.origins = arena_array(s->arena, k, sizeof *b.origins);
  if (arena_failed(s->arena) || !system_time_derivative(s, x->h, k, true, rates) || !replace_velocities(s, rates, k))
    return false;
  SymbolMap still = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < k; i++) {
    b.unknowns[i] = s->coords.items[x->coords[i]].v;
    b.origins[i] = s->coord_origin[x->coords[i]];
    symbol_map_set(&still, b.unknowns[i], s->pool->zero);
    if (!expr_diff_all(s->pool, rates, k, b.unknowns[i], column)) return false;
    for (uint32_t j = 0; j < k; j++) m[j * k + i] = column[j];
  }
  return block_from_dense(s->arena, s->pool, &b, m) && expr_replace(s->pool, &still, rates, k, b.rhs) &&
         vec_push(s->arena, &s->blocks, b);
}

static void solve_positions(System *s, uint32_t *coords, ExprId *h, uint32_t k) {
  AlgebraicCoords algebraic = {s, k, coords, h, arena_array(s->arena, (size_t)k * k, sizeof(ExprId))}, *x = &algebraic;
  ExprId *column = arena_array(s->arena, k, sizeof *column);
  if (!x->slope || !column) return;
  for (uint32_t j = 0; j < k; j++) {
    if (!expr_diff_all(s->pool, h, k, s->coords.items[coords[j]].q, column)) return;
    for (uint32_t i = 0; i < k; i++) x->slope[i * k + j] = column[i];
  }
  int rank = expr_rank(s->pool, x->slope, k, k, NULL);
  if (rank >= 0 && (uint32_t)rank < k) report_positions(x, rank);
  else if (position_block(x)) rate_block(x);
}

// Takes those whose equations hold none of the velocities out of the list.
static void take_places(System *s, uint32_t *which, ExprId *h, uint32_t *n) {
  uint32_t kept = 0, count = 0;
  uint32_t *coords = arena_array(s->arena, *n, sizeof *coords);
  ExprId *own = arena_array(s->arena, *n, sizeof *own), *column = arena_array(s->arena, *n, sizeof *column);
  bool *moves = arena_array(s->arena, *n, sizeof *moves);
  if (!coords || !own || !column || !moves) return;
  SymbolMap still = symbol_map_new(s->pool);
  for (uint32_t j = 0; j < *n; j++) {
    symbol_map_set(&still, s->coords.items[which[j]].v, s->pool->zero);
    if (!expr_diff_all(s->pool, h, *n, s->coords.items[which[j]].v, column) || !clear_zeros(s, column, *n)) return;
    for (uint32_t i = 0; i < *n; i++) moves[i] = moves[i] || !expr_is_zero(s->pool, column[i]);
  }
  for (uint32_t i = 0; i < *n; i++) {
    uint32_t *to = moves[i] ? &kept : &count;
    (moves[i] ? which : coords)[*to] = which[i];
    (moves[i] ? h : own)[(*to)++] = h[i];
  }
  // a velocity may stand there with a factor that is zero in disguise: its rate would be an acceleration
  if (count && !expr_replace(s->pool, &still, own, count, own)) return;
  *n = kept;
  if (count) solve_positions(s, coords, own, count);
}

// ---- velocities of coordinates without inertia, all of them

static void velocity_blocks(System *s) {
  ExprPool *pool = s->pool;
  uint32_t n = 0, *which = arena_array(s->arena, s->coord_count, sizeof *which);
  for (uint32_t i = 0; which && i < s->coord_count; i++) {
    if (s->role[i] >= coord_first_order) which[n++] = i;
  }
  if (n == 0) return;
  // A = dh/dv among these velocities, b = h without them
  ExprId *h = arena_array(s->arena, n, sizeof *h), *rest = arena_array(s->arena, n, sizeof *rest);
  MassRow *A = arena_array(s->arena, n, sizeof *A);
  SymbolId *v = arena_array(s->arena, n, sizeof *v);
  uint32_t *place = arena_array(s->arena, n, sizeof *place);
  if (!h || !rest || !A || !v || !place) return;
  SymbolMap still = symbol_map_new(pool);
  for (uint32_t i = 0; i < n; i++) h[i] = s->null_row[which[i]] ? s->null_row[which[i]] : s->h[which[i]];
  if (!replace_velocities(s, h, n)) return;
  take_places(s, which, h, &n);
  if (n == 0) return;
  for (uint32_t i = 0; i < n; i++) {
    v[i] = s->coords.items[which[i]].v;
    symbol_map_set(&still, v[i], pool->zero);
  }
  SymbolIndex index;
  MassParts parts;
  if (!expr_replace(pool, &still, h, n, rest) || !symbol_index(s->arena, pool, v, n, &index) ||
      !sparse_jacobian(s->arena, pool, h, n, &index, A) || !clear_zero_entries(s, A, n) || !find_parts(s, A, n, &parts))
    return;
  ExprId *by_coord = arena_array(s->arena, s->coord_count, sizeof *by_coord);
  for (uint32_t i = 0; by_coord && i < n; i++) by_coord[which[i]] = h[i];
  for (uint32_t k = 0; by_coord && k < parts.count; k++) {
    const uint32_t *member = parts.member + parts.start[k];
    Block b = make_block(s, A, rest, which, member, parts.start[k + 1] - parts.start[k], place);
    if (!b.count) return;
    b = velocity_unknowns(s, b);
    velocity_block(s, &b, by_coord);
  }
}

typedef struct NoInertia {
  System *s;
  const SystemCoord *coord;
  bool combined; // only combinations have inertia
} NoInertia;

static bool check_acceleration(void *self, ExprId value, Span span) {
  const NoInertia *x = self;
  const SystemCoord *c = x->coord;
  if (!expr_depends(x->s->pool, value, c->a)) return false;
  diag_error(x->s->diags, diag_no_acceleration, span, "`%s''` is not computed: `%s` has no inertia%s", c->name, c->name,
             x->combined ? " of its own" : "");
  return true;
}

// The acceleration of a coordinate without inertia is not computed.
static void check_accelerations(System *s) {
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    if (s->speeds[i].rate == c->a) continue;
    NoInertia x = {s, c, s->speeds[i].symbol || s->null_row[i]};
    system_each_shown(s, check_acceleration, &x);
    for (uint32_t k = 0; k < s->definitions.count; k++) {
      const Definition *d = &s->definitions.items[k];
      check_acceleration(&x, d->value, s->origins.items[d->origin - 1].span);
    }
  }
}

bool system_matrix_blocks(System *s) {
  uint32_t count = s->blocks.count;
  Block *own = arena_array(s->arena, (size_t)count + s->coord_count + 1, sizeof *own);
  if (!own) return false;
  if (count) memcpy(own, s->blocks.items, count * sizeof *own);
  s->blocks.items = own;
  s->blocks.cap = count + s->coord_count + 1;
  acceleration_blocks(s, true);
  return !arena_failed(s->arena);
}

bool system_structure(System *s) {
  acceleration_blocks(s, false);
  velocity_blocks(s);
  check_accelerations(s);
  return !arena_failed(s->arena);
}
