// Mass, Coriolis and dissipation matrices of the equations of motion at a point. See matrices_at.h.
//
// in    a system at a point: q, v, inputs
// out   M, C, R, dV, e, r
// how   One tape has the rows F(q, v, a) of what inertia and energies take: of bodies by Newton and Euler, so that it
//       grows as the tree does; of all else M a + dp/dt - dL/dq. F is of second degree in v and of first in a:
//         dV = F(q, 0, 0)
//         M e_j = F(q, 0, e_j) - F(q, 0, 0)
//         C e_j = (c(v + e_j) - c(v - e_j) - c(e_j) + c(-e_j))/4,  c(v) = F(q, v, 0)
//       The last is the symmetric bilinear form of the terms of second degree, which is what Christoffel symbols make.
//       Velocities are scaled to 1 for it, so that differences lose no digits.
//
// Notation: a freedom is a coordinate, or a component of the angular velocity of a spherical joint, which is a state.
#include "rest/matrices_at.h"

#include "algebra/style.h"
#include "base/number.h"
#include "expr/calculus.h"
#include "form/tree_terms.h"
#include "rest/resting.h"
#include "system/given_motion.h"
#include "tape/frame.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct MatricesAt {
  Operating *o;
  System s; // of o, with positions, velocities and accelerations given
  uint32_t n;
  SymbolId *v, *a;       // of the freedoms
  uint32_t *coord;       // UINT32_MAX: of a spherical joint
  ExprId *rows;          // F
  ExprId *brake, *force; // dD/dv, Q
  OperatingTape tape;
  double *room;
} MatricesAt;

// ---- freedoms and their rows

static bool take_rooms(MatricesAt *x, uint32_t n) {
  Arena *arena = x->o->arena;
  x->n = n;
  x->v = arena_array(arena, (size_t)n + 1, sizeof *x->v);
  x->a = arena_array(arena, (size_t)n + 1, sizeof *x->a);
  x->coord = arena_array(arena, (size_t)n + 1, sizeof *x->coord);
  x->rows = arena_array(arena, (size_t)3 * n + 1, sizeof *x->rows);
  x->room = arena_array(arena, (size_t)6 * n + 1, sizeof *x->room);
  if (arena_failed(arena)) return false;
  x->brake = x->rows + n;
  x->force = x->brake + n;
  return true;
}

// What is written beside the bodies, of a coordinate: without forces and dampers, which have rows of their own.
static ExprId written_row(MatricesAt *x, uint32_t i) {
  System *s = &x->s;
  if (s->source[i] == source_equation) return s->h[i];
  return expr_sub(s->pool, s->lagrange.dpdt0[i], s->lagrange.dLdq[i]);
}

static void put_beside(MatricesAt *x, uint32_t k, uint32_t i) {
  System *s = &x->s;
  bool own = s->source[i] == source_equation;
  x->brake[k] = own ? s->pool->zero : s->lagrange.dDdv[i];
  x->force[k] = own ? s->pool->zero : s->lagrange.Q[i];
}

// M a of the spherical joints, and what these add to the rows of coordinates. Forces and dampers stand in h.
static void rows_of_turns(MatricesAt *x) {
  System *s = &x->s;
  ExprPool *pool = s->pool;
  SymbolMap rest = symbol_map_new(pool); // accelerations in forces went to M
  for (uint32_t i = 0; i < system_freedoms(s); i++) symbol_map_set(&rest, system_freedom_rate(s, i), pool->zero);
  for (uint32_t k = 0; k < s->turns.count; k++) {
    const RotationalDof *turn = &s->turns.items[k];
    uint32_t i = s->coord_count + k;
    x->v[i] = system_freedom_velocity(s, i);
    x->a[i] = system_freedom_rate(s, i);
    x->coord[i] = UINT32_MAX;
    x->brake[i] = expr_diff(pool, s->lagrange.D, x->v[i]);
    x->force[i] = s->lagrange.P ? expr_diff(pool, s->lagrange.P, x->v[i]) : pool->zero;
    if (x->force[i]) expr_replace(pool, &rest, &x->force[i], 1, &x->force[i]);
    x->rows[i] = expr_sum(pool, (Term[]){{RAT_ONE, turn->h}, {rat_int(-1), x->brake[i]}, {RAT_ONE, x->force[i]}}, 3);
    for (uint32_t j = 0; j < turn->row.count; j++) {
      ExprId a = expr_sym(pool, system_freedom_rate(s, turn->row.items[j].column));
      x->rows[i] = expr_add(pool, x->rows[i], expr_mul(pool, turn->row.items[j].value, a));
    }
    for (uint32_t j = 0; j < turn->column.count; j++) {
      uint32_t c = turn->column.items[j].column;
      x->rows[c] = expr_add(pool, x->rows[c], expr_mul(pool, turn->column.items[j].value, expr_sym(pool, x->a[i])));
    }
  }
}

