// Calls: the functions and blocks of words.def, and the user's own.
//
// A user's function is its text with the arguments bound; blocks inside keep their spans, and each call has its own
// memory. Its derivative gm'(i) and its inverse are taken of the body over a bound variable.
#include "lang/calls.h"

#include "expr/print.h"
#include "lang/block_parts.h"
#include "lang/blocks.h"
#include "lang/functions.h"
#include "lang/tree.h"
#include "lang/words.h"

#include <assert.h>
#include <string.h>

static Value bad(void) { return value_none(); }

// ---- the words of the language

typedef struct Evaluator {
  WordCall *call; // NULL: an elementary function
  ExprOp op;      // of an elementary function
} Evaluator;

// In the order of word_call_at.
static const Evaluator evaluators[] = {
#define FUNCTION(word, least, most, shape, rule, picture, line) {call_##word, op_num},
#define ELEMENTARY(word, least, most, rule, picture) {NULL, op_##word},
#define BLOCK(word, least, most, rule, picture, line) {block_##word, op_num},
#include "lang/words.def"
};

// Every operation with a name is a word, and takes as many arguments as it has: comparisons and logic have signs.
enum {
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning) arity_##name = arity,
#include "expr/ops.def"
#undef OP
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning) +1
  op_lines = 0
#include "expr/ops.def"
  ,
#undef OP
#define ELEMENTARY(word, least, most, rule, picture) +1
  named_lines = 0
#include "lang/words.def"
  ,
  sign_lines = op_not - op_lt + 1
};
static_assert(op_lines == named_lines + sign_lines, "an operation of ops.def is no word of words.def");
#define ELEMENTARY(word, least, most, rule, picture) static_assert(least == arity_##word, #word);
#include "lang/words.def"

// An impulse comes once, at a moment that parameters say: its argument is t less that.
static bool impulse_is_at(Elab *e, ExprId x, const Ast *a) {
  ExprId rest = expr_sub(e->pool, x, expr_sym(e->pool, e->model->time));
  if (!rest || expr_only_kinds(e->pool, rest, kind_set(sym_param))) return rest != 0;
  diag_error(e->diags, diag_impulse, a->span, "the argument of `impulse` is the time since its moment: `t - t0`");
  diag_hint(e->diags, "t0 is a number or depends on parameters alone; for a jump at a condition take `when`");
  return false;
}

static Value call_elementary(Elab *e, const Ast *a, const Binding *env, ExprOp op, const char *word) {
  // min and max take any number
  if (a->count > 2 && (op == op_min || op == op_max)) {
    ExprId r = 0;
    bool ok = true;
    for (uint32_t i = 0; i < a->count; i++) {
      ExprId x = eval_scalar(e, a->items[i], env, "an argument of `min` or `max`");
      ok = ok && x;
      r = i == 0 ? x : expr_fn(e->pool, op, (ExprId[]){r, x}, 2);
      elab_note_place(e, r, word, a->span);
    }
    return ok ? value_of(r) : bad();
  }
  ExprId args[3];
  if (!function_scalars(e, a, env, args)) return bad();
  if (op == op_impulse && !impulse_is_at(e, args[0], a)) return bad();
  ExprId id = expr_fn(e->pool, op, args, a->count);
  elab_note_place(e, id, word, a->span);
  return value_of(id);
}

