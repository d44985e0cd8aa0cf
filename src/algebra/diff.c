// The command diff: do the equations of motion of the second model follow from those of the first?
//
// in    two systems; the expressions of the second are brought into the pool of the first, where equal names are one
//       symbol
// out   each equation of the second: does it follow from those of the first? Then blocks, events, values and starts,
//       one by one
//
// Values that differ do not make equations different: parameters of one name are one symbol. Where an equation does not
// follow for all values of the parameters, derived ones (`param k = 3*m`) are put in, each by its own file.
#include "algebra/diff.h"

#include "algebra/bound.h"
#include "algebra/check.h"
#include "algebra/constrained.h"
#include "algebra/derived.h"
#include "algebra/motion.h"
#include "expr/calculus.h"
#include "expr/import.h"
#include "expr/print.h"

#include <string.h>

// Nobody gave it its name: it is inside a block.
static bool made(const ExprPool *pool, SymbolId symbol) { return pool_symbol_get(pool, symbol)->made; }

typedef struct Import {
  System *to;
  const System *from;
  ExprId *node;          // of `from`, in the pool of `to`; 0: not yet
  ExprId *symbol;        // of `from`
  SymbolMap values;      // of what only one of them has
  Derived first, second; // derived parameters of both, in the pool of `to`
} Import;

static SymbolId find_symbol(const Import *im, const Symbol *like) {
  const ExprPool *pool = im->to->pool;
  for (SymbolId i = 1; i < pool->symbols.count; i++) {
    const Symbol *s = &pool->symbols.items[i];
    if (s->kind != like->kind) continue;
    if (s->kind == sym_bound ? s->index == like->index : strcmp(s->name, like->name) == 0) return i;
  }
  return 0;
}

// Tables are the same when their numbers are; others get an index behind all of both models.
static ExprId import_table(void *self, ExprId index) {
  const Import *im = self;
  const System *ma = im->to, *mb = im->from;
  Rat r;
  int64_t k;
  if (!expr_number(im->from->pool, index, &r) || !rat_to_int(r, &k) || k < 0 || k >= mb->tables.count) return 0;
  const SystemTable *b = &mb->tables.items[k];
  for (uint32_t i = 0; i < ma->tables.count; i++) {
    const SystemTable *a = &ma->tables.items[i];
    size_t size = a->count * sizeof *a->x;
    if (a->count == b->count && memcmp(a->x, b->x, size) == 0 && memcmp(a->y, b->y, size) == 0)
      return expr_int(im->to->pool, i);
  }
  return expr_int(im->to->pool, ma->tables.count + k);
}

// Names that are in both models are the same; others become symbols of their own.
static bool import(Import *im) {
  const ExprPool *from = im->from->pool;
  System *to = im->to;
  ExprId *symbol = arena_array(to->arena, from->symbols.count, sizeof *symbol);
  if (!symbol) return false;
  for (SymbolId i = 1; i < from->symbols.count; i++) {
    const Symbol *s = &from->symbols.items[i];
    SymbolId same = find_symbol(im, s);
    if (!same) same = pool_symbol(to->pool, s->name, s->kind, s->index, s->order);
    symbol[i] = expr_sym(to->pool, same);
  }
  im->symbol = symbol;
  ExprImport all = {.to = to->pool, .from = from, .symbol = symbol, .table = import_table, .self = im};
  if (!expr_import(&all)) return false;
  im->node = all.node;
  return true;
}

static const SystemParam *find_param(const System *m, const char *name) {
  for (uint32_t i = 0; i < m->params.count; i++) {
    if (strcmp(m->params.items[i].name, name) == 0) return &m->params.items[i];
  }
  return NULL;
}

static bool find_derived(Import *im) {
  const System *b = im->from;
  uint32_t count = 0;
  SymbolId *symbols = arena_array(im->to->arena, b->params.count, sizeof *symbols);
  ExprId *values = arena_array(im->to->arena, b->params.count, sizeof *values);
  if (!symbols || !values) return false;
  for (uint32_t i = 0; i < b->params.count; i++) {
    const SystemParam *p = &b->params.items[i];
    if (p->structural || !p->value || !expr_has_kind(im->from->pool, p->value, sym_param)) continue;
    symbols[count] = expr_symbol(im->to->pool, im->symbol[p->symbol]);
    values[count++] = im->node[p->value];
  }
  return derived_find(im->to, &im->first) && derived_of(im->to, symbols, values, count, &im->second);
}

