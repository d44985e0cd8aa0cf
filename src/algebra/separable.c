// Structural identifiability by symmetries: scalings and shifts of the unknowns. See separable.h.
#include "algebra/separable.h"

#include "algebra/constrained.h"
#include "algebra/derived.h"
#include "algebra/exponents.h"
#include "algebra/facts.h"
#include "algebra/scaled.h"
#include "algebra/switching.h"
#include "expr/decide.h"
#include "expr/modular.h"

#include <math.h>
#include <string.h>

// A table of candidates has a derivative in each entry, so these are the sizes at which it stays quick.
enum { most_unknowns = 24, most_rows = 120, most_columns = 160, most_jumps = 40, most_components = 40 };

static const uint32_t nobody = UINT32_MAX;

// One component of the trajectory: a coordinate with its velocity and acceleration, or a state with its rate.
typedef struct SeparablePart {
  SymbolId place, rates[2]; // 0: none
} SeparablePart;

// What must become of an expression: multiplied by lambda to the power of a column; of none: it stays.
typedef struct SeparableRow {
  ExprId value;
  uint32_t column;
  bool shifted; // by shifts it is moved as its column says; else it stays
} SeparableRow;

typedef struct SeparableStage {
  const SeparableExperiment *of;
  System *s;
  ExprPool *pool;
  VEC(SeparableRow) rows;
  SeparablePart parts[most_components];
  uint32_t part_count;
  bool moves;                       // components may be scaled, too
  uint32_t factors, weights;        // first columns: of equations and arguments of what jumps; of components
  uint32_t forces;                  // of multipliers: forces of constraints scale as they need
  SymbolId symbol[most_unknowns];   // of each own unknown: a parameter; 0: a start
  uint32_t start_of[most_unknowns]; // and then of this component
  bool velocity[most_unknowns];     // of its velocity
  SymbolId number, logarithm;       // lambda or epsilon, ln(lambda)
} SeparableStage;

typedef struct SeparableSearch {
  Arena *arena;
  SeparableStage *stages;
  uint32_t count, unknowns, columns; // unknowns come last
  const char *const *shown;
  Separable *out;
} SeparableSearch;

static uint32_t column_of(const SeparableSearch *x, uint32_t unknown) { return x->columns - x->unknowns + unknown; }

// ---- what determines the solutions

static void put(SeparableSearch *x, SeparableStage *g, ExprId value, uint32_t column, bool shifted) {
  if (value) vec_push(x->arena, &g->rows, (SeparableRow){value, column, shifted});
}

static uint32_t weight(const SeparableStage *g, uint32_t part) { return g->moves ? g->weights + part : nobody; }

static bool is_unknown_start(const SeparableStage *g, uint32_t part, bool velocity) {
  for (uint32_t k = 0; k < g->of->count; k++) {
    if (!g->symbol[k] && g->start_of[k] == part && g->velocity[k] == velocity) return true;
  }
  return false;
}

static void put_start(SeparableSearch *x, SeparableStage *g, uint32_t part, bool velocity, ExprId value) {
  if (value && !is_unknown_start(g, part, velocity)) put(x, g, value, weight(g, part), !velocity);
}

static bool put_coordinates(SeparableSearch *x, SeparableStage *g) {
  System *s = g->s;
  ExprPool *pool = g->pool;
  uint32_t n = s->coord_count;
  for (uint32_t i = 0; i < n; i++) {
    ExprId r = s->h[i];
    for (uint32_t j = 0; j < n; j++)
      r = expr_add(pool, r, expr_mul(pool, system_mass(s, i, j), expr_sym(pool, s->coords.items[j].a)));
    for (uint32_t k = 0; k < s->constraints.count; k++) {
      ExprId slope = constrained_slope(s, k, i);
      if (slope == pool->zero) continue;
      r = expr_sub(pool, r, expr_mul(pool, slope, expr_sym(pool, s->constraints.items[k].symbol)));
    }
    if (!r) return false;
    put(x, g, r, g->factors + i, false);
    const SystemCoord *c = &s->coords.items[i];
    if (s->role[i] != coord_algebraic) put_start(x, g, i, false, c->q0 ? c->q0 : pool->zero);
    if (s->role[i] < coord_first_order) put_start(x, g, i, true, c->v0 ? c->v0 : pool->zero);
  }
  for (uint32_t k = 0; k < s->constraints.count; k++)
    put(x, g, s->constraints.items[k].value, g->factors + n + k, false);
  return true;
}

