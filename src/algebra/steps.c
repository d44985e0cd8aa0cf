// Lagrange's equations as a teacher writes them.
//
//   T, V, L = T - V, D        then for each coordinate  p = dL/dq', dp/dt, dL/dq, dD/dq', Q,  dp/dt - dL/dq + dD/dq' =
//   Q
//
// steps_write makes each line from the lines above it. steps_prove takes the written lines alone: it differentiates and
// adds what stands there and lets the exact algebra decide whether the next line follows; momenta, rates and equations
// are also compared with the system that is run and checked elsewhere. A line that was written wrongly is thus found,
// and the one that uses it, too.
#include "algebra/steps.h"

#include "expr/calculus.h"

enum { most_terms = 20000 };

typedef struct Work {
  System *s;
  ExprPool *pool;
  System *m;
  uint32_t n;
  Steps *out;
} Work;

static ExprId tidy(Work *w, ExprId id) { return id ? expr_group(w->pool, expr_expand(w->pool, id, most_terms)) : 0; }
static ExprId acceleration(const Work *w, uint32_t i) { return expr_sym(w->pool, w->m->coords.items[i].a); }

// The sum of the statements of a kind.
static ExprId given(Work *w, EnergyKind kind, uint32_t *count) {
  Term *terms = arena_array(w->s->arena, w->m->energies.count, sizeof *terms);
  *count = 0;
  for (uint32_t i = 0; terms && i < w->m->energies.count; i++) {
    if (w->m->energies.items[i].kind == kind) terms[(*count)++] = (Term){RAT_ONE, w->m->energies.items[i].value};
  }
  return terms ? expr_sum(w->pool, terms, *count) : 0;
}

static StepLine *put(Work *w, StepKind kind, uint32_t coord, ExprId left, ExprId value) {
  bool ok = vec_push(w->s->arena, &w->out->lines, (StepLine){kind, coord, left, value, verdict_undecided, NULL});
  return ok ? &w->out->lines.items[w->out->lines.count - 1] : NULL;
}

static bool time_derivative(Work *w, ExprId id, ExprId *out) { return system_time_derivative(w->s, &id, 1, true, out); }

// The line of a kind, of a coordinate; 0: none.
static ExprId line_of(const Steps *steps, StepKind kind, uint32_t coord) {
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    if (steps->lines.items[i].kind == kind && steps->lines.items[i].coord == coord) return steps->lines.items[i].value;
  }
  return 0;
}

static ExprId or_zero(const Work *w, ExprId id) { return id ? id : w->pool->zero; }

// ---- writing

static void write_energies(Work *w) {
  static const struct {
    EnergyKind kind;
    StepKind raw, line;
  } energies[] = {{energy_kinetic, line_given_kinetic, line_kinetic},
                  {energy_potential, line_given_potential, line_potential}};
  uint32_t count = 0;
  for (size_t k = 0; k < 2; k++) {
    ExprId sum = given(w, energies[k].kind, &count), neat = tidy(w, sum);
    if (count == 0) continue;
    if (neat != sum) put(w, energies[k].raw, 0, 0, sum);
    put(w, energies[k].line, 0, 0, neat);
  }
  ExprId extra = given(w, energy_lagrangian, &count);
  if (count) put(w, line_extra, 0, 0, tidy(w, extra));
  ExprId T = or_zero(w, line_of(w->out, line_kinetic, 0)), V = or_zero(w, line_of(w->out, line_potential, 0)),
         X = or_zero(w, line_of(w->out, line_extra, 0));
  put(w, line_lagrangian, 0, 0, tidy(w, expr_sum(w->pool, (Term[]){{RAT_ONE, T}, {rat_int(-1), V}, {RAT_ONE, X}}, 3)));
  ExprId D = given(w, energy_dissipation, &count);
  if (count) put(w, line_dissipation, 0, 0, tidy(w, D));
}

