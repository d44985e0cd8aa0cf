// Index reduction, written out: the chain of derivatives of an equation of higher index.
//
// in    SystemEquation.levels: g = 0 as it stands, then its derivatives, with what is known put in
// out   for each level  d/dt of the line before = 0, then the same with rates, accelerations and unknowns that other
//       equations give put in, where that changes it
// how   A claim differentiates the line above it, or puts in what the model says: rates of states, accelerations of
//       small blocks (solved.c), unknowns with an equation of their own. Where other equations were added to a level,
//       the numbers of that combination are looked for modulo a prime, and the exact algebra decides on it.
#include "algebra/steps_levels.h"

#include "algebra/solved.h"
#include "expr/calculus.h"
#include "expr/modular.h"

enum { most_candidates = 64 }; // equations among which a combination is looked for

static ExprId tidy(System *s, ExprId id) {
  return id ? expr_group(s->pool, expr_expand(s->pool, id, derive_most_terms)) : 0;
}

// ---- what is known

static ExprId put_in(System *s, const SymbolMap *map, ExprId id) {
  // a chain is as long as the map; a cycle has no end, and is left as it is then
  for (uint32_t round = 0; id && round <= map->used; round++) {
    ExprId next = 0;
    if (!expr_replace(s->pool, map, &id, 1, &next)) return 0;
    if (next == id) return id;
    id = next;
  }
  return id;
}

// Accelerations of blocks that are not too large.
static bool know_blocks(System *s, SymbolMap *map) {
  for (uint32_t k = 0; k < s->blocks.count; k++) {
    const Block *b = &s->blocks.items[k];
    ExprId solved[most_solved] = {0};
    const char *failed = NULL;
    if (b->implicit || b->count > most_solved) continue;
    const ExprId *m = block_dense(s->arena, s->pool, b);
    if (!m || !solved_linear(s, m, b->rhs, b->count, &(DeriveStyle){0}, solved, &failed)) return false;
    for (uint32_t i = 0; i < b->count; i++) {
      if (solved[i]) symbol_map_set(map, b->unknowns[i], solved[i]);
    }
  }
  return true;
}

static bool is_unknown(const System *s, SymbolId id) {
  const Symbol *x = pool_symbol_get(s->pool, id);
  return x->kind == sym_unknown || (x->kind == sym_state_rate && s->states.items[x->index].implicit) ||
         (x->kind == sym_acceleration && s->source[x->index] == source_implicit);
}

// The only unknown of an equation that is linear in it with a factor of parameters. *found: it is in the map now.
static bool know_unknown(System *s, SymbolMap *map, ExprId residual, bool *found) {
  ExprPool *pool = s->pool;
  SymbolId only = 0;
  uint32_t length, count = 0;
  const ExprId *list = pool_reach(pool, &residual, 1, NULL, NULL, &length);
  *found = false;
  for (uint32_t i = 0; list && i < length; i++) {
    SymbolId x = expr_symbol(pool, list[i]);
    if (!x || !is_unknown(s, x)) continue;
    only = x;
    count++;
  }
  if (!list || count != 1) return list != NULL;
  ExprId slope = expr_diff(pool, residual, only), rest = 0;
  SymbolMap none = symbol_map_new(pool);
  symbol_map_set(&none, only, pool->zero);
  if (!slope || !expr_replace(pool, &none, &residual, 1, &rest)) return false;
  if (expr_is_zero(pool, slope) || !expr_only_kinds(pool, slope, kind_set(sym_param))) return true;
  symbol_map_set(map, only, expr_neg(pool, expr_div(pool, rest, slope)));
  *found = true;
  return true;
}

static bool know_all(System *s, SymbolMap *map) {
  KindSet outside = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_input_rate);
  for (uint32_t i = 0; i < s->definitions.count; i++) {
    const Definition *d = &s->definitions.items[i];
    SymbolKind kind = pool_symbol_get(s->pool, d->symbol)->kind;
    bool signal = kind == sym_input || kind == sym_input_rate;
    if (!signal || !expr_only_kinds(s->pool, d->value, outside)) symbol_map_set(map, d->symbol, d->value);
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    if (!s->states.items[i].implicit) symbol_map_set(map, s->states.items[i].rate, s->f[i]);
  }
  if (!know_blocks(s, map)) return false;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < s->implicit.count; i++) {
      const SystemEquation *e = &s->implicit.items[i];
      bool found = false;
      if (e->times || e->unknown) continue;
      ExprId residual = put_in(s, map, e->residual);
      if (!residual || !know_unknown(s, map, residual, &found)) return false;
      again = again || found;
    }
  }
  return true;
}

