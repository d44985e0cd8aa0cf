// The form `state` of a model with constraints: every place, and the rates of independent velocities (bound.c).
//
// Up to four of these are solved for; of more the matrices are shown.
#include "algebra/bound_state.h"

#include "algebra/bound.h"
#include "algebra/solved.h"
#include "expr/calculus.h"

static ExprId tidy(System *s, ExprId id) { return expr_group(s->pool, expr_expand(s->pool, id, derive_most_terms)); }

static bool note(System *s, Derivation *out, const char *text) { return text && vec_push(s->arena, &out->notes, text); }

static bool put_rate(System *s, Derivation *out, SymbolId of, ExprId rhs, Span span) {
  return rhs &&
         vec_push(s->arena, &out->equations,
                  (ShownEquation){.of = pool_symbol_get(s->pool, of)->name, .rhs = rhs, .span = span, .symbol = of});
}

static bool put_matrices(System *s, const BoundVelocities *b, ExprId *A, ExprId *r, Derivation *out) {
  uint32_t f = b->free_count;
  for (uint32_t i = 0; i < f * f; i++) A[i] = tidy(s, A[i]);
  for (uint32_t i = 0; i < f; i++) r[i] = tidy(s, expr_neg(s->pool, r[i]));
  out->sum = "M*d(q')/dt = f";
  return vec_push(s->arena, &out->matrices,
                  ((ShownMatrix){"M", "mass matrix of the independent velocities", f, f, A})) &&
         vec_push(s->arena, &out->matrices, ((ShownMatrix){"f", "right-hand side", f, 1, r})) &&
         note(s, out, "the rates of the independent velocities follow from M*d(q')/dt = f, where q' are these");
}

// Nothing eliminated: M, f, G and c as they are.
static bool put_whole(System *s, Derivation *out) {
  uint32_t n = s->coord_count;
  const char *G = out->jacobian.name;
  if (!G) return true; // too large to be written
  ShownMatrix M = {"M", "mass matrix", n, n, arena_array(s->arena, (size_t)n * n, sizeof(ExprId))};
  ShownMatrix f = {"f", "right-hand side", n, 1, arena_array(s->arena, n, sizeof(ExprId))};
  if (!M.items || !f.items) return false;
  for (uint32_t i = 0; i < n * n; i++) M.items[i] = tidy(s, system_mass(s, i / n, i % n));
  for (uint32_t i = 0; i < n; i++) f.items[i] = tidy(s, expr_neg(s->pool, s->h[i]));
  out->sum = arena_printf(s->arena, "M*d(q')/dt = f + transpose(%s)*lambda, %s*d(q')/dt + c = 0", G, G);
  return vec_push(s->arena, &out->matrices, M) && vec_push(s->arena, &out->matrices, f) &&
         vec_push(s->arena, &out->matrices, bound_curvature(s, "c"));
}

// Equations of states may hold multipliers, which no line here gives.
static bool note_multipliers(System *s, Derivation *out) {
  for (uint32_t i = 0; i < s->state_count; i++) {
    if (s->f[i] && expr_has_kind(s->pool, s->f[i], sym_multiplier))
      return note(s, out,
                  "multipliers in the equations of states follow from Lagrange's equations: see `--form lagrange`");
  }
  return true;
}

bool bound_state(System *s, Derivation *out) {
  BoundVelocities b;
  if (!bound_velocities(s, &b)) return false;
  if (b.why) return put_whole(s, out) && note(s, out, b.why);
  uint32_t f = b.free_count;
  ExprId *A = arena_array(s->arena, (size_t)f * f, sizeof *A), *r = arena_array(s->arena, f, sizeof *r);
  if (!A || !r || !bound_reduced(s, &b, A, r)) return false;
  for (uint32_t i = 0; i < b.n; i++) {
    if (!put_rate(s, out, s->coords.items[i].q, b.v[i], s->coords.items[i].span)) return false;
  }
  ExprId solved[most_solved] = {0};
  const char *failed = NULL;
  if (f && f <= most_solved && !solved_linear(s, A, r, f, &(DeriveStyle){0}, solved, &failed)) return false;
  bool done = f == 0 || (f <= most_solved && solved[0] && !failed);
  for (uint32_t j = 0; j < f && done; j++) {
    const SystemCoord *c = &s->coords.items[b.free[j]];
    if (!put_rate(s, out, c->v, solved[j], c->span)) return false;
  }
  return (done || put_matrices(s, &b, A, r, out)) && note(s, out, bound_said(s, &b)) && note_multipliers(s, out);
}