static void put_events(SeparableSearch *x, SeparableStage *g) {
  const System *s = g->s;
  for (uint32_t i = 0; i < s->whens.count; i++) {
    const SystemWhen *w = &s->whens.items[i];
    put(x, g, w->condition, nobody, false);
    put(x, g, w->period, nobody, false);
    for (uint32_t k = 0; k < w->assigns.count; k++) {
      const SystemAssign *a = &w->assigns.items[k];
      uint32_t part = a->kind == assign_state ? s->coord_count + a->index : a->index;
      put(x, g, a->value, weight(g, part), a->kind != assign_velocity);
    }
  }
}

// An input that is written with an unknown is no known signal: its expression replaces it.
static bool holds_unknown(const SeparableStage *g, ExprId value) {
  for (uint32_t k = 0; value && k < g->of->count; k++) {
    if (g->symbol[k] && expr_depends(g->pool, value, g->symbol[k])) return true;
  }
  return false;
}

// All else that is known stands in them as numbers.
static bool put_known(SeparableSearch *x, SeparableStage *g) {
  System *s = g->s;
  uint32_t known = 0, rows = g->rows.count;
  size_t most = (size_t)s->params.count + s->inputs.count + 1;
  SymbolId *symbols = arena_array(x->arena, most, sizeof *symbols);
  ExprId *values = arena_array(x->arena, most, sizeof *values),
         *in = arena_array(x->arena, (size_t)rows + 1, sizeof *in);
  if (arena_failed(x->arena)) return false;
  for (uint32_t i = 0; i < s->params.count; i++) {
    const SystemParam *p = &s->params.items[i];
    bool free = p->structural || !p->value;
    for (uint32_t k = 0; k < g->of->count; k++) free = free || g->symbol[k] == p->symbol;
    if (free) continue;
    symbols[known] = p->symbol;
    values[known++] = p->value;
  }
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    if (!holds_unknown(g, s->inputs.items[i].value)) continue;
    symbols[known] = s->inputs.items[i].symbol;
    values[known++] = s->inputs.items[i].value;
  }
  Derived derived;
  for (uint32_t i = 0; i < rows; i++) in[i] = g->rows.items[i].value;
  if (!derived_of(s, symbols, values, known, &derived) || !derived_put(s, &derived, in, rows, in)) return false;
  for (uint32_t i = 0; i < rows; i++) g->rows.items[i].value = in[i];
  return true;
}

static bool gather(SeparableSearch *x, SeparableStage *g) {
  System *s = g->s;
  uint32_t n = s->coord_count;
  if (!put_coordinates(x, g)) return false;
  for (uint32_t i = 0; i < s->state_count; i++) {
    put(x, g, s->f[i], weight(g, n + i), false);
    put_start(x, g, n + i, false, s->states.items[i].x0 ? s->states.items[i].x0 : g->pool->zero);
  }
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    if (!holds_unknown(g, s->inputs.items[i].value)) put(x, g, s->inputs.items[i].value, nobody, false);
  }
  for (uint32_t i = 0; i < g->of->output_count; i++) put(x, g, g->of->outputs[i], nobody, false);
  put_events(x, g);
  return put_known(x, g) && !arena_failed(x->arena);
}

// ---- is it a model of the kind that is looked at?

