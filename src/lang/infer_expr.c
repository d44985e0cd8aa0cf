// Dimensions of expressions, read from their text as eval.c reads their values.
#include "lang/infer.h"

#include <string.h>

enum { deepest = 500, most_work = 4000000 };

static DimValue none(void) { return (DimValue){.shape = value_bad}; }
static DimValue any(void) { return dim_value(dim_wild()); }

static DimValue new_value(Infer *f, ValueShape shape, uint32_t rows, uint32_t cols) {
  uint64_t count = (uint64_t)rows * cols;
  f->work += count;
  if (f->work > most_work) f->cut = true;
  DimValue v = {shape, rows, cols, dim_wild(), f->cut ? NULL : arena_array(f->arena, (size_t)count, sizeof(Dim))};
  if (!v.items) return none();
  for (uint64_t i = 0; i < count; i++) v.items[i] = dim_wild();
  return v;
}

static uint32_t count_of(const DimValue *v) { return v->rows * v->cols; }

Dim infer_scalar(Infer *f, const Ast *a, DimEnv env) {
  DimValue v = infer_expr(f, a, env);
  return v.shape == value_scalar ? v.scalar : dim_wild();
}

// ---- what formulas do with dimensions

static Dim times(Infer *f, Dim a, Dim b, Ratio power) {
  if (a.kind == dim_number && b.kind == dim_number) return dim_literal(a.odd || b.odd);
  bool odd = (a.kind == dim_number && a.odd) || (b.kind == dim_number && b.odd);
  if (a.kind == dim_any || b.kind == dim_any || odd) return dim_wild();
  bool scaled = a.kind == dim_number || b.kind == dim_number || a.scaled || b.scaled;
  Dim r = dim_of(form_mul(f, a.form, b.form, power));
  r.scaled = scaled;
  return r;
}

static Dim raised(Infer *f, Dim a, Ratio power) {
  if (a.kind != dim_form) return a;
  Dim r = dim_of(form_mul(f, form_plain(), a.form, power));
  r.scaled = a.scaled;
  r.bare = a.bare;
  return r;
}

// What is added to an angle is one, for reading.
static void mark_angle(Infer *f, const Dim *angle, const Dim *other) {
  Dimension known;
  bool var = other->form.count == 1 && other->form.terms[0].power.num == 1 && other->form.terms[0].power.den == 1;
  if (var && dim_known(f, angle, &known) && known.power[unit_angle].num == 1 && known.power[unit_angle].den == 1)
    f->vars.items[other->form.terms[0].var].angle = true;
}

// Two terms of one sum.
static Dim plus(Infer *f, Dim a, Span at_a, Dim b, Span at_b, const char *why) {
  if (a.kind == dim_form && b.kind == dim_form) {
    if (!infer_same(f, &b, at_b, &a, at_a, why)) return dim_wild(); // one complaint is enough
    mark_angle(f, &a, &b);
    mark_angle(f, &b, &a);
    bool certain = !b.scaled && !b.bare;
    return (a.scaled || a.bare) && certain ? b : a;
  }
  if (a.kind == dim_form || b.kind == dim_form) return a.kind == dim_form ? a : b;
  return a.kind == dim_any || b.kind == dim_any ? dim_wild() : dim_literal(a.odd || b.odd);
}

static Dim rate(Infer *f, Dim a, uint32_t order) {
  Form second = form_plain();
  second.base.power[unit_second] = ratio_int(1);
  if (a.kind != dim_form) return a;
  a.form = form_mul(f, a.form, second, ratio_int(-(int32_t)order));
  return a;
}

// A plain number; `like`: the name of what asks for it.
static void plain(Infer *f, const Dim *d, Span span, const char *what) {
  if (d->kind != dim_form || d->scaled) return;
  Dim one = dim_of(form_plain());
  infer_same(f, d, span, &one, (Span){0}, what);
}

