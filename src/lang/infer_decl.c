// Dimensions of declared names: of their units, or variables; and a value against what it is for.
//
// A name with a unit has it; one without is a variable of its own, a vector one an entry. A `let` has the dimension of
// its text. The value of a name is compared with it term by term, so that a clash names the term; bare numbers fit any.
#include "lang/infer_inside.h"

#include "lang/settings.h"

static bool is_number(const Ast *a) {
  if (a->kind == ast_negate) return is_number(a->items[0]);
  if (a->kind == ast_list || a->kind == ast_matrix) {
    for (uint32_t i = 0; i < a->count; i++) {
      if (!is_number(a->items[i])) return false;
    }
    return true;
  }
  return a->kind == ast_number;
}

// ---- a value against what it is for

// The terms of a sum one by one, so that a clash names the term.
void infer_each_term(Infer *f, const Ast *a, DimEnv env, TermVisit *visit, const void *context) {
  if (a->kind != ast_sum || a->unit) {
    Dim d = infer_scalar(f, a, env);
    visit(f, &d, a->span, context);
    return;
  }
  for (uint32_t i = 0; i < a->count; i++) {
    Dim d = infer_scalar(f, a->items[i], env);
    visit(f, &d, a->items[i]->span, context);
  }
}

typedef struct TargetDim {
  Dim dim;
  const char *words; // "`x'` is"
} TargetDim;

static void against(Infer *f, const Dim *term, Span span, const void *context) {
  const TargetDim *t = context;
  infer_same(f, term, span, &t->dim, (Span){0}, t->words);
}

// value [unit] for something of the dimension of the target. Numbers may have left out their units.
void infer_match(Infer *f, const Item *item, DimEnv env, Dim target, const char *words) {
  const Ast *a = item->value;
  if (!a) return;
  bool before = f->lenient;
  f->lenient = true;
  TargetDim t = {target, words};
  if (item->unit->said) {
    DimValue v = infer_unit(f, infer_expr(f, a, env), item->unit, a->span);
    if (v.shape == value_scalar) infer_same(f, &v.scalar, a->span, &target, (Span){0}, words);
  } else if (!is_number(a) || a->unit) {
    infer_each_term(f, a, env, against, &t);
  }
  f->lenient = before;
}

const char *infer_called(Infer *f, const char *name, uint32_t primes) {
  const char *s = arena_printf(f->arena, "`%s%s` is", name, primes == 1 ? "'" : primes == 2 ? "''" : "");
  return s ? s : "";
}

// ---- declarations

// Names of one number, or of a vector with a number an entry.
static DimValue declared(Infer *f, const Decl *d, const Unit *unit, uint32_t rows, uint32_t cols, ValueShape shape) {
  uint32_t count = rows * cols;
  DimValue v = {shape, rows, cols, dim_wild(),
                shape == value_scalar ? NULL : arena_array(f->arena, count, sizeof(Dim))};
  if (shape != value_scalar && !v.items) return dim_value(dim_wild());
  for (uint32_t i = 0; i < count; i++) {
    Dim one = dim_of(unit->said ? form_of_unit(unit) : form_of_var(f, d->var ? d->var : infer_var(f, d->name)));
    if (shape == value_scalar) v.scalar = one;
    else v.items[i] = one;
  }
  return v;
}

static void match_value(Infer *f, Decl *d, const DimValue *declared) {
  const Item *item = d->changed ? d->changed->item : d->item;
  const Ast *a = item->value;
  DimEnv env = {NULL, d->changed ? d->changed->env : d->env};
  if (!a) return;
  Scope *before = names_enter(f->e, d->changed ? d->changed->scope : d->scope);
  if (declared->shape == value_scalar) {
    // a unit of the whole is what was declared: it is looked at later
    infer_match(f, item, env, declared->scalar, infer_called(f, d->name, 0));
  } else if (!is_number(a)) {
    DimValue v = infer_unit(f, infer_expr(f, a, env), item->unit, a->span);
    for (uint32_t i = 0;
         v.shape == declared->shape && i < v.rows * v.cols && v.rows == declared->rows && v.cols == declared->cols;
         i++) {
      infer_same(f, &v.items[i], a->span, &declared->items[i], (Span){0}, infer_called(f, d->name, 0));
    }
  }
  names_enter(f->e, before);
}

