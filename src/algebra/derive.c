// Equations for reading: multiplied out, like terms collected, in the order of a textbook.
//
// lagrange   sum_j M_ij a_j + (dp_i/dt without a) - dL/dq_i + dD/dv_i = Q_i
// matrices   M a + C v + R v + dV + e = B u + r      C by Christoffel symbols: c_ij = sum_k c_ijk v_k,
//            c_ijk = 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i), so that M' - 2C is antisymmetric
// state      q' = v, v' = -M^-1 h, x' = f
// hamilton   port_derive.c
#include "algebra/derive.h"

#include "algebra/folded.h"
#include "algebra/folded_sum.h"

#include "algebra/bound.h"
#include "algebra/bound_state.h"
#include "algebra/constrained.h"
#include "algebra/facts.h"
#include "algebra/kinematics.h"
#include "algebra/origins.h"
#include "algebra/port_derive.h"
#include "algebra/shared.h"
#include "algebra/solved.h"
#include "algebra/statements.h"
#include "algebra/steps.h"
#include "algebra/style.h"
#include "algebra/unit_quaternions.h"
#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/occurs.h"
#include "expr/print.h"
#include "system/listed.h"

#include <string.h>

enum {
  most_cells = 160000, // of a matrix that is written out: 400 coordinates
  most_written = 20000 // nodes of a formula in a note, where it is not multiplied out
};

typedef struct Deriving {
  System *s;
  ExprPool *pool;
  uint32_t n; // coordinates
  ExprId *Q;  // forces without accelerations
  Derivation *out;
  uint32_t most; // terms of an expansion
  bool as_it_is; // too large to be multiplied out: common subexpressions get names
} Deriving;

static ExprId tidy(Deriving *w, ExprId id) { return expr_group(w->pool, unit_quaternions(w->s, id, w->most)); }

static void note(Deriving *w, const char *text) {
  if (text) vec_push(w->s->arena, &w->out->notes, text);
}

static ExprId velocity(const Deriving *w, uint32_t i) { return expr_sym(w->pool, w->s->coords.items[i].v); }
static ExprId acceleration(const Deriving *w, uint32_t i) { return expr_sym(w->pool, w->s->coords.items[i].a); }

// ---- lagrange

// What spherical joints add to the row of M a of a coordinate: H_rk w_k' over them; where they are rows of
// M a + h = 0, the entries of M.
static uint32_t add_turns(Deriving *w, uint32_t row, uint32_t coord, Term *terms) {
  const SystemFreedoms *b = &w->s->bodies;
  uint32_t n = 0;
  for (uint32_t k = 0; k < w->s->turns.count; k++) {
    const MassRow *m = &w->s->turns.items[k].column;
    SymbolId rate = system_freedom_rate(w->s, w->s->coord_count + k);
    for (uint32_t j = 0; j < m->count; j++) {
      if (m->items[j].column != coord) continue;
      terms[n++] = (Term){RAT_ONE, expr_mul(w->pool, tidy(w, m->items[j].value), expr_sym(w->pool, rate))};
    }
  }
  if (w->s->turns.count) return n;
  for (uint32_t k = 0; k < b->count; k++) {
    if (b->coord[k] != UINT32_MAX) continue;
    ExprId entry = tidy(w, b->H[row * b->count + k]);
    terms[n++] = (Term){RAT_ONE, expr_mul(w->pool, entry, expr_sym(w->pool, b->rate[k]))};
  }
  return n;
}

// Everything on the left but the forces.
static ExprId left_side(Deriving *w, uint32_t i) {
  System *s = w->s;
  uint32_t n = w->n;
  Term *terms = arena_array(s->arena, (size_t)n + s->bodies.count + s->turns.count + 1, sizeof *terms);
  if (!terms) return 0;
  uint32_t k = 0;
  for (uint32_t row = 0; row < s->bodies.count; row++) {
    if (s->bodies.coord[row] == i) k += add_turns(w, row, i, terms);
  }
  for (uint32_t j = 0; j < n; j++)
    terms[k++] = (Term){RAT_ONE, expr_mul(w->pool, tidy(w, system_mass(s, i, j)), acceleration(w, j))};
  Term rest[] = {{RAT_ONE, s->lagrange.dpdt0[i]}, {rat_int(-1), s->lagrange.dLdq[i]}, {RAT_ONE, s->lagrange.dDdv[i]}};
  terms[k++] = (Term){RAT_ONE, tidy(w, expr_sum(w->pool, rest, 3))};
  return expr_sum(w->pool, terms, k);
}

