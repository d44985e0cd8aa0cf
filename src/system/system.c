#include "system/system.h"

#include "expr/calculus.h"

#include <string.h>

bool system_init(System *s, Model *model) {
  Arena *arena = model->arena;
  uint32_t n = model->coords.count, m = model->states.count;
  *s = (System){.arena = arena, .model = model, .pool = &model->pool, .coord_count = n, .state_count = m};
  s->M = arena_array(arena, (size_t)n * n, sizeof(ExprId));
  s->h = arena_array(arena, n, sizeof(ExprId));
  s->by_equation = arena_array(arena, n, sizeof(bool));
  s->f = arena_array(arena, m, sizeof(ExprId));
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < n * n; i++) s->M[i] = s->pool->zero;
  for (uint32_t i = 0; i < n; i++) s->h[i] = s->pool->zero;
  for (uint32_t i = 0; i < m; i++) s->f[i] = s->pool->zero;
  s->energy.kinetic = s->energy.potential = s->energy.stored = s->pool->zero;
  s->energy.dissipated = s->energy.supplied = s->pool->zero;
  return true;
}

bool system_clone(System *copy, const System *s, ExprPool *pool, Arena *arena) {
  *copy = *s;
  copy->arena = arena;
  copy->pool = pool;
  return pool_clone(pool, s->pool, arena);
}

uint32_t system_origin(System *s, Span span, const char *label, ExprId root) {
  return vec_push(s->arena, &s->origins, (Origin){span, label, root}) ? s->origins.count : 0;
}

bool system_time_derivative(System *s, const ExprId *roots, uint32_t count, bool accelerations, ExprId *out) {
  ExprPool *pool = s->pool;
  uint32_t length;
  const ExprId *list = pool_reach(pool, roots, count, NULL, NULL, &length);
  if (!list) return false;
  VEC(SymbolId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId id = expr_symbol(pool, list[i]);
    if (id) vec_push(s->arena, &found, id);
  }
  VEC(ExprId) rates = {0};
  for (uint32_t i = 0; i < found.count; i++) {
    SymbolKind kind = pool_symbol_get(pool, found.items[i])->kind;
    ExprId rate = pool->zero;
    if (kind == sym_time) rate = pool->one;
    else if (kind != sym_velocity || accelerations) {
      SymbolId r = model_rate(s->model, found.items[i], (Span){0});
      if (r) rate = expr_sym(pool, r);
    }
    if (!vec_push(s->arena, &rates, rate)) return false;
  }
  SymbolMap map = symbol_map_new(pool);
  for (uint32_t i = 0; i < found.count; i++) {
    if (rates.items[i] != pool->zero) symbol_map_set(&map, found.items[i], rates.items[i]);
  }
  return expr_derive(pool, &map, roots, count, out, NULL);
}

// ---- definitions

static void add_definition(System *s, SymbolId symbol, ExprId value, Span span, const char *label) {
  vec_push(s->arena, &s->definitions, (Definition){symbol, value, system_origin(s, span, label, value)});
}

// Rates of inputs are derivatives of the inputs' expressions; a rate may ask for further rates.
static void define_inputs(System *s) {
  Model *m = s->model;
  for (uint32_t i = 0; i < m->inputs.count; i++) {
    const ModelInput *in = &m->inputs.items[i];
    add_definition(s, in->symbol, in->value, in->span, arena_printf(s->arena, "the input %s", in->name));
  }
  bool *reported = arena_array(s->arena, m->inputs.count, sizeof *reported);
  if (!reported) return;
  for (uint32_t i = 0; i < m->input_rates.count; i++) {
    ModelInputRate r = m->input_rates.items[i];
    const ModelInput *in = &m->inputs.items[r.input];
    ExprId value = in->value;
    bool ok = true;
    bool known = true; // rates of states and accelerations have no derivative
    for (uint32_t k = 0; k < r.order && ok && known; k++) {
      known = !expr_has_kind(s->pool, value, sym_state_rate) && !expr_has_kind(s->pool, value, sym_acceleration);
      ok = system_time_derivative(s, &value, 1, true, &value);
    }
    if (!ok) return;
    const char *name = pool_symbol_get(s->pool, r.symbol)->name;
    if (!known && reported[r.input]) continue;
    if (!known) {
      reported[r.input] = true;
      diag_error(&m->diags, diag_no_derivative, r.span.source ? r.span : in->span, "`%s` would need further derivatives of what the input `%s` depends on", name, in->name);
      continue;
    }
    if (expr_has_kind(s->pool, value, sym_acceleration)) {
      reported[r.input] = true;
      diag_error(&m->diags, diag_no_derivative, r.span.source ? r.span : in->span, "`%s` would need accelerations, because the input `%s` depends on velocities", name, in->name);
      continue;
    }
    add_definition(s, r.symbol, value, in->span, arena_printf(s->arena, "the input %s", in->name));
  }
}

