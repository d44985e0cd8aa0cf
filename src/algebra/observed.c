// Structural identifiability by the rank of the output sensitivities, modulo a prime. See observed.h.
#include "algebra/observed.h"

#include "algebra/derived.h"
#include "algebra/jets.h"
#include "expr/modular.h"

#include <math.h>
#include <string.h>

enum { most_unknowns = 24, most_orders = 48, most_tries = 12 };

typedef struct ObservedStage {
  const SeparableExperiment *of;
  JetsMotion motion[2]; // with the starts as they are; with starts anywhere
  uint32_t size;        // components and unknowns
} ObservedStage;

typedef struct Observed {
  Arena *arena;
  ObservedStage *stages;
  uint32_t count, unknowns;
  const char *const *shown;
  Separable *out;
  const char *why;
} Observed;

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

// ---- a model as an initial value problem

static uint32_t unknown_of(const SeparableExperiment *x, const char *name) {
  for (uint32_t k = 0; name && k < x->count; k++) {
    if (same(x->names[k], name)) return x->which[k];
  }
  return jets_none;
}

static const char *refusal(const System *s) {
  if (s->implicit.count || s->unknowns.count) return "the model has implicit equations";
  if (s->memories.count || s->delays.count || s->frictions.count) return "the model has blocks that remember";
  if (s->calls.count || s->linkage.bars.count || s->turns.count) return "the model is computed by kernels";
  if (s->constraints.count) return "the model has constraints";
  if (s->whens.count) return "the model has events";
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] == source_implicit) return "the model has implicit equations";
    if (s->role[i] != coord_inertia) return "a coordinate has no inertia";
  }
  return s->coord_count + s->state_count > 40 ? "the model is large" : NULL;
}

// Known parameters and inputs stand in all expressions as their values.
static bool put_known(System *s, const SeparableExperiment *x, ExprId *roots, uint32_t count) {
  Arena *arena = s->pool->arena;
  uint32_t known = 0;
  size_t most = (size_t)s->params.count + s->inputs.count + 1;
  SymbolId *symbols = arena_array(arena, most, sizeof *symbols);
  ExprId *values = arena_array(arena, most, sizeof *values);
  if (!symbols || !values) return false;
  for (uint32_t i = 0; i < s->params.count; i++) {
    const SystemParam *p = &s->params.items[i];
    if (!p->value || unknown_of(x, p->name) != jets_none) continue;
    symbols[known] = p->symbol;
    values[known++] = p->value;
  }
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    if (!s->inputs.items[i].value) continue;
    symbols[known] = s->inputs.items[i].symbol;
    values[known++] = s->inputs.items[i].value;
  }
  Derived derived;
  return derived_of(s, symbols, values, known, &derived) && derived_put(s, &derived, roots, count, roots);
}

static SymbolId time_of(const System *s) {
  for (SymbolId i = 1; i < s->pool->symbols.count; i++) {
    if (pool_symbol_get(s->pool, i)->kind == sym_time) return i;
  }
  return pool_symbol(s->pool, "t", sym_time, 0, 0);
}

// What is integrated, one after the other; starts[i] and rates[i] are those of component i, rate 0 of a velocity.
// Returns how many.
static uint32_t list_components(const System *s, const SeparableExperiment *x, JetsComponent *c, ExprId *starts,
                                ExprId *rates) {
  ExprPool *pool = s->pool;
  uint32_t at = 0;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *q = &s->coords.items[i];
    starts[at] = q->q0 ? q->q0 : pool->zero;
    rates[at] = expr_sym(pool, q->v);
    c[at++] = (JetsComponent){.symbol = q->q, .unknown = unknown_of(x, pool_symbol_get(pool, q->q)->name)};
    starts[at] = q->v0 ? q->v0 : pool->zero;
    rates[at] = pool->zero;
    c[at++] =
        (JetsComponent){.symbol = q->v, .unknown = unknown_of(x, pool_symbol_get(pool, q->v)->name), .freedom = i};
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    const SystemState *q = &s->states.items[i];
    starts[at] = q->x0 ? q->x0 : pool->zero;
    rates[at] = s->f[i];
    c[at++] = (JetsComponent){.symbol = q->x, .unknown = unknown_of(x, pool_symbol_get(pool, q->x)->name)};
  }
  return at;
}