// What others call a function, and how it is written here; NULL: not known.
static const char *called_here(const char *name) {
  static const char *const known[][2] = {{"cosine", "cos(x)"},
                                         {"sine", "sin(x)"},
                                         {"tangent", "tan(x)"},
                                         {"arcsin", "asin(x)"},
                                         {"arccos", "acos(x)"},
                                         {"arctan", "atan(x)"},
                                         {"arctg", "atan(x)"},
                                         {"tg", "tan(x)"},
                                         {"arctan2", "atan2(y, x)"},
                                         {"sh", "sinh(x)"},
                                         {"ch", "cosh(x)"},
                                         {"th", "tanh(x)"},
                                         {"cot", "1/tan(x)"},
                                         {"sec", "1/cos(x)"},
                                         {"csc", "1/sin(x)"},
                                         {"log", "ln(x)` or `log10(x)"},
                                         {"lg", "log10(x)"},
                                         {"log2", "ln(x)/ln(2)"},
                                         {"pow", "a^b"},
                                         {"power", "a^b"},
                                         {"sqr", "x^2"},
                                         {"square", "x^2"},
                                         {"root", "sqrt(x)"},
                                         {"cbrt", "x^(1/3)"},
                                         {"fabs", "abs(x)"},
                                         {"absolute", "abs(x)"},
                                         {"norm", "|v|"},
                                         {"sgn", "sign(x)"},
                                         {"signum", "sign(x)"},
                                         {"heaviside", "step(x)"},
                                         {"unitstep", "step(x)"},
                                         {"ceil", "-floor(-x)"},
                                         {"round", "floor(x + 1/2)"},
                                         {"trunc", "floor(x)"},
                                         {"rem", "mod(x, y)"},
                                         {"fmod", "mod(x, y)"},
                                         {"integrate", "integral(x)` over time, or `integral_of(e, s, a, b)"},
                                         {"int", "integral(x)` over time, or `integral_of(e, s, a, b)"},
                                         {"der", "x'"},
                                         {"diff", "x'"},
                                         {"ddt", "x'"},
                                         {"derivative", "x'"},
                                         {"saturate", "limit(x, low, high)"},
                                         {"sat", "limit(x, low, high)"},
                                         {"clamp", "limit(x, low, high)"},
                                         {"clip", "limit(x, low, high)"},
                                         {"inv", "inverse(A)"},
                                         {"interp", "table(\"file.csv\", \"column\", x)"},
                                         {"interp1", "table(\"file.csv\", \"column\", x)"},
                                         {"lookup", "table(\"file.csv\", \"column\", x)"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i][0], name) == 0) return known[i][1];
  }
  return NULL;
}

static const char *nearest_function(Elab *e, const char *name) {
  const char *best = NULL;
  unsigned least = strlen(name) > 3 ? 3 : 2;
  const CallWord *w;
  for (uint32_t i = 0; (w = word_call_at(i)); i++) {
    unsigned d = word_distance(name, w->word);
    if (d >= least) continue;
    least = d;
    best = w->word;
  }
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    const Decl *known = e->names.decls.items[i];
    if (known->kind != decl_fun || known->scope != e->names.scope) continue;
    unsigned d = word_distance(name, known->item->name);
    if (d >= least) continue;
    least = d;
    best = known->item->name;
  }
  if (strcmp(name, "log") == 0) return "ln` or `log10";
  return best;
}

static bool arity_ok(Elab *e, const Ast *a, uint32_t least, uint32_t most) {
  if (a->count >= least && a->count <= most) return true;
  diag_error(e->diags, diag_arguments, a->span, "`%s` takes %u argument%s, not %u", a->name, least,
             least == 1 ? "" : "s", a->count);
  return false;
}

// Of a block, whose arguments may be fewer.
static void report_block_arity(Elab *e, const Ast *a, uint32_t least, uint32_t most) {
  if (least == most)
    diag_error(e->diags, diag_arguments, a->span, "`%s` takes %u argument%s, not %u", a->name, least,
               least == 1 ? "" : "s", a->count);
  else if (a->count < least)
    diag_error(e->diags, diag_arguments, a->span, "`%s` takes at least %u argument%s, not %u", a->name, least,
               least == 1 ? "" : "s", a->count);
  else
    diag_error(e->diags, diag_arguments, a->span, "`%s` takes at most %u arguments, not %u", a->name, most, a->count);
}

