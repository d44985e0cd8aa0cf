// Derivation of Lagrange's equations of the second kind, line by line, each line proved from those above it.
//
//   T, V, L = T - V, D        then for each constraint  g = 0, g' = 0, g'' = 0
//   for each coordinate       p = dL/dq', dp/dt, dL/dq, dD/dq', Q, R,  dp/dt - dL/dq + dD/dq' = Q + R
//   without multipliers       dependent velocities and accelerations, and what is left of the equations in the others
//
// R = sum_k lambda_k dg'_k/dq' is the force of the constraints. The equations are multiplied by what an independent
// velocity moves of each coordinate and added up: then the multipliers drop out.
//
// steps_write makes each line from the lines above it. steps_prove takes the written lines alone: it differentiates and
// adds what stands there and lets the exact algebra decide whether the next line follows; momenta, rates and equations
// are also compared with the system that is run and checked elsewhere. A line that was written wrongly is thus found,
// and the one that uses it, too.
#include "algebra/steps.h"

#include "algebra/bound.h"
#include "algebra/constrained.h"
#include "algebra/steps_levels.h"
#include "expr/calculus.h"
#include "expr/occurs.h"

typedef struct StepsWork {
  System *s;
  ExprPool *pool;
  uint32_t n; // coordinates
  Steps *out;
  StepLine unseen;
  ExprId T, V; // of bodies; 0: there are none
} StepsWork;

static ExprId tidy(StepsWork *w, ExprId id) {
  return id ? expr_group(w->pool, expr_expand(w->pool, id, derive_most_terms)) : 0;
}
static ExprId acceleration(const StepsWork *w, uint32_t i) { return expr_sym(w->pool, w->s->coords.items[i].a); }

// What bodies have: L without what is written is T - V, and at rest -V.
static bool find_bodies(StepsWork *w) {
  System *s = w->s;
  if (!s->tree.links.count) return true;
  ExprId own = expr_sub(w->pool, s->lagrange.L, s->lagrange.written), rest = 0;
  SymbolMap still = symbol_map_new(w->pool);
  for (uint32_t i = 0; i < w->n; i++) symbol_map_set(&still, s->coords.items[i].v, w->pool->zero);
  for (uint32_t i = 0; i < s->states.count; i++) {
    if (s->states.items[i].role == state_velocity) symbol_map_set(&still, s->states.items[i].x, w->pool->zero);
  }
  if (!own || !expr_replace(w->pool, &still, &own, 1, &rest)) return false;
  w->V = expr_neg(w->pool, rest);
  w->T = expr_sub(w->pool, own, rest);
  return w->V && w->T;
}

// The sum of the statements of a kind, and of what bodies have of it.
static ExprId energy_sum(StepsWork *w, EnergyKind kind, uint32_t *count) {
  Term *terms = arena_array(w->s->arena, (size_t)w->s->energies.count + 1, sizeof *terms);
  ExprId bodies = kind == energy_kinetic ? w->T : kind == energy_potential ? w->V : 0;
  *count = 0;
  if (terms && bodies && bodies != w->pool->zero) terms[(*count)++] = (Term){RAT_ONE, bodies};
  for (uint32_t i = 0; terms && i < w->s->energies.count; i++) {
    if (w->s->energies.items[i].kind == kind) terms[(*count)++] = (Term){RAT_ONE, w->s->energies.items[i].value};
  }
  return terms ? expr_sum(w->pool, terms, *count) : 0;
}

// The line; when it is out of memory, one that nobody sees.
static StepLine *put(StepsWork *w, StepKind kind, uint32_t coord, ExprId left, ExprId value) {
  bool ok =
      vec_push(w->s->arena, &w->out->lines,
               (StepLine){.kind = kind, .coord = coord, .left = left, .value = value, .verdict = verdict_undecided});
  return ok ? &w->out->lines.items[w->out->lines.count - 1] : &w->unseen;
}

static bool time_derivative(StepsWork *w, ExprId id, ExprId *out) {
  return system_time_derivative(w->s, &id, 1, true, out);
}

// The line of a kind, of a coordinate or constraint; NULL: none.
static const StepLine *find_line(const Steps *steps, StepKind kind, uint32_t coord) {
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    if (steps->lines.items[i].kind == kind && steps->lines.items[i].coord == coord) return &steps->lines.items[i];
  }
  return NULL;
}

