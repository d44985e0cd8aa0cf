// The form `state` of a model with constraints: all positions, and the rates of independent velocities (bound.c).
//
// out   v = the independent velocities:
//       solved     d(v_j)/dt = ..., where these are few and short
//       products   N'M N d(v)/dt + N'M c = N'f, with q' = N v + b and q'' = N d(v)/dt + c. Each of the matrices
//                  is short where their product fills a page; c is written with all velocities, which the lines of
//                  positions give
//       whole      nothing eliminated: M, f, G and c as they are, where velocities in each other would fill pages
#include "algebra/bound_state.h"

#include "algebra/bound.h"
#include "algebra/solved.h"
#include "algebra/style.h"
#include "expr/calculus.h"
#include "expr/occurs.h"

// As expr_written_size counts: a solved rate of some lines; what is tried at all; cells of a matrix.
enum { most_read = 120, most_tried = 6000, most_cells = 20000 };

static ExprId tidy(System *s, ExprId id) { return expr_group(s->pool, expr_expand(s->pool, id, derive_most_terms)); }

static bool note(System *s, Derivation *out, const char *text) { return text && vec_push(s->arena, &out->notes, text); }

static bool put_rate(System *s, Derivation *out, SymbolId of, ExprId rhs, Span span) {
  return rhs &&
         vec_push(s->arena, &out->equations,
                  (ShownEquation){.of = pool_symbol_get(s->pool, of)->name, .rhs = rhs, .span = span, .symbol = of});
}

static ShownMatrix new_matrix(System *s, const char *name, const char *meaning, uint32_t rows, uint32_t cols) {
  return (ShownMatrix){.name = style_free_name(s, name),
                       .meaning = meaning,
                       .rows = rows,
                       .cols = cols,
                       .items = arena_array(s->arena, (size_t)rows * cols, sizeof(ExprId))};
}

// M and f = -h. False: out of memory.
static bool put_forces(System *s, Derivation *out, ShownMatrix *M, ShownMatrix *f) {
  uint32_t n = s->coord_count;
  *M = new_matrix(s, "M", "mass matrix", n, n);
  *f = new_matrix(s, "f", "right-hand side", n, 1);
  if (!M->items || !f->items) return false;
  for (uint32_t i = 0; i < n * n; i++) M->items[i] = tidy(s, system_mass(s, i / n, i % n));
  for (uint32_t i = 0; i < n; i++) f->items[i] = tidy(s, expr_neg(s->pool, s->h[i]));
  return vec_push(s->arena, &out->matrices, *M) && vec_push(s->arena, &out->matrices, *f);
}

// Nothing eliminated: M, f, G and c as they are.
static bool put_whole(System *s, Derivation *out) {
  const char *G = out->jacobian.name;
  ShownMatrix M, f, c = bound_curvature(s, style_free_name(s, "c"));
  if (!G || (uint64_t)s->coord_count * s->coord_count > most_cells) return true; // too large to be written
  if (!put_forces(s, out, &M, &f)) return false;
  out->sum = arena_printf(s->arena, "%s*d(q')/dt = %s + transpose(%s)*lambda, %s*d(q')/dt + %s = 0", M.name, f.name, G,
                          G, c.name);
  return vec_push(s->arena, &out->matrices, c);
}

