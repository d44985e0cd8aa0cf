// Dimensions of functions and blocks: the rules of words.def, rule_RULE. A rule looks at the arguments, makes
// equal what must be alike, and says what comes out.
#include "lang/infer_inside.h"

#include "lang/eval.h"

#include <string.h>

// ---- vectors, sums, integrals

DimValue rule_integral_of(Infer *f, const Ast *a, DimEnv env) {
  if (a->count != 4 || a->items[1]->kind != ast_name) return dims_any();
  Dim from = infer_scalar(f, a->items[2], env), to = infer_scalar(f, a->items[3], env);
  Dim s = dim_plus(f, from, a->items[2]->span, to, a->items[3]->span, "they are the bounds of one integral");
  if (s.kind == dim_number) s = dim_of(form_of_var(f, infer_var(f, NULL)));
  DimEnv inner = env;
  if (!infer_bind(f, &inner, a->items[1]->name, dim_value(s), value_none())) return dims_any();
  return dim_value(dim_times(f, infer_scalar(f, a->items[0], inner), s, ratio_int(1)));
}

DimValue rule_sum(Infer *f, const Ast *a, DimEnv env) {
  int64_t from, to;
  if (a->count != 4 || a->items[1]->kind != ast_name || !eval_integer(f->e, a->items[2], env.elab, "a bound", &from) ||
      !eval_integer(f->e, a->items[3], env.elab, "a bound", &to))
    return dims_any();
  DimValue total = dim_value(dim_literal(false));
  for (int64_t i = from; i <= to && !f->cut; i++) {
    DimEnv inner = env;
    if (!infer_bind(f, &inner, a->items[1]->name, dim_value(dim_literal(false)), value_of(expr_int(f->e->pool, i))))
      return dims_any();
    DimValue v = infer_expr(f, a->items[0], inner);
    if (i == from) total = v;
    else if (v.shape != total.shape || dims_count(&v) != dims_count(&total)) return dims_any();
    else if (v.shape == value_scalar)
      total.scalar = dim_plus(f, total.scalar, a->items[0]->span, v.scalar, a->items[0]->span, "for different indices");
    else if (v.shape) {
      for (uint32_t k = 0; k < dims_count(&v); k++)
        total.items[k] =
            dim_plus(f, total.items[k], a->items[0]->span, v.items[k], a->items[0]->span, "for different indices");
    }
  }
  return total;
}

static bool is_pair(const DimValue *u, const DimValue *v) {
  return u->shape == value_vector && v->shape == value_vector && u->rows == v->rows;
}

DimValue rule_dot(Infer *f, const Ast *a, DimEnv env) {
  DimValue u = infer_expr(f, a->items[0], env), v = a->count > 1 ? infer_expr(f, a->items[1], env) : dims_none();
  if (!is_pair(&u, &v)) return dims_any();
  Dim r = dim_literal(false);
  for (uint32_t i = 0; i < u.rows; i++)
    r = dim_plus(f, r, a->span, dim_times(f, u.items[i], v.items[i], ratio_int(1)), a->span,
                 "in this product of vectors");
  return dim_value(r);
}

DimValue rule_cross(Infer *f, const Ast *a, DimEnv env) {
  DimValue u = infer_expr(f, a->items[0], env), v = a->count > 1 ? infer_expr(f, a->items[1], env) : dims_none();
  DimValue r = is_pair(&u, &v) && u.rows == 3 ? dims_new(f, value_vector, 3, 1) : dims_none();
  for (uint32_t i = 0; r.shape && i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    r.items[i] = dim_plus(f, dim_times(f, u.items[j], v.items[k], ratio_int(1)), a->span,
                          dim_times(f, u.items[k], v.items[j], ratio_int(1)), a->span, "in this product of vectors");
  }
  return r.shape ? r : dims_any();
}

// Entry by entry, the other way round.
static DimValue turned(Infer *f, const DimValue *u, bool inverse) {
  DimValue r = dims_new(f, value_matrix, u->cols, u->rows);
  for (uint32_t i = 0; r.shape && i < u->rows; i++) {
    for (uint32_t k = 0; k < u->cols; k++) {
      Dim d = u->items[i * u->cols + k];
      r.items[k * u->rows + i] = !inverse ? d : d.kind == dim_form ? dim_raised(f, d, ratio_int(-1)) : dim_wild();
    }
  }
  return r.shape ? r : dims_any();
}

DimValue rule_transpose(Infer *f, const Ast *a, DimEnv env) {
  DimValue u = infer_expr(f, a->items[0], env);
  if (u.shape == value_matrix) return turned(f, &u, false);
  return u.shape == value_scalar || u.shape == value_vector ? u : dims_any();
}