static bool mentions_time(const Ast *a) {
  if (a->kind == ast_name && strcmp(a->name, "t") == 0) return true;
  for (uint32_t i = 0; i < a->count; i++) {
    if (mentions_time(a->items[i])) return true;
  }
  return false;
}

// ---- numbers as factors

// Numbers that formulas have: 2, 4, 1/2, 3/2, 1/12. Decimals only where they are such fractions.
static bool of_formula(Rat r) {
  if (r.big || !r.den) return false;
  int64_t n = r.num < 0 ? -r.num : r.num;
  if (r.den == 1) return n == 0 || n == 1 || n == 2 || n == 4 || n == 8 || n == 16;
  return n <= 24 && r.den <= 24;
}

static DimValue product(Infer *f, const Ast *a, DimEnv env) {
  Dim scalar = dim_literal(false);
  Rat number = RAT_ONE;
  bool decimal = false, pi = false;
  DimValue tensor = none();
  for (uint32_t i = 0; i < a->count; i++) {
    const Ast *x = a->items[i];
    bool divides = a->ops[i] == '/';
    DimValue v = infer_expr(f, x, env);
    if (!v.shape) return any();
    if (v.shape == value_scalar) {
      if (x->kind == ast_number && !x->unit) {
        // gathered, so that 3/2 is one number
        decimal = decimal || (x->number.den != 1 && x->number.den != 2 && x->number.den != 4 && x->number.den != 8);
        number = divides ? rat_div(f->arena, number, x->number) : rat_mul(f->arena, number, x->number);
        v.scalar.odd = false;
      }
      pi = pi || (x->kind == ast_name && strcmp(x->name, "pi") == 0);
      scalar = i == 0 && !divides ? v.scalar : times(f, scalar, v.scalar, ratio_int(divides ? -1 : 1));
    } else if (!tensor.shape) {
      tensor = v;
    } else if (tensor.shape == value_matrix && tensor.cols == v.rows) {
      f->work += (uint64_t)tensor.rows * tensor.cols * v.cols;
      DimValue r = new_value(f, v.shape == value_matrix ? value_matrix : value_vector, tensor.rows, v.cols);
      for (uint32_t row = 0; r.shape && row < tensor.rows; row++) {
        for (uint32_t col = 0; col < v.cols; col++) {
          Dim sum = dim_literal(false);
          for (uint32_t k = 0; k < v.rows; k++)
            sum = plus(f, sum, a->span,
                       times(f, tensor.items[row * tensor.cols + k], v.items[k * v.cols + col], ratio_int(1)), a->span,
                       "in this product of matrices");
          r.items[row * v.cols + col] = sum;
        }
      }
      tensor = r;
      if (!tensor.shape) return any();
    } else {
      return any();
    }
  }
  bool odd = decimal || !of_formula(number);
  if (odd) scalar = times(f, scalar, dim_literal(true), ratio_int(1));
  // 180/pi*th is in degrees
  Dimension d;
  if (pi && scalar.kind == dim_form && dim_known(f, &scalar, &d) && d.power[unit_angle].num) scalar = dim_wild();
  if (!tensor.shape) return dim_value(scalar);
  DimValue r = new_value(f, tensor.shape, tensor.rows, tensor.cols);
  for (uint32_t i = 0; r.shape && i < count_of(&r); i++) r.items[i] = times(f, tensor.items[i], scalar, ratio_int(1));
  return r.shape ? r : any();
}

static DimValue sum(Infer *f, const Ast *a, DimEnv env) {
  DimValue total = infer_expr(f, a->items[0], env);
  Span at = a->items[0]->span;
  for (uint32_t i = 1; i < a->count; i++) {
    DimValue v = infer_expr(f, a->items[i], env);
    if (!total.shape || !v.shape || total.shape != v.shape || count_of(&total) != count_of(&v)) {
      total = any();
      continue;
    }
    if (total.shape == value_scalar) {
      bool known = total.scalar.kind == dim_form;
      total.scalar = plus(f, total.scalar, at, v.scalar, a->items[i]->span, NULL);
      if (!known) at = a->items[i]->span;
      continue;
    }
    DimValue r = new_value(f, total.shape, total.rows, total.cols);
    for (uint32_t k = 0; r.shape && k < count_of(&r); k++)
      r.items[k] = plus(f, total.items[k], at, v.items[k], a->items[i]->span, NULL);
    total = r;
  }
  return total.shape ? total : any();
}