// The same for all values of the parameters, or with derived ones put in, each by its own file.
static Decision decide_values(const Import *im, ExprId a, ExprId b) {
  System *s = im->to;
  Decision d = decide_equal(s->pool, s->arena, a, b);
  if (d.verdict == verdict_equal || im->first.count + im->second.count == 0) return d;
  ExprId x, y;
  return derived_put(s, &im->first, &a, 1, &x) && derived_put(s, &im->second, &b, 1, &y)
             ? decide_equal(s->pool, s->arena, x, y)
             : d;
}

// One value against another; both may be 0 (not given). Different values do not make the equations different, but
// their solutions.
static void compare_values(System *s, const Import *im, CheckReport *report, const char *what, ExprId a, ExprId b) {
  if (a == b) return;
  Decision d = {.verdict = verdict_different};
  if (a && b) d = decide_values(im, a, b);
  if (d.verdict == verdict_equal) return;
  CheckResult r = {.text = what, .verdict = d.verdict, .reason = d.reason};
  if (!r.reason)
    r.reason = arena_printf(s->arena, "%s against %s", a ? expr_text(s->pool, s->arena, a) : "no value",
                            b ? expr_text(s->pool, s->arena, b) : "no value");
  check_put(s, report, r);
}

static void only_in(System *a, CheckReport *report, const char *kind, const char *name, const char *which) {
  check_put(a, report,
            (CheckResult){.text = arena_printf(a->arena, "%s %s", kind, name),
                          .verdict = verdict_different,
                          .reason = arena_printf(a->arena, "only in %s", which)});
}

static void compare_names(System *a, CheckReport *report, const System *one, const System *other, const char *which) {
  for (uint32_t i = 0; i < one->coords.count; i++) {
    bool found = false;
    for (uint32_t k = 0; k < other->coords.count; k++)
      found = found || strcmp(one->coords.items[i].name, other->coords.items[k].name) == 0;
    if (!found) only_in(a, report, "coordinate", one->coords.items[i].name, which);
  }
  for (uint32_t i = 0; i < one->states.count; i++) {
    bool found = false;
    for (uint32_t k = 0; k < other->states.count; k++)
      found = found || strcmp(one->states.items[i].name, other->states.items[k].name) == 0;
    if (found) continue;
    if (!made(one->pool, one->states.items[i].x)) only_in(a, report, "state", one->states.items[i].name, which);
    // what a block keeps inside is no variable of the model
    else
      check_put(a, report,
                (CheckResult){.text = arena_printf(a->arena, "the block of %s", one->states.items[i].name),
                              .verdict = verdict_undecided,
                              .reason = arena_printf(a->arena, "only in %s; other blocks may do the same", which)});
  }
}

// An input of s, or a rate of one, that the other model has no input for.
static bool is_input_alone(const System *s, SymbolId symbol, const System *other) {
  const Symbol *x = pool_symbol_get(s->pool, symbol);
  if (x->kind != sym_input && x->kind != sym_input_rate) return false;
  for (uint32_t i = 0; i < other->inputs.count; i++) {
    if (strcmp(other->inputs.items[i].name, s->inputs.items[x->index].name) == 0) return false;
  }
  return true;
}

// Parameters and inputs that only one model has count with their values.
static bool put_values(System *a, Import *im, System *complete, ExprId *M, ExprId *h, ExprId *f) {
  const System *b = im->from;
  SymbolMap map = symbol_map_new(a->pool);
  uint32_t n = b->coord_count;
  // of the first alone, then of the second alone
  for (uint32_t i = 0; i < a->params.count; i++) {
    const SystemParam *p = &a->params.items[i];
    if (p->value && !find_param(b, p->name)) symbol_map_set(&map, p->symbol, p->value);
  }
  for (uint32_t i = 0; i < b->params.count; i++) {
    const SystemParam *p = &b->params.items[i];
    if (p->value && !find_param(a, p->name))
      symbol_map_set(&map, expr_symbol(a->pool, im->symbol[p->symbol]), im->node[p->value]);
  }
  // the same of inputs
  for (uint32_t i = 0; i < a->definitions.count; i++) {
    const Definition *d = &a->definitions.items[i];
    if (is_input_alone(a, d->symbol, b)) symbol_map_set(&map, d->symbol, d->value);
  }
  for (uint32_t i = 0; i < b->definitions.count; i++) {
    const Definition *d = &b->definitions.items[i];
    if (is_input_alone(b, d->symbol, a))
      symbol_map_set(&map, expr_symbol(a->pool, im->symbol[d->symbol]), im->node[d->value]);
  }
  // the equations of the second; values may hold others of these in turn
  im->values = map;
  for (uint32_t i = 0; i < n * n; i++) M[i] = im->node[system_mass(b, i / n, i % n)];
  for (uint32_t i = 0; i < n; i++) h[i] = im->node[b->h[i]];
  for (uint32_t i = 0; i < b->state_count; i++) f[i] = im->node[b->f[i]];
  for (int round = 0; round < 3; round++) {
    if (!constrained_substitute(round ? complete : a, complete, &map)) return false;
    if (!expr_replace(a->pool, &map, M, n * n, M) || !expr_replace(a->pool, &map, h, n, h) ||
        !expr_replace(a->pool, &map, f, b->state_count, f))
      return false;
  }
  return true;
}