static void put_equation(Deriving *w, SymbolId of, ExprId lhs, ExprId rhs, Span span) {
  ShownEquation e = {
      .of = of ? pool_symbol_get(w->pool, of)->name : "", .lhs = lhs, .rhs = rhs, .span = span, .symbol = of};
  vec_push(w->s->arena, &w->out->equations, e);
}

static void implicit_equations(Deriving *w) {
  for (uint32_t i = 0; i < w->s->implicit.count; i++) {
    const SystemEquation *e = &w->s->implicit.items[i];
    put_equation(w, e->unknown, e->left, e->right, e->span);
    for (uint32_t k = e->joined ? 0 : 1; e->times && k <= e->times; k++)
      put_equation(w, 0, tidy(w, e->levels[k]), w->pool->zero, e->span);
  }
}

static void put_state(Deriving *w, const SystemState *x, ExprId lhs, uint32_t i) {
  put_equation(w, x->x, lhs, w->s->f[i], x->equation.source ? x->equation : x->span);
  if (w->out->equations.count) w->out->equations.items[w->out->equations.count - 1].held = statements_state_is_held(x);
}

static void state_equations(Deriving *w) {
  for (uint32_t i = 0; i < w->s->state_count; i++) {
    const SystemState *x = &w->s->states.items[i];
    if (x->implicit) continue;
    put_state(w, x, expr_sym(w->pool, x->rate), i);
  }
  implicit_equations(w);
}

// Forces, those of constraints among them.
static ExprId with_constraints(Deriving *w, uint32_t i, ExprId force) {
  return expr_add(w->pool, tidy(w, force), bound_force(w->s, i));
}

// The same where they are rows of M a + h = G' lambda.
static void turn_rows(Deriving *w) {
  System *s = w->s;
  Term *terms = arena_array(s->arena, (size_t)system_freedoms(s) + 1, sizeof *terms);
  for (uint32_t i = 0; terms && i < s->turns.count; i++) {
    const RotationalDof *turn = &s->turns.items[i];
    const SystemState *x = &s->states.items[turn->state];
    uint32_t n = 0;
    for (uint32_t k = 0; k < turn->row.count; k++) {
      SymbolId rate = system_freedom_rate(s, turn->row.items[k].column);
      terms[n++] = (Term){RAT_ONE, expr_mul(w->pool, tidy(w, turn->row.items[k].value), expr_sym(w->pool, rate))};
    }
    terms[n++] = (Term){RAT_ONE, tidy(w, turn->h)};
    put_equation(w, x->x, expr_sum(w->pool, terms, n), bound_force(s, s->coord_count + i), x->span);
  }
}

// The rotational equations of spherical joints: H a + h = tau.
static void turn_equations(Deriving *w) {
  const SystemFreedoms *b = &w->s->bodies;
  if (w->s->turns.count) {
    turn_rows(w);
    return;
  }
  Term *terms = arena_array(w->s->arena, (size_t)2 * b->count + 1, sizeof *terms);
  for (uint32_t row = 0; terms && row < b->count; row++) {
    if (b->coord[row] != UINT32_MAX) continue;
    const SystemState *x = &w->s->states.items[b->state[row]];
    uint32_t n = add_turns(w, row, UINT32_MAX, terms);
    for (uint32_t k = 0; k < b->count; k++) {
      if (b->coord[k] == UINT32_MAX) continue;
      ExprId entry = tidy(w, b->H[row * b->count + k]);
      terms[n++] = (Term){RAT_ONE, expr_mul(w->pool, entry, expr_sym(w->pool, b->rate[k]))};
    }
    terms[n++] = (Term){RAT_ONE, tidy(w, b->h[row])};
    put_equation(w, x->x, expr_sum(w->pool, terms, n), b->tau ? tidy(w, b->tau[row]) : w->pool->zero, x->span);
  }
}

static bool has_balls(const Deriving *w) { return w->s->tree.balls.count != 0; }

// These forms have no quasi-velocities: velocities that are no rates of coordinates.
static void note_balls(Deriving *w) {
  note(w, "a body turns by a ball: its velocities are no rates of coordinates, so this form is not shown; `--form "
          "lagrange` has all equations");
}