static Value call_word(Elab *e, const Ast *a, const Binding *env, uint32_t at) {
  const CallWord *w = word_call_at(at);
  const Evaluator *f = &evaluators[at];
  if (w->kind != word_block && !arity_ok(e, a, w->least, w->most)) return bad();
  if (w->kind == word_elementary) return call_elementary(e, a, env, f->op, w->word);
  if (w->kind == word_function) return f->call(e, a, env);
  if (a->count < w->least || a->count > w->most) {
    report_block_arity(e, a, w->least, w->most);
    return bad();
  }
  Value v = f->call(e, a, env);
  blocks_put_output(e, a, &v);
  return v;
}

// ---- the user's functions

// The body with its arguments bound; blocks and errors keep their spans.
static Value call_fun(Elab *e, Decl *d, const Value *args, Span use) {
  d->used = true;
  if (d->state == decl_active) {
    diag_error(e->diags, diag_recursion, use, "the function `%s` calls itself", d->name);
    return bad();
  }
  const Item *item = d->item;
  Binding *env = NULL;
  const Binding *top = NULL;
  for (uint32_t i = 0; i < item->args->count; i++) {
    env = arena_new_of(e->arena, Binding);
    if (!env) return bad();
    *env = (Binding){.name = item->args->items[i], .value = args[i], .next = top};
    top = env;
  }
  d->state = decl_active;
  Scope *before = names_enter(e, d->scope);
  Value v = eval_unit(e, eval(e, item->value, top), item->unit);
  names_enter(e, before);
  d->state = decl_new;
  return v;
}

// The body of a function of one argument as an expression of a bound variable.
static ExprId fun_body(Elab *e, Decl *d, const Ast *a, SymbolId *bound) {
  if (d->item->args->count != 1) {
    diag_error(e->diags, diag_arguments, a->span, "`%s` must be a function of one argument for this", d->name);
    return 0;
  }
  *bound = function_bound(e, d->item->args->items[0], a->span);
  if (!*bound) return 0;
  Value arg = value_of(expr_sym(e->pool, *bound));
  e->eval.bound_depth++;
  Value body = call_fun(e, d, &arg, a->span);
  e->eval.bound_depth--;
  if (body.shape == value_scalar) return body.scalar;
  if (body.shape) diag_error(e->diags, diag_shape, a->span, "`%s` must give a number for this", d->name);
  return 0;
}

// gm'(i)
static Value call_derivative(Elab *e, Decl *d, const Ast *a, const Value *arg) {
  SymbolId s;
  ExprId body = fun_body(e, d, a, &s);
  if (!body) return bad();
  for (uint32_t i = 0; i < a->primes && body; i++) body = expr_diff(e->pool, body, s);
  if (arg->shape != value_scalar) {
    diag_error(e->diags, diag_shape, a->span, "the argument of `%s` must be a number", d->name);
    return bad();
  }
  SymbolMap map = symbol_map_new(e->pool);
  symbol_map_set(&map, s, arg->scalar);
  ExprId out = 0;
  return expr_replace(e->pool, &map, &body, 1, &out) ? value_of(out) : bad();
}

static Value call_declared(Elab *e, Decl *d, const Ast *a, Ast *const *given, const Binding *env) {
  uint32_t count = d->item->args->count;
  Value *args = arena_array(e->arena, count, sizeof *args);
  bool ok = args != NULL;
  for (uint32_t i = 0; args && i < count; i++) {
    args[i] = eval(e, given[i], env);
    ok = ok && args[i].shape;
  }
  if (!ok) return bad();
  return a->primes ? call_derivative(e, d, a, &args[0]) : call_fun(e, d, args, a->span);
}