// With the values of what only one model has; those may hold others in turn.
static ExprId valued(const Import *im, ExprId id) {
  for (int round = 0; id && round < 3; round++) {
    if (!expr_replace(im->to->pool, &im->values, &id, 1, &id)) return 0;
  }
  return id;
}

static ExprId brought(const Import *im, ExprId id) { return id ? valued(im, im->node[id]) : 0; }

// ---- constraints

static SymbolId brought_symbol(const Import *im, SymbolId of) { return expr_symbol(im->to->pool, im->symbol[of]); }

// The coordinate of the first model that coordinate i of the second is.
static uint32_t same_coord(const Import *im, uint32_t i) {
  return pool_symbol_get(im->to->pool, brought_symbol(im, im->from->coords.items[i].q))->index;
}

static bool bring_row(const Import *im, const MassRow *from, MassRow *out) {
  uint32_t n = im->to->coord_count;
  for (uint32_t column = 0; column < n; column++) {
    for (uint32_t k = 0; k < from->count; k++) {
      MassEntry e = {same_coord(im, from->items[k].column), im->node[from->items[k].value]};
      if (e.column == column && !vec_push(im->to->arena, out, e)) return false;
    }
  }
  return true;
}

static bool bring_constraints(const Import *im, System *out) {
  SystemConstraintList own = {0};
  for (uint32_t k = 0; k < im->from->constraints.count; k++) {
    SystemConstraint c = im->from->constraints.items[k];
    MassRow G = {0};
    if (!bring_row(im, &c.G, &G)) return false;
    c.symbol = brought_symbol(im, c.symbol);
    c.value = im->node[c.value];
    c.rate = im->node[c.rate];
    c.curvature = im->node[c.curvature];
    c.G = G;
    if (!vec_push(out->arena, &own, c)) return false;
  }
  out->constraints = own;
  return true;
}

// The mechanical part of the second model in the pool, and in the order of the coordinates, of the first: M, h,
// constraints. Its parameters and inputs are those of the first.
static bool bring_second(const Import *im, System *out) {
  System *to = im->to;
  uint32_t n = to->coord_count;
  *out = *to;
  out->state_count = 0;
  out->M = arena_array(to->arena, n, sizeof *out->M);
  out->h = arena_array(to->arena, n, sizeof *out->h);
  if (!out->M || !out->h || !bring_constraints(im, out)) return false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = same_coord(im, i);
    out->h[at] = im->node[im->from->h[i]];
    if (!bring_row(im, &im->from->M[i], &out->M[at])) return false;
  }
  for (int round = 0; round < 3; round++) {
    if (!constrained_substitute(out, out, &im->values)) return false;
  }
  return true;
}

static uint32_t place_rank(const System *s, const ConstraintSet *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->count; i++) count += !s->constraints.items[c->kept[i]].velocities;
  return count;
}

