// Port-Hamiltonian systems: the rows of x' = (J - R) dH/dx + (G - P) u, and their power balance.
//
// in    storages (system/ports.h)
// out   the right-hand sides of the states that are rows; the energy H; powers:
//         dissipated = [dH; u]' [R P; P' S] [dH; u]
//         supplied   = y.u + dH/dt + dH/dx_k x_k'        x_k: inputs and states without a row that H holds
//
// A storage whose states have equations of their own gets no rows. Its powers are dH.f, with the inputs set to zero
// dissipated (with the opposite sign) and the rest supplied.
#include "form/form.h"

#include "expr/calculus.h"

static ExprId input_of(const System *s, const SystemPort *p) {
  return expr_sym(s->pool, s->inputs.items[p->input].symbol);
}

static bool fill_rows(System *s, const SystemStorage *x) {
  ExprPool *pool = s->pool;
  uint32_t n = x->count;
  Term *terms = arena_array(s->arena, (size_t)n + x->ports.count + 1, sizeof *terms);
  for (uint32_t i = 0; terms && i < n; i++) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < n; j++) {
      ExprId entry = expr_sub(pool, x->J[i * n + j], x->R[i * n + j]);
      if (entry != pool->zero) terms[count++] = (Term){RAT_ONE, expr_mul(pool, entry, x->dH[j])};
    }
    for (uint32_t k = 0; k < x->ports.count; k++) {
      const SystemPort *p = &x->ports.items[k];
      ExprId entry = expr_sub(pool, p->by[i], p->through[i]);
      if (entry != pool->zero) terms[count++] = (Term){RAT_ONE, expr_mul(pool, entry, input_of(s, p))};
    }
    ExprId rate = expr_sum(pool, terms, count);
    if (!rate) return false;
    s->states.items[x->rows[i]].rhs = rate;
  }
  return terms != NULL;
}

// [dH; u]' [R P; P' S] [dH; u]
static ExprId lost(System *s, const SystemStorage *x) {
  ExprPool *pool = s->pool;
  uint32_t n = x->count, m = x->ports.count;
  ExprId sum = pool->zero;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      if (x->R[i * n + j] == pool->zero) continue;
      sum = expr_add(pool, sum, expr_mul(pool, x->R[i * n + j], expr_mul(pool, x->dH[i], x->dH[j])));
    }
  }
  for (uint32_t k = 0; k < m; k++) {
    const SystemPort *p = &x->ports.items[k];
    ExprId u = input_of(s, p);
    for (uint32_t i = 0; i < n; i++) {
      ExprId term = expr_mul(pool, p->through[i], expr_mul(pool, x->dH[i], u));
      sum = expr_add(pool, sum, expr_scale(pool, rat_int(2), term));
    }
    for (uint32_t j = 0; j < m; j++)
      sum = expr_add(pool, sum, expr_mul(pool, p->feed[j], expr_mul(pool, u, input_of(s, &x->ports.items[j]))));
  }
  return sum;
}

ExprId storage_by_others(System *s, const SystemStorage *x) {
  ExprPool *pool = s->pool;
  uint32_t length;
  ExprId sum = expr_diff(pool, x->H, s->time);
  VEC(SymbolId) found = {0};
  const ExprId *list = pool_reach(pool, &x->H, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId symbol = expr_symbol(pool, list[i]);
    SymbolKind kind = symbol ? pool_symbol_get(pool, symbol)->kind : sym_param;
    bool row = false;
    for (uint32_t k = 0; k < x->count; k++) row = row || s->states.items[x->rows[k]].x == symbol;
    if (symbol && !row && (kind == sym_input || kind == sym_state)) vec_push(s->arena, &found, symbol);
  }
  for (uint32_t i = 0; i < found.count; i++) {
    SymbolId rate = system_rate(s, found.items[i]);
    sum = rate ? expr_add(pool, sum, expr_mul(pool, expr_diff(pool, x->H, found.items[i]), expr_sym(pool, rate))) : 0;
  }
  return sum;
}

static ExprId supplied(System *s, const SystemStorage *x) {
  ExprId sum = storage_by_others(s, x);
  for (uint32_t k = 0; k < x->ports.count; k++)
    sum = expr_add(s->pool, sum, expr_mul(s->pool, x->ports.items[k].y, input_of(s, &x->ports.items[k])));
  return sum;
}

// dH.f, and the same without inputs.
static bool fitted_powers(System *s, const SystemStorage *x, ExprId *dissipated, ExprId *in) {
  ExprPool *pool = s->pool;
  ExprId all = pool->zero, still = 0;
  SymbolMap off = symbol_map_new(pool);
  for (uint32_t i = 0; i < s->inputs.count; i++) symbol_map_set(&off, s->inputs.items[i].symbol, pool->zero);
  for (uint32_t i = 0; i < x->count; i++) {
    ExprId rate = s->states.items[x->rows[i]].rhs;
    if (!rate) rate = expr_sym(pool, s->states.items[x->rows[i]].rate);
    all = expr_add(pool, all, expr_mul(pool, x->dH[i], rate));
  }
  if (!expr_replace(pool, &off, &all, 1, &still)) return false;
  *dissipated = expr_neg(pool, still);
  *in = expr_add(pool, expr_sub(pool, all, still), storage_by_others(s, x));
  return *in != 0;
}

static bool fill_account(System *s, const SystemStorage *x) {
  ExprPool *pool = s->pool;
  SystemEnergy *e = &s->energy;
  ExprId out = 0, in = 0;
  if (!e->kept) {
    e->kept = true;
    e->kinetic = e->potential = e->stored = pool->zero;
    e->flows.items[flow_dissipated].power = e->flows.items[flow_supplied].power = pool->zero;
  }
  if (x->fitted && !fitted_powers(s, x, &out, &in)) return false;
  if (!x->fitted) {
    out = lost(s, x);
    in = supplied(s, x);
  }
  e->potential = expr_add(pool, e->potential, x->H);
  e->stored = expr_add(pool, e->stored, x->H);
  e->flows.items[flow_dissipated].power = expr_add(pool, e->flows.items[flow_dissipated].power, out);
  e->flows.items[flow_supplied].power = expr_add(pool, e->flows.items[flow_supplied].power, in);
  return out && in && e->stored;
}

static bool hamilton_fill(System *s) {
  for (uint32_t i = 0; i < s->storages.count; i++) {
    const SystemStorage *x = &s->storages.items[i];
    system_origin(s, x->span, "hamiltonian", x->H);
    if (!x->fitted && !fill_rows(s, x)) return false;
    if (!fill_account(s, x)) return false;
  }
  return !arena_failed(s->arena);
}

const Formulation hamilton_formulation = {.fill = hamilton_fill};