// Accelerations stand on the left, each with its coefficient; so do forces that hold them.
static ExprId gathered(Work *w, ExprId id) {
  ExprId rest = 0, sum = w->pool->zero;
  SymbolMap off = symbol_map_new(w->pool);
  for (uint32_t j = 0; j < w->n; j++) symbol_map_set(&off, w->m->coords.items[j].a, w->pool->zero);
  if (!expr_replace(w->pool, &off, &id, 1, &rest)) return 0;
  for (uint32_t j = 0; j < w->n; j++) {
    ExprId factor = expr_diff(w->pool, id, w->m->coords.items[j].a);
    sum = expr_add(w->pool, sum, expr_mul(w->pool, tidy(w, factor), acceleration(w, j)));
  }
  return expr_add(w->pool, sum, tidy(w, rest));
}

static bool write_coordinate(Work *w, uint32_t i) {
  const ModelCoord *c = &w->m->coords.items[i];
  ExprPool *pool = w->pool;
  if (w->s->by_equation[i]) {
    ExprId lhs = pool->zero;
    for (uint32_t j = 0; j < w->n; j++)
      lhs = expr_add(pool, lhs, expr_mul(pool, system_mass(w->s, i, j), acceleration(w, j)));
    put(w, line_given, i, tidy(w, lhs), tidy(w, expr_neg(pool, w->s->h[i])));
    return true;
  }
  ExprId L = line_of(w->out, line_lagrangian, 0), D = line_of(w->out, line_dissipation, 0), rate = 0,
         Q = w->s->lagrange.Q[i];
  ExprId p = tidy(w, expr_diff(pool, L, c->v));
  put(w, line_momentum, i, 0, p);
  if (!time_derivative(w, p, &rate)) return false;
  rate = gathered(w, rate);
  put(w, line_momentum_rate, i, 0, rate);
  ExprId gradient = tidy(w, expr_diff(pool, L, c->q)), damping = D ? tidy(w, expr_diff(pool, D, c->v)) : pool->zero;
  put(w, line_gradient, i, 0, gradient);
  if (D) put(w, line_damping, i, 0, damping);
  Q = tidy(w, Q);
  put(w, line_force, i, 0, Q);
  // forces with accelerations move to the left as they are
  ExprId right = Q, left = expr_sum(pool, (Term[]){{RAT_ONE, rate}, {rat_int(-1), gradient}, {RAT_ONE, damping}}, 3);
  if (expr_has_kind(pool, Q, sym_acceleration)) {
    left = expr_sub(pool, left, Q);
    right = pool->zero;
  }
  put(w, line_equation, i, gathered(w, left), right);
  return true;
}

bool steps_write(System *s, Steps *out) {
  *out = (Steps){.pool = s->pool};
  Work work = {s, s->pool, s, s->coord_count, out}, *w = &work;
  if (s->lagrange.used) write_energies(w);
  for (uint32_t i = 0; i < w->n; i++) {
    if (!s->by_implicit[i] && !write_coordinate(w, i)) return false;
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    if (!w->m->states.items[i].implicit)
      put(w, line_given, w->n + i, expr_sym(w->pool, w->m->states.items[i].rate), s->f[i]);
  }
  for (uint32_t i = 0; i < w->m->implicit.count; i++) {
    const ModelEquation *e = &w->m->implicit.items[i];
    put(w, line_implicit, w->n + s->state_count + i, e->left, e->right);
  }
  for (uint32_t i = 0; i < out->lines.count; i++) {
    if (!out->lines.items[i].value) return false;
  }
  return !arena_failed(s->arena);
}

// ---- proving