static DimValue power(Infer *f, const Ast *a, DimEnv env) {
  Dim base = infer_scalar(f, a->items[0], env), exponent = infer_scalar(f, a->items[1], env);
  if (base.kind != dim_form) return dim_value(base);
  if (exponent.kind != dim_number) {
    plain(f, &exponent, a->items[1]->span, "an exponent is");
    Dimension d, one = dimension_plain();
    bool known = dim_known(f, &base, &d);
    return known && dimension_same(&d, &one) ? dim_value(dim_of(form_plain())) : any();
  }
  // the number itself: numbers are evaluated once more
  f->e->constant++;
  ExprId id = eval_scalar(f->e, a->items[1], env.elab, "an exponent");
  f->e->constant--;
  Rat r;
  if (!id || !expr_number(f->e->pool, id, &r) || r.big || r.num > 100 || r.num < -100 || r.den > 100) return any();
  return dim_value(raised(f, base, (Ratio){(int32_t)r.num, (int32_t)r.den}));
}

// ---- functions

static const DimBinding *find_local(DimEnv env, const char *name) {
  for (const DimBinding *b = env.dims; b; b = b->next) {
    if (strcmp(b->name, name) == 0) return b;
  }
  return NULL;
}

static bool is_index(DimEnv env, const char *name) {
  for (const Binding *b = env.elab; b; b = b->next) {
    if (strcmp(b->name, name) == 0) return true;
  }
  return false;
}

static bool bind(Infer *f, DimEnv *env, const char *name, DimValue dims, Value value) {
  DimBinding *d = arena_new_of(f->arena, DimBinding);
  Binding *b = arena_new_of(f->arena, Binding);
  if (!d || !b) return false;
  *d = (DimBinding){name, dims, env->dims};
  *b = (Binding){name, value, env->elab};
  env->dims = d;
  env->elab = b;
  return true;
}

// Whole numbers go into functions as such: they may be indices there.
static Value whole_value(Infer *f, const Ast *a, DimEnv env) {
  if (a->kind == ast_number && !a->unit) return value_of(expr_num(f->e->pool, a->number));
  if (a->kind != ast_name) return value_none();
  for (const Binding *b = env.elab; b; b = b->next) {
    if (strcmp(b->name, a->name) == 0) return b->value;
  }
  return value_none();
}

static DimValue call_body(Infer *f, Decl *d, DimEnv inner) {
  bool lenient = f->lenient;
  f->lenient = false;
  Scope *before = scope_enter(f->e, d->scope);
  DimValue v = infer_unit(f, infer_expr(f, d->item->value, inner), &d->item->unit, d->item->span);
  scope_enter(f->e, before);
  f->lenient = lenient;
  return v;
}

static DimValue call_fun(Infer *f, Decl *d, Ast *const *given, uint32_t count, DimEnv env, uint32_t primes) {
  DimEnv inner = {0};
  Dim first = dim_wild();
  if (count != d->item->args.count || !d->item->value) return any();
  for (uint32_t i = 0; i < count; i++) {
    DimValue v = infer_expr(f, given[i], env);
    if (i == 0 && v.shape == value_scalar) first = v.scalar;
    if (!bind(f, &inner, d->item->args.items[i], v, whole_value(f, given[i], env))) return any();
  }
  DimValue v = call_body(f, d, inner);
  // gm'(i): by its argument
  if (primes && v.shape == value_scalar) v.scalar = times(f, v.scalar, first, ratio_int(-(int32_t)primes));
  return v;
}

