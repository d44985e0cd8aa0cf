// Dimensions of calls: the words of the language by their rules, the user's functions by their bodies.
//
// A body is walked with the dimensions of its arguments bound, once for each call, so one function may serve several
// units. The inverse of a function has a new variable s as its value, and the body of s is what was given.
#include "lang/infer_inside.h"

#include "lang/eval.h"
#include "lang/words.h"

#include <string.h>

// In the order of word_call_at.
static DimRule *const rules[] = {
#define FUNCTION(word, least, most, shape, rule, picture, line) rule_##rule,
#define ELEMENTARY(word, least, most, rule, picture) rule_##rule,
#define BLOCK(word, least, most, rule, picture, line) rule_##rule,
#include "lang/words.def"
};

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
  Scope *before = names_enter(f->e, d->scope);
  DimValue v = infer_unit(f, infer_expr(f, d->item->value, inner), d->item->unit, d->item->span);
  names_enter(f->e, before);
  f->lenient = lenient;
  return v;
}

static DimValue call_fun(Infer *f, Decl *d, Ast *const *given, uint32_t count, DimEnv env, uint32_t primes) {
  DimEnv inner = {0};
  Dim first = dim_wild();
  if (count != d->item->args->count || !d->item->value) return dims_any();
  for (uint32_t i = 0; i < count; i++) {
    DimValue v = infer_expr(f, given[i], env);
    if (i == 0 && v.shape == value_scalar) first = v.scalar;
    if (!infer_bind(f, &inner, d->item->args->items[i], v, whole_value(f, given[i], env))) return dims_any();
  }
  DimValue v = call_body(f, d, inner);
  // gm'(i): by its argument
  if (primes && v.shape == value_scalar) v.scalar = dim_times(f, v.scalar, first, ratio_int(-(int32_t)primes));
  return v;
}

// The s with fun(s) = y.
static DimValue call_inverse_of(Infer *f, Decl *d, const Ast *y, DimEnv env) {
  Dim value = infer_scalar(f, y, env), s = dim_of(form_of_var(f, infer_var(f, NULL)));
  DimEnv inner = {0};
  if (d->item->args->count != 1 || !d->item->value ||
      !infer_bind(f, &inner, d->item->args->items[0], dim_value(s), value_none()))
    return dims_any();
  DimValue body = call_body(f, d, inner);
  if (body.shape == value_scalar)
    infer_same(f, &body.scalar, d->item->span, &value, y->span, "the inverse has this value");
  return dim_value(s);
}

// The s with e(s) = y.
static DimValue formula_inverse(Infer *f, const Ast *callee, const Ast *y, DimEnv env) {
  Dim value = infer_scalar(f, y, env), s = dim_of(form_of_var(f, infer_var(f, NULL)));
  DimEnv inner = env;
  if (callee->items[1]->kind != ast_name || !infer_bind(f, &inner, callee->items[1]->name, dim_value(s), value_none()))
    return dims_any();
  Dim body = infer_scalar(f, callee->items[0], inner);
  infer_same(f, &body, callee->items[0]->span, &value, y->span, "the inverse has this value");
  return dim_value(s);
}

DimValue infer_call(Infer *f, const Ast *a, DimEnv env) {
  uint32_t word = word_call(a->name);
  if (word != word_no_call) {
    bool empty_block = word_call_at(word)->kind == word_block && a->count == 0;
    return empty_block ? dims_any() : rules[word](f, a, env);
  }
  Decl *d = names_find(f->e, a->name);
  return d && d->kind == decl_fun ? call_fun(f, d, a->items, a->count, env, a->primes) : dims_any();
}

DimValue infer_apply(Infer *f, const Ast *a, DimEnv env) {
  const Ast *callee = a->items[0];
  Decl *d = NULL;
  if (callee->kind == ast_field) {
    if (path_find(f->e, callee->items[0], env.elab, &d) == path_found && d->kind == decl_body) {
      for (uint32_t i = 1; i < a->count; i++) infer_expr(f, a->items[i], env);
      return infer_linked_field(f, d, callee->name);
    }
    bool found = path_find(f->e, callee, env.elab, &d) == path_found && d->kind == decl_fun;
    return found ? call_fun(f, d, a->items + 1, a->count - 1, env, a->primes) : dims_any();
  }
  bool formula =
      callee->kind == ast_call && callee->count == 2 && strcmp(callee->name, "inverse") == 0 && a->count == 2;
  if (formula) return formula_inverse(f, callee, a->items[1], env);
  bool inverse =
      callee->kind == ast_call && callee->count == 1 && strcmp(callee->name, "inverse") == 0 && a->count == 2;
  if (!inverse || path_find(f->e, callee->items[0], env.elab, &d) != path_found || d->kind != decl_fun)
    return dims_any();
  return call_inverse_of(f, d, a->items[1], env);
}