static bool rows_of_coords(MatricesAt *x) {
  System *s = &x->s;
  if (!take_rooms(x, system_freedoms(s))) return false;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const MassRow *m = &s->M[i];
    ExprId sum = written_row(x, i);
    for (uint32_t k = 0; k < m->count; k++) {
      ExprId a = expr_sym(s->pool, s->coords.items[m->items[k].column].a);
      sum = expr_add(s->pool, sum, expr_mul(s->pool, m->items[k].value, a));
    }
    x->v[i] = s->coords.items[i].v;
    x->a[i] = s->coords.items[i].a;
    x->coord[i] = i;
    x->rows[i] = sum;
    put_beside(x, i, i);
  }
  rows_of_turns(x);
  return true;
}

// Bodies whose accelerations come by the recursion: what is written beside them has no inertia.
static bool rows_of_bodies(MatricesAt *x) {
  System *s = &x->s;
  TreeTerms t;
  if (!tree_freedoms(s, &t) || !take_rooms(x, t.count) || !tree_torques(s, &t, x->rows)) return false;
  ExprPool *pool = s->pool;
  for (uint32_t k = 0; k < t.count; k++) {
    const TreeFreedom *q = &t.freedoms[k];
    const TreeLink *link = &s->tree.links.items[q->link];
    x->v[k] = link->v[q->part];
    x->a[k] = link->a[q->part];
    x->coord[k] = q->coord;
    if (q->coord == UINT32_MAX) {
      x->brake[k] = expr_diff(pool, s->lagrange.D, link->v[q->part]);
      x->force[k] = expr_add(pool, s->bodies.tau[k], x->brake[k]);
      continue;
    }
    ExprId slope = expr_diff(pool, s->lagrange.written, s->coords.items[q->coord].q);
    x->rows[k] = expr_sub(pool, x->rows[k], slope);
    put_beside(x, k, q->coord);
  }
  return true;
}

static const char *obstacle(const System *s) {
  if (!s->coord_count && !s->tree.balls.count) return "the model has no coordinates";
  if (!s->lagrange.used) return "the model has no energies: there is no mass matrix";
  if (s->implicit.count || s->held.count || s->unknowns.count)
    return "the model has equations that are solved by iteration: there are no numbers of its matrices";
  for (uint32_t i = 0; i < s->coord_count && !s->solved; i++) {
    for (uint32_t k = 0; k < s->M[i].count; k++) {
      if (expr_has_kind(s->pool, s->M[i].items[k].value, sym_velocity))
        return "M depends on velocities, so there are no Christoffel symbols";
    }
  }
  return NULL;
}

// ---- values

static bool build(MatricesAt *x) {
  Operating *o = x->o;
  uint32_t n = x->n, count = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (!x->rows[k] || !x->brake[k] || !x->force[k]) return false;
  }
  if (!events_rewrite(o, x->force, n)) return false;
  // the derivatives of dampers by velocities, row by row, behind them
  ExprId *all = arena_array(o->arena, (size_t)3 * n + (size_t)n * n + 1, sizeof *all);
  if (!all) return false;
  memcpy(all, x->rows, (size_t)3 * n * sizeof *all);
  count = 3 * n;
  for (uint32_t k = 0; k < n; k++) {
    if (!expr_gradient(x->s.pool, x->brake[k], x->v, n, all + count)) return false;
    count += n;
  }
  // accelerations in forces are given as well: those at rest
  TapeFrame frame = {.system = &x->s, .more = x->a, .more_count = n};
  if (!system_give_motion(&x->s)) return false;
  x->tape.tape = frame_tape(o->arena, &frame, all, count);
  x->tape.w = frame_workspace(o->arena, x->tape.tape, o->params);
  return x->tape.w != NULL;
}

// All results with these velocities and accelerations; NULL: zeros.
static void evaluate(MatricesAt *x, const double *v, const double *a) {
  Operating *o = x->o;
  const Tape *t = x->tape.tape;
  double *var = tape_vars(t, x->tape.w);
  var[0] = o->t;
  memcpy(var + 1, o->y, o->dim * sizeof *var);
  for (uint32_t i = 0; i < events_places(o); i++) var[1 + o->branch_at[i]] = o->events.z[i];
  for (uint32_t k = 0; k < x->n; k++) {
    uint32_t at = system_place(&x->s, x->v[k]);
    if (at != no_place) var[1 + at] = v ? v[k] : 0;
    var[1 + o->dim + k] = a ? a[k] : 0;
  }
  tape_eval(t, x->tape.w);
}

static double row(const MatricesAt *x, uint32_t k) { return tape_result(x->tape.tape, x->tape.w, k); }