static const char *refusal(System *s) {
  if (s->implicit.count || s->unknowns.count) return "the model has implicit equations";
  if (s->memories.count || s->delays.count || s->frictions.count) return "the model has blocks that remember";
  if (s->calls.count || s->linkage.bars.count) return "the model is computed by kernels";
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] == source_implicit) return "the model has implicit equations";
  }
  for (uint32_t i = 0; i < s->energies.count; i++) {
    if (facts_energy_jumps(s, &s->energies.items[i])) return "an energy jumps"; // impulses, which no equation has
  }
  return NULL;
}

static const char *refused_rows(const SeparableStage *g) {
  KindSet known = 0;
  static const SymbolKind kinds[] = {sym_param, sym_time,       sym_input,     sym_input_rate,
                                     sym_coord, sym_velocity,   sym_state,     sym_acceleration,
                                     sym_bound, sym_multiplier, sym_state_rate};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) known |= kind_set(kinds[i]);
  for (uint32_t i = 0; i < g->rows.count; i++) {
    if (!expr_only_kinds(g->pool, g->rows.items[i].value, known)) return "the model has signals that a run computes";
  }
  return NULL;
}

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

// Which parameter or start a name means. False: neither, as it seems.
static bool find_unknown(SeparableStage *g, uint32_t k) {
  const System *s = g->s;
  const char *name = g->of->names[k];
  for (uint32_t i = 0; i < s->params.count; i++) {
    if (same(s->params.items[i].name, name)) return (g->symbol[k] = s->params.items[i].symbol) != 0;
  }
  for (uint32_t i = 0; i < g->part_count; i++) {
    const SeparablePart *c = &g->parts[i];
    bool coordinate = i < s->coord_count;
    g->start_of[k] = i;
    g->velocity[k] = coordinate && same(pool_symbol_get(g->pool, c->rates[0])->name, name);
    if (g->velocity[k] || same(pool_symbol_get(g->pool, c->place)->name, name)) return true;
  }
  return false;
}

static const char *prepare(SeparableSearch *x, SeparableStage *g) {
  System *s = g->s;
  const char *why = refusal(s);
  if (why) return why;
  if (s->coord_count + s->state_count > most_components || g->of->count > most_unknowns) return "the model is large";
  g->moves = !s->constraints.count;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    g->parts[g->part_count++] = (SeparablePart){c->q, {c->v, c->a}};
    if (s->role[i] == coord_combined) g->moves = false;
  }
  for (uint32_t i = 0; i < s->state_count; i++)
    g->parts[g->part_count++] = (SeparablePart){s->states.items[i].x, {s->states.items[i].rate, 0}};
  for (uint32_t k = 0; k < g->of->count; k++) {
    if (!find_unknown(g, k)) return "a start is no coordinate or state of its own";
  }
  g->factors = x->columns;
  x->columns += s->coord_count + s->constraints.count;
  g->weights = x->columns;
  if (g->moves) x->columns += g->part_count;
  g->forces = x->columns;
  x->columns += s->constraints.count;
  g->number = pool_symbol(g->pool, "lambda", sym_param, s->params.count, 0);
  g->logarithm = pool_symbol(g->pool, "ln(lambda)", sym_param, s->params.count + 1, 0);
  if (!gather(x, g)) return "out of memory";
  if (g->rows.count > most_rows) return "the model is large";
  return refused_rows(g);
}

// Arguments of what jumps have rows of their own; the last columns are theirs.
static const char *add_jumps(SeparableSearch *x, SeparableStage *g) {
  JumpArgument jumps[most_jumps];
  ExprId *values = arena_array(x->arena, (size_t)g->rows.count + 1, sizeof *values);
  KindSet any = ~(KindSet)0;
  if (!values) return "out of memory";
  for (uint32_t i = 0; i < g->rows.count; i++) values[i] = g->rows.items[i].value;
  uint32_t count = switching_find(g->pool, x->arena, values, g->rows.count, any, jumps, most_jumps);
  if (count == UINT32_MAX) return "the model switches at many places";
  for (uint32_t i = 0; i < count; i++) put(x, g, jumps[i].argument, jumps[i].scalable ? x->columns++ : nobody, false);
  return NULL;
}

