// The structure of M a + h = 0: what is solved for what, in which order.
//
// in    M, h, definitions of inputs and states
// out   blocks (connected parts), coordinates without inertia, the order of computation
//
// A coordinate whose row of M is zero has an equation of first order, h_i(q, v, ...) = 0, and its velocity is solved from
// it, jointly with others of its kind. Zeros and ranks are decided modulo a large prime at random points, never by a
// tolerance; nothing is regularized. What cannot be solved is refused with its reason.
#include "system/system.h"

#include "expr/calculus.h"
#include "expr/modular.h"

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
  for (uint32_t i = 0; done && i < count; i++) {
    if (!nonzero[i]) m[i] = pool->zero;
  }
  return !arena_failed(s->arena);
}

static uint32_t find_root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// Connected parts of an n by n matrix: part[i] is the first index of the part of i.
static uint32_t *find_parts(System *s, const ExprId *m, uint32_t n) {
  uint32_t *parent = arena_array(s->arena, n, sizeof *parent), *part = arena_array(s->arena, n, sizeof *part);
  if (!parent || !part) return NULL;
  for (uint32_t i = 0; i < n; i++) parent[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      if (!expr_is_zero(s->pool, m[i * n + j])) parent[find_root(parent, i)] = find_root(parent, j);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    part[i] = i;
    for (uint32_t j = 0; j < i; j++) {
      if (find_root(parent, j) == find_root(parent, i)) {
        part[i] = j;
        break;
      }
    }
  }
  return part;
}

// The block of the indices whose part is `first`; which[i] is the coordinate of index i.
static Block make_block(System *s, const ExprId *m, const ExprId *rhs, uint32_t n, const uint32_t *part, uint32_t first, const uint32_t *which, bool velocities) {
  Block b = {.symmetric = true, .velocities = velocities};
  for (uint32_t i = 0; i < n; i++) b.count += part[i] == first;
  uint32_t *index = arena_array(s->arena, b.count, sizeof *index);
  b.coords = arena_array(s->arena, b.count, sizeof *b.coords);
  b.unknowns = arena_array(s->arena, b.count, sizeof *b.unknowns);
  b.matrix = arena_array(s->arena, (size_t)b.count * b.count, sizeof *b.matrix);
  b.rhs = arena_array(s->arena, b.count, sizeof *b.rhs);
  if (arena_failed(s->arena)) return (Block){0};
  for (uint32_t i = 0, k = 0; i < n; i++) {
    if (part[i] == first) index[k++] = i;
  }
  for (uint32_t i = 0; i < b.count; i++) {
    const ModelCoord *c = &s->model->coords.items[which[index[i]]];
    b.coords[i] = which[index[i]];
    b.unknowns[i] = velocities ? c->v : c->a;
    b.rhs[i] = rhs[index[i]];
    for (uint32_t j = 0; j < b.count; j++) b.matrix[i * b.count + j] = m[index[i] * n + index[j]];
  }
  for (uint32_t i = 0; i < b.count; i++) {
    for (uint32_t j = 0; j < i; j++) b.symmetric = b.symmetric && b.matrix[i * b.count + j] == b.matrix[j * b.count + i];
  }
  return b;
}

// "x, y and z"
static const char *names_of(System *s, const Block *b) {
  Text t = text_in(s->arena);
  for (uint32_t i = 0; i < b->count; i++) {
    text_printf(&t, "%s`%s`", i == 0 ? "" : i + 1 < b->count ? ", " : " and ", s->model->coords.items[b->coords[i]].name);
  }
  return text_str(&t);
}

static Span span_of(System *s, const Block *b) { return s->model->coords.items[b->coords[0]].span; }

// ---- accelerations

static void acceleration_blocks(System *s) {
  Diags *diags = &s->model->diags;
  uint32_t n = s->coord_count;
  if (!clear_zeros(s, s->M, n * n)) return;
  uint32_t *part = find_parts(s, s->M, n), *which = arena_array(s->arena, n, sizeof *which);
  if (!part || !which) return;
  for (uint32_t i = 0; i < n; i++) which[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    if (part[i] != i) continue;
    Block b = make_block(s, s->M, s->h, n, part, i, which, false);
    if (!b.count) return;
    if (b.count == 1 && expr_is_zero(s->pool, b.matrix[0])) {
      s->first_order[i] = true;
      continue;
    }
    int rank = expr_rank(s->pool, b.matrix, b.count, b.count, NULL);
    if (rank >= 0 && (uint32_t)rank < b.count) {
      diag_error(diags, diag_singular_mass, span_of(s, &b), "the mass matrix of %s is singular: its rank is %d, not %u", names_of(s, &b), rank, b.count);
      diag_hint(diags, "some combination of these coordinates has no inertia; choose coordinates so that it is one of them");
      continue;
    }
    vec_push(s->arena, &s->blocks, b);
  }
}