// What the line must be, by the lines that stand above it. Two roads where there are two.
static uint32_t claims(Work *w, const StepLine *l, ExprId claim[2]) {
  ExprPool *pool = w->pool;
  const Steps *t = w->out;
  const System *s = w->s;
  uint32_t i = l->coord, count = 0, n = 0;
  const ModelCoord *c = i < w->n ? &w->m->coords.items[i] : NULL;
  ExprId L = line_of(t, line_lagrangian, 0), rate = 0;
  switch (l->kind) {
  case line_given_kinetic:
  case line_kinetic: claim[n++] = given(w, energy_kinetic, &count); break;
  case line_given_potential:
  case line_potential: claim[n++] = given(w, energy_potential, &count); break;
  case line_extra: claim[n++] = given(w, energy_lagrangian, &count); break;
  case line_lagrangian: {
    ExprId T = or_zero(w, line_of(t, line_kinetic, 0)), V = or_zero(w, line_of(t, line_potential, 0)),
           X = or_zero(w, line_of(t, line_extra, 0));
    claim[n++] = expr_sum(pool, (Term[]){{RAT_ONE, T}, {rat_int(-1), V}, {RAT_ONE, X}}, 3);
    claim[n++] = s->lagrange.L;
    break;
  }
  case line_dissipation: claim[n++] = s->lagrange.D; break;
  case line_momentum:
    claim[n++] = expr_diff(pool, L, c->v);
    claim[n++] = s->lagrange.p[i];
    break;
  case line_momentum_rate:
    claim[n++] = time_derivative(w, line_of(t, line_momentum, i), &rate) ? rate : 0;
    claim[n++] = time_derivative(w, s->lagrange.p[i], &rate) ? rate : 0;
    break;
  case line_gradient:
    claim[n++] = expr_diff(pool, L, c->q);
    claim[n++] = s->lagrange.dLdq[i];
    break;
  case line_damping:
    claim[n++] = expr_diff(pool, line_of(t, line_dissipation, 0), c->v);
    claim[n++] = s->lagrange.dDdv[i];
    break;
  case line_force: claim[n++] = s->lagrange.Q[i]; break;
  case line_equation: {
    ExprId D = or_zero(w, line_of(t, line_damping, i)), Q = line_of(t, line_force, i), own = s->h[i];
    claim[n++] = expr_sum(pool,
                          (Term[]){{RAT_ONE, line_of(t, line_momentum_rate, i)},
                                   {rat_int(-1), line_of(t, line_gradient, i)},
                                   {RAT_ONE, D},
                                   {rat_int(-1), Q}},
                          4);
    for (uint32_t j = 0; j < w->n; j++)
      own = expr_add(pool, own, expr_mul(pool, system_mass(s, i, j), acceleration(w, j)));
    claim[n++] = own;
    break;
  }
  case line_implicit: claim[n++] = w->m->implicit.items[i - w->n - s->state_count].residual; break;
  case line_given:
    if (!c) {
      claim[n++] = expr_sub(pool, expr_sym(pool, w->m->states.items[i - w->n].rate), s->f[i - w->n]);
      break;
    }
    claim[0] = s->h[i];
    for (uint32_t j = 0; j < w->n; j++)
      claim[0] = expr_add(pool, claim[0], expr_mul(pool, system_mass(s, i, j), acceleration(w, j)));
    n = 1;
    break;
  default: break;
  }
  return n;
}

bool steps_prove(System *s, Steps *steps) {
  Work work = {s, s->pool, s, s->coord_count, steps}, *w = &work;
  steps->unproved = 0;
  Arena *arena = arena_new_scratch(s->arena);
  if (!arena) return false;
  for (uint32_t k = 0; k < steps->lines.count; k++) {
    StepLine *l = &steps->lines.items[k];
    ExprId claim[2], shown = l->left ? expr_sub(w->pool, l->left, l->value) : l->value;
    uint32_t count = claims(w, l, claim);
    l->verdict = count ? verdict_equal : verdict_undecided;
    l->reason = NULL;
    for (uint32_t i = 0; i < count && l->verdict == verdict_equal; i++) {
      ArenaMark mark = arena_mark(arena);
      Decision d = decide_equal(w->pool, arena, claim[i], shown);
      l->verdict = d.verdict;
      if (d.verdict == verdict_undecided) l->reason = arena_printf(s->arena, "%s", d.reason ? d.reason : "no reason");
      if (d.verdict == verdict_different) l->reason = "it does not follow from the lines above";
      arena_release(arena, mark);
    }
    if (l->verdict != verdict_equal) steps->unproved++;
  }
  return !arena_failed(s->arena);
}
