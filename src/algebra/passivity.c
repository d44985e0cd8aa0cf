// Passivity by dH/dt = y.u - e' T e, e = (dH, u), T = [R P; P' S].
//
// in    a PortForm
// out   a verdict; T as a sum of squares; whether H is bounded below; Casimirs; or a point at which e' T e < 0
// how   T semidefinite by elimination (definite.c): H grows by no more than what is supplied. Else e' T e is looked at
//       in points with the values of the parameters put in, exactly: a negative value is a counterexample.
//       H is bounded below (bounded.c). Casimirs: numbers c with c' (J - R) = 0, so that c.x keeps its value while the
//       ports are zero: candidates modulo a prime, proved in the normal form.
#include "algebra/passivity.h"

#include "algebra/bounded.h"
#include "algebra/port_check.h"
#include "algebra/style.h"
#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/decide.h"
#include "expr/evaluate.h"
#include "expr/modular.h"

enum { most_points = 60, most_casimirs = 200 };

const char *passivity_name(PassivityVerdict v) {
  static const char *const names[] = {"strictly passive", "passive",     "lossless",
                                      "cyclo-passive",    "not passive", "not decided"};
  return names[v];
}

// ---- what is lost

static ExprId effort(const PortForm *f, uint32_t i) {
  return i < f->n ? f->dH[i] : expr_sym(f->s->pool, f->u[i - f->n]);
}

static ExprId quadratic(const PortForm *f, const ExprId *T) {
  ExprPool *pool = f->s->pool;
  uint32_t all = f->n + f->m;
  ExprId sum = pool->zero;
  for (uint32_t i = 0; i < all * all; i++) {
    if (T[i] == pool->zero) continue;
    sum = expr_add(pool, sum, expr_mul(pool, T[i], expr_mul(pool, effort(f, i / all), effort(f, i % all))));
  }
  return sum;
}

static void put_squares(Passivity *x, const Semidefinite *found) {
  const PortForm *f = &x->form;
  ExprPool *pool = f->s->pool;
  for (uint32_t k = 0; k < found->squares.count; k++) {
    const SquareTerm *q = &found->squares.items[k];
    ExprId sum = effort(f, q->i);
    for (uint32_t j = 0; j < f->n + f->m; j++) {
      if (q->factors[j] != pool->zero) sum = expr_add(pool, sum, expr_mul(pool, q->factors[j], effort(f, j)));
    }
    ExprId square = expr_mul(pool, q->pivot, expr_powi(pool, sum, 2));
    if (square && square != pool->zero) vec_push(f->s->arena, &x->squares, square);
  }
}

// What e_i is called: x' for the gradient by a momentum, dH/dq for others, u for an input.
static const char *effort_name(const PortForm *f, uint32_t i) {
  System *s = f->s;
  if (i >= f->n) return pool_symbol_get(s->pool, f->u[i - f->n])->name;
  const Symbol *symbol = pool_symbol_get(s->pool, f->x[i]);
  if (symbol->kind == sym_state && symbol->index >= s->states.count)
    return arena_printf(s->arena, "%s'", s->coords.items[symbol->index - s->states.count].name);
  return NULL;
}

// Along the direction that elimination found, where velocities and inputs can be chosen freely. False: out of memory.
static bool witness_along(Passivity *x, const ExprId *T, const ExprId *direction) {
  const PortForm *f = &x->form;
  System *s = f->s;
  ExprPool *pool = s->pool;
  uint32_t all = f->n + f->m;
  ExprId *roots = arena_array(s->arena, (size_t)all + 1, sizeof *roots);
  Num *values = arena_array(s->arena, (size_t)all + 1, sizeof *values);
  if (!roots || !values) return false;
  roots[all] = pool->zero;
  for (uint32_t i = 0; i < all; i++) {
    roots[i] = direction[i];
    if (direction[i] != pool->zero && !effort_name(f, i)) return true;
    for (uint32_t j = 0; j < all; j++)
      roots[all] =
          expr_add(pool, roots[all], expr_mul(pool, T[i * all + j], expr_mul(pool, direction[i], direction[j])));
  }
  if (!style_with_values(s, roots, all + 1)) return !arena_failed(s->arena);
  bool exact = point_can_be_exact(pool, s->arena, roots, all + 1);
  Point p;
  if (!point_open(&p, pool, s->arena, roots, all + 1, 0, exact)) return !arena_failed(s->arena);
  if (point_eval(&p, roots, all + 1, values) && num_sign(&p, values[all]) == -1) {
    Text t = text_in(s->arena);
    for (uint32_t i = 0; i < p.symbols.count; i++)
      text_printf(&t, "%s%s = %s", i ? ", " : "", pool_symbol_get(pool, p.symbols.items[i].symbol)->name,
                  p.symbols.items[i].text);
    for (uint32_t i = 0; i < all; i++) {
      const char *name = effort_name(f, i);
      if (name) text_printf(&t, "%s%s = %s", t.length ? ", " : "", name, num_text(&p, values[i]));
    }
    x->witness = text_str(&t);
    x->loss = num_text(&p, values[all]);
  }
  point_close(&p);
  return !arena_failed(s->arena);
}