// ---- writing

static bool put(System *s, Steps *out, StepKind kind, uint32_t equation, uint32_t level, ExprId left) {
  StepLine l = {.kind = kind, .coord = equation, .by = level, .left = left, .value = s->pool->zero};
  return left && vec_push(s->arena, &out->lines, l);
}

// The line of a level as it is used by the next one; NULL: it is the equation as written.
static const StepLine *last_line(const Steps *steps, uint32_t equation, uint32_t level) {
  const StepLine *last = NULL;
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    const StepLine *l = &steps->lines.items[i];
    bool own = l->kind == line_level_rate || l->kind == line_level_known;
    if (own && l->coord == equation && l->by == level) last = l;
  }
  return last;
}

static ExprId level_above(System *s, const Steps *steps, uint32_t equation, uint32_t level) {
  const StepLine *l = last_line(steps, equation, level);
  return l ? l->left : s->implicit.items[equation].residual;
}

static bool derivative(System *s, ExprId id, ExprId *out) { return system_time_derivative(s, &id, 1, true, out); }

static bool write_levels(System *s, Steps *out, uint32_t i) {
  const SystemEquation *e = &s->implicit.items[i];
  ExprId written = tidy(s, e->residual), first = tidy(s, e->levels[0]);
  if (first != written && !put(s, out, line_level_known, i, 0, first)) return false;
  for (uint32_t k = 1; k <= e->times; k++) {
    ExprId rate = 0, level = tidy(s, e->levels[k]);
    if (!derivative(s, level_above(s, out, i, k - 1), &rate)) return false;
    rate = tidy(s, rate);
    if (!put(s, out, line_level_rate, i, k, rate)) return false;
    if (level != rate && !put(s, out, line_level_known, i, k, level)) return false;
  }
  return true;
}

bool steps_levels_write(System *s, Steps *out) {
  for (uint32_t i = 0; i < s->implicit.count; i++) {
    if (s->implicit.items[i].times && !write_levels(s, out, i)) return false;
  }
  return true;
}

// ---- proving

// The rows that may have been added to a level: equations as written, levels of those that nothing was added to, and
// what stands above the line itself; each with what is known put in.
static uint32_t candidates(System *s, const SymbolMap *known, const StepLine *line, ExprId *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->implicit.count; i++) {
    const SystemEquation *e = &s->implicit.items[i];
    uint32_t levels = i == line->coord ? line->by : e->times && !e->joined ? e->times + 1 : 0;
    for (uint32_t k = 0; k <= levels && count < most_candidates; k++) {
      ExprId row = put_in(s, known, k ? e->levels[k - 1] : e->residual);
      if (row) list[count++] = row;
    }
  }
  return count;
}

// The line as a combination of other rows with numbers. 0: none was found.
static ExprId combination(System *s, const SymbolMap *known, const StepLine *line) {
  ExprId list[most_candidates + 1] = {line->left};
  uint32_t count = 1 + candidates(s, known, line, list + 1);
  ModularRelations relations;
  Rat *factors = NULL;
  if (!relations_open(&relations, s->arena, count) || !relations_sample(&relations, s->pool, s->arena, list, 1))
    return 0;
  uint32_t found = relations_solve(&relations, s->arena, relation_wide, &factors);
  for (uint32_t k = 0; k < found; k++) {
    const Rat *f = factors + (size_t)k * count;
    if (rat_is_zero(f[0])) continue;
    ExprId sum = s->pool->zero;
    for (uint32_t i = 1; i < count; i++) sum = expr_sub(s->pool, sum, expr_scale(s->pool, f[i], list[i]));
    return expr_div(s->pool, sum, expr_num(s->pool, f[0]));
  }
  return 0;
}

ExprId steps_levels_claim(System *s, const Steps *steps, const StepLine *l) {
  const SystemEquation *e = &s->implicit.items[l->coord];
  ExprId above = 0;
  if (l->kind == line_level_rate) return derivative(s, level_above(s, steps, l->coord, l->by - 1), &above) ? above : 0;
  SymbolMap known = symbol_map_new(s->pool);
  if (!know_all(s, &known)) return 0;
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    const StepLine *rate = &steps->lines.items[i];
    if (rate->kind == line_level_rate && rate->coord == l->coord && rate->by == l->by) above = rate->left;
  }
  ExprId direct = put_in(s, &known, above ? above : e->residual);
  if (!direct || !e->joined) return direct;
  if (decide_equal(s->pool, s->arena, direct, put_in(s, &known, l->left)).verdict == verdict_equal) return direct;
  ExprId other = combination(s, &known, l);
  return other ? other : direct;
}