static uint32_t list_parameters(const System *s, const SeparableExperiment *x, JetsParameter *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->params.count; i++) {
    uint32_t unknown = unknown_of(x, s->params.items[i].name);
    if (unknown != jets_none) out[count++] = (JetsParameter){s->params.items[i].symbol, unknown};
  }
  return count;
}

// All expressions of an experiment stand in one list, so that known numbers are put into all of them: starts, rates, M,
// h, outputs, where it begins.
static bool make_motion(Observed *o, ObservedStage *g, System *s) {
  const SeparableExperiment *x = g->of;
  uint32_t n = s->coord_count;
  size_t most = 2 * (size_t)n + s->state_count + 1;
  JetsComponent *c = arena_array(o->arena, 2 * most, sizeof *c), *anywhere = c ? c + most : NULL;
  JetsParameter *params = arena_array(o->arena, (size_t)x->count + 1, sizeof *params);
  SymbolId *accelerations = arena_array(o->arena, (size_t)n + 1, sizeof *accelerations);
  ExprId *roots = arena_array(o->arena, 2 * most + (size_t)n * n + n + x->output_count + 1, sizeof *roots);
  if (arena_failed(o->arena)) return false;
  uint32_t total = list_components(s, x, c, roots, roots + most), at = (uint32_t)(2 * most);
  roots[total] = roots[most + total] = s->pool->zero;
  const ExprId *M = roots + at;
  for (uint32_t i = 0; i < n; i++) {
    accelerations[i] = s->coords.items[i].a;
    for (uint32_t k = 0; k < n; k++) roots[at++] = system_mass(s, i, k);
  }
  const ExprId *h = roots + at;
  for (uint32_t i = 0; i < n; i++) roots[at++] = s->h[i];
  const ExprId *outputs = roots + at;
  for (uint32_t i = 0; i < x->output_count; i++) roots[at++] = x->outputs[i];
  roots[at++] = s->simulate.from ? s->simulate.from : s->pool->zero;
  if (!put_known(s, x, roots, at)) return false;
  for (uint32_t i = 0; i < total; i++) {
    bool velocity = pool_symbol_get(s->pool, c[i].symbol)->kind == sym_velocity;
    c[i].rate = velocity ? 0 : roots[most + i];
    anywhere[i] = c[i];
    c[i].start = roots[i];
  }
  g->motion[0] = (JetsMotion){.pool = s->pool,
                              .components = c,
                              .count = total,
                              .M = M,
                              .h = h,
                              .accelerations = accelerations,
                              .freedoms = n,
                              .outputs = outputs,
                              .output_count = x->output_count,
                              .parameters = params,
                              .parameter_count = list_parameters(s, x, params),
                              .time = time_of(s),
                              .from = system_is_curve(s) ? 0 : roots[at - 1]};
  g->motion[1] = g->motion[0];
  g->motion[1].components = anywhere;
  g->motion[1].from = 0;
  g->size = total + o->unknowns + 2;
  return true;
}

// ---- ranks

// Derivatives of one experiment's outputs at a point, added to the others.
static JetsStatus add_slopes(Observed *o, ObservedStage *g, int mode, uint64_t seed, ModularRelations *r) {
  Arena *scratch = arena_new_scratch(o->arena);
  if (!scratch) return jets_no_memory;
  uint32_t orders = 2 * g->size < most_orders ? 2 * g->size : most_orders, rows = orders * g->of->output_count;
  uint64_t *slopes = arena_array(scratch, (size_t)rows * o->unknowns + 1, sizeof *slopes);
  JetsStatus status = jets_no_memory;
  if (slopes) status = jets_slopes(scratch, &g->motion[mode], o->unknowns, orders, seed, slopes, &o->why);
  for (uint32_t row = 0; status == jets_done && row < rows; row++) relations_add(r, slopes + (size_t)row * o->unknowns);
  arena_free_scratch(scratch);
  return status;
}