// A point at which e' T e is negative. False: out of memory.
static bool find_witness(Passivity *x) {
  System *s = x->form.s;
  ExprId power = x->lost;
  if (!style_with_values(s, &power, 1)) return !arena_failed(s->arena);
  bool exact = point_can_be_exact(s->pool, s->arena, &power, 1);
  for (uint32_t k = 0; k < most_points && !x->witness; k++) {
    Point p;
    Num value;
    if (!point_open(&p, s->pool, s->arena, &power, 1, k, exact)) break;
    if (point_eval(&p, &power, 1, &value) && num_sign(&p, value) == -1) {
      Text t = text_in(s->arena);
      for (uint32_t i = 0; i < p.symbols.count; i++)
        text_printf(&t, "%s%s = %s", i ? ", " : "", pool_symbol_get(s->pool, p.symbols.items[i].symbol)->name,
                    p.symbols.items[i].text);
      x->witness = text_str(&t);
      x->loss = num_text(&p, value);
    }
    point_close(&p);
  }
  return !arena_failed(s->arena);
}

// ---- Casimirs

static bool find_casimirs(Passivity *x) {
  const PortForm *f = &x->form;
  System *s = f->s;
  ExprPool *pool = s->pool;
  uint32_t n = f->n;
  uint32_t rows = n + f->bound;
  if (n > most_casimirs || !n || f->rest) return true;
  // a row for each column of J - R, and for the force of each constraint
  ExprId *table = arena_array(s->arena, (size_t)rows * n, sizeof *table);
  ModularRelations relations;
  if (!table || !relations_open(&relations, s->arena, n)) return false;
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < n; i++) table[j * n + i] = expr_sub(pool, f->J[i * n + j], f->R[i * n + j]);
  }
  for (uint32_t k = 0; k < f->bound; k++) {
    for (uint32_t i = 0; i < n; i++) table[(n + k) * n + i] = f->A[i * f->bound + k];
  }
  if (!relations_sample(&relations, pool, s->arena, table, rows)) return !arena_failed(s->arena);
  Rat *vectors;
  uint32_t count = relations_solve(&relations, s->arena, relation_small, &vectors);
  for (uint32_t k = 0; k < count; k++) {
    ExprId c = pool->zero;
    bool proved = true;
    for (uint32_t j = 0; j < rows && proved; j++) {
      ExprId sum = pool->zero;
      for (uint32_t i = 0; i < n; i++)
        sum = expr_add(pool, sum, expr_scale(pool, vectors[k * n + i], table[j * n + i]));
      proved = sum == pool->zero || expr_vanishes(pool, s->arena, sum);
    }
    for (uint32_t i = 0; i < n; i++)
      c = expr_add(pool, c, expr_scale(pool, vectors[k * n + i], expr_sym(pool, f->x[i])));
    if (proved && c != pool->zero) vec_push(s->arena, &x->casimirs, c);
  }
  return !arena_failed(s->arena);
}

// ---- the verdict