static void lagrange_equations(Deriving *w) {
  System *s = w->s;
  for (uint32_t i = 0; i < w->n; i++) {
    const SystemCoord *c = &w->s->coords.items[i];
    if (s->source[i] == source_implicit) continue;
    if (s->source[i] == source_equation) {
      ExprId lhs = w->pool->zero;
      for (uint32_t j = 0; j < w->n; j++)
        lhs = expr_add(w->pool, lhs, expr_mul(w->pool, system_mass(s, i, j), acceleration(w, j)));
      put_equation(w, c->q, tidy(w, lhs), with_constraints(w, i, expr_neg(w->pool, s->h[i])), c->span);
    } else {
      put_equation(w, c->q, left_side(w, i), with_constraints(w, i, w->Q[i]), c->span);
    }
  }
  turn_equations(w);
  state_equations(w);
}

// ---- matrices

static const char *free_name(Deriving *w, const char *name) { return style_free_name(w->s, name); }

static ShownMatrix new_matrix(Deriving *w, const char *name, const char *meaning, uint32_t rows, uint32_t cols) {
  name = free_name(w, name);
  if ((uint64_t)rows * cols > most_cells) {
    pool_refuse(w->pool, limit_size);
    return (ShownMatrix){.name = name, .meaning = meaning, .rows = rows, .cols = cols};
  }
  ShownMatrix m = {.name = name,
                   .meaning = meaning,
                   .rows = rows,
                   .cols = cols,
                   .items = arena_array(w->s->arena, (size_t)rows * cols, sizeof(ExprId))};
  for (uint32_t i = 0; m.items && i < rows * cols; i++) m.items[i] = w->pool->zero;
  return m;
}

// Tidies and keeps a matrix that is not zero; true when it was kept. An entry that is identically zero is 0.
static bool put_matrix(Deriving *w, ShownMatrix m) {
  bool any = false;
  for (uint32_t i = 0; m.items && i < m.rows * m.cols; i++) {
    if (!w->as_it_is) m.items[i] = tidy(w, m.items[i]);
    if (expr_vanishes(w->pool, w->s->arena, m.items[i])) m.items[i] = w->pool->zero;
    any = any || !expr_is_zero(w->pool, m.items[i]);
  }
  return any && vec_push(w->s->arena, &w->out->matrices, m);
}

static bool has_velocity(const Deriving *w, ExprId id) { return expr_has_kind(w->pool, id, sym_velocity); }

static ExprId at_rest(Deriving *w, ExprId id) {
  SymbolMap map = symbol_map_new(w->pool);
  for (uint32_t i = 0; i < w->n; i++) symbol_map_set(&map, w->s->coords.items[i].v, w->pool->zero);
  ExprId out = 0;
  return expr_replace(w->pool, &map, &id, 1, &out) ? out : 0;
}

static ShownMatrix christoffel(Deriving *w) {
  ExprPool *pool = w->pool;
  uint32_t n = w->n;
  ShownMatrix C = new_matrix(w, "C", "velocity terms by Christoffel symbols", n, n);
  // dM[k] = dM/dq_k
  ExprId **dM = arena_array(w->s->arena, n, sizeof *dM), *M = system_mass_dense(w->s, w->s->arena);
  if (!dM || !M || !C.items) return C;
  for (uint32_t k = 0; k < n; k++) {
    dM[k] = arena_array(w->s->arena, (size_t)n * n, sizeof(ExprId));
    if (!dM[k] || !expr_diff_all(pool, M, n * n, w->s->coords.items[k].q, dM[k])) return C;
  }
  Rat half = {1, 2, NULL}, minus_half = {-1, 2, NULL};
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      ExprId sum = pool->zero;
      for (uint32_t k = 0; k < n; k++) {
        ExprId c = expr_sum(
            pool, (Term[]){{half, dM[k][i * n + j]}, {half, dM[j][i * n + k]}, {minus_half, dM[i][j * n + k]}}, 3);
        sum = expr_add(pool, sum, expr_mul(pool, c, velocity(w, k)));
      }
      C.items[i * n + j] = sum;
    }
  }
  return C;
}

// Damping: a matrix where the force is linear in the velocities; the rest goes to `rest`.
static void damping(Deriving *w, Text *sum, ExprId *rest) {
  uint32_t n = w->n;
  ShownMatrix R = new_matrix(w, "R", "damping, the Hessian of the dissipation function", n, n);
  bool linear = R.items != NULL;
  for (uint32_t j = 0; j < n && linear; j++) {
    ExprId *column = arena_array(w->s->arena, n, sizeof *column);
    linear = column && expr_diff_all(w->pool, w->s->lagrange.dDdv, n, w->s->coords.items[j].v, column);
    for (uint32_t i = 0; i < n && linear; i++) {
      R.items[i * n + j] = tidy(w, column[i]);
      linear = !has_velocity(w, R.items[i * n + j]);
    }
  }
  if (!linear) {
    for (uint32_t i = 0; i < n; i++) rest[i] = expr_add(w->pool, rest[i], w->s->lagrange.dDdv[i]);
    if (w->s->lagrange.D != w->pool->zero) note(w, "the damping is not linear in the velocities: it stands in e");
    return;
  }
  if (put_matrix(w, R)) text_printf(sum, " + %s*q'", R.name);
  for (uint32_t i = 0; i < n; i++) rest[i] = expr_add(w->pool, rest[i], at_rest(w, w->s->lagrange.dDdv[i]));
}