// The s with fun(s) = y.
static DimValue call_inverse_of(Infer *f, Decl *d, const Ast *y, DimEnv env) {
  Dim value = infer_scalar(f, y, env), s = dim_of(form_of_var(f, infer_var(f, NULL)));
  DimEnv inner = {0};
  if (d->item->args.count != 1 || !d->item->value ||
      !bind(f, &inner, d->item->args.items[0], dim_value(s), value_none()))
    return any();
  DimValue body = call_body(f, d, inner);
  if (body.shape == value_scalar)
    infer_same(f, &body.scalar, d->item->span, &value, y->span, "the inverse has this value");
  return dim_value(s);
}

static DimValue call_integral_of(Infer *f, const Ast *a, DimEnv env) {
  if (a->count != 4 || a->items[1]->kind != ast_name) return any();
  Dim from = infer_scalar(f, a->items[2], env), to = infer_scalar(f, a->items[3], env);
  Dim s = plus(f, from, a->items[2]->span, to, a->items[3]->span, "they are the bounds of one integral");
  if (s.kind == dim_number) s = dim_of(form_of_var(f, infer_var(f, NULL)));
  DimEnv inner = env;
  if (!bind(f, &inner, a->items[1]->name, dim_value(s), value_none())) return any();
  return dim_value(times(f, infer_scalar(f, a->items[0], inner), s, ratio_int(1)));
}

static DimValue call_sum(Infer *f, const Ast *a, DimEnv env) {
  int64_t from, to;
  if (a->count != 4 || a->items[1]->kind != ast_name || !eval_integer(f->e, a->items[2], env.elab, "a bound", &from) ||
      !eval_integer(f->e, a->items[3], env.elab, "a bound", &to))
    return any();
  DimValue total = dim_value(dim_literal(false));
  for (int64_t i = from; i <= to && !f->cut; i++) {
    DimEnv inner = env;
    if (!bind(f, &inner, a->items[1]->name, dim_value(dim_literal(false)), value_of(expr_int(f->e->pool, i))))
      return any();
    DimValue v = infer_expr(f, a->items[0], inner);
    if (i == from) total = v;
    else if (v.shape != total.shape || count_of(&v) != count_of(&total)) return any();
    else if (v.shape == value_scalar)
      total.scalar = plus(f, total.scalar, a->items[0]->span, v.scalar, a->items[0]->span, "for different indices");
    else if (v.shape) {
      for (uint32_t k = 0; k < count_of(&v); k++)
        total.items[k] =
            plus(f, total.items[k], a->items[0]->span, v.items[k], a->items[0]->span, "for different indices");
    }
  }
  return total;
}

static DimValue call_vectors(Infer *f, const Ast *a, DimEnv env) {
  DimValue u = infer_expr(f, a->items[0], env), v = a->count > 1 ? infer_expr(f, a->items[1], env) : none();
  bool pair = u.shape == value_vector && v.shape == value_vector && u.rows == v.rows;
  if (strcmp(a->name, "dot") == 0) {
    if (!pair) return any();
    Dim r = dim_literal(false);
    for (uint32_t i = 0; i < u.rows; i++)
      r = plus(f, r, a->span, times(f, u.items[i], v.items[i], ratio_int(1)), a->span, "in this product of vectors");
    return dim_value(r);
  }
  if (strcmp(a->name, "cross") == 0) {
    DimValue r = pair && u.rows == 3 ? new_value(f, value_vector, 3, 1) : none();
    for (uint32_t i = 0; r.shape && i < 3; i++) {
      uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
      r.items[i] = plus(f, times(f, u.items[j], v.items[k], ratio_int(1)), a->span,
                        times(f, u.items[k], v.items[j], ratio_int(1)), a->span, "in this product of vectors");
    }
    return r.shape ? r : any();
  }
  // transpose, and the inverse of a matrix: entry by entry, the other way round
  bool inverse = strcmp(a->name, "inverse") == 0;
  if (u.shape == value_scalar) return dim_value(inverse ? raised(f, u.scalar, ratio_int(-1)) : u.scalar);
  if (u.shape != value_matrix) return u.shape == value_vector && !inverse ? u : any();
  DimValue r = new_value(f, value_matrix, u.cols, u.rows);
  for (uint32_t i = 0; r.shape && i < u.rows; i++) {
    for (uint32_t k = 0; k < u.cols; k++) {
      Dim d = u.items[i * u.cols + k];
      r.items[k * u.rows + i] = !inverse ? d : d.kind == dim_form ? raised(f, d, ratio_int(-1)) : dim_wild();
    }
  }
  return r.shape ? r : any();
}

