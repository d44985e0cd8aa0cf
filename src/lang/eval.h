// Evaluation of the text's expressions to values (eval.c), the values behind names (definitions.c), written names
// (paths.c) and time derivatives (rates.c). Errors are reported and give a bad value.
// parts: definitions.c paths.c rates.c
#ifndef VIVA_LANG_EVAL_H
#define VIVA_LANG_EVAL_H

#include "lang/elab.h"

Value eval(Elab *e, const Ast *a, const Binding *env);
Value eval_decl(Elab *e, Decl *d, Span use);
ExprId eval_scalar(Elab *e, const Ast *a, const Binding *env, const char *what); // 0: reported
bool eval_integer(Elab *e, const Ast *a, const Binding *env, const char *what, int64_t *value);
Value eval_unit(Elab *e, Value v, const Unit *unit);
bool eval_only_params(Elab *e, ExprId id, Span span, const char *what); // false: reported
// A value of numbers and parameters; 0: reported
ExprId eval_constant(Elab *e, const Item *item, const Binding *env, const char *what);
bool eval_rates(Elab *e, ExprId *ids, uint32_t count, Span span); // time derivatives, in place; false: reported

typedef enum PathState { path_other, path_found, path_bad } PathState; // bad: reported
// What a name, th[3], hip.th or link[2].th stands for; other: it is no such thing, or a local name.
PathState path_find(Elab *e, const Ast *a, const Binding *env, Decl **decl);
const char *path_name(Elab *e, const Ast *a, const Binding *env); // as in tables; NULL: not a name
const char *path_indexed(Elab *e, const char *name, const Ast *index, const Binding *env); // NULL: reported
const char *path_full(Elab *e, const Item *item, const Binding *env);                      // NULL: reported
const char *path_of_item(Elab *e, const Item *item, const Binding *env, bool index); // false: without its own index
// The coordinate or state whose start an item gives; NULL: none
Decl *path_start(Elab *e, const Item *item, const char *name);

#endif