// ---- velocities of coordinates without inertia

// A single one whose equation is not linear: v = the place where h, as a function of v, vanishes.
static void define_by_inverse(System *s, const Block *b, ExprId h) {
  ExprPool *pool = s->pool;
  const ModelCoord *c = &s->model->coords.items[b->coords[0]];
  SymbolId bound = pool_symbol(pool, "v", sym_bound, bound_outermost, 0);
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, c->v, expr_sym(pool, bound));
  ExprId body = 0;
  if (!bound || !expr_replace(pool, &map, &h, 1, &body)) return;
  ExprId args[4] = {body, expr_sym(pool, bound), pool->zero, expr_diff(pool, body, bound)};
  ExprId value = expr_raw(pool, op_inverse, args, 4);
  const char *label = arena_printf(s->arena, "the equation of motion of %s", c->name);
  if (value && label) vec_push(s->arena, &s->definitions, (Definition){c->v, value, system_origin(s, c->span, label, h)});
}

static void velocity_block(System *s, Block *b, const ExprId *h) {
  ExprPool *pool = s->pool;
  Model *m = s->model;
  uint32_t k = b->count;
  for (uint32_t i = 0; i < k; i++) {
    bool zero = true;
    for (uint32_t j = 0; j < k; j++) zero = zero && expr_is_zero(pool, b->matrix[i * k + j]);
    if (!zero) continue;
    const ModelCoord *c = &m->coords.items[b->coords[i]];
    diag_error(&m->diags, diag_order_zero, c->span, "the coordinate `%s` has neither inertia nor damping, so nothing says how fast it moves", c->name);
    diag_hint(&m->diags, "give it a mass or a damper, or leave it out: its place follows from the others");
    return;
  }
  int rank = expr_rank(pool, b->matrix, k, k, NULL);
  if (rank >= 0 && (uint32_t)rank < k) {
    diag_error(&m->diags, diag_undetermined, span_of(s, b), "the velocities of %s are not determined: their dampers fix %d of %u", names_of(s, b), rank, k);
    diag_hint(&m->diags, "a damper for each of them, or one coordinate less");
    return;
  }
  bool linear = true;
  for (uint32_t i = 0; i < k * k; i++) {
    for (uint32_t j = 0; j < k; j++) linear = linear && !expr_depends(pool, b->matrix[i], b->unknowns[j]);
  }
  if (linear) {
    vec_push(s->arena, &s->blocks, *b);
  } else if (k == 1) {
    define_by_inverse(s, b, h[0]);
  } else {
    diag_error(&m->diags, diag_not_yet, span_of(s, b), "the velocities of %s have no inertia and hang together nonlinearly; that is not there yet", names_of(s, b));
    return;
  }
  for (uint32_t i = 0; i < k; i++) {
    const ModelCoord *c = &m->coords.items[b->coords[i]];
    vec_push(s->arena, &s->notes, arena_printf(s->arena, "%s has no inertia: its equation is of first order, and %s' is solved from it", c->name, c->name));
    if (!c->said_v) continue;
    diag_warning(&m->diags, diag_not_free, c->span, "the starting value of `%s'` is not free: it follows from the equation of first order", c->name);
  }
}

static void velocity_blocks(System *s) {
  ExprPool *pool = s->pool;
  Model *m = s->model;
  uint32_t n = 0, *which = arena_array(s->arena, s->coord_count, sizeof *which);
  for (uint32_t i = 0; which && i < s->coord_count; i++) {
    if (s->first_order[i]) which[n++] = i;
  }
  if (n == 0) return;
  // A = dh/dv among these velocities, b = h without them
  ExprId *h = arena_array(s->arena, n, sizeof *h), *rest = arena_array(s->arena, n, sizeof *rest);
  ExprId *A = arena_array(s->arena, (size_t)n * n, sizeof *A), *column = arena_array(s->arena, n, sizeof *column);
  if (!h || !rest || !A || !column) return;
  SymbolMap still = symbol_map_new(pool);
  for (uint32_t i = 0; i < n; i++) {
    h[i] = s->h[which[i]];
    symbol_map_set(&still, m->coords.items[which[i]].v, pool->zero);
  }
  if (!expr_replace(pool, &still, h, n, rest)) return;
  for (uint32_t j = 0; j < n; j++) {
    if (!expr_diff_all(pool, h, n, m->coords.items[which[j]].v, column)) return;
    for (uint32_t i = 0; i < n; i++) A[i * n + j] = column[i];
  }
  if (!clear_zeros(s, A, n * n)) return;
  uint32_t *part = find_parts(s, A, n);
  for (uint32_t i = 0; part && i < n; i++) {
    if (part[i] != i) continue;
    Block b = make_block(s, A, rest, n, part, i, which, true);
    if (b.count) velocity_block(s, &b, &h[i]);
  }
}