// Those of all experiments, reduced. False: out of memory, or o->why. *seed: of the point at last.
static bool slopes_at(Observed *o, int mode, uint64_t *seed, ModularRelations *r) {
  for (int i = 0; i < most_tries; i++, *seed += UINT64_C(1) << 44) {
    JetsStatus status = jets_done;
    r->rank = 0;
    for (uint32_t e = 0; e < o->count && status == jets_done; e++)
      status = add_slopes(o, &o->stages[e], mode, *seed, r);
    if (status == jets_done) return true;
    if (status != jets_bad_point) return false;
  }
  o->why = "a series has no coefficients where the motion begins";
  return false;
}

// Directions that nothing measured sees: rows of `unknowns` residues. Returns how many.
static uint32_t unseen(const Observed *o, const ModularRelations *r, uint64_t *v) {
  uint32_t n = o->unknowns, count = 0;
  for (uint32_t c = 0; c < n; c++) {
    bool bound = false;
    for (uint32_t k = 0; k < r->rank; k++) bound = bound || r->pivot[k] == c;
    if (bound) continue;
    uint64_t *to = v + (size_t)count++ * n;
    memset(to, 0, n * sizeof *to);
    to[c] = 1;
    for (uint32_t k = 0; k < r->rank; k++) to[r->pivot[k]] = prime_sub(0, r->rows[(size_t)k * n + c]);
  }
  return count;
}

// ---- combinations

enum { most_monomials = 160 };

typedef struct Monomial {
  int8_t e[most_unknowns];
} Monomial;

static uint64_t monomial_value(const Observed *o, const Monomial *m, uint64_t seed) {
  uint64_t value = 1;
  for (uint32_t k = 0; k < o->unknowns; k++) {
    uint64_t u = jets_value(seed, k);
    if (m->e[k] < 0) u = prime_inverse(u);
    value = prime_mul(value, prime_power(u, (uint64_t)(m->e[k] < 0 ? -m->e[k] : m->e[k])));
  }
  return value;
}

// Its directional derivative.
static uint64_t along(const Observed *o, const Monomial *m, uint64_t seed, const uint64_t *v) {
  uint64_t value = monomial_value(o, m, seed), sum = 0;
  for (uint32_t k = 0; k < o->unknowns; k++) {
    if (!m->e[k]) continue;
    uint64_t part = prime_mul(value, prime_mul(v[k], prime_inverse(jets_value(seed, k))));
    part = prime_mul(part, (uint64_t)(m->e[k] < 0 ? -m->e[k] : m->e[k]));
    sum = m->e[k] < 0 ? prime_sub(sum, part) : prime_add(sum, part);
  }
  return sum;
}

static int weight_of(const Monomial *m, uint32_t n) {
  int weight = 0;
  for (uint32_t k = 0; k < n; k++) weight += m->e[k] < 0 ? -2 * m->e[k] : m->e[k];
  return weight;
}

// Products of powers of up to three of the unknowns, the simple ones first. Returns how many.
static uint32_t list_monomials(const Observed *o, const bool *in, Monomial *list) {
  uint32_t n = o->unknowns, count = 0;
  for (int weight = 1; weight <= 6; weight++) {
    for (uint32_t a = 0; a < n; a++) {
      for (uint32_t b = a; b < n; b++) {
        for (uint32_t c = b; c < n; c++) {
          if (!in[a] || !in[b] || !in[c] || (b == a && c != a)) continue; // a; a, c; a, b, c
          for (int p = -2; p <= 3; p++) {
            for (int q = b == c ? 0 : -2; q <= (b == c ? 0 : 2); q++) {
              for (int s = -2; s <= 2; s++) {
                Monomial m = {{0}};
                bool one = a == c, two = !one && b == c;
                if (p == 0 || (one && (q || s != 1)) || (two && (q || s == 0)) || (!one && !two && (!q || !s)))
                  continue;
                m.e[a] = (int8_t)p;
                if (two) m.e[c] = (int8_t)s;
                if (!one && !two) m.e[b] = (int8_t)q, m.e[c] = (int8_t)s;
                if (weight_of(&m, n) != weight) continue;
                if (count == most_monomials) return count;
                list[count++] = m;
              }
            }
          }
        }
      }
    }
  }
  return count;
}