static ExprId line_of(const Steps *steps, StepKind kind, uint32_t coord) {
  const StepLine *l = find_line(steps, kind, coord);
  return l ? l->value : 0;
}

// left - value of an equation; 0: there is no such line.
static ExprId residual_of(const StepsWork *w, StepKind kind, uint32_t coord) {
  const StepLine *l = find_line(w->out, kind, coord);
  return l ? expr_sub(w->pool, l->left, l->value) : 0;
}

// The line that binds velocities: g' = 0, or g = 0 of one that is about velocities itself.
static ExprId rate_line(const StepsWork *w, uint32_t k) {
  ExprId rate = residual_of(w, line_constraint_rate, k);
  return rate ? rate : residual_of(w, line_constraint, k);
}

static ExprId or_zero(const StepsWork *w, ExprId id) { return id ? id : w->pool->zero; }

// ---- writing

static void write_energies(StepsWork *w) {
  static const struct {
    EnergyKind kind;
    StepKind as_written, line;
  } energies[] = {{energy_kinetic, line_given_kinetic, line_kinetic},
                  {energy_potential, line_given_potential, line_potential}};
  uint32_t count = 0;
  for (size_t k = 0; k < 2; k++) {
    ExprId sum = energy_sum(w, energies[k].kind, &count), neat = tidy(w, sum);
    if (count == 0) continue;
    if (neat != sum) put(w, energies[k].as_written, 0, 0, sum);
    put(w, energies[k].line, 0, 0, neat);
  }
  ExprId extra = energy_sum(w, energy_lagrangian, &count);
  if (count) put(w, line_extra, 0, 0, tidy(w, extra));
  ExprId T = or_zero(w, line_of(w->out, line_kinetic, 0)), V = or_zero(w, line_of(w->out, line_potential, 0)),
         X = or_zero(w, line_of(w->out, line_extra, 0));
  put(w, line_lagrangian, 0, 0, tidy(w, expr_sum(w->pool, (Term[]){{RAT_ONE, T}, {rat_int(-1), V}, {RAT_ONE, X}}, 3)));
  ExprId D = energy_sum(w, energy_dissipation, &count);
  if (count) put(w, line_dissipation, 0, 0, tidy(w, D));
}

// Accelerations stand on the left, each with its coefficient; so do forces that hold them.
static ExprId gathered(StepsWork *w, ExprId id) {
  ExprId rest = 0, sum = w->pool->zero;
  SymbolMap off = symbol_map_new(w->pool);
  for (uint32_t j = 0; j < w->n; j++) symbol_map_set(&off, w->s->coords.items[j].a, w->pool->zero);
  if (!expr_replace(w->pool, &off, &id, 1, &rest)) return 0;
  for (uint32_t j = 0; j < w->n; j++) {
    ExprId factor = expr_diff(w->pool, id, w->s->coords.items[j].a);
    sum = expr_add(w->pool, sum, expr_mul(w->pool, tidy(w, factor), acceleration(w, j)));
  }
  return expr_add(w->pool, sum, tidy(w, rest));
}

static bool write_constraints(StepsWork *w) {
  for (uint32_t k = 0; k < w->s->constraints.count; k++) {
    const SystemConstraint *c = &w->s->constraints.items[k];
    ExprId zero = w->pool->zero, rate = tidy(w, c->value), bend = 0;
    put(w, line_constraint, k, rate, zero);
    if (!c->velocities) {
      if (!time_derivative(w, rate, &rate)) return false;
      rate = tidy(w, rate);
      put(w, line_constraint_rate, k, rate, zero);
    }
    if (!time_derivative(w, rate, &bend)) return false;
    put(w, line_constraint_bend, k, gathered(w, bend), zero);
  }
  return true;
}

// As expr_written_size counts, before they are multiplied out: pages behind that.
enum { most_reduced = 4000 };

static bool leave_out(StepsWork *w, const char *why) {
  w->out->left_out = arena_printf(w->s->arena, "The equations without multipliers are left out: %s.", why);
  return w->out->left_out != NULL;
}