static DimValue call_diag(Infer *f, const Ast *a, DimEnv env) {
  DimValue r = new_value(f, value_matrix, a->count, a->count);
  for (uint32_t i = 0; i < a->count; i++) {
    Dim d = infer_scalar(f, a->items[i], env);
    for (uint32_t k = 0; r.shape && k < a->count; k++) r.items[i * a->count + k] = i == k ? d : dim_literal(false);
  }
  return r.shape ? r : any();
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
      (a->kind == ast_name && find_local(env, a->name)))
    return;
  if (path_find(f->e, a, env.elab, &d) != path_found || d->kind > decl_state) return;
  DimValue v = infer_decl(f, d);
  if (v.shape == value_scalar && v.scalar.kind == dim_form && v.scalar.form.count == 1)
    f->vars.items[v.scalar.form.terms[0].var].angle = true;
}

static bool named(const char *name, const char *const *list) {
  for (; *list; list++) {
    if (strcmp(name, *list) == 0) return true;
  }
  return false;
}

static DimValue call_builtin(Infer *f, const Ast *a, DimEnv env) {
  static const char *const circular[] = {"sin", "cos", "tan", NULL};
  static const char *const pure[] = {"sin",  "cos",  "tan", "asin", "acos",  "atan", "sinh",
                                     "cosh", "tanh", "exp", "ln",   "log10", NULL};
  static const char *const arcs[] = {"asin", "acos", "atan", "atan2", NULL};
  static const char *const same[] = {"abs", "floor", "ramp", NULL};
  static const char *const alike[] = {"min", "max", "mod", "atan2", NULL};
  static const char *const matrices[] = {"dot", "cross", "transpose", "inverse", NULL};
  const char *name = a->name;
  if (strcmp(name, "sqrt") == 0) return dim_value(raised(f, infer_scalar(f, a->items[0], env), (Ratio){1, 2}));
  if (strcmp(name, "sum") == 0) return call_sum(f, a, env);
  if (strcmp(name, "integral_of") == 0) return call_integral_of(f, a, env);
  if (strcmp(name, "diag") == 0) return call_diag(f, a, env);
  if (named(name, matrices)) return call_vectors(f, a, env);
  Form angle = form_plain();
  angle.base.power[unit_angle] = ratio_int(1);
  if (named(name, pure)) {
    if (named(name, circular)) mark_angles(f, a->items[0], env);
    Dim d = infer_scalar(f, a->items[0], env);
    plain(f, &d, a->items[0]->span, arena_printf(f->arena, "the argument of `%s` is", name));
    // an amplitude that is left out of a signal fits any, as a number does
    if (d.kind == dim_number || mentions_time(a->items[0])) return dim_value(dim_literal(false));
    Dim r = dim_of(named(name, arcs) ? angle : form_plain());
    r.bare = true;
    return dim_value(r);
  }
  if (named(name, same)) return dim_value(infer_scalar(f, a->items[0], env));
  if (named(name, alike)) {
    Dim r = infer_scalar(f, a->items[0], env);
    for (uint32_t i = 1; i < a->count; i++)
      r = plus(f, r, a->items[0]->span, infer_scalar(f, a->items[i], env), a->items[i]->span,
               arena_printf(f->arena, "`%s` takes things of one unit", name));
    return dim_value(strcmp(name, "atan2") == 0 ? dim_of(angle) : r);
  }
  if (strcmp(name, "if") == 0 && a->count == 3) {
    infer_scalar(f, a->items[0], env);
    return dim_value(plus(f, infer_scalar(f, a->items[1], env), a->items[1]->span, infer_scalar(f, a->items[2], env),
                          a->items[2]->span, "`if` chooses between things of one unit"));
  }
  if (strcmp(name, "step") == 0 || strcmp(name, "sign") == 0) {
    infer_scalar(f, a->items[0], env);
    return dim_value(dim_literal(false));
  }
  return any(); // tables, noise, and what is not known here
}