// ---- candidates

static ExprId moved(SeparableStage *g, ExprId value, SymbolId symbol, bool scale) {
  if (!symbol) return g->pool->zero;
  ExprId d = expr_diff(g->pool, value, symbol);
  return scale ? expr_mul(g->pool, expr_sym(g->pool, symbol), d) : d;
}

static bool fill_row(SeparableSearch *x, SeparableStage *g, ExprId value, const SeparableRow *row, bool scale,
                     ExprId *to) {
  ExprPool *pool = g->pool;
  for (uint32_t c = 0; c < x->columns; c++) to[c] = pool->zero;
  for (uint32_t k = 0; k < g->of->count; k++) to[column_of(x, g->of->which[k])] = moved(g, value, g->symbol[k], scale);
  for (uint32_t i = 0; g->moves && i < g->part_count; i++) {
    const SeparablePart *c = &g->parts[i];
    ExprId sum = moved(g, value, c->place, scale);
    for (int r = 0; r < 2 && scale; r++) sum = expr_add(pool, sum, moved(g, value, c->rates[r], true));
    to[g->weights + i] = sum;
  }
  for (uint32_t i = 0; scale && i < g->s->constraints.count; i++)
    to[g->forces + i] = moved(g, value, g->s->constraints.items[i].symbol, true);
  if (row->column != nobody && scale) to[row->column] = expr_sub(pool, to[row->column], value);
  if (row->column != nobody && !scale && row->shifted) to[row->column] = expr_sub(pool, to[row->column], pool->one);
  for (uint32_t c = 0; c < x->columns; c++) {
    if (!to[c]) return false;
  }
  return true;
}

// An unknown start goes with its component; with one that cannot be scaled it stays.
static void link_start(SeparableSearch *x, SeparableStage *g, uint32_t k, bool scale, ExprId *to) {
  for (uint32_t c = 0; c < x->columns; c++) to[c] = g->pool->zero;
  to[column_of(x, g->of->which[k])] = g->pool->one;
  if (g->moves && (scale || !g->velocity[k])) to[g->weights + g->start_of[k]] = expr_neg(g->pool, g->pool->one);
}

static bool sample_stage(SeparableSearch *x, SeparableStage *g, bool scale, ModularRelations *r) {
  uint32_t rows = g->rows.count, at = 0, n = x->columns;
  ExprId *table = arena_array(x->arena, ((size_t)rows + g->of->count + 1) * n, sizeof *table),
         *values = arena_array(x->arena, (size_t)rows + 1, sizeof *values);
  if (!table || !values) return false;
  for (uint32_t i = 0; i < rows; i++) values[i] = g->rows.items[i].value;
  if (!switching_branches(g->pool, x->arena, values, rows, values)) return false;
  for (uint32_t i = 0; i < rows; i++, at++) {
    if (!fill_row(x, g, values[i], &g->rows.items[i], scale, table + (size_t)at * n)) return false;
  }
  for (uint32_t k = 0; k < g->of->count; k++) {
    if (!g->symbol[k]) link_start(x, g, k, scale, table + (size_t)at++ * n);
  }
  return at == 0 || relations_sample(r, g->pool, x->arena, table, at);
}

// ---- proofs

static Rat of_column(const Rat *v, uint32_t column) { return column == nobody ? RAT_ZERO : v[column]; }