// The constraints of both are the same, in any order and up to their sign: then the multipliers of the second become
// those of the first in `names`. False: they are not.
static bool match_constraints(System *a, const System *b, SymbolMap *names) {
  uint32_t count = a->constraints.count;
  bool *taken = arena_array(a->arena, (size_t)count + 1, sizeof *taken);
  if (!taken || count != b->constraints.count) return false;
  for (uint32_t k = 0; k < count; k++) {
    const SystemConstraint *y = &b->constraints.items[k];
    ExprId turned = expr_neg(a->pool, y->value);
    uint32_t i = 0;
    for (; i < count; i++) {
      const SystemConstraint *x = &a->constraints.items[i];
      if (!taken[i] && x->velocities == y->velocities && (x->value == y->value || x->value == turned)) break;
    }
    if (i == count) return false;
    taken[i] = true;
    ExprId own = expr_sym(a->pool, a->constraints.items[i].symbol);
    symbol_map_set(names, y->symbol, a->constraints.items[i].value == y->value ? own : expr_neg(a->pool, own));
  }
  return true;
}

// M_i a + h_i of a system in the order of the first.
static ExprId row_of(System *s, uint32_t i) {
  ExprId sum = s->h[i];
  for (uint32_t k = 0; k < s->M[i].count; k++) {
    ExprId a = expr_sym(s->pool, s->coords.items[s->M[i].items[k].column].a);
    sum = expr_add(s->pool, sum, expr_mul(s->pool, s->M[i].items[k].value, a));
  }
  return sum;
}

// Are the implicit equations of both the same, in any order and up to their sign, with the same first guesses?
static bool same_implicit(const Import *im) {
  const System *a = im->to, *b = im->from;
  uint32_t count = a->implicit.count;
  bool *taken = arena_array(im->to->arena, (size_t)count + 1, sizeof *taken);
  if (!taken || count != b->implicit.count || a->unknowns.count != b->unknowns.count) return false;
  for (uint32_t k = 0; k < count; k++) {
    ExprId other = brought(im, b->implicit.items[k].residual), turned = expr_neg(a->pool, other);
    uint32_t i = 0;
    for (; i < count; i++) {
      ExprId own = valued(im, a->implicit.items[i].residual);
      if (!taken[i] && own && (own == other || own == turned)) break;
    }
    if (i == count) return false;
    taken[i] = true;
  }
  for (uint32_t k = 0; k < b->unknowns.count; k++) {
    const SystemUnknown *y = &b->unknowns.items[k];
    const Symbol *x = pool_symbol_get(a->pool, brought_symbol(im, y->symbol));
    if (x->kind != sym_unknown || x->index >= a->unknowns.count) return false;
    if (valued(im, a->unknowns.items[x->index].guess) != brought(im, y->guess)) return false;
  }
  return true;
}

// With the same constraints: is every equation of the second one of the first, multipliers included? Then nothing else
// is to be decided.
static bool same_equations(System *a, const Import *im, System *complete, System *second, const SymbolMap *names) {
  for (uint32_t i = 0; i < a->coord_count; i++) {
    ExprId own = row_of(complete, i), other = row_of(second, i);
    if (!expr_replace(a->pool, names, &other, 1, &other)) return false;
    if (own != other && decide_values(im, own, other).verdict != verdict_equal) return false;
  }
  return !arena_failed(a->arena);
}

static void put_same_equations(System *a, CheckReport *report) {
  check_put(a, report, (CheckResult){.text = "the constraints", .means = "those of the first as they stand"});
  for (uint32_t i = 0; i < a->coord_count; i++)
    check_put(a, report,
              (CheckResult){.text = arena_printf(a->arena, "the equation of %s", a->coords.items[i].name),
                            .means = "that of the first, with its multipliers"});
}

static void put_question(System *a, CheckReport *report, System *complete, const char *text, ExprId zero) {
  CheckResult r = motion_check(complete, &(CheckEquation){zero, a->pool->zero, NULL, 0});
  r.text = text;
  if (r.fault == check_zero_division) r.reason = "it divides by zero";
  if (r.fault == check_empty) r = (CheckResult){.text = text}; // nothing is demanded
  if (r.yours) r.difference_of = arena_printf(a->arena, "the second - %s of the first", r.difference_of);
  r.yours = false;
  check_put(a, report, r);
}

static void put_unequal(System *a, CheckReport *report, Verdict verdict, const char *reason) {
  check_put(a, report, (CheckResult){.text = "the constraints", .verdict = verdict, .reason = reason});
}

