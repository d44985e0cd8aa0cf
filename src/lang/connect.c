// connect A.shaft to B.shaft: ports that meet at a junction.
//
// in    two or more ports, each with its input u and its output y; u*y is the power into its part
// out   values of their inputs: one of the two variables is common to all, the other ones add up to zero
//
// At a junction of n ports one port gives the common variable c by its output; all others have it as their input, and
// what they put out adds up to the input of the first one, with the opposite sign:
//       u_k = y_1,   u_1 = -(y_2 + ... + y_n),   so that the sum of u_k y_k is zero.
// Which one is common, the units say: voltage, velocity, angular velocity, pressure, temperature are (what is measured
// across), current, force, torque, volume flow add up (what flows through). Where units say nothing, the output of the
// port that is named first is common.
//
// Several ports that give the common variable (two masses), or none that does (two springs), cannot be computed one
// from the other. They are tied: with several, what the others give equals what the first one gives, and the input of
// each is an unknown; with none, the common variable itself is the unknown, and the outputs add up to zero. Either is a
// constraint with its multiplier, whose power is zero.
#include "lang/connect.h"

#include "lang/eval.h"
#include "lang/loops.h"
#include "lang/ports.h"
#include "lang/statements.h"
#include "system/units.h"

#include <string.h>

enum { most_joined = 1000 }; // ports of one junction

typedef enum Quantity { quantity_unknown, quantity_across, quantity_through } Quantity;

typedef struct Joint {
  Decl *input;
  ExprId y;
  Quantity in; // what its input is
  Span span;
} Joint;

// kg^a m^b s^c A^d K^e, angles aside
static bool is_unit(const Unit *u, int kg, int m, int s, int A, int K) {
  return u->said && u->dim[unit_kilogram] == kg && u->dim[unit_metre] == m && u->dim[unit_second] == s &&
         u->dim[unit_ampere] == A && u->dim[unit_kelvin] == K;
}

static Quantity quantity_of(const Unit *u) {
  bool across = is_unit(u, 1, 2, -3, -1, 0) || is_unit(u, 0, 1, -1, 0, 0) || is_unit(u, 0, 0, -1, 0, 0) ||
                is_unit(u, 1, -1, -2, 0, 0) || is_unit(u, 0, 0, 0, 0, 1);
  bool through = is_unit(u, 0, 0, 0, 1, 0) || is_unit(u, 1, 1, -2, 0, 0) || is_unit(u, 1, 2, -2, 0, 0) ||
                 is_unit(u, 0, 3, -1, 0, 0);
  return across ? quantity_across : through ? quantity_through : quantity_unknown;
}

// ---- the ports of a statement

static bool take_joint(Elab *e, const Item *item, const Binding *env, Joint *out) {
  const char *name = path_full(e, item, env);
  bool storage;
  if (!name) return false;
  Decl *d = names_find(e, name);
  if (!d) {
    diag_error(e->diags, diag_port, item->name_span, "there is no port `%s`", name);
    const char *near = names_nearest(e, name);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    return false;
  }
  if (d->kind != decl_input || item->primes) {
    diag_error(e->diags, diag_port, item->name_span, "ports are connected, but `%s` is %s", name, decl_word(d->kind));
    return false;
  }
  d->used = true;
  uint32_t errors = e->diags->errors;
  if (!port_is(e, d, &storage)) {
    if (e->diags->errors == errors) {
      diag_error(e->diags, diag_port, item->name_span, "`%s` is an input, but no port", name);
      diag_hint(e->diags, "`port %s by [...]` in its file makes it one", item->name);
    }
    return false;
  }
  if (d->changed) {
    diag_error(e->diags, diag_port, item->name_span, "`%s` is connected, so its value follows and cannot be set", name);
    return false;
  }
  bool taken = false;
  for (uint32_t i = 0; i < e->model->connections.count; i++)
    taken = taken || e->model->connections.items[i].to == d->index;
  for (uint32_t i = 0; i < e->model->ties.count; i++) {
    const SystemTie *t = &e->model->ties.items[i];
    for (uint32_t k = 0; k < t->count; k++) taken = taken || t->inputs[k] == d->index;
  }
  if (taken) {
    diag_error(e->diags, diag_port, item->name_span, "the port `%s` is connected twice", name);
    diag_hint(e->diags, "several ports meet in one junction: `connect A.u, B.u, C.u`");
    return false;
  }
  Unit unit = e->model->inputs.items[d->index].unit;
  Value y = port_output(e, d, item->name_span);
  *out = (Joint){.input = d, .y = y.scalar, .in = quantity_of(&unit), .span = item->name_span};
  return y.shape == value_scalar;
}