// Forces: B u where they are linear in the inputs, and the rest r.
static void forces(Deriving *w, Text *right) {
  uint32_t n = w->n, inputs = w->s->inputs.count;
  ShownMatrix B = new_matrix(w, "B", "input matrix", n, inputs), r = new_matrix(w, "r", "other forces", n, 1);
  bool linear = B.items && r.items;
  for (uint32_t k = 0; k < inputs && linear; k++) {
    for (uint32_t i = 0; i < n && linear; i++) {
      B.items[i * inputs + k] = expr_diff(w->pool, w->Q[i], w->s->inputs.items[k].symbol);
      linear = B.items[i * inputs + k] && !expr_has_kind(w->pool, B.items[i * inputs + k], sym_input);
    }
  }
  if (!linear) B.items = NULL;
  SymbolMap off = symbol_map_new(w->pool);
  for (uint32_t k = 0; k < inputs && linear; k++) symbol_map_set(&off, w->s->inputs.items[k].symbol, w->pool->zero);
  if (r.items) expr_replace(w->pool, &off, w->Q, n, r.items);
  if (B.items && inputs && put_matrix(w, B)) {
    Text names = text_in(w->s->arena);
    for (uint32_t k = 0; k < inputs; k++) text_printf(&names, "%s%s", k ? ", " : "", w->s->inputs.items[k].name);
    const char *u = free_name(w, "u");
    text_printf(right, "%s*%s", B.name, u);
    note(w, arena_printf(w->s->arena, "%s = [%s]", u, text_str(&names)));
  }
  if (put_matrix(w, r)) text_printf(right, "%s%s", right->length ? " + " : "", r.name);
}

// "q = [x[1] .. x[9]]"
static void note_names(Deriving *w, const char *vector, const ListedName *names, uint32_t count) {
  Text t = text_in(w->s->arena);
  listed_write(names, count, &t);
  note(w, arena_printf(w->s->arena, "%s = [%s]", vector, text_str(&t)));
}

// Their forces to the right; the equation that they make with accelerations.
static const char *constraint_matrices(Deriving *w, Text *right) {
  System *s = w->s;
  if (!w->out->jacobian.rows) return "";
  ShownMatrix *G = &w->out->jacobian, c = bound_curvature(s, free_name(w, "c"));
  text_printf(right, "%stranspose(%s)*lambda", right->length ? " + " : "", G->name);
  VEC(ListedName) names = {0};
  for (uint32_t k = 0; k < s->constraints.count; k++)
    vec_push(s->arena, &names, (ListedName){.name = s->constraints.items[k].name});
  note_names(w, "lambda", names.items, names.count);
  bool curved = put_matrix(w, c);
  return arena_printf(s->arena, ", %s*q''%s%s = 0", G->name, curved ? " + " : "", curved ? c.name : "");
}

// Is p = M v, with M of positions alone? Then dp/dt - dL/dq = C v + dV, and nothing is left over.
static bool is_quadratic(Deriving *w, const ShownMatrix *M) {
  KindSet positions = kind_set(sym_param) | kind_set(sym_coord);
  bool yes = true;
  for (uint32_t i = 0; yes && i < w->n * w->n; i++) yes = expr_only_kinds(w->pool, M->items[i], positions);
  for (uint32_t i = 0; yes && i < w->n; i++)
    yes = w->s->source[i] != source_equation && !expr_has_kind(w->pool, w->s->lagrange.Q[i], sym_acceleration) &&
          expr_only_kinds(w->pool, w->s->lagrange.p[i], positions | kind_set(sym_velocity)) &&
          expr_vanishes(w->pool, w->s->arena, at_rest(w, w->s->lagrange.p[i]));
  return yes;
}

