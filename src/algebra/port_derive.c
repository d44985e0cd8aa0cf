// Port-Hamiltonian form for reading: H, the matrices, the outputs of the ports.
//
//   x' = (J - R) dH + (G - P) u + g + A lambda,   y = transpose(G + P) dH + S u,   0 = transpose(A) dH
//
// Matrices that are zero are left out of the sum, J and R are always shown.
#include "algebra/port_derive.h"

#include "algebra/port_form.h"
#include "algebra/style.h"
#include "expr/calculus.h"

typedef struct Showing {
  System *s;
  const PortForm *f;
  Derivation *out;
} Showing;

static const char *put(Showing *w, const char *name, const char *meaning, uint32_t rows, uint32_t cols, ExprId *items) {
  ShownMatrix m = {.name = style_free_name(w->s, name), .meaning = meaning, .rows = rows, .cols = cols, .items = items};
  vec_push(w->s->arena, &w->out->matrices, m);
  return m.name;
}

static bool is_zero(const Showing *w, const ExprId *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (items[i] != w->s->pool->zero) return false;
  }
  return true;
}

// "x = [q, p.q]"
static const char *listed(Showing *w, const char *name, const SymbolId *symbols, uint32_t count) {
  Text t = text_in(w->s->arena);
  for (uint32_t i = 0; i < count; i++)
    text_printf(&t, "%s%s", i ? ", " : "", pool_symbol_get(w->s->pool, symbols[i])->name);
  return arena_printf(w->s->arena, "%s = [%s]", style_free_name(w->s, name), text_str(&t));
}

// (J - R)*dH + (G - P)*u + g
static void put_matrices(Showing *w) {
  const PortForm *f = w->f;
  uint32_t n = f->n, m = f->m;
  Text left = text_in(w->s->arena), right = text_in(w->s->arena);
  const char *J = put(w, "J", "interconnection", n, n, f->J), *R = put(w, "R", "damping", n, n, f->R), *P = NULL;
  const char *u = style_free_name(w->s, "u"), *x = style_free_name(w->s, "x"), *y = style_free_name(w->s, "y");
  text_printf(&left, "%s' = (%s - %s)*dH", x, J, R);
  if (m) {
    const char *G = put(w, "G", "ports", n, m, f->G);
    if (!is_zero(w, f->P, (size_t)n * m)) P = put(w, "P", "resistors at the ports", n, m, f->P);
    text_printf(&left, P ? " + (%s - %s)*%s" : " + %s%.0s*%s", G, P ? P : "", u);
    text_printf(&right, P ? ", %s = transpose(%s + %s)*dH" : ", %s = transpose(%s%.0s)*dH", y, G, P ? P : "");
    if (!is_zero(w, f->S, (size_t)m * m))
      text_printf(&right, " + %s*%s", put(w, "S", "what inputs feed through", m, m, f->S), u);
  }
  if (f->rest) text_printf(&left, " + %s", put(w, "g", "other forces", n, 1, f->g));
  if (f->bound) {
    const char *A = put(w, "A", "forces of the constraints", n, f->bound, f->A);
    text_printf(&left, " + %s*lambda", A);
    text_printf(&right, ", transpose(%s)*dH = 0", A);
  }
  if (f->implicit) put(w, "M", "mass matrix, dp/dq'", f->places, f->places, f->M);
  w->out->sum = arena_printf(w->s->arena, "%s%s", text_str(&left), text_str(&right));
}

static void put_equation(Showing *w, const char *name, ExprId rhs) {
  SymbolId symbol = pool_symbol(w->s->pool, name, sym_signal, w->out->equations.count, 0);
  ShownEquation e = {.of = name, .lhs = symbol ? expr_sym(w->s->pool, symbol) : 0, .rhs = rhs, .symbol = symbol};
  if (e.lhs) vec_push(w->s->arena, &w->out->equations, e);
}

// y_k = sum_i (G + P)_ik dH_i + sum_l S_kl u_l
static void put_outputs(Showing *w) {
  const PortForm *f = w->f;
  ExprPool *pool = w->s->pool;
  for (uint32_t k = 0; k < f->m; k++) {
    ExprId y = pool->zero;
    for (uint32_t i = 0; i < f->n; i++)
      y = expr_add(pool, y, expr_mul(pool, expr_add(pool, f->G[i * f->m + k], f->P[i * f->m + k]), f->dH[i]));
    for (uint32_t l = 0; l < f->m; l++)
      y = expr_add(pool, y, expr_mul(pool, f->S[k * f->m + l], expr_sym(pool, f->u[l])));
    put_equation(w, arena_printf(w->s->arena, "%s.y", f->names[k]), y);
  }
}

static void put_notes(Showing *w) {
  const PortForm *f = w->f;
  Derivation *out = w->out;
  vec_push(w->s->arena, &out->notes, listed(w, "x", f->x, f->n));
  if (f->m) vec_push(w->s->arena, &out->notes, listed(w, "u", f->u, f->m));
  vec_push(w->s->arena, &out->notes, "dH is the gradient of H by x");
  if (f->implicit)
    vec_push(w->s->arena, &out->notes,
             "too many velocities are coupled, or they follow from no formula: H is written in velocities, which "
             "the momenta give: p = dL/dq', dp/dq' = M");
  for (uint32_t i = 0; i < f->notes.count; i++) vec_push(w->s->arena, &out->notes, f->notes.items[i]);
  for (uint32_t i = 0; i < w->s->states.count; i++) {
    const SystemState *x = &w->s->states.items[i];
    bool inside = x->hidden || x->of;
    for (uint32_t k = 0; k < f->n; k++) inside = inside || f->x[k] == x->x;
    if (!inside)
      vec_push(w->s->arena, &out->notes,
               arena_printf(w->s->arena, "%s has an equation of its own and no part in this form", x->name));
  }
}

bool port_derive(System *s, bool reduce, Derivation *out) {
  PortForm *f = arena_new_of(s->arena, PortForm);
  if (!f || !port_form(s, f)) return false;
  out->ports = f;
  if (f->why) return true;
  if (reduce && !port_form_reduce(f)) return false;
  Showing showing = {.s = s, .f = f, .out = out}, *w = &showing;
  put_equation(w, style_free_name(s, "H"), f->H);
  put_matrices(w);
  put_outputs(w);
  put_notes(w);
  return !arena_failed(s->arena);
}