typedef struct NoInertia {
  System *s;
  const ModelCoord *coord;
} NoInertia;

static bool check_acceleration(void *self, ExprId value, Span span) {
  const NoInertia *x = self;
  const ModelCoord *c = x->coord;
  if (!expr_depends(x->s->pool, value, c->a)) return false;
  diag_error(&x->s->model->diags, diag_no_acceleration, span, "`%s''` is not computed: `%s` has no inertia", c->name, c->name);
  return true;
}

// The acceleration of a coordinate without inertia is not computed.
static void check_accelerations(System *s) {
  Model *m = s->model;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const ModelCoord *c = &m->coords.items[i];
    if (!s->first_order[i]) continue;
    NoInertia x = {s, c};
    model_each_shown(m, check_acceleration, &x);
    for (uint32_t k = 0; k < s->definitions.count; k++) {
      const Definition *d = &s->definitions.items[k];
      check_acceleration(&x, d->value, s->origins.items[d->origin - 1].span);
    }
  }
}

// ---- order

typedef struct Order {
  System *s;
  bool *known; // by symbol: it is given, or computed already
} Order;

// Is every symbol in these expressions known?
static bool is_ready(const Order *o, const ExprId *roots, uint32_t count) {
  uint32_t length;
  const ExprId *list = pool_reach(o->s->pool, roots, count, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(o->s->pool, list[i]);
    if (symbol && !o->known[symbol]) return false;
  }
  return list != NULL;
}

static void report_order(System *s, const bool *done) {
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    if (done[i]) continue;
    const Definition *d = &s->definitions.items[i];
    const Origin *o = &s->origins.items[d->origin - 1];
    diag_error(&s->model->diags, diag_circle, o->span, "`%s` depends on itself through other equations", pool_symbol_get(s->pool, d->symbol)->name);
    return;
  }
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    if (done[s->definitions.count + i]) continue;
    diag_error(&s->model->diags, diag_circle, span_of(s, &s->blocks.items[i]), "the equations of %s depend on each other in a circle", names_of(s, &s->blocks.items[i]));
    return;
  }
}

static bool find_order(System *s) {
  uint32_t defs = s->definitions.count, total = defs + s->blocks.count;
  Order o = {s, arena_array(s->arena, s->pool->symbols.count, sizeof(bool))};
  bool *done = arena_array(s->arena, total, sizeof *done);
  if (!o.known || !done) return false;
  // everything is given but what is computed
  for (SymbolId i = 0; i < s->pool->symbols.count; i++) o.known[i] = true;
  for (uint32_t i = 0; i < defs; i++) o.known[s->definitions.items[i].symbol] = false;
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    for (uint32_t k = 0; k < s->blocks.items[i].count; k++) o.known[s->blocks.items[i].unknowns[k]] = false;
  }
  for (uint32_t left = total; left > 0;) {
    uint32_t before = left;
    for (uint32_t i = 0; i < total; i++) {
      if (done[i]) continue;
      if (i < defs) {
        const Definition *d = &s->definitions.items[i];
        if (!is_ready(&o, &d->value, 1)) continue;
        o.known[d->symbol] = true;
      } else {
        const Block *b = &s->blocks.items[i - defs];
        if (!is_ready(&o, b->rhs, b->count) || !is_ready(&o, b->matrix, b->count * b->count)) continue;
        for (uint32_t k = 0; k < b->count; k++) o.known[b->unknowns[k]] = true;
      }
      vec_push(s->arena, &s->steps, (Step){i >= defs, i >= defs ? i - defs : i});
      done[i] = true;
      left--;
    }
    if (left == before) {
      if (s->model->diags.arena == s->arena) report_order(s, done); // not in the copy of a run
      return false;
    }
  }
  return true;
}

bool system_order(System *s) {
  s->steps.items = NULL;
  s->steps.count = s->steps.cap = 0;
  return find_order(s);
}

bool system_structure(System *s) {
  acceleration_blocks(s);
  velocity_blocks(s);
  check_accelerations(s);
  if (!arena_failed(s->arena) && s->model->diags.errors == 0) find_order(s);
  return !arena_failed(s->arena);
}