// Constraints may be written otherwise, so that multipliers differ where the solutions are the same: those of the
// second must follow from those of the first and be as many, and its equations without multipliers must follow.
static bool compare_bound(System *a, Import *im, System *complete, CheckReport *report) {
  System second;
  ConstraintSet x, y;
  BoundVelocities v;
  SymbolMap names = symbol_map_new(a->pool);
  if (!bring_second(im, &second)) return false;
  bool written_alike = match_constraints(complete, &second, &names);
  if (written_alike && same_implicit(im) && same_equations(a, im, complete, &second, &names)) {
    put_same_equations(a, report);
    return true;
  }
  if (!constrained_find(complete, 0, &x) || !constrained_find(&second, 0, &y)) return false;
  const char *why = x.why ? x.why : y.why ? y.why : x.unsolved ? x.unsolved : y.unsolved;
  if (why && !written_alike) {
    put_unequal(a, report, verdict_undecided, why);
    return true;
  }
  if (written_alike) {
    check_put(a, report, (CheckResult){.text = "the constraints", .means = "those of the first as they stand"});
  } else if (x.count != y.count || place_rank(complete, &x) != place_rank(&second, &y)) {
    put_unequal(a, report, verdict_different,
                arena_printf(a->arena, "of rank %u against %u, %u against %u of them between places", x.count, y.count,
                             place_rank(complete, &x), place_rank(&second, &y)));
    return true;
  }
  for (uint32_t k = 0; k < second.constraints.count && !written_alike; k++) {
    const char *name = second.constraints.items[k].label;
    put_question(a, report, complete, arena_printf(a->arena, "the constraint %s", name),
                 second.constraints.items[k].value);
  }
  if (!bound_velocities(&second, &v)) return false;
  if (v.why) {
    put_unequal(a, report, verdict_undecided, v.why);
    return true;
  }
  uint32_t f = v.free_count;
  ExprId *A = arena_array(a->arena, (size_t)f * f, sizeof *A), *r = arena_array(a->arena, f, sizeof *r);
  if (!A || !r || !bound_reduced(&second, &v, A, r)) return false;
  for (uint32_t j = 0; j < f; j++) {
    for (uint32_t l = 0; l < f; l++)
      r[j] =
          expr_add(a->pool, r[j], expr_mul(a->pool, A[j * f + l], expr_sym(a->pool, second.coords.items[v.free[l]].a)));
    const char *name = second.coords.items[v.free[j]].name;
    put_question(a, report, complete, arena_printf(a->arena, "the equation of %s without multipliers", name), r[j]);
  }
  return true;
}

// What blocks keep inside can be scaled or shifted without any effect, so a difference there proves nothing.
static bool inside_blocks(System *a, ExprId difference) {
  for (SymbolId i = 1; difference && i < a->pool->symbols.count; i++) {
    if (made(a->pool, i) && expr_depends(a->pool, difference, i)) return true;
  }
  return false;
}

// Does equation i of the second, of its coordinates and then of its states, stand in the first as well?
static bool is_same_equation(const Import *im, System *first, uint32_t i, ExprId lhs, ExprId rhs) {
  const System *b = im->from;
  uint32_t n = b->coord_count;
  if (i < n) return row_of(first, same_coord(im, i)) == lhs;
  uint32_t at = pool_symbol_get(im->to->pool, brought_symbol(im, b->states.items[i - n].x))->index;
  return at < first->state_count && first->f[at] == rhs;
}

// Constraints on orientations of spherical joints are not compared.
static bool leave_balls(System *a, const System *b, CheckReport *report) {
  if (!a->tree.balls.count && !b->tree.balls.count) return false;
  check_put(a, report,
            (CheckResult){.text = "the equations",
                          .verdict = verdict_undecided,
                          .reason = "a body turns by a ball, and what follows from its equations is not decided"});
  return true;
}