// What dp/dt - dL/dq holds beyond C v + dV.
static void left_over(Deriving *w, const ShownMatrix *C, const ShownMatrix *g, ExprId *beyond) {
  ExprPool *pool = w->pool;
  uint32_t n = w->n;
  for (uint32_t i = 0; i < n; i++) {
    ExprId Cv = pool->zero;
    for (uint32_t j = 0; j < n; j++) Cv = expr_add(pool, Cv, expr_mul(pool, C->items[i * n + j], velocity(w, j)));
    beyond[i] = expr_sub(pool, expr_sub(pool, beyond[i], Cv), g->items[i]);
    if (!w->as_it_is) beyond[i] = expr_expand(pool, beyond[i], w->most);
  }
}

// Are the entries too many and too long to be multiplied out?
static bool is_large(Deriving *w, const ShownMatrix *list[], uint32_t count) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < count; i++)
    size += list[i]->items ? expr_written_size(w->pool, list[i]->items, list[i]->rows * list[i]->cols) : 0;
  return size > shared_least;
}

static void name_coordinates(Deriving *w) {
  VEC(ListedName) names = {0};
  for (uint32_t i = 0; i < w->n; i++) vec_push(w->s->arena, &names, (ListedName){.name = w->s->coords.items[i].name});
  note_names(w, "q", names.items, names.count);
}

static void matrices(Deriving *w) {
  System *s = w->s;
  ExprPool *pool = w->pool;
  uint32_t n = w->n;
  Text left = text_in(s->arena), right = text_in(s->arena);
  ShownMatrix M = new_matrix(w, "M", "mass matrix", n, n), g = new_matrix(w, "dV", "gradient of the potential", n, 1);
  ShownMatrix e = new_matrix(w, "e", "other terms", n, 1), C = {0};
  if (!M.items || !g.items || !e.items) return;
  bool by_velocity = false;
  for (uint32_t i = 0; i < n * n; i++) {
    M.items[i] = system_mass(s, i / n, i % n);
    by_velocity = by_velocity || has_velocity(w, M.items[i]);
  }
  ExprId *beyond = e.items;
  for (uint32_t i = 0; i < n; i++)
    beyond[i] = s->source[i] == source_equation ? s->h[i] : expr_sub(pool, s->lagrange.dpdt0[i], s->lagrange.dLdq[i]);
  if (by_velocity) {
    note(w, "M depends on velocities, so there are no Christoffel symbols: dp/dt - dL/dq without accelerations stands "
            "in e");
  } else {
    C = christoffel(w);
    if (!C.items) return;
    for (uint32_t i = 0; i < n; i++)
      if (s->source[i] != source_equation) g.items[i] = expr_neg(pool, at_rest(w, s->lagrange.dLdq[i]));
    w->as_it_is = is_large(w, (const ShownMatrix *[]){&M, &C, &g}, 3);
    if (!is_quadratic(w, &M)) left_over(w, &C, &g, beyond);
    else
      for (uint32_t i = 0; i < n; i++) beyond[i] = pool->zero;
  }
  put_matrix(w, M);
  text_printf(&left, "%s*q''", M.name);
  if (C.items && put_matrix(w, C)) text_printf(&left, " + %s*q'", C.name);
  damping(w, &left, beyond);
  if (put_matrix(w, g)) text_printf(&left, " + %s", g.name);
  if (put_matrix(w, e)) text_printf(&left, " + %s", e.name);
  forces(w, &right);
  name_coordinates(w);
  const char *bound = constraint_matrices(w, &right);
  w->out->sum =
      n ? arena_printf(s->arena, "%s = %s%s", text_str(&left), right.length ? text_str(&right) : "0", bound) : NULL;
  state_equations(w);
  if (w->as_it_is && !shared_find(s, w->out)) pool_refuse(pool, limit_size);
}

// ---- state

static void put_rate(Deriving *w, const Speed *u, ExprId rhs) {
  ShownEquation e = {.of = pool_symbol_get(w->pool, u->symbol)->name, .rhs = rhs, .symbol = u->symbol};
  if (!expr_symbol(w->pool, u->meaning)) e.combination = u->meaning;
  vec_push(w->s->arena, &w->out->equations, e);
}

static void put_states(Deriving *w) {
  for (uint32_t i = 0; i < w->s->state_count; i++) {
    const SystemState *x = &w->s->states.items[i];
    if (!x->implicit) put_state(w, x, 0, i);
  }
  implicit_equations(w);
}