// Dependent velocities, and the equations of the independent ones without multipliers.
static bool write_reduced(StepsWork *w) {
  System *s = w->s;
  BoundVelocities b;
  for (uint32_t i = 0; i < w->n; i++) {
    if (s->role[i] >= coord_combined || s->source[i] == source_implicit) return true;
  }
  if (!s->constraints.count) return true;
  if (!bound_velocities(s, &b)) return false;
  if (b.why) return leave_out(w, b.why);
  uint32_t f = b.free_count;
  ExprId *A = arena_array(s->arena, (size_t)f * f, sizeof *A), *r = arena_array(s->arena, f, sizeof *r);
  if (!A || !r || !bound_reduced(s, &b, A, r)) return false;
  if (expr_written_size(s->pool, A, f * f) + expr_written_size(s->pool, r, f) > most_reduced)
    return leave_out(w, "they would fill pages");
  for (uint32_t j = 0; j < b.dependent_count; j++) {
    uint32_t i = b.dependent[j];
    ExprId rate = b.c[i];
    for (uint32_t l = 0; l < f; l++)
      rate = expr_add(w->pool, rate, expr_mul(w->pool, b.N[i * f + l], acceleration(w, b.free[l])));
    put(w, line_dependent, i, expr_sym(w->pool, s->coords.items[i].v), b.v[i])->by = b.by[j];
    put(w, line_dependent_rate, i, acceleration(w, i), gathered(w, rate));
  }
  for (uint32_t j = 0; j < f; j++) {
    ExprId left = w->pool->zero;
    for (uint32_t l = 0; l < f; l++)
      left = expr_add(w->pool, left, expr_mul(w->pool, tidy(w, A[j * f + l]), acceleration(w, b.free[l])));
    put(w, line_reduced, b.free[j], left, tidy(w, expr_neg(w->pool, r[j])));
  }
  return true;
}