static void put_monomial(Text *t, const Observed *o, const Monomial *m) {
  Text down = text_in(o->arena);
  size_t before = t->length;
  uint32_t below = 0;
  for (uint32_t k = 0; k < o->unknowns; k++) {
    if (!m->e[k]) continue;
    Text *to = m->e[k] > 0 ? t : &down;
    int power = m->e[k] > 0 ? m->e[k] : -m->e[k];
    if (m->e[k] > 0 ? t->length > before : down.length > 0) text_putc(to, '*');
    text_put(to, o->shown[k]);
    if (power != 1) text_printf(to, "^%d", power);
    below += m->e[k] < 0;
  }
  if (t->length == before) text_putc(t, '1');
  if (below) text_printf(t, below > 1 ? "/(%s)" : "/%s", text_str(&down));
}

static const char *sum_text(const Observed *o, const Monomial *list, const Rat *v, uint32_t count) {
  Text t = text_in(o->arena);
  for (uint32_t i = 0; i < count; i++) {
    double c = rat_to_double(v[i]);
    if (c == 0) continue;
    text_put(&t, t.length ? (c < 0 ? " - " : " + ") : c < 0 ? "-" : "");
    if (fabs(c) != 1) text_printf(&t, "%g*", fabs(c));
    put_monomial(&t, o, &list[i]);
  }
  return text_str(&t);
}

static void put_terms(const Observed *o, const Monomial *list, const Rat *v, uint32_t count, SeparableCombination *to) {
  for (uint32_t i = 0; i < count; i++) {
    if (rat_is_zero(v[i])) continue;
    double *e = arena_array(o->arena, o->unknowns, sizeof *e);
    for (uint32_t k = 0; e && k < o->unknowns; k++) e[k] = list[i].e[k];
    if (e) vec_push(o->arena, &to->terms, (SeparableTerm){rat_to_double(v[i]), e});
  }
}

static int solution_weight(const Monomial *list, const Rat *v, uint32_t count, uint32_t n) {
  int weight = 0;
  for (uint32_t i = 0; i < count; i++) weight += rat_is_zero(v[i]) ? 0 : weight_of(&list[i], n);
  return weight;
}

// Which sums of monomials have derivative zero along all unseen directions, at as many points as it takes?
static bool find_combinations(Observed *o, const bool *in, uint32_t lost, SeparableGroup *group) {
  uint32_t n = o->unknowns, quiet = 0;
  Monomial *list = arena_array(o->arena, most_monomials, sizeof *list);
  uint64_t *v = arena_array(o->arena, (size_t)n * n + 1, sizeof *v);
  ModularRelations r, independent, at;
  Rat *found;
  if (!list || !v) return false;
  uint32_t columns = list_monomials(o, in, list);
  uint64_t *row = arena_array(o->arena, (size_t)columns + n + 1, sizeof *row);
  if (!row || !relations_open(&r, o->arena, columns) || !relations_open(&independent, o->arena, n) ||
      !relations_open(&at, o->arena, n))
    return false;
  for (uint64_t i = 100; i < 100 + 3 * (uint64_t)columns && quiet < 4; i++) {
    uint64_t seed = i << 8;
    if (!slopes_at(o, 0, &seed, &at)) return !arena_failed(o->arena);
    uint32_t count = unseen(o, &at, v);
    bool grown = false;
    for (uint32_t d = 0; d < count && count == lost; d++) {
      for (uint32_t c = 0; c < columns; c++) row[c] = along(o, &list[c], seed, v + (size_t)d * n);
      grown = relations_add(&r, row) || grown;
    }
    quiet = grown ? 0 : quiet + 1;
  }
  uint32_t solutions = quiet == 4 ? relations_solve(&r, o->arena, relation_small, &found) : 0;
  uint32_t most = 0;
  for (uint32_t i = 0; i < solutions; i++) {
    int weight = solution_weight(list, found + (size_t)i * columns, columns, n);
    if (weight > (int)most) most = (uint32_t)weight;
  }
  // the simple ones first
  for (uint64_t step = 0; step < (uint64_t)solutions * (most + 1); step++) {
    uint32_t i = (uint32_t)(step % solutions);
    const Rat *s = found + (size_t)i * columns;
    if (group->by.count == group->unknowns.count - lost) break;
    if (solution_weight(list, s, columns, n) != (int)(step / solutions)) continue;
    for (uint32_t k = 0; k < n; k++) { // its gradient: is it a new one?
      uint64_t direction[most_unknowns] = {0};
      direction[k] = 1;
      row[k] = 0;
      for (uint32_t c = 0; c < columns; c++) {
        bool good = true;
        uint64_t factor = rat_is_zero(s[c]) ? 0 : rat_mod(s[c], MODULAR_PRIME, &good);
        if (factor) row[k] = prime_add(row[k], prime_mul(factor, along(o, &list[c], 77, direction)));
      }
    }
    if (!relations_add(&independent, row)) continue;
    SeparableCombination c = {.text = sum_text(o, list, s, columns)};
    put_terms(o, list, s, columns, &c);
    vec_push(o->arena, &group->by, c);
  }
  return !arena_failed(o->arena);
}