static void unit_of(const Unit *u, int sign, int *sum) {
  for (int i = 0; i < unit_dims; i++) sum[i] += sign * u->dim[i];
}

// Input and output of a port are a power together: what the giver takes in, times what the others take in, is one.
static bool ports_fit(Elab *e, const Joint *joints, uint32_t n, uint32_t giver) {
  const Unit *in = &e->model->inputs.items[joints[giver].input->index].unit;
  for (uint32_t i = 0; i < n; i++) {
    const Unit *u = &e->model->inputs.items[joints[i].input->index].unit;
    int sum[unit_dims] = {0};
    if (i == giver || !u->said || !in->said) continue;
    unit_of(in, 1, sum);
    unit_of(u, 1, sum);
    bool alike = joints[i].in == joints[giver].in; // both take in the same: then it has one unit
    if (alike) unit_of(u, -2, sum);
    sum[unit_angle] = 0;
    sum[unit_kilogram] -= alike ? 0 : 1;
    sum[unit_metre] -= alike ? 0 : 2;
    sum[unit_second] += alike ? 0 : 3;
    bool fits = true;
    for (int k = 0; k < unit_dims; k++) fits = fits && sum[k] == 0;
    if (fits) continue;
    if (alike) {
      diag_error(e->diags, diag_port, joints[i].span, "`%s` takes in %s and `%s` %s: the two do not match",
                 joints[giver].input->name, in->text ? in->text : "a plain number", joints[i].input->name,
                 u->text ? u->text : "a plain number");
      return false;
    }
    diag_error(e->diags, diag_port, joints[i].span,
               "`%s` takes in %s and `%s` %s: together these make no power, so the two do not match",
               joints[giver].input->name, in->text ? in->text : "a plain number", joints[i].input->name,
               u->text ? u->text : "a plain number");
    return false;
  }
  return true;
}

// The first port that has the common variable as its output; n: none has it.
static uint32_t find_giver(Joint *joints, uint32_t n) {
  uint32_t through = 0, across = 0, unknown = 0, giver = n;
  for (uint32_t i = 0; i < n; i++) {
    through += joints[i].in == quantity_through;
    across += joints[i].in == quantity_across;
    unknown += joints[i].in == quantity_unknown;
  }
  // units say nothing: the first one gives, all others take
  for (uint32_t i = 0; unknown == n && i < n; i++) joints[i].in = i ? quantity_across : quantity_through;
  // what says nothing is what is missing
  for (uint32_t i = 0; unknown < n && i < n; i++) {
    if (joints[i].in != quantity_unknown) continue;
    joints[i].in = through ? quantity_across : quantity_through;
    through = 1;
  }
  for (uint32_t i = n; i-- > 0;) {
    if (joints[i].in == quantity_through) giver = i;
  }
  return giver;
}

static void set_input(Elab *e, const Joint *j, ExprId value) { e->model->inputs.items[j->input->index].value = value; }