static bool write_coordinate(StepsWork *w, uint32_t i) {
  const SystemCoord *c = &w->s->coords.items[i];
  ExprPool *pool = w->pool;
  if (w->s->source[i] == source_equation) {
    ExprId lhs = pool->zero;
    for (uint32_t j = 0; j < w->n; j++)
      lhs = expr_add(pool, lhs, expr_mul(pool, system_mass(w->s, i, j), acceleration(w, j)));
    put(w, line_given, i, tidy(w, lhs), expr_add(pool, tidy(w, expr_neg(pool, w->s->h[i])), bound_force(w->s, i)));
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
  ExprId reaction = bound_force(w->s, i);
  if (w->s->constraints.count) put(w, line_reaction, i, 0, reaction);
  // forces with accelerations move to the left as they are
  ExprId right = Q, left = expr_sum(pool, (Term[]){{RAT_ONE, rate}, {rat_int(-1), gradient}, {RAT_ONE, damping}}, 3);
  if (expr_has_kind(pool, Q, sym_acceleration)) {
    left = expr_sub(pool, left, Q);
    right = pool->zero;
  }
  put(w, line_equation, i, gathered(w, left), expr_add(pool, right, reaction));
  return true;
}

bool steps_write(System *s, Steps *out) {
  *out = (Steps){.pool = s->pool};
  StepsWork work = {.s = s, .pool = s->pool, .n = s->coord_count, .out = out}, *w = &work;
  if (!find_bodies(w)) return false;
  if (s->lagrange.used) write_energies(w);
  if (!write_constraints(w)) return false;
  for (uint32_t i = 0; i < w->n; i++) {
    if (s->source[i] != source_implicit && !write_coordinate(w, i)) return false;
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    if (!w->s->states.items[i].implicit)
      put(w, line_given, w->n + i, expr_sym(w->pool, w->s->states.items[i].rate), s->f[i]);
  }
  for (uint32_t i = 0; i < w->s->implicit.count; i++) {
    const SystemEquation *e = &w->s->implicit.items[i];
    put(w, line_implicit, w->n + s->state_count + i, e->left, e->right);
  }
  if (!steps_levels_write(s, out) || !write_reduced(w)) return false;
  for (uint32_t i = 0; i < out->lines.count; i++) {
    if (!out->lines.items[i].value) return false;
  }
  return !arena_failed(s->arena);
}

// ---- proving

// The force of one constraint as the system has it.
static ExprId reaction_of(StepsWork *w, uint32_t k, uint32_t i) {
  return expr_mul(w->pool, constrained_slope(w->s, k, i), expr_sym(w->pool, w->s->constraints.items[k].symbol));
}

// The equation of a coordinate as the system has it: sum_j M_ij a_j + h_i - sum_k G_ki lambda_k
static ExprId system_equation(StepsWork *w, uint32_t i) {
  ExprId sum = w->s->h[i];
  for (uint32_t j = 0; j < w->n; j++)
    sum = expr_add(w->pool, sum, expr_mul(w->pool, system_mass(w->s, i, j), acceleration(w, j)));
  for (uint32_t k = 0; k < w->s->constraints.count; k++) sum = expr_sub(w->pool, sum, reaction_of(w, k, i));
  return sum;
}

// T - V + X of the lines above
static ExprId lagrangian_above(StepsWork *w) {
  ExprId T = or_zero(w, line_of(w->out, line_kinetic, 0)), V = or_zero(w, line_of(w->out, line_potential, 0)),
         X = or_zero(w, line_of(w->out, line_extra, 0));
  return expr_sum(w->pool, (Term[]){{RAT_ONE, T}, {rat_int(-1), V}, {RAT_ONE, X}}, 3);
}

// dp/dt - dL/dq + dD/dq' - Q - R of the lines above
static ExprId equation_above(StepsWork *w, uint32_t i) {
  ExprId D = or_zero(w, line_of(w->out, line_damping, i));
  Term terms[] = {{RAT_ONE, line_of(w->out, line_momentum_rate, i)},
                  {rat_int(-1), line_of(w->out, line_gradient, i)},
                  {RAT_ONE, D},
                  {rat_int(-1), line_of(w->out, line_force, i)},
                  {rat_int(-1), or_zero(w, line_of(w->out, line_reaction, i))}};
  return expr_sum(w->pool, terms, 5);
}

static ExprId rate_of(StepsWork *w, ExprId id) {
  ExprId rate = 0;
  return time_derivative(w, id, &rate) ? rate : 0;
}

// What a line must be: by the lines that stand above it, and, where there is a second derivation, by the system. Both
// functions return how many claims there are.

static uint32_t energy_claims(StepsWork *w, StepKind kind, ExprId claim[2]) {
  uint32_t count, n = 0;
  switch (kind) {
  case line_given_kinetic:
  case line_kinetic: claim[n++] = energy_sum(w, energy_kinetic, &count); break;
  case line_given_potential:
  case line_potential: claim[n++] = energy_sum(w, energy_potential, &count); break;
  case line_extra: claim[n++] = energy_sum(w, energy_lagrangian, &count); break;
  case line_lagrangian:
    claim[n++] = lagrangian_above(w);
    claim[n++] = w->s->lagrange.L;
    break;
  case line_dissipation: claim[n++] = w->s->lagrange.D; break;
  default: break;
  }
  return n;
}

// ---- constraints

// sum_k lambda_k dg'_k/dq' of the lines above
static ExprId reaction_above(StepsWork *w, uint32_t i) {
  ExprId sum = w->pool->zero;
  for (uint32_t k = 0; k < w->s->constraints.count; k++) {
    ExprId slope = expr_diff(w->pool, rate_line(w, k), w->s->coords.items[i].v);
    sum = expr_add(w->pool, sum, expr_mul(w->pool, slope, expr_sym(w->pool, w->s->constraints.items[k].symbol)));
  }
  return sum;
}

static uint32_t constraint_claims(StepsWork *w, StepKind kind, uint32_t k, ExprId claim[2]) {
  const SystemConstraint *c = &w->s->constraints.items[k];
  uint32_t n = 0;
  if (kind == line_constraint) {
    claim[n++] = c->value;
  } else if (kind == line_constraint_rate) {
    claim[n++] = rate_of(w, residual_of(w, line_constraint, k));
    claim[n++] = c->rate;
  } else {
    ExprId own = c->curvature;
    for (uint32_t j = 0; j < c->G.count; j++)
      own = expr_add(w->pool, own, expr_mul(w->pool, c->G.items[j].value, acceleration(w, c->G.items[j].column)));
    claim[n++] = rate_of(w, rate_line(w, k));
    claim[n++] = own;
  }
  return n;
}

// Dependent velocities and accelerations as the lines say, but for one coordinate. 0: out of memory.
static ExprId put_dependent(StepsWork *w, ExprId id, uint32_t but) {
  SymbolMap rates = symbol_map_new(w->pool), velocities = symbol_map_new(w->pool);
  for (uint32_t i = 0; i < w->n; i++) {
    const StepLine *v = find_line(w->out, line_dependent, i), *a = find_line(w->out, line_dependent_rate, i);
    if (i == but || !v || !a) continue;
    symbol_map_set(&velocities, w->s->coords.items[i].v, v->value);
    symbol_map_set(&rates, w->s->coords.items[i].a, a->value);
  }
  return id && expr_replace(w->pool, &rates, &id, 1, &id) && expr_replace(w->pool, &velocities, &id, 1, &id) ? id : 0;
}

// What the independent velocity j moves of coordinate i, by the lines above.
static ExprId share(StepsWork *w, uint32_t i, uint32_t j) {
  const StepLine *v = find_line(w->out, line_dependent, i);
  if (v) return expr_diff(w->pool, v->value, w->s->coords.items[j].v);
  return i == j ? w->pool->one : w->pool->zero;
}

// The equations of all coordinates, each times its share, without dependent velocities and accelerations.
static ExprId reduced_above(StepsWork *w, uint32_t j) {
  ExprId sum = w->pool->zero;
  for (uint32_t i = 0; i < w->n; i++) {
    ExprId own = residual_of(w, line_equation, i);
    if (!own) own = residual_of(w, line_given, i);
    if (!own) return 0;
    sum = expr_add(w->pool, sum, expr_mul(w->pool, share(w, i, j), own));
  }
  return put_dependent(w, sum, w->n);
}

static uint32_t reduced_claims(StepsWork *w, const StepLine *l, ExprId claim[2]) {
  ExprPool *pool = w->pool;
  uint32_t i = l->coord;
  if (l->kind == line_dependent) {
    // its constraint with the other velocities put in, over the factor of this one
    ExprId rate = put_dependent(w, rate_line(w, l->by), i);
    claim[0] = rate ? expr_div(pool, rate, expr_diff(pool, rate, w->s->coords.items[i].v)) : 0;
  } else if (l->kind == line_dependent_rate) {
    ExprId rate = put_dependent(w, rate_of(w, line_of(w->out, line_dependent, i)), w->n);
    claim[0] = expr_sub(pool, acceleration(w, i), rate);
  } else {
    claim[0] = reduced_above(w, i);
  }
  return 1;
}

static uint32_t coord_claims(StepsWork *w, StepKind kind, uint32_t i, ExprId claim[2]) {
  const SystemLagrange *g = &w->s->lagrange;
  const SystemCoord *c = &w->s->coords.items[i];
  ExprId L = line_of(w->out, line_lagrangian, 0);
  uint32_t n = 0;
  switch (kind) {
  case line_momentum:
    claim[n++] = expr_diff(w->pool, L, c->v);
    claim[n++] = g->p[i];
    break;
  case line_momentum_rate:
    claim[n++] = rate_of(w, line_of(w->out, line_momentum, i));
    claim[n++] = rate_of(w, g->p[i]);
    break;
  case line_gradient:
    claim[n++] = expr_diff(w->pool, L, c->q);
    claim[n++] = g->dLdq[i];
    break;
  case line_damping:
    claim[n++] = expr_diff(w->pool, line_of(w->out, line_dissipation, 0), c->v);
    claim[n++] = g->dDdv[i];
    break;
  case line_force: claim[n++] = g->Q[i]; break;
  case line_reaction:
    claim[n++] = reaction_above(w, i);
    claim[n++] = bound_force(w->s, i);
    break;
  case line_equation:
    claim[n++] = equation_above(w, i);
    claim[n++] = system_equation(w, i);
    break;
  case line_given: claim[n++] = system_equation(w, i); break;
  default: break;
  }
  return n;
}

static uint32_t claims(StepsWork *w, const StepLine *l, ExprId claim[2]) {
  const System *s = w->s;
  uint32_t i = l->coord;
  if (l->kind <= line_dissipation) return energy_claims(w, l->kind, claim);
  if (l->kind >= line_dependent) return reduced_claims(w, l, claim);
  if (l->kind >= line_constraint) return constraint_claims(w, l->kind, i, claim);
  if (l->kind == line_level_rate || l->kind == line_level_known) {
    claim[0] = steps_levels_claim(w->s, w->out, l);
    return 1;
  }
  if (i < w->n) return coord_claims(w, l->kind, i, claim);
  // behind the coordinates: equations of states, then implicit ones
  if (l->kind == line_implicit) {
    claim[0] = s->implicit.items[i - w->n - s->state_count].residual;
  } else {
    const SystemState *x = &s->states.items[i - w->n];
    claim[0] = expr_sub(w->pool, expr_sym(w->pool, x->rate), s->f[i - w->n]);
  }
  return 1;
}

bool steps_prove(System *s, Steps *steps) {
  StepsWork work = {.s = s, .pool = s->pool, .n = s->coord_count, .out = steps}, *w = &work;
  if (!find_bodies(w)) return false;
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
