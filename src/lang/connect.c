// connect A.shaft to B.shaft: ports that meet at a junction.
//
// in    two or more ports, each with its input u and its output y; u*y is the power into its part
// out   values of their inputs: one of the two variables is common to all, the other ones add up to zero
//
// At a junction of n ports one port gives the common variable c by its output; all others have it as their input, and
// what they put out adds up to the input of the first one, with its sign turned:
//       u_k = y_1,   u_1 = -(y_2 + ... + y_n),   so that the sum of u_k y_k is zero.
// Which one is common, the units say: voltage, velocity, angular velocity, pressure, temperature are (what is measured
// across), current, force, torque, volume flow add up (what flows through). Where units say nothing, the output of the
// port that is named first is common.
//
// Two ports that both give the common variable, or none that does, cannot be computed one from the other: the message
// says which to turn round.
#include "lang/connect.h"

#include "lang/eval.h"
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
  for (uint32_t i = 0; i < e->model->connections.count; i++) {
    if (e->model->connections.items[i].to != d->index) continue;
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
static bool units_fit(Elab *e, const Joint *joints, uint32_t n, uint32_t giver) {
  const Unit *in = &e->model->inputs.items[joints[giver].input->index].unit;
  for (uint32_t i = 0; i < n; i++) {
    const Unit *u = &e->model->inputs.items[joints[i].input->index].unit;
    int sum[unit_dims] = {0};
    if (i == giver || !u->said || !in->said) continue;
    unit_of(in, 1, sum);
    unit_of(u, 1, sum);
    sum[unit_angle] = 0;
    sum[unit_kilogram] -= 1;
    sum[unit_metre] -= 2;
    sum[unit_second] += 3;
    bool watt = true;
    for (int k = 0; k < unit_dims; k++) watt = watt && sum[k] == 0;
    if (watt) continue;
    diag_error(e->diags, diag_port, joints[i].span,
               "`%s` takes in %s and `%s` %s: together these make no power, so the two do not match",
               joints[giver].input->name, in->text ? in->text : "a plain number", joints[i].input->name,
               u->text ? u->text : "a plain number");
    return false;
  }
  return true;
}

// The ports that have the common variable as their output: one is needed.
static bool find_giver(Elab *e, const Stmt *s, Joint *joints, uint32_t n, uint32_t *giver) {
  uint32_t through = 0, across = 0, unknown = 0;
  for (uint32_t i = 0; i < n; i++) {
    through += joints[i].in == quantity_through;
    across += joints[i].in == quantity_across;
    unknown += joints[i].in == quantity_unknown;
  }
  if (unknown == n) {
    *giver = 0;
    return true;
  }
  // one that says nothing is what is missing
  if (unknown == 1 && through + across == n - 1 && through <= 1) {
    for (uint32_t i = 0; i < n; i++) {
      if (joints[i].in == quantity_unknown) joints[i].in = through ? quantity_across : quantity_through;
    }
    through = 1;
  }
  uint32_t other = 0;
  for (uint32_t i = n; i-- > 0;) {
    if (joints[i].in != quantity_through) continue;
    other = *giver;
    *giver = i;
  }
  if (through == 1) return units_fit(e, joints, n, *giver);
  if (through > 1) {
    diag_error(e->diags, diag_port, s->span,
               "`%s` and `%s` both put out what is common to these ports, and only one can", joints[*giver].input->name,
               joints[other].input->name);
    diag_hint(e->diags,
              "turn all of them round but one: a port `by` its velocity or voltage takes what the others give, "
              "for example through a spring or a capacitor between them");
    return false;
  }
  diag_error(e->diags, diag_port, s->span, "all of these ports take in what is common to them, and none puts it out");
  diag_hint(e->diags, "turn one of them round: a port whose input is what flows through (a force, a current) puts out "
                      "what is common, for example a mass or a capacitor between them");
  return false;
}

static void join(Elab *e, const Stmt *s, const Joint *joints, uint32_t n, uint32_t giver) {
  Model *m = e->model;
  ExprId sum = e->pool->zero;
  for (uint32_t i = 0; i < n; i++) {
    if (i == giver) continue;
    sum = expr_sub(e->pool, sum, joints[i].y);
    m->inputs.items[joints[i].input->index].value = joints[giver].y;
    vec_push(e->arena, &m->connections,
             (SystemConnection){joints[i].input->index, joints[giver].input->index, 1, s->span});
    vec_push(e->arena, &m->connections,
             (SystemConnection){joints[giver].input->index, joints[i].input->index, -1, s->span});
  }
  m->inputs.items[joints[giver].input->index].value = sum;
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
  if (good && find_giver(e, s, joints, n, &giver)) join(e, s, joints, n, giver);
}

void connect_read(Elab *e) { visit_all(e, stmt_connect, visit_joint); }