DimValue rule_inverse(Infer *f, const Ast *a, DimEnv env) {
  DimValue u = infer_expr(f, a->items[0], env);
  if (u.shape == value_scalar) return dim_value(dim_raised(f, u.scalar, ratio_int(-1)));
  return u.shape == value_matrix ? turned(f, &u, true) : dims_any();
}

DimValue rule_diag(Infer *f, const Ast *a, DimEnv env) {
  DimValue r = dims_new(f, value_matrix, a->count, a->count);
  for (uint32_t i = 0; i < a->count; i++) {
    Dim d = infer_scalar(f, a->items[i], env);
    for (uint32_t k = 0; r.shape && k < a->count; k++) r.items[i * a->count + k] = i == k ? d : dim_literal(false);
  }
  return r.shape ? r : dims_any();
}

// ---- elementary functions

// Tables, noise, and what a text does not say.
DimValue rule_any(Infer *f, const Ast *a, DimEnv env) {
  (void)f, (void)a, (void)env;
  return dims_any();
}

DimValue rule_root(Infer *f, const Ast *a, DimEnv env) {
  return dim_value(dim_raised(f, infer_scalar(f, a->items[0], env), (Ratio){1, 2}));
}

static bool mentions_time(const Ast *a) {
  if (a->kind == ast_name && strcmp(a->name, "t") == 0) return true;
  for (uint32_t i = 0; i < a->count; i++) {
    if (mentions_time(a->items[i])) return true;
  }
  return false;
}

// Names whose sine is taken are angles, for reading.
static void mark_angles(Infer *f, const Ast *a, DimEnv env) {
  if (a->kind == ast_sum || a->kind == ast_negate || a->kind == ast_product) {
    for (uint32_t i = 0; i < a->count; i++) {
      if (a->kind != ast_product || a->ops[i] == '*') mark_angles(f, a->items[i], env);
    }
    return;
  }
  Decl *d;
  if ((a->kind != ast_name && a->kind != ast_index && a->kind != ast_field) ||
      (a->kind == ast_name && infer_local(env, a->name)))
    return;
  if (path_find(f->e, a, env.elab, &d) != path_found || d->kind > decl_state) return;
  DimValue v = infer_decl(f, d);
  if (v.shape == value_scalar && v.scalar.kind == dim_form && v.scalar.form.count == 1)
    f->vars.items[v.scalar.form.terms[0].var].angle = true;
}

// A function of a plain number that gives one, or an angle.
static DimValue of_number(Infer *f, const Ast *a, DimEnv env, Form gives) {
  Dim d = infer_scalar(f, a->items[0], env);
  dim_plain(f, &d, a->items[0]->span, arena_printf(f->arena, "the argument of `%s` is", a->name));
  // an amplitude that is left out of a signal fits any, as a number does
  if (d.kind == dim_number || mentions_time(a->items[0])) return dim_value(dim_level());
  Dim r = dim_of(gives);
  r.bare = true;
  return dim_value(r);
}

static Form radian(void) {
  Form angle = form_plain();
  angle.base.power[unit_angle] = ratio_int(1);
  return angle;
}

DimValue rule_pure(Infer *f, const Ast *a, DimEnv env) { return of_number(f, a, env, form_plain()); }
DimValue rule_arc(Infer *f, const Ast *a, DimEnv env) { return of_number(f, a, env, radian()); }

DimValue rule_circular(Infer *f, const Ast *a, DimEnv env) {
  mark_angles(f, a->items[0], env);
  return of_number(f, a, env, form_plain());
}

DimValue rule_same(Infer *f, const Ast *a, DimEnv env) { return dim_value(infer_scalar(f, a->items[0], env)); }

DimValue rule_alike(Infer *f, const Ast *a, DimEnv env) {
  Dim r = infer_scalar(f, a->items[0], env);
  for (uint32_t i = 1; i < a->count; i++)
    r = dim_plus(f, r, a->items[0]->span, infer_scalar(f, a->items[i], env), a->items[i]->span,
                 arena_printf(f->arena, "`%s` takes things of one unit", a->name));
  return dim_value(r);
}

DimValue rule_angle(Infer *f, const Ast *a, DimEnv env) {
  rule_alike(f, a, env);
  return dim_value(dim_of(radian()));
}

DimValue rule_choice(Infer *f, const Ast *a, DimEnv env) {
  if (a->count != 3) return dims_any();
  infer_scalar(f, a->items[0], env);
  return dim_value(dim_plus(f, infer_scalar(f, a->items[1], env), a->items[1]->span, infer_scalar(f, a->items[2], env),
                            a->items[2]->span, "`if` chooses between things of one unit"));
}