static void state_form(Deriving *w) {
  System *s = w->s;
  ExprPool *pool = w->pool;
  uint32_t n = w->n;
  if (s->constraints.count) {
    if (!bound_state(s, w->out)) return;
    put_states(w);
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    const SystemCoord *c = &w->s->coords.items[i];
    if (s->null_row[i]) put_equation(w, c->q, tidy(w, s->null_row[i]), pool->zero, c->span);
    else if (s->role[i] >= coord_first_order) put_equation(w, c->q, left_side(w, i), tidy(w, w->Q[i]), c->span);
    else put_equation(w, c->q, 0, velocity(w, i), c->span);
  }
  bool implicit = false;
  for (uint32_t k = 0; k < s->blocks.count; k++) {
    const Block *b = &s->blocks.items[k];
    if (b->velocities || b->implicit) continue;
    implicit = implicit || b->count > 2;
    if (b->count > 2) continue;
    uint32_t last = b->count - 1;
    const ExprId *m = block_dense(s->arena, pool, b);
    if (!m) return;
    const Speed *u = &s->speeds[b->coords[0]], *v = &s->speeds[b->coords[last]];
    ExprId a = m[0], d = m[(size_t)last * b->count + last], c = m[last], e = m[(size_t)last * b->count];
    ExprId f = expr_neg(pool, b->rhs[0]), g = expr_neg(pool, b->rhs[last]);
    if (b->count == 1) {
      put_rate(w, u, expr_div(pool, tidy(w, f), tidy(w, a)));
      continue;
    }
    // two unknowns, common factors cancelled
    ExprId solved[2] = {0};
    const char *failed = NULL;
    if (!solved_linear(s, m, b->rhs, 2, &(DeriveStyle){0}, solved, &failed)) return;
    if (solved[0] && solved[1] && !failed) {
      put_rate(w, u, solved[0]);
      put_rate(w, v, solved[1]);
      continue;
    }
    // else by Cramer's rule as it stands
    ExprId det = tidy(w, expr_sub(pool, expr_mul(pool, a, d), expr_mul(pool, c, e)));
    ExprId top1 = tidy(w, expr_sub(pool, expr_mul(pool, d, f), expr_mul(pool, c, g)));
    ExprId top2 = tidy(w, expr_sub(pool, expr_mul(pool, a, g), expr_mul(pool, e, f)));
    put_rate(w, u, expr_div(pool, top1, det));
    put_rate(w, v, expr_div(pool, top2, det));
  }
  if (implicit) {
    ShownMatrix M = new_matrix(w, "M", "mass matrix", n, n), f = new_matrix(w, "f", "right-hand side", n, 1);
    if (!M.items || !f.items) return;
    for (uint32_t i = 0; i < n * n; i++) M.items[i] = system_mass(s, i / n, i % n);
    for (uint32_t i = 0; i < n; i++) f.items[i] = expr_neg(pool, s->h[i]);
    put_matrix(w, M);
    put_matrix(w, f);
    w->out->sum = arena_printf(s->arena, "%s*d(q')/dt = %s", M.name, f.name);
    note(w, arena_printf(s->arena, "more than two accelerations are coupled: they follow from %s", w->out->sum));
  }
  put_states(w);
}

// Positions that nothing depends on, with their equations q' = v.
static bool leave_out_cyclic(Deriving *w) {
  System *s = w->s;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->out->equations.count; i++) {
    ShownEquation e = w->out->equations.items[i];
    bool place = !e.lhs && e.symbol && pool_symbol_get(w->pool, e.symbol)->kind == sym_coord, needed = !place;
    for (uint32_t k = 0; k < w->out->equations.count && !needed; k++) {
      const ShownEquation *other = &w->out->equations.items[k];
      needed =
          expr_depends(w->pool, other->rhs, e.symbol) || (other->lhs && expr_depends(w->pool, other->lhs, e.symbol));
    }
    for (uint32_t k = 0; k < w->out->matrices.count && !needed; k++) {
      const ShownMatrix *m = &w->out->matrices.items[k];
      for (uint32_t c = 0; c < m->rows * m->cols && !needed; c++) needed = expr_depends(w->pool, m->items[c], e.symbol);
    }
    if (needed) w->out->equations.items[kept++] = e;
    else note(w, arena_printf(s->arena, "%s is left out: nothing depends on it", e.of));
  }
  w->out->equations.count = kept;
  return !arena_failed(s->arena);
}

// ---- constants of motion

// Inputs that are zero by default count as zero, and the note says so.
static ExprId without_zero_inputs(Deriving *w, ExprId id, bool *used) {
  SymbolMap map = symbol_map_new(w->pool);
  for (uint32_t i = 0; i < w->s->inputs.count; i++) {
    const SystemInput *in = &w->s->inputs.items[i];
    if (!expr_is_zero(w->pool, in->value)) continue;
    symbol_map_set(&map, in->symbol, w->pool->zero);
    if (expr_depends(w->pool, id, in->symbol)) *used = true;
  }
  ExprId out = 0;
  return expr_replace(w->pool, &map, &id, 1, &out) ? expr_expand(w->pool, out, w->most) : 0;
}