static bool prove_scaling(SeparableSearch *x, SeparableStage *g, const Rat *v) {
  Scaling scaling = {.pool = g->pool, .arena = x->arena, .number = g->number, .logarithm = g->logarithm};
  scaling.symbols = g->pool->symbols.count;
  scaling.weight = arena_array(x->arena, scaling.symbols, sizeof *scaling.weight);
  if (!scaling.weight) return false;
  for (SymbolId i = 0; i < scaling.symbols; i++) scaling.weight[i] = RAT_ZERO;
  for (uint32_t k = 0; k < g->of->count; k++) {
    if (g->symbol[k]) scaling.weight[g->symbol[k]] = v[column_of(x, g->of->which[k])];
  }
  for (uint32_t i = 0; g->moves && i < g->part_count; i++) {
    const SeparablePart *c = &g->parts[i];
    scaling.weight[c->place] = v[g->weights + i];
    for (int r = 0; r < 2; r++) {
      if (c->rates[r]) scaling.weight[c->rates[r]] = v[g->weights + i];
    }
  }
  for (uint32_t i = 0; i < g->s->constraints.count; i++)
    scaling.weight[g->s->constraints.items[i].symbol] = v[g->forces + i];
  scaling.weight[0] = RAT_ZERO;
  for (uint32_t i = 0; i < g->rows.count; i++) {
    if (!scaled_by(&scaling, g->rows.items[i].value, of_column(v, g->rows.items[i].column))) return false;
  }
  return true;
}

static void shift_symbol(SeparableStage *g, SymbolMap *map, SymbolId symbol, Rat by) {
  if (!symbol || rat_is_zero(by)) return;
  ExprId number = expr_sym(g->pool, g->number);
  symbol_map_set(map, symbol, expr_add(g->pool, expr_sym(g->pool, symbol), expr_scale(g->pool, by, number)));
}

static bool prove_shift(SeparableSearch *x, SeparableStage *g, const Rat *v) {
  ExprPool *pool = g->pool;
  SymbolMap map = symbol_map_new(pool);
  for (uint32_t k = 0; k < g->of->count; k++) shift_symbol(g, &map, g->symbol[k], v[column_of(x, g->of->which[k])]);
  for (uint32_t i = 0; g->moves && i < g->part_count; i++) shift_symbol(g, &map, g->parts[i].place, v[g->weights + i]);
  for (uint32_t i = 0; i < g->rows.count; i++) {
    const SeparableRow *row = &g->rows.items[i];
    ExprId changed, same = row->value;
    if (!expr_replace(pool, &map, &row->value, 1, &changed)) return false;
    if (row->shifted && row->column != nobody)
      same = expr_add(pool, same, expr_scale(pool, v[row->column], expr_sym(pool, g->number)));
    ExprId difference = expr_sub(pool, changed, same);
    if (!difference) return false;
    if (expr_is_zero(pool, difference)) continue;
    if (decide_zero(pool, x->arena, difference).verdict != verdict_equal) return false;
  }
  return true;
}

static bool proved(SeparableSearch *x, const Rat *v, bool scale) {
  for (uint32_t i = 0; i < x->count; i++) {
    if (!(scale ? prove_scaling(x, &x->stages[i], v) : prove_shift(x, &x->stages[i], v))) return false;
  }
  return true;
}

// ---- groups

static void put_power(Text *t, const char *name, int64_t power) {
  text_put(t, name);
  if (power != 1) text_printf(t, "^%lld", (long long)power);
}

static const char *product_text(const SeparableSearch *x, const double *e) {
  Text up = text_in(x->arena), down = text_in(x->arena);
  uint32_t below = 0;
  for (uint32_t k = 0; k < x->unknowns; k++) {
    if (e[k] == 0) continue;
    Text *t = e[k] > 0 ? &up : &down;
    if (t->length) text_putc(t, '*');
    put_power(t, x->shown[k], (int64_t)fabs(e[k]));
    below += e[k] < 0;
  }
  if (!up.length) text_put(&up, "1");
  if (below) text_printf(&up, below > 1 ? "/(%s)" : "/%s", text_str(&down));
  return text_str(&up);
}