// The matrices whose product it is.
static bool put_products(System *s, const BoundVelocities *b, Derivation *out) {
  uint32_t n = b->n, f = b->free_count;
  ShownMatrix M, forces, N = new_matrix(s, "N", "velocities of all coordinates by the independent ones", n, f),
                         c = new_matrix(s, "c", "accelerations of all coordinates where those of v are zero", n, 1);
  const char *v = style_free_name(s, "v");
  if (!N.items || !c.items || !put_forces(s, out, &M, &forces) || !bound_bends(s, b, c.items)) return false;
  for (uint32_t i = 0; i < n * f; i++) N.items[i] = b->N[i];
  Text t = text_in(s->arena);
  text_printf(&t, "%s = [", v);
  for (uint32_t j = 0; j < f; j++) text_printf(&t, "%s%s'", j ? ", " : "", s->coords.items[b->free[j]].name);
  text_put(&t, "], and every other velocity is what the line of its place says");
  out->sum = arena_printf(s->arena, "transpose(%s)*%s*%s*%s' + transpose(%s)*%s*%s = transpose(%s)*%s", N.name, M.name,
                          N.name, v, N.name, M.name, c.name, N.name, forces.name);
  return vec_push(s->arena, &out->matrices, N) && vec_push(s->arena, &out->matrices, c) && note(s, out, text_str(&t));
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

// A a_free + r = 0, and which of them are coupled by A.
typedef struct Rates {
  ExprId *A, *r, *solved;
  uint32_t f, *part; // of an independent velocity: the first one that it is coupled with
} Rates;

static void find_parts(const System *s, Rates *x) {
  for (uint32_t j = 0; j < x->f; j++) x->part[j] = j;
  for (uint32_t i = 0; i < x->f * x->f; i++) {
    uint32_t a = x->part[i / x->f], b = x->part[i % x->f], first = a < b ? a : b;
    if (a == b || expr_is_zero(s->pool, x->A[i])) continue;
    for (uint32_t j = 0; j < x->f; j++) {
      if (x->part[j] == a || x->part[j] == b) x->part[j] = first;
    }
  }
}

// One part. *done is false afterwards where it is too long. False: out of memory.
static bool solve_part(System *s, const Rates *x, uint32_t part, bool *done) {
  uint32_t of[most_solved], k = 0;
  ExprId A[most_solved * most_solved], r[most_solved], solved[most_solved] = {0};
  const char *failed = NULL;
  for (uint32_t j = 0; j < x->f; j++) {
    if (x->part[j] != part) continue;
    if (k == most_solved) *done = false;
    else of[k++] = j;
  }
  if (!*done) return true;
  for (uint32_t i = 0; i < k; i++) {
    r[i] = x->r[of[i]];
    for (uint32_t j = 0; j < k; j++) A[i * k + j] = x->A[of[i] * x->f + of[j]];
  }
  *done = expr_written_size(s->pool, A, k * k) + expr_written_size(s->pool, r, k) <= most_tried;
  if (!*done) return true;
  if (!solved_linear(s, A, r, k, &(DeriveStyle){0}, solved, &failed)) return false;
  *done = !failed;
  for (uint32_t i = 0; i < k; i++) {
    x->solved[of[i]] = solved[i];
    *done = *done && solved[i];
  }
  *done = *done && expr_written_size(s->pool, solved, k) <= (uint64_t)most_read * k;
  return true;
}

// The rates of the independent velocities, where they are short, into solved; *done tells. False: out of memory.
static bool solve_rates(System *s, const BoundVelocities *b, ExprId *solved, bool *done) {
  uint32_t f = b->free_count;
  Rates x = {.f = f, .solved = solved};
  x.A = arena_array(s->arena, (size_t)f * f, sizeof *x.A);
  x.r = arena_array(s->arena, f, sizeof *x.r);
  x.part = arena_array(s->arena, f, sizeof *x.part);
  *done = true;
  if (!f) return true;
  if (!x.A || !x.r || !x.part || !bound_reduced(s, b, x.A, x.r)) return false;
  find_parts(s, &x);
  for (uint32_t j = 0; j < f && *done; j++) {
    if (x.part[j] == j && !solve_part(s, &x, j, done)) return false;
  }
  return true;
}

bool bound_state(System *s, Derivation *out) {
  BoundVelocities b;
  if (!bound_velocities(s, &b)) return false;
  if (b.why) return put_whole(s, out) && note(s, out, b.why);
  ExprId *solved = arena_array(s->arena, b.free_count, sizeof *solved);
  bool done;
  if (!solved) return false;
  for (uint32_t i = 0; i < b.n; i++) {
    if (!put_rate(s, out, s->coords.items[i].q, b.v[i], s->coords.items[i].span)) return false;
  }
  if (!solve_rates(s, &b, solved, &done)) return false;
  for (uint32_t j = 0; j < b.free_count && done; j++) {
    const SystemCoord *c = &s->coords.items[b.free[j]];
    if (!put_rate(s, out, c->v, solved[j], c->span)) return false;
  }
  return (done || put_products(s, &b, out)) && note(s, out, bound_said(s, &b)) && note_multipliers(s, out);
}