// An unknown by the name of a port, and the equation that ties ports by it. 0: out of memory.
static ExprId tie(Elab *e, Span span, const Joint *joints, const uint32_t *which, const int *signs, uint32_t count) {
  Model *m = e->model;
  SystemTie t = {.count = count, .span = span};
  const Joint *named = &joints[which[0]];
  const char *name = arena_printf(e->arena, "lambda.%s", named->input->name);
  ExprId sum = e->pool->zero;
  uint32_t index;
  t.inputs = arena_array(e->arena, count, sizeof *t.inputs);
  t.signs = arena_array(e->arena, count, sizeof *t.signs);
  if (!name || !t.inputs || !t.signs ||
      !loop_unknown(e, name, span, m->inputs.items[named->input->index].unit, NULL, &index))
    return 0;
  t.lambda = m->unknowns.items[index].symbol;
  for (uint32_t i = 0; i < count; i++) {
    t.inputs[i] = joints[which[i]].input->index;
    t.signs[i] = signs[i];
    sum = expr_add(e->pool, sum, expr_scale(e->pool, rat_int(signs[i]), joints[which[i]].y));
  }
  SystemEquation q = {.left = sum, .right = e->pool->zero, .residual = sum, .span = span, .label = "the junction"};
  vec_push(e->arena, &m->implicit, q);
  vec_push(e->arena, &m->ties, t);
  return expr_sym(e->pool, t.lambda);
}

// None gives the common variable: it is the unknown.
static void join_takers(Elab *e, const Stmt *s, const Joint *joints, uint32_t n) {
  uint32_t *which = arena_array(e->arena, n, sizeof *which);
  int *signs = arena_array(e->arena, n, sizeof *signs);
  for (uint32_t i = 0; which && signs && i < n; i++) {
    which[i] = i;
    signs[i] = 1;
  }
  ExprId common = which && signs ? tie(e, s->span, joints, which, signs, n) : 0;
  for (uint32_t i = 0; common && i < n; i++) set_input(e, &joints[i], common);
}

static void join(Elab *e, const Stmt *s, const Joint *joints, uint32_t n, uint32_t giver) {
  Model *m = e->model;
  ExprId sum = e->pool->zero;
  for (uint32_t i = 0; i < n; i++) {
    if (i == giver) continue;
    if (joints[i].in == quantity_through) {
      ExprId lambda = tie(e, s->span, joints, (uint32_t[]){i, giver}, (int[]){1, -1}, 2);
      set_input(e, &joints[i], lambda);
      sum = expr_sub(e->pool, sum, lambda);
      continue;
    }
    sum = expr_sub(e->pool, sum, joints[i].y);
    set_input(e, &joints[i], joints[giver].y);
    vec_push(e->arena, &m->connections,
             (SystemConnection){joints[i].input->index, joints[giver].input->index, 1, s->span});
    vec_push(e->arena, &m->connections,
             (SystemConnection){joints[giver].input->index, joints[i].input->index, -1, s->span});
  }
  set_input(e, &joints[giver], sum);
}

static void visit_joint(Elab *e, const Stmt *s, const Binding *env) {
  uint32_t n = s->items.count, giver = 0;
  Joint *joints = arena_array(e->arena, n, sizeof *joints);
  bool good = joints != NULL && n <= most_joined;
  for (uint32_t i = 0; joints && i < n; i++) good = take_joint(e, &s->items.items[i], env, &joints[i]) && good;
  for (uint32_t i = 0; good && i < n; i++) {
    for (uint32_t k = 0; k < i && good; k++) {
      if (joints[k].input != joints[i].input) continue;
      diag_error(e->diags, diag_port, joints[i].span, "the port `%s` is connected with itself", joints[i].input->name);
      good = false;
    }
  }
  if (!good) return;
  giver = find_giver(joints, n);
  if (!ports_fit(e, joints, n, giver < n ? giver : 0)) return;
  if (giver < n) join(e, s, joints, n, giver);
  else join_takers(e, s, joints, n);
}

void connect_read(Elab *e) { visit_all(e, stmt_connect, visit_joint); }