static const char *zero_inputs(Deriving *w) {
  Text t = text_in(w->s->arena);
  for (uint32_t i = 0; i < w->s->inputs.count; i++) {
    if (expr_is_zero(w->pool, w->s->inputs.items[i].value))
      text_printf(&t, "%s%s = 0", t.length ? ", " : " while ", w->s->inputs.items[i].name);
  }
  return text_str(&t);
}

// For a note: "1/2*m*x'^2", or "the energy 1/2*m*x'^2" with the name. What has too many terms to be multiplied out is
// only named.
static const char *formula(Deriving *w, const char *name, bool with_name, ExprId id) {
  ExprId sum = expr_expand(w->pool, id, w->most);
  bool plain = sum != 0;
  for (uint32_t i = 0; plain && i < expr_term_count(w->pool, sum); i++) {
    ExprId term = expr_term(w->pool, sum, i).term;
    for (uint32_t k = 0; expr_op(w->pool, term) == op_mul && k < expr_factor_count(w->pool, term); k++) {
      Factor f = expr_factor(w->pool, term, k);
      Rat e;
      if (expr_op(w->pool, f.base) == op_add && expr_number(w->pool, f.exponent, &e) && rat_is_int(e) &&
          rat_sign(e) > 0)
        plain = false;
    }
  }
  if (!plain && expr_tree_size(w->pool, w->s->arena, sum) > most_written) return name;
  const char *text = folded_sum(w->s, w->pool, sum);
  if (!text) text = expr_text(w->pool, w->s->arena, expr_group(w->pool, sum));
  return with_name ? arena_printf(w->s->arena, "%s %s", name, text) : text;
}

// The value is constant where nothing in it jumps.
static void note_constant(Deriving *w, ExprId value, bool while_zero, const char *text) {
  if (!facts_no_jumps_inside(w->s, value)) return;
  note(w, arena_printf(w->s->arena, "constant of motion%s%s: %s",
                       facts_events_keep(w->s, value) ? "" : " between the events", while_zero ? zero_inputs(w) : "",
                       text));
}

static void momenta(Deriving *w, bool *dissipates, bool *forced, bool *by_inputs) {
  System *s = w->s;
  ExprPool *pool = w->pool;
  for (uint32_t i = 0; i < w->n; i++) {
    if (s->source[i] == source_equation) continue;
    const SystemCoord *c = &w->s->coords.items[i];
    bool used = false;
    ExprId Q = without_zero_inputs(w, s->lagrange.Q[i], &used);
    ExprId D = expr_expand(pool, s->lagrange.dDdv[i], w->most);
    *forced = *forced || !expr_is_zero(pool, Q);
    *dissipates = *dissipates || !expr_is_zero(pool, D);
    *by_inputs = *by_inputs || used;
    if (!expr_vanishes(pool, s->arena, s->lagrange.dLdq[i]) || constrained_holds(s, i)) continue;
    note(w, arena_printf(s->arena, "%s is cyclic: it does not occur in the Lagrangian", c->name));
    if (!expr_is_zero(pool, Q)) continue;
    // damping of its own velocity alone integrates to a displacement
    ExprId factor = expr_diff(pool, D, c->v);
    bool linear = expr_only_kinds(pool, factor, kind_set(sym_param)) &&
                  expr_vanishes(pool, s->arena, expr_sub(pool, D, expr_mul(pool, factor, velocity(w, i))));
    if (!linear) continue;
    ExprId constant = expr_add(pool, s->lagrange.p[i], expr_mul(pool, factor, expr_sym(pool, c->q)));
    const char *name = arena_printf(s->arena, "the momentum of %s%s", c->name,
                                    expr_is_zero(pool, factor) ? "" : " with its velocity forces integrated");
    constant = has_balls(w) ? tidy(w, constant) : constant;
    note_constant(w, constant, used, formula(w, name, false, constant));
  }
  // of spherical joints: what acts on their rotation
  for (uint32_t k = 0; k < s->bodies.count; k++) {
    if (s->bodies.coord[k] != UINT32_MAX) continue;
    SymbolId v = s->states.items[s->bodies.state[k]].x;
    *dissipates = *dissipates || expr_depends(pool, s->lagrange.D, v);
    *forced = *forced || (s->lagrange.P && expr_depends(pool, s->lagrange.P, v));
  }
}