// ---- blocks

// Arguments of one dimension, from one place to another.
static Dim group(Infer *f, const Ast *a, DimEnv env, uint32_t from, uint32_t to) {
  if (from >= a->count) return dim_literal(false);
  Dim r = infer_scalar(f, a->items[from], env);
  const char *why = arena_printf(f->arena, "`%s` takes them in one unit", a->name);
  for (uint32_t i = from + 1; i < to && i < a->count; i++)
    r = plus(f, r, a->items[from]->span, infer_scalar(f, a->items[i], env), a->items[i]->span, why);
  return r;
}

static void seconds(Infer *f, const Ast *a, DimEnv env, uint32_t place) {
  if (place >= a->count) return;
  Dim time = rate(f, dim_of(form_plain()), (uint32_t)-1), given = infer_scalar(f, a->items[place], env);
  if (given.kind == dim_form && !given.scaled)
    infer_same(f, &given, a->items[place]->span, &time, (Span){0},
               arena_printf(f->arena, "the time of `%s` is", a->name));
}

// kp e, ki e s and kd e/s are of one dimension, and so are the limits.
static DimValue call_pid(Infer *f, const Ast *a, DimEnv env) {
  if (a->count < 5) return any();
  Dim e = infer_scalar(f, a->items[0], env);
  Dim out = times(f, infer_scalar(f, a->items[1], env), e, ratio_int(1));
  Dim by_sum = rate(f, times(f, infer_scalar(f, a->items[2], env), e, ratio_int(1)), (uint32_t)-1);
  Dim by_rate = rate(f, times(f, infer_scalar(f, a->items[3], env), e, ratio_int(1)), 1);
  const char *why = "`pid` adds kp*e, ki times its integral and kd times its rate";
  out = plus(f, out, a->items[1]->span, by_sum, a->items[2]->span, why);
  out = plus(f, out, a->items[1]->span, by_rate, a->items[3]->span, why);
  for (uint32_t i = 5; i < a->count; i++)
    out =
        plus(f, out, a->items[1]->span, infer_scalar(f, a->items[i], env), a->items[i]->span, "it is a limit of `pid`");
  return dim_value(out);
}

static DimValue call_block(Infer *f, const Ast *a, DimEnv env) {
  static const char *const same[] = {"limit", "rectify", "deadzone", "backlash", NULL};
  static const char *const logic[] = {"all", "nand", "any", "nor", "latch", NULL};
  const char *name = a->name;
  if (a->count == 0) return any();
  if (named(name, same)) return dim_value(group(f, a, env, 0, a->count));
  if (named(name, logic)) return dim_value(dim_literal(false));
  if (strcmp(name, "integral") == 0) {
    Dim r = rate(f, infer_scalar(f, a->items[0], env), (uint32_t)-1);
    if (a->count > 1) r = plus(f, r, a->span, infer_scalar(f, a->items[1], env), a->items[1]->span, "it starts there");
    return dim_value(r);
  }
  if (strcmp(name, "delay") == 0) {
    seconds(f, a, env, 1);
    Dim r = infer_scalar(f, a->items[0], env);
    if (a->count > 2)
      r = plus(f, r, a->items[0]->span, infer_scalar(f, a->items[2], env), a->items[2]->span,
               "`delay` gives it before the start");
    return dim_value(r);
  }
  if (strcmp(name, "pulse") == 0) {
    seconds(f, a, env, 1);
    return dim_value(dim_literal(false));
  }
  if (strcmp(name, "switch") == 0) return dim_value(group(f, a, env, 1, 2));
  if (strcmp(name, "compare") == 0) {
    group(f, a, env, 0, 2);
    return dim_value(group(f, a, env, 2, 4));
  }
  if (strcmp(name, "hysteresis") == 0) {
    group(f, a, env, 0, 3);
    return dim_value(group(f, a, env, 3, a->count));
  }
  if (strcmp(name, "friction") == 0) {
    infer_scalar(f, a->items[0], env);
    return dim_value(group(f, a, env, 1, a->count));
  }
  return strcmp(name, "pid") == 0 ? call_pid(f, a, env)
                                  : any(); // what a transfer function does to a unit its text does not say
}