// What is as small as the rounding of what it was made of is zero.
static void drop_rounding(double *values, size_t count, double most) {
  for (size_t i = 0; i < count; i++) {
    if (fabs(values[i]) <= 16 * DBL_EPSILON * most) values[i] = 0;
  }
}

static double largest(const MatricesAt *x, double so_far) {
  for (uint32_t k = 0; k < x->n; k++) so_far = fmax(so_far, fabs(row(x, k)));
  return so_far;
}

// M, column by column. With large accelerations weights take no digits from it.
static void fill_mass(MatricesAt *x, const double *dV, double *unit, double *M) {
  const double scale = 0x1p20;
  double most = 0;
  for (uint32_t j = 0; j < x->n; j++) {
    unit[j] = scale;
    evaluate(x, NULL, unit);
    unit[j] = 0;
    most = largest(x, most);
    for (uint32_t i = 0; i < x->n; i++) M[i * x->n + j] = (row(x, i) - dV[i]) / scale;
  }
  drop_rounding(M, (size_t)x->n * x->n, most / scale);
}

// C, column by column; v: velocities of which the largest is 1 or -1, and how large it is. unit: zeros.
static void fill_christoffel(MatricesAt *x, double *v, double size, double *unit, double *C) {
  uint32_t n = x->n;
  double most = 0;
  for (uint32_t j = 0; j < n; j++) {
    double kept = v[j];
    for (int side = 1; side >= -1; side -= 2) {
      v[j] = kept + side;
      evaluate(x, v, NULL);
      for (uint32_t i = 0; i < n; i++) C[i * n + j] += side * row(x, i);
      most = largest(x, most);
      unit[j] = side;
      evaluate(x, unit, NULL);
      for (uint32_t i = 0; i < n; i++) C[i * n + j] -= side * row(x, i);
    }
    v[j] = kept;
    unit[j] = 0;
  }
  for (size_t i = 0; i < (size_t)n * n; i++) C[i] *= size / 4;
  drop_rounding(C, (size_t)n * n, most * size / 4);
}

// ---- the derivation

typedef struct Filled {
  MatricesAt *x;
  Derivation *out;
  Text left, right;
  uint32_t digits;
  const char *why; // it cannot be done
} Filled;

ExprId matrices_number(ExprPool *pool, double value, uint32_t digits) {
  char text[number_text_size];
  if (value == 0) return pool->zero;
  if (!isfinite(value)) return 0;
  number_print(fabs(value), text);
  Rat r = rat_parse(pool->arena, text, strlen(text));
  if (digits && !rat_is_int(r)) r = rat_round(pool->arena, r, digits);
  return expr_num(pool, value < 0 ? rat_neg(pool->arena, r) : r);
}

// A matrix that is not zero, and its term of the equation: factor stands behind its name.
static void put(Filled *f, const char *name, const char *meaning, uint32_t cols, const double *values,
                const char *factor, bool right) {
  MatricesAt *x = f->x;
  Arena *arena = x->o->arena;
  ShownMatrix m = {.name = style_free_name(&x->s, name), .meaning = meaning, .rows = x->n, .cols = cols};
  bool any = false;
  m.items = arena_array(arena, (size_t)x->n * cols + 1, sizeof *m.items);
  for (uint32_t i = 0; m.items && i < x->n * cols; i++) {
    any = any || values[i] != 0;
    m.items[i] = matrices_number(x->s.pool, values[i], f->digits);
  }
  if (!m.items || !any || !vec_push(arena, &f->out->matrices, m)) return;
  Text *side = right ? &f->right : &f->left;
  text_printf(side, "%s%s%s", side->length ? " + " : "", m.name, factor);
}

// What is left over: e = F + dD/dv - dV - (C + R) v, and the forces r.
static void fill_rest(MatricesAt *x, const double *v, const double *dV, const double *C, double *R, double *e,
                      double *r) {
  uint32_t n = x->n;
  evaluate(x, v, NULL);
  for (uint32_t i = 0; i < n; i++) {
    double size = fabs(row(x, i)) + fabs(dV[i]) + fabs(row(x, n + i));
    e[i] = row(x, i) - dV[i] + row(x, n + i);
    r[i] = row(x, 2 * n + i);
    for (uint32_t j = 0; j < n; j++) {
      R[i * n + j] = row(x, 3 * n + i * n + j);
      double part = (C[i * n + j] + R[i * n + j]) * v[j];
      e[i] -= part;
      size += fabs(part);
    }
    drop_rounding(&e[i], 1, n * size);
  }
}