static void define_states(System *s) {
  Model *m = s->model;
  for (uint32_t i = 0; i < s->state_count; i++) {
    const ModelState *x = &m->states.items[i];
    Span span = x->equation.source ? x->equation : x->span;
    add_definition(s, x->rate, s->f[i], span, arena_printf(s->arena, "the equation of %s", x->name));
  }
}

// ---- blocks: connected parts of M

static uint32_t find_root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void find_blocks(System *s) {
  uint32_t n = s->coord_count;
  uint32_t *parent = arena_array(s->arena, n, sizeof *parent);
  if (!parent) return;
  for (uint32_t i = 0; i < n; i++) parent[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      if (!expr_is_zero(s->pool, s->M[i * n + j])) parent[find_root(parent, i)] = find_root(parent, j);
    }
  }
  for (uint32_t root = 0; root < n; root++) {
    Block b = {.coords = arena_array(s->arena, n, sizeof(uint32_t)), .symmetric = true};
    if (!b.coords) return;
    for (uint32_t i = 0; i < n; i++) {
      if (find_root(parent, i) == find_root(parent, root)) b.coords[b.count++] = i;
    }
    if (b.coords[0] != root) continue; // each block once, at its first coordinate
    for (uint32_t i = 0; i < b.count; i++) {
      for (uint32_t j = 0; j < i; j++) {
        b.symmetric = b.symmetric && s->M[b.coords[i] * n + b.coords[j]] == s->M[b.coords[j] * n + b.coords[i]];
      }
    }
    vec_push(s->arena, &s->blocks, b);
  }
}

// ---- order

// Is every computed symbol in this expression known already?
static bool is_ready(System *s, ExprId id, const bool *known) {
  uint32_t length;
  uint16_t computed = 1u << sym_input | 1u << sym_input_rate | 1u << sym_acceleration | 1u << sym_state_rate;
  if (!(pool_node(s->pool, id)->kinds & computed)) return true;
  const ExprId *list = pool_reach(s->pool, &id, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(s->pool, list[i]);
    if (symbol && (1u << pool_symbol_get(s->pool, symbol)->kind & computed) && !known[symbol]) return false;
  }
  return list != NULL;
}

static bool block_ready(System *s, const Block *b, const bool *known) {
  for (uint32_t i = 0; i < b->count; i++) {
    if (!is_ready(s, s->h[b->coords[i]], known)) return false;
    for (uint32_t j = 0; j < b->count; j++) {
      if (!is_ready(s, s->M[b->coords[i] * s->coord_count + b->coords[j]], known)) return false;
    }
  }
  return true;
}

static void report_order(System *s, const bool *done, uint32_t defs) {
  Model *m = s->model;
  for (uint32_t i = 0; i < defs; i++) {
    if (done[i]) continue;
    const Definition *d = &s->definitions.items[i];
    const Origin *o = &s->origins.items[d->origin - 1];
    diag_error(&m->diags, diag_circle, o->span, "`%s` depends on itself through other equations", pool_symbol_get(s->pool, d->symbol)->name);
    return;
  }
}

static void find_order(System *s) {
  uint32_t defs = s->definitions.count, total = defs + s->blocks.count;
  bool *known = arena_array(s->arena, s->pool->symbols.count, sizeof *known);
  bool *done = arena_array(s->arena, total, sizeof *done);
  if (!known || !done) return;
  for (uint32_t left = total; left > 0;) {
    uint32_t before = left;
    for (uint32_t i = 0; i < total; i++) {
      if (done[i]) continue;
      if (i < defs) {
        if (!is_ready(s, s->definitions.items[i].value, known)) continue;
        known[s->definitions.items[i].symbol] = true;
        vec_push(s->arena, &s->steps, (Step){false, i});
      } else {
        const Block *b = &s->blocks.items[i - defs];
        if (!block_ready(s, b, known)) continue;
        for (uint32_t k = 0; k < b->count; k++) known[s->model->coords.items[b->coords[k]].a] = true;
        vec_push(s->arena, &s->steps, (Step){true, i - defs});
      }
      done[i] = true;
      left--;
    }
    if (left == before) {
      report_order(s, done, defs);
      return;
    }
  }
}

bool system_finish(System *s) {
  Model *m = s->model;
  define_inputs(s);
  define_states(s);
  if (arena_failed(s->arena) || m->diags.errors) return !arena_failed(s->arena);
  s->coord_origin = arena_array(s->arena, s->coord_count, sizeof *s->coord_origin);
  if (!s->coord_origin) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const ModelCoord *c = &m->coords.items[i];
    s->coord_origin[i] = system_origin(s, c->span, arena_printf(s->arena, "the equation of motion of %s", c->name), 0);
  }
  find_blocks(s);
  find_order(s);
  return !arena_failed(s->arena);
}