static const char *sum_text(const SeparableSearch *x, const double *e) {
  Text t = text_in(x->arena);
  for (uint32_t k = 0; k < x->unknowns; k++) {
    if (e[k] == 0) continue;
    text_put(&t, t.length ? (e[k] < 0 ? " - " : " + ") : e[k] < 0 ? "-" : "");
    if (fabs(e[k]) != 1) text_printf(&t, "%g*", fabs(e[k]));
    text_put(&t, x->shown[k]);
  }
  return text_str(&t);
}

// k/m, not m/k, where both are as short: the first one stands above.
static void put_first_up(double *e, uint32_t count) {
  double sum = 0, first = 0;
  for (uint32_t k = 0; k < count; k++) {
    sum += e[k];
    if (first == 0) first = e[k];
  }
  for (uint32_t k = 0; k < count && sum == 0 && first < 0; k++) e[k] = -e[k];
}

// The combinations that vectors over some unknowns leave alone. False: one is no small fraction.
static bool put_combinations(SeparableSearch *x, Rat *const *v, uint32_t vectors, bool scale, SeparableGroup *group) {
  uint32_t count = group->unknowns.count;
  Rat **own = arena_array(x->arena, (size_t)vectors + 1, sizeof *own), *free_numbers;
  if (!own) return false;
  for (uint32_t i = 0; i < vectors; i++) {
    own[i] = arena_array(x->arena, count, sizeof **own);
    for (uint32_t k = 0; own[i] && k < count; k++) own[i][k] = v[i][column_of(x, group->unknowns.items[k])];
  }
  if (arena_failed(x->arena)) return false;
  uint32_t found = exponents_complement(x->arena, own, vectors, count, &free_numbers);
  if (found != count - vectors) return false;
  exponents_reduce(x->arena, free_numbers, found, count);
  for (uint32_t i = 0; i < found; i++) {
    double *e = arena_array(x->arena, x->unknowns, sizeof *e);
    for (uint32_t k = 0; e && k < count; k++)
      e[group->unknowns.items[k]] = rat_to_double(free_numbers[(size_t)i * count + k]);
    if (!e) return false;
    put_first_up(e, x->unknowns);
    vec_push(x->arena, &group->by,
             (SeparableCombination){.number = e, .text = scale ? product_text(x, e) : sum_text(x, e)});
  }
  return true;
}

static bool joins(const SeparableSearch *x, const Rat *v, const bool *in) {
  for (uint32_t k = 0; k < x->unknowns; k++) {
    if (in[k] && !rat_is_zero(v[column_of(x, k)])) return true;
  }
  return false;
}

// Vectors that share unknowns make one group.
static bool put_groups(SeparableSearch *x, Rat **v, uint32_t vectors, bool scale) {
  bool *taken = arena_array(x->arena, (size_t)vectors + 1, sizeof *taken),
       *in = arena_array(x->arena, x->unknowns, sizeof *in);
  Rat **own = arena_array(x->arena, (size_t)vectors + 1, sizeof *own);
  if (!taken || !in || !own) return false;
  for (uint32_t first = 0; first < vectors; first++) {
    if (taken[first]) continue;
    uint32_t count = 0;
    memset(in, 0, x->unknowns * sizeof *in);
    for (bool grown = true; grown;) {
      grown = false;
      for (uint32_t i = first; i < vectors; i++) {
        if (taken[i] || !(i == first || joins(x, v[i], in))) continue;
        taken[i] = grown = true;
        own[count++] = v[i];
        for (uint32_t k = 0; k < x->unknowns; k++) in[k] = in[k] || !rat_is_zero(v[i][column_of(x, k)]);
      }
    }
    SeparableGroup group = {.sums = !scale};
    for (uint32_t k = 0; k < x->unknowns; k++) {
      if (in[k]) vec_push(x->arena, &group.unknowns, k);
    }
    if (!put_combinations(x, own, count, scale, &group)) {
      if (arena_failed(x->arena)) return false;
      continue;
    }
    vec_push(x->arena, &x->out->groups, group);
    x->out->lost += count;
  }
  return !arena_failed(x->arena);
}