static bool fill(Filled *f, const double *v) {
  MatricesAt *x = f->x;
  uint32_t n = x->n;
  Arena *arena = x->o->arena;
  size_t square = (size_t)n * n;
  double *M = arena_array(arena, 3 * square + 1, sizeof *M), *C = M + square, *R = C + square;
  double *unit = x->room, *dV = unit + n, *e = dV + n, *r = e + n, *own = r + n, size = 0;
  if (!M) return false;
  evaluate(x, NULL, NULL);
  for (uint32_t k = 0; k < n; k++) {
    dV[k] = row(x, k);
    size = fmax(size, fabs(v[k]));
  }
  for (uint32_t k = 0; k < n && size > 0; k++) own[k] = v[k] / size;
  fill_mass(x, dV, unit, M);
  if (size > 0) fill_christoffel(x, own, size, unit, C);
  fill_rest(x, v, dV, C, R, e, r);
  bool finite = true;
  for (size_t i = 0; i < 3 * square; i++) finite = finite && isfinite(M[i]);
  for (uint32_t i = 0; i < 3 * n; i++) finite = finite && isfinite(dV[i]);
  if (!finite) {
    f->why = "at this point the equations have no finite numbers";
    return true;
  }
  put(f, "M", "mass matrix", n, M, "*q''", false);
  put(f, "C", "velocity terms by Christoffel symbols", n, C, "*q'", false);
  put(f, "R", "damping, the derivatives of its forces by velocities", n, R, "*q'", false);
  put(f, "dV", "gradient of the potential", 1, dV, "", false);
  put(f, "e", "other terms", 1, e, "", false);
  put(f, "r", "forces", 1, r, "", true);
  return !arena_failed(arena);
}

// Which freedom is which, and what is no rate.
static void put_notes(Filled *f) {
  MatricesAt *x = f->x;
  Arena *arena = x->o->arena;
  Text names = text_in(arena);
  bool turns = false;
  for (uint32_t k = 0; k < x->n; k++) {
    text_printf(&names, "%s%s", k ? ", " : "", pool_symbol_get(x->s.pool, x->v[k])->name);
    turns = turns || x->coord[k] == UINT32_MAX;
  }
  vec_push(arena, &f->out->notes, arena_printf(arena, "q' = [%s]", text_str(&names)));
  if (turns)
    vec_push(
        arena, &f->out->notes,
        "a body turns by a ball: its velocities are no rates of coordinates, so C is symmetric in both velocities, but "
        "M' - 2C is not antisymmetric");
  for (uint32_t i = 0; i < x->o->events.elements.count; i++) {
    const PointElement *e = &x->o->events.elements.items[i];
    if (events_state(x->o, e) != element_sticks) continue;
    vec_push(arena, &f->out->notes,
             arena_printf(arena, "%s holds: it carries %.6g of at most %.6g", events_word(x->o, e), e->load, e->limit));
  }
  if (x->s.constraints.count)
    vec_push(arena, &f->out->notes, "the forces of constraints, transpose(G)*lambda, stand beside r");
}

// Memories, and what sticks, as they are at the point.
static bool take_events(MatricesAt *x, const char **why) {
  RestingTrouble trouble = {0};
  bool changed;
  RestingStatus status = resting_events(x->o, x->o->y, events_of_motion, &changed, &trouble);
  *why = trouble.message;
  return status == resting_found || status == resting_failed;
}

bool matrices_at(Operating *o, uint32_t digits, Derivation *out, const char **why) {
  MatricesAt matrices = {.o = o, .s = o->s}, *x = &matrices;
  Filled f = {.x = x, .out = out, .left = text_in(o->arena), .right = text_in(o->arena), .digits = digits};
  *out = (Derivation){.pool = o->s.pool, .form = form_matrices, .decimals = true};
  *why = obstacle(&x->s);
  if (!*why && !o->numbers) *why = arena_printf(o->arena, "the parameter `%s` has no value", o->missing);
  if (*why) return true;
  if (!(x->s.tree.links.count && x->s.solved ? rows_of_bodies(x) : rows_of_coords(x))) return false;
  if (!take_events(x, why) || (!*why && !build(x))) {
    if (!x->s.delays.count || arena_failed(o->arena)) return false;
    *why = "the forces depend on a `delay`, and of its past nothing is known at a point";
  }
  if (*why) return true;
  double *v = arena_array(o->arena, (size_t)x->n + 1, sizeof *v);
  if (!v) return false;
  for (uint32_t k = 0; k < x->n; k++) {
    uint32_t at = system_place(&o->s, x->v[k]);
    v[k] = at == no_place ? 0 : o->y[at];
  }
  if (!fill(&f, v)) return false;
  *why = f.why;
  out->sum = arena_printf(o->arena, "%s = %s", text_str(&f.left), f.right.length ? text_str(&f.right) : "0");
  put_notes(&f);
  return !arena_failed(o->arena);
}