// A parameter that is a bare number says nothing: its variable is enough until it is used somewhere. (Variables are
// made in the order of declarations, because equations are solved for the youngest.)
static bool says_nothing(const Decl *d) {
  const Item *item = d->changed ? d->changed->item : d->item;
  return d->kind == decl_param && !d->structural && d->value.shape == value_scalar && !item_unit(d->item).said &&
         !item->unit->said && item->value && item->value->kind == ast_number && !item->value->unit;
}

void infer_begin(Infer *f, Decl *d) {
  if (d->dims || d->var) return;
  if (says_nothing(d)) d->var = infer_var(f, d->name);
  else infer_decl(f, d);
}

// A multiplier times its constraint is an energy; times one on velocities it is a power.
static DimValue multiplier(Infer *f, Decl *d) {
  bool lenient = f->lenient;
  f->lenient = true;
  Scope *before = names_enter(f->e, d->scope);
  DimValue v = infer_expr(f, d->item->value, (DimEnv){NULL, d->env});
  names_enter(f->e, before);
  f->lenient = lenient;
  Dim energy = dim_of(form_of_var(f, f->energy));
  for (uint32_t i = 0; v.shape && i < dims_count(&v) && i < value_count(&d->value); i++) {
    Dim *own = v.shape == value_scalar ? &v.scalar : &v.items[i];
    bool rate = f->e->model->constraints.items[d->index + i].velocities;
    *own = own->kind == dim_form ? dim_rate(f, dim_times(f, energy, *own, ratio_int(-1)), rate) : dim_wild();
  }
  if (vec_push(f->arena, &f->values, v)) d->dims = f->values.count;
  return v;
}

// A loop comes back to a definition: its value is an unknown, of the shape that it has.
static DimValue loop_value(Infer *f, Decl *d) {
  bool shaped = d->value.shape == value_vector || d->value.shape == value_matrix;
  DimValue v = declared(f, d, d->item->unit, shaped ? d->value.rows : 1, shaped ? d->value.cols : 1,
                        shaped ? d->value.shape : value_scalar);
  if (vec_push(f->arena, &f->values, v)) d->dims = f->values.count;
  return v;
}

// The text of the definition is what the loop took for its value. Numbers may have left out their units.
static void close_loop(Infer *f, Decl *d, const DimValue *text) {
  DimValue v = f->values.items[d->dims - 1];
  bool lenient = f->lenient;
  f->lenient = true;
  for (uint32_t i = 0; text->shape == v.shape && text->rows == v.rows && text->cols == v.cols && i < dims_count(&v);
       i++) {
    Dim one = dim_item(text, i), own = dim_item(&v, i);
    infer_same(f, &one, d->item->value->span, &own, (Span){0}, infer_called(f, d->name, 0));
  }
  f->lenient = lenient;
}

// A definition has the dimension of its text.
static DimValue defined(Infer *f, Decl *d) {
  if (d->inferring) return loop_value(f, d);
  DimValue v = dim_value(dim_wild());
  bool lenient = f->lenient;
  f->lenient = false;
  d->inferring = true;
  Scope *before = names_enter(f->e, d->scope);
  if (d->item->value)
    v = infer_unit(f, infer_expr(f, d->item->value, (DimEnv){NULL, d->env}), d->item->unit, d->item->span);
  names_enter(f->e, before);
  d->inferring = false;
  f->lenient = lenient;
  if (d->dims) close_loop(f, d, &v);
  else if (vec_push(f->arena, &f->values, v)) d->dims = f->values.count;
  return d->dims ? f->values.items[d->dims - 1] : v;
}

DimValue infer_decl(Infer *f, Decl *d) {
  if (d->dims) return f->values.items[d->dims - 1];
  DimValue v = dim_value(dim_wild());
  if (d->kind == decl_part || d->kind == decl_fun) return v;
  if (d->kind >= decl_node && d->kind <= decl_ball) return infer_linked(f, d);
  if (d->kind == decl_multiplier) return multiplier(f, d);
  if (d->kind == decl_let || d->kind == decl_output) return defined(f, d);
  Unit unit = item_unit(d->item);
  bool param = d->kind == decl_param && d->value.shape;
  v = declared(f, d, &unit, param ? d->value.rows : 1, param ? d->value.cols : 1,
               param ? d->value.shape : value_scalar);
  if (!vec_push(f->arena, &f->values, v)) return v;
  d->dims = f->values.count;
  // counts are plain numbers
  if (d->structural && v.shape == value_scalar) infer_equal(f, v.scalar.form, form_plain(), d->span);
  match_value(f, d, &v);
  return v;
}