// ---- the whole

// Groups that scalings and shifts leave out: all that is lost, in one.
static bool say_rest(Observed *o, const uint64_t *v, uint32_t lost) {
  bool in[most_unknowns] = {false};
  SeparableGroup group = {.sums = true};
  for (uint32_t k = 0; k < o->unknowns; k++) {
    for (uint32_t d = 0; d < lost; d++) in[k] = in[k] || v[(size_t)d * o->unknowns + k] != 0;
    if (in[k]) vec_push(o->arena, &group.unknowns, k);
  }
  if (group.unknowns.count > lost && !find_combinations(o, in, lost, &group)) return false;
  group.unsaid = group.by.count < group.unknowns.count - lost;
  o->out->groups.count = 0;
  o->out->lost = lost;
  vec_push(o->arena, &o->out->groups, group);
  return !arena_failed(o->arena);
}

bool observed_find(Arena *arena, const SeparableExperiment *experiments, uint32_t count, const char *const *shown,
                   uint32_t unknowns, Separable *out) {
  Observed o = {.arena = arena, .count = count, .unknowns = unknowns, .shown = shown, .out = out};
  o.stages = arena_array(arena, (size_t)count + 1, sizeof *o.stages);
  out->told = arena_array(arena, (size_t)unknowns + 1, sizeof *out->told);
  uint64_t *v = arena_array(arena, (size_t)unknowns * unknowns + 1, sizeof *v);
  if (!o.stages || !out->told || !v) return false;
  if (unknowns > most_unknowns) o.why = "there are many unknowns";
  for (uint32_t i = 0; i < count && !o.why; i++) {
    o.stages[i] = (ObservedStage){.of = &experiments[i]};
    out->signals = out->signals || experiments[i].s->tables.count > 0;
    o.why = refusal(experiments[i].s);
    if (!o.why && !make_motion(&o, &o.stages[i], experiments[i].s)) return !arena_failed(arena);
  }
  ModularRelations below, above;
  uint64_t seeds[] = {1, 2};
  if (!relations_open(&below, arena, unknowns) || !relations_open(&above, arena, unknowns)) return false;
  bool ok = !o.why && slopes_at(&o, 0, &seeds[0], &below) && slopes_at(&o, 1, &seeds[1], &above);
  out->undecided = o.why;
  if (arena_failed(arena)) return false;
  if (!ok) return true;
  uint32_t lost = unseen(&o, &below, v);
  for (uint32_t k = 0; k < unknowns; k++) {
    bool hidden = false;
    for (uint32_t d = 0; d < lost; d++) hidden = hidden || v[(size_t)d * unknowns + k] != 0;
    out->told[k] = !hidden;
  }
  out->exact = below.rank == above.rank && out->lost <= lost;
  if (!out->exact)
    out->undecided =
        arena_printf(arena,
                     "%u combination%s of the unknowns %s identifiable for sure, of starts at other values %u "
                     "would be",
                     below.rank, below.rank == 1 ? "" : "s", below.rank == 1 ? "is" : "are", above.rank);
  return !out->exact || lost == out->lost || say_rest(&o, v, lost);
}