Value calls_eval(Elab *e, const Ast *a, const Binding *env) {
  uint32_t word = word_call(a->name);
  if (word != word_no_call) return call_word(e, a, env, word);
  Decl *d = names_find(e, a->name);
  if (!d || d->kind != decl_fun) {
    if (d) {
      diag_error(e->diags, diag_not_function, a->span, "`%s` is %s, not a function", a->name, decl_word(d->kind));
      diag_hint(e->diags, "write `%s*(...)` to multiply", a->name);
    } else {
      diag_error(e->diags, diag_unknown_function, a->span, "unknown function `%s`", a->name);
      const char *near = nearest_function(e, a->name), *here = called_here(a->name);
      if (here) diag_hint(e->diags, "write `%s`", here);
      else if (near) diag_hint(e->diags, "did you mean `%s`?", near);
    }
    return bad();
  }
  return arity_ok(e, a, d->item->args->count, d->item->args->count) ? call_declared(e, d, a, a->items, env) : bad();
}

// hip.gm(i): a function of a part
static Value apply_field(Elab *e, const Ast *a, const Binding *env) {
  Decl *d = NULL;
  const Ast *callee = a->items[0];
  if (path_find(e, callee->items[0], env, &d) == path_found && d->kind == decl_body) {
    d->used = true;
    return tree_apply(e, d, a, env);
  }
  PathState state = path_find(e, callee, env, &d);
  if (state == path_bad) return bad();
  if (state == path_other || d->kind != decl_fun) {
    diag_error(e->diags, diag_not_function, a->span, "only a function of a part is called this way");
    if (state == path_found) diag_hint(e->diags, "`%s` is %s", d->name, decl_word(d->kind));
    return bad();
  }
  if (a->count - 1 == d->item->args->count) return call_declared(e, d, a, a->items + 1, env);
  diag_error(e->diags, diag_arguments, a->span, "`%s` takes %u argument%s, not %u", d->name, d->item->args->count,
             d->item->args->count == 1 ? "" : "s", a->count - 1);
  return bad();
}

// The formula of inverse(e, v)(psi) as an expression of its bound variable.
static ExprId formula_body(Elab *e, const Ast *callee, const Binding *env, SymbolId *bound) {
  const char *name = callee->items[1]->name;
  *bound = function_bound(e, name, callee->span);
  if (!*bound) return 0;
  Binding b = {.name = name, .value = value_of(expr_sym(e->pool, *bound)), .next = env};
  e->eval.bound_depth++;
  ExprId body = eval_scalar(e, callee->items[0], &b, "what `inverse` turns round");
  e->eval.bound_depth--;
  return body;
}

// inverse(gm)(psi), inverse(psi_s*tanh(i/i_s), i)(psi)
Value calls_apply(Elab *e, const Ast *a, const Binding *env) {
  const Ast *callee = a->items[0];
  if (callee->kind == ast_field) return apply_field(e, a, env);
  const Ast *name = callee->count == 1 ? callee->items[0] : NULL;
  bool formula = callee->count == 2 && callee->items[1]->kind == ast_name;
  Decl *d = NULL;
  bool named = name && (name->kind == ast_name || name->kind == ast_field) && path_find(e, name, env, &d) == path_found;
  bool function = formula || (named && d->kind == decl_fun);
  if (strcmp(callee->name, "inverse") != 0 || !function || a->count != 2) {
    diag_error(e->diags, diag_not_function, a->span,
               "only `inverse(f)(y)`, with f a function of one argument, is called this way");
    return bad();
  }
  ExprId y = eval_scalar(e, a->items[1], env, "the argument of an inverse");
  SymbolId s;
  ExprId body = formula ? formula_body(e, callee, env, &s) : fun_body(e, d, callee, &s);
  if (!y || !body) return bad();
  const char *words = formula ? expr_text(e->pool, e->arena, body) : d->name;
  if (!expr_depends(e->pool, body, s)) {
    diag_error(e->diags, diag_function_value, callee->span, "`%s` is constant and has no inverse", words);
    return bad();
  }
  ExprId slope = expr_diff(e->pool, body, s);
  if (slope) vec_push(e->arena, &e->model->inverses, (SystemInverse){body, slope, s, words, callee->span});
  return value_of(expr_raw(e->pool, op_inverse, (ExprId[]){body, expr_sym(e->pool, s), y, slope}, 4));
}