static void compare_equations(System *a, Import *im, CheckReport *report) {
  const System *b = im->from;
  uint32_t n = b->coord_count;
  ExprId *M = arena_array(a->arena, (size_t)n * n, sizeof *M), *h = arena_array(a->arena, n, sizeof *h),
         *f = arena_array(a->arena, b->state_count, sizeof *f);
  System complete;
  if (!M || !h || !f || !put_values(a, im, &complete, M, h, f)) return;
  bool bound = a->constraints.count || b->constraints.count, alike = b->implicit.count && same_implicit(im);
  if (bound && leave_balls(a, b, report)) return;
  if (bound && !compare_bound(a, im, &complete, report)) return;
  for (uint32_t i = bound ? n : 0; i < n + b->state_count; i++) {
    bool coord = i < n;
    const char *name = coord ? b->coords.items[i].name : b->states.items[i - n].name;
    bool inside = !coord && made(b->pool, b->states.items[i - n].x);
    // M_i a + h_i = 0, or x' = f
    ExprId lhs = a->pool->zero, rhs = a->pool->zero;
    if (coord) {
      lhs = h[i];
      for (uint32_t j = 0; j < n; j++)
        lhs = expr_add(a->pool, lhs, expr_mul(a->pool, M[i * n + j], im->symbol[b->coords.items[j].a]));
    } else {
      lhs = im->symbol[b->states.items[i - n].rate];
      rhs = f[i - n];
    }
    // what is written alike needs no proof; accelerations of spherical joints are named, and not written, here
    bool written = coord && !b->implicit.count && !a->tree.balls.count && !b->tree.balls.count;
    if ((alike || written) && is_same_equation(im, &complete, i, lhs, rhs)) {
      check_put(a, report,
                (CheckResult){.text = arena_printf(a->arena, "the equation of %s", name),
                              .means = alike ? "that of the first, with the same implicit equations"
                                             : "the equation of the first"});
      continue;
    }
    CheckResult r = motion_check(&complete, &(CheckEquation){lhs, rhs, NULL, 0});
    if (r.verdict != verdict_equal && !r.fault && im->first.count + im->second.count) {
      // a point that the files exclude is no counterexample
      System own;
      CheckEquation q = {0};
      if (!constrained_substitute(&complete, &own, &im->first.map) || !derived_put(a, &im->second, &lhs, 1, &q.lhs) ||
          !derived_put(a, &im->second, &rhs, 1, &q.rhs))
        return;
      r = motion_check(&own, &q);
    }
    // what cannot be decided here is undecided, not different
    r.text = arena_printf(a->arena, "the equation of %s", name);
    if (r.fault == check_zero_division) r.reason = "it divides by zero";
    if (r.verdict == verdict_different &&
        (inside || inside_blocks(a, lhs) || inside_blocks(a, rhs) || inside_blocks(a, r.difference)))
      r = (CheckResult){.text = r.text,
                        .verdict = verdict_undecided,
                        .reason = "the blocks differ inside; whether that shows outside is not decided"};
    if (b->implicit.count)
      r = (CheckResult){.text = r.text,
                        .verdict = verdict_undecided,
                        .reason = "the model has implicit equations; what follows from them is not decided"};
    if (r.yours) r.difference_of = arena_printf(a->arena, "the second - %s of the first", r.difference_of);
    r.yours = false;
    check_put(a, report, r);
  }
}

// ---- what happens at events, and memory blocks

typedef struct Pair {
  ExprId a, b; // both in the pool of the first; 0: not said
} Pair;

static void compare_all(System *s, const Import *im, CheckReport *report, const char *what, const Pair *pairs,
                        uint32_t count) {
  CheckResult r = {.text = what};
  for (uint32_t i = 0; i < count; i++) {
    if (pairs[i].a == pairs[i].b) continue;
    if (!pairs[i].a || !pairs[i].b) {
      r = (CheckResult){.text = what, .verdict = verdict_different, .reason = "not the same kind of event"};
      break;
    }
    Decision d = decide_values(im, pairs[i].a, pairs[i].b);
    if (d.verdict == verdict_equal || (d.verdict == verdict_undecided && r.verdict == verdict_different)) continue;
    r = (CheckResult){.text = what,
                      .verdict = d.verdict,
                      .reason = arena_printf(s->arena, "%s against %s%s%s", expr_text(s->pool, s->arena, pairs[i].a),
                                             expr_text(s->pool, s->arena, pairs[i].b), d.reason ? "; " : "",
                                             d.reason ? d.reason : ""),
                      .witness = d.witness};
  }
  if (r.verdict != verdict_equal) check_put(s, report, r);
}

static bool same_target(const System *a, const SystemAssign *x, const System *b, const SystemAssign *y) {
  if (x->kind != y->kind) return false;
  return x->kind == assign_state ? strcmp(a->states.items[x->index].name, b->states.items[y->index].name) == 0
                                 : strcmp(a->coords.items[x->index].name, b->coords.items[y->index].name) == 0;
}

