// Dimensions of bodies: positions are lengths, rotations are angles, an inertia is kg m^2.
#include "lang/infer_inside.h"
#include "lang/statements.h"

static void clause_is(Infer *f, const Stmt *s, BodyClause which, const Binding *env, Dim target, const char *words) {
  const Ast *a = s->body->clause[which];
  if (!a) return;
  bool before = f->lenient;
  f->lenient = true;
  DimValue v = infer_expr(f, a, (DimEnv){NULL, env});
  for (uint32_t i = 0; v.shape && i < dims_count(&v); i++) {
    Dim one = dim_item(&v, i);
    if (one.kind == dim_form) infer_same(f, &one, a->span, &target, (Span){0}, words);
  }
  f->lenient = before;
}

void units_body(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  if (infer_is_enough(f, s)) return;
  clause_is(f, s, body_at, env, dim_mechanical(0, 1, 0), "the place of a joint is");
  clause_is(f, s, body_rotated, env, dim_of(form_plain()), "a turn is");
  clause_is(f, s, body_mass, env, dim_mechanical(1, 0, 0), "a mass is");
  clause_is(f, s, body_com, env, dim_mechanical(0, 1, 0), "a centre of mass is");
  clause_is(f, s, body_inertia, env, dim_mechanical(1, 2, 0), "an inertia is");
  for (int i = body_box; i < body_clauses; i++)
    clause_is(f, s, (BodyClause)i, env, dim_mechanical(0, 1, 0), "the size of a body is");
}