static const char *find_obstacle(Passivity *x) {
  PortForm *f = &x->form;
  System *s = f->s;
  if (f->why) return f->why;
  if (f->rest) return "forces that are no part of the structure act on the system: their power has no port";
  if (expr_has_kind(s->pool, f->H, sym_time)) return "H depends on time by itself";
  KindSet known = kind_set(sym_param) | kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_state) |
                  kind_set(sym_input) | kind_set(sym_bound);
  if (!expr_only_kinds(s->pool, f->H, known)) return "H depends on memories or delays";
  if (expr_may_jump(s->pool, s->arena, f->H, kinds_moving()))
    return "H may jump, and no derivative tells what that takes or gives";
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    SymbolMap map = symbol_map_new(s->pool);
    ExprId rate = s->constraints.items[k].rate;
    for (uint32_t i = 0; i < s->coord_count; i++) symbol_map_set(&map, s->coords.items[i].v, s->pool->zero);
    if (!expr_replace(s->pool, &map, &rate, 1, &rate) || !expr_vanishes(s->pool, s->arena, rate))
      return "a constraint moves by itself, and its force does work";
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    const SystemState *state = &s->states.items[i];
    bool row = false;
    for (uint32_t k = 0; k < f->n; k++) row = row || f->x[k] == state->x;
    if (!row && expr_depends(s->pool, f->H, state->x)) return "H depends on a state that has an equation of its own";
  }
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    bool row = false;
    for (uint32_t k = 0; k < f->n; k++) row = row || f->x[k] == s->inputs.items[i].symbol;
    if (!row && expr_depends(s->pool, f->H, s->inputs.items[i].symbol)) return "H depends on an input by itself";
  }
  if (s->whens.count) return "events change the state, and the energy with it";
  return NULL;
}

static void conclude(Passivity *x, const Semidefinite *found, bool zero) {
  uint32_t positive = 0;
  for (uint32_t k = 0; k < found->squares.count; k++) positive += found->squares.items[k].i < x->form.n;
  bool strict = !zero && found->strict == x->form.n && positive == x->form.n && !x->form.feeds;
  if (zero) x->verdict = passivity_lossless;
  else if (x->bounded != bounded_yes) x->verdict = passivity_cyclo;
  else x->verdict = strict ? passivity_strict : passivity_passive;
  if (x->bounded == bounded_undecided && !zero) x->because = "whether H is bounded below is not decided";
  if (x->bounded == bounded_no && !zero) x->because = x->bounded_because;
}

bool passivity_find(System *s, Passivity *x) {
  *x = (Passivity){.verdict = passivity_undecided, .lost = s->pool->zero, .supplied = s->pool->zero};
  if (!signs_open(&x->signs, s) || !port_form(s, &x->form)) return false;
  PortForm *f = &x->form;
  x->because = find_obstacle(x);
  if (f->why) return true;
  const ExprId *T = port_losses(s, f->n, f->m, f->R, f->P, f->S);
  if (!T) return false;
  x->lost = quadratic(f, T);
  for (uint32_t k = 0; k < f->m; k++) {
    ExprId y = s->pool->zero;
    for (uint32_t i = 0; i < f->n; i++)
      y = expr_add(s->pool, y, expr_mul(s->pool, expr_add(s->pool, f->G[i * f->m + k], f->P[i * f->m + k]), f->dH[i]));
    for (uint32_t l = 0; l < f->m; l++)
      y = expr_add(s->pool, y, expr_mul(s->pool, f->S[k * f->m + l], expr_sym(s->pool, f->u[l])));
    x->supplied = expr_add(s->pool, x->supplied, expr_mul(s->pool, y, expr_sym(s->pool, f->u[k])));
  }
  Semidefinite found;
  if (!semidefinite_find(&x->signs, T, f->n + f->m, &found) || !find_casimirs(x)) return false;
  if (found.verdict == definite_yes) put_squares(x, &found);
  if (x->because) return true;
  bool zero = !found.squares.count;
  if (!bounded_below(&x->signs, f, &x->bounded, &x->bounded_because)) return false;
  if (found.verdict == definite_yes) {
    conclude(x, &found, zero);
    return true;
  }
  if (found.direction && !witness_along(x, T, found.direction)) return false;
  if (!x->witness && !find_witness(x)) return false;
  if (x->witness) x->verdict = passivity_not;
  else x->because = "the lost power is no sum of squares by the rules, and no point was found where it is negative";
  return true;
}