// Unknowns of a group already: a second one would count the same direction twice.
static bool hold_grouped(SeparableSearch *x, ModularRelations *r) {
  uint64_t *row = arena_array(x->arena, x->columns, sizeof *row);
  if (!row) return false;
  for (uint32_t i = 0; i < x->out->groups.count; i++) {
    const SeparableGroup *g = &x->out->groups.items[i];
    for (uint32_t k = 0; k < g->unknowns.count; k++) {
      memset(row, 0, x->columns * sizeof *row);
      row[column_of(x, g->unknowns.items[k])] = 1;
      relations_add(r, row);
    }
  }
  return true;
}

static bool touches(const SeparableSearch *x, const Rat *v) {
  for (uint32_t k = 0; k < x->unknowns; k++) {
    if (!rat_is_zero(v[column_of(x, k)])) return true;
  }
  return false;
}

// A vector with the unknowns in whole numbers.
static void make_primitive(const SeparableSearch *x, Rat *v) {
  uint32_t rest = x->columns - x->unknowns;
  Rat *turned = arena_array(x->arena, x->columns, sizeof *turned);
  if (!turned) return;
  for (uint32_t c = 0; c < x->columns; c++) turned[(c + x->unknowns) % x->columns] = v[c];
  exponents_primitive(x->arena, turned, x->unknowns, x->columns);
  for (uint32_t c = 0; c < x->columns; c++) v[c] = turned[(c + x->columns - rest) % x->columns];
}

static bool find(SeparableSearch *x, bool scale) {
  ModularRelations r;
  Rat *vectors;
  if (!relations_open(&r, x->arena, x->columns)) return false;
  if (!scale && !hold_grouped(x, &r)) return false;
  for (uint32_t i = 0; i < x->count; i++) {
    if (!sample_stage(x, &x->stages[i], scale, &r)) return !arena_failed(x->arena);
  }
  uint32_t found = relations_solve(&r, x->arena, relation_small, &vectors), kept = 0;
  Rat **good = arena_array(x->arena, (size_t)found + 1, sizeof *good);
  if (!good) return false;
  for (uint32_t i = 0; i < found; i++) {
    Rat *v = vectors + (size_t)i * x->columns;
    if (!touches(x, v)) continue;
    make_primitive(x, v);
    if (proved(x, v, scale)) good[kept++] = v;
  }
  return put_groups(x, good, kept, scale);
}

bool separable_find(Arena *arena, const SeparableExperiment *experiments, uint32_t count, const char *const *shown,
                    uint32_t unknowns, Separable *out) {
  SeparableSearch x = {.arena = arena, .count = count, .unknowns = unknowns, .shown = shown, .out = out};
  *out = (Separable){0};
  x.stages = arena_array(arena, (size_t)count + 1, sizeof *x.stages);
  if (!x.stages) return false;
  if (unknowns > most_unknowns) out->why = "there are many unknowns";
  for (uint32_t i = 0; i < count && !out->why; i++) {
    x.stages[i] = (SeparableStage){.of = &experiments[i], .s = experiments[i].s, .pool = experiments[i].s->pool};
    out->why = prepare(&x, &x.stages[i]);
  }
  for (uint32_t i = 0; i < count && !out->why; i++) out->why = add_jumps(&x, &x.stages[i]);
  x.columns += unknowns;
  if (!out->why && x.columns > most_columns) out->why = "the model is large";
  if (arena_failed(arena)) return false;
  return out->why || (find(&x, true) && find(&x, false));
}

bool separable_is_idle(const Separable *s, uint32_t unknown) {
  for (uint32_t i = 0; i < s->groups.count; i++) {
    const SeparableGroup *g = &s->groups.items[i];
    for (uint32_t k = 0; !g->by.count && !g->unsaid && k < g->unknowns.count; k++) {
      if (g->unknowns.items[k] == unknown) return true;
    }
  }
  return false;
}