static DimValue call(Infer *f, const Ast *a, DimEnv env) {
  if (is_block(a->name)) return call_block(f, a, env);
  if (is_builtin(a->name)) return call_builtin(f, a, env);
  Decl *d = decl_find(f->e, a->name);
  return d && d->kind == decl_fun ? call_fun(f, d, a->items, a->count, env, a->primes) : any();
}

static DimValue apply(Infer *f, const Ast *a, DimEnv env) {
  const Ast *callee = a->items[0];
  Decl *d = NULL;
  if (callee->kind == ast_field) {
    bool found = path_find(f->e, callee, env.elab, &d) == path_found && d->kind == decl_fun;
    return found ? call_fun(f, d, a->items + 1, a->count - 1, env, a->primes) : any();
  }
  bool inverse =
      callee->kind == ast_call && callee->count == 1 && strcmp(callee->name, "inverse") == 0 && a->count == 2;
  if (!inverse || path_find(f->e, callee->items[0], env.elab, &d) != path_found || d->kind != decl_fun) return any();
  return call_inverse_of(f, d, a->items[1], env);
}

// ---- names

DimValue infer_unit(Infer *f, DimValue v, const Unit *unit, Span span) {
  if (!unit->said || !v.shape) return v;
  uint32_t count = count_of(&v);
  if (v.shape != value_scalar) {
    DimValue r = new_value(f, v.shape, v.rows, v.cols);
    for (uint32_t i = 0; r.shape && i < count; i++) r.items[i] = dim_of(form_of_unit(unit));
    for (uint32_t i = 0; i < count; i++) {
      if (v.items[i].kind == dim_form) vec_push(f->arena, &f->later, (DimLater){v.items[i], *unit, span});
    }
    return r.shape ? r : any();
  }
  if (v.scalar.kind == dim_form) vec_push(f->arena, &f->later, (DimLater){v.scalar, *unit, span});
  return dim_value(dim_of(form_of_unit(unit)));
}

static DimValue name(Infer *f, const Ast *a, DimEnv env) {
  const DimBinding *b = find_local(env, a->name);
  if (b) return b->value.shape ? b->value : any();
  if (is_index(env, a->name)) return dim_value(dim_literal(false));
  if (strcmp(a->name, "t") == 0) return dim_value(rate(f, dim_of(form_plain()), (uint32_t)-1));
  if (strcmp(a->name, "pi") == 0) return dim_value(dim_literal(false));
  if (strcmp(a->name, "inf") == 0) return any();
  Decl *d = decl_find(f->e, a->name);
  return d ? infer_decl(f, d) : any();
}