DimValue rule_level(Infer *f, const Ast *a, DimEnv env) {
  infer_scalar(f, a->items[0], env);
  return dim_value(dim_level());
}

// Of area 1 over a time: 1/s.
DimValue rule_impulse(Infer *f, const Ast *a, DimEnv env) {
  infer_scalar(f, a->items[0], env);
  Dim r = dim_rate(f, dim_of(form_plain()), 1);
  r.bare = true;
  return dim_value(r);
}

// ---- blocks

// Arguments of one dimension, from one argument to another.
static Dim group(Infer *f, const Ast *a, DimEnv env, uint32_t from, uint32_t to) {
  if (from >= a->count) return dim_literal(false);
  Dim r = infer_scalar(f, a->items[from], env);
  const char *why = arena_printf(f->arena, "`%s` takes them in one unit", a->name);
  for (uint32_t i = from + 1; i < to && i < a->count; i++)
    r = dim_plus(f, r, a->items[from]->span, infer_scalar(f, a->items[i], env), a->items[i]->span, why);
  return r;
}

static void seconds(Infer *f, const Ast *a, DimEnv env, uint32_t place) {
  if (place >= a->count) return;
  Dim time = dim_rate(f, dim_of(form_plain()), -1), given = infer_scalar(f, a->items[place], env);
  if (given.kind == dim_form && !given.scaled)
    infer_same(f, &given, a->items[place]->span, &time, (Span){0},
               arena_printf(f->arena, "the time of `%s` is", a->name));
}

// kp e, ki e s and kd e/s are of one dimension, and so are the limits.
DimValue rule_pid(Infer *f, const Ast *a, DimEnv env) {
  if (a->count < 5) return dims_any();
  Dim e = infer_scalar(f, a->items[0], env);
  Dim out = dim_times(f, infer_scalar(f, a->items[1], env), e, ratio_int(1));
  Dim by_sum = dim_rate(f, dim_times(f, infer_scalar(f, a->items[2], env), e, ratio_int(1)), -1);
  Dim by_rate = dim_rate(f, dim_times(f, infer_scalar(f, a->items[3], env), e, ratio_int(1)), 1);
  const char *why = "`pid` adds kp*e, ki times its integral and kd times its rate";
  out = dim_plus(f, out, a->items[1]->span, by_sum, a->items[2]->span, why);
  out = dim_plus(f, out, a->items[1]->span, by_rate, a->items[3]->span, why);
  for (uint32_t i = 5; i < a->count; i++)
    out = dim_plus(f, out, a->items[1]->span, infer_scalar(f, a->items[i], env), a->items[i]->span,
                   "it is a limit of `pid`");
  return dim_value(out);
}

DimValue rule_group(Infer *f, const Ast *a, DimEnv env) { return dim_value(group(f, a, env, 0, a->count)); }

DimValue rule_logic(Infer *f, const Ast *a, DimEnv env) {
  for (uint32_t i = 0; i < a->count; i++) infer_scalar(f, a->items[i], env);
  return dim_value(dim_level());
}

DimValue rule_integral(Infer *f, const Ast *a, DimEnv env) {
  Dim r = dim_rate(f, infer_scalar(f, a->items[0], env), -1);
  if (a->count > 1)
    r = dim_plus(f, r, a->span, infer_scalar(f, a->items[1], env), a->items[1]->span, "it starts there");
  for (uint32_t i = 2; i < a->count; i++) infer_scalar(f, a->items[i], env);
  return dim_value(r);
}

DimValue rule_delay(Infer *f, const Ast *a, DimEnv env) {
  seconds(f, a, env, 1);
  Dim r = infer_scalar(f, a->items[0], env);
  if (a->count > 2)
    r = dim_plus(f, r, a->items[0]->span, infer_scalar(f, a->items[2], env), a->items[2]->span,
                 "`delay` gives it before the start");
  return dim_value(r);
}

DimValue rule_pulse(Infer *f, const Ast *a, DimEnv env) {
  infer_scalar(f, a->items[0], env);
  seconds(f, a, env, 1);
  return dim_value(dim_level());
}

DimValue rule_switch(Infer *f, const Ast *a, DimEnv env) { return dim_value(group(f, a, env, 1, 2)); }

DimValue rule_compare(Infer *f, const Ast *a, DimEnv env) {
  group(f, a, env, 0, 2);
  return dim_value(group(f, a, env, 2, 4));
}

DimValue rule_hysteresis(Infer *f, const Ast *a, DimEnv env) {
  group(f, a, env, 0, 3);
  return dim_value(group(f, a, env, 3, a->count));
}

DimValue rule_friction(Infer *f, const Ast *a, DimEnv env) {
  infer_scalar(f, a->items[0], env);
  return dim_value(group(f, a, env, 1, a->count));
}