// Does a constraint move by itself, so that its force does work?
static bool driven_by_constraints(Deriving *w) {
  for (uint32_t k = 0; k < w->s->constraints.count; k++) {
    if (!expr_vanishes(w->pool, w->s->arena, at_rest(w, w->s->constraints.items[k].rate))) return true;
  }
  return false;
}

static void constants_of_motion(Deriving *w) {
  System *s = w->s;
  bool dissipates = false, forced = false, by_inputs = false;
  if (!facts_energies_hold(s)) return; // a derivative sees no jump, so nothing follows from it
  momenta(w, &dissipates, &forced, &by_inputs);
  bool used = false;
  ExprId L = without_zero_inputs(w, s->lagrange.L, &used);
  KindSet outside = kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_input_rate) | kind_set(sym_state);
  if (dissipates || forced || !L || expr_has_kinds(w->pool, L, outside) || driven_by_constraints(w)) return;
  note_constant(w, s->energy.stored, used || by_inputs, formula(w, "the energy", true, s->energy.stored));
}

// The lines in numbers, when they are proved.
static void put_numbers(System *s, uint32_t digits, Steps *steps) {
  steps->decimals = true;
  for (uint32_t i = 0; i < steps->lines.count; i++) {
    StepLine *l = &steps->lines.items[i];
    l->left = style_numbers(s, digits, l->left);
    l->value = style_numbers(s, digits, l->value);
  }
}

bool derive_equations(System *s, DeriveForm form, const DeriveStyle *style, Derivation *out) {
  *out = (Derivation){.pool = s->pool, .form = form};
  Deriving work = {.s = s, .pool = s->pool, .n = s->coord_count, .out = out, .most = derive_most_terms}, *w = &work;
  if (s->pool->most / 100 < w->most) w->most = (uint32_t)(s->pool->most / 100); // a small pool
  // forces with their accelerations taken over into M
  w->Q = arena_array(s->arena, w->n, sizeof *w->Q);
  if (!w->Q) return false;
  SymbolMap rest = symbol_map_new(s->pool);
  for (uint32_t i = 0; i < w->n; i++) symbol_map_set(&rest, w->s->coords.items[i].a, s->pool->zero);
  if (!expr_replace(s->pool, &rest, s->lagrange.Q, w->n, w->Q)) return false;
  if (!bound_shown(s, out)) return false;
  if (out->jacobian.rows) out->jacobian.name = free_name(w, out->jacobian.name);
  if (s->solved && (form == form_state || form == form_solved) && !system_matrix_blocks(s)) return false;
  bool balls = has_balls(w) && form != form_lagrange && form != form_kinematics;
  if (balls && form != form_hamilton) note_balls(w);
  if (form == form_lagrange) lagrange_equations(w);
  if (form == form_matrices && !balls) matrices(w);
  if (form == form_state && !balls) state_form(w);
  if (form == form_kinematics && !kinematics_derive(s, out)) return false;
  if (form == form_hamilton && !port_derive(s, style->reduce, out)) return false;
  if (form == form_state && style->reduce && !leave_out_cyclic(w)) return false;
  for (uint32_t i = 0; i < s->notes.count; i++) note(w, s->notes.items[i]);
  if (form == form_solved && !balls && !solved_derive(s, style, out)) return false;
  if (s->lagrange.used && s->energy.kept && form != form_kinematics) constants_of_motion(w);
  if (pool_algebra_spent(s->pool))
    note(w, "the budget of algebra for one command is spent: equations are shown as they came, constants of motion may "
            "be missing");
  if (!statements_derive(s, out)) return false;
  if (style->origins && !origins_find(s, out)) return false;
  out->decimals = style->digits > 0;
  if (style->steps && has_balls(w))
    note(w,
         "a body turns by a ball: its velocities are no rates of coordinates, so Lagrange's steps do not lead to its "
         "equations and are not shown");
  else if (style->steps) {
    Steps *steps = arena_new_of(s->arena, Steps);
    if (!steps || !steps_write(s, steps) || !steps_prove(s, steps)) return false;
    if (style->digits) put_numbers(s, style->digits, steps);
    else folded_energies(s, steps);
    out->steps = steps;
    out->repeats = form == form_lagrange && !style->factor && !style->expand;
  }
  if (!style_apply(s, form, style, out)) return false;
  // steps and origins go equation by equation
  return derivation_fold(s, out, !style->steps && !style->origins);
}