// Events in the order of the text, assignments in any.
static void compare_events(System *s, const Import *im, CheckReport *report) {
  const System *a = s, *b = im->from;
  for (uint32_t i = 0; i < a->whens.count || i < b->whens.count; i++) {
    if (i >= a->whens.count || i >= b->whens.count) {
      bool first = i < a->whens.count;
      only_in(s, report, "the event of line",
              arena_printf(s->arena, "%u",
                           first ? source_line(a->sources, a->whens.items[i].span)
                                 : source_line(b->sources, b->whens.items[i].span)),
              first ? "the first" : "the second");
      continue;
    }
    const SystemWhen *x = &a->whens.items[i], *y = &b->whens.items[i];
    const char *what = arena_printf(s->arena, "the event of line %u", source_line(a->sources, x->span));
    Pair *pairs = arena_array(s->arena, x->assigns.count + 2, sizeof *pairs);
    if (!pairs) return;
    pairs[0] = (Pair){valued(im, x->condition), brought(im, y->condition)};
    pairs[1] = (Pair){valued(im, x->period), brought(im, y->period)};
    uint32_t found = 0;
    for (uint32_t k = 0; k < x->assigns.count; k++) {
      for (uint32_t l = 0; l < y->assigns.count; l++) {
        if (!same_target(a, &x->assigns.items[k], b, &y->assigns.items[l])) continue;
        pairs[2 + found++] = (Pair){valued(im, x->assigns.items[k].value), brought(im, y->assigns.items[l].value)};
        break;
      }
    }
    if (found != x->assigns.count || found != y->assigns.count || x->stop != y->stop)
      check_put(s, report, (CheckResult){.text = what, .verdict = verdict_different, .reason = "it sets other things"});
    else compare_all(s, im, report, what, pairs, 2 + found);
  }
}

static bool stands_for(const Import *im, SymbolId a, SymbolId b) {
  return expr_symbol(im->to->pool, im->symbol[b]) == a;
}

// Blocks with memory, delay or friction: one that is the same must be in the other model.
static void compare_blocks(System *s, const Import *im, CheckReport *report) {
  const System *a = s, *b = im->from;
  const char *text = "the blocks with memories, delays or friction",
             *reason = "they differ inside; whether that shows outside is not decided";
  bool same = a->memories.count == b->memories.count && a->delays.count == b->delays.count &&
              a->frictions.count == b->frictions.count;
  for (uint32_t i = 0; same && i < a->memories.count; i++) {
    const SystemMemory *x = &a->memories.items[i];
    bool found = false;
    for (uint32_t k = 0; k < b->memories.count && !found; k++) {
      const SystemMemory *y = &b->memories.items[k];
      found = stands_for(im, x->symbol, y->symbol) && valued(im, x->start) == brought(im, y->start) &&
              valued(im, x->rule) == brought(im, y->rule) && valued(im, x->follow) == brought(im, y->follow);
    }
    same = found;
  }
  for (uint32_t i = 0; same && i < a->delays.count; i++) {
    const SystemDelay *x = &a->delays.items[i];
    bool found = false;
    for (uint32_t k = 0; k < b->delays.count && !found; k++) {
      const SystemDelay *y = &b->delays.items[k];
      found = stands_for(im, x->symbol, y->symbol) && valued(im, x->input) == brought(im, y->input) &&
              valued(im, x->time) == brought(im, y->time) && valued(im, x->history) == brought(im, y->history);
    }
    same = found;
  }
  for (uint32_t i = 0; same && i < a->frictions.count; i++) {
    const SystemFriction *x = &a->frictions.items[i];
    bool found = false;
    for (uint32_t k = 0; k < b->frictions.count && !found; k++) {
      const SystemFriction *y = &b->frictions.items[k];
      found = stands_for(im, x->symbol, y->symbol) && valued(im, x->v) == brought(im, y->v) &&
              valued(im, x->slip) == brought(im, y->slip) && valued(im, x->stick) == brought(im, y->stick);
    }
    same = found;
  }
  if (!same) check_put(s, report, (CheckResult){.text = text, .verdict = verdict_undecided, .reason = reason});
}

// ---- starts of coordinates

typedef enum StartKind {
  start_free,
  start_guess, // computed from equations that may have several solutions; the start is the first guess
  start_none,  // computed
} StartKind;

// The symbol is computed: is its start the first guess for equations that are not linear?
static StartKind computed(const System *s, SymbolId symbol) {
  for (uint32_t b = 0; b < s->blocks.count; b++) {
    const Block *block = &s->blocks.items[b];
    bool own = false;
    for (uint32_t i = 0; block->implicit && i < block->count; i++) own = own || block->unknowns[i] == symbol;
    if (own && !block_is_linear(s->pool, block)) return start_guess;
  }
  return start_none;
}