static DimValue entry(Infer *f, const Ast *a, DimEnv env) {
  Decl *d;
  if (path_find(f->e, a, env.elab, &d) == path_found) return infer_decl(f, d);
  DimValue v = infer_expr(f, a->items[0], env);
  int64_t i = 1, k = 1;
  if (v.shape != value_vector && v.shape != value_matrix) return any();
  if (a->kind == ast_field) {
    i = (int64_t)(a->name[0] - 'x') + 1;
  } else {
    if (!eval_integer(f->e, a->items[1], env.elab, "an index", &i)) return any();
    if (v.shape == value_matrix && (a->count != 3 || !eval_integer(f->e, a->items[2], env.elab, "an index", &k)))
      return any();
  }
  if (i < 1 || k < 1 || i > v.rows || k > v.cols) return any();
  return dim_value(v.items[(uint32_t)(i - 1) * v.cols + (uint32_t)(k - 1)]);
}

static DimValue list(Infer *f, const Ast *a, DimEnv env) {
  uint32_t cols = a->kind == ast_matrix ? a->count / a->rows : 1;
  DimValue r = new_value(f, a->kind == ast_matrix ? value_matrix : value_vector, a->count / cols, cols);
  for (uint32_t i = 0; i < a->count; i++) {
    Dim d = infer_scalar(f, a->items[i], env);
    if (r.shape) r.items[i] = d;
  }
  return r.shape ? r : any();
}

static DimValue bars(Infer *f, const Ast *a, DimEnv env) {
  DimValue v = infer_expr(f, a->items[0], env);
  if (v.shape != value_vector) return v.shape == value_scalar ? v : any();
  Dim r = v.items[0];
  for (uint32_t i = 1; i < v.rows; i++)
    r = plus(f, r, a->span, v.items[i], a->span, "the length of a vector adds its entries up");
  return dim_value(r);
}

static DimValue node(Infer *f, const Ast *a, DimEnv env) {
  switch (a->kind) {
  case ast_number:
    if (rat_is_zero(a->number)) return any(); // nothing of anything
    return dim_value(dim_literal(!of_formula(a->number) || (a->number.den != 1 && a->number.den != 2 &&
                                                            a->number.den != 4 && a->number.den != 8)));
  case ast_name: return name(f, a, env);
  case ast_string: return any();
  case ast_sum: return sum(f, a, env);
  case ast_product: return product(f, a, env);
  case ast_negate: return infer_expr(f, a->items[0], env);
  case ast_power: return power(f, a, env);
  case ast_prime: {
    DimValue v = infer_expr(f, a->items[0], env);
    if (v.shape == value_scalar) return dim_value(rate(f, v.scalar, a->primes));
    DimValue r = v.shape ? new_value(f, v.shape, v.rows, v.cols) : none();
    for (uint32_t i = 0; r.shape && i < count_of(&r); i++) r.items[i] = rate(f, v.items[i], a->primes);
    return r.shape ? r : any();
  }
  case ast_call: return call(f, a, env);
  case ast_apply: return apply(f, a, env);
  case ast_field:
    if (a->items[0]->kind == ast_name && strcmp(a->items[0]->name, "energy") == 0 && !decl_find(f->e, "energy"))
      return dim_value(dim_of(form_of_var(f, f->energy)));
    return entry(f, a, env);
  case ast_index: return entry(f, a, env);
  case ast_list:
  case ast_matrix: return list(f, a, env);
  case ast_bars: return bars(f, a, env);
  case ast_compare: {
    Dim x = infer_scalar(f, a->items[0], env), y = infer_scalar(f, a->items[1], env);
    plus(f, x, a->items[0]->span, y, a->items[1]->span, "they are compared");
    return dim_value(dim_literal(false));
  }
  case ast_and:
  case ast_or:
  case ast_not:
    for (uint32_t i = 0; i < a->count; i++) infer_scalar(f, a->items[i], env);
    return dim_value(dim_literal(false));
  }
  return any();
}

DimValue infer_expr(Infer *f, const Ast *a, DimEnv env) {
  if (++f->work > most_work || f->depth >= deepest || arena_failed(f->arena)) f->cut = true;
  if (f->cut) return any();
  f->depth++;
  DimValue v = node(f, a, env);
  f->depth--;
  return a->unit ? infer_unit(f, v, a->unit, a->span) : v;
}