static StartKind start_of_place(const System *s, uint32_t i) {
  return s->role[i] == coord_algebraic ? computed(s, s->coords.items[i].q) : start_free;
}
static StartKind start_of_velocity(const System *s, uint32_t i) {
  return s->speeds[i].symbol ? start_free : computed(s, s->coords.items[i].v);
}

// A start in both models.
typedef struct StartPair {
  StartKind x, y;
  ExprId a, b;
} StartPair;

static void compare_start(System *s, const Import *im, CheckReport *report, const char *what, const StartPair *p) {
  if (p->x == start_none && p->y == start_none) return;
  uint32_t before = report->results.count;
  Verdict worst = report->verdict;
  compare_values(s, im, report, what, p->a, p->b);
  if (report->results.count == before || p->x == start_free || p->y == start_free) return;
  CheckResult r = report->results.items[--report->results.count];
  report->verdict = worst;
  r.verdict = verdict_undecided;
  r.reason = arena_printf(s->arena, "%s: first guesses for an equation that may have several solutions", r.reason);
  check_put(s, report, r);
}

// Only free initial values are compared: one that the equations determine does not count.
static void compare_coords(System *a, const Import *im, CheckReport *report) {
  const System *b = im->from;
  for (uint32_t i = 0; i < a->coords.count; i++) {
    for (uint32_t k = 0; k < b->coords.count; k++) {
      const SystemCoord *x = &a->coords.items[i], *y = &b->coords.items[k];
      if (strcmp(x->name, y->name) != 0) continue;
      StartPair place = {start_of_place(a, i), start_of_place(b, k), x->q0, im->node[y->q0]};
      compare_start(a, im, report, arena_printf(a->arena, "the start of %s", x->name), &place);
      const Speed *u = &a->speeds[i], *v = &b->speeds[k];
      // a combination of velocities is free as a whole
      bool together =
          u->symbol && v->symbol && u->symbol != x->v && v->symbol != y->v && u->meaning == im->node[v->meaning];
      const char *what = together ? expr_text(a->pool, a->arena, u->meaning) : arena_printf(a->arena, "%s'", x->name);
      StartPair velocity = {start_of_velocity(a, i), start_of_velocity(b, k), together ? u->start : x->v0,
                            im->node[together ? v->start : y->v0]};
      compare_start(a, im, report, arena_printf(a->arena, "the start of %s", what), &velocity);
    }
  }
}

bool diff_models(System *a, const System *b, CheckReport *report) {
  *report = (CheckReport){.pool = a->pool};
  Import im = {.to = a, .from = b};
  const System *ma = a, *mb = b;
  compare_names(a, report, ma, mb, "the first");
  compare_names(a, report, mb, ma, "the second");
  // with other names, equations are not compared
  bool same_names = report->results.count == 0;
  if (!import(&im) || !find_derived(&im)) return false;
  if (same_names) {
    compare_equations(a, &im, report);
    compare_blocks(a, &im, report);
    compare_events(a, &im, report);
  }
  for (uint32_t i = 0; i < ma->params.count; i++) {
    const SystemParam *p = &ma->params.items[i], *q = find_param(mb, p->name);
    if (q)
      compare_values(a, &im, report, arena_printf(a->arena, "the parameter %s", p->name), p->value,
                     q->value ? im.node[q->value] : 0);
  }
  for (uint32_t i = 0; i < ma->inputs.count; i++) {
    for (uint32_t k = 0; k < mb->inputs.count; k++) {
      if (strcmp(ma->inputs.items[i].name, mb->inputs.items[k].name) != 0) continue;
      compare_values(a, &im, report, arena_printf(a->arena, "the input %s", ma->inputs.items[i].name),
                     ma->inputs.items[i].value, im.node[mb->inputs.items[k].value]);
    }
  }
  compare_coords(a, &im, report);
  for (uint32_t i = 0; i < ma->states.count; i++) {
    for (uint32_t k = 0; k < mb->states.count; k++) {
      if (strcmp(ma->states.items[i].name, mb->states.items[k].name) != 0) continue;
      compare_values(a, &im, report, arena_printf(a->arena, "the start of %s", ma->states.items[i].name),
                     ma->states.items[i].x0, im.node[mb->states.items[k].x0]);
    }
  }
  return !arena_failed(a->arena);
}
